//! The tables of `docs/formats.md`, read as text: numbers, names, and how many bytes each field has.

use std::fs;

/// The cells of a table's rows below its head, which follows a line that begins with `above`.
pub fn rows(above: &str) -> Vec<Vec<String>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/formats.md");
    parse(&fs::read_to_string(path).unwrap(), above)
}

fn parse(text: &str, above: &str) -> Vec<Vec<String>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(above)).skip_while(|line| !is_row(line));
    assert!(lines.next().is_some_and(|head| !head.contains('`')), "no table below {above:?}");
    lines.take_while(is_row).skip(1).map(cells).collect()
}

fn is_row(line: &&str) -> bool {
    line.starts_with("| ")
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
}

/// A cell without its backticks.
pub fn name(cell: &str) -> &str {
    cell.trim_matches('`')
}

/// The number of bytes that a list of fields says: of every option that it is present, of alternatives the
/// first.
pub fn length(fields: &str) -> usize {
    pieces(fields).iter().map(|piece| piece_length(piece)).sum()
}

/// The parts of a list between commas, semicolons and colons, those in parentheses left alone.
fn pieces(fields: &str) -> Vec<String> {
    let (mut depth, mut found) = (0, vec![String::new()]);
    for letter in fields.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if depth == 0 && ",;:".contains(letter) {
            found.push(String::new());
        } else {
            found.last_mut().unwrap().push(letter);
        }
    }
    found.iter().map(|piece| piece.trim().to_owned()).collect()
}

fn piece_length(piece: &str) -> usize {
    let size = piece.split_once('(').map(|(_, rest)| rest.split([',', ')']).next().unwrap());
    match (piece, size) {
        ("body", _) => 8,
        (_, Some("vector")) => 24,
        (_, Some("raw")) => 8,
        (_, Some(size)) => size.parse().unwrap_or_else(|_| panic!("no size: {piece}")),
        // One of the values that the field before can have.
        _ if piece.starts_with(|letter: char| letter.is_ascii_digit()) => 0,
        _ => panic!("no size: {piece}"),
    }
}

#[test]
fn offsets_in_the_snapshot_table_add_up() {
    let mut at = 0;
    for row in rows("| offset | bytes | field | meaning |").iter().take_while(|row| row[2] != "slots") {
        assert_eq!(row[0].parse(), Ok(at), "{row:?}");
        at += row[1].parse::<usize>().unwrap();
    }
    assert_eq!(at, 195);
}

#[test]
fn a_table_is_read_as_a_reader_reads_it() {
    let text = "## Command\n\nText.\n\n| number | fields |\n| --- | --- |\n| 1 | a (2, b), `c` (4): 0 or 1; body |\n| 2 | point (vector) |\n\n| 3 |\n";
    let table = parse(text, "## Command");
    assert_eq!(table.len(), 2);
    assert_eq!(length(&table[0][1]), 2 + 4 + 8);
    assert_eq!(length(&table[1][1]), 24);
    assert_eq!(length("body (8) or index of the static (4), speed (raw)"), 16);
}
