//! Capsules against everything, judged by the exact distance: overlaps, distances, sweeps, rays.

use std::cmp::Ordering;

use bitstep::{
    geom::Vec3,
    num::{Scalar, Toi},
    overlap::{
        distance_capsule_capsule_ceil, distance_obb_capsule_ceil, distance_point_capsule_ceil,
        overlap_aabb_capsule, overlap_capsule_capsule, overlap_obb_capsule, overlap_sphere_capsule,
    },
    shape::{Capsule, Obb},
    sweep::{
        Hit, sweep_aabb_capsule, sweep_capsule_capsule, sweep_obb_capsule, sweep_ray_capsule,
        sweep_sphere_capsule,
    },
};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::{
    box_oracle::{Fraction, SIZE, big3, fine, fine_at, image},
    oracle::{ONE, Source, Symmetry, big, cases, many_cases, rounded_offset},
    zonotope::distance_squared,
};

/// A pair of solids; the capsule is B.
#[derive(Clone, Copy, Debug)]
enum Solids {
    /// A ray or point.
    Point(Capsule),
    Ball(Scalar, Capsule),
    Aabb(Vec3, Capsule),
    Obb(Obb, Capsule),
    Capsules(Capsule, Capsule),
}

impl Solids {
    const KINDS: u64 = 5;

    fn draw(source: &mut Source, kind: u64, most: i64) -> Self {
        match kind {
            0 => Self::Point(source.capsule(most, &[])),
            1 => Self::Ball(Scalar::from_bits(source.scaled(most).max(1)), source.capsule(most, &[])),
            2 => {
                let half = Vec3::from_raw([(); 3].map(|()| source.scaled(most).max(1)));
                Self::Aabb(half, source.capsule(most, &Obb::along_axes(half).half_edges))
            }
            3 => {
                let obb = source.obb(most.max(256)); // a box has edges of 64 raw and more
                Self::Obb(obb, source.capsule(most, &obb.half_edges))
            }
            _ => {
                let a = source.capsule(most, &[]);
                Self::Capsules(a, source.capsule(most, &[a.half_axis]))
            }
        }
    }

    /// The segments whose sum is all ways between the two, without the balls around them.
    fn generators(&self) -> Vec<Vec3> {
        match self {
            Self::Point(b) | Self::Ball(_, b) => vec![b.half_axis],
            Self::Aabb(half, b) => Self::Obb(Obb::along_axes(*half), *b).generators(),
            Self::Obb(a, b) => a.half_edges.into_iter().chain([b.half_axis]).collect(),
            Self::Capsules(a, b) => vec![a.half_axis, b.half_axis],
        }
    }

    /// The balls' radii.
    fn radii(&self) -> i64 {
        match self {
            Self::Point(b) | Self::Aabb(_, b) | Self::Obb(_, b) => b.radius,
            Self::Ball(radius, b) => *radius + b.radius,
            Self::Capsules(a, b) => a.radius + b.radius,
        }
        .to_bits()
    }

    fn bounding_radii(&self) -> i64 {
        match self {
            Self::Point(b) | Self::Ball(_, b) => b.bounding_radius(),
            Self::Aabb(half, b) => Obb::along_axes(*half).bounding_radius() + b.bounding_radius(),
            Self::Obb(a, b) => a.bounding_radius() + b.bounding_radius(),
            Self::Capsules(a, b) => a.bounding_radius() + b.bounding_radius(),
        }
        .to_bits()
    }

    fn sweep(&self, offset: Vec3, motion: Vec3, gap: Scalar) -> Option<Hit> {
        match self {
            Self::Point(b) => sweep_ray_capsule(offset, -motion, b),
            Self::Ball(radius, b) => sweep_sphere_capsule(offset, motion, *radius, b, gap),
            Self::Aabb(half, b) => sweep_aabb_capsule(offset, motion, *half, b, gap),
            Self::Obb(a, b) => sweep_obb_capsule(offset, motion, a, b, gap),
            Self::Capsules(a, b) => sweep_capsule_capsule(offset, motion, a, b, gap),
        }
    }

    /// `None` for a point, which overlaps nothing.
    fn overlaps(&self, offset: Vec3) -> Option<bool> {
        match self {
            Self::Point(_) => None,
            Self::Ball(radius, b) => Some(overlap_sphere_capsule(offset, *radius, b)),
            Self::Aabb(half, b) => Some(overlap_aabb_capsule(offset, *half, b)),
            Self::Obb(a, b) => Some(overlap_obb_capsule(offset, a, b)),
            Self::Capsules(a, b) => Some(overlap_capsule_capsule(offset, a, b)),
        }
    }

    fn distance(&self, offset: Vec3) -> Scalar {
        match self {
            Self::Point(b) => distance_point_capsule_ceil(offset, b),
            Self::Ball(radius, b) => (distance_point_capsule_ceil(offset, b) - *radius).max(Scalar::ZERO),
            Self::Aabb(half, b) => distance_obb_capsule_ceil(offset, &Obb::along_axes(*half), b),
            Self::Obb(a, b) => distance_obb_capsule_ceil(offset, a, b),
            Self::Capsules(a, b) => distance_capsule_capsule_ceil(offset, a, b),
        }
    }

    fn image(&self, symmetry: &Symmetry) -> Self {
        let turned = |rod: &Capsule| Capsule { half_axis: symmetry.of(rod.half_axis), ..*rod };
        match self {
            Self::Point(b) => Self::Point(turned(b)),
            Self::Ball(radius, b) => Self::Ball(*radius, turned(b)),
            Self::Aabb(half, b) => Self::Aabb(symmetry.of_extent(*half), turned(b)),
            Self::Obb(a, b) => Self::Obb(image(symmetry, a), turned(b)),
            Self::Capsules(a, b) => Self::Capsules(turned(a), turned(b)),
        }
    }

    /// The same pair with the capsules' axes the other way round.
    fn reversed(&self) -> Self {
        let back = |rod: &Capsule| Capsule { half_axis: -rod.half_axis, ..*rod };
        match self {
            Self::Point(b) => Self::Point(back(b)),
            Self::Ball(radius, b) => Self::Ball(*radius, back(b)),
            Self::Aabb(half, b) => Self::Aabb(*half, back(b)),
            Self::Obb(a, b) => Self::Obb(*a, back(b)),
            Self::Capsules(a, b) => Self::Capsules(*a, back(b)),
        }
    }

    /// The exact squared distance of the solids without their balls, in raw squared.
    fn distance_squared(&self, offset: Vec3) -> Fraction {
        let generators: Vec<_> = self.generators().into_iter().map(big3).collect();
        distance_squared(&big3(offset), &generators)
    }
}

// ---------------------------------------------------------------- overlaps and distances

/// An offset at which they about touch, at any feature.
fn near_contact(source: &mut Source, solids: &Solids, case: u64) -> Vec3 {
    let (generators, radii) = (solids.generators(), solids.radii());
    if case % 5 == 0 {
        let size = source.scaled(2 * solids.bounding_radii());
        return source.on_sphere(size);
    }
    let off = (radii + source.between(-2, 2)).max(1);
    let (spot, out) = source.zonotope_spot(&generators, off);
    spot + out
}

#[test]
fn overlaps_and_distances_equal_the_oracle() {
    let mut source = Source::new(91);
    for kind in 0..Solids::KINDS {
        let (mut yes, mut no, mut close, count) = (0, 0, 0, many_cases(5_000));
        for case in 0..count {
            let most = [16, 1 << 20, 4 * ONE, SIZE][(case / 5 % 4) as usize];
            let solids = Solids::draw(&mut source, kind, most);
            let offset = near_contact(&mut source, &solids, case);
            let exact = solids.distance_squared(offset);
            let radii = big(solids.radii());
            let shown = || format!("case {case}: {offset:?} {solids:?}");
            let overlaps = exact.against(&(&radii * &radii)) == Ordering::Less;
            if let Some(answer) = solids.overlaps(offset) {
                assert_eq!(answer, overlaps, "{}", shown());
            }
            let floor = exact.sqrt_floor();
            let is_whole = &floor * &floor * &exact.1 == exact.0;
            let ceil = if is_whole { floor.clone() } else { &floor + 1 };
            let expected = (ceil - &radii).max(BigInt::zero());
            assert_eq!(big(solids.distance(offset).to_bits()), expected, "{}", shown());
            let counted = if overlaps { &mut yes } else { &mut no };
            *counted += 1;
            close += u64::from((floor - radii).magnitude() <= &2_u32.into());
        }
        println!("kind {kind}: {count} cases, {yes} overlaps, {close} within 2 raw of touching");
        assert!(yes > count / 8 && no > count / 8 && close > count / 6, "{kind}: {yes} {no} {close}");
    }
}

#[test]
fn distances_reach_as_far_as_offsets_may() {
    let mut source = Source::new(92);
    for case in 0..cases(1_500) {
        let solids = Solids::draw(&mut source, case % Solids::KINDS, SIZE);
        let offset = source.any_vector(1 << 57);
        let exact = solids.distance_squared(offset);
        let floor = exact.sqrt_floor();
        let is_whole = &floor * &floor * &exact.1 == exact.0;
        let ceil = if is_whole { floor } else { floor + 1 };
        let expected = (ceil - solids.radii()).max(BigInt::zero());
        assert_eq!(big(solids.distance(offset).to_bits()), expected, "{offset:?} {solids:?}");
    }
}

// ---------------------------------------------------------------- sweeps

struct Case {
    solids: Solids,
    offset: Vec3,
    motion: Vec3,
    gap: i64,
}

impl Case {
    fn draw(source: &mut Source, kind: u64, case: u64) -> Self {
        let is_ray = kind == 0;
        if case % 16 == 15 {
            let solids = Solids::draw(source, kind, SIZE);
            let far = [1 << 45, 1 << 47, 1 << 57][source.between(0, 2) as usize];
            let offset = source.any_vector(far);
            let motion = match source.bits() & 1 {
                // Toward each other, farther than the way between.
                0 if is_ray => (source.on_sphere(SIZE) - offset).map_raw(|c| c.clamp(-(1 << 57), 1 << 57)),
                _ => source.any_vector(1 << 45),
            };
            let gap = if is_ray { 0 } else { source.scaled(1 << 43) };
            return Self { solids, offset, motion, gap };
        }
        let most = [16, 1 << 12, ONE, 16 * ONE, SIZE][source.between(0, 4) as usize];
        let solids = Solids::draw(source, kind, most);
        let gap = if is_ray { 0 } else { [0, 2, 64, 1 << 20][source.between(0, 3) as usize] };
        let (offset, motion) = source.zonotope_course(&solids.generators(), solids.radii() + gap, case);
        Self { solids, offset, motion, gap }
    }

    fn sweep(&self) -> Option<Hit> {
        self.solids.sweep(self.offset, self.motion, Scalar::from_bits(self.gap))
    }

    fn reach(&self) -> i64 {
        self.solids.radii() + self.gap
    }

    /// The motion in units per tick, at least 1, rounded up.
    fn speed(&self) -> i64 {
        (self.motion.length_squared_wide().isqrt() >> 32) as i64 + 1
    }

    /// What the 30 bits of a normal may be off at the far sides.
    fn slack(&self) -> i64 {
        self.solids.bounding_radii() >> 28
    }

    /// How much farther apart than the reach they are at an instant, in 2^-32 raw, down.
    fn excess(&self, toi: Toi) -> BigInt {
        let generators: Vec<_> = self.solids.generators().into_iter().map(fine).collect();
        let exact = distance_squared(&fine_at(self.offset, self.motion, toi), &generators);
        exact.sqrt_floor() - (big(self.reach()) << 32)
    }

    /// True if they stay farther apart than a length in raw for the whole tick: the way is one more
    /// segment of the sum, all taken twice as large.
    fn stays_beyond(&self, length: i64) -> bool {
        let middle = self.offset + self.offset + self.motion;
        let twice = self.solids.generators().into_iter().map(|g| big3(g + g));
        let generators: Vec<_> = twice.chain([big3(self.motion)]).collect();
        let exact = distance_squared(&big3(middle), &generators);
        exact.against(&(big(length) * length * 4)) == Ordering::Greater
    }

    /// How far they are apart along a hit's normal beyond the reach, at its instant: an exact sum that is
    /// not negative where the normal proves that they are apart.
    fn proof(&self, hit: &Hit) -> BigInt {
        let along = |vector: Vec3| -> BigInt {
            let (n, c) = (hit.normal.components(), vector.raw());
            (0..3).map(|axis| big(n[axis]) * c[axis]).sum()
        };
        let length = hit.normal.length_up_q32();
        let place = (along(self.offset) << 32) + along(self.motion) * hit.toi.raw();
        let extents: BigInt =
            self.solids.generators().into_iter().map(|g| big(along(g).magnitude().clone())).sum();
        place - (extents << 32) - big(self.reach()) * length
    }

    fn shown(&self, number: u64) -> String {
        format!("case {number}: {:?} {:?} {} {:?}", self.offset, self.motion, self.gap, self.solids)
    }
}

#[derive(Default, Debug)]
struct Count {
    hits: u64,
    starts: u64,
    misses: u64,
    /// Misses of what starts within the gap, and outside of it by the rounding.
    slides: u64,
    shell: u64,
    false_hits: u64,
    /// Raw per unit of speed, over the part that grows with size.
    worst: i64,
    /// Of gaps left past 8 raw per unit of speed: in parts of 2^-36 of the bounding radii.
    worst_per_size: i64,
    near: u64,
}

/// Sweeps of one kind of pair against the oracle.
fn judge(kind: u64, total: u64) -> Count {
    let (mut source, mut count) = (Source::new(100 + kind), Count::default());
    for number in 0..total {
        let case = Case::draw(&mut source, kind, number);
        let start = case.excess(Toi::START);
        match case.sweep() {
            Some(hit) if hit.toi == Toi::START && start <= big(case.slack() + 8) << 32 => {
                assert!(hit.normal.dot_wide(case.motion) < 0);
                count.starts += 1;
            }
            Some(hit) => judge_hit(&case, &hit, number, &mut count),
            None => judge_miss(&case, &start, number, &mut count),
        }
    }
    println!("kind {kind}: {total} cases: {count:?}");
    assert!(count.hits > total / 6 && count.starts > total / 50 && count.misses > total / 6, "{count:?}");
    assert!(count.slides > total / 100, "{count:?}");
    assert!(count.near * 100 >= count.hits * 97, "{} of {} within 7 raw", count.near, count.hits);
    count
}

fn judge_hit(case: &Case, hit: &Hit, number: u64, count: &mut Count) {
    assert!(hit.normal.is_valid() && hit.normal.dot_wide(case.motion) < 0, "{}", case.shown(number));
    let excess = case.excess(hit.toi);
    assert!(excess >= big(0), "late: {}", case.shown(number));
    assert!(case.proof(hit) >= big(0), "no proof: {}", case.shown(number));
    let excess = i64::try_from(excess >> 32_u8).unwrap();
    let left = (excess - case.slack()) / case.speed();
    count.hits += 1;
    count.worst = count.worst.max(left);
    let past = i128::from(excess - 8 * case.speed()) << 36;
    let per_size = past.max(0) / i128::from(case.solids.bounding_radii());
    count.worst_per_size = count.worst_per_size.max(per_size as i64);
    count.near += u64::from(excess / case.speed() < 8);
    assert!(left <= 8, "{left} raw early: {}", case.shown(number));
    if case.gap >= 2 {
        let half = case.motion.map_raw(|c| -c / 3);
        let offset = rounded_offset([Vec3::ZERO, case.offset], [half, half + case.motion], hit.toi);
        assert_ne!(case.solids.overlaps(offset), Some(true), "{}", case.shown(number));
    }
    count.false_hits += u64::from(case.stays_beyond(case.reach()));
}

fn judge_miss(case: &Case, start: &BigInt, number: u64, count: &mut Count) {
    count.misses += 1;
    if case.stays_beyond(case.reach()) {
        return;
    }
    // Contact, and yet none reported: they start within the gap and do not come nearer.
    let (start, slack) = (i64::try_from(start >> 32_u8).unwrap(), case.slack() + 8);
    assert!(start <= slack, "missed: {}", case.shown(number));
    count.slides += 1;
    count.shell += u64::from(start > 0);
    let nearest = case.reach() + start - slack;
    let outside = case.reach() + start > 0;
    assert!(!outside || nearest <= 0 || case.stays_beyond(nearest), "approaches: {}", case.shown(number));
}

#[test]
fn rays_never_enter_a_capsule_and_are_never_far_early() {
    judge(0, cases(5_000));
}

#[test]
fn sweeps_of_a_ball_are_never_late_and_never_far_early() {
    judge(1, cases(5_000));
}

#[test]
fn sweeps_of_a_box_along_the_axes_are_never_late_and_never_far_early() {
    judge(2, many_cases(5_000));
}

#[test]
fn sweeps_of_an_oriented_box_are_never_late_and_never_far_early() {
    judge(3, many_cases(5_000));
}

#[test]
fn sweeps_of_two_capsules_are_never_late_and_never_far_early() {
    judge(4, many_cases(5_000));
}

// ---------------------------------------------------------------- symmetries

#[test]
fn sweeps_overlaps_and_distances_have_the_symmetries_of_space() {
    let mut source = Source::new(93);
    let (mut hits, total) = (0, cases(400));
    for number in 0..total {
        let case = Case::draw(&mut source, number % Solids::KINDS, number / Solids::KINDS);
        let Case { solids, offset, motion, gap } = case;
        let hit = case.sweep();
        hits += u64::from(hit.is_some());
        let back = Case { solids: solids.reversed(), ..case };
        assert_eq!(back.sweep(), hit, "{}", case.shown(number));
        assert_eq!(back.solids.overlaps(offset), solids.overlaps(offset), "{}", case.shown(number));
        assert_eq!(back.solids.distance(offset), solids.distance(offset), "{}", case.shown(number));
        for symmetry in Symmetry::all() {
            let turned = Case {
                solids: solids.image(&symmetry),
                offset: symmetry.of(offset),
                motion: symmetry.of(motion),
                gap,
            };
            let image = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(turned.sweep(), image, "{}, {symmetry:?}", case.shown(number));
            assert_eq!(turned.solids.overlaps(turned.offset), solids.overlaps(offset));
            assert_eq!(turned.solids.distance(turned.offset), solids.distance(offset));
        }
    }
    assert!(hits > total / 4, "{hits}");
}

#[test]
fn two_capsules_exchanged_are_the_mirror_image() {
    let mut source = Source::new(94);
    let (mut hits, total) = (0, cases(3_000));
    for number in 0..total {
        let case = Case::draw(&mut source, 4, number);
        let Solids::Capsules(a, b) = case.solids else { unreachable!() };
        let hit = case.sweep();
        hits += u64::from(hit.is_some());
        let exchanged =
            Case { solids: Solids::Capsules(b, a), offset: -case.offset, motion: -case.motion, ..case };
        let image = hit.map(|Hit { toi, normal }| Hit { toi, normal: -normal });
        assert_eq!(exchanged.sweep(), image, "{}", case.shown(number));
        assert_eq!(
            overlap_capsule_capsule(-case.offset, &b, &a),
            overlap_capsule_capsule(case.offset, &a, &b)
        );
    }
    assert!(hits > total / 4, "{hits}");
}
