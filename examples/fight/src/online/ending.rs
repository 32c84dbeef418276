//! The end of a match, in words, in files and as an exit code.

use std::{
    fmt, fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use bitstep::{
    peer::Event,
    session::{Session, Simulation},
};
use bitstep_rollback::{Ending, Match, MatchEvent, Outcome as MatchOutcome};

use super::Setup;
use crate::Fight;

/// What is known of a desync, and the reports, which are written beside the recording: `a.replay` has `a.ours.replay`.
#[derive(Debug, Default)]
pub struct Findings {
    words: Vec<String>,
    files: Vec<PathBuf>,
}

impl Findings {
    /// Takes what the match has found.
    pub fn take(&mut self, game: &mut Match<Session<Fight>, SocketAddr>, record: &Path) -> io::Result<()> {
        for event in game.events() {
            let MatchEvent::Compared { finding, .. } = event else { continue };
            match finding {
                Event::Connected => {}
                Event::Desync { report, .. } => self.write(record, "ours", &report)?,
                Event::RemoteReport { theirs, comparison } => {
                    self.write(record, "theirs", &theirs)?;
                    self.words.push(
                        comparison
                            .map_or_else(|error| error.to_string(), |comparison| comparison.to_string()),
                    );
                }
                other => self.words.push(other.to_string()),
            }
        }
        Ok(())
    }

    fn write(&mut self, record: &Path, what: &str, report: &[u8]) -> io::Result<()> {
        let file = record.with_extension(format!("{what}.replay"));
        fs::write(&file, report)?;
        self.files.push(file);
        Ok(())
    }
}

/// The result of a match that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The end.
    pub end: MatchOutcome<Session<Fight>>,
    /// What is known of a desync.
    pub findings: Findings,
    /// Number of datagrams lost by the weather here, and of rubbish added.
    pub weather: [u64; 2],
    /// The setup of the side.
    pub setup: Setup,
}

impl Outcome {
    /// 0 if all is well, 1 if the two differ, 3 if the other player is gone.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self.end.ending {
            Ending::Finished | Ending::Left => 0,
            Ending::Desync(_) => 1,
            _ => 3,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { end, findings, weather: [lost, rubbish], setup } = self;
        let MatchOutcome { ending, state, tick, compared, stats, counts, log } = end;
        match ending {
            Ending::Desync(tick) => write!(f, "player {}: DESYNC in tick {tick}", setup.side + 1)?,
            other => write!(f, "player {}: {other}", setup.side + 1)?,
        }
        for words in &findings.words {
            write!(f, "\n    {}", words.trim_end().replace('\n', "\n    "))?;
        }
        findings.files.iter().try_for_each(|file| write!(f, "\n    written: {}", file.display()))?;
        writeln!(f)?;
        if let Some(outcome) = log.injection_outcome() {
            writeln!(f, "  injection  {outcome}")?;
        }
        writeln!(f, "  frames     {tick} confirmed, {compared} compared with the other's")?;
        let [rollbacks, replayed, deepest] = [stats.rollbacks, stats.replayed, stats.deepest];
        writeln!(f, "  rollbacks  {rollbacks}, {replayed} ticks played again, deepest {deepest}")?;
        writeln!(f, "  stalls     {}, and {} frames waited for the other", stats.stalls, stats.skipped)?;
        writeln!(
            f,
            "  datagrams  {} sent, {lost} of them lost, {rubbish} of rubbish beside them",
            counts.sent
        )?;
        let [taken, refused, strangers] = [counts.taken, counts.refused, counts.strangers];
        writeln!(f, "             {taken} taken, {refused} refused, {strangers} from strangers")?;
        writeln!(f, "  match      {}", state.outcome())?;
        writeln!(f, "  checksum   {} after tick {tick}", state.checksum())?;
        write!(f, "  recorded   {}", setup.record.display())
    }
}
