//! One error type for each room: an enum that callers match on and that can grow, named after the room. What else can grow in
//! a minor version, and what cannot.

use std::collections::BTreeMap;

use crate::source::{Kind, Source, Token, past_group, sources_under, starts_with};

/// Public error types beside the one of their room, and why they are types of their own.
const BESIDE: [(&str, &str, &str); 5] = [
    ("replay", "Fault", "what is wrong at a byte of a replay, an index or a layer: part of ReplayError"),
    ("session", "DeterminismError", "a finding for a test to print, with the places of both runs"),
    ("session", "InjectionError", "of a tool for tests, which a build without `trace` does not have"),
    ("state", "Refusal", "why a command had no effect: games match on it in every tick"),
    ("state", "Refused", "a Refusal with the place and the name of its command"),
];

/// Types that get fields in minor versions, and types of which a new variant is a major one, as `docs/stability.md` says.
const GROW: [&str; 8] =
    ["Limits", "Material", "TickReport", "Refused", "Damage", "DeterminismError", "Cause", "How"];
const WHOLE: [&str; 2] = ["Command", "Shape"];

/// A public error type.
struct ErrorType {
    room: String,
    name: String,
    path: String,
    line: usize,
    is_enum: bool,
    can_grow: bool,
}

/// The type that a row of tokens declares at its start: true for an enum, and its name.
fn declared(row: &[Token]) -> Option<(bool, &Token)> {
    let is_enum = starts_with(row, &["pub", "enum"]);
    (is_enum || starts_with(row, &["pub", "struct"]))
        .then(|| row.get(2))
        .flatten()
        .map(|name| (is_enum, name))
}

/// The types of a file for which it implements `Error` by hand: `impl std::error::Error for Name`.
fn by_hand(row: &[Token]) -> Vec<&str> {
    let is_error = |w: &&[Token]| starts_with(w, &["error", ":", ":", "Error", "for"]);
    row.windows(6).filter(is_error).map(|w| w[5].text.as_str()).collect()
}

/// A type that is declared `pub`, with the attributes before it.
struct Declared {
    attributes: Vec<Token>,
    is_enum: bool,
    name: Token,
}

impl Declared {
    fn can_grow(&self) -> bool {
        self.attributes.iter().any(|token| token.is("non_exhaustive"))
    }
}

/// The types that a row of tokens declares `pub`.
fn declarations(row: &[Token]) -> Vec<Declared> {
    let (mut found, mut attributes, mut at) = (Vec::new(), Vec::new(), 0);
    while at < row.len() {
        if starts_with(&row[at..], &["#", "["]) {
            let end = past_group(row, at + 1);
            attributes.extend_from_slice(&row[at..end]);
            at = end;
            continue;
        }
        let before = std::mem::take(&mut attributes);
        if let Some((is_enum, name)) = declared(&row[at..]) {
            found.push(Declared { attributes: before, is_enum, name: name.clone() });
        }
        at += 1;
    }
    found
}

/// The error types that a file declares `pub`.
fn error_types(source: &Source) -> Vec<ErrorType> {
    let row = source.shipped_tokens();
    let (by_hand, room) = (by_hand(row), room_of(&source.path));
    let derives = |w: &[Token]| starts_with(w, &["thiserror", ":", ":", "Error"]);
    let is_error = |found: &Declared| {
        found.attributes.windows(4).any(derives) || by_hand.contains(&found.name.text.as_str())
    };
    let of = |found: Declared| ErrorType {
        room: room.to_owned(),
        can_grow: found.can_grow(),
        name: found.name.text,
        path: source.path.clone(),
        line: found.name.line,
        is_enum: found.is_enum,
    };
    declarations(row).into_iter().filter(is_error).map(of).collect()
}

fn room_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

/// The names that a room's `mod.rs` makes public, and the modules.
#[derive(Default)]
struct Door {
    names: Vec<String>,
    modules: Vec<String>,
}

impl Door {
    fn of(source: &Source) -> Self {
        let (row, mut door) = (source.shipped_tokens(), Self::default());
        for at in 0..row.len() {
            door.names.extend(declared(&row[at..]).map(|(_, name)| name.text.clone()));
            if starts_with(&row[at..], &["pub", "mod"]) {
                door.modules.extend(row.get(at + 2).map(|name| name.text.clone()));
            }
            if starts_with(&row[at..], &["pub", "use"]) {
                let used = row[at + 2..].iter().take_while(|token| !token.is(";"));
                door.names
                    .extend(used.filter(|token| token.kind == Kind::Ident).map(|token| token.text.clone()));
            }
        }
        door
    }

    fn shows(&self, error: &ErrorType) -> bool {
        let module = error.path.split('/').nth(2).unwrap_or_default().trim_end_matches(".rs");
        self.names.contains(&error.name) || self.modules.iter().any(|name| name == module)
    }
}

/// The public error types of all rooms.
fn public_types(sources: &[Source]) -> Vec<ErrorType> {
    let doors =
        sources.iter().filter(|source| source.path == format!("src/{}/mod.rs", room_of(&source.path)));
    let doors: BTreeMap<_, _> = doors.map(|door| (room_of(&door.path), Door::of(door))).collect();
    let is_public = |error: &ErrorType| doors.get(error.room.as_str()).is_some_and(|door| door.shows(error));
    sources.iter().flat_map(error_types).filter(is_public).collect()
}

/// The public functions and the conversions that fail with a text.
fn textual(source: &Source) -> Vec<String> {
    let row = source.shipped_tokens();
    let is_conversion = |at: &usize| {
        ["Error", "Err"].iter().any(|name| starts_with(&row[*at..], &["type", name, "=", "String", ";"]))
    };
    let conversions =
        (0..row.len()).filter(is_conversion).map(|at| (row[at].line, "a conversion".to_owned()));
    let is_text = |at: &usize| starts_with(&row[*at..], &[",", "String", ">"]);
    let of_function = |at: usize| {
        let arrow = row[..at].windows(2).rposition(|w| w[0].is("-") && w[1].is(">"))?;
        let name = row[..arrow].iter().rposition(|token| token.is("fn"))?;
        let is_result = row[arrow..at].iter().any(|token| token.is("Result"));
        let is_in_head = !row[arrow..at].iter().any(|token| token.is("{") || token.is(";"));
        let is_public = row[..name].iter().rev().take(2).any(|token| token.is("pub"));
        let function = row.get(name + 1)?;
        (is_result && is_in_head && is_public).then(|| (function.line, format!("`{}`", function.text)))
    };
    let functions = (0..row.len()).filter(is_text).filter_map(of_function);
    let say = |(line, what)| format!("{}:{line}: {what} fails with a text: nothing to match on", source.path);
    conversions.chain(functions).map(say).collect()
}

fn complaints(sources: &[Source], beside: &[(&str, &str, &str)]) -> Vec<String> {
    let types = public_types(sources);
    let is_beside = |error: &ErrorType| {
        beside.iter().any(|(room, name, _)| (*room, *name) == (error.room.as_str(), error.name.as_str()))
    };
    let mut found: Vec<String> = sources.iter().flat_map(textual).collect();
    for error in &types {
        let ErrorType { room, name, path, line, is_enum, can_grow } = error;
        let place = format!("{path}:{line}: `{name}`");
        let own = format!("{room}error");
        if !is_beside(error) && name.to_lowercase() != own {
            found.push(format!("{place} is a second error type of `{room}`, or has another name than it"));
        }
        if !is_beside(error) && !is_enum {
            found.push(format!("{place} is no enum"));
        }
        if (*is_enum || !is_beside(error)) && !can_grow {
            found.push(format!("{place} is not #[non_exhaustive]"));
        }
    }
    let is_stale = |(room, name, _): &&(&str, &str, &str)| {
        !types.iter().any(|error| (error.room.as_str(), error.name.as_str()) == (*room, *name))
    };
    found.extend(beside.iter().filter(is_stale).map(|(room, name, _)| format!("`{room}` has no `{name}`")));
    found
}

/// The types of both lists that are missing, or whose attributes say otherwise than the list.
fn otherwise(sources: &[Source]) -> Vec<String> {
    let all: Vec<_> = sources.iter().flat_map(|source| declarations(source.shipped_tokens())).collect();
    let lists = GROW.map(|name| (name, true)).into_iter().chain(WHOLE.map(|name| (name, false)));
    let is_kept = |(name, can_grow): &(&str, bool)| {
        let mut of_name = all.iter().filter(|found| found.name.is(name)).map(Declared::can_grow);
        of_name.next() == Some(*can_grow) && of_name.all(|found| found == *can_grow)
    };
    let say = |(name, can_grow)| format!("`{name}`: #[non_exhaustive] is {can_grow} in docs/stability.md");
    lists.filter(|entry| !is_kept(entry)).map(say).collect()
}

#[test]
fn types_that_can_grow_are_those_that_the_document_names() {
    let found = otherwise(sources_under("src"));
    assert!(found.is_empty(), "{}", found.join("\n"));
    let sample = |text: &str| otherwise(&[Source::sample("src/room/part.rs", text)]).len();
    let whole = "pub enum Command { } pub enum Shape { }";
    let grow = "#[non_exhaustive] #[derive(Debug)] pub struct Limits; #[derive(Debug)] #[non_exhaustive] pub struct Material;";
    let [report, rest] = [&GROW[2..3], &GROW[3..]].map(|names| {
        names.iter().map(|name| format!("#[non_exhaustive] pub struct {name};")).collect::<String>()
    });
    let grow = format!("{grow} {rest}");
    assert_eq!(sample(&format!("{whole} {grow} {report}")), 0);
    assert_eq!(sample(&format!("{whole} {grow} pub struct TickReport;")), 1);
    assert_eq!(sample(&format!("{grow} {report} #[non_exhaustive] {whole}")), 1);
    assert_eq!(sample(&format!("{grow} {report}")), 2, "types that are gone");
}

#[test]
fn a_room_has_one_error_type() {
    let sources = sources_under("src");
    let found = complaints(sources, &BESIDE);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let types = public_types(sources);
    let rooms = ["geom", "peer", "query", "replay", "session", "shape", "snapshot", "state"];
    for room in rooms {
        assert!(types.iter().any(|error| error.room == room), "the rule sees no error type of {room}");
    }
    assert_eq!(types.len(), rooms.len() + BESIDE.len());
}

#[test]
fn a_second_error_type_is_noticed() {
    let derive = "#[derive(Debug, thiserror::Error)] #[error(\"no\")]";
    let one = format!("#[non_exhaustive] {derive} pub enum RoomError {{ A }}");
    let samples = |text: String, door: &str| {
        [Source::sample("src/room/part.rs", &text), Source::sample("src/room/mod.rs", door)]
    };
    let count = |text: String, door: &str| complaints(&samples(text, door), &[]).len();
    let door = "mod part; pub use part::{RoomError, Other};";
    assert_eq!(count(one.clone(), door), 0);
    assert_eq!(
        count(format!("{one} #[non_exhaustive] {derive} pub enum Other {{ B }}"), door),
        1,
        "a second"
    );
    assert_eq!(count(format!("{one} {derive} pub enum Other {{ B }}"), door), 2, "and it cannot grow");
    assert_eq!(count(format!("{one} {derive} pub struct Other(String);"), door), 3, "and it is a text");
    assert_eq!(count(format!("{one} pub struct Other; impl std::error::Error for Other {{}}"), door), 3);
    assert_eq!(count(format!("{one} {derive} pub enum Inner {{ B }}"), door), 0, "it is not public");
    assert_eq!(count(format!("{derive} pub enum Inner {{ B }}"), "pub mod part;"), 2, "its module is");
    assert_eq!(count(one.clone(), "pub fn f() -> Result<u8, String> { }"), 1, "a text in place of an error");
    assert_eq!(count(one.clone(), "fn f() -> Result<u8, String> { }"), 0);
    assert_eq!(count(one.clone(), "impl TryFrom<u8> for Room { type Error = String; }"), 1);
    let beside = [("room", "Other", "")];
    let second = format!("{one} #[non_exhaustive] {derive} pub enum Other {{ B }}");
    assert!(complaints(&samples(second, door), &beside).is_empty());
    assert_eq!(complaints(&samples(one, door), &beside).len(), 1, "an exception without a type");
}
