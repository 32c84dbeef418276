//! Every public kernel is called by a kernel test, and by the digest that other machines are compared by;
//! every public function of the rooms below the kernels, methods as well, is called by a test of its room or
//! a kernel test.

use std::collections::BTreeSet;

use crate::source::{Kind, Source, Token, past_group, sources_under, starts_with};

/// The public functions of a file that stand by themselves, outside any `impl` or `mod`.
fn public_functions(source: &Source) -> Vec<String> {
    let row = source.shipped_tokens();
    let mut found = Vec::new();
    let mut at = 0;
    while at < row.len() {
        if row[at].kind == Kind::Open {
            at = past_group(row, at);
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

/// The public functions of a file that are methods, each with its type; those of traits are not public by
/// themselves.
fn public_methods(source: &Source) -> Vec<(String, String)> {
    let row = source.shipped_tokens();
    let mut found = Vec::new();
    let mut at = 0;
    while at < row.len() {
        if !row[at].is("impl") {
            at += 1;
            continue;
        }
        let open = (at..row.len()).find(|&at| row[at].is("{")).unwrap_or(row.len());
        let head = &row[at + 1..open];
        let end = past_group(row, open);
        if let Some(name) = head.iter().rfind(|token| token.kind == Kind::Ident && !token.is("const")) {
            let own = (open + 1..end).filter(|&at| row[at].is("pub") && !row[at + 1].is("("));
            found.extend(own.filter_map(|at| {
                let words = row[at + 1..end].iter().take(3).position(|token| token.is("fn"))?;
                Some((name.text.clone(), row[at + words + 2].text.clone()))
            }));
        }
        at = end;
    }
    found
}

/// The path of a test's file and its tokens.
type Test<'a> = (&'a str, &'a [Token]);

/// True if a test calls a method of a type in a file: by `Type::name`, or by `.name` where it names the type
/// or is in that file.
///
/// Tokens do not tell the type of a value: which fault a test notices is asked by seeding it.
fn calls((path, row): &Test<'_>, file: &str, (type_name, name): &(String, String)) -> bool {
    let qualified = |w: &[Token]| w[0].is(type_name) && w[1].is(":") && w[2].is(":") && w[3].is(name);
    let called = |w: &[Token]| (w[0].is(".") || w[0].is(":")) && w[1].is(name);
    let is_meant = *path == file || row.iter().any(|token| token.is(type_name));
    row.windows(4).any(qualified) || (is_meant && row.windows(2).any(called))
}

/// The public methods that no test calls, and the public functions whose names no test uses.
fn untested<'a>(rooms: impl IntoIterator<Item = &'a Source>, tests: &[Test<'_>]) -> Vec<String> {
    let used: BTreeSet<&str> = tests.iter().flat_map(|(_, row)| used(row)).collect();
    let mut found = Vec::new();
    for file in rooms {
        let path = &file.path;
        let methods = public_methods(file).into_iter();
        let silent = methods.filter(|method| !tests.iter().any(|test| calls(test, path, method)));
        found.extend(silent.map(|(owner, name)| format!("{path}: no test calls `{owner}::{name}`")));
        let functions = public_functions(file).into_iter();
        let silent = functions.filter(|name| !used.contains(name.as_str()));
        found.extend(silent.map(|name| format!("{path}: no test calls `{name}`")));
    }
    found
}

/// The names that a test does more with than import.
fn used(row: &[Token]) -> BTreeSet<&str> {
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
            found.insert(row[at].text.as_str());
        }
        at += 1;
    }
    found
}

/// The kernels that none of these callers calls.
fn complaints<'a>(kernels: impl IntoIterator<Item = &'a Source>, callers: &[Source]) -> Vec<String> {
    let used: BTreeSet<_> = callers.iter().flat_map(|caller| used(caller.tokens())).collect();
    let public = kernels
        .into_iter()
        .flat_map(|file| public_functions(file).into_iter().map(|name| (&file.path, name)));
    public
        .filter(|(_, name)| !used.contains(name.as_str()))
        .map(|(path, name)| format!("{path}: `{name}` is not called by {}", callers[0].path))
        .collect()
}

fn kernels() -> impl Iterator<Item = &'static Source> {
    ["src/overlap", "src/sweep"].into_iter().flat_map(sources_under)
}

#[test]
fn every_public_kernel_has_a_kernel_test() {
    let found = complaints(kernels(), sources_under("tests/kernels"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_public_kernel_is_in_the_digest() {
    let digest = sources_under("examples").iter().find(|source| source.path == "examples/digest.rs");
    let found = complaints(kernels(), std::slice::from_ref(digest.expect("the digest")));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_public_function_below_the_kernels_has_a_test() {
    let rooms: Vec<_> = ["src/num", "src/geom"].into_iter().flat_map(sources_under).collect();
    let kernel_tests = sources_under("tests/kernels").iter().map(|test| (test.path.as_str(), test.tokens()));
    let own = rooms.iter().map(|room| (room.path.as_str(), room.test_tokens()));
    let tests: Vec<_> = kernel_tests.chain(own).collect();
    let found = untested(rooms, &tests);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_a_method_without_a_test() {
    let room =
        "impl Plane { pub fn moved() {} pub const fn normal() {} fn inner() {} pub(super) fn own() {} }
        impl<'a> From<u8> for Plane { fn from(x: u8) {} } pub fn normalise() {}
        #[cfg(test)] mod tests { fn t() { plane.moved(); } }";
    let room = [Source::sample("src/geom/plane.rs", room)];
    let check =
        |path: &str, test: &str| untested(&room, &[(path, Source::sample(path, test).tokens())]).len();
    assert_eq!(check("t.rs", "use x::{moved, normalise}; fn t() { normal; }"), 3);
    assert_eq!(check("t.rs", "fn t() { p.moved(); Plane::normal(&p); }"), 1);
    assert_eq!(check("t.rs", "fn t() { p.moved(); p.normal(); }"), 3, "of no known type");
    assert_eq!(check("src/geom/plane.rs", "fn t() { p.moved(); p.normal(); }"), 1);
    assert_eq!(untested(&room, &[(&room[0].path, room[0].test_tokens())]).len(), 2);
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
