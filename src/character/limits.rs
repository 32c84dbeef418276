//! The thresholds and limits of collide-and-slide.

/// The largest number of slides of a move: it bounds the work in a corner of many faces, where each slide leads to the next; a room's
/// corner takes three. What is left of the move is dropped.
pub const TURNS_MAX: u32 = 8;

/// Number of corrections of a path along the crease of two planes, whose direction is rounded.
pub const CREASE_ROUNDS: u32 = 2;

/// Number of passes in which a character is pushed out of the way of moving obstacles: the second one takes it out of what the
/// first one has pushed it into.
pub const PUSHES: u32 = 2;

/// The largest gap that a character keeps: 2^-10 units.
pub const GAP_MAX_RAW: i64 = 1 << 22;

/// The gap as a fraction of the least half extent: 2^-8.
pub const GAP_SHIFT: u32 = 8;

/// The part of the largest gap that each gap is larger, 2^-10: more than the error of the normals of slanting boxes and
/// capsules.
pub const GAP_SPARE_RAW: i64 = GAP_MAX_RAW >> 10;
