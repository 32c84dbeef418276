//! Statics, and the appearance of bodies, for the page.

use std::collections::BTreeSet;

use super::{columns::Column, scale::Scale};
use bitstep::{
    World,
    shape::{Capsule, Heights, HullForm, Mesh, Obb, Shape},
    state::{CompoundId, PlacedShape, ShapeId, Static},
};

/// The least half extent of a shape that has one, in raw.
pub fn radius(shape: &Shape) -> Option<i64> {
    let longest = |edge: &bitstep::geom::Vec3| edge.raw().into_iter().map(i64::abs).max();
    match shape {
        Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => Some(radius.to_bits()),
        Shape::Aabb { half } => half.raw().into_iter().min(),
        Shape::Obb(Obb { half_edges }) => half_edges.iter().filter_map(longest).min(),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_) | Shape::Facet(_) => None,
        Shape::Hull(_) => shape.half_extent().and_then(|half| half.raw().into_iter().min()),
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

/// Writes every name of a shape or a compound with its open face and its child shapes, then every static.
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
        column.put(scenery.open_face(name).map_or(0, |face| u64::from(u8::from(face)) + 1));
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
    match &solid.shape {
        Shape::Sphere { radius } => {
            column.put(0);
            put_sizes(column, [radius.to_bits()]);
        }
        Shape::Aabb { half } => put_box(column, Obb::along_axes(*half)),
        Shape::Obb(obb) => put_box(column, *obb),
        Shape::Hull(form) => put_hull(column, form),
        Shape::Mesh(mesh) => put_mesh(column, mesh),
        // No shape of a scenery is a part of a mesh.
        Shape::Triangle(_) | Shape::Facet(_) => {
            column.put(0);
            put_sizes(column, [0]);
        }
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

/// The corners, and of each face the places of its corners in that list.
fn put_hull(column: &mut Column, form: &HullForm) {
    column.put(4);
    column.put(form.corners().len() as u64);
    form.corners().iter().for_each(|corner| put_sizes(column, corner.raw()));
    let faces = form.hull().faces();
    column.put(faces.len() as u64);
    for face in faces {
        column.put(face.len() as u64);
        face.iter().for_each(|corner| column.put((*corner).into()));
    }
}

/// A mesh as a hull is put: the points, and the places of the corners of each triangle among them. Ground has the edge of its cells before that.
fn put_mesh(column: &mut Column, mesh: &Mesh) {
    let places = match mesh.heights() {
        Some(heights) => {
            column.put(6);
            put_sizes(column, [heights.cell_edge().to_bits()]);
            put_points(column, heights, mesh)
        }
        None => {
            column.put(5);
            column.put(mesh.points().len() as u64);
            mesh.points().for_each(|point| put_sizes(column, point.raw()));
            (0..mesh.points().len() as u64).collect()
        }
    };
    column.put(mesh.triangles().len() as u64);
    for corners in mesh.triangles() {
        column.put(3);
        corners.iter().for_each(|corner| column.put(places[*corner as usize]));
    }
}

/// Writes the points of ground row by row, as changes of its heights name them; returns the place of each of the mesh's points there.
fn put_points(column: &mut Column, heights: &Heights, mesh: &Mesh) -> Vec<u64> {
    let ([columns, rows], edge) = (heights.size().map(i64::from), heights.cell_edge().to_bits());
    column.put((columns * rows) as u64);
    let steps = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    for ((row, along), height) in steps.zip(heights.heights()) {
        put_sizes(column, [along * edge, i64::from(*height) * heights.unit().to_bits(), row * edge]);
    }
    let place = |[x, _, z]: [i64; 3]| (z / edge * columns + x / edge) as u64;
    mesh.points().map(|point| place(point.raw())).collect()
}

fn put_sizes<const N: usize>(column: &mut Column, raw: [i64; N]) {
    column.put_all(raw.map(Scale::size));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::decode::{signed, take};
    use bitstep::{
        geom::Vec3,
        num::lit,
        shape::Cell,
        state::{Face, Limits, SceneryBuilder},
    };

    #[test]
    fn an_open_face_stands_with_the_name_of_its_shape() {
        let mut builder = SceneryBuilder::default();
        let [closed, slab] = [(); 2].map(|()| builder.shape(Shape::aabb(Vec3::splat(lit("1")))));
        builder.one_way(slab, Face::MinusY);
        let world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let mut column = Column::default();
        put(&mut column, &world);
        let mut rest = column.bytes();
        assert_eq!(take(&mut rest), 2);
        for (shape, open) in [(closed, 0), (slab, 1 + u64::from(u8::from(Face::MinusY)))] {
            assert_eq!([(); 3].map(|()| take(&mut rest)), [shape.0.into(), open, 1]);
            assert_eq!([(); 5].map(|()| take(&mut rest)), [0, 0, 0, 0, 1], "no offset, no layer, a box");
            let one = Scale::size(lit("1").to_bits());
            let edges = [(); 9].map(|()| signed(&mut rest));
            assert_eq!(edges, [one, 0, 0, 0, one, 0, 0, 0, one]);
        }
        assert_eq!((take(&mut rest), rest.len()), (0, 0), "no statics");
    }

    #[test]
    fn points_of_ground_are_row_by_row_and_its_triangles_are_those_of_the_mesh() {
        let cells = [Cell::new(0), Cell::HOLE, Cell::new(0), Cell::new(0).with_other_diagonal()].repeat(3);
        let heights = Heights::new(5, lit("1.5"), lit("0.25"), (0..20).collect()).unwrap();
        let mesh = Mesh::of_heights(heights.with_cells(cells).unwrap()).unwrap();
        let mut column = Column::default();
        put_mesh(&mut column, &mesh);
        let mut rest = column.bytes();
        assert_eq!((take(&mut rest), signed(&mut rest)), (6, Scale::size(3 << 31)));
        assert_eq!(take(&mut rest), 20);
        let points: Vec<_> = (0..20).map(|_| [0; 3].map(|_: i32| signed(&mut rest))).collect();
        for (index, point) in (0..).zip(&points) {
            let place = [index % 5 * (3 << 31), index << 30, index / 5 * (3 << 31)];
            assert_eq!(*point, place.map(Scale::size), "{index}");
        }
        let all: Vec<_> = mesh.points().map(|point| point.raw().map(Scale::size)).collect();
        assert_eq!(take(&mut rest) as usize, mesh.triangles().len());
        for corners in mesh.triangles() {
            assert_eq!(take(&mut rest), 3);
            for corner in corners {
                assert_eq!(points[take(&mut rest) as usize], all[*corner as usize]);
            }
        }
        assert!(rest.is_empty());
    }
}
