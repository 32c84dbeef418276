//! Points by hand: which ones count, and what a push does to both sides.

use super::*;
use crate::{
    num::lit,
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{TickReport, World, phases::Step},
};

/// Two balls that turn about different axes.
fn turning_balls(pull: &str, velocities: [Vec3; 2]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let gravity =
        world.limits().gravity_nearest_even(Vec3::new(Scalar::ZERO, pull.parse().unwrap(), Scalar::ZERO));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    for (angular_velocity, y) in velocities.into_iter().zip(["0", "2"]) {
        let position = Vec3::new(lit("0"), y.parse().unwrap(), lit("0"));
        let spawn = Spawn { material, rotates: true, angular_velocity, ..Spawn::new(ball, position) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    }
    world
}

#[test]
fn the_band_of_points_is_the_gap_at_rest_and_twice_what_turns_and_pulls() {
    let about = [Vec3::lit("0.001", "0", "0"), Vec3::lit("0", "0", "-0.002")];
    let [first, second] = about;
    for pull in ["0", "-9.8"] {
        for velocities in [[Vec3::ZERO; 2], [first, Vec3::ZERO], [Vec3::ZERO, second], about] {
            let mut report = TickReport::default();
            let World { state, scenery, scratch, .. } = &mut turning_balls(pull, velocities);
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            let step = step.contact();
            let (low, normal, offset) = (Partner::Body(BodyIndex(1)), Normal::Y, Vec3::ZERO);
            let sides = Sides { low, high: 0, parts: [0; 2], normal, offset };
            // Each turns about one axis, so the length of how it turns is the sum of the sizes.
            let spins = [0, 1].map(|index| sum(step.spin_of(Partner::Body(BodyIndex(index)))));
            assert_eq!(spins.map(|spin| spin != 0), velocities.map(|velocity| velocity != Vec3::ZERO));
            let moves = 2 * (spins[0] + spins[1] + step.sim.gravity);
            for rest in [1 << 10, 1 << 22, 1 << 24] {
                let wanted = (rest + moves).min(rest << BAND_SHIFT);
                assert_eq!(step.band_of(&sides, rest), wanted, "{pull} {velocities:?} {rest}");
            }
        }
    }
}

#[test]
fn pushes_are_shared_as_the_other_masses() {
    let shares = |masses: [Option<u32>; 2]| shares_q30(masses.map(|mass| Some((mass?, Locks::NONE))));
    let quarter = 1 << (SHARE_BITS - 2);
    for (masses, shared) in [
        ([None, None], [0, 0]),
        ([None, Some(7)], [0, 4 * quarter]),
        ([Some(5), Some(5)], [2 * quarter, 2 * quarter]),
        ([Some(3), Some(1)], [quarter, 3 * quarter]),
    ] {
        let ([low, high], [of_low, of_high]) = (masses, shared);
        assert_eq!(shares(masses), shared, "{masses:?}");
        assert_eq!(shares([high, low]), [of_high, of_low], "{masses:?}");
    }
}
