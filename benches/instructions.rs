//! The number of instructions of every kernel per call, and of every scene per tick, compared with
//! `instructions.txt`: a clock that a busy machine cannot disturb.
//!
//! `cargo bench --bench instructions` fails where a count rose; with `-- --update` it rewrites the table. It
//! runs itself again under valgrind, which counts. Only code of this program counts, not that of the system:
//! how a C library copies or allocates depends on the machine.
#![allow(missing_docs)]

#[path = "../examples/digest.rs"]
#[allow(dead_code)] // its kernels and cases are used; it has a house rule that it names every public kernel
mod digest;
mod scenes;

use std::{
    collections::BTreeMap,
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use bitstep::{World, snapshot, tick::TickReport};

use scenes::{Steering, commands, grounds, scene};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.txt");
/// Tolerance in percent: a larger increase is a failure, a larger decrease is worth a new table.
const MORE: u64 = 3;
const LESS: u64 = 5;
/// Another compiler makes other instructions: then only a larger increase is a failure, in percent.
const MORE_ELSEWHERE: u64 = 25;
/// How often a kernel is called.
const CALLS: u64 = 1_000;
/// Scenes, how many ticks pass before anything counts, and how many count.
const SCENES: [(&str, u64, u64); 21] = [
    ("gas:1000", 20, 5),
    ("crowd:500", 60, 5),
    ("crowd:1000", 400, 5), // jammed
    ("pile", 300, 3),
    ("spheres:200", 100, 3),
    ("spheres:300", 900, 3), // all resting by then
    ("boxes:200", 300, 3),   // all resting, too
    ("bullets", 20, 3),
    ("landing-balls:100", 60, 3),
    ("landing-boxes:100", 60, 3),
    ("landing-capsules:100", 60, 3),
    ("landing-boxes:1000", 60, 1),   // impacts go on until its end
    ("landing-locked:100", 20, 10),  // its worst ticks
    ("landing-boxes:100#1", 600, 3), // all resting
    ("tumble:100", 20, 3),
    ("plane-walkers:100", 60, 5),
    ("flat-walkers:100", 60, 5),
    ("hills-walkers:100", 60, 5),
    ("hills-balls:100", 60, 3),
    ("hills-boxes:100", 60, 3),
    ("hills-boxes:100#1", 600, 3), // all resting
];

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let outcome = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--counted", folder] => {
            run_counted(Path::new(folder));
            Ok(())
        }
        [] => compare(),
        ["--update"] => update(),
        other => Err(format!("no {other:?}: either nothing or --update")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

// ---------------------------------------------------------------- under valgrind

/// The only function in which valgrind counts; it writes its count whenever this returns.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

/// Prints a line for each count: its name, and the number of calls or ticks by which the sum is divided.
fn run_counted(folder: &Path) {
    let cases: Vec<_> = (0..CALLS).map(digest::case).collect();
    for (name, kernel) in digest::kernels() {
        println!("{name} {CALLS}");
        counted(&mut || {
            for case in &cases {
                black_box(kernel(black_box(case)));
            }
        });
    }
    for (name, _, ticks) in SCENES {
        let bytes = fs::read(snapshot_path(folder, name)).expect("a snapshot");
        let (start, mut run) = begin(name);
        let scenery = start.scenery().clone();
        let mut world = snapshot::decode(&bytes, &scenery).expect("a snapshot");
        run.tick(&mut world, |world, commands, report| _ = world.tick(commands, report));
        for _ in 0..ticks {
            println!("{name} {ticks}");
            run.tick(&mut world, |world, commands, report| counted(&mut || _ = world.tick(commands, report)));
        }
    }
}

/// A scene before its first tick.
fn begin(name: &'static str) -> (World, Run) {
    let run = |steering| Run { name, steering, commands: Vec::new(), report: TickReport::default() };
    // What follows a sign tells a scene from itself at another time.
    let plain = name.split('#').next().unwrap_or(name);
    if let Some(world) = grounds::world(plain) {
        return (world, run(None));
    }
    let scene = scene(name).expect("a scene");
    (scenes::world(&scene), run(scene.steered.then(|| Steering::new(&scene))))
}

/// The state of a scene besides its world.
struct Run {
    name: &'static str,
    steering: Option<Steering>,
    commands: Vec<bitstep::state::Command>,
    report: TickReport,
}

impl Run {
    fn tick(
        &mut self,
        world: &mut World,
        tick: impl FnOnce(&mut World, &[bitstep::state::Command], &mut TickReport),
    ) {
        if let Some(steering) = &mut self.steering {
            let velocities = steering.velocities(world.bodies().map(|(_, body)| body.position));
            commands(world.limits(), velocities, &mut self.commands);
        } else {
            grounds::commands(self.name, world, &mut self.commands);
        }
        tick(world, &self.commands, &mut self.report);
    }
}

// ---------------------------------------------------------------- over valgrind

/// Counts per call or per tick, by name.
type Counts = BTreeMap<String, u64>;

fn update() -> Result<(), String> {
    let mut text = format!("# instructions per call or tick, by benches/instructions.rs; {}\n", compiler()?);
    for (name, count) in count()? {
        text += &format!("{name} {count}\n");
    }
    fs::write(TABLE, text).map_err(|error| format!("{TABLE}: {error}"))
}

/// Compares with the table, and returns instructions about differences.
fn compare() -> Result<(), String> {
    let text = fs::read_to_string(TABLE).map_err(|error| format!("{TABLE}: {error}"))?;
    let table = counts(text.lines().filter(|line| !line.starts_with('#')))?;
    let (now, compiler) = (count()?, compiler()?);
    let more = if text.lines().next().is_some_and(|line| line.ends_with(&compiler)) {
        MORE
    } else {
        println!("the table is of another compiler than {compiler}: {MORE_ELSEWHERE} % more are accepted");
        MORE_ELSEWHERE
    };
    let (mut risen, mut stale) = (Vec::new(), table.keys().any(|name| !now.contains_key(name)));
    for (name, &count) in &now {
        let Some(&before) = table.get(name) else {
            println!("{name:<28} {count:>12} new");
            stale = true;
            continue;
        };
        let thousandths = (count * 1_000 / before.max(1)) as i64 - 1_000;
        let sign = if thousandths < 0 { '-' } else { '+' };
        let (whole, tenth) = (thousandths.abs() / 10, thousandths.abs() % 10);
        println!("{name:<28} {count:>12} {sign}{whole}.{tenth} %");
        if count * 100 > before * (100 + more) {
            risen.push(format!("{name} takes {count} instructions, was {before}: more than {more} % above"));
        }
        stale |= count * 100 < before * (100 - LESS);
    }
    if stale {
        println!("the table is out of date: cargo bench --bench instructions -- --update");
    }
    if risen.is_empty() { Ok(()) } else { Err(risen.join("\n")) }
}

/// Which compiler, for which machine.
fn compiler() -> Result<String, String> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(&rustc).arg("-vV").output().map_err(|error| format!("{rustc}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim().to_owned();
    Ok(format!("rustc {} {}", line("release:"), line("host:")))
}

/// Runs this program again under valgrind and reads its counts.
fn count() -> Result<Counts, String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    let text = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(text)?;
    }
    fs::create_dir_all(&folder).map_err(text)?;
    for (name, settling, _) in SCENES {
        let (mut world, mut run) = begin(name);
        for _ in 0..settling {
            run.tick(&mut world, |world, commands, report| _ = world.tick(commands, report));
        }
        fs::write(snapshot_path(&folder, name), snapshot::encode(&world)).map_err(text)?;
    }
    let program = env::current_exe().map_err(text)?;
    let output = Command::new("valgrind")
        .args([
            "--quiet",
            "--tool=callgrind",
            "--toggle-collect=instructions::counted",
            "--dump-after=instructions::counted",
        ])
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", folder.join("counts").display()))
        .args([program.as_os_str(), "--counted".as_ref(), folder.as_os_str()])
        .output()
        .map_err(|error| format!("valgrind: {error}; it is a package of every distribution"))?;
    if !output.status.success() {
        return Err(format!("valgrind: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let mut found = BTreeMap::new();
    for (line, dump) in String::from_utf8_lossy(&output.stdout).lines().zip(1..) {
        let (name, times) = entry(line)?;
        let path = folder.join(format!("counts.{dump}"));
        let counted = fs::read_to_string(path).map_err(|error| format!("counted no {name}: {error}"))?;
        let sum = own_instructions(&counted, &program)?;
        let total = found.entry(name).or_insert((0, times));
        total.0 += sum;
    }
    Ok(found.into_iter().map(|(name, (sum, times))| (name, sum / times)).collect())
}

/// The instructions of a dump that were this program's own.
fn own_instructions(dump: &str, program: &Path) -> Result<u64, String> {
    let program = program.to_string_lossy();
    let (mut own, mut sum) = (false, 0);
    let mut lines = dump.lines();
    while let Some(line) = lines.next() {
        if let Some(object) = line.strip_prefix("ob=") {
            own = object == program;
        } else if line.starts_with("calls=") {
            lines.next(); // the instructions of the callee, which has lines of its own
        } else if own && line.starts_with(|first: char| first.is_ascii_digit()) {
            sum += entry(line)?.1;
        }
    }
    if sum == 0 { Err("nothing was counted".into()) } else { Ok(sum) }
}

fn snapshot_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(name.replace(':', "-"))
}

fn counts<'a>(lines: impl Iterator<Item = &'a str>) -> Result<Counts, String> {
    lines.map(entry).collect()
}

fn entry(line: &str) -> Result<(String, u64), String> {
    let parts = line.split_once(' ').and_then(|(name, count)| Some((name.to_owned(), count.parse().ok()?)));
    parts.ok_or_else(|| format!("not a name and a number: {line}"))
}
