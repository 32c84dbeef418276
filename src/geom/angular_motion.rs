//! The angular motion over a tick.

use super::{GeomError, IVec3, Rotation};
use crate::num::{
    Toi,
    round::{shr_nearest, shr_nearest_64},
};

/// The turn of a body over a tick, of at most 90°: it *is* the straight line from one quaternion to another,
/// `q(u) = q0 + u (q1 - q0)`, of which only the direction counts.
///
/// So the axis stands still, the rotation matrix at `u` is a fraction of two squares in `u`, and no
/// trigonometry is needed to sweep it. The angle runs a little faster in the middle of the tick: by up
/// to .07° from an even turn of 38°, and .92° from one of 90°.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AngularMotion {
    from: Rotation,
    /// The one of the two quaternions of the same orientation that is nearer to `from`.
    to: Rotation,
    /// The elapsed part of the tick.
    done: Toi,
}

impl AngularMotion {
    /// The turn from one orientation to another, the short way round.
    ///
    /// # Errors
    ///
    /// If they are more than 90° apart; decided exactly.
    pub fn new(from: Rotation, to: Rotation) -> Result<Self, GeomError> {
        if !to.is_within_a_quarter(from) {
            return Err(GeomError::RotatesTooFar);
        }
        let to = if from.dot(to) < 0 { to.opposite() } else { to };
        Ok(Self { from, to, done: Toi::START })
    }

    /// No turn: the same orientation for the whole tick.
    #[must_use]
    pub const fn still(orientation: Rotation) -> Self {
        Self { from: orientation, to: orientation, done: Toi::START }
    }

    /// The orientation when `toi` has passed since its start.
    ///
    /// **Rounding**: exact at the ends of the tick, elsewhere each component to nearest, within one least
    /// bit (2^-30): a point at a distance of r units is within 16 r raw of the unrounded path.
    ///
    /// # Panics
    ///
    /// If that is past the end of the tick.
    #[must_use]
    pub fn at(&self, toi: Toi) -> Rotation {
        match self.after(toi) {
            Toi::START => self.from,
            Toi::END => self.to,
            _ if self.is_still() => self.from,
            _ => Rotation::from_wide(self.quaternion_q62(toi).map(i128::from)).unwrap_or(self.from),
        }
    }

    /// The rest of this turn when `toi` has passed since its start: the same line, to the bit.
    ///
    /// # Panics
    ///
    /// If that is past the end of the tick.
    #[must_use]
    pub fn rest(&self, toi: Toi) -> Self {
        Self { done: self.after(toi), ..*self }
    }

    /// True if the orientation does not change.
    pub(crate) fn is_still(&self) -> bool {
        self.from == self.to
    }

    /// The orientations at the beginning and at the end of the whole tick, as quaternions of which the second
    /// is the one of both that is nearer to the first.
    #[must_use]
    pub const fn ends(&self) -> [Rotation; 2] {
        [self.from, self.to]
    }

    /// The remaining part of its tick.
    #[must_use]
    pub const fn remaining(&self) -> Toi {
        self.done.remaining()
    }

    fn after(&self, toi: Toi) -> Toi {
        self.done.checked_add(toi).expect("a turn ends with its tick")
    }

    /// The quaternion when `toi` has passed, with 62 fraction bits; exact, its squared length from .85 to 1.
    pub(crate) fn quaternion_q62(&self, toi: Toi) -> [i64; 4] {
        let part = i128::from(self.after(toi).raw());
        let (from, chord) = (self.from.components(), self.chord_q30());
        [0, 1, 2, 3].map(|i: usize| ((i128::from(from[i]) << 32) + part * i128::from(chord[i])) as i64)
    }

    /// Change of the quaternion in a tick; exact.
    pub(crate) fn chord_q30(&self) -> [i64; 4] {
        let (from, to) = (self.from.components(), self.to.components());
        [0, 1, 2, 3].map(|i: usize| i64::from(to[i]) - i64::from(from[i]))
    }

    /// The squared lengths of the quaternions at both ends, with 60 fraction bits; exact.
    pub(crate) fn lengths_squared_q60(&self) -> [i64; 2] {
        [self.from.length_squared(), self.to.length_squared()]
    }

    /// The imaginary part of `q1 / q0`, with 60 fraction bits: the axis in the world's frame, times the sine
    /// of half the angle; exact.
    pub(crate) fn axis_q60(&self) -> IVec3<i64> {
        let ([v, a, b, c], [w, x, y, z]) = self.wide_ends();
        IVec3([
            v * x - w * a - (y * c - z * b),
            v * y - w * b - (z * a - x * c),
            v * z - w * c - (x * b - y * a),
        ])
    }

    /// `axis_q60` in the body's frame: of `q0^-1 q1`.
    pub(crate) fn axis_of_body_q60(&self) -> IVec3<i64> {
        let ([v, a, b, c], [w, x, y, z]) = self.wide_ends();
        IVec3([
            v * x - w * a + (y * c - z * b),
            v * y - w * b + (z * a - x * c),
            v * z - w * c + (x * b - y * a),
        ])
    }

    /// The rows of the rotation matrix at the start with 30 fraction bits; as much longer or shorter as the
    /// square of the quaternion is, up to 2^-26.
    pub(crate) fn matrix_q30(&self) -> [IVec3<i64>; 3] {
        let rows = match self.done {
            Toi::START => self.from.matrix_q60(),
            _ => matrix_q60(self.quaternion_q62(Toi::START)).0,
        };
        rows.map(|row| row.map(|entry| shr_nearest_64(entry, 30)))
    }

    fn wide_ends(&self) -> ([i64; 4], [i64; 4]) {
        (self.from.components().map(i64::from), self.to.components().map(i64::from))
    }
}

/// The rows of the rotation matrix of a quaternion of any length near 1, both with 62 fraction bits in and
/// 60 out, and 1 over its squared length, with 62.
///
/// **Rounding**: to nearest, each entry within 2^-59; the inverse within 2^-60 of itself.
pub(crate) fn matrix_q60(quaternion: [i64; 4]) -> ([IVec3<i64>; 3], i64) {
    let [w, x, y, z] = quaternion.map(i128::from);
    let square = w * w + x * x + y * y + z * z; // below 2^125
    let inverse = (1_i128 << 124) / (square >> 62);
    let entry = |wide: i128| shr_nearest(shr_nearest(wide, 62) * inverse, 64) as i64;
    let rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ];
    (rows.map(|row| IVec3(row.map(entry))), inverse as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::lit;

    fn turn(angle: [&'static str; 4]) -> Rotation {
        let [w, x, y, z] = angle.map(|part| part.parse().unwrap());
        Rotation::from_quaternion(w, x, y, z).unwrap()
    }

    #[test]
    fn a_quarter_is_a_turn_and_more_is_none() {
        let start = turn(["0.9", "0.3", "-0.2", "0.5"]);
        assert!(AngularMotion::new(start, start.opposite()).is_ok());
        let quarter = AngularMotion::new(Rotation::IDENTITY, turn(["1", "0", "0", "0.99999999"])).unwrap();
        assert_eq!(
            AngularMotion::new(Rotation::IDENTITY, turn(["1", "0", "0", "1.00000001"])),
            Err(GeomError::RotatesTooFar)
        );
        let half = Toi::from_raw(1 << 31).unwrap();
        let middle = quarter.at(half);
        assert!((middle.components()[3] - 410_903_207).abs() < 8, "sin 22.5 degrees: {middle:?}");
        assert_eq!((quarter.at(Toi::START), quarter.at(Toi::END)), (quarter.from, quarter.to));
        assert_eq!(lit("0").to_bits(), quarter.chord_q30()[1]);
    }

    /// The ends are not normalised, also where a quaternion is longer than one by its rounding.
    #[test]
    fn the_ends_of_a_turn_are_exact() {
        let long = Rotation::from_components([(1 << 30) + 3, 0, 0, 0]).unwrap();
        let end = Rotation::from_components([0, 0, (1 << 30) + 2, 5]).unwrap();
        assert_eq!(AngularMotion::new(long, end), Err(GeomError::RotatesTooFar), "half a turn");
        let end = turn(["1", "0.3", "0.2", "-0.1"]);
        for (from, to) in [(long, end), (end, long)] {
            let turning = AngularMotion::new(from, to).unwrap();
            assert_eq!((turning.at(Toi::START), turning.at(Toi::END)), (from, to));
        }
    }

    #[test]
    fn the_opposite_quaternion_is_the_same_turn() {
        let (start, end) = (turn(["0.9", "0.3", "-0.2", "0.5"]), turn(["0.8", "0.5", "-0.1", "0.6"]));
        assert_eq!(AngularMotion::new(start, end), AngularMotion::new(start, end.opposite()));
    }

    #[test]
    fn the_rest_of_a_turn_is_the_same_line() {
        let turning =
            AngularMotion::new(turn(["1", "0", "0", "0"]), turn(["1", "0.3", "0.2", "-0.1"])).unwrap();
        let (third, fifth) = (Toi::from_raw(0x5555_5555).unwrap(), Toi::from_raw(0x3333_3333).unwrap());
        let rest = turning.rest(third);
        assert_eq!(rest.at(fifth), turning.at(third.checked_add(fifth).unwrap()));
        assert_eq!(rest.at(rest.remaining()), turning.at(Toi::END));
        assert_eq!(rest.rest(fifth).quaternion_q62(Toi::START), rest.quaternion_q62(fifth));
    }

    #[test]
    fn no_turn_is_the_same_orientation_at_every_instant() {
        for case in 0..2000 {
            let mut draws = crate::num::Rng::new(8).at(0, 0, case);
            let parts = [(); 4].map(|()| crate::num::Scalar::from_bits(draws.between(-(1 << 40), 1 << 40)));
            let still = AngularMotion::still(
                Rotation::from_quaternion(parts[0], parts[1], parts[2], parts[3]).unwrap(),
            );
            let part = Toi::from_raw(draws.below(1 << 32)).unwrap();
            assert_eq!((still.at(part), still.rest(part).at(Toi::START)), (still.from, still.from));
        }
    }

    #[test]
    #[should_panic(expected = "a turn ends with its tick")]
    fn nothing_turns_on_after_its_tick() {
        let half = Toi::from_raw(1 << 31).unwrap();
        let late = Toi::from_raw((1 << 31) + 1).unwrap();
        let _ = AngularMotion::still(Rotation::IDENTITY).rest(half).at(late);
    }
}
