//! Ground of heights in a scene, and commands that change it.

use bitstep::{
    num::{Scalar, lit},
    shape::{Cell, Heights, Mesh, Shape},
    state::{Command, HeightPatch},
};

use super::{
    build::find,
    command_text::SetHeightsText,
    hulls::fault,
    kinds::Kinds,
    leaf::{Fault, Leaf},
    noise,
    text::NoiseText,
};

/// The number of points along x, and the heights row by row: as written, or drawn.
pub fn points<'a>(
    name: Leaf<'a>,
    rows: Option<&[Vec<Leaf<'a>>]>,
    noise: Option<&NoiseText<'a>>,
) -> Result<(u32, Vec<i16>), Fault<'a>> {
    match (rows, noise) {
        (Some(rows), None) => full_rows(name, rows),
        (None, Some(noise)) => noise::of(name, noise),
        _ => Err(name.fault("heights have either rows or a noise")),
    }
}

/// The ground of heights, as many to each row along x, and of the holes in it.
pub fn of<'a>(
    name: Leaf<'a>,
    [cell, unit]: [Leaf<'a>; 2],
    (columns, heights): (u32, Vec<i16>),
    holes: &[[Leaf<'a>; 2]],
) -> Result<Shape, Fault<'a>> {
    let lengths = [cell.decimal("cell")?, unit.decimal("unit")?];
    let made = Heights::new(columns, lengths[0], lengths[1], heights);
    let mut made = made.map_err(|error| fault(name, error))?;
    if !holes.is_empty() {
        let cells = cells(made.size(), holes)?;
        made = made.with_cells(cells).map_err(|error| fault(name, error))?;
    }
    Mesh::of_heights(made).map(Shape::Mesh).map_err(|error| fault(name, error))
}

/// The commands of one tick that give a rectangle of a ground other heights, each as many as a command takes.
pub fn commands<'a>(text: &SetHeightsText<'a>, kinds: &Kinds) -> Result<Vec<Command>, Fault<'a>> {
    let (ground, shape) = find(&kinds.statics, text.ground, "static")?;
    let heights = if let Shape::Mesh(mesh) = &shape { mesh.heights() } else { None };
    let Some(size) = heights.map(Heights::size) else {
        return Err(text
            .ground
            .fault(format!("ground is a static of {}, must be one of heights", shape.name())));
    };
    let (columns, heights) = full_rows(text.ground, &text.rows)?;
    let Some(first) = text.rows.iter().flatten().next() else {
        return Err(text.ground.fault("rows has no heights, must have 1 or more"));
    };
    let mut from = [0; 2];
    let counts = [("column", columns), ("row", text.rows.len() as u32)];
    for (axis, (field, count)) in counts.into_iter().enumerate() {
        let Some(last) = size[axis].checked_sub(count) else {
            return Err(first.fault(format!("rows has {count} {field}s, the ground has {}", size[axis])));
        };
        from[axis] = text.at[axis].whole(field, 0, last.into())? as u32;
    }
    let patches = HeightPatch::cover(columns, &heights).map_err(|error| first.fault(error.to_string()))?;
    let command = |([column, row], heights): ([u32; 2], HeightPatch)| {
        let at = [from[0] + column, from[1] + row];
        Command::SetHeights { ground, at, heights, lift: text.lift }
    };
    Ok(patches.into_iter().map(command).collect())
}

/// The number of heights in each row, and the heights row by row; an error about an empty row is at `place`.
fn full_rows<'a>(place: Leaf<'a>, rows: &[Vec<Leaf<'a>>]) -> Result<(u32, Vec<i16>), Fault<'a>> {
    let columns = rows.first().map_or(0, Vec::len);
    if let Some((index, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        let leaf = row.first().copied().unwrap_or(place);
        return Err(leaf.fault(format!("row {index} has {} heights, the first has {columns}", row.len())));
    }
    let heights = rows.iter().flatten().map(|leaf| whole(*leaf)).collect::<Result<Vec<i16>, _>>()?;
    Ok((columns as u32, heights))
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
