//! What a player says at the end.

use std::{collections::BTreeMap, fmt, path::PathBuf, time::Duration};

use bitstep::{
    peer::Event,
    replay::Comparison,
    session::{InjectionOutcome, Session, Simulation},
};
use bitstep_lockstep::{ClientEvent, Dispute, Ending, Outcome};

use crate::{Rts, TICK_RATE, unit_of_slot};

/// What is said of a desync with another player.
#[derive(Default, Debug)]
struct Findings {
    words: Vec<String>,
    files: Vec<PathBuf>,
}

/// The end of a match.
#[derive(Debug)]
pub struct End {
    pub outcome: Outcome<Rts>,
    /// The player was to vanish.
    pub was_asked: bool,
}

/// What happened in a match, and its end.
#[derive(Default, Debug)]
pub struct Report {
    pub end: Option<End>,
    /// The outcome of the injection.
    pub injection: Option<InjectionOutcome>,
    /// The paths of the recordings.
    pub records: Vec<PathBuf>,
    findings: BTreeMap<u8, Findings>,
    pauses: Vec<(u8, u64)>,
    caught_up: Vec<(u64, Duration)>,
    given: u64,
    resyncs: u64,
    bad_orders: u64,
}

impl Report {
    /// Notes an event; `file` is what was written of it.
    pub fn note(&mut self, event: ClientEvent, file: Option<PathBuf>, state: Option<&Session<Rts>>) {
        match event {
            ClientEvent::Waiting { seat, turn } => self.pauses.push((seat, turn)),
            ClientEvent::CaughtUp { ticks, time } => self.caught_up.push((ticks, time)),
            ClientEvent::Given => self.given += 1,
            ClientEvent::Resync => self.resyncs += 1,
            ClientEvent::BadOrders { .. } => self.bad_orders += 1,
            ClientEvent::Compared { with, finding } => {
                let findings = self.findings.entry(with).or_default();
                findings.files.extend(file);
                findings.words.extend(words_of(&finding, state));
            }
            ClientEvent::Seated { .. }
            | ClientEvent::Joined { .. }
            | ClientEvent::Left { .. }
            | ClientEvent::Saved(_) => {}
        }
    }

    /// 0 if all is well, 1 if ticks differ, 2 if there was no match, 3 if the other players or the relay are gone.
    pub fn exit_code(&self) -> u8 {
        match &self.end {
            None => 2,
            Some(End { outcome, .. }) if !outcome.disputes.is_empty() => 1,
            Some(End { outcome, .. }) => match outcome.ending {
                Ending::Finished | Ending::Left => 0,
                Ending::Desync => 1,
                _ => 3,
            },
        }
    }
}

/// A finding in words, if it says more than that there is one.
fn words_of(finding: &Event, state: Option<&Session<Rts>>) -> Vec<String> {
    match finding {
        Event::Connected | Event::Desync { .. } => Vec::new(),
        Event::RemoteReport { comparison: Ok(comparison), .. } => {
            let unit = state.and_then(|state| unit_of(comparison, state));
            unit.into_iter().chain([comparison.to_string()]).collect()
        }
        other => vec![other.to_string()],
    }
}

/// The unit of the field that differs first.
fn unit_of(comparison: &Comparison, state: &Session<Rts>) -> Option<String> {
    let path = &comparison.difference.as_ref()?.path;
    let slot = path.strip_prefix("slots[")?.split_once(']')?.0.parse().ok()?;
    unit_of_slot(state, slot).map(|unit| format!("slot {slot} is the body of {unit}"))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(End { outcome, was_asked }) = &self.end else { return f.write_str("no match") };
        let seat = outcome.seat.map_or("?".to_owned(), |seat| (seat + 1).to_string());
        match was_asked {
            true => write!(f, "player {seat}: vanishes, as it was asked to")?,
            false => write!(f, "player {seat}: {}", outcome.ending)?,
        }
        for (seat, Dispute { tick, found_at, .. }) in &outcome.disputes {
            write!(f, "\n  differs    from player {} in tick {tick}, found after tick {found_at}", seat + 1)?;
            let Some(Findings { words, files }) = self.findings.get(seat) else { continue };
            for words in words {
                write!(f, "\n    {}", words.trim_end().replace('\n', "\n    "))?;
            }
            for file in files {
                write!(f, "\n    written: {}", file.display())?;
            }
        }
        self.write_counts(f)?;
        if let Some(state) = &outcome.state {
            write!(f, "\n  match      {}", state.outcome())?;
            let compared = outcome.compared.map_or(String::new(), |tick| format!(", compared up to {tick}"));
            write!(f, "\n  checksum   {} after tick {}{compared}", state.checksum(), state.tick_count())?;
        }
        self.records.iter().try_for_each(|record| write!(f, "\n  recorded   {}", record.display()))
    }
}

impl Report {
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(injection) = &self.injection {
            write!(f, "\n  injection  {injection}")?;
        }
        for (seat, turn) in &self.pauses {
            write!(f, "\n  paused     in turn {turn}, for player {}", seat + 1)?;
        }
        for (ticks, time) in &self.caught_up {
            let played = u128::from(*ticks) * 1_000_000 / u128::from(TICK_RATE);
            let factor = played / time.as_micros().max(1);
            write!(f, "\n  caught up  {ticks} ticks in {} ms, {factor} times real time", time.as_millis())?;
        }
        for (count, words) in [
            (self.given, "times the state was given"),
            (self.resyncs, "times the state was replaced"),
            (self.bad_orders, "orders were none"),
        ] {
            if count > 0 {
                write!(f, "\n  counted    {count} {words}")?;
            }
        }
        Ok(())
    }
}
