//! Locked axes: no motion along them, whatever pushes; the rest moves as mechanics says.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    shape::Shape,
    snapshot,
    state::{BodyId, BodyType, Command, Limits, Locks, Material, Outcome, SceneryBuilder, ShapeId, Spawn},
    tick::{Cause, TickReport},
};

use crate::support::{HALF, assert_clean, closed_box, overlaps, s, shapes, step, v};

const BALL: ShapeId = ShapeId(0);

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn apply(world: &mut World, commands: &[Command]) -> Vec<Outcome> {
    let outcomes = world.apply(commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    outcomes
}

fn balls(restitution: &str, spawns: &[Spawn]) -> World {
    let mut world = World::new(Limits::new(60), shapes(restitution, &[Shape::sphere(HALF)])).unwrap();
    spawns.iter().for_each(|spawn| {
        apply(&mut world, &[Command::Spawn(*spawn)]);
    });
    world
}

#[test]
fn an_elastic_hit_of_a_locked_ball_keeps_the_energy_of_what_is_free() {
    // The normal is (1, 1, 0), the striker is free and the other one locked along y; both of mass 1: the
    // impulse is 2 / 3 of (1, 1), so that the striker leaves with (1, -2) / 3 and the other with 2 / 3.
    let striker = Spawn { velocity: v("0.75", "0", "0"), ..Spawn::new(BALL, v("-1", "-0.70710678", "0")) };
    let other = Spawn { locks: Locks::Y, ..Spawn::new(BALL, v("0.2", "0", "0")) };
    let mut world = balls("1", &[striker, other]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    assert_eq!(report.impacts.len(), 1);
    let [first, second] = [0, 1].map(|slot| world.body(id(slot)).unwrap().velocity());
    let near = |value: bitstep::num::Scalar, wanted: &str| (value - s(wanted)).abs() < s("0.000001");
    assert!(near(first.x, "0.25") && near(first.y, "-0.5") && first.z == 0, "{first}");
    assert!(near(second.x, "0.5") && second.y == 0 && second.z == 0, "{second}");
    assert_eq!(report.ledger[Cause::Locks][1], i128::from(first.y.to_bits()), "what the lock took");
    let lost = i128::from(s("0.75").to_bits()).pow(2) - world.energy_twice_wide();
    assert!(lost.abs() < 1 << 34, "{lost}"); // 2^-30 of a unit squared
}

#[test]
fn a_body_locked_along_every_axis_is_a_static_to_others() {
    let run = |kind, locks| {
        let solids = [Shape::sphere(HALF), Shape::aabb(v("1", "0.25", "1"))];
        let mut world = World::new(Limits::new(60), closed_box("0.75", &solids, "3")).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("1", "-9.81", "0"));
        apply(&mut world, &[Command::SetGravity { gravity }]);
        for (x, y) in [("-1", "-1"), ("1.5", "1"), ("0.25", "-2")] {
            let block = Spawn { body_type: kind, locks, mass: 7, ..Spawn::new(ShapeId(1), v(x, y, "0")) };
            apply(&mut world, &[Command::Spawn(block)]);
        }
        let ball =
            Spawn { mass: 5, velocity: v("0.03", "-0.2", "0.01"), ..Spawn::new(BALL, v("0", "1", "0")) };
        apply(&mut world, &[Command::Spawn(ball)]);
        let (mut report, mut trace, mut impacts) = (TickReport::default(), Vec::new(), 0);
        for _ in 0..200 {
            step(&mut world, &mut report);
            assert!(report.reverted.is_empty() && report.impact_limited.is_empty());
            impacts += report.impacts.iter().filter(|impact| impact.a.slot() < 3).count();
            let blocks = [0, 1, 2].map(|slot| world.body(id(slot)).unwrap().momentum);
            assert_eq!(blocks, [Vec3::ZERO; 3]);
            trace.push((report.impacts.clone(), *world.body(id(3)).unwrap()));
        }
        assert!(impacts > 5, "{impacts}");
        trace
    };
    assert!(run(BodyType::Static, Locks::NONE) == run(BodyType::Dynamic, Locks::ALL));
}

#[test]
fn a_kinematic_body_is_blocked_by_a_body_that_is_locked_along_its_way() {
    let pusher = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0.5", "0", "0"),
        ..Spawn::new(BALL, Vec3::ZERO)
    };
    let post = Spawn { locks: Locks::X, velocity: v("0", "0", "0"), ..Spawn::new(BALL, v("1.25", "0", "0")) };
    let mut world = balls("0.5", &[pusher, post]);
    let mut report = TickReport::default();
    for tick in 0..5 {
        step(&mut world, &mut report);
        let blocked: Vec<_> = report.blocked.iter().map(|it| (it.body, it.by)).collect();
        assert_eq!(blocked, [(id(0), id(1))], "tick {tick}");
        assert!(report.impact_limited.is_empty() && report.reverted.is_empty());
        let gap = world.body(id(1)).unwrap().position.x - world.body(id(0)).unwrap().position.x - s("1");
        assert!(gap >= 0 && gap < s("0.0000001"), "{gap}");
        assert_eq!(world.body(id(1)).unwrap().momentum, Vec3::ZERO);
    }
    // Without the lock it goes on.
    apply(&mut world, &[Command::SetLocks { body: id(1), locks: Locks::NONE }]);
    step(&mut world, &mut report);
    assert!(report.blocked.is_empty() && world.body(id(1)).unwrap().velocity().x >= s("0.5"));
}

#[test]
fn a_wedge_that_a_lock_makes_is_pushed_within_the_limits() {
    // The normal is almost along the locked axis: the body that gives way must be fast, and is clamped or
    // held.
    let mut clamped = 0;
    for offset in ["0.5", "0.1", "0.01", "0.0001", "0.0000001", "0.000000001"] {
        let pusher = Spawn {
            body_type: BodyType::Kinematic,
            velocity: v("2", "0", "0"),
            ..Spawn::new(BALL, Vec3::ZERO)
        };
        let post = Spawn { locks: Locks::X, ..Spawn::new(BALL, v("1.25", offset, "0")) };
        let weight =
            Spawn { mass: 65_536, velocity: v("-1", "0", "0"), ..Spawn::new(BALL, v("2.75", "0", "0")) };
        let mut world = balls("1", &[pusher, Spawn { mass: 65_536, ..post }, weight]);
        let mut report = TickReport::default();
        for tick in 0..20 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{offset}, tick {tick}");
            clamped += report.speed_clamped;
            let post = world.body(id(1)).unwrap();
            assert_eq!((post.position.x, post.momentum.x), (s("1.25"), s("0")));
        }
    }
    assert!(clamped > 3, "{clamped}");
}

#[test]
fn bodies_in_a_crowd_do_not_move_along_a_locked_axis() {
    for rate in [10, 20, 60, 120] {
        let solids = [Shape::sphere(s("0.4")), Shape::aabb(v("0.3", "0.35", "0.25"))];
        let mut world = World::new(Limits::new(rate), closed_box("0.6", &solids, "3")).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("0.5", "-9.81", "2"));
        apply(&mut world, &[Command::SetGravity { gravity }]);
        for index in 0..100_i64 {
            let mut draws = Rng::new(51).at(u64::from(rate), index as u64, 0);
            let cell = [index % 5 - 2, index / 25 - 2, index / 5 % 5 - 2];
            let position = Vec3::from_raw(cell.map(|c| (c << 32) + draws.between(-1 << 28, 1 << 28)));
            let locks = Locks::try_from(draws.below(8) as u8).unwrap();
            let most = s("12").to_bits() / i64::from(rate);
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
            let (shape, mass) = (ShapeId(draws.below(2) as u16), 1 + draws.below(40) as u32);
            let velocity = locks.free_part(velocity);
            apply(
                &mut world,
                &[Command::Spawn(Spawn { mass, locks, velocity, ..Spawn::new(shape, position) })],
            );
        }
        let starts: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
        let (mut report, mut impacts, mut taken) = (TickReport::default(), 0, 0);
        for tick in 0..2 * rate {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{rate} Hz, tick {tick}");
            assert!(report.reverted.is_empty());
            for (start, (id, body)) in starts.iter().zip(world.bodies()) {
                let moved = body.position - *start;
                assert_eq!(body.locks.free_part(moved), moved, "{id}, {rate} Hz, tick {tick}");
                assert_eq!(body.locks.free_part(body.momentum), body.momentum, "{id}");
            }
            impacts += report.impacts.len();
            taken += usize::from(report.ledger[Cause::Locks] != [0; 3]);
        }
        assert!(impacts > 300 && taken == 2 * rate as usize, "{rate} Hz: {impacts} impacts, {taken}");
    }
}

/// Two steep planes carry a ball that can only go up and down: each takes four times its share as an impulse,
/// and the locks take the part to the sides.
#[test]
fn a_ball_that_only_rises_and_falls_lies_between_steep_planes() {
    for rate in [10, 20, 60, 120] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::new(s("0")).unwrap());
        builder.shape(Shape::sphere(HALF));
        for side in ["-0.97", "0.97"] {
            let away = v(side, "0.24", "0");
            let plane = builder.shape(Shape::plane(away).unwrap());
            builder.fixed(plane, material, away.map_raw(|raw| -raw / 2));
        }
        let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
        let gravity = world.limits().gravity_nearest_even(v("0", "-9.81", "0"));
        apply(&mut world, &[Command::SetGravity { gravity }]);
        let locks = Locks::X.and(Locks::Z);
        for (mass, y) in [(7, "0.05"), (2, "1.1")] {
            apply(&mut world, &[Command::Spawn(Spawn { mass, locks, ..Spawn::new(BALL, v("0", y, "0")) })]);
        }
        let (mut report, mut before) = (TickReport::default(), Vec::new());
        for tick in 0..4 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0);
            if tick >= 3 * rate {
                assert_eq!(report.velocity_corrected, [], "{rate} Hz, tick {tick}");
                let bodies: Vec<_> = world.bodies().map(|(_, body)| (body.position, body.momentum)).collect();
                assert!(bodies.iter().all(|(_, momentum)| *momentum == Vec3::ZERO), "{rate} Hz: {bodies:?}");
                assert!(before.is_empty() || bodies == before, "{rate} Hz, tick {tick}");
                before = bodies;
            }
        }
        let [low, high] = [0, 1].map(|index: usize| before[index].0.y);
        assert!(low.abs() < s("0.03") && (high - low - s("1")).abs() < s("0.01"), "{rate} Hz: {low} {high}");
    }
}

#[test]
fn commands_respect_locks_and_a_lock_takes_momentum() {
    let ball = Spawn { mass: 2, velocity: v("0.5", "0", "0.25"), ..Spawn::new(BALL, Vec3::ZERO) };
    let mut world = balls("1", &[Spawn { locks: Locks::Y, ..ball }]);
    let body = id(0);
    let before = snapshot::encode(&world);
    for command in [
        Command::ApplyImpulse { body, impulse: v("0", "0.5", "0") },
        Command::SetVelocity { body, velocity: v("1", "1", "0") },
        Command::Spawn(Spawn { locks: Locks::X, ..Spawn { position: v("5", "0", "0"), ..ball } }),
    ] {
        let refused = world.apply(&[command]).outcomes.remove(0).unwrap_err().reason.to_string();
        assert_eq!(refused, "velocity: a locked axis has none", "{command:?}");
    }
    assert_eq!(snapshot::encode(&world), before);
    let applied = world.apply(&[Command::SetLocks { body, locks: Locks::X.and(Locks::Y) }]);
    assert_eq!(applied.momentum, [-i128::from(s("1").to_bits()), 0, 0]);
    assert_eq!(world.body(body).unwrap().velocity(), v("0", "0", "0.25"));
    apply(
        &mut world,
        &[
            Command::SetLocks { body, locks: Locks::NONE },
            Command::SetVelocity { body, velocity: v("1", "1", "0") },
        ],
    );
}
