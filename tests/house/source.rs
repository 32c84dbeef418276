//! Source files as flat rows of tokens.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock, PoisonError},
};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// One source file.
pub struct Source {
    /// From the package's root, with forward slashes.
    pub path: String,
    pub text: String,
    tokens: OnceLock<Vec<Token>>,
    split: OnceLock<(Vec<Token>, Vec<Token>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Ident,
    Punct,
    Literal,
    Open,
    Close,
}

/// A token without its tree: brackets are tokens like others.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

impl Token {
    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Literal
    }
}

impl Source {
    fn new(path: String, text: String) -> Self {
        Self { path, text, tokens: OnceLock::new(), split: OnceLock::new() }
    }

    /// A made-up file for a rule's check of itself.
    pub fn sample(path: &str, text: &str) -> Self {
        Self::new(path.into(), text.into())
    }

    /// Every token, tests included.
    pub fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| {
            let stream: TokenStream =
                self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.path));
            let mut row = Vec::new();
            flatten(stream, &mut row);
            row
        })
    }

    /// The tokens outside `#[cfg(test)]` items.
    pub fn shipped_tokens(&self) -> &[Token] {
        &self.split().0
    }

    /// The tokens of `#[cfg(test)]` items.
    pub fn test_tokens(&self) -> &[Token] {
        &self.split().1
    }

    fn split(&self) -> &(Vec<Token>, Vec<Token>) {
        self.split.get_or_init(|| {
            let row = self.tokens();
            let (mut shipped, mut tests) = (Vec::new(), Vec::new());
            let mut at = 0;
            while at < row.len() {
                if starts_with(&row[at..], &["#", "[", "cfg", "(", "test", ")", "]"]) {
                    let end = end_of_item(row, at + 7);
                    tests.extend_from_slice(&row[at + 7..end]);
                    at = end;
                } else {
                    shipped.push(row[at].clone());
                    at += 1;
                }
            }
            (shipped, tests)
        })
    }
}

/// The package's root.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Every `.rs` file under a folder of the package, in order of path. Each is read and split into tokens once, for all rules.
pub fn sources_under(folder: &str) -> &'static [Source] {
    static FOLDERS: Mutex<BTreeMap<String, &[Source]>> = Mutex::new(BTreeMap::new());
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.entry(folder.to_owned()).or_insert_with(|| {
        let found = files_under(folder, &["rs"]);
        assert!(!found.is_empty(), "no sources under {folder}");
        found.leak()
    })
}

/// The files under a folder of the package whose names have one of the endings, in order of path.
pub fn files_under(folder: &str, ends: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    collect(&root().join(folder), ends, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// True if a row begins with these texts.
pub fn starts_with(row: &[Token], texts: &[&str]) -> bool {
    row.len() >= texts.len() && row.iter().zip(texts).all(|(token, text)| token.is(text))
}

/// The index just past the bracket that closes the one at `open`.
pub fn past_group(row: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in row.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    row.len()
}

/// The index just past the item that begins at `at`: its body's brace, or its semicolon.
fn end_of_item(row: &[Token], mut at: usize) -> usize {
    while at < row.len() {
        match row[at].kind {
            Kind::Open if row[at].is("{") => return past_group(row, at),
            Kind::Open => at = past_group(row, at),
            _ if row[at].is(";") => return at + 1,
            _ => at += 1,
        }
    }
    at
}

fn collect(folder: &Path, ends: &[&str], found: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("folder can be read").path()) {
        if path.is_dir() {
            // A package among the examples is built where it lies.
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, ends, found);
            }
        } else if path.extension().is_some_and(|end| ends.iter().any(|listed| end == *listed)) {
            let text = fs::read_to_string(&path).expect("source is UTF-8");
            let inside = path.strip_prefix(root()).expect("inside the package");
            found.push(Source::new(inside.to_string_lossy().replace('\\', "/"), text));
        }
    }
}

fn flatten(stream: TokenStream, row: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => flatten_group(&group, row),
            TokenTree::Ident(ident) => row.push(Token { kind: Kind::Ident, text: ident.to_string(), line }),
            TokenTree::Punct(punct) => row.push(Token { kind: Kind::Punct, text: punct.to_string(), line }),
            TokenTree::Literal(value) => {
                row.push(Token { kind: Kind::Literal, text: value.to_string(), line })
            }
        }
    }
}

fn flatten_group(group: &Group, row: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => return flatten(group.stream(), row),
    };
    row.push(Token { kind: Kind::Open, text: open.into(), line: group.span_open().start().line });
    flatten(group.stream(), row);
    row.push(Token { kind: Kind::Close, text: close.into(), line: group.span_close().start().line });
}

#[test]
fn tests_are_not_shipped() {
    let text =
        "use a::b; #[cfg(test)] #[allow(x)] mod tests { fn f() {} } #[cfg(test)] use c::{d}; fn g() {}";
    let source = Source::sample("src/x.rs", text);
    let shipped = source.shipped_tokens().iter();
    let words: Vec<_> = shipped.filter(|token| token.kind == Kind::Ident).map(|t| t.text.as_str()).collect();
    assert_eq!(words, ["use", "a", "b", "fn", "g"]);
}
