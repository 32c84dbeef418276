//! Ids are names: the order of spawning changes nothing else.

use std::{ops::Range, sync::Arc};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, rng::Draws},
    shape::{Obb, Shape},
    state::{BodyId, BodyType, Collider, Command, CompoundId, Limits, Locks, Rule, Scenery, ShapeId, Spawn},
    tick::{Blocked, Cause, Impact, TickReport},
};

use crate::{
    piles::milli,
    support::{closed_box, closed_box_that_rubs, every, overlaps, s, shapes, v},
};

/// A scene that is run several times with different ids.
struct Scene {
    limits: Limits,
    scenery: Arc<Scenery>,
    /// Commands for the whole world, before and after the spawns.
    commands: Vec<Command>,
    spawns: Vec<Spawn>,
    /// The velocity of a body before a tick, by the number of its spawn.
    steer: fn(tick: u64, number: u64, spawn: &Spawn) -> Option<Vec3>,
}

/// Statistics of a run.
#[derive(Default, Debug)]
struct Seen {
    ticks: usize,
    impacts: usize,
    /// Impacts with kinematic or static bodies.
    with_kinds: usize,
    blocked: usize,
    held: usize,
    /// Number of ticks in which each of these lines of the ledger was not zero.
    lines: [usize; 5],
}

/// A world, and the number of the spawn of each of its bodies, by slot.
struct Run {
    world: World,
    numbers: Vec<u32>,
    report: TickReport,
}

impl Run {
    fn of(scene: &Scene, numbers: Vec<u32>) -> Self {
        let mut world = World::new(scene.limits, Arc::clone(&scene.scenery)).unwrap();
        let spawns = numbers.iter().map(|&number| Command::Spawn(scene.spawns[number as usize]));
        let commands: Vec<_> = scene.commands.iter().copied().chain(spawns).collect();
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        Self { world, numbers, report: TickReport::default() }
    }

    fn tick(&mut self, scene: &Scene, tick: u64) {
        let steered = self.numbers.iter().enumerate().filter_map(|(slot, &number)| {
            let velocity = (scene.steer)(tick, number.into(), &scene.spawns[number as usize])?;
            let body = BodyId::from_parts(slot as u32, 0);
            Some(Command::SetVelocity { body, velocity })
        });
        let commands: Vec<_> = steered.collect();
        let _ = self.world.tick(&commands, &mut self.report);
        assert!(self.report.outcomes.iter().all(Result::is_ok));
    }

    fn name(&self, id: BodyId) -> BodyId {
        BodyId::from_parts(self.numbers[id.slot() as usize], id.generation())
    }

    /// The report with the numbers of the spawns for the slots of the bodies.
    fn named_report(&self) -> TickReport {
        let list = |ids: &[BodyId]| {
            let mut named: Vec<_> = ids.iter().map(|&id| self.name(id)).collect();
            named.sort_unstable();
            named
        };
        let impact = |impact: &Impact| match (self.name(impact.a), impact.b) {
            (a, Collider::Body(b)) if self.name(b) < a => {
                let ([first, second], normal) = (impact.children, -impact.normal);
                Impact { a: self.name(b), b: Collider::Body(a), children: [second, first], normal, ..*impact }
            }
            (a, Collider::Body(b)) => Impact { a, b: Collider::Body(self.name(b)), ..*impact },
            (a, _) => Impact { a, ..*impact },
        };
        let blocked = |it: &Blocked| Blocked { body: self.name(it.body), by: self.name(it.by) };
        let mut report = self.report.clone();
        report.outcomes.clear();
        report.impacts = self.report.impacts.iter().map(impact).collect();
        // Unrelated bodies may have impacts at the same time, in the order of ids.
        report.impacts.sort_by_key(|impact| (impact.toi, impact.a, impact.b, impact.children));
        report.blocked = self.report.blocked.iter().map(blocked).collect();
        report.blocked.sort_unstable();
        for ids in [
            &mut report.impact_limited,
            &mut report.velocity_corrected,
            &mut report.out_of_bounds,
            &mut report.reverted,
        ] {
            *ids = list(ids);
        }
        report
    }

    fn bodies(&self) -> Vec<bitstep::state::Body> {
        let mut bodies: Vec<_> = self.world.bodies().map(|(id, body)| (self.name(id), *body)).collect();
        bodies.sort_unstable_by_key(|(id, _)| *id);
        bodies.into_iter().map(|(_, body)| body).collect()
    }
}

/// Runs a scene with its bodies spawned in their order and in other orders: only the names differ.
fn assert_ids_are_names(scene: &Scene, ticks: u64, seed: u64) -> Seen {
    let count = scene.spawns.len() as u32;
    let mut ours = Run::of(scene, (0..count).collect());
    let mut others: Vec<Run> = (0..3)
        .map(|which| {
            let (mut draws, mut order) = (Rng::new(seed).at(9, which, 0), (0..count).collect::<Vec<_>>());
            for end in (1..count as usize).rev() {
                order.swap(end, draws.below(end as u64 + 1) as usize);
            }
            Run::of(scene, if which == 0 { (0..count).rev().collect() } else { order })
        })
        .collect();
    let mut seen = Seen::default();
    for tick in 0..ticks {
        ours.tick(scene, tick);
        let report = ours.named_report();
        assert_eq!(overlaps(&ours.world), 0, "tick {tick}");
        for other in &mut others {
            other.tick(scene, tick);
            let other_report = other.named_report();
            assert_eq!(other_report, report, "tick {tick}");
            assert!(other.bodies() == ours.bodies(), "tick {tick}");
        }
        seen.add(&report, scene);
    }
    println!("{seen:?}");
    seen
}

impl Seen {
    fn add(&mut self, report: &TickReport, scene: &Scene) {
        let is_dynamic = |id: BodyId| scene.spawns[id.slot() as usize].body_type == BodyType::Dynamic;
        self.ticks += 1;
        self.impacts += report.impacts.len();
        let other = |impact: &&Impact| matches!(impact.b, Collider::Body(b) if !(is_dynamic(impact.a) && is_dynamic(b)));
        self.with_kinds += report.impacts.iter().filter(other).count();
        self.blocked += report.blocked.len();
        self.held += report.impact_limited.len();
        let causes = [Cause::Gravity, Cause::Damping, Cause::Statics, Cause::Kinematics, Cause::Locks];
        for (count, cause) in self.lines.iter_mut().zip(causes) {
            *count += usize::from(report.ledger[cause] != [0; 3]);
        }
    }
}

/// 125 bodies on a lattice with room, drawn by a seed, and modified by `each`.
fn spawns(seed: u64, shapes: u64, each: fn(Spawn, &mut Draws) -> Spawn) -> Vec<Spawn> {
    (0..125_i64)
        .map(|index| {
            let mut draws = Rng::new(seed).at(0, index as u64, 0);
            let cell = [index % 5 - 2, index / 5 % 5 - 2, index / 25 - 2];
            let position = cell.map(|c| c * (1 << 32) + draws.between(-1 << 29, 1 << 29));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 30, 1 << 30)));
            let (shape, mass) = (ShapeId(draws.below(shapes) as u16), 1 + draws.below(30) as u32);
            each(Spawn { mass, velocity, ..Spawn::new(shape, Vec3::from_raw(position)) }, &mut draws)
        })
        .collect()
}

fn plain(spawn: Spawn, _: &mut Draws) -> Spawn {
    spawn
}

/// Bodies of every kind, with locks, damping, layers and groups.
fn mixed(spawn: Spawn, draws: &mut Draws) -> Spawn {
    let kind = [BodyType::Kinematic, BodyType::Static, BodyType::Dynamic][draws.below(10).min(2) as usize];
    let locks = Locks::try_from([0, 0, 0, 0, 0, 1, 2, 4, 5][draws.below(9) as usize]).unwrap();
    let velocity = if kind == BodyType::Static { Vec3::ZERO } else { locks.free_part(spawn.velocity) };
    let (layer, group) = (draws.below(4) as u8, draws.below(6).saturating_sub(3) as u16);
    let damping_q16 = draws.below(60) as u16;
    Spawn { body_type: kind, locks, velocity, layer, group, damping_q16, ..spawn }
}

/// Kinematic bodies go to and fro, each in its own time.
fn to_and_fro(tick: u64, number: u64, spawn: &Spawn) -> Option<Vec3> {
    let period = 11 + number % 7;
    let rotates = spawn.body_type == BodyType::Kinematic && tick % period == 0;
    let sign = if tick / period % 2 == 0 { 1 } else { -1 };
    rotates.then(|| spawn.velocity.map_raw(|raw| raw * sign / 2))
}

const LAYERS: [Command; 2] = [
    Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false },
    Command::SetLayers { a: 3, b: 3, rule: Rule::Sensor, allow_overlap: false },
];

fn solids() -> [Shape; 2] {
    [Shape::sphere(s("0.3")), Shape::aabb(v("0.25", "0.3", "0.2"))]
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.ticks += other.ticks;
        self.impacts += other.impacts;
        self.with_kinds += other.with_kinds;
        self.blocked += other.blocked;
        self.held += other.held;
        self.lines.iter_mut().zip(other.lines).for_each(|(sum, count)| *sum += count);
    }
}

#[test]
fn permuting_the_ids_permutes_the_result() {
    let scenery = closed_box("0.95", &solids(), "4");
    let (limits, spawns) = (Limits::new(60), spawns(21, 2, plain));
    let commands = Vec::new();
    let scene = Scene { limits, scenery, commands, spawns, steer: |_, _, _| None };
    let seen = assert_ids_are_names(&scene, 300, 22);
    assert!(seen.ticks == 300 && seen.impacts > 1_000, "{seen:?}");
}

#[test]
fn permuting_the_ids_of_every_kind_of_body_permutes_the_result() {
    let mut all = Seen::default();
    for seed in (100..116).step_by(every(8)) {
        let limits = Limits::new(60).with_budget(5);
        let scenery = closed_box("0.95", &solids(), "4");
        let spawns = spawns(seed, 2, mixed);
        let (commands, steer) = (LAYERS.to_vec(), to_and_fro);
        let scene = Scene { limits, scenery, commands, spawns, steer };
        all += assert_ids_are_names(&scene, 250, seed);
    }
    println!("{all:?}");
    assert!(all.impacts > 5_000 / every(8) && all.with_kinds > 1_000 / every(8), "{all:?}");
    assert!(all.blocked > 100 / every(8) && all.held > 5 / every(8), "{all:?}");
    assert!(all.lines[1..].iter().all(|&ticks| ticks > 500 / every(8)), "{all:?}");
}

#[test]
fn permuting_the_ids_of_bodies_of_several_shapes_permutes_the_result() {
    let mut all = Seen::default();
    let compounds = |spawn: Spawn, draws: &mut Draws| {
        let shape = match spawn.shape.0 {
            set @ 0..4 => ShapeId::of_compound(CompoundId(set), draws.below(2) == 0),
            other => ShapeId(other - 4),
        };
        Spawn { shape, allow_overlap: false, ..mixed(spawn, draws) }
    };
    for (seed, restitution, pull) in
        [(500, "0.9", "0"), (501, "0.95", "0"), (502, "0", "-9.8"), (503, "0.2", "-4")]
    {
        let limits = Limits::new(60);
        let scenery = crate::child_shapes::yard(restitution, "0", &crate::child_shapes::compounds());
        let mut spawns = spawns(seed, 9, compounds);
        // Every third one, with room for its parts.
        spawns = spawns.into_iter().step_by(3).collect();
        let gravity = limits.gravity_nearest_even(v("0.5", pull, "0.25"));
        let mut commands = LAYERS.to_vec();
        commands.push(Command::SetGravity { gravity });
        let mut world = World::new(limits, Arc::clone(&scenery)).unwrap();
        spawns.retain(|spawn| world.apply(&[Command::Spawn(*spawn)]).outcomes[0].is_ok());
        let scene = Scene { limits, scenery, commands, spawns, steer: to_and_fro };
        all += assert_ids_are_names(&scene, 150, seed);
    }
    println!("{all:?}");
    assert!(all.impacts > 600 && all.with_kinds > 100, "{all:?}");
}

/// A crowd that falls and flies apart, of every kind.
fn falling(seed: u64, rate: u32) -> Seen {
    let limits = Limits::new(rate).with_extent(s("65536"));
    let gravity = limits.gravity_nearest_even(v("0.5", "-9.8", "0.25"));
    let mut commands = LAYERS.to_vec();
    commands.push(Command::SetGravity { gravity });
    let slower = |spawn: Spawn, draws: &mut Draws| {
        let velocity = spawn.velocity.map_raw(|raw| raw / 2);
        mixed(Spawn { velocity, ..spawn }, draws)
    };
    let (spawns, scenery) = (spawns(seed, 2, slower), shapes("0.9", &solids()));
    assert_ids_are_names(&Scene { limits, scenery, commands, spawns, steer: to_and_fro }, 120, seed)
}

#[test]
fn permuting_the_ids_of_what_falls_permutes_the_result() {
    let mut all = Seen::default();
    for seed in (40..52).step_by(every(6)) {
        for rate in [10, 20, 60, 120] {
            all += falling(seed, rate);
        }
    }
    println!("{all:?}");
    assert!(
        all.impacts > 4_000 / every(6) && all.with_kinds > 500 / every(6) && all.lines[0] > 5_000 / every(6),
        "{all:?}"
    );
}

/// Bodies of different sizes, so that no two lie at the same height.
fn sizes(turn: bool) -> Vec<Shape> {
    let size = |index: i64| Scalar::from_bits(s("0.2").to_bits() + index * s("0.00123").to_bits());
    let solid = |index| match index % 2 {
        0 => Shape::sphere(size(index)),
        _ if turn => Shape::Obb(Obb::along_axes(Vec3::splat(size(index)))),
        _ => Shape::aabb(Vec3::splat(size(index))),
    };
    (0..125).map(solid).collect()
}

/// A pile that settles in a closed box, of plain bodies or of every kind; with friction they rotate.
fn pile(rate: u32, seeds: Range<u64>, each: fn(Spawn, &mut Draws) -> Spawn, friction: &str) -> Seen {
    let mut all = Seen::default();
    for seed in seeds.step_by(every(4)) {
        let limits = Limits::new(rate);
        let gravity = limits.gravity_nearest_even(v("0.5", "-9.8", "0.25"));
        let mut spawns = spawns(seed, 2, each);
        for (index, spawn) in spawns.iter_mut().enumerate() {
            spawn.shape = ShapeId(index as u16);
            spawn.velocity = limits.velocity_nearest(spawn.velocity);
        }
        let mut commands = LAYERS.to_vec();
        commands.push(Command::SetGravity { gravity });
        let scenery = closed_box_that_rubs(("0.2", friction), &sizes(friction != "0"), "4");
        let scene = Scene { limits, scenery, commands, spawns, steer: to_and_fro };
        all += assert_ids_are_names(&scene, u64::from(4 * rate), seed);
    }
    all
}

#[test]
fn permuting_the_ids_of_a_pile_permutes_the_result() {
    let mut all = Seen::default();
    for rate in [10, 20, 60, 120] {
        all += pile(rate, 50..54, plain, "0");
    }
    assert!(all.ticks > 3_000 / every(4) && all.impacts > 1_000 / every(4), "{all:?}");
}

#[test]
fn permuting_the_ids_of_a_pile_of_every_kind_permutes_the_result() {
    let mut all = Seen::default();
    for rate in [10, 20, 60, 120] {
        all += pile(rate, 50..54, mixed, "0");
    }
    assert!(
        all.ticks == 4 * 4 * 210 / every(4)
            && all.impacts > 5_000 / every(4)
            && all.with_kinds > 500 / every(4),
        "{all:?}"
    );
}

/// The same where bodies rotate and have friction, some of them locked.
#[test]
fn permuting_the_ids_of_a_pile_of_every_kind_that_turns_permutes_the_result() {
    let turning = |spawn: Spawn, draws: &mut Draws| {
        let spawn = mixed(spawn, draws);
        let rotates = spawn.body_type == BodyType::Dynamic && draws.below(4) > 0;
        let turn_locks = [Locks::NONE, Locks::TURN_X, Locks::TURN_Z][draws.below(5).min(2) as usize];
        Spawn { rotates, locks: if rotates { spawn.locks.and(turn_locks) } else { spawn.locks }, ..spawn }
    };
    let mut all = Seen::default();
    for rate in [10, 20, 60] {
        all += pile(rate, 60..62, turning, "0.5");
    }
    assert!(
        all.ticks == 2 * 4 * 90 / every(2)
            && all.impacts > 1_000 / every(2)
            && all.with_kinds > 100 / every(2),
        "{all:?}"
    );
}

/// Bricks and balls in rows: those of a row lie at exactly one height, whatever their ids, and are driven
/// against each other and against the walls.
#[test]
fn permuting_the_ids_of_what_lies_side_by_side_permutes_the_result() {
    let mut all = Seen::default();
    for (seed, rotates, rate) in
        [(1, false, 60), (2, false, 20), (3, true, 60), (4, true, 10)].into_iter().step_by(every(3))
    {
        let limits = Limits::new(rate);
        let shapes = [
            Shape::aabb(v("0.25", "0.25", "0.25")),
            Shape::sphere(s("0.25")),
            Shape::Obb(Obb::along_axes(Vec3::splat(s("0.25")))),
        ];
        let friction = if rotates { "0.5" } else { "0" };
        let scenery = closed_box_that_rubs(("0", friction), &shapes, "1.55");
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        let spawns = (0..72_i64).map(|index| {
            let mut draws = Rng::new(seed).at(5, index as u64, 0);
            let kinds = if rotates { [1, 2] } else { [0, 1] };
            let shape = ShapeId(kinds[draws.below(2) as usize]);
            let [x, y, z] = [index % 6, index / 36, index / 6 % 6];
            let position = Vec3::new(milli(510 * x - 1_275), milli(510 * y - 1_290), milli(510 * z - 1_275));
            let mass = [1, 3, 80][draws.below(3) as usize];
            Spawn { mass, rotates, ..Spawn::new(shape, position) }
        });
        let steer = |tick: u64, number: u64, _: &Spawn| {
            let pull = milli(if (tick / 20 + number) % 2 == 0 { 20 } else { -20 });
            (number % 5 == 0 && tick % 20 < 10).then(|| Vec3::new(pull, Scalar::ZERO, pull / 2))
        };
        let spawns = spawns.collect();
        let commands = vec![Command::SetGravity { gravity }];
        all += assert_ids_are_names(&Scene { limits, scenery, commands, spawns, steer }, 120, seed);
    }
    assert!(all.ticks == 480 / every(2) && all.impacts > 100 / every(3), "{all:?}");
}
