//! Any serde value as a list of named numbers.

use std::fmt::{self, Write as _};

use serde::ser::{self, Serialize, Serializer};

use super::SnapshotError;
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

/// Why a value cannot be walked: it holds something that is not the same everywhere.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WalkError(String);

impl ser::Error for WalkError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Every field of a value, in the order of its encoding.
///
/// # Errors
///
/// Names the path of the first thing that is not the same everywhere, such as a float.
pub(crate) fn walk<T: Serialize + ?Sized>(value: &T) -> Result<Vec<Field>, WalkError> {
    let mut walker = Walker::default();
    value.serialize(&mut walker)?;
    Ok(walker.fields)
}

#[derive(Default)]
struct Walker {
    path: String,
    fields: Vec<Field>,
}

impl Walker {
    fn leaf(&mut self, value: Value) -> Result<(), WalkError> {
        self.fields.push(Field { path: self.path.clone(), value });
        Ok(())
    }

    fn whole(&mut self, value: impl Into<i128>) -> Result<(), WalkError> {
        self.leaf(Value::Whole(value.into()))
    }

    fn refuse(&self, what: &str) -> Result<(), WalkError> {
        Err(WalkError(format!("{}: {what} in a state", self.path)))
    }

    /// Walks a member under its name.
    fn named<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), WalkError> {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }

    /// Walks an element under its index.
    fn indexed<T: Serialize + ?Sized>(&mut self, index: u64, value: &T) -> Result<(), WalkError> {
        let length = self.path.len();
        write!(self.path, "[{index}]").expect("a string takes every character");
        value.serialize(&mut *self)?;
        self.path.truncate(length);
        Ok(())
    }
}

/// A list or a record under way.
struct Members<'a> {
    walker: &'a mut Walker,
    next: u64,
}

impl<'a> Serializer for &'a mut Walker {
    type Ok = ();
    type Error = WalkError;
    type SerializeSeq = Members<'a>;
    type SerializeTuple = Members<'a>;
    type SerializeTupleStruct = Members<'a>;
    type SerializeTupleVariant = Members<'a>;
    type SerializeMap = ser::Impossible<(), WalkError>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), WalkError> {
        self.whole(value)
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
        self.leaf(Value::Text(format!("{value:032x}")))
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
        self.leaf(Value::Text(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Result<(), WalkError> {
        self.leaf(Value::Text(value.to_owned()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), WalkError> {
        (0..).zip(value).try_for_each(|(index, byte)| self.indexed(index, byte))
    }

    fn serialize_none(self) -> Result<(), WalkError> {
        self.leaf(Value::Absent)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), WalkError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), WalkError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), WalkError> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), WalkError> {
        self.leaf(Value::Text(variant.to_owned()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        value.serialize(&mut *self)?;
        // A scalar is written as its raw integer under this name.
        if let (crate::num::scalar::WIRE_NAME, Some(field)) = (name, self.fields.last_mut()) {
            if let Value::Whole(raw) = field.value {
                field.value = Value::Fixed(Scalar::from_bits(raw as i64));
            }
        }
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        self.named(variant, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, WalkError> {
        self.refuse("a map").map(|()| unreachable!("a refusal is an error"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Members<'a>, WalkError> {
        Ok(Members { walker: self, next: 0 })
    }
}

impl Members<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.next += 1;
        self.walker.indexed(self.next - 1, value)
    }
}

impl ser::SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.element(value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

impl ser::SerializeTuple for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.element(value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

impl ser::SerializeTupleStruct for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.element(value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

impl ser::SerializeTupleVariant for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WalkError> {
        self.element(value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

impl ser::SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        self.walker.named(name, value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}

impl ser::SerializeStructVariant for Members<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        self.walker.named(name, value)
    }

    fn end(self) -> Result<(), WalkError> {
        Ok(())
    }
}
