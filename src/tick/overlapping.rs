//! Pairs that overlap at the start of a tick, as commands or a state may allow.
//!
//! A sweep of such a pair lets it slide and separate, and stops any motion that would bring it deeper. So the
//! tick only has to know these pairs to exclude their overlap from the final overlap check.

use super::{bodies::parts::Parts, step::Step};
use crate::{broad::Slots, geom::Vec3, tick::bodies::mover::Partner};

impl Step<'_> {
    /// Lists the solid pairs of child shapes that overlap before any body moves, in the order of ids.
    ///
    /// Bodies that no command and no other state has changed were apart at the end of the last tick: then the
    /// list is empty without a test. That is not known while a sleeper is left out, which may overlap another
    /// one. Tests no more pairs than the limit of a tick.
    pub(super) fn find_overlapping(&mut self) {
        let mut list = std::mem::take(&mut self.scratch.sim.overlapping);
        list.clear();
        if !self.scratch.is_apart {
            let mut near = std::mem::take(&mut self.scratch.found);
            let is_whole = self.list_overlapping(&mut list, &mut near);
            let mut slots = 0..self.state.slots.len() as u32;
            self.scratch.is_apart = is_whole && list.is_empty() && !slots.any(|slot| self.is_left_out(slot));
            self.scratch.found = near;
        }
        #[cfg(test)]
        self.scratch.pairs.regions.disorder.shuffle(&mut list);
        list.sort_unstable();
        let pairs = list.chunk_by(|first, second| (first.0, first.1) == (second.0, second.1));
        self.report.overlapping = pairs.count() as u32;
        self.scratch.sim.overlapping = list;
    }

    /// Fills the list; returns true if it is complete.
    fn list_overlapping(&self, list: &mut Vec<(u32, Partner, Parts)>, near: &mut Vec<u32>) -> bool {
        let (movers, mut looks) = (&self.scratch.sim.movers, 0_u64);
        for (index, mover) in (0..).zip(movers) {
            let Some(region) = self.bodies().bounds_here(index, self.bodies().entry(mover)) else { continue };
            let mut add_those_of = |other: Partner, position: Vec3| {
                let overlap = |parts: &Parts| {
                    self.bodies().is_solid_pair(index, other, *parts)
                        && self.bodies().overlap_parts(
                            index,
                            other,
                            *parts,
                            position - self.bodies().entry(mover),
                        )
                };
                let found = self.bodies().pairs_of_parts(index, other).filter(overlap);
                list.extend(found.map(|parts| (index, other, parts)));
            };
            near.clear();
            self.scratch.pairs.regions.query(region, Slots::ALL, near);
            near.sort_unstable();
            near.dedup();
            looks += near.len() as u64;
            for &other in near.iter() {
                if other > index {
                    add_those_of(Partner::Mover(other), self.bodies().entry(&movers[other as usize]));
                }
            }
            self.scenery.query(&region, |id| {
                looks += 1;
                add_those_of(Partner::Static(id), self.scenery.fixed(id).position);
            });
            if looks > u64::from(self.state.limits.pairs_max) {
                return false;
            }
        }
        true
    }
}
