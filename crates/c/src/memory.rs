//! Reading and writing the caller's memory.
//!
//! Every function checks what can be checked: null, alignment, sizes. That a pointer leads to memory of its size is the caller's promise,
//! as anywhere in C.

use std::{
    ffi::{CStr, c_char},
    slice,
};

use crate::code::{BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_BUFFER, BITSTEP_ERROR_SIZE, Failure, Outcome};

/// A struct of the interface, which begins with its size.
///
/// # Safety
///
/// The type must be `repr(C)`, begin with a `u32`, and be valid whatever its bytes are.
pub unsafe trait Sized32: Copy {}

fn check<T>(pointer: *const T, name: &str) -> Outcome {
    if pointer.is_null() {
        return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("{name} is null")));
    }
    if !pointer.is_aligned() {
        return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("{name} is not aligned")));
    }
    Ok(())
}

/// Checks a pointer to which something may be written later; it may be null.
pub fn check_optional<T>(pointer: *const T, name: &str) -> Outcome {
    if pointer.is_null() { Ok(()) } else { check(pointer, name) }
}

/// Checks the size that the caller has set.
///
/// # Safety
///
/// `pointer` must be valid for reading a `T`, or null.
unsafe fn check_size<T: Sized32>(pointer: *const T, name: &str) -> Outcome {
    check(pointer, name)?;
    // SAFETY: it is not null and aligned, and a `Sized32` begins with a `u32`.
    let size = unsafe { pointer.cast::<u32>().read() };
    if size as usize == size_of::<T>() {
        return Ok(());
    }
    let words = format!("{name}.struct_size is {size}, this version has {}", size_of::<T>());
    Err(Failure::new(BITSTEP_ERROR_SIZE, words))
}

/// Reads a struct whose size is right.
///
/// # Safety
///
/// `pointer` must be valid for reading a `T`, or null.
pub unsafe fn read<T: Sized32>(pointer: *const T, name: &str) -> Result<T, Failure> {
    // SAFETY: as this function's caller promises.
    unsafe { check_size(pointer, name)? };
    // SAFETY: as before; any bytes are a `T`.
    Ok(unsafe { pointer.read() })
}

/// Writes a struct over one whose size is right.
///
/// # Safety
///
/// `pointer` must be valid for reading and writing a `T`, or null.
pub unsafe fn write<T: Sized32>(pointer: *mut T, name: &str, value: T) -> Outcome {
    // SAFETY: as this function's caller promises.
    unsafe { check_size(pointer.cast_const(), name)? };
    // SAFETY: as before.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes a number or a handle.
///
/// # Safety
///
/// `pointer` must be valid for writing a `T`, or null.
pub unsafe fn put<T: Copy>(pointer: *mut T, name: &str, value: T) -> Outcome {
    check(pointer.cast_const(), name)?;
    // SAFETY: it is not null and aligned, and valid as this function's caller promises.
    unsafe { pointer.write(value) };
    Ok(())
}

/// The caller's array.
///
/// # Safety
///
/// `pointer` must be valid for reading `count` values for as long as the slice lives, or null with a count of 0.
pub unsafe fn array<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("{name} has {count} elements")));
    }
    // SAFETY: it is not null and aligned, no longer than memory, and valid as this function's caller promises.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Writes an array into the caller's room, and its length; nothing but the length if the room is too small.
///
/// # Safety
///
/// `pointer` must be valid for writing `capacity` values, or null with a capacity of 0; `count` for a number.
pub unsafe fn put_array<T: Copy>(
    values: &[T],
    pointer: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Outcome {
    // SAFETY: as this function's caller promises.
    unsafe { put(count, "the number of elements", values.len())? };
    if values.len() > capacity {
        let words = format!("room for {capacity} elements, there are {}", values.len());
        return Err(Failure::new(BITSTEP_ERROR_BUFFER, words));
    }
    if values.is_empty() {
        return Ok(());
    }
    check(pointer.cast_const(), "the room")?;
    // SAFETY: it is not null and aligned, and there is room as was compared; the caller's memory is not the library's.
    unsafe { pointer.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    Ok(())
}

/// Writes a text with a zero at the end into the caller's room, and its size with the zero.
///
/// # Safety
///
/// As [`put_array`].
pub unsafe fn put_text(text: &str, pointer: *mut c_char, capacity: usize, length: *mut usize) -> Outcome {
    let bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0).chain([0]).collect();
    // SAFETY: as this function's caller promises; a char of C has the size of a byte.
    unsafe { put_array(&bytes, pointer.cast::<u8>(), capacity, length) }
}

/// The caller's text.
///
/// # Safety
///
/// `text` must be a text with a zero at the end for as long as the slice lives, or null.
pub unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(text, name)?;
    // SAFETY: it is not null, and ends as this function's caller promises.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::new(BITSTEP_ERROR_ARGUMENT, format!("{name} is not UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::BITSTEP_OK;

    #[test]
    fn texts_end_where_their_zero_is() {
        let (mut room, mut length) = ([7_u8; 8], 0);
        let code = crate::code::guard(|| {
            // SAFETY: the room is here.
            unsafe { put_text("a\0b", room.as_mut_ptr().cast(), room.len(), &mut length) }
        });
        assert_eq!((code, length, room), (BITSTEP_OK, 3, [b'a', b'b', 0, 7, 7, 7, 7, 7]));
    }
}
