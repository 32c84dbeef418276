//! Faults of players and of links, honest ones and others: a match goes on for those that are well, and ends with the right word.
#![allow(missing_docs)]

mod support;

use std::time::Duration;

use bitstep::{
    peer::Event,
    session::{Session, Simulation, TickLog},
};
use bitstep_lockstep::{
    Action, Client, ClientEvent, Ending, GameId, Hub, OrderError, Plan, RelayEvent, SaveError, SavedMatch,
    Setup, Terms,
    transport::{Link, Links, Network, NetworkLink},
    wire::{Frame, ORDER_BYTES_MAX, PROTOCOL, Piece, Turn},
};
use support::{Herd, Push, Room, terms};

const MS: Duration = Duration::from_millis(1);

fn join() -> Vec<u8> {
    let game = GameId::of::<Herd>();
    Frame::Join { protocol: PROTOCOL, game, seat: None, ticket: Vec::new() }.encode()
}

fn send(link: &mut NetworkLink, frame: &Frame) {
    link.send(&frame.encode()).unwrap();
}

fn are_finished(room: &Room) -> bool {
    room.players.iter().all(|player| player.ending() == Some(&Ending::Finished))
}

#[test]
fn a_player_that_leaves_in_the_last_ticks_spoils_nothing() {
    for players in [2, 3] {
        for tick in 92..=100 {
            let mut room = Room::full(Plan::new(terms(players, 100)));
            room.until(|room| room.tick(0) == tick);
            room.players.pop();
            room.events.pop();
            room.play_on();
            assert!(are_finished(&room), "{players} players, tick {tick}: {:?}", room.told);
            assert!(room.clock.get() < Duration::from_secs(5));
        }
    }
}

/// A player of two honest ones and a third that says what it wants.
fn with_a_third(last_tick: u64) -> (Room, NetworkLink) {
    let mut room = Room::new(Plan::new(terms(3, last_tick)));
    let mut link = room.network.connect();
    link.send(&join()).unwrap();
    room.come(Setup::default());
    room.come(Setup::default());
    room.step(MS);
    room.step(MS);
    for turn in 5..30 {
        send(&mut link, &Frame::Orders { turn, orders: vec![0] });
        room.step(20 * MS);
    }
    (room, link)
}

#[test]
fn a_player_that_says_it_is_done_goes_and_the_others_go_on() {
    for is_well in [true, false] {
        let (mut room, mut link) = with_a_third(100);
        send(&mut link, &Frame::Done { is_well });
        room.play_on();
        assert!(are_finished(&room), "{is_well}: {:?}", room.told);
        assert!(room.told.iter().any(|event| matches!(event, RelayEvent::Gone { seat: 0, .. })));
    }
}

#[test]
fn one_without_resync_among_others_with_it_goes_alone() {
    let mut room = Room::new(Plan::new(terms(3, 200)));
    for player in 0..3 {
        let log = TickLog::sums();
        let log = if player == 2 { log.injected("50:3:vel.x".parse().unwrap()) } else { log };
        room.come(Setup { resync: player != 1, log, ..Setup::default() });
    }
    room.play_on();
    let endings: Vec<_> = room.players.iter().map(|player| player.ending().unwrap()).collect();
    assert_eq!(endings, [&Ending::Finished, &Ending::Desync, &Ending::Finished], "{:?}", room.told);
}

#[test]
fn a_log_that_is_set_in_a_match_is_that_of_its_next_ticks() {
    let mut room = Room::new(Plan::new(terms(3, 200)));
    (0..3).for_each(|_| room.come(Setup { resync: true, log: TickLog::sums(), ..Setup::default() }));
    room.until(|room| room.tick(1) >= 60);
    let tick = room.tick(1) + 1;
    room.players[1].set_log(TickLog::sums().injected(format!("{tick}:3:vel.x").parse().unwrap()));
    room.play_on();
    assert!(are_finished(&room), "{:?}", room.told);
    for (player, others) in [(0, 1), (1, 2), (2, 1)] {
        let outcome = room.players.remove(0).finish().unwrap();
        assert_eq!(outcome.disputes.len(), others, "player {player}: {:?}", outcome.disputes);
        assert!(outcome.disputes.iter().all(|(_, dispute)| dispute.tick == tick));
    }
}

#[test]
fn turns_with_the_largest_orders_of_all_can_be_read() {
    let players = 32;
    let mut hub = Hub::new(Plan::new(terms(players, 300))).unwrap();
    for connection in 1..=players.into() {
        hub.connect(connection, MS);
        hub.hear(connection, &join(), MS);
    }
    hub.actions();
    let orders = Frame::Orders { turn: 5, orders: vec![1; ORDER_BYTES_MAX] }.encode();
    (1..=players.into()).for_each(|connection| hub.hear(connection, &orders, MS));
    let turns = hub.actions().into_iter().filter_map(|action| match action {
        Action::Send(_, bytes) => Some(Frame::decode(&bytes).unwrap()),
        _ => None,
    });
    assert_eq!(turns.filter(|frame| matches!(frame, Frame::Turn(_))).count(), usize::from(players));
}

#[test]
fn a_desync_with_a_player_that_vanishes_is_a_desync() {
    let mut room = Room::new(Plan::new(terms(2, 300)));
    room.come(Setup::default());
    let log = TickLog::sums().injected("30:3:vel.x".parse().unwrap());
    room.come(Setup { log, ..Setup::default() });
    let is_desync =
        |event: &ClientEvent| matches!(event, ClientEvent::Compared { finding: Event::Desync { .. }, .. });
    room.until(|room| room.events[0].iter().any(is_desync));
    room.players.pop();
    room.events.pop();
    room.play_on();
    assert_eq!(room.players[0].ending(), Some(&Ending::Desync));
}

#[test]
fn a_relay_with_much_patience_keeps_its_players() {
    let mut room = Room::full(Plan { patience: Duration::from_secs(100), ..Plan::new(terms(2, 300)) });
    room.until(|room| room.tick(0) == 50);
    room.stalled.push(1);
    room.until(|room| room.clock.get() > Duration::from_secs(90));
    assert_eq!(room.players[0].ending(), None);
    room.stalled.clear();
    room.play_on();
    assert!(are_finished(&room));
    // So does one that holds its match for a player to come.
    let plan = Plan { begin_with: 1, hold_at: Some(30), ..Plan::new(terms(2, 60)) };
    let mut room = Room::full(Plan { patience: Duration::from_secs(100), ..plan });
    room.until(|room| room.clock.get() > Duration::from_secs(90));
    assert_eq!(room.players[0].ending(), None);
    assert!(room.told.contains(&RelayEvent::Waiting { seat: 1, turn: 30 }), "{:?}", room.told);
}

fn saves(events: &[ClientEvent]) -> Vec<(u64, usize)> {
    let saved = events.iter().filter_map(|event| match event {
        ClientEvent::Saved(saved) => Some((saved.tick, saved.turns.len())),
        _ => None,
    });
    saved.collect()
}

#[test]
fn saves_have_the_turns_under_way_whatever_follows() {
    // Save and leave at once.
    let mut room = Room::full(Plan::new(terms(2, 300)));
    room.until(|room| room.tick(0) == 50);
    room.players[0].save();
    let outcome = room.players.remove(0).finish().unwrap();
    assert_eq!(saves(&outcome.events), [(50, 4)]);
    // A save in every tick: one at a time, each whole.
    let mut room = Room::full(Plan::new(terms(2, 100)));
    while room.tick(0) < 90 {
        room.players[0].save();
        room.step(5 * MS);
    }
    let saved = saves(&room.events[0]);
    assert!(saved.len() > 15 && saved.iter().all(|&(_, turns)| turns == 4), "{saved:?}");
}

#[test]
fn a_save_of_a_wrong_state_is_given_up_with_it() {
    let mut room = Room::new(Plan::new(terms(3, 200)));
    for player in 0..3 {
        let log = TickLog::sums();
        let log = if player == 2 { log.injected("50:3:vel.x".parse().unwrap()) } else { log };
        room.come(Setup { resync: true, log, ..Setup::default() });
    }
    room.until(|room| room.tick(2) >= 50);
    room.players[2].save();
    room.until(|room| room.events[2].contains(&ClientEvent::Resync));
    room.play_on();
    assert_eq!(saves(&room.events[2]), []);
}

#[test]
fn a_save_that_could_not_be_read_is_not_written() {
    let state = terms(2, 50).initial_state::<Herd>().unwrap();
    let mut saved = SavedMatch::new(terms(2, 50), &state, Vec::new());
    saved.snapshot = vec![0; 17 << 20];
    let path = std::env::temp_dir().join(format!("lockstep-large-{}", std::process::id()));
    assert_eq!(saved.write(&path).unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    assert!(!path.exists());
    // Nor is one read with the orders of players that are none.
    let turn = Turn { number: 1, orders: vec![(2, vec![0])], ..Turn::default() };
    let strange = SavedMatch::new(terms(2, 50), &state, vec![turn]);
    assert!(matches!(SavedMatch::decode(&strange.encode()), Err(SaveError::Field(_))));
}

#[test]
fn the_rules_of_a_loaded_match_know_the_players_that_are_here() {
    let mut room = Room::full(Plan::new(terms(3, 300)));
    room.until(|room| room.tick(0) == 30);
    room.players.remove(1);
    room.events.remove(1);
    room.until(|room| room.tick(0) == 80);
    room.players[0].save();
    room.until(|room| !saves(&room.events[0]).is_empty());
    let saved = room.events[0].iter().find_map(|event| match event {
        ClientEvent::Saved(saved) => Some((**saved).clone()),
        _ => None,
    });
    let mut room = Room::full(Plan { begin_with: 2, ..Plan::load(saved.unwrap()) });
    room.play_on();
    assert_eq!(room.players[0].state().unwrap().game().away, [2], "two are here, the third is not");
}

/// Matches in which the last two players have numbers put wrong, so many ticks apart.
#[test]
fn right_players_keep_their_state_when_two_are_wrong() {
    for (players, apart) in [(3, 0), (4, 0), (4, 1), (4, 3), (4, 8), (5, 0), (6, 2)] {
        let mut room = Room::new(Plan::new(terms(players, 300)));
        for player in 1..=players {
            let wrong = match players - player {
                0 => Some("50:3:vel.x".to_owned()),
                1 => Some(format!("{}:2:pos.y", 50 + apart)),
                _ => None,
            };
            let log = wrong.iter().fold(TickLog::sums(), |log, wrong| log.injected(wrong.parse().unwrap()));
            room.come(Setup { resync: true, log, ..Setup::default() });
        }
        room.play_on();
        assert!(are_finished(&room), "{players} players, {apart} apart: {:?}", room.told);
        let sums: Vec<_> =
            room.players.iter().map(|player| player.state().map(Simulation::checksum)).collect();
        assert!(sums.iter().all(|sum| *sum == sums[0]));
    }
}

#[test]
fn numbers_put_wrong_in_the_last_ticks_end_in_a_desync() {
    for tick in 90..=100 {
        let mut room = Room::new(Plan::new(terms(2, 100)));
        for player in 0..2 {
            let log = TickLog::sums();
            let log =
                if player == 1 { log.injected(format!("{tick}:3:vel.x").parse().unwrap()) } else { log };
            room.come(Setup { resync: true, log, ..Setup::default() });
        }
        room.play_on();
        for player in &room.players {
            let is_told = matches!(player.ending(), Some(Ending::Desync | Ending::Finished));
            assert!(is_told, "tick {tick}: {:?}", player.ending());
        }
        assert!(room.told.contains(&RelayEvent::Done { seat: 1, is_well: false }));
    }
}

#[test]
fn a_false_state_is_asked_of_another_player() {
    for count in [1, 100_000] {
        let mut room = Room::new(Plan { begin_with: 2, ..Plan::new(terms(3, 120)) });
        let mut link = room.network.connect();
        link.send(&join()).unwrap();
        room.come(Setup::default());
        room.step(MS);
        room.step(MS);
        for turn in 5..120 {
            let _ = link.send(&Frame::Orders { turn, orders: vec![0] }.encode()); // it may be let go
            while let Ok(Some(message)) = link.receive(MS) {
                if let Ok(Frame::Give { transfer }) = Frame::decode(&message) {
                    let piece = Piece { transfer, tick: turn - 5, index: 0, count, content: vec![1; 100] };
                    let _ = link.send(&Frame::Piece(piece).encode());
                }
            }
            if turn == 30 {
                room.come(Setup::default());
            }
            room.step(20 * MS);
        }
        drop(link);
        room.play_on();
        assert!(are_finished(&room), "{count} pieces: {:?}", room.told);
        assert!(room.events[0].contains(&ClientEvent::Given));
    }
}

#[test]
fn orders_that_would_not_go_out_are_not_taken() {
    let push = Push { animal: 0, x: 0, y: 0 };
    let mut room = Room::full(Plan::new(terms(2, 100)));
    room.until(|room| room.tick(0) == 94);
    assert_eq!(room.players[0].order(&push), Ok(()));
    room.until(|room| room.tick(0) == 95);
    assert_eq!(room.players[0].order(&push), Err(OrderError::NotPlaying));
    room.play_on();
    assert_eq!(room.players[0].order(&push), Err(OrderError::NotPlaying));
    // Nothing is played behind the end, either.
    let mut room = Room::full(Plan::new(terms(2, 100)));
    room.until(|room| room.tick(0) == 50);
    room.players[0].leave();
    let now = room.clock.get();
    (0..20).for_each(|frame| room.players[0].update(now + 20 * MS * frame, |_| {}).unwrap());
    assert_eq!(room.players[0].state().map(Session::tick_count), Some(50));
}

#[test]
fn turns_with_seats_that_are_none_are_refused() {
    let turns = [
        Turn { number: 1, orders: vec![(2, vec![0])], ..Turn::default() },
        Turn { number: 1, left: vec![250], ..Turn::default() },
        Turn { number: 1, joined: vec![(2, 3)], ..Turn::default() },
        Turn { number: 1, present: vec![0, 1, 2], ..Turn::default() },
    ];
    for turn in turns {
        let network = Network::default();
        let mut links = network.links();
        let mut client = Client::<Herd, _>::new(network.connect(), Setup::default());
        let begin =
            Frame::Begin { terms: terms(2, 300), seat: 0, seats: vec![0, 1], has_state: false, coming: 1 };
        let connection = links.receive(MS).unwrap().0;
        for frame in [begin, Frame::Turn(turn)] {
            links.send(connection, &frame.encode().into()).unwrap();
        }
        client.update(20 * MS, |_| {}).unwrap();
        assert!(matches!(client.ending(), Some(Ending::Broken(_))));
    }
}

#[test]
fn players_that_come_and_go_cost_the_others_little() {
    let mut hub = Hub::new(Plan { begin_with: 2, ..Plan::new(terms(3, 300)) }).unwrap();
    for connection in 1..=2 {
        hub.connect(connection, MS);
        hub.hear(connection, &join(), MS);
    }
    hub.actions();
    let mut asked = 0;
    for round in 0..1_000 {
        let (connection, now) = (round + 3, MS * round);
        hub.connect(connection, now);
        hub.hear(connection, &join(), now);
        hub.lose(connection, "gone", now);
        let is_asked = |action: &Action| matches!(action, Action::Send(1, bytes) if matches!(Frame::decode(bytes), Ok(Frame::Give { .. })));
        asked += hub.actions().iter().filter(|action| is_asked(action)).count();
    }
    assert!((1..=5).contains(&asked), "{asked} states in a second");
}

#[test]
fn messages_about_ticks_are_bounded() {
    let mut hub = Hub::new(Plan::new(terms(2, 300))).unwrap();
    for connection in 1..=2 {
        hub.connect(connection, MS);
        hub.hear(connection, &join(), MS);
    }
    hub.actions();
    let message = Frame::Compare { seat: 1, since: 0, message: Vec::new() }.encode();
    (0..100_000).for_each(|_| hub.hear(1, &message, MS));
    let offered = hub.actions().iter().filter(|action| matches!(action, Action::Offer(2, _))).count();
    assert!((100..1_000).contains(&offered), "{offered}");
}

#[test]
fn plans_that_would_end_every_match_are_refused() {
    let plan = || Plan::new(terms(3, 100));
    let mut loaded = Room::full(Plan::new(terms(2, 60)));
    loaded.until(|room| room.tick(0) == 20);
    loaded.players[0].save();
    loaded.until(|room| !saves(&room.events[0]).is_empty());
    let saved = loaded.events[0].iter().find_map(|event| match event {
        ClientEvent::Saved(saved) => Some((**saved).clone()),
        _ => None,
    });
    let loaded = |change: fn(&mut Terms)| {
        let mut plan = Plan::load(saved.clone().unwrap());
        change(&mut plan.terms);
        plan
    };
    let wrong = [
        Plan { patience: Duration::ZERO, ..plan() },
        Plan { terms: Terms { rate: 3, delay: 32, ..terms(3, 100) }, ..plan() },
        Plan { begin_with: 0, ..plan() },
        Plan { tickets: vec![vec![1]; 3], ..plan() },
        Plan { tickets: vec![vec![1], vec![2]], ..plan() },
        Plan { tickets: vec![vec![1], vec![2], vec![3; 300]], ..plan() },
        loaded(|terms| terms.delay = 2),
        loaded(|terms| terms.players = 3),
        loaded(|terms| terms.game.version += 1),
        loaded(|terms| terms.last_tick = 20),
    ];
    for plan in wrong {
        assert!(Hub::new(plan.clone()).is_err(), "{plan:?}");
    }
    for plan in [plan(), loaded(|_| {}), loaded(|terms| (terms.last_tick, terms.rate) = (90, 20))] {
        assert!(Hub::new(plan).is_ok());
    }
}
