//! Spheres against boxes along the axes.

use std::cmp::Ordering;

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::overlap_sphere_aabb,
    sweep::{Hit, sweep_sphere_aabb},
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use crate::{
    boxes::{BoxPair, FAMILIES, box_pair, unit},
    oracle::{ONE, Source, Symmetry, U256, cases, exact, many_cases, ratio, rounded_offset},
};

/// The bound on the gap left, in raw for a motion of up to one unit per tick.
const BOUND: i128 = 40;

fn sweep(pair: &BoxPair) -> Option<Hit> {
    sweep_sphere_aabb(pair.offset, pair.motion, pair.radius(), pair.half, pair.gap())
}

/// A hit at an instant in units of 2^-32 tick, along a normal.
fn met(toi: u64, x: i32, y: i32, z: i32) -> Option<(u64, Normal)> {
    Some((toi, Normal::new(x, y, z)))
}

#[test]
fn table_worked_by_hand() {
    let cube = Vec3::lit("1", "1", "1");
    let raw = |x| Vec3::from_raw([x, 0, 0]);
    // offset, motion, radius, half, gap: when and along what
    let table = [
        // a face, exactly; at the end; a raw later
        (Vec3::lit("4", "0", "0"), Vec3::lit("-4", "0", "0"), "1", cube, "0", met(1 << 31, 1, 0, 0)),
        (Vec3::lit("4", "0.5", "-1"), Vec3::lit("-2", "0", "0"), "1", cube, "0", met(1 << 32, 1, 0, 0)),
        (Vec3::lit("4.0000000003", "0", "0"), Vec3::lit("-2", "0", "0"), "1", cube, "0", None),
        (Vec3::lit("4", "0", "0"), Vec3::lit("-4", "0", "0"), "0.5", cube, "0.5", met(1 << 31, 1, 0, 0)),
        // an edge: the corner of a 3-4-5 triangle, 4 units across from 3 above it
        (Vec3::lit("11", "4", "0"), Vec3::lit("-10", "0", "0"), "5", cube, "0", met(2_576_980_377, 4, 3, 0)),
        // passes an edge and a corner just outside
        (Vec3::lit("11", "6.0000000003", "0"), Vec3::lit("-30", "0", "0"), "5", cube, "0", None),
        (Vec3::lit("11", "4.6", "4.6"), Vec3::lit("-30", "1", "1"), "5", cube, "0.1", None),
        // touches and slides, rests, parts
        (Vec3::lit("0", "2", "0"), Vec3::lit("5", "0", "1"), "1", cube, "0", None),
        (Vec3::lit("0", "2", "0"), Vec3::lit("0", "0", "0"), "1", cube, "0.5", None),
        (Vec3::lit("0", "2.25", "0"), Vec3::lit("3", "0", "0"), "1", cube, "0.5", None),
        (Vec3::lit("0", "2.25", "0"), Vec3::lit("0", "1", "0"), "1", cube, "0.5", None),
        // inside the gap and approaching
        (Vec3::lit("0", "2.25", "0"), Vec3::lit("0", "-1", "0"), "1", cube, "0.5", met(0, 0, 1, 0)),
        // parry: a ball at (1,1,1) and a cube overlap; at (3,3,3) they never meet
        (Vec3::lit("-1", "-1", "-1"), Vec3::lit("1.5", "1.5", "1.5"), "1", cube, "0", met(0, -1, -1, -1)),
        (Vec3::lit("-3", "-3", "-3"), Vec3::lit("-3", "-1", "-1"), "1", cube, "0", None),
        // a point against a face, an edge, a corner, and past them
        (Vec3::lit("2", "0", "0"), Vec3::lit("-2", "0", "0"), "0", cube, "0", met(1 << 31, 1, 0, 0)),
        (Vec3::lit("2", "-2", "0"), Vec3::lit("-2", "2", "0"), "0", cube, "0", met(1 << 31, 1, -1, 0)),
        (Vec3::lit("2", "2", "2"), Vec3::lit("-2", "-2", "-2"), "0", cube, "0", met(1 << 31, 1, 1, 1)),
        (Vec3::lit("2", "3", "4"), Vec3::lit("-2", "-4", "-6"), "0", cube, "0", met(1 << 31, 1, 1, 1)),
        (Vec3::lit("2", "0", "0"), Vec3::lit("-2", "-2.1", "0"), "0", cube, "0", None),
        // a raw away and a raw of way, from both sides
        (raw(2 * ONE + 1), raw(-1), "1", cube, "0", met(1 << 32, 1, 0, 0)),
        (raw(-2 * ONE - 1), raw(1), "1", cube, "0", met(1 << 32, -1, 0, 0)),
        // the center is inside: toward the nearest face, or the sum of those that tie
        (Vec3::lit("0.75", "0.5", "0"), Vec3::lit("-1", "0", "0"), "1", cube, "0", met(0, 1, 0, 0)),
        (Vec3::lit("0.75", "0.5", "0"), Vec3::lit("1", "-1", "0"), "1", cube, "0", None),
        (Vec3::lit("0.5", "0.5", "0"), Vec3::lit("1", "-3", "0"), "1", cube, "0", met(0, 1, 1, 0)),
        (Vec3::lit("0", "0", "0"), Vec3::lit("1", "2", "3"), "1", cube, "0", None),
    ];
    let mut hits = 0;
    for (row, (offset, motion, radius, half, gap, want)) in table.into_iter().enumerate() {
        let hit = sweep_sphere_aabb(offset, motion, unit(radius), half, unit(gap));
        hits += u32::from(hit.is_some());
        assert_eq!(hit.is_some(), want.is_some(), "row {row}");
        if let (Some(hit), Some((toi, way))) = (hit, want) {
            // Exact toward faces and at the start, where the root is rational but squared, a few early.
            let early = if way.length_squared() == 1 || toi == 0 { 0..=0 } else { 0..=4 };
            assert!(early.contains(&(toi - hit.toi.raw())), "row {row}: {}", hit.toi.raw());
            assert!(is_parallel(hit.normal, way), "row {row}: {:?}", hit.normal);
        }
    }
    assert_eq!(hits, 14);
}

/// True if two normals point the same way to 30 bits.
fn is_parallel(a: Normal, b: Normal) -> bool {
    let (a, b) = (a.components().map(i128::from), b.components().map(i128::from));
    let dot: i128 = (0..3).map(|i| a[i] * b[i]).sum();
    let most = a.iter().chain(&b).map(|c| c.abs()).max().unwrap();
    let cross = |i: usize, j: usize| (a[i] * b[j] - a[j] * b[i]).abs();
    dot > 0 && cross(0, 1).max(cross(1, 2)).max(cross(2, 0)) <= 8.max(most >> 26)
}

#[test]
fn a_corner_as_parry_has_it() {
    // Cube at the origin with +1 on each axis, ball of radius 1 at (2, 2, 2) with -0.5: they meet at
    // (sqrt 3 - 1) / (1.5 sqrt 3) = 0.28176649...
    let (offset, motion) = (Vec3::lit("-2", "-2", "-2"), Vec3::lit("1.5", "1.5", "1.5"));
    let hit = sweep_sphere_aabb(offset, motion, unit("1"), Vec3::lit("1", "1", "1"), unit("0")).unwrap();
    let want = unit("0.281766487207").to_bits() as u64;
    assert!(want.abs_diff(hit.toi.raw()) <= 20, "{}", hit.toi);
    assert!(is_parallel(hit.normal, Normal::new(-1, -1, -1)));
}

/// A coordinate triple in raw times 2^32.
type Wide = [i128; 3];

/// The box's center, and from the sphere's center to the box's closest point, at an instant.
fn at(pair: &BoxPair, instant: u64) -> (Wide, Wide) {
    let (w, v, h) = (pair.offset.raw(), pair.motion.raw(), pair.half.raw());
    let center = [0, 1, 2].map(|i| (i128::from(w[i]) << 32) + i128::from(v[i]) * i128::from(instant));
    let closest = [0, 1, 2].map(|i| {
        let room = i128::from(h[i]) << 32;
        match center[i] {
            c if c > room => c - room,
            c if c < -room => c + room,
            _ => 0,
        }
    });
    (center, closest)
}

/// The squared length.
fn square(vector: Wide) -> U256 {
    let [x, y, z] = vector.map(U256::square);
    x.plus(y).plus(z)
}

/// True if the distance falls (`Less`), rests or rises at an instant.
fn change(pair: &BoxPair, instant: u64) -> Ordering {
    let (closest, v) = (at(pair, instant).1, pair.motion.raw().map(i128::from));
    let parts = |sign: i128| {
        let alike = (0..3).filter(|&i| closest[i].signum() * v[i].signum() == sign);
        alike.fold(U256(0, 0), |sum, i| {
            sum.plus(U256::product(closest[i].unsigned_abs(), v[i].unsigned_abs()))
        })
    };
    parts(1).cmp(&parts(-1))
}

/// Sphere and gap, in raw times 2^32.
fn reach_q32(pair: &BoxPair) -> i128 {
    (i128::from(pair.radius) + i128::from(pair.gap)) << 32
}

/// What may be left beyond the gap per raw of the bound, in raw times 2^32: `max(1, |v|)`.
fn allowance(pair: &BoxPair) -> i128 {
    (pair.motion.length_squared_wide().isqrt() as i128).max(1 << 32)
}

/// The distance is at most `raws` times the allowance beyond the reach.
fn is_within(pair: &BoxPair, instant: u64, raws: i128) -> bool {
    square(at(pair, instant).1) <= U256::square(reach_q32(pair) + raws * allowance(pair))
}

/// What the tests count.
#[derive(Default, Debug)]
struct Tally {
    hits: u64,
    at_start: u64,
    deep: u64,
    corners: u64,
    grazes: u64,
    leaning: u64,
    worst: i128,
}

#[test]
fn never_late_never_lost_and_close() {
    let mut source = Source::new(0x5AABB);
    let mut tally = Tally::default();
    let count = many_cases(100_000);
    for case in 0..count {
        let pair = box_pair(&mut source, case, true);
        let hit = sweep(&pair);
        if square(at(&pair, 0).1) <= U256::square(reach_q32(&pair)) {
            starts_as_its_normal_says(&pair, hit, &mut tally);
            continue;
        }
        match hit {
            Some(hit) => {
                is_a_certificate(&pair, hit, &mut tally);
                stays_clear_when_rounded(&mut source, &pair, hit.toi);
            }
            None => stays_away(&pair, &mut tally),
        }
    }
    println!("{count} cases: {tally:?}");
    assert!(tally.hits > count / 5 && tally.hits < count * 3 / 4, "{tally:?}");
    assert!(
        tally.at_start > count / 50 && tally.deep > count / 400 && tally.corners > count / 50,
        "{tally:?}"
    );
    assert!(tally.grazes > count / 4_000, "{tally:?}");
}

/// A start within the gap is judged by its own normal.
fn starts_as_its_normal_says(pair: &BoxPair, hit: Option<Hit>, tally: &mut Tally) {
    let closest = at(pair, 0).1.map(|c| c >> 32);
    let normal = Normal::from_wide(closest).unwrap_or_else(|| {
        let (w, h) = (pair.offset.raw(), pair.half.raw());
        let depth = [0, 1, 2].map(|i| h[i] - w[i].abs());
        let least = depth.into_iter().min().unwrap();
        let [x, y, z] = [0, 1, 2].map(|i| if depth[i] == least { w[i].signum() as i32 } else { 0 });
        tally.deep += 1;
        Normal::new(x, y, z)
    });
    let want = (normal.dot_wide(pair.motion) < 0).then_some(Hit { toi: Toi::START, normal });
    assert_eq!(hit, want, "{pair:?}");
    tally.hits += u64::from(hit.is_some());
    tally.at_start += u64::from(hit.is_some());
}

/// The distance is convex in time. Where it is above the gap at the time of impact and falling, no
/// earlier instant was nearer; and it must be close.
fn is_a_certificate(pair: &BoxPair, hit: Hit, tally: &mut Tally) {
    let toi = hit.toi.raw();
    let (center, closest) = at(pair, toi);
    assert!(square(closest) >= U256::square(reach_q32(pair)), "late by distance: {pair:?} {hit:?}");
    assert!(change(pair, toi) != Ordering::Greater, "late by rate: {pair:?} {hit:?}");
    assert!(hit.normal.is_valid() && hit.normal.dot_wide(pair.motion) < 0, "{pair:?} {hit:?}");
    while !is_within(pair, toi, tally.worst) {
        tally.worst += 1;
        assert!(tally.worst <= BOUND, "{pair:?} {hit:?}");
    }
    // Along the normal the shapes are the reach apart, to within two raw.
    let n = hit.normal.components().map(i128::from);
    let h = pair.half.raw().map(i128::from);
    let apart: i128 = (0..3).map(|i| n[i] * center[i] - ((n[i].abs() * h[i]) << 32)).sum();
    let reach = i128::from(pair.radius + pair.gap) * i128::from(hit.normal.length_up_q32());
    let slack: i128 = n.iter().map(|c| c.abs() << 33).sum();
    assert!(apart + slack >= reach, "{pair:?} {hit:?} {apart} {reach}");
    tally.hits += 1;
    tally.corners += u64::from(closest.iter().filter(|c| **c != 0).count() > 1);
    tally.leaning += u64::from(Normal::from_wide(closest) != Some(hit.normal));
}

/// No hit: the least distance is beyond the reach. The instants in steps of 2^-32 are searched for
/// the one where the distance begins to rise; close calls go to the rational judge.
fn stays_away(pair: &BoxPair, tally: &mut Tally) {
    let (mut low, mut high) = (0, Toi::END.raw());
    while low < high {
        let middle = (low + high) / 2;
        if change(pair, middle) != Ordering::Less { high = middle } else { low = middle + 1 }
    }
    for instant in [low, low.saturating_sub(1)] {
        assert!(square(at(pair, instant).1) > U256::square(reach_q32(pair)), "lost: {pair:?} at {instant}");
    }
    if is_within(pair, low, 2) || is_within(pair, low.saturating_sub(1), 2) {
        tally.grazes += 1;
        let is_judged = tally.grazes < 4_000 || tally.grazes % 64 == 0; // the judge is slow
        assert!(!is_judged || least_square(pair) > square_reach(pair), "lost: {pair:?}");
    }
}

fn square_reach(pair: &BoxPair) -> BigRational {
    let reach = BigInt::from(pair.radius) + pair.gap;
    ratio(&reach * &reach, 1)
}

/// The exact squared distance from the box, in rationals.
fn square_at(pair: &BoxPair, time: &BigRational) -> BigRational {
    let (w, v, h) = (exact(pair.offset), exact(pair.motion), exact(pair.half));
    let excess = (0..3).map(|i| ((&w[i] + &v[i] * time).abs() - &h[i]).max(BigRational::zero()));
    excess.map(|e| &e * &e).sum()
}

/// The least squared distance in the tick: at an end, where a coordinate passes a face, or where
/// the distance to one of the 26 faces, edges and corners is least.
fn least_square(pair: &BoxPair) -> BigRational {
    let (w, v, h) = (exact(pair.offset), exact(pair.motion), exact(pair.half));
    let mut times = vec![BigRational::zero(), BigRational::one()];
    for feature in 0..27_usize {
        let sides = [feature % 3, feature / 3 % 3, feature / 9].map(|side| side as i64 - 1);
        let outside: Vec<usize> = (0..3).filter(|&i| sides[i] != 0).collect();
        let speed: BigRational = outside.iter().map(|&i| &v[i] * &v[i]).sum();
        if !speed.is_zero() {
            let start = outside.iter().map(|&i| (&w[i] - &h[i] * ratio(sides[i], 1)) * &v[i]);
            times.push(-start.sum::<BigRational>() / speed);
        }
    }
    let inside = times.into_iter().filter(|time| !time.is_negative() && *time <= BigRational::one());
    inside.map(|time| square_at(pair, &time)).min().unwrap()
}

#[test]
fn a_sample_before_the_rational_judge() {
    let mut source = Source::new(0x5AABC);
    let (mut met, mut away, mut extra) = (0_u32, 0_u32, 0_u32);
    for case in 0..many_cases(3_000) {
        let pair = box_pair(&mut source, case, true);
        if square_at(&pair, &BigRational::zero()) <= square_reach(&pair) {
            continue;
        }
        let meets = least_square(&pair) <= square_reach(&pair);
        match sweep(&pair) {
            Some(hit) => {
                assert!(
                    square_at(&pair, &ratio(hit.toi.raw(), 1_u64 << 32)) >= square_reach(&pair),
                    "{pair:?}"
                );
                met += 1;
                extra += u32::from(!meets);
            }
            None => {
                assert!(!meets, "{pair:?}");
                away += 1;
            }
        }
    }
    println!("{met} met, {away} away, {extra} hits beyond the reach");
    assert!(u64::from(met.min(away)) > many_cases(500) && extra < met / 20, "{met} {away} {extra}");
}

/// With a gap of two raw or more, bodies at their own rounded places do not overlap.
fn stays_clear_when_rounded(source: &mut Source, pair: &BoxPair, toi: Toi) {
    if pair.gap >= 2 {
        let (place, way) = (source.vector(1 << 40), source.vector(1 << 44));
        let offset = rounded_offset([place, place + pair.offset], [way, way + pair.motion], toi);
        assert!(!overlap_sphere_aabb(offset, pair.radius(), pair.half), "{pair:?} at {toi}");
    }
}

#[test]
fn mirrored_and_permuted_motions_hit_alike() {
    let mut source = Source::new(0x5AABD);
    let mut hits = 0;
    for case in 0..cases(100 * FAMILIES) {
        let pair = box_pair(&mut source, case, true);
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
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn a_sphere_without_size_hits_a_box_as_a_box_without_size_does() {
    let mut source = Source::new(0x5AABE);
    let mut hits = 0;
    for case in 0..cases(20_000) {
        let pair = BoxPair { radius: 0, gap: 0, ..box_pair(&mut source, case, false) };
        let outside = (0..3).any(|i| pair.offset.raw()[i].abs() > pair.half.raw()[i]);
        let as_box = bitstep::sweep::sweep_aabb_aabb(pair.offset, pair.motion, pair.half, Scalar::ZERO);
        let Some(as_box) = as_box.filter(|hit| outside && hit.normal.length_squared() == 1) else { continue };
        let hit = sweep(&pair).unwrap_or_else(|| panic!("lost {pair:?}"));
        hits += 1;
        assert_eq!(hit.toi, as_box.toi, "{pair:?}");
    }
    assert!(hits > 2_000, "{hits}");
}
