//! A desync report in pieces, over a link that loses some.

use std::collections::VecDeque;

use super::PeerError;

/// Number of pieces behind the first missing one that are taken and sent.
const WINDOW: u32 = 64;

/// Number of polls before a piece is sent again.
const PATIENCE: u64 = 8;

/// The report that we send.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    piece_bytes: usize,
    pieces: Vec<Piece>,
    /// The first piece that has not arrived.
    next: usize,
}

/// The state of a piece that we send.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// The piece may be sent from this poll on.
    DueAt(u64),
    Arrived,
}

impl Outgoing {
    /// A report in pieces; an empty one is one piece without content.
    pub(super) fn new(bytes: Vec<u8>, piece_bytes: usize) -> Self {
        let count = bytes.len().div_ceil(piece_bytes).max(1);
        Self { bytes, piece_bytes, pieces: vec![Piece::DueAt(0); count], next: 0 }
    }

    /// Sends pieces that are due: index, count, content.
    pub(super) fn send(&mut self, now: u64, most: u32, mut send: impl FnMut(u32, u32, &[u8])) {
        let count = self.pieces.len();
        let window = self.next..count.min(self.next + WINDOW as usize);
        let due = window.filter(|&index| matches!(self.pieces[index], Piece::DueAt(poll) if poll <= now));
        for index in due.take(most as usize).collect::<Vec<_>>() {
            let begin = index * self.piece_bytes;
            let end = self.bytes.len().min(begin + self.piece_bytes);
            send(index as u32, count as u32, &self.bytes[begin..end]);
            self.pieces[index] = Piece::DueAt(now + PATIENCE);
        }
    }

    /// Records the pieces that have arrived: all before `next`, and the bits of the 64 behind it.
    pub(super) fn arrived(&mut self, next: u32, others: u64) {
        let next = (next as usize).min(self.pieces.len());
        if next < self.next {
            return; // an old message
        }
        self.pieces[self.next..next].fill(Piece::Arrived);
        self.next = next;
        let behind = self.pieces[next..].iter_mut().skip(1).take(WINDOW as usize);
        for (bit, piece) in behind.enumerate() {
            if others >> bit & 1 == 1 {
                *piece = Piece::Arrived;
            }
        }
    }

    /// True if everything has arrived.
    pub(super) fn is_done(&self) -> bool {
        self.next == self.pieces.len()
    }
}

/// The report that they send.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    /// The pieces before `next`, joined.
    bytes: Vec<u8>,
    bytes_max: u64,
    /// Number of pieces; 0 before the first arrives.
    count: u32,
    /// The first piece that is missing.
    next: u32,
    /// The pieces from `next` on, as far as they have arrived; the first is missing.
    ahead: VecDeque<Option<Vec<u8>>>,
    is_too_large: bool,
    /// True if a piece has arrived since the last acknowledgement.
    pub(super) owes: bool,
}

impl Incoming {
    pub(super) fn new(bytes_max: u32) -> Self {
        let ahead = VecDeque::new();
        let bytes_max = bytes_max.into();
        Self { bytes: Vec::new(), bytes_max, count: 0, next: 0, ahead, is_too_large: false, owes: false }
    }

    /// Takes a piece, unless it is there already or too far ahead.
    ///
    /// # Errors
    ///
    /// If it belongs to another report than the first piece.
    pub(super) fn take(&mut self, index: u32, count: u32, content: &[u8]) -> Result<(), PeerError> {
        if self.count == 0 {
            self.count = count;
        }
        if count != self.count {
            return Err(PeerError::Malformed { kind: super::message::PIECE });
        }
        self.owes = true;
        let Some(place) = index.checked_sub(self.next) else { return Ok(()) };
        if self.is_too_large || place >= WINDOW {
            return Ok(());
        }
        let place = place as usize;
        if self.ahead.len() <= place {
            self.ahead.resize(place + 1, None);
        }
        if self.ahead[place].is_none() {
            self.ahead[place] = Some(content.to_vec());
        }
        while let Some(Some(content)) = self.ahead.front() {
            self.bytes.extend(content);
            self.ahead.pop_front();
            self.next += 1;
        }
        if self.bytes.len() as u64 > self.bytes_max {
            (self.bytes, self.ahead) = (Vec::new(), VecDeque::new());
            (self.next, self.is_too_large) = (self.count, true);
        }
        Ok(())
    }

    /// The acknowledgement: the first missing piece, and a bit for each of the 64 behind it.
    pub(super) fn state(&self) -> (u32, u64) {
        let behind = self.ahead.iter().skip(1).enumerate();
        (self.next, behind.filter(|(_, piece)| piece.is_some()).map(|(bit, _)| 1 << bit).sum())
    }

    /// True if a piece has arrived.
    pub(super) const fn is_begun(&self) -> bool {
        self.count > 0
    }

    /// True if all pieces have arrived, or more than the limit.
    pub(super) const fn is_done(&self) -> bool {
        self.count > 0 && self.next == self.count
    }

    /// The bytes, or `None` if they exceed the limit.
    pub(super) fn finish(&mut self) -> Option<Vec<u8>> {
        (!self.is_too_large).then(|| std::mem::take(&mut self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indexes of the pieces that are sent in a poll.
    fn sent(outgoing: &mut Outgoing, now: u64, most: u32) -> Vec<u32> {
        let mut indexes = Vec::new();
        outgoing.send(now, most, |index, _, _| indexes.push(index));
        indexes
    }

    #[test]
    fn a_report_is_sent_in_pieces_that_join_to_it() {
        for (length, pieces) in [(0, 1), (1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (25, 3)] {
            let report: Vec<u8> = (0..length).collect();
            let (mut outgoing, mut incoming) = (Outgoing::new(report.clone(), 10), Incoming::new(25));
            assert!(!incoming.is_begun() && !incoming.owes && !incoming.is_done());
            let mut count = 0;
            outgoing.send(0, 99, |index, of, content| {
                assert_eq!((index, of), (count, pieces));
                count += 1;
                assert_eq!(incoming.take(index, of, content), Ok(()));
                assert!(incoming.is_begun() && incoming.owes);
                assert_eq!(incoming.is_done(), count == pieces);
            });
            let (next, others) = incoming.state();
            outgoing.arrived(next, others);
            assert_eq!((next, outgoing.is_done(), incoming.finish()), (pieces, true, Some(report)));
        }
    }

    #[test]
    fn pieces_are_sent_again_after_eight_polls_and_64_are_on_the_way() {
        let mut outgoing = Outgoing::new(vec![0; 100], 1);
        assert_eq!(sent(&mut outgoing, 10, 60), (0..60).collect::<Vec<_>>());
        assert_eq!(sent(&mut outgoing, 11, 60), [60, 61, 62, 63]);
        for now in 12..18 {
            assert!(sent(&mut outgoing, now, 60).is_empty(), "poll {now}");
        }
        assert_eq!(sent(&mut outgoing, 18, 99), (0..60).collect::<Vec<_>>());
        assert_eq!(sent(&mut outgoing, 19, 99), [60, 61, 62, 63]);
    }

    #[test]
    fn pieces_that_have_arrived_are_not_sent_again() {
        let mut outgoing = Outgoing::new(vec![0; 70], 1);
        assert_eq!(sent(&mut outgoing, 1, 99).len(), 64);
        // All before 3 have arrived, and of those behind it 4, 6 and 66: the first, third and 63rd.
        outgoing.arrived(3, 1 | 1 << 2 | 1 << 62);
        let missing = |index: &u32| ![4, 6, 66].contains(index);
        assert_eq!(sent(&mut outgoing, 2, 99), [64, 65], "66 has arrived");
        assert_eq!(sent(&mut outgoing, 10, 99), (3..66).filter(missing).collect::<Vec<_>>());
        // An old message changes nothing.
        outgoing.arrived(2, 0);
        assert_eq!(sent(&mut outgoing, 99, 99), (3..67).filter(missing).collect::<Vec<_>>());
        outgoing.arrived(69, 0);
        assert!(!outgoing.is_done());
        outgoing.arrived(u32::MAX, 0);
        assert!(outgoing.is_done());
    }

    #[test]
    fn pieces_behind_a_missing_one_are_taken_up_to_64() {
        let mut incoming = Incoming::new(1_000);
        for (index, others) in [(1, 1), (3, 0b101), (63, 0b101 | 1 << 62), (64, 0b101 | 1 << 62)] {
            assert_eq!(incoming.take(index, 100, &[index as u8]), Ok(()));
            assert_eq!(incoming.state(), (0, others), "{index}");
        }
        assert_eq!(incoming.take(3, 100, b"other"), Ok(()), "a piece that is there already is skipped");
        assert_eq!(incoming.take(0, 100, &[0]), Ok(()));
        assert_eq!(incoming.state(), (2, 1 | 1 << 60));
        assert_eq!(incoming.take(2, 100, &[2]), Ok(()));
        assert_eq!(incoming.state(), (4, 1 << 58));
        assert_eq!(incoming.take(5, 99, &[5]), Err(PeerError::Malformed { kind: 3 }));
        for index in 4..100 {
            assert_eq!(incoming.take(index, 100, &[index as u8]), Ok(()));
        }
        assert_eq!(incoming.finish(), Some((0..100).collect()));
    }

    #[test]
    fn a_report_may_have_its_largest_size_and_no_byte_more() {
        for (length, is_taken) in [(9, true), (10, true), (11, false)] {
            let mut incoming = Incoming::new(10);
            assert_eq!(incoming.take(0, 2, &vec![1; length]), Ok(()));
            assert_eq!(incoming.is_done(), !is_taken, "{length}: no more is waited for");
            assert_eq!(incoming.take(1, 2, &[]), Ok(()));
            assert_eq!((incoming.is_done(), incoming.finish().is_some()), (true, is_taken), "{length}");
        }
    }
}
