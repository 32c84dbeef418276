//! Snapshots: a header, then the state.

use std::sync::Arc;

use crate::{
    state::{Scenery, State, StateError, wire},
    tick::World,
};

/// The version of the results: it rises whenever the same state and commands may give another
/// checksum.
pub const RULES_VERSION: u32 = 1;

/// The version of the layout of snapshots, of a world alone and of a session.
pub const FORMAT_VERSION: u16 = 1;

/// The first bytes of a snapshot.
const MAGIC: [u8; 6] = *b"bitsnp";
/// Magic, format version, rules version, scenery hash.
const HEADER_BYTES: usize = MAGIC.len() + 2 + 4 + 16;

/// Error: bytes are not a snapshot of a world in a scenery.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The bytes do not begin as a snapshot does.
    #[error("not a bitstep snapshot")]
    NotASnapshot,
    /// The layout is of another version.
    #[error("snapshot format {found}, this build reads {FORMAT_VERSION}")]
    Format {
        /// The version in the bytes.
        found: u16,
    },
    /// The state was written under rules that this build does not have yet.
    #[error("snapshot of rules version {found}, this build has {RULES_VERSION}: take a newer build")]
    NewerRules {
        /// The version in the bytes.
        found: u32,
    },
    /// The state is of a session, not of a world alone.
    #[error("a snapshot with a game in it, not of a world alone: its own program reads it")]
    HasAGame,
    /// The state is of another game.
    #[error("snapshot of the game `{found}`, this is `{here}`")]
    OtherGame {
        /// The name in the bytes.
        found: String,
        /// The name of the game here.
        here: String,
    },
    /// The state lives in another scenery.
    #[error("snapshot of scenery {found:032x}, but the scenery here is {here:032x}")]
    Scenery {
        /// The content hash in the bytes.
        found: u128,
        /// The content hash of the scenery given.
        here: u128,
    },
    /// The state's bytes are damaged.
    #[error("snapshot state: {0}")]
    Damaged(String),
    /// The state breaks a limit.
    #[error("snapshot state: {0}")]
    Refused(#[from] StateError),
}

/// The world's snapshot: everything that later ticks depend on except the scenery itself.
///
/// Canonical: equal states in equal sceneries give equal bytes, on every target.
#[must_use]
pub fn encode(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_into(world, &mut bytes);
    bytes
}

/// Replaces the content of `bytes` by the world's snapshot, keeping its memory.
pub fn encode_into(world: &World, bytes: &mut Vec<u8>) {
    bytes.clear();
    append(world, bytes);
}

/// Appends the world's snapshot.
pub(crate) fn append(world: &World, bytes: &mut Vec<u8>) {
    bytes.extend(MAGIC);
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(RULES_VERSION.to_le_bytes());
    bytes.extend(world.scenery().content_hash().to_le_bytes());
    wire::encode_into(world.state(), bytes);
}

/// Writes another rules version into a world's snapshot; leaves other bytes unchanged.
pub(crate) fn relabel(bytes: &mut [u8], rules_version: u32) {
    if bytes.starts_with(&MAGIC) && bytes.len() >= HEADER_BYTES {
        bytes[8..12].copy_from_slice(&rules_version.to_le_bytes());
    }
}

/// The world of a snapshot, in its scenery.
///
/// A snapshot of older rules is restored as well: its state continues under the rules of this build.
///
/// # Errors
///
/// If the bytes are not a snapshot, are damaged, belong to another scenery, or hold a state that breaks its
/// own limits. Memory is bounded by a multiple of the bytes given.
pub fn decode(bytes: &[u8], scenery: &Arc<Scenery>) -> Result<World, SnapshotError> {
    if bytes.starts_with(b"bitses") {
        return Err(SnapshotError::HasAGame);
    }
    let (header, state) = bytes.split_at_checked(HEADER_BYTES).ok_or(SnapshotError::NotASnapshot)?;
    let (magic, rest) = header.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(SnapshotError::NotASnapshot);
    }
    check_versions(&rest[..6])?;
    let mut hash = [0; 16];
    hash.copy_from_slice(&rest[6..]);
    let (found, here) = (u128::from_le_bytes(hash), scenery.content_hash());
    if found != here {
        return Err(SnapshotError::Scenery { found, here });
    }
    let state: State = wire::decode(state).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
    Ok(World::from_state(state, Arc::clone(scenery))?)
}

/// Checks the format version (two bytes) and the rules version (four bytes) with which every snapshot begins.
pub(crate) fn check_versions(bytes: &[u8]) -> Result<(), SnapshotError> {
    let found = u16::from_le_bytes([bytes[0], bytes[1]]);
    if found != FORMAT_VERSION {
        return Err(SnapshotError::Format { found });
    }
    let found = u32::from_le_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]);
    if found > RULES_VERSION { Err(SnapshotError::NewerRules { found }) } else { Ok(()) }
}
