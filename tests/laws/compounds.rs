//! Rotating compounds: nothing overlaps, nothing passes through, they come to rest, and mirrored and restored
//! worlds stay equal.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, Scalar},
    shape::{Obb, Shape, center_of_children},
    snapshot,
    state::{BodyType, ChildShape, Command, CompoundId, Rule, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::{EventKind, TickReport},
};

use crate::{
    piles::RATES,
    support::{change::Change, every, overlaps, s, step, v},
    tumblers::{Scene, any_rotation, room, turned},
};

/// A dumbbell, a cross of three bars, a hammer, a table, two bars crossed aslant, and a pair of balls with
/// nothing between them.
const DUMBBELL: u16 = 0;
const CROSS: u16 = 1;
const TABLE: u16 = 3;
/// The pair of balls, a unit apart.
pub const PAIR: u16 = 5;
const COUNT: u16 = 6;

fn bar(x: &str, y: &str, z: &str) -> Shape {
    Shape::Obb(Obb::along_axes(v(x, y, z)))
}

fn compounds() -> [Vec<(Shape, Vec3)>; COUNT as usize] {
    let ball = |at| (Shape::sphere(s("0.25")), at);
    let slanting = |z: &str| {
        let turn = Rotation::from_quaternion(s("1"), s("0"), s("0"), s(z)).unwrap();
        Shape::Obb(Obb::new(v("0.5", "0.1", "0.1"), turn))
    };
    let leg = |x, z| (bar("0.06", "0.25", "0.06"), v(x, "0", z));
    let (out, back) = (v("0.5", "0", "0"), v("-0.5", "0", "0"));
    let rod = (Shape::capsule(v("0.5", "0", "0"), s("0.1")), Vec3::ZERO);
    [
        vec![ball(out), ball(back), rod],
        vec![
            (bar("0.5", "0.1", "0.1"), Vec3::ZERO),
            (bar("0.1", "0.5", "0.1"), Vec3::ZERO),
            (bar("0.1", "0.1", "0.5"), Vec3::ZERO),
        ],
        vec![(bar("0.15", "0.15", "0.3"), v("0", "0.4", "0")), (bar("0.06", "0.4", "0.06"), Vec3::ZERO)],
        vec![
            (bar("0.5", "0.06", "0.35"), v("0", "0.31", "0")),
            leg("0.4", "0.25"),
            leg("0.4", "-0.25"),
            leg("-0.4", "0.25"),
            leg("-0.4", "-0.25"),
        ],
        vec![(slanting("0.5"), Vec3::ZERO), (slanting("-0.5"), Vec3::ZERO)],
        vec![ball(out), ball(back)],
    ]
}

/// A scenery with the compounds, centered, after its own shapes.
pub fn with_compounds(plain: &Scenery) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    for material in plain.materials() {
        builder.material(*material);
    }
    for shape in plain.shapes() {
        builder.shape(shape.clone());
    }
    for fixed in plain.statics() {
        builder.add(*fixed);
    }
    for parts in compounds() {
        let middle = center_of_children(&parts).unwrap();
        let part = |(shape, at)| ChildShape { offset: at - middle, ..ChildShape::new(builder.shape(shape)) };
        let parts = parts.into_iter().map(part).collect();
        builder.compound(parts);
    }
    builder.build().unwrap()
}

pub fn set(number: u16) -> ShapeId {
    ShapeId::of_compound(CompoundId(number), false)
}

/// Some bodies of every compound over the floor of a room.
pub fn heap(rate: u32, bouncy: (&str, &str), count: i64, seed: u64) -> Scene {
    let mut scene = Scene::new(rate, with_compounds(&room(bouncy, &[], "3")));
    for index in 0..count {
        let mut draws = Rng::new(seed).at(5, index as u64, 0);
        let cell = [index % 3 - 1, index / 9 - 1, index / 3 % 3 - 1];
        let position = Vec3::from_raw(cell.map(|c| ((c * 7) << 30) + draws.between(-1 << 27, 1 << 27)));
        let velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-1 << 31, 1 << 31)));
        let most = (1_i64 << 32) * 4 / i64::from(rate);
        let angular_velocity = Vec3::from_raw([(); 3].map(|()| draws.between(-most, most)));
        let orientation = any_rotation(&mut draws);
        let limits = scene.limits;
        let shape = set(index as u16 % COUNT);
        let spawn = scene.add(shape, 5 + 2 * index as u32, position, orientation);
        spawn.velocity = limits.velocity_nearest(velocity);
        spawn.angular_velocity = angular_velocity;
    }
    scene
}

#[test]
fn nothing_overlaps_in_heaps_at_any_rate_and_no_energy_comes_from_nowhere() {
    let all = RATES.into_iter().flat_map(|rate| [("0", "0.4"), ("0.5", "0")].map(|b| (rate, b)));
    for (rate, bouncy) in all.step_by(every(3)) {
        let mut world = heap(rate, bouncy, 18, 3).world();
        let (mut report, mut impacts, mut held, mut back, mut unresolved) =
            (TickReport::default(), 0, 0, 0, 0);
        let first = world.energy_twice_wide();
        for tick in 0..150 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{rate} Hz {bouncy:?}: tick {tick}");
            let nets = (&report.out_of_bounds, report.tick_halted, report.overlapping);
            assert_eq!(nets, (&vec![], None, 0), "{rate} Hz {bouncy:?}: tick {tick}");
            impacts += report.impacts.len();
            held += report.impact_limited.len();
            back += report.reverted.len();
            unresolved += report.unresolved;
        }
        let last = world.energy_twice_wide();
        println!(
            "{rate} Hz {bouncy:?}: {impacts} impacts, {held} held, {back} back, {unresolved} unresolved"
        );
        assert!(impacts > 30 && back == 0, "{rate} Hz {bouncy:?}: {impacts} {back}");
        assert!(last < first, "{rate} Hz {bouncy:?}: {first} {last}");
    }
}

#[test]
fn a_heap_comes_to_rest() {
    let mut world = heap(60, ("0", "0.5"), 12, 8).world();
    let mut report = TickReport::default();
    // What rolls on the floor rolls out slowly.
    for tick in 0..2_400 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
    }
    let before: Vec<_> = world.bodies().map(|(_, body)| body.pose()).collect();
    for _ in 0..60 {
        step(&mut world, &mut report);
        assert!(report.impact_limited.is_empty() && report.reverted.is_empty());
    }
    let moved = |(old, (_, body)): (&bitstep::geom::Pose, (_, &bitstep::state::Body))| {
        (body.position - old.position).raw().into_iter().map(i64::abs).max().unwrap()
    };
    let most = before.iter().zip(world.bodies()).map(moved).max().unwrap();
    println!("in a second they move by {most} raw at most");
    assert!(most < 1 << 22, "{most}"); // a thousandth of a unit
}

#[test]
fn a_heap_restored_at_any_tick_goes_on_the_same() {
    const TICKS: usize = 70;
    let mut world = heap(60, ("0.2", "0.4"), 9, 4).world();
    world.enable_events(true);
    let (mut reports, mut snapshots) = (Vec::new(), vec![snapshot::encode(&world)]);
    for _ in 0..TICKS {
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        reports.push(report);
        snapshots.push(snapshot::encode(&world));
    }
    assert!(reports.iter().any(|report| !report.impacts.is_empty() && !report.events.is_empty()));
    for start in 0..TICKS {
        let mut restored = snapshot::decode(&snapshots[start], world.scenery()).unwrap();
        restored.enable_events(true);
        for tick in start..(start + 3).min(TICKS) {
            let mut report = TickReport::default();
            step(&mut restored, &mut report);
            assert_eq!(report, reports[tick], "tick {tick}, restored at {start}");
            assert_eq!(snapshot::encode(&restored), snapshots[tick + 1], "tick {tick}, restored at {start}");
        }
    }
}

#[test]
fn a_mirrored_or_permuted_heap_is_the_image() {
    let scene = heap(60, ("0.2", "0.4"), 9, 6);
    for change in [
        Change { signs: [-1, 1, 1], ..Change::NONE },
        Change { signs: [1, -1, -1], axes: [1, 2, 0], ..Change::NONE },
        Change { axes: [0, 2, 1], shift: v("40", "-8", "0.5"), ..Change::NONE },
    ] {
        let (mut here, mut there) = (scene.world(), scene.changed(&change));
        let mut report = TickReport::default();
        for tick in 0..120 {
            step(&mut here, &mut report);
            step(&mut there, &mut report);
            for ((id, ours), (_, theirs)) in here.bodies().zip(there.bodies()) {
                let (our, their) = (ours.spin.unwrap(), theirs.spin.unwrap());
                let image = (
                    change.point(ours.position),
                    change.vector(ours.momentum),
                    change.rotation(our.orientation),
                    change.turning(our.angular_momentum),
                );
                let found = (theirs.position, theirs.momentum, their.orientation, their.angular_momentum);
                assert_eq!(found, image, "{id}, tick {tick} of {change:?}");
            }
        }
    }
}

/// A body that rotates in empty space.
fn alone(number: u16, spin: Vec3) -> World {
    let mut scene = Scene::new(60, with_compounds(&room(("0", "0"), &[], "50")));
    scene.gravity = Vec3::ZERO;
    scene.add(set(number), 1000, Vec3::ZERO, turned("1", "0.2", "-0.3", "0.1")).angular_velocity = spin;
    scene.world()
}

#[test]
fn free_bodies_keep_their_angular_momentum_to_the_bit_and_their_energy() {
    for number in 0..COUNT {
        let mut world = alone(number, v("0.05", "0.11", "-0.07"));
        let momentum = |world: &World| world.bodies().next().unwrap().1.spin.unwrap().angular_momentum;
        let (first, energy) = (momentum(&world), world.energy_twice_wide());
        let mut report = TickReport::default();
        for tick in 0..1_000 {
            step(&mut world, &mut report);
            assert_eq!(momentum(&world), first, "compound {number}, tick {tick}");
            let off = (world.energy_twice_wide() - energy).abs() * 1_000_000 / energy;
            assert!(off <= 1, "compound {number}, tick {tick}: {off} ppm");
        }
    }
}

#[test]
fn a_cross_never_turns_through_a_post() {
    let (mut impacts, mut turned_by) = (0, 0);
    for case in 0..160_u64 {
        let mut draws = Rng::new(91).at(0, case, 0);
        let plain = room(("0.3", "0.2"), &[bar("0.02", "2", "0.02")], "6");
        let mut scene = Scene::new(60, with_compounds(&plain));
        scene.gravity = Vec3::ZERO;
        // Up to a quarter of a turn in a tick.
        let spin = draws.between(-3 << 30, 3 << 30);
        let number = [CROSS, DUMBBELL, 5][case as usize % 3];
        let spawn = scene.add(set(number), 50, Vec3::ZERO, any_rotation(&mut draws));
        spawn.angular_velocity = Vec3::from_raw([spin / 8, spin, -spin / 6]);
        let angle = draws.between(0, 1 << 32);
        let (sine, cosine) = bitstep::num::trig::sin_cos(Scalar::from_bits(angle));
        let out = |part: Scalar| Scalar::from_bits(part.to_bits() / 100 * draws.between(70, 90));
        let at = [sine, cosine].map(out);
        let post = Spawn {
            body_type: BodyType::Static,
            mass: 1,
            ..Spawn::new(ShapeId(0), Vec3::new(at[0], Scalar::ZERO, at[1]))
        };
        let mut world = scene.world();
        let _ = world.apply(&[Command::Spawn(post)]);
        let push = Vec3::new(at[0] / 16, Scalar::ZERO, at[1] / 16);
        let id = world.bodies().next().unwrap().0;
        world.apply(&[Command::SetVelocity { body: id, velocity: push }]).accepted().unwrap();
        let mut report = TickReport::default();
        let before = world.energy_twice_wide();
        for tick in 0..60 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "case {case}, tick {tick}");
            assert!(report.reverted.is_empty(), "case {case}, tick {tick}");
            impacts += report.impacts.len();
        }
        assert!(world.energy_twice_wide() <= before + before / 1_000_000, "case {case}");
        turned_by += u32::from(spin.abs() > 1 << 31);
    }
    println!("{impacts} impacts");
    assert!(impacts > 150 && turned_by > 30, "{impacts} {turned_by}");
}

#[test]
fn a_dumbbell_lies_down_and_a_table_topples_or_comes_to_stand() {
    let mut scene = Scene::new(60, with_compounds(&room(("0", "0.5"), &[], "6")));
    // A dumbbell on one ball, a little aslant; tables tipped by 60° and by 15° about their long side.
    scene.add(set(DUMBBELL), 9, v("-2", "-5", "0"), turned("1", "0", "0", "0.9"));
    scene.add(set(TABLE), 9, v("2", "-4.9", "0"), turned("0.866", "0.5", "0", "0"));
    scene.add(set(TABLE), 9, v("2", "-5", "3"), turned("0.9914", "0.1305", "0", "0"));
    let mut world = scene.world();
    let mut report = TickReport::default();
    for tick in 0..400 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        assert!(report.impact_limited.is_empty() && report.reverted.is_empty(), "tick {tick}");
    }
    let bodies: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
    let height = |index: usize| bodies[index].position.y - s("-6");
    let up = |index: usize| bodies[index].spin.unwrap().orientation.apply(v("0", "1", "0"));
    println!("dumbbell at {}, tables at {} and {}", height(0), height(1), height(2));
    println!("up {:?} {:?} {:?}", up(0), up(1), up(2));
    // Both balls on the floor: the center is as high as their radius, and little more at rest.
    let near = |found: Scalar, right: &str| (found - s(right)).to_bits().abs() < 1 << 24;
    assert!(near(height(0), "0.25"), "{}", height(0));
    // One on its top, one on its legs.
    assert!(near(up(1).y, "-1"), "{:?}", up(1));
    assert!(near(up(2).y, "1"), "{:?}", up(2));
    let poses = |world: &World| world.bodies().map(|(_, body)| body.pose()).collect::<Vec<_>>();
    let before = poses(&world);
    (0..100).for_each(|_| step(&mut world, &mut report));
    assert_eq!(poses(&world), before, "they lie still");
}

#[test]
fn the_ball_of_a_pair_that_swings_past_a_small_sensor_within_a_tick_is_told() {
    let mut scene = Scene::new(60, with_compounds(&room(("0", "0"), &[Shape::sphere(s("0.02"))], "6")));
    scene.gravity = Vec3::ZERO;
    // Its balls are at 30° and turn to 90°; the sensor is at 60°, a little farther out.
    let spawn = scene.add(set(5), 9, Vec3::ZERO, turned("0.96592582629", "0", "0", "0.25881904510"));
    spawn.angular_velocity = v("0", "0", "1.0471975512");
    spawn.body_type = BodyType::Kinematic;
    let sensor = Spawn {
        body_type: BodyType::Static,
        layer: 5,
        ..Spawn::new(ShapeId(0), v("0.3", "0.519615242", "0"))
    };
    scene.spawns.push(sensor);
    let mut world = scene.world();
    let rule = Command::SetLayers { a: 0, b: 5, rule: Rule::Sensor, allow_overlap: false };
    assert!(world.apply(&[rule]).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    world.enable_events(true);
    step(&mut world, &mut report);
    let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.children)).collect();
    assert_eq!(told, [(EventKind::Enter, [0, 0]), (EventKind::Exit, [0, 0])]);
    // 0.27 is between the centers, at 0.5 and 0.6 from the axis, where they are 26.470° apart: at
    // tan (26.470° / 2) = (1 - 2 u) tan 15°.
    let [enter, exit] = [0, 1].map(|index: usize| report.events[index].toi.raw());
    assert!(
        enter.abs_diff(262_518_147) < 1 << 13 && (enter + exit).abs_diff(1 << 32) < 1 << 13,
        "{enter} {exit}"
    );
}

#[test]
fn a_heap_falls_asleep_and_wakes_where_it_is_struck() {
    let mut scene = heap(60, ("0", "0.5"), 9, 8);
    scene.limits.sleep_after = 30;
    let mut world = scene.world();
    let mut report = TickReport::default();
    for tick in 0..900 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
    }
    assert_eq!(world.sleepers().count(), 9);
    let (id, body) = world.bodies().next().map(|(id, body)| (id, *body)).unwrap();
    let push = Command::ApplyImpulseAt {
        body: id,
        impulse: v("0", "0.3", "0.05"),
        point: body.position + v("0.3", "0", "0"),
    };
    assert!(world.apply(&[push]).outcomes.iter().all(Result::is_ok));
    step(&mut world, &mut report);
    assert!(world.sleepers().count() < 9);
    for tick in 0..200 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
    }
}
