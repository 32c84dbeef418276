//! `show` and `seek`: the content of a recording, and its state at a tick.

use bitstep::{World, replay::Replay, snapshot::RULES_VERSION};

use crate::{
    Answer, SMALL, TICK, assert_refused, bitstep, bitstep_fed, change_record, file, golden, recording,
};

#[test]
fn bodies_are_shown_after_any_tick() {
    let replay = recording("show.replay");
    let initial_state = bitstep(&["show", &replay, "--tick", "0"]);
    let lines: Vec<&str> = initial_state.out.lines().collect();
    assert!(lines[0].starts_with("after tick 0 (10 per second): 2 bodies, checksum "), "{}", lines[0]);
    assert_eq!(lines[1], "     0  sphere  mass 1  position (0, 0, 0)  velocity (1, 0, 0) per tick");
    assert_eq!(lines[2], "     1  sphere  mass 1  position (5.5, 0, 0)  velocity (0, 0, 0) per tick");
    // Equal masses hand the velocity over whole; the left one was removed.
    let last = bitstep(&["show", &replay, "--tick", "20"]);
    assert!(last.out.ends_with("velocity (1, 0, 0) per tick\n"), "{}", last.out);
    assert_eq!(last.out.lines().count(), 2);
    let refused = bitstep(&["show", &replay, "--tick", "21"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.ends_with("show.replay: --tick is 21, must be in 0..=20\n"), "{}", refused.err);
}

#[test]
fn ground_that_is_dug_is_counted_in_tiles() {
    let scene = file(
        "dug.ron",
        b"(title: \"dug\", tick_rate: 10, ticks: 3, materials: { \"m\": (restitution: 0) },
        shapes: { \"g\": heights(cell: 1, unit: 1, rows: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]) },
        statics: [(name: \"g\", shape: \"g\", material: \"m\", position: (0, 0, 0))], bodies: [],
        timeline: [(tick: 2, commands: [set_heights(ground: \"g\", at: (1, 1), rows: [[-1]])]),
          (tick: 3, commands: [set_heights(ground: \"g\", at: (1, 1), rows: [[0]])])])",
    );
    let replay = file("dug.replay", b"");
    let told = bitstep(&["run", &scene, "--record", &replay]);
    assert!(told.code == 0 && told.out.contains("2 applied, 0 refused"), "{} {}", told.out, told.err);
    for (tick, content) in [("1", "0 bodies"), ("2", "0 bodies, 1 tile of ground changed"), ("3", "0 bodies")]
    {
        let shown = bitstep(&["show", &replay, "--tick", tick]).out;
        assert!(
            shown.starts_with(&format!("after tick {tick} (10 per second): {content}, checksum ")),
            "{shown}"
        );
    }
}

#[test]
fn seek_shows_what_show_shows_by_keyframes_and_by_an_index() {
    let replay = golden("break.replay");
    let index = format!("{}/break.index", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&index);
    let played = |told: &Answer| {
        let (_, rest) = told.err.rsplit_once(": ").unwrap();
        rest.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    for tick in ["0", "1", "299", "600"] {
        let shown = bitstep(&["show", &replay, "--tick", tick]);
        let sought = bitstep(&["seek", &replay, tick]);
        assert_eq!((sought.code, &sought.out), (0, &shown.out), "{tick}");
        let indexed = bitstep(&["seek", &replay, tick, "--index", &index]);
        assert_eq!((indexed.code, &indexed.out), (0, &shown.out), "{tick}");
        assert_eq!(indexed.err.lines().count(), if tick == "0" { 2 } else { 1 }, "{}", indexed.err);
        assert!(played(&indexed) <= played(&sought), "{} {}", indexed.err, sought.err);
    }
    assert!(played(&bitstep(&["seek", &replay, "599", "--index", &index])) <= 30);
    let other = bitstep(&["seek", &golden("cradle.replay"), "5", "--index", &index]);
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert!(other.err.starts_with(&format!("bitstep: {index}: ")), "{}", other.err);
    assert_refused(&["seek", &replay, "601"], &format!("{replay}: the tick is 601, must be in 0..=600"));
}

#[test]
fn a_state_that_is_not_the_recorded_one_is_shown_and_said_to_be_another() {
    let original = std::fs::read(recording("unreached.replay")).unwrap();
    let mut bytes = original.clone();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let replay = file("unreached.replay", &bytes);
    for tick in ["6", "7", "8"] {
        let shown = bitstep(&["show", &replay, "--tick", tick]);
        let sought = bitstep(&["seek", &replay, tick]);
        assert_eq!((sought.code, &sought.out), (shown.code, &shown.out));
        assert!(shown.out.starts_with(&format!("after tick {tick} ")), "{}", shown.out);
        assert_eq!((shown.code, shown.err.is_empty()), if tick == "7" { (1, false) } else { (0, true) });
        assert!(sought.err.ends_with(&shown.err), "{}", sought.err);
    }
    let found = Replay::<World>::read(&original).unwrap().ticks()[6].checksum;
    let check = |why: &str| {
        let told = bitstep(&["show", &replay, "--tick", "7"]);
        let differs =
            format!("this is not what was recorded: checksum {:08x}, here {found:08x}; ", found ^ 1);
        assert!(told.err.starts_with(&format!("bitstep: {replay}: {differs}")), "{}", told.err);
        assert!(told.code == 1 && told.err.ends_with(&format!("{why}\n")), "{}", told.err);
    };
    check(&format!("bitstep diff {replay}"));

    bytes[12..16].copy_from_slice(&(RULES_VERSION - 1).to_le_bytes());
    file("unreached.replay", &bytes);
    check(&format!("; it is of rules version {}, this build has {RULES_VERSION}", RULES_VERSION - 1));
}

#[test]
fn the_tree_of_a_tick_has_a_line_per_phase_body_and_field() {
    let replay = recording("tree.replay");
    let Answer { code, out, err } = bitstep(&["show", &replay, "--tree", "5"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "as it comes out here: the recording has no trace layer there");
    assert!(lines[1].ends_with(" tick 5"), "{out}");
    for phase in ["apply", "integrate", "rest", "impacts", "finish"] {
        assert_eq!(lines.iter().filter(|line| line.ends_with(&format!("   {phase}"))).count(), 1, "{phase}");
    }
    assert_eq!(lines.iter().filter(|line| line.ends_with("     slots[1]")).count(), 5, "{out}");
    assert_eq!(lines.iter().filter(|line| line.ends_with(".body.momentum.x")).count(), 10, "{out}");
    let told = format!("{replay}: no tick leads to --tree 0, where it opens");
    assert_refused(&["show", &replay, "--tree", "0"], &told);
}

#[test]
fn content_of_a_recording_is_told_with_bytes_per_tick_and_layers() {
    let replay = recording("contents.replay");
    let bytes = std::fs::metadata(&replay).unwrap().len();
    let out = bitstep(&["show", &replay]).out;
    assert!(out.contains(&format!("\n  size          {bytes} bytes, ")), "{out}");
    assert!(out.contains("\n  layers        no trace layers; "), "{out}");
    assert!(out.contains("\n  sleep         no body falls asleep\n"), "{out}");
    let sleepy = file("sleepy.replay", b"");
    let scene = SMALL.replace("tick_rate: 10,", "tick_rate: 10, sleep: 2.5,");
    assert_eq!(bitstep_fed(&["run", "-", "--record", &sleepy], scene.as_bytes()).code, 0);
    let told = bitstep(&["show", &sleepy]).out;
    assert!(told.contains("\n  sleep         after 25 ticks of stillness\n"), "{told}");
    let layered = file("layered.replay", b"");
    let run = bitstep_fed(&["run", "-", "--layers", "--record", &layered], SMALL.as_bytes());
    assert_eq!(run.code, 0);
    let out = bitstep(&["show", &layered]).out;
    assert!(out.contains("\n  layers        a trace layer in every tick: "), "{out}");
    assert!(out.contains(", trace layers "), "{out}");
    assert_eq!(bitstep(&["verify", &layered]).code, 0);
    assert!(bitstep(&["show", &layered, "--tree", "5"]).out.starts_with("as it was recorded\n"));
}
