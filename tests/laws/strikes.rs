//! Impacts of bodies that rotate or have friction: by the textbook, and invariants.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3},
    num::Rng,
    overlap::overlap_shapes,
    shape::{Obb, Shape},
    state::{Body, BodyType, Command, Limits, Material, MaterialId, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{assert_clean, change::Change, every, s, step, v};

const BALL: ShapeId = ShapeId(0);
const CUBE: ShapeId = ShapeId(1);
const ROD: ShapeId = ShapeId(2);
const SLAB: ShapeId = ShapeId(3);

/// A ball, a cube, a rod along y and a slab, in one material; then planes.
fn scenery(restitution: &str, friction: &str, planes: &[([i32; 3], [&str; 3])]) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s(restitution)).unwrap().with_friction(s(friction)).unwrap();
    let material = builder.material(material);
    builder.shape(Shape::sphere(s("0.5")));
    builder.shape(Shape::Obb(Obb::along_axes(v("0.5", "0.5", "0.5"))));
    builder.shape(Shape::capsule(v("0", "0.8", "0"), s("0.2")));
    builder.shape(Shape::Obb(Obb::along_axes(v("0.6", "0.2", "0.4"))));
    for ([x, y, z], [px, py, pz]) in planes {
        let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(*x, *y, *z)).unwrap();
        let shape = builder.shape(Shape::Plane(plane));
        builder.fixed(shape, material, v(px, py, pz));
    }
    builder.build().unwrap()
}

const FLOOR: ([i32; 3], [&str; 3]) = ([0, 1, 0], ["0", "0", "0"]);
const YARD: [([i32; 3], [&str; 3]); 6] = [
    ([0, 1, 0], ["0", "-4", "0"]),
    ([0, -1, 0], ["0", "4", "0"]),
    ([1, 0, 0], ["-4", "0", "0"]),
    ([-1, 0, 0], ["4", "0", "0"]),
    ([0, 0, 1], ["0", "0", "-4"]),
    ([0, 0, -1], ["0", "0", "4"]),
];

fn turner(shape: ShapeId, position: Vec3, velocity: Vec3) -> Spawn {
    Spawn { rotates: true, velocity, ..Spawn::new(shape, position) }
}

fn turned(w: &str, x: &str, y: &str, z: &str) -> Rotation {
    Rotation::from_quaternion(s(w), s(x), s(y), s(z)).unwrap()
}

fn world(scenery: &Arc<Scenery>, spawns: &[Spawn]) -> World {
    let mut world = World::new(Limits::new(60), Arc::clone(scenery)).unwrap();
    let commands: Vec<_> = spawns.iter().map(|spawn| Command::Spawn(*spawn)).collect();
    let outcomes = world.apply(&commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    world
}

fn pull(world: &mut World) {
    let gravity = Limits::new(60).gravity_nearest_even(v("0", "-9.8", "0"));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
}

fn body(world: &World, index: usize) -> Body {
    *world.bodies().nth(index).unwrap().1
}

fn spin(world: &World, index: usize) -> Vec3 {
    body(world, index).spin.unwrap().angular_momentum
}

/// Number of pairs that overlap as they are rotated.
fn overlaps(world: &World) -> usize {
    let scenery = world.scenery();
    let is_dynamic = |body: &Body| body.body_type == BodyType::Dynamic;
    let bodies: Vec<_> =
        world.bodies().map(|(_, body)| (body.position, body.form(scenery), is_dynamic(body))).collect();
    let shape = |id: ShapeId| scenery.shapes()[usize::from(id.0)].clone();
    let fixed = scenery.statics().iter().map(|fixed| (fixed.position, shape(fixed.shape), false));
    let others: Vec<_> = bodies.iter().cloned().chain(fixed).collect();
    let count = |index: usize| {
        let (place, form, moves) = &bodies[index];
        let overlaps = |(at, other, also): &&(Vec3, Shape, bool)| {
            (*moves || *also) && overlap_shapes(form, other, *at - *place)
        };
        others[index + 1..].iter().filter(overlaps).count()
    };
    (0..bodies.len()).map(count).sum()
}

/// Asserts that two vectors are within so many raw.
fn assert_near(found: Vec3, expected: [i64; 3], raw: i64) {
    let off = (found - Vec3::from_raw(expected)).raw().map(i64::abs).into_iter().max().unwrap();
    assert!(off <= raw, "{found:?} instead of {:?}, {off} raw off", Vec3::from_raw(expected));
}

#[test]
fn a_rod_that_is_hit_off_its_center_turns_as_by_the_textbook() {
    // Without friction: J = 2 v / (1/m + 1/M + d^2/I), and L = -d J about z.
    let scenery = scenery("1", "0", &[]);
    let speed = s("0.1");
    for (mass, mass_rod, at) in [(1, 1, "0.5"), (3, 1, "-0.625"), (1, 7, "0.25"), (2, 5, "0")] {
        let ball = Spawn { mass, ..turner(BALL, v("-0.75", at, "0"), v("0.1", "0", "0")) };
        let rod = Spawn { mass: mass_rod, ..turner(ROD, Vec3::ZERO, Vec3::ZERO) };
        let mut world = world(&scenery, &[ball, rod]);
        step(&mut world, &mut TickReport::default());
        let moment = body(&world, 1).inertia(&scenery).unwrap().moments()[2] as i128;
        let [m, big, d] = [i128::from(mass), i128::from(mass_rod), i128::from(s(at).to_bits())];
        let push =
            2 * i128::from(speed.to_bits()) * m * big * moment / ((m + big) * moment + d * d * m * big);
        let start = i128::from(speed.to_bits()) * m;
        assert_near(body(&world, 0).momentum, [(start - push) as i64, 0, 0], 2);
        assert_near(body(&world, 1).momentum, [push as i64, 0, 0], 2);
        assert_near(spin(&world, 1), [0, 0, -((d * push) >> 32) as i64], 4);
        assert_near(spin(&world, 0), [0; 3], 0);
    }
}

#[test]
fn a_ball_that_slides_over_the_ground_rolls_as_by_the_textbook() {
    // It bounces by half; friction takes m (1 + e) v of slip at most, and 2/7 of the speed is enough to roll.
    for (friction, holds) in [("0.125", false), ("2", true)] {
        let scenery = scenery("0.5", friction, &[FLOOR]);
        for mass in [1, 6] {
            let ball = turner(BALL, v("0", "0.6", "0"), v("0.15", "-0.2", "-0.15"));
            let mut world = world(&scenery, &[Spawn { mass, ..ball }]);
            step(&mut world, &mut TickReport::default());
            let unit = s("0.01").to_bits() * i64::from(mass);
            let rub = if holds { s("0.15").to_bits() * i64::from(mass) * 2 / 7 } else { 0 };
            // Of a slip across: along x and -z alike, so each has 1 / sqrt 2 of 0.125 * 0.3 of momentum.
            let slid = ((i128::from(375 * unit / 100) * 3_037_000_500) >> 32) as i64;
            let rub = if holds { rub } else { slid };
            let sum = body(&world, 0).momentum;
            assert_near(sum, [15 * unit - rub, 10 * unit, -15 * unit + rub], 64 * i64::from(mass));
            // The arm goes down by half a unit and half of the skin.
            let half = rub / 2;
            assert_near(spin(&world, 0), [-half, 0, -half], half / 1_000 + 64);
        }
    }
}

#[test]
fn a_box_that_falls_flat_rebounds_to_e_squared_of_its_height_without_any_spin() {
    for (e, square) in [("0.5", "0.25"), ("0.8", "0.64"), ("0.95", "0.9025")] {
        for shape in [CUBE, SLAB] {
            let scenery = scenery(e, "0.5", &[FLOOR]);
            let mut world = world(&scenery, &[turner(shape, v("0", "2.5", "0"), Vec3::ZERO)]);
            pull(&mut world);
            let half = body(&world, 0).form(&scenery).half_extent().unwrap().y;
            let (mut has_hit, mut top, mut report) = (false, s("0"), TickReport::default());
            for _ in 0..120 {
                step(&mut world, &mut report);
                assert_clean(&report);
                assert_eq!(spin(&world, 0), Vec3::ZERO);
                if has_hit && !report.impacts.is_empty() {
                    break;
                }
                has_hit |= !report.impacts.is_empty();
                if has_hit {
                    top = top.max(body(&world, 0).position.y - half);
                }
            }
            let expected = (i128::from((s("2.5") - half).to_bits()) * i128::from(s(square).to_bits())) >> 32;
            let off = (i128::from(top.to_bits()) - expected).abs();
            assert!(off < expected / 100, "{e} {shape:?}: {top} not {expected}");
        }
    }
}

#[test]
fn a_box_that_falls_on_an_edge_turns_over_the_right_way() {
    for (tilt, sign) in [("0.2", -1), ("-0.2", 1)] {
        let scenery = scenery("0.3", "0.4", &[FLOOR]);
        let spawn = turner(CUBE, v("0", "0.9", "0"), v("0", "-0.1", "0"));
        let mut world = world(&scenery, &[Spawn { orientation: turned("1", "0", "0", tilt), ..spawn }]);
        let mut report = TickReport::default();
        for _ in 0..4 {
            step(&mut world, &mut report);
        }
        let [x, y, z] = spin(&world, 0).raw();
        assert!(x.abs() < 1 << 12 && y.abs() < 1 << 12 && z * sign > s("0.005").to_bits(), "{x} {y} {z}");
    }
}

#[test]
fn a_box_that_hits_a_box_flat_rebounds_as_its_material_says() {
    for e in ["0", "0.3", "0.5", "0.8", "0.95"] {
        let scenery = scenery(e, "0.5", &[]);
        let speed = s("0.08").to_bits();
        for shift in ["0", "0.25"] {
            let boxes = [
                turner(CUBE, v("0", "0", "0"), Vec3::ZERO),
                turner(CUBE, v("0", "1.1", shift), v("0", "-0.08", "0")),
            ];
            let mut world = world(&scenery, &boxes);
            let before = world.energy_twice_wide();
            let mut report = TickReport::default();
            (0..2).for_each(|_| step(&mut world, &mut report));
            assert!(world.energy_twice_wide() <= before);
            let apart = body(&world, 1).momentum.y - body(&world, 0).momentum.y;
            if shift == "0" {
                let expected = (i128::from(speed) * i128::from(s(e).to_bits())) >> 32;
                let off = (i128::from(apart.to_bits()) - expected).abs();
                assert!(off <= expected / 100 + 64, "{e}: {apart}");
                assert_eq!([0, 1].map(|index| spin(&world, index)), [Vec3::ZERO; 2]);
            }
        }
    }
}

/// Bodies spread in a yard, some of them rotating.
fn crowd(count: u64, seed: u64, speed: &str) -> Vec<Spawn> {
    let mut spawns = Vec::new();
    for index in 0..count {
        let mut draws = Rng::new(seed).at(1, index, 0);
        let cell = [index % 4, index / 4 % 4, index / 16].map(|c| (c as i64 * 2 - 3) << 32);
        let position = Vec3::from_raw(cell.map(|c| c + draws.between(-1 << 28, 1 << 28)));
        let speed = s(speed).to_bits();
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (velocity, angular_velocity) = (vector(speed), vector(speed * 2));
        let parts = [(); 4].map(|()| bitstep::num::Scalar::from_bits(draws.between(-1 << 32, 1 << 32)));
        let orientation = Rotation::from_quaternion(parts[0], parts[1], parts[2], parts[3]).unwrap();
        let spawn = turner(ShapeId((index % 4) as u16), position, velocity);
        spawns.push(Spawn { mass: 1 + index as u32 % 3, orientation, angular_velocity, ..spawn });
    }
    spawns
}

/// Boxes in a yard, with gravity or without; the largest gain of energy in a tick over all that was lost
/// before.
fn largest_gain(e: &str, speed: &str, pulls: bool) -> (i128, i128, usize) {
    let scenery = scenery(e, "0.5", &YARD);
    let mut spawns = crowd(24, 3, speed);
    spawns.iter_mut().for_each(|spawn| spawn.shape = if spawn.mass == 2 { SLAB } else { CUBE });
    let mut world = world(&scenery, &spawns);
    if pulls {
        pull(&mut world);
    }
    let (first, mut report, mut impacts) = (world.energy_twice_wide(), TickReport::default(), 0);
    let (mut before, mut most) = (first, (0, 1));
    for tick in 0..240 {
        step(&mut world, &mut report);
        impacts += report.impacts.len();
        assert_eq!(overlaps(&world), 0, "{e}, tick {tick}");
        let now = world.energy_twice_wide();
        assert!(now - first <= first.abs() >> 32, "{e}, tick {tick}");
        let lost = (first - before).max(1);
        if (now - before) >> 20 > (most.0 * lost / most.1) >> 20 {
            most = (now - before, lost);
        }
        before = now;
    }
    (most.0, most.1, impacts)
}

#[test]
fn boxes_on_boxes_never_gain_energy() {
    for e in ["0.3", "0.5", "0.8", "0.95", "1"].into_iter().step_by(every(2)) {
        let (gain, lost, impacts) = largest_gain(e, "0.1", false);
        assert!(gain <= 1 << 32, "{e}: {gain} of {lost}");
        assert!(impacts > 100, "{e}: {impacts}");
    }
    // With gravity they come to rest, and the contact solver may give back a little.
    for e in ["0", "0.3", "0.5", "0.8", "0.95"].into_iter().step_by(every(2)) {
        let (gain, lost, impacts) = largest_gain(e, "0", true);
        println!("GAIN {e}: 1/{} {impacts}", lost / gain.max(1));
        assert!(gain <= lost / 128, "{e}: {gain} of {lost}");
    }
}

#[test]
fn the_ledger_closes_with_turning_friction_and_paddles() {
    let scenery = scenery("0.4", "0.6", &YARD);
    let mut spawns = crowd(40, 5, "0.1");
    for spawn in spawns.iter_mut().step_by(7) {
        spawn.body_type = BodyType::Kinematic;
        spawn.velocity = Vec3::ZERO;
        spawn.angular_velocity = v("0.05", "0.1", "-0.03");
    }
    let mut world = world(&scenery, &spawns);
    pull(&mut world);
    let (mut report, mut impacts) = (TickReport::default(), 0);
    for tick in 0..300 {
        step(&mut world, &mut report);
        impacts += report.impacts.len();
        assert_eq!(overlaps(&world), 0, "tick {tick}");
    }
    assert!(impacts > 300, "{impacts}");
}

/// A free cloud of all shapes that falls in on itself.
fn cloud(seed: u64) -> World {
    let mut spawns = crowd(48, seed, "0.05");
    for spawn in &mut spawns {
        spawn.velocity -= spawn.position.map_raw(|raw| raw / 32);
    }
    world(&scenery("1", "0.5", &[]), &spawns)
}

#[test]
fn a_free_cloud_keeps_its_angular_momentum_and_never_gains_energy() {
    // The end of a path is half a raw off along each axis, and so is each motion: that part of a momentum. An
    // impulse rounds two angular momenta by half a raw. A body that tumbles fast continues with an even
    // rotation, which its own is not quite: where two separate slowly, that moves them apart by more than the
    // rounding.
    let (mut impacts, mut ticks, mut larger) = (0, 0, 0);
    for seed in [11, 12, 13] {
        let (mut world, mut report) = (cloud(seed), TickReport::default());
        for tick in 0..600 {
            let (before, energy) = (world.angular_momentum_wide(), world.energy_twice_wide());
            let bodies = world.bodies().flat_map(|(_, body)| body.momentum.raw());
            let momenta: i128 = bodies.map(|raw| i128::from(raw.abs())).sum();
            step(&mut world, &mut report);
            assert_clean(&report);
            let after = world.angular_momentum_wide();
            let drift = (0..3).map(|axis| (after[axis] - before[axis]).abs()).max().unwrap();
            let count = report.impacts.len() as i128;
            assert!(drift < 1 << 54, "tick {tick}, {count} impacts: {drift}");
            ticks += usize::from(count > 0);
            let is_small = drift <= momenta + count * (1 << 33);
            assert!(is_small || count > 0, "tick {tick}: {drift}");
            larger += usize::from(!is_small);
            let gain = world.energy_twice_wide() - energy;
            assert!(gain <= energy >> 32, "tick {tick}, {count} impacts: {gain} of {energy}");
            impacts += count;
            if count > 0 {
                assert_eq!(overlaps(&world), 0, "tick {tick}");
            }
        }
    }
    assert!(impacts > 300 && 50 * larger <= ticks, "{impacts}: {larger} of {ticks}");
}

#[test]
fn a_rod_that_spins_at_a_post_never_passes_it() {
    for speed in ["0.1", "0.7", "1.5"] {
        for e in ["0", "0.5", "1"] {
            let scenery = scenery(e, "0.3", &[]);
            let post = Spawn { body_type: BodyType::Static, ..Spawn::new(ROD, v("0.75", "0", "0")) };
            let rod = Spawn {
                orientation: turned("1", "0", "0", "0.3"),
                angular_velocity: v("0", "0", &format!("-{speed}")),
                ..turner(ROD, v("0", "0", "0"), Vec3::ZERO)
            };
            // The post stands along z: the cross section that the rod would sweep through.
            let post = Spawn { rotates: true, orientation: turned("1", "1", "0", "0"), ..post };
            let mut world = world(&scenery, &[rod, post]);
            let (mut report, mut impacts) = (TickReport::default(), 0);
            let mut far = false;
            for tick in 0..60 {
                step(&mut world, &mut report);
                impacts += report.impacts.len();
                assert_eq!(overlaps(&world), 0, "{speed} {e}, tick {tick}");
                // The post is on the right of the rod's upper end, seen from its center, until it is far.
                let own = body(&world, 0);
                let up = own.spin.unwrap().orientation.turn_nearest(v("0", "1", "0"));
                let to = v("0.75", "0", "0") - own.position;
                far |= to.length_squared_wide() > u128::from(s("1.3").to_bits().unsigned_abs()).pow(2);
                let side = up.cross_wide(to)[2];
                assert!(far || side < 0, "{speed} {e}, tick {tick}: it has passed");
            }
            assert!(impacts > 0, "{speed} {e}");
        }
    }
}

#[test]
fn rods_that_spin_into_each_other_never_overlap() {
    for (case, e) in (0..).zip(["0", "0.5", "1", "0.8", "0.3", "1"]) {
        let scenery = scenery(e, "0.4", &YARD);
        let spawns: Vec<_> = [v("-0.4", "0", "0.1"), v("0.4", "0.1", "0")]
            .into_iter()
            .zip([1, -1])
            .map(|(position, sign)| {
                let mut draws = Rng::new(17).at(2, case, (sign + 1) as u64);
                let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
                let velocity = vector(s("0.05").to_bits());
                let angular_velocity = vector(s("0.8").to_bits());
                Spawn { angular_velocity, ..turner(ROD, position, velocity) }
            })
            .collect();
        let mut world = world(&scenery, &spawns);
        let (mut report, mut impacts) = (TickReport::default(), 0);
        for tick in 0..300 {
            step(&mut world, &mut report);
            impacts += report.impacts.len();
            assert_eq!(overlaps(&world), 0, "{e}, tick {tick}");
        }
        assert!(impacts > 3, "{e} {impacts}");
    }
}

#[test]
fn a_box_that_spins_in_a_corner_never_leaves() {
    for e in ["0", "0.5", "1"] {
        let scenery = scenery(e, "0.5", &YARD);
        let spawn = turner(CUBE, v("-3.1", "-3.1", "-3.1"), v("-0.1", "-0.15", "-0.12"));
        let spawn = Spawn { angular_velocity: v("0.5", "-0.7", "0.9"), ..spawn };
        let mut world = world(&scenery, &[spawn]);
        if e != "1" {
            pull(&mut world);
        }
        let mut report = TickReport::default();
        for tick in 0..300 {
            step(&mut world, &mut report);
            assert_eq!(overlaps(&world), 0, "{e}, tick {tick}");
            assert!(report.reverted.is_empty(), "{e}, tick {tick}");
        }
        assert!(body(&world, 0).position.within(s("4")));
    }
}

/// The crowd in a yard, changed.
fn changed(change: &Change, gravity: &str) -> (World, Vec<Spawn>) {
    let scenery = scenery("0.6", "0.5", &YARD);
    let spawns: Vec<_> = crowd(32, 23, "0.1")
        .iter()
        .map(|spawn| Spawn {
            position: change.point(spawn.position),
            velocity: change.vector(spawn.velocity),
            orientation: change.rotation(spawn.orientation),
            angular_velocity: change.turning(spawn.angular_velocity),
            material: MaterialId(0),
            ..*spawn
        })
        .collect();
    let mut world = world(&change.scenery(&scenery), &spawns);
    let gravity = change.vector(Limits::new(60).gravity_nearest_even(v("0", gravity, "0")));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    (world, spawns)
}

#[test]
fn changed_worlds_are_changed_to_the_bit() {
    let changes = [
        ([0, 1, 2], [-1, 1, 1]),
        ([0, 1, 2], [1, -1, -1]),
        ([1, 2, 0], [1, 1, 1]),
        ([0, 2, 1], [1, 1, 1]),
        ([2, 1, 0], [-1, 1, -1]),
    ];
    for (gravity, ticks) in [("0", 90), ("-9.8", 40)] {
        for (axes, signs) in changes {
            let change = Change { axes, signs, ..Change::NONE };
            let ((mut plain, _), (mut other, _)) =
                (changed(&Change::NONE, gravity), changed(&change, gravity));
            let (mut report, mut impacts) = (TickReport::default(), 0);
            for tick in 0..ticks {
                step(&mut plain, &mut report);
                impacts += report.impacts.len();
                step(&mut other, &mut report);
                for ((_, a), (_, b)) in plain.bodies().zip(other.bodies()) {
                    let (spin_a, spin_b) = (a.spin.unwrap(), b.spin.unwrap());
                    let what = format!("{gravity} {change:?}, tick {tick}, after {impacts} impacts");
                    assert_eq!(change.point(a.position), b.position, "{what}");
                    assert_eq!(change.vector(a.momentum), b.momentum, "{what}");
                    assert_eq!(change.turning(spin_a.angular_momentum), spin_b.angular_momentum, "{what}");
                }
            }
            assert!(impacts > 20, "{impacts}");
        }
    }
}
