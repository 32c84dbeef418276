//! The same bits, however a run is cut, copied, saved or repeated.
#![allow(missing_docs)]

#[cfg(feature = "trace")]
mod address;
mod beside;
#[cfg(feature = "trace")]
mod compare;
#[cfg(feature = "trace")]
mod compare_forged;
mod forged;
mod hostile;
#[path = "../support/records.rs"]
#[allow(dead_code)]
mod records;
mod replays;
mod restore;
mod rules;
mod sleeping;
mod steps;
mod still;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod turning;
