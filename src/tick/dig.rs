//! The command that changes heights of ground, and the bodies in its way.

use std::sync::Arc;

use crate::{
    geom::{Aabb, Vec3},
    num::Scalar,
    overlap::overlap_convex_convex,
    shape::{Convex, Swept},
    state::{Body, Collider, HeightPatch, Refusal, Scenery, SlotIndex, Static, StaticId, Terrain},
    tick::World,
};

/// A change of heights before it is made.
struct Dig {
    ground: StaticId,
    fixed: Static,
    /// The triangles that change.
    swept: Vec<Swept>,
}

impl World {
    /// Replaces heights of ground. What a body would be in the way of is refused; with `lift` it is what would pass a body's center.
    pub(super) fn set_heights(
        &mut self,
        ground: StaticId,
        at: [u32; 2],
        patch: &HeightPatch,
        lift: bool,
    ) -> Result<(), Refusal> {
        self.scenery.check_patch(ground, at, patch)?;
        if self.scenery.has_heights(ground, at, patch) {
            return Ok(());
        }
        let dig = Dig::new(&self.scenery, ground, at, patch);
        // Ground that is open on its front lets through what it passes.
        if let Some(region) = dig.region().filter(|_| self.scenery.open_face(dig.fixed.shape).is_none()) {
            self.check_way(&dig, &region, lift)?;
        }
        // With one owner the tiles are changed where they are.
        self.state.terrain = Terrain::UNCHANGED;
        Arc::make_mut(&mut self.scenery).set_heights(ground, at, patch);
        self.state.terrain = self.scenery.terrain().clone();
        self.scratch.contact.forget(); // contacts with what the ground was
        Ok(())
    }

    /// Adds the slots of the sleepers that heights would touch, or leave, if they changed.
    pub(super) fn add_dug(
        &mut self,
        ground: StaticId,
        at: [u32; 2],
        patch: &HeightPatch,
        list: &mut Vec<SlotIndex>,
    ) {
        if self.scenery.check_patch(ground, at, patch).is_err() {
            return;
        }
        let Self { state, scenery, scratch, .. } = self;
        let dig = Dig::new(scenery, ground, at, patch);
        for swept in &dig.swept {
            let region = dig.placed(swept.bounds());
            scratch.sleepers.waking.tree.search(state, scenery, &region, |slot| list.push(slot));
        }
    }

    /// Refuses a change of heights that passes a body which is solid to the ground, or its center.
    fn check_way(&mut self, dig: &Dig, region: &Aabb, lift: bool) -> Result<(), Refusal> {
        let Self { state, scenery, scratch, .. } = self;
        let (layers, other) = (state.layers, dig.fixed.filter());
        let mut first = None;
        scratch.places.query(state, scenery, region, |slot| {
            let (id, place) = (state.id_of(slot), &state.slots[slot.place()]);
            let Some(body) = &place.body else { return };
            let is_solid = |layer: Option<u8>| layers.is_solid(body.filter().of_child(layer), other);
            let is_in_the_way = || match lift {
                true => dig.passes(body.position) && body.solids(scenery).any(|own| is_solid(own.layer)),
                false => dig.is_blocked_by(body, scenery, is_solid),
            };
            let is_first = first.is_none_or(|least| id < least);
            if is_first && is_in_the_way() && !state.is_ignored(id, Collider::Static(dig.ground)) {
                first = Some(id);
            }
        });
        match first {
            Some(body) => Err(Refusal::OverlapsNow { body, with: Collider::Static(dig.ground) }),
            None => {
                scratch.is_apart &= !lift;
                Ok(())
            }
        }
    }
}

impl Dig {
    fn new(scenery: &Scenery, ground: StaticId, at: [u32; 2], patch: &HeightPatch) -> Self {
        let here = scenery.ground(ground);
        let swept = here.map(|here| here.swept(at, patch.columns(), patch.heights())).unwrap_or_default();
        Self { ground, fixed: *scenery.fixed(ground), swept }
    }

    /// The box around all triangles before and after; `None` where none changes.
    fn region(&self) -> Option<Aabb> {
        let boxes = self.swept.iter().map(|swept| self.placed(swept.bounds()));
        boxes.reduce(|a, b| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) })
    }

    fn placed(&self, bounds: Aabb) -> Aabb {
        let origin = self.fixed.position;
        Aabb { min: bounds.min + origin, max: bounds.max + origin }
    }

    fn passes(&self, point: Vec3) -> bool {
        self.swept.iter().any(|swept| swept.passes(point - self.fixed.position))
    }

    /// True if a child shape of a body that is solid by its layer has a point of what a triangle passes through in its inside; exact.
    fn is_blocked_by(&self, body: &Body, scenery: &Scenery, is_solid: impl Fn(Option<u8>) -> bool) -> bool {
        body.solids(scenery).filter(|own| is_solid(own.layer)).any(|own| {
            let (room, place) = (&mut [Vec3::ZERO; 8], body.position + own.offset);
            let (Some(solid), Some(bounds)) = (own.shape.as_convex(room), own.shape.bounds(place)) else {
                return false;
            };
            let near = self.swept.iter().filter(|swept| self.placed(swept.bounds()).touches(&bounds));
            near.into_iter().any(|swept| {
                let corners = swept.corners();
                let hull = Convex::around(&corners, Scalar::ZERO);
                overlap_convex_convex(place - (self.fixed.position + swept.middle()), &hull, &solid)
            })
        })
    }
}
