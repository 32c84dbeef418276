//! What the README tells people to type is what CI runs.

use std::fs;

use crate::source::root;

/// What is wrong with a README, given the script that CI runs.
fn complaints(readme: &str, ci: &str) -> Vec<String> {
    let commands = commands(readme);
    let runs = |command: &str| {
        ci.lines().map(str::trim).any(|line| !line.starts_with('#') && line.ends_with(command))
    };
    let mut found: Vec<_> = commands
        .iter()
        .filter(|command| !runs(command))
        .map(|command| format!(".ci/run does not run what README.md says: {command}"))
        .collect();
    for verb in ["cargo run ", "cargo test"] {
        if !commands.iter().any(|command| command.starts_with(verb)) {
            found.push(format!("README.md has no fenced command that begins with `{verb}`"));
        }
    }
    found
}

/// The lines of the shell blocks that run or test this package.
fn commands(readme: &str) -> Vec<&str> {
    let (mut inside, mut found) = (false, Vec::new());
    for line in readme.lines().map(str::trim) {
        if let Some(language) = line.strip_prefix("```") {
            inside = ["sh", "bash", "console"].contains(&language);
        } else if inside {
            let command = line.trim_start_matches("$ ");
            if command.starts_with("cargo run ") || command.starts_with("cargo test") {
                found.push(command);
            }
        }
    }
    found
}

#[test]
fn ci_runs_the_commands_of_the_readme() {
    let read = |name: &str| {
        fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name} is missing: {error}"))
    };
    let found = complaints(&read("README.md"), &read(".ci/run"));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_a_command_that_ci_does_not_run() {
    let readme = "# a\n```sh\ncargo run --release -- demo\n```\n```sh\n$ cargo test --all-features\n```\n";
    let ci = "step demo cargo run --release -- demo\nstep tests cargo test --all-features\n";
    assert_eq!(complaints(readme, ci), [""; 0]);
    assert_eq!(complaints(readme, "step tests cargo test --all-features").len(), 1);
    assert_eq!(complaints(readme, &ci.replace("step tests", "# step tests")).len(), 1);
    assert_eq!(complaints(readme, &ci.replace("--all-features", "--all-features --lib")).len(), 1);
    assert_eq!(complaints("cargo test --all-features", ci).len(), 2);
}
