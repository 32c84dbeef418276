//! The functions that JavaScript calls, called from here: no argument makes them panic.
#![allow(missing_docs)]

use bitstep::session::Simulation;
use fight::script::script;
use page::exports::*;

#[test]
fn nothing_happens_before_a_page_is_opened() {
    solo_tick(1, 2);
    duel_hold(0, 3);
    duel_person(1, 1);
    duel_packet(0);
    assert_eq!([solo_checksum(), solo_save(), solo_load(), solo_fields(), solo_picture()], [0; 5]);
    assert_eq!([duel_numbers(0), duel_picture(0, 0), duel_sums(1), duel_fields(0), duel_outcome(0)], [0; 5]);
    assert_eq!([duel_flip(0), duel_flip_words(0), duel_finding(0), duel_diverged(0), duel_advance()], [0; 5]);
    assert!(in_at((1 << 20) + 1).is_null() && !in_at(1 << 20).is_null());
    assert!(versions() > 10);
}

#[test]
fn a_session_alone_is_opened_saved_and_loaded() {
    assert_eq!(solo_open(), 0);
    let inputs = script(7, 50).unwrap();
    for [left, right] in &inputs.inputs {
        solo_tick(left.0.into(), right.0.into());
    }
    assert_eq!(solo_checksum(), 32);
    let mut snapshot = Vec::new();
    inputs.end.encode_into(&mut snapshot);
    assert_eq!(solo_save() as usize, snapshot.len());
    assert!(solo_fields() > 1_000 && solo_picture() > 200);
    // The last input is no snapshot.
    in_at(16);
    assert!(solo_load() > 0, "says what is wrong");
    assert_eq!(solo_save() as usize, snapshot.len());
}

#[test]
fn a_match_is_opened_and_bad_numbers_are_named() {
    assert_eq!(duel_open(7, 300), 0);
    assert!(duel_open(7, 18_001) > 0);
    assert!(duel_weather(2_001, 0, 0, 0) > 0);
    assert_eq!(duel_weather(20, 0, 5, 5), 0);
    let ended = (0..600).any(|_| duel_advance() == 1);
    assert!(ended);
    assert_eq!(duel_numbers(u32::MAX), 64);
    assert_eq!(duel_diverged(1), 0);
    assert!(script_end(7, 300) > 40 && script_end(7, u32::MAX) > 5);
    assert_eq!((script_keys(7, 300), script_keys(7, u32::MAX)), (600, 0));
}
