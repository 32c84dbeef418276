//! The time after which bodies fall asleep, and bodies that never do.

use bitstep::state::{Command, Sleep};

use super::{Scene, assert_error_at, scene};

/// A scene with one body and a word for sleep.
fn sleepy(word: &str, commands: &str) -> String {
    let body = "body(name: \"a\", shape: \"ball\", material: \"m\", position: (0, 9, 0))";
    let text = scene(body, &format!("(tick: 1, commands: [{commands}])"));
    text.replace("ticks: 10,", &format!("ticks: 10, {word}"))
}

#[test]
fn seconds_become_ticks_and_a_body_may_be_kept_awake() {
    for (word, ticks) in
        [("", 0), ("sleep: 0,", 0), ("sleep: 0.5,", 30), ("sleep: 0.042,", 3), ("sleep: 4.17,", 250)]
    {
        let scene = Scene::parse(&sleepy(word, "")).unwrap();
        assert_eq!(scene.initial_state.limits().sleep_after, ticks, "{word}");
    }
    let mut scene = Scene::parse(&sleepy("sleep: 0.5,", "set_sleep(body: \"a\", sleeps: false)")).unwrap();
    let commands = scene.timeline.commands(1, &scene.initial_state);
    let (body, _) = scene.initial_state.bodies().next().unwrap();
    assert_eq!(commands, [Command::SetSleep { body, sleeps: false }]);
    assert_eq!(
        scene.initial_state.apply(&commands).outcomes.iter().filter(|outcome| outcome.is_ok()).count(),
        1
    );
    assert_eq!(scene.initial_state.sleep(body), Some(Sleep::Never));
}

#[test]
fn sleep_that_is_too_short_or_too_long_is_pointed_at() {
    assert_error_at(&sleepy("sleep: @0.02,", ""), "sleep is 1 ticks, must be 0 or in 2..=250");
    assert_error_at(&sleepy("sleep: @4.2,", ""), "sleep is 252 ticks, must be 0 or in 2..=250");
}
