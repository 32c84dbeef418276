//! Bodies at rest beside each other, by hand: each pair is told to stay apart by a little less than its distance, and never by more.

use super::*;
use crate::{
    geom::Plane,
    num::{Toi, lit},
    shape::Hull,
    sweep::turning::solid::bound_ceil,
};

fn still() -> AngularMotion {
    AngularMotion::still(Rotation::IDENTITY)
}

/// Two shapes at the ends of their arms, and the vector between their bodies.
struct Pair {
    shapes: [Shape; 2],
    arms: [Vec3; 2],
    offset: Vec3,
}

impl Pair {
    fn new(a: &Shape, b: &Shape, offset: Vec3) -> Self {
        Self { shapes: [a.clone(), b.clone()], arms: [Vec3::ZERO; 2], offset }
    }

    fn with_arms(self, a: Vec3, b: Vec3) -> Self {
        Self { arms: [a, b], ..self }
    }

    /// True if the pair is told to stay apart by a gap while its bodies turn; the same for A and B exchanged.
    fn is_apart(&self, turnings: [AngularMotion; 2], gap: &str) -> bool {
        let relative = RelativeMotion {
            offset: self.offset,
            motion: Vec3::ZERO,
            arms: self.arms,
            turnings,
            until: Toi::END,
        };
        let ([a, b], gap) = (&self.shapes, gap.parse().unwrap());
        let bounds = [bound_ceil(a, self.arms[0]), bound_ceil(b, self.arms[1])];
        let found = separated_throughout([a, b], &relative, gap, bounds);
        let exchanged = separated_throughout([b, a], &relative.from_b(), gap, [bounds[1], bounds[0]]);
        assert_eq!(exchanged.is_some(), found.is_some(), "{:?} {gap}", self.shapes);
        found.is_some()
    }
}

fn cube() -> Obb {
    Obb::along_axes(Vec3::splat(lit("1")))
}

fn rod(x: &str, y: &str) -> Shape {
    Shape::capsule(Vec3::lit(x, y, "0"), lit("0.1"))
}

/// Pairs, and their distances.
fn pairs() -> Vec<(Pair, [&'static str; 2])> {
    let v = Vec3::lit;
    let (fixed, turned) = (Shape::aabb(Vec3::splat(lit("1"))), Shape::Obb(cube()));
    let (hull, ball) = (Shape::hull(Hull::upright(&cube().corners()).unwrap()), Shape::sphere(lit("1")));
    let mut pairs = Vec::new();
    // Solids of half extent 1, apart by 0.5 along an axis.
    for (a, b) in [(&turned, &turned), (&fixed, &turned), (&hull, &turned), (&ball, &turned)] {
        for offset in [v("2.5", "0", "0"), v("0", "2.5", "0"), v("0", "0", "-2.5")] {
            pairs.push((Pair::new(a, b, offset), ["0.49", "0.51"]));
        }
    }
    pairs.push((Pair::new(&hull, &hull, v("2.5", "0", "0")), ["0.49", "0.51"]));
    // Balls at some distance: their centers are farther apart than twice their size.
    pairs.push((Pair::new(&ball, &ball, v("5", "0", "0")), ["2.99", "3.01"]));
    // Rods of radius 0.1: crossed at 0.3, side by side at 1, and the end of a short one near that of a long one, with the
    // other end nearer to the middle of that.
    pairs.push((Pair::new(&rod("4", "0"), &rod("3", "3"), v("1", "2", "0.3")), ["0.099", "0.101"]));
    pairs.push((Pair::new(&rod("2", "0"), &rod("2", "0"), v("1", "1", "0")), ["0.79", "0.81"]));
    pairs.push((Pair::new(&rod("1", "-1"), &rod("0", "5"), v("2", "5", "0")), ["1.21", "1.22"]));
    // At the ends of arms that point away from each other, and toward each other.
    let arm = v("1", "0", "0");
    let small = Shape::sphere(lit("0.25"));
    let armed = |offset| Pair::new(&small, &small, offset);
    pairs.push((armed(v("0.5", "0", "0")).with_arms(-arm, arm), ["1.99", "2.01"]));
    pairs.push((armed(v("5", "0", "0")).with_arms(arm, -arm), ["2.49", "2.51"]));
    // A plane above its body's origin; a ball beside a corner, in the direction of 1, 2, 2.
    let floor = Shape::Plane(Plane::from_point_normal(v("0", "1", "0"), Normal::Y).unwrap());
    pairs.push((Pair::new(&floor, &turned, v("0", "2.5", "0")), ["0.49", "0.51"]));
    pairs.push((Pair::new(&ball, &turned, v("1.5", "2", "2")), ["0.49", "0.51"]));
    // A pyramid, which reaches 1.5 up and 0.5 down.
    let base = ["-1", "1"].map(|x| ["-1", "1"].map(|z| v(x, "0", z)));
    let pyramid = Hull::upright(&[base.as_flattened(), &[v("0", "2", "0")]].concat()).unwrap();
    for y in ["3", "-2"] {
        pairs.push((Pair::new(&Shape::hull(pyramid.clone()), &turned, v("0", y, "0")), ["0.49", "0.51"]));
    }
    pairs.extend(rods_over_slabs());
    pairs
}

/// Pairs of a slab and a rod askew, the lower end of which is 0.5 over the end of the slab. The points of the rod nearest to the middle of the slab,
/// and those of the slab nearest to that of the rod, are elsewhere: only an axis of the slab is a direction in which they are as far apart.
fn rods_over_slabs() -> [(Pair, [&'static str; 2]); 2] {
    let half = Vec3::lit("8", "1", "1");
    let rod = Shape::capsule(Vec3::lit("-6.4", "0.8", "4.8"), lit("0.1"));
    let middle = Vec3::lit("7.9", "1.6", "0.9") + Vec3::lit("-6.4", "0.8", "4.8");
    // Of a box along the axes the gap and the radius may count twice.
    [(Shape::aabb(half), "0.19"), (Shape::Obb(Obb::along_axes(half)), "0.49")]
        .map(|(slab, near)| (Pair::new(&slab, &rod, middle), [near, "0.51"]))
}

#[test]
fn bodies_at_rest_are_apart_by_all_but_their_distance() {
    for (index, (pair, [near, far])) in pairs().iter().enumerate() {
        assert!(pair.is_apart([still(); 2], near), "{index}: {:?}", pair.shapes);
        assert!(!pair.is_apart([still(); 2], far), "{index}: {:?}", pair.shapes);
    }
}

/// A turn by an angle with the sine of its half.
fn turn(half_sine: &str) -> AngularMotion {
    let sine: Scalar = half_sine.parse().unwrap();
    let cosine = Scalar::from_bits(((1_i128 << 64) - i128::from(sine.to_bits()).pow(2)).isqrt() as i64);
    let to = Rotation::from_quaternion(cosine, Scalar::ZERO, Scalar::ZERO, sine).unwrap();
    AngularMotion::new(Rotation::IDENTITY, to).unwrap()
}

#[test]
fn a_large_ball_on_a_short_arm_swings_by_the_arm_alone() {
    // The chord is 0.1 of the arm, and the balls are 0.5 apart.
    let ball = Shape::sphere(lit("8"));
    let pair =
        Pair::new(&ball, &ball, Vec3::lit("15.5", "0", "0")).with_arms(Vec3::ZERO, Vec3::lit("1", "0", "0"));
    assert!(pair.is_apart([still(), turn("0.05")], "0.39"));
    assert!(!pair.is_apart([still(), turn("0.05")], "0.41"));
}

#[test]
fn a_swing_is_the_chord_of_the_turn_rounded_up() {
    for arm in [1_i64 << 20, 1 << 29, 3 << 31, 1 << 43] {
        let swing = |turning: &AngularMotion| swing_ceil(turning, Scalar::from_bits(arm)).to_bits();
        assert_eq!(swing(&still()), 0);
        // The chord of 60 degrees is the arm; that of 74 is 1.2 of it.
        for (half_sine, chord) in [("0.5", arm), ("0.6", arm / 5 * 6), ("0.05", arm / 10)] {
            let found = swing(&turn(half_sine));
            assert!(found >= chord && found < chord + (arm >> 22) + 4, "{half_sine} {arm}: {found}");
        }
    }
}

#[test]
fn boxes_along_the_axes_do_not_swing() {
    let (fixed, turned) = (Shape::aabb(Vec3::splat(lit("1"))), Shape::Obb(cube()));
    let beside = |a: &Shape, b: &Shape| Pair::new(a, b, Vec3::lit("2.5", "0", "0"));
    assert!(beside(&fixed, &turned).is_apart([turn("0.6"), still()], "0.49"));
    assert!(!beside(&turned, &fixed).is_apart([turn("0.6"), still()], "0.49"));
}

#[test]
fn sketches_of_boxes_have_their_half_edges_and_axes() {
    const ONE: i32 = 1 << Rotation::BITS;
    let half = Vec3::lit("1", "0.5", "0.25");
    let fixed = Shape::aabb(half);
    let sketch = Sketch::new(&fixed, &still(), 1 << 29, 4);
    let edges = [[1 << 28, 0, 0], [0, 1 << 27, 0], [0, 0, 1 << 26]].map(IVec3);
    assert_eq!(sketch.edges(), Some(edges));
    let (axes, turned) =
        ([Normal::X, Normal::Y, Normal::Z].map(Normal::lengthened), Shape::Obb(Obb::along_axes(half)));
    assert_eq!(sketch.axes.map(|axes| axes.map(Normal::lengthened)), Some(axes));
    // Half a turn about x; a quaternion a little too long makes no axis too long.
    for (w, x, sign) in [(ONE, 0, 1), (ONE + 7, 0, 1), (0, ONE, -1), (0, ONE + 7, -1)] {
        let rotation = Rotation::from_components([w, x, 0, 0]).unwrap();
        let found = Sketch::new(&turned, &AngularMotion::still(rotation), 1 << 29, 4).axes;
        let along = [Normal::new(ONE, 0, 0), Normal::new(0, sign * ONE, 0), Normal::new(0, 0, sign * ONE)];
        assert_eq!(found, Some(along), "{w} {x}");
    }
}
