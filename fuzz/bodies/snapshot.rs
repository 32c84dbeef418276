//! Bytes that may be a state: reading them is an answer or an error, the answer has these very bytes, and it
//! can be played.

use std::sync::Arc;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3},
    num::lit,
    shape::Shape,
    snapshot::{decode, diff, encode, fields},
    state::{Limits, Material, Scenery, SceneryBuilder},
    tick::TickReport,
};

/// Size of a snapshot before its state.
const HEADER_BYTES: usize = 28;

/// Reads a state behind a header that fits; returns whether there was one.
///
/// # Panics
///
/// If a state that was read has other bytes, or differs from itself.
pub fn body(bytes: &[u8]) -> bool {
    let scenery = scenery();
    let empty = World::new(Limits::new(60), Arc::clone(&scenery)).expect("an empty world");
    let mut snapshot = encode(&empty);
    snapshot.truncate(HEADER_BYTES);
    snapshot.extend(bytes);
    let Ok(mut world) = decode(&snapshot, &scenery) else { return false };
    assert_eq!(encode(&world), snapshot, "one state has two encodings");
    assert!(!fields(&world).is_empty() && diff(&world, &world.clone()).is_empty());
    let mut report = TickReport::default();
    for _ in 0..3 {
        world.step(&mut report);
        assert!(decode(&encode(&world), &scenery).is_ok(), "a tick leaves a state that is refused");
    }
    true
}

/// A ball, a box and a floor to fall on.
fn scenery() -> Arc<Scenery> {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::new(lit("0.5")).expect("a restitution"));
    builder.shape(Shape::sphere(lit("1")));
    builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
    let ground = Plane::from_point_normal(Vec3::ZERO, Normal::Y).expect("a normal");
    let ground = builder.shape(Shape::Plane(ground));
    builder.fixed(ground, material, Vec3::ZERO);
    builder.build().expect("a scenery")
}
