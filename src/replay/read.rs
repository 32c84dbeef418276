//! Reading a replay: everything about the bytes is checked here, and nothing behind here.

use std::sync::Arc;

use super::format::{
    HEADER_BYTES, Kind, MAGIC, RECORD_CHECK_BYTES, RECORD_HEAD_BYTES, REPLAY_FORMAT_VERSION, record_check,
};
use crate::{
    session::{InputError, Simulation},
    snapshot::{Checksum, SnapshotError},
    world::{Scenery, World},
};

/// A replay whose bytes are sound.
#[derive(Clone, Debug)]
pub struct Replay<S: Simulation = World> {
    rules_version: u32,
    opening: S,
    ticks: Vec<TickRecord<S::Input>>,
    keyframes: Vec<Keyframe>,
    final_checksum: Checksum,
}

/// What was recorded of a tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TickRecord<I> {
    /// What the tick was given, in order: commands, or the inputs of a game.
    pub inputs: Vec<I>,
    /// Bytes that were kept with the tick, in order; nothing depends on them.
    pub notes: Vec<Vec<u8>>,
    /// The low 32 bits of the checksum after the tick.
    pub checksum: u32,
}

/// A snapshot inside a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keyframe {
    /// How many ticks of the replay were played before it.
    pub tick: u64,
    /// The snapshot's bytes, which were checked.
    pub snapshot: Vec<u8>,
}

/// Why bytes are not a replay, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {at}: {fault}")]
pub struct ReadError {
    /// The offset of the header or of the record that is at fault.
    pub at: u64,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a part of a replay.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The bytes do not begin as a replay does.
    #[error("not a bitstep replay")]
    NotAReplay,
    /// The layout is of another version.
    #[error("replay format {found}, this build reads {REPLAY_FORMAT_VERSION}")]
    Format {
        /// The version in the bytes.
        found: u16,
    },
    /// The bytes end inside a record, or before the end record.
    #[error("the file ends here, after {ticks} whole ticks: it is cut short")]
    CutShort {
        /// How many ticks came before.
        ticks: u64,
    },
    /// A record's content does not fit its check.
    #[error("record damaged, after {ticks} whole ticks")]
    Damaged {
        /// How many ticks came before.
        ticks: u64,
    },
    /// A record of a kind that this build does not know, or one in the wrong place.
    #[error("record kind {kind} {reason}")]
    Misplaced {
        /// The kind's number.
        kind: u8,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The scenery is refused.
    #[error("scenery: {0}")]
    Scenery(String),
    /// A snapshot is refused.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The inputs of a tick cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The end record does not fit what came before it.
    #[error("the end record says {said} ticks, there are {found}")]
    Count {
        /// What the end record says.
        said: u64,
        /// How many there are.
        found: u64,
    },
}

impl<S: Simulation> Replay<S> {
    /// Reads a whole replay.
    ///
    /// A replay of another rules version is read as well; [`verify`](super::verify) refuses it.
    ///
    /// # Errors
    ///
    /// Names the offset and what is wrong there. Memory is bounded by a multiple of the bytes given.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut reader = Reader { bytes, at: 0, ticks: 0 };
        reader.replay().map_err(|fault| ReadError { at: reader.at as u64, fault })
    }

    /// The version of the rules that the replay was recorded under.
    #[must_use]
    pub const fn rules_version(&self) -> u32 {
        self.rules_version
    }

    /// The state that the replay starts from.
    #[must_use]
    pub const fn opening(&self) -> &S {
        &self.opening
    }

    /// The scenery of the replay.
    #[must_use]
    pub fn scenery(&self) -> &Arc<Scenery> {
        self.opening.scenery()
    }

    /// The recorded ticks, in order.
    #[must_use]
    pub fn ticks(&self) -> &[TickRecord<S::Input>] {
        &self.ticks
    }

    /// The keyframes, in order.
    #[must_use]
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// The checksum after the last tick.
    #[must_use]
    pub const fn final_checksum(&self) -> Checksum {
        self.final_checksum
    }
}

/// A place in the bytes; after a fault, the place of the fault.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    ticks: u64,
}

impl<'a> Reader<'a> {
    fn replay<S: Simulation>(&mut self) -> Result<Replay<S>, Fault> {
        let rules_version = self.header()?;
        let scenery =
            self.expect(Kind::Scenery, |content| Scenery::decode(content).map_err(Fault::Scenery))?;
        let (opening, opening_checksum) =
            self.expect(Kind::Opening, |content| Ok((S::decode(content, &scenery)?, Checksum::of(content))))?;
        let start = opening.tick_count();
        let mut replay = Replay {
            rules_version,
            opening,
            ticks: Vec::new(),
            keyframes: Vec::new(),
            final_checksum: Checksum(0),
        };
        let mut notes = Vec::new();
        loop {
            let (kind, content, next) = self.record()?;
            match kind {
                Kind::Scenery | Kind::Opening => return Err(misplaced(kind, "comes a second time")),
                Kind::Note => notes.push(content.to_vec()),
                Kind::Tick => {
                    replay.ticks.push(tick_record::<S>(content, std::mem::take(&mut notes))?);
                    self.ticks += 1;
                }
                Kind::Keyframe => {
                    let tick = self.ticks;
                    if S::decode(content, &scenery)?.tick_count() != start + tick {
                        return Err(misplaced(kind, "is of another tick"));
                    }
                    replay.keyframes.push(Keyframe { tick, snapshot: content.to_vec() });
                }
                Kind::End if !notes.is_empty() => {
                    return Err(misplaced(Kind::Note, "belongs to no tick: the end follows"));
                }
                Kind::End => {
                    replay.final_checksum = self.end(content)?;
                    if self.ticks == 0 && replay.final_checksum != opening_checksum {
                        return Err(misplaced(kind, "of no ticks has another checksum than the opening"));
                    }
                    return self.nothing_behind(next).map(|()| replay);
                }
            }
            self.at = next;
        }
    }

    fn header(&mut self) -> Result<u32, Fault> {
        let header = self.bytes.first_chunk::<HEADER_BYTES>().ok_or(Fault::NotAReplay)?;
        if header[..8] != MAGIC {
            return Err(Fault::NotAReplay);
        }
        let found = u16::from_le_bytes([header[8], header[9]]);
        if found != REPLAY_FORMAT_VERSION || header[10..12] != [0; 2] {
            return Err(Fault::Format { found });
        }
        self.at = HEADER_BYTES;
        Ok(u32::from_le_bytes([header[12], header[13], header[14], header[15]]))
    }

    /// The record here, whose check holds: its kind, its content, and where the next one starts.
    fn record(&self) -> Result<(Kind, &'a [u8], usize), Fault> {
        let cut_short = || Fault::CutShort { ticks: self.ticks };
        let rest = &self.bytes[self.at..];
        let (head, rest) = rest.split_first_chunk::<RECORD_HEAD_BYTES>().ok_or_else(cut_short)?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let (content, rest) = rest.split_at_checked(length).ok_or_else(cut_short)?;
        let check = rest.first_chunk::<RECORD_CHECK_BYTES>().ok_or_else(cut_short)?;
        if record_check(*head, content) != u32::from_le_bytes(*check) {
            return Err(Fault::Damaged { ticks: self.ticks });
        }
        let kind = Kind::from_number(head[0])
            .ok_or(Fault::Misplaced { kind: head[0], reason: "is unknown to this build" })?;
        Ok((kind, content, self.at + RECORD_HEAD_BYTES + length + RECORD_CHECK_BYTES))
    }

    fn expect<T>(&mut self, wanted: Kind, read: impl FnOnce(&[u8]) -> Result<T, Fault>) -> Result<T, Fault> {
        let (kind, content, next) = self.record()?;
        if kind != wanted {
            return Err(misplaced(kind, "comes before the scenery and the opening snapshot"));
        }
        let value = read(content)?;
        self.at = next;
        Ok(value)
    }

    fn end(&self, content: &[u8]) -> Result<Checksum, Fault> {
        let (said, checksum) = content
            .split_first_chunk::<8>()
            .and_then(|(said, rest)| Some((u64::from_le_bytes(*said), rest.try_into().ok()?)))
            .ok_or(misplaced(Kind::End, "has the wrong length"))?;
        let found = self.ticks;
        if said == found {
            Ok(Checksum(u128::from_le_bytes(checksum)))
        } else {
            Err(Fault::Count { said, found })
        }
    }

    fn nothing_behind(&mut self, next: usize) -> Result<(), Fault> {
        self.at = next;
        match self.bytes.get(next) {
            None => Ok(()),
            Some(&kind) => Err(Fault::Misplaced { kind, reason: "comes after the end record" }),
        }
    }
}

const fn misplaced(kind: Kind, reason: &'static str) -> Fault {
    Fault::Misplaced { kind: kind as u8, reason }
}

fn tick_record<S: Simulation>(content: &[u8], notes: Vec<Vec<u8>>) -> Result<TickRecord<S::Input>, Fault> {
    let (checksum, inputs) =
        content.split_first_chunk().ok_or(misplaced(Kind::Tick, "has the wrong length"))?;
    Ok(TickRecord { inputs: S::decode_inputs(inputs)?, notes, checksum: u32::from_le_bytes(*checksum) })
}
