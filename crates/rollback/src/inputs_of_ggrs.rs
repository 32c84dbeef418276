//! The inputs in a message of ggrs, before it is decoded: they are run-length encoded, and a run may claim any length.
//!
//! The layout is that of ggrs 0.13 in the encoding of [`exchange`](crate::exchange): a number of two bytes, the kind in four, and of a
//! message with inputs a list of states, a flag, two frames, and the encoded inputs. A test holds it against ggrs itself.

/// The kind of a message with inputs.
const INPUTS: u32 = 2;

/// The size of a player's state in such a message: a flag and a frame.
const STATE_BYTES: usize = 5;

/// The bytes between the states and the encoded inputs: a flag and two frames.
const BETWEEN_BYTES: usize = 9;

/// Largest size of all inputs of a message, decoded: some hundred ticks of 255 players.
const DECODED_MAX: u64 = 1 << 20;

/// True if the inputs of a message take no more memory than honest ones; also if it has none, or is none.
pub fn are_bounded(message: &[u8]) -> bool {
    encoded(message).is_none_or(|encoded| decoded_length(encoded).is_some_and(|length| length <= DECODED_MAX))
}

/// The encoded inputs of a message.
fn encoded(message: &[u8]) -> Option<&[u8]> {
    let (_, rest) = message.split_first_chunk::<2>()?;
    let (kind, rest) = rest.split_first_chunk()?;
    if u32::from_le_bytes(*kind) != INPUTS {
        return None;
    }
    let (count, rest) = rest.split_first_chunk()?;
    let states = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(STATE_BYTES)?;
    let rest = rest.get(states.checked_add(BETWEEN_BYTES)?..)?;
    rest.get(8..) // the length of what follows
}

/// The length of run-length encoded bytes when they are decoded; none if it is beyond all numbers, or a run is cut off.
///
/// Each run has a number of 7 bits a byte, the lowest first: its lowest bit says whether one byte is repeated, and then the next
/// whether it is 0 or 255; the rest is the length.
fn decoded_length(mut encoded: &[u8]) -> Option<u64> {
    let mut sum = 0_u64;
    while !encoded.is_empty() {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (&byte, rest) = encoded.split_first()?;
            encoded = rest;
            if shift > 63 {
                return None;
            }
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let length = if number & 1 == 1 { number >> 2 } else { number >> 1 };
        sum = sum.checked_add(length)?;
        if number & 1 == 0 {
            encoded = encoded.get(usize::try_from(length).ok()?..)?;
        }
    }
    Some(sum)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A message with inputs of two players.
    pub fn message(encoded: &[u8]) -> Vec<u8> {
        let states = [[0, 1, 0, 0, 0]; 2].concat();
        let length = (encoded.len() as u64).to_le_bytes();
        let two = 2_u64.to_le_bytes();
        [&[7, 7], &INPUTS.to_le_bytes()[..], &two, &states, &[0; BETWEEN_BYTES], &length, encoded].concat()
    }

    #[test]
    fn the_layout_is_that_of_ggrs() {
        let config = bincode::config::legacy();
        let bytes = message(&[3 << 2 | 1, 2 << 1, 8, 9]);
        let (read, used): (ggrs::Message, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        assert_eq!(used, bytes.len());
        let text = format!("{read:?}");
        assert!(
            text.contains("Input") && text.contains("peer_connect_status") && text.contains("0x0d040809"),
            "{text}"
        );
        assert_eq!(encoded(&bytes).and_then(decoded_length), Some(5));
        assert!(are_bounded(&bytes));
    }

    #[test]
    fn runs_that_claim_too_much_are_refused() {
        for claim in [1 << 20, (1 << 20) + 1, 1 << 40, u64::MAX >> 2] {
            let (mut number, mut run) = (claim << 2 | 1, Vec::new());
            while number > 0x7f {
                run.push(number as u8 | 0x80);
                number >>= 7;
            }
            run.push(number as u8);
            assert_eq!(are_bounded(&message(&run)), claim <= 1 << 20, "{claim}");
            assert!(!are_bounded(&message(&[run.clone(), run].concat())));
        }
        assert!(!are_bounded(&message(&[2 << 1, 8])), "a run that is cut off");
        assert!(!are_bounded(&message(&[0xff; 12])), "a number without end");
        assert!(are_bounded(&message(&[])) && are_bounded(&[]) && are_bounded(&[1, 2, 3]));
    }
}
