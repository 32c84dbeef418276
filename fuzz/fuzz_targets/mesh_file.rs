//! `cargo fuzz run mesh_file`: bytes that may be a mesh file.

#![no_main]

#[path = "../bodies/mesh_file.rs"]
mod mesh_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    mesh_file::body(bytes);
});
