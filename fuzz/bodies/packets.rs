//! Bytes that may be messages between the clients and the relay of the package `bitstep-lockstep`, and saved matches of
//! `examples/rts`: reading them is an answer or a refusal, a value that was read has these very bytes, and it is played on.
//!
//! Contents are made to fit their checks first, so that they get past those, to the decoders behind.

use std::{sync::OnceLock, time::Duration};

use bitstep::{
    session::{Session, Simulation},
    snapshot::{Checksum, RULES_VERSION},
    tick::TickReport,
};
use bitstep_lockstep::{
    Action, Assembly, Client, GameId, Hub, LockstepGame, Plan, SaveError, SavedMatch, Setup, Terms,
    decode_orders, encode_orders,
    transport::{Arrival, Connection, Links, Network, read_message},
    wire::{CONTENT_BYTES_MAX, Frame, PROTOCOL, Turn, sealed},
};
use rts::{Army, Issued, Order, Rts};

/// The kind of the bytes behind the first one.
const STREAM: u8 = 0;
const TO_RELAY: u8 = 1;
const TO_PLAYER: u8 = 2;
const SAVE: u8 = 3;
const ORDERS: u8 = 4;
const TO_CLIENT: u8 = 5;
/// Before its checksum.
const MAGIC: [u8; 8] = *b"bitlck\x01\0";
/// Number of senders to the relay besides the seated players.
const STRANGERS: u8 = 2;

/// A match of two armies of two.
fn terms() -> Terms {
    let terms = Terms::new::<Rts>(1, 2, &Army { seed: 7, units: 2 }).expect("a match");
    Terms { last_tick: 1_000, rate: 0, ..terms }
}

/// Takes bytes of a kind (1 byte); returns whether they had an effect: a frame from a socket, a turn of the
/// relay, a state in pieces, a state in one, orders, or a tick of a client.
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
        SAVE => save(rest),
        ORDERS => orders(rest).is_some(),
        TO_CLIENT => to_client(rest),
        _ => false,
    }
}

/// Bytes as they come from a socket.
fn stream(bytes: &[u8]) -> bool {
    let (mut rest, mut frames) = (bytes, 0);
    loop {
        match read_message(&mut rest) {
            Ok(Some(message)) => match Frame::decode(&message) {
                Ok(frame) => {
                    assert_eq!(frame.encode(), message, "one frame has two encodings");
                    frames += 1;
                }
                Err(_) => return false,
            },
            Ok(None) => return frames > 0,
            Err(_) => return false,
        }
    }
}

/// The frame of a content, if it is one.
fn frame(content: &[u8]) -> Option<Frame> {
    let message = sealed(content);
    let read = Frame::decode(&message).ok();
    assert!(read.is_none() || content.len() <= CONTENT_BYTES_MAX);
    if let Some(frame) = &read {
        assert_eq!(frame.encode(), message, "one frame has two encodings");
    }
    read
}

/// Contents, each of a length (2 bytes) behind a byte of its own.
fn contents(bytes: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (&[first, low, high], behind) = rest.split_first_chunk()?;
        let length = usize::from(u16::from_le_bytes([low, high]));
        let (content, behind) = behind.split_at(length.min(behind.len()));
        rest = behind;
        Some((first, content))
    })
}

/// Messages to a relay with a match on it, each by a sender (1 byte), of a length (2 bytes); returns whether a
/// turn was played.
fn to_relay(bytes: &[u8]) -> bool {
    let (terms, mut turns) = (terms(), 0);
    let players = terms.players;
    let mut hub = Hub::new(Plan::new(terms)).expect("a plan");
    for seat in 0..players {
        let game = GameId::of::<Rts>();
        let join = Frame::Join { protocol: PROTOCOL, game, seat: Some(seat), ticket: Vec::new() };
        hub.hear(seat.into(), &join.encode(), Duration::ZERO);
    }
    sent(&mut hub); // the turns up to the delay
    let mut now = Duration::ZERO;
    for (sender, content) in contents(bytes) {
        frame(content);
        hub.hear(Connection::from(sender % (players + STRANGERS)), &sealed(content), now);
        now += Duration::from_millis(u64::from(sender) * 16);
        hub.wait(now);
        turns += sent(&mut hub);
    }
    turns > 0
}

/// Number of turns that a relay sends; all its messages can be read.
fn sent(hub: &mut Hub) -> usize {
    let mut turns = 0;
    for action in hub.actions() {
        if let Action::Send(_, bytes) | Action::Offer(_, bytes) = action {
            let frame = Frame::decode(&bytes).expect("a relay sends frames");
            turns += usize::from(matches!(frame, Frame::Turn(_)));
        }
    }
    turns
}

/// Frames to a player that waits for a state, each of a length (2 bytes); returns whether one arrived.
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
                    came |= SavedMatch::decode(&whole).is_ok_and(|saved| is_played(&saved));
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

/// Messages to a client with a match on it, each after a time (1 byte, in 4 ms) and of a length (2 bytes); returns whether it
/// played a tick.
fn to_client(bytes: &[u8]) -> bool {
    let network = Network::default();
    let mut links = network.links();
    let mut client = Client::<Rts, _>::new(network.connect(), Setup::default());
    let Some((connection, Arrival::Connected)) = links.receive(Duration::ZERO) else { return false };
    let begin = Frame::Begin { terms: terms(), seat: 1, seats: vec![0, 1], has_state: false, coming: 2 };
    let mut send = |message: Vec<u8>| links.send(connection, &message.into()).is_ok();
    assert!(send(begin.encode()));
    let (mut now, mut played) = (Duration::ZERO, 0);
    for (time, content) in contents(bytes) {
        send(sealed(content));
        now += Duration::from_millis(u64::from(time) * 4);
        let seen = client.update(now, |_| played += 1);
        assert!(seen.is_ok(), "nothing is recorded");
        client.events().for_each(drop);
    }
    client.finish().expect("nothing is recorded");
    played > 1
}

/// A saved match whose checksum fits.
fn save(content: &[u8]) -> bool {
    let bytes = sealed_save(content);
    let Ok(saved) = SavedMatch::decode(&bytes) else { return false };
    assert_eq!(saved.encode(), bytes, "one saved match has two encodings");
    is_played(&saved)
}

/// The bytes of a saved match of this content.
pub fn sealed_save(content: &[u8]) -> Vec<u8> {
    let sum = Checksum::of(content).0.to_le_bytes();
    [&MAGIC[..], &sum, content].concat()
}

/// True if a saved match has a state; its turns are played, and some without orders.
fn is_played(saved: &SavedMatch) -> bool {
    static FIELD: OnceLock<Session<Rts>> = OnceLock::new();
    let field = FIELD.get_or_init(|| terms().initial_state().expect("a field"));
    let mut saved = saved.clone();
    let mut state = match saved.state::<Rts>(field.scenery()) {
        Ok(state) => state,
        // A match that was saved under older rules goes on under these.
        Err(SaveError::OlderRules { .. }) => {
            let Ok(migrated) = saved.migrate::<Rts>(field.scenery()) else { return false };
            assert_eq!(migrated.terms.game.rules, RULES_VERSION);
            saved = migrated;
            saved.state(field.scenery()).expect("it is migrated")
        }
        Err(_) => return false,
    };
    let again = SavedMatch::new(saved.terms.clone(), &state, saved.turns.clone());
    assert_eq!(again, saved, "one state has two encodings");
    let mut report = TickReport::default();
    for turn in &saved.turns {
        state.tick(&issued(turn), &mut report);
    }
    for _ in 0..3 {
        state.tick(&[], &mut report);
    }
    let after = SavedMatch::new(saved.terms.clone(), &state, Vec::new());
    assert!(after.state::<Rts>(field.scenery()).is_ok(), "a tick leaves a state that is refused");
    true
}

/// The orders of a turn.
fn issued(turn: &Turn) -> Vec<Issued> {
    let of_one = |(player, bytes): &(u8, Vec<u8>)| {
        let player = *player;
        orders(bytes).into_iter().flatten().map(move |order| Rts::input(player, order))
    };
    turn.orders.iter().flat_map(of_one).collect()
}

/// The orders of bytes. Small numbers may be written long, so they may have fewer bytes when they are
/// rewritten.
fn orders(bytes: &[u8]) -> Option<Vec<Order>> {
    let orders = decode_orders::<Order>(bytes).ok()?;
    let again = encode_orders(&orders).expect("orders are numbers");
    assert!(again.len() <= bytes.len(), "{} bytes became {}", bytes.len(), again.len());
    assert_eq!(decode_orders(&again), Ok(orders.clone()));
    Some(orders)
}
