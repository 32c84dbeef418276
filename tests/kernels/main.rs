//! The kernels one by one: tables worked by hand, an exact oracle, symmetries.

mod aabb_aabb;
mod boxes;
mod bracket;
mod oracle;
mod rays;
mod sphere_aabb;
mod sphere_plane;
mod sphere_sphere;
