//! The world as a resource, its commands, and its tick.

use std::time::Duration;

use bevy::{ecs::system::SystemParam, prelude::*};
use bitstep::{
    World as BitstepWorld,
    state::{Command, Done, Spawn},
    tick::TickReport,
};

use crate::{
    CommandRefused, ContactMessage, PhysicsBody,
    message::{KnownBodies, Removals, contacts},
    transform::Interpolation,
};

/// A world, ticked in `FixedUpdate` for as long as this resource exists.
///
/// Between ticks it is read; changes go through [`PhysicsCommands`].
#[derive(Resource, Debug)]
pub struct Physics {
    world: BitstepWorld,
    report: TickReport,
    commands: Vec<Command>,
    bodies: KnownBodies,
    /// True until the clock and the poses are set to the world.
    is_new: bool,
}

impl Physics {
    /// A world that is ticked from its state on. Its ticks list events.
    #[must_use]
    pub fn new(mut world: BitstepWorld) -> Self {
        world.enable_events(true);
        let bodies = KnownBodies::of(&world);
        Self { world, report: TickReport::default(), commands: Vec::new(), bodies, is_new: true }
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
}

/// The commands for the next tick, in the order in which they are applied.
///
/// They wait while there is no [`Physics`]. A match has none: there the rules of the game give commands.
#[derive(Resource, Default, Debug)]
pub struct PhysicsCommands {
    commands: Vec<Command>,
    /// The entities of spawns, by the index of the command.
    entities: Vec<(usize, Entity)>,
}

impl PhysicsCommands {
    /// Adds a command behind the others.
    pub fn push(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Adds the command that spawns a body for an entity, which gets the [`PhysicsBody`] in the tick; until
    /// then it is where the game placed it. If the command is refused, the
    /// entity stays without one, and is named in [`CommandRefused`].
    pub fn spawn(&mut self, entity: Entity, spawn: Spawn) {
        self.entities.push((self.commands.len(), entity));
        self.commands.push(Command::Spawn(spawn));
    }

    fn entity(&self, index: usize) -> Option<Entity> {
        let at = self.entities.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        Some(self.entities[at].1)
    }
}

impl Extend<Command> for PhysicsCommands {
    fn extend<T: IntoIterator<Item = Command>>(&mut self, commands: T) {
        self.commands.extend(commands);
    }
}

/// The effects of a tick on the app.
#[derive(SystemParam)]
pub struct Effects<'w> {
    clock: ResMut<'w, Time<Fixed>>,
    pub interpolation: ResMut<'w, Interpolation>,
    pub removals: ResMut<'w, Removals>,
    pub contacts: MessageWriter<'w, ContactMessage>,
}

impl Effects<'_> {
    /// Sets the clock and the poses to a world that begins.
    pub fn begin(&mut self, world: &BitstepWorld) {
        let rate = u64::from(world.limits().tick_rate.max(1));
        self.clock.set_timestep(Duration::from_nanos((1_000_000_000 + rate / 2) / rate));
        self.interpolation.begin(world);
    }
}

/// Begins a world that was inserted since the last frame.
pub fn begin(physics: Option<ResMut<Physics>>, mut effects: Effects) {
    if let Some(mut physics) = physics.filter(|physics| physics.is_new) {
        effects.begin(&physics.world);
        physics.is_new = false;
    }
}

/// Plays a tick.
pub fn tick(
    physics: Option<ResMut<Physics>>,
    mut queue: ResMut<PhysicsCommands>,
    mut effects: Effects,
    mut refusals: MessageWriter<CommandRefused>,
    mut entities: Commands,
) {
    let Some(mut physics) = physics else { return };
    let Physics { world, report, commands, bodies, is_new } = &mut *physics;
    if std::mem::take(is_new) {
        effects.begin(world);
    }
    commands.clear();
    commands.append(&mut queue.commands);
    let _ = world.tick(commands, report); // the outcomes are in the report
    let mut teleported = Vec::new();
    for (index, (command, outcome)) in commands.iter().zip(&report.outcomes).enumerate() {
        let entity = queue.entity(index);
        match (outcome, command) {
            (Err(refused), _) => {
                let (command, refused) = (*command, refused.clone());
                refusals.write(CommandRefused { tick: report.tick, command, refused, entity });
            }
            (Ok(Done::Spawned(body)), _) => {
                if let Some(Ok(mut entity)) = entity.map(|entity| entities.get_entity(entity)) {
                    entity.try_insert(PhysicsBody(*body));
                }
            }
            (Ok(Done::Applied), Command::Teleport { body, .. }) => teleported.push(*body),
            (Ok(Done::Applied), _) => {}
        }
    }
    queue.entities.clear();
    effects.contacts.write_batch(contacts(report));
    effects.removals.0.extend(bodies.removed(world, report));
    effects.interpolation.advance(world, teleported);
}
