//! Worlds in which bodies freeze, stop or are removed at impacts, and are driven: space is fair to them, ids
//! are names, and a snapshot is the whole state.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    shape::Shape,
    snapshot,
    state::{
        Body, BodyId, BodyType, Collider, Command, Limits, OnHit, Rule, Scenery, ShapeId, Spawn, StaticId,
    },
    tick::{Cause, TickReport},
};

use crate::support::{change::Change, closed_box_that_rubs, every, overlaps, s, step, v};

const BODIES: u64 = 48;
const TICKS: u64 = 90;
const ON_HIT: [OnHit; 4] = [OnHit::Continue, OnHit::Continue, OnHit::Stop, OnHit::Remove];

/// A closed box of balls, boxes and rods, some of which rotate.
struct Scene {
    limits: Limits,
    scenery: Arc<Scenery>,
    gravity: Vec3,
    /// True if some pairs are ignored for some ticks.
    ignores: bool,
}

impl Scene {
    fn of(restitution: &str, gravity: &str, sleep_after: u8) -> Self {
        let rod = Shape::capsule(v("0", "0.3", "0"), s("0.2"));
        let brick = Shape::obb(v("0.3", "0.2", "0.25"), Rotation::IDENTITY);
        let solids = [Shape::sphere(s("0.4")), Shape::aabb(v("0.3", "0.4", "0.2")), rod, brick];
        let limits = Limits::new(30).with_sleep_after(sleep_after);
        let gravity = limits.gravity_nearest_even(v("0.5", gravity, "0.25"));
        let gravity = if restitution == "1" { Vec3::ZERO } else { gravity };
        Self {
            limits,
            scenery: closed_box_that_rubs((restitution, "0.25"), &solids, "3.5"),
            gravity,
            ignores: false,
        }
    }

    fn spawn(number: u64) -> Spawn {
        let mut draws = Rng::new(7).at(0, number, 0);
        let cell = [number % 4, number / 4 % 4, number / 16].map(|c| (c as i64 * 3 - 4) << 31);
        let position = Vec3::from_raw(cell.map(|c| c + draws.between(-1 << 28, 1 << 28)));
        let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 30, 1 << 30)));
        let shape = ShapeId(draws.below(4) as u16);
        let kind = if number % 9 == 8 { BodyType::Kinematic } else { BodyType::Dynamic };
        let layer = u8::from(number % 11 == 10);
        let mass = 1 + draws.below(5) as u32;
        let on_hit = if kind == BodyType::Dynamic { draw(&mut draws, &ON_HIT) } else { OnHit::Continue };
        let rotates = shape.0 > 1;
        Spawn { velocity, body_type: kind, layer, mass, on_hit, rotates, ..Spawn::new(shape, position) }
    }

    /// A world whose bodies are spawned in an order of their numbers.
    fn world(&self, numbers: &[u64], change: &Change) -> World {
        let mut world = World::new(self.limits, change.scenery(&self.scenery)).unwrap();
        let mut commands = vec![
            Command::SetGravity { gravity: self.gravity },
            Command::SetLayers { a: 0, b: 1, rule: Rule::Sensor, allow_overlap: false },
        ];
        commands.extend(numbers.iter().map(|&number| Command::Spawn(Self::spawn(number))));
        let commands: Vec<_> = commands.into_iter().map(|command| changed(command, change)).collect();
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world
    }
}

fn draw<T: Copy>(draws: &mut Draws, from: &[T]) -> T {
    from[draws.below(from.len() as u64) as usize]
}

/// The command for a body before a tick, if any.
fn told(tick: u64, number: u64, body: BodyId) -> Option<Command> {
    let mut draws = Rng::new(8).at(1, number, tick);
    match draws.below(24) {
        0 | 1 => Some(Command::Freeze { body, ticks: draws.below(6) as u16 }),
        3 | 4 => {
            let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 30, 1 << 30)));
            let accel_max = Scalar::from_bits(1 << draws.between(20, 31));
            Some(Command::Drive { body, velocity, accel_max })
        }
        5 => Some(Command::EndDrive { body }),
        2 => Some(Command::SetOnHit { body, on_hit: draw(&mut draws, &ON_HIT) }),
        _ => None,
    }
}

/// The pairs to be ignored from a tick on, by their numbers; those of the walls are behind all others.
fn told_to_pass(tick: u64) -> impl Iterator<Item = (u64, u64, u32)> {
    (0..3).map(move |number| {
        let mut draws = Rng::new(9).at(2, number, tick);
        (draws.below(BODIES), draws.below(BODIES + 1), draws.below(20) as u32)
    })
}

fn changed(command: Command, change: &Change) -> Command {
    match command {
        Command::Spawn(spawn) => Command::Spawn(Spawn {
            position: change.point(spawn.position),
            velocity: change.vector(spawn.velocity),
            orientation: change.rotation(spawn.orientation),
            ..spawn
        }),
        Command::SetGravity { gravity } => Command::SetGravity { gravity: change.vector(gravity) },
        Command::Drive { body, velocity, accel_max } => {
            Command::Drive { body, velocity: change.vector(velocity), accel_max }
        }
        other => other,
    }
}

/// A running world, and the number of the body in each slot.
struct Run {
    world: World,
    numbers: Vec<u64>,
    report: TickReport,
    ignores: bool,
}

impl Run {
    fn of(scene: &Scene, numbers: Vec<u64>, change: &Change) -> Self {
        let (mut world, report) = (scene.world(&numbers, change), TickReport::default());
        world.enable_events(true);
        Self { world, numbers, report, ignores: scene.ignores }
    }

    fn tick(&mut self, tick: u64, change: &Change) {
        let slots = (0..).zip(&self.numbers);
        let orders = slots.filter_map(|(slot, &number)| told(tick, number, BodyId::from_parts(slot, 0)));
        let mut commands: Vec<_> = orders.map(|command| changed(command, change)).collect();
        commands.extend(told_to_pass(tick).filter(|_| self.ignores).map(|pair| self.ignore(pair)));
        let _ = self.world.apply(&commands);
        step(&mut self.world, &mut self.report);
    }

    /// The command that ignores a pair; the floor is the wall that gravity pulls to.
    fn ignore(&self, (a, b, ticks): (u64, u64, u32)) -> Command {
        let id = |number: u64| {
            let slot = self.numbers.iter().position(|&other| other == number).unwrap() as u32;
            BodyId::from_parts(slot, 0)
        };
        let b = if b == BODIES { Collider::Static(StaticId(2)) } else { Collider::Body(id(b)) };
        Command::IgnorePair {
            a: id(a),
            b,
            ticks: if b == Collider::Static(StaticId(2)) { ticks / 8 } else { ticks },
        }
    }

    /// The number of a body or static; those of statics are behind all others.
    fn number(&self, of: Collider) -> u64 {
        match of {
            Collider::Body(id) => self.numbers[id.slot() as usize],
            Collider::Static(id) => BODIES + u64::from(id.0),
        }
    }

    /// All bodies, by number.
    fn bodies(&self) -> Vec<(u64, Body)> {
        let mut all: Vec<_> =
            self.world.bodies().map(|(id, body)| (self.number(Collider::Body(id)), *body)).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all
    }

    fn removed(&self) -> Vec<(u64, u64, u64)> {
        let named = |gone: &bitstep::tick::Removed| {
            (self.number(Collider::Body(gone.body)), gone.toi.raw(), self.number(gone.by))
        };
        let mut all: Vec<_> = self.report.removed.iter().map(named).collect();
        all.sort_unstable();
        all
    }
}

/// Statistics of a run.
#[derive(Default, Debug)]
struct Seen {
    frozen: usize,
    removed: usize,
    stopped: usize,
    asleep: usize,
    driven: usize,
    ignored: usize,
    overlapping: u32,
}

impl Seen {
    fn add(&mut self, run: &Run) {
        self.frozen += run.world.bodies().filter(|(_, body)| body.frozen > 0).count();
        self.removed += run.report.removed.len();
        self.stopped += usize::from(run.report.ledger[Cause::OnHit] != [0; 3]);
        self.driven += usize::from(run.report.ledger[Cause::Drives] != [0; 3]);
        self.ignored += run.world.state().ignored_pairs.len();
        self.overlapping += run.report.overlapping;
        self.asleep += run.world.sleepers().count();
    }
}

fn scenes() -> [Scene; 5] {
    let ignores = |scene| Scene { ignores: true, ..scene };
    let [flight, fall, rest] =
        [("1", "0", 0), ("0.5", "-9", 0), ("0", "-9", 4)].map(|(e, pull, after)| Scene::of(e, pull, after));
    [flight, fall, rest, ignores(Scene::of("1", "0", 0)), ignores(Scene::of("0", "-9", 4))]
}

fn changes() -> impl Iterator<Item = Change> {
    Change::all(Change::KINDS).step_by(every(5))
}

#[test]
fn a_mirrored_world_with_rules_is_the_image_bit_for_bit() {
    for (number, scene) in scenes().iter().enumerate() {
        let mut seen = Seen::default();
        for change in changes() {
            let mut here = Run::of(scene, (0..BODIES).collect(), &Change::NONE);
            let mut there = Run::of(scene, (0..BODIES).collect(), &change);
            for tick in 0..TICKS / 3 {
                here.tick(tick, &Change::NONE);
                there.tick(tick, &change);
                let about = format!("scene {number}, tick {tick}, {change:?}");
                assert_eq!(here.report.removed, there.report.removed, "{about}");
                assert_eq!(here.report.events, there.report.events, "{about}");
                for ((id, ours), (_, theirs)) in here.world.bodies().zip(there.world.bodies()) {
                    assert_eq!(theirs.position, change.point(ours.position), "{id}, {about}");
                    assert_eq!(theirs.momentum, change.vector(ours.momentum), "{id}, {about}");
                    assert_eq!((theirs.frozen, theirs.on_hit), (ours.frozen, ours.on_hit), "{id}, {about}");
                }
                assert_eq!(here.world.bodies().count(), there.world.bodies().count());
                let turned = |line: [i128; 3]| {
                    [0, 1, 2].map(|axis: usize| i128::from(change.signs[axis]) * line[change.axes[axis]])
                };
                let [ours, theirs] = [&here.report.ledger, &there.report.ledger];
                assert_eq!(theirs[Cause::OnHit], turned(ours[Cause::OnHit]), "{about}");
                assert_eq!(theirs[Cause::Drives], turned(ours[Cause::Drives]), "{about}");
                seen.add(&here);
            }
        }
        println!("{seen:?}");
        assert!(
            seen.frozen > 500 / every(5)
                && [seen.removed, seen.stopped, seen.driven].map(|seen| seen > 50 / every(5)) == [true; 3],
            "{seen:?}"
        );
    }
}

/// In free flight there are no ties, so another order of spawns gives the same result under other names.
#[test]
fn ids_are_names_where_bodies_have_rules() {
    let orders: [fn(u64) -> u64; 2] = [|slot| BODIES - 1 - slot, |slot| slot * 5 % BODIES];
    let scenes = scenes();
    for (order, scene) in orders.into_iter().flat_map(|order| [(order, &scenes[0]), (order, &scenes[3])]) {
        let mut here = Run::of(scene, (0..BODIES).collect(), &Change::NONE);
        let mut there = Run::of(scene, (0..BODIES).map(order).collect(), &Change::NONE);
        for tick in 0..TICKS {
            here.tick(tick, &Change::NONE);
            there.tick(tick, &Change::NONE);
            assert_eq!(here.bodies(), there.bodies(), "tick {tick}");
            assert_eq!(here.removed(), there.removed(), "tick {tick}");
        }
        assert!(here.world.bodies().count() < BODIES as usize);
    }
}

/// Saved and restored before every tick it stays equal to the original; nothing overlaps.
#[test]
fn a_world_with_rules_is_its_snapshot() {
    for (number, scene) in scenes().iter().enumerate() {
        let mut here = Run::of(scene, (0..BODIES).collect(), &Change::NONE);
        let mut there = Run::of(scene, (0..BODIES).collect(), &Change::NONE);
        let mut seen = Seen::default();
        for tick in 0..2 * TICKS {
            there.world = snapshot::decode(&snapshot::encode(&here.world), here.world.scenery()).unwrap();
            there.world.enable_events(true);
            here.tick(tick, &Change::NONE);
            there.tick(tick, &Change::NONE);
            assert_eq!(here.world.state(), there.world.state(), "scene {number}, tick {tick}");
            assert_eq!(here.report, there.report, "scene {number}, tick {tick}");
            assert!(scene.ignores || overlaps(&here.world) == 0, "scene {number}, tick {tick}");
            seen.add(&here);
        }
        println!("{seen:?}");
        assert!(scene.limits.sleep_after == 0 || seen.asleep > 0, "{seen:?}");
    }
}
