//! `show` and `seek`: what is in a recording, and where everything is at a tick.

use crate::{bitstep, recording};

#[test]
fn bodies_are_shown_after_any_tick() {
    let replay = recording("show.replay");
    let opening = bitstep(&["show", &replay, "--tick", "0"]);
    let lines: Vec<&str> = opening.out.lines().collect();
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
