//! Bodies that turn: what is passed is checked by polynomials, what is hit is near, symmetries, limits.

use bitstep::{
    geom::{AngularMotion, Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi},
    overlap::{
        distance_capsule_capsule_ceil, distance_convex_convex_ceil, distance_obb_capsule_ceil,
        distance_point_capsule_ceil, distance_point_obb_ceil,
    },
    shape::{Capsule, Obb, Shape},
    sweep::{Advance, Hit, Passed, Proof, sweep_turning, sweep_turning_with},
};
use num_bigint::BigInt;

use crate::{
    oracle::{ONE, Source, big, cases},
    turning_oracle::Pair,
};

// ---------------------------------------------------------------- cases

impl Source {
    /// Another orientation, at most 90° from one; half of them within a few degrees.
    pub fn turned(&mut self, from: Rotation) -> Rotation {
        let most = [4, 64, 1 << 20, ONE / 100, ONE / 10, ONE / 3, ONE][self.between(0, 6) as usize];
        loop {
            let parts = from.components().map(|part| i64::from(part) << 2);
            let moved = parts.map(|part| Scalar::from_bits(part + self.between(-most, most)));
            let Some(to) = Rotation::from_quaternion(moved[0], moved[1], moved[2], moved[3]) else {
                continue;
            };
            if AngularMotion::new(from, to).is_ok() {
                // Each orientation has two quaternions.
                let sign = [1, -1][self.between(0, 1) as usize];
                return Rotation::from_components(to.components().map(|part| sign * part)).unwrap();
            }
        }
    }

    /// A body's turn: none, from an even orientation, or any.
    pub fn turn(&mut self) -> [Rotation; 2] {
        let from = self.rotation();
        match self.between(0, 7) {
            0 => [Rotation::IDENTITY; 2],
            1 => [from, from],
            _ => [from, self.turned(from)],
        }
    }

    /// A box in its own frame, mostly along its axes; a rod, a plate, a cube or any; up to a size.
    pub fn own_box(&mut self, most: i64) -> Shape {
        let size = self.scaled(most).max(1 << 12);
        let thin = self.between(2, 60);
        let half = match self.between(0, 4) {
            0 => [size, size / thin, size / thin],
            1 => [size, size, size / thin],
            2 => [size; 3],
            3 => return Shape::Obb(self.obb(most.max(1 << 12))),
            _ => [(); 3].map(|()| self.between(size / 4 + 64, size)),
        };
        Shape::Obb(Obb::along_axes(Vec3::from_raw(half.map(|half| half.max(64)))))
    }

    /// A capsule in its own frame, mostly along an axis; up to a size.
    pub fn own_capsule(&mut self, most: i64) -> Shape {
        let size = self.scaled(most).max(1 << 12);
        let thin = self.between(2, 60);
        let (length, radius) = match self.between(0, 3) {
            0 => (size, size / thin),
            1 => (size / thin, size),
            2 => (size, size / 3),
            _ => (size, 1),
        };
        let half_axis = match self.between(0, 2) {
            0 => self.on_sphere(length),
            _ => Vec3::from_raw([0, length, 0]),
        };
        Shape::capsule(half_axis, Scalar::from_bits(radius.max(1)))
    }

    /// Another shape for a box to meet.
    pub fn met_by_box(&mut self, most: i64) -> Shape {
        match self.between(0, 9) {
            8 | 9 => self.own_capsule(most),
            0 | 1 => Shape::sphere(Scalar::from_bits(self.scaled(most).max(1))),
            2 => Shape::aabb(Vec3::from_raw([(); 3].map(|()| self.scaled(most).max(1)))),
            3 => {
                let normal = Normal::from_vector(self.on_sphere(1 << 40)).unwrap();
                Shape::Plane(Plane::from_point_normal(self.any_vector(most), normal).unwrap())
            }
            _ => self.own_box(most),
        }
    }

    /// Two bodies, at least one of them a box or a capsule.
    fn turning_pair(&mut self, case: u64) -> Pair {
        let most = [ONE, 4 * ONE, 4 * ONE, 40 * ONE, 1 << 43, 1 << 20][self.between(0, 5) as usize];
        let first = if self.between(0, 4) == 0 { self.own_capsule(most) } else { self.own_box(most) };
        let (a, b) = (first, self.met_by_box(most));
        let mut pair = Pair {
            shapes: if self.bits() & 1 == 0 { [a, b] } else { [b, a] },
            arms: [Vec3::ZERO; 2],
            turns: [self.turn(), self.turn()],
            done: [0; 2],
            offset: Vec3::ZERO,
            motion: Vec3::ZERO,
            gap: [0, 0, 64, 200, 1 << 20, ONE / 8][self.between(0, 5) as usize],
        };
        let bound = |shape: &Shape| shape.bounding_radius().unwrap_or_default().to_bits();
        let size = bound(&pair.shapes[0]) + bound(&pair.shapes[1]);
        let (near, far) = (size / 8, size + size / 8);
        let distance = self.between(near, far);
        let aim = self.on_sphere(size / 2);
        pair.offset = self.on_sphere(distance);
        pair.motion = match case % 6 {
            0 => Vec3::ZERO,
            1 => self.vector(size / 16 + 2),
            2 => (aim - pair.offset).map_raw(|part| part / 2 * 3),
            3 => {
                pair.offset = pair.offset.map_raw(|part| part.saturating_mul(3));
                aim - pair.offset
            }
            4 => self.vector(9),
            _ => self.vector(size),
        };
        if self.between(0, 3) == 0 {
            pair.done = [(); 2].map(|()| self.between(0, ONE) as u64);
        }
        pair.motion = pair.motion.map_raw(|part| part.clamp(-(1 << 45), 1 << 45));
        if case % 5 == 0 { self.brought_near(pair) } else { pair }
    }

    /// The pair moved until hardly anything but the gap is between both.
    pub fn brought_near(&mut self, mut pair: Pair) -> Pair {
        for _ in 0..60 {
            let normal = match &pair.shapes {
                [Shape::Plane(plane), _] => Some(plane.normal()),
                [_, Shape::Plane(plane)] => Some(-plane.normal()),
                _ => Normal::from_vector(pair.offset),
            };
            let Some(unit) = normal.and_then(Normal::unit) else { break };
            let left = i64::try_from(pair.largest_or_distance(Toi::START) >> 16_u32).unwrap() - pair.gap;
            if left.abs() < 40 {
                break;
            }
            pair.offset -= unit.map_raw(|part| ((i128::from(part) * i128::from(left)) >> 32) as i64);
        }
        pair.offset += self.vector(30);
        pair
    }
}

impl Pair {
    fn gap(&self) -> Scalar {
        Scalar::from_bits(self.gap)
    }

    fn size(&self) -> i64 {
        self.bound(0) + self.bound(1)
    }

    pub fn sweep(&self) -> (Advance, Vec<Passed>) {
        let mut all = Vec::new();
        let [a, b] = &self.shapes;
        let found = sweep_turning_with(a, b, &self.relative(), self.gap(), |passed| all.push(passed));
        assert_eq!(found, sweep_turning(a, b, &self.relative(), self.gap()));
        (found, all)
    }

    /// The largest separation over all directions that count, or the distance of a ball, in 2^-16 of a raw, within
    /// a few raw.
    pub fn largest_or_distance(&self, toi: Toi) -> BigInt {
        let relative = self.relative();
        let turned = |i: usize| {
            let turn = relative.turnings[i].at(toi);
            match &self.shapes[i] {
                Shape::Obb(obb) => {
                    Shape::Obb(Obb { half_edges: obb.half_edges.map(|edge| turn.apply(edge)) })
                }
                Shape::Hull(_) => self.shapes[i].turned(turn),
                Shape::Capsule(Capsule { half_axis, radius }) => {
                    Shape::capsule(turn.apply(*half_axis), *radius)
                }
                other => other.clone(),
            }
        };
        let arm = |i: usize| relative.turnings[i].at(toi).apply(self.arms[i]);
        let way = relative.offset + relative.motion.map_raw(|part| toi.of_nearest(part)) + arm(1) - arm(0);
        let of = |distance: Scalar| big(distance.to_bits()) << 16;
        let boxed = |half: &Vec3| Obb::along_axes(*half);
        match [turned(0), turned(1)] {
            [Shape::Sphere { radius: a }, Shape::Sphere { radius: b }] => {
                of(Scalar::from_bits(way.length_squared_wide().isqrt() as i64 + 1) - a - b)
            }
            [Shape::Sphere { radius }, Shape::Aabb { half }] => {
                of(distance_point_obb_ceil(way, &boxed(&half)) - radius)
            }
            [Shape::Aabb { half }, Shape::Sphere { radius }] => {
                of(distance_point_obb_ceil(-way, &boxed(&half)) - radius)
            }
            [Shape::Sphere { radius }, Shape::Obb(b)] => of(distance_point_obb_ceil(way, &b) - radius),
            [Shape::Obb(a), Shape::Sphere { radius }] => of(distance_point_obb_ceil(-way, &a) - radius),
            [Shape::Sphere { radius }, Shape::Capsule(b)] => {
                of(distance_point_capsule_ceil(way, &b) - radius)
            }
            [Shape::Capsule(a), Shape::Sphere { radius }] => {
                of(distance_point_capsule_ceil(-way, &a) - radius)
            }
            [Shape::Obb(a), Shape::Capsule(b)] => of(distance_obb_capsule_ceil(way, &a, &b)),
            [Shape::Capsule(a), Shape::Obb(b)] => of(distance_obb_capsule_ceil(-way, &b, &a)),
            [Shape::Aabb { half }, Shape::Capsule(b)] => {
                of(distance_obb_capsule_ceil(way, &boxed(&half), &b))
            }
            [Shape::Capsule(a), Shape::Aabb { half }] => {
                of(distance_obb_capsule_ceil(-way, &boxed(&half), &a))
            }
            [Shape::Capsule(a), Shape::Capsule(b)] => of(distance_capsule_capsule_ceil(way, &a, &b)),
            [Shape::Plane(_), _] | [_, Shape::Plane(_)] => self.largest_separation_q16(toi),
            [a @ Shape::Hull(_), b] | [a, b @ Shape::Hull(_)] => {
                let rooms = &mut [[Vec3::ZERO; 8]; 2];
                let [of_a, of_b] = rooms;
                let (a, b) = (a.as_convex(of_a).unwrap(), b.as_convex(of_b).unwrap());
                of(distance_convex_convex_ceil(way, &a, &b))
            }
            _ => self.largest_separation_q16(toi),
        }
    }

    /// How fast, at most, the bodies can approach, in units per tick, and at least 1.
    pub fn speed(&self) -> i64 {
        let motion = self.motion.length_squared_wide().isqrt() as i64;
        let turning = 2 * self.size();
        1 + (motion + turning) / ONE
    }
}

// ---------------------------------------------------------------- what is passed and what is hit

/// What is to be kept, in 2^-16 of a raw: the gap, or what there is at the start.
pub fn kept(pair: &Pair, passed: &[Passed]) -> BigInt {
    let gap: BigInt = big(pair.gap) << 16;
    match passed.first() {
        Some(Passed { from: Toi::START, proof: Proof::Normal { normal, .. }, .. }) => {
            let at_start = pair.separation_q16(&normal.components().map(big), Toi::START);
            gap.min(at_start - (1 << 16))
        }
        _ => gap,
    }
}

#[test]
fn every_part_that_is_passed_is_clear_by_polynomials_and_every_hit_is_near() {
    let mut source = Source::new(501);
    let (mut hits, mut clear, mut unresolved, mut parts, mut deepest, mut far) = (0, 0, 0, 0, 0, 0);
    for case in 0..cases(2_400) {
        let pair = source.turning_pair(case);
        let (found, passed) = pair.sweep();
        let kept = kept(&pair, &passed);
        let mut at = Toi::START;
        for part in &passed {
            assert_eq!(part.from, at, "{case}: a hole");
            assert!(part.until > at);
            assert!(pair.holds(part, &kept), "{case}: {part:?} of {pair:?}");
            at = part.until;
        }
        parts += passed.len();
        deepest = deepest.max(passed.len());
        match found {
            Advance::Clear => {
                clear += 1;
                assert_eq!(at, pair.relative().until, "{case}: {pair:?}");
            }
            Advance::Unresolved(toi) => {
                unresolved += 1;
                assert_eq!(at, toi);
            }
            Advance::Hit(Hit { toi, .. }) => {
                hits += 1;
                assert_eq!(at, toi);
                let most: BigInt = big(pair.gap + 10 + (pair.size() >> 26) + 2 * pair.speed()) << 16_u32;
                let left: BigInt = pair.largest_or_distance(toi);
                // No distance of boxes is more than the root of 3 times the largest of face normals.
                assert!(
                    left.pow(2) <= most.pow(2) * 3_u32 || left < most,
                    "{case}: {left} of {most}, {pair:?}"
                );
                far += u32::from(left > most);
            }
        }
    }
    println!(
        "{hits} hits, {clear} clear, {unresolved} unresolved, {parts} parts, at most {deepest}; {far} not so near"
    );
    assert!(hits > 600 && clear > 600, "{hits} {clear}");
}

#[test]
fn the_largest_and_fastest_are_swept_without_overflow() {
    const SIZE: i64 = 1 << 44;
    let mut source = Source::new(502);
    let (mut hits, mut passed_all) = (0, 0);
    for case in 0..cases(400) {
        let long = [SIZE, SIZE - 1, SIZE / 2][source.between(0, 2) as usize];
        let thin = [64, SIZE / 90, SIZE][source.between(0, 2) as usize];
        let half = [[long, thin, thin], [thin, long, long], [long; 3]][source.between(0, 2) as usize];
        let own = Shape::Obb(Obb::along_axes(Vec3::from_raw(half)));
        let corner = [(); 3].map(|()| [-1_i64, 1][source.between(0, 1) as usize]);
        let normal = Normal::new(1 << 30, -1 << 30, [1, 1 << 30][source.between(0, 1) as usize]);
        let far = Vec3::from_raw(corner.map(|sign| sign << 57));
        let plane = Plane::from_point_normal(far, normal).unwrap();
        let other = match case % 4 {
            0 => Shape::Plane(plane),
            1 => Shape::sphere(Scalar::from_bits(SIZE)),
            2 => Shape::aabb(Vec3::from_raw([SIZE; 3])),
            _ => own.clone(),
        };
        let from = source.rotation();
        let quarter = [1 << 30, 1 << 30, 0, 0].map(Scalar::from_bits);
        let quarter = Rotation::from_quaternion(quarter[0], quarter[1], quarter[2], quarter[3]).unwrap();
        let ends = [[Rotation::IDENTITY, quarter], [from, source.turned(from)]];
        let offset = match case % 4 {
            0 => Vec3::from_raw(corner.map(|sign| -(sign << 57))) + source.vector(3 * SIZE),
            _ => source.vector(3 * SIZE),
        };
        let pair = Pair {
            shapes: [own, other],
            arms: [Vec3::ZERO; 2],
            turns: ends.map(
                |[from, to]| if AngularMotion::new(from, to).is_ok() { [from, to] } else { [from, from] },
            ),
            done: [0; 2],
            offset: offset.map_raw(|part| part.clamp(-(1 << 57), 1 << 57)),
            motion: Vec3::from_raw([(); 3].map(|()| source.between(-1, 1) << 45)),
            gap: [0, 1 << 42][source.between(0, 1) as usize],
        };
        let (found, passed) = pair.sweep();
        let kept = kept(&pair, &passed);
        for part in &passed {
            assert!(pair.holds(part, &kept), "{case}: {part:?} of {pair:?}");
        }
        match found {
            Advance::Hit(_) => hits += 1,
            _ => passed_all += 1,
        }
    }
    assert!(hits > 50 && passed_all > 50, "{hits} {passed_all}");
}
