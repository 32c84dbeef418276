//! Lists, records and variants under way.

use serde::ser::{self, Serialize};

use super::{Variant, WalkError, Walker};
use crate::num::scalar::{PLAIN_FIELD, PLAIN_NAME};

/// A list or the members of a variant under way.
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

/// A record under way.
pub(super) struct Record<'a> {
    walker: &'a mut Walker,
    name: &'static str,
}

impl<'a> Record<'a> {
    pub(super) fn new(walker: &'a mut Walker, name: &'static str) -> Self {
        Self { walker, name }
    }
}

impl ser::SerializeStruct for Record<'_> {
    type Ok = ();
    type Error = WalkError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), WalkError> {
        if (self.name, name) != (PLAIN_NAME, PLAIN_FIELD) {
            return self.walker.named(name, value);
        }
        // A scalar with the serde of its own type: one number, under the name of its holder.
        value.serialize(&mut *self.walker)?;
        self.walker.scalar();
        Ok(())
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
        self.leave();
        Ok(())
    }
}
