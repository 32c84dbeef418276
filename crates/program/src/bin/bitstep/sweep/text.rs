//! A line as it is written, in JSON or RON: numbers are kept as texts.

use std::{fmt, marker::PhantomData, ops::Deref};

use ron::extensions::Extensions;
use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use super::refusal::Refusal;

/// A question about two shapes.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "pair",
    expecting = "a pair with a and b",
    bound(deserialize = "N: Deserialize<'de>")
)]
pub struct PairText<N> {
    #[serde(default = "nothing")]
    pub ask: Option<N>,
    pub a: SolidText<N>,
    pub b: SolidText<N>,
    #[serde(default = "nothing")]
    pub gap: Option<N>,
}

/// A shape, its place and its motion.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "solid",
    expecting = "a solid with shape and position",
    bound(deserialize = "N: Deserialize<'de>")
)]
pub struct SolidText<N> {
    pub shape: ShapeText<N>,
    #[serde(default = "nothing")]
    pub position: Option<List<N>>,
    #[serde(default = "nothing")]
    pub motion: Option<List<N>>,
    #[serde(default = "nothing")]
    pub orientation: Option<List<N>>,
    #[serde(default = "nothing")]
    pub turn: Option<TurnText<N>>,
}

/// A turn about an axis.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "turn",
    expecting = "a turn with axis and degrees",
    bound(deserialize = "N: Deserialize<'de>")
)]
pub struct TurnText<N> {
    pub axis: List<N>,
    pub degrees: N,
}

/// A shape.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "shape",
    rename_all = "snake_case",
    expecting = "sphere, aabb, obb, plane, capsule, hull, mesh or heights",
    bound(deserialize = "N: Deserialize<'de>")
)]
pub enum ShapeText<N> {
    Sphere {
        radius: N,
    },
    Aabb {
        half: List<N>,
    },
    Obb {
        half: List<N>,
        rotation: List<N>,
    },
    Plane {
        #[serde(default = "nothing")]
        normal: Option<List<N>>,
        #[serde(default = "nothing")]
        points: Option<List<List<N>>>,
        #[serde(default)]
        two_sided: bool,
    },
    Capsule {
        half_axis: List<N>,
        radius: N,
    },
    Hull {
        points: List<List<N>>,
    },
    Mesh {
        points: List<List<N>>,
        triangles: List<List<N>>,
    },
    Heights {
        cell: N,
        unit: N,
        rows: List<List<N>>,
        #[serde(default = "nothing")]
        holes: Option<List<List<N>>>,
    },
}

/// Several values, of any count: `(x, y, z)` in RON, `[x, y, z]` in JSON. The count is checked with the name
/// of the field.
pub struct List<T>(Vec<T>);

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Parts(PhantomData))
    }
}

struct Parts<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Parts<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("several values in brackets")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<List<T>, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = row.next_element()? {
            parts.push(part);
        }
        Ok(List(parts))
    }
}

/// A number as its text.
pub trait Text {
    fn text(&self) -> String;
}

/// A number in RON.
pub struct RonText<'a>(&'a str);

/// A number in JSON.
pub struct JsonText<'a>(&'a str);

/// Reads a line of JSON.
pub fn json(text: &str) -> Result<PairText<JsonText<'_>>, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        // The line that the parser counts is the only one it sees.
        let message = error.to_string();
        let reason = message.split(" at line ").next().unwrap_or(&message);
        Refusal::text(format!("column {}: {reason}", error.column()))
    })
}

/// Reads a line of RON.
pub fn ron(text: &str) -> Result<PairText<RonText<'_>>, Refusal> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let read = options.from_str(text);
    read.map_err(|error| Refusal::text(format!("column {}: {}", error.span.start.col, error.code)))
}

fn nothing<T>() -> Option<T> {
    None
}

impl<'de: 'a, 'a> Deserialize<'de> for RonText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(<&ron::value::RawValue>::deserialize(deserializer)?.trim().get_ron()))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(<&serde_json::value::RawValue>::deserialize(deserializer)?.get()))
    }
}

impl Text for RonText<'_> {
    fn text(&self) -> String {
        ron::from_str(self.0).unwrap_or_else(|_| self.0.to_owned())
    }
}

impl Text for JsonText<'_> {
    fn text(&self) -> String {
        serde_json::from_str(self.0).unwrap_or_else(|_| self.0.to_owned())
    }
}
