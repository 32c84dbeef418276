//! Lists and records that are being walked.

use serde::ser::{self, Serialize};

use super::{Variant, WalkError, Walker};

/// A list or a record that is being walked.
pub(super) struct Members<'a> {
    walker: &'a mut Walker,
    next: u64,
    /// Length of the path before it.
    length: usize,
    variant: Option<Variant>,
}

impl<'a> Members<'a> {
    pub(super) fn new(walker: &'a mut Walker) -> Self {
        let length = walker.path.len();
        Self { walker, next: 0, length, variant: None }
    }

    /// The members of a variant, under its name.
    pub(super) fn of_variant(walker: &'a mut Walker, variant: Variant) -> Self {
        let length = walker.path.len();
        walker.push_name(variant.name);
        Self { walker, next: 0, length, variant: Some(variant) }
    }

    fn leave(self) {
        self.walker.path.truncate(self.length);
        if let Some(variant) = self.variant {
            self.walker.close_variant(variant);
        }
    }

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
        self.leave();
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
        self.leave();
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
        self.leave();
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
        self.leave();
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
        self.leave();
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
        self.leave();
        Ok(())
    }
}
