//! `verify` under limits: what is beyond one is named, and stops nothing else.

use std::{
    fs,
    io::Write as _,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{Answer, TICK, bitstep, bitstep_fed, change_record, file, golden, recording};

/// The only line of JSON for one recording under an option, and the exit code.
fn line(option: &str, path: &str) -> (i32, Value) {
    let Answer { code, out, err } = bitstep(&["verify", "--json", option, path]);
    assert_eq!((err.as_str(), out.lines().count()), ("", 1), "{out}");
    (code, serde_json::from_str(&out).unwrap())
}

/// Asserts the error and the limit in all ways in which they are told.
fn assert_beyond(option: &str, path: &str, found: &str, value: &Value) {
    let (name, max) = option.trim_start_matches("--").split_once('=').unwrap();
    let told = format!("{path}: beyond a limit: {found}, --{name} is {max}");
    let (code, line) = line(option, path);
    assert_eq!((code, &line["error"]), (2, &Value::from(told.clone())));
    let limit = [&line["limit"]["name"], &line["limit"]["value"], &line["limit"]["max"]];
    assert_eq!(limit, [&name.into(), value, &max.parse::<u64>().unwrap().into()]);
    let Answer { code, out, err } = bitstep(&["verify", option, path]);
    assert_eq!((code, out.as_str(), err), (2, "", format!("bitstep: {told}\n")));
}

#[test]
fn recordings_beyond_a_limit_are_refused_and_those_at_it_are_not() {
    let path = recording("limited.replay");
    let bytes = fs::metadata(&path).unwrap().len();
    let spelled = format!("{bytes} bytes");
    let below = bytes - 1;
    for (option, found, value) in [
        ("--ticks-max=19".to_owned(), "20 ticks", Value::from(20)),
        ("--bodies-max=1".to_owned(), "2 bodies after tick 0", Value::from(2)),
        (format!("--bytes-max={below}"), &spelled, Value::from(bytes)),
        // The length is known of a file that is not read.
        ("--bytes-max=9".to_owned(), &spelled, Value::from(bytes)),
    ] {
        assert_beyond(&option, &path, found, &value);
    }
    let at = ["--ticks-max=20", "--bodies-max=2", &format!("--bytes-max={bytes}"), "--seconds-max=1000"];
    for option in at {
        let (code, line) = line(option, &path);
        assert_eq!(
            (code, &line["matches"], &line["limit"]),
            (0, &Value::from(true), &Value::Null),
            "{option}"
        );
    }
    assert_eq!(bitstep(&[&["verify"], &at[..], &[&path]].concat()).code, 0);
    // The whole part of a damaged one counts.
    let cut = fs::read(&path).unwrap();
    let cut = file("limited-cut.replay", &cut[..cut.len() - 1]);
    assert_beyond("--ticks-max=19", &cut, "20 ticks", &Value::from(20));
    assert!(line("--ticks-max=20", &cut).1["damage"]["at"].as_u64().is_some());
}

/// A scene of two bodies to which a command adds a third in tick 6.
const GROWING: &str = "(
    title: \"One more\",
    tick_rate: 10,
    ticks: 12,
    materials: {\"steel\": (restitution: 1)},
    shapes: {\"ball\": sphere(radius: 0.5)},
    bodies: [
        body(name: \"left\", shape: \"ball\", material: \"steel\", position: (0, 0, 0)),
        body(name: \"right\", shape: \"ball\", material: \"steel\", position: (5, 0, 0)),
    ],
    timeline: [
        (tick: 6, commands: [spawn(name: \"new\", shape: \"ball\", material: \"steel\", position: (9, 0, 0))]),
    ],
)";

#[test]
fn bodies_are_counted_after_every_tick() {
    let path = file("growing.replay", b"");
    let run = bitstep_fed(&["run", "-", "--record", &path], GROWING.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_beyond("--bodies-max=2", &path, "3 bodies after tick 6", &Value::from(3));
    assert_eq!(line("--bodies-max=3", &path).0, 0);
    // A divergence before it, or in its tick, comes first.
    let bytes = fs::read(&path).unwrap();
    for (tick, code) in [(5, 1), (6, 1), (7, 2)] {
        let mut changed = bytes.clone();
        change_record(&mut changed, TICK, tick, |content| content[0] ^= 1);
        let path = file("growing-changed.replay", &changed);
        assert_eq!(line("--bodies-max=2", &path).0, code, "{tick}");
    }
}

#[test]
fn recordings_that_take_too_long_are_stopped() {
    // A pipe holds 64 KiB: where so much more is written, the program has begun to read, and its clock runs.
    let bytes = fs::read(golden("gas.replay")).unwrap();
    let (most, rest) = bytes.split_at(bytes.len() - 9);
    assert!(most.len() > 80_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
        .args(["verify", "--json", "--seconds-max", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(most).unwrap();
    // Reading counts, and the clock is read after the first tick.
    thread::sleep(Duration::from_millis(1_200));
    input.write_all(rest).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let limit = &line["limit"];
    assert_eq!((output.status.code(), &limit["name"]), (Some(2), &"seconds-max".into()), "{line}");
    let value = limit["value"].to_string();
    let (whole, part) = value.split_once('.').unwrap();
    assert!(whole.parse::<u64>().unwrap() >= 1 && limit["max"] == 1, "{line}");
    let told = format!("-: beyond a limit: {whole}.{part:0<3} seconds after tick 1, --seconds-max is 1");
    assert_eq!(line["error"], told);
}

#[test]
fn limits_that_are_none_are_refused() {
    for option in ["--ticks-max", "--bodies-max", "--seconds-max", "--bytes-max"] {
        for value in ["", "0", "-1", "+-1", "1.5", "a", "1k", "99999999999999999999"] {
            let Answer { code, out, err } = bitstep(&["verify", &format!("{option}={value}"), "a.replay"]);
            let told = format!("'{option} <N>'");
            assert!(code == 2 && out.is_empty() && err.contains(&told), "{option}={value}: {err}");
        }
    }
}

#[test]
fn a_stream_is_read_no_further_than_its_limit() {
    let bytes = fs::read(recording("stream.replay")).unwrap();
    let at = |max: usize| bitstep_fed(&["verify", &format!("--bytes-max={max}"), "-"], &bytes);
    assert_eq!(at(bytes.len()).code, 0);
    let Answer { code, err, .. } = at(99);
    assert_eq!((code, err.as_str()), (2, "bitstep: -: beyond a limit: 100 bytes, --bytes-max is 99\n"));
}
