//! Depenetration: overlapping bodies are moved apart, soft ones and solids that a command let overlap.
//!
//! It is one pass over the pairs whose boxes touch, after all bodies have paths and before any moves. The two of a pair share each
//! overlap (`share.rs`). The sum of a body's shares is added to the motion of its path: it is swept as any motion, contacts keep it
//! out of solids, and it is in no momentum. Sums of integers do not depend on the order of bodies.
//!
//! The boxes have room for that motion and for contacts, so contacts and impacts are searched among the pairs found here.

mod finder;
mod limits;
pub(super) mod memory;
mod share;

#[cfg(test)]
pub(super) use share::WIDTH;

use std::ops::ControlFlow;

use crate::{
    num::Scalar,
    shape::Shape,
    state::{Body, BodyType, Filter, LayerTable, Scenery, State},
    tick::{
        bodies::{
            Bodies, SimBodies,
            body::{BodyIndex, SimBody},
            gap::{rest_gap_at_most, rest_room},
        },
        budget::WorkBudget,
        pairs::Pairs,
    },
};

use finder::OverlapFinder;
use limits::{ROUNDS, SPARE, STILL_SHIFT};
use memory::{DepenetrationBody, DepenetrationBuffers, Displacement, Overlaps};

/// The stage that separates overlapping bodies.
pub struct Depenetration<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub sim: &'a mut SimBodies,
    pub pairs: &'a mut Pairs,
    pub buffers: &'a mut DepenetrationBuffers,
    /// True if no solid pair overlaps.
    pub is_apart: bool,
}

impl Depenetration<'_> {
    /// Separates overlapping bodies by adding to their motions of the tick; the sleeping ones that would move are listed in
    /// the buffers instead.
    pub fn run(&mut self) {
        self.sim.displacements.clear();
        let found = &mut self.buffers.found;
        found.overlaps.clear();
        found.is_crowded = false;
        self.buffers.sleepers.clear();
        let speed = self.state.limits.separation_speed;
        // Bodies that were apart when the last tick ended, and that no command brought together, are apart.
        if speed == 0 || (self.is_apart && !self.state.layers.has_soft()) {
            return;
        }
        self.list_sides();
        self.separate_pairs(speed);
        self.separate_from_statics();
        self.find_displacements(speed);
        self.take_displacements();
    }

    /// Lists the bodies as sides of overlaps.
    fn list_sides(&mut self) {
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim: self.sim };
        let DepenetrationBuffers { sides, found, .. } = &mut *self.buffers;
        sides.clear();
        sides.extend(bodies.sim.all().iter().map(|body| side_of(bodies, body)));
        found.displacements.clear();
        found.displacements.resize(sides.len(), Displacement::default());
    }

    /// Adds up the overlaps of all pairs of bodies, and lists the pairs for the searches after this one.
    ///
    /// With more pairs than the limit of a tick no body is moved, and the tick is halted for as many candidates.
    fn separate_pairs(&mut self, speed: Scalar) {
        let (scenery, gravity) = (self.scenery, self.sim.gravity);
        let bodies = Bodies { state: self.state, scenery, sim: self.sim };
        let (room, has_rest) = (speed + SPARE, bodies.has_rest());
        let rest = |shape| if has_rest { rest_room(gravity, scenery.outline(shape)) } else { Scalar::ZERO };
        self.pairs.gather(bodies, |shape| rest(shape) + room);
        let Pairs { regions, known, pieces, boxes, .. } = &mut *self.pairs;
        let DepenetrationBuffers { sides, found, subdivided, .. } = &mut *self.buffers;
        let mut finder = OverlapFinder { bodies, sides, found, is_apart: self.is_apart };
        known.begin();
        subdivided.clear();
        let (is_whole, mut budget) = (pieces.is_empty(), WorkBudget::of(&self.state.limits));
        regions.pairs(|numbers, _| {
            let [a, b] = numbers.map(BodyIndex);
            let pair = [a.min(b), a.max(b)];
            budget.spend(1);
            let in_pieces = |index: BodyIndex| !is_whole && boxes.piece_counts[index.place()] > 1;
            if in_pieces(a) || in_pieces(b) {
                subdivided.push(pair); // they may meet several times
            } else if !finder.separate_pair(pair) {
                known.push(pair);
            }
            if budget.is_exceeded() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        subdivided.sort_unstable();
        subdivided.dedup();
        if budget.is_exceeded() {
            found.displacements.fill(Displacement::default());
            found.overlaps.clear();
            return;
        }
        subdivided.iter().for_each(|&pair| _ = finder.separate_pair(pair));
        #[cfg(test)]
        if regions.exhaustive.is_some() {
            return;
        }
        known.complete();
    }

    /// Adds up the overlaps with statics.
    fn separate_from_statics(&mut self) {
        let is_apart = self.is_apart;
        let soft = self.layers_soft_to_statics();
        if is_apart && soft == 0 {
            return;
        }
        let bodies = Bodies { state: self.state, scenery: self.scenery, sim: self.sim };
        let DepenetrationBuffers { sides, found, statics, .. } = &mut *self.buffers;
        let mut finder = OverlapFinder { bodies, sides, found, is_apart };
        for index in bodies.sim.indices() {
            let body = bodies.body(index);
            let may = !is_apart || self.scenery.has_compounds() || soft >> body.filter.layer & 1 == 1;
            let here = bodies.bounds_here(index, body.path.position);
            let Some(region) = here.filter(|_| may && body.is_free()) else { continue };
            statics.clear();
            self.scenery.query(&region, |id| statics.push(id));
            for &id in &*statics {
                finder.separate_from(index, id);
            }
        }
    }

    /// The layers that are soft to the layer of a static, one bit each.
    fn layers_soft_to_statics(&self) -> u16 {
        // No shift is too far: every layer is below 16.
        let of_statics = self.scenery.statics().iter().fold(0, |mask, fixed| mask | 1_u16 << fixed.layer);
        let soft =
            (0..LayerTable::LAYERS).filter(|&layer| self.state.layers.is_soft_to_any(layer, of_statics));
        soft.fold(0, |mask, layer| mask | 1 << layer)
    }

    /// Finds the displacements of all bodies: each round adds up all overlaps, then all bodies move.
    fn find_displacements(&mut self, speed: Scalar) {
        let Overlaps { displacements, overlaps, is_crowded } = &mut self.buffers.found;
        let rounds = if *is_crowded { 1 } else { ROUNDS };
        for round in 1..=rounds {
            if round > 1 {
                overlaps.iter().for_each(|overlap| overlap.ask(displacements, false));
            }
            displacements.iter_mut().filter(|it| it.count > 0).for_each(|it| it.go(speed));
        }
    }

    /// Adds the displacements to the motions.
    fn take_displacements(&mut self) {
        for index in self.sim.indices() {
            let DepenetrationBuffers { sides, found, sleepers, .. } = &mut *self.buffers;
            let (displacement, side) = (&found.displacements[index.place()], &sides[index.place()]);
            if displacement.count == 0 {
                continue;
            }
            let least = side.band >> STILL_SHIFT;
            if side.sleeps {
                sleepers.push(index);
            } else if displacement.so_far.0.iter().any(|c| c.abs() > least) {
                self.sim.displace(self.state, index, displacement.so_far.into());
            }
        }
    }
}

/// A body as a side of overlaps.
fn side_of(bodies: Bodies, body: &SimBody) -> DepenetrationBody {
    let Bodies { state, scenery, .. } = bodies;
    let (dominance, kind) = match &state.slots[body.slot.place()].body {
        Some(stored) => (stored.dominance, stored.body_type),
        None => (Body::UNYIELDING, BodyType::Static),
    };
    let sleeps = state.is_asleep(body.slot);
    let yields = body.is_free() || sleeps;
    let outline = scenery.outline(body.shape);
    DepenetrationBody {
        place: body.path.position.into(),
        motion: body.path.displacement.into(),
        radius: match outline {
            Shape::Sphere { radius } if !scenery.is_compound(body.shape) => radius.to_bits(),
            _ => 0,
        },
        band: rest_gap_at_most(outline),
        mass: body.mass,
        filter: Filter { body_type: kind, ..body.filter },
        rank: if yields { dominance } else { Body::UNYIELDING },
        locks: body.locks,
        sleeps,
    }
}
