//! The active sleepers of a tick: those near the path of an awake body. All others are left out of the tick.
//!
//! They are found before a tick is played. Every box of a path that is searched later is looked up as well;
//! if it holds a sleeper that was left out, the tick is replayed with that sleeper. So no collision is
//! missed, and the choice of active sleepers cannot change the result.

use super::limits::MISSES_MAX;
use super::margin::{is_driven, margin_box_of};
use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    shape::length_ceil,
    state::{Body, BodyType, Scenery, State},
    tick::{
        bodies::{Bodies, body::BodyIndex},
        sleep::{Disturbed, Sleepers},
    },
};

impl Sleepers {
    /// Finds the active sleepers before a tick is played; `misses` is the number of replays.
    pub fn find_active(&mut self, state: &State, scenery: &Scenery, misses: u32) {
        if state.sleep.is_empty() {
            return;
        }
        let slots = state.slots.len();
        self.present.resize(slots, false);
        self.seen.clear();
        self.seen.resize(slots, None);
        if misses >= MISSES_MAX || self.takes_all {
            self.present.fill(true);
            self.takes_all = true;
            return;
        }
        let pull = length_ceil(state.gravity);
        for slot in state.slot_indices() {
            if state.is_asleep(slot) {
                continue;
            }
            let Some(body) = &state.slots[slot.place()].body else { continue };
            if body.body_type == BodyType::Dynamic || is_driven(body) {
                let region = path_of(state, scenery, body, pull);
                if let Some(region) = region {
                    self.see(state, scenery, region);
                }
                self.seen[slot.place()] = region;
            }
        }
        if self.takes_all {
            self.present.fill(true);
        }
    }

    /// Activates all sleepers in a region; returns true if one of them was not active.
    ///
    /// If that takes more tests than a tick may do, all sleepers are activated.
    fn see(&mut self, state: &State, scenery: &Scenery, region: Aabb) -> bool {
        if self.takes_all {
            return false;
        }
        let Self { present, waking, budget, .. } = self;
        let mut is_new = false;
        waking.tree.search(state, scenery, &region, |slot| {
            budget.spend(1);
            if !present[slot.place()] && state.is_asleep(slot) {
                present[slot.place()] = true;
                is_new = true;
            }
        });
        self.takes_all = budget.is_exceeded();
        is_new || self.takes_all
    }

    /// Activates the sleepers in the boxes that the tick has searched.
    ///
    /// # Errors
    ///
    /// If one of them was left out.
    pub fn see_all(&mut self, bodies: Bodies, searched: &[(BodyIndex, Aabb)]) -> Result<(), Disturbed> {
        if self.takes_all {
            return Ok(());
        }
        let mut is_new = false;
        for &(index, region) in searched {
            let body = bodies.body(index);
            let is_seen = |seen: &Option<Aabb>| seen.is_some_and(|seen| seen.holds(&region));
            if body.filter.body_type != BodyType::Static
                && !self.seen.get(body.slot.place()).is_some_and(is_seen)
            {
                is_new |= self.see(bodies.state, bodies.scenery, region);
            }
        }
        if is_new { Err(Disturbed::LeftOut) } else { Ok(()) }
    }
}

/// The box of a body's path through a tick without collisions, inflated by half its extent on each side
/// and by the length of gravity.
fn path_of(state: &State, scenery: &Scenery, body: &Body, pull: Scalar) -> Option<Aabb> {
    let here = match body.body_type {
        BodyType::Dynamic => Aabb::around(body.position, scenery.reach(body.shape, body.spin.is_some())),
        BodyType::Kinematic | BodyType::Static => margin_box_of(state, scenery, body)?,
    };
    let way = body.velocity();
    let there = Aabb { min: here.min + way, max: here.max + way };
    let half = (here.max - here.min).map_raw(|raw| raw / 2);
    Some(here.union(there).inflate(half + Vec3::splat(pull)))
}
