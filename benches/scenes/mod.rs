//! The scenes that are timed and counted, independent of the engine that runs them.
//!
//! `benches/instructions.rs` and the package `benches/beside` share this file. Positions and sizes lie on a
//! grid of 2^-14 units and speeds on one of 2^-14 units per second, so that a 32-bit float holds each of them
//! exactly and every engine begins with the same numbers.
#![allow(dead_code)] // each user runs its own choice

pub mod armies;
pub mod grounds;
mod heaps;
mod steering;
pub mod trials;
pub mod world;

pub use steering::Steering;
pub use world::{commands, world};

use armies::Army;
use bitstep::{
    geom::{Rotation, Vec3, normalise},
    num::{Rng, Scalar, rng::Draws},
    state::Limits,
};

/// Ticks per second where a scene has no other [`rate`](Scene::rate).
pub const RATE: u32 = 60;

const UNIT: i64 = 1 << 32;
/// The raw size of the grid's cells.
const GRID: i64 = 1 << 18;
/// Gravity where there is any, in units per second squared.
const DOWN: Vec3 = Vec3::from_raw([0, 0, -UNIT * 98 / 10]);

/// Bodies of one shape and mass 1 among static boxes.
pub struct Scene {
    pub name: String,
    pub form: Form,
    /// Of a ball or a capsule; of a box its least half edge, by which its overlaps are measured.
    pub radius: Scalar,
    /// True if the bodies rotate. A box that does not lies along the axes.
    pub rotates: bool,
    /// A decimal, of every pair.
    pub friction: &'static str,
    /// A decimal between 0 and 1, of every pair.
    pub restitution: &'static str,
    /// In units per second squared.
    pub gravity: Vec3,
    pub bodies: Vec<Start>,
    /// A body that is added at the end of a tick, after all others.
    pub late: Option<(u32, Start)>,
    pub boxes: Vec<Fixed>,
    /// A kinematic box that rotates about the z axis, in radians per second.
    pub turntable: Option<(Fixed, Scalar)>,
    /// The corners between which the centers stay if nothing goes wrong.
    pub arena: [Vec3; 2],
    /// Ticks per second.
    pub rate: u32,
    /// True if a [`Steering`] sets every velocity before every tick.
    pub steered: bool,
    /// Units that [`Orders`](armies::Orders) drive instead: they want a velocity, and accelerate by no more
    /// than [`armies::ACCELERATION`]. Their world is flat.
    pub army: Option<Army>,
    /// True if resting bodies may sleep.
    pub sleeps: bool,
    /// Number of ticks before the measurement.
    pub settling: u32,
    /// The stretches of ticks that are measured one by one; without any it is what follows the settling.
    pub phases: Vec<Phase>,
    /// The ticks after which the state of a heap is shown.
    pub looks: Vec<u32>,
}

/// The shape of the bodies of a scene.
#[derive(Clone, Copy)]
pub enum Form {
    Ball,
    /// Half edges.
    Box(Vec3),
    /// From the center to the middle of a cap, along an axis.
    Capsule(Vec3),
}

/// The start of a body, in units and in units per second.
#[derive(Clone, Copy)]
pub struct Start {
    pub position: Vec3,
    pub velocity: Vec3,
    pub orientation: Rotation,
    /// In radians per second.
    pub angular_velocity: Vec3,
}

impl Start {
    pub const fn new(position: Vec3, velocity: Vec3) -> Self {
        Self { position, velocity, orientation: Rotation::IDENTITY, angular_velocity: Vec3::ZERO }
    }

    pub const fn at_rest(position: Vec3) -> Self {
        Self::new(position, Vec3::ZERO)
    }
}

/// A stretch of ticks with a name.
#[derive(Clone)]
pub struct Phase {
    pub name: &'static str,
    /// Number of ticks before it.
    pub start: u32,
    /// Number of ticks before its end.
    pub end: u32,
}

/// A static box along the axes.
pub struct Fixed {
    pub center: Vec3,
    pub half: Vec3,
}

/// The scene of a name such as `gas:1000`, `crowd:500`, `march:2000`, `pile`, `spheres:1000`, `bullets`,
/// `landing-boxes:100`, and with another rate or seed than its own `landing-boxes:100@240#7`.
pub fn scene(name: &str) -> Option<Scene> {
    let (before, seed) = match name.split_once('#') {
        Some((before, seed)) => (before, seed.parse().ok()?),
        None => (name, 0),
    };
    let (plain, rate) = match before.split_once('@') {
        Some((plain, rate)) => {
            (plain, Some(rate.parse().ok().filter(|rate| (1..=Limits::RATE_MAX).contains(rate))?))
        }
        None => (before, None),
    };
    let (kind, count) = match plain.split_once(':') {
        Some((kind, count)) => {
            (kind, Some(count.parse().ok().filter(|count| (1..=100_000).contains(count))?))
        }
        None => (plain, None),
    };
    let scene = match (kind, count) {
        ("gas", Some(count)) => gas(count),
        ("crowd", Some(count)) => crowd(count),
        ("march", Some(count)) => armies::march(count),
        ("blob", Some(count)) => armies::blob(count),
        ("crossing", Some(count)) => armies::crossing(count),
        ("landing", None) => pile(1_000, 30),
        ("pile", None) => pile(1_000, 900),
        ("spheres", Some(count)) => spheres(count),
        ("boxes", Some(count)) => {
            let form = Form::Box(Vec3::from_raw([UNIT / 4; 3]));
            Scene { form, friction: "0.5", ..pile(count, 900) }
        }
        ("bullets", None) => bullets(),
        ("corridor", None) => corridor(),
        _ => heaps::scene(kind, count, seed).or_else(|| trials::scene(kind, count))?,
    };
    if seed > 0 && scene.looks.is_empty() {
        return None; // it draws nothing by a seed
    }
    Some(Scene { name: name.into(), ..at_rate(scene, rate)? })
}

/// A scene at a rate, with as many seconds in each of its stretches; `None` for an army, whose orders count
/// ticks.
fn at_rate(scene: Scene, rate: Option<u32>) -> Option<Scene> {
    let Some(rate) = rate else { return Some(scene) };
    let scaled = |ticks: u32| ticks * rate / scene.rate;
    let phase = |phase: &Phase| Phase { start: scaled(phase.start), end: scaled(phase.end), ..phase.clone() };
    scene.army.is_none().then(|| Scene {
        rate,
        settling: scaled(scene.settling),
        phases: scene.phases.iter().map(phase).collect(),
        looks: scene.looks.iter().map(|&tick| scaled(tick)).collect(),
        late: scene.late.map(|(tick, start)| (scaled(tick), start)),
        ..scene
    })
}

/// Elastic balls of radius .25 at 5 % packing in a closed box, at 5 to 20 units per second.
fn gas(count: u64) -> Scene {
    let radius = UNIT / 4;
    // A ball of radius .25 has a volume of 0.06545, and 0.06545 / 5 % = 1.309.
    let edge = cube_root(count * 1_309 / 1_000 * (1 << 42)) as i64 * GRID;
    let side = (1..).find(|side: &i64| side.pow(3) as u64 >= count).unwrap_or(1);
    let spacing = edge / side;
    let jitter = spacing / 2 - radius - 2 * GRID;
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(1).at(1, index, 0);
        let cell = lattice(index as i64, side).map(|cell| spacing * cell + spacing / 2 - edge / 2);
        let position = cell.map(|raw| raw + draws.between(-jitter, jitter));
        let speed = draws.between(5 * UNIT, 20 * UNIT);
        Start::new(on_grid(position), along(&mut draws, speed))
    });
    let half = Vec3::from_raw([edge / 2 / GRID * GRID; 3]);
    let settling = if count > 50_000 { 5 } else { 20 };
    Scene { bodies: bodies.collect(), boxes: closed(half), settling, ..elastic(radius, half) }
}

/// A thousand elastic bullets of radius .05 at 100 to 150 units per second, among each other, 64 posts and
/// two partitions .04 thick.
fn bullets() -> Scene {
    let (radius, thin, half) = (on_grid_raw(UNIT / 20), on_grid_raw(UNIT / 50), 5 * UNIT);
    let bodies = (0..1_000).map(|index| {
        let mut draws = Rng::new(2).at(1, index, 0);
        let cell = lattice(index as i64, 10).map(|cell| UNIT * cell - 9 * UNIT / 2);
        let position = cell.map(|raw| raw + draws.between(-UNIT / 25, UNIT / 25));
        let speed = draws.between(100 * UNIT, 150 * UNIT);
        Start::new(on_grid(position), along(&mut draws, speed))
    });
    let mut boxes = closed(Vec3::from_raw([half; 3]));
    boxes.push(fixed([0; 3], [thin, half, half]));
    boxes.push(fixed([0; 3], [half, thin, half]));
    for index in 0..64 {
        let [x, y, _] = lattice(index, 8).map(|cell| (2 * cell - 7) * UNIT * 5 / 8);
        boxes.push(fixed([x, y, 0], [thin, thin, half]));
    }
    Scene { bodies: bodies.collect(), boxes, ..elastic(radius, Vec3::from_raw([half; 3])) }
}

/// Elastic balls of radius .25 to and fro between two walls 7.4 apart, each in a lane of its own, at 19 to
/// 21 units per second: so they meet the walls at all fractions of a tick.
fn corridor() -> Scene {
    let half = Vec3::from_raw([on_grid_raw(UNIT * 37 / 10), 11 * UNIT, UNIT]);
    let bodies = (-10..=10).map(|lane| {
        let velocity = on_grid([20 * UNIT + lane * UNIT / 10, 0, 0]);
        Start::new(Vec3::from_raw([0, lane * UNIT, 0]), velocity)
    });
    Scene { bodies: bodies.collect(), boxes: closed(half), settling: 0, ..elastic(UNIT / 4, half) }
}

/// Balls of radius .25 fall into a box of 6 by 6: e = .2, no friction.
fn pile(count: u64, settling: u32) -> Scene {
    let (radius, half) = (UNIT / 4, 3 * UNIT);
    let height = (12 * UNIT).max(count.div_ceil(100) as i64 * UNIT * 2 / 3);
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(3).at(1, index, 0);
        let [x, y, z] = lattice(index as i64, 10).map(|cell| UNIT * cell * 3 / 5);
        let corner = [x - UNIT * 27 / 10, y - UNIT * 27 / 10, z + UNIT / 2];
        let position = corner.map(|raw| raw + draws.between(-UNIT / 25, UNIT / 25));
        Start::at_rest(on_grid(position))
    });
    Scene { restitution: "0.2", bodies: bodies.collect(), settling, ..pit(radius, half, height) }
}

/// The balls of [`pile`] with friction, which rotate and rest.
fn spheres(count: u64) -> Scene {
    Scene { rotates: true, friction: "0.5", ..pile(count, 900) }
}

/// A box of a half width with a floor at z = 0, under gravity.
fn pit(radius: i64, half: i64, height: i64) -> Scene {
    let mut boxes = closed(Vec3::from_raw([half, half, height]));
    boxes.push(fixed([0, 0, -UNIT], [half + UNIT, half + UNIT, UNIT]));
    let arena = [Vec3::from_raw([-half, -half, 0]), Vec3::from_raw([half, half, height])];
    Scene { gravity: DOWN, boxes, arena, ..elastic(radius, Vec3::ZERO) }
}

/// Balls of radius .5 in the plane z = 0, on a quarter of its area, each steered towards one goal after
/// another at 4 units per second; inelastic. No gravity pulls them out of the plane, so there is no ground.
fn crowd(count: u64) -> Scene {
    let side = (1..).find(|side: &i64| side.pow(2) as u64 >= count).unwrap_or(1);
    let spacing = UNIT * 1_772 / 1_000; // the root of pi
    let half = spacing * side / 2;
    let bodies = (0..count).map(|index| {
        let mut draws = Rng::new(4).at(1, index, 0);
        let [x, y, _] = lattice(index as i64, side).map(|cell| spacing * cell + spacing / 2 - half);
        let position = [x, y].map(|raw| raw + draws.between(-UNIT * 3 / 8, UNIT * 3 / 8));
        Start::at_rest(on_grid([position[0], position[1], 0]))
    });
    let reach = half + 2 * UNIT;
    let arena = [Vec3::from_raw([-reach, -reach, -GRID]), Vec3::from_raw([reach, reach, GRID])];
    let empty = elastic(UNIT / 2, Vec3::ZERO);
    Scene { restitution: "0", bodies: bodies.collect(), arena, steered: true, settling: 60, ..empty }
}

/// A scene without bodies, for balls.
pub fn elastic(radius: i64, half: Vec3) -> Scene {
    Scene {
        name: String::new(),
        form: Form::Ball,
        radius: Scalar::from_bits(radius),
        rotates: false,
        friction: "0",
        restitution: "1",
        gravity: Vec3::ZERO,
        bodies: Vec::new(),
        late: None,
        boxes: Vec::new(),
        turntable: None,
        arena: [-half, half],
        rate: RATE,
        steered: false,
        army: None,
        sleeps: false,
        settling: 20,
        phases: Vec::new(),
        looks: Vec::new(),
    }
}

/// Six boxes two units thick around the inside of a box at the origin.
fn closed(half: Vec3) -> Vec<Fixed> {
    let wall = |axis: usize, sign: i64| {
        let (mut center, mut thick) = ([0; 3], half.raw().map(|raw| raw + UNIT));
        center[axis] = sign * (half.raw()[axis] + UNIT);
        thick[axis] = UNIT;
        fixed(center, thick)
    };
    (0..3).flat_map(|axis| [-1, 1].map(|sign| wall(axis, sign))).collect()
}

fn fixed(center: [i64; 3], half: [i64; 3]) -> Fixed {
    Fixed { center: Vec3::from_raw(center), half: Vec3::from_raw(half) }
}

/// The cell of an index, along x first.
fn lattice(index: i64, side: i64) -> [i64; 3] {
    [index % side, index / side % side, index / side / side]
}

/// A velocity of this speed in any direction, all equally likely.
fn along(draws: &mut Draws, speed: i64) -> Vec3 {
    loop {
        let way = Vec3::from_raw([(); 3].map(|()| draws.between(-UNIT, UNIT)));
        if way.length_squared_wide() > 1 << 64 {
            continue; // outside the ball, so that no direction is more likely than another
        }
        if let Some(unit) = normalise(way) {
            let scaled = |raw: i64| (i128::from(raw) * i128::from(speed) / i128::from(UNIT)) as i64;
            return on_grid(unit.raw().map(scaled));
        }
    }
}

fn on_grid(raw: [i64; 3]) -> Vec3 {
    Vec3::from_raw(raw.map(on_grid_raw))
}

fn on_grid_raw(raw: i64) -> i64 {
    raw / GRID * GRID
}

/// Rounded down; below 2^21.
fn cube_root(number: u64) -> u64 {
    (0..21).rev().fold(0, |root, bit| {
        let more: u64 = root | 1 << bit;
        if more.pow(3) <= number { more } else { root }
    })
}
