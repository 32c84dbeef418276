//! The obstacles of a character.

use super::CharacterSettings;
use super::limits::{GAP_MAX_RAW, GAP_SHIFT, GAP_SPARE_RAW};
use crate::{
    geom::{Aabb, Normal, Vec3},
    num::{Scalar, Toi},
    overlap::overlap_shapes,
    shape::Shape,
    state::{
        Body, BodyId, BodyType, Collider, Filter, LayerTable, PlacedShape, Platform, Scenery, State, StaticId,
    },
    sweep::{MOTION_MAX, sweep_shapes},
};

/// A child shape that may be in the way.
pub(super) struct Obstacle {
    pub collider: Collider,
    pub child: u8,
    /// The shape in its orientation.
    shape: Shape,
    /// The origin when the tick begins.
    start: Vec3,
    /// The displacement in the tick.
    pub motion: Vec3,
    filter: Filter,
    /// True if the character may push it.
    pub is_light: bool,
}

/// Selects obstacles, and the instant at which they are tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// All obstacles that are not pushed, at the end of the tick.
    Firm,
    /// All obstacles, at the end of the tick: a character that stands on a light body does not push it down.
    Under,
    /// All obstacles, when the tick begins.
    UnderBefore,
}

/// The first hit on a straight path.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub toi: Toi,
    /// The outward normal of the obstacle.
    pub normal: Normal,
    /// The index of the obstacle.
    pub index: usize,
}

/// The body that moves, in its world.
#[derive(Clone, Copy)]
pub(super) struct Character<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub id: BodyId,
    pub body: &'a Body,
    pub settings: &'a CharacterSettings,
}

/// The body's own child shapes, and the obstacles around it.
pub(super) struct Surroundings {
    layers: LayerTable,
    own: Vec<(PlacedShape, Filter)>,
    pub obstacles: Vec<Obstacle>,
    pub gap: Scalar,
    /// The largest distance from an edge that the body has passed: its least half extent, and a little.
    pub foot: Scalar,
}

/// The displacement of a body in the next tick as far as its own velocity goes: a kinematic one's, in all steps of the tick; exact.
///
/// No component is beyond half of what sweeps take.
pub(super) fn motion_of(state: &State, body: &Body) -> Vec3 {
    const MOST: i64 = MOTION_MAX.to_bits() / 2;
    if body.body_type != BodyType::Kinematic || body.frozen > 0 {
        return Vec3::ZERO;
    }
    let steps = i64::from(state.limits.substeps);
    body.velocity().map_raw(|raw| (raw * steps).clamp(-MOST, MOST))
}

impl Surroundings {
    /// The obstacles within a distance of a body.
    pub fn of(character: Character<'_>, reach: Scalar) -> Self {
        let Character { state, scenery, .. } = character;
        // Collides like a dynamic body: no tick solves kinematic bodies against statics.
        let body = Body { body_type: BodyType::Dynamic, ..*character.body };
        let character = Character { body: &body, ..character };
        let of_child = |solid: PlacedShape| {
            let filter = body.filter().of_child(solid.layer);
            (solid, filter)
        };
        let own: Vec<_> = body.solids(scenery).map(of_child).collect();
        let least =
            |shape: &Shape| shape.half_extent().map(|half| half.raw().into_iter().fold(i64::MAX, i64::min));
        let least = own.iter().filter_map(|(solid, _)| least(&solid.shape)).min().unwrap_or(0);
        let gap = (least >> GAP_SHIFT).min(GAP_MAX_RAW) + GAP_SPARE_RAW;
        let (gap, foot) = (Scalar::from_bits(gap), Scalar::from_bits(least + 2 * gap));
        let mut around = Self { layers: state.layers, own, obstacles: Vec::new(), gap, foot };
        let region = body.form(scenery).bounds(body.position).map(|bounds| bounds.pad(reach));
        if let Some(region) = region {
            around.add_bodies(character, &region);
            around.add_statics(character, &region);
        }
        around
    }

    fn add_bodies(&mut self, character: Character<'_>, region: &Aabb) {
        let Character { state, scenery, id, body, settings } = character;
        for (other, found) in state.bodies().filter(|(other, _)| *other != id) {
            let motion = motion_of(state, found);
            let Some(here) = found.form(scenery).bounds(found.position) else { continue };
            let there = Aabb { min: here.min + motion, max: here.max + motion };
            if !here.union(there).touches(region)
                || state.is_ignored(id, Collider::Body(other))
                || state.comes_through(scenery, body, &Platform::of(found))
            {
                continue;
            }
            let is_light = found.body_type == BodyType::Dynamic && found.mass <= settings.push_mass_max;
            for (child, solid) in (0..).zip(found.solids(scenery)) {
                self.obstacles.push(Obstacle {
                    collider: Collider::Body(other),
                    child,
                    shape: solid.shape,
                    start: found.position + solid.offset,
                    motion,
                    filter: found.filter().of_child(solid.layer),
                    is_light,
                });
            }
        }
    }

    fn add_statics(&mut self, character: Character<'_>, region: &Aabb) {
        let Character { state, scenery, id, body, .. } = character;
        let mut found: Vec<StaticId> = Vec::new();
        scenery.query(region, |id| found.push(id));
        found.sort_unstable();
        found.dedup();
        for fixed_id in found {
            let fixed = scenery.fixed(fixed_id);
            if !state.is_ignored(id, Collider::Static(scenery.owner_of(fixed_id)))
                && !state.comes_through(scenery, body, &Platform::of_static(scenery, fixed_id))
            {
                self.obstacles.push(Obstacle {
                    collider: Collider::Static(fixed_id),
                    child: 0,
                    shape: scenery.shape_of(fixed_id).clone(),
                    start: fixed.position,
                    motion: Vec3::ZERO,
                    filter: fixed.filter(),
                    is_light: false,
                });
            }
        }
        let (layers, own) = (self.layers, &self.own);
        self.obstacles
            .retain(|obstacle| own.iter().any(|(_, filter)| layers.is_solid(*filter, obstacle.filter)));
    }

    /// The first hit on a straight path from a position, at the gap; of several at one instant the first in
    /// the order of ids.
    pub fn first(&self, place: Vec3, displacement: Vec3, among: Among) -> Option<Contact> {
        self.first_but((place, displacement), among, None)
    }

    /// The first hit, without one of the obstacles.
    pub fn first_but(
        &self,
        (place, displacement): (Vec3, Vec3),
        among: Among,
        but: Option<usize>,
    ) -> Option<Contact> {
        let mut first: Option<Contact> = None;
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if but == Some(index) || (among == Among::Firm && obstacle.is_light) {
                continue;
            }
            let at = obstacle.start + if among == Among::UnderBefore { Vec3::ZERO } else { obstacle.motion };
            let contact = self.meet(index, at - place, -displacement);
            if let Some(contact) = contact.filter(|found| first.is_none_or(|first| found.toi < first.toi)) {
                first = Some(contact);
            }
        }
        first
    }

    /// The hit by a moving obstacle on a character that moved from one position to another in the same time.
    pub fn come_at(&self, index: usize, from: Vec3, to: Vec3) -> Option<Contact> {
        let obstacle = &self.obstacles[index];
        self.meet(index, obstacle.start - from, obstacle.motion - (to - from))
    }

    /// The first instant at which an obstacle at an offset from the body's center is at the gap, for a motion
    /// relative to the body.
    fn meet(&self, index: usize, offset: Vec3, motion: Vec3) -> Option<Contact> {
        let Obstacle { shape, filter, .. } = &self.obstacles[index];
        let mut first: Option<Contact> = None;
        for (solid, own) in &self.own {
            if !self.layers.is_solid(*own, *filter) {
                continue;
            }
            let hit = sweep_shapes(&solid.shape, shape, offset - solid.offset, motion, self.gap);
            if let Some(hit) = hit.filter(|hit| first.is_none_or(|first| hit.toi < first.toi)) {
                first = Some(Contact { toi: hit.toi, normal: -hit.normal, index });
            }
        }
        first
    }

    /// True if the body at a position overlaps an obstacle that is not pushed, at the end of the tick; exact.
    pub fn overlaps(&self, place: Vec3) -> bool {
        let firm = self.obstacles.iter().filter(|obstacle| !obstacle.is_light);
        firm.into_iter().any(|obstacle| {
            let offset = obstacle.start + obstacle.motion - place;
            self.own.iter().any(|(solid, own)| {
                self.layers.is_solid(*own, obstacle.filter)
                    && overlap_shapes(&solid.shape, &obstacle.shape, offset - solid.offset)
            })
        })
    }
}
