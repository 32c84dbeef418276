//! Is there contact now, and where: one file per pair of shapes.
//!
//! Except for contact points ([`manifold_shapes`]) every answer is exact: integers are compared, nothing is
//! rounded (a distance is rounded up, once). Touching is not overlap: two solids overlap when they share
//! interior points. Offsets are B's origin minus A's.

mod aabb_aabb;
mod aabb_capsule;
mod aabb_obb;
mod aabb_plane;
mod capsule_capsule;
mod closest_point_aabb;
mod closest_point_obb;
mod closest_point_shape;
mod convex_convex;
mod convex_plane;
mod distance_capsule_capsule;
mod distance_convex_convex;
mod distance_obb_capsule;
mod distance_point_capsule;
mod distance_point_obb;
mod distance_point_shape;
mod distance_shapes;
mod facet;
pub(crate) mod gjk;
mod manifold;
mod obb_capsule;
mod obb_obb;
mod obb_plane;
mod penetration;
mod plane_capsule;
mod reach;
#[cfg(test)]
mod sample_hulls;
mod separation;
mod shadow;
mod shapes;
mod sphere_aabb;
mod sphere_capsule;
mod sphere_obb;
mod sphere_plane;
mod sphere_sphere;
pub(crate) mod toward_capsule;
mod toward_convex;
pub(crate) mod toward_obb;
pub(crate) mod widest;

pub use aabb_aabb::overlap_aabb_aabb;
pub use aabb_capsule::overlap_aabb_capsule;
pub use aabb_obb::overlap_aabb_obb;
pub use aabb_plane::overlap_aabb_plane;
pub(crate) use aabb_plane::reach_wide;
pub use capsule_capsule::overlap_capsule_capsule;
pub use closest_point_aabb::closest_point_aabb;
pub use closest_point_obb::closest_point_obb;
pub use closest_point_shape::closest_point_shape;
pub use convex_convex::overlap_convex_convex;
pub(crate) use convex_plane::clearance_convex_q32;
pub use convex_plane::overlap_convex_plane;
pub use distance_capsule_capsule::distance_capsule_capsule_ceil;
pub use distance_convex_convex::distance_convex_convex_ceil;
pub use distance_obb_capsule::distance_obb_capsule_ceil;
pub use distance_point_capsule::distance_point_capsule_ceil;
pub use distance_point_obb::distance_point_obb_ceil;
pub use distance_point_shape::distance_point_shape_ceil;
pub use distance_shapes::distance_shapes_ceil;
pub(crate) use distance_shapes::is_within;
pub(crate) use facet::{is_beyond, is_clear, is_in_front, lean_of, plane_under, side_of};
pub(crate) use gjk::sign_of_dot;
pub use manifold::{Manifold, ManifoldPoint, manifold_shapes};
pub use obb_capsule::overlap_obb_capsule;
pub use obb_obb::overlap_obb_obb;
pub use obb_plane::overlap_obb_plane;
pub(crate) use penetration::penetration_shapes;
pub(crate) use plane_capsule::clearance_capsule_q32;
pub use plane_capsule::overlap_plane_capsule;
pub(crate) use reach::Separation;
pub(crate) use separation::{reach_along, separating_normal, separation_shapes};
pub(crate) use shadow::{is_face_normal, shadows_overlap};
pub use shapes::overlap_shapes;
pub use sphere_aabb::overlap_sphere_aabb;
pub use sphere_capsule::overlap_sphere_capsule;
pub use sphere_obb::overlap_sphere_obb;
pub(crate) use sphere_plane::clearance_q32;
pub use sphere_plane::overlap_sphere_plane;
pub use sphere_sphere::overlap_sphere_sphere;
pub(crate) use toward_convex::separating_normal_convex;

/// The widest numbers of these kernels.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 8] = [
    ("overlap::obb_obb", obb_obb::WIDTH),
    ("overlap::obb_obb", obb_obb::SMALL_WIDTH),
    ("overlap::gjk", gjk::SIGN_WIDTH),
    ("overlap::gjk", gjk::WIDTH),
    ("overlap::gjk", gjk::COMPARED_WIDTH),
    ("overlap::manifold", manifold::WIDTH),
    ("overlap::manifold", manifold::SIDE_WIDTH),
    ("overlap::manifold", manifold::HEIGHT_WIDTH),
];
