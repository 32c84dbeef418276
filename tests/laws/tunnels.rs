//! Nothing passes through anything, however fast, and whatever the tick rate.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, rng::Draws},
    overlap::overlap_shapes,
    shape::{Obb, Shape},
    state::{Command, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn, skin},
    tick::TickReport,
};

use crate::support::{Start, assert_clean, closed_box, overlaps, s, shapes, step, v, world};

/// A wall .1 thick across the middle of a closed box.
fn walled_box() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0.9")).unwrap());
    builder.shape(Shape::sphere(s("0.05")));
    builder.shape(Shape::aabb(v("0.05", "0.04", "0.03")));
    let wall = builder.shape(Shape::aabb(v("0.05", "11", "11")));
    builder.fixed(wall, material, Vec3::ZERO);
    let open = builder.build().unwrap();
    let closed = closed_box("0.9", open.shapes(), "10");
    let mut builder = SceneryBuilder::default();
    for material in closed.materials() {
        builder.material(*material);
    }
    for shape in closed.shapes() {
        builder.shape(shape.clone());
    }
    for fixed in closed.statics().iter().chain(open.statics()) {
        builder.fixed(fixed.shape, fixed.material, fixed.position);
    }
    builder.build().unwrap()
}

#[test]
fn fast_bodies_stay_on_their_side_of_a_thin_wall() {
    for (rate, speed) in [(10, "100"), (20, "60"), (60, "33"), (120, "16")] {
        let mut world = World::new(Limits::new(rate).with_speed_max(s("256")), walled_box()).unwrap();
        let speed = s(speed).to_bits();
        let spawns: Vec<Command> = (0..300_u64)
            .map(|index| {
                let mut draws = Rng::new(8).at(u64::from(rate), index, 0);
                let mut position = [0; 3].map(|_: i32| draws.between(-9 << 32, 9 << 32));
                position[0] = (1 - 2 * (index as i64 % 2)) * draws.between(1 << 31, 9 << 32);
                let velocity = [0; 3].map(|_: i32| draws.between(-speed, speed));
                let (shape, mass) = (ShapeId((index / 2 % 2) as u16), 1 + (index % 5) as u32);
                let velocity = Vec3::from_raw(velocity);
                Command::Spawn(Spawn { mass, velocity, ..Spawn::new(shape, Vec3::from_raw(position)) })
            })
            .collect();
        let refused = world.apply(&spawns).outcomes.iter().filter(|outcome| outcome.is_err()).count();
        assert!(refused < 5, "{refused}");
        let sides: Vec<bool> = world.bodies().map(|(_, body)| body.position.x > 0).collect();
        let mut report = TickReport::default();
        let (mut impacts, mut held) = (0, 0);
        for tick in 0..60 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            assert!(report.reverted.is_empty() && report.out_of_bounds.is_empty());
            let now: Vec<bool> = world.bodies().map(|(_, body)| body.position.x > 0).collect();
            assert_eq!(now, sides, "tick {tick} at {rate} Hz");
            impacts += report.impacts.len();
            held += report.impact_limited.len();
        }
        println!("{rate} Hz: {impacts} impacts, {held} held");
        assert!(impacts > 5_000, "{impacts}");
    }
}

#[test]
fn crossing_bullets_meet_each_other() {
    let scenery = shapes("0", &[Shape::sphere(s("0.05"))]);
    let bullet = |x: &str, speed: &str| Start {
        shape: ShapeId(0),
        mass: 1,
        position: v(x, "0", "0"),
        velocity: v(speed, "0", "0"),
    };
    let mut world = world(Limits::new(60), &scenery, &[bullet("-3", "30"), bullet("3", "-33")]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    let speeds: Vec<Scalar> = world.bodies().map(|(_, body)| body.velocity().x).collect();
    assert_eq!(speeds, [s("-1.5"), s("-1.5")]);
    assert!(world.bodies().next().unwrap().1.position.x < world.bodies().nth(1).unwrap().1.position.x);
}

/// A wedge of four planes, and fast balls that move into it.
fn wedge(limits: Limits, gravity: i64) -> World {
    let rate = i64::from(limits.tick_rate);
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0.2")).unwrap());
    let ball = builder.shape(Shape::sphere(s("0.5")));
    for (x, z) in [(3, 0), (-3, 0), (0, 3), (0, -3)] {
        let normal = bitstep::geom::Normal::new(x, 2, z);
        let plane = bitstep::geom::Plane::from_point_normal(Vec3::ZERO, normal).unwrap();
        let plane = builder.shape(Shape::Plane(plane));
        builder.fixed(plane, material, Vec3::ZERO);
    }
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let spawns: Vec<Command> = (0..100_i64)
        .map(|index| {
            let cell = [index % 3 - 1, 6 + index / 9, index / 3 % 3 - 1];
            let position = Vec3::from_raw(cell.map(|c| c * (s("1.05").to_bits()) + index * 1_000_003));
            let velocity = Vec3::from_raw([0, (-60 << 32) / rate, 0]);
            Command::Spawn(Spawn { material, velocity, ..Spawn::new(ball, position) })
        })
        .collect();
    assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
    let gravity = Vec3::from_raw([0, ((-gravity << 32) / (rate * rate)) & !1, 0]);
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    world
}

/// Fast balls without gravity, and with a strong one where a body has no more than two impacts in a tick:
/// more than any budget, so bodies are held, and nothing overlaps.
#[test]
fn a_jam_holds_bodies_but_overlaps_nothing() {
    for rate in [10, 20, 60, 120] {
        for (budget, gravity) in [(16, 0), (2, 60)] {
            let mut world = wedge(Limits::new(rate).with_budget(budget), gravity);
            let mut report = TickReport::default();
            let (mut held, mut reverted) = (0, 0);
            for tick in 0..3 * rate {
                step(&mut world, &mut report);
                assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
                assert!(report.impact_limited.is_sorted() && report.tick_halted.is_none());
                held += report.impact_limited.len();
                reverted += report.reverted.len();
            }
            println!("{rate} Hz, budget {budget}: {held} held, {reverted} reverted");
            assert!(held > 10, "{rate} Hz, budget {budget}: {held}: not a jam");
        }
    }
}

/// Under gravity a pair that meets too often becomes a contact: the same wedge with the whole budget holds no
/// body, however strong the gravity.
#[test]
fn a_jam_under_gravity_holds_no_body() {
    for rate in [10, 20, 60, 120] {
        let mut world = wedge(Limits::new(rate), 60);
        let (mut report, mut velocity_corrected) = (TickReport::default(), 0);
        for tick in 0..3 * rate {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz");
            velocity_corrected += report.velocity_corrected.len();
        }
        println!("{rate} Hz: {velocity_corrected} corrected");
    }
}

/// A solid a touch above the upper face of a rotated slab, away from the middle: as near as the
/// exact predicate allows along the slab's third edge.
fn touching(solid: &Shape, slab: &Obb, draws: &mut Draws) -> Vec3 {
    let (x, y) = (draws.between(-900, 900), draws.between(-900, 900));
    let [along, across, up] = slab.half_edges.map(Vec3::raw);
    let at = |lift: i64| {
        let part = |axis: usize| along[axis] / 1000 * x + across[axis] / 1000 * y;
        let rise = |axis: usize| ((i128::from(up[axis]) * i128::from(lift)) >> 32) as i64;
        Vec3::from_raw([0, 1, 2].map(|axis| part(axis) + rise(axis)))
    };
    let (mut inside, mut outside) = (1_i64 << 32, 4 << 32);
    while outside - inside > 1 {
        let middle = (inside + outside) / 2;
        let overlaps = overlap_shapes(solid, &Shape::Obb(*slab), -at(middle));
        if overlaps { inside = middle } else { outside = middle }
    }
    at(outside)
}

/// The 30 bits of the slab's normal are coarser than the skin here: no sweep can tell that they sink.
#[test]
fn bodies_that_slide_on_a_large_rotated_slab_do_not_sink_into_it() {
    let solids = [Shape::sphere(s("1")), Shape::aabb(v("1", "1", "1"))];
    let (mut slid, mut reverted) = (0, 0);
    for seed in 0..600 {
        let mut draws = Rng::new(seed).at(5, 0, 0);
        let turn = [0; 4].map(|_: i32| Scalar::from_bits(draws.between(-1 << 32, 1 << 32)));
        let turn = Rotation::from_quaternion(turn[0], turn[1], turn[2], turn[3]).unwrap();
        let slab = Obb::new(v("500", "500", "1"), turn);
        let solid = solids[seed as usize % 2].clone();
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let (body, fixed) = (builder.shape(solid.clone()), builder.shape(Shape::Obb(slab)));
        builder.fixed(fixed, material, Vec3::ZERO);
        let limits = Limits::new(60).with_speed_max(s("2048"));
        let position = touching(&solid, &slab, &mut draws);
        let down = draws.between(-500, 1000);
        let [along, _, up] = slab.half_edges.map(Vec3::raw);
        let sinking =
            [0, 1, 2].map(|axis| along[axis] / 4 - ((i128::from(up[axis]) * i128::from(down)) >> 32) as i64);
        let start = Start { shape: body, mass: 1, position, velocity: Vec3::from_raw(sinking) };
        let mut world = world(limits, &builder.build().unwrap(), &[start]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "seed {seed}");
        slid += usize::from(report.impacts.is_empty() && report.reverted.is_empty());
        reverted += report.reverted.len();
    }
    println!("{slid} slid, {reverted} reverted");
    assert!(slid > 10 && reverted > 100, "{slid} {reverted}");
}

#[test]
fn the_whole_skin_of_a_large_oriented_box_is_searched() {
    let slab = Shape::Obb(Obb::new(v("100", "1", "100"), Rotation::IDENTITY));
    let solid = Shape::sphere(s("0.5"));
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let (ball, fixed) = (builder.shape(solid.clone()), builder.shape(slab.clone()));
    builder.fixed(fixed, material, Vec3::ZERO);
    let scenery = builder.build().unwrap();
    let keeps = skin(&solid, &slab).to_bits();
    for (gap, impacts) in [(keeps - 1, 1), (keeps + 1_000, 0)] {
        let position = Vec3::from_raw([0, s("1.5").to_bits() + gap, 0]);
        let start = Start { shape: ball, mass: 1, position, velocity: Vec3::from_raw([0, -5, 0]) };
        let mut world = world(Limits::new(60), &scenery, &[start]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!(report.impacts.len(), impacts, "{gap} of {keeps}");
    }
}
