//! The thresholds of depenetration, its limit on rounds, and its precision.

use crate::{num::Scalar, state::Limits};

/// A displacement below this part of the depth up to which a body may lie in others is discarded: 2^-6. Without that a
/// crowd in a closed room would never lie still.
pub const STILL_SHIFT: u32 = 6;

/// Number of rounds over all overlaps, each with the displacements of the round before: each passes displacements on by
/// one body, and costs a visit of all overlaps.
pub const ROUNDS: u32 = 4;

/// The number of overlaps per body beyond which there is one round only: 2^5. It bounds the list of overlaps, and so memory and
/// work where thousands of bodies stand at one point; at most 12 equal balls touch one without an overlap.
pub const CROWDED_SHIFT: u32 = 5;

/// Room in a box for a path that is displaced, besides its displacement, in raw: more than the 8 that up to 4 units more of motion
/// add to what its sweeps may be early by.
pub const SPARE: Scalar = Scalar::from_bits(64);

/// The largest depth that counts, in raw: the sum over all candidates of a tick fits.
pub const DEPTH_MAX: i64 = Limits::SEPARATION_SPEED_MAX.to_bits();

/// The share of a body in n overlaps at once is the part 6 / (n + 5): all of one, and of many as much as does not set a crowd
/// swinging.
pub const CROWD: i64 = 5;

/// Number of bits of lengths that are compared or divided.
pub const SEEN_BITS: u32 = 31;

/// The fraction bits of normals and weights: their products with lengths up to 2^36 fit, and with the sum of several of these.
pub const FINE_BITS: u32 = 26;
