//! First contact of a moving ball and a thin sheet.

use super::{Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX, sphere_plane::crossing_floor};
use crate::{
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Toi},
};

/// The first instant at which a moving ball comes within `gap` of a plane from either side, or `None` if not
/// in this tick.
///
/// The plane is a sheet without thickness: a ball in front hits its front, a ball behind its back. Arguments
/// and formula are those of [`sweep_sphere_plane`](super::sweep_sphere_plane), with the heights counted from
/// the side on which the center starts; the normal points to the sheet from there.
///
/// A ball that touches or cuts the sheet at the start, `|d0| <= radius`, is in contact and hits at once,
/// whichever way it moves; that is the article's rule. If only the gap is used up, it hits at once where it
/// approaches, else not. A center on the sheet counts as on the side from which the motion takes it, or as in
/// front where it slides.
///
/// **Rounding** and **Range**: as [`sweep_sphere_plane`](super::sweep_sphere_plane). **Source**: Gomez,
/// *Simple Intersection Tests for Games* (1999), "A Sphere-Plane Sweep Test".
#[must_use]
pub fn sweep_sphere_plane_two_sided(
    offset: Vec3,
    motion: Vec3,
    radius: Scalar,
    plane: &Plane,
    gap: Scalar,
) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX));
    debug_assert!(radius >= 0 && gap >= 0 && radius + gap <= REACH_MAX);
    let height = plane.height_wide(-offset);
    let normal = toward_sheet(height, motion, plane.normal());
    let length = i128::from(plane.length_up_q32());
    let clearance = |radius: Scalar| (height.abs() << 32) - i128::from(radius.to_bits()) * length;
    if clearance(radius) <= 0 {
        return Some(Hit { toi: Toi::START, normal });
    }
    let toi = crossing_floor(clearance(radius + gap), -normal.dot_wide(motion))?;
    Some(Hit { toi, normal })
}

/// The plane's normal or its opposite: from the side of the center to the sheet.
fn toward_sheet(height: i128, motion: Vec3, normal: Normal) -> Normal {
    let behind = height < 0 || (height == 0 && normal.dot_wide(motion) < 0);
    if behind { normal } else { -normal }
}
