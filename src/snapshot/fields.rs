//! A state as a list of named numbers.

use std::fmt;

use super::{SnapshotError, walk};
use crate::{
    num::Scalar,
    world::{State, World, wire},
};

/// One number of a state, and the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Names and indices from the root: `slots[17].body.momentum.y`.
    pub path: String,
    /// The number.
    pub value: Value,
}

/// A number, as it is in the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A whole number, or a truth value as 0 or 1.
    Whole(i128),
    /// A fixed-point number.
    Fixed(Scalar),
    /// The name of a variant, or a text.
    Text(String),
    /// Nothing there.
    Absent,
}

impl fmt::Display for Value {
    /// Fixed-point numbers come in decimal and in raw.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => write!(f, "{value}"),
            Self::Fixed(value) => write!(f, "{value} (raw {})", value.to_bits()),
            Self::Text(value) => f.write_str(value),
            Self::Absent => f.write_str("none"),
        }
    }
}

/// Every field of a world's state, in the order of its encoding.
#[must_use]
pub fn fields(world: &World) -> Vec<Field> {
    walk(world.state()).expect("a state holds integers, lists and options only")
}

/// Every field of a state's encoding, which a [`PhaseState`](crate::session::PhaseState) keeps.
///
/// # Errors
///
/// If the bytes are damaged.
pub fn fields_of_state(bytes: &[u8]) -> Result<Vec<Field>, SnapshotError> {
    let state: State = wire::decode(bytes).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
    Ok(walk(&state).expect("a state holds integers, lists and options only"))
}
