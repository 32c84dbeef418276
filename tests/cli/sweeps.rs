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
    assert_eq!(answers[0]["b"][0], "10");
    assert_eq!(told(1), (2, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[1]["a"][0], &answers[1]["b"][0]), (&Value::from("2"), &Value::from("3")));
    assert_eq!((told(2), &answers[2]["hit"]), ((5, None, None), &Value::from(false)));
    assert_eq!(told(3), (6, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[3]["a"][0], &answers[3]["a"][1]), (&Value::from("1"), &Value::from("0.5")));
    assert!(answers[3]["normal"][1].as_i64().unwrap() < 0, "from the sphere down to the plane");
    assert_eq!(told(4), (7, Some("0.25"), Some("1073741824")));
    assert_eq!(told(5), (8, Some("0.75"), Some("3221225472")));
    assert_eq!(answers[6]["error"], "a.shape: half axis of a capsule is zero: that is a sphere");
}

#[test]
fn a_bad_line_is_answered_in_its_place() {
    let lines = "(a: (shape: sphere(radius: 1e3), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 {\"a\": 3}\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 16777217)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: 0), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (9, 0, 0)))\n";
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (2, ""));
    insta::assert_snapshot!(out, @r#"
    {"line":1,"error":"a.shape.radius is 1e3, must be a decimal number such as 12.5 or -0.75, without an exponent"}
    {"line":2,"error":"invalid type: integer `3`, expected a solid with shape and position at line 1 column 7"}
    {"line":3,"error":"a.position.z is 16777217, must be at most 16777216 in magnitude"}
    {"line":4,"error":"a.shape: radius is 0, must be above 0 and at most 4096"}
    {"line":5,"hit":false}
    "#);
    let long = vec![b'x'; 1 << 20];
    let answer = bitstep_fed(&["sweep"], &long);
    assert_eq!(answer.out, "{\"line\":1,\"error\":\"longer than 65536 bytes, the most that is read\"}\n");
    assert_eq!(answer.code, 2);
}
