//! The last states of a run, for rollback.

use super::{SessionError, Simulation};

/// Copies of the last states that were saved, for rollback.
///
/// The memory of the oldest is reused for the newest, so a ring that has been filled once allocates nothing
/// as long as the states do not grow (for a session: if the game's `clone_from` does not).
///
/// ```
/// use bitstep::{
///     World,
///     session::Ring,
///     state::{Limits, SceneryBuilder},
///     tick::TickReport,
/// };
///
/// let mut world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let (mut ring, mut report) = (Ring::new(&world, 8)?, TickReport::default());
/// for _ in 0..20 {
///     world.step(&mut report);
///     ring.save(&world);
/// }
/// ring.restore(15, &mut world)?;
/// assert_eq!(world.tick_count(), 15);
/// assert!(ring.restore(12, &mut world).is_err(), "only 13..=20 are kept");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ring<S: Simulation> {
    /// The memory: `held` states are kept from index `oldest` on, with wraparound.
    places: Vec<S>,
    oldest: usize,
    held: usize,
}

impl<S: Simulation> Ring<S> {
    /// A ring for the last `capacity` states saved, with memory for states like this one; none is saved yet.
    ///
    /// # Errors
    ///
    /// If the capacity is 0.
    pub fn new(like: &S, capacity: u32) -> Result<Self, SessionError> {
        if capacity == 0 {
            return Err(SessionError::NoCapacity);
        }
        Ok(Self { places: vec![like.clone(); capacity as usize], oldest: 0, held: 0 })
    }

    /// Keeps a copy of a state, and discards the oldest where the ring is full.
    ///
    /// States of its tick and of later ones are discarded: a tick that is played again replaces the predicted
    /// one. Ticks may be left out.
    pub fn save(&mut self, state: &S) {
        while self.newest().is_some_and(|newest| newest >= state.tick_count()) {
            self.held -= 1;
        }
        if self.held == self.places.len() {
            self.oldest = self.place(1);
            self.held -= 1;
        }
        let place = self.place(self.held);
        self.places[place].clone_from(state);
        self.held += 1;
    }

    /// Sets a state to the one after a tick. It keeps its own [setting of events](Simulation::enable_events).
    ///
    /// # Errors
    ///
    /// If that tick is not kept; then the state is unchanged.
    pub fn restore(&self, tick: u64, state: &mut S) -> Result<(), SessionError> {
        let events = state.events_enabled();
        state.clone_from(self.get(tick)?);
        state.enable_events(events);
        Ok(())
    }

    /// The state after a tick.
    ///
    /// # Errors
    ///
    /// If that tick is not kept.
    pub fn get(&self, tick: u64) -> Result<&S, SessionError> {
        let mut kept = (0..self.held).rev().map(|index| &self.places[self.place(index)]);
        let found = kept.find(|state| state.tick_count() == tick);
        found.ok_or_else(|| match (self.oldest(), self.newest()) {
            (Some(oldest), Some(newest)) => SessionError::NotKept { tick, oldest, newest },
            _ => SessionError::EmptyRing { tick },
        })
    }

    /// The tick of the oldest state, or `None` in an empty ring.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        (self.held > 0).then(|| self.places[self.oldest].tick_count())
    }

    /// The tick of the newest state, or `None` in an empty ring.
    #[must_use]
    pub fn newest(&self) -> Option<u64> {
        (self.held > 0).then(|| self.places[self.place(self.held - 1)].tick_count())
    }

    /// Number of states that the ring can hold.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.places.len() as u32 // it was made from 32 bits
    }

    /// Index of the state with so many older ones.
    fn place(&self, index: usize) -> usize {
        (self.oldest + index) % self.places.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        snapshot::checksum,
        state::{Command, Limits, SceneryBuilder},
        tick::{TickReport, World},
    };

    fn world() -> World {
        World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap()
    }

    /// Plays and saves up to a tick.
    fn play(world: &mut World, ring: &mut Ring<World>, until: u64) {
        while world.tick_count() < until {
            world.step(&mut TickReport::default());
            ring.save(world);
        }
    }

    #[test]
    fn the_last_states_are_kept_and_no_others() {
        let mut world = world();
        let mut ring = Ring::new(&world, 4).unwrap();
        assert_eq!((ring.oldest(), ring.newest(), ring.capacity()), (None, None, 4));
        assert_eq!(Ring::new(&world, 0).unwrap_err(), SessionError::NoCapacity);
        assert_eq!(ring.get(0).unwrap_err(), SessionError::EmptyRing { tick: 0 });
        for tick in 1..=11 {
            play(&mut world, &mut ring, tick);
            let oldest = tick.saturating_sub(3).max(1);
            assert_eq!((ring.oldest(), ring.newest()), (Some(oldest), Some(tick)));
            for kept in oldest..=tick {
                assert_eq!(ring.get(kept).unwrap().tick_count(), kept);
            }
            for other in [oldest - 1, tick + 1, u64::MAX] {
                let refused = SessionError::NotKept { tick: other, oldest, newest: tick };
                let before = checksum(&world);
                assert_eq!(ring.restore(other, &mut world), Err(refused));
                assert_eq!(checksum(&world), before, "a refusal changes nothing");
            }
        }
        let refused = ring.get(7).unwrap_err().to_string();
        assert_eq!(refused, "tick 7 is not kept: the ring has states from tick 8 to tick 11");
    }

    #[test]
    fn replayed_states_replace_predicted_ones() {
        let mut world = world();
        let mut ring = Ring::new(&world, 4).unwrap();
        play(&mut world, &mut ring, 9);
        ring.restore(7, &mut world).unwrap();
        assert_eq!((world.tick_count(), ring.newest()), (7, Some(9)), "looking back forgets nothing");
        play(&mut world, &mut ring, 8);
        assert_eq!((ring.oldest(), ring.newest()), (Some(6), Some(8)), "tick 9 was a prediction");
        play(&mut world, &mut ring, 11);
        assert_eq!((ring.oldest(), ring.newest()), (Some(8), Some(11)));
    }

    #[test]
    fn ticks_may_be_left_out_and_a_ring_may_start_again() {
        let (mut world, initial_state) = (world(), world());
        let mut ring = Ring::new(&world, 3).unwrap();
        for tick in [2, 5, 6, 9] {
            while world.tick_count() < tick {
                world.step(&mut TickReport::default());
            }
            ring.save(&world);
        }
        assert_eq!((ring.oldest(), ring.newest()), (Some(5), Some(9)));
        assert!(ring.get(7).is_err() && ring.get(6).is_ok());
        ring.save(&initial_state);
        assert_eq!((ring.oldest(), ring.newest()), (Some(0), Some(0)));
    }

    #[test]
    fn a_tick_that_is_saved_again_replaces_itself() {
        let mut world = world();
        let mut ring = Ring::new(&world, 2).unwrap();
        play(&mut world, &mut ring, 2);
        let gravity = Vec3::from_raw([0, -2, 0]);
        world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
        ring.save(&world);
        assert_eq!((ring.oldest(), ring.newest()), (Some(1), Some(2)), "no other is discarded for it");
        assert_eq!(checksum(ring.get(2).unwrap()), checksum(&world));
    }

    #[test]
    fn a_ring_of_one_state_has_the_last() {
        let mut world = world();
        let mut ring = Ring::new(&world, 1).unwrap();
        for tick in 1..=3 {
            play(&mut world, &mut ring, tick);
            assert_eq!((ring.oldest(), ring.newest()), (Some(tick), Some(tick)));
            assert!(ring.get(tick).is_ok() && ring.get(tick - 1).is_err());
        }
    }
}
