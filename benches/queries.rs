//! The duration of queries between ticks. Quote the "fastest" column, and compare only within one run:
//! `cargo bench --bench queries`.
#![allow(missing_docs)]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, Scalar},
    query::{Batch, PointQuery, QueryFilter, Ray, ShapeCast},
    shape::Shape,
    state::{Limits, ShapeId},
};
use divan::{Bencher, black_box};

use support::{Start, gas, s, shapes, world};

fn main() {
    divan::main();
}

/// Balls of radius .5 on a plane, one to a square of `spacing` units, somewhere in it.
fn crowd(side: i64, spacing: &str) -> World {
    let room = s(spacing).to_bits();
    let starts: Vec<Start> = (0..side * side)
        .map(|index| {
            let mut draws = Rng::new(7).at(0, index as u64, 0);
            let off = (room - (1 << 32)) / 2;
            let place = |cell: i64, off: i64| cell * room - side * room / 2 + off;
            let (x, z) = (draws.between(-off, off), draws.between(-off, off));
            let position = Vec3::from_raw([place(index % side, x), 1 << 31, place(index / side, z)]);
            Start { shape: ShapeId(0), mass: 1, position, velocity: Vec3::ZERO }
        })
        .collect();
    world(Limits::new(60), &shapes("0", &[Shape::sphere(s("0.5"))]), &starts)
}

/// A ball around every body.
fn around_all(world: &World, radius: &str) -> Vec<PointQuery> {
    world.bodies().map(|(_, body)| PointQuery { center: body.position, radius: s(radius) }).collect()
}

fn radii(bencher: Bencher, world: &World, radius: &str) {
    let (view, balls, mut found) = (world.query_view(), around_all(world, radius), Batch::default());
    view.radii(&balls, &QueryFilter::ALL, &mut found).unwrap();
    assert!(found.len() == balls.len() && found.all().len() > balls.len());
    bencher.bench_local(|| view.radii(black_box(&balls), &QueryFilter::ALL, &mut found));
}

/// Each of 2,025 in a crowd asks for the bodies within some units: 1.4, 5.0, 9.0 and 21.8 are, on average.
#[divan::bench(args = ["1", "2", "3", "5"])]
fn radius_in_a_crowd(bencher: Bencher, radius: &str) {
    radii(bencher, &crowd(45, "2"), radius);
}

/// Each of 2,197 in a gas, in a box of six planes, asks for the bodies within a unit: 6.0 are, on average.
#[divan::bench]
fn radius_in_a_gas(bencher: Bencher) {
    radii(bencher, &gas(13, 1), "1");
}

/// Each of 2,025 in a crowd asks for the eight nearest.
#[divan::bench]
fn nearest_in_a_crowd(bencher: Bencher) {
    let world = crowd(45, "2");
    let (view, balls, mut found) = (world.query_view(), around_all(&world, "20"), Vec::new());
    bencher.bench_local(|| {
        for ball in black_box(&balls) {
            view.nearest(ball, 8, &QueryFilter::ALL, &mut found).unwrap();
        }
    });
}

fn rays(count: u64, length: i64) -> Vec<Ray> {
    let ray = |index| {
        let mut draws = Rng::new(9).at(0, index, 0);
        let mut vector = |most: i64| Vec3::from_raw([(); 3].map(|()| draws.between(-most << 32, most << 32)));
        Ray { origin: vector(7), displacement: vector(length) }
    };
    (0..count).map(ray).collect()
}

/// A thousand rays of up to 20 units on each axis among 2,197 in a gas: the first hit.
#[divan::bench]
fn ray_in_a_gas(bencher: Bencher) {
    let (view, rays, mut hits) = (gas(13, 1).query_view(), rays(1_000, 20), Vec::new());
    bencher.bench_local(|| view.rays(black_box(&rays), &QueryFilter::ALL, &mut hits));
}

#[divan::bench]
fn ray_all_in_a_gas(bencher: Bencher) {
    let (view, rays, mut hits) = (gas(13, 1).query_view(), rays(1_000, 20), Batch::default());
    bencher.bench_local(|| view.rays_all(black_box(&rays), &QueryFilter::ALL, &mut hits));
}

/// A thousand swept balls of radius .25, as the rays.
#[divan::bench]
fn sweep_in_a_gas(bencher: Bencher) {
    let view = gas(13, 1).query_view();
    let shape = Shape::sphere(s("0.25"));
    let sweeps: Vec<ShapeCast> = rays(1_000, 20)
        .into_iter()
        .map(|Ray { origin, displacement: way }| ShapeCast {
            shape: shape.clone(),
            origin,
            displacement: way,
        })
        .collect();
    bencher.bench_local(|| {
        black_box(&sweeps).iter().filter(|s| view.sweep(s, &QueryFilter::ALL).unwrap().is_some()).count()
    });
}

/// The contacts of each of 2,025 in a crowd within a quarter of a unit.
#[divan::bench]
fn contacts_in_a_crowd(bencher: Bencher) {
    let world = crowd(45, "1.25");
    let (view, mut found) = (world.query_view(), Vec::new());
    let gap: Scalar = s("0.25");
    bencher.bench_local(|| {
        for (id, _) in black_box(&world).bodies() {
            view.contacts(id, gap, &QueryFilter::ALL, &mut found).unwrap();
        }
    });
}

#[divan::bench]
fn rebuild_of_a_crowd(bencher: Bencher) {
    let world = crowd(45, "2");
    let mut view = world.query_view();
    bencher.bench_local(|| view.rebuild(black_box(world.state()), world.scenery()));
}
