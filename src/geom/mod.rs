//! Points and directions in space: vectors, certified normals, boxes, planes, the path of a body through one
//! tick, and the turn of one that no torque acts on.
//!
//! This room knows integers (from [`num`](crate::num)) and geometry, but no shapes and no bodies.
//! Start with [`Vec3`]; then [`Motion`], the one place that says where a body is at an instant.

mod aabb;
mod angular_motion;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod energy_rounding;
mod error;
mod inertia;
mod ivec3;
mod midpoint;
mod momentum;
mod motion;
mod normal;
mod path;
mod plane;
mod rotate_by;
mod rotation;
mod slope;
mod spin;
mod tree;
mod unit;
mod vec3;

pub use aabb::Aabb;
pub use angular_motion::AngularMotion;
pub(crate) use angular_motion::matrix_q60;
pub use error::GeomError;
pub use inertia::Inertia;
pub(crate) use ivec3::IVec3;
pub(crate) use momentum::along_own_axes;
pub use momentum::{ANGULAR_MOMENTUM_MAX, angular_momentum_nearest};
pub use motion::{Motion, Pose};
pub use normal::Normal;
pub use path::Path;
pub use plane::Plane;
pub use rotate_by::rotate_by;
pub use rotation::Rotation;
pub(crate) use slope::is_within_slope;
pub(crate) use spin::limited_step;
pub use spin::{ANGULAR_SPEED_MAX, FreeStep, angular_velocity_nearest, free_step, slowed_to_limit};
pub(crate) use tree::Tree;
pub use unit::normalise;
pub use vec3::{Vec3, vec2};

/// The widest numbers of this room.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 4] = [
    ("geom::momentum", momentum::WIDTH),
    ("geom::spin", spin::WIDTH),
    ("geom::midpoint", midpoint::WIDTH),
    ("geom::rotate_by", rotate_by::WIDTH),
];
