//! Bodies of a flat world rotate about the normal of its plane: they tumble, stack, slide and roll, and never
//! leave it.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Rotation, Vec3, vec2},
    num::Scalar,
    shape::{Obb, Shape, inertia_of},
    state::{Body, Command, Limits, Locks, Material, Scenery, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    support::{every, s, v},
    tumblers::turned,
};

const DISC: ShapeId = ShapeId(0);
const CRATE: ShapeId = ShapeId(1);
const PLANK: ShapeId = ShapeId(2);
const COIN: ShapeId = ShapeId(4);

/// A field with a floor, and rotating bodies in it.
fn field(bouncy: (&str, &str), floor: [i32; 2], walls: bool) -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s(bouncy.0)).unwrap().with_friction(s(bouncy.1)).unwrap();
    let material = builder.material(material);
    let brick = |x, y, z| Shape::Obb(Obb::along_axes(v(x, y, z)));
    builder.shape(Shape::sphere(s("0.5")));
    builder.shape(brick("0.5", "0.5", "0.5"));
    builder.shape(brick("1", "0.125", "0.5"));
    builder.shape(Shape::capsule(v("0.5", "0", "0"), s("0.25")));
    builder.shape(Shape::capsule(v("0", "0", "1"), s("0.5"))); // seen from its end
    let mut plane = |[x, y]: [i32; 2], at: Vec3| {
        let plane = Plane::from_point_normal(Vec3::ZERO, Normal::new(x, y, 0)).unwrap();
        let shape = builder.shape(Shape::Plane(plane));
        builder.fixed(shape, material, at);
    };
    plane(floor, Vec3::ZERO);
    if walls {
        plane([1, 0], vec2(s("-6"), s("0")));
        plane([-1, 0], vec2(s("6"), s("0")));
    }
    builder.build().unwrap()
}

fn flat(scenery: Arc<Scenery>, gravity: &str) -> World {
    let mut world = World::new(Limits::new(60).with_flat(true), scenery).unwrap();
    let gravity = world.limits().gravity_nearest_even(vec2(s("0"), s(gravity)));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    world
}

fn about_z(w: &str, z: &str) -> Rotation {
    turned(w, "0", "0", z)
}

fn add(world: &mut World, shape: ShapeId, at: [&str; 2], orientation: Rotation) {
    let spawn = Spawn { rotates: true, mass: 3, orientation, ..Spawn::new(shape, vec2(s(at[0]), s(at[1]))) };
    let outcome = world.apply(&[Command::Spawn(spawn)]).outcomes.remove(0);
    assert!(outcome.is_ok(), "{outcome:?}");
}

fn body(world: &World, slot: usize) -> Body {
    *world.bodies().nth(slot).unwrap().1
}

fn run(world: &mut World, ticks: u64) {
    let mut report = TickReport::default();
    for _ in 0..ticks {
        let before = world.angular_momentum_wide();
        world.step(&mut report);
        assert_eq!((report.reverted.len(), report.impact_limited.len()), (0, 0));
        for (_, body) in world.bodies() {
            assert_eq!((body.position.z, body.momentum.z), (s("0"), s("0")));
            let Some(spin) = body.spin else { continue };
            let ([_, x, y, _], [along, across, _]) =
                (spin.orientation.components(), spin.angular_momentum.raw());
            assert_eq!([x.into(), y.into(), along, across], [0; 4]);
        }
        let (after, total) = (world.angular_momentum_wide(), report.angular.total());
        assert!((0..3).all(|i| (2 * (after[i] - before[i]) - total[i]).abs() <= report.angular.slack()));
    }
}

#[test]
fn heaps_tumble_in_the_plane_and_come_to_rest() {
    for bouncy in [("0.3", "0.5"), ("0", "0"), ("0.6", "1")].into_iter().step_by(every(2)) {
        let mut world = flat(field(bouncy, [0, 1], true), "-9.8");
        for index in 0..20_i64 {
            let shape = ShapeId((index % 5) as u16);
            let at = Vec3::from_raw([(index % 4 * 5 - 7) << 31, (index / 4 * 5 + 3) << 31, 0]);
            let spin = Scalar::from_bits((index - 9) << 27);
            let spawn = Spawn {
                rotates: true,
                mass: 2 + index as u32,
                orientation: about_z("5", ["1", "-2", "3"][index as usize % 3]),
                angular_velocity: Vec3::new(s("0"), s("0"), spin),
                velocity: vec2(s("0.05"), s("-0.02")),
                ..Spawn::new(shape, at)
            };
            let outcome = world.apply(&[Command::Spawn(spawn)]).outcomes.remove(0);
            assert!(outcome.is_ok(), "{index} {outcome:?}");
        }
        run(&mut world, 900);
        let turned = world.bodies().filter(|(_, body)| body.spin.unwrap().orientation != Rotation::IDENTITY);
        assert!(turned.count() > 15);
    }
}

#[test]
fn a_stack_of_crates_stands_and_a_crate_on_its_corner_falls_on_a_side() {
    let mut world = flat(field(("0", "0.5"), [0, 1], false), "-9.8");
    for y in ["0.51", "1.52", "2.53", "3.54", "4.55"] {
        add(&mut world, CRATE, ["0", y], Rotation::IDENTITY);
    }
    add(&mut world, CRATE, ["3", "0.8"], about_z("5", "2.3"));
    run(&mut world, 600);
    let before: Vec<Body> = world.bodies().map(|(_, body)| *body).collect();
    run(&mut world, 600);
    for (slot, (_, body)) in world.bodies().enumerate() {
        assert_eq!((body, body.momentum), (&before[slot], Vec3::ZERO));
    }
    assert!(before[4].position.y > s("4.5") && before[4].position.x.abs() < s("0.01"));
    let fallen = before[5];
    assert!((fallen.position.y - s("0.5")).abs() < s("0.01"), "{fallen:?}");
    // It leant a little more than half over: a quarter turn, sin 45 degrees.
    let off = fallen.spin.unwrap().orientation.components()[3] - 759_250_125;
    assert!(off.abs() < 1 << 24, "{fallen:?}");
}

/// Down a slope with tan 3/4, without slipping: g sin / (1 + I / m r^2), for each shape.
#[test]
fn round_bodies_roll_down_by_their_moment_of_inertia() {
    for shape in [DISC, COIN] {
        let scenery = field(("0", "1"), [3, 4], false);
        let inertia = inertia_of(&scenery.shapes()[usize::from(shape.0)], 3).unwrap();
        let mut world = flat(scenery, "-9.8");
        let spawn = Spawn { rotates: true, mass: 3, ..Spawn::new(shape, vec2(s("0.31"), s("0.41"))) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        run(&mut world, 30);
        let start = body(&world, 0).velocity();
        run(&mut world, 60);
        let gained = body(&world, 0).velocity() - start;
        // Along (4, -3) / 5, in 60 ticks of 1/60; per tick 9.8 * .6 / 60 / (1 + k).
        let along = (4 * gained.x.to_bits() - 3 * gained.y.to_bits()) / 5;
        // I / m r^2 with r of a half, in 2^-32: the moment has 64 bits.
        let k = ((inertia.moments()[2] * 4 / 3) >> 32) as i64;
        let exact = (i128::from(s("0.098").to_bits()) << 32) / i128::from((1_i64 << 32) + k);
        assert!((i128::from(along) - exact).abs() * 200 < exact, "{shape:?} {along} {exact}");
        let spin = world.angular_velocity(bitstep::state::BodyId::from_parts(0, 0)).unwrap();
        assert!(spin.z < 0);
    }
}

#[test]
fn rotations_out_of_the_plane_are_refused_with_a_reason() {
    let mut world = flat(field(("0", "1"), [0, 1], false), "-9.8");
    let give = |world: &mut World, command: Command| {
        world.apply(&[command]).outcomes.remove(0).map(|_| ()).map_err(|refused| refused.reason.to_string())
    };
    let spawn = Spawn { rotates: true, ..Spawn::new(PLANK, vec2(s("0"), s("3"))) };
    let alone = |field: &str| Err(format!("{field}: in a flat world a body rotates about z alone"));
    let lies = Spawn { orientation: turned("4", "1", "0", "0"), ..spawn };
    assert_eq!(give(&mut world, Command::Spawn(lies)), alone("orientation"));
    let wheels = Spawn { angular_velocity: v("0.1", "0", "0"), ..spawn };
    let none = Err("angular_velocity: about a locked axis there is none".to_owned());
    assert_eq!(give(&mut world, Command::Spawn(wheels)), none);
    assert_eq!(
        give(&mut world, Command::Spawn(Spawn { angular_velocity: v("0", "0", "0.1"), ..spawn })),
        Ok(())
    );
    let body = bitstep::state::BodyId::from_parts(0, 0);
    let locks = || Locks::TURN_X.and(Locks::TURN_Y);
    assert_eq!(world.body(body).unwrap().locks, locks());
    assert_eq!(give(&mut world, Command::SetLocks { body, locks: Locks::X }), Ok(()));
    assert_eq!(world.body(body).unwrap().locks, locks().and(Locks::X));
    let position = vec2(s("0"), s("3"));
    let place = |orientation| Command::Teleport {
        body,
        position,
        orientation: Some(orientation),
        allow_overlap: false,
    };
    assert_eq!(give(&mut world, place(turned("4", "0", "1", "0"))), alone("orientation"));
    assert_eq!(give(&mut world, place(about_z("4", "1"))), Ok(()));
    assert_eq!(
        give(&mut world, Command::ApplyAngularImpulse { body, angular_impulse: v("1", "1", "0.001") }),
        Ok(())
    );
    let spin = world.body(body).unwrap().spin.unwrap();
    assert_eq!([spin.angular_momentum.x, spin.angular_momentum.y], [s("0"); 2]);
}
