//! The reason why a state is refused.

use super::LimitError;
use crate::{geom::InertiaError, num::Scalar};

/// The reason why a state is refused.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// A limit is outside the range for which the arithmetic is proved.
    #[error(transparent)]
    Limit(#[from] LimitError),
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
        error: InertiaError,
    },
    /// A value that no world has.
    #[error("{field}: {reason}")]
    Impossible {
        /// The name of the field; for a body with its slot.
        field: String,
        /// The reason.
        reason: &'static str,
    },
}

impl StateError {
    pub(super) fn beyond(field: &str, value: Scalar, limit: Scalar) -> Self {
        Self::Beyond { field: field.to_owned(), value, limit }
    }

    pub(crate) fn impossible(field: &str, reason: &'static str) -> Self {
        Self::Impossible { field: field.to_owned(), reason }
    }

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
