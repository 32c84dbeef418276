//! `cargo fuzz run scene`: bytes that may be a scene.

#![no_main]

#[path = "../bodies/scene.rs"]
mod scene;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    scene::body(bytes);
});
