//! The pair filter: pairs whose collision is disabled in this tick although the layers make them solid.
//!
//! It is applied only to pairs that would be solid, and costs a test of two lengths in a world without such
//! pairs.

use super::{
    Bodies,
    body::{BodyIndex, Partner},
};
use crate::state::{Collider, Platform};

impl Bodies<'_> {
    /// True if the collision of a pair that the layers make solid is disabled in this tick.
    #[inline(always)]
    pub fn is_filtered(&self, a: BodyIndex, b: Partner) -> bool {
        let may_be_filtered = !self.state.ignored_pairs.is_empty() || !self.sim.entries.is_empty();
        may_be_filtered && self.is_ignored_or_one_way(a, b)
    }

    #[cold]
    #[inline(never)]
    fn is_ignored_or_one_way(&self, a: BodyIndex, b: Partner) -> bool {
        if !self.state.ignored_pairs.is_empty() && self.is_ignored(a, b) {
            return true;
        }
        let entries = &self.sim.entries;
        let Some(own) = entries.get(a.place()) else { return false }; // there are no one-way platforms
        match b {
            Partner::Body(b) => {
                let other = &entries[b.place()];
                self.state.comes_through(self.scenery, own, &Platform::of(other))
                    || self.state.comes_through(self.scenery, other, &Platform::of(own))
            }
            Partner::Static(id) => {
                self.state.comes_through(self.scenery, own, &Platform::of_static(self.scenery, id))
            }
        }
    }

    fn is_ignored(&self, a: BodyIndex, b: Partner) -> bool {
        let other = match b {
            // All facets of a mesh are ignored with it.
            Partner::Static(id) => Collider::Static(self.scenery.owner_of(id)),
            Partner::Body(_) => self.collider(b),
        };
        self.state.is_ignored(self.id_of(a), other)
    }
}
