//! Large capsules: their normals have 30 bits, which is coarser than a skin; no body sinks into them.

use bitstep::{
    geom::Vec3,
    num::{Rng, rng::Draws},
    overlap::overlap_shapes,
    shape::{Capsule, Shape},
    state::{Limits, Material, SceneryBuilder, skin},
    tick::TickReport,
};

use crate::support::{Start, overlaps, s, step, v, world};

/// A vector at a right angle to the rod, up to rounding, about a unit long.
fn out_of(rod: &Capsule, draws: &mut Draws) -> Vec3 {
    let other = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32)));
    let cross = rod.half_axis.cross_wide(other);
    let length = cross.map(|c| (c >> 32) * (c >> 32)).iter().sum::<i128>().isqrt().max(1);
    Vec3::from_raw(cross.map(|c| (c / length) as i64))
}

fn scaled(vector: Vec3, share: i64) -> Vec3 {
    vector.map_raw(|c| ((i128::from(c) * i128::from(share)) >> 32) as i64)
}

/// The position of a solid a touch beside the rod, as near as the exact predicate allows along a vector out
/// of it.
fn touching(solid: &Shape, rod: &Capsule, out: Vec3, draws: &mut Draws) -> Vec3 {
    let along = scaled(rod.half_axis, draws.between(-9 << 28, 9 << 28));
    let at = |lift: i64| along + scaled(out, lift);
    let (mut inside, mut outside) = (0, 8 << 32);
    while outside - inside > 1 {
        let middle = (inside + outside) / 2;
        let overlaps = overlap_shapes(solid, &Shape::Capsule(*rod), -at(middle));
        if overlaps { inside = middle } else { outside = middle }
    }
    at(outside)
}

/// The scenery.
#[derive(Clone, Copy, PartialEq)]
enum Fixed {
    Rod,
    PlacedShape,
}

/// Bodies that start a raw off the side and go along it, and into it by less than a normal can tell. Returns
/// the number of those that had no impact and were not reverted, and of those that were reverted.
fn slide(fixed: Option<Fixed>) -> (usize, usize) {
    let solids = [
        Shape::sphere(s("1")),
        Shape::aabb(v("1", "1", "1")),
        Shape::capsule(v("0.7", "-0.4", "0.5"), s("0.5")),
    ];
    let (mut slid, mut reverted) = (0, 0);
    for seed in 0..600 {
        let mut draws = Rng::new(seed).at(7, 0, 0);
        let axis = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-500 << 32, 500 << 32)));
        let rod = Capsule::new(axis, s("1"));
        let solid = solids[seed as usize % 3].clone();
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let (body, other) = (builder.shape(solid.clone()), builder.shape(Shape::Capsule(rod)));
        let out = out_of(&rod, &mut draws);
        let position = touching(&solid, &rod, out, &mut draws);
        let sinking = scaled(axis, 1 << 30) - scaled(out, draws.between(-500, 1000));
        let mut starts = Vec::new();
        if fixed == Some(Fixed::PlacedShape) {
            builder.fixed(body, material, position);
            starts.push(Start { shape: other, mass: 1, position: Vec3::ZERO, velocity: -sinking });
        } else {
            starts.push(Start { shape: body, mass: 1, position, velocity: sinking });
            if fixed == Some(Fixed::Rod) {
                builder.fixed(other, material, Vec3::ZERO);
            } else {
                starts.push(Start { shape: other, mass: 60_000, position: Vec3::ZERO, velocity: Vec3::ZERO });
            }
        }
        let limits = Limits::new(60).with_speed_max(s("2048")).with_size_max(s("1000"));
        let mut world = world(limits, &builder.build().unwrap(), &starts);
        let mut report = TickReport::default();
        step(&mut world, &mut report);
        assert_eq!(overlaps(&world), 0, "seed {seed}");
        slid += usize::from(report.impacts.is_empty() && report.reverted.is_empty());
        reverted += report.reverted.len();
    }
    println!("{slid} slid, {reverted} reverted");
    (slid, reverted)
}

#[test]
fn bodies_that_slide_on_a_large_rod_do_not_sink_into_it() {
    let (slid, reverted) = slide(Some(Fixed::Rod));
    assert!(slid > 10 && reverted > 50, "{slid} {reverted}");
}

#[test]
fn bodies_that_slide_on_a_large_rod_that_moves_do_not_sink_into_it() {
    let (slid, reverted) = slide(None);
    assert!(slid > 10 && reverted > 50, "{slid} {reverted}");
}

#[test]
fn a_large_rod_that_slides_on_what_stands_does_not_sink_into_it() {
    let (slid, reverted) = slide(Some(Fixed::PlacedShape));
    assert!(slid > 10 && reverted > 50, "{slid} {reverted}");
}

#[test]
fn the_whole_skin_of_a_large_capsule_is_searched() {
    let rod = Shape::capsule(v("100", "0", "0"), s("0.5"));
    for solid in [
        Shape::sphere(s("0.5")),
        Shape::aabb(v("0.5", "0.5", "0.5")),
        Shape::capsule(v("0", "0", "1"), s("0.5")),
    ] {
        let keeps = skin(&solid, &rod).to_bits();
        assert!(keeps >= 64 + 16 * 101, "{keeps}");
        assert_eq!(skin(&rod, &solid).to_bits(), keeps);
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let (body, fixed) = (builder.shape(solid), builder.shape(rod.clone()));
        builder.fixed(fixed, material, Vec3::ZERO);
        let scenery = builder.build().unwrap();
        for (gap, impacts) in [(keeps - 1, 1), (keeps + 1_000, 0)] {
            let position = Vec3::from_raw([0, s("1").to_bits() + gap, 0]);
            let start = Start { shape: body, mass: 1, position, velocity: Vec3::from_raw([0, -5, 0]) };
            let mut world = world(Limits::new(60), &scenery, &[start]);
            let mut report = TickReport::default();
            step(&mut world, &mut report);
            assert_eq!(report.impacts.len(), impacts, "{gap} of {keeps}");
        }
    }
}
