//! Determinism check: plays a run in several ways and compares them.

use std::{collections::VecDeque, fmt};

use super::{Address, LoggedCommand, Simulation, TickLog, first_difference};
use crate::{snapshot::diff_fields, tick::TickReport};

/// Number of ticks that a run goes back at once.
const ROLLBACK: usize = 8;

/// Plays a run several times at once, and compares after every phase and mark of every tick: straight on;
/// from a snapshot restored before each tick, at other addresses; with events listed in the reports; and again
/// from eight ticks before. Another simulation runs beside them on the same inputs in another order.
///
/// For a test of your own game: it finds state that serde skips or that lives in a `static`, and results that
/// depend on an address, on the order of a hash map, on the number of calls or on an observer, by
/// the name of the first field. It takes about twelve times as long as the run.
///
/// ```
/// use bitstep::{
///     World,
///     session::determinism_check,
///     state::{Limits, SceneryBuilder},
/// };
/// let world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let inputs = vec![vec![]; 20];
/// determinism_check(&world, &inputs)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first tick, phase and field in which two of the runs differ, and the way in which the other one was
/// played.
pub fn determinism_check<S: Simulation>(
    initial_state: &S,
    inputs: &[Vec<S::Input>],
) -> Result<(), DeterminismError> {
    let mut initial_state = initial_state.clone();
    initial_state.enable_events(true);
    let watched = initial_state.clone();
    initial_state.enable_events(false);
    let mut runs = Runs {
        straight: initial_state.clone(),
        watched,
        restored: initial_state.clone(),
        beside: initial_state.clone(),
        before: initial_state,
        kept: VecDeque::new(),
        junk: Vec::new(),
    };
    for (index, given) in inputs.iter().enumerate() {
        let log = runs.go_straight(given)?;
        runs.disturb(index, &inputs[inputs.len() - 1 - index]);
        runs.go_restored(given, &log)?;
        runs.go_watched(given, &log)?;
        runs.kept.push_back((index, log));
        if runs.kept.len() == ROLLBACK || index + 1 == inputs.len() {
            runs.go_again(inputs)?;
        }
    }
    Ok(())
}

/// The first difference of a run that was played in two ways.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct DeterminismError {
    /// The way in which the other run was played.
    pub how: How,
    /// Tick, phase and fields: of the straight run, and of the other.
    pub address: Address,
    /// The first command of the tick that differs, with the straight run first.
    pub commands: Option<Box<[Option<LoggedCommand>; 2]>>,
}

/// A way of playing a run.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// Played from a snapshot of the state before the tick, in other memory.
    Restored,
    /// Played from a clone taken some ticks earlier.
    RolledBack,
    /// Played with events listed in the reports, which [`Game::EVENTS`](super::Game::EVENTS) does not ask for.
    Watched,
    /// Straight on; but the state holds something that is not the same on every machine.
    Unfit(String),
    /// The state restored from a snapshot has another snapshot, or none.
    Snapshot(String),
}

impl std::error::Error for DeterminismError {}

impl fmt::Display for DeterminismError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { how, address, commands } = self;
        match how {
            How::Restored => write!(f, "straight on | restored from a snapshot before the tick: {address}")?,
            How::RolledBack => write!(f, "straight on | rolled back and played again: {address}")?,
            How::Watched => write!(f, "straight on | with events in the reports: {address}")?,
            How::Unfit(what) | How::Snapshot(what) => return write!(f, "{address}: {what}"),
        }
        for command in commands.iter().flat_map(|pair| pair.iter()) {
            match command {
                Some(command) => write!(f, "\n  command {command}")?,
                None => write!(f, "\n  no command")?,
            }
        }
        Ok(())
    }
}

/// The text that a test prints which returns or unwraps this error: the readable one.
impl fmt::Debug for DeterminismError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The same run in several ways.
struct Runs<S> {
    straight: S,
    /// The run whose reports list events.
    watched: S,
    restored: S,
    beside: S,
    /// The run before the ticks in `kept`.
    before: S,
    /// The logs of the last ticks by the index of their inputs.
    kept: VecDeque<(usize, TickLog)>,
    /// Memory that displaces other memory.
    junk: Vec<Vec<u8>>,
}

// A refusal in one run only is a difference of the states, which are compared; so no outcome is looked at.
impl<S: Simulation> Runs<S> {
    fn go_straight(&mut self, inputs: &[S::Input]) -> Result<TickLog, DeterminismError> {
        let mut log = TickLog::states();
        let _ = self.straight.tick_logged(inputs, &mut TickReport::default(), &mut log);
        for phase in &log.phases {
            if let Err(error) = S::fields_of(phase) {
                return Err(DeterminismError::alone(&log, &phase.name, How::Unfit(error.to_string())));
            }
        }
        Ok(log)
    }

    /// Runs another simulation beside, and allocates and frees memory so that nothing stays at its address.
    fn disturb(&mut self, index: usize, inputs: &[S::Input]) {
        let _ = self.beside.tick(inputs, &mut TickReport::default());
        self.junk.push(vec![0; 16 << (index % 9)]);
        if index % 3 == 2 {
            self.junk.swap_remove(index % self.junk.len());
        }
    }

    fn go_restored(&mut self, inputs: &[S::Input], log: &TickLog) -> Result<(), DeterminismError> {
        let (mut bytes, mut again) = (Vec::new(), Vec::new());
        self.restored.encode_into(&mut bytes);
        let fault = |what: String| DeterminismError::alone(log, "the tick before", How::Snapshot(what));
        let mut restored =
            S::decode(&bytes, self.restored.scenery()).map_err(|error| fault(error.to_string()))?;
        restored.encode_into(&mut again);
        if again != bytes {
            let first = diff_fields(&self.restored.fields(), &restored.fields()).into_iter().next();
            let named = first.map_or("another snapshot".to_owned(), |difference| difference.to_string());
            return Err(fault(format!("a state and what is restored from its snapshot differ: {named}")));
        }
        let mut other = TickLog::states();
        let _ = restored.tick_logged(inputs, &mut TickReport::default(), &mut other);
        self.restored = restored;
        compare::<S>(log, &other, How::Restored)
    }

    fn go_watched(&mut self, inputs: &[S::Input], log: &TickLog) -> Result<(), DeterminismError> {
        let mut other = TickLog::states();
        let _ = self.watched.tick_logged(inputs, &mut TickReport::default(), &mut other);
        compare::<S>(log, &other, How::Watched)
    }

    /// Plays the last ticks again from before them.
    fn go_again(&mut self, inputs: &[Vec<S::Input>]) -> Result<(), DeterminismError> {
        let (mut report, mut other) = (TickReport::default(), TickLog::states());
        for (index, log) in self.kept.drain(..) {
            let _ = self.before.tick_logged(&inputs[index], &mut report, &mut other);
            compare::<S>(&log, &other, How::RolledBack)?;
        }
        self.before = self.straight.clone();
        Ok(())
    }
}

impl DeterminismError {
    /// A fault of one run alone.
    fn alone(log: &TickLog, phase: &str, how: How) -> Self {
        let phase = phase.to_owned();
        let address = Address { tick: log.tick, phase, other_phase: None, fields: Vec::new() };
        Self { how, address, commands: None }
    }
}

/// Compares two logs of one tick, the straight one first.
fn compare<S: Simulation>(left: &TickLog, right: &TickLog, how: How) -> Result<(), DeterminismError> {
    let address = match first_difference::<S>(left, right) {
        Ok(None) => return Ok(()),
        Ok(Some(address)) => address,
        Err(error) => return Err(DeterminismError::alone(left, "", How::Unfit(error.to_string()))),
    };
    let commands = left.commands.len().max(right.commands.len());
    let pair = |index: usize| Box::new([left, right].map(|log| log.commands.get(index).cloned()));
    Err(DeterminismError { how, address, commands: (0..commands).map(pair).find(|pair| pair[0] != pair[1]) })
}
