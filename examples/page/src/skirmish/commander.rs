//! One of the two peers: a client of the relay, with its player, its recordings, and what it has found.

use std::{
    collections::VecDeque,
    error::Error,
    io,
    mem::take,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bitstep::{
    replay::repair,
    session::{Injection, InjectionOutcome, Session, Simulation, TickLog},
    snapshot::Checksum,
};
use bitstep_lockstep::{
    Client, ClientEvent, Ending, LockstepError, Outcome, Part, SavedMatch, Setup, Writer,
};
use rts::{Order, Rts, opponent::opponent, script::script};

use super::wire::Wire;
use crate::{
    Finding,
    flip::{Flip, Injected},
};

/// Number of checksums of ticks that are shown.
const SUMS: usize = 32;
/// Largest number of lines of news that wait to be read.
const NEWS_MAX: usize = 64;

/// The player of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// The script of the program's matches, which other programs play as well.
    Script,
    /// The opponent of people.
    Opponent,
    /// A person.
    Person,
}

impl Player {
    /// The orders of a player who sees this state; a person's come by themselves.
    fn orders(self, seat: u8, state: &Session<Rts>) -> Vec<Order> {
        match self {
            Self::Script => script(state.seed(), seat, state),
            Self::Opponent => opponent(seat, state),
            Self::Person => Vec::new(),
        }
    }
}

/// The bytes of a recording, a part for each state that the match was played from.
type Parts = Arc<Mutex<Vec<Vec<u8>>>>;

/// The end of a recording.
struct Tape(Parts, usize);

impl io::Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = parts.get_mut(self.1) {
            part.extend(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client, until its match is over.
#[derive(Debug)]
enum Stage {
    Playing(Box<Client<Rts, Wire>>),
    Over(Box<Outcome<Rts>>),
    /// The recording could not be ended.
    Failed(LockstepError),
}

/// A peer.
#[derive(Debug)]
pub struct Commander {
    stage: Stage,
    /// The player.
    pub player: Player,
    log: TickLog,
    finding: Finding<Rts>,
    flip: Option<Flip>,
    sums: VecDeque<(u64, Checksum)>,
    parts: Parts,
    saved: Option<Box<SavedMatch>>,
    /// Number of states that were given up for others.
    given_up: u32,
    news: VecDeque<String>,
}

impl Commander {
    /// A peer that comes to a relay for a seat, and has a patience.
    pub fn new(wire: Wire, (seat, patience): (u8, Duration), player: Player) -> Self {
        let parts = Parts::default();
        let opened = Arc::clone(&parts);
        let open = move |_: Part| -> io::Result<Writer> {
            let mut all = opened.lock().unwrap_or_else(PoisonError::into_inner);
            // Only the last part is asked for: a match that is healed often does not grow by that.
            all.iter_mut().for_each(|part| *part = Vec::new());
            all.push(Vec::new());
            Ok(Box::new(Tape(Arc::clone(&opened), all.len() - 1)))
        };
        // Phases are hashed: a bit that does not fall again when the tick is played again has its phase by them.
        let log = TickLog::sums();
        let setup = Setup {
            seat: Some(seat),
            resync: true,
            log: log.clone(),
            record: Some(Box::new(open)),
            patience,
            ..Setup::default()
        };
        Self {
            stage: Stage::Playing(Box::new(Client::new(wire, setup))),
            player,
            log,
            finding: Finding::default(),
            flip: None,
            sums: VecDeque::new(),
            parts,
            saved: None,
            given_up: 0,
            news: VecDeque::new(),
        }
    }

    /// Plays what is due.
    pub fn update(&mut self, now: Duration) {
        let Stage::Playing(client) = &mut self.stage else { return };
        let (player, sums) = (self.player, &mut self.sums);
        let updated = client.update(now, |played| {
            if sums.len() == SUMS {
                sums.pop_front();
            }
            sums.push_back((played.state.tick_count(), played.state.checksum()));
            if played.is_playing() {
                for order in player.orders(played.seat, played.state) {
                    let _ = played.order(&order); // one that is too large is given by no player
                }
            }
        });
        self.log = client.log().clone();
        let events: Vec<ClientEvent> = client.events().collect();
        let is_over = client.ending().is_some();
        events.into_iter().for_each(|event| self.note(event));
        if let Err(error) = updated {
            self.stage = Stage::Failed(error);
        } else if is_over {
            self.finish();
        }
        if let Some(mut flip) = self.flip.take() {
            flip.watch(self);
            self.flip = Some(flip);
        }
    }

    /// Ends the recording of a match that is over.
    fn finish(&mut self) {
        let gone = Stage::Failed(LockstepError::from(io::Error::from(io::ErrorKind::NotConnected)));
        self.stage = match std::mem::replace(&mut self.stage, gone) {
            Stage::Playing(client) => match client.finish() {
                Ok(mut outcome) => {
                    take(&mut outcome.events).into_iter().for_each(|event| self.note(event));
                    Stage::Over(Box::new(outcome))
                }
                Err(error) => Stage::Failed(error),
            },
            other => other,
        };
    }

    fn note(&mut self, event: ClientEvent) {
        match event {
            ClientEvent::Compared { finding, .. } => return self.finding.hear(finding),
            ClientEvent::Saved(saved) => return self.saved = Some(saved),
            ClientEvent::Resync => self.given_up += 1,
            _ => {}
        }
        if self.news.len() == NEWS_MAX {
            self.news.pop_front();
        }
        self.news.push_back(event.to_string());
    }

    /// The present state, if there is one: none before the match begins, and while it is replaced.
    #[must_use]
    pub fn state(&self) -> Option<&Session<Rts>> {
        match &self.stage {
            Stage::Playing(client) => client.state(),
            Stage::Over(outcome) => outcome.state.as_ref(),
            Stage::Failed(_) => None,
        }
    }

    /// Gives an order of a person.
    ///
    /// # Errors
    ///
    /// If it is too large, too many wait, or the match is over.
    pub fn order(&mut self, order: &Order) -> Result<(), Box<dyn Error>> {
        match &mut self.stage {
            Stage::Playing(client) => Ok(client.order(order)?),
            _ => Err("the match is over".into()),
        }
    }

    /// Saves the match as it is now; [`saved`](Self::saved) has it a delay later, if no other state is taken until then.
    ///
    /// # Errors
    ///
    /// If there is nothing to save: before the match begins, while its state is replaced, and when it is over.
    pub fn save(&mut self) -> Result<(), &'static str> {
        match &mut self.stage {
            Stage::Playing(client) if client.state().is_some() => {
                client.save();
                Ok(())
            }
            Stage::Playing(_) => Err("there is no state now"),
            _ => Err("the match is over"),
        }
    }

    /// True if the peer takes part: it is neither late nor without a state.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        matches!(&self.stage, Stage::Playing(client) if client.is_playing())
    }

    /// Number of states that were given up for the other peer's.
    #[must_use]
    pub const fn given_up(&self) -> u32 {
        self.given_up
    }

    /// True if a number is about to be put wrong.
    #[must_use]
    pub fn is_flipping(&self) -> bool {
        self.flip.as_ref().is_some_and(|flip| flip.is_pending(self))
    }

    /// Number of parts of the recording: one more for each state that was taken over.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The match that was saved, once.
    pub fn saved(&mut self) -> Option<Box<SavedMatch>> {
        self.saved.take()
    }

    /// Leaves the match.
    pub fn leave(&mut self) {
        if let Stage::Playing(client) = &mut self.stage {
            client.leave();
        }
    }

    /// True if the match is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        !matches!(self.stage, Stage::Playing(_))
    }

    /// True if the match was played to its last tick, and all of it is compared.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        matches!(&self.stage, Stage::Over(outcome) if outcome.ending == Ending::Finished)
    }

    /// The end in words; empty before it.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.stage {
            Stage::Playing(_) => String::new(),
            Stage::Over(outcome) => outcome.ending.to_string(),
            Stage::Failed(error) => error.to_string(),
        }
    }

    /// The recording of the match since the last state that was taken over, as far as it was played.
    #[must_use]
    pub fn recording(&self) -> Vec<u8> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = parts.last().map_or(&[][..], Vec::as_slice);
        // One that is still written has no end yet, and gets one.
        repair::<Session<Rts>>(bytes).map(|repaired| repaired.bytes).unwrap_or_default()
    }

    /// The checksums of the last ticks, oldest first.
    pub fn sums(&self) -> impl Iterator<Item = (u64, Checksum)> {
        self.sums.iter().copied()
    }

    /// The findings of a desync, the last one.
    #[must_use]
    pub const fn finding(&self) -> &Finding<Rts> {
        &self.finding
    }

    /// The lines of news since the last call.
    pub fn news(&mut self) -> Vec<String> {
        self.news.drain(..).collect()
    }

    /// Forgets what was found.
    pub fn forget(&mut self) {
        (self.finding, self.flip) = (Finding::default(), None);
    }

    /// Puts a number wrong, from the next tick on.
    ///
    /// # Errors
    ///
    /// If the text names no place.
    pub fn flip(&mut self, place: &str) -> Result<(), Box<dyn Error>> {
        self.flip = Some(Flip::begin(self, place)?);
        Ok(())
    }

    /// The outcome of that, in words; empty if there was none.
    #[must_use]
    pub fn flip_words(&self) -> String {
        self.flip.as_ref().map(|flip| flip.words(self)).unwrap_or_default()
    }
}

impl Injected for Commander {
    fn tick(&self) -> u64 {
        self.state().map_or(0, Session::tick_count)
    }

    fn confirmed(&self) -> u64 {
        self.tick()
    }

    fn compared(&self) -> u64 {
        match &self.stage {
            Stage::Playing(client) => client.compared(),
            Stage::Over(outcome) => outcome.compared,
            Stage::Failed(_) => None,
        }
        .unwrap_or(0)
    }

    fn has_found(&self) -> bool {
        self.finding.tick().is_some()
    }

    fn inject(&mut self, injection: Injection) {
        if let Stage::Playing(client) = &mut self.stage {
            client.set_log(TickLog::sums().injected(injection));
        }
    }

    fn injection_outcome(&self) -> Option<InjectionOutcome> {
        self.log.injection_outcome()
    }
}
