//! The files of the corpus.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The folder of the cases in this checkout.
pub const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");

/// The names of the questions; each has a file of the name and `.jsonl`.
pub const FILES: [&str; 5] = ["overlap", "distance", "depth", "sweep", "response"];

/// The first line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Header {
    /// The name of the question.
    pub question: String,
    /// The version of the corpus: a case that has changed, gone or come changes it.
    pub version: String,
    /// The number of lines that follow.
    pub cases: u32,
}

impl Header {
    /// The header of a question's file.
    #[must_use]
    pub fn new(question: &str, cases: u32) -> Self {
        Self { question: question.into(), version: env!("CARGO_PKG_VERSION").into(), cases }
    }
}

/// The cases in a text: a header, and a line each.
///
/// # Errors
/// The line that is not as it should be, and why.
pub fn cases_of<Case: DeserializeOwned>(question: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut lines = text.lines().enumerate();
    // A line of JSON is the first of its own.
    let wrong = |line: usize, why: &dyn std::fmt::Display| {
        format!("{question}, line {}: {}", line + 1, why.to_string().replace(" at line 1 column", ", column"))
    };
    let (_, first) = lines.next().ok_or_else(|| format!("{question} is empty"))?;
    let header: Header = serde_json::from_str(first).map_err(|error| wrong(0, &error))?;
    if header.question != question {
        return Err(wrong(0, &format!("these are cases of {}", header.question)));
    }
    let cases: Vec<Case> = lines
        .map(|(line, text)| serde_json::from_str(text).map_err(|error| wrong(line, &error)))
        .collect::<Result<_, _>>()?;
    if cases.len() != header.cases as usize {
        return Err(format!("{question} has {} cases, and its header says {}", cases.len(), header.cases));
    }
    Ok(cases)
}

/// The cases of a question, from a folder.
///
/// # Errors
/// The file that cannot be read, or the line that is wrong.
pub fn read<Case: DeserializeOwned>(folder: &Path, question: &str) -> Result<Vec<Case>, String> {
    let path: PathBuf = folder.join(format!("{question}.jsonl"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    cases_of(question, &text)
}
