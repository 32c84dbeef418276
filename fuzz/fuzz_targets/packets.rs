//! `cargo fuzz run packets`: bytes that may be what players of the strategy game say to each other.

#![no_main]

#[path = "../bodies/packets.rs"]
mod packets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    packets::body(bytes);
});
