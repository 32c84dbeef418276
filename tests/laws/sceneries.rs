//! Validation of a scenery: what is refused and why; and that its hash is its content.

use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    shape::Shape,
    state::{Material, MaterialId, Scenery, SceneryBuilder, ShapeId},
};

use crate::support::{s, v};

const FAR: &str = "16777216";

/// A ball, a plane through (0, 1, 0), and a material.
fn builder() -> SceneryBuilder {
    let mut builder = SceneryBuilder::default();
    builder.material(Material::ELASTIC);
    builder.shape(Shape::sphere(s("0.5")));
    builder.shape(Shape::Plane(Plane::from_point_normal(v("0", "1", "0"), Normal::Y).unwrap()));
    builder
}

#[test]
fn every_refusal_names_the_entry() {
    let far_plane = Plane::from_point_normal(v("0", "16777217", "0"), Normal::Y).unwrap();
    let fixed = |shape, material, position| {
        let mut builder = builder();
        builder.fixed(ShapeId(shape), MaterialId(material), position);
        builder
    };
    let shaped = |shape| {
        let mut builder = builder();
        builder.shape(shape);
        builder
    };
    let (mut many_materials, mut many_shapes) = (builder(), builder());
    for _ in 0..1 << 16 {
        many_materials.material(Material::INELASTIC);
        many_shapes.shape(Shape::sphere(Scalar::ONE));
    }
    let cases = [
        (shaped(Shape::sphere(s("0"))), "shape 2: radius is 0, must be above 0 and at most 4096"),
        (
            shaped(Shape::aabb(v("1", "1", "4097"))),
            "shape 2: half.z is 4097, must be above 0 and at most 4096",
        ),
        (shaped(Shape::Plane(far_plane)), "shape 2: coordinate beyond 16777216"),
        (fixed(2, 0, Vec3::ZERO), "static 0: no shape 2"),
        (fixed(1, 1, Vec3::ZERO), "static 0: no material 1"),
        (fixed(0, 0, v("0", "0", "-16777216.5")), "static 0: coordinate beyond 16777216"),
        (fixed(1, 0, v("0", FAR, "0")), "static 0: coordinate beyond 16777216"),
        (many_materials, "materials: 65537 entries, at most 65536 are accepted"),
        (many_shapes, "shapes: 65538 entries, at most 65536 are accepted"),
    ];
    for (builder, text) in cases {
        assert_eq!(builder.build().unwrap_err().to_string(), text);
    }
    assert!(fixed(0, 0, v("0", FAR, "0")).build().is_ok(), "up to the limit");
    assert!(fixed(1, 0, v("0", "16777215", "0")).build().is_ok());
}

#[test]
fn a_scenery_from_bytes_is_checked_as_well() {
    let mut builder = builder();
    builder.fixed(ShapeId(1), MaterialId(0), Vec3::ZERO);
    let bytes = builder.build().unwrap().encode();
    let at = bytes.len() - 16 - 29; // shape, material, position and layer of the only static, before two empty lists
    let cases = [
        (0, 9, "static 0: no shape 9"),
        (2, 9, "static 0: no material 9"),
        (28, 16, "static 0: layer is 16, must be in 0..=15"),
    ];
    for (offset, value, text) in cases {
        let mut damaged = bytes.clone();
        damaged[at + offset] = value;
        assert_eq!(Scenery::decode(&damaged).unwrap_err().to_string(), text);
    }
    let more = [&bytes[..], &[0]].concat();
    assert_eq!(Scenery::decode(&more).unwrap_err().to_string(), "1 bytes too many");
    for end in 0..bytes.len() {
        let error = Scenery::decode(&bytes[..end]).unwrap_err();
        assert!(error.to_string().starts_with("not decodable"), "{end}: {error}");
    }
    let mut rough = bytes;
    let friction = at - 8 - 4; // before the number of statics
    rough[friction..friction + 4].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    let scenery = Scenery::decode(&rough).unwrap();
    assert_eq!(Ok(scenery.materials()[0]), Material::from_q16(1 << 16, 1 << 20));
    rough[friction] = 1;
    let text = Scenery::decode(&rough).unwrap_err().to_string();
    assert!(text.contains("friction is 16.0000152588, must be in 0..=16"), "{text}");
    let mut lively = rough;
    (lively[friction], lively[friction - 4]) = (0, 1);
    let text = Scenery::decode(&lively).unwrap_err().to_string();
    assert!(text.contains("restitution is 1.0000152588, must be in 0..=1"), "{text}");
}

#[test]
fn a_restitution_is_from_0_to_1_and_rounds_to_nearest() {
    let of = |raw: i64| Material::new(Scalar::from_bits(raw)).ok().map(|material| material.restitution_q16());
    assert_eq!([of(-1), of((1 << 32) + 1)], [None, None]);
    assert_eq!([of(0), of(1 << 31), of(1 << 32)], [Some(0), Some(1 << 15), Some(1 << 16)]);
    assert_eq!([of((1 << 15) - 1), of(1 << 15)], [Some(0), Some(1)]);
}
