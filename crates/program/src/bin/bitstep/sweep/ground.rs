//! Meshes and heights of a line, as scenes spell them, and their facets, which are what collides.

use std::sync::Arc;

use bitstep::{
    geom::Vec3,
    num::{Scalar, lit},
    shape::{Cell, Heights, Mesh, Shape, ShapeError},
    state::{Material, Scenery, SceneryBuilder, StateError, StaticId},
};

use super::{
    read::{POSITION_MAX, decimal, vector, within},
    refusal::Refusal,
    text::{List, Text},
};

/// The mesh of points and of the places of each triangle's corners among them.
pub fn mesh<N: Text>(name: &str, points: &[List<N>], triangles: &[List<N>]) -> Result<Mesh, Refusal> {
    let field = |list: &str, index: usize| format!("{name}.shape.{list}.{index}");
    let point = |(index, parts): (usize, &List<N>)| vector(&field("points", index), parts, Scalar::MAX);
    let points = points.iter().enumerate().map(point).collect::<Result<Vec<Vec3>, _>>()?;
    let triangle =
        |(index, parts): (usize, &List<N>)| wholes(&field("triangles", index), parts, [points.len(); 3]);
    let triangles = triangles.iter().enumerate().map(triangle).collect::<Result<Vec<[u32; 3]>, _>>()?;
    Mesh::new(&points, &triangles).map_err(|error| refused(name, error))
}

/// The texts of a ground of heights.
pub struct HeightsText<'t, N> {
    pub lengths: [&'t N; 2],
    pub rows: &'t [List<N>],
    pub holes: &'t [List<N>],
}

/// The ground of rows of heights, each along x, and of the holes in it.
pub fn heights<N: Text>(name: &str, text: &HeightsText<'_, N>) -> Result<Mesh, Refusal> {
    let field = |field: &str| format!("{name}.shape.{field}");
    let columns = text.rows.first().map_or(0, |row| row.len());
    let mut heights: Vec<i16> = Vec::new();
    for (index, row) in text.rows.iter().enumerate() {
        let row_field = field(&format!("rows.{index}"));
        if row.len() != columns {
            let reason = format!("has {} heights, the first has {columns}", row.len());
            return Err(Refusal::field(&row_field, reason));
        }
        for (column, number) in row.iter().enumerate() {
            heights.push(height(&format!("{row_field}.{column}"), number)?);
        }
    }
    let [cell, unit] = text.lengths;
    let (cell, unit) = (length(&field("cell"), cell)?, length(&field("unit"), unit)?);
    let mut made = Heights::new(columns as u32, cell, unit, heights).map_err(|error| refused(name, error))?;
    if !text.holes.is_empty() {
        let counts = made.size().map(|points| points as usize - 1);
        let mut cells = vec![Cell::default(); counts[0] * counts[1]];
        for (index, hole) in text.holes.iter().enumerate() {
            let [column, row] = wholes(&field(&format!("holes.{index}")), hole, counts)?;
            cells[row as usize * counts[0] + column as usize] = Cell::HOLE;
        }
        made = made.with_cells(cells).map_err(|error| refused(name, error))?;
    }
    Mesh::of_heights(made).map_err(|error| refused(name, error))
}

/// A height in its unit.
fn height<N: Text>(field: &str, number: &N) -> Result<i16, Refusal> {
    let (low, high) = (lit("-32768"), lit("32767"));
    let value =
        decimal(field, number, &|value| low <= value && value <= high, &format!("in {low}..={high}"))?;
    if value.frac() != Scalar::ZERO {
        return Err(Refusal::value(field, value, "a whole number: it counts in `unit`"));
    }
    Ok(value.to_num())
}

fn length<N: Text>(field: &str, number: &N) -> Result<Scalar, Refusal> {
    within(field, number, Scalar::MAX)
}

/// Whole numbers, each below a count; 0 for a count of 0, which the library refuses.
fn wholes<N: Text, const COUNT: usize>(
    field: &str,
    parts: &[N],
    counts: [usize; COUNT],
) -> Result<[u32; COUNT], Refusal> {
    if parts.len() != COUNT {
        return Err(Refusal::value(field, format!("{} numbers", parts.len()), format!("{COUNT} numbers")));
    }
    let mut found = [0; COUNT];
    for ((part, count), place) in parts.iter().zip(counts).zip(&mut found) {
        let (text, last) = (part.text(), count.saturating_sub(1) as u64);
        let digits = text.replace('_', "");
        let value = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u64>());
        match value {
            Some(Ok(value)) if value <= last => *place = value as u32,
            _ => {
                let limit = format!("a whole number in 0..={last}");
                return Err(Refusal::value(field, format!("{text:.40}"), limit));
            }
        }
    }
    Ok(found)
}

fn refused(name: &str, error: ShapeError) -> Refusal {
    Refusal::text(format!("{name}.shape: {error}"))
}

/// The facets of a mesh, in its order, and the origin of each from that of the mesh.
pub fn facets(name: &str, mesh: &Mesh) -> Result<Vec<(Shape, Vec3)>, Refusal> {
    let scenery = scenery(mesh).map_err(|error| Refusal::text(format!("{name}.shape: {error}")))?;
    let ids = (0..scenery.static_count() as u32).map(StaticId);
    let facet = |id| scenery.facet(id).map(|(facet, place)| (Shape::Facet(facet.clone()), place));
    Ok(ids.filter_map(facet).collect())
}

/// A level of nothing but a mesh at the origin: it makes the facets as a world has them.
fn scenery(mesh: &Mesh) -> Result<Arc<Scenery>, StateError> {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::INELASTIC);
    let shape = scenery.shape(Shape::Mesh(mesh.clone()));
    scenery.fixed(shape, material, Vec3::ZERO);
    scenery.build()
}

/// Checks that all points of a mesh are in the range of positions.
pub fn check_place(field: &str, mesh: &Mesh, position: Vec3) -> Result<(), Refusal> {
    if mesh.points().all(|point| (position + point).within(POSITION_MAX)) {
        return Ok(());
    }
    let limit = format!("at most {POSITION_MAX} in magnitude with each of the points");
    Err(Refusal::value(field, position, limit))
}
