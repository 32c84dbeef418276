//! The identity of a recording's bytes, and of the program that verifies them.

// The program's own file is looked up by the environment; no simulation reads it.
#![allow(clippy::disallowed_methods)]

use bitstep::snapshot::Checksum;

/// The bytes that a verdict is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    pub bytes: u64,
    /// XXH3-128, in hexadecimal digits.
    pub hash: String,
}

impl Identity {
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, hash: Checksum::of(bytes).to_string() }
    }
}

/// The identity of this program: of the bytes of its file. `None` if they cannot be read.
pub fn build() -> Option<String> {
    let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
    Some(Identity::of(&bytes).hash)
}
