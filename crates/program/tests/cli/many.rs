//! `verify` of many recordings that are not all sound, while it runs and after it was killed.

use std::{fs, path::Path};
#[cfg(unix)]
use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{
    Answer, TICK, assert_refused,
    batches::{batch, files_of, folder, text},
    bitstep, change_record, file,
};

/// A line of JSON without what differs between two runs: its speed.
fn unhurried(line: &str) -> Value {
    let mut value: Value = serde_json::from_str(line).unwrap();
    if let Some(line) = value.as_object_mut() {
        line.remove("ticks_per_second");
        line.remove("real_time");
    }
    value
}

fn values(lines: &str) -> Vec<Value> {
    assert!(lines.is_empty() || lines.ends_with('\n'), "{lines}");
    lines.lines().map(unhurried).collect()
}

/// A folder of a recording that matches, one that diverges, one that is damaged, and one that is none.
fn mixed(name: &str) -> (String, String) {
    let folder = batch(name, &["1.replay", "2-bad.replay", "3.replay", "4.replay"]);
    let cut = folder.join("3.replay");
    let bytes = fs::read(&cut).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 5]).unwrap();
    fs::write(folder.join("4.replay"), "no recording").unwrap();
    (text(&folder), text(&folder.join("lines.jsonl")))
}

#[test]
fn a_run_that_was_cut_anywhere_is_resumed_to_the_same_result() {
    let (path, lines) = mixed("resumed");
    // One that matches, and one that is none: all cuts are some hundred runs.
    let files = [1, 4].map(|number| format!("{path}/{number}.replay"));
    let verify = |options: &[&str]| bitstep(&[&["verify", "--json", &files[0], &files[1]], options].concat());
    let whole = verify(&[]);
    let run = verify(&["--resume", &lines]);
    assert_eq!((whole.code, run.code), (2, 2));
    let told = |earlier: usize| {
        let counts = "1 matched, 0 diverged, 1 could not be verified";
        format!("bitstep: 2 recordings: {counts}; {earlier} of these by {lines}\n")
    };
    assert_eq!(run.err, told(0));
    let (text, expected) = (fs::read_to_string(&lines).unwrap(), values(&whole.out));
    assert_eq!((&text, values(&text)), (&run.out, expected.clone()));
    for length in 0..=text.len() {
        fs::write(&lines, &text.as_bytes()[..length]).unwrap();
        let run = verify(&["--resume", &lines]);
        let earlier = text[..length].matches('\n').count();
        assert_eq!((run.code, run.err), (2, told(earlier)), "{length}");
        let resumed = fs::read_to_string(&lines).unwrap();
        assert_eq!((values(&run.out), values(&resumed)), (expected.clone(), expected.clone()), "{length}");
        // The whole lines are as they were, the speed included.
        let kept: usize = text.split_inclusive('\n').take(earlier).map(str::len).sum();
        assert_eq!(resumed[..kept], text[..kept], "{length}");
    }
    // The part of a line that is longer than all that follows it.
    fs::write(&lines, format!("{text}{{\"build\":\"{}", "0".repeat(9_000))).unwrap();
    assert_eq!(
        (verify(&["--resume", &lines]).out, fs::read_to_string(&lines).unwrap()),
        (text.clone(), text)
    );
}

#[test]
fn a_recording_of_other_bytes_is_verified_again() {
    let (path, lines) = mixed("changed");
    let verify = || bitstep(&["verify", "--json", "--resume", &lines, &path]);
    assert_eq!(verify().code, 2);
    let before = fs::read_to_string(&lines).unwrap();
    // The one that matched diverges now, in a file as long as before.
    let changed = format!("{path}/1.replay");
    let mut bytes = fs::read(&changed).unwrap();
    change_record(&mut bytes, TICK, 3, |content| content[0] ^= 1);
    fs::write(&changed, &bytes).unwrap();
    let run = verify();
    let after = fs::read_to_string(&lines).unwrap();
    let new = values(after.strip_prefix(&before).unwrap());
    assert_eq!((new.len(), &new[0]["file"], &new[0]["divergence"]["tick"]), (1, &changed.into(), &3.into()));
    assert_eq!(values(&run.out)[0], new[0]);
    assert!(run.err.contains("0 matched, 2 diverged, 2 could not be verified; 3 of these"), "{}", run.err);
    // Of several lines of a recording the last counts.
    assert_eq!((verify().out, fs::read_to_string(&lines).unwrap()), (run.out, after));
}

#[test]
fn lines_of_another_build_or_of_no_bytes_do_not_count() {
    let (path, lines) = mixed("builds");
    let missing = format!("{path}/no-such.replay");
    let verify = || bitstep(&["verify", "--resume", &lines, &path, &missing]);
    assert!(verify().err.contains("3 could not be verified; 0 of these"));
    assert!(verify().err.contains("3 could not be verified; 4 of these"));
    let text = fs::read_to_string(&lines).unwrap();
    assert_eq!(text.lines().count(), 6);
    let build = values(&text)[0]["build"].as_str().unwrap().to_owned();
    assert_eq!(build.len(), 32);
    for other in [text.replace(&build, &"0".repeat(32)), text.replace(&format!("\"{build}\""), "null")] {
        fs::write(&lines, &other).unwrap();
        let err = verify().err;
        assert!(err.contains("3 could not be verified; 0 of these"), "{err}");
        assert_eq!(fs::read_to_string(&lines).unwrap().lines().count(), 11);
    }
}

#[test]
fn verdicts_beyond_a_limit_count_while_the_limit_stands() {
    let (path, lines) = mixed("limits");
    let verify = |limits: &[&str]| {
        let Answer { code, err, .. } = bitstep(&[&["verify", "--resume", &lines, &path], limits].concat());
        let told = err.lines().last().unwrap().to_owned();
        (code, told.split_once(" could").unwrap().0.rsplit(' ').next().unwrap().to_owned(), told)
    };
    let by = |told: &str, number: u32| told.contains(&format!("; {number} of these by"));
    let (code, bad, told) = verify(&["--ticks-max=7"]);
    assert!(code == 2 && bad == "4" && by(&told, 0), "{told}");
    let (_, bad, told) = verify(&["--ticks-max=7", "--bodies-max=9"]);
    assert!(bad == "4" && by(&told, 4), "{told}");
    // Another limit, or none: those beyond it are played. The one that is no recording is no better.
    let (_, bad, told) = verify(&["--ticks-max=8"]);
    assert!(bad == "4" && by(&told, 1), "{told}");
    let (_, bad, told) = verify(&[]);
    assert!(bad == "2" && by(&told, 1), "{told}");
    let (_, bad, told) = verify(&["--ticks-max=1000"]);
    assert!(bad == "2" && by(&told, 4), "{told}");
}

#[test]
fn earlier_verdicts_are_told_in_words_and_to_build_servers() {
    let (path, lines) = mixed("told");
    let report = format!("{path}/verify.xml");
    let verify = || bitstep(&["verify", "--resume", &lines, "--junit", &report, &path]);
    let (first, second) = (verify(), verify());
    assert_eq!((first.code, second.code), (2, 2));
    let told: Vec<&str> = second.out.lines().collect();
    let damaged = values(&fs::read_to_string(&lines).unwrap())[2]["damage"]["at"].as_u64().unwrap();
    assert_eq!(
        told,
        [
            format!("{path}/1.replay: matched, 20 ticks, says {lines}"),
            format!("{path}/2-bad.replay: diverged in tick 7, says {lines}"),
            format!("{path}/3.replay: damaged at byte {damaged}, after 20 ticks, says {lines}"),
        ]
    );
    let err: Vec<&str> = second.err.lines().collect();
    assert_eq!(err[0], format!("{}, says {lines}", first.err.lines().next().unwrap()));
    assert_eq!(err.len(), 2);
    let xml = fs::read_to_string(&report).unwrap();
    assert!(xml.contains("tests=\"4\" failures=\"1\" errors=\"2\""), "{xml}");
    assert!(xml.contains("<failure message=\"diverged in tick 7\">"), "{xml}");
}

#[test]
fn a_file_of_something_else_is_refused_and_left_as_it_is() {
    let (path, lines) = mixed("refused");
    assert_eq!(bitstep(&["verify", "--resume", &lines, &path]).code, 2);
    let good = fs::read_to_string(&lines).unwrap();
    let recording = fs::read(format!("{path}/1.replay")).unwrap();
    let cases: [(usize, Vec<u8>); 8] = [
        (1, recording),
        (1, b"{\"name\": \"a package\", \"private\": true}".to_vec()),
        (1, b"{\n  \"name\": \"a package\"\n}\n".to_vec()),
        (1, b"\n".to_vec()),
        (1, b"[]\n".to_vec()),
        (1, b"{\"build\":\"a\"}\n".to_vec()),
        (5, [good.as_bytes(), b"text\n"].concat()),
        (5, [good.as_bytes(), b"text"].concat()),
    ];
    for (line, content) in cases {
        fs::write(&lines, &content).unwrap();
        let Answer { code, out, err } = bitstep(&["verify", "--resume", &lines, &path]);
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{err}");
        assert!(
            err.starts_with(&format!("bitstep: {lines}: line {line} is no line of `verify --json`")),
            "{err}"
        );
        assert_eq!(fs::read(&lines).unwrap(), content);
    }
    let told = "no-such/lines.jsonl: cannot be opened: No such file or directory (os error 2)";
    assert_refused(&["verify", "--resume", "no-such/lines.jsonl", &path], told);
    // A folder, and what may have no end.
    for other in [path.as_str(), "/dev/zero"] {
        assert_refused(&["verify", "--resume", other, &path], &format!("{other}: is no file"));
    }
}

#[test]
fn shards_have_lines_of_their_own_and_none_changes_another() {
    let (path, _) = mixed("parts");
    let mut all = Vec::new();
    for shard in ["1/2", "2/2"] {
        let lines = file(&format!("parts-{}.jsonl", &shard[..1]), b"");
        let verify = || bitstep(&["verify", "--json", "--resume", &lines, "--shard", shard, &path]);
        let (first, second) = (verify(), verify());
        assert_eq!((first.code, first.out), (second.code, second.out.clone()));
        all.extend(files_of(&second.out));
    }
    all.sort();
    assert_eq!(all, files_of(&bitstep(&["verify", "--json", &path]).out));
}

/// The result of some work with a process that is ended after a minute: a test that fails does not wait for ever.
#[cfg(unix)]
fn within_a_minute<T>(child: &mut Child, work: impl FnOnce(&mut Child) -> T) -> T {
    let (id, (sender, receiver)) = (child.id().to_string(), mpsc::channel::<()>());
    thread::scope(|scope| {
        scope.spawn(move || {
            if receiver.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
                Command::new("kill").args(["-9", &id]).status().unwrap();
            }
        });
        let result = work(child);
        drop(sender);
        result
    })
}

/// A pipe with a name, in a folder.
#[cfg(unix)]
fn pipe(folder: &str) -> String {
    let path = format!("{folder}/pipe.replay");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

#[cfg(unix)]
#[test]
fn lines_are_seen_while_the_run_goes_on_and_are_whole_when_it_is_killed() {
    let (path, lines) = mixed("live");
    let (first, pipe) = (format!("{path}/1.replay"), pipe(&path));
    for jobs in ["1", "3"] {
        fs::write(&lines, "").unwrap();
        // A pipe that an argument names is waited for.
        let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
            .args(["verify", "--json", "--jobs", jobs, "--resume", &lines, &first, &pipe, &first])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let seen = within_a_minute(&mut child, |child| {
            let mut seen = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut seen).unwrap();
            seen
        });
        assert_eq!(unhurried(&seen)["matches"], true);
        child.kill().unwrap();
        child.wait().unwrap();
        // A line that was seen is in the file.
        assert_eq!(fs::read_to_string(&lines).unwrap(), seen);
        let run = bitstep(&["verify", "--json", "--resume", &lines, &first]);
        assert_eq!((run.code, run.out), (0, seen));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_an_argument_names_is_read() {
    let (path, _) = mixed("piped");
    let (first, pipe) = (format!("{path}/1.replay"), pipe(&path));
    let mut feeder = Command::new("sh").args(["-c", "cat \"$0\" > \"$1\"", &first, &pipe]).spawn().unwrap();
    let run = within_a_minute(&mut feeder, |_| bitstep(&["verify", &pipe]));
    feeder.kill().unwrap();
    feeder.wait().unwrap();
    assert!(run.code == 0 && run.out.starts_with(&format!("{pipe}: all 20 ticks match")), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn odd_entries_of_a_folder_are_results_and_stop_nothing() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = batch("odd", &["a.replay", "c.replay/inner.replay", "z.replay", "shut/hidden.replay"]);
    let path = text(&folder);
    fs::write(folder.join("b.replay"), "").unwrap();
    fs::rename(pipe(&path), folder.join("d.replay")).unwrap();
    symlink("d.replay", folder.join("e.replay")).unwrap();
    symlink("f.replay", folder.join("f.replay")).unwrap();
    symlink(".", folder.join("g")).unwrap();
    symlink("c.replay", folder.join("h.replay")).unwrap();
    symlink("a.replay", folder.join("i.replay")).unwrap();
    symlink("missing", folder.join("j.replay")).unwrap();
    let shut = folder.join("shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o0)).unwrap();
    // Root may read everything.
    let is_shut = fs::read_dir(&shut).is_err();
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
        .args(["verify", "--json", &path])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = within_a_minute(&mut child, |child| {
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        out
    });
    let code = child.wait().unwrap().code();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(code, Some(2));
    let told = values(&out).into_iter().map(|line| {
        let name = line["file"].as_str().unwrap().strip_prefix(&format!("{path}/")).unwrap().to_owned();
        let error = line["error"].as_str().map(|error| error.rsplit(": ").next().unwrap().to_owned());
        (name, error.unwrap_or_else(|| line["matches"].to_string()))
    });
    let pipe = "a pipe or a device in a folder is not read";
    let expected = [
        ("a.replay", "true"),
        ("b.replay", "not a bitstep replay"),
        ("c.replay/inner.replay", "true"),
        ("d.replay", pipe),
        ("e.replay", pipe),
        ("f.replay", "Too many levels of symbolic links (os error 40)"),
        ("h.replay", "Is a directory (os error 21)"),
        ("i.replay", "true"),
        ("j.replay", "No such file or directory (os error 2)"),
        if is_shut { ("shut", "Permission denied (os error 13)") } else { ("shut/hidden.replay", "true") },
        ("z.replay", "true"),
    ];
    let expected = expected.map(|(name, told)| (name.to_owned(), told.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn one_poisoned_recording_among_many_is_named_with_tick_and_field() {
    let folder = folder("poisoned");
    let run = |name: &str| {
        let path = folder.join(name);
        let run = crate::bitstep_fed(
            &["run", "-", "--ticks", "60", "--record", path.to_str().unwrap()],
            crate::SMALL.as_bytes(),
        );
        assert_eq!(run.code, 0);
        path
    };
    let good = fs::read(run("000.replay")).unwrap();
    for number in 1..60 {
        fs::write(folder.join(format!("{number:03}.replay")), &good).unwrap();
    }
    let mut bad = good;
    // The last body's position stands 102 bytes before the end of a snapshot.
    change_record(&mut bad, crate::KEYFRAME, 1, |content| content[content.len() - 102] ^= 1);
    fs::write(folder.join("031.replay"), &bad).unwrap();
    let Answer { code, out, .. } = bitstep(&["verify", "--json", &text(&folder)]);
    let poisoned: Vec<Value> = values(&out).into_iter().filter(|line| line["matches"] != true).collect();
    assert_eq!((code, out.lines().count(), poisoned.len()), (1, 60, 1));
    let name = Path::new(poisoned[0]["file"].as_str().unwrap()).file_name().unwrap();
    assert_eq!(name, "031.replay");
    let divergence = &poisoned[0]["divergence"];
    assert!(divergence["tick"].as_u64().is_some(), "{divergence}");
    assert!(
        divergence["fields"][0].as_str().unwrap().starts_with("slots[1].body.position.x: "),
        "{divergence}"
    );
}

/// The reader of the output goes away, as `head` does: what was not verified is no match.
#[cfg(unix)]
#[test]
fn output_that_is_closed_is_no_match() {
    let names: Vec<String> = (0..60).map(|number| format!("{number:02}.replay")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = text(&batch("closed", &names));
    for (option, code) in [("--json", 2), ("--bisect", 125)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
            .args(["verify", "--jobs", "1", option, &folder])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{option}");
    }
}

/// A run waits in the middle, and another one adds its line meanwhile: neither writes over the other.
#[cfg(unix)]
#[test]
fn lines_of_two_runs_on_one_file_are_whole() {
    let folder = batch("two-runs", &["1.replay", "2.replay", "3.replay"]);
    let (path, lines) = (text(&folder), text(&folder.join("lines.jsonl")));
    let [first, second, third] = [1, 2, 3].map(|number| format!("{path}/{number}.replay"));
    let pipe = pipe(&path);
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitstep"))
        .args(["verify", "--json", "--jobs", "1", "--resume", &lines, &first, &pipe, &second])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    within_a_minute(&mut child, |child| {
        let mut seen = BufReader::new(child.stdout.take().unwrap());
        seen.read_line(&mut String::new()).unwrap();
        assert_eq!(bitstep(&["verify", "--json", "--resume", &lines, &third]).code, 0);
        fs::write(&pipe, fs::read(&first).unwrap()).unwrap();
        seen.read_to_string(&mut String::new()).unwrap();
    });
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(files_of(&fs::read_to_string(&lines).unwrap()), [first, third, pipe, second]);
}
