//! What a game does every frame, copies, snapshots and queries, asks the allocator for nothing.
#![allow(missing_docs)]

#[path = "support/mod.rs"]
#[allow(dead_code)]
mod support;

use bitstep::{
    num::lit,
    shape::Shape,
    snapshot,
    tick::TickReport,
    world::{
        BodyId, Command, World,
        query::{Ball, Batch, QueryFilter, QueryView, Ray, Sweep},
    },
};
use support::{gas, v};

#[test]
fn copies_and_snapshots_into_warm_memory_allocate_nothing() {
    let (mut world, mut report) = (gas(5, 1), TickReport::default());
    let removals: Vec<Command> =
        (10..40).map(|slot| Command::Remove { body: BodyId { slot, generation: 0 } }).collect();
    world.tick(&removals, &mut report);
    let (mut copy, mut bytes) = (world.clone(), snapshot::encode(&world));
    for _ in 0..5 {
        world.step(&mut report);
        let copied = allocation_counter::measure(|| copy.clone_from(&world));
        let encoded = allocation_counter::measure(|| snapshot::encode_into(&world, &mut bytes));
        assert_eq!((copied.count_total, encoded.count_total), (0, 0));
        assert!(snapshot::diff(&world, &copy).is_empty());
    }
    let fresh = allocation_counter::measure(|| drop(world.clone()));
    assert!(fresh.count_total > 0, "the counter counts");
}

/// Everything that can be asked, from every body.
fn ask_all(view: &mut QueryView, world: &World, answers: &mut Answers) -> usize {
    let (all, shape) = (QueryFilter::ALL, Shape::aabb(v("0.25", "0.25", "0.25")));
    view.rebuild(world);
    let Answers { rays, balls, hits, firsts, near, there, touched, lists, balls_near } = answers;
    rays.clear();
    balls.clear();
    let mut found = 0;
    for (id, body) in world.bodies() {
        let (origin, way) = (body.position, v("2", "-3", "1"));
        let (ray, ball) = (Ray { origin, way }, Ball { center: origin, radius: lit("1.5") });
        let first = [view.ray(&ray, &all).unwrap(), view.sweep(&Sweep { shape, origin, way }, &all).unwrap()];
        view.ray_all(&ray, &all, hits).unwrap();
        view.sweep_all(&Sweep { shape, origin, way }, &all, hits).unwrap();
        view.radius(&ball, &all, near).unwrap();
        view.nearest(&ball, 5, &all, near).unwrap();
        view.overlap(&shape, origin, &all, there).unwrap();
        view.contacts(id, lit("0.5"), &all, touched).unwrap();
        found += first.iter().flatten().count() + hits.len() + near.len() + there.len() + touched.len();
        rays.push(ray);
        balls.push(ball);
    }
    view.rays(rays, &all, firsts).unwrap();
    view.rays_all(rays, &all, lists).unwrap();
    view.radii(balls, &all, balls_near).unwrap();
    found + firsts.len() + lists.all().len() + balls_near.all().len()
}

/// The memory for questions and answers.
#[derive(Default)]
struct Answers {
    rays: Vec<Ray>,
    balls: Vec<Ball>,
    hits: Vec<bitstep::world::query::QueryHit>,
    firsts: Vec<Option<bitstep::world::query::QueryHit>>,
    near: Vec<bitstep::world::query::Near>,
    there: Vec<bitstep::world::Collider>,
    touched: Vec<bitstep::world::query::Contact>,
    lists: Batch<bitstep::world::query::QueryHit>,
    balls_near: Batch<bitstep::world::query::Near>,
}

#[test]
fn queries_of_a_warm_view_allocate_nothing() {
    let world = gas(5, 1);
    let (mut view, mut answers) = (QueryView::new(&world), Answers::default());
    let mut found = 0;
    let cold = allocation_counter::measure(|| found = ask_all(&mut view, &world, &mut answers));
    assert!(cold.count_total > 0 && found > 1_000, "{found}");
    let warm = allocation_counter::measure(|| {
        assert_eq!(ask_all(&mut view, &world, &mut answers), found);
    });
    assert_eq!(warm.count_total, 0);
}
