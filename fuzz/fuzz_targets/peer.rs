//! `cargo fuzz run peer`: bytes that may be messages between peers.

#![no_main]

#[path = "../bodies/peer.rs"]
mod peer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    peer::body(bytes);
});
