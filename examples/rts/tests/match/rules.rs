//! The rules of the game by hand.

use bitstep::{
    geom::{Vec3, vec2},
    num::{Rng, Scalar, lit},
    session::Session,
    tick::TickReport,
};
use rts::{Goal, HEALTH, Issued, Order, Place, Rts, UNIT_RADIUS, Units, initial_state, initial_state_at};

fn place(x: i64, y: i64) -> Vec3 {
    Vec3::from_raw([x << 32, y << 32, 0])
}

fn position(state: &Session<Rts>, number: usize) -> Option<Vec3> {
    Some(state.world().body(state.game().units()[number].body?)?.position)
}

/// Plays some ticks, with the orders in the first; returns the number of bodies held in all of them.
fn play(state: &mut Session<Rts>, orders: &[Issued], ticks: u64) -> usize {
    let mut report = TickReport::default();
    (0..ticks)
        .map(|tick| {
            state.tick(if tick == 0 { orders } else { &[] }, &mut report);
            report.impact_limited.len() + report.reverted.len()
        })
        .sum()
}

fn all(order: impl Fn(Units) -> Order, count: u16) -> Vec<Issued> {
    vec![Issued { player: 0, order: order(Units::of(0..count)) }]
}

fn is_near(a: Vec3, b: Vec3, distance: Scalar) -> bool {
    (a - b).length_squared_wide() <= u128::from(distance.to_bits().unsigned_abs()).pow(2)
}

#[test]
fn a_march_ends_in_rows_and_stands() {
    let mut state = initial_state(1, 1, 60).unwrap();
    let orders = all(|units| Order::March { units, to: Place::nearest(place(10, -20)) }, 60);
    assert_eq!(play(&mut state, &orders, 600), 0, "no unit is held");
    let units = state.game().units();
    assert!(units.iter().all(|unit| unit.goal.is_done()));
    let points: Vec<Vec3> = (0..60).map(|number| position(&state, number).unwrap()).collect();
    // Each in a place of its own; the middle is the ordered place.
    for (index, a) in points.iter().enumerate() {
        let nearest = points[index + 1..].iter().filter(|b| is_near(*a, **b, UNIT_RADIUS * 2 - lit("0.01")));
        assert_eq!(nearest.count(), 0, "unit {index} has its place");
    }
    let sum = |axis: usize| points.iter().map(|point| point.raw()[axis]).sum::<i64>() / 60;
    assert!(is_near(Vec3::from_raw([sum(0), sum(1), 0]), place(10, -20), lit("0.1")));
    // Eleven in a row at most.
    assert!(points.iter().all(|point| is_near(*point, place(10, -20), lit("7"))));
}

#[test]
fn a_crowd_that_is_sent_to_a_point_comes_to_stand_around_it() {
    let mut state = initial_state(1, 1, 80).unwrap();
    let orders = all(|units| Order::Gather { units, to: Place::nearest(place(0, 0)) }, 80);
    play(&mut state, &orders, 700);
    assert!(state.game().units().iter().all(|unit| unit.goal == Goal::Stand));
    assert_eq!(play(&mut state, &[], 100), 0, "no unit is held after settling");
    assert!((0..80).all(|number| is_near(position(&state, number).unwrap(), place(0, 0), lit("12"))));
    let before: Vec<_> = (0..80).map(|number| position(&state, number)).collect();
    play(&mut state, &[], 50);
    assert!(before == (0..80).map(|number| position(&state, number)).collect::<Vec<_>>(), "all lie still");
}

#[test]
fn two_that_shoot_each_other_fall_together() {
    // So near that there is no room for a shot; near; and farther, but so that no hit pushes one out of
    // range.
    for gap in ["0.01", "1", "4"] {
        let apart = lit(gap) + UNIT_RADIUS * 2;
        let at = |player: u8, _: u16| vec2(if player == 0 { lit("0") } else { apart }, lit("0"));
        let mut state = initial_state_at(1, 2, 1, at).unwrap();
        let mut seen = Vec::new();
        for _ in 0..30 * 60 {
            play(&mut state, &[], 1);
            let health = [0, 1].map(|number: usize| state.game().units()[number].health);
            if seen.last() != Some(&health) {
                seen.push(health);
            }
        }
        assert_eq!(seen[..2], [[HEALTH; 2], [HEALTH - 1; 2]], "{gap}: both hit at once");
        let left = state.game().alive();
        assert!(left[0] + left[1] < 2, "{gap}: {left:?}");
    }
}

#[test]
fn units_shoot_no_friends_and_nothing_out_of_range() {
    let alone = |_: u8, number: u16| place(i64::from(number) * 2, 0);
    let mut state = initial_state_at(1, 1, 5, alone).unwrap();
    play(&mut state, &[], 100);
    assert_eq!(state.game().shots(), 0);
    let far = |player: u8, _: u16| place(i64::from(player) * 7, 0);
    let mut state = initial_state_at(1, 2, 1, far).unwrap();
    play(&mut state, &[], 200);
    assert!(state.game().units().iter().all(|unit| unit.health == HEALTH));
}

#[test]
fn a_unit_in_front_of_a_friend_is_not_hit_by_it() {
    // Two of the first player in a row, and a foe behind: the one in front hides the other.
    let at = |player: u8, number: u16| {
        place(if player == 0 { i64::from(number) * 2 } else { 5 + i64::from(number) * 60 }, 0)
    };
    let mut state = initial_state_at(1, 2, 2, at).unwrap();
    play(&mut state, &[], 30);
    let health: Vec<u8> = state.game().units().iter().map(|unit| unit.health).collect();
    assert_eq!(health, [HEALTH, HEALTH - 1, HEALTH - 2, HEALTH], "both have hit, one was hit");
}

#[test]
fn an_attack_goes_where_its_target_is() {
    // The others of the second player are too far to help.
    let at = |player: u8, number: u16| {
        place(i64::from(player) * 60, i64::from(number) * if player == 0 { 2 } else { 40 })
    };
    let mut state = initial_state_at(1, 2, 3, at).unwrap();
    let order = Order::Attack { units: Units::of(0..3), target: 4 };
    play(&mut state, &[Issued { player: 0, order }], 60 * 20);
    assert!(state.game().units()[4].body.is_none(), "{:?}", state.game().units());
    assert!((0..3).all(|number| state.game().units()[number].goal == Goal::Stand));
}

#[test]
fn no_player_commands_the_units_of_others() {
    let mut state = initial_state(1, 2, 4).unwrap();
    let to = Place::nearest(place(0, 0));
    let foreign = Issued { player: 0, order: Order::March { units: Units::of(2..6), to } };
    let friendly = Issued { player: 1, order: Order::Attack { units: Units::of(4..6), target: 7 } };
    let unseated = Issued { player: 3, order: Order::Stop { units: Units::of(0..8) } };
    play(&mut state, &[foreign, friendly, unseated], 1);
    assert_eq!(state.game().refused(), 2 + 1 + 8);
    let moving: Vec<bool> = state.game().units().iter().map(|unit| unit.goal != Goal::Stand).collect();
    assert_eq!(moving, [false, false, true, true, false, false, false, false]);
}

#[test]
fn a_match_that_cannot_be_is_refused() {
    for (players, units) in [(0, 1), (5, 1), (1, 0), (4, 501), (1, 2_001)] {
        assert!(initial_state(1, players, units).is_err(), "{players} players, {units} units");
    }
    assert!(initial_state(1, 4, 500).is_ok());
}

/// Thousands of drawn orders of all players, most of them nonsense: the same on every run, and nothing
/// panics.
#[test]
fn drawn_orders_do_no_harm() {
    let run = || {
        let mut state = initial_state(1, 4, 12).unwrap();
        let mut report = TickReport::default();
        for tick in 0..400 {
            let mut draws = Rng::new(11).at(0, 0, tick);
            let orders: Vec<Issued> = (0..draws.below(12))
                .map(|_| {
                    let first = draws.below(50) as u16;
                    let units = Units::of(first..first + draws.below(20) as u16);
                    let to = Place { x: draws.bits() as i32, y: draws.bits() as i32 };
                    let order = match draws.below(4) {
                        0 => Order::March { units, to },
                        1 => Order::Gather { units, to },
                        2 => Order::Attack { units, target: draws.below(60) as u16 },
                        _ => Order::Stop { units },
                    };
                    Issued { player: draws.below(6) as u8, order }
                })
                .collect();
            state.tick(&orders, &mut report);
        }
        bitstep::session::Simulation::checksum(&state)
    };
    assert_eq!(run(), run());
}
