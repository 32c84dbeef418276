//! The bodies of the fuzz targets, without a fuzzer: on the committed seeds, on the seeds
//! damaged, on what fuzzing found, and on noise.

use std::{
    collections::BTreeMap,
    fs::{self, DirEntry},
    path::Path,
};

use arbitrary::Unstructured;
use bitstep::{World, num::Rng, shape::Shape, state::Static, tick::TickReport};

#[path = "../../fuzz/bodies/corpora.rs"]
mod corpora;
#[path = "../../fuzz/bodies/mesh_file.rs"]
mod mesh_files;
#[path = "../../fuzz/bodies/peer.rs"]
mod peers;
#[path = "../../fuzz/bodies/replay.rs"]
mod replays;
#[path = "../../fuzz/bodies/scene.rs"]
mod scenes;
#[path = "../../fuzz/bodies/snapshot.rs"]
mod snapshots;
#[path = "../../fuzz/bodies/sweeps.rs"]
mod sweeps;
#[path = "../../fuzz/bodies/world/mod.rs"]
mod worlds;

#[path = "../support/shrink/mod.rs"]
#[allow(dead_code)]
mod shrink;
mod shrinks;

/// Runs a target's body, which panics on a fault and returns whether its input had an effect: a hit, or a
/// decoded value. Some seeds must and some must not, or the target has stopped testing.
///
/// Then on every seed with one byte damaged, at every so many places, and cut short there; and on one of so many inputs that
/// fuzzing found.
fn replay(target: &str, body: fn(&[u8]) -> bool, apart: usize) {
    let seeds: Vec<_> = seeds(target).into_values().collect();
    let arrived = seeds.iter().filter(|seed| body(seed)).count();
    assert!(arrived > 0 && arrived < seeds.len(), "{arrived} of {} seeds of {target} got there", seeds.len());
    for (number, seed) in (0..).zip(&seeds) {
        let mut draws = Rng::new(0xF022).at(0, number, 0);
        for at in (0..seed.len()).step_by(apart) {
            let mut damaged = seed.clone();
            damaged[at] ^= draws.between(1, 255) as u8;
            body(&damaged);
            body(&seed[..at]);
        }
    }
    for input in corpora::corpus(repository(), target).iter().step_by(apart) {
        body(input);
    }
}

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The seeds of a target by their names.
fn seeds(target: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = repository().join("fuzz/seeds").join(target);
    let entries = fs::read_dir(folder).expect("a folder of seeds").map(|entry| entry.expect("an entry"));
    let name = |entry: &DirEntry| entry.file_name().into_string().expect("a name in Unicode");
    entries.map(|entry| (name(&entry), fs::read(entry.path()).expect("a seed"))).collect()
}

/// How many worlds of noise are played, and how far apart the places are where seeds of worlds are damaged, and the worlds that
/// fuzzing found: fewer where overflow is checked, as it is in the fuzz target.
const WORLDS: (u64, usize) = if cfg!(debug_assertions) { (100, 5) } else { (1_500, 1) };

/// Bytes that no fuzzer chose.
fn noise(case: u64) -> Vec<u8> {
    bytes(case, 200)
}

/// Fewer than so many of them.
fn bytes(case: u64, below: u64) -> Vec<u8> {
    let mut draws = Rng::new(0xF022).at(1, 0, case);
    let length = draws.below(below);
    (0..length).map(|_| draws.bits() as u8).collect()
}

#[test]
fn sweeps_are_never_late_on_seeds_and_noise() {
    replay("sweeps", sweeps::body, 1);
    let hits = (0..20_000).filter(|&case| sweeps::body(&noise(case))).count();
    assert!(hits > 1_000, "{hits} hits");
}

#[test]
fn replays_are_read_or_refused() {
    replay("replay", replays::body, 1);
}

#[test]
fn messages_between_peers_are_taken_or_refused() {
    replay("peer", peers::body, 1);
}

#[test]
fn snapshots_are_read_or_refused() {
    replay("snapshot", snapshots::body, 1);
}

#[test]
fn small_worlds_keep_every_law_on_seeds_and_noise() {
    let (worlds, apart) = WORLDS;
    replay("world", shrinks::body, apart);
    let met = (0..worlds).filter(|&case| shrinks::body(&bytes(case, 2_000))).count();
    assert!(met > worlds as usize / 4, "bodies met in {met} of {worlds} worlds");
    let on = |is_ground: fn(&Shape) -> bool, least: usize| {
        (0..worlds).filter(|&case| has_and_meets(&bytes(case, 2_000), is_ground, least)).count()
    };
    let tiled = on(|shape| matches!(shape, Shape::Aabb { .. }), 4);
    assert!(tiled > worlds as usize / 40, "bodies met over tiles in {tiled} of {worlds} worlds");
    let meshed = on(|shape| matches!(shape, Shape::Mesh(_)), 1);
    assert!(meshed > worlds as usize / 10, "bodies met on a mesh in {meshed} of {worlds} worlds");
    let dug = (0..worlds).filter(|&case| is_dug(&bytes(case, 2_000))).count();
    assert!(dug > worlds as usize / 20, "ground is dug in {dug} of {worlds} worlds");
}

/// True if heights of ground are others at the end of a world that is drawn.
fn is_dug(bytes: &[u8]) -> bool {
    let Ok(Some(case)) = worlds::Case::draw(&mut Unstructured::new(bytes)) else { return false };
    let Ok(mut world) = World::new(case.limits, case.scenery) else { return false };
    for commands in &case.ticks {
        let _ = world.tick(commands, &mut TickReport::default());
    }
    !world.state().terrain.tiles().is_empty()
}

/// True if a world that is drawn has statics of a kind, and bodies meet in it.
fn has_and_meets(bytes: &[u8], is_one: fn(&Shape) -> bool, least: usize) -> bool {
    let Ok(Some(case)) = worlds::Case::draw(&mut Unstructured::new(bytes)) else { return false };
    let (shapes, statics) = (case.scenery.shapes(), case.scenery.statics());
    let is_of_kind = |fixed: &&Static| is_one(&shapes[usize::from(fixed.shape.0)]);
    statics.iter().filter(is_of_kind).count() >= least && worlds::play(&case)
}

#[test]
fn scenes_are_read_or_refused() {
    replay("scene", scenes::body, 1);
}

#[test]
fn mesh_files_are_read_or_refused() {
    replay("mesh_file", mesh_files::body, 1);
    // A point that is moved has another content hash, with which it is read: damage gets past that.
    let moved = seeds("mesh_file").into_values().filter_map(|mut seed| {
        *seed.get_mut(40)? ^= 1;
        mesh_files::body(&seed).then_some(())
    });
    assert_eq!(moved.count(), 3, "whole meshes among the seeds");
}
