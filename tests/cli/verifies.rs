//! `verify`: recordings that match, diverge, are damaged or of other rules.

use std::fs;

use serde_json::Value;

use crate::{
    Answer, KEYFRAME, SMALL, TICK, assert_refused, bitstep, bitstep_fed, change_record, file, recording,
};

#[test]
fn a_file_that_is_cut_short_or_damaged_is_bad_input() {
    let good = recording("good.replay");
    let bytes = fs::read(&good).unwrap();
    for length in [0, 7, 15, 40, bytes.len() / 2, bytes.len() - 1] {
        let cut = file("cut.replay", &bytes[..length]);
        let Answer { code, out, err } = bitstep(&["verify", &cut]);
        assert_eq!((code, out.as_str()), (2, ""), "{length}");
        assert!(err.starts_with(&format!("bitstep: {cut}: byte ")) && err.lines().count() == 1, "{err}");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 60) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        let path = file("flipped.replay", &flipped);
        let Answer { code, out, err } = bitstep(&["verify", &path]);
        assert_eq!((code, out.as_str()), (2, ""), "byte {at}");
        assert!(err.starts_with(&format!("bitstep: {path}: ")) && err.lines().count() == 1, "{err}");
        assert_eq!(bitstep(&["show", &path]).code, if (12..16).contains(&at) { 0 } else { 2 }, "byte {at}");
    }
    let missing = "no-such.replay: cannot be opened: No such file or directory (os error 2)";
    assert_refused(&["verify", "no-such.replay"], missing);
    assert_refused(&["show", "no-such.replay"], missing);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let told = format!("{folder}: cannot be read: Is a directory (os error 21)");
    for arguments in [["run", folder], ["verify", folder], ["show", folder], ["sweep", folder]] {
        assert_refused(&arguments, &told);
    }
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let good = recording("first.replay");
    let Answer { code, out, err } = bitstep(&["verify", "no-such.replay", &good]);
    assert_eq!(code, 2);
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

    let mut moved = bytes.clone();
    // A snapshot of 268 bytes is kept as soon as 8 bytes per tick are as many. The last body's position stands 73 bytes before the end of a snapshot.
    change_record(&mut moved, KEYFRAME, 1, |content| content[content.len() - 73] ^= 1);
    let path = file("moved.replay", &moved);
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 1);
    assert!(lines[0].contains(": diverged in tick 34: "), "{out}");
    assert_eq!(lines[1], "  fields after tick 34, recorded | found:");
    assert!(lines[2].contains("slots[1].body.position.x: ") && lines.len() == 3, "{out}");

    let mut summed = bytes;
    change_record(&mut summed, TICK, 7, |content| content[0] ^= 1);
    let path = file("summed.replay", &summed);
    let Answer { code, out, .. } = bitstep(&["verify", &path]);
    assert_eq!(code, 1);
    let expected = "  after tick 34 no field differs: it is the recorded checksum that is wrong";
    assert_eq!(out.lines().nth(1), Some(expected));
}
