use super::*;
use crate::{
    num::{Rng, Scalar, rng::Draws},
    shape::{Cell, Heights},
};

/// Slopes and plains of few heights, with holes.
fn any_ground(draws: &mut Draws) -> Mesh {
    let [columns, rows] = [0; 2].map(|_: i32| 2 + draws.below(14) as u32);
    let [along, across, bumps] = [0; 3].map(|_: i32| draws.between(-300, 300));
    let height = |index: u32, draws: &mut Draws| {
        let (column, row) = (i64::from(index % columns), i64::from(index / columns));
        let bump = if draws.below(12) == 0 { bumps } else { 0 };
        (along * column + across * row + bump) as i16
    };
    let heights = (0..columns * rows).map(|index| height(index, draws)).collect();
    let [cell, unit] = [18, 14].map(|bits| Scalar::from_bits(draws.between(1, 1 << bits) << 16));
    let made = Heights::new(columns, cell, unit, heights).unwrap();
    let kind = |draws: &mut Draws| {
        let cell = Cell::new(if draws.below(15) == 0 { 127 } else { 0 });
        if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
    };
    let mut cells: Vec<Cell> = (0..(columns - 1) * (rows - 1)).map(|_| kind(draws)).collect();
    cells[0] = Cell::new(0);
    Mesh::of_heights(made.with_cells(cells).unwrap()).unwrap()
}

type Row = ([[i64; 3]; 3], [i64; 3], [Border; 3], [[bool; 2]; 3]);

/// The triangles of a facet that touch a region, in an order of their own.
fn rows(facet: &Facet, region: &Aabb) -> Vec<Row> {
    let mut rows = Vec::new();
    let row = |piece: &Piece| {
        let corners = piece.corners.map(Vec3::raw);
        (corners, piece.place.raw(), piece.borders, piece.closed_corners)
    };
    facet.search(|bounds| bounds.touches(region), |piece| rows.push(row(piece)));
    rows.sort_unstable();
    rows
}

#[test]
fn facets_of_grounds_are_those_of_their_listed_triangles() {
    let (mut shared, mut found) = (0, 0);
    for case in 0..1_500 {
        let mut draws = Rng::new(83).at(0, 0, case);
        let mesh = any_ground(&mut draws);
        let ground = mesh.ground().unwrap();
        for first in 0..ground.triangle_count() as u32 {
            let made = Facet::of_ground(&mesh, first);
            let listed = ground.facet(first).map(|part| (Facet::new(&part), part.material));
            let (Some((facet, middle, material)), Some(((other, place), of_part))) = (made, listed) else {
                assert!(Facet::of_ground(&mesh, first).is_none() && ground.facet(first).is_none());
                continue;
            };
            assert_eq!((middle, material), (place, of_part), "case {case} {first}");
            assert_eq!(facet.half_extent(), other.half_extent(), "case {case} {first}");
            assert_eq!(facet.first_piece().corners, other.first_piece().corners, "case {case} {first}");
            assert!(facet == other, "case {case} {first}");
            // One corner may stand for another if both are as far along both normals.
            for (plane, of_listed) in facet.planes().iter().zip(other.planes()) {
                let heights = |plane: &Plane, normal: Normal| normal.dot_wide(plane.point());
                let (normal, unit) = (plane.normal(), plane.normal().unit_q30().unwrap());
                assert_eq!(normal, of_listed.normal());
                assert_eq!(heights(plane, normal), heights(of_listed, normal), "case {case} {first}");
                assert_eq!(heights(plane, unit), heights(of_listed, unit), "case {case} {first}");
            }
            let half = facet.half_extent().map_raw(|raw| draws.between(0, raw + 1));
            for region in [facet.half_extent().map_raw(|raw| raw + 1), half] {
                let region = Aabb { min: -region, max: region };
                let (ours, theirs) = (rows(&facet, &region), rows(&other, &region));
                assert_eq!(ours, theirs, "case {case} {first}");
                found += ours.len();
            }
            shared += usize::from(facet.only_piece().is_none());
        }
    }
    assert!(shared > 6_000 && found > 200_000, "{shared} {found}");
}
