//! Impacts with known outcomes: head-on pairs and Newton's cradle.

use bitstep::{
    World,
    geom::Vec3,
    num::root::sqrt_ceil,
    shape::Shape,
    state::{Limits, SKIN, ShapeId},
    tick::TickReport,
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
            // At the surface within the skin; then to the gap at which such balls rest, and no further.
            for most in [0, 10, 10].map(|ticks: i64| SKIN.to_bits() + ticks.min(1) * (HALF.to_bits() >> 9)) {
                for (position, velocity) in world.bodies().map(|(_, body)| (body.position, body.velocity())) {
                    assert_eq!(velocity, Vec3::ZERO);
                    let gap_half = position.x.to_bits().abs() - HALF.to_bits();
                    assert!((0..=most).contains(&gap_half), "{gap_half} of {most}");
                }
                (0..10).for_each(|_| step(&mut world, &mut report));
            }
        }
        assert_eq!(overlaps(&world), 0);
    }
}

/// A row of balls along a direction, `gap` raw apart; the first `incoming` come in together.
fn cradle(count: i64, incoming: i64, gap: i64, along: [i64; 3]) -> World {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let place = |units_raw: i64| Vec3::from_raw(along.map(|part| part * units_raw));
    // The least spacing, in steps along, at which balls of diameter 1 do not overlap.
    let square = along.iter().map(|part| part * part).sum::<i64>() as u128;
    let touching = sqrt_ceil((1_u128 << 64).div_ceil(square)) as i64;
    let length = square.isqrt() as i64;
    let diameter = touching + gap / length;
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

/// Runs every cradle along a direction; returns the largest error in raw per tick of the hand-over.
fn worst_hand_over(along: [i64; 3]) -> u64 {
    let (mut worst, mut cases) = (0, 0);
    for count in 2..=7_i64 {
        for incoming in 1..=3.min(count - 1) {
            for gap in [0, 1 << 30] {
                let mut world = cradle(count, incoming, gap, along);
                let comes = world.bodies().next().unwrap().1.velocity();
                let mut report = TickReport::default();
                for _ in 0..20 {
                    step(&mut world, &mut report);
                    assert_clean(&report);
                    assert_eq!(overlaps(&world), 0);
                }
                for (index, (_, body)) in (0..).zip(world.bodies()) {
                    let expected = if index < count - incoming { Vec3::ZERO } else { comes };
                    let off = (body.velocity() - expected).raw().map(i64::unsigned_abs);
                    worst = off.into_iter().fold(worst, u64::max);
                }
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 2 * (1 + 2 + 3 * 4));
    worst
}

#[test]
fn a_cradle_hands_over_exactly_on_an_axis_and_on_a_diagonal() {
    for along in [[1, 0, 0], [0, -1, 0], [1, 1, 0], [0, -1, 1], [1, 1, 1], [-1, 1, -1]] {
        assert_eq!(worst_hand_over(along), 0, "{along:?}");
    }
}

/// Off the axes and diagonals a rounded position is up to a raw off the line, and each gap that the next ball
/// crosses increases the error, as with real balls.
#[test]
fn a_cradle_elsewhere_is_off_by_a_few_raw() {
    for along in [[3, 4, 0], [2, -3, 6]] {
        let worst = worst_hand_over(along);
        println!("{along:?}: {worst} raw per tick");
        assert!((1..=256).contains(&worst), "{along:?}: {worst} raw per tick");
    }
}

/// Two that hit a third at the same instant from both sides, whatever their ids: it stays, and they bounce
/// alike. With e = 1 at their own speed; with less by the mean of both orders, and never faster.
#[test]
fn two_that_hit_a_third_at_once_favour_no_side() {
    let mirror = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
    for (restitution, mass, back) in [("1", 1, Some("1")), ("1", 4, None), ("0.5", 1, None), ("0", 3, None)] {
        let scenery = shapes(restitution, &[Shape::sphere(HALF)]);
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1]] {
            let of = [("-1.5", "1", 1), ("0", "0", mass), ("1.5", "-1", 1)];
            let starts = order.map(|which: usize| {
                let (x, speed, mass) = of[which];
                Start { shape: ShapeId(0), mass, position: v(x, "0", "0"), velocity: v(speed, "0", "0") }
            });
            let mut world = world(Limits::new(60), &scenery, &starts);
            let (energy, mut report) = (world.energy_twice_wide(), TickReport::default());
            step(&mut world, &mut report);
            assert_clean(&report);
            assert!(report.impacts.len() >= 2 && report.impacts[0].toi == report.impacts[1].toi);
            let slot = |which| order.iter().position(|&it| it == which).unwrap();
            let [left, ball, right] = [0, 1, 2].map(|which| *world.bodies().nth(slot(which)).unwrap().1);
            let name = format!("{restitution}, {mass}, {order:?}");
            assert_eq!((ball.position, ball.momentum), (Vec3::ZERO, Vec3::ZERO), "{name}");
            assert_eq!(mirror(left.position), right.position, "{name}");
            assert_eq!(mirror(left.momentum), right.momentum, "{name}");
            let speed = right.velocity().x;
            assert!(
                back.map_or((s("0")..=s("1")).contains(&speed), |back| speed == s(back)),
                "{name}: {speed}"
            );
            assert!(world.energy_twice_wide() <= energy, "{name}");
        }
    }
}

/// Four that hit a fifth at once, from four sides: no side of an axis is favoured, whatever the ids.
#[test]
fn four_that_hit_a_fifth_at_once_favour_no_side() {
    for (restitution, mass) in [("1", 1), ("0.5", 4), ("0", 3)] {
        let scenery = shapes(restitution, &[Shape::sphere(HALF)]);
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 0, 4, 2, 3], [2, 0, 3, 4, 1], [3, 1, 0, 2, 4]] {
            let of = [
                ("-1.5", "0", "1", "0"),
                ("1.5", "0", "-1", "0"),
                ("0", "1.5", "0", "-1"),
                ("0", "-1.5", "0", "1"),
            ];
            let starts = order.map(|which: usize| {
                let (x, y, along, up) = *of.get(which).unwrap_or(&("0", "0", "0", "0"));
                let mass = if which == 4 { mass } else { 1 };
                Start { shape: ShapeId(0), mass, position: v(x, y, "0"), velocity: v(along, up, "0") }
            });
            let mut world = world(Limits::new(60), &scenery, &starts);
            let mut report = TickReport::default();
            step(&mut world, &mut report);
            assert_clean(&report);
            let together = report.impacts.iter().filter(|impact| impact.toi == report.impacts[0].toi);
            assert!(together.count() >= 4);
            let [left, right, above, below, middle] = [0, 1, 2, 3, 4].map(|which| {
                let slot = order.iter().position(|&it| it == which).unwrap();
                *world.bodies().nth(slot).unwrap().1
            });
            let name = format!("{restitution}, {mass}, {order:?}");
            assert_eq!((middle.position, middle.momentum), (Vec3::ZERO, Vec3::ZERO), "{name}");
            assert_eq!((left.position, left.momentum), (-right.position, -right.momentum), "{name}");
            assert_eq!((above.position, above.momentum), (-below.position, -below.momentum), "{name}");
        }
    }
}
