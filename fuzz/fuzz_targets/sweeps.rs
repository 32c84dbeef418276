//! `cargo fuzz run sweeps`: every sweep against exact distances.

#![no_main]

#[path = "../bodies/sweeps.rs"]
mod sweeps;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sweeps::body(bytes);
});
