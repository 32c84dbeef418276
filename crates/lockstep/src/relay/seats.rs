//! The seats, their connections and orders.

use std::collections::BTreeMap;

use crate::transport::Connection;

/// A seat.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// The connection of its player.
    connection: Option<Connection>,
    /// The number of its joining.
    pub coming: u32,
    /// The first turn for which its orders are waited for; `None` before it has joined.
    pub orders_from: Option<u64>,
    /// True if it gets turns as they are composed.
    pub follows: bool,
    /// The last turn that was sent right behind its state.
    pub last_known: u64,
    /// The connection that has sent it the state.
    pub donor: Option<Connection>,
    /// The connections that have sent it a state that was none.
    pub false_donors: Vec<Connection>,
    /// True if it has said that it is done.
    pub is_done: bool,
    /// Its orders for turns to come.
    pub orders: BTreeMap<u64, Vec<u8>>,
}

impl Seat {
    /// True if its orders of a turn are due, and missing.
    fn misses(&self, turn: u64) -> bool {
        self.orders_from.is_some_and(|from| from <= turn) && !self.orders.contains_key(&turn)
    }
}

/// All seats of a match.
#[derive(Clone, Debug)]
pub struct Seats {
    all: Vec<Seat>,
}

impl Seats {
    /// The given number of free seats.
    pub fn new(count: u8) -> Self {
        Self { all: vec![Seat::default(); count.into()] }
    }

    /// The seat of a connection.
    pub fn of(&self, connection: Connection) -> Option<u8> {
        let place = self.all.iter().position(|seat| seat.connection == Some(connection))?;
        u8::try_from(place).ok()
    }

    /// The connection of a seat.
    pub fn connection(&self, seat: u8) -> Option<Connection> {
        self.all.get(usize::from(seat))?.connection
    }

    /// A seat that exists.
    pub fn get_mut(&mut self, seat: u8) -> &mut Seat {
        &mut self.all[usize::from(seat)]
    }

    /// Gives a free seat to a connection: the one it wishes for, or the first.
    pub fn take(&mut self, connection: Connection, wish: Option<u8>) -> Option<u8> {
        let is_free = |seat: &Seat| seat.connection.is_none();
        let place = match wish {
            Some(wish) => usize::from(wish),
            None => self.all.iter().position(is_free)?,
        };
        let seat = self.all.get_mut(place).filter(|seat| is_free(seat))?;
        *seat = Seat { connection: Some(connection), ..Seat::default() };
        u8::try_from(place).ok()
    }

    /// Frees a seat; returns whether its orders were waited for.
    pub fn leave(&mut self, seat: u8) -> bool {
        let was = std::mem::take(self.get_mut(seat));
        was.orders_from.is_some()
    }

    /// Number of taken seats.
    pub fn taken(&self) -> usize {
        self.all.iter().filter(|seat| seat.connection.is_some()).count()
    }

    /// True if no seat is taken.
    pub fn is_empty(&self) -> bool {
        self.taken() == 0
    }

    /// The taken seats and their connections.
    pub fn all_taken(&self) -> Vec<(u8, Connection)> {
        (0..).zip(&self.all).filter_map(|(seat, of)| Some((seat, of.connection?))).collect()
    }

    /// True if any player has joined.
    pub fn any_in(&self) -> bool {
        self.all.iter().any(|seat| seat.orders_from.is_some())
    }

    /// True if any player is done.
    pub fn any_done(&self) -> bool {
        self.all.iter().any(|seat| seat.is_done)
    }

    /// True if all players that have joined are done.
    pub fn all_done(&self) -> bool {
        self.any_in() && self.all.iter().all(|seat| seat.is_done || seat.orders_from.is_none())
    }

    /// The seats that have joined.
    pub fn all_in(&self) -> Vec<u8> {
        (0..)
            .zip(&self.all)
            .filter(|(_, seat)| seat.orders_from.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// True if a seat is neither in nor about to be.
    pub fn any_out(&self, joining: &[u8]) -> bool {
        (0..).zip(&self.all).any(|(number, seat)| seat.orders_from.is_none() && !joining.contains(&number))
    }

    /// True if orders of a turn are missing.
    pub fn any_missing(&self, turn: u64) -> bool {
        self.all.iter().any(|seat| seat.misses(turn))
    }

    /// The seats that others wait for: those whose orders of a turn are missing; at the end, those that are
    /// not done.
    pub fn all_missing(&self, turn: u64, is_at_end: bool) -> Vec<u8> {
        let misses = |seat: &Seat| {
            if is_at_end { seat.orders_from.is_some() && !seat.is_done } else { seat.misses(turn) }
        };
        (0..).zip(&self.all).filter(|(_, seat)| misses(seat)).map(|(number, _)| number).collect()
    }

    /// Takes all orders of a turn, by seat.
    pub fn orders_of(&mut self, turn: u64) -> Vec<(u8, Vec<u8>)> {
        let numbered = (0..).zip(&mut self.all);
        numbered.filter_map(|(number, seat)| Some((number, seat.orders.remove(&turn)?))).collect()
    }

    /// Another connection that has the state, and has not sent this one a false one.
    pub fn donor(&self, to: Connection) -> Option<Connection> {
        let false_ones = self.of(to).map_or(&[][..], |seat| &self.all[usize::from(seat)].false_donors);
        let has = |seat: &&Seat| seat.orders_from.is_some() && !seat.is_done;
        let having = self.all.iter().filter(has).filter_map(|seat| seat.connection);
        having.into_iter().find(|it| *it != to && !false_ones.contains(it))
    }

    /// The seats that are done.
    pub fn done(&self) -> Vec<u8> {
        (0..).zip(&self.all).filter(|(_, seat)| seat.is_done).map(|(number, _)| number).collect()
    }

    /// The first seat that is neither in nor about to be.
    pub fn first_out(&self, joining: &[u8]) -> Option<u8> {
        let mut numbered = (0..).zip(&self.all);
        let is_out = |(number, seat): &(u8, &Seat)| seat.orders_from.is_none() && !joining.contains(number);
        numbered.find(is_out).map(|(number, _)| number)
    }
}
