//! What physics promises: momentum, energy, exact impacts, fair space. One file per law.
#![allow(missing_docs)]

mod flight;
mod gas;
mod impacts;
mod support;
