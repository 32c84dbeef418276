//! The turning part of a mover.

use crate::state::Locks;
use crate::{
    geom::{
        ANGULAR_MOMENTUM_MAX, ANGULAR_SPEED_MAX, Inertia, Rotation, Turning, Vec3, along_own_axes,
        slowed_to_limit, turn_by, turn_free,
    },
    num::{
        Toi,
        root::sqrt_ceil,
        round::{div_nearest, div_zero, shr_nearest},
    },
    shape::Shape,
};

/// The fraction bits of the axes of a body.
const AXIS_BITS: u32 = 30;

/// The largest angular momentum that an impulse makes, in raw: far more than any body keeps.
const MOMENTUM_MAX: i128 = 1 << 62;

/// How a mover turns in a tick: to its orientation what a path is to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spinner {
    /// Its mass.
    pub mass: u32,
    /// The axes of its own about which it does not turn.
    pub locks: Locks,
    /// Its angular momentum at the end of the tick if nothing else happens; of a body with locks, where its path begins.
    pub angular_momentum: Vec3,
    /// How it turns from where its mover's path begins.
    pub turning: Turning,
    /// How it resists being turned, about its own axes.
    pub inertia: Inertia,
    /// The radii of gyration about its own axes, in raw: the roots of its moments over its mass.
    pub gyration: [i64; 3],
    /// Whether it is a set of shapes.
    pub is_set: bool,
    /// The solid in the world's axes where the path begins; of a set of shapes a box that holds all parts.
    pub form: Shape,
    /// Its own axes in the world's there, with 30 fraction bits; of a ball without locks the world's.
    pub axes: [[i32; 3]; 3],
    /// How many turns it has been given in the tick.
    pub turns: u32,
    /// Whether it turns less than its momentum says, and is to lose what it does not turn with.
    pub is_slowed: bool,
}

impl Spinner {
    /// The orientation where the path begins.
    pub fn orientation(&self) -> Rotation {
        self.turning.at(Toi::START)
    }

    /// The orientation when some of the tick has passed since the path began.
    pub fn orientation_after(&self, passed: Toi) -> Rotation {
        self.turning.at(passed)
    }

    /// Whether the solid looks otherwise later in the tick.
    pub fn changes_form(&self) -> bool {
        !matches!(self.form, Shape::Sphere { .. }) && !self.turning.is_still()
    }

    /// Whether its sweeps must know how it is turned.
    pub fn is_swept(&self) -> bool {
        self.is_set || self.changes_form()
    }

    /// The rest of the turn when some of the tick has passed since the path began.
    pub fn bring(&mut self, passed: Toi, shape: &Shape) {
        if passed > Toi::START {
            let before = self.orientation();
            self.turning = self.turning.rest(passed);
            let orientation = self.orientation();
            (self.form, self.axes) = (shape.turned(orientation), axes_of(shape, self.locks, orientation));
            if self.locks.locks_turning() {
                // What holds its axes turns the angular momentum with the body.
                let keeps = self.locks.free_turns();
                self.angular_momentum = along_own_axes(self.angular_momentum, keeps, before, orientation);
            }
        }
    }

    /// Takes out of the angular momentum what it has about axes that are locked.
    pub fn take_locked(&mut self) {
        if self.locks.locks_turning() {
            let (keeps, now) = (self.locks.free_turns(), self.orientation());
            self.angular_momentum = along_own_axes(self.angular_momentum, keeps, now, now);
        }
    }

    /// Scales the angular momentum down to what a state may have; returns whether it was more. **Rounding**: toward zero.
    pub fn keep_to_limit(&mut self) -> bool {
        let limit = ANGULAR_MOMENTUM_MAX.x;
        if self.angular_momentum.within(limit) {
            return false;
        }
        let most = self.angular_momentum.raw().into_iter().map(i64::unsigned_abs).fold(1, u64::max);
        let part = |raw: i64| div_zero(i128::from(raw) * i128::from(limit.to_bits()), most.into()) as i64;
        self.angular_momentum = self.angular_momentum.map_raw(part);
        true
    }

    /// Puts the body down as an orientation says.
    pub fn put(&mut self, orientation: Rotation, shape: &Shape) {
        self.turning = Turning::still(orientation);
        (self.form, self.axes) = (shape.turned(orientation), axes_of(shape, self.locks, orientation));
    }

    /// Lets it turn on as its angular momentum says; returns whether that was too much and is cut to the limit.
    pub fn turn_free(&mut self) -> bool {
        let (orientation, before) = (self.orientation(), self.angular_momentum);
        self.turns += 1;
        self.is_slowed = false;
        if before == Vec3::ZERO {
            self.turning = Turning::still(orientation);
            return false;
        }
        if self.locks.locks_turning() {
            return self.turn_about_free_axes();
        }
        self.angular_momentum = slowed_to_limit(orientation, before, &self.inertia);
        let turn = turn_free(orientation, self.angular_momentum, &self.inertia);
        self.turning = turning_to(orientation, turn.orientation);
        self.angular_momentum != before
    }

    /// Lets a body with locks turn on: without anything that could lean, its axis stands still in it and in the world.
    fn turn_about_free_axes(&mut self) -> bool {
        let (orientation, most) = (self.orientation(), i128::from(ANGULAR_SPEED_MAX.to_bits()));
        let mut length = self.length_of_angle();
        let is_fast = length > most;
        while length > most {
            let slower = |raw: i64| div_zero(i128::from(raw) * most, length) as i64;
            self.angular_momentum = self.angular_momentum.map_raw(slower);
            length = self.length_of_angle();
        }
        let angle = self.angle_of(self.spin());
        self.turning = turning_to(orientation, turn_by(orientation, angle).orientation);
        is_fast
    }

    /// Lets it turn on about an axis that stands still.
    pub fn turn_by(&mut self, spin: [i64; 3]) {
        let orientation = self.orientation();
        self.turns += 1;
        self.turning = turning_to(orientation, turn_by(orientation, self.angle_of(spin)).orientation);
    }

    /// Lets it turn no more in this tick.
    pub fn stand_still(&mut self) {
        self.turning = Turning::still(self.orientation());
        self.turns += 1;
    }

    /// Lets it turn on more slowly: by less than a part of what it would in the rest of the tick.
    pub fn slow_down(&mut self, shift: u32) {
        let part = Toi::from_raw(self.turning.remaining().raw() >> shift).unwrap_or(Toi::START);
        let to = self.turning.at(part);
        self.turning = turning_to(self.orientation(), to);
        self.turns += 1;
        self.is_slowed = true;
    }

    /// How it turns in the frame of its gyration: its angular speed about each of its own axes times the radius of
    /// gyration about it, in raw per tick.
    ///
    /// **Rounding**: to nearest, halves away from zero. **Range**: speeds saturate at 2^60 raw.
    pub fn spin(&self) -> [i64; 3] {
        if self.angular_momentum == Vec3::ZERO {
            return [0; 3];
        }
        self.spin_about(&self.axes)
    }

    /// The same, given its axes.
    pub fn spin_about(&self, axes: &[[i32; 3]; 3]) -> [i64; 3] {
        let momentum = self.angular_momentum.raw().map(i128::from);
        [0, 1, 2].map(|k: usize| {
            if self.locks.has_turn(k) {
                return 0;
            }
            let along: i128 = (0..3).map(|i| i128::from(axes[k][i]) * momentum[i]).sum();
            let divisor = i128::from(self.mass) * i128::from(self.gyration[k]);
            let most = 1 << 60;
            div_nearest(along << (32 - AXIS_BITS), divisor).clamp(-most, most) as i64
        })
    }

    /// The same at half of `arm_twice`.
    pub fn twist_twice(&mut self, arm_twice: Vec3, impulse: Vec3) {
        let (more, raw) = (arm_twice.cross_wide(impulse), self.angular_momentum.raw());
        self.angular_momentum = Vec3::from_raw([0, 1, 2].map(|i: usize| {
            (i128::from(raw[i]) + shr_nearest(more[i], 33)).clamp(-MOMENTUM_MAX, MOMENTUM_MAX) as i64
        }));
    }

    /// How fast the outermost point of a solid of a radius goes at most in the turn, in raw per tick, rounded up.
    pub fn surface_speed(&self, radius: i64) -> i64 {
        let squares: u128 =
            self.turning.axis_q60().iter().map(|&part| u128::from(part.unsigned_abs()).pow(2)).sum();
        // Twice the axis is the speed of the turn, up to the squared length of the quaternion, which is above .85.
        let speed = 5 * sqrt_ceil(squares) / 2;
        ((speed * u128::from(radius.unsigned_abs())) >> 60) as i64 + 1
    }

    /// How far a point at the largest radius of gyration has gone since the body lay as an orientation says, in raw,
    /// rounded up.
    pub fn turned_since(&self, entry: Rotation) -> i64 {
        let now = self.orientation();
        if now == entry {
            return 0;
        }
        let Ok(turning) = Turning::new(entry, now) else { return i64::MAX };
        // The axis is as long as the sine of half the angle.
        let squares: u128 =
            turning.axis_q60().iter().map(|&part| u128::from(part.unsigned_abs()).pow(2)).sum();
        let angle = 2 * sqrt_ceil(squares);
        let most = self.gyration.into_iter().fold(0, i64::max);
        ((angle * u128::from(most.unsigned_abs())) >> 60) as i64 + 1
    }

    /// The length of the angle that it turns by in a tick, in radians, rounded up; saturates.
    fn length_of_angle(&self) -> i128 {
        sqrt_ceil(self.angle_of(self.spin()).length_squared_wide()) as i128
    }

    /// The axis times the angle of a turn, in radians, in the world's axes.
    fn angle_of(&self, spin: [i64; 3]) -> Vec3 {
        let axes = &self.axes;
        let angles =
            [0, 1, 2].map(|k: usize| div_nearest(i128::from(spin[k]) << 32, i128::from(self.gyration[k])));
        Vec3::from_raw([0, 1, 2].map(|i: usize| {
            let sum: i128 = (0..3).map(|k| angles[k] * i128::from(axes[k][i])).sum();
            shr_nearest(sum, AXIS_BITS).clamp(-(1 << 40), 1 << 40) as i64
        }))
    }
}

/// The axes of a body of a shape, in the world's, with 30 fraction bits; of a ball without locks the world's.
pub fn axes_of(shape: &Shape, locks: Locks, orientation: Rotation) -> [[i32; 3]; 3] {
    match shape {
        Shape::Sphere { .. } if !locks.locks_turning() => {
            [[1 << AXIS_BITS, 0, 0], [0, 1 << AXIS_BITS, 0], [0, 0, 1 << AXIS_BITS]]
        }
        _ => orientation.axes_q30(),
    }
}

/// The turn from one orientation to another that is at most a quarter away.
fn turning_to(from: Rotation, to: Rotation) -> Turning {
    Turning::new(from, to).unwrap_or(Turning::still(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::inertia_of};

    #[test]
    fn more_angular_momentum_than_a_state_may_have_is_scaled_down_to_it() {
        let shape = Shape::sphere(lit("100"));
        let (inertia, orientation) = (inertia_of(&shape, 65_536).unwrap(), Rotation::IDENTITY);
        let mut spinner = Spinner {
            mass: 65_536,
            locks: Locks::NONE,
            angular_momentum: Vec3::ZERO,
            turning: Turning::still(orientation),
            inertia,
            gyration: [1; 3],
            is_set: false,
            form: shape,
            axes: orientation.axes_q30(),
            turns: 0,
            is_slowed: false,
        };
        let limit = ANGULAR_MOMENTUM_MAX.x.to_bits();
        // What it has, whether that is too much, and what is left.
        for (before, is_too_much, after) in [
            ([limit, -limit, 1], false, [limit, -limit, 1]),
            ([2 * limit, -limit, 3], true, [limit, -limit / 2, 1]),
            ([-2 * limit, limit, -3], true, [-limit, limit / 2, -1]),
            ([0, 0, limit + 1], true, [0, 0, limit]),
        ] {
            spinner.angular_momentum = Vec3::from_raw(before);
            assert_eq!(spinner.keep_to_limit(), is_too_much, "{before:?}");
            assert_eq!(spinner.angular_momentum.raw(), after, "{before:?}");
        }
    }
}
