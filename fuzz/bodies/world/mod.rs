//! Small worlds under any commands, at the limits of the arithmetic: every law at once.

mod draws;
pub mod laws;

pub use draws::Case;

use std::sync::Arc;

use arbitrary::Unstructured;
use bitstep::{World, tick::TickReport};

use laws::Beside;

/// Draws a world and plays it; returns whether any bodies met.
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

/// Plays a case; returns whether any bodies met. A state that is refused is no world.
///
/// # Panics
///
/// If a law is broken.
pub fn play(case: &Case) -> bool {
    let Ok(mut world) = World::new(case.limits, Arc::clone(&case.scenery)) else { return false };
    world.enable_events(true);
    let (mut report, mut impacts) = (TickReport::default(), 0);
    for commands in &case.ticks {
        let mut beside = Beside::of(&world);
        let _ = world.tick(commands, &mut report);
        for &command in commands {
            let _ = beside.apply(command);
        }
        beside.step(&world, &report);
        impacts += report.impacts.len();
    }
    impacts > 0
}
