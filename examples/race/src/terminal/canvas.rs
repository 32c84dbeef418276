//! Two square dots in each cell of a terminal, and text; only what changes is written.

use std::fmt::Write;

/// A colour of the terminal's 256.
pub type Colour = u8;

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    letter: char,
    above: Colour,
    below: Colour,
}

const HALF: char = '▀';
const BLANK: Cell = Cell { letter: HALF, above: 0, below: 0 };

/// A picture, and the one that is on the terminal.
#[derive(Clone, Debug)]
pub struct Canvas {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
    /// `None` where the content of the terminal is not known.
    shown: Vec<Option<Cell>>,
}

impl Canvas {
    /// An empty one.
    pub fn new(columns: u16, rows: u16) -> Self {
        let (columns, rows) = (columns.into(), rows.into());
        Self { columns, rows, cells: vec![BLANK; columns * rows], shown: vec![None; columns * rows] }
    }

    /// Takes another size, if it differs.
    pub fn fit(&mut self, columns: u16, rows: u16) {
        if (self.columns, self.rows) != (columns.into(), rows.into()) {
            *self = Self::new(columns, rows);
        }
    }

    /// Number of dots along and down.
    pub const fn dots(&self) -> [i64; 2] {
        [self.columns as i64, 2 * self.rows as i64]
    }

    /// Makes all of it one colour.
    pub fn clear(&mut self, colour: Colour) {
        self.cells.fill(Cell { letter: HALF, above: colour, below: colour });
    }

    /// Fills the dots from one corner to the other, which is excluded; dots outside are skipped.
    pub fn fill(&mut self, [left, top]: [i64; 2], [right, bottom]: [i64; 2], colour: Colour) {
        let [columns, dots] = self.dots();
        for y in top.max(0)..bottom.min(dots) {
            for x in left.max(0)..right.min(columns) {
                let cell = &mut self.cells[y as usize / 2 * self.columns + x as usize];
                let dot = if y % 2 == 0 { &mut cell.above } else { &mut cell.below };
                *dot = colour;
            }
        }
    }

    /// Writes a line of text; text beyond the edge is skipped.
    pub fn text(&mut self, column: usize, row: usize, text: &str, colour: Colour) {
        let letters = text.chars().filter(|letter| !letter.is_control());
        for (at, letter) in (column..self.columns).zip(letters) {
            if let Some(cell) = self.cells.get_mut(row * self.columns + at) {
                *cell = Cell { letter, above: colour, below: cell.below };
            }
        }
    }

    /// The text to be written so that the terminal shows this.
    pub fn changes(&mut self) -> String {
        let (mut out, mut colours, mut next) = (String::new(), None, usize::MAX);
        for (at, (cell, shown)) in self.cells.iter().zip(&mut self.shown).enumerate() {
            if *shown == Some(*cell) {
                continue;
            }
            *shown = Some(*cell);
            if next != at || at % self.columns == 0 {
                let _ = write!(out, "\x1b[{};{}H", at / self.columns + 1, at % self.columns + 1);
            }
            if colours != Some((cell.above, cell.below)) {
                let _ = write!(out, "\x1b[38;5;{};48;5;{}m", cell.above, cell.below);
                colours = Some((cell.above, cell.below));
            }
            out.push(cell.letter);
            next = at + 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_change_are_written_and_no_others() {
        let mut canvas = Canvas::new(4, 2);
        assert_eq!(canvas.changes().matches(HALF).count(), 8, "at first all of it");
        assert_eq!(canvas.changes(), "");
        canvas.fill([1, 1], [2, 2], 9);
        assert_eq!(canvas.changes(), "\x1b[1;2H\x1b[38;5;0;48;5;9m▀");
        canvas.fill([-9, -9], [90, 0], 9);
        canvas.text(2, 7, "far below", 1);
        assert_eq!(canvas.changes(), "", "outside is nothing");
        canvas.text(2, 1, "a\x1bbcd", 7);
        assert_eq!(canvas.changes(), "\x1b[2;3H\x1b[38;5;7;48;5;0mab");
        canvas.fit(4, 2);
        assert_eq!(canvas.changes(), "");
        canvas.fit(4, 3);
        assert_eq!(canvas.changes().matches(HALF).count(), 12);
    }
}
