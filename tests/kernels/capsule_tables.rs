//! Capsules against everything, as worked by hand.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{
        distance_capsule_capsule_ceil, distance_obb_capsule_ceil, distance_point_capsule_ceil,
        overlap_aabb_capsule, overlap_capsule_capsule, overlap_obb_capsule, overlap_plane_capsule,
        overlap_sphere_capsule,
    },
    shape::{Capsule, Obb},
    sweep::{
        Hit, sweep_aabb_capsule, sweep_capsule_capsule, sweep_plane_capsule, sweep_ray_capsule,
        sweep_sphere_capsule,
    },
};

const TICK: Scalar = Scalar::DELTA;

/// A capsule of radius 1.
fn rod(x: &str, y: &str, z: &str) -> Capsule {
    Capsule::new(Vec3::lit(x, y, z), lit("1"))
}

/// Where and how B moves, and when it hits as a fraction of the tick, with the direction from A to B.
type Row = ((Vec3, Vec3), Option<((u64, u64), [i64; 3])>);

/// Within two steps of the instant, and along the direction up to 30 bits.
fn check(name: &str, rows: &[Row], sweep: impl Fn(Vec3, Vec3) -> Option<Hit>) {
    for (index, &((offset, motion), expected)) in rows.iter().enumerate() {
        let hit = sweep(offset, motion);
        assert_eq!(hit.is_some(), expected.is_some(), "{name}, row {index}: {hit:?}");
        let (Some(hit), Some(((part, whole), direction))) = (hit, expected) else { continue };
        let toi = (part << 32) / whole;
        assert!(hit.toi.raw() <= toi && toi - hit.toi.raw() <= 2, "{name}, row {index}: {hit:?}, not {toi}");
        assert!(parallel(hit.normal, direction), "{name}, row {index}: {hit:?}, not {direction:?}");
    }
}

fn parallel(normal: Normal, direction: [i64; 3]) -> bool {
    let raw = Vec3::from_raw(direction);
    let cross = Vec3::from_raw(normal.components().map(i64::from)).cross_wide(raw);
    normal.dot_wide(raw) > 0 && cross.iter().all(|c| c.abs() <= 40)
}

#[test]
fn a_ball_meets_a_capsule() {
    let (slanted, upright, one) = (rod("3", "4", "0"), rod("0", "0", "3"), lit("1"));
    let side = [-4, 3, 0];
    let rows = [
        // From the side, 10 off: 8 to go of 10. End-on, 15 off: 8 to go of 10. To an end, 5 off it.
        ((Vec3::lit("-8", "6", "0"), Vec3::lit("8", "-6", "0")), Some(((4, 5), side))),
        ((Vec3::lit("9", "12", "0"), Vec3::lit("-6", "-8", "0")), Some(((4, 5), [3, 4, 0]))),
        ((Vec3::lit("6", "4", "4"), Vec3::lit("-3", "0", "-4")), Some(((3, 5), [3, 0, 4]))),
        ((Vec3::lit("-6", "-4", "-4"), Vec3::lit("3", "0", "4")), Some(((3, 5), [-3, 0, -4]))),
        // Over the side, and to it while it slides along.
        ((Vec3::lit("0", "0", "7"), Vec3::lit("3", "4", "-10")), Some(((1, 2), [0, 0, 1]))),
        // Away, past it, on the line of its axis but the other way; a center on the axis.
        ((Vec3::lit("-8", "6", "0"), Vec3::lit("-8", "6", "0")), None),
        ((Vec3::lit("-8", "6", "0"), Vec3::lit("8", "6", "0")), None),
        ((Vec3::lit("9", "12", "0"), Vec3::lit("6", "8", "0")), None),
        ((Vec3::lit("1.5", "2", "0"), Vec3::lit("1", "0", "0")), None),
        ((Vec3::lit("0", "0", "5"), Vec3::ZERO), None),
    ];
    check("a ball", &rows, |offset, motion| sweep_sphere_capsule(offset, motion, one, &slanted, lit("0")));
    let nearer = [
        ((Vec3::lit("-8", "6", "0"), Vec3::lit("8", "-6", "0")), Some(((7, 10), side))),
        // Within the gap: pressing, sliding along, parting.
        ((Vec3::lit("-2", "1.5", "0"), Vec3::lit("1", "0", "0")), Some(((0, 1), side))),
        ((Vec3::lit("-2", "1.5", "0"), Vec3::lit("3", "4", "0")), None),
        ((Vec3::lit("-2", "1.5", "0"), Vec3::lit("-1", "0", "0")), None),
    ];
    check("a gap", &nearer, |offset, motion| sweep_sphere_capsule(offset, motion, one, &slanted, one));
    let exact = |offset, motion| sweep_sphere_capsule(offset, motion, one, &upright, lit("0"));
    let last = exact(Vec3::lit("5", "0", "1"), Vec3::lit("-3", "0", "0"));
    assert_eq!(last.map(|hit| hit.toi), Some(Toi::END));
    assert_eq!(exact(Vec3::lit("5.0000000003", "0", "1"), Vec3::lit("-3", "0", "0")), None);
    // A tangent: at the side it passes at 2.
    assert!(exact(Vec3::lit("2", "-5", "1"), Vec3::lit("0", "10", "0")).is_some());
    assert_eq!(exact(Vec3::lit("2.0000000003", "-5", "1"), Vec3::lit("0", "10", "0")), None);
}

#[test]
fn a_capsule_meets_a_capsule() {
    let upright = rod("0", "0", "2");
    let from_right = (Vec3::lit("10", "0", "0"), Vec3::lit("-10", "0", "0"));
    let table = [
        // Across, along, with its end first, aside along.
        (rod("0", "2", "0"), from_right, Some(((4, 5), [1, 0, 0]))),
        (rod("0", "0", "3"), from_right, Some(((4, 5), [1, 0, 0]))),
        (rod("3", "0", "0"), from_right, Some(((1, 2), [1, 0, 0]))),
        (
            rod("0", "0", "3"),
            (Vec3::lit("10", "0", "4"), Vec3::lit("-10", "0", "0")),
            Some(((4, 5), [1, 0, 0])),
        ),
        // Both with their ends first; end to end askew.
        (
            rod("0", "0", "3"),
            (Vec3::lit("0", "0", "10"), Vec3::lit("0", "0", "-10")),
            Some(((3, 10), [0, 0, 1])),
        ),
        (
            rod("0", "2", "0"),
            (Vec3::lit("0", "5", "6"), Vec3::lit("0", "-3", "-4")),
            Some(((3, 5), [0, 3, 4])),
        ),
        (rod("1", "1", "0"), (Vec3::lit("12", "-8", "0"), Vec3::lit("-6", "8", "0")), None),
        // Slanted past each other: crossed sides, 10 off along (3, 4, 0).
        (
            rod("4", "-3", "1"),
            (Vec3::lit("6", "8", "0"), Vec3::lit("-6", "-8", "0")),
            Some(((4, 5), [3, 4, 0])),
        ),
        // Beside each other and on: never.
        (rod("0", "0", "3"), (Vec3::lit("3", "0", "-9"), Vec3::lit("0", "0", "18")), None),
        (rod("0", "0", "3"), (Vec3::lit("0", "0", "8"), Vec3::lit("5", "5", "0")), None),
        // Crossed and deep: out by the shorter way. Through the very middle there is none.
        (
            rod("0", "2", "0"),
            (Vec3::lit("0.5", "0", "0"), Vec3::lit("-1", "0", "0")),
            Some(((0, 1), [1, 0, 0])),
        ),
        (rod("0", "2", "0"), (Vec3::lit("0.5", "0", "0"), Vec3::lit("1", "0", "0")), None),
        (rod("0", "2", "0"), (Vec3::ZERO, Vec3::lit("1", "0", "0")), None),
    ];
    for (index, (b, way, expected)) in table.into_iter().enumerate() {
        let name = format!("capsules, row {index}");
        check(&name, &[(way, expected)], |offset, motion| {
            sweep_capsule_capsule(offset, motion, &upright, &b, lit("0"))
        });
    }
}

#[test]
fn a_box_meets_a_capsule() {
    let half = Vec3::lit("1", "2", "3");
    let from_right = (Vec3::lit("10", "0", "0"), Vec3::lit("-8", "0", "0"));
    let table = [
        // Flat on a face, exactly at the end; with an end first; over an edge that is parallel to it.
        (rod("0", "2", "0"), from_right, Some(((1, 1), [1, 0, 0]))),
        (rod("0", "9", "9"), from_right, Some(((1, 1), [1, 0, 0]))),
        (rod("2", "0", "0"), from_right, Some(((3, 4), [1, 0, 0]))),
        (
            rod("0", "0", "1"),
            (Vec3::lit("4", "6", "0"), Vec3::lit("-3", "-4", "0")),
            Some(((4, 5), [3, 4, 0])),
        ),
        (
            rod("0", "0", "5"),
            (Vec3::lit("4", "6", "1"), Vec3::lit("-3", "-4", "0")),
            Some(((4, 5), [3, 4, 0])),
        ),
        // Its side on a corner, and across an edge.
        (
            rod("4", "-3", "0"),
            (Vec3::lit("4", "6", "15"), Vec3::lit("-3", "-4", "-12")),
            Some(((12, 13), [3, 4, 12])),
        ),
        (
            rod("0", "4", "-3"),
            (Vec3::lit("0.5", "5", "7"), Vec3::lit("0", "-3", "-4")),
            Some(((4, 5), [0, 3, 4])),
        ),
        // An end on a corner.
        (
            rod("1", "2", "2"),
            (Vec3::lit("5", "8", "17"), Vec3::lit("-3", "-4", "-12")),
            Some(((12, 13), [3, 4, 12])),
        ),
        // A raw short of the face; past it; beside a face, by a little more than the radius.
        (rod("0", "2", "0"), (Vec3::lit("10.0000000003", "0", "0"), Vec3::lit("-8", "0", "0")), None),
        (rod("0", "2", "0"), (Vec3::lit("10", "5.1", "0"), Vec3::lit("-20", "0", "0")), None),
        (rod("0", "0", "1"), (Vec3::lit("2.0001", "-9", "0"), Vec3::lit("0", "20", "0")), None),
        // The axis through the box: the shortest way out is along y; right through the middle there is none.
        (
            rod("0", "0", "9"),
            (Vec3::lit("0", "1.5", "0"), Vec3::lit("0", "-1", "0")),
            Some(((0, 1), [0, 1, 0])),
        ),
        (rod("0", "0", "9"), (Vec3::lit("0", "1.5", "0"), Vec3::lit("0", "1", "0")), None),
        (rod("0", "0", "9"), (Vec3::ZERO, Vec3::lit("1", "1", "0")), None),
    ];
    for (index, (b, way, expected)) in table.into_iter().enumerate() {
        let name = format!("a box, row {index}");
        check(&name, &[(way, expected)], |offset, motion| {
            sweep_aabb_capsule(offset, motion, half, &b, lit("0"))
        });
    }
}

#[test]
fn a_half_space_meets_a_capsule() {
    let plane = Plane::from_point_normal(Vec3::lit("0", "1", "0"), Normal::new(3, 4, 0)).unwrap();
    let up = [3, 4, 0];
    // The middle is 10 above the plane and sinks by 10.
    let way = (Vec3::lit("6", "9", "0"), Vec3::lit("-6", "-8", "0"));
    let table = [
        (rod("3", "4", "0"), way, Some(((2, 5), up))),
        (rod("-3", "-4", "0"), way, Some(((2, 5), up))),
        (rod("4", "-3", "0"), way, Some(((9, 10), up))),
        (rod("0", "0", "7"), way, Some(((9, 10), up))),
        (rod("5", "0", "0"), way, Some(((3, 5), up))),
        (rod("5", "0", "0"), (Vec3::lit("6", "9", "0"), Vec3::lit("6", "8", "0")), None),
        (rod("5", "0", "0"), (Vec3::lit("6", "9", "0"), Vec3::lit("8", "-6", "0")), None),
        // Behind: deeper at once, out of it never.
        (rod("5", "0", "0"), (Vec3::lit("-6", "0", "0"), Vec3::lit("-1", "0", "0")), Some(((0, 1), up))),
        (rod("5", "0", "0"), (Vec3::lit("-6", "0", "0"), Vec3::lit("9", "0", "0")), None),
    ];
    for (index, (b, way, expected)) in table.into_iter().enumerate() {
        let name = format!("a half-space, row {index}");
        check(&name, &[(way, expected)], |offset, motion| {
            sweep_plane_capsule(offset, motion, &plane, &b, lit("0"))
        });
        let (offset, _) = way;
        let sits = offset + Vec3::lit("-6", "-8", "0"); // by 10 lower: its middle is in the plane, or deeper
        assert!(overlap_plane_capsule(sits, &plane, &b), "row {index}");
    }
    let (lying, one) = (rod("4", "-3", "0"), lit("1"));
    let touching = Vec3::lit("0.6", "1.8", "0");
    assert_eq!(plane.signed_distance(touching), one);
    for (lower, overlaps) in [(-8, false), (8, true)] {
        let offset = touching + Vec3::from_raw([0, -lower, 0]);
        assert_eq!(overlap_plane_capsule(offset, &plane, &lying), overlaps);
    }
    let gap =
        sweep_plane_capsule(Vec3::lit("6", "9", "0"), Vec3::lit("-6", "-8", "0"), &plane, &lying, lit("4"))
            .unwrap();
    assert_eq!(gap.toi, Toi::from_raw(1 << 31).unwrap());
}

#[test]
fn a_ray_meets_a_capsule() {
    let upright = rod("0", "0", "2");
    let rows = [
        ((Vec3::lit("5", "0", "0"), Vec3::lit("8", "0", "0")), Some(((1, 2), [1, 0, 0]))),
        ((Vec3::lit("0", "0", "-10"), Vec3::lit("0", "0", "-10")), Some(((7, 10), [0, 0, -1]))),
        // At the end of an end: 5 off the middle of the half ball.
        ((Vec3::lit("3", "0", "6"), Vec3::lit("3", "0", "4")), Some(((4, 5), [3, 0, 4]))),
        // Short of it, beside it, away from it; of no length.
        ((Vec3::lit("5", "0", "0"), Vec3::lit("3.9", "0", "0")), None),
        ((Vec3::lit("5", "1.1", "0"), Vec3::lit("8", "0", "0")), None),
        ((Vec3::lit("5", "0", "0"), Vec3::lit("-8", "0", "0")), None),
        ((Vec3::lit("5", "0", "0"), Vec3::ZERO), None),
        // From inside, along its own way; from the surface in, out, along.
        ((Vec3::lit("0.5", "0", "2"), Vec3::lit("0", "3", "4")), Some(((0, 1), [0, 3, 4]))),
        ((Vec3::ZERO, Vec3::lit("0", "3", "4")), Some(((0, 1), [0, 3, 4]))),
        ((Vec3::lit("1", "0", "0"), Vec3::lit("1", "0", "3")), Some(((0, 1), [1, 0, 0]))),
        ((Vec3::lit("1", "0", "0"), Vec3::lit("-1", "0", "0")), None),
        ((Vec3::lit("1", "0", "0"), Vec3::lit("0", "0", "1")), None),
    ];
    check("a ray", &rows, |offset, way| sweep_ray_capsule(offset, way, &upright));
}

#[test]
fn overlaps_and_distances() {
    let one = lit("1");
    let slanted = rod("3", "4", "0");
    for (offset, distance) in [
        (Vec3::lit("-8", "6", "0"), "9"),
        (Vec3::lit("9", "12", "0"), "9"),
        (Vec3::lit("6", "4", "4"), "4"),
        (Vec3::lit("6", "8", "12"), "12"),
        (Vec3::lit("3", "4", "0.5"), "0"),
        (Vec3::ZERO, "0"),
    ] {
        let distance = lit(distance);
        for offset in [offset, -offset] {
            assert_eq!(distance_point_capsule_ceil(offset, &slanted), distance);
            if distance > 0 {
                assert!(!overlap_sphere_capsule(offset, distance, &slanted));
                assert!(overlap_sphere_capsule(offset, distance + TICK, &slanted));
            }
        }
    }
    assert!(!overlap_sphere_capsule(Vec3::ZERO, lit("0"), &slanted), "a ball of no size overlaps nothing");
    let upright = rod("0", "0", "2");
    // Across, along and beside, end to end, end to side, crossing.
    for (offset, b, distance) in [
        (Vec3::lit("10", "0", "0"), rod("0", "2", "0"), "8"),
        (Vec3::lit("3", "4", "3"), rod("0", "0", "7"), "3"),
        (Vec3::lit("0", "0", "10"), rod("0", "0", "3"), "3"),
        (Vec3::lit("0", "5", "6"), rod("0", "2", "0"), "3"),
        (Vec3::lit("7", "0", "1"), rod("3", "0", "0"), "2"),
        (Vec3::lit("0", "1", "1"), rod("0", "3", "3"), "0"),
    ] {
        let distance = lit(distance);
        assert_eq!(distance_capsule_capsule_ceil(offset, &upright, &b), distance);
        let grown = |by: Scalar| Capsule { radius: b.radius + by, ..b };
        if distance > 0 {
            assert!(!overlap_capsule_capsule(offset, &upright, &grown(distance)));
        }
        assert!(overlap_capsule_capsule(offset, &upright, &grown(distance + TICK)));
    }
    let half = Vec3::lit("1", "2", "3");
    let obb = Obb::along_axes(half);
    for (offset, b, distance) in [
        (Vec3::lit("10", "0", "0"), rod("0", "2", "0"), "8"),
        (Vec3::lit("4", "6", "1"), rod("0", "0", "5"), "4"),
        (Vec3::lit("4", "6", "15"), rod("4", "-3", "0"), "12"),
        (Vec3::lit("0.5", "5", "7"), rod("0", "4", "-3"), "4"),
        (Vec3::lit("5", "8", "17"), rod("1", "2", "2"), "12"),
        (Vec3::lit("0", "2", "0"), rod("0", "0", "9"), "0"),
        (Vec3::lit("0.5", "0.5", "0"), rod("0.1", "0", "0"), "0"),
    ] {
        let distance = lit(distance);
        assert_eq!(distance_obb_capsule_ceil(offset, &obb, &b), distance);
        let grown = |by: Scalar| Capsule { radius: b.radius + by, ..b };
        if distance > 0 {
            assert!(!overlap_obb_capsule(offset, &obb, &grown(distance)));
        }
        assert!(overlap_aabb_capsule(offset, half, &grown(distance + TICK)));
        assert!(overlap_obb_capsule(offset, &obb, &Capsule { radius: distance + one + TICK, ..b }));
    }
}
