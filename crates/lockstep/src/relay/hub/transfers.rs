//! States on their way from one player to another.

use std::{sync::Arc, time::Duration};

use super::{Action, Hub};
use crate::{
    transport::Connection,
    wire::{Frame, Piece},
};

/// A state on its way.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    from: Connection,
    to: Connection,
    next: u32,
    count: u32,
    /// The tick, of a transfer that has begun.
    tick: u64,
    began: Duration,
}

impl Hub {
    /// Lets the first player that takes part send the state to a connection.
    pub(super) fn ask_for_state(&mut self, to: Connection) {
        let Some(from) = self.seats.donor(to) else {
            return self.drop_connection(to, "no player is here that has the state");
        };
        let number = self.transfer_next;
        self.transfer_next = self.transfer_next.wrapping_add(1).max(1);
        let transfer = Transfer { from, to, next: 0, count: 0, tick: 0, began: self.now };
        self.transfers.insert(number, transfer);
        self.send(from, &Frame::Give { transfer: number });
    }

    /// Passes a piece on; behind the last one go the turns since.
    pub(super) fn pass_on(&mut self, from: Connection, piece: Piece) -> Result<(), String> {
        let number = piece.transfer;
        let Some(transfer) = self.transfers.get_mut(&number).filter(|transfer| transfer.from == from) else {
            return Ok(()); // the player that waited for it is gone
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
        let kept = self.turns.len() as u64;
        let known = tick.checked_add(1).and_then(|first| first.checked_sub(self.turns_first));
        let Some(known) = known.filter(|&known| known <= kept) else {
            self.ask_for_state(to);
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

    /// Lets players go that do not send the state they were asked for.
    pub(super) fn end_late_transfers(&mut self) {
        let is_late = |transfer: &Transfer| self.now.saturating_sub(transfer.began) > self.plan.patience;
        let late = self.transfers.values().filter(|transfer| is_late(transfer)).map(|transfer| transfer.from);
        for from in late.collect::<Vec<_>>() {
            self.drop_connection(from, "it did not send the state that it was asked for");
        }
    }

    /// Cancels the transfers of a connection that has lost its state. A player that waited for it gets the state from another one.
    pub(super) fn forget_transfers(&mut self, connection: Connection) {
        let is_part = |transfer: &Transfer| transfer.from == connection || transfer.to == connection;
        let ended: Vec<Transfer> = self.transfers.values().copied().filter(|it| is_part(it)).collect();
        self.transfers.retain(|_, transfer| !is_part(transfer));
        for transfer in ended.into_iter().filter(|transfer| transfer.to != connection) {
            self.ask_for_state(transfer.to);
        }
    }
}
