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

#[cfg(test)]
mod tests {
    use super::*;

    /// A dispute about tick 5, with a report of some pieces here or without one.
    fn dispute(report: Option<&[u8]>) -> Dispute {
        Dispute {
            tick: 5,
            their_tick: 5,
            report: report.map(<[u8]>::to_vec),
            outgoing: Outgoing::new(report.unwrap_or_default().to_vec(), 2),
            incoming: Incoming::new(100),
            is_judged: false,
        }
    }

    #[test]
    fn pieces_of_another_tick_are_wanted_where_nothing_can_be_compared() {
        let taken = Some(Ok(()));
        for (report, tick, content, expected) in [
            (Some(&b"ours"[..]), 5, &b"theirs"[..], taken.clone()),
            (Some(b"ours"), 6, b"theirs", None),
            (Some(b"ours"), 6, b"", taken.clone()),
            (Some(b"ours"), 5, b"", taken.clone()),
            (None, 6, b"theirs", taken.clone()),
            (None, 6, b"", taken.clone()),
        ] {
            let mut dispute = dispute(report);
            assert_eq!(dispute.take(tick, [0, 2], content), expected, "{report:?} {tick} {content:?}");
            let begun = if expected.is_some() { tick } else { 5 };
            assert_eq!(dispute.their_tick, begun, "the tick that is acknowledged");
            // The first piece decides: those of its tick are wanted and no others.
            if expected.is_some() {
                for (other, expected) in [(4, None), (7, None), (begun, taken.clone())] {
                    assert_eq!(dispute.take(other, [1, 2], b"more"), expected, "{report:?} {begun} {other}");
                }
                assert!(dispute.incoming.is_done());
            }
        }
    }

    #[test]
    fn a_dispute_is_done_when_theirs_is_judged_and_ours_has_arrived() {
        for (is_judged, arrived, is_done) in
            [(false, 0, false), (true, 0, false), (true, 1, false), (false, 2, false), (true, 2, true)]
        {
            let mut dispute = dispute(Some(b"ours"));
            dispute.is_judged = is_judged;
            dispute.outgoing.arrived(arrived, 0);
            assert_eq!(dispute.is_done(), is_done, "{is_judged} {arrived}");
        }
    }
}
