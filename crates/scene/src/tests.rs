//! Exactness of numbers, positions of errors, and the effect of hostile text.

use bitstep::{
    geom::Vec3,
    num::{Rng, Scalar, lit},
    state::{Body, BodyType, Command, Done, Locks, Rule, ShapeId},
    tick::TickReport,
};
use num_bigint::BigInt;

use super::{NO_SCENE, Scene, decimal_of};

mod compounds;
mod heights;
mod hulls;
mod ignored_pairs;
mod mesh_files;
mod meshes;
mod one_ways;
mod sleeping;
mod steps;
mod turning;

/// A scene around a list of bodies and a timeline.
fn scene(bodies: &str, timeline: &str) -> String {
    format!(
        "(title: \"t\", tick_rate: 60, ticks: 10,\n\
         limits: (extent: 100, speed_max: 600, bodies_max: 2000),\n\
         materials: {{\"m\": (restitution: 1)}},\n\
         shapes: {{\"ball\": sphere(radius: 0.5), \"floor\": plane(normal: (0, 1, 0))}},\n\
         bodies: [{bodies}],\n\
         timeline: [{timeline}])"
    )
}

fn error(source: &str) -> String {
    Scene::parse(source).expect_err(source).to_string()
}

fn positions(source: &str) -> Vec<Vec3> {
    let scene = Scene::parse(source).unwrap();
    scene.initial_state.bodies().map(|(_, body)| body.position).collect()
}

/// The empty scene with a part replaced.
fn with(from: &str, to: &str) -> String {
    let source = scene("", "");
    assert!(source.contains(from));
    source.replace(from, to)
}

/// A source with the offending value marked by `@`, and the error that must point there.
fn assert_error_at(marked: &str, expected: &str) {
    let (before, _) = marked.split_once('@').expect("a mark");
    let line = before.lines().count();
    let column = before.lines().next_back().map_or(0, |last| last.chars().count()) + 1;
    assert_eq!(error(&marked.replace('@', "")), format!("{line}:{column}: {expected}"), "{marked}");
}

/// The nearest raw, ties to even, of `digits / 10^places`, by big integers.
fn nearest_raw(digits: &BigInt, places: u32) -> BigInt {
    let denominator = BigInt::from(10).pow(places);
    let twice: BigInt = (digits.magnitude() << 33_u32).into();
    let quotient: BigInt = &twice / (2 * &denominator);
    let rest = &twice - 2 * &denominator * &quotient;
    let up = rest > denominator || (rest == denominator && quotient.bit(0));
    let magnitude = quotient + u32::from(up);
    if digits < &BigInt::ZERO { -magnitude } else { magnitude }
}

#[test]
fn a_decimal_is_the_nearest_raw_and_never_a_float() {
    // Up to 31 bits before the point and 32 behind it: more than a float of 53 bits can carry.
    const CASES: u32 = 20_000;
    let (mut draws, mut wider_than_a_float) = (Rng::new(5).at(0, 0, 0), 0);
    for _ in 0..CASES {
        let (whole, fraction) = (draws.between(-2_000_000_000, 2_000_000_000), draws.below(10_000_000_000));
        let text = format!("{whole}.{fraction:010}");
        let sign = if whole < 0 { -1 } else { 1 };
        let digits = BigInt::from(whole) * 10_000_000_000_i64 + sign * BigInt::from(fraction);
        let raw = decimal_of(&text).unwrap().to_bits();
        assert_eq!(BigInt::from(raw), nearest_raw(&digits, 10), "{text}");
        let bits = 64 - raw.unsigned_abs().leading_zeros() - raw.trailing_zeros();
        wider_than_a_float += u32::from(bits > 53);
    }
    assert!(wider_than_a_float > CASES * 9 / 10, "{wider_than_a_float}");
}

#[test]
fn a_decimal_has_one_grammar() {
    for (text, raw) in [
        ("0.1", 429_496_730),
        ("-0.1", -429_496_730),
        ("+2", 2 << 32),
        ("1_000.5", (1000 << 32) + (1 << 31)),
        ("0.00000000023283064365386962890625", 1),
        ("0.000000000116415321826934814453125", 0), // half a raw, to even
        ("-2147483648", i64::MIN),
    ] {
        assert_eq!(decimal_of(text).map(Scalar::to_bits), Ok(raw), "{text}");
    }
    for text in
        ["", "-", ".", "1e3", "0x10", "inf", "NaN", "1..2", "1.2.3", "--1", "1f32", "_", "1,5", "\u{661}"]
    {
        assert!(decimal_of(text).is_err_and(|reason| reason.contains("decimal number")), "{text}");
    }
    for text in ["2147483648", "-2147483649", "99999999999999999999999999999999999999999999"] {
        assert_eq!(decimal_of(text), Err("must be below 2147483648 in magnitude"), "{text}");
    }
    assert!(decimal_of(&"1".repeat(101)).is_err());
}

#[test]
fn values_per_second_become_values_per_tick_symmetrically() {
    let source = |sign: &str| {
        scene(
            &format!(
                "body(shape: \"ball\", material: \"m\", position: (0, 0, 0), velocity: ({sign}0.1, {sign}7, 0))"
            ),
            "",
        )
        .replace("materials:", &format!("gravity: (0, {sign}9.81, {sign}0.1), materials:"))
    };
    let read = |sign| {
        let scene = Scene::parse(&source(sign)).unwrap();
        let velocity = scene.initial_state.bodies().next().unwrap().1.velocity();
        (velocity.raw(), scene.initial_state.gravity().raw())
    };
    // 0.1 is 429496730 raw; by 60 that is 7158278.83. 7 by 60 is 501079517.9.
    assert_eq!(read("").0, [7_158_279, 501_079_518, 0]);
    // 9.81 is 42133629174 raw; by 3600 that is 11703785.88, and the nearest even is 11703786.
    // 0.1 by 3600 is 119304.6, and the nearest even is 119304.
    assert_eq!(read("").1, [0, 11_703_786, 119_304]);
    let (velocity, gravity) = read("-");
    assert_eq!(velocity, [-7_158_279, -501_079_518, 0]);
    assert_eq!(gravity, [0, -11_703_786, -119_304]);
}

#[test]
fn generators_place_bodies_exactly() {
    let grid =
        "grid(shape: \"ball\", material: \"m\", count: (2, 1, 2), first: (0.1, 0, 0), step: (1.1, 5, 1.2))";
    let at = |x, z| Vec3::new(lit(x), lit("0"), lit(z));
    // Steps are added in raw: 0.1 + 1.1 is the sum of two rounded decimals.
    let across = Vec3::new(lit("0.1") + lit("1.1"), lit("0"), lit("0"));
    assert_eq!(
        positions(&scene(grid, "")),
        [at("0.1", "0"), across, at("0.1", "1.2"), across + at("0", "1.2")]
    );

    let triangle = "triangle(shape: \"ball\", material: \"m\", rows: 3, apex: (10, 0, 0), along: (1, 0, 0), across: (0, 0, 1.5))";
    assert_eq!(
        positions(&scene(triangle, "")),
        [
            at("10", "0"),
            at("11", "-0.75"),
            at("11", "0.75"),
            at("12", "-1.5"),
            at("12", "0"),
            at("12", "1.5"),
        ]
    );
}

#[test]
fn random_bodies_keep_their_gap_their_box_and_their_speed() {
    let source = |seed: u32| {
        let random = format!(
            "random(name: \"r\", shape: \"ball\", material: \"m\", count: 200, seed: {seed},\n\
             min: (-10, -10, -10), max: (10, 5, 10), gap: 0.25, speed: (6, 12))"
        );
        scene(&random, "")
    };
    let world = Scene::parse(&source(1)).unwrap().initial_state;
    let bodies: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
    assert_eq!(bodies.len(), 200);
    let least = u128::from(lit("1.25").to_bits() as u64).pow(2);
    let (mut nearest, mut slowest, mut fastest) = (u128::MAX, u128::MAX, 0);
    for (index, body) in bodies.iter().enumerate() {
        let Vec3 { x, y, z } = body.position;
        assert!(x.abs() <= lit("9.5") && y >= lit("-9.5") && y <= lit("4.5") && z.abs() <= lit("9.5"));
        for other in &bodies[..index] {
            nearest = nearest.min((body.position - other.position).length_squared_wide());
        }
        let speed = body.velocity().length_squared_wide().isqrt();
        (slowest, fastest) = (slowest.min(speed), fastest.max(speed));
    }
    assert!(nearest >= least && nearest < least * 11 / 10, "some pair is near the gap");
    // 6 to 12 units per second are 0.1 to 0.2 per tick.
    let [slow, fast] = ["0.1", "0.2"].map(|text| lit(text).to_bits() as u128);
    assert!(slowest >= slow - 4 && slowest < slow * 102 / 100, "{slowest}");
    assert!(fastest <= fast && fastest > fast * 98 / 100, "{fastest}");
    // At the limit itself no body is too fast, whatever the direction.
    let limit = source(1).replace("speed: (6, 12)", "speed: (600, 600)");
    assert_eq!(positions(&limit).len(), 200);
    assert_eq!(positions(&source(1)), positions(&source(1)));
    assert_ne!(positions(&source(1)), positions(&source(2)));
}

#[test]
fn errors_point_at_the_offending_value() {
    let body = |rest: &str| scene(&format!("\n  body(shape: \"ball\", material: \"m\",\n {rest})"), "");
    let fields = "`name`, `shape`, `mirrored`, `material`, `mass`, `rotates`, `orientation`, `angular_velocity`, `body_type`, \
                  `layer`, `group`, `locks`, `damping`, `user`, `allow_overlap`, `on_hit`, `dominance`, \
                  `position`, or `velocity`";
    let unknown = format!("Unexpected field named `positon` in `body`, expected one of {fields} instead");
    let cases = [
        (
            body("position: (0, @1e3, 0)"),
            "position.y is 1e3, must be a decimal number such as 12.5 or -0.75, without an exponent",
        ),
        (body("position: (0, 0, @100.25)"), "position.z is 100.25, must be at most 100 in magnitude"),
        (
            body("position: (0, 0, @3000000000)"),
            "position.z is 3000000000, must be below 2147483648 in magnitude",
        ),
        (body("position: (0, 0, 0), mass: @0"), "mass is 0, must be a whole number in 1..=65536"),
        (
            body("position: (0, 0, 0), velocity: (@480, 480, 0)"),
            "velocity is 11.3137084988 units per tick, must be at most speed_max, 10 units per tick",
        ),
        (body("@positon: (0, 0, 0)"), &*unknown),
        (
            scene("body(shape: @\"bal\", material: \"m\", position: (0, 0, 0))", ""),
            "no shape \"bal\"; there are: \"ball\", \"floor\"",
        ),
        (
            scene("body(shape: @\"floor\", material: \"m\", position: (0, 0, 0))", ""),
            "shape is plane, a body must be a sphere, an aabb, an obb, a capsule or a hull",
        ),
        (scene("", "(tick: @11, commands: [])"), "tick is 11, must be a whole number in 1..=10"),
        (
            scene("", "(tick: 1, commands: [remove(body: @\"x\")])"),
            "no body \"x\": no initial body and no spawn of this timeline has that name",
        ),
        (
            scene(
                "grid(name: \"g\", shape: \"ball\", material: \"m\", count: (1, 1, 1), first: (0, 0, 0), step: (0, 0, 0))",
                "(tick: 1, commands: [remove(body: @\"g\")])",
            ),
            "no body \"g\", but \"g.1\": a generator numbers its bodies, from 1",
        ),
        (
            with("ticks: 10", "ticks: @1000000000000"),
            "ticks is 1000000000000, must be a whole number in 1..=10000000",
        ),
        (with("radius: 0.5", "radius: @-0.5"), "radius is -0.5, must be above 0 and at most 4096"),
        (with("restitution: 1", "restitution: @1.5"), "restitution is 1.5, must be in 0..=1"),
        (with("extent: 100", "extent: @16777217"), "extent is 16777217, must be in 0.0000000002..=16777216"),
        (
            with("speed_max: 600", "speed_max: @122880.6"),
            "speed_max is 2048.01 units per tick, must be in 0.0000000002..=2048 units per tick",
        ),
        (with("\"floor\": plane", "@\"ball\": plane"), "this shape is here twice; give it another name"),
        (with("(0, 1, 0)", "(@0, 0, 0)"), "normal is zero"),
        (
            with("materials:", "gravity: (0, @-37800, 0.5), materials:"),
            "gravity.y is -10.5 units per tick, must be at most 10 units per tick in magnitude",
        ),
        (
            with("sphere(radius: 0.5)", "obb(half: (@-1, 1, 1), rotation: (1, 0, 0, 0))"),
            "half.x is -1, must be above 0 and at most 4096",
        ),
    ];
    for (marked, expected) in cases {
        assert_error_at(&marked, expected);
    }
}

#[test]
fn capsules_are_read_and_their_errors_point_there() {
    let solid = |text: &str| with("sphere(radius: 0.5)", &format!("capsule({text})"));
    assert_error_at(
        &solid("half_axis: (@0, 0, 0), radius: 0.5"),
        "half axis of a capsule is zero: that is a sphere",
    );
    let large = "half_axis.y is 4097, must be above 0 and at most 4096";
    assert_error_at(&solid("half_axis: (@0, 4096, 0), radius: 1"), large);
    assert_error_at(
        &solid("half_axis: (@1, 0, 0), radius: 0"),
        "radius is 0, must be above 0 and at most 4096",
    );
}

#[test]
fn errors_about_filters_and_damping_point_there_too() {
    let body = |rest: &str| scene(&format!("\n  body(shape: \"ball\", material: \"m\",\n {rest})"), "");
    let cases = [
        (body("position: (0, 0, 0), layer: @16"), "layer is 16, must be a whole number in 0..=15"),
        (body("position: (0, 0, 0), group: @65536"), "group is 65536, must be a whole number in 0..=65535"),
        (
            body("position: (0, 0, 0), locks: @\"xw\""),
            "locks is \"xw\", must be letters of \"xyz\", or of \"XYZ\" for turning",
        ),
        (
            body("position: (0, 0, 0), damping: @60"),
            "damping is 60, must be at least 0 and below tick_rate, 60",
        ),
        (
            with("bodies:", "layers: [(a: 1, b: @16, rule: solid)], bodies:"),
            "b is 16, must be a whole number in 0..=15",
        ),
        (
            with(
                "bodies:",
                "statics: [(shape: \"floor\", material: \"m\", position: (0, 0, 0), layer: @-1)], bodies:",
            ),
            "layer is -1, must be a whole number in 0..=15",
        ),
    ];
    for (marked, expected) in cases {
        assert_error_at(&marked, expected);
    }
}

#[test]
fn errors_of_syntax_point_at_the_wrong_name_or_where_reading_stopped() {
    let no_variant = "Unexpected variant named `cube` in enum `shape`, expected one of `sphere`, `aabb`, `obb`, \
                      `plane`, `capsule`, `hull`, `prism`, `cylinder`, `cone`, `mesh`, or `heights` instead";
    let cases = [
        ("// nothing yet\n @".to_owned(), NO_SCENE),
        ("(title: \"t\"@".to_owned(), "Expected comma"),
        (with("plane(normal: (0, 1, 0))", "@cube(half: 1)"), no_variant),
        (with("(normal: (0, 1, 0))", "(@)"), "Unexpected missing field named `normal` in `plane`"),
        (with("normal: (", "normal: @["), "Expected opening `(`"),
        (with("ticks: 10", "ticks: 10 @ticks: 10"), "Expected comma"),
        (with("ticks: 10", "ticks: 10, @ticks: 10"), "Unexpected duplicate field named `ticks` in `scene`"),
    ];
    for (marked, expected) in cases {
        assert_error_at(&marked, expected);
    }
}

#[test]
fn an_initial_body_that_overlaps_is_named_with_its_place() {
    let two = "body(name: \"a\", shape: \"ball\", material: \"m\", position: (0, 0, 0)),\n\
               body(name: \"b\", shape: \"ball\", material: \"m\", position: (@0.5, 0, 0))";
    assert_error_at(&scene(two, ""), "body \"b\" cannot be here: would overlap body \"a\"");
    let grid =
        "grid(shape: \"ball\", material: \"m\", count: (2, 1, 1), first: (@0, 0, 0), step: (0.5, 0, 0))";
    let expected = "body 2 of these cannot be here: would overlap body 1 of these";
    assert_error_at(&scene(grid, ""), expected);
    let nameless = two.replace("name: \"a\", ", "");
    let expected = "body \"b\" cannot be here: would overlap one of those before it";
    assert_error_at(&scene(&nameless, ""), expected);
    let low = "body(shape: \"ball\", material: \"m\", position: (@0, 0.4, 0))";
    let floor = "statics: [(shape: \"floor\", material: \"m\", position: (0, 0, 0))], bodies:";
    let source = scene(low, "").replace("bodies:", floor);
    assert_error_at(&source, "this body cannot be here: would overlap static 0");
}

#[test]
fn counts_are_checked_before_anything_is_made() {
    let cases = [
        (
            "grid(@count: (1000, 1000, 1000), first: (0, 0, 0), step: (2, 0, 0)",
            "bodies: 1000000000 up to here, must be at most bodies_max, 2000",
        ),
        (
            "random(count: @1000000000, seed: 1, min: (0, 0, 0), max: (9, 9, 9)",
            "count is 1000000000, must be a whole number in 1..=2000",
        ),
        (
            "triangle(rows: @63, apex: (0, 0, 0), along: (1, 0, 0), across: (0, 1, 0)",
            "bodies: 2016 up to here, must be at most bodies_max, 2000",
        ),
        (
            "grid(count: (2, 1, 1), first: (@0, 0, 0), step: (30000000, 0, 0)",
            "body 2 of these has a position beyond extent, 100 in magnitude",
        ),
        (
            "random(count: @2000, seed: 1, min: (0, 0, 0), max: (1, 1, 9), gap: 1",
            "count is 2000, but only 3 found room; enlarge the box or lower gap",
        ),
        (
            "random(count: 1, seed: 1, min: (0, 0, 0), max: (@0.9, 9, 9)",
            "max: the box has no room for one body",
        ),
        (
            "random(count: 1, seed: 1, min: (0, 0, 0), max: (9, 9, 9), speed: (1, @601)",
            "speed.1 is 10.0166666666 units per tick, must be at most speed_max, 10 units per tick",
        ),
    ];
    for (bodies, expected) in cases {
        let marked = scene(&format!("{bodies}, shape: \"ball\", material: \"m\")"), "");
        assert_error_at(&marked.replace("@count: (", "count: (@"), expected);
    }
}

#[test]
fn a_timeline_knows_bodies_by_name_through_their_lives() {
    let ball = "shape: \"ball\", material: \"m\"";
    let source = scene(
        &format!("body(name: \"a\", {ball}, position: (0, 0, 0))"),
        &format!(
            "(tick: 2, commands: [spawn(name: \"b\", {ball}, position: (5, 0, 0)), apply_impulse(body: \"b\", impulse: (6, 0, 0))]),\n\
             (tick: 3, commands: [remove(body: \"a\"), spawn(name: \"c\", {ball}, position: (0, 0, 0)), remove(body: \"a\")]),\n\
             (tick: 2, commands: [spawn(name: \"d\", {ball}, position: (5, 0, 0)), remove(body: \"d\")])"
        ),
    );
    let mut scene = Scene::parse(&source).unwrap();
    let (mut world, mut report) = (scene.initial_state.clone(), TickReport::default());
    let mut seen = Vec::new();
    for tick in 1..=4 {
        let commands = scene.timeline.commands(tick, &world);
        let _ = world.tick(&commands, &mut report);
        seen.push(
            report
                .outcomes
                .iter()
                .map(|outcome| match outcome {
                    Ok(Done::Spawned(id)) => format!("spawned {id}"),
                    Ok(Done::Applied) => "applied".to_owned(),
                    Err(refused) => refused.reason.to_string(),
                })
                .collect::<Vec<_>>(),
        );
        if tick == 2 {
            assert_eq!(commands.len(), 4, "both entries of the tick, in the order of the text");
            assert!(matches!(commands[1], Command::ApplyImpulse { body, .. } if body.slot() == 1));
        }
    }
    assert_eq!(seen[0], Vec::<String>::new());
    assert_eq!(seen[1], ["spawned 1", "applied", "would overlap 1", "no body 4294967295"]);
    assert_eq!(seen[2], ["applied", "spawned 0.1", "no body 0"]);
    assert_eq!(seen[3], Vec::<String>::new());
}

#[test]
fn no_text_makes_the_reader_panic() {
    let whole = include_str!("../../../replays/timeline.ron");
    let (mut draws, mut refused) = (Rng::new(11).at(0, 0, 0), 0);
    const PIECES: [&str; 12] =
        ["(", ")", "[", "\"", ",", "-", "9999999999", "/*", "0.", "\u{1f3b1}", "None", "sphere(radius: 1)"];
    for _ in 0..3_000 {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..=draws.below(3) {
            let at = draws.below(text.len() as u64) as usize;
            let to = (at + draws.below(12) as usize).min(text.len());
            let piece = PIECES[draws.below(PIECES.len() as u64) as usize];
            text.splice(at..to, piece.chars());
        }
        refused += u32::from(Scene::parse(&text.iter().collect::<String>()).is_err());
    }
    assert!((1_500..3_000).contains(&refused), "{refused}");
    for text in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        "/*".repeat(100_000),
        format!("(title: {}", "(".repeat(90_000)),
    ] {
        assert!(Scene::parse(&text).is_err());
    }
}

#[test]
fn every_word_for_filters_damping_and_user_data_arrives() {
    let source = with(
        "bodies: []",
        "layers: [(a: 2, b: 1, rule: ignore), (a: 3, b: 3, rule: sensor)],
         statics: [(shape: \"floor\", material: \"m\", position: (0, -9, 0), layer: 9)],
         bodies: [body(name: \"a\", shape: \"ball\", material: \"m\", body_type: kinematic, layer: 2, group: 7,
                  damping: 1.5, user: 18446744073709551615, position: (0, 0, 0))]",
    )
    .replace(
        "timeline: []",
        "timeline: [(tick: 1, commands: [
            set_shape(body: \"a\", shape: \"small\"), set_filter(body: \"a\", layer: 4),
            move_kinematic(body: \"a\", position: (0, 1, 0)),
            set_layers(a: 5, b: 2, rule: sensor), set_layers(a: 6, b: 6, rule: soft), set_damping(body: \"a\", damping: 30),
            set_locks(body: \"a\", locks: \"zx\"), set_user(body: \"a\", user: 3),
            spawn(name: \"b\", shape: \"ball\", material: \"m\", body_type: static, layer: 1, group: 2, user: 5, allow_overlap: true, position: (0, 0.5, 0)),
            spawn(name: \"c\", shape: \"ball\", material: \"m\", layer: 6, dominance: 255, position: (7, 0, 0)),
            set_dominance(body: \"c\", dominance: 7),
         ])]",
    )
    .replace("shapes: {", "shapes: {\"small\": sphere(radius: 0.25), ");
    let mut scene = Scene::parse(&source).unwrap();
    let layers = scene.initial_state.state().layers;
    let rules = [layers.of_layers(1, 2), layers.of_layers(3, 3), layers.of_layers(2, 5)];
    assert_eq!(rules, [Rule::Ignore, Rule::Sensor, Rule::Solid]);
    assert_eq!(scene.initial_state.scenery().statics()[0].layer, 9);
    let body = *scene.initial_state.bodies().next().unwrap().1;
    let plain = Body::new(ShapeId(1), body.position);
    let plain = Body { damping_q16: 1638, user: u64::MAX, ..plain };
    let expected = Body { body_type: BodyType::Kinematic, layer: 2, group: 7, ..plain };
    assert_eq!(body, expected);
    let commands = scene.timeline.commands(1, &scene.initial_state);
    assert!(scene.initial_state.apply(&commands).outcomes.iter().all(Result::is_ok));
    let bodies: Vec<Body> = scene.initial_state.bodies().map(|(_, body)| *body).collect();
    let changed = Body { shape: ShapeId(0), layer: 4, group: 0, damping_q16: 1 << 15, user: 3, ..expected };
    let momentum = Vec3::new(lit("0"), lit("1"), lit("0"));
    let changed = Body { momentum, stops: true, locks: Locks::X.and(Locks::Z), ..changed };
    let plain = Body::new(ShapeId(1), bodies[1].position);
    let spawned = Body { body_type: BodyType::Static, layer: 1, group: 2, user: 5, ..plain };
    let soft = Body { layer: 6, dominance: 7, ..Body::new(ShapeId(1), bodies[2].position) };
    assert_eq!(bodies, [changed, spawned, soft]);
    assert_eq!(scene.initial_state.state().layers.of_layers(6, 6), Rule::Soft);
    assert_eq!(scene.initial_state.state().layers.of_layers(5, 2), Rule::Sensor);
}
