//! Two peers over a link that loses, repeats and reorders: their findings, and their resistance to forged
//! messages.
#![allow(missing_docs)]

mod connect;
mod desyncs;
mod games;
mod hostile;
mod link;
mod quiet;
mod reports;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;
mod wire;
