//! The findings of a desync: those of the library's `Peer`, as lines for people.

use std::{fmt::Write as _, marker::PhantomData};

use bitstep::{
    peer::Event,
    replay::{Comparison, Replay},
    session::{Game, Session, TickLog},
    snapshot::{Difference, Value},
};

/// A desync of a game as one peer sees it; itself on the left.
#[derive(Clone, Debug)]
pub struct Finding<G> {
    /// The first tick that differs.
    tick: Option<u64>,
    ours: Option<Vec<u8>>,
    theirs: Option<Vec<u8>>,
    comparison: Option<Box<Comparison>>,
    /// The reason why there is nothing to compare.
    reason: Option<String>,
    game: PhantomData<fn() -> G>,
}

impl<G> Default for Finding<G> {
    fn default() -> Self {
        let game = PhantomData;
        Self { tick: None, ours: None, theirs: None, comparison: None, reason: None, game }
    }
}

impl<G: Game> Finding<G> {
    /// Takes an event of a peer.
    pub fn hear(&mut self, event: Event) {
        match event {
            Event::Desync { tick, report, .. } => (self.tick, self.ours) = (Some(tick), Some(report)),
            Event::DesyncWithoutReport { tick, reason } => {
                (self.tick, self.reason) = (Some(tick), Some(reason.to_string()));
            }
            // Of a desync that was forgotten.
            Event::RemoteReport { .. } | Event::NoRemoteReport { .. } if self.tick.is_none() => {}
            Event::RemoteReport { theirs, comparison } => {
                self.theirs = Some(theirs);
                match comparison {
                    Ok(comparison) => self.comparison = Some(comparison),
                    Err(error) => self.reason = Some(error.to_string()),
                }
            }
            Event::NoRemoteReport { reason } => self.reason = Some(reason.to_string()),
            // Both begin with the same state in the same module.
            Event::Connected | Event::OtherProtocol { .. } | Event::HandshakeMismatch { .. } => {}
        }
    }

    /// The first tick that differs, if one does.
    #[must_use]
    pub const fn tick(&self) -> Option<u64> {
        self.tick
    }

    /// True if nothing more can become known.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.comparison.is_some() || self.reason.is_some()
    }

    /// The comparison, itself on the left.
    #[must_use]
    pub fn comparison(&self) -> Option<&Comparison> {
        self.comparison.as_deref()
    }

    /// The findings: lines of a word, a tab, and its value. Empty if nothing differs.
    ///
    /// `tick`, `verdict`, `phase`, `body`, `field`, `left`, `right`, `turned` (the bits that are not the
    /// same, in hexadecimal), `further` (how many other fields differ), `rerun`, `note`, `reason`; and for
    /// every phase of the tick `of`: its name, the hash on the left, the hash on the right, with tabs between
    /// them.
    #[must_use]
    pub fn lines(&self) -> String {
        let mut text = String::new();
        let mut line = |word: &str, value: &str| {
            let _ = writeln!(text, "{word}\t{value}"); // writing to a String cannot fail
        };
        if let Some(tick) = self.tick {
            line("tick", &tick.to_string());
        }
        if let Some(comparison) = &self.comparison {
            line("verdict", &comparison.judgement.to_string());
            line("phase", comparison.phase.as_deref().unwrap_or("not known"));
            if let Some(difference) = &comparison.difference {
                told(difference, &mut line);
            }
            line("further", &comparison.further.len().to_string());
            line("rerun", &comparison.rerun.to_string());
            comparison.notes.iter().for_each(|note| line("note", note));
        }
        if let Some(reason) = &self.reason {
            line("reason", reason);
        }
        self.phases()
            .iter()
            .for_each(|[name, ours, theirs]| line("of", &format!("{name}\t{ours}\t{theirs}")));
        text
    }

    /// The phases of the tick with their hashes on both sides, as far as both have them.
    fn phases(&self) -> Vec<[String; 3]> {
        let [Some(ours), Some(theirs)] =
            [&self.ours, &self.theirs].map(|report| report.as_deref().and_then(log_of::<G>))
        else {
            return Vec::new();
        };
        let hash = |sum: u64| format!("{sum:016x}");
        let pairs = ours.phases.iter().zip(&theirs.phases);
        pairs.map(|(a, b)| [a.name.clone(), hash(a.sum), hash(b.sum)]).collect()
    }
}

/// The log of a report's tick.
fn log_of<G: Game>(report: &[u8]) -> Option<TickLog> {
    Replay::<Session<G>>::read(report).ok()?.ticks().first()?.log()
}

/// Body, field and values of a difference.
fn told(difference: &Difference, line: &mut impl FnMut(&str, &str)) {
    let Difference { path, left, right } = difference;
    let show = |value: &Option<Value>| value.as_ref().map_or("(no field)".to_owned(), Value::to_string);
    let (body, field) = place_of(path);
    line("body", &body);
    line("field", field);
    line("left", &show(left));
    line("right", &show(right));
    if let [Some(left), Some(right)] = [left, right].map(|value| value.as_ref().and_then(bits_of)) {
        line("turned", &format!("{:x}", left ^ right));
    }
}

/// The body of a path, and its field.
fn place_of(path: &str) -> (String, &str) {
    const KINDS: [(&str, &str, &str); 3] =
        [("slots[", "body", "].body."), ("game.fighters[", "fighter", "]."), ("game.units[", "unit", "].")];
    for (begin, name, behind) in KINDS {
        let rest = path.strip_prefix(begin).and_then(|rest| rest.split_once(behind));
        if let Some((number, field)) = rest {
            return (format!("{name} {number}"), field);
        }
    }
    ("none: it is of the whole".to_owned(), path)
}

fn bits_of(value: &Value) -> Option<i128> {
    match value {
        Value::Whole(value) => Some(*value),
        Value::Fixed(value) => Some(value.to_bits().into()),
        Value::Text(_) | Value::Absent => None,
    }
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_path_is_told_as_whose_and_what() {
        let place = |path| {
            let (body, field) = place_of(path);
            format!("{body}, {field}")
        };
        assert_eq!(place("slots[3].body.momentum.x"), "body 3, momentum.x");
        assert_eq!(place("game.fighters[1].health"), "fighter 1, health");
        assert_eq!(place("game.units[17].health"), "unit 17, health");
        assert_eq!(place("gravity.y"), "none: it is of the whole, gravity.y");
        assert_eq!(place("slots[3].generation"), "none: it is of the whole, slots[3].generation");
    }
}
