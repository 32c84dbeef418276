//! Hulls for the tests of this room.

use crate::{
    geom::{Rotation, Vec3},
    num::{Rng, Scalar, lit},
    shape::{Hull, Obb, Shape},
};

/// A wedge, the same turned, a tetrahedron and one of many corners, each some units large.
pub(super) fn hulls() -> Vec<Shape> {
    let turned = Rotation::from_quaternion(lit("0.3"), lit("0.9"), lit("-0.2"), lit("0.5")).unwrap();
    let wedge = wedge(lit("0.5"));
    let tetrahedron = [("0", "0", "0"), ("1.5", "0", "0.25"), ("0", "1.25", "0"), ("0.25", "0.5", "1")];
    let tetrahedron = Hull::of(&tetrahedron.map(|(x, y, z)| Vec3::lit(x, y, z))).unwrap();
    let mut draws = Rng::new(8).at(0, 0, 0);
    let many = [0; 16].map(|_: i32| Vec3::from_raw([0; 3].map(|_: i32| draws.between(-1 << 32, 1 << 32))));
    let many = Hull::of(&many).unwrap();
    assert!((8..=14).contains(&many.corners().len()), "{}", many.corners().len());
    vec![wedge.turned(turned), wedge, Shape::hull(tetrahedron), Shape::hull(many)]
}

/// A prism over a triangle, along the third axis.
pub(super) fn wedge(half_length: Scalar) -> Shape {
    let triangle = [[lit("-0.75"), lit("-0.5")], [lit("1"), lit("-0.5")], [lit("0.25"), lit("1")]];
    Shape::hull(Hull::prism(&triangle, half_length).unwrap())
}

/// A box along the axes, as a hull.
pub(super) fn brick(half: Vec3) -> Shape {
    Shape::hull(Hull::upright(&Obb::along_axes(half).corners()).unwrap())
}
