//! What is found in a source, and how it is rewritten, by hand.

use crate::{find, rewrite::rewrite, rooms::Room};

const ROOM: Room = Room { name: "room", folder: "src/room", programs: &[] };

/// The mutants of a function's body, as `was -> becomes`.
fn found(body: &str) -> Vec<String> {
    let text = format!("fn sample() {{ {body} }}");
    let mutants = find::mutants(&ROOM, "sample.rs", &text).expect("a source");
    mutants.iter().map(|mutant| mutant.to_string().split_once(": ").expect("a name").1.to_owned()).collect()
}

#[test]
fn operators_numbers_calls_and_conditions_are_mutants() {
    let table: [(&str, &[&str]); 12] = [
        ("a + b", &["`a + b` -> `a - b`"]),
        ("!a", &["`!a` -> `a`"]),
        ("-a", &["`-a` -> `a`"]),
        ("7u8", &["`7u8` -> `8u8`"]),
        ("true", &["`true` -> `false`"]),
        ("a.min(b)", &["`a.min(b)` -> `a.max(b)`"]),
        ("LIMIT", &["`LIMIT` -> `LIMIT + 1`"]),
        ("Some(a)", &["`Some(a)` -> `None`"]),
        ("if a { b }", &["`a` -> `false`"]),
        ("while a < b {}", &["`a < b` -> `a <= b`", "`a < b` -> `false`"]),
        ("match a { b if c => d, _ => e }", &["`c` -> `false`"]),
        ("a += b; c(d);", &["`a += b;` -> `nothing`", "`a += b` -> `a -= b`", "`c(d);` -> `nothing`"]),
    ];
    for (body, expected) in table {
        let mut found = found(body);
        found.sort();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn constants_patterns_and_tests_are_not_mutated() {
    for body in [
        "let a: [u8; 3] = b;",
        "[a; 3]",
        "const A: u8 = 1 + 2;",
        "match a { 1..=3 => b, _ => c }",
        "a::<3>()",
        "assert!(a < b)",
        "const { 1 + 2 }",
        "if let Some(3) = a { b }",
    ] {
        assert_eq!(found(body), [""; 0], "{body}");
    }
    let text = "#[cfg(test)] mod tests { fn a() { b + c } } impl Debug for A { fn fmt() { b + c } }";
    assert!(find::mutants(&ROOM, "sample.rs", text).expect("a source").is_empty());
}

#[test]
fn a_rewritten_source_has_switches_within_switches() {
    let text = "fn sample() { if a < b + 1 { c(); } }";
    let mut mutants = find::mutants(&ROOM, "sample.rs", text).expect("a source");
    for (number, mutant) in mutants.iter_mut().enumerate() {
        mutant.number = number;
    }
    let expected = "fn sample() { if (if bitstep_switch::on(0) { false } else { (if bitstep_switch::on(1) { a <= b + 1 } else { \
                    a < (if bitstep_switch::on(2) { b - 1 } else { b + (if bitstep_switch::on(3) { 2 } else { 1 }) }) }) }) \
                    { if !bitstep_switch::on(4) { c(); } } }";
    let rewritten = rewrite(text, &mutants.iter().collect::<Vec<_>>());
    assert_eq!(rewritten.text, expected);
    // A place is that of its number, and its text parses.
    syn::parse_file(&rewritten.text).expect("a source");
    for (number, range) in rewritten.places {
        assert!(rewritten.text[range].contains(&format!("on({number})")));
    }
}
