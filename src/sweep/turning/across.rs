//! Edges that are nearly across a normal.

use crate::geom::IVec3;

/// The fraction bits of a raw in an edge.
pub(super) const EDGE_BITS: u32 = 14;

/// The largest share of an edge along a normal at which it counts as across it: 2^-12 of its length.
pub(super) const SHARE_MAX: u128 = 1 << (62 - EDGE_BITS - 12);

/// A half edge, or an edge of a hull, that is nearly across a normal.
pub(super) struct Across {
    /// Its part along the normal over the largest of its components.
    pub(super) share: u128,
    pub(super) edge: IVec3<i64>,
    /// Rate of change of its extent along the normal, in raw times the normal's components per tick.
    pub(super) speed: i128,
    /// True if another half edge of the solid is across it, too.
    pub(super) is_face: bool,
    /// True if another half edge is equally much across it.
    pub(super) is_tied: bool,
}
