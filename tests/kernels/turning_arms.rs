//! Shapes at the end of an arm, as the parts of a body of several are: what is passed is checked by polynomials, hits
//! by hand, against the whole of which two shapes are the halves, and in mirrored and permuted worlds.

use bitstep::{
    geom::{AngularMotion, Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    shape::{Obb, Shape},
    sweep::{Advance, Hit, RelativeMotion, sweep_turning},
};
use num_bigint::BigInt;

use crate::{
    oracle::{ONE, Source, Symmetry, big, cases},
    turning::kept,
    turning_oracle::Pair,
    turning_scenes::image,
};

impl Source {
    /// A ball, a rod or a box, and where it is in its body.
    fn on_arm(&mut self, most: i64) -> (Shape, Vec3) {
        let shape = match self.between(0, 3) {
            0 | 1 => Shape::sphere(Scalar::from_bits(self.scaled(most).max(64))),
            2 => self.own_capsule(most),
            _ => self.own_box(most),
        };
        let length = self.scaled(2 * most).max(1);
        let arm = match self.between(0, 2) {
            0 => Vec3::from_raw([0, 0, length]),
            // Of the shortest nothing may be left.
            _ => self.on_sphere(length) + Vec3::from_raw([0, 1, 0]),
        };
        (shape, arm)
    }

    /// Two bodies, at least one of them at the end of an arm.
    fn armed_pair(&mut self, case: u64) -> Pair {
        let most = [ONE, 4 * ONE, 40 * ONE, 1 << 43, 1 << 20][self.between(0, 4) as usize];
        let (first, second) = (self.on_arm(most), self.on_arm(most));
        let (a, b) = match self.between(0, 2) {
            0 => (first, (self.met_by_box(most), Vec3::ZERO)),
            _ => (first, second),
        };
        let (a, b) = if self.bits() & 1 == 0 { (a, b) } else { (b, a) };
        let mut pair = Pair {
            shapes: [a.0, b.0],
            arms: [a.1, b.1],
            turns: [self.turn(), self.turn()],
            done: [0; 2],
            offset: Vec3::ZERO,
            motion: Vec3::ZERO,
            gap: [0, 64, 200, 1 << 20, ONE / 8][self.between(0, 4) as usize],
        };
        let size = pair.bound(0) + pair.bound(1);
        let distance = self.between(size / 4, size + size / 8);
        pair.offset = self.on_sphere(distance);
        let aim = self.on_sphere(size / 2);
        pair.motion = match case % 4 {
            0 => Vec3::ZERO,
            1 => self.vector(size / 16 + 2),
            2 => (aim - pair.offset).map_raw(|part| part / 2 * 3),
            _ => self.vector(size),
        };
        if self.between(0, 3) == 0 {
            pair.done = [(); 2].map(|()| self.between(0, ONE) as u64);
        }
        pair.motion = pair.motion.map_raw(|part| part.clamp(-(1 << 45), 1 << 45));
        if case % 5 == 0 { self.brought_near(pair) } else { pair }
    }
}

#[test]
fn every_part_that_is_passed_is_clear_and_every_hit_is_near_at_the_end_of_an_arm() {
    let mut source = Source::new(511);
    let (mut hits, mut clear, mut unresolved, mut parts, mut far) = (0, 0, 0, 0, 0);
    for case in 0..cases(1_600) {
        let pair = source.armed_pair(case);
        let (found, passed) = pair.sweep();
        let kept = kept(&pair, &passed);
        let mut at = Toi::START;
        for part in &passed {
            assert_eq!(part.from, at, "{case}: a hole");
            assert!(pair.holds(part, &kept), "{case}: {part:?} of {pair:?}");
            at = part.until;
        }
        parts += passed.len();
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
                let size = pair.bound(0) + pair.bound(1);
                let most: BigInt = big(pair.gap + 10 + (size >> 26) + 2 * pair.speed()) << 16_u32;
                let left: BigInt = pair.largest_or_distance(toi);
                assert!(
                    left.pow(2) <= most.pow(2) * 3_u32 || left < most,
                    "{case}: {left} of {most}, {pair:?}"
                );
                far += u32::from(left > most);
            }
        }
    }
    println!("{hits} hits, {clear} clear, {unresolved} unresolved, {parts} parts; {far} not so near");
    assert!(hits > 400 && clear > 300, "{hits} {clear}");
    assert!(unresolved * 100 < hits + clear, "{unresolved}");
}

/// A quarter turn about z.
fn quarter() -> AngularMotion {
    let [w, x, y, z] = [1, 0, 0, 1].map(Scalar::from_bits);
    let scale = |part: Scalar| Scalar::from_bits(part.to_bits() << 30);
    let to = Rotation::from_quaternion(scale(w), x, y, scale(z)).unwrap();
    AngularMotion::new(Rotation::IDENTITY, to).unwrap()
}

fn relative(offset: Vec3, arms: [Vec3; 2]) -> RelativeMotion {
    let turnings = [quarter(), AngularMotion::still(Rotation::IDENTITY)];
    RelativeMotion { offset, motion: Vec3::ZERO, arms, turnings, until: Toi::END }
}

fn x(length: &str) -> Vec3 {
    Vec3::new(length.parse().unwrap(), Scalar::ZERO, Scalar::ZERO)
}

#[test]
fn a_ball_on_an_arm_goes_on_an_arc() {
    // An arm of 2 that rotates by a quarter about z has turned by 30° when tan 15° = s u / (1 - u + s u), where s is the
    // root of 1/2: then u = .341081377.
    let (ball, at) = (Shape::sphere(lit("0.5")), 1_464_933_361_u64);
    let near = |found: Advance, what: &str| {
        let Advance::Hit(hit) = found else { panic!("{what}: {found:?}") };
        // Early by 10 raw and 2^-26 of five units.
        assert!(hit.toi.raw() <= at && hit.toi.raw() + 200 > at, "{what}: {:?}", hit.toi);
        hit
    };
    // At 30° its center is 1 high.
    let ceiling = Plane::from_point_normal(
        Vec3::new(Scalar::ZERO, lit("1.5"), Scalar::ZERO),
        Normal::new(0, -1 << 30, 0),
    );
    let ceiling = Shape::Plane(ceiling.unwrap());
    let on_arm = relative(Vec3::ZERO, [x("2"), Vec3::ZERO]);
    let hit = near(sweep_turning(&ball, &ceiling, &on_arm, Scalar::ZERO), "a ball");
    assert_eq!(hit.normal, Normal::new(0, 1 << 30, 0));
    near(sweep_turning(&ceiling, &ball, &on_arm.from_b(), Scalar::ZERO), "exchanged");
    let rod = Shape::capsule(x("2"), lit("0.5"));
    near(sweep_turning(&rod, &ceiling, &relative(Vec3::ZERO, [Vec3::ZERO; 2]), Scalar::ZERO), "a rod");
    // A quarter of the gap may be kept instead of the radius.
    let small = Shape::sphere(lit("0.25"));
    near(sweep_turning(&small, &ceiling, &on_arm, lit("0.25")), "a gap");
    // The body goes the other way as fast as its arm would lift the ball: never there.
    let mut away = on_arm;
    away.motion = Vec3::new(Scalar::ZERO, lit("2"), Scalar::ZERO);
    assert_eq!(sweep_turning(&ball, &ceiling, &away, Scalar::ZERO), Advance::Clear);
    // A ball in the middle of its body stays where it is.
    let still = relative(Vec3::ZERO, [Vec3::ZERO; 2]);
    assert_eq!(sweep_turning(&ball, &ceiling, &still, Scalar::ZERO), Advance::Clear);
    // The arm of a body that stands still is a place: 2.5 from the axis, in the way of a ball at 2 after 90°.
    let post = Shape::sphere(lit("0.1"));
    let mut other = relative(Vec3::ZERO, [x("2"), Vec3::new(Scalar::ZERO, lit("2.5"), Scalar::ZERO)]);
    assert!(matches!(sweep_turning(&ball, &post, &other, Scalar::ZERO), Advance::Hit(_)));
    other.arms[1] = Vec3::new(Scalar::ZERO, lit("2.7"), Scalar::ZERO);
    assert_eq!(sweep_turning(&ball, &post, &other, Scalar::ZERO), Advance::Clear);
}

#[test]
fn a_box_hits_when_the_first_of_its_halves_does() {
    let (mut source, mut hits, mut clear, mut most) = (Source::new(513), 0, 0, 0);
    for case in 0..cases(1_500) {
        let [length, b, c] = [(); 3].map(|()| source.between(ONE / 8, ONE));
        let whole = Shape::Obb(Obb::along_axes(Vec3::from_raw([2 * length, b, c])));
        let half = Shape::Obb(Obb::along_axes(Vec3::from_raw([length, b, c])));
        let other = source.met_by_box(ONE);
        let (ends, size) = ([source.turn(), source.turn()], 4 * ONE);
        let turnings = ends.map(|[from, to]| AngularMotion::new(from, to).unwrap());
        let (offset, motion) = (source.on_sphere(size), source.vector(size));
        let motion = if case % 2 == 0 { motion } else { source.vector(ONE) - offset };
        let sweep = |shape: &Shape, along: i64| {
            let arms = [Vec3::from_raw([along, 0, 0]), Vec3::ZERO];
            let relative = RelativeMotion { offset, motion, arms, turnings, until: Toi::END };
            let toi = |found| match found {
                Advance::Clear => Toi::END,
                Advance::Hit(Hit { toi, .. }) | Advance::Unresolved(toi) => toi,
            };
            toi(sweep_turning(shape, &other, &relative, Scalar::ZERO)).raw()
        };
        let (all, parts) = (sweep(&whole, 0), sweep(&half, length).min(sweep(&half, -length)));
        // Each is early by so much at most, and more where it only just touches.
        let is_alike = all.abs_diff(parts) < 4_000;
        most += u32::from(!is_alike);
        if all == 1 << 32 { clear += 1 } else { hits += 1 }
    }
    println!("{hits} hits, {clear} clear, {most} differ");
    assert!(hits > 300 && clear > 300 && most * 100 < hits + clear, "{hits} {clear} {most}");
}

#[test]
fn mirrored_permuted_and_exchanged_arms_are_swept_alike() {
    let maps = Symmetry::all();
    let (mut source, mut hits, mut others) = (Source::new(514), 0, 0);
    for case in 0..cases(300) {
        let ends = [(); 2].map(|()| {
            let from = if case % 3 == 0 { Rotation::IDENTITY } else { source.rotation() };
            [from, source.turned(from)]
        });
        let halves = [(); 2].map(|()| Vec3::from_raw([(); 3].map(|()| source.between(ONE >> 5, ONE >> 1))));
        let arms = [(); 2].map(|()| source.vector(ONE));
        let of = |kind: u64, half: Vec3| match kind % 3 {
            0 => Shape::sphere(half.x.max(half.y).max(half.z)),
            _ => Shape::Obb(Obb::along_axes(half)),
        };
        let offset = source.on_sphere(ONE + ONE / 2);
        let motion = if case % 2 == 0 { source.vector(2 * ONE) } else { source.vector(ONE) - offset };
        let sweep = |map: &Symmetry, exchanged: bool| {
            let turnings = ends.map(|ends| {
                let [from, to] = ends.map(|end| image(map, end));
                AngularMotion::new(from, to).unwrap()
            });
            let (offset, motion, arms) = (map.of(offset), map.of(motion), arms.map(|arm| map.of(arm)));
            let relative = RelativeMotion { offset, motion, arms, turnings, until: Toi::END };
            let shapes = [of(case, map.of_extent(halves[0])), of(case / 3, map.of_extent(halves[1]))];
            if exchanged {
                sweep_turning(&shapes[1], &shapes[0], &relative.from_b(), Scalar::from_bits(64))
            } else {
                sweep_turning(&shapes[0], &shapes[1], &relative, Scalar::from_bits(64))
            }
        };
        let right = sweep(&maps[0], false);
        for map in &maps {
            let expected = match right {
                Advance::Hit(hit) => Advance::Hit(Hit { normal: map.of_normal(hit.normal), ..hit }),
                other => other,
            };
            assert_eq!(sweep(map, false), expected, "{case} {map:?}");
            let back = match sweep(map, true) {
                Advance::Hit(hit) => Advance::Hit(Hit { normal: -hit.normal, ..hit }),
                other => other,
            };
            assert_eq!(back, expected, "{case} {map:?} exchanged");
        }
        if matches!(right, Advance::Hit(_)) { hits += 1 } else { others += 1 }
    }
    assert!(hits > 30 && others > 30, "{hits} {others}");
}
