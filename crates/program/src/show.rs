//! `show`: what is in a recording.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::{
    Ending,
    contents::show_recording,
    output::{Screen, Tone},
    recordings::{read_replay, tick_of},
    state::{ending, show_state},
};
use bitstep::{
    replay::{Player, Replay, Trace, play},
    session::{Simulation, TickLog},
    tick::TickReport,
};

/// Says what is in a recording: versions, limits, scenery, ticks, inputs, layers, keyframes, bytes per tick.
#[derive(clap::Args)]
pub struct Show {
    /// The recording
    file: PathBuf,
    /// Play it, and print what happens in each tick; of a world alone
    #[arg(long, conflicts_with_all = ["tick", "tree"])]
    trace: bool,
    /// Play it from its start to the end of this tick, and print everything there
    #[arg(long, value_name = "N", conflicts_with = "tree")]
    tick: Option<u64>,
    /// Print the hashes of this tick as a tree: phase, body or part of the game, field
    ///
    /// Where two runs diverge in the tick, their trees differ in one line of each depth. It is the tick as it was
    /// recorded, if the recording has a trace layer there, and else as it comes out here.
    #[arg(long, value_name = "N")]
    tree: Option<u64>,
}

impl Show {
    /// Reads the file whole and prints the requested content.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let (mut replay, bytes) = read_replay::<S>(&self.file)?;
        let mut screen = Screen::open();
        if self.trace {
            ensure!(S::name().is_empty(), "--trace is for a world alone, without a game");
            replay.enable_events(true);
            screen.line(trace(&replay).trim_end())?;
        } else if let Some(tick) = self.tick {
            let tick = tick_of(&self.file, &replay, "--tick", tick)?;
            let state = state_after(&replay, tick);
            show_state(&mut screen, &state)?;
            screen.flush()?;
            return Ok(ending(&self.file, &replay, tick, &state));
        } else if let Some(tick) = self.tree {
            let ticks = tick_of(&self.file, &replay, "--tree", tick)?;
            ensure!(ticks > 0, "{}: no tick leads to --tree {tick}, where it opens", self.file.display());
            show_tree(&mut screen, &replay, ticks)?;
        } else {
            screen.line(screen.paint(Tone::Bold, &self.file.display().to_string()))?;
            show_recording(&mut screen, &replay, bytes)?;
        }
        screen.flush()?;
        Ok(Ending::Match)
    }
}

/// The trace of a replay that lists events.
fn trace<S: Simulation>(replay: &Replay<S>) -> String {
    let mut trace = Trace::new(replay.initial_state().world());
    let mut last = replay.initial_state().clone();
    play(replay, |state, report| {
        trace.tick(state.world(), report);
        last.clone_from(state);
    });
    trace.finish(last.world())
}

/// The state after some ticks, from the start: it uses no keyframe.
fn state_after<S: Simulation>(replay: &Replay<S>, ticks: u64) -> S {
    let mut state = replay.initial_state().clone();
    let mut report = TickReport::default();
    for record in &replay.ticks()[..ticks as usize] {
        let _ = state.tick(&record.inputs, &mut report); // `--trace` shows refusals
    }
    state
}

fn show_tree<S: Simulation>(screen: &mut Screen, replay: &Replay<S>, ticks: u64) -> Result<()> {
    let recorded = replay.ticks()[ticks as usize - 1].log().filter(TickLog::keeps_states);
    let (log, whence) = match recorded {
        Some(log) => (log, "as it was recorded"),
        None => (logged(replay, ticks)?, "as it comes out here: the recording has no trace layer there"),
    };
    screen.line(screen.paint(Tone::Dim, whence))?;
    screen.line(log.tree::<S>()?.to_string().trim_end())
}

/// A tick played here.
fn logged<S: Simulation>(replay: &Replay<S>, ticks: u64) -> Result<TickLog> {
    let mut player = Player::new(replay);
    player.seek(ticks - 1)?;
    let mut log = TickLog::states();
    player.step_logged(&mut log);
    Ok(log)
}
