//! A ball that falls on a floor comes back to e² of its height, and never higher.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    shape::Shape,
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::TickReport,
};

use crate::support::{assert_clean, s, step, v};

/// The heights of the turning points above the resting height, the start first.
fn apexes(rate: i64, restitution: &str, height: &str) -> Vec<Scalar> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    let ball = builder.shape(Shape::sphere(s("0.25")));
    let plane = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, Normal::Y).unwrap()));
    builder.fixed(plane, material, Vec3::ZERO);
    let mut world = World::new(Limits::new(rate as u32), builder.build().unwrap()).unwrap();
    let position = v("0", &(s("0.25") + s(height)).to_string(), "0");
    let gravity = Vec3::from_raw([0, (s("-9.8").to_bits() / (rate * rate)) & !1, 0]);
    let spawn = Spawn { material, mass: 3, ..Spawn::new(ball, position) };
    let applied = world.apply(&[Command::Spawn(spawn), Command::SetGravity { gravity }]);
    assert!(applied.outcomes.iter().all(Result::is_ok));
    let (mut report, mut energies) = (TickReport::default(), vec![world.energy_twice_wide()]);
    while world.tick_count() < 20 * rate as u64 {
        step(&mut world, &mut report);
        assert_clean(&report);
        // Between impacts energy is exact, so it says how high the ball will rise.
        let energy = world.energy_twice_wide();
        if !report.impacts.is_empty() && report.impacts[0].closing.to_bits() > 6 * -gravity.y.to_bits() {
            energies.push(energy);
        }
    }
    let per_height = i128::from(-gravity.y.to_bits()) * 2 * 3;
    energies.iter().map(|energy| Scalar::from_bits((energy / per_height) as i64) - s("0.25")).collect()
}

#[test]
fn every_apex_is_restitution_squared_of_the_one_before() {
    let mut bounces = 0;
    for (rate, tolerance) in [(10, "0.015"), (20, "0.015"), (60, "0.01"), (120, "0.01")] {
        for restitution in ["0.5", "0.8", "1"] {
            for height in ["0.7", "1.9", "5"] {
                let heights = apexes(rate, restitution, height);
                let squared = s(restitution) * s(restitution);
                for pair in heights.windows(2) {
                    let expected = pair[0] * squared;
                    assert!(
                        pair[1] <= expected + s("0.0000001"),
                        "{rate} Hz: {} of {expected}: a gain",
                        pair[1]
                    );
                    let lost = expected - pair[1];
                    assert!(
                        lost <= expected * s(tolerance),
                        "{rate} Hz, e {restitution}: lost {lost} of {expected}"
                    );
                    bounces += 1;
                }
            }
        }
    }
    println!("{bounces} bounces");
    assert!(bounces > 250, "{bounces}");
}
