//! `clip`: one tick of a recording as a file of its own, and as a Rust test.

use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};

use super::{
    Ending,
    output::{Screen, Tone, count, counted, program},
    recordings::{beside, named, read_replay, tick_of, write_result},
    test_text::test_text,
    world_alone::world_alone,
};
use bitstep::{
    replay::{Replay, clip},
    session::Simulation,
};

/// Largest number of ticks that a test plays.
const TEST_TICKS_MAX: u64 = 600;

/// Writes a recording of one tick: the state before it, and the state after every phase. Such a clip of the tick
/// in which two peers diverge is one side of a desync report, and `diff` compares both sides.
///
/// With --test it writes a Rust test that plays the ticks of a short recording: it fails with the first field
/// that comes out otherwise than recorded.
///
/// With --world it writes the bodies of a game's recording as one of a world alone, which `bitstep` reads without the game: to show
/// a fault of physics to others.
#[derive(clap::Args)]
pub struct Clip {
    /// The recording
    file: PathBuf,
    /// The tick
    #[arg(long, value_name = "N", required_unless_present_any = ["test", "world"])]
    tick: Option<u64>,
    /// The last tick, where it takes more than one
    #[arg(long, value_name = "N", requires = "tick")]
    to: Option<u64>,
    /// Write a test: of that tick, or of the whole of a short recording
    #[arg(long)]
    test: bool,
    /// Write the world of a game's recording, all ticks of it, as a recording without the game
    #[arg(long, conflicts_with_all = ["tick", "to", "test"])]
    world: bool,
    /// The file to write, replacing what is there [default: NAME.tick-N.replay, NAME.world.replay or .rs beside
    /// it, replacing nothing]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Clip {
    /// Writes the requested files.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let (replay, _) = read_replay::<S>(&self.file)?;
        let mut screen = Screen::open();
        if self.world {
            self.write_world(&mut screen, &replay)?;
        }
        let clipped = match self.tick {
            None => None,
            Some(tick) => Some(self.write_clip(&mut screen, &replay, tick..=self.to.unwrap_or(tick))?),
        };
        if self.test {
            let (clipped, recording) = match clipped {
                None => (self.file.clone(), replay),
                Some(clipped) => {
                    let (recording, _) = read_replay::<S>(&clipped)?;
                    (clipped, recording)
                }
            };
            self.write_test(&mut screen, &clipped, &recording)?;
        }
        screen.flush()?;
        Ok(Ending::Match)
    }

    /// Writes the clip, and returns the name of its file.
    fn write_clip<S: Simulation>(
        &self,
        screen: &mut Screen,
        replay: &Replay<S>,
        ticks: RangeInclusive<u64>,
    ) -> Result<PathBuf> {
        let [from, to] = [("--tick", ticks.start()), ("--to", ticks.end())]
            .map(|(option, tick)| tick_of(&self.file, replay, option, *tick));
        let bytes = named(&self.file, clip(replay, from?..=to?, true))?;
        let (from, to) = (ticks.start(), ticks.end());
        let ending =
            if from == to { format!("tick-{from}.replay") } else { format!("tick-{from}-{to}.replay") };
        let default = beside(&self.file, &ending);
        // With a test, the output is the name of the test.
        let told = self.output.as_deref().filter(|_| !self.test);
        write_result(told, &default, &bytes)?;
        let target = told.unwrap_or(&default).to_owned();
        let (name, size) = (target.display(), count(bytes.len() as u64));
        let what = if from == to { format!("tick {from}") } else { format!("ticks {from} to {to}") };
        screen.line(format!("{name}: {what}, {size} bytes{}", layers(screen, &bytes, replay)))?;
        if !self.test {
            screen.line(format!("  try: {} diff {name}", program()))?;
            screen.line(format!("       {} clip {name} --test", program()))?;
        }
        Ok(target)
    }

    fn write_world<S: Simulation>(&self, screen: &mut Screen, replay: &Replay<S>) -> Result<()> {
        let name = self.file.display();
        ensure!(!S::name().is_empty(), "{name}: is of a world alone");
        let bytes = named(&self.file, world_alone(replay))?;
        let default = beside(&self.file, "world.replay");
        write_result(self.output.as_deref(), &default, &bytes)?;
        let target = self.output.as_deref().unwrap_or(&default).display();
        screen.line(format!("{target}: the world of {}, {} bytes", S::name(), count(bytes.len() as u64)))?;
        screen.line(format!("  try: bitstep verify {target}"))
    }

    fn write_test<S: Simulation>(
        &self,
        screen: &mut Screen,
        clipped: &Path,
        replay: &Replay<S>,
    ) -> Result<()> {
        let ticks = replay.ticks().len() as u64;
        let name = clipped.display();
        ensure!(
            (1..=TEST_TICKS_MAX).contains(&ticks),
            "{name}: has {}, a test plays 1 to {TEST_TICKS_MAX}; choose one by --tick",
            counted(ticks, "tick")
        );
        let default = clipped.with_extension("rs");
        let target = self.output.as_deref().unwrap_or(&default);
        write_result(self.output.as_deref(), &default, test_text(replay, clipped, target).as_bytes())?;
        screen.line(format!("{}: a test of {}", target.display(), counted(ticks, "tick")))?;
        screen.line(format!("  it includes {name}; move both into the folder `tests`, for `cargo test`"))
    }
}

/// A line on the trace layers of a clip.
fn layers<S: Simulation>(screen: &Screen, bytes: &[u8], _: &Replay<S>) -> String {
    let missing = Replay::<S>::read(bytes)
        .map_or(0, |clipped| clipped.ticks().iter().filter(|record| !record.has_log()).count());
    if missing == 0 {
        return String::new();
    }
    let bad = screen.paint(Tone::Bad, "no trace layer");
    format!("; {bad}: this build does not come to what was recorded, and the recording has no layers")
}
