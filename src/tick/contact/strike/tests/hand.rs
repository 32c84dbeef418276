//! Strikes with textbook answers.

use super::*;

const UNIT: i64 = 1 << 32;

#[test]
fn a_smooth_ball_struck_through_its_center_takes_the_same_impulse_to_the_bit() {
    for (axis, way) in [(0, 1), (1, -1), (2, 1), (2, -1)] {
        let mut normal = [0; 3];
        normal[axis] = way * ONE;
        let arm = normal.map(|c| -i64::from(c) * 3);
        let mut strike = Strike {
            sides: [0, 1],
            normal,
            levers: [[[0; 3]; 3], levers(WORLD, gyration_of_ball(3 << 30), Vec3::from_raw(arm))],
            restitution_q16: 45_000,
            ..Strike::default()
        };
        let velocity = normal.map(|c| -i64::from(c) / 7);
        let mut parties = [ground(), body(5, velocity, [1 << 29, 77, -(1 << 28)])];
        let mut plain = [ground(), body(5, velocity, [0; 3])];
        find_impulses(std::slice::from_mut(&mut strike), &mut parties);
        let turning = strike.impulse;
        strike.levers = [[[0; 3]; 3]; 2];
        find_impulses(std::slice::from_mut(&mut strike), &mut plain);
        assert_eq!(turning, strike.impulse);
    }
}

#[test]
fn a_ball_that_slides_rolls_at_five_sevenths_if_friction_holds_it() {
    let (radius, speed) = (UNIT / 2, UNIT / 10);
    for friction_q16 in [1 << 16, 20_000, 19_000] {
        // It needs 2/7 of its speed as a push aside, and comes down as fast: mu of 2/7 holds, 18,725 / 2^16.
        let gyration = gyration_of_ball(radius);
        let mut strike = Strike { friction_q16, ..on_ground(gyration, [0, 0, -radius]) };
        let mut parties = [ground(), body(10, [speed, 0, -speed], [0; 3])];
        find_impulses(std::slice::from_mut(&mut strike), &mut parties);
        let [velocity, turning] = after_raw(&[strike], &parties, 1);
        assert_near(velocity, [speed * 5 / 7, 0, 0], 1, "velocity");
        // About y by v / r, times the gyration.
        let rolls = speed * 5 / 7 * gyration[1] / radius;
        assert_near(turning, [0, rolls, 0], 1, "turning");
    }
}

#[test]
fn a_ball_that_slips_is_slowed_by_friction_times_the_push() {
    let (radius, speed) = (UNIT / 2, UNIT / 10);
    for friction_q16 in [1, 100, 6_554, 18_000] {
        for restitution_q16 in [0, 1 << 15, 1 << 16] {
            let gyration = gyration_of_ball(radius);
            let ground_strike = on_ground(gyration, [0, 0, -radius]);
            let mut strike = Strike { friction_q16, restitution_q16, ..ground_strike };
            // Slides along 3, 4; of 5.
            let mut parties = [ground(), body(1_000, [6 * speed, 8 * speed, -speed], [0; 3])];
            find_impulses(std::slice::from_mut(&mut strike), &mut parties);
            let [velocity, turning] = after_raw(&[strike], &parties, 1);
            let up = (speed * i64::from((1 << 16) + restitution_q16)) >> 16;
            let loss = (up * i64::from(friction_q16)) >> 16;
            let expected = [6 * speed - loss * 3 / 5, 8 * speed - loss * 4 / 5, up - speed];
            assert_near(velocity, expected, 2, "velocity");
            let turned = loss * radius / gyration[0];
            assert_near(turning, [-turned * 4 / 5, turned * 3 / 5, 0], 3, "turning");
        }
    }
}

#[test]
fn a_box_that_falls_flat_is_pushed_the_same_at_all_corners() {
    let half = [UNIT / 2, UNIT / 3, UNIT / 4];
    for (friction_q16, restitution_q16) in [(0, 0), (0, 1 << 15), (1 << 15, 0), (1 << 15, 1 << 16)] {
        let gyration = gyration_of_box(half);
        let corner = |x: i64, y: i64| {
            let strike = on_ground(gyration, [x * half[0], y * half[1], -half[2]]);
            Strike { friction_q16, restitution_q16, ..strike }
        };
        let mut strikes = [corner(-1, -1), corner(-1, 1), corner(1, -1), corner(1, 1)];
        let speed = UNIT / 6 + 5;
        let mut parties = [ground(), body(700, [0, 0, -speed], [0; 3])];
        find_impulses(&mut strikes, &mut parties);
        assert!(strikes.iter().all(|strike| strike.impulse == strikes[0].impulse), "{strikes:?}");
        let [velocity, turning] = after(&strikes, &parties, 1);
        assert_eq!(turning, [0; 3]);
        assert_eq!(velocity[..2], [0; 2]);
        let bounce = (i128::from(speed) * i128::from(restitution_q16)) >> 16;
        let error = velocity[2] - ((bounce * 700) << LEVER_BITS);
        assert!(error.abs() <= (700 << LEVER_BITS), "{error}");
    }
}

#[test]
fn a_rod_that_falls_on_its_end_turns_as_in_the_book() {
    // A thin rod of half length l, level, its right end struck from below: I = m l^2 / 3, so a quarter of the mass
    // opposes the push.
    let (half, speed) = (UNIT, UNIT / 8);
    let gyration = gyration_of_box([half, 1 << 26, 1 << 26]);
    for restitution_q16 in [0, 1 << 15, 1 << 16] {
        for end in [-1, 1] {
            let mut strike = Strike { restitution_q16, ..on_ground(gyration, [end * half, 0, 0]) };
            let mut parties = [ground(), body(64, [0, 0, -speed], [0; 3])];
            find_impulses(std::slice::from_mut(&mut strike), &mut parties);
            let change = ((speed * i64::from((1 << 16) + restitution_q16)) >> 16) / 4;
            let [velocity, turning] = after_raw(&[strike], &parties, 1);
            // The rod is not quite thin: 2^-13 of what changes.
            let bound = (change >> 12) + 2;
            assert_near(velocity, [0, 0, change - speed], bound, "velocity");
            // A push up at the end to the right turns about -y: by l J / I, which is 3 J / (m l).
            let about_y = -end * (3 * change * (gyration[1] / 16) / (half / 16));
            assert_near(turning, [0, about_y, 0], 2 * bound, "turning");
        }
    }
}

#[test]
fn a_rod_that_would_gain_energy_by_its_bounce_parts_as_fast_as_it_may() {
    // The end is as far to the left of the center and below it as the radius of gyration, so that a push along z makes a
    // speed of (-1, 2) in x and z, and one along x of (2, -1). It comes with (1/2, -1): without a bounce a push of (0, 1/2)
    // stops it; with a full one friction turns the slip round (Kane 1984), and a push of (1/3, 7/6) makes (0, 1). A part s
    // of that makes (0, s), and twice what is gained is 2/3 s^2 - 1/2: nothing where s is half the root of 3.
    let radius = UNIT / 2;
    for (mass, speed) in [(1, UNIT / 10), (10, UNIT / 10), (700, UNIT / 77), (1 << 16, UNIT / 10)] {
        let root = sqrt_floor(3 * (speed as u128).pow(2)) as i64;
        for way in [1, -1] {
            let arm = [-way * radius, 0, -radius];
            let all = 1 << 16;
            let mut strike =
                Strike { friction_q16: all, restitution_q16: all, ..on_ground([radius; 3], arm) };
            let mut parties = [ground(), body(mass, [way * speed / 2, 0, -speed], [0; 3])];
            find_impulses(std::slice::from_mut(&mut strike), &mut parties);
            let [velocity, turning] = after_raw(&[strike], &parties, 1);
            let across = speed / 2 + root / 6;
            assert_near(velocity, [way * across, 0, root / 3 - speed / 2], 4, "velocity");
            assert_near(turning, [0, way * across, 0], 4, "turning");
        }
    }
}
