//! `docs/wasm.md` lists what the module exports, and nothing else.
#![allow(missing_docs)]

use std::{collections::BTreeSet, fs, path::Path};

/// The names behind a text, up to a bracket.
fn names<'a>(text: &'a str, before: &'a str) -> BTreeSet<&'a str> {
    let parts = text.split(before).skip(1);
    parts.filter_map(|part| part.split_once('(')).map(|(name, _)| name).collect()
}

#[test]
fn the_table_lists_all_exports() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = fs::read_dir(root.join("src/exports")).unwrap();
    let sources: Vec<String> =
        sources.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let exported: BTreeSet<&str> = sources.iter().flat_map(|text| names(text, "extern \"C\" fn ")).collect();
    let page = fs::read_to_string(root.join("../../docs/wasm.md")).unwrap();
    let rows: String = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1))
        .collect();
    // Of `page` and `release`, profiles in another table, none has a bracket behind its name.
    let listed: BTreeSet<&str> =
        names(&rows, "`").into_iter().filter(|name| name.contains('_') || *name == "versions").collect();
    assert!(exported.len() > 40);
    assert_eq!(exported, listed);
}
