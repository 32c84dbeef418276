//! Rooms know only the rooms below them.

use crate::source::{Kind, Source, Token, past_group, sources_under, starts_with};

/// From the ground floor up.
const ROOMS: [&str; 14] = [
    "num",
    "geom",
    "shape",
    "overlap",
    "sweep",
    "broad",
    "state",
    "query",
    "character",
    "tick",
    "snapshot",
    "session",
    "replay",
    "peer",
];

/// What is wrong with the floors of one file of `src/`.
fn complaints(source: &Source) -> Vec<String> {
    let path = source.path.as_str();
    if path == "src/lib.rs" {
        return Vec::new();
    }
    let Some(own) = floor(room_of(path)) else {
        return vec![format!("{path}: `{}` is no room of the house", room_of(path))];
    };
    let row = source.shipped_tokens();
    let mut found = Vec::new();
    for (room, line) in rooms_used(row) {
        match floor(&room) {
            Some(other) if other <= own => {}
            Some(_) => found.push(format!("{path}:{line}: uses `{room}`, which lies above")),
            None => found.push(format!("{path}:{line}: `crate::{room}` does not name a room")),
        }
    }
    found.extend(lines_that_leave_by_super(row, path).iter().map(|line| {
        format!("{path}:{line}: leaves the room by `super`, where its floor cannot be seen; write `crate::`")
    }));
    found
}

fn room_of(path: &str) -> &str {
    let first = path.trim_start_matches("src/").split('/').next().unwrap_or_default();
    first.trim_end_matches(".rs")
}

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|name| *name == room)
}

/// The first names after every `crate::`, in `use` lists and in inline paths.
fn rooms_used(row: &[Token]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for at in 0..row.len() {
        if !starts_with(&row[at..], &["crate", ":", ":"]) {
            continue;
        }
        match row.get(at + 3) {
            Some(token) if token.is("{") => found.extend(first_names(&row[at + 4..past_group(row, at + 3)])),
            Some(token) => found.push((token.text.clone(), token.line)),
            None => {}
        }
    }
    found
}

/// The first name of every entry of a `use` list, given what follows its opening brace.
fn first_names(list: &[Token]) -> Vec<(String, usize)> {
    let (mut depth, mut begins, mut found) = (0, true, Vec::new());
    for token in list {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ if depth == 0 && token.is(",") => begins = true,
            _ if depth == 0 && begins => {
                found.push((token.text.clone(), token.line));
                begins = false;
            }
            _ => {}
        }
    }
    found
}

/// Where a chain of `super` climbs out of the file's room.
fn lines_that_leave_by_super(row: &[Token], path: &str) -> Vec<usize> {
    let folders = path.trim_start_matches("src/").matches('/').count();
    let depth = folders + usize::from(!path.ends_with("/mod.rs")); // modules between here and the crate
    let mut found = Vec::new();
    let mut at = 0;
    while at < row.len() {
        let (line, mut chain) = (row[at].line, 0);
        while starts_with(&row[at..], &["super", ":", ":"]) {
            chain += 1;
            at += 3;
        }
        if chain >= depth {
            found.push(line);
        }
        at += 1;
    }
    found
}

#[test]
fn rooms_use_only_lower_floors() {
    let found: Vec<_> = sources_under("src").iter().flat_map(complaints).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_front_door_has_no_logic() {
    let door = sources_under("src").iter().find(|source| source.path == "src/lib.rs").expect("lib.rs");
    let words = ["fn", "struct", "enum", "trait", "impl", "const", "static", "macro_rules"];
    let logic: Vec<_> =
        door.shipped_tokens().iter().filter(|token| words.iter().any(|word| token.is(word))).collect();
    assert!(logic.is_empty(), "{logic:?}");
}

#[test]
fn the_rule_notices_every_way_up() {
    let bad = [
        ("src/geom/a.rs", "use crate::sweep::Hit;"),
        ("src/geom/a.rs", "use crate::{num::Toi, shape::{Obb, Shape}};"),
        ("src/num/mod.rs", "fn f(v: crate::geom::Vec3) {}"),
        ("src/num/a.rs", "use super::super::geom::Vec3;"),
        ("src/num/mod.rs", "use super::geom::Vec3;"),
        ("src/state.rs", "use crate::{num, tick as t};"),
        ("src/sweep/a.rs", "use crate::World;"),
        ("src/replay/a.rs", "use crate::peer::Peer;"),
        ("src/attic/a.rs", ""),
    ];
    for (path, text) in bad {
        assert_eq!(complaints(&Source::sample(path, text)).len(), 1, "{path}: {text}");
    }
    let good = [
        ("src/geom/a.rs", "use crate::{geom::Vec3, num::{Toi, round}}; use super::Normal;"),
        ("src/tick/deep/a.rs", "use super::super::queue::Entry;"),
        ("src/num/a.rs", "#[cfg(test)] mod tests { use crate::tick::World; }"),
    ];
    for (path, text) in good {
        assert_eq!(complaints(&Source::sample(path, text)), [""; 0], "{path}: {text}");
    }
}
