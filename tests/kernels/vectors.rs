//! Vectors, normals and boxes along the axes, against exact integers.

use bitstep::{
    geom::{Aabb, Normal, Vec3, vec2},
    num::{Scalar, lit},
};

use crate::oracle::{self, Source, Symmetry, big};

fn raw(x: i64, y: i64, z: i64) -> Vec3 {
    Vec3::from_raw([x, y, z])
}

#[test]
fn vectors_worked_by_hand() {
    assert_eq!(vec2(lit("3"), lit("-4")), Vec3::lit("3", "-4", "0"));
    assert_eq!(Vec3::splat(lit("2.5")), Vec3::lit("2.5", "2.5", "2.5"));
    assert_eq!(Vec3::lit("1", "2", "3").raw(), [1 << 32, 2 << 32, 3 << 32]);
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

#[test]
fn operators_worked_by_hand() {
    const HELD: Vec3 = Vec3::lit("1", "-2", "0.5");
    assert_eq!(HELD, Vec3::new(lit("1"), lit("-2"), lit("0.5")));
    let parts = [lit("1"), lit("-2"), lit("0.5")];
    assert_eq!((Vec3::from(parts), <[Scalar; 3]>::from(HELD)), (HELD, parts));
    assert_eq!([HELD[0], HELD[1], HELD[2]], parts);
    let mut moved = HELD;
    moved += raw(3, 4, 5);
    assert_eq!(moved, HELD + raw(3, 4, 5));
    moved -= raw(3, 4, 5);
    assert_eq!(moved, HELD);
    let list = [raw(1, 2, 3), raw(-4, 5, 6), raw(7, 8, -9)];
    assert_eq!((list.iter().sum::<Vec3>(), list.into_iter().sum::<Vec3>()), (raw(4, 15, 0), raw(4, 15, 0)));
    assert_eq!(std::iter::empty::<Vec3>().sum::<Vec3>(), Vec3::ZERO);
    assert_eq!(HELD * lit("-4"), Vec3::lit("-4", "8", "-2"));
    // Halves away from zero, and what is less to zero.
    assert_eq!(raw(1, -1, 3) * lit("0.5"), raw(1, -1, 2));
    assert_eq!(raw(1, -1, 3) * lit("0.25"), raw(0, 0, 1));
    assert_eq!(Vec3::lit("1", "2", "3").dot(Vec3::lit("4", "-5", "6")), lit("12"));
    let half = Vec3::splat(lit("0.5"));
    assert_eq!((raw(1, 1, 1).dot(half), raw(-1, 0, 0).dot(half)), (Scalar::from_bits(2), -Scalar::DELTA));
    assert_eq!(Vec3::lit("2", "-3", "6").length(), lit("7"));
    assert_eq!((raw(1, 1, 0).length(), raw(1, 1, 1).length()), (Scalar::DELTA, Scalar::DELTA));
    assert_eq!(Vec3::ZERO.length(), Scalar::ZERO);
}

#[test]
fn results_beyond_the_scalar_panic() {
    let (least, most) = (Vec3::splat(Scalar::MIN), Vec3::splat(Scalar::MAX));
    let panics = |act: fn(Vec3) -> Scalar, vector| std::panic::catch_unwind(|| act(vector)).is_err();
    for vector in [least, most] {
        assert!(panics(|v| v.dot(v), vector) && panics(Vec3::length, vector));
        assert!(panics(|v| (v * lit("2")).x, vector));
    }
    assert!(panics(|v| v.dot(Vec3::splat(Scalar::MAX)), least) && panics(|v| (v * lit("-1")).x, least));
    assert!(panics(|v| v[3], Vec3::ZERO));
    assert_eq!(most * Scalar::ONE, most);
    assert_eq!(Vec3::new(Scalar::MAX, Scalar::ZERO, Scalar::ZERO).length(), Scalar::MAX);
    assert_eq!(least.dot(Vec3::lit("1", "0", "0")), Scalar::MIN);
}

/// Products that are rounded to a scalar, and lengths, against big integers.
#[test]
fn rounded_products_are_the_nearest() {
    let (mut source, mut rounded) = (Source::new(75), 0);
    for case in 0..oracle::cases(20_000) {
        let most = [1 << 3, 1 << 31, 1 << 34, 1 << 46][(case % 4) as usize];
        let (p, q) = (source.any_vector(most), source.any_vector(most));
        let is_nearest = |raw: i64, exact: i128| {
            let off = (i128::from(raw) << 32) - exact;
            2 * off.abs() < 1 << 32 || (2 * off.abs() == 1 << 32 && off.signum() == exact.signum())
        };
        assert!(is_nearest(p.dot(q).to_bits(), p.dot_wide(q)), "{p:?} {q:?}");
        for axis in 0..3 {
            let exact = i128::from(p[axis].to_bits()) * i128::from(q.x.to_bits());
            assert!(is_nearest((p * q.x)[axis].to_bits(), exact), "{p:?} {q:?}");
            rounded += i32::from(exact % (1 << 32) != 0);
        }
        assert_eq!(-p * q.x, -(p * q.x));
        let (length, square) = (big(p.length().to_bits()), big(p.length_squared_wide()));
        assert!(length.pow(2) <= square && (length + big(1)).pow(2) > square, "{p:?}");
    }
    assert!(rounded > 10_000, "{rounded}");
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
    let cuboid = Aabb::around(Vec3::lit("1", "2", "3"), Vec3::lit("1", "0.5", "4"));
    assert_eq!(cuboid, Aabb { min: Vec3::lit("0", "1.5", "-1"), max: Vec3::lit("2", "2.5", "7") });
    assert_eq!(
        cuboid.inflate(Vec3::lit("1", "2", "3")),
        Aabb { min: Vec3::lit("-1", "-0.5", "-4"), max: Vec3::lit("3", "4.5", "10") }
    );
    assert_eq!(
        cuboid.pad(lit("1")),
        Aabb { min: Vec3::lit("-1", "0.5", "-2"), max: Vec3::lit("3", "3.5", "8") }
    );
    let other = Aabb { min: Vec3::lit("-1", "2", "0"), max: Vec3::lit("0.5", "9", "1") };
    assert_eq!(
        cuboid.union(other),
        Aabb { min: Vec3::lit("-1", "1.5", "-1"), max: Vec3::lit("2", "9", "7") }
    );
    assert!(cuboid.holds(&cuboid) && cuboid.touches(&cuboid));
}

/// Boxes of few different coordinates against what a definition by intervals says, on each axis alone and together.
#[test]
fn boxes_touch_and_hold_as_their_intervals_do() {
    let (mut source, mut touching, mut held, mut apart) = (Source::new(74), 0, 0, 0);
    for _ in 0..oracle::many_cases(40_000) {
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
        touching += u64::from(meets);
        held += u64::from(holds);
        apart += u64::from(!meets);
    }
    let [some, few] = [5_000, 500].map(oracle::many_cases);
    assert!(touching > some && held > few && apart > some, "{touching} {held} {apart}");
}
