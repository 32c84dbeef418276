//! First contact of a moving box with a resting one, to traverse the trees along a ray.

use crate::{
    geom::{Aabb, Vec3},
    num::{
        Toi,
        bound::{Bound, Width},
        round::div_floor,
    },
};

/// Two instants of axes, compared: of any numbers.
pub(super) const WIDTH: Width = Width {
    number: "`near * speed` of two axes of a moving box",
    bound: Bound::power(63).times(Bound::power(63)),
    held_in: 128,
};
const _: () = WIDTH.check();

/// A box along the axes on a straight path, mirrored on each axis so that it moves in the positive direction.
///
/// A contact of shapes in the boxes is never before the contact of the boxes. That is exact, and it is
/// monotone: a box touches every box around another one no later than that one.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBox {
    origin: Vec3,
    displacement: Vec3,
    half: Vec3,
}

/// One axis, mirrored so that the motion is not negative.
#[derive(Clone, Copy)]
struct Axis {
    /// The distance to the first contact; negative after it.
    near: i64,
    /// The distance to the last contact.
    far: i64,
    /// The displacement of the box.
    speed: i64,
}

impl MovingBox {
    pub(super) fn new(origin: Vec3, displacement: Vec3, half: Vec3) -> Self {
        Self { origin, displacement, half }
    }

    /// True if the boxes touch on the path, at the instant `last` rounded up or before.
    pub(super) fn touches_by(&self, bounds: &Aabb, last: Toi) -> bool {
        let axes = self.axes(bounds);
        let in_time = |axis: &Axis| {
            let Axis { near, far, speed } = *axis;
            let after = i128::from(last.raw()) + 1; // an entry is compared by its floor
            near <= speed
                && far >= 0
                && (near <= 0 || i128::from(near) << Toi::BITS < after * i128::from(speed))
        };
        axes.iter().all(in_time) && meet_together(&axes)
    }

    /// The first contact of the boxes, rounded down; `None` if they do not touch on the path.
    pub(super) fn entry_floor(&self, bounds: &Aabb) -> Option<Toi> {
        if !self.touches_by(bounds, Toi::END) {
            return None;
        }
        let floor = |axis: Axis| match axis.near {
            ..=0 => Some(Toi::START),
            // Near is at most the speed, so the speed is above zero.
            near => Toi::from_raw(div_floor(i128::from(near) << Toi::BITS, axis.speed.into()) as u64),
        };
        self.axes(bounds).into_iter().filter_map(floor).max()
    }

    fn axes(&self, bounds: &Aabb) -> [Axis; 3] {
        let low = (bounds.min - self.half - self.origin).raw();
        let high = (bounds.max + self.half - self.origin).raw();
        let displacement = self.displacement.raw();
        [0, 1, 2].map(|axis: usize| {
            let (low, high, displacement) = (low[axis], high[axis], displacement[axis]);
            let (near, far) = if displacement < 0 { (-high, -low) } else { (low, high) };
            Axis { near, far, speed: displacement.abs() }
        })
    }
}

/// True if no axis is left before another is entered: `near / speed <= far / speed` for every two.
///
/// An axis without motion is entered at once and never left: all boxes here overlap on it.
fn meet_together(axes: &[Axis; 3]) -> bool {
    let in_turn = |a: &Axis, b: &Axis| {
        i128::from(a.near) * i128::from(b.speed) <= i128::from(b.far) * i128::from(a.speed)
    };
    let [x, y, z] = axes;
    in_turn(x, y) && in_turn(y, x) && in_turn(y, z) && in_turn(z, y) && in_turn(z, x) && in_turn(x, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::Rng;

    /// The first fraction at which every axis overlaps, among all fractions at which an overlap can begin or
    /// end.
    fn first(origin: [i64; 3], displacement: [i64; 3], reach: i64) -> Option<(i64, i64)> {
        let crossings = (0..3).flat_map(|axis| {
            let (o, w) = (origin[axis], displacement[axis]);
            let fraction = move |side: i64| if w < 0 { (o - side, -w) } else { (side - o, w.max(1)) };
            [fraction(-reach), fraction(reach)]
        });
        let mut instants: Vec<(i64, i64)> =
            crossings.chain([(0, 1)]).filter(|&(top, bottom)| 0 <= top && top <= bottom).collect();
        instants.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
        let within = |&(top, bottom): &(i64, i64)| {
            (0..3).all(|axis| (origin[axis] * bottom + displacement[axis] * top).abs() <= reach * bottom)
        };
        instants.into_iter().find(within)
    }

    #[test]
    fn the_entry_is_the_first_instant_at_which_every_axis_is_in_reach() {
        let (mut met, mut missed) = (0, 0);
        for case in 0..40_000 {
            let mut draws = Rng::new(3).at(0, case, 0);
            let mut vector = |most: i64| [(); 3].map(|()| draws.between(-most, most));
            let (origin, displacement, center) = (vector(7), vector(9), vector(3));
            let from = [0, 1, 2].map(|axis: usize| origin[axis] - center[axis]);
            let moving_box =
                MovingBox::new(Vec3::from_raw(origin), Vec3::from_raw(displacement), Vec3::from_raw([1; 3]));
            let bounds = Aabb::around(Vec3::from_raw(center), Vec3::from_raw([2; 3]));
            let expected = first(from, displacement, 3).map(|(top, bottom)| ((top << 32) / bottom) as u64);
            assert_eq!(moving_box.entry_floor(&bounds).map(Toi::raw), expected, "{from:?} {displacement:?}");
            for last in [0, 1 << 30, (1 << 32) / 3, (1 << 32) / 3 - 1, 1 << 31, 1 << 32] {
                let by = moving_box.touches_by(&bounds, Toi::from_raw(last).unwrap());
                assert_eq!(by, expected.is_some_and(|toi| toi <= last), "{from:?} {displacement:?} {last}");
            }
            met += i32::from(expected.is_some());
            missed += i32::from(expected.is_none());
        }
        assert!(met > 5_000 && missed > 10_000, "{met} {missed}");
    }
}
