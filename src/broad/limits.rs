//! The thresholds of the search structures. None of them changes what is found: they bound memory, and choose the cheaper of two
//! ways.

/// Largest number of cells and of entries for each box: it bounds memory where boxes differ much in size.
pub const ENTRIES_PER_BOX: u64 = 8;

/// The number of cells and of entries allowed in any grid: small worlds are not kept from fine cells.
pub const ENTRIES_SPARE: u64 = 1 << 13;

/// Largest number of cells that a region may touch to be searched here: beyond, a tree takes fewer steps.
pub const CELLS_MAX: usize = 64;

/// Number of boxes up to which all are searched one by one, which takes less than any structure does.
pub const FEW: usize = 8;

/// Largest number of cells for each box: it bounds memory where boxes are far apart.
pub const CELLS_PER_BOX: u64 = 8;

/// The number of cells allowed in any world: four along each axis.
pub const CELLS_SPARE: u64 = 64;

/// There is room for one box of the other kind, added later, for so many boxes: few bodies leave their boxes within a tick, and
/// beyond that the rows grow.
pub const COMING: usize = 4;

/// Largest number of pairs that share a cell, for each box: in a crowd of equals it is less than one. Beyond
/// it, cells that are large enough to span the world are too large for the places where its boxes are.
pub const CROWDING_PER_BOX: u64 = 8;

/// Number of boxes that are searched one by one before they become a tree: fewer would build trees more often, more would be looked
/// at in each search.
pub const RECENT_MAX: usize = 32;

/// Number of boxes in a sample: sizes of cells need no more than a rough distribution, and a sort of these costs next to nothing.
pub const SAMPLE_MAX: usize = 128;

/// The percentages of a sample that count as the least, the middle and the most: outliers do not.
pub const LEAST_PERCENT: usize = 3;
/// See [`LEAST_PERCENT`].
pub const MIDDLE_PERCENT: usize = 50;
/// See [`LEAST_PERCENT`].
pub const MOST_PERCENT: usize = 97;
