//! Soft bodies by hand: which one yields, by how much, and that none keeps a speed from it.

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, lit},
    shape::Shape,
    state::{
        Body, BodyId, BodyType, Command, Limits, Locks, Refusal, Rule, SceneryBuilder, ShapeId, Spawn, Static,
    },
    tick::{EventKind, TickReport},
};

use crate::support::{assert_clean, overlaps, shapes, step, v};

const BALL: ShapeId = ShapeId(0);
const BOX: ShapeId = ShapeId(1);

/// A sixteenth of a unit in a tick.
const SPEED: Scalar = lit("0.0625");

/// The displacement of two balls that overlap by 1/32: all but the 1/512 that may stay.
const ALL: Scalar = lit("0.029296875");

pub fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

pub fn body(world: &World, slot: u32) -> Body {
    *world.body(id(slot)).unwrap()
}

fn limits() -> Limits {
    Limits::new(60).with_separation_speed(SPEED)
}

pub fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

pub const fn soft(a: u8, b: u8) -> Command {
    Command::SetLayers { a, b, rule: Rule::Soft, allow_overlap: false }
}

/// Balls of radius 1/2 and boxes that are soft to their own layer, 0, without gravity.
fn crowd(restitution: &str, spawns: &[Spawn]) -> World {
    let solids = [Shape::sphere(lit("0.5")), Shape::aabb(v("0.5", "0.25", "1"))];
    let mut world = World::new(limits(), shapes(restitution, &solids)).unwrap();
    apply(&mut world, &[soft(0, 0)]);
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn ball(x: &str) -> Spawn {
    Spawn::new(BALL, v(x, "0", "0"))
}

fn x(world: &World, slot: u32) -> Scalar {
    body(world, slot).position.x
}

/// The displacement of each along x in a tick; the momenta stay the same.
fn moved(world: &mut World) -> Vec<Scalar> {
    let before = world.clone();
    let mut report = TickReport::default();
    step(world, &mut report);
    assert_clean(&report);
    assert_eq!((report.ledger.total(), report.impacts.len()), ([0; 3], 0));
    before
        .bodies()
        .zip(world.bodies())
        .map(|((_, before), (_, after))| {
            assert_eq!(after.momentum, before.momentum, "never launched");
            let way = after.position - before.position;
            assert_eq!((way.y, way.z), (lit("0"), lit("0")));
            way.x
        })
        .collect()
}

#[test]
fn two_share_an_overlap_by_their_masses() {
    let mut world = crowd("1", &[ball("0"), ball("0.96875")]);
    assert_eq!(moved(&mut world), [-ALL / 2, ALL / 2]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    let mut world = crowd("0", &[Spawn { mass: 3, ..ball("0") }, ball("0.96875")]);
    assert_eq!(moved(&mut world), [-ALL / 4, ALL / 4 * 3]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
}

#[test]
fn no_body_goes_faster_than_the_limit() {
    let mut world = crowd("1", &[ball("0"), ball("0.5")]);
    for left in ["0.375", "0.25", "0.125"] {
        assert_eq!(moved(&mut world), [-SPEED, SPEED]);
        assert_eq!(x(&world, 1) - x(&world, 0), lit("1") - left.parse::<Scalar>().unwrap());
    }
    let last = (lit("0.125") - lit("0.001953125")) / 2;
    assert_eq!(moved(&mut world), [-last, last]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
}

#[test]
fn the_lower_dominance_yields_and_the_top_one_never() {
    let with = |dominances: [u8; 2]| {
        let [a, b] = dominances;
        let spawns =
            [Spawn { dominance: a, mass: 9, ..ball("0") }, Spawn { dominance: b, ..ball("0.96875") }];
        moved(&mut crowd("0", &spawns))
    };
    let (none, all) = (lit("0"), ALL);
    assert_eq!(with([0, 1]), [-all, none]);
    assert_eq!(with([7, 3]), [none, all]);
    assert_eq!(with([255, 254]), [none, all]);
    assert_eq!(with([254, 255]), [-all, none]);
    assert_eq!(with([255, 255]), [none, none]);
    let [heavy, light] = with([5, 5])[..] else { panic!("two bodies") };
    assert!(
        (heavy + all / 10).abs() <= lit("0.000000001") && (light - all / 10 * 9).abs() <= lit("0.000000001")
    );
}

#[test]
fn dominance_is_set_by_command_for_dynamic_bodies() {
    let mut world = crowd("0", &[Spawn { dominance: 255, ..ball("0") }, ball("0.96875")]);
    apply(&mut world, &[Command::SetDominance { body: id(1), dominance: 255 }]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    apply(&mut world, &[Command::SetDominance { body: id(0), dominance: 254 }]);
    assert_eq!(moved(&mut world), [-ALL, lit("0")]);
    let wall = Spawn { body_type: BodyType::Kinematic, dominance: 1, ..ball("9") };
    let outcomes =
        world.apply(&[Command::Spawn(wall), Command::Spawn(Spawn { dominance: 0, ..wall })]).outcomes;
    assert_eq!(outcomes[0].clone().unwrap_err().reason.to_string(), "dominance: only a dynamic body yields");
    let refused = world.apply(&[Command::SetDominance { body: id(2), dominance: 3 }]).outcomes.remove(0);
    assert_eq!(
        refused.unwrap_err().reason,
        Refusal::BodyType { body: id(2), body_type: BodyType::Kinematic }
    );
}

#[test]
fn bodies_that_cannot_yield_leave_it_to_the_other() {
    let all = ALL;
    for kind in [BodyType::Static, BodyType::Kinematic] {
        let mut world =
            crowd("1", &[Spawn { body_type: kind, ..ball("0") }, Spawn { mass: 50, ..ball("0.96875") }]);
        assert_eq!(moved(&mut world), [lit("0"), all]);
        // Neither of two kinematic bodies is moved.
        let mut world =
            crowd("1", &[Spawn { body_type: kind, ..ball("0") }, Spawn { body_type: kind, ..ball("0.5") }]);
        assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    }
    let mut world = crowd("1", &[ball("0"), Spawn { locks: Locks::X, ..ball("0.96875") }]);
    assert_eq!(moved(&mut world), [-all, lit("0")]);
    let mut world = crowd("1", &[ball("0"), ball("0.96875")]);
    apply(&mut world, &[Command::Freeze { body: id(0), ticks: 1 }]);
    assert_eq!(moved(&mut world), [lit("0"), all]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
}

#[test]
fn groups_and_other_layers_are_no_part_of_it() {
    let mut world = crowd("1", &[Spawn { group: 1, ..ball("0") }, Spawn { group: 1, ..ball("0.5") }]);
    assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    for rule in [Rule::Ignore, Rule::Sensor] {
        let mut world = crowd("1", &[ball("0")]);
        apply(
            &mut world,
            &[
                Command::SetLayers { a: 0, b: 1, rule, allow_overlap: false },
                Command::Spawn(Spawn { layer: 1, ..ball("0.5") }),
            ],
        );
        assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    }
    let mut still = World::new(Limits::new(60), shapes("1", &[Shape::sphere(lit("0.5"))])).unwrap();
    apply(&mut still, &[soft(0, 0), Command::Spawn(ball("0")), Command::Spawn(ball("0.5"))]);
    assert_eq!(moved(&mut still), [lit("0"), lit("0")], "a world without a speed for it");
}

/// Soft bodies fly through each other: no impact, and the momenta stay the same.
#[test]
fn nothing_bounces_off_what_is_soft() {
    let velocity = v("0.5", "0", "0");
    let mut world =
        crowd("1", &[Spawn { velocity, ..ball("-3") }, Spawn { velocity: -velocity, ..ball("3") }]);
    let (mut report, mut kinds) = (TickReport::default(), Vec::new());
    world.enable_events(true);
    for _ in 0..20 {
        step(&mut world, &mut report);
        assert!(report.impacts.is_empty());
        kinds.extend(report.events.iter().map(|event| event.kind));
        assert_eq!((body(&world, 0).momentum, body(&world, 1).momentum), (velocity, -velocity));
    }
    assert_eq!(kinds, [EventKind::Enter, EventKind::Exit]);
    assert!(x(&world, 0) > lit("6") && x(&world, 1) < lit("-6"));
}

/// Only exactly coinciding centers leave the direction open; then it is that of their motion.
#[test]
fn a_body_exactly_at_the_place_of_another_goes_the_way_it_moves() {
    let mut world = crowd("1", &[ball("0"), ball("0")]);
    for _ in 0..5 {
        assert_eq!(moved(&mut world), [lit("0"), lit("0")]);
    }
    let push = Command::ApplyImpulse { body: id(1), impulse: v("0.0000000003", "0", "0") };
    apply(&mut world, &[push]);
    let raw = Scalar::DELTA;
    assert_eq!(moved(&mut world), [-SPEED, SPEED + raw]);
    assert_eq!(moved(&mut world), [-SPEED, SPEED + raw]);
}

/// Along the axis along which two boxes are least deep in each other.
#[test]
fn boxes_part_along_the_shortest_way() {
    let other = Spawn::new(BOX, v("0.25", "0.46875", "-0.5"));
    let mut world = crowd("1", &[Spawn::new(BOX, Vec3::ZERO), other]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!(body(&world, 0).position, v("0", "-0.01513671875", "0"));
    assert_eq!(body(&world, 1).position, v("0.25", "0.48388671875", "-0.5"));
}

/// A walking body is moved aside: gravity acts on it as before.
#[test]
fn along_gravity_no_body_is_moved() {
    let above = Spawn::new(BALL, v("0.5", "0.5", "0"));
    let mut world = crowd("0", &[ball("0"), above, Spawn::new(BALL, v("100", "0", "0"))]);
    apply(&mut world, &[Command::SetGravity { gravity: v("0", "-0.0078125", "0") }]);
    let mut report = TickReport::default();
    for _ in 0..9 {
        step(&mut world, &mut report);
        let [a, b, free] = [0, 1, 2].map(|slot| body(&world, slot));
        assert_eq!((a.momentum, b.momentum), (free.momentum, free.momentum));
        assert_eq!((a.position.y, b.position.y), (free.position.y, free.position.y + lit("0.5")));
    }
    let far = x(&world, 1) - x(&world, 0);
    assert!(far > lit("0.85") && far < lit("0.87"), "{far}: they touch half a unit above each other");
}

/// A soft zone of the scenery pushes bodies out of it.
#[test]
fn soft_statics_push_out() {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(bitstep::state::Material::INELASTIC);
    let shape = builder.shape(Shape::sphere(lit("0.5")));
    let zone = builder.shape(Shape::aabb(v("2", "2", "2")));
    let wall = Plane::from_point_normal(Vec3::ZERO, Normal::X).unwrap();
    let wall = builder.shape(Shape::Plane(wall));
    builder.add(Static { shape: zone, material, position: Vec3::ZERO, layer: 3 });
    builder.add(Static { shape: wall, material, position: v("-9", "0", "0"), layer: 0 });
    let mut world = World::new(limits(), builder.build().unwrap()).unwrap();
    apply(&mut world, &[soft(0, 3), Command::Spawn(Spawn::new(shape, v("1", "0.5", "0")))]);
    let mut report = TickReport::default();
    for _ in 0..40 {
        step(&mut world, &mut report);
        assert_eq!(body(&world, 0).momentum, Vec3::ZERO);
    }
    let out = |position: Vec3| (position.x.abs() - lit("2.498046875")).abs() <= Scalar::from_bits(2);
    let position = body(&world, 0).position;
    assert!(out(position) && position.x > lit("0") && position.y == lit("0.5"), "{position}");
    apply(
        &mut world,
        &[Command::Teleport {
            body: id(0),
            position: v("-1.5", "0", "0"),
            orientation: None,
            allow_overlap: false,
        }],
    );
    (0..40).for_each(|_| step(&mut world, &mut report));
    let position = body(&world, 0).position;
    assert!(out(position) && position.x < lit("0"), "{position}");
}

/// Solids that a command let overlap are separated at that speed, by class and mass too, and stay apart.
#[test]
fn solids_that_overlap_part_as_well() {
    for restitution in ["0", "1"] {
        for (dominance, gravity) in [(0, false), (200, false), (0, true)] {
            let turned = Rotation::from_quaternion(lit("4"), lit("1"), lit("0"), lit("0.5")).unwrap();
            let solids = [Shape::sphere(lit("0.5")), Shape::obb(v("0.5", "0.25", "1"), turned)];
            let mut world = World::new(limits(), shapes(restitution, &solids)).unwrap();
            let overlapping =
                |x, shape| Spawn { allow_overlap: true, ..Spawn::new(shape, v(x, "0.125", "0")) };
            apply(
                &mut world,
                &[
                    Command::Spawn(Spawn { dominance, ..overlapping("0", BALL) }),
                    Command::Spawn(overlapping("0.5", BOX)),
                    Command::Spawn(overlapping("0.75", BALL)),
                ],
            );
            if gravity {
                apply(&mut world, &[Command::SetGravity { gravity: v("0", "-0.0009765625", "0") }]);
            }
            let mut report = TickReport::default();
            let mut ticks = 0;
            while overlaps(&world) > 0 {
                let before = world.clone();
                step(&mut world, &mut report);
                assert!(report.overlapping > 0);
                for ((_, before), (id, after)) in before.bodies().zip(world.bodies()) {
                    assert!(gravity || after.momentum == Vec3::ZERO, "{id}");
                    let way = after.position - before.position - after.velocity();
                    assert!(way.within(SPEED + lit("0.001")), "{way}");
                    assert!(dominance == 0 || id.slot() != 0 || after == before, "{id} does not yield");
                }
                ticks += 1;
                assert!(ticks < 40, "they part");
            }
            step(&mut world, &mut report);
            assert_eq!((report.overlapping, overlaps(&world)), (0, 0));
        }
    }
}
