//! Worlds full of platforms that are open on one side, under drawn commands: no body passes one from its open
//! side, space is fair, ids are names, and a snapshot is the whole state.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Rng,
    overlap::overlap_shapes,
    shape::{Obb, Shape},
    snapshot,
    state::{
        Body, BodyId, BodyType, ChildShape, Collider, Command, CompoundId, Face, Limits, Material, Scenery,
        SceneryBuilder, ShapeId, Spawn, StaticId,
    },
    tick::TickReport,
};

use crate::support::{change::Change, every, s, step, v};

const BODIES: u64 = 24;
const TICKS: u64 = 60;
const SHAPES: u64 = 5;
/// The platforms: six slabs along the axes, and two slanting ones.
const OPEN: u16 = 5;
const OPEN_COUNT: u64 = 8;
const STATICS: u64 = 14;
/// Number of bodies that are lifts, open on a side.
const LIFTS: u64 = 4;

fn scenery(restitution: &str) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let rough = Material::new(s(restitution)).unwrap().with_friction(s("0.5")).unwrap();
    let material = builder.material(rough);
    builder.shape(Shape::sphere(s("0.3")));
    builder.shape(Shape::aabb(v("0.25", "0.3", "0.2")));
    builder.shape(Shape::capsule(v("0", "0.3", "0"), s("0.2")));
    builder.shape(Shape::obb(v("0.3", "0.2", "0.25"), Rotation::IDENTITY));
    builder.shape(Shape::aabb(v("9", "0.5", "9")));
    for face in Face::OF_BOX {
        let (axis, _) = face.direction().unwrap();
        let mut half = [1 << 32; 3];
        half[axis] = 1 << 29;
        let slab = builder.shape(Shape::aabb(Vec3::from_raw(half)));
        builder.one_way(slab, face);
    }
    for (z, x) in [("0.25", "0.1"), ("-0.4", "0")] {
        let turn = Rotation::from_quaternion(s("1"), s(x), s("0.05"), s(z)).unwrap();
        let slab = builder.shape(Shape::Obb(Obb::new(v("1.2", "0.1", "0.9"), turn)));
        builder.one_way(slab, Face::PlusY);
    }
    builder.compound(vec![
        ChildShape { offset: v("0.2", "0.4", "0"), ..ChildShape::new(ShapeId(0)) },
        ChildShape { offset: v("-0.1", "-0.3", "0.1"), ..ChildShape::new(ShapeId(1)) },
    ]);
    builder.fixed(ShapeId(4), material, v("0", "-5.5", "0"));
    for number in 0..STATICS {
        let mut draws = Rng::new(3).at(0, number, 0);
        let place = Vec3::from_raw([(); 3].map(|()| draws.between(-5 << 31, 5 << 31)));
        builder.fixed(ShapeId(OPEN + draws.below(OPEN_COUNT) as u16), material, place);
    }
    builder.build().unwrap()
}

fn body(number: u64) -> Spawn {
    let mut draws = Rng::new(4).at(0, number, 0);
    let cell = [number % 3, number / 3 % 3, number / 9].map(|c| (c as i64 * 2 - 2) << 32);
    let position = Vec3::from_raw(cell.map(|c| c + draws.between(-1 << 29, 1 << 29)));
    let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 29, 1 << 29)));
    if number < LIFTS {
        let shape = ShapeId(OPEN + draws.below(6) as u16);
        let velocity = velocity.map_raw(|raw| raw / 8);
        return Spawn {
            body_type: BodyType::Kinematic,
            velocity,
            allow_overlap: true,
            ..Spawn::new(shape, position)
        };
    }
    let shape = match draws.below(SHAPES) {
        4 => ShapeId::of_compound(CompoundId(0), false),
        number => ShapeId(number as u16),
    };
    let mass = 1 + draws.below(4) as u32;
    Spawn { rotates: matches!(shape.0, 2 | 3), velocity, mass, ..Spawn::new(shape, position) }
}

/// The scene: elastic without gravity, or with gravity.
fn world(falls: bool, numbers: &[u64], change: &Change) -> World {
    let limits = Limits::new(30).with_sleep_after(if falls { 6 } else { 0 });
    let scenery = change.scenery_with_compounds(&scenery(if falls { "0" } else { "1" }));
    let mut world = World::new(limits, scenery).unwrap();
    let pull = if falls { limits.gravity_nearest_even(v("0", "-9", "0")) } else { Vec3::ZERO };
    let mut commands = vec![Command::SetGravity { gravity: change.vector(pull) }];
    commands.extend(numbers.iter().map(|&number| {
        let spawn = body(number);
        let (position, velocity) = (change.point(spawn.position), change.vector(spawn.velocity));
        Command::Spawn(Spawn { position, velocity, ..spawn })
    }));
    let outcomes = world.apply(&commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    world
}

/// The command before a tick, by number.
fn told(tick: u64, number: u64, id: BodyId, change: &Change) -> Option<Command> {
    let mut draws = Rng::new(6).at(1, number, tick);
    let vector = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 30, 1 << 30)));
    match draws.below(20) {
        0 if number >= LIFTS => Some(Command::ApplyImpulse { body: id, impulse: change.vector(vector) }),
        1 if number < LIFTS => {
            Some(Command::SetVelocity { body: id, velocity: change.vector(vector.map_raw(|raw| raw / 8)) })
        }
        2 => {
            let b = Collider::Static(StaticId(1 + draws.below(STATICS) as u32));
            Some(Command::IgnorePair { a: id, b, ticks: draws.below(12) as u32 })
        }
        3 if number >= LIFTS => {
            let position = change.point(vector.map_raw(|raw| raw * 10));
            Some(Command::Teleport { body: id, position, orientation: None, allow_overlap: false })
        }
        _ => None,
    }
}

struct Run {
    world: World,
    numbers: Vec<u64>,
    report: TickReport,
}

impl Run {
    fn of(falls: bool, numbers: Vec<u64>, change: &Change) -> Self {
        let mut world = world(falls, &numbers, change);
        world.enable_events(true);
        Self { world, numbers, report: TickReport::default() }
    }

    fn tick(&mut self, tick: u64, change: &Change) {
        let slots = (0..).zip(&self.numbers);
        let id = |slot| BodyId::from_parts(slot, 0);
        let commands: Vec<_> =
            slots.filter_map(|(slot, &number)| told(tick, number, id(slot), change)).collect();
        let _ = self.world.apply(&commands);
        let entry = self.world.clone();
        step(&mut self.world, &mut self.report);
        assert_no_body_passed(&entry, &self.world);
        assert_eq!(self.report.overlapping as usize, overlapping(&entry), "tick {tick}");
    }

    fn bodies(&self) -> Vec<(u64, Body)> {
        let number = |id: BodyId| self.numbers[id.slot() as usize];
        let mut all: Vec<_> = self.world.bodies().map(|(id, body)| (number(id), *body)).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all
    }
}

/// The platforms and their places: statics, then lifts.
fn platforms(world: &World) -> Vec<(Collider, ShapeId, Vec3)> {
    let scenery = world.scenery();
    let statics = (0..).map(|id| Collider::Static(StaticId(id))).zip(scenery.statics());
    let statics = statics.map(|(id, fixed)| (id, fixed.shape, fixed.position));
    let lifts = world.bodies().map(|(id, body)| (Collider::Body(id), body.shape, body.position));
    statics.chain(lifts).filter(|(_, shape, _)| scenery.open_face(*shape).is_some()).collect()
}

/// How far a solid at `offset` reaches behind the plane of the face along its axis, in raw; for slabs along
/// the axes.
fn depth(solid: &Shape, half: Vec3, face: Face, offset: Vec3) -> i64 {
    let (axis, sign) = face.direction().unwrap();
    let own = solid.bounds(Vec3::ZERO).unwrap().max.raw()[axis];
    half.raw()[axis] + own + sign * offset.raw()[axis]
}

/// A body that begins the tick on the open side of a slab ends it neither in the slab nor beyond it.
fn assert_no_body_passed(entry: &World, world: &World) {
    let (then, now) = (platforms(entry), platforms(world));
    for ((id, was), (_, is)) in
        entry.bodies().zip(world.bodies()).filter(|((_, b), _)| b.body_type == BodyType::Dynamic)
    {
        for ((platform, shape, from), (.., to)) in then.iter().zip(&now) {
            if entry.state().is_ignored(id, *platform) {
                continue;
            }
            let (solid, face) = (
                world.scenery().solids(*shape).unwrap()[0].shape.clone(),
                world.scenery().open_face(*shape).unwrap(),
            );
            let Shape::Aabb { half } = solid else { continue };
            let scenery = world.scenery();
            let is_open = |body: &Body, place: Vec3| {
                body.solids(scenery)
                    .all(|child| depth(&child.shape, half, face, place - body.position - child.offset) <= 0)
            };
            if !is_open(was, *from) || is_open(is, *to) {
                continue;
            }
            let (axis, sign) = face.direction().unwrap();
            for child in is.solids(scenery) {
                let way = *to - is.position - child.offset;
                assert!(!overlap_shapes(&child.shape, &solid, way), "{id} is in {platform}");
                let reach = child.shape.bounds(Vec3::ZERO).unwrap().max + half;
                let is_beside =
                    (0..3).any(|other| other != axis && way.raw()[other].abs() >= reach.raw()[other]);
                assert!(is_beside || sign * way.raw()[axis] < 0, "{id} is behind {platform}");
            }
        }
    }
}

/// Number of overlapping pairs of solids that are not platforms.
fn overlapping(world: &World) -> usize {
    let scenery = world.scenery();
    let bodies: Vec<_> = world.bodies().filter(|(_, body)| scenery.open_face(body.shape).is_none()).collect();
    let overlap = |a: &Body, b: &Body| {
        a.solids(scenery).any(|p| {
            b.solids(scenery)
                .any(|q| overlap_shapes(&p.shape, &q.shape, b.position + q.offset - a.position - p.offset))
        })
    };
    let floor = scenery.statics()[0];
    let floor = Body { body_type: BodyType::Static, ..Body::new(floor.shape, floor.position) };
    let mut count = 0;
    for (index, (_, body)) in bodies.iter().enumerate() {
        count += bodies[index + 1..].iter().filter(|(_, other)| overlap(body, other)).count();
        count += usize::from(overlap(body, &floor));
    }
    count
}

fn changes() -> impl Iterator<Item = Change> {
    Change::all(Change::KINDS).step_by(every(5))
}

/// A rotating frame is not the image of its mirror, but its position and motion are.
#[test]
fn a_mirrored_world_with_platforms_is_the_image() {
    for (falls, change) in
        [false, true].into_iter().flat_map(|falls| changes().map(move |change| (falls, change)))
    {
        let mut here = Run::of(falls, (0..BODIES).collect(), &Change::NONE);
        let mut there = Run::of(falls, (0..BODIES).collect(), &change);
        for tick in 0..TICKS / 3 {
            here.tick(tick, &Change::NONE);
            there.tick(tick, &change);
            assert_eq!(here.report.events, there.report.events, "tick {tick}, {change:?}");
            for ((id, ours), (_, theirs)) in here.world.bodies().zip(there.world.bodies()) {
                assert_eq!(theirs.position, change.point(ours.position), "{id}, tick {tick}, {change:?}");
                assert_eq!(theirs.momentum, change.vector(ours.momentum), "{id}, tick {tick}, {change:?}");
            }
        }
    }
}

#[test]
fn ids_are_names_where_there_are_platforms() {
    let orders: [fn(u64) -> u64; 2] = [|slot| BODIES - 1 - slot, |slot| slot * 5 % BODIES];
    for order in orders {
        let mut here = Run::of(false, (0..BODIES).collect(), &Change::NONE);
        let mut there = Run::of(false, (0..BODIES).map(order).collect(), &Change::NONE);
        for tick in 0..TICKS {
            here.tick(tick, &Change::NONE);
            there.tick(tick, &Change::NONE);
            let plain = |run: &Run| -> Vec<_> {
                run.bodies().into_iter().map(|(n, body)| (n, body.position, body.momentum)).collect()
            };
            assert_eq!(plain(&here), plain(&there), "tick {tick}");
        }
    }
}

/// Saved and restored before every tick it stays equal to the original; many bodies land, and many come
/// through.
#[test]
fn a_world_with_platforms_is_its_snapshot() {
    for falls in [false, true] {
        let mut here = Run::of(falls, (0..BODIES).collect(), &Change::NONE);
        let mut there = Run::of(falls, (0..BODIES).collect(), &Change::NONE);
        let (mut hits, mut inside, mut asleep) = (0, 0, 0);
        for tick in 0..4 * TICKS {
            there.world = snapshot::decode(&snapshot::encode(&here.world), here.world.scenery()).unwrap();
            there.world.enable_events(true);
            here.tick(tick, &Change::NONE);
            there.tick(tick, &Change::NONE);
            assert_eq!(here.world.state(), there.world.state(), "tick {tick}");
            assert_eq!(here.report, there.report, "tick {tick}");
            let is_open = |b: Collider| matches!(b, Collider::Static(id) if id.0 > 0);
            hits += here.report.impacts.iter().filter(|impact| is_open(impact.b)).count();
            asleep += here.world.sleepers().count();
            inside += in_platforms(&here.world);
        }
        println!("{hits} hits, {inside} inside, {asleep} asleep");
        assert!(hits > 25 && inside > 200 && (!falls || asleep > 0), "{hits} {inside} {asleep}");
    }
}

/// Number of bodies in platforms.
fn in_platforms(world: &World) -> usize {
    let (scenery, platforms) = (world.scenery(), platforms(world));
    let is_in = |body: &Body| {
        platforms.iter().any(|(_, shape, place)| {
            let solid = scenery.solids(*shape).unwrap()[0].shape.clone();
            body.solids(scenery)
                .any(|child| overlap_shapes(&child.shape, &solid, *place - body.position - child.offset))
        })
    };
    world.bodies().filter(|(_, body)| body.body_type == BodyType::Dynamic && is_in(body)).count()
}
