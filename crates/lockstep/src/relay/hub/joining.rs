//! How players come: at the beginning, late, and with another state.

use super::Hub;
use crate::{
    pieces::pieces,
    relay::{event::RelayEvent, seats::Seat},
    transport::Connection,
    wire::{Frame, PROTOCOL, Turn},
};

impl Hub {
    /// Gives a connection a seat, if it may have one.
    pub(super) fn join(&mut self, from: Connection, join: Frame) -> Result<(), String> {
        let Frame::Join { protocol, game, seat, ticket } = join else { return Ok(()) };
        if protocol != PROTOCOL {
            return Err(format!("protocol {protocol}, this relay speaks {PROTOCOL}"));
        }
        if game != self.plan.terms.game {
            return Err(format!("it plays {game}, here is a match of {}", self.plan.terms.game));
        }
        let wish = if self.plan.tickets.is_empty() { seat } else { Some(self.seat_of_ticket(&ticket)?) };
        let Some(seat) = self.seats.take(from, wish) else { return Err("no seat is free".to_owned()) };
        self.strangers.remove(&from);
        self.tell(RelayEvent::Came { seat });
        if self.next.is_some() {
            self.send_begin(from, seat, Vec::new(), true);
            self.ask_for_state(from);
        } else if self.seats.taken() >= usize::from(self.plan.begin_with) {
            self.begin();
        }
        Ok(())
    }

    /// The seat of a ticket. Its player comes back where the old connection is not known to be lost.
    fn seat_of_ticket(&mut self, ticket: &[u8]) -> Result<u8, String> {
        let mut numbered = (0..).zip(&self.plan.tickets);
        let (seat, _) =
            numbered.find(|(_, known)| *known == ticket).ok_or("it has no ticket of this match")?;
        if let Some(old) = self.seats.connection(seat) {
            self.drop_connection(old, "the player has come over another connection");
        }
        Ok(seat)
    }

    fn begin(&mut self) {
        let saved = self.plan.saved.take();
        let initial_tick = saved.as_ref().map_or(0, |saved| saved.tick);
        let delay = u64::from(self.plan.terms.delay);
        let bytes = saved.as_ref().map(crate::SavedMatch::encode);
        let seats = self.seats.all_taken();
        for &(seat, connection) in &seats {
            let place = self.seats.get_mut(seat);
            (place.orders_from, place.follows) = (Some(initial_tick + delay + 1), true);
            self.send_begin(connection, seat, seats.iter().map(|&(seat, _)| seat).collect(), bytes.is_some());
            for piece in bytes.iter().flat_map(|bytes| pieces(0, initial_tick, bytes)) {
                self.send(connection, &Frame::Piece(piece));
            }
        }
        if saved.is_some() {
            // Others may have been here when it was saved: the first turn that is composed tells the rules.
            let is_here = |seat: &u8| seats.iter().any(|(taken, _)| taken == seat);
            (self.joining, self.left) = (0..self.plan.terms.players).partition(is_here);
        }
        self.tell(RelayEvent::Began { players: seats.len(), tick: initial_tick });
        (self.next, self.turns_first) = (Some(initial_tick + 1), initial_tick + 1);
        // The turns that were under way when it was saved.
        for Turn { number, orders, .. } in saved.map(|saved| saved.turns).unwrap_or_default() {
            self.publish(Turn { number, orders, ..Turn::default() });
        }
    }

    fn send_begin(&mut self, to: Connection, seat: u8, seats: Vec<u8>, has_state: bool) {
        let terms = self.plan.terms.clone();
        self.comings = self.comings.wrapping_add(1);
        self.seats.get_mut(seat).coming = self.comings;
        self.send(to, &Frame::Begin { terms, seat, seats, has_state, coming: self.comings });
    }

    /// Takes a player in that has the state before the next turn.
    ///
    /// One that has not played the turns that came behind its state is not ready, whatever it says: they may have been on their way.
    /// It says so again.
    pub(super) fn ready(&mut self, seat: u8, tick: u64) -> Result<(), String> {
        let &mut Seat { orders_from, follows, last_known, .. } = self.seats.get_mut(seat);
        if !follows || self.next.is_none_or(|next| tick >= next) {
            return Err(format!("it is ready at tick {tick}, and was not asked"));
        }
        if orders_from.is_none() && tick >= last_known && !self.joining.contains(&seat) {
            self.joining.push(seat);
        }
        Ok(())
    }

    /// Lets a player take part from a turn on; returns what the turn says of it.
    pub(super) fn let_in(&mut self, seat: u8, turn: u64) -> (u8, u32) {
        let orders_from = turn + u64::from(self.plan.terms.delay) + 1;
        let place = self.seats.get_mut(seat);
        let (coming, was_in) = (place.coming, place.orders_from.is_some());
        if !was_in {
            place.orders_from = Some(orders_from);
            self.tell(RelayEvent::In { seat, turn });
        }
        (seat, coming)
    }

    /// Lets a player leave that gives up its state, and join with another one; or asks for another state where the first was none.
    pub(super) fn resync(&mut self, seat: u8, connection: Connection) -> Result<(), String> {
        if self.seats.get_mut(seat).orders_from.is_none() {
            return self.ask_another(seat, connection);
        }
        if self.seats.donor(connection).is_none() {
            self.send(connection, &Frame::Keep);
            return Ok(());
        }
        self.tell(RelayEvent::Resync { seat });
        self.seats.leave(seat);
        self.left.push(seat);
        self.seats.take(connection, Some(seat));
        self.send_begin(connection, seat, Vec::new(), true);
        self.forget_transfer(connection);
        self.ask_for_state(connection);
        Ok(())
    }

    /// Asks another player than before for the state of one that has none.
    fn ask_another(&mut self, seat: u8, connection: Connection) -> Result<(), String> {
        let place = self.seats.get_mut(seat);
        let Some(donor) = place.donor.take() else {
            return Err("it asks for a state before it has one".to_owned());
        };
        place.false_donors.push(donor);
        place.follows = false;
        self.joining.retain(|&joining| joining != seat);
        self.ask_for_state(connection);
        Ok(())
    }
}
