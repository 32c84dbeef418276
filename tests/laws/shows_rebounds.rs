//! Bodies that fall flat on a floor rebound by e² of their height, whatever their shape, and never higher.

use bitstep::{
    World,
    shape::{Obb, Shape},
    state::Spawn,
};

use crate::{
    shows::{RATES, Stage, Verdict, Watch, length, off_ppm, place},
    support::{s, v},
};

/// The energy above that at rest after a rebound, in parts in a million of what it was before, the
/// least and the most of so many rebounds; and the most by which it rose in a tick without one.
struct Rebounds {
    fractions: Vec<i64>,
    gain: i64,
    turning: i128,
    clean: String,
}

fn rebounds(
    verdict: &mut Verdict,
    (solid, half): (Shape, i64),
    [restitution, friction]: [&str; 2],
    rate: u32,
) -> Rebounds {
    let mut stage = Stage::floor(restitution, friction);
    let shape = stage.shape(solid);
    stage.add(Spawn { mass: 3, ..Spawn::new(shape, place(0, half + 3_000, 0)) });
    let (mut world, mut watch) = (stage.world(rate), Watch::default());
    // For a fall of 3: at rest it lies up to 1/256 of its half extent above the floor.
    let rest = i128::from((half << 32) / 1_000);
    let floor = 2 * 3 * i128::from(-world.gravity().y.to_bits()) * rest;
    let mut energy = world.energy_twice_wide() - floor;
    let (start, mut seen) =
        (energy, Rebounds { fractions: Vec::new(), gain: 0, turning: 0, clean: String::new() });
    for _ in 0..6 * rate {
        watch.tick(&mut world);
        let after = world.energy_twice_wide() - floor;
        let fast =
            watch.report.impacts.iter().any(|it| it.closing.to_bits() > 6 * -world.gravity().y.to_bits());
        if fast {
            seen.fractions.push(off_ppm(after, energy) + 1_000_000);
        }
        seen.gain = seen.gain.max(off_ppm(after - energy + start, start));
        energy = after;
        seen.turning =
            seen.turning.max(length(world.bodies().next().unwrap().1.spin.unwrap().angular_momentum));
    }
    verdict.clean(&watch, &format!("rebound e {restitution}, friction {friction}, {rate} Hz"));
    seen.clean = watch.nets();
    seen
}

#[test]
fn balls_and_flat_boxes_rebound_by_the_square_of_their_restitution() {
    let mut verdict = Verdict::default();
    let ball = (Shape::sphere(s("0.5")), 500);
    let brick = (Shape::Obb(Obb::along_axes(v("0.5", "0.25", "0.4"))), 250);
    for (name, (solid, half)) in [("ball", ball), ("brick", brick)] {
        for (rate, room) in [(10, 15_000), (20, 15_000), (60, 10_000), (120, 10_000)] {
            for (restitution, squared) in
                [("0", 0), ("0.3", 90_000), ("0.5", 250_000), ("0.8", 640_000), ("0.95", 902_500)]
            {
                for friction in ["0", "0.5"] {
                    let seen = rebounds(&mut verdict, (solid.clone(), half), [restitution, friction], rate);
                    println!(
                        "{name} e {restitution}, friction {friction} at {rate} Hz: {:?} of {squared} ppm, gain {} ppm, L {}, {}",
                        &seen.fractions[..seen.fractions.len().min(6)],
                        seen.gain,
                        seen.turning,
                        seen.clean
                    );
                    verdict
                        .expect(!seen.fractions.is_empty(), format!("{rate} Hz: !seen.fractions.is_empty()"));
                    let lift = if squared == 0 { 700 } else { 1 };
                    for part in &seen.fractions {
                        verdict.expect(
                            (squared - room * squared / 1_000_000 - 1..=squared + lift).contains(part),
                            format!("{name} e {restitution} at {rate} Hz: {part} of {squared}"),
                        );
                    }
                    verdict.expect(
                        seen.gain <= 400,
                        format!("{name} e {restitution} at {rate} Hz: {} ppm", seen.gain),
                    );
                }
            }
        }
    }
    verdict.close();
}

/// Boxes that fall on boxes, and on each other's edges.
pub fn heap(restitution: &str, rate: u32) -> World {
    let mut stage = Stage::floor(restitution, "0.5");
    let cube = stage.block("0.5", "0.5", "0.5");
    for (x, y) in [(0, 502), (130, 2_600), (-200, 4_200), (2_000, 1_500), (2_400, 2_501)] {
        stage.add(Spawn::new(cube, place(x, y, x / 3)));
    }
    stage.world(rate)
}

/// The largest rise of the energy over its previous minimum, in parts in a million of the initial energy, and
/// its tick.
pub fn gained(world: &mut World, watch: &mut Watch, ticks: u64) -> (i64, u64) {
    let start = world.energy_twice_wide();
    let (mut least, mut gain, mut when) = (start, 0, 0);
    for tick in 1..=ticks {
        watch.tick(world);
        let energy = world.energy_twice_wide();
        let now = off_ppm(energy - least + start, start);
        (gain, when) = if now > gain { (now, tick) } else { (gain, when) };
        least = least.min(energy);
    }
    (gain, when)
}

/// A body that lands is stopped at its skin, and lifted from there to its rest gap: a 512th of a cube, a
/// column of two by three of them and one of three by six; of 11.303 cubes of height in all.
#[test]
fn boxes_that_fall_on_boxes_gain_nothing() {
    let mut verdict = Verdict::default();
    let lift = 9 * 1_000_000_000 / 512 / 11_303;
    for rate in RATES {
        for restitution in ["0", "0.3", "0.5", "0.8", "0.95"] {
            let (mut world, mut watch) = (heap(restitution, rate), Watch::default());
            let (gain, when) = gained(&mut world, &mut watch, 8 * u64::from(rate));
            println!(
                "boxes on boxes e {restitution} at {rate} Hz: gain {gain} ppm in tick {when}, {}",
                watch.nets()
            );
            verdict.clean(&watch, &format!("boxes e {restitution}, {rate} Hz"));
            verdict.expect(gain <= lift, format!("e {restitution} at {rate} Hz: {gain} ppm"));
        }
    }
    verdict.close();
}
