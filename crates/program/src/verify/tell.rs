//! The result of a recording, for people, and in JSON.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::{
    super::{
        Ending,
        output::{Palette, Screen, complain, program},
        verdict::{describe, describe_damaged, divergence_json, field_lines},
    },
    check::{Checked, Done, Outcome, Speed},
    junit::Fault,
};

/// The reporter of results.
pub struct Teller {
    pub screen: Screen,
    pub program: &'static str,
    /// One line of JSON per file.
    pub json: bool,
}

impl Teller {
    /// Reports the result of a recording, or lets the program with its rules report it.
    pub fn tell(&mut self, path: &Path, done: &Done) -> Result<Ending> {
        let ending = match &done.outcome {
            Outcome::Checked(checked) if self.json => {
                self.screen.line(to_json(path, checked).to_string())?;
                checked.ending()
            }
            Outcome::Checked(checked) => {
                self.show(path, checked)?;
                checked.ending()
            }
            Outcome::Other(other) => {
                let code = other.run(&["verify"], self.json.then_some("--json"), path)?;
                Ending::of_code(code)
            }
            Outcome::Bad(error) => {
                if self.json {
                    let name = path.display().to_string();
                    self.screen.line(json!({ "file": name, "error": format!("{error:#}") }).to_string())?;
                } else {
                    complain(self.program, error);
                }
                Ending::BadInput
            }
        };
        // Each is printed as soon as it is known, and before the output of another program.
        self.screen.flush()?;
        Ok(ending)
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

fn to_json(path: &Path, Checked { verdict, damage, speed }: &Checked) -> Value {
    let damage = damage.as_ref().map(|damage| json!({ "at": damage.at, "fault": damage.fault.to_string() }));
    json!({
        "file": path.display().to_string(),
        "matches": verdict.divergence.is_none() && damage.is_none(),
        "ticks": verdict.ticks,
        "checksum": verdict.checksum.to_string(),
        "divergence": divergence_json(verdict),
        "damage": damage,
        "ticks_per_second": speed.and_then(|speed| u64::try_from(speed.ticks_per_second()).ok()),
        "real_time": speed.and_then(real_time_json),
    })
}

/// A number with decimals, from its text: there are no floats here.
fn real_time_json(speed: Speed) -> Option<Value> {
    let thousandths = speed.real_time_thousandths();
    serde_json::from_str(&format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)).ok()
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
        Outcome::Bad(error) => (format!("{error:#}"), Vec::new()),
    };
    // Text in the attribute alone is not shown everywhere.
    let lines = [vec![message.clone()], lines].concat();
    Some(Fault { is_error, message, lines })
}
