//! Replays with valid records that do not belong together, and faults that only a comparison finds.

use std::io::{self, Write};

use bitstep::{
    replay::{Recorder, Replay, verify},
    tick::TickReport,
};

use crate::{
    records::{content, parts, sealed},
    restore::crowd,
};

/// Where the first body is in a snapshot, by the byte table in `docs/formats.md`.
const BODY: usize = 200;

/// The record with its content changed, sealed again.
fn resealed(record: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut content = content(record).to_vec();
    change(&mut content);
    sealed(record[0], &content)
}

/// Header, scenery, initial state, tick, tick, keyframe, tick, input, tick, keyframe, end; the initial state is of tick
/// 3.
fn short_replay() -> Vec<Vec<u8>> {
    let (mut world, mut report) = (crowd("0.7"), TickReport::default());
    (0..3).for_each(|_| world.step(&mut report));
    let mut recorder = Recorder::with_keyframes(Vec::new(), &world, 2).unwrap();
    for tick in 0..4 {
        if tick == 3 {
            recorder.note(b"jump").unwrap();
        }
        world.step(&mut report);
        recorder.tick(&[], &world).unwrap();
    }
    parts(&recorder.finish().unwrap())
}

#[test]
fn sound_records_in_the_wrong_place_are_refused() {
    let sound = short_replay();
    assert!(Replay::<bitstep::World>::read(&sound.concat()).is_ok());
    let end = |said: u64, more: &[u8]| sealed(6, &[&said.to_le_bytes(), &[0; 16][..], more].concat());
    let check = || vec![sealed(7, &[0; 16])];
    // Which parts are replaced, by what, and the error.
    let cases = [
        (0..1, vec![flipped(&sound[0], 8)], "byte 0: replay format 0, this build reads 1"),
        (0..1, vec![flipped(&sound[0], 11)], "byte 0: replay format 1, this build reads 1"),
        (1..3, vec![sound[2].clone(), sound[1].clone()], "record kind 2 comes before the scenery"),
        (1..2, vec![], "record kind 2 comes before the scenery"),
        (2..3, vec![], "record kind 3 comes before the scenery"),
        (3..3, vec![sound[1].clone()], "record kind 1 comes a second time"),
        (4..4, vec![sound[2].clone()], "record kind 2 comes a second time"),
        (5..6, vec![sound[9].clone()], "record kind 5 is of another tick"),
        (5..6, vec![resealed(&sound[5], |content| content[0] = 0)], "not a bitstep snapshot"),
        (4..4, vec![sealed(9, &[])], "record kind 9 is unknown to this build"),
        (4..5, vec![sealed(3, &[1, 2, 3])], "record kind 3 has the wrong length"),
        (4..5, vec![sealed(3, &[0, 0, 0, 0, 2])], "the bytes end inside a command"),
        (4..5, vec![sealed(3, &[0, 0, 0, 0, 99, 0])], "command number 99 is unknown"),
        (4..5, vec![sealed(3, &[0, 0, 0, 0, 2, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0])], "command number 2: 1 bytes"),
        (3..3, vec![sealed(7, &[0; 16])], "record kind 7 comes before the first tick"),
        (4..4, vec![sealed(7, &[0; 15])], "record kind 7 has the wrong length"),
        (4..4, vec![sealed(7, &[0; 16]), sealed(7, &[0; 16])], "record kind 7 comes twice after a tick"),
        (
            4..5,
            [check(), vec![sound[4].clone()], check(), check()].concat(),
            "record kind 7 comes twice after a tick",
        ),
        (3..3, vec![sealed(5, content(&sound[2]))], "record kind 5 comes before the first tick"),
        (6..6, vec![sound[5].clone()], "record kind 5 comes twice after a tick"),
        (10..10, vec![sound[9].clone()], "record kind 5 comes twice after a tick"),
        (5..5, vec![sealed(4, b"early")], "record kind 4 belongs to no tick: none follows"),
        (5..5, vec![vec![3, 0x84, 0, 1, 2, 3, 4, 1, 2, 3, 4]], "record damaged, after 2 whole ticks"),
        (10..10, vec![sealed(4, b"late")], "record kind 4 belongs to no tick: none follows"),
        (3..11, vec![end(0, &[])], "record kind 6 of no ticks has another checksum than the initial state"),
        (10..11, vec![end(5, &[])], "the end record says 5 ticks, there are 4"),
        (10..11, vec![end(4, &[0])], "record kind 6 has the wrong length"),
        (11..11, vec![sound[3].clone()], "record kind 3 comes after the end record"),
        (11..11, vec![vec![0]], "record kind 0 comes after the end record"),
        (1..2, vec![resealed(&sound[1], |content| content.push(0))], "scenery: 1 bytes too many"),
        (2..3, vec![resealed(&sound[2], |content| content.push(0))], "1 bytes too many"),
    ];
    for (place, records, text) in cases {
        let mut parts = sound.clone();
        let from: usize = parts[..place.start].iter().map(Vec::len).sum();
        parts.splice(place.clone(), records);
        let error = Replay::<bitstep::World>::read(&parts.concat()).unwrap_err();
        assert!(error.to_string().contains(text), "parts {place:?}: {error}");
        assert!(error.damage().unwrap().at as usize >= from, "parts {place:?}: {error}");
    }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1;
    bytes
}

/// The tick and the fields of the divergence of a replay that can be read.
fn divergence(parts: &[Vec<u8>]) -> Option<(u64, Option<u64>, Vec<String>)> {
    let replay = Replay::<bitstep::World>::read(&parts.concat()).unwrap();
    let divergence = verify(&replay, |_, _| ()).unwrap().divergence?;
    let paths = divergence.comparison.fields().map(|field| field.path.clone()).collect();
    // The comparison counts as the states do.
    let at = divergence.comparison.values_at.map(|at| at - replay.initial_state().tick_count());
    Some((divergence.tick, at, paths))
}

#[test]
fn every_checksum_and_keyframe_of_a_replay_is_compared() {
    let sound = short_replay();
    assert_eq!(divergence(&sound), None);
    let changed = |part: usize, byte: usize| {
        let mut parts = sound.clone();
        parts[part] = resealed(&parts[part], |content| content[byte] ^= 2);
        divergence(&parts)
    };
    let none = Vec::new;
    assert_eq!(changed(3, 0), Some((1, Some(2), none())), "checksum of tick 1");
    assert_eq!(changed(6, 3), Some((3, Some(4), none())), "checksum of tick 3");
    let field = vec!["slots[0].body.position.x".to_owned()];
    assert_eq!(changed(5, BODY), Some((2, Some(2), field.clone())), "the keyframe after tick 2");
    assert_eq!(changed(9, BODY), Some((4, Some(4), field)), "the keyframe after tick 4");
    let mut checked = sound.clone();
    checked.insert(4, sealed(7, &[0; 16]));
    assert_eq!(divergence(&checked), Some((1, Some(2), none())), "a check of 128 bits after tick 1");
    assert_eq!(changed(10, 8), Some((4, Some(4), none())), "the last checksum, its low byte");
    assert_eq!(changed(10, 23), Some((4, Some(4), none())), "the last checksum, its high byte");
}

#[test]
fn a_note_belongs_to_one_tick() {
    let replay = Replay::<bitstep::World>::read(&short_replay().concat()).unwrap();
    let notes: Vec<usize> = replay.ticks().iter().map(|record| record.notes.len()).collect();
    assert_eq!(notes, [0, 0, 0, 1]);
}

/// Fails once, at the write that it has no room for, or at the flush if it is just full.
struct Disk {
    room: usize,
    failed: bool,
}

impl Disk {
    fn of(room: usize) -> Self {
        Self { room, failed: false }
    }

    fn fail_if(&mut self, fails: bool, kind: io::ErrorKind) -> io::Result<()> {
        if self.failed || !fails {
            return Ok(());
        }
        self.failed = true;
        Err(io::Error::from(kind))
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.fail_if(bytes.len() > self.room, io::ErrorKind::StorageFull)?;
        self.room = self.room.saturating_sub(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.fail_if(self.room == 0, io::ErrorKind::BrokenPipe)
    }
}

fn record_on(disk: Disk) -> io::Result<Disk> {
    let (mut world, mut report) = (crowd("0.7"), TickReport::default());
    let mut recorder = Recorder::with_keyframes(disk, &world, 1)?;
    recorder.note(b"jump")?;
    world.step(&mut report);
    recorder.tick(&[], &world)?;
    recorder.finish()
}

#[test]
fn a_recorder_reports_whatever_its_writer_reports() {
    let enough = 1 << 20;
    let length = enough - record_on(Disk::of(enough)).unwrap().room;
    for room in 0..length {
        let error = record_on(Disk::of(room)).err().map(|error| error.kind());
        assert_eq!(error, Some(io::ErrorKind::StorageFull), "{room} of {length} bytes");
    }
    let error = record_on(Disk::of(length)).err().map(|error| error.kind());
    assert_eq!(error, Some(io::ErrorKind::BrokenPipe), "the flush");
    assert!(record_on(Disk::of(length + 1)).is_ok());
}
