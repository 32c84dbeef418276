//! The thresholds of the search structures. None of them changes what is found: they bound memory, and choose the cheaper of two
//! ways.

/// Largest number of cells and of entries for each box: it bounds memory where boxes differ much in size. A box no larger than a
/// cell touches at most eight; with fewer, cells would be coarse and list boxes that a region does not touch.
pub const ENTRIES_PER_BOX: u64 = 8;

/// The number of cells and of entries allowed in any grid, some tens of kilobytes: a few boxes are not kept from fine
/// cells, which tell where there is nothing.
pub const ENTRIES_SPARE: u64 = 1 << 13;

/// Largest number of cells that a region may touch to be searched here, four along each axis: every cell is looked at, empty or
/// not. Beyond that a tree is searched; with fewer, regions a little larger than a cell would be, too.
pub const CELLS_MAX: usize = 64;

/// Number of boxes up to which all are searched one by one: as many as the cells of a region of two along each axis, each of
/// which is looked at. With more, boxes would be looked at that cells pass over.
pub const FEW: usize = 8;

/// Largest number of cells for each box: it bounds memory where boxes are far apart. With fewer, cells are larger and more pairs
/// share one; with more, more empty ones are cleared and walked in each build.
pub const CELLS_PER_BOX: u64 = 8;

/// The number of cells allowed in any world: four along each axis.
pub const CELLS_SPARE: u64 = 64;

/// There is room for one box of the other kind, added later, for so many boxes. Beyond that more boxes share a
/// chain; with more room, more empty chains are cleared in each build.
pub const COMING: usize = 4;

/// Largest number of pairs that share a cell, for each box: in a crowd of equals it is less than one. Beyond
/// it, cells that are large enough to span the world are too large for the places where its boxes are.
pub const CROWDING_PER_BOX: u64 = 8;

/// Number of boxes that are searched one by one before they become a tree: fewer would build trees more often, more would be looked
/// at in each search.
pub const RECENT_MAX: usize = 32;

/// Number of boxes in a sample: sizes of cells need no more than a rough distribution, and the work does not grow with the number of
/// boxes. With fewer than 34, the least 3 in 100 would be none.
pub const SAMPLE_MAX: usize = 128;

/// The percentages of a sample that count as the least, the middle and the most: outliers do not.
pub const LEAST_PERCENT: usize = 3;
/// See [`LEAST_PERCENT`].
pub const MIDDLE_PERCENT: usize = 50;
/// See [`LEAST_PERCENT`].
pub const MOST_PERCENT: usize = 97;
