//! A line as it is written, in JSON or RON: numbers are kept as texts.

use ron::extensions::Extensions;
use serde::{Deserialize, Deserializer};

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
    #[serde(default)]
    pub ask: Ask,
    pub a: SolidText<N>,
    pub b: SolidText<N>,
    #[serde(default = "nothing")]
    pub gap: Option<N>,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(rename_all = "snake_case", expecting = "sweep, overlap, closest or turning")]
pub enum Ask {
    #[default]
    Sweep,
    Overlap,
    Closest,
    Turning,
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
    pub position: Option<[N; 3]>,
    #[serde(default = "nothing")]
    pub motion: Option<[N; 3]>,
    #[serde(default = "nothing")]
    pub orientation: Option<[N; 4]>,
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
    pub axis: [N; 3],
    pub degrees: N,
}

/// A shape.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "shape",
    rename_all = "snake_case",
    expecting = "sphere, aabb, obb, plane or capsule",
    bound(deserialize = "N: Deserialize<'de>")
)]
pub enum ShapeText<N> {
    Sphere {
        radius: N,
    },
    Aabb {
        half: [N; 3],
    },
    Obb {
        half: [N; 3],
        rotation: [N; 4],
    },
    Plane {
        #[serde(default = "nothing")]
        normal: Option<[N; 3]>,
        #[serde(default = "nothing")]
        points: Option<[[N; 3]; 3]>,
        #[serde(default)]
        two_sided: bool,
    },
    Capsule {
        half_axis: [N; 3],
        radius: N,
    },
}

/// A number as the text it stands in.
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
