//! Mesh files, and scenes that name them.

use bitstep::{
    geom::Vec3,
    shape::{Mesh, Shape},
    state::MaterialId,
};

use super::{Scene, error, scene};
use crate::{MeshFile, SceneError};

/// Two triangles at an angle, with a material each.
fn roof() -> MeshFile {
    let point = |[x, y, z]: [i64; 3]| Vec3::from_raw([x << 32, y << 31, z << 16]);
    let points = [[0, 1, 0], [0, 1, 9], [3, 0, 0], [-3, 0, 0]].map(point);
    let mesh = Mesh::with_materials(&points, &[[0, 1, 2], [0, 1, 3]], &[0, 1]).unwrap();
    MeshFile::new(mesh, ["slate", "tiles"].map(str::to_owned).to_vec()).unwrap()
}

/// A scene with a static of a mesh file, and so many materials.
fn with_roof(file: &str, materials: &str) -> String {
    let shapes = format!("shapes: {{\"roof\": mesh({file}), ");
    let text = scene("", "").replacen("shapes: {", &shapes, 1);
    let text = text.replacen("\"m\": (restitution: 1)", materials, 1);
    text.replacen(
        "bodies:",
        "statics: [(shape: \"roof\", material: \"slate\", position: (0, 0, 0))], bodies:",
        1,
    )
}

const MATERIALS: &str = "\"m\": (restitution: 1), \"slate\": (restitution: 1), \"tiles\": (restitution: 0)";

fn parse(source: &str) -> Result<Scene, SceneError> {
    Scene::parse_with(source, |name| match name {
        "a/roof.mesh" => Ok(roof().encode()),
        "bad.mesh" => Ok(b"v 0 0 0".to_vec()),
        _ => Err("no such file".to_owned()),
    })
}

#[test]
fn a_mesh_file_is_the_mesh_that_it_was_made_of() {
    let file = roof();
    let bytes = file.encode();
    assert_eq!(MeshFile::decode(&bytes), Ok(file));
    // Header, counts, points, triangles, materials, and names with their lengths.
    assert_eq!(bytes.len(), 32 + 4 * 8 + 4 * 12 + 2 * 12 + 2 + 2 * 8 + 5 + 5);
    assert_eq!(bytes[..12], *b"\x89BSM\r\n\x1a\n\x01\0\0\0");
    let no_names = MeshFile::new(roof().mesh().clone(), Vec::new()).unwrap();
    assert_eq!(no_names.materials(), ["", ""]);
    let long = MeshFile::new(roof().mesh().clone(), vec!["x".repeat(256)]).unwrap_err();
    assert_eq!(long.message, "the name of a material has 256 bytes, at most 255");
}

#[test]
fn damaged_mesh_files_are_errors() {
    let whole = roof().encode();
    let refused = |bytes: &[u8]| MeshFile::decode(bytes).unwrap_err().to_string();
    for end in 0..whole.len() {
        refused(&whole[..end]);
    }
    // All but the letters of names is checked by the content hash, by a count or by its only value.
    for at in (0..whole.len() - 26).chain([whole.len() - 26, whole.len() - 13]) {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            refused(&bytes);
        }
    }
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        refused(&bytes)
    };
    assert_eq!(refused(b"v 0 0 0"), "byte 0: not a baked mesh; `bitstep bake` writes one");
    assert_eq!(changed(8, &[2]), "byte 8: format version 2, this build reads 1");
    assert_eq!(changed(28, &[1]), "byte 28: kind 1 of mesh, must be 0: triangles");
    let claimed = (1_u64 << 31).to_le_bytes();
    assert_eq!(changed(32, &claimed), "byte 32: points is 2147483648, at most 4194304");
    let claimed = (1_u64 << 22).to_le_bytes();
    let told = format!("byte 32: points is 4194304, of 12 bytes each, but {} bytes follow", whole.len() - 40);
    assert_eq!(changed(32, &claimed), told);
    assert_eq!(changed(96, &7_u32.to_le_bytes()), "byte 28: corner 7 of triangle 0: there are 4 points");
    assert!(changed(40, &[1]).starts_with("byte 12: damaged: the content hash is "));
    assert!(refused(&[whole.as_slice(), &[0]].concat()).ends_with(": 1 bytes too many"));
}

#[test]
fn a_scene_has_the_mesh_of_its_file_with_its_materials() {
    let built = parse(&with_roof("file: \"a/roof.mesh\"", MATERIALS)).unwrap();
    let scenery = built.initial_state.scenery();
    assert!(scenery.shapes().contains(&Shape::Mesh(roof().mesh().clone())));
    assert_eq!(scenery.statics()[0].material, MaterialId(1));
}

#[test]
fn files_that_cannot_be_had_or_do_not_fit_are_errors_with_a_place() {
    let file = "file: \"a/roof.mesh\"";
    let both = format!("{file}, points: [(0, 0, 0)]");
    let cases = [
        ("file: \"b.mesh\"", MATERIALS, "file \"b.mesh\": no such file"),
        (
            "file: \"bad.mesh\"",
            MATERIALS,
            "file \"bad.mesh\": byte 0: not a baked mesh; `bitstep bake` writes one",
        ),
        (&both, MATERIALS, "a mesh has a file, or points and triangles, not both"),
        ("points: []", MATERIALS, "a mesh needs points and triangles, or a file"),
        ("", MATERIALS, "a mesh needs points and triangles, or a file"),
        (
            file,
            "\"m\": (restitution: 1), \"slate\": (restitution: 1)",
            "material 1 of the mesh, \"tiles\": the scene has 0 materials after this one, must have 1",
        ),
        (
            file,
            "\"slate\": (restitution: 1), \"m\": (restitution: 1), \"tiles\": (restitution: 1)",
            "material 1 of the mesh is \"tiles\", but the scene has \"m\" in its place",
        ),
    ];
    for (mesh, materials, expected) in cases {
        let told = parse(&with_roof(mesh, materials)).unwrap_err();
        assert_eq!(told.message, expected);
        assert!(told.line > 1, "{told}");
    }
    let told = error(&with_roof(file, MATERIALS));
    assert!(told.ends_with("file \"a/roof.mesh\": files are not read here"), "{told}");
}

#[test]
fn each_file_is_read_once() {
    let source = with_roof("file: \"a/roof.mesh\"", MATERIALS);
    let source = source.replacen("\"roof\":", "\"again\": mesh(file: \"a/roof.mesh\"), \"roof\":", 1);
    let mut read = 0;
    let built = Scene::parse_with(&source, |_| {
        read += 1;
        Ok(roof().encode())
    });
    assert_eq!((built.is_ok(), read), (true, 1));
}
