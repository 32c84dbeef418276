//! Hulls of a scene, and where their points are.

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    shape::{Hull, Shape},
    state::ShapeId,
};

use super::{Scene, assert_error_at, scene};

const RAMP: &str =
    "hull(points: [(0, 0, 0), (4, 0, 0), (4, 2, 0), (0, 0, 3), (4, 0, 3), (4, 2, 3), (2, 0.5, 1)])";
const CORNERS: [[&str; 3]; 6] =
    [["0", "0", "0"], ["4", "0", "0"], ["4", "2", "0"], ["0", "0", "3"], ["4", "0", "3"], ["4", "2", "3"]];

/// A scene with one more shape, `"it"`.
fn with_shape(shape: &str, bodies: &str, timeline: &str) -> String {
    scene(bodies, timeline).replacen("shapes: {", &format!("shapes: {{\n \"it\": {shape},\n"), 1)
}

fn corners() -> Vec<Vec3> {
    CORNERS.into_iter().map(|[x, y, z]| Vec3::lit(x, y, z)).collect()
}

/// Checks that each point is near a corner of a shape at a position.
fn assert_corners(shape: &Shape, position: Vec3, points: &[Vec3], slack: i64) {
    let Shape::Hull(form) = shape else { panic!("{shape:?} is no hull") };
    assert_eq!(form.corners().len(), points.len());
    for point in points {
        let off = |corner: &Vec3| (position + *corner - *point).raw().map(i64::abs).into_iter().max();
        let least = form.corners().iter().filter_map(off).min().unwrap();
        assert!(least <= slack, "{point}: {least}");
    }
}

fn moved(points: &[Vec3], of: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    points.iter().map(|point| of(*point)).collect()
}

#[test]
fn points_of_a_body_and_a_static_lie_where_the_scene_has_them() {
    let place = Vec3::lit("-5", "1", "2.5");
    let text = with_shape(RAMP, "\n body(shape: \"it\", material: \"m\", position: (-5, 1, 2.5))", "");
    let statics = "statics: [(shape: \"it\", material: \"m\", position: (20, 0, 0))], bodies:";
    let world = Scene::parse(&text.replacen("bodies:", statics, 1)).unwrap().initial_state;
    let (fixed, body) = (world.scenery().statics()[0], world.bodies().next().unwrap().1);
    let solid = &world.scenery().shapes()[usize::from(fixed.shape.0)];
    let far = Vec3::lit("20", "0", "0");
    // Two points apart by a whole number of cells of the grid are exact, and all others within half of one.
    let cell = 1 << 14;
    assert_corners(solid, fixed.position, &moved(&corners(), |point| far + point), cell);
    assert_corners(
        &body.form(world.scenery()),
        body.position,
        &moved(&corners(), |point| place + point),
        cell,
    );
    assert_eq!(body.shape, fixed.shape);
}

#[test]
fn points_of_a_rotating_body_are_rotated_about_their_origin() {
    let rest = "material: \"m\", position: (-5, 1, 2.5), rotates: true";
    let about = "orientation: about(axis: (1, 2, 3), degrees: 70)";
    let quaternion = Rotation::from_quaternion(lit("0"), lit("1"), lit("2"), lit("-1")).unwrap();
    let turned = "orientation: quaternion(0, 1, 2, -1)";
    let place = Vec3::lit("-5", "1", "2.5");
    for orientation in ["", about, turned] {
        let body = format!("\n body(name: \"a\", shape: \"it\", {rest}, {orientation})");
        let world = Scene::parse(&with_shape(RAMP, &body, "")).unwrap().initial_state;
        let body = world.bodies().next().unwrap().1;
        // Below the shapes with a name is the hull in the frame of its principal axes.
        assert_eq!((body.shape, world.scenery().shapes().len()), (ShapeId(3), 4));
        let rotation = match orientation {
            "" => Rotation::IDENTITY,
            text if text == turned => quaternion,
            _ => continue,
        };
        let points = moved(&corners(), |point| place + rotation.turn_nearest(point));
        assert_corners(&body.form(world.scenery()), body.position, &points, 1 << 14);
    }
}

#[test]
fn later_spawns_and_many_at_once_are_as_one_body() {
    let body = "shape: \"it\", material: \"m\", rotates: true";
    let grid = format!("\n grid({body}, count: (2, 1, 1), first: (-5, 1, 2.5), step: (10, 0, 0))");
    let spawn = format!("(tick: 1, commands: [spawn({body}, position: (-5, 20, 2.5))])");
    let mut scene = Scene::parse(&with_shape(RAMP, &grid, &spawn)).unwrap();
    let [first, second] = [0, 1].map(|index| scene.initial_state.bodies().nth(index).unwrap().1);
    let commands = scene.timeline.commands(1, &scene.initial_state);
    assert_eq!(second.position - first.position, Vec3::lit("10", "0", "0"));
    let bitstep::state::Command::Spawn(third) = commands[0] else { panic!("{commands:?}") };
    assert_eq!(third.position - first.position, Vec3::lit("0", "19", "0"));
    assert_eq!(Some(third.orientation), first.spin.map(|spin| spin.orientation));
}

#[test]
fn child_shapes_have_their_points_at_their_offset() {
    let compounds =
        "compounds: { \"pair\": [(shape: \"it\"), (shape: \"it\", offset: (5, 0, 0))] },\n bodies:";
    let text = with_shape(RAMP, "\n body(shape: \"pair\", material: \"m\", position: (0, 9, 0))", "");
    let world = Scene::parse(&text.replacen("bodies:", compounds, 1)).unwrap().initial_state;
    let [first, second] = world.scenery().compounds()[0][..] else { panic!("two child shapes") };
    assert_corners(&world.scenery().shapes()[0], first.offset, &corners(), 1 << 14);
    assert_eq!(second.offset - first.offset, Vec3::lit("5", "0", "0"));
}

#[test]
fn prisms_cylinders_and_cones_are_those_of_the_library() {
    let solid = |text: &str| {
        let world = Scene::parse(&with_shape(text, "", "")).unwrap().initial_state;
        let Shape::Hull(form) = &world.scenery().shapes()[0] else { panic!("no hull") };
        form.hull().clone()
    };
    let half: Scalar = lit("0.5");
    let triangle =
        [["-1", "-1"], ["1", "-1"], ["0", "2"]].map(|point| point.map(|part| part.parse().unwrap()));
    let cases = [
        ("prism(polygon: [(-1, -1), (1, -1), (0, 2)], half_length: 0.5)", Hull::prism(&triangle, half)),
        ("cylinder(radius: 0.5, half_length: 1, sides: 12)", Hull::cylinder(half, lit("1"), 12)),
        ("cone(radius: 0.5, half_height: 1, sides: 8)", Hull::cone(half, lit("1"), 8)),
    ];
    for (text, expected) in cases {
        let (found, expected) = (solid(text), expected.unwrap());
        assert_eq!((found.corners(), found.center()), (expected.corners(), expected.center()), "{text}");
        assert_eq!(found.faces().collect::<Vec<_>>(), expected.faces().collect::<Vec<_>>());
        // Any body may have it: the scenery has it once.
        let body = "body(shape: \"it\", material: \"m\", position: (0, 9, 0), rotates: true)";
        let world = Scene::parse(&with_shape(text, body, "")).unwrap().initial_state;
        assert_eq!(world.scenery().shapes().len(), 3);
    }
}

#[test]
fn errors_about_hulls_say_which() {
    let assert_named = |text: &str, expected: &str| {
        let marked = with_shape(text, "", "").replacen("\"it\"", "@\"it\"", 1);
        assert_error_at(&marked, &format!("shape \"it\": {expected}"));
    };
    let points = |list: &str| format!("hull(points: [{list}])");
    assert_named(&points(""), "a hull needs points");
    assert_named(
        &points("(0, 0, 0), (1, 0, 0), (0, 1, 0)"),
        "all points are in a plane: a hull needs four corners that are not in a plane",
    );
    let circle = |index: i32| format!("({index}, {}, {})", index * index, if index % 2 == 0 { 0 } else { 1 });
    let many: Vec<String> = (0..65).map(circle).collect();
    assert_named(
        &points(&many.join(", ")),
        "65 corners, at most 64: leave points out, or make several hulls",
    );
    let far = "(-8192, 0, 0), (8192, 0, 0), (0, 1, 0), (0, 0, 1)";
    assert_named(&points(far), "the points are 16384 apart along axis 0, at most 8192");
    let long = "(0, 0, 0), (8192, 0, 0), (0, 1, 0), (0, 0, 1)";
    assert_named(&points(long), "half_extent.x is 6144, must be above 0 and at most 4096");
    assert_named(
        "prism(polygon: [(0, 0), (1, 1)], half_length: 1)",
        "all points are in a plane: a hull needs four corners that are not in a plane",
    );
    let cases = [
        (points("(0, 0, 0), (1, @8193, 0)"), "points[1].y is 8193, must be at most 8192 in magnitude"),
        (
            points("(0, 0, 0), (1, @1e3, 0)"),
            "points[1].y is 1e3, must be a decimal number such as 12.5 or -0.75, without an exponent",
        ),
        (
            "prism(polygon: [(0, @9000)], half_length: 1)".to_owned(),
            "polygon[0].y is 9000, must be in -8192..=8192",
        ),
        (
            "cylinder(radius: 1, half_length: @0, sides: 8)".to_owned(),
            "half_length is 0, must be above 0 and at most 4096",
        ),
        (
            "cylinder(radius: 1, half_length: 1, sides: @33)".to_owned(),
            "sides is 33, must be a whole number in 3..=32",
        ),
        (
            "cone(radius: @-1, half_height: 1, sides: 8)".to_owned(),
            "radius is -1, must be above 0 and at most 4096",
        ),
        (
            "cone(radius: 1, half_height: 1, sides: @2)".to_owned(),
            "sides is 2, must be a whole number in 3..=63",
        ),
    ];
    for (text, expected) in cases {
        assert_error_at(&with_shape(&text, "", ""), expected);
    }
}
