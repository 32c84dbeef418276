//! The names of phases and marks in a log.

use crate::tick::Phase;

/// The phase after everything that a game does in a tick.
pub(super) const END: &str = "end";

/// The phase of the world that a name in a log stands for, in any step of the tick; `None` for marks.
#[must_use]
pub fn world_phase(name: &str) -> Option<Phase> {
    Phase::ALL.into_iter().find(|phase| phase.name() == unnumbered(name))
}

/// A name without the number that distinguishes it from earlier ones.
pub(super) fn unnumbered(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}
