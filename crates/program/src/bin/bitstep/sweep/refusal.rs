//! The reason for which a line has no answer.

use std::fmt::Display;

use serde::Serialize;

/// A line that cannot be answered: a sentence, and of a value out of range the field, the value and the
/// limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
}

impl Refusal {
    /// A text that is no question.
    pub fn text(error: String) -> Self {
        Self { error, field: None, value: None, limit: None }
    }

    /// A value beyond its limit, which ends the sentence "must be".
    pub fn value(field: &str, value: impl Display, limit: impl Display) -> Self {
        let (field, value, limit) = (field.to_owned(), value.to_string(), limit.to_string());
        let error = format!("{field} is {value}, must be {limit}");
        Self { error, field: Some(field), value: Some(value), limit: Some(limit) }
    }

    /// A field that does not belong there, or whose parts do not go together.
    pub fn field(field: &str, reason: impl Display) -> Self {
        Self { field: Some(field.to_owned()), ..Self::text(format!("{field} {reason}")) }
    }
}
