//! From the text of a line to checked numbers.

use bitstep::{
    geom::{AngularMotion, Normal, Plane, Rotation, Vec3, normalise},
    num::{
        Scalar, lit,
        round::{div_nearest, shr_nearest},
        trig::sin_cos,
    },
    shape::{Hull, Obb, SIZE_MAX, Shape, ShapeError},
};
use bitstep_scene::decimal_of;

use super::{
    ground::{self, HeightsText},
    refusal::Refusal,
    text::{List, PairText, ShapeText, SolidText, Text, TurnText, json, ron},
};

/// The largest coordinate: two of them are as far apart as a sweep accepts.
pub const POSITION_MAX: Scalar = lit("16777216");
/// The largest component of a motion: the difference of two is the most that a sweep accepts.
pub const MOTION_MAX: Scalar = lit("4096");
/// The largest gap: with it the reach of the two largest boxes is the most that a sweep accepts.
const GAP_MAX: Scalar = lit("2048");
/// The largest gap that a sweep of rotating shapes accepts.
const TURNING_GAP_MAX: Scalar = lit("1024");
/// The longest axis of a turn.
const AXIS_MAX: Scalar = lit("1000000");
/// The largest turn over a tick, in degrees.
const DEGREES_MAX: Scalar = lit("90");
/// The excess of a quarter turn that rounding may cause, in 2^-32: 2^-26.
const QUARTER_SLACK: i64 = 64;

/// The kind of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    Sweep,
    Overlap,
    Closest,
    AngularMotion,
}

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
    /// The facets of a mesh, else the shape itself, and the origin of each from the shape's.
    pub parts: Vec<(Shape, Vec3)>,
    /// True for a plane that is a sheet with a front on either side.
    pub two_sided: bool,
    /// The origin of the shape.
    pub position: Vec3,
    /// The same from the position of the line, in units: where the center of a hull is from the origin of its points.
    pub center: Vec3,
    pub motion: Vec3,
    pub turning: AngularMotion,
}

/// Reads a line of JSON (where it begins with a brace) or RON.
pub fn question(text: &str) -> Result<Question, Refusal> {
    if text.starts_with('{') { read(&json(text)?) } else { read(&ron(text)?) }
}

fn read<N: Text>(pair: &PairText<N>) -> Result<Question, Refusal> {
    let ask = pair.ask.as_ref().map_or(Ok(Ask::Sweep), |ask| Ask::of(&ask.text()))?;
    let most = if ask == Ask::AngularMotion { TURNING_GAP_MAX } else { GAP_MAX };
    let gap = match &pair.gap {
        Some(gap) if matches!(ask, Ask::Overlap | Ask::Closest) => {
            return Err(Refusal::value("gap", gap.text(), format!("left out of ask: {}", ask.name())));
        }
        Some(gap) => decimal("gap", gap, &|gap| gap >= 0 && gap <= most, &format!("in 0..={most}"))?,
        None => Scalar::ZERO,
    };
    let question = Question { ask, a: solid("a", ask, &pair.a)?, b: solid("b", ask, &pair.b)?, gap };
    check_statics(&question.a.shape, &question.b.shape)?;
    Ok(question)
}

/// Checks that at most one of two shapes is a static.
fn check_statics(a: &Shape, b: &Shape) -> Result<(), Refusal> {
    if !(a.is_static() && b.is_static()) {
        return Ok(());
    }
    let (a, b) = (a.name(), b.name());
    let limit = match (a, b) {
        ("plane", "plane") => "bounded where a.shape is a plane".to_owned(),
        _ => format!("neither mesh nor plane where a.shape is a {a}: both are static"),
    };
    Err(Refusal::value("b.shape", format!("a {b}"), limit))
}

impl Ask {
    const ALL: [Self; 4] = [Self::Sweep, Self::Overlap, Self::Closest, Self::AngularMotion];

    fn of(name: &str) -> Result<Self, Refusal> {
        let found = Self::ALL.into_iter().find(|ask| ask.name() == name);
        found.ok_or_else(|| Refusal::value("ask", name, "sweep, overlap, closest or turning"))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Sweep => "sweep",
            Self::Overlap => "overlap",
            Self::Closest => "closest",
            Self::AngularMotion => "turning",
        }
    }
}

fn solid<N: Text>(name: &str, ask: Ask, text: &SolidText<N>) -> Result<Solid, Refusal> {
    let field = |field: &str| format!("{name}.{field}");
    check_fields(name, ask, text)?;
    let (shape, center) = shape(name, ask, &text.shape)?;
    let vector_or_zero = |name: &str, parts: &Option<List<N>>, most| {
        parts.as_ref().map_or(Ok(Vec3::ZERO), |parts| vector(&field(name), parts, most))
    };
    let position = vector_or_zero("position", &text.position, POSITION_MAX)?;
    let motion = vector_or_zero("motion", &text.motion, MOTION_MAX)?;
    let turning = turning(name, text)?;
    // Boxes along the axes rotate as oriented boxes that begin along the axes.
    let shape = match shape {
        Shape::Aabb { half } if text.orientation.is_some() || text.turn.is_some() => {
            Shape::Obb(Obb::along_axes(half))
        }
        shape => shape,
    };
    let position = position + center;
    if !position.within(POSITION_MAX) {
        let limit = format!("at most {POSITION_MAX} in magnitude with the middle of the points");
        return Err(Refusal::value(&field("position"), position, limit));
    }
    let parts = match &shape {
        Shape::Mesh(mesh) => {
            ground::check_place(&field("position"), mesh, position)?;
            ground::facets(name, mesh)?
        }
        shape => vec![(shape.clone(), Vec3::ZERO)],
    };
    let two_sided = matches!(text.shape, ShapeText::Plane { two_sided: true, .. });
    Ok(Solid { shape, parts, two_sided, position, center, motion, turning })
}

/// Checks that a solid has no field that its question or its shape does not have.
fn check_fields<N: Text>(name: &str, ask: Ask, text: &SolidText<N>) -> Result<(), Refusal> {
    let (moves, rotates) = (matches!(ask, Ask::Sweep | Ask::AngularMotion), ask == Ask::AngularMotion);
    let two_sided = matches!(text.shape, ShapeText::Plane { two_sided: true, .. });
    let is_mesh = matches!(text.shape, ShapeText::Mesh { .. } | ShapeText::Heights { .. });
    let fields = [
        ("motion", text.motion.as_ref().map(|motion| joined(motion)), moves, is_mesh),
        ("orientation", text.orientation.as_ref().map(|parts| joined(parts)), rotates, is_mesh),
        ("turn", text.turn.as_ref().map(|turn| turn.degrees.text()), rotates, is_mesh),
        ("shape.two_sided", two_sided.then(|| "true".to_owned()), ask == Ask::Sweep, false),
    ];
    for (part, value, is_asked, is_of_static) in fields {
        let Some(value) = value else { continue };
        let limit = match (is_asked, is_of_static) {
            (false, _) => format!("left out of ask: {}", ask.name()),
            (true, true) => "left out of a mesh, which is static".to_owned(),
            (true, false) => continue,
        };
        return Err(Refusal::value(&format!("{name}.{part}"), value, limit));
    }
    Ok(())
}

/// A shape, and its origin from the position of the line.
fn shape<N: Text>(name: &str, ask: Ask, text: &ShapeText<N>) -> Result<(Shape, Vec3), Refusal> {
    let field = |field: &str| format!("{name}.shape.{field}");
    let shape = match text {
        ShapeText::Sphere { radius } => {
            let radius = within(&field("radius"), radius, SIZE_MAX)?;
            // A point, which no rotating sweep accepts.
            if radius == 0 && ask != Ask::AngularMotion {
                return Ok((Shape::sphere(radius), Vec3::ZERO));
            }
            Shape::sphere(radius)
        }
        ShapeText::Aabb { half } => Shape::aabb(vector(&field("half"), half, SIZE_MAX)?),
        ShapeText::Obb { half, rotation } => {
            let extent = vector(&field("half"), half, SIZE_MAX)?;
            check(name, &Shape::aabb(extent))?;
            Shape::Obb(Obb::new(extent, quaternion(&field("rotation"), rotation)?))
        }
        ShapeText::Plane { normal, points, .. } => {
            Shape::Plane(plane(name, normal.as_deref(), points.as_deref())?)
        }
        ShapeText::Capsule { half_axis, radius } => {
            let half_axis = vector(&field("half_axis"), half_axis, SIZE_MAX)?;
            Shape::capsule(half_axis, within(&field("radius"), radius, SIZE_MAX)?)
        }
        ShapeText::Hull { points } => return hull(name, points),
        ShapeText::Mesh { points, triangles } => Shape::Mesh(ground::mesh(name, points, triangles)?),
        ShapeText::Heights { cell, unit, rows, holes } => {
            let holes = holes.as_deref().unwrap_or_default();
            Shape::Mesh(ground::heights(name, &HeightsText { lengths: [cell, unit], rows, holes })?)
        }
    };
    check(name, &shape)?;
    Ok((shape, Vec3::ZERO))
}

/// The hull of points, and its center from their origin.
fn hull<N: Text>(name: &str, points: &[List<N>]) -> Result<(Shape, Vec3), Refusal> {
    let field = format!("{name}.shape.points");
    let point = |(index, parts): (usize, &List<N>)| vector(&format!("{field}.{index}"), parts, POSITION_MAX);
    let points = points.iter().enumerate().map(point).collect::<Result<Vec<_>, _>>()?;
    let hull = Hull::upright(&points).map_err(|error| Refusal::text(format!("{field}: {error}")))?;
    let center = hull.center();
    let shape = Shape::hull(hull);
    check(name, &shape)?;
    Ok((shape, center))
}

fn check(name: &str, shape: &Shape) -> Result<(), Refusal> {
    shape.check(SIZE_MAX).map_err(|error| match (error, shape) {
        (ShapeError::Size { value, limit, .. }, Shape::Obb(_)) => {
            let field = format!("{name}.shape.half");
            Refusal::value(&field, format!("{value} along an axis, rotated"), format!("at most {limit}"))
        }
        (ShapeError::Size { field, value, limit }, Shape::Capsule(_)) if field != "radius" => {
            let (field, limit) = (format!("{name}.shape.{field}"), format!("at most {limit}"));
            Refusal::value(&field, format!("{value} with the radius"), limit)
        }
        (ShapeError::Size { field, value, limit }, _) => {
            let limit = format!("above 0 and at most {limit}");
            Refusal::value(&format!("{name}.shape.{field}"), value, limit)
        }
        (ShapeError::NoAxis, _) => {
            let field = format!("{name}.shape.half_axis");
            Refusal::value(&field, Vec3::ZERO, "a direction: without one it is a sphere")
        }
        (other, _) => Refusal::text(format!("{name}.shape: {other}")),
    })
}

fn plane<N: Text>(name: &str, normal: Option<&[N]>, points: Option<&[List<N>]>) -> Result<Plane, Refusal> {
    let field = |field: &str| format!("{name}.shape.{field}");
    let (made, field, value) = match (normal, points) {
        (Some(normal), None) => {
            let value = vector(&field("normal"), normal, Scalar::MAX)?;
            let zero = || Refusal::value(&field("normal"), value, "a direction");
            let normal = Normal::from_vector(value).ok_or_else(zero)?;
            (Plane::from_point_normal(Vec3::ZERO, normal), field("normal"), value.to_string())
        }
        (None, Some(points)) => {
            let [p, q, r] = three(&field("points"), points)?;
            let corner =
                |index: usize, parts| vector(&field(&format!("points.{index}")), parts, POSITION_MAX);
            let [p, q, r] = [corner(0, p)?, corner(1, q)?, corner(2, r)?];
            (Plane::from_points(p, q, r), field("points"), format!("{p}, {q}, {r}"))
        }
        (None, None) => return Err(Refusal::value(&field("normal"), "left out", "there, or three points")),
        (Some(_), Some(_)) => {
            return Err(Refusal::value(&field("points"), "given", "left out where there is a normal"));
        }
    };
    made.map_err(|_| Refusal::value(&field, value, "three points that are not on one line"))
}

/// The turn of a shape over the tick: from its orientation by its turn.
fn turning<N: Text>(name: &str, text: &SolidText<N>) -> Result<AngularMotion, Refusal> {
    let orientation = text.orientation.as_ref();
    let from = orientation
        .map_or(Ok(Rotation::IDENTITY), |parts| quaternion(&format!("{name}.orientation"), parts))?;
    let Some(TurnText { axis, degrees }) = &text.turn else { return Ok(AngularMotion::still(from)) };
    let (axis_field, field) = (format!("{name}.turn.axis"), format!("{name}.turn.degrees"));
    let axis = vector(&axis_field, axis, AXIS_MAX)?;
    let axis = normalise(axis).ok_or_else(|| Refusal::value(&axis_field, axis, "a direction"))?;
    let degrees = within(&field, degrees, DEGREES_MAX)?;
    // In turns; a quaternion has half the angle.
    let half = div_nearest(degrees.to_bits().into(), 720) as i64;
    // The quaternions of a quarter turn may be rounded to a little more than that, by which no body rotates.
    let turned = |half: i64| AngularMotion::new(from, after(about(axis, half), from));
    let made = turned(half).or_else(|_| turned(half - half.signum() * QUARTER_SLACK));
    made.map_err(|error| Refusal::field(&field, format!("is too much: {error}")))
}

/// The rotation about a direction by twice an angle, in 2^-32 of a turn.
fn about(axis: Vec3, half: i64) -> Rotation {
    let (sine, cosine) = sin_cos(Scalar::from_bits(half));
    let part =
        |part: i64| Scalar::from_bits(shr_nearest(i128::from(sine.to_bits()) * i128::from(part), 32) as i64);
    let [x, y, z] = axis.raw().map(part);
    Rotation::from_quaternion(cosine, x, y, z).unwrap_or(Rotation::IDENTITY)
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

fn quaternion<N: Text>(field: &str, parts: &[N]) -> Result<Rotation, Refusal> {
    let [w, x, y, z] = parts else {
        return Err(Refusal::value(field, joined(parts), "four numbers, (w, x, y, z)"));
    };
    let part = |name: &str, part| within(&format!("{field}.{name}"), part, Scalar::MAX);
    let rotation = Rotation::from_quaternion(part("w", w)?, part("x", x)?, part("y", y)?, part("z", z)?);
    rotation.ok_or_else(|| Refusal::value(field, joined(parts), "a quaternion other than zero"))
}

pub fn vector<N: Text>(field: &str, parts: &[N], limit: Scalar) -> Result<Vec3, Refusal> {
    let [x, y, z] = parts else {
        return Err(Refusal::value(field, joined(parts), "three numbers"));
    };
    let part = |name: &str, part| within(&format!("{field}.{name}"), part, limit);
    Ok(Vec3::new(part("x", x)?, part("y", y)?, part("z", z)?))
}

fn three<'a, T>(field: &str, all: &'a [T]) -> Result<[&'a T; 3], Refusal> {
    let [p, q, r] = all else { return Err(Refusal::value(field, format!("{} points", all.len()), "three")) };
    Ok([p, q, r])
}

/// Numbers as written in the line.
fn joined<N: Text>(parts: &[N]) -> String {
    format!("({})", parts.iter().map(Text::text).collect::<Vec<_>>().join(", "))
}

/// A number up to a limit in magnitude.
pub fn within<N: Text>(field: &str, number: &N, limit: Scalar) -> Result<Scalar, Refusal> {
    let fits = |value: Scalar| value.to_bits().unsigned_abs() <= limit.to_bits().unsigned_abs();
    decimal(field, number, &fits, &format!("at most {limit} in magnitude"))
}

pub fn decimal<N: Text>(
    field: &str,
    number: &N,
    fits: &dyn Fn(Scalar) -> bool,
    limit: &str,
) -> Result<Scalar, Refusal> {
    let text = number.text();
    let value = decimal_of(&text).map_err(|reason| {
        let limit = reason.strip_prefix("must be ").unwrap_or(reason);
        Refusal::value(field, format!("{text:.40}"), limit)
    })?;
    if fits(value) { Ok(value) } else { Err(Refusal::value(field, value, limit)) }
}
