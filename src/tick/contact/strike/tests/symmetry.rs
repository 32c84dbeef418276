//! Mirrors, other orders of axes, of strikes and of bodies.

use super::{laws::group, *};
use crate::state::Locks;

fn impulses(strikes: &[Strike]) -> Vec<[i64; 3]> {
    strikes.iter().map(|strike| strike.impulse.raw()).collect()
}

fn found(mut strikes: Vec<Strike>, mut parties: Vec<Party>) -> Vec<[i64; 3]> {
    find_impulses(&mut strikes, &mut parties);
    impulses(&strikes)
}

#[test]
fn a_mirrored_group_takes_mirrored_impulses() {
    for case in 0..600 {
        let (mut strikes, mut parties) = group(case);
        let plain = found(strikes.clone(), parties.clone());
        for party in &mut parties {
            party.velocity[1] *= -1;
            party.turning = party.turning.map(|c| -c);
        }
        for strike in &mut strikes {
            strike.normal[1] *= -1;
            // Turning is the other way round in a mirror.
            strike.levers = strike.levers.map(|levers| levers.map(|[x, y, z]| [-x, y, -z]));
        }
        let mirrored = found(strikes, parties);
        assert_eq!(mirrored, plain.iter().map(|&[x, y, z]| [x, -y, z]).collect::<Vec<_>>(), "{case}");
    }
}

#[test]
fn axes_in_another_order_permute_the_impulses() {
    for case in 0..600 {
        let (mut strikes, mut parties) = group(case);
        let plain = found(strikes.clone(), parties.clone());
        for party in &mut parties {
            let locks = [Locks::X, Locks::Y, Locks::Z];
            let has = [party.locks.has(0), party.locks.has(1), party.locks.has(2)];
            party.locks = Locks::NONE;
            for i in (0..3).filter(|&i| has[i]) {
                party.locks = party.locks.and(locks[(i + 1) % 3]);
            }
            party.velocity.rotate_right(1);
            party.turning.rotate_right(1);
        }
        for strike in &mut strikes {
            strike.normal.rotate_right(1);
            for levers in &mut strike.levers {
                levers.rotate_right(1);
                levers.iter_mut().for_each(|row| row.rotate_right(1));
            }
        }
        let turned = found(strikes, parties);
        assert_eq!(turned, plain.iter().map(|&[x, y, z]| [z, x, y]).collect::<Vec<_>>(), "{case}");
    }
}

#[test]
fn no_order_of_strikes_or_bodies_matters() {
    for case in 0..600 {
        let (strikes, parties) = group(case);
        let plain = found(strikes.clone(), parties.clone());
        let last = parties.len() as u32 - 1;
        let place = |side: u32| if side == 0 { 0 } else { last + 1 - side };
        let mut backwards: Vec<Strike> = strikes.iter().rev().copied().collect();
        for strike in &mut backwards {
            strike.sides = strike.sides.map(place);
        }
        let mut others = parties.clone();
        others[1..].reverse();
        let mut back = found(backwards, others);
        back.reverse();
        assert_eq!(back, plain, "{case}");
        // A is B from the other side.
        let swapped = strikes.iter().map(|strike| {
            let ([a, b], [c, d]) = (strike.sides, strike.levers);
            Strike { sides: [b, a], levers: [d, c], normal: strike.normal.map(|c| -c), ..*strike }
        });
        let back = found(swapped.collect(), parties);
        assert_eq!(back, plain.iter().map(|one| one.map(|c| -c)).collect::<Vec<_>>(), "{case}");
    }
}
