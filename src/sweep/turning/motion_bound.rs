//! Motion bound: a lower bound of the separation of two solids along a direction for a while.

use super::{frame::Frame, quadratic::Quadratic, reach::Reach};
use crate::{
    geom::{IVec3, Normal},
    num::round::{div_ceil, shr_nearest},
};

/// Number of spans, each shorter, in which a step is looked for.
const TRIES: u32 = 5;

/// A direction from A to B that may change at a constant rate.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub(super) normal: Normal,
    /// Its change per tick, in the unit of the normal; within `±2^32`.
    pub(super) rate: IVec3<i64>,
}

impl Direction {
    /// The direction some steps of 2^-32 tick later.
    pub(super) fn after(&self, step: u64) -> Normal {
        let moved = IVec3::from(self.normal)
            .zip(self.rate, |part, rate| (i128::from(part) << 32) + i128::from(rate) * i128::from(step));
        if self.rate == IVec3::ZERO { self.normal } else { Normal::from_wide(moved.0).unwrap_or(self.normal) }
    }
}

/// `n / 2^bits` rounded up.
pub(super) const fn shr_ceil(n: i128, bits: u32) -> i128 {
    -(-n >> bits)
}

/// The separation of both solids along a direction without their edges: a quadratic in time, in raw times the
/// normal's length.
pub(super) struct Room {
    /// Rounded down.
    pub(super) start: i128,
    pub(super) speed: i128,
    /// The coefficient of the square of the time.
    pub(super) gain: i128,
    /// The largest second and third derivative of the position of a point of A and of B, together.
    pub(super) most: [i128; 2],
}

/// The least separation along a direction from an instant on, in raw times the normal's length, above the
/// separation to be kept. It is a quadratic that includes the arms of the solids, less what each reaches, less a bound on all that
/// moves in higher powers of time.
///
/// **Range**: extents below 2^80, the room below 2^91: with a time of 33 bits nothing passes 2^125.
pub(super) struct MotionBound<'a> {
    /// The separation at the instant, rounded down.
    pub(super) start: i128,
    speed: i128,
    gain: i128,
    reaches: [Reach<'a>; 2],
    /// The bound on the third derivative over six, rounded up.
    rest: i128,
}

impl<'a> MotionBound<'a> {
    pub(super) fn new(direction: &Direction, frames: &[Frame<'a>; 2], room: &Room) -> Self {
        let length = i128::from(direction.normal.length_up());
        let change: i128 = direction.rate.0.iter().map(|part| i128::from(part.abs())).sum();
        let [(of_a, arm_a), (of_b, arm_b)] =
            [frames[0].extents(direction, 1), frames[1].extents(direction, -1)];
        let taken = of_a.start() + of_b.start();
        let [bend, jerk] = room.most;
        Self {
            // A sixteenth of a raw is more than the sum of all rounding up to here.
            start: room.start + (arm_b.place - arm_a.place) - taken - (length >> 4),
            speed: room.speed + (arm_b.speed - arm_a.speed),
            gain: room.gain + ((arm_b.gain - arm_a.gain) >> 1),
            reaches: [of_a, of_b],
            rest: div_ceil((length + change) * jerk + 3 * change * bend, 6),
        }
    }

    /// The second number of [`over`](Self::over) less the first. Above zero, the separation surely grows
    /// before it is back at its value at the end of a span.
    pub(super) fn rise_over(&self, span: u64) -> i128 {
        let Quadratic([start, middle, _]) = self.over(span);
        middle - start
    }

    /// The time, in 2^-32 of a tick and at most `span`, for which the separation surely stays; rounded down.
    /// Zero where it is not certain now.
    pub(super) fn step_floor(&self, span: u64) -> u64 {
        if self.start < 0 {
            return 0;
        }
        let (mut best, mut span) = (0, span);
        for _ in 0..TRIES {
            let Some(root) = self.over(span).first_root_floor() else { return best.max(span) };
            let step = ((u128::from(span) * u128::from(root)) >> 32) as u64;
            best = best.max(step);
            // The bound is tighter for a shorter span: look again over one that is little longer than the
            // step.
            let next = (best + best / 4 + 1).max(span / 8);
            if next >= span {
                break;
            }
            span = next;
        }
        best
    }

    /// A quadratic over a span that is nowhere above the separation.
    ///
    /// The reach of each solid is below a quadratic, and a cube is below a square from 0 to 1.
    fn over(&self, span: u64) -> Quadratic {
        let time = i128::from(span);
        let part = |speed: i128| shr_nearest(speed * time, 32);
        let mut numbers =
            [self.start + ((self.speed * time) >> 33), self.start + part(self.speed) + part(part(self.gain))];
        for reach in &self.reaches {
            reach.take_from(&mut numbers, span);
        }
        let [middle, end] = numbers;
        let part_ceil = |rest: i128| shr_ceil(rest * time, 32);
        Quadratic([self.start, middle, end - part_ceil(part_ceil(part_ceil(self.rest)))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{AngularMotion, Rotation, Vec3},
        num::{Toi, lit},
        shape::Shape,
        sweep::turning::solid::Solid,
    };

    const ONE: u64 = 1 << 32;

    #[test]
    fn a_direction_turns_at_its_rate() {
        let direction = Direction { normal: Normal::new(1 << 29, 0, 0), rate: IVec3([0, 1 << 29, -1 << 30]) };
        assert_eq!(direction.after(0).lengthened(), Normal::new(1 << 29, 0, 0));
        let later = |step: u64| direction.after(step).components();
        for (step, part) in [(ONE / 2, 2), (ONE / 8, 8)] {
            let [x, y, z] = later(step);
            assert_eq!((x, z), (part * y, -2 * y), "{step}");
            assert!(y > 1 << 20, "{y}");
        }
        let still = Direction { rate: IVec3::ZERO, ..direction };
        assert_eq!(still.after(ONE), direction.normal);
    }

    /// The step along a direction from which two points come off `2^66` at first, and nearer only by what bends.
    fn step_of_points(rate: i64, most: [i128; 2]) -> u64 {
        let ball = Shape::sphere(lit("1"));
        let solid = Solid::new(&ball, &AngularMotion::still(Rotation::IDENTITY), Vec3::ZERO, None);
        let frames = [solid.frame(Toi::START), solid.frame(Toi::START)];
        let direction = Direction { normal: Normal::new(1 << 29, 0, 0), rate: IVec3([0, rate, 0]) };
        let room = Room { start: 1 << 66, speed: 0, gain: 0, most };
        MotionBound::new(&direction, &frames, &room).step_floor(ONE)
    }

    #[test]
    fn a_cube_of_time_ends_a_step() {
        // The third derivative of `n . r` is `n . r''' + 3 n' . r''`: a sixth of it, times `t^3`, is eight times the start.
        let whole = [step_of_points(0, [1 << 60, 0]), step_of_points(1 << 30, [0, 0])];
        assert_eq!(whole, [ONE; 2]);
        let by_bend = step_of_points(1 << 30, [1 << 40, 0]);
        let by_jerk = step_of_points(0, [0, 6 << 40]);
        // The direction grows from 2^29 to three times that.
        let by_growth = step_of_points(1 << 30, [0, 2 << 40]);
        for step in [by_bend, by_jerk, by_growth] {
            assert!(step <= ONE / 2 && step > ONE / 8 * 3, "{step}");
        }
    }
}
