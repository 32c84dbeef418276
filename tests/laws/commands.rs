//! Commands: what is accepted, what is refused and why, and that a refusal changes nothing.

use bitstep::{
    World,
    geom::Vec3,
    num::Scalar,
    shape::Shape,
    snapshot,
    state::{
        Body, BodyId, Collider, Command, Done, Limits, MaterialId, Refusal, ShapeId, Slot, Spawn, State,
        StaticId,
    },
    tick::{Cause, TickReport},
};

use crate::support::{closed_box, s, v};

fn room() -> World {
    let solids = [Shape::sphere(s("0.5")), Shape::aabb(v("0.5", "0.5", "0.5")), Shape::sphere(s("300"))];
    let limits = Limits::new(60).with_bodies_max(3).with_mass_max(100).with_extent(s("50"));
    World::new(limits, closed_box("1", &solids, "10")).unwrap()
}

fn ball_at(x: &str) -> Spawn {
    Spawn { mass: 2, velocity: v("0", "0.5", "0"), ..Spawn::new(ShapeId(0), v(x, "0", "0")) }
}

fn id(slot: u32, generation: u32) -> BodyId {
    BodyId::from_parts(slot, generation)
}

/// Applies a command that must be refused and change nothing; returns the refusal's text.
fn refused(world: &mut World, command: Command) -> String {
    let before = snapshot::encode(world);
    let applied = world.apply(&[command]);
    assert_eq!(snapshot::encode(world), before, "{command:?} was refused and changed something");
    assert_eq!(applied.momentum, [0; 3]);
    applied.outcomes[0].clone().unwrap_err().reason.to_string()
}

#[test]
fn every_refusal_names_field_value_and_limit() {
    let mut world = room();
    assert!(world.apply(&[Command::Spawn(ball_at("0"))]).outcomes[0].is_ok());
    let spawn = |change: fn(&mut Spawn)| {
        let mut spawn = ball_at("3");
        change(&mut spawn);
        Command::Spawn(spawn)
    };
    let body = id(0, 0);
    let cases = [
        (spawn(|ball| ball.mass = 0), "mass is 0, must be in 1..=100"),
        (spawn(|ball| ball.mass = 101), "mass is 101, must be in 1..=100"),
        (spawn(|ball| ball.shape = ShapeId(99)), "shape is 99, must be in 0..=8"),
        (
            spawn(|ball| ball.shape = ShapeId(3)),
            "shape: a body is a sphere, an aabb, an obb, a capsule or a hull",
        ),
        (spawn(|ball| ball.shape = ShapeId(2)), "radius is 300, must be at most 256 in magnitude"),
        (spawn(|ball| ball.material = MaterialId(1)), "material is 1, must be in 0..=0"),
        (spawn(|ball| ball.position.y = s("50.5")), "position.y is 50.5, must be at most 50 in magnitude"),
        (spawn(|ball| ball.velocity.z = s("-129")), "velocity.z is -129, must be at most 128 in magnitude"),
        (
            spawn(|ball| ball.velocity = v("100", "100", "0")),
            "velocity is 141.4213562373, must be at most 128 in magnitude",
        ),
        (spawn(|ball| ball.position.x = s("0.99")), "would overlap 0"),
        (spawn(|ball| ball.position.x = s("9.9")), "would overlap s1"),
        (Command::Remove { body: id(0, 1) }, "no body 0.1"),
        (Command::Remove { body: id(7, 0) }, "no body 7"),
        (
            Command::Teleport {
                body,
                position: v("0", "-9.6", "0"),
                orientation: None,
                allow_overlap: false,
            },
            "would overlap s2",
        ),
        (
            Command::Teleport { body, position: v("0", "0", "51"), orientation: None, allow_overlap: false },
            "position.z is 51, must be at most 50 in magnitude",
        ),
        (
            Command::SetVelocity { body, velocity: v("0", "-200", "0") },
            "velocity.y is -200, must be at most 128 in magnitude",
        ),
        (
            Command::ApplyImpulse { body, impulse: v("0", "255.25", "0") },
            "velocity.y is 128.125, must be at most 128 in magnitude",
        ),
        (Command::ApplyImpulse { body: id(1, 0), impulse: Vec3::ZERO }, "no body 1"),
        (Command::SetGravity { gravity: Vec3::from_raw([0, 3, 0]) }, "gravity: a component is odd in raw"),
        (
            Command::SetGravity { gravity: v("0", "-128.5", "0") },
            "gravity.y is -128.5, must be at most 128 in magnitude",
        ),
    ];
    for (command, text) in cases {
        assert_eq!(refused(&mut world, command), text, "{command:?}");
    }
    let huge = Command::ApplyImpulse { body, impulse: Vec3::splat(Scalar::MIN) };
    assert!(refused(&mut world, huge).starts_with("velocity.x is -"));
}

#[test]
fn a_full_world_takes_no_more_and_reuses_the_lowest_slot() {
    let mut world = room();
    let spawn = |x| Command::Spawn(ball_at(x));
    let applied = world.apply(&[spawn("0"), spawn("2"), spawn("4"), spawn("6")]);
    assert_eq!(applied.outcomes[3].as_ref().unwrap_err().reason, Refusal::Full { limit: 3 });
    assert_eq!(world.next_ids(2), [id(3, 0), id(4, 0)]);
    let again = world.apply(&[Command::Remove { body: id(1, 0) }, Command::Remove { body: id(0, 0) }]);
    assert!(again.outcomes.iter().all(Result::is_ok));
    assert_eq!(world.next_ids(3), [id(0, 1), id(1, 1), id(3, 0)]);
    let applied = world.apply(&[spawn("0"), Command::Remove { body: id(0, 1) }, spawn("1"), spawn("2.5")]);
    let spawned = [Ok(Done::Spawned(id(0, 1))), Ok(Done::Applied), Ok(Done::Spawned(id(0, 2)))];
    assert_eq!(applied.outcomes[..3], spawned);
    assert_eq!(applied.outcomes[3], Ok(Done::Spawned(id(1, 1))));
    assert_eq!(world.bodies().count(), 3);
}

#[test]
fn the_last_generation_of_a_slot_has_no_body() {
    let world = room();
    let body = Body::new(ShapeId(0), Vec3::ZERO);
    let of = |generation| {
        let mut state = State::new(*world.limits());
        state.slots.push(Slot { generation, body: Some(body) });
        World::from_state(state, world.scenery().clone())
    };
    let refused = of(u32::MAX).unwrap_err().to_string();
    assert_eq!(refused, "slots[0].generation is 4294967295, must be in 0..=4294967294");
    let mut world = of(u32::MAX - 1).unwrap();
    assert!(world.apply(&[Command::Remove { body: id(0, u32::MAX - 1) }]).outcomes[0].is_ok());
    assert_eq!(world.state().slots, [Slot { generation: u32::MAX, body: None }]);
    assert_eq!(world.next_ids(1), [id(1, 0)], "a slot out of generations is not used again");
    assert!(World::from_state(world.state().clone(), world.scenery().clone()).is_ok());
}

#[test]
fn touching_is_allowed_and_one_raw_closer_is_not() {
    let mut world = room();
    let mut ball = ball_at("1");
    assert!(world.apply(&[Command::Spawn(ball_at("0")), Command::Spawn(ball)]).outcomes[1].is_ok());
    ball.position.x = Scalar::from_bits(s("-1").to_bits() + 1);
    let with = Collider::Body(id(0, 0));
    let refused = world.apply(&[Command::Spawn(ball)]).accepted().unwrap_err();
    assert_eq!(refused.reason, Refusal::Overlaps { with });
    ball.position = v("0", "9.5", "0");
    assert!(world.apply(&[Command::Spawn(ball)]).outcomes[0].is_ok(), "a ball may touch a wall");
    let moved = Command::Teleport {
        body: id(2, 0),
        position: v("0", "9.5000000003", "0"),
        orientation: None,
        allow_overlap: false,
    };
    let with = Collider::Static(StaticId(3));
    let refused = world.apply(&[moved]).accepted().unwrap_err();
    assert_eq!(
        (refused.index, refused.command, refused.reason),
        (0, moved.name(), Refusal::Overlaps { with })
    );
}

#[test]
fn a_refusal_names_the_smallest_id_in_the_way() {
    for [first, second] in [["-0.5", "0.5"], ["0.5", "-0.5"]] {
        let mut world = room();
        let spawns = [first, second, "9.5"].map(|x| Command::Spawn(ball_at(x)));
        assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
        let between = Command::Teleport {
            body: id(2, 0),
            position: v("0", "0.25", "0"),
            orientation: None,
            allow_overlap: false,
        };
        assert_eq!(refused(&mut world, between), "would overlap 0");
        let into_wall = Command::Teleport {
            body: id(0, 0),
            position: v("9.75", "0.5", "0"),
            orientation: None,
            allow_overlap: false,
        };
        assert_eq!(refused(&mut world, into_wall), "would overlap 2", "bodies come before statics");
    }
}

#[test]
fn a_teleport_frees_one_place_and_takes_another() {
    let mut world = room();
    let body = id(0, 0);
    let spawn = |x| Command::Spawn(ball_at(x));
    let moved =
        Command::Teleport { body, position: v("5", "0", "0"), orientation: None, allow_overlap: false };
    let outcomes = world.apply(&[spawn("0"), moved, spawn("5.5"), spawn("0.25"), moved]).outcomes;
    let refused = outcomes[2].as_ref().unwrap_err();
    assert_eq!((refused.index, &refused.reason), (2, &Refusal::Overlaps { with: Collider::Body(body) }));
    assert_eq!(outcomes[3], Ok(Done::Spawned(id(1, 0))));
    assert_eq!(outcomes[4], Ok(Done::Applied), "a body is not in its own way");
}

#[test]
fn commands_are_in_the_ledger() {
    let mut world = room();
    let mut report = TickReport::default();
    let body = id(0, 0);
    let lists: [&[Command]; 3] = [
        &[Command::Spawn(ball_at("0")), Command::Spawn(ball_at("0"))],
        &[
            Command::SetVelocity { body, velocity: v("1", "2", "3") },
            Command::ApplyImpulse { body, impulse: v("1", "0", "0") },
        ],
        &[Command::Remove { body }],
    ];
    for commands in lists {
        let before = world.momentum_wide();
        let result = world.tick(commands, &mut report).accepted();
        // The second of two at one place is refused, and the first is there all the same.
        let is_second = matches!(commands, [Command::Spawn(_), _]);
        assert_eq!(result.map_err(|refused| refused.index).err(), is_second.then_some(1));
        let total = report.ledger.total();
        assert_eq!(world.momentum_wide(), [0, 1, 2].map(|axis| before[axis] + total[axis]));
        assert_ne!(report.ledger[Cause::Commands], [0; 3]);
    }
    world.step(&mut report);
    assert_eq!(
        (report.outcomes.len(), report.ledger[Cause::Commands]),
        (0, [0; 3]),
        "a step has no commands"
    );
    assert_eq!(world.momentum_wide(), [0; 3]);
}

#[test]
fn a_million_spawns_end_at_the_limit() {
    let solids = [Shape::sphere(s("0.5"))];
    let limits = Limits::new(60).with_bodies_max(20_000);
    let mut world = World::new(limits, closed_box("1", &solids, "10000")).unwrap();
    let spawns: Vec<Command> = (0..1_000_000_i64)
        .map(|index| {
            let cell = [index % 100, index / 100 % 100, index / 10_000];
            let position = Vec3::from_raw(cell.map(|c| (c - 50) << 32));
            Command::Spawn(Spawn { position, ..ball_at("0") })
        })
        .collect();
    let outcomes = world.apply(&spawns).outcomes;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 20_000);
    let refused = outcomes[20_000].as_ref().unwrap_err();
    assert_eq!((refused.index, &refused.reason), (20_000, &Refusal::Full { limit: 20_000 }));
}
