//! Matches over sockets, with rubbish of all kinds: to a relay with a match on it, to a client, and to the reader of messages.
//!
//! No test depends on time: compared values follow from the script alone, and limits only end a test that would never end.
#![allow(missing_docs)]
#![allow(clippy::disallowed_types)] // a clock

mod support;

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{Sender, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use bitstep::{
    num::{Draws, Rng},
    session::Simulation,
};
use bitstep_lockstep::{
    Client, Ending, GameId, Outcome, Plan, Relay, RelayEvent, Setup, Terms,
    transport::{Arrival, Link, Links, TcpLink, TcpLinks, read_message},
    wire::{CHECK_BYTES, Frame, MESSAGE_BYTES_MAX, PROTOCOL, Piece, Turn, sealed},
};
use support::{Herd, Pasture, alone, give_orders, terms};

/// A frame of every kind.
fn frames() -> Vec<Frame> {
    let turn = |number| Turn { number, orders: vec![(0, vec![0]), (1, vec![0])], ..Turn::default() };
    let game = GameId::of::<Herd>();
    let (terms, seats) = (terms(4, 50), vec![0, 1, 2, 3]);
    vec![
        Frame::Join { protocol: PROTOCOL, game, seat: Some(1), ticket: vec![3; 9] },
        Frame::Begin { terms, seat: 1, seats, has_state: false, coming: 1 },
        Frame::Turn(turn(1)),
        Frame::Turn(turn(2)),
        Frame::Orders { turn: 5, orders: vec![0; 30] },
        Frame::Compare { seat: 2, since: 0, message: (0..90).collect() },
        Frame::Give { transfer: 3 },
        Frame::Piece(Piece { transfer: 3, tick: 2, index: 0, count: 2, content: vec![9; 300] }),
        Frame::Waiting { seat: 1, turn: 3 },
        Frame::Ready { tick: 9 },
        Frame::Resync,
        Frame::Done { is_well: false },
        Frame::Turn(turn(3)),
        Frame::End,
        Frame::Refused { reason: "no".to_owned() },
    ]
}

/// A message as it is on a socket.
fn framed(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u32).to_le_bytes(), message].concat()
}

/// A message with some bytes drawn; in most cases its check fits again.
fn mutated(frame: &Frame, draws: &mut Draws) -> Vec<u8> {
    let mut content = frame.encode()[CHECK_BYTES..].to_vec();
    for _ in 0..=draws.below(3) {
        let at = draws.below(content.len() as u64) as usize;
        content[at] =
            if draws.below(2) == 0 { draws.bits() as u8 } else { content[at] ^ 1 << draws.below(8) };
    }
    match draws.below(8) {
        0 => content.truncate(draws.below(content.len() as u64 + 1) as usize),
        1 => content.extend(vec![0; draws.below(9) as usize]),
        _ => {}
    }
    let mut bytes = framed(&sealed(&content));
    if draws.below(6) == 0 {
        let at = draws.below(8) as usize;
        bytes[at] = draws.bits() as u8;
    }
    bytes
}

#[test]
fn frames_come_back_as_they_were() {
    let bytes: Vec<u8> = frames().iter().flat_map(|frame| framed(&frame.encode())).collect();
    let mut rest = &bytes[..];
    let again: Vec<Frame> = std::iter::from_fn(|| read_message(&mut rest).unwrap())
        .map(|message| Frame::decode(&message).unwrap())
        .collect();
    assert_eq!(again, frames());
    for length in 1..bytes.len() {
        let mut rest = &bytes[..length];
        while let Ok(Some(message)) = read_message(&mut rest) {
            assert!(frames().contains(&Frame::decode(&message).unwrap()));
        }
    }
}

#[test]
fn every_bit_of_a_message_is_checked() {
    for frame in frames() {
        let bytes = frame.encode();
        for bit in 0..bytes.len() * 8 {
            let mut turned = bytes.clone();
            turned[bit / 8] ^= 1 << (bit % 8);
            assert!(Frame::decode(&turned).is_err(), "{frame:?}, bit {bit}");
        }
    }
}

#[test]
fn a_claim_beyond_the_limit_is_refused_before_anything_is_read() {
    for length in [MESSAGE_BYTES_MAX as u32 + 1, 1 << 30, u32::MAX] {
        // There is no content: a reader that took memory for it would find the end.
        let error = read_message(&mut &length.to_le_bytes()[..]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("a message of {length} bytes")), "{error}");
    }
}

#[test]
fn drawn_messages_are_frames_or_an_error() {
    let (all, mut read) = (frames(), 0);
    for round in 0..60_000 {
        let mut draws = Rng::new(31).at(0, 0, round);
        let bytes = mutated(&all[draws.below(all.len() as u64) as usize], &mut draws);
        let message = read_message(&mut &bytes[..]).ok().flatten();
        read += u32::from(message.is_some_and(|message| Frame::decode(&message).is_ok()));
    }
    assert!(read > 6_000, "the bytes behind the check are looked at, too: {read}");
}

/// A relay in a thread of its own; returns what it told. The sender gets a word when the match begins.
fn relay_telling(plan: Plan, began: Sender<()>) -> (SocketAddr, JoinHandle<(bool, Vec<RelayEvent>)>) {
    let links = TcpLinks::bind("127.0.0.1:0").unwrap();
    let address = links.address().unwrap();
    let relay = Relay::new(links, plan).unwrap();
    let thread = thread::spawn(move || {
        let mut told = Vec::new();
        let was_played = relay.run(|event| {
            if matches!(event, RelayEvent::Began { .. }) {
                let _ = began.send(()); // not every test waits for it
            }
            told.push(event);
        });
        (was_played, told)
    });
    (address, thread)
}

fn relay(plan: Plan) -> (SocketAddr, JoinHandle<(bool, Vec<RelayEvent>)>) {
    relay_telling(plan, channel().0)
}

fn player(address: SocketAddr, setup: Setup) -> JoinHandle<Outcome<Herd>> {
    thread::spawn(move || {
        let client = Client::<Herd, _>::new(TcpLink::connect(address).unwrap(), setup);
        client.run(give_orders, |_| {}).unwrap()
    })
}

#[test]
fn a_match_over_sockets_ends_as_one_that_is_played_alone() {
    let terms = Terms { rate: 0, ..terms(4, 300) };
    let (address, relay) = relay(Plan::new(terms.clone()));
    let players: Vec<_> = (0..4).map(|_| player(address, Setup::default())).collect();
    let end = alone(&terms).checksum();
    for player in players {
        let outcome = player.join().unwrap();
        assert_eq!((outcome.ending, outcome.compared), (Ending::Finished, Some(300)));
        assert_eq!(outcome.state.unwrap().checksum(), end);
    }
    let (was_played, told) = relay.join().unwrap();
    assert!(was_played && told.last() == Some(&RelayEvent::Over));
}

/// A stranger that connects to a relay with a match on it.
fn pester(address: SocketAddr, round: u64) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_millis(20)));
    let mut draws = Rng::new(51).at(0, 0, round);
    let all = frames();
    let mut bytes = Vec::new();
    if draws.below(2) == 0 {
        bytes.extend(framed(&all[0].encode()));
    }
    for _ in 0..draws.below(30) {
        match draws.below(4) {
            0 => bytes.extend((0..draws.below(300)).map(|_| draws.bits() as u8)),
            _ => bytes.extend(mutated(&all[draws.below(all.len() as u64) as usize], &mut draws)),
        }
    }
    let _ = stream.write_all(&bytes);
    let _ = stream.read(&mut [0; 64]);
}

#[test]
fn rubbish_to_a_relay_changes_nothing_of_its_match() {
    let terms = Terms { rate: 100, ..terms(3, 250) };
    let (give, began) = channel();
    let (address, relay) = relay_telling(Plan::new(terms.clone()), give);
    let players: Vec<_> = (0..3).map(|_| player(address, Setup::default())).collect();
    // All three have their seats before the strangers come.
    began.recv().unwrap();
    // Some say nothing at all, and stay.
    let silent: Vec<_> = (0..20).map(|_| TcpStream::connect(address).unwrap()).collect();
    let pesters: Vec<_> = (0..4)
        .map(|thread| {
            thread::spawn(move || (0..40).for_each(|round| pester(address, thread * 1_000 + round)))
        })
        .collect();
    let end = alone(&terms).checksum();
    for player in players {
        let outcome = player.join().unwrap();
        assert_eq!((outcome.ending, outcome.compared), (Ending::Finished, Some(250)));
        assert_eq!(outcome.state.unwrap().checksum(), end);
    }
    pesters.into_iter().for_each(|thread| thread.join().unwrap());
    drop(silent);
    let (was_played, told) = relay.join().unwrap();
    let turned = told.iter().filter(|event| matches!(event, RelayEvent::Turned { .. })).count();
    assert!(was_played && turned > 20, "rubbish is reported: {turned}");
}

/// A player that floods another one with messages, and reads nothing: neither the relay nor the others are held up.
#[test]
fn a_player_that_sends_too_much_and_reads_nothing_holds_up_none() {
    let terms = Terms { rate: 0, ..terms(3, 200) };
    let patience = Duration::from_millis(1_500);
    let (address, relay) = relay(Plan { patience, ..Plan::new(terms) });
    let players: Vec<_> = (0..2).map(|_| player(address, Setup::default())).collect();
    let flood = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        let game = GameId::of::<Herd>();
        let join = Frame::Join { protocol: PROTOCOL, game, seat: None, ticket: Vec::new() };
        let mut bytes = framed(&join.encode());
        let message = Frame::Compare { seat: 0, since: 0, message: vec![7; 30_000] };
        (0..50).for_each(|_| bytes.extend(framed(&message.encode())));
        let mut sent = 0_u64;
        while stream.write_all(&bytes).is_ok() {
            sent += bytes.len() as u64;
            bytes = framed(&message.encode());
        }
        sent
    });
    for player in players {
        let outcome = player.join().unwrap();
        assert_eq!((outcome.ending, outcome.compared), (Ending::Finished, Some(200)));
    }
    let (_, told) = relay.join().unwrap();
    assert!(
        told.iter().any(|event| matches!(event, RelayEvent::Gone { reason, .. } if reason.contains("wait")))
    );
    assert!(flood.join().unwrap() > 1 << 20);
}

/// A relay that sends valid messages for a while, and then others.
fn false_relay(listener: TcpListener, round: u64) {
    let Ok((mut stream, _)) = listener.accept() else { return };
    let mut draws = Rng::new(41).at(0, 0, round);
    let all = frames();
    // A valid beginning, so that later messages are read as well.
    let sound = draws.below(5) as usize;
    let mut bytes: Vec<u8> = all[1..].iter().take(sound).flat_map(|frame| framed(&frame.encode())).collect();
    for _ in 0..40 {
        let index = draws.below(all.len() as u64 - 2) as usize;
        bytes.extend(mutated(&all[index], &mut draws));
    }
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = std::io::copy(&mut Read::take(&mut stream, 1 << 20), &mut std::io::sink());
}

#[test]
fn a_player_survives_whatever_a_relay_sends() {
    let (mut broken, mut played) = (0, 0);
    let rounds: Vec<JoinHandle<(u64, Outcome<Herd>)>> = (0..200)
        .map(|round| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            thread::spawn(move || false_relay(listener, round));
            thread::spawn(move || {
                let client = Client::<Herd, _>::new(TcpLink::connect(address).unwrap(), Setup::default());
                (round, client.run(|_| {}, |_| {}).unwrap())
            })
        })
        .collect();
    for thread in rounds {
        let (round, outcome) = thread.join().unwrap();
        match outcome.ending {
            Ending::Broken(_) | Ending::Lost(_) | Ending::Refused(_) | Ending::Early => broken += 1,
            Ending::Finished => {}
            other => panic!("round {round}: {other}"),
        }
        played += u32::from(outcome.state.is_some());
    }
    assert!(broken > 180 && played > 80, "{broken} {played}");
}

#[test]
fn terms_of_a_false_relay_are_looked_at() {
    let sound = terms(2, 50);
    let mut other = sound.clone();
    other.game.version += 1;
    let options = Terms::new::<Herd>(1, 2, &Pasture { seed: 1, animals: 9 }).unwrap().options;
    for (terms, seat, words) in [
        (Terms { players: 99, ..sound.clone() }, 0, "players is 99, must be in 1..=32"),
        (Terms { delay: 0, ..sound.clone() }, 0, "delay is 0, must be in 1..=40"),
        (Terms { options: vec![1, 201], ..sound.clone() }, 0, "animals is 201"),
        (Terms { options: vec![1], ..sound.clone() }, 0, "options: "),
        (Terms { options: [&options[..], &[0]].concat(), ..sound.clone() }, 0, "1 bytes too many"),
        (other, 0, "a match of `herd` version 4"),
        (sound, 2, "there are 2 seats"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let relay = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let begin = Frame::Begin { terms, seat, seats: vec![0], has_state: false, coming: 1 };
            stream.write_all(&framed(&begin.encode())).unwrap();
            let _ = stream.read(&mut [0; 64]);
            stream
        });
        let client = Client::<Herd, _>::new(TcpLink::connect(address).unwrap(), Setup::default());
        let outcome = client.run(|_| {}, |_| {}).unwrap();
        assert!(
            matches!(&outcome.ending, Ending::Broken(said) if said.contains(words)),
            "{words}: {outcome:?}"
        );
        drop(relay.join().unwrap());
    }
}

#[test]
fn links_that_are_closed_say_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut link = TcpLink::connect(listener.local_addr().unwrap()).unwrap();
    let (mut other, _) = listener.accept().unwrap();
    other.write_all(&framed(&[1, 2, 3])).unwrap();
    drop(other);
    let wait = Duration::from_secs(60);
    let began = Instant::now();
    assert_eq!(link.receive(wait).unwrap(), Some(vec![1, 2, 3]), "what came before is there");
    assert!(link.receive(wait).is_err() && link.receive(wait).is_err());
    assert!(began.elapsed() < wait);
    drop(listener);
    // There is no relay at a port of nothing.
    assert!(TcpLink::connect("127.0.0.1:1").is_err());
}

/// A client that does not read holds up neither the closing of its connection nor the end of the relay.
#[test]
fn connections_that_do_not_read_are_cut_off() {
    let mut links = TcpLinks::bind("127.0.0.1:0").unwrap();
    let streams: Vec<TcpStream> =
        (0..2).map(|_| TcpStream::connect(links.address().unwrap()).unwrap()).collect();
    let mut open = Vec::new();
    while open.len() < streams.len() {
        if let Some((connection, Arrival::Connected)) = links.receive(Duration::from_millis(10)) {
            open.push(connection);
        }
    }
    let message = vec![7; 1 << 16].into();
    for &connection in &open {
        (0..500).for_each(|_| links.send(connection, &message).unwrap());
        assert!(links.waiting(connection) > 1 << 20, "32 MiB are more than a socket takes");
    }
    let began = Instant::now();
    links.close(open[0]);
    assert!(links.send(open[0], &message).is_err());
    drop(links);
    // Three seconds for what waits, not the minutes that a slow reader takes.
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    drop(streams);
}
