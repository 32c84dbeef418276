//! Mass properties of bodies of several shapes: by hand, against the whole that parts make up, and what is refused.

use bitstep::{
    geom::{GeomError, Rotation, Vec3},
    num::{Scalar, lit},
    shape::{Obb, Shape, ShapeError, center_of_children, inertia_box, inertia_of, inertia_of_children},
};

use crate::oracle::{ONE, Source, Symmetry, cases};

fn own(half: Vec3) -> Shape {
    Shape::Obb(Obb::along_axes(half))
}

/// True if moments agree but for a part in 2^28.
fn agree(a: [u128; 3], b: [u128; 3]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 2 + (a >> 28))
}

#[test]
fn moments_as_worked_by_hand() {
    // 2/5 of m r^2 for each, and m times the squared distance from the axis.
    let ball = Shape::sphere(lit("0.5"));
    let pair = [(ball.clone(), Vec3::lit("2", "0", "0")), (ball.clone(), Vec3::lit("-2", "0", "0"))];
    assert_eq!(inertia_of_children(&pair, 10).unwrap().moments(), [1 << 64, 41 << 64, 41 << 64]);
    // Three balls in a triangle 3 and 4 from a right angle are balanced about no such axes.
    let three = [
        (ball.clone(), Vec3::lit("-1", "-1.5", "0")),
        (ball.clone(), Vec3::lit("2", "-1.5", "0")),
        (ball, Vec3::lit("-1", "3", "0")),
    ];
    assert_eq!(center_of_children(&three).unwrap(), Vec3::ZERO);
    assert_eq!(inertia_of_children(&three, 1), Err(ShapeError::Tilted));
    // A hammer: a head of 1 x 1 x 1 and a shaft of 0.5 x 0.5 x 4 weigh as much. The middle is between both.
    let hammer = [
        (own(Vec3::lit("0.5", "0.5", "0.5")), Vec3::lit("0", "0", "1.25")),
        (own(Vec3::lit("0.25", "0.25", "2")), Vec3::lit("0", "0", "-1.25")),
    ];
    assert_eq!(center_of_children(&hammer).unwrap(), Vec3::ZERO);
    // About z 6/6 and 6/24 per half of the mass of 12; across 6/6, 6/12 (1/4 + 16), and 12 * 1.25^2.
    let moments = inertia_of_children(&hammer, 12).unwrap().moments();
    assert_eq!(moments, [(1 << 64) + (65 << 61) + (75 << 62), (1 << 64) + (65 << 61) + (75 << 62), 5 << 62]);
    // The same, seen from its shaft.
    let grip = hammer.map(|(shape, at)| (shape, at + Vec3::lit("0", "0", "1.25")));
    assert_eq!(center_of_children(&grip).unwrap(), Vec3::lit("0", "0", "1.25"));
    assert_eq!(inertia_of_children(&grip, 12), Err(ShapeError::OffCenter { axis: 2, off: lit("1.25") }));
    let said = inertia_of_children(&grip, 12).unwrap_err().to_string();
    let wanted =
        "off their body's position by 1.25 along axis 2: subtract the result of `center_of_children`";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn a_part_may_be_longer_than_it_reaches_on_any_axis() {
    let rods = ["4000", "-4000"].map(|y| (Shape::capsule(Vec3::lit("3000", y, "0"), lit("90")), Vec3::ZERO));
    // Of one, 5000 each way and 90 thick, by the formulas of `inertia_capsule`: 2 r + 3 h is 15180.
    let of = |cubes: u128| ((10 * cubes) << 64) / (20 * 15_180);
    let along = of(8_100 * 2 * (8 * 90 + 15 * 5_000));
    let across = of(16 * 729_000 + 45 * 40_500_000 + 40 * 2_250_000_000 + 20 * 125_000_000_000);
    let expected = [(9 * along + 16 * across) / 25, (16 * along + 9 * across) / 25, across];
    let seen = inertia_of_children(&rods, 10).unwrap().moments();
    assert!(agree(seen, expected), "{seen:?} {expected:?}");
}

#[test]
fn compounds_that_cannot_rotate_are_refused() {
    let parts = |shape| inertia_of_children(&[(shape, Vec3::ZERO)], 1);
    assert_eq!(parts(Shape::aabb(Vec3::lit("1", "1", "1"))), Err(ShapeError::NeverTurns));
    assert_eq!(parts(Shape::plane(Vec3::lit("0", "1", "0")).unwrap()), Err(ShapeError::Plane));
    assert_eq!(inertia_of_children(&[], 1), Err(ShapeError::Plane));
    assert!(matches!(
        parts(own(Vec3::lit("100", "0.5", "0.5"))),
        Err(ShapeError::Inertia(GeomError::Ratio { .. }))
    ));
}

#[test]
fn one_part_is_a_body_of_its_own_and_two_halves_are_the_whole() {
    let mut source = Source::new(601);
    for case in 0..cases(2_000) {
        let mass = source.between(1, 1 << 16) as u32;
        let size = ONE << source.between(0, 8);
        let [x, y, z] = [(); 3].map(|()| source.between(size / 8, size));
        let half = Vec3::from_raw([x, y, z]);
        let rod = Shape::capsule(Vec3::from_raw([0, y, 0]), Scalar::from_bits(z));
        for shape in [own(half), rod, Shape::sphere(Scalar::from_bits(x))] {
            let alone = inertia_of(&shape, mass).unwrap().moments();
            let part = inertia_of_children(&[(shape, Vec3::ZERO)], mass).unwrap().moments();
            assert!(agree(alone, part), "{case}: {alone:?} {part:?}");
        }
        let whole = inertia_box(mass, Vec3::from_raw([2 * x, y, z])).unwrap().moments();
        let arm = Vec3::from_raw([x, 0, 0]);
        let halves = inertia_of_children(&[(own(half), arm), (own(half), -arm)], mass).unwrap().moments();
        assert!(agree(whole, halves), "{case}: {whole:?} {halves:?}");
        // A third and two thirds, centered.
        let [a, b] = [Vec3::from_raw([x, y, z]), Vec3::from_raw([2 * x, y, z])].map(own);
        let parts = [(a, Vec3::from_raw([-2 * x, 0, 0])), (b, Vec3::from_raw([x, 0, 0]))];
        let (whole, parts) =
            (inertia_box(mass, Vec3::from_raw([3 * x, y, z])), inertia_of_children(&parts, mass));
        assert!(agree(whole.unwrap().moments(), parts.unwrap().moments()), "{case}");
    }
}

#[test]
fn centered_parts_stay_balanced_and_images_have_the_image() {
    let mut source = Source::new(602);
    let turn = |z: Scalar| Rotation::from_quaternion(lit("1"), Scalar::ZERO, Scalar::ZERO, z).unwrap();
    for case in 0..cases(600) {
        let size = ONE << source.between(0, 8);
        let mut some = |most: i64| source.between(most / 16, most);
        let half = Vec3::from_raw([some(size), some(size), some(size)]);
        let (slant, radius, rise) = (Scalar::from_bits(some(ONE)), Scalar::from_bits(some(size)), some(size));
        let long = Vec3::from_raw([half.raw()[0] + size, half.raw()[1], half.raw()[2]]);
        // A pair of bars aslant to both sides, a ball and a rod above.
        let parts = [
            (Shape::Obb(Obb::new(long, turn(slant))), Vec3::ZERO),
            (Shape::Obb(Obb::new(long, turn(-slant))), Vec3::ZERO),
            (Shape::sphere(radius), Vec3::from_raw([0, rise, 0])),
            (Shape::capsule(Vec3::from_raw([0, rise, 0]), radius), Vec3::from_raw([0, -2 * rise, 0])),
        ];
        let middle = center_of_children(&parts).unwrap();
        let parts = parts.map(|(shape, at)| (shape, at - middle));
        assert!(center_of_children(&parts).unwrap().within(Scalar::from_bits(1)), "{case}");
        let moments = inertia_of_children(&parts, 77).unwrap().moments();
        for map in Symmetry::all() {
            let image = parts.clone().map(|(shape, at)| {
                let shape = match shape {
                    Shape::Obb(Obb { half_edges }) => {
                        Shape::Obb(Obb { half_edges: half_edges.map(|edge| map.of(edge)) })
                    }
                    Shape::Capsule(rod) => Shape::capsule(map.of(rod.half_axis), rod.radius),
                    other => other,
                };
                (shape, map.of(at))
            });
            let seen = inertia_of_children(&image, 77).unwrap().moments();
            let axes =
                [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|axis| map.of_extent(Vec3::from_raw(axis)).raw());
            for (axis, moment) in axes.into_iter().zip(moments) {
                let at = axis.iter().position(|part| *part != 0).unwrap();
                assert_eq!(seen[at], moment, "{case} {map:?}");
            }
        }
    }
}
