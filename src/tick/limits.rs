//! The limits of a tick that are not those of one room.

use crate::num::Scalar;

/// The limit on the queued impacts for each body: far more than any crowd has. It bounds the memory for bodies that
/// overlap each other.
pub const QUEUED_PER_BODY: usize = 64;

/// The number of impacts that may be queued in any world: some hundred kilobytes, so that a few bodies with many child shapes are
/// not halted.
pub const QUEUED_SPARE: usize = 4096;

/// The distance below the skin at which bodies in contact have an impact: a little more than the contact
/// solver allows.
pub const CARRIED_CLOSER: Scalar = Scalar::from_bits(56);

/// Number of entries for each slot, plus [`PLACES_SPARE`], beyond which the tree of placed bodies is discarded: most are stale
/// then. With fewer, commands between ticks would rebuild it more often; with more, a query looks at more bodies that have left.
pub const PLACES_PER_SLOT: usize = 4;

/// Number of entries that are kept whatever the number of bodies: some kilobytes, so that a few commands do not rebuild the
/// tree of a small world.
pub const PLACES_SPARE: usize = 256;

/// Number of queries that test all bodies before a tree of their boxes is built, which takes as long as several of them: a tick
/// places few bodies as a rule, a setup many.
pub const PLACE_LOOKS: u32 = 8;

/// The largest angular velocity about locked axes that is accepted, on each axis: an error of a rounded
/// orientation. It is dropped.
pub const LOCKED_MAX: Scalar = Scalar::from_bits(1 << 6);
