//! The restitution of a pair of materials, and the speed below which it is zero.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    shape::Shape,
    state::{
        BodyId, Collider, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn, StaticId,
    },
    tick::TickReport,
};

use crate::support::{HALF, assert_clean, s, step, v};

const RESTITUTIONS: [&str; 3] = ["0.25", "0.75", "0.5"];

/// Three materials; a wall in each, which holds everything left of x = 0; balls have shape 0.
fn world_with_wall(limits: Limits, wall: u16) -> World {
    let mut builder = SceneryBuilder::default();
    for restitution in RESTITUTIONS {
        builder.material(Material::new(s(restitution)).unwrap());
    }
    builder.shape(Shape::sphere(HALF));
    let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::X).unwrap()));
    builder.fixed(plane, MaterialId(wall), Vec3::ZERO);
    World::new(limits, builder.build().unwrap()).unwrap()
}

fn ball(material: u16, x: &str, speed: Scalar) -> Command {
    let (position, velocity) = (v(x, "0", "0"), Vec3::new(speed, s("0"), s("0")));
    let (shape, material) = (ShapeId(0), MaterialId(material));
    Command::Spawn(Spawn { material, mass: 4, velocity, ..Spawn::new(shape, position) })
}

fn speeds_after_a_tick(world: World, balls: &[Command]) -> Vec<Scalar> {
    speeds_and_impacts(world, balls, 1)
}

fn speeds_and_impacts(mut world: World, balls: &[Command], impacts: usize) -> Vec<Scalar> {
    assert!(world.apply(balls).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_clean(&report);
    assert_eq!(report.impacts.len(), impacts);
    world.bodies().map(|(_, body)| body.velocity().x).collect()
}

#[test]
fn a_pair_takes_the_larger_restitution() {
    for (a, b, larger) in [(0, 1, "0.75"), (1, 0, "0.75"), (0, 2, "0.5"), (2, 1, "0.75"), (0, 0, "0.25")] {
        let with_wall = world_with_wall(Limits::new(60), b);
        assert_eq!(speeds_after_a_tick(with_wall, &[ball(a, "1", s("-1"))]), [s(larger)], "{a} on wall {b}");
        let pair = [ball(a, "4", s("1")), ball(b, "6", s("-1"))];
        let with_ball = world_with_wall(Limits::new(60), 0);
        assert_eq!(speeds_after_a_tick(with_ball, &pair), [-s(larger), s(larger)], "{a} and {b}");
    }
}

#[test]
fn nothing_bounces_up_to_the_rest_speed_or_four_times_gravity() {
    // Gravity lies along the wall, so it is in the threshold and not in the closing speed. Under it
    // the ball comes to rest at the wall, which is no impact.
    for (declared, gravity) in [("0.5", "0"), ("0", "0.125"), ("0.25", "0.125"), ("0.5", "0.0625")] {
        for (above, after) in [(0, 0), (-1_i64, 0), (4, (1_i64 << 31) / 4 + 1)] {
            let mut world = world_with_wall(Limits::new(60).with_rest_speed(s(declared)), 0);
            let impacts = usize::from(gravity == "0" || after > 0);
            let gravity = Command::SetGravity { gravity: v("0", &format!("-{gravity}"), "0") };
            assert!(world.apply(&[gravity]).outcomes[0].is_ok());
            let speed = Scalar::from_bits(-(1 << 31) - above);
            let found = speeds_and_impacts(world, &[ball(0, "0.75", speed)], impacts);
            assert_eq!(found, [Scalar::from_bits(after)], "rest speed {declared}, {gravity:?}, {above} raw");
        }
    }
}

#[test]
fn two_statics_hit_at_once_are_met_in_the_order_of_their_ids() {
    for normals in [[Normal::X, Normal::Y], [Normal::Y, Normal::X]] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::ELASTIC);
        let shape = builder.shape(Shape::sphere(HALF));
        for normal in normals {
            let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, normal).unwrap()));
            builder.fixed(plane, material, Vec3::ZERO);
        }
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let (position, velocity) = (v("2", "2", "0"), v("-3", "-3", "1"));
        let spawn = Spawn { material, velocity, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_clean(&report);
        assert_eq!(report.impacts.len(), 2);
        assert_eq!(report.impacts[0].toi, report.impacts[1].toi);
        for (index, impact) in report.impacts.iter().enumerate() {
            assert_eq!(impact.b, Collider::Static(StaticId(index as u32)));
            let against = normals[index].components().map(|part| -part.signum());
            assert_eq!(impact.normal.components().map(i32::signum), against);
        }
        assert!(report.impacts.iter().all(|impact| impact.closing == s("3")), "{:?}", report.impacts);
        let body = world.body(BodyId::from_parts(0, 0)).unwrap();
        assert_eq!(body.velocity(), v("3", "3", "1"));
    }
}

#[test]
fn pairs_that_meet_at_once_are_listed_by_the_smaller_id_first() {
    let mut world = world_with_wall(Limits::new(60), 1);
    // 0 meets 3 and 1 meets 2, both at the same u.
    let row = |y: &str, left: bool| {
        let (x, speed) = if left { ("5", "1") } else { ("7", "-1") };
        let (position, velocity) = (v(x, y, "0"), v(speed, "0", "0"));
        Command::Spawn(Spawn { material: MaterialId(1), velocity, ..Spawn::new(ShapeId(0), position) })
    };
    let balls = [row("0", true), row("3", true), row("3", false), row("0", false)];
    assert!(world.apply(&balls).outcomes.iter().all(Result::is_ok));
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    let met: Vec<String> = report.impacts.iter().map(|impact| format!("{} {}", impact.a, impact.b)).collect();
    assert_eq!(met, ["0 3", "1 2"]);
    assert_eq!(report.impacts[0].toi, report.impacts[1].toi);
}
