//! The errors of states, limits, materials and sceneries.

use crate::{num::Scalar, shape::ShapeError};

/// The reason why a state, its limits, a material or a scenery is refused.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// A limit is outside the range for which the arithmetic is proved.
    #[error("limit {field} is {value}, must be in {low}..={high}")]
    Limit {
        /// The name of the limit.
        field: &'static str,
        /// The refused value.
        value: Scalar,
        /// The least accepted value.
        low: Scalar,
        /// The greatest accepted value.
        high: Scalar,
    },
    /// A value is beyond one of the world's limits.
    #[error("{field} is {value}, must be at most {limit} in magnitude")]
    Beyond {
        /// The name of the value; for a body with its slot.
        field: String,
        /// The refused value.
        value: Scalar,
        /// The limit.
        limit: Scalar,
    },
    /// A count is beyond one of the world's limits.
    #[error("{field} is {value}, must be in {low}..={high}")]
    Count {
        /// The name of the count; for a body with its slot.
        field: String,
        /// The refused count.
        value: u64,
        /// The least accepted count.
        low: u64,
        /// The greatest accepted count.
        high: u64,
    },
    /// A body rotates whose inertia is out of range.
    #[error("{field}: {error}")]
    Inertia {
        /// The name of the field; for a body with its slot.
        field: String,
        /// Its moments of inertia, and their limits.
        error: ShapeError,
    },
    /// A value that no world has.
    #[error("{field}: {reason}")]
    Impossible {
        /// The name of the field; for a body with its slot.
        field: String,
        /// The reason.
        reason: &'static str,
    },
    /// The restitution or the friction of a material is out of range.
    #[error("{field} is {value}, must be in 0..={limit}")]
    Coefficient {
        /// `restitution` or `friction`.
        field: &'static str,
        /// The refused value.
        value: Scalar,
        /// The greatest accepted value.
        limit: Scalar,
    },
    /// A shape of a scenery is refused.
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
    #[error("compound {index}, child {child}: {reason}")]
    Compound {
        /// The index of the compound.
        index: u64,
        /// The index of the child shape; the number of child shapes, if that is refused.
        child: u64,
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
    /// No value of a type is encoded as this number.
    #[error("no {name} has number {number}")]
    Number {
        /// The name of the type.
        name: &'static str,
        /// The refused number.
        number: u8,
    },
    /// Bytes are no scenery.
    #[error("{0}")]
    Malformed(String),
    /// A height is out of the range of its ground, which a box of 8,192 units around what the scenery has holds.
    #[error("the height at column {column}, row {row} is {value}, must be in {low}..={high}")]
    Height {
        /// The column of the point.
        column: u32,
        /// The row of the point.
        row: u32,
        /// The refused height, in the ground's unit.
        value: i16,
        /// The least accepted height.
        low: i16,
        /// The greatest accepted height.
        high: i16,
    },
    /// A list of a scenery is too long.
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

impl StateError {
    pub(super) fn beyond(field: &str, value: Scalar, limit: Scalar) -> Self {
        Self::Beyond { field: field.to_owned(), value, limit }
    }

    pub(crate) fn impossible(field: &str, reason: &'static str) -> Self {
        Self::Impossible { field: field.to_owned(), reason }
    }

    /// The same error for the body in a slot.
    pub(super) fn in_slot(mut self, slot: usize) -> Self {
        if let Self::Beyond { field, .. }
        | Self::Count { field, .. }
        | Self::Inertia { field, .. }
        | Self::Impossible { field, .. } = &mut self
        {
            *field = format!("slots[{slot}].{field}");
        }
        self
    }
}
