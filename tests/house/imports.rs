//! The paths in a source: those of its imports, one by one, and those written out in its code.

use crate::source::{Kind, Token, past_group};

/// A path as it is written, `crate`, `self` and `super` included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    pub segments: Vec<String>,
    pub line: usize,
}

/// A name that a file imports, with its path.
pub struct Import {
    /// The name in the file; `*` if the import is of all names.
    pub name: String,
    pub path: Path,
}

/// The imports of a `use` statement, given what follows that word.
pub fn imports(row: &[Token]) -> Vec<Import> {
    let mut found = Vec::new();
    add_tree(row, &[], &mut found);
    found
}

/// Adds the imports of one entry of a list, all below a prefix.
fn add_tree(row: &[Token], prefix: &[String], found: &mut Vec<Import>) {
    let (mut segments, mut at) = (prefix.to_vec(), 0);
    while at < row.len() {
        let token = &row[at];
        if token.is("{") {
            let inside = &row[at + 1..past_group(row, at) - 1];
            entries(inside).for_each(|entry| add_tree(entry, &segments, found));
            return;
        }
        if token.is("as") || token.is(";") {
            break;
        }
        if token.kind == Kind::Ident || token.is("*") {
            segments.push(token.text.clone());
        }
        at += 1;
    }
    let alias = row.get(at).filter(|token| token.is("as")).and(row.get(at + 1));
    let is_module_itself =
        prefix.len() < segments.len() && segments.last().is_some_and(|last| last == "self");
    if is_module_itself && !prefix.is_empty() {
        segments.pop();
    }
    let (Some(first), Some(last)) = (row.first(), segments.last()) else { return };
    let name = alias.map_or(last, |alias| &alias.text).clone();
    found.push(Import { name, path: Path { segments, line: first.line } });
}

/// The parts of a list between its commas; brackets hold together.
pub fn entries(list: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut depth = 0;
    list.split(move |token| {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        depth == 0 && token.is(",")
    })
    .filter(|entry| !entry.is_empty())
}

/// The path that begins at a token, if one does: at least two names with `::` between them.
pub fn path_at(row: &[Token], at: usize) -> Option<Path> {
    if row[at].kind != Kind::Ident || (at > 0 && (row[at - 1].is(":") && at > 1 && row[at - 2].is(":"))) {
        return None;
    }
    let (mut segments, mut next) = (vec![row[at].text.clone()], at + 1);
    while let [first, second, name, ..] = &row[next.min(row.len())..] {
        if !first.is(":") || !second.is(":") || name.kind != Kind::Ident {
            break;
        }
        segments.push(name.text.clone());
        next += 3;
    }
    (segments.len() > 1).then_some(Path { segments, line: row[at].line })
}

#[test]
fn imports_are_listed_one_by_one() {
    let source = crate::source::Source::sample("src/a.rs", "super::{self, b::{C, d::E as F}, g};");
    let found: Vec<_> = imports(source.tokens())
        .iter()
        .map(|import| (import.name.clone(), import.path.segments.join("/")))
        .collect();
    let expected = [("super", "super"), ("C", "super/b/C"), ("F", "super/b/d/E"), ("g", "super/g")];
    assert_eq!(found, expected.map(|(name, path)| (name.to_owned(), path.to_owned())));
}
