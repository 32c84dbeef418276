//! `cargo fuzz run replay`: bytes that may be a replay.

#![no_main]

#[path = "../bodies/replay.rs"]
mod replay;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    replay::body(bytes);
});
