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
fn a_valley_gives_the_direction_of_its_faces_and_a_ridge_that_of_its_edge() {
    let (facet, middle) = slope();
    let ball = Shape::sphere(lit("0.5"));
    let normal = |x: &str, y: &str| {
        let place = Vec3::new(x.parse().unwrap(), y.parse().unwrap(), Scalar::ZERO);
        let normal = separation_facet(&facet, &ball, place - middle).unwrap().normal;
        normal.components().map(i64::from)
    };
    let is_up_the_slope = |[x, y, z]: [i64; 3]| x < 0 && y > 0 && z == 0 && (2 * x + y).abs() <= 2;
    // Above the level part the edge is nearest, but nothing can touch it before one of the faces.
    assert!(is_up_the_slope(normal("-1.5", "0.55")), "{:?}", normal("-1.5", "0.55"));
    assert!(is_up_the_slope(normal("2", "2")));
    // Below it is a ridge: the direction is that from the edge to the ball.
    let [x, y, z] = normal("-0.375", "-0.5");
    assert!(z == 0 && x < 0 && y < 0 && (4 * x - 3 * y).abs() <= 8, "{x} {y}");
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
