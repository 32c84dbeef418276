//! Recordings survive crashes, damage and mispredicted ticks, and every tick of them can be reached.
#![allow(missing_docs)]

mod clip;
mod damage;
mod index;
mod layer;
mod migrate;
#[path = "../support/records.rs"]
#[allow(dead_code)]
mod records;
mod rewind;
mod seek;
mod verify;

use std::{fs, path::PathBuf};

use bitstep::{
    World,
    replay::{Keyframes, RecordOptions, Recorder, Replay},
    snapshot,
    tick::TickReport,
};

/// The bytes of a golden.
fn golden(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("replays");
    fs::read(folder.join(name).with_extension("replay")).unwrap()
}

/// A golden recorded again, with keyframes as asked for.
fn again(name: &str, keyframes: Keyframes) -> Vec<u8> {
    let replay = Replay::<World>::read(&golden(name)).unwrap();
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    let options = RecordOptions { keyframes, ..RecordOptions::default() };
    let mut recorder = Recorder::with_options(Vec::new(), &world, options).unwrap();
    for record in replay.ticks() {
        let _ = world.tick(&record.inputs, &mut report);
        recorder.tick(&record.inputs, &world).unwrap();
    }
    recorder.finish().unwrap()
}

/// The snapshots of a recording after 0, 1, 2, .. ticks, played from the start.
fn snapshots(replay: &Replay<World>) -> Vec<Vec<u8>> {
    let (mut world, mut report) = (replay.initial_state().clone(), TickReport::default());
    let mut snapshots = vec![snapshot::encode(&world)];
    for record in replay.ticks() {
        let _ = world.tick(&record.inputs, &mut report);
        snapshots.push(snapshot::encode(&world));
    }
    snapshots
}
