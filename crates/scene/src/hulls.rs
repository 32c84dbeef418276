//! Hulls of a scene: from points, or as prisms, cylinders and cones.
//!
//! The origin of the points is the place that the scene gives the shape. The library wants the center of mass there, and the principal
//! axes as the frame of a body that rotates: [`Frame`] is the way from the one to the other.

use bitstep::{
    geom::{Rotation, Vec3},
    num::{
        Scalar,
        round::{div_nearest, shr_nearest},
        trig::sin_cos,
    },
    shape::{CORNERS_MAX, Hull, SIZE_MAX, Shape, ShapeError},
};

use super::{
    leaf::{Fault, Leaf},
    text::ShapeText,
};

/// Largest magnitude of the components of a point: twice the largest half extent, as a hull may lie beside its origin.
const POINT_MAX: Scalar = Scalar::lit("8192");

/// The frame of a shape in the space of its points; for all but hulls that space itself.
#[derive(Clone, Copy)]
pub struct Frame {
    center: Vec3,
    axes: Rotation,
}

impl Frame {
    /// The space of the points.
    pub const NONE: Self = Self { center: Vec3::ZERO, axes: Rotation::IDENTITY };

    /// The frame of a shape.
    pub fn of(solid: &Shape) -> Self {
        match solid {
            Shape::Hull(form) => Self { center: form.hull().center(), axes: form.hull().axes() },
            _ => Self::NONE,
        }
    }

    /// The frame with the space of the points rotated.
    ///
    /// **Rounding**: the center as [`Rotation::turn_nearest`], the rotation as [`Rotation::from_quaternion`]; no rotation is exact.
    pub fn turned(self, orientation: Rotation) -> Self {
        Self { center: orientation.turn_nearest(self.center), axes: product(orientation, self.axes) }
    }

    /// The rotation from the frame to the scene.
    pub const fn orientation(self) -> Rotation {
        self.axes
    }

    /// The center of mass, for the place of the points' origin.
    pub fn position(self, place: Vec3) -> Vec3 {
        let (place, center) = (place.raw(), self.center.raw());
        // A spawn of the timeline may be anywhere: the world refuses it.
        Vec3::from_raw([0, 1, 2].map(|axis: usize| place[axis].saturating_add(center[axis])))
    }
}

/// The first rotation after the second one.
fn product(a: Rotation, b: Rotation) -> Rotation {
    if b == Rotation::IDENTITY {
        return a;
    }
    let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a.components().map(i64::from), b.components().map(i64::from));
    // Each is a cosine times 2^60.
    let [w, x, y, z] = [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
    .map(Scalar::from_bits);
    Rotation::from_quaternion(w, x, y, z).unwrap_or(a)
}

/// The hull of a text with the axes of its points.
pub fn upright<'a>(name: Leaf<'a>, text: &ShapeText<'a>) -> Result<Shape, Fault<'a>> {
    Hull::upright(&points(text)?).map(Shape::hull).map_err(|error| fault(name, error))
}

/// The same hull with its principal axes, if a body that rotates needs it.
pub fn principal<'a>(
    name: Leaf<'a>,
    text: &ShapeText<'a>,
    upright: &Shape,
) -> Result<Option<Shape>, Fault<'a>> {
    let Shape::Hull(form) = upright else { return Ok(None) };
    if form.hull().inertia(1) != Err(ShapeError::NotAxisAligned) {
        return Ok(None);
    }
    Hull::of(&points(text)?).map(Shape::hull).map(Some).map_err(|error| fault(name, error))
}

/// An error about all points of a shape, which says its name.
pub fn fault(name: Leaf<'_>, error: ShapeError) -> Fault<'_> {
    match name.text("name") {
        Ok(called) => name.fault(format!("shape {called:?}: {error}")),
        Err(fault) => fault,
    }
}

/// The points of the hull that a text describes; none of another shape.
fn points<'a>(text: &ShapeText<'a>) -> Result<Vec<Vec3>, Fault<'a>> {
    let most = CORNERS_MAX as u64;
    Ok(match text {
        ShapeText::Hull { points } => (0..)
            .zip(points)
            .map(|(index, point): (u32, _)| point.decimals_within(&format!("points[{index}]"), POINT_MAX))
            .collect::<Result<_, _>>()?,
        ShapeText::Prism { polygon, half_length } => {
            both_ends(polygon_of(polygon)?, length("half_length", *half_length)?)
        }
        ShapeText::Cylinder { radius, half_length, sides } => {
            let sides = sides.whole("sides", 3, most / 2)?;
            both_ends(circle(length("radius", *radius)?, sides), length("half_length", *half_length)?)
        }
        ShapeText::Cone { radius, half_height, sides } => {
            let sides = sides.whole("sides", 3, most - 1)?;
            let height = length("half_height", *half_height)?;
            let base =
                circle(length("radius", *radius)?, sides).into_iter().map(|[x, y]| Vec3::new(x, y, -height));
            base.chain([Vec3::new(Scalar::ZERO, Scalar::ZERO, height)]).collect()
        }
        ShapeText::Sphere { .. }
        | ShapeText::Aabb { .. }
        | ShapeText::Obb { .. }
        | ShapeText::Plane { .. }
        | ShapeText::Capsule { .. }
        | ShapeText::Mesh { .. }
        | ShapeText::Heights { .. } => Vec::new(),
    })
}

fn polygon_of<'a>(corners: &[[Leaf<'a>; 2]]) -> Result<Vec<[Scalar; 2]>, Fault<'a>> {
    let part = |index: u32, axis: &str, leaf: Leaf<'a>| {
        leaf.decimal_in(&format!("polygon[{index}].{axis}"), -POINT_MAX, POINT_MAX)
    };
    (0..).zip(corners).map(|(index, [x, y])| Ok([part(index, "x", *x)?, part(index, "y", *y)?])).collect()
}

/// A size above zero.
fn length<'a>(field: &str, leaf: Leaf<'a>) -> Result<Scalar, Fault<'a>> {
    let value = leaf.decimal(field)?;
    let fits = value > 0 && value <= SIZE_MAX;
    if fits {
        Ok(value)
    } else {
        Err(leaf.fault(format!("{field} is {value}, must be above 0 and at most {SIZE_MAX}")))
    }
}

/// A polygon at both ends of the third axis.
fn both_ends(polygon: Vec<[Scalar; 2]>, half: Scalar) -> Vec<Vec3> {
    polygon.into_iter().flat_map(|[x, y]| [half, -half].map(|z| Vec3::new(x, y, z))).collect()
}

/// The corners of a regular polygon: those of [`Hull::cylinder`].
fn circle(radius: Scalar, sides: u64) -> Vec<[Scalar; 2]> {
    let at = |side: u64| {
        let turns = div_nearest(i128::from(side) << 32, i128::from(sides)) as i64;
        let (sine, cosine) = sin_cos(Scalar::from_bits(turns));
        [cosine, sine].map(|part| {
            let product = i128::from(radius.to_bits()) * i128::from(part.to_bits());
            Scalar::from_bits(shr_nearest(product, 32) as i64)
        })
    };
    (0..sides).map(at).collect()
}
