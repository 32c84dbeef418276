//! What is said of the article: citations name headings that it has, and `docs/article.md` names functions
//! and tests that there are, and every function that cites the article.

use std::{collections::BTreeSet, fs};

use crate::source::{Source, root, sources_under};

/// The headings of Gomez, *Simple Intersection Tests for Games* (1999).
const HEADINGS: [&str; 5] = [
    "A Sphere-Plane Sweep Test",
    "A Sphere-Sphere Sweep Test",
    "An Axis-Aligned Bounding Box (AABB) Sweep Test",
    "A Box-Sphere Intersection Test",
    "An Oriented Bounding Box (OBB) Intersection Test",
];

const TITLE: &str = "*Simple Intersection Tests for Games* (1999)";

/// The lines of doc comments in one piece, so that a title and a heading are found across lines, and the
/// names of the functions below them.
fn citations(source: &Source) -> Vec<(String, String)> {
    let (mut doc, mut found) = (String::new(), Vec::new());
    for line in source.text.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            doc += text;
            continue;
        }
        if let Some((_, rest)) = line.split_once("fn ").filter(|_| doc.contains(TITLE)) {
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            found.push((name.to_owned(), doc.clone()));
        }
        if !line.starts_with("#[") {
            doc.clear();
        }
    }
    found
}

/// Citations without a heading of the article, or with one that it does not have.
fn bad_citations(source: &Source) -> Vec<String> {
    let is_bad = |doc: &String| {
        let after = doc.split(TITLE).nth(1).unwrap_or_default();
        let quoted: Vec<&str> = after.split('"').skip(1).step_by(2).collect();
        quoted.is_empty() || quoted.iter().any(|heading| !HEADINGS.contains(heading))
    };
    let bad = citations(source).into_iter().filter(|(_, doc)| is_bad(doc));
    bad.map(|(name, _)| format!("{}: `{name}` cites a heading that the article does not have", source.path))
        .collect()
}

/// The names in code that a page links, each with the file.
fn links(page: &str) -> Vec<(&str, &str)> {
    let link = |piece| {
        let (name, rest) = str::split_once(piece, "`](")?;
        Some((name, rest.split_once(')')?.0))
    };
    page.split("[`").skip(1).filter_map(link).collect()
}

/// Links to files that do not define the name, and tests that there are not.
fn bad_references(page: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, path) in links(page) {
        let item = name.rsplit("::").next().unwrap_or(name);
        let defines = |text: &String| {
            [format!("fn {item}("), format!("struct {item}")].iter().any(|item| text.contains(item))
        };
        if !read(&format!("docs/{path}")).is_some_and(|text| defines(&text)) {
            found.push(format!("docs/article.md: {path} does not define `{name}`"));
        }
    }
    for test in page.split('`').filter(|code| code.starts_with("kernels::")) {
        let parts: Vec<&str> = test.split("::").collect();
        let text = read(&format!("tests/kernels/{}.rs", parts[1]));
        if !text.is_some_and(|text| text.contains(&format!("fn {}()", parts[parts.len() - 1]))) {
            found.push(format!("docs/article.md: there is no test `{test}`"));
        }
    }
    found
}

fn page() -> String {
    fs::read_to_string(root().join("docs/article.md")).expect("docs/article.md")
}

#[test]
fn citations_name_headings_of_the_article() {
    let sources = sources_under("src");
    let found: Vec<_> = sources.iter().flat_map(bad_citations).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let cited = sources.iter().flat_map(citations).count();
    assert!(cited > 20, "{cited} citations");
}

#[test]
fn the_page_of_the_article_names_what_there_is() {
    let page = page();
    let found = bad_references(&page, |path| fs::read_to_string(root().join(path)).ok());
    assert!(found.is_empty(), "{}", found.join("\n"));
    let linked: BTreeSet<&str> =
        links(&page).into_iter().map(|(name, _)| name.rsplit("::").next().unwrap_or(name)).collect();
    let sources = sources_under("src");
    let cited: Vec<String> = sources.iter().flat_map(citations).map(|(name, _)| name).collect();
    let missing: Vec<_> = cited.iter().filter(|name| !linked.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/article.md does not name {missing:?}, which cite the article");
}

#[test]
fn the_rules_notice_bad_citations_and_references() {
    let cite = |heading: &str| {
        let text = format!(
            "/// **Source**: Gomez, {TITLE},\n/// {heading}.\n#[must_use]\npub fn sweep(a: u8) {{}}\n"
        );
        bad_citations(&Source::sample("src/a.rs", &text)).len()
    };
    assert_eq!((cite("\"A Sphere-Plane Sweep Test\""), cite("\"Planes\""), cite("page 2")), (0, 1, 1));
    let page = "[`a::sweep`](../src/a.rs) `kernels::a::sweeps`";
    let read = |path: &str| match path {
        "docs/../src/a.rs" => Some("pub fn sweep(a: u8)".to_owned()),
        "tests/kernels/a.rs" => Some("fn sweeps() {}".to_owned()),
        _ => None,
    };
    assert_eq!(bad_references(page, read), [""; 0]);
    assert_eq!(bad_references(&page.replace("sweep`]", "swept`]"), read).len(), 1);
    assert_eq!(bad_references(&page.replace("a::sweeps", "a::swept"), read).len(), 1);
    assert_eq!(bad_references(&page.replace("src/a.rs", "src/b.rs"), read).len(), 1);
}
