//! A ray against a box along the axes.

use std::cmp::Ordering;

use super::{Hit, OFFSET_MAX, ray::ray_inside};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Toi,
        bound::{Bound, Width},
        round::div_floor,
    },
};

pub(crate) const WIDTH: Width = {
    let (way, speed) = (Bound::of(OFFSET_MAX).plus(Bound::of(OFFSET_MAX)), Bound::of(OFFSET_MAX));
    Width { number: "`way * speed` of two slabs", bound: way.times(speed), held_in: 128 }
};
const _: () = WIDTH.check();

/// The first contact of a segment with a box, or `None` if it does not.
///
/// `offset` is the box's center minus the segment's first point, `displacement` the segment's last point minus its
/// first, `half` half the box's extents, in units; A is the ray. The hit's time is the fraction of the
/// segment: the last of the times at which it enters the slab between two faces. A ray is a segment as long
/// as it matters: scale its direction.
///
/// A segment that starts inside the box hits at once, with its own direction for a normal; one that starts on
/// a face hits at once if it goes in. One that slides along a face or an edge does not hit; one that crosses
/// an edge or a corner does, and the normal is the sum of the faces' normals.
///
/// **Rounding**: the time is the exact one, rounded down. **Range**: [`OFFSET_MAX`] for the offset, the way
/// and the half extents, which are not negative. **Source**: Kay and Kajiya, *Ray Tracing Complex Scenes*
/// (1986), section 2 (slabs).
#[must_use]
pub fn sweep_ray_aabb(offset: Vec3, displacement: Vec3, half: Vec3) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX) && half.within(OFFSET_MAX));
    let ([x, y, z], [dx, dy, dz], [hx, hy, hz]) = (offset.raw(), displacement.raw(), half.raw());
    let slabs = [Slab::new(x, dx, hx)?, Slab::new(y, dy, hy)?, Slab::new(z, dz, hz)?];
    if slabs.iter().all(|slab| slab.enter < 0) {
        return ray_inside(displacement);
    }
    let mut last = &slabs[0];
    for slab in &slabs[1..] {
        if compare((slab.enter, slab.speed), (last.enter, last.speed)) == Ordering::Greater {
            last = slab;
        }
    }
    let entry = (last.enter, last.speed);
    if slabs.iter().any(|slab| compare((slab.exit, slab.speed), entry).is_lt()) {
        return None;
    }
    let [nx, ny, nz] = slabs.map(|slab| slab.direction_if(compare((slab.enter, slab.speed), entry).is_eq()));
    let toi = Toi::from_raw(div_floor(last.enter << Toi::BITS, last.speed) as u64)?;
    Some(Hit { toi, normal: Normal::new(nx, ny, nz) })
}

/// One axis, mirrored so that the ray does not run against it.
#[derive(Clone, Copy)]
struct Slab {
    /// The way to the nearer face; negative behind it. Time is way over speed.
    enter: i128,
    /// The way to the farther face.
    exit: i128,
    /// Displacement of the ray along the axis; not negative.
    speed: i128,
    /// The sign of the ray's direction.
    direction: i32,
}

impl Slab {
    /// `None` if this axis alone keeps the ray outside.
    fn new(offset: i64, displacement: i64, half: i64) -> Option<Self> {
        let direction = if displacement < 0 { -1 } else { 1 };
        let (offset, half) = (i128::from(offset) * i128::from(direction), i128::from(half));
        let (enter, exit, speed) = (offset - half, offset + half, i128::from(displacement).abs());
        let outside = if speed == 0 { enter >= 0 || exit <= 0 } else { exit <= 0 || enter > speed };
        if outside { None } else { Some(Self { enter, exit, speed, direction }) }
    }

    const fn direction_if(self, takes_part: bool) -> i32 {
        if takes_part { self.direction } else { 0 }
    }
}

/// Compares the fractions `displacement / speed`; a speed of zero makes them infinite, of the way's sign.
///
/// Below 2^118: ways are below 2^60, speeds below 2^58.
fn compare(a: (i128, i128), b: (i128, i128)) -> Ordering {
    (a.0 * b.1).cmp(&(b.0 * a.1))
}
