//! The units of an island, and what its rows and bodies are in them.

use super::{
    Grip, Gripped, Held, NARROW_BITS, RATE_BITS, Row,
    crowd::GRAM_BITS,
    row::{MORE_BITS, round},
};
use crate::{
    num::round::{div_nearest, shr_nearest_64},
    tick::contact::rest::grip_rows::{Crowd, GripScale, Point, Quick, Sway},
};

/// The bits of the largest velocity that is asked for, in units.
const ASKED_BITS: i32 = 22;

/// A unit is no smaller than 2^-8 raw.
const UNIT_LEAST: i32 = -8;

/// The bits of the largest push, in units.
pub(super) const PUSH_BITS: i32 = 29;

/// How many rows of a body may have pushes as large as that, as a power of two; where there are more, pushes are
/// cut to less.
pub(super) const CROWD_BITS: u32 = 10;

/// The bits of weights, of which a step takes the highest.
pub(super) const WEIGHT_BITS: u32 = 9;

/// Velocities by the quick way have at most 30 bits less these.
const LESS_BITS: u32 = 2;

impl GripScale {
    /// A velocity in units.
    pub(super) fn rate(&self, raw: i64) -> i64 {
        scaled(raw, self.unit)
    }

    /// A push, as the velocity that it takes from two that do not turn, in units of pushes.
    fn push(&self, raw: i64, mass: [i64; 2]) -> i32 {
        // The mass that both oppose to being pushed apart is the first over the second.
        let wide = i128::from(raw) * i128::from(mass[0]);
        let found = match self.push - self.unit {
            bits @ ..=0 => div_nearest(wide, i128::from(mass[1]) << -bits.max(-40)),
            bits => div_nearest(wide << bits.min(40), mass[1].into()),
        };
        found.clamp(-(1 << PUSH_BITS), 1 << PUSH_BITS) as i32
    }

    fn push_raw(&self, push: i64, mass: [i64; 2]) -> i64 {
        let wide = i128::from(push) * i128::from(mass[1]);
        let found = match self.push - self.unit {
            bits @ ..=0 => div_nearest(wide << -bits.max(-40), mass[0].into()),
            bits => div_nearest(wide, i128::from(mass[0]) << bits.min(40)),
        };
        found.clamp(-1 << 61, 1 << 61) as i64
    }
}

impl Grip {
    /// Chooses the units, and sets up rows and bodies in them.
    pub(super) fn gather(&mut self, solved: i64) {
        self.scale = scale_of(&self.points, &self.held);
        let Self { held, points, rows, bodies, crowds, scale, .. } = self;
        bodies.clear();
        bodies.extend(held.iter().map(|held| Gripped::of(held, scale)));
        crowds.clear();
        crowds.resize(held.len(), Crowd::default());
        rows.clear();
        let cut = |raw: i64| scale.rate(raw).clamp(-1 << RATE_BITS, 1 << RATE_BITS);
        for point in &*points {
            let mass = masses(point.sides, held);
            let excess = cut(point.excess);
            let normal = point.normal.map(i64::from);
            let slip = if point.friction_q16 == 0 { [0; 3] } else { point.slip.map(cut) };
            let push = i64::from(scale.push(point.push, mass)).max(0);
            let row = Row {
                sides: point.sides,
                level: point.level,
                normal: point.normal,
                columns: point.levers.map(|by| [0, 1, 2].map(|j| by.map(|axis| axis[j]))),
                friction_q16: point.friction_q16,
                bias: [0, 1, 2].map(|i: usize| normal[i] * excess + (slip[i] << NARROW_BITS)),
                push: [0, 1, 2].map(|i: usize| {
                    round(normal[i] * push, NARROW_BITS) as i32 + scale.push(point.grip[i], mass)
                }),
                is_round: point.levers.iter().all(|by| (0..3).all(|axis| by[axis][axis] == 0)),
                ..Row::default()
            };
            let row = Row { mobility: row.find_mobility(held), ..row };
            for (side, columns) in row.sides.into_iter().zip(row.columns) {
                if side != 0 {
                    crowds[side as usize].add_row(&row, columns);
                }
            }
            rows.push(row);
        }
        let most_rows = crowds.iter().skip(1).map(|crowd| crowd.rows).fold(1, u32::max).ilog2();
        self.push_max = (1 << PUSH_BITS) >> most_rows.saturating_sub(CROWD_BITS);
        self.weigh(solved);
        self.start_sums();
    }

    /// Finds how long a step each row may take. That of one row alone, which takes what its pushes move, would be one over its
    /// mobility; where rows add up at a body it is one part of that.
    fn weigh(&mut self, solved: i64) {
        let Self { held, rows, crowds, scale, .. } = self;
        for crowd in crowds.iter_mut().skip(1) {
            crowd.most = crowd.find_most();
        }
        let solved = scale.rate(solved).max(1);
        for row in rows {
            let [mass, parts] = masses(row.sides, held).map(i128::from);
            let crowd = |i: usize| match held[row.sides[i] as usize].mass {
                0 => 0,
                own => i128::from(crowds[row.sides[i] as usize].most) * mass / (i128::from(own) * parts),
            };
            let crowd = (crowd(0) + crowd(1)).max(1 << GRAM_BITS);
            // How much of an impulse, in 2^-60, stops a unit of velocity along the normal, and across it.
            let whole = row.mobility.map(|mobility| {
                ((mass << (60 + 2 * GRAM_BITS)) / (crowd * parts * i128::from(mobility))).max(1)
            });
            let less = (128 - whole[0].max(whole[1]).leading_zeros()) as i32 - WEIGHT_BITS as i32;
            let shift = 60 + NARROW_BITS as i32 - scale.push - less;
            let [along, across] = whole.map(|whole| (whole >> less) as i32);
            (row.weight, row.more) = (across, along - across);
            row.shift = shift.clamp(MORE_BITS as i32 + 1, 62) as u32;
            // Pushes are below 2^30: what is more is as good as all.
            let near = (i128::from(solved << NARROW_BITS) * i128::from(along.min(across))) >> row.shift;
            row.near = near.clamp(0, 1 << 40) as i64;
        }
    }

    /// Adds up what the pushes do that there are at the beginning; these are in the velocities, so nothing yet.
    fn start_sums(&mut self) {
        self.sways.clear();
        self.sways.resize(self.bodies.len(), Sway::default());
    }

    /// Hands the pushes to the points.
    pub(super) fn hand_back(&mut self) {
        let Self { held, points, rows, scale, .. } = self;
        for (point, row) in points.iter_mut().zip(rows) {
            let mass = masses(point.sides, held);
            let push = row.push.map(i64::from);
            let n = point.normal.map(i64::from);
            let along = super::nearest(super::dot(n, push), NARROW_BITS);
            point.push = scale.push_raw(along, mass).max(0);
            if point.friction_q16 == 0 {
                point.grip = [0; 3];
                continue;
            }
            point.grip =
                [0, 1, 2].map(|i: usize| scale.push_raw(push[i] - round(n[i] * along, NARROW_BITS), mass));
        }
    }
}

impl Gripped {
    pub(super) fn of(held: &Held, scale: &GripScale) -> Self {
        let drift = held.drift.map(|drift| scale.rate(drift));
        if held.mass == 0 {
            return Self { drift, shift: 1, ..Self::default() };
        }
        let bits = held.mass.ilog2();
        let inverse = (1_i64 << (30 + bits)) / i64::from(held.mass);
        let shift = (30 + bits as i32 + scale.push).clamp(1, 90) as u32;
        let quick = quick(inverse, shift, held.locked);
        Self { inverse, shift, quick, locked: held.locked, drift, ..Self::default() }
    }
}

/// How sums of pushes that come to at most 2^28 units are multiplied by `inverse / 2^shift`; `inverse` is at most
/// 2^30.
fn quick(inverse: i64, shift: u32, locked: [bool; 3]) -> Option<Quick> {
    if !(LESS_BITS..=u64::BITS - NARROW_BITS).contains(&shift) {
        return None;
    }
    let shifts = [shift, shift + NARROW_BITS];
    // The factor takes what it has room for, up to 2^61; what is below its bound stays within 62 bits.
    let factor_up = shifts.map(|shift| (u64::BITS - shift).min(31));
    Some(Quick {
        up: [0, 1].map(|i: usize| u64::BITS - shifts[i] - factor_up[i]),
        factor: [0, 1, 2, 3, 4, 5].map(|i: usize| match locked.get(i) {
            Some(true) => 0,
            _ => inverse << factor_up[i / 3],
        }),
        below: shifts.map(|shift| 1 << (shift - LESS_BITS)),
    })
}

/// The mass that two oppose to being pushed apart if they do not turn: the first number over the second.
pub(super) fn masses(sides: [u32; 2], held: &[Held]) -> [i64; 2] {
    match sides.map(|side| i64::from(held[side as usize].mass)) {
        [0, 0] => [1, 1],
        [0, mass] | [mass, 0] => [mass, 1],
        [a, b] => [a * b, a + b],
    }
}

/// The units in which all that is asked for fits, and all pushes that the weights and speeds of an island call for.
fn scale_of(points: &[Point], held: &[Held]) -> GripScale {
    let bits = |number: u64| (u64::BITS - number.leading_zeros()) as i32;
    let (mut asked, mut pushed) = (0, 0);
    for point in points {
        let slip = point.slip.map(i64::unsigned_abs).into_iter().fold(0, u64::max);
        asked |= point.excess.unsigned_abs() | if point.friction_q16 == 0 { 0 } else { slip };
        let grip = point.grip.map(i64::unsigned_abs).into_iter().fold(point.push.unsigned_abs(), u64::max);
        let [mass, parts] = masses(point.sides, held);
        // In raw, of whole masses.
        pushed |= (u128::from(grip) * mass as u128 / parts as u128).min(u128::from(u64::MAX)) as u64;
    }
    let unit = (bits(asked) - ASKED_BITS).max(UNIT_LEAST);
    let total = held.iter().map(|held| u64::from(held.mass)).sum::<u64>();
    let weight = bits(total) + bits(asked) + 2;
    // A push of a raw is `2^(push - unit)` units.
    let push = PUSH_BITS + unit - weight.max(bits(pushed) + 2);
    GripScale { unit, push: push.clamp(-28, 8) }
}

/// A number with so many bits less, or more where that is negative; to nearest, symmetric in sign.
pub(super) fn scaled(number: i64, bits: i32) -> i64 {
    match bits {
        0 => number,
        1.. => shr_nearest_64(number.clamp(-1 << 61, 1 << 61), bits as u32),
        _ => number.clamp(-1 << 45, 1 << 45) << -bits,
    }
}
