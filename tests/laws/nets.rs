//! The safety nets of a tick: speed limit, border and budget. Each use is counted, listed, and in the ledger.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    shape::Shape,
    snapshot,
    state::{BodyId, Command, Limits, Material, SceneryBuilder, ShapeId},
    tick::{Cause, TickReport},
};

use crate::support::{HALF, Start, closed_box, overlaps, s, shapes, step, v, world};

const BALL: ShapeId = ShapeId(0);

fn ball(mass: u32, position: Vec3, velocity: Vec3) -> Start {
    Start { shape: BALL, mass, position, velocity }
}

fn set_gravity(world: &mut World, gravity: Vec3) {
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

/// A momentum in raw, from a speed along x in units per tick.
fn along_x(mass: i128, speed: &str) -> [i128; 3] {
    [mass * i128::from(s(speed).to_bits()), 0, 0]
}

fn velocity(world: &World, slot: u32) -> Vec3 {
    world.body(id(slot)).unwrap().velocity()
}

fn at_most(speed: &str) -> Limits {
    Limits::new(60).with_speed_max(s(speed))
}

#[test]
fn gravity_stops_at_the_speed_limit() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let mut world = world(at_most("2"), &scenery, &[ball(3, Vec3::ZERO, v("2", "0", "0"))]);
    set_gravity(&mut world, v("0.5", "0", "0"));
    let mut report = TickReport::default();
    for tick in 1..=3_i64 {
        step(&mut world, &mut report);
        assert_eq!((velocity(&world, 0), report.speed_clamped), (v("2", "0", "0"), 1));
        assert_eq!(report.ledger[Cause::Gravity], along_x(3, "0.5"));
        assert_eq!(report.ledger[Cause::Clamps], along_x(3, "-0.5"));
        // The limit counts at the end of the tick: half of gravity is not in the motion yet.
        assert_eq!(world.body(id(0)).unwrap().position.x, s("1.75") * tick);
    }
}

#[test]
fn a_clamped_velocity_is_at_the_limit_or_just_below_in_any_direction() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let most = i128::from(s("2").to_bits());
    let mut clamped = 0;
    for case in 0..2_000 {
        let mut draws = Rng::new(31).at(0, case, 0);
        let mut draw = || Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32) & !1));
        let start = ball(1 + case as u32 % 9, Vec3::ZERO, draw());
        let mut world = world(at_most("2"), &scenery, &[start]);
        set_gravity(&mut world, draw());
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        if report.speed_clamped > 0 {
            let square = velocity(&world, 0).length_squared_wide() as i128;
            assert!(square <= most * most, "case {case}: too fast");
            assert!(square >= (most - 4) * (most - 4), "case {case}: too slow");
            assert!(snapshot::decode(&snapshot::encode(&world), &scenery).is_ok());
            clamped += 1;
        }
    }
    assert!(clamped > 150, "{clamped}");
}

#[test]
fn an_impact_stops_at_the_speed_limit() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let starts = [ball(999, v("-2", "0", "0"), v("2", "0", "0")), ball(1, Vec3::ZERO, Vec3::ZERO)];
    let mut world = world(at_most("2"), &scenery, &starts);
    let before = world.momentum_wide();
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!((report.impacts.len(), report.speed_clamped), (1, 1));
    // The light one would leave at 2 * 2 * 999 / 1000.
    assert_eq!(velocity(&world, 1), v("2", "0", "0"));
    assert_eq!(report.ledger[Cause::Clamps][0], i128::from((s("2") - s("3.996")).to_bits()));
    assert_eq!(world.momentum_wide()[0] - before[0], report.ledger[Cause::Clamps][0]);
}

#[test]
fn a_body_that_would_leave_the_world_is_held() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let limits = Limits::new(60).with_extent(s("10"));
    let mut world = world(limits, &scenery, &[ball(3, v("9", "0", "0"), v("1.5", "0", "0"))]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!(report.out_of_bounds, [id(0)]);
    assert_eq!(report.ledger[Cause::Holds], along_x(3, "-1.5"));
    assert_eq!((world.body(id(0)).unwrap().position, velocity(&world, 0)), (v("9", "0", "0"), Vec3::ZERO));
    step(&mut world, &mut report);
    assert_eq!((report.out_of_bounds.len(), report.ledger[Cause::Holds]), (0, [0; 3]));
}

#[test]
fn a_body_hit_out_of_the_world_is_held_where_it_was_hit() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let limits = Limits::new(60).with_extent(s("10"));
    // The first has gone .5 when the second comes from behind and would send it on at 3.
    let starts = [
        ball(2, v("8.5", "0", "0"), v("1", "0", "0")),
        ball(2, v("6.5", "0", "0"), v("3", "0", "0")),
        ball(1, v("-9", "0", "0"), v("-2", "0", "0")),
    ];
    let mut world = world(limits, &scenery, &starts);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!(report.out_of_bounds, [id(0), id(2)], "by id");
    let body = world.body(id(0)).unwrap();
    assert!((body.position.x - s("9")).abs() < s("0.0000001"), "{:?}", body.position);
    assert_eq!(body.velocity(), body.position - starts[0].position, "what it made in the tick");
    assert_eq!(overlaps(&world), 0);
}

/// Balls fly about in a world whose border is open.
#[test]
fn no_body_leaves_the_world() {
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    let limits = Limits::new(60).with_extent(s("6"));
    let starts: Vec<Start> = (0..125_i64)
        .map(|index| {
            let mut draws = Rng::new(32).at(0, index as u64, 0);
            let cell = [index % 5 - 2, index / 5 % 5 - 2, index / 25 - 2];
            let speeds = [0; 3].map(|_: i32| draws.between(-1 << 31, 1 << 31));
            ball(1 + index as u32 % 7, Vec3::from_raw(cell.map(|c| c * (2 << 32))), Vec3::from_raw(speeds))
        })
        .collect();
    let mut world = world(limits, &scenery, &starts);
    set_gravity(&mut world, Vec3::from_raw([0, -20_000_000, 0]));
    let (mut report, mut held, mut met) = (TickReport::default(), 0, 0);
    for tick in 0..120 {
        step(&mut world, &mut report);
        let inside = |position: Vec3| position.raw().iter().all(|raw| raw.abs() <= 6 << 32);
        assert!(world.bodies().all(|(_, body)| inside(body.position)), "tick {tick}");
        assert!(report.out_of_bounds.is_sorted_by(|a, b| a < b), "each once, by id");
        assert_eq!(overlaps(&world), 0, "tick {tick}");
        met += report.impacts.len();
        held += report.out_of_bounds.len();
    }
    assert!(held > 200 && met > 200, "{held} held, {met} impacts");
}

#[test]
fn a_body_out_of_budget_is_held_where_it_met_the_next() {
    let limits = Limits::new(60).with_budget(3);
    // A ball of diameter 1 in a gap of 1.5: it comes to a wall every .5 units.
    let scenery = closed_box("1", &[Shape::sphere(HALF)], "0.75");
    let mut world = world(limits, &scenery, &[ball(4, Vec3::ZERO, v("10", "0", "0"))]);
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!((report.impacts.len(), report.impact_limited.as_slice()), (4, &[id(0)][..]));
    assert_eq!(report.ledger[Cause::Statics], along_x(4, "-20"), "three bounces");
    let body = world.body(id(0)).unwrap();
    assert!((body.position.x + s("0.25")).abs() < s("0.0000001"), "{:?}", body.position);
    assert_eq!(body.velocity(), body.position, "what it made in the tick");
    let made = i128::from(body.momentum.x.to_bits());
    assert_eq!(report.ledger[Cause::Holds], [made - along_x(4, "-10")[0], 0, 0]);
    step(&mut world, &mut report);
    assert_eq!(
        (report.impact_limited.len(), report.ledger[Cause::Holds]),
        (0, [0; 3]),
        "the next tick is another"
    );
}

#[test]
fn a_held_body_takes_impacts_like_a_static_and_the_ledger_says_so() {
    let limits = Limits::new(60).with_budget(1);
    let scenery = shapes("1", &[Shape::sphere(HALF)]);
    // Equal balls in a row: the middle one is hit from one side, then from the other.
    let starts = [
        ball(2, v("-3", "0", "0"), v("4", "0", "0")),
        ball(2, Vec3::ZERO, Vec3::ZERO),
        ball(2, v("4", "0", "0"), v("-4", "0", "0")),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let mut world = world(limits, &scenery, &order.map(|index| starts[index]));
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        let middle = order.iter().position(|&index| index == 1).unwrap() as u32;
        assert_eq!(report.impact_limited, [id(middle)]);
        assert_eq!(report.impacts.len(), 2);
        // The momentum of the middle one, and twice that of the one that it reversed.
        assert_eq!(report.ledger[Cause::Statics], [0; 3]);
        let body = world.body(id(middle)).unwrap();
        let made = i128::from(body.momentum.x.to_bits());
        assert_eq!(
            report.ledger[Cause::Holds][0],
            made - along_x(2, "4")[0] + along_x(2, "8")[0],
            "{order:?}"
        );
        assert_eq!(overlaps(&world), 0);
    }
}

#[test]
fn a_held_body_keeps_the_speed_limit_as_well() {
    let limits = at_most("2").with_budget(1);
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::ELASTIC);
    builder.shape(Shape::sphere(HALF));
    let wall = builder.shape(Shape::aabb(v("1", "1", "1")));
    builder.fixed(wall, material, v("-3.6", "0", "0"));
    let scenery = builder.build().unwrap();
    // The light one is sent off at the limit against gravity, so that it moves farther than the limit in the
    // tick before it comes to the wall, 2.1 away.
    let starts = [ball(1, Vec3::ZERO, Vec3::ZERO), ball(1_000, v("1", "0", "0"), v("-2", "0", "0"))];
    let mut world = world(limits, &scenery, &starts);
    set_gravity(&mut world, v("0.25", "0", "0"));
    let mut report = TickReport::default();
    step(&mut world, &mut report);
    assert_eq!(report.impact_limited, [id(0)], "{report:?}");
    let made = world.body(id(0)).unwrap().position.x;
    assert!(made < s("-2.09"), "{made}");
    assert_eq!(velocity(&world, 0), v("-2", "0", "0"));
    assert!(snapshot::decode(&snapshot::encode(&world), &scenery).is_ok());
}
