//! Driven bodies, by hand.

use bitstep::{
    World,
    geom::Vec3,
    num::{Scalar, lit},
    shape::Shape,
    state::{BodyId, BodyType, Command, Drive, Limits, Locks, ShapeId, Sleep, Spawn},
    tick::{Cause, TickReport},
};

use crate::{
    shows::{Stage, place},
    support::{HALF, s, shapes, step, v},
};

const BALL: ShapeId = ShapeId(0);

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

fn space(spawns: &[Spawn]) -> World {
    let mut world = World::new(Limits::new(60), shapes("1", &[Shape::sphere(HALF)])).unwrap();
    apply(&mut world, &spawns.iter().copied().map(Command::Spawn).collect::<Vec<_>>());
    world
}

fn apply(world: &mut World, commands: &[Command]) {
    let applied = world.apply(commands);
    assert!(applied.outcomes.iter().all(Result::is_ok), "{:?}", applied.outcomes);
}

fn drive(slot: u32, velocity: Vec3, accel_max: &str) -> Command {
    Command::Drive { body: id(slot), velocity, accel_max: s(accel_max) }
}

fn velocity(world: &World, slot: u32) -> Vec3 {
    world.body(id(slot)).unwrap().velocity()
}

/// (3, 4, 0) by 1 per tick: five ticks of (0.6, 0.8, 0), each component rounded down, and then exactly there.
#[test]
fn a_body_goes_straight_to_its_velocity_and_keeps_it() {
    let mut world = space(&[Spawn { mass: 5, ..Spawn::new(BALL, Vec3::ZERO) }]);
    apply(&mut world, &[drive(0, v("3", "4", "0"), "1")]);
    let mut report = TickReport::default();
    for tick in 1..=5_i64 {
        step(&mut world, &mut report);
        let off = velocity(&world, 0) - v("0.6", "0.8", "0").map_raw(|raw| raw * tick);
        assert!(off.raw().iter().all(|raw| (-2 * tick..=2).contains(raw)), "tick {tick}: {off:?}");
        let [x, y, _] = report.ledger[Cause::Drives];
        assert!(x * x + y * y <= 25 << 64, "no more than 5 of momentum");
    }
    for _ in 0..4 {
        step(&mut world, &mut report);
        assert_eq!(velocity(&world, 0), v("3", "4", "0"));
    }
    assert_eq!(report.ledger[Cause::Drives], [0; 3]);
    apply(&mut world, &[drive(0, Vec3::ZERO, "10")]);
    step(&mut world, &mut report);
    assert_eq!((velocity(&world, 0), report.ledger[Cause::Drives]), (Vec3::ZERO, [-15 << 32, -20 << 32, 0]));
    apply(&mut world, &[drive(0, v("1", "0", "0"), "0.25")]);
    step(&mut world, &mut report);
    apply(&mut world, &[Command::EndDrive { body: id(0) }]);
    step(&mut world, &mut report);
    assert_eq!((velocity(&world, 0), report.ledger[Cause::Drives]), (v("0.25", "0", "0"), [0; 3]));
    assert_eq!(world.body(id(0)).unwrap().drive, None);
}

/// The driven body falls as the stone does, to the bit, and walks.
#[test]
fn a_driven_body_falls_as_others_do() {
    let (stone, walker) = (Spawn::new(BALL, Vec3::ZERO), Spawn::new(BALL, v("0", "0", "9")));
    let mut world = space(&[stone, walker]);
    apply(
        &mut world,
        &[Command::SetGravity { gravity: v("0", "-0.5", "0") }, drive(1, v("1", "7", "-1"), "0.5")],
    );
    let mut report = TickReport::default();
    for _ in 0..20 {
        step(&mut world, &mut report);
        assert_eq!(velocity(&world, 0).y, velocity(&world, 1).y);
        assert_eq!(report.ledger[Cause::Drives][1], 0);
    }
    assert_eq!((velocity(&world, 1).x, velocity(&world, 1).z), (lit("1"), lit("-1")));
}

/// As fast as with a velocity that is set in every tick, where it may change by any amount.
#[test]
fn a_strong_drive_is_a_velocity_set_in_every_tick() {
    let row =
        [0, 3, 6].map(|x| Spawn { mass: 1 + x as u32, ..Spawn::new(BALL, Vec3::from_raw([x << 32, 0, 0])) });
    let (mut driven, mut set) = (space(&row), space(&row));
    let wanted = v("0.25", "-0.125", "0.0625");
    apply(&mut driven, &[drive(1, wanted, "64"), drive(0, -wanted, "64")]);
    let (mut report, mut other) = (TickReport::default(), TickReport::default());
    for _ in 0..40 {
        step(&mut driven, &mut report);
        let set_velocity = |slot, velocity| Command::SetVelocity { body: id(slot), velocity };
        set.tick(&[set_velocity(1, wanted), set_velocity(0, -wanted)], &mut other).accepted().unwrap();
        for slot in 0..3 {
            let [ours, theirs] = [&driven, &set].map(|world| *world.body(id(slot)).unwrap());
            assert_eq!((ours.position, ours.momentum), (theirs.position, theirs.momentum));
        }
        assert_eq!(report.ledger[Cause::Drives], other.ledger[Cause::Commands]);
    }
}

#[test]
fn locked_axes_and_frozen_bodies_are_not_driven_and_damping_comes_after() {
    let locked = Spawn { locks: Locks::Y, ..Spawn::new(BALL, Vec3::ZERO) };
    let damped = Spawn { damping_q16: 1 << 15, ..Spawn::new(BALL, v("0", "9", "0")) };
    let mut world = space(&[locked, damped]);
    apply(&mut world, &[drive(0, v("0", "2", "1"), "8"), drive(1, v("2", "0", "0"), "8")]);
    apply(&mut world, &[Command::Freeze { body: id(0), ticks: 1 }]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!([0, 1].map(|slot| velocity(&world, slot)), [Vec3::ZERO, v("1", "0", "0")]);
    assert_eq!(
        (report.ledger[Cause::Drives], report.ledger[Cause::Damping]),
        ([2 << 32, 0, 0], [-1 << 32, 0, 0])
    );
    step(&mut world, &mut report);
    assert_eq!(velocity(&world, 0), v("0", "0", "1"));
}

/// A body driven to rest sleeps and wakes as others; one that is driven on does not sleep, even against a
/// wall.
#[test]
fn a_body_that_is_driven_on_stays_awake() {
    for (wanted, sleeps) in [("0", true), ("0.5", false)] {
        let mut stage = Stage::well("0", "0.5", "2");
        let cube = stage.block("0.5", "0.5", "0.5");
        stage.add(Spawn::new(cube, place(1_480, 502, 0)));
        let mut world = stage.world_within(Limits::new(60).with_sleep_after(8));
        let strong = Command::Drive {
            body: id(0),
            velocity: v(wanted, "0", "0"),
            accel_max: Scalar::from_bits(1 << 20),
        };
        apply(&mut world, &[strong]);
        let mut report = TickReport::default();
        (0..120).for_each(|_| step(&mut world, &mut report));
        assert_eq!(world.sleep(id(0)) == Some(Sleep::Asleep), sleeps, "{wanted}");
        if sleeps {
            let woken = world.apply(&[Command::EndDrive { body: id(0) }]).woke;
            assert_eq!(woken, [id(0)]);
        }
    }
}

/// A driven brick among others under damping: both ledgers close.
#[test]
fn the_angular_ledger_has_what_drives_give() {
    let mut stage = Stage::floor("0.2", "0.6");
    let cube = stage.block("0.5", "0.25", "0.5");
    for x in [0, 1_200, 2_400] {
        stage.add(Spawn { damping_q16: 90, ..Spawn::new(cube, place(x, 300 + x / 4, 10)) });
    }
    let mut world = stage.world(60);
    apply(&mut world, &[drive(0, v("0.1", "0.1", "0.02"), "0.004"), drive(2, v("-0.1", "0", "0"), "0.01")]);
    let (mut report, mut gave) = (TickReport::default(), false);
    for tick in 0..90 {
        let before = world.angular_momentum_wide();
        step(&mut world, &mut report);
        let (after, total) = (world.angular_momentum_wide(), report.angular.total());
        for axis in 0..3 {
            let off = 2 * (after[axis] - before[axis]) - total[axis];
            assert!(off.abs() <= report.angular.slack(), "tick {tick}, axis {axis}: {off}");
        }
        gave |= report.angular[Cause::Drives] != [0; 3];
    }
    assert!(gave);
}

#[test]
fn drives_beyond_the_limits_are_refused() {
    let mut world = space(&[Spawn::new(BALL, Vec3::ZERO)]);
    let limit = world.limits().speed_max;
    let refused = |world: &mut World, command| {
        world.apply(&[command]).outcomes.remove(0).unwrap_err().reason.to_string()
    };
    let fast = v("100", "100", "0");
    for (command, reason) in [
        (drive(0, fast, "1"), "drive.velocity is 141.4213562373, must be at most 128 in magnitude"),
        (drive(0, Vec3::ZERO, "0"), "drive.accel_max: it is above 0"),
        (drive(0, Vec3::ZERO, "-1"), "drive.accel_max: it is above 0"),
        (drive(0, Vec3::ZERO, "256.5"), "drive.accel_max is 256.5, must be at most 256 in magnitude"),
        (drive(9, Vec3::ZERO, "1"), "no body 9"),
        (Command::EndDrive { body: id(9) }, "no body 9"),
    ] {
        assert_eq!(refused(&mut world, command), reason);
    }
    assert_eq!((limit, world.body(id(0)).unwrap().drive), (lit("128"), None));
    apply(&mut world, &[drive(0, Vec3::ZERO, "256"), drive(0, v("128", "0", "0"), "0.5")]);
    let kept = Drive { velocity: v("128", "0", "0"), accel_max: lit("0.5") };
    assert_eq!(world.body(id(0)).unwrap().drive, Some(kept));
    let mut world = space(&[Spawn { body_type: BodyType::Kinematic, ..Spawn::new(BALL, Vec3::ZERO) }]);
    assert_eq!(refused(&mut world, drive(0, Vec3::ZERO, "1")), "body 0 is kinematic");
    let mut state = world.state().clone();
    state.slots[0].body.as_mut().unwrap().drive = Some(kept);
    let error = World::from_state(state, world.scenery().clone()).unwrap_err().to_string();
    assert_eq!(error, "slots[0].drive: only a dynamic body is driven");
}
