//! The car by hand, on flat ground and on slopes: it stands, drives, brakes, steers and stops at walls.
#![allow(missing_docs)]

use bitstep::{
    geom::{Rotation, Vec3},
    num::{Scalar, lit},
    session::Session,
    shape::{Mesh, Shape},
    state::{Material, MaterialId, SceneryBuilder},
    tick::TickReport,
};
use race::{
    Input, Race,
    car::{Chassis, STAND},
    course::Place,
    session,
};

const RATES: [u32; 3] = [30, 60, 120];
const AHEAD: Input = Input { throttle: 127, ..Input::NONE };
const BRAKE: Input = Input { brake: true, ..Input::NONE };

/// A car above a plane with a normal, and what else is there.
fn ground(normal: Vec3, rate: u32, more: impl FnOnce(&mut SceneryBuilder)) -> Session<Race> {
    let mut scenery = SceneryBuilder::default();
    let road = scenery.material(Material::INELASTIC.with_friction(lit("0.2")).unwrap());
    let plane = scenery.shape(Shape::plane(normal).unwrap());
    scenery.fixed(plane, road, Vec3::ZERO);
    more(&mut scenery);
    let height = if normal.x == 0 { "0.7" } else { "1.5" };
    session((scenery, false), rate, (Vec3::lit("0", height, "0"), Rotation::IDENTITY)).unwrap()
}

fn flat(rate: u32) -> Session<Race> {
    ground(Vec3::lit("0", "1", "0"), rate, |_| {})
}

fn chassis(state: &Session<Race>) -> Chassis {
    Chassis::of(state.world(), state.game().car.body).unwrap()
}

/// Plays some seconds.
fn play(state: &mut Session<Race>, seconds: u32, input: Input) {
    let mut report = TickReport::default();
    for _ in 0..seconds * state.world().limits().tick_rate {
        state.tick(&[input], &mut report);
    }
}

/// The largest component of a vector in magnitude, in raw.
fn most(vector: Vec3) -> i64 {
    vector.raw().into_iter().map(i64::abs).max().unwrap()
}

#[test]
fn a_car_stands_still_on_flat_ground() {
    for rate in RATES {
        let mut state = flat(rate);
        play(&mut state, 4, Input::NONE);
        let before = chassis(&state);
        play(&mut state, 10, Input::NONE);
        let after = chassis(&state);
        assert_eq!(after.position, before.position, "{rate}");
        assert!((after.position.y - STAND).abs() < lit("0.00001"), "{rate}: {}", after.position.y);
        assert_eq!(after.orientation, before.orientation, "{rate}");
    }
}

#[test]
fn a_car_on_a_slope_is_held_by_its_brakes() {
    for rate in RATES {
        let mut state = ground(Vec3::lit("1", "5", "1"), rate, |_| {});
        play(&mut state, 4, BRAKE);
        let before = chassis(&state).position;
        play(&mut state, 10, BRAKE);
        let way = chassis(&state).position - before;
        assert!(way.length() < lit("0.00001"), "{rate}: {way}");
    }
}

#[test]
fn a_car_drives_straight_and_stops() {
    for rate in RATES {
        let mut state = flat(rate);
        play(&mut state, 1, Input::NONE);
        play(&mut state, 6, AHEAD);
        let fast = chassis(&state);
        assert!(fast.speed() > lit("24") && fast.speed() < lit("26"), "{rate}: {}", fast.speed());
        assert_eq!(fast.position.x, 0, "{rate}");
        play(&mut state, 3, BRAKE);
        let stopped = chassis(&state);
        let way = stopped.position.z - fast.position.z;
        assert!(stopped.speed().abs() < lit("0.001"), "{rate}: {}", stopped.speed());
        assert!(way > lit("25") && way < lit("35"), "{rate}: {way}");
        assert_eq!(stopped.position.x, 0, "{rate}");
        play(&mut state, 5, BRAKE);
        assert!(most(chassis(&state).position - stopped.position) < 1 << 16, "{rate}");
    }
}

#[test]
fn a_car_that_stands_goes_backward() {
    let mut state = flat(60);
    play(&mut state, 3, AHEAD);
    play(&mut state, 6, Input { throttle: -127, ..Input::NONE });
    let speed = chassis(&state).speed();
    assert!(speed < lit("-4") && speed > lit("-10"), "{speed}");
}

#[test]
fn a_car_does_not_tip_in_a_curve() {
    for rate in RATES {
        let mut state = flat(rate);
        play(&mut state, 2, AHEAD);
        let mut report = TickReport::default();
        let mut least = Scalar::ONE;
        for _ in 0..15 * rate {
            state.tick(&[Input { throttle: 60, steer: 127, ..Input::NONE }], &mut report);
            least = least.min(chassis(&state).up().y);
            assert_eq!(state.game().car.wheels_down(), 4, "{rate}");
        }
        assert!(least > lit("0.999"), "{rate}: {least}");
        // It went round.
        assert!(chassis(&state).position.x.abs() < 60, "{rate}");
    }
}

/// The mirror image in x of position, velocity, orientation and angular velocity.
fn image(chassis: &Chassis) -> ([i64; 3], [i64; 3], [i32; 4], [i64; 3]) {
    let ([x, y, z], [u, v, w]) = (chassis.position.raw(), chassis.velocity.raw());
    let ([a, b, c, d], [p, q, r]) = (chassis.orientation.components(), chassis.angular_velocity.raw());
    ([-x, y, z], [-u, v, w], [a, b, -c, -d], [p, -q, -r])
}

/// Ground of triangles that is its own mirror image: humps across the way, with a ridge along the middle.
fn humps() -> Mesh {
    let across: [i64; 5] = [-30, -4, 0, 4, 30];
    let rows = (-5..30_i64).flat_map(|row| {
        across.map(|x| {
            let height = Scalar::from_num((row * row + 4 - x.abs().min(4)) % 5) / 8;
            Vec3::new(Scalar::from_num(x), height, Scalar::from_num(row * 3))
        })
    });
    let points: Vec<Vec3> = rows.collect();
    let mut triangles = Vec::new();
    for (row, left) in (0..34).flat_map(|row| (0..4).map(move |left| (row, left))) {
        let [a, b, c, d] = [row * 5 + left, row * 5 + left + 1, row * 5 + left + 6, row * 5 + left + 5];
        // The diagonals on one side are the images of those on the other.
        triangles.extend(if left < 2 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
    }
    Mesh::new(&points, &triangles).unwrap()
}

#[test]
fn a_mirrored_drive_over_humps_is_the_mirror_image() {
    let over_humps = || {
        let mut scenery = SceneryBuilder::default();
        let road = scenery.material(Material::INELASTIC.with_friction(lit("0.2")).unwrap());
        let mesh = scenery.shape(Shape::Mesh(humps()));
        scenery.fixed(mesh, road, Vec3::ZERO);
        session((scenery, false), 60, (Vec3::lit("0", "1.5", "0"), Rotation::IDENTITY)).unwrap()
    };
    let (mut left, mut right, mut report) = (over_humps(), over_humps(), TickReport::default());
    for tick in 0..400 {
        let input = Input { throttle: 90, steer: [0, 40, -90, 20][tick / 60 % 4], ..Input::NONE };
        left.tick(&[input], &mut report);
        right.tick(&[input.mirrored()], &mut report);
        let (a, b) = (chassis(&left), chassis(&right));
        let same = (b.position.raw(), b.velocity.raw(), b.orientation.components(), b.angular_velocity.raw());
        assert_eq!(image(&a), same, "tick {tick}");
    }
    let place = chassis(&left).position;
    assert!(place.z > 20 && place.y > 0, "{place}");
}

#[test]
fn a_mirrored_drive_is_the_mirror_image() {
    let script = [
        Input { throttle: 127, steer: 20, ..Input::NONE },
        Input { throttle: 127, steer: -127, ..Input::NONE },
        Input { throttle: 50, steer: 90, ..Input::NONE },
        Input { steer: -77, brake: true, ..Input::NONE },
        Input { throttle: -127, steer: 127, ..Input::NONE },
    ];
    let (mut left, mut right, mut report) = (flat(60), flat(60), TickReport::default());
    for tick in 0..900 {
        let input = script[tick / 90 % script.len()];
        left.tick(&[input], &mut report);
        right.tick(&[input.mirrored()], &mut report);
        let (a, b) = (chassis(&left), chassis(&right));
        let same = (b.position.raw(), b.velocity.raw(), b.orientation.components(), b.angular_velocity.raw());
        assert_eq!(image(&a), same, "tick {tick}");
    }
}

#[test]
fn a_car_stops_at_a_wall_and_does_not_climb_it() {
    for rate in RATES {
        let mut state = ground(Vec3::lit("0", "1", "0"), rate, |scenery| {
            let wall = scenery.shape(Shape::aabb(Vec3::lit("20", "2", "0.5")));
            scenery.fixed(wall, MaterialId(0), Vec3::lit("0", "2", "40"));
        });
        let mut report = TickReport::default();
        for _ in 0..10 * rate {
            state.tick(&[AHEAD], &mut report);
            let chassis = chassis(&state);
            assert!(
                chassis.position.z < lit("39.5") && chassis.position.y < lit("2"),
                "{rate}: {}",
                chassis.position
            );
            assert!(report.reverted.is_empty() && report.impact_limited.is_empty(), "{rate}");
        }
        assert!(chassis(&state).position.z > lit("30"), "{rate}");
    }
}

#[test]
fn a_car_that_scrapes_along_a_wall_stays_down() {
    for rate in RATES {
        let mut state = ground(Vec3::lit("0", "1", "0"), rate, |scenery| {
            let wall = scenery.shape(Shape::aabb(Vec3::lit("0.5", "2", "100")));
            scenery.fixed(wall, MaterialId(0), Vec3::lit("3", "2", "90"));
        });
        let mut report = TickReport::default();
        for _ in 0..8 * rate {
            state.tick(&[Input { steer: 20, ..AHEAD }], &mut report);
            let Vec3 { x, y, .. } = chassis(&state).position;
            assert!(y < lit("0.8") && x < lit("2.5"), "{rate}: {x} {y}");
            assert!(report.reverted.is_empty() && report.impact_limited.is_empty(), "{rate}");
        }
        assert!(chassis(&state).position.x > lit("1.4"), "{rate}");
    }
}

#[test]
fn a_car_that_asks_is_put_back() {
    let mut state = race::initial_state().unwrap();
    let begin = chassis(&state).position;
    play(&mut state, 3, AHEAD);
    play(&mut state, 5, Input { brake: true, reset: true, ..Input::NONE });
    assert!((chassis(&state).position - begin).length() < lit("1"));
}

#[test]
fn a_car_on_its_roof_is_put_back_after_three_seconds() {
    let mut scenery = SceneryBuilder::default();
    let road = scenery.material(Material::INELASTIC);
    let plane = scenery.shape(Shape::plane(Vec3::lit("0", "1", "0")).unwrap());
    scenery.fixed(plane, road, Vec3::ZERO);
    let place = Place::of_sector(3);
    let (none, one) = (Scalar::ZERO, Scalar::ONE);
    let roof = Rotation::from_quaternion(none, none, none, one).unwrap();
    let mut state = session((scenery, true), 60, (place.point() + Vec3::lit("0", "2", "0"), roof)).unwrap();
    play(&mut state, 2, AHEAD);
    assert!(chassis(&state).up().y < lit("-0.9"));
    play(&mut state, 2, Input::NONE);
    assert!(chassis(&state).up().y > lit("0.99"));
    assert!((chassis(&state).position - Place::of_sector(0).point()).length() < lit("1"));
}
