//! Heights of a scene.

use bitstep::{
    num::lit,
    shape::{Cell, Heights, Mesh, Shape},
};

use super::{Scene, assert_error_at, scene};

const HILL: &str = "heights(cell: 2, unit: 0.25, rows: [[0, 1, 0], [-1, 4, 2], [0, 0, 1]], holes: [(1, 0)])";

/// A scene with one more shape, `"it"`.
fn with_shape(shape: &str) -> String {
    scene("", "").replacen("shapes: {", &format!("shapes: {{\n \"it\": {shape},\n"), 1)
}

#[test]
fn heights_are_rows_along_x_from_the_origin() {
    let built = Scene::parse(&with_shape(HILL)).unwrap();
    let heights = Heights::new(3, lit("2"), lit("0.25"), vec![0, 1, 0, -1, 4, 2, 0, 0, 1]).unwrap();
    let cells = [0, 127, 0, 0].map(Cell::new).to_vec();
    let ground = Shape::Mesh(Mesh::of_heights(heights.with_cells(cells).unwrap()).unwrap());
    assert!(built.initial_state.scenery().shapes().contains(&ground));
}

#[test]
fn wrong_heights_are_errors_with_a_place() {
    let cases = [
        ("4, 2]", "@4.5, 2]", "height is 4.5, must be a whole number: it counts in `unit`"),
        ("4, 2]", "@40000, 2]", "height is 40000, must be in -32768..=32767"),
        ("[-1, 4, 2]", "[@-1, 4]", "row 1 has 2 heights, the first has 3"),
        ("(1, 0)", "(@2, 0)", "holes is 2, must be a whole number in 0..=1"),
    ];
    for (part, marked, expected) in cases {
        assert_error_at(&with_shape(&HILL.replace(part, marked)), expected);
    }
    let named = |shape: &str| with_shape(shape).replace("\"it\"", "@\"it\"");
    let cases = [
        ("unit: 0.25", "unit: 0.000001", "unit of heights is 0.000001, must be a multiple of 2^-16"),
        ("cell: 2", "cell: -2", "cell is -2, must be above 0 and at most 16384"),
        ("[-1, 4, 2], [0, 0, 1]", "", "3 heights in rows of 3: at least two rows of at least two, all full"),
    ];
    for (part, other, expected) in cases {
        assert_error_at(&named(&HILL.replace(part, other)), &format!("shape \"it\": {expected}"));
    }
}
