//! `plot`: the numbers of a recording as a picture.

use std::fs;

use crate::{Answer, TICK, assert_refused, bitstep, bitstep_fed, change_record, file, recording};

#[test]
fn the_numbers_of_two_balls_are_drawn() {
    let replay = recording("two balls.replay");
    let picture = file("two balls.svg", b"");
    let Answer { code, out, err } = bitstep(&["plot", &replay, "-o", &picture]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with(&format!("{picture}\n")) && out.ends_with("  shows         20 ticks\n"), "{out}");
    insta::assert_snapshot!("two_balls", fs::read_to_string(&picture).unwrap());
}

/// Two crates that fall, lie still and sleep for the rest of ten thousand ticks.
const LONG: &str = "\
(
    title: \"Two crates\",
    tick_rate: 60,
    ticks: 10000,
    sleep: 0.5,
    gravity: (0, -9.8, 0),
    materials: {\"wood\": (restitution: 0, friction: 0.5)},
    shapes: {\"crate\": aabb(half: (0.5, 0.5, 0.5)), \"floor\": plane(normal: (0, 1, 0))},
    statics: [(shape: \"floor\", material: \"wood\", position: (0, 0, 0))],
    bodies: [
        body(shape: \"crate\", material: \"wood\", position: (0, 1, 0)),
        body(shape: \"crate\", material: \"wood\", position: (3, 2, 0)),
    ],
)
";

#[test]
fn a_long_recording_has_no_more_columns_than_a_picture() {
    let (replay, picture) = (file("two crates.replay", b""), file("two crates.svg", b""));
    assert_eq!(bitstep_fed(&["run", "-", "--record", &replay], LONG.as_bytes()).code, 0);
    let Answer { code, out, .. } = bitstep(&["plot", &replay, "-o", &picture]);
    assert_eq!(code, 0);
    assert!(out.ends_with("  shows         10,000 ticks\n"), "{out}");
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.len() < 64 << 10, "{}", svg.len());
    let areas = (0..7).filter(|index| svg.contains(&format!("<path class=\"n{index}\""))).collect::<Vec<_>>();
    assert_eq!(areas, [0, 2, 3, 5, 6], "no body is held, so nothing is drawn of it");
    // They fall and lie: of two causes there are a line and its name.
    assert_eq!(svg.matches("<path class=\"line").count(), 4);
    assert!(svg.contains(">gravity</text>") && svg.contains(">statics</text>"), "{svg}");
    assert!(svg.contains(">asleep</text>") && svg.contains(">bodies; at most 2<"), "{svg}");
}

#[test]
fn momenta_are_per_second_whatever_the_steps() {
    // A crate of mass 3 falls: 3 * 9.8 / 60 in every tick, in one step or in four.
    for steps in [1, 4] {
        let scene = format!(
            "(title: \"Fall\", tick_rate: 60, substeps: {steps}, ticks: 5, gravity: (0, -9.8, 0), \
             materials: {{\"m\": (restitution: 0)}}, shapes: {{\"crate\": aabb(half: (0.5, 0.5, 0.5))}}, \
             bodies: [body(shape: \"crate\", material: \"m\", mass: 3, position: (0, 1, 0))])"
        );
        let (replay, picture) =
            (file(&format!("fall {steps}.replay"), b""), file(&format!("fall {steps}.svg"), b""));
        assert_eq!(bitstep_fed(&["run", "-", "--record", &replay], scene.as_bytes()).code, 0);
        assert_eq!(bitstep(&["plot", &replay, "-o", &picture]).code, 0);
        let svg = fs::read_to_string(&picture).unwrap();
        let (_, most) = svg.split_once("units/s per tick; at most ").unwrap();
        // Gravity is rounded for each step.
        assert!(most.starts_with("0.49<") || most.starts_with("0.489<"), "{steps}: {most}");
    }
}

/// The panels of a picture, each as it is written.
fn panels(svg: &str) -> Vec<&str> {
    svg.split("<g class=\"panel\">").skip(1).map(|panel| panel.split_once("</g>").unwrap().0).collect()
}

/// The heights of an outline above its bottom at the left edges and the middles of columns, from the path of its area.
fn heights(path: &str, columns: usize) -> Vec<i32> {
    let (begin, steps) = path.strip_prefix('M').unwrap().split_once('H').unwrap();
    let (left, bottom) = begin.split_once(' ').unwrap();
    let [left, bottom]: [i32; 2] = [left, bottom].map(|number| number.parse().unwrap());
    let steps = steps.strip_suffix(&format!("V{bottom}Z")).unwrap();
    // The height from one place on.
    let mut from = vec![(left, 0)];
    let (steps, right) = steps.rsplit_once('H').unwrap_or(("", steps));
    for step in steps.split('H').filter(|step| !step.is_empty()) {
        let (x, y) = step.split_once('V').unwrap();
        from.push((x.parse().unwrap(), bottom - y.parse::<i32>().unwrap()));
    }
    let width = right.parse::<i32>().unwrap() - left;
    let at = |half: i32| left + width * half / (2 * columns as i32);
    let height = |x: i32| from.iter().rev().find(|(begin, _)| *begin <= x).unwrap().1;
    (0..2 * columns as i32).map(|half| height(at(half))).collect()
}

#[test]
fn the_cost_is_drawn_by_phases_and_changes_no_other_panel() {
    let replay = recording("costly balls.replay");
    let pictures = [("plain.svg", None), ("again.svg", None), ("cost.svg", Some("--cost=3"))];
    let [plain, again, costly] = pictures.map(|(name, cost)| {
        let picture = file(name, b"");
        let answer = bitstep(&[&["plot", &replay, "-o", &picture], cost.as_slice()].concat());
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        assert_eq!(answer.out.contains("; the median of 3 plays, measured here\n"), cost.is_some());
        fs::read_to_string(&picture).unwrap()
    });
    assert_eq!(plain, again);
    assert!(!plain.contains("measured"), "{plain}");
    let (before, all) = (panels(&plain), panels(&costly));
    assert_eq!((before.len(), all.len()), (7, 8));
    assert_eq!(before, all[..7]);
    let panel = all[7];
    assert!(panel.contains(">cost by</text>") && panel.contains(">\u{b5}s per tick; at most "), "{panel}");
    assert!(
        panel.contains("measured on this machine (") && panel.contains(": the median of 3 plays; "),
        "{panel}"
    );
    let names: Vec<_> = panel.split("<rect class=\"p").skip(1).collect();
    for (index, name) in ["apply", "integrate", "rest", "impacts", "finish", "report"].iter().enumerate() {
        let is_named =
            names[index].starts_with(&format!("{index}\"")) && names[index].contains(&format!(">{name}</"));
        assert!(is_named, "{name}: {panel}");
    }
    // From the sum of all down to the first phase alone.
    let areas: Vec<_> = panel
        .split("<path class=\"p")
        .skip(1)
        .map(|path| heights(path.split('"').nth(2).unwrap(), 21))
        .collect();
    assert_eq!(areas.len(), 6);
    assert_eq!(areas[0].iter().max(), Some(&2_000), "the costliest tick is as high as the panel");
    assert_eq!(areas[0][..2], [0, 0], "the initial state took no time");
    assert!(areas[5].iter().all(|height| *height >= 0), "{panel}");
    for pair in areas.windows(2) {
        assert!(pair[0].iter().zip(&pair[1]).all(|(sum, part)| sum >= part), "{panel}");
    }
}

#[test]
fn numbers_of_plays_that_are_none_are_refused() {
    let replay = recording("unplayed.replay");
    for (argument, told) in [
        ("--cost=0", "0 is not in 1..=99"),
        ("--cost=100", "100 is not in 1..=99"),
        ("--cost=", "invalid value '' for '--cost[=<PLAYS>]'"),
        ("--cost=fast", "invalid value 'fast' for '--cost[=<PLAYS>]'"),
        ("--costs", "a similar argument exists: '--cost'"),
    ] {
        let Answer { code, out, err } = bitstep(&["plot", &replay, argument]);
        assert_eq!((code, out.as_str()), (2, ""), "{argument}");
        assert!(err.contains(told), "{argument}: {err}");
    }
    // A number behind a space is a second file.
    assert!(bitstep(&["plot", "--cost", &replay, "9"]).err.contains("unexpected argument '9'"));
}

#[test]
fn faults_of_a_recording_are_told_beside_its_picture() {
    let mut bytes = fs::read(recording("diverged-plot.replay")).unwrap();
    change_record(&mut bytes, TICK, 7, |content| content[0] ^= 1);
    let replay = file("diverged-plot.replay", &bytes);
    let picture = file("diverged-plot.svg", b"");
    let Answer { code, out, .. } = bitstep(&["plot", &replay, "-o", &picture]);
    assert_eq!(code, 1);
    assert!(out.contains(&format!("this build does not come to what {replay} has of tick 7")), "{out}");
    let at = bytes.len() - 200;
    bytes[at] ^= 4;
    let replay = file("damaged-plot.replay", &bytes);
    assert_eq!(bitstep(&["plot", &replay, "-o", &picture]).code, 2);
    let told = format!("{replay}: cannot be written: it is the recording");
    assert_refused(&["plot", &replay, "-o", &replay], &told);
}
