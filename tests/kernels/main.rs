//! The kernels one by one: tables worked by hand, an exact oracle, symmetries.

mod bracket;
mod oracle;
mod rays;
mod sphere_plane;
mod sphere_sphere;
