//! Hulls that turn: what is passed is checked by polynomials, hits are near, a hull of a box is swept as the box, and the forms at instants
//! before a hit do not overlap.

use bitstep::{
    geom::{AngularMotion, Motion, Normal, Path, Plane, Pose, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    overlap::overlap_shapes,
    shape::{Hull, Obb, Shape},
    sweep::{Advance, Hit, RelativeMotion, sweep_turning, sweep_turning_with},
};
use num_bigint::BigInt;

use crate::{
    oracle::{ONE, Source, Symmetry, big, cases},
    turning::kept,
    turning_oracle::Pair,
    turning_scenes::{image, spun},
};

/// The corners of a box as a hull; the axes of both are the same.
fn box_hull(half: Vec3) -> Shape {
    Shape::hull(Hull::upright(&Obb::along_axes(half).corners()).expect("a box is solid"))
}

impl Source {
    /// A hull of a few corners, up to a size.
    fn own_hull(&mut self, most: i64) -> Shape {
        let size = self.scaled(most).max(1 << 12);
        let part = |share: i64| Scalar::from_bits((size / share).max(1 << 10));
        loop {
            let hull = match self.between(0, 6) {
                0 => return box_hull(Vec3::from_raw([size, size / self.between(1, 9), size / 3])),
                1 => Hull::of(&[(); 4].map(|()| self.on_sphere(size))),
                2 => {
                    let [x, y] = [part(self.between(1, 4)), part(self.between(1, 20))];
                    let wedge = [[-x, -y], [x, -y], [-x, y]];
                    Hull::prism(&wedge, part(self.between(1, 5)))
                }
                3 => Hull::cylinder(part(self.between(1, 8)), part(self.between(1, 8)), 6),
                4 => Hull::cone(part(2), part(self.between(2, 8)), self.between(4, 7) as u32),
                _ => Hull::of(&[(); 12].map(|()| self.on_sphere(size))),
            };
            // Four points on a sphere may be nearly in a plane.
            if let Ok(hull) = hull {
                return Shape::hull(hull);
            }
        }
    }

    /// Two bodies, at least one of them a hull; some at the end of an arm.
    fn hull_pair(&mut self, case: u64) -> Pair {
        let most = [ONE, 4 * ONE, 4 * ONE, 40 * ONE, 1 << 42, 1 << 20][self.between(0, 5) as usize];
        let a = self.own_hull(most);
        let b = if self.between(0, 1) == 0 { self.own_hull(most) } else { self.met_by_box(most) };
        let arm = |source: &mut Self, shape: &Shape| {
            let length = source.scaled(2 * most);
            let has_none = matches!(shape, Shape::Plane(_) | Shape::Aabb { .. });
            if has_none || source.between(0, 3) > 0 { Vec3::ZERO } else { source.on_sphere(length.max(2)) }
        };
        let (arm_a, arm_b) = (arm(self, &a), arm(self, &b));
        let (a, b) = ((a, arm_a), (b, arm_b));
        let (a, b) = if self.bits() & 1 == 0 { (a, b) } else { (b, a) };
        let mut pair = Pair {
            shapes: [a.0, b.0],
            arms: [a.1, b.1],
            turns: [self.turn(), self.turn()],
            done: [0; 2],
            offset: Vec3::ZERO,
            motion: Vec3::ZERO,
            gap: [0, 0, 64, 200, 1 << 20, ONE / 8][self.between(0, 5) as usize],
        };
        let size = pair.bound(0) + pair.bound(1);
        let distance = self.between(size / 8, size + size / 8);
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
}

/// The largest separation there may be at a hit, in 2^-16 of a raw.
fn near(pair: &Pair) -> BigInt {
    let size = pair.bound(0) + pair.bound(1);
    big(pair.gap + 10 + (size >> 26) + 2 * pair.speed()) << 16_u32
}

#[test]
fn every_part_that_is_passed_is_clear_by_polynomials_and_every_hit_is_near_of_hulls() {
    let mut source = Source::new(521);
    let (mut hits, mut clear, mut unresolved, mut parts, mut deepest, mut far) = (0, 0, 0, 0, 0, 0);
    for case in 0..cases(1_000) {
        let pair = source.hull_pair(case);
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
                let (left, most) = (pair.largest_or_distance(toi), near(&pair));
                far += u32::from(left > most);
                // Boxes of which the other is a hull have the distance as their gap: no farther.
                assert!(left <= most, "{case}: {left} of {most}, {pair:?}");
            }
        }
    }
    println!(
        "{hits} hits, {clear} clear, {unresolved} unresolved, {parts} parts, at most {deepest}; {far} not so near"
    );
    assert!(hits > 250 && clear > 250, "{hits} {clear}");
    assert!(unresolved * 200 < cases(1_000), "{unresolved}");
}

#[test]
fn the_largest_and_fastest_hulls_are_swept_without_overflow() {
    const SIZE: i64 = 1 << 44;
    let mut source = Source::new(526);
    let (mut hits, mut passed_all) = (0, 0);
    for case in 0..cases(200) {
        // With its arm a shape is within the largest size.
        let size = SIZE / source.between(1, 2);
        let thin = [size / 90, size][source.between(0, 1) as usize];
        let own = box_hull(Vec3::from_raw([size, thin, thin]));
        let (from, quarter) = (source.rotation(), [1 << 30, 1 << 30, 0, 0].map(Scalar::from_bits));
        let quarter = Rotation::from_quaternion(quarter[0], quarter[1], quarter[2], quarter[3]).unwrap();
        let other = if case % 2 == 0 { own.clone() } else { Shape::sphere(Scalar::from_bits(size)) };
        let mut pair = Pair {
            shapes: [own, other],
            arms: [(); 2].map(|()| source.vector(SIZE - size)),
            turns: [[Rotation::IDENTITY, quarter], [from, source.turned(from)]],
            done: [0; 2],
            offset: source.vector(3 * SIZE),
            motion: Vec3::from_raw([(); 3].map(|()| source.between(-1, 1) << 45)),
            gap: [0, 1 << 42][source.between(0, 1) as usize],
        };
        pair.turns = pair
            .turns
            .map(|[from, to]| if AngularMotion::new(from, to).is_ok() { [from, to] } else { [from, from] });
        let (found, passed) = pair.sweep();
        let kept = kept(&pair, &passed);
        for part in &passed {
            assert!(pair.holds(part, &kept), "{case}: {part:?} of {pair:?}");
        }
        if matches!(found, Advance::Hit(_)) { hits += 1 } else { passed_all += 1 }
    }
    assert!(hits > 20 && passed_all > 20, "{hits} {passed_all}");
}

#[test]
fn a_hull_of_a_box_is_swept_as_the_box() {
    let mut source = Source::new(522);
    let (mut hits, mut same, mut parts) = (0, 0, [0; 2]);
    for case in 0..cases(6_000) {
        let half = [(); 2].map(|()| {
            // In whole cells of the grid that hulls are made in.
            Vec3::from_raw(
                [(); 3].map(|()| (source.between(ONE / 8, 2 * ONE) / source.between(1, 9)) >> 16 << 16),
            )
        });
        let other_is_hull = source.between(0, 1) == 0;
        let shape = |i: usize, is_hull: bool| match (i, is_hull) {
            (i, true) => box_hull(half[i]),
            (i, false) => Shape::Obb(Obb::along_axes(half[i])),
        };
        let mut pair = Pair {
            shapes: [shape(0, false), shape(1, false)],
            arms: [Vec3::ZERO; 2],
            turns: [source.turn(), source.turn()],
            done: [0; 2],
            offset: source.on_sphere(3 * ONE),
            motion: Vec3::ZERO,
            gap: 0,
        };
        pair.motion = source.vector(ONE) - pair.offset;
        if case % 3 == 0 {
            pair = source.brought_near(pair);
            pair.motion = source.vector(ONE / 20);
        }
        let (of_boxes, of_box) = pair.sweep();
        if pair.largest_or_distance(Toi::START) < big(64 << 16) {
            continue; // what overlaps keeps what it has in another direction
        }
        let mut hulls = pair.clone();
        hulls.shapes = [shape(0, true), shape(1, other_is_hull)];
        let (of_hulls, passed) = hulls.sweep();
        parts = [parts[0] + of_box.len(), parts[1] + passed.len()];
        let toi = |found: Advance| match found {
            Advance::Hit(hit) => hit.toi,
            Advance::Clear => Toi::END,
            Advance::Unresolved(toi) => toi,
        };
        let (first, last) = (toi(of_boxes).min(toi(of_hulls)), toi(of_boxes).max(toi(of_hulls)));
        if first == last || last.since(first).raw() < 400 {
            same += 1;
        }
        hits += u32::from(first < Toi::END);
        if first < last
            && !matches!((of_boxes, of_hulls), (Advance::Unresolved(_), _) | (_, Advance::Unresolved(_)))
        {
            // The earlier one is near as boxes measure it, and as hulls do.
            let (left, most) = (pair.largest_or_distance(first), near(&pair));
            assert!(left.pow(2) <= most.pow(2) * 3_u32 || left < most, "{case}: {left} of {most}, {pair:?}");
        }
    }
    println!("{hits} hits, {same} at the same instant; {parts:?} parts of boxes and hulls");
    assert!(hits > 1_000 && same > 3_000, "{hits} {same}");
}

#[test]
fn forms_of_hulls_do_not_overlap_before_a_hit() {
    let mut source = Source::new(523);
    let (mut hits, mut samples, mut parts, mut unresolved) = (0, 0, 0, 0);
    for case in 0..cases(20_000) {
        let mut pair = source.hull_pair(case);
        let large = 1 << 36;
        if pair.bound(0) + pair.bound(1) > large {
            continue;
        }
        // Forms are rounded by 16 raw for each unit of size.
        pair.gap = 64 + 40 * ((pair.bound(0) + pair.bound(1)) / ONE + 1);
        let mut passed = 0;
        let [a, b] = &pair.shapes;
        let relative = pair.relative();
        let found = sweep_turning_with(a, b, &relative, Scalar::from_bits(pair.gap), |_| passed += 1);
        parts += passed;
        let until = match found {
            Advance::Hit(hit) => {
                hits += 1;
                hit.toi
            }
            Advance::Clear => relative.until,
            Advance::Unresolved(toi) => {
                unresolved += 1;
                toi
            }
        };
        let back = sweep_turning(b, a, &relative.from_b(), Scalar::from_bits(pair.gap));
        match (found, back) {
            (Advance::Hit(hit), Advance::Hit(back)) => {
                assert_eq!((back.toi, -back.normal), (hit.toi, hit.normal), "{case}")
            }
            _ => assert_eq!(found, back, "{case}"),
        }
        let overlaps = |toi: Toi| {
            let [turn_a, turn_b] = relative.turnings.map(|turning| turning.at(toi));
            let [a, b] = [a.turned(turn_a), b.turned(turn_b)];
            let arms = turn_b.apply(pair.arms[1]) - turn_a.apply(pair.arms[0]);
            let way = relative.offset + relative.motion.map_raw(|part| toi.of_nearest(part)) + arms;
            overlap_shapes(&a, &b, way)
        };
        if pair.largest_or_distance(Toi::START) <= big(pair.gap << 16) {
            continue;
        }
        for part in 0..=16 {
            let toi = Toi::from_raw(until.raw() / 16 * part + until.raw() % 16 * part / 16).unwrap();
            assert!(!overlaps(toi), "{case}: at {toi} before {until} of {pair:?}");
            samples += 1;
        }
    }
    println!("{hits} hits, {samples} samples, {parts} parts, {unresolved} unresolved");
    assert!(hits > 2_000 && samples > 20_000, "{hits} {samples}");
}

#[test]
fn mirrored_hulls_are_swept_alike() {
    let maps = Symmetry::all();
    let (mut source, mut hits, mut others) = (Source::new(524), 0, 0);
    for case in 0..cases(200) {
        let points = [(); 2].map(|()| [(); 10].map(|()| source.on_sphere(ONE)));
        let ends = [(); 2].map(|()| {
            let from = source.rotation();
            [from, source.turned(from)]
        });
        let gap = Scalar::from_bits([0, 64, 1 << 28][source.between(0, 2) as usize]);
        let offset = source.on_sphere(2 * ONE);
        let motion = if case % 2 == 0 { source.vector(2 * ONE) } else { source.vector(ONE) - offset };
        let other = source.own_capsule(ONE);
        let sweep = |map: &Symmetry| {
            let turnings = ends.map(|ends| {
                let [from, to] = ends.map(|end| image(map, end));
                AngularMotion::new(from, to).unwrap()
            });
            let relative = RelativeMotion {
                offset: map.of(offset),
                motion: map.of(motion),
                arms: [Vec3::ZERO; 2],
                turnings,
                until: Toi::END,
            };
            let hull = |i: usize| Hull::upright(&points[i].map(|point| map.of(point))).map(Shape::hull);
            let other = match &other {
                Shape::Capsule(rod) if case % 3 == 0 => Shape::capsule(map.of(rod.half_axis), rod.radius),
                _ => hull(1).unwrap(),
            };
            sweep_turning(&hull(0).unwrap(), &other, &relative, gap)
        };
        let toi = |found: Advance| match found {
            Advance::Hit(hit) => hit.toi.raw(),
            Advance::Clear => ONE as u64,
            Advance::Unresolved(toi) => toi.raw(),
        };
        let right = sweep(&maps[0]);
        for map in &maps {
            // The corners come in another order, and of two that are as far either may be taken.
            let found = sweep(map);
            assert!(toi(found).abs_diff(toi(right)) < 4_000, "{case} {map:?}: {found:?} {right:?}");
        }
        if matches!(right, Advance::Hit(_)) { hits += 1 } else { others += 1 }
    }
    assert!(hits > 40 && others > 40, "{hits} {others}");
}

/// A body that moves and turns over ground, tick by tick, and stops where it hits. It never overlaps.
fn rolled(hull: &Shape, ground: &Shape, source: &mut Source, ticks: u64) -> [u32; 4] {
    let gap = Scalar::from_bits(64 + 16 * 8);
    let mut pose = Pose { position: Vec3::lit("0", "3", "0"), orientation: source.rotation() };
    let [mut hits, mut clear, mut unresolved, mut parts] = [0; 4];
    let still = Motion::still(Pose { position: Vec3::ZERO, orientation: Rotation::IDENTITY });
    for tick in 0..ticks {
        let fall = Vec3::lit("0", "-0.02", "0") + source.vector(ONE / 400);
        let turns = source.between(-ONE / 20, ONE / 20) / [1, 30, 3_000][tick as usize % 3];
        let axis = source.on_sphere(ONE);
        let motion =
            Motion { path: Path::new(pose.position, fall), turning: spun(pose.orientation, axis, turns) };
        let relative = RelativeMotion::between(&still, &motion, Toi::START);
        let stop = match sweep_turning_with(ground, hull, &relative, gap, |_| parts += 1) {
            Advance::Hit(hit) => {
                hits += 1;
                hit.toi
            }
            Advance::Clear => {
                clear += 1;
                Toi::END
            }
            Advance::Unresolved(toi) => {
                unresolved += 1;
                toi
            }
        };
        pose = motion.at(stop);
        assert!(!overlap_shapes(ground, &hull.turned(pose.orientation), pose.position), "tick {tick}");
        if stop < Toi::END {
            // Else it lies there for good.
            pose.position += Vec3::lit("0", "0.01", "0");
        }
        if pose.position.length_squared_wide() > 1 << 70 {
            pose.position = Vec3::lit("0", "3", "0");
        }
    }
    [hits, clear, unresolved, parts]
}

#[test]
fn hulls_that_roll_on_edges_stay_above_the_ground() {
    let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(0, 1, 0)).unwrap();
    let slab = Vec3::lit("5", "0.5", "5");
    let v = Vec3::lit;
    let tetrahedron = [v("1", "1", "1"), v("-1", "-1", "1"), v("-1", "1", "-1"), v("1", "-1", "-1")];
    let hulls = [
        Hull::cylinder(lit("0.5"), lit("1"), 16).unwrap(),
        Hull::of(&tetrahedron).unwrap(),
        Hull::prism(&[[lit("-1"), lit("-0.5")], [lit("1"), lit("-0.5")], [lit("0"), lit("1")]], lit("0.5"))
            .unwrap(),
    ];
    let grounds = [
        Shape::Plane(plane),
        Shape::Obb(Obb::along_axes(slab)),
        Shape::aabb(slab),
        box_hull(slab),
        Shape::sphere(lit("1")),
        Shape::capsule(v("2", "0", "0"), lit("0.5")),
    ];
    let mut source = Source::new(525);
    for hull in hulls.map(Shape::hull) {
        for ground in &grounds {
            let counts = rolled(&hull, ground, &mut source, cases(600));
            let [hits, _, unresolved, _] = counts;
            println!("{} on {}: {counts:?} hits, clear, unresolved, parts", hull.name(), ground.name());
            assert!(hits > 100 && unresolved < 10, "{counts:?}");
        }
    }
}
