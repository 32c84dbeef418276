//! The results of recordings as JUnit XML, which build servers show.

use std::{
    fmt::Write as _,
    path::{Component, Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};

use super::super::files;

/// A report under construction, and its file.
pub struct Report {
    path: PathBuf,
    /// The subject of the verification, and the program.
    suite: String,
    program: &'static str,
    cases: Vec<Case>,
}

/// One recording.
pub struct Case {
    pub name: String,
    pub time: Duration,
    pub fault: Option<Fault>,
}

/// An error of a recording.
pub struct Fault {
    /// `failure` for a failed test, `error` for one that could not run.
    pub is_error: bool,
    pub message: String,
    pub lines: Vec<String>,
}

impl Report {
    /// A report; it is checked that its file can be written before anything is verified.
    pub fn new(path: &Path, program: &'static str, suite: String) -> Result<Self> {
        let report = Self { path: path.to_owned(), suite, program, cases: Vec::new() };
        files::write(&report.part(), b"")?;
        Ok(report)
    }

    /// Adds a recording.
    pub fn add(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// Writes the file, in one step: a reader sees the old one or the new one.
    pub fn write(&self) -> Result<()> {
        let part = self.part();
        files::write(&part, self.to_xml().as_bytes())?;
        let path = &self.path;
        std::fs::rename(part, path).with_context(|| format!("{}: cannot be replaced", path.display()))
    }

    fn part(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        self.path.with_file_name(name)
    }

    fn to_xml(&self) -> String {
        let faults = |is_error| {
            let is = |case: &&Case| case.fault.as_ref().is_some_and(|fault| fault.is_error == is_error);
            self.cases.iter().filter(is).count()
        };
        let time = seconds(self.cases.iter().map(|case| case.time).sum());
        let (tests, failures, errors) = (self.cases.len(), faults(false), faults(true));
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time}\"");
        let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        let suite = escaped(&self.suite);
        // Writing to a text cannot fail.
        let _ = writeln!(xml, "<testsuites {counts}>\n  <testsuite name=\"{suite}\" {counts}>");
        for case in &self.cases {
            self.case_to_xml(case, &mut xml);
        }
        xml.push_str("  </testsuite>\n</testsuites>\n");
        xml
    }

    fn case_to_xml(&self, case: &Case, xml: &mut String) {
        let (class, name, time) = (class(self.program, &case.name), escaped(&case.name), seconds(case.time));
        let head = format!("    <testcase classname=\"{}\" name=\"{name}\" time=\"{time}\"", escaped(&class));
        let Some(fault) = &case.fault else {
            let _ = writeln!(xml, "{head}/>");
            return;
        };
        let (kind, message) = (if fault.is_error { "error" } else { "failure" }, escaped(&fault.message));
        let body = escaped(&fault.lines.join("\n")).replace("&#10;", "\n");
        let _ =
            writeln!(xml, "{head}>\n      <{kind} message=\"{message}\">{body}</{kind}>\n    </testcase>");
    }
}

/// The class of a recording: the program, and the folders of its path. Build servers group cases by the parts between dots.
fn class(program: &str, name: &str) -> String {
    let folders = Path::new(name).parent().into_iter().flat_map(Path::components);
    let named = folders.filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().replace('.', "_")),
        _ => None,
    });
    [program.to_owned()].into_iter().chain(named).collect::<Vec<_>>().join(".")
}

/// Seconds with three decimals.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
}

/// A text for an attribute or between tags; characters that XML 1.0 cannot hold become U+FFFD.
fn escaped(text: &str) -> String {
    let mut xml = String::new();
    for letter in text.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            // Unescaped, readers turn them into spaces in attributes.
            '\n' => xml.push_str("&#10;"),
            '\r' => xml.push_str("&#13;"),
            '\t' => xml.push_str("&#9;"),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            letter => xml.push(letter),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_one_that_xml_can_hold() {
        assert_eq!(escaped("a&b<c>d\"e'f"), "a&amp;b&lt;c&gt;d&quot;e&apos;f");
        assert_eq!(escaped("a\nb\rc\td"), "a&#10;b&#13;c&#9;d");
        assert_eq!(escaped("\0\x1b\x1f \u{7f}\u{fffe}é"), "\u{fffd}\u{fffd}\u{fffd} \u{7f}\u{fffd}é");
    }

    #[test]
    fn classes_are_folders() {
        let of = |name| class("fight", name);
        assert_eq!(of("matches/2026.08/ranked/7.replay"), "fight.matches.2026_08.ranked");
        assert_eq!([of("7.replay"), of("./7.replay"), of("-")], ["fight"; 3]);
        assert_eq!([of("../old/7.replay"), of("/old/7.replay")], ["fight.old"; 2]);
    }

    #[test]
    fn seconds_have_no_commas() {
        assert_eq!(seconds(Duration::from_millis(1_234_005)), "1234.005");
    }
}
