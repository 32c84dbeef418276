//! First contact of any two shapes: the one table of pairs.

use super::{
    Hit, facet::sweep_facet, sweep_aabb_aabb, sweep_aabb_capsule, sweep_aabb_obb, sweep_aabb_plane,
    sweep_capsule_capsule, sweep_convex_convex, sweep_convex_plane, sweep_obb_capsule, sweep_obb_obb,
    sweep_obb_plane, sweep_plane_capsule, sweep_sphere_aabb, sweep_sphere_capsule, sweep_sphere_obb,
    sweep_sphere_plane, sweep_sphere_sphere,
};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::Shape::{self, Aabb, Capsule, Facet, Obb, Plane, Sphere},
};

/// The first instant at which two shapes come within `gap` of each other, or `None` if not in this tick.
///
/// `offset` is B's origin minus A's at the start, `motion` B's displacement minus A's; in units and units per
/// tick. Each pair has a sweep of its own, which says how it measures the gap, how it rounds and in which
/// range. Two planes never meet: they are boundless and do not move.
#[must_use]
pub fn sweep_shapes(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3, gap: Scalar) -> Option<Hit> {
    match (a, b) {
        (Sphere { radius: p }, Sphere { radius: q }) => sweep_sphere_sphere(offset, motion, *p + *q, gap),
        (Sphere { radius }, Aabb { half }) => sweep_sphere_aabb(offset, motion, *radius, *half, gap),
        (Sphere { radius }, Obb(obb)) => sweep_sphere_obb(offset, motion, *radius, obb, gap),
        (Sphere { radius }, Plane(plane)) => sweep_sphere_plane(offset, motion, *radius, plane, gap),
        (Aabb { half: p }, Aabb { half: q }) => sweep_aabb_aabb(offset, motion, *p + *q, gap),
        (Aabb { half }, Obb(obb)) => sweep_aabb_obb(offset, motion, *half, obb, gap),
        (Aabb { half }, Plane(plane)) => sweep_aabb_plane(offset, motion, *half, plane, gap),
        (Obb(p), Obb(q)) => sweep_obb_obb(offset, motion, p, q, gap),
        (Obb(obb), Plane(plane)) => sweep_obb_plane(offset, motion, obb, plane, gap),
        (Plane(_), Plane(_)) => None,
        (Sphere { radius }, Capsule(capsule)) => sweep_sphere_capsule(offset, motion, *radius, capsule, gap),
        (Aabb { half }, Capsule(capsule)) => sweep_aabb_capsule(offset, motion, *half, capsule, gap),
        (Obb(obb), Capsule(capsule)) => sweep_obb_capsule(offset, motion, obb, capsule, gap),
        (Plane(plane), Capsule(capsule)) => sweep_plane_capsule(offset, motion, plane, capsule, gap),
        (Capsule(p), Capsule(q)) => sweep_capsule_capsule(offset, motion, p, q, gap),
        (Aabb { .. }, Sphere { .. })
        | (Obb(_), Sphere { .. } | Aabb { .. })
        | (Plane(_), Sphere { .. } | Aabb { .. } | Obb(_))
        | (Capsule(_), Sphere { .. } | Aabb { .. } | Obb(_) | Plane(_)) => {
            exchanged(a, b, offset, motion, gap)
        }
        (Facet(facet), _) => sweep_facet(facet, b, offset, motion, gap),
        (_, Facet(_)) => exchanged(a, b, offset, motion, gap),
        (_, Plane(plane)) => {
            sweep_convex_plane(offset, motion, &a.as_convex(&mut [Vec3::ZERO; 8])?, plane, gap)
        }
        (Plane(_), _) => exchanged(a, b, offset, motion, gap),
        _ => Shape::both_as_convex(a, b, |a, b| sweep_convex_convex(offset, motion, a, b, gap))?,
    }
}

fn exchanged(a: &Shape, b: &Shape, offset: Vec3, motion: Vec3, gap: Scalar) -> Option<Hit> {
    let hit = sweep_shapes(b, a, -offset, -motion, gap)?;
    Some(Hit { normal: -hit.normal, ..hit })
}
