//! The table of widths in the documents is that of the code.

use std::fs;

use super::{bodies, contact, depenetration};
use crate::{character, geom, num::bound::Width, overlap, query, shape, state, sweep};

/// The widest numbers of kernels, of the state, and of the stages of a tick, by file.
fn widths() -> Vec<(&'static str, Width)> {
    let of_kernels = [&overlap::WIDTHS[..], &sweep::WIDTHS, &geom::WIDTHS].concat();
    let of_state = [&shape::WIDTHS[..], &state::WIDTHS, &query::WIDTHS, &character::WIDTHS].concat();
    let rotation = ("tick::bodies", bodies::rotation::WIDTH);
    let displacement = ("tick::depenetration", depenetration::WIDTH);
    [of_kernels, of_state, vec![rotation], contact::widths(), vec![displacement]].concat()
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
