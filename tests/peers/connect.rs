//! Hello: a peer with another handshake is told the differences.

use bitstep::{
    World,
    geom::Vec3,
    peer::{Config, Event, PROTOCOL_VERSION, Peer, PeerError},
    session::{Game, Session, Simulation, Tick},
    state::{Command, Limits, SceneryBuilder},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    games::{session, world},
    support::{gas, gas_beside},
};

/// Lets two peers talk for a while without losses; the events of both.
fn meet<A: Simulation, B: Simulation>(a: &mut Peer<A>, b: &mut Peer<B>) -> [Vec<Event>; 2] {
    for _ in 0..10 {
        a.poll(&mut |message| {
            let _ = b.receive(message);
        });
        b.poll(&mut |message| {
            let _ = a.receive(message);
        });
    }
    let events = |next: &mut dyn FnMut() -> Option<Event>| std::iter::from_fn(next).collect();
    [events(&mut || a.next_event()), events(&mut || b.next_event())]
}

/// The differences that each of two initial states reports, which must be mirror images.
fn differences<A: Simulation, B: Simulation>(a: &A, b: &B, sessions: [u64; 2]) -> Vec<String> {
    let config = |session| Config { session, ..Config::default() };
    let mut peers = (Peer::new(a, config(sessions[0])).unwrap(), Peer::new(b, config(sessions[1])).unwrap());
    let told = meet(&mut peers.0, &mut peers.1).map(|events| match <[Event; 1]>::try_from(events) {
        Ok([Event::HandshakeMismatch { differences }]) => differences,
        events => panic!("{events:?}"),
    });
    assert_eq!(told[0].len(), told[1].len());
    for (one, other) in told[0].iter().zip(&told[1]) {
        assert_eq!((&one.path, &one.left, &one.right), (&other.path, &other.right, &other.left));
    }
    told[0].iter().map(ToString::to_string).collect()
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Other {}

impl Game for Other {
    type Input = u32;
    const NAME: &'static str = "other\u{1b}[2J";

    fn tick(&mut self, tick: &mut Tick<'_>, _: &[u32]) {
        tick.step();
    }
}

#[test]
fn equal_initial_states_connect() {
    let (mut a, mut b) =
        (Peer::new(&world(), Config::default()).unwrap(), Peer::new(&world(), Config::default()).unwrap());
    assert_eq!(meet(&mut a, &mut b), [[Event::Connected], [Event::Connected]]);
    a.poll(&mut |message| panic!("{message:?} is said where nothing is to be said"));
}

#[test]
fn worlds_in_which_bodies_sleep_connect() {
    let world = |sleep_after| {
        let limits = Limits::new(60).with_sleep_after(sleep_after);
        World::new(limits, SceneryBuilder::default().build().unwrap()).unwrap()
    };
    let peer = || Peer::new(&world(30), Config::default()).unwrap();
    assert_eq!(meet(&mut peer(), &mut peer()), [[Event::Connected], [Event::Connected]]);
    let other = Limits::new(60).with_sleep_after(31);
    let other = World::new(other, SceneryBuilder::default().build().unwrap()).unwrap();
    assert!(differences(&world(30), &other, [1; 2]).contains(&"limits.sleep_after: 30 | 31".to_owned()));
    assert!(differences(&world(0), &other, [1; 2]).iter().any(|path| path.starts_with("limits.sleep_after")));
}

#[test]
fn a_peer_that_comes_back_is_answered() {
    let [mut a, mut b, mut again] = [0; 3].map(|_| Peer::new(&world(), Config::default()).unwrap());
    assert_eq!(meet(&mut a, &mut b), [[Event::Connected], [Event::Connected]]);
    let events = meet(&mut a, &mut again);
    assert_eq!((&events[0][..], &events[1][..]), (&[][..], &[Event::Connected][..]));
}

#[test]
fn differences_of_handshakes_are_named_with_both_values() {
    let plain = world();
    let paths = |lines: Vec<String>| -> Vec<String> {
        lines.iter().map(|line| line.split(": ").next().unwrap().to_owned()).collect()
    };
    assert_eq!(differences(&plain, &plain, [7, 8]), ["session: 7 | 8"]);

    let beside = differences(&plain, &gas_beside(3, 5, 1), [0, 0]);
    assert_eq!(paths(beside), ["scenery", "initial checksum"]);

    assert_eq!(paths(differences(&plain, &gas(3, 6), [0, 0])), ["initial checksum"]);

    let mut older = plain.clone();
    older.step(&mut TickReport::default());
    let later = differences(&plain, &older, [0, 0]);
    assert_eq!(later[0], "initial tick: 0 | 1");
    assert_eq!(paths(later), ["initial tick", "initial checksum"]);

    let mut state = plain.state().clone();
    state.limits.budget -= 1;
    let limited = World::from_state(state, plain.scenery().clone()).unwrap();
    let found = differences(&plain, &limited, [0, 0]);
    let budget = plain.limits().budget;
    assert_eq!(found[1], format!("limits.budget: {budget} | {}", budget - 1));
    assert_eq!(paths(found), ["initial checksum", "limits.budget"]);

    let other = Session::new(world(), Other {}, 99).unwrap();
    let found = differences(&session(), &other, [0, 0]);
    assert_eq!(found[0], "game: digging | other\\u{1b}[2J", "nothing that moves a terminal's cursor");
    assert_eq!(paths(found), ["game", "initial checksum"]);

    let pulled = differences(&plain, &with_gravity(), [0, 0]);
    assert_eq!(paths(pulled), ["initial checksum"]);
}

fn with_gravity() -> World {
    let mut world = world();
    world.apply(&[Command::SetGravity { gravity: Vec3::from_raw([0, -4, 0]) }]).accepted().unwrap();
    world
}

/// A hello as another version sends it: only its first three bytes and its check are fixed.
fn hello_of_version(version: u8) -> Vec<u8> {
    let mut bytes = vec![0xb5, version, 1];
    bytes.extend(b"who knows what");
    let check = xxh3_64_with_seed(&bytes, 0) as u32;
    bytes.extend(check.to_le_bytes());
    bytes
}

#[test]
fn another_version_of_the_protocol_is_refused_by_both_numbers() {
    for theirs in [0, PROTOCOL_VERSION + 1, 255] {
        let mut peer = Peer::new(&world(), Config::default()).unwrap();
        for _ in 0..3 {
            let refusal = peer.receive(&hello_of_version(theirs)).unwrap_err();
            assert_eq!(refusal, PeerError::Protocol { theirs });
            assert_eq!(
                refusal.to_string(),
                format!("protocol {theirs}, this build speaks {PROTOCOL_VERSION}")
            );
        }
        assert_eq!(peer.next_event(), Some(Event::OtherProtocol { ours: PROTOCOL_VERSION, theirs }));
        assert_eq!(peer.next_event(), None, "each event comes once");
        let mut hello = Vec::<u8>::new();
        peer.poll(&mut |message| hello.extend(message));
        assert_eq!(hello[..3], [0xb5, PROTOCOL_VERSION, 1], "so that the other learns it too");
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let cases = [
        (Config { ticks: 1, ..Config::default() }, "ticks is 1, must be in 2..=1000000"),
        (
            Config { message_bytes_max: 511, ..Config::default() },
            "message_bytes_max is 511, must be in 512..=65507",
        ),
        (Config { pieces_per_poll: 0, ..Config::default() }, "pieces_per_poll is 0, must be in 1..=64"),
    ];
    for (config, text) in cases {
        assert_eq!(Peer::new(&world(), config).unwrap_err().to_string(), text);
    }
}
