//! One pair of shapes as text, and its first contact.

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi, lit},
    shape::{Obb, SIZE_MAX, Shape},
    sweep::{Hit, sweep_shapes},
};
use ron::extensions::Extensions;
use serde::{Deserialize, Deserializer, Serialize};

use crate::scene::decimal_of;

/// The largest coordinate: two of them are as far apart as a sweep accepts.
const POSITION_MAX: Scalar = lit("16777216");
/// The largest component of a motion: the difference of two is as much as a sweep accepts.
const MOTION_MAX: Scalar = lit("4096");
/// The largest gap: with it the reach of the two largest boxes is what a sweep accepts.
const GAP_MAX: Scalar = lit("2048");

/// What there is to say about a line.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Error { error: String },
    Miss { hit: bool },
    Hit(Box<Contact>),
}

/// First contact: decimals and raw integers as strings, so that no reader rounds them.
#[derive(Serialize)]
pub struct Contact {
    hit: bool,
    u: String,
    u_raw: String,
    normal: [i32; 3],
    a: [String; 3],
    a_raw: [String; 3],
    b: [String; 3],
    b_raw: [String; 3],
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "pair",
    expecting = "a pair with a and b",
    bound(deserialize = "N: Deserialize<'de>")
)]
struct PairText<N> {
    a: SolidText<N>,
    b: SolidText<N>,
    #[serde(default = "nothing")]
    gap: Option<N>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "solid",
    expecting = "a solid with shape and position",
    bound(deserialize = "N: Deserialize<'de>")
)]
struct SolidText<N> {
    shape: ShapeText<N>,
    position: [N; 3],
    #[serde(default = "nothing")]
    motion: Option<[N; 3]>,
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "shape",
    rename_all = "snake_case",
    expecting = "sphere, aabb, obb, plane or capsule",
    bound(deserialize = "N: Deserialize<'de>")
)]
enum ShapeText<N> {
    Sphere { radius: N },
    Aabb { half: [N; 3] },
    Obb { half: [N; 3], rotation: [N; 4] },
    Plane { normal: [N; 3] },
    Capsule { half_axis: [N; 3], radius: N },
}

/// A decimal as the text it stands in.
trait Text {
    fn text(&self) -> String;
}

struct RonText<'a>(&'a str);

struct JsonText<'a>(&'a str);

/// A solid, read and checked.
struct Solid {
    shape: Shape,
    position: Vec3,
    motion: Vec3,
}

/// The answer to a line of JSON (where it begins with a brace) or RON.
pub fn answer(line: &[u8]) -> Answer {
    solve(line).unwrap_or_else(Answer::error)
}

impl Answer {
    /// An answer that says what is wrong with the line.
    pub fn error(error: String) -> Self {
        Self::Error { error }
    }

    /// Whether something is wrong with the line.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::Error { .. })
    }
}

fn solve(line: &[u8]) -> Result<Answer, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    let (a, b, gap) = if text.starts_with('{') {
        let pair: PairText<JsonText<'_>> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        read(&pair)?
    } else {
        let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let pair: PairText<RonText<'_>> = options
            .from_str(text)
            .map_err(|error| format!("column {}: {}", error.span.start.col, error.code))?;
        read(&pair)?
    };
    let hit = sweep_shapes(&a.shape, &b.shape, b.position - a.position, b.motion - a.motion, gap);
    Ok(hit.map_or(Answer::Miss { hit: false }, |hit| Answer::Hit(Box::new(contact(&hit, &a, &b)))))
}

fn contact(hit: &Hit, a: &Solid, b: &Solid) -> Contact {
    let at = |solid: &Solid, toi: Toi| solid.position + solid.motion.map_raw(|raw| toi.of_nearest(raw));
    let (a, b) = (at(a, hit.toi), at(b, hit.toi));
    Contact {
        hit: true,
        u: hit.toi.to_string(),
        u_raw: hit.toi.raw().to_string(),
        normal: hit.normal.components(),
        a: [a.x, a.y, a.z].map(|part| part.to_string()),
        a_raw: a.raw().map(|part| part.to_string()),
        b: [b.x, b.y, b.z].map(|part| part.to_string()),
        b_raw: b.raw().map(|part| part.to_string()),
    }
}

fn read<N: Text>(pair: &PairText<N>) -> Result<(Solid, Solid, Scalar), String> {
    let gap = pair.gap.as_ref().map_or(Ok(Scalar::ZERO), |gap| decimal("gap", gap, GAP_MAX))?;
    if gap < 0 {
        return Err(format!("gap is {gap}, must be in 0..={GAP_MAX}"));
    }
    Ok((solid("a", &pair.a)?, solid("b", &pair.b)?, gap))
}

fn solid<N: Text>(name: &str, text: &SolidText<N>) -> Result<Solid, String> {
    let shape = shape(name, &text.shape)?;
    shape.check(SIZE_MAX).map_err(|error| format!("{name}.shape: {error}"))?;
    let position = vector(&format!("{name}.position"), &text.position, POSITION_MAX)?;
    let motion = text.motion.as_ref();
    let motion =
        motion.map_or(Ok(Vec3::ZERO), |motion| vector(&format!("{name}.motion"), motion, MOTION_MAX))?;
    Ok(Solid { shape, position, motion })
}

fn shape<N: Text>(name: &str, text: &ShapeText<N>) -> Result<Shape, String> {
    let field = |field: &str| format!("{name}.shape.{field}");
    match text {
        ShapeText::Sphere { radius } => Ok(Shape::sphere(decimal(&field("radius"), radius, SIZE_MAX)?)),
        ShapeText::Aabb { half } => Ok(Shape::aabb(vector(&field("half"), half, SIZE_MAX)?)),
        ShapeText::Obb { half, rotation } => {
            let [w, x, y, z] = rotation;
            let part = |part| decimal(&field("rotation"), part, Scalar::MAX);
            let turn = Rotation::from_quaternion(part(w)?, part(x)?, part(y)?, part(z)?);
            let turn = turn.ok_or_else(|| format!("{} is zero", field("rotation")))?;
            let extent = vector(&field("half"), half, SIZE_MAX)?;
            Shape::aabb(extent).check(SIZE_MAX).map_err(|error| format!("{name}.shape: {error}"))?;
            Ok(Shape::Obb(Obb::new(extent, turn)))
        }
        ShapeText::Plane { normal } => {
            let normal = Normal::from_vector(vector(&field("normal"), normal, Scalar::MAX)?);
            let normal = normal.ok_or_else(|| format!("{} is zero", field("normal")))?;
            let plane = Plane::from_point_normal(Vec3::ZERO, normal);
            plane.map(Shape::Plane).map_err(|error| format!("{}: {error}", field("normal")))
        }
        ShapeText::Capsule { half_axis, radius } => {
            let half_axis = vector(&field("half_axis"), half_axis, SIZE_MAX)?;
            Ok(Shape::capsule(half_axis, decimal(&field("radius"), radius, SIZE_MAX)?))
        }
    }
}

fn vector<N: Text>(field: &str, parts: &[N; 3], limit: Scalar) -> Result<Vec3, String> {
    let [x, y, z] = parts;
    Ok(Vec3::new(
        decimal(&format!("{field}.x"), x, limit)?,
        decimal(&format!("{field}.y"), y, limit)?,
        decimal(&format!("{field}.z"), z, limit)?,
    ))
}

fn decimal<N: Text>(field: &str, number: &N, limit: Scalar) -> Result<Scalar, String> {
    let text = number.text();
    let value = decimal_of(&text).map_err(|reason| format!("{field} is {text:.40}, {reason}"))?;
    let fits = value.to_bits().unsigned_abs() <= limit.to_bits().unsigned_abs();
    if fits { Ok(value) } else { Err(format!("{field} is {value}, must be at most {limit} in magnitude")) }
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
