//! The tree of the sleepers' reaches.

use super::{
    limits::STALE_PART,
    margin::{margin_box_of, may_press, touches},
};
use crate::{
    broad::Forest,
    geom::Aabb,
    state::{Body, BodyId, Scenery, SlotIndex, State},
};

/// The reaches of the sleepers, to search among; it follows from the state.
#[derive(Default, Debug)]
pub struct SleeperTree {
    /// The reaches by slot, and those of some bodies that have woken; `None` until needed.
    tree: Option<Forest<SlotIndex>>,
    /// True for the slots that have woken since the tree was built; and the number of these.
    stale: Vec<bool>,
    stale_count: usize,
}

impl SleeperTree {
    /// Calls `found` with the slot of every sleeper whose margin box touches a region.
    pub fn search(
        &mut self,
        state: &State,
        scenery: &Scenery,
        region: &Aabb,
        mut found: impl FnMut(SlotIndex),
    ) {
        let tree = self.tree.get_or_insert_with(|| {
            let asleep = state.bodies().filter(|(id, _)| state.is_asleep(id.slot));
            Forest::of(
                asleep
                    .filter_map(|(id, body)| Some((margin_box_of(state, scenery, body)?, id.slot)))
                    .collect(),
            )
        });
        let stale = &self.stale;
        tree.query(region, |slot| {
            if !stale.get(slot.place()).is_some_and(|&is_stale| is_stale) {
                found(slot);
            }
        });
    }

    /// True if a sleeper, another one in each tick, is found by its margin_box: the tree is that of the state.
    pub fn finds_one(&mut self, state: &State, scenery: &Scenery) -> bool {
        let asleep = || state.bodies().filter(|(id, _)| state.is_asleep(id.slot));
        let count = asleep().count() as u64;
        let Some((id, body)) = state.tick.checked_rem(count).and_then(|place| asleep().nth(place as usize))
        else {
            return true;
        };
        let (region, mut is_found) = (margin_box_of(state, scenery, body), false);
        region.into_iter().for_each(|region| {
            self.search(state, scenery, &region, |slot| is_found |= slot == id.slot);
        });
        is_found
    }

    /// Adds the slots of all sleepers that touch a body; returns the number of tests.
    pub fn add_touched(
        &mut self,
        state: &State,
        scenery: &Scenery,
        body: &Body,
        found: &mut Vec<SlotIndex>,
    ) -> u64 {
        let (Some(region), mut looks) = (margin_box_of(state, scenery, body), 0) else { return 0 };
        self.search(state, scenery, &region, |slot| {
            looks += 1;
            let other = state.slots[slot.place()].body.filter(|_| state.is_asleep(slot));
            if other.is_some_and(|other| touches(state, scenery, body, &other)) {
                found.push(slot);
            }
        });
        looks
    }

    /// Adds the slots of all sleepers that a driven body may touch on its path; returns the number of tests.
    pub fn add_driven(
        &mut self,
        state: &State,
        scenery: &Scenery,
        body: &Body,
        found: &mut Vec<SlotIndex>,
    ) -> u64 {
        let (Some(region), mut looks) = (margin_box_of(state, scenery, body), 0) else { return 0 };
        self.search(state, scenery, &region, |slot| {
            looks += 1;
            let other = state.slots[slot.place()].body;
            if other.is_some_and(|other| may_press(state, scenery, body, &other)) {
                found.push(slot);
            }
        });
        looks
    }

    /// Marks bodies that have woken. If half of the reaches are stale they are discarded, so a crowd that wakes one
    /// by one costs a few rebuilds, and not one for each body.
    pub fn mark_stale(&mut self, woken: &[BodyId]) {
        let Some(tree) = &self.tree else { return };
        for id in woken {
            let slot = id.slot.place();
            if self.stale.len() <= slot {
                self.stale.resize(slot + 1, false);
            }
            self.stale[slot] = true;
        }
        self.stale_count += woken.len();
        if self.stale_count * STALE_PART > tree.len() {
            self.discard();
        }
    }

    /// Adds the margin box of a body that falls asleep.
    pub fn add(&mut self, slot: SlotIndex, margin_box: Option<Aabb>) {
        if self.stale.get(slot.place()).is_some_and(|&is_stale| is_stale) {
            self.discard(); // the reaches hold an earlier pose
        } else if let (Some(tree), Some(margin_box)) = (&mut self.tree, margin_box) {
            tree.add(margin_box, slot);
        }
    }

    /// Discards the reaches; they are rebuilt when needed.
    pub fn discard(&mut self) {
        self.tree = None;
        self.stale.clear();
        self.stale_count = 0;
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
        state::{Command, Limits, Material, SceneryBuilder, ShapeId, Sleep, Spawn},
    };

    #[test]
    fn a_sleeper_that_is_not_in_the_tree_is_noticed() {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let limits = Limits::new(60).with_sleep_after(10);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        for position in [Vec3::ZERO, Vec3::lit("4", "0", "0")] {
            world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), position))]).accepted().unwrap();
        }
        let World { state, scenery, .. } = &mut world;
        let mut tree = SleeperTree::default();
        assert!(tree.finds_one(state, scenery), "nothing sleeps");
        let [first, second] = [0, 1].map(SlotIndex);
        state.set_sleep(first, Sleep::Asleep);
        tree.discard();
        assert!(tree.finds_one(state, scenery));
        state.set_sleep(second, Sleep::Asleep);
        let found = [0, 1].map(|tick| {
            state.tick = tick;
            tree.finds_one(state, scenery)
        });
        assert_eq!(found, [true, false]);
        let body = state.slots[second.place()].body.unwrap();
        tree.add(second, margin_box_of(state, scenery, &body));
        assert!(tree.finds_one(state, scenery));
    }
}
