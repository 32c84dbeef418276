//! A desync that was found: its two halves, and their comparison.

use super::{
    endpoint::Peer,
    event::{Event, NoBundle},
    half::{Half, NoHalf, half},
    judge::{BadHalf, judge},
    message::{PIECE_BYTES, Refusal},
    track::Mismatch,
    transfer::{Incoming, Outgoing},
};
use crate::session::Simulation;

/// A desync that is being examined. Ticks are counted from the opening.
#[derive(Clone, Debug)]
pub(super) struct Dispute {
    /// The first tick that is known to differ here.
    pub(super) tick: u32,
    /// The tick of the pieces that arrive.
    pub(super) their_tick: u32,
    /// Our half, if there is one.
    half: Option<Vec<u8>>,
    pub(super) outgoing: Outgoing,
    pub(super) incoming: Incoming,
    is_judged: bool,
}

impl Dispute {
    /// Takes a piece of their half for a tick; `None` if that is not wanted.
    ///
    /// Pieces for the tick here are wanted; where there is nothing to compare, pieces of the tick that comes
    /// first.
    pub(super) fn take(
        &mut self,
        tick: u32,
        [index, count]: [u32; 2],
        content: &[u8],
    ) -> Option<Result<(), Refusal>> {
        let is_comparable = self.half.is_some() && !content.is_empty();
        if !self.incoming.is_begun() && !is_comparable {
            self.their_tick = tick;
        }
        (tick == self.their_tick).then(|| self.incoming.take(index, count, content))
    }

    /// True if both halves have arrived.
    pub(super) fn is_done(&self) -> bool {
        self.is_judged && self.outgoing.is_done()
    }
}

impl<S: Simulation> Peer<S> {
    /// Compares the ticks that both have told; at the first difference our half is written.
    pub(super) fn compare(&mut self) {
        if self.dispute.is_some() {
            return;
        }
        let claimed = self.claimed.map(|tick| Mismatch { tick, is_first: false });
        let Some(mismatch) = claimed.or_else(|| self.track.advance()) else { return };
        let (local, tick) = (mismatch.tick, self.tick_of(mismatch.tick));
        let half = match self.half_of(mismatch) {
            Ok(Half { bytes, is_reproduced }) => {
                self.events.push_back(Event::Desync { tick, half: bytes.clone(), is_reproduced });
                Some(bytes)
            }
            Err(reason) => {
                self.events.push_back(Event::DesyncWithoutHalf { tick, reason });
                None
            }
        };
        // Nothing is sent where there is no half, or where the other would refuse it.
        let sent = half.clone().filter(|half| half.len() as u64 <= u64::from(self.config.half_bytes_max));
        let piece_bytes = self.config.message_bytes_max as usize - PIECE_BYTES;
        self.dispute = Some(Dispute {
            tick: local,
            their_tick: local,
            half,
            outgoing: Outgoing::new(sent.unwrap_or_default(), piece_bytes),
            incoming: Incoming::new(self.config.half_bytes_max),
            is_judged: false,
        });
    }

    fn half_of(&self, mismatch: Mismatch) -> Result<Half, NoHalf> {
        let [before, after] = [mismatch.tick - 1, mismatch.tick].map(|tick| self.kept.get(tick));
        match (mismatch.is_first, before, after) {
            (true, Some(before), Some(after)) => half::<S>(&self.scenery, [before, after]),
            _ => Err(NoHalf::TooOld),
        }
    }

    /// Compares the halves once theirs is whole.
    pub(super) fn judge(&mut self) {
        let Some(dispute) = &mut self.dispute else { return };
        if dispute.is_judged || !dispute.incoming.is_done() {
            return;
        }
        dispute.is_judged = true;
        let event = match dispute.incoming.finish() {
            None => Event::NoBundle { reason: NoBundle::TooLarge },
            Some(theirs) if theirs.is_empty() => Event::NoBundle { reason: NoBundle::None },
            Some(theirs) => {
                let tick = dispute.tick;
                let ours = dispute.half.take().ok_or(BadHalf::NoneHere);
                let tick = self.tick_of(tick);
                let comparison = ours.and_then(|ours| judge::<S>(&ours, &theirs, tick).map(Box::new));
                Event::Bundle { theirs, comparison }
            }
        };
        self.events.push_back(event);
    }
}
