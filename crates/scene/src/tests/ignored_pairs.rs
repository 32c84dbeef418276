//! Ignored pairs, by their names.

use bitstep::state::{Collider, Command, StaticId};

use super::{Scene, assert_error_at, scene};

const BODIES: &str = "body(name: \"p\", shape: \"ball\", material: \"m\", position: (0, 2, 0)), \
                      body(name: \"q\", shape: \"ball\", material: \"m\", position: (3, 2, 0))";

/// A scene of two balls and a static with a name, and one command.
fn told(command: &str, fixed: &str) -> String {
    let source = scene(BODIES, &format!("(tick: 1, commands: [{command}])"));
    let fixed =
        format!("statics: [(name: {fixed}, shape: \"floor\", material: \"m\", position: (0, 0, 0))], bodies");
    source.replacen("bodies", &fixed, 2).replacen(&fixed, "bodies", 1)
}

#[test]
fn a_body_ignores_a_body_or_a_static() {
    for (other, expected) in [("q", None), ("ground", Some(Collider::Static(StaticId(0))))] {
        let source = told(&format!("ignore_pair(a: \"p\", b: \"{other}\", ticks: 4294967295)"), "\"ground\"");
        let mut scene = Scene::parse(&source).unwrap();
        let ids: Vec<_> = scene.initial_state.bodies().map(|(id, _)| id).collect();
        let b = expected.unwrap_or(Collider::Body(ids[1]));
        let command = Command::IgnorePair { a: ids[0], b, ticks: u32::MAX };
        assert_eq!(scene.timeline.commands(1, &scene.initial_state), [command]);
    }
}

#[test]
fn an_unknown_name_stands_in_the_error() {
    let none = "no body \"x\": no initial body and no spawn of this timeline has that name";
    assert_error_at(&told("ignore_pair(a: \"p\", b: @\"x\", ticks: 1)", "\"ground\""), none);
    assert_error_at(&told("ignore_pair(a: @\"x\", b: \"p\", ticks: 1)", "\"ground\""), none);
    let both = "\"q\" is a body and a static";
    assert_error_at(&told("ignore_pair(a: \"p\", b: @\"q\", ticks: 1)", "\"q\""), both);
    let most = "ticks is 4294967296, must be a whole number in 0..=4294967295";
    assert_error_at(&told("ignore_pair(a: \"p\", b: \"q\", ticks: @4294967296)", "\"ground\""), most);
}
