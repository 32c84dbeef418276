//! `seek`: the state at a tick, by keyframes.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{
    Ending, files,
    output::{Screen, count, counted},
    program_of,
    progress::Progress,
    recordings::{named, read_replay, tick_of},
    state::{ending, show_state},
};
use bitstep::{replay::Player, session::Simulation};

/// The largest index that is read.
const INDEX_BYTES_MAX: u64 = 1 << 30;

/// Goes to a tick of a recording and prints everything there, as `show --tick` does, from the nearest
/// keyframe.
///
/// A long recording with few keyframes can have an index beside it: states that are found once, by playing
/// all of it, and kept in a file.
#[derive(clap::Args)]
pub struct Seek {
    /// The recording
    file: PathBuf,
    /// The tick; that of the initial state, mostly 0, is the state before the first
    tick: u64,
    /// Use this index of the recording, and make it first if it is not there
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
}

impl Seek {
    /// Seeks, and prints the state; a note on the method goes to standard error.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let (replay, _) = read_replay::<S>(&self.file)?;
        let mut player = Player::new(&replay);
        if let Some(index) = &self.index {
            if index.exists() {
                let bytes = files::read(index, INDEX_BYTES_MAX)?;
                named(index, player.load_index(&bytes))?;
            } else {
                make_index(&mut player, index)?;
            }
        }
        let before = player.played();
        let tick = tick_of(&self.file, &replay, "the tick", self.tick)?;
        named(&self.file, player.seek(tick).map(|_| ()))?;
        let mut screen = Screen::open();
        show_state(&mut screen, player.state())?;
        screen.flush()?;
        let played = counted(player.played() - before, "tick");
        tell(program_of::<S>(), &format!("tick {}: {played} played to get there", count(self.tick)));
        Ok(ending(&self.file, &replay, tick, player.state()))
    }
}

/// Plays everything once, and writes the player's keyframes.
fn make_index<S: Simulation>(player: &mut Player<'_, S>, index: &Path) -> Result<()> {
    let mut progress = Progress::new("indexing", player.replay().ticks().len() as u64);
    while player.step().is_some() {
        progress.reach(player.tick());
    }
    let time = progress.finish();
    let bytes = player.save_index();
    files::write_new(index, &bytes)?;
    let (name, size) = (index.display(), count(bytes.len() as u64));
    tell(
        program_of::<S>(),
        &format!("{name}: index made, {size} bytes, in {}", super::output::duration(time)),
    );
    Ok(())
}

/// A line on standard error, beside the result.
fn tell(program: &str, text: &str) {
    // There is no way to report where even this cannot be written.
    let _ = writeln!(io::stderr(), "{program}: {text}");
}
