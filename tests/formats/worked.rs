//! The recording of `docs/recording-in-hex.md`, byte for byte.

use bitstep::{
    replay::{RecordOptions, Recorder},
    snapshot::Checksum,
    tick::TickReport,
};
use bitstep_scene::Scene;
use xxhash_rust::xxh3::xxh3_128;

use crate::records::sealed;

const PAGE: &str = include_str!("../../docs/recording-in-hex.md");

/// The text of the page's block of a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

/// Bytes at the beginnings of the lines, up to what is said of them behind several spaces.
fn bytes() -> Vec<u8> {
    let hex = |line: &'static str| line.trim_start().split("  ").next().unwrap().split(' ');
    let digits = block("text").lines().flat_map(hex);
    digits.map(|two| u8::from_str_radix(two, 16).unwrap_or_else(|_| panic!("{two}"))).collect()
}

#[test]
fn bytes_of_the_page_are_those_of_its_scene() {
    let mut world = Scene::parse(block("ron")).unwrap().initial_state;
    let mut recorder = Recorder::with_options(Vec::new(), &world, RecordOptions::default()).unwrap();
    let mut report = TickReport::default();
    for _ in 0..2 {
        world.tick(&[], &mut report).accepted().unwrap();
        recorder.tick(&[], &world).unwrap();
    }
    assert_eq!(recorder.finish().unwrap(), bytes());
}

#[test]
fn ticks_and_end_of_the_page_are_checksums_of_its_initial_state_moved_along() {
    let bytes = bytes();
    let start = bytes.windows(6).position(|six| six == b"bitsnp").unwrap();
    let mut state = bytes[start..start + 302].to_vec();
    assert_eq!(state[12..28], xxh3_128(&bytes[18..78]).to_le_bytes(), "of the scenery");
    let mut last = Vec::new();
    for tick in 1..=2_u64 {
        let position = (1 << 32) + tick * (1 << 30) / 60;
        state[91..99].copy_from_slice(&tick.to_le_bytes());
        state[200..208].copy_from_slice(&position.to_le_bytes());
        last.extend(sealed(3, &xxh3_128(&state).to_le_bytes()[..4]));
    }
    let checksum = xxh3_128(&state);
    assert_eq!(Checksum(checksum).to_string(), "c125f9473ce6e80d115b89350bce5fc4");
    last.extend(sealed(6, &[2_u64.to_le_bytes().as_slice(), &checksum.to_le_bytes()].concat()));
    assert!(bytes.ends_with(&last), "{last:x?}");
}
