//! Models that are baked, and scenes that have them.

use std::{fs, path::Path};

use crate::{Answer, assert_refused, bitstep, file, records};

/// A trough: a floor of four triangles and two slopes with a material of their own; the last face has no area.
const MODEL: &str = "\
# a trough
mtllib gone.mtl
v -8 0 -8
v 8 0 -8
v 8 0 8
v -8 0 8
v -12 2.5 -8
v -12 2.5 8
v 12 2.5 -8
v 12 2.5 8
usemtl stone
f 1 4 3 2
usemtl mud
f 1 5 6 4
f 2/1 3/2 8/3 7/4
f -1 -1 -2
";

/// The model's corners, triangle by triangle, for each of its materials.
const FLOOR: [usize; 6] = [1, 4, 3, 1, 3, 2];
const SLOPES: [usize; 12] = [1, 5, 6, 1, 6, 4, 2, 3, 8, 2, 8, 7];

const SCENE: &str = "(
    title: \"Balls in a trough\", tick_rate: 60, ticks: 240, gravity: (0, -10, 0),
    materials: { \"stone\": (restitution: 0.5), \"mud\": (restitution: 0), \"ball\": (restitution: 0.5) },
    shapes: { \"ball\": sphere(radius: 0.5), \"trough\": mesh(file: \"levels/trough.mesh\") },
    statics: [(shape: \"trough\", material: \"stone\", position: (0, 0, 0))],
    bodies: [grid(shape: \"ball\", material: \"ball\", count: (5, 2, 5), first: (-6, 4, -6), step: (3, 1.5, 3))],
)";

/// The bits of a float for a small multiple of one half.
fn bits(text: &str) -> u32 {
    let (digits, half) = text.strip_suffix(".5").map_or((text, 0), |whole| (whole, 1));
    let magnitude = 2 * digits.trim_start_matches('-').parse::<u32>().unwrap() + half;
    if magnitude == 0 {
        return 0;
    }
    let top = 31 - magnitude.leading_zeros();
    u32::from(text.starts_with('-')) << 31 | (top + 126) << 23 | (magnitude << (23 - top) & 0x7f_ffff)
}

/// The buffer of the same model: its points, then the corners.
fn buffer() -> Vec<u8> {
    let points = MODEL.lines().filter_map(|line| line.strip_prefix("v "));
    let mut bytes: Vec<u8> =
        points.flat_map(str::split_whitespace).flat_map(|part| bits(part).to_le_bytes()).collect();
    let corners = FLOOR.iter().chain(&SLOPES).flat_map(|corner| (*corner as u16 - 1).to_le_bytes());
    bytes.extend(corners);
    bytes
}

fn document(uri: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0]}}], "nodes": [{{"mesh": 0}}],
        "meshes": [{{"primitives": [
            {{"attributes": {{"POSITION": 0}}, "indices": 1, "material": 1}},
            {{"attributes": {{"POSITION": 0}}, "indices": 2, "material": 0}}]}}],
        "materials": [{{"name": "mud"}}, {{"name": "stone"}}],
        "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"}},
            {{"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}},
            {{"bufferView": 1, "byteOffset": 12, "componentType": 5123, "count": 12, "type": "SCALAR"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 36}}],
        "buffers": [{{{uri}"byteLength": 132}}]}}"#
    )
}

fn glb() -> Vec<u8> {
    let (mut text, buffer) = (document(""), buffer());
    while text.len() % 4 > 0 {
        text.push(' ');
    }
    let number = |number: usize| (number as u32).to_le_bytes();
    let mut bytes = [b"glTF".as_slice(), &number(2), &number(28 + text.len() + buffer.len())].concat();
    bytes.extend([number(text.len()).as_slice(), b"JSON", text.as_bytes()].concat());
    bytes.extend([number(buffer.len()).as_slice(), b"BIN\0", &buffer].concat());
    bytes
}

/// The output of a bake, which must have no error.
fn baked(arguments: &[&str]) -> String {
    let Answer { code, out, err } = bitstep(&[&["bake"], arguments].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

fn fact<'o>(out: &'o str, label: &str) -> &'o str {
    let line = out.lines().find_map(|line| line.strip_prefix("  ")?.strip_prefix(label));
    line.unwrap_or_else(|| panic!("{label}: {out}")).trim()
}

/// A path in a folder of this test's own.
fn path(folder: &str, name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_model_is_the_same_mesh_from_every_format() {
    let (target, binary) = (path("formats", "trough.mesh"), path("formats", "the buffer.bin"));
    fs::write(&binary, buffer()).unwrap();
    let beside = document("\"uri\": \"the%20buffer.bin\", ");
    let models =
        [("trough.obj", MODEL.as_bytes()), ("trough.GLB", &glb()), ("trough.gltf", beside.as_bytes())];
    let mut files = Vec::new();
    for (name, content) in models {
        let model = path("formats", name);
        fs::write(&model, content).unwrap();
        let out = baked(&[&model, "-o", &target]);
        let file = fs::read(&target).unwrap();
        assert_eq!(fact(&out, "written"), format!("{} bytes in {target}", file.len()));
        files.push((fact(&out, "content hash").to_owned(), file));
    }
    assert!(files.iter().all(|file| *file == files[0]), "{files:?}");
}

#[test]
fn the_report_says_what_was_found_and_left_out() {
    let model = file("report.obj", MODEL.replace("v -8 0 -8", "v -8 0.000001 -8").as_bytes());
    let out = baked(&[&model]);
    assert_eq!(fact(&out, "model"), format!("{model}: 8 points, 7 triangles"));
    assert_eq!(fact(&out, "triangles"), "6 (1 without an area left out)");
    assert_eq!(fact(&out, "points"), "8");
    assert_eq!(fact(&out, "rounding"), "1 coordinate, the greatest by 0.000001");
    assert_eq!(fact(&out, "bounds"), "(-12, 0, -8) to (12, 2.5, 8), size (24, 2.5, 16)");
    assert_eq!(fact(&out, "facets"), "3");
    assert_eq!(fact(&out, "edges"), "2 at an angle, 3 flat, 8 open");
    assert_eq!(fact(&out, "materials"), "0 \"stone\", 2 triangles");
    assert_eq!(fact(&out, "not written"), format!("{} bytes", 32 + 32 + 8 * 12 + 6 * 12 + 6 + 8 + 5 + 8 + 3));
    let points = "v 0 0 0\nv 0 0 4\nv 3 0 2\nv 0 0 1\nv -3 0 0\nv -3 0 4\n";
    // One long side beside two halves, the first of which is there twice; then two more triangles at one edge.
    let faces = "f 1 2 3\nf 1 4 5\nf 4 1 5\nf 4 2 6\nv 3 9 0\nv 3 -9 0\nf 2 3 7\nf 2 3 8\nl 1 2\n";
    let out = baked(&[&file("split.obj", (points.to_owned() + faces).as_bytes())]);
    assert_eq!(fact(&out, "T-junctions"), "1 at (0, 0, 1)");
    assert_eq!(fact(&out, "left out"), "1 part of points and lines, which have no triangles");
    assert_eq!(fact(&out, "triangles"), "5 (1 repeated left out)");
    assert_eq!(fact(&out, "crowded edges"), "1 at (0, 0, 4)");
}

#[test]
fn models_are_scaled_and_turned_upright() {
    let model = file("upright.obj", b"v 0 0 0\nv 3 0 0\nv 0 30 12\nf 1 2 3");
    let bounds =
        |arguments: &[&str]| fact(&baked(&[&[model.as_str()], arguments].concat()), "bounds").to_owned();
    assert_eq!(bounds(&[]), "(0, 0, 0) to (3, 30, 12), size (3, 30, 12)");
    assert_eq!(bounds(&["--up", "z"]), "(0, 0, -30) to (3, 12, 0), size (3, 12, 30)");
    assert_eq!(bounds(&["--scale", "0.5"]), "(0, 0, 0) to (1.5, 15, 6), size (1.5, 15, 6)");
    assert_eq!(bounds(&["--scale", "1/3", "--up", "z"]), "(0, 0, -10) to (1, 4, 0), size (1, 4, 10)");
    let Answer { code, err, .. } = bitstep(&["bake", &model, "--scale", "-1"]);
    assert!(code == 2 && err.contains("must be a number above 0 such as 0.01 or 1/100"), "{err}");
}

#[test]
fn bad_models_are_told_in_one_line() {
    let model = |name: &str, content: &[u8]| {
        let path = path("bad", name);
        fs::write(&path, content).unwrap();
        path
    };
    let nan = model("nan.obj", MODEL.replace("2.5 -8\nv -12", "nan -8\nv -12").as_bytes());
    let must = "must be a decimal number such as 12.5 or 1e-3";
    assert_refused(&["bake", &nan], &format!("{nan}:7: v.y is nan, {must}"));
    let empty = model("empty.obj", b"v 1 2 3\n");
    assert_refused(&["bake", &empty], &format!("{empty}: a mesh needs a triangle that has an area"));
    let long = model("long.obj", b"v 0 0 0\nv 9000 0 0\nv 0 0 1\nf 1 2 3");
    assert_refused(
        &["bake", &long],
        &format!("{long}: the points are 9000 apart along axis 0, at most 8192"),
    );
    let short = model("short.glb", &glb()[..100]);
    let told = format!("{short}: the header says {} bytes, the file has 100", glb().len());
    assert_refused(&["bake", &short], &told);
    let inside = "must be the name of a file in the same folder or below, with / between its parts";
    for uri in ["../formats/the.bin", "/etc/hostname", "https://a.b/c.bin", "", "a\\\\b.bin", "%2e%2e/a.bin"]
    {
        let model = model("outside.gltf", document(&format!("\"uri\": \"{uri}\", ")).as_bytes());
        let shown = uri.replace("\\\\", "\\");
        assert_refused(&["bake", &model], &format!("{model}: buffers[0]: uri {shown:?}: {inside}"));
    }
    let gone = model("gone.gltf", document("\"uri\": \"gone.bin\", ").as_bytes());
    let Answer { code, err, .. } = bitstep(&["bake", &gone]);
    assert!(code == 2 && err.contains("uri \"gone.bin\": ") && err.contains("cannot be opened"), "{err}");
    let other = model("level.stl", b"solid");
    assert_refused(&["bake", &other], &format!("{other}: must end with .obj, .gltf or .glb"));
    let told = format!("{empty}: cannot be written: it is the model; give the mesh another name");
    assert_refused(&["bake", &empty, "-o", &empty], &told);
    let told = "--output -: a mesh goes into a file; call it ./- if you mean that name";
    assert_refused(&["bake", &empty, "-o", "-"], told);
}

#[test]
fn a_scene_with_a_mesh_file_is_recorded_and_verified_without_it() {
    let (model, mesh) = (file("played.obj", MODEL.as_bytes()), path("played/levels", "trough.mesh"));
    baked(&[&model, "-o", &mesh]);
    let (scene, replay) = (path("played", "scene.ron"), path("played", "a.replay"));
    fs::write(&scene, SCENE).unwrap();
    let Answer { code, out, err } = bitstep(&["run", &scene, "--record", &replay]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // The scenery of the recording has the mesh as the file has it.
    let (file, recording) = (fs::read(&mesh).unwrap(), fs::read(&replay).unwrap());
    let written = &file[28..file.len() - 8 - 8 - 5 - 8 - 3];
    let scenery = records::content(&records::parts(&recording)[1]).to_vec();
    assert!(scenery.windows(written.len()).any(|part| part == written));
    fs::remove_file(&mesh).unwrap();
    assert_eq!(bitstep(&["verify", &replay]).code, 0);
    let told = "file \"levels/trough.mesh\": ";
    let Answer { code, err, .. } = bitstep(&["run", &scene]);
    assert!(code == 2 && err.contains(told) && err.contains("cannot be opened"), "{err}");
    fs::write(&scene, SCENE.replace("levels/trough.mesh", "levels/../levels/trough.mesh")).unwrap();
    let Answer { code, err, .. } = bitstep(&["run", &scene]);
    assert!(code == 2 && err.contains("must be the name of a file in the same folder or below"), "{err}");
}
