//! Any serde value as a list of leaves: what each is, and where it is in the encoding.

use std::fmt::{self, Write as _};

use serde::ser::{self, Serialize, Serializer};

mod keys;
mod members;
#[cfg(test)]
mod tests;

use self::{
    keys::{Entries, Rank},
    members::Members,
};
use super::{Field, Value};
use crate::num::Scalar;

/// Why a value cannot be walked: it holds something that is not the same everywhere.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WalkError(String);

impl ser::Error for WalkError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// One number of a value, the way to it, and where it is in the encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// As in [`Field`].
    pub path: String,
    /// The number.
    pub value: Value,
    /// Its first byte in the encoding.
    pub at: usize,
    /// How many bytes it has there: of a text those behind the length, of what is absent or empty those
    /// that say so.
    pub width: usize,
}

/// Every field of a value, in the order of its encoding.
///
/// # Errors
///
/// Names the path of the first thing that is not the same everywhere, such as a float.
pub(crate) fn walk<T: Serialize + ?Sized>(value: &T) -> Result<Vec<Field>, WalkError> {
    let (leaves, _) = leaves(value)?;
    Ok(leaves.into_iter().map(|Leaf { path, value, .. }| Field { path, value }).collect())
}

/// Every leaf of a value, in the order of its encoding, and how many bytes that has.
///
/// # Errors
///
/// As [`walk`].
pub(crate) fn leaves<T: Serialize + ?Sized>(value: &T) -> Result<(Vec<Leaf>, usize), WalkError> {
    let mut walker = Walker::default();
    value.serialize(&mut walker)?;
    Ok((walker.leaves, walker.at))
}

/// How many bytes the number of a variant and the length of a list have.
const VARIANT: usize = 4;
const LENGTH: usize = 8;

#[derive(Default)]
struct Walker {
    path: String,
    leaves: Vec<Leaf>,
    /// How many bytes were walked.
    at: usize,
    /// What decides the order, while a key is walked.
    ranks: Option<Vec<Rank>>,
}

impl Walker {
    fn of_a_key() -> Self {
        Self { ranks: Some(Vec::new()), ..Self::default() }
    }

    fn leaf(&mut self, value: Value, width: usize) -> Result<(), WalkError> {
        self.rank(|| Rank::of(&value));
        self.unranked_leaf(value, width);
        Ok(())
    }

    fn unranked_leaf(&mut self, value: Value, width: usize) {
        let (path, at) = (self.path.clone(), self.at);
        self.leaves.push(Leaf { path, value, at, width });
        self.at += width;
    }

    fn rank(&mut self, rank: impl FnOnce() -> Rank) {
        if let Some(ranks) = &mut self.ranks {
            ranks.push(rank());
        }
    }

    fn whole<T: Copy + Into<i128>>(&mut self, value: T) -> Result<(), WalkError> {
        self.leaf(Value::Whole(value.into()), size_of::<T>())
    }

    fn refuse<T>(&self, what: &str) -> Result<T, WalkError> {
        Err(WalkError(format!("{}: {what} in a state", self.path)))
    }

    /// Walks a member under its name.
    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), WalkError> {
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
    fn indexed<T: Serialize + ?Sized>(&mut self, index: u64, value: &T) -> Result<(), WalkError> {
        self.bracketed(index, value)
    }

    /// Walks an element under its index or its key.
    fn bracketed<T: Serialize + ?Sized>(
        &mut self,
        index: impl fmt::Display,
        value: &T,
    ) -> Result<(), WalkError> {
        let length = self.path.len();
        write!(self.path, "[{index}]").expect("a string takes every character");
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Begins a list or a map, whose length is in front; an empty one is a leaf itself.
    fn begin(&mut self, length: Option<usize>) -> Result<(), WalkError> {
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

    /// Begins a variant that holds something; one that holds nothing is a leaf itself.
    fn variant(&mut self, (number, name): (u32, &str), members: usize) {
        self.rank(|| Rank::Number(number.into()));
        if members == 0 || self.ranks.is_some() {
            self.unranked_leaf(Value::Text(name.to_owned()), VARIANT);
        } else {
            self.at += VARIANT;
        }
    }
}

impl<'a> Serializer for &'a mut Walker {
    type Ok = ();
    type Error = WalkError;
    type SerializeSeq = Members<'a>;
    type SerializeTuple = Members<'a>;
    type SerializeTupleStruct = Members<'a>;
    type SerializeTupleVariant = Members<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), WalkError> {
        self.whole(u8::from(value))
    }

    fn serialize_i8(self, value: i8) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), WalkError> {
        self.whole(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), WalkError> {
        self.leaf(Value::Text(format!("{value:032x}")), size_of::<u128>())
    }

    #[allow(clippy::disallowed_types)] // a serializer names what it refuses
    fn serialize_f32(self, _: f32) -> Result<(), WalkError> {
        self.refuse("a float")
    }

    #[allow(clippy::disallowed_types)] // a serializer names what it refuses
    fn serialize_f64(self, _: f64) -> Result<(), WalkError> {
        self.refuse("a float")
    }

    fn serialize_char(self, value: char) -> Result<(), WalkError> {
        self.leaf(Value::Text(value.to_string()), value.len_utf8())
    }

    fn serialize_str(self, value: &str) -> Result<(), WalkError> {
        self.at += LENGTH;
        self.leaf(Value::Text(value.to_owned()), value.len())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), WalkError> {
        self.begin(Some(value.len()))?;
        (0..).zip(value).try_for_each(|(index, byte)| self.indexed(index, byte))
    }

    fn serialize_none(self) -> Result<(), WalkError> {
        self.leaf(Value::Absent, 1)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), WalkError> {
        self.rank(|| Rank::Number(1));
        self.at += 1;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), WalkError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), WalkError> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
    ) -> Result<(), WalkError> {
        self.variant((number, variant), 0);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        value.serialize(&mut *self)?;
        // A scalar is written as its raw integer under this name.
        if let (crate::num::scalar::WIRE_NAME, Some(leaf)) = (name, self.leaves.last_mut()) {
            if let Value::Whole(raw) = leaf.value {
                leaf.value = Value::Fixed(Scalar::from_bits(raw as i64));
            }
        }
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        self.variant((number, variant), 1);
        self.named(variant, value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Members<'a>, WalkError> {
        self.begin(length)?;
        Ok(Members::new(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members::new(self))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members::new(self))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        members: usize,
    ) -> Result<Members<'a>, WalkError> {
        self.variant((number, variant), members);
        Ok(Members::of_variant(self, variant))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'a>, WalkError> {
        self.begin(length)?;
        Ok(Entries::new(self))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members::new(self))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        members: usize,
    ) -> Result<Members<'a>, WalkError> {
        self.variant((number, variant), members);
        Ok(Members::of_variant(self, variant))
    }
}
