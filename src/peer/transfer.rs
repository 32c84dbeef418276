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
