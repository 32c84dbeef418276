//! The fuzz target of packets over sockets, without a fuzzer: on the committed seeds, on the seeds damaged, on what fuzzing
//! found, and on noise.
//!
//! The tests of the library replay the other targets; it knows no game.
#![allow(missing_docs)]

use std::{fs, path::Path};

use allocation_counter::measure;
use bitstep::num::{Draws, Rng};
use bitstep_lockstep::{
    SavedMatch,
    transport::read_message,
    wire::{Frame, MESSAGE_BYTES_MAX, sealed},
};

#[path = "../../../fuzz/bodies/corpora.rs"]
mod corpora;
#[path = "../../../fuzz/bodies/packets.rs"]
mod packets;

fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/packets");
    let entries = fs::read_dir(folder).expect("a folder of seeds");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).expect("a seed"))).collect()
}

/// A seed with a few bytes drawn.
fn damaged(seed: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=draws.below(4) {
        let at = draws.below(bytes.len() as u64) as usize;
        bytes[at] = if draws.below(2) == 0 { draws.bits() as u8 } else { bytes[at] ^ 1 << draws.below(8) };
    }
    bytes
}

#[test]
fn packets_are_read_or_refused() {
    let seeds = seeds();
    for (name, seed) in &seeds {
        assert_eq!(packets::body(seed), !name.starts_with("no_"), "{name}");
    }
    for (number, (_, seed)) in (0..).zip(&seeds) {
        let mut draws = Rng::new(0xF023).at(0, number, 0);
        for at in 0..seed.len() {
            let mut damaged = seed.clone();
            damaged[at] ^= draws.between(1, 255) as u8;
            packets::body(&damaged);
            packets::body(&seed[..at]);
        }
    }
    for input in corpora::corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), "packets") {
        packets::body(&input);
    }
}

/// Number of times each seed is damaged in several places.
const ROUNDS: u64 = 400;

#[test]
fn packets_that_are_damaged_in_several_places_are_read_or_refused() {
    let mut arrived = 0;
    for (number, (_, seed)) in (0..).zip(&seeds()) {
        for round in 0..ROUNDS {
            let mut draws = Rng::new(0xF024).at(0, number, round);
            arrived += u32::from(packets::body(&damaged(seed, &mut draws)));
        }
    }
    assert!(arrived > 500, "{arrived} got somewhere");
}

/// Initial memory of a list that claims to be long.
const LIST: u64 = 1 << 20;
/// Lists lie three deep in a frame or a saved match: turns, orders, bytes.
const DEEP: u64 = 3;

/// A sender that claims a lot takes no memory for it.
#[test]
fn memory_is_bounded_by_what_came() {
    for claim in [1 << 10, MESSAGE_BYTES_MAX as u32, 1 << 20, u32::MAX] {
        let head = [&claim.to_le_bytes()[..], &[0; 12]].concat();
        let taken = measure(|| drop(read_message(&mut &head[..]))).bytes_max;
        assert!(taken <= 2 * MESSAGE_BYTES_MAX as u64, "{taken} bytes for a claim of {claim}");
    }
    let mut most = 0;
    for (number, (_, seed)) in (0..).zip(&seeds()) {
        for round in 0..ROUNDS {
            let mut draws = Rng::new(0xF025).at(0, number, round);
            let mut bytes = damaged(&seed[1..], &mut draws);
            if bytes.len() > 12 && round % 2 == 0 {
                let at = draws.below(bytes.len() as u64 - 8) as usize;
                let claim = draws.bits() >> draws.below(64);
                bytes[at..at + 8].copy_from_slice(&claim.to_le_bytes());
            }
            let message = sealed(&bytes);
            let frame = measure(|| drop(Frame::decode(&message))).bytes_max;
            assert!(frame <= DEEP * LIST + 8 * bytes.len() as u64, "{frame} bytes for {}", bytes.len());
            let save = packets::sealed_save(&bytes);
            let taken = measure(|| drop(SavedMatch::decode(&save))).bytes_max;
            assert!(taken <= DEEP * LIST + 8 * bytes.len() as u64, "{taken} bytes for {}", bytes.len());
            most = most.max(taken);
        }
    }
    assert!(most > 10_000, "saved matches were read: {most}");
}
