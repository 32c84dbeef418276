//! Lists of values by name.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};

use super::leaf::Leaf;

/// `{ "name": value, .. }` in the order of the file.
pub struct Named<'a, T> {
    pub entries: Vec<(Leaf<'a>, T)>,
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Named<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<'a, T>(PhantomData<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<'a, T> {
    type Value = Named<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names with values: { \"name\": value, .. }")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Named { entries })
    }
}

impl<T> Default for Named<'_, T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}
