use super::*;
use crate::{
    geom::Vec3,
    num::{Rng, lit, rng::Draws},
    shape::{Mesh, mesh::source::Writing},
};

fn any_cell(draws: &mut Draws) -> Cell {
    let cell = Cell::new(if draws.below(5) == 0 { 127 } else { draws.below(3) as u8 });
    if draws.below(2) == 0 { cell } else { cell.with_other_diagonal() }
}

fn any_heights(draws: &mut Draws) -> Heights {
    let [columns, rows] = [0; 2].map(|_: i32| 2 + draws.below(4) as u32);
    let heights = (0..columns * rows).map(|_| draws.between(-5, 5) as i16).collect();
    let [cell, unit] = [0; 2].map(|_: i32| Scalar::from_bits(draws.between(1, 1 << 18) << STEP_BITS));
    let made = Heights::new(columns, cell, unit, heights).unwrap();
    let cells: Vec<Cell> = (0..(columns - 1) * (rows - 1)).map(|_| any_cell(draws)).collect();
    let is_ground = cells.iter().any(|cell| !cell.is_hole());
    if is_ground { made.with_cells(cells).unwrap() } else { made }
}

#[test]
fn cells_are_a_material_and_a_diagonal_or_a_hole() {
    let (plain, cut) = (Cell::new(5), Cell::new(126).with_other_diagonal());
    assert_eq!((plain.material(), plain.has_other_diagonal(), plain.is_hole()), (Some(5), false, false));
    assert_eq!((cut.material(), cut.has_other_diagonal(), cut.is_hole()), (Some(126), true, false));
    assert_eq!(cut.with_other_diagonal(), cut);
    for hole in [Cell::HOLE, Cell::new(127), Cell::new(255), Cell::HOLE.with_other_diagonal()] {
        assert_eq!((hole, hole.material(), hole.is_hole()), (Cell::HOLE, None, true));
    }
}

#[test]
fn heights_that_are_no_ground_are_refused_with_their_values() {
    let (cell, unit) = (lit("1"), lit("0.5"));
    let refused = |columns: u32, cell: Scalar, unit: Scalar, count: usize| {
        Heights::new(columns, cell, unit, vec![3; count]).unwrap_err().to_string()
    };
    assert_eq!(
        refused(0, cell, unit, 4),
        "4 heights in rows of 0: at least two rows of at least two, all full"
    );
    assert!(refused(1, cell, unit, 4).contains("rows of 1"));
    assert!(refused(4, cell, unit, 4).contains("4 heights"));
    assert!(refused(3, cell, unit, 7).contains("7 heights"));
    assert!(refused(u32::MAX, cell, unit, 9).contains("rows of 4294967295"));
    assert!(
        refused(1 << 12, lit("0.001953125"), unit, 1 << 23)
            .contains("points or triangles of a mesh, at most 4194304")
    );
    assert_eq!(refused(2, lit("0"), unit, 4), "cell is 0, must be above 0 and at most 16384");
    assert!(refused(2, lit("-1"), unit, 4).contains("cell is -1"));
    assert!(refused(2, cell, Scalar::from_bits(1 << 15), 4).ends_with("must be a multiple of 2^-16"));
    assert!(refused(2, cell, lit("16385"), 4).contains("unit of heights is 16385"));
    assert_eq!(
        refused(2, cell, lit("8192"), 4),
        "extent of heights is 24576, must be above 0 and at most 16384"
    );
    assert!(refused(12, lit("1500"), unit, 24).contains("extent of heights is 16500"));
    let good = Heights::new(3, cell, unit, vec![0; 9]).unwrap();
    let cells = good.clone().with_cells(vec![Cell::HOLE; 5]).unwrap_err();
    assert_eq!(cells.to_string(), "5 kinds of cells for 4 cells");
    let holes = Mesh::of_heights(good.with_cells(vec![Cell::HOLE; 4]).unwrap());
    assert_eq!(holes.unwrap_err(), ShapeError::NoTriangles);
    let long = Heights::new(2, lit("8193"), unit, vec![0; 4]).unwrap();
    assert!(matches!(Mesh::of_heights(long), Err(ShapeError::TooFarApart { axis: 0, .. })));
}

/// The height of a triangle over a place and its upward normal, if the place is over it: times the area that a second number is.
fn over(corners: [Vec3; 3], place: [i64; 2]) -> Option<([i128; 2], [i128; 3])> {
    let [a, b, c] = corners.map(|corner| corner.raw().map(i128::from));
    let place = place.map(i128::from);
    let area = |p: [i128; 2], q: [i128; 2], r: [i128; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let flat = |[x, _, z]: [i128; 3]| [x, z];
    let whole = area(flat(a), flat(c), flat(b));
    let parts = [(a, b, c), (b, c, a), (c, a, b)].map(|(_, p, q)| area(flat(q), flat(p), place));
    let height = parts[0] * a[1] + parts[1] * b[1] + parts[2] * c[1];
    let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis: usize| end[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    parts.iter().all(|part| *part >= 0).then_some(([height, whole], normal))
}

#[test]
fn places_have_the_height_and_the_normal_of_the_triangle_below_or_above() {
    let (mut over_ground, mut over_none) = (0, 0);
    for case in 0..400 {
        let mut draws = Rng::new(81).at(0, 0, case);
        let heights = any_heights(&mut draws);
        let mesh = Mesh::of_heights(heights.clone()).unwrap();
        let points: Vec<Vec3> = mesh.points().collect();
        let edge = heights.cell_edge().to_bits();
        for _ in 0..40 {
            // Also on edges and corners of cells.
            let place = heights.size().map(|count| {
                let far = i64::from(count) * edge;
                match draws.below(3) {
                    0 => draws.between(-edge, far) / edge * edge,
                    1 => draws.between(-edge, far) / edge * edge + edge / 2,
                    _ => draws.between(-edge, far),
                }
            });
            let [x, z] = place.map(Scalar::from_bits);
            let found: Vec<_> = mesh
                .triangles()
                .iter()
                .filter_map(|corners| over(corners.map(|corner| points[corner as usize]), place))
                .collect();
            match heights.height_at(x, z) {
                Some(height) => {
                    let off = |([sum, area], _): &&([i128; 2], _)| {
                        2 * (i128::from(height.to_bits()) * area - sum).abs() <= *area
                    };
                    assert!(found.iter().any(|one| off(&one)), "{case}");
                    let normal = heights.normal_at(x, z).unwrap();
                    assert!(found.iter().any(|(_, way)| Normal::from_wide(*way).unwrap().lengthened()
                        == normal.lengthened()
                        || is_along(normal, *way)));
                    over_ground += 1;
                }
                None => {
                    // A place on the border of a hole may be in the hole.
                    assert!(found.is_empty() || place.iter().any(|part| part % edge == 0), "{case}");
                    assert_eq!(heights.normal_at(x, z), None);
                    over_none += 1;
                }
            }
        }
    }
    assert!(over_ground > 5000 && over_none > 3000, "{over_ground} {over_none}");
}

/// True if a normal is a vector up to its rounding to 30 bits.
fn is_along(normal: Normal, way: [i128; 3]) -> bool {
    let most = way.iter().map(|part| part.abs()).max().unwrap_or_default();
    let components = normal.components().map(i128::from);
    let size = components.iter().map(|part| part.abs()).max().unwrap_or_default();
    (0..3).all(|axis| (components[axis] * most - way[axis] * size).abs() <= 2 * most.max(size))
}

#[test]
fn ground_is_the_mesh_of_its_triangles_with_fronts_above() {
    for case in 0..200 {
        let mut draws = Rng::new(82).at(0, 0, case);
        let heights = any_heights(&mut draws);
        let mesh = Mesh::of_heights(heights.clone()).unwrap();
        let points: Vec<Vec3> = mesh.points().collect();
        let materials: Vec<u8> =
            (0..mesh.triangles().len() as u32).map(|index| mesh.material_of(index)).collect();
        let same = Mesh::with_materials(&points, mesh.triangles(), &materials).unwrap();
        assert_eq!(same.content_hash(), mesh.content_hash());
        assert_ne!(same, mesh, "one knows its heights");
        for (a, b) in mesh.facets().iter().zip(same.facets()) {
            assert_eq!((&a.corners, &a.borders, a.normal), (&b.corners, &b.borders, b.normal));
            assert!(a.normal[1] > 0, "fronts are above");
        }
        for (index, corners) in (0..).zip(mesh.triangles()) {
            let (column, row) = heights.cell_of(index).unwrap();
            assert_eq!(heights.cell(column, row).material(), Some(mesh.material_of(index)));
            let edge = heights.cell_edge().to_bits();
            for corner in corners.map(|corner| points[corner as usize].raw()) {
                let [x, z] = [corner[0] / edge, corner[2] / edge];
                assert!((i64::from(column)..=i64::from(column) + 1).contains(&x));
                assert!((i64::from(row)..=i64::from(row) + 1).contains(&z));
                assert_eq!(
                    corner[1],
                    i64::from(heights.height(x as u32, z as u32)) * heights.unit().to_bits()
                );
            }
        }
        assert_eq!(heights.cell_of(mesh.triangles().len() as u32), None);
    }
}

#[test]
fn heights_have_one_encoding() {
    let heights = Heights::new(3, lit("1"), lit("0.5"), vec![1, 2, -3, 4, 5, 6]).unwrap();
    let with = |cells: [u8; 2]| Heights { cells: cells.map(Cell).to_vec(), ..heights.clone() };
    for (written, reads) in [
        (heights.clone(), true),
        (with([0, 127]), true),
        (with([129, 1]), true),
        (with([0, 0]), false),
        (with([0, 255]), false),
        (with([127, 127]), false),
        (Heights { columns: 0, ..heights.clone() }, false),
        (Heights { columns: 4, ..heights.clone() }, false),
        (Heights { cell: 0, ..heights.clone() }, false),
        (Heights { unit: u32::MAX, ..heights.clone() }, false),
    ] {
        let config = bincode::config::legacy();
        let bytes = bincode::serde::encode_to_vec(Writing::Heights(&written), config).unwrap();
        let read = bincode::serde::decode_from_slice::<Mesh, _>(&bytes, config);
        assert_eq!(read.is_ok(), reads, "{written:?}");
        if let Ok((mesh, length)) = read {
            assert_eq!((mesh.heights(), length), (Some(&written), bytes.len()));
            assert_eq!(bincode::serde::encode_to_vec(&mesh, config).unwrap(), bytes);
        }
    }
    // Ground with kinds of cells that are all alike is the plain one.
    assert_eq!(heights.clone().with_cells(vec![Cell::new(0); 2]), Ok(heights));
}

#[test]
fn ground_ends_with_its_last_points_and_a_cell_begins_with_its_own() {
    let heights = Heights::new(3, lit("2"), lit("0.5"), vec![1, 2, 3, 4, 5, 6]).unwrap();
    let at = |x: &str, z: &str| heights.height_at(x.parse().unwrap(), z.parse().unwrap());
    for (x, z, height) in
        [("0", "0", "0.5"), ("4", "0", "1.5"), ("0", "2", "2"), ("4", "2", "3"), ("2", "2", "2.5")]
    {
        assert_eq!(at(x, z), Some(lit(height)), "{x} {z}");
    }
    for (x, z) in
        [("-0.0000000003", "1"), ("4.0000000003", "1"), ("1", "2.0000000003"), ("1", "-0.0000000003")]
    {
        assert_eq!(at(x, z), None, "{x} {z}");
    }
    // The hole is the second cell: the edge between both is its own.
    let with_hole = heights.clone().with_cells(vec![Cell::new(0), Cell::HOLE]).unwrap();
    let at = |x: &str| with_hole.height_at(lit(x), lit("1"));
    assert_eq!((at("1.9999999998").is_some(), at("2"), at("4")), (true, None, None));
    assert_eq!(heights.normal_at(lit("1"), lit("0.5")), Some(Normal::new(-(1 << 15), 2 << 16, -(3 << 15))));
}
