//! States on their way from one player to another: one at a time, so that a player that gives gets the orders of its own through.

use std::{sync::Arc, time::Duration};

use super::{Action, Hub};
use crate::{
    pieces::PIECES_MAX,
    transport::Connection,
    wire::{Frame, Piece},
};

/// Shortest time between two requests for a state: each costs the giver an encoding.
const ASK_EVERY: Duration = Duration::from_millis(250);

/// A state on its way.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    number: u32,
    from: Connection,
    to: Connection,
    next: u32,
    count: u32,
    /// The tick, of a transfer that has begun.
    tick: u64,
    /// The time of the request, or of the last piece.
    heard: Duration,
}

impl Hub {
    /// Gets a state for a connection, when those that wait have theirs.
    pub(super) fn ask_for_state(&mut self, to: Connection) {
        self.without_state.push_back(to);
        self.ask_for_next_state();
    }

    /// Lets the first player that takes part send the state to the next connection that waits for one.
    pub(super) fn ask_for_next_state(&mut self) {
        let is_soon = self.asked.is_some_and(|asked| self.now < asked + ASK_EVERY);
        if self.transfer.is_some() || is_soon {
            return;
        }
        let Some(to) = self.without_state.pop_front() else { return };
        let Some(from) = self.seats.donor(to) else {
            return self.drop_connection(to, "no player is here that has the state");
        };
        let number = self.transfer_next;
        self.transfer_next = self.transfer_next.wrapping_add(1).max(1);
        self.transfer = Some(Transfer { number, from, to, next: 0, count: 0, tick: 0, heard: self.now });
        self.asked = Some(self.now);
        self.send(from, &Frame::Give { transfer: number });
    }

    /// Passes a piece on; behind the last one go the turns since.
    pub(super) fn pass_on(&mut self, from: Connection, piece: Piece) -> Result<(), String> {
        let Some(mut transfer) = self.transfer.filter(|it| (it.number, it.from) == (piece.transfer, from))
        else {
            return Ok(()); // the player that waited for it is gone
        };
        if piece.index == 0 {
            (transfer.count, transfer.tick) = (piece.count, piece.tick);
        }
        let is_next =
            (piece.index, piece.count, piece.tick) == (transfer.next, transfer.count, transfer.tick);
        if !is_next || piece.count as usize > PIECES_MAX {
            return Err(format!("it sends piece {} of {} of a state", piece.index, piece.count));
        }
        (transfer.next, transfer.heard) = (transfer.next + 1, self.now);
        self.transfer = Some(transfer);
        self.send(transfer.to, &Frame::Piece(piece));
        if transfer.next < transfer.count {
            return Ok(());
        }
        let Transfer { to, tick, .. } = transfer;
        let kept = self.turns.len() as u64;
        let known = tick.checked_add(1).and_then(|first| first.checked_sub(self.turns_first));
        let Some(known) = known.filter(|&known| known <= kept) else {
            return Err(format!("it sends a state of tick {tick}")); // another one is asked when it is gone
        };
        self.transfer = None;
        for turn in self.turns.iter().skip(known as usize) {
            self.actions.push(Action::Send(to, Arc::clone(turn)));
        }
        if let Some(seat) = self.seats.of(to) {
            let place = self.seats.get_mut(seat);
            (place.follows, place.donor) = (true, Some(from));
            place.last_known = tick + self.turns.len() as u64 - known;
        }
        self.ask_for_next_state();
        Ok(())
    }

    /// Lets a player go that does not send the state it was asked for.
    pub(super) fn end_late_transfer(&mut self) {
        if let Some(Transfer { from, heard, .. }) = self.transfer {
            if self.now.saturating_sub(heard) > self.plan.patience {
                self.drop_connection(from, "it did not send the state that it was asked for");
            }
        }
    }

    /// Cancels the transfer of a connection that has lost its state. A player that waited for it gets the state from another one.
    pub(super) fn forget_transfer(&mut self, connection: Connection) {
        self.without_state.retain(|&it| it != connection);
        if let Some(ended) = self.transfer.take_if(|it| it.from == connection || it.to == connection) {
            if ended.to != connection {
                self.asked = None; // its player has waited already
                self.without_state.push_front(ended.to);
            }
            self.ask_for_next_state();
        }
    }
}
