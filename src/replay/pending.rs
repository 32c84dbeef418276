//! Recorded ticks that may still turn out to be mispredicted.

use std::{
    collections::VecDeque,
    io::{self, Write},
};

use super::format::{Kind, put_record};
use crate::snapshot::Checksum;

/// The records of ticks that are not written yet, in order, and those of the tick to come.
#[derive(Debug)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    ticks: VecDeque<Recorded>,
    /// The last tick that was written, or the initial state.
    written: Recorded,
}

/// A recorded tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    /// The state's tick count after it.
    pub tick: u64,
    pub checksum: Checksum,
    /// Bytes saved up for a keyframe after it.
    pub saved: u64,
    /// The end of its records, while it waits.
    end: usize,
}

impl Pending {
    pub(super) fn new(tick: u64, checksum: Checksum) -> Self {
        let written = Recorded { tick, checksum, saved: 0, end: 0 };
        Self { bytes: Vec::new(), ticks: VecDeque::new(), written }
    }

    /// Number of waiting ticks.
    pub(super) fn len(&self) -> usize {
        self.ticks.len()
    }

    /// The last tick that was written, or the initial state.
    pub(super) const fn written(&self) -> Recorded {
        self.written
    }

    /// The last tick that was recorded, or the initial state.
    pub(super) fn latest(&self) -> Recorded {
        self.ticks.back().copied().unwrap_or(self.written)
    }

    /// True if a record waits for the tick to come.
    pub(super) fn has_loose_end(&self) -> bool {
        self.bytes.len() > self.end()
    }

    /// Adds a record of the tick to come.
    pub(super) fn put(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        put_record(kind as u8, content, &mut self.bytes)
    }

    /// Ends the records of a tick.
    pub(super) fn close(&mut self, tick: u64, checksum: Checksum, saved: u64) {
        self.ticks.push_back(Recorded { tick, checksum, saved, end: self.bytes.len() });
    }

    /// Discards every record behind a tick that is not written, and those of the tick to come.
    pub(super) fn rewind(&mut self, tick: u64) {
        while self.ticks.back().is_some_and(|last| last.tick > tick) {
            self.ticks.pop_back();
        }
        self.bytes.truncate(self.end());
    }

    /// Writes the ticks up to one, each with all its records in one piece.
    pub(super) fn write(&mut self, tick: u64, writer: &mut impl Write) -> io::Result<()> {
        let mut from = 0;
        while let Some(next) = self.ticks.front().copied().filter(|next| next.tick <= tick) {
            writer.write_all(&self.bytes[from..next.end])?;
            self.ticks.pop_front();
            self.written = next;
            from = next.end;
        }
        self.bytes.drain(..from);
        self.ticks.iter_mut().for_each(|waiting| waiting.end -= from);
        Ok(())
    }

    /// The end of the records of ticks.
    fn end(&self) -> usize {
        self.ticks.back().map_or(0, |last| last.end)
    }
}
