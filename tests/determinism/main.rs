//! The same bits, however a run is cut, copied, saved or repeated.
#![allow(missing_docs)]

#[cfg(feature = "trace")]
mod address;
mod forged;
mod hostile;
mod replays;
mod restore;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
