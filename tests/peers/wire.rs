//! The cost of the protocol: bytes on the wire, and allocations.

use bitstep::{
    peer::{Config, Event, Peer},
    session::{Simulation, TickLog},
    snapshot,
    tick::TickReport,
};

use crate::{
    games::{session, session_inputs},
    link::{FINE, Match, STORM, Weather},
    support::gas,
};

/// Bytes and messages that one side sends in a tick, in hundredths, over the last of some ticks.
fn cost(weather: Weather) -> [usize; 2] {
    let mut game = Match::new(&session(), weather, 4, session_inputs);
    game.play(100, 0);
    let before = game.links[0].sent.len();
    game.play(1_100, 0);
    let sent = &game.links[0].sent[before..];
    [sent.iter().map(Vec::len).sum::<usize>() / 10, sent.len() / 10]
}

#[test]
fn a_tick_costs_some_bytes_on_the_wire() {
    // Published in docs/formats.md.
    let near = cost(Weather { delay: [1, 1], ..FINE });
    let far = cost(Weather { delay: [6, 6], ..FINE });
    let storm = cost(STORM);
    println!("{near:?} {far:?} {storm:?}");
    assert_eq!([near, far], [[1_900, 100], [5_900, 100]]);
    assert!((4_000..6_000).contains(&storm[0]), "{storm:?}");
}

#[test]
fn messages_stay_below_the_largest() {
    for message_bytes_max in [512, 1_024, 1_400] {
        let config = Config { message_bytes_max, ..Config::default() };
        let mut game = Match::with(&session(), Weather { lost: 80, ..STORM }, 4, session_inputs, config);
        game.sides[0].meddle =
            Box::new(|tick, _, inputs: &mut Vec<u32>| inputs.truncate(if tick == 200 { 1 } else { 2 }));
        game.play(250, 600);
        let longest = game.links[0].sent.iter().map(Vec::len).max().unwrap();
        assert_eq!(longest as u64, u64::from(message_bytes_max), "pieces fill a message");
        assert!(game.sides.iter().all(|side| side.peer.is_done()));
    }
}

/// Plays two peers with a setting, which allocate nothing once their rooms are full.
fn check_warm(config: Config) {
    let initial_state = gas(4, 1);
    let mut peers = [0, 1].map(|_| Peer::new(&initial_state, config).unwrap());
    let (mut state, mut report, log) = (initial_state.clone(), TickReport::default(), TickLog::off());
    let mut play = |ticks: u64| {
        for _ in 0..ticks {
            state.step(&mut report);
            let [a, b] = &mut peers;
            let counted = allocation_counter::measure(|| {
                a.confirm(&state, &[], &log).unwrap();
                b.confirm(&state, &[], &log).unwrap();
                a.poll(&mut |message| b.receive(message).unwrap());
                b.poll(&mut |message| a.receive(message).unwrap());
            });
            if state.tick_count() > 40 {
                assert_eq!(counted.count_total, 0, "tick {}, {config:?}", Simulation::tick_count(&state));
            }
        }
    };
    play(140);
    for peer in &mut peers {
        assert_eq!((peer.next_event(), peer.next_event()), (Some(Event::Connected), None));
        assert!(peer.compared() >= 139);
    }
}

#[test]
fn a_warm_peer_allocates_nothing() {
    check_warm(Config { ticks: 30, ..Config::default() });
    // The memory of the states is full before the ticks are.
    let state = snapshot::encode(&gas(4, 1)).len() as u64;
    for states in [0, 2, 7] {
        check_warm(Config { state_bytes_max: states * state, ..Config::default() });
    }
}
