//! The answer of a sweep, and the range of what it accepts.

use crate::{
    geom::Normal,
    num::{Scalar, Toi},
};

/// The largest component of an offset that a sweep accepts: twice the largest world, in units.
pub const OFFSET_MAX: Scalar = Scalar::lit("33554432");
/// The largest component of a relative motion that a sweep accepts, in units per tick.
pub const MOTION_MAX: Scalar = Scalar::lit("8192");
/// The largest sum of radii, half extents and gap that a sweep accepts, in units.
pub const REACH_MAX: Scalar = Scalar::lit("16384");

/// First contact: when, and along which direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The time of impact, rounded down.
    pub toi: Toi,
    /// The direction from A to B, not of unit length.
    pub normal: Normal,
}
