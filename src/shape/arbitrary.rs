//! Shapes out of random bytes, for fuzz targets and property tests: every one is within its limits.

use arbitrary::{Arbitrary, Error, Result, Unstructured};

use super::{Capsule, Hull, Obb, SIZE_MAX, Shape};
use crate::{geom::Vec3, num::Scalar};

/// The least half extent of an oriented box that is always one, however it is turned; in raw.
const OBB_LEAST: i64 = 256;
/// The largest half extent of an oriented box and half axis of a capsule that are within [`SIZE_MAX`] however
/// they are turned; in raw.
const TURNED_MOST: i64 = SIZE_MAX.to_bits() / 2;
/// The least half extent of the cube in which the points of a hull are drawn, in raw: drawn hulls are rarely flat.
const HULL_LEAST: i64 = 1 << 10;
/// The largest, at which it is within [`SIZE_MAX`] however it is turned about its center of mass.
const HULL_MOST: i64 = SIZE_MAX.to_bits() / 4;
/// The least byte that stands for a hull: one in five does.
const HULLS_FROM: u8 = 205;

impl<'a> Arbitrary<'a> for Capsule {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let most = length(u, 1, TURNED_MOST)?;
        let along = |u: &mut Unstructured<'a>| u.int_in_range(-most..=most);
        let half_axis = Vec3::from_raw([along(u)?, along(u)?, along(u)?]);
        let half_axis = if half_axis == Vec3::ZERO { Vec3::from_raw([0, most, 0]) } else { half_axis };
        Ok(Self::new(half_axis, Scalar::from_bits(length(u, 1, TURNED_MOST)?)))
    }
}

impl<'a> Arbitrary<'a> for Obb {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let half = half_extents(u, OBB_LEAST, TURNED_MOST)?;
        Ok(Self::new(half, u.arbitrary()?))
    }
}

impl<'a> Arbitrary<'a> for Hull {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let size = length(u, HULL_LEAST, HULL_MOST)?;
        let mut points = Vec::new();
        for _ in 0..u.int_in_range(4..=16)? {
            let part = |u: &mut Unstructured<'a>| u.int_in_range(-size..=size);
            points.push(Vec3::from_raw([part(u)?, part(u)?, part(u)?]));
        }
        let made = if u.arbitrary()? { Self::of(&points) } else { Self::upright(&points) };
        // Points that make no hull, which are few, are made one by a cube.
        let cube = Obb::along_axes(Vec3::splat(Scalar::from_bits(size))).corners();
        made.or_else(|_| Self::upright(&cube)).map_err(|_| Error::IncorrectFormat)
    }
}

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let kind: u8 = u.arbitrary()?;
        if kind >= HULLS_FROM {
            return Ok(Self::hull(u.arbitrary()?));
        }
        // Below it a byte means the shape that it meant before there were hulls.
        Ok(match kind % 5 {
            0 => Self::sphere(Scalar::from_bits(length(u, 1, SIZE_MAX.to_bits())?)),
            1 => Self::aabb(half_extents(u, 1, SIZE_MAX.to_bits())?),
            2 => Self::Obb(u.arbitrary()?),
            3 => Self::Capsule(u.arbitrary()?),
            _ => Self::Plane(u.arbitrary()?),
        })
    }
}

fn half_extents(u: &mut Unstructured<'_>, least: i64, most: i64) -> Result<Vec3> {
    let mut raw = [0; 3];
    for part in &mut raw {
        *part = length(u, least, most)?;
    }
    Ok(Vec3::from_raw(raw))
}

/// A length in raw: half the time about a unit, else of any width.
fn length(u: &mut Unstructured<'_>, least: i64, most: i64) -> Result<i64> {
    let width = if u.arbitrary()? { 32 } else { u.int_in_range(1..=62)? };
    Ok(u.int_in_range(1..=1_i64 << width)?.clamp(least, most))
}
