//! Messages of ticks, and the bodies that are gone.

use bevy::prelude::*;
use bitstep::{
    World as BitstepWorld,
    state::{BodyId, Command, Refused},
    tick::{ContactEvent, Impact, Removed, TickReport},
};

use crate::{BodyEntities, DespawnWithBody};

/// A contact or sensor event: begin, end, hit, enter or exit.
///
/// One message for each event of each tick, in order. In a match they are those of confirmed ticks, so that each is final, and
/// there are none unless the match or its game lists events.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContactMessage {
    /// The event, with its tick and the ids of the pair.
    pub event: ContactEvent,
    /// The impact of a hit, with its normal and its closing speed; `None` of other events.
    pub impact: Option<Impact>,
}

/// A body that was removed, by a command or at its first impact. Its id is stale.
///
/// In a match the tick is confirmed, so that no rollback brings the body back.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyRemoved {
    /// The tick.
    pub tick: u64,
    /// The body.
    pub body: BodyId,
    /// The entity that had it. With [`DespawnWithBody`] it is despawned in the same tick; otherwise it is left to the game.
    pub entity: Option<Entity>,
    /// The impact that removed it, with its user data; `None` if a command did. The report lists all colliders that it hit.
    pub hit: Option<Removed>,
}

/// A command that was refused; it changed nothing.
#[derive(Message, Clone, PartialEq, Eq, Debug)]
pub struct CommandRefused {
    /// The tick.
    pub tick: u64,
    /// The command.
    pub command: Command,
    /// Its place among the commands of the tick, and the reason.
    pub refused: Refused,
    /// The entity for which a body was to be spawned.
    pub entity: Option<Entity>,
}

/// The contact messages of a tick.
pub fn contacts(report: &TickReport) -> impl Iterator<Item = ContactMessage> {
    report
        .events
        .iter()
        .map(|event| ContactMessage { event: *event, impact: report.impact_of(event).copied() })
}

/// The bodies after a tick, to find those that the next one removes.
#[derive(Default, Debug)]
pub struct KnownBodies(Vec<BodyId>);

impl KnownBodies {
    /// The bodies of a world.
    pub fn of(world: &BitstepWorld) -> Self {
        Self(world.bodies().map(|(id, _)| id).collect())
    }

    /// Takes the world after the next tick, and returns the bodies that it removed, in the order of their ids.
    pub fn removed(&mut self, world: &BitstepWorld, report: &TickReport) -> Vec<BodyRemoved> {
        // A body that was spawned and removed in this tick is in the report alone.
        let known = self.0.iter().copied().chain(report.removed.iter().map(|removed| removed.body));
        let mut gone: Vec<_> = known.filter(|id| world.body(*id).is_none()).collect();
        gone.sort_unstable();
        gone.dedup();
        self.0.clear();
        self.0.extend(world.bodies().map(|(id, _)| id));
        let hit = |body| report.removed.iter().find(|removed| removed.body == body).copied();
        gone.into_iter()
            .map(|body| BodyRemoved { tick: report.tick, body, entity: None, hit: hit(body) })
            .collect()
    }
}

/// The removed bodies of which no message was written yet.
#[derive(Resource, Default, Debug)]
pub struct Removals(pub Vec<BodyRemoved>);

/// Writes the messages of removed bodies, and despawns entities that ask for it.
///
/// It is a system of its own, behind that of the tick: a body may be removed in the tick in which its entity gets it.
pub fn announce_removals(
    mut removals: ResMut<Removals>,
    entities: Res<BodyEntities>,
    marked: Query<(), With<DespawnWithBody>>,
    mut messages: MessageWriter<BodyRemoved>,
    mut commands: Commands,
) {
    for removed in removals.0.drain(..) {
        let entity = entities.get(removed.body);
        messages.write(BodyRemoved { entity, ..removed });
        if let Some(entity) = entity.filter(|entity| marked.contains(*entity)) {
            commands.entity(entity).despawn();
        }
    }
}
