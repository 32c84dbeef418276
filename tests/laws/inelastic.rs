//! Inelastic bodies are pressed together, from the beginning of the tick in which they meet.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3, normalise},
    num::Scalar,
    shape::Shape,
    snapshot,
    state::{BodyId, Collider, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{assert_clean, overlaps, s, step, v};

/// Balls of radius .5 without gravity; the material 0 does not bounce, 1 does. Velocities are per tick.
fn balls(starts: &[(u16, u32, Vec3, Vec3)]) -> World {
    balls_within(Limits::new(60), "1", starts)
}

/// The same with limits, and a restitution of the material 1.
fn balls_within(limits: Limits, restitution: &str, starts: &[(u16, u32, Vec3, Vec3)]) -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.material(Material::new(s(restitution)).unwrap());
    builder.shape(Shape::sphere(s("0.5")));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    for &(material, mass, position, velocity) in starts {
        let material = MaterialId(material);
        let spawn = Spawn { material, mass, velocity, ..Spawn::new(ShapeId(0), position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

fn velocities(world: &World) -> Vec<Vec3> {
    world.bodies().map(|(_, body)| body.velocity()).collect()
}

/// Within 2^-6 of a speed.
fn assert_near(found: Vec3, wanted: Vec3, speed: Scalar, what: &str) {
    let off = (found - wanted).length_squared_wide();
    assert!(off < (i128::from(speed.to_bits() / 64).pow(2)) as u128, "{what}: {found} instead of {wanted}");
}

/// A ball comes along x and meets one at rest along (.6, .8), early or late in a tick: both have the
/// velocities and the positions that the impact leads to, whatever the instant, and no velocity is corrected.
#[test]
fn a_pair_that_meets_within_the_tick_ends_where_its_impact_leads() {
    let speed = s("0.125");
    let mut pressed = 0;
    for (way, masses) in ["0.01", "0.03", "0.06", "0.09", "0.12"]
        .into_iter()
        .flat_map(|w| [[1, 1], [1, 3], [5, 2]].map(|m| (w, m)))
    {
        let what = format!("{way} {masses:?}");
        let along = Vec3::new(speed, s("0"), s("0"));
        let first = Vec3::new(-s("0.6") - s(way), s("-0.8"), s("0"));
        let mut world = balls(&[(0, masses[0], first, along), (0, masses[1], Vec3::ZERO, Vec3::ZERO)]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_clean(&report);
        pressed += report.impacts.iter().filter(|impact| impact.pressed).count();
        assert!(report.impacts.len() == 1 && report.velocity_corrected.is_empty(), "{what}: {report:?}");
        assert_eq!(overlaps(&world), 0);
        // Along the normal both get the mean speed, and the first keeps what is across.
        let normal = v("0.6", "0.8", "0");
        let whole = i64::from(masses[0] + masses[1]);
        let shared = normal.map_raw(|n| n * i64::from(masses[0]) / whole).map_raw(|n| n * 3 / 40); // .6 of 1/8
        let own = along - normal.map_raw(|n| n * 3 / 40) + shared;
        let found = velocities(&world);
        assert_near(found[0], own, speed, &what);
        assert_near(found[1], shared, speed, &what);
        // The second moves for what is left of the tick.
        let left = speed - s(way);
        let moved: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
        let part = |velocity: Vec3| {
            velocity.map_raw(|raw| {
                (i128::from(raw) * i128::from(left.to_bits()) / i128::from(speed.to_bits())) as i64
            })
        };
        assert_near(moved[1], part(shared), speed, &what);
        let met = v("-0.6", "-0.8", "0");
        assert_near(moved[0], met + part(own), speed, &what);
    }
    assert_eq!(pressed, 15, "all that meet were within a quarter of a radius when the tick began");
}

/// A ball that would cross the plane between it and another one, but passes by it, is not touched.
#[test]
fn a_body_that_passes_by_is_left_alone() {
    let (along, beside) = (v("0.2", "0", "0"), v("-0.3", "1.005", "0"));
    let mut world = balls(&[(0, 1, beside, along), (0, 1, Vec3::ZERO, Vec3::ZERO)]);
    let mut report = TickReport::default();
    for tick in 1..=4 {
        step(&mut world, &mut report);
        assert!(report.impacts.is_empty() && report.velocity_corrected.is_empty(), "tick {tick}");
        assert_eq!(velocities(&world), [along, Vec3::ZERO], "tick {tick}");
        assert_eq!(world.bodies().next().unwrap().1.position, beside + along.map_raw(|raw| raw * tick));
    }
}

/// A row of touching balls takes a late impact of an elastic or inelastic ball, and none loses its velocity.
#[test]
fn a_row_takes_a_late_impact_together() {
    for (gap, bounces) in [("0.01", 0), ("0.06", 0), ("0.12", 0), ("0.01", 1), ("0.12", 1), ("0.3", 1)] {
        let what = format!("{gap} {bounces}");
        let speed = s("0.125");
        let row = |place: &str| (0, 1, v(place, "0", "0"), Vec3::ZERO);
        let first = Vec3::new(s("-1") - s(gap), s("0"), s("0"));
        let along = Vec3::new(speed, s("0"), s("0"));
        let starts = [(bounces, 1, first, along), row("0"), row("1.002"), row("2.004")];
        let mut world = balls(&starts);
        let mut report = TickReport::default();
        for _ in 0..8 {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert!(report.velocity_corrected.is_empty(), "{what}: {:?}", report.velocity_corrected);
            assert_eq!(overlaps(&world), 0);
        }
        // Inelastic ones share the speed; an elastic one gives all of it to the first, or part to each.
        let found = velocities(&world);
        let sum = found.iter().fold(Vec3::ZERO, |sum, &velocity| sum + velocity);
        assert_eq!(sum, along, "{what}");
        if bounces == 0 {
            for velocity in found {
                assert_near(velocity, along.map_raw(|raw| raw / 4), speed, &what);
            }
        } else {
            assert!(
                found[1..].iter().all(|velocity| (velocity.x - found[1].x).abs() < speed / 64),
                "{what}: {found:?}"
            );
            assert!(found[1].x > speed / 8, "{what}: {found:?}");
        }
    }
}

/// Balls in a plane that all move to one point.
fn crowd(side: i64, signs: [i64; 3]) -> World {
    let mut starts = Vec::new();
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        // Not square, so that nothing meets at the same instant.
        let place =
            Vec3::new(s("1.21") * x + s("0.013") * (y * y), s("1.17") * y + s("0.009") * (x * x), s("0"));
        starts.push((0, 1, image(place - v("4", "4", "0"), signs), Vec3::ZERO));
    }
    balls(&starts)
}

fn image(vector: Vec3, signs: [i64; 3]) -> Vec3 {
    let [x, y, z] = vector.raw();
    Vec3::from_raw([x * signs[0], y * signs[1], z * signs[2]])
}

fn steer(world: &mut World) {
    let speed = |raw: i64| raw / 16;
    let wants = |(id, body): (BodyId, &bitstep::state::Body)| {
        let way = normalise(-body.position).unwrap_or_default();
        Command::SetVelocity { body: id, velocity: way.map_raw(speed) }
    };
    let commands: Vec<_> = world.bodies().map(wants).collect();
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
}

/// A crowd that jams holds no body and overlaps nowhere, is its own mirror image, and continues from a
/// snapshot unchanged.
#[test]
fn a_crowd_that_jams_is_pressed_together_and_fair() {
    let signs = [[1, 1, 1], [-1, 1, 1], [1, -1, -1]];
    let mut worlds = signs.map(|signs| crowd(8, signs));
    let mut report = TickReport::default();
    let (mut pressed, mut others) = (0, 0);
    for tick in 0..150 {
        for world in &mut worlds {
            steer(world);
            step(world, &mut report);
            assert_clean(&report);
            let inelastic = report.impacts.iter().filter(|impact| impact.pressed).count();
            pressed += inelastic;
            others += report.impacts.len() - inelastic;
        }
        assert_eq!(overlaps(&worlds[0]), 0, "tick {tick}");
        for (world, signs) in worlds.iter().zip(signs) {
            for ((_, body), (_, other)) in worlds[0].bodies().zip(world.bodies()) {
                assert_eq!(image(body.position, signs), other.position, "tick {tick}");
                assert_eq!(image(body.momentum, signs), other.momentum, "tick {tick}");
            }
        }
        if tick % 10 == 5 {
            let scenery = Arc::clone(worlds[1].scenery());
            worlds[1] = snapshot::decode(&snapshot::encode(&worlds[1]), &scenery).unwrap();
        }
    }
    assert!(pressed > 10_000 && others * 20 < pressed, "{pressed} {others}");
    let middle =
        worlds[0].bodies().filter(|(_, body)| body.position.length_squared_wide() < 36 << 64).count();
    assert!(middle == 64, "{middle}");
}

/// A pair that is near, but meets in the next tick only, has no contact in this one.
#[test]
fn a_body_with_an_impact_in_the_next_tick_keeps_its_velocity_in_this_one() {
    let along = v("0.0625", "0", "0");
    let mut world = balls(&[(0, 1, v("-1.1", "0", "0"), along), (0, 1, Vec3::ZERO, Vec3::ZERO)]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert!(report.impacts.is_empty() && report.velocity_corrected.is_empty());
    assert_eq!(velocities(&world), [along, Vec3::ZERO]);
    step(&mut world, &mut report);
    assert_eq!(report.impacts.len(), 1);
    let half = along.map_raw(|raw| raw / 2);
    velocities(&world).iter().for_each(|&found| assert_near(found, half, along.x, "after the impact"));
}

/// A ball would meet another one in this tick, but a third one hits that first, so that it moves ahead of the
/// ball: no impact is reported, and the ball keeps its motion.
#[test]
fn a_body_that_is_driven_away_is_not_met() {
    let along = v("0.0625", "0", "0");
    // The third one comes at 70 degrees to the path of the first.
    let third = (0, 50, v("-0.34542", "-0.9494", "0"), v("0.0513", "0.141", "0"));
    let alone = [(0, 1, v("-1.03", "0", "0"), along), (0, 1, Vec3::ZERO, Vec3::ZERO)];
    let mut report = TickReport::default();
    step(&mut balls(&alone), &mut report);
    assert_eq!(report.impacts.len(), 1, "alone they meet in this tick");
    let mut world = balls(&[alone[0], alone[1], third]);
    let ids: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    step(&mut world, &mut report);
    assert_clean(&report);
    let met: Vec<_> = report.impacts.iter().map(|impact| (impact.a, impact.b)).collect();
    assert_eq!(met, [(ids[1], Collider::Body(ids[2]))]);
    assert_eq!(velocities(&world)[0], along);
    assert!(velocities(&world)[1].x > s("0.05"), "{:?}", velocities(&world));
}

/// A touching elastic row is hit late in a tick, so slowly that nothing bounces: each ball keeps the speed
/// that it got, though none has moved as far.
#[test]
fn a_slow_row_that_is_struck_late_keeps_what_it_got() {
    let limits = Limits::new(60).with_rest_speed(s("0.01"));
    for (restitution, part) in ["0.01", "0.5"].into_iter().flat_map(|e| ["0.1", "0.5", "0.9"].map(|p| (e, p)))
    {
        for speed in ["0.012", "0.02", "0.04"].map(s) {
            let what = format!("{restitution}, {part} of {speed}");
            let along = Vec3::new(speed, s("0"), s("0"));
            let first = Vec3::new(s("-1") - speed.saturating_mul(s(part)), s("0"), s("0"));
            let row = |index: i64| (1, 1, Vec3::new(s("1.001") * index, s("0"), s("0")), Vec3::ZERO);
            let starts = [(1, 1, first, along), row(0), row(1), row(2), row(3)];
            let (mut world, mut report) = (balls_within(limits, restitution, &starts), TickReport::default());
            for tick in 0..4 {
                step(&mut world, &mut report);
                assert_clean(&report);
                assert!(
                    report.velocity_corrected.is_empty(),
                    "{what}: {:?}, tick {tick}",
                    report.velocity_corrected
                );
                let sum = velocities(&world).into_iter().fold(Vec3::ZERO, |sum, velocity| sum + velocity);
                assert_eq!(sum, along, "{what}, tick {tick}");
            }
        }
    }
}

/// Planes in one place, along no axis, are one plane: they stop a ball that comes along their normal.
#[test]
fn many_planes_along_a_diagonal_stop_a_ball_as_one() {
    for (count, pull) in [1, 2, 3, 4, 10].into_iter().flat_map(|count| ["0", "-6"].map(|pull| (count, pull)))
    {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let ball = builder.shape(Shape::sphere(s("0.5")));
        let normal = Normal::new(619_925_131, 619_925_131, 619_925_131); // 2^30 / sqrt 3
        let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
        (0..count).for_each(|_| {
            builder.fixed(plane, material, Vec3::ZERO);
        });
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let gravity = world.limits().gravity_nearest_even(Vec3::splat(s(pull)));
        let spawn = Spawn { velocity: Vec3::splat(s("-0.02")), ..Spawn::new(ball, v("0.4", "0.3", "0.35")) };
        let commands = [Command::SetGravity { gravity }, Command::Spawn(spawn)];
        assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
        let (mut report, mut met) = (TickReport::default(), Vec::new());
        for tick in 0..60 {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert!(report.velocity_corrected.is_empty(), "{count}, {pull}: tick {tick}");
            met.extend(report.impacts.iter().map(|_| tick));
            let (velocity, lies) = (velocities(&world)[0], met.first().is_some_and(|first| first + 3 < tick));
            assert!(!lies || velocity.within(s("0.00001")), "{count}, {pull}: {velocity}, tick {tick}");
        }
        assert_eq!(met.len(), count, "each is met once, {pull}");
        // It was 1.05 / sqrt 3 from the planes, and rests 1/256 of its radius away from them.
        let place = world.bodies().next().unwrap().1.position;
        let gap = (place.x + place.y + place.z) * 1000 / 1732 - s("0.5");
        assert!((gap - s("0.5") / 256).abs() < s("0.0001"), "{count}, {pull}: {gap}");
    }
}
