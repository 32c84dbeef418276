//! The tests, which mutants each of them meets, and what it says of one.

#![allow(clippy::disallowed_types, reason = "the time of a test says whether a mutant stops it from ending")]

use std::{
    fmt, fs,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{Arguments, find::Mutant, rooms, tree::Tree};

/// All tests; those first that meet many mutants in a short time.
pub struct Suite {
    tests: Vec<Test>,
}

struct Test {
    program: String,
    file: PathBuf,
    folder: PathBuf,
    name: String,
    /// Time with all switches off; the most there is if it was cut off.
    time: Duration,
    /// True for the number of a mutant that it meets.
    meets: Vec<bool>,
}

/// Verdict of the tests on a mutant.
pub enum Verdict {
    Failed(String),
    /// A test did not end in many times the time that it takes.
    TooLong(String),
    Survived {
        tests: usize,
        left_out: usize,
    },
    /// No test meets it.
    Unmet,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Failed(test) => write!(f, "caught by {test}"),
            Self::TooLong(test) => write!(f, "caught by the time of {test}"),
            Self::Survived { tests, left_out } => {
                write!(f, "SURVIVED {tests} tests, {left_out} longer ones were left out")
            }
            Self::Unmet => write!(f, "SURVIVED since no test meets it"),
        }
    }
}

enum Outcome {
    Passed,
    Failed,
    TooLong,
}

impl Suite {
    /// Builds the tests and runs each once.
    pub fn of(tree: &Tree, arguments: &Arguments, mutants: usize) -> Result<Self> {
        let wanted =
            |name: &str| arguments.tests.is_empty() || arguments.tests.iter().any(|text| name.contains(text));
        let mut tests = Vec::new();
        for (program, file) in tree.programs(&rooms::targets(&arguments.rooms))? {
            let ignored = names(&file, &["--ignored"])?;
            for name in names(&file, &[])?.into_iter().filter(|name| !ignored.contains(name) && wanted(name))
            {
                let (program, file, folder) = (program.clone(), file.clone(), tree.folder_of(&program));
                tests.push(Test {
                    program,
                    file,
                    folder,
                    name,
                    time: Duration::ZERO,
                    meets: vec![false; mutants],
                });
            }
        }
        let next = AtomicUsize::new(0);
        let tests: Vec<_> = tests.into_iter().map(Mutex::new).collect();
        let limit = Duration::from_secs(2 * arguments.seconds);
        let work = || -> Result<()> {
            while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                test.lock().unwrap_or_else(PoisonError::into_inner).record(limit)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..arguments.jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
        let mut tests: Vec<_> =
            tests.into_iter().map(|test| test.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        tests.sort_by_key(|test| {
            test.time / (test.meets.iter().filter(|meets| **meets).count() as u32).max(1)
        });
        Ok(Self { tests })
    }

    pub fn len(&self) -> usize {
        self.tests.len()
    }

    /// The time of all tests but those that are too long to be run.
    pub fn time(&self) -> Duration {
        self.tests.iter().map(|test| test.time).filter(|time| *time < Duration::MAX).sum()
    }

    /// Runs tests that meet a mutant until one fails, or until they would take longer than this.
    pub fn judge(&self, mutant: &Mutant, time_max: Duration) -> Verdict {
        let programs: Vec<_> = rooms::programs(mutant.room).collect();
        let meeting =
            self.tests.iter().filter(|test| test.meets[mutant.number] && programs.contains(&&*test.program));
        let (mut time, mut run, mut left_out) = (Duration::ZERO, 0, 0);
        for test in meeting {
            time = time.saturating_add(test.time);
            if time > time_max {
                left_out += 1;
                continue;
            }
            run += 1;
            let limit = test.time * 10 + Duration::from_secs(10);
            match test.run(&[("MUTANT", &mutant.number.to_string())], limit) {
                Outcome::Passed => {}
                Outcome::Failed => return Verdict::Failed(test.full_name()),
                Outcome::TooLong => return Verdict::TooLong(test.full_name()),
            }
        }
        if run + left_out == 0 { Verdict::Unmet } else { Verdict::Survived { tests: run, left_out } }
    }
}

impl Test {
    fn full_name(&self) -> String {
        format!("{}: {}", self.program, self.name)
    }

    /// Runs it with all switches off, and finds which it meets.
    fn record(&mut self, limit: Duration) -> Result<()> {
        let seen =
            self.file.with_file_name(format!("seen-{:?}", thread::current().id()).replace(['(', ')'], ""));
        if seen.exists() {
            fs::remove_file(&seen)?;
        }
        let begin = Instant::now();
        let outcome = self.run(&[("MUTANTS_SEEN", &seen.to_string_lossy())], limit);
        self.time = match outcome {
            Outcome::Passed => begin.elapsed(),
            Outcome::TooLong => Duration::MAX,
            Outcome::Failed => bail!("{} fails without any mutant", self.full_name()),
        };
        if seen.exists() {
            for line in fs::read_to_string(&seen)?.lines() {
                self.meets[line.parse::<usize>().with_context(|| line.to_owned())?] = true;
            }
        }
        Ok(())
    }

    fn run(&self, variables: &[(&str, &str)], limit: Duration) -> Outcome {
        // A mutant may ask for all memory.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 8000000; exec \"$0\" \"$@\""]).arg(&self.file);
        command.args(["--exact", &self.name, "--test-threads=1"]).current_dir(&self.folder);
        command
            .envs(variables.iter().copied())
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("INSTA_UPDATE", "no");
        command
            .env("INSTA_WORKSPACE_ROOT", &self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("a test can be started");
        let begin = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(status) = child.try_wait().expect("a test can be waited for") {
                return if status.success() { Outcome::Passed } else { Outcome::Failed };
            }
            if begin.elapsed() > limit {
                child.kill().expect("a test can be killed");
                child.wait().expect("a killed test ends");
                return Outcome::TooLong;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

fn names(file: &PathBuf, arguments: &[&str]) -> Result<Vec<String>> {
    let output = Command::new(file).args(["--list", "--format=terse"]).args(arguments).output()?;
    ensure!(output.status.success(), "{} lists no tests", file.display());
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}
