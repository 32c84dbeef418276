//! The thresholds of pair finding.

/// The pair cache is used if at most one in this number of bodies has left its box; otherwise all boxes are
/// rebuilt. Each that has left is searched for alone, which costs more than its share of one search for all. A cost, not a
/// result.
pub const OUTGROWN_PART: usize = 4;

/// The largest length of a piece, as a multiple of half the body's extent: longer pieces have emptier boxes, shorter ones are
/// more boxes to search. A cost; but the candidates that are left count against the limit of a tick.
pub const REACHES_PER_PIECE: i64 = 8;

/// The distance by which a sweep may be early, in raw for each unit of the motion: twice what is lost where its instant is
/// rounded down, less than 2^-32 and so a raw for each unit. With less, boxes could part where a sweep of all pairs has a hit; with
/// more, they are larger than they need to be.
pub const EARLY_PER_UNIT: i64 = 2;
