//! A heap settles as fast in long ticks as in short ones, and next to no body of it is held, put back, or corrected in its velocity.

use bitstep::{
    World,
    num::{Draws, Rng},
    shape::Shape,
    state::{Limits, Spawn},
};

use crate::{
    shows::{Stage, Verdict, Watch, length, place, turned},
    support::{every, s, v},
};

const BODIES: i64 = 64;
const SEEDS: u64 = 4;
const RATE: u32 = 60;
const FINE: u32 = 240;
/// Tenths of a second after which heights are compared.
const LOOKS: [u32; 5] = [6, 8, 10, 12, 20];
/// The mean height of the bodies of all draws may be larger in long ticks by so many thousandths of a unit: in which draw a pile
/// that stands for a while falls over is chance.
const OFF: i64 = 20;
/// The most bodies that are held, put back or corrected, per thousand bodies and ticks.
const STOPPED: usize = 2;

const KINDS: [&str; 3] = ["balls", "boxes", "capsules"];

/// Bodies over a well, which do not bounce and rub.
fn heap(kind: &str, seed: u64, rate: u32) -> World {
    let mut stage = Stage::well("0", "0.5", "1.5");
    let shape = match kind {
        "balls" => stage.shape(Shape::sphere(s("0.25"))),
        "boxes" => stage.block("0.2", "0.2", "0.2"),
        _ => stage.shape(Shape::capsule(v("0.15", "0", "0"), s("0.15"))),
    };
    for index in 0..BODIES {
        let mut draws = Rng::new(seed).at(9, index as u64, 0);
        let mut near = |middle: i64| middle + draws.between(-25, 25);
        let at = place(
            near(750 * (index % 4) - 1_125),
            near(400 + 750 * (index / 16)),
            near(750 * (index / 4 % 4) - 1_125),
        );
        stage.add(Spawn { orientation: turned(any(&mut draws)), ..Spawn::new(shape, at) });
    }
    stage.world_within(Limits::new(rate))
}

fn any(draws: &mut Draws) -> [i64; 4] {
    [(); 4].map(|()| draws.between(-1_000, 1_000))
}

/// The mean height of the centers, in thousandths.
fn height(world: &World) -> i64 {
    let sum: i128 = world.bodies().map(|(_, body)| i128::from(body.position.y.to_bits())).sum();
    ((sum * 1_000 / i128::from(BODIES)) >> 32) as i64
}

/// The heights at all looks, and the record of the run.
fn heights(kind: &str, seed: u64, rate: u32) -> ([i64; LOOKS.len()], Watch, World) {
    let (mut world, mut watch) = (heap(kind, seed, rate), Watch::default());
    let heights = LOOKS.map(|look| {
        watch.run(&mut world, u64::from(look * rate / 10) - watch.ticks);
        height(&world)
    });
    (heights, watch, world)
}

/// Number of bodies that are faster than a hundredth of a unit per second.
fn moving(world: &World, rate: u32) -> usize {
    let limit = i128::from(s("0.01").to_bits() / i64::from(rate));
    world.bodies().filter(|(_, body)| length(body.velocity()) > limit).count()
}

#[test]
fn heaps_settle_as_fast_in_long_ticks_as_in_short_ones() {
    let mut verdict = Verdict::default();
    for kind in KINDS {
        let seeds: Vec<u64> = (0..SEEDS).step_by(every(3)).collect();
        let mut higher = [0; LOOKS.len()];
        for &seed in &seeds {
            let (fine, ..) = heights(kind, seed, FINE);
            let (coarse, mut watch, mut world) = heights(kind, seed, RATE);
            let stopped = watch.velocity_corrected + watch.held + watch.reverted;
            watch.run(&mut world, u64::from(6 * RATE));
            let moving = moving(&world, RATE);
            println!("{kind} {seed}: {coarse:?}, {fine:?} at {FINE} Hz, {stopped} stopped, {moving} move");
            (0..LOOKS.len()).for_each(|look| higher[look] += coarse[look] - fine[look]);
            let body_ticks = BODIES as usize * (LOOKS[LOOKS.len() - 1] * RATE / 10) as usize;
            verdict
                .expect(stopped * 1_000 <= STOPPED * body_ticks, format!("{kind} {seed}: {stopped} stopped"));
            verdict.expect(moving * 8 <= BODIES as usize, format!("{kind} {seed}: {moving} move"));
        }
        let higher = higher.map(|sum| sum / seeds.len() as i64);
        println!("{kind}: higher than at {FINE} Hz by {higher:?}");
        verdict.expect(higher.iter().all(|higher| *higher <= OFF), format!("{kind}: higher by {higher:?}"));
    }
    verdict.close();
}
