//! `bitstep show`: what is in a recording.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Result, ensure};
use bitstep::{
    replay::{Replay, Trace, play, play_with},
    snapshot,
    tick::TickReport,
    world::{BodyId, World},
};

use crate::{
    Ending, files,
    output::{Screen, Tone, count, counted},
};

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
    pub fn run(self) -> Result<Ending> {
        let name = || self.file.display().to_string();
        let (replay, bytes) = files::read_replay(&self.file)?;
        let mut screen = Screen::new();
        if self.trace {
            let mut trace = Trace::new(replay.opening());
            let mut last = replay.opening().clone();
            play_with(&replay, &mut TickReport::with_events(), |world, report| {
                trace.tick(world, report);
                last.clone_from(world);
            });
            screen.line(trace.finish(&last).trim_end())?;
        } else if let Some(tick) = self.tick {
            let ticks = replay.ticks().len() as u64;
            ensure!(tick <= ticks, "{}: --tick is {tick}, must be in 0..={ticks}", name());
            show_bodies(&mut screen, &world_after(&replay, tick))?;
        } else {
            screen.line(screen.paint(Tone::Bold, &name()))?;
            show_recording(&mut screen, &replay, bytes)?;
        }
        screen.flush()?;
        Ok(Ending::Match)
    }
}

fn world_after(replay: &Replay, tick: u64) -> World {
    let mut found = replay.opening().clone();
    let mut played = 0;
    play(replay, |world, _| {
        played += 1;
        if played == tick {
            found.clone_from(world);
        }
    });
    found
}

fn show_recording(screen: &mut Screen, replay: &Replay, bytes: u64) -> Result<()> {
    let opening = replay.opening();
    let (limits, ticks) = (opening.limits(), replay.ticks());
    let same = if replay.rules_version() == snapshot::RULES_VERSION {
        "as this build"
    } else {
        "another than this build's"
    };
    screen.fact("rules", format!("version {}, {same}", replay.rules_version()))?;
    let commands: usize = ticks.iter().map(|tick| tick.inputs.len()).sum();
    let notes: usize = ticks.iter().map(|tick| tick.notes.len()).sum();
    screen.fact("ticks", format!("{} at {} per second", count(ticks.len() as u64), limits.tick_rate))?;
    screen.fact("commands", count(commands as u64))?;
    screen.fact("notes", count(notes as u64))?;
    screen.fact("opening", opening_line(opening))?;
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

fn opening_line(opening: &World) -> String {
    let bodies = counted(opening.bodies().count() as u64, "body");
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

fn sizes_line(replay: &Replay, bytes: u64) -> String {
    let keyframes: u64 = replay.keyframes().iter().map(|keyframe| keyframe.snapshot.len() as u64).sum();
    format!(
        "{} bytes: opening {}, {} {}",
        count(bytes),
        count(snapshot::encode(replay.opening()).len() as u64),
        counted(replay.keyframes().len() as u64, "keyframe"),
        count(keyframes),
    )
}

fn show_bodies(screen: &mut Screen, world: &World) -> Result<()> {
    let (tick, rate) = (world.tick_count(), world.limits().tick_rate);
    let bodies = counted(world.bodies().count() as u64, "body");
    screen.line(format!(
        "after tick {tick} ({rate} per second): {bodies}, checksum {}",
        snapshot::checksum(world)
    ))?;
    for (id, body) in world.bodies() {
        let shape = world.scenery().shapes()[usize::from(body.shape.0)].name();
        let (position, velocity) = (body.position, body.velocity());
        let id = id_column(id);
        screen.line(format!(
            "{id}  {shape}  mass {}  position {position}  velocity {velocity} per tick",
            body.mass
        ))?;
    }
    Ok(())
}

fn id_column(id: BodyId) -> String {
    format!("{:>6}", id.to_string())
}
