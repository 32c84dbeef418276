//! The result of a recording, for people, and in JSON.

use std::path::Path;

use anyhow::{Result, anyhow};
use serde_json::Value;

use super::{
    super::{
        Ending,
        output::{Palette, Screen, Tone, complain, count, counted, program},
        verdict::{describe, describe_damaged, field_lines},
    },
    check::{Checked, Done, Outcome},
    junit::Fault,
    line::line,
    resume::{Appender, Earlier},
};

/// The reporter of results.
pub struct Teller<'a> {
    pub screen: Screen,
    pub program: &'static str,
    /// The options for the program of a recording's own rules; `--json` among them is one line of JSON per file here.
    pub options: &'a [String],
    /// The identity of this program, for lines.
    pub build: Option<&'a str>,
    /// The file of lines.
    pub appender: Option<Appender>,
    pub tally: Tally,
}

/// The numbers of recordings by their endings.
#[derive(Default)]
pub struct Tally {
    matching: u64,
    diverged: u64,
    bad: u64,
    /// The ones among them that were not verified here.
    earlier: u64,
}

impl Teller<'_> {
    /// Reports the result of a recording, or lets the program with its rules report it.
    pub fn tell(&mut self, path: &Path, done: &Done) -> Result<Ending> {
        let ending = match &done.outcome {
            Outcome::Checked(checked) => checked.ending(),
            Outcome::Other(other) => Ending::of_code(other.run("verify", self.options, path)?),
            Outcome::Earlier(earlier) => earlier.ending(),
            Outcome::Bad(_) => Ending::BadInput,
        };
        self.tally.add(ending, &done.outcome);
        self.line_or_words(path, done)?;
        // Each is printed as soon as it is known, and before the output of another program.
        self.screen.flush()?;
        Ok(ending)
    }

    fn line_or_words(&mut self, path: &Path, done: &Done) -> Result<()> {
        let is_json = self.options.iter().any(|option| option == "--json");
        let line = match &done.outcome {
            Outcome::Other(_) => return Ok(()),
            Outcome::Earlier(earlier) => earlier.line.clone(),
            Outcome::Checked(_) | Outcome::Bad(_) => line(path, done, self.build),
        };
        let is_new = !matches!(done.outcome, Outcome::Earlier(_));
        if let Some(appender) = self.appender.as_mut().filter(|_| is_new) {
            // What was seen is in the file, too.
            appender.line(&line)?;
        }
        match &done.outcome {
            _ if is_json => self.screen.line(line)?,
            Outcome::Checked(checked) => self.show(path, checked)?,
            Outcome::Earlier(earlier) => self.show_earlier(path, earlier)?,
            Outcome::Bad(error) => complain(self.program, error),
            Outcome::Other(_) => {}
        }
        Ok(())
    }

    fn show(&mut self, path: &Path, checked: &Checked) -> Result<()> {
        let (name, screen) = (path.display(), &mut self.screen);
        screen.line(format!("{name}: {}", summary(screen.palette(), checked)))?;
        if checked.damage.is_some() {
            screen.line(format!("  try: {} repair {name}", program()))?;
        }
        let Some(divergence) = &checked.verdict.divergence else { return Ok(()) };
        for line in field_lines(divergence) {
            screen.line(line)?;
        }
        screen.line(format!("  try: {} diff {name}", program()))
    }

    fn show_earlier(&mut self, path: &Path, earlier: &Earlier) -> Result<()> {
        let whence = self.appender.as_ref().map_or_else(String::new, |file| file.path.display().to_string());
        let text = summary_earlier(self.screen.palette(), &earlier.value);
        // An error has the name in it.
        match &earlier.value["error"] {
            Value::String(_) => complain(self.program, &anyhow!("{text}, says {whence}")),
            _ => self.screen.line(format!("{}: {text}, says {whence}", path.display()))?,
        }
        Ok(())
    }

    /// Reports the numbers of a run that may have been several.
    pub fn finish(&self) {
        if let Some(Appender { path, .. }) = &self.appender {
            complain(self.program, &anyhow!("{} of these by {}", self.tally.describe(), path.display()));
        }
    }
}

impl Tally {
    fn add(&mut self, ending: Ending, outcome: &Outcome) {
        match ending {
            Ending::Match => self.matching += 1,
            Ending::Diverged => self.diverged += 1,
            Ending::BadInput | Ending::CannotTell => self.bad += 1,
        }
        self.earlier += u64::from(matches!(outcome, Outcome::Earlier(_)));
    }

    fn describe(&self) -> String {
        let Self { matching, diverged, bad, earlier } = self;
        let all = counted(matching + diverged + bad, "recording");
        let [matching, diverged, bad, earlier] =
            [matching, diverged, bad, earlier].map(|number| count(*number));
        format!("{all}: {matching} matched, {diverged} diverged, {bad} could not be verified; {earlier}")
    }
}

/// The result of a recording in one line, without its name.
fn summary(palette: Palette, checked: &Checked) -> String {
    let Checked { verdict, damage, speed } = checked;
    if let Some(damage) = damage {
        return describe_damaged(palette, verdict, damage);
    }
    let speed = speed.map_or_else(String::new, |speed| format!(", {}", speed.describe()));
    format!("{}{speed}, checksum {}", describe(palette, verdict), verdict.checksum)
}

/// A line of JSON in words, without the name of its recording.
fn summary_earlier(palette: Palette, line: &Value) -> String {
    let number = |value: &Value| count(value.as_u64().unwrap_or_default());
    let ticks = counted(line["ticks"].as_u64().unwrap_or_default(), "tick");
    match (&line["error"], &line["divergence"], &line["damage"]) {
        (Value::String(error), ..) => error.clone(),
        (_, Value::Object(divergence), _) => {
            format!("{} in tick {}", palette.paint(Tone::Bad, "diverged"), number(&divergence["tick"]))
        }
        (.., Value::Object(damage)) => {
            format!(
                "{} {}, after {ticks}",
                palette.paint(Tone::Bad, "damaged at byte"),
                number(&damage["at"])
            )
        }
        _ => format!("{}, {ticks}", palette.paint(Tone::Good, "matched")),
    }
}

/// The error of a recording, for build servers; `ending` is that of its own program if it has other rules.
pub fn fault_of(outcome: &Outcome, ending: Ending) -> Option<Fault> {
    if ending == Ending::Match {
        return None;
    }
    let is_error = ending != Ending::Diverged;
    let (message, lines) = match outcome {
        Outcome::Checked(checked) => {
            let fields = checked.verdict.divergence.as_ref().map(field_lines);
            (summary(Palette::PLAIN, checked), fields.unwrap_or_default())
        }
        Outcome::Other(_) => ("the program of its rules says so".to_owned(), Vec::new()),
        Outcome::Earlier(earlier) => (summary_earlier(Palette::PLAIN, &earlier.value), Vec::new()),
        Outcome::Bad(error) => (format!("{error:#}"), Vec::new()),
    };
    // Text in the attribute alone is not shown everywhere.
    let lines = [vec![message.clone()], lines].concat();
    Some(Fault { is_error, message, lines })
}
