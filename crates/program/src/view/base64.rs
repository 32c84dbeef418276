//! Bytes as letters that mean nothing in a page.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends bytes in Base64, with padding.
pub fn put(page: &mut String, bytes: &[u8]) {
    page.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            page.push(if index > group.len() { '=' } else { char::from(letter) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_rfc_4648_hold() {
        let text = |bytes: &[u8]| {
            let mut page = String::new();
            put(&mut page, bytes);
            page
        };
        let all = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|plain| text(plain.as_bytes()));
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(text(&[0xfb, 0xff, 0xbf]), "+/+/");
    }
}
