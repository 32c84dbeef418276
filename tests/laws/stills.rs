//! Resting bodies become still, to the bit, and rolling ones roll out.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    shape::Shape,
    state::{Body, BodyId, Command, Spawn},
};

use crate::{
    shows::{RATES, Stage, Verdict, Watch, length, milli, off_ppm, place, turned},
    support::{every, s, v},
};

/// Balls, or balls and slabs, over a well.
fn heap(seed: u64, count: i64, mixed: bool, rate: u32) -> World {
    let mut stage = Stage::well("0.2", "0.5", "0.95");
    let ball = stage.shape(Shape::sphere(s("0.25")));
    let slab = stage.block("0.3", "0.1", "0.2");
    for index in 0..count {
        let mut draws = Rng::new(seed).at(7, index as u64, 0);
        let [x, z] = [index % 2, index / 2 % 2].map(|cell| 800 * cell - 400 + draws.between(-40, 40));
        let at = place(x, 450 + 800 * (index / 4) + draws.between(-20, 20), z);
        let orientation = turned([0; 4].map(|_: i64| draws.between(-1_000, 1_000)));
        let shape = if mixed && index % 3 == 0 { slab } else { ball };
        stage.add(Spawn { orientation, ..Spawn::new(shape, at) });
    }
    stage.world(rate)
}

fn bodies(world: &World) -> Vec<Body> {
    world.bodies().map(|(_, body)| *body).collect()
}

/// Displacements and velocities are solved separately. A body that the first solve holds in place rests: a
/// velocity left by the second would make it fall in one tick and rise in the next, for ever.
#[test]
fn a_heap_comes_to_lie_still_at_every_rate() {
    let mut verdict = Verdict::default();
    // In long ticks, in which gravity takes a slab a quarter of its thickness and more, only the safety nets
    // keep some from falling.
    let kinds = RATES.into_iter().flat_map(|rate| [(rate, false), (rate, true)]);
    let kinds = kinds.filter(|(rate, mixed)| !mixed || *rate >= 60).step_by(every(2));
    for (seed, (rate, mixed)) in
        (4..10).step_by(every(3)).flat_map(|seed| kinds.clone().map(move |kind| (seed, kind)))
    {
        let (mut world, mut watch) = (heap(seed, 24, mixed, rate), Watch::default());
        while watch.still() < 4 && watch.ticks < 25 * u64::from(rate) {
            watch.tick(&mut world);
        }
        let name = format!("heap {seed}, mixed {mixed}, at {rate} Hz");
        println!("{name}: {}", watch.nets());
        verdict.expect(watch.still() >= 4, format!("{name} has not come to rest: {}", watch.nets()));
        let lies = |body: &Body| {
            body.momentum == Vec3::ZERO && body.spin.is_none_or(|spin| spin.angular_momentum == Vec3::ZERO)
        };
        verdict.expect(bodies(&world).iter().all(lies), format!("{name}: something would go on"));
    }
    verdict.close();
}

/// A ball on the floor that rolls along x at so many thousandths of a unit per second.
fn roller(rate: u32, speed: i64, friction: &str) -> (World, BodyId) {
    let mut stage = Stage::floor("0", friction);
    let ball = stage.shape(Shape::sphere(s("0.5")));
    let velocity = Vec3::new(milli(speed), s("0"), s("0"));
    let angular_velocity = Vec3::new(s("0"), s("0"), milli(-2 * speed));
    stage.add(Spawn { velocity, angular_velocity, ..Spawn::new(ball, place(0, 502, 0)) });
    let world = stage.world(rate);
    let (id, _) = world.bodies().next().unwrap();
    (world, id)
}

/// Rolling costs 2^-12 of gravity, times the radius of gyration over that of the ball: the root of 2/5.
#[test]
fn a_ball_that_rolls_rolls_out() {
    let mut verdict = Verdict::default();
    for rate in RATES {
        let (mut world, id) = roller(rate, 500, "0.5");
        let (mut watch, seconds) = (Watch::default(), 10);
        watch.run(&mut world, u64::from(rate)); // until it lies on the floor
        let first = length(world.body(id).unwrap().velocity());
        watch.run(&mut world, seconds * u64::from(rate));
        let lost = (first - length(world.body(id).unwrap().velocity())) * i128::from(rate);
        let expected = (9_800 << 32) / 1_000 * i128::from(seconds) * 632 / 1_000 / 4_096;
        let off = off_ppm(lost, expected);
        println!("rolls out at {rate} Hz: {off} ppm off");
        verdict.expect(off.abs() < 20_000, format!("{rate} Hz: {off} ppm off"));
        verdict.clean(&watch, &format!("roller at {rate} Hz"));
        let (mut slow, id) = roller(rate, 10, "0.5");
        let mut watch = Watch::default();
        watch.run(&mut slow, 12 * u64::from(rate));
        let body = slow.body(id).unwrap();
        verdict.expect(watch.still() > 0, format!("{rate} Hz: still rolls at {:?}", body.velocity()));
        verdict.expect(body.position.x > milli(10), format!("{rate} Hz: has not rolled"));
    }
    verdict.close();
}

#[test]
fn friction_brings_spinning_bodies_to_rest_and_without_it_they_spin_on() {
    for (rate, friction) in RATES.into_iter().flat_map(|rate| ["0", "0.5"].map(|mu| (rate, mu))) {
        let (mut world, body) = roller(rate, 0, friction);
        let angular_velocity = world.limits().velocity_nearest(v("0", "0.03", "0"));
        assert!(world.apply(&[Command::SetAngularVelocity { body, angular_velocity }]).outcomes[0].is_ok());
        let turning = |world: &World| world.body(body).unwrap().spin.unwrap().angular_momentum;
        let first = turning(&world);
        Watch::default().run(&mut world, 10 * u64::from(rate));
        let expected = if friction == "0" { first } else { Vec3::ZERO };
        assert_eq!(turning(&world), expected, "{rate} Hz, friction {friction}");
    }
}

/// A sliding body is not slowed: a box that hardly rotates loses no more than its rotation.
#[test]
fn sliding_without_friction_keeps_its_velocity() {
    for rate in RATES {
        let mut stage = Stage::floor("0", "0");
        let brick = stage.block("0.5", "0.3", "0.4");
        stage.add(Spawn { velocity: v("1.5", "0", "0.5"), ..Spawn::new(brick, place(0, 302, 0)) });
        let mut world = stage.world(rate);
        let first = world.bodies().next().unwrap().1.momentum;
        Watch::default().run(&mut world, 5 * u64::from(rate));
        let last = world.bodies().next().unwrap().1.momentum;
        assert_eq!((last.x, last.z), (first.x, first.z), "{rate} Hz");
    }
}
