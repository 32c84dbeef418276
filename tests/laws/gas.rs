//! A gas of elastic balls: nothing overlaps, nothing is held, energy stays.

use bitstep::tick::TickReport;

use crate::support::{assert_clean, every, gas, overlaps, step};

/// `BITSTEP_TICKS=10000` makes it ten thousand ticks and more than a million impacts.
#[test]
fn a_gas_of_a_thousand_keeps_its_energy_and_its_distance() {
    let ticks = std::env::var("BITSTEP_TICKS").map_or(600 / every(3) as u64, |text| text.parse().unwrap());
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
    // One part in 10^8 for every million impacts begun.
    let most = energy / 100_000_000 * (impacts as i128 / 1_000_000).max(1);
    assert!(drift.abs() <= most, "{drift} of {energy}");
}
