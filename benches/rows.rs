//! The cost of a row of the contact solver in an iteration, with its share of the bodies: nanoseconds and
//! instructions. `cargo bench --features trace --bench rows`.
//!
//! The largest island of a tick of balls with friction that rest in a box is solved again in 128 iterations
//! and in none; the difference is divided by the number of rows that those visited. The time is the best of
//! many; instructions are counted under valgrind.
#![allow(missing_docs, clippy::disallowed_types, clippy::disallowed_methods)] // times are measured here

#[allow(unused_imports)] // bodies are not steered here
mod scenes;

use std::{
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use bitstep::{World, snapshot, tick::TickReport};

/// The largest number of iterations of a tick.
const STEPS: i64 = 128;
/// Number of ticks before the measurement.
const SETTLING: u64 = 300;
/// Number of timings.
const ROUNDS: u64 = 200;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--counted", name, path, steps] => {
            let mut world = restored(name, Path::new(path));
            counted(&mut world, steps.parse().expect("steps"));
        }
        [] => ["spheres:200", "spheres:1000"].into_iter().for_each(measure),
        other => panic!("no {other:?}"),
    }
}

/// The only function in which valgrind counts.
#[inline(never)]
fn counted(world: &mut World, steps: i64) -> i64 {
    black_box(world.solve_rows_again(black_box(steps)))
}

fn measure(name: &str) {
    let mut world = scenes::world(&scenes::scene(name).expect("a scene"));
    let mut report = TickReport::default();
    for _ in 0..SETTLING {
        world.step(&mut report);
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rows");
    fs::write(&path, snapshot::encode(&world)).expect("a snapshot is written");
    let mut world = restored(name, &path);
    let looked = counted(&mut world, STEPS);
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (best, steps) in best.iter_mut().zip([0, STEPS]) {
            let start = Instant::now();
            counted(&mut world, steps);
            *best = start.elapsed().min(*best);
        }
    }
    let tenths = (best[1] - best[0]).as_nanos() as i64 * 10 / looked;
    print!("{name:<14} {} rows: {}.{} ns, ", looked / STEPS, tenths / 10, tenths % 10);
    match [0, STEPS].map(|steps| instructions(name, &path, steps)) {
        [Ok(none), Ok(all)] => println!("{} instructions a row in a step", (all - none) / looked),
        [Err(error), _] | [_, Err(error)] => println!("instructions are not known: {error}"),
    }
}

/// A world of a snapshot after one more tick.
fn restored(name: &str, path: &Path) -> World {
    let scenery = scenes::world(&scenes::scene(name).expect("a scene")).scenery().clone();
    let bytes = fs::read(path).expect("a snapshot");
    let mut world = snapshot::decode(&bytes, &scenery).expect("a snapshot");
    world.step(&mut TickReport::default());
    world
}

/// How many instructions that takes.
fn instructions(name: &str, path: &Path, steps: i64) -> Result<i64, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=rows::counted", "--callgrind-out-file=/dev/null"])
        .args([program.as_os_str(), "--counted".as_ref(), name.as_ref(), path.as_os_str()])
        .arg(steps.to_string())
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let found = text.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    found.ok_or_else(|| format!("valgrind says nothing:\n{text}"))
}
