//! Integers in as few bytes as they need: seven bits per byte, lowest first (LEB128).

/// The reason why bytes do not begin with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoNumber {
    /// The bytes end inside the number.
    Short,
    /// The number is written in more bytes than it needs, or beyond 64 bits.
    Malformed,
}

/// Appends a number: 1 to 10 bytes, of which every one but the last has its highest bit set.
pub(super) fn put(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front of the bytes. There is one encoding per number.
pub(super) fn take(bytes: &mut &[u8]) -> Result<u64, NoNumber> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(NoNumber::Short)?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        if (part << shift) >> shift != part || (byte == 0 && shift > 0) {
            return Err(NoNumber::Malformed);
        }
        number |= part << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(NoNumber::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_table_and_come_back() {
        let table: [(u64, &[u8]); 8] = [
            (0, &[0]),
            (1, &[1]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (16_384, &[0x80, 0x80, 1]),
            (u64::from(u32::MAX), &[0xff, 0xff, 0xff, 0xff, 0x0f]),
            (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ];
        for (number, expected) in table {
            let mut bytes = Vec::new();
            put(number, &mut bytes);
            assert_eq!(bytes, expected, "{number}");
            bytes.push(9);
            let mut rest = &bytes[..];
            assert_eq!((take(&mut rest), rest), (Ok(number), &[9][..]), "{number}");
            for end in 0..expected.len() {
                assert_eq!(take(&mut &expected[..end]), Err(NoNumber::Short), "{number}");
            }
        }
    }

    #[test]
    fn no_number_has_a_second_encoding() {
        let malformed: [&[u8]; 4] = [
            &[0x80, 0],
            &[0xff, 0x80, 0],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
        ];
        for bytes in malformed {
            assert_eq!(take(&mut &*bytes), Err(NoNumber::Malformed), "{bytes:x?}");
        }
    }
}
