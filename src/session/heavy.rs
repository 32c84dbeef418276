//! Playing a run twice in different circumstances.

use std::{collections::VecDeque, fmt};

use super::{Address, LoggedCommand, Simulation, TickLog, first_difference};
use crate::{snapshot::diff_fields, tick::TickReport};

/// How many ticks a run goes back at once.
const ROLLBACK: usize = 8;

/// Plays a run several times at once, and compares after every phase and mark of every tick: straight on;
/// from a snapshot restored before each tick, at other addresses; and again from eight ticks before. Another
/// simulation runs beside them on the same inputs in another order.
///
/// For a test of one's own game: what serde skips, what lives in a `static`, what hangs on an address, on the
/// order of a hash map or on how often something was asked is found here, by the name of the first field.
/// It takes some ten times as long as the run.
///
/// ```
/// use bitstep::{
///     World,
///     session::heavy,
///     state::{Limits, SceneryBuilder},
/// };
/// let world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let inputs = vec![vec![]; 20];
/// heavy(&world, &inputs)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first tick, phase and field in which two of the runs differ, and how they were played.
pub fn heavy<S: Simulation>(opening: &S, inputs: &[Vec<S::Input>]) -> Result<(), HeavyError> {
    let mut runs = Runs {
        straight: opening.clone(),
        restored: opening.clone(),
        beside: opening.clone(),
        before: opening.clone(),
        kept: VecDeque::new(),
        junk: Vec::new(),
    };
    for (index, given) in inputs.iter().enumerate() {
        let log = runs.go_straight(given)?;
        runs.disturb(index, &inputs[inputs.len() - 1 - index]);
        runs.go_restored(given, &log)?;
        runs.kept.push_back((index, log));
        if runs.kept.len() == ROLLBACK || index + 1 == inputs.len() {
            runs.go_again(inputs)?;
        }
    }
    Ok(())
}

/// Where a run that was played in two ways first differs.
#[derive(Clone, PartialEq, Eq)]
pub struct HeavyError {
    /// In which way the other run was played.
    pub how: How,
    /// The tick, the phase and the fields: straight on, and in the other way.
    pub address: Address,
    /// The first command of the tick that differs, in the same order.
    pub commands: Option<Box<[Option<LoggedCommand>; 2]>>,
}

/// A way of playing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// From a snapshot of the state before the tick, in other memory.
    Restored,
    /// From a clone that is some ticks old.
    RolledBack,
    /// Straight on; but the state holds what is not the same everywhere.
    Unfit(String),
    /// What was restored from a snapshot has another snapshot, or none.
    Snapshot(String),
}

impl std::error::Error for HeavyError {}

impl fmt::Display for HeavyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { how, address, commands } = self;
        match how {
            How::Restored => write!(f, "straight on | restored from a snapshot before the tick: {address}")?,
            How::RolledBack => write!(f, "straight on | rolled back and played again: {address}")?,
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

/// As a test prints it that returns or unwraps this: the text is what helps.
impl fmt::Debug for HeavyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The same run in several ways.
struct Runs<S> {
    straight: S,
    restored: S,
    beside: S,
    /// The run before the ticks in `kept`.
    before: S,
    /// The logs of the last ticks by the index of their inputs.
    kept: VecDeque<(usize, TickLog)>,
    /// Memory that is in the way.
    junk: Vec<Vec<u8>>,
}

impl<S: Simulation> Runs<S> {
    fn go_straight(&mut self, inputs: &[S::Input]) -> Result<TickLog, HeavyError> {
        let mut log = TickLog::states();
        self.straight.tick_logged(inputs, &mut TickReport::default(), &mut log);
        for phase in &log.phases {
            if let Err(error) = S::fields_of(phase) {
                return Err(HeavyError::alone(&log, &phase.name, How::Unfit(error.to_string())));
            }
        }
        Ok(log)
    }

    /// Another run beside, and memory taken and given back so that nothing lies where it did.
    fn disturb(&mut self, index: usize, inputs: &[S::Input]) {
        self.beside.tick(inputs, &mut TickReport::default());
        self.junk.push(vec![0; 16 << (index % 9)]);
        if index % 3 == 2 {
            self.junk.swap_remove(index % self.junk.len());
        }
    }

    fn go_restored(&mut self, inputs: &[S::Input], log: &TickLog) -> Result<(), HeavyError> {
        let (mut bytes, mut again) = (Vec::new(), Vec::new());
        self.restored.encode_into(&mut bytes);
        let fault = |what: String| HeavyError::alone(log, "the tick before", How::Snapshot(what));
        let mut restored =
            S::decode(&bytes, self.restored.scenery()).map_err(|error| fault(error.to_string()))?;
        restored.encode_into(&mut again);
        if again != bytes {
            let first = diff_fields(&self.restored.fields(), &restored.fields()).into_iter().next();
            let named = first.map_or("another snapshot".to_owned(), |difference| difference.to_string());
            return Err(fault(format!("a state and what is restored from its snapshot differ: {named}")));
        }
        let mut other = TickLog::states();
        restored.tick_logged(inputs, &mut TickReport::default(), &mut other);
        self.restored = restored;
        compare::<S>(log, &other, How::Restored)
    }

    /// Plays the last ticks again from before them.
    fn go_again(&mut self, inputs: &[Vec<S::Input>]) -> Result<(), HeavyError> {
        let (mut report, mut other) = (TickReport::default(), TickLog::states());
        for (index, log) in self.kept.drain(..) {
            self.before.tick_logged(&inputs[index], &mut report, &mut other);
            compare::<S>(&log, &other, How::RolledBack)?;
        }
        self.before = self.straight.clone();
        Ok(())
    }
}

impl HeavyError {
    /// Something that is wrong with one run alone.
    fn alone(log: &TickLog, phase: &str, how: How) -> Self {
        let phase = phase.to_owned();
        let address = Address { tick: log.tick, phase, other_phase: None, fields: Vec::new() };
        Self { how, address, commands: None }
    }
}

/// Compares two logs of one tick, the straight one first.
fn compare<S: Simulation>(left: &TickLog, right: &TickLog, how: How) -> Result<(), HeavyError> {
    let address = match first_difference::<S>(left, right) {
        Ok(None) => return Ok(()),
        Ok(Some(address)) => address,
        Err(error) => return Err(HeavyError::alone(left, "", How::Unfit(error.to_string()))),
    };
    let commands = left.commands.len().max(right.commands.len());
    let pair = |index: usize| Box::new([left, right].map(|log| log.commands.get(index).cloned()));
    Err(HeavyError { how, address, commands: (0..commands).map(pair).find(|pair| pair[0] != pair[1]) })
}
