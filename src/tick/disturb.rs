//! The sleepers that a command disturbs.

use crate::{
    state::{BodyId, BodyType, Collider, Command, SlotIndex},
    tick::World,
};

impl World {
    /// Adds the slots of the sleepers that a command would wake in the present state.
    ///
    /// A sleeper wakes if its motion or its filter changes, together with those that touch it. The sleepers
    /// that touch a kinematic or static body wake if that is removed, placed or changed.
    pub(super) fn add_disturbed(
        &mut self,
        command: &Command,
        named: Option<BodyId>,
        list: &mut Vec<SlotIndex>,
    ) {
        if self.state.sleep.is_empty() {
            return;
        }
        if let Command::SetHeights { ground, at, ref heights, .. } = *command {
            self.add_dug(ground, at, heights, list);
            return;
        }
        let Self { state, scenery, scratch, .. } = self;
        let is_for_all = match *command {
            Command::SetGravity { gravity } => gravity != state.gravity,
            Command::SetLayers { .. } => true,
            _ => false,
        };
        if is_for_all {
            list.extend(state.slot_indices());
            return;
        }
        let Some((id, body)) = named.and_then(|id| Some((id, *state.body(id)?))) else { return };
        let is_asleep = state.is_asleep(id.slot);
        if is_asleep {
            list.push(id.slot);
        }
        let is_placed = changes_place(command) && body.body_type != BodyType::Dynamic;
        if is_asleep || is_placed {
            scratch.sleepers.waking.tree.add_touched(state, scenery, &body, list);
        }
        if is_placed && state.limits.separation_speed != 0 {
            scratch.sleepers.waking.tree.add_driven(state, scenery, &body, list); // soft bodies move aside
        }
    }

    /// Wakes the bodies that a command has disturbed.
    pub(super) fn wake(&mut self, disturbed: &[SlotIndex]) {
        let Self { state, scenery, scratch, .. } = self;
        scratch.sleepers.wake(state, scenery, disturbed);
    }
}

/// The body that a command changes; none for data that no tick reads.
pub(super) fn named(command: &Command) -> Option<BodyId> {
    match *command {
        Command::Remove { body }
        | Command::Teleport { body, .. }
        | Command::MoveKinematic { body, .. }
        | Command::SetVelocity { body, .. }
        | Command::ApplyImpulse { body, .. }
        | Command::ApplyImpulseAt { body, .. }
        | Command::ApplyAngularImpulse { body, .. }
        | Command::SetAngularVelocity { body, .. }
        | Command::SetShape { body, .. }
        | Command::SetCompound { body, .. }
        | Command::SetFilter { body, .. }
        | Command::SetLocks { body, .. }
        | Command::SetDamping { body, .. }
        | Command::SetSleep { body, .. }
        | Command::SetOnHit { body, .. }
        | Command::SetDominance { body, .. }
        | Command::Drive { body, .. }
        | Command::EndDrive { body }
        | Command::Freeze { body, .. } => Some(body),
        Command::IgnorePair { a, .. } => Some(a),
        Command::Spawn(_)
        | Command::SetGravity { .. }
        | Command::SetLayers { .. }
        | Command::SetHeights { .. }
        | Command::SetUser { .. } => None,
    }
}

/// The other body of a command.
pub(super) const fn named_second(command: &Command) -> Option<BodyId> {
    match *command {
        Command::IgnorePair { b: Collider::Body(b), .. } => Some(b),
        _ => None,
    }
}

/// True if a command changes the position of a body, or its collisions there.
const fn changes_place(command: &Command) -> bool {
    matches!(
        command,
        Command::Spawn(_)
            | Command::Remove { .. }
            | Command::Teleport { .. }
            | Command::SetShape { .. }
            | Command::SetCompound { .. }
            | Command::SetFilter { .. }
    )
}
