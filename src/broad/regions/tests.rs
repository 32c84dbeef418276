//! The set compared with loops over all boxes.

use std::collections::BTreeSet;

use super::{super::sample::extent, *};
use crate::num::{Rng, Scalar};

/// Replaces the box of a number that is in pieces.
const GONE: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };

/// Boxes as worlds have them: by kind of world, their number, and a seed.
fn boxes(kind: u64, count: u64, seed: u64) -> Vec<Aabb> {
    const UNIT: i64 = 1 << 32;
    let one = |index| {
        let mut draws = Rng::new(seed).at(kind, index, 0);
        let (spread, size) = match kind {
            0 => ([8 * UNIT; 3], UNIT),                         // a crowd of equals
            1 => ([12 * UNIT, UNIT / 9, 12 * UNIT], UNIT),      // on a plane
            2 => ([30 * UNIT; 3], UNIT << draws.between(0, 5)), // from small to large
            3 => ([1 << 56; 3], UNIT),                          // hardly a box in a huge world
            4 => ([UNIT; 3], UNIT),                             // all in one place
            5 => ([4 * UNIT; 3], 0),                            // points of a lattice
            _ => ([3 * UNIT; 3], UNIT / 2), // two crowds so far apart that the scale is coarse
        };
        let far = if kind == 6 && index % 2 == 0 { 1 << 55 } else { 0 };
        // Now and then a box is far away, or large.
        let far = if index % 97 == 5 { 1 << 50 } else { far };
        let size = if index % 89 == 7 { 9 * size } else { size };
        let center = spread.map(|half| far + draws.between(-half, half));
        let center = center.map(|raw| if kind == 5 { raw & -UNIT } else { raw });
        let half = [0; 3].map(|_: i32| draws.between(size / 3, size / 2));
        Aabb::around(Vec3::from_raw(center), Vec3::from_raw(half))
    };
    (0..count).map(one).collect()
}

/// All pairs of numbers, the smaller first, for which `touches` is true.
fn touching(count: usize, touches: impl Fn(usize, usize) -> bool) -> BTreeSet<[u32; 2]> {
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    all.filter(|&[a, b]| touches(a, b)).map(|pair| pair.map(|index| index as u32)).collect()
}

fn pairs(regions: &mut Regions) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    regions.pairs(|pair, _| {
        found.push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

#[test]
fn finds_the_pairs_that_a_loop_over_all_finds_and_hardly_more() {
    let mut regions = Regions::default();
    for kind in 0..7 {
        for (count, seed) in [(0, 0), (1, 0), (2, 0), (3, 1), (40, 2), (700, 3), (400, 4)] {
            let boxes = boxes(kind, count, seed);
            regions.build(&boxes, &[]);
            let expected = touching(boxes.len(), |a, b| boxes[a].touches(&boxes[b]));
            let found = pairs(&mut regions);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "each once, kind {kind}, {count}");
            let found: BTreeSet<_> = found.into_iter().collect();
            assert!(found.is_superset(&expected), "kind {kind}, {count}");
            let most = if kind == 6 { expected.len() } else { expected.len() / 50 };
            assert!(found.len() <= expected.len() + most + 5, "kind {kind}, {count}");
            assert!(count < 400 || expected.len() > 20 || kind == 3, "kind {kind}: {}", expected.len());
        }
    }
}

#[test]
fn boxes_added_later_find_all_and_are_found() {
    for kind in 0..7 {
        let mut all = boxes(kind, 600, 5);
        let mut regions = Regions::default();
        regions.build(&all[..300], &[]);
        pairs(&mut regions);
        for number in 300..600 {
            // Sizes and places that the others did not have when the cells were chosen.
            if number % 7 == 0 {
                all[number] = boxes((kind + 1) % 7, 600, 6)[number];
            }
            let (mut found, mut before) = (Vec::new(), Vec::new());
            let piece = Piece { bounds: all[number], number: number as u32, slots: Slots::ALL };
            regions.query(all[number], Slots::ALL, &mut before);
            regions.renew(piece.number, [piece].into_iter(), &mut found);
            let found: Vec<u32> = found.into_iter().map(|(other, _)| other).collect();
            assert_eq!(found, before);
            let found: BTreeSet<_> = found.into_iter().collect();
            let expected = (0..number as u32).filter(|&o| all[o as usize].touches(&all[number]));
            let missed: Vec<_> = expected.filter(|other| !found.contains(other)).collect();
            assert!(missed.is_empty(), "kind {kind}: {number} misses {missed:?}");
        }
    }
}

#[test]
fn pieces_meet_at_the_same_time_and_every_two_of_them_once() {
    let mut regions = Regions::default();
    let (mut once, mut several) = (0, 0);
    for kind in 0..7 {
        let whole = boxes(kind, 300, 7);
        let quarters = boxes(kind, 1_200, 8);
        let part = |number: usize, quarter: u32| Piece {
            bounds: quarters[4 * number + quarter as usize],
            number: number as u32,
            slots: Slots::range(2 * quarter, 2 * quarter + 2),
        };
        let is_cut = |number: usize| number % 3 == 1;
        let cut = (0..300).filter(|&number| is_cut(number));
        let pieces: Vec<Piece> = cut.flat_map(|number| [0, 1, 2, 3].map(|q| part(number, q))).collect();
        // The whole box of what is cut lies around its pieces.
        let around = |n: usize| quarters[4 * n..4 * n + 4].iter().fold(whole[n], |all, b| all.union(*b));
        let given: Vec<_> = (0..300).map(|n| if is_cut(n) { around(n) } else { whole[n] }).collect();
        regions.build(&given, &pieces);
        let mut found = Vec::new();
        regions.pairs(|pair, meeting| {
            found.push(([pair[0].min(pair[1]), pair[0].max(pair[1])], meeting.slots));
            ControlFlow::Continue(())
        });
        let bounds = |n: usize, q: u32| if is_cut(n) { part(n, q).bounds } else { whole[n] };
        for quarter in 0..4 {
            let at_the_time: Vec<_> =
                found.iter().filter(|(_, slots)| slots.has(2 * quarter)).map(|(pair, _)| *pair).collect();
            let set: BTreeSet<_> = at_the_time.iter().copied().collect();
            assert_eq!(set.len(), at_the_time.len(), "kind {kind}");
            let expected = touching(300, |a, b| bounds(a, quarter).touches(&bounds(b, quarter)));
            assert!(set.is_superset(&expected), "kind {kind}");
            let most = if kind == 6 { expected.len() } else { expected.len() / 50 };
            assert!(set.len() <= expected.len() + most + 5, "kind {kind}");
            several += expected.len();
        }
        once += found.len();
    }
    assert!(once > 1_000 && several > once, "{once} {several}");
}

#[test]
fn cells_stay_few_wherever_the_boxes_are() {
    for kind in 0..7 {
        let mut regions = Regions::default();
        for count in [1, 100, 3_000] {
            regions.build(&boxes(kind, count, 9), &[]);
            let cells = regions.whole.table_len();
            assert!(cells <= 4 * (8 * count as usize + 64) + 64, "kind {kind}");
        }
    }
}

#[test]
fn a_box_that_comes_again_takes_the_place_of_the_old_one() {
    let mut regions = Regions::default();
    let (mut once, mut several) = (0, 0);
    for kind in 0..7 {
        let mut now = boxes(kind, 300, 10);
        let quarters = boxes(kind, 1_200, 11);
        regions.build(&now, &[]);
        pairs(&mut regions);
        // Every box moves, some several times, some of them in pieces; some become larger.
        for step in 0..900_u32 {
            let number = (step * 7 + step / 300) % 300;
            let slots = |quarter: u32| Slots::range(2 * quarter, 2 * quarter + 2);
            let pieces: Vec<Piece> = if step % 5 == 0 {
                let bounds = |quarter: u32| quarters[(4 * number + quarter) as usize];
                (0..4).map(|q| Piece { bounds: bounds(q), number, slots: slots(q) }).collect()
            } else {
                let bounds = boxes(if step % 31 == 0 { 2 } else { kind }, 1_000, 12)[step as usize];
                vec![Piece { bounds, number, slots: Slots::ALL }]
            };
            let mut found = Vec::new();
            regions.renew(number, pieces.iter().copied(), &mut found);
            let met: BTreeSet<u32> = found.iter().map(|(other, _)| *other).collect();
            assert!(!met.contains(&number), "kind {kind}: {number} meets itself");
            let whole = |other: &u32| now[*other as usize] != GONE;
            for other in (0..300).filter(|other| *other != number).filter(whole) {
                let touches = pieces.iter().any(|piece| piece.bounds.touches(&now[other as usize]));
                assert!(!touches || met.contains(&other), "kind {kind}: {number} misses {other}");
                several += u32::from(touches);
            }
            // A whole box that is found touches the new box or nearly does: no old box is found. Boxes beside
            // a wide one are found by cells.
            if kind != 6 && pieces.len() == 1 {
                let wide = extent(&pieces[0].bounds) / 4;
                let padded = pieces[0].bounds.pad(Scalar::from_bits(wide.max(1 << 26)));
                let is_near = |other: &u32| padded.touches(&now[*other as usize]);
                assert!(kind == 3 || met.iter().filter(|other| whole(other)).all(is_near));
                once += met.len();
            }
            now[number as usize] = if pieces.len() == 1 { pieces[0].bounds } else { GONE };
        }
    }
    assert!(once > 10_000 && several > 10_000, "{once} {several}");
}

#[test]
fn a_late_box_is_found_from_its_far_end_even_if_it_is_larger_than_all_others() {
    const FAR: i64 = 1 << 52;
    let cube = |corner: i64| Aabb {
        min: Vec3::splat(Scalar::from_bits(corner)),
        max: Vec3::splat(Scalar::from_bits(corner + 1)),
    };
    let mut regions = Regions::default();
    for case in 0..500 {
        let mut draws = Rng::new(13).at(0, case, 0);
        // Cells are much larger than the boxes that are there at first: there may be only few of them.
        regions.build(&[cube(0), cube(FAR)], &[]);
        // It begins among the others, and may end beyond them.
        let min = [0; 3].map(|_: i32| draws.between(0, FAR));
        let max = min.map(|raw| raw + draws.between(FAR / 8, FAR / 6));
        let bounds = Aabb { min: Vec3::from_raw(min), max: Vec3::from_raw(max) };
        let mut found = Vec::new();
        regions.renew(1, [Piece { bounds, number: 1, slots: Slots::ALL }].into_iter(), &mut found);
        let place = Vec3::from_raw(max.map(|raw| raw - draws.below(FAR as u64 / 64) as i64));
        let mut found = Vec::new();
        regions.query(Aabb { min: place, max: place }, Slots::ALL, &mut found);
        assert_eq!(found, [1], "{case}");
    }
}
