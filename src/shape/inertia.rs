//! Moments of inertia of solids whose mass is spread evenly, about their centers.
//!
//! **Range**: sizes up to [`SIZE_MAX`], masses up to 2^16; the result is checked as in
//! [`Inertia::new`], which bounds how long and thin a solid may be.
//!
//! **Source**: H. Goldstein, Classical Mechanics, 1980, section 5-3; the capsule is two half balls and a
//! cylinder, moved by the parallel axis theorem (section 5-3 there).

use super::{Capsule, Obb, SIZE_MAX, Shape, ShapeError};
use crate::{
    geom::{Inertia, Vec3},
    num::{
        Scalar,
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        root::sqrt_floor,
    },
};

/// The largest mass that a moment is worked out for.
const MASS_MAX: u32 = 1 << 16;

/// A moment of a box of which the edges may have any direction, before it is divided.
pub(super) const WIDTH: Width = {
    let square = Bound::of(SIZE_MAX).dot(Bound::of(SIZE_MAX));
    Width {
        number: "`m (b^2 + c^2)`, a moment of a box",
        bound: square.plus(square).times(Bound::number(MASS_MAX as u64)),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The moments of a shape about the axes of its own frame, along which its edges or its axis must lie, in
/// whatever order: so that these are its principal axes.
///
/// **Rounding**: as in the function of each shape. **Range**: sizes up to [`SIZE_MAX`], masses up to 2^16.
///
/// # Errors
///
/// If the shape is a plane, a box or capsule not aligned with its frame, or too long and thin; if a moment is
/// zero.
///
/// # Panics
///
/// If a size is negative or above [`SIZE_MAX`], the radius of a capsule is 0, or the mass is above 2^16.
pub fn inertia_of(shape: &Shape, mass: u32) -> Result<Inertia, ShapeError> {
    match shape {
        Shape::Sphere { radius } => inertia_sphere(mass, *radius),
        Shape::Aabb { half } => inertia_box(mass, *half),
        Shape::Obb(Obb { half_edges }) => {
            let mut half = [Scalar::ZERO; 3];
            for (axis, length) in half_edges.iter().flat_map(|edge| along_axis(*edge)) {
                half[axis] = length;
            }
            let [x, y, z] = half;
            if half.contains(&Scalar::ZERO) {
                Err(ShapeError::NotAxisAligned)
            } else {
                inertia_box(mass, Vec3::new(x, y, z))
            }
        }
        Shape::Capsule(Capsule { half_axis, radius }) => {
            let (axis, half_length) = along_axis(*half_axis).ok_or(ShapeError::NotAxisAligned)?;
            let [along, across] = capsule_moments(mass, *radius, half_length);
            let mut moments = [across; 3];
            moments[axis] = along;
            Ok(Inertia::new(moments)?)
        }
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => Err(ShapeError::Plane),
        Shape::Hull(form) if form.is_as_made() => form.hull().inertia(mass),
        Shape::Hull(_) => Err(ShapeError::NotAxisAligned),
    }
}

/// The axis along which a vector lies, and its length; `None` if it lies along none.
fn along_axis(vector: Vec3) -> Option<(usize, Scalar)> {
    let lengths = vector.map_raw(i64::abs).raw();
    let axis = lengths.iter().position(|length| *length > 0)?;
    let is_along = lengths[axis + 1..].iter().all(|length| *length == 0);
    is_along.then_some((axis, Scalar::from_bits(lengths[axis])))
}

/// The radii of gyration about the principal axes, in raw: the distance at which the whole mass would have
/// the same moments.
///
/// **Rounding**: to nearest; at least 1. **Range**: up to 2^52.5, below the bounding radius of any solid.
///
/// # Panics
///
/// If the mass is 0.
#[must_use]
pub fn gyration_nearest(inertia: &Inertia, mass: u32) -> [i64; 3] {
    assert!(mass > 0, "mass out of range");
    // Twice the root, rounded down, tells which of two is nearer.
    let twice = |moment: u128| sqrt_floor(4 * moment / u128::from(mass)) as i64;
    inertia.moments().map(|moment| ((twice(moment) + 1) / 2).max(1))
}

/// The moments of a ball: 2/5 m r² about every axis.
///
/// **Rounding**: to nearest, halves up. **Range**: sizes up to [`SIZE_MAX`], masses up to 2^16.
///
/// # Errors
///
/// If the moment is zero: a ball of no size or mass.
///
/// # Panics
///
/// If the radius is negative or above [`SIZE_MAX`], or the mass above 2^16.
///
/// ```
/// use bitstep::{num::lit, shape::inertia_sphere};
/// assert_eq!(inertia_sphere(10, lit("0.5")).unwrap().moments(), [1 << 64; 3]);
/// ```
pub fn inertia_sphere(mass: u32, radius: Scalar) -> Result<Inertia, ShapeError> {
    let (mass, radius) = (checked_mass(mass), checked_size(radius));
    Ok(Inertia::new([div_nearest(2 * mass * radius * radius, 5); 3])?)
}

/// The moments of a box along the axes, from its half extents: m/3 (b² + c²) about the first axis, and so on.
///
/// **Rounding**: each to nearest, halves up. **Range**: sizes up to [`SIZE_MAX`], masses up to 2^16.
///
/// # Errors
///
/// If a moment is zero, or the box is too long and thin.
///
/// # Panics
///
/// If a half extent is negative or above [`SIZE_MAX`], or the mass above 2^16.
pub fn inertia_box(mass: u32, half: Vec3) -> Result<Inertia, ShapeError> {
    let squares = [half.x, half.y, half.z].map(|size| checked_size(size).pow(2));
    box_of_squares(mass, squares)
}

/// The moments of a box about its own edges, as [`inertia_box`] of the lengths of its half edges; these are
/// never rounded.
///
/// **Rounding**: each to nearest, halves up. **Range**: sizes up to [`SIZE_MAX`], masses up to 2^16.
///
/// # Errors
///
/// If a moment is zero, or the box is too long and thin.
///
/// # Panics
///
/// If a component is beyond [`SIZE_MAX`], or the mass above 2^16.
pub fn inertia_obb(mass: u32, obb: &Obb) -> Result<Inertia, ShapeError> {
    let squares = obb.half_edges.map(|edge| {
        assert!(edge.within(SIZE_MAX), "half edge out of range");
        edge.length_squared_wide()
    });
    box_of_squares(mass, squares)
}

/// The moments of a capsule along the first axis: all points within a radius of a segment that reaches
/// `half_length` both ways.
///
/// With r the radius, h the half length and s = 2 r + 3 h, of which the half balls weigh 2 r / s:
///
/// - along: m r² (8 r + 15 h) / (10 s)
/// - across: m (16 r³ + 45 r² h + 40 r h² + 20 h³) / (20 s)
///
/// A half length of 0 is a ball.
///
/// **Rounding**: along to nearest; across within one least bit, both the same. **Range**: sizes up to
/// [`SIZE_MAX`], masses up to 2^16.
///
/// # Errors
///
/// If a moment is zero, or the capsule is too long and thin.
///
/// # Panics
///
/// If the radius is not above 0, a size is negative or above [`SIZE_MAX`], or the mass above 2^16.
pub fn inertia_capsule(mass: u32, radius: Scalar, half_length: Scalar) -> Result<Inertia, ShapeError> {
    assert!(half_length <= SIZE_MAX, "size out of range");
    let [along, across] = capsule_moments(mass, radius, half_length);
    Ok(Inertia::new([along, across, across])?)
}

/// The moments along the axis of a capsule and across it. A diagonal capsule is longer than its extent on any
/// axis: the half length is up to twice [`SIZE_MAX`].
pub(super) fn capsule_moments(mass: u32, radius: Scalar, half_length: Scalar) -> [u128; 2] {
    assert!(radius > 0, "size out of range");
    assert!(half_length >= 0 && half_length <= 2 * SIZE_MAX, "size out of range");
    let (mass, r, h) =
        (checked_mass(mass), checked_size(radius), u128::from(half_length.to_bits().unsigned_abs()));
    let share = 2 * r + 3 * h;
    // The cubes reach 2^160: one factor of each goes in beside the division.
    let along = part(mass * r * r, 8 * r + 15 * h, 10 * share);
    let across =
        part(mass * r * r, 16 * r + 45 * h, 20 * share) + part(mass * h * h, 40 * r + 20 * h, 20 * share);
    [along, across]
}

fn box_of_squares(mass: u32, [a, b, c]: [u128; 3]) -> Result<Inertia, ShapeError> {
    let mass = checked_mass(mass);
    Ok(Inertia::new([b + c, c + a, a + b].map(|sum| div_nearest(mass * sum, 3)))?)
}

/// `a * b / d` to nearest; below 2^106, as the moment that it is a part of.
fn part(a: u128, b: u128, d: u128) -> u128 {
    mul_div_nearest(a as i128, b as i128, d as i128).unsigned_abs()
}

/// `n / d` to nearest, halves up.
const fn div_nearest(n: u128, d: u128) -> u128 {
    (n + d / 2) / d
}

fn checked_mass(mass: u32) -> u128 {
    assert!(mass <= MASS_MAX, "mass out of range");
    mass.into()
}

fn checked_size(size: Scalar) -> u128 {
    assert!(size >= 0 && size <= SIZE_MAX, "size out of range");
    size.to_bits().unsigned_abs().into()
}
