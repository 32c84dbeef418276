//! A game that breaks a law shrinks to a handful of commands, and to a scene that breaks it in the same way.

use bitstep::{
    World,
    state::{Refusal, Refused},
    tick::TickReport,
};

use crate::{
    game::recorded,
    shrink::{Failure, Script, failure, shrink},
    support::s,
};

/// A law that must hold around every tick: the world before its commands, the world after it, its report.
type Law = fn(&World, &World, &TickReport);

/// Laws that no game keeps.
const PLANTED: [(&str, Law); 4] = [
    ("planted-place", no_body_goes_beyond_3),
    ("planted-way", no_body_of_layer_two_goes_up_fast),
    ("planted-blocked", no_body_is_ever_blocked),
    ("planted-layers", no_layers_clash),
];

/// Largest number of commands left, of hundreds in 150 ticks.
const COMMANDS: usize = 6;
const TICKS: usize = 30;

fn no_body_goes_beyond_3(_: &World, world: &World, report: &TickReport) {
    // Another failure of the same law, which is not the one under test.
    assert!(world.bodies().count() > 0, "an empty world");
    for (id, body) in world.bodies() {
        assert!(body.position.x <= s("3"), "x of {id} is {} after tick {}", body.position.x, report.tick);
    }
}

fn no_body_of_layer_two_goes_up_fast(before: &World, world: &World, _: &TickReport) {
    for (id, body) in world.bodies().filter(|(id, _)| before.body(*id).is_some()) {
        assert!(body.layer != 2 || body.velocity().y <= s("0.1"), "{id} goes up in layer two");
    }
}

fn no_body_is_ever_blocked(_: &World, _: &World, report: &TickReport) {
    assert!(report.blocked.is_empty(), "blocked: {:?}", report.blocked[0].body.slot());
}

fn no_layers_clash(_: &World, _: &World, report: &TickReport) {
    let clashes = |refused: &Refused| matches!(refused.reason, Refusal::OverlapsNow { .. });
    assert!(!report.refusals().any(clashes), "layers clash");
}

fn keeps(law: Law) -> impl Fn(&Script) {
    move |script| script.play(law)
}

#[test]
fn a_failing_game_shrinks_to_a_handful_of_commands() {
    let script = recorded(2, 20, 150);
    assert!(script.commands() > 700);
    for (name, law) in PLANTED {
        let laws = keeps(law);
        let whole = failure(&script, &laws).unwrap_or_else(|| panic!("the game keeps {name}"));
        let (small, Failure { message }) = shrink(&script, &laws).unwrap();
        let (commands, ticks) = (small.commands(), small.ticks.len());
        println!("{name}: {message}: {commands} commands in {ticks} ticks");
        assert!(commands <= COMMANDS && ticks <= TICKS, "{name}: {commands} commands in {ticks} ticks");
        assert_eq!(failure(&small, &laws), Some(Failure { message: message.clone() }), "{name}");
        let words = |text: &str| text.split(|c: char| c.is_ascii_digit()).collect::<String>();
        assert_eq!(words(&message), words(&whole.message), "{name}: another failure");
        // No command can be omitted.
        for tick in 0..small.ticks.len() {
            for place in 0..small.ticks[tick].len() {
                let mut less = small.clone();
                less.ticks[tick].remove(place);
                assert_ne!(failure(&less, &laws), Some(Failure { message: message.clone() }), "{name}");
            }
        }
    }
}

#[test]
fn a_game_that_keeps_a_law_does_not_shrink() {
    let script = recorded(1, 10, 20);
    assert!(shrink(&script, &crate::game::keeps_every_law).is_none());
}

mod scenes {
    //! The files, as the scene package reads them.

    use std::{collections::BTreeSet, fs, mem::discriminant};

    use bitstep::{snapshot, state::BodyType, tick::TickReport};

    use bitstep_scene::Scene;

    use super::{Law, PLANTED, keeps, recorded};
    use crate::shrink::{SceneFile, explain, quietly, scene_file};

    /// Plays a scene as the program does.
    fn play(text: &str, law: Law) {
        let mut scene = Scene::parse(text).unwrap();
        let (mut world, mut report) = (scene.initial_state, TickReport::default());
        for tick in 1..=scene.ticks {
            let before = world.clone();
            let commands = scene.timeline.commands(tick, &world);
            let _ = world.tick(&commands, &mut report);
            law(&before, &world, &report);
        }
    }

    #[test]
    fn the_scene_of_a_failing_game_fails_in_the_same_way() {
        for (name, law) in PLANTED {
            let text = explain(name, &recorded(2, 20, 150), &keeps(law));
            let (said, file) = text.split_once("bitstep run ").unwrap();
            println!("{text}\n{}", fs::read_to_string(file).unwrap());
            let message = quietly(|| play(&fs::read_to_string(file).unwrap(), law)).unwrap_err();
            assert_eq!(said.lines().next(), message.lines().next(), "{name}");
            let scene = Scene::parse(&fs::read_to_string(file).unwrap()).unwrap();
            assert!(scene.title.contains(name), "{}", scene.title);
        }
    }

    /// Every command, every kind, and bodies that do not exist: to the last bit of every tick.
    #[test]
    fn a_scene_of_a_game_is_the_game() {
        for (seed, rate) in [(1, 10), (2, 20), (3, 60), (4, 120)] {
            let script = recorded(seed, rate, 80);
            let SceneFile { text, left_out } = scene_file(&script, "a \"game\"", "tick 1\nof {2}");
            assert_eq!(left_out, [""; 0]);
            let commands = script.ticks.iter().flatten().map(|order| order.command);
            let kinds: BTreeSet<_> = commands.clone().map(|it| format!("{:?}", discriminant(&it))).collect();
            assert_eq!(kinds.len(), 13, "every command there is");
            assert!(script.ticks.iter().flatten().any(|order| order.body.is_none()));
            let mut scene = Scene::parse(&text).unwrap();
            assert_eq!(
                (scene.title.as_str(), scene.about.as_deref()),
                ("a \"game\"", Some("tick 1\nof {2}"))
            );
            assert_eq!(scene.initial_state.scenery().content_hash(), script.scenery.content_hash());
            assert_eq!(scene.initial_state.limits(), &script.limits);
            let (mut world, mut report, mut tick) = (scene.initial_state, TickReport::default(), 0);
            let mut kinds = BTreeSet::new();
            script.play(|_, expected, of_script| {
                tick += 1;
                let commands = scene.timeline.commands(tick, &world);
                let _ = world.tick(&commands, &mut report);
                assert_eq!(report.impacts, of_script.impacts, "tick {tick} of game {seed}");
                assert!(snapshot::encode(&world) == snapshot::encode(expected), "tick {tick} of game {seed}");
                kinds.extend(world.bodies().map(|(_, body)| format!("{:?}", body.body_type)));
            });
            assert_eq!(
                (tick, kinds.len()),
                (80, [BodyType::Static, BodyType::Kinematic, BodyType::Dynamic].len())
            );
        }
    }
}
