//! Pairs that overlap at the start of a tick, as commands or a state may allow.
//!
//! A sweep of such a pair lets it slide and separate, and stops any motion that would bring it deeper. So the
//! tick only has to know these pairs to exclude their overlap from the final overlap check.

use super::{
    bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner},
    },
    budget::WorkBudget,
};
use crate::{
    broad::{Regions, Slots},
    geom::Vec3,
};

/// The buffers of the search.
#[derive(Default, Debug)]
pub struct OverlappingBuffers {
    /// The pairs that are found.
    pub list: Vec<(BodyIndex, Partner, ChildPair)>,
    /// The numbers of the bodies near one.
    near: Vec<u32>,
}

/// Lists the solid pairs of child shapes that overlap before any body moves, in the order of ids; returns true
/// if all solid pairs are apart.
///
/// Bodies that no command and no other state has changed were apart at the end of the last tick: then the
/// list is empty without a test. Tests no more pairs than the limit of a tick.
pub(super) fn find_overlapping(
    bodies: Bodies,
    regions: &mut Regions,
    OverlappingBuffers { list, near }: &mut OverlappingBuffers,
) -> bool {
    let is_whole = list_overlapping(bodies, regions, list, near);
    #[cfg(test)]
    regions.disorder.shuffle(list);
    list.sort_unstable();
    is_whole && list.is_empty()
}

/// Fills the list; returns true if it is complete. `near` is a buffer.
fn list_overlapping(
    bodies: Bodies,
    regions: &Regions,
    list: &mut Vec<(BodyIndex, Partner, ChildPair)>,
    near: &mut Vec<u32>,
) -> bool {
    let (scenery, mut budget) = (bodies.scenery, WorkBudget::of(&bodies.state.limits));
    for (index, body) in bodies.sim.indexed() {
        let here = bodies.entry(body);
        let Some(region) = bodies.bounds_here(index, here) else { continue };
        let mut add_those_of = |other: Partner, position: Vec3| {
            let overlap = |children: &ChildPair| {
                bodies.is_solid_pair(index, other, *children)
                    && bodies.overlap_children(index, other, *children, position - here)
            };
            let found = bodies.pairs_of_children(index, other).filter(overlap);
            list.extend(found.map(|children| (index, other, children)));
        };
        near.clear();
        regions.query(region, Slots::ALL, near);
        near.sort_unstable();
        near.dedup();
        budget.spend(near.len() as u64);
        for other in near.iter().map(|&number| BodyIndex(number)) {
            if other > index {
                add_those_of(Partner::Body(other), bodies.entry(bodies.body(other)));
            }
        }
        scenery.query(&region, |id| {
            budget.spend(1);
            add_those_of(Partner::Static(id), scenery.fixed(id).position);
        });
        if budget.is_exceeded() {
            return false;
        }
    }
    true
}
