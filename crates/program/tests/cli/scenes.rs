//! Scenes that are bad, or none at all.

use crate::{Answer, SMALL, assert_refused, bitstep, file, recording};

#[test]
fn bad_scenes_are_told_with_line_and_column() {
    let unknown = file("unknown.ron", SMALL.replace("tick_rate", "tickrate").as_bytes());
    let fields = "`title`, `about`, `tick_rate`, `substeps`, `ticks`, `limits`, `sleep`, `gravity`, `layers`, `materials`, \
                  `shapes`, `compounds`, `statics`, `bodies`, or `timeline`";
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
fn every_scene_among_the_examples_runs_and_records() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut scenes: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "ron")).collect();
    scenes.sort();
    assert!(scenes.len() >= 4, "{scenes:?}");
    let replay = file("example.replay", b"");
    for scene in &scenes {
        let Answer { code, err, .. } =
            bitstep(&["run", scene.to_str().unwrap(), "--ticks", "30", "--record", &replay]);
        assert_eq!((code, err.as_str()), (0, ""), "{}", scene.display());
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
