//! The cost of a tick, a save, a load and a rollback, in a scripted match.

use std::{
    error::Error,
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};

use bitstep::{
    session::{Ring, Simulation, TickLog},
    tick::TickReport,
};

use crate::{initial_state, script::script};

/// Largest number of ticks that ggrs predicts, as `bitstep-rollback` has it.
const WINDOW: usize = 8;

/// Times of one kind of work, of every tick of a match.
struct Times {
    name: &'static str,
    each: Vec<Duration>,
}

impl Times {
    const fn of(name: &'static str) -> Self {
        Self { name, each: Vec::new() }
    }

    fn take<T>(&mut self, work: impl FnOnce() -> T) {
        let begin = Instant::now();
        black_box(work());
        self.each.push(begin.elapsed());
    }
}

impl fmt::Display for Times {
    /// The median and the slowest of a hundred, in microseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.each.clone();
        sorted.sort_unstable();
        let at = |percent: usize| sorted.get(sorted.len() * percent / 100).map_or(0, Duration::as_nanos);
        let micros = |nanos: u128| format!("{}.{:02}", nanos / 1_000, nanos % 1_000 / 10);
        write!(f, "{:28} {:>8} {:>8}", self.name, micros(at(50)), micros(at(99)))
    }
}

/// Plays a script of some ticks, and returns the times of each kind of work.
pub fn measure(seed: u64, ticks: u64) -> Result<String, Box<dyn Error>> {
    let script = script(seed, ticks)?;
    let (mut state, mut report, mut logged) =
        (initial_state()?, TickReport::default(), TickReport::default());
    let (mut ring, mut sums, mut bytes) =
        (Ring::new(&state, WINDOW as u32 + 2)?, TickLog::sums(), Vec::new());
    let mut spare = state.clone();
    let names = [
        "tick",
        "tick with hashes of phases",
        "save into the ring",
        "load from the ring",
        "checksum",
        "rollback of 8",
    ];
    let mut times = names.map(Times::of);
    for (tick, inputs) in script.inputs.iter().enumerate() {
        let [plain, hashed, save, load, checksum, rollback] = &mut times;
        save.take(|| ring.save(&state));
        spare.clone_from(&state);
        hashed.take(|| _ = spare.tick_logged(inputs, &mut logged, &mut sums));
        plain.take(|| state.tick(inputs, &mut report));
        load.take(|| ring.restore(tick as u64, &mut spare).is_ok());
        checksum.take(|| {
            state.encode_into(&mut bytes);
            bitstep::snapshot::Checksum::of(&bytes)
        });
        if let Some(from) = (tick + 1).checked_sub(WINDOW) {
            // As ggrs asks for it: load, then advance and save in turn. The same inputs, so the same states.
            rollback.take(|| {
                let _ = ring.restore(from as u64, &mut spare);
                for (again, inputs) in script.inputs[from..=tick].iter().enumerate() {
                    if again > 0 {
                        ring.save(&spare);
                    }
                    spare.tick(inputs, &mut logged);
                }
            });
        }
    }
    let head = format!(
        "{ticks} ticks, {} bytes a snapshot{:15}\n{:28} {:>8} {:>8}",
        bytes.len(),
        "",
        "microseconds",
        "median",
        "99 %"
    );
    Ok(times.iter().fold(head, |text, times| format!("{text}\n{times}")))
}
