//! `plot`: the numbers of a recording as a picture.

use std::fs;

use crate::{Answer, TICK, assert_refused, bitstep, change_record, file, golden, recording};

#[test]
fn the_numbers_of_two_balls_are_drawn() {
    let replay = recording("two balls.replay");
    let picture = file("two balls.svg", b"");
    let Answer { code, out, err } = bitstep(&["plot", &replay, "-o", &picture]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with(&format!("{picture}\n")) && out.ends_with("  shows         20 ticks\n"), "{out}");
    insta::assert_snapshot!("two_balls", fs::read_to_string(&picture).unwrap());
}

#[test]
fn a_long_recording_has_no_more_columns_than_a_picture() {
    let picture = file("castle.svg", b"");
    assert_eq!(bitstep(&["plot", &golden("castle.replay"), "-o", &picture]).code, 0);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.len() < 64 << 10, "{}", svg.len());
    assert_eq!(svg.matches("<path ").count(), 4, "nobody is held, so nothing is drawn of it");
    assert!(svg.contains(">asleep</text>") && svg.contains(">bodies; at most 200<"), "{svg}");
}

#[test]
fn what_is_wrong_with_a_recording_is_told_beside_its_picture() {
    let mut bytes = fs::read(recording("diverged-plot.replay")).unwrap();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let replay = file("diverged-plot.replay", &bytes);
    let picture = file("diverged-plot.svg", b"");
    let Answer { code, out, .. } = bitstep(&["plot", &replay, "-o", &picture]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("this build does not come to what {replay} has of tick 7")), "{out}");
    let at = bytes.len() - 200;
    bytes[at] ^= 4;
    let replay = file("damaged-plot.replay", &bytes);
    assert_eq!(bitstep(&["plot", &replay, "-o", &picture]).code, 2);
    let told = format!("{replay}: cannot be written: it is the recording");
    assert_refused(&["plot", &replay, "-o", &replay], &told);
}
