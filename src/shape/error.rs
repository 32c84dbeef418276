//! The errors of shapes.

use crate::num::Scalar;

/// Error: a shape is refused.
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
}
