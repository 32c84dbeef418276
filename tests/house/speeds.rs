//! Figures of speed stand in the measurements alone: other pages have no times by the clock.

use std::fs;

use crate::source::{Source, files_under, root};

/// The folders whose pages are read.
const FOLDERS: [&str; 3] = ["docs", "crates", "examples"];

/// The pages beside them.
const PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "tests/README.md"];

/// The beginning of the paths of the pages that have the figures.
const MEASUREMENTS: &str = "docs/measurements";

/// Units of a time that is short, behind a number.
const UNITS: [&str; 6] = ["ms", "µs", "ns", "milliseconds", "microseconds", "nanoseconds"];

/// Parts of a line that are figures of speed, or heads of columns of them.
const PHRASES: [&str; 6] =
    ["times real time", "ms a tick", "milliseconds a tick", "microseconds a tick", "| ms |", "| µs |"];

/// A line that may have a time: its page, a part of it, and the reason.
type Allowed = (&'static str, &'static str, &'static str);

/// The lines that may have a time: settings, latencies and examples, never what was measured.
const ALLOWED: [Allowed; 6] = [
    ("docs/ci.md", "512 times real time", "what `verify` prints, as an example"),
    ("docs/netcode.md", "2 at 60 Hz are 33 ms", "ticks of a setting, as a time"),
    ("docs/netcode.md", "a link of 100 ms each way", "a latency"),
    ("docs/guide/sessions.md", "130 ms one way", "a latency"),
    ("docs/lockstep.md", "after 250 ms", "a time limit of the relay"),
    ("examples/page/README.md", "| Latency to ", "a latency to be set"),
];

/// The pages that have no figures.
fn pages() -> Vec<Source> {
    let read = |path: &str| Source::sample(path, &fs::read_to_string(root().join(path)).expect(path));
    let inside = FOLDERS.into_iter().flat_map(|folder| files_under(folder, &["md"]));
    inside.filter(|page| !page.path.starts_with(MEASUREMENTS)).chain(PAGES.map(read)).collect()
}

/// True if a line has a time by the clock.
fn has_figure(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_time = |number: &str, unit: &str| {
        let unit = unit.trim_matches(|letter: char| !letter.is_alphabetic());
        number.ends_with(|digit: char| digit.is_ascii_digit()) && UNITS.contains(&unit)
    };
    let has_time = words.iter().zip(words.iter().skip(1)).any(|(number, unit)| is_time(number, unit));
    has_time || PHRASES.iter().any(|phrase| line.contains(phrase))
}

/// The lines of a page with a time, but for those that may have one.
fn complaints(page: &Source, allowed: &[Allowed]) -> Vec<String> {
    let may = |line: &str| allowed.iter().any(|(path, part, _)| *path == page.path && line.contains(part));
    let lines = (1..).zip(page.text.lines()).filter(|(_, line)| has_figure(line) && !may(line));
    lines
        .map(|(number, line)| format!("{}:{number}: belongs into {MEASUREMENTS}: {line}", page.path))
        .collect()
}

#[test]
fn speeds_stand_in_the_measurements() {
    let pages = pages();
    assert!(pages.len() > 40, "{}", pages.len());
    let found: Vec<_> = pages.iter().flat_map(|page| complaints(page, &ALLOWED)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_allowance_is_needed() {
    let pages = pages();
    for (path, part, reason) in ALLOWED {
        let page = pages.iter().find(|page| page.path == path);
        let is_needed =
            page.is_some_and(|page| page.text.lines().any(|line| line.contains(part) && has_figure(line)));
        assert!(
            is_needed && !reason.is_empty(),
            "{path}: `{part}` needs no allowance: remove it from the list"
        );
    }
}

#[test]
fn the_rule_notices_a_figure_of_speed() {
    let count = |text: &str| complaints(&Source::sample("docs/a.md", text), &[]).len();
    for bad in [
        "A tick takes 5 ms.",
        "a tick (.26 ms)",
        "| a ray | 3.4 µs |",
        "24.7 ns, 455 instructions",
        "7 microseconds if they overlap",
        "catches up at 25 times real time",
        "| scene | ms a tick |",
        "| work | µs |",
    ] {
        assert_eq!(count(&format!("# A\n\n{bad}\n")), 1, "{bad}");
    }
    for good in [
        "The time is given, in milliseconds.",
        "a test of milliseconds",
        "a body of 5 masses, 60 ticks a second",
        "`a_ms` 5 items",
    ] {
        assert_eq!(count(good), 0, "{good}");
    }
    let allowed = [("docs/a.md", "a link of", "a latency")];
    let page = Source::sample("docs/a.md", "a link of 100 ms\na tick of 100 ms\n");
    assert_eq!(
        complaints(&page, &allowed),
        ["docs/a.md:2: belongs into docs/measurements: a tick of 100 ms"]
    );
    assert_eq!(complaints(&Source::sample("docs/b.md", &page.text), &allowed).len(), 2);
}
