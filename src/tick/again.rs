//! The pair cache: the pairs of the search for contacts, reused for impacts.

use super::{pieces::Swath, step::Step};
use crate::tick::{bodies::SimBodies, scratch::Scratch};

/// The pair cache is used if at most one in this number of bodies has left its box; otherwise all boxes are
/// rebuilt.
const OUTGROWN_PART: usize = 4;

impl Step<'_> {
    /// Finds the impacts of all pairs of bodies from the pairs of the search for contacts, if possible;
    /// otherwise returns false, and the boxes must be rebuilt.
    ///
    /// The boxes of that search have a margin, and motions that contacts have changed hardly ever leave them.
    /// While they stay within, all pairs whose new boxes touch are known, except for subdivided paths, which
    /// count as having left.
    pub(super) fn find_among_pairs(&mut self) -> bool {
        if !self.scratch.knows_pairs || !self.fit_boxes() {
            return false;
        }
        self.renew_outgrown();
        let pairs = std::mem::take(&mut self.scratch.pairs);
        for &[a, b] in &pairs {
            let Scratch { boxes, outgrown, .. } = &*self.scratch;
            let (one, other) = (a as usize, b as usize);
            let touches = boxes[one].touches(&boxes[other]);
            if touches && !outgrown[one] && !outgrown[other] {
                self.find_with_body(a, b);
                if self.is_overrun() {
                    break;
                }
            }
        }
        self.scratch.pairs = pairs;
        true
    }

    /// Gives every body the box of its new path, and marks those that have left their old one; returns false
    /// if they are too many.
    fn fit_boxes(&mut self) -> bool {
        let Scratch { sim: SimBodies { movers, .. }, boxes, cuts, outgrown, .. } = &mut *self.scratch;
        outgrown.clear();
        let mut left = movers.len() / OUTGROWN_PART;
        for ((mover, bounds), cut) in movers.iter().zip(boxes).zip(cuts) {
            let swath = Swath::of(mover, self.scenery);
            let new = swath.bounds();
            let count = swath.cuts(&new) as u8;
            let is_known = *cut == 1 && count == 1 && bounds.holds(&new);
            if !is_known {
                let Some(fewer) = left.checked_sub(1) else { return false };
                left = fewer;
            }
            outgrown.push(!is_known);
            (*bounds, *cut) = (new, count);
        }
        true
    }

    /// Finds the impacts of the bodies that have left their boxes; of a pair of them by the one with the
    /// larger index.
    fn renew_outgrown(&mut self) {
        let mut met = std::mem::take(&mut self.scratch.met);
        for index in 0..self.scratch.sim.movers.len() as u32 {
            if !self.scratch.outgrown[index as usize] {
                continue;
            }
            self.find_region(index, &mut met);
            for &(other, meeting) in &met {
                let is_later = other >= index && self.scratch.outgrown[other as usize];
                if !is_later && self.may_meet([index, other], meeting) && !self.is_overrun() {
                    self.find_with_body(index, other);
                }
            }
        }
        self.scratch.met = met;
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::{
        geom::Vec3,
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, SceneryBuilder, Spawn},
        tick::{
            TickReport, World,
            bodies::mover::{NONE, Partner},
            schedule::Event,
        },
    };

    /// Twenty spheres in a row with alternating velocities, except for one that flies along the row.
    fn row(limits: Limits, speed: &str, flying: Option<&str>) -> World {
        let mut builder = SceneryBuilder::default();
        let (material, shape) = (builder.material(Material::DEAD), builder.shape(Shape::sphere(lit("0.5"))));
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
        let World { state, scenery, scratch } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        step.rest();
        let known = step.find_among_pairs();
        (world, known)
    }

    const FAST: Limits = Limits { speed_max: lit("64"), ..Limits::new(60) };

    #[test]
    fn pairs_are_kept_of_slow_bodies_and_no_more_than_a_tick_may_look_at() {
        let (world, known) = searched(FAST, "0.001", None);
        assert!(known && world.scratch.pairs.len() >= 19, "{}", world.scratch.pairs.len());
        let (world, known) = searched(FAST, "16", None);
        assert!(!known && world.scratch.pairs.is_empty(), "paths are cut: {}", world.scratch.pairs.len());
        let (world, known) = searched(Limits { pairs_max: 5, ..FAST }, "0.001", None);
        assert!(!known && world.scratch.pairs.len() <= 5, "{}", world.scratch.pairs.len());
    }

    #[test]
    fn pairs_of_few_paths_in_pieces_are_found_beside_those_that_are_known() {
        let (world, known) = searched(FAST, "0.001", Some("16"));
        let Scratch { pairs, cuts, queue, .. } = &world.scratch;
        assert!(known && cuts[0] > 1 && cuts[1..].iter().all(|&cut| cut == 1), "{known} {cuts:?}");
        assert!(pairs.len() >= 18 && pairs.iter().flatten().all(|&index| index != 0), "{pairs:?}");
        let met: Vec<_> = queue.iter().map(|Reverse(event)| (event.a, event.b)).collect();
        let along = (1..=16).map(|other| (0, Partner::Mover(other)));
        assert!(along.clone().all(|pair| met.contains(&pair)), "{met:?}");
    }

    /// A path that was subdivided in the search for contacts, and is whole afterwards, is in no known pair.
    #[test]
    fn impacts_of_a_path_that_is_in_pieces_no_more_are_found() {
        let mut world = row(FAST, "0.001", Some("16"));
        let mut report = TickReport::default();
        let World { state, scenery, scratch } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        step.rest();
        step.scratch.sim.movers[0].path.motion.x = lit("0.02");
        assert!(step.find_among_pairs() && step.scratch.cuts[0] == 1);
        let met = |Reverse(event): &Reverse<Event>| (event.a, event.b) == (0, Partner::Mover(1));
        assert!(step.scratch.queue.iter().any(met), "it flies into its neighbor");
    }

    /// True if the first sphere has a contact if its motion changes after pairs were found, as by
    /// depenetration.
    fn touches_after(flying: Option<&str>, motion: &str) -> bool {
        let mut world = row(FAST, "0.001", flying);
        let mut report = TickReport::default();
        let World { state, scenery, scratch } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        step.gather_regions(|_| lit("0.1"));
        let is_whole = step.scratch.cuts[0] == 1;
        assert_eq!(is_whole, flying.is_none());
        step.scratch.pairs = (u32::from(!is_whole)..19).map(|index| [index, index + 1]).collect();
        step.scratch.knows_pairs = true;
        step.scratch.sim.movers[0].momentum = step.scratch.sim.movers[2].momentum;
        step.scratch.sim.movers[0].path.motion.x = motion.parse().unwrap();
        step.rest();
        step.scratch.rest.first[0] != NONE
    }

    /// A subdivided path has no contacts, and a whole one is found, whatever it was when pairs were found.
    #[test]
    fn contacts_are_those_of_the_paths_as_they_are() {
        assert!(touches_after(None, "0.001") && !touches_after(None, "16"));
        assert!(touches_after(Some("16"), "0.001") && !touches_after(Some("16"), "16"));
    }
}
