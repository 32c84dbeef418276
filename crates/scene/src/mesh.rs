//! Meshes of a scene: written out, or in files that were baked.

use std::collections::BTreeMap;

use bitstep::{
    geom::Vec3,
    shape::{Mesh, Shape},
    state::MaterialId,
};

use super::{
    MeshFile,
    hulls::fault,
    leaf::{Fault, Leaf, Vector},
    named::Named,
    text::{MaterialText, SceneText, ShapeText},
};

/// A function that reads the files that a scene names: the bytes of one, or the reason why there are none.
pub type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// The meshes of all shapes that name a file, by the names of the shapes. Each file is read once.
pub fn load<'a>(
    text: &SceneText<'a>,
    read: &mut ReadFile<'_>,
) -> Result<BTreeMap<String, MeshFile>, Fault<'a>> {
    let (mut files, mut meshes) = (BTreeMap::new(), BTreeMap::new());
    for (name, shape) in &text.shapes.entries {
        let ShapeText::Mesh { file: Some(leaf), points, triangles, .. } = shape else { continue };
        if points.is_some() || triangles.is_some() {
            return Err(leaf.fault("a mesh has a file, or points and triangles, not both"));
        }
        let path = leaf.text("file")?;
        if !files.contains_key(&path) {
            let refused = |reason: String| leaf.fault(format!("file {path:?}: {reason}"));
            let bytes = read(&path).map_err(refused)?;
            let file = MeshFile::decode(&bytes).map_err(|error| refused(error.to_string()))?;
            files.insert(path.clone(), file);
        }
        meshes.insert(name.text("name")?, files[&path].clone());
    }
    Ok(meshes)
}

/// The mesh of a text, given those that were loaded.
pub fn of<'a>(
    name: Leaf<'a>,
    text: &ShapeText<'a>,
    loaded: &BTreeMap<String, MeshFile>,
) -> Result<Shape, Fault<'a>> {
    if let Some(file) = loaded.get(&name.text("name")?) {
        return Ok(Shape::Mesh(file.mesh().clone()));
    }
    let ShapeText::Mesh { points: Some(points), triangles: Some(triangles), .. } = text else {
        return Err(name.fault("a mesh needs points and triangles, or a file"));
    };
    written_out(name, points, triangles)
}

/// The mesh of points and of the places of each triangle's corners among them.
fn written_out<'a>(
    name: Leaf<'a>,
    points: &[Vector<'a>],
    triangles: &[[Leaf<'a>; 3]],
) -> Result<Shape, Fault<'a>> {
    let points: Vec<Vec3> = points.iter().map(|point| point.decimals("points")).collect::<Result<_, _>>()?;
    let last = (points.len() as u64).saturating_sub(1);
    let place = |leaf: &Leaf<'a>| leaf.whole("triangles", 0, last).map(|place| place as u32);
    let corners = triangles.iter().map(|[a, b, c]| Ok([place(a)?, place(b)?, place(c)?]));
    let corners: Vec<[u32; 3]> = corners.collect::<Result<_, _>>()?;
    Mesh::new(&points, &corners).map(Shape::Mesh).map_err(|error| fault(name, error))
}

/// Checks that the materials of a static's mesh, from the static's own on, have the names that its file gives them.
///
/// A mesh has numbers only: a model in which a material was added would otherwise have those of others, without a word.
pub fn check_materials<'a>(
    file: &MeshFile,
    leaf: Leaf<'a>,
    first: MaterialId,
    materials: &Named<'a, MaterialText<'a>>,
) -> Result<(), Fault<'a>> {
    if file.materials().len() < 2 {
        return Ok(());
    }
    for (number, wanted) in file.materials().iter().enumerate() {
        let Some((name, _)) = materials.entries.get(usize::from(first.0) + number) else {
            let message = format!(
                "material {number} of the mesh, {wanted:?}: the scene has {} materials after this one, must have {}",
                number - 1,
                file.materials().len() - 1
            );
            return Err(leaf.fault(message));
        };
        let name = name.text("name")?;
        if !wanted.is_empty() && name != *wanted {
            let message = format!(
                "material {number} of the mesh is {wanted:?}, but the scene has {name:?} in its place"
            );
            return Err(leaf.fault(message));
        }
    }
    Ok(())
}
