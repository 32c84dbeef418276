//! `demo`: recordings in the program, their pages, and a wrong bit.

use std::{fs, path::Path};

use crate::{Answer, batches::folder, bitstep};

const FILES: [&str; 10] = [
    "break.replay",
    "break.ron",
    "castle.html",
    "castle.replay",
    "fight.html",
    "fight.replay",
    "match.html",
    "match.replay",
    "wrong.html",
    "wrong.replay",
];

#[test]
#[cfg_attr(debug_assertions, ignore = "the castle takes half a minute; .ci/run runs the demo optimised")]
fn the_demo_verifies_shows_and_finds() {
    let target = folder("demo").join("made");
    let told = target.to_str().unwrap();
    let Answer { code, out, err } = bitstep(&["demo", "--no-open", "--folder", told]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let mut files: Vec<_> = fs::read_dir(&target).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort_unstable();
    assert_eq!(files, FILES);
    for (name, ticks) in [("castle", "600"), ("fight", "1,800"), ("match", "1,000")] {
        let line = format!("{told}/{name}.replay: all {ticks} ticks match, to the last bit");
        assert!(out.lines().any(|found| found.starts_with(&line)), "{out}");
    }
    assert!(
        out.contains("\n  tick          200, after finish\n  field         slots[7].body.momentum.y, "),
        "{out}"
    );
    assert!(
        out.contains("\n  divergence    in tick 200, after finish: slots[7].body.momentum.y is "),
        "{out}"
    );
}

#[test]
fn the_scene_of_the_demo_is_the_one_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read(root.join(path)).unwrap();
    assert_eq!(read("src/bin/bitstep/demo/break.ron"), read("../../replays/break.ron"));
}

#[test]
fn nothing_is_written_where_something_is() {
    let target = folder("demo-there");
    fs::write(target.join("break.ron"), "mine").unwrap();
    for there in [target.to_str().unwrap(), &crate::file("demo.file", b"")] {
        let Answer { code, out, err } = bitstep(&["demo", "--no-open", "--folder", there]);
        let told = format!("bitstep: {there}: is there already; --folder FOLDER makes another\n");
        assert_eq!((code, out.as_str(), err), (2, "", told));
    }
    assert_eq!(fs::read(target.join("break.ron")).unwrap(), b"mine");
    let nowhere = target.join("no/such");
    let Answer { code, err, .. } = bitstep(&["demo", "--no-open", "--folder", nowhere.to_str().unwrap()]);
    assert!(code == 2 && err.contains("cannot be made"), "{err}");
}
