//! A Rust test of a few recorded ticks.

use std::path::Path;

use super::program_of;
use bitstep::{
    replay::{Judgement, Replay, compare_with_rerun},
    session::Simulation,
};

/// The source of a test that plays a recording in a file beside it, or wherever it lies from the test.
pub fn test_text<S: Simulation>(replay: &Replay<S>, recording: &Path, test: &Path) -> String {
    let file = recording.file_name().unwrap_or_default().to_string_lossy();
    let included =
        if recording.parent() == test.parent() { file.clone() } else { recording.to_string_lossy() };
    let first = replay.initial_state().tick_count() + 1;
    let last = replay.initial_state().tick_count() + replay.ticks().len() as u64;
    let (what, name) = if first == last {
        (format!("Tick {first}"), format!("tick_{first}"))
    } else {
        (format!("Ticks {first} to {last}"), format!("ticks_{first}_to_{last}"))
    };
    let ([first_use, last_use], simulation) = names::<S>();
    let (program, mut found) = (program_of::<S>(), found(replay));
    if !S::name().is_empty() {
        let game = "The game is named as its own program knows it: name it as this test sees it.";
        found = format!("{found}\n//!\n//! {game}");
    }
    format!(
        "//! {what} of `{file}`, written by `{program} clip --test`.
//!
//! {found}

use bitstep::{{
{first_use}    replay::{{Judgement, Replay, compare_with_rerun}},
{last_use}}};

#[test]
fn {name}_of_{identifier}_as_recorded() {{
    let bytes = include_bytes!({included:?});
    let replay: Replay<{simulation}> = Replay::read(bytes).expect(\"a sound recording\");
    let comparison = compare_with_rerun(&replay);
    assert_eq!(comparison.judgement, Judgement::Same, \"{{comparison}}\");
}}
",
        identifier = identifier(&file),
    )
}

/// The imports for the simulation, before and after the names of `replay`, and its type.
fn names<S: Simulation>() -> ([&'static str; 2], String) {
    if S::name().is_empty() {
        return (["    World,\n", ""], "World".to_owned());
    }
    // `..::Session<its::Game>`
    let name = std::any::type_name::<S>();
    let game = name.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).unwrap_or(name);
    (["", "    session::Session,\n"], format!("Session<{game}>"))
}

/// The result of the build that writes the test.
fn found<S: Simulation>(replay: &Replay<S>) -> String {
    let comparison = compare_with_rerun(replay);
    if comparison.judgement == Judgement::Same {
        return "The build that wrote it came to what was recorded.".to_owned();
    }
    let text = comparison.to_string();
    let lines = text.trim_end().lines().map(|line| format!("\n//!     {line}"));
    format!(
        "The build that wrote it did not come to what was recorded (left | right):\n//!{}",
        lines.collect::<String>()
    )
}

/// A file's name as a part of a function's.
fn identifier(file: &str) -> String {
    let stem = file.split('.').next().unwrap_or_default();
    stem.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' })
        .collect()
}
