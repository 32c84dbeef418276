//! The errors of shapes.

use super::size::{CORNERS_MAX, MESH_COUNT_MAX, MESH_EXTENT_MAX, POINTS_MAX};
use crate::{geom::GeomError, num::Scalar};

/// The reason why a shape is refused, or cannot rotate.
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// A size is zero, negative or beyond the limit.
    #[error("{field} is {value}, must be above 0 and at most {limit}")]
    Size {
        /// Name of the size.
        field: &'static str,
        /// Value given.
        value: Scalar,
        /// Largest value allowed.
        limit: Scalar,
    },
    /// The half edges of a box are too short, or far from perpendicular.
    #[error("half edges of an oriented box must be perpendicular and at least 64 raw long")]
    Skew,
    /// The half axis of a capsule is zero.
    #[error("half axis of a capsule is zero: that is a sphere")]
    NoAxis,
    /// The moments of inertia are out of range.
    #[error(transparent)]
    Inertia(#[from] GeomError),
    /// Planes and parts of meshes have no moments of inertia.
    #[error("a plane or a mesh cannot rotate")]
    Plane,
    /// An aabb among the child shapes of a rotating body.
    #[error("an aabb never rotates: take an obb")]
    NeverTurns,
    /// The center of mass of several child shapes is not at their body's position.
    #[error(
        "the center of mass of the child shapes is off their body's position by {off} along axis {axis}: \
         subtract the result of `center_of_children` from all offsets"
    )]
    OffCenter {
        /// Axis, from 0.
        axis: u8,
        /// Offset along the axis, in units.
        off: Scalar,
    },
    /// The body's axes are not the principal axes of its child shapes.
    #[error(
        "the axes of the body's frame are not the principal axes of its child shapes: \
         rotate the shapes in it, or make both sides equal"
    )]
    Tilted,
    /// A box, capsule or hull is not aligned with the axes of its own frame.
    #[error("a rotating box, capsule or hull must be aligned with the axes of its own frame")]
    NotAxisAligned,
    /// A hull in the scenery that was rotated.
    #[error("a hull of the scenery must be in its own frame: make it of rotated points")]
    Rotated,
    /// Bytes that no hull or mesh is written as.
    #[error("bytes that no hull and no mesh has")]
    NotCanonical,
    /// No point of which a hull could be made.
    #[error("a hull needs points")]
    NoPoints,
    /// More points for a hull than are looked at.
    #[error("{count} points, at most {POINTS_MAX}")]
    TooManyPoints {
        /// Number of points.
        count: usize,
    },
    /// Points that are the same, on a line or in a plane, or so nearly that their grid does not tell.
    #[error("{points}: a hull needs four corners that are not in a plane")]
    Flat {
        /// The words for them.
        points: &'static str,
    },
    /// More corners than a hull may have.
    #[error("{count} corners, at most {CORNERS_MAX}: leave points out, or make several hulls")]
    TooManyCorners {
        /// Number of corners.
        count: usize,
    },
    /// Points too far from each other for a hull.
    #[error("the points are {size} apart along axis {axis}, at most {limit}")]
    TooFarApart {
        /// Axis, from 0.
        axis: u8,
        /// The extent along the axis, in units.
        size: Scalar,
        /// Largest extent.
        limit: Scalar,
    },
    /// More points or triangles than a mesh may have.
    #[error("{count} points or triangles of a mesh, at most {MESH_COUNT_MAX}")]
    MeshTooLarge {
        /// Their number.
        count: usize,
    },
    /// A mesh without a triangle that has an area.
    #[error("a mesh needs a triangle that has an area")]
    NoTriangles,
    /// A corner of a triangle that is none of the points.
    #[error("corner {corner} of triangle {triangle}: there are {count} points")]
    NoSuchPoint {
        /// Place of the triangle.
        triangle: u32,
        /// Place of the point, from 0.
        corner: u32,
        /// Number of points.
        count: usize,
    },
    /// Materials that are not one for each triangle.
    #[error("{count} materials for {triangles} triangles")]
    MaterialCount {
        /// Number of materials.
        count: usize,
        /// Number of triangles.
        triangles: usize,
    },
    /// A point of a mesh beyond the range of coordinates.
    #[error("point {point} is beyond {MESH_EXTENT_MAX} units from the origin of its mesh")]
    PointTooFar {
        /// Place of the point.
        point: u32,
    },
    /// Heights that are not full rows of at least two, or less than two rows.
    #[error("{points} heights in rows of {columns}: at least two rows of at least two, all full")]
    HeightCount {
        /// Number in a row.
        columns: u32,
        /// Number of all.
        points: usize,
    },
    /// Kinds of cells that are not one for each cell.
    #[error("{count} kinds of cells for {cells} cells")]
    CellCount {
        /// Number of kinds.
        count: usize,
        /// Number of cells.
        cells: usize,
    },
    /// A length that is not on the grid of meshes.
    #[error("{field} is {value}, must be a multiple of 2^-16")]
    OffGrid {
        /// Name of the length.
        field: &'static str,
        /// Value given.
        value: Scalar,
    },
    /// An edge of a mesh at which there are too many triangles.
    #[error("more than 64 triangles at an edge of point {corner} of a mesh")]
    CrowdedEdge {
        /// An end of the edge, or a corner of its triangle.
        corner: u32,
    },
}
