//! Kinematic bodies push and carry, and are stopped by bodies that cannot be pushed.

use bitstep::{
    World,
    geom::{Normal, Vec3},
    num::{Rng, Scalar, Toi},
    shape::Shape,
    snapshot,
    state::{
        Body, BodyId, BodyType, Collider, Command, Done, Limits, Material, SKIN, SceneryBuilder, ShapeId,
        Spawn,
    },
    tick::{Cause, Ledger, TickReport},
};

use crate::support::{HALF, assert_clean, closed_box, overlaps, per_tick, s, shapes, step, v};

/// Ticks per second, and the number of ticks in two seconds.
const RATES: [(u32, u32); 4] = [(10, 20), (20, 40), (60, 120), (120, 240)];

const BALL: ShapeId = ShapeId(0);
const PLATE: ShapeId = ShapeId(1);

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

fn spawn(world: &mut World, spawn: Spawn) -> BodyId {
    match world.apply(&[Command::Spawn(spawn)]).outcomes.remove(0) {
        Ok(Done::Spawned(id)) => id,
        outcome => panic!("{outcome:?}"),
    }
}

fn kinematic(shape: ShapeId, position: Vec3, velocity: Vec3) -> Spawn {
    Spawn { body_type: BodyType::Kinematic, velocity, ..Spawn::new(shape, position) }
}

fn position(world: &World, id: BodyId) -> Vec3 {
    world.body(id).unwrap().position
}

fn velocity(world: &World, id: BodyId) -> Vec3 {
    world.body(id).unwrap().velocity()
}

/// A world of balls and plates without statics.
fn open(rate: u32, restitution: &str) -> World {
    let solids = [Shape::sphere(HALF), Shape::aabb(v("2", "0.25", "2"))];
    World::new(Limits::new(rate), shapes(restitution, &solids)).unwrap()
}

/// The same with gravity, and a closed box of 8 units each way.
fn roofed(rate: u32, restitution: &str) -> World {
    let solids = [Shape::sphere(HALF), Shape::aabb(v("2", "0.25", "2")), Shape::aabb(v("0.5", "0.5", "0.5"))];
    let mut world = World::new(Limits::new(rate), closed_box(restitution, &solids, "4")).unwrap();
    let gravity = world.limits().gravity_nearest_even(v("0", "-9.81", "0"));
    apply(&mut world, &[Command::SetGravity { gravity }]);
    world
}

#[test]
fn a_kinematic_body_goes_where_it_is_told_exactly_and_stops() {
    let mut world = open(60, "1");
    let lift = spawn(&mut world, kinematic(PLATE, Vec3::ZERO, Vec3::ZERO));
    apply(&mut world, &[Command::SetGravity { gravity: v("0", "-0.25", "0") }]);
    let mut report = TickReport::default();
    for tick in 0..50 {
        let mut draws = Rng::new(3).at(0, tick, 0);
        let target = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 34, 1 << 34)));
        apply(&mut world, &[Command::MoveKinematic { body: lift, position: target }]);
        // A snapshot restored between the command and the tick gives the same motion.
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        for world in [&mut world, &mut restored] {
            step(world, &mut report);
            assert_eq!((position(world, lift), velocity(world, lift)), (target, Vec3::ZERO));
            assert_eq!((report.ledger.total(), world.momentum_wide()), ([0; 3], [0; 3]));
            step(world, &mut report);
            assert_eq!(position(world, lift), target, "gravity is nothing to it");
        }
        assert_eq!(snapshot::checksum(&world), snapshot::checksum(&restored));
    }
    let (far, along) = (Vec3::splat(s("9")), v("0.5", "0", "-0.125"));
    let to_far = Command::MoveKinematic { body: lift, position: far };
    apply(&mut world, &[to_far, Command::SetVelocity { body: lift, velocity: along }]);
    let start = position(&world, lift);
    (0..3).for_each(|_| step(&mut world, &mut report));
    assert_eq!(position(&world, lift) - start, along.map_raw(|raw| raw * 3), "the last command counts");
}

#[test]
fn commands_know_the_kinds() {
    let mut world = open(60, "1");
    let lift = spawn(&mut world, kinematic(PLATE, Vec3::ZERO, Vec3::ZERO));
    let wall = spawn(&mut world, Spawn { body_type: BodyType::Static, ..Spawn::new(PLATE, Vec3::ZERO) });
    let ball = spawn(&mut world, Spawn::new(BALL, v("0", "3", "0")));
    let up = v("0", "1", "0");
    let spawn = |spawn| Command::Spawn(spawn);
    let moving_wall =
        Spawn { body_type: BodyType::Static, velocity: up, ..Spawn::new(BALL, v("9", "9", "9")) };
    let cases = [
        (Command::ApplyImpulse { body: lift, impulse: up }, "body 0 is kinematic"),
        (Command::ApplyImpulse { body: wall, impulse: up }, "body 1 is static"),
        (Command::SetVelocity { body: wall, velocity: up }, "body 1 is static"),
        (Command::MoveKinematic { body: wall, position: up }, "body 1 is static"),
        (Command::MoveKinematic { body: ball, position: up }, "body 2 is dynamic"),
        (
            Command::MoveKinematic { body: lift, position: v("0", "129", "0") },
            "velocity.y is 129, must be at most 128 in magnitude",
        ),
        (
            Command::MoveKinematic { body: lift, position: v("0", "0", "16385") },
            "position.z is 16385, must be at most 16384 in magnitude",
        ),
        (spawn(moving_wall), "velocity: a static body has none"),
        (spawn(kinematic(BALL, v("0", "3.5", "0"), up)), "would overlap 2"),
        (
            Command::Teleport {
                body: wall,
                position: v("0", "2.5", "0"),
                orientation: None,
                allow_overlap: false,
            },
            "would overlap 2",
        ),
    ];
    let before = snapshot::encode(&world);
    for (command, text) in cases {
        let outcome = world.apply(&[command]).outcomes.remove(0);
        assert_eq!(outcome.unwrap_err().reason.to_string(), text, "{command:?}");
    }
    assert_eq!(snapshot::encode(&world), before);
}

#[test]
fn a_moving_wall_hits_as_an_infinite_mass_does() {
    for (restitution, speed) in [("1", "0.5"), ("0.5", "0.375"), ("0", "0.25")] {
        let mut world = open(60, restitution);
        let hammer = spawn(&mut world, kinematic(PLATE, v("0", "-1", "0"), v("0", "0.25", "0")));
        let ball = spawn(&mut world, Spawn { mass: 3, ..Spawn::new(BALL, v("0", "0.125", "0")) });
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_clean(&report);
        assert!(report.impacts.is_empty());
        step(&mut world, &mut report);
        assert_eq!(report.impacts.len(), 1);
        assert_eq!(velocity(&world, ball), v("0", speed, "0"), "restitution {restitution}");
        let gained = 3 * i128::from(s(speed).to_bits());
        assert_eq!(report.ledger[Cause::Kinematics], [0, gained, 0]);
        assert_eq!(velocity(&world, hammer), v("0", "0.25", "0"));
        assert_eq!(position(&world, hammer), v("0", "-0.5", "0"));
    }
}

/// The record of a tick: impacts, ledger, and the bodies after it.
type Happened = (Vec<(Toi, Normal)>, Ledger, Vec<Body>);

/// The record of a run over the same solids, as statics of the scenery or as static bodies: impacts, ledgers,
/// and the dynamic bodies, tick by tick.
fn run_over_statics(
    statics: &[(ShapeId, Vec3)],
    loose: &[Spawn],
    (rate, restitution): (u32, &str),
    are_bodies: bool,
) -> Vec<Happened> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    let solids = [Shape::sphere(HALF), Shape::aabb(v("2", "0.25", "2")), Shape::aabb(v("0.3", "0.4", "0.3"))];
    solids.iter().for_each(|solid| {
        builder.shape(solid.clone());
    });
    if !are_bodies {
        statics.iter().for_each(|&(shape, place)| {
            builder.fixed(shape, material, place);
        });
    }
    let mut world = World::new(Limits::new(rate), builder.build().unwrap()).unwrap();
    let spawns: Vec<Command> = loose.iter().map(|&spawn| Command::Spawn(spawn)).collect();
    let _ = world.apply(&spawns);
    let count = world.bodies().count();
    if are_bodies {
        statics.iter().for_each(|&(shape, place)| {
            let fixed = Spawn {
                body_type: BodyType::Static,
                mass: 7,
                allow_overlap: true,
                ..Spawn::new(shape, place)
            };
            spawn(&mut world, fixed);
        });
    }
    let gravity = world.limits().gravity_nearest_even(v("0", "-20", "0"));
    apply(&mut world, &[Command::SetGravity { gravity }]);
    let mut report = TickReport::default();
    (0..2 * rate)
        .map(|_| {
            step(&mut world, &mut report);
            assert!(report.impact_limited.is_empty() && report.reverted.is_empty());
            let impacts = report.impacts.iter().map(|impact| (impact.toi, impact.normal)).collect();
            (impacts, report.ledger, world.bodies().take(count).map(|(_, body)| *body).collect())
        })
        .collect()
}

/// Balls and boxes fall, bounce, roll over edges and come to rest, on both alike.
#[test]
fn a_static_body_is_a_static_of_the_scenery() {
    let (mut impacts, mut quiet) = (0, 0);
    for seed in 0..60 {
        let mut draws = Rng::new(91).at(seed, 0, 0);
        let mut place = |low: i64, high: i64| {
            Vec3::from_raw([(-3, 3), (low, high), (-3, 3)].map(|(a, b)| draws.between(a << 31, b << 31)))
        };
        let statics: Vec<_> = [0, 1, 1, 1, 2, 2].map(|shape| (ShapeId(shape), place(-6, 0))).to_vec();
        let loose: Vec<_> = (0..8)
            .map(|index| {
                let shape = ShapeId(2 * (index % 2));
                let velocity = place(-3, 3).map_raw(|raw| raw >> 8);
                Spawn { mass: 1 + u32::from(index), velocity, ..Spawn::new(shape, place(2, 9)) }
            })
            .collect();
        let (rate, _) = RATES[seed as usize % 4];
        let how = (rate, ["0", "0.5", "0.9"][seed as usize % 3]);
        let [scenery, bodies] = [false, true].map(|bodies| run_over_statics(&statics, &loose, how, bodies));
        for (tick, (scenery, bodies)) in scenery.iter().zip(&bodies).enumerate() {
            assert_eq!(scenery, bodies, "tick {tick} of seed {seed} at {rate} Hz");
            impacts += scenery.0.len();
            quiet += usize::from(scenery.0.is_empty() && scenery.1[Cause::Statics] != [0; 3]);
        }
    }
    assert!(impacts > 500 && quiet > 500, "{impacts} impacts, {quiet} ticks at rest");
}

#[test]
fn statics_and_kinematics_pass_through_each_other() {
    let mut world = roofed(60, "1");
    let wall = spawn(&mut world, Spawn { body_type: BodyType::Static, ..Spawn::new(PLATE, Vec3::ZERO) });
    let first = spawn(&mut world, kinematic(PLATE, v("0", "-3", "0"), v("0", "0.125", "0")));
    let second = spawn(&mut world, kinematic(PLATE, v("0", "3", "0"), v("0", "-0.125", "0")));
    let mut report = TickReport::default();
    for _ in 0..80 {
        step(&mut world, &mut report);
        assert_clean(&report);
        assert!(report.impacts.is_empty() && report.blocked.is_empty());
    }
    assert_eq!(position(&world, first), v("0", "7", "0"));
    assert_eq!(position(&world, second), v("0", "-7", "0"));
    assert_eq!(position(&world, wall), Vec3::ZERO);
}

#[test]
fn a_lift_carries_a_ball_up_and_down() {
    for (rate, ticks) in RATES {
        let mut world = roofed(rate, "0.5");
        let lift = spawn(&mut world, kinematic(PLATE, v("0", "-3.5", "0"), Vec3::ZERO));
        let ball = spawn(&mut world, Spawn::new(BALL, v("0", "-2.7", "0.5")));
        let mut report = TickReport::default();
        // Slower than four ticks of gravity, so that the reversal does not throw the ball. The ball rests on
        // the plate at the skin and 1/256 of its radius.
        let rest_gap = SKIN + s("0.5") / 256;
        let speed = |speed: &str| per_tick(v("0", speed, "0"), rate.into());
        for (speed, least) in [(speed("0"), None), (speed("1"), Some("0")), (speed("-0.25"), Some("0"))] {
            apply(&mut world, &[Command::SetVelocity { body: lift, velocity: speed }]);
            let start = position(&world, lift);
            for tick in 0..ticks {
                step(&mut world, &mut report);
                assert_clean(&report);
                assert_eq!((overlaps(&world), report.blocked.len()), (0, 0));
                let gap = position(&world, ball).y - position(&world, lift).y - s("0.75");
                let is_at_rest = (gap - rest_gap).abs() <= Scalar::from_bits(4);
                assert!(least.is_none() || tick < ticks / 2 || is_at_rest, "{rate} Hz: {gap} of {rest_gap}");
                assert!(least.is_none() || tick < ticks / 2 || report.impacts.is_empty());
            }
            let gone = speed.map_raw(|raw| raw * i64::from(ticks));
            assert_eq!(position(&world, lift) - start, gone, "{rate} Hz");
        }
    }
}

/// Runs for two seconds; nothing may overlap, and nothing may be reverted.
fn run_apart(world: &mut World, ticks: u32, mut look: impl FnMut(&World, &TickReport)) {
    let mut report = TickReport::default();
    for _ in 0..ticks {
        step(world, &mut report);
        assert_eq!(overlaps(world), 0, "tick {}", report.tick);
        assert!(report.reverted.is_empty() && report.speed_clamped == 0, "tick {}", report.tick);
        look(world, &report);
    }
}

#[test]
fn a_lift_that_presses_a_ball_against_the_roof_is_blocked() {
    for (restitution, (rate, ticks)) in ["0", "0.5", "1"].into_iter().flat_map(|e| RATES.map(|r| (e, r))) {
        let mut world = roofed(rate, restitution);
        let up = per_tick(v("0", "6", "0"), rate.into());
        let lift = spawn(&mut world, kinematic(PLATE, v("0", "-1", "0"), up));
        let ball = spawn(&mut world, Spawn { mass: 9, ..Spawn::new(BALL, v("0.5", "0", "0.25")) });
        let mut blocked = 0;
        run_apart(&mut world, ticks, |world, report| {
            let list: Vec<_> = report.blocked.iter().map(|blocked| (blocked.body, blocked.by)).collect();
            assert!(list.is_empty() || list == [(lift, ball)], "{list:?}");
            assert!(
                report.impact_limited.is_empty() && report.tick_halted.is_none(),
                "what stops is the lift"
            );
            blocked += list.len();
            assert_eq!(velocity(world, lift), up, "its velocity is the game's");
        });
        // Half a second and a bit to go; then the ball blocks it for the rest.
        assert!(blocked > ticks as usize / 2, "{rate} Hz, {restitution}: {blocked}");
        let (top, room) = (position(&world, lift).y, s("4") - s("1.25"));
        assert!(top <= room && room - top < s("0.2"), "{rate} Hz, {restitution}: {top}");
        // And down again, unchanged.
        apply(&mut world, &[Command::SetVelocity { body: lift, velocity: -up }]);
        run_apart(&mut world, rate / 2, |_, report| assert!(report.blocked.is_empty()));
        assert_eq!(position(&world, lift).y, top - up.y.saturating_mul_int(i64::from(rate / 2)));
    }
}

/// A blocked lift has gone as far as it could or, if that is a few raw, nowhere: it does not creep towards
/// the body that it presses.
#[test]
fn a_blocked_lift_does_not_creep() {
    for (restitution, (rate, ticks)) in ["0", "0.5", "1"].into_iter().flat_map(|e| RATES.map(|r| (e, r))) {
        for pulls in [true, false] {
            let mut world = roofed(rate, restitution);
            if !pulls {
                apply(&mut world, &[Command::SetGravity { gravity: Vec3::ZERO }]);
            }
            let up = per_tick(v("0", "6", "0"), rate.into());
            let lift = spawn(&mut world, kinematic(PLATE, v("0", "-1", "0"), up));
            spawn(&mut world, Spawn { mass: 9, ..Spawn::new(BALL, v("0.5", "0", "0.25")) });
            let (mut places, mut blocked) = (vec![position(&world, lift).y], 0);
            run_apart(&mut world, 2 * ticks, |world, report| {
                let (before, now) = (places[places.len() - 1], position(world, lift).y);
                places.push(now);
                if !report.blocked.is_empty() {
                    let gone = (now - before).to_bits();
                    assert!(gone == 0 || gone > 16, "{rate} Hz, {restitution}: {gone} raw, {pulls}");
                    blocked += 1;
                }
            });
            assert!(blocked > ticks, "{rate} Hz, {restitution}: {blocked}");
            let late = &places[ticks as usize..];
            assert!(late.iter().all(|place| *place == late[0]), "{rate} Hz, {restitution}, {pulls}");
        }
    }
}

/// Without gravity, inelastic bodies are pressed together before they meet; but a lift goes up to a ball that
/// cannot give way.
#[test]
fn a_lift_goes_up_to_a_ball_under_the_roof() {
    for (speed, (rate, ticks)) in ["1", "3", "6", "12"].into_iter().flat_map(|v| RATES.map(|r| (v, r))) {
        let mut world = roofed(rate, "0");
        apply(&mut world, &[Command::SetGravity { gravity: Vec3::ZERO }]);
        let up = per_tick(v("0", speed, "0"), rate.into());
        let lift = spawn(&mut world, kinematic(PLATE, v("0", "1.123", "0"), up));
        let ball = spawn(&mut world, Spawn { mass: 9, ..Spawn::new(BALL, v("0.5", "3.49", "0.25")) });
        run_apart(&mut world, 2 * ticks, |_, _| {});
        let gap = position(&world, ball).y - position(&world, lift).y - s("0.75");
        assert!(gap <= SKIN + s("0.25") / 256, "{rate} Hz, {speed} units per second: {gap}");
    }
}

#[test]
fn a_kinematic_body_that_pushes_a_box_into_a_wall_is_blocked() {
    for (restitution, (rate, ticks)) in ["0", "0.5", "1"].into_iter().flat_map(|e| RATES.map(|r| (e, r))) {
        let mut world = roofed(rate, restitution);
        let along = per_tick(v("30", "0", "0"), rate.into());
        let pusher = spawn(&mut world, kinematic(BALL, v("-3", "-3.5", "0"), along));
        let crate_shape = ShapeId(2);
        let load: Vec<BodyId> = ["-1", "0.25", "1.5"]
            .map(|x| spawn(&mut world, Spawn { mass: 4, ..Spawn::new(crate_shape, v(x, "-3.4", "0.125")) }))
            .to_vec();
        let mut blocked = 0;
        run_apart(&mut world, ticks, |_, report| {
            assert!(report.blocked.iter().all(|it| it.body == pusher && load.contains(&it.by)));
            blocked += report.blocked.len();
        });
        assert!(blocked > 0, "{rate} Hz, {restitution}");
        let end = position(&world, pusher).x;
        assert!(end <= s("0.5"), "{rate} Hz, {restitution}: {end}");
    }
}

#[test]
fn two_kinematic_bodies_that_squeeze_a_ball_stop_at_it_and_are_mirror_images() {
    for (restitution, (rate, ticks)) in ["0", "0.5", "1"].into_iter().flat_map(|e| RATES.map(|r| (e, r))) {
        let mut ends = Vec::new();
        for side in ["1", "-1"].map(s) {
            let mut world = open(rate, restitution);
            let at = |x: &str| Vec3::new(s(x).saturating_mul(side), s("0"), s("0"));
            let speed = per_tick(v("5", "0", "0"), rate.into()).x.saturating_mul(side);
            let velocity = |speed: Scalar| Vec3::new(speed, s("0"), s("0"));
            let left = spawn(&mut world, kinematic(BALL, at("-3"), velocity(speed)));
            let ball = spawn(&mut world, Spawn { mass: 2, ..Spawn::new(BALL, at("0.3")) });
            let right = spawn(&mut world, kinematic(BALL, at("3"), velocity(-speed)));
            let mut blocked = [0; 2];
            run_apart(&mut world, ticks, |_, report| {
                for it in &report.blocked {
                    assert_eq!(it.by, ball);
                    blocked[usize::from(it.body == right)] += 1;
                }
            });
            assert!(blocked[0] > 0 && blocked[1] > 0, "{rate} Hz, {restitution}: {blocked:?}");
            let places = [left, ball, right].map(|id| position(&world, id));
            let gap = (places[2].x - places[0].x).abs() - s("2");
            assert!(gap >= 0 && gap < s("0.6"), "{rate} Hz, {restitution}: {gap}");
            ends.push(places.map(|place| Vec3::new(place.x.saturating_mul(side), place.y, place.z)));
        }
        assert_eq!(ends[0], ends[1], "{rate} Hz, {restitution}");
    }
}

#[test]
fn kinematic_bodies_that_plough_through_a_crowd_crush_no_body() {
    for (rate, ticks) in RATES {
        let (mut world, mut blocked, mut pushes, mut held) = (roofed(rate, "0.3"), 0, 0, 0);
        for index in 0..60_i64 {
            let mut draws = Rng::new(17).at(0, index as u64, 0);
            let cell = [index % 5 - 2, index / 25, index / 5 % 5 - 2];
            let position = cell.map(|c| c * 5_800_000_000 + draws.between(-1 << 28, 1 << 28));
            let shape = ShapeId(2 * draws.below(2) as u16);
            let mass = 1 + draws.below(9) as u32;
            spawn(&mut world, Spawn { mass, ..Spawn::new(shape, Vec3::from_raw(position)) });
        }
        let movers: Vec<BodyId> = [("-3.5", "3"), ("3.5", "-3"), ("-3.5", "-3")]
            .map(|(x, z)| spawn(&mut world, kinematic(BALL, v(x, "-3", z), Vec3::ZERO)))
            .to_vec();
        let mut report = TickReport::default();
        for tick in 0..ticks {
            if tick % (rate / 5) == 0 {
                let mut draws = Rng::new(18).at(u64::from(rate), tick.into(), 0);
                for &body in &movers {
                    let goal = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 32, 3 << 32)));
                    let velocity = per_tick(goal - position(&world, body), i64::from(rate / 5));
                    apply(&mut world, &[Command::SetVelocity { body, velocity }]);
                }
            }
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{rate} Hz, tick {tick}");
            assert!(report.reverted.is_empty());
            blocked += report.blocked.len();
            held += report.impact_limited.len();
            let is_mover = |collider| matches!(collider, Collider::Body(id) if movers.contains(&id));
            pushes += report.impacts.iter().filter(|impact| is_mover(impact.b)).count();
        }
        println!("{rate} Hz: {pushes} pushes, {blocked} blocked, {held} held");
        assert!(pushes > 30, "{rate} Hz: {pushes} pushes, {blocked} blocked");
    }
}
