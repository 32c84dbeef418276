//! A snapshot is the state: nothing that a later tick or report depends on is outside it.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    query::{PointQuery, QueryFilter, Ray, ShapeCast},
    shape::Shape,
    snapshot,
    state::{BodyId, BodyType, Command, Limits, Locks, MaterialId, Rule, ShapeId, Spawn},
    tick::TickReport,
};

use crate::support::{closed_box, s, v};

/// A small busy world: balls and boxes of several sizes and masses in a box, with gravity.
pub fn crowd(restitution: &str) -> World {
    let solids = [Shape::sphere(s("0.5")), Shape::sphere(s("0.2")), Shape::aabb(v("0.3", "0.4", "0.25"))];
    let mut world = World::new(Limits::new(60), closed_box(restitution, &solids, "3")).unwrap();
    let rng = Rng::new(5);
    let spawns: Vec<Command> = (0..27)
        .map(|index| {
            let mut draws = rng.at(0, index as u64, 0);
            let cell = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1];
            let position =
                Vec3::from_raw(cell.map(|c: i64| c * (2 << 32) + draws.between(-1 << 30, 1 << 30)));
            let velocity = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 29, 1 << 29)));
            let (shape, mass) = (ShapeId(draws.below(3) as u16), 1 + draws.below(50) as u32);
            Command::Spawn(Spawn { mass, velocity, ..Spawn::new(shape, position) })
        })
        .collect();
    assert!(world.apply(&spawns).outcomes.iter().all(Result::is_ok));
    let gravity = Vec3::from_raw([0, -11_691_690, 0]);
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    world
}

/// Commands of a tick: some that work, some that are refused.
pub fn commands(tick: u64) -> Vec<Command> {
    let mut draws = Rng::new(77).at(1, 0, tick);
    let body = BodyId::from_parts(draws.below(30) as u32, draws.below(2) as u32);
    let vector = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 33, 1 << 33)));
    match draws.below(8) {
        0 => vec![Command::Remove { body }],
        1 => vec![
            Command::ApplyImpulse { body, impulse: vector },
            Command::SetVelocity { body, velocity: vector },
        ],
        2 => vec![Command::Teleport { body, position: vector, orientation: None, allow_overlap: false }],
        3 | 4 => {
            let (shape, material) = (ShapeId(draws.below(4) as u16), MaterialId(0));
            vec![Command::Spawn(Spawn { material, mass: 3, ..Spawn::new(shape, vector) })]
        }
        5 => {
            let kind = if draws.below(2) == 0 { BodyType::Kinematic } else { BodyType::Static };
            let (layer, group) = (draws.below(3) as u8, draws.below(2) as u16);
            let spawn = Spawn { body_type: kind, layer, group, user: tick, ..Spawn::new(ShapeId(0), vector) };
            let goal = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 33, 1 << 33)));
            vec![Command::Spawn(spawn), Command::MoveKinematic { body, position: goal }]
        }
        6 => vec![
            Command::SetFilter { body, layer: draws.below(3) as u8, group: 0, allow_overlap: false },
            Command::SetLayers { a: 0, b: draws.below(3) as u8, rule: Rule::Solid, allow_overlap: false },
            Command::SetLayers { a: 1, b: draws.below(3) as u8, rule: Rule::Ignore, allow_overlap: false },
        ],
        _ => vec![
            Command::SetLocks { body, locks: Locks::try_from(draws.below(8) as u8).unwrap() },
            Command::SetDamping { body, damping_q16: draws.below(900) as u16 },
            Command::SetShape { body, shape: ShapeId(draws.below(3) as u16), allow_overlap: false },
            Command::SetUser { body, user: tick },
        ],
    }
}

#[test]
fn a_world_restored_or_cloned_at_any_tick_goes_on_the_same() {
    const TICKS: u64 = 120;
    let mut world = crowd("0.7");
    world.enable_events(true);
    let (mut reports, mut snapshots) = (Vec::new(), vec![snapshot::encode(&world)]);
    for tick in 0..TICKS {
        let mut report = TickReport::default();
        let _ = world.tick(&commands(tick), &mut report);
        reports.push(report);
        snapshots.push(snapshot::encode(&world));
    }
    let impacts: usize = reports.iter().map(|report| report.impacts.len()).sum();
    assert!(impacts > 200, "{impacts}");
    assert!(
        reports.iter().flat_map(|report| &report.outcomes).filter(|outcome| outcome.is_err()).count() > 10
    );
    let mut copy = crowd("0.7");
    for start in 0..TICKS as usize {
        let mut restored = snapshot::decode(&snapshots[start], world.scenery()).unwrap();
        restored.enable_events(true);
        copy.clone_from(&restored);
        let end = if start % 10 == 0 { TICKS as usize } else { (start + 3).min(TICKS as usize) };
        let (mut report, mut copied) = (TickReport::default(), TickReport::default());
        for tick in start..end {
            let _ = restored.tick(&commands(tick as u64), &mut report);
            let _ = copy.tick(&commands(tick as u64), &mut copied);
            assert_eq!(report, reports[tick], "report of tick {tick}, restored at {start}");
            assert_eq!(copied, reports[tick]);
            assert_eq!(snapshot::encode(&restored), snapshots[tick + 1], "tick {tick}, restored at {start}");
            assert_eq!(snapshot::encode(&copy), snapshots[tick + 1]);
        }
    }
}

#[test]
fn a_snapshot_between_commands_and_tick_is_enough() {
    let mut world = crowd("0.5");
    world.enable_events(true);
    for tick in 0..60 {
        let _ = world.apply(&commands(tick));
        let mut restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        restored.enable_events(true);
        let (mut report, mut restored_report) = (TickReport::default(), TickReport::default());
        world.step(&mut report);
        restored.step(&mut restored_report);
        assert_eq!(report, restored_report);
        assert!(snapshot::diff(&world, &restored).is_empty());
    }
}

#[test]
fn other_worlds_and_probes_beside_it_change_nothing() {
    struct Curious(usize);
    impl bitstep::tick::Probe for Curious {
        fn after(&mut self, _: bitstep::tick::Phase, view: &bitstep::tick::View<'_>) {
            self.0 += view.bodies().count();
        }
    }
    let (mut alone, mut watched, mut other) = (crowd("0.7"), crowd("0.7"), crowd("1"));
    alone.enable_events(true);
    watched.enable_events(true);
    let (mut first, mut second) = (TickReport::default(), TickReport::default());
    let mut probe = Curious(0);
    for tick in 0..100 {
        let _ = alone.apply(&commands(tick));
        alone.step(&mut first);
        other.step(&mut second);
        let _ = watched.apply(&commands(tick));
        let _ = snapshot::fields(&watched);
        watched.step_with(&mut second, &mut probe);
        assert_eq!(first, second);
        assert_eq!(snapshot::checksum(&alone), snapshot::checksum(&watched));
    }
    assert!(probe.0 > 3 * 100 * 20);
}

#[test]
fn queries_between_ticks_change_nothing() {
    let (mut alone, mut asked) = (crowd("0.7"), crowd("0.7"));
    alone.enable_events(true);
    asked.enable_events(true);
    let (mut first, mut second) = (TickReport::default(), TickReport::default());
    let (mut view, mut met) = (asked.query_view(), 0);
    let (mut hits, mut near, mut there, mut touched) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for tick in 0..100 {
        let _ = alone.tick(&commands(tick), &mut first);
        // Asked before the commands, between commands and tick, and after it.
        for moment in 0..3 {
            view.rebuild(asked.state(), asked.scenery());
            let (ids, all): (Vec<BodyId>, _) = (asked.bodies().map(|(id, _)| id).collect(), QueryFilter::ALL);
            for id in ids {
                let center = asked.body(id).unwrap().position;
                let (way, shape, radius) = (v("1", "-2", "0.5"), Shape::sphere(s("0.5")), s("1"));
                view.ray_all(&Ray { origin: center, displacement: way }, &all, &mut hits).unwrap();
                view.sweep(&ShapeCast { shape: shape.clone(), origin: center, displacement: way }, &all)
                    .unwrap();
                view.nearest(&PointQuery { center, radius }, 3, &all, &mut near).unwrap();
                view.overlap(&shape, center, &all, &mut there).unwrap();
                view.contacts(id, radius, &all, &mut touched).unwrap();
                met += hits.len() + near.len() + there.len() + touched.len();
            }
            match moment {
                0 => second.outcomes = asked.apply(&commands(tick)).outcomes,
                1 => asked.step(&mut second),
                _ => {}
            }
        }
        assert_eq!(first.impacts, second.impacts);
        assert_eq!(snapshot::checksum(&alone), snapshot::checksum(&asked), "tick {tick}");
        assert_eq!(alone.next_ids(5), asked.next_ids(5));
    }
    assert!(met > 100 * 3 * 20 * 4, "{met}");
}

#[test]
fn a_free_sphere_takes_at_most_96_bytes() {
    let world = crowd("1");
    let empty = World::new(*world.limits(), world.scenery().clone()).unwrap();
    let bytes = snapshot::encode(&world).len() - snapshot::encode(&empty).len();
    assert_eq!(bytes, 27 * 83);
}

#[test]
fn a_copy_onto_another_world_is_the_copied_one() {
    let spawn = |x: &str| {
        let (shape, material, position) = (ShapeId(1), MaterialId(0), v(x, "2.5", "0"));
        Command::Spawn(Spawn { material, mass: 3, ..Spawn::new(shape, position) })
    };
    let remove = |slot| Command::Remove { body: BodyId::from_parts(slot, 0) };
    let mut large = crowd("0.7");
    let _ = large.apply(&[remove(3), remove(7), spawn("0"), remove(5)]);
    let solids = [Shape::sphere(s("0.1")), Shape::sphere(s("0.4"))];
    let limits = Limits::new(20).with_rest_speed(s("0.125")).with_budget(5);
    let mut small = World::new(limits, closed_box("0.5", &solids, "9")).unwrap();
    let _ = small.apply(&[spawn("0"), spawn("1"), spawn("5"), remove(1)]);
    for source in [&large, &small] {
        for target in [&large, &small] {
            // Commands before: the target keeps the places of its own bodies and its free slots.
            let mut copy = World::new(*target.limits(), target.scenery().clone()).unwrap();
            copy.clone_from(target);
            let _ = copy.apply(&[remove(0), spawn("-2")]);
            copy.clone_from(source);
            copy.enable_events(true);
            assert_eq!(snapshot::encode(&copy), snapshot::encode(source));
            assert_eq!(copy.next_ids(5), source.next_ids(5));
            let mut twin = source.clone();
            twin.enable_events(true);
            let (mut report, mut expected) = (TickReport::default(), TickReport::default());
            for tick in 0..20 {
                let list = [&commands(tick)[..], &[spawn("0"), spawn("2"), spawn("-2")]].concat();
                let _ = copy.tick(&list, &mut report);
                let _ = twin.tick(&list, &mut expected);
                assert_eq!(report, expected, "tick {tick}");
            }
            assert_eq!(snapshot::encode(&copy), snapshot::encode(&twin));
        }
    }
}
