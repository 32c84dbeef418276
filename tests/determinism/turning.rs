//! Rotating bodies: their snapshot is the state, too.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, rng::Draws},
    shape::{Obb, Shape},
    snapshot,
    state::{BodyId, BodyType, Command, Limits, Material, Rule, SceneryBuilder, ShapeId, Spawn, Static},
    tick::{EventKind, TickReport},
};

use crate::support::{s, v};

fn orientation(draws: &mut Draws) -> Rotation {
    let [w, x, y] = [0; 3].map(|_: i32| bitstep::num::Scalar::from_bits(draws.between(-1 << 32, 1 << 32)));
    Rotation::from_quaternion(w, x, y, s("0.3")).unwrap()
}

/// Boxes, rods and balls with friction, a rotating kinematic paddle, and sensors.
fn mill() -> World {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s("0.3")).unwrap().with_friction(s("0.5")).unwrap();
    let material = builder.material(material);
    for shape in [
        Shape::Obb(Obb::along_axes(v("0.3", "0.3", "0.3"))),
        Shape::Obb(Obb::along_axes(v("0.5", "0.1", "0.3"))),
        Shape::capsule(v("0", "0.3", "0"), s("0.2")),
        Shape::sphere(s("0.3")),
        Shape::aabb(v("0.2", "0.3", "0.2")),
        Shape::Obb(Obb::along_axes(v("1.5", "0.15", "0.3"))),
    ] {
        builder.shape(shape);
    }
    for axis in 0..3 {
        for sign in [-1, 1] {
            let unit = |size: i64| Vec3::from_raw([0, 1, 2].map(|i| (i64::from(i == axis) * size) << 32));
            let wall = builder.shape(Shape::plane(unit(-sign)).unwrap());
            builder.fixed(wall, material, unit(3 * sign));
        }
    }
    let gate = builder.shape(Shape::aabb(v("0.02", "2", "2")));
    for position in [v("0.7", "-1", "0"), v("-0.7", "-1", "0")] {
        builder.add(Static { shape: gate, material, position, layer: 5 });
    }
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", "-9.81", "0"));
    let rule = Command::SetLayers { a: 0, b: 5, rule: Rule::Sensor, allow_overlap: false };
    let paddle =
        Spawn { body_type: BodyType::Kinematic, rotates: true, ..Spawn::new(ShapeId(5), v("0", "-1", "0")) };
    let paddle = Spawn { angular_velocity: v("0", "0", "0.09"), ..paddle };
    let outcomes = world.apply(&[Command::SetGravity { gravity }, rule, Command::Spawn(paddle)]).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    for index in 0..20_u64 {
        let mut draws = Rng::new(6).at(0, index, 0);
        let cell = [index % 4, index / 12, index / 4 % 3].map(|cell| cell as i64);
        let corner = [-9 << 30, 7 << 29, -2 << 32];
        let position = Vec3::from_raw([0, 1, 2].map(|i: usize| corner[i] + cell[i] * (3 << 31)));
        let [velocity, angular_velocity] =
            [28, 30].map(|bits| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << bits, 1 << bits))));
        let spawn = Spawn {
            mass: 1 + draws.below(9) as u32,
            velocity,
            ..Spawn::new(ShapeId((index % 5) as u16), position)
        };
        let turning =
            Spawn { rotates: true, orientation: orientation(&mut draws), angular_velocity, ..spawn };
        let _ = world.apply(&[Command::Spawn(if index % 5 == 4 { spawn } else { turning })]);
    }
    assert!(world.bodies().count() > 15, "{}", world.bodies().count());
    world
}

/// Commands of a tick: some that work, some that are refused.
fn commands(tick: u64) -> Vec<Command> {
    let mut draws = Rng::new(78).at(1, 0, tick);
    let body = BodyId::from_parts(draws.below(22) as u32, 0);
    let mut vector = |bits: u32| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << bits, 1 << bits)));
    let (near, slow, spin) = (vector(33), vector(29), vector(29));
    match draws.below(12) {
        0 => vec![Command::ApplyImpulseAt { body, impulse: slow, point: near }],
        1 => vec![Command::ApplyAngularImpulse { body, angular_impulse: slow }],
        2 => vec![Command::SetAngularVelocity { body, angular_velocity: spin }],
        3 => vec![Command::SetVelocity { body, velocity: slow }],
        4 => {
            let orientation = orientation(&mut draws);
            vec![Command::Teleport {
                body,
                position: near,
                orientation: Some(orientation),
                allow_overlap: false,
            }]
        }
        5 => vec![Command::SetShape { body, shape: ShapeId(draws.below(4) as u16), allow_overlap: false }],
        _ => Vec::new(),
    }
}

#[test]
fn a_world_that_turns_restored_or_cloned_at_any_tick_goes_on_the_same() {
    const TICKS: u64 = 150;
    let mut world = mill();
    world.enable_events(true);
    let (mut reports, mut snapshots) = (Vec::new(), vec![snapshot::encode(&world)]);
    for tick in 0..TICKS {
        let mut report = TickReport::default();
        let _ = world.tick(&commands(tick), &mut report);
        reports.push(report);
        snapshots.push(snapshot::encode(&world));
    }
    let count =
        |kind| reports.iter().flat_map(|report| &report.events).filter(|event| event.kind == kind).count();
    let counts =
        [EventKind::Begin, EventKind::Enter, EventKind::Hit, EventKind::Exit, EventKind::End].map(count);
    assert!(counts.iter().all(|&count| count >= 10), "{counts:?}");
    let mut copy = mill();
    for start in 0..TICKS as usize {
        let mut restored = snapshot::decode(&snapshots[start], world.scenery()).unwrap();
        restored.enable_events(true);
        copy.clone_from(&restored);
        let end = if start % 15 == 0 { TICKS as usize } else { (start + 3).min(TICKS as usize) };
        let (mut report, mut copied) = (TickReport::default(), TickReport::default());
        for tick in start..end {
            let _ = restored.tick(&commands(tick as u64), &mut report);
            let _ = copy.tick(&commands(tick as u64), &mut copied);
            assert_eq!(report, reports[tick], "report of tick {tick}, restored at {start}");
            assert_eq!(copied, reports[tick]);
            assert_eq!(snapshot::encode(&restored), snapshots[tick + 1], "tick {tick}, restored at {start}");
            assert_eq!(snapshot::encode(&copy), snapshots[tick + 1]);
        }
    }
}

#[test]
fn a_listener_changes_nothing_of_a_world_that_turns() {
    let (mut heard, mut alone) = (mill(), mill());
    heard.enable_events(true);
    for tick in 0..100 {
        let _ = heard.tick(&commands(tick), &mut TickReport::default());
        let _ = alone.tick(&commands(tick), &mut TickReport::default());
        assert_eq!(snapshot::encode(&heard), snapshot::encode(&alone), "tick {tick}");
    }
}
