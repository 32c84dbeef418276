//! `verify` of many recordings: at once, in parts, out of folders, and for build servers.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{Answer, TICK, assert_refused, bitstep, change_record, golden, recording, without_speed};

/// An empty folder of a test's own.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    fs::create_dir_all(&path).unwrap();
    path
}

pub fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Recordings of one small scene in a folder; those that are called `bad` diverge in tick 7.
pub fn batch(name: &str, files: &[&str]) -> PathBuf {
    let good = fs::read(recording(&format!("{name}.replay"))).unwrap();
    let mut bad = good.clone();
    change_record(&mut bad, TICK, 7, |content| content[0] ^= 1);
    let folder = folder(name);
    for file in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, if file.contains("bad") { &bad } else { &good }).unwrap();
    }
    folder
}

/// The files of lines of JSON, in order.
pub fn files_of(out: &str) -> Vec<String> {
    let file = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        value["file"].as_str().unwrap().to_owned()
    };
    out.lines().map(file).collect()
}

#[test]
fn lines_are_in_the_order_of_the_files_however_many_are_verified_at_once() {
    let small = recording("order.replay");
    // The first takes by far the longest.
    let files = [golden("pile.replay"), small.clone(), golden("gas.replay"), small.clone(), small];
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let with = |jobs: &str| bitstep(&[&["verify", "--jobs", jobs], &names[..]].concat());
    let one = with("1");
    let shown: Vec<_> = one.out.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!((one.code, shown), (0, names.clone()), "{}{}", one.out, one.err);
    for jobs in ["0", "2", "4", "50"] {
        let many = with(jobs);
        assert_eq!((many.code, without_speed(&many.out)), (0, without_speed(&one.out)), "{jobs}");
    }
}

#[test]
fn the_worst_counts_with_several_at_once() {
    let folder = batch("worst", &["1-bad.replay", "2.replay", "3.replay", "4.replay", "5-bad.replay"]);
    let path = |name: &str| text(&folder.join(name));
    let (good, bad) = (path("2.replay"), path("1-bad.replay"));
    let code = |arguments: &[&str]| bitstep(&[&["verify", "--jobs", "3"], arguments].concat()).code;
    assert_eq!(code(&[&good, &path("3.replay"), &path("4.replay")]), 0);
    assert_eq!([code(&[&text(&folder)]), code(&[&good, &bad, &good])], [1, 1]);
    assert_eq!([code(&[&bad, "no-such.replay", &good]), code(&["no-such.replay", &good])], [2, 2]);
    assert_eq!(code(&["--bisect", &good, "no-such.replay", &bad]), 1);
    assert_eq!(code(&["--bisect", &good, "no-such.replay"]), 125);
    // An error before anything is verified says nothing of the build either.
    assert_eq!(code(&["--bisect", &good, "--junit", "no-such/verify.xml"]), 125);
}

#[test]
fn a_folder_is_its_recordings_and_those_below_in_order_of_name() {
    let files = ["b.replay", "a.replay", "c/z.replay", "c/d/y.replay", "note.txt", "c/note.ron"];
    let folder = batch("walked", &files);
    let found = bitstep(&["verify", "--json", &text(&folder)]);
    let path = |name: &&str| text(&folder.join(name));
    let expected: Vec<_> = ["a.replay", "b.replay", "c/d/y.replay", "c/z.replay"].iter().map(path).collect();
    assert_eq!((found.code, files_of(&found.out)), (0, expected));
    let empty = text(&self::folder("walked-empty"));
    assert_refused(&["verify", &empty], &format!("{empty}: no file in it ends in .replay"));
    assert_eq!(bitstep(&["verify", "--bisect", &empty]).code, 125);
    assert_refused(&["verify", "-", "-"], "-: standard input can be read once");
}

#[test]
fn shards_are_parts_that_have_each_file_once() {
    let names: Vec<String> = (0..7).map(|number| format!("{number}.replay")).collect();
    let folder = batch("shards", &names.iter().map(String::as_str).collect::<Vec<_>>());
    let path = text(&folder);
    for of in 1..=9_usize {
        for number in 1..=of {
            let shard = format!("{number}/{of}");
            let Answer { code, out, err } = bitstep(&["verify", "--json", "--shard", &shard, &path]);
            let expected: Vec<_> =
                names.iter().skip(number - 1).step_by(of).map(|name| text(&folder.join(name))).collect();
            assert_eq!((code, files_of(&out)), (0, expected.clone()), "{shard}");
            let told = format!("bitstep: shard {shard}: none of 7 recordings is in it\n");
            assert_eq!(err, if expected.is_empty() { told } else { String::new() });
        }
    }
}

#[test]
fn a_text_that_is_no_shard_is_refused_in_words() {
    let told = |shard: &str| {
        let Answer { code, out, err } = bitstep(&["verify", "--shard", shard, "a.replay"]);
        assert_eq!((code, out.as_str()), (2, ""), "{shard}");
        assert!(err.contains(&format!("'{shard}' for '--shard <K/N>': ")), "{err}");
        err.lines().next().unwrap().rsplit(": ").next().unwrap().to_owned()
    };
    for shard in ["", "2", "/", "1/", "/2", "a/2", "1/2/3", "-1/2", "+1/2", "1 /2", "1/99999999999"] {
        let err = bitstep(&["verify", &format!("--shard={shard}"), "a.replay"]).err;
        assert!(err.contains("a shard is K/N, the K-th of N, such as 2/5"), "{shard}: {err}");
    }
    for shard in ["0/2", "0/0"] {
        assert_eq!(told(shard), "shards are counted from 1");
    }
    assert_eq!([told("3/2"), told("1/0")], ["there is no shard 3 of 2", "there is no shard 1 of 0"]);
}

#[test]
fn a_line_says_how_fast_it_was_in_words_and_in_json() {
    let path = recording("speed.replay");
    let line: Value = serde_json::from_str(&bitstep(&["verify", "--json", &path]).out).unwrap();
    let (ticks, real_time) = (line["ticks_per_second"].as_u64().unwrap(), line["real_time"].to_string());
    let (whole, part) = real_time.split_once('.').unwrap();
    let thousandths: u64 = format!("{whole}{part:0<3}").parse().unwrap();
    // The scene has 10 ticks in a second, and both are rounded down.
    assert!(ticks > 0 && thousandths / 100 == ticks, "{line}");
    let mut bytes = fs::read(&path).unwrap();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let path = crate::file("speed-bad.replay", &bytes);
    let line: Value = serde_json::from_str(&bitstep(&["verify", "--json", &path]).out).unwrap();
    assert_eq!((&line["ticks_per_second"], &line["real_time"]), (&Value::Null, &Value::Null));
}

/// An element: its name, its attributes, and the text and elements in it.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    inner: Vec<Element>,
}

impl Element {
    fn get(&self, name: &str) -> &str {
        &self.attributes.iter().find(|(other, _)| other == name).unwrap().1
    }
}

/// A text whose every `&` begins one of the five names or a number, and that has no `<`.
fn unescaped(text: &str) -> String {
    assert!(!text.contains(['<', '"']), "{text}");
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap();
        let letter = match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => char::from_u32(number.strip_prefix('#').unwrap().parse::<u32>().unwrap()).unwrap(),
        };
        plain.push(letter);
        plain.push_str(rest);
    }
    plain
}

/// Reads an element of well-formed XML off the front, and panics at invalid text.
fn element(xml: &mut &str) -> Element {
    let (tag, rest) = xml.strip_prefix('<').unwrap().split_once('>').unwrap();
    *xml = rest;
    let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut found = Element { name: name.to_owned(), attributes: vec![], text: String::new(), inner: vec![] };
    while !rest.is_empty() {
        let (name, behind) = rest.split_once("=\"").unwrap();
        let (value, behind) = behind.split_once('"').unwrap();
        found.attributes.push((name.to_owned(), unescaped(value)));
        assert!(behind.is_empty() || behind.starts_with(' '), "{behind}");
        rest = behind.trim_start();
    }
    if is_empty {
        return found;
    }
    loop {
        let (text, _) = xml.split_once('<').unwrap();
        found.text.push_str(&unescaped(text));
        *xml = &xml[text.len()..];
        if let Some(rest) = xml.strip_prefix("</") {
            *xml = rest.strip_prefix(&format!("{}>", found.name)).unwrap();
            return found;
        }
        found.inner.push(element(xml));
    }
}

/// Seconds with three decimals, as XML has them.
fn is_seconds(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('.').is_some_and(|(whole, part)| digits(whole) && digits(part) && part.len() == 3)
}

#[test]
fn junit_has_a_case_for_each_recording_and_is_well_formed() {
    let folder = batch("junit", &["1-bad.replay", "2.replay", "3 & \"<four>\" 'five'.replay"]);
    let (path, told) = (text(&folder), text(&folder.join("verify.xml")));
    fs::write(folder.join("6 & 7.replay"), "a \"text\" <that> is & no recording").unwrap();
    fs::write(&told, "one from before").unwrap();
    let run = bitstep(&["verify", "--jobs", "2", "--junit", &told, &path]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    let xml = fs::read_to_string(&told).unwrap();
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    let suites = element(&mut rest);
    assert_eq!((suites.name.as_str(), rest), ("testsuites", "\n"));
    let suite = &suites.inner[0];
    assert_eq!((suite.name.as_str(), suite.get("name")), ("testsuite", "bitstep verify"));
    for all in [&suites, suite] {
        assert_eq!([all.get("tests"), all.get("failures"), all.get("errors")], ["4", "1", "1"]);
        assert!(is_seconds(all.get("time")), "{xml}");
    }
    let names = ["1-bad.replay", "2.replay", "3 & \"<four>\" 'five'.replay", "6 & 7.replay"];
    let faults = [Some("failure"), None, None, Some("error")];
    assert_eq!(suite.inner.len(), 4);
    for ((case, name), fault) in suite.inner.iter().zip(names).zip(faults) {
        assert_eq!(case.get("name"), text(&folder.join(name)));
        assert!(
            case.get("classname").starts_with("bitstep.") && case.get("classname").ends_with(".junit"),
            "{xml}"
        );
        assert!(is_seconds(case.get("time")), "{xml}");
        assert_eq!(case.inner.first().map(|fault| fault.name.as_str()), fault);
    }
    let (failure, error) = (&suite.inner[0].inner[0], &suite.inner[3].inner[0]);
    assert!(failure.get("message").starts_with("diverged in tick 7: checksum "), "{xml}");
    assert!(failure.text.starts_with(failure.get("message")) && failure.text.lines().count() > 1, "{xml}");
    assert!(error.get("message").starts_with(&text(&folder.join("6 & 7.replay"))), "{xml}");
    // Nothing else is left, and a shard without files has a report too.
    assert!(!Path::new(&format!("{told}.part")).exists());
    let run = bitstep(&["verify", "--shard", "5/5", "--junit", &told, &path]);
    assert_eq!(run.code, 0);
    let xml = fs::read_to_string(&told).unwrap();
    assert!(xml.contains("<testsuite name=\"bitstep verify 5/5\" tests=\"0\""), "{xml}");
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_anything_is_verified() {
    let told = "no-such/verify.xml.part: cannot be written: No such file or directory (os error 2)";
    assert_refused(&["verify", "--junit", "no-such/verify.xml", &recording("unreported.replay")], told);
}
