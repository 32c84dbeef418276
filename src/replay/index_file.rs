//! A player's keyframes as a file beside the recording.

use xxhash_rust::xxh3::xxh3_128;

use super::{
    Damage, Fault, Player, Replay, ReplayError,
    format::{INDEX_FORMAT_VERSION, NoRecord, put_record, record_at},
    index::{Index, SPACING},
};
use crate::{
    session::Simulation,
    snapshot::{Checksum, RULES_VERSION},
};

const MAGIC: [u8; 8] = *b"\x89BSI\r\n\x1a\n";

/// Magic, format version, two bytes of zero, rules version, the recording's hash, spacing, check.
const HEADER_BYTES: usize = MAGIC.len() + 2 + 2 + 4 + 16 + 8 + 4;

/// A tick and the snapshot after it.
const KEYFRAME: u8 = 1;
/// The number of keyframes.
const END: u8 = 2;

impl<S: Simulation> Player<'_, S> {
    /// The player's keyframes as a file: for another player of the same recording.
    ///
    /// States that are not the recorded ones, in a recording that does not verify, are left out.
    #[must_use]
    pub fn save_index(&self) -> Vec<u8> {
        let mut bytes = header(self.replay.file_hash(), self.index.spacing);
        let (mut content, mut count) = (Vec::new(), 0_u64);
        for keyframe in &self.index.keyframes {
            if self.replay.is_recorded(keyframe.tick, Checksum::of(&keyframe.snapshot)) {
                content.clear();
                content.extend(keyframe.tick.to_le_bytes());
                content.extend(&keyframe.snapshot);
                put_record(KEYFRAME, &content, &mut bytes).expect("a snapshot has less than 2^32 bytes");
                count += 1;
            }
        }
        put_record(END, &count.to_le_bytes(), &mut bytes).expect("an end record is short");
        bytes
    }

    /// Takes the keyframes of a file in place of the player's own, as many as its budget has room for.
    ///
    /// # Errors
    ///
    /// If the bytes are not a whole index of this recording, made under these rules, whose states are the
    /// recorded ones; then the player keeps what it has.
    pub fn load_index(&mut self, bytes: &[u8]) -> Result<(), ReplayError> {
        let mut reader = Reader { bytes, at: 0 };
        let index = reader.read(self.replay, Index::new(self.index.budget));
        self.index = index.map_err(|fault| ReplayError::Index(Damage { at: reader.at as u64, fault }))?;
        Ok(())
    }
}

fn header(hash: u128, spacing: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(INDEX_FORMAT_VERSION.to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend(RULES_VERSION.to_le_bytes());
    bytes.extend(hash.to_le_bytes());
    bytes.extend(spacing.to_le_bytes());
    bytes.extend((xxh3_128(&bytes) as u32).to_le_bytes());
    bytes
}

/// The spacing of an index of a recording with this hash.
fn read_header(bytes: &[u8], here: u128) -> Result<u64, Fault> {
    let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(Fault::NotAnIndex)?;
    let (sealed, check) = header.split_at(HEADER_BYTES - 4);
    if sealed[..8] != MAGIC {
        return Err(Fault::NotAnIndex);
    }
    let found = u16::from_le_bytes([sealed[8], sealed[9]]);
    if found != INDEX_FORMAT_VERSION {
        return Err(Fault::IndexFormat { found });
    }
    if check != (xxh3_128(sealed) as u32).to_le_bytes() || sealed[10..12] != [0; 2] {
        return Err(Fault::IndexDamaged);
    }
    let found = u32::from_le_bytes([sealed[12], sealed[13], sealed[14], sealed[15]]);
    if found != RULES_VERSION {
        return Err(Fault::OtherRules { found });
    }
    let (mut hash, mut spacing) = ([0; 16], [0; 8]);
    hash.copy_from_slice(&sealed[16..32]);
    spacing.copy_from_slice(&sealed[32..]);
    let (found, spacing) = (u128::from_le_bytes(hash), u64::from_le_bytes(spacing));
    if found != here {
        return Err(Fault::OtherRecording { found, here });
    }
    if spacing % SPACING == 0 && (spacing / SPACING).is_power_of_two() {
        Ok(spacing)
    } else {
        Err(Fault::IndexMisplaced("a spacing that no player has"))
    }
}

/// An offset in the bytes; after a fault, that of the fault.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// Fills an empty index.
    fn read<S: Simulation>(&mut self, replay: &Replay<S>, mut index: Index) -> Result<Index, Fault> {
        let spacing = read_header(self.bytes, replay.file_hash())?;
        index.spacing = spacing;
        self.at = HEADER_BYTES;
        let (mut count, mut last) = (0_u64, 0);
        loop {
            let record = record_at(&self.bytes[self.at..]).map_err(|reason| match reason {
                NoRecord::CutShort => Fault::IndexCutShort,
                NoRecord::Damaged => Fault::IndexDamaged,
            })?;
            match record.kind {
                KEYFRAME => {
                    let (tick, snapshot) = keyframe(replay, record.content)?;
                    if tick <= last || tick % spacing != 0 {
                        return Err(Fault::IndexMisplaced("a keyframe in the wrong place"));
                    }
                    index.keep(tick, snapshot);
                    (count, last) = (count + 1, tick);
                }
                END if record.content == count.to_le_bytes() => {
                    self.at += record.size;
                    return if self.at == self.bytes.len() {
                        Ok(index)
                    } else {
                        Err(Fault::IndexMisplaced("something comes after the end record"))
                    };
                }
                END => return Err(Fault::IndexMisplaced("the end record says another number of keyframes")),
                _ => return Err(Fault::IndexMisplaced("a record of an unknown kind")),
            }
            self.at += record.size;
        }
    }
}

/// The tick and the snapshot of a keyframe that agrees with the recording.
fn keyframe<'a, S: Simulation>(replay: &Replay<S>, content: &'a [u8]) -> Result<(u64, &'a [u8]), Fault> {
    let (tick, snapshot) =
        content.split_first_chunk().ok_or(Fault::IndexMisplaced("a keyframe without a tick"))?;
    let tick = u64::from_le_bytes(*tick);
    if !replay.is_recorded(tick, Checksum::of(snapshot)) {
        return Err(Fault::IndexMisplaced("a keyframe that is not the recorded state"));
    }
    if S::decode(snapshot, replay.scenery())?.tick_count() != replay.initial_state().tick_count() + tick {
        return Err(Fault::IndexMisplaced("a keyframe of another tick"));
    }
    Ok((tick, snapshot))
}
