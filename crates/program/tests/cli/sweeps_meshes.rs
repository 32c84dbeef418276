//! `bitstep sweep` against meshes and heights.

use serde_json::Value;

use crate::{Answer, bitstep_fed};

/// A floor of two triangles at height 0, eight units long.
const FLOOR: &str =
    "mesh(points: ((-4, 0, -4), (-4, 0, 4), (4, 0, 4), (4, 0, -4)), triangles: ((0, 1, 2), (2, 3, 0)))";
const PLANE: &str = "plane(normal: (0, 1, 0))";

/// The answers to lines that are none of them bad.
fn answers(lines: &str) -> Vec<Value> {
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The line of a ball of radius 1 that moves down, against a shape at the origin.
fn ball(position: &str, motion: &str, against: &str) -> String {
    format!(
        "(a: (shape: sphere(radius: 1), position: {position}, motion: (0, {motion}, 0)), b: (shape: {against}))\n"
    )
}

/// Overlap, first and last instant of an answer, in thousandths.
fn told(answer: &Value) -> (bool, Option<[u64; 2]>) {
    let thousandths = |field: &str| {
        let raw: u64 = answer[field].as_str()?.parse().ok()?;
        Some((raw * 1000 + (1 << 31)) >> 32)
    };
    let span = thousandths("u_raw").zip(thousandths("last_raw")).map(|(u, last)| [u, last]);
    assert_eq!(answer["hit"], span.is_some(), "{answer}");
    (answer["overlap"].as_bool().unwrap(), span)
}

#[test]
fn sweeps_against_a_mesh_worked_by_hand() {
    let storeys = "mesh(points: ((-4, 0, -4), (-4, 0, 4), (4, 0, 0), (-4, -4, -4), (-4, -4, 4), (4, -4, 0)), \
                   triangles: ((3, 4, 5), (0, 1, 2)))";
    let pit = "heights(cell: 4, unit: 0.5, rows: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], \
               holes: [(1, 1)])";
    let hill = "heights(cell: 4, unit: 0.5, rows: [[2, 2], [2, 2]])";
    let cases = [
        (ball("(1, 3, -1)", "-4", FLOOR), (false, Some([500, 1000]))),
        (ball("(1, 3, -1)", "-16", FLOOR), (false, Some([125, 250]))), // through it and out
        (ball("(1, -3, -1)", "8", FLOOR), (false, Some([250, 500]))),  // from behind
        (ball("(4.6, 2.8, 0)", "-4", FLOOR), (false, Some([500, 900]))), // .6 beside the edge: at heights .8 to -.8
        (ball("(4.6, 2.8, 4)", "-4", FLOOR), (false, Some([500, 900]))), // the same beside a corner
        (ball("(5.25, 3, 0)", "-6", FLOOR), (false, None)),
        (ball("(0, 3, 0)", "-1", FLOOR), (false, None)),
        (ball("(0, 0.5, 0)", "-4", FLOOR), (true, Some([0, 375]))),
        (ball("(0, 0.5, 0)", "4", FLOOR), (true, Some([0, 125]))),
        (ball("(0, 1, 0)", "4", FLOOR), (false, Some([0, 0]))), // touches and leaves
        (ball("(-2, 3, 0)", "-16", storeys), (false, Some([125, 500]))), // the upper one first, though it is given last
        (ball("(6, 3, 6)", "-4", pit), (false, None)),                   // into the hole
        (ball("(2, 3, 6)", "-4", pit), (false, Some([500, 1000]))),
        (ball("(1, 4, 1)", "-4", hill), (false, Some([500, 1000]))),
    ];
    let lines: String = cases.iter().map(|(line, _)| line.as_str()).collect();
    for (answer, (line, expected)) in answers(&lines).iter().zip(&cases) {
        assert_eq!(told(answer), *expected, "{line}{answer}");
    }
    // A gap is kept, a point is stopped, and a mesh may be either of both.
    let lines = format!(
        "(a: (shape: sphere(radius: 1), position: (0, 4, 0), motion: (0, -4, 0)), b: (shape: {FLOOR}), gap: 1)\n\
         (a: (shape: sphere(radius: 0), position: (0, 3, 0), motion: (0, -4, 0)), b: (shape: {FLOOR}))\n\
         (a: (shape: {FLOOR}, position: (0, 9, 0)), b: (shape: sphere(radius: 1), position: (0, 12, 0), motion: (0, -4, 0)))\n"
    );
    let found = answers(&lines);
    let firsts = [Some([500, 1000]), Some([750, 750]), Some([500, 1000])];
    assert_eq!(found.iter().map(|answer| told(answer).1).collect::<Vec<_>>(), firsts);
    assert!(
        found[1]["normal"][1].as_i64() < Some(0) && found[2]["normal"][1].as_i64() > Some(0),
        "{found:?}"
    );
    assert_eq!((&found[2]["a"][1], &found[2]["b"][1]), (&Value::from("9"), &Value::from("10")));
}

/// A ball that slides down a wall onto the floor is in contact with both at once; it approaches the floor only.
#[test]
fn normals_of_one_instant_are_of_what_is_approached() {
    let corner =
        "mesh(points: ((0, 0, -4), (0, 0, 4), (0, 8, 0), (8, 0, 0)), triangles: ((0, 1, 2), (0, 1, 3)))";
    let other = corner.replace("((0, 1, 2), (0, 1, 3))", "((0, 1, 3), (0, 1, 2))");
    let lines =
        ball("(1, 1, 0)", "-4", corner) + &ball("(1, 1, 0)", "-4", &other) + &ball("(1, 1, 0)", "4", corner);
    let found = answers(&lines);
    for answer in &found[..2] {
        assert_eq!((&answer["u"], &answer["normal"][0]), (&Value::from("0"), &Value::from(0)), "{answer}");
        assert!(answer["normal"][1].as_i64() < Some(0), "{answer}");
    }
    assert_eq!((&found[2]["u"], &found[2]["normal"]), (&Value::from("0"), &Value::Null));
}

/// A floor is met as the plane in which it lies: every field is the same, but for the proofs of a rotating shape.
#[test]
fn floors_of_triangles_are_swept_as_planes() {
    let shapes = [
        "sphere(radius: 0.5)",
        "sphere(radius: 0)",
        "aabb(half: (0.5, 0.25, 1))",
        "obb(half: (0.5, 0.25, 1), rotation: (1, 0.5, 0.25, 0))",
        "capsule(half_axis: (0.5, 0.75, 0), radius: 0.25)",
        "hull(points: ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)))",
    ];
    let places = [
        ("(0, 3, 0)", "(0.5, -3, 0)"),
        ("(-1.3, 2.1, 0.7)", "(0.1, -2.1, -0.2)"),
        ("(2, 1.5, 2)", "(0, 4, 0)"),
    ];
    let turn = "turn: (axis: (1, 2, -1), degrees: 60)";
    let mut questions = Vec::new();
    for shape in shapes {
        for (position, motion) in places {
            let solid = format!("shape: {shape}, position: {position}");
            questions.push(format!("(a: ({solid}, motion: {motion}), b: (shape: IT), gap: 0.125)\n"));
            questions.push(format!("(b: ({solid}, motion: {motion}), a: (shape: IT))\n"));
            questions.push(format!("(ask: overlap, a: ({solid}), b: (shape: IT))\n"));
            if shape != "sphere(radius: 0)" {
                questions.push(format!(
                    "(ask: turning, a: ({solid}, motion: {motion}, {turn}), b: (shape: IT))\n"
                ));
            }
            if shape.starts_with("sphere") {
                questions.push(format!("(ask: closest, a: ({solid}), b: (shape: IT))\n"));
            }
        }
    }
    let [floors, planes] = [FLOOR, PLANE].map(|shape| answers(&questions.concat().replace("IT", shape)));
    let mut hits = 0;
    for ((question, floor), mut plane) in questions.iter().zip(floors).zip(planes) {
        plane.as_object_mut().unwrap().remove("proofs");
        assert_eq!(floor, plane, "{question}");
        hits += usize::from(floor["hit"] == true);
    }
    assert!(hits >= 30, "{hits}");
}

#[test]
fn overlaps_and_closest_points_of_meshes_are_those_of_the_nearest_triangle() {
    let roof = "mesh(points: ((0, 3, -9), (0, 3, 9), (4, 0, -9), (4, 0, 9), (-4, 0, -9), (-4, 0, 9)), \
                triangles: ((0, 1, 2), (1, 3, 2), (0, 1, 4), (1, 5, 4)))";
    let lines = format!(
        "(ask: closest, a: (shape: sphere(radius: 1), position: (5, 5.5, 0)), b: (shape: {roof}))\n\
         (ask: closest, a: (shape: sphere(radius: 0), position: (-4.5, -3, 2)), b: (shape: {roof}, position: (3, 0, 0)))\n\
         (ask: closest, a: (shape: sphere(radius: 1), position: (0, 5, 0)), b: (shape: {roof}))\n\
         (ask: overlap, a: (shape: sphere(radius: 1.25), position: (0, 1.5, 0)), b: (shape: {roof}))\n\
         (ask: overlap, a: (shape: sphere(radius: 1.1875), position: (0, 1.5, 0)), b: (shape: {roof}))\n\
         (ask: overlap, a: (shape: aabb(half: (1, 1, 1)), position: (0, 4, 0)), b: (shape: {roof}))\n\
         (ask: overlap, a: (shape: sphere(radius: 0), position: (0, 3, 4)), b: (shape: {roof}))\n"
    );
    let found = answers(&lines);
    let near = |index: usize| (&found[index]["distance"], &found[index]["point"]);
    // The slope goes down by 3 where it goes out by 4: 5 units along (3, 4) from its middle, (2, 1.5).
    assert_eq!(near(0), (&Value::from("4"), &serde_json::json!(["2", "1.5", "0"])));
    // Below the other slope, from its lower end at (-1, 0) by (-3.5, -3).
    assert_eq!(near(1).1, &serde_json::json!(["-1", "0", "2"]));
    assert_eq!(near(2), (&Value::from("1"), &serde_json::json!(["0", "3", "0"])));
    // Below the ridge both slopes are 1.2 away; a box on the ridge touches, a point on it is in the mesh.
    let overlaps: Vec<&Value> = found[3..].iter().map(|answer| &answer["overlap"]).collect();
    assert_eq!(overlaps, [true, false, false, true]);
}

/// A rod of half length 2 rotates from level to upright at height 1: it meets the table below before it meets the floor.
#[test]
fn rotating_shapes_meet_the_first_of_all_facets() {
    let rod = "shape: capsule(half_axis: (2, 0, 0), radius: 0.25), position: (0, 1.25, 0), \
               turn: (axis: (0, 0, 1), degrees: 90)";
    let table = "mesh(points: ((-4, 0, -4), (-4, 0, 4), (4, 0, 0), (-4, 0.5, -4), (-4, 0.5, 4), (0, 0.5, 0)), \
                 triangles: ((0, 1, 2), (3, 4, 5)))";
    let upper = "mesh(points: ((-4, 0.5, -4), (-4, 0.5, 4), (0, 0.5, 0)), triangles: ((0, 1, 2),))";
    let far = "mesh(points: ((-4, -1, -4), (-4, -1, 4), (4, -1, 0)), triangles: ((0, 1, 2),))";
    let lines: String =
        [table, upper, far].map(|mesh| format!("(ask: turning, a: ({rod}), b: (shape: {mesh}))\n")).concat();
    let found = answers(&lines);
    assert_eq!((&found[0]["u_raw"], &found[0]["hit"]), (&found[1]["u_raw"], &Value::from(true)));
    assert_eq!((&found[2]["hit"], &found[2]["clear_until"]), (&Value::from(false), &Value::from("1")));
    assert!(found.iter().all(|answer| answer.get("proofs").is_none()), "{found:?}");
}

#[test]
fn bad_meshes_are_refused_with_field_value_and_limit() {
    let (cube, points) = ("(shape: aabb(half: (1, 1, 1)))", "points: ((0, 0, 0), (1, 0, 0), (0, 0, 1))");
    let against = |shape: &str| format!("(a: {cube}, b: (shape: {shape}))\n");
    let flat = "heights(cell: 2, unit: 0.25, rows: [[0, 0], [0, 0]])";
    let lines = [
        format!("(a: {cube}, b: (shape: {FLOOR}, motion: (1, 0, 0)))\n"),
        format!("(ask: turning, a: (shape: {FLOOR}, turn: (axis: (0, 1, 0), degrees: 9)), b: {cube})\n"),
        format!("(ask: turning, a: {cube}, b: (shape: {flat}, orientation: (1, 0, 0, 0)))\n"),
        format!("(a: (shape: {FLOOR}), b: (shape: {FLOOR}))\n"),
        format!("(a: (shape: {FLOOR}), b: (shape: {PLANE}))\n"),
        format!("(ask: overlap, a: (shape: {PLANE}), b: (shape: {flat}))\n"),
        format!("(ask: closest, a: (shape: {FLOOR}), b: {cube})\n"),
        format!("(a: {cube}, b: (shape: {FLOOR}, position: (16777213, 0, 0)))\n"),
        format!(
            "(ask: closest, a: (shape: sphere(radius: 1), position: (0, 131073, 0)), b: (shape: {FLOOR}))\n"
        ),
        against(&format!("mesh({points}, triangles: ((0, 1, 2), (0, 1, 3)))")),
        against(&format!("mesh({points}, triangles: ((0, 1, -2),))")),
        against(&format!("mesh({points}, triangles: ((0, 1),))")),
        against(&format!("mesh({points}, triangles: ((0, 1, 1), (2, 2, 0)))")),
        against(&format!("mesh({points}, triangles: [])")),
        against("mesh(points: [], triangles: ((0, 0, 0),))"),
        against("mesh(points: ((0, 0, 0), (1, 0, 0), (0, 0, 16384.5)), triangles: ((0, 1, 2),))"),
        against("mesh(points: ((-8192, 0, 0), (1, 0, 0), (0, 0, 1)), triangles: ((0, 1, 2),))"),
        against("mesh(points: ((-8192, 0, 0), (1, 0), (0, 0, 1)), triangles: ((0, 1, 2),))"),
        against(&format!("mesh({points})")),
        against(&flat.replace("[0, 0], [", "[0, 0, 0], [")),
        against(&flat.replace("[0, 0], ", "")),
        against(&flat.replace("[0, 0], [", "[0, 0.5], [")),
        against(&flat.replace("[0, 0], [", "[0, 40000], [")),
        against(&flat.replace("cell: 2", "cell: -2")),
        against(&flat.replace("unit: 0.25", "unit: 0.000001")),
        against(&flat.replace("]])", "]], holes: [(1, 0)])")),
        against(&flat.replace("]])", "]], holes: [(0, 0)])")),
    ];
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.concat().as_bytes());
    assert_eq!((code, err.as_str()), (2, ""));
    insta::assert_snapshot!(out);
}
