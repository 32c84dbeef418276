use super::*;
use crate::{
    num::round::shr_nearest_64,
    tick::contact::rest::grip_rows::{GripScale, Point},
};

mod laws;
mod singles;

/// Gravity, in raw per tick: 9.8 units per second squared at 60 ticks per second, nearly.
const GRAVITY: i64 = 11_700_000;

/// How much of the change of speed each of two takes, in 2^-30.
fn shares_q30(sides: [u32; 2], held: &[Held]) -> [i64; 2] {
    match sides.map(|side| u64::from(held[side as usize].mass)) {
        [0, 0] => [0, 0],
        [0, _] => [0, 1 << 30],
        [_, 0] => [1 << 30, 0],
        [a, b] => [(b << 30) / (a + b), (a << 30) / (a + b)].map(|share| share as i64),
    }
}

/// A fraction of friction.
const fn part_q16(number: u32, of: u32) -> u32 {
    (number << 16) / of
}

/// A box that stands as the axes of the world do, or is turned by rows of numbers over one number.
#[derive(Clone, Copy)]
struct Block {
    center: [i64; 3],
    half: [i64; 3],
    mass: u32,
}

/// What is pressed together by gravity.
#[derive(Clone, Default)]
struct Heap {
    blocks: Vec<Block>,
    held: Vec<Held>,
    points: Vec<Point>,
    /// The velocities before any push, by body.
    rates: Vec<[i64; 6]>,
}

fn cross(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Block {
    /// The levers of a push at a place.
    fn levers(&self, place: [i64; 3]) -> [[i32; 3]; 3] {
        let arm = [0, 1, 2].map(|i| place[i] - self.center[i]);
        let unit = |j: usize| [0, 1, 2].map(|i| i64::from(i == j));
        [0, 1, 2].map(|k| {
            let squares = self.half[(k + 1) % 3].pow(2) + self.half[(k + 2) % 3].pow(2);
            // The radius of gyration, in 2^-16.
            let gyration = ((squares as i128) << 32).div_euclid(3).isqrt() as i64;
            [0, 1, 2].map(|j| {
                let along = i128::from(cross(arm, unit(j))[k]) << 48;
                let twice = 2 * along / i128::from(gyration) / 2;
                shr_nearest_64(twice as i64, 32 - NARROW_BITS).try_into().expect("a lever is less than 2")
            })
        })
    }
}

impl Heap {
    fn new(pull: [i64; 3], blocks: &[Block]) -> Self {
        let mut heap = Self::default();
        heap.held.push(Held::default());
        heap.rates.push([0; 6]);
        for block in blocks {
            heap.blocks.push(*block);
            let drift = [pull[0], pull[1], pull[2], 0, 0, 0];
            heap.held.push(Held { mass: block.mass, drift, ..Held::default() });
            heap.rates.push([pull[0], pull[1], pull[2], 0, 0, 0]);
        }
        heap
    }

    /// Adds a contact at some places; body 0 is the ground.
    fn touch(&mut self, sides: [u32; 2], normal: [i32; 3], friction_q16: u32, places: &[[i64; 3]]) {
        for &place in places {
            let levers = sides.map(|side| match side {
                0 => [[0; 3]; 3],
                side => self.blocks[side as usize - 1].levers(place),
            });
            self.points.push(Point { sides, normal, levers, friction_q16, ..Point::default() });
        }
    }

    /// How fast a pair of bodies moves apart at a point, in raw per tick.
    fn rate(point: &Point, rates: &[[i64; 6]]) -> [i64; 3] {
        let side = |which: usize| {
            let rate = &rates[point.sides[which] as usize];
            [0, 1, 2].map(|j| {
                let lever = |k: usize| i128::from(point.levers[which][k][j]);
                let turn = (0..3).map(|k| lever(k) * i128::from(rate[3 + k])).sum();
                rate[j] + shr_nearest(turn, NARROW_BITS) as i64
            })
        };
        let [low, high] = [side(0), side(1)];
        [0, 1, 2].map(|j| high[j] - low[j])
    }

    /// How fast they part along the normal, and slip.
    fn parts(point: &Point, rates: &[[i64; 6]]) -> (i64, [i64; 3]) {
        let rate = Self::rate(point, rates);
        let n = point.normal.map(i128::from);
        let sum = (0..3).map(|j| n[j] * i128::from(rate[j])).sum::<i128>();
        let along = (sum + (1 << (NARROW_BITS - 1))) >> NARROW_BITS;
        (along as i64, [0, 1, 2].map(|j| rate[j] - shr_nearest(n[j] * along, NARROW_BITS) as i64))
    }

    /// The velocities that the pushes come to.
    fn pushed(&self, points: &[Point]) -> Vec<[i64; 6]> {
        let mut sums = vec![[0_i128; 6]; self.held.len()];
        for point in points {
            let push = [0, 1, 2].map(|j| {
                i128::from(point.normal[j]) * i128::from(point.push)
                    + (i128::from(point.grip[j]) << NARROW_BITS)
            });
            let shares = shares_q30(point.sides, &self.held);
            for which in [0, 1] {
                let sign = if which == 0 { -1 } else { 1 };
                let sum = &mut sums[point.sides[which] as usize];
                for k in 0..3 {
                    let lever: i128 = (0..3).map(|j| i128::from(point.levers[which][k][j]) * push[j]).sum();
                    sum[k] += sign * i128::from(shares[which]) * (push[k] << NARROW_BITS);
                    sum[3 + k] += sign * i128::from(shares[which]) * lever;
                }
            }
        }
        let sums = sums.into_iter().map(|sum| sum.map(|c| shr_nearest(c, 2 * NARROW_BITS + 30) as i64));
        self.rates.iter().zip(sums).map(|(rate, sum)| [0, 1, 2, 3, 4, 5].map(|i| rate[i] + sum[i])).collect()
    }

    /// Solves from the pushes as they are; returns the steps and the velocities.
    fn solve(&mut self, steps: i64) -> (i64, Vec<[i64; 6]>) {
        self.solve_as(steps, false)
    }

    /// The same, with or without a guess.
    fn solve_as(&mut self, steps: i64, guesses: bool) -> (i64, Vec<[i64; 6]>) {
        let before = self.pushed(&self.points);
        let mut grip = Grip::default();
        grip.clear();
        grip.held.extend_from_slice(&self.held[1..]);
        for point in &self.points {
            let (excess, slip) = Self::parts(point, &before);
            grip.points.push(Point { excess, slip, ..*point });
        }
        let effort = Effort { steps, looks: i64::MAX, solved: GRAVITY >> 20, still: 0 };
        let taken = grip.solve(effort, guesses);
        self.points.clone_from(&grip.points);
        (taken, self.pushed(&self.points))
    }
}

/// The largest component of any velocity.
fn largest(rates: &[[i64; 6]]) -> i64 {
    rates.as_flattened().iter().fold(0, |most, rate| most.max(rate.abs()))
}

const UP: [i32; 3] = [0, 1 << NARROW_BITS, 0];

/// The corners of a level face.
fn corners(center: [i64; 3], half: [i64; 3], y: i64) -> [[i64; 3]; 4] {
    [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(|[x, z]| [center[0] + x * half[0], y, center[2] + z * half[2]])
}

const HALF: i64 = 1 << 20;

/// Boxes on each other.
fn tower(masses: &[u32], friction_q16: u32) -> Heap {
    let block =
        |(index, &mass): (i64, &u32)| Block { center: [0, (2 * index + 1) * HALF, 0], half: [HALF; 3], mass };
    let blocks: Vec<Block> = (0..).zip(masses).map(block).collect();
    let mut heap = Heap::new([0, -GRAVITY, 0], &blocks);
    for index in 0..blocks.len() as u32 {
        let y = 2 * i64::from(index) * HALF;
        heap.touch([index, index + 1], UP, friction_q16, &corners([0; 3], [HALF; 3], y));
    }
    heap
}

/// Boxes in rows, each on two others, half of each covered.
fn pyramid(rows: i64, friction_q16: u32) -> Heap {
    let mut blocks = Vec::new();
    for row in 0..rows {
        for place in 0..rows - row {
            let center = [(2 * place + row) * HALF * 17 / 16, (2 * row + 1) * HALF, 0];
            blocks.push(Block { center, half: [HALF; 3], mass: 1 });
        }
    }
    let mut heap = Heap::new([0, -GRAVITY, 0], &blocks);
    for (index, block) in (1..).zip(&blocks) {
        let y = block.center[1] - HALF;
        if y == 0 {
            heap.touch([0, index], UP, friction_q16, &corners(block.center, block.half, y));
        }
        for (below, low) in (1..).zip(&blocks) {
            let over = 2 * HALF - (block.center[0] - low.center[0]).abs();
            if low.center[1] + HALF == y && over > 0 {
                let center = [(block.center[0] + low.center[0]) / 2, 0, 0];
                heap.touch([below, index], UP, friction_q16, &corners(center, [over / 2, 0, HALF], y));
            }
        }
    }
    heap
}

#[test]
fn a_box_on_the_ground_is_carried_by_its_corners() {
    let mut heap = tower(&[7], part_q16(1, 2));
    let (steps, rates) = heap.solve(256);
    println!("{steps} steps, {:?}", rates[1]);
    assert!(largest(&rates) <= GRAVITY >> 16);
    assert_eq!(rates[1][3..], [0; 3]);
    for point in &heap.points {
        assert!((4 * point.push - GRAVITY).abs() < GRAVITY >> 16, "{}", point.push);
        assert_eq!(point.grip, [0; 3]);
    }
}

#[test]
fn convergence() {
    let cases = [
        ("tower of 10", tower(&[1; 10], part_q16(1, 2))),
        ("tower of 10, frictionless", tower(&[1; 10], 0)),
        ("heavy on light", tower(&[1, 100], part_q16(1, 2))),
        ("pyramid of 55", pyramid(10, part_q16(1, 2))),
    ];
    for (name, heap) in cases {
        print!("{name}: {} rows; cold", heap.points.len());
        for steps in [16, 32, 48, 64, 96, 128, 256, 512] {
            let (taken, rates) = heap.clone().solve(steps);
            print!(" {taken}: {:.2e}", largest(&rates) * 1000000 / GRAVITY);
        }
        println!();
        print!("   guess");
        for steps in [0, 8, 16, 32, 64, 128, 256] {
            let (taken, rates) = heap.clone().solve_as(steps, true);
            print!(" {taken}: {:.2e}", largest(&rates) * 1000000 / GRAVITY);
            assert!(largest(&rates) <= GRAVITY >> 12, "{name}: the guess is the answer");
        }
        println!();
        for steps in [16, 32] {
            let mut warm = heap.clone();
            print!("   warm {steps}:");
            for tick in 1..=64 {
                let (_, rates) = warm.solve(steps);
                for (rate, now) in warm.rates.iter_mut().zip(&rates).skip(1) {
                    *rate = *now;
                    rate[1] -= GRAVITY;
                }
                // The pushes of the tick are in the velocities; the next one begins with as much again.
                if tick & (tick - 1) == 0 {
                    print!(" {tick}: {:.2e}", largest(&rates) * 1000000 / GRAVITY);
                }
            }
            println!();
        }
    }
}

/// A box on a slope of 3/4, as seen from the slope.
fn slope(friction_q16: u32) -> Heap {
    let block = Block { center: [0, HALF, 0], half: [HALF; 3], mass: 3 };
    let mut heap = Heap::new([GRAVITY * 3 / 5, -GRAVITY * 4 / 5, 0], &[block]);
    heap.touch([0, 1], UP, friction_q16, &corners([0; 3], [HALF; 3], 0));
    heap
}

/// How far the friction of a point is from all that it has, in raw.
fn lack_of_grip(point: &Point) -> i64 {
    let square: i64 = point.grip.iter().map(|c| c * c).sum();
    ((point.push * i64::from(point.friction_q16)) >> FRICTION_BITS) - square.isqrt()
}

#[test]
fn a_box_sticks_to_a_slope_that_its_friction_is_enough_for() {
    let mut heap = slope(part_q16(4, 5));
    let (steps, rates) = heap.solve(512);
    println!("{steps} steps, {:?}", rates[1]);
    assert!(largest(&rates) <= GRAVITY >> 16, "{rates:?}");
    for point in &heap.points {
        assert!(point.push > 0 && lack_of_grip(point) >= 0, "{point:?}");
    }
}

#[test]
fn a_box_slides_down_a_slope_with_all_its_friction() {
    let mut heap = slope(part_q16(7, 10));
    let (steps, rates) = heap.solve(512);
    println!("{steps} steps, {:?}", rates[1]);
    let slides = GRAVITY * 3 / 5 - GRAVITY * 4 / 5 * 7 / 10;
    assert!((rates[1][0] - slides).abs() <= GRAVITY >> 14, "{rates:?} {slides}");
    assert!(rates[1][1..].iter().all(|rate| rate.abs() <= GRAVITY >> 14), "{rates:?}");
    for point in &heap.points {
        assert!((0..=4).contains(&lack_of_grip(point)) && point.grip[0] < 0, "{point:?}");
    }
}

#[test]
fn what_is_pushed_above_its_center_leans_on_its_front_corners() {
    let mut heap = tower(&[1], part_q16(1, 1));
    // A push at half the height of the upper half.
    let push = GRAVITY / 8;
    let lever = i64::from(heap.blocks[0].levers([0, 3 * HALF / 2, 0])[2][0]);
    heap.rates[1][0] += push;
    heap.rates[1][5] += (push * lever) >> NARROW_BITS;
    let (steps, rates) = heap.solve(512);
    println!("{steps} steps, {:?}", rates[1]);
    assert!(largest(&rates) <= GRAVITY >> 14, "{rates:?}");
    let [rear, front] =
        [0..2, 2..4].map(|side| heap.points[side].iter().map(|point| point.push).sum::<i64>());
    assert!((rear + front - GRAVITY).abs() <= GRAVITY >> 12);
    assert!((front - rear - push * 3 / 2).abs() <= GRAVITY >> 12, "{rear} {front}");
}

#[test]
fn a_body_that_stands_beyond_its_edge_tips_over() {
    let mut heap = tower(&[1], part_q16(1, 1));
    heap.points.truncate(2); // the corners at -x are all there is
    heap.points.iter_mut().for_each(|point| point.friction_q16 = 0);
    let (_, rates) = heap.solve(512);
    // About the edge: half as much comes from turning as a square of levers says.
    assert!(rates[1][5] < -GRAVITY / 4 && rates[1][1] < -GRAVITY / 4, "{rates:?}");
    assert!(heap.points.iter().all(|point| Heap::parts(point, &rates).0.abs() <= GRAVITY >> 14));
}

#[test]
fn a_heavy_body_stays_on_a_light_one() {
    for masses in [[1, 100], [1, 1_000], [1_000, 1]] {
        for guesses in [false, true] {
            let mut heap = tower(&masses, part_q16(1, 2));
            let (steps, rates) = heap.solve_as(2_048, guesses);
            assert!(largest(&rates) <= GRAVITY >> 12, "{masses:?} {guesses}, {steps} steps: {rates:?}");
            assert!(
                !guesses || masses[1] > 100 || steps <= 16,
                "{masses:?}: the guess is as good as the answer, but for {steps}"
            );
        }
    }
}

#[test]
fn a_guess_fits_where_thousands_of_points_carry_a_heavy_load() {
    for count in [1_i64, 20, 90] {
        let mut heap = tower(&[1, 65_536], part_q16(1, 2));
        heap.points.retain(|point| point.sides == [1, 2]);
        let place = |number: i64| (2 * number + 1 - count) * HALF / count;
        let places: Vec<_> = (0..count * count).map(|at| [place(at % count), 0, place(at / count)]).collect();
        heap.touch([0, 1], UP, part_q16(1, 2), &places);
        let (_, rates) = heap.solve_as(64, true);
        // It falls no faster than it would with nothing below it.
        assert!(rates[2][1].abs() <= GRAVITY, "{count}: {rates:?}");
        assert!(heap.points.iter().all(|point| point.push >= 0), "{count}");
    }
}

#[test]
fn along_a_locked_axis_nothing_moves_and_pushes_are_as_large_as_if_it_did() {
    // On the slope, a box that is locked across it turns over neither for its weight nor for its friction.
    for axis in 0..3 {
        let mut heap = slope(part_q16(7, 10));
        heap.held[1].locked[axis] = true;
        heap.rates[1][axis] = 0;
        let mut grip = Grip::default();
        grip.clear();
        grip.held.extend_from_slice(&heap.held[1..]);
        for point in &heap.points {
            let (excess, slip) = Heap::parts(point, &heap.rates);
            grip.points.push(Point { excess, slip, ..*point });
        }
        grip.solve(Effort { steps: 99, looks: i64::MAX, solved: 1, still: 0 }, false);
        assert_eq!(grip.bodies[1].change[axis], 0);
        let pushed = grip.points.iter().any(|point| point.push != 0);
        assert_eq!(pushed, axis != 1, "nothing presses what is locked along the normal");
    }
}
