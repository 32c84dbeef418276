//! The pairs that the search for contacts found, looked at once more for impacts.

use super::{pieces::Swath, step::Step};
use crate::{
    broad::{Piece, Slots},
    world::Scratch,
};

/// For one in so many bodies that leave the boxes in which their contacts were looked for, all boxes are made anew.
const OUTGROWN_PART: usize = 4;

impl Step<'_> {
    /// Finds the impacts of all pairs of bodies from what the search for contacts has found, if it can; otherwise
    /// returns false, and the boxes must be made anew.
    ///
    /// Motions that contacts have changed hardly ever lead out of the boxes in which contacts were looked for,
    /// which have room around them. While they stay within, all pairs whose new boxes touch are known.
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

    /// Gives everybody the box of its new path, and notes who has left its old one; returns whether they are few
    /// and no path is cut.
    fn fit_boxes(&mut self) -> bool {
        let Scratch { movers, boxes, outgrown, .. } = &mut *self.scratch;
        outgrown.clear();
        let mut count = 0;
        for (mover, bounds) in movers.iter().zip(boxes) {
            let swath = Swath::of(mover, self.scenery);
            let new = swath.bounds();
            if swath.cuts(&new) > 1 {
                return false;
            }
            let is_within = bounds.holds(&new);
            count += usize::from(!is_within);
            outgrown.push(!is_within);
            *bounds = new;
        }
        count <= movers.len() / OUTGROWN_PART
    }

    /// Finds the impacts of those that have left their boxes; of two of them by the one with the larger number.
    fn renew_outgrown(&mut self) {
        let mut met = std::mem::take(&mut self.scratch.met);
        for index in 0..self.scratch.movers.len() as u32 {
            let Scratch { boxes, outgrown, regions, .. } = &mut *self.scratch;
            if !outgrown[index as usize] {
                continue;
            }
            met.clear();
            let bounds = boxes[index as usize];
            let piece = Piece { bounds, number: index, slots: Slots::ALL };
            regions.renew(index, std::iter::once(piece), &mut met);
            met.sort_unstable();
            met.dedup_by_key(|(other, _)| *other);
            self.see(bounds);
            for &(other, _) in &met {
                let Scratch { boxes, outgrown, .. } = &*self.scratch;
                let is_later = other >= index && outgrown[other as usize];
                if !is_later && bounds.touches(&boxes[other as usize]) && !self.is_overrun() {
                    self.find_with_body(index, other);
                }
            }
        }
        self.scratch.met = met;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        num::lit,
        shape::Shape,
        tick::TickReport,
        world::{Command, Limits, Material, SceneryBuilder, Spawn, World},
    };

    /// Twenty balls in a row that go to and fro by turns, after the search for contacts.
    fn searched(limits: Limits, speed: &str) -> (World, bool) {
        let mut builder = SceneryBuilder::default();
        let (material, shape) = (builder.material(Material::DEAD), builder.shape(Shape::sphere(lit("0.5"))));
        let mut world = World::new(limits, builder.build().unwrap()).unwrap();
        let mut place = Vec3::ZERO;
        for index in 0..20 {
            let along = Vec3::new(speed.parse().unwrap(), lit("0"), lit("0"));
            let velocity = if index % 2 == 0 { along } else { -along };
            let spawn = Spawn { material, velocity, ..Spawn::new(shape, place) };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
            place.x += lit("1.01");
        }
        let mut report = TickReport::default();
        let World { state, scenery, scratch } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        step.rest();
        let known = step.find_among_pairs();
        (world, known)
    }

    #[test]
    fn pairs_are_kept_of_slow_bodies_and_no_more_than_a_tick_may_look_at() {
        let limits = Limits { speed_max: lit("64"), ..Limits::new(60) };
        let (world, known) = searched(limits, "0.001");
        assert!(known && world.scratch.pairs.len() >= 19, "{}", world.scratch.pairs.len());
        let (world, known) = searched(limits, "16");
        assert!(!known && world.scratch.pairs.is_empty(), "paths are cut: {}", world.scratch.pairs.len());
        let (world, known) = searched(Limits { pairs_max: 5, ..limits }, "0.001");
        assert!(!known && world.scratch.pairs.len() <= 5, "{}", world.scratch.pairs.len());
    }
}
