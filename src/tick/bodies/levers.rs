//! Angular Jacobians: the effect of an impulse at a point on a body's rotation.
//!
//! Solvers describe the rotation of a body by a vector `w~` in its gyration frame: its angular velocity about
//! each of its principal axes, times the radius of gyration about that axis, in raw per tick. So a rotation
//! has the same weight as a velocity: an impulse `J` at an arm changes the velocity by `J / m` and `w~` by `A
//! J / m`, where `A` are the levers of that arm, and the velocity of the point exceeds that of the center by
//! `A^T w~`.

use crate::{
    geom::{IVec3, Vec3},
    num::round::div_nearest,
    state::Locks,
};

/// The fraction bits of levers, and of the axes that they come from.
pub const LEVER_BITS: u32 = 30;

/// The rotation of a body about each of its principal axes by an impulse along each axis of the world: a row
/// for each principal axis, with 30 fraction bits.
pub type Levers = [[i32; 3]; 3];

/// The axes of the world, which a sphere's are.
const WORLD: [[i32; 3]; 3] = [[ONE, 0, 0], [0, ONE, 0], [0, 0, ONE]];
const ONE: i32 = 1 << LEVER_BITS;

/// The levers of an arm: row `k` is `(axes[k] x arm) / gyration[k]`, so that `A d` is the vector of `axes[k]
/// . (arm x d) / gyration[k]`.
///
/// `axes` are the principal axes in the world's frame, with 30 fraction bits (of a sphere the world's own);
/// `gyration` are the radii about them, in raw; `arm` goes from the center to the point, in the world's
/// frame, in raw. For a point of a sphere the length of `A d` is at most 1.59 times that of `d`, for one of a
/// box 1.74 times.
///
/// **Rounding**: each entry to nearest, halves away from zero; the opposite arm has the opposite levers.
/// **Range**: gyrations above 0; entries of points farther out than 2 radii are clamped to just below 2.
pub fn levers(axes: [[i32; 3]; 3], gyration: [i64; 3], arm: Vec3) -> Levers {
    if axes == WORLD && gyration[0] == gyration[1] && gyration[1] == gyration[2] {
        let [x, y, z] = arm.raw().map(|c| lever(i128::from(c) << LEVER_BITS, gyration[0]));
        return [[0, -z, y], [z, 0, -x], [-y, x, 0]];
    }
    let arm = IVec3::from(arm);
    [0, 1, 2].map(|k: usize| IVec3(axes[k]).cross(arm).0.map(|part| lever(part, gyration[k])))
}

/// To nearest, halves away from zero, below 2.
fn lever(part: i128, gyration: i64) -> i32 {
    const MOST: i128 = i32::MAX as i128;
    div_nearest(part, gyration.into()).clamp(-MOST, MOST) as i32
}

/// The levers of a body with locked axes of rotation: an impulse has no effect about these.
pub fn without_locked(levers: Levers, locks: Locks) -> Levers {
    [0, 1, 2].map(|k: usize| if locks.has_turn(k) { [0; 3] } else { levers[k] })
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;

    use super::*;
    use crate::{
        geom::Rotation,
        num::{Rng, root::sqrt_floor},
    };

    /// The axes of a body in some orientation.
    fn axes(case: u64) -> [[i32; 3]; 3] {
        let mut draws = Rng::new(21).at(0, case, 0);
        let parts = [(); 4].map(|()| draws.between(-ONE as i64, ONE as i64));
        let [w, x, y, z] = parts.map(crate::num::Scalar::from_bits);
        let rotation = Rotation::from_quaternion(w, x, y, z).unwrap();
        let unit = |k: usize| Vec3::from_raw([0, 1, 2].map(|i| if i == k { ONE as i64 } else { 0 }));
        [0, 1, 2].map(|k| rotation.apply(unit(k)).raw().map(|c| c as i32))
    }

    #[test]
    fn hand_table() {
        let of = |gyration, arm| levers(WORLD, gyration, Vec3::from_raw(arm));
        // One gyration out along x: an impulse along y rotates about z, one along z backwards about y.
        assert_eq!(of([7, 7, 7], [7, 0, 0]), [[0; 3], [0, 0, -ONE], [0, ONE, 0]]);
        assert_eq!(of([7, 7, 7], [0, 7, 0]), [[0, 0, ONE], [0; 3], [-ONE, 0, 0]]);
        assert_eq!(of([7, 7, 7], [0, 0, 7]), [[0, -ONE, 0], [ONE, 0, 0], [0; 3]]);
        // The gyration is that of the row's axis.
        assert_eq!(of([5, 10, 20], [10, 0, 0]), [[0; 3], [0, 0, -ONE], [0, ONE / 2, 0]]);
        // Thirds are rounded to nearest, halves away from zero.
        assert_eq!(of([1, 3 << 30, 1 << 31], [2, 0, 0]), [[0; 3], [0, 0, -1], [0, 1, 0]]);
        assert_eq!(of([1, 1, 1 << 31], [1, 0, 0])[2], [0, 1, 0]);
        assert_eq!(of([1, 1, 1 << 31], [-1, 0, 0])[2], [0, -1, 0]);
        // Entries are below 2.
        assert_eq!(of([1, 1, 1], [-9, 0, 0]), [[0; 3], [0, 0, i32::MAX], [0, -i32::MAX, 0]]);
    }

    #[test]
    fn a_quarter_turned_body_has_its_own_axes() {
        // Its x is the world's y and its y the world's -x.
        let axes = [[0, ONE, 0], [-ONE, 0, 0], [0, 0, ONE]];
        let found = levers(axes, [10, 20, 40], Vec3::from_raw([0, 0, 10]));
        assert_eq!(found, [[ONE, 0, 0], [0, ONE / 2, 0], [0; 3]]);
    }

    #[test]
    fn equals_the_fractions() {
        let mut most = 0;
        for case in 0..4_000 {
            let mut draws = Rng::new(22).at(0, case, 0);
            let bits = draws.between(4, 41);
            let arm = [(); 3].map(|()| draws.between(-(1 << bits), 1 << bits));
            // From a little below the smallest gyration of a box of that size to far above it.
            let gyration = [(); 3].map(|()| (1 << bits) / draws.between(1, 3) + draws.between(1, 1 << bits));
            let axes = axes(case);
            let found = levers(axes, gyration, Vec3::from_raw(arm));
            for k in 0..3 {
                for (i, &lever) in found[k].iter().enumerate() {
                    let (j, l) = ((i + 1) % 3, (i + 2) % 3);
                    let product = |a: usize, b: usize| BigInt::from(axes[k][a]) * arm[b];
                    let exact = BigRational::new(product(j, l) - product(l, j), BigInt::from(gyration[k]));
                    let end = BigRational::from(BigInt::from(i32::MAX));
                    let within = exact.clamp(-end.clone(), end);
                    let error = within - BigRational::from(BigInt::from(lever));
                    let half = BigRational::new(BigInt::from(1), BigInt::from(2));
                    assert!(error <= half && -error <= half, "{case}: {k} {i}");
                    most = most.max(lever.abs());
                }
            }
        }
        assert_eq!(most, i32::MAX, "none is far out");
    }

    #[test]
    fn no_point_of_a_box_has_levers_of_two() {
        let mut most = 0;
        for case in 0..2_000 {
            let mut draws = Rng::new(23).at(0, case, 0);
            let half = [(); 3].map(|()| draws.between(1 << 30, 1 << 34));
            let square = |i: usize| (half[i] as u128).pow(2);
            let gyration =
                [0, 1, 2].map(|k| sqrt_floor((square((k + 1) % 3) + square((k + 2) % 3)) / 3) as i64);
            let axes = axes(case);
            // A corner: all three half edges.
            let corner = [0, 1, 2].map(|i: usize| {
                let wide: i128 = (0..3).map(|k| i128::from(axes[k][i]) * i128::from(half[k])).sum();
                (wide >> LEVER_BITS) as i64
            });
            for row in levers(axes, gyration, Vec3::from_raw(corner)) {
                let length = sqrt_floor(row.iter().map(|&c| (i128::from(c) * i128::from(c)) as u128).sum());
                assert!(length * 100 < 174 << LEVER_BITS, "{case}: {length}");
                most = most.max(length);
            }
        }
        assert!(most * 10 > 17 << LEVER_BITS, "{most}");
    }

    #[test]
    fn mirrors_and_permutations_carry_over_to_the_bit() {
        for case in 0..500 {
            let mut draws = Rng::new(24).at(0, case, 0);
            let arm = [(); 3].map(|()| draws.between(-(1 << 33), 1 << 33));
            let gyration = [(); 3].map(|()| draws.between(1 << 32, 1 << 33));
            let axes = axes(case);
            let found = levers(axes, gyration, Vec3::from_raw(arm));
            assert_eq!(
                levers(axes, gyration, -Vec3::from_raw(arm)),
                found.map(|row| row.map(|c: i32| -c)),
                "{case}"
            );
            // Rotation is reversed in a mirror.
            let mirror = |[x, y, z]: [i32; 3]| [-x, y, z];
            let image = levers(axes.map(mirror), gyration, Vec3::from_raw([-arm[0], arm[1], arm[2]]));
            assert_eq!(image, found.map(|row| mirror(row).map(|c| -c)), "{case}");
            let turn = |[x, y, z]: [i32; 3]| [y, z, x];
            let image = levers(axes.map(turn), gyration, Vec3::from_raw([arm[1], arm[2], arm[0]]));
            assert_eq!(image, found.map(turn), "{case}");
            // The order of the axes makes no difference.
            let swapped = [gyration[1], gyration[0], gyration[2]];
            let image = levers([axes[1], axes[0], axes[2]], swapped, Vec3::from_raw(arm));
            assert_eq!(image, [found[1], found[0], found[2]], "{case}");
        }
    }
}
