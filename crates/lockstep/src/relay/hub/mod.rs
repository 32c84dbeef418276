//! The decisions of the relay: seats, complete turns, waits, and transfers of states.
//!
//! There are no connections, threads or clocks here: [`Hub`] takes messages and the time, and returns what is to be sent. It knows
//! no game; orders, messages and states are bytes.

mod joining;
mod transfers;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::{
    event::RelayEvent,
    plan::Plan,
    seats::{Seat, Seats},
};
use crate::{
    TermsError,
    transport::Connection,
    wire::{Frame, Turn},
};
use transfers::Transfer;

/// Time after which all players are told for which one they wait.
const NOTICE: Duration = Duration::from_millis(250);
/// Interval at which they are told again.
const NOTICE_AGAIN: Duration = Duration::from_secs(5);
/// Largest number of messages about ticks that a player sends to another in a turn: the rest is discarded.
const COMPARES_PER_TURN: u32 = 256;
/// Largest size of the turns kept for late players; the oldest are discarded.
const KEPT_BYTES_MAX: usize = 64 << 20;

/// An action of the relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A message for a connection.
    Send(Connection, Arc<[u8]>),
    /// A message that is repeated if it matters: it is discarded where much waits for that connection already, so that no player can
    /// keep turns from another.
    Offer(Connection, Arc<[u8]>),
    /// A connection is closed behind all that was sent.
    Close(Connection),
    /// Something for the operator.
    Tell(RelayEvent),
}

/// The relay without its connections.
#[derive(Debug)]
pub struct Hub {
    plan: Plan,
    seats: Seats,
    /// Connections that have not joined, and since when.
    strangers: BTreeMap<Connection, Duration>,
    /// The next turn to be composed; `None` before the match begins.
    next: Option<u64>,
    /// The last composed turns as messages, and the number of the first.
    turns: VecDeque<Arc<[u8]>>,
    turns_first: u64,
    turns_bytes: usize,
    left: Vec<u8>,
    joining: Vec<u8>,
    comings: u32,
    /// The state that is on its way, and the connections that wait for one.
    transfer: Option<Transfer>,
    transfer_next: u32,
    without_state: VecDeque<Connection>,
    /// The time of the last request for a state.
    asked: Option<Duration>,
    /// Number of messages about ticks since the last turn, by sender and receiver.
    compares: BTreeMap<(u8, u8), u32>,
    compares_since: Duration,
    /// The time since which a turn is waited for, and when all were told.
    waits: Option<(Duration, Option<Duration>)>,
    now: Duration,
    is_over: bool,
    actions: Vec<Action>,
}

impl Hub {
    /// A relay without players. Times count from here.
    ///
    /// # Errors
    ///
    /// If there is no such match; names the field, its value and its range.
    pub fn new(plan: Plan) -> Result<Self, TermsError> {
        let plan = plan.checked()?;
        Ok(Self {
            seats: Seats::new(plan.terms.players),
            plan,
            strangers: BTreeMap::new(),
            next: None,
            turns: VecDeque::new(),
            turns_first: 0,
            turns_bytes: 0,
            left: Vec::new(),
            joining: Vec::new(),
            comings: 0,
            transfer: None,
            transfer_next: 1,
            without_state: VecDeque::new(),
            asked: None,
            compares: BTreeMap::new(),
            compares_since: Duration::ZERO,
            waits: None,
            now: Duration::ZERO,
            is_over: false,
            actions: Vec::new(),
        })
    }

    /// True if the match is over: all players are done, or gone, or too few have come.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next turn to be composed; `None` before the match begins.
    #[must_use]
    pub const fn next_turn(&self) -> Option<u64> {
        self.next
    }

    /// Size of the kept turns in bytes.
    #[must_use]
    pub const fn kept_bytes(&self) -> usize {
        self.turns_bytes
    }

    /// The actions since the last call, to be done in this order.
    pub fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Takes a new connection.
    pub fn connect(&mut self, connection: Connection, now: Duration) {
        self.now = now;
        self.strangers.insert(connection, now);
    }

    /// Takes a message. Bytes that are none end their connection.
    pub fn hear(&mut self, from: Connection, message: &[u8], now: Duration) {
        self.now = now;
        let taken = Frame::decode(message).map_err(|error| error.to_string());
        if let Err(reason) = taken.and_then(|frame| self.take(from, frame)) {
            self.drop_connection(from, &reason);
        }
        self.compose();
    }

    /// Takes the loss of a connection.
    pub fn lose(&mut self, from: Connection, reason: &str, now: Duration) {
        self.now = now;
        self.drop_connection(from, reason);
        self.compose();
    }

    /// Advances the time.
    pub fn wait(&mut self, now: Duration) {
        self.now = now;
        if self.is_over {
            return;
        }
        self.remind();
        self.end_late_transfer();
        self.ask_for_next_state();
        let late = |since: &Duration| now.saturating_sub(*since) > self.plan.patience;
        let late: Vec<Connection> =
            self.strangers.iter().filter(|(_, since)| late(since)).map(|(&stranger, _)| stranger).collect();
        late.into_iter().for_each(|stranger| self.drop_connection(stranger, "it has not joined"));
        if self.next.is_none() && now > self.plan.wait && !self.is_over {
            self.tell(RelayEvent::TooFew);
            self.close_all(&Frame::refused("too few players have come"));
        }
        self.compose();
    }

    fn take(&mut self, from: Connection, frame: Frame) -> Result<(), String> {
        if self.is_over {
            return Err("the match is over".to_owned());
        }
        let seat = match (self.seats.of(from), &frame) {
            (None, Frame::Join { .. }) => return self.join(from, frame),
            (None, _) => return Err("it says something before it joins".to_owned()),
            (Some(_), Frame::Join { .. }) => return Err("it joins twice".to_owned()),
            (Some(seat), _) => seat,
        };
        match frame {
            Frame::Orders { turn, orders } => self.order(seat, turn, orders),
            Frame::Compare { seat: to, since, message } => {
                self.compare(seat, to, Frame::Compare { seat, since, message });
                Ok(())
            }
            Frame::Piece(piece) => self.pass_on(from, piece),
            Frame::Ready { tick } => self.ready(seat, tick),
            Frame::Resync => self.resync(seat, from),
            Frame::Done { is_well: true }
                if self.next.is_none_or(|next| next <= self.plan.terms.last_tick) =>
            {
                Err("it is done before the end".to_owned())
            }
            Frame::Done { is_well } => {
                self.tell(RelayEvent::Done { seat, is_well });
                self.seats.get_mut(seat).is_done = true;
                Ok(())
            }
            _ => Err("it says what only a relay says".to_owned()),
        }
    }

    /// Passes a message about ticks on, if there are not too many.
    fn compare(&mut self, from: u8, to: u8, message: Frame) {
        if self.now.saturating_sub(self.compares_since) > NOTICE {
            self.compares.clear();
            self.compares_since = self.now;
        }
        let Some(connection) = self.seats.connection(to).filter(|_| to != from) else {
            return; // a player that is gone needs no message
        };
        let count = self.compares.entry((from, to)).or_default();
        *count += 1;
        if *count <= COMPARES_PER_TURN {
            self.actions.push(Action::Offer(connection, message.encode().into()));
        }
    }

    fn order(&mut self, seat: u8, turn: u64, orders: Vec<u8>) -> Result<(), String> {
        let next = self.next.ok_or("it orders before the match begins")?;
        let ahead = next + u64::from(self.plan.terms.delay) + 1;
        let Seat { orders_from, orders: known, .. } = self.seats.get_mut(seat);
        let from = orders_from.ok_or("it orders before it has joined")?;
        let expected = known.last_key_value().map_or(from.max(next), |(last, _)| last + 1);
        if turn != expected || turn > ahead {
            return Err(format!("it orders for turn {turn}, it is the turn of {expected}, up to {ahead}"));
        }
        known.insert(turn, orders);
        Ok(())
    }

    /// Composes turns as long as all orders for the next one are here.
    fn compose(&mut self) {
        while let Some(number) = self.next.filter(|_| !self.is_over) {
            if self.seats.is_empty() {
                self.tell(RelayEvent::Empty);
                return self.close_all(&Frame::End);
            }
            if self.seats.all_done() {
                return self.end();
            }
            let is_alone = !self.seats.any_in() && self.joining.is_empty();
            let is_held = self.plan.hold_at == Some(number) && self.seats.any_out(&self.joining);
            let is_behind_last = number > self.plan.terms.last_tick;
            if is_behind_last && !self.left.is_empty() {
                // Nothing is played by it: the others compare no more with those that have left.
                let left = std::mem::take(&mut self.left);
                self.publish(Turn { number, left, ..Turn::default() });
                continue;
            }
            let is_at_end = is_behind_last || self.seats.any_done();
            if is_at_end || is_held || is_alone || self.seats.any_missing(number) {
                self.waits = self.waits.or(Some((self.now, None)));
                return;
            }
            let orders = self.seats.orders_of(number);
            let (left, joining) = (std::mem::take(&mut self.left), std::mem::take(&mut self.joining));
            let joined: Vec<(u8, u32)> = joining.into_iter().map(|seat| self.let_in(seat, number)).collect();
            let present = if joined.is_empty() { Vec::new() } else { self.seats.all_in() };
            self.publish(Turn { number, orders, left, joined, present });
        }
    }

    /// Sends a turn to all players that have the state before it, and keeps it for late ones.
    fn publish(&mut self, turn: Turn) {
        self.next = Some(turn.number + 1);
        self.waits = None;
        self.compares.clear();
        let bytes: Arc<[u8]> = Frame::Turn(turn).encode().into();
        for (seat, connection) in self.seats.all_taken() {
            if self.seats.get_mut(seat).follows {
                self.actions.push(Action::Send(connection, Arc::clone(&bytes)));
            }
        }
        self.turns_bytes += bytes.len();
        self.turns.push_back(bytes);
        while self.turns_bytes > KEPT_BYTES_MAX {
            let Some(oldest) = self.turns.pop_front() else { break };
            self.turns_bytes -= oldest.len();
            self.turns_first += 1;
        }
    }

    /// Tells all players for which one they wait, and ends a wait that is too long.
    fn remind(&mut self) {
        let (Some((since, told)), Some(turn)) = (self.waits, self.next) else { return };
        let waited = self.now.saturating_sub(since);
        let is_due = told.map_or(waited >= NOTICE, |told| self.now.saturating_sub(told) >= NOTICE_AGAIN);
        if is_due {
            self.waits = Some((since, Some(self.now)));
            let missing = self.missing(turn);
            // A match that is held waits for one that is not there.
            let out = self.seats.first_out(&self.joining).filter(|_| missing.is_empty());
            for seat in missing.into_iter().chain(out) {
                if told.is_none() {
                    self.tell(RelayEvent::Waiting { seat, turn });
                }
                for (_, connection) in self.seats.all_taken() {
                    self.send(connection, &Frame::Waiting { seat, turn });
                }
            }
        }
        if waited >= self.plan.patience {
            (self.waits, self.plan.hold_at) = (None, None);
            self.end_wait(turn, waited);
        }
    }

    fn missing(&self, turn: u64) -> Vec<u8> {
        let is_at_end = turn > self.plan.terms.last_tick || self.seats.any_done();
        self.seats.all_missing(turn, is_at_end)
    }

    /// Ends a wait: those that found a desync in the midst of a match go, and the others go on; else those that are waited for go.
    fn end_wait(&mut self, turn: u64, waited: Duration) {
        if !self.seats.any_in() {
            return self.end();
        }
        let done = self.seats.done();
        if turn <= self.plan.terms.last_tick && !done.is_empty() {
            for connection in
                done.into_iter().filter_map(|seat| self.seats.connection(seat)).collect::<Vec<_>>()
            {
                self.send(connection, &Frame::End);
                self.drop_connection(connection, "it is done, and the others are not");
            }
            return;
        }
        for seat in self.missing(turn) {
            if let Some(connection) = self.seats.connection(seat) {
                let words = format!("it has let all wait for {} ms", waited.as_millis());
                self.drop_connection(connection, &words);
            }
        }
    }

    fn end(&mut self) {
        self.tell(RelayEvent::Over);
        self.close_all(&Frame::End);
    }

    /// Ends the match, with a last word to everyone.
    fn close_all(&mut self, word: &Frame) {
        self.is_over = true;
        let seated: Vec<Connection> =
            self.seats.all_taken().into_iter().map(|(_, connection)| connection).collect();
        for connection in seated.into_iter().chain(std::mem::take(&mut self.strangers).into_keys()) {
            self.send(connection, word);
            self.actions.push(Action::Close(connection));
        }
    }

    /// Closes a connection, for a reason that it and the operator are told.
    fn drop_connection(&mut self, connection: Connection, reason: &str) {
        self.strangers.remove(&connection);
        self.send(connection, &Frame::refused(reason));
        self.actions.push(Action::Close(connection));
        let reason = reason.to_owned();
        let Some(seat) = self.seats.of(connection) else {
            return self.tell(RelayEvent::Turned { connection, reason });
        };
        self.tell(RelayEvent::Gone { seat, reason });
        if self.seats.leave(seat) {
            self.left.push(seat);
        }
        self.joining.retain(|&joining| joining != seat);
        self.forget_transfer(connection);
    }

    fn send(&mut self, to: Connection, frame: &Frame) {
        self.actions.push(Action::Send(to, frame.encode().into()));
    }

    fn tell(&mut self, event: RelayEvent) {
        self.actions.push(Action::Tell(event));
    }
}
