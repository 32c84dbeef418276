//! `bitstep run`: simulate a scene, record it, and re-simulate the recording.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use bitstep::{
    replay::{Keyframes, RecordOptions, Recorder, Replay, Trace, Verdict, verify},
    session::{Injection, InjectionOutcome, Simulation as _, TickLog},
    snapshot,
    tick::TickReport,
};
use bitstep_program::{
    Ending, describe, divergence_json,
    laps::Laps,
    output::{Screen, Tone, complain, count, duration, program},
    progress::Progress,
};
use serde_json::json;

use crate::{
    files,
    picture::pictures,
    profile::Profile,
    summary::{Summary, Totals},
};
use bitstep_scene::{Scene, TICKS_MAX};

/// Simulates a scene, records it, re-simulates the recording and compares every tick.
///
/// A file is written tick by tick: a run that is interrupted leaves the ticks up to there, which `verify` plays, and of which
/// `repair` makes a whole recording.
#[derive(clap::Args)]
pub struct Run {
    /// The scene file, in RON; `-` is standard input
    scene: PathBuf,
    /// Number of ticks to run, instead of the scene's
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_ticks)]
    ticks: Option<u64>,
    /// Write the recording to a file, tick by tick
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Keep in the recording what was so after every phase of a tick, its trace layer: for `diff` and `show`
    #[arg(long)]
    layers: bool,
    /// Keep a snapshot after every so many ticks, instead of as many as 8 bytes per tick pay for: where a
    /// recording diverges, `diff` names the fields at the next one
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    keyframes: Option<u64>,
    /// Put one number wrong by one raw unit, to see it found: TICK:BODY:FIELD or TICK:PATH, and @PHASE
    ///
    /// Such as 1834:17:vel.y or 1834:gravity.x@impacts. The recording keeps trace layers; `diff` finds the
    /// tick, the phase and the number. That it diverges is no failure.
    #[arg(long = "inject", value_name = "WHERE")]
    injection: Option<Injection>,
    /// Say where the time of a tick goes, by its phases: it takes the place of their layers
    #[arg(long, conflicts_with_all = ["layers", "injection"])]
    profile: bool,
    /// Print what happens in each tick instead of the summary
    #[arg(long, conflicts_with = "json")]
    trace: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The recording, in memory to be played again, and in a file that has every tick at once.
struct Tape {
    bytes: Vec<u8>,
    file: Option<(File, PathBuf)>,
}

impl Tape {
    /// An empty one; the file at the path is replaced.
    fn new(path: Option<&Path>) -> Result<Self> {
        let create = |path: &Path| match File::create(path) {
            Ok(file) => Ok((file, path.to_owned())),
            Err(error) => Err(named(path, &error)),
        };
        Ok(Self { bytes: Vec::new(), file: path.map(create).transpose()? })
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    // In one call where the system takes it so, whatever happens behind.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        file.write_all(bytes).map_err(|error| named(path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // a file has no buffer of its own
    }
}

/// An error of a file, with its name.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: cannot be written: {error}", path.display()))
}

/// The result of a simulated run.
struct Simulated {
    summary: Summary,
    trace: Option<String>,
    profile: Option<Profile>,
    recording: Vec<u8>,
    /// The change that was made.
    injected: Option<String>,
}

impl Run {
    /// Runs the scene; exit code 1 if the recording does not re-simulate.
    pub fn run(self) -> Result<Ending> {
        if let Some(path) = &self.record {
            files::check_target(path, &self.scene)?;
        }
        let mut scene = files::read_scene(&self.scene)?;
        scene.ticks = self.ticks.unwrap_or(scene.ticks);
        self.check_injection(scene.ticks)?;
        let Simulated { summary, trace, profile, recording, injected } = self.simulate(&mut scene)?;
        let replay: Replay = Replay::read(&recording)?;
        let mut progress = Progress::new("re-simulating", scene.ticks);
        let verdict = verify(&replay, |_, report| progress.reach(report.tick))?;
        let time = progress.finish();
        let mut screen = Screen::open();
        if let Some(trace) = trace {
            screen.line(trace.trim_end())?;
        } else if self.json {
            screen.line(to_json(&scene, &summary, &verdict, injected.as_deref(), profile.as_ref())?)?;
        } else {
            head(&mut screen, &scene)?;
            for line in pictures(&summary.initial_state, &summary.last) {
                screen.line(line)?;
            }
            screen.line("")?;
            summary.show(&mut screen)?;
            if let Some(profile) = &profile {
                profile.show(&mut screen)?;
            }
            let resimulated = format!("{}, in {}", describe(screen.palette(), &verdict), duration(time));
            screen.line("")?;
            if let Some(injected) = &injected {
                screen.fact("injected", injected)?;
            }
            screen.fact("recorded", self.recorded(summary.recorded_bytes))?;
            screen.fact("re-simulated", resimulated)?;
            self.suggest(&mut screen)?;
        }
        screen.flush()?;
        if injected.is_some() {
            return Ok(Ending::Match); // it did its task
        }
        if verdict.divergence.is_some() && self.trace {
            complain("bitstep", &anyhow::anyhow!("the recording did not re-simulate to the same bits"));
        }
        Ok(if verdict.divergence.is_none() { Ending::Match } else { Ending::Diverged })
    }

    /// Refuses a change in a tick that is not played, before anything is written.
    fn check_injection(&self, ticks: u64) -> Result<()> {
        match &self.injection {
            Some(injection) if !(1..=ticks).contains(&injection.tick) => {
                bail!("--inject {injection}: tick {} is not played, must be in 1..={ticks}", injection.tick)
            }
            _ => Ok(()),
        }
    }

    /// Records a scene without a word.
    pub fn record(scene: &Path, target: &Path) -> Result<()> {
        let run = Self {
            scene: scene.to_owned(),
            ticks: None,
            record: Some(target.to_owned()),
            layers: false,
            keyframes: None,
            injection: None,
            profile: false,
            trace: false,
            json: false,
        };
        run.simulate(&mut files::read_scene(scene)?).map(drop)
    }

    fn simulate(&self, scene: &mut Scene) -> Result<Simulated> {
        let initial_state = scene.initial_state.clone();
        let mut world = scene.initial_state.clone();
        let mut options = RecordOptions::default();
        options.keyframes = self.keyframes.map_or(options.keyframes, Keyframes::Every);
        let mut recorder = Recorder::with_options(Tape::new(self.record.as_deref())?, &world, options)?;
        let mut trace = self.trace.then(|| Trace::new(&world));
        let mut profile = self.profile.then(Profile::default);
        let mut report = TickReport::default();
        world.enable_events(self.trace); // they cost time, and only a trace shows them
        let mut log = self.log();
        let mut totals = Totals::default();
        let mut progress = Progress::new("simulating", scene.ticks);
        let mut before = world.momentum_wide();
        for tick in 1..=scene.ticks {
            let commands = scene.timeline.commands(tick, &world);
            // The totals count refusals.
            if let Some(profile) = &mut profile {
                let mut laps = Laps::start();
                let _ = world.tick_with(&commands, &mut report, &mut laps);
                profile.add(tick, laps.end());
            } else {
                let _ = world.tick_logged(&commands, &mut report, &mut log);
            }
            recorder.tick_logged(&commands, &world, &log)?;
            let after = world.momentum_wide();
            totals.add(&report, before, after);
            before = after;
            if let Some(trace) = &mut trace {
                trace.tick(&world, &report);
            }
            progress.reach(tick);
        }
        let time = progress.finish();
        let recording = recorder.finish()?.bytes;
        let trace = trace.map(|trace| trace.finish(&world));
        let (recorded_bytes, checksum) = (recording.len() as u64, snapshot::checksum(&world));
        let summary = Summary { totals, initial_state, last: world, time, recorded_bytes, checksum };
        Ok(Simulated { summary, trace, profile, recording, injected: self.injected(&log)? })
    }

    /// The log of every tick.
    fn log(&self) -> TickLog {
        match &self.injection {
            Some(injection) => TickLog::states().injected(injection.clone()),
            None if self.layers => TickLog::states(),
            None => TickLog::off(),
        }
    }

    /// The text of the change, if one was requested.
    fn injected(&self, log: &TickLog) -> Result<Option<String>> {
        match (&self.injection, log.injection_outcome()) {
            (Some(injection), Some(outcome @ InjectionOutcome::Given { .. })) => {
                Ok(Some(format!("tick {}, {}, {outcome}", injection.tick, injection.path)))
            }
            (Some(injection), Some(InjectionOutcome::Failed(error))) => {
                // A recording in which nothing is wrong is not what was asked for.
                if let Some(path) = &self.record {
                    std::fs::remove_file(path)?;
                }
                bail!("--inject {injection}: {error}")
            }
            _ => Ok(None),
        }
    }

    fn recorded(&self, bytes: u64) -> String {
        match &self.record {
            Some(path) => format!("{} bytes in {}", count(bytes), path.display()),
            None => format!("{} bytes in memory", count(bytes)),
        }
    }

    fn suggest(&self, screen: &mut Screen) -> Result<()> {
        let (bitstep, scene) = (program(), self.scene.display());
        let steps = match (&self.record, &self.injection) {
            (None, Some(injection)) => vec![(
                format!("{bitstep} run {scene} --inject {injection} --record my.replay"),
                "keep the recording, for `diff`",
            )],
            (None, None) => vec![
                (format!("{bitstep} run {scene} --record my.replay"), "keep the recording"),
                (format!("{bitstep} run {scene} --trace"), "read every impact"),
            ],
            (Some(path), Some(_)) => vec![
                (format!("{bitstep} verify {}", path.display()), "in which tick it diverges"),
                (format!("{bitstep} diff {}", path.display()), "in which phase, and which number"),
            ],
            (Some(path), None) => vec![
                (format!("{bitstep} verify {}", path.display()), "here, or on any other machine"),
                (format!("{bitstep} show {}", path.display()), "what is in it"),
            ],
        };
        let width = steps.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
        screen.line("")?;
        screen.line(screen.paint(Tone::Bold, "Try next"))?;
        for (command, why) in steps {
            let why = screen.paint(Tone::Dim, why);
            screen.line(format!("  {command:<width$}   {why}"))?;
        }
        Ok(())
    }
}

fn parse_ticks(text: &str) -> Result<u64, String> {
    let ticks = text.parse().ok().filter(|ticks| (1..=TICKS_MAX).contains(ticks));
    ticks.ok_or_else(|| format!("must be a whole number in 1..={TICKS_MAX}"))
}

fn head(screen: &mut Screen, scene: &Scene) -> Result<()> {
    screen.line(screen.paint(Tone::Bold, &scene.title))?;
    if let Some(about) = &scene.about {
        screen.line(about)?;
    }
    screen.line("")
}

fn to_json(
    scene: &Scene,
    summary: &Summary,
    verdict: &Verdict,
    injected: Option<&str>,
    profile: Option<&Profile>,
) -> Result<String> {
    let mut value = json!({ "scene": scene.title, "matches": verdict.divergence.is_none() });
    if let (Some(all), serde_json::Value::Object(more)) = (value.as_object_mut(), summary.to_json()) {
        all.extend(more);
        all.insert("divergence".to_owned(), divergence_json(verdict));
        all.insert("injected".to_owned(), injected.into());
        all.extend(profile.map(|profile| ("profile".to_owned(), profile.to_json())));
    }
    Ok(serde_json::to_string_pretty(&value)?)
}
