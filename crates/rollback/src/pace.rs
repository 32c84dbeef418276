//! A number of frames per second, by the clock.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

/// A frame later than this is not made up for.
const LATE_MAX: Duration = Duration::from_millis(100);

/// The instant of the next frame.
#[derive(Debug)]
pub struct Pace {
    frame: Duration,
    due: Instant,
}

impl Pace {
    /// The first frame is due at once.
    #[must_use]
    pub fn new(rate: u32) -> Self {
        Self { frame: Duration::from_secs(1) / rate.max(1), due: Instant::now() }
    }

    /// Sleeps until the next frame.
    pub fn wait(&mut self) {
        self.due += self.frame;
        let now = Instant::now();
        if self.due > now {
            sleep(self.due - now);
        } else if now - self.due > LATE_MAX {
            self.due = now;
        }
    }
}
