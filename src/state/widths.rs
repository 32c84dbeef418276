//! The table of widths in the documents is that of the code.

use std::fs;

use super::body;
use crate::{num::bound::Width, overlap, sweep};

/// The widest numbers of the kernels of overlaps and sweeps, and of the state, by file.
fn widths() -> Vec<(&'static str, Width)> {
    let of_state = [("state::body", body::WIDTH), ("state::body", body::SUM_WIDTH)];
    [&overlap::WIDTHS[..], &sweep::WIDTHS, &of_state].concat()
}

#[test]
fn the_table_of_widths_is_that_of_the_code() {
    let row = |(file, width): &(&str, Width)| {
        format!("| `{file}` | {} | {} | {} |", width.number, width.bound.bits(), width.held_in)
    };
    let rows: Vec<String> = widths().iter().map(row).collect();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/numerics/widths.md");
    let page = fs::read_to_string(page).expect("the page");
    let table: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(table, rows, "\n{}\n", rows.join("\n"));
}
