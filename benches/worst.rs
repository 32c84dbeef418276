//! The most that a tick can cost: `cargo bench --bench worst`, or with `-- NAME`; `-- --test` runs each scene once with its fewest bodies,
//! without times.
//!
//! Scenes that are made to be expensive, by number of bodies and by what the limits allow. Each line has the worst tick of a run, the best
//! of three runs of it, and with which power of the number of bodies that grew since the line above.
#![allow(missing_docs, clippy::disallowed_types, clippy::disallowed_methods, clippy::float_arithmetic)] // times are measured here

use std::{
    env,
    time::{Duration, Instant},
};

use bitstep::{
    World,
    geom::{ANGULAR_SPEED_MAX, Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, lit},
    shape::Shape,
    state::{Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

const ONE: i64 = 1 << 32;
const TICKS: u32 = 60;
const RUNS: u32 = 3;
const COUNTS: [i64; 4] = [125, 250, 500, 1_000];

/// A scene: its name, its limits by default, and its bodies by their number.
type Worst = (&'static str, fn() -> Limits, fn(&Limits, i64) -> World);

const SCENES: [Worst; 6] = [
    ("all in one point, soft", soft, |limits, count| one_point(limits, count)),
    ("all in one point, solid", || Limits::new(60), |limits, count| one_point(limits, count)),
    ("elastic in a wedge", || Limits::new(60), wedge),
    ("spinning jam", || Limits::new(60), jam),
    ("gas, hundred times as fast", || Limits::new(60), gas),
    ("thousand commands a body", || Limits::new(60), apart),
];

fn soft() -> Limits {
    Limits::new(60).with_separation_speed(lit("0.25"))
}

fn main() {
    let (options, names): (Vec<_>, Vec<_>) =
        env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let only = names.first();
    let scenes = SCENES.iter().filter(|scene| only.is_none_or(|only| scene.0.contains(only)));
    if options.iter().any(|option| option == "--test") {
        for scene in scenes {
            run(scene, &scene.1(), COUNTS[0]);
            println!("{}, {} bodies", scene.0, COUNTS[0]);
        }
        return;
    }
    println!(
        "{:<28} {:>7} {:>7} {:>9} {:>12} {:>9}",
        "", "bodies", "budget", "pairs", "worst ms", "exponent"
    );
    for scene in scenes {
        let mut before = None;
        for count in COUNTS {
            let took = measure(scene, scene.1(), count);
            row(scene.0, scene.1(), count, took, before);
            before = Some(took);
        }
        for limits in [scene.1().with_budget(4), scene.1().with_pairs_max(1 << 14)] {
            row(scene.0, limits, 1_000, measure(scene, limits, 1_000), None);
        }
    }
}

fn row(name: &str, limits: Limits, count: i64, took: Duration, before: Option<Duration>) {
    let exponent = before
        .map_or(String::new(), |before| format!("{:.2}", (took.as_secs_f64() / before.as_secs_f64()).log2()));
    let (budget, pairs) = (limits.budget, limits.pairs_max);
    let milliseconds = took.as_secs_f64() * 1e3;
    println!("{name:<28} {count:>7} {budget:>7} {pairs:>9} {milliseconds:>12.2} {exponent:>9}");
}

/// The worst tick of a run, of the run in which that is best.
fn measure(scene: &Worst, limits: Limits, count: i64) -> Duration {
    (0..RUNS).map(|_| run(scene, &limits, count)).min().expect("a run")
}

/// The worst tick of a run.
fn run((name, _, build): &Worst, limits: &Limits, count: i64) -> Duration {
    let mut world = build(limits, count);
    let mut report = TickReport::default();
    let commands: Vec<Command> = match name.contains("commands") {
        true => world.bodies().flat_map(|(id, _)| vec![command(id); 1_000]).collect(),
        false => Vec::new(),
    };
    let ticks = if commands.is_empty() { TICKS } else { 3 };
    let mut tick = |_| {
        let start = Instant::now();
        world.tick(&commands, &mut report).accepted().expect("commands of the scene");
        start.elapsed()
    };
    (0..ticks).map(&mut tick).max().expect("a tick")
}

fn command(body: bitstep::state::BodyId) -> Command {
    Command::ApplyImpulse { body, impulse: Vec3::from_raw([1, -1, 1]) }
}

/// A world of planes and one shape, with bodies in it.
fn world(
    limits: &Limits,
    restitution: &str,
    walls: &[(Vec3, Normal)],
    shape: Shape,
    spawns: Vec<Spawn>,
) -> World {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(restitution.parse().expect("a decimal")).expect("in 0..=1");
    let material = builder.material(material);
    builder.shape(shape);
    for &(position, normal) in walls {
        let wall = Plane::from_point_normal(Vec3::ZERO, normal).expect("a normal");
        let wall = builder.shape(Shape::Plane(wall));
        builder.fixed(wall, material, position);
    }
    let mut world = World::new(*limits, builder.build().expect("a scenery")).expect("limits");
    let gravity = limits.gravity_nearest_even(Vec3::lit("0", "-9.8", "0"));
    let commands: Vec<Command> =
        [Command::SetGravity { gravity }].into_iter().chain(spawns.into_iter().map(Command::Spawn)).collect();
    world.apply(&commands).accepted().expect("a scene without overlaps");
    world
}

/// Places on a grid that is a cube, so far apart.
fn grid(count: i64, spacing: Scalar) -> impl Iterator<Item = Vec3> {
    let edge = (1..).find(|edge| edge * edge * edge >= count).expect("a cube");
    (0..count).map(move |number| {
        let cell = [number % edge, number / edge % edge, number / edge / edge];
        Vec3::from_raw(cell.map(|part| part * spacing.to_bits()))
    })
}

fn box_of(half: &str) -> Vec<(Vec3, Normal)> {
    let half: Scalar = half.parse().expect("a decimal");
    let place = |axis: usize, sign: i64| {
        let mut raw = [0; 3];
        raw[axis] = half.to_bits() * sign;
        Vec3::from_raw(raw)
    };
    let normals = [Normal::X, Normal::Y, Normal::Z];
    (0..3).flat_map(|axis| [(place(axis, -1), normals[axis]), (place(axis, 1), -normals[axis])]).collect()
}

fn one_point(limits: &Limits, count: i64) -> World {
    let ball = Shape::sphere(lit("0.5"));
    let spawn = |_| Spawn { allow_overlap: true, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
    world(limits, "0", &[], ball, (0..count).map(spawn).collect())
}

/// Balls that lose nothing fall into the edge of two steep walls.
fn wedge(limits: &Limits, count: i64) -> World {
    let walls = [(Vec3::ZERO, Normal::new(4, 1, 0)), (Vec3::ZERO, Normal::new(-4, 1, 0))];
    let walls =
        [&walls[..], &[(Vec3::lit("0", "0", "-20"), Normal::Z), (Vec3::lit("0", "0", "20"), -Normal::Z)]]
            .concat();
    let spawn = |number: i64| {
        let position = Vec3::from_raw([0, (4 + number / 35) * ONE, (number % 35 - 17) * ONE]);
        Spawn { velocity: Vec3::lit("0", "-4", "0"), ..Spawn::new(ShapeId(0), position) }
    };
    world(limits, "1", &walls, Shape::sphere(lit("0.45")), (0..count).map(spawn).collect())
}

/// Bars side by side, each spinning as fast as may be.
fn jam(limits: &Limits, count: i64) -> World {
    let bar = Shape::obb(Vec3::lit("0.9", "0.1", "0.1"), Rotation::IDENTITY);
    let mut draws = Rng::new(3).at(0, 0, 0);
    let spawn = |position| {
        let mut spin = [0; 3];
        spin[1 + draws.below(2) as usize] = ANGULAR_SPEED_MAX.to_bits();
        Spawn { rotates: true, angular_velocity: Vec3::from_raw(spin), ..Spawn::new(ShapeId(0), position) }
    };
    let places: Vec<Vec3> = grid(count, lit("1.85")).collect();
    world(limits, "1", &[], bar, places.into_iter().map(spawn).collect())
}

/// Elastic balls in a box that fits them, each of which crosses it many times a tick.
fn gas(limits: &Limits, count: i64) -> World {
    let mut draws = Rng::new(4).at(0, 0, 0);
    let spawn = |position: Vec3| {
        let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-20 * ONE, 20 * ONE)));
        Spawn { velocity, ..Spawn::new(ShapeId(0), position - Vec3::splat(lit("4.5"))) }
    };
    let places: Vec<Vec3> = grid(count, lit("1")).collect();
    world(limits, "1", &box_of("6"), Shape::sphere(lit("0.25")), places.into_iter().map(spawn).collect())
}

fn apart(limits: &Limits, count: i64) -> World {
    let spawns = grid(count, lit("4")).map(|position| Spawn::new(ShapeId(0), position));
    world(limits, "0", &[], Shape::sphere(lit("0.5")), spawns.collect())
}
