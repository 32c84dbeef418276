//! Codes of results, the last error in words, and the guard around every call.

use std::{
    cell::RefCell,
    ffi::c_char,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::memory;

/// The result of a call.
pub type BitstepCode = i32;

/// The call did what it says.
pub const BITSTEP_OK: BitstepCode = 0;
/// A pointer is null or not aligned, a text is not UTF-8, or a number that names a kind names none.
pub const BITSTEP_ERROR_ARGUMENT: BitstepCode = 1;
/// The handle is stale, was never given out, or is of another kind of object.
pub const BITSTEP_ERROR_HANDLE: BitstepCode = 2;
/// `struct_size` is not that of this version.
pub const BITSTEP_ERROR_SIZE: BitstepCode = 3;
/// The room is too small; the needed size was written.
pub const BITSTEP_ERROR_BUFFER: BitstepCode = 4;
/// A number is out of its range.
pub const BITSTEP_ERROR_RANGE: BitstepCode = 5;
/// A command was refused and changed nothing.
pub const BITSTEP_ERROR_REFUSED: BitstepCode = 6;
/// The bytes are no snapshot, commands or replay, or are of another scenery.
pub const BITSTEP_ERROR_DATA: BitstepCode = 7;
/// There is no such body.
pub const BITSTEP_ERROR_NO_BODY: BitstepCode = 8;
/// The tick is not the next one of the recording, or there is none of this number.
pub const BITSTEP_ERROR_ORDER: BitstepCode = 9;
/// A fault of the library was caught in this call; the object is poisoned.
pub const BITSTEP_ERROR_PANIC: BitstepCode = 10;
/// A fault of the library was caught in an earlier call with this object; it can only be freed.
pub const BITSTEP_ERROR_POISONED: BitstepCode = 11;

/// The reason why a call fails.
pub struct Failure {
    /// The code that is returned.
    pub code: BitstepCode,
    /// The words for [`bitstep_last_error`].
    pub words: String,
}

impl Failure {
    /// A failure in the words of anything.
    pub fn new(code: BitstepCode, words: impl ToString) -> Self {
        Self { code, words: words.to_string() }
    }
}

/// The result of the inside of a call.
pub type Outcome = Result<(), Failure>;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the inside of a call; no panic leaves it.
pub fn guard(inside: impl FnOnce() -> Outcome) -> BitstepCode {
    // What a panic may leave half done lies behind a mutex, which is poisoned then.
    let Failure { code, words } = match catch_unwind(AssertUnwindSafe(inside)) {
        Ok(Ok(())) => return BITSTEP_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
            Failure::new(BITSTEP_ERROR_PANIC, format!("a fault of bitstep: {text}"))
        }
    };
    LAST.with_borrow_mut(|last| *last = words);
    code
}

/// Writes why the last call of this thread that failed did so, in UTF-8 with a zero at the end.
///
/// `capacity` is the room in bytes; `length` gets the size with the zero. Calls that succeed leave the words as they are.
///
/// # Safety
///
/// `buffer` must be valid for `capacity` bytes, or null with a capacity of 0; `length` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_last_error(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> BitstepCode {
    let words = LAST.with_borrow(Clone::clone);
    let written = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_text(&words, buffer, capacity, length) }
    }));
    match written {
        Ok(Ok(())) => BITSTEP_OK,
        Ok(Err(failure)) => failure.code,
        Err(_) => BITSTEP_ERROR_PANIC,
    }
}

/// The version of this interface.
pub const BITSTEP_ABI_VERSION: u32 = 1;

/// The library's `BITSTEP_ABI_VERSION`: a program that was compiled with another one must not call it.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_abi_version() -> u32 {
    BITSTEP_ABI_VERSION
}

/// The version of the rules: two builds with the same one step the same world to the same bits.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_rules_version() -> u32 {
    bitstep::snapshot::RULES_VERSION
}

/// The version of the package, such as `0.1.0`. The text is the library's own and stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_build() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_codes() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(guard(|| panic!("as it was made to")), BITSTEP_ERROR_PANIC);
        std::panic::set_hook(hook);
        assert_eq!(LAST.with_borrow(Clone::clone), "a fault of bitstep: as it was made to");
        assert_eq!(guard(|| Ok(())), BITSTEP_OK);
    }
}
