//! Wall time, and a bar on the terminal when something takes long.

// Times are shown to people and reach no state.
#![allow(clippy::disallowed_types, clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error that appears when work has taken a while; only on a terminal.
pub struct Progress {
    label: &'static str,
    ticks: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_millis(400);

impl Progress {
    /// A bar for a number of ticks.
    pub fn new(label: &'static str, ticks: u64) -> Self {
        Self { label, ticks, started: Instant::now(), bar: None }
    }

    /// Notes how many ticks are done.
    pub fn reach(&mut self, tick: u64) {
        if self.bar.is_none() && self.started.elapsed() > PATIENCE {
            self.bar = Some(self.show());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(tick);
        }
    }

    /// Takes the bar away and returns how long it all took.
    pub fn finish(self) -> Duration {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }

    fn show(&self) -> ProgressBar {
        let template = "  {prefix:<12} [{bar:32}] {human_pos}/{human_len} ticks, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(self.ticks).with_style(style.progress_chars("=> ")).with_prefix(self.label)
    }
}
