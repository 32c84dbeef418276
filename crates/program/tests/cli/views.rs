//! `view`: a recording as a page.

use std::fs;

use bitstep::snapshot::RULES_VERSION;

use crate::{
    Answer, SMALL, TICK, assert_refused, bitstep, bitstep_fed, change_record, file, golden, recording,
};

/// A page of the test's own, and the program's output.
fn view(name: &str, arguments: &[&str]) -> (Answer, String) {
    let page = file(name, b"");
    let told = bitstep(&[&["view"], arguments, &["--output", &page]].concat());
    let page = fs::read_to_string(&page).unwrap();
    (told, page)
}

#[test]
fn a_page_is_one_file_without_a_network() {
    let (Answer { code, out, err }, page) = view("break.html", &[&golden("break.replay")]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\n  shows         600 ticks, 601 pictures\n"), "{out}");
    assert!(out.contains("\n  positions     within 2^-9 of a unit\n"), "{out}");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    // No address except the name of the namespace, which a browser does not load.
    for word in ["http:", "https:", "//cdn", "src=", "href=", "@import", "url(", "fetch(", "XMLHttp"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"), "whatever a page is told, it asks no network");
    for mark in ["/*STYLE*/", "<!--PIECES-->", "/*SCRIPT*/"] {
        assert!(!page.contains(mark), "{mark}");
    }
}

#[test]
fn a_page_is_the_same_each_time() {
    let replay = recording("same.replay");
    let [first, second] = ["same1.html", "same2.html"].map(|name| view(name, &[&replay]).1);
    assert!(first == second);
    // A picture drawn here equals one drawn elsewhere.
    let hash = xxhash_rust::xxh3::xxh3_64(pieces(&first).join(" ").as_bytes());
    assert_eq!(format!("{hash:016x}"), "47690c2952f94866");
}

fn pieces(page: &str) -> Vec<&str> {
    let parts = page.split("class=\"piece\">").skip(1);
    parts.map(|part| part.split_once('<').unwrap().0).collect()
}

#[test]
fn nothing_of_a_recording_is_markup() {
    let name = "</script><img src=x onerror=alert(1)>.replay".replace('/', "\u{2215}");
    let replay = recording(&name);
    let (Answer { code, .. }, page) = view("hostile.html", &[&replay]);
    assert_eq!(code, 0);
    assert!(!page.contains("onerror"), "a name is in the page's bytes only");
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "+/=".contains(letter);
    assert!(pieces(&page).iter().all(|piece| !piece.is_empty() && piece.chars().all(allowed)));
}

#[test]
fn a_page_stands_beside_its_recording_and_replaces_nothing_there() {
    let replay = recording("beside.replay");
    let page = replay.replace(".replay", ".html");
    let _ = fs::remove_file(&page);
    let Answer { code, out, .. } = bitstep(&["view", &replay]);
    assert_eq!(code, 0);
    assert!(out.starts_with(&format!("{page}\n")), "{out}");
    assert!(fs::exists(&page).unwrap());
    let told = format!("{page}: is there already; --output FILE writes over it, or elsewhere");
    assert_refused(&["view", &replay], &told);
    let told = format!("{replay}: cannot be written: it is the recording");
    assert_refused(&["view", &replay, "-o", &replay], &told);
    let told = "--output -: a picture goes into a file; call it ./- if you mean that name";
    assert_refused(&["view", &replay, "-o", "-"], told);
    let told = "/no/such/folder/a.html: cannot be written: No such file or directory (os error 2)";
    assert_refused(&["view", &replay, "-o", "/no/such/folder/a.html"], told);
}

#[test]
fn recordings_of_other_rules_are_refused() {
    let scene = file("scene.ron", SMALL.as_bytes());
    let Answer { code, err, .. } = bitstep(&["view", &scene, "-o", "never.html"]);
    assert!(code == 2 && err.contains("a scene is for `run`"), "{err}");
    let mut bytes = fs::read(recording("rules.replay")).unwrap();
    bytes[12..16].copy_from_slice(&(RULES_VERSION + 1).to_le_bytes());
    let other = file("rules.replay", &bytes);
    for subcommand in ["view", "plot"] {
        let Answer { code, out, err } = bitstep(&[subcommand, &other, "-o", "never.html"]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(err.contains(&format!("recorded under rules version {}", RULES_VERSION + 1)), "{err}");
    }
    assert!(!fs::exists("never.html").unwrap());
}

#[test]
fn a_damaged_recording_is_shown_up_to_the_damage() {
    let mut bytes = fs::read(recording("damaged-view.replay")).unwrap();
    let at = bytes.len() - 200;
    bytes[at] ^= 4;
    let replay = file("damaged-view.replay", &bytes);
    let (Answer { code, out, err }, page) = view("damaged.html", &[&replay]);
    assert_eq!((code, err.as_str()), (2, ""));
    assert!(out.contains(&format!("note          {replay} is damaged, and is shown up to byte ")), "{out}");
    assert!(out.contains("\n  shows         ") && !out.contains("shows         20 ticks"), "{out}");
    assert!(page.ends_with("</html>\n"));
}

#[test]
fn a_recording_that_this_build_does_not_come_to_is_shown_and_told() {
    let mut bytes = fs::read(recording("diverged-view.replay")).unwrap();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let replay = file("diverged-view.replay", &bytes);
    let (Answer { code, out, .. }, _) = view("diverged.html", &[&replay]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("this build does not come to what {replay} has of tick 7")), "{out}");
}

#[test]
fn two_recordings_are_shown_from_where_they_part() {
    let whole = recording("whole-view.replay");
    let injected = file("injected-view.replay", b"");
    let run = bitstep_fed(&["run", "-", "--inject", "8:1:vel.x", "--record", &injected], SMALL.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    let (Answer { code, out, .. }, page) = view("diverged.html", &[&whole, &injected]);
    assert_eq!(code, 1);
    assert!(out.contains("  divergence    in tick 8"), "{out}");
    assert!(out.contains("slots[1].body.momentum.x is "), "{out}");
    // 20 ticks of the first, and 13 of the second, from the state before tick 8 on.
    assert!(out.contains("  shows         33 ticks, 35 pictures"), "{out}");
    assert_eq!(pieces(&page).len(), 5, "a head, the numbers of both, a chunk of each");
    // The recorded states are shown, as its trace layers have them.
    let told = bitstep(&["view", &injected, "-o", &file("injected.html", b"")]);
    assert_eq!(told.code, 1);

    let (Answer { code, out, .. }, _) = view("alike.html", &[&whole, &whole]);
    assert_eq!(code, 0);
    assert!(out.contains("note          no difference in the ticks that both have"), "{out}");
    let told = "the recordings have other sceneries: view them one by one";
    assert_refused(&["view", &whole, &golden("cradle.replay"), "-o", "never.html"], told);
}

#[test]
fn long_recordings_may_be_kept_shorter() {
    let tower = golden("tower.replay");
    let (Answer { code, out, .. }, thin) = view("thin.html", &[&tower, "--every", "7"]);
    assert_eq!(code, 0);
    // 300 ticks: pictures at 0, 7, 14, ..., 294 and 300.
    assert!(out.contains("  shows         300 ticks, 44 pictures"), "{out}");
    let (_, whole) = view("fine.html", &[&tower, "--precision", "14"]);
    let (_, coarse) = view("coarse.html", &[&tower, "--precision", "4"]);
    assert!(coarse.len() < whole.len() && thin.len() < whole.len());
    let told = "--precision is 31, must be at most 16 in a world of extent 4096";
    let refused = bitstep(&["view", &tower, "--precision", "31", "-o", "never.html"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.starts_with("bitstep: --precision is 31, must be at most "),
        "{} {told}",
        refused.err
    );
    for every in ["0", "1001"] {
        assert_eq!(bitstep(&["view", &tower, "--every", every]).code, 2);
    }
}
