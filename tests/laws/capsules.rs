//! Capsules: nothing passes through them, a gas of them keeps its energy, they come to rest.

use bitstep::{
    World,
    geom::{Rotation, Vec3, vec2},
    num::{Rng, Scalar},
    shape::{Obb, Shape},
    snapshot,
    state::{BodyType, Command, Limits, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    piles::{RATES, Scene, milli, run},
    support::{assert_clean, closed_box, overlaps, s, shapes, step, v},
};

fn rod(half_axis: Vec3, radius: &str) -> Shape {
    Shape::capsule(half_axis, s(radius))
}

/// Rods of three directions and a ball on a lattice in a closed box, at up to a speed on each axis.
fn crowd(limits: Limits, restitution: &str, speed: &str) -> World {
    let solids = [
        rod(v("0.2", "0.15", "-0.1"), "0.1"),
        rod(v("0", "0", "0.25"), "0.15"),
        rod(v("-0.01", "0.3", "0"), "0.08"),
        Shape::sphere(s("0.25")),
    ];
    let mut world = World::new(limits, closed_box(restitution, &solids, "3.5")).unwrap();
    for index in 0..216_i64 {
        let mut draws = Rng::new(81).at(0, index as u64, 0);
        let cell = [index % 6, index / 6 % 6, index / 36].map(|c| 2 * c - 5);
        let position = Vec3::from_raw(cell.map(|c| (c << 31) + draws.between(-1 << 27, 1 << 27)));
        let most = limits.speed_nearest(s(speed)).to_bits();
        let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (shape, mass) = (ShapeId(draws.below(4) as u16), 1 + draws.below(9) as u32);
        let spawn = Spawn { mass, velocity, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

#[test]
fn a_gas_of_capsules_keeps_its_energy_and_its_distance() {
    for rate in RATES {
        let (mut world, mut report) = (crowd(Limits::new(rate), "1", "9"), TickReport::default());
        let (energy, mut impacts) = (world.energy_twice_wide(), 0);
        for tick in 0..4 * rate {
            step(&mut world, &mut report);
            assert!(report.reverted.is_empty() && report.out_of_bounds.is_empty());
            assert!(rate < 60 || report.impact_limited.is_empty(), "tick {tick} at {rate} Hz");
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            impacts += report.impacts.len() as i128;
        }
        let drift = world.energy_twice_wide() - energy;
        println!("{rate} Hz: {impacts} impacts, {} parts in 10^12", drift * 1_000_000 / (energy / 1_000_000));
        assert!(impacts > 2_000, "{impacts}");
        // Held bodies lose their energy.
        let gained = drift.max(if rate < 60 { 0 } else { -drift });
        assert!(gained <= energy / 10_000_000_000 * impacts, "{drift} of {energy} at {rate} Hz");
    }
}

/// A fence of thin bars across the middle of a closed box, closer together than the bullets are thick.
fn fence() -> std::sync::Arc<bitstep::state::Scenery> {
    let given = [
        rod(v("0.1", "0", "0.02"), "0.05"),
        rod(v("0.03", "0.08", "-0.05"), "0.04"),
        Shape::sphere(s("0.06")),
        Shape::aabb(v("0.06", "0.05", "0.04")),
    ];
    let closed = closed_box("0.9", &given, "10");
    let mut builder = SceneryBuilder::default();
    for material in closed.materials() {
        builder.material(*material);
    }
    for shape in closed.shapes() {
        builder.shape(shape.clone());
    }
    for fixed in closed.statics() {
        builder.add(*fixed);
    }
    let bar = builder.shape(rod(v("0", "10", "0"), "0.01"));
    for place in -200..=200_i64 {
        let at = Vec3::from_raw([0, 0, place * (1 << 32) / 20]);
        builder.fixed(bar, closed.statics()[0].material, at);
    }
    builder.build().unwrap()
}

#[test]
fn bullets_stay_on_their_side_of_a_fence_of_thin_bars() {
    for (rate, speed) in [(10, "60"), (60, "20"), (120, "16")] {
        let limits = Limits::new(rate).with_speed_max(s("256"));
        let mut world = World::new(limits, fence()).unwrap();
        let speed = s(speed).to_bits();
        let mut refused = 0;
        for index in 0..120_u64 {
            let mut draws = Rng::new(82).at(u64::from(rate), index, 0);
            let mut position = [0; 3].map(|_: i32| draws.between(-9 << 32, 9 << 32));
            position[0] = (1 - 2 * (index as i64 % 2)) * draws.between(1 << 31, 9 << 32);
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-speed, speed)));
            let plain = Spawn::new(ShapeId((index / 2 % 4) as u16), Vec3::from_raw(position));
            let spawn = Spawn { mass: 1 + (index % 5) as u32, velocity, ..plain };
            refused += usize::from(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_err());
        }
        assert!(refused < 5, "{refused}");
        let sides = |world: &World| world.bodies().map(|(_, body)| body.position.x > 0).collect::<Vec<_>>();
        let (before, mut report, mut impacts) = (sides(&world), TickReport::default(), 0);
        for tick in 0..20 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            assert!(report.reverted.is_empty() && report.out_of_bounds.is_empty());
            assert_eq!(sides(&world), before, "tick {tick} at {rate} Hz");
            impacts += report.impacts.len();
        }
        println!("{rate} Hz: {impacts} impacts");
        assert!(impacts > 500, "{impacts}");
    }
}

#[test]
fn a_capsule_bounces_like_a_ball_off_all_it_can_meet() {
    // Along x: a capsule that lies across or along its motion, with e = 1, against a resting solid a unit
    // off.
    let targets = [
        Shape::sphere(s("0.5")),
        Shape::aabb(v("0.5", "0.5", "0.5")),
        Shape::Obb(Obb::new(v("0.5", "0.5", "0.5"), Rotation::IDENTITY)),
        Shape::plane(v("-1", "0", "0")).unwrap(),
        rod(v("0", "1", "0"), "0.5"),
        rod(v("0", "0", "1"), "0.5"),
        rod(v("0.25", "0", "0"), "0.25"),
    ];
    for (half_axis, radius) in
        [(v("0", "1", "0"), "0.5"), (v("0", "0.5", "0.5"), "0.5"), (v("0.25", "0", "0"), "0.25")]
    {
        for target in &targets {
            let mut builder = SceneryBuilder::default();
            let material = builder.material(bitstep::state::Material::new(s("1")).unwrap());
            let shape = builder.shape(rod(half_axis, radius));
            let fixed = builder.shape(target.clone());
            let at = if matches!(target, Shape::Plane(_)) { v("-0.5", "0", "0") } else { Vec3::ZERO };
            builder.fixed(fixed, material, at);
            let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
            let spawn = Spawn { velocity: v("0.75", "0", "0"), ..Spawn::new(shape, v("-2", "0", "0")) };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
            let mut report = TickReport::default();
            let mut impacts = 0;
            for _ in 0..4 {
                step(&mut world, &mut report);
                assert_clean(&report);
                impacts += report.impacts.len();
            }
            let (_, body) = world.bodies().next().unwrap();
            assert_eq!(impacts, 1, "{target:?}");
            assert_eq!(body.velocity(), v("-0.75", "0", "0"), "{target:?} {half_axis:?}");
            // One unit there, two back, less the skin.
            let off = body.position - v("-3", "0", "0");
            assert!(off.within(Scalar::from_bits(600)), "{off:?} {target:?}");
        }
    }
}

#[test]
fn capsules_lie_stand_and_lean_on_each_other_at_rest() {
    for rate in RATES {
        // A log cabin: two by two, across each other, on a floor.
        let mut scene = Scene::floor("0.2");
        let logs = [rod(v("1", "0", "0"), "0.2"), rod(v("0", "0", "1"), "0.2")].map(|log| scene.shape(log));
        for layer in 0..6_i64 {
            for side in [-700, 700] {
                let at = if layer % 2 == 0 { [0, side] } else { [side, 0] };
                let at = Vec3::new(milli(at[0]), milli(201 + 402 * layer), milli(at[1]));
                scene.add(logs[layer as usize % 2], 1 + layer as u32, at, Vec3::ZERO);
            }
        }
        // One that stands, one on top of it, and a box on a lying one.
        let post = scene.shape(rod(v("0", "0.5", "0"), "0.25"));
        scene.add(post, 1, v("4", "0.8", "0"), Vec3::ZERO);
        scene.add(post, 2, v("4", "2.4", "0"), Vec3::ZERO);
        let block = scene.shape(Shape::aabb(v("0.3", "0.2", "0.3")));
        scene.add(logs[0], 3, v("-4", "0.21", "0"), Vec3::ZERO);
        scene.add(block, 1, v("-4", "0.7", "0"), Vec3::ZERO);
        let seen = run(&mut scene.world(rate), 4, "logs and posts");
        assert!(seen.motion < s("0.001"), "{rate} Hz: {}", seen.motion);
        assert_eq!(seen.late, 0, "{rate} Hz");
    }
}

/// There is no friction: a capsule that lies loose on a heap slides on, so the fastest twentieth do not
/// count.
#[test]
fn a_heap_of_capsules_comes_to_rest() {
    for rate in RATES {
        let mut scene = Scene::well("0.2", "1.57");
        let kinds = [
            rod(v("0.2", "0.05", "0.1"), "0.15"),
            rod(v("0", "0", "0.2"), "0.12"),
            rod(v("0", "0.15", "0"), "0.2"),
            Shape::sphere(s("0.25")),
            Shape::aabb(v("0.2", "0.15", "0.2")),
        ]
        .map(|solid| scene.shape(solid));
        for index in 0..80_i64 {
            let mut draws = Rng::new(83).at(3, index as u64, 0);
            let shape = kinds[draws.below(5) as usize];
            let [x, z] = [index % 4, index / 4 % 4].map(|c| milli(-1_125 + 750 * c + draws.between(-20, 20)));
            scene.add(
                shape,
                1 + draws.below(5) as u32,
                Vec3::new(x, milli(400 + 800 * (index / 16)), z),
                Vec3::ZERO,
            );
        }
        let seen = run(&mut scene.world(rate), 12, "a heap of capsules");
        assert!(seen.impacts > 50 && seen.quiet < s("0.01"), "{rate} Hz: {} {}", seen.impacts, seen.quiet);
    }
}

#[test]
fn capsules_stay_in_a_flat_world() {
    let limits = Limits::new(60).with_flat(true);
    let solids = [
        rod(vec2(s("0.4"), s("0.2")), "0.15"),
        rod(v("0", "0", "0.5"), "0.3"),
        Shape::sphere(s("0.3")),
        Shape::rect(s("0.4"), s("0.2")),
    ];
    let mut builder = SceneryBuilder::default();
    let material = builder.material(bitstep::state::Material::new(s("0.7")).unwrap());
    for solid in &solids {
        builder.shape(solid.clone());
    }
    for (x, y) in [("1", "0"), ("-1", "0"), ("0", "1"), ("0", "-1")] {
        let wall = builder.shape(Shape::plane(v(x, y, "0")).unwrap());
        let far = v(x, y, "0").map_raw(|raw| -5 * raw);
        builder.fixed(wall, material, far);
    }
    let bar = builder.shape(rod(vec2(s("1.5"), s("-0.5")), "0.2"));
    builder.fixed(bar, material, vec2(s("0.5"), s("-1")));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("1", "-9", "0"));
    world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
    let mut spawned = 0;
    for index in 0..80_i64 {
        let mut draws = Rng::new(84).at(0, index as u64, 0);
        let position = vec2(milli(-4_500 + 1_000 * (index % 10)), milli(-4_000 + 1_000 * (index / 10)));
        let mut part = || Scalar::from_bits(draws.between(-1 << 29, 1 << 29));
        let spawn =
            Spawn { velocity: vec2(part(), part()), ..Spawn::new(ShapeId((index % 4) as u16), position) };
        spawned += usize::from(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    let (mut report, mut impacts) = (TickReport::default(), 0);
    for tick in 0..180 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        assert!(report.impacts.iter().all(|impact| impact.normal.z == 0), "tick {tick}");
        assert!(world.bodies().all(|(_, body)| body.position.z == 0 && body.momentum.z == 0));
        assert!(snapshot::decode(&snapshot::encode(&world), world.scenery()).is_ok());
        impacts += report.impacts.len();
    }
    assert!(spawned > 60 && impacts > 500, "{spawned} {impacts}");
    // Leaning, it pushes out of the plane.
    let askew = shapes("0", &[rod(v("0.3", "0", "0.1"), "0.2")]);
    let mut world = World::new(limits, askew).unwrap();
    let refused = world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), Vec3::ZERO))]).outcomes.remove(0);
    let refused = refused.unwrap_err().reason.to_string();
    assert_eq!(refused, "shape: it leans out of the flat world's plane");
}

#[test]
fn a_capsule_that_is_moved_pushes_and_is_stopped() {
    let mut scene = Scene::floor("0");
    let (lift, load) =
        (scene.shape(rod(v("1", "0", "0"), "0.25")), scene.shape(rod(v("0", "0", "0.5"), "0.25")));
    scene.add(load, 2, v("0.2", "1.3", "0"), Vec3::ZERO);
    let mut world = scene.world(60);
    let spawn = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0", "0.01", "0"),
        ..Spawn::new(lift, v("0", "0.6", "0"))
    };
    assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    let mut report = TickReport::default();
    for tick in 0..120 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        assert_clean(&report);
    }
    let heights: Vec<Scalar> = world.bodies().map(|(_, body)| body.position.y).collect();
    assert!(heights[0] - heights[1] < s("0.51") && heights[0] - heights[1] > s("0.5"), "{heights:?}");
    assert!(heights[1] > s("1.7"), "{heights:?}");
}
