//! Contacts and impacts at one instant: sliding over seams, a squeezed ball, a cradle in free fall.

use bitstep::{
    World,
    geom::{Vec3, normalise},
    shape::Shape,
    state::{Body, Command},
    tick::{Cause, TickReport},
};

use crate::{
    piles::{RATES, Scene},
    support::{assert_clean, overlaps, s, step, v},
};

/// A hundred flush tiles are one floor: no impact at the seams, and the speed along it stays the same, to the
/// bit.
#[test]
fn a_box_and_a_ball_slide_over_a_hundred_tiles() {
    for rate in RATES {
        let mut scene = Scene::new("0.2");
        for index in 0..100 {
            let at = Vec3::new(s("1") * index, s("-0.25"), s("0.1"));
            scene.fixed(Shape::aabb(v("0.5", "0.25", "0.5")), at);
        }
        let (block, ball) =
            (scene.shape(Shape::aabb(v("0.3", "0.3", "0.3"))), scene.shape(Shape::sphere(s("0.3"))));
        scene.add(block, 1, v("0", "0.301", "0.1"), v("9", "0", "0"));
        scene.add(ball, 1, v("2", "0.301", "0.1"), v("9", "0", "0"));
        let mut world = scene.world(rate);
        let along = |world: &World| -> Vec<_> { world.bodies().map(|(_, body)| body.momentum.x).collect() };
        let (start, mut report) = (along(&world), TickReport::default());
        for tick in 0..10 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            assert!(report.impacts.is_empty(), "tick {tick} at {rate} Hz: {:?}", report.impacts);
            assert_eq!(along(&world), start, "tick {tick} at {rate} Hz");
            assert!(
                world.bodies().all(|(_, body)| body.position.y < s("0.3025")),
                "tick {tick} at {rate} Hz"
            );
        }
        assert!(world.bodies().all(|(_, body)| body.position.x > s("85")));
    }
}

/// A ball on a floor between two players who come from both sides at the same instant; `order` gives their
/// ids, and `side` mirrors everything.
fn squeeze(rate: u32, (restitution, mass): (&str, u32), order: [usize; 3], side: i64) -> Vec<[Body; 3]> {
    let mut scene = Scene::floor(restitution);
    let ball = scene.shape(Shape::sphere(s("0.5")));
    let of = [("-2", "6", 1), ("0", "0", mass), ("2", "-6", 1)];
    for which in order {
        let (x, speed, mass) = of[which];
        let mirrored = |x: &str| Vec3::new(s(x) * side, s("0"), s("0"));
        scene.add(ball, mass, mirrored(x) + v("0", "0.501", "0"), mirrored(speed));
    }
    let mut world = scene.world(rate);
    let mut report = TickReport::default();
    (0..2 * rate)
        .map(|tick| {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            let body = |which: usize| {
                let slot = order.iter().position(|&it| it == which).unwrap();
                *world.bodies().nth(slot).unwrap().1
            };
            [body(0), body(1), body(2)]
        })
        .collect()
}

/// A mirrored scene is the mirror image, so is one in which the players change ids, and every run is its
/// own image: of two impacts at the same instant neither comes first.
#[test]
fn a_squeezed_ball_and_its_players_are_mirror_images() {
    let mirror = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
    for (rate, how) in
        RATES.into_iter().flat_map(|rate| [("0", 1), ("0.5", 1), ("0", 4), ("0.5", 4)].map(|how| (rate, how)))
    {
        for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1]] {
            let run = squeeze(rate, how, order, 1);
            let swapped = squeeze(rate, how, order.map(|which| 2 - which), 1);
            let changed = swapped.into_iter().map(|[left, ball, right]| [right, ball, left]).collect();
            for image in [squeeze(rate, how, order, -1), changed] {
                for (body, image) in run.iter().flatten().zip(image.iter().flatten()) {
                    assert_eq!(mirror(body.position), image.position, "{rate} Hz {how:?} {order:?}");
                    assert_eq!(mirror(body.momentum), image.momentum, "{rate} Hz {how:?} {order:?}");
                }
            }
            for [left, ball, right] in &run {
                assert_eq!(mirror(left.position), right.position, "{rate} Hz {how:?} {order:?}");
                assert_eq!(mirror(left.momentum), right.momentum, "{rate} Hz {how:?} {order:?}");
                assert_eq!(
                    (ball.position.x, ball.momentum.x),
                    (s("0"), s("0")),
                    "{rate} Hz {how:?} {order:?}"
                );
            }
            let speed = |body: &Body| body.velocity().x.abs() * i64::from(rate);
            let stands = |bodies: &[Body; 3]| bodies.iter().all(|body| speed(body) < s("0.001"));
            assert!(how.0 != "0" || run.iter().skip(rate as usize).all(stands), "{rate} Hz {how:?}");
        }
    }
}

/// Five equal balls that touch hang free and fall; a sixth hits them. Its speed passes through to the last,
/// to 1e-7 units per tick, and no ball gains energy.
#[test]
fn a_touching_cradle_in_free_fall_passes_an_impulse_on() {
    for rate in RATES {
        let mut scene = Scene::new("1");
        let ball = scene.shape(Shape::sphere(s("0.5")));
        for index in 0..5 {
            scene.add(ball, 1, Vec3::new(s("1") * index, s("100"), s("0")), Vec3::ZERO);
        }
        scene.add(ball, 1, v("-3", "100", "0"), v("7", "0", "0"));
        let mut world = scene.world(rate);
        let energy = world.energy_twice_wide();
        let speed = world.bodies().nth(5).unwrap().1.momentum.x;
        let mut report = TickReport::default();
        let mut impacts = 0;
        for tick in 0..2 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            assert!(world.energy_twice_wide() <= energy, "tick {tick} at {rate} Hz");
            assert_eq!(report.ledger[Cause::Statics], [0; 3]);
            impacts += report.impacts.len();
        }
        let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.x).collect();
        println!("{rate} Hz: {impacts} impacts, {speeds:?}");
        // Below four times gravity the closing speed that is left makes a contact, which separates by a hair.
        for (found, wanted) in speeds.iter().zip([s("0"), s("0"), s("0"), s("0"), speed, s("0")]) {
            assert!((*found - wanted).abs() <= s("0.0000001"), "{rate} Hz: {speeds:?}");
        }
        // A path that is broken at u lies on its chord there, at most g/8 below the parabola.
        let gravity = i128::from(world.gravity().y.to_bits());
        let lost = energy - world.energy_twice_wide();
        assert!(lost <= impacts as i128 * 2 * (2 * gravity * gravity / 8), "{rate} Hz: {lost}");
    }
}

/// Sixty inelastic balls steered to the middle before every tick, in a world without gravity: they press each
/// other, and none is held, reverted or faster than steered.
#[test]
fn a_crowd_that_presses_inwards_holds_no_body() {
    for rate in RATES {
        let mut scene = Scene::new("0");
        let ball = scene.shape(Shape::sphere(s("0.5")));
        for index in 0..60 {
            let [x, y] = [index % 8, index / 8].map(|cell: i64| s("1.25") * cell - s("4.375"));
            scene.add(ball, 1 + index as u32 % 3, Vec3::new(x, y, s("0")), Vec3::ZERO);
        }
        let mut world = scene.world(rate);
        world.apply(&[Command::SetGravity { gravity: Vec3::ZERO }]).accepted().unwrap();
        let (mut report, mut pressed) = (TickReport::default(), 0);
        for tick in 0..4 * rate {
            let inwards = |position: Vec3| {
                let way = normalise(-position).unwrap_or_default();
                way.map_raw(|raw| raw * 4 / i64::from(rate))
            };
            let steered = world.bodies().map(|(body, it)| (body, inwards(it.position)));
            let commands: Vec<_> =
                steered.map(|(body, velocity)| Command::SetVelocity { body, velocity }).collect();
            world.tick(&commands, &mut report).accepted().unwrap();
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            pressed += report.impacts.iter().filter(|impact| impact.pressed).count();
        }
        assert!(pressed > 1_000, "{rate} Hz: {pressed}");
        // All lie close: sixty balls of diameter 1 in the plane fill a disc of radius 4.1 at a density of .9;
        // they end within 5.2.
        let far = world.bodies().map(|(_, body)| body.position.length_squared_wide()).max();
        assert!(far.is_some_and(|far| far < 27 << 64), "{rate} Hz: {far:?}");
    }
}
