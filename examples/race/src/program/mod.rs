//! `race`: arguments, files, and what is driven by hand.

mod arguments;
mod drive;
mod run;

use std::{
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::Path,
    process::ExitCode,
};

use bitstep::{
    replay::Recorder,
    session::{Session, Simulation},
    tick::TickReport,
};
use clap::Parser;

use crate::{Input, Race};
use arguments::{Arguments, Command};

/// Reads the arguments, executes them, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Drive(options) => drive::drive(&options),
        Command::Run(options) => run::run(&options),
        // All other work with recordings.
        Command::Recording(_) => return bitstep_program::main::<Race>(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("race: {error}");
            ExitCode::from(2)
        }
    }
}

/// A race that is played, and recorded if there is a file.
struct Played {
    state: Session<Race>,
    report: TickReport,
    recorder: Option<Recorder<BufWriter<File>, Session<Race>>>,
}

impl Played {
    fn new(state: Session<Race>, file: Option<&Path>) -> Result<Self, Box<dyn Error>> {
        let recorder = match file {
            Some(file) => {
                fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
                Some(Recorder::new(BufWriter::new(File::create(file)?), &state)?)
            }
            None => None,
        };
        Ok(Self { state, report: TickReport::default(), recorder })
    }

    fn tick(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.state.tick(&[input], &mut self.report);
        if let Some(recorder) = &mut self.recorder {
            recorder.tick(&[input], &self.state)?;
        }
        Ok(())
    }

    /// Ends the recording.
    fn end(self) -> Result<Session<Race>, Box<dyn Error>> {
        self.recorder.map(Recorder::finish).transpose()?;
        Ok(self.state)
    }
}

/// The result of a race in words.
fn summary(state: &Session<Race>, file: Option<&Path>) -> String {
    let rate = state.world().limits().tick_rate;
    let laps = state.game().laps;
    let best = crate::terminal::time(laps.best, rate);
    let mut text = format!(
        "laps       {} in {} ticks at {rate} Hz, the best {best}\nchecksum   {}",
        laps.done,
        state.tick_count(),
        state.checksum()
    );
    if let Some(file) = file {
        text += &format!("\nrecorded   {}", file.display());
    }
    text
}
