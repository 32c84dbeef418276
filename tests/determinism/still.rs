//! Resting bodies reuse planes, points and impulses of the tick before. A world without that cache gives the
//! same results.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    shape::{Obb, Shape},
    snapshot,
    state::{
        BodyId, BodyType, ChildShape, Command, CompoundId, Limits, Locks, Material, MaterialId, Rule,
        SceneryBuilder, ShapeId, Spawn,
    },
    tick::TickReport,
};

use crate::support::{s, v};

/// The rough material, and a smooth one.
const ROUGH: MaterialId = MaterialId(0);
const SMOOTH: MaterialId = MaterialId(1);

/// Cubes, wider cubes, cubes that may rotate, rods and balls.
const CUBE: ShapeId = ShapeId(0);
const WIDE: ShapeId = ShapeId(1);
const FREE: ShapeId = ShapeId(2);
const ROD: ShapeId = ShapeId(3);
const BALL: ShapeId = ShapeId(4);

const fn body(slot: u32, generation: u32) -> BodyId {
    BodyId::from_parts(slot, generation)
}

/// Columns of three on a floor and on a lift: of cubes that never rotate, of cubes that may, a rod across two
/// cubes, and a smooth cube on another that is locked along the normal between them.
fn columns() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(s("0.2")).unwrap().with_friction(s("0.5")).unwrap());
    builder.material(Material::new(s("0")).unwrap());
    for shape in [
        Shape::aabb(v("0.25", "0.25", "0.25")),
        Shape::aabb(v("0.3", "0.25", "0.25")),
        Shape::Obb(Obb::along_axes(v("0.25", "0.25", "0.25"))),
        Shape::capsule(v("0.5", "0", "0"), s("0.2")),
        Shape::sphere(s("0.25")),
        Shape::aabb(v("2", "0.25", "2")),
    ] {
        builder.shape(shape);
    }
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    builder.fixed(floor, ROUGH, v("0", "0", "0"));
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", "-9.81", "0"));
    let lift = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(ShapeId(5), v("10", "0.3", "0")) };
    let mut commands = vec![Command::SetGravity { gravity }, Command::Spawn(lift)];
    let mut add = |spawn: Spawn| commands.push(Command::Spawn(spawn));
    let heights = ["0.2525", "0.755", "1.2575"];
    for height in heights {
        add(Spawn { material: ROUGH, ..Spawn::new(CUBE, v("0", height, "0")) });
        add(Spawn { material: ROUGH, rotates: true, ..Spawn::new(FREE, v("2", height, "0.1")) });
        let height: bitstep::num::Scalar = height.parse().unwrap();
        let place = Vec3::new(s("10"), height + s("0.55"), s("0"));
        add(Spawn { material: ROUGH, ..Spawn::new(CUBE, place) });
    }
    add(Spawn { material: ROUGH, ..Spawn::new(CUBE, v("4", "0.2525", "0")) });
    add(Spawn { material: ROUGH, ..Spawn::new(CUBE, v("5", "0.2525", "0")) });
    add(Spawn { material: ROUGH, rotates: true, ..Spawn::new(ROD, v("4.5", "0.705", "0")) });
    add(Spawn { material: ROUGH, rotates: true, ..Spawn::new(BALL, v("6", "0.2525", "0")) });
    let hung = Spawn { material: SMOOTH, locks: Locks::Y, ..Spawn::new(CUBE, v("-2", "1", "0")) };
    add(hung);
    add(Spawn { material: SMOOTH, ..Spawn::new(CUBE, v("-2", "1.5025", "0")) });
    let outcomes = world.apply(&commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    world
}

/// The commands, long after all have come to rest.
fn commands(tick: u64) -> Vec<Command> {
    let allow_overlap = false;
    match tick {
        60 => vec![Command::SetShape { body: body(1, 0), shape: WIDE, allow_overlap }],
        66 => vec![Command::SetShape { body: body(1, 0), shape: CUBE, allow_overlap }],
        // Another one in its place, of another mass and material.
        72 => {
            let place = v("0", "1.2575", "0");
            let other = Spawn { mass: 3, material: SMOOTH, ..Spawn::new(CUBE, place) };
            vec![Command::Remove { body: body(7, 0) }, Command::Spawn(other)]
        }
        78 => vec![Command::SetLayers { a: 0, b: 3, rule: Rule::Ignore, allow_overlap }],
        80 => vec![Command::SetFilter { body: body(4, 0), layer: 3, group: 0, allow_overlap }],
        84 => vec![Command::SetVelocity { body: body(0, 0), velocity: v("0.01", "0.005", "0") }],
        96 => vec![Command::SetVelocity { body: body(0, 0), velocity: Vec3::ZERO }],
        100 => vec![Command::ApplyImpulse { body: body(8, 0), impulse: v("0.01", "0", "0.01") }],
        106 => vec![Command::SetLocks { body: body(9, 0), locks: Locks::X }],
        110 => vec![Command::SetGravity { gravity: Vec3::from_raw([0, -8_000_000, 0]) }],
        114 => vec![Command::SetGravity { gravity: Vec3::from_raw([0, -11_700_000, 0]) }],
        120 => {
            let (position, orientation) = (v("2", "3", "0.1"), Rotation::IDENTITY);
            vec![Command::Teleport {
                body: body(8, 0),
                position,
                orientation: Some(orientation),
                allow_overlap,
            }]
        }
        // Every body behind it gets another place in the list of bodies, and then its own again.
        150 => vec![Command::Remove { body: body(2, 0) }],
        156 => vec![Command::Spawn(Spawn { material: ROUGH, ..Spawn::new(BALL, v("14", "0.2525", "0")) })],
        _ => Vec::new(),
    }
}

/// Plays a world beside one that is restored before every tick, and one with the cache of other ticks;
/// returns the number of ticks in which all bodies rested.
fn still_ticks(new: impl Fn() -> World, commands: impl Fn(u64) -> Vec<Command>, ticks: u64) -> u32 {
    let (mut world, mut report, mut other) = (new(), TickReport::default(), TickReport::default());
    world.enable_events(true);
    let mut copy = new();
    copy.enable_events(true);
    let mut still = 0;
    for tick in 0..ticks {
        let commands = commands(tick);
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        restored.enable_events(true);
        let before = snapshot::fields(&world);
        let _ = world.tick(&commands, &mut report);
        let _ = restored.tick(&commands, &mut other);
        assert_eq!(report, other, "report of tick {tick}");
        assert_eq!(snapshot::encode(&restored), snapshot::encode(&world), "tick {tick}");
        // A copy with the cache of another tick, and for a while of other commands.
        let _ = copy.tick(&commands, &mut other);
        assert_eq!(snapshot::encode(&copy), snapshot::encode(&world), "tick {tick}");
        if tick % 7 == 3 {
            let _ = copy
                .tick(&[Command::ApplyImpulse { body: body(1, 0), impulse: v("0.1", "0", "0") }], &mut other);
            copy.step(&mut other);
            copy.clone_from(&world);
        }
        let changed = snapshot::diff_fields(&before, &snapshot::fields(&world)).len();
        still += u32::from(changed <= 1);
        assert!(report.outcomes.iter().all(Result::is_ok), "tick {tick}: {:?}", report.outcomes);
    }
    still
}

#[test]
fn resting_bodies_go_on_the_same_without_the_contact_cache() {
    let still = still_ticks(columns, commands, 180);
    assert!(still > 60, "all lie still in {still} ticks only");
}

/// Bodies on a floor of their own.
fn stage(bodies: &[Spawn]) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(s("0.2")).unwrap().with_friction(s("0.5")).unwrap());
    builder.material(Material::new(s("0")).unwrap());
    let cube = builder.shape(Shape::aabb(v("0.25", "0.25", "0.25")));
    builder.shape(Shape::sphere(s("0.1")));
    builder.shape(Shape::sphere(s("0.25")));
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    builder.fixed(floor, ROUGH, v("0", "0", "0"));
    builder.shape(Shape::Obb(Obb::along_axes(v("0.25", "0.25", "0.25"))));
    builder.shape(Shape::Obb(Obb::along_axes(v("1.5", "0.1", "0.1"))));
    builder.shape(Shape::aabb(v("1.25", "0.1", "0.25")));
    let leg = |x: &str| ChildShape { offset: v(x, "0", "0"), ..ChildShape::new(cube) };
    builder.compound(vec![leg("-0.5"), leg("0.75")]);
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", "-9.81", "0"));
    let spawns = bodies.iter().map(|&spawn| Command::Spawn(spawn));
    let outcomes =
        world.apply(&[Command::SetGravity { gravity }].into_iter().chain(spawns).collect::<Vec<_>>());
    assert!(outcomes.outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    world
}

const STAGE_CUBE: ShapeId = ShapeId(0);
const PEBBLE: ShapeId = ShapeId(1);
const STAGE_BALL: ShapeId = ShapeId(2);
const TURNED: ShapeId = ShapeId(4);
const BAR: ShapeId = ShapeId(5);
const SLAB: ShapeId = ShapeId(6);

fn rough(shape: ShapeId, x: &str, y: &str, z: &str) -> Spawn {
    Spawn { material: ROUGH, ..Spawn::new(shape, v(x, y, z)) }
}

/// Three on each other, and pebbles that are lower: when these are removed, all three have other places in
/// the order of heights, but only the upper one is recomputed.
#[test]
fn the_order_of_heights_is_that_of_all_bodies() {
    let column = ["0.2525", "0.755", "1.2575"].map(|y| rough(STAGE_CUBE, "0", y, "0"));
    let pebbles = ["2", "3", "4", "5", "6"].map(|x| rough(PEBBLE, x, "0.102", "0"));
    let new = || stage(&[&column[..], &pebbles].concat());
    let commands = |tick| match tick {
        40 => (3..8).map(|slot| Command::Remove { body: body(slot, 0) }).collect(),
        50 => vec![Command::SetFilter { body: body(2, 0), layer: 0, group: 7, allow_overlap: false }],
        60 => vec![Command::ApplyImpulse { body: body(2, 0), impulse: v("0.002", "0", "0.001") }],
        _ => vec![],
    };
    let still = still_ticks(new, commands, 80);
    assert!(still > 30, "{still}");
}

/// A body that rotates in place, a bar that rotates toward a resting body, one with two child shapes on the
/// floor, and a table of layers that changes for all.
#[test]
fn turns_parts_and_layers_are_looked_at() {
    let rotates = Spawn { rotates: true, ..rough(TURNED, "0", "0.2525", "0") };
    let parts = rough(ShapeId::of_compound(CompoundId(0), false), "4", "0.2525", "0");
    let bar = Spawn { body_type: BodyType::Kinematic, rotates: true, ..rough(BAR, "8", "0.3", "0") };
    let new = || stage(&[rotates, parts, bar, rough(STAGE_CUBE, "9.2", "0.2525", "0.45")]);
    let commands = |tick| match tick {
        20 => vec![Command::SetAngularVelocity { body: body(2, 0), angular_velocity: v("0", "-0.005", "0") }],
        30 => vec![Command::ApplyAngularImpulse { body: body(0, 0), angular_impulse: v("0", "0.003", "0") }],
        // In place, with its orientation, but its edges move too fast for a contact.
        46 => vec![Command::ApplyAngularImpulse { body: body(0, 0), angular_impulse: v("0.01", "0", "0") }],
        50 => vec![Command::SetLayers { a: 0, b: 0, rule: Rule::Ignore, allow_overlap: false }],
        _ => vec![],
    };
    let still = still_ticks(new, commands, 60);
    assert!(still > 10, "{still}");
}

/// A slab on three cubes, one of which does not collide with it for some ticks: their old contact must not be
/// reused afterwards.
#[test]
fn a_body_that_becomes_solid_again_is_in_contact_again() {
    let cubes = ["-1", "0", "1"].map(|x| rough(STAGE_CUBE, x, "0.2525", "0"));
    let mut bodies = cubes.map(|cube| Spawn { layer: 2 * u8::from(cube.position.x == 0), ..cube }).to_vec();
    bodies.push(Spawn { layer: 1, ..rough(SLAB, "0", "0.605", "0") });
    let layers = |rule| vec![Command::SetLayers { a: 1, b: 2, rule, allow_overlap: false }];
    let commands = |tick| match tick {
        40 => layers(Rule::Sensor),
        50 => layers(Rule::Solid),
        _ => vec![],
    };
    let still = still_ticks(|| stage(&bodies), commands, 60);
    assert!(still > 20, "{still}");
}

/// A lift that presses a ball against the roof stands still, and hits it again in every tick.
#[test]
fn a_body_with_the_same_impact_in_every_tick_is_reported_in_every_tick() {
    let inelastic = |spawn: Spawn| Spawn { material: SMOOTH, ..spawn };
    let lift = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0", "0.125", "0"),
        ..rough(STAGE_CUBE, "0", "1", "0")
    };
    let roof = Spawn { body_type: BodyType::Static, ..rough(STAGE_CUBE, "0", "2.3", "0") };
    let ball = Spawn { rotates: true, ..rough(STAGE_BALL, "0", "1.6", "0") };
    let new = || {
        let mut world = stage(&[inelastic(lift), inelastic(ball), inelastic(roof)]);
        world.apply(&[Command::SetGravity { gravity: Vec3::ZERO }]).accepted().unwrap();
        world
    };
    let (mut world, mut report, mut blows) = (new(), TickReport::default(), 0);
    for _ in 0..40 {
        world.step(&mut report);
        blows += report.impacts.len();
    }
    assert!(blows > 20, "{blows}");
    still_ticks(new, |_| vec![], 40);
}

/// The same bodies among other shapes: a height of a quarter of a unit is a little less there.
#[test]
fn a_world_that_becomes_a_copy_from_another_scenery_forgets_its_own() {
    let world = |ball: &str| {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::new(s("0.2")).unwrap().with_friction(s("0.5")).unwrap());
        let ball = builder.shape(Shape::sphere(s(ball)));
        let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
        builder.fixed(floor, ROUGH, v("0", "0", "0"));
        let limits = Limits::new(60);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-9.81", "0"));
        let spawn = Spawn { material: ROUGH, ..Spawn::new(ball, v("0", "0.2525", "0")) };
        let _ = world.apply(&[Command::SetGravity { gravity }, Command::Spawn(spawn)]);
        world
    };
    let (mut here, mut report) = (world("0.25"), TickReport::default());
    for _ in 0..60 {
        here.step(&mut report);
    }
    let scenery = world("0.2499").scenery().clone();
    let mut there = World::from_state(here.state().clone(), scenery).unwrap();
    let mut copy = here.clone();
    (0..3).for_each(|_| copy.step(&mut report));
    copy.clone_from(&there);
    for tick in 0..30 {
        there.step(&mut report);
        copy.step(&mut report);
        assert_eq!(snapshot::encode(&copy), snapshot::encode(&there), "tick {tick}");
    }
    assert_ne!(snapshot::encode(&copy), snapshot::encode(&here), "it would go on the same here");
}
