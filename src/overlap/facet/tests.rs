use super::*;
use crate::{num::lit, shape::Mesh};

/// The slope of a fold along z: level for x below zero, and from there on up by one in two.
fn slope() -> (Facet, Vec3) {
    let v = Vec3::lit;
    let points = [
        v("-4", "0", "-9"),
        v("0", "0", "-9"),
        v("0", "0", "9"),
        v("-4", "0", "9"),
        v("4", "2", "-9"),
        v("4", "2", "9"),
    ];
    let fold = Mesh::new(&points, &[[1, 2, 5], [5, 4, 1], [0, 3, 2], [2, 1, 0]]).unwrap();
    Facet::new(&fold.facets()[0])
}

#[test]
fn edges_give_their_own_direction_and_the_plane_that_of_what_is_over_it() {
    let (facet, middle) = slope();
    let ball = Shape::sphere(lit("0.5"));
    let normal = |x: &str, y: &str| {
        let place = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), Scalar::ZERO);
        let normal = separation_facet(&facet, &ball, place - middle).unwrap().normal;
        normal.components().map(i64::from)
    };
    let is_along = |[x, y, z]: [i64; 3], [p, q]: [i64; 2]| {
        z == 0 && x * p > 0 && y * q > 0 && (x * q - y * p).abs() <= 8 * p.abs().max(q.abs())
    };
    assert!(is_along(normal("2", "2"), [-1, 2]), "over it");
    // Above the level part the edge is nearest, which that part closes: a wall below a floor does not stop what is on the floor.
    assert!(is_along(normal("-1.5", "0.55"), [-30, 11]));
    assert!(is_along(normal("-0.5", "0.8"), [-5, 8]), "beside it by less than it is above its plane");
    // Below it is a ridge: the direction is that from the edge to the ball.
    assert!(is_along(normal("-0.375", "-0.5"), [-3, -4]));
    // The upper border is open: what is beside it by less than it is above it slides onto it.
    assert!(is_along(normal("3.5", "3.5"), [-1, 2]));
    assert!(is_along(normal("4.25", "2.25"), [1, 1]));
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
