use super::*;
use crate::{
    num::{Draws, Rng, Scalar},
    overlap::gjk::Gjk,
    shape::{Hull, Obb},
};

type Way = [i128; 3];

fn way(vector: Vec3) -> Way {
    vector.raw().map(i128::from)
}

fn dot(a: Way, b: Way) -> i128 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// All directions that a face of the difference can have, outward or inward.
fn directions(a: &[Vec3], b: &[Vec3]) -> Vec<Way> {
    let edges = |corners: &[Vec3]| -> Vec<Vec3> {
        (0..corners.len())
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| corners[i] - corners[j])
            .collect()
    };
    let (of_a, of_b) = (edges(a), edges(b));
    let mut all = Vec::new();
    for (first, second) in [(&of_a, &of_a), (&of_b, &of_b), (&of_a, &of_b)] {
        all.extend(first.iter().flat_map(|p| second.iter().map(|q| p.cross_wide(*q))));
    }
    all.retain(|direction| *direction != [0; 3]);
    let opposite = |direction: &Way| direction.map(|part| -part);
    all.extend(all.clone().iter().map(opposite));
    all
}

/// The distance that B has to go along a direction to leave A, in raw with 20 fraction bits.
fn depth_along(a: &[Vec3], b: &[Vec3], offset: Vec3, direction: Way) -> i128 {
    let most = a.iter().map(|&corner| dot(way(corner), direction)).max().unwrap();
    let least = b.iter().map(|&corner| dot(way(corner), direction)).min().unwrap();
    let depth = most - least - dot(way(offset), direction); // below 2^96
    let length = sqrt_ceil(dot(direction, direction) as u128) as i128;
    (depth << 20) / length
}

/// A normal with more bits, for the rounding of its length.
fn long(normal: Normal) -> Way {
    normal.components().map(|part| i128::from(part) << 14)
}

/// The least depth along any direction, and the direction if there is only one.
fn shortest_by_trial(a: &[Vec3], b: &[Vec3], offset: Vec3) -> (i128, Option<Way>) {
    let directions = directions(a, b);
    let depths: Vec<i128> = directions.iter().map(|&way| depth_along(a, b, offset, way)).collect();
    let least = *depths.iter().min().unwrap();
    let mut shortest = directions
        .iter()
        .zip(&depths)
        .filter(|(_, depth)| **depth < least + (1 << 14))
        .map(|(direction, _)| without_common_factor(*direction));
    let first = shortest.next().unwrap();
    (least, shortest.all(|other| other == first).then_some(first))
}

/// Corners of a hull, on a grid so coarse that many faces are parallel, or on a fine one; some of a cube or an octahedron.
fn corners(draws: &mut Draws) -> Vec<Vec3> {
    let half = draws.between(1, 3) << 26;
    match draws.below(6) {
        0 => return Obb::along_axes(Vec3::from_raw([half; 3])).corners().to_vec(),
        1 => {
            let axes = [[half, 0, 0], [0, half, 0], [0, 0, half]].map(Vec3::from_raw);
            return axes.into_iter().flat_map(|axis| [axis, -axis]).collect();
        }
        _ => {}
    }
    let (steps, bits) = [(1, 27), (2, 26), (4, 25), (1 << 20, 7)][draws.below(4) as usize];
    loop {
        let count = draws.between(4, 8);
        let mut part = || draws.between(-steps, steps) << bits;
        let points: Vec<Vec3> = (0..count).map(|_| Vec3::from_raw([part(), part(), part()])).collect();
        if let Ok(hull) = Hull::upright(&points) {
            return hull.corners().to_vec();
        }
    }
}

/// A box, its own image, or another one.
fn other(draws: &mut Draws, first: &[Vec3]) -> Vec<Vec3> {
    match draws.below(8) {
        0 => first.to_vec(),
        1 => first.iter().map(|corner| -*corner).collect(),
        2 => {
            let half = Vec3::from_raw([0; 3].map(|_: i32| draws.between(1, 4) << 25));
            Obb::along_axes(half).corners().to_vec()
        }
        3 => vec![Vec3::ZERO],
        4 => {
            let end = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-2, 2) << 26));
            vec![end, -end]
        }
        _ => corners(draws),
    }
}

fn offset(draws: &mut Draws) -> Vec3 {
    if draws.below(4) == 0 {
        let (way, along) =
            ([[1, 1, 0], [1, -1, 1], [0, 0, 1]][draws.below(3) as usize], draws.between(1, 1 << 26));
        return Vec3::from_raw(way.map(|part| part * along));
    }
    let (steps, bits) = [(0, 0), (2, 25), (8, 22), (1 << 26, 0), (1 << 20, 4)][draws.below(5) as usize];
    Vec3::from_raw([0; 3].map(|_: i32| draws.between(-steps, steps) << bits))
}

fn convex(corners: &[Vec3]) -> Convex<'_> {
    Convex::new(corners, Scalar::ZERO).unwrap()
}

fn overlap(a: &[Vec3], b: &[Vec3], offset: Vec3) -> bool {
    Gjk::new(&convex(a), &convex(b), offset).and_then(Gjk::settled).is_none()
}

fn found(a: &[Vec3], b: &[Vec3], offset: Vec3) -> Option<Normal> {
    let found = way_out(&convex(a), &convex(b), offset);
    let back = way_out(&convex(b), &convex(a), -offset);
    assert_eq!(back, found.map(|normal| -normal), "{a:?} {b:?} {offset:?}");
    found
}

/// Overlapping pairs.
fn pairs(seed: u64, count: u64) -> impl Iterator<Item = (Vec<Vec3>, Vec<Vec3>, Vec3)> {
    let pair = move |case| {
        let mut draws = Rng::new(seed).at(0, case, 0);
        let a = corners(&mut draws);
        let b = other(&mut draws, &a);
        (a, b, offset(&mut draws))
    };
    (0..count).map(pair).filter(|(a, b, offset)| overlap(a, b, *offset))
}

#[test]
fn ways_out_are_the_shortest_of_all_directions() {
    let (mut single, mut tied, mut open) = (0, 0, 0);
    for (a, b, offset) in pairs(17, 4_000) {
        let (least, direction) = shortest_by_trial(&a, &b, offset);
        let Some(normal) = found(&a, &b, offset) else {
            assert!(offset == Vec3::ZERO && direction.is_none(), "{a:?} {b:?} {offset:?}");
            open += 1;
            continue;
        };
        let depth = depth_along(&a, &b, offset, long(normal));
        assert!((least - 64..=least + (2 << 20)).contains(&depth), "{a:?} {b:?} {offset:?} {depth} {least}");
        match direction {
            Some(direction) => {
                single += 1;
                assert_eq!(Some(normal), Normal::from_wide(direction).map(Normal::lengthened));
            }
            None => tied += 1,
        }
    }
    assert!(single > 1_000 && tied > 200 && open > 50, "{single} {tied} {open}");
}

#[test]
fn ways_out_of_mirrored_and_permuted_solids_are_the_images() {
    let mut count = 0;
    for (case, (a, b, offset)) in pairs(18, 2_000).enumerate() {
        if shortest_by_trial(&a, &b, offset).1.is_none() {
            continue;
        }
        let image = |vector: Way| {
            let signs = [0, 1, 2].map(|axis: usize| if case >> axis & 1 == 0 { 1 } else { -1 });
            let places = [[0, 1, 2], [1, 2, 0], [2, 1, 0], [1, 0, 2]][case / 8 % 4];
            [0, 1, 2].map(|axis: usize| signs[axis] * vector[places[axis]])
        };
        let moved = |vector: Vec3| Vec3::from_raw(image(way(vector)).map(|part| part as i64));
        let all = |corners: &[Vec3]| corners.iter().rev().map(|corner| moved(*corner)).collect::<Vec<_>>();
        let normal = found(&a, &b, offset).unwrap();
        let of_images = found(&all(&a), &all(&b), moved(offset)).unwrap();
        let expected = image(normal.components().map(i128::from));
        assert_eq!(of_images.components().map(i128::from), expected, "{a:?} {b:?} {offset:?}");
        count += 1;
    }
    assert!(count > 500, "{count}");
}

/// Corners off their planes by a raw, as those of a turned hull are, up to the largest sizes.
#[test]
fn ways_out_of_large_and_rounded_solids_are_as_short() {
    let mut count = 0;
    for (case, (a, b, offset)) in pairs(19, 3_000).enumerate() {
        let shift = [0, 8, 15][case % 3];
        let mut draws = Rng::new(20).at(0, case as u64, 0);
        let mut moved = |corners: &[Vec3]| -> Vec<Vec3> {
            let large = |corner: &Vec3| corner.map_raw(|part| (part << shift) + draws.between(-1, 1));
            corners.iter().map(large).collect()
        };
        let (large_a, large_b) = (moved(&a), moved(&b));
        let large_offset = offset.map_raw(|part| part << shift);
        if !overlap(&large_a, &large_b, large_offset) {
            continue;
        }
        let Some(normal) = found(&large_a, &large_b, large_offset) else { continue };
        let least = shortest_by_trial(&a, &b, offset).0 << shift;
        let depth = depth_along(&large_a, &large_b, large_offset, long(normal));
        let slack = (8 << 20) + (8 << shift) + (1 << (30 + shift - 28 + 20));
        assert!((least - slack..=least + slack).contains(&depth), "{a:?} {b:?} {offset:?} {depth} {least}");
        count += 1;
    }
    assert!(count > 800, "{count}");
}

/// Normals of nearly flat faces: rounded, they may have another corner in front.
#[test]
fn farthest_corners_of_a_large_solid_are_so_exactly() {
    let mut hidden = 0;
    for case in 0..400 {
        let mut draws = Rng::new(21).at(0, case, 0);
        let half = Vec3::from_raw([0; 3].map(|_: i32| draws.between(1 << 42, 1 << 43)));
        let mut moved = |corner: Vec3| corner.map_raw(|part| part + draws.between(-9, 9));
        let [a, b] = [0; 2].map(|_: i32| Obb::along_axes(half).corners().map(&mut moved));
        let (a, b) = (convex(&a), convex(&b));
        let difference = Difference { a: &a, b: &b, offset: Vec3::from_raw([7, 1 << 40, 3]) };
        for p in 0..8 {
            let [origin, q, r] = [p, p ^ 1, p ^ 2].map(|i: usize| b.corners()[i]);
            let direction = (q - origin).cross_wide(r - origin);
            let found = difference.farthest(direction).unwrap();
            let is_farther = |corner: Vec3| sign_of_dot(direction, way(corner - found)).is_gt();
            let all = b.corners().iter().flat_map(|q| a.corners().iter().map(move |p| *q - *p));
            assert!(all.clone().all(|corner| !is_farther(difference.offset + corner)), "{direction:?}");
            let normal = Normal::from_wide(direction).unwrap().lengthened();
            let rounded = difference.offset + b.farthest(normal) - a.farthest(-normal);
            hidden += u32::from(sign_of_dot(direction, way(found - rounded)).is_gt());
        }
    }
    assert!(hidden > 400, "{hidden}");
}

#[test]
fn ways_out_exist_at_the_ends_of_the_range() {
    let most = 1 << 44;
    let tall = |most_z: i64| -> Vec<Vec3> {
        [[-1, -1], [1, -1], [0, 1]]
            .into_iter()
            .flat_map(|[x, y]| [-1, 1].map(|z| Vec3::from_raw([x * most, y * most, z * most_z])))
            .collect()
    };
    let (a, b) = (tall(most), tall(1 << 59));
    for offset in [[1, 2, 3], [most, 5, -7], [0, 0, 1 << 57], [-most / 2, most / 3, -(1 << 57)]] {
        let offset = Vec3::from_raw(offset);
        let normal = found(&b, &b, offset).unwrap();
        assert_eq!(normal.z, 0, "{offset:?}");
        if offset.z.to_bits() < most {
            assert_eq!(found(&a, &b, offset).unwrap().z, 0, "{offset:?}");
        }
    }
    let speck: Vec<Vec3> = a.iter().map(|corner| corner.map_raw(|part| part >> 38)).collect();
    assert!(found(&speck, &a, Vec3::from_raw([1, 0, 0])).is_some());
    assert!(found(&speck, &speck, Vec3::from_raw([1, 0, 0])).is_some());
}

#[test]
fn common_factors_are_the_largest() {
    assert_eq!(without_common_factor([12, -18, 0]), [2, -3, 0]);
    assert_eq!(without_common_factor([0, 0, -5]), [0, 0, -1]);
    assert_eq!(without_common_factor([0; 3]), [0; 3]);
    assert_eq!(without_common_factor([3 << 90, 5 << 92, 7 << 91]), [3, 20, 14]);
}

/// The corners that are farthest along the offset are ends of an edge, and of the directions across it that are tried first
/// each finds one of them again.
#[test]
fn an_edge_at_the_border_of_the_difference_is_the_first_of_a_triangle() {
    let corners = [[0, 8, 0], [8, 0, 0], [0, 0, 8], [-4, -4, 4]];
    let middle = [1, 1, 3];
    let of = |corner: [i64; 3], signs: [i64; 3]| {
        Vec3::from_raw([0, 1, 2].map(|i: usize| (signs[i] * (corner[i] - middle[i])) << 20))
    };
    for signs in [[1, 1, 1], [1, 1, -1], [-1, 1, 1], [-1, -1, -1]] {
        let offset = Vec3::from_raw([signs[0], -signs[1], 0]);
        let solid = corners.map(|corner| of(corner, signs) - offset);
        let (_, direction) = shortest_by_trial(&[Vec3::ZERO], &solid, offset);
        let expected = Normal::from_wide(direction.unwrap()).map(Normal::lengthened);
        assert_eq!(found(&[Vec3::ZERO], &solid, offset), expected, "{signs:?}");
    }
}
