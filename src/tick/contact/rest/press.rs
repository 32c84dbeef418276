//! One contact: what a push does to the two velocities.

use crate::{
    geom::Normal,
    num::round::{div_zero, shr_nearest, shr_nearest_64},
    state::Locks,
    tick::contact::rest::{
        memory::Contact,
        rows::{DIRECTION_BITS, PUSH_MAX, STEP_BITS, added, rate},
    },
};

/// The fraction bits of a body's share in a push.
const SHARE_BITS: u32 = 31;

/// The same, over the squared length of a normal.
const LOCKED_SHARE_BITS: u32 = 92;

/// What gives way along a normal by less than this, as a squared length in 2^-60, is not pushed: all its
/// other axes are locked.
const LEAST_GIVE: i128 = 1 << 54;

/// How much of what a pair is too near is undone in a tick: half. Less would let what is
/// not quite solved wear the gap down to the skin.
const RECOVERY_SHIFT: u32 = 1;

/// A mass and its locks; `None` for what no push moves.
pub(super) type Inertia = Option<(u32, Locks)>;

/// What a push does: see the fields of [`Contact`] of the same names.
pub(super) struct Steps {
    pub direction: [i32; 3],
    pub steps: [[i32; 3]; 2],
    pub whole: i128,
    pub masses: i64,
    pub load_q16: i64,
}

/// How a push along a normal of length 2^30 is shared by the lower and the upper one, or `None` where
/// neither gives way.
///
/// **Rounding**: to nearest, halves away from zero.
pub(super) fn shares(normal: Normal, inertias: [Inertia; 2]) -> Option<Steps> {
    if inertias.iter().flatten().any(|(_, locks)| *locks != Locks::NONE) {
        return shares_of_locked(normal, inertias);
    }
    let masses = inertias.map(|inertia| inertia.map_or(1, |(mass, _)| i64::from(mass)));
    let gives = inertias.map(|inertia| i64::from(inertia.is_some()));
    let sum = gives[1] * masses[0] + gives[0] * masses[1]; // the inverse masses, times both masses
    if sum == 0 {
        return None;
    }
    let step = |which: usize| {
        let part = ((gives[which] * masses[1 - which]) << SHARE_BITS) / sum;
        normal.components().map(|c| shr_nearest_64(i64::from(c) * part, SHARE_BITS + 30 - STEP_BITS) as i32)
    };
    Some(Steps {
        direction: narrow_direction(normal),
        steps: [step(0), step(1)],
        whole: i128::from(normal.length_squared()) * i128::from(sum),
        masses: masses[0] * masses[1],
        load_q16: if gives[1] == 0 { 0 } else { (sum << 16) / masses[0] },
    })
}

/// The same where an axis of one may be locked: pushes along it move nothing.
fn shares_of_locked(normal: Normal, inertias: [Inertia; 2]) -> Option<Steps> {
    let masses = inertias.map(|inertia| inertia.map_or(1, |(mass, _)| i128::from(mass)));
    let along = inertias.map(|inertia| match inertia {
        Some((_, locks)) => [0, 1, 2].map(|i| if locks.has(i) { 0 } else { normal.components()[i] }),
        None => [0; 3],
    });
    let square = |n: [i32; 3]| n.iter().map(|&c| i128::from(c) * i128::from(c)).sum::<i128>();
    let along = along.map(|n| if square(n) < LEAST_GIVE { [0; 3] } else { n });
    let [low, high] = along.map(square);
    if low + high == 0 {
        return None;
    }
    let whole = high * masses[0] + low * masses[1];
    let step = |n: [i32; 3], other: i128| {
        let part = (other << LOCKED_SHARE_BITS) / whole;
        n.map(|c| shr_nearest(i128::from(c) * part, LOCKED_SHARE_BITS - 30 - STEP_BITS) as i32)
    };
    let load = match [low, high] {
        [_, 0] => 0,
        [0, _] => 1 << 16,
        _ => (whole << 16) / (high * masses[0]),
    };
    Some(Steps {
        direction: narrow_direction(normal),
        steps: [step(along[0], masses[1]), step(along[1], masses[0])],
        whole,
        masses: (masses[0] * masses[1]) as i64,
        load_q16: load as i64,
    })
}

pub(super) fn narrow_direction(normal: Normal) -> [i32; 3] {
    normal.components().map(|c| shr_nearest_64(c.into(), Normal::BITS - DIRECTION_BITS) as i32)
}

impl Contact {
    /// How fast the two part along the normal, in raw per tick.
    pub(super) fn rate(&self, low: [i64; 3], high: [i64; 3]) -> i64 {
        rate(self.direction, low, high)
    }

    /// What an amount of push adds to the velocity of the lower (0) or the upper one (1).
    pub(super) fn added(&self, which: usize, push: i64) -> [i64; 3] {
        added(self.steps[which], if which == 0 { -push } else { push })
    }

    /// How far the two should close in the tick, in raw: no nearer than they rest, and where they are by more
    /// than the slack, back by half of that.
    pub(super) fn wanted(&self) -> i64 {
        wanted(self.room, self.slack)
    }

    /// Changes the push by a lack as if the lower one were part of the ground and took any push, among
    /// others that add up; returns by how much it changed.
    pub(super) fn press_alone(&mut self, lack: i64, crowd_q16: i64) -> i64 {
        let load = i128::from(lack) * i128::from(self.load_q16);
        let more = div_zero(load, crowd_q16.into()); // a push has no direction
        let change = (i128::from(self.push) + more).clamp(0, PUSH_MAX.into()) as i64 - self.push;
        self.push += change;
        change
    }
}

/// How far two should close that have so much room, or are too near: then back by half of what is beyond the slack, away from zero.
const fn wanted(room: i64, slack: i64) -> i64 {
    if room >= 0 {
        return room;
    }
    let beyond = room + slack;
    if beyond >= 0 { 0 } else { beyond >> RECOVERY_SHIFT }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    /// A normal of length 2^30, within two.
    fn normal(draws: &mut crate::num::Draws) -> Normal {
        let vector = [0; 3].map(|_: i32| i128::from(draws.between(-1 << 20, 1 << 20)));
        let length = (vector.iter().map(|c| c * c).sum::<i128>() << 60).isqrt();
        Normal::from_wide(vector.map(|c| (c << 60) / length.max(1))).unwrap_or(Normal::new(1 << 30, 0, 0))
    }

    #[test]
    fn who_is_too_near_goes_back_by_half_of_what_is_beyond_the_slack() {
        for (room, without, with_50) in [
            (70, 70, 70),
            (0, 0, 0),
            (-1, -1, 0),
            (-40, -20, 0),
            (-50, -25, 0),
            (-51, -26, -1),
            (-70, -35, -10),
            (-99, -50, -25),
        ] {
            assert_eq!((wanted(room, 0), wanted(room, 50)), (without, with_50), "{room}");
        }
    }

    #[test]
    fn what_has_no_locks_shares_a_push_as_what_may_have_some() {
        for case in 0..20_000 {
            let mut draws = Rng::new(5).at(0, case, 0);
            let normal = normal(&mut draws);
            let mut inertia = || {
                let bits = draws.below(17);
                (draws.below(5) > 0).then(|| (1.max(draws.below(1 << bits)) as u32, Locks::NONE))
            };
            let inertias = [inertia(), inertia()];
            let found = shares(normal, inertias);
            let Some(exact) = shares_of_locked(normal, inertias) else {
                assert!(found.is_none());
                continue;
            };
            let found = found.unwrap();
            assert_eq!(
                (found.direction, found.masses, found.whole),
                (exact.direction, exact.masses, exact.whole)
            );
            assert_eq!(found.load_q16, exact.load_q16);
            for (step, exact) in found.steps.as_flattened().iter().zip(exact.steps.as_flattened()) {
                assert!((step - exact).abs() <= 1, "{step} {exact}");
            }
        }
    }
}
