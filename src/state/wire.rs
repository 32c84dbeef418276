//! The encoding of values: little-endian, fixed width, one encoding per value.

use bincode::{
    Decode,
    de::{Decoder, DecoderImpl, read::Reader},
    error::DecodeError,
    serde::Compat,
};
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
/// The memory of a string is allocated before its bytes are read. So a value may claim no more than there is: the limit of the
/// decoder is a constant, and all but as many bytes are claimed beforehand.
fn first<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), WireError> {
    const LIMIT: usize = 0x7fff_ffff;
    let mut front = Front(bytes);
    let mut decoder = DecoderImpl::new(&mut front, CONFIG.with_limit::<LIMIT>(), ());
    let decoded = decoder
        .claim_bytes_read(LIMIT.saturating_sub(bytes.len()))
        .and_then(|()| Compat::decode(&mut decoder));
    match decoded {
        Ok(Compat(value)) => Ok((value, bytes.len() - front.0.len())),
        Err(DecodeError::LimitExceeded) => Err(WireError::Malformed("the bytes end early".to_owned())),
        Err(error) => Err(WireError::Malformed(error.to_string())),
    }
}

/// The bytes that are not read yet.
struct Front<'a>(&'a [u8]);

impl Reader for Front<'_> {
    #[inline]
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        let (read, left) = self.0.split_at_checked(bytes.len()).ok_or(DecodeError::LimitExceeded)?;
        bytes.copy_from_slice(read);
        self.0 = left;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Value = (u16, String, Vec<u64>);

    fn values() -> [Value; 3] {
        [
            (7, String::new(), Vec::new()),
            (8, "a place".to_owned(), vec![1, 2, 3]),
            (9, "far ".repeat(20_000), (0..10_000).collect()),
        ]
    }

    #[test]
    fn values_are_read_back_from_bytes_that_end_with_them_or_go_on() {
        for value in values() {
            let mut bytes = encode(&value);
            assert_eq!(decode::<Value>(&bytes).unwrap(), value);
            bytes.push(5);
            assert_eq!(decode::<Value>(&bytes), Err(WireError::Trailing(1)));
            assert_eq!(decode_front::<Value>(&bytes).unwrap(), (value, &[5][..]));
        }
        let row: Vec<u8> = values().iter().flat_map(encode).collect();
        assert_eq!(decode_row::<Value>(&row, 3).unwrap(), values());
        assert!(matches!(decode_row::<Value>(&row, 2), Err(WireError::Trailing(_))));
    }

    #[test]
    fn values_cut_anywhere_end_early() {
        let early = WireError::Malformed("the bytes end early".to_owned());
        for value in &values()[..2] {
            let bytes = encode(value);
            for length in 0..bytes.len() {
                assert_eq!(decode::<Value>(&bytes[..length]), Err(early.clone()), "{length}");
            }
        }
        let row = encode(&values()[1]);
        assert_eq!(decode_row::<Value>(&row, 2), Err(early));
    }

    #[test]
    fn lengths_beyond_the_bytes_are_refused() {
        for length in [8, 1 << 20, 1 << 31, 1 << 40, 1 << 60, u64::MAX] {
            let mut bytes = encode(&values()[1]);
            bytes[2..10].copy_from_slice(&length.to_le_bytes());
            let read = decode::<Value>(&bytes);
            assert!(matches!(read, Err(WireError::Malformed(_))), "{length}: {read:?}");
            bytes[2..10].copy_from_slice(&7_u64.to_le_bytes());
            bytes[17..25].copy_from_slice(&length.to_le_bytes());
            let read = decode::<Value>(&bytes);
            assert!(matches!(read, Err(WireError::Malformed(_))), "{length}: {read:?}");
        }
    }
}
