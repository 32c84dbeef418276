//! The golden recordings: each is simulated again, and its trace is compared with the reviewed one; each
//! scene runs at other tick rates too.
//!
//! After a change of the rules: `.ci/record-goldens`, review what changed, fill the table below with what
//! the failure prints, raise the rules version, and fill the heading Results in the CHANGELOG.
#![allow(missing_docs)]

#[cfg(feature = "program")]
#[path = "../src/bin/bitstep/scene/mod.rs"]
#[allow(dead_code, unused_imports)]
mod scene;
#[path = "support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::{fs, path::PathBuf};

use bitstep::{
    replay::{Replay, Trace, verify_with},
    snapshot,
    tick::TickReport,
    world::World,
};

/// What a golden holds: one that lost its content fails.
#[derive(PartialEq, Eq, Debug)]
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

const GOLDENS: [Golden; 17] = [
    golden("break", 600, 246),
    golden("bullets", 120, 4_109),
    golden("castle", 10_000, 2_752),
    golden("cradle", 300, 148),
    golden("gas", 500, 71_258),
    Golden { held: 84, ..golden("jam", 60, 639) },
    Golden { refused: 3, ..golden("layers", 300, 18) },
    Golden { blocked: 9, ..golden("lift", 360, 145) },
    golden("pile", 180, 3_479),
    golden("rest", 240, 89),
    golden("rods", 240, 619),
    Golden { refused: 1, ..golden("skirmish", 300, 54) },
    golden("slope", 240, 59),
    golden("squeeze", 120, 21),
    Golden { refused: 6, ..golden("timeline", 360, 11) },
    golden("tower", 300, 83),
    golden("tumble", 360, 10),
];

/// The one that is played whole only as it was recorded, and by optimised code: otherwise so many seconds of it.
/// In eleven all shots are fired, in two the first is there.
const LONG: (&str, u64) = ("castle", if cfg!(debug_assertions) { 2 } else { 11 });

/// The one that has more momentum than its budget can pass on.
const JAM: &str = "jam";

/// Every pair of a world with at most as many bodies is looked at after every tick.
const BODIES: usize = 200;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("replays")
}

/// Asserts that a tick needed no net, and that no pair overlaps that did not before.
fn assert_safe(name: &str, world: &World, report: &TickReport) {
    let held = if name == JAM { 0 } else { report.held.len() };
    let nets = [held, report.rolled_back.len(), report.out_of_bounds.len()];
    let at = format!("{name}, tick {} at {} Hz", report.tick, world.limits().tick_rate);
    assert_eq!((nets, report.speed_clamped, report.halted), ([0; 3], 0, None), "{at}");
    if world.bodies().count() <= BODIES {
        // Commands may put bodies inside others, from where they part.
        let overlaps = support::overlaps(world);
        assert!(overlaps <= report.overlapping as usize, "{at}: {overlaps} overlaps");
    }
}

/// Verifies a recording, compares what happens in it with the reviewed trace, and counts it.
fn play(name: &'static str) -> Golden {
    let bytes = fs::read(folder().join(name).with_extension("replay")).unwrap();
    let replay = Replay::<World>::read(&bytes).unwrap();
    let mut trace = Trace::short(replay.opening());
    let mut found = golden(name, 0, 0);
    let mut last = replay.opening().clone();
    let verdict = verify_with(&replay, &mut TickReport::with_events(), |world, report| {
        trace.tick(world, report);
        let ledger_closes = {
            let (before, after, total) = (last.momentum_wide(), world.momentum_wide(), report.ledger.total());
            (0..3).all(|axis| after[axis] - before[axis] == total[axis])
        };
        assert!(ledger_closes, "{name}, tick {}", report.tick);
        assert_safe(name, world, report);
        found.ticks += 1;
        found.impacts += report.impacts.len();
        found.refused += report.outcomes.iter().filter(|outcome| outcome.is_err()).count();
        found.blocked += report.blocked.len();
        found.held += report.held.len();
        last.clone_from(world);
    });
    assert_eq!(verdict.unwrap().divergence, None, "{name}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, trace.finish(&last)));
    found
}

#[test]
fn every_golden_plays_as_it_was_recorded() {
    let is_played = |golden: &Golden| golden.name != LONG.0 || !cfg!(debug_assertions);
    let goldens: Vec<_> = GOLDENS.into_iter().filter(is_played).collect();
    // Compared in one piece, after every trace: a change of the rules is then recorded in one run.
    let found: Vec<_> = goldens.iter().map(|golden| play(golden.name)).collect();
    assert_eq!(found, goldens);
}

#[test]
#[cfg(debug_assertions)]
fn the_long_golden_begins_as_it_was_recorded() {
    let bytes = fs::read(folder().join(LONG.0).with_extension("replay")).unwrap();
    let replay = Replay::<World>::read(&bytes).unwrap();
    let mut world = replay.opening().clone();
    let ticks = LONG.1 * u64::from(world.limits().tick_rate);
    let mut report = TickReport::default();
    for record in &replay.ticks()[..ticks as usize] {
        world.tick(&record.inputs, &mut report);
        assert_safe(LONG.0, &world, &report);
        assert_eq!(snapshot::checksum(&world).short(), record.checksum, "tick {}", report.tick);
    }
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

/// What the table of sizes says of a golden: the file, its scenery and opening, its keyframes, and what is
/// left for each tick, its check and the end among it.
fn sizes(name: &str) -> [String; 4] {
    let bytes = fs::read(folder().join(name).with_extension("replay")).unwrap();
    let replay = Replay::<World>::read(&bytes).unwrap();
    let opening = replay.scenery().encode().len() + snapshot::encode(replay.opening()).len();
    let keyframes: usize = replay.keyframes().iter().map(|keyframe| keyframe.snapshot.len()).sum();
    let tenths = 10 * (bytes.len() - opening - keyframes) / replay.ticks().len();
    let per_tick = format!("{}.{}", tenths / 10, tenths % 10);
    [bytes.len().to_string(), opening.to_string(), keyframes.to_string(), per_tick]
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

#[cfg(feature = "program")]
mod rates {
    //! The scenes at other rates: the same seconds, in fewer or in more ticks.

    use super::{
        GOLDENS, JAM, LONG, Replay, TickReport, assert_safe, folder, fs, row, scene::Scene, snapshot,
    };

    /// Ticks per second, and in how many steps each is played.
    type Pace = (u64, u64);

    /// The scenes that no world takes at a pace: 2,000 units per second are 200 in a step, and 40 radians 2.
    const TOO_FAST: [(&str, Pace, &str); 3] =
        [("bullets", (10, 1), "-"), ("tumble", (10, 1), "-"), ("tumble", (20, 1), "-")];

    /// What is not run at a pace, and why is said in `replays/README.md`.
    const LEFT_OUT: [(&str, Pace); 2] = [("castle", (10, 1)), ("castle", (20, 1))];

    /// The number right after the first `key` of a scene's text, and where it stands.
    fn number(text: &str, key: &str) -> (std::ops::Range<usize>, u64) {
        let start = text.find(key).unwrap() + key.len();
        let digits = text[start..].chars().take_while(char::is_ascii_digit).count();
        (start..start + digits, text[start..start + digits].parse().unwrap())
    }

    /// The scene's text at another pace: the same time for its end and, rounded down to a tick, for
    /// its commands. Velocities and gravity are per second, and need nothing.
    fn at_pace(text: &str, (rate, steps): Pace) -> String {
        let (place, recorded) = number(text, "tick_rate: ");
        let mut scaled = text.to_owned();
        let steps = if steps == 1 { String::new() } else { format!(",\n    steps: {steps}") };
        scaled.replace_range(place, &format!("{rate}{steps}"));
        let (place, ticks) = number(&scaled, "\n    ticks: ");
        scaled.replace_range(place, &(ticks * rate / recorded).to_string());
        let mut pieces = scaled.split("(tick: ");
        let head = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(head, |done, piece| {
            let (place, tick) = number(piece, "");
            let tick = (tick - 1) * rate / recorded + 1;
            format!("{done}(tick: {tick}{}", &piece[place.end..])
        })
    }

    /// What a pace is called.
    fn called((rate, steps): Pace) -> String {
        if steps == 1 { format!("{rate} Hz") } else { format!("{rate} Hz in {steps}") }
    }

    /// What the table in `replays/README.md` says of a scene at a pace.
    fn published(name: &str, pace: Pace) -> String {
        let rates = row("held", "held");
        let column = rates.iter().position(|cell| *cell == called(pace)).unwrap();
        row("held", &format!("`{name}`"))[column].clone()
    }

    /// What happened in a scene at a rate.
    struct Seen {
        impacts: usize,
        /// Bodies that were held, summed over the ticks, and at most in one.
        held: [usize; 2],
        checksum: snapshot::Checksum,
    }

    fn run(name: &str, mut scene: Scene) -> Seen {
        let mut world = scene.opening;
        let (mut report, mut impacts, mut held) = (TickReport::default(), 0, [0; 2]);
        for tick in 1..=scene.ticks {
            let commands = scene.timeline.commands(tick, &world);
            world.tick(&commands, &mut report);
            assert_safe(name, &world, &report);
            impacts += report.impacts.len();
            held = [held[0] + report.held.len(), held[1].max(report.held.len())];
        }
        Seen { impacts, held, checksum: snapshot::checksum(&world) }
    }

    /// Runs every scene: nobody but who is in the jam is held in any tick, nobody is rolled back or clamped, and the
    /// jam, too, overlaps nobody.
    fn assert_safe_at(pace: Pace) {
        let ((rate, steps), at) = (pace, called(pace));
        for name in GOLDENS.map(|golden| golden.name) {
            if LEFT_OUT.contains(&(name, pace)) {
                assert_eq!(published(name, pace), "-", "{name} at {at}");
                continue;
            }
            let text = fs::read_to_string(folder().join(name).with_extension("ron")).unwrap();
            let Ok(scene) = Scene::parse(&at_pace(&text, pace)) else {
                let cell = published(name, pace);
                assert!(TOO_FAST.contains(&(name, pace, cell.as_str())), "{name} at {at}");
                continue;
            };
            let limits = scene.opening.limits();
            assert_eq!((u64::from(limits.tick_rate), u64::from(limits.steps)), pace);
            let ticks = if name == LONG.0 { scene.ticks.min(LONG.1 * rate) } else { scene.ticks };
            let Seen { impacts, held, checksum } = run(name, Scene { ticks, ..scene });
            assert!(impacts > 0, "{name} at {at}");
            if (rate, steps) == (number(&text, "tick_rate: ").1, 1) {
                // A scene that changed after it was recorded.
                let recorded = Replay::<bitstep::world::World>::read(
                    &fs::read(folder().join(name).with_extension("replay")).unwrap(),
                );
                let recorded = recorded.unwrap();
                assert_eq!(
                    checksum.short(),
                    recorded.ticks()[ticks as usize - 1].checksum,
                    "{name}: record it"
                );
                let is_whole = ticks == recorded.ticks().len() as u64;
                assert!(!is_whole || recorded.final_checksum() == Some(checksum), "{name}: record it");
            }
            let is_held = held != [0; 2];
            assert_eq!(is_held, name == JAM, "{name} at {at}");
            let cell = if is_held { format!("{} ({})", held[0], held[1]) } else { "0".to_owned() };
            assert_eq!(published(name, pace), cell, "{name} at {at} in replays/README.md");
        }
    }

    #[test]
    fn no_scene_needs_a_net_at_10_hz() {
        assert_safe_at((10, 1));
    }

    #[test]
    fn no_scene_needs_a_net_at_20_hz() {
        assert_safe_at((20, 1));
    }

    #[test]
    fn no_scene_needs_a_net_at_10_hz_in_six_steps() {
        assert_safe_at((10, 6));
    }

    #[test]
    fn no_scene_needs_a_net_at_20_hz_in_three_steps() {
        assert_safe_at((20, 3));
    }

    #[test]
    fn no_scene_needs_a_net_at_60_hz() {
        assert_safe_at((60, 1));
    }

    #[test]
    fn no_scene_needs_a_net_at_120_hz() {
        assert_safe_at((120, 1));
    }

    #[test]
    fn another_pace_changes_ticks_and_nothing_else() {
        let text =
            "(\n    tick_rate: 60,\n    ticks: 120,\n    [(tick: 1, a), (tick: 61, b), (tick: 64, 9)])";
        let slow = "(\n    tick_rate: 10,\n    ticks: 20,\n    [(tick: 1, a), (tick: 11, b), (tick: 11, 9)])";
        assert_eq!(at_pace(text, (10, 1)), slow);
        assert_eq!(at_pace(text, (10, 6)), slow.replace("10,\n", "10,\n    steps: 6,\n"));
        assert_eq!(at_pace(text, (60, 1)), text);
    }
}
