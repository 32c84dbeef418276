//! `diff`, `clip` and `run --inject`: one number changed, and found.

use std::fs;

use serde_json::Value;

use crate::{
    Answer, SMALL, TICK, assert_refused, bitstep, bitstep_fed, change_record, file, golden, recording,
};

/// The recording of the small scene with one number changed.
fn injected(name: &str, injection: &str) -> String {
    let path = file(name, b"");
    let run = bitstep_fed(&["run", "-", "--record", &path, "--inject", injection], SMALL.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    path
}

#[test]
fn a_run_says_what_it_put_wrong_and_what_finds_it() {
    let path = file("told.replay", b"");
    let scene = file("told.ron", SMALL.as_bytes());
    let run = bitstep(&["run", &scene, "--record", &path, "--inject", "8:1:vel.x@impacts"]);
    assert_eq!(run.code, 0);
    let told = "  injected      tick 8, slots[1].body.momentum.x, after impacts: 1 (raw 4294967296) became \
                1.0000000002 (raw 4294967297)";
    assert!(run.out.lines().any(|line| line == told), "{}", run.out);
    assert!(run.out.contains(&format!(" diff {path} ")), "{}", run.out);
    assert!(
        bitstep(&["run", &scene, "--inject", "8:1:vel.x"]).out.contains(" --inject 8:1:momentum.x --record ")
    );

    let nobody = bitstep(&["run", &scene, "--inject", "8:7:vel.x"]);
    assert_eq!((nobody.code, nobody.out.as_str()), (2, ""));
    assert!(nobody.err.starts_with("bitstep: --inject 8:7:momentum.x: "), "{}", nobody.err);
    let kept = file("kept.replay", b"kept");
    let late = bitstep(&["run", &scene, "--inject", "80:1:vel.x", "--record", &kept]);
    assert!(late.code == 2 && late.err.contains("tick 80 is not played, must be in 1..=20"), "{}", late.err);
    assert_eq!(fs::read(&kept).unwrap(), b"kept");
    // A recording in which nothing is wrong is not left.
    assert_eq!(bitstep(&["run", &scene, "--inject", "8:7:vel.x", "--record", &kept]).code, 2);
    assert!(!fs::exists(&kept).unwrap());
    let rubbish = bitstep(&["run", &scene, "--inject", "here"]);
    assert!(rubbish.code == 2 && rubbish.err.contains("TICK:BODY:FIELD"), "{}", rubbish.err);
}

#[test]
fn every_phase_that_a_number_was_put_wrong_after_is_named() {
    for (phase, field) in [
        ("apply", "momentum.y"),
        ("integrate", "position.z"),
        ("rest", "momentum.x"),
        ("impacts", "position.x"),
        ("finish", "user"),
    ] {
        let path = injected(&format!("phase-{phase}.replay"), &format!("9:1:{field}@{phase}"));
        let Answer { code, out, err } = bitstep(&["diff", &path]);
        assert_eq!((code, err.as_str()), (1, ""));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "physics: the bodies diverge first, under the same commands");
        assert_eq!(lines[1], format!("  tick          9, after {phase}"), "{out}");
        assert_eq!(
            lines[2],
            format!("  field         slots[1].body.{field}, of the body in slot 1"),
            "{out}"
        );
        let value: Value = serde_json::from_str(&bitstep(&["diff", &path, "--json"]).out).unwrap();
        assert_eq!((&value["tick"], &value["phase"]), (&Value::from(9), &Value::from(phase)));
        assert_eq!(value["difference"]["path"], format!("slots[1].body.{field}"));
        let side = |name: &str| &value["difference"][name];
        let raw = |name: &str| {
            let text = side(name)["raw"].as_str().or(side(name)["value"].as_str());
            text.unwrap().parse::<i64>().unwrap()
        };
        assert_eq!(raw("left").abs_diff(raw("right")), 1, "{value}");
    }
}

#[test]
fn two_recordings_part_where_one_was_put_wrong() {
    let (good, bad) = (recording("two-good.replay"), injected("two-bad.replay", "7:0:pos.y"));
    let Answer { code, out, err } = bitstep(&["diff", &good, &bad]);
    assert_eq!((code, err.as_str()), (1, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1], "  tick          7, after finish");
    let (left, right) = (lines[3].split_whitespace(), lines[4].split_whitespace());
    assert_eq!(left.collect::<Vec<_>>(), [good.as_str(), "0", "raw", "0"]);
    assert_eq!(right.collect::<Vec<_>>(), [bad.as_str(), "0.0000000002", "raw", "1"]);
    assert!(out.contains(&format!("  judged        another run here agrees with {good}\n")), "{out}");

    let Answer { code, out, .. } = bitstep(&["diff", &good, &good]);
    assert_eq!((code, out.as_str()), (0, "no difference: in the ticks that both have\n"));
    let Answer { code, out, .. } = bitstep(&["diff", &good]);
    let alone = "no difference: this build, run again, comes to what was recorded\n";
    assert_eq!((code, out.as_str()), (0, alone));
    let other = bitstep(&["diff", &good, &golden("break.replay")]);
    assert!(other.code == 1 && other.out.starts_with("content differs: "), "{}", other.out);
}

#[test]
fn inputs_that_differ_are_told_by_side() {
    let good = recording("inputs-good.replay");
    let scene = SMALL.replace("impulse: (1, 0, 0)", "impulse: (2, 0, 0)");
    let other = file("inputs-other.replay", b"");
    assert_eq!(bitstep_fed(&["run", "-", "--record", &other], scene.as_bytes()).code, 0);
    let Answer { code, out, .. } = bitstep(&["diff", &good, &other]);
    assert_eq!(code, 1);
    assert!(out.starts_with("inputs differ: a tick was given other inputs\n  tick          15\n"), "{out}");
    assert!(
        out.contains("  inputs        0  left   ApplyImpulse {") && out.contains("0  right  ApplyImpulse {"),
        "{out}"
    );
}

#[test]
fn a_checksum_that_nothing_comes_to_is_not_reproducible() {
    let mut bytes = fs::read(recording("nowhere.replay")).unwrap();
    change_record(&mut bytes, TICK, 20, |content| content[0] ^= 1);
    let path = file("nowhere.replay", &bytes);
    let Answer { code, out, .. } = bitstep(&["diff", &path]);
    assert_eq!(code, 1);
    assert!(out.starts_with("not reproducible here: "), "{out}");
    // A damaged one is compared up to the damage.
    bytes.truncate(bytes.len() - 90);
    let cut = file("nowhere-cut.replay", &bytes);
    let Answer { code, out, .. } = bitstep(&["diff", &cut]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains(&format!("{cut} is damaged, and was compared up to byte ")), "{out}");
}

#[test]
fn a_clip_is_compared_like_a_whole_recording() {
    let (good, bad) = (recording("clip-good.replay"), injected("clip-bad.replay", "7:0:pos.y@rest"));
    let clip = |path: &str| {
        let target = path.replace(".replay", ".clip");
        let Answer { code, out, err } = bitstep(&["clip", path, "--tick", "7", "--output", &target]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.starts_with(&format!("{target}: tick 7, ")), "{out}");
        target
    };
    let (left, right) = (clip(&good), clip(&bad));
    for pair in [[&left, &right], [&left, &bad], [&good, &right]] {
        let Answer { code, out, .. } = bitstep(&["diff", pair[0], pair[1]]);
        assert_eq!(code, 1);
        assert!(
            out.contains("\n  tick          7, after rest\n  field         slots[0].body.position.y,"),
            "{out}"
        );
    }
    assert_eq!([bitstep(&["verify", &left]).code, bitstep(&["verify", &right]).code], [0, 1]);
    assert_eq!(bitstep(&["show", &left, "--tick", "7"]).out, bitstep(&["show", &good, "--tick", "7"]).out);
    let told = format!("{left}: --tick is 8, must be in 6..=7");
    assert_refused(&["show", &left, "--tick", "8"], &told);
    assert_eq!(bitstep(&["clip", &good, "--tick", "21"]).code, 2);
    assert_eq!(bitstep(&["clip", &good, "--tick", "0"]).code, 2);
    assert_eq!(bitstep(&["clip", &good]).code, 2);
}

/// `tests/cli/clipped` is the output of `clip`; its test is one of this target's.
#[test]
fn a_test_that_was_written_is_one() {
    let clip = file("break.tick-7.replay", b"");
    let target = file("break.tick-7.rs", b"");
    let clipped =
        |name: &str| fs::read(format!("{}/tests/cli/clipped/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let whole = golden("break.replay");
    assert_eq!(bitstep(&["clip", &whole, "--tick", "7", "--output", &clip]).code, 0);
    assert!(fs::read(&clip).unwrap() == clipped("break.tick-7.replay"), "`bitstep clip` writes another");
    let Answer { code, out, .. } = bitstep(&["clip", &clip, "--test", "--output", &target]);
    assert!(code == 0 && out.starts_with(&format!("{target}: a test of 1 tick\n")), "{out}");
    let text = fs::read_to_string(&target).unwrap();
    assert_eq!(text.as_bytes(), clipped("break.tick-7.rs"), "{text}");
    let bad = injected("written-bad.replay", "7:0:pos.y@rest");
    let target = file("written-bad.rs", b"");
    assert_eq!(bitstep(&["clip", &bad, "--test", "--output", &target]).code, 0);
    let text = fs::read_to_string(&target).unwrap();
    assert!(text.contains("//!     tick 7, after rest: slots[0].body.position.y: "), "{text}");
}
