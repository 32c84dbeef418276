//! Forged reports: an error or an answer, and never one about another match.

use std::sync::Arc;

use bitstep::{
    World,
    peer::{Config, Event, Peer, PeerError},
    replay::{Comparison, Judgement, Recorder},
    session::TickLog,
    snapshot::RULES_VERSION,
    tick::TickReport,
};

use crate::{
    games::{world, world_inputs},
    hostile::{PIECE, SUMS, diverged, message, numbers},
    support::gas_beside,
};

/// The tick of the divergence.
const TICK: u64 = 20;

/// The answer of a peer that was told of the first bad tick, and then receives these bytes as the other's
/// report.
fn answer(sent: &[Vec<u8>], report: &[u8]) -> Result<Box<Comparison>, PeerError> {
    let initial_state = world();
    let mut peer = Peer::new(&initial_state, Config::default()).unwrap();
    peer.receive(&sent[0]).unwrap();
    let mut state = initial_state.clone();
    for now in 1..=TICK {
        let _ = state.tick(&world_inputs(now), &mut TickReport::default());
        peer.confirm(&state, &world_inputs(now), &TickLog::off()).unwrap();
    }
    for sums in sent.iter().filter(|message| message[2] == SUMS) {
        let _ = peer.receive(sums);
    }
    peer.poll(&mut |_| {});
    let pieces: Vec<_> = report.chunks(1_000).collect();
    for (index, piece) in pieces.iter().enumerate() {
        let mut content = numbers(&[TICK as u32, index as u32, pieces.len() as u32]);
        content.extend(*piece);
        peer.receive(&message(&initial_state, PIECE, &content)).unwrap();
    }
    peer.poll(&mut |_| {});
    let mut events: Vec<_> = std::iter::from_fn(|| peer.next_event()).collect();
    match events.remove(2) {
        Event::RemoteReport { theirs, comparison } => {
            assert_eq!(theirs, report);
            comparison
        }
        event => panic!("{event:?}"),
    }
}

/// Their report, with one byte changed or cut there, sent as whole pieces.
#[test]
fn a_forged_half_is_an_error_or_an_answer() {
    let (game, sent) = diverged();
    let [_, Event::Desync { tick: TICK, report, .. }, _] = &game.sides[0].events[..] else {
        panic!("a desync")
    };
    let mut answers = [0; 2];
    for at in (0..report.len()).step_by(7) {
        let mut forged = report.clone();
        forged[at] ^= 0x10;
        if at % 2 == 0 {
            forged.truncate(at + 1);
        }
        answers[usize::from(answer(&sent, &forged).is_ok())] += 1;
    }
    assert!(answers[0] > 100, "errors and answers: {answers:?}");
}

/// A replay of so many ticks from behind another, with keyframes or without.
fn report(initial_state: &World, before: u64, ticks: u64, has_keyframes: bool) -> Vec<u8> {
    let (mut state, mut report) = (initial_state.clone(), TickReport::default());
    (1..=before).for_each(|now| _ = state.tick(&world_inputs(now), &mut report));
    let mut recorder = Recorder::with_keyframes(Vec::new(), &state, has_keyframes.into()).unwrap();
    for now in before + 1..=before + ticks {
        let _ = state.tick(&world_inputs(now), &mut report);
        recorder.tick(&world_inputs(now), &state).unwrap();
    }
    recorder.finish().unwrap()
}

#[test]
fn a_half_of_something_else_is_refused_and_not_compared() {
    let (_, sent) = diverged();
    let (initial_state, before) = (world(), TICK - 1);
    let honest = report(&initial_state, before, 1, true);
    assert_eq!(answer(&sent, &honest).unwrap().judgement, Judgement::Same);

    let mut older = honest;
    older[12..16].copy_from_slice(&(RULES_VERSION - 1).to_le_bytes());
    let limits = initial_state.limits().with_bodies_max(50);
    let narrow = World::new(limits, Arc::clone(initial_state.scenery())).unwrap();
    let (one, shape) = (gas_beside(3, 5, 1), "not one tick and the state after it");
    for (report, reason) in [
        (older, "other rules"),
        (report(&one, before, 1, true), "another scenery"),
        (report(&narrow, before, 1, true), "other limits"),
        (report(&initial_state, before - 1, 1, true), "another tick"),
        (report(&initial_state, before + 1, 1, true), "another tick"),
        (report(&initial_state, before, 0, true), shape),
        (report(&initial_state, before, 2, true), shape),
        (report(&initial_state, before, 1, false), shape),
    ] {
        assert_eq!(answer(&sent, &report), Err(PeerError::OtherReport(reason)));
    }
}
