//! Rays and sweeps.

use bitstep::{
    World,
    geom::{Normal, Vec3},
    num::Toi,
    query::{Batch, QueryFilter, QueryHit, Ray, ShapeCast},
    shape::Shape,
    state::{Collider, Limits, ShapeId, StaticId},
};

use crate::{
    reference,
    support::{Start, change::Change, closed_box, every, s, shapes, spawn, v, world},
    yard::Yard,
};

/// Three balls of radius 1 in a row at x = 3, 7, 11.
fn row() -> World {
    let start = |x| Start { shape: ShapeId(0), mass: 1, position: v(x, "0", "0"), velocity: Vec3::ZERO };
    world(Limits::new(60), &shapes("0", &[Shape::sphere(s("1"))]), &[start("3"), start("7"), start("11")])
}

fn told(hits: &[QueryHit]) -> Vec<String> {
    hits.iter().map(|hit| format!("{} {}", hit.toi, hit.collider)).collect()
}

#[test]
fn rays_and_sweeps_as_worked_by_hand() {
    let view = row().query_view();
    let (all, mut hits) = (QueryFilter::ALL, Vec::new());
    let ray = Ray { origin: Vec3::ZERO, displacement: v("16", "0", "0") };
    view.ray_all(&ray, &all, &mut hits).unwrap();
    assert_eq!(told(&hits), ["0.125 0", "0.375 1", "0.625 2"]);
    assert_eq!(view.ray(&ray, &all), Ok(Some(hits[0])));
    assert_eq!(
        (ray.at(hits[1].toi), hits[1].normal.components()[1..].to_vec()),
        (v("6", "0", "0"), vec![0, 0])
    );
    // From inside the second: at once, along its own direction. Backward from there, and beside all.
    let inside = Ray { origin: v("7", "0.5", "0"), displacement: v("8", "0", "0") };
    view.ray_all(&inside, &all, &mut hits).unwrap();
    assert_eq!(
        (hits[0].toi, hits[0].normal),
        (Toi::START, Normal::from_vector(inside.displacement).unwrap())
    );
    assert_eq!(told(&hits)[1..].len(), 1);
    view.ray_all(&Ray { displacement: v("-16", "0", "0"), ..inside }, &all, &mut hits).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.collider.to_string()).collect::<Vec<_>>(), ["1", "0"]);
    assert_eq!(view.ray(&Ray { origin: v("0", "1.1", "0"), ..ray }, &all), Ok(None));
    // A ball of radius 1 stops at x = 1; a box of half extent .5 at 1.5; what ends before, nowhere.
    let ball =
        ShapeCast { shape: Shape::sphere(s("1")), origin: Vec3::ZERO, displacement: v("16", "0", "0") };
    view.sweep_all(&ball, &all, &mut hits).unwrap();
    assert_eq!(told(&hits), ["0.0625 0", "0.3125 1", "0.5625 2"]);
    assert_eq!(ball.at(hits[0].toi), v("1", "0", "0"));
    let cube = ShapeCast { shape: Shape::aabb(v("0.5", "0.5", "0.5")), ..ball };
    assert_eq!(view.sweep(&cube, &all).unwrap().map(|hit| hit.toi), Toi::from_raw((1 << 31) / 16 * 3));
    assert_eq!(view.sweep(&ShapeCast { displacement: v("1.4", "0", "0"), ..cube }, &all), Ok(None));
    // In contact: in, along, out. In an overlap: at once, in any direction. A ray of no length does not hit.
    let touching = |way: Vec3| {
        view.sweep(&ShapeCast { origin: v("1", "0", "0"), displacement: way, ..ball.clone() }, &all).unwrap()
    };
    assert_eq!(touching(v("2", "0", "0")).map(|hit| hit.toi), Some(Toi::START));
    assert_eq!((touching(v("0", "2", "0")), touching(v("-2", "0", "0"))), (None, None));
    for way in [v("2", "0", "0"), v("0", "2", "0"), v("-2", "0", "0")] {
        let hit = view
            .sweep(&ShapeCast { origin: v("1.5", "0", "0"), displacement: way, ..ball.clone() }, &all)
            .unwrap()
            .unwrap();
        assert_eq!((hit.toi, hit.normal), (Toi::START, Normal::from_vector(way).unwrap()));
    }
    assert_eq!(
        view.sweep(&ShapeCast { origin: v("1.5", "0", "0"), displacement: Vec3::ZERO, ..ball.clone() }, &all),
        Ok(None)
    );
}

#[test]
fn planes_are_met_and_ties_go_to_the_smallest_id() {
    // A box of six planes; balls at the same distance on every axis, with walls behind them.
    let scenery = closed_box("0", &[Shape::sphere(s("1"))], "8");
    let mut world = World::new(Limits::new(60), scenery).unwrap();
    for position in [v("0", "4", "0"), v("4", "0", "0"), v("0", "0", "4"), v("4", "4", "0")] {
        spawn(&mut world, Start { shape: ShapeId(0), mass: 1, position, velocity: Vec3::ZERO });
    }
    let view = world.query_view();
    let mut hits = Vec::new();
    let diagonal = Ray { origin: Vec3::ZERO, displacement: v("8", "8", "0") };
    view.ray_all(&diagonal, &QueryFilter::ALL, &mut hits).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.collider.to_string()).collect::<Vec<_>>(), ["3", "s1", "s3"]);
    assert_eq!((hits[1].toi, hits[2].toi), (Toi::END, Toi::END));
    let cube = ShapeCast {
        shape: Shape::aabb(v("4", "4", "4")),
        origin: v("-3", "-3", "-3"),
        displacement: v("8", "8", "8"),
    };
    view.sweep_all(&cube, &QueryFilter::ALL, &mut hits).unwrap();
    let first = view.sweep(&cube, &QueryFilter::ALL).unwrap();
    let tied: Vec<_> = hits.iter().filter(|hit| hit.toi == hits[0].toi).map(|hit| hit.collider).collect();
    assert!(tied.len() >= 3 && tied.is_sorted(), "{hits:?}");
    assert_eq!(first, Some(hits[0]));
    let none = QueryFilter { layers: !1, ..QueryFilter::ALL };
    assert_eq!(view.sweep(&cube, &none), Ok(None));
    assert_eq!(view.ray(&diagonal, &none), Ok(None));
    let but = [hits[0].collider];
    assert_eq!(view.sweep(&cube, &QueryFilter { exclude: &but, ..QueryFilter::ALL }), Ok(Some(hits[1])));
}

#[test]
fn rays_and_sweeps_equal_a_loop_over_all() {
    let (mut met, mut several, mut ties, mut inside) = (0, 0, 0, 0);
    for seed in (0..6).step_by(every(2)) {
        let yard = Yard::new(seed, [12, 60, 400][seed as usize % 3], [2, 4, 6][seed as usize % 3]);
        let world = yard.world(&Change::NONE);
        let view = world.query_view();
        let exclude: Vec<Collider> = reference::everything(&world, &QueryFilter::ALL)
            .into_iter()
            .map(|(collider, ..)| collider)
            .step_by(5)
            .collect();
        let mut hits = Vec::new();
        for index in 0..400 {
            let exclude = if index % 3 == 0 { &exclude[..] } else { &[] };
            let filter = QueryFilter { exclude, ..QueryFilter::ALL };
            let ray = yard.ray(index);
            let expected = reference::ray_all(&world, &ray, &filter);
            view.ray_all(&ray, &filter, &mut hits).unwrap();
            assert_eq!(hits, expected, "{seed} {ray:?}");
            assert_eq!(view.ray(&ray, &filter), Ok(expected.first().copied()), "{seed} {ray:?}");
            let sweep = yard.sweep(index);
            let swept = reference::sweep_all(&world, &sweep, &filter);
            view.sweep_all(&sweep, &filter, &mut hits).unwrap();
            assert_eq!(hits, swept, "{seed} {sweep:?}");
            assert_eq!(view.sweep(&sweep, &filter), Ok(swept.first().copied()), "{seed} {sweep:?}");
            for list in [expected, swept] {
                met += usize::from(!list.is_empty());
                several += usize::from(list.len() > 2);
                ties += usize::from(list.len() > 1 && list[0].toi == list[1].toi);
                inside += usize::from(list.first().is_some_and(|hit| hit.toi == Toi::START));
            }
        }
    }
    println!("{met} {several} {ties} {inside}");
    assert!(met > 2_000 / every(2) && several > 500 / every(2), "{met} {several}");
    assert!(ties > 400 / every(2) && inside > 500 / every(2), "{ties} {inside}");
}

#[test]
fn a_batch_of_rays_is_one_after_the_other() {
    let yard = Yard::new(4, 300, 6);
    let view = yard.world(&Change::NONE).query_view();
    let rays: Vec<Ray> = (0..100).map(|index| yard.ray(index)).collect();
    let but = [Collider::Static(StaticId(2))];
    let filter = QueryFilter { exclude: &but, ..QueryFilter::ALL };
    let (mut first, mut all, mut hits) = (Vec::new(), Batch::default(), Vec::new());
    view.rays(&rays, &filter, &mut first).unwrap();
    view.rays_all(&rays, &filter, &mut all).unwrap();
    assert_eq!((first.len(), all.len(), all.iter().count()), (100, 100, 100));
    for (index, ray) in rays.iter().enumerate() {
        assert_eq!(Ok(first[index]), view.ray(ray, &filter));
        view.ray_all(ray, &filter, &mut hits).unwrap();
        assert_eq!(all.get(index), Some(&hits[..]));
    }
    assert_eq!(all.all().to_vec(), all.iter().flatten().copied().collect::<Vec<_>>());
    assert!(all.get(100).is_none() && all.all().len() > 50, "{}", all.all().len());
    view.rays_all(&[], &filter, &mut all).unwrap();
    assert!(all.is_empty() && all.all().is_empty());
}
