//! The trace layer holds the course of a tick, and every byte of it is validated.

use bitstep::{
    World,
    geom::Vec3,
    num::lit,
    replay::{
        Fault, NAME_BYTES_MAX, PHASES_MAX, Player, Recorder, Replay, ReplayError, clip, decode_log,
        encode_log_into, play, repair, verify,
    },
    session::{Game, LoggedDraw, Origin, PhaseState, Session, Simulation, Tick, TickLog},
    shape::Shape,
    state::{Command, Limits, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

use crate::records;

/// Players drop balls and count them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Drops {
    count: u32,
}

impl Game for Drops {
    type Input = u32;
    const NAME: &'static str = "drops";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[u32]) {
        for column in inputs {
            let height = tick.draws(1, u64::from(*column)).between(0, 1 << 32);
            let position = Vec3::from_raw([i64::from(*column) << 34, height, 0]);
            self.count += u32::from(tick.apply(Command::Spawn(Spawn::new(ShapeId(0), position))).is_ok());
        }
        tick.mark("drops", self);
        tick.step();
    }
}

fn session() -> Session<Drops> {
    let mut builder = SceneryBuilder::default();
    builder.material(bitstep::state::Material::ELASTIC);
    builder.shape(Shape::sphere(lit("0.5")));
    let world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    Session::new(world, Drops { count: 0 }, 3).unwrap()
}

/// The logs of some ticks, and their recording.
fn logged(fresh: fn() -> TickLog) -> (Vec<TickLog>, Vec<u8>) {
    let (mut session, mut report, mut logs) = (session(), TickReport::default(), Vec::new());
    let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
    for tick in 0..30 {
        let inputs: Vec<u32> = (0..tick % 3).map(|player| player * 40 + tick).collect();
        let mut log = fresh();
        session.tick_logged(&inputs, &mut report, &mut log).accepted().unwrap();
        recorder.tick_logged(&inputs, &session, &log).unwrap();
        logs.push(log);
    }
    (logs, recorder.finish().unwrap())
}

fn encoded(log: &TickLog) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_log_into(log, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_recording_gives_every_log_back() {
    for fresh in [TickLog::states, TickLog::sums] {
        let (logs, bytes) = logged(fresh);
        let replay = Replay::<Session<Drops>>::read(&bytes).unwrap();
        let found: Vec<TickLog> = replay.ticks().iter().map(|record| record.log().unwrap()).collect();
        assert_eq!(found, logs);
        let names: Vec<&str> = found[4].phases.iter().map(|phase| phase.name.as_str()).collect();
        assert_eq!(names, ["drops", "apply", "integrate", "rest", "impacts", "finish", "end"]);
        // The content depends on the log: a log of sums has neither commands nor states.
        let keeps = found[4].keeps_states();
        assert_eq!((found[4].commands.len(), found[4].draws.len()), if keeps { (1, 1) } else { (0, 0) });
        assert_eq!(found[4].phases.iter().all(|phase| phase.world.is_empty()), !keeps);
        assert!(!keeps || found[4].commands[0].origin.is_some() == cfg!(feature = "trace"));
    }
    let (_, bytes) = logged(TickLog::off);
    let replay = Replay::<Session<Drops>>::read(&bytes).unwrap();
    assert!(replay.ticks().iter().all(|record| !record.has_log()));
}

#[test]
fn a_tick_tells_the_size_of_its_layer() {
    for fresh in [TickLog::states, TickLog::sums, TickLog::off] {
        let (logs, bytes) = logged(fresh);
        let replay = Replay::<Session<Drops>>::read(&bytes).unwrap();
        let found: Vec<u64> = replay.ticks().iter().map(|record| record.layer_bytes()).collect();
        let size = |log: &TickLog| if log.is_on() { encoded(log).len() as u64 } else { 0 };
        assert_eq!(found, logs.iter().map(size).collect::<Vec<_>>());
    }
}

#[test]
fn a_session_is_sought_in_clipped_and_repaired_as_a_world_is() {
    let (_, bytes) = logged(TickLog::states);
    let replay = Replay::<Session<Drops>>::read(&bytes).unwrap();
    let mut played = vec![replay.initial_state().checksum()];
    play(&replay, |session, _| played.push(session.checksum()));
    assert_eq!(verify(&replay, |_, _| ()).unwrap().divergence, None);
    let mut player = Player::new(&replay);
    for tick in (0..=30).chain((0..30).rev()) {
        assert_eq!(player.seek(tick).unwrap().checksum(), played[tick as usize], "{tick}");
    }
    let part = Replay::<Session<Drops>>::read(&clip(&replay, 9..=12, false).unwrap()).unwrap();
    assert_eq!((part.initial_state().checksum(), part.ticks()), (played[8], &replay.ticks()[8..12]));
    let repaired = repair::<Session<Drops>>(&bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(Replay::<Session<Drops>>::read(&repaired.bytes).unwrap().ticks(), replay.ticks());
}

#[test]
fn phases_that_hardly_differ_take_hardly_more() {
    let (logs, _) = logged(TickLog::states);
    let last = logs.last().unwrap();
    let states: usize = last.phases.iter().map(|phase| phase.world.len() + phase.game.len()).sum();
    let size = encoded(last).len();
    assert!(size * 5 < states, "{size} bytes for {states}");
}

#[test]
fn damaged_layers_are_refused_or_are_logs() {
    let (logs, _) = logged(TickLog::states);
    for log in &logs[3..6] {
        let bytes = encoded(log);
        let mut read = 0;
        for at in 0..bytes.len() {
            assert!(decode_log(&bytes[..at]).is_err());
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                if let Ok(log) = decode_log(&damaged) {
                    // One that is read can be written, and is the same when it is read again.
                    assert_eq!(decode_log(&encoded(&log)).as_ref(), Ok(&log));
                    read += 1;
                }
            }
        }
        assert!(read > 500, "{read}");
        assert!(decode_log(&[&bytes[..], &[0]].concat()).is_err());
    }
}

#[test]
fn lengths_that_a_layer_announces_are_checked() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    let with_huge = |before: &[u8]| [before, &huge].concat();
    let cases: [(Vec<u8>, &str); 16] = [
        (vec![], "the bytes end inside a number"),
        (vec![0x80, 0], "a number is malformed"),
        (vec![7], "1 bytes are announced, 0 are left"),
        (vec![7, 3, 0, 0, 0, 0], "kind 3 is unknown"),
        (with_huge(&[7, 2]), "the bytes end inside a number"),
        (with_huge(&[7, 2, 1]), "18446744073709551615 bytes in a name, at most 255"),
        (vec![7, 2, 1, 9, b'a'], "9 bytes are announced, 1 are left"),
        (vec![7, 2, 1, 1, 0xff], "a name is not UTF-8"),
        (vec![7, 2, 1, 1, 0x1b], "a name holds what cannot be printed: \"\\u{1b}\""),
        (with_huge(&[7, 2, 0]), "the bytes end inside a command"),
        (vec![7, 2, 0, 1, 99, 0, 0], "command number 99 is unknown"),
        (vec![7, 2, 0, 0, 1, 5, 6, 1, 1], "file 0 is not in the list"),
        (with_huge(&[7, 2, 0, 0, 0]), "18446744073709551615 phases, at most 256"),
        (with_huge(&[7, 2, 0, 0, 0, 1, 0, 8]), "bytes are to be copied beyond the phase before"),
        (with_huge(&[7, 2, 0, 0, 0, 1, 0, 8, 0]), "18446744073709551615 bytes are announced, 0 are left"),
        (vec![7, 2, 0, 0, 0, 1, 0, 8, 0, 0], "a state does not go on"),
    ];
    for (bytes, text) in cases {
        let error = decode_log(&bytes).unwrap_err().to_string();
        assert!(error.contains(text), "{error}, not {text}");
    }
    let longer = decode_log(&[7, 2, 0, 0, 0, 1, 0, 1, 0, 2, 9, 9, 0]).unwrap_err();
    assert_eq!(longer, ReplayError::Layer(Fault::Layer("a state is longer than it says".to_owned())));
    assert!(decode_log(&[7, 2, 0, 0, 0, 1, 0, 1, 0, 1, 9, 0]).is_ok());
}

#[test]
fn a_layer_unfolds_to_a_multiple_of_itself_at_most() {
    let mut log = TickLog::states();
    let phase = |_| PhaseState::of(String::new(), vec![7; 10_000], Vec::new());
    log.phases = (0..PHASES_MAX).map(phase).collect();
    let bytes = encoded(&log);
    assert!(bytes.len() < 12_000, "{}", bytes.len());
    assert_eq!(decode_log(&bytes), Ok(log.clone()));
    log.phases.push(phase(0));
    let error = encode_log_into(&log, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "trace layer: 257 phases, at most 256");
    log.phases.clear();
    log.phases.push(PhaseState::of("n".repeat(NAME_BYTES_MAX + 1), Vec::new(), Vec::new()));
    assert!(encode_log_into(&log, &mut Vec::new()).is_err());
    // Of a long path the end is more useful than the front.
    log.phases.clear();
    let file = format!("{}/é/orders.rs", "folder/".repeat(60));
    log.draws.push(LoggedDraw { purpose: 1, id: 2, origin: Some(Origin { file: file.clone(), line: 9 }) });
    let kept = decode_log(&encoded(&log)).unwrap().draws[0].origin.clone().unwrap();
    assert!(kept.file.len() > NAME_BYTES_MAX - 2 && file.ends_with(&kept.file), "{}", kept.file);
}

#[test]
fn a_small_layer_does_not_unfold_to_large_states() {
    // 256 times 300,000 bytes are more than 64 MiB and 16 times what is written.
    let length = [0xe0, 0xa7, 0x12];
    let mut bytes = [&[7, 2, 0, 0, 0, 0x80, 2, 0][..], &length, &[0], &length, &[9; 300_000], &[0]].concat();
    (1..256).for_each(|_| bytes.extend([&[0][..], &length, &length, &[0, 0]].concat()));
    let error = decode_log(&bytes).unwrap_err().to_string();
    let most = (64 << 20) + 16 * bytes.len();
    let first = (most / 300_000 + 1) * 300_000;
    assert_eq!(error, format!("trace layer: {first} bytes of states, at most {most}"));
    let mut log = TickLog::states();
    log.phases = (0..256).map(|_| PhaseState::of(String::new(), vec![9; 300_000], Vec::new())).collect();
    let error = encode_log_into(&log, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("trace layer: 76800000 bytes of states, at most "), "{error}");
    log.phases.truncate(200);
    assert_eq!(decode_log(&encoded(&log)), Ok(log));
}

/// 64 MiB, and sixteen times the size of a layer.
fn most_bytes_of_states(layer_bytes: usize) -> usize {
    (64 << 20) + 16 * layer_bytes
}

#[test]
fn states_that_a_layer_announces_may_be_so_large_and_no_larger() {
    // One phase without a name; it ends behind the length of the world, which has four digits of seven bits.
    let told = |length: usize| {
        let digits = [0, 7, 14].map(|shift| (length >> shift) as u8 | 0x80);
        let layer = [&[7, 2, 0, 0, 0, 1, 0][..], &digits, &[(length >> 21) as u8]].concat();
        decode_log(&layer).unwrap_err().to_string()
    };
    let most = most_bytes_of_states(11);
    assert_eq!(told(most), "trace layer: the bytes end inside a number");
    let refused = format!("trace layer: {} bytes of states, at most {most}", most + 1);
    assert_eq!(told(most + 1), refused);
}

#[test]
fn bytes_before_a_layer_make_no_room_for_larger_states() {
    // Hashes of one phase without a name are written in 15 bytes; its state counts, but is not looked at.
    let most = most_bytes_of_states(15);
    for (before, length, is_written) in
        [(0, most, true), (0, most + 1, false), (1, most, true), (1, most + 1, false)]
    {
        let mut log = TickLog::sums();
        let (name, world, game) = (String::new(), vec![0; length], Vec::new());
        log.phases.push(PhaseState { name, sum: 9, world, game });
        let mut bytes = vec![5; before];
        assert_eq!(encode_log_into(&log, &mut bytes).is_ok(), is_written, "{length} behind {before}");
        assert_eq!(bytes.len(), before + 15);
    }
}

#[test]
fn a_layer_belongs_to_one_tick() {
    let (logs, bytes) = logged(TickLog::states);
    let parts = records::parts(&bytes);
    let layers: Vec<usize> = (0..parts.len()).filter(|at| *at > 0 && parts[*at][0] == 8).collect();
    assert_eq!(layers.len(), logs.len());
    let refused = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut changed = parts.clone();
        change(&mut changed);
        Replay::<Session<Drops>>::read(&changed.concat()).unwrap_err().to_string()
    };
    let twice = refused(&|parts| parts.insert(layers[3], parts[layers[3]].clone()));
    assert!(twice.contains("record kind 8 comes twice before a tick"), "{twice}");
    let other = refused(&|parts| parts.swap(layers[3], layers[4]));
    assert!(other.contains("record kind 8 is of another tick"), "{other}");
    let late = refused(&|parts| parts.insert(parts.len() - 1, records::sealed(8, &layer_of(31))));
    assert!(late.contains("record kind 8 belongs to no tick: none follows"), "{late}");
    let damaged = refused(&|parts| parts[layers[3]] = records::sealed(8, &[4, 3]));
    assert!(damaged.contains("trace layer: kind 3 is unknown"), "{damaged}");
    let (mut session, mut log) = (session(), TickLog::sums());
    let mut recorder = Recorder::new(Vec::new(), &session).unwrap();
    session.tick_logged(&[], &mut TickReport::default(), &mut log).accepted().unwrap();
    log.tick = 2;
    let error = recorder.tick_logged(&[], &session, &log).unwrap_err().to_string();
    assert_eq!(error, "tick 1 cannot be recorded: its log is of tick 2");
}

/// The bytes of a layer without content.
fn layer_of(tick: u8) -> Vec<u8> {
    vec![tick, 1, 0, 0, 0, 0]
}
