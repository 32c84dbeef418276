//! `verify`: re-simulate recordings.
//!
//! `check.rs` is one recording, `limits.rs` what it may cost, `jobs.rs` several at once, `shard.rs` a part of them;
//! `tell.rs` reports the results to people, `line.rs` in JSON and `junit.rs` to build servers; `resume.rs` reads the
//! lines of an earlier run, and `identity.rs` says of which bytes they are.

mod check;
mod identity;
mod jobs;
mod junit;
mod limits;
mod line;
mod resume;
mod shard;
mod tell;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use self::{
    check::{Done, Work},
    identity::build,
    junit::Report,
    limits::Limits,
    resume::Lines,
    shard::Shard,
    tell::{Tally, Teller, fault_of},
};
use super::{
    Ending,
    ending::is_broken_pipe,
    found::{Found, find},
    output::{Screen, complain, counted},
    program_of,
    progress::Together,
};
use bitstep::session::Simulation;

/// The effect of `verify` on recordings of other rules, for its help.
const OTHER_RULES: &str =
    "A recording of another rules version is refused with both numbers. Where the PATH has
a program called NAME-rN (bitstep-r1, say, a build of rules version 1), the
recording is handed to it, and what it says counts.

Exit codes: 0 all match, 1 one diverged, 2 one is damaged, of other rules, beyond a
limit or cannot be read. A game's code that panics is a recording that cannot be read.
With --bisect: 0 good, 1 bad, 125 cannot tell, as `git bisect run` has it:

  git bisect run sh -c 'cargo build --release || exit 125; bitstep verify --bisect FILE'";

/// Re-simulates recordings and compares the checksum of every tick: one line per file.
///
/// A damaged recording is verified up to the damage. Of a folder, every file in it and below that ends in
/// `.replay` is verified, in order of name.
#[derive(clap::Args)]
#[command(after_help = OTHER_RULES)]
pub struct Verify {
    /// The recordings, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Verify so many at once; 0 is one for each CPU. Lines are in the order of the files all the same
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: u32,
    /// Verify the K-th of N parts only; the files are dealt out in turn
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// Print one line of JSON per file, each as soon as it and all before it are known
    #[arg(long)]
    json: bool,
    /// Append the lines of JSON to this file, and play no recording again that it has a line of: of the same bytes,
    /// by this build
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Write what came of each file as JUnit XML, for build servers
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Exit as `git bisect run` has it: 0 good, 1 bad, 125 cannot tell
    #[arg(long)]
    bisect: bool,
}

impl Verify {
    /// Verifies every file, also behind a bad one.
    pub fn run<S: Simulation>(self) -> Result<Ending> {
        match self.all::<S>() {
            // Nothing can be said of what was not verified, since its reader has closed the output.
            Err(error) if is_broken_pipe(&error) => {
                Ok(if self.bisect { Ending::CannotTell } else { Ending::BadInput })
            }
            // An error's exit code would mean bad.
            Err(error) if self.bisect => {
                complain(program_of::<S>(), &error);
                Ok(Ending::CannotTell)
            }
            ending => ending,
        }
    }

    fn all<S: Simulation>(&self) -> Result<Ending> {
        let found = self.find::<S>()?;
        let mut report = self.report::<S>()?;
        let build = if self.json || self.resume.is_some() { build() } else { None };
        let resumed = self.resume.as_ref().map(|path| resume::open(path, build.as_deref())).transpose()?;
        let (lines, appender) = resumed.unzip();
        let options = self.options();
        let (screen, program, build) = (Screen::open(), program_of::<S>(), build.as_deref());
        let mut teller =
            Teller { screen, program, options: &options, build, appender, tally: Tally::default() };
        let progress = Together::new("re-simulating", found.len());
        let work = self.work(lines.as_ref(), &progress);
        let mut endings = Vec::new();
        let done = |index: usize| work.done::<S>(&found[index]);
        jobs::in_order(found.len(), jobs::threads(self.jobs as usize), done, |index, done| {
            let path = &found[index].path;
            let ending = progress.aside(index + 1, || teller.tell(path, &done))?;
            if let Some(report) = &mut report {
                report.add(case(path, &done, ending));
            }
            endings.push(ending);
            Ok(())
        })?;
        progress.finish();
        teller.finish();
        report.map_or(Ok(()), |report| report.write())?;
        Ok(self.ending(&endings))
    }

    fn work<'a>(&self, lines: Option<&'a Lines>, progress: &'a Together) -> Work<'a> {
        // Bisecting is about this build.
        Work { limits: self.limits, lines, hand_over: !self.bisect, progress }
    }

    /// The options for the program of a recording's own rules.
    fn options(&self) -> Vec<String> {
        let json = self.json.then(|| "--json".to_owned());
        json.into_iter().chain(self.limits.arguments()).collect()
    }

    /// The recordings of this shard.
    fn find<S: Simulation>(&self) -> Result<Vec<Found>> {
        let inputs = self.files.iter().filter(|file| file.as_path() == Path::new("-")).count();
        ensure!(inputs <= 1, "-: standard input can be read once");
        let all = find(&self.files)?;
        let Some(shard) = self.shard else { return Ok(all) };
        let count = counted(all.len() as u64, "recording");
        let found: Vec<_> =
            (0..).zip(all).filter(|(index, _)| shard.has(*index)).map(|(_, found)| found).collect();
        if found.is_empty() {
            complain(program_of::<S>(), &anyhow::anyhow!("shard {shard}: none of {count} is in it"));
        }
        Ok(found)
    }

    fn report<S: Simulation>(&self) -> Result<Option<Report>> {
        let program = program_of::<S>();
        let shard = self.shard.map_or_else(String::new, |shard| format!(" {shard}"));
        let new = |path: &PathBuf| Report::new(path, program, format!("{program} verify{shard}"));
        self.junit.as_ref().map(new).transpose()
    }

    fn ending(&self, endings: &[Ending]) -> Ending {
        match endings.iter().fold(Ending::Match, |all, ending| all.and(*ending)) {
            // A recording that diverges is bad, whatever the others are.
            Ending::BadInput if self.bisect && endings.contains(&Ending::Diverged) => Ending::Diverged,
            Ending::BadInput if self.bisect => Ending::CannotTell,
            all => all,
        }
    }
}

/// A recording in the report for build servers.
fn case(path: &Path, done: &Done, ending: Ending) -> junit::Case {
    junit::Case { name: path.display().to_string(), time: done.time, fault: fault_of(&done.outcome, ending) }
}
