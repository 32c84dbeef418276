//! Text in aligned columns.

use anyhow::Result;

use super::output::{Screen, Tone};

/// Rows of texts below heads.
pub struct Table<const N: usize> {
    heads: [&'static str; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// No rows yet.
    #[must_use]
    pub const fn new(heads: [&'static str; N]) -> Self {
        Self { heads, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// All rows, each column as wide as its widest text; nothing where there is no row.
    pub fn show(&self, screen: &mut Screen) -> Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let widths = std::array::from_fn(|column| {
            let texts = self.rows.iter().map(|row| visible(&row[column]));
            texts.max().unwrap_or(0).max(visible(self.heads[column]))
        });
        let heads = self.heads.map(|head| screen.paint(Tone::Dim, head));
        screen.line(aligned(&heads, &widths))?;
        self.rows.iter().try_for_each(|row| screen.line(aligned(row, &widths)))
    }
}

fn aligned<const N: usize>(row: &[String; N], widths: &[usize; N]) -> String {
    let mut line = String::new();
    for (text, width) in row.iter().zip(widths) {
        line.push_str(text);
        line.push_str(&" ".repeat(width - visible(text) + 2));
    }
    line.trim_end().to_owned()
}

/// Number of columns of a text: codes of colours take none.
fn visible(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or("").chars().count();
    let behind = |part: &str| part.split_once('m').map_or(0, |(_, rest)| rest.chars().count());
    first + parts.map(behind).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_take_no_room() {
        assert_eq!(visible("\x1b[1;31mno\x1b[0m, it"), 6);
        let widths = [4, 2];
        let plain = aligned(&["ab".to_owned(), "c".to_owned()], &widths);
        let toned = aligned(&["\x1b[1mab\x1b[0m".to_owned(), "c".to_owned()], &widths);
        assert_eq!((plain.as_str(), toned.as_str()), ("ab    c", "\x1b[1mab\x1b[0m    c"));
    }
}
