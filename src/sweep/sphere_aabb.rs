//! A sphere and a box along the axes: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX,
    aabb_aabb::{axes_toward, farthest_axes},
    approaching::{approaching_normal, speed_along},
    ratio::Ratio,
    root::first_root_q32_floor,
    window::window,
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::closest_point_aabb,
};

/// The first time at which a moving sphere and a box along the axes are `gap` apart, or `None`.
///
/// `offset` is the box's center minus the sphere's at the start, `motion` the box's displacement
/// minus the sphere's over the tick, `half` the box's half extents; all in units. The normal points
/// from the sphere's center to the box's closest point. A pair that starts nearer than `gap` hits
/// at the start if it approaches along that normal, as rounded. Where the center starts inside the
/// box, which only bad input does, the normal is that of the nearest face, or the sum of those that
/// tie; at the very middle there is none, and no hit.
///
/// The squared distance of the center from the box is convex and piecewise quadratic in time, with
/// at most seven pieces; the first root of the first piece that has one is the answer. Toward a face
/// the root is linear and exact.
///
/// **Rounding**: the time down. At it the two are no more than `40 max(1, |motion|)` raw farther
/// apart than `gap`, grazing included. A graze whose true distance stays above `gap` by less than
/// that may be a hit. **Range**: [`OFFSET_MAX`], [`MOTION_MAX`], [`REACH_MAX`] for
/// `half + radius + gap`.
///
/// **Source**: Arvo, *A Simple Method for Box-Sphere Intersection Testing*, Graphics Gems (1990),
/// for the distance; the sweep is derived in `docs/numerics.md`.
#[must_use]
pub fn sweep_sphere_aabb(offset: Vec3, motion: Vec3, radius: Scalar, half: Vec3, gap: Scalar) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX) && radius >= 0 && gap >= 0);
    debug_assert!((half + Vec3::splat(radius + gap)).within(REACH_MAX));
    let reach = radius + gap;
    let entry = window(offset, motion, half + Vec3::splat(reach))?.first;
    if entry <= Ratio::START {
        let to_box = closest_point_aabb(-offset, half) + offset;
        let reach = i128::from(reach.to_bits());
        if to_box.length_squared_wide() <= (reach * reach).unsigned_abs() {
            let normal = start_normal(offset, half, to_box);
            return (normal.dot_wide(motion) < 0).then_some(Hit { toi: Toi::START, normal });
        }
    }
    let axes = [0, 1, 2].map(|i| Axis::new(offset.raw()[i], motion.raw()[i], half.raw()[i]));
    let toi_q32 = first_root(axes, reach.to_bits(), entry)?;
    let normal = normal_at(offset, motion, half, toi_q32)?;
    Some(Hit { toi: Toi::from_raw(toi_q32)?, normal })
}

/// The normal of a pair that starts within the gap.
fn start_normal(offset: Vec3, half: Vec3, to_box: Vec3) -> Normal {
    Normal::from_vector(to_box).unwrap_or_else(|| axes_toward(offset, farthest_axes(offset, half)))
}

/// The normal of a first contact, or `None` where the distance rises by then: it is convex, so it
/// never fell to the target, and the root is one of rounding.
///
/// At the very instant the way to the box may vanish (radius 0) or be square to the motion (a graze
/// that touches): then the instant before decides.
fn normal_at(offset: Vec3, motion: Vec3, half: Vec3, instant: u64) -> Option<Normal> {
    let to_box = to_box_q32(offset, motion, half, instant);
    match speed_along(to_box, motion) {
        ..0 => approaching_normal(to_box, motion),
        0 => approaching_normal(to_box_q32(offset, motion, half, instant.checked_sub(1)?), motion),
        1.. => None,
    }
}

/// From the sphere's center to the box's closest point at an instant, times 2^32; exact.
fn to_box_q32(offset: Vec3, motion: Vec3, half: Vec3, instant: u64) -> [i128; 3] {
    let (offset, motion, half) = (offset.raw(), motion.raw(), half.raw());
    [0, 1, 2].map(|axis| {
        let box_center = (i128::from(offset[axis]) << 32) + i128::from(motion[axis]) * i128::from(instant);
        let half = i128::from(half[axis]) << 32;
        box_center + (-box_center).clamp(-half, half)
    })
}

/// The sphere's center against the box on one axis, mirrored so that the center's motion is not
/// negative.
#[derive(Clone, Copy)]
struct Axis {
    position: i64,
    motion: i64,
    half: i64,
    side: Side,
}

/// Where a coordinate is against the box's extent.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Within,
    After,
}

impl Axis {
    fn new(offset: i64, motion: i64, half: i64) -> Self {
        let position = if motion > 0 { offset } else { -offset };
        let side = match position {
            p if p < -half => Side::Before,
            p if p <= half => Side::Within,
            _ => Side::After,
        };
        Self { position, motion: motion.abs(), half, side }
    }

    /// How far the coordinate was outside of the extent at the start, signed, if it moved as it does
    /// now; `None` where it is within.
    const fn excess(&self) -> Option<i64> {
        match self.side {
            Side::Before => Some(self.position + self.half),
            Side::Within => None,
            Side::After => Some(self.position - self.half),
        }
    }

    /// When the coordinate comes to its next side.
    const fn change(&self) -> Option<Ratio> {
        let top = match self.side {
            _ if self.motion == 0 => return None,
            Side::Before => -self.half - self.position,
            Side::Within => self.half - self.position,
            Side::After => return None,
        };
        Some(Ratio { top, bottom: self.motion })
    }

    const fn advance(&mut self) {
        self.side = match self.side {
            Side::Before => Side::Within,
            Side::Within | Side::After => Side::After,
        };
    }
}

/// The first instant at which the distance from the box is `reach`, in units of 2^-32, rounded down;
/// at the start the distance is larger. No root is before `entry`.
fn first_root(mut axes: [Axis; 3], reach: i64, entry: Ratio) -> Option<u64> {
    let mut start = 0;
    loop {
        let next = (0..3).filter_map(|axis| axes[axis].change().map(|at| (at, axis))).min();
        if next.is_none_or(|(at, _)| at >= entry) {
            let piece = Piece::new(&axes, reach);
            if !piece.falls() {
                return None;
            }
            // A root past the piece's end belongs to another piece. One before its start is rounded.
            let root = piece.root_q32_floor();
            if let Some(root) = root.filter(|&root| next.is_none_or(|(at, _)| at.is_at_or_after_q32(root))) {
                return Some(root.max(start));
            }
        }
        let (at, axis) = next.filter(|&(at, _)| at <= Ratio::END)?;
        axes[axis].advance();
        start = at.q32_floor() as u64;
    }
}

/// `a t^2 - 2 b t + c`: the squared distance from the box minus the squared reach, while no
/// coordinate changes its side.
struct Piece {
    a: i128,
    b: i128,
    c: i128,
    /// Where a single axis is outside, the instant at which it is `reach` away.
    face: Option<Ratio>,
}

impl Piece {
    /// **Range**: excess below 2^49 and motion below 2^46 raw: no coefficient exceeds 2^100.
    fn new(axes: &[Axis; 3], reach: i64) -> Self {
        let mut piece = Self { a: 0, b: 0, c: -i128::from(reach) * i128::from(reach), face: None };
        let mut outside = 0;
        for axis in axes {
            let Some(excess) = axis.excess() else { continue };
            let (excess_wide, motion) = (i128::from(excess), i128::from(axis.motion));
            piece.a += motion * motion;
            piece.b -= excess_wide * motion;
            piece.c += excess_wide * excess_wide;
            outside += 1;
            piece.face = (outside == 1).then_some(Ratio { top: -excess - reach, bottom: axis.motion });
        }
        piece
    }

    /// Whether the distance can still fall to the reach, given that it is above it where the piece
    /// begins: it is convex, so it must fall there, and the piece's polynomial must have been above
    /// zero at the start of the tick.
    const fn falls(&self) -> bool {
        self.b > 0 && self.c > 0
    }

    fn root_q32_floor(&self) -> Option<u64> {
        match self.face {
            Some(instant) => u64::try_from(instant.q32_floor()).ok().filter(|&root| root <= Toi::END.raw()),
            None => first_root_q32_floor(self.a, self.b, self.c),
        }
    }
}
