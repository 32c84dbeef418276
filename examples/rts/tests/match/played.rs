//! A match played again is the same: by the library's determinism check, from its recording, from a save.

use bitstep::{
    replay::{Recorder, Replay, verify},
    session::{Session, Simulation, determinism_check},
    tick::TickReport,
};
use bitstep_lockstep::{SavedMatch, Terms};
use rts::{Army, HEALTH, Issued, Rts, script::play_alone};

pub fn terms(units: u16, ticks: u64) -> Terms {
    let terms = Terms::new::<Rts>(1, 4, &Army { seed: 7, units }).unwrap();
    Terms { last_tick: ticks, rate: 0, ..terms }
}

/// The inputs of every tick of a script, and the state after the last.
fn script(terms: &Terms) -> (Vec<Vec<Issued>>, Session<Rts>) {
    let mut inputs = Vec::new();
    let end = play_alone(terms, |_, given| inputs.push(given.to_vec())).unwrap();
    (inputs, end)
}

#[test]
fn a_match_passes_the_determinism_check() {
    let terms = terms(8, 160);
    let (inputs, _) = script(&terms);
    assert!(inputs.iter().map(Vec::len).sum::<usize>() >= 10, "something is ordered");
    determinism_check(&terms.initial_state::<Rts>().unwrap(), &inputs).unwrap();
}

#[test]
fn a_match_is_played_from_its_recording() {
    let terms = terms(15, 1_200);
    let mut state = terms.initial_state::<Rts>().unwrap();
    let mut recorder = Recorder::new(Vec::new(), &state).unwrap();
    let (inputs, end) = script(&terms);
    for inputs in inputs {
        state.tick(&inputs, &mut TickReport::default());
        recorder.tick(&inputs, &state).unwrap();
    }
    let bytes = recorder.finish().unwrap();
    let replay = Replay::<Session<Rts>>::read(&bytes).unwrap();
    assert_eq!(verify(&replay, |_, _| {}).unwrap().divergence, None);
    assert_eq!(state.checksum(), end.checksum());
    let hits: u32 = end.game().units().iter().map(|unit| u32::from(HEALTH - unit.health)).sum();
    assert!(hits > 20, "there was a battle: {hits} hits");
}

#[test]
fn a_match_goes_on_from_a_save() {
    let terms = terms(15, 500);
    let (inputs, end) = script(&terms);
    let mut state = terms.initial_state::<Rts>().unwrap();
    for (tick, inputs) in inputs.iter().enumerate() {
        if tick % 50 == 7 {
            let bytes = SavedMatch::new(terms.clone(), &state, Vec::new()).encode();
            state = SavedMatch::decode(&bytes).unwrap().state(state.scenery()).unwrap();
        }
        state.tick(inputs, &mut TickReport::default());
    }
    assert_eq!(state.checksum(), end.checksum());
}

#[test]
fn a_match_is_alike_on_every_machine() {
    let readme = include_str!("../../README.md");
    let (_, end) = script(&terms(50, 2_000));
    assert!(readme.contains(&format!("checksum   {} after tick 2000", end.checksum())), "{}", end.checksum());
    assert!(readme.contains(&format!("match      {}", end.outcome())), "{}", end.outcome());
}
