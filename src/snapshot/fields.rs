//! A state as a list of named numbers.

use std::fmt::{self, Write as _};

use super::{SnapshotError, visit};
use crate::{
    num::Scalar,
    state::{State, wire},
    tick::World,
};

/// One number of a state, and its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Names and indices from the root: `slots[17].body.momentum.y`.
    pub path: String,
    /// The number.
    pub value: Value,
}

/// A number of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A whole number, or a truth value as 0 or 1.
    Whole(i128),
    /// A fixed-point number.
    Fixed(Scalar),
    /// The name of a variant, or a text.
    Text(String),
    /// An absent value.
    Absent,
}

impl fmt::Display for Value {
    /// Fixed-point numbers come in decimal and in raw.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => write!(f, "{value}"),
            Self::Fixed(value) => write!(f, "{value} (raw {})", value.to_bits()),
            Self::Text(value) if value.is_empty() => f.write_str("\"\""),
            Self::Text(value) => value.chars().try_for_each(|each| match each {
                // Characters that would move or colour other text on the screen are escaped: a text may come
                // from a stranger.
                _ if each.is_control() || is_of_direction(each) => write!(f, "{}", each.escape_unicode()),
                _ => f.write_char(each),
            }),
            Self::Absent => f.write_str("none"),
        }
    }
}

/// True if a character changes the direction of the text behind it.
const fn is_of_direction(each: char) -> bool {
    matches!(each, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Every field of a world's state, in the order of its encoding.
#[must_use]
pub fn fields(world: &World) -> Vec<Field> {
    visit(world.state()).expect("a state holds integers, lists and options only")
}

/// Every field of the encoding of a state, which a [`PhaseState`](crate::session::PhaseState) keeps.
///
/// # Errors
///
/// If the bytes are damaged.
pub fn fields_of_state(bytes: &[u8]) -> Result<Vec<Field>, SnapshotError> {
    let state: State = wire::decode(bytes).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
    Ok(visit(&state).expect("a state holds integers, lists and options only"))
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_text_does_nothing_to_the_screen() {
        let shown = |text: &str| Value::Text(text.to_owned()).to_string();
        assert_eq!(shown("Köln, \"a\\b\""), "Köln, \"a\\b\"");
        assert_eq!(shown(""), "\"\"");
        assert_eq!(shown("\u{1b}[31ma\nb\u{202e}c"), "\\u{1b}[31ma\\u{a}b\\u{202e}c");
    }
}
