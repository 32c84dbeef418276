//! Layers, groups and the table between them; and the commands that may not make an overlap solid.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    shape::Shape,
    snapshot,
    state::{BodyId, Command, Limits, Material, MaterialId, Rule, SceneryBuilder, ShapeId, Spawn, Static},
    tick::{Cause, TickReport},
};

use crate::support::{HALF, assert_clean, overlaps, s, shapes, step, v};

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

/// The refusal of a command, which must change nothing.
fn refusal(world: &mut World, command: Command) -> String {
    let before = snapshot::encode(world);
    let text = world.apply(&[command]).outcomes[0].clone().unwrap_err().reason.to_string();
    assert_eq!(snapshot::encode(world), before, "{command:?}");
    text
}

/// A ball that flies along x at another one of the same size.
fn head_on(rule: Option<Rule>, a: (u8, u16), b: (u8, u16)) -> (World, TickReport) {
    let mut world = World::new(Limits::new(60), shapes("1", &[Shape::sphere(HALF)])).unwrap();
    if let Some(rule) = rule {
        apply(&mut world, &[Command::SetLayers { a: a.0, b: b.0, rule, allow_overlap: false }]);
    }
    let ball = |x: &str, speed: &str, (layer, group)| {
        let spawn = Spawn { layer, group, ..Spawn::new(ShapeId(0), v(x, "0", "0")) };
        Command::Spawn(Spawn { velocity: v(speed, "0", "0"), ..spawn })
    };
    apply(&mut world, &[ball("0", "2", a), ball("2", "0", b)]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    (world, report)
}

#[test]
fn two_bodies_meet_where_their_layers_are_solid_and_they_are_not_of_one_group() {
    let cases = [
        (None, (0, 0), (0, 0), true),
        (None, (3, 0), (15, 0), true),
        (Some(Rule::Solid), (3, 0), (4, 0), true),
        (Some(Rule::Sensor), (3, 0), (4, 0), false),
        (Some(Rule::Ignore), (3, 0), (4, 0), false),
        (Some(Rule::Ignore), (4, 0), (4, 0), false),
        (None, (0, 9), (0, 9), false),
        (None, (0, 9), (0, 8), true),
        (None, (0, 9), (0, 0), true),
    ];
    for (rule, a, b, solid) in cases {
        let (world, report) = head_on(rule, a, b);
        assert_eq!(report.impacts.len(), usize::from(solid), "{rule:?} {a:?} {b:?}");
        let first = world.body(id(0)).unwrap();
        assert_eq!(first.velocity() == Vec3::ZERO, solid, "{rule:?} {a:?} {b:?}");
        assert_eq!(first.position.x == s("2"), !solid, "{rule:?} {a:?} {b:?}");
    }
}

#[test]
fn a_body_passes_a_static_of_a_layer_that_it_ignores() {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::ELASTIC);
    let ball = builder.shape(Shape::sphere(HALF));
    let wall = builder.shape(Shape::aabb(v("0.1", "5", "5")));
    for (x, layer) in [("3", 1), ("6", 2)] {
        builder.add(Static { shape: wall, material, position: v(x, "0", "0"), layer });
    }
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    apply(&mut world, &[Command::SetLayers { a: 7, b: 1, rule: Rule::Ignore, allow_overlap: false }]);
    let flyer = Spawn { layer: 7, velocity: v("1.5", "0", "0"), ..Spawn::new(ball, Vec3::ZERO) };
    apply(&mut world, &[Command::Spawn(flyer)]);
    let (mut report, mut impacts) = (TickReport::default(), Vec::new());
    for _ in 0..6 {
        step(&mut world, &mut report);
        assert_clean(&report);
        impacts.extend(report.impacts.iter().map(|impact| impact.b.to_string()));
    }
    assert_eq!(impacts, ["s1"]);
    // Back through the first wall, but not through it again.
    assert!(world.body(id(0)).unwrap().position.x < s("2"));
    apply(&mut world, &[Command::SetLayers { a: 1, b: 7, rule: Rule::Solid, allow_overlap: false }]);
    apply(&mut world, &[Command::SetVelocity { body: id(0), velocity: v("5", "0", "0") }]);
    step(&mut world, &mut report);
    assert_eq!(report.impacts[0].b.to_string(), "s0");
}

/// Balls of layers 1 and 2 that overlap, one beside them, and one in a block of layer 4; layer 1 ignores 2
/// and 4. The shapes are a ball, a block and a small ball.
fn tangle() -> World {
    let solids = [Shape::sphere(HALF), Shape::aabb(v("2", "2", "2")), Shape::sphere(s("0.1"))];
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let [ball, block, _] = solids.map(|shape| builder.shape(shape));
    builder.add(Static { shape: block, material, position: v("10", "0", "0"), layer: 4 });
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let at = |x: &str, layer| Command::Spawn(Spawn { layer, ..Spawn::new(ball, v(x, "0", "0")) });
    apply(
        &mut world,
        &[
            Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false },
            Command::SetLayers { a: 1, b: 4, rule: Rule::Sensor, allow_overlap: false },
            at("0", 1),
            at("0.5", 2),
            at("2", 1),
            at("9", 1),
        ],
    );
    world
}

fn filter(slot: u32, layer: u8, group: u16) -> Command {
    Command::SetFilter { body: id(slot), layer, group, allow_overlap: false }
}

#[test]
fn no_command_makes_an_overlap_solid() {
    let (mut world, ball, block) = (tangle(), ShapeId(0), ShapeId(1));
    let cases = [
        (filter(0, 0, 0), "would overlap 1"),
        (filter(1, 1, 0), "would overlap 0"),
        (filter(3, 2, 5), "would overlap s0"),
        (filter(0, 16, 0), "layer is 16, must be in 0..=15"),
        (filter(9, 0, 0), "no body 9"),
        (Command::SetLayers { a: 2, b: 1, rule: Rule::Solid, allow_overlap: false }, "0 would overlap 1"),
        (Command::SetLayers { a: 4, b: 1, rule: Rule::Solid, allow_overlap: false }, "3 would overlap s0"),
        (
            Command::SetLayers { a: 16, b: 1, rule: Rule::Solid, allow_overlap: false },
            "layer a is 16, must be in 0..=15",
        ),
        (
            Command::SetLayers { a: 1, b: 99, rule: Rule::Solid, allow_overlap: false },
            "layer b is 99, must be in 0..=15",
        ),
        (Command::SetShape { body: id(2), shape: block, allow_overlap: false }, "would overlap 0"),
        (
            Command::SetShape { body: id(2), shape: ShapeId(3), allow_overlap: false },
            "shape is 3, must be in 0..=2",
        ),
        (Command::SetShape { body: id(9), shape: ball, allow_overlap: false }, "no body 9"),
        (
            Command::Teleport {
                body: id(2),
                position: v("0.9", "0", "0"),
                orientation: None,
                allow_overlap: false,
            },
            "would overlap 0",
        ),
    ];
    for (command, text) in cases {
        assert_eq!(refusal(&mut world, command), text, "{command:?}");
    }
}

#[test]
fn the_ways_out_of_an_overlap_are_open() {
    let (mut world, ball) = (tangle(), ShapeId(0));
    // One group allows any layers; another layer that ignores the rest does, too.
    apply(&mut world, &[filter(0, 1, 3), filter(1, 0, 3), filter(0, 0, 3)]);
    assert_eq!(refusal(&mut world, filter(1, 0, 4)), "would overlap 0");
    // Smaller, out of the way, and back: then it is solid as before.
    apply(
        &mut world,
        &[
            Command::SetShape { body: id(1), shape: ShapeId(2), allow_overlap: false },
            Command::Teleport {
                body: id(1),
                position: v("0.75", "0", "0"),
                orientation: None,
                allow_overlap: false,
            },
            filter(1, 0, 0),
            Command::SetLayers { a: 1, b: 0, rule: Rule::Ignore, allow_overlap: false },
            Command::SetLayers { a: 1, b: 0, rule: Rule::Solid, allow_overlap: false },
        ],
    );
    assert_eq!(
        refusal(&mut world, Command::SetShape { body: id(1), shape: ball, allow_overlap: false }),
        "would overlap 0"
    );
    assert_eq!(overlaps(&world), 0);
}

#[test]
fn filtered_pairs_change_no_impact_of_others() {
    // Every other ball is in a group and layer of ghosts: the rest flies as if they did not exist.
    let run = |ghosts: bool| {
        let mut world = World::new(Limits::new(60), shapes("0.5", &[Shape::sphere(s("0.4"))])).unwrap();
        for layer in 0..=5 {
            apply(
                &mut world,
                &[Command::SetLayers { a: 5, b: layer, rule: Rule::Ignore, allow_overlap: false }],
            );
        }
        for index in 0..80_i64 {
            let mut draws = Rng::new(31).at(0, index as u64, 0);
            let cell = [index % 4, index / 4 % 4, index / 16];
            let position = Vec3::from_raw(cell.map(|c| (c << 32) + draws.between(-1 << 28, 1 << 28)));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 29, 1 << 29)));
            let solid = Spawn { velocity, ..Spawn::new(ShapeId(0), position) };
            let ghost = Spawn { layer: 5, user: 1, velocity: -velocity, ..solid };
            apply(&mut world, &[Command::Spawn(solid)]);
            if ghosts {
                apply(&mut world, &[Command::Spawn(ghost)]);
            }
        }
        let (mut report, mut impacts) = (TickReport::default(), 0);
        for _ in 0..60 {
            step(&mut world, &mut report);
            assert_clean(&report);
            impacts += report.impacts.len();
        }
        let solid = world.bodies().filter(|(_, body)| body.user == 0);
        (impacts, solid.map(|(_, body)| (body.position, body.momentum)).collect::<Vec<_>>())
    };
    let alone = run(false);
    assert!(alone.0 > 60, "{}", alone.0);
    assert!(alone == run(true));
}

#[test]
fn damping_is_symmetric_in_the_ledger_and_ends_at_rest() {
    let mut world = World::new(Limits::new(60), shapes("1", &[Shape::sphere(HALF)])).unwrap();
    let ball = |x: &str, y: &str, speed: &str, damping_q16| {
        let spawn = Spawn { mass: 3, damping_q16, ..Spawn::new(ShapeId(0), v(x, y, "0")) };
        Command::Spawn(Spawn { velocity: v(speed, "0", "0"), material: MaterialId(0), ..spawn })
    };
    apply(
        &mut world,
        &[ball("-9", "0", "-0.5", 1 << 15), ball("9", "0", "0.5", 0), ball("0", "5", "0.5", 0)],
    );
    apply(&mut world, &[Command::SetDamping { body: id(1), damping_q16: 1 << 15 }]);
    let mut report = TickReport::default();
    for tick in 1..60 {
        step(&mut world, &mut report);
        let [left, right, free] = [0, 1, 2].map(|slot| *world.body(id(slot)).unwrap());
        assert_eq!((left.position, left.momentum), (-right.position, -right.momentum));
        assert_eq!(report.ledger[Cause::Damping], [0; 3], "the two cancel");
        let expected = if tick <= 31 { (3 << 31) >> tick } else { 0 };
        assert!((left.momentum.x.to_bits() + expected).abs() <= 1, "tick {tick}");
        assert_eq!(free.velocity(), v("0.5", "0", "0"));
    }
    assert_eq!(world.body(id(0)).unwrap().momentum, Vec3::ZERO);
}
