//! Oriented box against oriented box and box along the axes: overlap, sweep.

use std::cmp::Ordering;

use bitstep::{
    geom::{Normal, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{overlap_aabb_obb, overlap_obb_obb},
    shape::Obb,
    sweep::{Hit, sweep_aabb_obb, sweep_obb_obb},
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use crate::{
    box_oracle::{Big3, Fraction, SIZE, big3, cross, dot, edges_meet, fine_at, image, volume},
    oracle::{ONE, Source, Symmetry, big, cases, many_cases, rounded_offset},
};

/// A cube of half extent 1, and a diamond: the square of half diagonal 2 in x and y, 1 thick.
fn cube_and_diamond() -> (Obb, Obb) {
    let diamond = [Vec3::lit("1", "1", "0"), Vec3::lit("-1", "1", "0"), Vec3::lit("0", "0", "1")];
    (Obb::along_axes(Vec3::lit("1", "1", "1")), Obb { half_edges: diamond })
}

/// Twelve diagonal edges: half edges (1, 1, 0) and so on are no box; these two are, crossed.
fn crossed_roofs() -> (Obb, Obb) {
    let upper = [Vec3::lit("1", "0", "1"), Vec3::lit("-1", "0", "1"), Vec3::lit("0", "8", "0")];
    let lower = [Vec3::lit("0", "1", "1"), Vec3::lit("0", "-1", "1"), Vec3::lit("8", "0", "0")];
    (Obb { half_edges: lower }, Obb { half_edges: upper })
}

#[test]
fn overlap_by_hand() {
    let (cube, diamond) = cube_and_diamond();
    let (lower, upper) = crossed_roofs();
    let raw = |x, y, z| Vec3::from_raw([x, y, z]);
    // Each offset touches; one raw further in is overlap.
    let table = [
        (&cube, &diamond, Vec3::lit("3", "0", "0"), raw(-1, 0, 0)),
        (&cube, &diamond, Vec3::lit("2", "2", "0"), raw(-1, 0, 0)),
        (&cube, &diamond, Vec3::lit("0.5", "-0.5", "2"), raw(0, 0, -1)),
        (&cube, &diamond, Vec3::lit("3", "0", "2"), raw(-1, 0, -1)),
        (&cube, &cube, Vec3::lit("2", "2", "-2"), raw(-1, -1, 1)),
        (&diamond, &diamond, Vec3::lit("2", "2", "0.25"), raw(-1, 0, 0)),
        (&lower, &upper, Vec3::lit("3", "-2", "4"), raw(0, 0, -1)),
        (&lower, &upper, Vec3::lit("7", "7", "-4"), raw(0, 0, 1)),
    ];
    for (a, b, touching, inward) in table {
        for (a, b, touching, inward) in [(a, b, touching, inward), (b, a, -touching, -inward)] {
            assert!(!overlap_obb_obb(touching, a, b), "{touching:?}");
            assert!(overlap_obb_obb(touching + inward, a, b), "{touching:?}");
        }
    }
    assert!(overlap_aabb_obb(raw(0, 0, 0), Vec3::lit("1", "1", "1"), &diamond));
    assert!(!overlap_aabb_obb(Vec3::lit("3", "0", "0"), Vec3::lit("1", "1", "1"), &diamond));
}

#[test]
fn sweeps_by_hand() {
    let v = Vec3::lit;
    let (cube, diamond) = cube_and_diamond();
    let (lower, upper) = crossed_roofs();
    let zero = Scalar::ZERO;
    let sweep = |a, b, offset, motion, gap| {
        let hit: Option<Hit> = sweep_obb_obb(offset, motion, a, b, gap);
        hit.map(|hit| (hit.toi.raw(), hit.normal.components().map(i32::signum)))
    };
    let half = 1_u64 << 31;
    let [east, up] = [v("1", "0", "0"), v("0", "0", "1")];
    let table = [
        // A corner edge of the diamond meets the cube's face halfway.
        (&cube, &diamond, v("5", "0.5", "0"), v("-4", "0", "0"), zero, Some((half, [1, 0, 0]))),
        // The cube's edge meets the diamond's face.
        (&cube, &diamond, v("3", "3", "0"), v("-2", "-2", "0"), zero, Some((half, [1, 1, 0]))),
        // Ridge across ridge.
        (&lower, &upper, v("3", "-2", "6"), v("0", "0", "-4"), zero, Some((half, [0, 0, 1]))),
        // Exactly at the end, and a raw too far.
        (&cube, &cube, v("4", "1", "0"), v("-2", "0", "0"), zero, Some((2 * half, [1, 0, 0]))),
        (&cube, &cube, v("4", "1", "0") + Vec3::from_raw([1, 0, 0]), v("-2", "0", "0"), zero, None),
        // A gap of one unit comes a unit earlier.
        (&cube, &cube, v("4", "1", "0"), v("-2", "0", "0"), lit("1"), Some((half, [1, 0, 0]))),
        // Two axes at the same time: the sum.
        (&cube, &cube, v("4", "4", "0"), v("-4", "-4", "0"), zero, Some((half, [1, 1, 0]))),
        // One axis is left before the other is reached.
        (&cube, &cube, v("4", "0", "0"), v("-4", "8", "0"), zero, None),
        // It is left just as the other is reached: the edges touch.
        (&cube, &cube, v("4", "0", "0"), v("-4", "4", "0"), zero, Some((half, [1, 0, 0]))),
        // Level with the top, sliding onto it.
        (&cube, &cube, v("4", "0", "2"), v("-4", "0", "0"), zero, None),
        (&cube, &cube, v("4", "0", "2.25"), v("-4", "0", "0"), lit("0.5"), None),
        // Sliding on a face within the gap; pressing; parting; at rest.
        (&cube, &cube, v("1", "0", "2"), east, lit("0.5"), None),
        (&cube, &cube, v("1", "0", "2.25"), east - up, lit("0.5"), Some((0, [0, 0, 1]))),
        (&cube, &cube, v("1", "0", "2.25"), up, lit("0.5"), None),
        (&cube, &cube, v("1", "0", "2.25"), Vec3::ZERO, lit("0.5"), None),
        // Overlapping: along the shortest way out, here 0.5 in x; at the center there is none.
        (&cube, &cube, v("1.5", "0", "0"), -east, zero, Some((0, [1, 0, 0]))),
        (&cube, &cube, v("1.5", "0", "0"), east - up, zero, None),
        (&cube, &cube, Vec3::ZERO, east, zero, None),
    ];
    for (index, (a, b, offset, motion, gap, expected)) in table.into_iter().enumerate() {
        assert_eq!(sweep(a, b, offset, motion, gap), expected, "row {index}");
        let swapped = sweep(b, a, -offset, -motion, gap);
        assert_eq!(swapped, expected.map(|(toi, signs)| (toi, signs.map(|s| -s))), "row {index} swapped");
    }
    let along = sweep_aabb_obb(v("5", "0.5", "0"), v("-4", "0", "0"), v("1", "1", "1"), &diamond, zero);
    assert_eq!(along.map(|hit| hit.toi.raw()), Some(half));
    let diagonal = sweep_obb_obb(v("4", "4", "0"), v("-4", "-4", "0"), &cube, &cube, zero).unwrap();
    assert_eq!(diagonal.normal.x, diagonal.normal.y);
    // Of tied axes only faces count: the top of both boxes and one side of the cube.
    let entering = (v("5", "0", "4"), v("-4", "0", "-4"), zero);
    let within = (v("3", "0", "2"), v("-4", "0", "-4"), lit("0.5"));
    for (offset, motion, gap) in [entering, within] {
        let normal = sweep_obb_obb(offset, motion, &cube, &diamond, gap).unwrap().normal;
        assert!(normal.y == 0 && (normal.z - 2 * normal.x).abs() <= 2, "{normal:?}");
    }
}

#[test]
fn boxes_that_end_a_fifth_of_a_raw_apart_do_not_hit() {
    let unit = ONE / 4;
    let edges = [[3, 4, 0], [-4, 3, 0], [0, 0, 1]].map(|edge| Vec3::from_raw(edge.map(|part| part * unit)));
    let brick = Obb { half_edges: edges };
    let motion = Vec3::from_raw([-3 * unit, -4 * unit, 0]);
    // Along (3, 4, 0) they touch at twice a half edge; a raw across it is 3 or 4 fifths of a raw along it.
    for ([x, y], want) in [([0, 0], Some(0)), ([-1, 1], None), ([1, -1], Some(1))] {
        let end = Vec3::from_raw([6 * unit + x, 8 * unit + y, 0]);
        let hit = sweep_obb_obb(end - motion, motion, &brick, &brick, Scalar::ZERO);
        assert_eq!(hit.map(|hit| hit.toi.remaining().raw()), want, "{x} {y}");
    }
}

#[test]
fn boxes_whose_bounds_stay_farther_apart_than_the_gap_do_not_hit() {
    // Two diamonds, corner to corner: 1.2 apart, but 0.85 along the normals of their faces.
    let (_, diamond) = cube_and_diamond();
    for axis in 0..3 {
        let turned = |vector: Vec3| {
            let mut raw = vector.raw();
            raw.rotate_right(axis);
            Vec3::from_raw(raw)
        };
        let diamond = Obb { half_edges: diamond.half_edges.map(turned) };
        for side in ["1", "-1"] {
            let along = |length: &str| turned(Vec3::lit(length, "0", "0") * side.parse().unwrap());
            let hit = |motion| sweep_obb_obb(along("5.2"), along(motion), &diamond, &diamond, lit("1"));
            assert_eq!(hit("-0.1"), None, "{axis} {side}");
            assert_eq!(hit("-0.3").map(|hit| hit.toi), Some(Toi::START), "{axis} {side}");
        }
    }
}

/// An exact axis, with what the boxes take up along it.
struct Exact {
    normal: Big3,
    extent: BigInt,
    /// The normal's length times 2^40, rounded down.
    length_q40: BigInt,
}

/// Facets of the sum of two parallelepipeds are spanned by two of the six half edges.
fn exact_axes(a: &Obb, b: &Obb) -> Vec<Exact> {
    let edges: Vec<Big3> = a.half_edges.into_iter().chain(b.half_edges).map(big3).collect();
    let pairs = (0..6).flat_map(|i| (0..i).map(move |j| (i, j)));
    let normals = pairs.map(|(i, j)| cross(&edges[i], &edges[j]));
    let exact = |normal: Big3| {
        let extent = edges.iter().map(|edge| dot(&normal, edge).abs()).sum();
        let length_q40 = (dot(&normal, &normal) << 80_u8).sqrt();
        Exact { normal, extent, length_q40 }
    };
    normals.filter(|normal| normal.iter().any(|c| !c.is_zero())).map(exact).collect()
}

fn exact_overlap(offset: Vec3, axes: &[Exact]) -> bool {
    axes.iter().all(|axis| dot(&axis.normal, &big3(offset)).abs() < axis.extent)
}

#[test]
fn overlap_equals_the_oracle() {
    let mut source = Source::new(41);
    let (mut yes, mut touching, mut large) = (0, 0, 0);
    let count = many_cases(20_000);
    for number in 0..count {
        let case = Case::draw(&mut source, number);
        let axes = exact_axes(&case.a, &case.b);
        let overlaps = exact_overlap(case.offset, &axes);
        assert_eq!(overlap_obb_obb(case.offset, &case.a, &case.b), overlaps, "case {number}: {case:?}");
        assert_eq!(overlap_obb_obb(-case.offset, &case.b, &case.a), overlaps, "case {number}: {case:?}");
        yes += u64::from(overlaps);
        let apart = |axis: &Exact| dot(&axis.normal, &big3(case.offset)).abs() - &axis.extent;
        let apart = axes.iter().map(apart).max().unwrap();
        touching += u64::from(apart.is_zero());
        if number % 8 == 0 {
            let [a, b] = [case.a, case.b].map(|obb| obb.half_edges.map(big3));
            let meet = edges_meet(&big3(case.offset), &a, &b);
            assert_eq!(meet, !apart.is_positive(), "case {number}: {case:?}");
        }
        large += u64::from(case.size() > 512 * ONE);
    }
    println!("overlap_obb_obb: {count} cases, {yes} overlaps, {touching} touching, {large} in wide integers");
    assert!((count / 5..count * 4 / 5).contains(&yes), "{yes}");
    assert!(touching > count / 100 && large > count / 50, "{touching} {large}");
}

#[derive(Debug)]
struct Case {
    offset: Vec3,
    motion: Vec3,
    a: Obb,
    b: Obb,
    gap: i64,
}

impl Case {
    /// Boxes of any two kinds, or turned alike, or nearly alike.
    fn draw(source: &mut Source, case: u64) -> Self {
        if case % 16 == 15 {
            return Self::extreme(source);
        }
        let most = [1 << 12, ONE, 16 * ONE, SIZE][source.between(0, 3) as usize];
        let a = source.obb(most);
        let mut b = source.obb(most);
        match source.between(0, 5) {
            0 => b = a,
            1 => b.half_edges.rotate_left(1),
            2 => b = near(source, &a),
            3 => b.half_edges = a.half_edges.map(|edge| edge.map_raw(|c| c / 2)),
            _ => {}
        }
        if !b.is_box() || !volume(&b) {
            b = a;
        }
        let gap = [0, 0, 2, 64, 1 << 20, 1 << 42][source.between(0, 5) as usize];
        let (offset, motion) =
            if case % 3 == 0 { meeting(source, &a, &b) } else { source_course(source, &a, &b, gap, case) };
        Self { offset, motion, a, b, gap }
    }

    /// At the limits of what a sweep accepts.
    fn extreme(source: &mut Source) -> Self {
        let far = [1 << 45, 1 << 47, 1 << 57][source.between(0, 2) as usize];
        let (offset, motion) = (source.any_vector(far), source.any_vector(1 << 45));
        let gap = source.scaled(1 << 45);
        Self { offset, motion, a: source.obb(SIZE), b: source.obb(SIZE), gap }
    }

    fn sweep(&self) -> Option<Hit> {
        sweep_obb_obb(self.offset, self.motion, &self.a, &self.b, Scalar::from_bits(self.gap))
    }

    fn size(&self) -> i64 {
        self.a.bounding_radius().to_bits() + self.b.bounding_radius().to_bits()
    }

    fn speed(&self) -> i64 {
        ((self.motion.length_squared_wide().isqrt() >> 32) as i64 + 1).max(1)
    }

    fn slack(&self) -> i64 {
        (self.size() + self.gap) >> 28
    }

    /// The largest separation over the exact axes at an instant, less the gap, in 2^-32 raw, down.
    fn excess(&self, axes: &[Exact], toi: Toi) -> BigInt {
        let offset = fine_at(self.offset, self.motion, toi);
        let over = |axis: &Exact| {
            let apart: BigInt = dot(&axis.normal, &offset).abs() - (&axis.extent << 32_u8);
            num_integer::Integer::div_floor(&(apart << 40_u8), &axis.length_q40)
        };
        axes.iter().map(over).max().unwrap() - (big(self.gap) << 32_u8)
    }
}

/// The same box, its edges a few raw off.
fn near(source: &mut Source, obb: &Obb) -> Obb {
    Obb { half_edges: obb.half_edges.map(|edge| edge + source.vector(2)) }
}

/// Two points of the surfaces meet, a few raw apart, at a random instant.
fn meeting(source: &mut Source, a: &Obb, b: &Obb) -> (Vec3, Vec3) {
    let ((on_a, _), (on_b, _)) = (source.spot(a, 2), source.spot(b, 2));
    let exact = source.bits() % 2 == 0;
    let off = if exact { Vec3::ZERO } else { source.vector(3) };
    let motion = source.any_vector(1 << 44);
    let before = if source.bits() % 3 == 0 { source.between(0, 1 << 20) } else { 0 };
    let back = motion.map_raw(|c| ((i128::from(c) * i128::from(before)) >> 20) as i64);
    (on_a - on_b + off - back, motion)
}

/// The second box's corner or so courses past the first.
fn source_course(source: &mut Source, a: &Obb, b: &Obb, gap: i64, case: u64) -> (Vec3, Vec3) {
    let (on_b, _) = source.spot(b, 2);
    let (offset, motion) = source.relative(a, gap + 1, case);
    (offset - on_b, motion)
}

#[derive(Default, Debug)]
struct Count {
    hits: u64,
    starts: u64,
    misses: u64,
    worst: i64,
    worst_per_size: i64,
    deepest_certificate: i64,
    false_hits: u64,
    shell: u64,
    /// Gaps left in raw per unit of speed, by number of bits.
    histogram: [u64; 24],
}

#[test]
fn sweeps_are_never_late_and_never_far_early() {
    let mut source = Source::new(43);
    let mut count = Count::default();
    let total = many_cases(12_000);
    for number in 0..total {
        let case = Case::draw(&mut source, number);
        let axes = exact_axes(&case.a, &case.b);
        let start = case.excess(&axes, Toi::START);
        match case.sweep() {
            Some(hit) if hit.toi == Toi::START && start <= big(case.slack() + 4) << 32 => {
                assert!(hit.normal.dot_wide(case.motion) < 0);
                count.starts += 1;
            }
            Some(hit) => judge_hit(&case, &axes, hit, number, &mut count),
            None => judge_miss(&case, &axes, number, &mut count),
        }
    }
    println!("sweep_obb_obb: {total} cases: {count:?}");
    assert!(count.hits > total / 7 && count.starts > total / 50 && count.misses > total / 5, "{count:?}");
    let near: u64 = count.histogram[..=3].iter().sum();
    assert!(near * 100 >= count.hits * 97, "{near} of {} within 7 raw", count.hits);
}

fn judge_hit(case: &Case, axes: &[Exact], hit: Hit, number: u64, count: &mut Count) {
    assert!(hit.normal.is_valid() && hit.normal.dot_wide(case.motion) < 0, "case {number}: {case:?}");
    let excess = case.excess(axes, hit.toi);
    let late = if case.gap == 0 { big(0) } else { big(-case.slack() - 1) << 32 };
    assert!(excess >= late, "late, case {number}: {excess} {case:?}");
    let excess = i64::try_from(excess >> 32_u8).unwrap();
    let left = (excess - case.slack()) / case.speed();
    count.hits += 1;
    count.worst = count.worst.max(left);
    let past = i128::from(excess - 4 * case.speed()) << 36;
    count.worst_per_size = count.worst_per_size.max((past / i128::from(case.size() + case.gap)) as i64);
    count.histogram[(64 - (excess / case.speed()).max(0).leading_zeros()).min(23) as usize] += 1;
    assert!(left <= 4, "{left} raw early, case {number}: {case:?}");
    let depth = certificate_depth(case, hit);
    count.deepest_certificate = count.deepest_certificate.max(depth);
    assert!(depth <= case.slack() + 1, "{depth} raw late by its normal, case {number}: {case:?}");
    if case.gap >= 2 {
        let half = case.motion.map_raw(|c| -c / 3);
        let offset = rounded_offset([Vec3::ZERO, case.offset], [half, half + case.motion], hit.toi);
        assert!(!overlap_obb_obb(offset, &case.a, &case.b), "case {number}: {case:?}");
    }
    count.false_hits += u64::from(!meets(case, axes, case.gap));
}

/// By how many raw, rounded up, the gap is missed along the hit's own normal.
fn certificate_depth(case: &Case, hit: Hit) -> i64 {
    let normal = hit.normal.components().map(big);
    let extent: BigInt = [case.a, case.b].iter().map(|obb| big(obb.support_wide(hit.normal))).sum();
    let length_q40 = (dot(&normal, &normal) << 80_u8).sqrt();
    let apart: BigInt = dot(&normal, &fine_at(case.offset, case.motion, hit.toi)) - (extent << 32_u8);
    let depth: BigInt =
        (big(case.gap) << 32) - num_integer::Integer::div_floor(&(apart << 40_u8), &length_q40);
    i64::try_from(depth >> 32_u8).unwrap()
}

/// True if at some instant of the tick all exact axes are within `gap` (in full: overlap for 0).
fn meets(case: &Case, axes: &[Exact], gap: i64) -> bool {
    let (mut first, mut last) = (Fraction(big(0), big(1)), Fraction(big(1), big(1)));
    for axis in axes {
        let (mut start, mut speed) =
            (dot(&axis.normal, &big3(case.offset)), dot(&axis.normal, &big3(case.motion)));
        let reach: BigInt = &axis.extent + ((&axis.length_q40 * gap) >> 40_u8);
        if speed.is_negative() {
            (start, speed) = (-start, -speed);
        }
        if speed.is_zero() {
            if start.abs() >= reach {
                return false;
            }
            continue;
        }
        let (enter, leave) = (Fraction(-&reach - &start, speed.clone()), Fraction(&reach - &start, speed));
        if enter.compare(&first) == Ordering::Greater {
            first = enter;
        }
        if leave.compare(&last) == Ordering::Less {
            last = leave;
        }
    }
    first.compare(&last) == Ordering::Less
}

fn judge_miss(case: &Case, axes: &[Exact], number: u64, count: &mut Count) {
    count.misses += 1;
    let overlaps_at_start = exact_overlap(case.offset, axes);
    if overlaps_at_start {
        return;
    }
    if meets(case, axes, 0) {
        // Only by what a 30-bit axis may be off may boxes graze that start in contact.
        count.shell += 1;
        assert!(!meets(case, axes, -case.slack() - 1), "missed, case {number}: {case:?}");
        let start = case.excess(axes, Toi::START) + (big(case.gap) << 32);
        assert!(start <= big(case.slack() + 1) << 32, "missed, case {number}: {case:?}");
    }
    let excused =
        axes.iter().any(|axis| stays_level(case, axis)) || !meets(case, &space_axes(case), case.gap);
    assert!(excused || !meets(case, axes, case.gap), "missed the gap, case {number}: {case:?}");
}

/// The axes of space: what is farther apart than the gap along one of them is so.
fn space_axes(case: &Case) -> [Exact; 3] {
    let extent = (case.a.half_extent() + case.b.half_extent()).raw();
    [0, 1, 2].map(|axis: usize| {
        let normal = [0, 1, 2].map(|other: usize| big(u8::from(other == axis)));
        Exact { normal, extent: big(extent[axis]), length_q40: big(1_u64 << 40) }
    })
}

/// True if the boxes are apart along an axis and do not approach, up to the slack.
fn stays_level(case: &Case, axis: &Exact) -> bool {
    let (start, speed) = (dot(&axis.normal, &big3(case.offset)), dot(&axis.normal, &big3(case.motion)));
    let (apart, closing) = (start.abs() - &axis.extent, -speed * start.signum());
    let slack = (&axis.length_q40 * (case.slack() + 1)) >> 40_u8;
    apart >= -slack.clone() && closing <= slack * case.speed()
}

#[test]
fn boxes_have_the_symmetries_of_space_and_of_exchange() {
    let mut source = Source::new(44);
    let mut hits = 0;
    let total = cases(300);
    for number in 0..total {
        let case = Case::draw(&mut source, number);
        let hit = case.sweep();
        let overlaps = overlap_obb_obb(case.offset, &case.a, &case.b);
        hits += u64::from(hit.is_some());
        let swapped = Case { offset: -case.offset, motion: -case.motion, a: case.b, b: case.a, ..case };
        assert_eq!(swapped.sweep(), hit.map(|hit| Hit { normal: -hit.normal, ..hit }), "{number}: {case:?}");
        for symmetry in Symmetry::all() {
            let [offset, motion] = [case.offset, case.motion].map(|vector| symmetry.of(vector));
            let [a, b] = [case.a, case.b].map(|obb| image(&symmetry, &obb));
            assert_eq!(overlap_obb_obb(offset, &a, &b), overlaps);
            let turned = Case { offset, motion, a, b, ..case };
            let image = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(turned.sweep(), image, "{number}, {symmetry:?}: {case:?}");
        }
    }
    assert!(hits > total / 5, "{hits}");
}

#[test]
fn a_turned_floor_stops_a_box_and_lets_it_slide() {
    let turn = Rotation::from_quaternion(lit("20"), lit("1"), lit("3"), lit("0")).unwrap();
    let floor = Obb::new(Vec3::lit("50", "50", "1"), turn);
    let brick = Obb::new(Vec3::lit("1", "2", "3"), turn);
    let gap = Scalar::from_bits(64);
    let up = turn.apply(Vec3::lit("0", "0", "5"));
    let along = turn.apply(Vec3::lit("7", "-3", "0"));
    let fall = up.map_raw(|c| -c);
    let hit = sweep_obb_obb(up, fall + along, &floor, &brick, gap).unwrap();
    assert!((lit("0.2").to_bits().unsigned_abs() - hit.toi.raw()) < 1 << 8, "{hit:?}");
    // From there on along the floor: neither a tremor against the normal nor a hit.
    let place = up + (fall + along).map_raw(|c| hit.toi.of_nearest(c));
    let level = Normal::from_vector(up).unwrap();
    let sliding = if hit.normal.dot_wide(along) < 0 { along + up.map_raw(|c| c >> 28) } else { along };
    assert!(hit.normal.dot_wide(sliding) >= 0 && level.is_valid());
    assert_eq!(sweep_obb_obb(place, sliding, &floor, &brick, gap), None);
}
