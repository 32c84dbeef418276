//! A state as lines of text.

use anyhow::Result;

use super::output::{Screen, counted};
use crate::{session::Simulation, world::BodyId};

/// Every body, and every field of the game.
pub fn show_state<S: Simulation>(screen: &mut Screen, state: &S) -> Result<()> {
    let world = state.world();
    let (tick, rate) = (state.tick_count(), world.limits().tick_rate);
    let bodies = counted(world.bodies().count() as u64, "body");
    screen.line(format!("after tick {tick} ({rate} per second): {bodies}, checksum {}", state.checksum()))?;
    for (id, body) in world.bodies() {
        let shape = world.scenery().shapes()[usize::from(body.shape.0)].name();
        let (position, velocity) = (body.position, body.velocity());
        let id = id_column(id);
        screen.line(format!(
            "{id}  {shape}  mass {}  position {position}  velocity {velocity} per tick",
            body.mass
        ))?;
    }
    show_game(screen, state)
}

/// The fields that are the game's own, aligned.
fn show_game<S: Simulation>(screen: &mut Screen, state: &S) -> Result<()> {
    if S::name().is_empty() {
        return Ok(());
    }
    let fields = state.fields();
    let of_game: Vec<_> = fields.iter().filter(|field| field.path.starts_with("game")).collect();
    let width = of_game.iter().map(|field| field.path.chars().count()).max().unwrap_or(0);
    of_game.iter().try_for_each(|field| screen.line(format!("  {:<width$}  {}", field.path, field.value)))
}

fn id_column(id: BodyId) -> String {
    format!("{:>6}", id.to_string())
}
