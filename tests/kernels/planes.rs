//! Planes: through three points, from a point and a normal, and the height of a point over them.

use bitstep::{
    geom::{GeomError, Normal, Plane, Vec3},
    num::{Scalar, lit},
};
use num_bigint::BigInt;

use crate::oracle::{self, ONE, Source, Symmetry, big};

/// The exact difference of two points.
fn apart(from: Vec3, to: Vec3) -> [BigInt; 3] {
    let (from, to) = (from.raw(), to.raw());
    [0, 1, 2].map(|axis: usize| big(to[axis]) - from[axis])
}

/// The exact cross product.
fn cross(p: &[BigInt; 3], q: &[BigInt; 3]) -> [BigInt; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j): (usize, usize)| &p[i] * &q[j] - &p[j] * &q[i])
}

fn dot(p: &[BigInt; 3], q: &[BigInt; 3]) -> BigInt {
    &p[0] * &q[0] + &p[1] * &q[1] + &p[2] * &q[2]
}

fn components(normal: Normal) -> [BigInt; 3] {
    normal.components().map(big)
}

/// Slanted planes with short integer normals: the expected normals are cross products worked by hand.
#[test]
fn planes_through_three_points_worked_by_hand() {
    // Edges (2, 0, -1) and (0, 3, -1): cross product (3, 2, 6), length 7.
    let plane =
        Plane::from_points(Vec3::lit("1", "1", "1"), Vec3::lit("3", "1", "0"), Vec3::lit("1", "4", "0"))
            .unwrap();
    let [x, y, z] = plane.normal().components();
    assert_eq!((2 * x, 3 * y, z), (z, z, z));
    assert!(z > 0);
    assert_eq!(plane.point(), Vec3::lit("1", "1", "1"));
    // Along the normal (3, 2, 6) by one, 7 units; against it; beside it on the plane.
    assert_eq!(plane.signed_distance(Vec3::lit("4", "3", "7")), lit("7"));
    assert_eq!(plane.signed_distance(Vec3::lit("-2", "-1", "-5")), lit("-7"));
    assert_eq!(plane.signed_distance(Vec3::lit("3", "4", "-1")), lit("0"));
    // The origin is behind: 3 + 2 + 6 over 7.
    assert_eq!(plane.signed_distance(Vec3::ZERO), -Scalar::from_bits((11 * ONE + 3) / 7));
    // From the other side.
    let back =
        Plane::from_points(Vec3::lit("1", "1", "1"), Vec3::lit("1", "4", "0"), Vec3::lit("3", "1", "0"))
            .unwrap();
    assert_eq!(back.normal(), -plane.normal());
    // Edges of 3 and 4 raw, so the normal is exact although it is short.
    let small = |x, y, z| Vec3::from_raw([x, y, z]);
    let plane = Plane::from_points(small(5, 5, 5), small(8, 5, 9), small(5, 6, 5)).unwrap();
    assert_eq!(plane.normal(), Normal::new(-4, 0, 3).lengthened());
}

#[test]
fn points_that_make_no_plane_are_refused() {
    let (a, b) = (Vec3::lit("1", "-2", "3"), Vec3::lit("4", "5", "-6"));
    let beyond = a + (b - a).map_raw(|raw| 3 * raw);
    for points in [[a, a, b], [a, b, a], [b, a, a], [a, a, a], [a, b, beyond], [beyond, a, b]] {
        let [p, q, r] = points;
        assert_eq!(Plane::from_points(p, q, r), Err(GeomError::NoNormal), "{points:?}");
    }
    assert_eq!(Plane::from_point_normal(a, Normal::new(0, 0, 0)), Err(GeomError::NoNormal));
    // 2^30 units apart is too far, one raw less is not.
    let far = |raw: i64| Vec3::from_raw([0, raw, 0]);
    let plane = Plane::from_points(far(-1), far((1 << 62) - 2), Vec3::from_raw([(1 << 62) - 1, -1, 0]));
    assert_eq!(plane.unwrap().normal(), Normal::new(0, 0, -(1 << 30)));
    assert_eq!(
        Plane::from_points(far(-1), far((1 << 62) - 1), Vec3::lit("1", "0", "0")),
        Err(GeomError::TooFarApart(1 << 30))
    );
    assert_eq!(
        Plane::from_points(far(-1), Vec3::lit("1", "0", "0"), far((1 << 62) - 1)),
        Err(GeomError::TooFarApart(1 << 30))
    );
    let ends = [far(i64::MIN), far(i64::MAX), Vec3::lit("1", "0", "0")];
    assert_eq!(Plane::from_points(ends[0], ends[1], ends[2]), Err(GeomError::TooFarApart(u32::MAX)));
}

/// Each component of the normal is the nearest to the exact one, at the scale at which the largest has 30 bits.
fn is_nearest(normal: Normal, exact: &[BigInt; 3]) -> bool {
    let most = exact.iter().map(|c| c.magnitude().bits()).max().unwrap();
    let (up, down) = (Normal::BITS as u64, most);
    components(normal).iter().zip(exact).all(|(found, c)| {
        // Scaled so that both sides are integers: |found * 2^down - c * 2^up| is at most half of 2^down.
        let off: BigInt = (found << down) - (c << up);
        // A largest component that rounds up to 2^30 stays there.
        off.magnitude() * 2_u32 <= *(big(1) << down).magnitude()
    })
}

/// Through `a` exactly, beside `b` and `c` by less than 2^-29 of their distance: squared, in integers.
fn passes(plane: &Plane, a: Vec3, corner: Vec3) -> bool {
    let normal = components(plane.normal());
    let way = apart(a, corner);
    let height = dot(&normal, &way);
    (&height * &height) << 58 < dot(&way, &way) * dot(&normal, &normal) || way == [0, 0, 0].map(big)
}

#[test]
fn planes_through_three_points_are_the_nearest() {
    let (mut source, mut slanted, mut refused, mut farthest) = (Source::new(61), 0, 0, 0_u64);
    for case in 0..oracle::many_cases(40_000) {
        // Wide and tiny triangles, needles, and points all over the widest worlds.
        let most = [1 << 4, 1 << 20, ONE, 1 << 40, 1 << 56, (1 << 60) - 9][(case % 6) as usize];
        let a = source.any_vector(most);
        let b = if case % 7 == 0 { a + source.vector(9) } else { source.any_vector(most) };
        let c = if case % 5 == 0 { b + source.vector(9) } else { source.any_vector(most) };
        let exact = cross(&apart(a, b), &apart(a, c));
        let Ok(plane) = Plane::from_points(a, b, c) else {
            assert_eq!(exact, [0, 0, 0].map(big), "{a:?} {b:?} {c:?}");
            refused += 1;
            continue;
        };
        assert_eq!(plane.point(), a);
        assert!(is_nearest(plane.normal(), &exact), "{a:?} {b:?} {c:?}");
        assert!(passes(&plane, a, b) && passes(&plane, a, c), "{a:?} {b:?} {c:?}");
        slanted += u64::from(plane.normal().components().iter().all(|&part| part != 0));
        // How far off the plane a point is, in 2^-32 of its distance.
        let (normal, way) = (components(plane.normal()), apart(a, b));
        let height = dot(&normal, &way);
        let relative =
            ((&height * &height) << 64_u32) / (dot(&way, &way) * dot(&normal, &normal)).max(big(1));
        farthest = farthest.max(u64::try_from(relative.sqrt()).unwrap());
        for symmetry in Symmetry::all() {
            let [p, q, r] = [a, b, c].map(|point| symmetry.of(point));
            let image = Plane::from_points(p, q, r).unwrap();
            let turned = symmetry.of(Vec3::from_raw(plane.normal().components().map(i64::from))).raw();
            let [x, y, z] = image.normal().components().map(i64::from);
            let sign = if [x, y, z] == turned { 1 } else { -1 };
            assert_eq!([x, y, z].map(|part| sign * part), turned, "a mirror exchanges the sides");
        }
        assert_eq!(Plane::from_points(a, c, b).unwrap().normal(), -plane.normal());
        assert_eq!(Plane::from_points(b, c, a).unwrap().normal(), plane.normal());
    }
    // The bound is not a loose one: 2^-29 is 8 of these.
    assert!(
        slanted > oracle::many_cases(25_000)
            && refused > oracle::many_cases(20)
            && (4..8).contains(&farthest),
        "{slanted} {refused} {farthest}"
    );
}

/// The signed distance is the nearest to the exact one, within a raw, whatever the length of the normal.
#[test]
fn distances_from_slanted_planes_are_the_nearest() {
    let (mut source, mut front, mut behind) = (Source::new(62), 0, 0);
    for case in 0..oracle::cases(20_000) {
        let most = [1 << 10, ONE, 1 << 40, 1 << 55][(case % 4) as usize];
        let [x, y, z] = [(); 3].map(|()| source.between(-(1 << 30), 1 << 30) as i32 >> (case % 29));
        let Ok(plane) = Plane::from_point_normal(source.any_vector(most), Normal::new(x, y, z)) else {
            continue;
        };
        let point = source.any_vector(most);
        let found = big(plane.signed_distance(point).to_bits());
        let height = dot(&components(plane.normal()), &apart(plane.point(), point));
        assert_eq!(height, big(plane.height_wide(point)));
        // found - 1 <= height / |n| <= found + 1, squared with its sign.
        let squared = |n: &BigInt| n * BigInt::from(n.magnitude().clone());
        let length = dot(&components(plane.normal()), &components(plane.normal()));
        let exact = squared(&height);
        assert!(squared(&(&found - 1)) * &length <= exact && exact <= squared(&(&found + 1)) * &length);
        front += i32::from(found > big(0));
        behind += i32::from(found < big(0));
    }
    assert!(front > 5_000 && behind > 5_000, "{front} {behind}");
}

#[test]
fn a_moved_plane_is_the_plane_through_the_moved_points() {
    let (a, b, c) = (Vec3::lit("1", "1", "1"), Vec3::lit("3", "1", "0"), Vec3::lit("1", "4", "0"));
    let (plane, offset) = (Plane::from_points(a, b, c).unwrap(), Vec3::lit("-7.25", "0.5", "1000"));
    assert_eq!(plane.moved(offset), Plane::from_points(a + offset, b + offset, c + offset).unwrap());
}
