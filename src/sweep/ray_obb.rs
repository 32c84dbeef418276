//! A ray against an oriented box.

use std::cmp::Ordering;

use super::{Hit, OFFSET_MAX, approaching::normal_against, ray::ray_inside};
use crate::{
    geom::{Normal, Vec3},
    num::{
        Toi, Wide,
        bound::{Bound, Width},
    },
    overlap::widest::Tied,
    shape::{Obb, SIZE_MAX},
};

/// The way to a face, times the length of its normal.
const WAY: Bound = {
    let (edge, offset) = (Bound::of(SIZE_MAX), Bound::of(OFFSET_MAX));
    let face = edge.cross(edge);
    face.dot(offset).plus(face.dot(edge))
};
pub(crate) const WIDTH: Width =
    Width { number: "`way * 2^32` to a face", bound: WAY.shifted(Toi::BITS), held_in: 192 };
pub(crate) const PRODUCT_WIDTH: Width =
    Width { number: "`way * speed` of two slabs of an oriented box", bound: WAY.times(WAY), held_in: 320 };
const _: () = WIDTH.check();
const _: () = PRODUCT_WIDTH.check();

/// The first contact of a segment with an oriented box, or `None` if it does not.
///
/// `offset` is the box's center minus the segment's first point, `displacement` the segment's last point minus its
/// first, in units; A is the ray. The hit's time is the fraction of the segment: the last of the times at
/// which it enters the slab between two faces. A ray is a segment as long as it matters: scale its direction.
///
/// A segment that starts inside the box hits at once, with its own direction for a normal; one that starts on
/// a face hits at once if it goes in. One that slides along a face or an edge does not hit; one that crosses
/// an edge or a corner does, and the normal is the sum of the faces' normals at equal lengths.
///
/// **Rounding**: the time is the exact one, rounded down; the normal to 30 bits, or to whatever near that the
/// ray still goes against. **Range**: [`OFFSET_MAX`] for the offset and the way, boxes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX), of volume above 0: ways are below 2^149, taken in 192 bits, and
/// their products below 2^298, in 320. **Source**: Kay and Kajiya, *Ray Tracing Complex Scenes* (1986),
/// section 2 (slabs).
#[must_use]
pub fn sweep_ray_obb(offset: Vec3, displacement: Vec3, obb: &Obb) -> Option<Hit> {
    debug_assert!(offset.within(OFFSET_MAX) && displacement.within(OFFSET_MAX));
    let faces = obb.face_normals_wide();
    let volume = dot(faces[0], obb.half_edges[0]).abs();
    let mut slabs = [Slab { enter: Wide::ZERO, exit: Wide::ZERO, speed: Wide::ZERO, against: faces[0] }; 3];
    for (slab, face) in slabs.iter_mut().zip(faces) {
        *slab = Slab::new(offset, displacement, face, volume)?;
    }
    if slabs.iter().all(|slab| slab.enter.is_negative()) {
        return ray_inside(displacement);
    }
    let last =
        slabs.iter().reduce(|last, slab| if slab.entry().is_after(last.entry()) { slab } else { last })?;
    let entry = last.entry();
    if slabs.iter().any(|slab| entry.is_after(Share { displacement: slab.exit, speed: slab.speed })) {
        return None;
    }
    let mut tied = Tied::default();
    for slab in slabs.iter().filter(|slab| !entry.is_after(slab.entry())) {
        tied.add(normal_against(slab.against, -displacement)?);
    }
    let approaching = |normal: &Normal| normal.dot_wide(displacement) > 0;
    let normal = tied.sum().filter(approaching).or(tied.first())?;
    Some(Hit { toi: entry.floor(), normal })
}

/// The slab between two faces, mirrored so that the ray does not run against it.
#[derive(Clone, Copy)]
struct Slab {
    /// The way to the nearer face, times the face normal's length; negative behind it.
    enter: Wide<3>,
    /// The way to the farther face.
    exit: Wide<3>,
    /// Displacement of the ray across the slab; not negative.
    speed: Wide<3>,
    /// The face normal, from the ray into the box.
    against: [i128; 3],
}

impl Slab {
    /// `None` if this slab alone keeps the ray outside.
    fn new(offset: Vec3, displacement: Vec3, face: [i128; 3], volume: Wide<3>) -> Option<Self> {
        let speed = dot(face, displacement);
        let against = if speed.is_negative() { face.map(|c| -c) } else { face };
        let (offset, speed) = (dot(against, offset), speed.abs());
        let (enter, exit) = (offset - volume, offset + volume);
        let leaves = exit <= Wide::ZERO;
        let outside = if speed == Wide::ZERO { enter >= Wide::ZERO } else { enter > speed };
        if leaves || outside { None } else { Some(Self { enter, exit, speed, against }) }
    }

    const fn entry(&self) -> Share {
        Share { displacement: self.enter, speed: self.speed }
    }
}

/// The fraction `displacement / speed`; a speed of zero makes it infinite, of the way's sign.
#[derive(Clone, Copy)]
struct Share {
    displacement: Wide<3>,
    speed: Wide<3>,
}

impl Share {
    fn is_after(self, other: Self) -> bool {
        let product = |a: Wide<3>, b: Wide<3>| a.widen::<5>() * b.widen::<5>();
        product(self.displacement, other.speed).cmp(&product(other.displacement, self.speed))
            == Ordering::Greater
    }

    /// The instant, rounded down, for a fraction in `0..=1`: the greatest `t` with
    /// `t * speed <= displacement * 2^32`, one bit at a time.
    fn floor(self) -> Toi {
        let displacement = self.displacement * Wide::from(1 << Toi::BITS);
        let reached = |raw: u64| self.speed * Wide::from(i128::from(raw)) <= displacement;
        let raw = (0..=Toi::BITS)
            .rev()
            .map(|bit| 1 << bit)
            .fold(0, |raw, step| if reached(raw + step) { raw + step } else { raw });
        Toi::from_raw(raw).unwrap_or(Toi::END)
    }
}

/// `face . vector`, exact: below 2^149.
fn dot(face: [i128; 3], vector: Vec3) -> Wide<3> {
    let [x, y, z] = vector.raw().map(|c| Wide::<3>::from(i128::from(c)));
    let [nx, ny, nz] = face.map(Wide::<3>::from);
    x * nx + y * ny + z * nz
}
