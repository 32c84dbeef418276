//! The part of a tick in which two shapes of any kind may meet.

use super::{Span, span_sphere_sphere};
use crate::{geom::Vec3, shape::Shape};

/// The span of the balls around two shapes, outside of which the shapes cannot overlap or touch; or `None` if
/// they cannot in this tick.
///
/// `offset` is B's origin minus A's at the start, `motion` B's displacement minus A's, in units. A shape
/// without bounds gives the whole tick.
///
/// It is for shapes of a game's own that have no closed form: bounds first, subdivision after. The tick does
/// not need it: each of its pairs has a sweep of its own.
///
/// ```
/// use bitstep::{geom::Vec3, num::{Toi, lit}, shape::Shape, sweep::{bracket_shapes, contact_center}};
///
/// // Two shapes of a game, of which it knows boxes around them and whether they overlap at an offset.
/// let (a, b) = (Shape::aabb(Vec3::splat(lit("1"))), Shape::aabb(Vec3::splat(lit("0.5"))));
/// let overlaps = |offset: Vec3| offset.x.abs() < lit("0.75");
/// let (offset, motion) = (Vec3::new(lit("10"), lit("0"), lit("0")), Vec3::new(lit("-16"), lit("0"), lit("0")));
///
/// let span = bracket_shapes(&a, &b, offset, motion).expect("the balls around both meet");
/// let step = (span.last.raw() - span.first.raw()) / 64;
/// let instants = (0..=64).filter_map(|n| Toi::from_raw(span.first.raw() + n * step));
/// let first = instants.into_iter().find(|&toi| overlaps(contact_center(offset, motion, toi)));
/// assert!(first.is_some_and(|toi| toi > span.first));
/// ```
///
/// **Rounding**: outward; the radii are [`Shape::bounding_radius`]. **Range**:
/// [`OFFSET_MAX`](super::OFFSET_MAX), [`MOTION_MAX`](super::MOTION_MAX), shapes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX). **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A
/// Sphere-Sphere Sweep Test".
#[must_use]
pub fn bracket_shapes(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3) -> Option<Span> {
    match (a.bounding_radius(), b.bounding_radius()) {
        (Some(a), Some(b)) => span_sphere_sphere(offset, motion, a + b),
        _ => Some(Span::WHOLE),
    }
}
