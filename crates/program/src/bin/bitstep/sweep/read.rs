//! From the text of a line to checked numbers.

use bitstep::{
    geom::{Normal, Plane, Rotation, Turning, Vec3, normalise},
    num::{
        Scalar, lit,
        round::{div_nearest, shr_nearest},
        trig::sin_cos,
    },
    shape::{Obb, SIZE_MAX, Shape, ShapeError},
};

use super::{
    refusal::Refusal,
    text::{Ask, PairText, ShapeText, SolidText, Text, TurnText, json, ron},
};
use bitstep_program::scene::decimal_of;

/// The largest coordinate: two of them are as far apart as a sweep accepts.
const POSITION_MAX: Scalar = lit("16777216");
/// The largest component of a motion: the difference of two is as much as a sweep accepts.
const MOTION_MAX: Scalar = lit("4096");
/// The largest gap: with it the reach of the two largest boxes is what a sweep accepts.
const GAP_MAX: Scalar = lit("2048");
/// The largest gap that a sweep of turning shapes accepts.
const TURNING_GAP_MAX: Scalar = lit("1024");
/// The longest axis of a turn.
const AXIS_MAX: Scalar = lit("1000000");
/// The largest turn over a tick, in degrees.
const DEGREES_MAX: Scalar = lit("90");

/// A question, read and checked.
pub struct Question {
    pub ask: Ask,
    pub a: Solid,
    pub b: Solid,
    pub gap: Scalar,
}

/// A shape, its place and its motion.
pub struct Solid {
    pub shape: Shape,
    /// Of a plane: whether it is a sheet that has a front on either side.
    pub two_sided: bool,
    pub position: Vec3,
    pub motion: Vec3,
    pub turning: Turning,
}

/// Reads a line of JSON (where it begins with a brace) or RON.
pub fn question(text: &str) -> Result<Question, Refusal> {
    if text.starts_with('{') { read(&json(text)?) } else { read(&ron(text)?) }
}

fn read<N: Text>(pair: &PairText<N>) -> Result<Question, Refusal> {
    let most = if pair.ask == Ask::Turning { TURNING_GAP_MAX } else { GAP_MAX };
    let gap = match &pair.gap {
        Some(_) if matches!(pair.ask, Ask::Overlap | Ask::Closest) => {
            return Err(Refusal::field("gap", "belongs to a sweep"));
        }
        Some(gap) => decimal("gap", gap, most)?,
        None => Scalar::ZERO,
    };
    if gap < 0 {
        return Err(Refusal::value("gap", gap, format!("in 0..={most}")));
    }
    Ok(Question { ask: pair.ask, a: solid("a", pair.ask, &pair.a)?, b: solid("b", pair.ask, &pair.b)?, gap })
}

fn solid<N: Text>(name: &str, ask: Ask, text: &SolidText<N>) -> Result<Solid, Refusal> {
    let field = |field: &str| format!("{name}.{field}");
    let misplaced = [
        ("motion", text.motion.is_some() && matches!(ask, Ask::Overlap | Ask::Closest), "belongs to a sweep"),
        ("orientation", text.orientation.is_some() && ask != Ask::Turning, "belongs to ask: turning"),
        ("turn", text.turn.is_some() && ask != Ask::Turning, "belongs to ask: turning"),
    ];
    if let Some((part, _, reason)) = misplaced.iter().find(|(_, is_misplaced, _)| *is_misplaced) {
        return Err(Refusal::field(&field(part), reason));
    }
    let shape = shape(name, ask, &text.shape)?;
    let two_sided = matches!(text.shape, ShapeText::Plane { two_sided: true, .. });
    if two_sided && ask != Ask::Sweep {
        return Err(Refusal::field(&field("shape.two_sided"), "belongs to ask: sweep"));
    }
    let vector_or_zero = |name: &str, parts: &Option<[N; 3]>, most| {
        parts.as_ref().map_or(Ok(Vec3::ZERO), |parts| vector(&field(name), parts, most))
    };
    let position = vector_or_zero("position", &text.position, POSITION_MAX)?;
    let motion = vector_or_zero("motion", &text.motion, MOTION_MAX)?;
    let turning = turning(name, text)?;
    // Boxes along the axes turn as oriented boxes that begin along the axes.
    let shape = match shape {
        Shape::Aabb { half } if text.orientation.is_some() || text.turn.is_some() => {
            Shape::Obb(Obb::along_axes(half))
        }
        shape => shape,
    };
    Ok(Solid { shape, two_sided, position, motion, turning })
}

fn shape<N: Text>(name: &str, ask: Ask, text: &ShapeText<N>) -> Result<Shape, Refusal> {
    let field = |field: &str| format!("{name}.shape.{field}");
    let shape = match text {
        ShapeText::Sphere { radius } => Shape::sphere(decimal(&field("radius"), radius, SIZE_MAX)?),
        ShapeText::Aabb { half } => Shape::aabb(vector(&field("half"), half, SIZE_MAX)?),
        ShapeText::Obb { half, rotation } => {
            let extent = vector(&field("half"), half, SIZE_MAX)?;
            check(name, &Shape::aabb(extent))?;
            Shape::Obb(Obb::new(extent, quaternion(&field("rotation"), rotation)?))
        }
        ShapeText::Plane { normal, points, .. } => {
            Shape::Plane(plane(name, normal.as_ref(), points.as_ref())?)
        }
        ShapeText::Capsule { half_axis, radius } => {
            let half_axis = vector(&field("half_axis"), half_axis, SIZE_MAX)?;
            Shape::capsule(half_axis, decimal(&field("radius"), radius, SIZE_MAX)?)
        }
    };
    let is_point = ask != Ask::Turning && shape == Shape::sphere(Scalar::ZERO);
    if !is_point {
        check(name, &shape)?;
    }
    Ok(shape)
}

fn check(name: &str, shape: &Shape) -> Result<(), Refusal> {
    shape.check(SIZE_MAX).map_err(|error| match error {
        ShapeError::Size { field, value, limit } => {
            let limit = format!("above 0 and at most {limit}");
            Refusal::value(&format!("{name}.shape.{field}"), value, limit)
        }
        other => Refusal::text(format!("{name}.shape: {other}")),
    })
}

fn plane<N: Text>(
    name: &str,
    normal: Option<&[N; 3]>,
    points: Option<&[[N; 3]; 3]>,
) -> Result<Plane, Refusal> {
    let field = |field: &str| format!("{name}.shape.{field}");
    let (made, field) = match (normal, points) {
        (Some(normal), None) => {
            let normal = Normal::from_vector(vector(&field("normal"), normal, Scalar::MAX)?);
            let zero = || Refusal::value(&field("normal"), "zero", "a direction");
            (Plane::from_point_normal(Vec3::ZERO, normal.ok_or_else(zero)?), field("normal"))
        }
        (None, Some([p, q, r])) => {
            let corner =
                |index: usize, parts| vector(&field(&format!("points.{index}")), parts, POSITION_MAX);
            (Plane::from_points(corner(0, p)?, corner(1, q)?, corner(2, r)?), field("points"))
        }
        _ => return Err(Refusal::text(format!("{name}.shape: a plane has either a normal or three points"))),
    };
    made.map_err(|error| Refusal::field(&field, format!("make no plane: {error}")))
}

/// How a shape turns over the tick: from its orientation by its turn.
fn turning<N: Text>(name: &str, text: &SolidText<N>) -> Result<Turning, Refusal> {
    let orientation = text.orientation.as_ref();
    let from = orientation
        .map_or(Ok(Rotation::IDENTITY), |parts| quaternion(&format!("{name}.orientation"), parts))?;
    let Some(turn) = &text.turn else { return Ok(Turning::still(from)) };
    let turned = after(rotation(&format!("{name}.turn"), turn)?, from);
    // A quarter turn that rounding made a little larger is a quarter turn.
    Turning::new(from, turned)
        .map_err(|error| Refusal::field(&format!("{name}.turn"), format!("is too much: {error}")))
}

/// The rotation about an axis.
fn rotation<N: Text>(name: &str, text: &TurnText<N>) -> Result<Rotation, Refusal> {
    let unit = normalise(vector(&format!("{name}.axis"), &text.axis, AXIS_MAX)?);
    let unit = unit.ok_or_else(|| Refusal::value(&format!("{name}.axis"), "zero", "a direction"))?;
    let degrees = decimal(&format!("{name}.degrees"), &text.degrees, DEGREES_MAX)?;
    // A turn has 360 degrees, and a quaternion half the angle.
    let (sine, cosine) = sin_cos(Scalar::from_bits(div_nearest(degrees.to_bits().into(), 720) as i64));
    let [x, y, z] = unit
        .raw()
        .map(|part| Scalar::from_bits(shr_nearest(i128::from(sine.to_bits()) * i128::from(part), 32) as i64));
    let zero = || Refusal::value(&format!("{name}.degrees"), degrees, "a turn");
    Rotation::from_quaternion(cosine, x, y, z).ok_or_else(zero)
}

/// The rotation that follows another one: the product of their quaternions.
fn after(second: Rotation, first: Rotation) -> Rotation {
    let [a, b, c, d] = second.components().map(i64::from);
    let [w, x, y, z] = first.components().map(i64::from);
    let parts = [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ];
    let [w, x, y, z] = parts.map(Scalar::from_bits);
    Rotation::from_quaternion(w, x, y, z).expect("a product of rotations is one")
}

fn quaternion<N: Text>(field: &str, parts: &[N; 4]) -> Result<Rotation, Refusal> {
    let [w, x, y, z] = parts;
    let part = |name: &str, part| decimal(&format!("{field}.{name}"), part, Scalar::MAX);
    let rotation = Rotation::from_quaternion(part("w", w)?, part("x", x)?, part("y", y)?, part("z", z)?);
    rotation.ok_or_else(|| Refusal::value(field, "zero", "a quaternion (w, x, y, z)"))
}

fn vector<N: Text>(field: &str, parts: &[N; 3], limit: Scalar) -> Result<Vec3, Refusal> {
    let [x, y, z] = parts;
    let part = |name: &str, part| decimal(&format!("{field}.{name}"), part, limit);
    Ok(Vec3::new(part("x", x)?, part("y", y)?, part("z", z)?))
}

fn decimal<N: Text>(field: &str, number: &N, limit: Scalar) -> Result<Scalar, Refusal> {
    let text = number.text();
    let value = decimal_of(&text).map_err(|reason| {
        let limit = reason.strip_prefix("must be ").unwrap_or(reason);
        Refusal::value(field, format!("{text:.40}"), limit)
    })?;
    let fits = value.to_bits().unsigned_abs() <= limit.to_bits().unsigned_abs();
    if fits { Ok(value) } else { Err(Refusal::value(field, value, format!("at most {limit} in magnitude"))) }
}
