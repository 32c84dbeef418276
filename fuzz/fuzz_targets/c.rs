//! `cargo fuzz run c`: calls of the C interface, in any order and with anything.

#![no_main]

#[path = "../bodies/c/mod.rs"]
mod c;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    c::body(bytes);
});
