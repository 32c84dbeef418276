//! Checks of single values of a state.

use super::{LayerTable, StateError};
use crate::{
    geom::{ANGULAR_SPEED_MAX, Vec3},
    num::Scalar,
};

pub(super) fn check_count(field: &str, value: u64, low: u64, high: u64) -> Result<(), StateError> {
    let fits = low <= value && value <= high;
    if fits { Ok(()) } else { Err(StateError::Count { field: field.to_owned(), value, low, high }) }
}

/// Checks an id against the length of the list that it is an index into.
pub(super) fn check_index(field: &str, value: u16, length: usize) -> Result<(), StateError> {
    match (length as u64).checked_sub(1) {
        Some(high) => check_count(field, value.into(), 0, high),
        None => Err(StateError::impossible(field, "the scenery has none")),
    }
}

/// Checks that a layer is one of the sixteen.
pub(crate) fn check_layer(field: &str, layer: u8) -> Result<(), StateError> {
    check_count(field, layer.into(), 0, u64::from(LayerTable::LAYERS) - 1)
}

/// Checks an angular velocity, in radians per tick, against the largest rotation of a tick.
pub(crate) fn check_angular_velocity(velocity: Vec3) -> Result<(), StateError> {
    check_length("angular_velocity", velocity, ANGULAR_SPEED_MAX)
}

/// Checks the components of a vector, then its length.
pub(super) fn check_length(field: &str, vector: Vec3, limit: Scalar) -> Result<(), StateError> {
    check_vector(field, vector, limit)?;
    let most = limit.to_bits().unsigned_abs();
    let fits = vector.length_squared_wide() <= u128::from(most) * u128::from(most);
    let length = Scalar::from_bits(vector.length_squared_wide().isqrt() as i64);
    if fits { Ok(()) } else { Err(StateError::beyond(field, length, limit)) }
}

pub(crate) fn check_size(field: &str, value: Scalar, limit: Scalar) -> Result<(), StateError> {
    let fits = value.to_bits().unsigned_abs() <= limit.to_bits().unsigned_abs();
    if fits { Ok(()) } else { Err(StateError::beyond(field, value, limit)) }
}

pub(crate) fn check_vector(field: &str, vector: Vec3, limit: Scalar) -> Result<(), StateError> {
    if vector.within(limit) {
        return Ok(()); // the names of fields are built only when needed
    }
    for (axis, value) in [("x", vector.x), ("y", vector.y), ("z", vector.z)] {
        check_size(&format!("{field}.{axis}"), value, limit)?;
    }
    Ok(())
}

/// Checks that a vector lies in the plane of a flat world.
pub(super) fn check_flat(is_flat: bool, field: &str, vector: Vec3) -> Result<(), StateError> {
    let fits = !is_flat || vector.z == 0;
    if fits { Ok(()) } else { Err(StateError::impossible(field, "z must be 0 in a flat world")) }
}
