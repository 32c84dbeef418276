//! Isolated pairs of rotating bodies without gravity that meet with little restitution. Their impacts come ever faster one
//! after the other, and end in a contact.

use bitstep::{
    World,
    geom::{Normal, Vec3},
    num::Rng,
    shape::{Capsule, Obb, Shape},
    snapshot,
    state::{Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};

use crate::{
    shows::Stage,
    support::{every, overlaps, s, v},
};

/// Two bodies that fly at each other and spin.
fn duet(seed: u64, rate: u32, restitution: &str, friction: &str) -> World {
    duet_in_order(seed, rate, (restitution, friction), false)
}

fn duet_in_order(seed: u64, rate: u32, (restitution, friction): (&str, &str), is_reversed: bool) -> World {
    let mut draws = Rng::new(3).at(seed, 0, 0);
    let mut builder = SceneryBuilder::default();
    let material = Material::new(s(restitution)).unwrap().with_friction(s(friction)).unwrap();
    let material = builder.material(material);
    builder.shape(Shape::Obb(Obb::along_axes(v("0.5", "0.4", "0.3"))));
    builder.shape(Shape::Obb(Obb::along_axes(v("0.6", "0.2", "0.2"))));
    builder.shape(Shape::Capsule(Capsule::new(v("0.4", "0", "0"), s("0.3"))));
    let limits = Limits::new(rate);
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let mut commands = ["-1.5", "1.5"].map(|x| {
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (off, spin) = (vector(1 << 30), vector(1 << 33));
        let velocity = v(if x == "1.5" { "-1.5" } else { "1.5" }, "0", "0");
        let (mass, shape) = (1 + draws.below(9) as u32, ShapeId(draws.below(3) as u16));
        Command::Spawn(Spawn {
            rotates: true,
            material,
            mass,
            velocity: limits.velocity_nearest(velocity),
            angular_velocity: limits.velocity_nearest(spin),
            ..Spawn::new(shape, v(x, "0", "0") + off)
        })
    });
    if is_reversed {
        commands.reverse();
    }
    assert!(world.apply(&commands).outcomes.iter().all(Result::is_ok));
    world
}

const SEEDS: u64 = 49;

/// The sum of the components of all spins without regard to sign, in the unit of `angular_momentum_wide`.
fn spins(world: &World) -> i128 {
    let spins = world.bodies().filter_map(|(_, body)| body.spin);
    spins.flat_map(|spin| spin.angular_momentum.raw()).map(|raw| i128::from(raw.abs()) << 32).sum()
}

/// Each impact of such a pair takes energy; a body whose impacts are stopped, or whose velocity is corrected, would lose
/// what nothing took.
#[test]
fn pairs_that_meet_again_and_again_end_in_contact_and_keep_their_momentum_to_the_bit() {
    let mut report = TickReport::default();
    for (rate, restitution) in [20, 30, 60, 120, 240]
        .into_iter()
        .flat_map(|rate| ["0.05", "0.1", "0.3", "0.5", "0.8"].map(|restitution| (rate, restitution)))
        .step_by(every(3))
    {
        let (mut worn, mut most) = (0, 0);
        for (seed, friction) in (0..SEEDS).flat_map(|seed| ["0", "0.5"].map(|friction| (seed, friction))) {
            let mut world = duet(seed, rate, restitution, friction);
            let (momentum, mut energy) = (world.momentum_wide(), world.energy_twice_wide());
            let first = energy;
            let (mut angular, spins) = (world.angular_momentum_wide(), spins(&world));
            for tick in 0..2 * rate {
                world.step(&mut report);
                let case =
                    format!("{rate} Hz, e {restitution}, friction {friction}, seed {seed}, tick {tick}");
                let stopped =
                    (report.impact_limited.len(), report.velocity_corrected.len(), report.reverted.len());
                assert_eq!((stopped, report.tick_halted), ((0, 0, 0), None), "{case}");
                assert_eq!((world.momentum_wide(), overlaps(&world)), (momentum, 0), "{case}");
                let now = world.energy_twice_wide();
                assert!(now <= energy + (first >> 26), "{case}: {} of {first}", now - energy);
                energy = now;
                let last = std::mem::replace(&mut angular, world.angular_momentum_wide());
                let change = (0..3).map(|axis| (angular[axis] - last[axis]).abs()).fold(0, i128::max);
                most = most.max(change * 1_000_000 / spins);
                worn += usize::from(report.impacts.len() > 6);
            }
        }
        println!(
            "{rate} Hz, e {restitution}: {worn} ticks with more than 6 impacts; angular momentum changes by {most} ppm"
        );
        // In a tick that ends in contact the motion is not that of the momentum.
        assert!(most < 2_500_000 / i128::from(rate), "{rate} Hz, e {restitution}: {most} ppm");
        assert!(restitution > "0.3" || worn > 5, "{rate} Hz, e {restitution}: {worn}");
    }
}

/// Which of the two has the smaller id changes no bit; nor does a restored snapshot, in any tick.
#[test]
fn pairs_in_contact_go_on_the_same_under_other_ids_and_from_any_snapshot() {
    let mut report = TickReport::default();
    for seed in (0..SEEDS).step_by(every(4)) {
        let [mut world, mut other] =
            [false, true].map(|is_reversed| duet_in_order(seed, 60, ("0.1", "0"), is_reversed));
        for tick in 0..100 {
            world = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
            world.step(&mut report);
            other.step(&mut report);
            let bodies: Vec<_> = world.bodies().map(|(_, body)| *body).collect();
            let mut others: Vec<_> = other.bodies().map(|(_, body)| *body).collect();
            others.reverse();
            assert_eq!(bodies, others, "seed {seed}, tick {tick}");
        }
    }
}

/// Rotating bodies of all kinds in a closed box.
fn crowd(rate: u32, restitution: &str, friction: &str) -> World {
    let mut stage = Stage::well(restitution, friction, "3");
    stage.plane(-Normal::Y, v("0", "6", "0"));
    let shapes = [
        stage.block("0.5", "0.4", "0.3"),
        stage.block("0.6", "0.2", "0.2"),
        stage.shape(Shape::Capsule(Capsule::new(v("0.4", "0", "0"), s("0.3")))),
        stage.shape(Shape::sphere(s("0.4"))),
    ];
    for index in 0..27_i64 {
        let mut draws = Rng::new(8).at(index as u64, 0, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let (velocity, angular_velocity) = (vector(3 << 32), vector(4 << 32));
        let cell = [2 * (index % 3 - 1), 2 * (index / 3 % 3) + 1, 2 * (index / 9 - 1)];
        let spawn = Spawn::new(shapes[index as usize % 4], Vec3::from_raw(cell.map(|c| c << 32)));
        stage.add(Spawn { mass: 1 + index as u32 % 7, velocity, angular_velocity, ..spawn });
    }
    let mut world = stage.world(rate);
    assert!(world.apply(&[Command::SetGravity { gravity: Vec3::ZERO }]).outcomes[0].is_ok());
    world
}

#[test]
fn a_crowd_without_gravity_has_no_body_stopped() {
    let cases =
        [(20, "0.1", "0"), (60, "0.1", "0"), (60, "0.3", "0.5"), (120, "0.1", "0.5"), (240, "0.05", "0")];
    for (rate, restitution, friction) in cases.into_iter().step_by(every(2)) {
        let mut world = crowd(rate, restitution, friction);
        let (mut report, mut impacts) = (TickReport::default(), 0);
        let (first, mut energy) = (world.energy_twice_wide(), world.energy_twice_wide());
        for tick in 0..6 * rate {
            world.step(&mut report);
            let case = format!("{rate} Hz, e {restitution}, friction {friction}, tick {tick}");
            let stopped =
                (report.impact_limited.len(), report.velocity_corrected.len(), report.reverted.len());
            assert_eq!((stopped, overlaps(&world)), ((0, 0, 0), 0), "{case}");
            let now = world.energy_twice_wide();
            assert!(now <= energy + (first >> 26), "{case}: {} of {first}", now - energy);
            energy = now;
            impacts += report.impacts.len();
        }
        assert!(impacts > 200, "{rate} Hz, e {restitution}, friction {friction}: {impacts}");
    }
}

/// What is left of the energy, in thousandths, by seed.
fn left(rate: u32, restitution: &str, friction: &str) -> Vec<i128> {
    let mut report = TickReport::default();
    let run = |seed| {
        let mut world = duet(seed, rate, restitution, friction);
        let first = world.energy_twice_wide();
        (0..2 * rate).for_each(|_| world.step(&mut report));
        world.energy_twice_wide() * 1_000 / first
    };
    (0..SEEDS).map(run).collect()
}

/// At 480 Hz a tick hardly ever has more than a few impacts of a pair.
#[test]
fn the_energy_that_is_left_is_that_of_a_run_in_short_ticks() {
    for (restitution, friction) in ["0.1", "0.3", "0.5"]
        .into_iter()
        .flat_map(|e| ["0", "0.5"].map(|friction| (e, friction)))
        .step_by(every(3))
    {
        let short = left(480, restitution, friction);
        for (rate, median, tenth) in [(20, 8, 140), (60, 4, 60), (120, 2, 40)] {
            let ends = left(rate, restitution, friction);
            let mut off: Vec<_> = ends.iter().zip(&short).map(|(end, short)| (end - short).abs()).collect();
            off.sort_unstable();
            let (middle, late) = (off[off.len() / 2], off[off.len() * 9 / 10]);
            let means = [&ends, &short].map(|ends| ends.iter().sum::<i128>() / i128::from(SEEDS));
            let name = format!("{rate} Hz, e {restitution}, friction {friction}");
            println!(
                "{name}: {means:?} thousandths are left, off by {middle} in the middle, {late} in a tenth"
            );
            assert!(middle <= median && late <= tenth, "{name}: {middle}, {late}");
            assert!((means[0] - means[1]).abs() * 12 <= means[1], "{name}: {means:?}");
        }
    }
}
