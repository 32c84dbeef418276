//! A gas of elastic balls: nothing overlaps, nothing is held, energy stays.

use bitstep::{
    geom::Vec3,
    num::{Rng, Scalar},
    shape::Shape,
    tick::TickReport,
    world::{Limits, ShapeId, World},
};

use crate::support::{Start, assert_clean, closed_box, overlaps, s, step, world};

/// `count` balls of radius .25 at 5 % packing, 5 to 20 units per second at 60 ticks per second.
pub fn gas(side: i64, seed: u64) -> World {
    let spacing = s("1.0940");
    let half = Scalar::from_bits(spacing.to_bits() * side / 2);
    let scenery = closed_box("1", &[Shape::sphere(s("0.25"))], &half.to_string());
    let rng = Rng::new(seed);
    let mut starts = Vec::new();
    for index in 0..side * side * side {
        let cell = [index % side, index / side % side, index / side / side];
        let mut draws = rng.at(1, index as u64, 0);
        let position = cell.map(|c| {
            let corner = spacing.to_bits() * c - half.to_bits();
            corner + spacing.to_bits() / 2 + draws.between(-(1 << 30), 1 << 30)
        });
        let speed = s("0.19").to_bits();
        let velocity = [0; 3].map(|_: i32| draws.between(-speed, speed));
        starts.push(Start {
            shape: ShapeId(0),
            mass: 1,
            position: Vec3::from_raw(position),
            velocity: Vec3::from_raw(velocity),
        });
    }
    world(Limits::new(60), &scenery, &starts)
}

#[test]
fn a_gas_of_a_thousand_keeps_its_energy_and_its_distance() {
    let ticks = std::env::var("BITSTEP_TICKS").map_or(600, |text| text.parse().unwrap());
    let mut world = gas(10, 1);
    let mut report = TickReport::default();
    let energy = world.energy_twice_wide();
    let mut impacts = 0;
    for tick in 0..ticks {
        step(&mut world, &mut report);
        assert_clean(&report);
        impacts += report.impacts.len();
        assert_eq!(overlaps(&world), 0, "tick {tick}");
    }
    let drift = world.energy_twice_wide() - energy;
    println!("{impacts} impacts, energy drift {} parts in 10^12", drift * 1_000_000 / (energy / 1_000_000));
    assert!(impacts as u64 > 100 * ticks, "{impacts}");
    assert!(drift.abs() <= energy / 100_000_000 * (1 + impacts as i128 / 1_000_000), "{drift} of {energy}");
}
