//! Why a scenery is refused.

use crate::{num::Scalar, shape::ShapeError};

/// Why a scenery is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SceneryError {
    /// A shape is refused.
    #[error("shape {index}: {error}")]
    Shape {
        /// Which shape.
        index: u64,
        /// Why.
        error: ShapeError,
    },
    /// A plane's point or a static's position is too far out.
    #[error("{list} {index}: coordinate beyond {limit}")]
    TooFar {
        /// Which list.
        list: &'static str,
        /// Which entry.
        index: u64,
        /// The largest magnitude accepted.
        limit: Scalar,
    },
    /// A restitution above 1.
    #[error("material {index}: restitution_q16 is {value}, must be at most 65536")]
    Restitution {
        /// Which material.
        index: u64,
        /// What it was.
        value: u32,
    },
    /// A friction above the largest.
    #[error("material {index}: friction_q16 is {value}, must be at most {limit}")]
    Friction {
        /// Which material.
        index: u64,
        /// What it was.
        value: u32,
        /// What it may be at most.
        limit: u32,
    },
    /// A static names a shape or material that is not there.
    #[error("static {index}: no {list} {value}")]
    Missing {
        /// Which static.
        index: u64,
        /// Which list lacks it.
        list: &'static str,
        /// The name.
        value: u16,
    },
    /// A static in a layer that is not there.
    #[error("static {index}: layer is {value}, must be in 0..=15")]
    Layer {
        /// Which static.
        index: u64,
        /// What it was.
        value: u8,
    },
    /// A part of a set that no set has.
    #[error("set {index}, part {part}: {reason}")]
    Set {
        /// Which set.
        index: u64,
        /// Which part; how many there are, if that is what is wrong.
        part: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A shape is open on a side that cannot be.
    #[error("shape {index}: {reason}")]
    OneWay {
        /// Which shape.
        index: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A list is too long.
    #[error("{list}: {count} entries, at most {limit} are accepted")]
    TooMany {
        /// Which list.
        list: &'static str,
        /// How long it is.
        count: u64,
        /// How long it may be.
        limit: u64,
    },
}
