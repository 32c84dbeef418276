//! The state after each phase of a tick.

use std::fmt;
#[cfg(feature = "trace")]
use std::sync::Arc;

#[cfg(feature = "trace")]
use serde::{Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::names::unnumbered;
#[cfg(feature = "trace")]
use super::{Injection, InjectionOutcome, injection::Dose};
#[cfg(feature = "trace")]
use crate::tick::World;
use crate::{
    snapshot::SnapshotError,
    state::{Command, State, wire},
    tick::{Phase, Probe, View},
};

/// The course of one tick: its commands, its draws, and the state after every phase.
///
/// The content of a log is chosen when it is made. Filling it changes nothing in the tick.
#[derive(Clone, Default, Debug)]
pub struct TickLog {
    /// The number of the tick.
    pub tick: u64,
    /// The commands, in order, if states are kept.
    pub commands: Vec<LoggedCommand>,
    /// The random draws of the game, in order, if states are kept.
    pub draws: Vec<LoggedDraw>,
    /// The phases in order: the world's, and the marks of the game.
    pub phases: Vec<PhaseState>,
    keep: Keep,
    /// The game's part as last seen.
    game: Vec<u8>,
    #[cfg(feature = "trace")]
    dose: Option<Box<Dose>>,
    #[cfg(feature = "trace")]
    observer: Option<Observer>,
}

/// A function that is called after each phase of the world.
#[cfg(feature = "trace")]
#[derive(Clone)]
struct Observer(Arc<dyn Fn(Phase) + Send + Sync>);

#[cfg(feature = "trace")]
impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// The content of a log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Keep {
    #[default]
    Nothing,
    Sums,
    States,
}

/// A place in a program's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A command and its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedCommand {
    /// The command.
    pub command: Command,
    /// The place in the game that gave it; only in builds with the feature `trace`.
    pub origin: Option<Origin>,
}

impl fmt::Display for LoggedCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.command)?;
        self.origin.as_ref().map_or(Ok(()), |origin| write!(f, ", from {origin}"))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A row of random draws and its origin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedDraw {
    /// The purpose of the draws.
    pub purpose: u64,
    /// The id for which they are drawn.
    pub id: u64,
    /// The place in the game that began it; only in builds with the feature `trace`.
    pub origin: Option<Origin>,
}

/// The whole state after a phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PhaseState {
    /// The name of the phase or of the mark, numbered from its second time in the tick on.
    pub name: String,
    /// A hash of both parts below.
    pub sum: u64,
    /// The encoding of the world's state with every body moved to the end of its path, as if the tick ended
    /// there; empty if only sums are kept.
    pub world: Vec<u8>,
    /// The encoding of the game's part as last marked; empty if only sums are kept, and for a world alone.
    pub game: Vec<u8>,
}

impl TickLog {
    /// A log that keeps nothing and costs nothing.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// A log that keeps a hash of every phase.
    #[must_use]
    pub fn sums() -> Self {
        Self { keep: Keep::Sums, ..Self::default() }
    }

    /// A log that keeps the whole state after every phase.
    #[must_use]
    pub fn states() -> Self {
        Self { keep: Keep::States, ..Self::default() }
    }

    /// The log, which also changes one leaf of the state: for tests of tools that find such faults.
    #[cfg(feature = "trace")]
    #[must_use]
    pub fn injected(mut self, injection: Injection) -> Self {
        self.dose = Some(Box::new(Dose::new(injection)));
        self
    }

    /// The log, which also calls a function after each phase of the world, as a [`Probe`] sees them: for programs that
    /// measure where the time of a tick goes, of any simulation.
    ///
    /// Copies of the log call the same function. It is called before the log keeps anything of the phase.
    #[cfg(feature = "trace")]
    #[must_use]
    pub fn observed(mut self, observer: impl Fn(Phase) + Send + Sync + 'static) -> Self {
        self.observer = Some(Observer(Arc::new(observer)));
        self
    }

    /// The outcome of the injection so far; `None` where there is none.
    #[cfg(feature = "trace")]
    #[must_use]
    pub fn injection_outcome(&self) -> Option<InjectionOutcome> {
        self.dose.as_ref().map(|dose| dose.outcome())
    }

    /// True if anything is kept.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.keep != Keep::Nothing
    }

    /// True if the whole state after every phase is kept.
    #[must_use]
    pub fn keeps_states(&self) -> bool {
        self.keep == Keep::States
    }

    /// Empties the log for another tick.
    pub(super) fn begin(&mut self, tick: u64) {
        self.tick = tick;
        self.commands.clear();
        self.draws.clear();
        self.phases.clear();
        self.game.clear();
        #[cfg(feature = "trace")]
        if let Some(dose) = &mut self.dose {
            dose.begin(tick);
        }
    }

    /// Changes the leaf at a mark of the game, if this is the mark.
    #[cfg(feature = "trace")]
    pub(super) fn injection_at_mark<G: Serialize + DeserializeOwned>(
        &mut self,
        mark: &str,
        game: &mut G,
        world: &mut World,
    ) {
        if let Some(dose) = &mut self.dose {
            dose.give_at_mark(mark, game, world);
        }
    }

    /// Records the game's part.
    pub(super) fn see_game(&mut self, game: impl FnOnce(&mut Vec<u8>)) {
        if self.is_on() {
            self.game.clear();
            game(&mut self.game);
        }
    }

    /// Adds a phase with the game's part as last seen.
    ///
    /// A name that recurs in one tick is numbered: a second step of the world begins with `apply 2`.
    pub(super) fn add(&mut self, name: &str, world: Vec<u8>) {
        let before = self.phases.iter().filter(|phase| unnumbered(&phase.name) == name).count();
        let name = if before == 0 { name.to_owned() } else { format!("{name} {}", before + 1) };
        self.phases.push(match self.keep {
            Keep::States => PhaseState::of(name, world, self.game.clone()),
            _ => PhaseState { name, sum: sum(&world, &self.game), world: Vec::new(), game: Vec::new() },
        });
    }

    /// Records a command, if states are kept.
    pub(super) fn add_command(&mut self, command: Command, origin: Option<Origin>) {
        if self.keep == Keep::States {
            self.commands.push(LoggedCommand { command, origin });
        }
    }

    /// Records a row of draws, if states are kept.
    pub(super) fn add_draw(&mut self, purpose: u64, id: u64, origin: Option<Origin>) {
        if self.keep == Keep::States {
            self.draws.push(LoggedDraw { purpose, id, origin });
        }
    }
}

/// Compares the content that was kept, and not the last state that the log saw on the way.
impl PartialEq for TickLog {
    fn eq(&self, other: &Self) -> bool {
        let Self { tick, commands, draws, phases, keep, .. } = self;
        (*tick, *keep) == (other.tick, other.keep)
            && (commands, draws, phases) == (&other.commands, &other.draws, &other.phases)
    }
}

impl Eq for TickLog {}

impl PhaseState {
    /// The world's state in it, which is not checked.
    ///
    /// # Errors
    ///
    /// If the log kept no states, or the bytes are damaged.
    pub fn world_state(&self) -> Result<State, SnapshotError> {
        wire::decode(&self.world).map_err(|error| SnapshotError::Damaged(error.to_string()))
    }

    /// A phase that keeps its states, and their hash.
    #[must_use]
    pub fn of(name: String, world: Vec<u8>, game: Vec<u8>) -> Self {
        Self { name, sum: sum(&world, &game), world, game }
    }
}

fn sum(world: &[u8], game: &[u8]) -> u64 {
    xxh3_64_with_seed(game, xxh3_64(world))
}

impl Probe for TickLog {
    fn after(&mut self, phase: Phase, view: &View<'_>) {
        #[cfg(feature = "trace")]
        if let Some(Observer(observer)) = &self.observer {
            observer(phase);
        }
        if self.is_on() {
            self.add(phase.name(), wire::encode(&view.state()));
        }
    }

    #[cfg(feature = "trace")]
    fn meddle(&mut self, phase: Phase, view: &View<'_>) -> Option<State> {
        self.dose.as_mut()?.give_to_view(phase, view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vec3;

    #[test]
    fn logs_are_equal_if_all_that_they_kept_is() {
        let phase = PhaseState::of("rest".to_owned(), vec![1], vec![2]);
        let log = TickLog { tick: 4, phases: vec![phase.clone()], ..TickLog::states() };
        let seen = TickLog { game: vec![7], ..log.clone() };
        assert_eq!(seen, log, "the game as last seen is not kept");
        let command = Command::SetGravity { gravity: Vec3::ZERO };
        for other in [
            TickLog { tick: 5, ..log.clone() },
            TickLog { keep: Keep::Sums, ..log.clone() },
            TickLog { phases: vec![phase.clone(), phase], ..log.clone() },
            TickLog { commands: vec![LoggedCommand { command, origin: None }], ..log.clone() },
            TickLog { draws: vec![LoggedDraw { purpose: 1, id: 2, origin: None }], ..log.clone() },
        ] {
            assert_ne!(other, log);
        }
    }
}
