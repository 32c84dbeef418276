//! Projectiles by hand: bodies that stop at their first impact, and bodies that are removed.

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::{Scalar, Toi, lit},
    shape::Shape,
    state::{
        BodyId, BodyType, ChildShape, Collider, Command, CompoundId, Limits, Material, OnHit, Rule, SKIN,
        SceneryBuilder, ShapeId, Sleep, Spawn, StaticId,
    },
    tick::{Cause, EventKind, Removed, TickReport, touch_gap},
};

use crate::{
    shows::{Stage, place},
    support::{HALF, overlaps, s, step, v},
    tick_laws::assert_events,
};

const BALL: ShapeId = ShapeId(0);

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// Balls of diameter 1 in a material with a restitution, and a wall at x = 4.
fn range(restitution: &str, spawns: &[Spawn]) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(s(restitution)).unwrap());
    let ball = builder.shape(Shape::sphere(HALF));
    let wall = builder.shape(Shape::Plane(Plane::from_point_normal(Vec3::ZERO, -Normal::X).unwrap()));
    builder.fixed(wall, material, v("4", "0", "0"));
    let child = |y: &str| ChildShape { offset: v("0", y, "0"), ..ChildShape::new(ball) };
    builder.compound(vec![child("1"), child("-1")]);
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let commands: Vec<_> = spawns.iter().copied().map(Command::Spawn).collect();
    let outcomes = world.apply(&commands).outcomes;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    world
}

fn ball(x: &str, velocity: &str, on_hit: OnHit) -> Spawn {
    Spawn { velocity: v(velocity, "0", "0"), on_hit, ..Spawn::new(BALL, v(x, "0", "0")) }
}

/// An instant that is early by the skin and the rounding of a sweep, at a given speed.
fn assert_instant(toi: Toi, quarters: u64) {
    let late = (quarters << 30).checked_sub(toi.raw());
    assert!(late.is_some_and(|raw| raw < 1 << 10), "{toi} is not {quarters} quarters");
}

/// Mass 2 with 1 against a wall two away in two ticks: it bounces with -1, and that is removed.
#[test]
fn stopped_bodies_stand_where_they_hit_and_have_no_momentum() {
    let bullet = Spawn { mass: 2, ..ball("1.5", "4", OnHit::Stop) };
    let mut world = range("1", &[bullet]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    let [impact] = report.impacts[..] else { panic!("{report:?}") };
    assert_instant(impact.toi, 2);
    assert_eq!(
        (report.ledger[Cause::Statics], report.ledger[Cause::OnHit]),
        ([-16 << 32, 0, 0], [8 << 32, 0, 0])
    );
    let body = *world.body(id(0)).unwrap();
    let gap = lit("3.5") - body.position.x;
    assert!(Scalar::ZERO <= gap && gap <= SKIN * 2, "{gap}");
    assert_eq!((body.momentum, body.on_hit), (Vec3::ZERO, OnHit::Stop));
    step(&mut world, &mut report);
    assert_eq!((world.body(id(0)), report.impacts.len()), (Some(&body), 0));
}

/// The same ball hits one of its mass, which gets all its momentum.
#[test]
fn removed_bodies_pass_on_their_impulse_and_are_gone() {
    let other = Spawn { mass: 2, ..ball("2", "0", OnHit::Continue) };
    let bullet = Spawn { mass: 2, ..ball("-1", "4", OnHit::Remove) };
    let mut world = range("1", &[other, bullet]);
    let mut report = TickReport::default();
    world.enable_events(true);
    step(&mut world, &mut report);
    let toi = report.impacts[0].toi;
    assert_instant(toi, 2);
    assert_eq!(report.removed, [Removed { body: id(1), toi, by: Collider::Body(id(0)), user: 0 }]);
    assert_eq!(report.ledger[Cause::OnHit], [0; 3], "it had nothing left");
    assert_eq!(world.bodies().map(|(id, _)| id).collect::<Vec<_>>(), [id(0)]);
    assert_eq!(world.next_ids(1), [BodyId::from_parts(1, 1)]);
    assert_eq!(report.impulses[0].impulse, v("-8", "0", "0"));
    let kinds: Vec<_> = report.events.iter().filter(|event| event.b == Collider::Body(id(1))).collect();
    assert!(kinds.iter().all(|event| event.toi <= toi), "{kinds:?}");
    assert_eq!(kinds.iter().map(|event| event.kind).collect::<Vec<_>>(), [EventKind::Begin, EventKind::Hit]);
    assert_eq!(world.body(id(0)).unwrap().momentum.x.abs(), lit("8"));
    step(&mut world, &mut report);
    assert!(report.removed.is_empty());
}

/// A body that would meet the removed one, or block it, meets nothing; before the removal it does.
#[test]
fn a_removed_body_is_met_by_none() {
    let across = |y: &str, velocity: &str| Spawn {
        velocity: v("0", velocity, "0"),
        ..Spawn::new(BALL, v("3.25", y, "0"))
    };
    // It comes to the place to which the bullet would have bounced, or from which it was removed.
    for (y, velocity, meets) in [("3.5", "-4", false), ("1.25", "-0.75", true)] {
        let mut world = range("1", &[ball("1.5", "4", OnHit::Remove), across(y, velocity)]);
        let mut report = TickReport::default();
        world.enable_events(true);
        step(&mut world, &mut report);
        let by = if meets { Collider::Body(id(1)) } else { Collider::Static(StaticId(0)) };
        assert_eq!(report.removed.iter().map(|gone| gone.by).collect::<Vec<_>>(), [by]);
        let with_it = report.impacts.iter().filter(|it| it.a == id(0)).count();
        assert_eq!(with_it, 1, "{:?}", report.impacts);
        let velocity_kept = world.body(id(1)).unwrap().velocity() == v("0", velocity, "0");
        assert_eq!(velocity_kept, !meets);
        let over = report.removed[0].toi;
        let late = |it: &bitstep::tick::ContactEvent| {
            it.toi > over && (it.a == id(0) || it.b == Collider::Body(id(0)))
        };
        assert!(!report.events.iter().any(late), "{:?}", report.events);
    }
}

/// Between two at the same instant it hits both, and both get the same.
#[test]
fn all_that_are_hit_at_the_same_instant_are_hit() {
    for on_hit in [OnHit::Remove, OnHit::Stop] {
        let falling = Spawn { velocity: v("0", "-4", "0"), on_hit, ..Spawn::new(BALL, v("0", "3", "0")) };
        let below = ["0.75", "-0.75"].map(|x| ball(x, "0", OnHit::Continue));
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let all = [falling, below[0], below[1]];
            let mut world = range("1", &order.map(|index: usize| all[index]));
            let slot = |index: usize| order.iter().position(|&at| at == index).unwrap() as u32;
            let mut report = TickReport::default();
            step(&mut world, &mut report);
            assert_eq!(report.impacts.len(), 2, "{report:?}");
            let [left, right] = [2, 1].map(|index| world.body(id(slot(index))).unwrap().velocity());
            assert_eq!((left.x, left.y), (-right.x, right.y));
            assert!(right.x > lit("0.5") && right.y < lit("-0.5"), "{right:?}");
            let hit: Vec<_> = report.removed.iter().map(|gone| (gone.body, gone.by)).collect();
            let (mut both, bullet) = ([slot(1), slot(2)], id(slot(0)));
            both.sort_unstable();
            let both = both.map(|slot| (bullet, Collider::Body(id(slot))));
            match on_hit {
                OnHit::Remove => assert_eq!(hit, both),
                _ => assert_eq!((hit, world.body(bullet).unwrap().momentum), (vec![], Vec3::ZERO)),
            }
        }
    }
}

#[test]
fn two_that_go_at_each_other_are_both_gone() {
    let mut world = range("0.5", &[ball("-1", "1", OnHit::Remove), ball("1", "-1", OnHit::Remove)]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    let gone: Vec<_> = report.removed.iter().map(|gone| (gone.body, gone.by)).collect();
    assert_eq!(gone, [(id(0), Collider::Body(id(1))), (id(1), Collider::Body(id(0)))]);
    assert_eq!((world.bodies().count(), world.momentum_wide()), (0, [0; 3]));
}

/// There is an enter event and no exit: a removed body is no longer inside.
#[test]
fn bodies_removed_inside_a_sensor_enter_and_do_not_leave() {
    let zone = Spawn { body_type: BodyType::Static, layer: 3, ..ball("3", "0", OnHit::Continue) };
    let mut world = range("1", &[zone]);
    let report_only = Command::SetLayers { a: 0, b: 3, rule: Rule::Sensor, allow_overlap: false };
    let _ = world.apply(&[report_only, Command::Spawn(ball("1.5", "4", OnHit::Remove))]);
    let mut report = TickReport::default();
    world.enable_events(true);
    step(&mut world, &mut report);
    let told: Vec<_> = report.events.iter().map(|event| event.kind).collect();
    assert_eq!(told, [EventKind::Enter, EventKind::Begin, EventKind::Hit]);
    assert_eq!(report.removed[0].by, Collider::Static(StaticId(0)));
}

/// Slow, inelastic, with gravity and without: where others would be pressed together or rest, they hit.
#[test]
fn slow_landings_are_hits() {
    for gravity in ["0", "0.01"] {
        for on_hit in [OnHit::Stop, OnHit::Remove] {
            let mut world = range("0", &[ball("3.4", "0.05", on_hit)]);
            world
                .apply(&[Command::SetGravity {
                    gravity: Vec3::new(s(gravity), lit("0"), lit("0")).map_raw(|g| g & !1),
                }])
                .accepted()
                .unwrap();
            let mut report = TickReport::default();
            let hits = (0..10).find(|_| {
                step(&mut world, &mut report);
                !report.impacts.is_empty()
            });
            assert!(hits.is_some_and(|tick| tick < 3));
            assert_eq!((world.bodies().count() == 0, overlaps(&world)), (on_hit == OnHit::Remove, 0));
            for _ in 0..20 {
                step(&mut world, &mut report);
                assert_eq!((world.momentum_wide(), overlaps(&world)), ([0; 3], 0));
                assert!(report.impact_limited.is_empty() && report.velocity_corrected.is_empty());
            }
        }
    }
}

/// A compound of two balls, one above the other, hits a wall with both: that is one wall.
#[test]
fn a_compound_that_hits_one_with_two_parts_has_hit_one() {
    let fork = Spawn { shape: ShapeId::of_compound(CompoundId(0), false), ..ball("1.5", "4", OnHit::Remove) };
    let mut world = range("1", &[fork]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!(report.impacts.len(), 2);
    assert_eq!(report.removed.len(), 1);
}

/// A bullet that rotates wakes a sleeping body, pushes it and is removed; both ledgers close.
#[test]
fn a_sleeper_is_struck_by_what_goes() {
    for on_hit in [OnHit::Stop, OnHit::Remove] {
        let mut stage = Stage::floor("0.25", "0.5");
        let (cube, bullet) = (stage.block("0.5", "0.5", "0.5"), stage.block("0.1", "0.05", "0.05"));
        stage.add(Spawn { mass: 50, ..Spawn::new(cube, place(0, 502, 0)) });
        let mut world = stage.world_within(Limits::new(60).with_sleep_after(8));
        let mut report = TickReport::default();
        (0..100).for_each(|_| step(&mut world, &mut report));
        assert_eq!(world.sleep(id(0)), Some(Sleep::Asleep));
        let shot = Spawn {
            rotates: true,
            on_hit,
            velocity: v("2", "0", "0"),
            angular_velocity: v("0.1", "0.2", "0.1"),
            ..Spawn::new(bullet, place(-1_500, 700, 100))
        };
        let _ = world.apply(&[Command::Spawn(shot)]);
        let before = world.angular_momentum_wide();
        step(&mut world, &mut report);
        let with_it = report.impacts.iter().filter(|it| it.b == Collider::Body(id(1))).count();
        assert_eq!((&report.woke[..], with_it), (&[id(0)][..], 1));
        assert_eq!(world.body(id(1)).is_none(), on_hit == OnHit::Remove);
        assert!(world.body(id(0)).unwrap().momentum.x > lit("1"), "{:?}", world.body(id(0)));
        let (after, total) = (world.angular_momentum_wide(), report.angular.total());
        for axis in 0..3 {
            let off = 2 * (after[axis] - before[axis]) - total[axis];
            assert!(off.abs() <= report.angular.slack(), "axis {axis}: {off}");
        }
        assert_ne!((report.ledger[Cause::OnHit], report.angular[Cause::OnHit]), ([0; 3], [0; 3]));
    }
}

#[test]
fn a_frozen_body_neither_stops_nor_goes() {
    let mut world = range("1", &[ball("0", "0", OnHit::Remove), ball("-1.5", "1", OnHit::Continue)]);
    world.apply(&[Command::Freeze { body: id(0), ticks: 1 }]).accepted().unwrap();
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!((report.impacts.len(), report.removed.len()), (1, 0));
    assert_eq!(world.body(id(1)).unwrap().velocity(), v("-1", "0", "0"));
}

#[test]
fn dynamic_bodies_alone_stop_or_are_removed() {
    for kind in [BodyType::Kinematic, BodyType::Static] {
        let mut world = range("1", &[Spawn { body_type: kind, ..ball("0", "0", OnHit::Continue) }]);
        let mut refused =
            |command| world.apply(&[command]).outcomes.remove(0).unwrap_err().reason.to_string();
        let set = Command::SetOnHit { body: id(0), on_hit: OnHit::Stop };
        assert_eq!(refused(set), format!("body 0 is {}", kind.name()));
        let spawn = Spawn { body_type: kind, ..ball("2", "0", OnHit::Remove) };
        assert_eq!(refused(Command::Spawn(spawn)), "on_hit: only a dynamic body stops or goes at an impact");
    }
    let mut world = range("1", &[ball("1.5", "4", OnHit::Continue)]);
    world.apply(&[Command::SetOnHit { body: id(0), on_hit: OnHit::Remove }]).accepted().unwrap();
    step(&mut world, &mut TickReport::default());
    assert_eq!(world.bodies().count(), 0);
}

/// A ball is so small that it touches a wall at a quarter of a millionth of a unit, and so fast that it
/// arrives from farther away at the first instant of the tick: its touch begins as it hits, though nothing is
/// left of its speed, or of the ball if it is removed.
#[test]
fn touches_begin_at_hits_from_farther_away() {
    let small = Scalar::from_bits(1 << 17);
    for (on_hit, kind) in [OnHit::Continue, OnHit::Stop, OnHit::Remove].into_iter().flat_map(|on_hit| {
        [(on_hit, None), (on_hit, Some(BodyType::Static)), (on_hit, Some(BodyType::Dynamic))]
    }) {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let (ball, wall) = (Shape::sphere(small), Shape::aabb(v("0.5", "0.5", "0.5")));
        let gap = Scalar::from_bits(1_500);
        assert!(gap > touch_gap((&ball, BodyType::Dynamic), (&wall, BodyType::Static)));
        let [ball, wall] = [ball, wall].map(|shape| builder.shape(shape));
        let place = Vec3::new(HALF + gap + small, Scalar::ZERO, Scalar::ZERO);
        if kind.is_none() {
            builder.fixed(wall, material, place);
        }
        let limits = Limits::new(60).with_speed_max(lit("2048"));
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let bullet = Spawn { velocity: v("2048", "0", "0"), on_hit, ..Spawn::new(ball, Vec3::ZERO) };
        let walls = kind.map(|kind| Spawn { body_type: kind, mass: 1 << 16, ..Spawn::new(wall, place) });
        let spawns: Vec<_> = [bullet].into_iter().chain(walls).map(Command::Spawn).collect();
        let outcomes = world.apply(&spawns).outcomes;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        world.enable_events(true);
        let (entry, mut report) = (World::clone(&world), TickReport::default());
        step(&mut world, &mut report);
        assert_events(&report, &entry, &world);
        let told: Vec<_> = report.events.iter().map(|event| (event.toi, event.kind)).collect();
        let expected = [EventKind::Begin, EventKind::Hit].map(|kind| (Toi::START, kind));
        assert_eq!(told[..2], expected, "{on_hit:?}, {kind:?}");
    }
}
