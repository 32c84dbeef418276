//! The thresholds of the search for events.

use crate::geom::Rotation;

/// A segment is cut into parts in which the components of both quaternions change by up to an eighth in sum: that is
/// a turn of at most 14 degrees, whatever its axis.
pub const PART_SHIFT: u32 = Rotation::BITS - 3;

/// A path is subdivided where it is longer than this many extents of its body: longer pieces have emptier boxes, shorter ones
/// are more boxes to search. A cost; but the pairs that are left count against the limit of a tick.
pub const EXTENTS_PER_PIECE: i64 = 5;
