//! The duration of a tick. Quote the "fastest" column, and compare only within one run:
//! `cargo bench --bench tick`.
#![allow(missing_docs)]

#[allow(unused_imports)] // bodies are not steered here
mod scenes;
#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{World, snapshot, tick::TickReport};
use divan::Bencher;

use support::{bullets, gas, gas_beside};

fn main() {
    divan::main();
}

/// A gas at 5 % packing in a closed box, after its first ten ticks.
#[divan::bench(args = [100, 1_000, 10_000, 100_000], sample_count = 20, sample_size = 2)]
fn gas_of(bencher: Bencher, bodies: i64) {
    // The nearest cube: 125, 1,000, 10,648 and 97,336 balls.
    let side = [(100, 5), (1_000, 10), (10_000, 22), (100_000, 46)].iter().find(|row| row.0 == bodies);
    bench_ticks(bencher, gas(side.map_or(1, |row| row.1), 1));
}

/// The gas of 1,000 beside so many blocks, a hundred or more of them where the balls meet the floor.
#[divan::bench(args = [0, 20_000])]
fn gas_of_1000_beside_blocks(bencher: Bencher, blocks: i64) {
    bench_ticks(bencher, gas_beside(10, 1, blocks));
}

/// Balls of radius .05 at 100 units per tick in all directions, in a box 200 units wide.
#[divan::bench(args = [100, 1_000])]
fn bullets_of(bencher: Bencher, bodies: u64) {
    bench_ticks(bencher, bullets(bodies, "100", "100"));
}

/// The scenes of `instructions.rs`, after they have settled: a tick without events.
#[divan::bench(args = ["gas:1000", "pile", "bullets"], sample_count = 40)]
fn without_events(bencher: Bencher, name: &str) {
    bench_scene(bencher, name, false);
}

/// The same ticks with events.
#[divan::bench(args = ["gas:1000", "pile", "bullets"], sample_count = 40)]
fn with_events(bencher: Bencher, name: &str) {
    bench_scene(bencher, name, true);
}

/// The same tick again and again.
fn bench_scene(bencher: Bencher, name: &str, events: bool) {
    let scene = scenes::scene(name).expect("a scene");
    let (mut initial_state, mut report) = (scenes::world(&scene), TickReport::default());
    initial_state.enable_events(events);
    for _ in 0..scene.settling.max(20) {
        initial_state.step(&mut report);
    }
    let mut world = initial_state.clone();
    bencher.bench_local(|| {
        world.clone_from(&initial_state);
        world.step(&mut report);
    });
}

fn bench_ticks(bencher: Bencher, mut world: World) {
    let mut report = TickReport::default();
    for _ in 0..10 {
        world.step(&mut report);
    }
    bencher.bench_local(|| world.step(&mut report));
}

#[divan::bench]
fn snapshot_of_1000(bencher: Bencher) {
    let world = gas(10, 1);
    let mut bytes = Vec::new();
    bencher.bench_local(|| snapshot::encode_into(&world, &mut bytes));
}

#[divan::bench]
fn checksum_of_1000(bencher: Bencher) {
    let world = gas(10, 1);
    bencher.bench_local(|| snapshot::checksum(&world));
}

#[divan::bench(args = [0, 20_000])]
fn restore_of_1000_beside_blocks(bencher: Bencher, blocks: i64) {
    let world = gas_beside(10, 1, blocks);
    let bytes = snapshot::encode(&world);
    bencher.bench_local(|| snapshot::decode(&bytes, world.scenery()));
}

#[divan::bench]
fn clone_from_of_1000(bencher: Bencher) {
    let (world, mut copy) = (gas(10, 1), gas(10, 2));
    bencher.bench_local(|| copy.clone_from(&world));
}
