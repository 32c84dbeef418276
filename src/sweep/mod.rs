//! When is first contact: one file per pair of shapes, each a public function that needs no world.
//!
//! All sweeps share one frame and one promise. `offset` is B's origin minus A's at the start, `motion` is B's
//! displacement minus A's over the tick; both move in straight lines. `gap` is the distance at which the
//! sweep stops them; 0 asks for contact itself. The answer is a [`Hit`]:
//!
//! - its time is never later than the exact, rational first instant at which the shapes are `gap` apart, and
//!   early by no more than the bound each function states;
//! - its normal is an integer certificate that points from A to B: along it they approach;
//! - shapes that start closer than `gap` hit at [`Toi::START`](crate::num::Toi::START) if they approach along the normal of their
//!   closest points, and do not hit if they slide, rest or separate;
//! - `None` says that they do not come within `gap` in `0..=1` of the tick: an instant of exactly 1 is a hit.
//!
//! Rotating bodies have a sweep of another kind: [`sweep_turning`].
//!
//! Start with `sphere_sphere.rs`, the smallest complete one.

mod aabb_aabb;
mod aabb_capsule;
mod aabb_obb;
mod aabb_plane;
mod approach;
mod approaching;
mod bracket;
mod capsule_capsule;
mod certificate;
mod contact_center;
mod convex_convex;
mod convex_plane;
mod facet;
mod hit;
mod obb_capsule;
mod obb_obb;
mod obb_plane;
mod plane_capsule;
mod ratio;
mod ray;
mod ray_aabb;
mod ray_capsule;
mod ray_convex;
mod ray_obb;
mod ray_plane;
mod ray_sphere;
mod ray_triangle;
mod rounded;
mod shapes;
mod span;
mod span_aabb_aabb;
mod span_shapes;
mod sphere_aabb;
mod sphere_capsule;
mod sphere_obb;
mod sphere_plane;
mod sphere_plane_two_sided;
mod sphere_sphere;
mod turning;
mod window;

pub use aabb_aabb::sweep_aabb_aabb;
pub(crate) use aabb_aabb::{axes_toward, farthest_axes};
pub use aabb_capsule::sweep_aabb_capsule;
pub use aabb_obb::sweep_aabb_obb;
pub use aabb_plane::sweep_aabb_plane;
pub use bracket::bracket_shapes;
pub use capsule_capsule::sweep_capsule_capsule;
pub use contact_center::contact_center;
pub use convex_convex::sweep_convex_convex;
pub use convex_plane::sweep_convex_plane;
pub(crate) use facet::sweep_ray_facet;
pub use hit::{Hit, MOTION_MAX, OFFSET_MAX, REACH_MAX};
pub use obb_capsule::sweep_obb_capsule;
pub use obb_obb::sweep_obb_obb;
pub use obb_plane::sweep_obb_plane;
pub use plane_capsule::sweep_plane_capsule;
pub use ray_aabb::sweep_ray_aabb;
pub use ray_capsule::sweep_ray_capsule;
pub use ray_convex::sweep_ray_convex;
pub use ray_obb::sweep_ray_obb;
pub use ray_plane::sweep_ray_plane;
pub use ray_sphere::sweep_ray_sphere;
pub use shapes::sweep_shapes;
pub use span::{Span, span_sphere_sphere};
pub use span_aabb_aabb::span_aabb_aabb;
pub use span_shapes::span_shapes;
pub use sphere_aabb::sweep_sphere_aabb;
pub use sphere_capsule::sweep_sphere_capsule;
pub use sphere_obb::sweep_sphere_obb;
pub use sphere_plane::sweep_sphere_plane;
pub use sphere_plane_two_sided::sweep_sphere_plane_two_sided;
pub use sphere_sphere::sweep_sphere_sphere;
pub use turning::{Advance, GAP_MAX, RelativeMotion, sweep_turning};
pub(crate) use turning::{largest_derivatives, sweep_turning_known};
// What an exact oracle needs to check a sweep of rotating bodies: for tests, no part of the interface.
#[doc(hidden)]
pub use turning::{Passed, Proof, sweep_turning_with};

/// The widest numbers of these kernels.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 15] = [
    ("sweep::approach", approach::WIDTH),
    ("sweep::sphere_plane", sphere_plane::WIDTH),
    ("sweep::aabb_plane", aabb_plane::WIDTH),
    ("sweep::ratio", ratio::WIDTH),
    ("sweep::certificate", certificate::WIDTH),
    ("sweep::sphere_aabb", sphere_aabb::WIDTH),
    ("sweep::approaching", approaching::WIDTH),
    ("sweep::ray_aabb", ray_aabb::WIDTH),
    ("sweep::ray_obb", ray_obb::WIDTH),
    ("sweep::ray_obb", ray_obb::PRODUCT_WIDTH),
    ("sweep::turning", turning::KEPT_WIDTH),
    ("sweep::turning", turning::DEPTH_WIDTH),
    ("sweep::turning", turning::SECOND_WIDTH),
    ("sweep::turning", turning::RATE_WIDTH),
    ("sweep::turning", turning::SHORT_WIDTH),
];
