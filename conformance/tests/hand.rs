//! Cases with answers by hand.

use bitstep_conformance::{
    Scene, Solid,
    exact::{Number, depth, distance, passes, sign, touch},
};

fn scene(a: Solid, b: Solid, offset: [i64; 3]) -> Scene {
    let text =
        serde_json::json!({"case": 0, "family": "by hand", "unit": -10, "a": a, "b": b, "offset": offset});
    serde_json::from_value(text).expect("a scene")
}

fn capsule(axis: [i64; 3], radius: i64) -> Solid {
    Solid::Capsule { axis, radius }
}

/// A box that is rotated by a quaternion.
fn turned(half: [i64; 3], rotation: [i64; 4]) -> Solid {
    Solid::TurnedBox { half, rotation }
}

fn tetrahedron(size: i64) -> Solid {
    Solid::Hull(
        [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
            .map(|corner: [i64; 3]| corner.map(|part| part * size))
            .into(),
    )
}

fn number(text: &str) -> Number {
    text.parse().expect("a number")
}

#[test]
fn signs_are_those_by_hand() {
    let ball = || Solid::Sphere(5);
    let table = [
        (ball(), ball(), [10, 0, 0], 0),
        (ball(), ball(), [6, 8, 0], 0),
        (ball(), ball(), [6, 8, 1], 1),
        (ball(), ball(), [6, 7, 1], -1),
        (Solid::Box([3, 3, 3]), ball(), [8, 0, 0], 0),
        (Solid::Box([3, 3, 3]), ball(), [7, 6, 3], 0),
        (Solid::Box([3, 3, 3]), ball(), [7, 6, 4], 1),
        (Solid::Box([3, 3, 3]), ball(), [0, 0, 0], -1),
        (Solid::Box([3, 3, 3]), Solid::Box([1, 1, 1]), [4, 4, 4], 0),
        (Solid::Box([3, 3, 3]), Solid::Box([1, 1, 1]), [4, 4, 3], 0),
        (Solid::Box([3, 3, 3]), Solid::Box([1, 1, 1]), [3, 3, 3], -1),
        (Solid::Box([3, 3, 3]), Solid::Box([1, 1, 1]), [4, 5, 3], 1),
        (Solid::Plane([0, 0, 1]), ball(), [9, 9, 5], 0),
        (Solid::Plane([3, 4, 0]), ball(), [3, 4, 0], 0),
        (Solid::Plane([3, 4, 0]), ball(), [3, 5, 0], 1),
        (Solid::Plane([3, 4, 0]), ball(), [-3, -4, 0], -1),
        (capsule([4, 0, 0], 2), capsule([0, 4, 0], 3), [0, 0, 5], 0),
        (capsule([4, 0, 0], 2), capsule([0, 4, 0], 3), [0, 0, 0], -1),
        (capsule([4, 0, 0], 2), capsule([4, 0, 0], 3), [13, 0, 0], 0),
        (capsule([4, 0, 0], 2), capsule([4, 0, 0], 3), [14, 0, 0], 1),
        // A quarter of a turn about z: 1 by 2 by 3 becomes 2 by 1 by 3.
        (turned([2, 4, 6], [1, 0, 0, 1]), Solid::Box([1, 1, 1]), [5, 0, 0], 0),
        (turned([2, 4, 6], [1, 0, 0, 1]), Solid::Box([1, 1, 1]), [0, 3, 0], 0),
        (turned([2, 4, 6], [1, 0, 0, 1]), Solid::Box([1, 1, 1]), [0, 2, 0], -1),
        // Two tetrahedra corner to corner, edge over edge, and through each other.
        (tetrahedron(3), tetrahedron(3), [6, 6, -6], 1),
        (tetrahedron(3), Solid::Box([1, 1, 1]), [4, 4, 4], 0),
        (tetrahedron(3), tetrahedron(3), [0, 0, 6], 0),
        (tetrahedron(3), tetrahedron(3), [0, 0, 5], -1),
    ];
    for (a, b, offset, right) in table {
        let case = scene(a, b, offset);
        assert_eq!(sign(&case), right, "{case:?}");
    }
}

#[test]
fn distances_are_those_by_hand() {
    let table = [
        (Solid::Sphere(1), Solid::Sphere(1), [6, 8, 0], "8"),
        (Solid::Sphere(1), Solid::Sphere(0), [1, 1, 0], "~7640891576956012808"), // the root of 2, less 1
        (Solid::Box([1, 1, 1]), Solid::Box([1, 1, 1]), [5, 6, 2], "5"),
        (Solid::Box([1, 1, 1]), Solid::Sphere(2), [4, 5, 0], "3"),
        (Solid::Plane([3, 4, 0]), Solid::Sphere(2), [1, 0, 0], "-7/5"),
        (Solid::Plane([3, 4, 0]), Solid::Box([1, 1, 1]), [3, 1, 0], "6/5"),
        (capsule([4, 0, 0], 1), capsule([0, 4, 0], 1), [0, 0, 5], "3"),
    ];
    for (a, b, offset, right) in table {
        let case = scene(a, b, offset);
        assert_eq!(distance(&case), number(right), "{case:?}");
    }
}

#[test]
fn depths_are_those_by_hand() {
    let table = [
        (Solid::Sphere(3), Solid::Sphere(3), [0, 4, 0], "2"),
        (Solid::Sphere(3), Solid::Sphere(3), [0, 0, 0], "6"),
        (Solid::Box([3, 4, 5]), Solid::Box([1, 1, 1]), [1, 0, 0], "3"),
        (Solid::Box([3, 4, 5]), Solid::Sphere(2), [1, 0, 0], "4"),
        (Solid::Box([3, 4, 5]), Solid::Sphere(2), [4, 0, 0], "1"),
        (Solid::Box([3, 4, 5]), Solid::Sphere(5), [6, 8, 0], "0"),
        (Solid::Plane([0, 0, 1]), Solid::Box([1, 1, 1]), [0, 0, -1], "2"),
        (Solid::Plane([3, 4, 0]), Solid::Sphere(2), [1, 0, 0], "7/5"),
        (capsule([4, 0, 0], 2), capsule([0, 4, 0], 3), [0, 0, 0], "5"),
    ];
    for (a, b, offset, right) in table {
        let case = scene(a, b, offset);
        assert_eq!(depth(&case).0, number(right), "{case:?}");
    }
    let case = scene(Solid::Box([3, 4, 5]), Solid::Box([1, 1, 1]), [1, 0, 0]);
    assert_eq!(depth(&case).1, Some([1, 0, 0]), "out along the first axis");
}

#[test]
fn touches_are_those_by_hand() {
    let unit = 1 << 30;
    // A, B, offset, motion; time, whether it enters, normal.
    let table = [
        (
            Solid::Sphere(1),
            Solid::Sphere(1),
            [10, 0, 0],
            [-16, 0, 0],
            Some(("1/2", true, Some([unit, 0, 0]))),
        ),
        (Solid::Sphere(1), Solid::Sphere(1), [10, 0, 0], [-8, 0, 0], Some(("1", false, Some([unit, 0, 0])))),
        (Solid::Sphere(1), Solid::Sphere(1), [10, 0, 0], [-7, 0, 0], None),
        (Solid::Sphere(1), Solid::Sphere(1), [10, 0, 0], [7, 0, 0], None),
        // Past each other at the distance of the radii.
        (
            Solid::Sphere(1),
            Solid::Sphere(1),
            [10, 2, 0],
            [-20, 0, 0],
            Some(("1/2", false, Some([0, unit, 0]))),
        ),
        (Solid::Sphere(1), Solid::Sphere(1), [10, 3, 0], [-20, 0, 0], None),
        (
            Solid::Box([1, 1, 1]),
            Solid::Box([1, 1, 1]),
            [8, 0, 0],
            [-9, 0, 0],
            Some(("2/3", true, Some([unit, 0, 0]))),
        ),
        // Face along face, edge on edge, corner on corner.
        (Solid::Box([1, 1, 1]), Solid::Box([1, 1, 1]), [8, 2, 0], [-9, 0, 0], Some(("2/3", false, None))),
        (Solid::Box([1, 1, 1]), Solid::Box([1, 1, 1]), [8, 8, 0], [-9, -9, 0], Some(("2/3", true, None))),
        // Parallel edges meet, from wherever: case 614 of the first draft.
        (Solid::Box([7; 3]), Solid::Box([1; 3]), [-11, 0, 11], [6, -16, -10], Some(("1/2", false, None))),
        (
            Solid::Plane([3, 4, 0]),
            Solid::Sphere(5),
            [3, 9, 0],
            [-1, -8, 0],
            Some(("4/7", true, Some([644245094, 858993459, 0]))),
        ),
        (
            Solid::Box([1, 1, 1]),
            Solid::Box([1, 1, 1]),
            [8, 8, 0],
            [-9, -8, 0],
            Some(("3/4", true, Some([0, unit, 0]))),
        ),
        (
            Solid::Plane([0, 0, 1]),
            Solid::Sphere(2),
            [0, 0, 5],
            [7, 0, -4],
            Some(("3/4", true, Some([0, 0, unit]))),
        ),
        // 2 less the root of 2, and at half a right angle.
        (
            Solid::Plane([1, 1, 0]),
            Solid::Sphere(1),
            [0, 2, 0],
            [-1, 0, 0],
            Some(("~10805852496753538807", true, Some([759250125, 759250125, 0]))),
        ),
        (
            Solid::Plane([0, 0, 1]),
            Solid::Box([1, 1, 2]),
            [0, 0, 5],
            [7, 0, -3],
            Some(("1", false, Some([0, 0, unit]))),
        ),
        (
            capsule([4, 0, 0], 2),
            capsule([0, 4, 0], 3),
            [0, 0, 9],
            [0, 0, -8],
            Some(("1/2", true, Some([0, 0, unit]))),
        ),
        (tetrahedron(3), Solid::Sphere(1), [0, 0, 12], [0, 0, -16], Some(("1/2", true, Some([0, 0, unit])))),
    ];
    for (a, b, offset, motion, right) in table {
        let case = scene(a, b, offset);
        let found = touch(&case, motion).map(|touch| (touch.time, touch.enters, touch.normal));
        let right = right.map(|(time, enters, normal)| (number(time), enters, normal));
        assert_eq!(found, right, "{case:?} {motion:?}");
    }
}

#[test]
fn least_distances_are_those_on_the_way() {
    let table = [
        (Solid::Sphere(1), Solid::Sphere(1), [10, 3, 4], [-20, 0, 0], "3"),
        (Solid::Sphere(1), Solid::Sphere(1), [10, 0, 0], [-7, 0, 0], "1"),
        (Solid::Box([1, 1, 1]), Solid::Box([1, 1, 1]), [8, 5, 0], [-16, 0, 1], "3"),
        (Solid::Plane([3, 4, 0]), Solid::Sphere(2), [10, 0, 0], [-5, 0, 9], "1"),
        (capsule([4, 0, 0], 1), capsule([0, 4, 0], 1), [0, 0, 5], [9, 0, 0], "3"),
    ];
    for (a, b, offset, motion, right) in table {
        let case = scene(a, b, offset);
        assert_eq!((touch(&case, motion), passes(&case, motion)), (None, number(right)), "{case:?}");
    }
}

#[test]
fn numbers_are_what_was_written() {
    for text in ["0", "-3", "7/9", "-7/9", "~0", "~-5", "~340282366920938463463374607431768211456"] {
        assert_eq!(number(text).to_string(), text);
    }
    for text in ["", "~", "1/0", "1/-2", "a", "1.5", "1/2/3", "~1/2"] {
        assert!(text.parse::<Number>().is_err(), "{text}");
    }
}
