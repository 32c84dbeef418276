//! The output of the program that pages quote: each command is run, and what is quoted below it is how its output begins.
//!
//! A quoted line may end in `...`: the rest of it is not compared.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::batches::folder;

/// The beginnings of quoted commands that are not run here: they take a game's program and two processes.
const OTHERS: [&str; 3] = ["fight diff ", "fight run ", "rts run "];

/// A command that a page quotes, and the lines below it.
struct Quoted {
    page: String,
    line: usize,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README, and the pages below `docs`.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![root().join("docs")];
    let mut found = vec![
        root().join("README.md"),
        root().join("crates/program/README.md"),
        root().join("replays/README.md"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The commands in the blocks of a page that begin with `$`.
fn quoted(page: &str, text: &str) -> Vec<Quoted> {
    let (mut found, mut is_inside): (Vec<Quoted>, bool) = (Vec::new(), false);
    let mut is_first = true;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("```") {
            is_inside = !is_inside;
            is_first = true;
            continue;
        }
        if !is_inside {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ ") {
            let (page, command) = (page.to_owned(), command.to_owned());
            found.push(Quoted { page, line: number, command, output: Vec::new() });
            is_first = false;
        } else if let Some(last) = found.last_mut().filter(|_| !is_first) {
            last.output.push(line.to_owned());
        }
    }
    found
}

/// The first quoted line that the output does not have there.
fn stale(quoted: &Quoted, output: &str) -> Option<String> {
    let mut lines = output.lines();
    for expected in &quoted.output {
        let found = lines.next().unwrap_or("(no more)");
        let is_same = match expected.strip_suffix("...") {
            Some(start) => !start.trim().is_empty() && found.starts_with(start.trim_end()),
            None => found == expected,
        };
        if !is_same {
            let Quoted { page, line, command, .. } = quoted;
            return Some(format!("{page}:{line}: {command}\n  - {expected}\n  + {found}"));
        }
    }
    None
}

/// A folder for the commands of a page: the scenes and recordings are copies.
fn work(page: usize) -> PathBuf {
    let work = folder(&format!("quoted-{page}"));
    fs::create_dir(work.join("replays")).unwrap();
    for entry in fs::read_dir(root().join("replays")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "ron" || ending == "replay") {
            fs::copy(&path, work.join("replays").join(path.file_name().unwrap())).unwrap();
        }
    }
    work
}

#[test]
fn quoted_output_is_what_the_program_says() {
    let program = Path::new(env!("CARGO_BIN_EXE_bitstep")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let (mut run, mut others, mut found) = (0, [false; OTHERS.len()], Vec::new());
    for (number, page) in pages().into_iter().enumerate() {
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        let quoted = quoted(&name, &fs::read_to_string(&page).unwrap());
        if quoted.is_empty() {
            continue;
        }
        let work = work(number);
        for quoted in quoted {
            if let Some(other) = OTHERS.iter().position(|other| quoted.command.starts_with(other)) {
                others[other] = true;
                continue;
            }
            let mut shell = Command::new("sh");
            shell.args(["-c", &quoted.command]).env("PATH", &path).current_dir(&work);
            let output = shell.output().unwrap();
            run += 1;
            // A divergence that was found is 1.
            let is_well = output.status.code().is_some_and(|code| code < 2) && output.stderr.is_empty();
            let error = String::from_utf8_lossy(&output.stderr);
            found.extend((!is_well).then(|| format!("{name}:{}: {}: {error}", quoted.line, quoted.command)));
            found.extend(stale(&quoted, &String::from_utf8_lossy(&output.stdout)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(run >= 3 && others == [true; OTHERS.len()], "{run} {others:?}");
}

#[test]
fn the_rule_notices_what_is_stale() {
    let page = "```console\n$ bitstep a\none\ntwo ...\n$ bitstep b\n```\n```\nno command\n```\n";
    let found = quoted("a.md", page);
    let commands: Vec<_> = found.iter().map(|quoted| (quoted.line, quoted.command.as_str())).collect();
    assert_eq!(commands, [(2, "bitstep a"), (5, "bitstep b")]);
    assert_eq!(stale(&found[0], "one\ntwo and more\nthree\n"), None);
    assert_eq!(
        stale(&found[0], "one\nthree\n"),
        Some("a.md:2: bitstep a\n  - two ...\n  + three".to_owned())
    );
    assert!(stale(&found[0], "one\n").is_some() && stale(&found[1], "").is_none());
}
