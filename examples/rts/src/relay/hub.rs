//! The decisions of the relay: seats, complete turns, waits, and transfers of states.
//!
//! There are no sockets, threads or clocks here: [`Hub`] takes the frames of connections and the time, and
//! returns what is to be sent to which. It knows no game; orders, messages and states are bytes.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use super::seats::{Seat, Seats};
use crate::{
    transfer::{Parcel, Terms, pieces},
    wire::{Frame, PROTOCOL, Piece, Turn, refusal},
};

/// A connection.
pub type Connection = u32;

/// Time after which all players are told whom they wait for.
const NOTICE: Duration = Duration::from_millis(250);
/// Largest size of the turns kept for late players; the oldest are discarded.
const KEPT_BYTES_MAX: usize = 64 << 20;

/// An action of the relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Bytes of a frame for a connection.
    Send(Connection, Arc<[u8]>),
    /// A connection is closed after all bytes were sent.
    Close(Connection),
    /// A line for people to read.
    Say(String),
}

/// The plan of a relay.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The terms of the match.
    pub terms: Terms,
    /// Number of seated players with which it begins.
    pub begin_with: u8,
    /// Longest time for which a peer may let all others wait, and for which a state may take.
    pub patience: Duration,
    /// The turn in which all wait until every seat is taken, for at most the patience.
    pub hold_at: Option<u64>,
    /// The state from which it continues, if it was saved.
    pub saved: Option<Parcel>,
}

/// A state on its way from one peer to another.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    from: Connection,
    to: Connection,
    next: u32,
    count: u32,
    /// The tick, of a transfer that has begun.
    tick: u64,
    began: Duration,
}

/// The relay without its sockets.
#[derive(Debug)]
pub struct Hub {
    plan: Plan,
    seats: Seats,
    /// The next turn to be composed; `None` before the match begins.
    next: Option<u64>,
    /// The frames of the last composed turns, and the number of the first.
    turns: VecDeque<Arc<[u8]>>,
    turns_first: u64,
    turns_bytes: usize,
    left: Vec<u8>,
    joining: Vec<u8>,
    comings: u32,
    transfers: BTreeMap<u32, Transfer>,
    transfer_next: u32,
    /// The instant since which a turn is waited for, and whether all were told.
    waits: Option<(Duration, bool)>,
    now: Duration,
    is_over: bool,
    actions: Vec<Action>,
}

impl Hub {
    /// A relay without players.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let seats = Seats::new(plan.terms.players);
        Self {
            plan,
            seats,
            next: None,
            turns: VecDeque::new(),
            turns_first: 0,
            turns_bytes: 0,
            left: Vec::new(),
            joining: Vec::new(),
            comings: 0,
            transfers: BTreeMap::new(),
            transfer_next: 1,
            waits: None,
            now: Duration::ZERO,
            is_over: false,
            actions: Vec::new(),
        }
    }

    /// True if the match is over: all players are done, or gone.
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

    /// The actions since the last call.
    pub fn actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Takes a frame.
    pub fn hear(&mut self, from: Connection, frame: Frame, now: Duration) {
        self.now = now;
        if let Err(reason) = self.take(from, frame) {
            self.drop_connection(from, &reason);
        }
        self.compose();
    }

    /// Takes the end of a connection, or its first invalid frame.
    pub fn lose(&mut self, from: Connection, reason: &str, now: Duration) {
        self.now = now;
        if self.seats.of(from).is_some() {
            self.drop_connection(from, reason);
        }
        self.compose();
    }

    /// Advances the time.
    pub fn wait(&mut self, now: Duration) {
        self.now = now;
        self.remind();
        let late: Vec<u32> = self
            .transfers
            .iter()
            .filter(|(_, transfer)| now.saturating_sub(transfer.began) > self.plan.patience)
            .map(|(&number, _)| number)
            .collect();
        for number in late {
            if let Some(transfer) = self.transfers.remove(&number) {
                self.drop_connection(transfer.from, "it did not send the state that it was asked for");
                self.ask_for_state(transfer.to);
            }
        }
        self.compose();
    }

    fn take(&mut self, from: Connection, frame: Frame) -> Result<(), String> {
        let seat = match (self.seats.of(from), &frame) {
            (None, Frame::Join { protocol, seat }) => return self.join(from, *protocol, *seat),
            (None, _) => return Err("it says something before it joins".to_owned()),
            (Some(_), Frame::Join { .. }) => return Err("it joins twice".to_owned()),
            (Some(seat), _) => seat,
        };
        match frame {
            Frame::Orders { turn, orders } => self.order(seat, turn, orders),
            Frame::Compare { seat: to, since, message } => {
                if let Some(to) = self.seats.connection(to).filter(|&to| to != from) {
                    self.send(to, &Frame::Compare { seat, since, message });
                }
                Ok(()) // a player who is gone needs no message
            }
            Frame::Piece(piece) => self.pass_on(from, piece),
            Frame::Ready { tick } => self.ready(seat, tick),
            Frame::Resync => self.resync(seat, from),
            Frame::Done { is_well } => {
                self.say(format!(
                    "player {} is done: {}",
                    seat + 1,
                    if is_well { "all is well" } else { "desync" }
                ));
                self.seats.get_mut(seat).is_done = true;
                Ok(())
            }
            _ => Err("it says what only a relay says".to_owned()),
        }
    }

    fn join(&mut self, from: Connection, protocol: u16, wish: Option<u8>) -> Result<(), String> {
        if protocol != PROTOCOL {
            return self.refuse(from, &format!("protocol {protocol}, this relay speaks {PROTOCOL}"));
        }
        let Some(seat) = self.seats.take(from, wish) else {
            return self.refuse(from, "no seat is free");
        };
        self.say(format!("player {} has come", seat + 1));
        if self.next.is_some() {
            self.send_begin(from, seat, Vec::new(), true);
            self.ask_for_state(from);
        } else if self.seats.taken() >= usize::from(self.plan.begin_with) {
            self.begin();
        }
        Ok(())
    }

    fn begin(&mut self) {
        let saved = self.plan.saved.take();
        let initial_tick = saved.as_ref().map_or(0, |saved| saved.tick);
        let delay = u64::from(self.plan.terms.delay);
        let bytes = saved.as_ref().map(Parcel::encode);
        let seats = self.seats.all_taken();
        for &(seat, connection) in &seats {
            let place = self.seats.get_mut(seat);
            (place.orders_from, place.follows) = (Some(initial_tick + delay + 1), true);
            self.send_begin(connection, seat, seats.iter().map(|&(seat, _)| seat).collect(), bytes.is_some());
            for piece in bytes.iter().flat_map(|bytes| pieces(0, initial_tick, bytes)) {
                self.send(connection, &Frame::Piece(piece));
            }
        }
        self.say(format!("the match begins with {} players after tick {initial_tick}", seats.len()));
        (self.next, self.turns_first) = (Some(initial_tick + 1), initial_tick + 1);
        // The turns that were pending in the save.
        for turn in saved.map(|saved| saved.turns).unwrap_or_default() {
            let Turn { number, orders, .. } = turn;
            self.publish(Turn { number, orders, ..Turn::default() });
        }
    }

    fn send_begin(&mut self, to: Connection, seat: u8, seats: Vec<u8>, has_state: bool) {
        let terms = self.plan.terms;
        self.comings = self.comings.wrapping_add(1);
        self.seats.get_mut(seat).coming = self.comings;
        self.send(to, &Frame::Begin { terms, seat, seats, has_state, coming: self.comings });
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
                self.is_over = true;
                self.say("nobody is left".to_owned());
                return;
            }
            if self.seats.all_done() {
                self.end();
                return;
            }
            let is_alone = !self.seats.any_in() && self.joining.is_empty();
            let is_held = self.plan.hold_at == Some(number) && self.seats.any_out(&self.joining);
            let is_at_end = number > self.plan.terms.ticks || self.seats.any_done();
            if is_at_end || is_held || is_alone || self.seats.any_missing(number) {
                self.waits = self.waits.or(Some((self.now, false)));
                return;
            }
            let orders = self.seats.orders_of(number);
            let (left, joined) = (std::mem::take(&mut self.left), std::mem::take(&mut self.joining));
            let joined: Vec<(u8, u32)> = joined
                .into_iter()
                .map(|seat| {
                    self.say(format!("player {} is in from turn {number} on", seat + 1));
                    let place = self.seats.get_mut(seat);
                    place.orders_from = Some(number + u64::from(self.plan.terms.delay) + 1);
                    (seat, place.coming)
                })
                .collect();
            let present = if joined.is_empty() { Vec::new() } else { self.seats.all_in() };
            self.publish(Turn { number, orders, left, joined, present });
        }
    }

    /// Sends a turn to all players who have the state before it, and keeps it for late ones.
    fn publish(&mut self, turn: Turn) {
        self.next = Some(turn.number + 1);
        self.waits = None;
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

    /// Lets the first player who takes part send the state to a connection.
    fn ask_for_state(&mut self, to: Connection) {
        let Some(from) = self.seats.donor(to) else {
            let _ = self.refuse(to, "nobody is here who has the state");
            return;
        };
        let number = self.transfer_next;
        self.transfer_next = self.transfer_next.wrapping_add(1).max(1);
        let transfer = Transfer { from, to, next: 0, count: 0, tick: 0, began: self.now };
        self.transfers.insert(number, transfer);
        self.send(from, &Frame::Give { transfer: number });
    }

    fn pass_on(&mut self, from: Connection, piece: Piece) -> Result<(), String> {
        let number = piece.transfer;
        let Some(transfer) = self.transfers.get_mut(&number).filter(|transfer| transfer.from == from) else {
            return Ok(()); // the player who waited for it is gone
        };
        if piece.index == 0 {
            (transfer.count, transfer.tick) = (piece.count, piece.tick);
        }
        if (piece.index, piece.count, piece.tick) != (transfer.next, transfer.count, transfer.tick) {
            return Err(format!("it sends piece {} of {} of a state", piece.index, piece.count));
        }
        transfer.next += 1;
        let Transfer { to, next, count, tick, .. } = *transfer;
        self.send(to, &Frame::Piece(piece));
        if next < count {
            return Ok(());
        }
        self.transfers.remove(&number);
        let Some(known) =
            (tick + 1).checked_sub(self.turns_first).filter(|&known| known <= self.turns.len() as u64)
        else {
            return Err(format!("it sends a state of tick {tick}"));
        };
        for turn in self.turns.iter().skip(known as usize) {
            self.actions.push(Action::Send(to, Arc::clone(turn)));
        }
        if let Some(seat) = self.seats.of(to) {
            self.seats.get_mut(seat).follows = true;
        }
        Ok(())
    }

    fn ready(&mut self, seat: u8, tick: u64) -> Result<(), String> {
        let Seat { orders_from, follows, .. } = *self.seats.get_mut(seat);
        if orders_from.is_some() || !follows || self.next.is_none_or(|next| tick >= next) {
            return Err(format!("it is ready at tick {tick}, and was not asked"));
        }
        if !self.joining.contains(&seat) {
            self.joining.push(seat);
        }
        Ok(())
    }

    /// A peer gives up its state: it leaves, and joins with another one.
    fn resync(&mut self, seat: u8, connection: Connection) -> Result<(), String> {
        if self.seats.get_mut(seat).orders_from.is_none() {
            return Err("it asks for a state before it has one".to_owned());
        }
        self.say(format!("player {} asks for another state", seat + 1));
        self.seats.leave(seat);
        self.left.push(seat);
        self.seats.take(connection, Some(seat));
        self.send_begin(connection, seat, Vec::new(), true);
        self.forget_transfers(connection);
        self.ask_for_state(connection);
        Ok(())
    }

    /// Tells all players whom they wait for, and after a longer while lets those go.
    fn remind(&mut self) {
        let (Some((since, was_told)), Some(turn)) = (self.waits, self.next) else { return };
        let waited = self.now.saturating_sub(since);
        let missing = self.seats.all_missing(turn, turn > self.plan.terms.ticks || self.seats.any_done());
        if waited >= NOTICE && !was_told {
            self.waits = Some((since, true));
            for &seat in &missing {
                self.say(format!("all wait for player {} in turn {turn}", seat + 1));
                for (_, connection) in self.seats.all_taken() {
                    self.send(connection, &Frame::Waiting { seat, turn });
                }
            }
        }
        if waited >= self.plan.patience {
            (self.waits, self.plan.hold_at) = (None, None);
            if !self.seats.any_in() {
                self.end();
            }
            for seat in missing {
                if let Some(connection) = self.seats.connection(seat) {
                    let words = format!("it has let all wait for {} ms", waited.as_millis());
                    self.drop_connection(connection, &words);
                }
            }
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        for (_, connection) in self.seats.all_taken() {
            self.send(connection, &Frame::End);
            self.actions.push(Action::Close(connection));
        }
        self.say("the match is over".to_owned());
    }

    /// Closes a connection, for a reason that it and people are told.
    fn drop_connection(&mut self, connection: Connection, reason: &str) {
        let Some(seat) = self.seats.of(connection) else {
            let _ = self.refuse(connection, reason);
            return;
        };
        self.say(format!("player {} is gone: {reason}", seat + 1));
        let _ = self.refuse(connection, reason);
        if self.seats.leave(seat) {
            self.left.push(seat);
        }
        self.joining.retain(|&joining| joining != seat);
        self.forget_transfers(connection);
    }

    /// Cancels the transfers of a connection that has lost its state. A peer that waited for it gets the
    /// state from another one.
    fn forget_transfers(&mut self, connection: Connection) {
        let is_part = |transfer: &Transfer| transfer.from == connection || transfer.to == connection;
        let ended: Vec<Transfer> = self.transfers.values().copied().filter(|it| is_part(it)).collect();
        self.transfers.retain(|_, transfer| !is_part(transfer));
        for transfer in ended.into_iter().filter(|transfer| transfer.to != connection) {
            self.ask_for_state(transfer.to);
        }
    }

    /// Closes a connection with a reason.
    fn refuse(&mut self, connection: Connection, reason: &str) -> Result<(), String> {
        self.send(connection, &refusal(reason));
        self.actions.push(Action::Close(connection));
        Ok(())
    }

    fn send(&mut self, to: Connection, frame: &Frame) {
        self.actions.push(Action::Send(to, frame.encode().into()));
    }

    fn say(&mut self, words: String) {
        self.actions.push(Action::Say(words));
    }
}
