//! Oriented box against oriented box.

use std::cmp::Ordering;

use super::{
    Hit, MOTION_MAX, OFFSET_MAX,
    certificate::{Certificate, LinearMotion},
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::widest::{Rank, Tied, Widest},
    shape::Obb,
};

/// Number of face normals among the fifteen axes.
const FACES: usize = 6;

/// The first instant at which two oriented boxes come within `gap` of each other, measured along each of the
/// fifteen axes on which boxes can be apart.
///
/// `offset` is the center of `b` minus the center of `a` at the start, `motion` its displacement minus that
/// of `a`. So measured, corners and edges that face each other are as near as their farthest axis says: never
/// more than their true distance. (Boxes whose bounds along the axes of space stay farther apart than `gap`
/// do not hit either.) Boxes that touch or are apart along an axis and do not approach along it do not hit,
/// even within the gap: a box slides on a floor. Boxes that start within the gap on all axes hit at
/// [`Toi::START`] if they approach along the axis of the largest separation. Axes that close at the same
/// instant give the sum of their normals at equal lengths, face normals before crossed edges.
///
/// **Rounding**: down, never late. At the returned instant the largest separation exceeds `gap` by at most 4
/// raw times the speed in units per tick (at least 1), plus 2^-28 of the sum of the gap and the boxes'
/// bounding radii: an axis has 30 bits. A path that passes within as much may be a hit; boxes that start
/// nearer than that and slide may come nearer by as much. **Range**: `motion` and `offset` within
/// [`MOTION_MAX`] and [`OFFSET_MAX`], `gap` and the boxes within [`REACH_MAX`](super::REACH_MAX) and
/// [`SIZE_MAX`](crate::shape::SIZE_MAX), of volume above 0.
///
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "An Oriented Bounding Box (OBB)
/// Intersection Test" for the axes and "An Axis-Aligned Bounding Box (AABB) Sweep Test" for the times per
/// axis, combined by maximum and minimum.
#[must_use]
pub fn sweep_obb_obb(offset: Vec3, motion: Vec3, a: &Obb, b: &Obb, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && gap >= 0);
    let relative = LinearMotion { offset, motion };
    if relative.stays_clear_of(a.half_extent() + b.half_extent() + Vec3::splat(gap)) {
        return None;
    }
    let mut axes = [None; 15];
    for (slot, wide) in axes.iter_mut().zip(all_axes(a, b)) {
        let Some(normal) = Normal::from_wide(wide).map(Normal::lengthened) else { continue };
        let axis = Axis::new(&relative, normal, a.support_wide(normal) + b.support_wide(normal), gap);
        if axis.keeps_apart() {
            return None;
        }
        *slot = Some(axis);
    }
    let entry = Entry::latest(&axes)?;
    let Some(normal) = entry.normal(motion) else { return start_within(&relative, &axes) };
    let left_before = |axis: &Axis| axis.leaves_before(entry.toi);
    let passed = axes.iter().flatten().any(left_before);
    (!passed).then_some(Hit { toi: entry.toi, normal })
}

/// The six face normals, then the nine cross products of edges; exact, some zero.
fn all_axes(a: &Obb, b: &Obb) -> [[i128; 3]; 15] {
    let (a_faces, b_faces) = (a.face_normals_wide(), b.face_normals_wide());
    std::array::from_fn(|i| match i {
        0..3 => a_faces[i],
        3..FACES => b_faces[i - 3],
        _ => a.half_edges[(i - FACES) / 3].cross_wide(b.half_edges[i % 3]),
    })
}

/// One axis, turned so that B is on its positive side at the start.
#[derive(Clone, Copy)]
struct Axis {
    /// The separation without the gap at the start, times the normal's length; exact.
    bare: i128,
    /// The extents of both boxes, times the normal's length; exact.
    extent: i128,
    /// The gap, times the normal's length, with 32 fraction bits, rounded up.
    gap: i128,
    certificate: Certificate,
}

impl Axis {
    fn new(relative: &LinearMotion, normal: Normal, extent: i128, gap: Scalar) -> Self {
        let along = normal.dot_wide(relative.offset);
        let gap = i128::from(gap.to_bits()) * i128::from(normal.length_up_q32());
        let facing = if along < 0 { -normal } else { normal };
        let certificate = Certificate::new(relative, facing, (extent << 32) + gap);
        Self { bare: along.abs() - extent, extent, gap, certificate }
    }

    /// True if the boxes, apart on this axis at the start, do not approach on it.
    const fn keeps_apart(&self) -> bool {
        self.bare >= 0 && self.certificate.closing <= 0
    }

    /// True if B has left A's extent and the gap on this axis before an instant.
    ///
    /// B leaves on the side to which it moves, when it has crossed both halves.
    fn leaves_before(&self, toi: Toi) -> bool {
        let reach = (self.extent << 32) + self.gap;
        let center = self.certificate.start + reach;
        let closing = self.certificate.closing;
        let ahead = if closing > 0 { center + reach } else { reach - center };
        closing != 0 && ahead < closing.abs() * i128::from(toi.raw())
    }
}

/// The last axis on which the boxes come within the gap.
struct Entry {
    toi: Toi,
    rank: Rank,
    tied: Tied,
}

impl Entry {
    /// The last entry over all axes, or `None` if one does not close within the tick. Empty where none is
    /// open.
    fn latest(axes: &[Option<Axis>; 15]) -> Option<Self> {
        let mut latest = Self { toi: Toi::START, rank: Rank::Crossed, tied: Tied::default() };
        for (index, axis) in axes.iter().enumerate() {
            let Some(Axis { certificate, .. }) = axis else { continue };
            if certificate.start > 0 {
                latest.offer(certificate, rank_of(index))?;
            }
        }
        Some(latest)
    }

    /// Compares by a product; only a later axis costs a division. `None` past the end of the tick.
    fn offer(&mut self, axis: &Certificate, rank: Rank) -> Option<()> {
        let order = match axis.at(self.toi) {
            _ if self.tied.first().is_none() => Ordering::Greater,
            left if left < 0 => Ordering::Less,
            left if left < axis.closing => rank.cmp(&self.rank),
            _ => Ordering::Greater,
        };
        if order == Ordering::Greater {
            *self = Self { toi: axis.closed_floor()?, rank, tied: Tied::default() };
        }
        if order != Ordering::Less {
            self.tied.add(axis.normal);
        }
        Some(())
    }

    /// The sum of the tied normals, or the first one where rounding has turned the sum away from
    /// the motion.
    fn normal(&self, motion: Vec3) -> Option<Normal> {
        let approaching = |normal: &Normal| normal.dot_wide(motion) < 0;
        self.tied.sum().filter(approaching).or(self.tied.first())
    }
}

/// Boxes within the gap on every axis.
fn start_within(relative: &LinearMotion, axes: &[Option<Axis>; 15]) -> Option<Hit> {
    let mut widest = Widest::default();
    for (index, axis) in axes.iter().enumerate() {
        let Some(axis) = axis else { continue };
        widest.offer(axis.certificate.normal, relative.offset, axis.extent, rank_of(index));
    }
    let normal = widest.normal()?;
    (normal.dot_wide(relative.motion) < 0).then_some(Hit { toi: Toi::START, normal })
}

/// Face normals come first.
const fn rank_of(index: usize) -> Rank {
    if index < FACES { Rank::Face } else { Rank::Crossed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    #[test]
    fn a_box_leaves_an_axis_when_it_has_crossed_both_extents_and_gaps() {
        // Within the gap along x at first; along y in the middle of the tick.
        let cube = Obb::along_axes(Vec3::splat(lit("1")));
        let hit = |way: &str| {
            let (offset, motion) =
                (Vec3::lit("3", "5", "0"), Vec3::new(way.parse().unwrap(), lit("-4"), lit("0")));
            let hit = sweep_obb_obb(offset, motion, &cube, &cube, lit("1"))?;
            assert_eq!(hit.toi.raw(), 1 << 31, "{way}");
            Some(hit.normal.axis())
        };
        for (way, normal) in [("-2", Some(1)), ("-8", Some(1)), ("-11.5", Some(1)), ("-12.5", None)] {
            assert_eq!(hit(way), normal.map(Some), "{way}");
        }
    }

    #[test]
    fn a_sum_of_normals_that_rounding_turns_off_the_motion_is_not_taken() {
        // In 30 bits half of each small component is left, and rounded up to one: so the sum is square to the first motion.
        let far = 1 << 29;
        let (mut tied, first) = (Tied::default(), Normal::new(far, 1, 0));
        for normal in [first, Normal::new(far, 0, 1), Normal::new(far, 0, 0)] {
            tied.add(normal);
        }
        let sum = tied.sum().unwrap();
        assert_eq!(sum, Normal::new(3 << 28, 1, 1));
        let entry = Entry { toi: Toi::START, rank: Rank::Face, tied };
        let normal = |motion: [i64; 3]| entry.normal(Vec3::from_raw(motion));
        assert_eq!(normal([-1, 3 << 27, 3 << 27]), Some(first));
        assert_eq!(normal([-1, 3 << 27, (3 << 27) - 1]), Some(sum));
    }
}
