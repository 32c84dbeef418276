//! `repair`: the whole part of a damaged recording.

use std::fs;

use bitstep::{World, replay::Replay};

use crate::{Answer, assert_refused, bitstep, file, recording};

/// A damaged recording of the test's own, with fewer ticks left than the 20 that it had.
fn damaged(name: &str) -> (String, u64) {
    let mut bytes = fs::read(recording(name)).unwrap();
    let at = bytes.len() - 200;
    bytes[at] ^= 4;
    let (whole, damage) = Replay::<World>::read_to_damage(&bytes).unwrap();
    let ticks = whole.ticks().len() as u64;
    assert!(damage.is_some() && (1..20).contains(&ticks), "{ticks}");
    (file(name, &bytes), ticks)
}

#[test]
fn whole_ticks_become_a_recording_beside_the_damaged_one() {
    let (path, ticks) = damaged("torn.replay");
    let before = fs::read(&path).unwrap();
    let target = path.replace("torn.replay", "torn.repaired.replay");
    let _ = fs::remove_file(&target);
    let Answer { code, out, err } = bitstep(&["repair", &path]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with(&format!("{path}: damaged at byte ")), "{out}");
    assert!(lines[1].starts_with(&format!("{target}: {ticks} ticks kept, ")), "{out}");
    assert!(lines[2].ends_with(&format!(" verify {target}")) && lines.len() == 3, "{out}");
    assert_eq!(fs::read(&path).unwrap(), before, "the damaged one is kept");

    let verified = bitstep(&["verify", &target]);
    assert_eq!(verified.code, 0);
    assert!(verified.out.starts_with(&format!("{target}: all {ticks} ticks match")), "{}", verified.out);
    // An existing file is not replaced unless it is named.
    let told = format!("{target}: is there already; --output FILE writes over it, or elsewhere");
    assert_refused(&["repair", &path], &told);
    assert_eq!(bitstep(&["repair", &path, "--output", &target]).code, 0);
}

#[test]
fn a_damaged_recording_is_replaced_only_where_it_is_named() {
    let (path, ticks) = damaged("named.replay");
    assert_eq!(bitstep(&["repair", &path, "--output", &path]).code, 0);
    let verified = bitstep(&["verify", &path]);
    assert!(
        verified.code == 0 && verified.out.contains(&format!("all {ticks} ticks match")),
        "{}",
        verified.out
    );
    assert!(!fs::exists(format!("{path}.part")).unwrap());
}

#[test]
fn nothing_is_written_of_a_whole_one_and_nothing_can_be_of_one_without_an_initial_state() {
    let path = recording("whole.replay");
    let target = file("whole.target", b"kept");
    let Answer { code, out, .. } = bitstep(&["repair", &path, "--output", &target]);
    let told = format!("{path}: whole, 20 ticks; nothing to repair, and nothing was written\n");
    assert_eq!((code, out), (0, told));
    assert_eq!(fs::read(&target).unwrap(), b"kept");

    let bytes = fs::read(&path).unwrap();
    let headless = file("headless.replay", &bytes[..40]);
    let Answer { code, out, err } = bitstep(&["repair", &headless]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with(&format!("bitstep: {headless}: byte 16: ")), "{err}");
    // `show` of a damaged recording points here.
    let (path, _) = damaged("shown.replay");
    let Answer { code, err, .. } = bitstep(&["show", &path]);
    assert!(code == 2 && err.trim_end().ends_with(&format!(" repair {path}")), "{err}");
}
