//! Playing every golden to its end, and saying all that differs: the text trace by insta, then its first
//! differing tick, the checksums as `bitstep diff` compares them, and the counts.

use std::{
    fmt::Write as _,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
};

#[cfg(feature = "trace")]
use bitstep::replay::Judgement;
use bitstep::{
    World,
    replay::{Comparison, Recorder, Replay, Trace, compare_with_rerun, play, verify},
    session::{Simulation, TickLog},
    tick::TickReport,
};

use super::{
    GOLDENS, Golden, LONG, breach,
    excerpt::{Excerpt, differences, lines_of},
    folder, golden, read,
};

/// The outcome of playing a golden with this build.
struct Played {
    counts: Golden,
    trace: String,
    /// The first tick that needed a net or whose ledger does not close.
    breach: Option<String>,
    /// The trace in which no event is only counted.
    whole: String,
    /// The comparison with the recorded checksums, where one of them is not reproduced.
    checksums: Option<Comparison>,
}

impl Played {
    /// Verifies a recording; one that diverges is played to its end all the same.
    fn of(name: &'static str, mut replay: Replay) -> Self {
        replay.enable_events(true);
        let mut watch = Watch::of(name, &replay);
        let verdict = verify(&replay, |world, report| watch.tick(world, report));
        if verdict.is_ok_and(|verdict| verdict.divergence.is_none()) {
            return watch.finish(None);
        }
        let mut watch = Watch::of(name, &replay);
        play(&replay, |world, report| watch.tick(world, report));
        watch.finish(Some(compare_with_rerun(&replay)))
    }

    /// Everything in which it differs from the reviewed trace and the listed counts.
    fn differences(&self, reviewed: &str, listed: &Golden) -> Option<Differences> {
        let mut found = Differences { name: listed.name, tick: None, kinds: Vec::new(), text: String::new() };
        if let Some(Excerpt { ends, tick, others }) = differences(reviewed, &self.trace) {
            let head =
                ends.map(|lines| format!("  the trace around the ticks, - reviewed, + found:\n{lines}"));
            let first = tick.as_ref().map(|(tick, lines)| {
                let others = format!("    further ticks of the trace that differ: {others}\n");
                format!("  the trace differs first in tick {tick}, - reviewed, + found:\n{lines}{others}")
            });
            let text = head.into_iter().chain(first).collect::<String>();
            found.add("trace", tick.map(|(tick, _)| tick), &text);
        }
        if let Some(comparison) = &self.checksums {
            let text: String = comparison.to_string().lines().map(|line| format!("    {line}\n")).collect();
            let sides = "the left is the recording, the right this build";
            found.add("checksums", comparison.tick, &format!("  the checksums, {sides}:\n{text}"));
        }
        if let Some(tick) = found.tick {
            found.text += &format!("  tick {tick}, as this build plays it:\n{}", lines_of(&self.whole, tick));
        }
        if self.counts != *listed {
            found.add("counts", None, &format!("  the counts\n    - {listed:?}\n    + {:?}\n", self.counts));
        }
        if let Some(breach) = &self.breach {
            found.add("safety", None, &format!("  {breach}\n"));
        }
        (!found.kinds.is_empty()).then_some(found)
    }
}

/// Everything in which a golden differs.
struct Differences {
    name: &'static str,
    /// The first tick that differs, where it is known.
    tick: Option<u64>,
    kinds: Vec<&'static str>,
    text: String,
}

impl Differences {
    fn add(&mut self, kind: &'static str, tick: Option<u64>, text: &str) {
        self.tick = self.tick.into_iter().chain(tick).min();
        self.kinds.push(kind);
        self.text += text;
    }
}

/// One line for each golden that differs.
fn summary(found: &[Differences], played: usize) -> String {
    let mut text = format!("{} of {played} goldens differ:\n", found.len());
    for Differences { name, tick, kinds, .. } in found {
        let from = tick.map_or_else(|| "-".to_owned(), |tick| format!("from tick {tick}"));
        writeln!(text, "  {name:<10} {from:<16} {}", kinds.join(", ")).unwrap();
    }
    text + "If the change is meant: .ci/record-goldens, and review the traces (cargo insta review)."
}

/// Watches a golden tick by tick.
struct Watch {
    counts: Golden,
    trace: Trace,
    whole: Trace,
    last: World,
    breach: Option<String>,
}

impl Watch {
    fn of(name: &'static str, replay: &Replay) -> Self {
        let last = replay.initial_state().clone();
        let (trace, whole) = (Trace::short(&last), Trace::new(&last));
        Self { counts: golden(name, 0, 0), trace, whole, last, breach: None }
    }

    fn tick(&mut self, world: &World, report: &TickReport) {
        self.trace.tick(world, report);
        self.whole.tick(world, report);
        let name = self.counts.name;
        let [before, after] = [&self.last, world].map(World::momentum_wide);
        let ledger = report.ledger.total();
        let closes = (0..3).all(|axis| after[axis] - before[axis] == ledger[axis]);
        let open = (!closes).then(|| format!("{name}, tick {}: the ledger does not close", report.tick));
        self.breach = self.breach.take().or(open).or_else(|| breach(name, world, report));
        self.counts.ticks += 1;
        self.counts.impacts += report.impacts.len();
        self.counts.refused += report.outcomes.iter().filter(|outcome| outcome.is_err()).count();
        self.counts.blocked += report.blocked.len();
        self.counts.held += report.impact_limited.len();
        self.last.clone_from(world);
    }

    fn finish(self, checksums: Option<Comparison>) -> Played {
        let Self { counts, trace, whole, last, breach } = self;
        Played { counts, trace: trace.finish(&last), breach, whole: whole.finish(&last), checksums }
    }
}

/// The reviewed trace of a golden, without the head of the file.
fn reviewed(name: &str) -> String {
    let text = fs::read_to_string(folder().join(name).with_extension("snap")).unwrap_or_default();
    text.splitn(3, "---\n").nth(2).unwrap_or_default().to_owned()
}

/// Compares a trace with the reviewed one by insta, which prints the whole difference and keeps it for
/// review.
fn is_reviewed(name: &str, trace: &str) -> bool {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    catch_unwind(AssertUnwindSafe(|| settings.bind(|| insta::assert_snapshot!(name, trace)))).is_ok()
}

/// Prints every difference and fails with the summary, if there is any.
fn assert_none(found: &[Differences], played: usize) {
    for Differences { name, text, .. } in found {
        println!("\ngolden `{name}` differs\n{text}");
    }
    assert!(found.is_empty(), "{}", summary(found, played));
}

#[test]
fn every_golden_plays_as_it_was_recorded() {
    let is_played = |golden: &&Golden| golden.name != LONG.0 || !cfg!(debug_assertions);
    let goldens: Vec<_> = GOLDENS.iter().filter(is_played).collect();
    let mut found = Vec::new();
    for golden in &goldens {
        let played = Played::of(golden.name, Replay::read(&read(golden.name)).unwrap());
        // Where insta accepts a trace, as it does for `.ci/record-goldens`, the reviewed one is what was
        // found.
        let before = reviewed(golden.name);
        let accepted = if is_reviewed(golden.name, &played.trace) { &played.trace } else { &before };
        found.extend(played.differences(accepted, golden));
    }
    assert_none(&found, goldens.len());
}

#[test]
#[cfg(debug_assertions)]
fn the_long_golden_begins_as_it_was_recorded() {
    let golden = GOLDENS.iter().find(|golden| golden.name == LONG.0).unwrap();
    let whole = Replay::<World>::read(&read(golden.name)).unwrap();
    let ticks = LONG.1 * u64::from(whole.initial_state().limits().tick_rate);
    let begin = Replay::read(&bitstep::replay::clip(&whole, 1..=ticks, false).unwrap()).unwrap();
    let mut played = Played::of(golden.name, begin);
    assert_eq!(played.counts.ticks, ticks);
    // What is listed is counted over all ticks.
    played.counts = *golden;
    played.trace = super::excerpt::up_to(&played.trace, ticks);
    let reviewed = super::excerpt::up_to(&reviewed(golden.name), ticks);
    assert!(reviewed.lines().count() > 2, "the reviewed trace has lines of these ticks");
    assert_none(&Vec::from_iter(played.differences(&reviewed, golden)), 1);
}

/// A golden's initial state and inputs recorded by this build, so that the tests of the comparison outlive a change
/// of rules.
fn recorded_now(listed: &Golden, mut log: TickLog) -> Replay {
    let replay = Replay::<World>::read(&read(listed.name)).unwrap();
    let mut world = replay.initial_state().clone();
    let mut recorder = Recorder::new(Vec::new(), &world).unwrap();
    for record in replay.ticks() {
        let _ = world.tick_logged(&record.inputs, &mut TickReport::default(), &mut log);
        recorder.tick_logged(&record.inputs, &world, &log).unwrap();
    }
    Replay::read(&recorder.finish().unwrap()).unwrap()
}

#[test]
fn a_golden_that_differs_is_told_from_which_tick_and_in_what() {
    let listed = GOLDENS.iter().find(|golden| golden.name == "squeeze").unwrap();
    let played = Played::of(listed.name, recorded_now(listed, TickLog::off()));
    let (counts, reviewed) = (played.counts, played.trace.clone());
    assert!(played.checksums.is_none());
    assert!(played.differences(&reviewed, &counts).is_none());

    let line = reviewed.lines().find(|line| line.contains(" meets ")).unwrap();
    let altered = reviewed.replacen(line, &line.replace(" meets ", " misses "), 1);
    let found = played.differences(&altered, &counts).unwrap();
    assert_eq!(found.kinds, ["trace"]);
    let tick = found.tick.unwrap();
    assert!(line.starts_with(&format!("tick {tick} ")));
    assert!(found.text.contains(&format!("    + {line}\n")), "{}", found.text);

    let other = Golden { impacts: counts.impacts + 1, ..counts };
    assert_eq!(played.differences(&reviewed, &other).unwrap().kinds, ["counts"]);
    let unsafe_tick = Played { breach: Some("tick 3: 1 held".to_owned()), ..played };
    assert_eq!(unsafe_tick.differences(&reviewed, &counts).unwrap().kinds, ["safety"]);
    let lines = summary(&[found], 17);
    assert!(lines.contains(&format!("\n  squeeze    from tick {tick}")), "{lines}");
}

#[test]
#[cfg(feature = "trace")]
fn a_golden_whose_checksums_differ_is_compared_as_diff_compares_it() {
    let listed = GOLDENS.iter().find(|golden| golden.name == "squeeze").unwrap();
    let reviewed = Played::of(listed.name, recorded_now(listed, TickLog::off())).trace;
    let injection = "21:0:vel.x".parse().unwrap();
    let played = Played::of(listed.name, recorded_now(listed, TickLog::states().injected(injection)));
    // The trace is what this build makes of it, to the end; only the recording is wrong.
    assert_eq!(differences(&reviewed, &played.trace), None);
    let counts = played.counts;
    let found = played.differences(&reviewed, &counts).unwrap();
    assert_eq!((found.kinds.as_slice(), found.tick), (["checksums"].as_slice(), Some(21)));
    assert!(found.text.contains("slots[0].body.momentum.x"), "{}", found.text);
    assert!(found.text.ends_with("  tick 21, as this build plays it:\n      (none)\n"), "{}", found.text);
    let comparison = played.checksums.unwrap();
    assert_eq!((comparison.judgement, comparison.phase.as_deref()), (Judgement::Physics, Some("finish")));
}
