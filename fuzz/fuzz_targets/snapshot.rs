//! `cargo fuzz run snapshot`: bytes that may be a state.

#![no_main]

#[path = "../bodies/snapshot.rs"]
mod snapshot;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    snapshot::body(bytes);
});
