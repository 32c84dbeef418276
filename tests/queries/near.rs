//! Overlaps, what is near, and the nearest.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    query::{Batch, PointHit, PointQuery, QueryFilter},
    shape::Shape,
    state::{Limits, ShapeId},
};

use crate::{
    reference,
    support::{Start, change::Change, s, shapes, v, world},
    yard::Yard,
};

fn told(found: &[PointHit]) -> Vec<String> {
    found.iter().map(|near| format!("{} {}", near.distance, near.collider)).collect()
}

#[test]
fn distances_and_overlaps_as_worked_by_hand() {
    let solids = [Shape::sphere(s("1")), Shape::aabb(v("1", "1", "1"))];
    let start =
        |shape, x, y| Start { shape: ShapeId(shape), mass: 1, position: v(x, y, "0"), velocity: Vec3::ZERO };
    let starts = [start(0, "4", "0"), start(1, "0", "4"), start(0, "-4", "0"), start(1, "4", "5")];
    let view = world(Limits::new(60), &shapes("0", &solids), &starts).query_view();
    let (all, mut found, mut there) = (QueryFilter::ALL, Vec::new(), Vec::new());
    let mut near = |center: Vec3, radius: &str| {
        view.radius(&PointQuery { center, radius: s(radius) }, &all, &mut found).unwrap();
        told(&found)
    };
    assert_eq!(near(Vec3::ZERO, "3"), ["3 0", "3 1", "3 2"], "ties by id, touching is in");
    assert_eq!(near(Vec3::ZERO, "2.9999999998"), [""; 0]);
    assert_eq!(near(Vec3::ZERO, "5"), ["3 0", "3 1", "3 2", "5 3"], "3 and 4 to the corner of the last");
    assert_eq!(near(v("4", "0", "1"), "0"), ["0 0"], "a point on the surface");
    assert_eq!(near(v("4", "0", "0"), "0"), ["0 0"]);
    assert_eq!(near(v("4", "0", "1.0000000003"), "0"), [""; 0]);
    for (count, expected) in
        [(0, &[][..]), (1, &["3 0"]), (2, &["3 0", "3 1"]), (9, &["3 0", "3 1", "3 2", "5 3"])]
    {
        let ball = PointQuery { center: Vec3::ZERO, radius: s("100") };
        view.nearest(&ball, count, &all, &mut found).unwrap();
        assert_eq!(told(&found), expected, "{count}");
    }
    view.nearest(&PointQuery { center: Vec3::ZERO, radius: s("4") }, 9, &all, &mut found).unwrap();
    assert_eq!(found.len(), 3, "no farther than the ball reaches");
    // A ball that touches overlaps none; a raw larger, all three.
    view.overlap(&Shape::sphere(s("3")), Vec3::ZERO, &all, &mut there).unwrap();
    assert_eq!(there.len(), 0);
    view.overlap(&Shape::sphere(s("3.0000000003")), Vec3::ZERO, &all, &mut there).unwrap();
    assert_eq!(there.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0", "1", "2"]);
    view.overlap(&Shape::plane(v("0", "-1", "0")).unwrap(), v("0", "4.5", "0"), &all, &mut there).unwrap();
    assert_eq!(there.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "3"], "all above 4.5");
}

#[test]
fn point_queries_equal_a_loop_over_all() {
    let (mut met, mut touching, mut ties, mut overlaps) = (0, 0, 0, 0);
    for seed in 0..6 {
        let yard = Yard::new(seed, [12, 60, 400][seed as usize % 3], [2, 4, 6][seed as usize % 3]);
        let world = yard.world(&Change::NONE);
        let view = world.query_view();
        let everything = reference::everything(&world, &QueryFilter::ALL);
        let exclude: Vec<_> = everything.iter().map(|(collider, ..)| *collider).step_by(4).collect();
        let (mut found, mut there) = (Vec::new(), Vec::new());
        for index in 0..500 {
            let exclude = if index % 3 == 0 { &exclude[..] } else { &[] };
            let filter = QueryFilter { exclude, ..QueryFilter::ALL };
            let ball = yard.ball(index);
            let expected = reference::radius(&world, &ball, &filter);
            view.radius(&ball, &filter, &mut found).unwrap();
            assert_eq!(found, expected, "{seed} {ball:?}");
            for count in [1, 2, 3, 8, 50, 1_000] {
                view.nearest(&ball, count, &filter, &mut found).unwrap();
                let most = expected.len().min(count as usize);
                assert_eq!(found, expected[..most], "{seed} {ball:?} {count}");
            }
            met += usize::from(!expected.is_empty());
            touching += expected.iter().filter(|near| near.distance == ball.radius).count();
            ties += expected.windows(2).filter(|pair| pair[0].distance == pair[1].distance).count();
            let (shape, position) = yard.placed(index);
            view.overlap(&shape, position, &filter, &mut there).unwrap();
            assert_eq!(
                there,
                reference::overlap(&world, &shape, position, &filter),
                "{seed} {shape:?} {position}"
            );
            overlaps += there.len();
        }
    }
    println!("{met} {touching} {ties} {overlaps}");
    assert!(
        met > 1_500 && touching > 150 && ties > 300 && overlaps > 5_000,
        "{met} {touching} {ties} {overlaps}"
    );
}

#[test]
fn a_batch_of_balls_is_one_after_the_other() {
    let yard = Yard::new(5, 300, 8);
    let view = yard.world(&Change::NONE).query_view();
    let balls: Vec<PointQuery> = (0..100).map(|index| yard.ball(index)).collect();
    let (mut batch, mut found) = (Batch::default(), Vec::new());
    for _ in 0..2 {
        view.radii(&balls, &QueryFilter::ALL, &mut batch).unwrap();
        assert_eq!(batch.len(), 100);
        for (ball, answer) in balls.iter().zip(batch.iter()) {
            view.radius(ball, &QueryFilter::ALL, &mut found).unwrap();
            assert_eq!(answer, found);
        }
    }
    assert!(batch.all().len() > 500);
}

#[test]
fn a_far_outlier_and_an_empty_world_are_searched_to_the_end() {
    let start =
        |x: &str| Start { shape: ShapeId(0), mass: 1, position: v(x, "0", "0"), velocity: Vec3::ZERO };
    let scenery = shapes("0", &[Shape::sphere(s("0.125"))]);
    let mut starts: Vec<_> = (0..50_i64).map(|n| start(&Scalar::from_bits(n << 31).to_string())).collect();
    starts.push(start("16000"));
    let (full, empty) = (world(Limits::new(60), &scenery, &starts), world(Limits::new(60), &scenery, &[]));
    let mut view = full.query_view();
    let mut found = Vec::new();
    let ball = PointQuery { center: v("-16000", "0", "0"), radius: Scalar::from_bits(1 << 57) };
    for count in [1, 7, 50, 51] {
        view.nearest(&ball, count, &QueryFilter::ALL, &mut found).unwrap();
        assert_eq!(found.len(), count as usize);
        assert!(found.iter().zip(0..).all(|(near, slot)| near.collider.to_string() == format!("{slot}")));
    }
    view.rebuild(empty.state(), empty.scenery());
    view.nearest(&ball, 3, &QueryFilter::ALL, &mut found).unwrap();
    assert!(found.is_empty());
}
