//! Flat worlds: commands that would leave the plane are refused, and no body leaves it.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3, vec2},
    num::{Rng, Scalar, lit},
    shape::Shape,
    snapshot,
    state::{BodyType, Command, Limits, Locks, Material, Scenery, SceneryBuilder, ShapeId, Spawn, State},
    tick::TickReport,
};

use crate::support::{overlaps, s, step, v};

fn flat(rate: u32) -> Limits {
    Limits::new(rate).with_flat(true)
}

/// Discs and rectangles of three sizes in a walled field with turned blocks in it.
fn field() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0.7")).unwrap());
    for (radius, long) in [("0.4", "0.3"), ("0.25", "0.6"), ("0.6", "0.2")] {
        builder.shape(Shape::sphere(s(radius)));
        builder.shape(Shape::rect(s(long), s("0.35")));
    }
    for (x, y) in [("1", "0"), ("-1", "0"), ("0", "1"), ("0", "-1")].map(|(x, y)| (s(x), s(y))) {
        let wall = builder.shape(Shape::plane(vec2(x, y)).unwrap());
        let eight = |part: Scalar| part.saturating_mul_int(-8);
        builder.fixed(wall, material, vec2(eight(x), eight(y)));
    }
    let turn = Rotation::from_quaternion(lit("1"), lit("0"), lit("0"), lit("0.375")).unwrap();
    let block = builder.shape(Shape::obb(v("1.5", "0.5", "2"), turn));
    let pillar = builder.shape(Shape::rect(s("0.5"), s("1")));
    builder.fixed(block, material, vec2(s("-3"), s("2")));
    builder.fixed(pillar, material, vec2(s("4"), s("-3")));
    builder.build().unwrap()
}

#[test]
fn nothing_leaves_the_plane_in_a_skirmish() {
    for rate in [10, 20, 60, 120] {
        let mut world = World::new(flat(rate), field()).unwrap();
        let gravity = world.limits().gravity_nearest_even(vec2(s("1"), s("-4")));
        world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
        let speed = s("20").to_bits() / i64::from(rate);
        let draw = |index: u64, tick: u64| {
            let mut draws = Rng::new(61).at(u64::from(rate), index, tick);
            let mut part = |most: i64| Scalar::from_bits(draws.between(-most, most));
            let (position, velocity) = (vec2(part(7 << 32), part(7 << 32)), vec2(part(speed), part(speed)));
            (draws, position, velocity)
        };
        let (mut report, mut impacts, mut spawned) = (TickReport::default(), 0, 0);
        for tick in 0..u64::from(2 * rate) {
            let commands: Vec<Command> = (0..if tick == 0 { 160 } else { 3 })
                .map(|index| {
                    let (mut draws, position, velocity) = draw(index, tick);
                    let body = world.bodies().nth(draws.below(60) as usize).map(|(id, _)| id);
                    let spawn = Spawn::new(ShapeId(draws.below(6) as u16), position);
                    match (draws.below(8), body) {
                        (0, Some(body)) => Command::SetVelocity { body, velocity },
                        (1, Some(body)) => Command::ApplyImpulse { body, impulse: velocity },
                        (2, Some(body)) => {
                            Command::Teleport { body, position, orientation: None, allow_overlap: false }
                        }
                        (3, _) => Command::Spawn(Spawn { body_type: BodyType::Kinematic, velocity, ..spawn }),
                        (4, _) => Command::Spawn(Spawn { locks: Locks::X, ..spawn }),
                        (mass, _) => Command::Spawn(Spawn { mass: 1 + mass as u32, velocity, ..spawn }),
                    }
                })
                .collect();
            spawned += world.apply(&commands).outcomes.iter().filter(|outcome| outcome.is_ok()).count();
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{rate} Hz, tick {tick}");
            assert!(report.impacts.iter().all(|impact| impact.normal.z == 0), "{rate} Hz, tick {tick}");
            let is_flat = |vector: Vec3| vector.z == 0;
            assert!(world.bodies().all(|(_, body)| is_flat(body.position) && is_flat(body.momentum)));
            assert!(snapshot::decode(&snapshot::encode(&world), world.scenery()).is_ok());
            impacts += report.impacts.len();
        }
        assert!(spawned > 80 && impacts > 1_000, "{rate} Hz: {spawned} commands, {impacts} impacts");
    }
}

#[test]
fn values_out_of_the_plane_are_refused() {
    let mut world = World::new(flat(60), field()).unwrap();
    let disc = Spawn::new(ShapeId(0), Vec3::ZERO);
    let lift = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(ShapeId(0), vec2(s("3"), s("3"))) };
    assert!(world.apply(&[Command::Spawn(disc), Command::Spawn(lift)]).outcomes.iter().all(Result::is_ok));
    let [body, lift] = [0, 1].map(|index| world.bodies().nth(index).unwrap().0);
    let up = Vec3::from_raw([0, 0, 1]);
    let cases = [
        (Command::Spawn(Spawn { position: up + v("5", "5", "0"), ..disc }), "position"),
        (Command::Spawn(Spawn { velocity: up, position: v("5", "5", "0"), ..disc }), "velocity"),
        (Command::Teleport { body, position: -up, orientation: None, allow_overlap: false }, "position"),
        (Command::MoveKinematic { body: lift, position: up }, "position"),
        (Command::SetVelocity { body, velocity: up }, "velocity"),
        (Command::SetVelocity { body: lift, velocity: up }, "velocity"),
        (Command::ApplyImpulse { body, impulse: -up }, "velocity"),
        (Command::SetGravity { gravity: up.map_raw(|raw| 2 * raw) }, "gravity"),
    ];
    let before = snapshot::encode(&world);
    for (command, field) in cases {
        let refused = world.apply(&[command]).outcomes.remove(0).unwrap_err().reason.to_string();
        assert_eq!(refused, format!("{field}: z must be 0 in a flat world"), "{command:?}");
    }
    assert_eq!(snapshot::encode(&world), before);
}

#[test]
fn a_flat_world_takes_only_scenery_that_stands_upright_in_the_plane() {
    let tilted = |w, x, y, z| Rotation::from_quaternion(s(w), s(x), s(y), s(z)).unwrap();
    let of = |shape: Shape, position: Vec3| {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let wall = builder.shape(Shape::rect(s("1"), s("1")));
        let given = builder.shape(shape);
        builder.fixed(wall, material, Vec3::ZERO);
        builder.fixed(given, material, position);
        World::from_state(State::new(flat(60)), builder.build().unwrap()).map(|_| ())
    };
    let ball = Shape::sphere(s("1"));
    let half = v("1", "2", "3");
    assert_eq!(of(ball.clone(), v("9", "9", "0")), Ok(()));
    assert_eq!(of(Shape::obb(half, tilted("1", "0", "0", "0.5")), Vec3::ZERO), Ok(()));
    // A half turn about an axis of the plane stands upright as well; any other turn leans.
    assert_eq!(of(Shape::obb(half, tilted("0", "1", "0", "0")), Vec3::ZERO), Ok(()));
    let leaning = [
        (ball, Vec3::from_raw([0, 0, 1])),
        (Shape::obb(half, tilted("1", "0.001", "0", "0")), Vec3::ZERO),
        (Shape::plane(v("1", "0", "-0.001")).unwrap(), Vec3::ZERO),
        (Shape::plane(v("0", "0", "1")).unwrap(), Vec3::ZERO),
    ];
    for (shape, position) in leaning {
        let refused = of(shape.clone(), position).unwrap_err().to_string();
        assert_eq!(refused, "static 1: in a flat world it must be at z = 0 and upright", "{shape:?}");
    }
}
