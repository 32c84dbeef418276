//! Commands on rotation: what is accepted, what is refused and why.

use bitstep::{
    World,
    geom::{ANGULAR_SPEED_MAX, Rotation, Vec3},
    num::{Rng, Scalar},
    query::QueryFilter,
    shape::{Obb, Shape},
    snapshot,
    state::{Body, BodyId, BodyType, Collider, Command, Done, Limits, Locks, Refusal, ShapeId, Spawn},
};

use crate::support::{s, shapes, v};

const BALL: ShapeId = ShapeId(0);
const BRICK: ShapeId = ShapeId(1);
const ROD: ShapeId = ShapeId(2);
const BLOCK: ShapeId = ShapeId(3);
const ASKEW: ShapeId = ShapeId(4);
const NEEDLE: ShapeId = ShapeId(5);
const LEANING: ShapeId = ShapeId(6);
const LONG: ShapeId = ShapeId(7);
const HUGE: ShapeId = ShapeId(8);

fn solids() -> [Shape; 9] {
    [
        Shape::sphere(s("0.5")),
        Shape::Obb(Obb::along_axes(v("0.25", "1", "0.5"))),
        Shape::capsule(v("0", "1.5", "0"), s("0.25")),
        Shape::aabb(v("0.5", "0.5", "0.5")),
        Shape::Obb(Obb::along_axes(v("1", "0.5", "0.5"))).turned(turned("0", "0", "1", "2")),
        Shape::capsule(v("0", "0", "3"), s("0.03")),
        Shape::capsule(v("0", "1", "0.000000001"), s("0.25")),
        Shape::Obb(Obb::along_axes(v("180", "180", "60"))),
        Shape::sphere(s("200")),
    ]
}

/// A quaternion's rotation: the imaginary parts, then the real one.
fn turned(x: &str, y: &str, z: &str, w: &str) -> Rotation {
    Rotation::from_quaternion(s(w), s(x), s(y), s(z)).unwrap()
}

fn space(flat: bool) -> World {
    World::new(Limits::new(60).with_flat(flat), shapes("1", &solids())).unwrap()
}

fn spinning(shape: ShapeId, position: Vec3) -> Spawn {
    let angular_velocity = v("0.125", "-0.25", "0.0625");
    let orientation = turned("1", "2", "-3", "4");
    Spawn { rotates: true, orientation, angular_velocity, ..Spawn::new(shape, position) }
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn accepted(world: &mut World, command: Command) {
    let outcome = world.apply(&[command]).outcomes.remove(0);
    assert!(outcome.is_ok(), "{command:?}: {outcome:?}");
}

fn refused(world: &mut World, command: Command) -> String {
    let before = snapshot::encode(world);
    let applied = world.apply(&[command]);
    assert_eq!(snapshot::encode(world), before, "{command:?} was refused and changed something");
    assert_eq!(applied.momentum, [0; 3]);
    applied.outcomes[0].clone().unwrap_err().reason.to_string()
}

/// The body of a slot.
fn body(world: &World, slot: u32) -> Body {
    *world.body(id(slot)).unwrap()
}

fn angular_momentum(world: &World, slot: u32) -> Vec3 {
    body(world, slot).spin.unwrap().angular_momentum
}

/// The largest difference of a component, in raw.
fn off(a: Vec3, b: Vec3) -> i64 {
    (a - b).raw().map(i64::abs).into_iter().max().unwrap()
}

#[test]
fn a_spawn_that_cannot_turn_is_refused_with_a_reason() {
    let mut world = space(false);
    let spawn = |shape, change: fn(&mut Spawn)| {
        let mut spawn = spinning(shape, Vec3::ZERO);
        change(&mut spawn);
        Command::Spawn(spawn)
    };
    let keep: fn(&mut Spawn) = |_| {};
    let cases = [
        (spawn(BLOCK, keep), "spin: an aabb never rotates: take an obb"),
        (
            spawn(ASKEW, keep),
            "spin: the half edges of an obb that rotates must lie along the axes of its own frame",
        ),
        (
            spawn(LEANING, keep),
            "spin: the half axis of a capsule that rotates must lie along an axis of its own frame",
        ),
        (
            spawn(NEEDLE, keep),
            "spin: moments of inertia are 6766 to 1, may be 4096 to 1: a rod at most 90 times as long as thick",
        ),
        (spawn(LONG, keep), "bounding_radius is 261.5339366125, must be at most 256 in magnitude"),
        (
            spawn(HUGE, |ball| ball.mass = 65_536),
            "spin: moment of inertia 19342813113834066795298816000 about axis 0 must be in \
             1..=4951760157141521099596496896 mass units times raw squared",
        ),
        (spawn(BALL, |ball| ball.body_type = BodyType::Static), "angular_momentum: a static body has none"),
        (
            spawn(BALL, |ball| ball.angular_velocity = v("0", "1.75", "0")),
            "angular_velocity.y is 1.75, must be at most 1.5707963 in magnitude",
        ),
        (
            spawn(BALL, |ball| ball.angular_velocity = v("1.5", "1.5", "0")),
            "angular_velocity is 2.1213203433, must be at most 1.5707963 in magnitude",
        ),
        (
            spawn(BALL, |ball| ball.rotates = false),
            "orientation: a body that does not rotate has none: set rotates, or take an obb",
        ),
        (
            spawn(BALL, |ball| (ball.rotates, ball.orientation) = (false, Rotation::IDENTITY)),
            "angular_velocity: a body that does not rotate has none",
        ),
    ];
    for (command, text) in cases {
        assert_eq!(refused(&mut world, command), text, "{command:?}");
    }
    let text = "orientation: in a flat world a body rotates about z alone";
    assert_eq!(refused(&mut space(true), spawn(BALL, keep)), text);
    // An oriented box with a fixed orientation may be any, and static shapes may be rotated.
    accepted(&mut world, Command::Spawn(Spawn::new(ASKEW, v("9", "0", "0"))));
    let fixed =
        |spawn: &mut Spawn| (spawn.body_type, spawn.angular_velocity) = (BodyType::Static, Vec3::ZERO);
    accepted(&mut world, spawn(BRICK, fixed));
    accepted(&mut world, spawn(HUGE, |ball| (ball.position, ball.locks) = (v("0", "0", "300"), Locks::ALL)));
    let leans = refused(&mut space(true), Command::Spawn(Spawn::new(LEANING, Vec3::ZERO)));
    assert_eq!(leans, "shape: it leans out of the flat world's plane");
}

#[test]
fn a_body_turns_as_it_was_told() {
    let mut world = space(false);
    for (slot, shape) in (0..).zip([BALL, BRICK, ROD]) {
        let spawn = Spawn { mass: 7, ..spinning(shape, v("0", &(slot * 9).to_string(), "0")) };
        accepted(&mut world, Command::Spawn(spawn));
        assert_eq!(body(&world, slot).spin.unwrap().orientation, spawn.orientation);
        let velocity = world.angular_velocity(id(slot)).unwrap();
        assert!(off(velocity, spawn.angular_velocity) <= 3, "{velocity}");
        let faster = v("-1.25", "0.5", "0.75");
        accepted(&mut world, Command::SetAngularVelocity { body: id(slot), angular_velocity: faster });
        assert!(off(world.angular_velocity(id(slot)).unwrap(), faster) <= 3);
        let restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        assert_eq!(restored.state(), world.state());
    }
    // A ball of mass 7 has 2/5 of 7/4 about every axis.
    let expected = v("-1.25", "0.5", "0.75").map_raw(|raw| (raw * 7 + 5) / 10);
    assert!(off(angular_momentum(&world, 0), expected) <= 1);
    assert_eq!(world.angular_velocity(id(9)), None);
    let still = Spawn::new(BLOCK, v("9", "0", "0"));
    accepted(&mut world, Command::Spawn(still));
    assert_eq!(world.angular_velocity(id(3)), Some(Vec3::ZERO));
}

#[test]
fn commands_for_what_does_not_turn_are_refused() {
    let mut world = space(false);
    accepted(&mut world, Command::Spawn(Spawn::new(BLOCK, Vec3::ZERO)));
    accepted(
        &mut world,
        Command::Spawn(Spawn { body_type: BodyType::Kinematic, ..spinning(BALL, v("5", "0", "0")) }),
    );
    let [block, ball] = [0, 1].map(id);
    let (orientation, position) = (Rotation::IDENTITY, v("0", "9", "0"));
    let no = "spin: the body does not rotate";
    let cases = [
        (
            Command::Teleport { body: block, position, orientation: Some(orientation), allow_overlap: false },
            no,
        ),
        (Command::SetAngularVelocity { body: block, angular_velocity: Vec3::ZERO }, no),
        (Command::ApplyAngularImpulse { body: block, angular_impulse: Vec3::ZERO }, no),
        (Command::ApplyAngularImpulse { body: ball, angular_impulse: Vec3::ZERO }, "body 1 is kinematic"),
        (Command::ApplyImpulseAt { body: ball, impulse: Vec3::ZERO, point: position }, "body 1 is kinematic"),
        (Command::ApplyAngularImpulse { body: id(2), angular_impulse: Vec3::ZERO }, "no body 2"),
        (
            Command::SetShape { body: ball, shape: BLOCK, allow_overlap: false },
            "spin: an aabb never rotates: take an obb",
        ),
        (
            Command::Teleport {
                body: ball,
                position: v("0", "0", "16385"),
                orientation: Some(orientation),
                allow_overlap: true,
            },
            "position.z is 16385, must be at most 16384 in magnitude",
        ),
    ];
    for (command, text) in cases {
        assert_eq!(refused(&mut world, command), text, "{command:?}");
    }
    // A push at a point only moves it.
    let (impulse, point) = (v("0.5", "0", "0"), v("0", "0.5", "0"));
    accepted(&mut world, Command::ApplyImpulseAt { body: block, impulse, point });
    assert_eq!((body(&world, 0).momentum, body(&world, 0).spin), (impulse, None));
    // The velocity of a kinematic body holds until the next command.
    accepted(&mut world, Command::MoveKinematic { body: ball, position: v("6", "0", "0") });
    accepted(&mut world, Command::SetAngularVelocity { body: ball, angular_velocity: Vec3::ZERO });
    assert!(!body(&world, 1).stops);
}

#[test]
fn a_push_at_a_point_turns_by_its_arm() {
    let mut world = space(false);
    let plain = Spawn { mass: 4, angular_velocity: Vec3::ZERO, ..spinning(BRICK, v("3", "-2", "1")) };
    accepted(&mut world, Command::Spawn(plain));
    let center = body(&world, 0).position;
    for case in 0..500 {
        let mut draws = Rng::new(3).at(0, 0, case);
        let mut vector = |bits: u32| Vec3::from_raw([(); 3].map(|()| draws.between(-1 << bits, 1 << bits)));
        let (arm, impulse) = (vector(32), vector(27));
        let (before, momentum) = (angular_momentum(&world, 0), body(&world, 0).momentum);
        accepted(&mut world, Command::ApplyImpulseAt { body: id(0), impulse, point: center + arm });
        assert_eq!(body(&world, 0).momentum, momentum + impulse);
        let turned = (angular_momentum(&world, 0) - before).raw();
        for (raw, exact) in turned.into_iter().zip(arm.cross_wide(impulse)) {
            assert!(((i128::from(raw) << 32) - exact).abs() <= 1 << 31, "to nearest");
        }
        // Taken back to the bit.
        accepted(&mut world, Command::ApplyImpulseAt { body: id(0), impulse: -impulse, point: center + arm });
        assert_eq!((angular_momentum(&world, 0), body(&world, 0).momentum), (before, momentum));
        let twist = vector(26);
        accepted(&mut world, Command::ApplyAngularImpulse { body: id(0), angular_impulse: twist });
        assert_eq!(angular_momentum(&world, 0), before + twist);
        accepted(&mut world, Command::ApplyAngularImpulse { body: id(0), angular_impulse: -twist });
    }
}

#[test]
fn a_push_or_a_twist_beyond_a_limit_is_refused_whole() {
    let mut world = space(false);
    let plain = Spawn { mass: 10, angular_velocity: Vec3::ZERO, ..spinning(BALL, Vec3::ZERO) };
    accepted(&mut world, Command::Spawn(plain));
    let push = |impulse, point| Command::ApplyImpulseAt { body: id(0), impulse, point };
    let twist = |angular_impulse| Command::ApplyAngularImpulse { body: id(0), angular_impulse };
    let cases = [
        (twist(v("0", "0", "1.75")), "angular_velocity.z is 1.75, must be at most 1.5707963 in magnitude"),
        (
            twist(v("600000000", "0", "0")),
            "angular_momentum.x is 600000000, must be at most 536870912 in magnitude",
        ),
        (
            push(v("0", "4", "0"), v("0.5", "0", "0")),
            "angular_velocity.z is 2, must be at most 1.5707963 in magnitude",
        ),
        (
            push(v("0", "1300", "0"), v("0", "0.5", "0")),
            "velocity.y is 130, must be at most 128 in magnitude",
        ),
        (
            push(v("0", "0", "0"), v("0", "16385", "0")),
            "point.y is 16385, must be at most 16384 in magnitude",
        ),
        (
            push(Vec3::splat(Scalar::MIN), v("1", "2", "-16384")),
            "angular_momentum.x is -2147483648, must be at most 536870912 in magnitude",
        ),
    ];
    for (command, text) in cases {
        assert_eq!(refused(&mut world, command), text, "{command:?}");
    }
    accepted(&mut world, push(v("0", "3", "0"), v("0.5", "0", "0")));
    assert!(world.angular_velocity(id(0)).unwrap().z < ANGULAR_SPEED_MAX);
}

/// The obstacle is the rotated shape, whatever it is in its own frame.
#[test]
fn there_is_room_for_forms() {
    let mut world = space(false);
    let lying = turned("0", "0", "1", "1");
    let rod = |orientation, x: &str, y: &str| {
        let plain = Spawn::new(ROD, v(x, y, "0"));
        Command::Spawn(Spawn { rotates: true, orientation, ..plain })
    };
    accepted(&mut world, rod(lying, "0", "0"));
    let with = Collider::Body(id(0));
    let outcome = |world: &mut World, command| {
        world.apply(&[command]).outcomes.remove(0).map_err(|refused| refused.reason)
    };
    assert_eq!(outcome(&mut world, rod(Rotation::IDENTITY, "1.75", "0")), Err(Refusal::Overlaps { with }));
    assert_eq!(outcome(&mut world, rod(Rotation::IDENTITY, "2", "0")), Ok(Done::Spawned(id(1))));
    assert_eq!(outcome(&mut world, rod(lying, "0", "0.5")), Ok(Done::Spawned(id(2))));
    // Rotated in place it overlaps the first.
    let place = |orientation, allow_overlap| Command::Teleport {
        body: id(1),
        position: v("2", "0", "0"),
        orientation: Some(orientation),
        allow_overlap,
    };
    assert_eq!(outcome(&mut world, place(lying, false)), Err(Refusal::Overlaps { with }));
    assert_eq!(outcome(&mut world, place(turned("1", "0", "0", "1"), false)), Ok(Done::Applied));
    assert_eq!(outcome(&mut world, place(lying, true)), Ok(Done::Applied));
    // A cached place is that of the rotated shape, too.
    let ball = |x| Command::Spawn(Spawn::new(BALL, v(x, "0", "0")));
    assert_eq!(outcome(&mut world, ball("3.9")), Err(Refusal::Overlaps { with: Collider::Body(id(1)) }));
    let mut found = Vec::new();
    let view = world.query_view();
    view.overlap(&Shape::sphere(s("0.5")), v("3.9", "0", "0"), &QueryFilter::ALL, &mut found).unwrap();
    assert_eq!(found, [Collider::Body(id(1))]);
    let momentum = angular_momentum(&world, 1);
    assert_eq!(momentum, Vec3::ZERO);
}

#[test]
fn the_energy_counts_what_turns() {
    let mut world = space(false);
    let angular_velocity = v("0", "0.5", "0");
    let ball = Spawn { mass: 10, angular_velocity, ..spinning(BALL, Vec3::ZERO) };
    accepted(&mut world, Command::Spawn(ball));
    // Twice the energy is I w^2: 1 times 1/4.
    let energy = world.energy_twice_wide();
    assert!((energy - (1 << 62)).abs() < 1 << 36, "{energy}");
}
