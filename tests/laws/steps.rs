//! Ticks in several steps: from outside one tick, from inside the steps of a world of as many more ticks.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar, Toi, lit},
    shape::Shape,
    snapshot,
    state::{BodyId, BodyType, Command, Drive, Limits, Locks, Rule, ShapeId, Sleep, Spawn, State},
    tick::{ContactEvent, ContactImpulse, EventKind, TickReport},
};

use crate::{
    shows::{Stage, place, turned},
    support::{HALF, s, shapes, step, v},
};

const STEPS: u8 = 6;

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// Ten ticks per second in six steps each, and sixty in one.
fn paces() -> [Limits; 2] {
    [Limits::new(10).with_substeps(STEPS), Limits::new(60)]
}

/// Balls, cubes and rods that fall into a well through a sensor, a body that is driven through them, and a
/// lift.
fn crowd(limits: Limits) -> World {
    let mut stage = Stage::well("0.3", "0.5", "1.5");
    let ball = stage.shape(Shape::sphere(s("0.25")));
    let rod = stage.shape(Shape::capsule(v("0.2", "0", "0"), s("0.12")));
    let kinds = [ball, stage.block("0.2", "0.2", "0.2"), rod];
    for index in 0..24_i64 {
        let mut draws = Rng::new(4).at(9, index as u64, 0);
        let [x, z] = [index % 3, index / 3 % 3].map(|cell| 800 * (cell - 1) + draws.between(-40, 40));
        let orientation = turned([0; 4].map(|_: i64| draws.between(-1_000, 1_000)));
        let [shape, layer] = [kinds[index as usize % 3].0, (index % 2) as u16];
        let spawn = Spawn::new(ShapeId(shape), place(x, 1_450 + 800 * (index / 9), z));
        stage.add(Spawn { orientation, layer: layer as u8, mass: 1 + index as u32, ..spawn });
    }
    let thin = stage.block("1.4", "0.02", "1.4");
    stage.add(Spawn { body_type: BodyType::Static, layer: 5, ..Spawn::new(thin, place(0, 1_000, 0)) });
    stage.add(Spawn { body_type: BodyType::Kinematic, ..Spawn::new(kinds[1], place(0, 210, 0)) });
    let mut world = stage.world_within(limits);
    let sensor = |layer| Command::SetLayers { a: layer, b: 5, rule: Rule::Sensor, allow_overlap: true };
    let velocity = limits.velocity_nearest(v("1", "0", "0.5"));
    let driven = Command::Drive { body: id(1), velocity, accel_max: limits.accel_nearest(lit("20")) };
    let lifted = limits.velocity_nearest(v("0", "0.1", "0"));
    let lift = Command::SetVelocity { body: id(25), velocity: lifted };
    let applied = world.apply(&[sensor(0), sensor(1), driven, lift]);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
    world
}

/// A state as if it were that of a world of another pace.
fn as_paced(state: &State, limits: Limits, tick: u64) -> State {
    let mut state = state.clone();
    (state.limits, state.tick) = (limits, tick);
    state
}

/// The events of six ticks as those of one, by another way than the tick's own: instants as fractions, no
/// order.
fn expected_events(reports: &[TickReport], tick: u64) -> Vec<ContactEvent> {
    let mut events = Vec::new();
    for (index, report) in (0..).zip(reports) {
        for event in &report.events {
            let toi = (u128::from(event.toi.raw()) + (index << 32)) / u128::from(STEPS);
            let toi = Toi::from_raw(toi as u64).unwrap();
            events.push(ContactEvent { tick, toi, repeat: 0, ..*event });
        }
    }
    events.sort_unstable();
    // Instants of two steps, or of one, may be one instant of the tick.
    for next in 1..events.len() {
        if (ContactEvent { repeat: 0, ..events[next - 1] }) == events[next] {
            events[next].repeat = events[next - 1].repeat + 1;
        }
    }
    events
}

fn expected_impulses(reports: &[TickReport]) -> Vec<ContactImpulse> {
    let mut sums: Vec<ContactImpulse> = Vec::new();
    for given in reports.iter().flat_map(|report| &report.impulses) {
        match sums.iter_mut().find(|sum| (sum.a, sum.b) == (given.a, given.b)) {
            Some(sum) => sum.impulse += given.impulse,
            None => sums.push(*given),
        }
    }
    sums.sort_unstable_by_key(|given| (given.a, given.b));
    sums
}

fn all(reports: &[TickReport], of: impl Fn(&TickReport) -> &Vec<BodyId>) -> Vec<BodyId> {
    let mut list: Vec<BodyId> = reports.iter().flat_map(|report| of(report).clone()).collect();
    list.sort_unstable();
    list.dedup();
    list
}

#[test]
fn a_tick_is_the_ticks_of_a_world_of_as_many_more() {
    let [limits, many] = paces();
    let (mut world, mut fine) = (crowd(limits), crowd(many));
    world.enable_events(true);
    fine.enable_events(true);
    let (mut report, mut seen) = (TickReport::default(), [0; 5]);
    for tick in 1..=100 {
        let before = world.momentum_wide();
        world.step(&mut report);
        let reports: Vec<TickReport> = (0..STEPS)
            .map(|_| {
                let mut report = TickReport::default();
                fine.step(&mut report);
                report
            })
            .collect();
        assert_eq!(*world.state(), as_paced(fine.state(), limits, tick), "tick {tick}");
        assert_eq!(report.tick, tick);
        assert_eq!(report.events, expected_events(&reports, tick));
        assert_eq!(report.impulses, expected_impulses(&reports));
        assert_eq!(report.velocity_corrected, all(&reports, |report| &report.velocity_corrected));
        assert_eq!(report.impact_limited, all(&reports, |report| &report.impact_limited));
        let (after, total) = (world.momentum_wide(), report.ledger.total());
        (0..3).for_each(|axis| assert_eq!(after[axis] - before[axis], total[axis], "tick {tick}"));
        let turned: [i128; 3] = [0, 1, 2].map(|axis| {
            reports.iter().map(|report| report.angular.total()[axis]).fold(0, i128::wrapping_add)
        });
        assert_eq!(report.angular.total(), turned);
        assert!(report.impacts.is_sorted_by_key(|impact| impact.toi));
        for event in report.events.iter().filter(|event| event.kind == EventKind::Hit) {
            assert!(report.impact_of(event).is_some(), "tick {tick}: {event}");
        }
        seen[0] += report.impacts.len();
        seen[1] += report.impulses.len();
        let kinds = [EventKind::Begin, EventKind::Enter, EventKind::End];
        for (count, kind) in seen[2..].iter_mut().zip(kinds) {
            *count += report.events.iter().filter(|event| event.kind == kind).count();
        }
    }
    assert!(seen.into_iter().all(|count| count > 20), "{seen:?}");
}

#[test]
fn a_world_restored_between_any_ticks_goes_on_the_same() {
    let mut world = crowd(paces()[0]);
    world.enable_events(true);
    let [mut report, mut again] = [TickReport::default(), TickReport::default()];
    for _ in 0..60 {
        let bytes = snapshot::encode(&world);
        let mut restored = snapshot::decode(&bytes, world.scenery()).unwrap();
        restored.enable_events(true);
        assert_eq!(restored.limits().substeps, STEPS);
        world.step(&mut report);
        restored.step(&mut again);
        assert_eq!(snapshot::checksum(&restored), snapshot::checksum(&world));
        assert_eq!(again, report);
    }
}

/// Counts are in ticks: hit stop, stillness, and the way to a `MoveKinematic` target.
#[test]
fn counts_are_of_ticks() {
    let limits = paces()[0].with_sleep_after(4);
    let mut world = World::new(limits, shapes("0", &[Shape::sphere(HALF)])).unwrap();
    let velocity = limits.velocity_nearest(v("6", "0", "0"));
    let target = Vec3::from_raw([(9 << 32) + 5, -7, 3]);
    let lift = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(ShapeId(0), v("0", "0", "9")) };
    let commands = [
        Command::Spawn(Spawn { velocity, ..Spawn::new(ShapeId(0), Vec3::ZERO) }),
        Command::Spawn(lift),
        Command::Spawn(Spawn::new(ShapeId(0), v("0", "0", "-9"))),
        Command::Freeze { body: id(0), ticks: 2 },
        Command::MoveKinematic { body: id(1), position: target },
    ];
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    for tick in 1..=6_u64 {
        step(&mut world, &mut report);
        assert_eq!(world.tick_count(), tick);
        let body = |slot| *world.body(id(slot)).unwrap();
        // A tenth of a second at six units per second, in each tick but the two it is frozen for; to a raw a
        // step.
        let way = body(0).position.x - lit("0.6") * (tick.saturating_sub(2) as i64);
        assert!(way.to_bits().abs() <= 36, "tick {tick}: {way}");
        // There in one tick, to half a raw a step, and there it stays.
        let off = (body(1).position - target).raw();
        assert!(off.iter().all(|raw| raw.abs() <= 3), "tick {tick}: {off:?}");
        assert_eq!((body(1).momentum, body(1).stops), (Vec3::ZERO, false));
        let sleeps = world.sleep(id(2)).unwrap();
        let expected = if tick < 4 { Sleep::Awake(tick as u8) } else { Sleep::Asleep };
        assert_eq!(sleeps, expected, "tick {tick}");
    }
}

#[test]
fn a_world_that_sleeps_counts_its_ticks() {
    let limits = paces()[0].with_sleep_after(3);
    let mut world = World::new(limits, shapes("0", &[Shape::sphere(HALF)])).unwrap();
    let _ = world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO))]);
    for tick in 1..=9 {
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!((world.tick_count(), report.tick), (tick, tick));
        assert_eq!(report.fell_asleep.len(), usize::from(tick == 3), "tick {tick}");
    }
}

/// Thirty-two units in a tick through a thin sensor: entry and exit lie in the third step of four.
#[test]
fn instants_are_those_of_the_tick() {
    let limits = Limits::new(15).with_substeps(4);
    let thin = Shape::aabb(v("0.0625", "4", "4"));
    let mut world = World::new(limits, shapes("0", &[Shape::sphere(s("0.4375")), thin])).unwrap();
    let commands = [
        Command::SetLayers { a: 0, b: 1, rule: Rule::Sensor, allow_overlap: false },
        Command::Spawn(Spawn { velocity: v("8", "0", "0"), ..Spawn::new(ShapeId(0), Vec3::ZERO) }),
        Command::Spawn(Spawn {
            body_type: BodyType::Static,
            layer: 1,
            ..Spawn::new(ShapeId(1), v("20", "0", "0"))
        }),
    ];
    let mut report = TickReport::default();
    world.enable_events(true);
    world.tick(&commands, &mut report).accepted().unwrap();
    let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.toi.to_string())).collect();
    assert_eq!(told, [(EventKind::Enter, "0.609375".to_owned()), (EventKind::Exit, "0.640625".to_owned())]);
    assert_eq!(world.body(id(0)).unwrap().position, v("32", "0", "0"));
}

/// It falls as in one step: on the parabola at the end of every tick, and as fast.
#[test]
fn a_falling_body_is_on_the_parabola() {
    for (rate, steps) in [(10, 6), (20, 3), (7, 16), (60, 2)] {
        let limits = Limits::new(rate).with_substeps(steps);
        let mut world = World::new(limits, shapes("0", &[Shape::sphere(HALF)])).unwrap();
        let gravity = Vec3::from_raw([0, -2_000, 46]);
        let spawn = Spawn { velocity: Vec3::from_raw([77, 0, 0]), ..Spawn::new(ShapeId(0), Vec3::ZERO) };
        let _ = world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]);
        let mut report = TickReport::default();
        for tick in 1..=20_i64 {
            step(&mut world, &mut report);
            let time = tick * i64::from(steps);
            let fallen = gravity.map_raw(|pull| pull / 2 * time * time) + Vec3::from_raw([77 * time, 0, 0]);
            assert_eq!(world.body(id(0)).unwrap().position, fallen, "tick {tick} of {steps} steps");
        }
    }
}

#[test]
fn drives_reach_their_velocity_as_fast_as_at_the_finer_pace() {
    let [limits, many] = paces();
    let worlds = [limits, many].map(|limits| {
        let mut world = World::new(limits, shapes("0", &[Shape::sphere(HALF)])).unwrap();
        let drive = Drive {
            velocity: limits.velocity_nearest(v("3", "4", "0")),
            accel_max: limits.accel_nearest(lit("5")),
        };
        let Drive { velocity, accel_max } = drive;
        let commands = [
            Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO)),
            Command::Drive { body: id(0), velocity, accel_max },
        ];
        assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
        for _ in 0..limits.tick_rate {
            world.step(&mut TickReport::default());
        }
        world
    });
    let [coarse, fine] = worlds.map(|world| *world.body(id(0)).unwrap());
    assert_eq!(coarse, fine);
    let most: Scalar = s("0.084");
    assert!(fine.velocity().x > s("0.049") && fine.velocity().y < most);
}

/// The threshold of stillness is gravity's pull in a second: at every pace the same raw, whether or not ticks
/// have steps.
#[test]
fn a_body_at_rest_is_so_at_the_pace_of_the_steps() {
    let part = 1 << 10;
    let gravity = Vec3::from_raw([0, -256 * part, 0]);
    for (rate, steps, counted) in [(10, 6, 60), (60, 1, 60), (30, 2, 60), (20, 10, 64), (200, 1, 64)] {
        for (more, sleeps) in [(0, true), (1, false)] {
            let limits = Limits::new(rate).with_substeps(steps).with_sleep_after(2);
            let mut world = World::new(limits, shapes("0", &[Shape::sphere(HALF)])).unwrap();
            // Gravity does not move it, but nothing has to carry it for that.
            let velocity = Vec3::from_raw([counted * part + more, 0, 0]);
            let slides = Spawn { locks: Locks::Y, velocity, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
            let applied = world.apply(&[Command::SetGravity { gravity }, Command::Spawn(slides)]);
            assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
            (0..5).for_each(|_| world.step(&mut TickReport::default()));
            assert_eq!(world.sleep(id(0)) == Some(Sleep::Asleep), sleeps, "{rate} {steps} {more}");
        }
    }
}

/// A body that has been still for long enough is kept awake by a lift beside it. The lift moves in the first
/// steps of a tick, and in a later one a ball comes: the body has not slept in between.
#[test]
fn no_body_falls_asleep_between_two_steps() {
    let limits = paces()[0].with_sleep_after(2);
    let mut world = World::new(limits, shapes("1", &[Shape::sphere(HALF)])).unwrap();
    let lift = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0", "0", "0.0009765625"),
        ..Spawn::new(ShapeId(0), v("-1.0009765625", "0", "0"))
    };
    let still = Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO));
    let _ = world.apply(&[still, Command::Spawn(lift)]);
    let mut report = TickReport::default();
    for _ in 0..4 {
        step(&mut world, &mut report);
        assert!(report.fell_asleep.is_empty() && report.woke.is_empty());
    }
    assert_eq!(world.sleep(id(0)), Some(Sleep::Awake(2)));
    let away = Command::SetVelocity { body: id(1), velocity: v("-1", "0", "0") };
    let comes = Spawn { velocity: v("-1", "0", "0"), ..Spawn::new(ShapeId(0), v("3.5", "0", "0")) };
    let mut twin = world.clone();
    world.tick(&[away, Command::Spawn(comes)], &mut report).accepted().unwrap();
    assert_eq!((report.impacts.len(), report.fell_asleep.len(), report.woke.len()), (1, 0, 0));
    assert_eq!(world.sleep(id(0)), Some(Sleep::Awake(0)));
    // Without the ball it sleeps as that tick ends.
    twin.tick(&[away], &mut report).accepted().unwrap();
    assert_eq!((report.fell_asleep.as_slice(), twin.sleep(id(0))), (&[id(0)][..], Some(Sleep::Asleep)));
}
