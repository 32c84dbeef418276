//! Boxes along the axes against boxes along the axes.

use bitstep::{
    geom::{Normal, Vec3},
    num::Toi,
    overlap::overlap_aabb_aabb,
    sweep::{Hit, Span, span_aabb_aabb, sweep_aabb_aabb},
};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::{
    boxes::{BoxPair, FAMILIES, box_pair, unit},
    oracle::{Source, Symmetry, cases, exact, ratio, rounded_offset},
};

fn sweep(pair: &BoxPair) -> Option<Hit> {
    sweep_aabb_aabb(pair.offset, pair.motion, pair.half, pair.gap())
}

#[test]
fn table_worked_by_hand() {
    let v = Vec3::lit;
    let cube = v("1", "1", "1");
    let at = |text: &str| (unit(text).to_bits()) as u64;
    // offset, motion, half sum, gap: when and along what
    let table = [
        // parry #141: cubes of half 0.5, 1.1 above each other
        (v("0", "1.1", "0"), v("0", "0", "0"), cube, "0", None),
        (v("0", "1.1", "0"), v("0", "1", "0"), cube, "0", None),
        (v("0", "1.1", "0"), v("0", "-1", "0"), cube, "0", Some((at("0.1"), Normal::Y))),
        // a cube of half 0.1 at -3 with 200 per second against a wall of half 0.05: 0.57 of 5, down
        (v("3", "0", "0"), v("-5", "0", "0"), v("0.15", "5", "5"), "0", Some((2_448_131_358, Normal::X))),
        // exactly at the end, and a raw later
        (v("3", "0", "0"), v("-2", "0", "0"), cube, "0", Some((1 << 32, Normal::X))),
        (v("3.0000000003", "0", "0"), v("-2", "0", "0"), cube, "0", None),
        // the gap stops it earlier
        (v("3", "0", "0"), v("-4", "0", "0"), cube, "0.5", Some((at("0.375"), Normal::X))),
        // a corner: both axes at once
        (v("3", "-3", "0"), v("-4", "4", "0"), cube, "0", Some((1 << 31, Normal::new(1, -1, 0)))),
        // the later axis wins
        (v("3", "-2", "0"), v("-4", "4", "0"), cube, "0", Some((1 << 31, Normal::X))),
        // passes the corner: x is met at 0.5, y left at 0.25
        (v("3", "0", "0"), v("-4", "4", "0"), cube, "0", None),
        // touches and slides, rests, parts; with and without room in the gap
        (v("0", "1", "0"), v("7", "0", "-3"), cube, "0", None),
        (v("0", "1.25", "0"), v("0.5", "0", "0"), cube, "0.5", None),
        (v("0", "1.25", "0"), v("0", "0", "0"), cube, "0.5", None),
        (v("0", "1.25", "0"), v("0", "1", "0"), cube, "0.5", None),
        // inside the gap and approaching: at once
        (v("0", "1.25", "0"), v("0", "-0.01", "0"), cube, "0.5", Some((0, Normal::Y))),
        (v("0", "1", "0"), v("0", "-1", "0"), cube, "0", Some((0, Normal::Y))),
        // inside the gap on y and approaching there, but beside it: met when x is
        (v("4", "1.25", "0"), v("-4", "-0.01", "0"), cube, "0.5", Some((at("0.625"), Normal::X))),
        // ... and never, where y is left before x is met: it falls past
        (v("4", "1.25", "0"), v("-4", "-8", "0"), cube, "0.5", None),
        // moves along a floor at rest inside the gap: the wall that stands on the floor is found
        (v("3", "1.9", "0"), v("-4", "0", "0"), v("1", "2", "1"), "0.5", Some((at("0.375"), Normal::X))),
        // deep inside: the least deep axis decides, and ties are summed
        (v("0.75", "0.5", "0"), v("-1", "0", "0"), cube, "0", Some((0, Normal::X))),
        (v("0.75", "0.5", "0"), v("1", "-1", "0"), cube, "0", None),
        (v("0.75", "0.75", "0"), v("1", "-2", "0"), cube, "0", Some((0, Normal::new(1, 1, 0)))),
        (v("0", "0", "0"), v("1", "2", "3"), cube, "0", None),
    ];
    let mut hits = 0;
    for (row, (offset, motion, half, gap, want)) in table.into_iter().enumerate() {
        let hit = sweep_aabb_aabb(offset, motion, half, unit(gap));
        hits += u32::from(hit.is_some());
        assert_eq!(hit.map(|hit| (hit.toi.raw(), hit.normal)), want, "row {row}");
    }
    assert_eq!(hits, 12);
}

#[test]
fn spans_worked_by_hand() {
    let cube = Vec3::lit("1", "1", "1");
    let span = |offset, motion| span_aabb_aabb(offset, motion, cube).map(|s| (s.first.raw(), s.last.raw()));
    let quarter = 1 << 30;
    assert_eq!(span(Vec3::lit("2", "0", "0"), Vec3::lit("-4", "0", "0")), Some((quarter, 3 * quarter)));
    assert_eq!(span(Vec3::lit("2", "-3", "0"), Vec3::lit("-4", "4", "0")), Some((2 * quarter, 3 * quarter)));
    assert_eq!(span(Vec3::lit("0.5", "0", "0"), Vec3::lit("-0.5", "0", "0")), Some((0, 1 << 32)));
    assert_eq!(span(Vec3::lit("1", "0", "0"), Vec3::lit("0", "5", "0")), Some((0, 858_993_460))); // 1/5, up
    assert_eq!(span(Vec3::lit("1", "0", "0"), Vec3::lit("1", "0", "0")), Some((0, 0)));
    assert_eq!(span(Vec3::lit("4", "0", "0"), Vec3::lit("-3", "0", "0")), Some((1 << 32, 1 << 32)));
    assert_eq!(span(Vec3::lit("4", "0", "0"), Vec3::lit("-2.9", "0", "0")), None);
    assert_eq!(span(Vec3::lit("1.1", "0", "0"), Vec3::lit("0", "0", "0")), None);
    assert_eq!(span(Vec3::lit("3", "0", "0"), Vec3::lit("-4", "4", "0")), None);
    // x from 1/3 to 2/3: the first down, the last up
    assert_eq!(span(Vec3::lit("3", "0", "0"), Vec3::lit("-6", "0", "0")), Some((0x5555_5555, 0xAAAA_AAAB)));
}

/// What the judge says: the exact first instant as a fraction, and the normal.
type Verdict = Option<((i128, i128), Normal)>;

/// Decides by trial: the distance along the axes changes sides only at the instants at which some
/// axis is exactly at the target, so the first of those (or the start) at which every axis is
/// within it is the contact. Products stay below 2^106.
fn judge(pair: &BoxPair) -> Verdict {
    let (w, v, h) = (pair.offset.raw(), pair.motion.raw(), pair.half.raw());
    let apart = |axis: usize| i128::from(w[axis]).abs() - i128::from(h[axis]);
    if (0..3).any(|axis| apart(axis) >= 0 && i128::from(w[axis]) * i128::from(v[axis]) >= 0) {
        return None;
    }
    let (n, d) = first_within(pair)?;
    let side = |axis: usize, chosen: bool| if chosen { w[axis].signum() as i32 } else { 0 };
    let most = (0..3).map(apart).max()?;
    let [x, y, z] = [0, 1, 2].map(|axis| match n {
        0 => side(axis, apart(axis) == most),
        _ => side(axis, enters(pair, axis, (n, d))),
    });
    let normal = Normal::new(x, y, z);
    (normal.dot_wide(pair.motion) < 0).then_some(((n, d), normal))
}

/// True if the coordinate comes to its reach from outside at this instant.
fn enters(pair: &BoxPair, axis: usize, time: (i128, i128)) -> bool {
    let (w, v) = (pair.offset.raw()[axis], pair.motion.raw()[axis]);
    w.signum() * v.signum() < 0 && at(pair, axis, time) * i128::from(w.signum()) == reach(pair, axis) * time.1
}

fn reach(pair: &BoxPair, axis: usize) -> i128 {
    i128::from(pair.half.raw()[axis]) + i128::from(pair.gap)
}

/// The coordinate at an instant, times its denominator.
fn at(pair: &BoxPair, axis: usize, (n, d): (i128, i128)) -> i128 {
    i128::from(pair.offset.raw()[axis]) * d + i128::from(pair.motion.raw()[axis]) * n
}

/// The instants in the tick at which some axis is exactly at its reach, and the start.
fn first_within(pair: &BoxPair) -> Option<(i128, i128)> {
    let within =
        |time: &(i128, i128)| (0..3).all(|axis| at(pair, axis, *time).abs() <= reach(pair, axis) * time.1);
    let events = (0..3).flat_map(|axis| {
        let (w, v) = (i128::from(pair.offset.raw()[axis]), i128::from(pair.motion.raw()[axis]));
        [reach(pair, axis), -reach(pair, axis)].map(|side| if v < 0 { (w - side, -v) } else { (side - w, v) })
    });
    let inside = events.filter(|&(n, d)| d > 0 && n > 0 && n <= d).chain([(0, 1)]);
    inside.filter(within).min_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)))
}

#[test]
fn sweep_equals_the_exact_fraction_rounded_down() {
    let mut source = Source::new(0xAABB);
    let (mut hits, mut at_start, mut tied, mut worst) = (0_u64, 0_u64, 0_u64, 0_i128);
    let count = cases(200_000);
    for case in 0..count {
        let pair = box_pair(&mut source, case, false);
        let (hit, want) = (sweep(&pair), judge(&pair));
        let floor = want.map(|((n, d), normal)| (((n << 32) / d) as u64, normal));
        assert_eq!(hit.map(|hit| (hit.toi.raw(), hit.normal)), floor, "case {case}: {pair:?}");
        let Some(hit) = hit else { continue };
        hits += 1;
        at_start += u64::from(hit.toi == Toi::START);
        tied += u64::from(hit.normal.length_squared() > 1);
        assert!(hit.normal.dot_wide(pair.motion) < 0);
        if want.is_some_and(|((n, _), _)| n > 0) {
            let speed = pair.motion.length_squared_wide().isqrt() as i128;
            let left = left_q32(&pair, hit.toi);
            assert!(left >= 0 && left <= speed.max(1 << 32), "case {case}: {left} {pair:?}");
            worst = worst.max((left << 8) / speed.max(1 << 32));
        }
        stays_clear_when_rounded(&mut source, &pair, hit.toi);
    }
    println!("{count} cases, {hits} hits, {at_start} at the start, {tied} tied, worst gap {worst}/256");
    assert!(hits > count / 4 && hits < count * 3 / 4, "{hits} of {count}");
    assert!(at_start > count / 40 && tied > count / 40, "{at_start} {tied} of {count}");
}

/// How much farther than the gap the boxes are at an instant, in raw times 2^32.
fn left_q32(pair: &BoxPair, toi: Toi) -> i128 {
    let time = (i128::from(toi.raw()), 1_i128 << 32);
    (0..3).map(|axis| at(pair, axis, time).abs() - (reach(pair, axis) << 32)).max().unwrap()
}

/// With a gap of two raw or more, bodies at their own rounded places do not overlap.
fn stays_clear_when_rounded(source: &mut Source, pair: &BoxPair, toi: Toi) {
    let apart = !overlap_aabb_aabb(pair.offset, pair.half);
    if pair.gap >= 2 && apart {
        let (place, way) = (source.vector(1 << 40), source.vector(1 << 44));
        let offset = rounded_offset([place, place + pair.offset], [way, way + pair.motion], toi);
        assert!(!overlap_aabb_aabb(offset, pair.half), "{pair:?} at {toi}");
    }
}

#[test]
fn judge_and_span_agree_with_rationals() {
    let mut source = Source::new(0xAABC);
    let (mut spans, mut none) = (0_u32, 0_u32);
    for case in 0..cases(4_000) {
        let pair = BoxPair { gap: 0, ..box_pair(&mut source, case, false) };
        let want = exact_span(&pair);
        let first = first_within(&pair).map(|(n, d)| ratio(n, d));
        assert_eq!(first, want.as_ref().map(|(first, _)| first.clone()), "case {case}: {pair:?}");
        let span = span_aabb_aabb(pair.offset, pair.motion, pair.half);
        let rounded = want.map(|(first, last)| {
            let scaled = |time: BigRational| time * ratio(1_u64 << 32, 1);
            let raw = |time: BigRational| Toi::from_raw(time.to_integer().try_into().unwrap()).unwrap();
            Span { first: raw(scaled(first).floor()), last: raw(scaled(last).ceil()) }
        });
        assert_eq!(span, rounded, "case {case}: {pair:?}");
        spans += u32::from(span.is_some());
        none += u32::from(span.is_none());
    }
    assert!(spans > 1_000 && none > 500, "{spans} {none}");
}

/// The intersection of the three closed intervals with the tick, in rationals.
fn exact_span(pair: &BoxPair) -> Option<(BigRational, BigRational)> {
    let (w, v, h) = (exact(pair.offset), exact(pair.motion), exact(pair.half));
    let (mut first, mut last) = (BigRational::zero(), BigRational::one());
    for axis in 0..3 {
        if v[axis].is_zero() {
            if w[axis].abs() > h[axis] {
                return None;
            }
            continue;
        }
        let sides = [(&h[axis] - &w[axis]) / &v[axis], (-&h[axis] - &w[axis]) / &v[axis]];
        let [one, other] = sides;
        first = first.max(one.clone().min(other.clone()));
        last = last.min(one.max(other));
    }
    (first <= last).then_some((first, last))
}

#[test]
fn mirrored_permuted_and_swapped_motions_hit_alike() {
    let mut source = Source::new(0xAABD);
    let mut hits = 0;
    for case in 0..cases(200 * FAMILIES) {
        let pair = box_pair(&mut source, case, false);
        let hit = sweep(&pair);
        hits += u32::from(hit.is_some());
        for symmetry in Symmetry::all() {
            let image = BoxPair {
                offset: symmetry.of(pair.offset),
                motion: symmetry.of(pair.motion),
                half: symmetry.of_extent(pair.half),
                ..pair
            };
            let want = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(sweep(&image), want, "{symmetry:?} {pair:?}");
        }
        let swapped = BoxPair { offset: -pair.offset, motion: -pair.motion, ..pair };
        assert_eq!(sweep(&swapped), hit.map(|hit| Hit { normal: -hit.normal, ..hit }));
    }
    assert!(hits > 600, "{hits}");
}

#[test]
fn a_response_along_the_normal_ends_the_hit() {
    let mut source = Source::new(0xAABE);
    let mut hits = 0;
    for case in 0..cases(20_000) {
        let pair = box_pair(&mut source, case, false);
        let Some(hit) = sweep(&pair).filter(|hit| hit.toi == Toi::START) else { continue };
        hits += 1;
        let mut motion = pair.motion.raw();
        for (part, axis) in motion.iter_mut().zip(hit.normal.components()) {
            if *part * i64::from(axis) < 0 {
                *part = 0;
            }
        }
        assert_eq!(sweep(&BoxPair { motion: Vec3::from_raw(motion), ..pair }), None, "{pair:?}");
    }
    assert!(hits > 1_000, "{hits}");
}
