//! `migrate`: recordings played under the rules of this build.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{
    Ending,
    found::{Found, find},
    output::{Screen, Tone, complain, counted},
    program_of,
    progress::Progress,
    recordings::read_replay,
    table::Table,
};
use bitstep::{
    replay::{Migration, Recorder, Replay, migrate},
    session::Simulation,
    snapshot::RULES_VERSION,
};

/// Re-simulates every recording in a folder under the rules of this build, whatever rules it was recorded
/// under, and tabulates what is another.
///
/// The deviation is the largest difference of a coordinate of a body at a keyframe. The outcome is which
/// bodies are there at the last keyframe, or what the game says of itself then. Files are found by their
/// ending, `.replay`, in folders below as well.
///
/// Exits with 0 if every tick of all is the same, 1 if one is not, 2 if a file could not be read.
#[derive(clap::Args)]
pub struct Migrate {
    /// The folder, or single recordings
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Record each again under this build's rules, under its name in this folder; no file is replaced
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// Print one line of JSON per file
    #[arg(long)]
    json: bool,
}

impl Migrate {
    /// Plays every recording, also behind a bad one.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        let found = find(&self.folders)?;
        let mut screen = Screen::open();
        let heads = ["recording", "rules", "ticks", "first difference", "largest deviation", "outcome"];
        let mut table = Table::new(heads);
        let (mut ending, mut differing, mut bad) = (Ending::Match, Vec::new(), 0);
        for file in &found {
            let migration = match self.migrate::<S>(file) {
                Ok(migration) => migration,
                Err(error) => {
                    bad += 1;
                    self.tell_bad::<S>(&mut screen, &file.path, &error)?;
                    continue;
                }
            };
            if !migration.is_same() {
                differing.push(&file.path);
                ending = Ending::Diverged;
            }
            if self.json {
                screen.line(to_json(&file.path, &migration).to_string())?;
            } else {
                table.row(row(&screen, &file.below, &migration));
            }
        }
        if !self.json && found.len() > bad {
            table.show(&mut screen)?;
            summarise(&mut screen, found.len() - bad, differing.len())?;
        }
        screen.flush()?;
        Ok(if bad > 0 { Ending::BadInput } else { ending })
    }

    fn migrate<S: Simulation>(&self, file: &Found) -> Result<Migration> {
        let (replay, _) = read_replay::<S>(&file.path)?;
        match &self.write {
            None => Ok(play(&replay, |_, _| {})),
            Some(folder) => {
                let target = folder.join(&file.below);
                write_anew(&replay, &target)
                    .with_context(|| format!("{}: cannot be written", target.display()))
            }
        }
    }

    fn tell_bad<S: Simulation>(&self, screen: &mut Screen, path: &Path, error: &anyhow::Error) -> Result<()> {
        if self.json {
            let name = path.display().to_string();
            return screen.line(json!({ "file": name, "error": format!("{error:#}") }).to_string());
        }
        complain(program_of::<S>(), error);
        Ok(())
    }
}

fn play<S: Simulation>(
    replay: &Replay<S>,
    mut observe: impl FnMut(&bitstep::replay::TickRecord<S::Input>, &S),
) -> Migration {
    let mut progress = Progress::new("re-simulating", replay.ticks().len() as u64);
    let mut done = 0;
    let migration = migrate(replay, |record, state| {
        done += 1;
        progress.reach(done);
        observe(record, state);
    });
    progress.finish();
    migration
}

/// Records the inputs of a recording under these rules; the file must not exist yet.
fn write_anew<S: Simulation>(replay: &Replay<S>, target: &Path) -> Result<Migration> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let writer = BufWriter::new(File::create_new(target)?);
    let mut recorder = Recorder::new(writer, replay.initial_state())?;
    let mut outcome = Ok(());
    let migration = play(replay, |record, state| {
        if outcome.is_ok() {
            let notes = record.notes.iter().try_for_each(|note| recorder.note(note));
            outcome = notes.and_then(|()| recorder.tick(&record.inputs, state));
        }
    });
    outcome?;
    recorder.finish()?.flush()?;
    Ok(migration)
}

fn row(screen: &Screen, name: &Path, migration: &Migration) -> [String; 6] {
    let difference = match migration.first_difference {
        None => screen.paint(Tone::Good, "none"),
        Some(tick) => screen.paint(Tone::Bad, &format!("tick {tick}")),
    };
    // Where every state is the same, so are deviation and outcome, with keyframes or without.
    let deviation = match migration.deviation {
        None if !migration.is_same() => "no keyframe".to_owned(),
        None => "0".to_owned(),
        Some(deviation) if deviation.raw == 0 => "0".to_owned(),
        Some(deviation) => {
            let (distance, tick) = (deviation.distance(), deviation.tick);
            format!("{distance} (raw {}), body {} at tick {tick}", deviation.raw, deviation.body)
        }
    };
    let outcome = match &migration.outcome {
        _ if migration.is_same() => "same".to_owned(),
        None => "no keyframe".to_owned(),
        Some(outcome) if outcome.is_same() => format!("same at tick {}", outcome.tick),
        Some(outcome) => format!("{} at tick {}", screen.paint(Tone::Bad, "another"), outcome.tick),
    };
    let (rules, ticks) = (migration.recorded_rules.to_string(), migration.ticks.to_string());
    [name.display().to_string(), rules, ticks, difference, deviation, outcome]
}

fn to_json(path: &Path, migration: &Migration) -> Value {
    let deviation = migration.deviation.map(|deviation| {
        json!({
            "tick": deviation.tick,
            "body": deviation.body.to_string(),
            "units": deviation.distance().to_string(),
            "raw": deviation.raw.to_string(),
        })
    });
    let outcome = migration.outcome.as_ref().map(|outcome| {
        json!({
            "tick": outcome.tick,
            "same": outcome.is_same(),
            "recorded": outcome.recorded,
            "found": outcome.found,
        })
    });
    json!({
        "file": path.display().to_string(),
        "recorded_rules": migration.recorded_rules,
        "rules": RULES_VERSION,
        "ticks": migration.ticks,
        "first_difference": migration.first_difference,
        "deviation": deviation,
        "outcome": outcome,
    })
}

fn summarise(screen: &mut Screen, played: usize, differing: usize) -> Result<()> {
    let played = counted(played as u64, "recording");
    screen.line("")?;
    let verdict = match differing {
        0 => format!("{} in every tick", screen.paint(Tone::Good, "the same")),
        1 => screen.paint(Tone::Bad, "1 is another"),
        _ => screen.paint(Tone::Bad, &format!("{differing} are others")),
    };
    screen.line(format!("{played} under rules version {RULES_VERSION}: {verdict}"))
}
