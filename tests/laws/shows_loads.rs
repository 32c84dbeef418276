//! Heavy on light, dominoes, coins, and boxes that land on an edge.

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    state::{Body, Limits, Spawn},
};

use crate::{
    shows::{PACES, RATES, Stage, Verdict, Watch, lean, off_ppm, paced, place, turned},
    shows_rebounds::gained,
    support::{s, v},
};

/// A large heavy box on a small light one.
fn heavy(mass: u32, rate: u32) -> World {
    let mut stage = Stage::floor("0", "0.5");
    let (small, large) = (stage.block("0.25", "0.25", "0.25"), stage.block("0.5", "0.5", "0.5"));
    stage.add(Spawn::new(small, place(0, 251, 0)));
    stage.add(Spawn { mass, ..Spawn::new(large, place(50, 1_003, 0)) });
    stage.world(rate)
}

/// The distance, in raw, by which the lower of two has gone down, and the record of the run.
fn pressed(mass: u32, rate: u32) -> (Watch, i64) {
    let (mut world, mut watch) = (heavy(mass, rate), Watch::default());
    watch.run(&mut world, 20 * u64::from(rate));
    let low = world.bodies().next().unwrap().1.position.y.to_bits();
    println!(
        "heavy {mass} on light at {rate} Hz: light one at {} raw over its half, {}",
        low - (1 << 30),
        watch.nets()
    );
    (watch, low)
}

#[test]
fn a_heavy_box_lies_on_a_light_one() {
    let mut verdict = Verdict::default();
    for rate in RATES {
        for mass in [10, 100, 1_000] {
            let (watch, _) = pressed(mass, rate);
            verdict.clean(&watch, &format!("heavy, {rate} Hz"));
            verdict.expect(
                watch.still() > 10 * u64::from(rate),
                format!("{mass} at {rate} Hz: {}", watch.still_since),
            );
        }
    }
    verdict.close();
}

const UP: fn() -> Vec3 = || v("0", "1", "0");

/// Number of bodies whose upright axis lies down.
fn fallen(world: &World) -> usize {
    world.bodies().filter(|(_, body)| lean(body, UP()).abs() < 1 << 31).count()
}

/// A row of plates, half a unit apart, the first of which leans by 10 degrees: over its edge.
pub fn dominoes(count: i64, limits: Limits) -> World {
    let mut stage = Stage::floor("0.1", "0.4");
    let plate = stage.block("0.06", "0.5", "0.25");
    for index in 0..count {
        let (lean, y) = if index == 0 { (-875, 505) } else { (0, 502) };
        let orientation = turned([10_000, 0, 0, lean]);
        stage.add(Spawn { orientation, ..Spawn::new(plate, place(500 * index, y, 0)) });
    }
    stage.world_within(limits)
}

/// One leans on the other, both slide down and rotate, and each is kept from a part of its motion. They are
/// lifted to their rest gaps: one, and two on it, of a 256th of half a plate's thickness, for a unit of
/// height in all.
#[test]
fn plates_that_slide_down_on_each_other_gain_nothing() {
    let mut verdict = Verdict::default();
    let lift = 3 * 60_000 / 256;
    for rate in RATES {
        let (mut world, mut watch) = (dominoes(2, Limits::new(rate)), Watch::default());
        let (gain, when) = gained(&mut world, &mut watch, 10 * u64::from(rate));
        println!("two plates at {rate} Hz: gain {gain} ppm in tick {when}, {}", watch.nets());
        verdict.clean(&watch, &format!("two plates, {rate} Hz"));
        verdict.expect(gain <= lift, format!("two plates, {rate} Hz: {gain} ppm"));
        verdict.expect(fallen(&world) == 2, format!("{rate} Hz: {} have fallen", fallen(&world)));
        verdict.expect(watch.calm() > 3 * u64::from(rate), format!("{rate} Hz: {}", watch.calm_since));
    }
    verdict.close();
}

#[test]
#[ignore = "minutes when optimised: .ci/full runs it"]
fn a_run_of_a_hundred_dominoes_falls() {
    let mut verdict = Verdict::default();
    for pace in PACES {
        let (limits, (rate, steps)) = (paced(pace), pace);
        let (mut world, mut watch) = (dominoes(100, limits), Watch::default());
        let mut all = 0;
        for second in 1..=40 {
            watch.run(&mut world, u64::from(rate));
            if fallen(&world) == 100 && all == 0 {
                all = second;
            }
        }
        println!(
            "dominoes at {rate} Hz in {steps}: {} have fallen, all after {all} s, {}",
            fallen(&world),
            watch.nets()
        );
        verdict.expect(
            (watch.held, watch.unbooked) == (0, 0),
            format!("dominoes, {rate} Hz in {steps}: {}", watch.nets()),
        );
        let least = if limits.steps_per_second() < 60 { 1 } else { 100 };
        verdict
            .expect(fallen(&world) >= least, format!("{rate} Hz in {steps}: {} have fallen", fallen(&world)));
    }
    verdict.close();
}

/// A square coin that spins on its rim.
pub fn coin(rate: u32) -> World {
    let mut stage = Stage::floor("0.2", "0.3");
    let coin = stage.block("0.4", "0.04", "0.4");
    let angular_velocity = v("0.3", "9", "0.1");
    let orientation = turned([100, 92, 3, 1]);
    stage.add(Spawn { angular_velocity, orientation, ..Spawn::new(coin, place(0, 450, 0)) });
    stage.world(rate)
}

/// It lies flat, or stands on its rim: its thickness is a tenth of its width, and two corners of the rim that
/// are a thickness apart may have gaps that differ by 2^-8 of half a thickness.
#[test]
fn a_coin_that_spins_ends_at_rest() {
    let mut verdict = Verdict::default();
    for rate in RATES {
        let (mut world, mut watch) = (coin(rate), Watch::default());
        watch.run(&mut world, 20 * u64::from(rate));
        let up = lean(world.bodies().next().unwrap().1, UP()).abs();
        println!("coin at {rate} Hz: lies to {up} of 2^32, {}", watch.nets());
        verdict.clean(&watch, &format!("coin, {rate} Hz"));
        verdict.expect(watch.calm() > 5 * u64::from(rate), format!("{rate} Hz: {}", watch.still_since));
        let between = 1 << 23..=(1_i64 << 32) - (1 << 17);
        let square = !between.contains(&up);
        verdict.expect(square, format!("{rate} Hz: {up}"));
    }
    verdict.close();
}

/// A cube, tilted about z, that falls on an edge without friction, so the impulse at the edge rotates it.
pub fn tilted(tilt: [i64; 4], rate: u32, friction: &str) -> World {
    let mut stage = Stage::floor("0", friction);
    let cube = stage.block("0.5", "0.5", "0.5");
    stage.add(Spawn { orientation: turned(tilt), ..Spawn::new(cube, place(0, 2_000, 0)) });
    stage.world(rate)
}

/// The angular over the linear momentum of an impulse on an edge at an offset `d` is `d`: both in raw.
#[test]
fn a_box_that_lands_on_its_edge_rotates_as_the_impulse_says() {
    let mut verdict = Verdict::default();
    for rate in RATES {
        for side in [-1, 1] {
            let (mut world, mut watch) = (tilted([10, 0, 0, side * 2], rate, "0"), Watch::default());
            let body = |world: &World| -> Body { *world.bodies().next().unwrap().1 };
            let mut before = body(&world);
            let mut when = None;
            while when.is_none() && watch.ticks < u64::from(rate) {
                before = body(&world);
                watch.tick(&mut world);
                when = watch.report.impacts.first().map(|impact| impact.toi);
            }
            // In long ticks it is caught as it touches, without an impact.
            let Some(when) = when else { continue };
            let after = body(&world);
            // tan(tilt / 2) = 1/5: the corner below is (12 - 5) / 26 aside: cos 12/13, sin 5/13.
            let arm = i128::from(-side) * ((7 << 32) / 26);
            let pull = when.of_nearest(world.gravity().y.to_bits());
            let fall = i128::from(before.momentum.y.to_bits() + pull);
            // p = m v / (1 + d d / k), k = 1/6 of a cube's edge squared.
            let part = (arm * arm * 6) >> 32;
            let push = -(fall << 32) / ((1 << 32) + part);
            let turn = (push * arm) >> 32;
            let found = i128::from(after.spin.unwrap().angular_momentum.z.to_bits());
            println!(
                "edge, side {side} at {rate} Hz, u {when:?}: L {found} of {turn}, {} ppm",
                off_ppm(found, turn)
            );
            watch.run(&mut world, 10 * u64::from(rate));
            println!("  {}", watch.nets());
            verdict.clean(&watch, &format!("edge, {rate} Hz"));
            verdict.expect(
                off_ppm(found, turn).abs() < 10,
                format!("side {side} at {rate} Hz: {found} of {turn}"),
            );
            verdict.expect(watch.calm() > 0, format!("side {side} at {rate} Hz: {}", watch.still_since));
        }
    }
    verdict.close();
}

/// Tilted by less than 45 degrees it falls back on its foot, by more on its side: both directions alike.
#[test]
fn a_box_on_its_edge_falls_to_the_nearer_side() {
    let mut verdict = Verdict::default();
    for rate in RATES {
        for (tilt, back) in [(30, true), (38, true), (44, false), (50, false)] {
            let heights = [-tilt, tilt].map(|tilt| {
                let (mut world, mut watch) = (tilted([100, 0, 0, tilt], rate, "0.8"), Watch::default());
                watch.run(&mut world, 10 * u64::from(rate));
                let (_, body) = world.bodies().next().unwrap();
                println!("tilt {tilt} at {rate} Hz: up {}, {}", lean(body, UP()), watch.nets());
                verdict.clean(&watch, &format!("tilt, {rate} Hz"));
                (lean(body, UP()).abs() > 1 << 31, body.position.x.to_bits(), body.position.y)
            });
            verdict.expect([heights[0].0, heights[1].0] == [back; 2], format!("{tilt} at {rate} Hz"));
            verdict.expect(
                (heights[0].1, heights[0].2) == (-heights[1].1, heights[1].2),
                format!("{tilt} at {rate} Hz"),
            );
            verdict.expect(
                heights[0].2 < Scalar::from_bits(s("0.51").to_bits()),
                format!("{tilt} at {rate} Hz"),
            );
        }
    }
    verdict.close();
}
