//! `make` writes the corpus anew; `score` asks `bitstep` all of it.

use std::{fs, path::Path, process::ExitCode};

use bitstep_conformance::{Bitstep, CASES, FILES, Header, draw, score};
use serde::Serialize;

const USAGE: &str = "usage: bitstep-conformance make|score [FOLDER]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, folder) = match &arguments[..] {
        [command] => (command.as_str(), CASES),
        [command, folder] => (command.as_str(), folder.as_str()),
        _ => ("", ""),
    };
    let done = match command {
        "make" => make(Path::new(folder)),
        "score" => print_score(Path::new(folder)),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn print_score(folder: &Path) -> Result<(), String> {
    print!("bitstep\n{}", score(&mut Bitstep, folder, |_| true)?);
    Ok(())
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (index, question) in FILES.into_iter().enumerate() {
        let count = draw::COUNTS[index];
        let text = match index {
            0 => text(question, count, draw::overlap),
            1 => text(question, count, draw::distance),
            2 => text(question, count, draw::depth),
            3 => text(question, count, draw::sweep),
            _ => text(question, count, draw::response),
        };
        let path = folder.join(format!("{question}.jsonl"));
        fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{question}: {count} cases, {} bytes", text.len());
    }
    Ok(())
}

fn text<Case: Serialize>(question: &str, count: u32, draw: impl Fn(u32) -> Case) -> String {
    let header = serde_json::to_string(&Header::new(question, count)).expect("a header is JSON");
    let line = |case: Case| serde_json::to_string(&case).expect("a case is JSON");
    let lines = (0..count).map(|case| line(draw(case)));
    [header].into_iter().chain(lines).map(|line| line + "\n").collect()
}
