//! Which pairs are reused, and which are found again.

use super::*;
use crate::{
    geom::Vec3,
    num::lit,
    shape::Shape,
    state::{Command, Limits, Material, SceneryBuilder, Spawn},
    tick::{TickReport, World, bodies::body::BodyIndex, phases::Step, scratch::Scratch},
};

/// Twenty spheres in a row with alternating velocities, except for one that flies along the row.
fn row(limits: Limits, speed: &str, flying: Option<&str>) -> World {
    let mut builder = SceneryBuilder::default();
    let (material, shape) = (builder.material(Material::INELASTIC), builder.shape(Shape::sphere(lit("0.5"))));
    let mut world = World::new(limits, builder.build().unwrap()).unwrap();
    let mut place = Vec3::ZERO;
    let along = |speed: &str| Vec3::new(speed.parse().unwrap(), lit("0"), lit("0"));
    for index in 0..20 {
        let velocity = match flying {
            Some(speed) if index == 0 => along(speed),
            _ if index % 2 == 0 => along(speed),
            _ => -along(speed),
        };
        let spawn = Spawn { material, velocity, ..Spawn::new(shape, place) };
        assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        place.x += lit("1.01");
    }
    world
}

/// The row after the search for contacts, and true if its pairs are known.
fn searched(limits: Limits, speed: &str, flying: Option<&str>) -> (World, bool) {
    let mut world = row(limits, speed, flying);
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    step.contact().rest();
    let known = step.toi_loop().search().find_among_known();
    (world, known)
}

const FAST: Limits = Limits { speed_max: lit("64"), ..Limits::new(60) };

#[test]
fn pairs_are_kept_of_slow_bodies_and_no_more_than_a_tick_may_look_at() {
    let (world, known) = searched(FAST, "0.001", None);
    assert!(
        known && world.scratch.pairs.known.listed().len() >= 19,
        "{}",
        world.scratch.pairs.known.listed().len()
    );
    let (world, known) = searched(FAST, "16", None);
    assert!(
        !known && world.scratch.pairs.known.listed().is_empty(),
        "paths are subdivided: {}",
        world.scratch.pairs.known.listed().len()
    );
    let (world, known) = searched(Limits { pairs_max: 5, ..FAST }, "0.001", None);
    assert!(
        !known && world.scratch.pairs.known.listed().len() <= 5,
        "{}",
        world.scratch.pairs.known.listed().len()
    );
}

#[test]
fn pairs_of_few_paths_in_pieces_are_found_beside_those_that_are_known() {
    let (world, known) = searched(FAST, "0.001", Some("16"));
    let Scratch { pairs: Pairs { known: pairs, boxes: PathBoxes { piece_counts, .. }, .. }, queue, .. } =
        &world.scratch;
    assert!(
        known && piece_counts[0] > 1 && piece_counts[1..].iter().all(|&count| count == 1),
        "{known} {piece_counts:?}"
    );
    let pairs = pairs.listed();
    assert!(pairs.len() >= 18 && pairs.iter().flatten().all(|&index| index != BodyIndex(0)), "{pairs:?}");
    let met: Vec<_> = queue.impacts().map(|impact| (impact.a, impact.b)).collect();
    let along = (1..=16).map(|other| (BodyIndex(0), Partner::Body(BodyIndex(other))));
    assert!(along.clone().all(|pair| met.contains(&pair)), "{met:?}");
}

/// A path that was subdivided in the search for contacts, and is whole afterwards, is in no known pair.
#[test]
fn impacts_of_a_path_that_is_in_pieces_no_more_are_found() {
    let mut world = row(FAST, "0.001", Some("16"));
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    step.contact().rest();
    step.scratch.sim.body_mut(0).path.displacement.x = lit("0.02");
    assert!(step.toi_loop().search().find_among_known() && step.scratch.pairs.boxes.piece_counts[0] == 1);
    let met = (BodyIndex(0), Partner::Body(BodyIndex(1)));
    assert!(
        step.scratch.queue.impacts().any(|impact| (impact.a, impact.b) == met),
        "it flies into its neighbor"
    );
}

/// True if the first sphere has a contact if its motion changes after pairs were found, as by
/// depenetration.
fn touches_after(flying: Option<&str>, motion: &str) -> bool {
    let mut world = row(FAST, "0.001", flying);
    let mut report = TickReport::default();
    let World { state, scenery, scratch, .. } = &mut world;
    let mut step = Step { state, scenery, scratch, report: &mut report };
    step.integrate();
    step.contact().gather_pairs(|_| lit("0.1"));
    let is_whole = step.scratch.pairs.boxes.piece_counts[0] == 1;
    assert_eq!(is_whole, flying.is_none());
    let known = &mut step.scratch.pairs.known;
    known.begin();
    (u32::from(!is_whole)..19).for_each(|index| known.push([index, index + 1].map(BodyIndex)));
    known.complete();
    step.scratch.sim.body_mut(0).momentum = step.scratch.sim.all()[2].momentum;
    step.scratch.sim.body_mut(0).path.displacement.x = motion.parse().unwrap();
    step.contact().rest();
    step.scratch.contact.holds(BodyIndex(0))
}

/// A subdivided path has no contacts, and a whole one is found, whatever it was when pairs were found.
#[test]
fn contacts_are_those_of_the_paths_as_they_are() {
    assert!(touches_after(None, "0.001") && !touches_after(None, "16"));
    assert!(touches_after(Some("16"), "0.001") && !touches_after(Some("16"), "16"));
}
