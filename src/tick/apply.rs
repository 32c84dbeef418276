//! Commands, each checked before it is applied.

use super::{
    Probe, TickReport,
    disturb::{named, named_second},
    ledger::{Cause, wide},
};
use crate::{
    geom::{IVec3, Pose, Vec3},
    num::round::div_nearest,
    state::{
        Body, BodyId, BodyType, Command, Done, Drive, Filter, Outcome, Refusal, Refused, Rule, ShapeId,
        Sleep, Slot, SlotIndex, Spawn, StateError, check_layer, momentum_wide,
    },
    tick::World,
};

/// The effect of commands.
#[must_use = "a command may have been refused"]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The result of each command, in their order.
    pub outcomes: Vec<Outcome>,
    /// The change of the sum of all momenta, in raw.
    pub momentum: [i128; 3],
    /// The bodies that they woke, by id.
    pub woke: Vec<BodyId>,
}

impl Applied {
    /// The effect of each command, if all were accepted.
    ///
    /// # Errors
    ///
    /// The first that was refused; those before and after it took effect, as far as they were not refused as well.
    pub fn accepted(self) -> Result<Vec<Done>, Refused> {
        self.outcomes.into_iter().collect()
    }
}

/// The results of the commands of a tick; they are in its report as well.
#[must_use = "a command may have been refused"]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TickOutcomes<'a>(pub &'a [Outcome]);

impl TickOutcomes<'_> {
    /// The effect of each command, if all were accepted.
    ///
    /// # Errors
    ///
    /// The first that was refused; those before and after it took effect, as far as they were not refused as well.
    pub fn accepted(self) -> Result<Vec<Done>, Refused> {
        self.0.iter().cloned().collect()
    }
}

impl World {
    /// Applies commands at once, in the order given.
    ///
    /// This is for the setup of a world. A recording stores the commands of ticks, so while one is made,
    /// commands go through [`World::tick`].
    ///
    /// A refused command changes nothing and does not stop the others. Each command sees the changes of the
    /// ones before it; later commands may name bodies of the same list through [`next_ids`](World::next_ids).
    pub fn apply(&mut self, commands: &[Command]) -> Applied {
        let (mut outcomes, mut momentum) = (Vec::with_capacity(commands.len()), IVec3::default());
        self.apply_into(commands, &mut outcomes, &mut momentum);
        let mut woke: Vec<_> = self.scratch.sleepers.waking.woken.drain(..).collect();
        woke.sort_unstable();
        Applied { outcomes, momentum: momentum.0, woke }
    }

    /// Applies commands and steps one tick.
    ///
    /// A refused command changes nothing and does not stop the others, nor the tick. [`step`](World::step) is a tick
    /// without commands.
    pub fn tick<'a>(&mut self, commands: &[Command], report: &'a mut TickReport) -> TickOutcomes<'a> {
        self.tick_with(commands, report, &mut ())
    }

    /// Applies commands and steps one tick with an observer.
    pub fn tick_with<'a>(
        &mut self,
        commands: &[Command],
        report: &'a mut TickReport,
        probe: &mut impl Probe,
    ) -> TickOutcomes<'a> {
        let mut momentum = IVec3::default();
        report.outcomes.clear();
        self.apply_into(commands, &mut report.outcomes, &mut momentum);
        self.step_applied(report, probe);
        report.ledger[Cause::Commands] = momentum.0;
        TickOutcomes(&report.outcomes)
    }

    /// Applies commands, and adds their results and their change of the total momentum.
    pub(crate) fn apply_into(
        &mut self,
        commands: &[Command],
        outcomes: &mut Vec<Outcome>,
        momentum: &mut IVec3<i128>,
    ) {
        if !commands.is_empty() {
            self.scratch.events.forget_paths();
        }
        let first = outcomes.len();
        outcomes.extend(commands.iter().enumerate().map(|(index, command)| {
            let done = match self.state.has_sleep() {
                true => self.apply_waking(command, momentum),
                false => self.apply_one(command, momentum),
            };
            done.map_err(|reason| Refused::new(first + index, command, reason))
        }));
    }

    /// Applies a command, and wakes the bodies that it disturbs, by their places before and after.
    fn apply_waking(&mut self, command: &Command, momentum: &mut IVec3<i128>) -> Result<Done, Refusal> {
        let (named, mut disturbed) = (named(command), Vec::new());
        self.add_disturbed(command, named, &mut disturbed);
        self.add_disturbed(command, named_second(command), &mut disturbed);
        let done = self.apply_one(command, momentum)?;
        let changed = if let Done::Spawned(id) = done { Some(id) } else { named };
        self.add_disturbed(command, changed, &mut disturbed);
        self.wake(&disturbed);
        Ok(done)
    }

    fn apply_one(&mut self, command: &Command, momentum: &mut IVec3<i128>) -> Result<Done, Refusal> {
        match *command {
            Command::Spawn(spawn) => return self.spawn(spawn, momentum),
            Command::Remove { body } => self.remove(body, momentum)?,
            Command::Teleport { body, position, orientation: None, allow_overlap } => {
                self.teleport(body, position, allow_overlap)?
            }
            Command::Teleport { body, position, orientation: Some(orientation), allow_overlap } => {
                self.teleport_rotated(body, Pose { position, orientation }, allow_overlap)?
            }
            Command::MoveKinematic { body, position } => self.move_kinematic(body, position)?,
            Command::SetVelocity { body, velocity } => self.set_velocity(body, velocity, momentum)?,
            Command::ApplyImpulse { body, impulse } => self.apply_impulse(body, impulse, momentum)?,
            Command::ApplyImpulseAt { body, impulse, point } => {
                self.apply_impulse_at(body, impulse, point, momentum)?
            }
            Command::ApplyAngularImpulse { body, angular_impulse } => {
                self.apply_angular_impulse(body, angular_impulse)?
            }
            Command::SetAngularVelocity { body, angular_velocity } => {
                self.set_angular_velocity(body, angular_velocity)?
            }
            Command::SetGravity { gravity } => {
                self.state.check_gravity(gravity)?;
                self.state.gravity = gravity;
            }
            Command::SetShape { body, shape, allow_overlap } => self.set_shape(body, shape, allow_overlap)?,
            Command::SetCompound { body, compound: set, mirrored, allow_overlap } => {
                self.state.check_set(set, &self.scenery)?;
                self.set_shape(body, ShapeId::of_compound(set, mirrored), allow_overlap)?;
            }
            Command::SetFilter { body, layer, group, allow_overlap } => {
                self.set_filter(body, (layer, group), allow_overlap)?
            }
            Command::SetLayers { a, b, rule, allow_overlap } => {
                self.set_layers((a, b), rule, allow_overlap)?
            }
            Command::SetLocks { body, locks } => self.set_locks(body, locks, momentum)?,
            Command::SetDamping { body, damping_q16 } => self.find_mut(body)?.damping_q16 = damping_q16,
            Command::SetSleep { body, sleeps } => self.set_sleep(body, sleeps)?,
            Command::Drive { body, velocity, accel_max } => {
                self.set_drive(body, Some(Drive { velocity, accel_max }))?
            }
            Command::EndDrive { body } => self.set_drive(body, None)?,
            Command::SetOnHit { body, on_hit } => {
                self.find_of(body, &[BodyType::Dynamic])?;
                self.find_mut(body)?.on_hit = on_hit;
            }
            Command::SetDominance { body, dominance } => {
                self.find_of(body, &[BodyType::Dynamic])?;
                self.find_mut(body)?.dominance = dominance;
            }
            Command::Freeze { body, ticks } => {
                self.find_of(body, &[BodyType::Dynamic, BodyType::Kinematic])?;
                self.find_mut(body)?.frozen = ticks;
            }
            Command::IgnorePair { a, b, ticks } => self.ignore_pair(a, b, ticks)?,
            Command::SetHeights { ground, at, ref heights, lift } => {
                self.set_heights(ground, at, heights, lift)?
            }
            Command::SetUser { body, user } => self.find_mut(body)?.user = user,
        }
        Ok(Done::Applied)
    }

    fn spawn(&mut self, spawn: Spawn, momentum: &mut IVec3<i128>) -> Result<Done, Refusal> {
        self.state.check_velocity(spawn.velocity)?;
        let spawn = Spawn { locks: self.state.locks_of(spawn.locks, spawn.rotates), ..spawn };
        let unmoved = spawn.body_at_rest();
        self.state.check_body(&unmoved, &self.scenery)?;
        let spin = self.spin_of_spawn(&spawn, &unmoved)?;
        let body = Body { momentum: momentum_wide(spawn.velocity, spawn.mass), spin, ..unmoved };
        self.state.check_body(&body, &self.scenery)?;
        let limit = self.state.limits.bodies_max;
        if self.scratch.free.is_empty() && self.state.slots.len() as u64 >= u64::from(limit) {
            return Err(Refusal::Full { limit });
        }
        self.check_room(&body, None, spawn.allow_overlap)?;
        let slot = self.scratch.free.take().unwrap_or(SlotIndex(self.state.slots.len() as u32));
        if slot.place() == self.state.slots.len() {
            self.state.slots.push(Slot { generation: 0, body: None });
            if self.state.has_sleep() {
                self.state.sleep.push(Sleep::NEW);
            }
        }
        self.state.slots[slot.place()].body = Some(body);
        self.note_place(slot, &body);
        note_change(momentum, &body, Vec3::ZERO, body.momentum);
        Ok(Done::Spawned(self.state.id_of(slot)))
    }

    fn remove(&mut self, id: BodyId, momentum: &mut IVec3<i128>) -> Result<(), Refusal> {
        let body = *self.find(id)?;
        note_change(momentum, &body, body.momentum, Vec3::ZERO);
        self.state.forget_ignored_pairs(id.slot);
        let slot = &mut self.state.slots[id.slot.place()];
        *slot = Slot { generation: slot.generation + 1, body: None };
        self.scratch.free.give(id.slot, slot.generation);
        if self.state.is_asleep(id.slot) {
            self.scratch.sleepers.waking.tree.discard();
        }
        self.state.set_sleep(id.slot, Sleep::NEW);
        Ok(())
    }

    fn teleport(&mut self, id: BodyId, position: Vec3, allow_overlap: bool) -> Result<(), Refusal> {
        self.state.check_position(position)?;
        let moved = Body { position, ..*self.find(id)? };
        self.place(id, moved, allow_overlap)
    }

    fn set_shape(&mut self, id: BodyId, shape: ShapeId, allow_overlap: bool) -> Result<(), Refusal> {
        let changed = Body { shape, ..*self.find(id)? };
        self.state.check_body(&changed, &self.scenery)?;
        self.place(id, changed, allow_overlap)
    }

    /// Gives a body a new pose or shape, if there is room.
    pub(super) fn place(&mut self, id: BodyId, body: Body, allow_overlap: bool) -> Result<(), Refusal> {
        self.check_room(&body, Some(id.slot), allow_overlap)?;
        *self.find_mut(id)? = body;
        self.note_place(id.slot, &body);
        Ok(())
    }

    fn set_filter(
        &mut self,
        id: BodyId,
        (layer, group): (u8, u16),
        allow_overlap: bool,
    ) -> Result<(), Refusal> {
        check_layer("layer", layer)?;
        let body = *self.find(id)?;
        if allow_overlap {
            self.scratch.is_apart = false;
        } else {
            self.check_filter(id, &body, Filter { body_type: body.body_type, layer, group })?;
        }
        *self.find_mut(id)? = Body { layer, group, ..body };
        Ok(())
    }

    fn set_layers(&mut self, (a, b): (u8, u8), rule: Rule, allow_overlap: bool) -> Result<(), Refusal> {
        check_layer("layer a", a)?;
        check_layer("layer b", b)?;
        let mut layers = self.state.layers;
        layers.set(a, b, rule);
        if allow_overlap {
            self.scratch.is_apart = false;
        } else if rule == Rule::Solid && layers != self.state.layers {
            self.check_layers(&layers)?;
        }
        self.state.layers = layers;
        Ok(())
    }

    /// Gives a kinematic body the velocity that takes it to a position in a tick, for one tick.
    fn move_kinematic(&mut self, id: BodyId, position: Vec3) -> Result<(), Refusal> {
        self.state.check_position(position)?;
        let body = *self.find_of(id, &[BodyType::Kinematic])?;
        let steps = i128::from(self.state.limits.substeps);
        let motion = (position - body.position).map_raw(|raw| div_nearest(raw.into(), steps) as i64);
        self.state.check_velocity(motion)?;
        let moved = Body { momentum: momentum_wide(motion, body.mass), stops: true, ..body };
        self.state.check_motion(&moved)?;
        *self.find_mut(id)? = moved;
        Ok(())
    }

    /// Sets whether a body may sleep; a sleeping body wakes.
    fn set_sleep(&mut self, id: BodyId, sleeps: bool) -> Result<(), Refusal> {
        self.find_of(id, &[BodyType::Dynamic])?;
        if !self.state.has_sleep() {
            let reason = "no body sleeps where the limit sleep_after is 0";
            return Err(StateError::impossible("sleep", reason).into());
        }
        self.wake(&[id.slot]);
        match (sleeps, self.state.sleep_of(id.slot)) {
            (true, Sleep::Never) => self.state.set_sleep(id.slot, Sleep::NEW),
            (false, _) => self.state.set_sleep(id.slot, Sleep::Never),
            _ => {}
        }
        Ok(())
    }

    fn set_drive(&mut self, id: BodyId, drive: Option<Drive>) -> Result<(), Refusal> {
        let body_type = self.find_of(id, &[BodyType::Dynamic])?.body_type;
        drive.map_or(Ok(()), |drive| drive.check(body_type, &self.state.limits))?;
        self.find_mut(id)?.drive = drive;
        Ok(())
    }

    fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: Vec3,
        momentum: &mut IVec3<i128>,
    ) -> Result<(), Refusal> {
        self.state.check_velocity(velocity)?;
        let mass = self.find_of(id, &[BodyType::Dynamic, BodyType::Kinematic])?.mass;
        self.set_momentum(id, momentum_wide(velocity, mass), momentum)?;
        self.find_mut(id)?.stops = false;
        Ok(())
    }

    pub(super) fn apply_impulse(
        &mut self,
        id: BodyId,
        impulse: Vec3,
        momentum: &mut IVec3<i128>,
    ) -> Result<(), Refusal> {
        let body = *self.find_of(id, &[BodyType::Dynamic])?;
        // Momentum is far inside the range of a scalar; an impulse from outside may have any value.
        let pushed = Vec3::new(
            body.momentum.x.saturating_add(impulse.x),
            body.momentum.y.saturating_add(impulse.y),
            body.momentum.z.saturating_add(impulse.z),
        );
        self.state.check_velocity(Body { momentum: pushed, ..body }.velocity())?;
        self.set_momentum(id, pushed, momentum)
    }

    pub(super) fn set_momentum(
        &mut self,
        id: BodyId,
        to: Vec3,
        momentum: &mut IVec3<i128>,
    ) -> Result<(), Refusal> {
        let changed = Body { momentum: to, ..*self.find(id)? };
        self.state.check_motion(&changed)?;
        let body = self.find_mut(id)?;
        note_change(momentum, body, body.momentum, to);
        body.momentum = to;
        Ok(())
    }

    pub(super) fn find(&self, id: BodyId) -> Result<&Body, Refusal> {
        self.state.body(id).ok_or(Refusal::NoBody { body: id })
    }

    /// The body of an id, if it has one of these types.
    pub(super) fn find_of(&self, id: BodyId, kinds: &[BodyType]) -> Result<&Body, Refusal> {
        let body = self.find(id)?;
        let fits = kinds.contains(&body.body_type);
        if fits { Ok(body) } else { Err(Refusal::BodyType { body: id, body_type: body.body_type }) }
    }

    pub(super) fn find_mut(&mut self, id: BodyId) -> Result<&mut Body, Refusal> {
        self.state.body_mut(id).ok_or(Refusal::NoBody { body: id })
    }
}

/// Adds a change of momentum to the ledger's line, if the body is dynamic.
fn note_change(momentum: &mut IVec3<i128>, body: &Body, from: Vec3, to: Vec3) {
    if body.body_type == BodyType::Dynamic {
        *momentum = *momentum + wide(to) - wide(from);
    }
}
