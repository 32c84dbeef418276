//! What holds of any island.

use super::*;

/// An island of anything: bodies and points with numbers of no meaning.
fn anything(seed: u64) -> Heap {
    let mut draws = crate::num::Rng::new(seed).at(0, 0, 0);
    let bodies = 2 + draws.below(4) as u32;
    let mut heap = Heap { held: vec![Held::default()], rates: vec![[0; 6]], ..Heap::default() };
    for _ in 0..bodies {
        let bits = draws.below(17);
        let mass = 1.max(draws.below(1 << bits)) as u32;
        let drift = [0; 6].map(|_: i64| draws.between(-1 << 20, 1 << 20));
        heap.held.push(Held { mass, drift, locked: [0; 3].map(|_: i64| draws.below(8) == 0) });
        heap.rates.push([0; 6].map(|_: i64| draws.between(-GRAVITY, GRAVITY)));
    }
    for _ in 0..4 + draws.below(12) {
        let high = 1 + draws.below(bodies.into()) as u32;
        let low = draws.below(high.into()) as u32;
        let normal = [0; 3].map(|_: i64| draws.between(-1 << 20, 1 << 20));
        let length = normal.iter().map(|c| c * c).sum::<i64>().isqrt() + 1;
        let mut lever = |side: u32| match side {
            0 => [[0; 3]; 3],
            _ => [[0; 3]; 3].map(|axis: [i32; 3]| {
                axis.map(|_| draws.between(-1 << NARROW_BITS, 1 << NARROW_BITS) as i32)
            }),
        };
        let levers = [lever(low), lever(high)];
        let friction_q16 = draws.below(3) as u32 * part_q16(1, 3);
        let push = draws.below(2) as i64 * draws.between(0, GRAVITY);
        heap.points.push(Point {
            sides: [low, high],
            normal: normal.map(|c| ((c << NARROW_BITS) / length) as i32),
            levers,
            friction_q16,
            push,
            ..Point::default()
        });
    }
    heap
}

/// Which axis of the world becomes which, and which turn round.
type Mirror = ([usize; 3], [i32; 3]);

impl Heap {
    /// What it is in a mirror: some axes exchanged, some turned round; the axes of gyration, too.
    fn mirrored(&self, (places, signs): Mirror) -> Self {
        let seen = |v: [i64; 3]| [0, 1, 2].map(|i| i64::from(signs[i]) * v[places[i]]);
        let seen_16 = |v: [i32; 3]| [0, 1, 2].map(|i| signs[i] * v[places[i]]);
        // Any signs do for axes of gyration.
        let turned = |v: [i64; 3]| [0, 1, 2].map(|k| i64::from(signs[2 - k]) * v[places[k]]);
        let both = |v: [i64; 6]| {
            let ([x, y, z], [a, b, c]) = (seen([v[0], v[1], v[2]]), turned([v[3], v[4], v[5]]));
            [x, y, z, a, b, c]
        };
        let mut mirrored = self.clone();
        for held in &mut mirrored.held {
            held.locked = [0, 1, 2].map(|i| held.locked[places[i]]);
            held.drift = both(held.drift);
        }
        mirrored.rates.iter_mut().for_each(|rate| *rate = both(*rate));
        for point in &mut mirrored.points {
            point.normal = seen_16(point.normal);
            point.levers = point
                .levers
                .map(|levers| [0, 1, 2].map(|k| seen_16(levers[places[k]]).map(|c| signs[2 - k] * c)));
            (point.slip, point.grip) = (seen(point.slip), seen(point.grip));
        }
        mirrored
    }

    /// The same in another order.
    fn reordered(&self) -> Self {
        let mut other = self.clone();
        other.points.reverse();
        other.held[1..].reverse();
        other.rates[1..].reverse();
        let count = self.held.len() as u32;
        let number = |side: u32| if side == 0 { 0 } else { count - side };
        other.points.iter_mut().for_each(|point| point.sides = point.sides.map(number));
        other
    }
}

#[test]
fn a_mirror_and_an_exchange_of_axes_change_no_bit() {
    let places = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let signs = (0..8).map(|bits: i32| [0, 1, 2].map(|i| 1 - 2 * (bits >> i & 1)));
    let mirrors: Vec<Mirror> = signs.flat_map(|signs| places.map(|places| (places, signs))).collect();
    let mut gripped = 0;
    for seed in 0..40 {
        let heap = anything(seed);
        for steps in [3, 60] {
            let mut solved = heap.clone();
            solved.solve(steps);
            gripped += solved.points.iter().filter(|point| point.grip != [0; 3]).count();
            for mirror in &mirrors {
                let mut other = heap.mirrored(*mirror);
                other.solve(steps);
                assert_eq!(other.points, solved.mirrored(*mirror).points, "seed {seed}, {mirror:?}");
            }
        }
    }
    assert!(gripped > 200, "{gripped}");
}

#[test]
fn the_order_of_points_and_bodies_changes_no_bit() {
    for seed in 0..200 {
        let mut heap = anything(seed);
        let mut other = heap.reordered();
        heap.solve(40);
        other.solve(40);
        assert_eq!(other.reordered().points, heap.points, "seed {seed}");
    }
}

#[test]
fn pushes_never_pull_and_never_hold_more_than_friction_says() {
    for seed in 0..400 {
        for steps in [1, 2, 9, 100] {
            let mut heap = anything(seed);
            heap.solve(steps);
            // A unit is more than a raw where there are heavy bodies.
            let total = heap.held.iter().map(|held| i64::from(held.mass)).sum::<i64>();
            for point in &heap.points {
                let masses = point.sides.map(|side| i64::from(heap.held[side as usize].mass));
                let least = masses.into_iter().filter(|&mass| mass > 0).fold(i64::MAX, i64::min);
                let slack = 8 + ((4 * total * GRAVITY / least) >> 24);
                assert!(point.push >= 0 && lack_of_grip(point) >= -1 - slack, "seed {seed}: {point:?}");
            }
        }
    }
}

/// Whatever is asked for, nothing overflows: this is for debug builds, which would panic.
#[test]
fn numbers_of_any_size_fit() {
    for seed in 0..300 {
        let mut heap = anything(seed);
        for rate in heap.rates.iter_mut().skip(1) {
            *rate = rate.map(|c| c << (seed % 24));
        }
        for (index, point) in (0_u64..).zip(&mut heap.points) {
            point.friction_q16 = 1 << ((index + seed) % 20);
            point.push <<= seed % 20;
            if seed % 2 == 0 {
                point.levers =
                    point.levers.map(|levers| levers.map(|axis| axis.map(|c| c.signum() << NARROW_BITS)));
            }
        }
        heap.solve(100);
    }
}

/// By the quick way and by the other, over all units and masses that there are, and on both sides of its bound.
#[test]
fn velocities_are_the_same_by_both_ways() {
    let mut quick = [0, 0];
    for case in 0..200_000 {
        let mut draws = crate::num::Rng::new(31).at(0, case, 0);
        let scale = GripScale { unit: 0, push: draws.between(-28, 8) as i32 };
        let bits = draws.below(20);
        let mass = 1 + draws.below(1 << bits) as u32;
        let locked = [0; 3].map(|_: i64| draws.below(4) == 0);
        let body = Gripped::of(&Held { mass, locked, drift: [0; 6] }, &scale);
        let bound = body.shift + draws.below(6) as u32;
        let mut sum = |bits: u32| match draws.below(8) {
            0 => (1 << bits.min(61)) * draws.between(-1, 1) + draws.between(-1, 1),
            _ => draws.between(-(1 << bits.min(61)), 1 << bits.min(61)),
        };
        let less = if case % 2 == 0 { 8 } else { 2 };
        let sums = [0, 1, 2, 3, 4, 5]
            .map(|i: u32| sum((bound + if i < 3 { 0 } else { NARROW_BITS }).saturating_sub(less)));
        let found = body.quick.and_then(|quick| quick.change_by(&sums));
        quick[usize::from(found.is_some())] += 1;
        for bits in [RATE_BITS, 30] {
            let other = body.large_change_by(&sums, bits);
            assert!(found.is_none_or(|found| found == other), "{case}: {sums:?} {body:?}");
            assert_eq!(body.change_by(&sums, bits), other, "{case}");
        }
    }
    assert!(quick.into_iter().all(|count| count > 20_000), "{quick:?}");
}

/// What is left out of the row of a ball is nothing.
#[test]
fn the_row_of_a_ball_steps_as_any_row() {
    for case in 0..2_000 {
        let mut draws = crate::num::Rng::new(32).at(0, case, 0);
        let mut number = |bits: u32| draws.between(-(1 << bits), 1 << bits);
        let [x, y, z] = [0; 3].map(|_: i32| number(20) as i32);
        let columns = [[0, -z, y], [z, 0, -x], [-y, x, 0]];
        let row = Row {
            sides: [(case % 2) as u32, 2],
            normal: [0, 1 << NARROW_BITS, 0],
            weight: 200,
            shift: 30,
            friction_q16: 1 << 15,
            push: [0; 3].map(|_: i32| number(24) as i32),
            columns: [columns, columns.map(|column| column.map(|c| -c))],
            bias: [0; 3].map(|_: i64| number(40)),
            near: 1 << 12,
            ..Row::default()
        };
        let mut sways = [Sway::default(); 3];
        sways[1..].iter_mut().for_each(|sway| sway.end = [0; 6].map(|_: i64| number(22)));
        let stepped = |is_round: bool| {
            let (mut row, mut sways, mut came) = (Row { is_round, ..row }, sways, Came::default());
            for ahead in [1 << 15, 1 << 16] {
                row.step(&mut sways, ahead, 1 << 29, &mut came);
            }
            (row.push, row.went, sways, came)
        };
        assert_eq!(stepped(true), stepped(false), "{case}");
    }
}
