//! Contacts by hand: which pairs have one, and the work to find them.

use super::*;
use crate::{
    num::lit,
    shape::Mesh,
    state::{
        ChildShape, Command, Limits, Material, SKIN, SceneryBuilder, ShapeId, Spawn, StaticId, momentum_wide,
    },
    tick::{
        TickReport, World,
        bodies::limits::{INELASTIC_SHIFT, REST_GAP_SHIFT},
        phases::Step,
    },
};

/// A world of bodies in the scenery of a builder.
fn world_of(builder: SceneryBuilder, limits: Limits, pull: &str, spawns: &[Spawn]) -> World {
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let gravity =
        world.limits().gravity_nearest_even(Vec3::new(Scalar::ZERO, pull.parse().unwrap(), Scalar::ZERO));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    for spawn in spawns {
        assert!(world.apply(&[Command::Spawn(*spawn)]).outcomes[0].is_ok());
    }
    world
}

/// The stage before contacts are looked for.
fn at_the_beginning(world: &mut World, look: impl FnOnce(&mut ContactStage)) {
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    look(&mut step.contact());
}

/// A floor, and balls just above it that are far from each other.
fn balls_on_a_floor(count: i64, limits: Limits) -> World {
    let mut builder = SceneryBuilder::default();
    let material = builder.material(Material::INELASTIC);
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let floor = builder.shape(Shape::plane(Vec3::lit("0", "1", "0")).unwrap());
    builder.fixed(floor, material, Vec3::ZERO);
    let place = |index: i64| Vec3::new(lit("4").saturating_mul_int(index), lit("0.5005"), lit("0"));
    let spawns: Vec<_> =
        (0..count).map(|index| Spawn { material, ..Spawn::new(ball, place(index)) }).collect();
    world_of(builder, limits, "-9.8", &spawns)
}

#[test]
fn pairs_that_are_looked_at_count_once_each() {
    for (count, pairs_max, is_exceeded) in [(1, 1, false), (3, 3, false), (3, 2, true)] {
        let limits = Limits::new(60).with_pairs_max(pairs_max);
        at_the_beginning(&mut balls_on_a_floor(count, limits), |step| {
            step.find_contacts();
            assert_eq!(step.budget.is_exceeded(), is_exceeded, "{count} of {pairs_max}");
            assert_eq!(step.scratch.rest.contacts.len() as i64, count);
        });
    }
}

#[test]
fn inelastic_bodies_without_gravity_are_in_contact_to_the_very_end_of_their_range() {
    let range = (lit("0.5").to_bits() >> REST_GAP_SHIFT) << INELASTIC_SHIFT;
    for (more, count) in [(0, 1), (1, 0)] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::INELASTIC);
        let cube = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
        let apart = lit("1") + SKIN + Scalar::from_bits(range + more);
        let places = [Vec3::ZERO, Vec3::new(apart, lit("0.25"), lit("0"))];
        let spawns = places.map(|place| Spawn { material, ..Spawn::new(cube, place) });
        at_the_beginning(&mut world_of(builder, Limits::new(60), "0", &spawns), |step| {
            step.find_contacts();
            assert_eq!(step.scratch.rest.contacts.len(), count, "{more}");
        });
    }
}

#[test]
fn child_shapes_near_a_facet_are_in_contact_and_others_of_the_body_are_not() {
    let corners = [["-4", "-4"], ["-4", "4"], ["4", "4"], ["4", "-4"]];
    let corners = corners.map(|[x, z]| Vec3::new(x.parse().unwrap(), lit("0"), z.parse().unwrap()));
    for (friction_q16, below) in [(0, 0), (0, 1), (1 << 15, 0), (1 << 15, 1)] {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material { friction_q16, ..Material::INELASTIC });
        let floor = builder.shape(Shape::Mesh(Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap()));
        builder.fixed(floor, material, Vec3::ZERO);
        let ball = ChildShape::new(builder.shape(Shape::sphere(lit("0.5"))));
        let ends = [Vec3::lit("0", "-2", "0"), Vec3::lit("0", "2", "0")];
        let children = [0, 1].map(|child: usize| ChildShape { offset: ends[child ^ below], ..ball });
        let shape = ShapeId::of_compound(builder.compound(children.to_vec()), false);
        let spawn = Spawn { material, ..Spawn::new(shape, Vec3::lit("0.5", "2.5005", "1")) };
        at_the_beginning(&mut world_of(builder, Limits::new(60), "-9.8", &[spawn]), |step| {
            step.find_contacts();
            let parts: Vec<_> = step.scratch.rest.contacts.iter().map(|contact| contact.parts).collect();
            assert_eq!(parts, [[0, below as u8]], "{friction_q16}");
        });
    }
}

/// The contact of a body without restitution holds however fast the two close if that is a blow.
#[test]
fn blows_are_faster_than_the_speed_of_rest() {
    for friction_q16 in [0, 1 << 15] {
        for (more, is_blow) in [(-1, false), (0, false), (1, true)] {
            let mut builder = SceneryBuilder::default();
            let material = builder.material(Material { friction_q16, ..Material::INELASTIC });
            let cube = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
            let floor = builder.shape(Shape::plane(Vec3::lit("0", "1", "0")).unwrap());
            builder.fixed(floor, material, Vec3::ZERO);
            let spawn = Spawn { material, ..Spawn::new(cube, Vec3::lit("0", "0.5005", "0")) };
            at_the_beginning(&mut world_of(builder, Limits::new(60), "-9.8", &[spawn]), |step| {
                step.open_contacts();
                let closing = step.bodies().rest_speed().to_bits() + more;
                // The tick begins before gravity has pulled.
                let end = Vec3::from_raw([0, -closing, 0]) + step.state.gravity;
                step.sim.body_mut(0).momentum = momentum_wide(end, step.sim.all()[0].mass);
                step.consider_anew(0, Partner::Static(StaticId(0)), WHOLE);
                let contacts = &step.scratch.rest.contacts;
                assert!(!contacts.is_empty(), "{friction_q16} {more}");
                let forced = contacts.iter().all(|contact| contact.forced == is_blow);
                assert!(forced, "{friction_q16} {more}");
            });
        }
    }
}
