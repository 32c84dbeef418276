//! The thresholds and limits of bodies.

use crate::{num::Scalar, sweep::MOTION_MAX};

/// The part of the smaller body's half extent that is the gap at which a pair rests: 2^-8.
pub const REST_GAP_SHIFT: u32 = 8;

/// The largest such gap, in raw: 2^-6 unit.
pub const REST_GAP_MAX: i64 = 1 << 26;

/// The range of contacts without gravity, 2^6 rest gaps: a quarter of the smaller body's least half extent. Inelastic bodies
/// within it are pressed together from the start of the tick in which they collide.
pub const INELASTIC_SHIFT: u32 = 6;

/// The largest angle of a rotation in a tick on each axis, in raw: 2^8 radians. It is far beyond the limit on angular speed, so what
/// is clamped is still too fast, and small enough that the sum of its squares fits.
pub const ANGLE_MAX: i64 = 1 << 40;

/// Half of the largest motion of a pair that a sweep accepts.
pub const MOTION_MAX_OF_ONE: Scalar = Scalar::from_bits(MOTION_MAX.to_bits() / 2);

/// The largest angular momentum after an impulse, in raw: far more than a body can keep.
pub const MOMENTUM_MAX: i128 = 1 << 62;
