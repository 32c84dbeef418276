//! The number of steps in a tick.

use bitstep::num::lit;

use super::{Scene, assert_error_at, scene};

/// A scene with one body and a word for steps.
fn stepped(word: &str) -> String {
    let body =
        "body(name: \"a\", shape: \"ball\", material: \"m\", position: (0, 9, 0), velocity: (36, 0, 0))";
    scene(body, "").replace("ticks: 10,", &format!("ticks: 10, {word}"))
}

#[test]
fn velocities_are_per_step() {
    for (word, steps, speed) in
        [("", 1, lit("0.6")), ("substeps: 1,", 1, lit("0.6")), ("substeps: 6,", 6, lit("0.1"))]
    {
        let scene = Scene::parse(&stepped(word)).unwrap();
        assert_eq!(scene.initial_state.limits().substeps, steps, "{word}");
        let (_, body) = scene.initial_state.bodies().next().unwrap();
        assert_eq!(body.velocity().x, speed, "{word}");
    }
}

#[test]
fn too_many_and_none_are_pointed_at() {
    assert_error_at(&stepped("substeps: @0,"), "substeps is 0, must be a whole number in 1..=16");
    assert_error_at(&stepped("substeps: @17,"), "substeps is 17, must be a whole number in 1..=16");
    let fast = stepped("substeps: @16,").replace("tick_rate: 60", "tick_rate: 100");
    assert_error_at(&fast, "substeps is 16, must be a whole number in 1..=10");
}

#[test]
fn numbers_that_stand_beside_the_limits_are_not_among_them() {
    for word in ["substeps: 4", "tick_rate: 30", "sleep: \"1\""] {
        let name = word.split(':').next().unwrap();
        let expected = format!("`{name}` stands beside `limits`, not in it");
        assert_error_at(&stepped(&format!("limits: (@{word}),")), &expected);
    }
}
