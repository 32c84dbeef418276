//! The end of a match, in words and as an exit code.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use bitstep::{
    peer::PeerError,
    replay::Comparison,
    session::{Session, Simulation},
};

use super::Setup;
use crate::{Fight, link::Counts, rollback::Stats};

/// The end of a match.
#[derive(Clone, Debug)]
pub enum Ending {
    /// All ticks were played, and all are the same on both sides.
    Finished,
    /// The player here has left.
    Left,
    /// The other player has left.
    OtherLeft,
    /// Nothing arrived from the other player for so long.
    Vanished(Duration),
    /// The other player answers, but the game there has not advanced for so long.
    Stalled(Duration),
    /// ggrs cannot continue with the other's messages.
    Broken(String),
    /// A tick came out differently on the two sides.
    Desync(Desync),
}

impl Ending {
    /// 0 if all is well, 1 if the two differ, 3 if the other player is gone.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Finished | Self::Left => 0,
            Self::Desync(_) => 1,
            Self::OtherLeft | Self::Vanished(_) | Self::Stalled(_) | Self::Broken(_) => 3,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("every tick is the same on both sides"),
            Self::Left => f.write_str("you have left"),
            Self::OtherLeft => f.write_str("the other player has left"),
            Self::Vanished(time) => {
                write!(f, "the other player is gone: nothing heard for {} ms", time.as_millis())
            }
            Self::Stalled(time) => {
                write!(f, "the other player answers, but has not gone on for {} ms", time.as_millis())
            }
            Self::Broken(words) => write!(f, "the other sends what no player does: {words}"),
            Self::Desync(desync) => desync.fmt(f),
        }
    }
}

/// A tick that came out differently, and the knowledge of it.
#[derive(Clone, Debug)]
pub struct Desync {
    tick: u64,
    files: Vec<PathBuf>,
    words: Vec<String>,
}

impl Desync {
    /// The first tick that differs, and this side's desync report, which is written beside the
    /// recording.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn new(tick: u64, record: &Path, report: &[u8]) -> io::Result<Self> {
        let file = beside(record, "ours");
        fs::write(&file, report)?;
        Ok(Self { tick, files: vec![file], words: Vec::new() })
    }

    /// A desync about which nothing more can be known here.
    #[must_use]
    pub fn without_report(tick: u64, reason: &str) -> Self {
        Self { tick, files: Vec::new(), words: vec![reason.to_owned()] }
    }

    /// True if there is a report here.
    #[must_use]
    pub fn has_report(&self) -> bool {
        !self.files.is_empty()
    }

    /// Takes the other's report.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn judge(
        &mut self,
        record: &Path,
        theirs: &[u8],
        comparison: Result<Box<Comparison>, PeerError>,
    ) -> io::Result<()> {
        let file = beside(record, "theirs");
        fs::write(&file, theirs)?;
        self.files.push(file);
        self.say(&comparison.map_or_else(|error| error.to_string(), |comparison| comparison.to_string()));
        Ok(())
    }

    /// Adds a line.
    pub fn say(&mut self, words: &str) {
        self.words.push(words.to_owned());
    }
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DESYNC in tick {}", self.tick)?;
        self.words
            .iter()
            .try_for_each(|words| write!(f, "\n    {}", words.trim_end().replace('\n', "\n    ")))?;
        self.files.iter().try_for_each(|file| write!(f, "\n    written: {}", file.display()))
    }
}

/// A file beside the recording: `a.replay` has `a.ours.replay`.
fn beside(record: &Path, what: &str) -> PathBuf {
    record.with_extension(format!("{what}.replay"))
}

/// The result of a match that has ended.
#[derive(Debug)]
pub struct Outcome {
    /// The end.
    pub ending: Ending,
    /// The statistics of rollbacks.
    pub stats: Stats,
    /// The statistics of the link.
    pub counts: Counts,
    /// Number of frames skipped so that the other side catches up.
    pub waits: u64,
    /// Number of confirmed ticks.
    pub ticks: u64,
    /// The last tick up to which both sides were compared.
    pub compared: u64,
    /// The state after the last tick that was confirmed.
    pub confirmed: Session<Fight>,
    /// The outcome of the injection.
    pub injection: Option<String>,
    /// The setup of the side.
    pub setup: Setup,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ending, stats, counts, waits, ticks, compared, confirmed, injection, setup } = self;
        writeln!(f, "player {}: {ending}", setup.side + 1)?;
        if let Some(injection) = injection {
            writeln!(f, "  injection  {injection}")?;
        }
        writeln!(f, "  frames     {ticks} confirmed, {compared} compared with the other's")?;
        writeln!(
            f,
            "  rollbacks  {}, {} ticks played again, deepest {}",
            stats.rollbacks, stats.replayed, stats.deepest
        )?;
        writeln!(f, "  stalls     {}, and {waits} frames waited for the other", stats.stalls)?;
        let Counts { sent, lost, rubbish, taken, refused, strangers } = counts;
        writeln!(f, "  datagrams  {sent} sent, {lost} of them lost, {rubbish} of rubbish beside them")?;
        writeln!(f, "             {taken} taken, {refused} refused, {strangers} from strangers")?;
        writeln!(f, "  match      {}", confirmed.outcome())?;
        writeln!(f, "  checksum   {} after tick {ticks}", confirmed.checksum())?;
        write!(f, "  recorded   {}", setup.record.display())
    }
}
