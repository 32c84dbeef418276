//! The handle by which a game plays a tick.

use serde::{Serialize, de::DeserializeOwned};

use super::{
    Game, Origin, TickLog,
    names::{END, world_phase},
};
use crate::{
    geom::IVec3,
    num::{Draws, Rng},
    state::{Command, Outcome, wire},
    tick::{Cause, TickReport, World},
};

/// One tick of a session under way: the world, the random draws, and the report.
#[derive(Debug)]
pub struct Tick<'a> {
    pub(super) world: &'a mut World,
    pub(super) report: &'a mut TickReport,
    pub(super) log: &'a mut TickLog,
    pub(super) random: Rng,
    pub(super) number: u64,
    /// The outcomes of the commands since the last step.
    outcomes: Vec<Outcome>,
    momentum: IVec3<i128>,
}

impl<'a> Tick<'a> {
    pub(super) fn new(
        world: &'a mut World,
        report: &'a mut TickReport,
        log: &'a mut TickLog,
        (seed, number): (u64, u64),
    ) -> Self {
        world.forget_woken();
        world.report_no_step(report);
        let mut outcomes = std::mem::take(&mut report.outcomes);
        outcomes.clear();
        Self { world, report, log, random: Rng::new(seed), number, outcomes, momentum: IVec3::default() }
    }

    /// The number of the tick; a session's first is 1.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The world as it is now, for queries.
    #[must_use]
    pub const fn world(&self) -> &World {
        self.world
    }

    /// Gives the world a command, which takes effect at once.
    ///
    /// # Errors
    ///
    /// The reason why it was refused; then it changed nothing.
    #[cfg_attr(feature = "trace", track_caller)]
    pub fn apply(&mut self, command: Command) -> Outcome {
        self.log.add_command(command, origin());
        self.world.apply_into(&[command], &mut self.outcomes, &mut self.momentum);
        self.outcomes[self.outcomes.len() - 1].clone()
    }

    /// Steps the world by one tick. The report lists the commands since the last step.
    ///
    /// A game that is paused does not step; one that runs fast may step twice.
    pub fn step(&mut self) -> &TickReport {
        self.world.step_with(self.report, self.log);
        std::mem::swap(&mut self.report.outcomes, &mut self.outcomes); // a step leaves none
        self.report.ledger[Cause::Commands] = std::mem::take(&mut self.momentum).0;
        self.report
    }

    /// The report of the last step in this tick.
    ///
    /// Before the first step of a tick nothing is in it. It lists events for rules if [`Game::EVENTS`] says so.
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        self.report
    }

    /// The random draws for one purpose and one id in this tick: the same in every call.
    #[cfg_attr(feature = "trace", track_caller)]
    pub fn draws(&mut self, purpose: u64, id: u64) -> Draws {
        self.log.add_draw(purpose, id, origin());
        self.random.at(purpose, id, self.number)
    }

    /// Ends a phase of the game's own: a log, a comparison and an address know it by this name.
    ///
    /// # Panics
    ///
    /// If the name is that of a phase of the world or `end`, or holds a control character.
    pub fn mark<G: Game>(&mut self, name: &'static str, game: &mut G) {
        let is_taken = world_phase(name).is_some() || name == END;
        assert!(!is_taken, "`{name}` is a phase of every session");
        assert!(!name.chars().any(char::is_control), "{name:?} cannot be printed");
        self.note(name, game);
    }

    /// Records the world and the game.
    #[cfg_attr(not(feature = "trace"), allow(clippy::needless_pass_by_ref_mut))]
    pub(super) fn note<G: Serialize + DeserializeOwned>(&mut self, name: &str, game: &mut G) {
        #[cfg(feature = "trace")]
        self.log.injection_at_mark(name, game, self.world);
        if self.log.is_on() {
            self.log.see_game(|bytes| wire::encode_into(game, bytes));
            self.log.add(name, wire::encode(self.world.state()));
        }
    }

    /// Gives the report its memory back after the last step.
    pub(super) fn end<G: Game>(mut self, game: &mut G) {
        self.note(END, game);
    }
}

#[cfg_attr(feature = "trace", track_caller)]
fn origin() -> Option<Origin> {
    #[cfg(feature = "trace")]
    {
        let place = std::panic::Location::caller();
        Some(Origin { file: place.file().to_owned(), line: place.line() })
    }
    #[cfg(not(feature = "trace"))]
    None
}
