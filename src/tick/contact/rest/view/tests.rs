//! Contacts by hand: when two are certain to stay apart, and how fast they pass.

use super::*;
use crate::{
    num::{Scalar, lit},
    shape::Mesh,
    state::{ChildShape, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::{
        World,
        contact::{ContactStage, rest::show_contacts},
    },
};

/// The only material, which rubs.
const ROUGH: MaterialId = MaterialId(0);

/// A scenery of that material, without anything in it.
fn rough() -> SceneryBuilder {
    let mut builder = SceneryBuilder::default();
    builder.material(Material { friction_q16: 1 << 15, ..Material::INELASTIC });
    builder
}

/// A look at bodies and their contacts as a tick finds them.
fn with_contacts(
    builder: SceneryBuilder,
    pull: &str,
    spawns: &[Spawn],
    look: impl FnOnce(&mut ContactStage),
) {
    let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
    let gravity =
        world.limits().gravity_nearest_even(Vec3::new(Scalar::ZERO, pull.parse().unwrap(), Scalar::ZERO));
    assert!(world.apply(&[Command::SetGravity { gravity }]).outcomes[0].is_ok());
    for spawn in spawns {
        assert!(world.apply(&[Command::Spawn(Spawn { material: ROUGH, ..*spawn })]).outcomes[0].is_ok());
    }
    show_contacts(world, look);
}

#[test]
fn pairs_are_certain_to_stay_apart_only_with_room_at_both_ends() {
    let mut builder = rough();
    let cube = builder.shape(Shape::aabb(Vec3::splat(lit("0.5"))));
    let floor = builder.shape(Shape::plane(Vec3::lit("0", "1", "0")).unwrap());
    builder.fixed(floor, ROUGH, Vec3::ZERO);
    let spawn = Spawn::new(cube, Vec3::lit("0", "0.5005", "0"));
    with_contacts(builder, "-9.8", &[spawn], |step| {
        let found = step.scratch.rest.contacts[0];
        let gap = found.normal.dot_wide(step.contacts().offset_at(&found, Toi::START)) - found.reach;
        let gap = (gap >> Normal::BITS) as i64;
        // Nothing turns, so all that the gap may lose on the way is what roundings take.
        for (first, last, is_certain) in [
            (0, 0, false),
            (1, 1, true),
            (1_000, 1_000, true),
            (-1, 1_000, false),
            (1_000, -1, false),
            (-1, -1, false),
        ] {
            step.sim.body_mut(0).path.displacement = Vec3::from_raw([0, last - first, 0]);
            let contact =
                Contact { skin: found.skin + gap - first - ContactView::least_gap(&found), ..found };
            assert_eq!(step.contacts().is_certain(&contact, Toi::START), Some(is_certain), "{first} {last}");
        }
    });
}

#[test]
fn bodies_pass_each_other_by_the_difference_of_their_motions() {
    let mut builder = rough();
    let ball = builder.shape(Shape::sphere(lit("0.5")));
    let spawns = [Vec3::ZERO, Vec3::lit("1.0005", "0", "0")].map(|place| Spawn::new(ball, place));
    with_contacts(builder, "0", &spawns, |step| {
        let contact = step.scratch.rest.contacts[0];
        assert!(contact.low_mover().is_some());
        for (motions, passing) in [
            ([[0, 0, 0], [0, 300, 400]], 500),
            ([[0, 300, 400], [0, 0, 0]], 500),
            ([[0, 300, 400], [0, 300, 400]], 0),
            ([[0, 300, 400], [0, -300, -400]], 1_000),
        ] {
            for (index, motion) in motions.into_iter().enumerate() {
                step.sim.body_mut(index).path.displacement = Vec3::from_raw(motion);
            }
            assert_eq!(step.contacts().passing(&contact), passing, "{motions:?}");
        }
    });
}

/// Four balls that rotate as one, each beyond a corner of a square of two triangles: two of the corners are of one triangle only.
#[test]
fn child_shapes_of_what_rotates_reach_to_the_triangles_that_they_were_found_at() {
    let corners = [["-1", "-1"], ["-1", "1"], ["1", "1"], ["1", "-1"]];
    let corner = |[x, z]: [&str; 2]| Vec3::new(x.parse().unwrap(), lit("0"), z.parse().unwrap());
    let corners = corners.map(corner);
    let mut builder = rough();
    let square = builder.shape(Shape::Mesh(Mesh::new(&corners, &[[0, 1, 3], [1, 2, 3]]).unwrap()));
    builder.fixed(square, ROUGH, Vec3::ZERO);
    let ball = ChildShape::new(builder.shape(Shape::sphere(lit("0.5"))));
    // A third of a unit beyond on both axes and a sixth above: hardly more than the radius away.
    let child = |corner: Vec3| ChildShape { offset: corner + corner.map_raw(|c| c / 3), ..ball };
    let shape = ShapeId::of_compound(builder.compound(corners.map(child).to_vec()), false);
    let spawn = Spawn { rotates: true, ..Spawn::new(shape, Vec3::lit("0", "0.1675", "0")) };
    with_contacts(builder, "-9.8", &[spawn], |step| {
        let contacts = &step.scratch.rest.contacts;
        let mut parts: Vec<_> = contacts.iter().map(|contact| contact.parts[1]).collect();
        parts.sort_unstable();
        assert_eq!(parts, [0, 1, 2, 3]);
        for contact in contacts {
            assert_eq!(step.contacts().reach_at(contact, Toi::START), Some(contact.reach), "{contact:?}");
        }
    });
}
