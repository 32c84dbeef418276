//! The world as a resource, its commands, and its tick.

use std::{sync::Arc, time::Duration};

use bevy::{ecs::system::SystemParam, prelude::*};
use bitstep::{
    World as BitstepWorld,
    state::{BodyId, Command, Done, Spawn},
    tick::TickReport,
};

use crate::{
    BodyEntities, CommandRefused, ContactMessage, PhysicsBody,
    body::{release, release_all},
    message::{KnownBodies, Removals, contacts},
    transform::Interpolation,
};

/// A world, ticked in `FixedUpdate` for as long as this resource exists, with the commands for its next tick.
///
/// Between ticks the world is read; changes are commands, which the next tick applies in the order in which they were given. They
/// belong to this world: a level may begin with some, and those that no tick has applied are dropped with it, while their entities
/// are left to the game. A world that is taken out and kept has its entities until another one begins, and goes on when it is back.
#[derive(Resource, Debug)]
pub struct Physics {
    world: BitstepWorld,
    report: TickReport,
    /// The commands for the next tick, and the entities of spawns.
    queue: Vec<(Command, Option<Entity>)>,
    commands: Vec<Command>,
    bodies: KnownBodies,
    /// The identity of the world. It is the only strong reference, so a weak one tells when the world is dropped.
    life: Arc<()>,
}

impl Physics {
    /// A world that is ticked from its state on. Its ticks list events if
    /// [`World::enable_events`](BitstepWorld::enable_events) says so; by default they do not.
    #[must_use]
    pub fn new(world: BitstepWorld) -> Self {
        let bodies = KnownBodies::of(&world);
        let (report, life) = (TickReport::default(), Arc::default());
        Self { world, report, queue: Vec::new(), commands: Vec::new(), bodies, life }
    }

    /// The world after the last tick.
    #[must_use]
    pub const fn world(&self) -> &BitstepWorld {
        &self.world
    }

    /// The report of the last tick. A frame may have several ticks: a system that needs the report of each is in `FixedUpdate`,
    /// after [`PhysicsSystems::Tick`](crate::PhysicsSystems::Tick).
    #[must_use]
    pub const fn report(&self) -> &TickReport {
        &self.report
    }

    /// The commands of the last tick, the refused ones too, in their order: the inputs that a
    /// [`Recorder`](bitstep::replay::Recorder) takes with the world.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// Adds a command for the next tick behind the others.
    pub fn push(&mut self, command: Command) {
        self.queue.push((command, None));
    }

    /// Adds the command that spawns a body for an entity, which gets the [`PhysicsBody`] in the tick; until
    /// then it is where the game placed it. If the command is refused, the entity stays without one, and is named in
    /// [`CommandRefused`]. If the entity is despawned before the tick, the command is discarded.
    pub fn spawn(&mut self, entity: Entity, spawn: Spawn) {
        self.queue.push((Command::Spawn(spawn), Some(entity)));
    }
}

impl Extend<Command> for Physics {
    fn extend<T: IntoIterator<Item = Command>>(&mut self, commands: T) {
        self.queue.extend(commands.into_iter().map(|command| (command, None)));
    }
}

/// The effects of a world on the app.
#[derive(SystemParam)]
pub struct Effects<'w, 's> {
    clock: ResMut<'w, Time<Fixed>>,
    interpolation: ResMut<'w, Interpolation>,
    pub entities: ResMut<'w, BodyEntities>,
    pub removals: ResMut<'w, Removals>,
    pub contacts: MessageWriter<'w, ContactMessage>,
    pub commands: Commands<'w, 's>,
}

impl Effects<'_, '_> {
    /// Shows a world unless it is shown already, and sets the clock to it; `life` is its identity.
    pub fn begin(&mut self, world: &BitstepWorld, life: &Arc<()>) {
        if self.entities.is_of(life) {
            return;
        }
        release_all(self.entities.turn_to(Some(life)), &mut self.commands);
        let rate = u64::from(world.limits().tick_rate.max(1));
        self.clock.set_timestep(Duration::from_nanos((1_000_000_000 + rate / 2) / rate));
        self.clock.discard_overstep(Duration::MAX);
        self.interpolation.begin(world);
    }

    /// Shows nothing if the world that was shown is dropped.
    pub fn end(&mut self) {
        if self.entities.is_stale() {
            release_all(self.entities.turn_to(None), &mut self.commands);
        }
        // An entity for the next world may have ended the last one already.
        if !self.entities.has_world() {
            self.interpolation.clear();
        }
    }

    /// Shows the world after another tick, with the bodies that it teleported.
    pub fn advance(&mut self, world: &BitstepWorld, teleported: Vec<BodyId>) {
        self.interpolation.advance(world, teleported, self.clock.elapsed());
    }
}

/// Begins a world that was inserted, or ends one that was removed.
pub fn begin(physics: Option<Res<Physics>>, mut effects: Effects) {
    match physics {
        Some(physics) => effects.begin(&physics.world, &physics.life),
        None => effects.end(),
    }
}

/// Plays a tick.
pub fn tick(
    physics: Option<ResMut<Physics>>,
    mut effects: Effects,
    mut refusals: MessageWriter<CommandRefused>,
) {
    let Some(mut physics) = physics else { return };
    let Physics { world, report, queue, commands, bodies, life } = &mut *physics;
    effects.begin(world, life);
    queue.retain(|(_, entity)| entity.is_none_or(|entity| effects.commands.get_entity(entity).is_ok()));
    commands.clear();
    commands.extend(queue.iter().map(|(command, _)| *command));
    let _ = world.tick(commands, report); // the outcomes are in the report
    let mut teleported = Vec::new();
    for ((command, entity), outcome) in queue.drain(..).zip(&report.outcomes) {
        match (outcome, command) {
            (Err(refused), _) => {
                let refused = refused.clone();
                refusals.write(CommandRefused { tick: report.tick, command, refused, entity });
                if let Some(entity) = entity {
                    effects.commands.entity(entity).queue_silenced(release_bodiless);
                }
            }
            (Ok(Done::Spawned(body)), _) => {
                if let Some(entity) = entity {
                    effects.commands.entity(entity).try_insert(PhysicsBody(*body));
                }
            }
            (Ok(Done::Applied), Command::Teleport { body, .. }) => teleported.push(body),
            (Ok(Done::Applied), _) => {}
        }
    }
    effects.contacts.write_batch(contacts(report));
    effects.removals.0.extend(bodies.removed(world, report));
    effects.advance(world, teleported);
}

/// Releases an entity that got no body; one that has another keeps it.
fn release_bodiless(entity: EntityWorldMut) {
    if !entity.contains::<PhysicsBody>() {
        release(entity);
    }
}
