//! Ray casts and shape casts.

use std::cell::Cell;

use super::{
    QueryError, QueryFilter, QueryHit, QueryView, Ray, ShapeCast, moving_box::MovingBox, view::Solid,
};
use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi},
    overlap::overlap_shapes,
    shape::Shape,
    sweep::{
        Hit, sweep_ray_aabb, sweep_ray_capsule, sweep_ray_convex, sweep_ray_facet, sweep_ray_obb,
        sweep_ray_plane, sweep_ray_sphere, sweep_shapes,
    },
};

impl QueryView {
    /// The first collider that a ray hits; of several at one instant the one with the smallest id.
    ///
    /// Each solid is tested by its own kernel, such as [`sweep_ray_sphere`]. A ray that starts inside hits at
    /// once, with its own direction as the normal. A tangent to a sphere is a hit; sliding along a box or a
    /// plane is not. A ray of zero length hits nothing.
    ///
    /// **Rounding**: the instant down. It is not before the ray hits the bounds of the solid, either.
    ///
    /// # Errors
    ///
    /// If a component of the ray is out of range.
    pub fn ray(&self, ray: &Ray, filter: &QueryFilter<'_>) -> Result<Option<QueryHit>, QueryError> {
        ray.check()?;
        Ok(self.first(&Cast::of_ray(ray), filter))
    }

    /// All colliders that a ray hits, as in [`ray`](Self::ray), by instant and id.
    ///
    /// # Errors
    ///
    /// If a component of the ray is out of range.
    pub fn ray_all(
        &self,
        ray: &Ray,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<QueryHit>,
    ) -> Result<(), QueryError> {
        hits.clear();
        ray.check()?;
        self.add_all(&Cast::of_ray(ray), filter, hits);
        Ok(())
    }

    /// The first collider that a solid hits on a straight path; of several at one instant the one
    /// with the smallest id.
    ///
    /// Each solid is tested by [`sweep_shapes`] with a gap of 0: a start in contact is a hit at once if they
    /// approach, and none if they slide or separate. A start in an overlap, by the exact predicate, is a hit
    /// at once, with the direction of the path as the normal. A path of zero length hits nothing.
    ///
    /// **Rounding**: the instant down, early by the bound that the kernel of the pair states. It is not
    /// before the bounds along the axes touch, either.
    ///
    /// # Errors
    ///
    /// If a number is out of range, or the shape is a plane.
    pub fn sweep(&self, sweep: &ShapeCast, filter: &QueryFilter<'_>) -> Result<Option<QueryHit>, QueryError> {
        sweep.check()?;
        Ok(self.first(&Cast::of_sweep(sweep), filter))
    }

    /// All colliders that a solid hits on a straight path, as in [`sweep`](Self::sweep) and as if
    /// it passed through all of them, by instant and id.
    ///
    /// # Errors
    ///
    /// If a number is out of range, or the shape is a plane.
    pub fn sweep_all(
        &self,
        sweep: &ShapeCast,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<QueryHit>,
    ) -> Result<(), QueryError> {
        hits.clear();
        sweep.check()?;
        self.add_all(&Cast::of_sweep(sweep), filter, hits);
        Ok(())
    }

    /// The least hit. Each hit found shortens the rest of the search.
    pub(super) fn first(&self, cast: &Cast<'_>, filter: &QueryFilter<'_>) -> Option<QueryHit> {
        let last = Cell::new(Toi::END);
        let mut first: Option<QueryHit> = None;
        self.search(
            filter,
            |bounds| cast.moving_box.touches_by(bounds, last.get()),
            |solid| {
                let hit = cast.meet(solid);
                if let Some(hit) = hit.filter(|hit| first.is_none_or(|first| *hit < first)) {
                    first = Some(hit);
                    last.set(hit.toi);
                }
            },
        );
        first
    }

    /// Adds all hits to a list, sorted among themselves.
    pub(super) fn add_all(&self, cast: &Cast<'_>, filter: &QueryFilter<'_>, hits: &mut Vec<QueryHit>) {
        let before = hits.len();
        self.search(
            filter,
            |bounds| cast.moving_box.touches_by(bounds, Toi::END),
            |solid| hits.extend(cast.meet(solid)),
        );
        hits[before..].sort_unstable();
    }
}

/// A ray or a shape that is cast.
pub(super) struct Cast<'a> {
    origin: Vec3,
    displacement: Vec3,
    /// `None` for a ray.
    shape: Option<&'a Shape>,
    moving_box: MovingBox,
}

impl<'a> Cast<'a> {
    pub(super) fn of_ray(ray: &Ray) -> Self {
        let Ray { origin, displacement } = *ray;
        Self {
            origin,
            displacement,
            shape: None,
            moving_box: MovingBox::new(origin, displacement, Vec3::ZERO),
        }
    }

    fn of_sweep(sweep: &'a ShapeCast) -> Self {
        let ShapeCast { shape, origin, displacement } = sweep;
        let half = shape.half_extent().unwrap_or_default(); // planes are refused
        Self {
            origin: *origin,
            displacement: *displacement,
            shape: Some(shape),
            moving_box: MovingBox::new(*origin, *displacement, half),
        }
    }

    /// The hit of a solid.
    ///
    /// A kernel may be slightly early, but no hit is before that of the bounds. This makes the search
    /// independent of its order: a solid that is skipped because of its bounds would not have been hit
    /// earlier.
    fn meet(&self, solid: &Solid<'_>) -> Option<QueryHit> {
        let entry = match solid.shape.bounds(solid.position) {
            Some(bounds) => self.moving_box.entry_floor(&bounds)?,
            None => Toi::START,
        };
        let offset = solid.position - self.origin;
        let Hit { toi, normal } = match self.shape {
            None => self.ray_hit(offset, solid.shape),
            Some(shape) => self.sweep_hit(offset, shape, solid.shape),
        }?;
        Some(QueryHit { toi: toi.max(entry), collider: solid.collider, child: solid.child, normal })
    }

    fn ray_hit(&self, offset: Vec3, solid: &Shape) -> Option<Hit> {
        match solid {
            Shape::Sphere { radius } => sweep_ray_sphere(offset, self.displacement, *radius),
            Shape::Aabb { half } => sweep_ray_aabb(offset, self.displacement, *half),
            Shape::Obb(obb) => sweep_ray_obb(offset, self.displacement, obb),
            Shape::Plane(plane) => sweep_ray_plane(offset, self.displacement, plane),
            Shape::Capsule(capsule) => sweep_ray_capsule(offset, self.displacement, capsule),
            Shape::Hull(hull) => sweep_ray_convex(offset, self.displacement, &hull.as_convex()),
            Shape::Facet(facet) => sweep_ray_facet(offset, self.displacement, facet),
            Shape::Mesh(_) | Shape::Triangle(_) => None, // no solid of a world is one
        }
    }

    fn sweep_hit(&self, offset: Vec3, shape: &Shape, solid: &Shape) -> Option<Hit> {
        if overlap_shapes(shape, solid, offset) {
            return Normal::from_vector(self.displacement).map(|normal| Hit { toi: Toi::START, normal });
        }
        sweep_shapes(shape, solid, offset, -self.displacement, Scalar::ZERO)
    }
}
