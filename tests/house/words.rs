//! The words of comments: bodies are things, documentation begins with a noun or a verb, and a public name
//! stands for one item.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::source::{Kind, Source, files_under, past_group, root, sources_under, starts_with};

/// The folders whose comments are read.
const FOLDERS: [&str; 6] = ["src", "crates", "examples", "tests", "benches", "fuzz"];

/// The endings of the files of which every line is read.
const PAGES: [&str; 6] = ["md", "ron", "js", "mjs", "html", "css"];

/// The folders with such files.
const FOLDERS_OF_PAGES: [&str; 7] = ["docs", "replays", "crates", "examples", "tests", "benches", "fuzz"];

/// Words for persons.
const PERSONAL: [&str; 10] =
    ["who", "whom", "whoever", "he", "him", "his", "somebody", "anybody", "nobody", "everybody"];

/// The people of this project: a comment that names one of them may use a word for persons.
const PEOPLE: [&str; 12] = [
    "player",
    "players",
    "peer",
    "peers",
    "user",
    "users",
    "reader",
    "readers",
    "spectator",
    "person",
    "people",
    "author",
];

/// Number of lines above a comment line in which people may be named.
const ABOVE: usize = 2;

/// Openings of a documentation comment that leave out what the item is.
const OPENINGS: [&str; 17] = [
    "Why", "Whether", "What", "Who", "Whom", "Whose", "Whoever", "Which", "How", "Where", "When", "As", "So",
    "By", "Does", "And", "Also",
];

/// Further ones: prepositions and pronouns, after which the item comes too late.
const FURTHER: [&str; 7] = ["From", "With", "In", "At", "It", "They", "Of"];
/// The beginnings of the paths that are not rewritten yet, each with the reason.
const EXEMPT: [(&str, &str); 3] = [
    ("src/tick/contact/rest/", "the next contact solver replaces it"),
    ("src/tick/contact/strike/", "the next contact solver replaces it"),
    ("src/tick/contact/together", "the next contact solver replaces it"),
];

/// The names that more than one public item of the library has. Names may only be removed.
const DUPLICATES: [&str; 5] = ["Contact", "Tree", "decode", "encode", "encode_into"];

/// A line of a comment: its number and its text, with the slashes.
struct Comment {
    line: usize,
    text: String,
}

/// The comments of a source, line by line; texts in quotes are none.
fn comments(text: &str) -> Vec<Comment> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") || rest.starts_with("/*") {
            let end =
                if rest.starts_with("//") { rest.find('\n') } else { rest.find("*/").map(|end| end + 2) };
            let comment = &rest[..end.unwrap_or(rest.len())];
            let lines = comment.lines().zip(line..);
            found.extend(lines.map(|(text, line)| Comment { line, text: text.to_owned() }));
            comment.len()
        } else {
            literal(rest, at > 0 && is_of_name(bytes[at - 1])).max(1)
        };
        // A character of several bytes ends where the next one begins.
        let next =
            (at + length..=bytes.len()).find(|&next| text.is_char_boundary(next)).unwrap_or(bytes.len());
        line += text[at..next].matches('\n').count();
        at = next;
    }
    found
}

const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the text or character in quotes at the front, 0 if there is none.
fn literal(rest: &str, is_in_a_name: bool) -> usize {
    let opens_raw = |raw: &str| rest.strip_prefix(raw).is_some_and(|rest| rest.starts_with(['"', '#']));
    if let Some(raw) = ["r", "br", "cr"].into_iter().find(|raw| !is_in_a_name && opens_raw(raw)) {
        let prefix = raw.len();
        let hashes = rest[prefix..].bytes().take_while(|byte| *byte == b'#').count();
        let open = prefix + hashes;
        if rest[open..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            return rest[open + 1..].find(&close).map_or(rest.len(), |end| open + 1 + end + close.len());
        }
    }
    let quote = rest.as_bytes()[0];
    if quote == b'"' {
        return quoted(rest);
    }
    // A lifetime has no second quote right behind one character.
    let mut characters = rest.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some('\''), Some('\\'), _) => quoted(rest),
        (Some('\''), Some(one), Some('\'')) => 2 + one.len_utf8(),
        _ => 0,
    }
}

/// The length of a text that ends with the quote with which it begins.
fn quoted(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The words of a text that are in a list of words in small letters.
fn words_of<'a>(text: &'a str, list: &'a [&str]) -> impl Iterator<Item = &'a str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter_map(|word| list.iter().copied().find(|listed| listed.eq_ignore_ascii_case(word)))
}

/// Every line of a text.
fn lines(text: &str) -> Vec<Comment> {
    text.lines().zip(1..).map(|(text, line)| Comment { line, text: text.to_owned() }).collect()
}

/// The words for persons in comments, or in lines, that name no people.
fn personal(source: &Source) -> Vec<String> {
    let is_page = PAGES.iter().any(|end| source.path.ends_with(&format!(".{end}")));
    let comments = if is_page { lines(&source.text) } else { comments(&source.text) };
    let names_people: BTreeSet<usize> = comments
        .iter()
        .filter(|comment| words_of(&comment.text, &PEOPLE).next().is_some())
        .map(|comment| comment.line)
        .collect();
    let mut found = Vec::new();
    for comment in &comments {
        let lines = comment.line.saturating_sub(ABOVE)..=comment.line;
        if names_people.range(lines).next().is_none() {
            let personal = words_of(&comment.text, &PERSONAL);
            found.extend(personal.map(|word| format!("{}:{}: `{word}`", source.path, comment.line)));
        }
    }
    found
}

/// The documentation comments whose first line has one of the openings.
fn openings(source: &Source) -> Vec<String> {
    first_lines(source, |text, word| {
        OPENINGS.contains(&word.trim_end_matches([',', ':'])) || text.starts_with("The same where ")
    })
}

/// The documentation comments whose first line has one of the further openings.
fn further_openings(source: &Source) -> Vec<String> {
    first_lines(source, |text, word| {
        let is_alone = OPENINGS.iter().any(|opening| text.strip_prefix(opening) == Some("."));
        is_alone
            || text.starts_with("All of them")
            || FURTHER.contains(&word.trim_end_matches([',', ':', '.']))
    })
}

/// The first lines of documentation comments that are bad, given the line and its first word.
fn first_lines(source: &Source, is_bad: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let lines: Vec<_> = source.text.lines().map(str::trim).collect();
    let is_first = |at: &usize| *at == 0 || !lines[*at - 1].starts_with("///");
    let opening = |at: usize| {
        let text = lines[at].strip_prefix("/// ")?;
        let word = text.split(' ').next()?;
        is_bad(text, word).then(|| format!("{}:{}: begins with `{word}`", source.path, at + 1))
    };
    (0..lines.len()).filter(is_first).filter_map(opening).collect()
}

/// The public structs, enums, traits and functions of a file that stand at the level of its module.
fn public_items(source: &Source) -> Vec<String> {
    let row = source.shipped_tokens();
    let forms: [&[&str]; 5] = [&["struct"], &["enum"], &["trait"], &["fn"], &["const", "fn"]];
    let (mut found, mut at) = (Vec::new(), 0);
    while at < row.len() {
        if row[at].kind == Kind::Open {
            at = past_group(row, at);
            continue;
        }
        if row[at].is("pub") {
            let form = forms.iter().find(|form| starts_with(&row[at + 1..], form));
            found.extend(form.and_then(|form| row.get(at + 1 + form.len())).map(|name| name.text.clone()));
        }
        at += 1;
    }
    found
}

/// The names of several public items that are not listed, and the listed names of fewer.
fn duplicates(sources: &[Source], listed: &[&str]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in sources {
        for name in public_items(source) {
            places.entry(name).or_default().push(&source.path);
        }
    }
    places.retain(|_, paths| paths.len() > 1);
    let unlisted = places.iter().filter(|(name, _)| !listed.contains(&name.as_str()));
    let mut found: Vec<_> =
        unlisted.map(|(name, paths)| format!("`{name}` has several items: {}", paths.join(", "))).collect();
    let unique = listed.iter().filter(|name| !places.contains_key(**name));
    found.extend(unique.map(|name| format!("`{name}` has one item at most: remove it from the list")));
    found
}

/// The sources outside the exempt folders, and those inside.
fn split(sources: impl Iterator<Item = &'static Source>) -> (Vec<&'static Source>, Vec<&'static Source>) {
    sources.partition(|source| !EXEMPT.iter().any(|(folder, _)| source.path.starts_with(folder)))
}

#[test]
fn bodies_are_no_persons() {
    let (read, _) = split(FOLDERS.into_iter().flat_map(sources_under));
    let found: Vec<_> = read.into_iter().flat_map(personal).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn bodies_are_no_persons_in_pages_and_scenes() {
    let read = |path: &str| Source::sample(path, &fs::read_to_string(root().join(path)).expect(path));
    let inside = FOLDERS_OF_PAGES.into_iter().flat_map(|folder| files_under(folder, &PAGES));
    let pages: Vec<_> = inside
        .chain(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"].map(read))
        .collect();
    for end in PAGES {
        assert!(pages.iter().any(|page| page.path.ends_with(&format!(".{end}"))), "no file ends with .{end}");
    }
    let found: Vec<_> = pages.iter().flat_map(personal).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn documentation_begins_with_the_item() {
    let (read, _) = split(sources_under("src").iter().chain(sources_under("crates")));
    let found: Vec<_> = read.into_iter().flat_map(openings).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn documentation_begins_with_no_preposition_or_pronoun() {
    let (read, _) = split(sources_under("src").iter().chain(sources_under("crates")));
    let found: Vec<_> = read.into_iter().flat_map(further_openings).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_exemption_is_needed() {
    let (_, exempt) = split(sources_under("src").iter());
    for (folder, reason) in EXEMPT {
        let inside = exempt.iter().filter(|source| source.path.starts_with(folder));
        let is_needed = inside.flat_map(|source| [personal(source), openings(source)].concat()).count() > 0;
        assert!(is_needed && !reason.is_empty(), "{folder} needs no exemption: remove it from the list");
    }
}

#[test]
fn public_names_stand_for_one_item() {
    let found = duplicates(sources_under("src"), &DUPLICATES);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_a_word_for_a_person() {
    let count = |text: &str| personal(&Source::sample("src/a.rs", text)).len();
    for bad in [
        "/// A body who sleeps.\nfn f() {}",
        "fn f() {} // Nobody falls.",
        "//! HIS mass, and everybody's.",
        "fn f() {\n    // Reverts\n    // whoever overlaps.\n}",
        "/* a body\n   and him */ fn f() {}",
        "fn f() { g('\"', '\\''); } // whom it hits",
        "fn f<'a>(text: &'a str) { g(r#\"\"who\"\"#) } // somebody",
    ] {
        assert!(count(bad) > 0, "{bad}");
    }
    for good in [
        "/// A player who leaves.\nfn f() {}",
        "/// A peer\n/// whose link fails, and who leaves.\nfn f() {}",
        "const WHO: &str = \"who // nobody\"; fn who() {}",
        "fn f() { g(r\"// \", \"// he\", '\"', b'\"') } // the whole body, whose mass is 1",
    ] {
        assert_eq!(count(good), 0, "{good}");
    }
    for path in ["a.md", "b.ron", "c.js", "d.mjs", "e.html", "f.css"] {
        let count = |text: &str| personal(&Source::sample(path, text)).len();
        assert_eq!(count("A page.\n\nBodies: `who` sleeps."), 1, "{path}");
        assert_eq!(count("A player.\n\nIt is he who plays."), 0, "{path}");
    }
    assert_eq!(count("// A player.\nfn f() {}\n\n// A body who sleeps."), 1, "too far above");
}

#[test]
fn the_rule_notices_an_opening_without_a_noun() {
    let count = |text: &str| openings(&Source::sample("src/a.rs", text)).len();
    for word in OPENINGS {
        assert_eq!(count(&format!("    /// {word} it is.\n    fn f() {{}}")), 1, "{word}");
    }
    let further = |text: &str| further_openings(&Source::sample("src/a.rs", text)).len();
    for word in FURTHER {
        assert_eq!(further(&format!("/// {word} damping.\nfn f() {{}}")), 1, "{word}");
        assert_eq!(further(&format!("/// Number {word} one.\nfn f() {{}}")), 0, "{word}");
    }
    assert_eq!(count("/// The same where it turns.\nfn f() {}"), 1);
    assert_eq!(count("/// Number of bodies.\n///\n/// What is more.\nfn f() {}\n// How it works."), 0);
}

#[test]
fn the_rule_notices_a_name_of_two_items() {
    let sample = |text: &str| Source::sample("src/a.rs", text);
    let files = [
        sample("pub struct Hit; pub(crate) struct Own; impl Hit { pub fn new() {} } pub const fn f() {}"),
        sample(
            "pub enum Hit {} pub(super) enum Own {} impl Own { pub fn new() {} } #[cfg(test)] pub fn f() {}",
        ),
    ];
    assert_eq!(duplicates(&files, &[]).len(), 1);
    assert_eq!(duplicates(&files, &["Hit"]), [""; 0]);
    assert_eq!(duplicates(&files, &["Hit", "Own"]).len(), 1, "a name that is not public");
    assert_eq!(duplicates(&[sample("pub trait A {} pub fn a() {}")], &[]), [""; 0]);
}
