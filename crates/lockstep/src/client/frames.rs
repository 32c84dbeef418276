//! What a client makes of the relay's messages.

use std::time::Duration;

use bitstep::session::{Session, Simulation};

use super::{
    Client, MESSAGES_PER_UPDATE, TURNS_MAX,
    board::{Board, Place},
    ending::Ending,
    event::ClientEvent,
};
use crate::{
    LockstepError, LockstepGame, SavedMatch, Terms,
    pieces::{Assembly, pieces},
    transport::Link,
    wire::{Frame, PIECE_BYTES_MAX},
};

/// Largest number of pieces of a state that are sent in an update.
const PIECES_PER_UPDATE: u32 = 4;

/// A message was taken, or the reason why it is wrong.
type Taken = Result<(), String>;

impl<G: LockstepGame, L: Link> Client<G, L> {
    /// Takes the messages that have arrived, so many at most; waits for at most a time for the first.
    pub(super) fn listen(&mut self, wait: Duration) -> Result<(), LockstepError> {
        let mut wait = wait;
        for _ in 0..MESSAGES_PER_UPDATE {
            let is_full = self.board.as_ref().is_some_and(|board| board.waiting() >= TURNS_MAX);
            if self.ending.is_some() || is_full {
                break;
            }
            match self.link.receive(wait) {
                Ok(Some(message)) => {
                    self.heard = self.now;
                    let frame = Frame::decode(&message).map_err(|error| error.to_string());
                    let taken = match frame {
                        Ok(frame) => self.take(frame)?,
                        Err(reason) => Err(reason),
                    };
                    if let Err(reason) = taken {
                        self.ending = Some(Ending::Broken(reason));
                    }
                }
                Ok(None) => break,
                Err(error) => self.ending = Some(Ending::Lost(error.to_string())),
            }
            wait = Duration::ZERO;
        }
        let patience = if self.board.is_some() { self.setup.patience } else { self.setup.wait };
        let silence = self.now.saturating_sub(self.heard);
        if silence > patience && self.ending.is_none() {
            self.ending = Some(Ending::Silent(silence));
        }
        Ok(())
    }

    /// Sends a frame. The loss of the link is noticed where it is read.
    pub(super) fn send(&mut self, frame: &Frame) {
        let _ = self.link.send(&frame.encode());
    }

    fn take(&mut self, frame: Frame) -> Result<Taken, LockstepError> {
        match frame {
            Frame::Begin { terms, seat, seats, has_state, coming } => {
                if self.gives_up {
                    self.give_up_state()?;
                }
                if self.board.is_some() {
                    return Ok(Err("a match that begins twice".to_owned()));
                }
                return self.begin(Place { terms, seat, seats, coming }, has_state);
            }
            Frame::Piece(piece) => {
                let (Some(first), None) = (&self.first, &self.board) else { return Ok(Ok(())) };
                let state = match self.assembly.take(piece) {
                    Ok(None) => return Ok(Ok(())),
                    Ok(Some(bytes)) => {
                        SavedMatch::decode(&bytes).and_then(|saved| saved.state(first.scenery())).ok()
                    }
                    Err(_) => None,
                };
                match state {
                    Some(state) => self.sit_down(state)?,
                    // Another player is asked for it.
                    None => {
                        self.assembly = Assembly::default();
                        self.send(&Frame::Resync);
                    }
                }
            }
            // Without a state the turn was sent before the state was given up.
            Frame::Turn(turn) => return Ok(self.board.as_mut().map_or(Ok(()), |board| board.hear(turn))),
            Frame::Compare { seat, since, message } => {
                if let Some(board) = &mut self.board {
                    board.comparison.hear(seat, since, &message);
                    self.disputed = self.disputed.map(|_| self.now); // more becomes known
                }
            }
            Frame::Give { transfer } => self.give(transfer),
            Frame::Waiting { seat, turn } => self.events.push(ClientEvent::Waiting { seat, turn }),
            Frame::Keep => (self.gives_up, self.keeps) = (false, true),
            Frame::End => self.ending = Some(self.verdict()),
            Frame::Refused { reason } => self.ending = Some(Ending::Refused(reason)),
            _ => return Ok(Err("what only a client says".to_owned())),
        }
        Ok(Ok(()))
    }

    /// Takes the terms.
    fn begin(&mut self, place: Place, has_state: bool) -> Result<Taken, LockstepError> {
        let Terms { players, .. } = place.terms;
        if place.seat >= players || place.seats.iter().any(|&seat| seat >= players) {
            return Ok(Err(format!("there are {players} seats, and not that of {}", place.seat)));
        }
        let checked = place.terms.clone().checked().and_then(|terms| terms.initial_state::<G>());
        let first = match checked {
            Ok(first) => first,
            Err(error) => return Ok(Err(error.to_string())),
        };
        self.place = Some(place);
        if has_state {
            self.first = Some(first);
        } else {
            self.sit_down(first)?;
        }
        Ok(Ok(()))
    }

    /// Takes a state: turns are played from here on.
    fn sit_down(&mut self, state: Session<G>) -> Result<(), LockstepError> {
        let Some(place) = self.place.clone() else { return Ok(()) };
        let (seat, tick) = (place.seat, state.tick_count());
        self.due = self.now;
        self.behind = place.seats.is_empty().then_some((self.now, tick));
        self.first = None;
        self.board = Some(Board::new(place, state, &mut self.setup)?);
        self.events.push(ClientEvent::Seated { seat, tick });
        Ok(())
    }

    /// Begins to send the present state, instead of an earlier one.
    fn give(&mut self, transfer: u32) {
        let (Some(place), Some(board)) = (&self.place, &self.board) else { return };
        let saved = SavedMatch::new(place.terms.clone(), board.state(), Vec::new());
        self.giving = pieces(transfer, saved.tick, &saved.encode()).collect();
        self.events.push(ClientEvent::Given);
    }

    /// Sends some pieces of a state, if the link takes them: orders must not wait behind all of it.
    pub(super) fn give_more(&mut self) {
        for _ in 0..PIECES_PER_UPDATE {
            if self.link.waiting() > PIECE_BYTES_MAX {
                return;
            }
            let Some(piece) = self.giving.pop_front() else { return };
            self.send(&Frame::Piece(piece));
        }
    }
}
