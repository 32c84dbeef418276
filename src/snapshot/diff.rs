//! Where two worlds differ.

use std::{collections::BTreeMap, fmt};

use super::{Field, Value, fields};
use crate::world::World;

/// One field that two worlds do not agree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The field's path, as in [`Field`].
    pub path: String,
    /// Its value in the first world; `None` where that has no such field.
    pub left: Option<Value>,
    /// Its value in the second world; `None` where that has no such field.
    pub right: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, left, right } = self;
        let show = |value: &Option<Value>| value.as_ref().map_or("(no field)".to_owned(), Value::to_string);
        write!(f, "{path}: {} | {}", show(left), show(right))
    }
}

/// Every field in which two worlds differ: first the left one's fields in the order of the
/// encoding, then those that only the right one has.
///
/// Both are walked by the definition that encodes them, so the list is empty exactly when their
/// states' bytes are equal. The scenery is not compared.
#[must_use]
pub fn diff(left: &World, right: &World) -> Vec<Difference> {
    let (left, right) = (fields(left), fields(right));
    let (in_left, in_right) = (by_path(&left), by_path(&right));
    let of_left = left.iter().map(|field| (field, Some(&field.value), in_right.get(&*field.path).copied()));
    let only_right = right.iter().filter(|field| !in_left.contains_key(&*field.path));
    of_left
        .chain(only_right.map(|field| (field, None, Some(&field.value))))
        .filter(|(_, left, right)| left != right)
        .map(|(field, left, right)| Difference {
            path: field.path.clone(),
            left: left.cloned(),
            right: right.cloned(),
        })
        .collect()
}

fn by_path(fields: &[Field]) -> BTreeMap<&str, &Value> {
    fields.iter().map(|field| (&*field.path, &field.value)).collect()
}
