//! Commands that cannot fail, and hit stop.

use bitstep::{
    World,
    geom::Vec3,
    session::Tick,
    state::{BodyId, Command},
};

/// Gives a command that cannot fail: a fighter's body exists, and a pose needs no room.
///
/// A comparison of recordings names the line of the caller.
#[track_caller]
pub fn apply(tick: &mut Tick<'_>, command: Command) {
    let outcome = tick.apply(command);
    debug_assert!(outcome.is_ok(), "{command:?}: {outcome:?}");
}

/// Hit stop: a body stands still for at least so many ticks, and then continues with a velocity.
pub fn stop(tick: &mut Tick<'_>, body: BodyId, ticks: u8, velocity: Vec3) {
    let ticks = u16::from(ticks).max(frozen(tick.world(), body));
    apply(tick, Command::Freeze { body, ticks });
    apply(tick, Command::SetVelocity { body, velocity });
}

/// Number of further ticks for which a body stands still.
pub fn frozen(world: &World, body: BodyId) -> u16 {
    world.body(body).map_or(0, |body| body.frozen)
}
