//! A part of a recording as a recording of its own.

use std::ops::RangeInclusive;

use super::{
    Player, Replay, ReplayError, TickRecord,
    format::{Kind, header, put_record},
    layer,
    record::put_end,
};
use crate::{
    session::{Simulation, TickLog},
    snapshot::Checksum,
};

/// The recording of some of a recording's ticks, counted from 1: it opens with the state before the first.
///
/// Inputs, notes, checksums and trace layers are those of the recording. If `traces`, ticks that have no
/// layer get one by playing them again, as long as that gives the recorded checksums. The last tick is
/// followed by a keyframe, if the recording has it or playing gives it.
///
/// # Errors
///
/// If the recording has no such ticks, or the state before them cannot be obtained.
pub fn clip<S: Simulation>(
    replay: &Replay<S>,
    ticks: RangeInclusive<u64>,
    traces: bool,
) -> Result<Vec<u8>, ReplayError> {
    let (from, to, count) = (*ticks.start(), *ticks.end(), replay.ticks().len() as u64);
    if from == 0 || from > to || to > count {
        return Err(ReplayError::Clip { from, to, ticks: count });
    }
    let mut player = Player::new(replay);
    let initial_state = player.seek(from - 1).map_err(|_| ReplayError::Clip { from, to, ticks: count })?;
    let mut snapshot = Vec::new();
    initial_state.encode_into(&mut snapshot);
    check_initial_state(replay, from - 1, Checksum::of(&snapshot))?;
    let mut clip = Clip { bytes: header(replay.rules_version()).to_vec() };
    clip.put(Kind::Scenery, &replay.scenery().encode());
    clip.put(Kind::InitialState, &snapshot);
    let mut is_same = true;
    let mut log = if traces { TickLog::states() } else { TickLog::off() };
    for tick in ticks {
        player.step_logged(&mut log);
        player.state().encode_into(&mut snapshot);
        let record = &replay.ticks()[tick as usize - 1];
        is_same &= replay.is_recorded(tick, Checksum::of(&snapshot));
        clip.put_tick::<S>(record, is_same.then_some(&log));
        let recorded = replay.keyframe_at(tick).map(|keyframe| &keyframe.snapshot);
        match recorded.or((tick == to && is_same).then_some(&snapshot)) {
            Some(keyframe) => clip.put(Kind::Keyframe, keyframe),
            None => replay.inner_check_at(tick).into_iter().for_each(|check| clip.put_check(check)),
        }
    }
    let last = replay.check_at(to).or(is_same.then(|| Checksum::of(&snapshot)));
    put_end(to - from + 1, last, &mut clip.bytes).expect("an end record is short");
    Ok(clip.bytes)
}

fn check_initial_state<S: Simulation>(
    replay: &Replay<S>,
    tick: u64,
    found: Checksum,
) -> Result<(), ReplayError> {
    let Some(before) = (tick as usize).checked_sub(1) else { return Ok(()) };
    if replay.is_recorded(tick, found) {
        return Ok(());
    }
    let recorded = replay.ticks()[before].checksum;
    Err(ReplayError::NotReproducible { tick, recorded, found: found.short() })
}

/// The bytes so far.
struct Clip {
    bytes: Vec<u8>,
}

impl Clip {
    fn put(&mut self, kind: Kind, content: &[u8]) {
        put_record(kind as u8, content, &mut self.bytes).expect("what was read from a record fits into one");
    }

    fn put_check(&mut self, checksum: Checksum) {
        self.put(Kind::Check, &checksum.0.to_le_bytes());
    }

    /// Adds a tick with its own layer, or else with the log, if that has content that fits into one.
    fn put_tick<S: Simulation>(&mut self, record: &TickRecord<S::Input>, log: Option<&TickLog>) {
        record.notes.iter().for_each(|note| self.put(Kind::Note, note));
        let made = log.filter(|log| log.is_on()).and_then(|log| {
            let mut layer = Vec::new();
            layer::encode_log_into(log, &mut layer).ok().map(|()| layer)
        });
        record.layer.iter().chain(&made).take(1).for_each(|layer| self.put(Kind::Layer, layer));
        let mut content = record.checksum.to_le_bytes().to_vec();
        S::encode_inputs(&record.inputs, &mut content);
        self.put(Kind::Tick, &content);
    }
}
