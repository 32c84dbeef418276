//! First contact of any two shapes: the one table of pairs.

use super::{Hit, sweep_sphere_plane, sweep_sphere_sphere};
use crate::{geom::Vec3, num::Scalar, shape::Shape};

/// temp
pub fn sweep_shapes(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3, gap: Scalar) -> Option<Hit> {
    match (a, b) {
        (Shape::Sphere { radius: p }, Shape::Sphere { radius: q }) => {
            sweep_sphere_sphere(offset, motion, *p + *q, gap)
        }
        (Shape::Sphere { radius }, Shape::Plane(plane)) => {
            sweep_sphere_plane(offset, motion, *radius, plane, gap)
        }
        _ => None,
    }
}
