//! Rays against balls and boxes.

use bitstep::{
    geom::{Normal, Vec3},
    num::{Scalar, Toi, lit},
    overlap::overlap_sphere_sphere,
    sweep::{Hit, sweep_ray_aabb, sweep_ray_sphere, sweep_sphere_sphere},
};
use num_rational::BigRational;

use crate::oracle::{self, RoundPair, Source, Symmetry, ratio};

fn toi(fraction: &str) -> Toi {
    Toi::from_raw(lit(fraction).to_bits() as u64).unwrap()
}

// ---------------------------------------------------------------- balls

#[test]
fn rays_meet_balls_as_worked_by_hand() {
    let time = |offset, way, radius| sweep_ray_sphere(offset, way, radius).map(|hit| hit.toi);
    let one = lit("1");
    // On each axis: 3 of 8.
    for (x, y, z) in [(8_i32, 0_i32, 0_i32), (0, 8, 0), (0, 0, 8), (-8, 0, 0), (0, -8, 0), (0, 0, -8)] {
        let way = Vec3::new(x.into(), y.into(), z.into());
        let center = way.map_raw(|c| c / 2);
        assert_eq!(time(center, way, one), Some(toi("0.375")));
        let axis = Normal::new(x.signum(), y.signum(), z.signum());
        let normal = sweep_ray_sphere(center, way, one).unwrap().normal.components();
        assert_eq!(normal.map(i32::signum), axis.components());
        // Cut short of it, and just long enough.
        let part = |times: i64| way.map_raw(|c| c / 1_000 * times);
        assert_eq!(time(center, part(374), one), None);
        assert!(time(center, part(376), one).is_some());
    }
    // Off the axis by 0.3 of 1: (4 - sqrt 0.91) of 8 = 0.3807577...
    let offset = time(Vec3::lit("4", "0.3", "0"), Vec3::lit("8", "0", "0"), one).unwrap();
    assert_eq!((offset.raw() * 10_000_000) >> 32, 3_807_575);
    // Along the diagonal of a cube of 8: (sqrt 48 - 1) / sqrt 192 = 0.4278312...
    let diagonal = time(Vec3::lit("4", "4", "4"), Vec3::lit("8", "8", "8"), one).unwrap();
    assert_eq!((diagonal.raw() * 10_000_000) >> 32, 4_278_312);
    // Grazes at 0.999 and at 1, misses at 1.001; past the ball.
    assert!(time(Vec3::lit("4", "0.999", "0"), Vec3::lit("8", "0", "0"), one).is_some());
    assert_eq!(time(Vec3::lit("4", "1", "0"), Vec3::lit("8", "0", "0"), one), Some(toi("0.5")));
    assert_eq!(time(Vec3::lit("4", "1.001", "0"), Vec3::lit("8", "0", "0"), one), None);
    assert_eq!(time(Vec3::lit("-4", "0", "0"), Vec3::lit("8", "0", "0"), one), None);
}

#[test]
fn rays_that_start_in_or_on_a_ball() {
    let one = lit("1");
    for way in [Vec3::lit("3", "0", "0"), Vec3::lit("-3", "0", "0"), Vec3::lit("0", "0.001", "-7")] {
        let along = Normal::from_vector(way).unwrap();
        let at_once = Some(Hit { toi: Toi::START, normal: along });
        assert_eq!(sweep_ray_sphere(Vec3::lit("0.5", "0", "0"), way, one), at_once);
        assert_eq!(sweep_ray_sphere(Vec3::ZERO, way, one), at_once);
    }
    assert_eq!(sweep_ray_sphere(Vec3::lit("0.5", "0", "0"), Vec3::ZERO, one), None);
    let surface = Vec3::lit("1", "0", "0");
    let entering = sweep_ray_sphere(surface, Vec3::lit("0.1", "4", "0"), one);
    assert_eq!(entering, Some(Hit { toi: Toi::START, normal: Normal::from_vector(surface).unwrap() }));
    assert_eq!(sweep_ray_sphere(surface, Vec3::lit("0", "4", "0"), one), None);
    assert_eq!(sweep_ray_sphere(surface, Vec3::lit("-0.1", "4", "0"), one), None);
}

#[test]
fn a_ray_is_a_sweep_of_a_point_from_outside() {
    let (mut source, mut hits, mut inside) = (Source::new(31), 0, 0);
    for case in 0..oracle::cases(60_000) {
        let pair = RoundPair { gap: 0, ..source.round_pair(case) };
        let ray = sweep_ray_sphere(pair.offset, -pair.motion, pair.reach());
        if overlap_sphere_sphere(pair.offset, pair.reach()) {
            assert_eq!(ray.map(|hit| hit.normal), Normal::from_vector(-pair.motion));
            assert!(ray.is_none_or(|hit| hit.toi == Toi::START));
            inside += 1;
        } else {
            let swept = sweep_sphere_sphere(pair.offset, pair.motion, pair.reach(), Scalar::ZERO);
            assert_eq!(ray, swept, "{pair:?}");
            hits += i32::from(ray.is_some());
        }
    }
    assert!(hits > 8_000 && inside > 8_000, "{hits} {inside}");
}

/// Ways far beyond what a body moves in a tick, judged in big fractions.
#[test]
fn long_rays_are_never_late() {
    let (mut source, mut hits, mut misses) = (Source::new(32), 0, 0);
    for _ in 0..oracle::cases(4_000) {
        let radius = source.scaled(1 << 46).max(1 << 20);
        let distance = source.between(radius + 1, 1 << 56);
        let center = source.on_sphere(distance);
        let miss = source.between(0, 2 * radius);
        let target = center + source.on_sphere(miss);
        let way = target.map_raw(|c| (i128::from(c) * 3 / 2).clamp(-(1 << 57), 1 << 57) as i64);
        let [a, b, c] =
            [way.dot_wide(way), -center.dot_wide(way), center.dot_wide(center) - i128::from(radius).pow(2)]
                .map(oracle::big);
        let meets =
            b < oracle::big(0) && &b * &b >= &a * &c && (-&b <= a || &a + 2 * &b + &c <= oracle::big(0));
        let Some(hit) = sweep_ray_sphere(center, way, Scalar::from_bits(radius)) else {
            assert!(!meets, "missed: {center:?} {way:?} {radius}");
            misses += 1;
            continue;
        };
        hits += 1;
        let at = |toi: u64| -> BigRational {
            let u = ratio(toi, 1_u64 << 32);
            (ratio(a.clone(), 1) * &u + ratio(2 * &b, 1)) * &u + ratio(c.clone(), 1)
        };
        assert!(at(hit.toi.raw()) >= ratio(0, 1), "late: {center:?} {way:?} {radius}");
        assert!(hit.normal.is_valid() && hit.normal.dot_wide(way) > 0);
        // Off the surface by less than |way| * 2^-32, up and the loss for small balls.
        let step = oracle::big(way.length_squared_wide().isqrt() >> 32) + 1;
        let lost = oracle::big(center.length_squared_wide() >> 56) / radius;
        let far = oracle::big(radius) + step + lost + 1;
        let square = at(hit.toi.raw()) + ratio(oracle::big(radius) * radius, 1);
        assert!(square <= ratio(&far * &far, 1), "early: {center:?} {way:?} {radius} {hit:?}");
    }
    assert!(hits > 1_000 && misses > 500, "{hits} {misses}");
}

// ---------------------------------------------------------------- boxes

#[test]
fn rays_meet_boxes_as_worked_by_hand() {
    let unit = Vec3::lit("1", "1", "1");
    let hit = |from: Vec3, way| sweep_ray_aabb(-from, way, unit);
    let at = |fraction, x, y, z| Some(Hit { toi: toi(fraction), normal: Normal::new(x, y, z) });
    // Through the middle: a quarter of the way. Ends inside: half. Ends on the face: all of it.
    assert_eq!(hit(Vec3::lit("-2", "0", "0"), Vec3::lit("4", "0", "0")), at("0.25", 1, 0, 0));
    assert_eq!(hit(Vec3::lit("0", "2", "0"), Vec3::lit("0", "-2", "0")), at("0.5", 0, -1, 0));
    assert_eq!(hit(Vec3::lit("0", "0", "-3"), Vec3::lit("0", "0", "2")), at("1", 0, 0, 1));
    assert_eq!(hit(Vec3::lit("0", "0", "-3"), Vec3::lit("0", "0", "1.9999999998")), None);
    // From 1.1 toward the box by 1, on every axis and side: 0.1 of the way. Away: nothing.
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1), (axis, -1)]) {
        let place = |length: &str| {
            let mut raw = [0; 3];
            raw[axis] = sign * length.parse::<Scalar>().unwrap().to_bits();
            Vec3::from_raw(raw)
        };
        let tenth = hit(place("1.1"), -place("1")).unwrap();
        assert_eq!(tenth.toi.raw(), lit("0.1").to_bits() as u64, "{axis} {sign}");
        assert_eq!(hit(place("1.1"), place("1")), None);
    }
    // Misses: beside it, in front of it, behind the ray.
    assert_eq!(hit(Vec3::lit("-2", "1.5", "0"), Vec3::lit("4", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("-2", "-3", "0"), Vec3::lit("4", "2", "0")), None);
    assert_eq!(hit(Vec3::lit("2", "0", "0"), Vec3::lit("4", "0", "0")), None);
    // A third of the way: through a face, across an edge, into a corner.
    let third = Toi::from_raw(0x5555_5555).unwrap();
    let face = hit(Vec3::lit("-3", "0.5", "0.5"), Vec3::lit("6", "0", "0")).unwrap();
    assert_eq!((face.toi, face.normal), (third, Normal::X));
    let edge = hit(Vec3::lit("-3", "-3", "0"), Vec3::lit("6", "6", "0")).unwrap();
    assert_eq!((edge.toi, edge.normal), (third, Normal::new(1, 1, 0)));
    let corner = hit(Vec3::lit("-3", "3", "-3"), Vec3::lit("6", "-6", "6")).unwrap();
    assert_eq!((corner.toi, corner.normal), (third, Normal::new(1, -1, 1)));
    // It touches the edge between +x and -y in one point; it slides along a face, and along an edge.
    assert_eq!(hit(Vec3::lit("0", "-2", "0"), Vec3::lit("4", "4", "0")), at("0.25", 0, 1, 0));
    assert_eq!(hit(Vec3::lit("-3", "1", "0"), Vec3::lit("6", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("-3", "1", "1"), Vec3::lit("6", "0", "0")), None);
}

#[test]
fn rays_that_start_in_or_on_a_box() {
    let unit = Vec3::lit("1", "1", "1");
    for way in [Vec3::lit("1", "0", "0"), Vec3::lit("-0.1", "0.2", "9"), Vec3::lit("0", "0", "-1")] {
        let hit = sweep_ray_aabb(Vec3::lit("0.5", "-0.5", "0"), way, unit);
        assert_eq!(hit, Some(Hit { toi: Toi::START, normal: Normal::from_vector(way).unwrap() }));
    }
    // A point in it, and a point outside.
    assert_eq!(sweep_ray_aabb(Vec3::ZERO, Vec3::ZERO, unit), None);
    assert_eq!(sweep_ray_aabb(Vec3::lit("3", "0", "0"), Vec3::ZERO, unit), None);
    // On a face: in, along, out. On the far face: out.
    let face = Vec3::lit("1", "0", "0");
    let entering = sweep_ray_aabb(face, Vec3::lit("0.1", "4", "0"), unit);
    assert_eq!(entering, Some(Hit { toi: Toi::START, normal: Normal::X }));
    assert_eq!(sweep_ray_aabb(face, Vec3::lit("0", "4", "0"), unit), None);
    assert_eq!(sweep_ray_aabb(face, Vec3::lit("-1", "4", "0"), unit), None);
}

/// The exact answer by fractions: the last entry over the axes, unless an exit comes before it.
fn exact_box(offset: Vec3, way: Vec3, half: Vec3) -> Option<(BigRational, [i32; 3])> {
    let (w, d, h) = (oracle::exact(offset), oracle::exact(way), oracle::exact(half));
    let zero = ratio(0, 1);
    let (mut enter, mut exit): (Option<BigRational>, Option<BigRational>) = (None, None);
    let mut entries = Vec::new();
    for axis in 0..3 {
        let (low, high) = (&w[axis] - &h[axis], &w[axis] + &h[axis]); // faces seen from the ray
        if d[axis] == zero {
            if low >= zero || high <= zero {
                return None;
            }
            continue;
        }
        let (mut near, mut far) = (low / &d[axis], high / &d[axis]);
        if near > far {
            std::mem::swap(&mut near, &mut far);
        }
        if far <= zero {
            return None;
        }
        let sign = if d[axis] < zero { -1 } else { 1 };
        entries.push((near.clone(), axis, sign));
        enter = Some(enter.map_or(near.clone(), |t| t.max(near)));
        exit = Some(exit.map_or(far.clone(), |t| t.min(far)));
    }
    let (enter, exit) = (enter?, exit?);
    if enter > exit || enter > ratio(1, 1) || enter < zero {
        return (enter < zero && enter <= exit).then_some((enter, [0; 3]));
    }
    let mut normal = [0; 3];
    for (_, axis, sign) in entries.into_iter().filter(|(near, ..)| *near == enter) {
        normal[axis] = sign;
    }
    Some((enter, normal))
}

fn box_case(source: &mut Source, case: u64) -> (Vec3, Vec3, Vec3) {
    let (size, far) = [(4, 12), (1 << 44, 1 << 45), (1 << 57, 1 << 57)][(case % 3) as usize];
    let far: i64 = far;
    let half = match case % 5 {
        0 => Vec3::from_raw([size / 2; 3]),
        _ => source.vector(size).map_raw(i64::abs),
    };
    let away = source.any_vector(far);
    let offset = (source.any_mirror(half) + away).map_raw(|c| c.clamp(-far, far));
    let way = match case % 4 {
        0 => source.any_vector(far),
        // To a corner, to the middle of an edge, to a point of the box: over it, to it, short of it.
        _ => {
            let inside = half.map_raw(|c| match case % 4 {
                1 => c,
                2 => [0, c][source.between(0, 1) as usize],
                _ => source.between(0, c),
            });
            let target = offset + source.any_mirror(inside);
            let times = i128::from(source.between(0, 4));
            target.map_raw(|c| ((i128::from(c) * times / 2) as i64).clamp(-far, far))
        }
    };
    (offset, way, half)
}

#[test]
fn rays_meet_boxes_at_the_floor_of_the_exact_time() {
    let (mut source, mut hits, mut inside, mut ties) = (Source::new(33), 0, 0, 0);
    for case in 0..oracle::many_cases(40_000) {
        let (offset, way, half) = box_case(&mut source, case);
        let answer = sweep_ray_aabb(offset, way, half);
        let expected = exact_box(offset, way, half).and_then(|(enter, [x, y, z])| {
            if enter < ratio(0, 1) {
                inside += 1;
                return Some(Hit { toi: Toi::START, normal: Normal::from_vector(way)? });
            }
            hits += 1;
            ties += u64::from(x * x + y * y + z * z > 1);
            let raw = (enter * ratio(1_u64 << 32, 1)).floor().to_integer();
            let toi = Toi::from_raw(u64::try_from(raw).unwrap())?;
            Some(Hit { toi, normal: Normal::new(x, y, z) })
        });
        assert_eq!(answer, expected, "{offset:?} {way:?} {half:?}");
    }
    println!("{hits} {inside} {ties}");
    let [some, few] = [6_000, 1_000].map(oracle::many_cases);
    assert!(hits > some && inside > few && ties > few, "{hits} {inside} {ties}");
}

// ---------------------------------------------------------------- what must not matter

#[test]
fn mirrored_and_permuted_rays_hit_alike() {
    let (mut source, mut hits) = (Source::new(34), 0);
    for case in 0..oracle::cases(3_000) {
        let (offset, way, half) = box_case(&mut source, case);
        let pair = source.round_pair(case);
        let all = |symmetry: &Symmetry| {
            let of = |vector| symmetry.of(vector);
            [
                sweep_ray_aabb(of(offset), of(way), symmetry.of_extent(half)),
                sweep_ray_sphere(of(pair.offset), of(pair.motion), pair.reach()),
            ]
        };
        let symmetries = Symmetry::all();
        let expected = all(&symmetries[0]);
        hits += expected.iter().flatten().count();
        for symmetry in &symmetries {
            let turn = |hit: Hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit };
            assert_eq!(all(symmetry), expected.map(|hit| hit.map(turn)), "{offset:?} {way:?} {pair:?}");
        }
    }
    assert!(hits > 1_000, "{hits}");
}
