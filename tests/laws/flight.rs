//! Free flight is the parabola, to the last bit.

use bitstep::{
    geom::Vec3,
    shape::Shape,
    state::{Command, Limits},
    tick::TickReport,
};

use crate::support::{HALF, Start, assert_clean, shapes, step, v, world};

#[test]
fn free_flight_lies_on_the_parabola_at_every_tick() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let (position, velocity) = (v("-3", "100", "7"), Vec3::from_raw([12_345_678, 987_654_321, -5]));
    let gravity = Vec3::from_raw([0, -11_691_690, 2]);
    for mass in [1, 7, 65_536] {
        let start = Start { shape: bitstep::state::ShapeId(0), mass, position, velocity };
        let mut world = world(Limits::new(60), &scenery, &[start]);
        assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
        let energy = world.energy_twice_wide();
        let mut report = TickReport::default();
        for tick in 1..=1_000_i64 {
            step(&mut world, &mut report);
            assert_clean(&report);
            let (_, body) = world.bodies().next().unwrap();
            for axis in 0..3 {
                let (v0, g) = (velocity.raw()[axis], gravity.raw()[axis]);
                let expected = position.raw()[axis] + v0 * tick + g / 2 * tick * tick;
                assert_eq!(body.position.raw()[axis], expected, "axis {axis}, tick {tick}");
                assert_eq!(body.velocity().raw()[axis], v0 + g * tick);
            }
            assert_eq!(world.energy_twice_wide(), energy);
        }
    }
}
