//! Bodies that lie still between planes have no velocity.

use bitstep::{
    World,
    geom::{Normal, Vec3},
    num::{Draws, Rng},
    shape::Shape,
    state::{Command, Limits, MaterialId, Spawn},
    tick::TickReport,
};

use crate::{
    shows::{Stage, place},
    support::{s, v},
};

/// A groove between two planes, each between 11 and 85 degrees steep, that ends at two walls; in half of the draws its
/// bottom slopes towards one of them.
fn groove(draws: &mut Draws, friction: &str) -> Stage {
    let mut stage = Stage::new("0", friction);
    let [left, right] = [0; 2].map(|_: i32| draws.between(200, 12_000) as i32);
    let slope = draws.below(2) as i32 * draws.between(0, 300) as i32;
    for across in [left, -right] {
        stage.plane(Normal::new(across << 16, 1_000 << 16, slope << 16), Vec3::ZERO);
    }
    stage.plane(Normal::Z, v("0", "0", "-2"));
    stage.plane(-Normal::Z, v("0", "0", "2"));
    stage
}

/// A body that falls into a groove.
fn faller(draws: &mut Draws, rate: u32, friction: &str, rotates: bool) -> World {
    let mut stage = groove(draws, friction);
    let shapes = [
        stage.shape(Shape::sphere(s("0.5"))),
        stage.shape(Shape::sphere(s("0.25"))),
        stage.block("0.3", "0.4", "0.5"),
        stage.shape(Shape::aabb(v("0.3", "0.4", "0.5"))),
    ];
    let shape = shapes[draws.below(if rotates { 3 } else { 4 }) as usize];
    let spawn = Spawn { rotates, material: MaterialId(0), ..Spawn::new(shape, place(0, 9_000, 0)) };
    let mut world = stage.world_within(Limits::new(rate));
    assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
    world
}

#[test]
fn bodies_that_lie_still_in_a_groove_have_no_velocity() {
    let (mut report, mut with_friction) = (TickReport::default(), 0);
    for (rate, friction, rotates) in [20, 30, 60, 120, 240]
        .into_iter()
        .flat_map(|rate| ["0", "0.5"].map(|friction| (rate, friction)))
        .flat_map(|(rate, friction)| [false, true].map(|rotates| (rate, friction, rotates)))
    {
        let mut still = 0;
        for seed in 0..16 {
            let mut world = faller(&mut Rng::new(7).at(seed, 0, 0), rate, friction, rotates);
            let (mut last, mut ticks) = (None, 0);
            for tick in 0..5 * rate {
                world.step(&mut report);
                let body = *world.bodies().next().unwrap().1;
                ticks = if last == Some(body.pose()) { ticks + 1 } else { 0 };
                last = Some(body.pose());
                let momenta = (body.momentum, body.spin.map_or(Vec3::ZERO, |spin| spin.angular_momentum));
                let case =
                    format!("{rate} Hz, friction {friction}, rotates {rotates}, seed {seed}, tick {tick}");
                assert!(ticks < 2 || momenta == (Vec3::ZERO, Vec3::ZERO), "{case}: {momenta:?}");
            }
            still += u32::from(ticks >= 2);
        }
        println!("{rate} Hz, friction {friction}, rotates {rotates}: {still} of 16 lie still");
        // Without friction most of them slide on.
        with_friction += if friction == "0" { 0 } else { still };
        assert!(
            friction == "0" || still > 4,
            "{rate} Hz, friction {friction}, rotates {rotates}: {still} lie still"
        );
    }
    assert!(with_friction > 100, "{with_friction} lie still");
}
