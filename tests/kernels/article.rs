//! Where the kernels answer otherwise than the listings of Gomez's article, and why: the cases of `docs/article.md`, by hand.

use bitstep::{
    geom::{GeomError, Normal, Plane, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{overlap_aabb_aabb, overlap_sphere_aabb, overlap_sphere_plane, overlap_sphere_sphere},
    sweep::{
        span_aabb_aabb, span_sphere_sphere, sweep_aabb_aabb, sweep_sphere_plane,
        sweep_sphere_plane_two_sided, sweep_sphere_sphere,
    },
};

const NONE: Scalar = Scalar::ZERO;

fn floor() -> Plane {
    Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap()
}

/// Where the sphere of radius 1 is at a height and moves up or down: the plane's offset is the opposite.
fn falls(height: &str, by: &str) -> Option<Toi> {
    let (offset, motion) = (-Vec3::lit("0", height, "0"), -Vec3::lit("0", by, "0"));
    sweep_sphere_plane(offset, motion, lit("1"), &floor(), NONE).map(|hit| hit.toi)
}

fn half() -> Toi {
    Toi::from_raw(1 << 31).unwrap()
}

/// Listing 1: u = (d0 - r) / (d0 - d1), and a radius of 0 is a segment.
#[test]
fn a_sphere_meets_a_plane_at_the_articles_u() {
    assert_eq!(falls("3", "-4"), Some(half()));
    let segment =
        sweep_sphere_plane(-Vec3::lit("0", "3", "0"), -Vec3::lit("0", "-6", "0"), NONE, &floor(), NONE);
    assert_eq!(segment.map(|hit| hit.toi), Some(half()));
}

/// Listing 1 asks for d1 < r, so a sphere that touches exactly at the end is found in the next frame only.
#[test]
fn contact_at_the_very_end_of_the_tick_is_contact() {
    assert_eq!(falls("3", "-2"), Some(Toi::END));
    assert_eq!(falls("3", "-1.9999999998"), None);
}

/// Listing 1 counts |d0| <= r as contact, and nothing deeper than the radius: what is behind the plane is free. A half-space
/// here is solid; the sheet with two sides is a sweep of its own.
#[test]
fn the_space_behind_a_plane_is_inside_and_a_sheet_has_two_sides() {
    assert!(overlap_sphere_plane(-Vec3::lit("0", "-9", "0"), lit("1"), &floor()));
    assert_eq!(falls("-9", "-4"), Some(Toi::START));
    assert_eq!(falls("-9", "4"), None, "it leaves");
    let sheet = |height: &str, by: &str| {
        let (offset, motion) = (-Vec3::lit("0", height, "0"), -Vec3::lit("0", by, "0"));
        sweep_sphere_plane_two_sided(offset, motion, lit("1"), &floor(), NONE).map(|hit| hit.toi)
    };
    assert_eq!(sheet("-3", "4"), Some(half()), "from behind, which listing 1 does not see");
    assert_eq!(sheet("-9", "-4"), None);
    assert_eq!(sheet("0.5", "4"), Some(Toi::START), "the article's rule: in contact, whichever way it moves");
}

/// Listing 1 divides by the length of a cross product that is zero where the points lie on one line.
#[test]
fn three_points_on_a_line_are_no_plane() {
    assert_eq!(
        Plane::from_points(Vec3::lit("0", "0", "0"), Vec3::lit("1", "2", "3"), Vec3::lit("2", "4", "6")),
        Err(GeomError::NoNormal)
    );
}

/// Listing 2 reports real roots wherever they lie; a reader of the article remarked that u0 must lie in 0..=1.
#[test]
fn roots_outside_the_tick_are_no_hits() {
    let sweep = |x: &str, by: &str| {
        sweep_sphere_sphere(Vec3::lit(x, "0", "0"), Vec3::lit(by, "0", "0"), lit("2"), NONE)
    };
    assert_eq!(sweep("10", "-4"), None, "roots 2 and 3");
    assert_eq!(sweep("10", "4"), None, "roots -3 and -2");
    assert_eq!(sweep("10", "-16").map(|hit| hit.toi), Some(half()), "roots .5 and .75");
    assert_eq!(Toi::from_raw((1 << 32) + 1), None, "the type has no such instant");
}

/// Listing 2 divides by zero where neither sphere moves against the other.
#[test]
fn spheres_without_relative_motion_have_an_answer() {
    assert_eq!(sweep_sphere_sphere(Vec3::lit("3", "0", "0"), Vec3::ZERO, lit("2"), NONE), None);
    assert_eq!(span_sphere_sphere(Vec3::lit("3", "0", "0"), Vec3::ZERO, lit("2")), None);
    let rests = span_sphere_sphere(Vec3::lit("1", "0", "0"), Vec3::ZERO, lit("2")).unwrap();
    assert_eq!((rests.first, rests.last), (Toi::START, Toi::END));
}

/// Listings 2 and 4 say that spheres and boxes which overlap at the start have their last contact then, too.
#[test]
fn overlaps_at_the_start_have_their_own_last_instant() {
    // Apart by 1 to begin with, with a reach of 2, at 2 per tick: apart by 2 at the half.
    let span = span_sphere_sphere(Vec3::lit("1", "0", "0"), Vec3::lit("2", "0", "0"), lit("2")).unwrap();
    assert_eq!((span.first, span.last), (Toi::START, half()));
    let span =
        span_aabb_aabb(Vec3::lit("1", "0", "0"), Vec3::lit("2", "0", "0"), Vec3::lit("2", "2", "2")).unwrap();
    assert_eq!((span.first, span.last), (Toi::START, half()));
    // The sweep asks when they come nearer, so what parts does not hit.
    assert_eq!(sweep_sphere_sphere(Vec3::lit("1", "0", "0"), Vec3::lit("2", "0", "0"), lit("2"), NONE), None);
    assert!(
        sweep_sphere_sphere(Vec3::lit("1", "0", "0"), Vec3::lit("-2", "0", "0"), lit("2"), NONE).is_some()
    );
}

/// Listing 4 leaves the times of an axis on which boxes do not approach at 0 and 1, whether they meet on it or not: it reports
/// boxes that pass each other at any distance, and boxes that part.
#[test]
fn boxes_apart_on_an_axis_on_which_they_do_not_approach_do_not_meet() {
    let (beside, along) = (Vec3::lit("6", "9", "0"), Vec3::lit("-8", "0", "0"));
    assert_eq!(sweep_aabb_aabb(beside, along, Vec3::lit("2", "2", "2"), NONE), None);
    assert_eq!(span_aabb_aabb(beside, along, Vec3::lit("2", "2", "2")), None);
    let parting = (Vec3::lit("6", "0", "0"), Vec3::lit("4", "0", "0"));
    assert_eq!(sweep_aabb_aabb(parting.0, parting.1, Vec3::lit("2", "2", "2"), NONE), None);
    assert_eq!(span_aabb_aabb(parting.0, parting.1, Vec3::lit("2", "2", "2")), None);
    let level = Vec3::lit("6", "1", "0");
    assert_eq!(
        sweep_aabb_aabb(level, along, Vec3::lit("2", "2", "2"), NONE).map(|hit| hit.toi),
        Some(half())
    );
}

/// Listing 4 also reports boxes that would meet after the end, where they move along all three axes.
#[test]
fn boxes_that_meet_after_the_tick_do_not_meet_in_it() {
    let (offset, motion) = (Vec3::lit("10", "1", "1"), Vec3::lit("-4", "0.1", "0.1"));
    assert_eq!(sweep_aabb_aabb(offset, motion, Vec3::lit("2", "2", "2"), NONE), None, "u would be 2");
    assert_eq!(span_aabb_aabb(offset, motion, Vec3::lit("2", "2", "2")), None);
}

/// Listing 4 reports boxes whose faces come to touch while they pass each other. They have a span here, and no hit: neither is
/// in the other's way, so nothing is to be stopped.
#[test]
fn faces_that_touch_in_passing_have_a_span_and_no_hit() {
    let (offset, motion) = (Vec3::lit("4", "2", "0"), Vec3::lit("-4", "0", "0"));
    let span = span_aabb_aabb(offset, motion, Vec3::lit("2", "2", "2")).unwrap();
    assert_eq!((span.first, span.last), (half(), Toi::END));
    assert_eq!(sweep_aabb_aabb(offset, motion, Vec3::lit("2", "2", "2"), NONE), None);
    assert!(
        sweep_aabb_aabb(Vec3::lit("4", "1.9999999998", "0"), motion, Vec3::lit("2", "2", "2"), NONE)
            .is_some()
    );
}

/// The article's overlaps hold for what touches; here touching is none, and sweeps and spans count it.
#[test]
fn touching_is_no_overlap_but_contact() {
    assert!(!overlap_sphere_sphere(Vec3::lit("2", "0", "0"), lit("2")));
    assert!(!overlap_aabb_aabb(Vec3::lit("2", "0", "0"), Vec3::lit("2", "2", "2")));
    assert!(!overlap_sphere_aabb(Vec3::lit("3", "0", "0"), lit("1"), Vec3::lit("2", "2", "2")));
    assert!(!overlap_sphere_plane(-Vec3::lit("0", "1", "0"), lit("1"), &floor()));
    assert!(span_aabb_aabb(Vec3::lit("2", "0", "0"), Vec3::ZERO, Vec3::lit("2", "2", "2")).is_some());
    assert!(
        sweep_aabb_aabb(Vec3::lit("2", "0", "0"), Vec3::lit("-1", "0", "0"), Vec3::lit("2", "2", "2"), NONE)
            .is_some()
    );
}
