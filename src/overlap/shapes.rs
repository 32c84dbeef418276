//! Overlap of any two shapes: the one table of pairs.

use super::{
    facet::overlap_facet, overlap_aabb_aabb, overlap_aabb_capsule, overlap_aabb_obb, overlap_aabb_plane,
    overlap_capsule_capsule, overlap_convex_convex, overlap_convex_plane, overlap_obb_capsule,
    overlap_obb_obb, overlap_obb_plane, overlap_plane_capsule, overlap_sphere_aabb, overlap_sphere_capsule,
    overlap_sphere_obb, overlap_sphere_plane, overlap_sphere_sphere,
};
use crate::{
    geom::Vec3,
    shape::Shape::{self, Aabb, Capsule, Facet, Obb, Plane, Sphere},
};

/// True if two shapes share interior points; touching is not overlap.
///
/// `offset` is B's origin minus A's, in units. Each pair has a test of its own, which says in which
/// range it is exact. Planes and facets never count as overlapping each other: none can move.
#[must_use]
pub fn overlap_shapes(a: &Shape, b: &Shape, offset: Vec3) -> bool {
    match (a, b) {
        (Sphere { radius: p }, Sphere { radius: q }) => overlap_sphere_sphere(offset, *p + *q),
        (Sphere { radius }, Aabb { half }) => overlap_sphere_aabb(offset, *radius, *half),
        (Sphere { radius }, Obb(obb)) => overlap_sphere_obb(offset, *radius, obb),
        (Sphere { radius }, Plane(plane)) => overlap_sphere_plane(offset, *radius, plane),
        (Aabb { half: p }, Aabb { half: q }) => overlap_aabb_aabb(offset, *p + *q),
        (Aabb { half }, Obb(obb)) => overlap_aabb_obb(offset, *half, obb),
        (Aabb { half }, Plane(plane)) => overlap_aabb_plane(offset, *half, plane),
        (Obb(p), Obb(q)) => overlap_obb_obb(offset, p, q),
        (Obb(obb), Plane(plane)) => overlap_obb_plane(offset, obb, plane),
        (Plane(_), Plane(_)) => false,
        (Sphere { radius }, Capsule(capsule)) => overlap_sphere_capsule(offset, *radius, capsule),
        (Aabb { half }, Capsule(capsule)) => overlap_aabb_capsule(offset, *half, capsule),
        (Obb(obb), Capsule(capsule)) => overlap_obb_capsule(offset, obb, capsule),
        (Plane(plane), Capsule(capsule)) => overlap_plane_capsule(offset, plane, capsule),
        (Capsule(p), Capsule(q)) => overlap_capsule_capsule(offset, p, q),
        (Aabb { .. }, Sphere { .. })
        | (Obb(_), Sphere { .. } | Aabb { .. })
        | (Plane(_), Sphere { .. } | Aabb { .. } | Obb(_))
        | (Capsule(_), Sphere { .. } | Aabb { .. } | Obb(_) | Plane(_)) => overlap_shapes(b, a, -offset),
        (Facet(facet), _) => overlap_facet(facet, b, offset),
        (_, Facet(facet)) => overlap_facet(facet, a, -offset),
        (_, Plane(plane)) => {
            let room = &mut [Vec3::ZERO; 8];
            a.as_convex(room).is_some_and(|a| overlap_convex_plane(offset, &a, plane))
        }
        (Plane(_), _) => overlap_shapes(b, a, -offset),
        _ => Shape::both_as_convex(a, b, |a, b| overlap_convex_convex(offset, a, b)).unwrap_or(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::Mesh};

    #[test]
    fn a_mesh_has_no_inside() {
        let mesh = Mesh::new(&[Vec3::ZERO, Vec3::lit("0", "0", "4"), Vec3::lit("4", "0", "0")], &[[0, 1, 2]]);
        let (mesh, ball) = (Shape::Mesh(mesh.unwrap()), Shape::sphere(lit("1")));
        let offset = Vec3::lit("1", "0", "1");
        assert!(!overlap_shapes(&mesh, &ball, offset) && !overlap_shapes(&ball, &mesh, -offset));
    }
}
