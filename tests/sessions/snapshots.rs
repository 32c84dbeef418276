//! The bytes of a session's snapshot, its limits, and copies into used memory.

use bitstep::{
    World,
    session::{Game, Ring, Session, SessionError, Simulation, Tick, TickLog},
    snapshot::{self, FORMAT_VERSION, RULES_VERSION, SnapshotError},
    state::{Limits, SceneryBuilder, StateError},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

const LONG: [u8; 255] = [b'n'; 255];
const TOO_LONG: [u8; 256] = [b'n'; 256];

/// A name of the same letter.
const fn text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!(),
    }
}

macro_rules! counting_game {
    ($game:ident, $name:expr) => {
        /// A game that counts, and says so above 2.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        struct $game {
            count: u32,
        }

        impl Game for $game {
            type Input = u32;
            const NAME: &'static str = $name;

            fn tick(&mut self, tick: &mut Tick<'_>, more: &[u32]) {
                self.count += more.iter().sum::<u32>();
                tick.step();
            }

            fn outcome(&self) -> String {
                if self.count > 2 { format!("counted {}", self.count) } else { String::new() }
            }
        }
    };
}

counting_game!(Counting, "counting");
counting_game!(Long, text(&LONG));
counting_game!(TooLong, text(&TOO_LONG));

fn world() -> World {
    World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap()
}

fn session(count: u32) -> Session<Counting> {
    Session::new(world(), Counting { count }, 7).unwrap()
}

fn encode(state: &impl Simulation) -> Vec<u8> {
    let mut bytes = vec![7]; // old content is replaced
    state.encode_into(&mut bytes);
    bytes
}

/// Size of the header of a world's snapshot: magic, versions and the hash of the scenery.
const WORLD_HEADER: usize = 6 + 2 + 4 + 16;

/// The snapshot of a session as docs/formats.md has it.
fn expected(name: &str, tick: u64, rules_version: u32, count: u32) -> Vec<u8> {
    let mut bare = world();
    (0..tick).for_each(|_| bare.step(&mut TickReport::default()));
    let mut world = snapshot::encode(&bare);
    world[8..12].copy_from_slice(&rules_version.to_le_bytes());
    [
        b"bitses",
        &FORMAT_VERSION.to_le_bytes()[..],
        &rules_version.to_le_bytes(),
        &[name.len() as u8],
        name.as_bytes(),
        &7_u64.to_le_bytes(),
        &tick.to_le_bytes(),
        &(world.len() as u64).to_le_bytes(),
        &world,
        &count.to_le_bytes(),
    ]
    .concat()
}

#[test]
fn a_snapshot_has_the_bytes_of_its_table() {
    let mut session = session(1);
    assert_eq!(encode(&session), expected("counting", 0, RULES_VERSION, 1));
    session.tick(&[4, 5], &mut TickReport::default());
    assert_eq!(encode(&session), expected("counting", 1, RULES_VERSION, 10));
}

#[test]
fn a_snapshot_gets_the_rules_version_of_another_build_in_both_its_parts() {
    let mut bytes = encode(&session(1));
    Session::<Counting>::relabel(&mut bytes, 3);
    assert_eq!(bytes, expected("counting", 0, 3, 1));
    let mut bare = snapshot::encode(&world());
    World::relabel(&mut bare, 3);
    assert_eq!(bare, expected("", 0, 3, 0)[13 + 24..][..bare.len()]);

    // Bytes that are no snapshot of the game stay as they are.
    let sound = encode(&session(1));
    let other = expected("Counting", 0, RULES_VERSION, 1);
    let torn = [b"Bitses", &sound[6..]].concat();
    for bytes in [&[][..], b"bitses", &sound[..12], &sound[..40], &sound[..sound.len() / 2], &other, &torn] {
        let mut relabelled = bytes.to_vec();
        Session::<Counting>::relabel(&mut relabelled, 3);
        assert_eq!(relabelled, bytes);
    }
    for bytes in [&[][..], b"bitsnap", &bare[..WORLD_HEADER - 1], &sound] {
        let mut relabelled = bytes.to_vec();
        World::relabel(&mut relabelled, 4);
        assert_eq!(relabelled, bytes);
    }
}

#[test]
fn a_tick_beyond_63_bits_is_refused() {
    let bytes = encode(&session(1));
    let at = 13 + "counting".len() + 8;
    let last = u64::MAX >> 1;
    for (tick, is_read) in [(0, true), (last - 1, true), (last, true), (last + 1, false), (u64::MAX, false)] {
        let mut other = bytes.clone();
        other[at..at + 8].copy_from_slice(&tick.to_le_bytes());
        let found = Session::<Counting>::decode(&other, world().scenery()).map(|it| it.tick_count());
        let refusal = StateError::Count { field: "session.tick".to_owned(), value: tick, low: 0, high: last };
        assert_eq!(found, if is_read { Ok(tick) } else { Err(SnapshotError::from(refusal)) });
    }
}

#[test]
fn a_name_of_255_bytes_is_the_longest() {
    let long = Session::new(world(), Long { count: 3 }, 7).unwrap();
    assert_eq!(encode(&long), expected(text(&LONG), 0, RULES_VERSION, 3));
    let read = Session::<Long>::decode(&encode(&long), long.scenery()).unwrap();
    assert_eq!(read.game(), long.game());
    let refusal = Session::new(world(), TooLong { count: 3 }, 7).unwrap_err();
    assert_eq!(refusal, SessionError::Name(256));
}

#[test]
fn an_outcome_is_what_the_game_says_or_the_bodies() {
    for (count, outcome, caption) in [(2, "0 bodies: ", ""), (3, "counted 3", "counted 3")] {
        assert_eq!(
            (session(count).outcome().as_str(), session(count).caption().as_str()),
            (outcome, caption)
        );
    }
}

#[test]
fn a_copy_into_used_memory_is_all_of_the_session() {
    let (mut used, mut source) = (session(1), Session::new(world(), Counting { count: 5 }, 8).unwrap());
    source.tick(&[6], &mut TickReport::default());
    used.clone_from(&source);
    assert_eq!((encode(&used), used.seed()), (encode(&source), 8));

    // A ring copies so as well.
    let (mut ring, mut played) = (Ring::new(&session(1), 3).unwrap(), session(1));
    for _ in 0..5 {
        played.tick(&[1], &mut TickReport::default());
        ring.save(&played);
    }
    ring.restore(4, &mut played).unwrap();
    assert_eq!((played.tick_count(), played.game().count), (4, 5));
}

/// A log that was used for a game has nothing of it when it is used for a world alone.
#[test]
fn a_log_used_before_is_as_a_fresh_one() {
    for fresh in [TickLog::sums(), TickLog::states()] {
        let (mut used, mut report) = (fresh.clone(), TickReport::default());
        session(9).tick_logged(&[1], &mut report, &mut used).accepted().unwrap();
        let logged = [used, fresh].map(|mut log| {
            world().tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
            log
        });
        assert_eq!(logged[0], logged[1]);
        assert!(logged[0].phases.len() > 4, "{:?}", logged[0]);
    }
}
