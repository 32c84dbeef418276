//! A free body rotates: a table by hand, the rule in big integers, the motion itself, symmetries, limits.

use bitstep::{
    geom::{
        ANGULAR_SPEED_MAX, FreeStep, Inertia, Rotation, Vec3, angular_velocity_nearest, free_step,
        slowed_to_limit,
    },
    num::{Scalar, lit},
    shape::{inertia_box, inertia_sphere},
};

use crate::{
    oracle::{ONE, Source, Symmetry, big, cases},
    spin_oracle::{BITS, Free},
};

/// A ball whose moments are 1.
fn unit_ball() -> Inertia {
    inertia_sphere(10, lit("0.5")).unwrap()
}

fn turned(w: i32, x: i32, y: i32, z: i32) -> FreeStep {
    FreeStep { orientation: Rotation::from_components([w, x, y, z]).unwrap(), held: false }
}

pub fn random_turn(source: &mut Source) -> Rotation {
    loop {
        let [w, x, y, z] = [(); 4].map(|()| Scalar::from_bits(source.between(-ONE, ONE)));
        if let Some(rotation) = Rotation::from_quaternion(w, x, y, z) {
            return rotation;
        }
    }
}

/// A box from a cube to the longest, thinnest one that is allowed, and of any mass.
pub fn random_inertia(source: &mut Source) -> Inertia {
    loop {
        let mass = source.between(1, 1 << 16) as u32;
        let thin = [(); 3].map(|()| source.between(0, 1) * source.between(0, 5));
        let half = Vec3::from_raw(thin.map(|shift| source.between(ONE >> shift, (2 * ONE) >> shift)));
        if let Ok(inertia) = inertia_box(mass, half) {
            return inertia;
        }
    }
}

/// An angular momentum at which the body rotates by about so many thousandths of a radian per tick.
pub fn momentum_for(source: &mut Source, orientation: Rotation, inertia: &Inertia, thousandths: i64) -> Vec3 {
    let speeds = source.on_sphere(thousandths * ONE / 1_000).raw();
    let moments = inertia.moments();
    let parts = [0, 1, 2].map(|axis: usize| {
        let product = big(moments[axis]) * big(speeds[axis]);
        i64::try_from(product >> 64).unwrap_or(i64::MAX >> 2)
    });
    orientation.apply(Vec3::from_raw(parts))
}

#[test]
fn table() {
    let ball = unit_ball();
    let at = Rotation::IDENTITY;
    let about_z = |speed: Scalar| Vec3::new(Scalar::ZERO, Scalar::ZERO, speed);
    // cos and sin of half the angle, times 2^30; the first sine is ..978.47, and .53 off.
    assert_eq!(free_step(at, about_z(lit("0.5")), &ball), turned(1_040_361_791, 0, 0, 265_647_979));
    assert_eq!(free_step(at, about_z(lit("-0.5")), &ball), turned(1_040_361_791, 0, 0, -265_647_979));
    assert_eq!(free_step(at, about_z(lit("1")), &ball), turned(942_297_101, 0, 0, 514_779_252));
    let x = Vec3::new(lit("1"), Scalar::ZERO, Scalar::ZERO);
    assert_eq!(free_step(at, x, &ball), turned(942_297_101, 514_779_252, 0, 0));
    // A brick about a principal axis: ω = L / I, with I = 13, 10, 5.
    let brick = inertia_box(3, Vec3::new(lit("1"), lit("2"), lit("3"))).unwrap();
    let y = Vec3::new(Scalar::ZERO, lit("5"), Scalar::ZERO);
    assert_eq!(free_step(at, y, &brick), turned(1_040_361_791, 0, 265_647_978, 0));
    assert_eq!(
        angular_velocity_nearest(at, y, &brick),
        Some(Vec3::new(Scalar::ZERO, lit("0.5"), Scalar::ZERO))
    );
    // At rest, and too slow for a least bit.
    let some = Rotation::from_quaternion(lit("1"), lit("2"), lit("-3"), lit("4")).unwrap();
    assert_eq!(free_step(some, Vec3::ZERO, &brick), FreeStep { orientation: some, held: false });
    assert_eq!(angular_velocity_nearest(some, Vec3::ZERO, &brick), Some(Vec3::ZERO));
    assert_eq!(free_step(at, Vec3::from_raw([1, 0, 0]), &brick).orientation, at);
    // A quarter turn is not held, what is clearly more is.
    assert!(!free_step(at, about_z(ANGULAR_SPEED_MAX), &ball).held);
    assert!(free_step(at, about_z(lit("1.7")), &ball).held);
}

#[test]
fn orientations_are_the_rules_within_two_least_bits() {
    let mut source = Source::new(71);
    let (mut checked, mut exact, mut rods) = (0, 0, 0);
    for case in 0..cases(1_200) {
        let (at, inertia) = (random_turn(&mut source), random_inertia(&mut source));
        let speed = [1, 20, 300, 390, 700, 1_500][case as usize % 6];
        let momentum = momentum_for(&mut source, at, &inertia, speed);
        let FreeStep { orientation, held } = free_step(at, momentum, &inertia);
        let mut oracle = Free::new(at, momentum, &inertia);
        if oracle.rule().is_none() || held {
            continue;
        }
        checked += 1;
        let off = oracle.off(orientation);
        exact += i32::from(off == big(0));
        let [a, b, c] = inertia.moments();
        rods += i32::from(a.max(b).max(c) > 200 * a.min(b).min(c));
        assert!(off < big(3), "{off} least bits: {at:?} {momentum:?} {inertia:?}");
    }
    assert!(checked > 1_000 && exact > 60 && rods > 20, "{checked} {exact} {rods}");
}

#[test]
fn one_tick_is_near_the_motion_itself() {
    // (thousandths of a radian per tick, bound in millionths of a radian)
    let bounds = [(10, 1), (100, 80), (350, 4_000), (700, 7_000), (1_400, 15_000)];
    for (speed, bound) in bounds {
        let mut source = Source::new(72);
        let (mut worst, mut counted) = (big(0), 0);
        for _ in 0..cases(40) {
            let (at, inertia) = (random_turn(&mut source), random_inertia(&mut source));
            let momentum = momentum_for(&mut source, at, &inertia, speed);
            let FreeStep { orientation, held } = free_step(at, momentum, &inertia);
            if held {
                continue;
            }
            counted += 1;
            let mut oracle = Free::new(at, momentum, &inertia);
            oracle.flow(64);
            worst = worst.max(oracle.off(orientation)); // half an angle, with 30 fraction bits
        }
        let millionths = (worst * 2_000_000) >> 30;
        println!("{speed} thousandths: off by {millionths} millionths of a radian in {counted} cases");
        assert!(counted > 20 && millionths <= big(bound), "{speed}: {millionths} of {bound} in {counted}");
    }
}

#[test]
fn angular_velocity_is_the_nearest() {
    let mut source = Source::new(73);
    let mut flat = 0;
    for case in 0..cases(4_000) {
        let (at, inertia) = (random_turn(&mut source), random_inertia(&mut source));
        let momentum = momentum_for(&mut source, at, &inertia, [1, 50, 1_500, 9_000][case as usize % 4]);
        let Some(found) = angular_velocity_nearest(at, momentum, &inertia).map(Vec3::raw) else {
            // About the axis of the least moment all of the momentum would be 2^14 radians per tick.
            let most = momentum.raw().into_iter().map(i64::unsigned_abs).fold(0, u64::max);
            let least = inertia.moments().into_iter().fold(u128::MAX, u128::min);
            assert!(big(most) << 32_u8 >= big(least) >> 18_u8, "{momentum:?} {inertia:?}");
            flat += 1;
            continue;
        };
        let exact = Free::new(at, momentum, &inertia).angular_velocity();
        for (found, exact) in found.into_iter().zip(exact) {
            let off = (big(found) << (BITS - 32)) - exact;
            assert!(*off.magnitude() < big(1_u64).magnitude() << (BITS - 32), "{momentum:?} {inertia:?}");
        }
    }
    assert!(flat <= cases(4_000) / 1_000, "{flat}");
}

#[test]
fn all_48_axis_maps_turn_alike() {
    let mut source = Source::new(74);
    let maps = Symmetry::all();
    for case in 0..cases(60) {
        let mass = source.between(1, 1 << 16) as u32;
        let half = Vec3::from_raw([(); 3].map(|()| source.between(ONE / 20, 2 * ONE)));
        // Every third is a cube or has two equal sides, as are most boxes that people make.
        let half = match case % 6 {
            0 => Vec3::splat(half.x),
            1 => Vec3::new(half.x, half.x, half.z),
            _ => half,
        };
        let Ok(inertia) = inertia_box(mass, half) else { continue };
        let at = if case % 5 == 0 { Rotation::IDENTITY } else { random_turn(&mut source) };
        let momentum = momentum_for(&mut source, at, &inertia, [30, 400, 1_500, 4_000][case as usize % 4]);
        for map in &maps {
            let image = |at: Rotation| {
                let [w, axis @ ..] = at.components();
                let [x, y, z] =
                    map.of_axial(Vec3::from_raw(axis.map(i64::from))).raw().map(|part| part as i32);
                Rotation::from_components([w, x, y, z]).unwrap()
            };
            let (mirrored, other) = (map.of_axial(momentum), inertia_box(mass, map.of_extent(half)).unwrap());
            let (mut a, mut b) = (at, image(at));
            for tick in 0..20 {
                let (next, next_image) = (free_step(a, momentum, &inertia), free_step(b, mirrored, &other));
                assert_eq!(image(next.orientation), next_image.orientation, "{case} {tick} {map:?}");
                assert_eq!(next.held, next_image.held);
                (a, b) = (next.orientation, next_image.orientation);
            }
            let speed = angular_velocity_nearest(a, momentum, &inertia);
            assert_eq!(speed.map(|v| map.of_axial(v)), angular_velocity_nearest(b, mirrored, &other));
            let slow = slowed_to_limit(a, momentum, &inertia);
            assert_eq!(map.of_axial(slow), slowed_to_limit(b, mirrored, &other));
        }
    }
}

#[test]
fn whatever_is_too_fast_is_held_within_a_quarter() {
    let mut source = Source::new(75);
    let (mut held, mut none) = (0, 0);
    for case in 0..cases(3_000) {
        let moments = match case % 5 {
            0 => random_inertia(&mut source),
            1 => Inertia::new([(1 << source.between(0, 90)) + 3; 3]).unwrap(),
            _ => Inertia::new([1, 4096, 4096]).unwrap(),
        };
        let at = random_turn(&mut source);
        let momentum = match case % 4 {
            0 => Vec3::from_raw([i64::MIN, i64::MAX, 0]),
            1 => Vec3::from_raw([i64::MIN; 3]),
            _ => {
                let shift = source.between(2, 60);
                source.vector(i64::MAX >> shift)
            }
        };
        let turn = free_step(at, momentum, &moments);
        let pairs = turn.orientation.components().into_iter().zip(at.components());
        let dot: i128 = pairs.map(|(a, b)| i128::from(a) * i128::from(b)).sum();
        // cos 45° squared is a half; the stored lengths are off by a few 2^-30.
        assert!(2 * (dot >> 30) * (dot >> 30) > (1 << 60) - (1 << 34), "{at:?} {momentum:?} {moments:?}");
        held += i32::from(turn.held);
        none += i32::from(angular_velocity_nearest(at, momentum, &moments).is_none());
        let slow = slowed_to_limit(at, momentum, &moments);
        for (slow, raw) in slow.raw().into_iter().zip(momentum.raw()) {
            assert!(slow.unsigned_abs() <= raw.unsigned_abs() && slow.signum() * raw.signum() >= 0);
        }
        let speed = angular_velocity_nearest(at, slow, &moments).unwrap();
        let limit = ANGULAR_SPEED_MAX.to_bits() as u128 + 2;
        assert!(speed.length_squared_wide() <= limit * limit, "{speed:?} {momentum:?} {moments:?}");
        assert_eq!(slowed_to_limit(at, slow, &moments), slow);
    }
    assert!(held > 1_000 && none > 300, "{held} {none}");
}

#[test]
fn clamped_spins_keep_nearly_all_they_may() {
    let mut source = Source::new(76);
    for _ in 0..cases(500) {
        let (at, inertia) = (random_turn(&mut source), random_inertia(&mut source));
        let momentum = momentum_for(&mut source, at, &inertia, 3_000);
        let slow = slowed_to_limit(at, momentum, &inertia);
        let speed = angular_velocity_nearest(at, slow, &inertia).unwrap();
        let limit = (ANGULAR_SPEED_MAX.to_bits() - (1 << 8)) as u128;
        assert!(speed.length_squared_wide() > limit * limit, "{speed:?}");
    }
}
