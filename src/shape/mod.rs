//! The solids that bodies and scenery are made of.
//!
//! This room knows how large a shape is, how far it reaches along a direction, and how it resists being
//! turned. It does not know where a shape is: the caller that places one adds a position. Start with
//! [`Shape`].

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod capsule;
mod compound;
mod convex;
mod error;
mod facet;
mod hull;
mod inertia;
mod mesh;
mod obb;
mod size;
mod triangle;

pub use capsule::Capsule;
pub(crate) use compound::Spread;
pub use compound::{center_of_children, inertia_of_children};
pub use convex::Convex;
pub use error::ShapeError;
pub use facet::Facet;
pub(crate) use facet::{Bend, Piece};
pub use hull::{Hull, HullForm};
pub use inertia::{gyration_nearest, inertia_box, inertia_capsule, inertia_obb, inertia_of, inertia_sphere};
pub use mesh::{Cell, Heights, Mesh, MeshReport};
pub(crate) use mesh::{Ground, MeshFacet, Swept};
pub use obb::Obb;
pub(crate) use size::length_ceil;
pub use size::{CORNERS_MAX, POINTS_MAX, SIZE_MAX};
pub use triangle::Triangle;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    geom::{Aabb, Normal, Plane, Rotation, Vec3},
    num::Scalar,
};

/// The widest numbers of this room.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 5] = [
    ("shape::inertia", inertia::WIDTH),
    ("shape::compound", compound::WIDTH),
    ("shape::hull", hull::WIDTH),
    ("shape::mesh", mesh::WIDTH),
    ("shape::mesh", mesh::HEIGHT_WIDTH),
];

/// A solid around its own origin.
///
/// The order of the variants is the order of shapes in the names of functions on pairs.
///
/// A shape may have any size until it is used: [`SceneryBuilder::build`](crate::state::SceneryBuilder::build) and queries
/// refuse what [`check`](Self::check) refuses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Its radius, above zero.
        #[serde(with = "crate::num::scalar")]
        radius: Scalar,
    },
    /// A box whose edges follow the axes, always.
    Aabb {
        /// Half its extent on each axis, all above zero.
        half: Vec3,
    },
    /// A box in any orientation.
    Obb(Obb),
    /// The half-space behind a plane.
    Plane(Plane),
    /// A rod with round ends, in any direction.
    Capsule(Capsule),
    /// A convex solid of any corners.
    Hull(HullForm),
    /// Triangles, for statics. What collides are its facets.
    Mesh(Mesh),
    /// A part of a [`Facet`], which the scenery does not have by itself.
    #[serde(skip)]
    Triangle(Triangle),
    /// A flat part of a mesh: static, thin, and solid from both sides.
    #[serde(skip)]
    Facet(Facet),
}

impl Piece {
    /// The triangle around its own origin.
    pub fn shape(&self) -> Shape {
        Shape::Triangle(self.triangle)
    }
}

impl Shape {
    /// A ball.
    #[must_use]
    pub const fn sphere(radius: Scalar) -> Self {
        Self::Sphere { radius }
    }

    /// A box along the axes, from its half extents.
    #[must_use]
    pub const fn aabb(half: Vec3) -> Self {
        Self::Aabb { half }
    }

    /// A rectangle for a flat world: a box along the axes as thick as it is long, so that the third axis is
    /// never the one of least penetration between two of them.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, num::lit, shape::Shape};
    ///
    /// let door = Shape::rect(lit("0.5"), lit("2"));
    /// assert_eq!(door, Shape::aabb(Vec3::lit("0.5", "2", "2")));
    /// ```
    #[must_use]
    pub fn rect(half_x: Scalar, half_y: Scalar) -> Self {
        Self::aabb(Vec3::new(half_x, half_y, half_x.max(half_y)))
    }

    /// A box in any orientation, from its half extents along its own axes.
    ///
    /// **Rounding**: as in [`Obb::new`].
    #[must_use]
    pub fn obb(half: Vec3, rotation: Rotation) -> Self {
        Self::Obb(Obb::new(half, rotation))
    }

    /// The half-space behind a plane through the shape's own origin, with a normal of any length, or
    /// `None` where that is zero.
    ///
    /// **Rounding**: as in [`Normal::from_vector`]; along an axis exact.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, shape::Shape};
    ///
    /// let floor = Shape::plane(Vec3::lit("0", "1", "0")).unwrap();
    /// assert_eq!(floor.name(), "plane");
    /// assert_eq!(Shape::plane(Vec3::ZERO), None);
    /// ```
    #[must_use]
    pub fn plane(normal: Vec3) -> Option<Self> {
        Plane::from_point_normal(Vec3::ZERO, Normal::from_vector(normal)?).ok().map(Self::Plane)
    }

    /// A rod with round ends, from the vector from its middle to the center of one end and its radius.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, num::lit, shape::Shape};
    ///
    /// // 1.8 tall: the middles of the ends are 0.6 above and below the middle.
    /// let fighter = Shape::capsule(Vec3::lit("0", "0.6", "0"), lit("0.3"));
    /// assert_eq!(fighter.half_extent().map(|half| half.y), Some(lit("0.6") + lit("0.3")));
    /// ```
    #[must_use]
    pub const fn capsule(half_axis: Vec3, radius: Scalar) -> Self {
        Self::Capsule(Capsule::new(half_axis, radius))
    }

    /// A convex solid of any corners; its origin is its center of mass.
    ///
    /// ```
    /// use bitstep::{geom::Vec3, num::lit, shape::{Hull, Shape}};
    /// let v = Vec3::lit;
    /// let rock = Hull::of(&[v("0", "0", "0"), v("2", "0", "0"), v("0", "1", "0"), v("0", "0", "1")])?;
    /// assert_eq!(rock.center(), v("0.5", "0.25", "0.25"));
    /// assert_eq!(Shape::hull(rock).name(), "hull");
    /// # Ok::<(), bitstep::shape::ShapeError>(())
    /// ```
    #[must_use]
    pub fn hull(hull: Hull) -> Self {
        Self::Hull(HullForm::new(Arc::new(hull)))
    }

    /// The shape in space for an orientation of the body whose frame it is in: its *form*.
    ///
    /// The half axis of a capsule, the half edges of an oriented box and the corners of a hull are rotated. A ball does not change,
    /// and boxes along the axes and planes never rotate.
    ///
    /// **Rounding**: each component to nearest, halves away from zero, as [`Rotation::turn_nearest`]; so
    /// mirrored, opposite or permuted arguments give the image, and the identity and quarter turns are exact.
    #[must_use]
    pub fn turned(&self, orientation: Rotation) -> Self {
        match self {
            Self::Capsule(Capsule { half_axis, radius }) => {
                Self::capsule(orientation.turn_nearest(*half_axis), *radius)
            }
            Self::Obb(Obb { half_edges }) => {
                Self::Obb(Obb { half_edges: half_edges.map(orientation.turns_nearest()) })
            }
            Self::Hull(form) => Self::Hull(form.turned(orientation)),
            Self::Sphere { .. }
            | Self::Aabb { .. }
            | Self::Plane(_)
            | Self::Mesh(_)
            | Self::Triangle(_)
            | Self::Facet(_) => self.clone(),
        }
    }

    /// The shape as corners and a radius, or `None` for a half-space and a facet. The room for its corners is the caller's.
    ///
    /// **Range**: shapes that [`check`](Self::check) accepts.
    #[must_use]
    pub fn as_convex<'a>(&'a self, room: &'a mut [Vec3; 8]) -> Option<Convex<'a>> {
        match self {
            Self::Sphere { radius } => Some(Convex::ball(*radius)),
            Self::Aabb { half } => {
                *room = Obb::along_axes(*half).corners();
                Some(Convex::around(room, Scalar::ZERO))
            }
            Self::Obb(obb) => {
                *room = obb.corners();
                Some(Convex::around(room, Scalar::ZERO))
            }
            Self::Plane(_) | Self::Mesh(_) | Self::Facet(_) => None,
            Self::Capsule(capsule) => {
                let ends = &mut room[..2];
                ends.copy_from_slice(&capsule.ends());
                Some(Convex::around(ends, capsule.radius))
            }
            Self::Hull(form) => Some(form.as_convex()),
            Self::Triangle(triangle) => {
                let corners = &mut room[..3];
                corners.copy_from_slice(triangle.corners());
                Some(Convex::around(corners, Scalar::ZERO))
            }
        }
    }

    /// Asks for two bounded shapes as corners and radii: all that a pair without a kernel of its own needs. `None` with a half-space.
    pub(crate) fn both_as_convex<T>(
        a: &Self,
        b: &Self,
        ask: impl FnOnce(&Convex<'_>, &Convex<'_>) -> T,
    ) -> Option<T> {
        let [of_a, of_b] = &mut [[Vec3::ZERO; 8]; 2];
        Some(ask(&a.as_convex(of_a)?, &b.as_convex(of_b)?))
    }

    /// True if rotation changes it, and the normals of its faces and sides are rounded: a capsule, an oriented box or a hull.
    pub(crate) const fn leans(&self) -> bool {
        matches!(self, Self::Capsule(_) | Self::Obb(_) | Self::Hull(_))
    }

    /// True for what only statics may be: planes, meshes and their parts.
    #[must_use]
    pub const fn is_static(&self) -> bool {
        matches!(self, Self::Plane(_) | Self::Mesh(_) | Self::Triangle(_) | Self::Facet(_))
    }

    /// The shape's name, as scenes and reports spell it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Aabb { .. } => "aabb",
            Self::Obb(_) => "obb",
            Self::Plane(_) => "plane",
            Self::Capsule(_) => "capsule",
            Self::Hull(_) => "hull",
            Self::Mesh(_) => "mesh",
            Self::Triangle(_) => "triangle",
            Self::Facet(_) => "facet",
        }
    }

    /// Checks every size against a limit, itself at most [`SIZE_MAX`].
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit.
    pub fn check(&self, limit: Scalar) -> Result<(), ShapeError> {
        let limit = limit.min(SIZE_MAX);
        let check = |field, value: Scalar| {
            let fits = value > 0 && value <= limit;
            if fits { Ok(()) } else { Err(ShapeError::Size { field, value, limit }) }
        };
        match self {
            Self::Sphere { radius } => check("radius", *radius),
            Self::Aabb { half } => {
                check("half.x", half.x)?;
                check("half.y", half.y)?;
                check("half.z", half.z)
            }
            Self::Obb(obb) => {
                // Each component first: the extents are sums of them.
                check("half_edges", obb.longest_component())?;
                let half = obb.half_extent();
                check("half_edges.x", half.x)?;
                check("half_edges.y", half.y)?;
                check("half_edges.z", half.z)?;
                if obb.is_box() { Ok(()) } else { Err(ShapeError::Skew) }
            }
            Self::Plane(_) | Self::Mesh(_) | Self::Triangle(_) | Self::Facet(_) => Ok(()),
            Self::Capsule(capsule) => capsule.check(limit),
            Self::Hull(form) => {
                let half = form.half_extent();
                check("half_extent.x", half.x)?;
                check("half_extent.y", half.y)?;
                check("half_extent.z", half.z)
            }
        }
    }

    /// Half the extent on each axis of the least box around its origin that holds the shape, or `None` of a plane, which is
    /// boundless, and of a mesh, whose facets have it.
    #[must_use]
    pub fn half_extent(&self) -> Option<Vec3> {
        match self {
            Self::Sphere { radius } => Some(Vec3::splat(*radius)),
            Self::Aabb { half } => Some(*half),
            Self::Obb(obb) => Some(obb.half_extent()),
            Self::Plane(_) | Self::Mesh(_) => None,
            Self::Capsule(capsule) => Some(capsule.half_extent()),
            Self::Hull(form) => Some(form.half_extent()),
            Self::Triangle(triangle) => Some(triangle.half_extent()),
            Self::Facet(facet) => Some(facet.half_extent()),
        }
    }

    /// True if the shape meets the plane of a flat world squarely: it pushes in no direction out of the
    /// plane.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        match self {
            Self::Sphere { .. } | Self::Aabb { .. } => true,
            Self::Obb(obb) => obb.half_edges.iter().all(|edge| {
                let in_plane = edge.z == 0;
                let across = edge.x == 0 && edge.y == 0;
                in_plane || across
            }),
            Self::Plane(plane) => plane.normal().z == 0,
            Self::Capsule(capsule) => capsule.is_upright(),
            Self::Hull(form) => form.is_upright(),
            Self::Mesh(_) | Self::Triangle(_) | Self::Facet(_) => false,
        }
    }

    /// The least box around the shape at a position, or `None` where it is boundless.
    #[must_use]
    pub fn bounds(&self, position: Vec3) -> Option<Aabb> {
        self.half_extent().map(|half| Aabb::around(position, half))
    }

    /// The radius of a ball around the origin that holds the shape, or `None` where none does.
    ///
    /// **Rounding**: up.
    #[must_use]
    pub fn bounding_radius(&self) -> Option<Scalar> {
        match self {
            Self::Sphere { radius } => Some(*radius),
            Self::Aabb { half } => Some(length_ceil(*half)),
            Self::Obb(obb) => Some(obb.bounding_radius()),
            Self::Plane(_) | Self::Mesh(_) => None,
            Self::Capsule(capsule) => Some(capsule.bounding_radius()),
            Self::Hull(form) => Some(form.bounding_radius()),
            Self::Triangle(triangle) => Some(length_ceil(triangle.half_extent())),
            Self::Facet(facet) => Some(facet.bounding_radius()),
        }
    }

    /// Extent of the shape from its origin along a normal, times the normal's length and 2^32; `None` where
    /// it is boundless.
    ///
    /// **Rounding**: up; exact for boxes.
    #[doc(hidden)]
    #[must_use]
    pub fn support_q32_ceil(&self, normal: Normal) -> Option<i128> {
        match self {
            Self::Sphere { radius } => {
                Some(i128::from(radius.to_bits()) * i128::from(normal.length_up_q32()))
            }
            Self::Aabb { half } => {
                let [x, y, z] = normal.components().map(i32::abs);
                Some(Normal::new(x, y, z).dot_wide(*half) << 32)
            }
            Self::Obb(obb) => Some(obb.support_wide(normal) << 32),
            Self::Plane(_) | Self::Mesh(_) => None,
            Self::Capsule(capsule) => Some(capsule.support_q32_ceil(normal)),
            Self::Hull(form) => Some(form.support_wide(normal) << 32),
            Self::Triangle(triangle) => {
                triangle.corners().iter().map(|corner| normal.dot_wide(*corner) << 32).max()
            }
            Self::Facet(facet) => Some(facet.support_wide(normal) << 32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{Rng, lit};

    #[test]
    fn planes_and_turned_boxes_are_made_in_one_step() {
        let down = Vec3::new(Scalar::ZERO, -Scalar::DELTA, Scalar::ZERO);
        let Some(Shape::Plane(plane)) = Shape::plane(down) else { panic!("a raw long is a normal") };
        let [x, y, z] = plane.normal().components();
        assert_eq!((plane.point(), x, y < 0, z), (Vec3::ZERO, 0, true, 0));
        let half = Vec3::splat(Scalar::ONE);
        assert_eq!(Shape::obb(half, Rotation::IDENTITY), Shape::Obb(Obb::along_axes(half)));
    }

    #[test]
    fn a_form_is_the_shape_turned() {
        let [one, two, three] = [lit("1"), lit("2"), lit("3")];
        let rod = Shape::capsule(Vec3::new(two, Scalar::ZERO, Scalar::ZERO), one);
        let brick = Shape::Obb(Obb::along_axes(Vec3::new(one, two, three)));
        let ball = Shape::sphere(one);
        let block = Shape::aabb(Vec3::new(one, two, three));
        let quarter = Rotation::from_quaternion(one, Scalar::ZERO, Scalar::ZERO, one).unwrap();
        let plane = Shape::plane(Vec3::new(one, two, three)).unwrap();
        let shapes = [rod, brick, ball, block, plane];
        assert!(shapes.iter().all(|shape| shape.turned(Rotation::IDENTITY) == *shape));
        let [rod, brick, still @ ..] = &shapes;
        assert_eq!(rod.turned(quarter), Shape::capsule(Vec3::new(Scalar::ZERO, two, Scalar::ZERO), one));
        let turned = [[0, 1, 0], [-2, 0, 0], [0, 0, 3]].map(|edge| Vec3::from_raw(edge.map(|n| n << 32)));
        assert_eq!(brick.turned(quarter), Shape::Obb(Obb { half_edges: turned }));
        assert!(still.iter().all(|shape| shape.turned(quarter) == *shape));
    }

    #[test]
    fn a_form_is_accepted_where_its_shape_is() {
        for case in 0..2000 {
            let mut draws = Rng::new(5).at(0, 0, case);
            let part = [(); 4].map(|()| Scalar::from_bits(draws.between(-(1 << 32), 1 << 32)));
            let Some(turn) = Rotation::from_quaternion(part[0], part[1], part[2], part[3]) else { continue };
            let bits = [(); 3].map(|()| draws.between(7, 43));
            let half = Vec3::from_raw(bits.map(|bits| draws.between(66, 1 << bits)));
            let brick = Obb::along_axes(half);
            let Shape::Obb(form) = Shape::Obb(brick).turned(turn) else { panic!("a box stays a box") };
            assert!(form.is_box(), "{half:?} {turn:?}");
            let spare = form.bounding_radius().to_bits() - brick.bounding_radius().to_bits();
            assert!((-4..=4).contains(&spare), "a form is as large as its shape: {spare}");
        }
    }
}
