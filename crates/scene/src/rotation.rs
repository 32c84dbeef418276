//! Orientation and rotation of bodies of a scene.

use bitstep::{
    geom::{ANGULAR_SPEED_MAX, Rotation, Vec3, normalise},
    num::{
        Scalar,
        round::{div_nearest, shr_nearest},
        trig::sin_cos,
    },
    shape::{Shape, ShapeError, inertia_of, inertia_of_children},
    state::Limits,
};

use super::{
    leaf::{Fault, Leaf, Vector},
    text::{KindText, OrientationText},
};

/// The rotation of a text.
///
/// **Rounding**: of an angle its half to the nearest 2^-32 of a turn, then each component of the quaternion
/// within one least bit; quarter turns about the axes are exact.
pub fn rotation<'a>(text: &OrientationText<'a>) -> Result<Rotation, Fault<'a>> {
    match text {
        OrientationText::Quaternion(w, x, y, z) => quaternion("orientation", [*w, *x, *y, *z]),
        OrientationText::About { axis, degrees } => {
            let unit = normalise(axis.decimals_within("axis", AXIS_MAX)?);
            let unit = unit.ok_or_else(|| axis.first().fault("axis is zero"))?;
            let angle = degrees.decimal("degrees")?.to_bits();
            // A turn has 360 degrees, and a quaternion half the angle.
            let half = Scalar::from_bits(div_nearest(angle.into(), 720) as i64);
            let (sine, cosine) = sin_cos(half);
            // Both with 58 fraction bits.
            let [x, y, z] = unit.raw().map(|part| {
                Scalar::from_bits(shr_nearest(i128::from(sine.to_bits()) * i128::from(part), 6) as i64)
            });
            let w = Scalar::from_bits(cosine.to_bits() << 26);
            Rotation::from_quaternion(w, x, y, z).ok_or_else(|| degrees.fault("this rotates nothing"))
        }
    }
}

/// The rotation of a quaternion of any length.
pub fn quaternion<'a>(field: &str, parts: [Leaf<'a>; 4]) -> Result<Rotation, Fault<'a>> {
    let [w, x, y, z] = parts;
    let [w, x, y, z] =
        [("w", w), ("x", x), ("y", y), ("z", z)].map(|(axis, part)| part.decimal(&format!("{field}.{axis}")));
    let zero = || parts[0].fault(format!("{field} is zero, must be a quaternion (w, x, y, z)"));
    Rotation::from_quaternion(w?, x?, y?, z?).ok_or_else(zero)
}

/// An angular velocity per tick; zero where it is left out.
pub fn angular_velocity<'a>(limits: &Limits, vector: Option<&Vector<'a>>) -> Result<Vec3, Fault<'a>> {
    let Some(vector) = vector else { return Ok(Vec3::ZERO) };
    Ok(limits.velocity_nearest(vector.decimals("angular_velocity")?))
}

/// Checks that an initial body can rotate as given.
///
/// For a compound it takes the child shapes.
pub fn check_rotation<'a>(
    text: &KindText<'a>,
    (velocity, shape, children): (Vec3, &Shape, Option<&Vec<(Shape, Vec3)>>),
    mass: u32,
) -> Result<(), Fault<'a>> {
    if !text.rotates {
        let no = |field: &str| format!("{field}: the body does not rotate; say rotates: true");
        return match (&text.orientation, &text.angular_velocity) {
            (Some(orientation), _) => Err(orientation.first().fault(no("orientation"))),
            (None, Some(vector)) => Err(vector.first().fault(no("angular_velocity"))),
            (None, None) => Ok(()),
        };
    }
    let inertia = match (children, shape) {
        (Some(children), _) => inertia_of_children(children, mass),
        (None, Shape::Aabb { .. }) => Err(ShapeError::NotAxisAligned),
        (None, shape) => inertia_of(shape, mass),
    };
    match inertia {
        Ok(_) => {}
        Err(error) if children.is_some() => return Err(text.shape.fault(error.to_string())),
        Err(ShapeError::NotAxisAligned | ShapeError::Plane) => {
            let need = "a rotating body must be a sphere, a hull, or a capsule or an obb along its own axes";
            return Err(text.shape.fault(format!("shape is {}, {need}", shape.name())));
        }
        Err(error) => return Err(text.shape.fault(error.to_string())),
    }
    let (square, most) = (velocity.length_squared_wide(), ANGULAR_SPEED_MAX.to_bits().unsigned_abs());
    match &text.angular_velocity {
        Some(vector) if square > u128::from(most).pow(2) => {
            let speed = Scalar::from_bits(i64::try_from(square.isqrt()).unwrap_or(i64::MAX));
            let (unit, limit) = ("radians per tick", ANGULAR_SPEED_MAX);
            let message = format!("angular_velocity is {speed} {unit}, must be at most {limit} {unit}");
            Err(vector.first().fault(message))
        }
        _ => Ok(()),
    }
}

/// Largest magnitude of the components of an axis.
const AXIS_MAX: Scalar = Scalar::lit("1000000");

impl<'a> OrientationText<'a> {
    /// The place for errors about the whole of it.
    pub const fn first(&self) -> Leaf<'a> {
        match self {
            Self::Quaternion(w, ..) => *w,
            Self::About { axis, .. } => axis.first(),
        }
    }
}
