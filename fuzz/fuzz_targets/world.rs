//! `cargo fuzz run world`: small worlds under any commands, every law at once.

#![no_main]

#[path = "../bodies/world/mod.rs"]
#[allow(dead_code)]
mod world;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    world::body(bytes);
});
