//! Towers and pyramids of boxes with friction stand, and lie still to the bit.

use bitstep::{World, state::Spawn};

use crate::shows::{RATES, Stage, Verdict, Watch, place};

/// Boxes of one unit on each other, a hair apart.
fn tower(count: i64, rate: u32) -> World {
    let mut stage = Stage::floor("0", "0.5");
    let cube = stage.block("0.5", "0.5", "0.5");
    for level in 0..count {
        stage.add(Spawn::new(cube, place(0, 501 + 1_001 * level, 0)));
    }
    stage.world(rate)
}

/// Rows of boxes, each one box shorter than the one below and half a box aside.
fn pyramid(rows: i64, rate: u32) -> World {
    let mut stage = Stage::floor("0", "0.5");
    let cube = stage.block("0.5", "0.5", "0.5");
    for row in 0..rows {
        for index in 0..rows - row {
            stage.add(Spawn::new(cube, place(510 * row + 1_020 * index, 501 + 1_001 * row, 0)));
        }
    }
    stage.world(rate)
}

/// Runs, and returns the largest displacement in raw since the first second.
fn stand(world: &mut World, ticks: u64, name: &str) -> (Watch, i64) {
    let mut watch = Watch::default();
    let rate = world.limits().tick_rate;
    let first: Vec<_> = world.bodies().map(|(_, body)| body.position).collect();
    watch.run(world, ticks);
    let ways = world.bodies().zip(&first).map(|((_, body), first)| (body.position - *first).raw());
    let far = ways.flatten().map(i64::abs).fold(0, i64::max);
    println!("{name} at {rate} Hz: moved {far} raw, {}", watch.nets());
    (watch, far)
}

/// Ten boxes on each other, for so many ticks.
fn assert_tower(ticks: u64) {
    let mut verdict = Verdict::default();
    for rate in RATES {
        let (watch, far) = stand(&mut tower(10, rate), ticks, "a tower of ten");
        verdict.clean(&watch, &format!("tower, {rate} Hz"));
        verdict
            .expect(watch.still() > ticks / 2, format!("{rate} Hz: still from tick {}", watch.still_since));
        verdict.expect(far < 1 << 27, format!("{rate} Hz: {far}"));
    }
    verdict.close();
}

/// Fifty-five boxes in ten rows, for so many ticks.
fn assert_pyramid(ticks: u64) {
    let mut verdict = Verdict::default();
    for rate in RATES {
        let (watch, far) = stand(&mut pyramid(10, rate), ticks, "a pyramid of 55");
        verdict.clean(&watch, &format!("pyramid, {rate} Hz"));
        verdict
            .expect(watch.still() > ticks / 2, format!("{rate} Hz: still from tick {}", watch.still_since));
        verdict.expect(far < 1 << 27, format!("{rate} Hz: {far}"));
    }
    verdict.close();
}

#[test]
fn a_tower_of_ten_boxes_lies_still() {
    assert_tower(1_000);
}

#[test]
#[ignore = "a minute when optimised: .ci/full runs it"]
fn a_pyramid_of_55_boxes_lies_still() {
    assert_pyramid(600);
}

#[test]
#[ignore = "a minute when optimised: .ci/full runs it"]
fn a_tower_of_ten_boxes_lies_still_for_ten_thousand_ticks() {
    assert_tower(10_000);
}

#[test]
#[ignore = "a minute when optimised: .ci/full runs it"]
fn a_pyramid_of_55_boxes_lies_still_for_ten_thousand_ticks() {
    assert_pyramid(10_000);
}
