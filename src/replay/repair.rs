//! A damaged replay as a shorter one that is whole.

use super::{Damage, ReplayError, read::Whole, record::put_end};
use crate::session::Simulation;

/// The result of a repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// A whole replay: the bytes that were given, if they were not damaged.
    pub bytes: Vec<u8>,
    /// Number of its ticks.
    pub ticks: u64,
    /// The damage and its position; `None` if there was none.
    pub damage: Option<Damage>,
}

/// Writes a replay that ends where the damage begins.
///
/// Nothing is simulated: the records before the damage are kept, up to the last whole tick and those that
/// follow it. The last checksum of 128 bits is lost with the end record; those of 32 bits are kept.
///
/// # Errors
///
/// If nothing can be played: the header, the scenery or the initial snapshot is damaged.
pub fn repair<S: Simulation>(bytes: &[u8]) -> Result<Repaired, ReplayError> {
    let Whole { replay, damage, ends, is_ended } = Whole::<S>::read(bytes)?;
    let ticks = replay.ticks().len() as u64;
    // A whole one ends with its end record.
    let mut repaired = bytes[..ends].to_vec();
    if !is_ended {
        put_end(ticks, None, &mut repaired).expect("an end record is short");
    }
    Ok(Repaired { bytes: repaired, ticks, damage })
}
