//! Entities and their bodies.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use bitstep::state::BodyId;

/// The body that drives the `Transform` of an entity.
///
/// It is [inserted](crate::Physics::spawn) with the tick in which the body is spawned, or by the game for a body that exists.
/// The translation and the rotation are overwritten in each frame, the scale is left. An entity that has a parent is placed in the
/// parent's frame like any other.
///
/// A body has one entity; further meshes are its children. A despawned entity leaves its body in the world:
/// `Command::Remove { body }` removes that, and [`DespawnWithBody`] the entity with it.
///
/// The plugin removes the component when the body is gone for good: with [`BodyRemoved`](crate::BodyRemoved), and when the world or
/// the match is dropped or another one begins. A game inserts a world first and its entities after it, in the same frame or later.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[component(immutable, on_insert = enter, on_discard = leave)]
#[require(Transform)]
pub struct PhysicsBody(pub BodyId);

/// A marker of an entity that shows the pose of the last tick, and nothing between two.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct NoInterpolation;

/// A marker of an entity that is despawned where another one would lose its [`PhysicsBody`], and if the spawn of its body is
/// refused.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct DespawnWithBody;

/// A marker of an entity whose body is not in the world that is shown; its `Transform` stays where it was.
///
/// The plugin inserts and removes it. The body was removed, or a rollback may bring it back: only
/// [`BodyRemoved`](crate::BodyRemoved) is final. A game that hides such entities asks for `Added<Absent>`, and for
/// `RemovedComponents<Absent>` to show them again.
#[derive(Component, Clone, Copy, Default, Debug)]
#[component(storage = "SparseSet")] // in a table it would change the order of queries, by the frame rate
pub struct Absent;

/// The entities by their bodies, of the world or the match that is shown.
#[derive(Resource, Default, Debug)]
pub struct BodyEntities {
    entities: BTreeMap<BodyId, Entity>,
    /// The world that is shown; none before one begins and behind its end.
    world: Option<Weak<()>>,
}

impl BodyEntities {
    /// The entity of a body: the last one that was given this [`PhysicsBody`].
    #[must_use]
    pub fn get(&self, body: BodyId) -> Option<Entity> {
        self.entities.get(&body).copied()
    }

    /// All bodies that have an entity, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, Entity)> {
        self.entities.iter().map(|(body, entity)| (*body, *entity))
    }

    /// True if a world is shown.
    pub(crate) fn has_world(&self) -> bool {
        self.world.is_some()
    }

    /// True if this world is shown.
    pub(crate) fn is_of(&self, world: &Arc<()>) -> bool {
        self.world.as_ref().is_some_and(|shown| Weak::as_ptr(shown) == Arc::as_ptr(world))
    }

    /// True if a world is shown that is dropped.
    pub(crate) fn is_stale(&self) -> bool {
        self.world.as_ref().is_some_and(|shown| shown.strong_count() == 0)
    }

    /// Sets the world that is shown, and returns the entities of the last one.
    pub(crate) fn turn_to(&mut self, world: Option<&Arc<()>>) -> BTreeMap<BodyId, Entity> {
        match std::mem::replace(&mut self.world, world.map(Arc::downgrade)) {
            Some(_) => std::mem::take(&mut self.entities),
            None => BTreeMap::new(), // the entities here are for the world that begins
        }
    }
}

fn enter(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let body = world.get::<PhysicsBody>(entity).map(|body| body.0);
    if let (Some(body), Some(mut entities)) = (body, world.get_resource_mut::<BodyEntities>()) {
        let old = if entities.is_stale() { entities.turn_to(None) } else { BTreeMap::new() };
        entities.entities.insert(body, entity);
        release_all(old, &mut world.commands());
    }
}

fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let body = world.get::<PhysicsBody>(entity).map(|body| body.0);
    if let (Some(body), Some(mut entities)) = (body, world.get_resource_mut::<BodyEntities>())
        && entities.get(body) == Some(entity)
    {
        entities.entities.remove(&body);
    }
}

/// Separates an entity from its body, which is gone for good.
pub fn release(mut entity: EntityWorldMut) {
    if entity.contains::<DespawnWithBody>() {
        entity.despawn();
    } else if entity.take::<PhysicsBody>().is_some() {
        entity.insert(Absent);
    }
}

/// Separates entities from the bodies of a world that is gone.
pub fn release_all(entities: BTreeMap<BodyId, Entity>, commands: &mut Commands) {
    for entity in entities.into_values() {
        commands.entity(entity).queue_silenced(release);
    }
}
