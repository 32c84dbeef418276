//! What a bake found, for people.

use std::path::Path;

use anyhow::Result;
use bitstep::{
    geom::Vec3,
    num::Scalar,
    shape::{Mesh, MeshReport},
};
use bitstep_program::output::{Screen, count, counted, program};
use bitstep_scene::MeshFile;

use super::model::Model;

/// Number of places that are named of each kind.
const PLACES_SHOWN: usize = 3;

/// The facts about a mesh and what was left out of its model.
pub fn show(screen: &mut Screen, path: &Path, model: &Model, file: &MeshFile) -> Result<()> {
    let (mesh, report) = (file.mesh(), file.mesh().report());
    let given = [(model.points.len(), "point"), (model.triangles.len(), "triangle")];
    let [points, triangles] = given.map(|(number, one)| counted(number as u64, one));
    screen.fact("model", format!("{}: {points}, {triangles}", path.display()))?;
    if model.left_out > 0 {
        let parts = counted(model.left_out, "part");
        screen.fact("left out", format!("{parts} of points and lines, which have no triangles"))?;
    }
    let kept = count(mesh.triangles().len() as u64);
    let (degenerate, repeated) = (&report.degenerate, &report.repeated);
    let note =
        notes(&[(degenerate.len(), "without an area left out"), (repeated.len(), "repeated left out")]);
    screen.fact("triangles", kept + &note)?;
    let kept = count(mesh.points().len() as u64);
    let note = notes(&[(report.merged as usize, "merged"), (report.unused as usize, "unused left out")]);
    screen.fact("points", kept + &note)?;
    screen.fact("rounding", rounding(model))?;
    screen.fact("bounds", bounds(mesh))?;
    screen.fact("facets", count(report.facets))?;
    edges(screen, mesh, report)?;
    materials(screen, file)?;
    screen.fact("content hash", format!("{:032x}", mesh.content_hash()))
}

/// The file that was written, and what to do with it.
pub fn written(screen: &mut Screen, path: &Path, bytes: usize) -> Result<()> {
    screen.fact("written", format!("{} bytes in {}", count(bytes as u64), path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    screen.line(format!("\n  In a scene of the same folder: shapes: {{ \"level\": mesh(file: {name:?}) }}"))
}

/// The size of the file, and how to have it.
pub fn unwritten(screen: &mut Screen, path: &Path, bytes: usize) -> Result<()> {
    screen.fact("not written", format!("{} bytes", count(bytes as u64)))?;
    let target = path.with_extension("mesh");
    screen.line(format!("\n  {} bake {} -o {}", program(), path.display(), target.display()))
}

/// Counts above zero in brackets.
fn notes(counts: &[(usize, &str)]) -> String {
    let shown = counts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        shown.map(|(number, what)| format!("{} {what}", count(*number as u64))).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn rounding(model: &Model) -> String {
    let (number, moved) = model.rounded;
    match number {
        0 => "none: every coordinate is a multiple of 2^-16".to_owned(),
        _ => {
            format!("{}, the greatest by {}", counted(number, "coordinate"), Scalar::from_bits(moved.into()))
        }
    }
}

fn bounds(mesh: &Mesh) -> String {
    let first = mesh.points().next().unwrap_or(Vec3::ZERO); // a mesh has points
    let (low, high) =
        mesh.points().fold((first, first), |(low, high), point| (low.min(point), high.max(point)));
    let size = Vec3::new(high.x - low.x, high.y - low.y, high.z - low.z);
    format!("{} to {}, size {}", place(low), place(high), place(size))
}

fn place(point: Vec3) -> String {
    format!("({}, {}, {})", point.x, point.y, point.z)
}

fn edges(screen: &mut Screen, mesh: &Mesh, report: &MeshReport) -> Result<()> {
    let kinds = [
        (report.bent_edges as usize, "at an angle"),
        (report.flat_edges as usize, "flat"),
        (report.open_edges as usize, "open"),
        (report.crowded_edges.len(), "of more than two triangles"),
    ];
    let shown = kinds.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        shown.map(|(number, what)| format!("{} {what}", count(*number as u64))).collect();
    screen.fact("edges", parts.join(", "))?;
    let crowded: Vec<u32> = report.crowded_edges.iter().map(|ends| ends[0]).collect();
    for (label, places) in [("crowded edges", &crowded), ("T-junctions", &report.t_junctions)] {
        if places.is_empty() {
            continue;
        }
        let points = places.iter().take(PLACES_SHOWN).filter_map(|at| mesh.points().nth(*at as usize));
        let points: Vec<String> = points.map(place).collect();
        let more = if places.len() > PLACES_SHOWN { ", .." } else { "" };
        screen.fact(label, format!("{} at {}{more}", count(places.len() as u64), points.join(", ")))?;
    }
    Ok(())
}

fn materials(screen: &mut Screen, file: &MeshFile) -> Result<()> {
    let mut uses = vec![0_u64; file.materials().len()];
    for triangle in 0..file.mesh().triangles().len() {
        uses[usize::from(file.mesh().material_of(triangle as u32))] += 1;
    }
    for (number, (name, uses)) in file.materials().iter().zip(uses).enumerate() {
        let label = if number == 0 { "materials" } else { "" };
        screen.fact(label, format!("{number} {name:?}, {}", counted(uses, "triangle")))?;
    }
    Ok(())
}
