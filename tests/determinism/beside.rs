//! The same bits whatever else the process does: other worlds in other threads, and memory that is given and taken in any order.

use std::thread;

use bitstep::{
    num::Rng,
    snapshot::{self, Checksum},
    tick::TickReport,
};

use crate::restore::{commands, crowd};

const TICKS: u64 = 60;

/// The checksum of every tick of a run; between them the number of a neighbor decides what memory is taken and given back, in what order.
fn run(neighbor: u64) -> Vec<Checksum> {
    let mut draws = Rng::new(neighbor).at(0, 0, 0);
    let mut held: Vec<Vec<u8>> = Vec::new();
    let (mut world, mut report) = (crowd("0.5"), TickReport::default());
    let play = |tick: u64| {
        if neighbor > 0 {
            for _ in 0..draws.below(40) {
                held.push(vec![0xA5; 1 << draws.below(14)]);
            }
            for _ in 0..draws.below(40).min(held.len() as u64) {
                held.swap_remove(draws.below(held.len() as u64) as usize);
            }
            // A copy in other places, which goes on in the place of the world.
            world = world.clone();
        }
        let _ = world.tick(&commands(tick), &mut report);
        snapshot::checksum(&world)
    };
    (1..=TICKS).map(play).collect()
}

#[test]
fn worlds_in_threads_beside_each_other_and_in_any_memory_are_the_same() {
    let alone = run(0);
    assert!(alone.windows(2).all(|ticks| ticks[0] != ticks[1]), "something happens in every tick");
    let runs: Vec<_> = (1..=8).map(|neighbor| thread::spawn(move || run(neighbor))).collect();
    for (neighbor, beside) in (1..).zip(runs) {
        assert!(beside.join().expect("a run") == alone, "beside neighbor {neighbor}");
    }
}
