//! Compounds: their child shapes behave as bodies that move alike.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Rng,
    shape::{Obb, Shape},
    snapshot,
    state::{
        BodyId, BodyType, ChildShape, Collider, Command, CompoundId, Limits, Rule, Scenery, SceneryBuilder,
        ShapeId, Spawn,
    },
    tick::{ContactEvent, Impact, TickReport},
};

use crate::support::{change::Change, closed_box_that_rubs, overlaps, s, step, v};

const NONE: Vec3 = Vec3::ZERO;

/// The child shapes: a ball, a slab, a post, a rod and a slanting block.
fn solids() -> Vec<Shape> {
    let turn = Rotation::from_quaternion(s("3"), s("1"), s("-1"), s("0.5")).unwrap();
    vec![
        Shape::sphere(s("0.25")),
        Shape::aabb(v("0.5", "0.125", "0.25")),
        Shape::aabb(v("0.125", "0.375", "0.25")),
        Shape::capsule(v("0.1", "0.3", "-0.05"), s("0.15")),
        Shape::Obb(Obb::new(v("0.3", "0.125", "0.2"), turn)),
    ]
}

const fn child(shape: u16, offset: Vec3) -> ChildShape {
    ChildShape { shape: ShapeId(shape), offset, layer: None }
}

/// An L, a dumbbell, a cup, and a compound of all kinds with a child that only reports.
pub fn compounds() -> Vec<Vec<ChildShape>> {
    vec![
        vec![child(1, v("0", "-0.375", "0")), child(2, v("-0.375", "0.125", "0"))],
        vec![child(0, v("0.5", "0.125", "0")), child(0, v("-0.5", "-0.125", "0")), child(3, NONE)],
        vec![
            child(1, v("0", "-0.25", "0")),
            child(2, v("-0.375", "0.25", "0")),
            child(2, v("0.375", "0.25", "0")),
        ],
        vec![
            child(4, v("0.3", "0.2", "-0.1")),
            child(3, v("-0.35", "0", "0.1")),
            ChildShape { layer: Some(SENSORS), ..child(0, v("0", "0.75", "0")) },
        ],
    ]
}

const SENSORS: u8 = 5;

/// A copy of a scenery without its compounds, to add to.
fn copied(scenery: &Scenery) -> SceneryBuilder {
    let mut builder = SceneryBuilder::default();
    for material in scenery.materials() {
        builder.material(*material);
    }
    for shape in scenery.shapes() {
        builder.shape(shape.clone());
    }
    for fixed in scenery.statics() {
        builder.add(*fixed);
    }
    builder
}

pub fn yard(restitution: &str, friction: &str, compounds: &[Vec<ChildShape>]) -> Arc<Scenery> {
    let mut builder = copied(&closed_box_that_rubs((restitution, friction), &solids(), "4"));
    for children in compounds {
        builder.compound(children.clone());
    }
    builder.build().unwrap()
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn set(number: u16, mirrored: bool) -> ShapeId {
    ShapeId::of_compound(CompoundId(number), mirrored)
}

/// The initial positions and velocities of some bodies, a cell for each.
fn starts(count: i64) -> impl Iterator<Item = (u64, Vec3, Vec3)> {
    (0..count).map(|index| {
        let mut draws = Rng::new(31).at(2, index as u64, 0);
        let cell = [index % 3 - 1, index / 9 - 1, index / 3 % 3 - 1];
        let place = Vec3::from_raw(cell.map(|c| ((c * 9) << 30) + draws.between(-1 << 28, 1 << 28)));
        let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 29, 1 << 29)));
        (index as u64, place, velocity)
    })
}

fn gravity(world: &World) -> Command {
    Command::SetGravity { gravity: world.limits().gravity_nearest_even(v("1", "-9", "0.5")) }
}

fn must(world: &mut World, commands: &[Command]) {
    let outcomes = world.apply(commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

// ---------------------------------------------------------------- against single shapes

#[test]
fn a_compound_of_one_child_moves_as_its_shape_does() {
    let offset = v("0.3125", "-0.6875", "0.1875");
    let ones: Vec<_> = (0..5).map(|shape| vec![child(shape, offset)]).collect();
    for (restitution, friction, rate) in [("0.9", "0", 60), ("0", "0", 60), ("0.25", "0.5", 20)] {
        let scenery = yard(restitution, friction, &ones);
        let [mut plain, mut split] =
            [(); 2].map(|()| World::new(Limits::new(rate), Arc::clone(&scenery)).unwrap());
        for (index, place, velocity) in starts(27) {
            let mass = 1 + index as u32 % 7;
            let spawn = |shape, place| Spawn { mass, velocity, ..Spawn::new(shape, place) };
            let number = (index % 5) as u16;
            must(&mut plain, &[Command::Spawn(spawn(ShapeId(number), place))]);
            must(&mut split, &[Command::Spawn(spawn(set(number, false), place - offset))]);
        }
        let gravity = gravity(&plain);
        must(&mut plain, &[gravity]);
        must(&mut split, &[gravity]);
        let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
        plain.enable_events(true);
        split.enable_events(true);
        let mut impacts = 0;
        for tick in 0..150 {
            step(&mut plain, &mut ours);
            step(&mut split, &mut theirs);
            assert_eq!(ours, theirs, "tick {tick} at {restitution} {friction}");
            for ((id, one), (_, other)) in plain.bodies().zip(split.bodies()) {
                assert_eq!(one.position, other.position + offset, "{id}, tick {tick}");
                assert_eq!(one.momentum, other.momentum, "{id}, tick {tick}");
            }
            impacts += ours.impacts.len();
        }
        println!("{impacts} impacts at {restitution} {friction}");
        assert!(impacts > 60, "{impacts}");
    }
}

/// The impacts with the names of other worlds: a child shape of a body for a body.
fn named(impacts: &[Impact], name: impl Fn(BodyId, u8) -> (BodyId, u8)) -> Vec<Impact> {
    let of = |impact: &Impact| {
        let Impact { a, b, children, .. } = *impact;
        let (a, first) = name(a, children[0]);
        let (b, second) = match b {
            Collider::Body(b) => {
                let (b, second) = name(b, children[1]);
                (Collider::Body(b), second)
            }
            fixed => (fixed, children[1]),
        };
        Impact { a, b, children: [first, second], ..*impact }
    };
    impacts.iter().map(of).collect()
}

/// Two worlds in which balls and boxes fall around an object that goes to and fro: one body, or one for each
/// child shape.
fn about_a_thing(scenery: &Arc<Scenery>, children: &[ChildShape], kind: BodyType, rate: u32) -> [World; 2] {
    [false, true].map(|is_apart| {
        let mut world = World::new(Limits::new(rate), Arc::clone(scenery)).unwrap();
        let report = Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false };
        let gravity = gravity(&world);
        must(&mut world, &[gravity, report]);
        for (index, place, velocity) in starts(27).filter(|(index, ..)| *index != 4) {
            let (place, velocity) = (place.map_raw(|raw| raw / 5 * 3), velocity.map_raw(|raw| raw / 8));
            let spawn = Spawn { mass: 1 + index as u32 % 4, velocity, ..Spawn::new(ShapeId(0), place) };
            // Balls roll where there is friction.
            let rotates = index % 5 == 0 && scenery.materials()[0].friction_q16() > 0;
            must(
                &mut world,
                &[Command::Spawn(Spawn { rotates, shape: ShapeId((index % 5) as u16), ..spawn })],
            );
        }
        let place = v("0", "-2.875", "0");
        let thing = |shape, place| Spawn { body_type: kind, ..Spawn::new(shape, place) };
        if is_apart {
            for child in children {
                let layer = child.layer.unwrap_or(0);
                must(
                    &mut world,
                    &[Command::Spawn(Spawn { layer, ..thing(child.shape, place + child.offset) })],
                );
            }
        } else {
            must(&mut world, &[Command::Spawn(thing(set(0, false), place))]);
        }
        world
    })
}

#[test]
fn a_compound_meets_others_as_its_child_shapes_do() {
    for (number, children) in compounds().iter().enumerate() {
        let kind = if number % 2 == 0 { BodyType::Kinematic } else { BodyType::Static };
        let (mut impacts, mut of_children, mut events) = (0, [0; 3], 0);
        for (restitution, friction, rate) in [("0.8", "0", 60), ("0", "0", 60), ("0", "0.5", 20)] {
            let scenery = yard(restitution, friction, std::slice::from_ref(children));
            let [mut whole, mut apart] = about_a_thing(&scenery, children, kind, rate);
            let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
            whole.enable_events(true);
            apart.enable_events(true);
            let name = |body: BodyId, child: u8| match body.slot() {
                26 => (id(26 + u32::from(child)), 0),
                _ => (body, child),
            };
            for tick in 0..2 * rate {
                let velocity = v("2", "0", "-0.5").map_raw(|raw| raw / i64::from(rate));
                let velocity = if tick / (3 * rate / 4) % 2 == 0 { velocity } else { -velocity };
                let steer = |slot| Command::SetVelocity { body: id(slot), velocity };
                if kind == BodyType::Kinematic {
                    must(&mut whole, &[steer(26)]);
                    (0..children.len() as u32).for_each(|child| must(&mut apart, &[steer(26 + child)]));
                }
                step(&mut whole, &mut ours);
                step(&mut apart, &mut theirs);
                let at = format!("compound {number}, {restitution} {friction}, tick {tick}");
                if !ours.blocked.is_empty() || !ours.impact_limited.is_empty() {
                    break; // an obstacle that stops a child shape stops the whole compound
                }
                assert_eq!(named(&ours.impacts, name), theirs.impacts, "{at}");
                assert_eq!(ours.ledger, theirs.ledger, "{at}");
                for (slot, one) in whole.bodies().filter(|(id, _)| id.slot() < 26) {
                    assert_eq!(Some(one), apart.body(slot), "{at}");
                }
                let mut told: Vec<_> = Vec::new();
                for event in &ours.events {
                    let Collider::Body(b) = event.b else {
                        told.push(*event);
                        continue;
                    };
                    let (b, second) = name(b, event.children[1]);
                    told.push(ContactEvent {
                        b: Collider::Body(b),
                        children: [event.children[0], second],
                        ..*event
                    });
                }
                assert_eq!(told, theirs.events, "{at}");
                let with_thing = ours.impacts.iter().filter(|impact| impact.b == Collider::Body(id(26)));
                with_thing.for_each(|impact| of_children[usize::from(impact.children[1])] += 1);
                impacts += ours.impacts.len();
                events += ours.events.iter().filter(|event| event.children[1] > 0).count();
            }
        }
        println!("compound {number}: {impacts} impacts, {of_children:?} with children, {events} events");
        assert!(
            impacts > 150 && of_children[1] + of_children[2] > 2 && events > 9,
            "{impacts} {of_children:?} {events}"
        );
    }
}

// ---------------------------------------------------------------- crowds

/// Bodies of every compound, mirrored and not, among single shapes.
fn crowd(rate: u32, restitution: &str, friction: &str) -> World {
    let mut world = World::new(Limits::new(rate), yard(restitution, friction, &compounds())).unwrap();
    let report = Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false };
    let gravity = gravity(&world);
    must(&mut world, &[gravity, report]);
    for (index, place, velocity) in starts(27) {
        let shape = if index % 4 == 3 {
            ShapeId((index % 5) as u16)
        } else {
            set((index % 4) as u16 + u16::from(index % 8 > 4), index % 3 == 1)
        };
        let velocity = velocity.map_raw(|raw| raw / i64::from(rate) * 60 / 4);
        must(
            &mut world,
            &[Command::Spawn(Spawn { mass: 1 + index as u32 % 9, velocity, ..Spawn::new(shape, place) })],
        );
    }
    world
}

/// The commands of a tick: bodies change into other compounds and their mirror images, where there is room.
fn switches(tick: u64) -> Vec<Command> {
    let mut draws = Rng::new(8).at(0, 0, tick);
    let body = id(draws.below(29) as u32);
    let (set, mirrored) = (CompoundId(draws.below(5) as u16), draws.below(2) == 0);
    let allow_overlap = draws.below(24) == 0;
    match draws.below(3) {
        0 => vec![Command::SetCompound { body, compound: set, mirrored, allow_overlap }],
        1 => {
            vec![Command::SetShape { body, shape: ShapeId::of_compound(set, mirrored), allow_overlap: false }]
        }
        _ => vec![],
    }
}

#[test]
fn crowds_of_compounds_never_overlap() {
    for (rate, restitution, friction) in
        [(60, "0.9", "0"), (60, "0", "0"), (20, "0.3", "0.5"), (10, "0", "0.25")]
    {
        let mut world = crowd(rate, restitution, friction);
        let mut report = TickReport::default();
        world.enable_events(true);
        let (mut impacts, mut held, mut back, mut between_children) = (0, 0, 0, 0);
        for tick in 0..240 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick} at {rate} Hz, {restitution} {friction}");
            assert_eq!(report.overlapping, 0);
            impacts += report.impacts.len();
            held += report.impact_limited.len();
            back += report.reverted.len();
            between_children += report.impacts.iter().filter(|impact| impact.children != [0; 2]).count();
        }
        println!(
            "{rate} Hz {restitution} {friction}: {impacts} impacts, {between_children} of children, {held} held, {back} back"
        );
        assert!(impacts > 40 && between_children > 20, "{impacts} {between_children}");
        assert_eq!((held, back), (0, 0), "{rate} Hz, {restitution} {friction}");
    }
}

#[test]
fn a_crowd_restored_at_any_tick_goes_on_the_same() {
    const TICKS: usize = 100;
    let mut world = crowd(30, "0.4", "0.25");
    world.enable_events(true);
    let (mut reports, mut snapshots) = (Vec::new(), vec![snapshot::encode(&world)]);
    for tick in 0..TICKS {
        let mut report = TickReport::default();
        let _ = world.tick(&switches(tick as u64), &mut report);
        snapshots.push(snapshot::encode(&world));
        reports.push(report);
    }
    let outcomes = || reports.iter().flat_map(|report| &report.outcomes);
    let [done, refused] =
        [outcomes().filter(|o| o.is_ok()).count(), outcomes().filter(|o| o.is_err()).count()];
    println!("{done} switches, {refused} refused");
    assert!(done > 8 && refused > 8, "{done} {refused}");
    for start in 0..TICKS {
        let mut restored = snapshot::decode(&snapshots[start], world.scenery()).unwrap();
        restored.enable_events(true);
        let mut report = TickReport::default();
        let end = if start % 20 == 0 { TICKS } else { (start + 2).min(TICKS) };
        for tick in start..end {
            let _ = restored.tick(&switches(tick as u64), &mut report);
            assert_eq!(report, reports[tick], "tick {tick}, restored at {start}");
            assert!(snapshot::encode(&restored) == snapshots[tick + 1], "tick {tick}, restored at {start}");
        }
    }
}

#[test]
fn a_mirrored_crowd_of_mirrored_compounds_is_the_mirror_image() {
    let mirror = Change { signs: [-1, 1, 1], ..Change::NONE };
    for (restitution, friction) in [("0.8", "0"), ("0", "0.25")] {
        let mut here = crowd(60, restitution, friction);
        // In the mirrored world single shapes are mirrored, and compounds are made of shapes that are not:
        // their mirror images are used.
        let plain = mirror.scenery(&closed_box_that_rubs((restitution, friction), &solids(), "4"));
        let mut there = World::new(*here.limits(), with_images(&here, &plain)).unwrap();
        let report = Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false };
        must(&mut there, &[report, Command::SetGravity { gravity: mirror.vector(here.gravity()) }]);
        for (_, body) in here.bodies() {
            // A single shape becomes another shape, a compound its mirror image.
            let shape = match here.scenery().compound_of(body.shape) {
                Some((set, mirrored)) => ShapeId::of_compound(set, !mirrored),
                None => body.shape,
            };
            let (place, velocity) = (mirror.point(body.position), mirror.vector(body.velocity()));
            let spawn = Spawn { mass: body.mass, velocity, ..Spawn::new(shape, place) };
            must(&mut there, &[Command::Spawn(spawn)]);
        }
        compare(&mut here, &mut there, &mirror);
    }
}

/// A scenery whose single shapes are those of `there`, and whose compounds are those of `here`.
fn with_images(here: &World, there: &Scenery) -> Arc<Scenery> {
    let mut builder = copied(there);
    let own: Vec<_> = solids().iter().map(|shape| builder.shape(shape.clone())).collect();
    for children in here.scenery().compounds() {
        let children =
            children.iter().map(|child| ChildShape { shape: own[usize::from(child.shape.0)], ..*child });
        builder.compound(children.collect());
    }
    builder.build().unwrap()
}

fn compare(here: &mut World, there: &mut World, change: &Change) {
    let (mut ours, mut theirs) = (TickReport::default(), TickReport::default());
    here.enable_events(true);
    there.enable_events(true);
    for tick in 0..150 {
        step(here, &mut ours);
        step(there, &mut theirs);
        let turned = |impact: &Impact| Impact { normal: change.normal(impact.normal), ..*impact };
        let image: Vec<_> = ours.impacts.iter().map(turned).collect();
        assert_eq!(image, theirs.impacts, "tick {tick} of {change:?}");
        assert_eq!(ours.events, theirs.events, "tick {tick} of {change:?}");
        for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
            assert_eq!(theirs.position, change.point(ours.position), "{id}, tick {tick} of {change:?}");
            assert_eq!(theirs.momentum, change.vector(ours.momentum), "{id}, tick {tick} of {change:?}");
        }
    }
}

#[test]
fn a_crowd_seen_from_elsewhere_is_the_same() {
    let shift = v("100", "-3.25", "17.5");
    for change in [
        Change { axes: [1, 2, 0], ..Change::NONE },
        Change { axes: [0, 2, 1], signs: [1, -1, 1], ..Change::NONE },
        Change { signs: [-1, -1, -1], shift, ..Change::NONE },
    ] {
        for (restitution, friction) in [("0.8", "0"), ("0", "0.25")] {
            let mut here = crowd(60, restitution, friction);
            // Compounds and their mirror images, all as compounds of their own.
            let mut builder = copied(&change.scenery(here.scenery()));
            for name in (0..4).flat_map(|number| [set(number, false), set(number, true)]) {
                let mut children = Vec::new();
                for solid in here.scenery().solids(name).unwrap() {
                    let (shape, offset) =
                        (builder.shape(change.shape(&solid.shape)), change.vector(solid.offset));
                    children.push(ChildShape { shape, offset, layer: solid.layer });
                }
                builder.compound(children);
            }
            let mut there = World::new(*here.limits(), builder.build().unwrap()).unwrap();
            let report = Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false };
            must(&mut there, &[report, Command::SetGravity { gravity: change.vector(here.gravity()) }]);
            for (_, body) in here.bodies() {
                let shape = match here.scenery().compound_of(body.shape) {
                    Some((CompoundId(number), mirrored)) => set(2 * number + u16::from(mirrored), false),
                    None => body.shape,
                };
                let (place, velocity) = (change.point(body.position), change.vector(body.velocity()));
                let spawn = Spawn { mass: body.mass, velocity, ..Spawn::new(shape, place) };
                must(&mut there, &[Command::Spawn(spawn)]);
            }
            compare(&mut here, &mut there, &change);
        }
    }
}
