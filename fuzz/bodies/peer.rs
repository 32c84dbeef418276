//! Bytes that may be messages between peers: taking them is an answer or a refusal, and all messages and
//! findings stay within their bounds.
//!
//! Each message is made to fit its check first, so that it gets past that, to the rules behind.

use bitstep::{
    World,
    num::lit,
    peer::{Config, Event, Peer},
    session::TickLog,
    shape::Shape,
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// How many ticks are confirmed before the first message.
const TICKS: u32 = 12;

/// Kind 0 is a poll; a hello's check has no seed.
const POLL: u8 = 0;
const HELLO: u8 = 1;

/// Takes messages, each of a kind (1 byte), a length (2) and a content; returns whether both desync reports
/// were compared.
///
/// # Panics
///
/// If a bound is broken.
pub fn body(bytes: &[u8]) -> bool {
    let (mut peer, seal) = agreed();
    let _ = peer.receive(bytes); // as it is
    let (mut events, mut is_disputed) = (0, false);
    let mut rest = bytes;
    while let Some((&[kind, low, high], behind)) = rest.split_first_chunk() {
        let length = usize::from(u16::from_le_bytes([low, high]));
        let (content, behind) = behind.split_at(length.min(behind.len()));
        rest = behind;
        if kind != POLL {
            let _ = peer.receive(&sealed(kind, content, seal));
            continue;
        }
        let mut messages = 0;
        peer.poll(&mut |message| {
            messages += 1;
            assert!(message.len() <= 1_024, "a message of {} bytes", message.len());
        });
        assert!(messages <= 3 + 8, "{messages} messages by one poll");
        while let Some(event) = peer.next_event() {
            events += 1;
            is_disputed |= matches!(event, Event::RemoteReport { .. } | Event::NoRemoteReport { .. });
        }
    }
    assert!(events <= 2, "each event comes at most once: {events}");
    assert!(u64::from(TICKS) >= peer.compared(), "compared to tick {}", peer.compared());
    is_disputed
}

/// A peer that has received a hello and confirmed some ticks, and the seal of its messages.
fn agreed() -> (Peer<World>, u64) {
    let mut world = initial_state();
    let mut peer = Peer::new(&world, Config::default()).expect("the default settings");
    let mut hello = Vec::new();
    peer.clone().poll(&mut |message| hello = message.to_vec());
    peer.receive(&hello).expect("its own hello has its own handshake");
    let mut report = TickReport::default();
    for _ in 0..TICKS {
        world.step(&mut report);
        peer.confirm(&world, &[], &TickLog::off()).expect("the next tick");
    }
    assert_eq!(peer.next_event(), Some(Event::Connected));
    (peer, xxh3_64(&hello[4..hello.len() - 4]))
}

/// Two balls, of which one moves.
fn initial_state() -> World {
    let mut scenery = SceneryBuilder::default();
    scenery.material(Material::ELASTIC);
    let ball = scenery.shape(Shape::sphere(lit("0.5")));
    let scenery = scenery.build().expect("a scenery");
    let mut world = World::new(Limits::new(60), scenery).expect("limits");
    for x in [lit("0"), lit("3")] {
        let position = bitstep::geom::Vec3::new(x, lit("0"), lit("0"));
        let velocity = position.map_raw(|raw| -raw / 64);
        let _ = world.apply(&[Command::Spawn(Spawn { velocity, ..Spawn::new(ball, position) })]);
    }
    world
}

fn sealed(kind: u8, content: &[u8], seal: u64) -> Vec<u8> {
    let mut bytes = vec![0xb5, 1, kind];
    bytes.extend(content);
    let check = xxh3_64_with_seed(&bytes, if kind == HELLO { 0 } else { seal }) as u32;
    bytes.extend(check.to_le_bytes());
    bytes
}
