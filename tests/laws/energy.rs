//! Energy with every kind of body: none gains any, except by the push of a moving kinematic body.

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, rng::Draws},
    shape::Shape,
    state::{BodyType, Command, Limits, Locks, Rule, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    piles::{RATES, run},
    support::{closed_box, overlaps, s, step, v},
};

/// Statics, kinematics that stand still and dynamic bodies, with locks, layers and groups.
fn still(spawn: Spawn, draws: &mut Draws) -> Spawn {
    let kind = [BodyType::Kinematic, BodyType::Static, BodyType::Dynamic][draws.below(10).min(2) as usize];
    let locks = Locks::try_from([0, 0, 0, 0, 1, 2, 4, 5][draws.below(8) as usize]).unwrap();
    let velocity = if kind == BodyType::Dynamic { locks.free_part(spawn.velocity) } else { Vec3::ZERO };
    let (layer, group) = (draws.below(4) as u8, draws.below(8).saturating_sub(5) as u16);
    Spawn { body_type: kind, locks, velocity, layer, group, ..spawn }
}

/// 125 bodies on a lattice in a closed box, at up to a speed on each axis.
fn crowd(limits: Limits, restitution: &str, speed: &str, damping_q16: u16) -> World {
    let solids = [Shape::sphere(s("0.3")), Shape::aabb(v("0.25", "0.3", "0.2"))];
    let mut world = World::new(limits, closed_box(restitution, &solids, "3.5")).unwrap();
    world
        .apply(&[Command::SetLayers { a: 1, b: 2, rule: Rule::Ignore, allow_overlap: false }])
        .accepted()
        .unwrap();
    for index in 0..125_i64 {
        let mut draws = Rng::new(61).at(0, index as u64, 0);
        let cell = [index % 5 - 2, index / 5 % 5 - 2, index / 25 - 2];
        let position = Vec3::from_raw(cell.map(|c| (c << 32) + draws.between(-1 << 29, 1 << 29)));
        let most = limits.speed_nearest(s(speed)).to_bits();
        let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (shape, mass) = (ShapeId(draws.below(2) as u16), 1 + draws.below(30) as u32);
        let spawn = Spawn { mass, velocity, damping_q16, ..Spawn::new(shape, position) };
        assert!(world.apply(&[Command::Spawn(still(spawn, &mut draws))]).outcomes[0].is_ok());
    }
    world
}

/// Runs a crowd without gravity; returns the energy at the beginning and at the end, the largest gain of a
/// tick, and the number of impacts.
fn flies(mut world: World, ticks: u32) -> (i128, i128, i128, i128) {
    let mut report = TickReport::default();
    let first = world.energy_twice_wide();
    let (mut last, mut gain, mut impacts) = (first, 0, 0);
    for tick in 0..ticks {
        step(&mut world, &mut report);
        assert!(report.reverted.is_empty() && report.out_of_bounds.is_empty());
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        let energy = world.energy_twice_wide();
        gain = gain.max(energy - last);
        last = energy;
        impacts += report.impacts.len() as i128;
    }
    (first, last, gain, impacts)
}

#[test]
fn elastic_impacts_of_every_kind_keep_the_energy() {
    for rate in RATES {
        let (first, last, _, impacts) = flies(crowd(Limits::new(rate), "1", "9", 0), 10 * rate);
        let drift = last - first;
        println!("{rate} Hz: {impacts} impacts, {} parts in 10^12", drift * 1_000_000 / (first / 1_000_000));
        assert!(impacts > 3_000, "{impacts}");
        // The rounding of velocities, which has no preferred direction.
        assert!(drift.abs() <= first / 10_000_000_000_000 * impacts, "{drift} of {first} at {rate} Hz");
    }
}

#[test]
fn damped_bodies_of_every_kind_only_lose_energy() {
    for (rate, restitution, damping_q16) in [(10, "1", 655), (20, "0.5", 0), (60, "0.9", 65), (120, "0", 1)] {
        let (first, last, gain, impacts) =
            flies(crowd(Limits::new(rate), restitution, "9", damping_q16), 5 * rate);
        println!("{rate} Hz: {impacts} impacts, {gain} gained in a tick at most, {last} of {first} left");
        assert!(impacts > 50, "{impacts}");
        assert!(last < first / 2 && gain == 0, "{gain} gained, {last} of {first} left at {rate} Hz");
    }
}

#[test]
fn bodies_of_every_kind_that_come_to_rest_gain_nothing() {
    for rate in RATES {
        for damping_q16 in [0, 200] {
            let limits = Limits::new(rate);
            let mut world = crowd(limits, "0.2", "3", damping_q16);
            let gravity = limits.gravity_nearest_even(v("0", "-9.8", "0"));
            world.apply(&[Command::SetGravity { gravity }]).accepted().unwrap();
            let seen = run(&mut world, 4, "a crowd of every kind");
            assert!(seen.impacts > 100, "{}", seen.impacts);
        }
    }
}
