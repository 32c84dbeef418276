//! `verify`: recordings that match, diverge, are damaged or of other rules.

use std::{fs, process::Command};

use bitstep::{
    World,
    replay::{Replay, decode_log, encode_log_into},
};
use serde_json::Value;

use crate::{
    Answer, CHECK, END, KEYFRAME, LAYER, SMALL, TICK, answer, assert_refused, bitstep, bitstep_fed,
    change_record, file, recording, records, without_speed,
};

/// True if enough of the bytes is left for something to be played.
fn opens(bytes: &[u8]) -> bool {
    Replay::<World>::read_to_damage(bytes).is_ok()
}

#[test]
fn a_file_that_is_cut_short_or_damaged_is_verified_up_to_there() {
    let good = recording("good.replay");
    let bytes = fs::read(&good).unwrap();
    let told = |path: &str, damaged: &[u8]| {
        let Answer { code, out, err } = bitstep(&["verify", path]);
        assert_eq!(code, 2, "{out}{err}");
        if opens(damaged) {
            let lines: Vec<&str> = out.lines().collect();
            assert!(lines[0].starts_with(&format!("{path}: damaged at byte ")), "{out}");
            let matches = ["tick before it matches", "ticks before it match", "no tick comes before it"];
            assert!(matches.iter().any(|end| lines[0].ends_with(end)), "{out}");
            assert!(lines.len() == 2 && lines[1].ends_with(&format!(" repair {path}")) && err.is_empty());
        } else {
            assert!(out.is_empty() && err.starts_with(&format!("bitstep: {path}: ")), "{out}{err}");
            assert_eq!(err.lines().count(), 1, "{err}");
        }
    };
    let (mut cuts, mut opened) = (0, 0);
    for length in (0..bytes.len()).step_by(13).chain([bytes.len() - 1]) {
        told(&file("cut.replay", &bytes[..length]), &bytes[..length]);
        cuts += 1;
        opened += i32::from(opens(&bytes[..length]));
    }
    assert!(0 < opened && opened < cuts, "{opened} of {cuts}");
    for at in (0..bytes.len()).step_by(bytes.len() / 60).filter(|at| !(12..16).contains(at)) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        told(&file("flipped.replay", &flipped), &flipped);
    }
    // What diverges before the damage diverges.
    let mut both = bytes.clone();
    change_record(&mut both, TICK, 7, |content| content[0] ^= 1);
    both.truncate(bytes.len() - 3);
    let path = file("both.replay", &both);
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    assert!(
        code == 1 && out.contains(": damaged at byte ") && out.contains("; diverged in tick 7: "),
        "{out}"
    );
    let line: Value = serde_json::from_str(&bitstep(&["verify", "--json", &path]).out).unwrap();
    let told = (&line["matches"], &line["divergence"]["tick"], line["damage"]["at"].is_u64());
    assert_eq!(told, (&Value::from(false), &Value::from(7), true));
}

#[test]
fn unreadable_recordings_are_told_in_one_line() {
    let missing = "no-such.replay: cannot be opened: No such file or directory (os error 2)";
    let folder = env!("CARGO_TARGET_TMPDIR");
    let told = format!("{folder}: cannot be read: Is a directory (os error 21)");
    for command in ["verify", "show", "repair", "diff"] {
        assert_refused(&[command, "no-such.replay"], missing);
    }
    for command in ["show", "repair", "diff"] {
        assert_refused(&[command, folder], &told);
    }
    for command in ["run", "sweep"] {
        assert_refused(&[command, folder], &told);
    }
    assert_refused(&["seek", "no-such.replay", "1"], missing);
    assert_refused(&["clip", "no-such.replay", "--tick", "1"], missing);
    assert_refused(&["migrate", "no-such.replay"], missing);
}

#[test]
fn bisect_has_its_own_exit_codes() {
    let good = recording("bisect.replay");
    let bytes = fs::read(&good).unwrap();
    let mut bad = bytes.clone();
    change_record(&mut bad, TICK, 7, |content| content[0] ^= 1);
    let bad = file("bisect-bad.replay", &bad);
    let cut = file("bisect-cut.replay", &bytes[..bytes.len() - 1]);
    let mut other = bytes;
    other[12] = 77;
    let other = file("bisect-rules.replay", &other);
    let code = |files: &[&str]| bitstep(&[&["verify", "--bisect"], files].concat()).code;
    assert_eq!([code(&[&good]), code(&[&bad]), code(&[&cut]), code(&[&other])], [0, 1, 125, 125]);
    assert_eq!([code(&[&bad, &cut]), code(&[&cut, &bad]), code(&[&good, &other])], [1, 1, 125]);
    assert_eq!(code(&["no-such.replay"]), 125);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let good = recording("first.replay");
    let Answer { code, out, err } = bitstep(&["verify", "no-such.replay", &good]);
    assert_eq!(code, 2);
    let out = without_speed(&out);
    assert!(out.starts_with(&format!("{good}: all 20 ticks match, to the last bit, checksum ")), "{out}");
    assert!(err.contains("no-such.replay"), "{err}");
}

#[test]
fn another_checksum_is_a_divergence_in_its_tick() {
    let mut bytes = fs::read(recording("diverge.replay")).unwrap();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let path = file("diverged.replay", &bytes);
    let Answer { code, out, err } = bitstep(&["verify", &path]);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.starts_with(&format!("{path}: diverged in tick 7: checksum ")), "{out}");
    let line: Value = serde_json::from_str(&bitstep(&["verify", "--json", &path]).out).unwrap();
    assert_eq!((&line["matches"], &line["divergence"]["tick"]), (&Value::from(false), &Value::from(7)));
}

/// The recordings of one run in which one record says something else, each with the tick that it is of.
fn contradicted() -> Vec<(u64, Vec<u8>)> {
    let path = file("contradicted.replay", b"");
    let run = bitstep_fed(&["run", "-", "--ticks", "150", "--layers", "--record", &path], SMALL.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let bytes = fs::read(&path).unwrap();
    let replay = Replay::<World>::read(&bytes).unwrap();
    let (keyframe, check) = (replay.keyframes()[0].tick, replay.checks()[0].tick);
    let changed = |kind: u8, number: usize, at: fn(usize) -> usize| {
        let mut bytes = bytes.clone();
        change_record(&mut bytes, kind, number, |content| content[at(content.len())] ^= 1);
        bytes
    };
    // The layer before tick 5 names a phase in another way.
    let mut parts = records::parts(&bytes);
    let layer = parts[1..].iter_mut().filter(|record| record[0] == LAYER).nth(4).unwrap();
    let mut log = decode_log(records::content(layer)).unwrap();
    log.phases[1].name.push('x');
    let mut content = Vec::new();
    encode_log_into(&log, &mut content).unwrap();
    *layer = records::sealed(LAYER, &content);
    vec![
        (7, changed(TICK, 7, |_| 0)),
        // The last body's position stands 102 bytes before the end of a snapshot.
        (keyframe, changed(KEYFRAME, 1, |length| length - 102)),
        // Of whole checksums a half that no tick has.
        (check, changed(CHECK, 1, |length| length - 1)),
        (150, changed(END, 1, |length| length - 1)),
        (5, parts.concat()),
    ]
}

#[test]
fn all_commands_name_the_same_first_tick_that_differs() {
    for (tick, bytes) in contradicted() {
        let path = file("contradicted.replay", &bytes);
        let picture = file("contradicted.svg", b"");
        let json = |arguments: &[&str]| {
            let Answer { code, out, err } = bitstep(arguments);
            assert_eq!((code, err.as_str()), (1, ""), "{arguments:?}: {out}");
            serde_json::from_str::<Value>(&out).unwrap()
        };
        let told = [
            &json(&["verify", "--json", &path])["divergence"]["tick"],
            &json(&["diff", "--json", &path])["tick"],
            &json(&["migrate", "--json", &path])["first_difference"],
        ]
        .map(Value::as_u64);
        assert_eq!(told, [Some(tick); 3]);
        for command in ["plot", "view"] {
            let Answer { code, out, .. } = bitstep(&[command, &path, "-o", &picture]);
            let told = format!("this build does not come to what {path} has of tick {tick}");
            assert!(code == 1 && out.contains(&told), "{command}: {out}");
        }
    }
}

#[test]
fn another_rules_version_is_told_with_both_numbers() {
    let mut bytes = fs::read(recording("rules.replay")).unwrap();
    let rules = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    bytes[12..16].copy_from_slice(&777_u32.to_le_bytes());
    let path = file("other-rules.replay", &bytes);
    let Answer { code, out, err } = bitstep(&["verify", &path]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("777") && err.contains(&format!("rules version {rules}")), "{err}");
}

#[test]
fn a_divergence_is_told_by_field_at_the_next_keyframe() {
    let path = file("keyframe.replay", b"");
    let run = bitstep_fed(&["run", "-", "--ticks", "60", "--record", &path], SMALL.as_bytes());
    assert_eq!(run.code, 0);
    let bytes = fs::read(&path).unwrap();

    let first = Replay::<World>::read(&bytes).unwrap().keyframes()[0].tick;
    let mut moved = bytes.clone();
    // The last body's position stands 102 bytes before the end of a snapshot.
    change_record(&mut moved, KEYFRAME, 1, |content| content[content.len() - 102] ^= 1);
    let path = file("moved.replay", &moved);
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 1);
    assert!(lines[0].contains(&format!(": diverged in tick {first}: ")), "{out}");
    assert_eq!(lines[1], format!("  fields after tick {first}, recorded | found:"));
    assert!(lines[2].contains("slots[1].body.position.x: ") && lines.len() == 4, "{out}");

    let mut summed = bytes;
    change_record(&mut summed, TICK, 7, |content| content[0] ^= 1);
    let path = file("summed.replay", &summed);
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    assert_eq!(code, 1);
    let expected =
        format!("  after tick {first} no field differs: it is the recorded checksum that is wrong");
    assert_eq!(out.lines().nth(1), Some(expected.as_str()));
}

/// A program that stands for a build of other rules: it prints its arguments.
#[cfg(unix)]
fn other_build(folder: &str, name: &str, text: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = format!("{}/{folder}", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).unwrap();
    let path = format!("{folder}/{name}");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[cfg(unix)]
#[test]
fn a_recording_of_other_rules_is_handed_to_its_program() {
    let mut bytes = fs::read(recording("handed.replay")).unwrap();
    bytes[12..16].copy_from_slice(&777_u32.to_le_bytes());
    let path = file("handed-over.replay", &bytes);
    let call = |folder: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitstep"));
        answer(command.args(arguments).env("PATH", folder).output().unwrap())
    };
    let folder = other_build("rules-777", "bitstep-r777", "echo \"called: $*\"; exit 1");
    let Answer { code, out, err } = call(&folder, &["verify", &path]);
    assert_eq!((code, out), (1, format!("called: verify {path}\n")));
    let told =
        format!("bitstep: {path}: rules version 777, this build has 1; handed to {folder}/bitstep-r777\n");
    assert_eq!(err, told);
    assert_eq!(call(&folder, &["verify", "--json", &path]).out, format!("called: verify --json {path}\n"));
    // Limits hold there, too; what is longer than it may be is not handed over.
    let limited =
        ["verify", "--seconds-max", "9", "--ticks-max", "5", "--bodies-max=3", "--bytes-max=9999", &path];
    let options = "--ticks-max=5 --bodies-max=3 --seconds-max=9 --bytes-max=9999";
    assert_eq!(call(&folder, &limited).out, format!("called: verify {options} {path}\n"));
    assert_eq!(call(&folder, &["verify", "--bytes-max=99", &path]).code, 2);
    // Bisecting is about this build.
    assert_eq!(call(&folder, &["verify", "--bisect", &path]).code, 125);
    // Others before and after are verified here, and the worst counts.
    let good = recording("handed-good.replay");
    let all = call(&folder, &["verify", &good, &path, &good]);
    let lines: Vec<&str> = all.out.lines().collect();
    assert_eq!((all.code, lines.len(), lines[1]), (1, 3, &*format!("called: verify {path}")));
    // A program without the rules of its name does not hand it on for ever.
    let this = env!("CARGO_BIN_EXE_bitstep");
    let folder = other_build("rules-wrong", "bitstep-r777", &format!("exec {this} \"$@\""));
    let Answer { code, out, err } = call(&folder, &["verify", &path]);
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 2), "{err}");
    assert!(err.contains("recorded under rules version 777, this build has rules version 1"), "{err}");
}
