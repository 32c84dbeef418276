//! Ticks that are rare in ordinary worlds: found by random commands under extreme limits.

use bitstep::{
    World,
    geom::{ANGULAR_SPEED_MAX, Rotation, Vec3},
    num::lit,
    shape::Shape,
    snapshot,
    state::{
        BodyId, Command, Limits, Locks, Material, OnHit, SceneryBuilder, ShapeId, Sleep, Spawn, turning_skin,
    },
    tick::TickReport,
};

use crate::support::{overlaps, s, step, v};

/// A gate that only rotates about its middle, a hair from a post; a crate is about to touch a wall.
fn gate_and_crate() -> World {
    let mut builder = SceneryBuilder::default();
    let plain = builder.material(Material::new(s("0.5")).unwrap());
    let rod = Shape::obb(v("1", "0.1", "0.1"), Rotation::IDENTITY);
    let (apart, gate) = (turning_skin(&rod).to_bits(), builder.shape(rod));
    let post = builder.shape(Shape::aabb(v("0.1", "0.1", "1")));
    let crates = builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
    let up = (1 << 32) / 5 + apart;
    builder.fixed(post, plain, Vec3::from_raw([1 << 31, up, 0]));
    builder.fixed(crates, plain, v("11", "0", "0"));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let turning = Spawn {
        material: plain,
        rotates: true,
        locks: Locks::X.and(Locks::Y).and(Locks::Z),
        angular_velocity: v("0", "0", "0.01"),
        ..Spawn::new(gate, Vec3::ZERO)
    };
    let sliding =
        Spawn { material: plain, velocity: v("0.02", "0", "0"), ..Spawn::new(crates, v("10", "0", "0")) };
    for spawn in [turning, sliding] {
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

#[test]
fn a_gate_that_only_turns_may_be_struck_at_the_instant_at_which_a_crate_is() {
    let (mut world, mut report, mut together) = (gate_and_crate(), TickReport::default(), false);
    for _ in 0..30 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0);
        let first = report.impacts.first().map(|impact| impact.toi);
        together |= report.impacts.iter().filter(|impact| Some(impact.toi) == first).count() > 1;
    }
    assert!(together, "both are struck at one instant");
    assert!(world.bodies().all(|(_, body)| body.momentum.x <= 0), "no body goes on into what it struck");
}

/// A floor on which balls fall asleep at once, in a world with a low limit of pairs.
fn few_looks() -> (World, impl Fn(&str) -> Command) {
    let mut builder = SceneryBuilder::default();
    let inelastic = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let floor = builder.shape(Shape::plane(v("0", "1", "0")).unwrap());
    builder.fixed(floor, inelastic, Vec3::ZERO);
    let limits = Limits::new(60).with_sleep_after(2).with_pairs_max(64);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    let spawn =
        move |x: &str| Command::Spawn(Spawn { material: inelastic, ..Spawn::new(ball, v(x, "0.502", "0")) });
    (world, spawn)
}

/// Adds a body and waits until all sleep.
fn lull(world: &mut World, report: &mut TickReport, spawn: Command) -> BodyId {
    let id = world.next_ids(1)[0];
    world.tick(&[spawn], report).accepted().unwrap();
    for _ in 0..100 {
        if world.bodies().all(|(id, _)| world.sleep(id) == Some(Sleep::Asleep)) {
            return id;
        }
        world.step(report);
    }
    panic!("a body does not fall asleep");
}

#[test]
fn a_body_removed_asleep_is_not_looked_at_by_a_world_that_was_not_restored_either() {
    let ((mut world, spawn), mut report) = (few_looks(), TickReport::default());
    lull(&mut world, &mut report, spawn("100"));
    for _ in 0..100 {
        let body = lull(&mut world, &mut report, spawn("0"));
        world.tick(&[Command::Remove { body }], &mut report).accepted().unwrap();
        assert!(report.outcomes[0].is_ok() && report.woke.is_empty());
    }
    let body = lull(&mut world, &mut report, spawn("0"));
    let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
    let push = Command::ApplyImpulse { body, impulse: v("0.1", "0", "0") };
    let mut other = TickReport::default();
    world.tick(&[push], &mut report).accepted().unwrap();
    restored.tick(&[push], &mut other).accepted().unwrap();
    assert_eq!(report.woke, [body]);
    assert!(report == other && world.state() == restored.state());
}

#[test]
fn a_body_that_shrinks_while_it_turns_about_one_axis_is_slowed_to_the_limit_in_one_tick() {
    for locks in [Locks::NONE, Locks::TURN_X.and(Locks::TURN_Y)] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        for half in ["4", "0.01"] {
            builder.shape(Shape::obb(v(half, half, half), Rotation::IDENTITY));
        }
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let angular_velocity = v("0", "0", "1.5");
        let spawn =
            Spawn { material, rotates: true, locks, angular_velocity, ..Spawn::new(ShapeId(0), Vec3::ZERO) };
        let body = world.next_ids(1)[0];
        let shrink = Command::SetShape { body, shape: ShapeId(1), allow_overlap: false };
        assert!(world.apply(&[Command::Spawn(spawn), shrink]).outcomes.iter().all(Result::is_ok));
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        let turning = world.angular_velocity(body).unwrap();
        assert_eq!(report.speed_clamped, 1);
        assert!(turning.z <= ANGULAR_SPEED_MAX && turning.z > lit("1.57"), "{locks:?}: {turning:?}");
    }
}

/// A heavy ball flies at a rod whose end is half a mile away, after another ball has stopped the rod: it was held already, at the border of the
/// world.
#[test]
fn a_held_body_that_a_hit_stops_is_hit_again() {
    let mut builder = SceneryBuilder::default();
    let soft = builder.material(Material::INELASTIC);
    let lively = builder.material(Material::new(s("0.97")).unwrap());
    let rod = builder.shape(Shape::capsule(v("-659.265195521", "147.3010104743", "0"), s("0.0029301862")));
    let ball = builder.shape(Shape::sphere(s("0.0002441406")));
    let limits = Limits::new(60).with_substeps(6).with_flat(true).with_extent(s("0.03125"));
    let limits = limits.with_speed_max(s("0.0004882812")).with_size_max(s("4096"));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity = v("0.000041299", "0.0000402686", "0");
    let fly = Spawn {
        material: lively,
        mass: 65_536,
        velocity: v("0.0004791268", "0.0000941048", "0"),
        ..Spawn::new(ball, v("-0.0027168042", "0.0211418755", "0"))
    };
    let wait = Spawn {
        material: soft,
        velocity: v("0.0004744702", "-0.0001060118", "0"),
        ..Spawn::new(ball, v("0.0180950179", "0.0175235681", "0"))
    };
    let lie = Spawn {
        material: soft,
        mass: 65_536,
        on_hit: OnHit::Stop,
        ..Spawn::new(rod, v("0.0312489935", "0.0178397556", "0"))
    };
    let mut commands = vec![Command::SetGravity { gravity: gravity.map_raw(|raw| raw & !1) }];
    commands.extend([fly, wait, lie].map(Command::Spawn));
    world.apply(&commands).accepted().unwrap();
    let mut report = TickReport::default();
    let mut out = 0;
    for tick in 0..20 {
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        out += report.out_of_bounds.len();
    }
    assert!(out > 0);
}
