//! Ignored pairs, by hand: dropping through, throwing, and the end of the ticks in which a pair is ignored.

use bitstep::{
    World,
    geom::Vec3,
    num::{Scalar, lit},
    shape::Shape,
    snapshot,
    state::{
        Body, BodyId, BodyType, ChildShape, Collider, Command, Limits, Material, Refusal, Rule,
        SceneryBuilder, ShapeId, Sleep, Spawn, State, StaticId,
    },
    tick::{EventKind, TickReport},
};

use crate::support::{assert_clean, overlaps, step, v};

const BALL: ShapeId = ShapeId(0);
const CUBE: ShapeId = ShapeId(1);
const SLAB: StaticId = StaticId(0);

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn body(world: &World, slot: u32) -> Body {
    *world.body(id(slot)).unwrap()
}

/// A slab whose upper face is at y = 0, with optional gravity; shapes are a ball and a cube of one unit, and
/// the slab; a compound has two balls side by side.
fn room(pull: &str, sleep_after: u8, spawns: &[Spawn]) -> World {
    room_with((pull, false), sleep_after, spawns)
}

/// The same in a scenery with or without the compound, which makes searches take other branches.
fn room_with((pull, has_compounds): (&str, bool), sleep_after: u8, spawns: &[Spawn]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.5")).unwrap());
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
    let slab = builder.shape(Shape::aabb(v("8", "0.25", "8")));
    builder.fixed(slab, material, v("0", "-0.25", "0"));
    let beside = |x| ChildShape { offset: v(x, "0", "0"), ..ChildShape::new(ball) };
    if has_compounds {
        builder.compound(vec![beside("-0.6"), beside("0.6")]);
    }
    let limits = Limits::new(60).with_sleep_after(sleep_after);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", pull, "0"));
    apply(&mut world, &[Command::SetGravity { gravity }]);
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

fn refused(world: &mut World, command: Command) -> Refusal {
    world.apply(&[command]).outcomes.remove(0).unwrap_err().reason
}

fn but(a: u32, b: Collider, ticks: u32) -> Command {
    Command::IgnorePair { a: id(a), b, ticks }
}

fn other(slot: u32) -> Collider {
    Collider::Body(id(slot))
}

fn run(world: &mut World, report: &mut TickReport, ticks: u32) {
    (0..ticks).for_each(|_| step(world, report));
}

#[test]
fn a_body_drops_through_what_it_lies_on_for_as_long_as_was_said() {
    for shape in [BALL, CUBE, ShapeId::of_compound(bitstep::state::CompoundId(0), false)] {
        let has_compounds = shape.0 > 9;
        let mut world = room_with(("-10", has_compounds), 0, &[Spawn::new(shape, v("0", "0.55", "0"))]);
        let mut report = TickReport::default();
        world.enable_events(true);
        run(&mut world, &mut report, 60);
        assert!(body(&world, 0).position.y > lit("0.5"), "it lies on the slab");
        apply(&mut world, &[but(0, Collider::Static(SLAB), 40)]);
        for left in (0..40_u64).rev() {
            let before = body(&world, 0);
            step(&mut world, &mut report);
            assert_clean(&report);
            assert!(report.impacts.is_empty() && report.events.is_empty() && report.overlapping == 0);
            let fell = before.position + before.velocity() + world.gravity().map_raw(|raw| raw / 2);
            assert_eq!(body(&world, 0).position, fell, "it falls freely");
            let until = world.state().ignored_pairs.first().map(|pair| pair.until);
            assert_eq!(until, (left > 0).then(|| world.tick_count() + left));
        }
        assert!(body(&world, 0).position.y < lit("-1"));
        apply(&mut world, &[Command::SetVelocity { body: id(0), velocity: v("0", "0.5", "0") }]);
        let mut hits = 0;
        for _ in 0..30 {
            step(&mut world, &mut report);
            hits += report.impacts.len();
            assert!(body(&world, 0).position.y < lit("-1"), "from below it is solid again");
        }
        assert!(hits > 0 && overlaps(&world) == 0);
    }
}

/// A ball is spawned in a cube that throws it, and passes out of it; then it is solid to it.
#[test]
fn a_thrown_body_passes_the_one_that_throws_it() {
    let mut world = room("0", 0, &[Spawn { mass: 9, ..Spawn::new(CUBE, v("0", "3", "0")) }]);
    let within = Spawn { velocity: v("0.125", "0", "0"), ..Spawn::new(BALL, v("0.25", "3", "0")) };
    assert_eq!(refused(&mut world, Command::Spawn(within)), Refusal::Overlaps { with: other(0) });
    let thrown = Command::Spawn(Spawn { allow_overlap: true, ..within });
    apply(&mut world, &[thrown, but(1, other(0), 12)]);
    let pair = world.state().ignored_pairs[0];
    assert_eq!((pair.a, pair.b, pair.until), (id(0), other(1), 12), "the smaller slot first");
    let mut report = TickReport::default();
    world.enable_events(true);
    for _ in 0..12 {
        step(&mut world, &mut report);
        assert!(report.impacts.is_empty() && report.events.is_empty() && report.overlapping == 0);
    }
    assert_eq!(body(&world, 1).position, v("1.75", "3", "0"));
    assert_eq!(body(&world, 0).position, v("0", "3", "0"));
    apply(&mut world, &[Command::SetVelocity { body: id(1), velocity: v("-0.5", "0", "0") }]);
    run(&mut world, &mut report, 2);
    assert!(body(&world, 0).momentum.x < lit("0") && overlaps(&world) == 0, "then it strikes it");
}

/// A pair that overlaps when it is ignored no more may separate, and gets no deeper.
#[test]
fn a_pair_that_overlaps_at_the_end_is_one_that_was_let_overlap() {
    for (ends_by_command, velocity) in
        [(false, "-0.0625"), (true, "-0.0625"), (false, "0.0625"), (true, "0.0625")]
    {
        let ball = |x| Spawn::new(BALL, v(x, "3", "0"));
        let mut world = room("0", 0, &[ball("0"), ball("1.25")]);
        let mut report = TickReport::default();
        let ticks = if ends_by_command { 100 } else { 2 };
        let to = |velocity| Command::SetVelocity { body: id(1), velocity: v(velocity, "0", "0") };
        apply(&mut world, &[but(0, other(1), ticks), to("-0.25")]);
        run(&mut world, &mut report, 2);
        let apart = |world: &World| body(world, 1).position.x - body(world, 0).position.x;
        assert_eq!((apart(&world), report.overlapping), (lit("0.75"), 0));
        apply(&mut world, &[to(velocity)]);
        if ends_by_command {
            apply(&mut world, &[but(1, other(0), 0)]);
        }
        let mut most = lit("0.75");
        for _ in 0..10 {
            step(&mut world, &mut report);
            assert!(apart(&world) >= most - Scalar::from_bits(16), "deeper");
            assert_eq!(report.overlapping, u32::from(most < lit("1")));
            most = most.max(apart(&world));
        }
        assert!(velocity != "0.0625" || most > lit("1"), "a separating pair is not held back");
    }
}

#[test]
fn a_second_command_replaces_the_count_and_0_ends_it() {
    let ball = |x| Spawn::new(BALL, v(x, "3", "0"));
    let mut world = room("0", 0, &[ball("0"), ball("3"), ball("6")]);
    let mut report = TickReport::default();
    let until = |world: &World| world.state().ignored_pairs.iter().map(|e| e.until).collect::<Vec<_>>();
    apply(&mut world, &[but(0, other(1), 9), but(1, other(0), 3), but(2, Collider::Static(SLAB), 5)]);
    assert_eq!(until(&world), [3, 5]);
    run(&mut world, &mut report, 2);
    apply(&mut world, &[but(0, other(1), u32::MAX), but(2, Collider::Static(SLAB), 0)]);
    assert_eq!(until(&world), [2 + u64::from(u32::MAX)]);
    apply(&mut world, &[but(2, Collider::Static(SLAB), 0)]); // this pair is not ignored
    apply(&mut world, &[Command::Remove { body: id(1) }]);
    assert!(until(&world).is_empty());
    apply(&mut world, &[Command::Spawn(ball("3"))]);
    assert!(until(&world).is_empty(), "the new body in the slot has none");
}

#[test]
fn a_missing_body_is_in_no_ignored_pair() {
    let mut world = room("0", 0, &[Spawn::new(BALL, v("0", "3", "0"))]);
    assert_eq!(refused(&mut world, but(7, other(0), 1)), Refusal::NoBody { body: id(7) });
    assert_eq!(refused(&mut world, but(0, other(7), 1)), Refusal::NoBody { body: id(7) });
    let itself = refused(&mut world, but(0, other(0), 1)).to_string();
    assert_eq!(itself, "b: a body cannot ignore itself");
    let nothing = refused(&mut world, but(0, Collider::Static(StaticId(1)), 1)).to_string();
    assert_eq!(nothing, "b: the scenery has no such static");
    assert!(world.state().ignored_pairs.is_empty());
}

/// While it holds, commands may put one of the two into the other, and no others.
#[test]
fn no_command_is_refused_for_an_ignored_pair() {
    let ball = |x| Spawn::new(BALL, v(x, "3", "0"));
    let mut world = room("0", 0, &[ball("0"), ball("3"), ball("6")]);
    let onto = |x| Command::Teleport {
        body: id(0),
        position: v(x, "3", "0"),
        orientation: None,
        allow_overlap: false,
    };
    apply(&mut world, &[but(0, other(1), 5), onto("3")]);
    assert_eq!(refused(&mut world, onto("6")), Refusal::Overlaps { with: other(2) });
    let into_slab = Command::Teleport {
        body: id(2),
        position: v("6", "0", "0"),
        orientation: None,
        allow_overlap: false,
    };
    assert_eq!(refused(&mut world, into_slab), Refusal::Overlaps { with: Collider::Static(SLAB) });
    apply(&mut world, &[but(2, Collider::Static(SLAB), 2), into_slab]);
    apply(
        &mut world,
        &[Command::Teleport {
            body: id(2),
            position: v("6", "3", "0"),
            orientation: None,
            allow_overlap: false,
        }],
    );
    let filter = |group| Command::SetFilter { body: id(0), layer: 0, group, allow_overlap: false };
    apply(&mut world, &[filter(1), filter(0)]);
    let layers = |rule| Command::SetLayers { a: 0, b: 0, rule, allow_overlap: false };
    apply(&mut world, &[layers(Rule::Ignore), layers(Rule::Solid)]);
    apply(&mut world, &[Command::SetShape { body: id(0), shape: CUBE, allow_overlap: false }]);
    let mut report = TickReport::default();
    run(&mut world, &mut report, 5);
    assert_eq!(report.overlapping, 0);
    run(&mut world, &mut report, 1);
    assert_eq!((report.overlapping, world.state().ignored_pairs.len()), (1, 0));
}

#[test]
fn a_kinematic_body_passes_the_one_that_it_ignores() {
    let lift = Spawn {
        body_type: BodyType::Kinematic,
        velocity: v("0.25", "0", "0"),
        ..Spawn::new(CUBE, v("-2", "3", "0"))
    };
    for ticks in [0, 20] {
        let mut world = room("0", 0, &[lift, Spawn::new(BALL, v("0", "3", "0"))]);
        apply(&mut world, &[but(0, other(1), ticks)]);
        run(&mut world, &mut TickReport::default(), 16);
        assert_eq!(body(&world, 0).position, v("2", "3", "0"));
        assert_eq!(body(&world, 1).position == v("0", "3", "0"), ticks > 0);
    }
}

/// Sensors keep reporting the other, and the third body in a stack behaves as before.
#[test]
fn an_ignored_pair_is_of_solids_and_of_these_two() {
    let ball = |x, layer| Spawn { layer, ..Spawn::new(BALL, v(x, "3", "0")) };
    let mut world = room("0", 0, &[ball("0", 0), ball("2", 1)]);
    let rule = Command::SetLayers { a: 0, b: 1, rule: Rule::Sensor, allow_overlap: false };
    let velocity = v("0.5", "0", "0");
    apply(&mut world, &[rule, but(0, other(1), 50), Command::SetVelocity { body: id(0), velocity }]);
    let (mut report, mut told) = (TickReport::default(), Vec::new());
    world.enable_events(true);
    for _ in 0..8 {
        step(&mut world, &mut report);
        told.extend(report.events.iter().map(|event| event.kind));
    }
    assert_eq!(told, [EventKind::Enter, EventKind::Exit]);

    let cube = |y| Spawn::new(CUBE, v("0", y, "0"));
    let mut world = room("-10", 0, &[cube("0.52"), cube("1.54"), cube("2.56")]);
    run(&mut world, &mut report, 60);
    apply(&mut world, &[but(2, other(1), 30)]);
    run(&mut world, &mut report, 30);
    let heights = [0, 1, 2].map(|slot| body(&world, slot).position.y);
    assert!(heights[2] > lit("1.49") && heights[2] < lit("1.6"), "it lies on the lowest: {heights:?}");
    assert!(heights[1] > lit("1.49") && heights[0] > lit("0.49"), "{heights:?}");
}

/// Two cubes that overlap fall asleep; the end of their ignored pair wakes both, and so does another command.
#[test]
fn a_sleeping_body_wakes_when_an_ignored_pair_begins_and_when_it_ends() {
    let cube = |x: &str| Spawn { allow_overlap: true, ..Spawn::new(CUBE, v(x, "0.52", "0")) };
    let mut world = room("-10", 8, &[cube("0"), cube("0.75"), cube("5")]);
    apply(&mut world, &[but(0, other(1), 100)]);
    let (mut report, mut slept) = (TickReport::default(), 0);
    for tick in 1..=100 {
        let mut twin = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        step(&mut world, &mut report);
        let mut theirs = TickReport::default();
        step(&mut twin, &mut theirs);
        assert_eq!((world.state(), &report), (twin.state(), &theirs));
        slept += usize::from(world.sleepers().count() == 3);
        assert_eq!(report.woke, if tick < 100 { vec![] } else { vec![id(0), id(1)] });
        assert_eq!(report.overlapping, 0);
    }
    assert!(slept > 30, "{slept}");
    assert_eq!(world.sleep(id(2)), Some(Sleep::Asleep));
    step(&mut world, &mut report);
    assert_eq!(report.overlapping, 1);
    let woke = world.apply(&[but(2, Collider::Static(SLAB), 3)]).woke;
    assert_eq!(woke, [id(2)]);
    run(&mut world, &mut report, 3);
    assert!(body(&world, 2).position.y < lit("0.5"));
}

/// The ignored pair ends in the tick in which all bodies have been still for long enough: none falls asleep and
/// wakes in one tick.
#[test]
fn a_body_does_not_fall_asleep_as_its_ignored_pair_ends() {
    for ticks in 1..40 {
        let cube = |x: &str| Spawn { allow_overlap: true, ..Spawn::new(CUBE, v(x, "0.505", "0")) };
        let mut world = room("-10", 8, &[cube("0"), cube("0.75")]);
        apply(&mut world, &[but(0, other(1), ticks)]);
        let mut report = TickReport::default();
        for _ in 0..ticks {
            step(&mut world, &mut report);
            assert!(!report.fell_asleep.iter().any(|id| report.woke.contains(id)), "{ticks}");
        }
    }
}

#[test]
fn a_state_with_a_malformed_list_is_refused() {
    let ball = |x| Spawn::new(BALL, v(x, "3", "0"));
    let mut world = room("0", 0, &[ball("0"), ball("3"), ball("6")]);
    apply(&mut world, &[but(0, other(1), 9), but(0, Collider::Static(SLAB), 9), but(1, other(2), 9)]);
    let error = |change: fn(&mut State)| {
        let mut state = world.state().clone();
        change(&mut state);
        World::from_state(state, world.scenery().clone()).map(|_| ()).unwrap_err().to_string()
    };
    let order = "ignored_pairs[1]: pairs are in the order of their ids, each once";
    assert_eq!(error(|state| state.ignored_pairs.swap(0, 1)), order);
    assert_eq!(error(|state| state.ignored_pairs[1] = state.ignored_pairs[0]), order);
    let there = "ignored_pairs[2]: one of the two is not there";
    assert_eq!(error(|state| state.ignored_pairs[2].b = Collider::Static(StaticId(1))), there);
    assert_eq!(
        error(|state| state.ignored_pairs[2].a = BodyId::from_parts(state.ignored_pairs[2].a.slot(), 1)),
        there
    );
    let first = "ignored_pairs[2]: of two bodies the one in the smaller slot comes first";
    assert_eq!(error(|state| state.ignored_pairs[2].b = Collider::Body(state.ignored_pairs[2].a)), first);
    let ends = "ignored_pairs[0]: it ends in one of the next 2^32 - 1 ticks";
    assert_eq!(error(|state| state.ignored_pairs[0].until = 0), ends);
    assert_eq!(error(|state| state.ignored_pairs[0].until = 1 << 32), ends);
}
