//! Sides that differ, cheat or send rubbish, and a recording that cannot be written.

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
    Ending, Match, MatchEvent, Network, NetworkTransport, RollbackError, Setup, Transport,
};
use support::{LONGEST, Pushes, Seat, is_over, play_until, seeded_state, setup, state, uneasy_seats};

#[test]
fn a_number_put_wrong_on_one_side_is_named_on_both() {
    let injection: Injection = "100:0:vel.x@impacts".parse().expect("an address");
    let mut seats = uneasy_seats(2, 300, |player, setup| match player {
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
    let mut seats = uneasy_seats(5, 300, |player, setup| match player {
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
    let mut seats = uneasy_seats(2, 50, |player, setup| Setup {
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
