//! Every public kernel is called by a kernel test, and by the digest that other machines are compared by.

use std::collections::BTreeSet;

use crate::source::{Kind, Source, Token, past_group, sources_under, starts_with};

/// The public functions of a file that stand by themselves, outside any `impl` or `mod`.
fn public_functions(source: &Source) -> Vec<String> {
    let row = source.shipped_tokens();
    let mut found = Vec::new();
    let mut at = 0;
    while at < row.len() {
        if row[at].kind == Kind::Open {
            at = past_group(&row, at);
            continue;
        }
        if row[at].is("pub") {
            let name = [["fn"].as_slice(), &["const", "fn"]]
                .iter()
                .find_map(|words| starts_with(&row[at + 1..], words).then(|| row.get(at + 1 + words.len())));
            found.extend(name.flatten().map(|name| name.text.clone()));
        }
        at += 1;
    }
    found
}

/// The names that a test file does more with than import.
fn names_used(source: &Source) -> BTreeSet<String> {
    let row: Vec<Token> = source.tokens();
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < row.len() {
        if row[at].is("mod") {
            at += 1; // its name
        } else if row[at].is("use") {
            while at < row.len() && !row[at].is(";") {
                at += 1;
            }
        } else if row[at].kind == Kind::Ident {
            found.insert(row[at].text.clone());
        }
        at += 1;
    }
    found
}

/// The kernels that none of these callers calls.
fn complaints(kernels: &[Source], callers: &[Source]) -> Vec<String> {
    let used: BTreeSet<_> = callers.iter().flat_map(names_used).collect();
    let public =
        kernels.iter().flat_map(|file| public_functions(file).into_iter().map(|name| (&file.path, name)));
    public
        .filter(|(_, name)| !used.contains(name))
        .map(|(path, name)| format!("{path}: `{name}` is not called by {}", callers[0].path))
        .collect()
}

fn kernels() -> Vec<Source> {
    ["src/overlap", "src/sweep"].into_iter().flat_map(sources_under).collect()
}

#[test]
fn every_public_kernel_has_a_kernel_test() {
    let found = complaints(&kernels(), &sources_under("tests/kernels"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_public_kernel_is_in_the_digest() {
    let examples = sources_under("examples").into_iter();
    let digest: Vec<_> = examples.filter(|source| source.path == "examples/digest.rs").collect();
    let found = complaints(&kernels(), &digest);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_a_kernel_that_is_only_imported() {
    let kernel = "pub fn sweep_a_b() {} pub const fn sweep_c() {} fn helper() {} pub(super) fn inner() {}
        impl Span { pub fn length() {} }";
    let kernels = [Source::sample("src/sweep/a.rs", kernel)];
    let check = |test: &str| complaints(&kernels, &[Source::sample("tests/kernels/a.rs", test)]).len();
    assert_eq!(check("mod sweep_a_b; use bitstep::sweep::{sweep_a_b, sweep_c};"), 2);
    assert_eq!(check("use x::sweep_c; fn t() { sweep_a_b(); }"), 1);
    assert_eq!(check("mod inside { fn t() { sweep_a_b(); let f = sweep_c; } }"), 0);
}
