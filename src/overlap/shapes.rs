//! Whether any two shapes overlap: the one table of pairs.

use super::{overlap_sphere_plane, overlap_sphere_sphere};
use crate::{geom::Vec3, shape::Shape};

/// temp
pub fn overlap_shapes(a: &Shape, b: &Shape, offset: Vec3) -> bool {
    match (a, b) {
        (Shape::Sphere { radius: p }, Shape::Sphere { radius: q }) => overlap_sphere_sphere(offset, *p + *q),
        (Shape::Sphere { radius }, Shape::Plane(plane)) => overlap_sphere_plane(offset, *radius, plane),
        _ => false,
    }
}
