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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_the_number_behind_its_last_blank_and_nothing_else() {
        for (name, plain) in [
            ("rest", "rest"),
            ("rest 2", "rest"),
            ("rest 10", "rest"),
            ("second wave 3", "second wave"),
            ("wave 3 4", "wave 3"),
            ("wave 2b", "wave 2b"),
            ("wave b2", "wave b2"),
            ("wave2", "wave2"),
            ("wave b", "wave b"),
        ] {
            assert_eq!(unnumbered(name), plain, "{name}");
        }
        assert_eq!((world_phase("rest 12"), world_phase("rest 2b")), (Some(Phase::Rest), None));
    }
}
