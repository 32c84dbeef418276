//! The bytes of the buffers of a document: from the binary part, written out in base64, or of files in the model's folder.

use super::document::{Buffer, Document};

/// A function that reads a file beside the model: its bytes by its name, or the reason why there are none.
pub type ReadFile<'r> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'r;

/// The bytes of all buffers.
pub fn load(
    document: &Document<'_>,
    binary: Option<&[u8]>,
    read_file: &mut ReadFile<'_>,
) -> Result<Vec<Vec<u8>>, String> {
    let mut loaded = Vec::new();
    for (index, Buffer { uri, byte_length }) in document.buffers.iter().enumerate() {
        let refused = |reason: String| format!("buffers[{index}]: {reason}");
        let bytes = match (uri, index, binary) {
            (Some(uri), ..) => of_uri(uri, read_file).map_err(refused)?,
            (None, 0, Some(binary)) => binary.to_vec(),
            (None, ..) => return Err(refused("no uri, and no binary part in the file".to_owned())),
        };
        if (bytes.len() as u64) < *byte_length {
            return Err(refused(format!("byteLength is {byte_length}, but there are {} bytes", bytes.len())));
        }
        loaded.push(bytes);
    }
    Ok(loaded)
}

fn of_uri(uri: &str, read_file: &mut ReadFile<'_>) -> Result<Vec<u8>, String> {
    let shown: String = uri.chars().take(80).collect();
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) =
            data.split_once(";base64,").ok_or_else(|| format!("uri {shown:?} is not in base64"))?;
        return of_base64(text.as_bytes());
    }
    let name = unescaped(uri).ok_or_else(|| format!("uri {shown:?} is not a text with %-escapes"))?;
    read_file(&name).map_err(|reason| format!("uri {shown:?}: {reason}"))
}

/// A text whose characters may be written as `%20`.
fn unescaped(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, behind @ ..] = rest {
        if *first == b'%' {
            let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
            let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal)?);
            rest = &behind[2..];
        } else {
            bytes.push(*first);
            rest = behind;
        }
    }
    String::from_utf8(bytes).ok()
}

/// The bytes of a text in base64, padded or not.
fn of_base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let end = text.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    for group in text[..end].chunks(4) {
        let mut bits = 0_u32;
        for &byte in group {
            let digit = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return Err(format!("byte {byte:#04x} in a text in base64")),
            };
            bits = bits << 6 | u32::from(digit);
        }
        let missing = 4 - group.len();
        if text.len() - end > 2 || missing == 3 {
            return Err("a text in base64 that ends within a byte".to_owned());
        }
        let all = (bits << (6 * missing)).to_be_bytes();
        bytes.extend(&all[1..4 - missing]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_the_table_of_its_document() {
        let cases = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, expected) in cases {
            assert_eq!(of_base64(text.as_bytes()), Ok(expected.as_bytes().to_vec()), "{text}");
        }
        assert_eq!(of_base64(b"-_+/"), Ok(vec![0xfb, 0xff, 0xbf]));
        for text in ["Z", "Zm9vY", "Zm 9", "Z===", "Zg==Zg=="] {
            assert!(of_base64(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn names_of_files_may_have_escapes() {
        assert_eq!(unescaped("a%20b%C3%A4.bin").as_deref(), Some("a bä.bin"));
        for text in ["%", "%2", "%zz", "%+1", "%ff"] {
            assert_eq!(unescaped(text), None, "{text}");
        }
    }
}
