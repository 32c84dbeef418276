//! The angular momentum of a body from its angular velocity.

use super::{IVec3, Inertia, Rotation, Vec3};
use crate::num::{
    bound::{Bound, Width},
    mul_div::mul_div_nearest,
    round::div_nearest,
};

/// The number of bits kept below a raw in the body's frame.
const SPARE: u32 = 4;

pub(super) const WIDTH: Width = {
    let own = Bound::power(62).length().shifted(SPARE);
    Width {
        number: "a vector of a body's frame, with 4 fraction bits, along an axis of the world",
        bound: Rotation::SQUARE_BOUND.times(own).plus(Rotation::SQUARE_BOUND.shifted(SPARE - 1)),
        held_in: 128,
    }
};
const _: () = WIDTH.check();

/// The largest component of an angular momentum that [`angular_momentum_nearest`] gives: 2^29 mass units
/// times units squared per tick, so that some of them can be added up.
pub const ANGULAR_MOMENTUM_MAX: Vec3 = Vec3::from_raw([1 << 61; 3]);

/// The angular momentum of a body that rotates with an angular velocity, both in the world's frame: in mass
/// units times units squared per tick, and in radians per tick. `None` where a component, in either frame, is
/// beyond [`ANGULAR_MOMENTUM_MAX`].
///
/// Inverse of [`angular_velocity_nearest`](super::angular_velocity_nearest), which gives the angular velocity
/// back within `2 + 2^64 / I` raw on each axis. `I` is the least moment in mass units times raw squared; a
/// body so small that this error is large cannot turn slowly.
///
/// **Rounding**: each component to nearest after the velocity was turned into the body's frame exactly, and
/// its product with the moments rounded to 2^-4 raw; within .61 raw. Mirrored, opposite or permuted arguments
/// give the image. **Range**: all arguments.
#[must_use]
pub fn angular_momentum_nearest(
    orientation: Rotation,
    angular_velocity: Vec3,
    inertia: &Inertia,
) -> Option<Vec3> {
    let (rows, square) = (orientation.matrix_q60(), i128::from(orientation.length_squared()));
    let raw = IVec3::from(angular_velocity);
    let most = i128::from(ANGULAR_MOMENTUM_MAX.x.to_bits());
    let own = IVec3::from_fn(|axis| {
        let speed = IVec3(rows.map(|row| row[axis])).dot(raw); // below 2^125
        // A moment has 64 fraction bits, of which 4 stay: below 2^111.
        mul_div_nearest(inertia.moments()[axis] as i128, speed, square << (64 - SPARE))
    });
    if own.0.iter().any(|part| part.abs() > most << SPARE) {
        return None;
    }
    let momentum = rows.map(|row| div_nearest(row.dot(own), square << SPARE)); // a product below 2^126
    let fits = momentum.iter().all(|part| part.abs() <= most);
    fits.then(|| Vec3::from_raw(momentum.map(|part| part as i64)))
}

/// The components of a world vector along some of a body's axes at orientation `from`, rotated with the body
/// to orientation `to`.
///
/// **Rounding**: each component to nearest after the parts along the axes were rounded to 2^-4 raw; within
/// .61 raw. Mirrored, opposite or permuted arguments give the image. Along axes of the world it is exact.
/// **Range**: components up to 2^62 raw.
#[must_use]
pub(crate) fn along_own_axes(vector: Vec3, keeps: [bool; 3], from: Rotation, to: Rotation) -> Vec3 {
    let (rows, square) = (from.matrix_q60(), i128::from(from.length_squared()));
    let raw = IVec3::from(vector);
    let own = IVec3::from_fn(|axis| {
        let along = IVec3(rows.map(|row| row[axis])).dot(raw); // below 2^123
        if keeps[axis] { mul_div_nearest(along, 1 << SPARE, square) } else { 0 }
    });
    let (rows, square) = (to.matrix_q60(), i128::from(to.length_squared()));
    Vec3::from_raw(rows.map(|row| div_nearest(row.dot(own), square << SPARE) as i64)) // a product below 2^127
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::{ANGULAR_SPEED_MAX, angular_velocity_nearest},
        num::{Rng, Scalar, rng::Draws},
    };
    use num_bigint::BigInt;

    fn rotation(draws: &mut Draws) -> Rotation {
        let part = [(); 4].map(|()| Scalar::from_bits(draws.between(-(1 << 32), 1 << 32)));
        Rotation::from_quaternion(part[0], part[1], part[2], part[3]).unwrap_or(Rotation::IDENTITY)
    }

    /// Moments of a box of any edge lengths.
    fn inertia(draws: &mut Draws) -> Inertia {
        let bits = draws.between(0, 16);
        let mass = draws.between(1, 1 << bits) as u128;
        let [a, b, c] = [(); 3].map(|()| u128::from(draws.between(1 << 26, 50 << 32).unsigned_abs()).pow(2));
        let moments = [b + c, c + a, a + b].map(|sum| mass * sum / 3);
        Inertia::new(moments).unwrap_or_else(|_| Inertia::new([mass << 64; 3]).unwrap())
    }

    fn velocity(draws: &mut Draws) -> Vec3 {
        let most = (ANGULAR_SPEED_MAX.to_bits() / 2) >> draws.between(0, 20);
        Vec3::from_raw([(); 3].map(|()| draws.between(-most, most)))
    }

    /// Twice the square of the quaternion's length, times the exact component, over as much: a fraction.
    fn exact(orientation: Rotation, velocity: Vec3, inertia: &Inertia, row: usize) -> (BigInt, BigInt) {
        let rows = orientation.matrix_q60().map(|row| row.0.map(BigInt::from));
        let raw = velocity.raw().map(BigInt::from);
        let square = BigInt::from(orientation.length_squared());
        let own = [0, 1, 2].map(|axis: usize| {
            let speed: BigInt = (0..3).map(|row| &rows[row][axis] * &raw[row]).sum();
            speed * BigInt::from(inertia.moments()[axis])
        });
        let top: BigInt = (0..3).map(|axis| &rows[row][axis] * &own[axis]).sum();
        (top, (&square * &square) << 64_u32)
    }

    #[test]
    fn angular_momentum_is_within_the_stated_part_of_a_raw() {
        for case in 0..4000 {
            let mut draws = Rng::new(77).at(0, 0, case);
            let (at, body, speed) = (rotation(&mut draws), inertia(&mut draws), velocity(&mut draws));
            let Some(momentum) = angular_momentum_nearest(at, speed, &body) else { continue };
            for (row, raw) in momentum.raw().into_iter().enumerate() {
                let (top, bottom) = exact(at, speed, &body, row);
                let off: BigInt = (BigInt::from(raw) * &bottom - top) * 100;
                assert!(off >= -61 * &bottom && off <= 61 * &bottom, "{case} {row}");
            }
        }
    }

    #[test]
    fn angular_momentum_gives_the_velocity_back() {
        let mut seen = 0;
        for case in 0..4000 {
            let mut draws = Rng::new(78).at(0, 0, case);
            let (at, body, speed) = (rotation(&mut draws), inertia(&mut draws), velocity(&mut draws));
            let Some(momentum) = angular_momentum_nearest(at, speed, &body) else { continue };
            let back = angular_velocity_nearest(at, momentum, &body).unwrap();
            let least = body.moments().into_iter().min().unwrap();
            let bound = 2 + ((1_u128 << 64) / least) as i64;
            let off = (back - speed).map_raw(i64::abs).raw().into_iter().max().unwrap();
            assert!(off <= bound, "{case}: {off} of {bound}");
            seen += 1;
        }
        assert!(seen > 3900, "{seen}");
    }

    #[test]
    fn images_of_arguments_give_the_image() {
        for case in 0..1000 {
            let mut draws = Rng::new(79).at(0, 0, case);
            let (at, body, speed) = (rotation(&mut draws), inertia(&mut draws), velocity(&mut draws));
            let ([w, a, b, c], [x, y, z], [i, j, k]) = (at.components(), speed.raw(), body.moments());
            let of = |at: [i32; 4], speed: [i64; 3], moments: [u128; 3]| {
                let (at, body) = (Rotation::from_components(at).unwrap(), Inertia::new(moments).unwrap());
                angular_momentum_nearest(at, Vec3::from_raw(speed), &body).map(Vec3::raw)
            };
            let Some([p, q, r]) = of([w, a, b, c], [x, y, z], [i, j, k]) else { continue };
            // A mirror of the first axis turns round what rotates about the others.
            assert_eq!(of([w, a, -b, -c], [x, -y, -z], [i, j, k]), Some([p, -q, -r]));
            assert_eq!(of([w, a, b, c], [-x, -y, -z], [i, j, k]), Some([-p, -q, -r]));
            assert_eq!(of([w, b, c, a], [y, z, x], [j, k, i]), Some([q, r, p]));
            assert_eq!(of([-w, -a, -b, -c], [x, y, z], [i, j, k]), Some([p, q, r]));
        }
    }

    #[test]
    fn too_large_momenta_are_none() {
        let heavy = Inertia::new([(1 << 104) + (1 << 63); 3]).unwrap();
        let speed = |raw| Vec3::from_raw([0, raw, 0]);
        assert_eq!(angular_momentum_nearest(Rotation::IDENTITY, speed(1 << 32), &heavy), None);
        assert_eq!(angular_momentum_nearest(Rotation::IDENTITY, speed(i64::MIN), &heavy), None);
        let slow = angular_momentum_nearest(Rotation::IDENTITY, speed(1), &heavy).unwrap();
        assert_eq!(slow.raw()[1], (heavy.moments()[1] >> 64) as i64 + 1, "rounded up");
        let light = Inertia::new([1 << 50; 3]).unwrap();
        assert!(angular_momentum_nearest(Rotation::IDENTITY, speed(i64::MIN), &light).is_some());
    }

    /// Worked by hand: a quarter turn about z takes what is along the body's first axis from x to y, and
    /// nothing else.
    #[test]
    fn vectors_along_own_axes_are_rotated_with_the_body() {
        let parts = |parts: [i64; 4]| {
            let [w, x, y, z] = parts.map(Scalar::from_bits);
            Rotation::from_quaternion(w, x, y, z).unwrap()
        };
        let (level, quarter) = (Rotation::IDENTITY, parts([1, 0, 0, 1]));
        let vector = Vec3::from_raw([3, 5, 7]);
        let turned = |keeps| along_own_axes(vector, keeps, level, quarter);
        assert_eq!(turned([true, false, false]), Vec3::from_raw([0, 3, 0]));
        assert_eq!(turned([false, true, false]), Vec3::from_raw([-5, 0, 0]));
        assert_eq!(turned([true; 3]), Vec3::from_raw([-5, 3, 7]));
        assert_eq!(turned([false; 3]), Vec3::ZERO);
        // Back again, and as it lies: what is kept along all axes is what it was.
        assert_eq!(along_own_axes(turned([true; 3]), [true; 3], quarter, level), vector);
        for case in 0..1000 {
            let mut draws = Rng::new(80).at(0, 0, case);
            let (from, long) = (rotation(&mut draws), velocity(&mut draws));
            let same = along_own_axes(long, [true; 3], from, from);
            let off = (same - long).map_raw(i64::abs).raw().into_iter().max().unwrap();
            assert!(off <= 1, "{case}: {off}");
        }
    }
}
