//! Sleep by hand: the momentum that it takes from creeping bodies, the distance that counts as touching, its
//! delay, and its effect beside kinematic bodies.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Rotation, Vec3},
    num::{Scalar, lit},
    shape::Shape,
    snapshot,
    state::{
        BodyId, BodyType, Collider, Command, Limits, Material, Rule, SceneryBuilder, ShapeId, Sleep, Spawn,
        State, turning_skin,
    },
    tick::{Cause, EventKind, TickReport, touch_gap},
};

use crate::{
    shows::{Stage, place},
    support::{overlaps, s, v},
    tick_laws::assert_events,
};

const AFTER: u8 = 10;

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn limits() -> Limits {
    Limits::new(60).with_sleep_after(AFTER)
}

/// A floor without friction, and balls on it three units apart.
fn ice(bodies: u32) -> World {
    ice_of(bodies, "0")
}

fn ice_of(bodies: u32, restitution: &str) -> World {
    let mut stage = Stage::floor(restitution, "0");
    let ball = stage.shape(Shape::sphere(lit("0.5")));
    for number in 0..bodies {
        stage.add(Spawn { mass: 3, ..Spawn::new(ball, place(3_000 * i64::from(number), 501, 0)) });
    }
    let mut world = stage.world_within(limits().with_sleep_after(250));
    (0..60).for_each(|_| world.step(&mut TickReport::default()));
    let mut state = world.state().clone();
    state.limits.sleep_after = AFTER;
    state.sleep.iter_mut().for_each(|sleep| *sleep = Sleep::NEW);
    World::from_state(state, Arc::clone(world.scenery())).unwrap()
}

/// The first creeps along, the second rotates slowly; both are as slow as a resting body may be.
#[test]
fn momentum_of_creeping_bodies_is_booked_as_they_fall_asleep() {
    let mut world = ice(2);
    let creeps = Vec3::from_raw([1_000, 0, -400]);
    let rotates = Vec3::from_raw([0, 700, 0]);
    let commands = [
        Command::SetVelocity { body: id(0), velocity: creeps },
        Command::ApplyAngularImpulse { body: id(1), angular_impulse: rotates },
    ];
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    for tick in 0..AFTER {
        let before = (world.momentum_wide(), world.angular_momentum_wide());
        world.step(&mut report);
        assert_eq!(report.fell_asleep.len(), if tick + 1 == AFTER { 2 } else { 0 }, "tick {tick}");
        let (momentum, turning) = (world.momentum_wide(), world.angular_momentum_wide());
        let total = report.ledger.total();
        assert_eq!([0, 1, 2].map(|axis| momentum[axis] - before.0[axis]), total, "tick {tick}");
        let (total, slack) = (report.angular.total(), report.angular.slack());
        for axis in 0..3 {
            let off = 2 * (turning[axis] - before.1[axis]) - total[axis];
            assert!(off.abs() <= slack, "tick {tick}, axis {axis}: {off} of {slack}");
        }
    }
    // The momentum that the floor takes and gives in the tick is rounded by up to a raw.
    let taken = [-3_000, 0, 1_200].into_iter().zip(report.ledger[Cause::VelocityCorrections]);
    assert!(
        taken.into_iter().all(|(all, taken)| (all - taken).abs() <= 3),
        "{:?}",
        report.ledger[Cause::VelocityCorrections]
    );
    let [first, second] = [0, 1].map(|slot| *world.body(id(slot)).unwrap());
    assert_eq!((first.momentum, second.spin.unwrap().angular_momentum), (Vec3::ZERO, Vec3::ZERO));
}

/// A ball of radius .5 passes one of .05 at a distance of .0015: they touch within .0004, the smaller one's gap. Where nothing
/// moves it would be the larger one's, .004; what sleeps is no such thing.
#[test]
fn a_sleeping_body_has_its_say_in_the_gap_at_which_it_touches() {
    let mut stage = Stage::floor("0", "0");
    let [small, large] = ["0.05", "0.5"].map(|radius| stage.shape(Shape::sphere(s(radius))));
    stage.add(Spawn { mass: 3, ..Spawn::new(small, v("0", "0.0503", "0")) });
    stage.add(Spawn { mass: 3, ..Spawn::new(large, v("-1", "0.5021", "0.3188")) });
    let mut world = stage.world_within(limits().with_sleep_after(250));
    (0..30).for_each(|_| world.step(&mut TickReport::default()));
    for sleep in [Sleep::NEW, Sleep::Asleep] {
        let mut state = world.state().clone();
        state.sleep[0] = sleep;
        let mut world = World::from_state(state, Arc::clone(world.scenery())).unwrap();
        world.enable_events(true);
        world
            .apply(&[Command::SetVelocity { body: id(1), velocity: v("0.025", "0", "0") }])
            .accepted()
            .unwrap();
        let mut report = TickReport::default();
        for tick in 0..80 {
            world.step(&mut report);
            let is_pair = |body: BodyId| [id(0), id(1)].contains(&body);
            let of_pair =
                report.events.iter().filter(|event| is_pair(event.a) && event.b == Collider::Body(id(1)));
            assert_eq!(of_pair.count(), 0, "{sleep:?}, tick {tick}: {:?}", report.events);
        }
        assert!(world.body(id(1)).unwrap().position.x > s("0.5"), "it is past");
    }
}

/// Bodies touch within the rest gap of a pair, and a quarter of the velocity that gravity adds in a tick.
#[test]
fn a_body_that_hovers_by_a_quarter_of_gravity_wakes_with_its_support_and_no_further() {
    let world = ice(2);
    let shape = Shape::sphere(lit("0.5"));
    let skins = turning_skin(&shape) + turning_skin(&shape);
    let quarter = Scalar::from_bits(-world.gravity().y.to_bits() >> 2);
    assert!(quarter.to_bits() > 100_000);
    for (more, wakes) in [
        (Scalar::ZERO, true),
        (quarter / 2, true),
        (quarter, true),
        (quarter + Scalar::DELTA, false),
        (quarter * 2, false),
    ] {
        let mut state = world.state().clone();
        state.sleep.iter_mut().for_each(|sleep| *sleep = Sleep::Asleep);
        let below = state.slots[0].body.unwrap().position;
        let apart =
            lit("1") + touch_gap((&shape, BodyType::Dynamic), (&shape, BodyType::Dynamic)) + skins + more;
        for slot in &mut state.slots {
            let body = slot.body.as_mut().unwrap();
            body.momentum = Vec3::ZERO;
            body.spin.as_mut().unwrap().angular_momentum = Vec3::ZERO;
        }
        state.slots[1].body.as_mut().unwrap().position = below + Vec3::new(lit("0"), apart, lit("0"));
        let mut world = World::from_state(state, Arc::clone(world.scenery())).unwrap();
        let woken = world.apply(&[Command::SetSleep { body: id(0), sleeps: true }]).woke;
        let expected = if wakes { vec![id(0), id(1)] } else { vec![id(0)] };
        assert_eq!(woken, expected, "{more} more than what touches");
    }
}

#[test]
fn a_woken_body_is_awake_for_as_long_as_one_that_never_slept() {
    let mut world = ice(1);
    let mut report = TickReport::default();
    let mut sleeps_in = |world: &mut World| {
        (1..=100).find(|_| {
            world.step(&mut report);
            !report.fell_asleep.is_empty()
        })
    };
    assert_eq!(sleeps_in(&mut world), Some(AFTER));
    let nudge =
        |velocity: i64| Command::SetVelocity { body: id(0), velocity: Vec3::from_raw([velocity, 0, 0]) };
    for commands in [
        vec![Command::SetSleep { body: id(0), sleeps: true }],
        vec![nudge(50)],
        vec![
            Command::SetSleep { body: id(0), sleeps: false },
            Command::SetSleep { body: id(0), sleeps: true },
        ],
    ] {
        assert_eq!(world.sleep(id(0)), Some(Sleep::Asleep));
        let _ = world.apply(&commands);
        assert_eq!(world.sleep(id(0)), Some(Sleep::NEW), "{commands:?}");
        assert_eq!(sleeps_in(&mut world), Some(AFTER), "{commands:?}");
    }
    // One tick in which it is not still, and it counts from the start.
    world.apply(&[nudge(50)]).accepted().unwrap();
    (0..AFTER - 1).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(world.sleep(id(0)), Some(Sleep::Awake(AFTER - 1)));
    world.apply(&[nudge(1 << 28)]).accepted().unwrap();
    world.step(&mut TickReport::default());
    assert_eq!(world.sleep(id(0)), Some(Sleep::NEW));
}

/// Two sensors of each other creep apart, so slowly that both count as still: the end of their overlap is
/// reported, even in the very tick in which both fall asleep.
#[test]
fn bodies_that_separate_in_the_tick_in_which_both_fall_asleep_separate() {
    const CREEP: i64 = 1_000;
    let (rested, mut told) = (ice(2), [0; 2]);
    for ticks in 0..i64::from(AFTER) + 2 {
        let mut state = rested.state().clone();
        let [mut a, mut b] = [0, 1].map(|slot| state.slots[slot].body.unwrap());
        (a.layer, b.layer) = (1, 2);
        (a.momentum, b.momentum) = (Vec3::from_raw([-3 * CREEP, 0, 0]), Vec3::from_raw([3 * CREEP, 0, 0]));
        // After so many ticks they overlap by no more than a tick takes away.
        b.position = a.position + Vec3::from_raw([lit("1").to_bits() - 2 * CREEP * ticks - CREEP, 0, 0]);
        (state.slots[0].body, state.slots[1].body) = (Some(a), Some(b));
        let mut world = World::from_state(state, Arc::clone(rested.scenery())).unwrap();
        let sensors = Command::SetLayers { a: 1, b: 2, rule: Rule::Sensor, allow_overlap: true };
        assert!(world.apply(&[sensors]).outcomes[0].is_ok());
        let mut report = TickReport::default();
        world.enable_events(true);
        for tick in 0..i64::from(AFTER) {
            let entry = World::clone(&world);
            world.step(&mut report);
            assert_events(&report, &entry, &world);
            let is_last = tick + 1 == i64::from(AFTER);
            assert_eq!(report.fell_asleep.len(), if is_last { 2 } else { 0 });
            let exits = report.events.iter().filter(|event| event.kind == EventKind::Exit).count();
            assert_eq!(exits, usize::from(tick == ticks), "tick {tick} of {ticks}");
            told[usize::from(is_last)] += exits;
        }
    }
    assert_eq!(told, [usize::from(AFTER) - 1, 1]);
}

/// A standing body is expected to stay in place; driven off in the tick, it meets a sleeping one far beyond
/// that: in the search for contacts, in that for overlaps of soft bodies, and without both in that for impacts.
#[test]
fn a_body_driven_off_at_once_does_not_pass_a_sleeping_one() {
    let rested = |restitution: &str, setup: fn(&mut State)| {
        let world = ice_of(3, restitution);
        let mut state = world.state().clone();
        setup(&mut state);
        World::from_state(state, Arc::clone(world.scenery())).unwrap()
    };
    let weightless = |state: &mut State| {
        state.gravity = Vec3::ZERO;
        state
            .slots
            .iter_mut()
            .filter_map(|slot| slot.body.as_mut())
            .for_each(|body| body.momentum = Vec3::ZERO);
    };
    let soft = |state: &mut State| {
        state.limits.separation_speed = lit("0.25");
        state.layers.set(3, 4, Rule::Soft);
    };
    let keep: fn(&mut State) = |_| ();
    for (name, restitution, setup) in
        [("contacts", "0", keep), ("overlaps", "0", soft), ("impacts", "0.5", weightless)]
    {
        let mut world = rested(restitution, setup);
        let mut report = TickReport::default();
        (0..AFTER).for_each(|_| world.step(&mut report));
        assert!((0..3).all(|slot| world.sleep(id(slot)) == Some(Sleep::Asleep)), "{name}");
        let (velocity, accel_max) = (v("4", "0", "0"), lit("4"));
        world.apply(&[Command::Drive { body: id(0), velocity, accel_max }]).accepted().unwrap();
        world.step(&mut report);
        let [first, second] = [0, 1].map(|slot| world.body(id(slot)).unwrap().position.x);
        assert_eq!(
            (report.woke.contains(&id(1)), report.impacts.is_empty()),
            (true, false),
            "{name}: {report:?}"
        );
        assert!(second - first >= lit("1") && second > lit("3"), "{name}: {first} {second}");
    }
}

/// A body that wakes, moves and falls asleep elsewhere is found at its present place.
#[test]
fn a_body_that_falls_asleep_elsewhere_is_met_there() {
    let mut world = ice(6);
    let mut report = TickReport::default();
    let lull = |world: &mut World| (0..=AFTER).for_each(|_| world.step(&mut TickReport::default()));
    let go = |world: &mut World, slot: u32, velocity: Vec3| {
        let outcomes = world.apply(&[Command::SetVelocity { body: id(slot), velocity }]).outcomes;
        assert!(outcomes.iter().all(Result::is_ok));
    };
    lull(&mut world);
    go(&mut world, 0, v("0", "0", "0.5"));
    (0..6).for_each(|_| world.step(&mut report));
    go(&mut world, 0, Vec3::ZERO);
    lull(&mut world);
    assert!((0..6).all(|slot| world.sleep(id(slot)) == Some(Sleep::Asleep)));
    assert_eq!(world.body(id(0)).unwrap().position.z, lit("3"));
    // From (3, 0) to where the first one lies, (0, 3).
    go(&mut world, 1, v("-0.25", "0", "0.25"));
    let mut impacts = 0;
    for _ in 0..16 {
        world.step(&mut report);
        assert_eq!(overlaps(&world), 0);
        impacts += usize::from(report.woke.contains(&id(0)) && !report.impacts.is_empty());
    }
    assert_eq!(impacts, 1);
}

/// No body falls asleep beside a kinematic body only to wake in the next tick.
#[test]
fn bodies_beside_a_kinematic_one_do_not_fall_asleep_and_wake_by_turns() {
    let turning = |slab: ShapeId| Spawn {
        angular_velocity: v("0", "0.001", "0"),
        ..Spawn::new(slab, place(0, 2_000, 0))
    };
    let sinking =
        |slab: ShapeId| Spawn { velocity: v("0", "-0.01", "0"), ..Spawn::new(slab, place(0, 2_000, 0)) };
    // It goes by under the cube, and does not touch it.
    let passing =
        |slab: ShapeId| Spawn { velocity: v("0.01", "0", "0"), ..Spawn::new(slab, place(0, 1_200, 0)) };
    for driven in [&turning as &dyn Fn(ShapeId) -> Spawn, &sinking, &passing] {
        let mut stage = Stage::floor("0", "0.5");
        let slab = stage.block("3", "0.25", "3");
        let cube = stage.block("0.25", "0.25", "0.25");
        let board = stage.block("0.5", "0.25", "0.5");
        stage.add(Spawn { body_type: BodyType::Kinematic, ..driven(slab) });
        stage.add(Spawn::new(cube, place(0, 2_502, 0)));
        stage.add(Spawn { body_type: BodyType::Static, ..Spawn::new(board, place(0, 2_000, 12_000)) });
        stage.add(Spawn::new(cube, place(0, 2_502, 12_000)));
        let mut world = stage.world_within(limits());
        let (mut report, mut changes) = (TickReport::default(), [0; 4]);
        for _ in 0..240 {
            world.step(&mut report);
            for body in report.woke.iter().chain(&report.fell_asleep) {
                changes[body.slot() as usize] += 1;
            }
        }
        assert_eq!(world.sleep(id(3)), Some(Sleep::Asleep));
        assert!(changes[1] <= 1 && changes[3] == 1, "{changes:?}");
    }
}

/// A world of other limits, rules, gravity, bodies and sleep than [`ice`].
fn elsewhere() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::ELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.25")));
    let rod = builder.shape(Shape::capsule(v("0", "0.5", "0"), lit("0.25")));
    let limits = Limits::new(30).with_sleep_after(4).with_speed_max(lit("3"));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let orientation = Rotation::from_quaternion(s("1"), s("2"), s("0"), s("-1")).unwrap();
    let turning = Spawn {
        rotates: true,
        orientation,
        angular_velocity: v("0", "0.1", "0"),
        ..Spawn::new(rod, v("5", "0", "0"))
    };
    let commands = [
        Command::SetLayers { a: 0, b: 3, rule: Rule::Ignore, allow_overlap: false },
        Command::Spawn(Spawn::new(ball, Vec3::ZERO)),
        Command::Spawn(turning),
        Command::Spawn(Spawn { layer: 3, ..Spawn::new(ball, v("-5", "0", "0")) }),
        Command::Remove { body: id(0) },
        Command::SetGravity { gravity: Vec3::ZERO },
    ];
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    (0..6).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(world.sleepers().collect::<Vec<_>>(), [id(2)]);
    world
}

/// A world may have held any other world before, with its list of sleeping bodies and all caches of its last
/// tick.
#[test]
fn a_world_cloned_into_another_is_that_world() {
    let never = {
        let mut stage = Stage::floor("0", "0.5");
        let ball = stage.shape(Shape::sphere(lit("0.5")));
        stage.add(Spawn { velocity: v("1", "0", "0"), ..Spawn::new(ball, place(0, 501, 0)) });
        stage.world(60)
    };
    let slept = {
        let mut world = ice(3);
        (0..AFTER).for_each(|_| world.step(&mut TickReport::default()));
        assert_eq!(world.sleepers().count(), 3);
        world
    };
    let worlds = [ice(2), slept, elsewhere(), never];
    for (from, to) in (0..worlds.len()).flat_map(|from| (0..worlds.len()).map(move |to| (from, to))) {
        let source = worlds[from].clone();
        let mut copy = worlds[to].clone();
        copy.step(&mut TickReport::default());
        copy.clone_from(&source);
        assert_eq!(copy.state(), source.state(), "{from} into {to}");
        assert_eq!(snapshot::encode(&copy), snapshot::encode(&source), "{from} into {to}");
        let mut original = source.clone();
        copy.enable_events(true);
        original.enable_events(true);
        let wakes = [Command::SetVelocity { body: id(1), velocity: Vec3::from_raw([1 << 24, 0, 0]) }];
        for tick in 0..20 {
            let (mut one, mut two) = (TickReport::default(), TickReport::default());
            let commands = if tick == 5 { &wakes[..] } else { &[] };
            let _ = copy.tick(commands, &mut one);
            let _ = original.tick(commands, &mut two);
            assert_eq!((copy.state(), one), (original.state(), two), "{from} into {to}, tick {tick}");
        }
    }
}

/// A ball flies off a slope at a heavy sleeping body, which was left out of the tick since no path led there.
/// Behind it lies another, which takes part since an awake body drifts beside it: without the heavy one it
/// would be hit.
#[test]
fn a_body_that_is_hit_only_without_another_sleeps_on() {
    let mut stage = Stage::new("1", "0");
    stage.plane(Normal::new(-1, 1, 0), v("3", "0", "0"));
    let ball = stage.shape(Shape::sphere(lit("0.5")));
    stage.add(Spawn { mass: 60_000, ..Spawn::new(ball, place(2_293, 3_000, 0)) });
    stage.add(Spawn::new(ball, place(2_293, 6_000, 0)));
    stage.add(Spawn { velocity: v("0.6", "0", "0"), ..Spawn::new(ball, place(3_550, 6_000, 0)) });
    let mut world = stage.world_within(limits().with_sleep_after(2));
    world.apply(&[Command::SetGravity { gravity: Vec3::ZERO }]).accepted().unwrap();
    (0..4).for_each(|_| world.step(&mut TickReport::default()));
    assert_eq!(world.sleepers().collect::<Vec<_>>(), [id(0), id(1)]);
    let fast = Command::Spawn(Spawn { velocity: v("10", "0", "0"), ..Spawn::new(ball, Vec3::ZERO) });
    for (commands, struck) in [(vec![fast], id(0)), (vec![Command::Remove { body: id(0) }, fast], id(1))] {
        let (mut world, mut report) = (world.clone(), TickReport::default());
        world.tick(&commands, &mut report).accepted().unwrap();
        assert!(report.outcomes.iter().all(Result::is_ok) && report.impacts.len() > 1);
        assert_eq!(report.woke, [struck]);
    }
}
