//! `bitstep show`: what is in a recording.

use std::{collections::BTreeMap, path::PathBuf};

use super::{
    Ending,
    output::{Screen, Tone, count, counted},
    recordings::read_replay,
};
use crate::{
    replay::{Replay, Trace, play_with},
    session::Simulation,
    snapshot::RULES_VERSION,
    tick::TickReport,
    world::{BodyId, World},
};
use anyhow::{Result, ensure};

/// Says what is in a recording: versions, limits, scenery, ticks, commands, keyframes, sizes.
#[derive(clap::Args)]
pub struct Show {
    /// The recording
    file: PathBuf,
    /// Play it, and print what happens in each tick
    #[arg(long, conflicts_with = "tick")]
    trace: bool,
    /// Play it up to the end of this tick of the recording, and print every body; 0 is the opening
    #[arg(long, value_name = "N")]
    tick: Option<u64>,
}

impl Show {
    /// Reads the file whole and shows what was asked for.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let name = || self.file.display().to_string();
        let (replay, bytes) = read_replay::<S>(&self.file)?;
        let mut screen = Screen::open();
        if self.trace {
            ensure!(S::name().is_empty(), "--trace is for a world alone, without a game");
            screen.line(trace(&replay).trim_end())?;
        } else if let Some(tick) = self.tick {
            let ticks = replay.ticks().len() as u64;
            ensure!(tick <= ticks, "{}: --tick is {tick}, must be in 0..={ticks}", name());
            show_state(&mut screen, &state_after(&replay, tick))?;
        } else {
            screen.line(screen.paint(Tone::Bold, &name()))?;
            show_recording(&mut screen, &replay, bytes)?;
        }
        screen.flush()?;
        Ok(Ending::Match)
    }
}

/// What happens in each tick.
fn trace<S: Simulation>(replay: &Replay<S>) -> String {
    let mut trace = Trace::new(replay.opening().world());
    let mut last = replay.opening().clone();
    play_with(replay, &mut TickReport::with_events(), |state, report| {
        trace.tick(state.world(), report);
        last.clone_from(state);
    });
    trace.finish(last.world())
}

fn state_after<S: Simulation>(replay: &Replay<S>, tick: u64) -> S {
    let mut state = replay.opening().clone();
    let mut report = TickReport::default();
    for record in &replay.ticks()[..tick as usize] {
        state.tick(&record.inputs, &mut report);
    }
    state
}

fn show_recording<S: Simulation>(screen: &mut Screen, replay: &Replay<S>, bytes: u64) -> Result<()> {
    let opening = replay.opening().world();
    let (limits, ticks) = (opening.limits(), replay.ticks());
    if !S::name().is_empty() {
        screen.fact("game", S::name())?;
    }
    let same =
        if replay.rules_version() == RULES_VERSION { "as this build" } else { "another than this build's" };
    screen.fact("rules", format!("version {}, {same}", replay.rules_version()))?;
    let inputs: usize = ticks.iter().map(|tick| tick.inputs.len()).sum();
    let notes: usize = ticks.iter().map(|tick| tick.notes.len()).sum();
    screen.fact("ticks", format!("{} at {} per second", count(ticks.len() as u64), limits.tick_rate))?;
    screen.fact(if S::name().is_empty() { "commands" } else { "inputs" }, count(inputs as u64))?;
    screen.fact("notes", count(notes as u64))?;
    screen.fact("opening", opening_line(replay.opening()))?;
    screen.fact("scenery", scenery_line(opening))?;
    screen.fact("gravity", format!("{} per tick", opening.gravity()))?;
    screen.fact(
        "limits",
        format!("extent {}, speed {} per tick, size {}", limits.extent, limits.speed_max, limits.size_max),
    )?;
    let bounds = format!(
        "mass {}, {} bodies, {} impacts per body and tick, {} candidates per tick",
        limits.mass_max, limits.bodies_max, limits.budget, limits.pairs_max
    );
    screen.fact("", bounds)?;
    screen.fact("rest speed", format!("{} per tick", limits.rest_speed))?;
    screen.fact("sizes", sizes_line(replay, bytes))?;
    let last = match replay.final_checksum() {
        Some(checksum) => format!("{checksum} after the last tick"),
        None => "none of 128 bits after the last tick: the recording was repaired".to_owned(),
    };
    screen.fact("checksum", last)
}

fn opening_line<S: Simulation>(opening: &S) -> String {
    let bodies = counted(opening.world().bodies().count() as u64, "body");
    format!("{bodies} at tick {}", opening.tick_count())
}

fn scenery_line(opening: &World) -> String {
    let scenery = opening.scenery();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for fixed in scenery.statics() {
        *kinds.entry(scenery.shapes()[usize::from(fixed.shape.0)].name()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, number)| counted(*number, kind)).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!(
        "{}{kinds}, {}, {}",
        counted(scenery.statics().len() as u64, "static"),
        counted(scenery.shapes().len() as u64, "shape"),
        counted(scenery.materials().len() as u64, "material"),
    )
}

fn sizes_line<S: Simulation>(replay: &Replay<S>, bytes: u64) -> String {
    let keyframes: u64 = replay.keyframes().iter().map(|keyframe| keyframe.snapshot.len() as u64).sum();
    let mut opening = Vec::new();
    replay.opening().encode_into(&mut opening);
    format!(
        "{} bytes: opening {}, {} {}",
        count(bytes),
        count(opening.len() as u64),
        counted(replay.keyframes().len() as u64, "keyframe"),
        count(keyframes),
    )
}

/// Every body, and every field of the game.
fn show_state<S: Simulation>(screen: &mut Screen, state: &S) -> Result<()> {
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
