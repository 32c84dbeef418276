use super::{source::Writing, *};
use crate::num::{Rng, rng::Draws};

fn v(x: i64, y: i64, z: i64) -> Vec3 {
    Vec3::from_raw([x, y, z].map(|part| part << 32))
}

fn mesh(points: &[[i64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    let points: Vec<Vec3> = points.iter().map(|&[x, y, z]| v(x, y, z)).collect();
    Mesh::new(&points, triangles).unwrap()
}

/// For each edge of a triangle, from its lesser to its greater end: true if it is closed from above, and from below.
fn closed_at(mesh: &Mesh, triangle: u32, edge: [u32; 2]) -> [bool; 2] {
    let facet = mesh.facets().iter().find(|facet| facet.triangles.contains(&triangle)).unwrap();
    let index = facet.triangles.iter().position(|other| *other == triangle).unwrap();
    let points: Vec<Vec3> = mesh.points().collect();
    let ends = edge.map(|end| points[end as usize]);
    let corners = facet.corners[index];
    let from = (0..3).find(|&i| {
        let own = [corners[i], corners[(i + 1) % 3]];
        own == ends || own == [ends[1], ends[0]]
    });
    let [front, back] = facet.borders[index][from.unwrap()].closed;
    if facet.normal[1] > 0 { [front, back] } else { [back, front] }
}

#[test]
fn a_cube_has_six_facets_closed_from_within() {
    let corner = |i: i64| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 2 * bit - 1);
    let corners: Vec<[i64; 3]> = (0..8).map(corner).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [c, d, a]]).collect();
    let cube = mesh(&corners, &triangles);
    assert_eq!(cube.facets().len(), 6);
    for facet in cube.facets() {
        assert_eq!(facet.normal.map(i64::abs).iter().sum::<i64>(), 1, "in lowest terms");
        // Fronts look outward: the diagonal is closed from both sides, ridges from within.
        let flags: Vec<[bool; 2]> = facet.borders.iter().flatten().map(|border| border.closed).collect();
        assert_eq!(flags.iter().filter(|closed| **closed == [true; 2]).count(), 2);
        assert_eq!(flags.iter().filter(|closed| **closed == [false, true]).count(), 4);
    }
    let report = cube.report();
    assert_eq!((report.flat_edges, report.bent_edges, report.open_edges, report.facets), (6, 12, 0, 6));
    assert_eq!(report.to_string(), "6 facets, 12 edges at an angle, 6 flat edges");
}

#[test]
fn a_valley_is_closed_from_above_and_a_ridge_from_below() {
    for (height, closed) in [(1, [true, false]), (-1, [false, true]), (0, [true, true])] {
        let fold = mesh(&[[0, 0, 0], [0, 0, 2], [2, height, 0], [-2, 0, 0]], &[[0, 1, 2], [0, 1, 3]]);
        assert_eq!(closed_at(&fold, 1, [0, 1]), closed, "{height}");
        assert_eq!(closed_at(&fold, 0, [0, 1]), closed, "{height}");
        assert_eq!(closed_at(&fold, 1, [0, 3]), [false; 2], "an open border");
        assert_eq!(fold.facets().len(), if height == 0 { 1 } else { 2 });
    }
}

#[test]
fn a_triangle_folded_back_closes_nothing() {
    let folded = mesh(&[[0, 0, 0], [0, 0, 2], [2, 0, 0], [3, 0, 1]], &[[0, 1, 2], [0, 1, 3]]);
    assert_eq!(closed_at(&folded, 0, [0, 1]), [false; 2]);
    assert_eq!(folded.report().flat_edges, 1);
}

#[test]
fn an_edge_is_closed_by_several_that_cover_it_together() {
    let points = [[0, 0, 0], [0, 0, 4], [3, 0, 2], [0, 0, 1], [-3, 0, 0], [-3, 0, 4]];
    // Two halves behind the long side, of which the second may be missing or lie higher.
    let whole = mesh(&points, &[[0, 1, 2], [0, 3, 4], [3, 1, 5]]);
    assert_eq!(closed_at(&whole, 0, [0, 1]), [true; 2]);
    assert_eq!((whole.facets().len(), whole.report().t_junctions.len()), (1, 1));
    let half = mesh(&points, &[[0, 1, 2], [0, 3, 4]]);
    assert_eq!(closed_at(&half, 0, [0, 1]), [false; 2]);
    assert_eq!(closed_at(&half, 1, [0, 3]), [true; 2], "the short side is covered");
    let bent = [points[0], points[1], points[2], points[3], [-3, 1, 0], points[5]];
    let bent = mesh(&bent, &[[0, 1, 2], [0, 3, 4], [3, 1, 5]]);
    assert_eq!(closed_at(&bent, 0, [0, 1]), [true, false]);
}

#[test]
fn three_triangles_at_an_edge_close_it_from_each_side_on_which_there_is_one() {
    let points = [[0, 0, 0], [0, 0, 2], [2, 0, 0], [-2, 1, 0], [-2, -1, 0]];
    let fins = mesh(&points, &[[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
    assert_eq!(closed_at(&fins, 0, [0, 1]), [true; 2]);
    assert_eq!(fins.report().crowded_edges, [[0, 1]]);
    let many: Vec<[i64; 3]> =
        [[0, 0, 0], [0, 0, 1]].into_iter().chain((1..80).map(|i| [i, 80 - i, 0])).collect();
    let many: Vec<Vec3> = many.iter().map(|&[x, y, z]| v(x, y, z)).collect();
    let fan: Vec<[u32; 3]> = (2..81).map(|apex| [0, 1, apex]).collect();
    assert_eq!(Mesh::new(&many, &fan), Err(ShapeError::CrowdedEdge { corner: 0 }));
}

#[test]
fn materials_part_a_plane_and_leave_its_edge_closed() {
    let points = [v(0, 0, 0), v(0, 0, 2), v(2, 0, 0), v(-2, 0, 0)];
    let floor = Mesh::with_materials(&points, &[[0, 1, 2], [0, 1, 3]], &[0, 7]).unwrap();
    assert_eq!((floor.facets().len(), floor.material_count()), (2, 8));
    assert_eq!(closed_at(&floor, 0, [0, 1]), [true; 2]);
    let one = Mesh::with_materials(&points, &[[0, 1, 2], [0, 1, 3]], &[0, 0]).unwrap();
    assert_eq!(one, Mesh::new(&points, &[[0, 1, 2], [0, 1, 3]]).unwrap());
}

#[test]
fn a_mesh_that_is_none_is_refused_by_name() {
    let points = [v(0, 0, 0), v(0, 0, 2), v(2, 0, 0), v(4, 0, 0)];
    let refused = |triangles: &[[u32; 3]]| Mesh::new(&points, triangles).unwrap_err();
    assert_eq!(refused(&[]), ShapeError::NoTriangles);
    assert_eq!(refused(&[[0, 2, 3]]), ShapeError::NoTriangles);
    assert_eq!(
        refused(&[[0, 1, 2], [1, 2, 9]]),
        ShapeError::NoSuchPoint { triangle: 1, corner: 9, count: 4 }
    );
    let far = [points[0], points[1], v(16_385, 0, 0)];
    assert_eq!(Mesh::new(&far, &[[0, 1, 2]]), Err(ShapeError::PointTooFar { point: 2 }));
    let wide = [points[0], points[1], v(8_193, 0, 0)];
    assert!(matches!(Mesh::new(&wide, &[[0, 1, 2]]), Err(ShapeError::TooFarApart { axis: 0, .. })));
    let error = Mesh::with_materials(&points, &[[0, 1, 2]], &[1, 2]);
    assert_eq!(error, Err(ShapeError::MaterialCount { count: 2, triangles: 1 }));
    let report =
        mesh(&[[0, 0, 0], [0, 0, 2], [2, 0, 0], [0, 0, 0], [9, 9, 9]], &[[0, 1, 2], [2, 3, 1], [0, 3, 1]]);
    let report = report.report();
    assert_eq!((report.merged, report.unused), (1, 1));
    assert_eq!((&report.repeated[..], &report.degenerate[..]), (&[1][..], &[2][..]));
}

#[test]
fn bytes_are_those_of_the_one_form_and_others_are_refused() {
    let config = bincode::config::legacy();
    let cut = mesh(&[[9, 9, 9], [0, 0, 2], [2, 0, 0], [0, 0, 0]], &[[1, 2, 3], [1, 1, 2]]);
    let bytes = bincode::serde::encode_to_vec(&cut, config).unwrap();
    let (read, _): (Mesh, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
    assert_eq!((&read, read.content_hash()), (&cut, cut.content_hash()));
    assert_eq!(cut, mesh(&[[0, 0, 2], [2, 0, 0], [0, 0, 0]], &[[0, 1, 2]]));
    let written = |points: Vec<[i32; 3]>, triangles: Vec<[u32; 3]>, materials: Vec<u8>| {
        let source = Source { points, triangles, materials };
        let bytes = bincode::serde::encode_to_vec(Writing::Triangles(&source), config).unwrap();
        bincode::serde::decode_from_slice::<Mesh, _>(&bytes, config).is_ok()
    };
    let corners = [[0, 0, 2], [2, 0, 0], [0, 0, 0]];
    assert!(written(corners.to_vec(), vec![[0, 1, 2]], vec![3]));
    assert!(!written(corners.to_vec(), vec![[0, 1, 2]], vec![0]), "materials that are all 0");
    assert!(!written(corners.to_vec(), vec![[0, 1, 2], [2, 1, 0]], vec![]), "a triangle twice");
    assert!(!written([&corners[..], &[[5, 5, 5]]].concat(), vec![[0, 1, 2]], vec![]), "an unused point");
    assert!(
        !written(corners.to_vec(), vec![[1, 0, 2]], vec![]),
        "points in another order than that of their use"
    );
    assert!(!written(vec![[1 << 30, 0, 1], [i32::MIN, 0, 0], [0, 0, 0]], vec![[0, 1, 2]], vec![]));
}

/// The edges of a random mesh of few points, so that much coincides, beside what the definition says, which looks at all triangles.
#[test]
fn edges_are_closed_where_a_triangle_goes_on() {
    let (mut closed, mut all) = (0, 0);
    for case in 0..3_000 {
        let mut draws = Rng::new(81).at(0, 0, case);
        let points: Vec<[i64; 3]> = (0..7).map(|_| [0; 3].map(|_: i32| draws.between(0, 2))).collect();
        let triangles: Vec<[u32; 3]> = (0..5).map(|_| [0; 3].map(|_: i32| draws.below(7) as u32)).collect();
        let points: Vec<Vec3> = points.iter().map(|&[x, y, z]| v(x, y, z)).collect();
        let Ok(mesh) = Mesh::new(&points, &triangles) else { continue };
        for facet in mesh.facets() {
            for (corners, borders) in facet.corners.iter().zip(&facet.borders) {
                for (i, Border { closed: flags, .. }) in borders.iter().enumerate() {
                    let expected = by_definition(&mesh, facet.normal, *corners, i);
                    assert_eq!(*flags, expected, "case {case}: {corners:?} {i}");
                    (all, closed) = (all + 1, closed + usize::from(*flags != [false; 2]));
                }
            }
        }
    }
    assert!(closed > 5_000 && all > 20_000, "{closed} {all}");
}

type Point = [i128; 3];

fn sub(p: Point, q: Point) -> Point {
    [0, 1, 2].map(|k: usize| p[k] - q[k])
}

/// All edges of a mesh with the third corners of their triangles, in sixteenths of a unit.
fn edges(mesh: &Mesh) -> Vec<[Point; 3]> {
    let points: Vec<Point> = mesh.points().map(|point| point.raw().map(|part| (part >> 28).into())).collect();
    let triangles = mesh.triangles().iter().map(|corners| corners.map(|corner| points[corner as usize]));
    triangles.flat_map(|corners| [0, 1, 2].map(|k| [0, 1, 2].map(|i: usize| corners[(k + i) % 3]))).collect()
}

/// The sides from which at every one of many points inside an edge another triangle goes on: one that has the same edge, or if there is none, one
/// that has the point in an edge that is no other one's.
fn by_definition(mesh: &Mesh, normal: [i64; 3], corners: [Vec3; 3], from: usize) -> [bool; 2] {
    let small = |point: Vec3| point.raw().map(|part| i128::from(part >> 28));
    let [a, b, c] = [0, 1, 2].map(|k: usize| small(corners[(from + k) % 3]));
    let all = edges(mesh);
    let is_same = |edge: &[Point; 3], [p, q]: [Point; 2]| edge[..2] == [p, q] || edge[..2] == [q, p];
    let count = |p: Point, q: Point| all.iter().filter(|edge| is_same(edge, [p, q])).count();
    let is_shared = count(a, b) > 1;
    let others = all.iter().filter(|edge| {
        let is_own = is_same(edge, [a, b]) && edge[2] == c;
        !is_own && if is_shared { is_same(edge, [a, b]) } else { count(edge[0], edge[1]) == 1 }
    });
    // Between thirty-seconds of the edge, where nothing begins or ends: coordinates are whole numbers up to two.
    let inside = (0..16).map(|part| [0, 1, 2].map(|k: usize| 32 * a[k] + (2 * part + 1) * (b[k] - a[k])));
    let at = |point: Point| {
        let here = others.clone().filter(|[p, q, _]| {
            let (way, along) = (sub(point, p.map(|part| 32 * part)), sub(*q, *p));
            let (share, square) = (exact::dot(way, along), 32 * exact::dot(along, along));
            let is_on_line = [way, sub(b, a)].iter().all(|way| exact::cross(*way, along) == [0; 3]);
            is_on_line && share > 0 && share < square
        });
        here.fold([false; 2], |closed, [_, _, apex]| {
            let height = exact::dot(normal.map(i128::from), sub(*apex, a));
            let side = |point| exact::cross(sub(b, a), sub(point, a));
            let goes_on = height == 0 && exact::dot(side(*apex), side(c)) < 0;
            [closed[0] || height > 0 || goes_on, closed[1] || height < 0 || goes_on]
        })
    };
    inside.map(at).fold([true; 2], |all, here| [all[0] && here[0], all[1] && here[1]])
}

/// A sheet of cells in a random order of points and triangles.
fn shuffled(draws: &mut Draws) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |i: i64, j: i64| (i * 5 + j) as u32;
    let mut order: Vec<u32> = (0..25).collect();
    (1..25).rev().for_each(|last: usize| order.swap(last, draws.below(last as u64 + 1) as usize));
    let mut points = vec![Vec3::ZERO; 25];
    let cells: Vec<(i64, i64)> = (0..5).flat_map(|i| (0..5).map(move |j| (i, j))).collect();
    cells.iter().for_each(|&(i, j)| points[order[at(i, j) as usize] as usize] = v(i, (i * j) % 2, j));
    let corners = cells.iter().filter(|(i, j)| *i < 4 && *j < 4);
    let triangles = corners.flat_map(|&(i, j)| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)]]
    });
    (points, triangles.map(|corners| corners.map(|corner| order[corner as usize])).collect())
}

#[test]
fn numbers_of_points_make_no_difference() {
    let mut draws = Rng::new(82).at(0, 0, 0);
    let (points, triangles) = shuffled(&mut draws);
    let first = Mesh::new(&points, &triangles).unwrap();
    for _ in 0..20 {
        let (points, triangles) = shuffled(&mut draws);
        assert_eq!(Mesh::new(&points, &triangles).unwrap(), first);
    }
}
