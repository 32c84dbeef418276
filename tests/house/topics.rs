//! `tests/README.md` names every program of tests and every file of one, and no file that there is not.

use std::fs;

use crate::source::{root, sources_under};

/// What is wrong with it, given the names of the programs, or of files, and whether a path in `tests/` exists.
fn complaints(text: &str, names: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let named: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let is_named = |name: &&String| named.contains(&name.as_str());
    let silent = names.iter().filter(|name| !is_named(name));
    let mut found: Vec<_> = silent.map(|name| format!("tests/README.md does not name {name}")).collect();
    let paths = named.into_iter().filter(|name| name.ends_with(".rs"));
    found.extend(
        paths.filter(|path| !exists(path)).map(|path| format!("tests/README.md names {path}: no file")),
    );
    found
}

/// The programs: every folder with a `main.rs`, and every file at the top.
fn programs() -> Vec<String> {
    let entries = fs::read_dir(root().join("tests")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let is_folder = path.join("main.rs").is_file();
            (is_folder || name.ends_with(".rs")).then(|| if is_folder { name + "/" } else { name })
        })
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn the_table_of_tests_names_every_program_and_only_what_there_is() {
    let text = fs::read_to_string(root().join("tests/README.md")).unwrap();
    let found = complaints(&text, &programs(), |path| root().join("tests").join(path).is_file());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Every file below `tests/`, but for those that a program is named after.
fn files() -> Vec<String> {
    let paths = sources_under("tests").iter().filter_map(|source| source.path.strip_prefix("tests/"));
    paths.filter(|path| !path.ends_with("/main.rs")).map(str::to_owned).collect()
}

#[test]
fn the_table_of_tests_names_every_file() {
    let text = fs::read_to_string(root().join("tests/README.md")).unwrap();
    let files = files();
    assert!(
        ["laws/gas.rs", "support/shrink/scene.rs", "allocations.rs"]
            .iter()
            .all(|path| { files.iter().any(|file| file == path) })
    );
    let found = complaints(&text, &files, |_| true);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_program_is_a_target() {
    let manifest = fs::read_to_string(root().join("tests/Cargo.toml")).unwrap();
    for program in programs() {
        let path = if program.ends_with('/') { program + "main.rs" } else { program };
        assert!(manifest.contains(&format!("path = \"{path}\"")), "tests/Cargo.toml does not have {path}");
    }
}

#[test]
fn the_rule_notices_what_is_not_named_and_what_is_not_there() {
    let programs = ["laws/".to_owned(), "formats.rs".to_owned()];
    let check = |text: &str| complaints(text, &programs, |path| path != "laws/gone.rs").len();
    assert_eq!(check("`laws/` and `formats.rs`, `laws/gas.rs`"), 0);
    assert_eq!(check("`laws/`, formats.rs"), 1);
    assert_eq!(check("`laws/`, `formats.rs`, `laws/gone.rs`"), 1);
    assert_eq!(check("`laws/gone.rs`"), 3);
    let files = ["laws/gas.rs".to_owned()];
    assert_eq!(complaints("`laws/`, laws/gas.rs", &files, |_| true).len(), 1);
}
