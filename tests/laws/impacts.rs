//! Impacts with known outcomes: head-on pairs and Newton's cradle.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    shape::Shape,
    tick::TickReport,
    world::{Limits, SKIN, ShapeId, World},
};

use crate::support::{HALF, Start, assert_clean, overlaps, s, shapes, step, v, world};

const BALL: ShapeId = ShapeId(0);

#[test]
fn a_head_on_pair_at_120_meets_at_the_surface() {
    let solids = [Shape::sphere(HALF), Shape::aabb(Vec3::splat(HALF))];
    for (shape, restitution) in [(0, "0"), (0, "1"), (1, "0"), (1, "1")] {
        let scenery = shapes(restitution, &solids);
        let ball = |x: &str, velocity: &str| Start {
            shape: ShapeId(shape),
            mass: 3,
            position: v(x, "0", "0"),
            velocity: v(velocity, "0", "0"),
        };
        let mut world = world(Limits::new(60), &scenery, &[ball("-1", "2"), ball("1", "-2")]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_clean(&report);
        assert_eq!(report.impacts.len(), 1);
        let quarter = 1_u64 << 30;
        let early = quarter - report.impacts[0].toi.raw();
        assert!(early < 40, "{early}");
        let states: Vec<_> = world.bodies().map(|(_, body)| (body.position, body.velocity())).collect();
        if restitution == "1" {
            assert_eq!(states.iter().map(|state| state.1.x).collect::<Vec<_>>(), [s("-2"), s("2")]);
            step(&mut world, &mut report);
            assert!(report.impacts.is_empty());
        } else {
            for _ in 0..10 {
                step(&mut world, &mut report);
            }
            for (position, velocity) in world.bodies().map(|(_, body)| (body.position, body.velocity())) {
                assert_eq!(velocity, Vec3::ZERO);
                let gap_half = position.x.to_bits().abs() - HALF.to_bits();
                assert!((0..=SKIN.to_bits()).contains(&gap_half), "{gap_half}");
            }
        }
        assert_eq!(overlaps(&world), 0);
    }
}

/// A row of balls along a direction; the first `incoming` come in touching each other.
fn cradle(count: i64, incoming: i64, gap: i64, along: [i64; 3]) -> World {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let place = |units_raw: i64| Vec3::from_raw(along.map(|part| part * units_raw));
    let length = along.iter().map(|part| part * part).sum::<i64>().isqrt().max(1);
    let diameter = (1_i64 << 32) / length + i64::from(length > 1) + gap;
    let starts: Vec<Start> = (0..count)
        .map(|index| {
            let comes = index < incoming;
            let shift = if comes { 3 << 32 } else { 0 };
            Start {
                shape: BALL,
                mass: 5,
                position: place(index * diameter - shift / length),
                velocity: if comes { place((5 << 32) / length) } else { Vec3::ZERO },
            }
        })
        .collect();
    world(Limits::new(60), &scenery, &starts)
}

#[test]
fn a_cradle_hands_over_exactly_on_an_axis() {
    let mut cases = 0;
    for count in 2..=7_i64 {
        for incoming in 1..=3.min(count - 1) {
            for gap in [0, 1 << 30] {
                let mut world = cradle(count, incoming, gap, [1, 0, 0]);
                let mut report = TickReport::default();
                for _ in 0..20 {
                    step(&mut world, &mut report);
                    assert_clean(&report);
                    assert_eq!(overlaps(&world), 0);
                }
                let speeds: Vec<Scalar> = world.bodies().map(|(_, body)| body.velocity().x).collect();
                let expected: Vec<Scalar> =
                    (0..count).map(|i| if i < count - incoming { s("0") } else { s("5") }).collect();
                assert_eq!(speeds, expected, "{count} balls, {incoming} incoming, gap {gap}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 2 * (1 + 2 + 3 * 4));
}
