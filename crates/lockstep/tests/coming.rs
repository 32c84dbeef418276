//! Players that come late, leave, vanish, return, stall, or have another state than the others.
#![allow(missing_docs)]

mod support;

use std::{cell::Cell, io, rc::Rc, time::Duration};

use bitstep::{
    num::Rng,
    peer::Event,
    session::{Session, Simulation, TickLog},
};
use bitstep_lockstep::{
    ClientEvent, Ending, Plan, RelayEvent, Setup, Terms,
    transport::{Link, NetworkLink},
    wire::Frame,
};
use support::{Clock, Far, Herd, Room, alone, terms};

const MS: Duration = Duration::from_millis(1);

/// The outcomes of all players that play to the end: all have come to one state.
fn ends(room: &mut Room, last_tick: u64) -> Session<Herd> {
    let mut states = Vec::new();
    for player in room.players.drain(..) {
        let is_here = matches!(player.ending(), Some(Ending::Finished));
        let outcome = player.finish().unwrap();
        if is_here {
            assert!(outcome.compared.is_none_or(|compared| compared == last_tick), "{:?}", outcome.compared);
            states.push(outcome.state.unwrap());
        }
    }
    assert!(!states.is_empty());
    assert!(states.iter().all(|state| state.checksum() == states[0].checksum()));
    assert_eq!(states[0].tick_count(), last_tick);
    states.swap_remove(0)
}

fn joined(events: &[ClientEvent], of: u8) -> Vec<u64> {
    let tick = |event: &ClientEvent| match event {
        ClientEvent::Joined { seat, tick } if *seat == of => Some(*tick),
        _ => None,
    };
    events.iter().filter_map(tick).collect()
}

#[test]
fn players_that_come_late_play_with_the_others() {
    for seed in 0..30 {
        let mut draws = Rng::new(seed).at(1, 0, 0);
        let delay = 1 + draws.below(8) as u8;
        let plan = Plan { begin_with: 2, ..Plan::new(Terms { delay, ..terms(4, 400) }) };
        let mut room = Room::full(plan);
        for (late, seat) in [(10 + draws.below(60), 2), (80 + draws.below(60), 3)] {
            room.until(|room| room.tick(0) >= late);
            let (clock, time) = (Rc::clone(&room.clock), (MS * draws.below(40) as u32, MS * 5));
            room.come_over(Setup::default(), |link| Box::new(Far::new(link, clock, seed, time)));
            room.until(|room| room.players[usize::from(seat)].is_playing());
            let behind = joined(&room.events[usize::from(seat)], seat);
            assert_eq!(behind.len(), 1);
        }
        room.play_on();
        let ticks = joined(&room.events[0], 3);
        assert_eq!(ticks, joined(&room.events[3], 3), "the same tick for all");
        assert!(room.events[0].contains(&ClientEvent::Given));
        assert!(room.events[3].iter().any(|event| matches!(event, ClientEvent::CaughtUp { .. })));
        let compared = |with: u8| move |event: &ClientEvent| matches!(event, ClientEvent::Compared { with: it, finding: Event::Connected } if *it == with);
        for (one, other) in [(0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2), (2, 0)] {
            assert!(room.events[one].iter().any(compared(other)), "{one} compares with {other}");
        }
        let end = ends(&mut room, 400);
        assert!(end.game().away.is_empty(), "{:?}", end.game().away);
    }
}

#[test]
fn players_that_vanish_are_gone_for_all_and_come_back() {
    for seed in 0..20 {
        let mut draws = Rng::new(seed).at(2, 0, 0);
        let mut room = Room::full(Plan::new(terms(3, 300)));
        let (first, more) = (20 + draws.below(40), 20 + draws.below(9));
        room.until(|room| room.tick(0) == first);
        let one = draws.below(3) as usize;
        drop(room.players.remove(one));
        room.events.remove(one);
        let stays = if one == 0 { 0 } else { one - 1 };
        let at = room.tick(stays);
        room.until(|room| room.tick(stays) > at + more);
        let seat = one as u8;
        let left = |event: &ClientEvent| matches!(event, ClientEvent::Left { seat: it, .. } if *it == seat);
        assert!(room.events.iter().all(|events| events.iter().filter(|event| left(event)).count() == 1));
        assert_eq!(room.players[0].state().unwrap().game().away, [seat], "the rules know");
        room.come(Setup { seat: Some(seat), ..Setup::default() });
        room.play_on();
        assert_eq!(joined(&room.events[0], seat), joined(&room.events[2], seat));
        assert!(ends(&mut room, 300).game().away.is_empty());
    }
}

#[test]
fn a_player_that_leaves_is_gone_and_its_match_is_its_own() {
    let mut room = Room::full(Plan::new(terms(2, 200)));
    room.until(|room| room.tick(0) == 30);
    room.players[1].leave();
    let outcome = room.players.remove(1).finish().unwrap();
    assert_eq!(outcome.ending, Ending::Left);
    assert!(outcome.state.unwrap().tick_count() >= 29);
    room.play_on();
    assert_eq!(ends(&mut room, 200).game().away, [1]);
}

#[test]
fn a_player_that_stalls_is_let_go() {
    let mut room = Room::full(Plan { patience: Duration::from_secs(2), ..Plan::new(terms(3, 200)) });
    room.until(|room| room.tick(0) == 50);
    room.stalled.push(2);
    let stopped_at = room.tick(2);
    let began = room.clock.get();
    room.until(|room| room.tick(0) == 70);
    assert!((2..3).contains(&(room.clock.get() - began).as_secs()));
    room.stalled.clear();
    room.play_on();
    assert!(matches!(room.players[2].ending(), Some(Ending::Refused(words)) if words.contains("all wait")));
    let waited = RelayEvent::Waiting { seat: 2, turn: stopped_at + 6 };
    assert!(room.told.contains(&waited), "{:?}", room.told);
    assert_eq!(ends(&mut room, 200).game().away, [2]);
}

/// A match of so many players, in which the last has a number put wrong.
fn wrong(players: u8, at: &str, resync: bool, last_tick: u64) -> Room {
    let mut room = Room::new(Plan::new(terms(players, last_tick)));
    for player in 1..=players {
        let log = TickLog::sums();
        let log = if player == players { log.injected(at.parse().unwrap()) } else { log };
        room.come(Setup { log, resync, ..Setup::default() });
    }
    room.play_on();
    room
}

#[test]
fn a_number_put_wrong_is_found_within_the_delay() {
    for players in [2, 3, 5] {
        for tick in [1, 7, 60, 100] {
            let mut room = wrong(players, &format!("{tick}:3:vel.x"), false, 100);
            let last = usize::from(players) - 1;
            for (number, (player, events)) in room.players.drain(..).zip(&room.events).enumerate() {
                let outcome = player.finish().unwrap();
                assert_eq!(outcome.ending, Ending::Desync, "player {number}");
                let others = if number == last { last } else { 1 };
                assert_eq!(outcome.disputes.len(), others, "{:?}", outcome.disputes);
                let found_at = outcome.disputes.iter().map(|(_, dispute)| dispute.found_at).max();
                let played = outcome.state.map(|state| state.tick_count());
                assert_eq!(played, found_at, "nothing is played on a tick that is known to differ");
                for (_, dispute) in &outcome.disputes {
                    assert_eq!(dispute.tick, tick);
                    assert!(dispute.found_at <= tick + 5, "{dispute:?}");
                    assert_eq!(dispute.is_ours, number == last);
                }
                let path = events.iter().find_map(|event| match event {
                    ClientEvent::Compared { finding: Event::RemoteReport { comparison, .. }, .. } => {
                        Some(comparison.as_ref().unwrap().difference.as_ref().unwrap().path.clone())
                    }
                    _ => None,
                });
                assert_eq!(path.as_deref(), Some("slots[3].body.momentum.x"), "player {number}");
            }
            assert!(room.told.contains(&RelayEvent::Done { seat: 0, is_well: false }));
        }
    }
}

#[test]
fn a_player_that_is_wrong_takes_the_state_of_another() {
    for players in [2, 3, 4] {
        for tick in [1, 30, 77] {
            let mut room = wrong(players, &format!("{tick}:2:pos.y"), true, 200);
            let last = usize::from(players) - 1;
            assert!(room.events[last].contains(&ClientEvent::Resync), "{:?}", room.told);
            assert_eq!(
                room.events.iter().flatten().filter(|event| **event == ClientEvent::Resync).count(),
                1
            );
            let log = room.players[last].log().injection_outcome().unwrap().to_string();
            assert!(log.contains("after"), "the injection is known still: {log}");
            let seat = players - 1;
            assert_eq!(joined(&room.events[0], seat), joined(&room.events[last], seat));
            // A desync is a desync, also one that is healed.
            for seat in 0..players {
                assert!(room.told.contains(&RelayEvent::Done { seat, is_well: false }), "{:?}", room.told);
            }
            ends(&mut room, 200);
        }
    }
}

#[test]
fn a_wrong_number_of_the_game_is_found_as_well() {
    let mut room = wrong(3, "20:game.pushes", false, 60);
    let outcome = room.players.remove(0).finish().unwrap();
    assert_eq!((outcome.ending, outcome.disputes[0].1.tick), (Ending::Desync, 20));
}

#[test]
fn a_match_in_which_no_player_is_wrong_has_no_dispute() {
    let mut room = Room::full(Plan::new(terms(4, 100)));
    room.play_on();
    for player in 0..4 {
        assert!(room.told.contains(&RelayEvent::Done { seat: player, is_well: true }));
    }
    let end = ends(&mut room, 100);
    assert_eq!(end.checksum(), alone(&terms(4, 100)).checksum());
}

#[test]
fn tickets_keep_seats_for_their_players() {
    let ticket = |seat: u8| vec![seat, 9, 9];
    let tickets = (0..3).map(ticket).collect();
    let mut room = Room::new(Plan { tickets, ..Plan::new(terms(3, 300)) });
    // Seats follow from tickets, whatever is wished for.
    for seat in [2, 0] {
        room.come(Setup { seat: Some(1), ticket: ticket(seat), ..Setup::default() });
    }
    room.come(Setup { seat: Some(1), ..Setup::default() });
    room.step(MS);
    room.step(MS);
    let stranger = room.players.pop().unwrap();
    room.events.pop();
    assert_eq!(stranger.ending(), Some(&Ending::Refused("it has no ticket of this match".to_owned())));
    room.come(Setup { ticket: ticket(1), ..Setup::default() });
    room.until(|room| room.tick(0) == 40);
    assert_eq!([0, 1, 2].map(|player| room.players[player].seat()), [Some(2), Some(0), Some(1)]);
    // A player returns while its old connection is there still, and the old one ends.
    room.come(Setup { ticket: ticket(0), ..Setup::default() });
    room.play_on();
    assert!(
        matches!(room.players[1].ending(), Some(Ending::Refused(words)) if words.contains("another connection"))
    );
    assert_eq!(room.players[3].seat(), Some(0));
    ends(&mut room, 300);
}

#[test]
fn players_of_other_games_are_refused() {
    let here = terms(2, 50);
    for (name, version, rules) in [("other", 3, 0), ("herd", 2, 0), ("herd", 3, 1)] {
        let mut terms = here.clone();
        (terms.game.name, terms.game.version) = (name.to_owned(), version);
        terms.game.rules += rules;
        let mut room = Room::new(Plan::new(terms));
        room.come(Setup::default());
        room.play_on();
        let words = room.players[0].ending().unwrap().to_string();
        assert!(words.contains("here is a match of `") && words.contains("`herd` version 3"), "{words}");
    }
}

#[test]
fn a_match_whose_players_are_all_gone_is_over() {
    let mut room = Room::full(Plan::new(terms(2, 300)));
    room.until(|room| room.tick(0) == 10);
    room.players.clear();
    room.until(|room| room.relay.is_over());
    assert_eq!(room.told.last(), Some(&RelayEvent::Empty));
}

/// A link over which nothing comes for a while at first, and that may be full.
struct Blocked {
    link: NetworkLink,
    clock: Clock,
    until: Duration,
    is_full: Rc<Cell<bool>>,
    pieces: Rc<Cell<u32>>,
}

impl Link for Blocked {
    fn send(&mut self, message: &[u8]) -> io::Result<()> {
        if matches!(Frame::decode(message), Ok(Frame::Piece(_))) {
            self.pieces.set(self.pieces.get() + 1);
        }
        self.link.send(message)
    }

    fn waiting(&self) -> usize {
        if self.is_full.get() { 1 << 20 } else { 0 }
    }

    fn receive(&mut self, wait: Duration) -> io::Result<Option<Vec<u8>>> {
        if self.clock.get() < self.until { Ok(None) } else { self.link.receive(wait) }
    }
}

/// A player that has much to catch up plays it at once, and is at the rate of the others then, not behind a pause as long.
#[test]
fn a_player_that_has_caught_up_keeps_the_rate() {
    let mut room = Room::full(Plan { begin_with: 2, ..Plan::new(terms(3, 480)) });
    room.until(|room| room.tick(0) == 30);
    let clock = Rc::clone(&room.clock);
    let until = clock.get() + Duration::from_secs(4);
    let (is_full, pieces) = Default::default();
    room.come_over(Setup::default(), |link| Box::new(Blocked { link, clock, until, is_full, pieces }));
    room.until(|room| room.players[2].is_playing());
    let caught_up = room.events[2].iter().find_map(|event| match event {
        ClientEvent::CaughtUp { ticks, .. } => Some(*ticks),
        _ => None,
    });
    assert!(caught_up.is_none_or(|ticks| ticks > 200), "{caught_up:?}");
    room.play_on();
    // 480 ticks at 60 a second, and a moment for the player that comes to take part.
    let time = room.clock.get();
    assert!(time < 8_500 * MS, "the others wait for it no longer than it plays: {time:?}");
    ends(&mut room, 480);
}

/// A state is sent as fast as the link takes it: orders do not wait behind it.
#[test]
fn a_state_waits_for_a_link_that_is_full() {
    let mut room = Room::new(Plan { begin_with: 2, ..Plan::new(terms(3, 300)) });
    let (clock, until) = (Rc::clone(&room.clock), Duration::ZERO);
    let (is_full, pieces) = (Rc::new(Cell::new(true)), Rc::new(Cell::new(0)));
    let (full, sent) = (Rc::clone(&is_full), Rc::clone(&pieces));
    room.come_over(Setup::default(), |link| {
        Box::new(Blocked { link, clock, until, is_full: full, pieces: sent })
    });
    room.come(Setup::default());
    room.until(|room| room.tick(0) == 30);
    room.come(Setup::default());
    room.until(|room| room.tick(0) == 100);
    assert_eq!((pieces.get(), room.players[2].state().is_some()), (0, false));
    is_full.set(false);
    room.until(|room| room.players[2].is_playing());
    assert!(pieces.get() > 0);
    room.play_on();
    ends(&mut room, 300);
}
