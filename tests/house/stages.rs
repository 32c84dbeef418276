//! The floors within the room `tick`: a file refers to its own stage and to lower floors only, so stages of one floor are
//! blind to each other.

use crate::{
    references::{File, Library, Reference, shipped},
    source::Source,
};

/// The name of a stage, and the beginnings of the paths of its files within the room; of two that fit a file the longer counts.
type Stage = (&'static str, &'static [&'static str]);

/// From the ground floor up.
const FLOORS: [&[Stage]; 12] = [
    &[
        ("limits", &["limits.rs"]),
        ("ledger", &["ledger.rs"]),
        ("drive", &["drive.rs"]),
        ("budget", &["budget.rs"]),
    ],
    &[("report", &["report.rs", "substeps.rs", "events/event.rs"])],
    &[("bodies", &["bodies/"])],
    &[
        ("pairs", &["pairs/"]),
        ("queue", &["queue.rs"]),
        ("slots", &["slots.rs"]),
        ("unproved", &["unproved.rs"]),
        ("events", &["events/"]), // listens to the stages above; lists what it heard when the tick has ended
        ("probe", &["probe.rs"]),
    ],
    &[("narrow", &["narrow.rs"]), ("invariants", &["invariants.rs"])],
    &[("search", &["search.rs"]), ("contact", &["contact/"])],
    &[
        ("depenetration", &["depenetration/"]),
        ("toi_loop", &["toi_loop.rs", "on_hit.rs"]),
        ("overlapping", &["overlapping.rs"]),
        ("overlap_check", &["overlap_check.rs"]),
        ("sleep", &["sleep/"]),
    ],
    &[("world", &["world.rs", "world/", "scratch.rs", "placement.rs"])],
    &[("segments", &["segments.rs"]), ("arbitrary", &["arbitrary.rs"])],
    &[("phases", &["phases.rs", "observe.rs", "step.rs"])],
    // Above the phases, since `World::tick` applies commands and then runs the phases.
    &[("commands", &["apply.rs", "dig.rs", "disturb.rs", "ignore_pair.rs", "rotation_commands.rs"])],
    &[("door", &["mod.rs"])],
];

/// Stages that see no floor above another stage's, however high they stand.
const BLIND: [(&str, &str); 1] = [("sleep", "bodies")];

/// A reference that is known to break the rule: its file, the file that it leads to, the names, and the reason. Entries and names may
/// only be removed.
type Exception = (&'static str, &'static str, &'static [&'static str], &'static str);

const EXCEPTIONS: [Exception; 0] = [];

/// The floor of a file, and its stage.
fn place_of(file: &str, floors: &[&[Stage]]) -> Option<(usize, &'static str)> {
    let stages =
        floors.iter().enumerate().flat_map(|(floor, stages)| stages.iter().map(move |stage| (floor, stage)));
    let fits = stages.flat_map(|(floor, (name, files))| files.iter().map(move |begin| (begin, floor, *name)));
    let longest = fits.filter(|(begin, ..)| file.starts_with(**begin)).max_by_key(|(begin, ..)| begin.len());
    longest.map(|(_, floor, name)| (floor, name))
}

/// The floors of a room, the stages that see less of them, and what is known to break the rule.
struct Rule<'a> {
    floors: &'a [&'a [Stage]],
    blind: &'a [(&'a str, &'a str)],
    exceptions: &'a [Exception],
}

impl Rule<'_> {
    /// What is wrong with a reference from one file to another.
    fn judge(&self, from: &str, to: &str) -> Option<String> {
        let (floor, stage) = place_of(from, self.floors)?;
        let (other_floor, other) = place_of(to, self.floors)?;
        let sees = self.blind.iter().find(|(name, _)| *name == stage).map(|(_, sees)| *sees);
        let is_far = |sees: &&str| other_floor > floor_of(sees, self.floors);
        if stage == other {
            None
        } else if other_floor > floor {
            Some(format!("`{other}` lies above `{stage}`"))
        } else if other_floor == floor {
            Some(format!("`{other}` lies beside `{stage}`"))
        } else {
            sees.filter(is_far).map(|sees| format!("`{stage}` sees nothing above `{sees}`, as `{other}` is"))
        }
    }

    /// What is wrong with a room.
    fn complaints(&self, files: &[File], room: &str) -> Vec<String> {
        let inside = |at: usize| {
            files[at].path.trim_start_matches("src/").trim_start_matches(room).trim_start_matches('/')
        };
        let own: Vec<usize> = (0..files.len()).filter(|&at| files[at].room() == room).collect();
        let mut wrong: Vec<_> = own
            .iter()
            .filter(|&&at| place_of(inside(at), self.floors).is_none())
            .map(|&at| format!("{}: in no stage", files[at].path))
            .collect();
        let begins = self.floors.iter().copied().flatten().flat_map(|(_, files)| files.iter());
        let is_empty = |begin: &&&str| !own.iter().any(|&at| inside(at).starts_with(**begin));
        wrong.extend(begins.filter(is_empty).map(|begin| format!("{begin}: no such file")));
        let mut used = Vec::new();
        for reference in Library::of(files).references(room) {
            let Reference { from, to, name, line } = reference;
            let Some(reason) = self.judge(inside(from), inside(to)) else { continue };
            let is_known = |(file, other, names, _): &Exception| {
                (*file, *other) == (inside(from), inside(to)) && names.contains(&name.as_str())
            };
            if self.exceptions.iter().any(is_known) {
                used.push((inside(from), inside(to), name));
            } else {
                wrong.push(format!("{}:{line}: `{name}` of {}: {reason}", files[from].path, inside(to)));
            }
        }
        for (file, other, names, _) in self.exceptions {
            let is_gone = |name: &&&str| {
                !used.iter().any(|(from, to, used)| (from, to, used.as_str()) == (file, other, **name))
            };
            let gone = names.iter().filter(is_gone);
            wrong.extend(
                gone.map(|name| {
                    format!("{file} does not refer to `{name}` of {other}: remove the exception")
                }),
            );
        }
        wrong
    }
}

fn floor_of(stage: &str, floors: &[&[Stage]]) -> usize {
    let has = |stages: &&[Stage]| stages.iter().any(|(name, _)| *name == stage);
    floors.iter().position(has).expect("the name of a stage")
}

#[test]
fn stages_of_the_tick_refer_to_lower_floors_only() {
    let wrong =
        Rule { floors: &FLOORS, blind: &BLIND, exceptions: &EXCEPTIONS }.complaints(&shipped(), "tick");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(EXCEPTIONS.iter().all(|(.., reason)| !reason.is_empty()));
}

/// The complaints about a made-up room of three floors, of which the upper two have one and two stages.
fn of_sample(high: &str, blind: &[(&str, &str)], exceptions: &[Exception]) -> Vec<String> {
    let floors: [&[Stage]; 3] = [
        &[("ground", &["ground.rs"])],
        &[("low", &["low/"])],
        &[("high", &["high.rs", "low/odd.rs"]), ("twin", &["twin.rs"])],
    ];
    let file = |name: &str, text: &str| File::of(&Source::sample(&format!("src/room/{name}.rs"), text));
    let files = [
        file("ground", "pub struct Base { pub floor: u8 }"),
        file(
            "low/mod",
            "use super::ground::Base; pub struct Low { pub base: Base } impl Low { pub fn sink(&self) {} }",
        ),
        file("low/odd", "pub struct Odd;"),
        file("high", high),
        file("twin", "pub struct Twin { pub wide: u8 } impl Twin { pub fn turn(&self) {} }"),
    ];
    Rule { floors: &floors, blind, exceptions }.complaints(&files, "room")
}

#[test]
fn the_rule_notices_what_lies_above_or_beside_or_is_out_of_sight() {
    let none = [""; 0];
    let good =
        "use super::{ground::Base, low::{Low, odd::Odd}}; fn f(low: &Low) { low.sink(); low.base.floor; }";
    assert_eq!(
        of_sample(good, &[], &[]),
        none,
        "lower floors, and a file of its own stage in another's folder"
    );
    for beside in ["use super::twin::Twin;", "fn f(x: &X) { x.y().turn(); }", "fn f(x: &X) { x.y().wide; }"] {
        let found = of_sample(beside, &[], &[]);
        assert!(found.len() == 1 && found[0].contains("`twin` lies beside `high`"), "{beside}: {found:?}");
    }
    let sees_ground = [("high", "ground")];
    let found = of_sample("fn f(low: &super::low::Low) {}", &sees_ground, &[]);
    assert!(found.len() == 1 && found[0].contains("`high` sees nothing above `ground`"), "{found:?}");
    assert_eq!(of_sample("use super::ground::Base;", &sees_ground, &[]), none);

    let floors: [&[Stage]; 3] = [&[("a", &["a.rs"])], &[("b", &["b.rs"])], &[("c", &["c.rs"])]];
    let file = |name: &str, text: &str| File::of(&Source::sample(&format!("src/room/{name}.rs"), text));
    let files = [file("a", "fn f() { super::b::g() }"), file("b", "pub fn g() {}"), file("d", "")];
    let found = Rule { floors: &floors, blind: &[], exceptions: &[] }.complaints(&files, "room");
    assert_eq!(found.len(), 3, "a reference upward, a file of no stage, a stage of no file: {found:?}");
}

#[test]
fn exceptions_may_only_go() {
    let beside = "use super::twin::Twin; fn f(twin: &Twin) { twin.turn() }";
    let of_names =
        |names: &'static [&'static str]| of_sample(beside, &[], &[("high.rs", "twin.rs", names, "a reason")]);
    assert_eq!(of_names(&["Twin", "turn"]), [""; 0]);
    assert!(of_names(&["Twin"])[0].contains("`turn` of twin.rs"), "a further name");
    assert!(of_names(&["Twin", "turn", "wide"])[0].contains("`wide`"), "a name that does not occur");
    assert_eq!(of_sample("", &[], &[("high.rs", "twin.rs", &["Twin"], "a reason")]).len(), 1);
}
