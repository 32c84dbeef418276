//! A facet and a solid: its plane is asked where the solid is over it, its triangles elsewhere.
//!
//! A solid that is wholly on one side of the plane and whose nearest corner, edge or face is over a triangle is to the facet as it is to the
//! half-space behind the plane: no triangle matters then, and nothing that is asked depends on how the facet is cut into triangles. All others are
//! asked of each triangle near the solid.

mod beside;
#[cfg(test)]
mod beside_tests;
mod front;
mod nearest;
mod over;
#[cfg(test)]
mod tests;

use self::beside::{Placed, is_apart, is_as_wide, is_behind_face, is_off};
use self::nearest::{least, nearest, nearest_few, nearest_piece};
pub(crate) use self::over::{holds_in_sight, meets_in_sight};
pub(crate) use self::{front::is_in_front, nearest::lean_of};
use super::{
    convex_convex::overlap_convex_triangle,
    distance_convex_convex_ceil, overlap_convex_plane,
    reach::{Separation, against_plane, extent, reach_of_plane},
};
use crate::{
    geom::{Aabb, Normal, Vec3},
    num::Scalar,
    shape::{Convex, Facet, Piece, Shape},
};

/// The part of a size, 2^-24, by which a gap along a normal of 30 bits may be off, and more.
const ROUNDING_SHIFT: u32 = 24;

/// The side of a facet's plane on which a solid is: 0 in front, 1 behind. A solid that has a point of the facet in its inside is where its
/// origin is; `None` for one that has the plane in its inside beside the facet; exact.
///
/// `offset` is the solid's origin minus the facet's, here and everywhere in this module.
pub(crate) fn side_of(facet: &Facet, solid: &Shape, offset: Vec3) -> Option<usize> {
    let (room, bounds) = (&mut [Vec3::ZERO; 8], solid.bounds(offset)?);
    let convex = solid.as_convex(room)?;
    wholly_on(facet, &convex, offset).or_else(|| {
        let origin = || usize::from(facet.planes()[0].height_wide(offset) < 0);
        overlaps_any(facet, &Placed { shape: solid, convex, offset }, &bounds).then(origin)
    })
}

fn wholly_on(facet: &Facet, solid: &Convex<'_>, offset: Vec3) -> Option<usize> {
    facet.planes().iter().position(|plane| !overlap_convex_plane(-offset, solid, plane))
}

fn overlaps_any(facet: &Facet, solid: &Placed<'_>, bounds: &Aabb) -> bool {
    let (plane, offset) = (&facet.planes()[0], solid.offset);
    let toward = if plane.height_wide(offset) < 0 { -plane.normal() } else { plane.normal() };
    let meets = |piece: &Piece| {
        !is_apart(facet, piece, solid, Scalar::ZERO)
            && overlap_convex_triangle(offset - piece.place, &piece.as_convex(), &solid.convex, toward)
    };
    facet.any_near(bounds, meets)
}

/// The half-space for which a facet stands: that of the side on which a solid is, if it is over the facet.
pub(crate) fn plane_under(facet: &Facet, solid: &Shape, offset: Vec3) -> Option<Shape> {
    let side = side_of(facet, solid, offset)?;
    over::is_over(facet, side, solid, offset).then(|| Shape::Plane(facet.planes()[side]))
}

/// True if a solid has a point of a facet in its inside; exact. No half-space has.
pub(crate) fn overlap_facet(facet: &Facet, solid: &Shape, offset: Vec3) -> bool {
    let (room, bounds) = (&mut [Vec3::ZERO; 8], solid.bounds(offset));
    let (Some(convex), Some(bounds)) = (solid.as_convex(room), bounds) else { return false };
    wholly_on(facet, &convex, offset).is_none()
        && overlaps_any(facet, &Placed { shape: solid, convex, offset }, &bounds)
}

/// True if a facet is proved to be farther from a solid than a distance, and the plane between the two, but for one before a valley, to leave a gap of more; false
/// proves nothing. A plane before a valley bounds what is farther, too, and needs no contact so far away.
///
/// That is the facet's own plane, with a gap as large as the solid is above it, where it is over the facet, or beside an open edge by no more than it is above; else
/// the gap is the distance from the nearest triangle. So far above the plane all of these are more. So far aside the solid is not over the facet, and
/// if it is beside an open edge by no more than it is above, it is above by as much. All are up to the rounding of normals, which grows with sizes.
pub(crate) fn is_beyond(facet: &Facet, solid: &Shape, offset: Vec3, distance: Scalar) -> bool {
    let room = &mut [Vec3::ZERO; 8];
    let Some(convex) = solid.as_convex(room) else { return false };
    let distance = distance + rounding(facet, solid);
    is_off(facet, &Placed { shape: solid, convex, offset }, distance)
}

/// True if all triangles of a facet are proved to be farther than a distance from a solid; false proves nothing.
pub(crate) fn is_clear(facet: &Facet, solid: &Shape, offset: Vec3, distance: Scalar) -> bool {
    let room = &mut [Vec3::ZERO; 8];
    let Some(convex) = solid.as_convex(room) else { return false };
    let distance = distance + rounding(facet, solid);
    let placed = Placed { shape: solid, convex, offset };
    is_off(facet, &placed, distance)
        || facet.only_piece().is_some_and(|piece| is_behind_face(piece, &placed, distance))
}

/// The distance by which a gap along a rounded normal may be off, and more.
fn rounding(facet: &Facet, solid: &Shape) -> Scalar {
    let size = facet.half_extent() + solid.half_extent().unwrap_or_default();
    let most = size.raw().into_iter().fold(0, |most, part| most | part);
    Scalar::from_bits((most >> ROUNDING_SHIFT) + 64)
}

/// The distance of a bounded solid from the nearest triangle of a facet, rounded up.
pub(crate) fn distance_pieces_ceil(facet: &Facet, solid: &Shape, offset: Vec3) -> Option<Scalar> {
    let (room, bounds) = (&mut [Vec3::ZERO; 8], solid.bounds(offset)?);
    let solid = solid.as_convex(room)?;
    let of = |piece: &Piece| {
        (distance_convex_convex_ceil(offset - piece.place, &piece.as_convex(), &solid).to_bits(), ())
    };
    least(facet, &bounds, of, |()| ()).map(|(distance, ..)| Scalar::from_bits(distance))
}

/// The plane between a facet and a solid: its own where the solid is over it, beside an open edge by no more than it is above its plane, or in the valley before
/// it; else that of the nearest triangle, or of the one that is deepest in the solid.
///
/// At a closed edge there is another face that is touched before. In front of both is a valley, which the two half-spaces bound; elsewhere (over a floor, at the top of a
/// wall below it) the half-space would stop what slides over the other face.
pub(crate) fn separation_facet(facet: &Facet, solid: &Shape, offset: Vec3) -> Option<Separation> {
    let side = side_of(facet, solid, offset);
    let plane = |side: usize| against_plane(&facet.planes()[side], solid);
    if let Some(side) = side.filter(|&side| over::is_over(facet, side, solid, offset)) {
        return plane(side);
    }
    let near = nearest(facet, solid, offset)?;
    let Some(found) = near.separation else {
        // The very middle of a ball may lie on a triangle.
        return plane(side.unwrap_or_else(|| usize::from(facet.planes()[0].height_wide(offset) < 0)));
    };
    let Some((side, over)) = side.and_then(|side| Some((side, plane(side)?))) else { return Some(found) };
    // What overlaps the facet leaves it to the side of its origin, and never through it.
    let takes_plane = if faces_away(found.normal, over.normal) {
        true
    } else if near.piece.is_closed_toward(found.normal, side) {
        is_before_valley(facet, near.piece, &found, (solid, offset))
    } else {
        is_level(&over, &found, solid, offset)
    };
    Some(if takes_plane { over } else { found })
}

/// True if the angle between two normals is more than a right one.
fn faces_away(a: Normal, b: Normal) -> bool {
    a.dot_wide(Vec3::from_raw(b.components().map(i64::from))) < 0
}

/// True if a solid is not over a facet but in the valley before it, where the plane between the two is the facet's own.
pub(crate) fn is_in_valley(facet: &Facet, solid: &Shape, offset: Vec3) -> bool {
    let (side, near) = (side_of(facet, solid, offset), nearest(facet, solid, offset));
    let (Some(side), Some((piece, found))) =
        (side, near.and_then(|near| Some((near.piece, near.separation?))))
    else {
        return false;
    };
    piece.is_closed_toward(found.normal, side) && is_before_valley(facet, piece, &found, (solid, offset))
}

/// True if a solid is wholly in front of the faces beyond the edge or corner of a facet that is nearest to it: then it is in a valley between these and the facet, and
/// both half-spaces bound it. Otherwise the facet's own half-space could hold what is beyond the end of the other face.
fn is_before_valley(
    facet: &Facet,
    piece: &Piece,
    found: &Separation,
    (solid, offset): (&Shape, Vec3),
) -> bool {
    let room = &mut [Vec3::ZERO; 8];
    let Some(convex) = solid.as_convex(room) else { return false };
    facet.is_before_valley(piece, found.normal, |beyond, point| {
        let gap = beyond.dot_wide(offset + convex.farthest(-beyond) - point);
        is_as_wide(gap, beyond, convex.radius())
    })
}

/// True if a solid is beside a facet by no more than it is above its plane, as a box is that is nearer to the side of another one than to its top: its ball or
/// rod counts by its middle. So a body that slides onto a facet does not run against its edge.
fn is_level(over: &Separation, nearest: &Separation, solid: &Shape, offset: Vec3) -> bool {
    let gap = |of: &Separation| (of.normal.dot_wide(offset) - of.reach) >> Normal::BITS;
    let radius = solid.as_convex(&mut [Vec3::ZERO; 8]).map_or(0, |solid| solid.radius().to_bits());
    let (height, distance) = (gap(over), gap(nearest) + i128::from(radius));
    let up = over.normal.components().map(i64::from);
    let cosine = nearest.normal.dot_wide(Vec3::from_raw(up)) >> Normal::BITS;
    let square = (1_i128 << (2 * Normal::BITS)) - cosine * cosine;
    height >= 0
        && ((distance * distance) >> Normal::BITS) * (square.max(0) >> Normal::BITS) <= height * height
}

/// The reach of both along a normal from a facet to a solid: of its plane's normal that of the plane, else that of the triangle nearest to the solid.
pub(crate) fn reach_of_facet(facet: &Facet, solid: &Shape, offset: Vec3, normal: Normal) -> Option<i128> {
    if let Some(plane) = facet.planes().iter().find(|plane| plane.normal().unit_q30() == Some(normal)) {
        return reach_of_plane(plane, solid, normal);
    }
    let piece = nearest_piece(facet, solid, offset)?;
    Some(extent(&piece.shape(), normal)? + normal.dot_wide(piece.place) + extent(solid, -normal)?)
}

/// The triangle of a facet that is nearest to a point, relative to the facet's origin.
pub(crate) fn piece_nearest_to(facet: &Facet, point: Vec3) -> Option<&Piece> {
    let of = |piece: &Piece| {
        (distance_convex_convex_ceil(piece.place - point, &Convex::POINT, &piece.as_convex()).to_bits(), ())
    };
    least(facet, &Aabb { min: point, max: point }, of, |()| ()).map(|(.., piece)| piece)
}

/// The triangles of a facet near a solid that are seen, or else those that are farther from it than the nearest one by no more than a band. There is one at least.
pub(crate) fn pieces_seen<'a>(
    facet: &'a Facet,
    (solid, offset): (&Shape, Vec3),
    band: Scalar,
    is_seen: impl Fn(&Piece) -> bool,
) -> Vec<&'a Piece> {
    let Some(bounds) = solid.bounds(offset) else { return Vec::new() };
    let region = bounds.pad(solid.bounding_radius().unwrap_or_default());
    let mut near: Vec<&Piece> = Vec::new();
    facet.find_touching(&region, |piece| near.push(piece));
    near.sort_unstable_by_key(|piece| piece.number);
    let seen: Vec<&Piece> = near.iter().copied().filter(|piece| is_seen(piece)).collect();
    match (seen.len(), near.len()) {
        // A solid that is smaller than its gap has none within its own size.
        (0, 0) => nearest_piece(facet, solid, offset).into_iter().collect(),
        (0, 1) => near, // the only one is the nearest one
        (0, _) => nearest_few(&near, (solid, offset), band),
        _ => seen,
    }
}
