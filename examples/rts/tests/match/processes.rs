//! Four real processes at a relay: one that is slow, desyncs, vanishes, or comes late.

use bitstep::session::Simulation;
use bitstep_lockstep::SavedMatch;
use rts::script::play_alone;

use crate::{
    played::terms,
    running::{Folder, Running, number, rts},
};

/// The checksum of a script with so many units each where no player leaves.
fn checksum(units: u16, ticks: u64) -> String {
    play_alone(&terms(units, ticks), |_, _| {}).unwrap().checksum().to_string()
}

/// A relay with peers at it, each with arguments of its own.
fn peers(relay: &str, folder: &Folder, more: &[&[&str]]) -> Vec<Running> {
    (1..).zip(more).map(|(player, more)| peer(relay, folder, player, more)).collect()
}

fn peer(relay: &str, folder: &Folder, player: u32, more: &[&str]) -> Running {
    let (seat, record) = (player.to_string(), folder.file(&format!("rts-{player}.replay")));
    Running::start(&[&["peer", relay, "--seat", &seat, "--record", &record], more].concat())
}

/// Every recording of these players verifies.
fn check_recordings(folder: &Folder, players: std::ops::RangeInclusive<u32>) {
    for player in players {
        let files = folder.recordings_of(player);
        assert!(!files.is_empty(), "player {player} has recorded");
        for file in files {
            let (code, text) = rts(&["verify", &file]);
            assert!(code == 0 && text.contains("ticks match"), "{text}");
        }
    }
}

/// The checksums that players report, in their order.
fn checksums(texts: &[String]) -> Vec<String> {
    let line = |text: &String| {
        text.lines().find(|line| line.trim().starts_with("checksum")).unwrap_or_default().to_owned()
    };
    texts.iter().map(|text| line(text).split(", ").next().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn four_processes_come_to_the_same_over_thousands_of_turns() {
    let folder = Folder::new("same");
    let plan = ["--units", "20", "--ticks", "3000", "--rate", "0"];
    let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert_eq!(code, 0, "{text}");
    let sum = format!("checksum   {} after tick 3000, compared up to 3000", checksum(20, 3_000));
    assert_eq!(text.matches(&sum).count(), 4, "{sum}: {text}");
    assert!(text.contains("all 4 came to the same state"), "{text}");
    for player in 1..=4 {
        let (code, text) = rts(&["verify", &folder.file(&format!("rts-{player}.replay"))]);
        assert!(code == 0 && text.contains("all 3,000 ticks match"), "{text}");
    }
}

#[test]
fn all_wait_for_a_slow_one_and_go_on() {
    let folder = Folder::new("slow");
    let plan = ["--units", "10", "--ticks", "400", "--rate", "0", "--slow", "200:1500"];
    let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert_eq!(code, 0, "{text}");
    let sum = format!("checksum   {} after tick 400", checksum(10, 400));
    assert_eq!(text.matches(&sum).count(), 4, "{text}");
    // It had ordered for the four turns behind tick 200, and for that one.
    let paused = "paused     in turn 205, for player 4";
    assert!(text.matches(paused).count() >= 3, "all others were told: {text}");
}

#[test]
fn a_player_that_is_killed_and_comes_back_catches_up() {
    let folder = Folder::new("killed");
    let plan =
        ["relay", "--units", "10", "--ticks", "700", "--rate", "120", "--hold", "650", "--patience", "90000"];
    let mut relay = Running::start(&plan);
    let address = relay.address();
    let mut peers = peers(&address, &folder, &[&[][..]; 4]);
    relay.line_with("the match begins");
    peers.pop().unwrap().kill();
    relay.line_with("player 4 is gone: ");
    peers.push(peer(&address, &folder, 4, &[]));
    let ended: Vec<(u8, String)> = peers.into_iter().map(Running::end).collect();
    let (code, said) = relay.end();
    assert_eq!(code, 0, "{said}");
    let texts: Vec<String> = ended.iter().map(|(_, text)| text.clone()).collect();
    assert!(ended.iter().all(|(code, _)| *code == 0), "{texts:?}");
    let sums = checksums(&texts);
    assert!(sums[0].contains(" after tick 700") && sums.iter().all(|sum| *sum == sums[0]), "{texts:?}");
    assert!(texts[3].contains("caught up  ") && number(&texts[3], "compared up to ") == 700, "{}", texts[3]);
    assert!(texts[0].contains("1 times the state was given"), "{}", texts[0]);
    // The recording of the killed one is torn, the later one is whole.
    check_recordings(&folder, 1..=3);
    let whole: Vec<String> =
        folder.recordings_of(4).into_iter().filter(|file| file.contains(".from-")).collect();
    assert_eq!(whole.len(), 1);
    assert_eq!(rts(&["verify", &whole[0]]).0, 0);
}

#[test]
fn a_player_that_comes_late_plays_with_the_others() {
    let folder = Folder::new("late");
    let plan = ["--units", "10", "--ticks", "450", "--rate", "120", "--late", "--patience", "90000"];
    let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("relay: the match begins with 3 players")
            && text.contains("all 4 came to the same state"),
        "{text}"
    );
    assert!(text.contains("relay: player 4 is in from turn ") && text.contains("caught up  "), "{text}");
    assert_eq!(text.matches("compared up to 450").count(), 4, "{text}");
    check_recordings(&folder, 1..=4);
}

#[test]
fn a_match_that_is_saved_and_loaded_ends_as_one_that_never_stopped() {
    let folder = Folder::new("save");
    let save = folder.file("match.save");
    let plan = ["relay", "--units", "10", "--ticks", "500", "--rate", "0"];
    let mut relay = Running::start(&plan);
    let saving = format!("250:{save}");
    let ended: Vec<_> = peers(&relay.address(), &folder, &[&[], &["--save", &saving], &[], &[]])
        .into_iter()
        .map(Running::end)
        .collect();
    assert!(ended.iter().all(|(code, _)| *code == 0), "{ended:?}");
    let sum = format!("checksum   {} after tick 500", checksum(10, 500));
    let saved = SavedMatch::read(&save).unwrap();
    assert_eq!((saved.tick, saved.turns.len()), (250, 4), "with the turns that were under way");

    let loaded = Folder::new("load");
    // Seed, players, units and delay are the saved match's own.
    let mut relay =
        Running::start(&["relay", "--load", &save, "--ticks", "500", "--rate", "0", "--seed", "99"]);
    let ended: Vec<_> =
        peers(&relay.address(), &loaded, &[&[][..]; 4]).into_iter().map(Running::end).collect();
    for (code, text) in &ended {
        assert!(*code == 0 && text.contains(&sum) && text.contains("compared up to 500"), "{sum}: {text}");
    }
    check_recordings(&loaded, 1..=4);
    // A saved match is played to a later tick, or there is nothing to play.
    let (code, text) = rts(&["relay", "--load", &save, "--ticks", "250"]);
    assert!(code == 2 && text.contains("last_tick is 250, must be in 251"), "{text}");
}

/// The number of a unit that lives and is on its way after a tick.
fn unit_on_its_way(units: u16, tick: u64) -> usize {
    let state = play_alone(&terms(units, tick), |_, _| {}).unwrap();
    let moves = |unit: &rts::Unit| {
        let body = unit.body.and_then(|body| state.world().body(body));
        body.is_some_and(|body| {
            body.drive.is_some_and(|drive| drive.velocity.x != 0) && body.velocity().x != 0
        })
    };
    state.game().units().iter().position(moves).unwrap()
}

#[test]
fn a_number_put_wrong_is_found_within_the_delay_with_tick_unit_and_field() {
    let unit = unit_on_its_way(10, 100);
    let owner = unit / 10 + 1;
    let cases = [
        (
            format!("100:{unit}:vel.x"),
            format!("slots[{unit}].body.momentum.x"),
            format!("slot {unit} is the body of unit {unit} of player {owner}"),
        ),
        (format!("100:game.units[{unit}].reload@hits"), format!("game.units[{unit}].reload"), String::new()),
    ];
    for (injection, path, unit) in &cases {
        let folder = Folder::new("injection");
        let plan = ["--units", "10", "--ticks", "2000", "--rate", "0", "--inject", injection];
        let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
        assert_eq!(code, 1, "{text}");
        // The three others name the fourth, the fourth differs from all three.
        let named = "differs    from player 4 in tick 100, found after tick ";
        assert_eq!(text.matches(named).count(), 3, "{text}");
        assert_eq!(text.matches("in tick 100, found after tick ").count(), 6, "{text}");
        for rest in text.split("found after tick ").skip(1) {
            let found: u64 = rest.lines().next().unwrap().parse().unwrap();
            assert!((100..=104).contains(&found), "within the delay: {text}");
        }
        assert_eq!(text.matches(&format!("{path}: ")).count(), 6, "{text}");
        assert!(text.matches(unit.as_str()).count() >= 6, "{text}");
        assert!(text.contains("injection  after "), "{text}");
        // The wrong side's recording says so, the others' are correct.
        check_recordings(&folder, 1..=3);
        let (code, text) = rts(&["verify", &folder.file("rts-4.replay")]);
        assert!(code == 1 && text.contains("100"), "{text}");
        // The two desync reports can be examined by either player.
        let reports = [folder.file("rts-2.ours-4.replay"), folder.file("rts-2.theirs-4.replay")];
        let (code, text) = rts(&["diff", &reports[0], &reports[1]]);
        assert!(code == 1 && text.contains(path.as_str()), "{text}");
    }
}

#[test]
fn a_player_that_is_wrong_takes_the_state_of_another_and_plays_on() {
    let folder = Folder::new("resync");
    let injection = format!("100:{}:vel.x", unit_on_its_way(10, 100));
    let plan = [
        "--units",
        "10",
        "--ticks",
        "600",
        "--rate",
        "120",
        "--inject",
        &injection,
        "--resync",
        "--patience",
        "90000",
    ];
    let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert_eq!(code, 1, "a desync is a desync: {text}");
    assert!(text.contains("all 4 came to the same state in the end"), "{text}");
    assert_eq!(text.matches("differs    from player 4 in tick 100").count(), 3, "{text}");
    assert!(text.contains("relay: player 4 asks for another state"), "{text}");
    assert!(text.contains("1 times the state was replaced"), "{text}");
    assert_eq!(text.matches("after tick 600, compared up to 600").count(), 4, "{text}");
    // Its later recording is correct.
    let later: Vec<String> =
        folder.recordings_of(4).into_iter().filter(|file| file.contains(".from-")).collect();
    assert_eq!(later.len(), 1);
    assert_eq!(rts(&["verify", &later[0]]).0, 0);
}

#[test]
fn a_player_that_vanishes_is_reported_and_the_others_go_on() {
    let folder = Folder::new("vanish");
    let plan = ["--units", "10", "--ticks", "500", "--rate", "0", "--vanish", "200"];
    let (code, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("relay: player 4 is gone: "), "{text}");
    assert_eq!(text.matches("after tick 500, compared up to 500").count(), 3, "{text}");
    check_recordings(&folder, 1..=4);
}

#[test]
fn a_player_that_stalls_is_let_go_and_the_others_go_on() {
    let folder = Folder::new("stall");
    let plan = ["--units", "10", "--ticks", "300", "--rate", "0", "--slow", "100:9000", "--patience", "2000"];
    let (_, text) = rts(&[&["run"], &plan[..], &["--folder", folder.text()]].concat());
    assert!(text.contains("relay: player 4 is gone: it has let all wait for "), "{text}");
    assert!(text.contains("the relay lets this player go: it has let all wait for "), "{text}");
    assert_eq!(text.matches("after tick 300, compared up to 300").count(), 3, "{text}");
}

#[test]
fn impossible_arguments_are_refused_with_a_reason() {
    let cases: [(&[&str], u8, &str); 9] = [
        (&["run", "--players", "5"], 2, "players is 5, must be in 1..=4"),
        (&["run", "--units", "501"], 2, "units is 501, must be in 1..=500"),
        (&["run", "--delay", "0"], 2, "delay is 0, must be in 1..=40"),
        (&["relay", "--begin-with", "5"], 2, "begin_with is 5, must be in 1..=4"),
        (&["relay", "--wait", "0"], 3, "too few players have come"),
        (&["relay", "--load", "Cargo.toml"], 2, "not a saved match"),
        (&["peer", "127.0.0.1:9", "--wait", "0"], 2, "refused"),
        (&["peer", "127.0.0.1:9", "--inject", "nonsense"], 2, "is not TICK:BODY:FIELD"),
        (&["bench", "--only", "nothing"], 2, "there is no scene `nothing`"),
    ];
    for (arguments, code, words) in cases {
        let (ended, text) = rts(arguments);
        assert_eq!(ended, code, "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}
