//! The scenes at other rates: the same seconds, in fewer or in more ticks.

use std::fs;

use bitstep::{World, replay::Replay, snapshot, tick::TickReport};
use bitstep_scene::Scene;

use super::{GOLDENS, JAM, LONG, breach, folder, read, row};

/// Ticks per second, and the number of steps of each.
type Pace = (u64, u64);

/// Scenes that are refused at a pace: 2,000 units per second are 200 in a step, and 40 radians 2.
const TOO_FAST: [(&str, Pace, &str); 3] =
    [("bullets", (10, 1), "-"), ("tumble", (10, 1), "-"), ("tumble", (20, 1), "-")];

/// Scenes that are not run at a pace; `replays/README.md` gives the reasons.
const LEFT_OUT: [(&str, Pace); 3] = [("castle", (10, 1)), ("castle", (20, 1)), ("valley", (10, 1))];

/// The number right after the first `key` of a scene's text, and where it stands.
fn number(text: &str, key: &str) -> (std::ops::Range<usize>, u64) {
    let start = text.find(key).unwrap() + key.len();
    let digits = text[start..].chars().take_while(char::is_ascii_digit).count();
    (start..start + digits, text[start..start + digits].parse().unwrap())
}

/// The scene's text at another pace: the same time for its end and, rounded down to a tick, for
/// its commands. Velocities and gravity are per second, and need nothing.
fn at_pace(text: &str, (rate, steps): Pace) -> String {
    let (place, recorded) = number(text, "tick_rate: ");
    let mut scaled = text.to_owned();
    let steps = if steps == 1 { String::new() } else { format!(",\n    substeps: {steps}") };
    scaled.replace_range(place, &format!("{rate}{steps}"));
    let (place, ticks) = number(&scaled, "\n    ticks: ");
    scaled.replace_range(place, &(ticks * rate / recorded).to_string());
    let mut pieces = scaled.split("(tick: ");
    let head = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(head, |done, piece| {
        let (place, tick) = number(piece, "");
        let tick = (tick - 1) * rate / recorded + 1;
        format!("{done}(tick: {tick}{}", &piece[place.end..])
    })
}

/// The name of a pace.
fn called((rate, steps): Pace) -> String {
    if steps == 1 { format!("{rate} Hz") } else { format!("{rate} Hz in {steps}") }
}

/// The entry of a scene at a pace in the table of `replays/README.md`.
fn published(name: &str, pace: Pace) -> String {
    let rates = row("held", "held");
    let column = rates.iter().position(|cell| *cell == called(pace)).unwrap();
    row("held", &format!("`{name}`"))[column].clone()
}

/// Statistics of a scene at a rate.
struct Seen {
    impacts: usize,
    /// Bodies that were held, summed over the ticks, and at most in one.
    held: [usize; 2],
    checksum: snapshot::Checksum,
}

fn run(name: &str, mut scene: Scene) -> Seen {
    let mut world = scene.initial_state;
    let (mut report, mut impacts, mut held) = (TickReport::default(), 0, [0; 2]);
    for tick in 1..=scene.ticks {
        let commands = scene.timeline.commands(tick, &world);
        let _ = world.tick(&commands, &mut report);
        assert_eq!(breach(name, &world, &report), None);
        impacts += report.impacts.len();
        held = [held[0] + report.impact_limited.len(), held[1].max(report.impact_limited.len())];
    }
    Seen { impacts, held, checksum: snapshot::checksum(&world) }
}

/// Runs every scene: only bodies of the jam are held in any tick, none is reverted or clamped, and the jam,
/// too, has no overlap.
fn assert_safe_at(pace: Pace) {
    let ((rate, steps), at) = (pace, called(pace));
    for name in GOLDENS.map(|golden| golden.name) {
        if LEFT_OUT.contains(&(name, pace)) {
            assert_eq!(published(name, pace), "-", "{name} at {at}");
            continue;
        }
        let text = fs::read_to_string(folder().join(name).with_extension("ron")).unwrap();
        let Ok(scene) = Scene::parse(&at_pace(&text, pace)) else {
            let cell = published(name, pace);
            assert!(TOO_FAST.contains(&(name, pace, cell.as_str())), "{name} at {at}");
            continue;
        };
        let limits = scene.initial_state.limits();
        assert_eq!((u64::from(limits.tick_rate), u64::from(limits.substeps)), pace);
        let ticks = if name == LONG.0 { scene.ticks.min(LONG.1 * rate) } else { scene.ticks };
        let Seen { impacts, held, checksum } = run(name, Scene { ticks, ..scene });
        assert!(impacts > 0, "{name} at {at}");
        if (rate, steps) == (number(&text, "tick_rate: ").1, 1) {
            // A scene that differs from its recording.
            let recorded = Replay::<World>::read(&read(name)).unwrap();
            assert_eq!(checksum.short(), recorded.ticks()[ticks as usize - 1].checksum, "{name}: record it");
            let is_whole = ticks == recorded.ticks().len() as u64;
            assert!(!is_whole || recorded.final_checksum() == Some(checksum), "{name}: record it");
        }
        let is_held = held != [0; 2];
        assert_eq!(is_held, name == JAM, "{name} at {at}");
        let cell = if is_held { format!("{} ({})", held[0], held[1]) } else { "0".to_owned() };
        assert_eq!(published(name, pace), cell, "{name} at {at} in replays/README.md");
    }
}

/// Ten thousand ticks of the castle, of which its recording has the first twelve hundred.
#[test]
#[ignore = "a minute; .ci/full runs it"]
fn the_castle_lies_still_in_the_end() {
    let text = fs::read_to_string(folder().join("castle.ron")).unwrap();
    let mut scene = Scene::parse(&text).unwrap();
    let (mut world, mut report) = (scene.initial_state, TickReport::default());
    for tick in 1..=10_000 {
        let commands = scene.timeline.commands(tick, &world);
        let _ = world.tick(&commands, &mut report); // a net would say so
        assert_eq!(breach("castle", &world, &report), None);
    }
    assert_eq!((world.sleepers().count(), world.bodies().count()), (200, 200));
}

#[test]
fn no_scene_needs_a_net_at_10_hz() {
    assert_safe_at((10, 1));
}

#[test]
fn no_scene_needs_a_net_at_20_hz() {
    assert_safe_at((20, 1));
}

#[test]
fn no_scene_needs_a_net_at_10_hz_in_six_steps() {
    assert_safe_at((10, 6));
}

#[test]
fn no_scene_needs_a_net_at_20_hz_in_three_steps() {
    assert_safe_at((20, 3));
}

#[test]
fn no_scene_needs_a_net_at_60_hz() {
    assert_safe_at((60, 1));
}

#[test]
fn no_scene_needs_a_net_at_120_hz() {
    assert_safe_at((120, 1));
}

#[test]
fn another_pace_changes_ticks_and_nothing_else() {
    let text = "(\n    tick_rate: 60,\n    ticks: 120,\n    [(tick: 1, a), (tick: 61, b), (tick: 64, 9)])";
    let slow = "(\n    tick_rate: 10,\n    ticks: 20,\n    [(tick: 1, a), (tick: 11, b), (tick: 11, 9)])";
    assert_eq!(at_pace(text, (10, 1)), slow);
    assert_eq!(at_pace(text, (10, 6)), slow.replace("10,\n", "10,\n    substeps: 6,\n"));
    assert_eq!(at_pace(text, (60, 1)), text);
}
