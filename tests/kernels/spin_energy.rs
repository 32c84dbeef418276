//! Ten thousand ticks of free bodies: energy, the flip about the middle axis, which way a mirrored one goes.

use bitstep::{
    geom::{Inertia, Rotation, Vec3, free_step},
    num::lit,
    shape::{inertia_box, inertia_capsule},
};
use num_bigint::BigInt;

use crate::{
    oracle::{ONE, Source, big},
    spin::{momentum_for, random_turn},
    spin_oracle::Free,
};

const TICKS: usize = 10_000;
/// Radians per tick in thousandths: a degree, 10, 38 (40 rad/s at 60 Hz), 60 and 85.
const SPEEDS: [i64; 5] = [17, 175, 667, 1_047, 1_484];

fn bodies() -> Vec<(&'static str, Inertia)> {
    let boxed = |mass, half: [i64; 3]| inertia_box(mass, Vec3::from_raw(half.map(|part| part * ONE / 1_000)));
    vec![
        ("brick 1:2:3", boxed(5, [500, 1_000, 1_500]).unwrap()),
        ("plate", boxed(7, [1_000, 1_000, 20]).unwrap()),
        ("book", boxed(7, [500, 1_000, 10]).unwrap()),
        ("capsule", inertia_capsule(40, lit("0.25"), lit("1")).unwrap()),
        ("rod 40:1", boxed(3, [2_000, 50, 50]).unwrap()),
        ("bar 40:2:1", boxed(30, [2_000, 100, 50]).unwrap()),
        ("rod 89:1", boxed(900, [4_000, 45, 45]).unwrap()),
    ]
}

/// An angular momentum near the steepest slope of the energy: that of the axis of the largest moment, leaned
/// toward that of the least so that both have the same energy.
fn steep(orientation: Rotation, inertia: &Inertia, thousandths: i64) -> Vec3 {
    let moments = inertia.moments();
    let most = (0..3).max_by_key(|axis| moments[*axis]).expect("three");
    let least = (0..3).min_by_key(|axis| moments[*axis]).expect("three");
    let speed = thousandths * ONE / 1_000;
    let mut parts = [0; 3];
    parts[most] = i64::try_from((big(moments[most]) * speed) >> 64).expect("small");
    // I ω of both with I ω² alike: the ratio of momenta is the root of that of the moments.
    let ratio = ((moments[least] << 20) / moments[most]).isqrt() as i64; // 10 fraction bits
    parts[least] = parts[most] / 1_024 * ratio;
    orientation.apply(Vec3::from_raw(parts))
}

/// By how much energy is off in parts in 10^12: at most, in the mean of the first half and of the second.
fn run(at: Rotation, momentum: Vec3, inertia: &Inertia) -> (BigInt, BigInt, BigInt) {
    let energy = |at| Free::new(at, momentum, inertia).energy_twice();
    let (mut at, first) = (at, energy(at));
    let (mut worst, mut halves) = (big(0), [big(0), big(0)]);
    for tick in 0..TICKS {
        at = free_step(at, momentum, inertia).orientation;
        if tick % 8 == 0 {
            let off: BigInt = (energy(at) - &first) * 1_000_000_000_000_i64 / &first;
            halves[tick * 2 / TICKS] += &off;
            worst = worst.max(BigInt::from(off.magnitude().clone()));
        }
    }
    let count = TICKS / 16;
    let [early, late] = halves.map(|sum| sum / count);
    (worst, early, late)
}

#[test]
fn energy_stays_and_has_no_trend() {
    let mut source = Source::new(81);
    let (mut runs, mut rising) = (0, 0);
    for (name, inertia) in bodies() {
        for speed in SPEEDS {
            let at = random_turn(&mut source);
            for momentum in [momentum_for(&mut source, at, &inertia, speed), steep(at, &inertia, speed)] {
                let (worst, early, late) = run(at, momentum, &inertia);
                println!("{name} {speed}: off by {worst}, {early}, {late} in 10^12");
                assert!(worst <= big(1_000_000), "{name} {speed}: {worst}");
                runs += 1;
                rising += i32::from(late > early);
            }
        }
    }
    println!("{rising} of {runs} rise");
    // A trend would show as the same sign in nearly all of them.
    assert!(runs == 70 && (20..=50).contains(&rising), "{rising} of {runs}");
}

#[test]
fn the_middle_axis_flips_and_the_others_do_not() {
    // Moments 13, 10, 5: the second axis is the middle one.
    let inertia = inertia_box(3, Vec3::new(lit("1"), lit("2"), lit("3"))).unwrap();
    let flips = |axis: usize| {
        let mut parts = [ONE / 200; 3]; // a slight lean
        parts[axis] = 2 * ONE;
        let momentum = Vec3::from_raw(parts);
        let (mut at, mut flips, mut up) = (Rotation::IDENTITY, 0, true);
        for _ in 0..TICKS {
            at = free_step(at, momentum, &inertia).orientation;
            let along =
                at.apply(Vec3::from_raw([0, 1, 2].map(|other: usize| i64::from(other == axis) * ONE)));
            let cosine = along.raw()[axis];
            if (cosine > ONE / 2 && !up) || (cosine < -ONE / 2 && up) {
                (flips, up) = (flips + 1, !up);
            }
        }
        flips
    };
    let middle = flips(1);
    println!("{middle} flips");
    assert!((40..=120).contains(&middle), "{middle}");
    assert_eq!((flips(0), flips(2)), (0, 0));
}

#[test]
fn a_mirrored_body_turns_mirrored_for_ten_thousand_ticks() {
    let inertia = inertia_box(3, Vec3::new(lit("1"), lit("2"), lit("3"))).unwrap();
    // Mirrored in x: what rotates about x goes on, what rotates about y or z turns round.
    let mirror = |at: Rotation| {
        let [w, x, y, z] = at.components();
        Rotation::from_components([w, x, -y, -z]).unwrap()
    };
    let mut source = Source::new(82);
    let at = random_turn(&mut source);
    let momentum = momentum_for(&mut source, at, &inertia, 300);
    let [x, y, z] = momentum.raw();
    let mirrored = Vec3::from_raw([x, -y, -z]);
    let (mut a, mut b) = (at, mirror(at));
    for tick in 0..TICKS {
        a = free_step(a, momentum, &inertia).orientation;
        b = free_step(b, mirrored, &inertia).orientation;
        assert_eq!(mirror(a), b, "{tick}");
    }
}
