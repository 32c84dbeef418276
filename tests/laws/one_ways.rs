//! Platforms that are open on one side, by hand: jumped through, landed on, walked along, dropped through and
//! ridden.

use bitstep::{
    World,
    geom::{Rotation, Vec3, vec2},
    num::{Scalar, lit},
    shape::Shape,
    state::{
        Body, BodyId, BodyType, ChildShape, Collider, Command, CompoundId, Face, Limits, Locks, Material,
        Rule, SceneryBuilder, ShapeId, Sleep, Spawn, StaticId,
    },
    tick::{EventKind, TickReport},
};

use crate::support::{assert_clean, s, step, v};

const FIGHTER: ShapeId = ShapeId(0);
const BALL: ShapeId = ShapeId(1);
const LEDGE: ShapeId = ShapeId(2);
const LIFT: ShapeId = ShapeId(3);
const PLATFORM: StaticId = StaticId(0);

/// The layer of a fighter's other boxes, which collide with nothing.
const HURT: u8 = 1;

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn body(world: &World, slot: u32) -> Body {
    *world.body(id(slot)).unwrap()
}

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

/// A floor at y = 0 and a platform above it, open at the top: from 2 to 2.2, 2.8 wide.
fn stage(pull: &str, spawns: &[Spawn]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let fighter = builder.shape(Shape::aabb(v("0.4", "0.9", "0.4")));
    let ball = builder.shape(Shape::sphere(lit("0.25")));
    let ledge = builder.shape(Shape::aabb(v("1.4", "0.1", "1.4")));
    let lift = builder.shape(Shape::aabb(v("1.4", "0.1", "1.4")));
    let floor = builder.shape(Shape::aabb(v("9", "1", "9")));
    builder.one_way(ledge, Face::PlusY);
    builder.one_way(lift, Face::PlusY);
    builder.fixed(ledge, material, v("0", "2.1", "0"));
    builder.fixed(floor, material, v("0", "-1", "0"));
    let hurt = ChildShape { layer: Some(HURT), offset: v("0.1", "-1.2", "0"), ..ChildShape::new(ball) };
    builder.compound(vec![ChildShape::new(fighter), hurt]);
    // Legs that are solid, too, far below the trunk.
    builder.compound(vec![
        ChildShape::new(fighter),
        ChildShape { offset: v("0", "-1.5", "0"), ..ChildShape::new(ball) },
    ]);
    let limits = Limits::new(60);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", pull, "0"));
    apply(&mut world, &[Command::SetGravity { gravity }]);
    for other in 0..2 {
        apply(
            &mut world,
            &[Command::SetLayers { a: HURT, b: other, rule: Rule::Ignore, allow_overlap: false }],
        );
    }
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn run(world: &mut World, ticks: u32) -> TickReport {
    let mut report = TickReport::default();
    world.enable_events(true);
    for _ in 0..ticks {
        step(world, &mut report);
        assert_clean(&report);
        assert_eq!(report.overlapping, 0);
    }
    report
}

fn velocity(slot: u32, x: &str, y: &str) -> Command {
    Command::SetVelocity { body: id(slot), velocity: vec2(x.parse().unwrap(), y.parse().unwrap()) }
}

/// All uses of a platform by a fighter: a box, and compounds with boxes that collide with nothing, or do.
#[test]
fn a_fighter_jumps_up_through_it_stands_on_it_walks_along_it_and_drops_through_it() {
    let compounds = [CompoundId(0), CompoundId(1)].map(|set| ShapeId::of_compound(set, false));
    for (shape, feet) in [(FIGHTER, lit("0.9")), (compounds[0], lit("0.9")), (compounds[1], lit("1.75"))] {
        let stands = feet + lit("0.02");
        let mut world = stage("-30", &[Spawn { mass: 80, ..Spawn::new(shape, vec2(lit("0"), stands)) }]);
        run(&mut world, 10);
        apply(&mut world, &[velocity(0, "0", "0.28")]);
        let (mut report, mut landed, mut was_below) = (TickReport::default(), None, false);
        world.enable_events(true);
        for tick in 0..60 {
            step(&mut world, &mut report);
            assert_clean(&report);
            assert_eq!(report.overlapping, 0);
            let is_through = |impact: &bitstep::tick::Impact| impact.b == Collider::Static(PLATFORM);
            let is_falling = body(&world, 0).momentum.y <= lit("0");
            assert!(is_falling || !report.impacts.iter().any(is_through), "it jumps through");
            was_below |= body(&world, 0).position.y - feet < lit("2.2");
            let begins =
                |kind| report.events.iter().any(|e| e.kind == kind && e.b == Collider::Static(PLATFORM));
            if begins(EventKind::Begin) {
                landed = landed.or(Some(tick));
            }
            assert!(!begins(EventKind::End));
        }
        assert!(was_below && landed.is_some(), "{landed:?}");
        let on_top = |world: &World| (lit("2.2")..lit("2.25")).contains(&(body(world, 0).position.y - feet));
        assert!(on_top(&world), "it stands on it: {}", body(&world, 0).position.y);
        let before = body(&world, 0);
        for _ in 0..20 {
            apply(&mut world, &[velocity(0, "0.05", "0")]);
            run(&mut world, 1);
            assert!(on_top(&world), "it walks along it");
        }
        assert!(body(&world, 0).position.x > before.position.x + lit("0.99"));
        apply(&mut world, &[Command::IgnorePair { a: id(0), b: Collider::Static(PLATFORM), ticks: 4 }]);
        let report = run(&mut world, 40);
        assert!(report.impacts.is_empty());
        assert!((lit("0")..lit("0.05")).contains(&(body(&world, 0).position.y - feet)), "on the floor");
    }
}

/// A body that walks over its edge falls beside it.
#[test]
fn a_body_that_goes_over_the_edge_falls() {
    let mut world = stage("-30", &[Spawn::new(FIGHTER, v("1", "3.11", "0"))]);
    run(&mut world, 10);
    for _ in 0..20 {
        apply(&mut world, &[velocity(0, "0.05", "0")]);
        run(&mut world, 1);
    }
    run(&mut world, 60);
    let Vec3 { x, y, .. } = body(&world, 0).position;
    assert!(x > lit("1.8") && y < lit("1"), "{x} {y}");
}

/// To the raw: a body that touches the plane of the open side is on it, and one a raw deeper is not.
#[test]
fn a_raw_decides_whether_a_body_is_on_the_open_side() {
    let top = lit("2.1") + lit("0.1") + lit("0.9");
    for (more, stops) in [(0, true), (1, true), (-1, false), (-2, false), (200, true)] {
        let place = vec2(lit("0"), top + Scalar::from_bits(more));
        let mut world = stage("0", &[Spawn { velocity: v("0", "-4", "0"), ..Spawn::new(FIGHTER, place) }]);
        // There is the floor, but it is four units away.
        let report = run(&mut world, 1);
        let hits = report.impacts.iter().filter(|impact| impact.b == Collider::Static(PLATFORM)).count();
        assert_eq!((hits > 0, body(&world, 0).position.y > lit("3")), (stops, stops), "{more}");
    }
}

/// However fast it comes from the open side, it does not pass; from every other side it does.
#[test]
fn nothing_passes_from_the_open_side_and_all_from_the_others() {
    for (from, way) in [
        (v("0", "8", "0"), v("0", "-40", "0")),
        (v("0.5", "2.5", "0.25"), v("0.5", "-9", "0.125")),
        (v("1", "9", "-1"), v("-2", "-30", "3")),
        (v("0", "1", "0"), v("0", "7", "0")),
        (v("-6", "2.1", "0"), v("12", "0", "0")),
        (v("0", "2.1", "5"), v("0", "0.5", "-11")),
        (v("0", "2.1", "0"), v("0.25", "0.5", "0")),
    ] {
        let mut world = stage("0", &[Spawn { velocity: way, ..Spawn::new(BALL, from) }]);
        let report = run(&mut world, 1);
        let hits = report.impacts.iter().filter(|impact| impact.b == Collider::Static(PLATFORM)).count();
        let is_open = from.y > lit("2.4");
        assert_eq!(hits, usize::from(is_open), "{from:?}");
        assert_eq!(body(&world, 0).position == from + way, !is_open);
        assert!(!is_open || body(&world, 0).position.y > lit("2.4"));
    }
}

/// A body in it overlaps nothing: no command is refused for it, and nothing is counted.
#[test]
fn a_body_may_come_into_being_in_it() {
    let inside = v("0.25", "2.1", "0");
    let mut world = stage("0", &[Spawn::new(BALL, inside), Spawn::new(BALL, v("0", "5", "0"))]);
    let to = Command::Teleport {
        body: id(1),
        position: v("-0.5", "2", "0"),
        orientation: None,
        allow_overlap: false,
    };
    let shape = Command::SetShape { body: id(0), shape: FIGHTER, allow_overlap: false };
    let layers = |rule| Command::SetLayers { a: 0, b: 0, rule, allow_overlap: false };
    let lift = Spawn { body_type: BodyType::Kinematic, ..Spawn::new(LIFT, v("0.5", "2.2", "0.1")) };
    apply(&mut world, &[to, layers(Rule::Ignore), layers(Rule::Solid), Command::Spawn(lift)]);
    run(&mut world, 3);
    apply(&mut world, &[Command::Remove { body: id(1) }, shape]);
    assert!(run(&mut world, 3).events.is_empty());
    assert_eq!(body(&world, 0).position, inside);
}

/// A lift that is open at the top carries a body on it up and down, and passes one that stands below it.
#[test]
fn a_lift_that_is_open_at_the_top_is_ridden() {
    let lift = Spawn { body_type: BodyType::Kinematic, mass: 9, ..Spawn::new(LIFT, v("5", "0.5", "0")) };
    let rider = Spawn { mass: 80, ..Spawn::new(FIGHTER, v("5", "1.52", "0")) };
    let below = Spawn { mass: 80, ..Spawn::new(FIGHTER, v("6.5", "0.91", "0.5")) };
    let mut world = stage("-30", &[lift, rider, below]);
    run(&mut world, 10);
    let gap = |world: &World| body(world, 1).position.y - body(world, 0).position.y;
    for (speed, ticks) in [("0.05", 50), ("-0.05", 50), ("0.02", 60)] {
        apply(&mut world, &[velocity(0, "0", speed)]);
        for _ in 0..ticks {
            run(&mut world, 1);
            assert!(gap(&world) > lit("1"), "{}", gap(&world));
            assert!(body(&world, 2).position.y < lit("1"), "a body beside and below does not touch it");
        }
        assert!(gap(&world) < lit("1.06"), "{}", gap(&world));
    }
    apply(
        &mut world,
        &[Command::IgnorePair { a: id(1), b: Collider::Body(id(0)), ticks: 5 }, velocity(0, "0", "0")],
    );
    run(&mut world, 60);
    assert!(body(&world, 1).position.y < lit("1"), "dropped through the lift");
    // It comes down on both without touching them, and up through them.
    for speed in ["-0.1", "0.1"] {
        apply(&mut world, &[velocity(0, "0", speed)]);
        let report = run(&mut world, 9);
        assert!(report.blocked.is_empty() && body(&world, 1).position.y < lit("1"));
    }
}

/// A slope that is open on its upper face: a ball comes up through it, and lies on it.
#[test]
fn a_slanting_platform_is_open_across_its_face() {
    for (w, z) in [("0.99144", "0.13053"), ("0.95372", "-0.30071")] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC.with_friction(lit("2")).unwrap());
        let ball = builder.shape(Shape::aabb(v("0.25", "0.25", "0.25")));
        let turn = Rotation::from_quaternion(s(w), lit("0"), lit("0"), s(z)).unwrap();
        let slab = builder.shape(Shape::obb(v("40", "0.1", "9"), turn));
        builder.one_way(slab, Face::PlusY);
        builder.fixed(slab, material, Vec3::ZERO);
        let limits = Limits::new(60);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-10", "0"));
        let thrown = Spawn { velocity: v("0", "0.2", "0"), ..Spawn::new(ball, v("0", "-1", "0")) };
        apply(&mut world, &[Command::SetGravity { gravity }, Command::Spawn(thrown)]);
        let up = run(&mut world, 30);
        assert!(up.impacts.is_empty() && body(&world, 0).position.y > lit("1"), "{z}");
        let report = run(&mut world, 120);
        let Vec3 { x, y, .. } = body(&world, 0).position;
        assert!((lit("0")..lit("1.2")).contains(&y) && x.abs() < lit("1"), "it lies on the slope: {x} {y}");
        assert!(report.impacts.is_empty());
    }
}

#[test]
fn dynamic_and_rotating_bodies_are_not_open() {
    let mut world = stage("0", &[]);
    let refused = |world: &mut World, command| world.apply(&[command]).outcomes.remove(0).unwrap_err().reason;
    let spawn = Spawn::new(LIFT, v("0", "6", "0"));
    let why = "shape: a dynamic or rotating body is not open on one side";
    assert_eq!(refused(&mut world, Command::Spawn(spawn)).to_string(), why);
    apply(&mut world, &[Command::Spawn(Spawn::new(BALL, v("0", "6", "0")))]);
    let shape = Command::SetShape { body: id(0), shape: LEDGE, allow_overlap: true };
    assert_eq!(refused(&mut world, shape).to_string(), why);
}

/// A body that is not on the open side when a tick of several steps begins passes in all of them: it rises
/// out of the platform, and falls back through it. In ticks of one step it lands.
#[test]
fn a_tick_of_several_steps_asks_once() {
    for steps in [1, 4] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let ball = builder.shape(Shape::sphere(lit("0.25")));
        let ledge = builder.shape(Shape::aabb(v("2", "0.05", "2")));
        builder.one_way(ledge, Face::PlusY);
        builder.fixed(ledge, material, Vec3::ZERO);
        let limits = Limits::new(60).with_substeps(steps);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = Vec3::from_raw([0, 2 * (lit("-0.4").to_bits()), 0]);
        let rises = Spawn { velocity: v("0", "1", "0"), ..Spawn::new(ball, v("0", "-0.2", "0")) };
        apply(&mut world, &[Command::SetGravity { gravity }, Command::Spawn(rises)]);
        let mut report = TickReport::default();
        world.enable_events(true);
        for _ in 0..4 / steps {
            step(&mut world, &mut report);
        }
        let Vec3 { y, .. } = body(&world, 0).position;
        if steps == 1 {
            assert!((lit("0.3")..lit("0.31")).contains(&y), "it lands: {y}");
        } else {
            // 4 steps of 1 less 4² halves of .8.
            assert!((y - lit("-2.6")).abs() < lit("0.000001"), "it passes: {y}");
            assert!(report.impacts.is_empty() && report.events.is_empty(), "{:?}", report.events);
        }
    }
}

/// Every tick tests again, however many steps it has: a body that came through in one lands in the next.
#[test]
fn the_next_tick_asks_again() {
    let mut world = steps_over_a_ledge(4, Spawn { velocity: v("0", "1", "0"), ..ball_at("-2") });
    let mut report = TickReport::default();
    world.enable_events(true);
    step(&mut world, &mut report);
    assert!(report.impacts.is_empty() && body(&world, 0).position == v("0", "2", "0"));
    apply(&mut world, &[velocity(0, "0", "-1")]);
    step(&mut world, &mut report);
    assert_eq!(report.impacts.len(), 1);
    assert!((lit("0.3")..lit("0.31")).contains(&body(&world, 0).position.y));
}

/// A rod that stands in the platform as a tick begins, and is level and above it in its later steps, falls
/// through it: its orientation at the beginning of the tick decides.
#[test]
fn a_tick_of_several_steps_asks_how_one_lay() {
    let rod = Spawn {
        rotates: true,
        velocity: v("0", "0.2", "0"),
        angular_velocity: v("0", "0", "0.196"),
        ..Spawn::new(ROD, v("0", "1", "0"))
    };
    for (height, passes) in [("1", true), ("1.3", false)] {
        let mut world = steps_over_a_ledge(16, Spawn { position: v("0", height, "0"), ..rod });
        // After 8 steps it is back in its place, and level.
        let gravity = Vec3::from_raw([0, 2 * lit("-0.025").to_bits(), 0]);
        apply(&mut world, &[Command::SetGravity { gravity }]);
        let mut report = TickReport::default();
        world.enable_events(true);
        step(&mut world, &mut report);
        assert_eq!((report.impacts.is_empty(), report.events.is_empty()), (passes, passes), "{height}");
    }
}

/// A ball or a rod, without gravity, and a ledge whose top is at 0.05; ticks of so many steps.
fn steps_over_a_ledge(steps: u8, spawn: Spawn) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(lit("0.25")));
    builder.shape(Shape::capsule(v("0", "1", "0"), lit("0.1")));
    let ledge = builder.shape(Shape::aabb(v("2", "0.05", "2")));
    builder.one_way(ledge, Face::PlusY);
    builder.fixed(ledge, material, Vec3::ZERO);
    let limits = Limits::new(60).with_substeps(steps);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    apply(&mut world, &[Command::Spawn(spawn)]);
    world
}

fn ball_at(y: &str) -> Spawn {
    Spawn::new(ShapeId(0), v("0", y, "0"))
}

const ROD: ShapeId = ShapeId(1);

/// A body that sleeps in a platform that it has come through sleeps on, also in a world that separates
/// overlapping bodies, while others are separated.
#[test]
fn a_body_asleep_in_a_platform_is_not_moved_out_of_it() {
    for kind in [BodyType::Kinematic, BodyType::Static] {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.25")));
        let ledge = builder.shape(Shape::aabb(v("2", "0.1", "2")));
        builder.one_way(ledge, Face::PlusY);
        let limits = Limits::new(60).with_sleep_after(3).with_separation_speed(lit("0.0625"));
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let platform = Spawn { body_type: kind, ..Spawn::new(ledge, Vec3::ZERO) };
        // Beside them two overlap that cannot separate, and so are awake.
        let bound =
            Spawn { locks: Locks::ALL, allow_overlap: true, ..Spawn::new(ShapeId(0), v("2.5", "0", "0")) };
        let other = Spawn { position: v("2.5", "0.25", "0"), ..bound };
        apply(
            &mut world,
            &[platform, Spawn::new(ShapeId(0), v("1.9", "0", "0")), bound, other].map(Command::Spawn),
        );
        let (mut report, mut slept) = (TickReport::default(), 0);
        for _ in 0..30 {
            step(&mut world, &mut report);
            assert!(report.woke.is_empty(), "{kind:?}");
            slept += usize::from(world.sleep(id(1)) == Some(Sleep::Asleep));
        }
        assert_eq!((report.overlapping, slept), (1, 28), "{kind:?}");
    }
}
