//! Worlds for the laws, and checks of every tick.

pub mod change;

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Rng, Scalar, lit},
    overlap::overlap_shapes,
    shape::Shape,
    state::{BodyId, Command, Done, Filter, Limits, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

/// The step through what a law is tried on: everything where code is optimised, which `.ci/run` tests too, and every so many where
/// overflow is checked.
pub const fn every(step: usize) -> usize {
    if cfg!(debug_assertions) { step } else { 1 }
}

/// A vector from decimals.
pub fn v(x: &str, y: &str, z: &str) -> Vec3 {
    Vec3::lit(x, y, z)
}

/// A number from a decimal.
pub fn s(text: &str) -> Scalar {
    text.parse().unwrap()
}

/// A vector per second as a vector per tick, exact where the rate divides it.
pub fn per_tick(per_second: Vec3, rate: i64) -> Vec3 {
    per_second.map_raw(|raw| raw / rate)
}

/// The command that moves a body to a position in its own orientation.
pub fn teleport(body: BodyId, position: Vec3, allow_overlap: bool) -> Command {
    Command::Teleport { body, position, orientation: None, allow_overlap }
}

/// A body to be spawned.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub shape: ShapeId,
    pub mass: u32,
    pub position: Vec3,
    pub velocity: Vec3,
}

/// A world with one material for everything.
pub fn world(limits: Limits, scenery: &Arc<Scenery>, starts: &[Start]) -> World {
    let mut world = World::new(limits, Arc::clone(scenery)).unwrap();
    for start in starts {
        spawn(&mut world, *start);
    }
    world
}

/// Spawns a body that must be accepted.
pub fn spawn(world: &mut World, start: Start) -> BodyId {
    let Start { shape, mass, position, velocity } = start;
    let spawn = Spawn { mass, velocity, ..Spawn::new(shape, position) };
    match world.apply(&[Command::Spawn(spawn)]).outcomes.remove(0) {
        Ok(Done::Spawned(id)) => id,
        outcome => panic!("spawn was answered with {outcome:?}"),
    }
}

/// A scenery of shapes in one material, without statics.
pub fn shapes(restitution: &str, shapes: &[Shape]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::new(s(restitution)).unwrap());
    for shape in shapes {
        builder.shape(shape.clone());
    }
    builder.build().unwrap()
}

/// A box of six planes around the origin, after the given shapes.
pub fn closed_box(restitution: &str, given: &[Shape], half: &str) -> Arc<Scenery> {
    closed_box_that_rubs((restitution, "0"), given, half)
}

/// The box in a material with a restitution and a friction.
pub fn closed_box_that_rubs(
    (restitution, friction): (&str, &str),
    given: &[Shape],
    half: &str,
) -> Arc<Scenery> {
    let material = Material::new(s(restitution)).unwrap().with_friction(s(friction)).unwrap();
    closed_box_with_blocks(material, given, s(half), 0)
}

/// The box, and so many blocks of one unit side by side under its floor.
fn closed_box_with_blocks(material: Material, given: &[Shape], half: Scalar, blocks: i64) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(material);
    for shape in given {
        builder.shape(shape.clone());
    }
    for (axis, normal) in [Normal::X, Normal::Y, Normal::Z].into_iter().enumerate() {
        for (normal, sign) in [(normal, -1), (-normal, 1)] {
            let wall = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
            let mut position = [0; 3];
            position[axis] = half.to_bits() * sign;
            builder.fixed(wall, material, Vec3::from_raw(position));
        }
    }
    let block = (blocks > 0).then(|| builder.shape(Shape::aabb(Vec3::splat(HALF))));
    for (index, block) in (0..blocks).zip(block.into_iter().cycle()) {
        let below = -half.to_bits() - (1 << 31);
        let position = [((index % 142 - 71) << 32), ((index / 142 - 71) << 32), below];
        builder.fixed(block, material, Vec3::from_raw(position));
    }
    builder.build().unwrap()
}

/// A closed box of `side` cubed elastic balls of radius .25 at 5 % packing, 5 to 20 units per second at 60
/// ticks per second.
pub fn gas(side: i64, seed: u64) -> World {
    gas_beside(side, seed, 0)
}

/// The gas, in a scenery with many blocks under the floor of its box.
pub fn gas_beside(side: i64, seed: u64, blocks: i64) -> World {
    let spacing = s("1.0940");
    let half = Scalar::from_bits(spacing.to_bits() * side / 2);
    let scenery = closed_box_with_blocks(Material::ELASTIC, &[Shape::sphere(s("0.25"))], half, blocks);
    let rng = Rng::new(seed);
    let mut starts = Vec::new();
    for index in 0..side * side * side {
        let cell = [index % side, index / side % side, index / side / side];
        let mut draws = rng.at(1, index as u64, 0);
        let position = cell.map(|c| {
            let corner = spacing.to_bits() * c - half.to_bits();
            corner + spacing.to_bits() / 2 + draws.between(-(1 << 30), 1 << 30)
        });
        let speed = s("0.19").to_bits();
        let velocity = [0; 3].map(|_: i32| draws.between(-speed, speed));
        starts.push(Start {
            shape: ShapeId(0),
            mass: 1,
            position: Vec3::from_raw(position),
            velocity: Vec3::from_raw(velocity),
        });
    }
    let bodies_max = Limits::new(60).bodies_max.max(starts.len() as u32);
    world(Limits::new(60).with_bodies_max(bodies_max), &scenery, &starts)
}

/// Elastic balls of radius .05 in a closed box, each at a speed per tick in a direction of its own.
pub fn bullets(count: u64, half: &str, speed: &str) -> World {
    let scenery = closed_box("1", &[Shape::sphere(s("0.05"))], half);
    let (half, speed) = (s(half).to_bits(), i128::from(s(speed).to_bits()));
    let mut world = World::new(Limits::new(60), scenery).unwrap();
    for index in 0..count {
        let mut draws = Rng::new(9).at(1, index, 0);
        let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-half * 15 / 16, half * 15 / 16)));
        let way = [0; 3].map(|_: i32| i128::from(draws.between(-1 << 30, 1 << 30)));
        let length = way.map(|c| c * c).iter().sum::<i128>().isqrt();
        let velocity = Vec3::from_raw(way.map(|c| (c * speed / (length + 1)) as i64));
        let material = bitstep::state::MaterialId(0);
        let spawn = Spawn { material, velocity, ..Spawn::new(ShapeId(0), position) };
        let _ = world.apply(&[Command::Spawn(spawn)]); // a spawn without room is left out
    }
    world
}

/// Steps one tick and checks it: the ledger closes, and impacts are in order.
pub fn step(world: &mut World, report: &mut TickReport) {
    let before = world.momentum_wide();
    world.step(report);
    let after = world.momentum_wide();
    let total = report.ledger.total();
    for axis in 0..3 {
        assert_eq!(after[axis] - before[axis], total[axis], "ledger, axis {axis}, tick {}", report.tick);
    }
    assert_eq!(report.tick, world.tick_count());
    assert!(report.impacts.is_sorted_by_key(|impact| impact.toi), "impacts by time, tick {}", report.tick);
}

/// Number of pairs solid to each other that overlap now, by the exact predicate; of all pairs whose extents
/// meet along x.
pub fn overlaps(world: &World) -> usize {
    let (scenery, layers) = (world.scenery(), &world.state().layers);
    let mut bodies: Vec<_> = Vec::new();
    for (id, body) in world.bodies() {
        for solid in body.solids(scenery) {
            let (place, layer) = (body.position + solid.offset, solid.layer.unwrap_or(body.layer));
            let own = (place, solid.shape.clone(), Filter { layer, ..body.filter() }, Some(id));
            bodies.push((solid.shape.bounds(place).unwrap(), own));
        }
    }
    bodies.sort_by_key(|(bounds, _)| bounds.min.x);
    let statics: Vec<_> = (scenery.statics().iter())
        .map(|fixed| {
            (fixed.position, scenery.shapes()[usize::from(fixed.shape.0)].clone(), fixed.filter(), None)
        })
        .collect();
    let mut count = 0;
    for (index, (bounds, (position, own, filter, id))) in bodies.iter().enumerate() {
        let near = bodies[index + 1..].iter().take_while(|(other, _)| other.min.x <= bounds.max.x);
        let others = near.map(|(_, other)| other).chain(&statics);
        let clashes = |(other, form, other_filter, other_id): &&(Vec3, Shape, Filter, Option<BodyId>)| {
            id != other_id
                && layers.is_solid(*filter, *other_filter)
                && overlap_shapes(own, form, *other - *position)
        };
        count += others.filter(clashes).count();
    }
    count
}

/// Asserts that a tick needed no safety net.
pub fn assert_clean(report: &TickReport) {
    let clean = report.impact_limited.is_empty()
        && report.reverted.is_empty()
        && report.out_of_bounds.is_empty()
        && report.speed_clamped == 0;
    assert!(clean, "{report:?}");
}

/// The unit ball of the laws.
pub const HALF: Scalar = lit("0.5");
