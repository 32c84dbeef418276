//! Is there contact now, and where: one file per pair of shapes.
//!
//! Every answer is exact: integers are compared, nothing is rounded. Touching is not overlap: two
//! solids overlap when they share interior points. Offsets are B's origin minus A's.

mod shapes;
mod sphere_plane;
mod sphere_sphere;

pub use shapes::overlap_shapes;
pub(crate) use sphere_plane::clearance_q32;
pub use sphere_plane::overlap_sphere_plane;
pub use sphere_sphere::overlap_sphere_sphere;
