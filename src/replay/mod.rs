//! Recordings that can be checked, that survive a crash, and in which every tick can be reached: an initial state
//! snapshot, the scenery once, and per tick the inputs and a checksum.
//!
//! This room knows simulations and snapshots; it does not know files or terminals. Data flows from bytes to a
//! checked [`Replay`] to a state that is stepped and compared. Start with `format.rs`, then `record.rs` for
//! writing, `read.rs` for reading, `player.rs` for seeking; the byte table is in `docs/formats.md`.

mod clip;
mod compare;
mod error;
mod format;
mod index;
mod index_file;
mod layer;
mod migrate;
mod options;
mod pending;
mod player;
mod read;
mod record;
mod recording;
mod repair;
mod trace;
mod varint;
mod verify;

pub use clip::clip;
pub use compare::{Agreement, Comparison, Judgement, compare, compare_with_rerun};
pub use error::{Damage, Fault, ReplayError};
pub use format::{INDEX_FORMAT_VERSION, REPLAY_FORMAT_VERSION};
pub use layer::{NAME_BYTES_MAX, PHASES_MAX, decode_log, encode_log_into};
pub use migrate::{Deviation, Migration, Outcomes, migrate};
pub use options::{Keyframes, RecordOptions};
pub use player::{ComparedTick, Player};
pub use read::rules_version_of;
pub use record::Recorder;
pub use recording::{Check, Keyframe, Replay, TickRecord};
pub use repair::{Repaired, repair};
pub use trace::Trace;
pub use verify::{Divergence, Verdict, play, verify, verify_while};
