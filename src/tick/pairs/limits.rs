//! The thresholds of pair finding.

/// The pair cache is used if at most one in this number of bodies has left its box; otherwise all boxes are
/// rebuilt.
pub const OUTGROWN_PART: usize = 4;

/// The largest length of a piece, as a multiple of half the body's extent.
pub const REACHES_PER_PIECE: i64 = 8;

/// The distance by which a sweep may be early, in raw for each unit of the motion.
pub const EARLY_PER_UNIT: i64 = 2;
