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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::Mesh};

    /// Two triangles that make a square of diagonal 2 about the origin, with corners on the axes x and z.
    fn square() -> Facet {
        let points = [[-1, 0, 0], [0, 0, -1], [0, 0, 1], [1, 0, 0]];
        let points = points.map(|point: [i64; 3]| Vec3::from_raw(point.map(|part| part << 32)));
        let mesh = Mesh::new(&points, &[[0, 2, 1], [1, 2, 3]]).unwrap();
        let (facet, place) = Facet::new(&mesh.facets()[0]);
        assert_eq!((facet.triangles().count(), place), (2, Vec3::ZERO));
        facet
    }

    #[test]
    fn the_span_of_a_facet_is_from_the_first_triangle_to_the_last() {
        let (facet, ball) = (Shape::Facet(square()), Shape::sphere(lit("0.25")));
        let spans = |offset, motion| {
            let span = span_shapes(&facet, &ball, offset, motion, lit("0.25"));
            assert_eq!(span_shapes(&ball, &facet, -offset, -motion, lit("0.25")), span);
            span.map(|span| [span.first, span.last].map(|toi| (toi.raw() + (1 << 15)) >> 16))
        };
        let part = |number: u64, of: u64| ((number << 16) + of / 2) / of;
        // At 0.3 over the corner at -1 the ball is near from -1.4 on, at the other one up to 1.4.
        let beside = Vec3::lit("-5.4", "0.3", "0");
        assert_eq!(spans(beside, Vec3::lit("8", "0", "0")), Some([part(4, 8), part(68, 80)]));
        assert_eq!(spans(-beside, Vec3::lit("-8", "0", "0")), Some([part(4, 8), part(68, 80)]));
        // Through the first triangle, through the second, and aside.
        for (x, found) in [("-0.5", true), ("0.5", true), ("1.6", false)] {
            let falls = spans(Vec3::lit(x, "1", "0"), Vec3::lit("0", "-2", "0"));
            assert_eq!(falls, found.then(|| [part(1, 4), part(3, 4)]), "{x}");
        }
        assert_eq!(spans(Vec3::lit("0", "0.4", "0"), Vec3::ZERO), Some([0, 1 << 16]));
    }

    #[test]
    fn a_ray_that_starts_on_a_facet_hits_it_where_it_goes_in() {
        let facet = square();
        let front = facet.planes()[0].normal();
        let down = Vec3::from(crate::geom::IVec3::from(-front));
        let hit = |x: &str, y: i64, way: Vec3| {
            let start =
                Vec3 { y: Scalar::from_bits(y * i64::from(front.y).signum()), ..Vec3::lit(x, "0", "0.25") };
            sweep_ray_facet(-start, way, &facet)
        };
        let normal = -front;
        assert_eq!(hit("0.25", 0, down), Some(Hit { toi: Toi::START, normal }));
        assert_eq!(hit("-0.25", 0, down), Some(Hit { toi: Toi::START, normal }));
        assert_eq!(hit("0.25", 0, -down), None);
        assert_eq!(hit("1.25", 0, down), None, "beside it");
        let half = Some(Hit { toi: Toi::from_raw(1 << 31).unwrap(), normal });
        assert_eq!(hit("0.25", down.length().to_bits() / 2, down), half);
    }
}
