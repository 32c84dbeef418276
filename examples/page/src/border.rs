//! Memory that the module and JavaScript share: input bytes and output bytes.
//!
//! JavaScript reads and writes the module's memory at the addresses that it is told; here there are only
//! vectors. An address is good until the next call, as memory may grow in any.

use std::cell::RefCell;

#[cfg(feature = "fight")]
use crate::duel::{Duel, solo::Solo};
#[cfg(feature = "rts")]
use crate::skirmish::Skirmish;

/// The longest that may come in.
pub const IN_BYTES_MAX: usize = 1 << 20;

/// The state of the module.
#[derive(Debug, Default)]
pub struct Kept {
    /// The input bytes.
    pub input: Vec<u8>,
    /// The output bytes.
    pub output: Vec<u8>,
    /// The fight between two peers.
    #[cfg(feature = "fight")]
    pub duel: Option<Duel>,
    /// The session of a fight alone.
    #[cfg(feature = "fight")]
    pub solo: Option<Solo>,
    /// The battle between two peers.
    #[cfg(feature = "rts")]
    pub skirmish: Option<Skirmish>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Calls a function with the state. No function of the module calls another one that does so.
pub fn with<T>(work: impl FnOnce(&mut Kept) -> T) -> T {
    KEPT.with_borrow_mut(work)
}

impl Kept {
    /// Room for input bytes; `None` if they are too many.
    pub fn room(&mut self, length: usize) -> Option<*mut u8> {
        if length > IN_BYTES_MAX {
            return None;
        }
        self.input.clear();
        self.input.resize(length, 0);
        Some(self.input.as_mut_ptr())
    }

    /// Outputs bytes, and returns their number.
    pub fn give(&mut self, bytes: &[u8]) -> u32 {
        self.output.clear();
        self.output.extend(bytes);
        self.output.len() as u32
    }

    /// Outputs the text of an error; returns 0 if there is none.
    pub fn tell<E: std::fmt::Display>(&mut self, result: Result<(), E>) -> u32 {
        match result {
            Ok(()) => self.give(&[]),
            Err(error) => self.give(error.to_string().as_bytes()),
        }
    }
}
