use super::{super::tests::any_ground, *};
use crate::num::Rng;

/// The first triangle of the facet of each, by a walk over its neighbors.
fn firsts_of(heights: &Heights) -> Vec<u32> {
    let [columns, rows] = heights.cell_counts();
    let mut firsts: Vec<Option<u32>> = vec![None; 2 * (columns * rows) as usize];
    for first in 0..firsts.len() as u32 {
        let mut next: Vec<Half> = heights.half(first).into_iter().collect();
        let mut met = vec![first];
        while let Some(half) = next.pop() {
            let place = half.number(heights) as usize;
            if firsts[place].is_some() {
                continue;
            }
            firsts[place] = Some(first);
            met.push(place as u32);
            let material = |half: Half| heights.cell(half.column, half.row).material();
            let others = (0..3).filter_map(|edge| heights.across(half, edge));
            next.extend(
                others.filter(|other| {
                    heights.rise_over(half, *other) == 0 && material(half) == material(*other)
                }),
            );
        }
        if met.len() > 2 {
            met.iter().for_each(|place| firsts[*place as usize] = Some(first | SHARED));
        }
    }
    (0..).zip(firsts).map(|(own, first)| first.unwrap_or(own)).collect()
}

#[test]
fn firsts_over_many_tiles_are_those_of_a_walk_after_any_digs() {
    let (mut seams, mut changed, mut kept) = (0, 0, 0);
    for case in 0..150 {
        let mut draws = Rng::new(85).at(0, 0, case);
        let mut mesh = any_ground(&mut draws, 4 * u64::from(EDGE));
        let ground = mesh.ground_mut().unwrap();
        let size = ground.heights.size();
        let mut before = firsts_of(&ground.heights);
        for _ in 0..4 {
            // Several digs before labels are asked for, at tiles' borders more often than not.
            for _ in 0..1 + draws.below(3) {
                let mut at = size.map(|points| draws.below(points.into()) as u32);
                if draws.below(2) == 0 {
                    at = at.map(|place| place / EDGE * EDGE);
                }
                let count =
                    [0, 1].map(|axis: usize| 1 + draws.below((size[axis] - at[axis]).min(8).into()) as u32);
                let step = draws.below(2) as i64;
                let patch = (0..count[0] * count[1]).map(|_| draws.between(-step, step) as i16);
                ground.set_heights(at, count[0], &patch.collect::<Vec<_>>());
            }
            let stay = ground.firsts.tiles.iter().filter(|tile| tile.get().is_some()).count();
            let expected = firsts_of(&ground.heights);
            let found: Vec<u32> = (0..expected.len() as u32).map(|triangle| ground.first(triangle)).collect();
            assert!(found == expected, "case {case}");
            seams += ground.firsts.joined(&ground.heights).len();
            (changed, kept) = (changed + usize::from(before != expected), kept + stay);
            before = expected;
        }
    }
    assert!(seams > 10_000 && changed > 300 && kept > 2_000, "{seams} {changed} {kept}");
}
