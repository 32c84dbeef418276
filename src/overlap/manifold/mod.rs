//! Contact manifolds: a few points between the surfaces of two solids that touch, for the contact solver.
//!
//! Each shape has a [`Feature`] that faces the other: a corner, an edge or a face. Seen along the normal the
//! two are a point, a segment or a parallelogram, and they meet in a convex figure whose corners are the
//! manifold (`clip`). Where they do not meet, the manifold is their nearest points (`nearest`). Containment
//! is decided exactly, so the points do not depend on the order in which corners are looked at. Only places
//! and gaps are rounded, once (`found`).

mod clip;
mod feature;
mod figure;
mod found;
mod meet;
mod nearest;
mod on_facet;
mod points;
mod share;
#[cfg(test)]
mod tests;

pub(super) use feature::in_sight;
pub(super) use figure::Figure;
pub use points::{Manifold, ManifoldPoint};

#[cfg(test)]
pub(super) use self::{clip::WIDTH, found::WIDTH as HEIGHT_WIDTH, meet::WIDTH as SIDE_WIDTH};
use self::{feature::Feature, found::Found, meet::Meeting};
use crate::{
    geom::{Normal, Plane as HalfSpace, Vec3},
    num::Scalar,
    shape::Shape::{self, Facet, Hull, Plane, Triangle},
};

/// The points where two shapes touch or nearly do, looking along `normal`.
///
/// `offset` is B's origin minus A's, in units; `normal` points from A to B and has the length 2^30, within
/// two, as the plane between two shapes has. `band` is a distance, in units: of each shape, edges and faces
/// count whose ends are within it of the farthest corner along the normal, and of the points found those
/// whose gap is within it of the least. Below zero it counts as zero.
///
/// Two corners, edges or faces whose views along the normal do not meet give their nearest points, so there
/// is a point for any two shapes of which one is bounded; two planes have none. Edges that within the band
/// lie along each other give the ends of the part that they have in common.
///
/// The points are the same, as a set, for mirrored and permuted shapes and whatever the order and the signs
/// of a box's half edges and a capsule's half axis. With A and B exchanged and the normal negated they are
/// the same but for the offset in `place_twice`; `place`, its half, may differ by one raw.
///
/// **Rounding**: gaps down, by less than 1 raw and 2^-10, and 2^-48 of how far the edges reach along the normal;
/// twice a place to nearest, within 3/4 raw on each axis, its half within 1. Along normals whose length is 2^30 exactly, gaps between corners and over faces
/// across the normal are exact. Nearest points of features that do not meet: within 4 raw, and more if they
/// are far aside (`docs/numerics/manifolds.md`). **Range**: components of the offset below 2^50 raw (with a
/// hull, a triangle or a facet 2^49; with a plane 2^57, as the plane's own point), shapes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
#[must_use]
pub fn manifold_shapes(a: &Shape, b: &Shape, offset: Vec3, normal: Normal, band: Scalar) -> Manifold {
    let band = band.max(Scalar::ZERO);
    let mut manifold = Manifold::default();
    match (a, b) {
        (Plane(_), Plane(_)) => {}
        (Facet(facet), _) => return on_facet::of_facet(facet, [a, b], offset, normal, band),
        (_, Facet(facet)) => return on_facet::of_facet(facet, [a, b], offset, normal, band),
        (Plane(plane), Hull(_)) => {
            figure_on_plane(&mut manifold, plane, Figure::new(b, offset, -normal, -normal, band), -normal)
        }
        (Hull(_), Plane(plane)) => {
            let figure = Figure::new(a, Vec3::ZERO, normal, normal, band);
            figure_on_plane(&mut manifold, &plane.moved(offset), figure, normal);
        }
        (Hull(_) | Triangle(_), _) | (_, Hull(_) | Triangle(_)) => {
            let a = Figure::new(a, Vec3::ZERO, normal, normal, band);
            if let Some((a, b)) = a.zip(Figure::new(b, offset, -normal, normal, band)) {
                Meeting::new([&a, &b], normal).find(band, &mut manifold);
            }
        }
        (Plane(plane), _) => on_plane(&mut manifold, plane, Feature::new(b, offset, -normal, band), -normal),
        (_, Plane(plane)) => {
            let feature = Feature::new(a, Vec3::ZERO, normal, band);
            on_plane(&mut manifold, &plane.moved(offset), feature, normal);
        }
        _ => between(&mut manifold, [a, b], offset, normal, band),
    }
    manifold.keep_within(band);
    manifold
}

/// Every corner of a feature that faces a plane, which lies in the direction `toward`.
fn on_plane(manifold: &mut Manifold, plane: &HalfSpace, feature: Option<Feature>, toward: Normal) {
    if let Some(feature) = feature {
        feature.corners().for_each(|signs| {
            manifold.push(found::on_plane(plane, feature.corner_at(signs), feature.radius, toward));
        });
    }
}

/// Every corner of a figure that faces a plane, or as many as a manifold has room for.
fn figure_on_plane(manifold: &mut Manifold, plane: &HalfSpace, figure: Option<Figure>, toward: Normal) {
    if let Some(figure) = figure {
        let points: Vec<_> = figure
            .corners()
            .iter()
            .map(|&corner| found::on_plane(plane, corner, figure.radius, toward))
            .collect();
        meet::put(&points, toward, manifold);
    }
}

/// The manifold of two bounded shapes.
fn between(manifold: &mut Manifold, [a, b]: [&Shape; 2], offset: Vec3, normal: Normal, band: Scalar) {
    let features = (Feature::new(a, Vec3::ZERO, normal, band), Feature::new(b, offset, -normal, band));
    let (Some(a), Some(b)) = features else { return };
    if a.edges() + b.edges() == 0 {
        manifold.push(found::between_corners(&a, &b, normal));
        return;
    }
    let mut found = Found::new(&a, &b, normal, manifold);
    match (a.edges(), b.edges()) {
        (1, 1) => nearest::of_segments(&mut found, band),
        _ => clip::clip(&mut found),
    }
    if found.manifold.points().is_empty() {
        nearest::nearest(&mut found, band);
    }
}
