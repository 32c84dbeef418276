//! Properties of drawn shapes: what `Arbitrary` gives is valid, and every table of pairs says the same whichever shape is
//! named first.

use arbitrary::{Result, Unstructured};
use bitstep::{
    geom::Vec3,
    num::Scalar,
    overlap::{distance_shapes_ceil, overlap_shapes},
    shape::{SIZE_MAX, Shape},
    sweep::{MOTION_MAX, OFFSET_MAX, span_shapes, sweep_shapes},
};

use crate::oracle::{self, Source};

/// Cut to a limit along each axis.
fn within(vector: Vec3, limit: Scalar) -> Vec3 {
    vector.map_raw(|raw| raw % limit.to_bits())
}

/// The results of one draw.
struct Drawn {
    /// A bit for each kind of shape.
    kinds: u32,
    overlaps: bool,
    hits: bool,
}

fn kind(shape: &Shape) -> u32 {
    match shape {
        Shape::Sphere { .. } => 1,
        Shape::Aabb { .. } => 2,
        Shape::Obb(_) => 4,
        Shape::Plane(_) => 8,
        Shape::Capsule(_) => 16,
        Shape::Hull(_) => 32,
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => unreachable!("no mesh is drawn"),
    }
}

fn draw(u: &mut Unstructured<'_>) -> Result<Drawn> {
    let (a, b): (Shape, Shape) = (u.arbitrary()?, u.arbitrary()?);
    for shape in [&a, &b] {
        assert_eq!(shape.check(SIZE_MAX), Ok(()), "{shape:?}");
    }
    let (offset, motion) = (within(u.arbitrary()?, OFFSET_MAX), within(u.arbitrary()?, MOTION_MAX));
    let are_planes = kind(&a) & kind(&b) & 8 != 0;
    let overlaps = !are_planes && overlap_shapes(&a, &b, offset);
    assert!(are_planes || overlap_shapes(&b, &a, -offset) == overlaps);
    let distance = distance_shapes_ceil(&a, &b, offset);
    assert_eq!(distance_shapes_ceil(&b, &a, -offset), distance);
    assert_eq!(distance.is_none(), are_planes);
    let hit = sweep_shapes(&a, &b, offset, motion, Scalar::ZERO);
    let swapped = sweep_shapes(&b, &a, -offset, -motion, Scalar::ZERO);
    assert_eq!(swapped.map(|hit| (hit.toi, -hit.normal)), hit.map(|hit| (hit.toi, hit.normal)));
    let span = span_shapes(&a, &b, offset, motion, Scalar::ZERO);
    assert_eq!(span_shapes(&b, &a, -offset, -motion, Scalar::ZERO), span);
    Ok(Drawn { kinds: kind(&a) | kind(&b), overlaps, hits: hit.is_some() })
}

#[test]
fn drawn_shapes_are_valid_and_their_pairs_have_no_order() {
    let (mut source, mut kinds, mut overlaps, mut hits) = (Source::new(91), 0, 0, 0);
    for _ in 0..oracle::cases(10_000) {
        let bytes: Vec<u8> = (0..64).flat_map(|_| source.bits().to_le_bytes()).collect();
        let drawn = draw(&mut Unstructured::new(&bytes)).unwrap();
        kinds |= drawn.kinds;
        overlaps += u32::from(drawn.overlaps);
        hits += u32::from(drawn.hits);
    }
    assert_eq!(kinds, 63, "shapes of every kind");
    assert!(overlaps > 500 && hits > 100, "{overlaps} {hits}");
}
