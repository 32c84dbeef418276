//! A run as text that a person can read and a test can compare.

use std::fmt::Write as _;

use crate::{
    geom::{Normal, Vec3},
    snapshot::{self, Checksum, RULES_VERSION},
    tick::{Impact, TickReport},
    world::World,
};

/// Writes a run as text: what happened in each tick, exact, and a checksum every second.
///
/// Ticks in which nothing happened have no line.
#[derive(Debug)]
pub struct Trace {
    text: String,
}

/// How many impacts of a tick are spelled out.
const IMPACTS_SHOWN: usize = 3;

impl Trace {
    /// Starts a trace at the world as it is.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let mut trace = Self { text: String::new() };
        let limits = world.limits();
        trace.line(format_args!(
            "rules {RULES_VERSION}, {} ticks/s, {} bodies, {} statics, gravity {}",
            limits.tick_rate,
            world.bodies().count(),
            world.scenery().statics().len(),
            vector(world.gravity()),
        ));
        trace.summary("start", world);
        trace
    }

    /// Adds what happened in a tick.
    pub fn tick(&mut self, world: &World, report: &TickReport) {
        let tick = report.tick;
        for (index, outcome) in report.outcomes.iter().enumerate() {
            match outcome {
                Ok(done) => self.line(format_args!("tick {tick}  command {index}  {done}")),
                Err(refusal) => self.line(format_args!("tick {tick}  command {index}  refused: {refusal}")),
            }
        }
        for impact in report.impacts.iter().take(IMPACTS_SHOWN) {
            self.impact(tick, impact);
        }
        if let Some(more) = report.impacts.len().checked_sub(IMPACTS_SHOWN).filter(|&more| more > 0) {
            self.line(format_args!("tick {tick}  and {more} more impacts"));
        }
        for (what, bodies) in [
            ("held", &report.held),
            ("out of bounds", &report.out_of_bounds),
            ("rolled back", &report.rolled_back),
        ] {
            for body in bodies {
                self.line(format_args!("tick {tick}  {what}  {body}"));
            }
        }
        if tick % u64::from(world.limits().tick_rate) == 0 {
            self.summary(&format!("tick {tick}"), world);
        }
    }

    /// The text, closed by the last state.
    #[must_use]
    pub fn finish(mut self, world: &World) -> String {
        self.summary("end", world);
        self.text
    }

    fn impact(&mut self, tick: u64, impact: &Impact) {
        let Impact { toi, a, b, normal, closing } = impact;
        let [x, y, z] = short(*normal);
        self.line(format_args!("tick {tick}  u {toi}  {a} meets {b}  closing {closing}  normal {x} {y} {z}"));
    }

    /// The size of the state beside its checksum: another size is another encoding, another checksum
    /// alone is other values.
    fn summary(&mut self, what: &str, world: &World) {
        let snapshot = snapshot::encode(world);
        let checksum = Checksum::of(&snapshot);
        self.line(format_args!("{what}  {} bytes  checksum {checksum}", snapshot.len()));
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{text}").expect("a string takes every character");
    }
}

/// A normal's components without their common power of two.
fn short(normal: Normal) -> [i32; 3] {
    let parts = normal.components();
    let shift = parts.iter().map(|part| part.trailing_zeros()).min().unwrap_or(0);
    parts.map(|part| part >> shift) // exact: the bits that go are zero
}

fn vector(vector: Vec3) -> String {
    format!("{} {} {}", vector.x, vector.y, vector.z)
}
