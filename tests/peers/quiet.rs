//! The messages that a peer sends, and its silence where there is nothing to send.

use bitstep::{
    World,
    peer::{Config, Event, Peer, PeerError},
    session::TickLog,
    tick::TickReport,
};

use crate::{
    games::world,
    hostile::{HELLO, PIECE, SUMS, agreed, diverged, message, numbers},
};

fn peer() -> Peer<World> {
    Peer::new(&world(), Config::default()).unwrap()
}

/// The messages of a poll.
fn polled(peer: &mut Peer<World>) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    peer.poll(&mut |message| messages.push(message.to_vec()));
    messages
}

/// The kinds of the messages of some polls.
fn kinds(peer: &mut Peer<World>, polls: usize) -> Vec<u8> {
    (0..polls).flat_map(|_| polled(peer)).map(|message| message[2]).collect()
}

#[test]
fn a_lone_peer_sends_hello_by_every_fourth_poll() {
    let mut lone = peer();
    let polls: Vec<_> = (1..=12).filter(|_| !polled(&mut lone).is_empty()).collect();
    assert_eq!(polls, [1, 5, 9]);
}

#[test]
fn hellos_end_when_the_other_says_anything_that_only_follows_one() {
    let heard = |first: &[u8]| {
        let (mut own, mut other) = (peer(), peer());
        polled(&mut other).iter().for_each(|hello| own.receive(hello).unwrap());
        assert_eq!(kinds(&mut own, 1), [HELLO], "the answer, and no checksums");
        own.receive(first).unwrap();
        kinds(&mut own, 12)
    };
    let mut hello = polled(&mut peer()).remove(0);
    assert_eq!(heard(&hello), [HELLO; 4], "an answer to one that has not heard, and polls 5, 9 and 13");
    let content: Vec<u8> = [&[1], &hello[4..hello.len() - 4]].concat();
    hello = message(&world(), HELLO, &content);
    assert!(heard(&hello).is_empty());
    assert!(heard(&message(&world(), SUMS, &numbers(&[1, 1]))).is_empty());
}

#[test]
fn peers_without_news_are_silent() {
    let (mut ahead, mut behind) = (peer(), peer());
    let (mut state, mut report) = (world(), TickReport::default());
    for ticks in [0, 3, 1] {
        for _ in 0..ticks {
            state.step(&mut report);
            ahead.confirm(&state, &[], &TickLog::off()).unwrap();
        }
        let mut said = 0;
        for _ in 0..20 {
            let messages = polled(&mut ahead);
            messages.iter().for_each(|message| behind.receive(message).unwrap());
            let answers = polled(&mut behind);
            answers.iter().for_each(|message| ahead.receive(message).unwrap());
            said += messages.len() + answers.len();
        }
        // A hello, and the other's by every fourth poll, as nothing says that it was heard before there are
        // checksums. Then these, and the answer that they have come.
        assert_eq!(said, if ticks == 0 { 1 + 5 } else { 2 }, "{ticks}");
    }
}

#[test]
fn a_message_has_120_checksums_at_most() {
    let mut peer = agreed(200);
    let messages = polled(&mut peer);
    // Three bytes in front, two ticks, the checksums, and four bytes behind.
    assert_eq!(messages.iter().map(Vec::len).collect::<Vec<_>>(), [3 + 8 + 4 * 120 + 4]);
    assert_eq!(messages[0][3..11], numbers(&[1, 1]));
}

/// Ticks that the other has discarded are not compared: a report of one of them would be of no first tick.
#[test]
fn a_tick_that_only_the_other_compared_has_no_report() {
    let mut peer = agreed(10);
    peer.receive(&message(&world(), SUMS, &numbers(&[1, 8, 5]))).unwrap();
    assert_eq!(peer.compared(), 7);
    let piece = message(&world(), PIECE, &numbers(&[5, 0, 1]));
    assert_eq!(
        peer.receive(&piece),
        Err(PeerError::Unasked { tick: 5 }),
        "not asked for before the next poll"
    );
    polled(&mut peer);
    assert_eq!(peer.next_event(), Some(Event::DesyncWithoutReport { tick: 5, reason: PeerError::TooOld }));
    assert_eq!(peer.receive(&piece), Ok(()));
}

#[test]
fn peers_that_have_exchanged_their_reports_are_silent_and_take_no_ticks() {
    let (mut game, _) = diverged();
    for (side, reproduced) in game.sides.iter_mut().zip([false, true]) {
        assert!(
            matches!(side.events[1], Event::Desync { tick: 20, is_reproduced, .. } if is_reproduced == reproduced),
            "the first was changed between two ticks: {:?}",
            side.events[1]
        );
        assert!(kinds(&mut side.peer, 20).is_empty());
        let memory = side.peer.state_bytes();
        for _ in 0..3 {
            side.state.step(&mut TickReport::default());
            assert_eq!(side.peer.confirm(&side.state, &[], &TickLog::off()), Ok(()));
        }
        assert_eq!(side.peer.confirm(&world(), &[], &TickLog::off()), Ok(()), "whatever its tick");
        assert_eq!(side.peer.state_bytes(), memory);
        assert_eq!((kinds(&mut side.peer, 20), side.peer.next_event()), (vec![], None));
    }
}
