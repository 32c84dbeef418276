//! Entities and their bodies.

use std::collections::BTreeMap;

use bevy::{
    ecs::{lifecycle::HookContext, world::DeferredWorld},
    prelude::*,
};
use bitstep::state::BodyId;

/// The body that drives the `Transform` of an entity.
///
/// It is [inserted](crate::PhysicsCommands::spawn) with the tick in which the body is spawned, or by the game for a body that exists.
/// The translation and the rotation are overwritten in each frame, the scale is left. An entity that has a parent is placed in the
/// parent's frame like any other.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
#[component(immutable, on_insert = enter, on_discard = leave)]
#[require(Transform)]
pub struct PhysicsBody(pub BodyId);

/// A marker of an entity that shows the pose of the last tick, and nothing between two.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct NoInterpolation;

/// A marker of an entity that is despawned together with its body: see [`BodyRemoved`](crate::BodyRemoved).
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct DespawnWithBody;

/// A marker of an entity whose body is not in the world that is shown; its `Transform` stays where it was.
///
/// The plugin inserts and removes it. The body was removed, or a rollback may bring it back: only
/// [`BodyRemoved`](crate::BodyRemoved) is final. A game that hides such entities asks for `Added<Absent>`.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct Absent;

/// The entities by their bodies.
#[derive(Resource, Default, Debug)]
pub struct BodyEntities(BTreeMap<BodyId, Entity>);

impl BodyEntities {
    /// The entity of a body: the last one that was given this [`PhysicsBody`].
    #[must_use]
    pub fn get(&self, body: BodyId) -> Option<Entity> {
        self.0.get(&body).copied()
    }

    /// All bodies that have an entity, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, Entity)> {
        self.0.iter().map(|(body, entity)| (*body, *entity))
    }
}

fn enter(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let body = world.get::<PhysicsBody>(entity).map(|body| body.0);
    if let (Some(body), Some(mut entities)) = (body, world.get_resource_mut::<BodyEntities>()) {
        entities.0.insert(body, entity);
    }
}

fn leave(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    let body = world.get::<PhysicsBody>(entity).map(|body| body.0);
    if let (Some(body), Some(mut entities)) = (body, world.get_resource_mut::<BodyEntities>())
        && entities.get(body) == Some(entity)
    {
        entities.0.remove(&body);
    }
}
