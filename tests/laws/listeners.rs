//! A resting body has no events, listening changes nothing, and the list is the difference of states.

use bitstep::{
    World,
    geom::Vec3,
    num::Rng,
    shape::Shape,
    snapshot,
    state::{BodyId, BodyType, Collider, Command, Rule, ShapeId, Spawn},
    tick::{ContactEvent, EventKind, TickReport, touch_gap},
};

use crate::{
    events::{SENSORS, UNIT, apply, fixed},
    piles::Scene,
    support::{every, gas, s, step, v},
    tick_laws::assert_events,
};

#[test]
fn a_body_rests_in_a_sensor_without_a_word() {
    for rate in [10, 20, 60, 120] {
        let mut scene = Scene::floor("0");
        let cube = scene.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
        scene.add(cube, 1, v("0", "3", "0"), Vec3::ZERO);
        let mut world = scene.world(rate);
        apply(&mut world, Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false });
        let sensor =
            Spawn { body_type: BodyType::Static, layer: SENSORS, ..Spawn::new(cube, v("0.2", "0.75", "0")) };
        let sensor = apply(&mut world, Command::Spawn(sensor)).unwrap();
        let (mut report, mut all) = (TickReport::default(), Vec::new());
        world.enable_events(true);
        for tick in 0..5 * rate {
            step(&mut world, &mut report);
            assert!(tick < 2 * rate || report.events.is_empty(), "{rate} Hz: {:?}", report.events);
            all.extend(report.events.iter().map(|event| (event.kind, event.b)));
        }
        let floor = fixed(0);
        use EventKind::{Begin, Enter, Hit};
        assert_eq!(all, [(Enter, Collider::Body(sensor)), (Begin, floor), (Hit, floor)], "{rate} Hz");
        // It is lifted out, and comes back.
        let lifted = BodyId::from_parts(0, 0);
        let velocity = world.limits().velocity_nearest(v("0", "6", "0"));
        apply(&mut world, Command::SetVelocity { body: lifted, velocity });
        let mut kinds = Vec::new();
        for _ in 0..2 * rate {
            step(&mut world, &mut report);
            kinds.extend(report.events.iter().map(|event| event.kind));
        }
        assert_eq!(kinds, [EventKind::End, EventKind::Exit, Enter, Begin, Hit], "{rate} Hz");
    }
}

/// Balls and boxes that fall into a well, in seconds.
fn heap(rate: u32) -> World {
    let mut scene = Scene::well("0.3", "2");
    let solids = [Shape::sphere(s("0.4")), Shape::aabb(v("0.35", "0.3", "0.4")), Shape::sphere(s("0.2"))];
    let names = solids.map(|solid| scene.shape(solid));
    for index in 0..72_i64 {
        let mut draws = Rng::new(3).at(0, index as u64, 0);
        let cell = [index % 4, index / 16, index / 4 % 4];
        let place = [0, 1, 2].map(|axis| cell[axis] * UNIT + draws.between(-UNIT / 16, UNIT / 16));
        let position =
            Vec3::from_raw([place[0] - 3 * UNIT / 2, place[1] + UNIT / 2, place[2] - 3 * UNIT / 2]);
        scene.add(names[index as usize % 3], 1 + index as u32 % 4, position, Vec3::ZERO);
    }
    scene.world(rate)
}

#[test]
fn a_heap_that_lies_says_nothing() {
    let mut world = heap(60);
    let (mut report, mut told) = (TickReport::default(), [0; 2]);
    world.enable_events(true);
    for tick in 0..1_500 {
        step(&mut world, &mut report);
        told[usize::from(tick >= 1_200)] += report.events.len();
    }
    let touching = touching(&world).len();
    // A body that still creeps may begin a touch; resting bodies do not flicker.
    assert!(told[0] > 1_000 && told[1] < 20 && touching > 100, "{told:?} {touching}");
}

/// Every solid pair within its touch gap, as queries find it.
fn touching(world: &World) -> Vec<(BodyId, Collider)> {
    use bitstep::query::QueryFilter;
    let (view, mut near, mut found) = (world.query_view(), Vec::new(), Vec::new());
    let shape = |id: ShapeId| &world.scenery().shapes()[usize::from(id.0)];
    for (id, body) in world.bodies() {
        view.contacts(id, s("0.05"), &QueryFilter::ALL, &mut near).unwrap();
        for contact in &near {
            let (other, filter) = match contact.collider {
                Collider::Body(other) => {
                    let other = world.body(other).unwrap();
                    (other.shape, other.filter())
                }
                Collider::Static(other) => {
                    let other = &world.scenery().statics()[other.0 as usize];
                    (other.shape, other.filter())
                }
            };
            let is_solid = world.state().layers.is_solid(body.filter(), filter);
            let is_first = contact.collider > Collider::Body(id);
            let sides = [(shape(body.shape), body.body_type), (shape(other), filter.body_type)];
            if is_solid && is_first && contact.gap <= touch_gap(sides[0], sides[1]) {
                found.push((id, contact.collider));
            }
        }
    }
    found.sort_unstable();
    found
}

#[test]
fn events_lead_from_the_contacts_before_to_the_contacts_after() {
    let mut counts = [0; 2];
    let mut worlds = [(gas(6, 1), 60), (heap(60), 400 / every(2)), (heap(10), 100 / every(2))];
    for (world, ticks) in &mut worlds {
        let mut report = TickReport::default();
        world.enable_events(true);
        for _ in 0..*ticks {
            let entry = world.clone();
            step(world, &mut report);
            assert_events(&report, &entry, world);
            counts[0] += report.events.len();
            counts[1] += touching(world).len();
        }
    }
    assert!(counts[0] > 5_000 / every(2) && counts[1] > 50_000 / every(2), "{counts:?}");
}

#[test]
fn sensors_and_listeners_change_nothing() {
    // The same crowd with sensors everywhere, with none, and without events.
    let make = |rule| {
        let mut world = heap(60);
        for index in 0..12_i64 {
            let position = Vec3::from_raw([index % 3 - 1, index / 6, index / 3 % 2].map(|c| c * UNIT));
            let kind = if index % 2 == 0 { BodyType::Kinematic } else { BodyType::Static };
            let velocity = Vec3::from_raw([if index % 2 == 0 { UNIT / 100 } else { 0 }, 0, 0]);
            let spawn = Spawn {
                body_type: kind,
                velocity,
                layer: SENSORS,
                allow_overlap: true,
                ..Spawn::new(ShapeId(5), position)
            };
            apply(&mut world, Command::SetLayers { a: 0, b: SENSORS, rule, allow_overlap: false });
            apply(&mut world, Command::Spawn(spawn));
        }
        world
    };
    let (mut seen, mut unseen, mut deaf) = (make(Rule::Sensor), make(Rule::Ignore), make(Rule::Sensor));
    seen.enable_events(true);
    unseen.enable_events(true);
    let mut reports = [(); 3].map(|()| TickReport::default());
    let mut entered = 0;
    for _ in 0..150 {
        for (world, report) in [&mut seen, &mut unseen, &mut deaf].into_iter().zip(&mut reports) {
            step(world, report);
        }
        assert!(seen.bodies().eq(unseen.bodies()));
        assert_eq!(snapshot::checksum(&seen), snapshot::checksum(&deaf));
        assert_eq!(reports[0].impacts, reports[1].impacts);
        assert_eq!(reports[0].ledger, reports[1].ledger);
        assert_eq!(reports[2].events, []);
        let is_of_solids = |event: &&ContactEvent| !matches!(event.kind, EventKind::Enter | EventKind::Exit);
        let solids: Vec<_> = reports[0].events.iter().copied().filter(|e| is_of_solids(&e)).collect();
        assert_eq!(solids, reports[1].events);
        entered += reports[0].events.len() - solids.len();
        assert_eq!(reports.each_ref().map(|report| report.events_listed), [true, true, false]);
    }
    assert!(entered > 100, "{entered}");
}
