//! Placement test: no command puts a body into a solid.

use super::limits::{PLACE_LOOKS, PLACES_PER_SLOT, PLACES_SPARE};
use crate::{
    broad::Forest,
    geom::{Aabb, Vec3},
    overlap::overlap_shapes,
    state::{Body, BodyId, Collider, Filter, LayerTable, PlacedShape, Refusal, Scenery, SlotIndex, State},
    tick::World,
};

/// The positions of bodies between two ticks.
#[derive(Default, Debug)]
pub struct PlacementIndex {
    /// The tree of their boxes, once it is built.
    pub known: Option<Forest<SlotIndex>>,
    /// Number of queries before that.
    pub looks: u32,
}

impl PlacementIndex {
    /// Discards the tree, because bodies have moved.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

impl World {
    /// Refuses a body that would overlap a collider that is solid to it, other than the body in slot `but`,
    /// unless that is allowed.
    pub(super) fn check_room(
        &mut self,
        body: &Body,
        but: Option<SlotIndex>,
        allow_overlap: bool,
    ) -> Result<(), Refusal> {
        if allow_overlap {
            self.scratch.is_apart = false;
            return Ok(());
        }
        let (layers, own) = (self.state.layers, body.filter());
        match self.clash(body, but, |layer, other| layers.is_solid(own.of_child(layer), other)) {
            Some(with) => Err(Refusal::Overlaps { with }),
            None => Ok(()),
        }
    }

    /// Refuses a new filter for a body that would make it solid to a collider that it overlaps.
    pub(super) fn check_filter(&mut self, id: BodyId, body: &Body, filter: Filter) -> Result<(), Refusal> {
        let (layers, now) = (self.state.layers, body.filter());
        let becomes_solid = |layer, other| {
            layers.is_solid(filter.of_child(layer), other) && !layers.is_solid(now.of_child(layer), other)
        };
        match self.clash(body, Some(id.slot), becomes_solid) {
            Some(with) => Err(Refusal::Overlaps { with }),
            None => Ok(()),
        }
    }

    /// Refuses a new layer table that would make bodies solid to colliders that they overlap.
    pub(super) fn check_layers(&mut self, layers: &LayerTable) -> Result<(), Refusal> {
        let now = self.state.layers;
        for slot in self.state.slot_indices() {
            let Some(body) = self.state.slots[slot.place()].body else { continue };
            let own = body.filter();
            let becomes_solid = |layer, other| {
                let own = own.of_child(layer);
                layers.is_solid(own, other) && !now.is_solid(own, other)
            };
            if let Some(with) = self.clash(&body, Some(slot), becomes_solid) {
                return Err(Refusal::OverlapsNow { body: self.state.id_of(slot), with });
            }
        }
        Ok(())
    }

    /// The collider with the smallest id that a body overlaps, other than the body in slot `but`, among those
    /// that `matters` selects for a child shape, of which it gets the layer.
    fn clash(
        &mut self,
        body: &Body,
        but: Option<SlotIndex>,
        matters: impl Fn(Option<u8>, Filter) -> bool,
    ) -> Option<Collider> {
        let Self { state, scenery, scratch, .. } = self;
        let region = body.form(scenery).bounds(body.position)?; // only statics are boundless
        if scenery.open_face(body.shape).is_some() {
            return None; // it is solid only to bodies that are apart from it
        }
        let itself = but.filter(|_| !state.ignored_pairs.is_empty()).map(|slot| state.id_of(slot));
        let is_ignored = |other: Collider| itself.is_some_and(|itself| state.is_ignored(itself, other));
        let overlaps = |filter: Filter, other: &PlacedShape, position: Vec3| {
            let filter = filter.of_child(other.layer);
            body.solids(scenery).any(|own| {
                let offset = position + other.offset - (body.position + own.offset);
                matters(own.layer, filter) && overlap_shapes(&own.shape, &other.shape, offset)
            })
        };
        let mut first: Option<Collider> = None;
        let mut note = |with| first = Some(first.map_or(with, |least| least.min(with)));
        let look = |slot: SlotIndex| {
            // An entry may be stale: the body was removed or moved since.
            if let Some(other) = state.slots[slot.place()].body.filter(|_| but != Some(slot)) {
                let (id, place) = (Collider::Body(state.id_of(slot)), other.position);
                let clashes = other.solids(scenery).any(|solid| overlaps(other.filter(), &solid, place));
                if clashes && !is_ignored(id) && scenery.open_face(other.shape).is_none() {
                    note(id);
                }
            }
        };
        scratch.places.query(state, scenery, &region, look);
        scenery.query(&region, |id| {
            let fixed = scenery.fixed(id);
            let clashes =
                overlaps(fixed.filter(), &PlacedShape::new(scenery.shape_of(id).clone()), fixed.position);
            if clashes
                && !is_ignored(Collider::Static(scenery.owner_of(id)))
                && scenery.open_face(fixed.shape).is_none()
            {
                note(Collider::Static(id));
            }
        });
        first
    }

    /// Stores the position of a body that was placed.
    pub(super) fn note_place(&mut self, slot: SlotIndex, body: &Body) {
        let bounds = body.form(&self.scenery).bounds(body.position);
        if let (Some(places), Some(bounds)) = (&mut self.scratch.places.known, bounds) {
            places.add(bounds, slot);
            // Stale entries are harmless, but must not pile up if commands come without ticks.
            if places.len() > PLACES_PER_SLOT * self.state.slots.len() + PLACES_SPARE {
                self.scratch.places.forget();
            }
        }
    }
}

impl PlacementIndex {
    /// Calls `found` with the slot of every body that may be in a region, and of some that were. Building the
    /// tree takes as long as several tests of all bodies.
    pub fn query(
        &mut self,
        state: &State,
        scenery: &Scenery,
        region: &Aabb,
        mut found: impl FnMut(SlotIndex),
    ) {
        if self.known.is_none() && self.looks < PLACE_LOOKS {
            self.looks += 1;
            for (id, body) in state.bodies() {
                let reach = scenery.reach(body.shape, body.spin.is_some());
                if Aabb::around(body.position, reach).touches(region) {
                    found(id.slot);
                }
            }
            return;
        }
        let places = self.known.get_or_insert_with(|| {
            let bounds = |body: &Body| body.form(scenery).bounds(body.position);
            Forest::of(state.bodies().filter_map(|(id, body)| Some((bounds(body)?, id.slot))).collect())
        });
        places.query(region, found);
    }
}
