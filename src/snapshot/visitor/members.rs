//! Lists, records and variants under way.

use serde::ser::{self, Serialize};

use super::{FieldVisitor, Variant, VisitError};
use crate::num::scalar::{PLAIN_FIELD, PLAIN_NAME};

/// A list or the members of a variant under way.
pub(super) struct Members<'a> {
    walker: &'a mut FieldVisitor,
    next: u64,
    /// Length of the path before it.
    length: usize,
    variant: Option<Variant>,
}

impl<'a> Members<'a> {
    pub(super) fn new(walker: &'a mut FieldVisitor) -> Self {
        let length = walker.path.len();
        Self { walker, next: 0, length, variant: None }
    }

    /// The members of a variant, under its name.
    pub(super) fn of_variant(walker: &'a mut FieldVisitor, variant: Variant) -> Self {
        let length = walker.path.len();
        walker.push_name(variant.name);
        Self { walker, next: 0, length, variant: Some(variant) }
    }

    /// Leaves a variant; each element of a list has left its own path already.
    fn leave(self) {
        self.walker.path.truncate(self.length);
        if let Some(variant) = self.variant {
            self.walker.close_variant(variant);
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        self.next += 1;
        self.walker.indexed(self.next - 1, value)
    }
}

impl ser::SerializeSeq for Members<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        self.element(value)
    }

    fn end(self) -> Result<(), VisitError> {
        Ok(())
    }
}

impl ser::SerializeTuple for Members<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        self.element(value)
    }

    fn end(self) -> Result<(), VisitError> {
        Ok(())
    }
}

impl ser::SerializeTupleStruct for Members<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        self.element(value)
    }

    fn end(self) -> Result<(), VisitError> {
        Ok(())
    }
}

impl ser::SerializeTupleVariant for Members<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        self.element(value)
    }

    fn end(self) -> Result<(), VisitError> {
        self.leave();
        Ok(())
    }
}

/// A record under way.
pub(super) struct Record<'a> {
    walker: &'a mut FieldVisitor,
    name: &'static str,
}

impl<'a> Record<'a> {
    pub(super) fn new(walker: &'a mut FieldVisitor, name: &'static str) -> Self {
        Self { walker, name }
    }
}

impl ser::SerializeStruct for Record<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), VisitError> {
        if (self.name, name) != (PLAIN_NAME, PLAIN_FIELD) {
            return self.walker.named(name, value);
        }
        // A scalar with the serde of its own type: one number, under the name of its holder.
        value.serialize(&mut *self.walker)?;
        self.walker.scalar();
        Ok(())
    }

    fn end(self) -> Result<(), VisitError> {
        Ok(())
    }
}

impl ser::SerializeStructVariant for Members<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), VisitError> {
        self.walker.named(name, value)
    }

    fn end(self) -> Result<(), VisitError> {
        self.leave();
        Ok(())
    }
}
