//! Every sweep against exact distances: at no instant up to a hit, and at no instant at all without
//! one, are the shapes nearer than the gap.
//!
//! The distances are written out here from the definitions, in big integers, and share nothing with
//! the kernels. Inputs are scaled integers of every size, with aimed, axial and touching ones among
//! them: uniform bits would nearly always be huge values that miss.

use arbitrary::{Result, Unstructured};
use bitstep::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::{Scalar, Toi},
    overlap::{
        overlap_capsule_capsule, overlap_convex_convex, overlap_obb_capsule, overlap_obb_obb,
        overlap_sphere_capsule, overlap_sphere_obb,
    },
    shape::{Capsule, Convex, Obb},
    sweep::{
        Hit, MOTION_MAX, OFFSET_MAX, sweep_aabb_aabb, sweep_aabb_plane, sweep_capsule_capsule,
        sweep_convex_convex, sweep_obb_capsule, sweep_obb_obb, sweep_obb_plane, sweep_plane_capsule,
        sweep_sphere_aabb, sweep_sphere_capsule, sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_sphere,
    },
};
use num_bigint::BigInt;

/// Draws a pair and checks its sweep; returns whether the input reached a hit.
///
/// # Panics
///
/// If the kernel is late, misses a contact, or returns a normal that does not approach.
pub fn body(bytes: &[u8]) -> bool {
    draw_and_check(&mut Unstructured::new(bytes)).unwrap_or(false)
}

fn draw_and_check(draw: &mut Unstructured) -> Result<bool> {
    let kind = draw.int_in_range(0..=12)?;
    // Two oriented boxes that start within the gap may slide nearer by a lean: a raw, at this size.
    let half_bits = if kind == 6 { 24 } else { 43 };
    let sizes = Sizes {
        gap: Scalar::from_bits(size(draw, 40)?),
        radius: Scalar::from_bits(1 + size(draw, 43)?),
        half: Vec3::from_raw([
            1 + size(draw, half_bits)?,
            1 + size(draw, half_bits)?,
            1 + size(draw, half_bits)?,
        ]),
    };
    let (offset, motion) = offset_and_motion(draw, sizes)?;
    let hit_and_apart = match kind {
        0 => sphere_sphere(offset, motion, sizes),
        1 => sphere_aabb(offset, motion, sizes),
        2 => sphere_obb(offset, motion, sizes, obb(draw, sizes)?),
        3 => sphere_plane(offset, motion, sizes, plane(draw)?),
        4 => aabb_aabb(offset, motion, sizes),
        5 => aabb_plane(offset, motion, sizes, plane(draw)?),
        6 => obb_obb(offset, motion, sizes, [obb(draw, sizes)?, obb(draw, sizes)?]),
        7 => obb_plane(offset, motion, sizes, obb(draw, sizes)?, plane(draw)?),
        8 => sphere_capsule(offset, motion, sizes, capsule(draw, sizes)?),
        9 => obb_capsule(offset, motion, sizes, (obb(draw, sizes)?, capsule(draw, sizes)?)),
        10 => plane_capsule(offset, motion, sizes, (plane(draw)?, capsule(draw, sizes)?)),
        11 => capsule_capsule(offset, motion, sizes, [capsule(draw, sizes)?, capsule(draw, sizes)?]),
        _ => convex_convex(offset, motion, sizes, [corners(draw, sizes)?, corners(draw, sizes)?]),
    };
    let instants = [(); 3].map(|()| draw.int_in_range(0..=Toi::END.raw()).unwrap_or(0));
    Ok(check(offset, motion, hit_and_apart, instants))
}

/// Gap, radius, and half extents, for all kinds of shapes.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    gap: Scalar,
    radius: Scalar,
    half: Vec3,
}

/// The answer of a sweep, and the exact test whether the shapes are apart by the gap, given their offset
/// times 2^32.
type HitAndApart = (Option<Hit>, Box<dyn Fn(&Exact) -> bool>);
type Exact = [BigInt; 3];

fn check(offset: Vec3, motion: Vec3, (hit, is_apart): HitAndApart, instants: [u64; 3]) -> bool {
    let is_apart_at = |instant: u64| {
        let at = |axis: usize| (big(offset.raw()[axis]) << 32) + big(motion.raw()[axis]) * instant;
        is_apart(&[0, 1, 2].map(at))
    };
    if let Some(Hit { toi, normal }) = hit {
        assert!(normal.is_valid() && normal.dot_wide(motion) < 0, "{normal:?} does not approach");
        assert!(toi == Toi::START || is_apart_at(0), "starts too near, yet hits at {toi}");
    }
    if !is_apart_at(0) {
        return hit.is_some(); // at once or not at all
    }
    let end = hit.map_or(Toi::END, |hit| hit.toi).raw();
    for instant in instants.iter().map(|raw| raw % (end + 1)).chain([end]) {
        assert!(is_apart_at(instant), "too near at {instant} of {end}, hit {hit:?}");
    }
    hit.is_some()
}

// ---------------------------------------------------------------- pairs

fn sphere_sphere(offset: Vec3, motion: Vec3, Sizes { gap, radius, .. }: Sizes) -> HitAndApart {
    let hit = sweep_sphere_sphere(offset, motion, radius, gap);
    (hit, Box::new(move |at| length_squared(at) >= square(&q32(radius + gap))))
}

fn sphere_aabb(offset: Vec3, motion: Vec3, Sizes { gap, radius, half }: Sizes) -> HitAndApart {
    let hit = sweep_sphere_aabb(offset, motion, radius, half, gap);
    let outside = move |at: &Exact| length_squared(&between(at, half).map(|d| d.max(big(0))));
    (hit, Box::new(move |at| outside(at) >= square(&q32(radius + gap))))
}

/// At the nearest whole offset, by the exact overlap of integers: a gap of two raw, and of what the
/// normals of oriented boxes may lean by, holds them apart. That much the skin of a tick always has.
fn sphere_obb(offset: Vec3, motion: Vec3, Sizes { gap, radius, .. }: Sizes, obb: Obb) -> HitAndApart {
    let gap = gap.max(lean([&obb, &obb]));
    let hit = sweep_sphere_obb(offset, motion, radius, &obb, gap);
    // A pair that starts within the gap and slides may come nearer by a lean; a tick checks its end.
    let slides = hit.is_none() && overlap_sphere_obb(offset, radius + gap, &obb);
    (hit, Box::new(move |at| !slides && !overlap_sphere_obb(nearest(at), radius, &obb)))
}

/// Two raw and 2^-28 of both bounding radii, rounded up.
fn lean(boxes: [&Obb; 2]) -> Scalar {
    leans(&boxes.map(Obb::bounding_radius))
}

fn leans(bounding_radii: &[Scalar]) -> Scalar {
    let radii: i64 = bounding_radii.iter().map(|radius| radius.to_bits()).sum();
    Scalar::from_bits(3 + (radii >> 28))
}

fn sphere_plane(offset: Vec3, motion: Vec3, Sizes { gap, radius, .. }: Sizes, plane: Plane) -> HitAndApart {
    let hit = sweep_sphere_plane(offset, motion, radius, &plane, gap);
    (hit, Box::new(move |at| is_above(&height(at, &plane), radius + gap, plane.normal())))
}

/// Boxes are apart by the largest of their distances along the axes; and an axis along which they are
/// apart and do not approach keeps them from meeting, however near they slide.
fn aabb_aabb(offset: Vec3, motion: Vec3, Sizes { gap, half, .. }: Sizes) -> HitAndApart {
    let hit = sweep_aabb_aabb(offset, motion, half, gap);
    let slides = |axis: usize| {
        let (start, way) = (offset.raw()[axis], motion.raw()[axis]);
        start.abs() >= half.raw()[axis] && start.signum() * way.signum() >= 0
    };
    let kept_apart = (0..3).any(slides);
    assert!(!kept_apart || hit.is_none(), "boxes that slide past each other hit");
    (hit, Box::new(move |at| kept_apart || between(at, half).iter().any(|distance| *distance >= q32(gap))))
}

fn aabb_plane(offset: Vec3, motion: Vec3, Sizes { gap, half, .. }: Sizes, plane: Plane) -> HitAndApart {
    let hit = sweep_aabb_plane(offset, motion, half, &plane, gap);
    let [x, y, z] = plane.normal().components().map(i32::abs);
    let reach: BigInt = big(Normal::new(x, y, z).dot_wide(half)) << 32;
    (hit, Box::new(move |at| is_above(&(height(at, &plane) - &reach), gap, plane.normal())))
}

/// As [`sphere_obb`], with room for the axes' rounding.
fn obb_obb(offset: Vec3, motion: Vec3, Sizes { gap, .. }: Sizes, [a, b]: [Obb; 2]) -> HitAndApart {
    let hit = sweep_obb_obb(offset, motion, &a, &b, gap.max(lean([&a, &b])));
    (hit, Box::new(move |at| !overlap_obb_obb(nearest(at), &a, &b)))
}

fn obb_plane(offset: Vec3, motion: Vec3, Sizes { gap, .. }: Sizes, obb: Obb, plane: Plane) -> HitAndApart {
    let hit = sweep_obb_plane(offset, motion, &obb, &plane, gap);
    let reaches = obb.half_edges.map(|edge| plane.normal().dot_wide(edge).abs());
    let reach: BigInt = big(reaches.iter().sum::<i128>()) << 32;
    (hit, Box::new(move |at| is_above(&(height(at, &plane) - &reach), gap, plane.normal())))
}

/// As [`sphere_obb`]; so the others of capsules but planes.
fn sphere_capsule(offset: Vec3, motion: Vec3, Sizes { gap, radius, .. }: Sizes, rod: Capsule) -> HitAndApart {
    let gap = gap.max(leans(&[rod.bounding_radius()]));
    let hit = sweep_sphere_capsule(offset, motion, radius, &rod, gap);
    let slides = hit.is_none() && overlap_sphere_capsule(offset, radius + gap, &rod);
    (hit, Box::new(move |at| !slides && !overlap_sphere_capsule(nearest(at), radius, &rod)))
}

fn obb_capsule(
    offset: Vec3,
    motion: Vec3,
    Sizes { gap, half, .. }: Sizes,
    (turned, rod): (Obb, Capsule),
) -> HitAndApart {
    let obb = if turned.is_box() { turned } else { Obb::along_axes(half) };
    let gap = gap.max(leans(&[obb.bounding_radius(), rod.bounding_radius()]));
    let hit = sweep_obb_capsule(offset, motion, &obb, &rod, gap);
    let grown = Capsule { radius: rod.radius + gap, ..rod };
    let slides = hit.is_none() && overlap_obb_capsule(offset, &obb, &grown);
    (hit, Box::new(move |at| !slides && !overlap_obb_capsule(nearest(at), &obb, &rod)))
}

fn capsule_capsule(
    offset: Vec3,
    motion: Vec3,
    Sizes { gap, .. }: Sizes,
    [a, b]: [Capsule; 2],
) -> HitAndApart {
    let gap = gap.max(leans(&[a.bounding_radius(), b.bounding_radius()]));
    let hit = sweep_capsule_capsule(offset, motion, &a, &b, gap);
    let grown = Capsule { radius: b.radius + gap, ..b };
    let slides = hit.is_none() && overlap_capsule_capsule(offset, &a, &grown);
    (hit, Box::new(move |at| !slides && !overlap_capsule_capsule(nearest(at), &a, &b)))
}

fn convex(corners: &[Vec3], radius: Scalar) -> Convex<'_> {
    Convex::new(corners, radius).expect("corners")
}

/// The first is rounded by the radius.
fn convex_convex(
    offset: Vec3,
    motion: Vec3,
    Sizes { gap, radius, half }: Sizes,
    [a, b]: [Vec<Vec3>; 2],
) -> HitAndApart {
    let bound = half.x + half.y + half.z;
    let gap = gap.max(leans(&[bound + radius, bound]));
    let hit = sweep_convex_convex(offset, motion, &convex(&a, radius), &convex(&b, Scalar::ZERO), gap);
    let overlap =
        move |offset, radius| overlap_convex_convex(offset, &convex(&a, radius), &convex(&b, Scalar::ZERO));
    let slides = hit.is_none() && overlap(offset, radius + gap);
    (hit, Box::new(move |at| !slides && !overlap(nearest(at), radius)))
}

/// The plane meets the lower end; the offset is from the plane to the capsule.
fn plane_capsule(
    offset: Vec3,
    motion: Vec3,
    Sizes { gap, .. }: Sizes,
    (plane, rod): (Plane, Capsule),
) -> HitAndApart {
    let hit = sweep_plane_capsule(offset, motion, &plane, &rod, gap);
    let reach: BigInt = big(plane.normal().dot_wide(rod.half_axis).abs()) << 32;
    let above = move |at: &Exact| height(&[-&at[0], -&at[1], -&at[2]], &plane) - &reach;
    (hit, Box::new(move |at| is_above(&above(at), rod.radius + gap, plane.normal())))
}

// ---------------------------------------------------------------- exact distances

fn big(n: impl Into<BigInt>) -> BigInt {
    n.into()
}

fn q32(length: Scalar) -> BigInt {
    big(length.to_bits()) << 32
}

fn square(n: &BigInt) -> BigInt {
    n * n
}

fn length_squared(at: &Exact) -> BigInt {
    at.iter().map(square).sum()
}

/// The distances along the axes of the origin and a box around an offset; negative within.
fn between(at: &Exact, half: Vec3) -> Exact {
    let size = |n: &BigInt| big(n.magnitude().clone());
    [0, 1, 2].map(|axis: usize| size(&at[axis]) - (big(half.raw()[axis]) << 32))
}

/// The whole offset nearest to one times 2^32.
fn nearest(at: &Exact) -> Vec3 {
    let round = |n: &BigInt| i64::try_from((n + (1_i64 << 31)) >> 32).expect("inside the domain");
    Vec3::from_raw([round(&at[0]), round(&at[1]), round(&at[2])])
}

/// The height of the origin above a plane placed at an offset, times the normal's length and 2^32.
fn height(at: &Exact, plane: &Plane) -> BigInt {
    let (normal, point) = (plane.normal().components(), plane.point().raw());
    let along = |axis: usize| -> BigInt {
        let placed: BigInt = &at[axis] + (big(point[axis]) << 32);
        -placed * normal[axis]
    };
    (0..3).map(along).sum()
}

/// True if a height is at least a distance times the normal's length, which is a root: in squares.
fn is_above(height: &BigInt, distance: Scalar, normal: Normal) -> bool {
    *height >= big(0) && square(height) >= square(&q32(distance)) * normal.length_squared()
}

// ---------------------------------------------------------------- draws

/// Zero or more, of up to so many bits, every number of bits equally likely.
fn size(draw: &mut Unstructured, bits_max: u32) -> Result<i64> {
    let bits = draw.int_in_range(0..=bits_max)?;
    draw.int_in_range(0..=(1 << bits) - 1)
}

fn signed(draw: &mut Unstructured, bits_max: u32) -> Result<i64> {
    let magnitude = size(draw, bits_max)?;
    Ok(if draw.arbitrary()? { magnitude } else { -magnitude })
}

/// A vector with components of every size, some of them zero.
fn vector(draw: &mut Unstructured, bits_max: u32) -> Result<Vec3> {
    let kept: [bool; 3] = draw.arbitrary()?;
    let mut raw = [0; 3];
    for axis in 0..3 {
        if kept[axis] {
            raw[axis] = signed(draw, bits_max)?;
        }
    }
    Ok(Vec3::from_raw(raw))
}

/// Anywhere; or against the motion and slightly off; or about touching along one axis.
fn offset_and_motion(draw: &mut Unstructured, sizes: Sizes) -> Result<(Vec3, Vec3)> {
    let motion = vector(draw, 45)?;
    let offset = match draw.int_in_range(0..=3)? {
        0 => vector(draw, 57)?,
        1 => {
            let eighths = draw.int_in_range(0..=12)?;
            vector(draw, 44)? - motion.map_raw(|length| length / 8 * eighths)
        }
        touching => {
            let reach = sizes.gap + if touching == 2 { sizes.radius } else { sizes.half.x };
            let mut raw = vector(draw, 24)?.raw();
            raw[draw.int_in_range(0..=2_usize)?] += reach.to_bits();
            Vec3::from_raw(raw)
        }
    };
    assert!(offset.within(OFFSET_MAX) && motion.within(MOTION_MAX), "drawn inside the sweeps' domain");
    Ok((offset, motion))
}

/// A plane through a point near its placement, with a normal of any length.
fn plane(draw: &mut Unstructured) -> Result<Plane> {
    let point = vector(draw, 44)?;
    let [x, y, z] = [signed(draw, 30)?, signed(draw, 30)?, signed(draw, 30)?].map(|c| c as i32);
    let normal = if [x, y, z] == [0; 3] { Normal::Y } else { Normal::new(x, y, z) };
    Ok(Plane::from_point_normal(point, normal).expect("components of at most 30 bits"))
}

/// The box of the drawn half extents, turned.
fn obb(draw: &mut Unstructured, sizes: Sizes) -> Result<Obb> {
    let [w, x, y, z] =
        [signed(draw, 32)?, signed(draw, 32)?, signed(draw, 32)?, signed(draw, 32)?].map(Scalar::from_bits);
    Ok(Obb::new(sizes.half, Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY)))
}

/// Up to eight corners and their opposites, within the drawn half extents.
fn corners(draw: &mut Unstructured, sizes: Sizes) -> Result<Vec<Vec3>> {
    let mut corners = Vec::new();
    for _ in 0..draw.int_in_range(1..=8)? {
        let mut part = |most: Scalar| draw.int_in_range(-most.to_bits()..=most.to_bits());
        let corner = Vec3::from_raw([part(sizes.half.x)?, part(sizes.half.y)?, part(sizes.half.z)?]);
        corners.extend([corner, -corner]);
    }
    Ok(corners)
}

/// A capsule of the drawn radius, of any length but none.
fn capsule(draw: &mut Unstructured, sizes: Sizes) -> Result<Capsule> {
    let half_axis = vector(draw, 43)?;
    let half_axis = if half_axis == Vec3::ZERO { Vec3::from_raw([0, 1, 0]) } else { half_axis };
    Ok(Capsule::new(half_axis, sizes.radius))
}
