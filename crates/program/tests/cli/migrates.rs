//! `migrate`: recordings of any rules under this build's.

use std::fs;

use bitstep::{
    World,
    replay::{Recorder, Replay},
    session::Simulation,
    snapshot::{Checksum, RULES_VERSION},
    state::{BodyId, Command},
    tick::TickReport,
};
use serde_json::{Value, json};

use crate::{Answer, KEYFRAME, TICK, assert_refused, bitstep, change_record, golden, recording, records};

/// The golden of the break as a build of rules version 0 with the same results would have recorded it.
fn of_rules_0() -> Vec<u8> {
    let bytes = fs::read(golden("break.replay")).unwrap();
    let replay = Replay::<World>::read(&bytes).unwrap();
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    let mut snapshot = Vec::new();
    let mut parts = records::parts(&bytes);
    parts[0][12..16].copy_from_slice(&0_u32.to_le_bytes());
    let mut ticks = replay.ticks().iter();
    for part in &mut parts[1..] {
        let (kind, mut content) = (part[0], records::content(part).to_vec());
        if kind == TICK {
            world.tick(&ticks.next().unwrap().inputs, &mut report).accepted().unwrap();
        }
        world.encode_into(&mut snapshot);
        World::relabel(&mut snapshot, 0);
        let checksum = Checksum::of(&snapshot).0.to_le_bytes();
        match kind {
            2 | KEYFRAME => content = snapshot.clone(),
            TICK => content[..4].copy_from_slice(&checksum[..4]),
            6 => content[8..].copy_from_slice(&checksum),
            7 => content = checksum.to_vec(),
            _ => {}
        }
        *part = records::sealed(kind, &content);
    }
    parts.concat()
}

/// A folder of this test's own, empty.
fn folder(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(format!("{path}/below")).unwrap();
    path
}

#[test]
fn a_folder_of_older_rules_is_played_under_these() {
    let (older, target) = (folder("older"), folder("newer"));
    let same = of_rules_0();
    let mut summed = same.clone();
    change_record(&mut summed, TICK, 7, |content| content[0] ^= 1);
    let mut moved = same.clone();
    // The last body's position stands 102 bytes before the end of a snapshot.
    change_record(&mut moved, KEYFRAME, 1, |content| content[content.len() - 102] ^= 4);
    fs::write(format!("{older}/a.replay"), &same).unwrap();
    fs::write(format!("{older}/below/b.replay"), &summed).unwrap();
    fs::write(format!("{older}/c.replay"), &moved).unwrap();
    fs::write(format!("{older}/notes.txt"), "no recording").unwrap();

    let Answer { code, out, err } = bitstep(&["migrate", &older]);
    assert_eq!((code, err.as_str()), (1, ""));
    let first = Replay::<World>::read(&same).unwrap().keyframes()[0].tick;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "recording       rules  ticks  first difference  largest deviation                              outcome".replace("                              outcome", lines[0].split_once("largest deviation").unwrap().1));
    let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(row(lines[1]), "a.replay 0 600 none 0 same");
    assert!(row(lines[2]).starts_with("below/b.replay 0 600 tick 7 0 same at tick "), "{out}");
    assert!(row(lines[3]).starts_with(&format!("c.replay 0 600 tick {first} ")), "{out}");
    assert!(row(lines[3]).contains(&format!("(raw 4), body 15 at tick {first}")), "{out}");
    assert_eq!(lines[5], format!("3 recordings under rules version {RULES_VERSION}: 2 are others"));

    // A rewritten recording is of these rules.
    let a = format!("{older}/a.replay");
    let refused = bitstep(&["verify", &a]);
    assert!(refused.code == 2 && refused.err.contains("recorded under rules version 0"), "{}", refused.err);
    assert_eq!(bitstep(&["migrate", &a, "--write", &target]).code, 0);
    assert_eq!(bitstep(&["verify", &format!("{target}/a.replay")]).code, 0);
    assert_eq!(fs::read(format!("{older}/a.replay")).unwrap(), same);
    let again = bitstep(&["migrate", &a, "--write", &target]);
    assert!(again.code == 2 && again.err.contains("File exists"), "{}", again.err);
    let below = bitstep(&["migrate", &older, "--write", &folder("newest")]);
    assert_eq!(below.code, 1);
    let path = format!("{}/newest/below/b.replay", env!("CARGO_TARGET_TMPDIR"));
    assert_eq!(bitstep(&["verify", &path]).code, 0);
}

/// A recording of rules under which one of two bodies is gone after tick 4.
#[test]
fn another_outcome_is_told_as_recorded_and_as_found() {
    let path = recording("outcome.replay");
    let replay = Replay::<World>::read(&fs::read(&path).unwrap()).unwrap();
    let (mut state, mut report) = (replay.initial_state().clone(), TickReport::default());
    let mut recorder = Recorder::with_keyframes(Vec::new(), &state, 3).unwrap();
    for number in 1..=10 {
        let remove = Command::Remove { body: BodyId::from_parts(0, 0) };
        let commands = if number == 4 { vec![remove] } else { Vec::new() };
        state.tick(&commands, &mut report).accepted().unwrap();
        recorder.tick(&[], &state).unwrap();
    }
    let folder = folder("outcome");
    fs::write(format!("{folder}/a.replay"), recorder.finish().unwrap()).unwrap();

    let Answer { code, out, err } = bitstep(&["migrate", &folder]);
    assert_eq!((code, err.as_str()), (1, ""));
    let row = out.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    // The two meet after 4.5 ticks, within the skin, and the resting one gets the whole velocity.
    assert!(row.starts_with(&format!("a.replay {RULES_VERSION} 10 tick 4 4.5000000")), "{out}");
    assert!(row.ends_with(", body 1 at tick 9 another at tick 9"), "{out}");
    let told: Value = serde_json::from_str(&bitstep(&["migrate", &folder, "--json"]).out).unwrap();
    let expected = json!({ "tick": 9, "same": false, "recorded": "1 bodies: 1", "found": "2 bodies: 0 1" });
    assert_eq!(told["outcome"], expected);
}

#[test]
fn a_snapshot_is_told_from_a_recording_with_its_rules() {
    let path = format!("{}/a.save", folder("saves"));
    let replay = Replay::<World>::read(&fs::read(golden("break.replay")).unwrap()).unwrap();
    let mut save = Vec::new();
    replay.initial_state().encode_into(&mut save);
    World::relabel(&mut save, 7);
    // Of a world alone, and as the one of a session begins.
    for magic in [b"bitsnp", b"bitses"] {
        save[..6].copy_from_slice(magic);
        fs::write(&path, &save).unwrap();
        let told = "byte 0: not a bitstep replay but a snapshot, of rules version 7; its own program restores it, under newer rules too";
        assert_refused(&["migrate", &path], &format!("{path}: {told}"));
    }
}

#[test]
fn a_bad_file_does_not_hide_the_others_and_json_says_the_same() {
    let mixed = folder("mixed");
    fs::write(format!("{mixed}/a.replay"), of_rules_0()).unwrap();
    fs::write(format!("{mixed}/b.replay"), b"\x89BSR").unwrap();
    let Answer { code, out, err } = bitstep(&["migrate", &mixed, "--json"]);
    assert_eq!((code, err.as_str()), (2, ""));
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = (&lines[0]["recorded_rules"], &lines[0]["first_difference"], &lines[0]["outcome"]["same"]);
    assert_eq!(told, (&Value::from(0), &Value::Null, &Value::from(true)));
    assert_eq!(lines[0]["deviation"]["raw"], "0");
    assert!(lines[1]["error"].as_str().unwrap().contains("not a bitstep replay"), "{out}");
    let empty = bitstep(&["migrate", &folder("empty")]);
    assert!(empty.code == 2 && empty.err.contains("no file in it ends in .replay"), "{}", empty.err);
}
