//! The messages of a poll.

use super::{endpoint::Peer, message::Message};
use crate::session::Simulation;

/// A hello that is not acknowledged is repeated after so many polls.
const HELLO_EVERY: u64 = 4;

/// Largest number of checksums in one message, which has 495 bytes then.
const SUMS_MAX: usize = 120;

impl<S: Simulation> Peer<S> {
    /// Sends hello until it is acknowledged, and to a peer that has not received it.
    pub(super) fn send_hello(&mut self, out: &mut impl FnMut(&[u8])) {
        let is_due = !self.hello.is_heard && self.now % HELLO_EVERY == 1;
        if is_due || self.hello.owes {
            self.hello.owes = false;
            let hello = Message::Hello { heard: self.hello.came, handshake: &self.encoded_handshake };
            hello.write(self.seal, &mut self.message);
            out(&self.message);
        }
    }

    /// Sends the checksums that the other lacks, and the tick that we want.
    pub(super) fn send_checksums(&mut self, out: &mut impl FnMut(&[u8])) {
        let (first, sums) = self.checksums.untold();
        self.sums.clear();
        sums.take(SUMS_MAX).for_each(|sum| self.sums.extend(sum.to_le_bytes()));
        if self.owes_sums || !self.sums.is_empty() {
            self.owes_sums = false;
            let message = Message::Sums { wanted: self.checksums.wanted(), first, sums: &self.sums };
            message.write(self.seal, &mut self.message);
            out(&self.message);
        }
    }

    /// Sends pieces of our report, and acknowledges theirs.
    pub(super) fn exchange(&mut self, out: &mut impl FnMut(&[u8])) {
        let Some(dispute) = &mut self.dispute else { return };
        let (tick, seal, memory) = (dispute.tick, self.seal, &mut self.message);
        dispute.outgoing.send(self.now, self.config.pieces_per_poll, |index, count, content| {
            Message::Piece { tick, index, count, content }.write(seal, memory);
            out(memory);
        });
        if dispute.incoming.owes {
            dispute.incoming.owes = false;
            let (next, others) = dispute.incoming.state();
            Message::Got { tick: dispute.their_tick, next, others }.write(seal, memory);
            out(memory);
        }
    }
}
