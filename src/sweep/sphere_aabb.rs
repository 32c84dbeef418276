//! A sphere and a box along the axes: first contact.

use super::{
    Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX,
    aabb_aabb::{axes_toward, farthest_axes},
    approach::Approach,
    approaching::{approaching_normal, speed_along},
    ratio::Ratio,
    window::window,
};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Scalar, Toi,
        bound::{Bound, Width},
    },
    overlap::closest_point_aabb,
};

pub(crate) const WIDTH: Width = {
    // What is farther away than this on an axis is out of reach, or moves there without a change of side.
    let (excess, motion) = (Bound::power(48), Bound::of(MOTION_MAX));
    let speed = motion.dot(motion).shifted(Toi::BITS);
    Width {
        number: "`excess . motion * 2^32` beside a box",
        bound: excess.dot(motion).shifted(Toi::BITS).plus(speed),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

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
    let toi = first_root(axes, reach.to_bits(), entry)?;
    Some(Hit { toi, normal: normal_at(offset, motion, half, toi.raw())? })
}

/// The normal of a pair that starts within the gap.
fn start_normal(offset: Vec3, half: Vec3, to_box: Vec3) -> Normal {
    Normal::from_vector(to_box).unwrap_or_else(|| axes_toward(offset, farthest_axes(offset, half)))
}

/// The normal of a first contact, or `None` where the distance rises at that instant. It is convex, so it
/// never fell to the target, and the root comes from rounding.
fn normal_at(offset: Vec3, motion: Vec3, half: Vec3, instant: u64) -> Option<Normal> {
    let center = center_q32(offset, motion, instant);
    let to_box = to_box_q32(center, half);
    match speed_along(to_box, motion) {
        ..0 => approaching_normal(to_box, motion),
        0 if to_box == [0; 3] => entered_faces(center, motion, half),
        // A graze that only touches, square to the motion: it approached just before.
        0 => {
            let before = center_q32(offset, motion, instant.checked_sub(1)?);
            approaching_normal(to_box_q32(before, half), motion)
        }
        1.. => None,
    }
}

/// The vector from the sphere's center to the box's at an instant, times 2^32; exact.
fn center_q32(offset: Vec3, motion: Vec3, instant: u64) -> [i128; 3] {
    let (offset, motion) = (offset.raw().map(i128::from), motion.raw().map(i128::from));
    [0, 1, 2].map(|axis| (offset[axis] << Toi::BITS) + motion[axis] * i128::from(instant))
}

/// The vector from the sphere's center to the box's closest point, given the box's center; times 2^32, exact.
fn to_box_q32(center: [i128; 3], half: Vec3) -> [i128; 3] {
    let half = half.raw().map(|half| i128::from(half) << Toi::BITS);
    [0, 1, 2].map(|axis| center[axis] + (-center[axis]).clamp(-half[axis], half[axis]))
}

/// The sum of the normals of the faces through which a point on the surface goes in.
fn entered_faces(center: [i128; 3], motion: Vec3, half: Vec3) -> Option<Normal> {
    let (motion, half) = (motion.raw(), half.raw());
    let [x, y, z] = [0, 1, 2].map(|axis| {
        let side = -motion[axis].signum(); // the box comes from where it does not go
        let is_on_face = center[axis] == i128::from(side * half[axis]) << Toi::BITS;
        if is_on_face { side as i32 } else { 0 }
    });
    let normal = Normal::new(x, y, z);
    normal.is_valid().then_some(normal)
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

/// The side of the box's extent on which a coordinate is.
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

    /// Signed distance of the coordinate outside the extent at the start, extrapolated from its present
    /// motion; `None` where it is within.
    const fn excess(&self) -> Option<i64> {
        match self.side {
            Side::Before => Some(self.position + self.half),
            Side::Within => None,
            Side::After => Some(self.position - self.half),
        }
    }

    /// The instant at which the coordinate comes to its next side.
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

/// The first instant at which the distance from the box is `reach`, rounded down; at the start the
/// distance is larger. No root is before `entry`.
fn first_root(mut axes: [Axis; 3], reach: i64, entry: Ratio) -> Option<Toi> {
    let mut start = Toi::START;
    loop {
        let next = (0..3).filter_map(|axis| axes[axis].change().map(|at| (at, axis))).min();
        if next.is_none_or(|(at, _)| at >= entry) {
            let piece = Piece::new(&axes, reach);
            if !piece.falls_from(start) {
                return None;
            }
            // A root past the piece's end belongs to another piece. One before its start is rounded.
            let root = piece.root_floor();
            let is_here = |toi: &Toi| next.is_none_or(|(at, _)| at.is_at_or_after(*toi));
            if let Some(toi) = root.filter(is_here) {
                return Some(toi.max(start));
            }
        }
        let (at, axis) = next.filter(|&(at, _)| at <= Ratio::END)?;
        axes[axis].advance();
        start = at.toi_floor()?;
    }
}

/// The distance from the box while no coordinate changes its side: the length of a vector that
/// moves in a line, against the reach.
struct Piece {
    excess: Vec3,
    motion: Vec3,
    reach: i64,
    /// The fraction of the motion at which a single axis that is outside is `reach` away.
    face: Option<Ratio>,
}

impl Piece {
    /// **Range**: excess below 2^48 raw and motion at most 2^45 raw on each axis.
    fn new(axes: &[Axis; 3], reach: i64) -> Self {
        let excess = Vec3::from_raw(axes.map(|axis| axis.excess().unwrap_or(0)));
        let motion = Vec3::from_raw(axes.map(|axis| axis.excess().map_or(0, |_| axis.motion)));
        let mut outside = axes.iter().filter_map(|axis| Some((axis.excess()?, axis.motion)));
        let face = match (outside.next(), outside.next()) {
            (Some((excess, motion)), None) => Some(Ratio { top: -excess - reach, bottom: motion }),
            _ => None,
        };
        Self { excess, motion, reach, face }
    }

    /// True if the distance can still fall to the reach, given that it is above it where the piece begins.
    ///
    /// It is convex: if it does not fall there, it never will again. An instant just before, rounded down,
    /// serves: a distance that falls after it falls at it. The extended piece is within the reach at the
    /// start of the tick only if it has risen since.
    fn falls_from(&self, start: Toi) -> bool {
        let speed_q32 = self.motion.dot_wide(self.motion) * i128::from(start.raw()); // below 2^124
        (self.excess.dot_wide(self.motion) << Toi::BITS) + speed_q32 < 0
    }

    /// Needs [`falls_from`](Self::falls_from): a face alone is then ahead, and in motion.
    fn root_floor(&self) -> Option<Toi> {
        if let Some(instant) = self.face {
            return instant.toi_floor();
        }
        let approach = Approach::new(self.excess, self.motion, self.reach);
        if approach.starts_within() { None } else { approach.first_floor() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    /// A vector with its components moved on by some axes.
    fn turned(vector: Vec3, axes: usize) -> Vec3 {
        let mut raw = vector.raw();
        raw.rotate_right(axes);
        Vec3::from_raw(raw)
    }

    #[test]
    fn a_ball_that_touches_a_corner_and_goes_on_hits_at_once() {
        let half = Vec3::lit("1", "1", "1");
        for axes in 0..3 {
            let hit = |radius: &str| {
                let (offset, motion) = (Vec3::lit("4", "5", "0"), Vec3::lit("-1", "-1", "0"));
                let (offset, motion) = (turned(offset, axes), turned(motion, axes));
                sweep_sphere_aabb(offset, motion, radius.parse().unwrap(), half, Scalar::ZERO)
            };
            let normal = Normal::from_vector(turned(Vec3::lit("3", "4", "0"), axes)).unwrap();
            assert_eq!(hit("5"), Some(Hit { toi: Toi::START, normal }), "{axes}");
            assert!(hit("4.9").is_some_and(|hit| hit.toi > Toi::START), "{axes}");
        }
    }

    #[test]
    fn a_ball_level_with_the_border_of_a_face_meets_the_face() {
        // Odd lengths: the squares of them would be rounded.
        let half = Vec3::splat(lit("1"));
        for (axes, level) in [(0, 1), (1, 1), (2, 1), (0, -1), (1, -1), (2, -1)] {
            for odd in 0..64 {
                let (radius, speed) = ((1 << 32) + 2 * odd + 1, (1 << 40) + 2 * odd);
                let along = |x: i64, y: i64| turned(Vec3::from_raw([x, y << 32, 0]), axes);
                let offset = along((1 << 32) + radius + speed / 2, level);
                let radius = Scalar::from_bits(radius);
                let hit = sweep_sphere_aabb(offset, along(-speed, 0), radius, half, Scalar::ZERO).unwrap();
                assert_eq!(hit.toi.raw(), 1 << 31, "{axes} {level} {odd}");
            }
        }
    }

    #[test]
    fn a_ball_that_stays_level_with_one_border_passes_another() {
        // The center is level with a face along x, passes the border of one along y, and meets the face across z at five eighths.
        let half = Vec3::splat(lit("1"));
        for axes in 0..3 {
            for level in ["-1", "1"] {
                let offset = turned(Vec3::new(level.parse().unwrap(), lit("1.25"), lit("4")), axes);
                let motion = turned(Vec3::lit("0", "-1", "-4"), axes);
                let hit = sweep_sphere_aabb(offset, motion, lit("0.5"), half, Scalar::ZERO).unwrap();
                assert_eq!(hit.toi.raw(), 5 << 29, "{axes} {level}");
                assert_eq!(hit.normal.axis(), Some((2 + axes) % 3), "{axes} {level}");
            }
        }
    }
}
