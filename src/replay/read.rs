//! Reading a replay: all checks of the bytes are here.

use xxhash_rust::xxh3::xxh3_128;

use super::{
    Check, Damage, Fault, Keyframe, Replay, ReplayError, TickRecord,
    format::{HEADER_BYTES, Kind, MAGIC, REPLAY_FORMAT_VERSION, record_at},
    layer,
};
use crate::{session::Simulation, snapshot::Checksum, state::Scenery};

/// The version of the rules that a replay was recorded under, from its header alone.
///
/// # Errors
///
/// If the bytes do not begin as a replay does, or are of a format that this build does not read.
pub fn rules_version_of(bytes: &[u8]) -> Result<u32, ReplayError> {
    header(bytes).map_err(|fault| ReplayError::Replay(Damage { at: 0, fault }))
}

impl<S: Simulation> Replay<S> {
    /// Reads a whole replay.
    ///
    /// A replay of another rules version is read as well; [`verify`](super::verify) refuses it.
    ///
    /// # Errors
    ///
    /// Names the offset and what is wrong there. Memory is bounded by a multiple of the bytes given.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        match Self::read_to_damage(bytes)? {
            (replay, None) => Ok(replay),
            (_, Some(damage)) => Err(ReplayError::Replay(damage)),
        }
    }

    /// Reads a replay up to its first damage, and returns the damage.
    ///
    /// The whole part of a damaged one is a replay of fewer ticks: it plays and verifies.
    ///
    /// # Errors
    ///
    /// If nothing can be played: the header, the scenery or the initial snapshot is damaged.
    pub fn read_to_damage(bytes: &[u8]) -> Result<(Self, Option<Damage>), ReplayError> {
        let Whole { replay, damage, .. } = Whole::read(bytes)?;
        Ok((replay, damage))
    }
}

/// The whole part of a replay.
pub(super) struct Whole<S: Simulation> {
    pub replay: Replay<S>,
    pub damage: Option<Damage>,
    /// The end of the last record that belongs to it.
    pub ends: usize,
    /// True if the end record is present.
    pub is_ended: bool,
}

impl<S: Simulation> Whole<S> {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let rules_version = header(bytes).map_err(|fault| ReplayError::Replay(Damage { at: 0, fault }))?;
        let mut reader = Reader { bytes, at: HEADER_BYTES };
        let opened = reader.initial_state::<S>().map_err(|fault| Damage { at: reader.at as u64, fault });
        let (initial_state, initial_checksum) = opened.map_err(ReplayError::Replay)?;
        let replay = Replay {
            rules_version,
            file_hash: xxh3_128(bytes),
            initial_state,
            ticks: Vec::new(),
            keyframes: Vec::new(),
            checks: Vec::new(),
            final_checksum: None,
        };
        let mut whole = Self { replay, damage: None, ends: reader.at, is_ended: false };
        let result = whole.read_ticks(&mut reader, initial_checksum);
        whole.damage = result.err().map(|fault| Damage { at: reader.at as u64, fault });
        Ok(whole)
    }

    fn ticks(&self) -> u64 {
        self.replay.ticks.len() as u64
    }

    fn read_ticks(&mut self, reader: &mut Reader<'_>, initial_checksum: Checksum) -> Result<(), Fault> {
        let mut next = TickParts::default();
        loop {
            let (kind, content, behind) = reader.record(self.ticks())?;
            match kind {
                Kind::Scenery | Kind::InitialState => {
                    return Err(Fault::misplaced(kind, "comes a second time"));
                }
                Kind::Note => next.notes.push(content.to_vec()),
                Kind::Layer => next.layer = Some(self.layer(content, &next)?),
                Kind::Tick => self.replay.ticks.push(std::mem::take(&mut next).record::<S>(content)?),
                _ if !next.is_empty() => return Err(next.belongs_to_no_tick()),
                Kind::Keyframe => self.keyframe(content)?,
                Kind::Check => self.check(content)?,
                Kind::End => self.end(content, initial_checksum)?,
            }
            if next.is_empty() {
                self.ends = behind;
            }
            reader.at = behind;
            if kind == Kind::End {
                return reader.nothing_behind();
            }
        }
    }

    fn layer(&self, content: &[u8], next: &TickParts) -> Result<Vec<u8>, Fault> {
        if next.layer.is_some() {
            return Err(Fault::misplaced(Kind::Layer, "comes twice before a tick"));
        }
        if layer::read(content)?.tick != self.replay.initial_state.tick_count() + self.ticks() + 1 {
            return Err(Fault::misplaced(Kind::Layer, "is of another tick"));
        }
        Ok(content.to_vec())
    }

    fn keyframe(&mut self, content: &[u8]) -> Result<(), Fault> {
        let (tick, initial_state) = (self.ticks(), &self.replay.initial_state);
        if tick == 0 {
            return Err(Fault::misplaced(Kind::Keyframe, "comes before the first tick"));
        }
        if self.replay.keyframes.last().is_some_and(|last| last.tick == tick) {
            return Err(Fault::misplaced(Kind::Keyframe, "comes twice after a tick"));
        }
        if S::decode(content, initial_state.scenery())?.tick_count() != initial_state.tick_count() + tick {
            return Err(Fault::misplaced(Kind::Keyframe, "is of another tick"));
        }
        self.replay.keyframes.push(Keyframe { tick, snapshot: content.to_vec() });
        Ok(())
    }

    fn check(&mut self, content: &[u8]) -> Result<(), Fault> {
        let tick = self.ticks();
        if tick == 0 {
            return Err(Fault::misplaced(Kind::Check, "comes before the first tick"));
        }
        if self.replay.checks.last().is_some_and(|last| last.tick == tick) {
            return Err(Fault::misplaced(Kind::Check, "comes twice after a tick"));
        }
        let checksum =
            content.try_into().map_err(|_| Fault::misplaced(Kind::Check, "has the wrong length"))?;
        self.replay.checks.push(Check { tick, checksum: Checksum(u128::from_le_bytes(checksum)) });
        Ok(())
    }

    fn end(&mut self, content: &[u8], initial_checksum: Checksum) -> Result<(), Fault> {
        let wrong_length = || Fault::misplaced(Kind::End, "has the wrong length");
        let (said, rest) = content.split_first_chunk::<8>().ok_or_else(wrong_length)?;
        let checksum = match rest.try_into() {
            Ok(checksum) => Some(Checksum(u128::from_le_bytes(checksum))),
            Err(_) if rest.is_empty() => None,
            Err(_) => return Err(wrong_length()),
        };
        let (said, found) = (u64::from_le_bytes(*said), self.ticks());
        if said != found {
            return Err(Fault::Count { said, found });
        }
        if found == 0 && checksum.is_some_and(|checksum| checksum != initial_checksum) {
            return Err(Fault::misplaced(
                Kind::End,
                "of no ticks has another checksum than the initial state",
            ));
        }
        self.replay.final_checksum = checksum;
        self.is_ended = true;
        Ok(())
    }
}

/// The records before the tick that they belong to.
#[derive(Default)]
struct TickParts {
    notes: Vec<Vec<u8>>,
    layer: Option<Vec<u8>>,
}

impl TickParts {
    fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.layer.is_none()
    }

    fn belongs_to_no_tick(&self) -> Fault {
        let kind = if self.notes.is_empty() { Kind::Layer } else { Kind::Note };
        Fault::misplaced(kind, "belongs to no tick: none follows")
    }

    fn record<S: Simulation>(self, content: &[u8]) -> Result<TickRecord<S::Input>, Fault> {
        let (checksum, inputs) =
            content.split_first_chunk().ok_or(Fault::misplaced(Kind::Tick, "has the wrong length"))?;
        let Self { notes, layer } = self;
        let (inputs, checksum) = (S::decode_inputs(inputs)?, u32::from_le_bytes(*checksum));
        Ok(TickRecord { inputs, notes, checksum, layer })
    }
}

/// The rules version of a header.
fn header(bytes: &[u8]) -> Result<u32, Fault> {
    let header = bytes.first_chunk::<HEADER_BYTES>().ok_or(Fault::NotAReplay)?;
    if header[..8] != MAGIC {
        return Err(Fault::NotAReplay);
    }
    let found = u16::from_le_bytes([header[8], header[9]]);
    if found != REPLAY_FORMAT_VERSION || header[10..12] != [0; 2] {
        return Err(Fault::Format { found });
    }
    Ok(u32::from_le_bytes([header[12], header[13], header[14], header[15]]))
}

/// An offset in the bytes; after a fault, that of the fault.
pub(super) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    /// The state that the replay starts from, and its checksum.
    fn initial_state<S: Simulation>(&mut self) -> Result<(S, Checksum), Fault> {
        let scenery = self.required(Kind::Scenery, |content| Ok(Scenery::decode(content)?))?;
        self.required(Kind::InitialState, |content| {
            Ok((S::decode(content, &scenery)?, Checksum::of(content)))
        })
    }

    fn required<T>(
        &mut self,
        wanted: Kind,
        read: impl FnOnce(&[u8]) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let (kind, content, behind) = self.record(0)?;
        if kind != wanted {
            return Err(Fault::misplaced(kind, "comes before the scenery and the initial snapshot"));
        }
        let value = read(content)?;
        self.at = behind;
        Ok(value)
    }

    /// The record at the offset, whose check holds: its kind, its content, and the offset of the next one.
    pub(super) fn record(&self, ticks: u64) -> Result<(Kind, &'a [u8], usize), Fault> {
        let record = record_at(&self.bytes[self.at..]).map_err(|reason| Fault::no_record(reason, ticks))?;
        let kind = Kind::from_number(record.kind)
            .ok_or(Fault::Misplaced { kind: record.kind, reason: "is unknown to this build" })?;
        Ok((kind, record.content, self.at + record.size))
    }

    fn nothing_behind(&self) -> Result<(), Fault> {
        match self.bytes.get(self.at) {
            None => Ok(()),
            Some(&kind) => Err(Fault::Misplaced { kind, reason: "comes after the end record" }),
        }
    }
}
