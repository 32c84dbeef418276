//! The relay without connections: turns, delays, pauses, transfers, and misbehaving clients.
#![allow(missing_docs)]

mod support;

use std::{collections::BTreeMap, time::Duration};

use bitstep::num::Rng;
use bitstep_lockstep::{
    Action, GameId, Hub, Plan, RelayEvent, Terms, pieces,
    transport::Connection,
    wire::{CHECK_BYTES, Frame, PROTOCOL, Piece, Turn},
};
use support::Herd;

const DELAY: u64 = 4;

/// A hub, and the frames sent to each connection.
struct Table {
    hub: Hub,
    now: Duration,
    sent: BTreeMap<Connection, Vec<Frame>>,
    closed: Vec<Connection>,
    said: Vec<RelayEvent>,
}

impl Table {
    fn new(change: impl FnOnce(&mut Plan)) -> Self {
        let mut plan = Plan::new(Terms { rate: 0, ..support::terms(4, 1_000) });
        change(&mut plan);
        let (sent, closed, said) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { hub: Hub::new(plan).unwrap(), now: Duration::ZERO, sent, closed, said }
    }

    /// A match of four that has begun: connection 1 sits on seat 0, and so on.
    fn begun() -> Self {
        let mut table = Self::new(|_| {});
        (1..=4).for_each(|connection| table.join(connection, None));
        table
    }

    fn act(&mut self) {
        for action in self.hub.actions() {
            match action {
                Action::Tell(event) => self.said.push(event),
                Action::Close(connection) => self.closed.push(connection),
                Action::Send(to, bytes) | Action::Offer(to, bytes) => {
                    let frame = Frame::decode(&bytes).unwrap();
                    self.sent.entry(to).or_default().push(frame);
                }
            }
        }
    }

    fn hear(&mut self, from: Connection, frame: Frame) {
        self.hub.hear(from, &frame.encode(), self.now);
        self.act();
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
        self.hub.wait(self.now);
        self.act();
    }

    fn join(&mut self, connection: Connection, seat: Option<u8>) {
        self.hear(connection, join_frame(PROTOCOL, seat));
    }

    fn order(&mut self, connection: Connection, turn: u64) {
        self.hear(connection, Frame::Orders { turn, orders: vec![connection as u8, turn as u8] });
    }

    /// The frames sent to a connection since the last call.
    fn sent_to(&mut self, connection: Connection) -> Vec<Frame> {
        self.sent.remove(&connection).unwrap_or_default()
    }

    fn turns_to(&mut self, connection: Connection) -> Vec<Turn> {
        let turns = self.sent_to(connection).into_iter().filter_map(|frame| match frame {
            Frame::Turn(turn) => Some(turn),
            _ => None,
        });
        turns.collect()
    }

    /// All four order for turns up to this one.
    fn play(&mut self, connections: &[Connection], turns: std::ops::RangeInclusive<u64>) {
        for turn in turns {
            connections.iter().for_each(|&connection| self.order(connection, turn));
        }
    }
}

fn join_frame(protocol: u16, seat: Option<u8>) -> Frame {
    Frame::Join { protocol, game: GameId::of::<Herd>(), seat, ticket: Vec::new() }
}

fn numbers(turns: &[Turn]) -> Vec<u64> {
    turns.iter().map(|turn| turn.number).collect()
}

#[test]
fn a_turn_is_whole_when_all_have_ordered() {
    let mut table = Table::begun();
    let first = table.sent_to(3);
    assert!(
        matches!(&first[0], Frame::Begin { seat: 2, seats, has_state: false, .. } if seats == &[0, 1, 2, 3])
    );
    // No player can have orders for the first turns.
    assert_eq!(first.len() as u64, 1 + DELAY);
    (1..=3).for_each(|connection| table.order(connection, DELAY + 1));
    assert_eq!(table.turns_to(3), []);
    table.order(1, DELAY + 2);
    table.order(4, DELAY + 1);
    let orders = (0..4).map(|seat| (seat, vec![seat + 1, 5])).collect();
    assert_eq!(table.turns_to(3), [Turn { number: 5, orders, ..Turn::default() }]);
    assert_eq!(table.hub.next_turn(), Some(6));
}

#[test]
fn all_wait_for_a_slow_player_and_go_on_with_it() {
    let mut table = Table::begun();
    table.play(&[1, 2, 3], 5..=5);
    table.wait(Duration::from_millis(100));
    table.sent.clear();
    table.wait(Duration::from_millis(400));
    for connection in 1..=4 {
        assert_eq!(table.sent_to(connection), [Frame::Waiting { seat: 3, turn: 5 }], "once to each");
    }
    table.wait(Duration::from_secs(4));
    assert_eq!(table.sent_to(1), []);
    table.wait(Duration::from_secs(4));
    assert_eq!(table.sent_to(1), [Frame::Waiting { seat: 3, turn: 5 }], "and again after a while");
    table.order(4, 5);
    assert_eq!(numbers(&table.turns_to(1)), [5]);
    assert!(table.closed.is_empty());
}

#[test]
fn a_player_that_lets_all_wait_too_long_is_let_go_and_the_others_go_on() {
    let mut table = Table::begun();
    table.play(&[1, 2, 3], 5..=6);
    table.wait(Duration::from_millis(1));
    table.wait(Duration::from_secs(11));
    assert_eq!(table.closed, [4]);
    assert!(
        matches!(table.sent_to(4).last(), Some(Frame::Refused { reason }) if reason.contains("wait for"))
    );
    let turns = table.turns_to(1);
    assert_eq!(numbers(&turns), [1, 2, 3, 4, 5, 6]);
    assert_eq!((&turns[4].left[..], turns[4].orders.len()), (&[3][..], 3));
    assert!(
        matches!(table.said.last(), Some(RelayEvent::Gone { seat: 3, reason }) if reason.contains("wait"))
    );
}

#[test]
fn a_player_that_vanishes_is_reported_and_the_others_go_on() {
    let mut table = Table::begun();
    table.play(&[1, 2, 3], 5..=5);
    table.hub.lose(4, "the other side has closed it", table.now);
    table.act();
    let turns = table.turns_to(2);
    assert_eq!((turns.last().unwrap().number, &turns.last().unwrap().left[..]), (5, &[3][..]));
    table.play(&[1, 2, 3], 6..=9);
    assert_eq!(numbers(&table.turns_to(2)), [6, 7, 8, 9]);
    // With the last one the match is over.
    for connection in 1..=3 {
        assert!(!table.hub.is_over());
        table.hub.lose(connection, "gone", table.now);
    }
    assert!(table.hub.is_over());
}

/// Lets connection 9 come to seat 3, with a state of this tick from connection 1; returns the frames that it
/// is sent.
fn come(table: &mut Table, tick: u64) -> Vec<Frame> {
    table.sent.clear();
    table.join(9, Some(3));
    let Some(&Frame::Give { transfer }) = table.sent_to(1).last() else { panic!("the first is asked") };
    for piece in pieces(transfer, tick, &vec![7; 70_000]) {
        table.hear(1, Frame::Piece(piece));
    }
    table.sent_to(9)
}

#[test]
fn a_late_player_gets_the_state_the_turns_behind_it_and_a_turn_to_begin_with() {
    let mut table = Table::new(|plan| plan.begin_with = 3);
    (1..=3).for_each(|connection| table.join(connection, None));
    table.play(&[1, 2, 3], 5..=12);
    let frames = come(&mut table, 9);
    assert!(matches!(&frames[0], Frame::Begin { seat: 3, seats, has_state: true, .. } if seats.is_empty()));
    assert!(frames[1..4].iter().all(|frame| matches!(frame, Frame::Piece(piece) if piece.count == 3)));
    let behind: Vec<u64> =
        frames[4..].iter().map(|frame| if let Frame::Turn(turn) = frame { turn.number } else { 0 }).collect();
    assert_eq!(behind, [10, 11, 12]);
    // Before it has played the turns that came behind its state, it is not ready, whatever it says.
    table.hear(9, Frame::Ready { tick: 11 });
    table.play(&[1, 2, 3], 13..=13);
    table.hear(9, Frame::Ready { tick: 12 });
    table.play(&[1, 2, 3], 14..=14);
    let turns = table.turns_to(9);
    assert_eq!(numbers(&turns), [13, 14]);
    assert_eq!((&turns[1].joined[..], &turns[1].present[..]), (&[(3, 4)][..], &[0, 1, 2, 3][..]));
    // Its first orders are for the turn behind the delay.
    table.play(&[1, 2, 3], 15..=19);
    assert_eq!(numbers(&table.turns_to(9)), [15, 16, 17, 18]);
    table.order(9, 14 + DELAY + 1);
    assert_eq!(numbers(&table.turns_to(9)), [19]);
    assert!(table.closed.is_empty(), "{:?}", table.said);
}

#[test]
fn givers_that_leave_or_keep_silent_are_replaced() {
    let begin = || {
        let mut table = Table::new(|plan| plan.begin_with = 3);
        (1..=3).for_each(|connection| table.join(connection, None));
        table.play(&[1, 2, 3], 5..=12);
        table.join(9, None);
        assert!(matches!(table.sent_to(1).last(), Some(Frame::Give { .. })));
        table
    };
    let mut gone = begin();
    gone.hub.lose(1, "gone", gone.now);
    gone.act();
    assert!(matches!(gone.sent_to(2).last(), Some(Frame::Give { .. })));

    let mut silent = begin();
    // It plays on, and gives nothing.
    for second in 0..12 {
        silent.play(&[1, 2, 3], 13 + second..=13 + second);
        silent.wait(Duration::from_secs(1));
    }
    assert_eq!(silent.closed.first(), Some(&1));
    assert!(silent.sent_to(2).iter().any(|frame| matches!(frame, Frame::Give { .. })));
}

#[test]
fn a_player_that_gives_up_its_state_leaves_and_comes_back() {
    let mut table = Table::begun();
    table.play(&[1, 2, 3, 4], 5..=9);
    table.sent.clear();
    table.hear(1, Frame::Resync);
    assert!(matches!(table.sent_to(1)[..], [Frame::Begin { seat: 0, has_state: true, .. }]));
    let Some(&Frame::Give { transfer }) = table.sent_to(2).last() else { panic!("another one is asked") };
    table.play(&[2, 3, 4], 10..=10);
    assert_eq!(table.turns_to(3)[0].left, [0]);
    table.hear(2, Frame::Piece(Piece { transfer, tick: 9, index: 0, count: 1, content: vec![1] }));
    table.hear(1, Frame::Ready { tick: 10 });
    table.play(&[2, 3, 4], 11..=11);
    assert_eq!(table.turns_to(3)[0].joined, [(0, 5)]);
    assert_eq!(numbers(&table.turns_to(1)), [10, 11]);
}

#[test]
fn seats_wait_for_each_other_in_the_turn_that_is_held() {
    let mut table = Table::new(|plan| (plan.begin_with, plan.hold_at) = (3, Some(11)));
    (1..=3).for_each(|connection| table.join(connection, None));
    table.play(&[1, 2, 3], 5..=14);
    assert_eq!(table.turns_to(2).last().unwrap().number, 10);
    come(&mut table, 10);
    table.hear(9, Frame::Ready { tick: 10 });
    let turns = table.turns_to(2);
    assert_eq!((turns[0].number, &turns[0].joined[..]), (11, &[(3, 4)][..]));
    assert_eq!(numbers(&turns), [11, 12, 13, 14]);

    // Not for ever.
    let mut table = Table::new(|plan| (plan.begin_with, plan.hold_at) = (3, Some(11)));
    (1..=3).for_each(|connection| table.join(connection, None));
    table.play(&[1, 2, 3], 5..=14);
    table.wait(Duration::from_secs(11));
    assert_eq!(table.turns_to(2).last().unwrap().number, 14);
}

#[test]
fn rubbish_ends_its_connection_and_no_other() {
    let cases: Vec<(&str, Frame)> = vec![
        ("orders for a turn that is not next", Frame::Orders { turn: 7, orders: Vec::new() }),
        ("orders for a turn that is over", Frame::Orders { turn: 4, orders: Vec::new() }),
        ("joins twice", join_frame(PROTOCOL, None)),
        ("ready at a tick that is not there", Frame::Ready { tick: 99 }),
        ("done before the end", Frame::Done { is_well: true }),
        ("a turn", Frame::Turn(Turn::default())),
        ("an end", Frame::End),
        ("a request for a state", Frame::Give { transfer: 1 }),
    ];
    for (what, frame) in cases {
        let mut table = Table::begun();
        table.hear(4, frame);
        assert_eq!(table.closed, [4], "{what}");
        table.play(&[1, 2, 3], 5..=6);
        assert_eq!(numbers(&table.turns_to(1)), [1, 2, 3, 4, 5, 6], "{what}");
    }
    let mut table = Table::begun();
    (5..=5 + DELAY).for_each(|turn| table.order(4, turn));
    assert!(table.closed.is_empty());
    (6 + DELAY..=7 + DELAY).for_each(|turn| table.order(4, turn));
    assert_eq!(table.closed, [4], "more than the delay ahead");

    let mut table = Table::begun();
    table.join(8, None);
    table.hear(7, Frame::Orders { turn: 5, orders: Vec::new() });
    table.hear(6, join_frame(PROTOCOL + 1, None));
    assert_eq!(table.closed, [8, 7, 6], "no seat, no join, another protocol");
}

#[test]
fn all_are_told_when_all_are_done() {
    let mut table = Table::begun();
    (1..=3).for_each(|connection| table.hear(connection, Frame::Done { is_well: false }));
    assert!(!table.hub.is_over());
    table.hear(4, Frame::Done { is_well: false });
    assert!(table.hub.is_over());
    assert!((1..=4).all(|connection| table.sent_to(connection).last() == Some(&Frame::End)));
}

/// Frames of every kind with drawn numbers from drawn connections, which come and go: nothing panics, and
/// memory stays bounded.
#[test]
fn a_flood_of_frames_changes_nothing_but_the_match() {
    let mut turns = 0;
    for seed in 0..30 {
        let mut table = Table::new(|plan| plan.begin_with = 2);
        let mut due = BTreeMap::new();
        for round in 0..400 {
            let mut draws = Rng::new(seed).at(0, 0, round);
            let from = draws.below(6) as u32;
            let next = table.hub.next_turn().unwrap_or(0);
            // Mostly the next turn.
            let turn = if draws.below(60) == 0 {
                next + draws.below(7)
            } else {
                *due.entry(from).or_insert(DELAY + 1)
            };
            let (small, content) = (draws.below(5), vec![3; draws.below(40) as usize]);
            let frame = match draws.below(14) {
                0 => join_frame(PROTOCOL, Some(small as u8).filter(|&seat| seat < 4)),
                1..=8 => Frame::Orders { turn, orders: content },
                9 => Frame::Compare { seat: small as u8, since: 0, message: content },
                10 => Frame::Piece(Piece {
                    transfer: small as u32,
                    tick: turn.saturating_sub(2),
                    index: 0,
                    count: 1,
                    content,
                }),
                11 => Frame::Ready { tick: turn.saturating_sub(1) },
                12 => Frame::Resync,
                _ => Frame::Done { is_well: true },
            };
            if matches!(frame, Frame::Orders { .. }) {
                due.insert(from, turn + 1);
            }
            match draws.below(60) {
                0 => table.hub.lose(from, "gone", table.now),
                1 => table.wait(Duration::from_millis(draws.below(4_000))),
                _ => table.hear(from, frame),
            }
            table.act();
            due.retain(|connection, _| !table.closed.contains(connection));
            table.closed.clear();
            turns = turns.max(table.hub.next_turn().unwrap_or(0));
            assert!(table.hub.kept_bytes() < 1 << 20);
        }
    }
    assert!(turns > 10, "{turns}");
}

#[test]
fn bytes_that_are_no_message_end_their_connection() {
    let mut table = Table::begun();
    let sound = Frame::Resync.encode();
    for (connection, bytes) in (1..).zip([&sound[..CHECK_BYTES], &[], &sound[1..], &[0; 70_000]]) {
        table.hub.hear(connection, bytes, table.now);
        table.act();
        assert!(table.closed.contains(&connection), "{connection}");
    }
    assert!(table.hub.is_over());
}

#[test]
fn strangers_that_do_not_join_are_turned_away() {
    let mut table = Table::begun();
    table.hub.connect(50, table.now);
    // The players give their orders, and nothing is to be waited for.
    for second in 1..=11 {
        table.play(&[1, 2, 3, 4], 4 + second..=4 + second);
        table.wait(Duration::from_secs(1));
    }
    assert_eq!(table.closed, [50]);
    assert!(matches!(&table.sent_to(50)[..], [Frame::Refused { .. }]));
    assert!(matches!(table.said.last(), Some(RelayEvent::Turned { connection: 50, .. })));
}

#[test]
fn a_state_of_a_turn_that_is_not_kept_is_asked_for_again() {
    let mut table = Table::new(|plan| plan.begin_with = 3);
    (1..=3).for_each(|connection| table.join(connection, None));
    table.play(&[1, 2, 3], 5..=12);
    table.join(9, None);
    for (giver, tick) in [(1, 13), (2, u64::MAX)] {
        let asked = table.sent.get(&giver).and_then(|frames| frames.last());
        let Some(&Frame::Give { transfer }) = asked else { panic!("{giver} is asked") };
        table.hear(giver, Frame::Piece(Piece { transfer, tick, index: 0, count: 1, content: vec![1] }));
        assert_eq!(table.closed.last(), Some(&giver), "there is no such turn");
    }
    assert!(matches!(table.sent.get(&3).and_then(|frames| frames.last()), Some(Frame::Give { .. })));
}

#[test]
fn a_player_that_is_ready_and_gone_does_not_join() {
    let mut table = Table::new(|plan| plan.begin_with = 3);
    (1..=3).for_each(|connection| table.join(connection, None));
    table.play(&[1, 2, 3], 5..=12);
    come(&mut table, 12);
    table.hear(9, Frame::Ready { tick: 12 });
    table.hub.lose(9, "gone", table.now);
    table.act();
    table.sent.clear();
    table.play(&[1, 2, 3], 13..=14);
    let turns = table.turns_to(1);
    assert_eq!(numbers(&turns), [13, 14]);
    assert!(turns.iter().all(|turn| turn.joined.is_empty() && turn.left.is_empty()));
}

#[test]
fn messages_about_ticks_are_as_many_as_there_are_turns() {
    let mut table = Table::begun();
    let message = Frame::Compare { seat: 1, since: 0, message: Vec::new() };
    let mut sent = [0; 2];
    for (turn, sent) in (5..).zip(&mut sent) {
        table.sent.clear();
        (0..1_000).for_each(|_| table.hear(1, message.clone()));
        *sent = table.sent_to(2).len();
        table.play(&[1, 2, 3, 4], turn..=turn);
    }
    assert!(sent[0] > 100 && sent[0] < 1_000 && sent[0] == sent[1], "{sent:?}");
}
