//! The work of digging a little in every tick: `cargo bench --bench dig`, or with `-- TICKS`.
//!
//! 20 balls lie on ground of heights, and 4 by 4 points among them rise or sink by a unit of height in every tick. Quote the best, and compare within one run; the
//! last column depends on this machine and its load.
#![allow(missing_docs, clippy::disallowed_types, clippy::disallowed_methods)] // times are measured here

use std::{
    env,
    hint::black_box,
    time::{Duration, Instant},
};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, lit},
    shape::{Heights, Mesh, Shape},
    snapshot,
    state::{Command, HeightPatch, Limits, Material, SceneryBuilder, Spawn, StaticId},
    tick::TickReport,
};

/// Points of a dig along each axis.
const EDGE: u32 = 4;
/// The ground, the first static.
const GROUND: StaticId = StaticId(0);

fn main() {
    let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
    let ticks = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(200);
    let only = arguments.next();
    println!("{:<34} {:>10} {:>10} {:>10}", "microseconds", "best", "median", "p99");
    for (name, height) in [("hills", hill as fn([u32; 2]) -> i16), ("plain", |_| 0)] {
        for cells in [256, 1024] {
            let name = format!("{name} of {cells} by {cells}");
            if only.as_ref().is_none_or(|only| name.contains(only)) {
                measure(&name, cells, ticks, height);
            }
        }
    }
}

fn measure(name: &str, cells: u32, ticks: u64, height: fn([u32; 2]) -> i16) {
    let mut report = TickReport::default();
    let mut world = settled(cells, height);
    row(name, "a tick", (0..ticks).map(|_| timed(|| step(&mut world, &mut report))));
    let same = [dig_of(&world, cells, 0, 0)];
    row(name, "a dig that changes nothing", (0..ticks).map(|_| timed(|| apply(&mut world, &same))));
    let (mut digs, mut steps) = (Vec::new(), Vec::new());
    for number in 0..ticks {
        let dig = [dig_of(&world, cells, number, if number % 2 == 0 { -1 } else { 1 })];
        digs.push(timed(|| apply(&mut world, &dig)));
        steps.push(timed(|| step(&mut world, &mut report)));
    }
    row(name, "a dig", digs.into_iter());
    row(name, "the tick after it", steps.into_iter());
    let (mut copies, mut digs, mut steps) = (vec![world.clone(); 8], Vec::new(), Vec::new());
    for number in 0..ticks {
        let dig = [dig_of(&world, cells, number, if number % 2 == 0 { 1 } else { -1 })];
        copies[number as usize % 8].clone_from(&world);
        digs.push(timed(|| apply(&mut world, &dig)));
        steps.push(timed(|| step(&mut world, &mut report)));
    }
    row(name, "a dig, copies are kept", digs.into_iter());
    row(name, "the tick after it", steps.into_iter());
    row(name, "a checksum", (0..ticks).map(|_| timed(|| snapshot::checksum(&world))));
}

/// Slopes with a little noise.
fn hill(at: [u32; 2]) -> i16 {
    let slope = |place: u32, half: u32| (place % (2 * half)).abs_diff(half) as i16;
    let noise = Rng::new(1).at(0, at[0].into(), at[1].into()).below(2) as i16;
    slope(at[0], 64) + slope(at[1], 48) + noise
}

/// Balls that lie on ground near its middle.
fn settled(cells: u32, height: fn([u32; 2]) -> i16) -> World {
    let all = (0..=cells).flat_map(|row| (0..=cells).map(move |column| height([column, row])));
    let heights = Heights::new(cells + 1, lit("1"), lit("0.125"), all.collect()).expect("heights");
    let mut builder = SceneryBuilder::default();
    let material =
        builder.material(Material::new(lit("0")).and_then(|m| m.with_friction(lit("1"))).expect("one"));
    let ground = builder.shape(Shape::Mesh(Mesh::of_heights(heights.clone()).expect("ground")));
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    assert_eq!(builder.fixed(ground, material, Vec3::ZERO), GROUND);
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().expect("a scenery")).expect("a world");
    let gravity = limits.gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
    let place = |number: u32| {
        let [x, z] = [number % 5, number / 5].map(|step| Scalar::from((cells / 2 + 4 * step) as i32));
        let over = heights.height_at(x, z).expect("ground") + lit("1");
        Command::Spawn(Spawn { material, ..Spawn::new(ball, Vec3::new(x, over, z)) })
    };
    let spawns = (0..20).map(place);
    apply(&mut world, &[Command::SetGravity { gravity }].into_iter().chain(spawns).collect::<Vec<_>>());
    let mut report = TickReport::default();
    (0..120).for_each(|_| world.step(&mut report));
    world
}

/// A dig somewhere among the balls.
fn dig_of(world: &World, cells: u32, number: u64, by: i16) -> Command {
    let heights = world.scenery().heights(GROUND).expect("ground");
    let mut draws = Rng::new(2).at(0, number / 2, 0);
    let at = [0; 2].map(|_: i32| cells / 2 + draws.below(16) as u32);
    let points = (0..EDGE * EDGE).map(|point| [at[0] + point % EDGE, at[1] + point / EDGE]);
    let height = |[column, row]: [u32; 2]| heights.heights()[(row * (cells + 1) + column) as usize] + by;
    let heights = HeightPatch::new(EDGE as u8, &points.map(height).collect::<Vec<_>>()).expect("a patch");
    Command::SetHeights { ground: GROUND, at, heights, lift: true }
}

#[inline(never)] // a profile counts in it
fn apply(world: &mut World, commands: &[Command]) {
    for outcome in world.apply(commands).outcomes {
        outcome.expect("a command of the scene");
    }
}

#[inline(never)] // a profile counts in it
fn step(world: &mut World, report: &mut TickReport) {
    world.step(report);
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn row(name: &str, what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<_> = times.collect();
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    let tenths = |time: Duration| format!("{}.{}", time.as_nanos() / 1_000, time.as_nanos() / 100 % 10);
    let label = format!("{name}: {what}");
    println!("{label:<46} {:>10} {:>10} {:>10}", tenths(at(0)), tenths(at(50)), tenths(at(99)));
}
