//! The program: a race is recorded, and its recording is verified.
#![allow(missing_docs)]

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

fn race(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_race")).args(arguments).output().unwrap()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_recorded_race_is_verified() {
    let recording = file("race.replay");
    let recording = recording.to_str().unwrap();
    let said = race(&["run", "--laps", "1", "-o", recording]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.starts_with("laps       1 in "), "{text}");
    let checksum = text.lines().find_map(|line| line.strip_prefix("checksum   ")).unwrap();
    let verified = race(&["verify", recording]);
    let text = String::from_utf8(verified.stdout).unwrap();
    assert!(verified.status.success() && text.contains(checksum), "{text}");
}

#[test]
fn a_script_drives() {
    let (script, recording) = (file("script.txt"), file("script.replay"));
    fs::write(&script, "# away, and stop\n120 127 0\n60 0 30 brake\n").unwrap();
    let paths = [script.to_str().unwrap(), recording.to_str().unwrap()];
    let said = race(&["run", "--rate", "30", "--script", paths[0], "-o", paths[1]]);
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(text.starts_with("laps       0 in 180 ticks at 30 Hz"), "{text}");
    assert!(race(&["verify", paths[1]]).status.success());
    fs::write(&script, "120 full 0\n").unwrap();
    let said = race(&["run", "--script", paths[0]]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8(said.stderr).unwrap().contains("line 1"));
}

#[test]
fn a_drive_needs_a_terminal() {
    assert_eq!(race(&["drive"]).status.code(), Some(2));
}
