//! The last confirmed states, in bounded memory.

use std::collections::VecDeque;

use crate::{
    replay::encode_log_into,
    session::{Simulation, TickLog},
};

/// A confirmed tick: the state after it, and its inputs and log.
#[derive(Clone, Default, Debug)]
pub(super) struct Moment {
    /// Counted from the initial state, which is 0.
    pub(super) tick: u32,
    /// The snapshot after the tick.
    pub(super) state: Vec<u8>,
    /// The encoding of its inputs.
    pub(super) inputs: Vec<u8>,
    /// The log as the layer of a replay; empty if nothing was logged.
    pub(super) layer: Vec<u8>,
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
        (self.state.capacity() + self.inputs.capacity() + self.layer.capacity()) as u64
    }
}

impl Kept {
    /// Only the initial state is kept. `ticks` is the number of further ones that there is room for.
    pub(super) fn new<S: Simulation>(initial_state: &S, ticks: u32, bytes_max: u64) -> Self {
        let ticks_max = ticks as usize + 1;
        let mut kept = Self { moments: VecDeque::with_capacity(ticks_max), ticks_max, bytes_max, bytes: 0 };
        let mut state = Vec::new();
        initial_state.encode_into(&mut state);
        state.shrink_to_fit();
        let moment = Moment { state, ..Moment::default() };
        kept.bytes = moment.memory();
        kept.moments.push_back(moment);
        kept
    }

    /// Keeps a tick, in the memory of the oldest where the room is used up.
    pub(super) fn add<S: Simulation>(&mut self, tick: u32, after: &S, inputs: &[S::Input], log: &TickLog) {
        let bytes = self.bytes + self.moments.back().map_or(0, Moment::memory);
        let is_full =
            self.moments.len() == self.ticks_max || (bytes > self.bytes_max && self.moments.len() > 1);
        let mut moment = if is_full { self.forget() } else { Moment::default() };
        if let Some(newest) = self.moments.back() {
            // A vector that grows by itself doubles.
            moment.state.reserve_exact(newest.state.len().saturating_sub(moment.state.len()));
        }
        moment.tick = tick;
        after.encode_into(&mut moment.state);
        moment.inputs.clear();
        S::encode_inputs(inputs, &mut moment.inputs);
        moment.layer.clear();
        if log.is_on() && encode_log_into(log, &mut moment.layer).is_err() {
            moment.layer.clear(); // more phases than a layer has: as if there were no log
        }
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
        self.moments.back().expect("the initial state or a later tick is kept")
    }

    /// Memory of the moments in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn forget(&mut self) -> Moment {
        let moment = self.moments.pop_front().unwrap_or_default();
        self.bytes -= moment.memory();
        moment
    }
}
