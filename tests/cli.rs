//! The real program, from its arguments to its exit code.

#![cfg(feature = "program")]

#[path = "support/records.rs"]
#[allow(dead_code)]
mod records;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

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
        (tick: 15, commands: [push(body: \"left\", impulse: (1, 0, 0)), remove(body: \"left\"), remove(body: \"left\")]),
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
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "replays", name].iter().collect();
    path.to_str().unwrap().to_owned()
}

/// What the program says of bad arguments: one line on standard error, nothing else.
fn assert_refused(arguments: &[&str], expected: &str) {
    let Answer { code, out, err } = bitstep(arguments);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (2, "", &*format!("bitstep: {expected}\n")),
        "{arguments:?}"
    );
}

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
fn a_run_says_that_every_tick_matches() {
    let path = file("small.ron", SMALL.as_bytes());
    let Answer { code, out, err } = bitstep(&["run", &path]);
    assert_eq!((code, err.as_str()), (0, ""));
    for line in [
        "Two balls",
        "  bodies        2 bodies (1 at the end) and 0 statics",
        "  impacts       1, at most 1 in a tick (tick 5)",
        "  safety nets   none needed: nothing held, rolled back, clamped or out of bounds",
        "  commands      2 applied, 1 refused",
        "                refused at tick 15, command 2: no body 0",
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
    assert_eq!(value["refusals"][0], "tick 15, command 2: no body 0");
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
fn bodies_are_shown_after_any_tick() {
    let replay = recording("show.replay");
    let opening = bitstep(&["show", &replay, "--tick", "0"]);
    let lines: Vec<&str> = opening.out.lines().collect();
    assert!(lines[0].starts_with("after tick 0 (10 per second): 2 bodies, checksum "), "{}", lines[0]);
    assert_eq!(lines[1], "     0  sphere  mass 1  position (0, 0, 0)  velocity (1, 0, 0) per tick");
    assert_eq!(lines[2], "     1  sphere  mass 1  position (5.5, 0, 0)  velocity (0, 0, 0) per tick");
    // Equal masses hand the velocity over whole; the left one was removed.
    let last = bitstep(&["show", &replay, "--tick", "20"]);
    assert!(last.out.ends_with("velocity (1, 0, 0) per tick\n"), "{}", last.out);
    assert_eq!(last.out.lines().count(), 2);
    let refused = bitstep(&["show", &replay, "--tick", "21"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.ends_with("show.replay: --tick is 21, must be in 0..=20\n"), "{}", refused.err);
}

#[test]
fn bad_scenes_are_told_with_line_and_column() {
    let unknown = file("unknown.ron", SMALL.replace("tick_rate", "tickrate").as_bytes());
    let fields = "`title`, `about`, `tick_rate`, `ticks`, `limits`, `gravity`, `layers`, `materials`, `shapes`, \
                  `statics`, `bodies`, or `timeline`";
    let message = format!("Unexpected field named `tickrate` in `scene`, expected one of {fields} instead");
    assert_refused(&["run", &unknown], &format!("{unknown}:4:5: {message}"));

    let number = file("number.ron", SMALL.replace("(5.5, 0, 0)", "(5.5.5, 0, 0)").as_bytes());
    assert_refused(&["run", &number], &format!("{number}:10:74: Expected float"));

    let decimal = file("decimal.ron", SMALL.replace("(5.5, 0, 0)", "(5e1, 0, 0)").as_bytes());
    let message = "position.x is 5e1, must be a decimal number such as 12.5 or -0.75, without an exponent";
    assert_refused(&["run", &decimal], &format!("{decimal}:10:74: {message}"));

    let beyond = file("beyond.ron", SMALL.replace("(5.5, 0, 0)", "(5.5, 0, 16385)").as_bytes());
    let message = "position.z is 16385, must be at most 16384 in magnitude";
    assert_refused(&["run", &beyond], &format!("{beyond}:10:82: {message}"));

    let bytes = file("bytes.ron", b"(title: \"\xff\")");
    assert_refused(&["run", &bytes], &format!("{bytes}: byte 9 is not UTF-8; a scene is a text file in RON"));

    assert_refused(
        &["run", "no-such.ron"],
        "no-such.ron: cannot be opened: No such file or directory (os error 2)",
    );
    let path = file("ticks.ron", SMALL.as_bytes());
    for ticks in ["0", "-1", "ten", "10000001", "99999999999999999999"] {
        let Answer { code, out, err } = bitstep(&["run", &path, "--ticks", ticks]);
        let told =
            format!("invalid value '{ticks}' for '--ticks <N>': must be a whole number in 1..=10000000");
        assert!(err.contains(&told) && (code, out.as_str()) == (2, ""), "{err}");
    }
}

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
fn a_recording_in_place_of_a_scene_is_told_and_the_other_way_round() {
    let (scene, replay) = (file("mixed.ron", SMALL.as_bytes()), recording("mixed.replay"));
    let told = format!("{replay}: a recording, not a scene; `verify` and `show` read it");
    assert_refused(&["run", &replay], &told);
    let told = format!("{scene}: byte 0: not a bitstep replay but text; a scene is for `run`");
    assert_refused(&["verify", &scene], &told);
    assert_refused(&["show", &scene], &told);
    let empty = file("mixed.empty", b"");
    assert_refused(&["show", &empty], &format!("{empty}: byte 0: not a bitstep replay"));
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

const TICK: u8 = 3;
const KEYFRAME: u8 = 5;

/// Changes the content of a record, the `number`th of its kind, and makes its check fit again.
fn change_record(bytes: &mut Vec<u8>, kind: u8, number: usize, change: impl FnOnce(&mut [u8])) {
    let mut parts = records::parts(bytes);
    let part = parts[1..].iter_mut().filter(|part| part[0] == kind).nth(number - 1).unwrap();
    let mut content = records::content(part).to_vec();
    change(&mut content);
    *part = records::sealed(kind, &content);
    *bytes = parts.concat();
}

#[test]
fn every_golden_scene_runs_matches_and_needs_no_safety_net() {
    for name in ["break", "cradle", "bullets", "gas", "timeline"] {
        let run = bitstep(&["run", &golden(&format!("{name}.ron")), "--ticks", "120", "--json"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{name}");
        let value: Value = serde_json::from_str(&run.out).unwrap();
        for count in ["held", "rolled_back", "out_of_bounds", "speed_clamped"] {
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
fn sweeps_of_hand_worked_pairs_are_exact() {
    let sphere = |x: &str, motion: &str| {
        format!(
            "{{\"shape\": {{\"sphere\": {{\"radius\": 0.5}}}}, \"position\": [{x}, 0, 0], \"motion\": [{motion}, 0, 0]}}"
        )
    };
    let pair = |a: String, b: String| format!("{{\"a\": {a}, \"b\": {b}}}\n");
    let mut lines = String::new();
    lines += &pair(sphere("0", "10"), sphere("\"10\"", "0")); // 9 of 10 units: u = 0.9
    lines += "(a: (shape: sphere(radius: 0.5), position: (0, 0, 0), motion: (4, 0, 0)), \
               b: (shape: sphere(radius: \"0.5\"), position: (5, 0, 0), motion: (-4, 0, 0)), gap: 0)\n";
    lines += "\n// a comment\n";
    lines += &pair(sphere("0", "8"), sphere("10", "0")); // a unit short
    lines += "(a: (shape: sphere(radius: 0.5), position: (0, 4.5, 0), motion: (2, -8, 0)), \
               b: (shape: plane(normal: (0, 1, 0)), position: (0, 0, 0)))\n"; // 4 of 8: u = 0.5
    lines += "(a: (shape: aabb(half: (1, 1, 1)), position: (0, 0, 0), motion: (16, 0, 0)), \
               b: (shape: aabb(half: (1, 1, 1)), position: (10, 0.5, 0)), gap: 4)\n"; // 4 of 16
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (0, ""));
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |index: usize| {
        let answer: &Value = &answers[index];
        (answer["line"].as_u64().unwrap(), answer["u"].as_str(), answer["u_raw"].as_str())
    };
    assert_eq!(answers.len(), 5);
    // 0.9 * 2^32 is 3865470566.4, rounded down.
    assert_eq!(told(0), (1, Some("0.9"), Some("3865470566")));
    assert_eq!(answers[0]["a_raw"][0], "38654705660");
    assert_eq!(answers[0]["b"][0], "10");
    assert_eq!(told(1), (2, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[1]["a"][0], &answers[1]["b"][0]), (&Value::from("2"), &Value::from("3")));
    assert_eq!((told(2), &answers[2]["hit"]), ((5, None, None), &Value::from(false)));
    assert_eq!(told(3), (6, Some("0.5"), Some("2147483648")));
    assert_eq!((&answers[3]["a"][0], &answers[3]["a"][1]), (&Value::from("1"), &Value::from("0.5")));
    assert!(answers[3]["normal"][1].as_i64().unwrap() < 0, "from the sphere down to the plane");
    assert_eq!(told(4), (7, Some("0.25"), Some("1073741824")));
}

#[test]
fn a_bad_line_is_answered_in_its_place() {
    let lines = "(a: (shape: sphere(radius: 1e3), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 {\"a\": 3}\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 16777217)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: 0), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (0, 0, 0)))\n\
                 (a: (shape: sphere(radius: 1), position: (0, 0, 0)), b: (shape: sphere(radius: 1), position: (9, 0, 0)))\n";
    let Answer { code, out, err } = bitstep_fed(&["sweep"], lines.as_bytes());
    assert_eq!((code, err.as_str()), (2, ""));
    insta::assert_snapshot!(out, @r#"
    {"line":1,"error":"a.shape.radius is 1e3, must be a decimal number such as 12.5 or -0.75, without an exponent"}
    {"line":2,"error":"invalid type: integer `3`, expected a solid with shape and position at line 1 column 7"}
    {"line":3,"error":"a.position.z is 16777217, must be at most 16777216 in magnitude"}
    {"line":4,"error":"a.shape: radius is 0, must be above 0 and at most 4096"}
    {"line":5,"hit":false}
    "#);
    let long = vec![b'x'; 1 << 20];
    let answer = bitstep_fed(&["sweep"], &long);
    assert_eq!(answer.out, "{\"line\":1,\"error\":\"longer than 65536 bytes, the most that is read\"}\n");
    assert_eq!(answer.code, 2);
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
