//! Any serde value as a list of leaves, with the position of each in the encoding.

use std::fmt::{self, Write as _};

use serde::ser::{self, Serialize};

mod keys;
mod members;
mod serializer;
#[cfg(test)]
mod tests;

use self::keys::Rank;
use super::{Field, SnapshotError, Value};
use crate::num::Scalar;

/// The reason why a value cannot be walked, as a serializer says it: without the path.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct VisitError(String);

impl ser::Error for VisitError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// One number of a value, its path, and its position in the encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// The path, as in [`Field`].
    pub path: String,
    /// The number.
    pub value: Value,
    /// Its first byte in the encoding.
    pub at: usize,
    /// Number of its bytes: of a text those behind the length; of an absent or empty value those that say so.
    pub width: usize,
}

/// Every field of a value, in the order of its encoding.
///
/// # Errors
///
/// Names the path of the first value that is not the same on every machine, such as a float.
pub(crate) fn visit<T: Serialize + ?Sized>(value: &T) -> Result<Vec<Field>, SnapshotError> {
    let (leaves, _) = leaves(value)?;
    Ok(leaves.into_iter().map(|Leaf { path, value, .. }| Field { path, value }).collect())
}

/// Every leaf of a value, in the order of its encoding, and the number of bytes of that.
///
/// # Errors
///
/// As [`visit`].
pub(crate) fn leaves<T: Serialize + ?Sized>(value: &T) -> Result<(Vec<Leaf>, usize), SnapshotError> {
    let mut walker = FieldVisitor::default();
    match value.serialize(&mut walker) {
        Ok(()) => Ok((walker.leaves, walker.at)),
        // A path is left as it is where the walk ends.
        Err(VisitError(reason)) => Err(SnapshotError::Unfit { path: walker.path, reason }),
    }
}

/// Number of bytes of a variant's number and of a list's length.
const VARIANT: usize = 4;
const LENGTH: usize = 8;

/// A variant that is being walked.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    /// Position of its number.
    at: usize,
    /// Number of leaves before its members.
    first: usize,
    /// True if its number is a leaf already.
    is_leaf: bool,
}

#[derive(Default)]
struct FieldVisitor {
    path: String,
    leaves: Vec<Leaf>,
    /// Number of bytes walked.
    at: usize,
    /// The ranks that decide the order, while a key is walked.
    ranks: Option<Vec<Rank>>,
}

impl FieldVisitor {
    fn of_a_key() -> Self {
        Self { ranks: Some(Vec::new()), ..Self::default() }
    }

    fn leaf(&mut self, value: Value, width: usize) -> Result<(), VisitError> {
        self.rank(|| Rank::of(&value));
        self.unranked_leaf(value, width);
        Ok(())
    }

    fn unranked_leaf(&mut self, value: Value, width: usize) {
        self.put_leaf(value, self.at, width);
        self.at += width;
    }

    fn rank(&mut self, rank: impl FnOnce() -> Rank) {
        if let Some(ranks) = &mut self.ranks {
            ranks.push(rank());
        }
    }

    fn whole<T: Copy + Into<i128>>(&mut self, value: T) -> Result<(), VisitError> {
        self.leaf(Value::Whole(value.into()), size_of::<T>())
    }

    /// Takes the latest number, the raw of a scalar, as the scalar.
    fn scalar(&mut self) {
        if let Some(leaf) = self.leaves.last_mut() {
            if let Value::Whole(raw) = leaf.value {
                leaf.value = Value::Fixed(Scalar::from_bits(raw as i64));
            }
        }
    }

    fn refuse<T>(&self, what: &str) -> Result<T, VisitError> {
        Err(VisitError(format!("{what} in a state")))
    }

    /// Walks a member under its name.
    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), VisitError> {
        let length = self.path.len();
        self.push_name(name);
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }

    fn push_name(&mut self, name: &str) {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(name);
    }

    /// Walks an element under its index.
    fn indexed<T: Serialize + ?Sized>(&mut self, index: u64, value: &T) -> Result<(), VisitError> {
        self.bracketed(index, value)
    }

    /// Walks an element under its index or its key.
    fn bracketed<T: Serialize + ?Sized>(
        &mut self,
        index: impl fmt::Display,
        value: &T,
    ) -> Result<(), VisitError> {
        let length = self.path.len();
        write!(self.path, "[{index}]").expect("a string takes every character");
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Begins a list or a map, with its length in front; an empty one is a leaf itself.
    fn begin(&mut self, length: Option<usize>) -> Result<(), VisitError> {
        if self.ranks.is_some() {
            return self.refuse("a map whose keys hold lists");
        }
        match length {
            None => self.refuse("a list of unknown length"),
            Some(0) => self.leaf(Value::Absent, LENGTH),
            Some(_) => {
                self.at += LENGTH;
                Ok(())
            }
        }
    }

    /// Begins a variant with content; one without is a leaf itself.
    fn variant(&mut self, (number, name): (u32, &'static str), members: usize) -> Variant {
        self.rank(|| Rank::Number(number.into()));
        let at = self.at;
        if members == 0 || self.ranks.is_some() {
            self.unranked_leaf(Value::Text(name.to_owned()), VARIANT);
        } else {
            self.at += VARIANT;
        }
        Variant { name, at, first: self.leaves.len(), is_leaf: members == 0 || self.ranks.is_some() }
    }

    /// Ends a variant: one whose members have no number between them is a leaf itself.
    fn close_variant(&mut self, Variant { name, at, first, is_leaf }: Variant) {
        if !is_leaf && self.leaves.len() == first {
            self.put_leaf(Value::Text(name.to_owned()), at, VARIANT);
        }
    }

    /// Tells a present value from an absent one, from a leaf on: the value may be nothing, or empty.
    fn tell_from_none(&mut self, at: usize, first: usize) {
        let Some(leaf) = self.leaves.get_mut(first) else {
            return self.put_leaf(Value::Text("some".to_owned()), at, 1);
        };
        let is_nothing = match &leaf.value {
            Value::Absent => true,
            // Longer than its bytes: this is no text of the value, but was written here for an inner option.
            Value::Text(text) => text.ends_with("some none") && leaf.width < text.len(),
            _ => false,
        };
        if is_nothing && leaf.path == self.path {
            leaf.value = Value::Text(format!("some {}", leaf.value));
        }
    }

    fn put_leaf(&mut self, value: Value, at: usize, width: usize) {
        let path = self.path.clone();
        self.leaves.push(Leaf { path, value, at, width });
    }
}
