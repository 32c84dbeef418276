//! Files of a room that refer to each other in a circle can only be read together: how large the largest circle of each room is.

use std::collections::BTreeSet;

use crate::references::{File, Library, shipped};
use crate::source::Source;

/// The most files that a circle of a room may have.
const FILES_MAX: usize = 3;

/// The parts of the library with a larger circle, and how many files theirs has: it may fall only. A circle belongs to the first
/// entry that all of its files are under.
const KNOWN: [(&str, usize); 1] = [
    // The next contact solver replaces it.
    ("tick/contact/", 28),
];

/// Which files of a room each of them refers to, by their places in the list of these.
fn neighbors(library: &Library, room: &str, own: &[usize]) -> Vec<BTreeSet<usize>> {
    let place = |at: usize| own.binary_search(&at).expect("a file of the room");
    let mut found = vec![BTreeSet::new(); own.len()];
    for reference in library.references(room) {
        found[place(reference.from)].insert(place(reference.to));
    }
    found
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
    let library = Library::of(files);
    let rooms: BTreeSet<&str> = files.iter().map(File::room).collect();
    let (mut wrong, mut largest) = (Vec::new(), vec![0; known.len()]);
    for room in rooms {
        let own: Vec<usize> = (0..files.len()).filter(|&at| files[at].room() == room).collect();
        for circle in circles(&neighbors(&library, room, &own)) {
            let paths: Vec<&str> = circle.iter().map(|&at| files[own[at]].path.as_str()).collect();
            let is_under =
                |folder: &str| paths.iter().all(|path| path.trim_start_matches("src/").starts_with(folder));
            let entry = known.iter().position(|(folder, _)| is_under(folder));
            let most = entry.map_or(FILES_MAX, |entry| known[entry].1);
            if let Some(entry) = entry {
                largest[entry] = paths.len().max(largest[entry]);
            }
            if paths.len() > most {
                let (count, lines) =
                    (paths.len(), circle.iter().map(|&at| files[own[at]].lines).sum::<usize>());
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
fn the_rule_notices_circles_and_that_they_shrink() {
    let file = |name: &str, text: &str| File::of(&Source::sample(&format!("src/room/{name}.rs"), text));
    let chain = |back: &str| {
        [
            file("a", "use super::b::B; pub struct A; impl A { pub fn low(&self) -> B { B } }"),
            file("b", "use super::c::C; pub struct B; impl B { pub fn middle(&self) -> C { C } }"),
            file("c", "use super::d; pub struct C; impl C { pub fn high(&self) -> d::D { d::D } }"),
            file("d", &format!("pub struct D; fn user(x: X) {{ {back} }}")),
        ]
    };
    let back = chain("x.low()");
    assert_eq!(complaints(&back, &[]).len(), 1);
    assert_eq!(complaints(&back, &[("room/", 4)]), [""; 0]);
    assert_eq!(complaints(&back, &[("room/", 5)]).len(), 1, "it may fall only");
    assert_eq!(complaints(&back, &[("room/a", 4)]).len(), 2, "not all of the circle is under it");
    assert_eq!(complaints(&chain("x.middle()"), &[]), [""; 0], "a circle of three");
    assert_eq!(complaints(&chain("x.high()"), &[]), [""; 0], "a circle of two");
}
