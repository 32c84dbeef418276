//! Is there contact now, and where: one file per pair of shapes.
//!
//! Every answer is exact: integers are compared, nothing is rounded. Touching is not overlap: two
//! solids overlap when they share interior points. Offsets are B's origin minus A's.
