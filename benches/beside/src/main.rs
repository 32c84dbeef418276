//! bitstep beside other engines: the same scenes, in one run, on one thread. README.md says what is
//! measured and what is not.

mod engines;
mod faults;
mod kernels;
mod output;
mod paths;
mod rollback;
#[path = "../../scenes/mod.rs"]
mod scenes;
mod timing;

use bitstep::{geom::Vec3, num::Scalar};
use clap::Parser;
use glam::DVec3;

use engines::ENTRANTS;
use output::Row;
use timing::Times;

const ALL: [&str; 19] = [
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
    "rollback:500",
];

/// Runs the same scenes in bitstep and in other engines.
#[derive(Parser)]
struct Options {
    /// gas:N, crowd:N, march:N, blob:N, crossing:N, landing, pile, spheres:N, boxes:N, bullets, corridor,
    /// kernels or rollback:N; all that the README shows if none.
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
    /// One JSON object per line.
    #[arg(long)]
    json: bool,
    /// Times only; finding what is wrong takes longer.
    #[arg(long)]
    times_only: bool,
}

impl Options {
    fn wants(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|given| given == engine)
    }
}

fn main() {
    let options = Options::parse();
    if !option_env!("CFLAGS").is_some_and(|flags| flags.contains("NDEBUG")) {
        eprintln!("Box3D checks itself in this build, which takes time: build from within benches/beside");
    }
    let named = options.scenes.iter().map(String::as_str);
    let names: Vec<_> = if options.scenes.is_empty() { ALL.to_vec() } else { named.collect() };
    let mut before = Vec::new();
    for name in names {
        if name == "kernels" {
            output::kernels(&kernels::compare(options.runs), options.json);
        } else if let Some(crowd) = rollback::scene(name) {
            output::rollback(&comparisons(&crowd, &options), options.json);
        } else if let Some(scene) = scenes::scene(name) {
            let mut rows = rows(&scene, &options);
            rows.iter_mut().for_each(|row| row.exponent = row.exponent_since(&before));
            output::scene(&rows, options.json);
            before = rows;
        } else {
            eprintln!("no scene {name}: try --help");
            std::process::exit(2);
        }
    }
}

/// Times all entrants in turn, several times, then looks for what each gets wrong.
fn rows(scene: &scenes::Scene, options: &Options) -> Vec<Row> {
    let entrants: Vec<_> = ENTRANTS.into_iter().filter(|entrant| options.wants(entrant.name)).collect();
    let mut times: Vec<_> = entrants.iter().map(|_| Vec::new()).collect();
    for _ in 0..options.runs {
        for (entrant, times) in entrants.iter().zip(&mut times) {
            times.push(timing::time(*entrant, scene));
        }
    }
    let row = |(entrant, took): (&engines::Entrant, Vec<timing::Took>)| Row {
        scene: scene.name.clone(),
        engine: entrant.name,
        bodies: scene.balls.len(),
        milliseconds: Times::of(took.iter().map(|took| took.milliseconds).collect()),
        at_rest: took.iter().map(|took| took.at_rest).collect::<Option<_>>().map(Times::of),
        faults: (!options.times_only).then(|| timing::watch(*entrant, scene)),
        exponent: None,
        ticks_lost: (scene.name == "corridor").then(|| timing::ticks_lost(*entrant, scene)).flatten(),
    };
    entrants.iter().zip(times).map(row).collect()
}

/// Times the ways of keeping states that the engines have which can.
fn comparisons(crowd: &scenes::Scene, options: &Options) -> Vec<rollback::Comparison> {
    let mut entrants = rollback::ENTRANTS.to_vec();
    entrants.retain(|entrant| options.wants(entrant.engine));
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
