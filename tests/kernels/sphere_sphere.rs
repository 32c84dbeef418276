//! Ball against ball: overlap, sweep, span.

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi, lit},
    overlap::overlap_sphere_sphere,
    sweep::{Hit, Span, span_sphere_sphere, sweep_sphere_sphere},
};

use crate::oracle::{self, ONE, RoundPair, Source, Symmetry, U256};

// ---------------------------------------------------------------- by hand

fn toi(fraction: &str) -> Toi {
    Toi::from_raw(lit(fraction).to_bits() as u64).unwrap()
}

fn time(offset: Vec3, motion: Vec3, reach: &str, gap: &str) -> Option<Toi> {
    let (reach, gap): (Scalar, Scalar) = (reach.parse().unwrap(), gap.parse().unwrap());
    sweep_sphere_sphere(offset, motion, reach, gap).map(|hit| hit.toi)
}

#[test]
fn sweeps_worked_by_hand() {
    let (ahead, zero) = (Vec3::lit("10", "0", "0"), Vec3::ZERO);
    // Head-on: (10 - 1) / 10, rounded down.
    assert_eq!(time(ahead, Vec3::lit("-10", "0", "0"), "1", "0").map(Toi::raw), Some((9 << 32) / 10));
    assert_eq!(time(ahead, Vec3::lit("-20", "0", "0"), "2", "0"), Some(toi("0.4") /* rounded down */));
    assert_eq!(time(Vec3::lit("10", "2.1", "0"), Vec3::lit("-20", "0", "0"), "2", "0"), None);
    // A gap of 1 is met 1 unit earlier: 8 of 16.
    assert_eq!(time(ahead, Vec3::lit("-16", "0", "0"), "1", "1"), Some(toi("0.5")));
    // Exactly at the end, and one raw too far.
    assert_eq!(time(ahead, Vec3::lit("-8", "0", "0"), "2", "0"), Some(Toi::END));
    let short = Vec3::from_raw([-8 * ONE + 1, 0, 0]);
    assert_eq!(time(ahead, short, "2", "0"), None);
    // 3, 4, 5: contact when the offset is (3, 4).
    let hit = sweep_sphere_sphere(Vec3::lit("11", "4", "0"), Vec3::lit("-16", "0", "0"), lit("5"), lit("0"))
        .unwrap();
    assert_eq!(hit.toi, toi("0.5"));
    let [x, y, z] = hit.normal.components().map(i64::from);
    assert!(x > 0 && 4 * x == 3 * y && z == 0, "{:?}", hit.normal);
    // An exact graze is a hit; a raw further out is none.
    assert_eq!(time(Vec3::lit("2", "1", "0"), Vec3::lit("-4", "0", "0"), "1", "0"), Some(toi("0.5")));
    assert_eq!(time(Vec3::lit("2", "1.0000000003", "0"), Vec3::lit("-4", "0", "0"), "1", "0"), None);
    // Parting, resting, apart.
    assert_eq!(time(ahead, Vec3::lit("10", "0", "0"), "1", "0"), None);
    assert_eq!(time(ahead, zero, "1", "0"), None);
    // Diagonal, (sqrt 3 - 1) of sqrt 3 * 1.5: 0.2817664870...
    let diagonal = time(Vec3::lit("1", "1", "1"), Vec3::lit("-1.5", "-1.5", "-1.5"), "1", "0");
    assert_eq!(diagonal.map(Toi::raw), Some(1_210_177_847));
}

#[test]
fn balls_that_start_within_the_gap_hit_if_they_approach() {
    let near = Vec3::lit("1.5", "0", "0");
    let hit = |motion, gap| sweep_sphere_sphere(near, motion, lit("1"), gap);
    let at_once = Some(Hit { toi: Toi::START, normal: Normal::from_vector(near).unwrap() });
    for gap in [lit("0.5"), lit("2")] {
        assert_eq!(hit(Vec3::lit("-0.1", "0", "0"), gap), at_once);
        assert_eq!(hit(Vec3::lit("-0.0000000003", "5", "0"), gap), at_once);
        assert_eq!(hit(Vec3::lit("0", "5", "0"), gap), None);
        assert_eq!(hit(Vec3::lit("0.1", "5", "0"), gap), None);
        assert_eq!(hit(Vec3::ZERO, gap), None);
    }
    // Balls of 1, one of them 1 to the left of the other and going right by 20.
    let (offset, motion) = (Vec3::lit("1", "0", "0"), Vec3::lit("-20", "0", "0"));
    let hit = sweep_sphere_sphere(offset, motion, lit("2"), lit("0")).unwrap();
    assert_eq!((hit.toi, hit.normal.components().map(i32::signum)), (Toi::START, [1, 0, 0]));
    // Overlapping, and with coinciding centers.
    assert_eq!(time(near, Vec3::lit("-1", "0", "0"), "2", "0"), Some(Toi::START));
    assert_eq!(time(Vec3::ZERO, Vec3::lit("-1", "0", "0"), "2", "0"), None);
    // Points: they meet and then coincide.
    let points =
        sweep_sphere_sphere(Vec3::lit("0", "0", "3"), Vec3::lit("0", "0", "-4"), lit("0"), lit("0")).unwrap();
    assert_eq!((points.toi, points.normal.components().map(i32::signum)), (toi("0.75"), [0, 0, 1]));
}

#[test]
fn spans_worked_by_hand() {
    let span = |offset, motion, reach| span_sphere_sphere(offset, motion, reach);
    let parts = |first, last| Some(Span { first: toi(first), last: toi(last) });
    let through = Vec3::lit("-16", "0", "0");
    assert_eq!(span(Vec3::lit("8", "0", "0"), through, lit("4")), parts("0.25", "0.75"));
    assert_eq!(span(Vec3::lit("11", "4", "0"), through, lit("5")), parts("0.5", "0.875"));
    // Cut at the end, cut at the start, overlapping throughout.
    assert_eq!(span(Vec3::lit("12", "0", "0"), through, lit("8")), parts("0.25", "1"));
    assert_eq!(span(Vec3::lit("4", "0", "0"), through, lit("8")), parts("0", "0.75"));
    assert_eq!(span(Vec3::lit("-1", "0", "0"), through, lit("9")), parts("0", "0.5"));
    assert_eq!(span(Vec3::lit("1", "0", "0"), Vec3::ZERO, lit("2")), Some(Span::WHOLE));
    // Both roots after the tick, both before, none at all.
    assert_eq!(span(Vec3::lit("40", "0", "0"), through, lit("4")), None);
    assert_eq!(span(Vec3::lit("-8", "0", "0"), through, lit("4")), None);
    assert_eq!(span(Vec3::lit("8", "5", "0"), through, lit("4")), None);
    // Touching only: in passing, at the start, at the end, at rest.
    assert_eq!(span(Vec3::lit("8", "4", "0"), through, lit("4")), parts("0.5", "0.5"));
    assert_eq!(span(Vec3::lit("-4", "0", "0"), through, lit("4")), parts("0", "0"));
    assert_eq!(span(Vec3::lit("-4", "0", "0"), Vec3::lit("0", "3", "0"), lit("4")), parts("0", "0"));
    assert_eq!(span(Vec3::lit("20", "0", "0"), through, lit("4")), parts("1", "1"));
    assert_eq!(span(Vec3::lit("4", "0", "0"), Vec3::ZERO, lit("4")), Some(Span::WHOLE));
}

#[test]
fn touching_is_not_overlap() {
    let reach = lit("5");
    assert!(!overlap_sphere_sphere(Vec3::lit("3", "4", "0"), reach));
    assert!(overlap_sphere_sphere(Vec3::lit("3", "3.9999999998", "0"), reach));
    assert!(overlap_sphere_sphere(Vec3::ZERO, Scalar::DELTA));
    assert!(!overlap_sphere_sphere(Vec3::ZERO, Scalar::ZERO));
    assert!(!overlap_sphere_sphere(Vec3::lit("0", "-536870912", "536870912"), lit("8192")));
}

// ---------------------------------------------------------------- the exact judge

/// The distance at `at / 2^32` against a reach: the squares of both, times 2^64.
fn squares(pair: &RoundPair, at: u64, reach: i64) -> (U256, U256) {
    let (w, v) = (pair.offset.raw(), pair.motion.raw());
    let part = |axis: usize| (i128::from(w[axis]) << 32) + i128::from(v[axis]) * i128::from(at);
    let distance = U256::square(part(0)).plus(U256::square(part(1))).plus(U256::square(part(2)));
    (distance, U256::square(i128::from(reach) << 32))
}

/// The distance beyond a reach at `at / 2^32`, in 2^-12 raw, within one of them.
fn gap_left(pair: &RoundPair, at: u64, reach: i64) -> i128 {
    let (w, v) = (pair.offset.raw(), pair.motion.raw());
    let part = |axis: usize| ((i128::from(w[axis]) << 32) + i128::from(v[axis]) * i128::from(at)) >> 20;
    let square = (0..3).map(|axis| part(axis).pow(2) as u128).sum::<u128>();
    square.isqrt() as i128 - (i128::from(reach) << 12)
}

/// `a`, `b`, `c` of `|offset + motion t|^2 - reach^2`.
fn polynomial(pair: &RoundPair, reach: i64) -> [i128; 3] {
    let (w, v) = (pair.offset.raw().map(i128::from), pair.motion.raw().map(i128::from));
    let dot = |p: [i128; 3], q: [i128; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    [dot(v, v), dot(w, v), dot(w, w) - i128::from(reach).pow(2)]
}

/// True if points that start outside the reach touch it in the tick.
fn meets([a, b, c]: [i128; 3]) -> bool {
    let end_within = a + 2 * b + c <= 0;
    let reaches = b < 0 && U256::square(b) >= U256::product(a as u128, c as u128);
    end_within || (reaches && -b <= a)
}

/// `|motion|` in raw per tick where above a unit, else a unit.
fn speed(pair: &RoundPair) -> i128 {
    (pair.motion.length_squared_wide().isqrt() as i128 + 1).max(i128::from(ONE))
}

/// `max(1, |motion|)` raw plus `(|offset| + |motion|)^2 / reach * 2^-60`, in 2^-12 raw; and 4 of these
/// for what the measurement itself rounds.
fn allowed(pair: &RoundPair, reach: i64) -> i128 {
    let way = pair.motion.length_squared_wide().isqrt() + pair.offset.length_squared_wide().isqrt();
    let lost = ((way >> 24) + 1).pow(2) / reach.unsigned_abs().max(1) as u128;
    (speed(pair) >> 20) + lost as i128 + 4
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    hits: u64,
    at_once: u64,
    at_the_end: u64,
    false_hits: u64,
    /// In 2^-12 raw per max(1, |motion|), reaches of 2^-14 units and above.
    worst_gap: i128,
}

/// Judges one answer without the library's arithmetic.
fn judge(pair: &RoundPair, answer: Option<Hit>, tally: &mut Tally) {
    tally.cases += 1;
    let reach = pair.reach + pair.gap;
    let [a, b, c] = polynomial(pair, reach);
    let start_normal = Normal::from_vector(pair.offset);
    if c <= 0 {
        let approaches = start_normal.filter(|n| n.dot_wide(pair.motion) < 0);
        assert_eq!(answer, approaches.map(|normal| Hit { toi: Toi::START, normal }), "{pair:?}");
        tally.at_once += u64::from(answer.is_some());
        tally.hits += u64::from(answer.is_some());
        return;
    }
    let true_hit = meets([a, b, c]);
    let Some(hit) = answer else { return assert!(!true_hit, "missed: {pair:?}") };
    let (distance, within) = squares(pair, hit.toi.raw(), reach);
    assert!(distance >= within, "late: {pair:?} {hit:?}");
    // On the near side of the nearest point: a + b u <= 0.
    let before =
        U256::product(a as u128, u128::from(hit.toi.raw())) <= U256::product(b.unsigned_abs(), 1 << 32);
    assert!(b < 0 && before, "late: {pair:?} {hit:?}");
    assert!(hit.normal.is_valid() && hit.normal.dot_wide(pair.motion) < 0, "{pair:?} {hit:?}");
    let gap = gap_left(pair, hit.toi.raw(), reach);
    assert!(gap <= allowed(pair, reach), "gap {gap}: {pair:?} {hit:?}");
    tally.hits += 1;
    tally.false_hits += u64::from(!true_hit);
    tally.at_the_end += u64::from(hit.toi == Toi::END);
    if reach >= 1 << 18 {
        tally.worst_gap = tally.worst_gap.max(gap * i128::from(ONE) / speed(pair));
    }
}

fn sweep(pair: &RoundPair) -> Option<Hit> {
    sweep_sphere_sphere(pair.offset, pair.motion, pair.reach(), pair.gap())
}

#[test]
fn sweeps_are_never_late_and_leave_little() {
    let (mut source, mut tally) = (Source::new(11), Tally::default());
    for case in 0..oracle::cases(300_000) {
        let pair = source.round_pair(case);
        judge(&pair, sweep(&pair), &mut tally);
    }
    println!("{tally:?}");
    let Tally { cases, hits, at_once, at_the_end, false_hits, worst_gap } = tally;
    assert!(hits - at_once > cases / 8 && at_once > cases / 8 && cases - hits > cases / 2, "{tally:?}");
    assert!(at_the_end > 0 && (1..cases / 100).contains(&false_hits), "{tally:?}");
    assert!((4_000..=20 << 12).contains(&worst_gap), "{tally:?}");
}

/// Every offset, motion and reach of a few raw: the time is the exact root's floor, or one less.
#[test]
fn every_small_case_is_within_two_steps_of_the_exact_root() {
    let (mut hits, mut grazes) = (0, 0);
    let range = || -5..=5_i64;
    for x in range() {
        for y in 0..=5 {
            for (dx, dy) in range().flat_map(|dx| range().map(move |dy| (dx, dy))) {
                for reach in 0..=4 {
                    let (offset, motion) = (Vec3::from_raw([x, y, 1]), Vec3::from_raw([dx, dy, 0]));
                    let pair = RoundPair { offset, motion, reach, gap: 0 };
                    let answer = sweep(&pair);
                    judge(&pair, answer, &mut Tally::default());
                    let [a, b, c] = polynomial(&pair, reach);
                    let Some(hit) = answer.filter(|_| c > 0) else { continue };
                    let (distance, within) = squares(&pair, hit.toi.raw() + 2, reach);
                    let graze = b * b == a * c;
                    assert!(graze || distance <= within, "early: {pair:?} {hit:?}");
                    hits += 1;
                    grazes += i32::from(graze);
                }
            }
        }
    }
    assert_eq!((hits, grazes), (3_506, 175));
}

/// The same promises, spelled with fractions of big integers: the judge of the judge.
#[test]
fn the_certificate_holds_in_big_fractions() {
    let (mut source, mut hits) = (Source::new(12), 0);
    for case in 0..oracle::cases(6_000) {
        let pair = source.round_pair(case);
        let Some(hit) = sweep(&pair).filter(|hit| hit.toi > Toi::START) else { continue };
        hits += 1;
        let reach = oracle::ratio(pair.reach + pair.gap, 1);
        let offset = oracle::offset_at(pair.offset, pair.motion, hit.toi);
        assert!(oracle::dot(&offset, &offset) >= &reach * &reach, "late: {pair:?}");
        let normal = oracle::direction(hit.normal);
        assert!(oracle::dot(&normal, &oracle::exact(pair.motion)) < oracle::ratio(0, 1));
        // Along the normal the balls are apart by the gap, or short of it by less than a raw.
        let short = oracle::dot(&normal, &offset) + oracle::ratio(hit.normal.length_up(), 1);
        let length = oracle::dot(&normal, &normal);
        assert!(short >= oracle::ratio(0, 1) && &short * &short >= &reach * &reach * length, "{pair:?}");
    }
    assert!(hits > 800, "{hits}");
}

// ---------------------------------------------------------------- spans

#[test]
fn spans_hold_the_exact_ones_and_little_more() {
    let mut source = Source::new(13);
    let (mut none, mut whole, mut starts, mut ends, mut inner) = (0, 0, 0, 0, 0);
    for case in 0..oracle::cases(200_000) {
        let pair = RoundPair { gap: 0, ..source.round_pair(case) };
        let [a, b, c] = polynomial(&pair, pair.reach);
        let Some(span) = span_sphere_sphere(pair.offset, pair.motion, pair.reach()) else {
            assert!(c > 0 && !meets([a, b, c]), "missed: {pair:?}");
            none += 1;
            continue;
        };
        if c > 0 {
            let first = sweep(&pair).map(|hit| hit.toi);
            assert_eq!(Some(span.first), first, "{pair:?}");
        } else {
            assert_eq!(span.first, Toi::START);
        }
        judge_last(&pair, span);
        whole += i32::from(span == Span::WHOLE);
        starts += i32::from(span.first == Toi::START && span.last < Toi::END);
        ends += i32::from(span.first > Toi::START && span.last == Toi::END);
        inner += i32::from(span.first > Toi::START && span.last < Toi::END);
    }
    println!("none {none} whole {whole} starts {starts} ends {ends} inner {inner}");
    assert!(none > 60_000 && whole > 10_000 && starts > 4_000 && ends > 2_000 && inner > 4_000);
}

/// The last instant is past the nearest point, not inside the reach, and not far outside.
fn judge_last(pair: &RoundPair, span: Span) {
    let [a, b, c] = polynomial(pair, pair.reach);
    assert!(span.first <= span.last, "{pair:?} {span:?}");
    let (distance, within) = squares(pair, span.last.raw(), pair.reach);
    if span.last == Toi::END {
        let at_end = a + 2 * b + c <= 0;
        assert!(
            at_end || gap_left(pair, 1 << 32, pair.reach) <= allowed(pair, pair.reach),
            "{pair:?} {span:?}"
        );
        return;
    }
    let after = b >= 0
        || U256::product(a as u128, u128::from(span.last.raw())) >= U256::product(b.unsigned_abs(), 1 << 32);
    assert!(distance >= within && after, "too early: {pair:?} {span:?}");
    assert!(gap_left(pair, span.last.raw(), pair.reach) <= allowed(pair, pair.reach), "{pair:?} {span:?}");
}

// ---------------------------------------------------------------- what must not matter

#[test]
fn mirrored_permuted_and_swapped_balls_hit_alike() {
    let (mut source, mut hits) = (Source::new(14), 0);
    for case in 0..oracle::cases(6_000) {
        let pair = source.round_pair(case);
        let hit = sweep(&pair);
        hits += i32::from(hit.is_some());
        for symmetry in Symmetry::all() {
            let image =
                RoundPair { offset: symmetry.of(pair.offset), motion: symmetry.of(pair.motion), ..pair };
            let expected = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(sweep(&image), expected, "{pair:?} {symmetry:?}");
        }
        let swapped = RoundPair { offset: -pair.offset, motion: -pair.motion, ..pair };
        assert_eq!(sweep(&swapped), hit.map(|hit| Hit { normal: -hit.normal, ..hit }));
    }
    assert!(hits > 1_500, "{hits}");
}

/// Two bodies, each at its own rounded place at the time of impact, do not overlap.
#[test]
fn rounded_places_at_the_impact_do_not_overlap() {
    let (mut source, mut hits) = (Source::new(15), 0);
    for case in 0..oracle::cases(100_000) {
        let mut pair = source.round_pair(case);
        pair.gap = pair.gap.max(2);
        pair.reach = pair.reach.min((1 << 46) - pair.gap);
        if overlap_sphere_sphere(pair.offset, pair.reach()) {
            continue;
        }
        let Some(hit) = sweep(&pair) else { continue };
        let (place, displacement) = (source.vector(1 << 55), source.vector(1 << 44));
        let places = [place, place + pair.offset];
        let at = oracle::rounded_offset(places, [displacement, displacement + pair.motion], hit.toi);
        assert!(!overlap_sphere_sphere(at, pair.reach()), "{pair:?} {hit:?}");
        hits += 1;
    }
    assert!(hits > 20_000, "{hits}");
}

/// The least response that ends the approach along the normal is enough: at the same place the next
/// sweep has no hit at once, after one response within the reach, after two outside it.
#[test]
fn a_hit_at_once_is_answered_by_a_motion_that_does_not_approach() {
    let (mut source, mut answered, mut twice) = (Source::new(16), 0, 0);
    for case in 0..oracle::cases(100_000) {
        let mut pair = source.round_pair(case);
        let within = polynomial(&pair, pair.reach + pair.gap)[2] <= 0;
        for response in 0..3 {
            let Some(hit) = sweep(&pair).filter(|hit| hit.toi == Toi::START) else {
                answered += i32::from(response > 0);
                break;
            };
            assert!(response < if within { 1 } else { 2 }, "{pair:?} {hit:?}");
            twice += i32::from(response > 0);
            pair.motion = pair.motion + least_response(&hit, pair.motion);
            assert!(hit.normal.dot_wide(pair.motion) >= 0);
            if !pair.motion.within(lit("8192")) {
                break;
            }
        }
    }
    println!("{answered} answered, {twice} twice");
    assert!(answered > 10_000, "{answered}");
}

/// The fewest raw along the axis of the normal's largest component that end the approach.
fn least_response(hit: &Hit, motion: Vec3) -> Vec3 {
    let closing = -hit.normal.dot_wide(motion);
    let parts = hit.normal.components();
    let axis = (0..3).max_by_key(|&axis| parts[axis].abs()).unwrap();
    let most = i128::from(parts[axis].abs());
    let mut push = [0; 3];
    push[axis] = ((closing + most - 1) / most) as i64 * i64::from(parts[axis].signum());
    Vec3::from_raw(push)
}
