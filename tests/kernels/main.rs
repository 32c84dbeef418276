//! The kernels one by one: tables worked by hand, an exact oracle, symmetries.

mod oracle;
mod sphere_plane;
mod sphere_sphere;
