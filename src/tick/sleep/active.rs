//! The active sleepers of a tick: those near the path of an awake body. All others are left out of the tick.
//!
//! They are found before a tick is played. Every box of a path that is searched later is looked up as well;
//! if it holds a sleeper that was left out, the tick is replayed with that sleeper. So no collision is
//! missed, and the choice of active sleepers cannot change the result.

use super::limits::MISSES_MAX;
use super::reach::{is_driven, reach_of};
use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    shape::length_ceil,
    state::{Body, BodyType, Scenery, State},
    tick::{bodies::Bodies, sleep::Sleepers},
};

impl Sleepers {
    /// Finds the active sleepers before a tick is played; `misses` is the number of replays.
    pub fn find_active(&mut self, state: &State, scenery: &Scenery, misses: u32) {
        if state.sleep.is_empty() {
            return;
        }
        let slots = state.slots.len();
        self.missed = false;
        self.present.resize(slots, false);
        self.seen.clear();
        self.seen.resize(slots, None);
        if misses >= MISSES_MAX || self.takes_all {
            self.present.fill(true);
            self.takes_all = true;
            return;
        }
        let pull = length_ceil(state.gravity);
        for slot in 0..slots as u32 {
            if state.is_asleep(slot) {
                continue;
            }
            let Some(body) = &state.slots[slot as usize].body else { continue };
            if body.body_type == BodyType::Dynamic || is_driven(body) {
                let region = path_of(state, scenery, body, pull);
                if let Some(region) = region {
                    self.see(state, scenery, region);
                }
                self.seen[slot as usize] = region;
            }
        }
        self.missed = false;
        if self.takes_all {
            self.present.fill(true);
        }
    }

    /// Activates all sleepers in a region, and sets `missed` if one of them was not active.
    ///
    /// If that takes more tests than a tick may do, all sleepers are activated.
    #[inline]
    pub fn see(&mut self, state: &State, scenery: &Scenery, region: Aabb) {
        if !state.sleep.is_empty() && !self.takes_all {
            self.see_sleepers(state, scenery, region);
        }
    }

    fn see_sleepers(&mut self, state: &State, scenery: &Scenery, region: Aabb) {
        let Self { present, waking, .. } = self;
        let (mut missed, mut looks) = (false, 0);
        waking.tree.search(state, scenery, &region, |slot| {
            looks += 1;
            if !present[slot as usize] && state.is_asleep(slot) {
                present[slot as usize] = true;
                missed = true;
            }
        });
        self.missed |= missed;
        self.looks += looks;
        if self.looks > u64::from(state.limits.pairs_max) {
            (self.takes_all, self.missed) = (true, true);
        }
    }

    /// Activates the sleepers in the boxes of all paths.
    pub fn see_all(&mut self, bodies: Bodies, boxes: &[Aabb]) {
        if bodies.state.sleep.is_empty() || self.takes_all {
            return;
        }
        for (body, &region) in bodies.sim.all().iter().zip(boxes) {
            let is_seen = |seen: &Option<Aabb>| seen.is_some_and(|seen| seen.holds(&region));
            if body.filter.body_type != BodyType::Static
                && !self.seen.get(body.slot as usize).is_some_and(is_seen)
            {
                self.see(bodies.state, bodies.scenery, region);
            }
        }
    }
}

/// The box of a body's path through a tick without collisions, inflated by half its extent on each side
/// and by the length of gravity.
fn path_of(state: &State, scenery: &Scenery, body: &Body, pull: Scalar) -> Option<Aabb> {
    let here = match body.body_type {
        BodyType::Dynamic => Aabb::around(body.position, scenery.reach(body.shape, body.spin.is_some())),
        BodyType::Kinematic | BodyType::Static => reach_of(state, scenery, body)?,
    };
    let way = body.velocity();
    let there = Aabb { min: here.min + way, max: here.max + way };
    let half = (here.max - here.min).map_raw(|raw| raw / 2);
    Some(here.union(there).inflate(half + Vec3::splat(pull)))
}
