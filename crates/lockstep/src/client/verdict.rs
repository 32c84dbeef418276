//! What a client makes of the findings: the end of a match, or another state.

use std::time::Duration;

use super::{Client, Ending, event::ClientEvent};
use crate::{LockstepError, LockstepGame, pieces::Assembly, transport::Link, wire::Frame};

/// Longest time without news about a tick that differs.
const REPORT_PATIENCE: Duration = Duration::from_secs(4);

impl<G: LockstepGame, L: Link> Client<G, L> {
    /// Acts on the findings.
    pub(super) fn conclude(&mut self) -> Result<(), LockstepError> {
        let Some(board) = &self.board else { return Ok(()) };
        if self.is_done {
            return Ok(());
        }
        let (comparison, is_at_end) = (&board.comparison, board.is_at_end());
        if let Some(since) = self.disputed {
            let is_settled = comparison.is_settled() || self.now.saturating_sub(since) > self.silence_max();
            if !is_settled || self.gives_up {
                return Ok(());
            }
            if !self.setup.resync || is_at_end {
                self.done(false);
            } else if !comparison.is_in_dispute() {
                (self.disputed, self.keeps) = (None, false); // the other has gone, and comes again
            } else if comparison.is_wrong_here() && !self.keeps {
                self.gives_up = true;
                self.send(&Frame::Resync);
            }
        } else if is_at_end && comparison.is_compared(board.tick()) {
            let is_well = self.disputes.is_empty() && comparison.disputes().is_empty();
            self.done(is_well);
        }
        Ok(())
    }

    /// The time without news after which no more is expected of a dispute: shorter than relays wait for orders.
    fn silence_max(&self) -> Duration {
        self.setup.patience.min(REPORT_PATIENCE)
    }

    /// Gives up a wrong state for another one, which comes.
    pub(super) fn give_up_state(&mut self) -> Result<(), LockstepError> {
        if let Some(board) = &mut self.board {
            board.discard_save();
        }
        self.close_board()?;
        (self.disputed, self.gives_up, self.assembly) = (None, false, Assembly::default());
        self.events.push(ClientEvent::Resync);
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
