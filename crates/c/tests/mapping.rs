//! What C says is what Rust says: sceneries, limits, bodies and every command, with no field at its default; compared by the snapshots of the
//! worlds that they make.
#![allow(missing_docs)]

use std::{mem::MaybeUninit, ptr};

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    replay::Recorder,
    session::Simulation,
    shape::Shape,
    snapshot,
    state::{
        BodyId, BodyType, Collider, Command, HeightPatch, Limits, Locks, Material, MaterialId, OnHit, Rule,
        SceneryBuilder, ShapeId, Sleep, Spawn, Static, StaticId,
    },
    tick::TickReport,
};
use bitstep_c::{body::*, code::*, command::*, replay::*, report::*, scenery::*, types::*, world::*};

use self::support::saved;

mod support;

fn vec3(x: &str, y: &str, z: &str) -> Vec3 {
    let scalar = |text: &str| text.parse::<Scalar>().unwrap();
    Vec3::new(scalar(x), scalar(y), scalar(z))
}

fn quarter() -> Rotation {
    Rotation::from_components([759_250_125, 0, 0, 759_250_125]).unwrap()
}

fn half_turn() -> Rotation {
    Rotation::from_components([0, 1 << 30, 0, 0]).unwrap()
}

fn limits() -> Limits {
    Limits::new(50)
        .with_substeps(2)
        .with_mass_max(900)
        .with_bodies_max(70)
        .with_budget(9)
        .with_pairs_max(5_000)
        .with_sleep_after(7)
        .with_extent(lit("300"))
        .with_speed_max(lit("5"))
        .with_size_max(lit("20"))
        .with_rest_speed(lit("0.01"))
        .with_separation_speed(lit("0.25"))
}

fn spawn(number: i64) -> Spawn {
    Spawn {
        material: MaterialId(1),
        mass: 3,
        velocity: vec3("0", "-0.25", "0.5"),
        rotates: true,
        orientation: quarter(),
        angular_velocity: vec3("0.01", "0.02", "-0.03"),
        layer: 4,
        group: 300,
        locks: Locks::X,
        damping_q16: 99,
        user: u64::MAX - 5,
        on_hit: OnHit::Stop,
        dominance: 200,
        ..Spawn::new(ShapeId(1), Vec3::from_raw([number << 35, 1 << 33, 3 << 33]))
    }
}

/// A world of three bodies over two statics, in Rust.
fn in_rust(limits: Limits) -> World {
    let mut scenery = SceneryBuilder::default();
    scenery.shape(Shape::sphere(lit("0.5")));
    scenery.shape(Shape::obb(vec3("0.5", "0.25", "0.75"), Rotation::IDENTITY));
    scenery.shape(Shape::capsule(vec3("0", "0.5", "0"), lit("0.25")));
    scenery.shape(Shape::aabb(vec3("1", "2", "3")));
    scenery.shape(Shape::plane(vec3("0", "0", "2")).unwrap());
    scenery.material(Material::new(lit("0.25")).unwrap().with_friction(lit("1.5")).unwrap());
    scenery.material(Material::new(lit("0.75")).unwrap().with_friction(lit("0.5")).unwrap());
    scenery.add(Static {
        shape: ShapeId(4),
        material: MaterialId(1),
        position: vec3("1", "2", "-9"),
        layer: 3,
    });
    scenery.add(Static {
        shape: ShapeId(3),
        material: MaterialId(0),
        position: vec3("90", "0", "50"),
        layer: 15,
    });
    let mut world = World::new(limits, scenery.build().unwrap()).unwrap();
    let bodies: Vec<Command> = (0..2).map(|number| Command::Spawn(spawn(number))).collect();
    world.apply(&bodies).accepted().unwrap();
    let kinematic = Spawn {
        body_type: BodyType::Kinematic,
        mass: 3,
        on_hit: OnHit::Continue,
        dominance: 0,
        damping_q16: 0,
        locks: Locks::NONE,
        ..spawn(3)
    };
    world.apply(&[Command::Spawn(kinematic)]).accepted().unwrap();
    world
}

fn spawn_in_c(spawn: Spawn) -> BitstepSpawn {
    let mut made = MaybeUninit::uninit();
    // SAFETY: the struct is here, and is filled.
    let made: BitstepSpawn = unsafe {
        assert_eq!(bitstep_spawn_init(spawn.shape.0.into(), made.as_mut_ptr()), BITSTEP_OK);
        made.assume_init()
    };
    BitstepSpawn {
        material: spawn.material.0.into(),
        body_type: u8::from(spawn.body_type).into(),
        mass: spawn.mass,
        layer: spawn.layer.into(),
        group: spawn.group.into(),
        locks: u8::from(spawn.locks).into(),
        damping_q16: spawn.damping_q16.into(),
        on_hit: u8::from(spawn.on_hit).into(),
        dominance: spawn.dominance.into(),
        rotates: spawn.rotates.into(),
        user: spawn.user,
        position: spawn.position.into(),
        velocity: spawn.velocity.into(),
        angular_velocity: spawn.angular_velocity.into(),
        orientation: spawn.orientation.into(),
        ..made
    }
}

fn shape(kind: u32, radius: &str, half: Vec3) -> BitstepShape {
    let radius = radius.parse::<Scalar>().unwrap().to_bits();
    let struct_size = size_of::<BitstepShape>() as u32;
    BitstepShape { struct_size, kind, radius, half: half.into(), ..BitstepShape::default() }
}

/// The same world, in C.
fn in_c(change: impl FnOnce(&mut BitstepLimits)) -> Result<BitstepWorld, BitstepCode> {
    let (mut scenery, mut world) = (BitstepScenery::default(), BitstepWorld::default());
    let shapes = [
        shape(BITSTEP_SHAPE_SPHERE, "0.5", Vec3::ZERO),
        shape(BITSTEP_SHAPE_OBB, "0", vec3("0.5", "0.25", "0.75")),
        shape(BITSTEP_SHAPE_CAPSULE, "0.25", vec3("0", "0.5", "0")),
        shape(BITSTEP_SHAPE_AABB, "0", vec3("1", "2", "3")),
        shape(BITSTEP_SHAPE_PLANE, "0", vec3("0", "0", "2")),
    ];
    let statics = [(4, 1, vec3("1", "2", "-9"), 3), (3, 0, vec3("90", "0", "50"), 15)];
    let (of, mut made) = (limits(), MaybeUninit::uninit());
    // SAFETY: every pointer is to a value here.
    unsafe {
        assert_eq!(bitstep_scenery_new(&mut scenery), BITSTEP_OK);
        for shape in &shapes {
            assert_eq!(bitstep_scenery_add_shape(scenery, shape, ptr::null_mut()), BITSTEP_OK);
        }
        for [restitution, friction] in [[1 << 30, 3 << 31], [3 << 30, 1 << 31]] {
            let code = bitstep_scenery_add_material(scenery, restitution, friction, ptr::null_mut());
            assert_eq!(code, BITSTEP_OK);
        }
        for (shape, material, position, layer) in statics {
            let struct_size = size_of::<BitstepStatic>() as u32;
            let fixed = BitstepStatic { struct_size, shape, material, layer, position: position.into() };
            assert_eq!(bitstep_scenery_add_static(scenery, &fixed, ptr::null_mut()), BITSTEP_OK);
        }
        assert_eq!(bitstep_limits_init(of.tick_rate, made.as_mut_ptr()), BITSTEP_OK);
        let mut limits = BitstepLimits {
            substeps: of.substeps.into(),
            mass_max: of.mass_max,
            bodies_max: of.bodies_max,
            budget: of.budget,
            pairs_max: of.pairs_max,
            sleep_after: of.sleep_after.into(),
            extent: of.extent.to_bits(),
            speed_max: of.speed_max.to_bits(),
            size_max: of.size_max.to_bits(),
            rest_speed: of.rest_speed.to_bits(),
            separation_speed: of.separation_speed.to_bits(),
            ..made.assume_init()
        };
        change(&mut limits);
        let code = bitstep_world_new(scenery, &limits, &mut world);
        assert_eq!(bitstep_scenery_free(scenery), BITSTEP_OK);
        if code == BITSTEP_OK { Ok(world) } else { Err(code) }
    }
}

fn fill(world: BitstepWorld, rust: &World) {
    for (id, body) in rust.bodies() {
        let is_kinematic = body.body_type == BodyType::Kinematic;
        let of = spawn(if is_kinematic { 3 } else { id.slot().into() });
        let mut made = spawn_in_c(of);
        if is_kinematic {
            (made.body_type, made.on_hit, made.dominance) =
                (BITSTEP_BODY_KINEMATIC, BITSTEP_ON_HIT_CONTINUE, 0);
            (made.damping_q16, made.locks) = (0, 0);
        }
        let mut body = BitstepBody::default();
        // SAFETY: both are here.
        assert_eq!(unsafe { bitstep_world_spawn(world, &made, &mut body) }, BITSTEP_OK);
        assert_eq!(BodyId::from(body), id);
    }
}

#[test]
fn worlds_are_made_alike() {
    let (rust, c) = (in_rust(limits()), in_c(|_| {}).unwrap());
    fill(c, &rust);
    assert_eq!(saved(c), snapshot::encode(&rust));
    // A flat world has no such level.
    assert!(World::new(limits().with_flat(true), rust.scenery().clone()).is_err());
    assert_eq!(in_c(|limits| limits.flat = 1), Err(BITSTEP_ERROR_RANGE));
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

/// The vector of all commands.
fn vector() -> Vec3 {
    vec3("0", "0.03125", "-0.015625")
}

/// A command for the first body, with no field at its default.
fn c(kind: u32, number: u32) -> BitstepCommand {
    BitstepCommand {
        struct_size: size_of::<BitstepCommand>() as u32,
        kind,
        body: BodyId::from_parts(0, 0).into(),
        vector: vector().into(),
        point: vec3("0.0625", "0.125", "0.03125").into(),
        rotation: half_turn().into(),
        scalar: 1 << 31,
        other: Collider::Body(BodyId::from_parts(1, 0)).into(),
        user: 77,
        number,
        second: 5,
        third: 2,
        allow_overlap: 1,
        columns: 3,
        rows: 2,
        heights: [0, 9, 18, 27, 36, 45, 54, 63].map(|row| [row, row - 1, row - 2, row, -7, 5, -3, 1]),
    }
}

/// The commands that move the first body, and the kinematic one, in C and in Rust.
fn moves() -> Vec<(BitstepCommand, Command)> {
    let (body, mover, vector) = (BodyId::from_parts(0, 0), BodyId::from_parts(2, 0), vector());
    vec![
        (
            c(BITSTEP_COMMAND_TELEPORT, 0),
            Command::Teleport { body, position: vector, orientation: None, allow_overlap: true },
        ),
        (
            c(BITSTEP_COMMAND_TELEPORT, 1),
            Command::Teleport { body, position: vector, orientation: Some(half_turn()), allow_overlap: true },
        ),
        (
            BitstepCommand { body: mover.into(), ..c(BITSTEP_COMMAND_MOVE_KINEMATIC, 0) },
            Command::MoveKinematic { body: mover, position: vector },
        ),
        (
            BitstepCommand {
                body: mover.into(),
                vector: vec3("24.5", "2", "6").into(),
                ..c(BITSTEP_COMMAND_MOVE_KINEMATIC, 0)
            },
            Command::MoveKinematic { body: mover, position: vec3("24.5", "2", "6") },
        ),
        (c(BITSTEP_COMMAND_SET_VELOCITY, 0), Command::SetVelocity { body, velocity: vector }),
        (c(BITSTEP_COMMAND_APPLY_IMPULSE, 0), Command::ApplyImpulse { body, impulse: vector }),
        (
            c(BITSTEP_COMMAND_APPLY_IMPULSE_AT, 0),
            Command::ApplyImpulseAt { body, impulse: vector, point: vec3("0.0625", "0.125", "0.03125") },
        ),
        (
            c(BITSTEP_COMMAND_APPLY_ANGULAR_IMPULSE, 0),
            Command::ApplyAngularImpulse { body, angular_impulse: vector },
        ),
        (
            c(BITSTEP_COMMAND_SET_ANGULAR_VELOCITY, 0),
            Command::SetAngularVelocity { body, angular_velocity: vector },
        ),
    ]
}

/// All other commands; the last one removes the body.
fn settings() -> Vec<(BitstepCommand, Command)> {
    let (body, other, vector) = (BodyId::from_parts(0, 0), BodyId::from_parts(1, 0), vector());
    let accel_max = lit("0.5");
    let heights = HeightPatch::new(3, &[0, -1, -2, 9, 8, 7]).unwrap();
    vec![
        (c(BITSTEP_COMMAND_SET_GRAVITY, 0), Command::SetGravity { gravity: vector }),
        (c(BITSTEP_COMMAND_SET_SHAPE, 2), Command::SetShape { body, shape: ShapeId(2), allow_overlap: true }),
        (
            c(BITSTEP_COMMAND_SET_FILTER, 9),
            Command::SetFilter { body, layer: 9, group: 5, allow_overlap: true },
        ),
        (
            c(BITSTEP_COMMAND_SET_LAYERS, 4),
            Command::SetLayers { a: 4, b: 5, rule: Rule::Soft, allow_overlap: true },
        ),
        (c(BITSTEP_COMMAND_SET_LOCKS, 36), Command::SetLocks { body, locks: Locks::Z.and(Locks::TURN_Z) }),
        (c(BITSTEP_COMMAND_SET_DAMPING, 500), Command::SetDamping { body, damping_q16: 500 }),
        (c(BITSTEP_COMMAND_FREEZE, 12), Command::Freeze { body, ticks: 12 }),
        (c(BITSTEP_COMMAND_DRIVE, 0), Command::Drive { body, velocity: vector, accel_max }),
        (c(BITSTEP_COMMAND_END_DRIVE, 0), Command::EndDrive { body }),
        (c(BITSTEP_COMMAND_SET_ON_HIT, 2), Command::SetOnHit { body, on_hit: OnHit::Remove }),
        (c(BITSTEP_COMMAND_SET_DOMINANCE, 8), Command::SetDominance { body, dominance: 8 }),
        (
            c(BITSTEP_COMMAND_IGNORE_PAIR, 30),
            Command::IgnorePair { a: body, b: Collider::Body(other), ticks: 30 },
        ),
        (
            BitstepCommand {
                other: Collider::Static(StaticId(1)).into(),
                ..c(BITSTEP_COMMAND_IGNORE_PAIR, 31)
            },
            Command::IgnorePair { a: body, b: Collider::Static(StaticId(1)), ticks: 31 },
        ),
        (c(BITSTEP_COMMAND_SET_SLEEP, 0), Command::SetSleep { body, sleeps: false }),
        (c(BITSTEP_COMMAND_SET_USER, 0), Command::SetUser { body, user: 77 }),
        (
            c(BITSTEP_COMMAND_SET_HEIGHTS, 1),
            Command::SetHeights { ground: StaticId(1), at: [5, 2], heights, lift: true },
        ),
        (c(BITSTEP_COMMAND_REMOVE, 0), Command::Remove { body }),
    ]
}

#[test]
fn commands_are_those_of_the_library() {
    let (mut rust, c) = (in_rust(limits()), in_c(|_| {}).unwrap());
    fill(c, &rust);
    let (mut kinds, mut accepted) = (Vec::new(), 0);
    for (in_c, in_rust) in moves().into_iter().chain(settings()) {
        let (before, mut code) = (saved(c), 77);
        let outcome = rust.apply(&[in_rust]).accepted();
        // SAFETY: both are here.
        let first = unsafe { bitstep_world_apply(c, &in_c, 1, &mut code) };
        let expected = if outcome.is_ok() { BITSTEP_OK } else { BITSTEP_ERROR_REFUSED };
        assert_eq!((first, code), (expected, expected), "{in_rust:?}: {outcome:?}");
        assert_eq!(saved(c), snapshot::encode(&rust), "{in_rust:?}");
        accepted += u32::from(outcome.is_ok() && saved(c) != before);
        kinds.push(in_c.kind);
    }
    kinds.dedup();
    kinds.sort_unstable();
    assert_eq!(kinds, (1..=23).collect::<Vec<u32>>(), "every kind");
    assert!(accepted >= 24, "nearly all change something: {accepted}");
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

/// Bytes that a function of the interface writes.
fn written(write: impl Fn(*mut u8, usize, *mut usize) -> BitstepCode) -> Vec<u8> {
    let mut length = 0;
    assert_eq!(write(ptr::null_mut(), 0, &mut length), BITSTEP_ERROR_BUFFER);
    let mut bytes = vec![0; length];
    assert_eq!(write(bytes.as_mut_ptr(), length, &mut length), BITSTEP_OK);
    bytes
}

#[test]
fn bytes_of_commands_are_those_of_the_library() {
    let (in_c, in_rust): (Vec<_>, Vec<_>) = moves().into_iter().chain(settings()).unzip();
    // SAFETY: the commands are here, and the room is as `written` says.
    let bytes = written(|room, capacity, length| unsafe {
        bitstep_commands_encode(in_c.as_ptr(), in_c.len(), room, capacity, length)
    });
    let mut expected = Vec::new();
    World::encode_inputs(&in_rust, &mut expected);
    assert_eq!(bytes, expected);
    let value = spawn_in_c(spawn(3));
    // SAFETY: the same.
    let bytes =
        written(|room, capacity, length| unsafe { bitstep_spawn_encode(&value, room, capacity, length) });
    expected.clear();
    World::encode_inputs(&[Command::Spawn(spawn(3))], &mut expected);
    assert_eq!(bytes, expected);
}

#[test]
fn bodies_and_reports_are_read_as_they_are() {
    let (mut rust, c) = (in_rust(limits()), in_c(|_| {}).unwrap());
    fill(c, &rust);
    let bodies: Vec<BodyId> = rust.bodies().map(|(id, _)| id).collect();
    let (frozen, still) = (bodies[0], bodies[1]);
    let halt = [
        Command::Freeze { body: frozen, ticks: 900 },
        Command::SetVelocity { body: still, velocity: Vec3::ZERO },
        Command::SetAngularVelocity { body: still, angular_velocity: Vec3::ZERO },
    ];
    rust.apply(&halt).accepted().unwrap();
    let struct_size = size_of::<BitstepCommand>() as u32;
    let of = |kind: u32, body: BodyId, number: u32| BitstepCommand {
        struct_size,
        kind,
        body: body.into(),
        number,
        ..BitstepCommand::default()
    };
    let halt = [
        of(BITSTEP_COMMAND_FREEZE, frozen, 900),
        of(BITSTEP_COMMAND_SET_VELOCITY, still, 0),
        of(BITSTEP_COMMAND_SET_ANGULAR_VELOCITY, still, 0),
    ];
    // SAFETY: the commands are here.
    assert_eq!(unsafe { bitstep_world_apply(c, halt.as_ptr(), halt.len(), ptr::null_mut()) }, BITSTEP_OK);
    rust.enable_events(true);
    assert_eq!(bitstep_world_enable_events(c, 1), BITSTEP_OK);
    let (mut report, mut asleep) = (TickReport::default(), 0);
    for _ in 0..400 {
        rust.step(&mut report);
        assert_eq!(bitstep_world_tick(c), BITSTEP_OK);
        check_report(c, &report);
        check_bodies(c, &rust);
        asleep += rust.sleepers().count();
    }
    assert_eq!(saved(c), snapshot::encode(&rust));
    assert!(asleep > 0 && report.tick == 400, "one sleeps in the end");
    assert_eq!(bitstep_world_free(c), BITSTEP_OK);
}

fn check_report(c: BitstepWorld, report: &TickReport) {
    let (mut numbers, mut heard) = (BitstepReport::default(), 0);
    let mut events = [MaybeUninit::<BitstepEvent>::uninit(); 64];
    numbers.struct_size = size_of::<BitstepReport>() as u32;
    // SAFETY: every pointer is to a value here, with its size.
    unsafe {
        assert_eq!(bitstep_world_report(c, &mut numbers), BITSTEP_OK);
        assert_eq!(bitstep_world_events(c, events.as_mut_ptr().cast(), 64, &mut heard), BITSTEP_OK);
    }
    assert_eq!((heard, numbers.tick), (report.events.len(), report.tick));
    let lengths = [report.impacts.len(), report.woke.len(), report.fell_asleep.len(), report.removed.len()];
    let there = [numbers.impacts, numbers.woke, numbers.fell_asleep, numbers.removed];
    assert_eq!(there.map(|number| number as usize), lengths, "tick {}", report.tick);
    for (event, rust) in events.iter().zip(&report.events) {
        // SAFETY: so many were written.
        let event = unsafe { event.assume_init() };
        assert_eq!((event.repeat, event.toi), (rust.repeat, rust.toi.raw()));
        assert_eq!((BodyId::from(event.a), event.b), (rust.a, rust.b.into()));
    }
}

fn check_bodies(c: BitstepWorld, rust: &World) {
    let (mut states, mut count) = ([BitstepBodyState::default(); 4], 0);
    // SAFETY: there is room for four.
    let code = unsafe { bitstep_world_bodies(c, states.as_mut_ptr(), 4, &mut count) };
    assert_eq!((code, count), (BITSTEP_OK, rust.bodies().count()));
    for (state, (id, body)) in states.iter().zip(rust.bodies()) {
        let spin = rust.angular_velocity(id).unwrap_or(Vec3::ZERO);
        assert_eq!(BodyId::from(state.body), id);
        assert_eq!([state.position, state.momentum], [body.position.into(), body.momentum.into()]);
        assert_eq!([state.velocity, state.angular_velocity], [body.velocity().into(), spin.into()]);
        assert_eq!(state.orientation, body.spin.unwrap().orientation.into());
        let kinds = [state.shape, state.body_type, state.layer, state.frozen, state.rotates];
        let of =
            [body.shape.0.into(), u8::from(body.body_type).into(), body.layer.into(), body.frozen.into(), 1];
        assert_eq!(kinds, of);
        assert_eq!(state.is_asleep, u32::from(rust.sleep(id) == Some(Sleep::Asleep)));
        assert_eq!((state.mass, state.user), (body.mass, body.user));
    }
}

/// A recording with a tick that comes out otherwise.
#[test]
fn verdicts_name_the_first_tick_that_differs() {
    let mut rust = in_rust(limits());
    let mut recorder = Recorder::new(Vec::new(), &rust).unwrap();
    for tick in 1..=20 {
        rust.step(&mut TickReport::default());
        let mut shown = rust.clone();
        if tick == 13 {
            let user = Command::SetUser { body: BodyId::from_parts(0, 0), user: 1 };
            shown.apply(&[user]).accepted().unwrap();
        }
        recorder.tick(&[], &shown).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let struct_size = size_of::<BitstepVerdict>() as u32;
    let (mut replay, mut verdict) =
        (BitstepReplay::default(), BitstepVerdict { struct_size, ..BitstepVerdict::default() });
    // SAFETY: every pointer is to a value here, with its size.
    unsafe {
        assert_eq!(bitstep_replay_new(bytes.as_ptr(), bytes.len(), &mut replay), BITSTEP_OK);
        assert_eq!(bitstep_replay_verify(replay, &mut verdict), BITSTEP_OK);
    }
    assert_eq!((verdict.is_same, verdict.first_different), (0, 13));
    assert_eq!(bitstep_replay_free(replay), BITSTEP_OK);
}
