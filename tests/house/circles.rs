//! Files of a room that refer to each other in a circle can only be read together: how large the largest circle of each room is.
//!
//! A reference is a name that exactly one file of the room defines, used in another one: a type, a constant or a function
//! by its name, a method wherever it is called, whatever the receiver. Methods of one name in several files, or with the name of a
//! method outside of the room or of the standard library, are counted where their type is named before them only.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Kind, Source, Token, past_group, sources_under};

/// The most files that a circle of a room may have.
const FILES_MAX: usize = 3;

/// The parts of the library with a larger circle, and how many files theirs has: it may fall only. A circle belongs to the first
/// entry that all of its files are under.
const KNOWN: [(&str, usize); 1] = [
    // The next contact solver replaces it.
    ("tick/contact/", 31),
];

/// Methods of the standard library that types of a room have, too.
const COMMON: [&str; 34] = [
    "add", "all", "any", "at", "begin", "bounds", "clear", "close", "contains", "count", "default", "extend",
    "find", "first", "fmt", "from", "get", "insert", "is_empty", "iter", "last", "len", "map", "max", "min",
    "new", "next", "pop", "position", "push", "reset", "sort", "sum", "take",
];

/// What an import may begin with that is no part of the room.
const CRATES: [&str; 9] =
    ["arbitrary", "bincode", "core", "fixed", "num_bigint", "serde", "std", "thiserror", "xxhash_rust"];

/// What a file defines, and what it uses.
#[derive(Default)]
struct Names {
    room: String,
    items: BTreeSet<String>,
    /// With their types.
    methods: BTreeSet<(String, String)>,
    /// Names that are variables, variants or imports from other rooms, and so refer to no file of the room.
    foreign: BTreeSet<String>,
    /// Names that the file imports from its own room.
    imported: BTreeSet<String>,
    /// Names that no `.` stands before.
    used: BTreeSet<String>,
    /// Names after a `.`, with what opens behind them.
    called: BTreeSet<String>,
    /// `Type::name`.
    qualified: BTreeSet<(String, String)>,
}

impl Names {
    fn of(source: &Source) -> Self {
        let room = room_of(&source.path).to_owned();
        let (row, mut names) = (source.shipped_tokens(), Self { room, ..Self::default() });
        names.define(row);
        let mut at = 0;
        while at < row.len() {
            let end = if row[at].is("use") { past_statement(row, at) } else { at + 1 };
            if end > at + 1 {
                names.import(&row[at + 1..end]);
            } else {
                names.take(row, at);
            }
            at = end;
        }
        // A variable may have the name of a function that the file imports.
        names.used = &(&names.used - &names.foreign) | &names.imported;
        names
    }

    /// Takes down the use of a name, if it is one and not a definition.
    ///
    /// A name in small letters is a function's where it is called, imported or the end of a path; else it is a variable's or a
    /// field's.
    fn take(&mut self, row: &[Token], at: usize) {
        if row[at].kind != Kind::Ident {
            return;
        }
        let name = row[at].text.clone();
        let is = |place: Option<usize>, text: &str| {
            place.and_then(|at| row.get(at)).is_some_and(|token| token.is(text))
        };
        let (before, behind) = (at.checked_sub(1), Some(at + 1));
        let is_called = is(behind, "(") || (is(behind, ":") && is(Some(at + 2), ":"));
        if is(before, ".") {
            if is_called {
                self.called.insert(name);
            }
        } else if !is(before, "fn") && !is(before, "mod") {
            let follows = is(before, ":") && is(at.checked_sub(2), ":");
            if is(before, "let") {
                self.foreign.insert(name);
                return;
            }
            if let Some(owner) = at.checked_sub(3).filter(|_| follows) {
                let owner = row[owner].text.clone();
                let is_of_type = owner.starts_with(|letter: char| letter.is_ascii_uppercase());
                self.qualified.insert((owner, name.clone()));
                if is_of_type {
                    return; // a variant or a function of a type
                }
            }
            let is_small = name.starts_with(|letter: char| letter.is_ascii_lowercase());
            if !is_small || is_called || follows {
                self.used.insert(name);
            }
        }
    }

    /// Takes down the names of an import: of the same room, or of another one.
    fn import(&mut self, row: &[Token]) {
        let first = |text: &str| row.first().is_some_and(|token| token.is(text));
        let mut is_own = !first("crate") && !CRATES.iter().any(|name| first(name));
        let mut depth = 0;
        for (at, token) in row.iter().enumerate() {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Ident => {
                    let begins = at > 0 && (row[at - 1].is("{") || row[at - 1].is(",")) && depth == 1;
                    if first("crate") && (at == 3 || begins) {
                        is_own = token.is(&self.room);
                    }
                    let names = if is_own { &mut self.imported } else { &mut self.foreign };
                    names.insert(token.text.clone());
                }
                _ => {}
            }
        }
    }

    /// Collects the items of a file and of its modules, and the methods of its `impl` and `trait` blocks.
    fn define(&mut self, row: &[Token]) {
        let mut at = 0;
        while at < row.len() {
            if row[at].kind == Kind::Open {
                at = past_group(row, at);
            } else if row[at].is("impl") || row[at].is("trait") {
                let open = (at..row.len()).find(|&at| row[at].is("{")).unwrap_or(row.len() - 1);
                let end = past_group(row, open);
                self.define_methods(&row[at..open], &row[open + 1..end - 1]);
                if row[at].is("trait") {
                    self.items.insert(row[at + 1].text.clone());
                }
                at = end;
            } else {
                let is_item =
                    ["struct", "enum", "type", "static", "const", "fn"].iter().any(|word| row[at].is(word));
                if row[at].is("enum") {
                    self.define_variants(row, at);
                }
                if let Some(name) =
                    row.get(at + 1).filter(|name| is_item && name.kind == Kind::Ident && !name.is("fn"))
                {
                    self.items.insert(name.text.clone());
                }
                at += 1;
            }
        }
    }

    fn define_variants(&mut self, row: &[Token], at: usize) {
        let Some(open) = (at..row.len()).find(|&at| row[at].is("{")) else { return };
        let body = &row[open + 1..past_group(row, open) - 1];
        let mut depth = 0;
        for token in body {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Ident if depth == 0 => {
                    self.foreign.insert(token.text.clone());
                }
                _ => {}
            }
        }
    }

    /// The methods of a block whose head is like `impl<'a> Trait for Type<'a>`.
    fn define_methods(&mut self, head: &[Token], body: &[Token]) {
        let from = head.iter().position(|token| token.is("for")).map_or(1, |at| at + 1);
        let mut depth = 0_i32;
        let mut owner = String::new();
        for token in &head[from..] {
            match token.text.as_str() {
                "<" => depth += 1,
                ">" => depth -= 1,
                "where" => break,
                _ if depth == 0 && token.kind == Kind::Ident => owner.clone_from(&token.text),
                _ => {}
            }
        }
        let mut at = 0;
        while at + 1 < body.len() {
            if body[at].kind == Kind::Open {
                at = past_group(body, at);
                continue;
            }
            if body[at].is("fn") {
                self.methods.insert((owner.clone(), body[at + 1].text.clone()));
            }
            at += 1;
        }
    }
}

/// The index just past the semicolon that ends a statement.
fn past_statement(row: &[Token], at: usize) -> usize {
    (at..row.len()).find(|&at| row[at].is(";")).map_or(row.len(), |end| end + 1)
}

fn room_of(path: &str) -> &str {
    path.trim_start_matches("src/").split('/').next().unwrap_or_default()
}

/// A shipped file with its names.
struct File {
    path: String,
    lines: usize,
    names: Names,
}

impl File {
    fn of(source: &Source) -> Self {
        Self { path: source.path.clone(), lines: source.text.lines().count(), names: Names::of(source) }
    }

    fn room(&self) -> &str {
        room_of(&self.path)
    }
}

/// The shipped files of the library: those that only tests see are left out.
fn shipped() -> Vec<File> {
    let sources = sources_under("src");
    let mut tests = BTreeSet::new();
    for source in sources {
        let folder = source.path.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
        let row = source.test_tokens();
        let modules = row.windows(3).filter(|window| window[0].is("mod") && window[2].is(";"));
        tests.extend(modules.map(|window| format!("{folder}/{}", window[1].text)));
    }
    let is_test = |path: &str| {
        let path = path.trim_end_matches(".rs");
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        tests.iter().any(|test| path.strip_prefix(test.as_str()).is_some_and(is_below))
    };
    sources.iter().filter(|source| !is_test(&source.path)).map(File::of).collect()
}

/// Which files each file refers to, by their places in the list.
fn references(files: &[&File], outside: &BTreeSet<&String>) -> Vec<BTreeSet<usize>> {
    let names: Vec<&Names> = files.iter().map(|file| &file.names).collect();
    let (mut items, mut methods) = (BTreeMap::<&str, Vec<usize>>::new(), BTreeMap::<&str, Vec<usize>>::new());
    for (index, names) in names.iter().enumerate() {
        for item in &names.items {
            items.entry(item).or_default().push(index);
        }
        for (_, method) in &names.methods {
            let places = methods.entry(method).or_default();
            if places.last() != Some(&index) {
                places.push(index);
            }
        }
    }
    let only =
        |places: Option<&Vec<usize>>| places.filter(|places| places.len() == 1).map(|places| places[0]);
    let of_file = |(index, own): (usize, &&Names)| {
        let by_item = own.used.iter().filter_map(|name| only(items.get(name.as_str())));
        let is_plain = |name: &&String| !outside.contains(*name) && !COMMON.contains(&name.as_str());
        let by_call = own.called.iter().filter(is_plain).filter_map(|name| only(methods.get(name.as_str())));
        // A private type of the file hides one of the same name in another file.
        let by_type = own.qualified.iter().filter(|call| !own.methods.contains(*call)).flat_map(|call| {
            let defines = move |(_, names): &(usize, &&Names)| names.methods.contains(call);
            names.iter().enumerate().filter(defines).map(|(place, _)| place)
        });
        by_item.chain(by_call).chain(by_type).filter(|&place| place != index).collect()
    };
    names.iter().enumerate().map(of_file).collect()
}

/// The sets of files each of which leads to each other, the largest of more than one first.
fn circles(references: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached = |from: usize| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(at) = next.pop() {
            next.extend(references[at].iter().filter(|&&place| seen.insert(place)));
        }
        seen
    };
    let reach: Vec<BTreeSet<usize>> = (0..references.len()).map(reached).collect();
    let circle = |at: usize| -> Vec<usize> {
        reach[at].iter().copied().filter(|&other| reach[other].contains(&at)).collect()
    };
    let found: BTreeSet<Vec<usize>> =
        (0..references.len()).map(circle).filter(|files| files.len() > 1).collect();
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|files| std::cmp::Reverse(files.len()));
    found
}

/// What is wrong with the circles of the rooms.
fn complaints(files: &[File], known: &[(&str, usize)]) -> Vec<String> {
    let rooms: BTreeSet<&str> = files.iter().map(File::room).collect();
    let (mut wrong, mut largest) = (Vec::new(), vec![0; known.len()]);
    for room in rooms {
        let (own, others): (Vec<&File>, Vec<&File>) = files.iter().partition(|file| file.room() == room);
        let outside = others.iter().flat_map(|file| &file.names.methods).map(|(_, name)| name).collect();
        for circle in circles(&references(&own, &outside)) {
            let paths: Vec<&str> = circle.iter().map(|&at| own[at].path.as_str()).collect();
            let is_under =
                |folder: &str| paths.iter().all(|path| path.trim_start_matches("src/").starts_with(folder));
            let entry = known.iter().position(|(folder, _)| is_under(folder));
            let most = entry.map_or(FILES_MAX, |entry| known[entry].1);
            if let Some(entry) = entry {
                largest[entry] = paths.len().max(largest[entry]);
            }
            if paths.len() > most {
                let (count, lines) = (paths.len(), circle.iter().map(|&at| own[at].lines).sum::<usize>());
                wrong.push(format!("{count} files ({lines} lines) in a circle, at most {most}: {paths:?}"));
            }
        }
    }
    let shrunk = known.iter().zip(largest).filter(|((_, most), count)| count < most);
    wrong.extend(
        shrunk.map(|((folder, most), count)| format!("{folder}: {count} files in a circle, not {most}")),
    );
    wrong
}

#[test]
fn circles_of_files_are_small_or_shrink() {
    let wrong = complaints(&shipped(), &KNOWN);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_rule_notices_every_kind_of_reference() {
    let file = |name: &str, text: &str| File::of(&Source::sample(&format!("src/room/{name}.rs"), text));
    let chain = |back: &str| {
        [
            file(
                "a",
                "use super::b::B; pub fn rise() {} pub struct A; impl A { fn low(&self) -> B { B } fn new() -> A { A } }",
            ),
            file("b", "use super::c::C; pub struct B; impl B { fn middle(&self) -> C { C } }"),
            file("c", "pub struct C; impl C { fn high(&self) -> D { d() } }"),
            file("d", &format!("pub struct D; pub fn d() -> D {{ D }} fn user(x: X, low: u32) {{ {back} }}")),
        ]
    };
    for back in
        ["x.low()", "x.y().low::<u8>()", "A::new()", "let a: A", "x.f(A)", "use super::a::rise; let rise = 1"]
    {
        assert_eq!(complaints(&chain(back), &[]).len(), 1, "{back}");
        assert_eq!(complaints(&chain(back), &[("room/", 4)]), [""; 0], "{back}");
        assert_eq!(complaints(&chain(back), &[("room/", 5)]).len(), 1, "{back}: it may fall only");
    }
    let elsewhere = chain("x.low()");
    assert_eq!(complaints(&elsewhere, &[("room/a", 4)]).len(), 2, "not all of the circle is under it");
    for back in ["x.low", "low", "x.new()", "X::low()", "\"A\""] {
        assert_eq!(complaints(&chain(back), &[]), [""; 0], "{back}");
    }
}
