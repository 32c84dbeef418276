//! Nothing in the library may differ between machines or runs: no floats, hash maps, clocks,
//! environment, threads, native byte order.

use crate::source::{Kind, Source, Token, sources_under, starts_with};

/// Names that mean a float, an order without a rule, a clock, or a machine's own ways.
const FORBIDDEN: [&str; 18] = [
    "f16",
    "f32",
    "f64",
    "f128",
    "HashMap",
    "HashSet",
    "RandomState",
    "DefaultHasher",
    "BuildHasher",
    "Instant",
    "SystemTime",
    "env",
    "thread",
    "thread_local",
    "to_ne_bytes",
    "from_ne_bytes",
    "available_parallelism",
    "type_name",
];

/// Where programs are: `bitstep`, and what every game's program has in common with it. The package stands on
/// the library, so no state can come from what it sees of the machine.
const PROGRAMS: [&str; 1] = ["crates/program/src/"];

/// What programs may use: a clock for the milliseconds that people see, their arguments, the name of a
/// game's type in the tests that they write, and threads for recordings that have nothing in common.
const PROGRAM_MAY: [&str; 5] = ["Instant", "available_parallelism", "env", "thread", "type_name"];

/// A serializer has to name the floats that it refuses.
const REFUSES_FLOATS: &str = "src/snapshot/visitor/serializer.rs";

/// What is wrong with the tokens of one file of `src/`.
fn complaints(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    let program = PROGRAMS.iter().any(|folder| path.starts_with(folder));
    let row = source.shipped_tokens();
    let mut found = Vec::new();
    for (at, token) in row.iter().enumerate() {
        let allowed = (program && PROGRAM_MAY.contains(&token.text.as_str()))
            || (path == REFUSES_FLOATS && row.get(at + 1).is_some_and(|next| next.is(")")));
        let wrong = match token.kind {
            Kind::Ident => !allowed && (is_forbidden(row, at) || is_size_bytes(&row[at..])),
            Kind::Literal => is_float(&token.text) && !is_tuple_index(row, at),
            _ => false,
        };
        if wrong {
            found.push(format!("{path}:{}: `{}`", token.line, token.text));
        }
    }
    found
}

/// A forbidden name, where it is not the macro `env!` that reads the build.
fn is_forbidden(row: &[Token], at: usize) -> bool {
    let word = row[at].text.as_str();
    let is_macro = row.get(at + 1).is_some_and(|next| next.is("!"));
    FORBIDDEN.contains(&word) && !(word == "env" && is_macro)
}

/// `usize::to_le_bytes` and its kin, whose width is the machine's.
fn is_size_bytes(row: &[Token]) -> bool {
    let size = starts_with(row, &["usize", ":", ":"]) || starts_with(row, &["isize", ":", ":"]);
    size && row.get(3).is_some_and(|token| token.text.ends_with("_bytes"))
}

/// True if a literal is a float: digits, then a point, an exponent or a float's suffix.
fn is_float(literal: &str) -> bool {
    if !literal.starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    if ["0x", "0b", "0o"].iter().any(|prefix| literal.starts_with(prefix)) {
        return false;
    }
    let rest = literal.trim_start_matches(|digit: char| digit.is_ascii_digit() || digit == '_');
    rest.starts_with(['.', 'e', 'E', 'f'])
}

/// `pair.0.1` is lexed as a name, a point and the literal `0.1`.
fn is_tuple_index(row: &[Token], at: usize) -> bool {
    at >= 2 && row[at - 1].is(".") && !row[at - 2].is(".")
}

#[test]
fn the_library_has_no_floats_maps_clocks_environment_or_threads() {
    let found: Vec<_> = ["src", "crates/program/src", "crates/scene/src"]
        .into_iter()
        .flat_map(sources_under)
        .flat_map(complaints)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_every_one() {
    let bad = [
        "const A: u8 = 1.0 as u8;",
        "const A: u8 = 1. as u8;",
        "fn f() { g(1e3) }",
        "fn f() { g(1E-3) }",
        "fn f() { g(2f64) }",
        "fn f() { g(2_f32) }",
        "fn f() -> Scalar { Scalar::from_num(0.1) }",
        "fn f(x: Scalar) -> bool { x.to_num::<f64>(); true }",
        "fn f() { for _ in 0..1.5 {} }",
        "use std::collections::HashMap;",
        "use std::collections::{BTreeMap, HashSet};",
        "use std::hash::RandomState;",
        "fn f() { let t = std::time::Instant::now(); }",
        "use std::time::SystemTime;",
        "use std::{env, fs};",
        "fn f() { std::thread::spawn(g); }",
        "fn f(n: usize) -> [u8; 8] { usize::to_le_bytes(n) }",
        "fn f(n: u32) -> [u8; 4] { n.to_ne_bytes() }",
    ];
    for text in bad {
        assert_eq!(complaints(&Source::sample("src/tick/a.rs", text)).len(), 1, "{text}");
    }
    let good = [
        "const A: Scalar = lit(\"0.1\"); const B: u32 = 0x1e3; const C: usize = 1usize + 10_usize;",
        "/// 0.5 of a tick, never an f64.\nfn f(p: ((u8, u8), u8)) -> u8 { p.0.1 + 1u8 }",
        "const V: &str = env!(\"CARGO_PKG_VERSION\"); fn f() { for _ in 0..10 {} }",
        "#[cfg(test)] mod tests { fn f() { let x = 0.5_f64; } }",
    ];
    for text in good {
        assert_eq!(complaints(&Source::sample("src/tick/a.rs", text)), [""; 0], "{text}");
    }
}

#[test]
fn the_program_may_read_a_clock_and_its_arguments_but_not_compute_in_floats() {
    let at = |path, text| complaints(&Source::sample(path, text)).len();
    assert_eq!(at("crates/program/src/verify.rs", "use std::{env, time::Instant};"), 0);
    assert_eq!(at("crates/program/src/progress.rs", "use std::{env, time::Instant};"), 0);
    assert_eq!(at("crates/program/src/verify/jobs.rs", "use std::thread::{self, available_parallelism};"), 0);
    assert_eq!(at("src/replay/program/a.rs", "use std::thread::{self, available_parallelism};"), 2);
    assert_eq!(at("src/replay/program/a.rs", "use std::{env, time::Instant};"), 2);
    assert_eq!(at("crates/program/src/verify.rs", "fn f() -> f64 { 0.5 }"), 2);
    assert_eq!(at("crates/program/src/verify.rs", "use std::collections::HashMap;"), 1);
    assert_eq!(at("crates/program/src/output.rs", "fn f() -> f64 { 0.5 }"), 2);
}
