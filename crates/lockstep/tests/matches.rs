//! Matches of drawn terms over drawn links: they end as one that is played alone, at their rate, and with every tick compared.
#![allow(missing_docs)]

mod support;

use std::{cell::RefCell, io, rc::Rc, time::Duration};

use bitstep::{
    num::Rng,
    replay::{Replay, verify},
    session::{Session, Simulation, determinism_check},
};
use bitstep_lockstep::{
    Client, ClientEvent, Ending, OrderError, Plan, RelayEvent, Setup, Terms,
    transport::{Arrival, Links, Network},
    wire::{Frame, Turn},
};
use support::{Far, Herd, Push, Room, alone, give_orders, script, terms};

const MS: Duration = Duration::from_millis(1);

#[test]
fn matches_end_as_one_that_is_played_alone() {
    for seed in 0..40 {
        let mut draws = Rng::new(seed).at(0, 0, 0);
        let players = 1 + draws.below(6) as u8;
        let rate = [0, 20, 30, 60, 120, 240][draws.below(6) as usize];
        let delay = 1 + draws.below(9) as u8;
        let terms = Terms { rate, delay, ..terms(players, 60 + draws.below(90)) };
        let mut room = Room::new(Plan::new(terms.clone()));
        for player in 0..players {
            let time = (MS * draws.below(60) as u32, MS * draws.below(40) as u32);
            let clock = Rc::clone(&room.clock);
            let seed = seed * 100 + u64::from(player);
            room.come_over(Setup::default(), |link| Box::new(Far::new(link, clock, seed, time)));
        }
        let step = MS * (1 + draws.below(20)) as u32;
        while room.players.iter().any(|player| player.ending().is_none()) {
            room.step(step);
            assert!(room.clock.get() < Duration::from_secs(200), "seed {seed} stalls: {:?}", room.told);
        }
        let end = alone(&terms);
        for player in room.players {
            let outcome = player.finish().unwrap();
            assert_eq!(outcome.ending, Ending::Finished, "seed {seed}");
            assert_eq!(outcome.state.unwrap().checksum(), end.checksum(), "seed {seed}");
            assert_eq!(outcome.compared, (players > 1).then_some(terms.last_tick), "seed {seed}");
        }
        assert!(end.game().pushes > 10 && room.relay.is_over());
    }
}

/// Over links faster than the delay a match has its rate; over slower ones it is as fast as they allow.
#[test]
fn matches_keep_their_rate() {
    for rate in [20, 30, 60, 120, 240] {
        for (step, delay) in [(1, 4), (3, 1), (7, 8), (16, 4)] {
            let ticks = u64::from(rate) * 3;
            let mut room = Room::full(Plan::new(Terms { rate, delay, ..terms(3, ticks) }));
            while room.tick(0) < ticks {
                room.step(MS * step);
            }
            // A frame that is longer than a tick, and the first tick, which is due at once.
            let (time, period) = (room.clock.get(), Duration::from_secs(1) / rate);
            let (least, most) = (period * (ticks as u32 - 2), period * (ticks as u32 + 2) + 3 * MS * step);
            assert!((least..=most).contains(&time), "{rate}, {step}, {delay}: {time:?}");
        }
    }
}

#[test]
fn a_player_that_is_late_for_a_moment_catches_up() {
    let mut room = Room::full(Plan::new(terms(2, 600)));
    room.until(|room| room.tick(0) == 100);
    room.stalled.push(1);
    let stopped_at = room.tick(1);
    (0..30).for_each(|_| room.step(10 * MS));
    assert!(room.tick(0) < 110, "the first waits: {}", room.tick(0));
    room.stalled.clear();
    (0..30).for_each(|_| room.step(10 * MS));
    assert!(
        room.tick(0) > 115 && room.tick(0).abs_diff(room.tick(1)) <= 5,
        "{}, {}",
        room.tick(0),
        room.tick(1)
    );
    let waited = ClientEvent::Waiting { seat: 1, turn: stopped_at + 6 };
    assert!(room.events[0].contains(&waited), "{:?}", room.events[0]);
}

#[test]
fn a_game_in_lockstep_passes_the_determinism_check() {
    let mut inputs = Vec::new();
    let mut room = Room::full(Plan::new(terms(3, 100)));
    while room.players.iter().any(|player| player.ending().is_none()) {
        let now = room.clock.get();
        room.relay.update(now, Duration::ZERO, |_| {});
        for player in &mut room.players {
            player
                .update(now, |played| {
                    give_orders(played);
                    if played.seat == 0 && played.state.tick_count() > 0 {
                        inputs.push(played.inputs.to_vec());
                    }
                })
                .unwrap();
        }
        room.clock.set(now + 5 * MS);
    }
    assert_eq!(inputs.len(), 100);
    determinism_check(&terms(3, 100).initial_state::<Herd>().unwrap(), &inputs).unwrap();
}

/// A writer whose bytes can be read afterwards.
#[derive(Clone, Default)]
struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn recordings_of_all_players_are_the_same_and_verify() {
    let mut room = Room::new(Plan::new(terms(3, 120)));
    let recordings: Vec<Shared> = (0..3).map(|_| Shared::default()).collect();
    for shared in &recordings {
        let shared = shared.clone();
        let record: Setup = Setup {
            record: Some(Box::new(move |part| {
                assert_eq!((part.tick, part.is_late), (0, false));
                Ok(Box::new(shared.clone()))
            })),
            ..Setup::default()
        };
        room.come(record);
    }
    room.play_on();
    room.players.drain(..).for_each(|player| drop(player.finish().unwrap()));
    let bytes: Vec<Vec<u8>> = recordings.iter().map(|shared| shared.0.lock().unwrap().clone()).collect();
    assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    let replay = Replay::<Session<Herd>>::read(&bytes[0]).unwrap();
    assert_eq!(verify(&replay, |_, _| {}).unwrap().divergence, None);
    let end = alone(&terms(3, 120));
    assert!(end.game().pushes > 50);
}

#[test]
fn a_recording_that_cannot_be_written_is_an_error() {
    let mut room = Room::new(Plan::new(terms(1, 50)));
    let record = |_| Err(io::Error::other("the disk is full"));
    room.come(Setup { record: Some(Box::new(record)), ..Setup::default() });
    room.relay.update(MS, Duration::ZERO, |_| {});
    room.players[0].update(MS, |_| {}).map_err(|error| error.to_string()).unwrap_err();
}

#[test]
fn orders_are_taken_from_players_that_take_part() {
    let push = Push { animal: 0, x: 1 << 20, y: 0 };
    let mut room = Room::full(Plan::new(terms(2, 200)));
    assert_eq!(room.players[0].order(&push), Err(OrderError::NotPlaying));
    room.until(|room| room.tick(0) == 10);
    // Between two updates, as a person gives them: it counts a delay behind the next tick.
    room.players[0].order(&push).unwrap();
    let seen = Rc::new(RefCell::new(Vec::new()));
    for _ in 0..200 {
        let now = room.clock.get();
        room.relay.update(now, Duration::ZERO, |_| {});
        for player in &mut room.players {
            player
                .update(now, |played| {
                    if played.inputs.contains(&support::Input::Push(0, push)) {
                        seen.borrow_mut().push((played.seat, played.state.tick_count()));
                    }
                })
                .unwrap();
        }
        room.clock.set(now + 5 * MS);
    }
    let mut seen = seen.take();
    seen.sort_unstable();
    assert_eq!(seen, [(0, 16), (1, 16)]);
}

#[test]
fn orders_that_are_none_are_left_out_by_all() {
    let mut room = Room::new(Plan::new(terms(3, 80)));
    room.come(Setup::default());
    room.come(Setup::default());
    // A third player, whose orders are rubbish.
    let mut link = room.network.connect();
    use bitstep_lockstep::{GameId, transport::Link as _};
    let join = Frame::Join { protocol: 1, game: GameId::of::<Herd>(), seat: None, ticket: Vec::new() };
    link.send(&join.encode()).unwrap();
    room.until(|room| room.tick(0) == 3);
    for turn in 5..=7 {
        link.send(&Frame::Orders { turn, orders: vec![9, 9] }.encode()).unwrap();
    }
    room.until(|room| room.tick(0) == 7 && room.tick(1) == 7);
    for events in &room.events {
        let bad: Vec<u64> = events
            .iter()
            .filter_map(|event| match event {
                ClientEvent::BadOrders { seat: 2, tick } => Some(*tick),
                _ => None,
            })
            .collect();
        assert_eq!(bad, [5, 6, 7]);
    }
    let [first, second] = [0, 1].map(|player| room.players[player].state().unwrap().checksum());
    assert_eq!(first, second);
}

#[test]
fn a_match_that_too_few_come_to_does_not_begin() {
    let mut room = Room::new(Plan { wait: Duration::from_secs(5), ..Plan::new(terms(3, 80)) });
    room.come(Setup::default());
    room.come(Setup::default());
    room.play_on();
    assert!(room.relay.is_over() && room.relay.next_turn().is_none());
    assert_eq!(room.told.last(), Some(&RelayEvent::TooFew));
    assert!((5..6).contains(&room.clock.get().as_secs()));
    for player in &room.players {
        assert_eq!(player.ending(), Some(&Ending::Refused("too few players have come".to_owned())));
    }
}

#[test]
fn a_relay_that_says_nothing_is_left() {
    for (begins, seconds) in [(false, 60), (true, 30)] {
        let mut room = Room::full(Plan::new(terms(2, 400)));
        if begins {
            room.until(|room| room.tick(0) == 20);
        }
        let began = room.clock.get();
        while room.players[0].ending().is_none() {
            let now = room.clock.get();
            room.players.iter_mut().for_each(|player| player.update(now, |_| {}).unwrap());
            room.clock.set(now + 20 * MS);
        }
        let waited = (room.clock.get() - began).as_secs();
        assert!(matches!(room.players[0].ending(), Some(Ending::Silent(_))));
        assert!((seconds..=seconds + 1).contains(&waited), "{waited} of {seconds}");
    }
}

#[test]
fn a_relay_that_is_gone_ends_the_match() {
    let mut room = Room::full(Plan::new(terms(2, 400)));
    room.until(|room| room.tick(0) == 20);
    let Room { relay, mut players, clock, .. } = room;
    drop(relay);
    players[0].update(clock.get(), |_| {}).unwrap();
    assert!(matches!(players[0].ending(), Some(Ending::Lost(_))), "{:?}", players[0]);
    // What was played is there still.
    let outcome = players.remove(0).finish().unwrap();
    assert!(outcome.state.unwrap().tick_count() >= 20);
}

#[test]
fn scripts_give_orders() {
    let state = terms(2, 10).initial_state::<Herd>().unwrap();
    let given = (0..200).filter(|&seat| !script(seat, &state).is_empty()).count();
    assert!(given > 30, "{given}");
}

/// A player that plays the turn of some orders has the checksum of the tick before they were given: so a difference is found within the
/// delay.
#[test]
fn the_checksum_of_a_tick_is_sent_before_the_orders_that_follow_it() {
    let network = Network::default();
    let mut links = network.links();
    let mut players = [0, 1].map(|_| Client::<Herd, _>::new(network.connect(), Setup::default()));
    let terms = Terms { rate: 0, ..terms(2, 100) };
    let mut compared = 0;
    let mut now = Duration::ZERO;
    for number in 0..60 {
        let mut has_ordered = [false; 2];
        while let Some((from, arrival)) = links.receive(Duration::ZERO) {
            let (seat, Arrival::Message(message)) = (from as usize - 1, arrival) else { continue };
            match Frame::decode(&message).unwrap() {
                Frame::Orders { .. } => has_ordered[seat] = true,
                Frame::Compare { since, message, .. } => {
                    assert!(!has_ordered[seat], "turn {number}: the orders come last");
                    compared += 1;
                    let message = Frame::Compare { seat: seat as u8, since, message }.encode();
                    links.send(2 - seat as u32, &message.into()).unwrap();
                }
                _ => {}
            }
        }
        for seat in 0..2 {
            let seats = vec![0, 1];
            let begin = Frame::Begin { terms: terms.clone(), seat, seats, has_state: false, coming: 1 };
            let turn = Frame::Turn(Turn { number, ..Turn::default() });
            let frame = if number == 0 { begin } else { turn };
            links.send(u32::from(seat) + 1, &frame.encode().into()).unwrap();
        }
        players.iter_mut().for_each(|player| player.update(now, |_| {}).unwrap());
        now += 10 * MS;
    }
    assert!(compared > 90, "{compared}");
}
