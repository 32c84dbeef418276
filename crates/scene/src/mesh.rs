//! Meshes of a scene.

use bitstep::{
    geom::Vec3,
    shape::{Mesh, Shape},
};

use super::{
    hulls::fault,
    leaf::{Fault, Leaf, Vector},
};

/// The mesh of points and of the places of each triangle's corners among them.
pub fn of<'a>(
    name: Leaf<'a>,
    points: &[Vector<'a>],
    triangles: &[[Leaf<'a>; 3]],
) -> Result<Shape, Fault<'a>> {
    let points: Vec<Vec3> = points.iter().map(|point| point.decimals("points")).collect::<Result<_, _>>()?;
    let last = (points.len() as u64).saturating_sub(1);
    let place = |leaf: &Leaf<'a>| leaf.whole("triangles", 0, last).map(|place| place as u32);
    let corners = triangles.iter().map(|[a, b, c]| Ok([place(a)?, place(b)?, place(c)?]));
    let corners: Vec<[u32; 3]> = corners.collect::<Result<_, _>>()?;
    Mesh::new(&points, &corners).map(Shape::Mesh).map_err(|error| fault(name, error))
}
