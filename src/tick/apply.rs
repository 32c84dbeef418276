//! Commands, each checked at the door.

use super::{TickReport, report::add_change};
use crate::{
    broad::Forest,
    geom::Vec3,
    overlap::overlap_shapes,
    world::{
        Body, BodyId, Collider, Command, Done, Outcome, Refusal, ShapeId, Slot, Spawn, World, momentum_wide,
    },
};

/// How many stale places are kept whatever the number of bodies.
const PLACES_SPARE: usize = 256;

/// What commands did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// What became of each command, in their order.
    pub outcomes: Vec<Outcome>,
    /// The change of the sum of all momenta, in raw.
    pub momentum: [i128; 3],
}

impl World {
    /// Applies commands at once, in the order given.
    ///
    /// This is for setting a world up: a recording keeps the commands of ticks, so what happens
    /// while one is made goes through [`World::tick`].
    ///
    /// A refused command changes nothing and does not stop the others. Each command sees what the
    /// ones before it did; bodies of one list may be named by later commands through
    /// [`next_ids`](World::next_ids).
    pub fn apply(&mut self, commands: &[Command]) -> Applied {
        let (mut outcomes, mut momentum) = (Vec::with_capacity(commands.len()), [0; 3]);
        self.apply_into(commands, &mut outcomes, &mut momentum);
        Applied { outcomes, momentum }
    }

    /// Applies commands and steps one tick.
    pub fn tick(&mut self, commands: &[Command], report: &mut TickReport) {
        let mut outcomes = std::mem::take(&mut report.outcomes);
        let mut momentum = [0; 3];
        outcomes.clear();
        self.apply_into(commands, &mut outcomes, &mut momentum);
        self.step(report);
        report.outcomes = outcomes;
        report.ledger.commands = momentum;
    }

    fn apply_into(&mut self, commands: &[Command], outcomes: &mut Vec<Outcome>, momentum: &mut [i128; 3]) {
        outcomes.extend(commands.iter().map(|command| self.apply_one(command, momentum)));
    }

    fn apply_one(&mut self, command: &Command, momentum: &mut [i128; 3]) -> Outcome {
        match *command {
            Command::Spawn(spawn) => return self.spawn(spawn, momentum),
            Command::Remove { body } => self.remove(body, momentum)?,
            Command::Teleport { body, position } => self.teleport(body, position)?,
            Command::SetVelocity { body, velocity } => {
                self.state.check_velocity(velocity)?;
                let held = *self.find(body)?;
                self.set_momentum(body, momentum_wide(velocity, held.mass), momentum)?;
            }
            Command::Push { body, impulse } => self.push(body, impulse, momentum)?,
            Command::SetGravity { gravity } => {
                self.state.check_gravity(gravity)?;
                self.state.gravity = gravity;
            }
        }
        Ok(Done::Applied)
    }

    fn spawn(&mut self, spawn: Spawn, momentum: &mut [i128; 3]) -> Outcome {
        let Spawn { shape, material, mass, position, velocity } = spawn;
        self.state.check_velocity(velocity)?;
        let unmoved = Body { position, momentum: Vec3::ZERO, mass, shape, material, spin: None };
        self.state.check_body(&unmoved, &self.scenery)?;
        let limit = self.state.limits.bodies_max;
        if self.scratch.free.is_empty() && self.state.slots.len() as u64 >= u64::from(limit) {
            return Err(Refusal::Full { limit });
        }
        self.check_room(shape, position, None)?;
        let body = Body { momentum: momentum_wide(velocity, mass), ..unmoved };
        let slot = self.scratch.free.take().unwrap_or(self.state.slots.len() as u32);
        if slot as usize == self.state.slots.len() {
            self.state.slots.push(Slot { generation: 0, body: None });
        }
        self.state.slots[slot as usize].body = Some(body);
        self.note_place(slot, shape, position);
        add_change(momentum, Vec3::ZERO, body.momentum);
        Ok(Done::Spawned(self.state.id_of(slot)))
    }

    fn remove(&mut self, id: BodyId, momentum: &mut [i128; 3]) -> Result<(), Refusal> {
        let body = *self.find(id)?;
        add_change(momentum, body.momentum, Vec3::ZERO);
        let slot = &mut self.state.slots[id.slot as usize];
        *slot = Slot { generation: slot.generation + 1, body: None };
        self.scratch.free.give(id.slot, slot.generation);
        Ok(())
    }

    fn teleport(&mut self, id: BodyId, position: Vec3) -> Result<(), Refusal> {
        let shape = self.find(id)?.shape;
        self.state.check_position(position)?;
        self.check_room(shape, position, Some(id.slot))?;
        if let Some(body) = self.state.body_mut(id) {
            body.position = position;
        }
        self.note_place(id.slot, shape, position);
        Ok(())
    }

    fn push(&mut self, id: BodyId, impulse: Vec3, momentum: &mut [i128; 3]) -> Result<(), Refusal> {
        let body = *self.find(id)?;
        // Momentum is far inside the scalar; an impulse from outside may be anything.
        let pushed = Vec3::new(
            body.momentum.x.saturating_add(impulse.x),
            body.momentum.y.saturating_add(impulse.y),
            body.momentum.z.saturating_add(impulse.z),
        );
        self.state.check_velocity(Body { momentum: pushed, ..body }.velocity())?;
        self.set_momentum(id, pushed, momentum)
    }

    fn set_momentum(&mut self, id: BodyId, to: Vec3, momentum: &mut [i128; 3]) -> Result<(), Refusal> {
        let body = self.state.body_mut(id).ok_or(Refusal::NoBody { body: id })?;
        add_change(momentum, body.momentum, to);
        body.momentum = to;
        Ok(())
    }

    fn find(&self, id: BodyId) -> Result<&Body, Refusal> {
        self.state.body(id).ok_or(Refusal::NoBody { body: id })
    }

    /// Refuses a place that something solid other than the body in `but` overlaps.
    fn check_room(&mut self, shape: ShapeId, position: Vec3, but: Option<u32>) -> Result<(), Refusal> {
        let Self { state, scenery, scratch } = self;
        let form = scenery.shape(shape);
        let Some(region) = form.bounds(position) else {
            return Ok(()); // only statics are boundless
        };
        let mut first: Option<Collider> = None;
        let mut note = |with| first = Some(first.map_or(with, |least| least.min(with)));
        let places = scratch.places.get_or_insert_with(|| {
            let bodies = state.bodies();
            Forest::of(
                bodies
                    .filter_map(|(id, body)| {
                        Some((scenery.shape(body.shape).bounds(body.position)?, id.slot))
                    })
                    .collect(),
            )
        });
        places.query(&region, |slot| {
            // A place may be stale: the body has gone or moved on since.
            if let Some(body) = state.slots[slot as usize].body.filter(|_| but != Some(slot)) {
                if overlap_shapes(form, scenery.shape(body.shape), body.position - position) {
                    note(Collider::Body(state.id_of(slot)));
                }
            }
        });
        scenery.query(&region, |id| {
            let fixed = scenery.fixed(id);
            if overlap_shapes(form, scenery.shape(fixed.shape), fixed.position - position) {
                note(Collider::Static(id));
            }
        });
        first.map_or(Ok(()), |with| Err(Refusal::Overlaps { with }))
    }

    fn note_place(&mut self, slot: u32, shape: ShapeId, position: Vec3) {
        if let (Some(places), Some(bounds)) =
            (&mut self.scratch.places, self.scenery.shape(shape).bounds(position))
        {
            places.add(bounds, slot);
            // Stale places are harmless, but must not pile up where commands come without ticks.
            if places.len() > 4 * self.state.slots.len() + PLACES_SPARE {
                self.scratch.places = None;
            }
        }
    }
}
