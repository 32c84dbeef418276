//! A match that goes on on another machine or another day: late join, reconnect, resync and save game are this.
//!
//! A [`SavedMatch`] holds the terms, a snapshot, and the turns that were under way. Its bytes carry a checksum of 128 bits. The
//! state continues as the original, to the bit.

use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::Path,
    sync::Arc,
};

use bitstep::{
    session::{Session, Simulation},
    snapshot::{Checksum, RULES_VERSION, SnapshotError},
    state::Scenery,
};
use serde::{Deserialize, Serialize};

use crate::{
    GameId, LockstepGame, Terms, TermsError,
    terms::{NAME_BYTES_MAX, OPTIONS_BYTES_MAX},
    wire::Turn,
};

/// Largest size of a saved match in bytes.
pub const SAVE_BYTES_MAX: usize = 16 << 20;
/// Largest size of its terms.
const TERMS_BYTES_MAX: usize = NAME_BYTES_MAX + OPTIONS_BYTES_MAX + 64;
/// The first bytes of a saved match, and its version.
const MAGIC: [u8; 8] = *b"bitlck\x01\0";
/// Magic and checksum.
const HEAD_BYTES: usize = 24;

/// A state of a match, and everything needed to go on with it.
///
/// The fields are open, so that a game can carry its matches over to a new version by itself: it makes a snapshot and orders of
/// the new kind from those of the old, and puts its new [`GameId`] into the terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedMatch {
    /// The terms of the match.
    pub terms: Terms,
    /// The tick before the state.
    pub tick: u64,
    /// The turns that were under way: those right behind the tick, in order.
    pub turns: Vec<Turn>,
    /// The session's snapshot.
    pub snapshot: Vec<u8>,
}

/// Error: bytes are no saved match, or none that this build goes on with.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The bytes do not begin as a saved match.
    #[error("not a saved match")]
    NotASave,
    /// The match is larger than any.
    #[error("a saved match of {0} bytes, at most {SAVE_BYTES_MAX}")]
    TooLarge(u64),
    /// The content does not fit its checksum.
    #[error("a saved match that is damaged: it does not fit its checksum")]
    Damaged,
    /// A field has a value that it cannot have.
    #[error("a saved match that cannot be: {0}")]
    Field(String),
    /// The match is of another game, or another version of it.
    #[error("saved in {found}, this is {here}")]
    OtherGame {
        /// That of the saved match.
        found: GameId,
        /// That of this build.
        here: GameId,
    },
    /// The match was saved under older rules of the library, and would go on otherwise under these.
    #[error("saved under rules {found} of bitstep, this build has {RULES_VERSION}: migrate it")]
    OlderRules {
        /// The rules of the saved match.
        found: u32,
    },
    /// The snapshot is not of this game.
    #[error("a saved match whose state cannot be read: {0}")]
    Snapshot(#[from] SnapshotError),
}

impl SavedMatch {
    /// A state of a match, with the turns that are under way.
    #[must_use]
    pub fn new<G: LockstepGame>(terms: Terms, state: &Session<G>, turns: Vec<Turn>) -> Self {
        let mut snapshot = Vec::new();
        state.encode_into(&mut snapshot);
        Self { terms, tick: state.tick_count(), turns, snapshot }
    }

    /// The bytes of the saved match.
    ///
    /// # Panics
    ///
    /// Never: it is numbers and bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let content = bincode::serde::encode_to_vec(self, bincode::config::legacy())
            .expect("a saved match is numbers and bytes");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Checksum::of(&content).0.to_le_bytes());
        bytes.extend(content);
        bytes
    }

    /// The saved match of such bytes, which may come from anyone.
    ///
    /// # Errors
    ///
    /// If they are none, or damaged, or a field has a value that it cannot have. [`state`](Self::state) checks the snapshot.
    pub fn decode(bytes: &[u8]) -> Result<Self, SaveError> {
        if bytes.len() > SAVE_BYTES_MAX {
            return Err(SaveError::TooLarge(bytes.len() as u64));
        }
        let (head, content) = bytes.split_at_checked(HEAD_BYTES).ok_or(SaveError::NotASave)?;
        if head[..8] != MAGIC {
            return Err(SaveError::NotASave);
        }
        if Checksum::of(content).0.to_le_bytes() != head[8..] {
            return Err(SaveError::Damaged);
        }
        let malformed = |error: bincode::error::DecodeError| SaveError::Field(error.to_string());
        // By themselves: text may claim as much memory as the limit.
        let layout = bincode::config::legacy().with_limit::<TERMS_BYTES_MAX>();
        let (terms, used): (Terms, usize) =
            bincode::serde::decode_from_slice(content, layout).map_err(malformed)?;
        let (layout, content) = (bincode::config::legacy().with_limit::<SAVE_BYTES_MAX>(), &content[used..]);
        let ((tick, turns, snapshot), used) =
            bincode::serde::decode_from_slice(content, layout).map_err(malformed)?;
        if used != content.len() {
            return Err(SaveError::Field(format!("{} bytes too many", content.len() - used)));
        }
        let saved = Self { terms, tick, turns, snapshot };
        saved.checked()
    }

    fn checked(self) -> Result<Self, SaveError> {
        let Self { tick, turns, .. } = &self;
        let Terms { last_tick, delay, .. } =
            self.terms.clone().checked().map_err(|error| SaveError::Field(error.to_string()))?;
        if *tick > last_tick {
            return Err(SaveError::Field(format!("tick is {tick}, must be in 0..={last_tick}")));
        }
        let is_in_order = (tick + 1..).zip(turns).all(|(number, turn)| turn.number == number);
        if !is_in_order || turns.len() > usize::from(delay) {
            return Err(SaveError::Field("turns that do not follow the state".to_owned()));
        }
        // The players that are there when it goes on are not known yet.
        let is_plain =
            |turn: &Turn| turn.left.is_empty() && turn.joined.is_empty() && turn.present.is_empty();
        if !turns.iter().all(|turn| turn.is_of(self.terms.players) && is_plain(turn)) {
            return Err(SaveError::Field("turns with more than the orders of its players".to_owned()));
        }
        Ok(self)
    }

    /// The saved match in a file.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode), and all errors of the system. No more is read than a saved match can have.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SaveError> {
        let mut bytes = Vec::new();
        File::open(path)?.take(SAVE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
        Self::decode(&bytes)
    }

    /// Writes a file, or leaves an older one as it was: the bytes go into a new file beside it, to the disk, and then take its
    /// name.
    ///
    /// # Errors
    ///
    /// All errors of the system; a match that is too large to be read again is [`io::ErrorKind::InvalidData`].
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let (path, bytes) = (path.as_ref(), self.encode());
        if bytes.len() > SAVE_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, SaveError::TooLarge(bytes.len() as u64)));
        }
        let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let written = File::create(&part).and_then(|mut file| {
            file.write_all(&bytes)?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
            let _ = fs::remove_file(&part); // there may be none
        })
    }

    /// The state, in the scenery of the game's [`initial_state`](LockstepGame::initial_state).
    ///
    /// # Errors
    ///
    /// If it is of another game or version, of other rules of the library ([`migrate`](Self::migrate)), or the snapshot is not
    /// what the saved match says.
    pub fn state<G: LockstepGame>(&self, scenery: &Arc<Scenery>) -> Result<Session<G>, SaveError> {
        let (found, here) = (self.terms.game.clone(), GameId::of::<G>());
        if (&found.name, found.version) != (&here.name, here.version) || found.rules > here.rules {
            return Err(SaveError::OtherGame { found, here });
        }
        if found.rules < here.rules {
            return Err(SaveError::OlderRules { found: found.rules });
        }
        let state = self.restored::<G>(scenery)?;
        let mut again = Vec::new();
        state.encode_into(&mut again);
        if again == self.snapshot {
            Ok(state)
        } else {
            Err(SaveError::Field("a snapshot of other rules than its terms".to_owned()))
        }
    }

    /// The same match under the rules of this build, if it was saved under older ones. From there on it may go otherwise than it
    /// would have.
    ///
    /// # Errors
    ///
    /// If it is of another game or version, or the snapshot cannot be read.
    pub fn migrate<G: LockstepGame>(mut self, scenery: &Arc<Scenery>) -> Result<Self, SaveError> {
        let (found, here) = (self.terms.game.clone(), GameId::of::<G>());
        if (&found.name, found.version) != (&here.name, here.version) || found.rules > here.rules {
            return Err(SaveError::OtherGame { found, here });
        }
        self.restored::<G>(scenery)?.encode_into(&mut self.snapshot);
        self.terms.game = here;
        Ok(self)
    }

    fn restored<G: LockstepGame>(&self, scenery: &Arc<Scenery>) -> Result<Session<G>, SaveError> {
        let state = Session::<G>::decode(&self.snapshot, scenery)?;
        let tick = state.tick_count();
        if tick == self.tick {
            Ok(state)
        } else {
            Err(SaveError::Field(format!("tick {} of a state of tick {tick}", self.tick)))
        }
    }
}

impl From<TermsError> for SaveError {
    fn from(error: TermsError) -> Self {
        match error {
            TermsError::OtherGame { found, here } => Self::OtherGame { found, here },
            other => Self::Field(other.to_string()),
        }
    }
}
