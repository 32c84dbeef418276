//! Rotating bodies, and commands for them.

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    state::{Command, Locks},
};

use super::{Scene, assert_error_at, scene};

/// A scene of one rotating body, and commands for it in the first tick.
fn turning(rest: &str, commands: &str) -> String {
    let body =
        format!("\n  body(name: \"a\", shape: \"brick\", material: \"m\", position: (0, 9, 0),\n {rest})");
    let brick = "\"brick\": obb(half: (0.25, 1, 0.5), rotation: (1, 0, 0, 0)), \"block\": aabb(half: (1, 1, 1)), \"ball\":";
    scene(&body, &format!("(tick: 1, commands: [{commands}])"))
        .replace("\"ball\":", brick)
        .replace("restitution: 1)", "restitution: 1, friction: 0.5)")
}

#[test]
fn bodies_turn_as_their_text_says() {
    let say = "rotates: true, orientation: about(axis: (0, 0, -7), degrees: 90), angular_velocity: (0, 6, -0.75), mass: 3";
    let body = |text: &str| {
        let scene = Scene::parse(&turning(text, "")).unwrap();
        let (id, body) = scene.initial_state.bodies().next().unwrap();
        (*body, scene.initial_state.angular_velocity(id).unwrap())
    };
    let (turned, velocity) = body(say);
    let orientation = turned.spin.unwrap().orientation;
    assert_eq!(orientation.to_string(), "(0.7071067812, 0, 0, -0.7071067812)");
    assert_eq!(orientation.turn_nearest(lit_x()), Vec3::new(lit("0"), lit("-1"), lit("0")));
    let off = velocity - Vec3::new(lit("0"), lit("0.1"), lit("-0.0125"));
    assert!(off.within(Scalar::from_bits(4)), "{velocity}");
    let (same, _) = body("rotates: true, orientation: quaternion(5, 0, 0, -5)");
    assert_eq!(same.spin.unwrap().orientation, orientation);
    let (third, _) = body("rotates: true, orientation: about(axis: (1, 1, 1), degrees: -120)");
    let off = third.spin.unwrap().orientation.turn_nearest(lit_x()) - Vec3::new(lit("0"), lit("0"), lit("1"));
    assert!(off.within(Scalar::from_bits(16)), "{off}");
    assert_eq!(body("rotates: true").0.spin.map(|spin| spin.angular_momentum), Some(Vec3::ZERO));
    assert_eq!(body("mass: 1").0.spin, None);
    let scene = Scene::parse(&turning(say, "")).unwrap();
    assert_eq!(scene.initial_state.scenery().materials()[0].friction_q16(), 1 << 15);
}

fn lit_x() -> Vec3 {
    Vec3::new(lit("1"), lit("0"), lit("0"))
}

#[test]
fn commands_on_what_turns_are_read_in_their_units() {
    let commands = "teleport(body: \"a\", position: (1, 2, 3), orientation: quaternion(0, 1, 0, 0), allow_overlap: true),\n\
                    set_angular_velocity(body: \"a\", angular_velocity: (0, 60, -30)),\n\
                    apply_impulse_at(body: \"a\", impulse: (60, 0, 0), point: (0, 1, 0)),\n\
                    apply_angular_impulse(body: \"a\", angular_impulse: (0, 0, 0.6))";
    let mut scene = Scene::parse(&turning("rotates: true", commands)).unwrap();
    let (body, one) = (scene.initial_state.bodies().next().unwrap().0, lit("1"));
    let orientation = Rotation::from_components([0, 1 << Rotation::BITS, 0, 0]).unwrap();
    let expected = [
        Command::Teleport {
            body,
            position: Vec3::new(one, lit("2"), lit("3")),
            orientation: Some(orientation),
            allow_overlap: true,
        },
        Command::SetAngularVelocity { body, angular_velocity: Vec3::new(lit("0"), one, lit("-0.5")) },
        Command::ApplyImpulseAt { body, impulse: lit_x(), point: Vec3::new(lit("0"), one, lit("0")) },
        Command::ApplyAngularImpulse { body, angular_impulse: Vec3::new(lit("0"), lit("0"), lit("0.01")) },
    ];
    assert_eq!(scene.timeline.commands(1, &scene.initial_state), expected);
}

#[test]
fn large_letters_lock_turning_and_small_ones_motion() {
    let locks = |text: &str| {
        let scene = Scene::parse(&turning(&format!("rotates: true, locks: {text:?}"), "")).unwrap();
        scene.initial_state.bodies().next().unwrap().1.locks
    };
    let cases = [
        ("", Locks::NONE),
        ("X", Locks::TURN_X),
        ("Y", Locks::TURN_Y),
        ("Z", Locks::TURN_Z),
        ("XZ", Locks::TURN_X.and(Locks::TURN_Z)),
        ("ZyX", Locks::TURN_X.and(Locks::TURN_Z).and(Locks::Y)),
        ("xz", Locks::X.and(Locks::Z)),
        ("xyzXYZ", Locks::ALL.and(Locks::TURN_ALL)),
    ];
    for (text, expected) in cases {
        assert_eq!(locks(text), expected, "{text}");
    }
    let set = "set_locks(body: \"a\", locks: \"XZ\"), set_angular_velocity(body: \"a\", angular_velocity: (0, 6, 0))";
    let mut scene = Scene::parse(&turning("rotates: true", set)).unwrap();
    let body = scene.initial_state.bodies().next().unwrap().0;
    let commands = scene.timeline.commands(1, &scene.initial_state);
    assert_eq!(commands[0], Command::SetLocks { body, locks: Locks::TURN_X.and(Locks::TURN_Z) });
    assert!(scene.initial_state.apply(&commands).outcomes.iter().all(Result::is_ok));
    let turned = scene.initial_state.angular_velocity(body).unwrap();
    assert!((turned - Vec3::new(lit("0"), lit("0.1"), lit("0"))).within(Scalar::from_bits(4)), "{turned}");
}

#[test]
fn bodies_that_do_not_rotate_have_no_axes_to_lock() {
    assert_error_at(
        &turning("locks: \"XZ\"", "").replace("(0, 9, 0)", "(@0, 9, 0)"),
        "body \"a\" cannot be here: locks: a body that does not rotate has no axes to lock",
    );
}

#[test]
fn errors_about_turning_point_there() {
    let say = "rotates: true, angular_velocity:";
    let cases = [
        (
            turning("orientation: quaternion(@1, 0, 0, 0)", ""),
            "orientation: the body does not rotate; say rotates: true",
        ),
        (
            turning("angular_velocity: (@0, 0, 0)", ""),
            "angular_velocity: the body does not rotate; say rotates: true",
        ),
        (
            turning("rotates: true, orientation: quaternion(@0, 0, 0, 0)", ""),
            "orientation is zero, must be a quaternion (w, x, y, z)",
        ),
        (
            turning("rotates: true, orientation: quaternion(0, 1, @x, 0)", ""),
            "orientation.y is x, must be a decimal number such as 12.5 or -0.75, without an exponent",
        ),
        (turning("rotates: true, orientation: about(axis: (@0, 0, 0), degrees: 1)", ""), "axis is zero"),
        (
            turning(&format!("{say} (@0, 120, 0)"), ""),
            "angular_velocity is 2 radians per tick, must be at most 1.5707963 radians per tick",
        ),
        (
            turning("rotates: true", "").replace("shape: \"brick\"", "shape: @\"block\""),
            "shape is aabb, a rotating body must be a sphere, a hull, or a capsule or an obb along its own axes",
        ),
        (
            turning("rotates: true", "").replace("friction: 0.5", "friction: @17"),
            "friction is 17, must be in 0..=16",
        ),
        (
            turning("rotates: true, orientation: quaternion(1, 0, 1, 0)", "")
                .replace("limits: (", "limits: (flat: true, ")
                .replace("(0, 9, 0)", "(@0, 9, 0)"),
            "body \"a\" cannot be here: orientation: in a flat world a body rotates about z alone",
        ),
    ];
    for (marked, expected) in cases {
        assert_error_at(&marked, expected);
    }
}
