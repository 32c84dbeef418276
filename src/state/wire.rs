//! The encoding of values: little-endian, fixed width, one encoding per value.

use serde::{Serialize, de::DeserializeOwned};

/// The encoding of everything that the library writes: bincode's legacy layout.
const CONFIG: bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Fixint,
    bincode::config::NoLimit,
> = bincode::config::legacy();

/// The reason why bytes are not a value.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// The bytes end early or hold something that the value cannot hold.
    #[error("not decodable: {0}")]
    Malformed(String),
    /// The value ends before the bytes do; with the number of bytes left over.
    #[error("{0} bytes too many")]
    Trailing(u64),
}

/// Appends the encoding of a value.
///
/// # Panics
///
/// If the value cannot be encoded, which no type of this library can cause: lengths are known and memory
/// takes every byte.
pub fn encode_into<T: Serialize>(value: &T, bytes: &mut Vec<u8>) {
    bincode::serde::encode_into_std_write(value, bytes, CONFIG).expect("memory takes every byte");
}

/// The encoding of a value.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_into(value, &mut bytes);
    bytes
}

/// Reads exactly one value.
///
/// A length that the bytes cannot fill is an error: lists grow as their elements are read, and no element of
/// a list has size zero.
///
/// # Errors
///
/// If the bytes end early, are too many or hold something that the value cannot hold.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let (value, used) = first(bytes)?;
    match bytes.len() - used {
        0 => Ok(value),
        left => Err(WireError::Trailing(left as u64)),
    }
}

/// Reads one value, and returns it with the bytes behind it.
///
/// # Errors
///
/// If the bytes end early or hold something that the value cannot hold.
pub fn decode_front<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), WireError> {
    first(bytes).map(|(value, used)| (value, &bytes[used..]))
}

/// Reads exactly a number of values, one after the other.
///
/// # Errors
///
/// If the bytes end early, are too many or hold something that a value cannot hold.
pub fn decode_row<T: DeserializeOwned>(mut bytes: &[u8], count: u16) -> Result<Vec<T>, WireError> {
    let mut values = Vec::new();
    for _ in 0..count {
        let (value, used) = first(bytes)?;
        values.push(value);
        bytes = &bytes[used..];
    }
    if bytes.is_empty() { Ok(values) } else { Err(WireError::Trailing(bytes.len() as u64)) }
}

/// The value at the front of the bytes, and its length.
///
/// The memory of a string is allocated before its bytes are read. So the length that it may claim is bounded
/// by the least of the steps below that holds all bytes.
fn first<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), WireError> {
    let decoded = match bytes.len() {
        0..=0xffff => bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<0xffff>()),
        0x1_0000..=0xf_ffff => bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<0xf_ffff>()),
        0x10_0000..=0xff_ffff => bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<0xff_ffff>()),
        0x100_0000..=0xfff_ffff => {
            bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<0xfff_ffff>())
        }
        _ => bincode::serde::decode_from_slice(bytes, CONFIG.with_limit::<0x7fff_ffff>()),
    };
    decoded.map_err(|error| WireError::Malformed(error.to_string()))
}
