//! Vectors, normals and boxes along the axes, against exact integers.

use bitstep::{
    geom::{Aabb, Normal, Vec3, vec2},
    num::{Scalar, lit},
};

use crate::oracle::{self, Source, Symmetry, big};

fn v(x: &str, y: &str, z: &str) -> Vec3 {
    Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap())
}

fn raw(x: i64, y: i64, z: i64) -> Vec3 {
    Vec3::from_raw([x, y, z])
}

#[test]
fn vectors_worked_by_hand() {
    assert_eq!(vec2(lit("3"), lit("-4")), v("3", "-4", "0"));
    assert_eq!(Vec3::splat(lit("2.5")), v("2.5", "2.5", "2.5"));
    assert_eq!(v("1", "2", "3").raw(), [1 << 32, 2 << 32, 3 << 32]);
    assert_eq!(raw(1, -2, 3).map_raw(|c| 10 * c + 1), raw(11, -19, 31));
    assert_eq!(raw(1, -5, 3).min(raw(-1, 2, 3)), raw(-1, -5, 3));
    assert_eq!(raw(1, -5, 3).max(raw(-1, 2, 3)), raw(1, 2, 3));
    assert_eq!(raw(7, 8, 9) + raw(1, -2, 3), raw(8, 6, 12));
    assert_eq!(raw(7, 8, 9) - raw(1, -2, 3), raw(6, 10, 6));
    assert_eq!(-raw(7, -8, 0), raw(-7, 8, 0));
    assert_eq!(raw(1, 2, 3).dot_wide(raw(4, -5, 6)), 12);
    assert_eq!(raw(1, 2, 3).cross_wide(raw(4, -5, 6)), [27, 6, -13]);
    assert_eq!(raw(2, -3, 6).length_squared_wide(), 49);
    assert!(raw(9, -9, 0).within(Scalar::from_bits(9)) && !raw(9, -10, 0).within(Scalar::from_bits(9)));
}

/// Products of whatever a scalar holds, as big integers have them; a dot product of three up to half of it.
#[test]
fn products_of_vectors_are_exact() {
    let (mut source, mut wide) = (Source::new(71), 0);
    for case in 0..oracle::cases(20_000) {
        let most = [1 << 3, 1 << 31, 1 << 45, i64::MAX / 2][(case % 4) as usize];
        let (p, q) = (source.any_vector(most), source.any_vector(most));
        let ([a, b, c], [x, y, z]) = (p.raw().map(big), q.raw().map(big));
        assert_eq!(big(p.dot_wide(q)), &a * &x + &b * &y + &c * &z);
        let cross = [&b * &z - &c * &y, &c * &x - &a * &z, &a * &y - &b * &x];
        assert_eq!(p.cross_wide(q).map(big), cross);
        assert_eq!(big(p.length_squared_wide()), &a * &a + &b * &b + &c * &c);
        let normal = Normal::new(x_of(q, 0), x_of(q, 1), x_of(q, 2));
        let [i, j, k] = normal.components().map(big);
        assert_eq!(big(normal.dot_wide(p)), &a * &i + &b * &j + &c * &k);
        assert_eq!(big(normal.length_squared()), &i * &i + &j * &j + &k * &k);
        wide += i32::from(p.dot_wide(q).unsigned_abs() > 1 << 100);
    }
    assert!(wide > 500, "{wide}");
}

/// A component of a vector as one that a normal can have.
fn x_of(vector: Vec3, axis: usize) -> i32 {
    (vector.raw()[axis] >> 33) as i32
}

/// Of the length rounded up: its square is at least the exact one, that of one less is not.
#[test]
fn lengths_of_normals_are_rounded_up() {
    let mut source = Source::new(72);
    for case in 0..oracle::cases(20_000) {
        let most = [3, 1 << 10, 1 << 30][(case % 3) as usize];
        let [x, y, z] = source.any_vector(most).raw().map(|c| c as i32);
        let normal = Normal::new(x, y, z);
        assert_eq!(normal.is_valid(), [x, y, z] != [0; 3]);
        let square = big(normal.length_squared());
        for (length, shift) in [(normal.length_up(), 0_u32), (normal.length_up_q32(), 64)] {
            let exact = &square << shift;
            assert!(big(length).pow(2) >= exact, "{normal:?}");
            assert!(length == 0 || big(length - 1).pow(2) < exact, "{normal:?}");
        }
    }
    assert!(!Normal::new((1 << 30) + 1, 0, 0).is_valid() && !Normal::new(0, 0, i32::MIN).is_valid());
    assert_eq!((Normal::X.components(), Normal::Y.components()), ([1, 0, 0], [0, 1, 0]));
    assert_eq!((Normal::Z.components(), -Normal::Z), ([0, 0, 1], Normal::new(0, 0, -1)));
}

/// The normal of a vector is the nearest of 30 bits, at all widths, and the same by the wide way.
#[test]
fn normals_of_vectors_are_the_nearest() {
    let (mut source, mut rounded) = (Source::new(73), 0);
    for case in 0..oracle::cases(20_000) {
        let most = [1 << 4, 1 << 30, 1 << 34, 1 << 61, i64::MAX][(case % 5) as usize];
        let vector = source.any_vector(most);
        let Some(normal) = Normal::from_vector(vector) else {
            assert_eq!(vector, Vec3::ZERO);
            continue;
        };
        assert_eq!(Normal::from_wide(vector.raw().map(i128::from)), Some(normal));
        let bits = vector.raw().into_iter().map(|c| 64 - c.unsigned_abs().leading_zeros()).max().unwrap();
        let shift = bits.saturating_sub(Normal::BITS);
        for (part, exact) in normal.components().into_iter().zip(vector.raw()) {
            let off = (i128::from(part) << shift) - i128::from(exact);
            assert!(2 * off.abs() <= 1 << shift, "{vector:?} {normal:?}");
            // Halves away from zero.
            assert!(2 * off.abs() < 1 << shift || shift == 0 || off.signum() == i128::from(exact.signum()));
            rounded += i32::from(off != 0);
        }
        let long = normal.lengthened();
        let times = i64::from(long.x) * i64::from(normal.x)
            + i64::from(long.y) * i64::from(normal.y)
            + i64::from(long.z) * i64::from(normal.z);
        assert_eq!(
            i128::from(times).pow(2),
            i128::from(long.length_squared()) * i128::from(normal.length_squared())
        );
        assert!(long.components().into_iter().any(|part| part.unsigned_abs() >= 1 << 29) && long.is_valid());
    }
    assert!(rounded > 10_000, "{rounded}");
}

#[test]
fn boxes_worked_by_hand() {
    let cuboid = Aabb::around(v("1", "2", "3"), v("1", "0.5", "4"));
    assert_eq!(cuboid, Aabb { min: v("0", "1.5", "-1"), max: v("2", "2.5", "7") });
    assert_eq!(
        cuboid.inflate(v("1", "2", "3")),
        Aabb { min: v("-1", "-0.5", "-4"), max: v("3", "4.5", "10") }
    );
    assert_eq!(cuboid.pad(lit("1")), Aabb { min: v("-1", "0.5", "-2"), max: v("3", "3.5", "8") });
    let other = Aabb { min: v("-1", "2", "0"), max: v("0.5", "9", "1") };
    assert_eq!(cuboid.union(other), Aabb { min: v("-1", "1.5", "-1"), max: v("2", "9", "7") });
    assert!(cuboid.holds(&cuboid) && cuboid.touches(&cuboid));
}

/// Boxes of few different coordinates against what a definition by intervals says, on each axis alone and together.
#[test]
fn boxes_touch_and_hold_as_their_intervals_do() {
    let (mut source, mut touching, mut held, mut apart) = (Source::new(74), 0, 0, 0);
    for _ in 0..oracle::cases(40_000) {
        let [p, q] = [(); 2].map(|()| {
            let corners =
                [(); 2].map(|()| raw(source.between(0, 5), source.between(0, 5), source.between(0, 5)));
            Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) }
        });
        let axes = [0, 1, 2].map(|axis: usize| {
            let interval = |cuboid: &Aabb| cuboid.min.raw()[axis]..=cuboid.max.raw()[axis];
            (interval(&p), interval(&q))
        });
        let meets = axes.iter().all(|(a, b)| a.clone().any(|at| b.contains(&at)));
        let holds = axes.iter().all(|(a, b)| b.clone().all(|at| a.contains(&at)));
        assert_eq!((p.touches(&q), q.touches(&p), p.holds(&q)), (meets, meets, holds), "{p:?} {q:?}");
        let both = p.union(q);
        assert!(both.holds(&p) && both.holds(&q));
        for symmetry in Symmetry::all() {
            let image = |cuboid: &Aabb| {
                let [a, b] = [cuboid.min, cuboid.max].map(|corner| symmetry.of(corner));
                Aabb { min: a.min(b), max: a.max(b) }
            };
            assert_eq!((image(&p).touches(&image(&q)), image(&p).holds(&image(&q))), (meets, holds));
            assert_eq!(image(&p).union(image(&q)), image(&both));
        }
        touching += i32::from(meets);
        held += i32::from(holds);
        apart += i32::from(!meets);
    }
    assert!(touching > 5_000 && held > 500 && apart > 5_000, "{touching} {held} {apart}");
}
