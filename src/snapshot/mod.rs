//! A world as bytes, as a checksum, and field by field; commands as bytes.
//!
//! All of a world come from one serde definition, [`State`](crate::state::State), so nothing can be saved
//! and not hashed, or hashed and not compared. The scenery is not in a snapshot, only its content
//! hash is. Start with `format.rs`; the byte table is in `docs/formats.md`.

mod checksum;
mod command;
mod diff;
mod error;
mod fields;
mod format;
mod visitor;

pub use checksum::{Checksum, checksum};
pub use command::{decode_commands, encode_command_into};
pub use diff::{Difference, diff, diff_fields};
pub use error::SnapshotError;
pub use fields::{Field, Value, fields, fields_of_state};
pub use format::{FORMAT_VERSION, RULES_VERSION, decode, encode, encode_into};
pub(crate) use format::{append, check_versions, relabel};
pub(crate) use visitor::visit;
#[cfg(feature = "trace")]
pub(crate) use visitor::{Leaf, leaves};
