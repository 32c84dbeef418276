//! Is there contact now, and where: one file per pair of shapes.
//!
//! Every answer is exact: integers are compared, nothing is rounded. Touching is not overlap: two
//! solids overlap when they share interior points. Offsets are B's origin minus A's.

mod shapes;
mod sphere_plane;
mod sphere_sphere;

pub use shapes::overlap_shapes;
mod aabb_aabb;
mod aabb_plane;
mod closest_point_aabb;
mod obb_plane;
mod sphere_aabb;

pub use aabb_aabb::overlap_aabb_aabb;
pub use aabb_plane::overlap_aabb_plane;
pub(crate) use aabb_plane::reach_wide;
pub use closest_point_aabb::closest_point_aabb;
pub use obb_plane::overlap_obb_plane;
pub use sphere_aabb::overlap_sphere_aabb;
pub(crate) use sphere_plane::clearance_q32;
pub use sphere_plane::overlap_sphere_plane;
pub use sphere_sphere::overlap_sphere_sphere;
