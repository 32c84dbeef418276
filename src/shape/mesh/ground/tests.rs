use std::collections::BTreeSet;

use super::*;
use crate::{
    num::{Rng, Scalar, lit, rng::Draws},
    shape::{Cell, Mesh},
};

/// Heights of few values, so that many triangles lie in one plane, over cells of every kind.
fn any_ground(draws: &mut Draws, most: u64) -> Mesh {
    let [columns, rows] = [0; 2].map(|_: i32| 2 + draws.below(most) as u32);
    let steps = draws.below(3) as i64;
    let heights = (0..columns * rows).map(|_| draws.between(-steps, steps) as i16).collect();
    let [cell, unit] = [0; 2].map(|_: i32| Scalar::from_bits(draws.between(1, 1 << 18) << 16));
    let made = Heights::new(columns, cell, unit, heights).unwrap();
    let (holes, materials) = (draws.below(4), 1 + draws.below(3));
    let mut kind = || {
        let is_hole = draws.below(8) < holes;
        let cell = Cell::new(if is_hole { 127 } else { draws.below(materials) as u8 });
        if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
    };
    let mut cells: Vec<Cell> = (0..(columns - 1) * (rows - 1)).map(|_| kind()).collect();
    cells[0] = Cell::new(0);
    Mesh::of_heights(made.with_cells(cells).unwrap()).unwrap()
}

type Rows = (Vec<u32>, [i64; 3], u8, Vec<[Vec3; 3]>, Vec<[Border; 3]>);

fn rows(facet: &MeshFacet) -> Rows {
    let MeshFacet { triangles, normal, material, corners, borders } = facet;
    (triangles.clone(), *normal, *material, corners.clone(), borders.clone())
}

#[test]
fn facets_are_those_of_the_baked_mesh() {
    let (mut shared, mut single) = (0, 0);
    for case in 0..3_000 {
        let mesh = any_ground(&mut Rng::new(81).at(0, 0, case), 9);
        let ground = mesh.ground().unwrap();
        let all = (0..ground.triangle_count() as u32).filter_map(|first| ground.facet(first));
        let (found, expected) = (all.map(|facet| rows(&facet)), mesh.facets().iter().map(rows));
        let found: Vec<Rows> = found.collect();
        assert_eq!(found, expected.collect::<Vec<_>>(), "case {case}");
        let are_shared = found.iter().filter(|facet| facet.0.len() > 1).count();
        (shared, single) = (shared + are_shared, single + found.len() - are_shared);
    }
    assert!(shared > 10_000 && single > 30_000, "{shared} {single}");
}

#[test]
fn searches_find_the_facets_of_the_triangles_whose_boxes_are_wanted() {
    let mut count = 0;
    for case in 0..3_000 {
        let mut draws = Rng::new(82).at(0, 0, case);
        let mesh = any_ground(&mut draws, 20);
        let ground = mesh.ground().unwrap();
        let origin = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 40, 1 << 40)));
        let whole = ground.bounds_at(origin);
        let mut point = || {
            let parts = whole.min.raw().into_iter().zip(whole.max.raw());
            let mut parts = parts.map(|(least, most)| draws.between(least - 9, most + 9));
            Vec3::from_raw([0; 3].map(|_: i32| parts.next().unwrap()))
        };
        let [a, b] = [point(), point()];
        let region = Aabb { min: a.min(b), max: a.max(b) };
        let mut found = Vec::new();
        ground.search(origin, |bounds| bounds.touches(&region), |first| found.push(first));
        let mut expected = BTreeSet::new();
        for first in 0..ground.triangle_count() as u32 {
            let corners = ground.facet(first).map(|facet| facet.corners).unwrap_or_default();
            let touches = |corners: &[Vec3; 3]| {
                let [a, b, c] = *corners;
                let (min, max) = (a.min(b).min(c), a.max(b).max(c));
                Aabb { min: min + origin, max: max + origin }.touches(&region)
            };
            expected.extend(corners.iter().any(touches).then_some(first));
        }
        count += found.len();
        let once: BTreeSet<u32> = found.iter().copied().collect();
        assert!(once.len() == found.len() && once == expected, "case {case}: {found:?} {expected:?}");
    }
    assert!(count > 30_000, "{count}");
}

#[test]
fn a_search_may_become_stricter_and_ends_early() {
    let heights = Heights::new(1025, lit("1"), lit("0.5"), vec![0; 1025 * 1025]).unwrap();
    let mesh = Mesh::of_heights(heights).unwrap();
    let (mut asked, mut found) = (0, Vec::new());
    let spot = Vec3::lit("700.3", "0", "300.6");
    let wanted = |bounds: &Aabb| {
        asked += 1;
        bounds.touches(&Aabb { min: spot, max: spot.map_raw(|raw| raw + 1) })
    };
    mesh.ground().unwrap().search(Vec3::ZERO, wanted, |first| found.push(first));
    assert!(found == [0] && asked < 100, "{asked} {found:?}");
}
