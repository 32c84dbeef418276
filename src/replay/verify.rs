//! Playing a replay again, and finding the first tick that differs.

use super::Replay;
use crate::{
    session::Simulation,
    snapshot::{Checksum, Difference, RULES_VERSION, diff_fields},
    tick::TickReport,
};

/// The result of a verification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Number of ticks played.
    pub ticks: u64,
    /// The checksum after the last of them.
    pub checksum: Checksum,
    /// The first tick that differs, or `None` where all match.
    pub divergence: Option<Divergence>,
}

/// The first tick whose checksum is not the recorded one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The number of the tick in the replay; the first is 1.
    pub tick: u64,
    /// The low 32 bits of the checksum in the replay.
    pub recorded: u32,
    /// The low 32 bits of the checksum found.
    pub found: u32,
    /// The tick of the first keyframe from there on, if there is one.
    pub fields_at: Option<u64>,
    /// The fields that differ at that keyframe: recorded first, found second.
    pub fields: Vec<Difference>,
}

/// The replay was recorded under other rules, so its checksums need not match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "recorded under rules version {recorded}, this build has rules version {RULES_VERSION}: \
     verify it with a build of rules version {recorded}"
)]
pub struct OtherRules {
    /// The replay's rules version.
    pub recorded: u32,
}

/// Plays a replay to its end without comparing; `observe` sees the state after each tick.
pub fn play<S: Simulation>(replay: &Replay<S>, observe: impl FnMut(&S, &TickReport)) {
    play_with(replay, &mut TickReport::default(), observe);
}

/// Plays a replay as [`play`] does, filling a report of the caller's: one that listens has events.
pub fn play_with<S: Simulation>(
    replay: &Replay<S>,
    report: &mut TickReport,
    mut observe: impl FnMut(&S, &TickReport),
) {
    let mut state = replay.opening().clone();
    for record in replay.ticks() {
        state.tick(&record.inputs, report);
        observe(&state, report);
    }
}

/// Plays a replay and compares every tick's checksum, the whole checksums between them, and the keyframes;
/// `observe` sees the state after each tick.
///
/// A replay that was read up to its damage is verified as far as it goes.
///
/// At the first difference it plays on to the next keyframe, where recorded and found states are compared
/// field by field.
///
/// # Errors
///
/// If the replay was recorded under another rules version.
pub fn verify<S: Simulation>(
    replay: &Replay<S>,
    observe: impl FnMut(&S, &TickReport),
) -> Result<Verdict, OtherRules> {
    verify_with(replay, &mut TickReport::default(), observe)
}

/// Verifies a replay as [`verify`] does, filling a report of the caller's: one that listens has events.
///
/// # Errors
///
/// If the replay was recorded under another rules version.
pub fn verify_with<S: Simulation>(
    replay: &Replay<S>,
    report: &mut TickReport,
    mut observe: impl FnMut(&S, &TickReport),
) -> Result<Verdict, OtherRules> {
    let recorded = replay.rules_version();
    if recorded != RULES_VERSION {
        return Err(OtherRules { recorded });
    }
    let mut state = replay.opening().clone();
    let mut bytes = Vec::new();
    state.encode_into(&mut bytes);
    for (ticks, record) in (1..).zip(replay.ticks()) {
        state.tick(&record.inputs, report);
        observe(&state, report);
        state.encode_into(&mut bytes);
        let checksum = Checksum::of(&bytes);
        let is = |recorded| recorded == checksum;
        let matches = checksum.short() == record.checksum
            && replay.inner_check_at(ticks).is_none_or(is)
            && (ticks < replay.ticks().len() as u64 || replay.final_checksum().is_none_or(is))
            && replay.keyframe_at(ticks).is_none_or(|recorded| recorded.snapshot == bytes);
        if !matches {
            let divergence = Some(diverged(replay, state, ticks, checksum.short()));
            return Ok(Verdict { ticks, checksum, divergence });
        }
    }
    Ok(Verdict { ticks: replay.ticks().len() as u64, checksum: Checksum::of(&bytes), divergence: None })
}

/// The divergence after `tick`, where `state` is the one found.
fn diverged<S: Simulation>(replay: &Replay<S>, mut state: S, tick: u64, found: u32) -> Divergence {
    let recorded = replay.ticks()[tick as usize - 1].checksum;
    let mut divergence = Divergence { tick, recorded, found, fields_at: None, fields: Vec::new() };
    let Some(keyframe) = replay.keyframes().iter().find(|keyframe| keyframe.tick >= tick) else {
        return divergence;
    };
    let mut report = TickReport::default();
    for record in &replay.ticks()[tick as usize..keyframe.tick as usize] {
        state.tick(&record.inputs, &mut report);
    }
    if let Ok(recorded) = S::decode(&keyframe.snapshot, replay.scenery()) {
        divergence.fields = diff_fields(&recorded.fields(), &state.fields());
        divergence.fields_at = Some(keyframe.tick);
    }
    divergence
}
