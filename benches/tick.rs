//! How long a tick takes. Quote the "fastest" column, and compare only within one run:
//! `cargo bench --bench tick`.
#![allow(missing_docs)]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{snapshot, tick::TickReport};
use divan::Bencher;

use support::gas;

fn main() {
    divan::main();
}

/// A gas at 5 % packing in a closed box, after its first ten ticks.
#[divan::bench(args = [5, 10, 20])]
fn gas_of_cubed(bencher: Bencher, side: i64) {
    let (mut world, mut report) = (gas(side, 1), TickReport::default());
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

#[divan::bench]
fn restore_of_1000(bencher: Bencher) {
    let world = gas(10, 1);
    let bytes = snapshot::encode(&world);
    bencher.bench_local(|| snapshot::decode(&bytes, world.scenery()));
}

#[divan::bench]
fn clone_from_of_1000(bencher: Bencher) {
    let (world, mut copy) = (gas(10, 1), gas(10, 2));
    bencher.bench_local(|| copy.clone_from(&world));
}
