//! The errors of queries.

use super::{Ray, ShapeCast};
use crate::{
    geom::Vec3,
    num::Scalar,
    shape::{Shape, ShapeError},
    state::{BodyId, Scenery},
    sweep::{MOTION_MAX, OFFSET_MAX},
};

/// The reason why a query is refused. Whatever list it was to fill is left empty.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// A number is outside the range for which the arithmetic is proved.
    #[error("{field} is {value}, must be in {low}..={high}")]
    Beyond {
        /// The name of the number; in a batch with its index.
        field: String,
        /// The refused value.
        value: Scalar,
        /// The least accepted value.
        low: Scalar,
        /// The greatest accepted value.
        high: Scalar,
    },
    /// A shape's size is refused.
    #[error("shape: {0}")]
    Shape(#[from] ShapeError),
    /// A plane cannot be cast, and a mesh is no shape to ask with.
    #[error("shape: a plane or a mesh cannot be swept, nor a mesh be placed")]
    Boundless,
    /// The view has no body of that id.
    #[error("no body {body}")]
    NoBody {
        /// The id.
        body: BodyId,
    },
}

impl QueryError {
    /// The same error for one query of a batch.
    pub(super) fn of(mut self, list: &str, index: usize) -> Self {
        if let Self::Beyond { field, .. } = &mut self {
            *field = format!("{list}[{index}].{field}");
        }
        self
    }
}

impl Ray {
    pub(super) fn check(&self) -> Result<(), QueryError> {
        check_vector("origin", self.origin, Scenery::EXTENT_MAX)?;
        check_vector("displacement", self.displacement, OFFSET_MAX)
    }
}

impl ShapeCast {
    pub(super) fn check(&self) -> Result<(), QueryError> {
        if self.shape.is_static() {
            return Err(QueryError::Boundless);
        }
        check_placed(&self.shape, "origin", self.origin)?;
        check_vector("displacement", self.displacement, MOTION_MAX)
    }
}

/// Checks a shape and its position.
pub(super) fn check_placed(shape: &Shape, field: &str, position: Vec3) -> Result<(), QueryError> {
    shape.check(Scalar::MAX)?;
    check_vector(field, position, Scenery::EXTENT_MAX)?;
    if let Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) = shape {
        return Err(QueryError::Boundless);
    }
    if let Shape::Plane(plane) = shape {
        check_vector("shape.point", plane.point(), Scenery::EXTENT_MAX)?;
    }
    Ok(())
}

/// Checks a distance.
pub(super) fn check_length(field: &str, value: Scalar) -> Result<(), QueryError> {
    check_range(field, value, Scalar::ZERO, OFFSET_MAX)
}

/// Checks each component of a vector.
pub(super) fn check_vector(field: &str, vector: Vec3, limit: Scalar) -> Result<(), QueryError> {
    if vector.within(limit) {
        return Ok(()); // no name is built for a valid number
    }
    for (axis, value) in [("x", vector.x), ("y", vector.y), ("z", vector.z)] {
        check_range(&format!("{field}.{axis}"), value, -limit, limit)?;
    }
    Ok(())
}

fn check_range(field: &str, value: Scalar, low: Scalar, high: Scalar) -> Result<(), QueryError> {
    let fits = low <= value && value <= high;
    if fits { Ok(()) } else { Err(QueryError::Beyond { field: field.to_owned(), value, low, high }) }
}
