//! A player that attacks, for people to play against: every two seconds some of its units that stand go for the nearest foe, or
//! around it.

use std::cmp::Reverse;

use bitstep::{
    geom::Vec3,
    num::Rng,
    session::{Session, Simulation},
};

use crate::{Order, Place, Rts, TICK_RATE, Units};

/// The purpose of the draws here; the game and the script have their own.
const DRAW: u64 = 101;
/// Number of ticks between two orders.
const ORDER_EVERY: u64 = 2 * TICK_RATE as u64;
/// Largest number of units in a band: a sixth of an army, so that several are under way.
const BAND_MAX: usize = 90;
/// Distance by which a band goes around its target, along each axis, in raw.
const DETOUR: i64 = 14 << 32;

/// A unit that is left, with its position.
type Standing = (u16, Vec3);

/// The orders of a player who sees this state.
#[must_use]
pub fn opponent(seat: u8, state: &Session<Rts>) -> Vec<Order> {
    let tick = state.tick_count();
    if tick % ORDER_EVERY != u64::from(seat) {
        return Vec::new();
    }
    let mut draws = Rng::new(state.seed()).at(DRAW, seat.into(), tick);
    let mut own = standing(state, |player, is_idle| player == seat && is_idle);
    let foes = standing(state, |player, _| player != seat);
    let Some(&(_, leader)) = own.get(draws.below(own.len().max(1) as u64) as usize) else {
        return Vec::new();
    };
    let Some(&(target, there)) = foes.iter().min_by_key(|foe| distance(leader, foe)) else {
        return Vec::new();
    };
    own.sort_by_key(|unit| distance(leader, unit));
    own.truncate(BAND_MAX);
    let units = Units::of(own.iter().map(|&(number, _)| number));
    if draws.below(3) > 0 {
        return vec![Order::Attack { units, target }];
    }
    let mut around = |middle: i64| middle + if draws.below(2) == 0 { DETOUR } else { -DETOUR };
    let [x, y, _] = there.raw();
    vec![Order::March { units, to: Place::nearest(Vec3::from_raw([around(x), around(y), 0])) }]
}

/// The units that are left, of the players and with the leisure that are asked for.
fn standing(state: &Session<Rts>, is_asked: impl Fn(u8, bool) -> bool) -> Vec<Standing> {
    let numbered = (0..=u16::MAX).zip(state.game().units());
    let asked = numbered.filter(|(_, unit)| is_asked(unit.player, unit.goal.is_done()));
    asked.filter_map(|(number, unit)| Some((number, state.world().body(unit.body?)?.position))).collect()
}

/// The squared distance from a point to a unit, and its number: no two units are equally near, whatever the order of a list.
fn distance(from: Vec3, &(number, there): &Standing) -> (u128, Reverse<u16>) {
    ((there - from).length_squared_wide(), Reverse(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FIELD, initial_state};

    #[test]
    fn orders_are_of_own_units_that_stand_and_the_same_again() {
        let mut state = initial_state(3, 2, 300).unwrap();
        let (mut attacks, mut marches) = (0, 0);
        for _ in 0..60 * ORDER_EVERY {
            let mut issued = Vec::new();
            for player in [0, 1] {
                let orders = opponent(player, &state);
                assert_eq!(orders, opponent(player, &state.clone()));
                for order in &orders {
                    let units: Vec<u16> = order.units().numbers().collect();
                    assert!((1..=BAND_MAX).contains(&units.len()));
                    let all = state.game().units();
                    assert!(units.iter().all(|&unit| all[usize::from(unit)].player == player));
                    assert!(units.iter().all(|&unit| all[usize::from(unit)].goal.is_done()));
                    match order {
                        Order::Attack { target, .. } => {
                            assert_ne!(all[usize::from(*target)].player, player);
                            attacks += 1;
                        }
                        Order::March { to, .. } => {
                            assert!(to.point().raw().iter().all(|raw| raw.abs() <= FIELD.to_bits()));
                            marches += 1;
                        }
                        _ => panic!("{order:?}"),
                    }
                }
                issued.extend(orders.into_iter().map(|order| crate::Issued { player, order }));
            }
            state.tick(&issued, &mut bitstep::tick::TickReport::default());
        }
        assert!(attacks > marches && marches > 10, "{attacks} {marches}");
        assert_eq!(state.game().refused(), 0);
    }
}
