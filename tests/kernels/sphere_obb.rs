//! Sphere against oriented box: overlap, closest point, sweep.

use std::cmp::Ordering;

use bitstep::{
    geom::{Normal, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    overlap::{closest_point_obb, overlap_sphere_obb},
    shape::Obb,
    sweep::{Hit, sweep_sphere_obb},
};
use num_bigint::BigInt;

use crate::{
    box_oracle::{
        Big3, SIZE, big3, distance_squared, dot, fine, fine_at, image, segment_distance_squared, sub,
    },
    oracle::{ONE, Source, Symmetry, big, cases, many_cases, rounded_offset},
};

/// A box with half extents 3, 4, 5 turned by the exact rotation of the triangle 3, 4, 5 about z.
fn turned() -> Obb {
    let rotation = Rotation::from_quaternion(lit("2"), lit("0"), lit("0"), lit("1")).unwrap();
    let obb = Obb::new(Vec3::lit("5", "10", "2"), rotation);
    let exact = [Vec3::lit("3", "4", "0"), Vec3::lit("-8", "6", "0"), Vec3::lit("0", "0", "2")];
    for (edge, exact) in obb.half_edges.into_iter().zip(exact) {
        assert!((edge - exact).within(Scalar::from_bits(64)));
    }
    Obb { half_edges: exact }
}

fn edges_of(edges: &Obb) -> [Big3; 3] {
    edges.half_edges.map(big3)
}

#[test]
fn overlap_by_hand() {
    let obb = turned();
    let tick = Scalar::from_bits(1);
    // Straight out of the face at (3, 4, 0), the edge between it and the top, and the corner.
    let table = [
        (Vec3::lit("6", "8", "0"), lit("5")),
        (Vec3::lit("-9", "-12", "0"), lit("10")),
        (Vec3::lit("6", "8", "14"), lit("13")),
        (Vec3::lit("0", "0", "7"), lit("5")),
        (Vec3::lit("-7", "24", "7"), lit("15")),
    ];
    for (offset, touching) in table {
        for offset in [offset, -offset] {
            assert!(!overlap_sphere_obb(offset, touching, &obb), "{offset:?}");
            assert!(overlap_sphere_obb(offset, touching + tick, &obb), "{offset:?}");
        }
    }
    // A box without volume is a rectangle; this one ends at x + z = 4.
    let flat =
        Obb { half_edges: [Vec3::lit("1", "0", "1"), Vec3::lit("1", "0", "1"), Vec3::lit("1", "0", "-1")] };
    assert!(!overlap_sphere_obb(Vec3::lit("2.5", "0", "2.5"), lit("0.7"), &flat));
    assert!(overlap_sphere_obb(Vec3::lit("2.5", "0", "2.5"), lit("0.71"), &flat));
    assert!(overlap_sphere_obb(Vec3::ZERO, tick, &obb));
    assert!(!overlap_sphere_obb(Vec3::ZERO, Scalar::ZERO, &obb));
}

#[test]
fn overlap_equals_the_oracle() {
    let mut source = Source::new(31);
    let (mut yes, mut close) = (0, 0);
    let count = many_cases(20_000);
    for case in 0..count {
        let obb = source.obb(SIZE);
        let (offset, radius) = near_contact(&mut source, &obb, case);
        let exact = distance_squared(&big3(-offset), &edges_of(&obb));
        let radius_squared = big(radius) * radius;
        let overlaps = exact.against(&radius_squared) == Ordering::Less;
        assert_eq!(
            overlap_sphere_obb(offset, Scalar::from_bits(radius), &obb),
            overlaps,
            "case {case}: {offset:?} {radius} {obb:?}"
        );
        yes += u64::from(overlaps);
        close += u64::from((exact.sqrt_floor() - radius).magnitude() < &2_u32.into());
    }
    println!("overlap_sphere_obb: {count} cases, {yes} overlaps, {close} within 2 raw of touching");
    assert!((count / 4..count * 3 / 4).contains(&yes), "{yes}");
    assert!(close > count / 3, "{close}");
}

/// An offset and a radius that about touch, at any feature of the box.
fn near_contact(source: &mut Source, obb: &Obb, case: u64) -> (Vec3, i64) {
    if case % 4 == 0 {
        let size = obb.bounding_radius().to_bits();
        let distance = source.scaled(2 * size);
        return (source.on_sphere(distance), source.scaled(size).max(1));
    }
    let most = [8, 1 << 20, ONE, SIZE][source.between(0, 3) as usize];
    let length = source.scaled(most).max(1);
    let (spot, out) = source.spot(obb, length);
    let offset = -(spot + out);
    let exact = distance_squared(&big3(-offset), &edges_of(obb));
    let distance = i64::try_from(exact.sqrt_floor()).unwrap();
    (offset, (distance + source.between(0, 1)).max(1))
}

#[test]
fn closest_points_are_on_the_box_and_nearest() {
    let mut source = Source::new(32);
    let (mut worst, mut worst_out) = (0, 0);
    let count = many_cases(10_000);
    for case in 0..count {
        let obb = source.obb(SIZE);
        let (offset, _) = near_contact(&mut source, &obb, case);
        let closest = closest_point_obb(offset, &obb);
        let edges = obb.half_edges.map(fine);
        let off_box = distance_squared(&fine(closest), &edges).sqrt_floor();
        worst_out = worst_out.max(i64::try_from(off_box >> 24_u8).unwrap());
        let nearest = distance_squared(&fine(offset), &edges).sqrt_floor();
        let way = sub(&fine(closest), &fine(offset));
        let excess = i64::try_from((dot(&way, &way).sqrt() - nearest) >> 32_u8).unwrap();
        let allowed = 4 + (obb.bounding_radius().to_bits() >> 36);
        assert!(excess <= allowed, "case {case}: {excess} > {allowed} raw: {offset:?} {obb:?}");
        worst = worst.max(excess);
    }
    println!("closest_point_obb: {count} cases, worst excess {worst} raw, {worst_out}/256 raw off the box");
    assert!(worst_out < 256);
    let obb = turned();
    assert_eq!(closest_point_obb(Vec3::lit("6", "8", "1"), &obb), Vec3::lit("3", "4", "1"));
    assert_eq!(closest_point_obb(Vec3::lit("-9", "20", "9"), &obb), Vec3::lit("-5", "10", "2"));
    let inside = Vec3::lit("-5", "5", "-1.5");
    assert!((closest_point_obb(inside, &obb) - inside).within(Scalar::from_bits(1)));
}

#[test]
fn sweeps_by_hand() {
    let obb = turned();
    let [zero, one] = [lit("0"), lit("1")];
    let whole = 1_u64 << 32;
    let [face, up] = [[3, 4, 0], [0, 0, 1]];
    // (offset, motion, gap, toi, direction), the sphere's radius 1. The face (3, 4, 0) is 5 off the
    // center, the top 2, the corner at (-5, 10, 2).
    let table = [
        // From 20 along the face's normal at 15 per tick: 14 to go.
        (Vec3::lit("12", "16", "0"), Vec3::lit("-9", "-12", "0"), zero, Some((whole * 14 / 15, face))),
        (Vec3::lit("12", "16", "0"), Vec3::lit("-9", "-12", "0"), one, Some((whole * 13 / 15, face))),
        (Vec3::lit("12", "16", "1"), Vec3::lit("-18", "-24", "0"), zero, Some((whole * 14 / 30, face))),
        // Exactly at the end, and a raw beyond.
        (Vec3::lit("1", "2", "8"), Vec3::lit("0", "0", "-5"), zero, Some((whole, up))),
        (Vec3::lit("1", "2", "8") + Vec3::from_raw([0, 0, 1]), Vec3::lit("0", "0", "-5"), zero, None),
        (Vec3::lit("1", "2", "-8"), Vec3::lit("0", "0", "10"), zero, Some((whole / 2, [0, 0, -1]))),
        // An edge at (3, 4) + t (-8, 6) and z = 2, from the direction (3, 4, 5 * 12 / 5) / 13.
        (Vec3::lit("6", "8", "14"), Vec3::lit("-6", "-8", "-24"), zero, Some((whole * 12 / 26, [3, 4, 12]))),
        // The corner, straight from (-2, 14, 5): 15 off, 14 to go.
        (Vec3::lit("-7", "24", "7"), Vec3::lit("2", "-14", "-5"), zero, Some((whole * 14 / 15, [-2, 14, 5]))),
        (Vec3::lit("-7", "24", "7"), Vec3::lit("-2", "14", "5"), zero, None),
        // Within the gap: pressing, sliding, at rest.
        (Vec3::lit("1", "2", "3"), Vec3::lit("1", "0", "-1"), one, Some((0, up))),
        (Vec3::lit("1", "2", "3"), Vec3::lit("1", "0", "0"), one, None),
        (Vec3::lit("1", "2", "3"), Vec3::ZERO, one, None),
        // The center inside: the top is the shortest way out; the very center has none.
        (Vec3::lit("1", "2", "1"), Vec3::lit("5", "0", "-1"), zero, Some((0, up))),
        (Vec3::lit("1", "2", "1"), Vec3::lit("5", "0", "1"), zero, None),
        (Vec3::ZERO, Vec3::lit("1", "1", "1"), zero, None),
        // On the corner and on the edge, exactly.
        (Vec3::lit("3", "4", "2"), Vec3::lit("0", "-1", "-1"), zero, Some((0, [3, 4, 5]))),
        // Past the box.
        (Vec3::lit("12", "16", "0"), Vec3::lit("40", "-30", "0"), zero, None),
    ];
    for (index, (offset, motion, gap, expected)) in table.into_iter().enumerate() {
        let hit = sweep_sphere_obb(offset, motion, one, &obb, gap);
        assert_eq!(hit.is_some(), expected.is_some(), "row {index}: {hit:?}");
        let (Some(hit), Some((toi, direction))) = (hit, expected) else { continue };
        assert!(toi - hit.toi.raw() <= 2, "row {index}: {hit:?}, expected {toi}");
        assert!(parallel(hit.normal, direction), "row {index}: {hit:?}");
    }
}

/// The same direction up to 30 bits.
fn parallel(normal: Normal, direction: [i64; 3]) -> bool {
    let raw = Vec3::from_raw(direction);
    let cross = Vec3::from_raw(normal.components().map(i64::from)).cross_wide(raw);
    normal.dot_wide(raw) > 0 && cross.iter().all(|c| c.abs() <= 40)
}

struct Case {
    offset: Vec3,
    motion: Vec3,
    radius: i64,
    gap: i64,
    obb: Obb,
}

impl Case {
    fn draw(source: &mut Source, case: u64) -> Self {
        if case % 16 == 15 {
            return Self::extreme(source);
        }
        let most = [1 << 12, ONE, 16 * ONE, SIZE][source.between(0, 3) as usize];
        let obb = source.obb(most);
        let radius = source.scaled(most).max(1);
        let gap = [0, 2, 64, 1 << 20][source.between(0, 3) as usize];
        let (offset, motion) = source.relative(&obb, radius + gap, case / 2);
        Self { offset, motion, radius, gap, obb }
    }

    /// At the limits of what a sweep accepts.
    fn extreme(source: &mut Source) -> Self {
        let reach = (1 << 46) - source.scaled(1 << 46);
        let radius = source.between(0, reach).max(1);
        let far = [1 << 45, 1 << 47, 1 << 57][source.between(0, 2) as usize];
        let (offset, motion) = (source.any_vector(far), source.any_vector(1 << 45));
        Self { offset, motion, radius, gap: (reach - radius).max(0), obb: source.obb(SIZE) }
    }

    fn sweep(&self) -> Option<Hit> {
        let [radius, gap] = [self.radius, self.gap].map(Scalar::from_bits);
        sweep_sphere_obb(self.offset, self.motion, radius, &self.obb, gap)
    }

    fn reach(&self) -> i64 {
        self.radius + self.gap
    }

    /// The motion in units per tick, at least 1, rounded up.
    fn speed(&self) -> i64 {
        ((self.motion.length_squared_wide().isqrt() >> 32) as i64 + 1).max(1)
    }

    /// What the 30 bits of a normal may be off at the box's far side.
    fn slack(&self) -> i64 {
        self.obb.bounding_radius().to_bits() >> 28
    }

    /// How much farther apart than the reach the shapes are at an instant, in 2^-32 raw, down.
    fn excess(&self, toi: Toi) -> BigInt {
        let point = fine_at(self.offset, self.motion, toi);
        distance_squared(&point, &self.obb.half_edges.map(fine)).sqrt_floor() - (big(self.reach()) << 32)
    }

    /// The least distance over the tick, against a length in raw.
    fn nearest_against(&self, length: i64) -> Ordering {
        let [from, to] = [self.offset, self.offset + self.motion].map(big3);
        segment_distance_squared(&from, &to, &self.obb.half_edges.map(big3)).against(&(big(length) * length))
    }
}

#[derive(Default, Debug)]
struct Count {
    hits: u64,
    starts: u64,
    misses: u64,
    shell: u64,
    false_hits: u64,
    worst: i64,
    worst_small: i64,
    /// Of gaps left past 8 raw per unit of speed: in parts of 2^-36 of the box's size.
    worst_per_size: i64,
    /// Gaps left in raw per unit of speed, by number of bits.
    histogram: [u64; 24],
}

#[test]
fn sweeps_are_never_late_and_never_far_early() {
    let mut source = Source::new(33);
    let mut count = Count::default();
    let total = many_cases(16_000);
    for number in 0..total {
        let case = Case::draw(&mut source, number);
        let start = case.excess(Toi::START);
        match case.sweep() {
            Some(hit) if hit.toi == Toi::START && start <= big(case.slack() + 8) << 32 => {
                assert!(hit.normal.dot_wide(case.motion) < 0);
                count.starts += 1;
            }
            Some(hit) => judge_hit(&case, hit, number, &mut count),
            None => judge_miss(&case, &start, number, &mut count),
        }
    }
    println!("sweep_sphere_obb: {total} cases: {count:?}");
    assert!(count.hits > total / 4 && count.starts > total / 50 && count.misses > total / 5, "{count:?}");
    let near: u64 = count.histogram[..=3].iter().sum();
    assert!(near * 100 >= count.hits * 97, "{near} of {} within 7 raw", count.hits);
}

fn judge_hit(case: &Case, hit: Hit, number: u64, count: &mut Count) {
    let show = || {
        format!(
            "case {number}: {:?} {:?} {} {} {:?}",
            case.offset, case.motion, case.radius, case.gap, case.obb
        )
    };
    assert!(hit.normal.is_valid() && hit.normal.dot_wide(case.motion) < 0, "{}", show());
    let excess = case.excess(hit.toi);
    assert!(excess >= big(0), "late: {}", show());
    let excess = i64::try_from(excess >> 32_u8).unwrap();
    let left = (excess - case.slack()) / case.speed();
    count.hits += 1;
    let past = i128::from(excess - 8 * case.speed()) << 36;
    let per_size = (past / i128::from(case.obb.bounding_radius().to_bits())) as i64;
    count.worst_per_size = count.worst_per_size.max(per_size);
    count.worst = count.worst.max(left);
    if case.obb.bounding_radius().to_bits() <= 2 * ONE {
        count.worst_small = count.worst_small.max(excess / case.speed());
    }
    count.histogram[(64 - (excess / case.speed()).max(0).leading_zeros()).min(23) as usize] += 1;
    assert!(left <= 8, "{left} raw early: {}", show());
    if case.gap >= 2 {
        let (zero, away) = (Vec3::ZERO, -case.motion);
        let half = away.map_raw(|c| c / 3);
        let offset = rounded_offset([zero, case.offset], [half, half + case.motion], hit.toi);
        assert!(!overlap_sphere_obb(offset, Scalar::from_bits(case.radius), &case.obb), "{}", show());
    }
    if case.nearest_against(case.reach()) == Ordering::Greater {
        count.false_hits += 1;
    }
}

fn judge_miss(case: &Case, start: &BigInt, number: u64, count: &mut Count) {
    let show = || {
        format!(
            "case {number}: {:?} {:?} {} {} {:?}",
            case.offset, case.motion, case.radius, case.gap, case.obb
        )
    };
    count.misses += 1;
    if case.nearest_against(case.reach()) == Ordering::Greater {
        return;
    }
    // Contact, and yet none reported: it starts within the gap and does not come nearer.
    let (start, slack) = (i64::try_from(start >> 32_u8).unwrap(), case.slack() + 8);
    assert!(start <= slack, "missed: {}", show());
    count.shell += u64::from(start > 0);
    let nearest = case.reach() + start - slack;
    let outside = case.reach() + start > 0;
    assert!(
        !outside || nearest <= 0 || case.nearest_against(nearest) == Ordering::Greater,
        "approaches: {}",
        show()
    );
}

#[test]
fn sweeps_and_overlaps_have_the_symmetries_of_space() {
    let mut source = Source::new(34);
    let mut hits = 0;
    let total = cases(300);
    for number in 0..total {
        let case = Case::draw(&mut source, number);
        let hit = case.sweep();
        hits += u64::from(hit.is_some());
        for symmetry in Symmetry::all() {
            let [offset, motion] = [case.offset, case.motion].map(|vector| symmetry.of(vector));
            let obb = image(&symmetry, &case.obb);
            let turned = Case { offset, motion, obb, ..case };
            let image = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(turned.sweep(), image, "case {number}, {symmetry:?}");
            let radius = Scalar::from_bits(case.radius);
            assert_eq!(
                overlap_sphere_obb(offset, radius, &obb),
                overlap_sphere_obb(case.offset, radius, &case.obb)
            );
            assert_eq!(
                closest_point_obb(offset, &obb),
                symmetry.of(closest_point_obb(case.offset, &case.obb))
            );
        }
    }
    assert!(hits > total / 4, "{hits}");
}
