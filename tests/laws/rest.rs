//! Slow impacts: how bodies separate, how they rest on a floor, and how close they come.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::Toi,
    shape::Shape,
    state::{Command, Limits, Material, MaterialId, SKIN, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::{Cause, TickReport},
};

use crate::support::{HALF, Start, assert_clean, s, shapes, step, v, world};

/// A ball of shape 0 and a static in an inelastic material.
fn ball_and(shape: Shape, at: Vec3) -> std::sync::Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    builder.shape(Shape::sphere(HALF));
    let shape = builder.shape(shape);
    builder.fixed(shape, material, at);
    builder.build().unwrap()
}

fn plane(normal: Normal) -> Shape {
    Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap())
}

fn add_ball(world: &mut World, y: &str, speed: &str, gravity: &str) {
    let (position, velocity) = (v("0", y, "0"), v("0", speed, "0"));
    let (shape, material) = (ShapeId(0), MaterialId(0));
    let commands = [
        Command::Spawn(Spawn { material, mass: 3, velocity, ..Spawn::new(shape, position) }),
        Command::SetGravity { gravity: v("0", gravity, "0") },
    ];
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
}

#[test]
fn a_slow_pair_parts_at_the_least_rate_shared_by_mass() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    // A takes the part of B's mass in the sum, rounded up, and the reverse.
    for (masses, moved) in [([1, 1], [8, 8]), ([1, 3], [12, 4]), ([1, 2], [11, 6]), ([2, 1], [6, 11])] {
        let limits = Limits::new(60).with_rest_speed(s("1"));
        // The momenta cancel, and they touch: nothing but the parting is left.
        let ball = |x, speed: i64, mass| {
            let velocity = Vec3::from_raw([speed << 28, 0, 0]);
            Start { shape: ShapeId(0), mass, position: v(x, "0", "0"), velocity }
        };
        let [a, b] = masses.map(i64::from);
        let starts = [ball("-0.5", b, masses[0]), ball("0.5", -a, masses[1])];
        let mut world = world(limits, &scenery, &starts);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_clean(&report);
        assert_eq!(report.impacts.len(), 1);
        let found: Vec<i64> = (world.bodies().zip(&starts))
            .map(|((_, body), start)| (body.position.x - start.position.x).to_bits())
            .collect();
        assert_eq!(found, [-moved[0], moved[1]], "masses {masses:?}");
        assert!(world.bodies().all(|(_, body)| body.velocity() == Vec3::ZERO));
    }
}

/// The gap at which a ball of radius .5 rests on a body as large: the skin, and 1/256 of its radius.
fn rest_gap() -> i64 {
    SKIN.to_bits() + (HALF.to_bits() >> 8)
}

/// Touching is nearer than the rest gap, so the ball goes down by half of the lack, and its speed is gone;
/// then it falls as if the ceiling did not exist.
#[test]
fn a_slow_ball_leaves_a_ceiling_as_gravity_pulls_it() {
    let scenery = ball_and(plane(-Normal::Y), v("0", "0.5", "0"));
    let mut world = World::new(Limits::new(60), scenery).unwrap();
    add_ball(&mut world, "0", "0.125", "-0.0625");
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    assert_eq!(
        (report.impacts.len(), report.ledger[Cause::Statics]),
        (1, [0, -3 * i128::from(s("0.0625").to_bits()), 0])
    );
    let (_, body) = world.bodies().next().unwrap();
    let left = rest_gap() / 2;
    assert_eq!(body.velocity(), Vec3::ZERO);
    assert!((left..=left + 2).contains(&-body.position.y.to_bits()), "{}", body.position);
    for tick in 1..20 {
        let from = world.bodies().next().unwrap().1.position;
        step(&mut world, &mut report);
        let (_, body) = world.bodies().next().unwrap();
        assert_eq!(body.velocity().y, s("-0.0625") * tick);
        assert_eq!(body.position.y - from.y, s("-0.0625") * tick - s("-0.03125"));
        assert_eq!((report.impacts.len(), report.ledger[Cause::Statics]), (0, [0; 3]));
    }
}

/// Placed touching, it is lifted to the gap at which it rests, by half of the lack in each tick, and then
/// nothing moves: the floor takes the pull of each tick, and no impact is reported.
#[test]
fn a_ball_on_a_floor_neither_sinks_nor_hops() {
    for (rate, gravity) in [(10, "-0.098"), (60, "-0.0027222222"), (120, "-0.0006805556")] {
        let mut world = World::new(Limits::new(rate), ball_and(plane(Normal::Y), Vec3::ZERO)).unwrap();
        let even = s(gravity).to_bits() & !1;
        add_ball(&mut world, "0.5", "0", "0");
        let gravity = Vec3::from_raw([0, even, 0]);
        assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
        let mut report = TickReport::default();
        let mut before = 0;
        for tick in 0..600 {
            step(&mut world, &mut report);
            assert_clean(&report);
            let (_, body) = world.bodies().next().unwrap();
            let gap = (body.position.y - HALF).to_bits();
            let lift = (rest_gap() - before + 1) / 2;
            assert!((lift..=lift + 2).contains(&(gap - before)), "tick {tick} at {rate} Hz: {before}, {gap}");
            assert!(gap <= rest_gap() + 2, "tick {tick} at {rate} Hz: {gap}");
            assert!(tick < 200 || gap == before, "tick {tick} at {rate} Hz: {before}, {gap}");
            assert_eq!(body.momentum, Vec3::ZERO, "tick {tick} at {rate} Hz");
            // A pair that touches to the last raw has one impact; across a gap there is none.
            assert_eq!((report.impacts.len(), report.velocity_corrected.len()), (usize::from(tick == 0), 0));
            assert_eq!(report.ledger[Cause::Statics], [0, -3 * i128::from(even), 0]);
            before = gap;
        }
        assert!((rest_gap()..=rest_gap() + 2).contains(&before), "{rate} Hz: {before}");
    }
}

/// Balls that would end the tick at depths from inside each other to well outside the skin, raw by raw.
#[test]
fn bodies_come_as_close_as_the_skin_and_meet_before_the_tick_ends() {
    let block = ball_and(Shape::aabb(v("1", "1", "1")), v("0", "-1", "0"));
    let floor = ball_and(plane(Normal::Y), Vec3::ZERO);
    let other = ball_and(plane(Normal::Y), v("0", "-9", "0"));
    for (name, scenery) in [("block", block), ("floor", floor), ("ball", other)] {
        let mut closest = i64::MAX;
        for left in -200..=200 {
            let mut world = World::new(Limits::new(60), scenery.clone()).unwrap();
            if name == "ball" {
                add_ball(&mut world, "-0.5", "0", "0");
            }
            let start = v("0", "1.5", "0").map_raw(|raw| if raw == 0 { 0 } else { raw + left });
            let (shape, material) = (ShapeId(0), MaterialId(0));
            let (mass, velocity) = (1, v("0", "-1", "0"));
            let spawn = Command::Spawn(Spawn { material, mass, velocity, ..Spawn::new(shape, start) });
            assert!(world.apply(&[spawn]).outcomes[0].is_ok());
            let (mut report, mut impacts) = (TickReport::default(), 0);
            for _ in 0..3 {
                step(&mut world, &mut report);
                assert_clean(&report);
                impacts += report.impacts.len();
                let in_tick = report.impacts.iter().all(|impact| impact.toi < Toi::END);
                assert!(in_tick, "{name}, {left}: an impact at the end is the next tick's");
                let heights: Vec<_> = world.bodies().map(|(_, body)| body.position.y).collect();
                let below = if name == "ball" { heights[0] + HALF } else { s("0") };
                closest = closest.min((heights[heights.len() - 1] - HALF - below).to_bits());
            }
            assert_eq!(impacts, 1, "{name}, {left}");
        }
        let skin = SKIN.to_bits();
        assert!((skin - 1..=skin + 1).contains(&closest), "{name}: {closest}");
    }
}
