//! A run as text for people to read and for tests to compare.

use std::fmt::Write as _;

use crate::{
    geom::Vec3,
    snapshot::{self, Checksum, RULES_VERSION},
    tick::{ContactEvent, EventKind, Impact, TickReport, World},
};

/// Writes a run as text: the exact events of each tick, and a checksum every second.
///
/// Ticks in which nothing happened have no line. If the report lists events, those other than impacts stand
/// between the impacts, in order.
#[derive(Debug)]
pub struct Trace {
    text: String,
    /// Largest number of impacts of a tick that are listed in full, and half the number of other events; more
    /// are counted.
    spelled: usize,
}

/// Number of impacts of a tick that a short trace lists in full, with the events that begin and end around
/// them.
const SHORT: usize = 3;

impl Trace {
    /// Starts a trace of every impact and event at the present world.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self::spelling(world, usize::MAX)
    }

    /// Starts a trace that counts the impacts of a tick where there are more than three, and the other
    /// events where there are more than six.
    #[must_use]
    pub fn short(world: &World) -> Self {
        Self::spelling(world, SHORT)
    }

    fn spelling(world: &World, spelled: usize) -> Self {
        let mut trace = Self { text: String::new(), spelled };
        let limits = world.limits();
        trace.line(format_args!(
            "rules {RULES_VERSION}, {} ticks/s{}, {} bodies, {} statics, gravity {}",
            limits.tick_rate,
            in_steps(limits.substeps),
            world.bodies().count(),
            world.scenery().statics().len(),
            vector(world.gravity()),
        ));
        trace.summary("start", world);
        trace
    }

    /// Adds the events of a tick.
    pub fn tick(&mut self, world: &World, report: &TickReport) {
        let tick = report.tick;
        for (index, outcome) in report.outcomes.iter().enumerate() {
            match outcome {
                Ok(done) => self.line(format_args!("tick {tick}  command {index}  {done}")),
                Err(refused) => {
                    self.line(format_args!("tick {tick}  command {index}  refused: {}", refused.reason))
                }
            }
        }
        self.contacts(report);
        if let Some(toi) = report.tick_halted {
            self.line(format_args!("tick {tick}  u {toi}  halted: too many candidates for impacts"));
        }
        for blocked in &report.blocked {
            self.line(format_args!("tick {tick}  blocked  {blocked}"));
        }
        for removed in &report.removed {
            self.line(format_args!("tick {tick}  removed  {removed}"));
        }
        for (what, bodies) in [
            ("held", &report.impact_limited),
            ("out of bounds", &report.out_of_bounds),
            ("reverted", &report.reverted),
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

    /// The contacts of the tick: those that are listed in full in the order of time, and counts of the rest.
    fn contacts(&mut self, report: &TickReport) {
        let tick = report.tick;
        let is_hit = |event: &&ContactEvent| event.kind == EventKind::Hit;
        let others = report.events.iter().filter(|event| !is_hit(event)).count();
        let counts = [
            (report.impacts.len() > self.spelled).then(|| count_impacts(&report.impacts)),
            (others > self.spelled.saturating_mul(2)).then(|| count_events(&report.events)),
        ];
        let spells = counts.each_ref().map(Option::is_none);
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        if !counts.is_empty() {
            self.line(format_args!("tick {tick}  {}", counts.join("; ")));
        }
        let mut impacts = report.impacts.iter().filter(|_| spells[0]).peekable();
        for event in report.events.iter().filter(|event| !is_hit(event) && spells[1]) {
            // At one instant what begins does so before the impact, and what ends after it.
            let is_before = |impact: &&Impact| (impact.toi, EventKind::Hit) < (event.toi, event.kind);
            while let Some(impact) = impacts.next_if(is_before) {
                self.line(format_args!("tick {tick}  {impact:#}"));
            }
            self.line(format_args!("tick {tick}  {event}"));
        }
        impacts.for_each(|impact| self.line(format_args!("tick {tick}  {impact:#}")));
        if report.events_cut {
            self.line(format_args!("tick {tick}  no events but hits: too many candidates"));
        }
    }

    /// The size of the state beside its checksum: another size means another encoding, another checksum alone
    /// other values.
    fn summary(&mut self, what: &str, world: &World) {
        let snapshot = snapshot::encode(world);
        let checksum = Checksum::of(&snapshot);
        self.line(format_args!("{what}  {} bytes  checksum {checksum}", snapshot.len()));
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{text}").expect("a string takes every character");
    }
}

fn count_impacts(impacts: &[Impact]) -> String {
    let [from, to] =
        [impacts.first(), impacts.last()].map(|impact| impact.map_or(String::new(), Impact::to_string));
    format!("{} impacts, from {from} to {to}", impacts.len())
}

/// Such as `3 begin, 12 end`; impacts are counted elsewhere.
fn count_events(events: &[ContactEvent]) -> String {
    let kinds = [EventKind::Begin, EventKind::Enter, EventKind::Exit, EventKind::End];
    let counts = kinds.map(|kind| (kind, events.iter().filter(|event| event.kind == kind).count()));
    let some = counts.iter().filter(|(_, count)| *count > 0);
    some.map(|(kind, count)| format!("{count} {}", kind.name())).collect::<Vec<_>>().join(", ")
}

/// The suffix of a tick in several steps.
fn in_steps(steps: u8) -> String {
    if steps == 1 { String::new() } else { format!(" in {steps} substeps") }
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
        state::{BodyId, Collider, Command, Done, Limits, Refusal, Refused, SceneryBuilder, StaticId},
        tick::{Blocked, Removed},
    };

    #[test]
    fn a_short_trace_spells_out_three_impacts_and_counts_four() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let body = |slot| BodyId::from_parts(slot, 0);
        let impact = |slot| Impact {
            toi: Toi::START,
            a: body(slot),
            b: Collider::Static(StaticId(7)),
            children: [0; 2],
            normal: Normal::Y,
            closing: Scalar::ONE,
            pressed: false,
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

    #[test]
    fn events_stand_between_the_impacts_or_are_counted() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let (a, b) = (BodyId::from_parts(1, 0), Collider::Static(StaticId(7)));
        let impact = Impact {
            toi: Toi::START,
            a,
            b,
            children: [0; 2],
            normal: Normal::Y,
            closing: Scalar::ONE,
            pressed: false,
        };
        let event = |kind| ContactEvent { tick: 5, toi: Toi::START, kind, a, b, children: [0; 2], repeat: 0 };
        let lines = |kinds: &[EventKind]| {
            let mut trace = Trace::short(&world);
            let before = trace.text.len();
            let events = kinds.iter().copied().map(event).collect();
            let report = TickReport { tick: 5, impacts: vec![impact], events, ..TickReport::default() };
            trace.tick(&world, &report);
            trace.text[before..].lines().map(str::to_owned).collect::<Vec<_>>()
        };
        use EventKind::{Begin, End, Enter, Exit, Hit};
        let met = "tick 5  u 0  1 meets s7  closing 1  normal 0 1 0";
        let told = ["tick 5  u 0  begin 1 s7", met, "tick 5  u 0  end 1 s7"];
        assert_eq!(lines(&[Begin, Hit, End]), told);
        assert_eq!(lines(&[Begin, Enter, Hit, Exit, Exit, End, End]).len(), 7);
        let counted = ["tick 5  7 begin", met];
        assert_eq!(lines(&[Begin; 7]), counted, "no kind without an event is named");
        let counted = ["tick 5  2 begin, 1 enter, 1 exit, 3 end", met];
        assert_eq!(lines(&[Begin, Begin, Enter, Hit, Exit, End, End, End]), counted);
    }

    #[test]
    fn a_trace_begins_and_ends_with_the_world() {
        let pulled = |limits| {
            let mut world = World::new(limits, SceneryBuilder::default().build().unwrap()).unwrap();
            let gravity = Vec3::new(Scalar::ZERO, -Scalar::ONE, Scalar::ZERO);
            assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
            world
        };
        for (limits, first) in [
            (Limits::new(60), "60 ticks/s, 0 bodies, 0 statics, gravity 0 -1 0"),
            (
                Limits::new(30).with_substeps(2),
                "30 ticks/s in 2 substeps, 0 bodies, 0 statics, gravity 0 -1 0",
            ),
        ] {
            let world = pulled(limits);
            let snapshot = snapshot::encode(&world);
            let state = format!("{} bytes  checksum {}", snapshot.len(), Checksum::of(&snapshot));
            let expected = format!("rules {RULES_VERSION}, {first}\nstart  {state}\nend  {state}\n");
            assert_eq!(Trace::new(&world).finish(&world), expected);
        }
    }

    #[test]
    fn everything_but_contacts_has_a_line_in_this_order() {
        let world = World::new(Limits::new(60), SceneryBuilder::default().build().unwrap()).unwrap();
        let body = |slot| BodyId::from_parts(slot, 0);
        let (by, toi) = (Collider::Static(StaticId(7)), Toi::START);
        let refused = Refused { index: 1, command: "remove", reason: Refusal::NoBody { body: body(9) } };
        let said = refused.reason.to_string();
        let report = TickReport {
            tick: 60,
            outcomes: vec![Ok(Done::Spawned(body(8))), Err(refused)],
            events_cut: true,
            tick_halted: Some(toi),
            blocked: vec![Blocked { body: body(1), by: body(2) }],
            removed: vec![Removed { body: body(3), toi, by, user: 5 }],
            impact_limited: vec![body(4), body(5)],
            out_of_bounds: vec![body(6)],
            reverted: vec![body(7)],
            ..TickReport::default()
        };
        let mut trace = Trace::new(&world);
        let before = trace.text.len();
        trace.tick(&world, &report);
        let mut lines = trace.text[before..].lines();
        for expected in [
            "command 0  spawned 8",
            &format!("command 1  refused: {said}"),
            "no events but hits: too many candidates",
            "u 0  halted: too many candidates for impacts",
            "blocked  1 by 2",
            "removed  3 at u 0 by s7",
            "held  4",
            "held  5",
            "out of bounds  6",
            "reverted  7",
        ] {
            assert_eq!(lines.next(), Some(&*format!("tick 60  {expected}")));
        }
        let second = lines.next().unwrap();
        assert!(second.starts_with("tick 60  ") && second.contains(" bytes  checksum "), "{second}");
        assert_eq!(lines.next(), None);
    }
}
