//! Forged messages: refused or harmless.

use bitstep::{
    World,
    num::Rng,
    peer::{Config, Event, Peer, PeerError},
    session::TickLog,
    tick::TickReport,
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    games::{nudged, world, world_inputs},
    link::{FINE, Match},
    support::every,
};

/// A message's kind, in its third byte.
pub const HELLO: u8 = 1;
pub const SUMS: u8 = 2;
pub const PIECE: u8 = 3;
const GOT: u8 = 4;

/// The seal of messages of two peers of a world: from their hello.
fn seal(initial_state: &World) -> u64 {
    let mut hello = Vec::new();
    Peer::new(initial_state, Config::default()).unwrap().poll(&mut |message| hello = message.to_vec());
    xxh3_64(&hello[4..hello.len() - 4])
}

/// A message with a check that fits.
pub fn message(initial_state: &World, kind: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xb5, 1, kind];
    bytes.extend(content);
    let check = xxh3_64_with_seed(&bytes, if kind == 1 { 0 } else { seal(initial_state) }) as u32;
    bytes.extend(check.to_le_bytes());
    bytes
}

pub fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Two worlds that diverge at tick 20, and every message from the first to the second.
pub fn diverged() -> (Match<World>, Vec<Vec<u8>>) {
    let mut game = Match::new(&world(), FINE, 3, world_inputs);
    game.sides[0].meddle = Box::new(|now, world: &mut World, _| {
        if now == 20 {
            *world = nudged(world, 7);
        }
    });
    game.play(40, 60);
    assert!(game.sides.iter().all(|side| side.peer.is_done()));
    let sent = std::mem::take(&mut game.links[0].sent);
    (game, sent)
}

/// A peer of `world()` that has agreed with another and confirmed so many ticks.
pub fn agreed(ticks: u64) -> Peer<World> {
    let initial_state = world();
    let [mut own, mut other] = [0, 1].map(|_| Peer::new(&initial_state, Config::default()).unwrap());
    other.poll(&mut |message| own.receive(message).unwrap());
    assert_eq!(own.next_event(), Some(Event::Connected));
    let (mut state, mut report) = (initial_state, TickReport::default());
    for _ in 0..ticks {
        state.step(&mut report);
        own.confirm(&state, &[], &TickLog::off()).unwrap();
    }
    own.poll(&mut |_| {});
    own
}

#[test]
fn every_message_cut_or_flipped_is_refused() {
    let (game, sent) = diverged();
    let mut one_of_each: Vec<&Vec<u8>> = Vec::new();
    for kind in [HELLO, SUMS, PIECE, GOT] {
        let found: Vec<_> = sent.iter().filter(|message| message[2] == kind).collect();
        one_of_each.extend([found[0], found[found.len() - 1]]);
    }
    for fresh in [false, true] {
        let mut peer = if fresh { agreed(30) } else { game.sides[1].peer.clone() };
        for message in &one_of_each {
            let _ = peer.receive(message); // valid: taken or not wanted
            for at in 0..message.len() {
                assert!(peer.receive(&message[..at]).is_err(), "cut at {at}");
                for bit in 0..8 {
                    let mut flipped = (*message).clone();
                    flipped[at] ^= 1 << bit;
                    let refusal = peer.receive(&flipped).unwrap_err();
                    assert!(
                        matches!(refusal, PeerError::Damaged | PeerError::NotAMessage),
                        "{at}: {refusal}"
                    );
                }
            }
        }
        peer.poll(&mut |_| {});
        assert!(!matches!(
            peer.next_event(),
            Some(Event::OtherProtocol { .. } | Event::HandshakeMismatch { .. })
        ));
    }
}

#[test]
fn a_hello_of_every_damaged_content_is_a_mismatch() {
    let (initial_state, mut hello) = (world(), Vec::new());
    Peer::new(&initial_state, Config::default()).unwrap().poll(&mut |message| hello = message.to_vec());
    let content = &hello[3..hello.len() - 4];
    for at in 1..content.len() {
        let mut peer = Peer::new(&initial_state, Config::default()).unwrap();
        let mut damaged = content.to_vec();
        damaged[at] ^= 2;
        let refusal = peer.receive(&message(&initial_state, HELLO, &damaged)).unwrap_err();
        let event = peer.next_event();
        if refusal == (PeerError::Malformed { kind: HELLO }) {
            assert_eq!(event, None, "byte {at}"); // no truth value
            continue;
        }
        assert_eq!(refusal, PeerError::HandshakeMismatch, "byte {at}");
        match event {
            Some(Event::HandshakeMismatch { differences }) => assert_eq!(differences.len(), 1, "byte {at}"),
            event => panic!("byte {at}: {event:?}"),
        }
        assert!(peer.receive(&message(&initial_state, HELLO, &content[..at])).is_err());
    }
    let mut long = content.to_vec();
    long.extend([b'x'; 256]);
    let refusal = agreed(0).receive(&message(&initial_state, HELLO, &long)).unwrap_err();
    assert_eq!(refusal, PeerError::Malformed { kind: HELLO });
}

#[test]
fn nothing_is_taken_before_a_hello() {
    let initial_state = world();
    let mut peer = Peer::new(&initial_state, Config::default()).unwrap();
    let sums = message(&initial_state, SUMS, &numbers(&[1, 1, 5]));
    assert_eq!(peer.receive(&sums), Err(PeerError::Early));
    let mut other = Peer::new(&initial_state, Config { session: 5, ..Config::default() }).unwrap();
    other.poll(&mut |message| assert_eq!(peer.receive(message), Err(PeerError::HandshakeMismatch)));
    assert_eq!(peer.receive(&sums), Err(PeerError::Early), "another session's hello is none");
}

#[test]
fn old_future_and_contradicting_ticks_are_reported() {
    let initial_state = world();
    let sums = |content: &[u32]| message(&initial_state, SUMS, &numbers(content));
    let mut peer = agreed(10);
    let cases: [(&[u32], PeerError); 7] = [
        (&[12, 1], PeerError::Ahead { tick: 12 }),
        (&[u32::MAX, 1], PeerError::Ahead { tick: u64::from(u32::MAX) }),
        (&[1, 5_000, 7, 8], PeerError::Ahead { tick: 5_000 }),
        (&[1, u32::MAX - 2, 7, 8], PeerError::Ahead { tick: u64::from(u32::MAX) - 2 }),
        (&[1, u32::MAX - 1, 7], PeerError::Ahead { tick: u64::from(u32::MAX) - 1 }),
        (&[1, u32::MAX, 7], PeerError::Malformed { kind: SUMS }),
        (&[1], PeerError::Malformed { kind: SUMS }),
    ];
    for (content, refusal) in cases {
        let mut peer = agreed(10);
        assert_eq!(peer.receive(&sums(content)), Err(refusal), "{content:?}");
    }
    assert_eq!(peer.receive(&sums(&[1, 20, 77])), Ok(()), "not confirmed here yet");
    assert_eq!(peer.receive(&sums(&[1, 20, 78])), Err(PeerError::Contradicts { tick: 20 }));
    let unasked = |tick| Err(PeerError::Unasked { tick });
    assert_eq!(peer.receive(&message(&initial_state, PIECE, &numbers(&[3, 0, 1, 5]))), unasked(3));
    assert_eq!(peer.receive(&message(&initial_state, GOT, &numbers(&[3, 0, 1, 5]))), unasked(3));
    assert_eq!(peer.receive(&message(&initial_state, 9, &[])), Err(PeerError::Malformed { kind: 9 }));
    assert_eq!(peer.receive(&vec![0xb5; 70_000]), Err(PeerError::TooLong { bytes: 70_000 }));
}

/// Memory of a peer besides the states: a window of pieces, checksums, and its own report.
const MEMORY_MAX: u64 = 8 << 20;

#[test]
fn a_flood_of_well_sealed_rubbish_changes_nothing_but_the_verdict() {
    let initial_state = world();
    for seed in (0..20).step_by(every(2)) {
        let mut draws = Rng::new(0xF100D).at(seed, 0, 0);
        let mut peer = agreed(30);
        let (mut events, mut said, mut messages) = (0, 0, 0);
        let memory = allocation_counter::measure(|| {
            for _ in 0..20_000 {
                let kind = if draws.below(50) == 0 { draws.bits() as u8 } else { 1 + draws.below(4) as u8 };
                let mut content = Vec::new();
                for _ in 0..draws.below(4) {
                    let some = [draws.below(40), draws.bits(), u64::from(u32::MAX) - draws.below(3)];
                    content.extend((some[draws.below(12) as usize / 5] as u32).to_le_bytes());
                }
                let length = if draws.below(4) == 0 { draws.below(900) } else { draws.below(12) };
                content.extend((0..length).map(|_| draws.bits() as u8));
                let _ = peer.receive(&message(&initial_state, kind, &content));
                if draws.below(3) == 0 {
                    peer.poll(&mut |message| {
                        said += message.len();
                        messages += 1;
                    });
                }
                events += std::iter::from_fn(|| peer.next_event()).count();
            }
        });
        assert!(memory.bytes_max < MEMORY_MAX, "{} bytes", memory.bytes_max);
        assert!(events <= 4, "each event comes once: {events}");
        assert!(messages < 7_000 * 11 && said < 7_000 * 10_000, "{messages} messages of {said} bytes");
    }
}
