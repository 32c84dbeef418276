//! Resting bodies sleep together and wake on any change: none hangs in the air, none is hit like a wall.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    shape::Shape,
    snapshot,
    state::{Body, BodyId, BodyType, Command, Limits, Rule, ShapeId, Sleep, Spawn},
    tick::TickReport,
};

use crate::{
    shows::{RATES, Stage, Watch, place},
    support::{overlaps, s, teleport, v},
};

const CUBE: ShapeId = ShapeId(1);
pub const BALL: ShapeId = ShapeId(2);
const SLAB: ShapeId = ShapeId(3);

/// Limits under which bodies fall asleep after half a second.
pub fn sleepy(rate: u32) -> Limits {
    Limits::new(rate).with_sleep_after((rate / 2) as u8)
}

/// A floor, and [`CUBE`], [`BALL`] and [`SLAB`].
pub fn stage() -> Stage {
    let mut stage = Stage::floor("0", "0.5");
    assert_eq!(stage.block("0.5", "0.5", "0.5"), CUBE);
    assert_eq!(stage.shape(Shape::sphere(lit("0.5"))), BALL);
    assert_eq!(stage.block("3", "0.25", "3"), SLAB);
    stage
}

/// Cubes on each other, in thousandths, from a height on.
pub fn add_tower(stage: &mut Stage, count: i64, (x, y, z): (i64, i64, i64)) {
    for level in 0..count {
        stage.add(Spawn::new(CUBE, place(x, y + 501 + 1_001 * level, z)));
    }
}

fn add_pyramid(stage: &mut Stage, rows: i64) {
    for row in 0..rows {
        for index in 0..rows - row {
            stage.add(Spawn::new(CUBE, place(510 * row + 1_020 * index, 501 + 1_001 * row, 0)));
        }
    }
}

fn ids(world: &World) -> Vec<BodyId> {
    world.bodies().map(|(id, _)| id).collect()
}

fn sleepers(world: &World) -> Vec<BodyId> {
    world.sleepers().collect()
}

/// Runs until all bodies sleep.
///
/// # Panics
///
/// If that takes longer than some seconds.
pub fn lull(world: &mut World, seconds: u32) {
    let mut watch = Watch::default();
    let most = seconds * world.limits().tick_rate;
    while sleepers(world).len()
        < world.bodies().filter(|(_, body)| body.body_type == BodyType::Dynamic).count()
    {
        watch.tick(world);
        assert!(watch.ticks < u64::from(most), "{} of {} sleep", sleepers(world).len(), ids(world).len());
        assert_eq!((watch.unbooked, watch.reverted), (0, 0), "{}", watch.nets());
    }
}

fn spawn(world: &mut World, spawn: Spawn) -> BodyId {
    let id = world.next_ids(1)[0];
    world.apply(&[Command::Spawn(Spawn { rotates: true, ..spawn })]).accepted().unwrap();
    id
}

/// A tick that must keep every law: no overlap, the ledger closes, a sleeping body stays in place, a woken
/// one equals one that never slept, and to all others a sleeping body is a static one.
fn tick(world: &mut World, report: &mut TickReport) {
    let (before, momentum) = (world.clone(), world.momentum_wide());
    world.step(report);
    let total = report.ledger.total();
    for axis in 0..3 {
        assert_eq!(world.momentum_wide()[axis] - momentum[axis], total[axis], "tick {}", report.tick);
    }
    assert_eq!(overlaps(world), 0, "tick {}", report.tick);
    let mut woken = before.clone();
    let wakes = report.woke.iter().map(|&body| Command::SetSleep { body, sleeps: true });
    let by_command = woken.apply(&wakes.collect::<Vec<_>>()).woke;
    assert_eq!(by_command, report.woke, "tick {}: what wakes is whole", report.tick);
    let mut again = TickReport::default();
    woken.step(&mut again);
    assert_eq!((woken.state(), &again.ledger), (world.state(), &report.ledger), "tick {}", report.tick);
    assert_eq!((&again.woke, &again.impacts), (&vec![], &report.impacts), "tick {}", report.tick);
    as_static(before, world, report);
}

/// Plays a tick with the bodies that slept through it replaced by static bodies.
fn as_static(before: World, after: &World, report: &TickReport) {
    let asleep: Vec<BodyId> = before.sleepers().filter(|id| !report.woke.contains(id)).collect();
    let mut state = before.state().clone();
    for id in &asleep {
        state.slots[id.slot() as usize].body.as_mut().unwrap().body_type = BodyType::Static;
        state.sleep[id.slot() as usize] = Sleep::NEW;
    }
    for id in &report.woke {
        state.sleep[id.slot() as usize] = Sleep::NEW;
    }
    let mut world = World::from_state(state, Arc::clone(before.scenery())).unwrap();
    world.step(&mut TickReport::default());
    for ((id, theirs), (_, ours)) in world.bodies().zip(after.bodies()) {
        if asleep.contains(&id) {
            assert_eq!(Some(ours), before.body(id), "tick {}: {id}", report.tick);
        } else if after.sleep(id) != Some(Sleep::Asleep) {
            assert_eq!(ours, theirs, "tick {}: {id}", report.tick);
        }
    }
}

/// Wakes all sleeping bodies in a copy without the others, and checks that none falls.
fn assert_no_body_hangs(world: &World) {
    let (asleep, mut copy) = (sleepers(world), world.clone());
    let is_awake =
        |&(id, body): &(BodyId, &Body)| body.body_type == BodyType::Dynamic && !asleep.contains(&id);
    let removals = world.bodies().filter(is_awake).map(|(body, _)| Command::Remove { body });
    let wakes = asleep.iter().map(|&body| Command::SetSleep { body, sleeps: true });
    let _ = copy.apply(&removals.chain(wakes).collect::<Vec<_>>());
    (0..3).for_each(|_| copy.step(&mut TickReport::default()));
    for id in asleep {
        let fell = (world.body(id).unwrap().position - copy.body(id).unwrap().position).y.to_bits();
        let pull = -world.gravity().y.to_bits();
        assert!(fell < pull.max(1), "tick {}: {id} falls {fell}", world.tick_count());
    }
}

#[test]
fn a_tower_and_a_pyramid_stand_asleep() {
    for rate in RATES {
        for pyramid in [false, true] {
            let mut stage = stage();
            if pyramid {
                add_pyramid(&mut stage, 10)
            } else {
                add_tower(&mut stage, 10, (0, 0, 0))
            }
            let (mut world, mut report) = (stage.world_within(sleepy(rate)), TickReport::default());
            world.enable_events(true);
            lull(&mut world, 4);
            let first = world.clone();
            while world.tick_count() < 10_000 {
                world.step(&mut report);
                assert_eq!((report.woke.len(), report.fell_asleep.len(), report.events.len()), (0, 0, 0));
            }
            assert!(world.bodies().eq(first.bodies()), "{rate} Hz");
            assert_no_body_hangs(&world);
        }
    }
}

#[test]
fn a_shot_wakes_the_tower_that_it_hits_and_no_other() {
    for rate in RATES {
        let mut stage = stage();
        add_tower(&mut stage, 6, (0, 0, 0));
        add_tower(&mut stage, 6, (6_000, 0, 0));
        // Beside the first one, and so near that a sphere around it would contain it; but not touching.
        add_tower(&mut stage, 2, (0, 0, 1_100));
        let mut world = stage.world_within(sleepy(rate));
        lull(&mut world, 4);
        let velocity = world.limits().velocity_nearest(place(20_000, 0, 0));
        let shot = Spawn { velocity, mass: 3, ..Spawn::new(BALL, place(-4_000, 2_000, 0)) };
        let ball = spawn(&mut world, shot);
        let mut report = TickReport::default();
        let mut hit = None;
        for _ in 0..rate {
            let before = world.clone();
            tick(&mut world, &mut report);
            if !report.woke.is_empty() && hit.is_none() {
                assert_eq!(report.woke, ids(&world)[..6], "{rate} Hz");
                // It reacts with its own mass: the ball pushes on, and the cube that it hits moves at once.
                let [old, new] = [&before, &world].map(|world| world.body(ball).unwrap().momentum.x);
                assert!(new < old && world.bodies().take(6).any(|(_, body)| body.momentum.x > 0));
                hit = Some(report.tick);
            }
            assert_no_body_hangs(&world);
        }
        assert!(hit.is_some(), "{rate} Hz");
    }
}

#[test]
fn heaps_far_apart_sleep_each_for_itself() {
    for rate in [60, 120] {
        let mut stage = stage();
        add_tower(&mut stage, 3, (0, 0, 0));
        add_tower(&mut stage, 3, (5_000, 0, 0));
        let mut world = stage.world_within(sleepy(rate));
        let all = ids(&world);
        world.apply(&[Command::SetSleep { body: all[4], sleeps: false }]).accepted().unwrap();
        (0..2 * rate).for_each(|_| tick(&mut world, &mut TickReport::default()));
        assert_eq!(sleepers(&world), all[..3], "{rate} Hz: beside one that never sleeps");
        assert_eq!(world.sleep(all[4]), Some(Sleep::Never));
        world.apply(&[Command::SetSleep { body: all[4], sleeps: true }]).accepted().unwrap();
        lull(&mut world, 2);
        assert_eq!(sleepers(&world), all);
    }
}

/// The commands that may act on a tower of three on a slab, and the bodies that wake: of the tower, and of a
/// cube beside.
fn deeds(all: &[BodyId]) -> Vec<(Command, &'static [usize])> {
    let body = |index: usize| all[index];
    let (position, allow_overlap) = (v("0", "30", "0"), false);
    const TOWER: &[usize] = &[1, 2, 3];
    const BESIDE: &[usize] = &[4];
    const ALL: &[usize] = &[1, 2, 3, 4];
    let slow = Vec3::from_raw([1 << 20, 0, 0]);
    vec![
        (Command::Remove { body: body(0) }, TOWER),
        (Command::Remove { body: body(1) }, &[2, 3]),
        (Command::Remove { body: body(3) }, &[1, 2]),
        (Command::Remove { body: body(4) }, &[]),
        (teleport(body(0), v("0", "-30", "0"), true), TOWER),
        (teleport(body(2), position, allow_overlap), TOWER),
        (teleport(body(4), position, allow_overlap), BESIDE),
        (Command::ApplyImpulse { body: body(3), impulse: slow }, TOWER),
        (Command::ApplyImpulse { body: body(4), impulse: slow }, BESIDE),
        (Command::ApplyAngularImpulse { body: body(4), angular_impulse: slow }, BESIDE),
        (Command::SetVelocity { body: body(1), velocity: slow }, TOWER),
        (Command::SetShape { body: body(3), shape: BALL, allow_overlap }, TOWER),
        (Command::SetFilter { body: body(0), layer: 3, group: 0, allow_overlap }, TOWER),
        (Command::SetFilter { body: body(2), layer: 0, group: 9, allow_overlap }, TOWER),
        (Command::SetLayers { a: 0, b: 0, rule: Rule::Sensor, allow_overlap }, ALL),
        (Command::SetGravity { gravity: Vec3::ZERO }, ALL),
        (Command::SetSleep { body: body(2), sleeps: true }, TOWER),
        (Command::SetUser { body: body(2), user: 7 }, &[]),
        // Refused: it would overlap.
        (teleport(body(4), v("0", "1", "0"), allow_overlap), &[]),
    ]
}

#[test]
fn commands_wake_what_they_change_and_what_touches_it() {
    for rate in [20, 60] {
        for kind in [BodyType::Static, BodyType::Kinematic] {
            let mut stage = stage();
            stage.add(Spawn { body_type: kind, ..Spawn::new(SLAB, place(0, 251, 0)) });
            add_tower(&mut stage, 3, (0, 505, 0));
            add_tower(&mut stage, 1, (5_000, 0, 0));
            let mut world = stage.world_within(sleepy(rate));
            lull(&mut world, 3);
            let all = ids(&world);
            for (command, wakes) in deeds(&all) {
                let (mut copy, mut report) = (world.clone(), TickReport::default());
                let wakes: Vec<BodyId> = wakes.iter().map(|&index| all[index]).collect();
                let _ = copy.tick(&[command], &mut report);
                let woke: Vec<_> =
                    report.woke.iter().copied().filter(|id| copy.body(*id).is_some()).collect();
                assert_eq!(woke, wakes, "{rate} Hz, {kind:?}: {command:?}");
                for _ in 0..rate {
                    assert_no_body_hangs(&copy);
                    tick(&mut copy, &mut report);
                }
            }
        }
    }
}

#[test]
fn a_lift_wakes_the_bodies_that_it_carries_and_leaves() {
    for rate in RATES {
        for velocity in [v("0", "1", "0"), v("0", "-0.2", "0"), v("2", "0", "0")] {
            let mut stage = stage();
            stage.add(Spawn { body_type: BodyType::Kinematic, ..Spawn::new(SLAB, place(0, 2_000, 0)) });
            add_tower(&mut stage, 2, (0, 2_255, 0));
            add_tower(&mut stage, 2, (6_000, 0, 0));
            let mut world = stage.world_within(sleepy(rate));
            lull(&mut world, 3);
            let all = ids(&world);
            let velocity = world.limits().velocity_nearest(velocity);
            let mut report = TickReport::default();
            let _ = world.tick(&[Command::SetVelocity { body: all[0], velocity }], &mut report);
            assert_eq!(
                report.woke,
                all[1..3],
                "{rate} Hz {velocity} {:?} {:?}",
                world.body(all[0]),
                report.outcomes
            );
            for _ in 0..rate {
                assert_no_body_hangs(&world);
                tick(&mut world, &mut report);
                assert_eq!(sleepers(&world), all[3..], "{rate} Hz: a carried body stays awake");
            }
            world.apply(&[Command::SetVelocity { body: all[0], velocity: Vec3::ZERO }]).accepted().unwrap();
            lull(&mut world, 3);
        }
    }
}

#[test]
fn a_body_laid_on_sleeping_ones_wakes_them_and_they_sleep_together() {
    for rate in RATES {
        let mut stage = stage();
        add_tower(&mut stage, 3, (0, 0, 0));
        add_tower(&mut stage, 1, (4_000, 0, 0));
        let mut world = stage.world_within(sleepy(rate));
        lull(&mut world, 3);
        let all = ids(&world);
        let top = world.body(all[2]).unwrap().position;
        let laid = spawn(&mut world, Spawn::new(CUBE, top + place(200, 1_010, 0)));
        let mut report = TickReport::default();
        let (mut woke, mut together, mut ticks) = (Vec::new(), Vec::new(), 0);
        while together.is_empty() && ticks < 4 * rate {
            tick(&mut world, &mut report);
            woke.extend(report.woke.iter().copied());
            together.clone_from(&report.fell_asleep);
            assert_no_body_hangs(&world);
            ticks += 1;
        }
        woke.sort();
        woke.dedup();
        assert_eq!(woke, all[..3], "{rate} Hz");
        assert_eq!(together, [all[0], all[1], all[2], laid], "{rate} Hz");
    }
}

#[test]
fn sleep_without_gravity_takes_still_bodies_and_no_drifting_ones() {
    let mut stage = stage();
    for (x, speed) in [(0, 0), (3_000, 1), (6_000, 0)] {
        let velocity = Vec3::from_raw([0, speed, 0]);
        stage.add(Spawn { velocity, ..Spawn::new(BALL, place(x, 5_000, 0)) });
    }
    let mut world = stage.world_within(sleepy(1)).clone();
    let limits = Limits::new(60).with_sleep_after(30);
    let mut state = world.state().clone();
    (state.limits, state.gravity) = (limits, Vec3::ZERO);
    state.sleep = vec![Sleep::NEW; 3];
    state.slots[1].body.as_mut().unwrap().momentum = Vec3::from_raw([0, 1, 0]);
    world = World::from_state(state, Arc::clone(world.scenery())).unwrap();
    let (all, mut report) = (ids(&world), TickReport::default());
    (0..100).for_each(|_| tick(&mut world, &mut report));
    assert_eq!(sleepers(&world), [all[0], all[2]]);
    world.apply(&[Command::SetVelocity { body: all[1], velocity: place(-100, 0, 0) }]).accepted().unwrap();
    let mut woke = Vec::new();
    for _ in 0..60 {
        tick(&mut world, &mut report);
        woke.extend(report.woke.iter().copied());
    }
    assert_eq!(woke, [all[0]]);
}

/// A sleeping pyramid and tower, a slab with a cube on it that is removed, and a shot at the pyramid; with
/// its commands by tick. `side` mirrors it, and `order` is the order in which bodies are made.
fn busy(rate: u32, side: i64, backwards: bool) -> (World, Vec<(u64, Command)>) {
    let mut spawns = Vec::new();
    for row in 0..4 {
        for index in 0..4 - row {
            let (x, y) = (side * (510 * row + 1_020 * index), 501 + 1_001 * row);
            spawns.push(Spawn::new(CUBE, place(x, y, 0)));
        }
    }
    for level in 0..4 {
        spawns.push(Spawn::new(CUBE, place(side * 9_000, 501 + 1_001 * level, 0)));
    }
    spawns.push(Spawn { body_type: BodyType::Static, ..Spawn::new(SLAB, place(side * -9_000, 1_000, 0)) });
    spawns.push(Spawn::new(CUBE, place(side * -9_000, 1_755, 0)));
    let slab = spawns.len() - 2;
    let name = |index: usize| if backwards { spawns.len() - 1 - index } else { index };
    let body = |index: usize| BodyId::from_parts(name(index) as u32, 0);
    let limits = sleepy(rate);
    let velocity = limits.velocity_nearest(place(side * 25_000, 0, 0));
    let shot =
        Spawn { rotates: true, velocity, mass: 4, ..Spawn::new(BALL, place(side * -4_000, 1_300, 100)) };
    let (push, second) = (limits.velocity_nearest(place(0, 0, 1_000)), u64::from(rate));
    let commands = vec![
        (second * 3 / 2, Command::Spawn(shot)),
        (second * 2, Command::Remove { body: body(slab) }),
        (second * 3, Command::ApplyImpulse { body: body(12), impulse: push }),
    ];
    let mut stage = stage();
    let mut ordered: Vec<Spawn> = spawns.clone();
    if backwards {
        ordered.reverse();
    }
    ordered.into_iter().for_each(|spawn| stage.add(spawn));
    (stage.world_within(limits), commands)
}

fn now(commands: &[(u64, Command)], tick: u64) -> Vec<Command> {
    commands.iter().filter(|(at, _)| *at == tick).map(|(_, command)| *command).collect()
}

#[test]
fn a_world_that_is_restored_in_any_tick_goes_on_alike() {
    for rate in RATES {
        let (mut world, commands) = busy(rate, 1, false);
        let (mut report, mut theirs, mut seen) = (TickReport::default(), TickReport::default(), [0; 2]);
        world.enable_events(true);
        for tick in 0..u64::from(4 * rate) {
            let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
            restored.enable_events(true);
            assert_eq!(restored.state(), world.state());
            let _ = world.tick(&now(&commands, tick), &mut report);
            let _ = restored.tick(&now(&commands, tick), &mut theirs);
            assert_eq!(report, theirs, "{rate} Hz, tick {tick}");
            assert_eq!(restored.state(), world.state(), "{rate} Hz, tick {tick}");
            seen[0] += report.woke.len();
            seen[1] += report.fell_asleep.len();
        }
        assert!(seen.iter().all(|&count| count >= 15), "{rate} Hz: {seen:?}");
    }
}

#[test]
fn names_and_sides_do_not_matter_to_sleep() {
    for rate in [20, 60] {
        let (mut world, commands) = busy(rate, 1, false);
        let (mut renamed, renamed_commands) = busy(rate, 1, true);
        let (mut mirrored, mirrored_commands) = busy(rate, -1, false);
        let count = ids(&world).len();
        let mut reports = [(); 3].map(|()| TickReport::default());
        for tick in 0..u64::from(4 * rate) {
            let _ = world.tick(&now(&commands, tick), &mut reports[0]);
            let _ = renamed.tick(&now(&renamed_commands, tick), &mut reports[1]);
            let _ = mirrored.tick(&now(&mirrored_commands, tick), &mut reports[2]);
            for slot in 0..world.state().slots.len() {
                let other = if slot < count { count - 1 - slot } else { slot };
                let (ours, theirs) = (world.state().slots[slot].body, renamed.state().slots[other].body);
                assert_eq!(ours, theirs, "{rate} Hz, tick {tick}, {slot}");
                assert_eq!(world.state().sleep[slot], renamed.state().sleep[other], "{rate} Hz, tick {tick}");
                let image = mirrored.state().slots[slot].body;
                let flip = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
                assert_eq!(ours.map(|body| body.position), image.map(|body| flip(body.position)));
                assert_eq!(ours.map(|body| body.momentum), image.map(|body| flip(body.momentum)));
            }
            assert_eq!(world.state().sleep, mirrored.state().sleep, "{rate} Hz, tick {tick}");
            assert_eq!(reports[0].woke, reports[2].woke, "{rate} Hz, tick {tick}");
        }
    }
}

#[test]
fn a_chain_of_impacts_wakes_one_after_the_other_in_one_tick() {
    // Balls in a row without gravity, more of them than a tick restarts; a fast one hands its speed through
    // all.
    for count in [3, 12] {
        let mut stage = Stage::new("1", "0");
        let ball = stage.shape(Shape::sphere(lit("0.5")));
        for index in 0..count {
            stage.add(Spawn::new(ball, place(3_000 + 1_100 * index, 0, 0)));
        }
        let mut world = stage.world_within(Limits::new(60).with_sleep_after(5));
        world.apply(&[Command::SetGravity { gravity: Vec3::ZERO }]).accepted().unwrap();
        (0..6).for_each(|_| world.step(&mut TickReport::default()));
        assert_eq!(sleepers(&world).len(), count as usize);
        let mut awake = world.clone();
        let fast = Spawn { velocity: v("60", "0", "0"), rotates: true, ..Spawn::new(ball, Vec3::ZERO) };
        let wakes = ids(&world).into_iter().map(|body| Command::SetSleep { body, sleeps: true });
        let _ = awake.apply(&wakes.collect::<Vec<_>>());
        let (mut report, mut theirs) = (TickReport::default(), TickReport::default());
        let _ = world.tick(&[Command::Spawn(fast)], &mut report);
        let _ = awake.tick(&[Command::Spawn(fast)], &mut theirs);
        assert_eq!(report.woke.len(), count as usize);
        assert_eq!((world.state(), report.impacts), (awake.state(), theirs.impacts));
        let last = world.bodies().nth(count as usize - 1).unwrap().1.velocity().x;
        assert!(last > s("59"), "{last}");
    }
}

#[test]
fn a_heap_of_mixed_solids_falls_asleep() {
    for rate in [60, 120] {
        let mut stage = Stage::well("0.2", "0.5", "3");
        let solids = [
            stage.block("0.3", "0.4", "0.5"),
            stage.shape(Shape::sphere(lit("0.4"))),
            stage.block("0.4", "0.4", "0.4"),
            stage.shape(Shape::capsule(place(0, 400, 0), lit("0.3"))),
        ];
        for index in 0..30 {
            let cell = [index % 3 * 1_400 - 1_400, index / 9 * 1_400 + 1_000, index / 3 % 3 * 1_400 - 1_400];
            let at = place(cell[0] + 7 * index, cell[1], cell[2] - 5 * index);
            // Only damping stops a rolling body.
            let damping_q16 = sleepy(rate).damping_nearest(lit("0.5")).unwrap();
            stage.add(Spawn { damping_q16, ..Spawn::new(solids[(index % 4) as usize], at) });
        }
        let mut world = stage.world_within(sleepy(rate));
        lull(&mut world, 20);
        assert_no_body_hangs(&world);
    }
}
