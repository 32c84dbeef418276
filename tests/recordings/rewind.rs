//! No mispredicted tick reaches a file, and the number of waiting ticks is bounded.

use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};

use bitstep::{
    World,
    num::Rng,
    replay::{Keyframes, PHASES_MAX, RecordOptions, Recorder, Replay},
    session::{PhaseState, TickLog},
    snapshot,
    state::Command,
    tick::TickReport,
};

use crate::golden;

const WINDOW: u32 = 8;

fn options(keyframes: Keyframes) -> RecordOptions {
    RecordOptions { keyframes, check_every: Some(7), window: WINDOW }
}

/// A golden with every command.
fn timeline() -> Replay<World> {
    Replay::read(&golden("timeline")).unwrap()
}

/// The recording of a run that never has to predict.
fn straight(replay: &Replay<World>, options: RecordOptions) -> Vec<u8> {
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    let mut recorder =
        Recorder::with_options(Vec::new(), &world, RecordOptions { window: 0, ..options }).unwrap();
    for (number, record) in (0_u32..).zip(replay.ticks()) {
        note(&mut recorder, number);
        let _ = world.tick(&record.inputs, &mut report);
        recorder.tick(&record.inputs, &world).unwrap();
    }
    recorder.finish().unwrap()
}

fn note<W: Write>(recorder: &mut Recorder<W>, tick: u32) {
    if tick % 5 == 0 {
        recorder.note(&tick.to_le_bytes()).unwrap();
    }
}

/// Keeps what is written in one call apart.
#[derive(Clone, Default)]
struct Pieces(Rc<RefCell<Vec<Vec<u8>>>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().push(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Plays with wrong inputs ahead, goes back and plays the right ones, confirming now and then.
fn predicted(replay: &Replay<World>, options: RecordOptions, seed: u64) -> (Pieces, u64) {
    let (pieces, mut report) = (Pieces::default(), TickReport::default());
    let mut states = vec![replay.initial_state().clone()];
    let mut recorder = Recorder::with_options(pieces.clone(), &states[0], options).unwrap();
    let (mut draws, mut sure, mut wrong) = (Rng::new(seed).at(0, 0, 0), 0, 0);
    let count = replay.ticks().len();
    while sure < count {
        let ahead = draws.below(u64::from(WINDOW)) as usize;
        for tick in sure..(sure + ahead).min(count) {
            note(&mut recorder, 5);
            let mut world = states[tick].clone();
            let body = world.bodies().next().map(|(id, _)| id);
            let guess: Vec<Command> =
                body.map(|body| Command::SetUser { body, user: 99 }).into_iter().collect();
            let _ = world.tick(&guess, &mut report);
            recorder.tick(&guess, &world).unwrap();
            states.push(world);
            wrong += 1;
        }
        assert_eq!(recorder.unconfirmed(), (states.len() - 1) as u64 - recorder.confirmed());
        recorder.rewind(sure as u64).unwrap();
        states.truncate(sure + 1);
        let right = 1 + draws.below(u64::from(WINDOW)) as usize;
        for tick in sure..(sure + right).min(count) {
            note(&mut recorder, tick as u32);
            let (mut world, inputs) = (states[tick].clone(), &replay.ticks()[tick].inputs);
            let _ = world.tick(inputs, &mut report);
            recorder.tick(inputs, &world).unwrap();
            states.push(world);
        }
        sure = states.len() - 1;
        recorder.confirm(sure as u64).unwrap();
        recorder.confirm(0).unwrap();
    }
    recorder.finish().unwrap();
    (pieces, wrong)
}

#[test]
fn a_recording_with_predictions_is_the_one_without() {
    let replay = timeline();
    for keyframes in [Keyframes::BytesPerTick(8), Keyframes::Every(9), Keyframes::None] {
        for seed in 0..3 {
            let (pieces, wrong) = predicted(&replay, options(keyframes), seed);
            let same = pieces.0.borrow().concat() == straight(&replay, options(keyframes));
            assert!(same && wrong > 100, "{keyframes:?}, seed {seed}, {wrong} mispredicted");
        }
    }
}

#[test]
fn every_tick_is_written_in_one_piece() {
    let replay = timeline();
    let (pieces, _) = predicted(&replay, options(Keyframes::Every(9)), 1);
    let pieces = pieces.0.borrow();
    assert_eq!(pieces.len(), replay.ticks().len() + 2, "the initial state, the ticks, the end");
    let mut bytes = pieces[0].clone();
    for (ticks, piece) in pieces[1..].iter().enumerate() {
        let (read, damage) = Replay::<World>::read_to_damage(&bytes).unwrap();
        assert_eq!(read.ticks(), &replay_with_notes(&pieces)[..ticks]);
        assert_eq!(damage.unwrap().at, bytes.len() as u64, "nothing is begun");
        bytes.extend(piece);
    }
}

fn replay_with_notes(pieces: &[Vec<u8>]) -> Vec<bitstep::replay::TickRecord<Command>> {
    Replay::<World>::read(&pieces.concat()).unwrap().ticks().to_vec()
}

/// A world alone, and a recorder of it that was confirmed up to tick 2 and recorded up to tick 5.
fn waiting(window: u32) -> (World, Recorder<Vec<u8>>) {
    let (mut world, mut report) = (timeline().initial_state().clone(), TickReport::default());
    let options = RecordOptions { window, ..RecordOptions::default() };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    for _ in 0..5 {
        world.step(&mut report);
        recorder.tick(&[], &world).unwrap();
        if world.tick_count() == 2 {
            recorder.confirm(2).unwrap();
        }
    }
    (world, recorder)
}

#[test]
fn impossible_rewinds_are_refused_with_the_numbers() {
    let (mut world, mut recorder) = waiting(3);
    let told = |result: io::Result<()>, text: &str| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (io::ErrorKind::InvalidInput, text));
    };
    let before = recorder.writer().clone();
    told(recorder.tick(&[], &world), "tick 5 cannot be recorded: tick 5 was recorded last");
    let restored = world.clone();
    world.step(&mut TickReport::default());
    told(recorder.tick(&[], &world), "3 ticks wait to be confirmed, and no more may");
    told(recorder.confirm(6), "tick 6 cannot be confirmed: the last one recorded is 5");
    told(recorder.rewind(1), "no way back to tick 1: tick 2 was confirmed");
    told(recorder.rewind(6), "no way back to tick 6: the last one recorded is 5");
    assert_eq!(recorder.writer(), &before, "a refusal writes nothing");
    recorder.rewind(4).unwrap();
    told(recorder.tick(&[], &world), "tick 6 cannot be recorded: tick 4 was recorded last");
    recorder.tick(&[], &restored).unwrap();
    recorder.confirm(3).unwrap();
    recorder.tick(&[], &world).unwrap();
    // Ticks that are not confirmed at the end are omitted.
    let replay = Replay::<World>::read(&recorder.finish().unwrap()).unwrap();
    assert_eq!(replay.ticks().len(), 3);
}

#[test]
fn a_recorder_whose_writer_failed_records_no_more() {
    let (mut world, mut report) = (timeline().initial_state().clone(), TickReport::default());
    let mut room = [0; 4096];
    let mut recorder = Recorder::new(&mut room[..], &world).unwrap();
    let mut errors = Vec::new();
    for _ in 0..2_000 {
        world.step(&mut report);
        errors.extend(recorder.tick(&[], &world).err().map(|error| error.to_string()));
    }
    assert_eq!(errors[0], "failed to write whole buffer");
    assert!(errors[1].contains("the writer has failed before"), "{}", errors[1]);
    assert!(recorder.finish().unwrap_err().to_string().contains("the writer has failed before"));
    let (replay, damage) = Replay::<World>::read_to_damage(&room).unwrap();
    assert!(!replay.ticks().is_empty() && damage.is_some());
}

#[test]
fn keyframes_and_checks_are_where_the_options_say() {
    let (mut world, mut report) = (timeline().initial_state().clone(), TickReport::default());
    (0..3).for_each(|_| world.step(&mut report));
    let size = snapshot::encode(&world).len() as u64;
    let keyframes = Keyframes::BytesPerTick(100);
    let options = RecordOptions { keyframes, check_every: Some(5), window: 0 };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    let (mut saved, mut expected) = (0, (Vec::new(), Vec::new()));
    for tick in 1..=60 {
        world.step(&mut report);
        recorder.tick(&[], &world).unwrap();
        saved += 100;
        if saved >= size {
            saved -= size;
            expected.0.push(tick);
        } else if tick % 5 == 0 {
            expected.1.push(tick);
        }
    }
    let replay = Replay::<World>::read(&recorder.finish().unwrap()).unwrap();
    let keyframes: Vec<u64> = replay.keyframes().iter().map(|keyframe| keyframe.tick).collect();
    let checks: Vec<u64> = replay.checks().iter().map(|check| check.tick).collect();
    assert_eq!((keyframes, checks), expected);
    let distances: Vec<u64> = expected.0.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        distances.iter().min() < distances.iter().max(),
        "what is left over is carried on: {distances:?}"
    );
}

#[test]
fn checks_after_every_0_ticks_are_none() {
    let (mut world, mut report) = (timeline().initial_state().clone(), TickReport::default());
    let options = RecordOptions { keyframes: Keyframes::None, check_every: Some(0), window: 0 };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    for _ in 0..100 {
        world.step(&mut report);
        recorder.tick(&[], &world).unwrap();
    }
    let replay = Replay::<World>::read(&recorder.finish().unwrap()).unwrap();
    assert_eq!((replay.ticks().len(), replay.checks().len(), replay.keyframes().len()), (100, 0, 0));
}

#[test]
fn a_keyframe_comes_with_the_byte_that_completes_it() {
    let world = timeline().initial_state().clone();
    let first = |less: u32| {
        let (mut world, mut report) = (world.clone(), TickReport::default());
        world.step(&mut report);
        let size = snapshot::encode(&world).len() as u32;
        let options =
            RecordOptions { keyframes: Keyframes::BytesPerTick(size - less), ..RecordOptions::default() };
        let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
        for _ in 0..3 {
            world.step(&mut report);
            assert_eq!(snapshot::encode(&world).len() as u32, size);
            recorder.tick(&[], &world).unwrap();
        }
        Replay::<World>::read(&recorder.finish().unwrap()).unwrap().keyframes()[0].tick
    };
    assert_eq!([first(0), first(1)], [1, 2]);
}

#[test]
fn ticks_that_are_confirmed_one_by_one_are_those_of_a_straight_run() {
    let replay = timeline();
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    let options = options(Keyframes::Every(9));
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    for (number, record) in (0_u32..).zip(replay.ticks()) {
        note(&mut recorder, number);
        let _ = world.tick(&record.inputs, &mut report);
        recorder.tick(&record.inputs, &world).unwrap();
        // Three ticks always wait, of different sizes.
        recorder.confirm(world.tick_count().saturating_sub(3)).unwrap();
    }
    recorder.confirm(world.tick_count()).unwrap();
    assert!(recorder.finish().unwrap() == straight(&replay, options));
}

#[test]
fn a_note_without_a_tick_is_refused_at_the_end() {
    let (world, mut report) = (timeline().initial_state().clone(), TickReport::default());
    let mut noted = |is_refused: bool| {
        let mut world = world.clone();
        let mut recorder = Recorder::<_, World>::new(Vec::new(), &world).unwrap();
        recorder.note(b"jump").unwrap();
        if is_refused {
            let mut log = TickLog::states();
            log.phases = vec![PhaseState::of(String::new(), Vec::new(), Vec::new()); PHASES_MAX + 1];
            log.tick = 1;
            world.step(&mut report);
            assert!(recorder.tick_logged(&[], &world, &log).is_err());
        }
        recorder.finish().map_err(|error| error.to_string())
    };
    assert_eq!(noted(false).unwrap_err(), "a note belongs to the tick that is recorded next, and none was");
    // It goes with the tick: what is left is a recording of no ticks.
    let replay = Replay::<World>::read(&noted(true).unwrap()).unwrap();
    assert_eq!((replay.ticks().len(), replay.final_checksum().is_some()), (0, true));
}
