//! Small worlds under any commands, at the limits of the arithmetic: every law at once.

mod draws;
pub mod laws;

pub use draws::Case;

use std::sync::Arc;

use arbitrary::Unstructured;
use bitstep::{
    snapshot,
    tick::TickReport,
    world::{Command, World},
};

use laws::{assert_events, assert_report, assert_sleep, assert_sound, is_deeper, may_overlap, overlapping};

/// Draws a world and plays it; whether anybody met anything.
///
/// # Panics
///
/// If a law is broken.
pub fn body(bytes: &[u8]) -> bool {
    match Case::draw(&mut Unstructured::new(bytes)) {
        Ok(Some(case)) => play(&case),
        _ => false,
    }
}

/// Plays a case; whether anybody met anything. A state that is refused is no world.
///
/// # Panics
///
/// If a law is broken.
pub fn play(case: &Case) -> bool {
    let Ok(mut world) = World::new(case.limits, Arc::clone(&case.scenery)) else { return false };
    let (mut report, mut impacts) = (TickReport::with_events(), 0);
    for commands in &case.ticks {
        let before = world.clone();
        world.tick(commands, &mut report);
        assert_report(&report, &before, &world);
        assert_eq!(report, restored(&before, commands, &world));
        impacts += report.impacts.len();
    }
    impacts > 0
}

/// The same tick of the same world, from its snapshot, with the commands one by one; its report.
fn restored(before: &World, commands: &[Command], after: &World) -> TickReport {
    let mut world = snapshot::decode(&snapshot::encode(before), before.scenery()).expect("a state");
    let (mut report, mut outcomes, mut momentum) = (TickReport::with_events(), Vec::new(), [0; 3]);
    let mut woke = Vec::new();
    let mut pairs = overlapping(&world);
    for &command in commands {
        let applied = world.apply(&[command]);
        outcomes.extend(applied.outcomes);
        woke.extend(applied.woke);
        momentum.iter_mut().zip(applied.momentum).for_each(|(sum, part)| *sum += part);
        let now = overlapping(&world);
        assert!(may_overlap(&command) || now.is_subset(&pairs), "{command:?} overlaps");
        pairs = now;
    }
    let entry = world.clone();
    world.step(&mut report);
    report.woke.extend(woke);
    report.woke.sort_unstable();
    let now = overlapping(&world);
    assert!(now.is_subset(&pairs), "overlaps in a tick: {:?}", now.difference(&pairs));
    let deeper = now.iter().find(|pair| is_deeper(&entry, &world, **pair));
    assert!(deeper.is_none(), "deeper in a tick: {deeper:?}");
    let is_cut = entry.limits().pairs_max < 1 << 22;
    assert!(is_cut || report.overlapping as usize == pairs.len(), "{} of {pairs:?}", report.overlapping);
    assert_events(&report, &entry, &world);
    assert_sleep(&report, before, &entry, &world);
    for (id, body) in world.bodies() {
        assert_sound(body, entry.body(id));
        let is_back = report.rolled_back.contains(&id);
        assert!(!is_back || entry.body(id).is_some_and(|was| was.position == body.position), "{id} is back");
    }
    assert_eq!(snapshot::encode(&world), snapshot::encode(after), "restored and continued");
    (report.outcomes, report.ledger.commands) = (outcomes, momentum);
    report
}
