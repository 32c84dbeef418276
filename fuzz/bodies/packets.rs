//! Bytes that may be messages between the players and the relay of `examples/rts`, and saved matches: reading
//! them is an answer or a refusal, a value that was read has these very bytes, and it is played on.
//!
//! Contents are made to fit their checks first, so that they get past those, to the decoders behind.

use std::{sync::OnceLock, time::Duration};

use bitstep::{
    session::{Session, Simulation},
    snapshot::{Checksum, RULES_VERSION},
    tick::TickReport,
};
use rts::{
    Issued, Rts, decode_orders, encode_orders, initial_state,
    relay::{Action, Connection, Hub, Plan},
    transfer::{Assembly, Parcel, Terms},
    wire::{FRAME_BYTES_MAX, Frame, PROTOCOL, Turn, read_frame, seal},
};

/// The kind of the bytes behind the first one.
const STREAM: u8 = 0;
const TO_RELAY: u8 = 1;
const TO_PLAYER: u8 = 2;
const PARCEL: u8 = 3;
const ORDERS: u8 = 4;
/// Before its checksum.
const MAGIC: [u8; 8] = *b"bitrts\x01\0";
/// Number of senders to the relay besides the seated players.
const STRANGERS: u8 = 2;

const TERMS: Terms = Terms { session: 1, seed: 7, players: 2, units: 2, delay: 4, ticks: 1_000, rate: 0 };

/// Takes bytes of a kind (1 byte); returns whether they had an effect: a frame from a socket, a turn of the
/// relay, a state in pieces, a state in one, or orders.
///
/// # Panics
///
/// If a value that was read has other bytes, or a bound is broken.
pub fn body(bytes: &[u8]) -> bool {
    let Some((kind, rest)) = bytes.split_first() else { return false };
    match *kind {
        STREAM => stream(rest),
        TO_RELAY => to_relay(rest),
        TO_PLAYER => to_player(rest),
        PARCEL => parcel(rest),
        ORDERS => orders(rest).is_some(),
        _ => false,
    }
}

/// Bytes as they come from a socket.
fn stream(bytes: &[u8]) -> bool {
    let (mut rest, mut frames) = (bytes, 0);
    loop {
        let before = rest;
        match read_frame(&mut rest) {
            Ok(Some(frame)) => {
                let used = &before[..before.len() - rest.len()];
                assert_eq!(frame.encode(), used, "one frame has two encodings");
                frames += 1;
            }
            Ok(None) => return frames > 0,
            Err(_) => return false,
        }
    }
}

/// The frame of a content, if it is one.
fn frame(content: &[u8]) -> Option<Frame> {
    let sealed = seal(content);
    let read = read_frame(&mut &sealed[..]).ok().flatten();
    assert_eq!(read, Frame::decode(content).ok().filter(|_| content.len() <= FRAME_BYTES_MAX));
    if let Some(frame) = &read {
        assert_eq!(frame.encode(), sealed, "one frame has two encodings");
    }
    read
}

/// Frames to a relay with a match on it, each by a sender (1 byte), of a length (2 bytes); returns whether a
/// turn was played.
fn to_relay(bytes: &[u8]) -> bool {
    let patience = Duration::from_secs(10);
    let plan = Plan { terms: TERMS, begin_with: TERMS.players, patience, hold_at: None, saved: None };
    let (mut hub, mut rest, mut turns) = (Hub::new(plan), bytes, 0);
    for seat in 0..TERMS.players {
        let join = Frame::Join { protocol: PROTOCOL, seat: Some(seat) };
        hub.hear(seat.into(), join, Duration::ZERO);
    }
    sent(&mut hub); // the turns up to the delay
    let mut now = Duration::ZERO;
    while let Some((&[who, low, high], behind)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([low, high]));
        let (content, behind) = behind.split_at(length.min(behind.len()));
        rest = behind;
        let from = Connection::from(who % (TERMS.players + STRANGERS));
        match frame(content) {
            Some(frame) => hub.hear(from, frame, now),
            None => hub.lose(from, "no frame", now),
        }
        now += Duration::from_millis(u64::from(who) * 16);
        hub.wait(now);
        turns += sent(&mut hub);
    }
    turns > 0
}

/// Number of turns that a relay sends; all its messages can be read.
fn sent(hub: &mut Hub) -> usize {
    let mut turns = 0;
    for action in hub.actions() {
        if let Action::Send(_, bytes) = action {
            let frame = read_frame(&mut &bytes[..]).expect("a relay sends frames").expect("a frame");
            turns += usize::from(matches!(frame, Frame::Turn(_)));
        }
    }
    turns
}

/// Frames to a player who waits for a state, each of a length (2 bytes); returns whether one arrived.
fn to_player(bytes: &[u8]) -> bool {
    let (mut assembly, mut rest, mut came) = (Assembly::default(), bytes, false);
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes(*length));
        let (content, behind) = behind.split_at(length.min(behind.len()));
        rest = behind;
        match frame(content) {
            Some(Frame::Piece(piece)) => {
                if let Ok(Some(whole)) = assembly.take(piece) {
                    assert!(whole.len() <= bytes.len(), "more came than was sent");
                    came |= Parcel::decode(&whole).is_ok_and(|parcel| is_played(&parcel));
                }
            }
            Some(Frame::Turn(turn)) => {
                issued(&turn);
            }
            Some(Frame::Begin { terms, .. }) => {
                let _ = terms.checked();
            }
            _ => {}
        }
    }
    came
}

/// A parcel whose checksum fits.
fn parcel(content: &[u8]) -> bool {
    let bytes = sealed(content);
    let Ok(parcel) = Parcel::decode(&bytes) else { return false };
    assert_eq!(parcel.encode(), bytes, "one parcel has two encodings");
    is_played(&parcel)
}

/// The bytes of a parcel of this content.
pub fn sealed(content: &[u8]) -> Vec<u8> {
    let sum = Checksum::of(content).0.to_le_bytes();
    [&MAGIC[..], &sum, content].concat()
}

/// True if a parcel has a state; its turns are played, and some without orders.
fn is_played(parcel: &Parcel) -> bool {
    static FIELD: OnceLock<Session<Rts>> = OnceLock::new();
    let field = FIELD.get_or_init(|| initial_state(1, 1, 1).expect("a field"));
    let Ok(mut state) = parcel.session(field.scenery()) else { return false };
    // A match that was saved under older rules continues under these.
    let mut snapshot = parcel.snapshot.clone();
    Session::<Rts>::relabel(&mut snapshot, RULES_VERSION);
    let again = Parcel::of(parcel.terms, &state, parcel.turns.clone());
    assert_eq!(again, Parcel { snapshot, ..parcel.clone() }, "one state has two encodings");
    let mut report = TickReport::default();
    for turn in &parcel.turns {
        state.tick(&issued(turn), &mut report);
    }
    for _ in 0..3 {
        state.tick(&[], &mut report);
    }
    let after = Parcel::of(parcel.terms, &state, Vec::new());
    assert!(after.session(field.scenery()).is_ok(), "a tick leaves a state that is refused");
    true
}

/// The orders of a turn.
fn issued(turn: &Turn) -> Vec<Issued> {
    let of_one = |(player, bytes): &(u8, Vec<u8>)| {
        let player = *player;
        orders(bytes).into_iter().flatten().map(move |order| Issued { player, order })
    };
    turn.orders.iter().flat_map(of_one).collect()
}

/// The orders of bytes. Small numbers may be written long, so they may have fewer bytes when they are
/// rewritten.
fn orders(bytes: &[u8]) -> Option<Vec<rts::Order>> {
    let orders = decode_orders(bytes).ok()?;
    let again = encode_orders(&orders);
    assert!(again.len() <= bytes.len(), "{} bytes became {}", bytes.len(), again.len());
    assert_eq!(decode_orders(&again), Ok(orders.clone()));
    Some(orders)
}
