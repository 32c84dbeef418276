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
