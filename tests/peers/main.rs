//! Two peers over a link that loses, repeats and reorders: what they find, and what nobody can make them do.
#![allow(missing_docs)]

mod connect;
mod desyncs;
mod games;
mod halves;
mod hostile;
mod link;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod wire;
