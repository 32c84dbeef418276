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
    skirmish_take_over();
    skirmish_end();
    assert_eq!(skirmish_save(), 0);
    assert_eq!(
        [skirmish_advance(1_000), skirmish_order(1, 0, 0, 0), skirmish_numbers(0), skirmish_picture(1)],
        [0; 4]
    );
    assert_eq!(
        [skirmish_sums(0), skirmish_news(1), skirmish_outcome(0), skirmish_flip(0), skirmish_flip_words(1)],
        [0; 5]
    );
    assert_eq!([skirmish_finding(0), skirmish_diverged(1), skirmish_saved(), skirmish_recording(0)], [0; 4]);
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

#[test]
fn a_battle_is_opened_and_bad_numbers_are_named() {
    assert!(
        skirmish_open(7, 1_001, 0) > 0
            && skirmish_open(7, u32::MAX, 0) > 0
            && skirmish_open(7, 10, u32::MAX) > 0
    );
    assert_eq!(skirmish_open(7, 10, 0), 0);
    assert!(skirmish_weather(2_001, 0, 0) > 0);
    assert_eq!(skirmish_weather(20, 5, 5), 0);
    in_at(0);
    assert!(skirmish_flip(0) > 0 && skirmish_load() > 0, "an empty input is neither a place nor a match");
    assert_eq!((0..3).map(|_| skirmish_advance(u32::MAX)).sum::<u32>(), 0);
    assert_eq!(skirmish_numbers(u32::MAX), 48);
    // Head and ten units on each side.
    assert_eq!(skirmish_picture(0), 4 * (3 + 20 * 7));
    assert!(skirmish_sums(1) > 100 && skirmish_news(0) > 10 && skirmish_news(0) == 0, "news are told once");
    in_at(7);
    for kind in [0, 1, 2, 3, u32::MAX] {
        assert_eq!(skirmish_order(kind, i32::MIN, i32::MAX, u32::MAX), 0);
    }
    assert_eq!((skirmish_save(), skirmish_saved()), (0, 0), "orders are under way");
    skirmish_advance(1_000);
    assert!(skirmish_saved() > 1_000 && skirmish_saved() == 0);
    skirmish_end();
    assert_eq!(skirmish_advance(20), 1);
    assert!(skirmish_recording(1) > 1_000 && skirmish_outcome(1) > 20);
    assert!(skirmish_order(0, 0, 0, 0) > 0 && skirmish_save() > 0, "it is over");
    assert_eq!(skirmish_diverged(0), 0);
}
