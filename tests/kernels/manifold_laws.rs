//! What a manifold owes to symmetry, to the bit, and that it answers whatever it is asked.

use std::collections::BTreeSet;

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    overlap::manifold_shapes,
    shape::{Capsule, Obb, Shape},
};

use crate::{
    manifold_cases::{Contact, unit},
    oracle::{Source, Symmetry, cases},
};

/// Twice each place, the place and the gap, in raw.
type Rows = BTreeSet<([i64; 3], [i64; 3], i64)>;

fn rows(contact: &Contact, of: impl Fn(Vec3) -> Vec3) -> Rows {
    let Contact { a, b, offset, normal, band } = contact;
    let found = manifold_shapes(a, b, *offset, *normal, *band);
    let row = |twice: Vec3, place: Vec3, gap: Scalar| (of(twice).raw(), of(place).raw(), gap.to_bits());
    let rows: Rows =
        found.points().iter().map(|point| row(point.place_twice, point.place, point.gap)).collect();
    assert_eq!(rows.len(), found.points().len());
    rows
}

fn image(symmetry: &Symmetry, shape: &Shape) -> Shape {
    match shape {
        Shape::Aabb { half } => Shape::aabb(symmetry.of_extent(*half)),
        Shape::Obb(obb) => Shape::Obb(crate::box_oracle::image(symmetry, obb)),
        Shape::Capsule(rod) => Shape::capsule(symmetry.of(rod.half_axis), rod.radius),
        Shape::Plane(plane) => {
            let (point, normal) = (symmetry.of(plane.point()), symmetry.of_normal(plane.normal()));
            Shape::Plane(Plane::from_point_normal(point, normal).unwrap())
        }
        _ => shape.clone(), // no contact has hulls or meshes
    }
}

#[test]
fn mirrored_and_permuted_shapes_have_the_image() {
    let mut source = Source::new(71);
    let symmetries = Symmetry::all();
    let mut points = 0;
    for case in 0..cases(12_000) {
        let contact = source.contact(case);
        let symmetry = &symmetries[source.between(0, 47) as usize];
        let moved = Contact {
            a: image(symmetry, &contact.a),
            b: image(symmetry, &contact.b),
            offset: symmetry.of(contact.offset),
            normal: symmetry.of_normal(contact.normal),
            ..contact
        };
        let expected = rows(&contact, |vector| symmetry.of(vector));
        assert_eq!(rows(&moved, |vector| vector), expected, "{contact:?}");
        points += expected.len();
    }
    assert!(points > 20_000, "{points}");
}

#[test]
fn exchanged_shapes_have_the_same_points() {
    let (mut source, mut halves, mut points) = (Source::new(72), 0, 0);
    for case in 0..cases(20_000) {
        let contact = source.contact(case);
        let Contact { offset, normal, band, .. } = contact;
        let back =
            Contact { a: contact.b.clone(), b: contact.a.clone(), offset: -offset, normal: -normal, band };
        let without_half = |rows: Rows| rows.into_iter().map(|(twice, _, gap)| (twice, gap)).collect();
        let expected: BTreeSet<_> = without_half(rows(&contact, |vector| vector));
        let found: BTreeSet<_> = without_half(rows(&back, |vector| vector))
            .into_iter()
            .map(|(twice, gap): ([i64; 3], i64)| ((Vec3::from_raw(twice) + offset + offset).raw(), gap))
            .collect();
        assert_eq!(found, expected, "{contact:?}");
        for (twice, place, _) in rows(&contact, |vector| vector) {
            points += 1;
            for axis in 0..3 {
                // The half is rounded away from A.
                assert_eq!(place[axis], (twice[axis] + twice[axis].signum()) / 2);
                halves += twice[axis] & 1;
            }
        }
    }
    assert!(points > 30_000 && halves > 10_000, "{points} {halves}");
}

/// The same solid with its half edges in another order and of other signs.
fn renamed(source: &mut Source, shape: &Shape) -> Shape {
    let mut sign = |edge: Vec3| if source.bits() & 1 == 0 { edge } else { -edge };
    match shape {
        Shape::Obb(Obb { half_edges: [p, q, r] }) => {
            let [p, q, r] = [sign(*p), sign(*q), sign(*r)];
            let orders = [[p, q, r], [p, r, q], [q, p, r], [q, r, p], [r, p, q], [r, q, p]];
            Shape::Obb(Obb { half_edges: orders[source.between(0, 5) as usize] })
        }
        Shape::Capsule(rod) => Shape::Capsule(Capsule::new(sign(rod.half_axis), rod.radius)),
        Shape::Aabb { half } => {
            let shape = Shape::Obb(Obb::along_axes(*half));
            renamed(source, &shape)
        }
        _ => shape.clone(),
    }
}

#[test]
fn names_of_edges_do_not_matter() {
    let (mut source, mut changed) = (Source::new(73), 0);
    for case in 0..cases(20_000) {
        let contact = source.contact(case);
        let (a, b) = (renamed(&mut source, &contact.a), renamed(&mut source, &contact.b));
        let other = Contact { a: a.clone(), b: b.clone(), ..contact };
        changed += u32::from(a != contact.a || b != contact.b);
        assert_eq!(rows(&other, |vector| vector), rows(&contact, |vector| vector), "{contact:?}");
    }
    assert!(changed > 15_000, "{changed}");
}

/// Any shapes, at any distance, along any direction and with any band.
#[test]
fn there_is_a_point_whatever_is_asked() {
    let mut source = Source::new(74);
    for case in 0..cases(20_000) {
        let mut contact = source.contact(case);
        let with_plane = matches!(contact.a, Shape::Plane(_)) || matches!(contact.b, Shape::Plane(_));
        let far = if with_plane { 1 << 57 } else { 1 << 50 };
        match source.between(0, 3) {
            0 => contact.offset = source.any_vector(far),
            1 => contact.offset = Vec3::from_raw([far, -far, far]),
            _ => {}
        }
        if let Some(normal) = unit(source.any_vector(1 << 40).raw().map(i128::from)) {
            contact.normal = normal;
        }
        contact.band = Scalar::from_bits(source.signed(i64::MAX));
        assert!(!rows(&contact, |vector| vector).is_empty(), "{contact:?}");
        // Nor does a normal that is none do harm.
        contact.normal = Normal::new(1 << 30, -(1 << 30), [0, 1 << 30][source.between(0, 1) as usize]);
        assert!(!rows(&contact, |vector| vector).is_empty(), "{contact:?}");
        contact.normal = Normal::X;
        assert!(!rows(&contact, |vector| vector).is_empty(), "{contact:?}");
    }
}
