//! Hit stop by hand: a frozen body stands still, is a wall to others, and continues as if nothing had
//! happened.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Toi, lit},
    shape::Shape,
    snapshot,
    state::{Body, BodyId, BodyType, Collider, Command, Limits, Locks, Refusal, Rule, ShapeId, Sleep, Spawn},
    tick::{Cause, EventKind, TickReport},
};

use crate::{
    shows::{Stage, place},
    support::{HALF, assert_clean, closed_box, overlaps, shapes, step, v},
};

const BALL: ShapeId = ShapeId(0);

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn body(world: &World, slot: u32) -> Body {
    *world.body(id(slot)).unwrap()
}

/// Elastic balls without gravity.
fn space(spawns: &[Spawn]) -> World {
    let solids = [Shape::sphere(HALF), Shape::aabb(v("2", "0.25", "2"))];
    let mut world = World::new(Limits::new(60), shapes("1", &solids)).unwrap();
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn ball(x: &str, velocity: &str) -> Spawn {
    Spawn { velocity: v(velocity, "0", "0"), ..Spawn::new(BALL, v(x, "0", "0")) }
}

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

fn freeze(slot: u32, ticks: u16) -> Command {
    Command::Freeze { body: id(slot), ticks }
}

/// A box that tumbles under gravity with damping and a ball that flies, once without a freeze and once frozen
/// in between.
#[test]
fn a_frozen_body_goes_on_to_the_bit_as_one_that_was_never_frozen() {
    let tumbling = Shape::obb(v("0.5", "0.25", "0.125"), Rotation::IDENTITY);
    let free = v("0.01", "0.04", "-0.02");
    for (locks, angular_velocity) in
        [(Locks::NONE, free), (Locks::TURN_X.and(Locks::Z), v("0", "0.04", "-0.02"))]
    {
        let mut world =
            World::new(Limits::new(60), closed_box("0.5", std::slice::from_ref(&tumbling), "100")).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("0.5", "-9.81", "0.25"));
        let thrown = Spawn {
            rotates: true,
            locks,
            mass: 7,
            damping_q16: 300,
            velocity: v("0.25", "0.125", "0"),
            angular_velocity,
            ..Spawn::new(BALL, Vec3::ZERO)
        };
        apply(&mut world, &[Command::SetGravity { gravity }, Command::Spawn(thrown)]);
        let (mut report, mut twin) = (TickReport::default(), world.clone());
        for _ in 0..20 {
            step(&mut world, &mut report);
            step(&mut twin, &mut TickReport::default());
        }
        apply(&mut world, &[freeze(0, 9)]);
        for left in (0..9).rev() {
            let before = body(&world, 0);
            step(&mut world, &mut report);
            assert_eq!(body(&world, 0), Body { frozen: left, ..before });
            assert_eq!((report.ledger.total(), report.angular.total()), ([0; 3], [0; 3]));
            assert_clean(&report);
        }
        for _ in 0..20 {
            step(&mut world, &mut report);
            step(&mut twin, &mut TickReport::default());
            assert_eq!(body(&world, 0), body(&twin, 0));
        }
    }
}

#[test]
fn a_new_freeze_replaces_the_count_and_none_thaws() {
    let mut world = space(&[ball("0", "0.5")]);
    let mut report = TickReport::default();
    let frozen = |world: &World| body(world, 0).frozen;
    for (ticks, after) in [(5, 4), (2, 1), (9, 8), (1, 0)] {
        apply(&mut world, &[freeze(0, ticks)]);
        step(&mut world, &mut report);
        assert_eq!((frozen(&world), body(&world, 0).position), (after, Vec3::ZERO));
    }
    apply(&mut world, &[freeze(0, u16::MAX), freeze(0, 0)]);
    step(&mut world, &mut report);
    assert_eq!((frozen(&world), body(&world, 0).position), (0, v("0.5", "0", "0")));
}

/// A ball of mass 3 comes with 0.5 against a ball of mass 1 that is frozen: it turns round, and 3 is booked
/// as held.
#[test]
fn a_body_that_hits_a_frozen_one_hits_a_wall() {
    for velocity in ["0", "-1", "0.25"] {
        let heavy = Spawn { mass: 3, ..ball("-1.25", "0.5") };
        let mut world = space(&[heavy, ball("0", velocity)]);
        apply(&mut world, &[freeze(1, 2)]);
        let mut report = TickReport::default();
        world.enable_events(true);
        step(&mut world, &mut report);
        let [impact] = report.impacts[..] else { panic!("{:?}", report.impacts) };
        assert_eq!((impact.a, impact.b, impact.closing), (id(0), Collider::Body(id(1)), lit("0.5")));
        assert_eq!(
            (impact.normal.components()[0].signum(), report.ledger[Cause::Holds]),
            (1, [-3 << 32, 0, 0])
        );
        assert_eq!(body(&world, 0).velocity(), v("-0.5", "0", "0"));
        assert_eq!(body(&world, 1).velocity(), v(velocity, "0", "0"));
        assert_eq!(body(&world, 1).position, Vec3::ZERO);
        let kinds: Vec<_> = report.events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::Begin, EventKind::Hit, EventKind::End]);
        assert_eq!(report.impulses[0].impulse, v("3", "0", "0"));
        step(&mut world, &mut report);
        assert_eq!(body(&world, 1).frozen, 0);
        assert_eq!(overlaps(&world), 0);
    }
}

/// Both move into each other; one is frozen after the other, and then none.
#[test]
fn two_that_close_meet_when_both_are_thawed() {
    let mut world = space(&[ball("-1", "0.25"), ball("1", "-0.25")]);
    apply(&mut world, &[freeze(0, 3), freeze(1, 3)]);
    let mut report = TickReport::default();
    for _ in 0..3 {
        step(&mut world, &mut report);
        assert!(report.impacts.is_empty());
    }
    for _ in 0..3 {
        step(&mut world, &mut report);
        assert_eq!((report.ledger.total(), overlaps(&world)), ([0; 3], 0));
    }
    assert_eq!([0, 1].map(|slot| body(&world, slot).velocity()), [v("-0.25", "0", "0"), v("0.25", "0", "0")]);
}

#[test]
fn commands_change_what_a_frozen_body_goes_on_with() {
    let mut world = space(&[ball("0", "0.5")]);
    let mut report = TickReport::default();
    apply(&mut world, &[freeze(0, 4)]);
    let before = world.momentum_wide();
    let push = Command::ApplyImpulse { body: id(0), impulse: v("0", "2", "0") };
    world.tick(&[push], &mut report).accepted().unwrap();
    assert_eq!(report.ledger.total(), [0, 2 << 32, 0]);
    assert_eq!([0, 1, 2].map(|axis| world.momentum_wide()[axis] - before[axis]), [0, 2 << 32, 0]);
    let teleport = Command::Teleport {
        body: id(0),
        position: v("9", "0", "0"),
        orientation: None,
        allow_overlap: false,
    };
    world.tick(&[teleport], &mut report).accepted().unwrap();
    assert_eq!((body(&world, 0).position, body(&world, 0).frozen), (v("9", "0", "0"), 2));
    (0..3).for_each(|_| step(&mut world, &mut report));
    assert_eq!(body(&world, 0).position, v("9.5", "2", "0"));
}

#[test]
fn a_frozen_kinematic_body_stays_and_then_goes_where_it_was_sent() {
    let lift = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(ShapeId(1), Vec3::ZERO) };
    let mut world =
        space(&[lift, Spawn { velocity: v("0", "-0.5", "0"), ..Spawn::new(BALL, v("0", "1.5", "0")) }]);
    apply(&mut world, &[Command::MoveKinematic { body: id(0), position: v("0", "-1", "0") }, freeze(0, 3)]);
    let mut report = TickReport::default();
    let sent = body(&world, 0);
    for left in (0..3).rev() {
        step(&mut world, &mut report);
        assert_eq!(body(&world, 0), Body { frozen: left, ..sent });
    }
    assert_eq!(body(&world, 1).velocity(), v("0", "0.5", "0"), "it struck what stood still");
    step(&mut world, &mut report);
    assert_eq!((body(&world, 0).position, body(&world, 0).momentum), (v("0", "-1", "0"), Vec3::ZERO));
}

/// A moving gate is stopped at the frozen body, and continues when that thaws.
#[test]
fn kinematic_bodies_are_blocked_by_a_frozen_body() {
    let gate = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0.5", "0", "0"),
        ..Spawn::new(BALL, v("-1.25", "0", "0"))
    };
    let mut world = space(&[gate, ball("0", "0")]);
    apply(&mut world, &[freeze(1, 2)]);
    let mut report = TickReport::default();
    for _ in 0..2 {
        step(&mut world, &mut report);
        let [blocked] = report.blocked[..] else { panic!("{report:?}") };
        assert_eq!((blocked.body, blocked.by, body(&world, 1).position), (id(0), id(1), Vec3::ZERO));
        assert_eq!(overlaps(&world), 0);
    }
    step(&mut world, &mut report);
    assert!(report.blocked.is_empty() && body(&world, 1).velocity() == v("1", "0", "0"), "{report:?}");
}

/// A ball flies through a ring of sensors that is frozen in its path: it enters and leaves where the ring is.
#[test]
fn sensors_see_a_frozen_body_where_it_is() {
    let zone = Spawn { layer: 3, ..ball("2", "5") };
    let mut world = space(&[ball("0", "4"), zone]);
    let report_only = Command::SetLayers { a: 0, b: 3, rule: Rule::Sensor, allow_overlap: false };
    apply(&mut world, &[report_only, freeze(1, 1)]);
    let mut report = TickReport::default();
    world.enable_events(true);
    step(&mut world, &mut report);
    let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.toi)).collect();
    let at = |quarters: u64| Toi::from_raw(quarters << 30).unwrap();
    assert_eq!(told, [(EventKind::Enter, at(1)), (EventKind::Exit, at(3))]);
}

/// A crate on a frozen crate rests, and neither falls asleep until some ticks after the thaw.
#[test]
fn no_body_falls_asleep_on_a_frozen_one_and_freezing_wakes() {
    let mut stage = Stage::floor("0.5", "0");
    let cube = stage.block("0.5", "0.5", "0.5");
    for height in [550, 1_570] {
        stage.add(Spawn::new(cube, place(0, height, 0)));
    }
    let mut world = stage.world_within(Limits::new(60).with_sleep_after(8));
    let mut report = TickReport::default();
    let settles = |world: &mut World, report: &mut TickReport| {
        (0..400).find(|_| {
            step(world, report);
            report.fell_asleep.len() == 2
        })
    };
    assert!(settles(&mut world, &mut report).is_some());
    let lying = [0, 1].map(|slot| body(&world, slot).position);
    assert_eq!(world.apply(&[freeze(0, 30)]).woke, [id(0), id(1)]);
    for tick in 0..30 {
        step(&mut world, &mut report);
        assert!(report.fell_asleep.is_empty() && report.woke.is_empty(), "tick {tick}");
        assert_eq!(world.sleep(id(0)), Some(Sleep::NEW));
        assert_eq!(body(&world, 0).position, lying[0]);
    }
    let moved = (body(&world, 1).position - lying[1]).raw();
    assert!(moved.iter().all(|raw| raw.abs() < 1 << 20), "{moved:?}");
    assert!(settles(&mut world, &mut report).is_some_and(|ticks| ticks >= 7));
}

/// A body that sleeps far from a frozen lift keeps sleeping, and the count continues where no body is awake.
#[test]
fn a_count_ends_where_all_bodies_sleep() {
    let mut stage = Stage::floor("0.5", "0");
    let cube = stage.block("0.5", "0.5", "0.5");
    stage.add(Spawn::new(cube, place(0, 550, 0)));
    let velocity = v("0", "15", "0");
    stage.add(Spawn { body_type: BodyType::Kinematic, velocity, ..Spawn::new(cube, place(9_000, 3_000, 0)) });
    let mut world = stage.world_within(Limits::new(60).with_sleep_after(8));
    apply(&mut world, &[freeze(1, 200)]);
    let mut report = TickReport::default();
    let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
    for left in (0..200).rev() {
        for world in [&mut world, &mut restored] {
            step(world, &mut report);
            assert_eq!((body(world, 1).frozen, body(world, 1).position), (left, place(9_000, 3_000, 0)));
        }
        assert_eq!(snapshot::encode(&world), snapshot::encode(&restored));
        restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
    }
    assert_eq!(world.sleep(id(0)), Some(Sleep::Asleep));
    step(&mut world, &mut report);
    assert_eq!(body(&world, 1).position, place(9_000, 3_000, 0) + v("0", "0.25", "0"));
}

#[test]
fn bodies_that_move_are_frozen_and_no_others() {
    let block = Spawn { body_type: BodyType::Static, ..ball("0", "0") };
    let mut world = space(&[block]);
    let refused = |world: &mut World, command| world.apply(&[command]).outcomes.remove(0).unwrap_err().reason;
    assert_eq!(
        refused(&mut world, freeze(0, 1)),
        Refusal::BodyType { body: id(0), body_type: BodyType::Static }
    );
    assert_eq!(refused(&mut world, freeze(7, 1)), Refusal::NoBody { body: id(7) });
    let mut state = world.state().clone();
    state.slots[0].body.as_mut().unwrap().frozen = 1;
    let error = World::from_state(state, world.scenery().clone()).unwrap_err().to_string();
    assert_eq!(error, "slots[0].frozen: a static body is never frozen");
}
