//! Sine, cosine and the angle of a direction, against series of big integers.

use bitstep::num::{
    Scalar, lit,
    trig::{atan2, cos, sin, sin_cos},
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::oracle::{self, ONE, Source, big};

/// A quarter of a turn in raw.
const QUARTER: i64 = ONE / 4;

fn raw(bits: i64) -> Scalar {
    Scalar::from_bits(bits)
}

#[test]
fn angles_as_worked_by_hand() {
    // The sine and cosine of 2 pi a, to 16 digits, as in any table.
    let table = [
        ("0", "0", "1"),
        ("0.25", "1", "0"),
        ("0.5", "0", "-1"),
        ("0.75", "-1", "0"),
        ("-0.25", "-1", "0"),
        ("12345678", "0", "1"),
        ("-2147483648", "0", "1"),
        ("2147483647.25", "1", "0"),
        ("0.125", "0.7071067811865475", "0.7071067811865475"),
        ("0.0625", "0.3826834323650898", "0.9238795325112867"),
        ("-0.4375", "-0.3826834323650898", "-0.9238795325112867"),
        ("0.03125", "0.1950903220161283", "0.9807852804032304"),
        ("1000.96875", "-0.1950903220161283", "0.9807852804032304"),
    ];
    for (angle, sine, cosine) in table {
        let scalar = |text: &str| text.parse::<Scalar>().unwrap();
        assert_eq!(sin_cos(scalar(angle)), (scalar(sine), scalar(cosine)), "{angle}");
    }
    // A degree is no fraction of two; the nearest one is off by less than half a raw, 3.15 raw of sine at most.
    assert!((sin(lit("1") / 12) - lit("0.5")).abs() <= raw(3));
    // 2 pi raw per raw at the start; 1 - cos is below half a raw up to 1 / (2 pi 2^16) of a turn: 10430 raw.
    assert_eq!([1, 2, -1, -7].map(|angle| sin(raw(angle)).to_bits()), [6, 13, -6, -44]);
    assert_eq!([10_430, 10_431].map(|angle| cos(raw(angle)).to_bits()), [ONE, ONE - 1]);
}

#[test]
fn directions_as_worked_by_hand() {
    let (most, least) = (Scalar::MAX, Scalar::MIN);
    let (zero, bit) = (raw(0), raw(1));
    let table = [
        (zero, zero, "0"),
        (zero, bit, "0"),
        (zero, most, "0"),
        (bit, zero, "0.25"),
        (most, zero, "0.25"),
        (zero, -bit, "0.5"),
        (zero, least, "0.5"),
        (-bit, zero, "-0.25"),
        (least, zero, "-0.25"),
        (bit, bit, "0.125"),
        (most, most, "0.125"),
        (bit, -bit, "0.375"),
        (-bit, -bit, "-0.375"),
        (least, least, "-0.375"),
        (-most, most, "-0.125"),
        // Next to an axis and to a diagonal.
        (bit, most, "0"),
        (most, -bit, "0.25"),
        (bit, least, "0.5"),
        (-bit, least, "-0.5"),
        (most, least, "0.375"),
        (least, most, "-0.125"),
        // 30 and 60 degrees by the square root of three; 3, 4, 5 and 5, 12, 13 by a table of angles.
        (lit("1"), lit("1.7320508075688773"), "0.08333333333333333"),
        (lit("-1.7320508075688773"), lit("1"), "-0.16666666666666666"),
        (lit("3"), lit("4"), "0.10241638234956673"),
        (lit("5"), lit("12"), "0.0628329582"),
        (lit("-12"), lit("-5"), "-0.3128329582"),
    ];
    for (y, x, angle) in table {
        assert_eq!(atan2(y, x), angle.parse::<Scalar>().unwrap(), "{y} {x}");
    }
    // The tangent of half a raw is pi 2^-32, so 1 in 2^32 / pi = 1367130551.15 is where 1 begins.
    assert_eq!([1_367_130_551, 1_367_130_552].map(|x| atan2(bit, raw(x)).to_bits()), [1, 0]);
}

// ---------------------------------------------------------------- the oracle

/// The fraction bits of the oracle.
const BITS: u32 = 192;
/// How finely the oracle knows angles: 2^-40 raw.
const FINE: u32 = 40;
/// By how much a sine or cosine of the oracle may be off, in its own least bits: 200 roundings and pi's error.
const SLACK: i64 = 4_096;

/// Sines and cosines of any angle within a turn, by nothing but their series.
struct Circle {
    /// 2 pi, within 2^-190, by Machin's formula.
    tau: BigInt,
}

impl Circle {
    fn new() -> Self {
        let inverse_tangent = |of: i64| {
            let (mut power, mut sum) = ((big(1) << (BITS + 16)) / of, big(0));
            for half in 0.. {
                let part: BigInt = &power / (2 * half + 1);
                if part.is_zero() {
                    break;
                }
                sum += if half % 2 == 0 { part } else { -part };
                power /= of * of;
            }
            sum
        };
        Self { tau: (inverse_tangent(5) * 32 - inverse_tangent(239) * 8) >> 16 }
    }

    /// (sine, cosine) of an angle in 2^-40 raw, each within [`SLACK`].
    fn point(&self, angle: &BigInt) -> (BigInt, BigInt) {
        let radians: BigInt = (angle * &self.tau) >> (32 + FINE);
        let (mut term, mut parts) = (big(1) << BITS, [big(0), big(0)]);
        for power in 0_usize.. {
            if term.is_zero() {
                break; // terms fall by then, and their signs alternate: the rest is less than this one
            }
            let part = term.clone();
            parts[power % 2] += if power % 4 < 2 { part } else { -part };
            term = ((term * &radians) >> BITS) / (power + 1);
        }
        let [cosine, sine] = parts;
        (sine, cosine)
    }

    /// On which side of the angle, in 2^-40 raw, the direction lies: 1 further round, -1 less far,
    /// 0 where the oracle cannot tell. For directions within a quarter of a turn of it.
    fn side(&self, angle: &BigInt, y: i64, x: i64) -> i32 {
        let (sine, cosine) = self.point(angle);
        let cross = cosine * y - sine * x;
        let doubt = big(SLACK) * (i128::from(y).abs() + i128::from(x).abs());
        if cross > doubt {
            1
        } else if cross < -doubt {
            -1
        } else {
            0
        }
    }
}

/// True if a found number of raw is the one nearest to what the oracle says.
fn is_nearest(found: i64, truth: &BigInt) -> bool {
    let half = big(1) << (BITS - 33);
    (truth - (big(found) << (BITS - 32))).abs() + SLACK < half
}

fn check_sin_cos(circle: &Circle, angle: i64) {
    let (sine, cosine) = sin_cos(raw(angle));
    let turn_part = angle.rem_euclid(ONE) - if angle.rem_euclid(ONE) > ONE / 2 { ONE } else { 0 };
    let (true_sine, true_cosine) = circle.point(&(big(turn_part) << FINE));
    assert!(is_nearest(sine.to_bits(), &true_sine), "sin {angle}");
    assert!(is_nearest(cosine.to_bits(), &true_cosine), "cos {angle}");
    assert_eq!((sin(raw(angle)), cos(raw(angle))), (sine, cosine));
    let square = |part: Scalar| i128::from(part.to_bits()).pow(2);
    let off = square(sine) + square(cosine) - (1 << 64);
    assert!(off.abs() * 100 < 142 << 32, "{angle}: {off}");
}

/// Says whether it is the nearest, too; it is always within half a raw and 2^-34 raw.
fn check_atan2(circle: &Circle, y: i64, x: i64) -> bool {
    let found = big(atan2(raw(y), raw(x)).to_bits()) << FINE;
    let half = big(1) << (FINE - 1);
    let at = |offset: BigInt| circle.side(&(&found + offset), y, x);
    let more = big(1) << (FINE - 34);
    let (least, most) = (at(-&half), at(half.clone()));
    if least == 1 && most == -1 {
        return true;
    }
    assert!(at(-&half - &more) == 1 && at(half + more) == -1, "atan2({y}, {x})");
    false
}

#[test]
fn sines_and_cosines_are_the_nearest() {
    let (circle, mut source, mut cases) = (Circle::new(), Source::new(71), 0);
    let mut check = |angle: i64| {
        check_sin_cos(&circle, angle);
        cases += 1;
    };
    // Every 1024th of a turn, with its neighbours; every small angle; what is hardest to round.
    for part in -1_024..=1_024_i64 {
        (-2..=2).for_each(|step| check(part * (ONE / 1_024) + step));
    }
    (-1_000..=1_000).for_each(&mut check);
    HARDEST
        .iter()
        .flat_map(|&angle| (0..8).map(move |k| k * QUARTER + [angle, -angle][(k % 2) as usize]))
        .for_each(&mut check);
    for case in 0..oracle::cases(60_000) {
        let near = QUARTER / 2 * source.between(-8, 8);
        check(match case % 4 {
            0 => source.bits() as i64,
            1 => source.between(-ONE, ONE),
            2 => near + source.signed(1 << 32),
            _ => near + source.between(-40_000, 40_000), // where a cosine rests on 1
        });
    }
    assert!(cases >= 60_000 + 5 * 2_049 + 2_001 + 8 * HARDEST.len() as u64);
}

/// The angles below an eighth of a turn, in raw, whose sine or cosine is nearest to half a raw, of all.
const HARDEST: [i64; 3] = [306_654_577, 348_275_538, 382_192_118];

#[test]
fn directions_of_small_numbers_have_the_nearest_angle() {
    let (circle, mut nearest) = (Circle::new(), 0);
    for y in -24..=24 {
        for x in -24..=24 {
            nearest += u32::from((x, y) == (0, 0) || check_atan2(&circle, y, x));
        }
    }
    assert_eq!(nearest, 49 * 49);
}

/// From this one on the families of directions are next to halves.
const FIRST_HALF: u64 = 6;

/// A direction: an adversarial family by number.
fn direction(source: &mut Source, circle: &Circle, case: u64) -> (i64, i64) {
    let turned = |source: &mut Source, long: i64, short: i64| {
        let mut signed = |size: i64| if source.bits() & 1 == 0 { size } else { -size };
        let (long, short) = (signed(long), signed(short));
        if source.bits() & 1 == 0 { (long, short) } else { (short, long) }
    };
    match case % 8 {
        0 => (source.bits() as i64, source.bits() as i64),
        1 => (source.signed(i64::MAX), source.signed(i64::MAX)),
        2 => {
            let long = source.scaled(i64::MAX);
            let short = long - source.scaled(long.min(1 << 34)); // near a diagonal
            turned(source, long, short)
        }
        3 => {
            let (long, short) = (source.scaled(i64::MAX), source.scaled(1 << 33)); // near an axis
            turned(source, long, short)
        }
        4 => (source.between(-1_000, 1_000), source.between(-1_000, 1_000)),
        5 => (i64::MIN + source.scaled(9), source.signed(i64::MAX)),
        // As near to halfway between two angles as whole numbers are, of all lengths up to the longest.
        _ => {
            let halfway = 2 * source.signed(ONE / 2) + 1;
            let (sine, cosine) = circle.point(&(big(halfway) << (FINE - 1)));
            let bits = if case % 8 == 6 { 63 } else { source.between(33, 63) as u32 };
            let length = |part: BigInt| -> i64 {
                let part: BigInt = part >> (BITS - bits);
                part.clamp(big(i64::MIN), big(i64::MAX)).try_into().unwrap()
            };
            (length(sine), length(cosine))
        }
    }
}

#[test]
fn angles_are_the_nearest_but_for_less_than_is_stated() {
    let (circle, mut source) = (Circle::new(), Source::new(72));
    let (mut all, mut halves, mut lost, mut scaled) = (0_u64, 0_u64, 0_u64, 0_u64);
    for case in 0..oracle::cases(64_000) {
        let (y, x) = direction(&mut source, &circle, case);
        if (y, x) == (0, 0) {
            continue;
        }
        let (is_nearest, is_half) = (check_atan2(&circle, y, x), case % 8 >= FIRST_HALF);
        assert!(is_nearest || is_half, "{y} {x}");
        all += 1;
        halves += u64::from(is_half);
        lost += u64::from(!is_nearest);
        if y.unsigned_abs().max(x.unsigned_abs()) < 1 << 40 {
            let more = source.between(1, 23) as u32;
            assert_eq!(atan2(raw(y << more), raw(x << more)), atan2(raw(y), raw(x)), "{y} {x}");
            scaled += 1;
        }
    }
    println!("{all}, {halves} of them next to a half, {lost} of these not the nearest; {scaled} scaled");
    assert!(all > 63_700 && halves > 15_900, "{all} {halves}");
    assert!(lost > 0 && lost * 5 < halves && scaled > 20_000, "{lost} {scaled}");
}

#[test]
fn sines_turned_and_mirrored_are_the_same_bits() {
    let mut source = Source::new(73);
    for case in 0..oracle::cases(100_000) {
        let near = QUARTER / 2 * source.between(0, 16);
        let angle = if case % 2 == 0 { source.bits() as i64 >> 2 } else { near + source.signed(1 << 20) };
        let (sine, cosine) = sin_cos(raw(angle));
        assert_eq!(sin_cos(raw(-angle)), (-sine, cosine), "{angle}");
        assert_eq!(sin_cos(raw(angle + QUARTER)), (cosine, -sine), "{angle}");
        assert_eq!(sin_cos(raw(2 * QUARTER - angle)), (sine, -cosine), "{angle}");
        assert_eq!(sin_cos(raw(QUARTER - angle)), (cosine, sine), "{angle}");
        let more = sin(raw(angle + 1));
        let rises = (angle + QUARTER).rem_euclid(ONE) < 2 * QUARTER;
        assert!(if rises { more >= sine } else { more <= sine }, "{angle}");
    }
}

#[test]
fn directions_turned_and_mirrored_have_the_same_bits() {
    let (circle, mut source, mut rising) = (Circle::new(), Source::new(74), 0);
    for case in 0..oracle::cases(50_000) {
        let (y, x) = direction(&mut source, &circle, case % 6);
        let (y, x) = (y.saturating_abs(), x.saturating_abs());
        if (y, x) == (0, 0) {
            continue;
        }
        let of = |y: i64, x: i64| atan2(raw(y), raw(x)).to_bits();
        let angle = of(y, x);
        assert_eq!(of(y, -x), 2 * QUARTER - angle, "{y} {x}");
        assert_eq!(of(x, y), QUARTER - angle, "{y} {x}");
        if y != 0 {
            assert_eq!(of(-y, x), -angle, "{y} {x}");
            assert_eq!(of(-y, -x), angle - 2 * QUARTER, "{y} {x}");
        }
        // Further round by the cross product, not less far by the angle.
        let near = |size: i64, by: i64| size.saturating_add(by).max(0);
        let (up, along) = (near(y, source.between(-3, 3)), near(x, source.between(-3, 3)));
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        if (up, along) != (0, 0) && product(up, x) >= product(along, y) {
            assert!(of(up, along) >= angle, "{y} {x} {up} {along}");
            rising += 1;
        }
    }
    assert!(rising > 20_000, "{rising}");
}

/// There and back: the angle of the point at an angle is that angle.
#[test]
fn the_angle_of_a_point_is_the_angle() {
    let mut source = Source::new(75);
    for case in 0..oracle::cases(50_000) {
        let near = QUARTER / 2 * source.between(-4, 4);
        let angle = if case % 2 == 0 { source.bits() as i32 } else { (near + source.signed(1 << 12)) as i32 };
        let (sine, cosine) = sin_cos(raw(angle.into()));
        // A raw of the angle is 2 pi raw of the point, whose parts are off by half a raw.
        let back = atan2(sine, cosine).to_bits() as i32;
        assert_eq!(back, angle);
    }
}
