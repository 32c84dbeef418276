//! Snapshots: a header, then the state.

use std::sync::Arc;

use super::SnapshotError;
use crate::{
    state::{Scenery, State, wire},
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Limits, SceneryBuilder};

    fn empty_world() -> World {
        World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap()
    }

    /// Place of the rules version: behind six bytes of magic and two of the format version.
    const RULES: std::ops::Range<usize> = 8..12;

    #[test]
    fn another_rules_version_changes_four_bytes_of_a_snapshot() {
        let snapshot = encode(&empty_world());
        let mut relabelled = snapshot.clone();
        relabel(&mut relabelled, 0x0403_0201);
        assert_eq!(relabelled[RULES], [1, 2, 3, 4]);
        relabelled[RULES].copy_from_slice(&RULES_VERSION.to_le_bytes());
        assert_eq!(relabelled, snapshot);
    }

    #[test]
    fn bytes_that_are_no_snapshot_have_no_rules_version() {
        let header = encode(&empty_world())[..28].to_vec();
        let mut other_magic = header.clone();
        other_magic[0] ^= 1;
        for bytes in [&[][..], &header[..6], &header[..27], &other_magic] {
            let mut relabelled = bytes.to_vec();
            relabel(&mut relabelled, RULES_VERSION + 1);
            assert_eq!(relabelled, bytes);
        }
        let mut shortest = header.clone();
        relabel(&mut shortest, RULES_VERSION + 1);
        assert_ne!(shortest, header, "a header alone has one");
    }

    #[test]
    fn snapshots_of_newer_rules_are_refused_by_their_number() {
        let world = empty_world();
        let restored = |rules_version: u32| {
            let mut bytes = encode(&world);
            bytes[RULES].copy_from_slice(&rules_version.to_le_bytes());
            decode(&bytes, world.scenery()).map(|restored| encode(&restored))
        };
        for older in 0..=RULES_VERSION {
            assert_eq!(restored(older), Ok(encode(&world)), "{older}");
        }
        for found in [RULES_VERSION + 1, 0x0403_0201, 0x0100_0000, u32::MAX] {
            assert_eq!(restored(found), Err(SnapshotError::NewerRules { found }));
        }
    }
}
