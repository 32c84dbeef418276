//! Shapes of the static level that are ground: triangle meshes, and heights over a grid.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    shape::{Cell, Heights, Mesh, Shape},
};
use bitstep_scene::MeshFile;

use crate::{
    code::{BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_DATA, BitstepCode, Failure, Outcome, guard},
    memory::{self, Sized32},
    scenery::{BitstepScenery, put_shape, range},
    types::{BitstepScalar, BitstepVec3},
};

/// A triangle mesh.
///
/// Triangles are thin, and solid from both sides. Points are rounded to the nearest 2^-16 unit; those at one place are one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BitstepMesh {
    /// `sizeof(BitstepMesh)`.
    pub struct_size: u32,
    /// Number of points, up to 2^22.
    pub point_count: u32,
    /// Number of triangles, up to 2^22.
    pub triangle_count: u32,
    /// Zero.
    pub reserved: u32,
    /// The points, in units: up to 2^14 from the origin along each axis, and up to 2^13 from each other.
    pub points: *const BitstepVec3,
    /// The corners of the triangles as places among the points, from 0: three for each triangle.
    pub triangles: *const u32,
    /// A number for the material of each triangle: a static has the material of its own for 0, and those that follow it. Null for 0
    /// everywhere.
    pub materials: *const u8,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers and raw pointers.
unsafe impl Sized32 for BitstepMesh {}

/// The counts of what was found in a mesh as it was added, and of what was left out.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepMeshReport {
    /// `sizeof(BitstepMeshReport)`.
    pub struct_size: u32,
    /// Number of points of the mesh.
    pub points: u32,
    /// Number of triangles of the mesh.
    pub triangles: u32,
    /// Number of materials that a static of the mesh needs, from its own on.
    pub materials: u32,
    /// Flat parts: what collides.
    pub facets: u32,
    /// Points that were rounded.
    pub rounded: u32,
    /// Points that are at the place of another one.
    pub merged: u32,
    /// Points that no triangle uses.
    pub unused: u32,
    /// Triangles without an area, left out.
    pub degenerate: u32,
    /// Triangles with the corners of an earlier one, left out.
    pub repeated: u32,
    /// Edges of more than two triangles.
    pub crowded_edges: u32,
    /// Points that lie inside an edge of which they are no end.
    pub t_junctions: u32,
    /// Edges of a single triangle that no others cover.
    pub open_edges: u32,
    /// Edges between triangles in one plane.
    pub flat_edges: u32,
    /// Edges between triangles at an angle.
    pub bent_edges: u32,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepMeshReport {}

/// A cell without ground.
pub const BITSTEP_CELL_HOLE: u8 = 127;
/// Added to the material of a cell: the edge between its two triangles runs between the other two corners.
pub const BITSTEP_CELL_OTHER_DIAGONAL: u8 = 128;

/// Heights along y over a grid in x and z: two triangles for each cell, with fronts above.
///
/// The origin is at the first point, at height 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BitstepHeights {
    /// `sizeof(BitstepHeights)`.
    pub struct_size: u32,
    /// Number of points along x, 2 or more.
    pub columns: u32,
    /// Number of points along z, 2 or more.
    pub rows: u32,
    /// Zero.
    pub reserved: u32,
    /// The edge of a cell, in units: a multiple of 2^-16.
    pub cell: BitstepScalar,
    /// The unit in which heights count, in units: a multiple of 2^-16.
    pub unit: BitstepScalar,
    /// The height of each point, row by row: along x first, then along z.
    pub heights: *const i16,
    /// One for each cell, row by row, or null for 0 everywhere. There is one cell less than points along each axis. A cell is the number of its
    /// material, 0 to 126, as of the triangles of a mesh: the edge between its two triangles runs from the corner of least coordinates to
    /// that of greatest. `BITSTEP_CELL_` names the others.
    pub cells: *const u8,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers and raw pointers.
unsafe impl Sized32 for BitstepHeights {}

/// Adds a triangle mesh, for statics only. `report`, which may be null, gets what was found in it, `id` its number, which may be null.
///
/// # Safety
///
/// `mesh` must be valid for the struct, and its pointers for as many elements as it says, or null; `report` for the struct, with its size
/// set, or null; `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_mesh(
    scenery: BitstepScenery,
    mesh: *const BitstepMesh,
    report: *mut BitstepMeshReport,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let mesh = unsafe { baked(&memory::read(mesh, "mesh")?)? };
        // SAFETY: as this function's caller promises.
        unsafe { put_mesh(scenery, mesh, (report, id)) }
    })
}

/// Adds the triangle mesh of a file that `bitstep bake` has written, from its content; `BITSTEP_ERROR_DATA` if it is none. The names of its
/// materials are not looked at.
///
/// # Safety
///
/// `bytes` must be valid for `length` bytes; `report` for the struct, with its size set, or null; `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_mesh_file(
    scenery: BitstepScenery,
    bytes: *const u8,
    length: usize,
    report: *mut BitstepMeshReport,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let bytes = unsafe { memory::array(bytes, length, "bytes")? };
        let file = MeshFile::decode(bytes).map_err(|error| Failure::new(BITSTEP_ERROR_DATA, error))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_mesh(scenery, file.mesh().clone(), (report, id)) }
    })
}

/// Adds ground of heights, for statics only; `id` gets its number, which may be null. `BITSTEP_COMMAND_SET_HEIGHTS` changes the heights of a
/// static in a world.
///
/// # Safety
///
/// `heights` must be valid for the struct, and its pointers for as many elements as it says, or null; `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_heights(
    scenery: BitstepScenery,
    heights: *const BitstepHeights,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let heights = unsafe { heights_of(&memory::read(heights, "heights")?)? };
        let mesh = Mesh::of_heights(heights).map_err(range)?;
        // SAFETY: as this function's caller promises.
        unsafe { put_shape(scenery, Shape::Mesh(mesh), id) }
    })
}

fn check_reserved(reserved: u32) -> Outcome {
    if reserved == 0 { Ok(()) } else { Err(Failure::new(BITSTEP_ERROR_ARGUMENT, "reserved is not 0")) }
}

/// Checks a number of elements before any of them is read.
fn check_count(count: u64, name: &str) -> Outcome {
    if count <= Mesh::COUNT_MAX as u64 {
        return Ok(());
    }
    Err(range(format!("{name} has {count} elements, at most {}", Mesh::COUNT_MAX)))
}

/// The mesh of the caller's points and triangles.
///
/// # Safety
///
/// The pointers must be valid for as many elements as the struct says, or null.
unsafe fn baked(mesh: &BitstepMesh) -> Result<Mesh, Failure> {
    let BitstepMesh { point_count, triangle_count, reserved, materials, .. } = *mesh;
    check_reserved(reserved)?;
    check_count(point_count.into(), "points")?;
    check_count(triangle_count.into(), "triangles")?;
    let (points, triangles) = (point_count as usize, triangle_count as usize);
    // SAFETY: as this function's caller promises.
    let points = unsafe { memory::array(mesh.points, points, "points")? };
    // SAFETY: as this function's caller promises; three numbers lie as an array of three does.
    let corners = unsafe { memory::array(mesh.triangles.cast::<[u32; 3]>(), triangles, "triangles")? };
    // SAFETY: as this function's caller promises.
    let materials = unsafe { optional(materials, triangles, "materials")? };
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    Mesh::with_materials(&points, corners, materials).map_err(range)
}

/// The heights of the caller's struct.
///
/// # Safety
///
/// The pointers must be valid for as many elements as the struct says, or null.
unsafe fn heights_of(ground: &BitstepHeights) -> Result<Heights, Failure> {
    let BitstepHeights { columns, rows, reserved, cell, unit, .. } = *ground;
    check_reserved(reserved)?;
    if columns.min(rows) < 2 {
        return Err(range(format!(
            "heights have {columns} columns and {rows} rows, must be 2 or more of both"
        )));
    }
    check_count(u64::from(columns) * u64::from(rows), "heights")?;
    let (points, cells) = (columns as usize * rows as usize, (columns as usize - 1) * (rows as usize - 1));
    // SAFETY: as this function's caller promises.
    let heights = unsafe { memory::array(ground.heights, points, "heights")? };
    // SAFETY: as this function's caller promises.
    let cells = unsafe { optional(ground.cells, cells, "cells")? };
    let cells: Vec<Cell> = cells.iter().map(|byte| cell_of(*byte)).collect::<Result<_, _>>()?;
    let [cell, unit] = [cell, unit].map(Scalar::from_bits);
    let made = Heights::new(columns, cell, unit, heights.to_vec()).map_err(range)?;
    made.with_cells(cells).map_err(range)
}

/// The cell of a byte; a hole is cut along no diagonal.
fn cell_of(byte: u8) -> Result<Cell, Failure> {
    let cell = Cell::new(byte & !BITSTEP_CELL_OTHER_DIAGONAL);
    match byte & BITSTEP_CELL_OTHER_DIAGONAL {
        0 => Ok(cell),
        _ if cell.is_hole() => Err(range("a hole has no diagonal: its cell is 127")),
        _ => Ok(cell.with_other_diagonal()),
    }
}

/// The caller's array; an empty one for null.
///
/// # Safety
///
/// As [`memory::array`], whatever the count is where the pointer is null.
unsafe fn optional<'a, T>(pointer: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    // SAFETY: as this function's caller promises.
    if pointer.is_null() { Ok(&[]) } else { unsafe { memory::array(pointer, count, name) } }
}

/// Adds a mesh, and writes what was found in it and its number where they are asked for.
///
/// # Safety
///
/// The report must be valid for the struct, or null; the number likewise.
unsafe fn put_mesh(
    scenery: BitstepScenery,
    mesh: Mesh,
    (report, id): (*mut BitstepMeshReport, *mut u32),
) -> Outcome {
    if !report.is_null() {
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(report, "report", report_of(&mesh))? };
    }
    // SAFETY: as this function's caller promises.
    unsafe { put_shape(scenery, Shape::Mesh(mesh), id) }
}

fn report_of(mesh: &Mesh) -> BitstepMeshReport {
    let found = mesh.report();
    BitstepMeshReport {
        struct_size: size_of::<BitstepMeshReport>() as u32,
        points: mesh.points().len() as u32,
        triangles: mesh.triangles().len() as u32,
        materials: mesh.material_count().into(),
        facets: found.facets,
        rounded: found.rounded,
        merged: found.merged,
        unused: found.unused,
        degenerate: found.degenerate.len() as u32,
        repeated: found.repeated.len() as u32,
        crowded_edges: found.crowded_edges.len() as u32,
        t_junctions: found.t_junctions.len() as u32,
        open_edges: found.open_edges,
        flat_edges: found.flat_edges,
        bent_edges: found.bent_edges,
    }
}
