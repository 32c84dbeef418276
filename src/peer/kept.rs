//! The last confirmed states, in bounded memory.

use std::collections::VecDeque;

use crate::session::{Simulation, TickLog};

/// A confirmed tick: the state after it, and how that came about.
#[derive(Clone, Default, Debug)]
pub(super) struct Moment {
    /// Counted from the opening, which is 0.
    pub(super) tick: u32,
    /// The snapshot after the tick.
    pub(super) state: Vec<u8>,
    /// The encoding of its inputs.
    pub(super) inputs: Vec<u8>,
    /// Its phases as [`write_phases`] writes them; empty if they were not logged.
    pub(super) phases: Vec<u8>,
}

/// The last moments in a row.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    moments: VecDeque<Moment>,
    ticks_max: usize,
    bytes_max: u64,
    /// The memory of all moments.
    bytes: u64,
}

impl Moment {
    fn memory(&self) -> u64 {
        (self.state.capacity() + self.inputs.capacity() + self.phases.capacity()) as u64
    }
}

impl Kept {
    /// Only the opening is kept. Beside it there is room for so many ticks.
    pub(super) fn new<S: Simulation>(opening: &S, ticks: u32, bytes_max: u64) -> Self {
        let ticks_max = ticks as usize + 1;
        let mut kept = Self { moments: VecDeque::with_capacity(ticks_max), ticks_max, bytes_max, bytes: 0 };
        kept.add(0, opening, &[], &TickLog::off());
        kept
    }

    /// Keeps a tick, in the memory of the oldest where there is room for no more.
    pub(super) fn add<S: Simulation>(&mut self, tick: u32, after: &S, inputs: &[S::Input], log: &TickLog) {
        let bytes = self.bytes + self.moments.back().map_or(0, Moment::memory);
        let is_full =
            self.moments.len() == self.ticks_max || (bytes > self.bytes_max && self.moments.len() > 1);
        let mut moment = if is_full { self.forget() } else { Moment::default() };
        moment.tick = tick;
        after.encode_into(&mut moment.state);
        moment.inputs.clear();
        S::encode_inputs(inputs, &mut moment.inputs);
        moment.phases.clear();
        write_phases(log, &mut moment.phases);
        self.bytes += moment.memory();
        self.moments.push_back(moment);
        while self.bytes > self.bytes_max && self.moments.len() > 2 {
            self.forget();
        }
    }

    /// The moment after a tick, if it is kept.
    pub(super) fn get(&self, tick: u32) -> Option<&Moment> {
        let age = tick.checked_sub(self.moments.front()?.tick)?;
        self.moments.get(age as usize)
    }

    /// The newest moment.
    pub(super) fn newest(&self) -> &Moment {
        self.moments.back().expect("the opening or a later tick is kept")
    }

    /// How many bytes of memory the moments take.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn forget(&mut self) -> Moment {
        let moment = self.moments.pop_front().unwrap_or_default();
        self.bytes -= moment.memory();
        moment
    }
}

/// Appends the name and the sum of every phase: the length of the name (1 byte), the name, the sum (8).
pub(super) fn write_phases(log: &TickLog, bytes: &mut Vec<u8>) {
    for phase in &log.phases {
        let name = &phase.name.as_bytes()[..phase.name.len().min(255)];
        bytes.push(name.len() as u8);
        bytes.extend(name);
        bytes.extend(phase.sum.to_le_bytes());
    }
}

/// Reads what [`write_phases`] wrote, or `None` if the bytes are no phases.
pub(super) fn read_phases(mut bytes: &[u8]) -> Option<Vec<(String, u64)>> {
    let mut phases = Vec::new();
    while let Some((&length, rest)) = bytes.split_first() {
        let (name, rest) = rest.split_at_checked(length.into())?;
        let (sum, rest) = rest.split_first_chunk()?;
        phases.push((std::str::from_utf8(name).ok()?.to_owned(), u64::from_le_bytes(*sum)));
        bytes = rest;
    }
    Some(phases)
}
