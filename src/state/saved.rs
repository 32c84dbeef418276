//! The saved state: all fields here are saved, hashed and compared, and nothing else is.

use serde::{Deserialize, Serialize};

use super::{
    Body, BodyId, BodyType, CompoundId, IgnoredPair, LayerTable, Limits, Locks, OnHit, Scenery, Sleep,
    SlotIndex, Spin, StateError, Terrain,
    checks::{self, check_count, check_index, check_layer, check_length, check_size, check_vector},
};
use crate::{
    geom::{ANGULAR_MOMENTUM_MAX, Vec3},
    shape::Shape,
};

/// Everything that a tick reads and changes. Its serde definition defines its encoding, its checksum and its
/// field-by-field difference.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The limits of the world.
    pub limits: Limits,
    /// Number of ticks played.
    pub tick: u64,
    /// The change of velocity per tick, in units per tick; even in raw, so that half of it is exact.
    pub gravity: Vec3,
    /// The rule of each pair of layers.
    pub layers: LayerTable,
    /// The bodies, in the order of their ids.
    pub slots: Vec<Slot>,
    /// The sleep state of each slot in a world with sleep; otherwise empty.
    pub sleep: Vec<Sleep>,
    /// The pairs whose collision is disabled for some ticks, each once, in the order of their ids.
    pub ignored_pairs: Vec<IgnoredPair>,
    /// The heights of the scenery's grounds that commands have changed.
    pub terrain: Terrain,
}

/// A place for a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Slot {
    /// Number of bodies that were removed from this slot.
    pub generation: u32,
    /// The body in this slot.
    pub body: Option<Body>,
}

impl State {
    /// A state without bodies and gravity, with all layers solid, at tick 0.
    #[must_use]
    pub const fn new(limits: Limits) -> Self {
        let (gravity, layers) = (Vec3::ZERO, LayerTable::SOLID);
        Self {
            limits,
            tick: 0,
            gravity,
            layers,
            slots: Vec::new(),
            sleep: Vec::new(),
            ignored_pairs: Vec::new(),
            terrain: Terrain::UNCHANGED,
        }
    }

    /// The body of an id, or `None` if it was removed.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        let slot = self.slots.get(id.slot.place())?;
        slot.body.as_ref().filter(|_| slot.generation == id.generation)
    }

    /// All bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.slot_indices().zip(&self.slots).filter_map(|(slot, place)| {
            let id = BodyId { slot, generation: place.generation };
            place.body.as_ref().map(|body| (id, body))
        })
    }

    /// The body of an id, mutable.
    pub(crate) fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        let slot = self.slots.get_mut(id.slot.place())?;
        slot.body.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// The indices of all slots.
    pub(crate) fn slot_indices(&self) -> impl Iterator<Item = SlotIndex> + use<> {
        (0..self.slots.len() as u32).map(SlotIndex)
    }

    /// The id of the body in a slot.
    pub(crate) fn id_of(&self, slot: SlotIndex) -> BodyId {
        BodyId { slot, generation: self.slots[slot.place()].generation }
    }

    /// Checks everything about the state that a tick relies on.
    ///
    /// # Errors
    ///
    /// Names the first field that is out of bounds.
    pub fn check(&self, scenery: &Scenery) -> Result<(), StateError> {
        self.limits.check()?;
        self.check_scenery(scenery)?;
        check_count("tick", self.tick, 0, u64::MAX >> 1)?;
        self.check_gravity(self.gravity)?;
        self.layers.check()?;
        check_count("slots", self.slots.len() as u64, 0, u64::from(self.limits.bodies_max))?;
        for (index, slot) in self.slots.iter().enumerate() {
            self.check_slot(slot, scenery).map_err(|error| error.in_slot(index))?;
        }
        self.check_sleep()?;
        self.check_ignored_pairs(scenery)?;
        scenery.check_terrain(&self.terrain)
    }

    fn check_scenery(&self, scenery: &Scenery) -> Result<(), StateError> {
        match scenery.leaning().filter(|_| self.limits.flat) {
            Some(id) => {
                let reason = "in a flat world it must be at z = 0 and upright";
                Err(StateError::Impossible { field: format!("static {}", id.0), reason })
            }
            None => Ok(()),
        }
    }

    /// Checks that a vector lies in the plane of a flat world.
    pub(crate) fn check_flat(&self, field: &str, vector: Vec3) -> Result<(), StateError> {
        checks::check_flat(self.limits.flat, field, vector)
    }

    /// Checks a slot. An empty slot has had a body; a slot of the last generation has none, so that a removal
    /// can count up.
    fn check_slot(&self, slot: &Slot, scenery: &Scenery) -> Result<(), StateError> {
        let (generation, last) = (u64::from(slot.generation), u64::from(u32::MAX));
        match &slot.body {
            None => check_count("generation", generation, 1, last),
            Some(body) => {
                check_count("generation", generation, 0, last - 1)?;
                self.check_body(body, scenery)
            }
        }
    }

    /// Checks a body against the limits and the scenery.
    pub(crate) fn check_body(&self, body: &Body, scenery: &Scenery) -> Result<(), StateError> {
        check_count("mass", body.mass.into(), 1, self.limits.mass_max.into())?;
        self.check_shape(body, scenery)?;
        check_index("material", body.material.0, scenery.materials().len())?;
        self.check_position(body.position)?;
        self.check_velocity(body.velocity())?;
        check_layer("layer", body.layer)?;
        self.check_motion(body)?;
        body.drive.map_or(Ok(()), |drive| drive.check(body.body_type, &self.limits))?;
        self.check_spin(body, scenery)
    }

    /// Checks the rotational state. The angular speed is checked on input only, because every tick slows down
    /// a body that free rotation has made too fast.
    fn check_spin(&self, body: &Body, scenery: &Scenery) -> Result<(), StateError> {
        let Some(spin) = &body.spin else {
            let fits = !body.locks.locks_turning();
            let reason = "a body that does not rotate has no axes to lock";
            return if fits { Ok(()) } else { Err(StateError::impossible("locks", reason)) };
        };
        self.check_flat_spin(spin, body.locks)?;
        body.inertia(scenery)?;
        let radius = scenery.hull(body.shape).bounding_radius().unwrap_or_default();
        check_size("bounding_radius", radius, self.limits.size_max)?;
        check_vector("angular_momentum", spin.angular_momentum, ANGULAR_MOMENTUM_MAX.x)?;
        if body.body_type == BodyType::Static && spin.angular_momentum != Vec3::ZERO {
            return Err(StateError::impossible("angular_momentum", "a static body has none"));
        }
        Ok(())
    }

    /// Checks that a compound is one of the scenery's.
    pub(crate) fn check_set(&self, set: CompoundId, scenery: &Scenery) -> Result<(), StateError> {
        check_index("compound", set.0, scenery.compounds().len())
    }

    /// Checks that in a flat world a body rotates about the third axis alone.
    fn check_flat_spin(&self, spin: &Spin, locks: Locks) -> Result<(), StateError> {
        if !self.limits.flat {
            return Ok(());
        }
        let refuse = |field, reason| Err(StateError::impossible(field, reason));
        let ([_, x, y, _], momentum) = (spin.orientation.components(), spin.angular_momentum);
        if [x, y] != [0; 2] {
            return refuse("orientation", "in a flat world a body rotates about z alone");
        }
        if momentum.x != 0 || momentum.y != 0 {
            return refuse("angular_momentum", "in a flat world a body rotates about z alone");
        }
        if !locks.has_turn(0) || !locks.has_turn(1) {
            return refuse("locks", "in a flat world a rotating body is locked about x and y");
        }
        Ok(())
    }

    /// The locks of a body, with those that its world requires.
    pub(crate) fn locks_of(&self, locks: Locks, rotates: bool) -> Locks {
        if self.limits.flat && rotates { locks.and(Locks::TURN_X).and(Locks::TURN_Y) } else { locks }
    }

    fn check_shape(&self, body: &Body, scenery: &Scenery) -> Result<(), StateError> {
        let limit = self.limits.size_max;
        if scenery.open_face(body.shape).is_some()
            && (body.body_type == BodyType::Dynamic || body.spin.is_some())
        {
            let reason = "a dynamic or rotating body is not open on one side";
            return Err(StateError::impossible("shape", reason));
        }
        if self.limits.flat && scenery.is_compound(body.shape) && !scenery.is_upright(body.shape) {
            return Err(StateError::impossible(
                "shape",
                "a child shape of it leans out of the flat world's plane",
            ));
        }
        match scenery.find_outline(body.shape) {
            Some(Shape::Sphere { radius }) => check_size("radius", *radius, limit),
            Some(Shape::Aabb { half }) => check_vector("half", *half, limit),
            Some(shape @ (Shape::Capsule(_) | Shape::Obb(_) | Shape::Hull(_))) => {
                if self.limits.flat && !shape.is_upright() {
                    return Err(StateError::impossible("shape", "it leans out of the flat world's plane"));
                }
                check_vector("half_extent", shape.half_extent().unwrap_or_default(), limit)
            }
            Some(_) => {
                let reason = "a body is a sphere, an aabb, an obb, a capsule or a hull";
                Err(StateError::impossible("shape", reason))
            }
            None => check_index("shape", body.shape.0, scenery.shapes().len()),
        }
    }

    /// Checks that the motion of a body is one that the world, its type and its locks allow.
    pub(crate) fn check_motion(&self, body: &Body) -> Result<(), StateError> {
        self.check_flat("velocity", body.momentum)?;
        if body.body_type == BodyType::Static && body.momentum != Vec3::ZERO {
            return Err(StateError::impossible("velocity", "a static body has none"));
        }
        if body.stops && body.body_type != BodyType::Kinematic {
            return Err(StateError::impossible("stops", "only a kinematic body stops by itself"));
        }
        if body.frozen > 0 && body.body_type == BodyType::Static {
            return Err(StateError::impossible("frozen", "a static body is never frozen"));
        }
        if body.on_hit != OnHit::Continue && body.body_type != BodyType::Dynamic {
            return Err(StateError::impossible("on_hit", "only a dynamic body stops or goes at an impact"));
        }
        if body.dominance != 0 && body.body_type != BodyType::Dynamic {
            return Err(StateError::impossible("dominance", "only a dynamic body yields"));
        }
        if body.locks.free_part(body.momentum) != body.momentum {
            return Err(StateError::impossible("velocity", "a locked axis has none"));
        }
        Ok(())
    }

    /// Checks that a center is inside the world.
    pub(crate) fn check_position(&self, position: Vec3) -> Result<(), StateError> {
        check_vector("position", position, self.limits.extent)?;
        self.check_flat("position", position)
    }

    /// Checks a velocity against the speed limit.
    pub(crate) fn check_velocity(&self, velocity: Vec3) -> Result<(), StateError> {
        check_length("velocity", velocity, self.limits.speed_max)
    }

    /// Checks that gravity is within the speed limit on each axis and even in raw.
    pub(crate) fn check_gravity(&self, gravity: Vec3) -> Result<(), StateError> {
        check_vector("gravity", gravity, self.limits.speed_max)?;
        self.check_flat("gravity", gravity)?;
        let even = gravity.raw().iter().all(|raw| raw % 2 == 0);
        if even { Ok(()) } else { Err(StateError::impossible("gravity", "a component is odd in raw")) }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        let Self { limits, tick, gravity, layers, slots, sleep, ignored_pairs, terrain } = self;
        let (limits, tick, gravity, layers) = (*limits, *tick, *gravity, *layers);
        let (slots, sleep, ignored_pairs) = (slots.clone(), sleep.clone(), ignored_pairs.clone());
        let terrain = terrain.clone();
        Self { limits, tick, gravity, layers, slots, sleep, ignored_pairs, terrain }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { limits, tick, gravity, layers, slots, sleep, ignored_pairs, terrain } = source;
        (self.limits, self.tick, self.gravity, self.layers) = (*limits, *tick, *gravity, *layers);
        self.slots.clone_from(slots);
        self.sleep.clone_from(sleep);
        self.ignored_pairs.clone_from(ignored_pairs);
        self.terrain.clone_from(terrain);
    }
}
