use super::*;
use crate::{
    num::{Rng, lit},
    overlap::{distance_shapes_ceil, manifold_shapes},
    shape::{Cell, Heights, Hull, Mesh},
};

/// The slope of a fold along z: level for x below zero, and from there on up by one in two.
fn slope() -> (Facet, Vec3) {
    beyond_level("4", "2")
}

/// The face of a fold along z from the edge of a level part to a line at x and y.
fn beyond_level(x: &str, y: &str) -> (Facet, Vec3) {
    let v = Vec3::lit;
    let points = [
        v("-4", "0", "-9"),
        v("0", "0", "-9"),
        v("0", "0", "9"),
        v("-4", "0", "9"),
        v(x, y, "-9"),
        v(x, y, "9"),
    ];
    let fold = Mesh::new(&points, &[[1, 2, 5], [5, 4, 1], [0, 3, 2], [2, 1, 0]]).unwrap();
    Facet::new(&fold.facets()[0])
}

/// The direction from a facet to a ball, in x and y.
fn direction((facet, middle): &(Facet, Vec3), x: &str, y: &str) -> [i64; 2] {
    let (ball, place) =
        (Shape::sphere(lit("0.5")), Vec3::new(x.parse().unwrap(), y.parse().unwrap(), Scalar::ZERO));
    let normal = separation_facet(facet, &ball, place - *middle).unwrap().normal;
    let [x, y, z] = normal.components().map(i64::from);
    assert_eq!(z, 0);
    [x, y]
}

fn is_along([x, y]: [i64; 2], [p, q]: [i64; 2]) -> bool {
    x * p + y * q > 0 && (x * q - y * p).abs() <= 8 * p.abs().max(q.abs())
}

#[test]
fn edges_give_their_own_direction_and_the_plane_that_of_what_is_over_it() {
    let facet = slope();
    assert!(is_along(direction(&facet, "2", "2"), [-1, 2]), "over it");
    // Below it is a ridge: the direction is that from the edge to the ball.
    assert!(is_along(direction(&facet, "-0.375", "-0.5"), [-3, -4]));
    // The upper border is open: what is beside it by less than it is above it slides onto it.
    assert!(is_along(direction(&facet, "3.5", "3.5"), [-1, 2]));
    assert!(is_along(direction(&facet, "4.25", "2.25"), [1, 1]));
}

#[test]
fn half_spaces_bound_a_valley_and_nothing_else_beside_a_face() {
    // Above the level part the ball is in front of both faces.
    for (x, y) in [("-1.5", "0.55"), ("-0.5", "0.8"), ("-3.5", "1.5")] {
        assert!(is_along(direction(&slope(), x, y), [-1, 2]), "{x} {y}");
    }
    // Above the level part at the top of a wall below it, upright or leaning either way, it is behind the wall, and in front of what closes the wall's edge: it is not stopped.
    for x in ["0", "1", "-1"] {
        assert!(is_along(direction(&beyond_level(x, "-4"), "-1.5", "0.55"), [-30, 11]), "{x}");
    }
    // A face of another material in the same plane goes on with its half-space, but does not bear what is beside it.
    let plate = [("-4", "-9"), ("0", "-9"), ("0", "9"), ("-4", "9"), ("4", "-9"), ("4", "9")];
    let plate = plate.map(|(x, z)| Vec3::lit(x, "0", z));
    let plate = Mesh::with_materials(&plate, &[[1, 2, 5], [5, 4, 1], [0, 3, 2], [2, 1, 0]], &[1, 1, 0, 0]);
    let beside = Facet::new(&plate.unwrap().facets()[0]);
    assert!(is_along(direction(&beside, "-1.5", "0.55"), [-30, 11]));
    // Below the level part it is in the valley behind such a wall.
    assert!(is_along(direction(&beyond_level("1", "-4"), "-0.625", "-0.625"), [-4, -1]));
}

#[test]
fn solids_are_over_a_facet_where_their_nearest_point_is() {
    let (facet, middle) = slope();
    let plane = |x: &str, y: &str| {
        let place = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), Scalar::ZERO);
        plane_under(&facet, &Shape::sphere(lit("0.5")), place - middle)
    };
    let sides = facet.planes().map(Shape::Plane);
    let upper = usize::from(facet.planes()[0].normal().components()[1] < 0);
    assert_eq!(plane("2", "2"), Some(sides[upper].clone()));
    assert_eq!(plane("2", "0"), Some(sides[1 - upper].clone()));
    // The foot of the center is at the very edge, and a raw beyond.
    assert_eq!(plane("-1", "2"), Some(sides[upper].clone()));
    assert_eq!(plane("-1.0000000005", "2"), None);
}

#[test]
fn the_nearest_of_many_triangles_is_that_of_a_look_at_all() {
    let mut several = 0;
    for case in 0..150 {
        let mut draws = Rng::new(92).at(0, case, 0);
        // A slope with holes, of which what hangs together is a facet.
        let [along, aside] = [0; 2].map(|_: i32| draws.between(-3, 3) as i16);
        let points = (0..12 * 12).map(|place| along * (place % 12) + aside * (place / 12)).collect();
        let cells = (0..11 * 11).map(|_| Cell::new(if draws.below(4) == 0 { 127 } else { 0 })).collect();
        let heights = Heights::new(12, lit("1"), lit("0.5"), points).unwrap().with_cells(cells).unwrap();
        let mesh = Mesh::of_heights(heights).unwrap();
        let facets = (0..2 * 11 * 11).filter_map(|first| Some(Facet::of_ground(&mesh, first)?.0));
        for facet in facets.take(4) {
            let mut pieces = Vec::new();
            facet.search(|_| true, |piece| pieces.push(piece));
            for _ in 0..40 {
                let point = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-12 << 32, 12 << 32)));
                let distance = |piece: &Piece| {
                    let offset = piece.place - point;
                    distance_convex_convex_ceil(offset, &Convex::POINT, &piece.as_convex())
                };
                let expected = pieces.iter().map(|piece| (distance(piece), piece.number)).min();
                let found = piece_nearest_to(&facet, point).map(|piece| (distance(piece), piece.number));
                assert_eq!(found, expected, "case {case}: {point}");
            }
            several += usize::from(pieces.len() > 9);
        }
    }
    assert!(several > 100, "{several}");
}

#[test]
fn distances_of_facets_are_those_of_triangles_as_far_as_offsets_go() {
    let ball = Shape::sphere(lit("0.5"));
    for case in 0..2_000_u64 {
        let mut draws = Rng::new(31).at(0, case, 0);
        let mut vector = |most: i64| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-most, most)));
        let points = [(); 3].map(|()| vector(4_000 << 32));
        let (facet, _) = Facet::new(&Mesh::new(&points, &[[0, 1, 2]]).unwrap().facets()[0]);
        // From a thousand units to the largest offset, so some balls are over the facet and many are beyond what is asked of its plane.
        let offset = vector(1 << (42 + case % 16));
        let found = distance_shapes_ceil(&Shape::Facet(facet.clone()), &ball, offset).unwrap();
        let expected = distance_pieces_ceil(&facet, &ball, offset).unwrap();
        let slack = 16 + (offset.raw().into_iter().fold(0, |most, part| most | part.abs()) >> 24);
        assert!((found - expected).to_bits().abs() <= slack, "{points:?} {offset}: {found}, {expected}");
    }
}

#[test]
fn solids_smaller_than_their_gap_have_points_on_a_facet_wherever_they_are() {
    let raw = |x: i64, y: i64, z: i64| Vec3::from_raw([x, y, z]);
    let (facet, middle) = slope();
    let shape = Shape::Facet(facet.clone());
    let size = Scalar::from_bits(40);
    let hull = Hull::cylinder(size, size, 5).unwrap();
    let solids = [Shape::sphere(size), Shape::aabb(Vec3::splat(size)), Shape::hull(hull)];
    let corners = [
        ["0", "0", "-9"],
        ["0", "0", "9"],
        ["4", "2", "-9"],
        ["4", "2", "9"],
        ["4", "2", "1"],
        ["1", "0.5", "0"],
    ];
    let mut draws = Rng::new(7).at(0, 0, 0);
    for corner in corners.map(|[x, y, z]| Vec3::lit(x, y, z)) {
        for gap in [50, 200, 1_000, 20_000] {
            for solid in solids.iter().cycle().take(60) {
                let mut aside = || draws.between(-gap, gap);
                let offset = corner + raw(aside(), aside(), aside()) - middle;
                let Some(found) = separation_facet(&facet, solid, offset) else { continue };
                let normal = found.normal.unit_q30().unwrap();
                let manifold = manifold_shapes(&shape, solid, offset, normal, Scalar::ZERO);
                assert!(!manifold.points().is_empty(), "{solid:?} at {offset:?} along {normal:?}");
            }
        }
    }
}

/// A level plate of sixteen cells of one unit, and where its origin is.
fn plate() -> (Facet, Vec3) {
    let heights = Heights::new(5, lit("1"), lit("0.5"), vec![0; 25]).unwrap();
    let mesh = Mesh::of_heights(heights).unwrap();
    let (facet, middle, _) = Facet::of_ground(&mesh, 0).unwrap();
    (facet, middle)
}

fn pieces(facet: &Facet) -> Vec<&Piece> {
    let mut pieces = Vec::new();
    facet.search(|_| true, |piece| pieces.push(piece));
    pieces
}

/// A pyramid of which a quarter is below its origin.
fn pyramid() -> Shape {
    let corners = [("-1", "0", "-1"), ("1", "0", "-1"), ("-1", "0", "1"), ("1", "0", "1"), ("0", "2", "0")];
    Shape::hull(Hull::upright(&corners.map(|(x, y, z)| Vec3::lit(x, y, z))).unwrap())
}

#[test]
fn the_nearest_triangle_of_many_is_that_of_a_look_at_all_where_several_are_overlapped() {
    let (facet, _) = plate();
    let all = pieces(&facet);
    assert_eq!(all.len(), 32);
    let (mut deep, mut firsts) = (0, 0);
    let solids = [Shape::sphere(lit("0.75")), Shape::aabb(Vec3::lit("0.75", "0.5", "0.3")), pyramid()];
    for case in 0..240 {
        let mut draws = Rng::new(93).at(0, case, 0);
        let offset = Vec3::from_raw([3, 1, 3].map(|most: i64| draws.between(-most << 32, most << 32)));
        let solid = &solids[case as usize % 3];
        let rank = |piece: &Piece| {
            let separation = nearest::separation_of(piece, solid, offset);
            let lean = separation.map_or(0, |found| -nearest::lean_of(&facet, found.normal));
            (nearest::gap_of(separation, offset), lean, piece.number)
        };
        let expected = all.iter().map(|piece| rank(piece)).min().unwrap();
        assert_eq!(nearest(&facet, solid, offset).map(|near| near.piece.number), Some(expected.2), "{case}");
        deep += u32::from(expected.0 < 0);
        firsts += u32::from(expected.2 == 0);
    }
    assert!(deep > 80 && firsts < 40, "{deep} {firsts}");
}

#[test]
fn triangles_that_are_seen_come_by_their_numbers_and_else_the_nearest_within_a_band() {
    let (facet, _) = plate();
    let ball = Shape::sphere(lit("1"));
    for (x, y, z) in [("0.3", "1.2", "0.4"), ("-0.25", "1.125", "0.125"), ("1.25", "-1.5", "-1.75")] {
        let offset = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap());
        let numbers = |seen: bool, band: &str| -> Vec<u32> {
            let found = pieces_seen(&facet, (&ball, offset), band.parse().unwrap(), |_| seen);
            found.iter().map(|piece| piece.number).collect()
        };
        let seen = numbers(true, "0");
        assert!(seen.len() > 8 && seen.is_sorted(), "{seen:?}");
        let distance = |piece: &&Piece| {
            let room = &mut [Vec3::ZERO; 8];
            let ball = ball.as_convex(room).unwrap();
            distance_convex_convex_ceil(offset - piece.place, &piece.as_convex(), &ball)
        };
        let least = pieces(&facet).iter().map(distance).min().unwrap();
        for band in ["0.01", "0.1"] {
            let near = |piece: &&Piece| distance(piece) <= least + band.parse::<Scalar>().unwrap();
            let mut expected: Vec<u32> =
                pieces(&facet).into_iter().filter(near).map(|piece| piece.number).collect();
            expected.sort_unstable();
            assert_eq!(numbers(false, band), expected, "{offset} {band}");
        }
    }
}

#[test]
fn the_reach_of_a_solid_above_a_triangle_is_that_of_its_lower_part() {
    let (facet, _) = plate();
    let piece = facet.first_piece();
    let up = Vec3::lit("0", "2", "0");
    for (offset, reach) in [(piece.place + up, "0.5"), (piece.place - up, "1.5")] {
        let found = nearest::separation_of(piece, &pyramid(), offset).unwrap();
        assert_eq!(found.normal.axis(), Some(1));
        assert_eq!(found.reach >> Normal::BITS, i128::from(reach.parse::<Scalar>().unwrap().to_bits()));
    }
}

#[test]
fn a_ball_beside_an_open_edge_slides_onto_a_facet_if_it_is_above_by_as_much() {
    let points = [Vec3::lit("0", "0", "-9"), Vec3::lit("0", "0", "9"), Vec3::lit("-9", "0", "0")];
    let triangle = Facet::new(&Mesh::new(&points, &[[0, 1, 2]]).unwrap().facets()[0]);
    // The middle is beside by x, the lowest point above by y less a half.
    for (x, y, slides) in
        [("0.9", "1.5", true), ("1.1", "1.5", false), ("0.3", "0.9", true), ("0.5", "0.9", false)]
    {
        let found = direction(&triangle, x, y);
        let expected =
            if slides { [0, 10] } else { [x, y].map(|part| part.parse::<Scalar>().unwrap().to_bits()) };
        assert!(is_along(found, expected), "{x} {y}: {found:?}");
    }
}

#[test]
fn the_point_of_a_ball_in_a_valley_is_on_the_half_space() {
    let ((facet, middle), ball) = (slope(), Shape::sphere(lit("0.5")));
    for (x, y) in [("-1.5", "0.55"), ("-0.5", "0.8")] {
        let offset = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), Scalar::ZERO) - middle;
        let normal = separation_facet(&facet, &ball, offset).unwrap().normal;
        let plane = facet.planes().iter().find(|plane| plane.normal().unit_q30() == Some(normal)).unwrap();
        let [of_facet, of_plane] = [Shape::Facet(facet.clone()), Shape::Plane(*plane)]
            .map(|shape| manifold_shapes(&shape, &ball, offset, normal, lit("0.01")).points().to_vec());
        assert_eq!((of_facet.len(), &of_facet), (1, &of_plane), "{x} {y}");
        // Behind the edge of the facet.
        assert!(of_facet[0].place.x + middle.x < lit("-0.125"), "{of_facet:?}");
    }
}

#[test]
fn a_gap_is_as_wide_as_a_distance_times_the_length_of_its_normal() {
    let normal = Normal::new(0, 3, 4);
    let table = [(-1, 0), (-1, 1), (0, 0), (0, 1), (4, 1), (5, 1), (34, 7), (35, 7), (36, 7)];
    let found = table.map(|(gap, distance)| is_as_wide(gap, normal, Scalar::from_bits(distance)));
    assert_eq!(found, [false, false, true, false, false, true, false, true, true]);
}

/// The right triangle with legs of four units along x and z, and where its origin is.
fn right_triangle() -> (Facet, Vec3) {
    let points = [Vec3::ZERO, Vec3::lit("0", "0", "4"), Vec3::lit("4", "0", "0")];
    Facet::new(&Mesh::new(&points, &[[0, 1, 2]]).unwrap().facets()[0])
}

#[test]
fn a_ball_before_any_side_of_a_triangle_is_proved_to_be_off() {
    let (facet, middle) = right_triangle();
    let ball = Shape::sphere(lit("0.5"));
    // By two units, but for the last one: four over the root of two.
    let places = [("1", "2", "1"), ("1", "-2", "1"), ("-2", "0", "1"), ("1", "0", "-2"), ("4", "0", "4")];
    for (x, y, z) in places {
        let offset = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), z.parse().unwrap()) - middle;
        let gap = if z == "4" { lit("2.328427124") } else { lit("1.5") };
        let is_off = |distance| {
            let room = &mut [Vec3::ZERO; 8];
            let placed = Placed { shape: &ball, convex: ball.as_convex(room).unwrap(), offset };
            is_off(&facet, &placed, distance)
        };
        assert!(
            is_off(Scalar::ZERO) && is_off(gap - lit("0.001")) && !is_off(gap + lit("0.001")),
            "{x} {y} {z}"
        );
    }
}

#[test]
fn a_triangle_is_clear_of_what_is_farther_and_of_nothing_else() {
    let (facet, middle) = right_triangle();
    let ball = Shape::sphere(lit("0.5"));
    for place in [Vec3::lit("1", "1.5", "1"), Vec3::lit("-1.5", "0", "1")] {
        let clear = |distance| is_clear(&facet, &ball, place - middle, distance);
        assert!(clear(Scalar::ZERO) && clear(lit("0.99999")), "{place}");
        assert!(!clear(lit("1")) && !clear(lit("1.5")), "{place}");
    }
}
