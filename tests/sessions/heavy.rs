//! Running a game twice.
