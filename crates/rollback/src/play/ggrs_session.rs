//! The ggrs session of the sides that are there.

use std::{
    any::Any,
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    time::Duration,
};

use ggrs::{Frame, GgrsError, GgrsEvent, GgrsRequest, P2PSession, PlayerType, SessionBuilder, SessionState};

use super::Player;
use crate::{
    Address, PlayerInput, RollbackError,
    exchange::{Exchange, GgrsSocket},
    ggrs_types::Ggrs,
    rollback::WINDOW,
};

/// ggrs drops no side: that is for the sides to agree on. No match is silent for a year.
const NEVER: Duration = Duration::from_secs(365 * 24 * 3_600);

/// The requests of ggrs, in order.
type Requests<I, A> = Vec<GgrsRequest<Ggrs<I, A>>>;

/// The terms that stay the same from session to session.
pub struct Terms<A> {
    pub players: Vec<Player<A>>,
    pub input_delay: usize,
    pub rate: usize,
    pub patience: Duration,
}

/// A ggrs session of some of the players.
pub struct GgrsSession<I: PlayerInput, A: Address> {
    session: P2PSession<Ggrs<I, A>>,
    /// The number of each player in the session; none for one who is gone.
    numbers: Vec<Option<usize>>,
    /// The words with which ggrs stopped.
    broken: Option<String>,
}

impl<I: PlayerInput, A: Address> GgrsSession<I, A> {
    /// Begins a session of the players who are not gone.
    pub fn new(
        terms: &Terms<A>,
        is_gone: impl Fn(&A) -> bool,
        exchange: &Rc<RefCell<Exchange<A>>>,
    ) -> Result<Self, RollbackError> {
        let is_there = |player: &Player<A>| player.address().is_none_or(|address| !is_gone(address));
        let there: Vec<_> = (0..).zip(&terms.players).filter(|(_, player)| is_there(player)).collect();
        let mut builder = SessionBuilder::<Ggrs<I, A>>::new()
            .with_num_players(there.len())?
            .with_max_prediction_window(WINDOW)
            .with_input_delay(terms.input_delay)
            .with_fps(terms.rate)?
            .with_disconnect_notify_delay(terms.patience / 4)
            .with_disconnect_timeout(NEVER);
        let mut numbers = vec![None; terms.players.len()];
        for (number, &(player, kind)) in there.iter().enumerate() {
            numbers[player] = Some(number);
            let kind =
                kind.address().map_or(PlayerType::Local, |address| PlayerType::Remote(address.clone()));
            builder = builder.add_player(kind, number)?;
        }
        let session = builder.start_p2p_session(GgrsSocket(Rc::clone(exchange)))?;
        Ok(Self { session, numbers, broken: None })
    }

    /// The number of each player in the session.
    pub fn numbers(&self) -> &[Option<usize>] {
        &self.numbers
    }

    /// The words with which ggrs stopped, at what no player sends.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Calls ggrs no more.
    pub fn give_up(&mut self, words: String) {
        self.broken.get_or_insert(words);
    }

    /// True if all sides of the session are there.
    pub fn is_running(&self) -> bool {
        self.session.current_state() == SessionState::Running
    }

    /// Hears the others, and answers.
    pub fn poll(&mut self) {
        self.ask(P2PSession::poll_remote_clients);
    }

    /// Advances with the inputs of the players here: its requests, or none if the others are too far behind.
    pub fn advance(&mut self, here: &[usize], inputs: &[I]) -> Result<Option<Requests<I, A>>, RollbackError> {
        for (&player, &input) in here.iter().zip(inputs) {
            if let Some(number) = self.numbers[player] {
                self.session.add_local_input(number, input)?;
            }
        }
        match self.ask(P2PSession::advance_frame) {
            Some(Ok(requests)) => Ok(Some(requests)),
            Some(Err(GgrsError::PredictionThreshold | GgrsError::NotSynchronized)) | None => Ok(None),
            Some(Err(error)) => Err(error.into()),
        }
    }

    /// The last frame for which all inputs are here.
    pub fn confirmed_frame(&mut self) -> Option<Frame> {
        self.ask(|session| session.confirmed_frame())
    }

    /// The events of ggrs.
    pub fn events(&mut self) -> impl Iterator<Item = GgrsEvent<Ggrs<I, A>>> {
        self.session.events()
    }

    /// The round-trip time to the side of a player, in milliseconds.
    pub fn ping(&self, player: usize) -> Option<u64> {
        let stats = self.session.network_stats((*self.numbers.get(player)?)?).ok()?;
        u64::try_from(stats.ping).ok()
    }

    /// Calls ggrs, which panics at what no player sends; then it is not called again.
    fn ask<T>(&mut self, call: impl FnOnce(&mut P2PSession<Ggrs<I, A>>) -> T) -> Option<T> {
        if self.broken.is_some() {
            return None;
        }
        let session = &mut self.session;
        let given = catch_unwind(AssertUnwindSafe(|| call(session)));
        given.inspect_err(|panic| self.broken = Some(words_of(panic.as_ref()))).ok()
    }
}

/// The text of a panic, in one line.
fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().map(ToString::to_string);
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
