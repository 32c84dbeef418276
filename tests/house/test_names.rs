//! The names of tests: bodies are things, and the noun comes first.

use crate::source::{Kind, Source, sources_under, starts_with};

/// The folders whose tests are read.
const FOLDERS: [&str; 6] = ["src", "crates", "examples", "tests", "benches", "fuzz"];

/// The first words of names that take bodies for persons.
const PERSONAL: [&str; 8] = ["who", "whom", "whoever", "nobody", "somebody", "everybody", "he", "his"];

/// The first words of names without a noun.
const NOUNLESS: [&str; 24] = [
    "what", "where", "it", "how", "among", "in", "with", "without", "from", "by", "at", "on", "of", "beside",
    "before", "behind", "after", "only", "as", "for", "when", "while", "whose", "which",
];

/// The folder that is not rewritten yet: the next contact solver replaces it.
const EXEMPT: &str = "src/tick/contact/";

/// The names of the tests of a file, with the numbers of their lines.
fn tests(source: &Source) -> Vec<(&str, usize)> {
    let row = source.tokens();
    let is_test = |at: &usize| starts_with(&row[*at..], &["#", "[", "test", "]"]);
    let name = |at: usize| {
        let function = (at..row.len()).find(|&at| row[at].is("fn") && row[at].kind == Kind::Ident)?;
        row.get(function + 1).map(|name| (name.text.as_str(), name.line))
    };
    (0..row.len()).filter(is_test).filter_map(name).collect()
}

/// The tests whose names begin with one of the words.
fn named(source: &Source, words: &[&str]) -> Vec<String> {
    let is_bad = |name: &str| name.split('_').next().is_some_and(|word| words.contains(&word));
    let bad = tests(source).into_iter().filter(|(name, _)| is_bad(name));
    bad.map(|(name, line)| format!("{}:{line}: `{name}`", source.path)).collect()
}

#[test]
fn names_of_tests_have_no_persons_for_bodies() {
    let sources = FOLDERS.into_iter().flat_map(sources_under);
    let found = sources.flat_map(|source| named(source, &PERSONAL));
    let (exempt, found): (Vec<_>, Vec<_>) = found.partition(|complaint| complaint.starts_with(EXEMPT));
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(!exempt.is_empty(), "{EXEMPT} needs no exemption: remove it");
}

#[test]
fn names_of_tests_begin_with_the_noun() {
    let sources = FOLDERS.into_iter().flat_map(sources_under);
    let found = sources.flat_map(|source| named(source, &NOUNLESS));
    let found: Vec<_> = found.filter(|complaint| !complaint.starts_with(EXEMPT)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_a_bad_name() {
    let count = |text: &str, words: &[&str]| named(&Source::sample("src/a.rs", text), words).len();
    for word in PERSONAL {
        assert_eq!(count(&format!("#[test] fn {word}_sleeps() {{}}"), &PERSONAL), 1, "{word}");
        assert_eq!(count(&format!("fn {word}_sleeps() {{}}"), &PERSONAL), 0, "{word}: no test");
    }
    for word in NOUNLESS {
        let ignored = format!("#[test]\n#[ignore = \"long\"]\nfn {word}_sleeps() {{}}");
        assert_eq!(count(&ignored, &NOUNLESS), 1, "{word}");
    }
    assert_eq!(count("#[test] fn sleep_takes_what_rests() {} #[test] fn item() {}", &NOUNLESS), 0);
}
