//! Changes that must not matter to a query, and effects that a query must not have.

use bitstep::{
    World,
    geom::Vec3,
    query::{Contact, PointHit, PointQuery, QueryFilter, QueryHit, QueryView, Ray, ShapeCast},
    snapshot,
    tick::TickReport,
};

use crate::{
    support::{change::Change, s, v},
    yard::Yard,
};

const ALL: QueryFilter<'_> = QueryFilter::ALL;

/// All queries of a world, changed; and the answers.
#[derive(PartialEq, Debug)]
struct Answers {
    hits: Vec<Vec<QueryHit>>,
    near: Vec<Vec<PointHit>>,
    there: Vec<Vec<bitstep::state::Collider>>,
    contacts: Vec<Vec<Contact>>,
}

fn ask(view: &QueryView, world: &World, yard: &Yard, change: &Change, count: u64) -> Answers {
    let mut answers = Answers { hits: Vec::new(), near: Vec::new(), there: Vec::new(), contacts: Vec::new() };
    for index in 0..count {
        let Ray { origin, displacement: way } = yard.ray(index);
        let (mut hits, mut near, mut there) = (Vec::new(), Vec::new(), Vec::new());
        view.ray_all(
            &Ray { origin: change.point(origin), displacement: change.vector(way) },
            &ALL,
            &mut hits,
        )
        .unwrap();
        answers.hits.push(hits.clone());
        let ShapeCast { shape, origin, displacement: way } = yard.sweep(index);
        let sweep = ShapeCast {
            shape: change.shape(&shape),
            origin: change.point(origin),
            displacement: change.vector(way),
        };
        view.sweep_all(&sweep, &ALL, &mut hits).unwrap();
        assert_eq!(view.sweep(&sweep, &ALL).unwrap(), hits.first().copied());
        answers.hits.push(hits);
        let PointQuery { center, radius } = yard.ball(index);
        view.nearest(&PointQuery { center: change.point(center), radius }, 9, &ALL, &mut near).unwrap();
        answers.near.push(near);
        let (shape, position) = yard.placed(index);
        view.overlap(&change.shape(&shape), change.point(position), &ALL, &mut there).unwrap();
        answers.there.push(there);
    }
    for (id, _) in world.bodies() {
        let mut contacts = Vec::new();
        view.contacts(id, s("0.5"), &ALL, &mut contacts).unwrap();
        answers.contacts.push(contacts);
    }
    answers
}

/// The answers as a changed world must give them.
fn changed(mut answers: Answers, change: &Change) -> Answers {
    for hit in answers.hits.iter_mut().flatten() {
        hit.normal = change.normal(hit.normal);
    }
    for contacts in &mut answers.contacts {
        for contact in contacts.iter_mut() {
            contact.normal = contact.normal.map(|normal| change.normal(normal));
        }
        contacts.sort();
    }
    answers
}

#[test]
fn a_changed_world_answers_a_changed_question_alike() {
    let yard = Yard::new(8, 150, 6);
    let world = yard.world(&Change::NONE);
    let view = world.query_view();
    let axes = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut changes: Vec<Change> = Vec::new();
    for (index, axes) in (0..48).map(|index| (index, axes[index / 8])) {
        let signs = [0, 1, 2].map(|axis| if index >> axis & 1 == 1 { -1 } else { 1 });
        changes.push(Change { axes, signs, shift: Vec3::ZERO });
    }
    changes.push(Change { shift: v("1000", "-2000", "0.0000000003"), ..Change::NONE });
    changes.push(Change { shift: v("-16000", "0.25", "12345.678"), ..changes[29] });
    let mut met = 0;
    for change in changes {
        let image = yard.world(&change);
        assert_eq!(image.bodies().count(), world.bodies().count());
        let expected = changed(ask(&view, &world, &yard, &Change::NONE, 100), &change);
        met += expected.hits.iter().flatten().count() + expected.contacts.iter().flatten().count();
        assert_eq!(ask(&image.query_view(), &image, &yard, &change, 100), expected, "{change:?}");
    }
    assert!(met > 50 * 200, "{met}");
}

#[test]
fn a_clone_a_restored_world_and_a_used_view_answer_alike() {
    let (yard, other) = (Yard::new(9, 300, 8), Yard::new(10, 500, 12).world(&Change::NONE));
    let mut world = yard.world(&Change::NONE);
    let mut report = TickReport::default();
    let mut used = other.query_view();
    for _ in 0..5 {
        world.step(&mut report);
        used.rebuild(world.state(), world.scenery());
        let expected = ask(&world.query_view(), &world, &yard, &Change::NONE, 40);
        assert_eq!(ask(&used, &world, &yard, &Change::NONE, 40), expected);
        assert_eq!(ask(&used.clone(), &world, &yard, &Change::NONE, 40), expected);
        assert_eq!(used.tick_count(), world.tick_count());
        let restored = snapshot::decode(&snapshot::encode(&world), world.scenery()).unwrap();
        for copy in [world.clone(), restored] {
            assert_eq!(ask(&copy.query_view(), &copy, &yard, &Change::NONE, 40), expected);
        }
        used.rebuild(other.state(), other.scenery());
        assert_ne!(ask(&used, &other, &yard, &Change::NONE, 40), expected);
    }
}

#[test]
fn a_view_keeps_the_moment_it_was_built_at() {
    let yard = Yard::new(11, 100, 6);
    let mut world = yard.world(&Change::NONE);
    let before = world.clone();
    let view = world.query_view();
    let expected = ask(&view, &before, &yard, &Change::NONE, 40);
    let mut report = TickReport::default();
    let gravity = v("0", "-0.25", "0");
    world.tick(&[bitstep::state::Command::SetGravity { gravity }], &mut report).accepted().unwrap();
    assert_eq!(ask(&view, &before, &yard, &Change::NONE, 40), expected);
    assert_ne!(ask(&world.query_view(), &before, &yard, &Change::NONE, 40), expected);
}
