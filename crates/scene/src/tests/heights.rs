//! Heights of a scene.

use bitstep::{
    World,
    num::{Scalar, lit},
    shape::{Cell, Heights, Mesh, Shape},
    state::{Command, StaticId},
    tick::TickReport,
};

use super::{Scene, assert_error_at, scene};

const HILL: &str = "heights(cell: 2, unit: 0.25, rows: [[0, 1, 0], [-1, 4, 2], [0, 0, 1]], holes: [(1, 0)])";

/// A scene with one more shape, `"it"`.
fn with_shape(shape: &str) -> String {
    scene("", "").replacen("shapes: {", &format!("shapes: {{\n \"it\": {shape},\n"), 1)
}

#[test]
fn heights_are_rows_along_x_from_the_origin() {
    let built = Scene::parse(&with_shape(HILL)).unwrap();
    let heights = Heights::new(3, lit("2"), lit("0.25"), vec![0, 1, 0, -1, 4, 2, 0, 0, 1]).unwrap();
    let cells = [0, 127, 0, 0].map(Cell::new).to_vec();
    let ground = Shape::Mesh(Mesh::of_heights(heights.with_cells(cells).unwrap()).unwrap());
    assert!(built.initial_state.scenery().shapes().contains(&ground));
}

#[test]
fn wrong_heights_are_errors_with_a_place() {
    let cases = [
        ("4, 2]", "@4.5, 2]", "height is 4.5, must be a whole number: it counts in `unit`"),
        ("4, 2]", "@40000, 2]", "height is 40000, must be in -32768..=32767"),
        ("[-1, 4, 2]", "[@-1, 4]", "row 1 has 2 heights, the first has 3"),
        ("(1, 0)", "(@2, 0)", "holes is 2, must be a whole number in 0..=1"),
    ];
    for (part, marked, expected) in cases {
        assert_error_at(&with_shape(&HILL.replace(part, marked)), expected);
    }
    let named = |shape: &str| with_shape(shape).replace("\"it\"", "@\"it\"");
    let cases = [
        ("unit: 0.25", "unit: 0.000001", "unit of heights is 0.000001, must be a multiple of 2^-16"),
        ("cell: 2", "cell: -2", "cell is -2, must be above 0 and at most 16384"),
        ("[-1, 4, 2], [0, 0, 1]", "", "3 heights in rows of 3: at least two rows of at least two, all full"),
    ];
    for (part, other, expected) in cases {
        assert_error_at(&named(&HILL.replace(part, other)), &format!("shape \"it\": {expected}"));
    }
}

const HILLS: &str =
    "heights(cell: 1, unit: 0.25, noise: (points: (33, 17), seed: 7, octaves: [(8, 40), (3, 5)]))";

fn drawn(text: &str) -> Heights {
    let built = Scene::parse(&with_shape(text)).unwrap();
    let heights = |shape: &Shape| match shape {
        Shape::Mesh(mesh) => mesh.heights().cloned(),
        _ => None,
    };
    built.initial_state.scenery().shapes().iter().find_map(heights).unwrap()
}

/// Known values, so that no change of the noise goes unseen; and what a noise is: bounded, smooth, and another one by each seed.
#[test]
fn noise_is_drawn_by_its_seed_and_smooth() {
    let hills = drawn(HILLS);
    assert_eq!(hills.size(), [33, 17]);
    assert_eq!(hills.heights()[..9], [28, 29, 29, 26, 21, 16, 10, 6, 5]);
    assert!(hills.heights().iter().all(|height| (-45..=45).contains(height)));
    assert!(
        hills.heights().iter().any(|height| *height > 15)
            && hills.heights().iter().any(|height| *height < -15)
    );
    assert_eq!(hills, drawn(HILLS));
    assert_ne!(hills, drawn(&HILLS.replace("seed: 7", "seed: 8")));
    // The most that 80 in 8 points and 10 in 3 rise from one to the next: 3/2 of the mean slope, and the rounding.
    let rises =
        hills.heights().chunks(33).flat_map(|row| row.windows(2).map(|pair| (pair[0] - pair[1]).abs()));
    assert!(rises.max().unwrap() <= 15 + 5 + 2);
    // One octave has its drawn heights at every step, and is level there.
    let one = drawn(&HILLS.replace(", (3, 5)", ""));
    let near = |column: usize| (one.heights()[column] - one.heights()[column + 1]).abs();
    assert!((0..4).all(|step| near(8 * step) <= 4), "{:?}", one.heights());
    let flat = drawn(&HILLS.replace("(8, 40), (3, 5)", "(1, 0)"));
    assert!(flat.heights().iter().all(|height| *height == 0));
}

#[test]
fn wrong_noises_are_errors_with_a_place() {
    let cases = [
        ("(33, 17)", "(33, @1)", "points is 1, must be a whole number in 2..=2049"),
        ("(8, 40)", "(@0, 40)", "step of an octave is 0, must be a whole number in 1..=1024"),
        ("(8, 40)", "(8, @-4)", "height of an octave is -4, must be a whole number in 0..=32767"),
        ("seed: 7", "seed: @7.5", "seed is 7.5, must be a whole number in 0..=18446744073709551615"),
    ];
    for (part, marked, expected) in cases {
        assert_error_at(&with_shape(&HILLS.replace(part, marked)), expected);
    }
    let named = |shape: &str| with_shape(shape).replace("\"it\"", "@\"it\"");
    let cases = [
        ("(33, 17)", "(2049, 2049)", "points make 8388608 triangles, at most 4194304"),
        ("(8, 40), (3, 5)", "", "noise has 0 octaves, must have 1 to 16"),
        ("noise:", "rows: [[0, 0], [0, 0]], noise:", "heights have either rows or a noise"),
    ];
    for (part, other, expected) in cases {
        assert_error_at(&named(&HILLS.replace(part, other)), expected);
    }
}

/// A scene of a ball on a field of 12 times 12 equal heights, and a command in tick 3.
fn field(command: &str) -> String {
    let rows = ["[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"; 12].join(", ");
    let statics = "(name: \"plane\", shape: \"floor\", material: \"m\", position: (0, -9, 0)), \
                   (name: \"field\", shape: \"it\", material: \"m\", position: (0, 0, 0))";
    let ball = "body(name: \"ball\", shape: \"ball\", material: \"m\", position: (5.5, 0.5, 5.5))";
    let opened = scene(ball, &format!("(tick: 3, commands: [{command}])")).replacen(
        "shapes: {",
        &format!("shapes: {{\"it\": heights(cell: 1, unit: 0.25, rows: [{rows}]), "),
        1,
    );
    opened.replacen("bodies: [", &format!("gravity: (0, -30, 0), statics: [{statics}],\nbodies: ["), 1)
}

/// A pit of 10 times 10 points, two units deep.
fn pit(word: &str) -> String {
    let rows = ["[-8, -8, -8, -8, -8, -8, -8, -8, -8, -8]"; 10].join(", ");
    field(&format!("set_heights(ground: \"field\", at: (1, 1), rows: [{rows}]{word})"))
}

/// The height of the only body.
fn ball_height(world: &World) -> Scalar {
    world.bodies().next().unwrap().1.position.y
}

#[test]
fn digging_is_cut_into_commands_of_one_tick() {
    for (word, lifts) in [("", false), (", lift: true", true), (", lift: false", false)] {
        let mut scene = Scene::parse(&pit(word)).unwrap();
        let commands = scene.timeline.commands(3, &scene.initial_state);
        let parts = commands.iter().map(|command| match *command {
            Command::SetHeights { ground, at, heights, lift } => {
                assert!(heights.heights().iter().all(|height| *height == -8));
                (ground, at, [heights.columns(), heights.rows()], lift)
            }
            _ => panic!("{command:?}"),
        });
        let field = StaticId(1);
        let expected = [([1, 1], [8, 8]), ([9, 1], [2, 8]), ([1, 9], [8, 2]), ([9, 9], [2, 2])]
            .map(|(at, size)| (field, at, size, lifts));
        assert_eq!(parts.collect::<Vec<_>>(), expected);
        assert_eq!(scene.timeline.commands(2, &scene.initial_state), []);
    }
}

#[test]
fn ball_over_a_pit_falls_onto_its_floor() {
    let mut scene = Scene::parse(&pit("")).unwrap();
    let world = &mut scene.initial_state;
    let (mut report, mut lowest) = (TickReport::default(), lit("9"));
    for tick in 1..=60 {
        let commands = scene.timeline.commands(tick, world);
        let outcomes = world.apply(&commands).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        if tick < 3 {
            assert!((lit("0.5")..lit("0.51")).contains(&ball_height(world)), "tick {tick}");
        }
        world.step(&mut report);
        lowest = lowest.min(ball_height(world));
    }
    assert_eq!(world.scenery().heights(StaticId(1)).unwrap().heights()[12 + 1], -8);
    assert!((lit("-1.5")..lit("-1.25")).contains(&lowest), "{lowest}");
}

#[test]
fn ground_raised_through_a_ball_is_refused_without_lift() {
    for (word, is_accepted) in [("", false), (", lift: true", true)] {
        let raised = format!("set_heights(ground: \"field\", at: (5, 5), rows: [[1, 1], [1, 1]]{word})");
        let mut scene = Scene::parse(&field(&raised)).unwrap();
        let commands = scene.timeline.commands(3, &scene.initial_state);
        let outcomes = scene.initial_state.apply(&commands).outcomes;
        assert_eq!(outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(), [is_accepted], "{outcomes:?}");
    }
}

#[test]
fn wrong_commands_for_heights_are_errors_with_a_place() {
    let cases = [
        ("(ground: @\"x\", at: (0, 0), rows: [[0]])", "no static \"x\"; there are: \"field\", \"plane\""),
        ("(ground: @field, at: (0, 0), rows: [[0]])", "static is field, must be a text in quotes"),
        (
            "(ground: @\"plane\", at: (0, 0), rows: [[0]])",
            "ground is a static of plane, must be one of heights",
        ),
        ("(ground: @\"field\", at: (0, 0), rows: [])", "rows has no heights, must have 1 or more"),
        ("(ground: @\"field\", at: (0, 0), rows: [[], []])", "rows has no heights, must have 1 or more"),
        ("(ground: \"field\", at: (0, 0), rows: [[0, 1], [@2]])", "row 1 has 1 heights, the first has 2"),
        ("(ground: @\"field\", at: (0, 0), rows: [[0, 1], []])", "row 1 has 0 heights, the first has 2"),
        (
            "(ground: \"field\", at: (0, 0), rows: [[0, @32768]])",
            "height is 32768, must be in -32768..=32767",
        ),
        (
            "(ground: \"field\", at: (0, 0), rows: [[@-0.5]])",
            "height is -0.5, must be a whole number: it counts in `unit`",
        ),
        ("(ground: \"field\", at: (@12, 0), rows: [[0]])", "column is 12, must be a whole number in 0..=11"),
        (
            "(ground: \"field\", at: (0, @11), rows: [[0], [0]])",
            "row is 11, must be a whole number in 0..=10",
        ),
        ("(ground: \"field\", at: (@-1, 0), rows: [[0]])", "column is -1, must be a whole number in 0..=11"),
    ];
    for (command, expected) in cases {
        assert_error_at(&field(&format!("set_heights{command}")), expected);
    }
    let long = vec!["0"; 13].join(", ");
    let wide = format!("set_heights(ground: \"field\", at: (0, 0), rows: [[@{long}]])");
    assert_error_at(&field(&wide), "rows has 13 columns, the ground has 12");
    let deep =
        format!("set_heights(ground: \"field\", at: (0, 0), rows: [[@{}]])", vec!["0"; 13].join("], ["));
    assert_error_at(&field(&deep), "rows has 13 rows, the ground has 12");
}
