//! The program of a game, `examples/harvest.rs`: its output on its own state.

use std::{
    env::{self, consts::EXE_SUFFIX},
    fs,
    path::PathBuf,
    process::Command,
    sync::OnceLock,
};

use serde_json::Value;

use crate::{Answer, answer, bitstep, file, recording};

/// The example beside this test, which `cargo test` builds; built here where only this test was asked for.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let profile = env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned();
        let path = profile.join("examples").join(format!("harvest{EXE_SUFFIX}"));
        if !path.is_file() {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--quiet", "--package", "bitstep-program", "--example", "harvest"]);
            build.args((!cfg!(debug_assertions)).then_some("--release"));
            assert!(build.status().unwrap().success());
        }
        path
    })
}

fn harvest(arguments: &[&str]) -> Answer {
    answer(Command::new(program()).args(arguments).output().unwrap())
}

/// A recorded match, with one number changed or none.
fn played(name: &str, injection: &[&str]) -> String {
    let path = file(name, b"");
    let Answer { code, out, err } = harvest(&[&["play", path.as_str()], injection].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    path
}

#[test]
fn a_game_has_the_same_program_under_its_own_name() {
    let help = harvest(&["--help"]).out;
    for command in bitstep_program::subcommands().split(", ") {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
    assert!(help.contains("Usage: harvest "), "{help}");
    let missing = harvest(&["verify", "no-such.replay"]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.starts_with("harvest: no-such.replay: "), "{}", missing.err);
    // The other way round it is said, too.
    let (own, world) = (played("own.replay", &[]), recording("cradle.replay"));
    let given = harvest(&["verify", &world]);
    let told = "a recording of a world without a game, and harvest reads those of harvest; for `bitstep`";
    assert_eq!((given.code, given.err), (2, format!("harvest: {world}: {told}\n")));
    let given = bitstep(&["verify", &own]);
    let told = "byte 255: a snapshot with a game in it, not of a world alone: its own program reads it";
    assert_eq!((given.code, given.err), (2, format!("bitstep: {own}: {told}\n")));
}

#[test]
fn the_world_of_a_match_is_a_recording_for_those_without_the_game() {
    let path = played("whole.replay", &[]);
    let target = file("bodies.replay", b"");
    let clipped = harvest(&["clip", &path, "--world", "--output", &target]);
    assert_eq!((clipped.code, clipped.err.as_str()), (0, ""));
    assert!(clipped.out.starts_with(&format!("{target}: the world of harvest, ")), "{}", clipped.out);
    let verified = bitstep(&["verify", &target]);
    let told = format!("{target}: all 300 ticks match, to the last bit");
    assert!(verified.code == 0 && verified.out.starts_with(&told), "{}", verified.out);
    let refused = bitstep(&["clip", &target, "--world"]);
    assert_eq!((refused.code, refused.err), (2, format!("bitstep: {target}: is of a world alone\n")));
}

#[test]
fn the_cost_of_a_match_says_where_the_rules_of_the_game_are() {
    let (path, picture) = (played("costly.replay", &[]), file("costly.svg", b""));
    let Answer { code, out, .. } = harvest(&["plot", &path, "--cost=1", "--output", &picture]);
    assert!(
        code == 0 && out.contains("\n  cost          ") && out.contains("; one play, measured here\n"),
        "{out}"
    );
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains(">apply and report include the rules of harvest</text>"), "{svg}");
}

#[test]
fn bodies_of_differences_have_the_names_of_the_game() {
    let path = played("named.replay", &["--inject", "70:2:pos.x@impacts"]);
    let compared = harvest(&["diff", &path]);
    assert_eq!(compared.code, 1);
    let told = "  field         slots[2].body.position.x, of the body in slot 2, worker ";
    let line = compared.out.lines().find(|line| line.starts_with(told)).expect(&compared.out);
    assert!(line.ends_with(" of player 1") || line.ends_with(" of player 2"), "{line}");
    let value: Value = serde_json::from_str(&harvest(&["diff", &path, "--json"]).out).unwrap();
    assert!(line.ends_with(value["body"].as_str().unwrap()), "{value}");
    // What is not of a body has no name.
    let path = played("unnamed.replay", &["--inject", "70:game.gold[1]@orders"]);
    let value: Value = serde_json::from_str(&harvest(&["diff", &path, "--json"]).out).unwrap();
    assert_eq!((&value["difference"]["path"], &value["body"]), (&Value::from("game.gold[1]"), &Value::Null));
}

#[test]
fn a_match_is_verified_shown_sought_in_and_migrated() {
    let path = played("match.replay", &[]);
    let verified = harvest(&["verify", &path]);
    assert_eq!(verified.code, 0);
    assert!(
        verified.out.starts_with(&format!("{path}: all 300 ticks match, to the last bit")),
        "{}",
        verified.out
    );

    let shown = harvest(&["show", &path]).out;
    assert!(shown.contains("\n  game          harvest\n") && shown.contains("\n  inputs        "), "{shown}");
    let state = harvest(&["show", &path, "--tick", "200"]);
    assert!(
        state.out.contains("\n  game.gold[0]  ") && state.out.contains("\n  game.workers[0].dug  "),
        "{}",
        state.out
    );
    let worker = state.out.lines().find(|line| line.contains("  mass 1  position")).expect(&state.out);
    assert!(worker.contains(" per tick  worker "), "{worker}");
    let sought = harvest(&["seek", &path, "200"]);
    assert_eq!((sought.code, sought.out), (0, state.out));
    let tree = harvest(&["show", &path, "--tree", "200"]).out;
    for phase in ["orders", "impacts", "harvest", "end"] {
        assert!(tree.lines().any(|line| line.ends_with(&format!("   {phase}"))), "{phase}");
    }
    assert!(tree.contains("game.gold\n"), "the game's parts are branches");
    let traced = harvest(&["show", &path, "--trace"]);
    assert!(traced.code == 2 && traced.err.contains("without a game"), "{}", traced.err);

    let migrated = harvest(&["migrate", &path, "--json"]);
    assert!(migrated.code == 0 && migrated.out.contains("\"recorded\":\"gold "), "{}", migrated.out);
    // The game of a recording is named.
    let other = bitstep(&["verify", &path]);
    assert!(other.code == 2 && other.err.contains("its own program reads it"), "{}", other.err);
    let world = harvest(&["verify", &crate::golden("break.replay")]);
    assert!(world.code == 2 && world.err.starts_with("harvest: "), "{}", world.err);
}

#[test]
fn a_number_of_the_game_put_wrong_is_found_with_mark_and_path() {
    for mark in ["orders", "harvest", "end"] {
        let injection = format!("70:game.gold[1]@{mark}");
        let path = played(&format!("gold-{mark}.replay"), &["--inject", &injection]);
        let Answer { code, out, .. } = harvest(&["diff", &path]);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((code, lines[0]), (1, "game state: the game's own state diverges first"));
        assert_eq!(lines[1], format!("  tick          70, after {mark}"), "{out}");
        assert_eq!(lines[2], "  field         game.gold[1]");
        assert_eq!(harvest(&["verify", &path]).code, 1);
    }
    let (good, bad) =
        (played("good.replay", &[]), played("dug.replay", &["--inject", "120:game.workers[2].dug@harvest"]));
    let clip = file("dug.clip", b"");
    assert_eq!(harvest(&["clip", &bad, "--tick", "120", "--output", &clip]).code, 0);
    for right in [&bad, &clip] {
        let Answer { code, out, .. } = harvest(&["diff", &good, right]);
        assert_eq!(code, 1);
        let found = "\n  tick          120, after harvest\n  field         game.workers[2].dug\n";
        assert!(out.contains(found), "{out}");
        assert!(out.contains(&format!("another run here agrees with {good}\n")), "{out}");
    }
}

#[test]
fn commands_that_the_game_gave_come_with_their_line() {
    let path = played("lines.replay", &["--inject", "1:gravity.y@orders"]);
    let Answer { code, out, .. } = harvest(&["diff", &path, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &found["verdict"]), (1, &"physics".into()));
    // A hire is among the first ticks of the match; its spawn comes from `Harvest::hire`.
    let hired = (1..40).find_map(|tick| {
        let injection = format!("{tick}:gravity.y@orders");
        let path = played("hired.replay", &["--inject", &injection]);
        let out = harvest(&["diff", &path]).out;
        out.contains("Spawn(").then_some(out)
    });
    let hired = hired.expect("a worker is hired in the first ticks");
    assert!(hired.contains("  at crates/program/examples/harvest.rs:"), "{hired}");
}
