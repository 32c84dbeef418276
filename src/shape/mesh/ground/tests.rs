use std::collections::BTreeSet;

use super::*;
use crate::{
    num::{Rng, Scalar, lit, rng::Draws},
    shape::{Cell, Mesh},
};

/// Heights of few values, so that many triangles lie in one plane, over cells of every kind.
pub(super) fn any_ground(draws: &mut Draws, most: u64) -> Mesh {
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

/// The box around a ground with its origin at a place.
fn bounds(ground: &Ground, origin: Vec3) -> Aabb {
    let [min, max] = [([0; 2], 0), (ground.heights.cell_counts(), 1)]
        .map(|(at, end)| origin + in_raw(ground.heights.place(at, ground.peaks.most()[end])));
    Aabb { min, max }
}

#[test]
fn changed_heights_make_the_ground_that_has_them() {
    let mut changed = 0;
    for case in 0..3_000 {
        let mut draws = Rng::new(83).at(0, 0, case);
        let mut mesh = any_ground(&mut draws, 20);
        let kept = mesh.clone();
        for _ in 0..1 + draws.below(3) {
            let ground = mesh.ground_mut().unwrap();
            let size = ground.heights.size();
            let at = size.map(|points| draws.below(points.into()) as u32);
            let count =
                [0, 1].map(|axis: usize| 1 + draws.below((size[axis] - at[axis]).min(8).into()) as u32);
            let heights: Vec<i16> = (0..count[0] * count[1]).map(|_| draws.between(-2, 2) as i16).collect();
            ground.set_heights(at, count[0], &heights);
        }
        let (ground, first) = (mesh.ground().unwrap(), kept.ground().unwrap());
        let made = Ground::of(ground.heights.clone());
        let of_mesh = |ground: &Ground| ground.peaks.levels().map(<[[i16; 2]]>::to_vec).collect::<Vec<_>>();
        assert_eq!(of_mesh(ground), of_mesh(&made), "case {case}");
        let firsts = |ground: &Ground| {
            (0..ground.triangle_count() as u32).map(|triangle| ground.first(triangle)).collect::<Vec<_>>()
        };
        assert_eq!((firsts(ground), ground.room()), (firsts(&made), first.room()), "case {case}");
        changed += u32::from(first.heights != ground.heights);
    }
    assert!(changed > 2_000, "{changed}");
}

#[test]
fn all_between_the_ground_before_and_after_is_swept() {
    let (mut passed, mut left) = (0, 0);
    for case in 0..2_000 {
        let mut draws = Rng::new(84).at(0, 0, case);
        let mesh = any_ground(&mut draws, 6);
        let ground = mesh.ground().unwrap();
        let size = ground.heights.size();
        let at = size.map(|points| draws.below(points.into()) as u32);
        let count = [0, 1].map(|axis: usize| 1 + draws.below((size[axis] - at[axis]).into()) as u32);
        let patch: Vec<i16> = (0..count[0] * count[1]).map(|_| draws.between(-2, 2) as i16).collect();
        let mut after = ground.clone();
        after.set_heights(at, count[0], &patch);
        let swept = ground.swept(at, count[0], &patch);
        for _ in 0..20 {
            let edge = ground.heights.cell_edge().to_bits();
            let [x, z] = [0, 1].map(|axis| draws.between(-1, edge * i64::from(size[axis] - 1) + 1));
            let unit = ground.heights.unit().to_bits();
            let point = Vec3::from_raw([x, draws.between(-2 * unit, 2 * unit), z]);
            let height = |ground: &Ground| ground.heights.height_at(point.x, point.z);
            let passes = swept.iter().any(|swept| swept.passes(point));
            // Heights are rounded.
            let is_above =
                |height: Scalar| ((point.y - height).to_bits().abs() > 1).then_some(point.y > height);
            let sides = [ground, &after].map(|ground| height(ground).map(is_above));
            match sides {
                [Some(Some(before)), Some(Some(after))] => assert_eq!(passes, before != after, "case {case}"),
                [None, None] => assert!(!passes, "case {case}"),
                _ => {}
            }
            let is_in_a_hull = |swept: &Swept| {
                let Aabb { min, max } = swept.bounds();
                point.max(min) == point && point.min(max) == point
            };
            assert!(!passes || swept.iter().any(is_in_a_hull), "case {case}");
            (passed, left) = (passed + u32::from(passes), left + u32::from(!passes));
        }
    }
    assert!(passed > 1_500 && left > 10_000, "{passed} {left}");
}

#[test]
fn a_point_on_the_ground_is_passed_by_what_rises_and_not_by_what_sinks() {
    let heights = Heights::new(2, lit("1"), lit("1"), vec![0; 4]).unwrap();
    let mesh = Mesh::of_heights(heights).unwrap();
    for (height, passes) in [(1, true), (-1, false)] {
        let swept = mesh.ground().unwrap().swept([0; 2], 2, &[height; 4]);
        let passed = |y: &str| swept.iter().any(|swept| swept.passes(Vec3::lit("0.75", y, "0.25")));
        assert_eq!((passed("0"), passed(if passes { "1" } else { "-1" })), (passes, !passes));
    }
}

#[test]
fn searches_find_the_facets_of_the_triangles_whose_boxes_are_wanted() {
    let mut count = 0;
    for case in 0..3_000 {
        let mut draws = Rng::new(82).at(0, 0, case);
        let mesh = any_ground(&mut draws, 20);
        let ground = mesh.ground().unwrap();
        let origin = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 40, 1 << 40)));
        let whole = bounds(ground, origin);
        let mut point = || {
            let parts = whole.min.raw().into_iter().zip(whole.max.raw());
            let mut parts = parts.map(|(least, most)| draws.between(least - 9, most + 9));
            Vec3::from_raw([0; 3].map(|_: i32| parts.next().unwrap()))
        };
        // The borders of half of the regions are those of triangles.
        let snapped =
            |any: Vec3| if case % 2 == 0 { any } else { origin + nearest_point(ground, any - origin) };
        let [a, b] = [point(), point()].map(snapped);
        let region = Aabb { min: a.min(b), max: a.max(b) };
        let [mut found, mut touching] = [Vec::new(), Vec::new()];
        ground.search(origin, |bounds| bounds.touches(&region), |first| found.push(first));
        ground.find_facets_touching(origin, &region, |first| touching.push(first));
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
        touching.sort_unstable();
        found.sort_unstable();
        assert_eq!(touching, found, "case {case}");
    }
    assert!(count > 30_000, "{count}");
}

/// The point of the grid of a ground that is nearest to a place from its origin, in units of height and edges of cells.
fn nearest_point(ground: &Ground, place: Vec3) -> Vec3 {
    let [cell, unit] = ground.heights.steps_in_raw();
    let [x, y, z] = place.raw();
    let round = |part: i64, step: i64| (part + step / 2).div_euclid(step) * step;
    Vec3::from_raw([round(x, cell), round(y, unit), round(z, cell)])
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
