//! Messages of ticks, and the bodies that are gone.

use bevy::prelude::*;
use bitstep::{
    World as BitstepWorld,
    state::{BodyId, Command, Done, Refused},
    tick::{ContactEvent, Impact, Removed, TickReport},
};

use crate::{BodyEntities, body::release};

/// A contact or sensor event: begin, end, hit, enter or exit.
///
/// One message for each event of each tick, in order. In a match they are those of confirmed ticks, so that each is final, and
/// there are none unless the match or its game lists events. Other worlds list them if
/// [`World::enable_events`](BitstepWorld::enable_events) says so; by default they do not.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContactMessage {
    /// The event, with its tick and the ids of the pair.
    pub event: ContactEvent,
    /// The impact of a hit, with its normal and its closing speed; `None` of other events.
    pub impact: Option<Impact>,
}

/// A body that was removed, by a command or at its first impact, or whose spawn was withdrawn by a rollback. It is gone for good.
///
/// In a match a removal is confirmed, so that no rollback brings the body back. A withdrawn body frees its id: if the same rollback
/// spawns another body under it, there is no message, and that body drives the entity. A game where that matters compares
/// `Body::user` or the shape with those for which it made the entity.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyRemoved {
    /// The tick; of a withdrawn body the last predicted one.
    pub tick: u64,
    /// The body.
    pub body: BodyId,
    /// The entity that had it. With [`DespawnWithBody`](crate::DespawnWithBody) it is despawned in the same tick; otherwise it loses
    /// its [`PhysicsBody`](crate::PhysicsBody), is [`Absent`](crate::Absent), and is left to the game.
    pub entity: Option<Entity>,
    /// The impact that removed it, with its user data; otherwise `None`. The report lists all colliders that it hit.
    pub hit: Option<Removed>,
    /// True if its spawn was predicted in a match, and never confirmed.
    pub withdrawn: bool,
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
    /// The entity for which a body was to be spawned. With [`DespawnWithBody`](crate::DespawnWithBody) it is despawned, unless it
    /// has another body.
    pub entity: Option<Entity>,
}

impl BodyRemoved {
    const fn new(tick: u64, body: BodyId) -> Self {
        Self { tick, body, entity: None, hit: None, withdrawn: false }
    }
}

/// The contact messages of a tick.
pub fn contacts(report: &TickReport) -> impl Iterator<Item = ContactMessage> {
    report
        .events
        .iter()
        .map(|event| ContactMessage { event: *event, impact: report.impact_of(event).copied() })
}

/// The bodies after a tick, to find those that the next one removes; `None` until they are known.
#[derive(Default, Debug)]
pub struct KnownBodies(Option<Vec<BodyId>>);

impl KnownBodies {
    /// The bodies of a world.
    pub fn of(world: &BitstepWorld) -> Self {
        Self(Some(world.bodies().map(|(id, _)| id).collect()))
    }

    /// Takes the world after the next tick, and returns the bodies that it removed, in the order of their ids.
    pub fn removed(&mut self, world: &BitstepWorld, report: &TickReport) -> Vec<BodyRemoved> {
        let known = self.0.get_or_insert_default();
        // Bodies that were spawned and removed in this tick are in the report alone.
        known.extend(report.removed.iter().map(|removed| removed.body));
        known.extend(report.outcomes.iter().filter_map(|outcome| match outcome {
            Ok(Done::Spawned(body)) => Some(*body),
            _ => None,
        }));
        let mut gone: Vec<_> = known.drain(..).filter(|id| world.body(*id).is_none()).collect();
        gone.sort_unstable();
        gone.dedup();
        known.extend(world.bodies().map(|(id, _)| id));
        let hit = |body| report.removed.iter().find(|removed| removed.body == body).copied();
        let message = |body| BodyRemoved { hit: hit(body), ..BodyRemoved::new(report.tick, body) };
        gone.into_iter().map(message).collect()
    }

    /// The bodies with an entity that are neither in the predicted state nor among these, the confirmed ones.
    #[cfg(feature = "rollback")]
    pub fn withdrawn(&self, predicted: &BitstepWorld, entities: &BodyEntities) -> Vec<BodyRemoved> {
        let Some(confirmed) = &self.0 else { return Vec::new() };
        let bodies = entities.iter().map(|(body, _)| body);
        bodies
            .filter(|body| predicted.body(*body).is_none() && confirmed.binary_search(body).is_err())
            .map(|body| BodyRemoved { withdrawn: true, ..BodyRemoved::new(predicted.tick_count(), body) })
            .collect()
    }
}

/// The removed bodies of which no message was written yet.
#[derive(Resource, Default, Debug)]
pub struct Removals(pub Vec<BodyRemoved>);

/// Writes the messages of removed bodies, and separates their entities from them.
///
/// It is a system of its own, behind that of the tick: a body may be removed in the tick in which its entity gets it.
pub fn announce_removals(
    mut removals: ResMut<Removals>,
    entities: Res<BodyEntities>,
    mut messages: MessageWriter<BodyRemoved>,
    mut commands: Commands,
) {
    for removed in removals.0.drain(..) {
        let entity = entities.get(removed.body);
        messages.write(BodyRemoved { entity, ..removed });
        if let Some(entity) = entity {
            commands.entity(entity).queue_silenced(release);
        }
    }
}
