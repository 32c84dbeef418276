//! The values that serde knows, and the number of bytes of each.

use serde::ser::{Serialize, Serializer};

use super::{
    FieldVisitor, LENGTH, Value, VisitError,
    keys::{Entries, Rank},
    members::{Members, Record},
};
use crate::num::scalar::WIRE_NAME;

impl<'a> Serializer for &'a mut FieldVisitor {
    type Ok = ();
    type Error = VisitError;
    type SerializeSeq = Members<'a>;
    type SerializeTuple = Members<'a>;
    type SerializeTupleStruct = Members<'a>;
    type SerializeTupleVariant = Members<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Record<'a>;
    type SerializeStructVariant = Members<'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), VisitError> {
        self.whole(u8::from(value))
    }

    fn serialize_i8(self, value: i8) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), VisitError> {
        self.whole(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), VisitError> {
        self.leaf(Value::Text(format!("{value:032x}")), size_of::<u128>())
    }

    #[allow(clippy::disallowed_types)] // a serializer names what it refuses
    fn serialize_f32(self, _: f32) -> Result<(), VisitError> {
        self.refuse("a float")
    }

    #[allow(clippy::disallowed_types)] // a serializer names what it refuses
    fn serialize_f64(self, _: f64) -> Result<(), VisitError> {
        self.refuse("a float")
    }

    fn serialize_char(self, value: char) -> Result<(), VisitError> {
        self.leaf(Value::Text(value.to_string()), value.len_utf8())
    }

    fn serialize_str(self, value: &str) -> Result<(), VisitError> {
        self.at += LENGTH;
        self.leaf(Value::Text(value.to_owned()), value.len())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), VisitError> {
        self.begin(Some(value.len()))?;
        (0..).zip(value).try_for_each(|(index, byte)| self.indexed(index, byte))
    }

    fn serialize_none(self) -> Result<(), VisitError> {
        self.leaf(Value::Absent, 1)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), VisitError> {
        self.rank(|| Rank::Number(1));
        let (at, first) = (self.at, self.leaves.len());
        self.at += 1;
        value.serialize(&mut *self)?;
        self.tell_from_none(at, first);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), VisitError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), VisitError> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
    ) -> Result<(), VisitError> {
        self.variant((number, variant), 0);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), VisitError> {
        value.serialize(&mut *self)?;
        // A scalar is written as its raw integer under this name.
        if name == WIRE_NAME {
            self.scalar();
        }
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), VisitError> {
        let opened = self.variant((number, variant), 1);
        self.named(variant, value)?;
        self.close_variant(opened);
        Ok(())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Members<'a>, VisitError> {
        self.begin(length)?;
        Ok(Members::new(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'a>, VisitError> {
        Ok(Members::new(self))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, VisitError> {
        Ok(Members::new(self))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        members: usize,
    ) -> Result<Members<'a>, VisitError> {
        let opened = self.variant((number, variant), members);
        Ok(Members::of_variant(self, opened))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Entries<'a>, VisitError> {
        self.begin(length)?;
        Ok(Entries::new(self))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Record<'a>, VisitError> {
        Ok(Record::new(self, name))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        number: u32,
        variant: &'static str,
        members: usize,
    ) -> Result<Members<'a>, VisitError> {
        let opened = self.variant((number, variant), members);
        Ok(Members::of_variant(self, opened))
    }
}
