//! The first tick that differs: its phases, its fields, and the side that this build agrees with.

use super::{
    comparison::{Agreement, Comparison, Judgement, is_of_the_game},
    rerun::Rerun,
    side::Side,
};
use crate::{
    session::{Address, Simulation, TickLog, first_difference, world_phase},
    snapshot::{Difference, SnapshotError, Value, diff_fields},
    tick::{Phase, TickReport},
};

/// The two sides of a comparison.
pub(super) struct Sides<'a, S: Simulation> {
    pub left: Side<'a, S>,
    pub right: Side<'a, S>,
}

impl<S: Simulation> Sides<'_, S> {
    /// The divergence of two recordings in a tick; everything before is the same.
    pub(super) fn divergence_in(&self, tick: u64) -> Comparison {
        let Self { left, right } = self;
        let rerun = self.rerun(tick);
        let rerun = rerun.as_ref();
        let sides = [left, right];
        let agrees = sides.map(|side| rerun.is_some_and(|rerun| side.agrees_with(rerun, tick)));
        let agreement = match (rerun, agrees) {
            (None, _) => Agreement::Unknown,
            (Some(Rerun { other: Some(_), .. }), _) => Agreement::NotWithItself,
            (_, [true, true]) => Agreement::Both,
            (_, [true, false]) => Agreement::Left,
            (_, [false, true]) => Agreement::Right,
            (_, [false, false]) => Agreement::Neither,
        };
        let mut comparison = Comparison { tick: Some(tick), rerun: agreement, ..Comparison::same() };
        comparison.inputs = sides.map(|side| side.inputs(tick));
        let unsteady = rerun.and_then(unsteady::<S>);
        let logs = [0, 1].map(|index| known_log(sides[index], tick, rerun.filter(|_| agrees[index])));
        let states = |at| left.state_after(at).zip(right.state_after(at));
        let keyframes = [left, right].map(|side| side.keyframe_from(tick));
        if let [Some(a), Some(b)] = &logs {
            if comparison.take_logs::<S>(a, b) {
                if comparison.difference.is_none() {
                    comparison.take_values(tick, later(keyframes, states));
                }
                if unsteady.is_some() {
                    comparison.judgement = Judgement::NotReproducible;
                    comparison.note(UNSTEADY);
                }
                return comparison;
            }
        }
        if let Some(difference) = unsteady {
            return comparison.unsteady(difference);
        }
        comparison.name_missing(&logs);
        comparison.take_later(tick, later(keyframes, states));
        if agreement == Agreement::Neither {
            comparison.judgement = Judgement::NotReproducible;
        }
        comparison
    }

    /// The tick played from the state before it.
    fn rerun(&self, tick: u64) -> Option<Rerun<S>> {
        // Recordings of different rules differ in content: the right is of those of the left.
        if !self.left.is_of_these_rules() {
            return None;
        }
        let before = [&self.left, &self.right].iter().find_map(|side| side.state_after(tick - 1))?;
        Some(Rerun::of(&before, &self.left.record(tick)?.inputs))
    }
}

impl<S: Simulation> Side<'_, S> {
    /// The divergence in a tick of a recording, which is the left, from a run of it by this build.
    pub(super) fn divergence_from(&self, rerun: &Rerun<S>, tick: u64) -> Comparison {
        let mut comparison = Comparison { tick: Some(tick), rerun: Agreement::Right, ..Comparison::same() };
        comparison.inputs = [self.inputs(tick), self.inputs(tick)];
        if let Some(difference) = unsteady::<S>(rerun) {
            comparison.rerun = Agreement::NotWithItself;
            return comparison.unsteady(difference);
        }
        let logs = [self.log(tick), Some(rerun.log.clone())];
        let states = |at| {
            let mut state = rerun.state.clone();
            (tick + 1..=at).for_each(|next| {
                let inputs = self.record(next).map_or(&[][..], |record| &record.inputs);
                let _ = state.tick(inputs, &mut TickReport::default()); // the states are compared
            });
            Some((self.keyframe_after(at)?, state))
        };
        let keyframes = [self.keyframe_from(tick), None];
        if let [Some(a), Some(b)] = &logs {
            if comparison.take_logs::<S>(a, b) {
                if comparison.difference.is_none() {
                    comparison.take_values(tick, later(keyframes, states));
                }
                return comparison;
            }
        }
        comparison.name_missing(&logs);
        comparison.take_later(tick, later(keyframes, states));
        comparison
    }

    fn agrees_with(&self, rerun: &Rerun<S>, tick: u64) -> bool {
        self.is_after(tick, rerun.checksum)
            && self.log(tick).is_none_or(|layer| first_difference::<S>(&layer, &rerun.log) == Ok(None))
    }
}

/// The known course of a tick: the trace layer, or the log of a run that agrees with the recording.
fn known_log<S: Simulation>(side: &Side<'_, S>, tick: u64, rerun: Option<&Rerun<S>>) -> Option<TickLog> {
    let layer = side.log(tick);
    match (layer, rerun) {
        (Some(layer), Some(rerun)) if !layer.keeps_states() => Some(rerun.log.clone()),
        (Some(layer), _) => Some(layer),
        (None, rerun) => rerun.map(|rerun| rerun.log.clone()),
    }
}

/// The fields that differ in the next states that are available, and the tick after which they do; no fields where these
/// are the same.
fn later<S: Simulation>(
    keyframes: [Option<u64>; 2],
    states: impl Fn(u64) -> Option<(S, S)>,
) -> Option<(u64, Vec<Difference>)> {
    let mut at: Vec<u64> = keyframes.into_iter().flatten().collect();
    at.sort_unstable();
    let fields = |at| states(at).map(|(left, right)| (at, diff_fields(&left.fields(), &right.fields())));
    let mut known = at.into_iter().filter_map(fields);
    let first = known.next()?;
    let differs = |(_, fields): &(u64, Vec<Difference>)| !fields.is_empty();
    if differs(&first) { Some(first) } else { known.find(differs).or(Some(first)) }
}

/// The divergence of two runs of the same tick; an error if there is one and the states cannot be compared.
type RerunDifference = Result<Option<Address>, SnapshotError>;

/// The divergence of two runs of the same tick, if there is one.
fn unsteady<S: Simulation>(rerun: &Rerun<S>) -> Option<RerunDifference> {
    let other = rerun.other.as_ref()?;
    Some(first_difference::<S>(&rerun.log, other))
}

/// The note for two runs of a tick that differ.
const UNSTEADY: &str =
    "two runs of this tick from the same saved state differ: something that is not in the state is at work";

/// The path of the difference where two runs had different phases.
const PHASE: &str = "phase";

/// True if the game has no part in a phase.
fn is_within_a_step(phase: &str) -> bool {
    world_phase(phase).is_some_and(|phase| phase != Phase::Apply)
}

impl Comparison {
    /// The result for two runs by this build that differ.
    fn unsteady(mut self, difference: RerunDifference) -> Self {
        self.judgement = Judgement::NotReproducible;
        self.note(UNSTEADY);
        self.note("left and right are two runs here");
        match difference {
            Ok(Some(address)) => self.take_address(address),
            Ok(None) => self.note("their phases are the same, the states behind are not"),
            Err(error) => self.note(format!("their states have no fields to compare: {error}")),
        }
        self
    }

    /// Takes the first phase in which two logs differ; `false` if none does.
    fn take_logs<S: Simulation>(&mut self, left: &TickLog, right: &TickLog) -> bool {
        let address = match first_difference::<S>(left, right) {
            Ok(Some(address)) => address,
            Ok(None) => {
                self.note(
                    "what is known of the phases does not differ, what was recorded after the tick does",
                );
                return false;
            }
            Err(error) => {
                self.note(format!("a trace layer holds no states of this simulation: {error}"));
                return false;
            }
        };
        // A log of hashes has neither: what one side alone is known to have is no difference.
        if left.keeps_states() && right.keeps_states() {
            self.commands = [left.commands.clone(), right.commands.clone()];
            self.draws = [left.draws.clone(), right.draws.clone()];
        }
        let is_within = is_within_a_step(&address.phase) && address.other_phase.is_none();
        let [a, b] = self.commands.each_ref().map(|row| row.iter().map(|given| given.command));
        let is_commanded = !a.eq(b);
        self.take_address(address);
        self.judgement = match &self.difference {
            // Within a step only the physics acts; commands act before it.
            _ if is_within || S::name().is_empty() => Judgement::Physics,
            Some(field) if !is_commanded && !is_of_the_game(&field.path) && field.path != PHASE => {
                Judgement::Physics
            }
            _ => Judgement::GameState,
        };
        true
    }

    fn take_address(&mut self, address: Address) {
        let Address { phase, other_phase, fields, .. } = address;
        match other_phase {
            Some(other) => {
                let [left, right] = [&phase, &other].map(|name| Some(Value::Text(name.clone())));
                self.put(vec![Difference { path: PHASE.to_owned(), left, right }]);
                self.note("the game went through other phases");
            }
            None if fields.is_empty() => self.note("only hashes of the phases were kept, no values"),
            None => self.put(fields),
        }
        self.phase = Some(phase);
    }

    /// Adds a note on the side that has no phases.
    fn name_missing(&mut self, logs: &[Option<TickLog>; 2]) {
        for (name, log) in ["left", "right"].iter().zip(logs) {
            if log.is_none() {
                self.note(format!(
                    "the {name} has no trace layer there, and playing the tick gives another state"
                ));
            }
        }
    }

    /// Adds the differences of later states, where the phase is not known.
    fn take_later(&mut self, tick: u64, later: Option<(u64, Vec<Difference>)>) {
        let Some((at, fields)) = later else {
            self.judgement = Judgement::NotReproducible;
            return self.note(
                "the states cannot be had: the recording has no keyframe from there on, checksums only",
            );
        };
        self.values_at = Some(at);
        if fields.is_empty() {
            self.judgement = Judgement::NotReproducible;
            return self.note(format!("the states after tick {at} are the same: a checksum is wrong"));
        }
        let of_the_game = fields.iter().filter(|field| is_of_the_game(&field.path)).count();
        self.judgement = match of_the_game {
            0 => Judgement::Physics,
            all if all == fields.len() => Judgement::GameState,
            _ => Judgement::NotReproducible,
        };
        let is_mixed = self.judgement == Judgement::NotReproducible;
        self.take_values(tick, Some((at, fields)));
        if is_mixed {
            self.note("both the game's state and the world's differ by then: which did first is not known");
        }
    }

    /// Takes the values of later states, if there are any.
    fn take_values(&mut self, tick: u64, later: Option<(u64, Vec<Difference>)>) {
        let Some((at, fields)) = later.filter(|(_, fields)| !fields.is_empty()) else { return };
        self.values_at = Some(at);
        self.put(fields);
        self.note(match at - tick {
            0 if self.phase.is_some() => {
                "the values are those after the tick: those of the phase are not known".to_owned()
            }
            0 => "the values are those after the tick: its phases are not known".to_owned(),
            later => {
                format!("the values are those of tick {at}, {later} later: what came first is not known")
            }
        });
    }
}
