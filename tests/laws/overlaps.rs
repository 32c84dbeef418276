//! Overlaps that a command allowed: the bodies may separate and get no deeper, and once separated they
//! collide as others.

use std::collections::BTreeMap;

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    overlap::{closest_point_aabb, overlap_shapes},
    shape::Shape,
    snapshot,
    state::{BodyType, Collider, Command, Limits, Rule, ShapeId, Spawn, StaticId},
    tick::TickReport,
};

use crate::support::{HALF, closed_box, overlaps, s, shapes, step, v};

const BALL: ShapeId = ShapeId(0);

fn apply(world: &mut World, commands: &[Command]) {
    let outcomes = world.apply(commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

/// The depth of two shapes in each other, in raw: along the line of the centers for balls, along the axis of
/// least depth for boxes, below the surface for a center that is inside.
fn depth(a: &Shape, b: &Shape, offset: Vec3) -> i64 {
    let inside = |half: Vec3, offset: Vec3| {
        let (half, offset) = (half.raw(), offset.raw());
        (0..3).map(|axis| half[axis] - offset[axis].abs()).min().unwrap()
    };
    let length = |vector: Vec3| vector.length_squared_wide().isqrt() as i64;
    match (a, b) {
        (Shape::Sphere { radius: p }, Shape::Sphere { radius: q }) => (*p + *q).to_bits() - length(offset),
        (Shape::Aabb { half: p }, Shape::Aabb { half: q }) => inside(*p + *q, offset),
        (Shape::Sphere { radius }, Shape::Aabb { half }) => {
            let outside = length(closest_point_aabb(-offset, *half) + offset);
            radius.to_bits() + if outside > 0 { -outside } else { inside(*half, offset) }
        }
        (Shape::Aabb { .. }, Shape::Sphere { .. }) => depth(b, a, -offset),
        (Shape::Plane(plane), _) => {
            let reach = a.half_extent().or(b.half_extent()).unwrap().raw();
            let normal = plane.normal().components();
            let along = normal.iter().position(|&part| part != 0).unwrap();
            reach[along] - i64::from(normal[along].signum()) * offset.raw()[along]
        }
        (_, Shape::Plane(_)) => depth(b, a, -offset),
        _ => unreachable!("no oriented box here"),
    }
}

/// All solid pairs that overlap, with their depths.
fn depths(world: &World) -> BTreeMap<(u32, Collider), i64> {
    let (scenery, layers) = (world.scenery(), world.state().layers);
    let shape = |id: ShapeId| &scenery.shapes()[usize::from(id.0)];
    let mut found = BTreeMap::new();
    for (id, body) in world.bodies() {
        let own = shape(body.shape);
        let bodies = world.bodies().filter(|(other, _)| *other > id);
        let others = bodies.map(|(id, it)| (Collider::Body(id), it.shape, it.position, it.filter()));
        let statics = (0..).zip(scenery.statics()).map(|(index, fixed)| {
            (Collider::Static(StaticId(index)), fixed.shape, fixed.position, fixed.filter())
        });
        for (collider, other, position, filter) in others.chain(statics) {
            let offset = position - body.position;
            if layers.is_solid(body.filter(), filter) && overlap_shapes(own, shape(other), offset) {
                found.insert((id.slot(), collider), depth(own, shape(other), offset));
            }
        }
    }
    found
}

#[test]
fn overlapping_spawns_part_and_never_overlap_again() {
    let mut world = World::new(Limits::new(60), shapes("1", &[Shape::sphere(HALF)])).unwrap();
    let ball =
        |x: &str, speed: &str| Spawn { velocity: v(speed, "0", "0"), ..Spawn::new(BALL, v(x, "0", "0")) };
    apply(&mut world, &[Command::Spawn(ball("0", "-0.125"))]);
    let over = ball("0.25", "0.0625");
    let refused = world.apply(&[Command::Spawn(over)]).outcomes.remove(0);
    assert_eq!(refused.unwrap_err().reason.to_string(), "would overlap 0");
    apply(&mut world, &[Command::Spawn(Spawn { allow_overlap: true, ..over })]);
    let (mut report, mut counts) = (TickReport::default(), Vec::new());
    for _ in 0..8 {
        step(&mut world, &mut report);
        assert!(report.impacts.is_empty() && report.reverted.is_empty());
        counts.push(report.overlapping);
    }
    // Apart by 3/16 in each tick, from 1/4 to 1: four ticks begin with an overlap.
    assert_eq!(counts, [1, 1, 1, 1, 0, 0, 0, 0]);
    let bodies: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    let back = |body, speed| Command::SetVelocity { body, velocity: v(speed, "0", "0") };
    apply(&mut world, &[back(bodies[0], "3"), back(bodies[1], "-3")]);
    step(&mut world, &mut report);
    assert_eq!((report.impacts.len(), report.overlapping, overlaps(&world)), (1, 0, 0));
}

#[test]
fn an_approach_in_an_overlap_is_an_impact_at_once() {
    for second in ["-2", "0"] {
        let mut world = World::new(Limits::new(60), shapes("1", &[Shape::sphere(HALF)])).unwrap();
        let ball = |x: &str, speed: &str| {
            let spawn = Spawn { velocity: v(speed, "0", "0"), ..Spawn::new(BALL, v(x, "0", "0")) };
            Command::Spawn(Spawn { allow_overlap: true, ..spawn })
        };
        apply(&mut world, &[ball("0", "2"), ball("0.25", second)]);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!((report.impacts.len(), report.overlapping, report.impacts[0].toi.raw()), (1, 1, 0));
        let [first, other] = [0, 1].map(|index| world.bodies().nth(index).unwrap().1.velocity().x);
        assert_eq!((first, other), (s(second), s("2")), "they exchange their velocities");
        assert_eq!(overlaps(&world), 0);
    }
}

#[test]
fn an_overlap_that_an_impact_leaves_is_not_taken_for_a_new_one() {
    let solids = [Shape::sphere(HALF), Shape::aabb(v("1", "1", "1"))];
    let mut world = World::new(Limits::new(60), shapes("1", &solids)).unwrap();
    let of = |shape, kind, x: &str, speed: &str| {
        let spawn = Spawn { body_type: kind, allow_overlap: true, ..Spawn::new(shape, v(x, "0", "0")) };
        Command::Spawn(Spawn { velocity: v(speed, "0", "0"), ..spawn })
    };
    let (ball, block) = (BALL, ShapeId(1));
    apply(
        &mut world,
        &[
            of(ball, BodyType::Dynamic, "0", "0.03125"),
            of(ball, BodyType::Dynamic, "0.25", "-0.03125"),
            of(block, BodyType::Static, "10", "0"),
            of(ball, BodyType::Dynamic, "9.25", "0.03125"),
        ],
    );
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!((report.impacts.len(), report.overlapping, overlaps(&world)), (2, 2, 2));
    assert!(report.reverted.is_empty() && report.impact_limited.is_empty());
    let places: Vec<_> = world.bodies().map(|(_, body)| (body.position.x, body.velocity().x)).collect();
    let expected = [("-0.03125", "-0.03125"), ("0.28125", "0.03125"), ("10", "0"), ("9.21875", "-0.03125")];
    assert_eq!(places, expected.map(|(place, speed)| (s(place), s(speed))));
}

#[test]
fn every_command_that_may_overlap_may_be_allowed_to() {
    let solids = [Shape::sphere(HALF), Shape::sphere(s("2"))];
    let mut world = World::new(Limits::new(60), shapes("0", &solids)).unwrap();
    let ball = |x: &str, layer| Command::Spawn(Spawn { layer, ..Spawn::new(BALL, v(x, "0", "0")) });
    apply(
        &mut world,
        &[
            Command::SetLayers { a: 1, b: 0, rule: Rule::Ignore, allow_overlap: false },
            ball("0", 0),
            ball("0.5", 1),
            ball("3", 0),
        ],
    );
    let ids: Vec<_> = world.bodies().map(|(id, _)| id).collect();
    let mut report = TickReport::default();
    let mut overlapping = |world: &mut World, command: fn(bitstep::state::BodyId, bool) -> Command, id| {
        assert!(world.clone().apply(&[command(id, false)]).outcomes[0].is_err());
        let mut other = world.clone();
        apply(&mut other, &[command(id, true)]);
        let mut restored = snapshot::decode(&snapshot::encode(&other), other.scenery()).unwrap();
        step(&mut other, &mut report);
        let first = report.clone();
        step(&mut restored, &mut report);
        assert_eq!(first, report);
        report.overlapping
    };
    step(&mut world, &mut TickReport::default()); // the world knows that all is apart
    let teleport = |body, allow_overlap| Command::Teleport {
        body,
        position: v("0.75", "0", "0"),
        orientation: None,
        allow_overlap,
    };
    assert_eq!(overlapping(&mut world, teleport, ids[2]), 1);
    let grow = |body, allow_overlap| Command::SetShape { body, shape: ShapeId(1), allow_overlap };
    assert_eq!(
        overlapping(
            &mut world,
            |body, allow| Command::SetFilter { body, layer: 0, group: 0, allow_overlap: allow },
            ids[1]
        ),
        1
    );
    let solid = |_, allow_overlap| Command::SetLayers { a: 0, b: 1, rule: Rule::Solid, allow_overlap };
    assert_eq!(overlapping(&mut world, solid, ids[0]), 1);
    apply(
        &mut world,
        &[Command::Teleport {
            body: ids[2],
            position: v("2", "0", "0"),
            orientation: None,
            allow_overlap: false,
        }],
    );
    assert_eq!(overlapping(&mut world, grow, ids[2]), 1);
}

#[test]
fn a_deep_overlap_under_gravity_and_pushes_gets_no_deeper() {
    let (mut seen, mut separated, mut worst) = (0, 0, i64::MIN);
    for (seed, rate) in [(1, 10), (2, 20), (3, 60), (4, 120)] {
        let solids = [Shape::sphere(s("0.4")), Shape::sphere(s("0.8")), Shape::aabb(v("0.5", "0.4", "0.6"))];
        let limits = Limits::new(rate).with_speed_max(s("2"));
        let mut world = World::new(limits, closed_box("0.5", &solids, "4")).unwrap();
        let gravity = limits.gravity_nearest_even(v("0.5", "-9.81", "0"));
        apply(&mut world, &[Command::SetGravity { gravity }]);
        let (mut report, mut again) = (TickReport::default(), TickReport::default());
        for tick in 0..u64::from(3 * rate) {
            let mut draws = Rng::new(81).at(seed, tick, 0);
            for index in 0..if tick == 0 { 24 } else { 2 } {
                let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-4 << 32, 4 << 32)));
                let push = position.map_raw(|raw| raw / i64::from(rate));
                let body = world.bodies().nth(draws.below(30) as usize).map(|(id, _)| id);
                let kind = [
                    BodyType::Dynamic,
                    BodyType::Dynamic,
                    BodyType::Dynamic,
                    BodyType::Kinematic,
                    BodyType::Static,
                ];
                let kind = kind[draws.below(5) as usize];
                let velocity =
                    if kind == BodyType::Static { Vec3::ZERO } else { push.map_raw(|raw| raw / 2) };
                let spawn = Spawn {
                    body_type: kind,
                    velocity,
                    ..Spawn::new(ShapeId(draws.below(3) as u16), position)
                };
                let command = match body.filter(|_| tick > 0) {
                    Some(body) if tick % 32 == 0 => {
                        Command::Teleport { body, position, orientation: None, allow_overlap: true }
                    }
                    Some(body) if index == 0 => Command::ApplyImpulse { body, impulse: push },
                    Some(body) => Command::SetVelocity { body, velocity: push },
                    None => Command::Spawn(Spawn {
                        allow_overlap: true,
                        mass: 1 + draws.below(9) as u32,
                        ..spawn
                    }),
                };
                let _ = world.apply(&[command]);
            }
            let before = depths(&world);
            let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
            step(&mut world, &mut report);
            restored.step(&mut again);
            assert_eq!(report, again, "tick {tick} at {rate} Hz");
            assert_eq!(report.overlapping as usize, before.len(), "tick {tick} at {rate} Hz");
            let after = depths(&world);
            for (pair, depth) in &after {
                let was =
                    before.get(pair).unwrap_or_else(|| panic!("{pair:?} is new, tick {tick} at {rate} Hz"));
                worst = worst.max(depth - was);
                assert!(depth - was <= 16, "{pair:?}: {was} to {depth}, tick {tick} at {rate} Hz");
            }
            seen += after.len();
            separated += before.len() - after.len();
        }
    }
    println!("{seen} overlaps seen, {separated} separated, {worst} raw deeper at the worst");
    assert!(seen > 300 && separated > 30, "{seen} seen, {separated} separated");
}
