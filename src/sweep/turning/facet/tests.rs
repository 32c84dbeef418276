//! No sweep of a body that turns near a facet is late: until then the distance at any instant is no less than the gap.

use super::*;
use crate::{
    geom::{AngularMotion, Normal, Rotation},
    num::{Rng, lit, rng::Draws},
    overlap::distance_shapes_ceil,
    shape::{Hull, Mesh, Obb},
};

/// Number of instants at which the distance is measured.
const LOOKS: u64 = 16;
/// The bodies are rounded as they are measured, by this much.
const ROUNDING: Scalar = Scalar::from_bits(256);

/// One of two sides of a fold, or both where they are in one plane.
fn facet(draws: &mut Draws) -> Facet {
    let bend = if draws.below(3) == 0 { 0 } else { draws.between(-1 << 15, 1 << 15) << 16 };
    let points =
        [[-1 << 32, 0, 0], [0, 0, -1 << 32], [0, 0, 1 << 32], [1 << 32, bend, 0]].map(Vec3::from_raw);
    let mesh = Mesh::new(&points, &[[0, 2, 1], [1, 2, 3]]).unwrap();
    let facets = mesh.facets();
    Facet::new(&facets[draws.below(facets.len() as u64) as usize]).0
}

fn solid(draws: &mut Draws) -> Shape {
    let mut part = |least: i64, most: i64| Scalar::from_bits(draws.between(least << 28, most << 28));
    let half = Vec3::new(part(1, 16), part(1, 16), part(1, 16));
    match draws.below(3) {
        0 => Shape::capsule(Vec3 { y: Scalar::ZERO, z: Scalar::ZERO, ..half }, lit("0.125")),
        1 => Shape::hull(Hull::cylinder(half.x, half.y, 5).unwrap()),
        _ => Shape::Obb(Obb::along_axes(half)),
    }
}

fn rotation(draws: &mut Draws, from: [i64; 4], most: i64) -> Rotation {
    let [w, x, y, z] = from.map(|part| Scalar::from_bits(part + draws.between(-most, most)));
    Rotation::from_quaternion(w, x, y, z).unwrap()
}

#[test]
fn sweeps_of_bodies_that_turn_near_facets_are_never_late() {
    let (mut hits, mut clear) = (0, 0);
    for case in 0..12_000 {
        let mut draws = Rng::new(91).at(0, case, 0);
        let (facet, solid) = (facet(&mut draws), solid(&mut draws));
        let from = [draws.between(1 << 31, 1 << 32), 0, 0, 0];
        let start = rotation(&mut draws, from, 1 << 32);
        let end = rotation(
            &mut draws,
            start.components().map(|part| i64::from(part) << 2),
            1 << [28, 30, 31][case as usize % 3],
        );
        let Ok(turning) = AngularMotion::new(start, end) else { continue };
        let [offset, motion] =
            [3, 1].map(|size| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-size << 31, size << 31))));
        let gap = Scalar::from_bits(draws.between(1 << 20, 1 << 26));
        let relative = RelativeMotion {
            offset,
            motion,
            arms: [Vec3::ZERO; 2],
            turnings: [AngularMotion::still(Rotation::IDENTITY), turning],
            until: Toi::END,
        };
        let found = sweep_facet(&facet, &solid, &relative, gap);
        for look in 0..=LOOKS {
            let toi = Toi::from_raw((Toi::END.raw() / LOOKS) * look).unwrap();
            let form = solid.turned(turning.at(toi));
            let place = offset + motion.map_raw(|part| toi.of_nearest(part));
            let distance = distance_shapes_ceil(&Shape::Facet(facet.clone()), &form, place).unwrap();
            // What begins nearer to the plane is met by the plane where it comes as near again.
            let above = |plane| distance_shapes_ceil(&Shape::Plane(plane), &form, place).unwrap();
            if look == 0 && facet.planes().map(above).into_iter().max().unwrap() < gap {
                break;
            }
            assert!(
                (toi >= instant(&found) && found != Advance::Clear) || distance >= gap - ROUNDING,
                "case {case} at {toi}: {distance} of {gap}, {found:?} {solid:?} {relative:?}"
            );
        }
        match found {
            Advance::Hit(_) => hits += 1,
            Advance::Clear => clear += 1,
            Advance::Unresolved(_) => {}
        }
    }
    assert!(hits > 1_500 && clear > 3_000, "{hits} {clear}");
}

/// The sweep of a small box that turns a little about the vertical, near a square of two triangles with corners on the axes x and z.
fn of_small_box(offset: Vec3, motion: Vec3) -> Advance {
    let points = [[-1, 0, 0], [0, 0, -1], [0, 0, 1], [1, 0, 0]];
    let points = points.map(|point: [i64; 3]| Vec3::from_raw(point.map(|part| part << 32)));
    let mesh = Mesh::new(&points, &[[0, 2, 1], [1, 2, 3]]).unwrap();
    let (facet, _) = Facet::new(&mesh.facets()[0]);
    let to = Rotation::from_quaternion(lit("1"), lit("0"), lit("0.05"), lit("0")).unwrap();
    let turning = AngularMotion::new(Rotation::IDENTITY, to).unwrap();
    let relative = RelativeMotion {
        offset,
        motion,
        arms: [Vec3::ZERO; 2],
        turnings: [AngularMotion::still(Rotation::IDENTITY), turning],
        until: Toi::END,
    };
    let solid = Shape::Obb(Obb::along_axes(Vec3::splat(lit("0.25"))));
    let found = sweep_facet(&facet, &solid, &relative, Scalar::ZERO);
    let exchanged =
        sweep([&solid, &Shape::Facet(facet)], &relative.from_b(), Scalar::ZERO, [None; 2], &mut |_| ());
    match (exchanged, found) {
        (Advance::Hit(hit), Advance::Hit(own)) => assert_eq!((hit.toi, hit.normal), (own.toi, -own.normal)),
        _ => assert_eq!(exchanged, found),
    }
    found
}

#[test]
fn a_box_meets_the_plane_over_a_facet_and_the_triangles_beside_it() {
    let v = Vec3::lit;
    let hit = |offset, motion| {
        let Advance::Hit(hit) = of_small_box(offset, motion) else { panic!("{offset} {motion}") };
        (hit.toi.raw(), hit.normal.lengthened())
    };
    let about = |toi: u64, part: u64| toi.abs_diff(part << 28) < 1 << 22;
    // Down onto the middle, from above and from below; across both triangles.
    for (offset, motion) in [
        (v("0", "1.25", "0"), v("0", "-2", "0")),
        (v("0", "-1.25", "0"), v("0", "2", "0")),
        (v("-0.6", "1.25", "0"), v("1.6", "-2", "0")),
    ] {
        let (toi, normal) = hit(offset, motion);
        assert!(about(toi, 8), "{toi}");
        let side = if offset.y > 0 { 1 } else { -1 };
        assert_eq!(normal, Normal::new(0, side, 0).lengthened());
    }
    // Along it, onto a corner; and past it, though the plane is met.
    let (toi, normal) = hit(v("3", "0", "0"), v("-4", "0", "0"));
    assert!(about(toi, 7) && normal.x > 0, "{toi} {normal:?}");
    assert_eq!(of_small_box(v("2", "1.25", "0"), v("4", "-2", "0")), Advance::Clear);
    assert_eq!(of_small_box(v("0", "1.25", "0"), v("8", "-2", "0")), Advance::Clear);
    assert_eq!(of_small_box(v("0", "1.25", "0"), v("0", "-0.9", "0")), Advance::Clear);
}
