//! Boxes, along the axes and oriented, against planes.

use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi},
    overlap::{overlap_aabb_plane, overlap_obb_plane},
    shape::Obb,
    sweep::{Hit, sweep_aabb_plane, sweep_obb_plane},
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::{
    boxes::unit,
    oracle::{ONE, Source, Symmetry, big, cases, dot, exact, many_cases, offset_at, ratio, rounded_offset},
};

fn plane(point: Vec3, normal: Normal) -> Plane {
    Plane::from_point_normal(point, normal).unwrap()
}

#[test]
fn table_worked_by_hand() {
    let (floor, slope) =
        (plane(Vec3::ZERO, Normal::Y), plane(Vec3::lit("0", "1", "0"), Normal::new(0, 4, 3)));
    let half = Vec3::lit("1", "2", "3");
    // offset, motion, plane, gap: when; the box is `half`, of height 2 over the floor
    let table = [
        (Vec3::lit("0", "-3", "0"), Vec3::lit("9", "2", "0"), &floor, "0", Some(1_u64 << 31)),
        (Vec3::lit("0", "-4", "0"), Vec3::lit("0", "2", "0"), &floor, "0", Some(1 << 32)),
        (Vec3::lit("0", "-4.0000000003", "0"), Vec3::lit("0", "2", "0"), &floor, "0", None),
        (Vec3::lit("0", "-4", "0"), Vec3::lit("0", "2", "0"), &floor, "0.5", Some(3 << 30)),
        (Vec3::lit("0", "-4", "0"), Vec3::lit("0", "-2", "0"), &floor, "0.5", None),
        (Vec3::lit("0", "-2", "0"), Vec3::lit("5", "0", "5"), &floor, "0", None),
        (Vec3::lit("0", "-2.1", "0"), Vec3::lit("5", "0", "5"), &floor, "0.5", None),
        (Vec3::lit("0", "-2.1", "0"), Vec3::lit("5", "0.1", "5"), &floor, "0.5", Some(0)),
        (Vec3::lit("0", "-1", "0"), Vec3::lit("0", "0.1", "0"), &floor, "0", Some(0)),
        (Vec3::lit("0", "1", "0"), Vec3::lit("0", "-1", "0"), &floor, "0", None),
        // 4 y + 3 z = 4: the center 9 above the point is at 36, reach 8 + 9, so 19 / 40 of the way
        (Vec3::lit("0", "-10", "0"), Vec3::lit("0", "10", "0"), &slope, "0", Some(2_040_109_465)),
        // ... and with a gap of 1 along the normal of length 5, 14 / 40
        (Vec3::lit("0", "-10", "0"), Vec3::lit("0", "10", "0"), &slope, "1", Some(1_503_238_553)),
    ];
    let obb = Obb::new(half, Rotation::IDENTITY);
    let mut hits = 0;
    for (row, (offset, motion, plane, gap, want)) in table.into_iter().enumerate() {
        let hit = sweep_aabb_plane(offset, motion, half, plane, unit(gap));
        hits += u32::from(hit.is_some());
        let want = want.map(|raw| Hit { toi: Toi::from_raw(raw).unwrap(), normal: -plane.normal() });
        assert_eq!(hit, want, "row {row}");
        assert_eq!(sweep_obb_plane(offset, motion, &obb, plane, unit(gap)), want, "row {row}");
    }
    assert_eq!(hits, 7);
}

#[test]
fn overlap_is_strict() {
    let half = Vec3::lit("1", "2", "3");
    let obb = Obb::new(half, Rotation::IDENTITY);
    let slope = plane(Vec3::lit("0", "1", "0"), Normal::new(0, 4, 3));
    // 4 (y - 1) against 8 + 9: the height at which it touches is 5.25
    for (height, want) in [("5.25", false), ("5.2499999998", true), ("6", false), ("0", true), ("-50", true)]
    {
        let offset = -Vec3::lit("7", height, "0");
        assert_eq!(overlap_aabb_plane(offset, half, &slope), want, "{height}");
        assert_eq!(overlap_obb_plane(offset, &obb, &slope), want, "{height}");
    }
}

/// An oriented box and a plane, in motion.
#[derive(Clone, Debug)]
struct Fall {
    offset: Vec3,
    motion: Vec3,
    obb: Obb,
    plane: Plane,
    gap: i64,
}

impl Fall {
    fn sweep(&self) -> Option<Hit> {
        sweep_obb_plane(self.offset, self.motion, &self.obb, &self.plane, Scalar::from_bits(self.gap))
    }

    /// The lowest of the eight corners over the plane, times the normal's length, with the relative
    /// offset given.
    fn height(&self, offset: &[BigRational; 3]) -> BigRational {
        let normal = self.plane.normal().components().map(|c| ratio(c, 1));
        let point = exact(self.plane.point());
        let center = [0, 1, 2].map(|i: usize| -&offset[i] - &point[i]);
        let edges = self.obb.half_edges.map(exact);
        let corner = |signs: u32| {
            let at = [0, 1, 2].map(|i: usize| {
                let edge =
                    (0..3).map(|e| if signs >> e & 1 == 0 { edges[e][i].clone() } else { -&edges[e][i] });
                &center[i] + edge.sum::<BigRational>()
            });
            dot(&at, &normal)
        };
        (0..8).map(corner).min().unwrap()
    }

    /// True if a height is less than `least` raw, given times 2^32, over the plane; exact.
    fn is_below(&self, height: &BigRational, least_q32: i128) -> bool {
        let least = big(least_q32);
        let length_squared = BigInt::from(self.plane.normal().length_squared());
        let bar = ratio(&least * &least * length_squared, BigInt::from(1) << 64);
        height.is_negative() || height * height < bar
    }
}

fn fall(source: &mut Source, case: u64) -> Fall {
    let normal = match case % 4 {
        0 => [Normal::X, -Normal::Y, Normal::Z][source.between(0, 2) as usize],
        1 => Normal::new(source.between(-4, 4) as i32, source.between(-4, 4) as i32, 5),
        _ => Normal::from_vector(source.on_sphere(1 << 40)).unwrap(),
    };
    let size = [ONE, 1 << 44, 64][source.between(0, 2) as usize];
    let half = source.vector(size).map_raw(|c| c.abs().max(1));
    let turn = source.vector(1 << 20).raw();
    let quaternion = [turn[0], turn[1], turn[2], 1 << 19].map(Scalar::from_bits);
    let rotation = match case % 3 {
        0 => Rotation::IDENTITY,
        _ => Rotation::from_quaternion(quaternion[0], quaternion[1], quaternion[2], quaternion[3]).unwrap(),
    };
    let obb = Obb::new(half, rotation);
    let gap = [0, 0, 2, 64, 1 << 20, 1 << 34][source.between(0, 5) as usize];
    let plane = plane(source.any_vector(1 << 40), normal);
    let speed = [source.scaled(1 << 45).max(1), ONE, 16][source.between(0, 2) as usize];
    let motion = if case % 11 == 0 { source.axial(speed) } else { source.vector(speed) };
    // Brings the lowest corner to the gap at `share` of the tick, give or take a few raw.
    let share = source.between(-(1 << 18), (1 << 20) + (1 << 17));
    let length = i128::from(normal.length_up());
    let reach = obb.support_wide(normal) / length + i128::from(gap) + i128::from(source.between(-2, 2));
    let up = normal.components().map(|c| (i128::from(c) * reach / length) as i64);
    let back = motion.map_raw(|c| (i128::from(c) * i128::from(share) / (1 << 20)) as i64);
    let offset = Vec3::from_raw(up.map(|c| -c)) - plane.point() - back;
    if case % 17 == 0 {
        let motion = source.across(Vec3::from_raw(normal.components().map(i64::from)), speed);
        return Fall { offset, motion, obb, plane, gap };
    }
    if case % 13 == 0 {
        return Fall {
            offset: source.any_vector(1 << 57),
            motion: source.any_vector(1 << 45),
            obb,
            plane,
            gap,
        };
    }
    Fall { offset, motion, obb, plane, gap }
}

#[test]
fn lands_at_the_exact_instant_rounded_down() {
    let mut source = Source::new(0x0BB);
    let (mut hits, mut at_start, mut aligned) = (0_u64, 0_u64, 0_u64);
    let count = many_cases(5_000);
    for case in 0..count {
        let fall = fall(&mut source, case);
        let hit = fall.sweep();
        aligned += u64::from(agrees_with_aabb(&fall, hit));
        let descent = fall.plane.normal().dot_wide(fall.motion);
        let gap_q32 = i128::from(fall.gap) << 32;
        let Some(hit) = hit else {
            let end = fall.height(&offset_at(fall.offset, fall.motion, Toi::END));
            // Touching at the very end is a hit, too: with a gap of 0 that can be told exactly.
            let least = gap_q32 + i128::from(fall.gap == 0);
            assert!(descent <= 0 || !fall.is_below(&end, least), "lost: {fall:?}");
            continue;
        };
        hits += 1;
        assert_eq!(hit.normal, -fall.plane.normal());
        assert!(descent > 0);
        let height = fall.height(&offset_at(fall.offset, fall.motion, hit.toi));
        if hit.toi == Toi::START && fall.is_below(&height, gap_q32) {
            at_start += 1;
            continue;
        }
        assert!(!fall.is_below(&height, gap_q32), "late: {fall:?} {hit:?}");
        let speed = (fall.motion.length_squared_wide().isqrt() as i128 + 1).max(1 << 32);
        let room = speed + i128::from(fall.gap); // a raw per unit of motion, and per unit of gap
        assert!(fall.is_below(&height, gap_q32 + room + 1), "early: {fall:?} {hit:?}");
        if fall.gap >= 2 {
            let (place, way) = (source.vector(1 << 40), source.vector(1 << 44));
            let offset = rounded_offset([place, place + fall.offset], [way, way + fall.motion], hit.toi);
            assert!(!overlap_obb_plane(offset, &fall.obb, &fall.plane), "{fall:?}");
        }
    }
    println!("{count} cases, {hits} hits, {at_start} at the start, {aligned} along the axes");
    assert!(hits > count / 4 && hits < count * 3 / 4, "{hits} of {count}");
    assert!(at_start > count / 40 && aligned > count / 4, "{at_start} {aligned}");
}

/// An unrotated oriented box is a box along the axes.
fn agrees_with_aabb(fall: &Fall, hit: Option<Hit>) -> bool {
    let [a, b, c] = fall.obb.half_edges;
    let is_aligned = [a.y, a.z, b.x, b.z, c.x, c.y].iter().all(|part| *part == Scalar::ZERO);
    if is_aligned {
        let half = fall.obb.half_extent();
        let gap = Scalar::from_bits(fall.gap);
        assert_eq!(sweep_aabb_plane(fall.offset, fall.motion, half, &fall.plane, gap), hit, "{fall:?}");
        let overlaps = overlap_obb_plane(fall.offset, &fall.obb, &fall.plane);
        assert_eq!(overlap_aabb_plane(fall.offset, half, &fall.plane), overlaps);
        assert_eq!(overlaps, fall.height(&exact(fall.offset)) < BigRational::zero());
    }
    is_aligned
}

#[test]
fn mirrored_and_permuted_motions_land_alike() {
    let mut source = Source::new(0x0BC);
    let mut hits = 0;
    for case in 0..cases(400) {
        let fall = fall(&mut source, case);
        let hit = fall.sweep();
        hits += u32::from(hit.is_some());
        for symmetry in Symmetry::all() {
            let image = Fall {
                offset: symmetry.of(fall.offset),
                motion: symmetry.of(fall.motion),
                obb: Obb { half_edges: fall.obb.half_edges.map(|edge| symmetry.of(edge)) },
                plane: plane(symmetry.of(fall.plane.point()), symmetry.of_normal(fall.plane.normal())),
                gap: fall.gap,
            };
            let want = hit.map(|hit| Hit { normal: symmetry.of_normal(hit.normal), ..hit });
            assert_eq!(image.sweep(), want, "{symmetry:?} {fall:?}");
        }
    }
    assert!(hits > 100, "{hits}");
}
