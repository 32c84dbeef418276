//! A desync that was found: its two reports, and their comparison.

use super::{
    PeerError,
    checksums::Mismatch,
    endpoint::Peer,
    event::Event,
    judge::judge,
    message::PIECE_BYTES,
    report::{Report, report},
    transfer::{Incoming, Outgoing},
};
use crate::session::Simulation;

/// A desync that is being examined. Ticks are counted from the initial state.
#[derive(Clone, Debug)]
pub(super) struct Dispute {
    /// The first tick that is known to differ here.
    pub(super) tick: u32,
    /// The tick of the pieces that arrive.
    pub(super) their_tick: u32,
    /// Our report, if there is one.
    report: Option<Vec<u8>>,
    pub(super) outgoing: Outgoing,
    pub(super) incoming: Incoming,
    is_judged: bool,
}

impl Dispute {
    /// Takes a piece of their report for a tick; `None` if that is not wanted.
    ///
    /// Pieces for the tick here are wanted; where there is nothing to compare, pieces of the tick that comes
    /// first.
    pub(super) fn take(
        &mut self,
        tick: u32,
        [index, count]: [u32; 2],
        content: &[u8],
    ) -> Option<Result<(), PeerError>> {
        let is_comparable = self.report.is_some() && !content.is_empty();
        if !self.incoming.is_begun() && !is_comparable {
            self.their_tick = tick;
        }
        (tick == self.their_tick).then(|| self.incoming.take(index, count, content))
    }

    /// True if both reports have arrived.
    pub(super) fn is_done(&self) -> bool {
        self.is_judged && self.outgoing.is_done()
    }
}

impl<S: Simulation> Peer<S> {
    /// Compares the ticks that both have told; at the first difference our report is written.
    pub(super) fn compare(&mut self) {
        if self.dispute.is_some() {
            return;
        }
        let claimed = self.claimed.map(|tick| Mismatch { tick, is_first: false });
        let Some(mismatch) = claimed.or_else(|| self.checksums.advance()) else { return };
        let (local, tick) = (mismatch.tick, self.tick_of(mismatch.tick));
        let report = match self.report_of(mismatch) {
            Ok(Report { bytes, is_reproduced }) => {
                self.events.push_back(Event::Desync { tick, report: bytes.clone(), is_reproduced });
                Some(bytes)
            }
            Err(reason) => {
                self.events.push_back(Event::DesyncWithoutReport { tick, reason });
                None
            }
        };
        // Nothing is sent where there is no report, or where the other would refuse it.
        let sent =
            report.clone().filter(|report| report.len() as u64 <= u64::from(self.config.report_bytes_max));
        let piece_bytes = self.config.message_bytes_max as usize - PIECE_BYTES;
        self.dispute = Some(Dispute {
            tick: local,
            their_tick: local,
            report,
            outgoing: Outgoing::new(sent.unwrap_or_default(), piece_bytes),
            incoming: Incoming::new(self.config.report_bytes_max),
            is_judged: false,
        });
    }

    fn report_of(&self, mismatch: Mismatch) -> Result<Report, PeerError> {
        let [before, after] = [mismatch.tick - 1, mismatch.tick].map(|tick| self.kept.get(tick));
        match (mismatch.is_first, before, after) {
            (true, Some(before), Some(after)) => report::<S>(&self.scenery, [before, after]),
            _ => Err(PeerError::TooOld),
        }
    }

    /// Compares the reports once theirs is whole.
    pub(super) fn judge(&mut self) {
        let Some(dispute) = &mut self.dispute else { return };
        if dispute.is_judged || !dispute.incoming.is_done() {
            return;
        }
        dispute.is_judged = true;
        let event = match dispute.incoming.finish() {
            None => Event::NoRemoteReport { reason: PeerError::RemoteReportTooLarge },
            Some(theirs) if theirs.is_empty() => Event::NoRemoteReport { reason: PeerError::NoRemoteReport },
            Some(theirs) => {
                let tick = dispute.tick;
                let ours = dispute.report.take().ok_or(PeerError::NoReport);
                let tick = self.tick_of(tick);
                let comparison = ours.and_then(|ours| judge::<S>(&ours, &theirs, tick).map(Box::new));
                Event::RemoteReport { theirs, comparison }
            }
        };
        self.events.push_back(event);
    }
}
