//! Events: exact instants worked out by hand, in order, and no false ones.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Rng, Toi},
    shape::Shape,
    state::{
        BodyId, BodyType, Collider, Command, Done, Limits, Material, Rule, Scenery, SceneryBuilder, ShapeId,
        Spawn, Static, StaticId,
    },
    tick::{ContactEvent, ContactImpulse, EventKind, Impact, TickReport, touch_gap},
};

use crate::{
    support::{gas, s, step, v},
    tick_laws::assert_events,
};

pub const UNIT: i64 = 1 << 32;
/// The layer of sensors: it reports layer 0 and itself.
pub const SENSORS: u8 = 5;

const BALL: ShapeId = ShapeId(0);
const CUBE: ShapeId = ShapeId(1);
const PLATE: ShapeId = ShapeId(2);
const WALL: ShapeId = ShapeId(3);

/// A ball and a cube of half extent .5, a plate .1 thick along x, a wall that looks along x.
fn shapes() -> SceneryBuilder {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(s("1")).unwrap());
    builder.shape(Shape::sphere(s("0.5")));
    builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
    builder.shape(Shape::aabb(v("0.05", "4", "4")));
    builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::X).unwrap()));
    builder
}

fn with_statics(statics: &[(ShapeId, Vec3, u8)]) -> Arc<Scenery> {
    let mut builder = shapes();
    for &(shape, position, layer) in statics {
        builder.add(Static { shape, material: bitstep::state::MaterialId(0), position, layer });
    }
    builder.build().unwrap()
}

/// A world without gravity in which sensors report.
fn world(scenery: &Arc<Scenery>, spawns: &[Spawn]) -> World {
    let mut world = World::new(Limits::new(60), Arc::clone(scenery)).unwrap();
    for layer in [0, SENSORS] {
        apply(
            &mut world,
            Command::SetLayers { a: layer, b: SENSORS, rule: Rule::Sensor, allow_overlap: false },
        );
    }
    for spawn in spawns {
        apply(&mut world, Command::Spawn(*spawn));
    }
    world.enable_events(true);
    world
}

pub fn apply(world: &mut World, command: Command) -> Option<BodyId> {
    match world.apply(&[command]).outcomes.remove(0) {
        Ok(Done::Spawned(id)) => Some(id),
        Ok(Done::Applied) => None,
        Err(refusal) => panic!("{command:?}: {refusal}"),
    }
}

fn moving(shape: ShapeId, position: Vec3, velocity: Vec3) -> Spawn {
    Spawn { velocity, ..Spawn::new(shape, position) }
}

/// The events of one tick as (kind, raw instant, a, b).
fn tick(world: &mut World, report: &mut TickReport) -> Vec<(EventKind, u64, u32, Collider)> {
    step(world, report);
    assert!(!report.events_cut);
    let tick = report.tick;
    let told = |event: &ContactEvent| {
        assert_eq!((event.tick, event.repeat), (tick, 0));
        (event.kind, event.toi.raw(), event.a.slot(), event.b)
    };
    report.events.iter().map(told).collect()
}

const fn body(slot: u32) -> Collider {
    Collider::Body(BodyId::from_parts(slot, 0))
}

pub const fn fixed(index: u32) -> Collider {
    Collider::Static(StaticId(index))
}

/// The instant at which a body has gone a length at a speed, both in raw, rounded down.
fn after(length: i64, speed: i64) -> u64 {
    ((i128::from(length) << 32) / i128::from(speed)) as u64
}

fn raw(text: &str) -> i64 {
    s(text).to_bits()
}

// ---------------------------------------------------------------- by hand

#[test]
fn a_bullet_enters_and_leaves_a_thin_sensor_within_a_tick() {
    // From x = 0 at 20 units per tick; the faces of the plate are at 9.95 and 10.05.
    let scenery = with_statics(&[(PLATE, v("10", "0", "0"), SENSORS)]);
    let mut report = TickReport::default();
    for (shape, sign) in [(BALL, 1), (CUBE, 1), (BALL, -1), (CUBE, -1)] {
        let start = if sign == 1 { v("0", "0", "0") } else { v("20", "0", "0") };
        let mut world = world(&scenery, &[moving(shape, start, Vec3::from_raw([20 * UNIT * sign, 0, 0]))]);
        let reach = raw("0.5") + raw("0.05");
        let enter = after(10 * UNIT - reach, 20 * UNIT);
        let exit = (1 << 32) - enter; // the way back is the same
        let events = tick(&mut world, &mut report);
        assert_eq!(
            events,
            [(EventKind::Enter, enter, 0, fixed(0)), (EventKind::Exit, exit, 0, fixed(0))],
            "{shape:?} {sign}"
        );
        assert_eq!(report.impacts.len(), 0);
        assert_eq!(tick(&mut world, &mut report), []);
    }
}

#[test]
fn a_ball_beside_the_axis_of_a_round_sensor() {
    // Radii .5 and .5, .6 beside the center: inside while it is within .8 along x.
    let scenery = with_statics(&[(BALL, v("4", "0.6", "0"), SENSORS)]);
    let mut world = world(&scenery, &[moving(BALL, v("0", "0", "0"), v("8", "0", "0"))]);
    let events = tick(&mut world, &mut TickReport::default());
    let (enter, exit) = (after(raw("3.2"), 8 * UNIT), after(raw("4.8"), 8 * UNIT));
    let [(EventKind::Enter, found_enter, 0, _), (EventKind::Exit, found_exit, 0, _)] = events[..] else {
        panic!("{events:?}")
    };
    // Decimals are rounded by half a raw, and the kernel by no more than its speed: eight raw in all.
    assert!(
        found_enter.abs_diff(enter) <= 2 && found_exit.abs_diff(exit) <= 2,
        "{events:?}, {enter}, {exit}"
    );
}

#[test]
fn sensors_are_not_entered_by_a_body_that_grazes_them() {
    let scenery = with_statics(&[(PLATE, v("10", "0", "0"), SENSORS)]);
    for (y, enters) in [("4.5", false), ("4.4999999995", true), ("-4.5", false), ("-4.4999999995", true)] {
        for shape in [BALL, CUBE] {
            let mut world = world(&scenery, &[moving(shape, v("0", y, "0"), v("20", "0", "0"))]);
            let events = tick(&mut world, &mut TickReport::default());
            // The ball's side passes above the plate's edge at a right angle: two raw of depth are a visit
            // of many instants.
            assert_eq!(events.len(), if enters { 2 } else { 0 }, "{shape:?} at {y}: {events:?}");
        }
    }
}

#[test]
fn a_bounce_begins_hits_and_ends() {
    // The ball's side is 1.5 from the wall; the touch gap of half an extent of .5 is 64 + 2 * 2^31 / 256 raw.
    let scenery = with_statics(&[(WALL, v("0", "0", "0"), 0)]);
    let mut world = world(&scenery, &[moving(BALL, v("2", "0", "0"), v("-4", "0", "0"))]);
    let (gap, mut report) = ((1 << 24) + 64, TickReport::default());
    let shapes = world.scenery().shapes();
    assert_eq!(touch_gap((&shapes[0], BodyType::Dynamic), (&shapes[3], BodyType::Static)).to_bits(), gap);
    let way = raw("1.5");
    let (begin, hit) = (after(way - gap, 4 * UNIT), after(way - 64, 4 * UNIT));
    let end = hit + after(gap - 64, 4 * UNIT);
    let events = tick(&mut world, &mut report);
    let expected = [(EventKind::Begin, begin), (EventKind::Hit, hit), (EventKind::End, end)];
    assert_eq!(events, expected.map(|(kind, toi)| (kind, toi, 0, fixed(0))));
    let impact = report.impact_of(&report.events[1]).unwrap();
    assert_eq!((impact.toi, impact.closing), (report.events[1].toi, s("4")));
    assert_eq!(report.impact_of(&report.events[0]), None);
}

#[test]
fn a_ball_between_two_walls_begins_and_ends_many_times_in_one_tick() {
    let scenery = with_statics(&[(PLATE, v("-1.05", "0", "0"), 0), (PLATE, v("1.05", "0", "0"), 0)]);
    let mut world = world(&scenery, &[moving(BALL, v("0", "0", "0"), v("6", "0", "0"))]);
    let (mut report, mut kinds) = (TickReport::default(), Vec::new());
    // From -.5 to .5: it has .5 to the first wall, then 1, 1, 1, 1, 1 and .5 beyond.
    for (kind, _, _, b) in tick(&mut world, &mut report) {
        kinds.push((kind, b));
    }
    let visit = |b| [EventKind::Begin, EventKind::Hit, EventKind::End].map(|kind| (kind, b));
    let expected: Vec<_> = [1, 0, 1, 0, 1, 0].into_iter().flat_map(|index| visit(fixed(index))).collect();
    assert_eq!(kinds, expected);
}

#[test]
fn a_cube_that_slides_off_a_ledge_ends_there() {
    // On the cube's upper face at less than the touch gap; it leaves along x.
    let gap = (1 << 24) + 64;
    let scenery = with_statics(&[(CUBE, v("0", "0", "0"), 0)]);
    let start = Vec3::from_raw([raw("0.25"), UNIT + (1 << 20), 0]);
    let mut world = world(&scenery, &[moving(CUBE, start, v("2", "0", "0"))]);
    let end = after(raw("0.75") + gap, 2 * UNIT); // without a remainder
    let mut report = TickReport::default();
    assert_eq!(tick(&mut world, &mut report), [(EventKind::End, end, 0, fixed(0))]);
    assert_eq!(report.impacts.len(), 0);
    assert_eq!(tick(&mut world, &mut report), []);
}

#[test]
fn events_of_one_instant_are_one_group() {
    // Two pairs that meet at the same instant, and one that meets earlier.
    let ball = |x, y, speed| moving(BALL, v(x, y, "0"), v(speed, "0", "0"));
    let spawns = [
        ball("-2", "0", "1"),
        ball("2", "0", "-1"),
        ball("-2", "5", "1"),
        ball("2", "5", "-1"),
        ball("-1.6", "9", "1"),
        ball("1.6", "9", "-1"),
    ];
    let mut world = world(&with_statics(&[]), &spawns);
    let mut report = TickReport::default();
    assert_eq!(tick(&mut world, &mut report), []);
    step(&mut world, &mut report);
    let groups: Vec<Vec<_>> = report
        .event_groups()
        .map(|group| group.iter().map(|e| (e.kind, e.a.slot(), e.b)).collect())
        .collect();
    use EventKind::{Begin, End, Hit};
    let early = |kind| vec![(kind, 4, body(5))];
    let late = |kind| vec![(kind, 0, body(1)), (kind, 2, body(3))];
    assert_eq!(groups, [early(Begin), early(Hit), early(End), late(Begin), late(Hit), late(End)]);
}

#[test]
fn bodies_that_meet_at_the_end_of_a_tick_begin_in_it_and_hit_in_the_next() {
    let scenery = with_statics(&[(CUBE, v("0", "0", "0"), 0)]);
    let gap = (1 << 24) + 64;
    let start = Vec3::from_raw([-UNIT - gap - UNIT / 4, 0, 0]);
    let mut world = world(&scenery, &[moving(CUBE, start, v("0.25", "0", "0"))]);
    let mut report = TickReport::default();
    assert_eq!(tick(&mut world, &mut report), [(EventKind::Begin, 1 << 32, 0, fixed(0))]);
    let events = tick(&mut world, &mut report);
    assert_eq!(events[0], (EventKind::Hit, after(gap - 64, UNIT / 4), 0, fixed(0)));
    assert_eq!(events[1].0, EventKind::End);
    assert_eq!(events.len(), 2);
}

#[test]
fn a_sensor_may_move_and_need_not_meet_a_dynamic_body() {
    // A kinematic sensor passes a static plate, a static body, and another kinematic sensor that comes to it.
    let scenery = with_statics(&[(PLATE, v("4", "0", "0"), 0)]);
    let sensor = |kind, x, speed| Spawn {
        body_type: kind,
        layer: SENSORS,
        ..moving(CUBE, v(x, "0", "0"), v(speed, "0", "0"))
    };
    let spawns = [
        sensor(BodyType::Kinematic, "0", "16"),
        sensor(BodyType::Static, "8", "0"),
        sensor(BodyType::Kinematic, "16", "-16"),
    ];
    let mut world = world(&scenery, &spawns);
    let kinds: Vec<_> = tick(&mut world, &mut TickReport::default())
        .into_iter()
        .map(|(kind, toi, a, b)| (kind, a, b, toi << 5 >> 32))
        .collect();
    use EventKind::{Enter, Exit};
    // In parts of 32: the plate from 6.9 to 9.1 of the first; the static body from 14 to 18 of both; each
    // other from 15 to 17.
    let expected = [
        (Enter, 0, fixed(0), 6),
        (Exit, 0, fixed(0), 9),
        (Enter, 0, body(1), 14),
        (Enter, 1, body(2), 14),
        (Enter, 0, body(2), 15),
        (Exit, 0, body(2), 17),
        (Exit, 0, body(1), 18),
        (Exit, 1, body(2), 18),
        (Enter, 2, fixed(0), 22),
        (Exit, 2, fixed(0), 25),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_speck_that_hits_early_touches_when_it_hits() {
    // It rests at no more than its skin, and its sweep is early by more than that: 200 raw of half extent,
    // 700 units in a tick.
    let mut builder = shapes();
    let speck = builder.shape(Shape::aabb(Vec3::from_raw([200; 3])));
    let slope = builder.shape(Shape::plane(v("3", "4", "1")).unwrap());
    builder.fixed(slope, bitstep::state::MaterialId(0), Vec3::ZERO);
    let scenery = builder.build().unwrap();
    let mut hits = 0;
    for case in 0..200 {
        let mut draws = Rng::new(31).at(0, case, 0);
        let height = Vec3::from_raw([3, 4, 1].map(|c| c * draws.between(1 << 20, 1 << 40)));
        let velocity = Vec3::from_raw([3, 4, 1].map(|c: i64| -c * draws.between(90 * UNIT, 140 * UNIT)));
        let limits = Limits::new(60).with_speed_max(s("2048"));
        let mut world = World::new(limits, Arc::clone(&scenery)).unwrap();
        apply(&mut world, Command::Spawn(moving(speck, height, velocity)));
        world.enable_events(true);
        let (entry, mut report) = (world.clone(), TickReport::default());
        step(&mut world, &mut report);
        assert_events(&report, &entry, &world);
        hits += report.impacts.len();
    }
    assert!(hits > 50, "{hits}");
}

// ---------------------------------------------------------------- limits and keys

#[test]
fn more_pairs_than_the_limit_leave_hits_alone_and_say_so() {
    // Three balls in a row, nearer than their touch gap and farther than their skin: no candidates for an
    // impact, two for an event. A fourth that hits a wall is a candidate for both.
    let scenery = with_statics(&[(CUBE, v("20", "0", "0"), 0)]);
    let step_along = UNIT + (1 << 20);
    let mut spawns: Vec<Spawn> =
        (0..3).map(|index| Spawn::new(BALL, Vec3::from_raw([index * step_along, 0, 0]))).collect();
    spawns.push(moving(BALL, v("18", "0", "0"), v("2", "0", "0")));
    for (pairs_max, cut) in [(3, false), (2, true)] {
        let mut world = World::new(Limits::new(60).with_pairs_max(pairs_max), Arc::clone(&scenery)).unwrap();
        for spawn in &spawns {
            apply(&mut world, Command::Spawn(*spawn));
        }
        let mut report = TickReport::default();
        world.enable_events(true);
        step(&mut world, &mut report);
        let kinds: Vec<_> = report.events.iter().map(|event| event.kind).collect();
        let all = [EventKind::Begin, EventKind::Hit, EventKind::End];
        assert_eq!((report.events_cut, report.tick_halted), (cut, None));
        assert_eq!(kinds, if cut { &all[1..2] } else { &all[..] });
        apply(&mut world, Command::SetVelocity { body: BodyId::from_parts(3, 0), velocity: Vec3::ZERO });
        step(&mut world, &mut report);
        assert_eq!((report.events_cut, report.events.len()), (false, 0));
    }
}

#[test]
fn keys_are_in_the_order_of_what_happens_and_can_be_stored() {
    let mut world = gas(4, 2);
    let (mut report, mut all) = (TickReport::default(), Vec::new());
    world.enable_events(true);
    for _ in 0..30 {
        step(&mut world, &mut report);
        all.extend_from_slice(&report.events);
    }
    assert!(all.len() > 300 && all.windows(2).all(|pair| pair[0] < pair[1]), "{}", all.len());
    assert_eq!(all.last().unwrap().tick, world.tick_count());
    let config = bincode::config::standard();
    let bytes = bincode::serde::encode_to_vec(&all, config).unwrap();
    let (read, _): (Vec<ContactEvent>, _) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
    assert_eq!(read, all);
    assert!(all.iter().all(|event| event.toi <= Toi::END && event.a.generation() == 0));
    assert_eq!(
        all[0].to_string(),
        format!("u {}  {} {} {}", all[0].toi, all[0].kind.name(), all[0].a, all[0].b)
    );
}

#[test]
fn impacts_and_impulses_of_a_report_are_shown_in_one_line() {
    let (a, b) = (BodyId::from_parts(3, 0), Collider::Static(StaticId(0)));
    let (toi, normal) = (Toi::from_raw(1 << 31).unwrap(), Normal::Y);
    let impact = Impact { toi, a, b, children: [0; 2], normal, closing: s("0.25"), pressed: false };
    assert_eq!(impact.to_string(), "u 0.5  3 meets s0");
    assert_eq!(format!("{impact:#}"), "u 0.5  3 meets s0  closing 0.25  normal 0 1 0");
    for parts in [[2, 0], [0, 2]] {
        let [first, second] = parts;
        assert_eq!(
            Impact { children: parts, ..impact }.to_string(),
            format!("u 0.5  3 meets s0 children {first} {second}")
        );
    }
    let impulse = ContactImpulse { a, b, impulse: v("0", "1.5", "-2") };
    assert_eq!(impulse.to_string(), "3 s0  impulse (0, 1.5, -2)");
}
