//! From points and triangles as they are given to a mesh in its one form.

use super::{
    edges::Edges,
    exact::normal,
    facets::facets,
    report::MeshReport,
    source::{Baked, Source, check_extent},
};
use crate::shape::{ShapeError, size::MESH_COUNT_MAX};

pub(super) fn check_counts(points: usize, triangles: usize, materials: usize) -> Result<(), ShapeError> {
    if let Some(count) = [points, triangles].into_iter().find(|count| *count > MESH_COUNT_MAX) {
        return Err(ShapeError::MeshTooLarge { count });
    }
    if materials > 0 && materials != triangles {
        return Err(ShapeError::MaterialCount { count: materials, triangles });
    }
    Ok(())
}

/// Bakes a mesh of points in the grid, at most 2^30 steps from its origin.
pub(super) fn bake(
    points: &[[i32; 3]],
    triangles: &[[u32; 3]],
    materials: &[u8],
) -> Result<Baked, ShapeError> {
    let mut report = MeshReport::default();
    let same = first_at_place(points, &mut report);
    let (mut source, mut corners) =
        (Source { points: Vec::new(), triangles: Vec::new(), materials: Vec::new() }, 0);
    let mut number: Vec<Option<u32>> = vec![None; points.len()];
    let kept = keep(points, triangles, &same, &mut report)?;
    for &triangle in &kept {
        let corner = triangles[triangle as usize].map(|corner| {
            let place = same[corner as usize] as usize;
            *number[place].get_or_insert_with(|| {
                source.points.push(points[place]);
                corners += 1;
                corners - 1
            })
        });
        source.triangles.push(corner);
        source.materials.extend(materials.get(triangle as usize));
    }
    if source.materials.iter().all(|material| *material == 0) {
        source.materials.clear();
    }
    report.unused = (points.len() - source.points.len()) as u32 - report.merged;
    check_extent(source.points.iter().copied())?;
    let edges = Edges::of(&source, &mut report)?;
    let facets = facets(&source, &edges);
    report.facets = facets.len() as u32;
    Ok(Baked { source, facets, report })
}

/// For each point the first one at its place.
fn first_at_place(points: &[[i32; 3]], report: &mut MeshReport) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by_key(|&index| (points[index as usize], index));
    let mut same = vec![0; points.len()];
    for places in order.chunk_by(|a, b| points[*a as usize] == points[*b as usize]) {
        places.iter().for_each(|&index| same[index as usize] = places[0]);
        report.merged += places.len() as u32 - 1;
    }
    same
}

/// The triangles that have an area, each once.
fn keep(
    points: &[[i32; 3]],
    triangles: &[[u32; 3]],
    same: &[u32],
    report: &mut MeshReport,
) -> Result<Vec<u32>, ShapeError> {
    let mut kept: Vec<([u32; 3], u32)> = Vec::new();
    for (index, triangle) in (0..).zip(triangles) {
        if let Some(&corner) = triangle.iter().find(|corner| **corner as usize >= points.len()) {
            return Err(ShapeError::NoSuchPoint { triangle: index, corner, count: points.len() });
        }
        let mut corners = triangle.map(|corner| same[corner as usize]);
        if normal(corners.map(|corner| points[corner as usize])) == [0; 3] {
            report.degenerate.push(index);
        } else {
            corners.sort_unstable();
            kept.push((corners, index));
        }
    }
    kept.sort_unstable();
    let repeated =
        kept.chunk_by(|a, b| a.0 == b.0).flat_map(|same| same[1..].iter().map(|(_, index)| *index));
    report.repeated = repeated.collect();
    report.repeated.sort_unstable();
    kept.dedup_by_key(|(corners, _)| *corners);
    let mut kept: Vec<u32> = kept.into_iter().map(|(_, index)| index).collect();
    kept.sort_unstable();
    if kept.is_empty() { Err(ShapeError::NoTriangles) } else { Ok(kept) }
}
