//! Wall time, and a bar on the terminal when work takes long.

// Times are shown to people and reach no state.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

#[cfg(unix)]
use std::{
    io::{IsTerminal, Write, stderr},
    sync::Once,
    thread,
};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
#[cfg(unix)]
use signal_hook::{consts::SIGINT, iterator::Signals, low_level::emulate_default_handler};

/// A bar on standard error that appears when work has taken a while; only on a terminal.
pub struct Progress {
    label: &'static str,
    ticks: u64,
    done: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

/// Number of ticks of a recording that are counted at once where several are played.
const BATCH: u64 = 64;

/// Time before anything is shown.
const PATIENCE: Duration = Duration::from_millis(400);

impl Progress {
    /// A bar for a number of ticks.
    pub fn new(label: &'static str, ticks: u64) -> Self {
        Self { label, ticks, done: 0, started: Instant::now(), bar: None }
    }

    /// Sets the number of finished ticks.
    pub fn reach(&mut self, tick: u64) {
        self.done = tick;
        if self.bar.is_none() && self.started.elapsed() > PATIENCE {
            self.bar = Some(self.show());
            #[cfg(unix)]
            clear_when_interrupted();
        }
        if let Some(bar) = &self.bar {
            bar.set_position(tick);
        }
    }

    /// Removes the bar and returns the total time.
    pub fn finish(self) -> Duration {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }

    fn show(&self) -> ProgressBar {
        let template = "  {prefix:<12} [{bar:32}] {human_pos}/{human_len} ticks{msg}, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(self.ticks).with_style(style.progress_chars("=> ")).with_prefix(self.label)
    }
}

/// Takes the bar off the terminal when the program is interrupted, which then ends as it would have without a bar.
#[cfg(unix)]
fn clear_when_interrupted() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if !stderr().is_terminal() {
            return;
        }
        let Ok(mut signals) = Signals::new([SIGINT]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                let _ = stderr().write_all(b"\r\x1b[K");
                let _ = emulate_default_handler(signal);
            }
        });
    });
}

/// One bar for several recordings that several threads work through.
pub struct Together {
    progress: Mutex<Progress>,
    recordings: u64,
}

impl Together {
    /// A bar for some recordings, whose ticks are not known yet.
    pub fn new(label: &'static str, recordings: usize) -> Self {
        Self { progress: Mutex::new(Progress::new(label, 0)), recordings: recordings as u64 }
    }

    /// Adds the ticks of a recording that was opened.
    pub fn more(&self, ticks: u64) {
        let mut progress = self.lock();
        progress.ticks += ticks;
        if let Some(bar) = &progress.bar {
            bar.set_length(progress.ticks);
        }
    }

    /// Counts the ticks of a recording, of which so many are finished now: a batch at a time.
    ///
    /// Threads that play hundreds of thousands of ticks per second would wait for each other at every one.
    pub fn played(&self, ticks: u64) {
        if ticks % BATCH == 0 {
            let mut progress = self.lock();
            let done = progress.done + BATCH;
            progress.reach(done);
        }
    }

    /// Runs a function that writes to the terminal, with the bar hidden; `recordings` are finished with it.
    pub fn aside<T>(&self, recordings: usize, write: impl FnOnce() -> T) -> T {
        // A clone is the same bar; the lock would block the threads that count ticks.
        let bar = self.lock().bar.clone();
        let Some(bar) = bar else { return write() };
        if self.recordings > 1 {
            bar.set_message(format!(", {recordings}/{} recordings", self.recordings));
        }
        bar.suspend(write)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.lock().bar {
            bar.finish_and_clear();
        }
    }

    /// The bar remains usable after a thread has panicked.
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stopwatch.
pub struct Watch(Instant);

impl Watch {
    /// Starts it.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The elapsed time.
    pub fn time(&self) -> Duration {
        self.0.elapsed()
    }
}
