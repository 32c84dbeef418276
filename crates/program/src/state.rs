//! A state as lines of text.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::{
    Ending,
    output::{Screen, complain, counted, program},
    program_of,
};
use bitstep::{
    World,
    replay::Replay,
    session::Simulation,
    snapshot::RULES_VERSION,
    state::{BodyId, CompoundId, Scenery, ShapeId, Spin},
};

/// The ending for a printed state: whether it is the recorded one after so many ticks; if not, a note is
/// printed.
pub fn ending<S: Simulation>(path: &Path, replay: &Replay<S>, ticks: u64, state: &S) -> Ending {
    let found = state.checksum();
    let Some(before) = (ticks as usize).checked_sub(1).filter(|_| !replay.is_recorded(ticks, found)) else {
        return Ending::Match;
    };
    let (recorded, found, name) = (replay.ticks()[before].checksum, found.short(), path.display());
    let differs = format!("{name}: this is not what was recorded: checksum {recorded:08x}, here {found:08x}");
    let rules = replay.rules_version();
    let why = if rules == RULES_VERSION {
        format!("try: {} diff {name}", program())
    } else {
        format!("it is of rules version {rules}, this build has {RULES_VERSION}")
    };
    complain(program_of::<S>(), &anyhow!("{differs}; {why}"));
    Ending::Diverged
}

/// Every body, and every field of the game.
pub fn show_state<S: Simulation>(screen: &mut Screen, state: &S) -> Result<()> {
    let world = state.world();
    let (tick, rate) = (state.tick_count(), world.limits().tick_rate);
    let content = content_line(world);
    screen
        .line(format!("after tick {tick} ({rate} per second): {content}, checksum {}", state.checksum()))?;
    let time = if world.limits().substeps > 1 { "step" } else { "tick" };
    for (body_id, body) in world.bodies() {
        let name = state.body_name(body_id).map_or(String::new(), |name| format!("  {name}"));
        let shape = shape_name(world.scenery(), body.shape);
        let (position, velocity) = (body.position, body.velocity());
        let id = id_column(body_id);
        let turning = body.spin.map_or(String::new(), |Spin { orientation, angular_momentum }| {
            format!("  orientation {orientation}  angular momentum {angular_momentum}")
        });
        screen.line(format!(
            "{id}  {shape}  mass {}  position {position}  velocity {velocity} per {time}{turning}{name}",
            body.mass
        ))?;
    }
    show_game(screen, state)
}

/// The number of bodies, and of tiles of ground whose heights are not those of the scenery.
pub fn content_line(world: &World) -> String {
    let bodies = counted(world.bodies().count() as u64, "body");
    match world.state().terrain.tiles().len() as u64 {
        0 => bodies,
        tiles => format!("{bodies}, {} of ground changed", counted(tiles, "tile")),
    }
}

/// The name, such as `sphere` or `compound 2 mirrored`.
fn shape_name(scenery: &Scenery, shape: ShapeId) -> String {
    match scenery.compound_of(shape) {
        Some((CompoundId(compound), mirrored)) => {
            format!("compound {compound}{}", if mirrored { " mirrored" } else { "" })
        }
        None => scenery.shapes()[usize::from(shape.0)].name().to_owned(),
    }
}

/// The game's own fields, aligned.
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
