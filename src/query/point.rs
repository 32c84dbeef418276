//! Point queries.

use std::cell::Cell;

use super::{
    QueryError, QueryFilter, QueryView,
    error::{check_length, check_vector},
};
use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    overlap::{closest_point_aabb, distance_point_shape_ceil},
    shape::Shape,
    state::{Collider, Scenery},
};

/// The points within a distance of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointQuery {
    /// The center, in world units; at most [`Scenery::EXTENT_MAX`](crate::state::Scenery::EXTENT_MAX) on each
    /// axis.
    pub center: Vec3,
    /// The radius, in units, not negative; at most [`OFFSET_MAX`](crate::sweep::OFFSET_MAX). Zero selects the
    /// solids that contain the point.
    pub radius: Scalar,
}

/// A solid near a point. The order is by distance, then by id and child shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PointHit {
    /// The vector from the point to the nearest point of the solid; zero inside. Rounded up to the next raw.
    pub distance: Scalar,
    /// The collider.
    pub collider: Collider,
    /// The index of the child shape in its compound; 0 of a single shape.
    pub child: u8,
}

impl PointQuery {
    pub(super) fn check(&self) -> Result<(), QueryError> {
        check_vector("center", self.center, Scenery::EXTENT_MAX)?;
        check_length("radius", self.radius)
    }
}

impl QueryView {
    /// All solids with a point in a ball, its surface included, by distance and id.
    ///
    /// The distance is from the ball's center to the nearest point of the solid (not to its center), zero if
    /// the center is inside: [`distance_point_shape_ceil`]. The comparison is exact: a solid that only
    /// touches the ball is in, one that is a raw farther is not. (An [`overlap`](Self::overlap) with a sphere
    /// leaves out solids that only touch.)
    ///
    /// # Errors
    ///
    /// If a number is out of range.
    pub fn radius(
        &self,
        ball: &PointQuery,
        filter: &QueryFilter<'_>,
        found: &mut Vec<PointHit>,
    ) -> Result<(), QueryError> {
        found.clear();
        ball.check()?;
        self.add_within(ball, filter, found);
        Ok(())
    }

    /// The `count` nearest solids with a point in a ball, by distance and id.
    ///
    /// Distances are those of [`radius`](Self::radius), and the result is the beginning of its result. Two
    /// whose distances round up to the same raw are a tie, decided by id.
    ///
    /// # Errors
    ///
    /// If a number is out of range.
    pub fn nearest(
        &self,
        ball: &PointQuery,
        count: u32,
        filter: &QueryFilter<'_>,
        found: &mut Vec<PointHit>,
    ) -> Result<(), QueryError> {
        found.clear();
        ball.check()?;
        let count = count as usize;
        if count == 0 {
            return Ok(());
        }
        let mut radius = self.first_radius(count).min(ball.radius);
        loop {
            self.add_nearest(&PointQuery { radius, ..*ball }, count, filter, found);
            if found.len() >= count || radius == ball.radius {
                break;
            }
            found.clear();
            radius = radius.saturating_mul_int(4).min(ball.radius);
        }
        found.sort_unstable();
        found.truncate(count);
        Ok(())
    }

    /// Adds all solids within a ball to a list, sorted among themselves.
    pub(super) fn add_within(&self, ball: &PointQuery, filter: &QueryFilter<'_>, found: &mut Vec<PointHit>) {
        let before = found.len();
        let PointQuery { center, radius } = *ball;
        let region = Aabb::around(center, Vec3::splat(radius));
        self.search(
            filter,
            |bounds| bounds.touches(&region),
            |solid| {
                let distance = distance_within(solid.position - center, solid.shape, radius);
                found.extend(distance.map(|distance| PointHit {
                    distance,
                    collider: solid.collider,
                    child: solid.child,
                }));
            },
        );
        found[before..].sort_unstable();
    }

    /// Adds the solids within a ball that are among the `count` nearest, and perhaps some more.
    ///
    /// With enough solids the ball shrinks to the farthest of the nearest found; a tie with it stays.
    fn add_nearest(
        &self,
        ball: &PointQuery,
        count: usize,
        filter: &QueryFilter<'_>,
        found: &mut Vec<PointHit>,
    ) {
        /// Number of solids found, besides `count`, between two selections of the nearest.
        const SPARE: usize = 16;
        let radius = Cell::new(ball.radius);
        self.search(
            filter,
            |bounds| is_within(bounds, ball.center, radius.get()),
            |solid| {
                let distance = distance_within(solid.position - ball.center, solid.shape, radius.get());
                let Some(distance) = distance else { return };
                found.push(PointHit { distance, collider: solid.collider, child: solid.child });
                if found.len() >= count.saturating_mul(2).saturating_add(SPARE) {
                    let (_, farthest, _) = found.select_nth_unstable(count - 1);
                    radius.set(farthest.distance);
                    found.truncate(count);
                }
            },
        );
    }

    /// The estimated radius around `count` bodies: the size of all, scaled by the cube root of their share.
    ///
    /// A poor estimate only makes the search longer.
    fn first_radius(&self, count: usize) -> Scalar {
        let Some(all) = self.all else { return Scalar::MAX };
        let extent = (all.max - all.min).raw().into_iter().fold(1, i64::max);
        let share = (self.bodies.len() / count.max(1)).max(1);
        Scalar::from_bits((extent >> (share.ilog2() / 3 + 2)).max(1))
    }
}

/// The distance of a point from a solid if it is at most `most`.
///
/// It is compared first without the root or the division, which most candidates then do not need.
fn distance_within(offset: Vec3, shape: &Shape, most: Scalar) -> Option<Scalar> {
    let apart = match shape {
        Shape::Sphere { radius } => offset.length_squared_wide() > square(most + *radius),
        Shape::Aabb { half } => {
            (closest_point_aabb(-offset, *half) + offset).length_squared_wide() > square(most)
        }
        Shape::Obb(obb) => offset.length_squared_wide() > square(most + obb.bounding_radius()),
        Shape::Capsule(capsule) => offset.length_squared_wide() > square(most + capsule.bounding_radius()),
        Shape::Hull(hull) => offset.length_squared_wide() > square(most + hull.bounding_radius()),
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => {
            let radius = shape.bounding_radius().unwrap_or_default();
            offset.length_squared_wide() > square(most + radius)
        }
        Shape::Plane(plane) => {
            plane.height_wide(-offset) << 32 > i128::from(most.to_bits()) * i128::from(plane.length_up_q32())
        }
    };
    if apart {
        return None;
    }
    let distance = distance_point_shape_ceil(offset, shape);
    (distance <= most).then_some(distance)
}

/// True if a box has a point within a radius; exact.
fn is_within(bounds: &Aabb, center: Vec3, radius: Scalar) -> bool {
    (center - center.max(bounds.min).min(bounds.max)).length_squared_wide() <= square(radius)
}

const fn square(length: Scalar) -> u128 {
    let raw = length.to_bits().unsigned_abs() as u128;
    raw * raw
}
