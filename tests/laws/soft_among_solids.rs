//! Soft bodies among solids: depenetration is no load and no speed, and does not affect uninvolved bodies.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Scalar, Toi, lit},
    shape::Shape,
    snapshot,
    state::{
        BodyType, ChildShape, Collider, Command, CompoundId, Limits, Locks, Material, Rule, Scenery,
        SceneryBuilder, ShapeId, Sleep, Spawn, State, StaticId,
    },
    tick::TickReport,
};

use crate::{
    shows::place,
    soft_by_hand::{apply, body, id, soft},
    support::{assert_clean, overlaps, s, step, teleport, v},
};

const SPEED: Scalar = lit("0.0625");
const BALL: ShapeId = ShapeId(0);
const SPECK: ShapeId = ShapeId(1);
const CUBE: ShapeId = ShapeId(2);
const TILE: ShapeId = ShapeId(3);
const LOOSE: ShapeId = ShapeId(4);
const PAIR: ShapeId = ShapeId::of_compound(CompoundId(0), false);

/// The layer of bodies that are solid to all, and of those that soft bodies ignore.
const WALLS: u8 = 1;
const AIR: u8 = 2;

fn limits() -> Limits {
    Limits::new(60).with_separation_speed(SPEED)
}

/// Balls of radius 1/2 and 1/8, cubes and tiles of one unit, cubes that may rotate, a floor whose top is at
/// -1/2 and is solid to all, and a zone that is far away; a compound of a ball and a speck two units beside
/// it, which has a layer of its own.
fn scenery(restitution: &str, has_compounds: bool) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    builder.shape(Shape::sphere(lit("0.5")));
    builder.shape(Shape::sphere(lit("0.125")));
    builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
    builder.shape(Shape::aabb(v("0.5", "0.0625", "0.5")));
    builder.shape(Shape::obb(v("0.5", "0.5", "0.5"), Rotation::IDENTITY));
    let floor = builder.shape(Shape::aabb(v("90", "1", "90")));
    let zone = builder.shape(Shape::aabb(v("2", "2", "2")));
    builder.add(bitstep::state::Static {
        shape: floor,
        material,
        position: v("0", "-1.5", "0"),
        layer: WALLS,
    });
    builder.add(bitstep::state::Static { shape: zone, material, position: v("0", "60", "0"), layer: AIR });
    if has_compounds {
        let beside = ChildShape { offset: v("2", "0", "0"), layer: Some(AIR), ..ChildShape::new(SPECK) };
        builder.compound(vec![ChildShape::new(BALL), beside]);
    }
    builder.build().unwrap()
}

fn world_in(limits: Limits, (restitution, has_compounds): (&str, bool), spawns: &[Spawn]) -> World {
    let mut world = World::new(limits, scenery(restitution, has_compounds)).unwrap();
    let nothing = Command::SetLayers { a: 0, b: AIR, rule: Rule::Ignore, allow_overlap: false };
    apply(&mut world, &[soft(0, 0), nothing]);
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn world(restitution: &str, spawns: &[Spawn]) -> World {
    world_in(limits(), (restitution, false), spawns)
}

fn at(shape: ShapeId, x: &str, y: &str) -> Spawn {
    Spawn::new(shape, v(x, y, "0"))
}

fn run(world: &mut World, ticks: u32) -> TickReport {
    let mut report = TickReport::default();
    for _ in 0..ticks {
        step(world, &mut report);
        assert_clean(&report);
    }
    report
}

fn pull(world: &mut World, gravity: [&str; 3]) {
    let [x, y, z] = gravity;
    let gravity = world.limits().gravity_nearest_even(v(x, y, z));
    apply(world, &[Command::SetGravity { gravity }]);
}

// ------------------------------------------------------------------------------------- momenta

/// It walks against one that does not yield and is moved back in each tick: it keeps its speed.
#[test]
fn a_body_displaced_against_its_motion_keeps_its_speed() {
    for shape in [BALL, CUBE] {
        let post = Spawn { dominance: 255, ..at(shape, "2", "-0.49") };
        let walks = Spawn { velocity: v("0.03", "0", "0"), ..at(shape, "0", "-0.49") };
        let mut world = world(
            "0",
            &[
                Spawn { position: v("0", "0.01", "0"), ..walks },
                Spawn { position: v("2", "0.01", "0"), ..post },
            ],
        );
        pull(&mut world, ["0", "-10", "0"]);
        for tick in 0..90 {
            run(&mut world, 1);
            assert_eq!(body(&world, 0).momentum.x, lit("0.03"), "tick {tick}");
            assert_eq!((body(&world, 1).momentum.x, body(&world, 1).position.x), (lit("0"), lit("2")));
        }
        let x = body(&world, 0).position.x;
        assert!((lit("1")..lit("1.04")).contains(&x), "it stands before the other: {x}");
    }
}

/// Pressed against a wall for many ticks, and released: it stays in its place. Balls, cubes, and cubes that
/// may rotate.
#[test]
fn a_press_against_a_wall_is_no_load() {
    for (shape, rotates, restitution) in [
        (BALL, false, "0"),
        (BALL, false, "1"),
        (CUBE, false, "0"),
        (LOOSE, false, "0"),
        (LOOSE, true, "0"),
        (LOOSE, true, "1"),
        (BALL, true, "0"),
    ] {
        let wall = Spawn { body_type: BodyType::Static, layer: WALLS, ..at(CUBE, "1.005", "0.25") };
        let pressed = Spawn { rotates, ..at(shape, "0", "0.01") };
        let press = Spawn { dominance: 255, ..at(shape, "-0.5", "0.01") };
        let mut world = world(restitution, &[pressed, wall, press]);
        pull(&mut world, ["0", "-10", "0"]);
        for tick in 0..40 {
            run(&mut world, 1);
            let Vec3 { x, z, .. } = body(&world, 0).momentum;
            assert!(x.abs().max(z.abs()) <= lit("0.000001"), "{shape:?} {rotates} tick {tick}: {x}");
            assert_eq!(overlaps(&world), 0);
        }
        apply(&mut world, &[Command::Remove { body: id(2) }]);
        let before = body(&world, 0).position;
        run(&mut world, 30);
        let moved = body(&world, 0).position - before;
        assert!(moved.within(lit("0.001")), "{shape:?} {rotates}: {moved}");
    }
}

/// A body that bounces off a wall in the tick in which it is moved aside makes all of that displacement,
/// before and after.
#[test]
fn a_bounce_does_not_end_the_way_aside() {
    let flies = Spawn { velocity: v("0", "0", "0.5"), ..at(BALL, "0.96875", "3") };
    let wall = Spawn {
        body_type: BodyType::Static,
        layer: WALLS,
        position: v("0.96875", "3", "1.25"),
        ..at(CUBE, "0", "0")
    };
    let mut world = world("1", &[at(BALL, "0", "3"), flies, wall]);
    let report = run(&mut world, 1);
    assert_eq!(report.impacts.len(), 1);
    let half = lit("0.029296875") / 2;
    let gone = body(&world, 1).position - flies.position;
    assert!((gone.x - half).abs() <= Scalar::from_bits(2), "{gone}");
    assert!(gone.z.abs() < lit("0.001"), "half of the way there and half of it back: {gone}");
}

// ------------------------------------------------------------------------------------- sleep

/// Shoved more slowly than the threshold of stillness, it does not fall asleep, to be woken by the next
/// shove.
#[test]
fn a_body_that_is_pushed_slowly_stays_awake() {
    let limits = limits().with_sleep_after(5);
    let shoves = Spawn { dominance: 9, ..at(BALL, "-0.99", "0.01") };
    let mut world = world_in(limits, ("0", false), &[at(BALL, "0", "0.01"), shoves]);
    pull(&mut world, ["0", "-10", "0"]);
    run(&mut world, 30);
    assert_eq!(world.sleep(id(0)), Some(Sleep::Asleep));
    let velocity = v("0.0003", "0", "0");
    apply(&mut world, &[Command::Drive { body: id(1), velocity, accel_max: lit("0.001") }]);
    let (mut report, mut woke, before) = (TickReport::default(), 0, body(&world, 0).position.x);
    for _ in 0..80 {
        step(&mut world, &mut report);
        woke += usize::from(report.woke.contains(&id(0)));
    }
    assert!(body(&world, 0).position.x > before + lit("0.005"));
    assert_eq!((woke, world.sleep(id(0)).unwrap()), (1, Sleep::Awake(0)));
}

/// Two sleeping bodies ignore each other, however deep they overlap; so does one that comes no deeper than it
/// may stay.
#[test]
fn a_sleeping_body_is_not_disturbed_by_one_that_does_not_displace_it() {
    for (has_compounds, shape) in [(false, BALL), (false, CUBE), (true, BALL), (true, CUBE)] {
        let bound = |x| Spawn { locks: Locks::X, ..at(shape, x, "3") };
        let limits = limits().with_sleep_after(3);
        let mut world =
            world_in(limits, ("0", has_compounds), &[bound("0"), bound("0.5"), at(shape, "3", "3")]);
        run(&mut world, 10);
        assert_eq!(world.sleepers().count(), 3);
        let flies = Spawn { velocity: v("0.01", "0", "0"), ..at(shape, "1.2", "4.01") };
        apply(&mut world, &[Command::Spawn(flies), Command::Spawn(at(shape, "3.999", "3"))]);
        for _ in 0..9 {
            let report = run(&mut world, 1);
            assert!(report.woke.is_empty(), "{shape:?} {has_compounds}");
        }
    }
}

/// Two sleeping bodies that overlap as solids are known to overlap when one of them wakes; none falls asleep
/// so.
#[test]
fn sleepers_that_overlap_are_not_forgotten() {
    let solid = |x, y| Spawn { layer: WALLS, allow_overlap: true, ..at(BALL, x, y) };
    let limits = Limits::new(60).with_sleep_after(3);
    let mut world = world_in(limits, ("0", false), &[solid("0", "3"), solid("0.75", "3"), solid("30", "3")]);
    for _ in 0..20 {
        assert_eq!(run(&mut world, 1).overlapping, 1);
        assert!((0..2).all(|slot| world.sleep(id(slot)) == Some(Sleep::NEW)), "no body sleeps so");
    }
    let state = State { sleep: vec![Sleep::Asleep, Sleep::Asleep, Sleep::NEW], ..world.state().clone() };
    let mut world = World::from_state(state, Arc::clone(world.scenery())).unwrap();
    assert_eq!(run(&mut world, 2).overlapping, 0, "they have no part in it");
    apply(&mut world, &[Command::ApplyImpulse { body: id(1), impulse: v("-0.1", "0", "0") }]);
    let report = run(&mut world, 1);
    assert_eq!((report.overlapping, report.reverted.len()), (1, 0));
}

// ------------------------------------------------------------------------------------- which way

/// A gravity that follows no axis lets no body be moved along it, either; and solids are separated along it
/// if that is the way.
#[test]
fn soft_bodies_go_across_gravity_and_solids_any_way() {
    let mut world = world("0", &[at(BALL, "0", "9"), Spawn::new(BALL, v("0.5", "9.5", "0.25"))]);
    pull(&mut world, ["1", "-8", "3"]);
    let gravity = world.gravity();
    let along = |world: &World| (body(world, 1).position - body(world, 0).position).dot_wide(gravity);
    let (before, place) = (along(&world), body(&world, 1).position - body(&world, 0).position);
    run(&mut world, 9);
    let moved = body(&world, 1).position - body(&world, 0).position - place;
    assert!(!moved.within(lit("0.1")), "{moved}");
    let pull = gravity.length_squared_wide().isqrt() as i128;
    assert!((along(&world) - before).abs() / pull < 1 << 10, "{moved}");

    let solid = |y| Spawn { layer: WALLS, allow_overlap: true, ..at(BALL, "0", y) };
    let mut world = self::world("0", &[Spawn { dominance: 255, ..solid("0.01") }, solid("0.51")]);
    self::pull(&mut world, ["0", "-10", "0"]);
    (0..60).for_each(|_| step(&mut world, &mut TickReport::default()));
    let (low, high) = (body(&world, 0).position, body(&world, 1).position);
    assert!(high.y - low.y > lit("1") && (high.x, high.z) == (lit("0"), lit("0")), "{high}");
}

/// The shortest way out would be along gravity, or out of a flat world: they take the shortest of the others.
#[test]
fn flat_boxes_part_on_the_level() {
    for flat in [false, true] {
        let limits = limits().with_flat(flat);
        let scenery = if flat { flat_room() } else { scenery("0", false) };
        let mut world = World::new(limits, scenery).unwrap();
        apply(&mut world, &[soft(0, 0)]);
        let shape = if flat { BALL } else { TILE };
        let tiles = [at(shape, "0", "3"), at(shape, "0.75", if flat { "3.25" } else { "3" })];
        apply(&mut world, &tiles.map(Command::Spawn));
        if !flat {
            pull(&mut world, ["0", "-0.01", "0"]);
        }
        run(&mut world, 5);
        let way = body(&world, 1).position - body(&world, 0).position;
        assert!(way.x > lit("0.99") && way.z == lit("0"), "{flat} {way}");
        assert_eq!(way.y, if flat { lit("0.25") } else { lit("0") });
    }
}

/// Tiles that are thin in z.
fn flat_room() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::INELASTIC);
    builder.shape(Shape::aabb(v("0.5", "0.5", "0.0625")));
    builder.build().unwrap()
}

/// Of two of different size the smaller one decides how deep they may stay: as balls, as boxes, and as child
/// shapes.
#[test]
fn the_smaller_one_says_how_deep_they_may_lie() {
    let least = lit("0.125") / 256;
    for (has_compounds, a, b, x, touch) in [
        (false, BALL, SPECK, "0.6", lit("0.625")),
        (false, BALL, SPECK, "0.6242", lit("0.625")),
        (false, SPECK, BALL, "0.6", lit("0.625")),
        (false, CUBE, SPECK, "0.6", lit("0.625")),
        (true, BALL, SPECK, "0.6", lit("0.625")),
        // The speck of the second one in the ball of the first one, from the other side.
        (true, PAIR, PAIR, "-2.6", lit("-2.625")),
    ] {
        let mut world = world_in(limits(), ("1", has_compounds), &[at(a, "0", "3"), at(b, x, "3")]);
        apply(&mut world, &[soft(0, AIR)]);
        run(&mut world, 9);
        let apart = body(&world, 1).position.x - body(&world, 0).position.x;
        assert!(
            (apart.abs() + least - touch.abs()).abs() <= Scalar::from_bits(1 << 10),
            "{a:?} {b:?}: {apart}"
        );
    }
}

/// A child shape collides by its own layer: with bodies, and with statics, also when no overlap is known.
#[test]
fn parts_have_their_own_layers() {
    for rule in [Rule::Soft, Rule::Ignore] {
        let ball = Spawn { dominance: 255, ..at(BALL, "2.5", "3") };
        let mut world = world_in(limits(), ("1", true), &[at(PAIR, "0", "3"), ball]);
        let layers = |a, b| Command::SetLayers { a, b, rule, allow_overlap: false };
        apply(&mut world, &[layers(0, AIR), layers(AIR, AIR)]);
        let moves = |world: &mut World| {
            let before = body(world, 0).position;
            run(world, 1);
            body(world, 0).position != before
        };
        assert_eq!(moves(&mut world), rule == Rule::Soft, "a body");
        apply(
            &mut world,
            &[
                Command::Remove { body: id(1) },
                Command::SetLayers { a: 0, b: AIR, rule: Rule::Ignore, allow_overlap: false },
            ],
        );
        let into_zone = teleport(id(0), v("-3.5", "60", "0"), false);
        run(&mut world, 2);
        apply(&mut world, &[into_zone]);
        assert_eq!(moves(&mut world), rule == Rule::Soft, "a static");
    }
}

// ------------------------------------------------------------------------------------- limits and passes

/// Ignored solids are not separated; ignored soft bodies are soft as before.
#[test]
fn an_ignored_pair_is_not_moved_apart() {
    for (has_compounds, layer) in [(false, WALLS), (true, WALLS), (false, 0), (true, 0)] {
        let ball = |x| Spawn { layer, allow_overlap: true, ..at(BALL, x, "3") };
        let mut world = world_in(limits(), ("1", has_compounds), &[ball("0"), ball("0.5")]);
        apply(&mut world, &[Command::IgnorePair { a: id(0), b: Collider::Body(id(1)), ticks: 3 }]);
        for tick in 0..4 {
            let before = body(&world, 0).position.x;
            let report = run(&mut world, 1);
            let moves = body(&world, 0).position.x < before;
            let is_solid = layer == WALLS && tick == 3;
            assert_eq!(
                (moves, report.overlapping == 1),
                (layer == 0 || is_solid, is_solid),
                "{has_compounds} {tick}"
            );
        }
        let mut world =
            world_in(limits(), ("1", has_compounds), &[Spawn { layer: WALLS, ..at(BALL, "0", "3") }]);
        let down = v("0", "-0.25", "0");
        let floor = Collider::Static(StaticId(0));
        let drop = teleport(id(0), down, true);
        apply(&mut world, &[Command::IgnorePair { a: id(0), b: floor, ticks: 2 }, drop]);
        run(&mut world, 2);
        assert_eq!(body(&world, 0).position, down);
        run(&mut world, 1);
        assert!(body(&world, 0).position.y > down.y);
    }
}

/// No body is moved out of the world, and one that would be keeps its place and state.
#[test]
fn no_body_is_moved_out_of_the_world() {
    let limits = limits().with_extent(lit("64"));
    let mut world = world_in(limits, ("1", false), &[at(BALL, "63", "3"), at(BALL, "63.75", "3")]);
    apply(&mut world, &[teleport(id(1), v("63.999", "3", "0"), false)]);
    apply(&mut world, &[teleport(id(0), v("63.5", "3", "0"), false)]);
    for tick in 0..20 {
        let report = run(&mut world, 1);
        assert!(report.out_of_bounds.is_empty());
        let body = body(&world, 1);
        assert!(body.position.x <= lit("64") && body.momentum == Vec3::ZERO, "{}", body.position);
        assert!(tick > 4 || body.position.x == lit("63.999"), "there is no room for its whole displacement");
    }
    assert!(body(&world, 0).position.x < lit("63.01"), "the other one goes");
}

/// In ticks with more pairs than the limit no body is moved, and the tick is halted.
#[test]
fn no_body_is_moved_beyond_the_limit_of_pairs() {
    for (pairs_max, moves) in [(44, false), (45, true)] {
        let limits = limits().with_pairs_max(pairs_max);
        let spawns: Vec<Spawn> = (0..10).map(|index| Spawn::new(BALL, place(index * 10, 3_000, 0))).collect();
        let mut world = world_in(limits, ("1", false), &spawns);
        let before = world.clone();
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!(report.tick_halted, (!moves).then_some(Toi::START), "{pairs_max}");
        let gone = before.bodies().zip(world.bodies()).filter(|(a, b)| a.1.position != b.1.position).count();
        assert_eq!(gone > 0, moves, "{pairs_max}: {gone}");
    }
}

/// So many at one place that they are looked at only once; when most of them are removed nothing of that is
/// left.
#[test]
fn a_crowd_that_is_gone_is_forgotten() {
    let spawns: Vec<Spawn> = (0..80).map(|index| Spawn::new(BALL, place(index * 5, 3_000, 0))).collect();
    let mut world = world_in(limits(), ("1", false), &spawns);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    let gone: Vec<_> =
        (0..80).filter(|slot| slot % 10 != 0).map(|slot| Command::Remove { body: id(slot) }).collect();
    apply(&mut world, &gone);
    let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
    for tick in 0..9 {
        step(&mut world, &mut report);
        step(&mut restored, &mut report);
        assert_eq!(world.state(), restored.state(), "{tick}");
    }
}

/// Two that fly so far in a tick that their paths are subdivided share their overlap once.
#[test]
fn ways_in_pieces_are_shared_once() {
    let velocity = v("20", "20", "20");
    let flies = |x| Spawn { velocity, ..at(BALL, x, "3") };
    let mut world = world("1", &[flies("0"), flies("0.96875")]);
    run(&mut world, 1);
    let half = lit("0.029296875") / 2;
    assert_eq!(body(&world, 0).position, v("20", "23", "20") - Vec3::new(half, lit("0"), lit("0")));
    assert_eq!(body(&world, 1).position, v("20.96875", "23", "20") + Vec3::new(half, lit("0"), lit("0")));
}

/// Moved toward a solid that is nearer than its displacement in a tick: it is kept out of it, whatever that
/// body is, and however it is found.
#[test]
fn no_body_is_moved_into_a_solid() {
    for (kind, gap) in [BodyType::Dynamic, BodyType::Kinematic, BodyType::Static]
        .into_iter()
        .flat_map(|kind| ["0.01", "0.06", "0.03"].map(|gap| (kind, gap)))
    {
        let far = s("1.5") + s(gap);
        let wall =
            Spawn { body_type: kind, layer: WALLS, ..Spawn::new(BALL, Vec3::new(far, lit("3"), lit("0"))) };
        let press = Spawn { dominance: 255, ..at(BALL, "0", "3") };
        let mut world = world("1", &[press, at(BALL, "0.5", "3"), wall]);
        for _ in 0..10 {
            run(&mut world, 1);
            assert_eq!(overlaps(&world), 0, "{kind:?} {gap}");
        }
        let x = body(&world, 1).position.x;
        assert!(x > lit("0.5"), "{x}");
    }
}

/// A command that allows an overlap in a world without any is noticed, whichever command it is.
#[test]
fn every_command_that_lets_two_overlap_is_seen() {
    let ball = |x, layer| Spawn { layer, ..at(BALL, x, "3") };
    let layers = |rule| Command::SetLayers { a: WALLS, b: AIR, rule, allow_overlap: true };
    let filter = Command::SetFilter { body: id(1), layer: WALLS, group: 0, allow_overlap: true };
    let moved = teleport(id(2), v("-0.25", "3", "0"), true);
    let spawn = Command::Spawn(Spawn { allow_overlap: true, ..ball("0.125", WALLS) });
    for command in [layers(Rule::Solid), filter, moved, spawn] {
        let mut world =
            world_in(limits(), ("1", false), &[ball("0", WALLS), ball("5", AIR), ball("9", WALLS)]);
        let onto = teleport(id(1), v("0.25", "3", "0"), false);
        apply(&mut world, &[layers(Rule::Ignore), onto]);
        assert_eq!(run(&mut world, 2).overlapping, 0);
        apply(&mut world, &[command]);
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        assert_eq!(run(&mut world, 1).overlapping, 1, "{command:?}");
        run(&mut restored, 1);
        assert_eq!(world.state(), restored.state(), "{command:?}");
    }
}
