//! A run as text that a person can read and a test can compare.

use std::fmt::Write as _;

use crate::{
    geom::Vec3,
    snapshot::{self, Checksum, RULES_VERSION},
    tick::{Blocked, Impact, TickReport},
    world::World,
};

/// Writes a run as text: what happened in each tick, exact, and a checksum every second.
///
/// Ticks in which nothing happened have no line.
#[derive(Debug)]
pub struct Trace {
    text: String,
    /// How many impacts of a tick are spelled out; a tick with more has one line.
    impacts_shown: usize,
}

/// A short trace spells out as many impacts of a tick.
const SHORT: usize = 3;

impl Trace {
    /// Starts a trace of every impact at the world as it is.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self::with_impacts(world, usize::MAX)
    }

    /// Starts a trace that has one line for a tick of more than three impacts.
    #[must_use]
    pub fn short(world: &World) -> Self {
        Self::with_impacts(world, SHORT)
    }

    fn with_impacts(world: &World, impacts_shown: usize) -> Self {
        let mut trace = Self { text: String::new(), impacts_shown };
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
        match &report.impacts[..] {
            [first, .., last] if report.impacts.len() > self.impacts_shown => {
                let (count, from, to) = (report.impacts.len(), brief(first), brief(last));
                self.line(format_args!("tick {tick}  {count} impacts, from {from} to {to}"));
            }
            impacts => impacts.iter().for_each(|impact| self.impact(tick, impact)),
        }
        if let Some(toi) = report.halted {
            self.line(format_args!("tick {tick}  u {toi}  halted: too many candidates for impacts"));
        }
        for Blocked { body, by } in &report.blocked {
            self.line(format_args!("tick {tick}  blocked  {body} by {by}"));
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
        let (normal, closing) = (vector(impact.normal.unit().unwrap_or_default()), impact.closing);
        self.line(format_args!("tick {tick}  {}  closing {closing}  normal {normal}", brief(impact)));
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

fn brief(impact: &Impact) -> String {
    let Impact { toi, a, b, .. } = impact;
    format!("u {toi}  {a} meets {b}")
}

fn vector(vector: Vec3) -> String {
    format!("{} {} {}", vector.x, vector.y, vector.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Normal,
        num::{Scalar, Toi},
        world::{BodyId, Collider, Limits, SceneryBuilder, StaticId},
    };

    #[test]
    fn a_short_trace_spells_out_three_impacts_and_counts_four() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let body = |slot| BodyId { slot, generation: 0 };
        let impact = |slot| Impact {
            toi: Toi::START,
            a: body(slot),
            b: Collider::Static(StaticId(7)),
            normal: Normal::Y,
            closing: Scalar::ONE,
        };
        let lines = |mut trace: Trace, count: u32| {
            let before = trace.text.len();
            let impacts = (0..count).map(impact).collect();
            trace.tick(&world, &TickReport { tick: 5, impacts, ..TickReport::default() });
            trace.text[before..].lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(Trace::short(&world), 0), [""; 0]);
        let three = lines(Trace::short(&world), 3);
        assert_eq!(three[2], "tick 5  u 0  2 meets s7  closing 1  normal 0 1 0");
        assert_eq!(
            lines(Trace::short(&world), 4),
            ["tick 5  4 impacts, from u 0  0 meets s7 to u 0  3 meets s7"]
        );
        assert_eq!((three.len(), lines(Trace::new(&world), 4).len()), (3, 4));
    }
}
