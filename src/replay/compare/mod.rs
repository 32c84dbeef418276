//! Locates the divergence of two runs: content, inputs, tick, phase, field.
//!
//! The questions are asked in that order. The first that finds a difference ends the comparison, since all
//! that follows may be a consequence. Inputs and checksums stand in the recordings. The course of the first
//! tick that differs is read from its trace layer, or found by playing the tick again where that gives the
//! recorded checksum. Start with `mod.rs`, then `tick.rs`.

mod comparison;
mod rerun;
mod side;
mod tick;

pub use comparison::{Agreement, Comparison, Judgement};

use std::ops::ControlFlow;

use self::{rerun::Rerun, side::Side, tick::Sides};
use super::{Player, Replay};
use crate::{
    session::{Simulation, first_difference},
    snapshot::{Checksum, Difference, Value, diff_fields},
    tick::TickReport,
};

/// Compares two recordings, in the ticks that both have.
///
/// Ticks go by the numbers that the states count, so a part of a recording can be compared with the whole.
#[must_use]
pub fn compare<S: Simulation>(left: &Replay<S>, right: &Replay<S>) -> Comparison {
    let sides = Sides { left: Side::new(left), right: Side::new(right) };
    if let Some(differs) = content(&sides) {
        return differs;
    }
    let Sides { left, right } = &sides;
    let (first, last) = (left.start.max(right.start) + 1, left.last().min(right.last()));
    for tick in first..=last {
        let [a, b] = [left, right].map(|side| side.record(tick).map_or(&[][..], |record| &record.inputs));
        if a != b {
            return other_inputs(&sides, tick);
        }
        if !left.agrees_after(right, tick) || layers_differ(&sides, tick) {
            return sides.divergence_in(tick);
        }
    }
    let mut same = Comparison::same();
    for (name, side) in [("left", left), ("right", right)] {
        if side.last() > last {
            same.note(format!("the {name} goes on to tick {}, the other ends at {last}", side.last()));
        }
    }
    same
}

/// Compares a recording, which is the left, with a run of its inputs by this build.
#[must_use]
pub fn compare_with_rerun<S: Simulation>(replay: &Replay<S>) -> Comparison {
    let side = Side::new(replay);
    if !side.is_of_these_rules() {
        let mut comparison = Comparison { judgement: Judgement::NotReproducible, ..Comparison::same() };
        let rules = replay.rules_version();
        comparison
            .note(format!("it was recorded under rules version {rules}, which this build does not have"));
        return comparison;
    }
    let played = play_to_divergence(replay, |_, _| ControlFlow::Continue(()));
    played.divergence.unwrap_or_else(|| Comparison { rerun: Agreement::Both, ..Comparison::same() })
}

/// The ticks of a recording that come out as recorded.
pub(super) struct Played {
    /// Number of ticks that were played: all, or up to the first that differs, or to that in which `observe` broke.
    pub ticks: u64,
    /// The checksum after the last of them.
    pub checksum: Checksum,
    /// The difference in that tick; the recording is the left.
    pub divergence: Option<Comparison>,
}

/// Plays a recording of these rules up to the first tick that differs from it, and says how.
pub(super) fn play_to_divergence<S: Simulation>(
    replay: &Replay<S>,
    mut observe: impl FnMut(&S, &TickReport) -> ControlFlow<()>,
) -> Played {
    let mut player = Player::with_budget(replay, 0);
    let mut before = player.state().clone();
    let (mut ticks, mut checksum) = (0, before.checksum());
    for record in replay.ticks() {
        before.clone_from(player.state());
        let Some(played) = player.step_compared() else { break };
        let flow = observe(player.state(), player.report());
        (ticks, checksum) = (ticks + 1, played.checksum);
        if !played.is_recorded {
            let side = Side::new(replay);
            let divergence =
                Some(side.divergence_from(&Rerun::of(&before, &record.inputs), side.start + ticks));
            return Played { ticks, checksum, divergence };
        }
        if flow.is_break() {
            break;
        }
    }
    Played { ticks, checksum, divergence: None }
}

/// The differences before the first tick that both have.
fn content<S: Simulation>(sides: &Sides<'_, S>) -> Option<Comparison> {
    let Sides { left, right } = sides;
    let rules = [left, right].map(|side| Value::Whole(side.replay.rules_version().into()));
    let scenery = [left, right].map(|side| side.replay.scenery().content_hash());
    let scenery = scenery.map(|hash| Value::Text(format!("{hash:032x}")));
    for (path, [a, b]) in [("rules version", rules), ("scenery", scenery)] {
        if a != b {
            let difference = Difference { path: path.to_owned(), left: Some(a), right: Some(b) };
            return Some(Comparison::content(vec![difference]));
        }
    }
    let begin = left.start.max(right.start);
    if begin > left.last() || begin > right.last() {
        let mut apart = Comparison::content(Vec::new());
        let ranges = [left, right].map(|side| format!("{} to {}", side.start, side.last()));
        apart.note(format!("they have no state in common: ticks {} and {}", ranges[0], ranges[1]));
        return Some(apart);
    }
    if left.agrees_after(right, begin) {
        return None;
    }
    let states = left.state_after(begin).zip(right.state_after(begin));
    let fields = states.map_or_else(Vec::new, |(a, b)| diff_fields(&a.fields(), &b.fields()));
    let mut difference = Comparison::content(fields);
    difference.note(format!("the states after tick {begin}, from where both go on, differ already"));
    Some(difference)
}

fn other_inputs<S: Simulation>(sides: &Sides<'_, S>, tick: u64) -> Comparison {
    let inputs = [&sides.left, &sides.right].map(|side| side.inputs(tick));
    let count = inputs[0].len().max(inputs[1].len());
    let at = |side: usize, index: usize| inputs[side].get(index).map(|text| Value::Text(text.clone()));
    let differences = (0..count)
        .map(|index| {
            let path = format!("inputs[{index}]");
            Difference { path, left: at(0, index), right: at(1, index) }
        })
        .filter(|difference| difference.left != difference.right)
        .collect();
    let mut comparison = Comparison { judgement: Judgement::Inputs, tick: Some(tick), ..Comparison::same() };
    comparison.put(differences);
    comparison.inputs = inputs;
    if sides.left.agrees_after(&sides.right, tick) {
        comparison.note("the states after that tick are the same");
    }
    comparison
}

/// True if both recordings have a trace layer of a tick, and the layers differ.
fn layers_differ<S: Simulation>(sides: &Sides<'_, S>, tick: u64) -> bool {
    let records = sides.left.record(tick).zip(sides.right.record(tick));
    let Some((left, right)) = records.filter(|(left, right)| left.layer != right.layer) else { return false };
    let logs = left.log().zip(right.log());
    // A layer whose states cannot be read does not end the comparison; the checksums are the same.
    logs.is_some_and(|(left, right)| matches!(first_difference::<S>(&left, &right), Ok(Some(_))))
}
