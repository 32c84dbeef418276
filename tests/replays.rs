//! The golden recordings: each is simulated again, and its trace is compared with the reviewed one.
//!
//! After a change of the rules: record them anew as `replays/README.md` says, `cargo insta review`, raise the
//! rules version, and fill the heading Results in the CHANGELOG.
#![allow(missing_docs)]

use std::{fs, path::PathBuf};

use bitstep::replay::{Replay, Trace, verify};

/// Every golden, and its number of ticks and impacts: a golden that lost its content fails.
const GOLDENS: [(&str, u64, usize); 5] = [
    ("break", 600, 246),
    ("bullets", 120, 4_109),
    ("cradle", 300, 148),
    ("gas", 500, 71_258),
    ("timeline", 360, 15),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("replays")
}

/// Verifies a recording and writes down what happens in it.
fn assert_golden(name: &str, ticks: u64, impacts: usize) {
    let bytes = fs::read(folder().join(name).with_extension("replay")).unwrap();
    let replay = Replay::read(&bytes).unwrap();
    let (mut trace, mut seen, mut refused) = (Trace::short(replay.opening()), 0, 0);
    let mut last = replay.opening().clone();
    let verdict = verify(&replay, |world, report| {
        trace.tick(world, report);
        let ledger_closes = {
            let (before, after, total) = (last.momentum_wide(), world.momentum_wide(), report.ledger.total());
            (0..3).all(|axis| after[axis] - before[axis] == total[axis])
        };
        assert!(ledger_closes, "{name}, tick {}", report.tick);
        let nets = [report.held.len(), report.rolled_back.len(), report.out_of_bounds.len()];
        assert_eq!((nets, report.speed_clamped), ([0; 3], 0), "{name}, tick {}", report.tick);
        seen += report.impacts.len();
        refused += report.outcomes.iter().filter(|outcome| outcome.is_err()).count();
        last.clone_from(world);
    });
    let verdict = verdict.unwrap();
    assert_eq!(verdict.divergence, None, "{name}");
    assert_eq!((verdict.ticks, seen), (ticks, impacts), "{name}");
    assert_eq!(refused, if name == "timeline" { 6 } else { 0 }, "{name}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, trace.finish(&last)));
}

#[test]
fn every_golden_plays_as_it_was_recorded() {
    for (name, ticks, impacts) in GOLDENS {
        assert_golden(name, ticks, impacts);
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
    let listed = GOLDENS.map(|(name, _, _)| name.to_owned());
    assert_eq!(with("ron"), listed);
    assert_eq!(with("replay"), listed);
    assert_eq!(with("snap"), listed);
}
