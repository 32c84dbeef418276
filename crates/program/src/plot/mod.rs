//! `plot`: the numbers of a recording, tick by tick, as one picture.

mod axis;
mod chart;
mod cost;
mod panel;
mod row;

use std::path::{Path, PathBuf};

use anyhow::Result;

use self::{chart::Chart, cost::Cost, row::Row};
use super::{
    Ending,
    output::{Screen, Tone, count, counted},
    pictured::{Pictured, check_target},
    playback::Playback,
    progress::Progress,
    recordings::{beside, write_result},
};
use bitstep::{replay::Replay, session::Simulation};

/// Draws the numbers of every tick of a recording as SVG: kinetic energy, momentum by cause, impacts, contacts, held, sleeping and
/// all bodies.
///
/// The picture suits light and dark pages, and its bytes are the same on every machine, unless it has the time of ticks.
#[derive(clap::Args)]
#[command(after_help = super::pictured::EXIT_CODES)]
pub struct Plot {
    /// The recording
    file: PathBuf,
    /// The picture; else a new file beside the recording
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw below the other numbers the time of every tick by its phases, which is measured here: the median of 5 plays, or of so many
    #[arg(
        long,
        value_name = "PLAYS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "5",
        value_parser = clap::value_parser!(u8).range(1..=99)
    )]
    cost: Option<u8>,
}

impl Plot {
    /// Reads, plays, and writes the picture.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        check_target(self.output.as_deref(), &[&self.file])?;
        let pictured = Pictured::<S>::read(&self.file)?;
        let (rows, diverged) = play(&pictured.replay);
        let cost = self.cost.map(|plays| Cost::measure(&pictured.replay, plays));
        let (notes, ending) = pictured.notes(diverged);
        let initial_state = pictured.replay.initial_state();
        let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        let chart = Chart {
            name: &name,
            first: initial_state.tick_count(),
            rate: initial_state.world().limits().tick_rate,
            rows: &rows,
            cost: cost.as_ref(),
        };
        let svg = chart.svg();
        let default = beside(&self.file, "svg");
        write_result(self.output.as_deref(), &default, svg.as_bytes())?;
        let mut facts = vec![
            ("size", format!("{} bytes", count(svg.len() as u64))),
            ("shows", counted(rows.len() as u64 - 1, "tick")),
        ];
        facts.extend(cost.as_ref().map(|cost| ("cost", cost.summary(chart.first))));
        facts.extend(notes.into_iter().map(|note| ("note", note)));
        tell(self.output.as_deref().unwrap_or(&default), &facts)?;
        Ok(ending)
    }
}

fn tell(path: &Path, facts: &[(&str, String)]) -> Result<()> {
    let mut screen = Screen::open();
    screen.line(screen.paint(Tone::Bold, &path.display().to_string()))?;
    for (label, text) in facts {
        screen.fact(label, text)?;
    }
    screen.flush()
}

/// The numbers of the initial state and of every tick, and the first tick that this build does not reproduce.
fn play<S: Simulation>(replay: &Replay<S>) -> (Vec<Row>, Option<u64>) {
    let mut playback = Playback::new(replay);
    let mut rows = vec![Row::of(playback.world(), None)];
    let mut progress = Progress::new("playing", replay.ticks().len() as u64);
    while playback.advance() {
        rows.push(Row::of(playback.world(), playback.report()));
        progress.reach(rows.len() as u64 - 1);
    }
    progress.finish();
    (rows, playback.diverged())
}
