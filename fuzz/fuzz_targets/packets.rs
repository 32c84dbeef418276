//! `cargo fuzz run packets`: bytes that may be messages between players of the strategy game.

#![no_main]

#[path = "../bodies/packets.rs"]
mod packets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    packets::body(bytes);
});
