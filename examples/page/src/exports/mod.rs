//! The functions that JavaScript calls. `docs/wasm.md` has the table.
//!
//! Numbers in, a number out; bytes go through the memory that `border.rs` keeps: `in_at` returns the address
//! for input bytes, and output bytes are at `out_at`, with the length that the call returned. Of a side or a
//! player only the lowest bit counts. Nothing here panics, whatever the arguments; before a match or a
//! session is opened, calls do nothing.

// Only a collision with another function of the same name would make these names unsafe.
#![allow(unsafe_code)]

#[cfg(feature = "fight")]
mod duel;
#[cfg(feature = "rts")]
mod skirmish;

#[cfg(feature = "fight")]
pub use duel::*;
#[cfg(feature = "rts")]
pub use skirmish::*;

use crate::border::with;

/// Address for some input bytes, or 0 if they are too many.
#[unsafe(no_mangle)]
pub extern "C" fn in_at(length: u32) -> *mut u8 {
    with(|kept| kept.room(length as usize)).unwrap_or(std::ptr::null_mut())
}

/// Address of the output bytes of the last call.
#[unsafe(no_mangle)]
pub extern "C" fn out_at() -> *const u8 {
    with(|kept| kept.output.as_ptr())
}

/// The versions: rules, snapshots, a line each.
#[unsafe(no_mangle)]
pub extern "C" fn versions() -> u32 {
    use bitstep::snapshot::{FORMAT_VERSION, RULES_VERSION};
    let text = format!("rules\t{RULES_VERSION}\nsnapshot\t{FORMAT_VERSION}\n");
    with(|kept| kept.give(text.as_bytes()))
}

/// Writes numbers of 32 bits, least byte first; those beyond are clamped.
fn put_numbers(bytes: &mut Vec<u8>, numbers: &[u64]) {
    let short = |number: &u64| u32::try_from(*number).unwrap_or(u32::MAX);
    numbers.iter().for_each(|number| bytes.extend(short(number).to_le_bytes()));
}

const fn side_of(number: u32) -> usize {
    number as usize & 1
}
