//! The rotation of a body during a tick.

use super::limits::{ANGLE_MAX, MOMENTUM_MAX};
use crate::state::Locks;
use crate::{
    geom::{
        ANGULAR_MOMENTUM_MAX, ANGULAR_SPEED_MAX, AngularMotion, IVec3, Inertia, Rotation, Vec3,
        along_own_axes, limited_step, rotate_by,
    },
    num::{
        Toi,
        bound::{Bound, Width},
        root::sqrt_ceil,
        round::{div_nearest, div_zero, shr_nearest},
    },
    shape::Shape,
    sweep::largest_derivatives,
};

/// The fraction bits of the axes of a body.
const AXIS_BITS: u32 = 30;
/// The largest component of a rotation in a gyration frame, in raw per tick: a power of two.
const SPIN_BITS: u32 = 60;

/// The angle about an axis whose radius of gyration is a raw.
pub(in crate::tick) const WIDTH: Width = Width {
    number: "the angle of a rotation along an axis of the world, `axes . (spin 2^32 / gyration)`",
    bound: Bound::power(AXIS_BITS).dot(Bound::power(SPIN_BITS).shifted(32)),
    held_in: 128,
};
const _: () = WIDTH.check();

/// The rotation of a body during a tick: the counterpart of its path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimRotation {
    /// Its mass.
    pub mass: u32,
    /// Its own axes about which it does not rotate.
    pub locks: Locks,
    /// Its angular momentum at the end of the tick if nothing else happens; of a body with locks, at the
    /// start of its path.
    pub angular_momentum: Vec3,
    /// Its rotation from the start of its path.
    pub turning: AngularMotion,
    /// Its inertia about its own axes.
    pub inertia: Inertia,
    /// The radii of gyration about its own axes, in raw: the roots of its moments over its mass.
    pub gyration: [i64; 3],
    /// True if it is a compound.
    pub is_compound: bool,
    /// Its shape in the world's axes at the start of the path; of a compound a box that holds all child
    /// shapes.
    pub form: Shape,
    /// Its own axes in the world's frame there, with 30 fraction bits; of a sphere without locks the world's.
    pub axes: [[i32; 3]; 3],
    /// Number of rotations that it was given in the tick.
    pub rotation_changes: u32,
    /// The largest second and third derivative of the position of a point of its shape, of a compound of its box, in raw per
    /// tick squared and cubed, where they were found: they do not change until it is given another rotation.
    pub derivatives: Option<[i128; 2]>,
    /// True if it rotates less than its momentum implies, and is to lose the rest of its momentum.
    pub is_slowed: bool,
}

impl SimRotation {
    /// The orientation at the start of the path.
    pub fn orientation(&self) -> Rotation {
        self.turning.at(Toi::START)
    }

    /// True if its rotation changes its shape later in the tick.
    pub fn changes_form(&self) -> bool {
        !matches!(self.form, Shape::Sphere { .. }) && !self.turning.is_still()
    }

    /// True if its sweeps must take its orientation into account.
    pub fn is_swept(&self) -> bool {
        self.is_compound || self.changes_form()
    }

    /// Advances the rotation by a part of the tick since the start of the path.
    pub fn advance(&mut self, passed: Toi, shape: &Shape) {
        if passed > Toi::START {
            let before = self.orientation();
            self.turning = self.turning.rest(passed);
            let orientation = self.orientation();
            (self.form, self.axes) = (shape.turned(orientation), axes_of(shape, self.locks, orientation));
            if self.locks.locks_turning() {
                // Locks rotate the angular momentum with the body.
                let keeps = self.locks.free_turns();
                self.angular_momentum = along_own_axes(self.angular_momentum, keeps, before, orientation);
            }
        }
    }

    /// Removes the angular momentum about locked axes.
    pub fn take_locked(&mut self) {
        if self.locks.locks_turning() {
            let (keeps, now) = (self.locks.free_turns(), self.orientation());
            self.angular_momentum = along_own_axes(self.angular_momentum, keeps, now, now);
        }
    }

    /// Scales the angular momentum down to the limit of a state; returns true if it was above. **Rounding**:
    /// toward zero.
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

    /// Sets the orientation of the body.
    pub fn put(&mut self, orientation: Rotation, shape: &Shape) {
        self.turn(AngularMotion::still(orientation));
        (self.form, self.axes) = (shape.turned(orientation), axes_of(shape, self.locks, orientation));
    }

    /// Sets its rotation from its angular momentum; returns true if that was too fast and is clamped to the
    /// limit.
    pub fn free_step(&mut self) -> bool {
        let (orientation, before) = (self.orientation(), self.angular_momentum);
        self.rotation_changes += 1;
        self.is_slowed = false;
        if before == Vec3::ZERO {
            self.turn(AngularMotion::still(orientation));
            return false;
        }
        if self.locks.locks_turning() {
            return self.turn_about_free_axes();
        }
        let (kept, turn) = limited_step(orientation, before, &self.inertia);
        self.angular_momentum = kept;
        self.turn(turning_to(orientation, turn.orientation));
        self.angular_momentum != before
    }

    /// Sets the rotation of a body with locks about a fixed axis: its axis of rotation is constant in the
    /// body and in the world.
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
        self.turn(turning_to(orientation, rotate_by(orientation, angle).orientation));
        is_fast
    }

    /// Sets its rotation about a constant axis.
    pub fn rotate_by(&mut self, spin: Vec3) {
        let orientation = self.orientation();
        self.rotation_changes += 1;
        self.turn(turning_to(orientation, rotate_by(orientation, self.angle_of(spin)).orientation));
    }

    fn turn(&mut self, turning: AngularMotion) {
        (self.turning, self.derivatives) = (turning, None);
    }

    /// Finds how its points bend, for all sweeps that its rotation has.
    pub fn find_derivatives(&mut self, hull: &Shape) {
        self.derivatives = Some(largest_derivatives(hull, &self.turning));
    }

    /// Ends its rotation in this tick.
    pub fn stand_still(&mut self) {
        self.turn(AngularMotion::still(self.orientation()));
        self.rotation_changes += 1;
    }

    /// Slows its rotation by less than a fraction of the rotation in the rest of the tick.
    pub fn slow_down(&mut self, shift: u32) {
        let part = Toi::from_raw(self.turning.remaining().raw() >> shift).unwrap_or(Toi::START);
        let to = self.turning.at(part);
        self.turn(turning_to(self.orientation(), to));
        self.rotation_changes += 1;
        self.is_slowed = true;
    }

    /// Its rotation in its gyration frame: its angular speed about each of its own axes times the radius of
    /// gyration about it, in raw per tick.
    ///
    /// **Rounding**: to nearest, halves away from zero. **Range**: speeds saturate at 2^60 raw.
    pub fn spin(&self) -> Vec3 {
        if self.angular_momentum == Vec3::ZERO {
            return Vec3::ZERO;
        }
        self.spin_about(&self.axes)
    }

    /// Its rotation in its gyration frame, given its axes.
    pub fn spin_about(&self, axes: &[[i32; 3]; 3]) -> Vec3 {
        let momentum = IVec3::from(self.angular_momentum);
        Vec3::from_raw([0, 1, 2].map(|k: usize| {
            if self.locks.has_turn(k) {
                return 0;
            }
            let along = IVec3(axes[k]).dot(momentum);
            let divisor = i128::from(self.mass) * i128::from(self.gyration[k]);
            let most = 1 << SPIN_BITS;
            div_nearest(along << (32 - AXIS_BITS), divisor).clamp(-most, most) as i64
        }))
    }

    /// Applies an impulse at half of `arm_twice`. Returns by how much the limit of a sum changed the result, in raw.
    pub fn apply_moment_twice(&mut self, arm_twice: Vec3, impulse: Vec3) -> IVec3<i128> {
        let more = IVec3(arm_twice.cross_wide(impulse)).shr_nearest(33);
        let sum = IVec3::from(self.angular_momentum).wide() + more;
        let clamped = sum.map(|part| part.clamp(-MOMENTUM_MAX, MOMENTUM_MAX));
        self.angular_momentum = clamped.narrow().into();
        clamped - sum
    }

    /// The largest speed of a point of a solid of a radius by the rotation, in raw per tick, rounded up.
    pub fn surface_speed(&self, radius: i64) -> i64 {
        let squares = self.turning.axis_q60().length_squared();
        // Twice the axis is the speed of the rotation, divided by the squared length of the quaternion, which
        // is above .85.
        let speed = 5 * sqrt_ceil(squares) / 2;
        ((speed * u128::from(radius.unsigned_abs())) >> 60) as i64 + 1
    }

    /// The distance that a point at the largest radius of gyration has moved since a given orientation, in
    /// raw, rounded up.
    pub fn turned_since(&self, entry: Rotation) -> i64 {
        let now = self.orientation();
        if now == entry {
            return 0;
        }
        let Ok(turning) = AngularMotion::new(entry, now) else { return i64::MAX };
        // The axis is as long as the sine of half the angle.
        let squares = turning.axis_q60().length_squared();
        let angle = 2 * sqrt_ceil(squares);
        let most = self.gyration.into_iter().fold(0, i64::max);
        ((angle * u128::from(most.unsigned_abs())) >> 60) as i64 + 1
    }

    /// The angle of its rotation in a tick, in radians, rounded up; saturates.
    fn length_of_angle(&self) -> i128 {
        sqrt_ceil(self.angle_of(self.spin()).length_squared_wide()) as i128
    }

    /// The axis times the angle of a rotation, in radians, in the world's axes.
    fn angle_of(&self, spin: Vec3) -> Vec3 {
        let angles = IVec3::from(spin)
            .zip(IVec3(self.gyration), |spin, radius| div_nearest(i128::from(spin) << 32, radius.into()));
        Vec3::from_raw([0, 1, 2].map(|i: usize| {
            let sum = IVec3(self.axes.map(|axis| axis[i])).dot(angles);
            shr_nearest(sum, AXIS_BITS).clamp((-ANGLE_MAX).into(), ANGLE_MAX.into()) as i64
        }))
    }
}

/// The axes of a body of a shape in the world's frame, with 30 fraction bits; of a sphere without locks the
/// world's.
pub fn axes_of(shape: &Shape, locks: Locks, orientation: Rotation) -> [[i32; 3]; 3] {
    match shape {
        Shape::Sphere { .. } if !locks.locks_turning() => {
            [[1 << AXIS_BITS, 0, 0], [0, 1 << AXIS_BITS, 0], [0, 0, 1 << AXIS_BITS]]
        }
        _ => orientation.axes_q30(),
    }
}

/// The rotation from one orientation to another that is at most a quarter turn away.
fn turning_to(from: Rotation, to: Rotation) -> AngularMotion {
    AngularMotion::new(from, to).unwrap_or(AngularMotion::still(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{num::lit, shape::inertia_of};

    /// A ball of radius 100 that does not rotate.
    fn ball() -> SimRotation {
        let shape = Shape::sphere(lit("100"));
        let orientation = Rotation::IDENTITY;
        SimRotation {
            mass: 65_536,
            locks: Locks::NONE,
            angular_momentum: Vec3::ZERO,
            turning: AngularMotion::still(orientation),
            inertia: inertia_of(&shape, 65_536).unwrap(),
            gyration: [1; 3],
            is_compound: false,
            form: shape,
            axes: orientation.axes_q30(),
            rotation_changes: 0,
            derivatives: None,
            is_slowed: false,
        }
    }

    #[test]
    fn a_sum_beyond_its_limit_is_clamped_and_says_by_how_much() {
        let (most, mut rotation) = (1_i64 << 62, ball());
        let apply = |rotation: &mut SimRotation, arm: [i64; 3], impulse: [i64; 3]| {
            rotation.apply_moment_twice(Vec3::from_raw(arm), Vec3::from_raw(impulse)).0
        };
        // z is x times y, halved and scaled by 2^-32.
        assert_eq!(apply(&mut rotation, [1 << 45, 0, 0], [0, 1 << 50, 0]), [0; 3], "just at the limit");
        assert_eq!(rotation.angular_momentum.raw(), [0, 0, most]);
        assert_eq!(apply(&mut rotation, [1 << 33, 0, 0], [0, 5, 0]), [0, 0, -5]);
        assert_eq!(apply(&mut rotation, [1 << 33, 0, 0], [0, -5, 0]), [0; 3]);
        assert_eq!(rotation.angular_momentum.raw(), [0, 0, most - 5]);
        assert_eq!(apply(&mut rotation, [1 << 47, 0, 0], [0, -(1 << 51), 0]), [0, 0, (6 << 62) + 5]);
        assert_eq!(rotation.angular_momentum.raw(), [0, 0, -most]);
    }

    #[test]
    fn derivatives_are_those_of_the_rotation_it_has() {
        let shape = Shape::obb(Vec3::new(lit("0.5"), lit("0.4"), lit("0.3")), Rotation::IDENTITY);
        let inertia = inertia_of(&shape, 65_536).unwrap();
        let momentum = Vec3::lit("3000", "-2000", "1000");
        let gyration = [lit("0.3").to_bits(); 3];
        let mut rotation =
            SimRotation { inertia, form: shape.clone(), angular_momentum: momentum, gyration, ..ball() };
        rotation.free_step();
        rotation.find_derivatives(&shape);
        let found = rotation.derivatives.unwrap();
        assert!(found.iter().all(|&most| most > 0), "{found:?}");
        // The rest of a rotation bends as the whole of it does.
        let half = Toi::from_raw(1 << 31).unwrap();
        rotation.advance(half, &shape);
        assert_eq!(rotation.derivatives, Some(found));
        assert_eq!(largest_derivatives(&shape, &rotation.turning), found);
        let changes: [fn(&mut SimRotation); 5] = [
            |rotation| _ = rotation.free_step(),
            |rotation| rotation.rotate_by(Vec3::lit("0.1", "0", "0")),
            |rotation| rotation.slow_down(1),
            SimRotation::stand_still,
            |rotation| rotation.put(Rotation::IDENTITY, &Shape::sphere(lit("1"))),
        ];
        for change in changes {
            let mut other = rotation.clone();
            change(&mut other);
            assert_eq!(other.derivatives, None);
            other.find_derivatives(&shape);
            assert_ne!(other.derivatives, Some(found));
        }
    }

    #[test]
    fn more_angular_momentum_than_a_state_may_have_is_scaled_down_to_it() {
        let mut rotation = ball();
        let limit = ANGULAR_MOMENTUM_MAX.x.to_bits();
        // The angular momentum, true if it is above the limit, and the rest.
        for (before, is_too_much, after) in [
            ([limit, -limit, 1], false, [limit, -limit, 1]),
            ([2 * limit, -limit, 3], true, [limit, -limit / 2, 1]),
            ([-2 * limit, limit, -3], true, [-limit, limit / 2, -1]),
            ([0, 0, limit + 1], true, [0, 0, limit]),
        ] {
            rotation.angular_momentum = Vec3::from_raw(before);
            assert_eq!(rotation.keep_to_limit(), is_too_much, "{before:?}");
            assert_eq!(rotation.angular_momentum.raw(), after, "{before:?}");
        }
    }
}
