//! The contacts of a body.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    query::QueryFilter,
    shape::Shape,
    state::{BodyId, Collider, Command, Limits, SKIN, ShapeId},
    tick::TickReport,
};

use crate::{
    reference,
    support::{Start, change::Change, closed_box, every, s, shapes, v, world},
    yard::Yard,
};

fn start(shape: u16, position: Vec3) -> Start {
    Start { shape: ShapeId(shape), mass: 1, position, velocity: Vec3::ZERO }
}

fn id(slot: u32) -> BodyId {
    BodyId::from_parts(slot, 0)
}

#[test]
fn contacts_as_worked_by_hand() {
    let solids = [Shape::sphere(s("1")), Shape::aabb(v("1", "1", "1"))];
    let starts = [
        start(0, Vec3::ZERO),
        start(0, v("2", "0", "0")),
        start(1, v("0", "2.25", "0")),
        start(1, v("2.5", "2.25", "0")),
        start(0, v("-2.5", "0", "0")),
    ];
    let view = world(Limits::new(60), &closed_box("0", &solids, "4"), &starts).query_view();
    let mut found = Vec::new();
    let mut told = |slot, gap: &str| -> Vec<String> {
        view.contacts(id(slot), s(gap), &QueryFilter::ALL, &mut found).unwrap();
        let line = |contact: &bitstep::query::Contact| {
            let [x, y, z] = contact.normal.unwrap().components().map(i32::signum);
            format!("{} {} {x} {y} {z}", contact.gap, contact.collider)
        };
        found.iter().map(line).collect()
    };
    assert_eq!(told(0, "0"), ["0 1 1 0 0"]);
    assert_eq!(told(0, "0.4999999998"), ["0 1 1 0 0", "0.25 2 0 1 0"]);
    assert_eq!(told(0, "0.5"), ["0 1 1 0 0", "0.25 2 0 1 0", "0.5 4 -1 0 0"]);
    // Between boxes the largest separation along an axis; to the ball sqrt(1 + 1.25^2) - 1.
    assert_eq!(told(2, "0.75"), ["0.25 0 0 -1 0", "0.5 3 1 0 0", "0.6007810594 1 1 -1 0", "0.75 s3 0 1 0"]);
    assert_eq!(told(4, "0.5"), ["0.5 0 1 0 0", "0.5 s0 -1 0 0"], "bodies before statics");
}

#[test]
fn contacts_equal_a_loop_over_all() {
    let (mut met, mut touching, mut bodies) = (0, 0, 0);
    for seed in (0..6).step_by(every(2)) {
        let yard = Yard::new(seed, [12, 60, 400][seed as usize % 3], [2, 4, 6][seed as usize % 3]);
        let world = yard.world(&Change::NONE);
        let view = world.query_view();
        let mut found = Vec::new();
        for (number, (id, _)) in world.bodies().enumerate() {
            bodies += 1;
            let exclude = [Collider::Body(self::id(number as u32 / 2))];
            let filter = QueryFilter { exclude: &exclude[number % 2..], ..QueryFilter::ALL };
            for gap in ["0", "0.25", "0.1234567", "2"] {
                view.contacts(id, s(gap), &filter, &mut found).unwrap();
                let expected = reference::contacts(&world, id, s(gap), &filter);
                let answer: Vec<_> = found.iter().map(|contact| (contact.gap, contact.collider)).collect();
                assert_eq!(answer, expected, "{seed} {id} {gap}");
                met += answer.len();
                touching += answer.iter().filter(|(gap, _)| *gap == 0).count();
            }
        }
    }
    println!("{bodies} {met} {touching}");
    assert!(
        bodies > 400 / every(2) && met > 4_000 / every(2) && touching > 100 / every(2),
        "{bodies} {met} {touching}"
    );
}

#[test]
fn a_contact_of_two_bodies_is_the_same_from_both_sides() {
    let yard = Yard::new(2, 600, 6);
    let world = yard.world(&Change::NONE);
    let view = world.query_view();
    let (mut ours, mut theirs, mut pairs) = (Vec::new(), Vec::new(), 0);
    for (id, _) in world.bodies() {
        view.contacts(id, s("0.5"), &QueryFilter::ALL, &mut ours).unwrap();
        for contact in &ours {
            let Collider::Body(other) = contact.collider else { continue };
            view.contacts(other, s("0.5"), &QueryFilter::ALL, &mut theirs).unwrap();
            let back = theirs.iter().find(|back| back.collider == Collider::Body(id)).unwrap();
            assert_eq!((back.gap, back.normal), (contact.gap, contact.normal.map(|normal| -normal)));
            pairs += 1;
        }
    }
    assert!(pairs > 60, "{pairs}");
}

/// After an impact without restitution two balls are found within twice the skin.
#[test]
fn a_tick_leaves_contacts_that_are_found() {
    let mut world = world(
        Limits::new(60),
        &shapes("0", &[Shape::sphere(s("0.5"))]),
        &[start(0, Vec3::ZERO), start(0, v("2", "0", "0"))],
    );
    let velocity = v("1.5", "0", "0");
    let mut report = TickReport::default();
    world.tick(&[Command::SetVelocity { body: id(0), velocity }], &mut report).accepted().unwrap();
    assert_eq!(report.impacts.len(), 1);
    let (view, mut found) = (world.query_view(), Vec::new());
    assert_eq!(view.tick_count(), 1);
    view.contacts(id(0), SKIN + SKIN, &QueryFilter::ALL, &mut found).unwrap();
    assert_eq!((found.len(), found[0].collider), (1, Collider::Body(id(1))));
    assert!(found[0].gap > 0 && found[0].normal.is_some_and(|normal| normal.dot_wide(velocity) > 0));
    view.contacts(id(0), Scalar::ZERO, &QueryFilter::ALL, &mut found).unwrap();
    assert!(found.is_empty());
}
