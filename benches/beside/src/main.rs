//! bitstep beside other engines: the same scenes, in one run, on one thread. README.md says what is
//! measured and what is not.

mod conformance;
mod engines;
mod faults;
mod hulls;
mod instructions;
mod kernels;
mod output;
mod paths;
mod phases;
mod rollback;
#[path = "../../scenes/mod.rs"]
mod scenes;
mod solids;
mod timing;
mod trials;

use std::{path::PathBuf, process::ExitCode};

use bitstep::{geom::Vec3, num::Scalar};
use clap::Parser;
use glam::DVec3;

use engines::{ENTRANTS, Entrant, FLYING, RESTING};
use output::Row;
use scenes::Scene;
use timing::Times;

const ALL: [&str; 35] = [
    "gas:100",
    "gas:1000",
    "gas:10000",
    "gas:100000",
    "crowd:500",
    "crowd:2000",
    "crowd:10000",
    "march:2000",
    "blob:2000",
    "crossing:2000",
    "landing",
    "pile",
    "spheres:1000",
    "spheres:5000",
    "boxes:1000",
    "bullets",
    "corridor",
    "kernels",
    "hulls",
    "conformance",
    "rollback:500",
    "landing-balls:100",
    "landing-boxes:100",
    "landing-capsules:100",
    "landing-locked:100",
    "landing-balls:1000",
    "landing-boxes:1000",
    "landing-capsules:1000",
    "landing-locked:1000",
    "still:1000",
    "drop:300",
    "tumble:100",
    "dominoes",
    "seams",
    "turntable",
];

/// Runs the same scenes in bitstep and in other engines.
#[derive(Parser)]
struct Options {
    /// gas:N, crowd:N, march:N, blob:N, crossing:N, landing, pile, spheres:N, boxes:N, bullets, corridor,
    /// kernels, hulls, conformance, rollback:N, landing-balls:N, -boxes:N, -capsules:N, -locked:N, still:N, drop:N, tumble:N,
    /// dominoes, seams, turntable; all that the README shows if none. `@RATE` behind a name is another rate,
    /// `#SEED` another draw of a landing.
    scenes: Vec<String>,
    /// Only these engines.
    #[arg(long, value_delimiter = ',', value_parser = ENTRANTS.map(|entrant| entrant.name))]
    engines: Vec<String>,
    /// How often everything is timed, in turn.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// How many frames a run of `rollback` has.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Only these phases, and nothing after the last of them.
    #[arg(long, value_delimiter = ',')]
    phases: Vec<String>,
    /// Count instructions under valgrind, which takes fifty times as long as a tick.
    #[arg(long)]
    instructions: bool,
    /// How many draws of a landing its way to rest is the median of.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// One JSON object per line.
    #[arg(long)]
    json: bool,
    /// Times only; finding what is wrong takes longer.
    #[arg(long)]
    times_only: bool,
    /// Plays the ticks between these two, and nothing else: see `instructions.rs`.
    #[arg(long, hide = true, num_args = 2)]
    counted: Vec<u32>,
    /// The state before them.
    #[arg(long, hide = true)]
    state: Option<PathBuf>,
}

impl Options {
    /// The engines that were named, or else those of the list.
    fn entrants(&self, otherwise: &[&str]) -> Vec<Entrant> {
        let wants = |entrant: &Entrant| match self.engines.is_empty() {
            true => otherwise.contains(&entrant.name),
            false => self.engines.iter().any(|given| given == entrant.name),
        };
        ENTRANTS.into_iter().filter(wants).collect()
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if !option_env!("CFLAGS").is_some_and(|flags| flags.contains("NDEBUG")) {
        eprintln!("Box3D checks itself in this build, which takes time: build from within benches/beside");
    }
    let named = options.scenes.iter().map(String::as_str);
    let names: Vec<_> = if options.scenes.is_empty() { ALL.to_vec() } else { named.collect() };
    let mut before = Vec::new();
    for name in names {
        if let Err(error) = run(name, &options, &mut before) {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Runs what has that name; `before` are the rows of the scene before.
fn run(name: &str, options: &Options, before: &mut Vec<Row>) -> Result<(), String> {
    if name == "kernels" {
        output::kernels(&kernels::compare(options.runs), options.json);
        return Ok(());
    }
    if name == "hulls" {
        output::hulls(&hulls::compare(options.runs), options.json);
        return Ok(());
    }
    if name == "conformance" {
        conformance::scores()?.iter().for_each(|rows| output::conformance(rows, options.json));
        return Ok(());
    }
    if let Some(crowd) = rollback::scene(name) {
        output::rollback(&comparisons(&crowd, options), options.json);
        return Ok(());
    }
    let trials = trials::scenes(name);
    if !trials.is_empty() {
        let run = |name: &String| trials::run(name, &options.entrants(&RESTING));
        output::trials(&trials.iter().flat_map(run).collect::<Vec<_>>(), options.json);
        return Ok(());
    }
    let mut scene = scenes::scene(name).ok_or_else(|| format!("no scene {name}: try --help"))?;
    if let [start, end] = options.counted[..] {
        let entrant = options.entrants(&[])[0];
        instructions::run_counted(entrant, &scene, [start, end], options.state.as_deref());
    } else if scene.phases.is_empty() && !options.instructions {
        let mut rows = rows(&scene, options);
        rows.iter_mut().for_each(|row| row.exponent = row.exponent_since(before));
        output::scene(&rows, options.json);
        *before = rows;
    } else {
        choose_phases(&mut scene, &options.phases)?;
        output::phases(&measured(scene, options)?, options.json);
    }
    Ok(())
}

/// Leaves only these phases, if any are named, and the looks up to their end.
fn choose_phases(scene: &mut Scene, named: &[String]) -> Result<(), String> {
    if named.is_empty() {
        return Ok(());
    }
    scene.phases.retain(|phase| named.iter().any(|name| name == phase.name));
    let end = scene.phases.iter().map(|phase| phase.end).max();
    let end = end.ok_or_else(|| format!("{} has no phase {}", scene.name, named.join(" or ")))?;
    scene.looks.retain(|tick| *tick <= end);
    Ok(())
}

fn measured(scene: Scene, options: &Options) -> Result<phases::Measured, String> {
    let (plain, seed) = scene.name.split_once('#').unwrap_or((&scene.name, "0"));
    let seed: u64 = seed.parse().map_err(|_| format!("no seed {seed}"))?;
    let others = (1..options.seeds).map(|more| {
        let other = scenes::scene(&format!("{plain}#{}", seed + more));
        let other = other.ok_or_else(|| format!("{plain} has no seeds"))?;
        Ok(Scene { phases: scene.phases.clone(), looks: scene.looks.clone(), ..other })
    });
    let others = others.collect::<Result<Vec<_>, String>>()?;
    let wish = phases::Wish {
        runs: options.runs,
        instructions: options.instructions,
        times_only: options.times_only,
    };
    let scenes: Vec<_> = [scene].into_iter().chain(others).collect();
    phases::measure(&scenes, &options.entrants(&RESTING), wish)
}

/// Times all entrants in turn, several times, then looks for what each gets wrong.
fn rows(scene: &Scene, options: &Options) -> Vec<Row> {
    let entrants = options.entrants(&FLYING);
    let mut times: Vec<_> = entrants.iter().map(|_| Vec::new()).collect();
    for _ in 0..options.runs {
        for (entrant, times) in entrants.iter().zip(&mut times) {
            times.push(timing::time(*entrant, scene));
        }
    }
    let row = |(entrant, took): (&Entrant, Vec<timing::Took>)| Row {
        scene: scene.name.clone(),
        engine: entrant.name,
        bodies: scene.bodies.len(),
        milliseconds: Times::of(took.iter().map(|took| took.milliseconds).collect()),
        at_rest: took.iter().map(|took| took.at_rest).collect::<Option<_>>().map(Times::of),
        faults: (!options.times_only).then(|| timing::watch(*entrant, scene)),
        exponent: None,
        ticks_lost: (scene.name == "corridor").then(|| timing::ticks_lost(*entrant, scene)).flatten(),
    };
    entrants.iter().zip(times).map(row).collect()
}

/// Times the ways of keeping states that the engines have which can.
fn comparisons(crowd: &Scene, options: &Options) -> Vec<rollback::Comparison> {
    let mut entrants = rollback::ENTRANTS.to_vec();
    let wanted = options.entrants(&FLYING);
    entrants.retain(|entrant| wanted.iter().any(|wanted| wanted.name == entrant.engine));
    rollback::compare(crowd, &entrants, options.runs, options.frames)
}

fn decimal(scalar: Scalar) -> f64 {
    scalar.to_bits() as f64 / 2f64.powi(32)
}

/// Exact for what is less than 2^21 units.
fn double(vector: Vec3) -> DVec3 {
    DVec3::from(vector.raw().map(|raw| raw as f64 / 2f64.powi(32)))
}

fn fixed(vector: DVec3) -> Vec3 {
    Vec3::from_raw(vector.to_array().map(|component| (component * 2f64.powi(32)) as i64))
}
