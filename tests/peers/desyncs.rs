//! Findings of two peers.

use bitstep::{
    World,
    geom::Vec3,
    peer::{Config, Event, Peer, PeerError},
    replay::{Agreement, Comparison, Judgement, Replay},
    session::{Session, Simulation, TickLog},
    snapshot::diff_fields,
    state::{Command, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    games::{Digging, nudged, richer, session, session_inputs, world, world_inputs},
    link::{FINE, Match, STORM, Side, Weather},
};

/// The desync and the comparison that a side reported, after it connected.
fn found<S: Simulation>(side: &Side<S>) -> (u64, Vec<u8>, bool, Comparison) {
    match &side.events[..] {
        [
            Event::Connected,
            Event::Desync { tick, report, is_reproduced },
            Event::RemoteReport { comparison: Ok(comparison), .. },
        ] => (*tick, report.clone(), *is_reproduced, Comparison::clone(comparison)),
        events => panic!("{events:?}"),
    }
}

#[test]
fn equal_runs_have_no_desync() {
    for (seed, weather) in [(1, STORM), (2, FINE), (3, Weather { lost: 70, ..STORM })] {
        let mut game = Match::new(&session(), weather, seed, session_inputs);
        game.play(2_000, 60);
        let mut bodies = Match::new(&world(), weather, seed, world_inputs);
        bodies.play(2_000, 60);
        for side in &game.sides {
            assert_eq!(side.events, [Event::Connected]);
            assert_eq!((side.peer.compared(), side.peer.is_done()), (2_000, false));
        }
        for side in &bodies.sides {
            assert_eq!((&side.events[..], side.peer.compared()), (&[Event::Connected][..], 2_000));
        }
    }
}

/// Plays two worlds of which one has a raw unit too much at a tick, and checks everything that is found.
fn check_nudge(tick: u64, weather: Weather, seed: u64) {
    let mut game = Match::new(&world(), weather, seed, world_inputs);
    game.sides[1].meddle = Box::new(move |now, world: &mut World, _| {
        if now == tick {
            *world = nudged(world, 7);
        }
    });
    game.play(tick + 40, 150);
    let reports = game.sides.each_ref().map(|side| {
        let (found, report, _, comparison) = found(side);
        assert_eq!((found, comparison.tick), (tick, Some(tick)), "seed {seed}");
        assert!(side.peer.is_done(), "seed {seed}");
        (report, comparison)
    });
    let [(ours, comparison), (theirs, mirrored)] = reports;
    assert!(
        matches!(&game.sides[0].events[2], Event::RemoteReport { theirs: found, .. } if *found == theirs)
    );
    assert_eq!((comparison.judgement, comparison.rerun), (Judgement::Physics, Agreement::Left));
    assert_eq!((mirrored.judgement, mirrored.rerun), (Judgement::Physics, Agreement::Right));
    let [ours, theirs] = [ours, theirs].map(|report| Replay::<World>::read(&report).unwrap());
    assert_eq!(ours.initial_state().tick_count() + 1, tick);
    assert_eq!(ours.initial_state().fields(), theirs.initial_state().fields());
    let fields = |comparison: Comparison| comparison.difference.into_iter().chain(comparison.further);
    let found: Vec<_> = fields(comparison.clone()).collect();
    assert!(found.iter().any(|field| field.path.starts_with("slots[7].body.")), "{comparison}");
    let [left, right] = [&ours, &theirs]
        .map(|report| World::decode(&report.keyframes()[0].snapshot, report.scenery()).unwrap().fields());
    assert_eq!(found, diff_fields(&left, &right));
    assert_eq!(fields(mirrored).collect::<Vec<_>>(), diff_fields(&right, &left));
}

#[test]
fn peers_name_the_first_bad_tick_whatever_is_lost() {
    for seed in 0..40 {
        check_nudge(1 + seed * 17 % 330, STORM, seed);
    }
    for tick in [1, 2, 119, 300, 301, 420] {
        check_nudge(tick, FINE, tick);
    }
}

/// A game in which one side is changed, and the results of both sides.
fn disputed(
    meddle: impl FnMut(u64, &mut Session<Digging>, &mut Vec<u32>) + 'static,
    log: TickLog,
) -> [Comparison; 2] {
    let mut game = Match::new(&session(), STORM, 11, session_inputs);
    game.sides[0].meddle = Box::new(meddle);
    game.sides.iter_mut().for_each(|side| side.log = log.clone());
    game.play(150, 150);
    game.sides.each_ref().map(|side| {
        let (tick, report, _, comparison) = found(side);
        let replay = Replay::<Session<Digging>>::read(&report).unwrap();
        assert_eq!((tick, replay.ticks()[0].inputs.len()), (100, 2));
        comparison
    })
}

#[test]
fn a_game_that_parted_is_told_from_a_world_that_parted() {
    let rich = |tick: u64, session: &mut Session<Digging>, _: &mut Vec<u32>| {
        if tick == 100 {
            *session = richer(session, 64); // the push is the same
        }
    };
    let [ours, theirs] = disputed(rich, TickLog::sums());
    assert_eq!((ours.judgement, ours.phase.as_deref()), (Judgement::GameState, Some("dug")));
    assert_eq!((theirs.judgement, &theirs.phase), (ours.judgement, &ours.phase));
    assert_eq!((ours.rerun, theirs.rerun), (Agreement::Right, Agreement::Left));
    let [gold, mirrored] = [&ours, &theirs].map(|side| side.difference.clone().unwrap());
    assert_eq!((gold.path.as_str(), &ours.further[..]), ("game.gold[0]", &[][..]));
    assert_eq!((gold.left, gold.right), (mirrored.right, mirrored.left));
    // One side has hashes, the other was played again: what only that is known to have been given is not shown as its own.
    for side in [&ours, &theirs] {
        assert!(side.commands.iter().all(Vec::is_empty) && side.draws.iter().all(Vec::is_empty), "{side}");
    }

    // Without logs the phase is not known, and the fields decide.
    let [ours, _] = disputed(rich, TickLog::off());
    assert_eq!((ours.judgement, ours.phase), (Judgement::GameState, None));
    assert_eq!(ours.difference.unwrap().path, "game.gold[0]");
}

#[test]
fn other_inputs_are_told_from_other_results() {
    let cheat = |tick: u64, _: &mut Session<Digging>, inputs: &mut Vec<u32>| {
        if tick == 100 {
            inputs[0] += 1;
        }
    };
    for comparison in disputed(cheat, TickLog::off()) {
        assert_eq!((comparison.judgement, comparison.tick), (Judgement::Inputs, Some(100)));
        let difference = comparison.difference.unwrap();
        assert_eq!(difference.path, "inputs[0]");
        assert_ne!(difference.left, difference.right);
    }
}

#[test]
fn ticks_that_no_side_reproduces_are_not_reproducible() {
    let mut two = Match::new(&session(), FINE, 5, session_inputs);
    for (side, gold) in [(0, 64), (1, 128)] {
        two.sides[side].meddle = Box::new(move |tick, session: &mut Session<Digging>, _| {
            if tick == 60 {
                *session = richer(session, gold);
            }
        });
    }
    two.play(80, 100);
    for side in &two.sides {
        let (tick, _, is_reproduced, comparison) = found(side);
        assert_eq!((tick, is_reproduced), (60, false));
        assert_eq!(
            (comparison.judgement, comparison.rerun),
            (Judgement::NotReproducible, Agreement::Neither),
            "{comparison}"
        );
    }
}

/// Two sides, one of them far behind, with rings of so many ticks; the events behind the first.
fn far_behind(ticks: u32, tick: u64, lag: u64) -> [Vec<Event>; 2] {
    let config = Config { ticks, ..Config::default() };
    let mut game = Match::with(&world(), FINE, 3, world_inputs, config);
    game.sides[1].waits_until = lag;
    game.sides[0].meddle = Box::new(move |now, world: &mut World, _| {
        if now == tick {
            *world = nudged(world, 7);
        }
    });
    game.play(lag + 20, 100);
    game.sides.map(|side| side.events[1..].to_vec())
}

#[test]
fn a_desync_older_than_the_ring_is_said_to_be() {
    // The first has discarded tick 5 when the second comes to it, and relies on the other's report.
    let [first, second] = far_behind(30, 5, 100);
    assert_eq!(first[0], Event::DesyncWithoutReport { tick: 5, reason: PeerError::TooOld });
    assert!(
        matches!(first[1], Event::RemoteReport { comparison: Err(PeerError::NoReport), .. }),
        "{first:?}"
    );
    assert!(matches!(second[0], Event::Desync { tick: 5, .. }), "{second:?}");
    assert_eq!(second[1], Event::NoRemoteReport { reason: PeerError::NoRemoteReport });

    // A tick that neither has told the other in time: the first that both know is named, and marked as late.
    for events in far_behind(30, 50, 100) {
        match &events[..] {
            [
                Event::DesyncWithoutReport { tick, reason: PeerError::TooOld },
                Event::NoRemoteReport { reason: PeerError::NoRemoteReport },
            ] => {
                assert!((51..=91).contains(tick), "{tick}");
            }
            events => panic!("{events:?}"),
        }
    }

    // With a longer ring the same is found.
    for events in far_behind(120, 5, 100) {
        assert!(matches!(events[0], Event::Desync { tick: 5, .. }), "{events:?}");
        assert!(matches!(events[1], Event::RemoteReport { comparison: Ok(_), .. }), "{events:?}");
    }
}

#[test]
fn a_peer_that_keeps_too_few_bytes_takes_the_report_of_the_other() {
    let mut game = Match::new(&world(), FINE, 3, world_inputs);
    let small = Config { state_bytes_max: 1, ..Config::default() };
    game.sides[1] = Side::new(&world(), small);
    game.sides[0].meddle = Box::new(|now, world: &mut World, _| {
        if now == 50 {
            *world = nudged(world, 7);
        }
    });
    game.play(80, 100);
    let [whole, small] = game.sides.each_ref().map(|side| &side.events[1..]);
    assert!(matches!(whole[0], Event::Desync { tick: 50, .. }), "{whole:?}");
    assert_eq!(whole[1], Event::NoRemoteReport { reason: PeerError::NoRemoteReport });
    assert_eq!(small[0], Event::DesyncWithoutReport { tick: 50, reason: PeerError::TooOld });
    match &small[1] {
        Event::RemoteReport { theirs, comparison: Err(PeerError::NoReport) } => {
            assert_eq!(Replay::<World>::read(theirs).unwrap().ticks().len(), 1);
        }
        event => panic!("{event:?}"),
    }
    assert!(game.sides.iter().all(|side| side.peer.is_done()));
}

#[test]
fn a_half_that_is_too_large_is_neither_sent_nor_taken() {
    for (own, other) in [(100, 1 << 20), (1 << 20, 100)] {
        let mut game = Match::new(&world(), STORM, 3, world_inputs);
        let config = |report_bytes_max| Config { report_bytes_max, ..Config::default() };
        game.sides = [own, other].map(|most| Side::new(&world(), config(most)));
        game.sides[0].meddle = Box::new(|now, world: &mut World, _| {
            if now == 50 {
                *world = nudged(world, 7);
            }
        });
        game.play(80, 150);
        let reasons = game.sides.each_ref().map(|side| match &side.events[2] {
            Event::NoRemoteReport { reason } => reason.clone(),
            event => panic!("{event:?}"),
        });
        let mut expected = [PeerError::RemoteReportTooLarge, PeerError::NoRemoteReport];
        if own >= other {
            expected.reverse();
        }
        assert_eq!(reasons, expected);
        assert!(game.sides.iter().all(|side| side.peer.is_done()));
    }
}

#[test]
fn memory_for_states_is_bounded() {
    let (initial_state, mut report) = (world(), TickReport::default());
    let config = Config { ticks: 100, state_bytes_max: 20_000, ..Config::default() };
    let (mut state, mut peer) = (initial_state.clone(), Peer::new(&initial_state, config).unwrap());
    for tick in 0..150 {
        let more = Spawn { allow_overlap: true, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
        let inputs = vec![Command::Spawn(more); if tick == 50 { 30 } else { 0 }];
        let _ = state.tick(&inputs, &mut report);
        peer.confirm(&state, &inputs, &TickLog::off()).unwrap();
        assert!(peer.state_bytes() <= 20_000, "{}", peer.state_bytes());
    }
    assert!(state.bodies().count() > 50 && peer.state_bytes() > 10_000, "{}", peer.state_bytes());
}

#[test]
fn ticks_are_confirmed_in_their_order() {
    let (mut state, mut report) = (world(), TickReport::default());
    let mut peer = Peer::new(&state, Config::default()).unwrap();
    let refused = peer.confirm(&state, &[], &TickLog::off()).unwrap_err();
    assert_eq!(refused, PeerError::Order { expected: 1, found: 0 });
    let mut log = TickLog::sums();
    state.tick_logged(&[], &mut report, &mut log).accepted().unwrap();
    peer.confirm(&state, &[], &log).unwrap();
    let refused = peer.confirm(&state, &[], &log).unwrap_err();
    assert_eq!(refused.to_string(), "tick 1 is confirmed, it is the turn of tick 2");
    state.step(&mut report);
    let refused = peer.confirm(&state, &[], &log).unwrap_err();
    assert_eq!(refused, PeerError::Log { expected: 2, found: 1 });
    state.step(&mut report);
    let refused = peer.confirm(&state, &[], &TickLog::off()).unwrap_err();
    assert_eq!(refused, PeerError::Order { expected: 2, found: 3 });
}
