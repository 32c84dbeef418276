//! The protocol by which two peers detect a desync and locate it.
//!
//! This room knows states, checksums and replays; it has no sockets, no clock and no threads. It takes and
//! gives messages of bytes, over a link that may lose, repeat and reorder them. A [`Peer`] says hello, which
//! compares the handshake, which must be equal. Then it sends a 32-bit checksum for each confirmed tick and keeps
//! the last confirmed states. Where two checksums of a tick differ, both write their desync report,
//! exchange the reports, and compare them. All received bytes are checked here and may come from anyone. Start
//! with `endpoint.rs`; the byte table is in `docs/formats.md`.

mod checksums;
mod config;
mod dispute;
mod endpoint;
mod error;
mod event;
mod handshake;
mod judge;
mod kept;
mod message;
mod outbox;
mod report;
mod transfer;

pub use config::Config;
pub use endpoint::Peer;
pub use error::PeerError;
pub use event::Event;
pub use message::PROTOCOL_VERSION;
