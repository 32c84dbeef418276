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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        replay::PHASES_MAX,
        snapshot,
        state::{Command, Limits, SceneryBuilder},
        tick::{TickReport, World},
    };

    fn world() -> World {
        World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap()
    }

    /// The moments of some ticks of a world whose states all have the same size.
    fn kept(ticks: u32, bytes_max: u64, played: u32) -> Kept {
        let mut world = world();
        let mut kept = Kept::new(&world, ticks, bytes_max);
        for tick in 1..=played {
            world.step(&mut TickReport::default());
            kept.add(tick, &world, &[], &TickLog::off());
        }
        kept
    }

    /// The ticks that are kept, of the first hundred.
    fn ticks(kept: &Kept) -> Vec<u32> {
        (0..100).filter(|&tick| kept.get(tick).is_some_and(|moment| moment.tick == tick)).collect()
    }

    #[test]
    fn moments_are_kept_while_there_is_room() {
        for (room, played, expected) in
            [(5, 0, 0..=0), (5, 5, 0..=5), (5, 6, 1..=6), (5, 20, 15..=20), (2, 9, 7..=9)]
        {
            let kept = kept(room, u64::MAX, played);
            assert_eq!(ticks(&kept), expected.clone().collect::<Vec<_>>(), "{room} {played}");
            assert_eq!((0..99).filter(|&tick| kept.get(tick).is_some()).count(), expected.count());
            assert_eq!(kept.newest().tick, played);
        }
    }

    #[test]
    fn the_memory_of_states_is_the_largest_and_two_are_kept_whatever_their_size() {
        let size = snapshot::encode(&world()).len() as u64;
        for (bytes_max, moments) in [
            (0, 2),
            (1, 2),
            (2 * size, 2),
            (3 * size - 1, 2),
            (3 * size, 3),
            (4 * size - 1, 3),
            (4 * size, 4),
            (99 * size, 11),
        ] {
            let kept = kept(10, bytes_max, 20);
            let expected: Vec<_> = (21 - moments..=20).collect();
            assert_eq!((ticks(&kept), kept.bytes()), (expected, u64::from(moments) * size), "{bytes_max}");
        }
        assert_eq!(kept(10, 0, 0).bytes(), size, "the initial state has no memory to spare");
    }

    #[test]
    fn moments_in_used_memory_are_as_in_fresh_memory() {
        let (mut world, mut kept) = (world(), Kept::new(&world(), 2, u64::MAX));
        assert_eq!(kept.get(0).map(|moment| &moment.state), Some(&snapshot::encode(&world)));
        let pull = |tick: u32| Command::SetGravity { gravity: Vec3::from_raw([0, -2 * i64::from(tick), 0]) };
        for tick in 1..30 {
            let commands = vec![pull(tick); tick as usize % 4];
            let mut log = [TickLog::off(), TickLog::sums(), TickLog::states()][tick as usize % 3].clone();
            world.tick_logged(&commands, &mut TickReport::default(), &mut log).accepted().unwrap();
            if tick % 9 == 1 {
                // A log that no layer has room for is as none.
                log.phases = vec![log.phases[0].clone(); PHASES_MAX + 1];
            }
            kept.add(tick, &world, &commands, &log);
            let (mut inputs, mut layer) = (Vec::new(), Vec::new());
            World::encode_inputs(&commands, &mut inputs);
            if log.is_on() && log.phases.len() <= PHASES_MAX {
                encode_log_into(&log, &mut layer).unwrap();
            }
            let moment = kept.newest();
            assert_eq!((moment.tick, &moment.state), (tick, &snapshot::encode(&world)), "{tick}");
            assert_eq!((&moment.inputs, &moment.layer), (&inputs, &layer), "{tick}");
            let memory = |moment: &Moment| {
                [&moment.state, &moment.inputs, &moment.layer].map(Vec::capacity).iter().sum::<usize>() as u64
            };
            assert_eq!(kept.bytes(), kept.moments.iter().map(memory).sum::<u64>(), "{tick}");
        }
    }
}
