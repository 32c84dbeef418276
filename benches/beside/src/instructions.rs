//! The instructions of ticks, counted by this program when it runs itself again under valgrind: a clock that
//! a busy machine cannot disturb.

use std::{
    env, fs,
    io::Error,
    path::{Path, PathBuf},
    process::Command,
};

use bitstep::geom::Vec3;
use serde::Serialize;

use crate::{
    engines::{Engine, Entrant},
    scenes::{Phase, Scene},
    timing::Run,
};

/// The name of [`counted`] in the program.
const COUNTED: &str = "bitstep_beside::instructions::counted";

/// Number of ticks between a state and those that count: an engine that was restored fills its caches in them.
const WARM_UP: u32 = 10;

/// Instructions per tick and body.
#[derive(Serialize)]
pub struct Instructions {
    pub mean: f64,
    /// Of the worst tick.
    pub worst: f64,
}

/// The only function in which valgrind counts; it writes its count whenever this returns.
#[inline(never)]
pub fn counted(engine: &mut dyn Engine, velocities: &[Vec3]) {
    engine.tick(velocities);
}

/// Plays a phase and counts, from a state if that is given; to be called under valgrind.
pub fn run_counted(entrant: Entrant, scene: &Scene, [start, end]: [u32; 2], state: Option<&Path>) {
    let mut run = Run::new(entrant, scene);
    if let Some(path) = state {
        run.engine.restore(&fs::read(path).expect("a state"));
        run.ticks = start - WARM_UP;
    }
    run.play_to(start);
    run.counts = true;
    run.play_to(end);
}

/// Counts a phase of a scene.
pub fn count(entrant: Entrant, scene: &Scene, phase: &Phase) -> Result<Instructions, String> {
    let folder = env::temp_dir().join(format!("bitstep-beside-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(text)?;
    let counts = counts(entrant, scene, phase, &folder);
    fs::remove_dir_all(&folder).map_err(text)?;
    let counts = counts?;
    let bodies = scene.bodies.len() as f64;
    let mean = counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64 / bodies;
    let worst = counts.iter().max().copied().unwrap_or_default() as f64 / bodies;
    Ok(Instructions { mean, worst })
}

/// The instructions of every tick of a phase.
fn counts(entrant: Entrant, scene: &Scene, phase: &Phase, folder: &Path) -> Result<Vec<u64>, String> {
    let state = state(entrant, scene, phase, folder)?;
    let mut command = Command::new("valgrind");
    command
        .args(["--quiet", "--tool=callgrind"])
        .args([format!("--toggle-collect={COUNTED}"), format!("--dump-after={COUNTED}")])
        .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
        .arg(env::current_exe().map_err(text)?)
        .args([&scene.name, "--engines", entrant.name, "--counted"])
        .args([phase.start, phase.end].map(|tick| tick.to_string()));
    if let Some(state) = state {
        command.arg("--state").arg(state);
    }
    let output = command
        .output()
        .map_err(|error| format!("valgrind: {error}; it is a package of every distribution"))?;
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let count = |dump: u32| {
        let dump = fs::read_to_string(folder.join(format!("counts.{dump}"))).map_err(text)?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
        total.filter(|total| *total > 0).ok_or_else(|| "a tick without instructions".to_owned())
    };
    (1..=phase.end - phase.start).map(count).collect()
}

/// The state a few ticks before those that count, in a file: under valgrind it takes long to get there. `None` if the phase begins early, if the engine saves no
/// state, or if bodies are steered, since their steering has a state of its own.
fn state(entrant: Entrant, scene: &Scene, phase: &Phase, folder: &Path) -> Result<Option<PathBuf>, String> {
    if phase.start <= WARM_UP || scene.steered || scene.army.is_some() {
        return Ok(None);
    }
    let mut run = Run::new(entrant, scene);
    if run.engine.save().is_none() {
        return Ok(None);
    }
    run.play_to(phase.start - WARM_UP);
    let path = folder.join("state");
    fs::write(&path, run.engine.save().unwrap_or_default()).map_err(text)?;
    Ok(Some(path))
}

fn text(error: Error) -> String {
    format!("counting instructions: {error}")
}
