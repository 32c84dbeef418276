//! `bitstep sweep`: lines in, lines out.

use serde_json::Value;

use crate::{Answer, bitstep_fed};

#[test]
fn sweeps_of_hand_worked_pairs_are_exact() {
    let sphere = |x: &str, motion: &str| {
        format!(
            "{{\"shape\": {{\"sphere\": {{\"radius\": 0.5}}}}, \"position\": [{x}, 0, 0], \"motion\": [{motion}, 0, 0]}}"
        )
    };
    let pair = |a: String, b: String| format!("{{\"a\": {a}, \"b\": {b}}}\n");
    let mut lines = String::new();
    lines += &pair(sphere("0", "10"), sphere("\"10\"", "0")); // 9 of 10 units: u = 0.9
    lines += "(a: (shape: sphere(radius: 0.5), position: (0, 0, 0), motion: (4, 0, 0)), \
               b: (shape: sphere(radius: \"0.5\"), position: (5, 0, 0), motion: (-4, 0, 0)), gap: 0)\n";
    lines += "\n// a comment\n";
    lines += &pair(sphere("0", "8"), sphere("10", "0")); // a unit short
    lines += "(a: (shape: sphere(radius: 0.5), position: (0, 4.5, 0), motion: (2, -8, 0)), \
               b: (shape: plane(normal: (0, 1, 0)), position: (0, 0, 0)))\n"; // 4 of 8: u = 0.5
    lines += "(a: (shape: aabb(half: (1, 1, 1)), position: (0, 0, 0), motion: (16, 0, 0)), \
               b: (shape: aabb(half: (1, 1, 1)), position: (10, 0.5, 0)), gap: 4)\n"; // 4 of 16
    lines += "(a: (shape: capsule(half_axis: (0, 2, 0), radius: 0.5), position: (0, 1, 0), motion: (0, -16, 0)), \
               b: (shape: capsule(half_axis: (3, 0, 0), radius: 0.5), position: (1, -14, 0)))\n"; // 12 of 16
    lines += "{\"a\": {\"shape\": {\"capsule\": {\"half_axis\": [0, 0, 0], \"radius\": 1}}, \"position\": [0, 0, 0]}, \
               \"b\": {\"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [9, 0, 0]}}\n";
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (2, ""), "the last line has no capsule");
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |index: usize| {
        let answer: &Value = &answers[index];
        (answer["line"].as_u64().unwrap(), answer["u"].as_str(), answer["u_raw"].as_str())
    };
    assert_eq!(answers.len(), 7);
    // 0.9 * 2^32 is 3865470566.4, rounded down.
    assert_eq!(told(0), (1, Some("0.9"), Some("3865470566")));
    assert_eq!(answers[0]["a_raw"][0], "38654705660");
    // It touches at .9 and is still inside when the tick ends.
    assert_eq!((&answers[0]["last"], &answers[0]["overlap"]), (&Value::from("1"), &Value::from(false)));
    assert_eq!(answers[0]["b"][0], "10");
    assert_eq!(told(1), (2, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[1]["a"][0], &answers[1]["b"][0]), (&Value::from("2"), &Value::from("3")));
    assert_eq!((told(2), &answers[2]["hit"]), ((5, None, None), &Value::from(false)));
    assert_eq!(answers[2], serde_json::json!({"line": 5, "hit": false, "overlap": false}));
    assert_eq!(told(3), (6, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[3]["a"][0], &answers[3]["a"][1]), (&Value::from("1"), &Value::from("0.5")));
    assert!(answers[3]["normal"][1].as_i64().unwrap() < 0, "from the sphere down to the plane");
    assert_eq!(told(4), (7, Some("0.25"), Some("1073741824")));
    assert_eq!(told(5), (8, Some("0.75"), Some("3221225472")));
    assert_eq!(
        answers[6]["error"],
        "a.shape.half_axis is (0, 0, 0), must be a direction: without one it is a sphere"
    );
}

#[test]
fn a_bad_line_is_answered_in_its_place() {
    let lines = "(a: (shape: sphere(radius: 1e3), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 {\"a\": 3}\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 16777217)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: -1), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (9, 0, 0)))\n";
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (2, ""));
    insta::assert_snapshot!(out, @r#"
    {"line":1,"error":"a.shape.radius is 1e3, must be a decimal number such as 12.5 or -0.75, without an exponent","field":"a.shape.radius","value":"1e3","limit":"a decimal number such as 12.5 or -0.75, without an exponent"}
    {"line":2,"error":"column 7: invalid type: integer `3`, expected a solid with shape and position"}
    {"line":3,"error":"a.position.z is 16777217, must be at most 16777216 in magnitude","field":"a.position.z","value":"16777217","limit":"at most 16777216 in magnitude"}
    {"line":4,"error":"a.shape.radius is -1, must be above 0 and at most 4096","field":"a.shape.radius","value":"-1","limit":"above 0 and at most 4096"}
    {"line":5,"hit":false,"overlap":false}
    "#);
    let long = vec![b'x'; 1 << 20];
    let answer = bitstep_fed(&["sweep"], &long);
    assert_eq!(answer.out, "{\"line\":1,\"error\":\"longer than 65536 bytes, the most that is read\"}\n");
    assert_eq!(answer.code, 2);
}

/// The answers to lines that are none of them bad.
fn answers(lines: &str) -> Vec<Value> {
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn is(answer: &Value, fields: &[(&str, Value)]) {
    for (field, expected) in fields {
        assert_eq!(&answer[field], expected, "{field} of {answer}");
    }
}

/// Starts in contact as the article has them: u = 0, whichever way they move; and the last instant of
/// contact.
#[test]
fn a_start_in_contact_is_contact_at_once() {
    let ball = |x: &str, motion: &str| {
        format!("(shape: sphere(radius: 0.5), position: ({x}, 0, 0), motion: ({motion}, 0, 0))")
    };
    let pair = |a: String, b: String| format!("(a: {a}, b: {b})\n");
    let floor = "(shape: plane(normal: (0, 1, 0)))";
    let mut lines = pair(ball("0", "-16"), ball("0.5", "0")); // overlap, apart by 1 at 1/32
    lines += &pair(ball("0", "0"), ball("0.5", "0")); // overlap, at rest
    lines += &pair(ball("0", "-1"), ball("1", "0")); // touch, parting
    lines += &pair(ball("0", "4"), ball("1", "0")); // touch, approaching
    lines += &pair(ball("0", "-4"), ball("2", "0")); // apart, parting
    lines +=
        &format!("(a: (shape: sphere(radius: 1), position: (0, 0.5, 0), motion: (0, 2, 0)), b: {floor})\n");
    lines +=
        &format!("(a: (shape: aabb(half: (1, 1, 1)), position: (0, 1, 0), motion: (1, 0, 0)), b: {floor})\n");
    lines += "(a: (shape: aabb(half: (1, 1, 1))), b: (shape: obb(half: (1, 1, 1), rotation: (1, 0, 0, 0)), \
              position: (1, 0, 0), motion: (4, 0, 0)))\n"; // overlap by 1, apart at 1/4
    lines += "(a: (shape: sphere(radius: 0.5)), b: (shape: sphere(radius: 0.5), position: (1.5, 0, 0), \
              motion: (2, 0, 0)), gap: 1)\n"; // within the gap until .25
    let found = answers(&lines);
    let at = |u: &str, last: &str, overlap: bool| {
        [("hit", true.into()), ("u", u.into()), ("last", last.into()), ("overlap", overlap.into())]
    };
    is(&found[0], &at("0", "0.03125", true));
    is(&found[1], &at("0", "1", true));
    is(&found[2], &at("0", "0", false));
    is(&found[3], &at("0", "0.5", false)); // through and out on the other side
    is(&found[4], &[("hit", false.into()), ("overlap", false.into()), ("u", Value::Null)]);
    is(&found[5], &at("0", "0.25", true));
    is(&found[6], &at("0", "1", false));
    is(&found[7], &at("0", "0.25", true));
    is(&found[8], &at("0", "0.25", false));
    // A normal is a direction in which they approach.
    let has_normal: Vec<bool> = found.iter().map(|answer| answer.get("normal").is_some()).collect();
    assert_eq!(has_normal, [false, false, false, true, false, false, false, false, false]);
}

#[test]
fn segments_sheets_and_planes_through_three_points_are_swept() {
    let floor = "plane(points: ((5, 0, 5), (5, 0, -5), (-5, 0, 0)))"; // counter-clockwise from above
    let mut lines = format!(
        "(a: (shape: sphere(radius: 0), position: (0, 4, 0), motion: (0, -8, 0)), b: (shape: {floor}))\n"
    );
    lines += "(a: (shape: sphere(radius: 0), motion: (8, 0, 0)), b: (shape: sphere(radius: 1), position: (5, 0, 0)))\n";
    lines += "(a: (shape: sphere(radius: 0), motion: (8, 0, 0)), b: (shape: aabb(half: (1, 1, 1)), position: (3, 1, 0)))\n";
    let sheet = "(shape: plane(normal: (0, 1, 0), two_sided: true))";
    let ball = |y: &str, motion: &str| {
        format!("(shape: sphere(radius: 1), position: (0, {y}, 0), motion: (0, {motion}, 0))")
    };
    lines += &format!("(a: {}, b: {sheet})\n", ball("-3", "16")); // from below: touches at 2/16, leaves at 4/16
    lines += &format!("(a: {sheet}, b: {})\n", ball("3", "-16"));
    lines += &format!("(a: {}, b: {sheet})\n", ball("0.5", "16")); // overlaps the sheet
    lines += &format!("(a: {}, b: (shape: plane(normal: (0, 1, 0))))\n", ball("-3", "16")); // solid: until 4/16
    let found = answers(&lines);
    is(&found[0], &[("u", "0.5".into()), ("last", "1".into()), ("overlap", false.into())]);
    is(&found[1], &[("u", "0.5".into()), ("last", "0.75".into())]);
    is(&found[2], &[("u", "0.25".into()), ("last", "0.5".into())]); // along the face's edge: touching counts
    is(&found[3], &[("u", "0.125".into()), ("last", "0.25".into()), ("overlap", false.into())]);
    is(&found[4], &[("u", "0.125".into()), ("last", "0.25".into()), ("overlap", false.into())]);
    is(&found[5], &[("u", "0".into()), ("last", "0.03125".into()), ("overlap", true.into())]);
    assert!(found[5].get("normal").is_none() && found[4].get("normal").is_some(), "where they approach");
    is(&found[6], &[("u", "0".into()), ("last", "0.25".into()), ("overlap", true.into())]);
    assert!(
        found[3]["normal"][1].as_i64() > Some(0) && found[4]["normal"][1].as_i64() > Some(0),
        "from a to b"
    );
}

#[test]
fn overlap_and_closest_points_are_asked_alone() {
    let cube = |x: &str| format!("(shape: aabb(half: (1, 1, 1)), position: ({x}, 0, 0))");
    let point = "(shape: sphere(radius: 0), position: (4, -6, 3))";
    let mut lines = format!("(ask: overlap, a: {}, b: {})\n", cube("0"), cube("2")); // touching
    lines += &format!("(ask: overlap, a: {}, b: {})\n", cube("0"), cube("1.9999999998"));
    lines += &format!("(ask: overlap, a: (shape: sphere(radius: 0)), b: {})\n", cube("1")); // a point on a face
    lines += &format!("(ask: closest, a: {point}, b: (shape: aabb(half: (1, 2, 3))))\n"); // 3 and 4 off an edge
    lines += &format!(
        "(ask: closest, a: {point}, b: (shape: plane(normal: (0, -1, 0), ), position: (0, 1, 0)))\n"
    );
    lines +=
        "(ask: closest, a: (shape: sphere(radius: 2), position: (3, 4, 0)), b: (shape: sphere(radius: 1)))\n";
    lines += "(ask: closest, a: (shape: sphere(radius: 0), position: (5, 4, 0)), \
              b: (shape: capsule(half_axis: (2, 0, 0), radius: 1)))\n"; // 3 and 4 off an end
    let found = answers(&lines);
    let overlaps: Vec<_> = found[..3].iter().map(|answer| answer["overlap"].as_bool().unwrap()).collect();
    assert_eq!(overlaps, [false, true, true]);
    assert_eq!(found[0], serde_json::json!({"line": 1, "overlap": false}));
    let closest = |index: usize| {
        let point = found[index]["point"].as_array().unwrap();
        let point: Vec<&str> = point.iter().map(|part| part.as_str().unwrap()).collect();
        (found[index]["distance"].as_str().unwrap(), point)
    };
    assert_eq!(closest(3), ("5", vec!["1", "-2", "3"]));
    assert_eq!(closest(4), ("7", vec!["4", "1", "3"]));
    assert_eq!(closest(5), ("2", vec!["0.6", "0.8", "0"]));
    assert_eq!(closest(6), ("4", vec!["2.6", "0.8", "0"]));
}

/// A rod of half length 2 rotates by a quarter about z; the ball beside its end is met on the way.
#[test]
fn shapes_that_turn_are_swept_with_a_certified_time() {
    let rod = "shape: capsule(half_axis: (2, 0, 0), radius: 0.25)";
    let quarter = "turn: (axis: (0, 0, 1), degrees: 90)";
    let ball = "(shape: sphere(radius: 0.25), position: (0, 2, 0))";
    let mut lines = format!("(ask: turning, a: ({rod}, {quarter}), b: {ball})\n");
    lines += &format!("(ask: turning, a: ({rod}, turn: (axis: (0, 0, -2), degrees: 45)), b: {ball})\n");
    lines += &format!("(ask: turning, a: ({rod}, orientation: (1, 0, 0, 1), {quarter}), b: {ball})\n");
    lines += &format!("(ask: turning, a: (shape: aabb(half: (2, 0.25, 0.25)), {quarter}), b: {ball})\n");
    let found = answers(&lines);
    // The rod's line is .5 from (0, 2) where it is asin(.5 / 2) = 14.48 degrees short of the quarter. A turn
    // of 90 degrees goes along the chord of its quaternions, whose halfway angles differ by 45: sin(37.76) /
    // (sin(37.76) + sin(7.24)) = .829.
    let u: u64 = found[0]["u_raw"].as_str().unwrap().parse().unwrap();
    let thousandths = (u * 1000) >> 32;
    assert_eq!(thousandths, 829);
    is(&found[0], &[("hit", true.into()), ("overlap", false.into()), ("clear_until", found[0]["u"].clone())]);
    assert!(found[0]["proofs"].as_u64() > Some(0));
    is(&found[1], &[("hit", false.into()), ("clear_until", "1".into()), ("u", Value::Null)]);
    is(&found[2], &[("hit", true.into()), ("overlap", true.into()), ("u", "0".into())]);
    is(&found[3], &[("hit", true.into()), ("overlap", false.into())]);
}

/// Contact without approach: resting, sliding at the surface, faces that come to touch in passing; and its
/// last instant.
#[test]
fn touching_shapes_are_in_contact_for_as_long_as_they_touch() {
    let (slab, rod) = ("aabb(half: (4, 1, 4))", "capsule(half_axis: (4, 0, 0), radius: 1)");
    let solids = [slab, "obb(half: (4, 1, 4), rotation: (1, 0, 0, 0))", rod];
    // On top of it, at rest; along it to the end of the tick; from beside it onto it; over it and off it. The
    // least motion of the last is such that all instants are exact.
    let courses = [("0", "0"), ("0", "2"), ("-8", "8"), ("0", "16")];
    let spans = [("0", "1"), ("0", "1"), ("0.5", "1"), ("0", "0.25")];
    let mut lines = String::new();
    for solid in solids {
        for (x, motion) in courses {
            for (shape, y) in [("sphere(radius: 1)", "2"), ("sphere(radius: 0)", "1")] {
                let a = format!("(shape: {shape}, position: ({x}, {y}, 0), motion: ({motion}, 0, 0))");
                lines += &format!("(a: {a}, b: (shape: {solid}))\n");
            }
        }
    }
    let found = answers(&lines);
    for (index, answer) in found.iter().enumerate() {
        let (u, last) = spans[index / 2 % 4];
        is(answer, &[("hit", true.into())]);
        for (field, expected) in [("u_raw", u), ("last_raw", last)] {
            let found: i64 = answer[field].as_str().unwrap().parse().unwrap();
            let expected: bitstep::num::Scalar = expected.parse().unwrap();
            // A point or a ball that passes the edge of a face leaves it a rounding later.
            let off = (found - expected.to_bits()).abs();
            assert!(off <= 1 << 16, "{field} of {answer}: {found}, {expected}");
        }
    }
    let boxes = "(a: (shape: aabb(half: (1, 1, 1)), position: (-2.5, 2, 0), motion: (1, 0, 0)), b: (shape: ";
    let lines =
        format!("{boxes}aabb(half: (1, 1, 1))))\n{boxes}obb(half: (1, 1, 1), rotation: (1, 0, 0, 0))))\n");
    for answer in answers(&lines) {
        is(
            &answer,
            &[("hit", true.into()), ("u", "0.5".into()), ("last", "1".into()), ("normal", Value::Null)],
        );
    }
}

/// A quarter turn about any axis, from any orientation, although its quaternions are rounded.
#[test]
fn hulls_are_where_their_points_are_and_turn_about_their_center() {
    // A pyramid, its points counted from a corner of its base: the center is at (1, .5, 1).
    let pyramid = "shape: hull(points: ((0, 0, 0), (2, 0, 0), (0, 0, 2), (2, 0, 2), (1, 2, 1), (1, 0, 1)))";
    let quarter = "turn: (axis: (0, 0, 1), degrees: 90)";
    let ball = "shape: sphere(radius: 0.5)";
    let mut lines = format!(
        "(a: ({pyramid}, position: (5, 3, 5), motion: (0, -4, 0)), b: (shape: plane(normal: (0, 1, 0))))\n"
    );
    lines += &format!("(a: ({pyramid}), b: ({ball}, position: (1, 4.5, 1), motion: (0, -4, 0)))\n");
    lines += &format!(
        "(ask: closest, a: (shape: sphere(radius: 0), position: (1, -3, 1)), b: ({pyramid}, position: (0, 1, 0)))\n"
    );
    lines += &format!("(ask: turning, a: ({pyramid}, {quarter}), b: ({ball}, position: (2.75, 0.5, 1)))\n");
    lines += &format!("(ask: turning, a: ({pyramid}, {quarter}), b: ({ball}, position: (2.5, 0.5, 1)))\n");
    let found = answers(&lines);
    is(&found[0], &[("u", "0.75".into()), ("a", serde_json::json!(["5", "0", "5"]))]);
    // From the tip at 2 to the ball's lowest point at 4.
    is(&found[1], &[("u", "0.5".into()), ("b", serde_json::json!(["1", "2.5", "1"]))]);
    assert_eq!(found[1]["normal"], serde_json::json!([0, 1 << 30, 0]));
    is(&found[2], &[("distance", "4".into()), ("point", serde_json::json!(["1", "1", "1"]))]);
    // An edge of the base goes along an arc about (1, .5) with a radius of 1.118, to x = 2.118; the balls begin at 2.25 and 2.
    is(&found[3], &[("hit", false.into())]);
    is(&found[4], &[("hit", true.into()), ("overlap", false.into())]);
}

#[test]
fn a_quarter_turn_is_accepted_about_every_axis() {
    let mut lines = String::new();
    for case in 0..300_i64 {
        let part = |n: i64| (case * (37 + 12 * n) + 11 * n) % 19 - 9;
        let axis = if part(0) == 0 {
            "(1, 2, 3)".to_owned()
        } else {
            format!("({}, {}, {})", part(0), part(1), part(2))
        };
        let orientation = format!("({}, {}, {}, 1)", part(3), part(4), part(5));
        let degrees = if case % 2 == 0 { 90 } else { -90 };
        lines += &format!(
            "(ask: turning, a: (shape: aabb(half: (1, 2, 3)), orientation: {orientation}, \
             turn: (axis: {axis}, degrees: {degrees})), b: (shape: sphere(radius: 1), position: (9, 0, 0)))\n"
        );
    }
    assert_eq!(answers(&lines).len(), 300);
}

#[test]
fn bad_questions_name_field_value_and_limit() {
    let cube = "(shape: aabb(half: (1, 1, 1)))";
    let sheet = "(shape: plane(normal: (0, 1, 0), two_sided: true))";
    let mut lines = format!("(ask: volume, a: {cube}, b: {cube})\n");
    lines += &format!("(ask: overlap, a: (shape: aabb(half: (1, 1, 1)), motion: (1, 0, 0)), b: {cube})\n");
    lines += &format!("(ask: overlap, a: {cube}, b: {cube}, gap: 1)\n");
    lines +=
        &format!("(a: (shape: aabb(half: (1, 1, 1)), turn: (axis: (1, 0, 0), degrees: 1)), b: {cube})\n");
    lines += &format!(
        "(ask: turning, a: (shape: aabb(half: (1, 1, 1)), turn: (axis: (1, 0, 0), degrees: 90.5)), b: {cube})\n"
    );
    lines += &format!(
        "(ask: turning, a: (shape: aabb(half: (1, 1, 1)), turn: (axis: (0, 0, 0), degrees: 9)), b: {cube})\n"
    );
    lines += &format!("(ask: turning, a: (shape: sphere(radius: 0)), b: {cube})\n");
    lines +=
        &format!("(ask: turning, a: (shape: aabb(half: (1, 1, 1)), orientation: (0, 0, 0, 0)), b: {cube})\n");
    lines += &format!("(ask: turning, a: {cube}, b: {cube}, gap: 1025)\n");
    lines += &format!("(a: {cube}, b: {sheet})\n");
    lines += &format!("(ask: overlap, a: {cube}, b: {sheet})\n");
    lines += &format!("(a: {cube}, b: (shape: sphere(radius: 1), position: (1, 0)))\n");
    lines += "{\"a\": {\"shape\": {\"aabb\": {\"half\": [1, 1, 1, 1]}}}, \"b\": {\"shape\": {\"sphere\": {\"radius\": 1}}}}\n";
    lines += &format!("(a: {cube}, b: (shape: obb(half: (1, 1, 1), rotation: (1, 0, 0))))\n");
    lines += &format!("(a: {cube}, b: (shape: obb(half: (4096, 4096, 1), rotation: (1, 0, 0, 0.5))))\n");
    lines += &format!("(a: {cube}, b: (shape: capsule(half_axis: (4096, 0, 0), radius: 1)))\n");
    lines += &format!("(a: {cube}, b: {cube}, gap: -1)\n");
    lines += &format!(
        "(a: {cube}, b: (shape: plane(normal: (0, 1, 0), points: ((0, 0, 0), (1, 0, 0), (0, 0, 1)))))\n"
    );
    lines += "(a: (shape: plane(normal: (0, 1, 0))), b: (shape: plane(normal: (0, 1, 0))))\n";
    lines += &format!("(a: {cube})\n");
    lines += &format!("(a: {cube}, b: (shape: plane()))\n");
    lines += &format!("(a: {cube}, b: (shape: plane(points: ((0, 0, 0), (1, 1, 1), (2, 2, 2)))))\n");
    lines += &format!("(a: {cube}, b: (shape: plane(normal: (0, 0, 0))))\n");
    lines += &format!("(a: {cube}, b: (shape: obb(half: (1, 0, 1), rotation: (1, 0, 0, 0))))\n");
    lines += &format!("(ask: closest, a: {cube}, b: {cube})\n");
    lines += &format!("(ask: closest, a: (shape: sphere(radius: 1), position: (131073, 0, 0)), b: {cube})\n");
    lines +=
        &format!("(a: {cube}, b: (shape: hull(points: ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)))))\n");
    lines += &format!("(a: {cube}, b: (shape: hull(points: ())))\n");
    lines += &format!("(a: {cube}, b: (shape: hull(points: ((0, 0, 0), (1, 0), (0, 1, 0), (1, 1, 0)))))\n");
    let far = "(16777216, 0, 0), (16777216, 1, 0), (16777215, 0, 0), (16777216, 0, 1)";
    lines += &format!("(a: (shape: hull(points: ({far})), position: (9, 0, 0)), b: {cube})\n");
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (2, ""));
    insta::assert_snapshot!(out);
}
