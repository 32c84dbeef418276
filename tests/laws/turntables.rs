//! Rotating kinematic bodies: they carry bodies on them, push those they meet, and let nothing through.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::Scalar,
    shape::{Obb, Shape},
    state::{BodyType, ShapeId},
    tick::TickReport,
};

use crate::{
    support::{every, overlaps, s, v},
    tumblers::{BALL, BRICK, CUBE, PADDLE, Scene, ground, solids},
};

const PLATE: ShapeId = ShapeId(5);

fn space(friction: &str) -> Scene {
    let mut solids = solids();
    solids.push(Shape::Obb(Obb::along_axes(v("2", "0.125", "2"))));
    Scene::new(60, ground(("0", friction), &solids, &[]))
}

fn place(world: &World, slot: usize) -> Vec3 {
    world.bodies().nth(slot).unwrap().1.position
}

/// Once round in 12.6 seconds, 1.2 from the middle: it pulls with a thirtieth of what friction holds.
#[test]
fn a_turntable_carries_a_box_round_by_friction() {
    let mut scene = space("0.9");
    let plate = scene.add(PLATE, 1, Vec3::ZERO, Rotation::IDENTITY);
    (plate.body_type, plate.angular_velocity) = (BodyType::Kinematic, v("0", "0.0083333333", "0"));
    scene.add(CUBE, 5, v("1.2", "0.43", "0"), Rotation::IDENTITY);
    let (mut world, mut report) = (scene.world(), TickReport::default());
    for tick in 0..800 {
        world.step(&mut report);
        assert_eq!((report.reverted.len(), report.impact_limited.len(), report.blocked.len()), (0, 0, 0));
        let (plate, cube) = (world.bodies().next().unwrap().1, world.bodies().nth(1).unwrap().1);
        // Its position and orientation on the plate.
        let [w, x, y, z] = plate.spin.unwrap().orientation.components();
        let back = Rotation::from_components([w, -x, -y, -z]).unwrap();
        let seen = back.turn_nearest(cube.position);
        let turned = back.turn_nearest(cube.spin.unwrap().orientation.turn_nearest(v("1", "0", "0")));
        if tick > 60 {
            assert!((seen.x - s("1.2")).abs() < s("0.05") && seen.z.abs() < s("0.05"), "{tick}: {seen}");
            assert!(turned.x > s("0.995"), "{tick}: {turned}");
        }
    }
    // 800 / 120 radians: more than once round.
    let angle = world.bodies().next().unwrap().1.spin.unwrap().orientation;
    assert!(angle.components()[0] < -(1 << 29), "{angle:?}");
}

/// What rides on a plate for five seconds keeps its distance from the axis within a thousandth.
#[test]
fn riders_of_a_turntable_keep_their_distance_from_its_axis() {
    let cases = [
        (CUBE, "0.43", "1.2", ["2", "0"]),
        (CUBE, "0.43", "-0.7", ["1.2", "-1.6"]),
        (BRICK, "0.28", "0.5", ["-2", "0"]),
    ];
    for (rate, (shape, height, speed, [x, z])) in
        [20, 30, 60, 120].into_iter().flat_map(|rate| cases.map(|case| (rate, case))).step_by(every(2))
    {
        let mut solids = solids();
        solids.push(Shape::Obb(Obb::along_axes(v("3", "0.125", "3"))));
        let mut scene = Scene::new(rate, ground(("0", "0.9"), &solids, &[]));
        let plate = scene.add(PLATE, 1, Vec3::ZERO, Rotation::IDENTITY);
        let angle = s(speed) / i64::from(rate);
        plate.body_type = BodyType::Kinematic;
        plate.angular_velocity = Vec3::new(Scalar::ZERO, angle, Scalar::ZERO);
        let rider = scene.add(shape, 5, v(x, height, z), Rotation::IDENTITY);
        // It begins with the velocity of the plate below it.
        rider.velocity = Vec3::new(angle * s(z), Scalar::ZERO, -angle * s(x));
        rider.angular_velocity = Vec3::new(Scalar::ZERO, angle, Scalar::ZERO);
        let (mut world, mut report) = (scene.world(), TickReport::default());
        for tick in 0..5 * rate {
            world.step(&mut report);
            let [x, _, z] = place(&world, 1).raw().map(i128::from);
            let square = x * x + z * z;
            // Of the square two thousandths, and a little.
            assert!(
                (square - (4 << 64)).abs() <= (4 << 64) / 500,
                "{rate} Hz, {speed}: {square} at tick {tick}"
            );
        }
    }
}

/// A beam that rotates in the middle of the world pushes a ball before it, as long as it reaches, at any
/// speed.
#[test]
fn a_door_pushes_what_it_meets_and_lets_nothing_through() {
    for speed in ["0.01", "0.1", "0.7", "1.5"] {
        let mut scene = space("0");
        scene.gravity = Vec3::ZERO;
        let door = scene.add(PADDLE, 1, Vec3::ZERO, Rotation::IDENTITY);
        (door.body_type, door.angular_velocity) = (BodyType::Kinematic, v("0", speed, "0"));
        scene.add(BALL, 5, v("0.6", "0", "-0.7"), Rotation::IDENTITY);
        let (mut world, mut report) = (scene.world(), TickReport::default());
        let mut struck = 0;
        for tick in 0..400 {
            world.step(&mut report);
            struck += report.impacts.len();
            assert_eq!((report.reverted.len(), overlaps(&world)), (0, 0), "{speed} {tick}");
        }
        let [x, _, z] = place(&world, 1).raw().map(i128::from);
        assert!(struck > 0 && x * x + z * z > 1 << 64, "{speed}: it is out of reach {struck}");
        assert!(z < 0, "{speed}: on the side that it was on");
    }
}
