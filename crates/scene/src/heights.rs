//! Ground of heights in a scene.

use bitstep::{
    num::{Scalar, lit},
    shape::{Cell, Heights, Mesh, Shape},
};

use super::{
    hulls::fault,
    leaf::{Fault, Leaf},
};

/// The ground of rows of heights, each along x, and of the holes in it.
pub fn of<'a>(
    name: Leaf<'a>,
    [cell, unit]: [Leaf<'a>; 2],
    rows: &[Vec<Leaf<'a>>],
    holes: &[[Leaf<'a>; 2]],
) -> Result<Shape, Fault<'a>> {
    let columns = rows.first().map_or(0, Vec::len);
    if let Some((place, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        let leaf = row.first().copied().unwrap_or(name);
        return Err(leaf.fault(format!("row {place} has {} heights, the first has {columns}", row.len())));
    }
    let heights = rows.iter().flatten().map(|leaf| whole(*leaf)).collect::<Result<Vec<i16>, _>>()?;
    let lengths = [cell.decimal("cell")?, unit.decimal("unit")?];
    let made = Heights::new(columns as u32, lengths[0], lengths[1], heights);
    let mut made = made.map_err(|error| fault(name, error))?;
    if !holes.is_empty() {
        let cells = cells(made.size(), holes)?;
        made = made.with_cells(cells).map_err(|error| fault(name, error))?;
    }
    Mesh::of_heights(made).map(Shape::Mesh).map_err(|error| fault(name, error))
}

/// A height in its unit.
fn whole(leaf: Leaf<'_>) -> Result<i16, Fault<'_>> {
    let value = leaf.decimal_in("height", lit("-32768"), lit("32767"))?;
    if value.frac() != Scalar::ZERO {
        return Err(leaf.fault(format!("height is {value}, must be a whole number: it counts in `unit`")));
    }
    Ok(value.to_num())
}

fn cells<'a>([columns, rows]: [u32; 2], holes: &[[Leaf<'a>; 2]]) -> Result<Vec<Cell>, Fault<'a>> {
    let [columns, rows] = [columns, rows].map(|points| u64::from(points) - 1);
    let mut cells = vec![Cell::default(); (columns * rows) as usize];
    for [column, row] in holes {
        let [column, row] = [column.whole("holes", 0, columns - 1)?, row.whole("holes", 0, rows - 1)?];
        cells[(row * columns + column) as usize] = Cell::HOLE;
    }
    Ok(cells)
}
