//! Meshes of a scene.

use bitstep::{
    geom::Vec3,
    num::lit,
    shape::{Mesh, Shape},
};

use super::{Scene, assert_error_at, scene};

const FLOOR: &str =
    "mesh(points: [(-4, 0, -4), (-4, 0, 4), (4, 0.5, 4), (4, 0.5, -4)], triangles: [(0, 1, 2), (2, 3, 0)])";

/// A scene with one more shape, `"it"`.
fn with_shape(shape: &str, bodies: &str) -> String {
    scene(bodies, "").replacen("shapes: {", &format!("shapes: {{\n \"it\": {shape},\n"), 1)
}

#[test]
fn a_mesh_is_its_points_and_triangles() {
    let text = with_shape(FLOOR, "");
    let built = Scene::parse(&text).unwrap();
    let points = [["-4", "0", "-4"], ["-4", "0", "4"], ["4", "0.5", "4"], ["4", "0.5", "-4"]];
    let points = points.map(|part| {
        let [x, y, z] = part.map(lit);
        Vec3::new(x, y, z)
    });
    let mesh = Mesh::new(&points, &[[0, 1, 2], [2, 3, 0]]).unwrap();
    assert!(built.initial_state.scenery().shapes().contains(&Shape::Mesh(mesh)));
}

#[test]
fn wrong_meshes_are_errors_with_a_place() {
    let text = with_shape(&FLOOR.replace("2, 3, 0", "2, @4, 0"), "");
    assert_error_at(&text, "triangles is 4, must be a whole number in 0..=3");
    let flat = with_shape("mesh(points: [(0, 0, 0), (1, 0, 0), (2, 0, 0)], triangles: [(0, 1, 2)])", "");
    let flat = flat.replace("\"it\"", "@\"it\"");
    assert_error_at(&flat, "shape \"it\": a mesh needs a triangle that has an area");
    let body = "body(name: \"b\", shape: @\"it\", material: \"m\", position: (0, 9, 0))";
    let must = "a body must be a sphere, an aabb, an obb, a capsule or a hull";
    assert_error_at(&with_shape(FLOOR, body), &format!("shape is mesh, {must}"));
}
