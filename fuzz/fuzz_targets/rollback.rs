//! `cargo fuzz run rollback`: datagrams of a side of a match that sends anything.

#![no_main]

#[path = "../bodies/rollback.rs"]
mod rollback;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    rollback::body(bytes);
});
