//! What strikes do, by hand and by law.

mod hand;
mod laws;
mod limits;
mod meeting;
mod symmetry;

use super::{FINE_BITS, IMPULSE_MAX, SHARE_BITS, UNIT_BITS, begin, find_impulses, stiffness};
use crate::{
    geom::Vec3,
    num::root::sqrt_floor,
    tick::{
        bodies::levers::{LEVER_BITS, levers},
        contact::strike::memory::{Party, Strike},
    },
};

const ONE: i32 = 1 << LEVER_BITS;
const WORLD: [[i32; 3]; 3] = [[ONE, 0, 0], [0, ONE, 0], [0, 0, ONE]];

/// What no impulse moves.
fn ground() -> Party {
    Party::default()
}

fn body(mass: u32, velocity: [i64; 3], turning: [i64; 3]) -> Party {
    Party { mass, velocity, turning, ..Party::default() }
}

/// The radii of gyration of a solid box.
fn gyration_of_box(half: [i64; 3]) -> [i64; 3] {
    let square = |i: usize| (half[i % 3] as u128).pow(2);
    [0, 1, 2].map(|k| sqrt_floor((square(k + 1) + square(k + 2)) / 3) as i64)
}

/// The radii of gyration of a solid ball.
fn gyration_of_ball(radius: i64) -> [i64; 3] {
    [sqrt_floor((radius as u128).pow(2) * 2 / 5) as i64; 3]
}

/// The ground (0) is struck by a body (1) at a point of it, from above.
fn on_ground(gyration: [i64; 3], arm: [i64; 3]) -> Strike {
    Strike {
        sides: [0, 1],
        normal: [0, 0, ONE],
        levers: [[[0; 3]; 3], levers(WORLD, gyration, Vec3::from_raw(arm))],
        ..Strike::default()
    }
}

/// Velocities and turnings after impulses, in raw times the mass and 2^30.
fn after(strikes: &[Strike], parties: &[Party], index: u32) -> [[i128; 3]; 2] {
    let party = &parties[index as usize];
    let mass = i128::from(party.mass.max(1)) << LEVER_BITS;
    let mut found = [party.velocity, party.turning].map(|part| part.map(|c| i128::from(c) * mass));
    for strike in strikes {
        for (which, sign) in [(0, -1), (1, 1)] {
            if strike.sides[which] == index && party.mass > 0 {
                let impulse = strike.impulse.raw().map(|c| sign * i128::from(c));
                for i in (0..3).filter(|&i| !party.locks.has(i)) {
                    found[0][i] += impulse[i] << LEVER_BITS;
                }
                for (turning, row) in found[1].iter_mut().zip(&strike.levers[which]) {
                    *turning += (0..3).map(|i| i128::from(row[i]) * impulse[i]).sum::<i128>();
                }
            }
        }
    }
    found
}

/// The same in raw, rounded down.
fn after_raw(strikes: &[Strike], parties: &[Party], index: u32) -> [[i64; 3]; 2] {
    let mass = i128::from(parties[index as usize].mass.max(1)) << LEVER_BITS;
    after(strikes, parties, index).map(|part| part.map(|c| c.div_euclid(mass) as i64))
}

fn assert_near(found: [i64; 3], expected: [i64; 3], raw: i64, what: &str) {
    let near = (0..3).all(|i| (found[i] - expected[i]).abs() <= raw);
    assert!(near, "{what}: {found:?} instead of {expected:?}");
}
