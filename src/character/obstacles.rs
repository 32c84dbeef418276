//! What may be in the way of somebody who walks.

use super::Walker;
use crate::{
    geom::{Aabb, Normal, Vec3},
    num::{Scalar, Toi},
    overlap::overlap_shapes,
    shape::Shape,
    state::{Body, BodyId, Collider, Filter, Kind, LayerTable, Platform, Scenery, Solid, State, StaticId},
    sweep::sweep_shapes,
};

/// The largest gap that somebody keeps who walks: 2^-10 units.
const GAP_MAX_RAW: i64 = 1 << 22;

/// What part of the least half extent it is otherwise: 2^-8.
const GAP_SHIFT: u32 = 8;

/// Something that may be in the way.
pub(super) struct Obstacle {
    pub collider: Collider,
    pub part: u8,
    /// As it lies.
    shape: Shape,
    /// Where its origin is when the tick begins.
    start: Vec3,
    /// By how much it moves in it.
    pub motion: Vec3,
    filter: Filter,
    /// Whether it is pushed by who walks into it.
    pub is_light: bool,
}

/// Which obstacles are asked for, and where they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// All that is not pushed, where it is at the end of the tick.
    Firm,
    /// The same and what is pushed: who stands on it does not push it down.
    Under,
    /// Both, where they are when the tick begins.
    UnderBefore,
}

/// The first thing in a way.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub toi: Toi,
    /// Out of the obstacle.
    pub normal: Normal,
    /// Which obstacle.
    pub index: usize,
}

/// The body that moves, in its world.
#[derive(Clone, Copy)]
pub(super) struct Character<'a> {
    pub state: &'a State,
    pub scenery: &'a Scenery,
    pub id: BodyId,
    pub body: &'a Body,
    pub walker: &'a Walker,
}

/// The body's own shapes, and what may be in its way.
pub(super) struct Surroundings {
    layers: LayerTable,
    own: Vec<(Solid, Filter)>,
    pub obstacles: Vec<Obstacle>,
    pub gap: Scalar,
    /// How far it is from an edge at most when it is past it: its least half extent, and a little.
    pub foot: Scalar,
}

impl Surroundings {
    /// What is within a distance of a body.
    pub fn of(character: Character<'_>, reach: Scalar) -> Self {
        let Character { state, scenery, .. } = character;
        // Solid to all that a dynamic body is: no tick solves what moves by itself against statics.
        let body = Body { kind: Kind::Dynamic, ..*character.body };
        let character = Character { body: &body, ..character };
        let of_part = |solid: Solid| (solid, body.filter().of_part(solid.layer));
        let own: Vec<_> = body.solids(scenery).map(of_part).collect();
        let least =
            |shape: &Shape| shape.half_extent().map(|half| half.raw().into_iter().fold(i64::MAX, i64::min));
        let least = own.iter().filter_map(|(solid, _)| least(&solid.shape)).min().unwrap_or(0);
        // Beyond what the normals of slanting boxes and capsules may be off.
        let gap = (least >> GAP_SHIFT).min(GAP_MAX_RAW) + GAP_MAX_RAW / 1024;
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
        let Character { state, scenery, id, body, walker } = character;
        for (other, found) in state.bodies().filter(|(other, _)| *other != id) {
            let moves = found.kind == Kind::Kinematic && found.frozen == 0;
            let motion = if moves { found.velocity() } else { Vec3::ZERO };
            let Some(here) = found.form(scenery).bounds(found.position) else { continue };
            let there = Aabb { min: here.min + motion, max: here.max + motion };
            if !here.union(there).touches(region)
                || state.is_excepted(id, Collider::Body(other))
                || state.comes_through(scenery, body, &Platform::of(found))
            {
                continue;
            }
            let is_light = found.kind == Kind::Dynamic && found.mass <= walker.push_mass_max;
            for (part, solid) in (0..).zip(found.solids(scenery)) {
                self.obstacles.push(Obstacle {
                    collider: Collider::Body(other),
                    part,
                    shape: solid.shape,
                    start: found.position + solid.offset,
                    motion,
                    filter: found.filter().of_part(solid.layer),
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
            if !state.is_excepted(id, Collider::Static(fixed_id))
                && !state.comes_through(scenery, body, &Platform::of_static(fixed))
            {
                self.obstacles.push(Obstacle {
                    collider: Collider::Static(fixed_id),
                    part: 0,
                    shape: *scenery.shape(fixed.shape),
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

    /// The first obstacle on a way from a place, at the gap; of several at one instant the first in the order of their ids.
    pub fn first(&self, place: Vec3, way: Vec3, among: Among) -> Option<Contact> {
        self.first_but((place, way), among, None)
    }

    /// The same without one of them.
    pub fn first_but(&self, (place, way): (Vec3, Vec3), among: Among, but: Option<usize>) -> Option<Contact> {
        let mut first: Option<Contact> = None;
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            if but == Some(index) || (among == Among::Firm && obstacle.is_light) {
                continue;
            }
            let at = obstacle.start + if among == Among::UnderBefore { Vec3::ZERO } else { obstacle.motion };
            let contact = self.meet(index, at - place, -way);
            if let Some(contact) = contact.filter(|found| first.is_none_or(|first| found.toi < first.toi)) {
                first = Some(contact);
            }
        }
        first
    }

    /// When an obstacle comes at somebody that moved from one place to another while the obstacle made its motion.
    pub fn come_at(&self, index: usize, from: Vec3, to: Vec3) -> Option<Contact> {
        let obstacle = &self.obstacles[index];
        self.meet(index, obstacle.start - from, obstacle.motion - (to - from))
    }

    /// When an obstacle at an offset from the body's center, that moves against it, comes to the gap.
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

    /// Whether a body overlaps at a place what is not pushed, where that is at the end of the tick; exact.
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
