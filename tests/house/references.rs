//! References between the files of a room: an import or a path to what another file defines, a function of a type, a method
//! wherever it is called, a field wherever it is read or written.
//!
//! The receiver's type decides where it is simply told (`receivers.rs`). Where it is not, a method counts if exactly one file of the
//! room has one of that name, no other room has, and it is no common name of the standard library; a field counts if
//! exactly one type of the room has it, and no other room has one.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    names::{Access, Names},
    receivers::{Known, Step},
    source::{Source, sources_under},
};

/// Methods of the standard library that types of a room have, too.
const COMMON: [&str; 34] = [
    "add", "all", "any", "at", "begin", "bounds", "clear", "close", "contains", "count", "default", "extend",
    "find", "first", "fmt", "from", "get", "insert", "is_empty", "iter", "last", "len", "map", "max", "min",
    "new", "next", "pop", "position", "push", "reset", "sort", "sum", "take",
];

/// Fields of the standard library's types.
const COMMON_FIELDS: [&str; 2] = ["start", "end"];

/// How many imports lead from a name to its item, at most.
const IMPORTS_MAX: usize = 8;

/// A shipped file with its names.
pub struct File {
    pub path: String,
    pub lines: usize,
    names: Names,
    /// The names of the modules that lead to it.
    module: Vec<String>,
}

impl File {
    pub fn of(source: &Source) -> Self {
        let path = source.path.trim_start_matches("src/").trim_end_matches(".rs");
        let path = path.trim_end_matches("/mod");
        let module = path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect();
        let (path, lines) = (source.path.clone(), source.text.lines().count());
        Self { path, lines, names: Names::of(source), module }
    }

    pub fn room(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }
}

/// The shipped files of the library: those that only tests see are left out.
pub fn shipped() -> Vec<File> {
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

/// A name in one file that another one defines, by their places in the list of all files.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reference {
    pub from: usize,
    pub to: usize,
    pub name: String,
    pub line: usize,
}

/// A type by the file that defines it.
type Type = (usize, String);

#[derive(Clone)]
struct Place {
    file: usize,
    returned: Option<Type>,
    is_of_trait: bool,
}

/// The files of a library, and what they define.
pub struct Library<'a> {
    pub files: &'a [File],
    modules: BTreeMap<&'a [String], usize>,
    /// The file of a type's method, and the type that it returns; `None` if several traits have one of that name.
    methods: BTreeMap<(Type, &'a str), Option<Place>>,
    fields: BTreeMap<(Type, &'a str), Option<Type>>,
}

impl<'a> Library<'a> {
    pub fn of(files: &'a [File]) -> Self {
        let modules = files.iter().enumerate().map(|(at, file)| (&file.module[..], at)).collect();
        let mut library = Self { files, modules, methods: BTreeMap::new(), fields: BTreeMap::new() };
        for (at, file) in files.iter().enumerate() {
            for ((owner, name), method) in &file.names.methods {
                let owner = library.type_of(at, owner).unwrap_or_else(|| (at, owner.clone()));
                let returned = method.returned.as_deref().and_then(|kind| library.type_of(at, kind));
                library
                    .add_method((owner, name), Place { file: at, returned, is_of_trait: method.is_of_trait });
            }
            for ((owner, name), kind) in &file.names.fields {
                let kind = kind.as_deref().and_then(|kind| library.type_of(at, kind));
                library.fields.insert(((at, owner.clone()), name), kind);
            }
        }
        library
    }

    fn add_method(&mut self, key: (Type, &'a str), place: Place) {
        let known = self.methods.entry(key).or_insert_with(|| Some(place.clone()));
        match known {
            Some(before) if before.file == place.file => {}
            Some(before) if !before.is_of_trait && place.is_of_trait => {}
            Some(before) if before.is_of_trait && place.is_of_trait => *known = None,
            _ if place.is_of_trait => {}
            _ => *known = Some(place),
        }
    }

    /// The references between the files of one room.
    pub fn references(&self, room: &str) -> Vec<Reference> {
        let plain = Plain::of(self, room);
        let mut found = Vec::new();
        for (from, file) in self.files.iter().enumerate().filter(|(_, file)| file.room() == room) {
            let mut add = |to: usize, name: &str, line: usize| {
                if to != from && !name.is_empty() && self.files[to].room() == room {
                    found.push(Reference { from, to, name: name.to_owned(), line });
                }
            };
            for import in &file.names.imports {
                if let Some((to, name, _)) = self.locate(from, &import.path.segments, IMPORTS_MAX) {
                    add(to, &name, import.path.line);
                }
            }
            for (path, owner) in &file.names.paths {
                let mut segments = path.segments.clone();
                if let (Some(owner), "Self") = (owner, segments[0].as_str()) {
                    segments[0].clone_from(owner);
                }
                let Some((to, name, rest)) = self.locate(from, &segments, IMPORTS_MAX) else { continue };
                add(to, &name, path.line);
                if let Some(name_of) = rest.first() {
                    let place = self.methods.get(&((to, name), name_of));
                    place.into_iter().flatten().for_each(|place| add(place.file, name_of, path.line));
                }
            }
            for access in &file.names.accesses {
                if let Some(to) = self.place_of_access(from, access, &plain) {
                    add(to, &access.name, access.line);
                }
            }
        }
        found.sort();
        found.dedup_by(|a, b| (a.from, a.to, &a.name) == (b.from, b.to, &b.name));
        found
    }

    /// The file that defines a field or method of a value.
    fn place_of_access(&self, from: usize, access: &Access, plain: &Plain) -> Option<usize> {
        let name = access.name.as_str();
        if let Some(receiver) = access.receiver.as_ref().and_then(|known| self.follow(from, known)) {
            if access.is_call {
                if let Some(place) = self.methods.get(&(receiver, name)) {
                    return place.as_ref().map(|place| place.file);
                }
            } else if self.fields.contains_key(&(receiver.clone(), name)) {
                return Some(receiver.0);
            }
        }
        plain.place_of(name, access.is_call)
    }

    /// The type at the end of a way.
    fn follow(&self, from: usize, known: &Known) -> Option<Type> {
        let mut kind = self.type_of(from, &known.root)?;
        for step in &known.steps {
            kind = match step {
                Step::Field(name) => self.fields.get(&(kind, name.as_str()))?.clone()?,
                Step::Call(name) => self.methods.get(&(kind, name.as_str()))?.as_ref()?.returned.clone()?,
            };
        }
        Some(kind)
    }

    /// The type that a file calls so.
    fn type_of(&self, from: usize, name: &str) -> Option<Type> {
        self.locate(from, &[name.to_owned()], IMPORTS_MAX).map(|(at, name, _)| (at, name))
    }

    /// The file and the item that a path leads to, and what of the path is left; a module itself is an item without a name.
    fn locate(&self, from: usize, path: &[String], imports: usize) -> Option<(usize, String, Vec<String>)> {
        let mut module = self.files[from].module.clone();
        let mut next = 0;
        while next < path.len() {
            match path[next].as_str() {
                "crate" => module.clear(),
                "self" => {}
                "super" => _ = module.pop(),
                _ => break,
            }
            next += 1;
        }
        let first = path.get(next)?;
        let is_plain = next == 0;
        while next < path.len() {
            module.push(path[next].clone());
            if !self.modules.contains_key(&module[..]) {
                module.pop();
                break;
            }
            next += 1;
        }
        let at = *self.modules.get(&module[..])?;
        let Some(name) = path.get(next) else { return Some((at, String::new(), Vec::new())) };
        let (names, rest) = (&self.files[at].names, &path[next + 1..]);
        if names.items.contains(name) {
            return Some((at, name.clone(), rest.to_vec()));
        }
        if let Some(import) = names.imports.iter().find(|import| import.name == *name) {
            // The path of an import may begin with the name of another package.
            let is_itself = import.path.segments[0] == *name;
            let path: Vec<_> = import.path.segments.iter().chain(rest).cloned().collect();
            return self.locate(at, &path, imports.checked_sub(1)?).filter(|_| !is_itself);
        }
        // What a macro makes is found in the module that a path names; a name alone is of the language or of another package.
        let is_told = !is_plain || name != first;
        is_told.then(|| (at, name.clone(), rest.to_vec()))
    }
}

/// Where the methods and fields of a room are, by their names alone.
struct Plain<'a> {
    methods: BTreeMap<&'a str, BTreeSet<usize>>,
    fields: BTreeMap<&'a str, Vec<usize>>,
    /// The methods and the fields of other rooms.
    outside: [BTreeSet<&'a str>; 2],
}

impl<'a> Plain<'a> {
    fn of(library: &Library<'a>, room: &str) -> Self {
        let mut plain = Self {
            methods: BTreeMap::new(),
            fields: BTreeMap::new(),
            outside: [BTreeSet::new(), BTreeSet::new()],
        };
        for (at, file) in library.files.iter().enumerate() {
            let (methods, fields) = (file.names.methods.keys(), file.names.fields.keys());
            if file.room() == room {
                for (_, name) in methods {
                    plain.methods.entry(name).or_default().insert(at);
                }
                for (_, name) in fields {
                    plain.fields.entry(name).or_default().push(at);
                }
            } else {
                plain.outside[0].extend(methods.map(|(_, name)| name.as_str()));
                plain.outside[1].extend(fields.map(|(_, name)| name.as_str()));
            }
        }
        plain
    }

    fn place_of(&self, name: &str, is_call: bool) -> Option<usize> {
        if self.outside[usize::from(!is_call)].contains(name) {
            return None;
        }
        if is_call {
            let places = self.methods.get(name).filter(|_| !COMMON.contains(&name))?;
            places.first().copied().filter(|_| places.len() == 1)
        } else {
            let places = self.fields.get(name).filter(|_| !COMMON_FIELDS.contains(&name))?;
            places.first().copied().filter(|_| places.len() == 1)
        }
    }
}

/// The names of `a.rs` and of `b.rs` that `user.rs` of the same room refers to.
fn of_user(text: &str) -> Vec<String> {
    let file = |path: &str, text: &str| File::of(&Source::sample(&format!("src/{path}.rs"), text));
    let files = [
        file("lib", "mod room; mod other; pub use room::Again;"),
        file("room/mod", "mod a; mod b; mod user; pub use a::A as Again; pub use b::B;"),
        file(
            "room/a",
            "pub fn rise() {} pub struct A { pub own: u8, pub both: u8, pub b: Option<u8>, pub far: u8, pub start: u8 }
            impl A { pub fn only(&self) {} pub fn twice(&self) {} pub fn new() -> Self { A } pub fn push(&self) {}
            pub fn distant(&self) {} pub fn maker() -> u8 { 0 } }",
        ),
        file(
            "room/b",
            "use super::a::A; pub fn deep() {} pub struct B { pub a: A, pub both: u8 } impl B { pub fn twice(&self) {}
            pub fn to_a(&self) -> &A { &self.a } } impl From<A> for B { fn from(a: A) -> B { B } }",
        ),
        file("room/user", text),
        file("other/mod", "pub struct Far { pub far: u8 } impl Far { pub fn distant(&self) {} }"),
    ];
    let library = Library::of(&files);
    let found =
        library.references("room").into_iter().filter(|found| files[found.from].path == "src/room/user.rs");
    found.map(|found| format!("{} of {}", found.name, &files[found.to].path["src/room/".len()..])).collect()
}

#[test]
fn every_kind_of_reference_is_found() {
    let cases = [
        // Imports and paths, through other modules' too.
        ("use super::a::rise;", "rise of a.rs"),
        ("use crate::{other::Far, room::{b::deep}};", "deep of b.rs"),
        ("use super::B;", "B of b.rs"),
        ("use crate::room::Again;", "A of a.rs"),
        ("use crate::Again as Once;", "A of a.rs"),
        ("fn f() { super::a::rise() }", "rise of a.rs"),
        ("use super::a; fn f() { a::rise() }", "rise of a.rs"),
        // Methods and fields of any receiver.
        ("fn f(x: X) { x.only() }", "only of a.rs"),
        ("fn f(x: X) { x.y().only::<u8>() }", "only of a.rs"),
        ("fn f(x: X) { g(|y| y.own + 1) }", "own of a.rs"),
        ("fn f(x: X) { x[0].own = 1 }", "own of a.rs"),
    ];
    for (text, expected) in cases {
        assert_eq!(of_user(text), [expected], "{text}");
    }
}

#[test]
fn the_type_of_a_receiver_decides_where_it_is_told() {
    let of_a = ["A of a.rs"];
    let cases: [(&str, &[&str]); 13] = [
        ("fn f(x: &mut A) { x.twice() }", &["A of a.rs", "twice of a.rs"]),
        (
            "struct S<'a> { x: &'a A } impl S<'_> { fn f(&self) { self.x.push() } }",
            &["A of a.rs", "push of a.rs"],
        ),
        (
            "struct S { x: A } impl S { fn f(self) { let Self { x: y } = self; y.both; } }",
            &["A of a.rs", "both of a.rs"],
        ),
        ("fn f() { let x = A::new(); x.distant() }", &["A of a.rs", "distant of a.rs", "new of a.rs"]),
        ("fn f() { let x: A = g(); x.far; }", &["A of a.rs", "far of a.rs"]),
        ("fn f(x: &A) { let y = &x; y.start; }", &["A of a.rs", "start of a.rs"]),
        ("fn f(x: X) { x.twice(); x.both; x.push(); x.far; x.distant(); x.start; }", &of_a),
        ("fn f(x: &A) { let x = g(); x.twice(); }", &of_a),
        ("fn f(x: &A) { g(|x| x.twice()); }", &of_a),
        ("fn f(x: &A) { match g() { Some(x) => x.twice() } }", &of_a),
        ("fn f() { let x = A::maker(); x.twice(); }", &["A of a.rs", "maker of a.rs"]),
        ("fn f(x: &A) { g(0..twice(x)); }", &of_a),
        ("use crate::other::Far; fn f(x: &Far) { x.far; x.distant(); }", &of_a),
    ];
    for (text, expected) in cases {
        assert_eq!(of_user(&format!("use super::a::A; {text}")), expected, "{text}");
    }
    let through = "use super::b::B; fn f(x: B) { x.a.twice(); x.to_a().both; }";
    assert_eq!(of_user(through), ["both of a.rs", "twice of a.rs", "B of b.rs", "a of b.rs", "to_a of b.rs"]);
    assert_eq!(of_user("use super::b::B; fn f(x: B) { B::from(x) }"), ["B of b.rs", "from of b.rs"]);
}

#[test]
fn names_that_are_no_references_are_left_alone() {
    for text in [
        "fn f(only: u8, rise: u8) { only + rise }",
        "struct A; impl A { fn only(&self) {} } fn f(x: A) { x.only() }",
        "fn f(x: X) { x.rise() }",
        "fn f(x: X) { X::only() }",
        "const TEXT: &str = \"A\";",
        "use crate::other::Far; use std::fmt::Debug as A;",
        "#[cfg(test)] mod tests { use super::super::a::A; }",
    ] {
        assert_eq!(of_user(text), [""; 0], "{text}");
    }
}
