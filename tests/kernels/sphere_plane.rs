//! Ball against plane: overlap, one-sided and two-sided sweep, ray.

use bitstep::{
    geom::{Normal, Path, Plane, Vec3},
    num::{Scalar, Toi, lit},
    overlap::overlap_sphere_plane,
    sweep::{Hit, contact_center, sweep_ray_plane, sweep_sphere_plane, sweep_sphere_plane_two_sided},
};
use num_bigint::BigInt;

use crate::oracle::{self, ONE, Source, Symmetry, big};

// ---------------------------------------------------------------- by hand

fn toi(fraction: &str) -> Toi {
    Toi::from_raw(lit(fraction).to_bits() as u64).unwrap()
}

fn plane(point: Vec3, x: i32, y: i32, z: i32) -> Plane {
    Plane::from_point_normal(point, Normal::new(x, y, z)).unwrap()
}

#[test]
fn sweeps_worked_by_hand() {
    let floor = plane(Vec3::ZERO, 0, 0, 1);
    let down = -floor.normal();
    // The ball is at height 3 and falls by 4 (the floor, seen from it, comes up): (3 - 1) / 4.
    let (below, up) = (Vec3::lit("0", "0", "-3"), Vec3::lit("1", "7", "4"));
    let hit = |motion, radius, gap| sweep_sphere_plane(below, motion, radius, &floor, gap);
    assert_eq!(hit(up, lit("1"), lit("0")), Some(Hit { toi: toi("0.5"), normal: down }));
    assert_eq!(hit(up, lit("1"), lit("1")), Some(Hit { toi: toi("0.25"), normal: down }));
    // A segment's end point.
    assert_eq!(hit(up, lit("0"), lit("0")), Some(Hit { toi: toi("0.75"), normal: down }));
    // Exactly at the end; a raw short; parallel; away.
    assert_eq!(hit(Vec3::lit("0", "0", "2"), lit("1"), lit("0")).map(|hit| hit.toi), Some(Toi::END));
    assert_eq!(hit(Vec3::lit("0", "0", "1.9999999998"), lit("1"), lit("0")), None);
    assert_eq!(hit(Vec3::lit("9", "-9", "0"), lit("1"), lit("0")), None);
    assert_eq!(hit(Vec3::lit("0", "0", "-4"), lit("1"), lit("0")), None);
    // Touching, within the gap and behind: at once if deeper, else not.
    for (radius, gap) in [("3", "0"), ("2", "2"), ("4", "0")] {
        let (radius, gap) = (radius.parse().unwrap(), gap.parse().unwrap());
        let at_once = Some(Hit { toi: Toi::START, normal: down });
        assert_eq!(hit(Vec3::lit("0", "0", "0.0000000003"), radius, gap), at_once);
        assert_eq!(hit(Vec3::lit("5", "0", "0"), radius, gap), None);
        assert_eq!(hit(Vec3::lit("5", "0", "-1"), radius, gap), None);
    }
    let behind =
        sweep_sphere_plane(Vec3::lit("0", "0", "50"), Vec3::lit("0", "0", "1"), lit("1"), &floor, lit("0"));
    assert_eq!(behind, Some(Hit { toi: Toi::START, normal: down }));
    // Normal (3, 4, 0) of length 5, through (0, 0, 9) of a placement 10 along x from the ball:
    // height -(-6) = 6, closing speed 8; (6 - 2) / 8.
    let slope = plane(Vec3::lit("0", "0", "9"), -3, -4, 0);
    let hit =
        sweep_sphere_plane(Vec3::lit("10", "0", "0"), Vec3::lit("-8", "-4", "0"), lit("2"), &slope, lit("0"));
    assert_eq!(hit, Some(Hit { toi: toi("0.5"), normal: -slope.normal() }));
    // Triangle plane z = 0, ball of 0.2 from z = 15 by -30: (15 - 0.2) / 30 = 0.49333...
    let hit = sweep_sphere_plane(
        Vec3::lit("0", "0", "-15"),
        Vec3::lit("0", "0", "30"),
        lit("0.2"),
        &floor,
        lit("0"),
    );
    assert_eq!(hit.map(|hit| hit.toi.raw()), Some((15 * ONE - 858_993_459) as u64 / 30));
}

#[test]
fn a_sheet_is_hit_from_both_sides() {
    let sheet = plane(Vec3::ZERO, 0, 0, 1);
    let hit = |z: &str, dz: &str, gap: &str| {
        let (offset, motion) = (Vec3::lit("0", "0", z), Vec3::lit("5", "0", dz));
        sweep_sphere_plane_two_sided(offset, motion, lit("1"), &sheet, gap.parse().unwrap())
    };
    let (down, up) = (-sheet.normal(), sheet.normal());
    assert_eq!(hit("-3", "4", "0"), Some(Hit { toi: toi("0.5"), normal: down }));
    assert_eq!(hit("3", "-4", "0"), Some(Hit { toi: toi("0.5"), normal: up }));
    assert_eq!(hit("3", "-4", "1"), Some(Hit { toi: toi("0.25"), normal: up }));
    assert_eq!(hit("3", "4", "0"), None);
    assert_eq!(hit("3", "-1.9", "0"), None);
    // In contact: at once, whichever way.
    for dz in ["4", "0", "-4"] {
        assert_eq!(hit("-1", dz, "0"), Some(Hit { toi: Toi::START, normal: down }));
        assert_eq!(hit("0.5", dz, "0"), Some(Hit { toi: Toi::START, normal: up }));
    }
    assert_eq!(hit("0", "1", "0"), Some(Hit { toi: Toi::START, normal: down }));
    assert_eq!(hit("0", "-1", "0"), Some(Hit { toi: Toi::START, normal: up }));
    assert_eq!(hit("0", "0", "0"), Some(Hit { toi: Toi::START, normal: down }));
    // Only within the gap: at once where it approaches.
    assert_eq!(hit("1.5", "-0.1", "1"), Some(Hit { toi: Toi::START, normal: up }));
    assert_eq!(hit("1.5", "0", "1"), None);
    assert_eq!(hit("1.5", "0.1", "1"), None);
}

#[test]
fn the_center_at_contact_lies_on_the_path() {
    let (start, motion) = (Vec3::lit("1", "2", "3"), Vec3::lit("0", "0", "-4"));
    let hit = sweep_sphere_plane(-start, -motion, lit("1"), &plane(Vec3::ZERO, 0, 0, 1), lit("0")).unwrap();
    assert_eq!(contact_center(start, motion, hit.toi), Vec3::lit("1", "2", "1"));
    assert_eq!(contact_center(start, motion, Toi::END), start + motion);
    let path = Path::new(start, Vec3::lit("0.3", "-0.1", "7"));
    let third = Toi::from_raw(0x5555_5555).unwrap();
    assert_eq!(contact_center(start, path.displacement, third), path.at(third));
}

#[test]
fn touching_is_not_overlap() {
    let slope = plane(Vec3::lit("1", "1", "1"), 0, 3, -4);
    // Height of (1, 4, -3) above it: 3 * 3 + 4 * 4 = 25 over 5.
    let offset = -Vec3::lit("1", "4", "-3");
    assert!(!overlap_sphere_plane(offset, lit("5"), &slope));
    assert!(overlap_sphere_plane(offset, lit("5.0000000003"), &slope));
    assert!(!overlap_sphere_plane(offset, Scalar::ZERO, &slope));
    assert!(overlap_sphere_plane(Vec3::lit("0", "0", "-9"), Scalar::ZERO, &slope));
}

#[test]
fn rays_worked_by_hand() {
    let floor = plane(Vec3::lit("0", "0", "1"), 0, 0, 2);
    let hit = |offset, way| sweep_ray_plane(offset, way, &floor);
    let down = -floor.normal();
    // From height 3 above the plane by 12 down: 3 / 12.
    assert_eq!(
        hit(Vec3::lit("0", "0", "-4"), Vec3::lit("1", "0", "-12")),
        Some(Hit { toi: toi("0.25"), normal: down })
    );
    assert_eq!(hit(Vec3::lit("0", "0", "-4"), Vec3::lit("1", "0", "-3")).map(|hit| hit.toi), Some(Toi::END));
    assert_eq!(hit(Vec3::lit("0", "0", "-4"), Vec3::lit("1", "0", "-2.9")), None);
    assert_eq!(hit(Vec3::lit("0", "0", "-4"), Vec3::lit("1", "0", "12")), None);
    // On the plane: in, along, out.
    assert_eq!(
        hit(Vec3::lit("0", "0", "-1"), Vec3::lit("1", "0", "-1")),
        Some(Hit { toi: Toi::START, normal: down })
    );
    assert_eq!(hit(Vec3::lit("0", "0", "-1"), Vec3::lit("1", "0", "0")), None);
    assert_eq!(hit(Vec3::lit("0", "0", "-1"), Vec3::lit("1", "0", "1")), None);
    // Behind it: at once, along the ray, whichever way; but not for a point.
    let out = Vec3::lit("0", "0", "1");
    let at_once = Some(Hit { toi: Toi::START, normal: Normal::from_vector(out).unwrap() });
    assert_eq!(hit(Vec3::ZERO, out), at_once);
    assert_eq!(hit(Vec3::ZERO, Vec3::ZERO), None);
}

// ---------------------------------------------------------------- the exact judge

#[derive(Clone, Copy, Debug)]
struct Case {
    offset: Vec3,
    motion: Vec3,
    radius: i64,
    gap: i64,
    plane: Plane,
}

fn any_normal(source: &mut Source) -> Normal {
    let most = [1, 3, 1_000, (1 << 30) - 1, 1 << 30][source.between(0, 4) as usize];
    let vector = if source.bits() & 1 == 0 { source.any_vector(most) } else { source.vector(most) };
    let [x, y, z] = vector.raw().map(|c| c as i32);
    if [x, y, z] == [0; 3] { Normal::Z } else { Normal::new(x, y, z) }
}

/// A ball near a plane: apart, touching give or take a few raw, behind, tiny, or at the limits.
fn draw(source: &mut Source, case: u64) -> Case {
    let normal = any_normal(source);
    let size = [1 << 50, 4, 0][source.between(0, 2) as usize];
    let point = source.vector(size);
    let plane = Plane::from_point_normal(point, normal).unwrap();
    let (radius, gap) = match case % 6 {
        0 => (source.between(0, 4), source.between(0, 4)),
        1 => ((1 << 46) - 64, 64),
        2 => (0, source.scaled(1 << 20)),
        _ => (source.scaled(1 << 44), source.between(0, 64)),
    };
    let height = match case % 5 {
        0 => source.between(0, 1 << 44),
        1 => source.between(-3, 3),
        2 => -source.scaled(1 << 45),
        3 => source.scaled(1 << 45),
        _ => source.between(-gap, gap),
    } + radius
        + gap;
    let normal_raw = Vec3::from_raw(normal.components().map(i64::from));
    let length = normal_raw.length_squared_wide().isqrt().max(1) as i128;
    let up = normal_raw.map_raw(|c| (i128::from(c) * i128::from(height) / length) as i64);
    let reach = source.scaled(1 << 50);
    let side = source.across(up, reach);
    let mut offset = -(point + up + side);
    let speed = source.scaled(1 << 45);
    let mut motion = match case % 7 {
        0 | 1 => source.any_vector(1 << 45),
        2 => source.across(up, speed / 2) + source.vector(2),
        _ => up.map_raw(|c| (i128::from(c) * i128::from(speed) / i128::from(height.abs().max(1))) as i64),
    };
    if case % 41 == 0 {
        offset = source.any_vector(1 << 57);
    }
    motion = motion.map_raw(|c| c.clamp(-(1 << 45), 1 << 45));
    Case { offset, motion, radius, gap, plane }
}

/// What is known of a case in big integers: the height and the closing speed times the normal's
/// length, that length squared, and the length as the library defines it, times 2^32.
struct Facts {
    height: BigInt,
    closing: BigInt,
    square: BigInt,
    length_q32: BigInt,
}

fn facts(case: &Case) -> Facts {
    let n = case.plane.normal().components().map(big);
    let (p, w) = (case.plane.point().raw().map(big), case.offset.raw().map(big));
    let v = case.motion.raw().map(big);
    let square: BigInt = n.iter().map(|c| c * c).sum();
    let shifted: BigInt = &square << 64;
    let root = shifted.sqrt();
    let length_q32 = if &root * &root == shifted { root } else { root + 1 };
    Facts {
        height: (0..3).map(|i| &n[i] * (-&w[i] - &p[i])).sum(),
        closing: (0..3).map(|i| &n[i] * &v[i]).sum(),
        square,
        length_q32,
    }
}

impl Facts {
    /// The clearance beyond an extent at `at / 2^32`, times the normal's length and 2^64.
    fn clearance(&self, extent: i64, at: u64) -> BigInt {
        let height: BigInt = (&self.height << 32) - &self.closing * at;
        let extent: BigInt = &self.length_q32 * extent;
        (height << 32) - (extent << 32)
    }
}

fn sweep(case: &Case) -> Option<Hit> {
    let [radius, gap] = [case.radius, case.gap].map(Scalar::from_bits);
    sweep_sphere_plane(case.offset, case.motion, radius, &case.plane, gap)
}

fn judge(case: &Case, facts: &Facts, answer: Option<Hit>) {
    let extent = case.radius + case.gap;
    let zero = big(0);
    let Some(hit) = answer else {
        let misses = facts.closing <= zero || facts.clearance(extent, 1 << 32) > zero;
        return assert!(misses, "missed: {case:?}");
    };
    assert!(facts.closing > zero && hit.normal == -case.plane.normal(), "{case:?} {hit:?}");
    assert!(facts.clearance(extent, hit.toi.raw() + 1) < zero, "early: {case:?} {hit:?}");
    let left = facts.clearance(extent, hit.toi.raw());
    if facts.clearance(extent, 0) <= zero {
        return assert_eq!(hit.toi, Toi::START, "{case:?}");
    }
    assert!(left >= zero, "late: {case:?} {hit:?}");
    // By the true length, too, and at most max(1, |motion|) raw away by the defined one.
    let height: BigInt = (&facts.height << 32) - &facts.closing * hit.toi.raw();
    let reach: BigInt = big(extent) << 32;
    assert!(&height * &height >= &reach * &reach * &facts.square, "late: {case:?} {hit:?}");
    let speed = big(case.motion.length_squared_wide()).max(big(1) << 64);
    let bound: BigInt = (&facts.square * speed) << 64;
    assert!(&left * &left <= bound, "gap: {case:?} {hit:?}");
}

#[test]
fn sweeps_are_the_floor_of_the_exact_time() {
    let (mut source, mut at_once, mut later, mut none) = (Source::new(21), 0, 0, 0);
    let cases = oracle::cases(40_000);
    for number in 0..cases {
        let case = draw(&mut source, number);
        let facts = facts(&case);
        let answer = sweep(&case);
        judge(&case, &facts, answer);
        let (offset, radius) = (case.offset, Scalar::from_bits(case.radius));
        let overlaps = overlap_sphere_plane(offset, radius, &case.plane);
        assert_eq!(overlaps, facts.clearance(case.radius, 0) < big(0), "{case:?}");
        match answer {
            None => none += 1,
            Some(hit) if hit.toi == Toi::START => at_once += 1,
            Some(_) => later += 1,
        }
    }
    println!("{at_once} at once, {later} later, {none} none");
    assert!(at_once > cases / 8 && later > cases / 8 && none > cases / 8);
}

#[test]
fn the_two_sided_sweep_is_the_one_sided_from_the_balls_side() {
    let (mut source, mut hits, mut contacts) = (Source::new(22), [0; 2], 0);
    for number in 0..oracle::cases(20_000) {
        let mut case = draw(&mut source, number);
        let back = Plane::from_point_normal(case.plane.point(), -case.plane.normal()).unwrap();
        if number % 2 == 0 {
            case.plane = back;
        }
        let [radius, gap] = [case.radius, case.gap].map(Scalar::from_bits);
        let two = sweep_sphere_plane_two_sided(case.offset, case.motion, radius, &case.plane, gap);
        let height = facts(&case).height;
        let behind = height < big(0);
        if behind {
            case.plane = Plane::from_point_normal(case.plane.point(), -case.plane.normal()).unwrap();
        }
        if facts(&case).clearance(case.radius, 0) <= big(0) {
            assert_eq!(two.map(|hit| hit.toi), Some(Toi::START), "{case:?}");
            let toward = two.map(|hit| hit.normal) == Some(-case.plane.normal());
            assert!(toward || height == big(0), "{case:?}");
            contacts += 1;
        } else {
            assert_eq!(two, sweep(&case), "{case:?}");
            hits[usize::from(behind)] += i32::from(two.is_some());
        }
    }
    assert!(hits[0] > 2_000 && hits[1] > 2_000 && contacts > 1_000, "{hits:?} {contacts}");
}

#[test]
fn rays_are_the_floor_of_the_exact_time() {
    let (mut source, mut hits, mut inside) = (Source::new(23), 0, 0);
    for number in 0..oracle::cases(20_000) {
        let mut case = draw(&mut source, number);
        (case.radius, case.gap) = (0, 0);
        if number % 3 == 0 {
            case.motion = source.any_vector(1 << 57);
        }
        let answer = sweep_ray_plane(case.offset, -case.motion, &case.plane);
        let facts = facts(&case);
        if facts.height < big(0) {
            assert_eq!(answer.map(|hit| hit.normal), Normal::from_vector(-case.motion));
            assert!(answer.is_none_or(|hit| hit.toi == Toi::START));
            inside += 1;
        } else {
            judge(&case, &facts, answer);
            hits += i32::from(answer.is_some());
        }
    }
    assert!(hits > 3_000 && inside > 3_000, "{hits} {inside}");
}

// ---------------------------------------------------------------- what must not matter

#[test]
fn mirrored_and_permuted_planes_are_hit_alike() {
    let (mut source, mut hits) = (Source::new(24), 0);
    for number in 0..oracle::cases(3_000) {
        let case = draw(&mut source, number);
        let [radius, gap] = [case.radius, case.gap].map(Scalar::from_bits);
        let all = |case: &Case| {
            [
                sweep(case),
                sweep_sphere_plane_two_sided(case.offset, case.motion, radius, &case.plane, gap),
                sweep_ray_plane(case.offset, -case.motion, &case.plane),
            ]
        };
        let expected = all(&case);
        hits += expected.iter().flatten().count();
        for symmetry in Symmetry::all() {
            let plane = Plane::from_point_normal(
                symmetry.of(case.plane.point()),
                symmetry.of_normal(case.plane.normal()),
            );
            let (offset, motion) = (symmetry.of(case.offset), symmetry.of(case.motion));
            let image = Case { offset, motion, plane: plane.unwrap(), ..case };
            let turn = |hit: Hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit };
            assert_eq!(all(&image), expected.map(|hit| hit.map(turn)), "{case:?}");
        }
    }
    assert!(hits > 3_000, "{hits}");
}

#[test]
fn rounded_places_at_the_impact_do_not_overlap() {
    let (mut source, mut hits) = (Source::new(25), 0);
    for number in 0..oracle::cases(40_000) {
        let mut case = draw(&mut source, number);
        case.gap = case.gap.max(2);
        case.radius = case.radius.min((1 << 46) - case.gap);
        let radius = Scalar::from_bits(case.radius);
        if overlap_sphere_plane(case.offset, radius, &case.plane) {
            continue;
        }
        let Some(hit) = sweep(&case) else { continue };
        let (place, displacement) = (source.vector(1 << 55), source.vector(1 << 44));
        let places = [place, place + case.offset];
        let at = oracle::rounded_offset(places, [displacement, displacement + case.motion], hit.toi);
        assert!(!overlap_sphere_plane(at, radius, &case.plane), "{case:?} {hit:?}");
        hits += 1;
    }
    assert!(hits > 8_000, "{hits}");
}
