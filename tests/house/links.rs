//! The pages lead somewhere: links and their headings, paths of files, and tests that are named exist.

use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path, PathBuf},
};

use crate::source::{files_under, root};

const FOLDERS: [&str; 7] = ["docs", "crates", "examples", "replays", "tests", "benches", "conformance"];
const AT_ROOT: [&str; 5] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"];

/// The beginnings of what is a path from the root wherever it stands in backquotes.
const PATHS: [&str; 8] = ["src/", "docs/", "crates/", "examples/", "replays/", "tests/", "benches/", ".ci/"];

/// The programs of `tests/` whose files pages name as `laws::gas`.
const PROGRAMS: [&str; 7] = ["determinism", "kernels", "laws", "peers", "queries", "recordings", "sessions"];

/// A page: its path from the root, and its text.
struct Page {
    path: String,
    text: String,
}

fn pages() -> Vec<Page> {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let at_root = AT_ROOT.map(|path| Page { path: path.to_owned(), text: read(path) });
    let inside = FOLDERS.into_iter().flat_map(|folder| files_under(folder, &["md"]));
    at_root.into_iter().chain(inside.map(|source| Page { path: source.path, text: source.text })).collect()
}

impl Page {
    /// The lines outside of fenced blocks, and their numbers.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut is_inside = false;
        (1..).zip(self.text.lines()).filter(move |(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_inside ^= is_fence;
            !is_inside && !is_fence
        })
    }

    /// The targets of links to files here.
    fn links(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose().flat_map(|(number, line)| {
            let ends = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
            let local = ends.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
            local.map(move |target| (number, target.split(' ').next().unwrap_or_default()))
        })
    }

    /// What stands in backquotes.
    fn quoted(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose()
            .flat_map(|(number, line)| line.split('`').skip(1).step_by(2).map(move |text| (number, text)))
    }

    /// The anchors of the headings, as they are made where pages are shown.
    fn anchors(&self) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let headings = self.prose().filter(|(_, line)| line.starts_with('#'));
        let anchors = headings.map(|(_, line)| {
            let anchor = anchor(line.trim_start_matches('#').trim());
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        });
        anchors.collect()
    }

    /// A path that this page writes, from the root.
    fn resolved(&self, target: &str) -> PathBuf {
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        let mut path = PathBuf::new();
        for part in folder.join(target).components() {
            match part {
                Component::ParentDir => drop(path.pop()),
                part => path.push(part),
            }
        }
        path
    }
}

fn anchor(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The links of a page that lead nowhere.
fn dead_links(page: &Page, pages: &[Page], exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (line, target) in page.links() {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let path = if file.is_empty() { PathBuf::from(&page.path) } else { page.resolved(file) };
        let linked = pages.iter().find(|other| Path::new(&other.path) == path);
        let has = |page: &Page| page.anchors().iter().any(|anchor| anchor == heading);
        let complaint = match linked {
            _ if !exists(&path) => "no such file",
            Some(linked) if !heading.is_empty() && !has(linked) => "no such heading",
            _ => continue,
        };
        found.push(format!("{}:{line}: {target}: {complaint}", page.path));
    }
    found
}

/// The paths in backquotes at which nothing is.
fn dead_paths(page: &Page, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let is_path = |text: &&str| {
        let is_plain = text.chars().all(|letter| letter.is_alphanumeric() || "_./-".contains(letter));
        is_plain && PATHS.iter().any(|start| text.starts_with(start))
    };
    let paths = page.quoted().filter(|(_, text)| is_path(text));
    let dead = paths.filter(|(_, text)| !exists(Path::new(text)) && !exists(&page.resolved(text)));
    dead.map(|(line, text)| format!("{}:{line}: {text}: nothing is there", page.path)).collect()
}

/// The tests of `tests/` that a page names and that do not exist: `laws::gas`, or with the function behind it.
fn missing_tests(page: &Page, exists: impl Fn(&Path) -> bool, read: impl Fn(&Path) -> String) -> Vec<String> {
    let mut found = Vec::new();
    for (line, text) in page.quoted() {
        let parts: Vec<_> = text.split("::").collect();
        let [program, module, rest @ ..] = &parts[..] else { continue };
        let folder = Path::new("tests").join(program);
        if !text
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_:".contains(letter))
            || !PROGRAMS.contains(program)
        {
            continue;
        }
        let file = folder.join(module).with_extension("rs");
        let file = if exists(&file) { file } else { folder.join(module).join("mod.rs") };
        let has = |name: &&str| read(&file).contains(&format!("fn {name}("));
        if !exists(&file) || !rest.iter().all(has) {
            found.push(format!("{}:{line}: {text}: no such test", page.path));
        }
    }
    found
}

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    assert!(pages.len() > 40, "{}", pages.len());
    let exists = |path: &Path| root().join(path).exists();
    let found: Vec<_> = pages.iter().flat_map(|page| dead_links(page, &pages, exists)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn paths_and_tests_that_pages_name_exist() {
    let exists = |path: &Path| root().join(path).exists();
    let read = |path: &Path| fs::read_to_string(root().join(path)).expect("a test");
    let found = |page: &Page| [dead_paths(page, exists), missing_tests(page, exists, read)].concat();
    let found: Vec<_> = pages().iter().flat_map(found).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rules_notice_what_leads_nowhere() {
    let page = |path: &str, text: &str| Page { path: path.to_owned(), text: text.to_owned() };
    let here = page(
        "docs/a.md",
        "# A: `b` & c\n## A b\n## A b\n[1](b.md#one) [2](b.md#two) [3](#a-b--c) [4](#a-b-1) [5](../x.md) [6](https://a.b/c)\n\
         ```\n[7](no.md)\n```\n`src/no.rs` `src/yes.rs` `laws::gas` `laws::gas::fine` `laws::gas::no` `laws::no` `std::fs`\n",
    );
    let pages = [page("docs/b.md", "# One\n")];
    let exists = |path: &Path| {
        let known = ["docs/a.md", "docs/b.md", "src/yes.rs", "tests/laws/main.rs", "tests/laws/gas.rs"];
        known.iter().any(|known| Path::new(known) == path)
    };
    let all = [page(&here.path, &here.text), page("docs/b.md", "# One\n")];
    assert_eq!(
        dead_links(&here, &all, exists),
        ["docs/a.md:4: b.md#two: no such heading", "docs/a.md:4: ../x.md: no such file"]
    );
    assert_eq!(dead_links(&pages[0], &all, exists), [""; 0]);
    assert_eq!(dead_paths(&here, exists), ["docs/a.md:8: src/no.rs: nothing is there"]);
    let read = |_: &Path| "fn fine() {}".to_owned();
    let missing = missing_tests(&here, exists, read);
    assert_eq!(missing, ["docs/a.md:8: laws::gas::no: no such test", "docs/a.md:8: laws::no: no such test"]);
}
