//! The kernels one by one: tables worked by hand, an exact oracle, symmetries.

mod aabb_aabb;
mod box_oracle;
mod box_overlap;
mod box_plane;
mod boxes;
mod bracket;
mod distance;
mod inertia;
mod obb_obb;
mod oracle;
mod ray_obb;
mod rays;
mod shapes;
mod sphere_aabb;
mod sphere_obb;
mod sphere_plane;
mod sphere_sphere;
mod spin;
mod spin_energy;
mod spin_oracle;
mod trig;
mod turning;
mod turning_oracle;
mod turning_scenes;
