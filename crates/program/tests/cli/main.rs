//! The real program, from its arguments to its exit code.

mod bakes;
mod batches;
/// The output of `bitstep clip --test`.
#[path = "clipped/break.tick-7.rs"]
mod break_tick_7;
mod demos;
mod diffs;
mod environments;
mod games;
mod limits;
mod many;
mod migrates;
mod plots;
mod quoted;
#[path = "../../../../tests/support/records.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod records;
mod repairs;
mod runs;
mod scenes;
mod shows;
mod sweeps;
mod sweeps_meshes;
mod verifies;
mod views;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const SMALL: &str = "\
// Two balls that meet.
(
    title: \"Two balls\",
    tick_rate: 10,
    ticks: 20,
    materials: {\"steel\": (restitution: 1)},
    shapes: {\"ball\": sphere(radius: 0.5)},
    bodies: [
        body(name: \"left\", shape: \"ball\", material: \"steel\", position: (0, 0, 0), velocity: (10, 0, 0)),
        body(name: \"right\", shape: \"ball\", material: \"steel\", position: (5.5, 0, 0)),
    ],
    timeline: [
        (tick: 15, commands: [apply_impulse(body: \"left\", impulse: (1, 0, 0)), remove(body: \"left\"), remove(body: \"left\")]),
    ],
)
";

/// The program's answer to arguments.
struct Answer {
    code: i32,
    out: String,
    err: String,
}

fn bitstep(arguments: &[&str]) -> Answer {
    answer(Command::new(env!("CARGO_BIN_EXE_bitstep")).args(arguments).output().unwrap())
}

fn bitstep_fed(arguments: &[&str], input: &[u8]) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    answer(child.wait_with_output().unwrap())
}

fn answer(output: Output) -> Answer {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Answer { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A file of this test's own.
fn file(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The recording of the small scene, under a name of the test's own.
fn recording(name: &str) -> String {
    let path = file(name, b"");
    let run = bitstep_fed(&["run", "-", "--record", &path], SMALL.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    path
}

fn golden(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../replays", name].iter().collect();
    path.to_str().unwrap().to_owned()
}

/// The output of `verify` without its speed; at least one line had it.
fn without_speed(out: &str) -> String {
    let mut rest = String::new();
    let mut parts = out.split(" times real time").peekable();
    while let Some(part) = parts.next() {
        let masked = if parts.peek().is_some() { &part[..part.rfind(", ").unwrap()] } else { part };
        rest.push_str(masked);
    }
    assert_ne!(rest, out);
    rest
}

/// Asserts the output for bad arguments: one line on standard error, nothing else.
fn assert_refused(arguments: &[&str], expected: &str) {
    let Answer { code, out, err } = bitstep(arguments);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (2, "", &*format!("bitstep: {expected}\n")),
        "{arguments:?}"
    );
}

/// The kinds of records that are changed.
const TICK: u8 = 3;
const KEYFRAME: u8 = 5;
const END: u8 = 6;
const CHECK: u8 = 7;
const LAYER: u8 = 8;

/// Changes the content of a record, the `number`th of its kind, and makes its check fit again.
fn change_record(bytes: &mut Vec<u8>, kind: u8, number: usize, change: impl FnOnce(&mut [u8])) {
    let mut parts = records::parts(bytes);
    let record = parts[1..].iter_mut().filter(|record| record[0] == kind).nth(number - 1).unwrap();
    let mut content = records::content(record).to_vec();
    change(&mut content);
    *record = records::sealed(kind, &content);
    *bytes = parts.concat();
}
