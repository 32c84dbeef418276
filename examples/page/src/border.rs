//! Memory that the module and JavaScript share: bytes that come in, and bytes that go out.
//!
//! JavaScript reads and writes the module's memory at the addresses that it is told; here there are only vectors. An address
//! is good until the next call, as memory may grow in any.

use std::cell::RefCell;

use crate::{duel::Duel, solo::Solo};

/// The longest that may come in.
pub const IN_BYTES_MAX: usize = 1 << 20;

/// Everything that the module keeps.
#[derive(Debug, Default)]
pub struct Kept {
    /// What comes in.
    pub input: Vec<u8>,
    /// What goes out.
    pub output: Vec<u8>,
    /// The match between two peers.
    pub duel: Option<Duel>,
    /// The session alone.
    pub solo: Option<Solo>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Does something with what is kept. No function of the module calls another one that does so.
pub fn with<T>(work: impl FnOnce(&mut Kept) -> T) -> T {
    KEPT.with_borrow_mut(work)
}

impl Kept {
    /// Room for bytes that come in; `None` if they are too many.
    pub fn room(&mut self, length: usize) -> Option<*mut u8> {
        if length > IN_BYTES_MAX {
            return None;
        }
        self.input.clear();
        self.input.resize(length, 0);
        Some(self.input.as_mut_ptr())
    }

    /// Lets bytes go out, and says how many.
    pub fn give(&mut self, bytes: &[u8]) -> u32 {
        self.output.clear();
        self.output.extend(bytes);
        self.output.len() as u32
    }

    /// Lets words go out if something went wrong: 0 if nothing did.
    pub fn tell<E: std::fmt::Display>(&mut self, result: Result<(), E>) -> u32 {
        match result {
            Ok(()) => self.give(&[]),
            Err(error) => self.give(error.to_string().as_bytes()),
        }
    }
}
