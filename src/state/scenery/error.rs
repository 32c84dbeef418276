//! The errors of a scenery.

use crate::{num::Scalar, shape::ShapeError};

/// The reason why a scenery is refused.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SceneryError {
    /// A shape is refused.
    #[error("shape {index}: {error}")]
    Shape {
        /// The index of the shape.
        index: u64,
        /// The reason.
        error: ShapeError,
    },
    /// A plane's point or a static's position is too far out.
    #[error("{list} {index}: coordinate beyond {limit}")]
    TooFar {
        /// The name of the list.
        list: &'static str,
        /// The index of the entry.
        index: u64,
        /// The largest magnitude accepted.
        limit: Scalar,
    },
    /// A restitution above 1.
    #[error("material {index}: restitution_q16 is {value}, must be at most 65536")]
    Restitution {
        /// The index of the material.
        index: u64,
        /// The refused value.
        value: u32,
    },
    /// A friction above the largest.
    #[error("material {index}: friction_q16 is {value}, must be at most {limit}")]
    Friction {
        /// The index of the material.
        index: u64,
        /// The refused value.
        value: u32,
        /// The largest accepted value.
        limit: u32,
    },
    /// A static names a shape or material that does not exist.
    #[error("static {index}: no {list} {value}")]
    Missing {
        /// The index of the static.
        index: u64,
        /// The list that has no such entry.
        list: &'static str,
        /// The missing id.
        value: u16,
    },
    /// A static is in a layer that does not exist.
    #[error("static {index}: layer is {value}, must be in 0..=15")]
    Layer {
        /// The index of the static.
        index: u64,
        /// The refused layer.
        value: u8,
    },
    /// A child shape is refused in a compound.
    #[error("compound {index}, child {part}: {reason}")]
    Compound {
        /// The index of the compound.
        index: u64,
        /// The index of the child shape; the number of child shapes, if that is refused.
        part: u64,
        /// The reason.
        reason: &'static str,
    },
    /// A shape is open on a side that cannot be open.
    #[error("shape {index}: {reason}")]
    OneWay {
        /// The index of the shape.
        index: u64,
        /// The reason.
        reason: &'static str,
    },
    /// A list is too long.
    #[error("{list}: {count} entries, at most {limit} are accepted")]
    TooMany {
        /// The name of the list.
        list: &'static str,
        /// Its length.
        count: u64,
        /// The largest accepted length.
        limit: u64,
    },
}
