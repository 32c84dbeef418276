//! Statics, and the appearance of bodies, for the page.

use std::collections::BTreeSet;

use super::{columns::Column, scale::Scale};
use bitstep::{
    World,
    shape::{Capsule, Obb, Shape},
    state::{CompoundId, PlacedShape, ShapeId, Static},
};

/// The least half extent of a shape that has one, in raw.
pub fn radius(shape: &Shape) -> Option<i64> {
    let longest = |edge: &bitstep::geom::Vec3| edge.raw().into_iter().map(i64::abs).max();
    match shape {
        Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => Some(radius.to_bits()),
        Shape::Aabb { half } => half.raw().into_iter().min(),
        Shape::Obb(Obb { half_edges }) => half_edges.iter().filter_map(longest).min(),
        Shape::Plane(_) => None,
    }
}

/// The shapes that a body may have: all but those that only statics have.
pub fn of_bodies(initial_state: &World) -> impl Iterator<Item = &Shape> {
    let scenery = initial_state.scenery();
    let own: BTreeSet<ShapeId> = initial_state.bodies().map(|(_, body)| body.shape).collect();
    let fixed: BTreeSet<ShapeId> = scenery.statics().iter().map(|fixed| fixed.shape).collect();
    let is_own = move |id: ShapeId| own.contains(&id) || !fixed.contains(&id);
    (0..).zip(scenery.shapes()).filter(move |(id, _)| is_own(ShapeId(*id))).map(|(_, shape)| shape)
}

/// Writes every name of a shape or a compound with its child shapes, then every static.
pub fn put(column: &mut Column, world: &World) {
    let scenery = world.scenery();
    let shapes = (0..scenery.shapes().len()).map(|index| ShapeId(index as u16));
    let compounds = (0..scenery.compounds().len()).map(|index| CompoundId(index as u16));
    let compounds =
        compounds.flat_map(|compound| [false, true].map(|mirrored| ShapeId::of_compound(compound, mirrored)));
    let names: Vec<ShapeId> = shapes.chain(compounds).collect();
    column.put(names.len() as u64);
    for name in names {
        let solids = scenery.solids(name).unwrap_or_default();
        column.put(name.0.into());
        column.put(solids.len() as u64);
        solids.iter().for_each(|solid| put_solid(column, solid));
    }
    column.put(scenery.statics().len() as u64);
    for Static { shape, position, layer, .. } in scenery.statics() {
        column.put(shape.0.into());
        column.put((*layer).into());
        put_sizes(column, position.raw());
    }
}

/// A child shape: its offset and layer, its kind, and its sizes.
fn put_solid(column: &mut Column, solid: &PlacedShape) {
    put_sizes(column, solid.offset.raw());
    column.put(solid.layer.map_or(0, |layer| u64::from(layer) + 1));
    match solid.shape {
        Shape::Sphere { radius } => {
            column.put(0);
            put_sizes(column, [radius.to_bits()]);
        }
        Shape::Aabb { half } => put_box(column, Obb::along_axes(half)),
        Shape::Obb(obb) => put_box(column, obb),
        Shape::Capsule(Capsule { half_axis, radius }) => {
            column.put(2);
            put_sizes(column, half_axis.raw());
            put_sizes(column, [radius.to_bits()]);
        }
        Shape::Plane(plane) => {
            column.put(3);
            put_sizes(column, plane.point().raw());
            column.put_all(plane.normal().lengthened().components().map(i64::from));
        }
    }
}

fn put_box(column: &mut Column, obb: Obb) {
    column.put(1);
    obb.half_edges.iter().for_each(|edge| put_sizes(column, edge.raw()));
}

fn put_sizes<const N: usize>(column: &mut Column, raw: [i64; N]) {
    column.put_all(raw.map(Scale::size));
}
