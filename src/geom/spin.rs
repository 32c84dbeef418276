//! Torque-free rotation of a body within a tick.

use super::{
    IVec3, Inertia, Rotation, Vec3, energy_rounding::round_preserving_energy, midpoint::Midpoint, rotate_by,
};
use crate::num::{
    Scalar,
    bound::{Bound, Width},
    root::sqrt_ceil,
    round::{div_nearest, mul_shr_nearest, shr_nearest, sum_shr_nearest},
};

/// The fastest that a body is meant to turn: a quarter turn, 1.5707963 radians per tick.
pub const ANGULAR_SPEED_MAX: Scalar = Scalar::lit("1.5707963");

/// Result of a rotation over one tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreeStep {
    /// The orientation at the end of the tick.
    pub orientation: Rotation,
    /// True if the rotation was too fast for a tick: it was applied for a part of the tick only, and by at
    /// most 90°.
    pub held: bool,
}

/// The turn of a free body over one tick: its angular momentum stays as it is, to the bit.
///
/// The angular momentum is in the world's frame, in mass units times units squared per tick; the inertia is
/// about the axes that the orientation rotates.
///
/// A body that rotates about one of its principal axes, and every ball, rotates by the angle that its speed says.
/// Otherwise the path is that of the implicit midpoint rule, on which energy is exactly constant, in 1, 2 or
/// 4 equal parts of at most 23°. One with three equal moments rotates as [`rotate_by`] says. A momentum of zero
/// leaves the orientation as it is.
///
/// **Rounding**: the new orientation to nearest, as [`Rotation::from_quaternion`]; within one least bit
/// (2^-30) per component of the rule's own. Mirrored or permuted arguments give the mirrored or permuted
/// turn. **Range**: all arguments; above 90° per tick the turn is `held`. **Source**: M. Austin, P.
/// Krishnaprasad, L.-S. Wang, Almost Poisson Integration of Rigid Body Systems, 1993, section 3;
/// docs/numerics/rotation.md.
#[must_use]
pub fn free_step(orientation: Rotation, angular_momentum: Vec3, inertia: &Inertia) -> FreeStep {
    if let Some(angle) = even_angle(angular_momentum, inertia) {
        return rotate_by(orientation, angle);
    }
    match Flow::new(orientation, angular_momentum, inertia) {
        Some(flow) => flow.step(orientation),
        None => FreeStep { orientation, held: false },
    }
}

/// [`free_step`] of [`slowed_to_limit`]: the angular momentum as slowed, and the turn.
pub(crate) fn limited_step(
    orientation: Rotation,
    angular_momentum: Vec3,
    inertia: &Inertia,
) -> (Vec3, FreeStep) {
    let Some(flow) = Flow::new(orientation, angular_momentum, inertia) else {
        return (angular_momentum, FreeStep { orientation, held: false });
    };
    let kept = flow.slowed_to_limit(angular_momentum);
    let turn = match even_angle(kept, inertia) {
        Some(angle) => rotate_by(orientation, angle),
        None if kept == angular_momentum => flow.step(orientation),
        None => free_step(orientation, kept, inertia),
    };
    (kept, turn)
}

/// The rotation vector per tick, in the world's frame, if the body's moments are equal about all axes and the
/// angle fits. It does not depend on the orientation.
fn even_angle(angular_momentum: Vec3, inertia: &Inertia) -> Option<Vec3> {
    let [one, other, third] = inertia.reciprocals();
    // In raw an angle is 2^64 L / I, and one over I is the mantissa over 2^shift.
    let bits = one.shift.checked_sub(64)?;
    if one != other || one != third || bits == 0 {
        return None;
    }
    let raw = angular_momentum.raw();
    let angle = raw.map(|part| sum_shr_nearest(i128::from(part) * i128::from(one.mantissa), bits));
    let fits = angle.iter().all(|part| part.abs() >> 62 == 0);
    fits.then(|| Vec3::from_raw(angle.map(|part| part as i64)))
}

/// The angular velocity of a body in the world's frame, in radians per tick; `None` where it is above
/// 2^14, or so flat in one axis that a part of it may be.
///
/// **Rounding**: to nearest after the momentum was turned into the body's frame with 60 bits and back;
/// within one raw per component.
#[must_use]
pub fn angular_velocity_nearest(
    orientation: Rotation,
    angular_momentum: Vec3,
    inertia: &Inertia,
) -> Option<Vec3> {
    let Some(flow) = Flow::new(orientation, angular_momentum, inertia) else { return Some(Vec3::ZERO) };
    if flow.slowed > 0 {
        return None;
    }
    let (rows, square) = (orientation.matrix_q60(), i128::from(orientation.length_squared()));
    let speeds = flow.speeds_q46();
    let speed = |row: IVec3<i64>| shr_nearest(div_nearest(row.dot(speeds), square), RATE_BITS - 32) as i64;
    Some(Vec3::from_raw(rows.map(speed)))
}

/// The angular momentum, shortened so that the body rotates by no more than [`ANGULAR_SPEED_MAX`].
///
/// **Rounding**: toward zero; what is slow enough stays as it is, what is not loses up to a part in
/// 2^28 more than it must.
#[must_use]
pub fn slowed_to_limit(orientation: Rotation, angular_momentum: Vec3, inertia: &Inertia) -> Vec3 {
    let flow = Flow::new(orientation, angular_momentum, inertia);
    flow.map_or(angular_momentum, |flow| flow.slowed_to_limit(angular_momentum))
}

/// The fraction bits of angular speeds.
const RATE_BITS: u32 = 46;
/// The bits that a rate has at most: 2^15 radians per tick.
const RATE_SIZE: i32 = 61;
/// The square of .4 radians with 92 fraction bits: what one part of a tick may turn by.
const PART_SQUARED_Q92: u128 = (4 << 92) / 25;
/// A tick has at most 2^2 parts.
const PARTS_LOG_MAX: u32 = 2;

pub(super) const WIDTH: Width = Width {
    number: "`rate * momentum^2`, twice the energy of a free body in its frame",
    bound: Bound::power(RATE_SIZE as u32).dot(Bound::power(Midpoint::BITS)),
    held_in: 128,
};
const _: () = WIDTH.check();

/// A free body in its own frame.
struct Flow {
    /// Its angular momentum, brought to a length between 1/4 and 1, with 60 fraction bits.
    momentum: IVec3<i64>,
    /// Angular speed about each axis per momentum of 1, in radians per tick with 46 fraction bits.
    rates: IVec3<i64>,
    /// Rates are this many times halved, so that they fit.
    slowed: u32,
}

impl Flow {
    /// `None` where it does not rotate.
    fn new(orientation: Rotation, angular_momentum: Vec3, inertia: &Inertia) -> Option<Self> {
        let raw = angular_momentum.raw();
        let most = raw.iter().map(|part| part.unsigned_abs()).max()?;
        if most == 0 {
            return None;
        }
        let bits = (64 - most.leading_zeros()) as i32; // up to 64, of the least i64
        let direction = IVec3(raw).map(|part| sum_shr_nearest(i128::from(part) << (64 - bits), 5));
        let rows = orientation.matrix_q60();
        // By what the matrix is too long, 1 + e with e below 2^-26: 1 / (1 + e) is 1 - e + e^2.
        let excess = orientation.length_squared() - (1 << 60);
        let longer = (1 << 60) - excess + mul_shr_nearest(excess, excess, 60);
        let momentum = IVec3::from_fn(|axis| {
            let along = IVec3([rows[0][axis], rows[1][axis], rows[2][axis]]).dot(direction);
            mul_shr_nearest(sum_shr_nearest(along, 60) as i64, longer, 60)
        });
        // Momentum in raw is 2^(bits + 1) times what it is brought to; a moment is in 2^-64 and a momentum in
        // 2^-32: the rate with 46 fraction bits is 2^(bits + 79) / moment.
        let shifts = inertia.reciprocals().map(|one| one.shift as i32 - bits - 79);
        let [a, b, c] = shifts;
        let slowed = (63 - RATE_SIZE - a.min(b).min(c)).max(0);
        let rates = IVec3::from_fn(|axis| {
            let shift = (shifts[axis] + slowed).unsigned_abs();
            let mantissa = inertia.reciprocals()[axis].mantissa;
            if shift > 64 { 0 } else { shr_nearest(mantissa.into(), shift) as i64 }
        });
        Some(Self { momentum, rates, slowed: slowed.unsigned_abs() })
    }

    /// The turn over one tick.
    fn step(&self, orientation: Rotation) -> FreeStep {
        let (mut halvings, parts) = self.parts();
        let mut held = self.slowed > 0 || halvings > PARTS_LOG_MAX;
        loop {
            let turned = self.turned(orientation, halvings, parts);
            if turned.is_within_a_quarter(orientation) {
                return FreeStep { orientation: turned, held };
            }
            (halvings, held) = (halvings + 1, true);
        }
    }

    /// The angular momentum that the flow is of, shortened as [`slowed_to_limit`] says.
    fn slowed_to_limit(&self, angular_momentum: Vec3) -> Vec3 {
        const LIMIT: i128 = (ANGULAR_SPEED_MAX.to_bits() as i128) << (RATE_BITS - 32);
        let square = self.speed_squared_q92();
        if self.slowed == 0 && square <= (LIMIT * LIMIT) as u128 {
            return angular_momentum;
        }
        // Below 2^62: the quotient keeps 30 bits, and a slowed flow is as many times faster.
        let factor = (LIMIT << 30) / sqrt_ceil(square) as i128;
        angular_momentum.map_raw(|raw| {
            let part = i128::from(raw) * factor / (1 << 30);
            (if self.slowed < 64 { part / (1 << self.slowed) } else { 0 }) as i64
        })
    }

    /// The angular speed about each axis.
    fn speeds_q46(&self) -> IVec3<i64> {
        self.rates.zip(self.momentum, |rate, part| mul_shr_nearest(rate, part, Midpoint::BITS))
    }

    fn speed_squared_q92(&self) -> u128 {
        self.speeds_q46().length_squared()
    }

    /// Number of halvings of the tick after which a part rotates little enough, and number of parts to
    /// rotate.
    fn parts(&self) -> (u32, u32) {
        let speed_squared = self.speed_squared_q92();
        let mut halvings = 0;
        while speed_squared >> (2 * halvings) > PART_SQUARED_Q92 {
            halvings += 1;
        }
        (halvings, 1 << halvings.min(PARTS_LOG_MAX))
    }

    /// The orientation after so many parts of the tick.
    fn turned(&self, orientation: Rotation, halvings: u32, parts: u32) -> Rotation {
        let mut at =
            orientation.components().map(|part| i64::from(part) << (Midpoint::BITS - Rotation::BITS));
        let mut momentum = self.momentum;
        for _ in 0..parts {
            let step = Midpoint::new(momentum, self.rates, halvings);
            at = step.turn(at);
            momentum = step.end();
        }
        // Twice the energy, and what once the energy changes by as the body is turned about each of its axes.
        let (IVec3([x, y, z]), IVec3([a, b, c])) = (momentum, self.rates);
        let product = |p: i64, q: i64| i128::from(mul_shr_nearest(p, q, Midpoint::BITS));
        let wide = |rate: i64, p: i64, q: i64| i128::from(rate) * product(p, q);
        let energy = (wide(a, x, x) + wide(b, y, y) + wide(c, z, z)) >> 32;
        let pull = IVec3([wide(b - c, y, z), wide(c - a, z, x), wide(a - b, x, y)]);
        round_preserving_energy(at, pull.map(|pull| sum_shr_nearest(pull, 32)), energy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{Rng, lit};

    /// A brick whose parts of a tick would rotate too much rotates less, and says so; its rates fit. Of four
    /// parts each rotates by at most .4.
    #[test]
    fn a_brick_that_turns_too_much_is_held() {
        let brick = Inertia::new([13 << 64, 10 << 64, 5 << 64]).unwrap();
        let about_z = |angle: Scalar| Vec3::from_raw([0, 0, 5 * angle.to_bits()]);
        for (angle, is_held) in [("1.5", false), ("1.58", true), ("1.601", true), ("3", true)] {
            let momentum = about_z(lit(angle));
            assert_eq!(Flow::new(Rotation::IDENTITY, momentum, &brick).unwrap().slowed, 0);
            let turn = free_step(Rotation::IDENTITY, momentum, &brick);
            assert_eq!(turn.held, is_held, "{angle}");
        }
    }

    #[test]
    fn a_mirrored_momentum_is_the_image_to_the_last_of_sixty_bits() {
        let inertia = Inertia::new([13 << 64, 10 << 64, 5 << 64]).unwrap();
        let at = Rotation::from_quaternion(lit("0.3"), lit("0.5"), lit("-0.7"), lit("0.2")).unwrap();
        for case in 0..200 {
            let mut draws = Rng::new(6).at(0, 0, case);
            let raw = [(); 3].map(|()| draws.between(-(1 << 62), 1 << 62));
            let momentum = |at, raw| Flow::new(at, Vec3::from_raw(raw), &inertia).unwrap().momentum;
            let IVec3([x, y, z]) = momentum(at, raw);
            // A mirror of the first axis turns round what rotates about the others.
            let [w, a, b, c] = at.components();
            let mirrored = Rotation::from_components([w, a, -b, -c]).unwrap();
            assert_eq!(momentum(mirrored, [raw[0], -raw[1], -raw[2]]), IVec3([x, -y, -z]));
            assert_eq!(momentum(at, raw.map(|part| -part)), IVec3([-x, -y, -z]));
        }
    }
}
