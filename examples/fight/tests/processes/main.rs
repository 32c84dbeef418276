//! Two real processes over a link that delays, loses, repeats and spoils; one that goes wrong; one that goes
//! away.
//!
//! No test depends on time: compared values follow from the script alone, and limits only end a test that
//! would never end.
#![allow(missing_docs)]
#![allow(clippy::disallowed_types)] // a clock

mod running;

use std::{
    net::UdpSocket,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use bitstep::{num::Rng, session::Simulation};
use bitstep_rollback::{Forecast, Match, Player, Setup};
use fight::{Input, initial_state, link::Link, script::script};
use running::{Folder, Running, fight, number};

const SEED: u64 = 7;

/// The checksum of a script of some ticks.
fn checksum(ticks: u64) -> String {
    script(SEED, ticks).unwrap().end.checksum().to_string()
}

#[test]
fn two_processes_come_to_the_same_over_a_bad_link() {
    let folder = Folder::new("bad-link");
    let frames = ["--scripted", "7", "--frames", "1500", "--folder", folder.text()];
    let weather = ["--latency", "12", "--jitter", "10", "--loss", "8", "--twice", "5"];
    let (code, text) = fight(&[&["run"], &frames[..], &weather[..]].concat());
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches(&format!("checksum   {} after tick 1500", checksum(1_500))).count(), 2, "{text}");
    assert_eq!(text.matches("every tick is the same on all sides").count(), 2, "{text}");
    assert_eq!(text.matches("1500 confirmed, 1500 compared").count(), 2, "{text}");
    // Some hundred on an idle machine; the number depends on the clock, the result does not.
    assert!(number(&text, "rollbacks  ") >= 20, "{text}");
    let (code, text) = fight(&["verify", &folder.file("fight-1.replay"), &folder.file("fight-2.replay")]);
    assert_eq!((code, text.matches("all 1,500 ticks match").count()), (0, 2), "{text}");
}

#[test]
fn a_number_put_wrong_is_found_with_tick_path_and_values() {
    let cases = [
        ("300:game.fighters[1].health", "game.fighters[1].health"),
        ("300:0:pos.y@finish", "slots[0].body.position.y"),
    ];
    for (injection, path) in cases {
        let folder = Folder::new("injection");
        let arguments =
            ["run", "--scripted", "7", "--frames", "3000", "--folder", folder.text(), "--inject", injection];
        let (code, text) =
            fight(&[&arguments[..], &["--latency", "8", "--jitter", "8", "--loss", "8"]].concat());
        assert_eq!(code, 1, "{text}");
        assert_eq!(text.matches("DESYNC in tick 300").count(), 2, "both find it: {text}");
        assert_eq!(text.matches("tick 300, after ").count(), 2, "{text}");
        assert_eq!(text.matches(&format!(": {path}: ")).count(), 2, "{text}");
        // Each value comes once from each side, in the other order.
        let values: Vec<Vec<&str>> = text
            .lines()
            .filter_map(|line| line.split_once(&format!(": {path}: ")))
            .map(|(_, values)| values.split(" | ").collect())
            .collect();
        assert_eq!((values[0][0], values[0][1]), (values[1][1], values[1][0]), "{text}");
        // The wrong side's recording says so, the other's is correct.
        assert_eq!(fight(&["verify", &folder.file("fight-1.replay")]).0, 0);
        let (code, text) = fight(&["verify", &folder.file("fight-2.replay")]);
        assert!(code == 1 && text.contains("300"), "{text}");
        // The two desync reports can be examined by either player.
        let reports = [folder.file("fight-1.ours.replay"), folder.file("fight-1.theirs.replay")];
        let (code, text) = fight(&["diff", &reports[0], &reports[1]]);
        assert!(code == 1 && text.contains(path), "{text}");
    }
}

#[test]
fn rubbish_changes_nothing() {
    let folder = Folder::new("rubbish");
    let weather = ["--latency", "3", "--jitter", "6", "--loss", "5", "--twice", "5", "--rubbish", "70"];
    let record = |name: &str| ["--record".to_owned(), folder.file(name)];
    let mut host = Running::start(
        &["host", "--scripted", "7", "--frames", "800", "--rate", "240"],
        &weather,
        &record("a.replay"),
    );
    let address = host.address();
    let is_over = AtomicBool::new(false);
    let (theirs, ours) = thread::scope(|scope| {
        // A stranger writes to the port, too.
        scope.spawn(|| {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            for round in 0.. {
                let mut draws = Rng::new(1).at(0, 0, round);
                let bytes: Vec<u8> = (0..draws.below(600)).map(|_| draws.bits() as u8).collect();
                let _ = socket.send_to(&bytes, &address);
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                thread::sleep(Duration::from_millis(2));
            }
        });
        let _stops = Stops(&is_over);
        let theirs = Running::start(&["join", &address], &weather, &record("b.replay")).end();
        let ours = host.end();
        (theirs, ours)
    });
    for (code, text) in [&ours, &theirs] {
        assert_eq!(*code, 0, "{text}");
        assert!(text.contains(&format!("checksum   {} after tick 800", checksum(800))), "{text}");
        assert!(number(text, " taken, ") >= 200, "most of the rubbish is refused: {text}");
    }
    assert!(number(&ours.1, " refused, ") > 0, "strangers are counted: {}", ours.1);
}

#[test]
fn a_peer_that_vanishes_is_reported() {
    let folder = Folder::new("vanish");
    let record = |name: &str| ["--record".to_owned(), folder.file(name)];
    let endless = [
        "host",
        "--scripted",
        "7",
        "--frames",
        "20000",
        "--rate",
        "240",
        "--patience",
        "1500",
        "--wait",
        "20",
    ];
    let mut host = Running::start(&endless, &[], &record("a.replay"));
    let address = host.address();
    let mut other = Running::start(&["join", &address], &[], &record("b.replay"));
    thread::sleep(Duration::from_secs(3)); // long enough to begin; if it was not, it vanishes earlier
    other.kill();
    let (code, text) = host.end();
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("all other players are gone"), "{text}");
    let (code, text) = fight(&["verify", &folder.file("a.replay")]);
    assert_eq!(code, 0, "what was confirmed is recorded: {text}");
    // The killed one's recording has everything it had written, and a verdict on that.
    assert!(fight(&["verify", &folder.file("b.replay")]).0 <= 2);
}

#[test]
fn a_peer_that_answers_but_does_not_go_on_is_reported() {
    let folder = Folder::new("stall");
    let record = ["--record".to_owned(), folder.file("a.replay")];
    let arguments = ["host", "--scripted", "7", "--frames", "3000", "--rate", "240", "--patience", "4000"];
    let mut host = Running::start(&arguments, &[], &record);
    let address = host.address();
    let stop = AtomicBool::new(false);
    let (code, text) = thread::scope(|scope| {
        scope.spawn(|| stall(&address, &stop));
        let _stops = Stops(&stop);
        host.end()
    });
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("the other players answer, but have not gone on for"), "{text}");
}

/// Sets its flag when it is dropped: a test that fails does not wait for its helpers for ever.
struct Stops<'a>(&'a AtomicBool);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Plays a hundred ticks, and then only answers: for it the match is over.
fn stall(address: &str, stop: &AtomicBool) {
    let mut link = Link::bind(0, Forecast::default()).unwrap();
    let address = address.parse().unwrap();
    let terms = link.join(address, running::limit()).unwrap();
    let setup =
        Setup { last_tick: 100, ..Setup::new(terms.session, [Player::Remote(address), Player::Local]) };
    let mut game = Match::new(initial_state().unwrap(), setup, link).unwrap();
    while !stop.load(Ordering::Relaxed) {
        game.frame(&[Input::RIGHT], |_| {}).unwrap();
        thread::sleep(Duration::from_millis(4));
    }
}

#[test]
fn impossible_arguments_are_refused_with_a_reason() {
    let cases: [(&[&str], u8, &str); 8] = [
        (&["local"], 2, "is no terminal"),
        (&["host"], 2, "is no terminal"),
        (&["join", "127.0.0.1:9", "--wait", "0"], 3, "nobody answers at 127.0.0.1:9"),
        (&["host", "--scripted", "1", "--wait", "0"], 3, "nobody came"),
        (&["run", "--scripted", "1", "--loss", "95"], 2, "loss is 95, must be in 0..=90"),
        (&["run", "--scripted", "1", "--frames", "9999999"], 2, "frames is 9999999"),
        (&["run", "--scripted", "1", "--inject", "nonsense"], 2, "is not TICK:BODY:FIELD"),
        (&["verify", "/no/such.replay"], 2, "no/such.replay"),
    ];
    for (arguments, code, words) in cases {
        let (ended, text) = fight(arguments);
        assert_eq!(ended, code, "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}
