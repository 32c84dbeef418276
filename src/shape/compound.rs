//! Moments of inertia of solids made of several child shapes, with the mass spread evenly over their volumes.
//!
//! The spread of mass is a matrix `C`: the mean of `r r^T` over it, with r from the body's center. The
//! matrices of the child shapes add up, each weighted by its share of the mass: its own and that of its
//! offset (Steiner's theorem). The moment about the i-th axis is the mass times the other two numbers of the
//! diagonal. The other six numbers vanish where the body's axes are its principal axes.
//!
//! **Range**: sizes up to [`SIZE_MAX`], offsets and all; masses up to 2^16.

use super::{Capsule, Obb, SIZE_MAX, Shape, ShapeError, inertia::capsule_moments};
use crate::{
    geom::{Inertia, Vec3},
    num::{
        Scalar,
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        root::{sqrt_ceil, sqrt_floor},
        round::{div_nearest, shr_nearest},
    },
};

/// The fraction bits of the numbers of a [`Spread`], in raw squared.
const SPREAD_BITS: u32 = 16;
/// The bits of a length that count for a volume: with 28 of π, 32 children are below 2^124.
const LENGTH_BITS: u32 = 29;
/// π with 28 fraction bits.
const PI_Q28: u128 = 843_314_857;
/// Slack: a product of inertia is below 2^-20 of the least moment, and the center of mass is off the center
/// by less than 2^-20 of the radius of the whole and a few raw.
const SLACK_SHIFT: u32 = 20;
const SLACK_RAW: i128 = 4;

/// The spread of a child shape and that of its place: each is no more on an axis than that of a point at the largest size.
pub(super) const WIDTH: Width = {
    let own = Bound::of(SIZE_MAX).times(Bound::of(SIZE_MAX)).shifted(SPREAD_BITS);
    Width {
        number: "`m (C_yy + C_zz)` of several shapes, with 16 fraction bits",
        bound: own.plus(own).shifted(1).times(Bound::power(16)),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The spread of the mass of child shapes about the center of their body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The numbers of the diagonal, in raw squared with [`SPREAD_BITS`] fraction bits.
    squares: [i128; 3],
}

impl Spread {
    /// The spread of shapes at offsets, in the frame of their body.
    ///
    /// # Errors
    ///
    /// If an aabb or a plane is among them; if the center of mass is not at the body's center; if the axes of
    /// the body are not its principal axes.
    pub fn of<'a>(children: impl Iterator<Item = (&'a Shape, Vec3)> + Clone) -> Result<Self, ShapeError> {
        let weights = Weights::of(children.clone())?;
        let middle = weights.middle_q16(children.clone());
        let radius = |(shape, offset): (&Shape, Vec3)| {
            let own = shape.bounding_radius().unwrap_or_default().to_bits();
            i128::from(own) + sqrt_ceil(offset.length_squared_wide()) as i128
        };
        let limit = SLACK_RAW + (children.clone().map(radius).max().unwrap_or_default() >> SLACK_SHIFT);
        for (axis, off) in (0..).zip(middle) {
            if off.abs() > limit << SPREAD_BITS {
                let off = Scalar::from_bits(shr_nearest(off, SPREAD_BITS) as i64);
                return Err(ShapeError::OffCenter { axis, off });
            }
        }
        let mut all = [[0; 3]; 3];
        for ((shape, offset), weight) in children.zip(&weights.each) {
            let (own, place) = (own_spread(shape), squares(offset));
            for (row, i) in all.iter_mut().zip(0_usize..) {
                for (part, j) in row.iter_mut().zip(0_usize..) {
                    *part += mul_div_nearest(own[i][j] + place[i][j], *weight, weights.sum);
                }
            }
        }
        let squares = [all[0][0], all[1][1], all[2][2]];
        let [x, y, z] = squares;
        let least = (x + y).min(y + z).min(z + x);
        let products = [all[1][2], all[2][0], all[0][1]];
        if products.iter().any(|part| part.abs() > least >> SLACK_SHIFT) {
            return Err(ShapeError::Tilted);
        }
        Ok(Self { squares })
    }

    /// The moments of inertia for a mass.
    ///
    /// **Rounding**: to nearest, halves up, of a value within 2^-29 of each child shape's share.
    ///
    /// # Errors
    ///
    /// If the moments are beyond their limits.
    pub fn inertia(&self, mass: u32) -> Result<Inertia, ShapeError> {
        let [x, y, z] = self.squares;
        let mass = i128::from(mass);
        let moments = [y + z, z + x, x + y].map(|sum| shr_nearest(mass * sum, SPREAD_BITS).unsigned_abs());
        Ok(Inertia::new(moments)?)
    }
}

/// The moments of inertia of shapes at offsets about the axes through the center of their body, which are to
/// be its principal axes. Where children overlap, mass is counted twice.
///
/// **Rounding**: volumes to 2^-29 of the largest child's sizes, moments to nearest. **Range**: sizes and
/// offsets up to [`SIZE_MAX`](super::SIZE_MAX), masses up to 2^16, 32 children.
///
/// # Errors
///
/// If there is no child, or one is an aabb or a plane; if the center of mass is farther from the center than 4
/// raw and 2^-20 of the reach of the children; if a product of inertia is above 2^-20 of the least moment; if a
/// moment is zero or beyond its limit; if the whole is too long and thin.
///
/// ```
/// use bitstep::{geom::Vec3, num::lit, shape::{Shape, inertia_of_children}};
/// // Two small balls, 2 apart: each is as much off the axes across as its center is.
/// let (ball, at) = (Shape::sphere(lit("0.25")), Vec3::lit("1", "0", "0"));
/// let inertia = inertia_of_children(&[(ball.clone(), at), (ball, -at)], 10).unwrap();
/// assert_eq!(inertia.moments(), [1 << 62, 41 << 62, 41 << 62]);
/// ```
pub fn inertia_of_children(children: &[(Shape, Vec3)], mass: u32) -> Result<Inertia, ShapeError> {
    Spread::of(children.iter().map(|(shape, offset)| (shape, *offset)))?.inertia(mass)
}

/// The center of mass of shapes at offsets, relative to the center of their body: subtract it from all
/// offsets for a body that rotates.
///
/// **Rounding**: to nearest, halves away from zero, of a value within 2^-27 of the reach; so mirrored and
/// permuted children have the image. **Range**: as [`inertia_of_children`].
///
/// # Errors
///
/// If there is no child, or one is an aabb or a plane.
pub fn center_of_children(children: &[(Shape, Vec3)]) -> Result<Vec3, ShapeError> {
    let children = || children.iter().map(|(shape, offset)| (shape, *offset));
    let middle = Weights::of(children())?.middle_q16(children());
    Ok(Vec3::from_raw(middle.map(|part| shr_nearest(part, SPREAD_BITS) as i64)))
}

/// The weights of children, as shares of a sum.
struct Weights {
    each: Vec<i128>,
    sum: i128,
}

impl Weights {
    fn of<'a>(children: impl Iterator<Item = (&'a Shape, Vec3)> + Clone) -> Result<Self, ShapeError> {
        let shapes = || children.clone().map(|(shape, _)| shape);
        if shapes().any(|shape| matches!(shape, Shape::Aabb { .. })) {
            return Err(ShapeError::NeverTurns);
        }
        let most = shapes().flat_map(lengths).fold(0, |most, length| most | length);
        let shift = (u128::BITS - most.leading_zeros()).saturating_sub(LENGTH_BITS);
        let each: Vec<_> = shapes().map(|shape| volume(shape, shift)).collect();
        let sum = each.iter().sum();
        // A plane has no volume, and neither has an empty set.
        if each.is_empty() || sum <= 0 || shapes().any(|shape| matches!(shape, Shape::Plane(_))) {
            return Err(ShapeError::Plane);
        }
        Ok(Self { each, sum })
    }

    /// The mean of the offsets in raw with 16 fraction bits.
    fn middle_q16<'a>(&self, children: impl Iterator<Item = (&'a Shape, Vec3)>) -> [i128; 3] {
        children.zip(&self.each).fold([0; 3], |sum, ((_, offset), weight)| {
            let offset = offset.raw();
            [0, 1, 2].map(|axis: usize| {
                sum[axis] + mul_div_nearest(i128::from(offset[axis]) << SPREAD_BITS, *weight, self.sum)
            })
        })
    }
}

/// The lengths that the volume of a shape is made of, in raw, to nearest.
fn lengths(shape: &Shape) -> [u128; 3] {
    match shape {
        Shape::Sphere { radius } => [radius.to_bits().unsigned_abs().into(); 3],
        Shape::Capsule(Capsule { half_axis, radius }) => {
            let radius = radius.to_bits().unsigned_abs().into();
            [radius, radius, length_nearest(*half_axis)]
        }
        Shape::Obb(Obb { half_edges }) => half_edges.map(length_nearest),
        Shape::Hull(form) => form.half_extent().raw().map(|half| half.unsigned_abs().into()),
        Shape::Aabb { .. } | Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => {
            [0; 3]
        }
    }
}

fn length_nearest(vector: Vec3) -> u128 {
    sqrt_floor(4 * vector.length_squared_wide()).div_ceil(2)
}

/// The volume of a shape in lengths of so many fewer bits, with 28 fraction bits, rounded to nearest.
fn volume(shape: &Shape, shift: u32) -> i128 {
    let half = if shift == 0 { 0 } else { 1 << (shift - 1) };
    let [a, b, c] = lengths(shape).map(|length| (length + half) >> shift);
    let volume = match shape {
        Shape::Sphere { .. } => (4 * PI_Q28 * (a * b * c) + 1) / 3,
        // A cylinder and two half balls.
        Shape::Capsule(_) => 2 * PI_Q28 * (a * b * c) + (4 * PI_Q28 * (a * a * b) + 1) / 3,
        Shape::Obb(_) => (8 * a * b * c) << 28,
        Shape::Hull(form) => return form.hull().volume_shifted(28 - 3 * i64::from(shift)),
        Shape::Aabb { .. } | Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => 0,
    };
    volume as i128 // below 2^119
}

/// The spread of a shape about its own center.
fn own_spread(shape: &Shape) -> [[i128; 3]; 3] {
    const MASS: u32 = 1 << SPREAD_BITS;
    let even = |part: i128| [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| if i == j { part } else { 0 }));
    match shape {
        Shape::Sphere { radius } => {
            let radius = i128::from(radius.to_bits());
            even(div_nearest((radius * radius) << SPREAD_BITS, 5))
        }
        Shape::Obb(Obb { half_edges }) => {
            let [a, b, c] = half_edges.map(squares);
            [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| div_nearest(a[i][j] + b[i][j] + c[i][j], 3)))
        }
        Shape::Capsule(Capsule { half_axis, radius }) => {
            let length = Scalar::from_bits(length_nearest(*half_axis) as i64);
            let [along, across] = capsule_moments(MASS, *radius, length).map(|moment| moment as i128);
            // About its axis it is twice the spread across it.
            let (even, square) = (even(div_nearest(along, 2)), half_axis.length_squared_wide() as i128);
            let axis = half_axis.raw().map(i128::from);
            [0, 1, 2].map(|i: usize| {
                [0, 1, 2]
                    .map(|j: usize| even[i][j] + mul_div_nearest(across - along, axis[i] * axis[j], square))
            })
        }
        Shape::Hull(form) => *form.hull().spread_q16(),
        Shape::Aabb { .. } | Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => {
            even(0)
        }
    }
}

/// The products of the components of a vector, in raw squared with [`SPREAD_BITS`] fraction bits.
fn squares(vector: Vec3) -> [[i128; 3]; 3] {
    let parts = vector.raw().map(i128::from);
    parts.map(|a| parts.map(|b| (a * b) << SPREAD_BITS))
}
