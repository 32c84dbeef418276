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
