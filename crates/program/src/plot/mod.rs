//! `plot`: the numbers of a recording, tick by tick, as one picture.

mod axis;
mod chart;
mod panel;
mod row;

use std::path::{Path, PathBuf};

use anyhow::Result;

use self::{chart::Chart, row::Row};
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
/// The picture suits light and dark pages, and its bytes are the same on every machine.
#[derive(clap::Args)]
#[command(after_help = super::pictured::EXIT_CODES)]
pub struct Plot {
    /// The recording
    file: PathBuf,
    /// The picture; else a new file beside the recording
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Plot {
    /// Reads, plays, and writes the picture.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        check_target(self.output.as_deref(), &[&self.file])?;
        let pictured = Pictured::<S>::read(&self.file)?;
        let (rows, diverged) = play(&pictured.replay);
        let (notes, ending) = pictured.notes(diverged);
        let initial_state = pictured.replay.initial_state();
        let name = self.file.file_name().unwrap_or(self.file.as_os_str()).to_string_lossy();
        let chart = Chart {
            name: &name,
            first: initial_state.tick_count(),
            rate: initial_state.world().limits().tick_rate,
            rows: &rows,
        };
        let svg = chart.svg();
        let default = beside(&self.file, "svg");
        write_result(self.output.as_deref(), &default, svg.as_bytes())?;
        tell(self.output.as_deref().unwrap_or(&default), (svg.len(), rows.len() - 1), &notes)?;
        Ok(ending)
    }
}

fn tell(path: &Path, (bytes, ticks): (usize, usize), notes: &[String]) -> Result<()> {
    let mut screen = Screen::open();
    screen.line(screen.paint(Tone::Bold, &path.display().to_string()))?;
    screen.fact("size", format!("{} bytes", count(bytes as u64)))?;
    screen.fact("shows", counted(ticks as u64, "tick"))?;
    for note in notes {
        screen.fact("note", note)?;
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
