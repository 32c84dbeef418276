//! The plugin, and the order of its systems.

use std::sync::{Mutex, PoisonError};

use bevy::{app::RunFixedMainLoop, prelude::*, transform::TransformSystems};
use bitstep::World as BitstepWorld;

use crate::{
    BodyEntities, BodyRemoved, CommandRefused, ContactMessage, Physics, RenderOrigin,
    message::{Removals, announce_removals},
    physics::{begin, tick},
    transform::{Interpolation, interpolate, place_changed},
};

/// The sets of the plugin's systems.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PhysicsSystems {
    /// The tick, in `FixedUpdate`: commands and local inputs of systems before it count in this tick, its messages and its report
    /// are for systems after it.
    Tick,
    /// The transforms of bodies, in `RunFixedMainLoop` behind the fixed loop: systems in `Update` see them.
    Interpolate,
}

/// Ticks a world in `FixedUpdate`, and shows it between its ticks.
///
/// It needs the time of `MinimalPlugins` or `DefaultPlugins`.
#[derive(Default, Debug)]
pub struct BitstepPlugin {
    /// The world until the app takes it.
    world: Mutex<Option<BitstepWorld>>,
}

impl BitstepPlugin {
    /// The plugin with a world, which is the resource [`Physics`]. The [`default`](Self::default) has none: the game inserts
    /// `Physics` when a level begins, and removes it when the level is over.
    #[must_use]
    pub const fn new(world: BitstepWorld) -> Self {
        Self { world: Mutex::new(Some(world)) }
    }
}

impl Plugin for BitstepPlugin {
    fn build(&self, app: &mut App) {
        add_shared(app);
        if let Some(world) = self.world.lock().unwrap_or_else(PoisonError::into_inner).take() {
            app.insert_resource(Physics::new(world));
        }
        app.add_message::<CommandRefused>()
            .add_systems(RunFixedMainLoop, begin.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop))
            .add_systems(PostUpdate, begin.before(place_changed))
            .add_systems(FixedUpdate, tick.in_set(PhysicsSystems::Tick).before(announce_removals));
    }
}

/// Adds the systems that a world and a match share; an app may have both plugins.
pub fn add_shared(app: &mut App) {
    if !app.is_plugin_added::<SharedPlugin>() {
        app.add_plugins(SharedPlugin);
    }
}

struct SharedPlugin;

impl Plugin for SharedPlugin {
    fn build(&self, app: &mut App) {
        let behind = interpolate.in_set(PhysicsSystems::Interpolate);
        app.init_resource::<BodyEntities>()
            .init_resource::<Interpolation>()
            .init_resource::<Removals>()
            .init_resource::<RenderOrigin>()
            .add_message::<ContactMessage>()
            .add_message::<BodyRemoved>()
            .add_systems(FixedUpdate, announce_removals.in_set(PhysicsSystems::Tick))
            .add_systems(RunFixedMainLoop, behind.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop))
            .add_systems(PostUpdate, place_changed.before(TransformSystems::Propagate));
    }
}
