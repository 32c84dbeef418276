//! The end of a match, in words and as an exit code.

use std::{fmt, path::PathBuf, time::Duration};

use bitstep::session::{Session, Simulation};

use super::Dispute;
use crate::{Rts, TICK_RATE};

/// The end of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All ticks were played.
    Finished,
    /// A tick came out differently.
    Desync,
    /// The relay ended it before its last tick: another player has found a desync, or all others are gone.
    Early,
    /// The player here was to vanish.
    Vanished,
    /// The relay closed the connection, with a reason.
    Refused(String),
    /// The connection has ended.
    Lost(String),
    /// Nothing arrived from the relay for so long.
    Silent(Duration),
    /// The relay sends invalid frames.
    Broken(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the match was played to its end"),
            Self::Desync => f.write_str("DESYNC"),
            Self::Early => f.write_str("the match was ended before its last tick"),
            Self::Vanished => f.write_str("vanishes, as it was asked to"),
            Self::Refused(reason) => write!(f, "the relay lets this player go: {reason}"),
            Self::Lost(reason) => write!(f, "the connection to the relay is lost: {reason}"),
            Self::Silent(time) => write!(f, "nothing came of the relay for {} ms", time.as_millis()),
            Self::Broken(reason) => write!(f, "the relay sends what none does: {reason}"),
        }
    }
}

/// Statistics of a match.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    /// The seats that all waited for, with the number of waits and the first turn of each.
    pub pauses: Vec<(u8, u64)>,
    /// The catches-up: number of ticks, and their duration.
    pub caught_up: Vec<(u64, Duration)>,
    /// Number of times the state was given to another player.
    pub given: u64,
    /// Number of times the state here was given up.
    pub resyncs: u64,
    /// Number of invalid orders.
    pub refused_orders: u64,
    /// The outcome of the injection.
    pub injection: Option<String>,
    /// The last tick up to which all was compared with all players who were here at the end.
    pub compared: Option<u64>,
    /// Paths of the recordings.
    pub records: Vec<PathBuf>,
    /// The state after the last tick that was played.
    pub last: Option<Session<Rts>>,
}

impl Counts {
    /// Counts a wait of all players for a seat.
    pub fn note_pause(&mut self, seat: u8, turn: u64) {
        if self.pauses.len() < 1_000 {
            self.pauses.push((seat, turn));
        }
    }
}

/// The result of a match that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The end.
    pub ending: Ending,
    /// The seat, if there was one.
    pub seat: Option<u8>,
    /// The ticks that came out differently, by seat.
    pub disputes: Vec<(u8, Dispute)>,
    /// The statistics.
    pub counts: Counts,
}

impl Outcome {
    /// 0 if all is well, 1 if ticks differ, 3 if the other players or the relay are gone.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.ending {
            _ if !self.disputes.is_empty() => 1,
            Ending::Finished | Ending::Vanished => 0,
            Ending::Desync => 1,
            _ => 3,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ending, seat, disputes, counts } = self;
        let seat = seat.map_or("?".to_owned(), |seat| (seat + 1).to_string());
        write!(f, "player {seat}: {ending}")?;
        for (seat, dispute) in disputes {
            let Dispute { tick, found_at, words, files, .. } = dispute;
            write!(f, "\n  differs    from player {} in tick {tick}, found after tick {found_at}", seat + 1)?;
            for words in words {
                write!(f, "\n    {}", words.trim_end().replace('\n', "\n    "))?;
            }
            for file in files {
                write!(f, "\n    written: {}", file.display())?;
            }
        }
        counts.fmt(f)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pauses, caught_up, given, resyncs, refused_orders, injection, compared, records, last } =
            self;
        if let Some(injection) = injection {
            write!(f, "\n  injection  {injection}")?;
        }
        for (seat, turn) in pauses {
            write!(f, "\n  paused     in turn {turn}, for player {}", seat + 1)?;
        }
        for (ticks, time) in caught_up {
            let played = u128::from(*ticks) * 1_000_000 / u128::from(TICK_RATE);
            let factor = played / time.as_micros().max(1);
            write!(f, "\n  caught up  {ticks} ticks in {} ms, {factor} times real time", time.as_millis())?;
        }
        for (count, words) in [
            (given, "times the state was given"),
            (resyncs, "times the state was replaced"),
            (refused_orders, "orders were none"),
        ] {
            if *count > 0 {
                write!(f, "\n  counted    {count} {words}")?;
            }
        }
        if let Some(last) = last {
            write!(f, "\n  match      {}", last.outcome())?;
            let compared = compared.map_or(String::new(), |tick| format!(", compared up to {tick}"));
            write!(f, "\n  checksum   {} after tick {}{compared}", last.checksum(), last.tick_count())?;
        }
        records.iter().try_for_each(|record| write!(f, "\n  recorded   {}", record.display()))
    }
}
