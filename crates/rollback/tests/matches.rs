//! Matches of two to eight sides: what all of them end with is what one machine alone comes to.

mod support;

use std::time::{Duration, Instant};

use bitstep::{
    replay::{Replay, verify},
    session::{Session, Simulation, determinism_check},
    tick::TickReport,
};
use bitstep_rollback::{
    Ending, Forecast, Match, MatchEvent, Network, Player, RollbackError, Setup, Spectator, SpectatorSetup,
    UdpTransport, Weather, sync_test,
};
use support::{LONGEST, Pushes, Seat, Tape, input, is_over, play_until, setup, state, straight};

/// Sides with a player each, in weather of their own.
fn seats(players: usize, last_tick: u64, forecast: Forecast) -> Vec<Seat<usize>> {
    let network = Network::default();
    let seat = |player| {
        let forecast = Forecast { seed: player as u64, ..forecast };
        let transport = Weather::new(network.transport(player), forecast);
        Seat::new(player, setup(player, players, last_tick), transport)
    };
    (0..players).map(seat).collect()
}

/// Plays frames until all have an end.
fn play(seats: &mut [Seat<usize>]) {
    play_until(seats, is_over);
}

/// Checks that every side ended with what one machine alone comes to.
fn check(seats: Vec<Seat<usize>>, ticks: u64) {
    let (players, checksum) = (seats.len(), straight(seats.len(), ticks).checksum());
    for seat in seats {
        let told = seat.told.len() as u64;
        let outcome = seat.game.finish().expect("kept states");
        assert_eq!(outcome.ending, Ending::Finished);
        assert_eq!((outcome.tick, outcome.compared, told), (ticks, ticks, ticks));
        assert_eq!(outcome.state.checksum(), checksum, "player {} of {players}", seat.player);
        assert_eq!((outcome.counts.refused, outcome.counts.strangers), (0, 0));
    }
}

#[test]
fn two_sides_end_with_what_one_machine_comes_to() {
    let mut seats = seats(2, 300, Forecast { latency: 8, jitter: 12, ..Forecast::default() });
    play(&mut seats);
    assert!(seats.iter().any(|seat| seat.game.stats().rollbacks > 10), "inputs come late");
    check(seats, 300);
}

#[test]
fn two_sides_lose_nothing_over_a_link_that_loses_repeats_and_spoils() {
    let forecast =
        Forecast { latency: 4, jitter: 10, loss: 30, twice: 20, rubbish: 30, ..Forecast::default() };
    let mut seats = seats(2, 200, forecast);
    play(&mut seats);
    let checksum = straight(2, 200).checksum();
    for seat in seats {
        let outcome = seat.game.finish().expect("kept states");
        assert_eq!((outcome.ending, outcome.state.checksum()), (Ending::Finished, checksum));
        assert!(outcome.counts.refused > 20, "{:?}", outcome.counts);
    }
}

#[test]
fn eight_sides_over_a_link_that_loses_a_third_end_with_the_same() {
    let mut seats = seats(8, 200, Forecast { latency: 3, jitter: 9, loss: 30, ..Forecast::default() });
    play(&mut seats);
    check(seats, 200);
}

#[test]
fn three_sides_with_delayed_inputs_take_them_in_their_order() {
    let network = Network::default();
    let mut sides: Vec<_> = (0..3)
        .map(|player| {
            let setup = Setup { input_delay: 2, ..setup(player, 3, 100) };
            Match::new(state(3), setup, network.transport(player)).expect("a match")
        })
        .collect();
    let mut inputs: Vec<Vec<Vec<i8>>> = vec![Vec::new(); 3];
    while sides.iter().any(|side| side.ending().is_none()) {
        for (player, (side, inputs)) in sides.iter_mut().zip(&mut inputs).enumerate() {
            side.frame(&[1 + player as i8], |tick| inputs.push(tick.inputs.to_vec())).expect("a frame");
        }
    }
    let expected = [vec![vec![0; 3]; 2], vec![vec![1, 2, 3]; 98]].concat();
    assert!(inputs.iter().all(|inputs| *inputs == expected), "two ticks of nothing, then what was held");
}

#[test]
fn two_players_may_share_a_side() {
    let network = Network::default();
    let players = [
        [Player::Local, Player::Local, Player::Remote(2)],
        [Player::Remote(1), Player::Remote(1), Player::Local],
    ];
    let mut sides = [(0, vec![0, 1]), (1, vec![2])].map(|(side, here)| {
        let setup = Setup { last_tick: 80, ..Setup::new(5, players[side]) };
        (here, Match::new(state(3), setup, network.transport(side + 1)).expect("a match"))
    });
    while sides.iter().any(|side| side.1.ending().is_none()) {
        for (here, game) in &mut sides {
            let tick = game.state().tick_count();
            let inputs: Vec<_> = here.iter().map(|&player| input(player, tick)).collect();
            game.frame(&inputs, |_| {}).expect("a frame");
        }
    }
    let checksum = straight(3, 80).checksum();
    assert!(sides.into_iter().all(|side| side.1.finish().expect("kept states").state.checksum() == checksum));
}

#[test]
fn recordings_of_all_sides_hold_the_confirmed_ticks_and_verify() {
    let network = Network::default();
    let tapes = [Tape::default(), Tape::default()];
    let mut seats: Vec<_> = (0..2)
        .map(|player| {
            let recording: Option<Box<dyn std::io::Write>> = Some(Box::new(tapes[player].clone()));
            let forecast = Forecast { latency: 10, jitter: 10, ..Forecast::default() };
            let transport = Weather::new(network.transport(player), forecast);
            Seat::new(player, Setup { recording, ..setup(player, 2, 150) }, transport)
        })
        .collect();
    play(&mut seats);
    check(seats, 150);
    let bytes = tapes.map(|tape| tape.0.lock().expect("one thread").clone());
    assert_eq!(bytes[0], bytes[1], "the recording of a match is the same on every side");
    let replay = Replay::<Session<Pushes>>::read(&bytes[0]).expect("a recording");
    let verdict = verify(&replay, |_, _| {}).expect("of these rules");
    assert_eq!((verdict.ticks, verdict.divergence), (150, None));
}

#[test]
fn a_spectator_sees_every_tick_and_is_compared() {
    let network = Network::default();
    let mut seats: Vec<_> = (0..2)
        .map(|player| {
            let spectators = if player == 0 { vec![7] } else { Vec::new() };
            let forecast = Forecast { latency: 5, jitter: 10, loss: 10, ..Forecast::default() };
            let transport = Weather::new(network.transport(player), forecast);
            Seat::new(player, Setup { spectators, ..setup(player, 2, 150) }, transport)
        })
        .collect();
    let tape = Tape::default();
    let watching = SpectatorSetup {
        last_tick: 150,
        recording: Some(Box::new(tape.clone())),
        ..SpectatorSetup::new(99, 2, 0)
    };
    let mut spectator = Spectator::new(state(2), watching, network.transport(7)).expect("a spectator");
    let (mut told, began) = (Vec::new(), Instant::now());
    while spectator.ending().is_none() || seats.iter().any(|seat| seat.game.ending().is_none()) {
        assert!(began.elapsed() < LONGEST);
        seats.iter_mut().for_each(Seat::frame);
        spectator.frame(|tick| told.push(tick.state.checksum())).expect("a frame");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(told, seats[0].told);
    let outcome = spectator.finish().expect("a state");
    assert_eq!((outcome.ending, outcome.tick, outcome.compared), (Ending::Finished, 150, 150));
    check(seats, 150);
    let bytes = tape.0.lock().expect("one thread").clone();
    let replay = Replay::<Session<Pushes>>::read(&bytes).expect("a recording");
    assert_eq!(verify(&replay, |_, _| {}).expect("of these rules").divergence, None);
}

/// Number of events of a match that is played straight on.
fn events_straight_on(players: usize, ticks: u64) -> usize {
    let (mut state, mut report) = (state(players), TickReport::default());
    state.enable_events(true);
    let play = |tick| {
        let inputs: Vec<i8> = (0..players).map(|player| input(player, tick)).collect();
        state.tick(&inputs, &mut report);
        report.events.len()
    };
    (0..ticks).map(play).sum()
}

#[test]
fn events_start_once_and_are_confirmed_once_whatever_is_rolled_back() {
    use bitstep::session::EventChange;
    let mut seats = seats(2, 400, Forecast { latency: 12, jitter: 12, ..Forecast::default() });
    let (mut confirmed, mut started, mut withdrawn) = ([0, 0], [0, 0], [0, 0]);
    while seats.iter().any(|seat| seat.game.ending().is_none()) {
        for (side, seat) in seats.iter_mut().enumerate() {
            seat.frame();
            for change in seat.game.changes() {
                match change {
                    EventChange::Confirmed(_) => confirmed[side] += 1,
                    EventChange::Started(_) => started[side] += 1,
                    EventChange::Withdrawn(_) => withdrawn[side] += 1,
                    EventChange::Moved { .. } => {}
                }
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let events = events_straight_on(2, 400);
    assert!(events > 10, "{events}");
    assert_eq!(confirmed, [events; 2], "both sides count the events that happen");
    for side in 0..2 {
        // What was predicted beyond the last tick is never confirmed.
        assert!(
            started[side] >= confirmed[side] + withdrawn[side],
            "{started:?} {confirmed:?} {withdrawn:?}"
        );
    }
}

#[test]
fn a_match_over_sockets_ends_as_one_in_memory() {
    let sockets = [(); 2].map(|()| UdpTransport::bind("127.0.0.1:0").expect("a port"));
    let addresses = [0, 1].map(|side: usize| sockets[side].address().expect("bound"));
    let mut games: Vec<_> = sockets
        .into_iter()
        .enumerate()
        .map(|(side, socket)| {
            let at = |player| if player == side { Player::Local } else { Player::Remote(addresses[player]) };
            let setup = Setup { last_tick: 100, ..Setup::new(1, [0, 1].map(at)) };
            Match::new(state(2), setup, socket).expect("a match")
        })
        .collect();
    while games.iter().any(|game| game.ending().is_none()) {
        for (player, game) in games.iter_mut().enumerate() {
            let tick = game.state().tick_count();
            game.frame(&[input(player, tick)], |_| {}).expect("a frame");
        }
    }
    let checksum = straight(2, 100).checksum();
    for game in games {
        assert_eq!(game.finish().expect("kept states").state.checksum(), checksum);
    }
}

#[test]
fn a_sync_test_and_a_determinism_check_take_a_line_each() {
    let inputs: Vec<Vec<i8>> =
        (0..60).map(|tick| (0..3).map(|player| input(player, tick)).collect()).collect();
    for distance in 1..=8 {
        let test = sync_test(state(3), &inputs, distance).expect("the same each time");
        assert_eq!(test.checksum, straight(3, 60).checksum());
        assert!(test.stats.replayed > 0);
    }
    determinism_check(&state(3), &inputs).expect("the same in every way");
}

/// All end behind the same tick, though each has predicted beyond it, and may confirm several at once.
#[test]
fn a_match_that_a_rule_ends_ends_behind_one_tick_for_all() {
    let is_last = |state: &Session<Pushes>| state.game().points.iter().sum::<u32>() >= 12;
    let mut alone = state(3);
    let mut report = bitstep::tick::TickReport::default();
    while !is_last(&alone) {
        let inputs: Vec<_> = (0..3).map(|player| input(player, alone.tick_count())).collect();
        alone.tick(&inputs, &mut report);
    }
    assert!((20..2_000).contains(&alone.tick_count()));
    let network = Network::default();
    let mut sides: Vec<_> = (0..3)
        .map(|player| {
            let spectators = if player == 2 { vec![9] } else { Vec::new() };
            let setup = Setup { spectators, last_tick: 3_000, ..setup(player, 3, 0) };
            let forecast =
                Forecast { seed: player as u64, latency: 4, jitter: 12, loss: 10, ..Forecast::default() };
            let transport = Weather::new(network.transport(player), forecast);
            Match::new(state(3), setup, transport).expect("a match").ends_when(is_last)
        })
        .collect();
    let watching = SpectatorSetup { last_tick: 3_000, ..SpectatorSetup::new(99, 3, 2) };
    let spectator = Spectator::new(state(3), watching, network.transport(9)).expect("a spectator");
    let (mut spectator, began) = (spectator.ends_when(is_last), Instant::now());
    while sides.iter().any(|side| side.ending().is_none()) || spectator.ending().is_none() {
        assert!(began.elapsed() < LONGEST);
        for (player, side) in sides.iter_mut().enumerate() {
            let tick = side.state().tick_count();
            side.frame(&[input(player, tick)], |_| {}).expect("a frame");
        }
        spectator.frame(|_| {}).expect("a frame");
        std::thread::sleep(Duration::from_millis(2));
    }
    let outcomes = sides.into_iter().map(Match::finish).chain([spectator.finish()]);
    for outcome in outcomes.map(|outcome| outcome.expect("kept states")) {
        assert_eq!((outcome.ending, outcome.tick), (Ending::Finished, alone.tick_count()));
        assert_eq!(outcome.state.checksum(), alone.checksum());
    }
}

#[test]
fn a_setup_that_is_no_match_is_refused_by_name() {
    let refused = |setup| match Match::new(state(2), setup, Network::default().transport(0)) {
        Err(RollbackError::Setup(reason)) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("a match"),
    };
    let players = |players: &[Player<usize>]| Setup::new(1, players);
    assert_eq!(refused(players(&[Player::Remote(1)])), "no player is on this side");
    assert_eq!(refused(players(&[Player::Local; 2])), "no player is on another side");
    assert_eq!(refused(players(&[Player::Local; 256])), "there are more than 255 players");
    let both = [Player::Local, Player::Remote(1)];
    let spectators = |spectators| Setup { spectators, ..Setup::new(1, both) };
    assert_eq!(refused(spectators(vec![1])), "an address is that of a player and of a spectator");
    assert_eq!(refused(spectators(vec![3, 3])), "an address is that of two spectators");
    let mut game =
        Match::new(state(2), Setup::new(1, both), Network::default().transport(0)).expect("a match");
    let error = game.frame(&[1, 2], |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "2 inputs for 1 players on this side");
}

#[test]
fn a_side_is_told_when_the_other_comes() {
    let mut seats = seats(2, 20, Forecast::default());
    play(&mut seats);
    let events: Vec<_> = seats[0].game.events().collect();
    assert!(events.contains(&MatchEvent::Synchronized { with: 1 }), "{events:?}");
    let text = events.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(text.contains("1: ready") && text.contains("1: connected"), "{text}");
}
