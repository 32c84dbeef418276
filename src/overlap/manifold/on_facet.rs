//! Contact points on a facet: those on its plane where all of what faces it is over it or in the valley before it, else those on its triangles.

use super::{Figure, Manifold, ManifoldPoint, manifold_shapes, meet};
use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    overlap::facet::{holds_in_sight, is_in_valley, meets_in_sight, pieces_seen},
    shape::{Facet, Piece, Shape},
};

/// The manifold of two shapes of which one is a facet; as [`manifold_shapes`].
pub(super) fn of_facet(
    facet: &Facet,
    [a, b]: [&Shape; 2],
    offset: Vec3,
    normal: Normal,
    band: Scalar,
) -> Manifold {
    let is_first = matches!(a, Shape::Facet(_));
    let (solid, way, up) = if is_first { (b, offset, normal) } else { (a, -offset, -normal) };
    let with = |shape: &Shape, place: Vec3| {
        if is_first {
            manifold_shapes(shape, b, offset - place, normal, band).moved(place)
        } else {
            manifold_shapes(a, shape, offset + place, normal, band)
        }
    };
    let Some(figure) = Figure::new(solid, way, -up, up, band) else { return Manifold::default() };
    let plane = facet.planes().iter().find(|plane| plane.normal().unit_q30() == Some(up));
    let holds = |corner: &Vec3| holds_in_sight(facet, &[*corner]);
    if let Some(plane) = plane.filter(|_| figure.corners().iter().all(holds)) {
        return with(&Shape::Plane(*plane), Vec3::ZERO);
    }
    let seen = |piece: &Piece| {
        let own = Figure::new(&piece.shape(), piece.place, up, up, band);
        own.is_some_and(|own| meets_in_sight(figure.corners(), own.corners(), up))
    };
    let pieces = pieces_seen(facet, (solid, way), band, seen);
    // A half-space that bounds a valley is touched where the solid reaches farthest, not at the edge of the facet: a ball that rolls has no other point.
    if let Some(plane) = plane.filter(|_| !pieces.iter().any(|piece| seen(piece))) {
        if is_in_valley(facet, solid, way) {
            return with(&Shape::Plane(*plane), Vec3::ZERO);
        }
    }
    let mut points: Vec<ManifoldPoint> = Vec::new();
    for piece in pieces {
        for point in with(&piece.shape(), piece.place).points() {
            match points.iter_mut().find(|known| known.place_twice == point.place_twice) {
                Some(known) => known.gap = known.gap.min(point.gap),
                None => points.push(*point),
            }
        }
    }
    let least = points.iter().map(|point| point.gap).min().unwrap_or_default();
    points.retain(|point| point.gap <= least.saturating_add(band));
    let mut manifold = Manifold::default();
    meet::put(&points, normal, &mut manifold);
    manifold
}
