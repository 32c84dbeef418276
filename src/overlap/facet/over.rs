//! What of a solid is over a facet.

use crate::{
    geom::{Aabb, Normal, Plane, Vec3},
    num::{Scalar, mul_div::mul_div_nearest},
    overlap::manifold::{Figure, in_sight},
    shape::{Facet, Shape},
};

/// The farthest that a solid may be from a facet on an axis, in units, to be over it: areas as seen along a normal fit 128 bits.
const AREA_OFFSET_MAX: Scalar = Scalar::lit("262144");

/// True if the corner, edge or face of a solid that is nearest to the plane of a facet meets a triangle of it, as seen along the normal; exact. A solid beyond
/// [`AREA_OFFSET_MAX`] is never over a facet: its distance is asked of the triangles.
pub(super) fn is_over(facet: &Facet, side: usize, solid: &Shape, offset: Vec3) -> bool {
    if !offset.within(AREA_OFFSET_MAX) {
        return false;
    }
    let plane = &facet.planes()[side];
    let Some(up) = plane.normal().unit_q30() else { return false };
    let Some(figure) = Figure::new(solid, offset, -up, up, Scalar::ZERO) else { return false };
    holds_in_sight(facet, figure.corners())
}

/// True if a corner, an edge or a convex face meets a triangle of a facet, as seen along the normal of its plane; exact.
pub(crate) fn holds_in_sight(facet: &Facet, corners: &[Vec3]) -> bool {
    let plane = &facet.planes()[0];
    if let Some(piece) = facet.only_piece() {
        return meets_in_sight(corners, piece.corners(), plane.normal());
    }
    let point = |corner: &Vec3| {
        let at = foot(plane, *corner);
        Aabb { min: at, max: at }
    };
    let Some(region) = corners.iter().map(point).reduce(Aabb::union) else { return false };
    // The plane is off the triangles by the rounding of its normal.
    let rounding = Scalar::from_bits(4 + (facet.bounding_radius().to_bits() >> 26));
    facet.any_near(&region.pad(rounding), |piece| meets_in_sight(corners, piece.corners(), plane.normal()))
}

/// The foot of a point on a plane, to nearest.
fn foot(plane: &Plane, point: Vec3) -> Vec3 {
    let (normal, height) = (plane.normal(), plane.height_wide(point));
    let square = i128::from(normal.length_squared());
    let along = |part: i32| mul_div_nearest(part.into(), height, square) as i64;
    point - Vec3::from_raw(normal.components().map(along))
}

/// True if two corners, edges or convex faces, of which one is a face, meet as seen along a normal, borders included; exact.
pub(crate) fn meets_in_sight(a: &[Vec3], b: &[Vec3], normal: Normal) -> bool {
    let separates = |from: Vec3, to: Vec3| {
        let extent = |points: &[Vec3]| {
            points.iter().fold((i128::MAX, i128::MIN), |(least, most), point| {
                let area = in_sight(to - from, *point - from, normal);
                (least.min(area), most.max(area))
            })
        };
        let ((least_a, most_a), (least_b, most_b)) = (extent(a), extent(b));
        most_a < least_b || most_b < least_a
    };
    let is_apart = |points: &[Vec3]| {
        points.len() > 1 && (0..points.len()).any(|i| separates(points[i], points[(i + 1) % points.len()]))
    };
    a.len().max(b.len()) > 2 && !is_apart(a) && !is_apart(b)
}
