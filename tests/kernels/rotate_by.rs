//! Turns about an axis that stands still: a table by hand, the exact turn in big integers, symmetries, limits.

use bitstep::{
    geom::{ANGULAR_SPEED_MAX, AngularMotion, FreeStep, Rotation, Vec3, rotate_by},
    num::{Scalar, lit},
};
use num_bigint::BigInt;

use crate::{
    oracle::{ONE, Source, Symmetry, big, cases},
    spin::random_turn,
    spin_oracle::{BITS, times},
};

const QUARTER: i64 = ANGULAR_SPEED_MAX.to_bits();

fn about_z(angle: Scalar) -> Vec3 {
    Vec3::new(Scalar::ZERO, Scalar::ZERO, angle)
}

fn rotation(components: [i32; 4]) -> Rotation {
    Rotation::from_components(components).unwrap()
}

/// As far from a length of 1 as a rotation may be, on either side.
fn stretched(source: &mut Source) -> Rotation {
    let most = random_turn(source).components();
    let outward = 2 * source.between(0, 1) - 1;
    let mut at = rotation(most);
    loop {
        let parts = at.components();
        let axis = source.between(0, 3) as usize;
        let mut next = parts;
        next[axis] += (outward * i64::from(parts[axis].signum())) as i32;
        match Rotation::from_components(next) {
            Ok(next) if next != at => at = next,
            _ => return at,
        }
    }
}

/// The sum of `x^2n / (2n + first)!` with alternating signs.
fn series(square: &BigInt, first: u32) -> BigInt {
    let (mut sum, mut term) = (big(1) << BITS, big(1) << BITS);
    for n in 1..50_u32 {
        term = -((&term * square) >> BITS) / ((2 * n + first) * (2 * n + first - 1));
        sum += &term;
    }
    sum
}

/// The exact quaternion, 2^`BITS` long.
fn exact(at: Rotation, angle: Vec3) -> [BigInt; 4] {
    let half = angle.raw().map(|raw| big(raw) << (BITS - 33));
    let square = half.iter().map(|part| (part * part) >> BITS).sum();
    let slope = series(&square, 1);
    let [b, c, d] = half.map(|part| (part * &slope) >> BITS);
    let wide = at.components().map(|part| big(part) << (BITS - 30));
    let length = wide.iter().map(|part| part * part).sum::<BigInt>().sqrt();
    times(&[series(&square, 0), b, c, d], &wide.map(|part| (part << BITS) / &length))
}

/// The largest error over components, in thousandths of a least bit.
fn off(found: Rotation, exact: &[BigInt; 4]) -> u64 {
    let parts = found.components().map(|part| big(part) << (BITS - 30));
    let error = |(part, exact): (&BigInt, &BigInt)| ((part - exact).magnitude() * 1_000_u64) >> (BITS - 30);
    u64::try_from(parts.iter().zip(exact).map(error).max().unwrap()).unwrap()
}

#[test]
fn table() {
    let at = Rotation::IDENTITY;
    let turned = |w, z| FreeStep { orientation: rotation([w, 0, 0, z]), held: false };
    // cos and sin of half the angle, times 2^30: the first sine is ..978.47, which is .53 off.
    assert_eq!(rotate_by(at, about_z(lit("0.5"))), turned(1_040_361_791, 265_647_979));
    assert_eq!(rotate_by(at, about_z(lit("-0.5"))), turned(1_040_361_791, -265_647_979));
    assert_eq!(rotate_by(at, about_z(lit("1"))), turned(942_297_101, 514_779_252));
    assert_eq!(
        rotate_by(at, about_z(ANGULAR_SPEED_MAX)).orientation,
        rotation([759_250_135, 0, 0, 759_250_115])
    );
    // The axis is the world's: a body that was turned about x turns on about the world's z.
    let tipped = rotation([759_250_125, 759_250_125, 0, 0]); // a quarter, its y axis up
    let on = rotate_by(tipped, about_z(ANGULAR_SPEED_MAX)).orientation;
    let forth = on.apply(Vec3::new(lit("1"), Scalar::ZERO, Scalar::ZERO));
    assert!((forth - Vec3::new(Scalar::ZERO, lit("1"), Scalar::ZERO)).within(lit("0.0000001")), "{forth:?}");
    // Too little for a least bit, and nothing: whatever the length is.
    assert_eq!(rotate_by(at, Vec3::from_raw([1, -2, 2])).orientation, at);
    let long = rotation([(1 << 30) + 7, 0, 0, 0]);
    assert_eq!(rotate_by(long, Vec3::ZERO), FreeStep { orientation: long, held: false });
}

#[test]
fn all_are_within_eight_tenths_of_a_least_bit() {
    let mut source = Source::new(81);
    let mut worst = [0; 3];
    for case in 0..cases(6_000) {
        let at = if case % 3 == 0 { stretched(&mut source) } else { random_turn(&mut source) };
        let length = [QUARTER - 3, QUARTER / 2, ONE / 2, source.scaled(QUARTER - 3)][case as usize % 4];
        let angle = match case % 5 {
            0 => source.axial(length),
            _ => source.on_sphere(length.max(4)),
        };
        if angle == Vec3::ZERO {
            continue;
        }
        let turn = rotate_by(at, angle);
        assert!(!turn.held, "{angle:?}");
        let off = off(turn.orientation, &exact(at, angle));
        let worst = &mut worst[case as usize % 3];
        *worst = off.max(*worst);
        assert!(off <= 800, "{off} thousandths: {at:?} {angle:?}");
    }
    println!("off by at most {worst:?} thousandths of a least bit");
    assert!(worst.iter().all(|worst| *worst > 550), "{worst:?}: there were no hard cases");
}

#[test]
fn more_than_a_quarter_is_held_and_never_refused() {
    let mut source = Source::new(82);
    let (mut held, mut free) = (0, 0);
    for case in 0..cases(6_000) {
        let at = if case % 2 == 0 { stretched(&mut source) } else { random_turn(&mut source) };
        let angle = match case % 6 {
            0 => Vec3::from_raw([i64::MIN, i64::MAX, 0]),
            1 => Vec3::from_raw([i64::MIN; 3]),
            2 => {
                let shift = source.between(0, 31);
                source.vector(i64::MAX >> shift)
            }
            3 => source.axial(QUARTER + source.clone().between(-2, 2)),
            _ => source.on_sphere(QUARTER + source.clone().between(-2, 2)),
        };
        let turn = rotate_by(at, angle);
        assert!(AngularMotion::new(at, turn.orientation).is_ok(), "{at:?} {angle:?}");
        let square: BigInt = angle.raw().iter().map(|raw| big(*raw) * big(*raw)).sum();
        assert_eq!(turn.held, square > big(QUARTER) * big(QUARTER), "{angle:?}");
        if turn.held {
            held += 1;
            // As far as it may: in the direction asked for, and short by 2^-30 of a radian at most.
            let length = square.sqrt() + 1;
            let shortened = angle.raw().map(|raw| i64::try_from(big(raw) * big(QUARTER) / &length).unwrap());
            let off = off(turn.orientation, &exact(at, Vec3::from_raw(shortened)));
            assert!(off <= 1_300, "{off} thousandths: {at:?} {angle:?}");
        } else {
            free += 1;
        }
    }
    assert!(held > 3_000 && free > 500, "{held} {free}");
}

#[test]
fn all_48_axis_maps_turn_alike_and_so_do_opposites() {
    let mut source = Source::new(83);
    let maps = Symmetry::all();
    for case in 0..cases(300) {
        let at = if case % 5 == 0 { Rotation::IDENTITY } else { random_turn(&mut source) };
        let angle = source.ragged([ONE / 60, ONE / 2, QUARTER / 2, 5 * ONE][case as usize % 4]);
        let turn = rotate_by(at, angle);
        for map in &maps {
            let image = |at: Rotation| {
                let [w, axis @ ..] = at.components();
                let [x, y, z] =
                    map.of_axial(Vec3::from_raw(axis.map(i64::from))).raw().map(|part| part as i32);
                rotation([w, x, y, z])
            };
            let other = rotate_by(image(at), map.of_axial(angle));
            assert_eq!(other, FreeStep { orientation: image(turn.orientation), ..turn }, "{map:?}");
        }
        let opposite = |at: Rotation| rotation(at.components().map(|part| -part));
        assert_eq!(rotate_by(opposite(at), angle).orientation, opposite(turn.orientation));
        let [w, x, y, z] = rotate_by(Rotation::IDENTITY, angle).orientation.components();
        assert_eq!(rotate_by(Rotation::IDENTITY, -angle).orientation, rotation([w, -x, -y, -z]));
    }
}

#[test]
fn ten_thousand_turns_do_not_change_the_length() {
    let mut source = Source::new(84);
    for length in [ONE / 1_000, ONE / 60, ONE / 2, QUARTER - 3] {
        let (mut at, angle) = (stretched(&mut source), source.on_sphere(length));
        for tick in 0..10_000 {
            at = rotate_by(at, angle).orientation;
            let square: i64 = at.components().map(|part| i64::from(part).pow(2)).iter().sum();
            // 2^-30 of the length is 2^31 of its square.
            assert!((square - (1 << 60)).abs() <= 5 << 29, "tick {tick}: {square}");
        }
        // What lies along the axis stays there.
        let [w, x, y, z] = at.components();
        let along = rotation([w, -x, -y, -z]).apply(angle);
        let again = rotate_by(at, angle).orientation.apply(along);
        assert!((angle - again).within(Scalar::from_bits(length >> 26)), "{angle:?} {again:?}");
    }
}
