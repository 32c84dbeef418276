//! Waking: disturbed sleepers, and all that touch them through other sleepers.

use super::{Disturbed, Sleepers, limits::PLAYS_MAX, margin::is_driven, tree::SleeperTree};
use crate::{
    state::{BodyId, BodyType, Scenery, Sleep, SlotIndex, State},
    tick::{
        TickReport,
        bodies::{Bodies, body::BodyIndex},
        budget::WorkBudget,
    },
};

/// The sleepers that can be found, and the bodies that have woken.
#[derive(Default, Debug)]
pub struct Waking {
    pub tree: SleeperTree,
    /// The bodies that woke since the end of the last tick.
    pub woken: Vec<BodyId>,
    /// The slots of woken bodies whose neighbors are still to be found.
    next: Vec<SlotIndex>,
    /// The slots found in a search.
    found: Vec<SlotIndex>,
}

impl Waking {
    /// Wakes the sleepers of a list of slots, and all that touch them through other sleepers.
    ///
    /// If that takes more tests than a tick may do, all sleepers wake; the number of tests does not depend on
    /// their order.
    fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[SlotIndex]) {
        let (woken, mut budget) = (self.woken.len(), WorkBudget::of(&state.limits));
        self.next.clear();
        first.iter().for_each(|&slot| self.wake_one(state, slot));
        while let Some(slot) = self.next.pop() {
            let Some(body) = state.slots[slot.place()].body else { continue };
            self.found.clear();
            budget.spend(self.tree.add_touched(state, scenery, &body, &mut self.found));
            for place in 0..self.found.len() {
                self.wake_one(state, self.found[place]);
            }
            if budget.is_exceeded() {
                state.slot_indices().for_each(|slot| self.wake_one(state, slot));
                self.next.clear();
            }
        }
        debug_assert!(first.iter().all(|&slot| !state.is_asleep(slot)) && self.next.is_empty());
        self.tree.mark_stale(&self.woken[woken..]);
    }

    /// Wakes a body, if it sleeps.
    fn wake_one(&mut self, state: &mut State, slot: SlotIndex) {
        if state.is_asleep(slot) {
            state.set_sleep(slot, Sleep::NEW);
            self.woken.push(state.id_of(slot));
            self.next.push(slot);
        }
    }
}

impl Sleepers {
    /// Wakes the sleepers of a list of slots, as [`Waking::wake`].
    pub fn wake(&mut self, state: &mut State, scenery: &Scenery, first: &[SlotIndex]) {
        self.waking.wake(state, scenery, first);
    }

    /// Wakes the sleepers that driven bodies may touch; returns true if any body is awake or driven.
    pub fn begin(&mut self, state: &mut State, scenery: &Scenery) -> bool {
        if state.sleep.is_empty() {
            return true;
        }
        let Self { disturbed, waking, .. } = self;
        disturbed.clear();
        let (mut any_moves, mut any_sleeps) = (false, false);
        let mut budget = WorkBudget::of(&state.limits);
        for slot in state.slot_indices() {
            let sleeps = state.is_asleep(slot);
            any_sleeps |= sleeps;
            let Some(body) = state.slots[slot.place()].body.filter(|_| !sleeps) else { continue };
            any_moves |= body.body_type == BodyType::Dynamic || body.frozen > 0;
            if is_driven(&body) {
                any_moves = true;
                budget.spend(waking.tree.add_driven(state, scenery, &body, disturbed));
                if budget.is_exceeded() {
                    disturbed.extend(state.slot_indices());
                    break;
                }
            }
        }
        waking.wake(state, scenery, disturbed);
        debug_assert!(
            waking.tree.finds_one(state, scenery),
            "a sleeper is not found in tick {}",
            state.tick + 1
        );
        disturbed.clear();
        self.present.clear();
        (self.takes_all, self.budget) = (!any_sleeps, WorkBudget::of(&state.limits));
        any_moves
    }

    /// Marks the sleeping ones of some bodies, which the tick would move.
    ///
    /// # Errors
    ///
    /// If there is any.
    pub fn disturb(
        &mut self,
        bodies: Bodies,
        moved: impl IntoIterator<Item = BodyIndex>,
    ) -> Result<(), Disturbed> {
        if bodies.state.sleep.is_empty() {
            return Ok(());
        }
        let asleep = moved.into_iter().filter(|&index| bodies.is_asleep(index));
        self.disturbed.extend(asleep.map(|index| bodies.body(index).slot));
        if self.disturbed.is_empty() { Ok(()) } else { Err(Disturbed::Sleepers) }
    }

    /// Wakes the sleepers that the tick has disturbed, and all that touch them; after many replays all
    /// sleepers.
    pub fn wake_disturbed(&mut self, state: &mut State, scenery: &Scenery, plays: u32) {
        let Self { disturbed, waking, .. } = self;
        debug_assert!(!disturbed.is_empty(), "no sleeper is disturbed");
        if plays >= PLAYS_MAX {
            disturbed.extend(state.slot_indices());
        }
        waking.wake(state, scenery, disturbed);
        disturbed.clear();
    }

    /// Reports the woken bodies.
    pub fn report(&mut self, report: &mut TickReport) {
        let woken = &mut self.waking.woken;
        woken.sort_unstable();
        report.woke.clear();
        report.woke.append(woken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        World,
        geom::Vec3,
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    };

    /// The sleepers of three, far from each other, that are left when some are disturbed in a number of replays.
    fn asleep_after(disturbed: &[SlotIndex], plays: u32) -> [bool; 3] {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let limits = Limits::new(60).with_sleep_after(10);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        for position in [Vec3::ZERO, Vec3::lit("4", "0", "0"), Vec3::lit("8", "0", "0")] {
            world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), position))]).accepted().unwrap();
        }
        let World { state, scenery, scratch, .. } = &mut world;
        let slots = [0, 1, 2].map(SlotIndex);
        slots.iter().for_each(|&slot| state.set_sleep(slot, Sleep::Asleep));
        scratch.sleepers.reset();
        scratch.sleepers.disturbed.extend(disturbed);
        scratch.sleepers.wake_disturbed(state, scenery, plays);
        slots.map(|slot| state.is_asleep(slot))
    }

    #[test]
    fn disturbed_sleepers_wake_and_all_others_after_many_replays() {
        assert_eq!(asleep_after(&[SlotIndex(1)], 1), [true, false, true]);
        assert_eq!(asleep_after(&[SlotIndex(1)], PLAYS_MAX - 1), [true, false, true]);
        assert_eq!(asleep_after(&[SlotIndex(1)], PLAYS_MAX), [false; 3]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "no sleeper is disturbed")]
    fn a_replay_that_no_sleeper_asked_for_is_noticed() {
        asleep_after(&[], 1);
    }
}
