//! Held and reverted bodies, in any order in which bodies, pairs and statics are visited.

use std::sync::Arc;

use super::{TickReport, phases::Step};
use crate::{
    broad::Disorder,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Rng, Scalar, Toi, lit},
    shape::{Hull, Obb, Shape},
    state::{
        BodyType, Command, Limits, Locks, Material, Rule, Scenery, SceneryBuilder, ShapeId, Spawn, State,
    },
    tick::{World, bodies::body::BodyIndex},
};

/// Number of other orders in which each world is run: fewer in a debug build, since CI runs this optimised, too.
const ORDERS: u64 = if cfg!(debug_assertions) { 3 } else { 12 };

fn v(x: &str, y: &str, z: &str) -> Vec3 {
    Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
}

/// Everything that happened in all ticks of a run.
#[derive(Default, Debug)]
struct Seen {
    impacts: usize,
    held: usize,
    reverted: usize,
    halts: usize,
    halts_within: usize,
    events: usize,
    shuffled: u64,
}

/// Runs a world in its order and in others; every tick must be the same.
fn assert_any_order(world: &World, ticks: usize) -> Seen {
    let run = |order: u64| {
        let mut world = world.clone();
        world.enable_events(true);
        world.scratch.pairs.regions.disorder = Disorder::of(order);
        world.scratch.events.candidates.regions.disorder = Disorder::of(order);
        let mut reports = Vec::new();
        for _ in 0..ticks {
            let mut report = TickReport::default();
            world.step(&mut report);
            reports.push(report);
        }
        (world, reports)
    };
    let (last, reports) = run(0);
    let mut seen = Seen::default();
    for report in &reports {
        seen.impacts += report.impacts.len();
        seen.events += report.events.len();
        seen.held += report.impact_limited.len();
        seen.reverted += report.reverted.len();
        seen.halts += usize::from(report.tick_halted.is_some());
        seen.halts_within += usize::from(report.tick_halted.is_some_and(|toi| toi > Toi::START));
    }
    for order in 1..=ORDERS {
        let (other, found) = run(order);
        for (found, report) in found.iter().zip(&reports) {
            assert_eq!(found, report, "order {order}, tick {}", report.tick);
        }
        assert!(other.state == last.state, "order {order}");
        seen.shuffled += other.scratch.pairs.regions.disorder.count();
    }
    seen
}

// ---------------------------------------------------------------- ends that no sweep would lead to

/// Spheres on a lattice around a post, of every type; some overlap from the beginning.
fn lattice(seed: u64) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let post = builder.shape(Shape::aabb(v("0.25", "0.25", "1")));
    builder.fixed(post, material, v("0.75", "0.75", "0"));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    for index in 0..36_i64 {
        let mut draws = Rng::new(seed).at(1, index as u64, 0);
        let near = if draws.below(6) == 0 { 3 << 30 } else { 1 << 27 };
        let place = [index % 6 - 3, index / 6 - 3].map(|c| ((c * 3) << 31) + draws.between(-near, near));
        let kind =
            [BodyType::Kinematic, BodyType::Static, BodyType::Dynamic][draws.below(12).min(2) as usize];
        let velocity = if kind == BodyType::Static { Vec3::ZERO } else { v("0.25", "0.5", "0") };
        let (mass, layer) = (1 + draws.below(5) as u32, draws.below(8) as u8);
        let plain = Spawn::new(ball, Vec3::from_raw([place[0], place[1], 0]));
        let spawn = Spawn { body_type: kind, mass, velocity, layer, allow_overlap: true, ..plain };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
        .apply(&[Command::SetLayers { a: 0, b: 1, rule: Rule::Ignore, allow_overlap: true }])
        .accepted()
        .unwrap();
    world
}

/// Ends a tick with every body at a position that no sweep would lead to; some had impacts or are doubtful.
fn finish_anywhere(world: &mut World, seed: u64, report: &mut TickReport) {
    let World { state, scenery, scratch, .. } = world;
    let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report };
    step.report.begin(1);
    step.integrate();
    let mut in_trouble = Vec::new();
    for index in 0..step.scratch.sim.all().len() {
        let mut draws = Rng::new(seed).at(2, index as u64, 0);
        let body = step.scratch.sim.body_mut(index);
        let far = if draws.below(3) == 0 { 7 << 30 } else { 1 << 30 };
        let way = [(); 2].map(|()| draws.between(-far, far));
        if body.filter.body_type != BodyType::Static {
            body.path.displacement = Vec3::from_raw([way[0], way[1], 0]);
        }
        step.scratch.unproved.bodies[index] = draws.below(9) == 0;
        if draws.below(9) == 0 {
            body.impacts = 1;
            in_trouble.push(index as u32);
        }
    }
    step.find_impacts().unwrap();
    for index in in_trouble {
        step.toi_loop().find_again(&[BodyIndex(index)]);
    }
    step.finish();
}

#[test]
fn chains_of_bodies_go_back_whatever_the_order_of_looking() {
    let (mut back, mut stay, mut shuffled) = (0, 0, 0);
    for seed in 0..60 {
        let run = |order: u64| {
            let (mut world, mut report) = (lattice(seed), TickReport::default());
            world.scratch.pairs.regions.disorder = Disorder::of(order);
            world.scratch.events.candidates.regions.disorder = Disorder::of(order);
            finish_anywhere(&mut world, seed, &mut report);
            (world, report)
        };
        let (world, report) = run(0);
        back += report.reverted.len();
        stay += world.bodies().count() - report.reverted.len();
        for order in 1..=2 * ORDERS {
            let (other, found) = run(order);
            assert_eq!(found, report, "world {seed}, order {order}");
            assert!(other.state == world.state, "world {seed}, order {order}");
            shuffled += other.scratch.pairs.regions.disorder.count();
        }
    }
    println!("{back} went back, {stay} stayed, {shuffled} lists shuffled");
    assert!(back > 300 && stay > 300 && shuffled > 10_000, "{back} {stay} {shuffled}");
}

/// Spheres in a row, each of which ends where the next one began.
#[test]
fn a_row_of_bodies_goes_back_one_after_the_other() {
    for order in 0..ORDERS {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        for x in 0..20 {
            let spawn = Spawn::new(ball, Vec3::from_raw([x << 33, 0, 0]));
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        let before: Vec<Vec3> = world.bodies().map(|(_, body)| body.position).collect();
        world.scratch.pairs.regions.disorder = Disorder::of(order);
        world.scratch.events.candidates.regions.disorder = Disorder::of(order);
        let World { state, scenery, scratch, .. } = &mut world;
        let mut report = TickReport::default();
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
        step.report.begin(1);
        step.integrate();
        // The last one stays, so that the one before it ends inside it.
        for body in step.scratch.sim.all_mut().iter_mut().take(19) {
            body.path.displacement = v("2", "0", "0");
        }
        step.scratch.unproved.bodies[18] = true;
        step.find_impacts().unwrap();
        step.finish();
        assert_eq!(report.reverted.len(), 20, "order {order}");
        assert!(world.bodies().map(|(_, body)| body.position).eq(before), "order {order}");
    }
}

// ---------------------------------------------------------------- worlds that run by themselves

/// A wedge of two planes or of two oriented boxes, and two walls.
fn wedge(boxes: bool, solids: &[Shape]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.2")).unwrap());
    for solid in solids {
        builder.shape(solid.clone());
    }
    let mut fixed = |solid: Shape, position: Vec3| {
        let shape = builder.shape(solid);
        builder.fixed(shape, material, position);
    };
    let plane = |normal| Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap());
    fixed(plane(Normal::Z), v("0", "0", "-0.375"));
    fixed(plane(-Normal::Z), v("0", "0", "0.375"));
    for (sign, x) in [(1, "-600"), (-1, "600")] {
        if boxes {
            let turn =
                Rotation::from_quaternion(lit("3"), lit("0"), lit("0"), Scalar::from_bits(-sign << 32));
            // As steep as 3 : 4, with a face through the origin.
            fixed(Shape::Obb(Obb::new(v("1000", "1000", "4"), turn.unwrap())), v(x, "-800", "0"));
        } else {
            fixed(plane(Normal::new(sign as i32, 1, 0)), Vec3::ZERO);
        }
    }
    builder.build().unwrap()
}

fn balls_and_boxes() -> [Shape; 2] {
    [Shape::sphere(lit("0.25")), Shape::aabb(Vec3::splat(lit("0.2")))]
}

/// More momentum in a wedge than any impact limit can pass on.
fn jam(limits: Limits, solids: &[Shape; 2], boxes: bool, gravity: i64) -> World {
    let mut world = World::new(limits, wedge(boxes, solids)).unwrap();
    world.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -gravity, 0]) }]).accepted().unwrap();
    for index in 0..40_i64 {
        let mut draws = Rng::new(5).at(3, index as u64, 0);
        let position = [(2 * (index % 4) - 3) << 30, (index / 4 + 8) << 31, 0];
        let position = Vec3::from_raw(position.map(|c: i64| c + draws.between(-1 << 27, 1 << 27)));
        let kind =
            [BodyType::Kinematic, BodyType::Static, BodyType::Dynamic][draws.below(20).min(2) as usize];
        let velocity = if kind == BodyType::Static { Vec3::ZERO } else { v("0", "-0.35", "0") };
        let locks = if kind == BodyType::Dynamic && draws.below(8) == 0 { Locks::X } else { Locks::NONE };
        let (mass, group) = (1 + draws.below(9) as u32, draws.below(12).saturating_sub(9) as u16);
        let plain = Spawn::new(ShapeId(draws.below(2) as u16), position);
        let _ =
            world.apply(&[Command::Spawn(Spawn { body_type: kind, mass, velocity, locks, group, ..plain })]);
    }
    world
}

#[test]
fn a_jam_holds_the_same_bodies_whatever_the_order() {
    for (boxes, gravity, budget) in
        [(false, 0, 8), (true, 0, 3), (false, 11_000_000, 4), (true, 11_000_000, 16)]
    {
        let world = jam(Limits { budget, ..Limits::new(60) }, &balls_and_boxes(), boxes, gravity);
        let seen = assert_any_order(&world, 60);
        println!("boxes {boxes}, gravity {gravity}: {seen:?}");
        assert!(
            world.bodies().count() > 35
                && seen.impacts > 300
                && seen.events > 600
                && seen.shuffled > 2_000 * ORDERS,
            "{seen:?}"
        );
        assert!(seen.held > 20 || gravity > 0, "{seen:?}");
    }
}

#[test]
fn a_jam_of_capsules_holds_the_same_bodies_whatever_the_order() {
    let rods = [
        Shape::capsule(v("0.1", "0.05", "-0.12"), lit("0.15")),
        Shape::capsule(v("0", "0.08", "0"), lit("0.2")),
    ];
    for (boxes, gravity, budget) in [(false, 0, 8), (true, 11_000_000, 4)] {
        let world = jam(Limits { budget, ..Limits::new(60) }, &rods, boxes, gravity);
        let seen = assert_any_order(&world, 60);
        println!("boxes {boxes}, gravity {gravity}: {seen:?}");
        assert!(seen.impacts > 200 && seen.events > 400 && seen.shuffled > 10_000, "{seen:?}");
    }
}

/// Bricks, rods and spheres with rotation and friction fall into a wedge.
#[test]
fn a_heap_of_what_turns_is_the_same_whatever_the_order() {
    let solids = [
        Shape::Obb(Obb::along_axes(v("0.2", "0.1", "0.15"))),
        Shape::capsule(v("0", "0.15", "0"), lit("0.1")),
        Shape::sphere(lit("0.2")),
        Shape::hull(Hull::cylinder(lit("0.15"), lit("0.1"), 6).unwrap()),
    ];
    let heaps = [(10, "0.5", 4), (60, "0.5", 16), (20, "0", 3), (60, "1", 2)];
    for (rate, friction, budget) in heaps.into_iter().step_by(if cfg!(debug_assertions) { 2 } else { 1 }) {
        let mut builder = SceneryBuilder::default();
        let material = Material::new(lit("0.3")).unwrap().with_friction(friction.parse().unwrap()).unwrap();
        let material = builder.material(material);
        for solid in &solids {
            builder.shape(solid.clone());
        }
        for (x, y, z) in [(1, 1, 0), (-1, 1, 0), (0, 2, 1), (0, 2, -1)] {
            let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, z)).unwrap();
            let shape = builder.shape(Shape::Plane(plane));
            builder.fixed(shape, material, v("0", "-0.5", "0"));
        }
        let limits = Limits { budget, ..Limits::new(rate) };
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
        world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
        for index in 0..36_i64 {
            let mut draws = Rng::new(15).at(3, index as u64, 0);
            let cell = [index % 3 - 1, index / 9 + 2, index / 3 % 3 - 1];
            let position = Vec3::from_raw(cell.map(|c: i64| (c << 31) + draws.between(-1 << 27, 1 << 27)));
            let mut part = || Scalar::from_bits(draws.between(-1 << 32, 1 << 32));
            let orientation = Rotation::from_quaternion(part(), part(), part(), part()).unwrap();
            let velocity = limits.velocity_nearest(v("0", "-6", "0"));
            let (mass, shape) = (1 + draws.below(9) as u32, draws.below(3) as u16);
            let shape = ShapeId(if index % 4 == 3 { 3 } else { shape });
            let plain = Spawn { mass, velocity, ..Spawn::new(shape, position) };
            let spawn = Spawn { rotates: true, orientation, ..plain };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        let seen = assert_any_order(&world, 60);
        println!("{rate} Hz, friction {friction}: {seen:?}");
        assert!(seen.impacts > 50 && seen.shuffled > 1_000, "{seen:?}");
    }
}

#[test]
fn a_tick_is_halted_at_the_same_instant_whatever_the_order() {
    let (mut at_start, mut within) = (0, 0);
    for gravity in [0, 11_000_000] {
        for pairs_max in [60, 150, 300, 500, 800, 1_200] {
            let limits = Limits { pairs_max, ..Limits::new(60) };
            let seen = assert_any_order(&jam(limits, &balls_and_boxes(), false, gravity), 40);
            println!("gravity {gravity}, {pairs_max} pairs: {seen:?}");
            at_start += seen.halts - seen.halts_within;
            within += seen.halts_within;
        }
    }
    assert!(at_start > 20 && within > 20, "{at_start} at the start, {within} within a tick");
}

#[test]
fn bodies_that_lie_in_each_other_are_held_whatever_the_order() {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("1")));
    let scenery = builder.build().unwrap();
    for (count, pairs_max) in [(40, 1 << 22), (40, 600), (160, 1 << 22)] {
        let mut state = State::new(Limits { pairs_max, ..Limits::new(60) });
        state.gravity = Vec3::from_raw([0, -11_000_000, 0]);
        state.slots = (0..count)
            .map(|index| {
                let mut draws = Rng::new(6).at(0, index, 0);
                let mut vector = || Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 31, 1 << 31)));
                let (position, momentum) = (vector(), vector());
                let body = crate::state::Body { momentum, ..crate::state::Body::new(ShapeId(0), position) };
                crate::state::Slot { generation: 0, body: Some(body) }
            })
            .collect();
        let world = World::from_state(state, Arc::clone(&scenery)).unwrap();
        let seen = assert_any_order(&world, 8);
        println!("{count} bodies, {pairs_max} pairs: {seen:?}");
        assert!(seen.held > 0 && seen.shuffled > 100, "{seen:?}");
    }
}

/// Some are soft to each other, some solid and still overlapping; the second world has more than the limit on
/// tests.
#[test]
fn overlapping_bodies_part_the_same_whatever_the_order() {
    for (pairs_max, gravity) in [(1 << 22, 0), (1 << 22, 11_000_000), (300, 0)] {
        let limits = Limits { pairs_max, separation_speed: lit("0.0625"), ..Limits::new(60) };
        let mut world = World::new(limits, wedge(true, &balls_and_boxes())).unwrap();
        let soft = |a, b| Command::SetLayers { a, b, rule: Rule::Soft, allow_overlap: false };
        let gravity = Vec3::from_raw([0, -gravity, 0]);
        world.apply(&[soft(0, 0), soft(0, 1), Command::SetGravity { gravity }]).accepted().unwrap();
        for index in 0..60 {
            let mut draws = Rng::new(16).at(3, index, 0);
            let place = [(); 2].map(|()| draws.between(-1 << 31, 1 << 31));
            let position = Vec3::from_raw([place[0], place[1] + (3 << 32), 0]);
            let (layer, dominance) = (draws.below(2) as u8, draws.below(2) as u8);
            let plain = Spawn::new(ShapeId(draws.below(2) as u16), position);
            let spawn = Spawn { layer, dominance, mass: 1 + index as u32 % 5, allow_overlap: true, ..plain };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        let seen = assert_any_order(&world, 40);
        println!("{pairs_max} pairs: {seen:?}");
        assert!(seen.shuffled > 1_000 && (seen.halts > 0) == (pairs_max == 300), "{seen:?}");
    }
}
