//! The colliders that a body stands on, and those that stand on it.

use bitstep::{
    geom::{Normal, Vec3},
    query::{QueryError, QueryFilter, Support, SupportQuery},
    shape::{Obb, Shape},
    state::{BodyId, Collider, Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{TickReport, World},
};

use crate::{
    support::{change::Change, every, s, v},
    yard::Yard,
};

/// The supports of a body as text: the collider, and the sign of each component of the normal.
fn told(world: &World, body: BodyId, query: &SupportQuery, carries: bool) -> Vec<String> {
    let (view, mut found) = (world.query_view(), Vec::new());
    match carries {
        true => view.carries(body, query, &QueryFilter::ALL, &mut found).unwrap(),
        false => view.supports(body, query, &QueryFilter::ALL, &mut found).unwrap(),
    }
    let line = |support: &Support| {
        let [x, y, z] = support.normal.components().map(i32::signum);
        format!("{} {x} {y} {z}", support.collider)
    };
    found.iter().map(line).collect()
}

/// A ramp of 3 in 4, a floor, a wall and a ceiling; then bodies.
fn yard() -> (World, Vec<BodyId>) {
    let mut builder = SceneryBuilder::default();
    let stone = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(s("0.5")));
    let cube = builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
    let tilted = builder.shape(Shape::Obb(Obb::along_axes(v("0.5", "0.5", "0.5"))));
    let ramp = builder.shape(Shape::plane(v("-3", "4", "0")).unwrap());
    let slab = builder.shape(Shape::aabb(v("4", "0.5", "4")));
    builder.fixed(ramp, stone, v("20", "0", "0")); // s0: rises toward x
    builder.fixed(slab, stone, v("0", "0", "0")); // s1: from -4 to 4, its top at 0.5
    builder.fixed(cube, stone, v("0", "1", "0")); // s2: on it, from -0.5 to 0.5
    builder.fixed(slab, stone, v("0", "4.02", "0")); // s3: a ceiling, its bottom at 3.52
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let ids = world.next_ids(6);
    let spawn = |shape, position| Command::Spawn(Spawn { material: stone, ..Spawn::new(shape, position) });
    let bodies = [
        spawn(ball, v("-2", "1.01", "0")),   // 0: on the slab
        spawn(cube, v("1.01", "1.01", "0")), // 1: on the slab, beside the block
        spawn(ball, v("0", "2.01", "0")),    // 2: on the block
        spawn(cube, v("0", "3.015", "0")),   // 3: on that ball, below the ceiling
        spawn(ball, v("20", "0.64", "0")),   // 4: on the ramp
        spawn(tilted, v("3", "2", "0")),     // 5: in the air
    ];
    world.apply(&bodies).accepted().unwrap();
    (world, ids)
}

#[test]
fn supports_as_worked_by_hand() {
    let (world, ids) = yard();
    let usual = SupportQuery::USUAL;
    let below = |body: usize| told(&world, ids[body], &usual, false);
    let above = |body: usize| told(&world, ids[body], &usual, true);
    assert_eq!(below(0), ["s1 0 1 0"]);
    assert_eq!(below(1), ["s1 0 1 0"], "the block beside it supports nothing");
    assert_eq!(below(2), ["s2 0 1 0"]);
    assert_eq!(below(3), ["2 0 1 0"], "nor does a ceiling");
    assert_eq!(below(4), ["s0 -1 1 0"]);
    assert!(below(5).is_empty());
    assert_eq!(above(2), ["3 0 1 0"]);
    assert_eq!(above(3), ["s3 0 1 0"], "a ceiling that lies on a body is carried by it");
    assert!([0, 1, 4, 5].into_iter().all(|body| above(body).is_empty()));
    // The ramp is 3 in 4.
    for (slope, count) in [("0.7499", 0), ("0.75", 1), ("16", 1), ("0", 0)] {
        let query = SupportQuery { slope_max: s(slope), ..usual };
        assert_eq!(told(&world, ids[4], &query, false).len(), count, "{slope}");
    }
    // Another direction is up.
    let sideways = SupportQuery { up: Normal::X, ..usual };
    assert_eq!(told(&world, ids[1], &sideways, false), ["s2 1 0 0"]);
    let upside_down = SupportQuery { up: -Normal::Y, ..usual };
    assert_eq!(told(&world, ids[3], &upside_down, false), ["s3 0 -1 0"]);
    // A filter says what counts as ground.
    let (view, mut found) = (world.query_view(), vec![]);
    let filter = QueryFilter { exclude: &[Collider::Body(ids[2])], ..QueryFilter::ALL };
    view.supports(ids[3], &usual, &filter, &mut found).unwrap();
    assert!(found.is_empty());
}

#[test]
fn queries_out_of_range_are_refused_by_name() {
    let (world, ids) = yard();
    let view = world.query_view();
    let refused = |query: SupportQuery, body| {
        let mut found = Vec::new();
        view.supports(body, &SupportQuery::USUAL, &QueryFilter::ALL, &mut found).unwrap_or_default();
        let error = view.supports(body, &query, &QueryFilter::ALL, &mut found).unwrap_err();
        assert!(found.is_empty());
        error
    };
    let usual = SupportQuery::USUAL;
    for (field, query) in [
        ("gap", SupportQuery { gap: s("-0.5"), ..usual }),
        ("slope_max", SupportQuery { slope_max: s("-0.5"), ..usual }),
        ("slope_max", SupportQuery { slope_max: s("16.5"), ..usual }),
        ("up", SupportQuery { up: Normal::new(0, 0, 0), ..usual }),
    ] {
        let error = refused(query, ids[0]).to_string();
        assert!(error.starts_with(&format!("{field} is ")), "{error}");
    }
    let nobody = BodyId::from_parts(77, 0);
    assert_eq!(refused(usual, nobody), QueryError::NoBody { body: nobody });
}

/// Each is a contact, all contacts that qualify are there, and what one stands on carries it.
#[test]
fn supports_of_drawn_worlds_are_contacts_and_agree_from_both_sides() {
    let (mut pairs, mut steep) = (0, 0);
    for seed in (0..6).step_by(every(2)) {
        let yard = Yard::new(seed, 300, 5);
        let world = yard.world(&Change::NONE);
        let view = world.query_view();
        let query = SupportQuery { gap: s("0.4"), ..SupportQuery::USUAL };
        let (mut contacts, mut found, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (id, _) in world.bodies() {
            view.contacts(id, query.gap, &QueryFilter::ALL, &mut contacts).unwrap();
            view.supports(id, &query, &QueryFilter::ALL, &mut found).unwrap();
            // rise^2 >= run^2: 45 degrees.
            let is_below = |normal: Normal| {
                let [x, y, z] = normal.components().map(|c| i128::from(-c));
                y > 0 && y * y >= x * x + z * z
            };
            let expected: Vec<_> = contacts
                .iter()
                .filter(|contact| contact.normal.is_some_and(is_below))
                .map(|contact| (contact.gap, contact.collider, contact.children))
                .collect();
            let answer: Vec<_> =
                found.iter().map(|support| (support.gap, support.collider, support.children)).collect();
            assert_eq!(answer, expected, "{seed} {id}");
            steep += contacts.len() - found.len();
            for support in &found {
                let Collider::Body(other) = support.collider else { continue };
                view.carries(other, &query, &QueryFilter::ALL, &mut back).unwrap();
                let seen = back.iter().find(|seen| {
                    let [own, its] = support.children;
                    seen.collider == Collider::Body(id) && seen.children == [its, own]
                });
                assert_eq!(seen.map(|seen| (seen.gap, seen.normal)), Some((support.gap, support.normal)));
                pairs += 1;
            }
        }
    }
    assert!(pairs > 60 / every(2) && steep > 100 / every(2), "{pairs} {steep}");
}

/// What lies still on a floor or on others is supported, and what falls is not, at any rate of ticks.
#[test]
fn bodies_at_rest_are_supported_and_falling_ones_are_not() {
    for rate in [20, 60, 120, 240] {
        let mut builder = SceneryBuilder::default();
        let stone = builder.material(Material::INELASTIC.with_friction(s("0.5")).unwrap());
        let cube = builder.shape(Shape::aabb(v("0.5", "0.5", "0.5")));
        let turning = builder.shape(Shape::Obb(Obb::along_axes(v("0.5", "0.25", "0.5"))));
        let floor = builder.shape(Shape::aabb(v("8", "1", "8")));
        builder.fixed(floor, stone, v("0", "-1", "0"));
        let limits = Limits::new(rate);
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let gravity = limits.gravity_nearest_even(v("0", "-10", "0"));
        let place = |y: i64| Vec3::from_raw([0, y << 31, 0]);
        let spawn = |shape, rotates, y| {
            Command::Spawn(Spawn { material: stone, rotates, ..Spawn::new(shape, place(y)) })
        };
        // Heights in halves of a unit: each begins a quarter or more above what it falls on.
        let tower =
            [spawn(cube, false, 2), spawn(turning, true, 5), spawn(cube, false, 7), spawn(turning, true, 40)];
        let _ = world.apply(&[Command::SetGravity { gravity }]);
        let ids = world.next_ids(4);
        world.apply(&tower).accepted().unwrap();
        let is_supported = |world: &World, id| !told(world, id, &SupportQuery::USUAL, false).is_empty();
        assert!(ids.iter().all(|&id| !is_supported(&world, id)), "{rate}");
        let mut report = TickReport::default();
        (0..rate).for_each(|_| world.step(&mut report));
        let standing: Vec<_> = ids.iter().map(|&id| is_supported(&world, id)).collect();
        assert_eq!(standing, [true, true, true, false], "{rate} Hz: the last one falls for two seconds");
        (0..3 * rate).for_each(|_| world.step(&mut report));
        for tick in 0..rate {
            world.step(&mut report);
            assert!(ids.iter().all(|&id| is_supported(&world, id)), "{rate} Hz, tick {tick}");
        }
    }
}
