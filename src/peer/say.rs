//! What a peer says by a poll.

use super::{endpoint::Peer, message::Message};
use crate::session::Simulation;

/// A hello that is not heard is said again after so many polls.
const HELLO_EVERY: u64 = 4;

/// Not more checksums than these are in one message; it is 496 bytes then.
const SUMS_MAX: usize = 120;

impl<S: Simulation> Peer<S> {
    /// Says hello until it is heard, and to who has not heard it.
    pub(super) fn say_hello(&mut self, out: &mut impl FnMut(&[u8])) {
        let is_due = !self.hello.is_heard && self.now % HELLO_EVERY == 1;
        if is_due || self.hello.owes {
            self.hello.owes = false;
            let hello = Message::Hello { heard: self.hello.came, terms: &self.encoded_terms };
            hello.write(self.seal, &mut self.message);
            out(&self.message);
        }
    }

    /// Tells the checksums that they have not heard of, and what we want.
    pub(super) fn say_sums(&mut self, out: &mut impl FnMut(&[u8])) {
        let (first, sums) = self.track.untold();
        self.sums.clear();
        sums.take(SUMS_MAX).for_each(|sum| self.sums.extend(sum.to_le_bytes()));
        if self.owes_sums || !self.sums.is_empty() {
            self.owes_sums = false;
            let message = Message::Sums { wanted: self.track.wanted(), first, sums: &self.sums };
            message.write(self.seal, &mut self.message);
            out(&self.message);
        }
    }

    /// Sends pieces of our half, and what came of theirs.
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
