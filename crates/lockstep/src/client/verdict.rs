//! What a client makes of the findings: the end of a match, or another state.

use super::{Client, Ending, event::ClientEvent};
use crate::{LockstepError, LockstepGame, pieces::Assembly, transport::Link, wire::Frame};

impl<G: LockstepGame, L: Link> Client<G, L> {
    /// Acts on the findings.
    pub(super) fn conclude(&mut self) -> Result<(), LockstepError> {
        let Some(board) = &self.board else { return Ok(()) };
        if self.is_done {
            return Ok(());
        }
        let (comparison, is_at_end) = (&board.comparison, board.is_at_end());
        if let Some(since) = self.disputed {
            let is_settled = comparison.is_settled() || self.now.saturating_sub(since) > self.setup.patience;
            if !is_settled {
                return Ok(());
            }
            if !self.setup.resync {
                self.done(false);
            } else if comparison.is_wrong_here() {
                return self.give_up_state();
            } else if is_at_end {
                self.done(false);
            } else if !comparison.is_in_dispute() {
                self.disputed = None; // the other has gone, and comes again
            }
        } else if is_at_end && comparison.is_compared(board.tick()) {
            let is_well = self.disputes.is_empty() && comparison.disputes().is_empty();
            self.done(is_well);
        }
        Ok(())
    }

    /// Gives up a wrong state, and requests another one.
    fn give_up_state(&mut self) -> Result<(), LockstepError> {
        self.close_board()?;
        (self.disputed, self.assembly) = (None, Assembly::default());
        self.events.push(ClientEvent::Resync);
        self.send(&Frame::Resync);
        Ok(())
    }

    /// Ends the recording, and keeps the findings.
    pub(super) fn close_board(&mut self) -> Result<(), LockstepError> {
        if let Some(board) = self.board.take() {
            self.disputes.extend(board.comparison.disputes());
            self.compared = board.comparison.compared().or(self.compared);
            self.setup.log = board.log().clone();
            self.last = Some(board.finish(&mut self.events)?);
        }
        Ok(())
    }

    fn done(&mut self, is_well: bool) {
        self.is_done = true;
        self.send(&Frame::Done { is_well });
    }

    /// The end of the match where the relay says that it is over.
    pub(super) fn verdict(&self) -> Ending {
        match &self.board {
            Some(board) if board.comparison.is_in_dispute() => Ending::Desync,
            Some(board) if board.is_at_end() => Ending::Finished,
            _ => Ending::Early,
        }
    }
}
