//! Sides that leave, vanish or are lost to one other, and spectators meanwhile.

mod support;

use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant},
};

use bitstep::{
    num::Rng,
    replay::{Replay, verify},
    session::{Injection, Session, Simulation, TickLog},
};
use bitstep_rollback::{
    Ending, Forecast, MatchEvent, Network, NetworkTransport, Setup, Spectator, SpectatorSetup, Transport,
    Weather,
};
use support::{LONGEST, Pushes, Seat, Tape, is_over, play_until, seeded_state, setup, state, uneasy_seats};

#[test]
fn a_player_who_leaves_ends_a_match_of_two() {
    let mut seats = uneasy_seats(2, u64::MAX, |_, setup| setup);
    play_until(&mut seats, |seats| seats[0].game.confirmed() > 30);
    seats[1].game.leave();
    play_until(&mut seats, is_over);
    let endings: Vec<_> = seats.iter().map(|seat| seat.game.ending().cloned()).collect();
    assert_eq!(endings, [Some(Ending::OthersLeft), Some(Ending::Left)]);
    assert!(seats[0].game.events().any(|event| event == MatchEvent::Left { with: 1 }));
    // No tick is confirmed in which the other had no part: both have the same ones, as far as both have them.
    let [left, right] = [0, 1].map(|side: usize| &seats[side].told);
    let both = left.len().min(right.len());
    assert_eq!(left[..both], right[..both]);
}

/// The last inputs of a player and the word that it leaves come in one frame.
#[test]
fn ticks_that_a_leaver_had_confirmed_are_confirmed_by_the_other() {
    let network = Network::default();
    let seat = |player| Seat::new(player, setup(player, 2, u64::MAX), network.transport(player));
    let (mut stays, mut leaves, began) = (seat(0), seat(1), Instant::now());
    while leaves.told.len() < 30 || leaves.told.len() <= stays.told.len() {
        assert!(began.elapsed() < LONGEST);
        stays.frame();
        leaves.frame();
    }
    leaves.game.leave();
    leaves.frame();
    while stays.game.ending().is_none() {
        stays.frame();
    }
    assert_eq!(stays.game.ending(), Some(&Ending::OthersLeft));
    assert_eq!(stays.told, leaves.told);
}

#[test]
fn a_player_who_vanishes_ends_a_match_of_two() {
    let mut seats = uneasy_seats(2, u64::MAX, |_, setup| setup);
    play_until(&mut seats, |seats| seats[0].game.confirmed() > 30);
    seats.pop();
    play_until(&mut seats, is_over);
    assert!(matches!(seats[0].game.ending(), Some(Ending::OthersVanished | Ending::Stalled(_))));
}

/// Those who stay go on, and agree on the tick from which the player is gone.
#[test]
fn the_others_go_on_without_a_player_who_leaves_or_vanishes() {
    for leaves in [true, false] {
        let mut seats = uneasy_seats(4, 400, |_, setup| setup);
        play_until(&mut seats, |seats| seats[0].game.confirmed() > 60);
        let mut gone = seats.remove(2);
        if leaves {
            gone.game.leave();
            gone.game.linger(Duration::from_millis(100)).expect("frames");
        }
        drop(gone);
        play_until(&mut seats, is_over);
        for seat in &mut seats {
            assert_eq!(
                seat.game.ending(),
                Some(&Ending::Finished),
                "player {}, leaves: {leaves}",
                seat.player
            );
            let said = if leaves { MatchEvent::Left { with: 2 } } else { MatchEvent::Vanished { with: 2 } };
            assert!(seat.game.events().any(|event| event == said), "player {}", seat.player);
        }
        assert_eq!(seats[0].told.len(), 400);
        assert!(seats.iter().all(|seat| seat.told == seats[0].told), "leaves: {leaves}");
    }
}

/// The sides that are left agree on every tick, whichever are lost, and however many at once.
#[test]
fn whichever_sides_vanish_and_whenever_the_others_agree_on_every_tick() {
    for seed in 0..12 {
        let mut draws = Rng::new(6).at(seed, 0, 0);
        let players = 3 + draws.below(4) as usize;
        let mut seats =
            uneasy_seats(players, 250, |_, setup| Setup { patience: Duration::from_millis(400), ..setup });
        let stay = 2.max(players - 1 - draws.below(2) as usize);
        let begin = 20 + draws.below(60);
        play_until(&mut seats, |seats| seats.iter().any(|seat| seat.game.confirmed() >= begin));
        while seats.len() > stay {
            seats.remove(draws.below(seats.len() as u64) as usize);
            (0..draws.below(4)).for_each(|_| seats.iter_mut().for_each(Seat::frame));
        }
        play_until(&mut seats, is_over);
        for seat in &seats {
            let name = format!("seed {seed}, player {} of {players}, {stay} stay", seat.player);
            assert_eq!(seat.game.ending(), Some(&Ending::Finished), "{name}");
            assert!(seat.told.len() == 250 && seat.told == seats[0].told, "{name}");
        }
    }
}

/// A player who leaves is known to be gone by some before its last inputs have come to others.
#[test]
fn whichever_sides_leave_over_slow_links_the_others_agree_on_every_tick() {
    for seed in 0..6 {
        let mut draws = Rng::new(8).at(seed, 0, 0);
        let (players, network) = (3 + draws.below(3) as usize, Network::default());
        let tapes: Vec<_> = (0..players).map(|_| Tape::default()).collect();
        let mut seats: Vec<_> = (0..players)
            .map(|player| {
                let forecast = Forecast {
                    seed: 100 * seed + player as u64,
                    latency: 10,
                    jitter: 60,
                    loss: 20,
                    ..Forecast::default()
                };
                let recording: Option<Box<dyn std::io::Write>> = Some(Box::new(tapes[player].clone()));
                let setup = Setup { recording, input_delay: seed as u32 % 3, ..setup(player, players, 200) };
                Seat::new(player, setup, Weather::new(network.transport(player), forecast))
            })
            .collect();
        let begin = 10 + draws.below(60);
        play_until(&mut seats, |seats| seats.iter().any(|seat| seat.game.confirmed() >= begin));
        let leaver = draws.below(players as u64) as usize;
        seats[leaver].game.leave();
        play_until(&mut seats, is_over);
        let other = usize::from(leaver == 0);
        for seat in seats.iter().filter(|seat| seat.player != leaver) {
            let name = format!("seed {seed}, player {} of {players}, {leaver} leaves", seat.player);
            assert_eq!(seat.game.ending(), Some(&Ending::Finished), "{name}");
            assert!(seat.told.len() == 200 && seat.told == seats[other].told, "{name}");
        }
        let left = &seats[leaver].told;
        assert_eq!(
            left[..],
            seats[other].told[..left.len()],
            "seed {seed}: what was confirmed when it left stays so"
        );
        for seat in seats {
            seat.game.finish().expect("kept states");
        }
        let bytes = |player: usize| tapes[player].0.lock().expect("one thread").clone();
        for player in (0..players).filter(|player| *player != leaver) {
            assert!(bytes(player) == bytes(other), "seed {seed}: the recordings of {player} and {other}");
        }
        let replay = Replay::<Session<Pushes>>::read(&bytes(other)).expect("a recording");
        let verdict = verify(&replay, |_, _| {}).expect("of these rules");
        assert_eq!((verdict.ticks, verdict.divergence), (200, None), "seed {seed}");
    }
}

/// Two sides that had no link are compared from when they are beside each other.
#[test]
fn sides_between_which_others_were_are_compared_when_those_are_gone() {
    let injection: Injection = "250:0:vel.x".parse().expect("an address");
    let mut seats = uneasy_seats(4, 400, |player, setup| match player {
        2 => Setup { log: TickLog::sums().injected(injection.clone()), ..setup },
        _ => setup,
    });
    for gone in [3, 1] {
        let tick = seats[0].game.confirmed() + 30;
        play_until(&mut seats, |seats| seats[0].game.confirmed() > tick);
        let mut seat = seats.remove(seats.iter().position(|seat| seat.player == gone).unwrap());
        seat.game.leave();
        seat.game.linger(Duration::from_millis(50)).expect("frames");
    }
    play_until(&mut seats, is_over);
    assert!(seats.iter().all(|seat| seat.game.ending() == Some(&Ending::Desync(250))));
}

/// Neither one that never comes, nor one that watches from another state.
#[test]
fn spectators_neither_hold_up_a_match_nor_end_it() {
    let network = Network::default();
    let mut seats: Vec<_> = (0..2)
        .map(|player| {
            let spectators = if player == 0 { vec![8, 9] } else { Vec::new() };
            Seat::new(player, Setup { spectators, ..setup(player, 2, 100) }, network.transport(player))
        })
        .collect();
    let watching = SpectatorSetup { last_tick: 100, ..SpectatorSetup::new(99, 2, 0) };
    let mut other = Spectator::new(seeded_state(2, 8), watching, network.transport(9)).expect("a spectator");
    let began = Instant::now();
    while !is_over(&seats) || other.ending().is_none() {
        assert!(began.elapsed() < LONGEST);
        seats.iter_mut().for_each(Seat::frame);
        other.frame(|_| {}).expect("a frame");
    }
    assert!(seats.iter().all(|seat| seat.game.ending() == Some(&Ending::Finished) && seat.told.len() == 100));
    assert_eq!(other.ending(), Some(&Ending::Desync(0)));
    let events: Vec<_> = seats[0].game.events().map(|event| event.to_string()).collect();
    assert!(events.iter().any(|event| event.starts_with("9: the other plays something else")), "{events:?}");
}

/// A side that the others cannot hear is dropped, and is told so.
#[test]
fn a_side_that_one_other_cannot_hear_is_dropped_by_all() {
    struct Deaf(NetworkTransport<usize>, Rc<RefCell<bool>>);
    impl Transport<usize> for Deaf {
        fn send(&mut self, datagram: &[u8], to: &usize) {
            self.0.send(datagram, to);
        }

        fn receive(&mut self, take: &mut dyn FnMut(&usize, &[u8])) {
            let is_deaf = *self.1.borrow();
            self.0.receive(&mut |from, datagram| {
                if !is_deaf || *from != 2 {
                    take(from, datagram);
                }
            });
        }
    }
    let (network, is_deaf) = (Network::default(), Rc::new(RefCell::new(false)));
    let mut seats: Vec<_> = (0..3)
        .map(|player| {
            let setup = Setup { patience: Duration::from_millis(600), ..setup(player, 3, 300) };
            let transport = network.transport(player);
            match player {
                0 => Seat::new(player, setup, Deaf(transport, Rc::clone(&is_deaf))),
                _ => Seat::new(player, setup, transport),
            }
        })
        .collect();
    play_until(&mut seats, |seats| seats[0].game.confirmed() > 40);
    is_deaf.replace(true);
    play_until(&mut seats, is_over);
    let endings: Vec<_> = seats.iter().map(|seat| seat.game.ending().cloned().unwrap()).collect();
    assert_eq!(endings, [Ending::Finished, Ending::Finished, Ending::Dropped]);
    assert_eq!(seats[0].told, seats[1].told);
}

#[test]
fn a_spectator_sees_what_the_others_agree_on_when_a_player_vanishes_and_may_come_late() {
    let network = Network::default();
    let mut seats: Vec<_> = (0..3)
        .map(|player| {
            let spectators = if player == 1 { vec![8, 9] } else { Vec::new() };
            let setup = Setup { spectators, patience: Duration::from_millis(500), ..setup(player, 3, 250) };
            let forecast =
                Forecast { seed: player as u64, latency: 2, jitter: 6, loss: 20, ..Forecast::default() };
            Seat::new(player, setup, Weather::new(network.transport(player), forecast))
        })
        .collect();
    let watch = |address| {
        let setup = SpectatorSetup { last_tick: 250, ..SpectatorSetup::new(99, 3, 1) };
        Spectator::new(state(3), setup, network.transport(address)).expect("a spectator")
    };
    let mut spectators = vec![watch(8)];
    let mut told = vec![Vec::new(), Vec::new()];
    let mut frame = |seats: &mut Vec<Seat<usize>>,
                     spectators: &mut Vec<Spectator<Session<Pushes>, usize>>| {
        seats.iter_mut().for_each(Seat::frame);
        for (spectator, told) in spectators.iter_mut().zip(&mut told) {
            spectator.frame(|tick| told.push(tick.state.checksum())).expect("a frame");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    while seats[0].game.confirmed() < 80 {
        frame(&mut seats, &mut spectators);
    }
    seats.pop();
    while seats[0].game.confirmed() < 120 {
        frame(&mut seats, &mut spectators);
    }
    spectators.push(watch(9));
    let began = Instant::now();
    while !is_over(&seats) || spectators.iter().any(|spectator| spectator.ending().is_none()) {
        assert!(began.elapsed() < LONGEST);
        frame(&mut seats, &mut spectators);
    }
    assert!(spectators.iter().all(|spectator| spectator.ending() == Some(&Ending::Finished)));
    assert!(told.iter().chain([&seats[0].told]).all(|told| *told == seats[1].told && told.len() == 250));
}
