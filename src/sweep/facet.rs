//! First contact with a facet: with its plane where that is met over the facet, else with its triangles.

use super::{Hit, Span, ray_triangle::ray_hits_triangle, span_shapes, sweep_ray_plane, sweep_shapes};
use crate::{
    geom::{Aabb, Vec3},
    num::{Scalar, Toi},
    overlap::{is_clear, lean_of, plane_under, side_of},
    shape::{Facet, Shape},
};

/// The first instant at which a solid (B) comes within `gap` of a facet (A).
///
/// A solid that is wholly on one side of the facet's plane meets nothing before it meets the plane; if it is over the facet then, the hit is the plane's. Else
/// it is the first one of a triangle.
///
/// **Rounding**: down, never late: as the sweep of the solid with a plane, or with a triangle. **Range**: as [`sweep_shapes`].
pub(super) fn sweep_facet(
    facet: &Facet,
    solid: &Shape,
    offset: Vec3,
    motion: Vec3,
    gap: Scalar,
) -> Option<Hit> {
    let side = side_of(facet, solid, offset);
    if let Some(side) = side {
        let plane = Shape::Plane(facet.planes()[side]);
        let hit = sweep_shapes(&plane, solid, offset, motion, gap)?;
        let there = offset + motion.map_raw(|part| hit.toi.of_nearest(part));
        if plane_under(facet, solid, there) == Some(plane) {
            return Some(hit);
        }
    }
    let way = motion.raw().into_iter().fold(0, |sum, part| sum + part.abs());
    if side.is_none() && is_clear(facet, solid, offset, gap + Scalar::from_bits(way)) {
        return None;
    }
    // Of several at one instant the one along which the facet faces most, and then the triangle with the least number: no order of the search counts.
    let mut first: Option<((Toi, i128, u32), Hit)> = None;
    let region = swept(solid, offset, motion)?.pad(gap);
    facet.find_touching(&region, |piece| {
        if let Some(hit) = sweep_shapes(&piece.shape(), solid, offset - piece.place, motion, gap) {
            let key = (hit.toi, -lean_of(facet, hit.normal), piece.number);
            if first.is_none_or(|(least, _)| key < least) {
                first = Some((key, hit));
            }
        }
    });
    first.map(|(_, hit)| hit)
}

/// The box around all of a straight path.
fn swept(solid: &Shape, offset: Vec3, motion: Vec3) -> Option<Aabb> {
    Some(solid.bounds(offset)?.union(solid.bounds(offset + motion)?))
}

/// The part of the tick from the first to the last instant at which a solid (B) is no farther than `gap` from a facet (A); what is between may be farther.
pub(super) fn span_facet(
    facet: &Facet,
    solid: &Shape,
    offset: Vec3,
    motion: Vec3,
    gap: Scalar,
) -> Option<Span> {
    let region = swept(solid, offset, motion)?.pad(gap);
    let mut all: Option<Span> = None;
    facet.find_touching(&region, |piece| {
        if let Some(Span { first, last }) =
            span_shapes(&piece.shape(), solid, offset - piece.place, motion, gap)
        {
            let known = all.unwrap_or(Span { first, last });
            all = Some(Span { first: known.first.min(first), last: known.last.max(last) });
        }
    });
    all
}

/// The first contact of a segment with a facet, from either side; the arguments are those of [`sweep_ray_plane`]. A segment along the plane hits nothing.
pub(crate) fn sweep_ray_facet(offset: Vec3, displacement: Vec3, facet: &Facet) -> Option<Hit> {
    let side = facet.planes().iter().position(|plane| plane.height_wide(-offset) >= 0)?;
    let hit = sweep_ray_plane(offset, displacement, &facet.planes()[side])?;
    let end = displacement - offset;
    let region = Aabb { min: end.min(-offset), max: end.max(-offset) };
    facet.any_near(&region, |piece| ray_hits_triangle(offset, displacement, piece.corners())).then_some(hit)
}
