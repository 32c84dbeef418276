//! The part of a tick in which two shapes may meet, whatever they are.

use super::{Span, span_sphere_sphere};
use crate::{geom::Vec3, shape::Shape};

/// The span of the balls around two shapes, outside of which the shapes cannot overlap or touch; or
/// `None` if they cannot in this tick.
///
/// `offset` is B's origin minus A's at the start, `motion` B's displacement minus A's, in units. It
/// narrows a search for shapes that have no closed form: nothing need be looked for before its first
/// time or after its last. A shape without bounds gives the whole tick.
///
/// **Rounding**: outward; the radii are [`Shape::bounding_radius`].
/// **Range**: [`OFFSET_MAX`](super::OFFSET_MAX), [`MOTION_MAX`](super::MOTION_MAX), shapes within
/// [`SIZE_MAX`](crate::shape::SIZE_MAX).
/// **Source**: Gomez, *Simple Intersection Tests for Games* (1999), "A Sphere-Sphere Sweep Test".
#[must_use]
pub fn bracket_shapes(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3) -> Option<Span> {
    match (a.bounding_radius(), b.bounding_radius()) {
        (Some(a), Some(b)) => span_sphere_sphere(offset, motion, a + b),
        _ => Some(Span::WHOLE),
    }
}
