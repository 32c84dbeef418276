//! The lines of an earlier run, which may have been killed: recordings with a line that counts are not played again.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::{super::Ending, identity::Identity, limits::Limits};

/// The beginning of every line. What a file ends in is only cut off if it begins like this: it may be of another kind.
const OPENING: &[u8] = b"{\"build\":";

/// The last line of each recording that this build verified.
pub struct Lines(BTreeMap<String, Line>);

struct Line {
    hash: String,
    text: Box<str>,
}

/// The part of a line that says what it is of.
#[derive(Deserialize)]
struct Head {
    build: Option<String>,
    file: String,
    hash: Option<String>,
}

/// The file of lines, for further ones.
pub struct Appender {
    pub path: PathBuf,
    file: File,
}

/// A verdict of an earlier run.
pub struct Earlier {
    /// The line as it was.
    pub line: String,
    /// The content of the line.
    pub value: Value,
}

/// Reads the lines of a file, which need not exist yet, and removes the part of a line that a killed run left at its
/// end.
///
/// # Errors
///
/// If something in it is no line of `verify --json`: then it is left as it is.
pub fn open(path: &Path, build: Option<&str>) -> Result<(Lines, Appender)> {
    let name = path.display();
    // A device may have no end.
    let is_other = path.metadata().is_ok_and(|known| !known.is_file());
    ensure!(!is_other, "{name}: is no file");
    // Each line goes to the end, wherever another run has put it meanwhile.
    let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = opened.with_context(|| format!("{name}: cannot be opened"))?;
    let (mut reader, mut text, mut lines) = (BufReader::new(&file), Vec::new(), BTreeMap::new());
    let (mut whole, mut number) = (0, 0_u64);
    loop {
        text.clear();
        let length =
            reader.read_until(b'\n', &mut text).with_context(|| format!("{name}: cannot be read"))?;
        number += 1;
        let no_line = || format!("{name}: line {number} is no line of `verify --json`");
        if text.last() == Some(&b'\n') {
            text.pop();
            let text = std::str::from_utf8(&text).with_context(no_line)?;
            let head: Head = serde_json::from_str(text).with_context(no_line)?;
            if let Some((file, line)) = head.of_build(build, text) {
                lines.insert(file, line);
            }
            whole += length as u64;
            continue;
        }
        let shared = text.len().min(OPENING.len());
        ensure!(text[..shared] == OPENING[..shared], no_line());
        break;
    }
    if !text.is_empty() {
        // Some systems do not let a file that is only appended to be cut.
        let cut = OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(whole));
        cut.with_context(|| format!("{name}: cannot be cut after its last whole line"))?;
    }
    Ok((Lines(lines), Appender { path: path.to_owned(), file }))
}

impl Head {
    /// The file that a line is of, and the line; `None` if another build wrote it, or if the verdict is not of bytes.
    fn of_build(self, build: Option<&str>, text: &str) -> Option<(String, Line)> {
        let is_of_build = self.build.is_some() && self.build.as_deref() == build;
        let hash = self.hash.filter(|_| is_of_build)?;
        Some((self.file, Line { hash, text: text.into() }))
    }
}

impl Lines {
    /// The verdict on a recording of these bytes, unless it is beyond a limit that is another now.
    pub fn verdict(&self, path: &Path, identity: &Identity, limits: &Limits) -> Option<Earlier> {
        let line = self.0.get(&path.display().to_string()).filter(|line| line.hash == identity.hash)?;
        let value: Value = serde_json::from_str(&line.text).ok()?;
        let counts = value.get("limit").is_none_or(|limit| limits.stands(limit));
        counts.then(|| Earlier { line: line.text.to_string(), value })
    }
}

impl Appender {
    /// Writes a line, whole, in one call.
    pub fn line(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}

impl Earlier {
    /// The ending that it implies.
    pub fn ending(&self) -> Ending {
        match (&self.value["matches"], &self.value["divergence"]) {
            (Value::Bool(true), _) => Ending::Match,
            (_, Value::Object(_)) => Ending::Diverged,
            _ => Ending::BadInput,
        }
    }
}
