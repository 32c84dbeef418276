//! The same with bodies that turn: boxes, rods and balls, among sensors and walls.

use super::*;

/// A tenth of a turn.
const FAST: i64 = UNIT * 63 / 100;

/// A yard with a static of each kind on layers 0 and 5, of which layers 0 and 5 only report.
///
/// The shapes of bodies: a cube, a slab, a rod, a needle, a ball, a block that never rotates, and a hull.
fn yard(half: i64) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(lit("0.4")).unwrap().with_friction(lit("0.5")).unwrap();
    let material = builder.material(material);
    let brick = |x, y, z| Shape::Obb(Obb::along_axes(Vec3::new(lit(x), lit(y), lit(z))));
    let along_y = |half| Vec3::new(lit("0"), lit(half), lit("0"));
    for shape in [
        brick("0.25", "0.25", "0.25"),
        brick("0.4", "0.05", "0.2"),
        Shape::capsule(along_y("0.35"), lit("0.1")),
        Shape::capsule(along_y("0.5"), lit("0.02")),
        Shape::sphere(lit("0.25")),
        Shape::aabb(Vec3::new(lit("0.2"), lit("0.15"), lit("0.3"))),
        wedge(&brick("0.3", "0.2", "0.25")),
    ] {
        builder.shape(shape);
    }
    add_walls(&mut builder, material, half);
    let turned = Rotation::from_quaternion(lit("3"), lit("1"), lit("-2"), lit("0.5")).unwrap();
    let slant = Plane::from_point_normal(Vec3::ZERO, Normal::new(1, 5, 2)).unwrap();
    for (shape, cell) in [
        (Shape::aabb(Vec3::new(lit("0.01"), lit("1"), lit("1"))), [1, 0, 0]),
        (Shape::obb(Vec3::new(lit("0.8"), lit("0.02"), lit("0.9")), turned), [-1, 0, 1]),
        (Shape::sphere(lit("0.6")), [0, 1, -1]),
        (Shape::capsule(Vec3::new(lit("0.7"), lit("0.1"), lit("0.3")), lit("0.03")), [1, 1, 1]),
        (Shape::Plane(slant), [0, -2, 0]),
    ] {
        let shape = builder.shape(shape);
        for layer in [0, 5] {
            let shift = if layer == 0 { 0 } else { UNIT / 3 };
            let position = Vec3::from_raw(cell.map(|c| c * half * 5 / 12 + shift));
            builder.add(Static { shape, material, position, layer });
        }
    }
    builder.build().unwrap()
}

fn orientation(draws: &mut Draws) -> Rotation {
    let parts = [(); 4].map(|()| Scalar::from_bits(draws.between(-UNIT, UNIT)));
    Rotation::from_quaternion(parts[0], parts[1], parts[2], parts[3]).unwrap_or(Rotation::IDENTITY)
}

/// A crowd of as many bodies as find room: a third of them sensors, some moved by the game.
fn fill(world: &mut World, half: i64, count: u64, [speed, spin]: [i64; 2]) {
    for index in 0..count {
        let mut draws = Rng::new(7).at(1, index, 0);
        let orientation = orientation(&mut draws);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (position, velocity, angular_velocity) = (vector(half), vector(speed), vector(spin));
        let layer = if index % 3 == 2 { 5 } else { 0 };
        let kind = if index % 8 == 5 { BodyType::Kinematic } else { BodyType::Dynamic };
        let spawn =
            Spawn { body_type: kind, layer, velocity, ..Spawn::new(ShapeId((index % 7) as u16), position) };
        let turning = Spawn { rotates: true, orientation, angular_velocity, ..spawn };
        let _ = world.apply(&[Command::Spawn(if index % 7 == 5 { spawn } else { turning })]);
    }
}

fn change(draws: &mut Draws, world: &World) -> Command {
    let body = BodyId::from_parts(draws.below(world.state.slots.len() as u64) as u32, 0);
    let orientation = orientation(draws);
    let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
    let (velocity, position, angular_velocity) = (vector(UNIT / 4), vector(2 * UNIT), vector(FAST));
    match draws.below(4) {
        0 => Command::SetVelocity { body, velocity },
        1 => Command::SetAngularVelocity { body, angular_velocity },
        2 => Command::ApplyImpulseAt { body, impulse: velocity, point: position },
        _ => Command::Teleport { body, position, orientation: Some(orientation), allow_overlap: false },
    }
}

/// Every how many ticks all pairs are checked: seldom in a debug build, since CI runs this optimised, too.
const CHECKED: usize = if cfg!(debug_assertions) { 3 } else { 1 };

/// Runs a yard and checks every pair in every tick that is looked at.
fn run(half: i64, count: u64, speeds: [i64; 2], gravity: &str, ticks: u64) -> Counts {
    let limits = Limits { speed_max: lit("256"), ..Limits::new(60) };
    let mut world = World::new(limits, yard(half)).unwrap();
    let rules =
        [(0, 5), (5, 5)].map(|(a, b)| Command::SetLayers { a, b, rule: Rule::Sensor, allow_overlap: false });
    world.apply(&rules).accepted().unwrap();
    let pull = Vec3::new(lit("0"), gravity.parse().unwrap(), lit("0"));
    world.apply(&[Command::SetGravity { gravity: limits.gravity_nearest_even(pull) }]).accepted().unwrap();
    fill(&mut world, half, count, speeds);
    world.enable_events(true);
    let (mut report, mut counts) = (TickReport::default(), Counts::default());
    for tick in 0..ticks {
        let mut draws = Rng::new(9).at(2, count, tick);
        let commands = [(); 2].map(|()| change(&mut draws, &world));
        if tick % CHECKED as u64 == 0 {
            step(&mut world, &commands, &mut report, &mut counts);
        } else {
            let _ = world.tick(&commands, &mut report);
        }
    }
    counts
}

/// The least count of a run in which every tick is checked, for those that are.
const fn least(count: usize) -> usize {
    count / CHECKED
}

#[test]
fn bodies_in_flight() {
    let counts = run(2 * UNIT, 90, [UNIT / 4, FAST], "0", 40);
    assert!(counts.events.iter().all(|&count| count > least(100)), "{counts:?}");
    assert!(
        counts.turning > least(600) && counts.of_turning > least(250) && counts.visits > least(50),
        "{counts:?}"
    );
}

#[test]
fn spinning_bullets_among_each_other() {
    let counts = run(9 * UNIT / 4, 112, [12 * UNIT, FAST], "0", 40);
    assert!(counts.events.iter().all(|&count| count > least(100)), "{counts:?}");
    assert!(counts.visits > least(300) && counts.of_turning > least(500), "{counts:?}");
}

#[test]
fn events_of_rotating_bodies_that_come_to_rest() {
    let counts = run(2 * UNIT, 60, [UNIT / 20, UNIT / 20], "-9.81", 90);
    assert!(counts.events.iter().all(|&count| count > least(30)), "{counts:?}");
}

#[test]
fn that_spin_where_they_are() {
    let counts = run(2 * UNIT, 120, [0, 2 * FAST], "0", 40);
    assert!(counts.events.iter().all(|&count| count > least(20)), "{counts:?}");
    assert!(counts.visits > least(50) && counts.of_turning > least(500), "{counts:?}");
}

/// A tower of cubes and a rod and a slab beside it, on a floor.
fn lying() -> World {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(lit("0")).unwrap().with_friction(lit("0.6")).unwrap();
    let material = builder.material(material);
    let brick = |x, y, z| Shape::Obb(Obb::along_axes(Vec3::new(lit(x), lit(y), lit(z))));
    let cube = builder.shape(brick("0.5", "0.5", "0.5"));
    let slab = builder.shape(brick("0.6", "0.125", "0.4"));
    let rod = builder.shape(Shape::capsule(Vec3::new(lit("0.5"), lit("0"), lit("0")), lit("0.25")));
    add_walls(&mut builder, material, 4 * UNIT);
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let pull = Vec3::new(lit("0"), lit("-9.81"), lit("0"));
    world.apply(&[Command::SetGravity { gravity: limits.gravity_nearest_even(pull) }]).accepted().unwrap();
    for (shape, x, y) in [
        (cube, "0", "-3.496"),
        (cube, "0", "-2.492"),
        (cube, "0", "-1.488"),
        (slab, "2", "-3.871"),
        (rod, "2", "-3.49"),
        (slab, "-2", "-3.871"),
        (slab, "-2", "-3.616"),
    ] {
        let position = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), lit("0"));
        let spawn = Spawn { rotates: true, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

#[test]
fn resting_bodies_go_on_touching() {
    let (mut world, mut report, mut counts) = (lying(), TickReport::default(), Counts::default());
    world.enable_events(true);
    let mut begun = 0;
    for tick in 0..240 {
        step(&mut world, &[], &mut report, &mut counts);
        let of_kind = |kind| report.events.iter().filter(|event| event.kind == kind).count();
        begun += of_kind(EventKind::Begin);
        begun -= of_kind(EventKind::End);
        if tick >= 60 {
            assert!(report.events.iter().all(|event| event.kind == EventKind::Hit), "{:?}", report.events);
        }
    }
    assert_eq!(begun, 7, "each body lies on the next one: {counts:?}");
}
