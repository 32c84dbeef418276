//! Sides that leave, vanish, differ, cheat or send rubbish.

mod support;

use std::{
    cell::RefCell,
    rc::Rc,
    time::{Duration, Instant},
};

use bitstep::{
    num::Rng,
    peer::Event,
    session::{Injection, Session, Simulation, TickLog},
};
use bitstep_rollback::{
    Ending, Forecast, Match, MatchEvent, Network, NetworkTransport, RollbackError, Setup, Spectator,
    SpectatorSetup, Transport, Weather,
};
use support::{Pushes, Seat, seeded_state, setup, state};

const LONGEST: Duration = Duration::from_secs(30);

/// Sides with a player each.
fn seats(
    players: usize,
    last_tick: u64,
    change: impl Fn(usize, Setup<usize>) -> Setup<usize>,
) -> Vec<Seat<usize>> {
    let network = Network::default();
    let seat = |player| {
        let forecast =
            Forecast { seed: player as u64, latency: 2, jitter: 6, loss: 10, ..Forecast::default() };
        let setup = Setup { patience: Duration::from_millis(1_500), ..setup(player, players, last_tick) };
        Seat::new(player, change(player, setup), Weather::new(network.transport(player), forecast))
    };
    (0..players).map(seat).collect()
}

/// Plays frames until a condition holds.
fn play_until(seats: &mut [Seat<usize>], mut is_over: impl FnMut(&[Seat<usize>]) -> bool) {
    let began = Instant::now();
    while !is_over(seats) {
        assert!(
            began.elapsed() < LONGEST,
            "{:?}",
            seats.iter().map(|seat| seat.game.confirmed()).collect::<Vec<_>>()
        );
        seats.iter_mut().for_each(Seat::frame);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn is_over(seats: &[Seat<usize>]) -> bool {
    seats.iter().all(|seat| seat.game.ending().is_some())
}

#[test]
fn a_player_who_leaves_ends_a_match_of_two() {
    let mut seats = seats(2, u64::MAX, |_, setup| setup);
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

#[test]
fn a_player_who_vanishes_ends_a_match_of_two() {
    let mut seats = seats(2, u64::MAX, |_, setup| setup);
    play_until(&mut seats, |seats| seats[0].game.confirmed() > 30);
    seats.pop();
    play_until(&mut seats, is_over);
    assert!(matches!(seats[0].game.ending(), Some(Ending::OthersVanished | Ending::Stalled(_))));
}

/// Those who stay go on, and agree on the tick from which the player is gone.
#[test]
fn the_others_go_on_without_a_player_who_leaves_or_vanishes() {
    for leaves in [true, false] {
        let mut seats = seats(4, 400, |_, setup| setup);
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
            seats(players, 250, |_, setup| Setup { patience: Duration::from_millis(400), ..setup });
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
        let setup = SpectatorSetup { last_tick: 250, ..SpectatorSetup::new(99, 1) };
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

#[test]
fn a_number_put_wrong_on_one_side_is_named_on_both() {
    let injection: Injection = "100:0:vel.x@impacts".parse().expect("an address");
    let mut seats = seats(2, 300, |player, setup| match player {
        1 => Setup { log: TickLog::sums().injected(injection.clone()), ..setup },
        _ => setup,
    });
    play_until(&mut seats, is_over);
    for seat in &mut seats {
        assert_eq!(seat.game.ending(), Some(&Ending::Desync(100)));
        let findings: Vec<_> = seat.game.events().collect();
        let report = findings.iter().find_map(|event| match event {
            MatchEvent::Compared {
                finding: Event::RemoteReport { comparison: Ok(comparison), .. }, ..
            } => Some(comparison.to_string()),
            _ => None,
        });
        let report = report.unwrap_or_else(|| panic!("{findings:?}"));
        assert!(report.contains("tick 100, after impacts: slots[0].body.momentum.x"), "{report}");
    }
}

/// All sides of a match end with the desync of two; those two have the reports.
#[test]
fn a_side_of_five_that_differs_differs_from_both_of_its_neighbours() {
    let injection: Injection = "80:1:vel.y".parse().expect("an address");
    let mut seats = seats(5, 300, |player, setup| match player {
        3 => Setup { log: TickLog::sums().injected(injection.clone()), ..setup },
        _ => setup,
    });
    play_until(&mut seats, is_over);
    let mut found = Vec::new();
    for seat in &mut seats {
        assert_eq!(seat.game.ending(), Some(&Ending::Desync(80)), "player {}", seat.player);
        found.extend(seat.game.events().filter_map(|event| match event {
            MatchEvent::Compared { with, finding: Event::Desync { tick, .. } } => {
                Some((seat.player, with, tick))
            }
            _ => None,
        }));
    }
    found.sort_unstable();
    assert_eq!(found, [(2, 3, 80), (3, 2, 80), (3, 4, 80), (4, 3, 80)]);
}

#[test]
fn a_side_that_begins_with_another_state_plays_something_else() {
    let network = Network::default();
    let mut seats: Vec<_> =
        (0..2).map(|player| Seat::new(player, setup(player, 2, 300), network.transport(player))).collect();
    seats[1].game = Match::new(seeded_state(2, 8), setup(1, 2, 300), network.transport(1)).expect("a match");
    play_until(&mut seats, is_over);
    for seat in &mut seats {
        assert_eq!(seat.game.ending(), Some(&Ending::Desync(0)));
        assert!(seat.game.events().any(|event| event.to_string().contains("something else: ")));
    }
}

#[test]
fn sides_of_different_matches_do_not_meet() {
    let mut seats = seats(2, 50, |player, setup| Setup {
        session: player as u64,
        wait: Duration::from_millis(300),
        patience: Duration::from_millis(300),
        ..setup
    });
    play_until(&mut seats, is_over);
    for seat in &seats {
        assert!(matches!(seat.game.ending(), Some(Ending::Stalled(_))));
        assert_eq!((seat.game.confirmed(), seat.game.counts().taken), (0, 0));
        assert!(seat.game.counts().refused > 0);
    }
}

/// Datagrams from any address with any content, and those of the match once more, in any order and much later.
#[test]
fn strangers_and_repeated_datagrams_change_nothing() {
    let network = Network::default();
    let heard = Rc::new(RefCell::new(Vec::new()));
    let mut seats: Vec<_> = (0..3)
        .map(|player| {
            let transport = Tapped { transport: network.transport(player), heard: Rc::clone(&heard) };
            Seat::new(player, setup(player, 3, 200), transport)
        })
        .collect();
    let [mut stranger, mut again] =
        [9, 1].map(|address: usize| (address, Rng::new(4).at(address as u64, 0, 0)));
    let began = Instant::now();
    while !is_over(&seats) {
        assert!(began.elapsed() < LONGEST);
        seats.iter_mut().for_each(Seat::frame);
        let kept: Vec<Vec<u8>> = heard.borrow().clone();
        for _ in 0..8 {
            for (address, draws) in [&mut stranger, &mut again] {
                let old =
                    kept.get(draws.below(kept.len().max(1) as u64) as usize).cloned().unwrap_or_default();
                let drawn = (0..draws.below(60)).map(|_| draws.bits() as u8).collect();
                network.send_as(*address, &if draws.below(2) == 0 { old } else { drawn }, &0);
            }
        }
    }
    assert!(seats[0].game.counts().strangers > 100 && seats[0].game.counts().refused > 100);
    for seat in seats {
        let outcome = seat.game.finish().expect("kept states");
        assert_eq!(outcome.ending, Ending::Finished);
        assert_eq!(outcome.state.checksum(), support::straight(3, 200).checksum());
    }
}

/// A link that keeps what is sent to player 0.
struct Tapped {
    transport: NetworkTransport<usize>,
    heard: Rc<RefCell<Vec<Vec<u8>>>>,
}

impl Transport<usize> for Tapped {
    fn send(&mut self, datagram: &[u8], to: &usize) {
        if *to == 0 {
            self.heard.borrow_mut().push(datagram.to_vec());
        }
        self.transport.send(datagram, to);
    }

    fn receive(&mut self, take: &mut dyn FnMut(&usize, &[u8])) {
        self.transport.receive(take);
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_an_error() {
    struct Full(u32);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 > 20 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let network = Network::default();
    let mut games: Vec<Match<Session<Pushes>, usize>> = (0..2)
        .map(|player| {
            let recording: Option<Box<dyn std::io::Write>> = (player == 0).then(|| Box::new(Full(0)) as _);
            let setup = Setup { recording, ..setup(player, 2, 20_000) };
            Match::new(state(2), setup, network.transport(player)).expect("a match")
        })
        .collect();
    let error = loop {
        let _ = games[1].frame(&[1], |_| {});
        if let Err(error) = games[0].frame(&[1], |_| {}) {
            break error;
        }
    };
    assert!(matches!(error, RollbackError::Recording(_)), "{error}");
}
