//! The golden recordings: each is played to its end, and its text trace, its checksums and its counts are
//! compared with the reviewed ones; each scene runs at other tick rates too.
//!
//! A golden that differs does not stop the others. `goldens.rs` plays and compares, `excerpt.rs` finds the
//! first differing tick of two traces, `rates.rs` runs the scenes at other rates.
//!
//! After a change of the rules: `.ci/record-goldens`, review what changed, fill the table below with what the
//! failure prints, raise the rules version, and fill the heading Results in the CHANGELOG.
#![allow(missing_docs)]

mod excerpt;
mod goldens;
mod rates;
#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::{fs, path::PathBuf};

use bitstep::{World, replay::Replay, snapshot, tick::TickReport};

/// The content of a golden: one that lost its content fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Golden {
    name: &'static str,
    ticks: u64,
    impacts: usize,
    /// Commands that were refused.
    refused: usize,
    /// Kinematic bodies that were blocked, summed over the ticks.
    blocked: usize,
    /// Bodies that were held, summed over the ticks: only a jam has any.
    held: usize,
}

const fn golden(name: &'static str, ticks: u64, impacts: usize) -> Golden {
    Golden { name, ticks, impacts, refused: 0, blocked: 0, held: 0 }
}

const GOLDENS: [Golden; 21] = [
    golden("break", 600, 246),
    golden("bullets", 120, 4_109),
    golden("castle", 1_200, 6_288),
    golden("cradle", 300, 148),
    golden("gas", 500, 71_258),
    Golden { held: 84, ..golden("jam", 60, 639) },
    Golden { refused: 3, ..golden("layers", 300, 17) },
    Golden { blocked: 9, ..golden("lift", 360, 43) },
    golden("pile", 180, 3_130),
    Golden { refused: 1, ..golden("quarry", 480, 314) },
    golden("rest", 240, 50),
    golden("rods", 240, 562),
    golden("rubble", 360, 177),
    Golden { refused: 1, ..golden("skirmish", 300, 54) },
    golden("slope", 240, 54),
    golden("squeeze", 120, 17),
    Golden { refused: 6, ..golden("timeline", 360, 11) },
    golden("tower", 300, 20),
    golden("track", 3_600, 2),
    golden("tumble", 360, 10),
    golden("valley", 360, 334),
];

/// The one that is played whole only as it was recorded, and by optimised code: otherwise so many seconds of
/// it. In eleven all shots are fired, in two the first is there.
const LONG: (&str, u64) = ("castle", if cfg!(debug_assertions) { 2 } else { 11 });

/// The one that has more momentum than its budget can pass on.
const JAM: &str = "jam";

/// The most bodies of a world of which every pair is checked after every tick.
const BODIES: usize = 200;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("replays")
}

fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(name).with_extension("replay")).unwrap()
}

/// The safety nets that a tick needed and the overlaps that no command allowed, if there are any.
fn breach(name: &str, world: &World, report: &TickReport) -> Option<String> {
    let held = if name == JAM { 0 } else { report.impact_limited.len() };
    let nets = [
        ("held", held),
        ("reverted", report.reverted.len()),
        ("out of bounds", report.out_of_bounds.len()),
        ("clamped", report.speed_clamped as usize),
        ("halted", usize::from(report.tick_halted.is_some())),
    ];
    let mut found: Vec<String> =
        nets.iter().filter(|(_, count)| *count > 0).map(|(net, count)| format!("{count} {net}")).collect();
    if world.bodies().count() <= BODIES {
        // Commands may put bodies inside others, from where they separate.
        let overlaps = support::overlaps(world);
        if overlaps > report.overlapping as usize {
            found.push(format!("{overlaps} overlaps, {} allowed", report.overlapping));
        }
    }
    let rate = world.limits().tick_rate;
    (!found.is_empty()).then(|| format!("{name}, tick {} at {rate} Hz: {}", report.tick, found.join(", ")))
}

#[test]
fn every_scene_has_a_recording_and_a_trace() {
    let with = |extension: &str| {
        let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<String> = entries
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        names
    };
    let listed = GOLDENS.map(|golden| golden.name.to_owned());
    assert_eq!(with("ron"), listed);
    assert_eq!(with("replay"), listed);
    assert_eq!(with("snap"), listed);
}

/// The cells of the row of a table in `replays/README.md` that begins with a name.
fn row(table: &str, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("| {table} |")));
    let line = lines.find(|line| line.starts_with(&format!("| {name} |"))).unwrap_or_default();
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// The sizes that the table lists of a golden: the file, its scenery and initial state, its keyframes, and the rest
/// for each tick, its check and the end among it.
fn sizes(name: &str) -> [String; 4] {
    let bytes = read(name);
    let replay = Replay::<World>::read(&bytes).unwrap();
    let initial_state = replay.scenery().encode().len() + snapshot::encode(replay.initial_state()).len();
    let keyframes: usize = replay.keyframes().iter().map(|keyframe| keyframe.snapshot.len()).sum();
    let tenths = 10 * (bytes.len() - initial_state - keyframes) / replay.ticks().len();
    let per_tick = format!("{}.{}", tenths / 10, tenths % 10);
    [bytes.len().to_string(), initial_state.to_string(), keyframes.to_string(), per_tick]
}

#[test]
fn the_table_of_sizes_is_what_the_files_have() {
    for name in GOLDENS.map(|golden| golden.name) {
        let published = row("bytes", &format!("`{name}`"));
        let found = sizes(name);
        let line = format!("| `{name}` | {} |", found.join(" | "));
        assert!(published.len() == 7 && published[2..6] == found, "in replays/README.md: {line}");
    }
}
