//! Bodies that rotate about some of their own axes only.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    snapshot,
    state::{Body, BodyId, BodyType, Command, Locks, Spawn},
    tick::TickReport,
};

use crate::{
    support::{s, v},
    tumblers::{BALL, BRICK, CUBE, ROD, Scene, floor, ground, heap, solids, turned},
};

fn space() -> Scene {
    let mut scene = Scene::new(60, ground(("0.5", "0"), &solids(), &[]));
    scene.gravity = Vec3::ZERO;
    scene
}

fn body(world: &World, slot: usize) -> Body {
    *world.bodies().nth(slot).unwrap().1
}

fn run(world: &mut World, ticks: u64, mut look: impl FnMut(&World)) {
    let mut report = TickReport::default();
    for _ in 0..ticks {
        world.step(&mut report);
        assert_eq!((report.reverted.len(), report.speed_clamped), (0, 0));
        look(world);
    }
}

const ABOUT_Y: Locks = Locks::TURN_X.and(Locks::TURN_Z);

#[test]
fn about_one_axis_it_turns_for_ever_and_the_axis_stands_still_to_the_bit() {
    for (axis, speed) in [(0, v("0.11", "0", "0")), (1, v("0", "-0.07", "0")), (2, v("0", "0", "0.13"))] {
        let mut scene = space();
        let free = Locks::try_from(8 << axis).unwrap();
        let locks = Locks::try_from(Locks::TURN_ALL.bits() & !free.bits()).unwrap();
        let spawn = scene.add(BRICK, 7, Vec3::ZERO, Rotation::IDENTITY);
        (spawn.locks, spawn.angular_velocity) = (locks, speed);
        let mut world = scene.world();
        let first = body(&world, 0).spin.unwrap().angular_momentum;
        let mut seen = 0;
        run(&mut world, 10_000, |world| {
            let spin = body(world, 0).spin.unwrap();
            assert_eq!(spin.angular_momentum, first);
            let [_, parts @ ..] = spin.orientation.components();
            assert!((0..3).all(|other| other == axis || parts[other] == 0), "{parts:?}");
            seen += u32::from(parts[axis] != 0);
        });
        assert!(seen > 9_000);
    }
}

/// About a slanting axis each tick rounds the orientation by half of 2^-30.
#[test]
fn about_a_slanting_axis_it_hardly_drifts() {
    let mut scene = space();
    let lies = turned("5", "1", "-2", "3");
    let spawn = scene.add(BRICK, 7, Vec3::ZERO, lies);
    spawn.locks = ABOUT_Y;
    let axis = lies.turn_nearest(v("0", "1", "0"));
    spawn.angular_velocity = axis.map_raw(|raw| raw / 8);
    let mut world = scene.world();
    let first = body(&world, 0).spin.unwrap().angular_momentum;
    run(&mut world, 10_000, |world| {
        let spin = body(world, 0).spin.unwrap();
        let now = spin.orientation.turn_nearest(v("0", "1", "0"));
        let off = (now - axis).raw().map(i64::abs).into_iter().max().unwrap();
        assert!(off < 1 << 12, "{off}: 2^-20, of 10,000 ticks");
        let lost = (spin.angular_momentum - first).raw().map(i64::abs).into_iter().max().unwrap();
        let most = first.raw().map(i64::abs).into_iter().max().unwrap();
        assert!(lost << 18 < most, "{lost} of {most}");
    });
}

/// Locked about one axis, a body has no component that leans: it rotates about a fixed axis, and its energy
/// stays.
#[test]
fn about_two_axes_it_turns_evenly() {
    let mut scene = space();
    let spawn = scene.add(BRICK, 7, Vec3::ZERO, Rotation::IDENTITY);
    (spawn.locks, spawn.angular_velocity) = (Locks::TURN_Z, v("0.05", "0.08", "0"));
    let mut world = scene.world();
    let (energy, speed) = (world.energy_twice_wide(), world.angular_velocity(id(0)).unwrap());
    run(&mut world, 1_000, |world| {
        let now = world.angular_velocity(id(0)).unwrap();
        let off = (now - speed).raw().map(i64::abs).into_iter().max().unwrap();
        assert!(off < 1 << 12, "{off}");
        assert!((world.energy_twice_wide() - energy).abs() < energy >> 20);
    });
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// A ball against the end of a beam: with its rotation locked the beam acts with its mass, on a hinge with
/// its moment of inertia.
#[test]
fn a_ball_strikes_a_beam() {
    let strike = |locks: Locks| {
        let mut scene = space();
        scene.add(BRICK, 6, Vec3::ZERO, Rotation::IDENTITY).locks = locks;
        scene.add(BALL, 3, v("0.3", "0", "-1"), Rotation::IDENTITY).velocity = v("0", "0", "0.125");
        let mut world = scene.world();
        run(&mut world, 5, |_| {});
        let (beam, ball) = (body(&world, 0), body(&world, 1));
        (
            beam.velocity().z.to_bits(),
            world.angular_velocity(id(0)).unwrap().raw(),
            ball.velocity().z.to_bits(),
        )
    };
    let near = |found: i64, top: i128, bottom: i128| {
        let exact = ((top << 29) / bottom) as i64; // the ball comes with 2^-3
        assert!((found - exact).abs() < 1 << 10, "{found} {exact}");
    };
    // Head on: e is 1/2, and 2/3 and 1/3 of the mass are the beam's and the ball's.
    let (beam, turning, ball) = strike(Locks::TURN_ALL);
    assert_eq!(turning, [0; 3]);
    near(beam, 1, 2);
    near(ball, 0, 1);
    let (same, turning, _) = strike(Locks::TURN_Y); // this impulse rotates it about y only
    assert_eq!((same, turning), (beam, [0; 3]));
    // On a hinge along y: 1/m of the beam at its arm is r^2 / I, with I = m (.4^2 + .25^2) / 3.
    let (beam, turning, ball) = strike(Locks::ALL.and(ABOUT_Y));
    assert_eq!((beam, turning[0], turning[2]), (0, 0, 0));
    // In 1e-4: I / m = 2225/3, r^2 = 900. J = 1.5 v / (1/3 + 900/(6 * 2225/3)).
    let (give_top, give_bottom) = (2225 * 6 + 900 * 9, 2225 * 18); // 1/3 + 2700/13350
    let impulse = (3 * give_bottom, 2 * give_top);
    near(ball, impulse.1 * 3 - impulse.0, impulse.1 * 3);
    // w = -J r / I, I = 6 * .0741666 = .445
    near(turning[1], -impulse.0 * 300, impulse.1 * 445);
}

/// A body with locked rotation does not topple: half over an edge it stands, and unlocked it falls.
#[test]
fn locked_bodies_do_not_topple() {
    let lies = |locks| {
        let mut scene = Scene::new(60, floor(("0", "0.5")));
        let table = scene.add(CUBE, 1, v("0", "0.3", "0"), Rotation::IDENTITY);
        table.body_type = BodyType::Static;
        scene.add(CUBE, 1, v("0.4", "0.95", "0.05"), Rotation::IDENTITY).locks = locks;
        let mut world = scene.world();
        run(&mut world, 120, |_| {});
        body(&world, 1)
    };
    let still = lies(Locks::TURN_ALL);
    assert_eq!(still.spin.unwrap().orientation, Rotation::IDENTITY);
    assert!(still.position.y > s("0.89") && still.momentum == Vec3::ZERO, "{still:?}");
    assert!((lies(Locks::TURN_Z).position.y - still.position.y).abs() < s("0.000001"));
    assert!(lies(Locks::TURN_X).position.y < s("0.6"));
}

#[test]
fn no_body_turns_about_a_locked_axis_in_a_heap() {
    let mut scene = heap(60, ("0.5", "0.5"), 24, 9);
    for (index, spawn) in scene.spawns.iter_mut().enumerate() {
        spawn.orientation = Rotation::IDENTITY;
        spawn.angular_velocity = Vec3::ZERO;
        spawn.locks = [Locks::TURN_ALL, ABOUT_Y, Locks::TURN_X.and(Locks::TURN_Y)][index % 3];
    }
    let mut world = scene.world();
    let mut turned = 0;
    let mut report = TickReport::default();
    for _ in 0..300 {
        world.step(&mut report);
        assert_eq!(report.reverted, []);
        for (index, (_, body)) in world.bodies().enumerate() {
            let spin = body.spin.unwrap();
            let ([_, x, y, z], momentum) = (spin.orientation.components(), spin.angular_momentum);
            match index % 3 {
                0 => assert_eq!((spin.orientation, momentum), (Rotation::IDENTITY, Vec3::ZERO)),
                1 => assert_eq!([x.into(), z.into(), momentum.raw()[0], momentum.raw()[2]], [0; 4]),
                _ => assert_eq!([x.into(), y.into(), momentum.raw()[0], momentum.raw()[1]], [0; 4]),
            }
            turned += u32::from(spin.orientation != Rotation::IDENTITY);
        }
        let copy = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        assert_eq!(copy.state(), world.state());
        world = copy;
    }
    assert!(turned > 2_000, "{turned}");
}

#[test]
fn doors() {
    let mut world = space().world();
    let give = |world: &mut World, command: Command| {
        world.apply(&[command]).outcomes.remove(0).map(|_| ()).map_err(|refused| refused.reason.to_string())
    };
    let still = Spawn { locks: Locks::TURN_X, ..Spawn::new(BALL, v("9", "0", "0")) };
    let no_axes = Err("locks: a body that does not rotate has no axes to lock".to_owned());
    assert_eq!(give(&mut world, Command::Spawn(still)), no_axes);
    let rotates = Spawn { rotates: true, mass: 100, locks: ABOUT_Y, ..Spawn::new(BRICK, Vec3::ZERO) };
    let askew = Spawn { angular_velocity: v("0.1", "0.1", "0"), ..rotates };
    let none = Err("angular_velocity: about a locked axis there is none".to_owned());
    assert_eq!(give(&mut world, Command::Spawn(askew)), none);
    assert_eq!(
        give(&mut world, Command::Spawn(Spawn { angular_velocity: v("0", "0.1", "0"), ..rotates })),
        Ok(())
    );
    let body_is = |world: &World| *world.body(id(0)).unwrap();
    let before = body_is(&world).spin.unwrap().angular_momentum;
    // The locks hold any rotation about other axes.
    let angular_impulse = v("1", "0.5", "-2");
    assert_eq!(give(&mut world, Command::ApplyAngularImpulse { body: id(0), angular_impulse }), Ok(()));
    let now = body_is(&world).spin.unwrap().angular_momentum;
    assert_eq!((now - before), v("0", "0.5", "0"));
    let push =
        Command::ApplyImpulseAt { body: id(0), impulse: v("0", "0", "0.5"), point: v("0.25", "0.125", "0") };
    assert_eq!(give(&mut world, push), Ok(()));
    assert_eq!(body_is(&world).spin.unwrap().angular_momentum - now, v("0", "-0.125", "0"));
    // Placed with another orientation, it rotates about its own axis as before.
    let orientation = turned("1", "0", "0", "1");
    let place = Command::Teleport {
        body: id(0),
        position: Vec3::ZERO,
        orientation: Some(orientation),
        allow_overlap: false,
    };
    assert_eq!(give(&mut world, place), Ok(()));
    let along = before.raw()[1] + (3 << 29);
    assert_eq!(body_is(&world).spin.unwrap().angular_momentum.raw(), [-along, 0, 0]);
    assert_eq!(give(&mut world, Command::SetLocks { body: id(0), locks: Locks::TURN_ALL }), Ok(()));
    assert_eq!(body_is(&world).spin.unwrap().angular_momentum, Vec3::ZERO);
    assert_eq!(
        give(&mut world, Command::SetAngularVelocity { body: id(0), angular_velocity: v("0", "0.1", "0") }),
        none
    );
    assert_eq!(give(&mut world, Command::SetLocks { body: id(0), locks: Locks::NONE }), Ok(()));
}

/// A rod that rotates about its own axis lands on its end beside the middle of the world: a late sweep there
/// would make the final overlap check revert it.
#[test]
fn a_rod_that_stands_and_turns_lands_on_its_end() {
    for (locks, spin) in [(Locks::NONE, "0.001"), (Locks::NONE, "1"), (ABOUT_Y, "0.001"), (ABOUT_Y, "1")] {
        let mut scene = Scene::new(60, floor(("0.5", "0.5")));
        let rod = scene.add(ROD, 5, v("0.1", "0.6", "0"), Rotation::IDENTITY);
        (rod.locks, rod.velocity, rod.angular_velocity) = (locks, v("0", "-0.06", "0"), v("0", spin, "0"));
        run(&mut scene.world(), 10, |world| {
            assert!(body(world, 0).position.y > s("0.5"));
        });
    }
}
