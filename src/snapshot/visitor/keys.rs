//! Maps: the order of their keys must follow from the keys.

use serde::ser::{self, Serialize};

use super::{FieldVisitor, Value, VisitError};

/// The rank of one number of a key.
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

/// A map that is being walked.
pub(super) struct Entries<'a> {
    walker: &'a mut FieldVisitor,
    /// The numbers of the latest key.
    last: Option<Vec<Rank>>,
    /// The latest key as written in a path.
    key: String,
}

impl<'a> Entries<'a> {
    pub(super) fn new(walker: &'a mut FieldVisitor) -> Self {
        Self { walker, last: None, key: String::new() }
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = VisitError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), VisitError> {
        let mut inner = FieldVisitor { path: self.walker.path.clone(), ..FieldVisitor::of_a_key() };
        if let Err(error) = key.serialize(&mut inner) {
            self.walker.path = inner.path;
            return Err(error);
        }
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

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), VisitError> {
        let key = std::mem::take(&mut self.key);
        self.walker.bracketed(&key, value)
    }

    fn end(self) -> Result<(), VisitError> {
        Ok(())
    }
}

/// A part of a key as written in a path; a text that could be mistaken for something else is quoted.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::{super::visit, ser};

    #[test]
    fn fields_that_differ_between_machines_are_refused_by_their_path() {
        #[derive(Serialize)]
        struct Camp<T> {
            tents: [T; 2],
        }
        fn refusal<T: Serialize>(inner: T, other: T) -> String {
            visit(&Camp { tents: [other, inner] }).unwrap_err().to_string()
        }
        let falling = Falling(&[(5, 0), (4, 1)]);
        assert_eq!(
            refusal(falling, Falling(&[(4, 0), (5, 1)])),
            "tents[1]: a map in no order of its keys in a state"
        );
        let twice = Falling(&[(5, 0), (5, 1)]);
        assert_eq!(refusal(twice, Falling(&[])), "tents[1]: a map in no order of its keys in a state");
        let lists: BTreeMap<Vec<u8>, u8> = [(vec![1], 1)].into();
        assert_eq!(refusal(lists, BTreeMap::new()), "tents[1]: a map whose keys hold lists in a state");
        #[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
        struct Team {
            members: Vec<u8>,
        }
        let teams = [(Team { members: vec![1] }, 1)];
        assert_eq!(
            refusal(BTreeMap::from(teams), BTreeMap::new()),
            "tents[1].members: a map whose keys hold lists in a state"
        );
        #[derive(Serialize)]
        struct Endless {
            #[serde(flatten)]
            inner: Wrapper,
        }
        #[derive(Serialize)]
        struct Wrapper {
            x: u8,
        }
        let endless = || Endless { inner: Wrapper { x: 1 } };
        assert_eq!(refusal(endless(), endless()), "tents[0]: a list of unknown length in a state");
    }

    /// A map whose entries come in the order written here.
    struct Falling(&'static [(i64, u8)]);

    impl Serialize for Falling {
        fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().copied())
        }
    }
}
