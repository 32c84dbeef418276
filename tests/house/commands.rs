//! `docs/guide/commands.md` lists every command.

use std::{collections::BTreeSet, fs};

use crate::source::root;

/// The variants of an enum: the names at the first level of its body.
fn variants<'a>(text: &'a str, name: &str) -> BTreeSet<&'a str> {
    let body = text.split_once(&format!("pub enum {name} {{\n")).map_or("", |(_, rest)| rest);
    let body = body.split_once("\n}").map_or("", |(body, _)| body);
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(""));
    names.filter(|name| name.starts_with(|c: char| c.is_uppercase())).collect()
}

/// The names in the first column of a page's table.
fn listed(page: &str) -> BTreeSet<&str> {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
    cells.flat_map(|(cell, _)| cell.split(['`', ',', ' '])).filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_page_of_commands_lists_all_of_them() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let source = read("src/state/command.rs");
    let commands = variants(&source, "Command");
    assert!(commands.len() > 20, "{commands:?}");
    assert_eq!(listed(&read("docs/guide/commands.md")), commands);
}

#[test]
fn the_rule_notices_a_command_that_is_not_listed() {
    let source = "pub enum Command {\n    /// One.\n    One {\n        /// A Field.\n        Field: u8,\n    },\n    Two(u8),\n}\n";
    assert_eq!(variants(source, "Command"), ["One", "Two"].into());
    assert_eq!(listed("| `One`, `Two` | does `Three` |\n| x | y |\n"), ["One", "Two"].into());
}
