//! Recordings that can be checked: an opening snapshot, the scenery once, and per tick the commands
//! and a checksum.
//!
//! This room knows worlds and snapshots; it does not know files or terminals. The way of the data is
//! bytes, a checked [`Replay`], a [`World`](crate::world::World) that is stepped and compared. Start
//! with `format.rs`; the byte table is in `docs/formats.md`.

mod format;
mod migrate;
mod read;
mod record;
mod trace;
mod verify;

pub use format::REPLAY_FORMAT_VERSION;
pub use migrate::{Deviation, Migration, Outcomes, migrate};
pub use read::{Fault, Keyframe, ReadError, Replay, TickRecord};
pub use record::Recorder;
pub use trace::Trace;
pub use verify::{Divergence, OtherRules, Verdict, play, play_with, verify, verify_with};
