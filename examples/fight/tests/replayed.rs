//! A match played again is the same: by ggrs's sync test, by the library's determinism check, from its
//! recording.
#![allow(missing_docs)]

use bitstep::{
    replay::{Recorder, Replay, verify},
    session::{Session, Simulation, determinism_check},
    tick::TickReport,
};
use bitstep_rollback::sync_test;
use fight::{Fight, Input, initial_state, script::script};

#[test]
fn a_match_passes_the_sync_test_at_every_distance() {
    let script = script(3, 900).unwrap();
    for distance in 1..=8 {
        let test = sync_test(initial_state().unwrap(), &script.inputs, distance).unwrap();
        assert_eq!(test.checksum, script.end.checksum(), "distance {distance}");
        assert_eq!((test.stats.deepest, test.stats.rollbacks), (distance as u64, 899 - distance as u64));
    }
    assert!(sync_test(initial_state().unwrap(), &script.inputs, 9).is_err());
}

#[test]
fn a_match_passes_the_determinism_check() {
    let script = script(4, 400).unwrap();
    let inputs: Vec<Vec<Input>> = script.inputs.iter().map(|both| both.to_vec()).collect();
    determinism_check(&initial_state().unwrap(), &inputs).unwrap();
}

#[test]
fn a_match_is_played_from_its_recording() {
    let script = script(5, 1_200).unwrap();
    let mut state = initial_state().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &state).unwrap();
    for inputs in &script.inputs {
        state.tick(inputs, &mut TickReport::default());
        recorder.tick(inputs, &state).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let replay = Replay::<Session<Fight>>::read(&bytes).unwrap();
    assert_eq!(verify(&replay, |_, _| {}).unwrap().divergence, None);
    assert_eq!(state.outcome(), script.end.outcome());
}

#[test]
fn a_match_is_alike_on_every_machine() {
    let end = script(7, 3_000).unwrap().end;
    let readme = include_str!("../README.md");
    assert!(readme.contains(&format!("checksum   {} after tick 3000", end.checksum())), "{}", end.checksum());
    assert!(readme.contains(&format!("match      {}", end.outcome())), "{}", end.outcome());
}
