//! `bitstep run`, and `bitstep` alone.

use std::{
    fs,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::{Answer, SMALL, assert_refused, bitstep, file, golden, recording};

#[test]
fn alone_it_says_what_to_try_first() {
    let Answer { code, out, err } = bitstep(&[]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\n  bitstep run replays/break.ron "), "{out}");
    let (page, called) = out.split_once("\nFrom here, bitstep is called ").unwrap();
    assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
    assert!(called.trim_end().ends_with("bitstep"), "{called}");
    assert_eq!(bitstep(&["--help"]).code, 0);
    assert_eq!(bitstep(&["fly"]).code, 2);
    assert_eq!(bitstep(&["verify"]).code, 2);
}

#[test]
fn a_run_that_is_killed_leaves_the_ticks_up_to_there() {
    let (scene, path) = (file("killed.ron", SMALL.as_bytes()), file("killed.replay", b""));
    let arguments = ["run", &scene, "--ticks", "10000000", "--record", &path];
    let mut run = Command::new(env!("CARGO_BIN_EXE_bitstep")).args(arguments).spawn().unwrap();
    while fs::metadata(&path).unwrap().len() < 4_096 {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    assert_eq!(code, 2, "{out}");
    let (_, rest) = out.split_once(" is cut short); the ").unwrap();
    let ticks: u64 = rest.split_once(" ticks before it match").unwrap().0.replace(',', "").parse().unwrap();
    assert!(ticks > 100, "{out}");
}

#[test]
fn a_profile_names_every_phase_and_changes_nothing() {
    let path = file("profile.ron", SMALL.as_bytes());
    let (plain, timed) = (bitstep(&["run", &path]), bitstep(&["run", &path, "--profile"]));
    let checksum = |out: &str| out.lines().find(|line| line.starts_with("  checksum ")).unwrap().to_owned();
    assert_eq!((timed.code, checksum(&plain.out)), (0, checksum(&timed.out)));
    let (_, table) = timed.out.split_once("\n  profile ").unwrap();
    let parts = ["apply", "integrate", "rest", "impacts", "finish", "report", "longest tick"];
    for (line, part) in table.lines().zip(parts) {
        assert!(line.trim_start().starts_with(part) && line.contains(" %"), "{table}");
    }
    assert!(!plain.out.contains("longest tick"), "{}", plain.out);
    let json = bitstep(&["run", &path, "--profile", "--json"]);
    let value: Value = serde_json::from_str(&json.out).unwrap();
    assert!(parts[..6].iter().all(|part| value["profile"]["nanos"][part].is_u64()), "{}", json.out);
    assert!((1..=20).contains(&value["profile"]["longest"]["tick"].as_u64().unwrap()), "{}", json.out);
}

#[test]
fn a_run_says_that_every_tick_matches() {
    let path = file("small.ron", SMALL.as_bytes());
    let Answer { code, out, err } = bitstep(&["run", &path]);
    assert_eq!((code, err.as_str()), (0, ""));
    for line in [
        "Two balls",
        "  bodies        2 bodies (1 at the end) and 0 statics",
        "  impacts       1, at most 1 in a tick (tick 5)",
        "  safety nets   none needed: nothing held, reverted, clamped or out of bounds",
        "  commands      2 applied, 1 refused",
        "                refused at tick 15, command 2, Remove: no body 0",
        "  momentum      the ledger closes in every tick, to the last bit",
    ] {
        assert!(out.lines().any(|found| found == line), "{line:?} in\n{out}");
    }
    assert!(out.contains("re-simulated  all 20 ticks match, to the last bit"), "{out}");
    assert!(!out.contains('\x1b'), "colour is for terminals");
    assert_eq!(bitstep(&["run", &path, "--ticks", "1"]).code, 0);
}

#[test]
fn json_of_a_run_holds_the_same_as_its_recording() {
    let scene = file("json.ron", SMALL.as_bytes());
    let replay = file("json.replay", b"");
    let run = bitstep(&["run", &scene, "--json", "--record", &replay]);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(value["matches"], true);
    assert_eq!(value["ticks"], 20);
    assert_eq!(value["ledger_closes"], true);
    // Twice the energy of mass 1 at 1 unit per tick is 2^64 raw squared.
    assert_eq!(value["energy_twice_raw_start"], "18446744073709551616");
    assert_eq!(value["refusals"][0], "tick 15, command 2, Remove: no body 0");
    assert_eq!(value["recorded_bytes"], fs::metadata(&replay).unwrap().len());

    let verify = bitstep(&["verify", "--json", &replay]);
    let line: Value = serde_json::from_str(&verify.out).unwrap();
    assert_eq!((verify.code, &line["matches"], &line["ticks"]), (0, &Value::from(true), &Value::from(20)));
    assert_eq!(line["checksum"], value["checksum"]);
    assert!(bitstep(&["show", &replay]).out.contains(value["checksum"].as_str().unwrap()));
}

#[test]
fn a_trace_is_the_same_from_a_scene_and_from_its_recording() {
    let scene = file("trace.ron", SMALL.as_bytes());
    let replay = recording("trace.replay");
    let live = bitstep(&["run", &scene, "--trace"]);
    let played = bitstep(&["show", &replay, "--trace"]);
    assert_eq!((live.code, played.code), (0, 0));
    assert!(live.out.contains("tick 5") && live.out.contains("refused: no body 0"), "{}", live.out);
    assert_eq!(live.out, played.out);
}

#[test]
fn every_golden_scene_runs_matches_and_needs_no_safety_net() {
    for name in ["break", "cradle", "bullets", "gas", "timeline"] {
        let run = bitstep(&["run", &golden(&format!("{name}.ron")), "--ticks", "120", "--json"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{name}");
        let value: Value = serde_json::from_str(&run.out).unwrap();
        for count in ["impact_limited", "reverted", "out_of_bounds", "speed_clamped"] {
            assert_eq!(value[count], 0, "{name}: {count}");
        }
        assert_eq!((&value["matches"], &value["ledger_closes"]), (&Value::from(true), &Value::from(true)));
    }
}

#[test]
fn no_bullet_is_on_the_other_side_of_the_wall() {
    let replay = file("bullets.replay", b"");
    let run = bitstep(&["run", &golden("bullets.ron"), "--record", &replay]);
    assert_eq!(run.code, 0);
    let shown = bitstep(&["show", &replay, "--tick", "120"]);
    let bodies: Vec<&str> = shown.out.lines().skip(1).collect();
    assert_eq!(bodies.len(), 1_000);
    // The first 400 are left of x = 0, the others right of it, as they began.
    for (index, line) in bodies.iter().enumerate() {
        let (_, position) = line.split_once("position (").unwrap();
        assert_eq!(position.starts_with('-'), index < 400, "{line}");
    }
}

#[test]
fn a_recording_does_not_replace_its_scene() {
    let scene = file("kept.ron", SMALL.as_bytes());
    let told = format!("{scene}: cannot be written: it is the scene; give the recording another name");
    assert_refused(&["run", &scene, "--record", &scene], &told);
    let roundabout = scene.replace("kept.ron", "./kept.ron");
    let told = told.replace("kept.ron", "./kept.ron");
    assert_refused(&["run", &scene, "--record", &roundabout], &told);
    assert_eq!(fs::read_to_string(&scene).unwrap(), SMALL);
    let told = "--record -: a recording goes into a file; call it ./- if you mean that name";
    assert_refused(&["run", &scene, "--record", "-"], told);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
        .args(["run", &golden("cradle.ron"), "--trace"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
