//! Heaps of all kinds of bodies under commands, and heaps under hostile limits: nothing overlaps that was apart, momentum is accounted for, a
//! snapshot is the state, and what a tick gives up it says.

use bitstep::{
    World,
    geom::Vec3,
    num::{Draws, Rng, Scalar},
    shape::Shape,
    snapshot,
    state::{Body, BodyId, BodyType, Command, Face, Limits, OnHit, Rule, Spawn},
    tick::TickReport,
};

use crate::{
    shows::{Stage, milli, place, turned},
    support::{every, overlaps, s, step, v},
};

const SOFT: u8 = 1;
const LEDGE: u8 = 2;
const BODIES: i64 = 40;

/// What a run has seen.
#[derive(Default, Debug)]
struct Seen {
    impacts: usize,
    blocked: usize,
    halted: u32,
    held: usize,
}

impl Seen {
    /// Steps a world, and a copy of it that was restored.
    fn step(&mut self, world: &mut World, report: &mut TickReport) {
        let mut restored = snapshot::decode(&snapshot::encode(world), world.scenery()).unwrap();
        step(world, report);
        restored.step(&mut TickReport::default());
        assert_eq!(snapshot::checksum(&restored), snapshot::checksum(world), "tick {}", report.tick);
        self.impacts += report.impacts.len();
        self.blocked += report.blocked.len();
        self.halted += u32::from(report.tick_halted.is_some());
        self.held += report.impact_limited.len();
    }
}

/// A well with a lift, a pusher, a one-way ledge, and a heap above them of balls, boxes and capsules: rotating ones and others, of
/// masses from 1 to 30, soft ones, ones that stop at their first impact.
fn heap(draws: &mut Draws, limits: Limits) -> (World, [BodyId; 2], Vec<BodyId>) {
    let mut stage = Stage::well(["0", "0.3"][draws.below(2) as usize], "0.4", "1.5");
    let shapes = [
        stage.shape(Shape::sphere(s("0.22"))),
        stage.block("0.2", "0.15", "0.2"),
        stage.shape(Shape::capsule(v("0.15", "0", "0"), s("0.13"))),
    ];
    let (plate, bar) = (stage.block("0.9", "0.1", "0.9"), stage.block("0.1", "0.25", "1.3"));
    let ledge = stage.shape(Shape::aabb(v("0.35", "0.05", "1.4")));
    stage.one_way(ledge, Face::PlusY);
    for (shape, at) in [(plate, place(0, 150, 0)), (bar, place(-1_350, 600, 0))] {
        stage.add(Spawn { body_type: BodyType::Kinematic, ..Spawn::new(shape, at) });
    }
    let fixed =
        Spawn { body_type: BodyType::Static, layer: LEDGE, ..Spawn::new(ledge, place(1_140, 1_500, 0)) };
    stage.add_plain(fixed);
    for index in 0..BODIES {
        let mut near = |middle: i64| middle + draws.between(-25, 25);
        let at = place(
            near(700 * (index % 4) - 1_050),
            near(1_900 + 700 * (index / 16)),
            near(700 * (index / 4 % 4) - 1_050),
        );
        let mass = if draws.below(3) == 0 { 30 } else { 1 };
        let layer = if draws.below(6) == 0 { SOFT } else { 0 };
        let on_hit = if draws.below(12) == 0 { OnHit::Stop } else { OnHit::Continue };
        let shape = shapes[draws.below(3) as usize];
        let spawn = Spawn { mass, layer, on_hit, ..Spawn::new(shape, at) };
        if draws.below(3) == 0 {
            stage.add_plain(spawn);
        } else {
            let orientation = turned([(); 4].map(|()| draws.between(-1_000, 1_000)));
            stage.add(Spawn { orientation, ..spawn });
        }
    }
    let mut world = stage.world_within(limits);
    let soft = Command::SetLayers { a: SOFT, b: SOFT, rule: Rule::Soft, allow_overlap: false };
    assert!(world.apply(&[soft]).outcomes[0].is_ok());
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    (world, [ids[0], ids[1]], ids[3..].to_vec())
}

/// The pairs that overlap, without those that pass the ledge.
fn overlaps_without_ledge(world: &World) -> usize {
    let mut without = world.clone();
    let ignores =
        [0, SOFT].map(|b| Command::SetLayers { a: LEDGE, b, rule: Rule::Ignore, allow_overlap: false });
    assert!(without.apply(&ignores).outcomes.iter().all(Result::is_ok));
    overlaps(&without)
}

/// A command for one of the bodies or for the lift and the pusher.
fn command(draws: &mut Draws, limits: Limits, [lift, pusher]: [BodyId; 2], ids: &[BodyId]) -> Command {
    let body = ids[draws.below(ids.len() as u64) as usize];
    let mut speed = |most: i64| milli(draws.between(-most, most));
    let up = limits.velocity_nearest(Vec3::new(s("0"), speed(700), s("0")));
    let across = limits.velocity_nearest(Vec3::new(speed(900), s("0"), s("0")));
    let any = limits.velocity_nearest(Vec3::new(speed(3_000), speed(3_000), speed(3_000)));
    let on_hit = [OnHit::Continue, OnHit::Stop][draws.below(2) as usize];
    match draws.below(7) {
        0 | 1 => Command::SetVelocity { body: lift, velocity: up },
        2 | 3 => Command::SetVelocity { body: pusher, velocity: across },
        4 => Command::Freeze { body, ticks: draws.below(9) as u16 },
        5 => Command::SetVelocity { body, velocity: any },
        _ => Command::SetOnHit { body, on_hit },
    }
}

#[test]
fn heaps_of_all_kinds_of_bodies_keep_the_laws() {
    let mut seen = Seen::default();
    let paces = [(20, 1), (30, 3), (60, 1), (60, 4), (120, 1), (240, 1)];
    for (place, (rate, substeps)) in (0..).zip(paces).step_by(every(3)) {
        let limits = Limits::new(rate).with_substeps(substeps);
        for seed in 0..2 {
            let mut draws = Rng::new(place).at(seed, 0, 0);
            let (mut world, driven, ids) = heap(&mut draws, limits);
            let mut report = TickReport::default();
            for tick in 0..3 * rate {
                if draws.below(8) == 0 {
                    let _ = world.apply(&[command(&mut draws, limits, driven, &ids)]);
                }
                seen.step(&mut world, &mut report);
                let case = format!("{rate} Hz in {substeps} steps, seed {seed}, tick {tick}");
                assert_eq!((overlaps_without_ledge(&world), report.out_of_bounds.len()), (0, 0), "{case}");
                assert_eq!(report.tick_halted, None, "{case}");
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.impacts > 1_000 && seen.blocked > 0 && seen.halted == 0, "{seen:?}");
}

/// A budget of one impact, few pairs, and masses of 1 on 65,536 and the other way round.
#[test]
fn heaps_under_hostile_limits_keep_apart_and_say_what_they_give_up() {
    let mut seen = Seen::default();
    let cases = [(1, 1 << 22), (16, 3_000), (1, 1_000), (2, 60)];
    for (place, (budget, pairs_max)) in (0..).zip(cases) {
        for rate in [20, 60, 240].into_iter().step_by(every(2)) {
            let limits = Limits::new(rate).with_budget(budget).with_pairs_max(pairs_max);
            let mut draws = Rng::new(20 + place).at(u64::from(rate), 0, 0);
            let mut world = unequal_heap(&mut draws, limits);
            let mut report = TickReport::default();
            for tick in 0..2 * rate {
                seen.step(&mut world, &mut report);
                let case = format!("{rate} Hz, budget {budget}, {pairs_max} pairs, tick {tick}");
                assert_eq!(overlaps(&world), 0, "{case}");
                let all = world.bodies().count();
                assert!(
                    report.tick_halted.is_none() || report.impact_limited.len() == all,
                    "{case}: each body that is stopped is listed"
                );
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.halted > 50 && seen.held > 1_000, "{seen:?}");
}

/// Balls, boxes and capsules of mass 1 and 65,536 over a well.
fn unequal_heap(draws: &mut Draws, limits: Limits) -> World {
    let mut stage = Stage::well("0.3", "0.4", "1.2");
    let shapes = [
        stage.shape(Shape::sphere(s("0.25"))),
        stage.block("0.2", "0.2", "0.2"),
        stage.shape(Shape::capsule(v("0.15", "0", "0"), s("0.15"))),
    ];
    for index in 0..36 {
        let mut near = |middle: i64| middle + draws.between(-25, 25);
        let at = place(
            near(750 * (index % 3) - 750),
            near(400 + 750 * (index / 9)),
            near(750 * (index / 3 % 3) - 750),
        );
        let mass = if draws.below(2) == 0 { 1 << 16 } else { 1 };
        stage.add(Spawn { mass, ..Spawn::new(shapes[draws.below(3) as usize], at) });
    }
    stage.world_within(limits)
}

/// No pair overlaps that had parted. Exactly at one point nothing says which way each is to go, and ids may not.
#[test]
fn a_thousand_bodies_at_one_point_are_counted_and_part_if_they_are_not_exactly_there() {
    for off in [0, 3] {
        let mut stage = Stage::floor("0.3", "0.4");
        let ball = stage.shape(Shape::sphere(s("0.25")));
        let mut draws = Rng::new(30).at(0, 0, 0);
        for _ in 0..1_000 / every(4) {
            let [x, y, z] = [(); 3].map(|()| draws.between(-off, off));
            stage.add(Spawn { allow_overlap: true, ..Spawn::new(ball, place(x, 2_000 + y, z)) });
        }
        let limits = Limits::new(60).with_separation_speed(s("0.05"));
        let mut world = stage.world_within(limits);
        let (mut report, mut before) = (TickReport::default(), overlaps(&world));
        let first = before;
        assert_eq!(first, world.bodies().count() * (world.bodies().count() - 1) / 2);
        for tick in 0..30 {
            Seen::default().step(&mut world, &mut report);
            assert_eq!(report.overlapping as usize, before, "tick {tick}");
            let now = overlaps(&world);
            assert!(now <= before, "tick {tick}: {now} pairs after {before}");
            before = now;
        }
        println!("within {off} thousandths: {before} of {first} pairs overlap still");
        assert_eq!(before < first, off > 0);
    }
}

#[test]
fn a_chain_of_a_thousand_stands_without_an_overlap() {
    for (rate, rotates) in [(60, false), (60, true), (20, true)].into_iter().step_by(every(2)) {
        let mut stage = Stage::floor("0", "0.5");
        let block = stage.block("0.5", "0.125", "0.5");
        for index in 0..1_000 {
            let spawn = Spawn::new(block, place(0, 126 + 251 * index, 0));
            if rotates { stage.add(spawn) } else { stage.add_plain(spawn) }
        }
        let (mut world, mut report, mut seen) =
            (stage.world_within(Limits::new(rate)), TickReport::default(), Seen::default());
        let height = |world: &World| world.bodies().last().map(|(_, body)| body.position.y).unwrap();
        let first = height(&world);
        for _ in 0..rate {
            seen.step(&mut world, &mut report);
            assert_eq!((overlaps(&world), report.tick_halted), (0, None), "{rate} Hz, tick {}", report.tick);
        }
        let sunk = first - height(&world);
        println!("{rate} Hz, rotates {rotates}: {seen:?}, sunk by {sunk}");
        // A thousandth of a unit is between any two.
        assert!(sunk >= s("0") && sunk < s("1"), "{rate} Hz: {sunk}");
        let strayed = |(_, body): (BodyId, &Body)| [body.position.x, body.position.z].map(Scalar::abs);
        let strayed = world.bodies().flat_map(strayed).max().unwrap();
        assert!(strayed < s("0.001"), "{rate} Hz: {strayed}");
    }
}
