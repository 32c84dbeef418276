//! Pairs that overlap at the start of a tick, as commands or a state may allow.
//!
//! A sweep of such a pair lets it slide and separate, and stops any motion that would bring it deeper. So the
//! tick only has to know these pairs to exclude their overlap from the final overlap check.

use super::{
    bodies::{
        Bodies,
        body::{BodyIndex, ChildPair, Partner},
    },
    sleep::Sleepers,
};
use crate::{
    broad::{Regions, Slots},
    geom::Vec3,
};

/// Lists the solid pairs of child shapes that overlap before any body moves, in the order of ids; returns true
/// if all solid pairs are apart.
///
/// Bodies that no command and no other state has changed were apart at the end of the last tick: then the
/// list is empty without a test. That is not known while a sleeper is left out, which may overlap another
/// one. Tests no more pairs than the limit of a tick; `near` is a buffer.
pub(super) fn find_overlapping(
    bodies: Bodies,
    regions: &mut Regions,
    sleepers: &Sleepers,
    list: &mut Vec<(BodyIndex, Partner, ChildPair)>,
    near: &mut Vec<u32>,
) -> bool {
    let is_whole = list_overlapping(bodies, regions, list, near);
    let mut slots = 0..bodies.state.slots.len() as u32;
    let is_apart = is_whole && list.is_empty() && !slots.any(|slot| sleepers.leaves_out(bodies.state, slot));
    #[cfg(test)]
    regions.disorder.shuffle(list);
    list.sort_unstable();
    is_apart
}

/// Fills the list; returns true if it is complete. `near` is a buffer.
fn list_overlapping(
    bodies: Bodies,
    regions: &Regions,
    list: &mut Vec<(BodyIndex, Partner, ChildPair)>,
    near: &mut Vec<u32>,
) -> bool {
    let (scenery, mut looks) = (bodies.scenery, 0_u64);
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
        looks += near.len() as u64;
        for other in near.iter().map(|&number| BodyIndex(number)) {
            if other > index {
                add_those_of(Partner::Body(other), bodies.entry(bodies.body(other)));
            }
        }
        scenery.query(&region, |id| {
            looks += 1;
            add_those_of(Partner::Static(id), scenery.fixed(id).position);
        });
        if looks > u64::from(bodies.state.limits.pairs_max) {
            return false;
        }
    }
    true
}
