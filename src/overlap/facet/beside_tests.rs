//! What is proved to be apart is so by the definition, with solids around facets of hills.

use super::*;
use crate::{
    geom::Rotation,
    num::{Rng, lit, rng::Draws},
    overlap::{overlap_convex_convex, overlap_shapes},
    shape::{Hull, Mesh},
};

/// One side of a fold of two triangles, with slopes of up to one in two.
fn side_of_fold(draws: &mut Draws) -> Facet {
    let mut at = |x: i64, z: i64| {
        let [over, aside, along] = [1, 2, 2].map(|cut| (draws.between(-1 << 31, 1 << 31) / cut) & !0xffff);
        Vec3::from_raw([(x << 32) + aside, over, (z << 32) + along])
    };
    let points = [at(-1, 0), at(0, -1), at(0, 1), at(1, 0)];
    let mesh = Mesh::new(&points, &[[0, 2, 1], [1, 2, 3]]).unwrap();
    Facet::new(&mesh.facets()[draws.below(2).min(mesh.facets().len() as u64 - 1) as usize]).0
}

fn solid(draws: &mut Draws) -> Shape {
    let mut part = |least: i64, most: i64| Scalar::from_bits(draws.between(least << 28, most << 28));
    let half = Vec3::new(part(2, 12), part(2, 12), part(2, 12));
    let turn = Rotation::from_quaternion(part(8, 9), part(-9, 9), part(-9, 9), part(-9, 9)).unwrap();
    match draws.below(6) {
        0 => Shape::sphere(half.x),
        1 => Shape::capsule(half, lit("0.25")),
        2 => Shape::aabb(half),
        3 => Shape::hull(Hull::cylinder(half.x, half.y, 5).unwrap()),
        _ => Shape::obb(half, turn),
    }
}

/// A facet, a solid about it, and a distance.
fn case(number: u64) -> (Facet, Shape, Vec3, Scalar) {
    let mut draws = Rng::new(83).at(0, number, 0);
    let (facet, solid) = (side_of_fold(&mut draws), solid(&mut draws));
    let offset = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 31, 3 << 31)));
    let distance = Scalar::from_bits(draws.between(0, 1 << 30) * draws.between(0, 1));
    (facet, solid, offset, distance)
}

#[test]
fn overlaps_of_a_facet_are_those_of_its_triangles() {
    let (mut over, mut proved) = (0, 0);
    for number in 0..20_000 {
        let (facet, solid, offset, _) = case(number);
        let (room, bounds) = (&mut [Vec3::ZERO; 8], solid.bounds(offset).unwrap());
        let convex = solid.as_convex(room).unwrap();
        let placed = Placed { shape: &solid, convex, offset };
        let meets = |piece: &Piece| overlap_convex_convex(offset - piece.place, &piece.as_convex(), &convex);
        let mut pieces = Vec::new();
        facet.search(|_| true, |piece| pieces.push(piece));
        let defined = pieces.iter().copied().any(meets);
        assert_eq!(overlaps_any(&facet, &placed, &bounds), defined, "case {number}");
        assert_eq!(overlap_shapes(&Shape::Facet(facet.clone()), &solid, offset), defined, "case {number}");
        over += u32::from(defined);
        let is_proved = |piece| is_apart(&facet, piece, &placed, Scalar::ZERO);
        proved +=
            u32::from(wholly_on(&facet, &convex, offset).is_none() && pieces.iter().copied().all(is_proved));
    }
    assert!(over > 2_000 && proved > 3_000, "{over} {proved}");
}

#[test]
fn planes_leave_the_gap_that_is_proved_or_are_before_a_valley() {
    let (mut beyond, mut wide, mut clear) = (0, 0, 0);
    for number in 0..20_000 {
        let (facet, solid, offset, distance) = case(number);
        if is_beyond(&facet, &solid, offset, distance) {
            let found = separation_facet(&facet, &solid, offset).unwrap();
            let gap = (found.normal.dot_wide(offset) - found.reach) >> Normal::BITS;
            let is_wide = gap > i128::from(distance.to_bits());
            assert!(
                is_wide || distance_pieces_ceil(&facet, &solid, offset).unwrap() > distance,
                "case {number}: {gap} {distance} {solid:?} {offset}"
            );
            wide += u32::from(is_wide);
            beyond += 1;
        }
        if is_clear(&facet, &solid, offset, distance) {
            assert!(distance_pieces_ceil(&facet, &solid, offset).unwrap() > distance, "case {number}");
            clear += 1;
        }
    }
    assert!(beyond > 5_000 && beyond - wide < beyond / 20 && clear > 5_000, "{beyond} {wide} {clear}");
}
