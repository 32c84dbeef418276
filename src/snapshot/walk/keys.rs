//! Maps: their keys must come in an order that follows from the keys.

use serde::ser::{self, Serialize};

use super::{Value, WalkError, Walker};

/// What decides the place of one number of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// A number, or the number of a variant.
    Number(i128),
    /// A text, by its bytes.
    Text(String),
}

impl Rank {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Whole(value) => Self::Number(*value),
            Value::Fixed(value) => Self::Number(value.to_bits().into()),
            Value::Text(text) => Self::Text(text.clone()),
            Value::Absent => Self::Number(0),
        }
    }
}

/// A map under way.
pub(super) struct Entries<'a> {
    walker: &'a mut Walker,
    /// The numbers of the latest key.
    last: Option<Vec<Rank>>,
    /// How the latest key is written in a path.
    key: String,
}

impl<'a> Entries<'a> {
    pub(super) fn new(walker: &'a mut Walker) -> Self {
        Self { walker, last: None, key: String::new() }
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WalkError> {
        let mut inner = Walker { path: self.walker.path.clone(), ..Walker::of_a_key() };
        key.serialize(&mut inner)?;
        let ranks = inner.ranks.take();
        if self.last >= ranks {
            let what = "a map in no order of its keys";
            return self.walker.refuse(what);
        }
        self.last = ranks;
        self.walker.at += inner.at;
        let texts: Vec<String> = inner.leaves.iter().map(|leaf| written(&leaf.value)).collect();
        self.key = texts.join(",");
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        let key = std::mem::take(&mut self.key);
        self.walker.bracketed(&key, value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

/// A part of a key as it stands in a path; a text that could be taken for something else is quoted.
fn written(value: &Value) -> String {
    match value {
        Value::Fixed(value) => value.to_string(),
        Value::Text(text) if !is_plain(text) => format!("{text:?}"),
        _ => value.to_string(),
    }
}

fn is_plain(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_alphabetic() || first == '_');
    begins && text.chars().all(|each| each.is_alphanumeric() || each == '_' || each == '-') && text != "none"
}
