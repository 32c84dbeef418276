//! A world of the fuzz target that breaks a law, made small and written as a scene.

use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::Unstructured;
use bitstep::{World, session::Simulation};

use crate::{
    seeds,
    shrink::{Cast, Failure, Script, explain, failure, quietly, shrink},
    worlds::{self, Case},
};

/// The target's body; a world that breaks a law fails as the smallest scene that does.
pub fn body(bytes: &[u8]) -> bool {
    let mut has_effect = false;
    if quietly(|| has_effect = worlds::body(bytes)).is_err() {
        static FAILED: AtomicUsize = AtomicUsize::new(0);
        let number = FAILED.fetch_add(1, Ordering::Relaxed);
        let case = Case::draw(&mut Unstructured::new(bytes)).expect("a case").expect("a world");
        panic!("{}", explain(&format!("fuzzed-{number}"), &script(&case), &keeps_every_law));
    }
    has_effect
}

/// The commands of a case for bodies by their numbers. The tick in which the world fails is the last one.
fn script(case: &Case) -> Script {
    let mut script = Script::new(case.limits, &case.scenery);
    let Ok(mut world) = World::new(case.limits, case.scenery.clone()) else { return script };
    let mut cast = Cast::default();
    for commands in &case.ticks {
        script.ticks.push(Vec::new());
        let tick = script.ticks.last_mut().expect("a tick");
        let is_played = quietly(|| {
            for &command in commands {
                let order = cast.order(command);
                tick.push(order);
                let _ = cast.apply(&order, &mut world);
            }
            world.step(&mut Default::default());
        });
        if is_played.is_err() {
            break;
        }
    }
    script
}

/// The commands of a script with the ids that its bodies get.
fn case(script: &Script) -> Case {
    let mut ticks = Vec::new();
    let (mut world, mut cast) = (script.initial_state(), Cast::default());
    for orders in &script.ticks {
        let mut commands = Vec::new();
        let is_played = quietly(|| {
            for order in orders {
                commands.push(cast.command(order));
                let _ = cast.apply(order, &mut world);
            }
            world.step(&mut Default::default());
        });
        ticks.push(commands);
        if is_played.is_err() {
            break;
        }
    }
    Case { limits: script.limits, scenery: script.scenery.clone(), ticks }
}

fn keeps_every_law(script: &Script) {
    worlds::play(&case(script));
}

/// A law that most worlds break.
fn never_meets(script: &Script) {
    assert!(!worlds::play(&case(script)), "bodies meet");
}

fn cases() -> impl Iterator<Item = (String, Case)> {
    let drawn = |bytes: Vec<u8>| Case::draw(&mut Unstructured::new(&bytes)).ok().flatten();
    seeds("world").into_iter().filter_map(move |(name, bytes)| Some((name, drawn(bytes)?)))
}

#[test]
fn a_script_of_a_world_is_the_world() {
    let checksums = |case: &Case| {
        let mut world = World::new(case.limits, case.scenery.clone()).ok()?;
        let tick = |commands: &Vec<_>| {
            let _ = world.tick(commands, &mut Default::default());
            world.checksum()
        };
        Some(case.ticks.iter().map(tick).collect::<Vec<_>>())
    };
    let same = cases().filter(|(name, one)| {
        let expected = checksums(one);
        assert_eq!(checksums(&case(&script(one))), expected, "{name}");
        expected.is_some()
    });
    assert!(same.count() > 10);
}

#[test]
fn a_world_that_breaks_a_law_shrinks() {
    let mut shrunk = 0;
    for (name, case) in cases() {
        let script = script(&case);
        let Some(whole) = failure(&script, &never_meets) else { continue };
        let (small, Failure { message }) = shrink(&script, &never_meets).expect("it breaks the law");
        println!("{name}: {} commands of {}", small.commands(), script.commands());
        assert_eq!(
            (&message, failure(&small, &never_meets)),
            (&whole.message, Some(whole.clone())),
            "{name}"
        );
        assert!(small.commands() <= 2, "{name}: {} commands", small.commands());
        shrunk += 1;
    }
    assert!(shrunk > 5, "{shrunk} worlds");
}
