//! Compounds, by hand: fighters, a cup, a table over a crate, and what is refused.

use std::sync::Arc;

use bitstep::{
    World,
    geom::Vec3,
    num::Toi,
    query::{PointQuery, QueryFilter, Ray},
    shape::Shape,
    state::{
        BodyId, ChildShape, Collider, Command, CompoundId, Limits, Material, Rule, Scenery, SceneryBuilder,
        ShapeId, Spawn, StateError,
    },
    tick::{EventKind, TickReport},
};

use crate::support::{overlaps, s, step, v};

const HURT: u8 = 1;
const HIT: u8 = 2;

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn at(shape: ShapeId, x: &str, y: &str, layer: Option<u8>) -> ChildShape {
    ChildShape { shape, offset: v(x, y, "0"), layer }
}

fn must(world: &mut World, commands: &[Command]) {
    let outcomes = world.apply(commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

fn refused(world: &mut World, command: Command) -> String {
    world.apply(&[command]).outcomes.remove(0).unwrap_err().reason.to_string()
}

const STAND: CompoundId = CompoundId(0);
const PUNCH: CompoundId = CompoundId(1);

/// Two fighters three units apart face each other. Each stands in a push box and has a somewhat larger hurt
/// box; a punch adds a hit box that reaches 1.5 units.
fn ring() -> World {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    let push = builder.shape(Shape::aabb(v("0.5", "1", "0.5")));
    let hurt = builder.shape(Shape::aabb(v("0.625", "1", "0.5")));
    let fist = builder.shape(Shape::aabb(v("0.5", "0.125", "0.125")));
    let stand = [at(push, "0", "0", None), at(hurt, "0", "0", Some(HURT))];
    assert_eq!(builder.compound(stand.to_vec()), STAND);
    assert_eq!(builder.compound([&stand[..], &[at(fist, "1", "0.5", Some(HIT))]].concat()), PUNCH);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let rule = |a, b, rule| Command::SetLayers { a, b, rule, allow_overlap: false };
    let ignore = |a, b| rule(a, b, Rule::Ignore);
    must(
        &mut world,
        &[
            ignore(0, HURT),
            ignore(0, HIT),
            ignore(HURT, HURT),
            ignore(HIT, HIT),
            rule(HURT, HIT, Rule::Sensor),
        ],
    );
    let fighter = |x, mirrored| {
        Command::Spawn(Spawn {
            mass: 80,
            ..Spawn::new(ShapeId::of_compound(STAND, mirrored), v(x, "0", "0"))
        })
    };
    must(&mut world, &[fighter("0", false), fighter("3", true)]);
    world
}

#[test]
fn a_fist_that_reaches_the_other_is_told_by_its_part() {
    let mut world = ring();
    let mut report = TickReport::default();
    world.enable_events(true);
    let punch = Command::SetCompound { body: id(0), compound: PUNCH, mirrored: false, allow_overlap: false };
    let back = Command::SetCompound { body: id(0), compound: STAND, mirrored: false, allow_overlap: false };
    let walk = |slot, x: &str| Command::SetVelocity { body: id(slot), velocity: v(x, "0", "0") };
    // The fist's end is at 1.5, the other's hurt box begins at 2.375; it comes at an eighth of a unit a tick.
    world.tick(&[punch, walk(1, "-0.125")], &mut report).accepted().unwrap();
    assert!(report.events.is_empty(), "{:?}", report.events);
    for tick in 2..=7 {
        world.step(&mut report);
        let told: Vec<_> = report.events.iter().map(|e| (e.kind, e.toi, e.a, e.b, e.children)).collect();
        let expected = (EventKind::Enter, Toi::END, id(0), Collider::Body(id(1)), [2, 1]);
        // 0.875 away: seven ticks bring it to a touch, which is not inside yet.
        assert_eq!(told, [expected; 0], "tick {tick}");
    }
    world.step(&mut report);
    let told: Vec<_> = report.events.iter().map(|e| (e.kind, e.toi.raw(), e.a, e.b, e.children)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    let (kind, toi, a, b, children) = told[0];
    assert_eq!((kind, a, b, children), (EventKind::Enter, id(0), Collider::Body(id(1)), [2, 1]));
    assert!(toi < 64, "{toi}");
    assert_eq!(report.events[0].to_string(), format!("u {}  enter 0 1 children 2 1", report.events[0].toi));
    // The fist goes back: its removal is no event of the tick, which begins without it.
    world.tick(&[back, walk(1, "0")], &mut report).accepted().unwrap();
    assert!(report.events.is_empty(), "{:?}", report.events);
    // Facing left it does not reach.
    let away = Command::SetCompound { body: id(0), compound: PUNCH, mirrored: true, allow_overlap: false };
    world.tick(&[away, walk(1, "-0.03125")], &mut report).accepted().unwrap();
    assert!(report.events.is_empty(), "{:?}", report.events);
    let solids: Vec<_> = world.body(id(0)).unwrap().solids(world.scenery()).collect();
    assert_eq!((solids[2].offset, solids[2].layer), (v("-1", "0.5", "0"), Some(HIT)));
    // The push boxes meet at the expected place, and their child numbers are 0.
    must(&mut world, &[walk(1, "-1.125")]);
    world.step(&mut report);
    let hits: Vec<_> = report.events.iter().map(|e| (e.kind, e.children)).collect();
    assert!(hits.contains(&(EventKind::Hit, [0, 0])), "{hits:?}");
    assert!(hits.iter().all(|(_, children)| *children == [0, 0]), "{hits:?}");
    assert_eq!(overlaps(&world), 0);
}

#[test]
fn a_switch_into_a_body_is_refused() {
    let mut world = ring();
    // A box where only a fist is, which does not collide with it.
    let mut punched = world.clone();
    let small = Spawn::new(ShapeId(2), v("1.25", "0.5", "0"));
    must(
        &mut punched,
        &[
            Command::SetCompound { body: id(0), compound: PUNCH, mirrored: false, allow_overlap: false },
            Command::Spawn(small),
        ],
    );
    assert_eq!(overlaps(&punched), 0);
    // The same fist, solid to push boxes: from 0.5 to 1.5, and a fighter's push box from 1.25.
    must(&mut world, &[Command::SetLayers { a: 0, b: HIT, rule: Rule::Solid, allow_overlap: false }]);
    must(
        &mut world,
        &[Command::Teleport {
            body: id(1),
            position: v("1.75", "0", "0"),
            orientation: None,
            allow_overlap: false,
        }],
    );
    let before = world.state().clone();
    let punch = |mirrored, allow_overlap| Command::SetCompound {
        body: id(0),
        compound: PUNCH,
        mirrored,
        allow_overlap,
    };
    assert_eq!(refused(&mut world, punch(false, false)), "would overlap 1");
    let no_set =
        Command::SetCompound { body: id(0), compound: CompoundId(2), mirrored: false, allow_overlap: true };
    assert_eq!(refused(&mut world, no_set), "compound is 2, must be in 0..=1");
    let wrapped = Command::SetCompound {
        body: id(0),
        compound: CompoundId(1 << 15),
        mirrored: false,
        allow_overlap: true,
    };
    assert_eq!(refused(&mut world, wrapped), "compound is 32768, must be in 0..=1");
    let absent = Command::SetCompound { body: id(7), compound: PUNCH, mirrored: false, allow_overlap: true };
    assert_eq!(refused(&mut world, absent), "no body 7");
    assert!(*world.state() == before);
    let mut mirrored = world.clone();
    must(&mut mirrored, &[punch(true, false)]);
    must(&mut world, &[punch(false, true)]);
    assert_eq!((overlaps(&mirrored), overlaps(&world)), (0, 1));
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!((report.overlapping, report.reverted.len()), (1, 0));
    // While the fist is in the other's push box, the push boxes still stop at each other.
    let walk = Command::SetVelocity { body: id(0), velocity: v("0.5", "0", "0") };
    must(&mut world, &[walk]);
    (0..4).for_each(|_| step(&mut world, &mut report));
    assert_eq!(overlaps(&world), 1);
}

#[test]
fn a_body_that_turns_has_no_aabb() {
    let mut world = ring();
    let turning = Spawn { rotates: true, ..Spawn::new(ShapeId::of_compound(STAND, false), v("0", "9", "0")) };
    let reason = "spin: an aabb never rotates: take an obb";
    assert_eq!(refused(&mut world, Command::Spawn(turning)), reason);
    let nothing = Spawn::new(ShapeId(60_000), v("0", "9", "0"));
    assert_eq!(refused(&mut world, Command::Spawn(nothing)), "shape is 60000, must be in 0..=2");
}

/// A world with a floor at 0 and a friction.
fn room(friction: &str, shapes: &[Shape], compounds: &[Vec<ChildShape>]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s("0")).unwrap().with_friction(s(friction)).unwrap());
    for shape in shapes {
        builder.shape(shape.clone());
    }
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    builder.fixed(floor, material, Vec3::ZERO);
    for children in compounds {
        builder.compound(children.clone());
    }
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let gravity = world.limits().gravity_nearest_even(v("0", "-9.81", "0"));
    must(&mut world, &[Command::SetGravity { gravity }]);
    world
}

/// True if a body is off its expected position on any axis.
fn off(world: &World, slot: u32, place: Vec3) -> bool {
    let way = world.body(id(slot)).unwrap().position - place;
    !way.within(s("0.002"))
}

#[test]
fn a_table_stands_over_a_crate_and_a_ball_lies_in_a_cup_on_it() {
    let (slab, leg) = (Shape::aabb(v("1", "0.125", "0.5")), Shape::aabb(v("0.125", "0.5", "0.5")));
    let (crate_, ball) = (Shape::aabb(v("0.5", "0.25", "0.25")), Shape::sphere(s("0.0625")));
    let (bottom, side) = (Shape::aabb(v("0.25", "0.0625", "0.25")), Shape::aabb(v("0.0625", "0.25", "0.25")));
    let child = |shape, x, y| at(ShapeId(shape), x, y, None);
    // The table's top is 1.25 above its feet, 0.625 above its center; the cup's bottom 0.0625 below its
    // center.
    let table = vec![child(0, "0", "0.5"), child(1, "-0.875", "-0.125"), child(1, "0.875", "-0.125")];
    let cup = vec![child(4, "0", "0"), child(5, "-0.1875", "0.3125"), child(5, "0.1875", "0.3125")];
    for friction in ["0", "0.5"] {
        let mut world = room(
            friction,
            &[slab.clone(), leg.clone(), crate_.clone(), ball.clone(), bottom.clone(), side.clone()],
            &[table.clone(), cup.clone()],
        );
        let put = |shape, mass, y| Command::Spawn(Spawn { mass, ..Spawn::new(shape, v("0", y, "0")) });
        let (table, cup) =
            (ShapeId::of_compound(CompoundId(0), false), ShapeId::of_compound(CompoundId(1), true));
        must(
            &mut world,
            &[put(ShapeId(2), 3, "0.3"), put(table, 10, "0.75"), put(cup, 2, "1.5"), put(ShapeId(3), 1, "2")],
        );
        let mut report = TickReport::default();
        for tick in 0..300 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick}");
            assert!(report.impact_limited.is_empty() && report.reverted.is_empty(), "{report:?}");
        }
        let places = ["0.25", "0.625", "1.3125", "1.4375"];
        for (slot, y) in (0..).zip(places) {
            assert!(
                !off(&world, slot, v("0", y, "0")),
                "{slot}: {:?}",
                world.body(id(slot)).unwrap().position
            );
        }
        let before = world.state().clone();
        (0..60).for_each(|_| step(&mut world, &mut report));
        let still =
            world.bodies().zip(before.bodies()).all(|((_, now), (_, then))| now.position == then.position);
        assert!(still, "bit-still at friction {friction}");
        // Pushed hard, the table takes the crate along between its legs, and the ball stays in the cup.
        let shove = Command::SetVelocity { body: id(1), velocity: v("0.25", "0", "0") };
        must(&mut world, &[shove]);
        for tick in 0..60 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "tick {tick} after the shove");
        }
        let x = |slot| world.body(id(slot)).unwrap().position.x;
        assert!((x(0) - x(1)).abs() <= s("0.251") && x(1) > s("0.5"), "{} {}", x(0), x(1));
        assert!((x(3) - x(2)).abs() < s("0.125"), "{} {}", x(3), x(2));
    }
}

#[test]
fn queries_say_which_part() {
    let world = ring();
    let view = world.query_view();
    let only = |layer: u8| QueryFilter { layers: 1 << layer, ..QueryFilter::ALL };
    let ray = Ray { origin: v("-4", "0.25", "0"), displacement: v("10", "0", "0") };
    let hit = view.ray(&ray, &only(0)).unwrap().unwrap();
    let is_near = |x: bitstep::num::Scalar, at: &str| (x - s(at)).abs() < s("0.00000001");
    assert!((hit.collider, hit.child) == (Collider::Body(id(0)), 0) && is_near(ray.at(hit.toi).x, "-0.5"));
    let hit = view.ray(&ray, &QueryFilter::ALL).unwrap().unwrap();
    assert!((hit.collider, hit.child) == (Collider::Body(id(0)), 1) && is_near(ray.at(hit.toi).x, "-0.625"));
    let mut hits = Vec::new();
    view.ray_all(&ray, &QueryFilter::ALL, &mut hits).unwrap();
    let told: Vec<_> = hits.iter().map(|hit| (hit.collider, hit.child)).collect();
    let of = |slot, child| (Collider::Body(id(slot)), child);
    assert_eq!(told, [of(0, 1), of(0, 0), of(1, 1), of(1, 0)]);
    let mut found = Vec::new();
    view.overlap(&Shape::sphere(s("2")), v("1.5", "0", "0"), &QueryFilter::ALL, &mut found).unwrap();
    assert_eq!(found, [Collider::Body(id(0)), Collider::Body(id(1))]);
    let mut near = Vec::new();
    let ball = PointQuery { center: v("1.5", "0", "0"), radius: s("0.9375") };
    view.radius(&ball, &QueryFilter::ALL, &mut near).unwrap();
    let told: Vec<_> = near.iter().map(|near| (near.collider, near.child, near.distance)).collect();
    assert_eq!(told, [(Collider::Body(id(0)), 1, s("0.875")), (Collider::Body(id(1)), 1, s("0.875"))]);
    let mut touching = Vec::new();
    view.contacts(id(0), s("1.875"), &QueryFilter::ALL, &mut touching).unwrap();
    let told: Vec<_> = touching.iter().map(|near| (near.collider, near.children, near.gap)).collect();
    let of = |children, gap: &str| (Collider::Body(id(1)), children, s(gap));
    assert_eq!(told, [of([1, 1], "1.75"), of([0, 1], "1.875"), of([1, 0], "1.875")]);
}

fn build(compounds: &[Vec<ChildShape>]) -> Result<Arc<Scenery>, StateError> {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(s("0.5")));
    builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    for children in compounds {
        builder.compound(children.clone());
    }
    builder.build()
}

#[test]
fn a_scenery_with_compounds_is_checked_and_survives_the_wire() {
    let ball = ChildShape::new(ShapeId(0));
    let far = |x: &str| ChildShape { offset: v(x, "0", "0"), ..ball };
    let cases = [
        (vec![], "compound 0, child 0: a compound has 1 to 32 child shapes"),
        (vec![ball; 33], "compound 0, child 33: a compound has 1 to 32 child shapes"),
        (
            vec![ball, ChildShape::new(ShapeId(1))],
            "compound 0, child 1: a child shape is a sphere, an aabb, an obb, a capsule or a hull",
        ),
        (
            vec![ChildShape::new(ShapeId(2))],
            "compound 0, child 0: the scenery has no such shape, or it is a compound",
        ),
        (vec![ChildShape { layer: Some(16), ..ball }], "compound 0, child 0: layer must be in 0..=15"),
        (vec![far("4095.75")], "compound 0, child 0: it reaches farther from the center than 4096"),
        (vec![far("-9000000")], "compound 0, child 0: it reaches farther from the center than 4096"),
    ];
    for (children, reason) in cases {
        assert_eq!(build(&[children]).unwrap_err().to_string(), reason);
    }
    let compounds = [vec![ball; 32], vec![far("-4095.5"), ChildShape { layer: Some(15), ..ball }]];
    let scenery = build(&compounds).unwrap();
    let bytes = scenery.encode();
    let again = Scenery::decode(&bytes).unwrap();
    assert_eq!((again.compounds(), again.content_hash()), (&compounds[..], scenery.content_hash()));
    assert_ne!(build(&compounds[..1]).unwrap().content_hash(), scenery.content_hash());
    assert_ne!(build(&[]).unwrap().content_hash(), scenery.content_hash());
    for end in 0..bytes.len() {
        if let Ok(shorter) = Scenery::decode(&bytes[..end]) {
            assert!(shorter.encode() == bytes[..end], "one scenery, one encoding");
        }
    }
    let mut empty = build(&[]).unwrap().encode();
    empty.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // one friction of 0
    assert!(Scenery::decode(&empty).is_err());
    empty.extend([0; 8]); // no compounds
    assert!(Scenery::decode(&empty).is_err());
}
