//! Who sits where, and what they have ordered.

use std::collections::BTreeMap;

use super::hub::Connection;

/// A seat.
#[derive(Clone, Debug, Default)]
pub struct Seat {
    /// Who sits there.
    connection: Option<Connection>,
    /// The number of its coming.
    pub coming: u32,
    /// From which turn on its orders are waited for; `None` before it has joined.
    pub orders_from: Option<u64>,
    /// True if it gets the turns as they are composed.
    pub follows: bool,
    /// True if it has said that it is done.
    pub is_done: bool,
    /// What it has ordered for turns to come.
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
    /// So many free ones.
    pub fn new(count: u8) -> Self {
        Self { all: vec![Seat::default(); count.into()] }
    }

    /// The seat of a connection.
    pub fn of(&self, connection: Connection) -> Option<u8> {
        let place = self.all.iter().position(|seat| seat.connection == Some(connection))?;
        u8::try_from(place).ok()
    }

    /// Who sits on a seat.
    pub fn connection(&self, seat: u8) -> Option<Connection> {
        self.all.get(usize::from(seat))?.connection
    }

    /// A seat that there is.
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

    /// Frees a seat; whether its orders were waited for.
    pub fn leave(&mut self, seat: u8) -> bool {
        let was = std::mem::take(self.get_mut(seat));
        was.orders_from.is_some()
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.all.iter().filter(|seat| seat.connection.is_some()).count()
    }

    /// True if nobody is here.
    pub fn is_empty(&self) -> bool {
        self.taken() == 0
    }

    /// Who sits where.
    pub fn all_taken(&self) -> Vec<(u8, Connection)> {
        (0..).zip(&self.all).filter_map(|(seat, of)| Some((seat, of.connection?))).collect()
    }

    /// True if somebody has joined.
    pub fn any_in(&self) -> bool {
        self.all.iter().any(|seat| seat.orders_from.is_some())
    }

    /// True if somebody is done.
    pub fn any_done(&self) -> bool {
        self.all.iter().any(|seat| seat.is_done)
    }

    /// True if all who have joined are done.
    pub fn all_done(&self) -> bool {
        self.any_in() && self.all.iter().all(|seat| seat.is_done || seat.orders_from.is_none())
    }

    /// Who has joined.
    pub fn all_in(&self) -> Vec<u8> {
        (0..)
            .zip(&self.all)
            .filter(|(_, seat)| seat.orders_from.is_some())
            .map(|(number, _)| number)
            .collect()
    }

    /// True if somebody is neither in nor about to be.
    pub fn any_out(&self, joining: &[u8]) -> bool {
        (0..).zip(&self.all).any(|(number, seat)| seat.orders_from.is_none() && !joining.contains(&number))
    }

    /// True if orders of a turn are missing.
    pub fn any_missing(&self, turn: u64) -> bool {
        self.all.iter().any(|seat| seat.misses(turn))
    }

    /// All for whom others wait: those whose orders of a turn are missing; at the end, those who are not done.
    pub fn all_missing(&self, turn: u64, is_at_end: bool) -> Vec<u8> {
        let misses = |seat: &Seat| {
            if is_at_end { seat.orders_from.is_some() && !seat.is_done } else { seat.misses(turn) }
        };
        (0..).zip(&self.all).filter(|(_, seat)| misses(seat)).map(|(number, _)| number).collect()
    }

    /// Takes everybody's orders of a turn, by seat.
    pub fn orders_of(&mut self, turn: u64) -> Vec<(u8, Vec<u8>)> {
        let numbered = (0..).zip(&mut self.all);
        numbered.filter_map(|(number, seat)| Some((number, seat.orders.remove(&turn)?))).collect()
    }

    /// Somebody else who has the state.
    pub fn donor(&self, other_than: Connection) -> Option<Connection> {
        let has = |seat: &&Seat| seat.orders_from.is_some() && !seat.is_done;
        self.all.iter().filter(has).filter_map(|seat| seat.connection).find(|&it| it != other_than)
    }
}
