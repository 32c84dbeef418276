//! Boxes that are added and removed one by one, in chains.

use std::ops::Range;

use super::quantum::Record;
use crate::num::index::IndexOf;

/// Boxes in chains, one chain per cell, and for each body number its boxes.
#[derive(Default, Debug)]
pub(super) struct Chains {
    /// The newest box of each cell.
    heads: Vec<LinkIndex>,
    links: Vec<Link>,
    bodies: Vec<Body>,
    /// The first of the free links.
    free: LinkIndex,
}

/// The index of a link, or of none.
type LinkIndex = Option<IndexOf<Link>>;

#[derive(Clone, Copy, Debug)]
struct Body {
    /// Its newest box.
    first: LinkIndex,
    /// True if the body was given new boxes: those it had before do not count.
    is_renewed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    pub record: Record,
    /// The level that the cell belongs to.
    pub level: u32,
    cell: u32,
    /// The one before it in the same cell; of a free link the next free one.
    next: LinkIndex,
    /// The one before it of the same body.
    sibling: LinkIndex,
}

impl Chains {
    /// Empties the chains, for so many cells and bodies.
    pub fn clear(&mut self, cells: usize, bodies: usize) {
        self.links.clear();
        self.free = None;
        self.heads.clear();
        self.heads.resize(cells, None);
        self.bodies.clear();
        self.bodies.resize(bodies, Body::NEW);
    }

    /// Adds a box to a cell.
    pub fn add(&mut self, cell: usize, level: u32, record: Record) {
        let number = record.number() as usize;
        if number >= self.bodies.len() {
            self.bodies.resize(number + 1, Body::NEW);
        }
        let (next, sibling) = (self.heads[cell], self.bodies[number].first);
        let link = Link { record, level, cell: cell as u32, next, sibling };
        let free = self.free;
        let index = match self.links.get_mut(IndexOf::place(free)) {
            Some(place) => {
                self.free = std::mem::replace(place, link).next;
                free
            }
            None => IndexOf::push(&mut self.links, link),
        };
        (self.heads[cell], self.bodies[number].first) = (index, index);
    }

    /// Removes a body's boxes from the chains, and invalidates those that are elsewhere.
    pub fn renew(&mut self, number: u32) {
        let Some(body) = self.bodies.get_mut(number as usize) else { return };
        let mut next = std::mem::replace(body, Body { first: None, is_renewed: true }).first;
        while let Some(index) = next {
            next = self.remove(index);
        }
    }

    /// Frees a link and returns its sibling.
    fn remove(&mut self, index: IndexOf<Link>) -> LinkIndex {
        let index = Some(index);
        let place = IndexOf::place(index);
        let Link { cell, next, sibling, .. } = self.links[place];
        let mut before = self.heads[cell as usize];
        if before == index {
            self.heads[cell as usize] = next;
        } else {
            while self.links[IndexOf::place(before)].next != index {
                before = self.links[IndexOf::place(before)].next;
            }
            self.links[IndexOf::place(before)].next = next;
        }
        let free = std::mem::replace(&mut self.free, index);
        self.links[place] = Link { record: Record::NOTHING, next: free, ..self.links[place] };
        sibling
    }

    /// True if a body was given new boxes.
    pub fn has(&self, number: u32) -> bool {
        self.bodies.get(number as usize).is_some_and(|body| body.is_renewed)
    }

    /// All links; a free link has a box that touches nothing.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Calls `look` with the boxes of some cells in a row.
    pub fn each(&self, cells: Range<usize>, mut look: impl FnMut(&Link)) {
        for &head in &self.heads[cells] {
            let mut next = head;
            while let Some(link) = self.links.get(IndexOf::place(next)) {
                look(link);
                next = link.next;
            }
        }
    }
}

impl Body {
    const NEW: Self = Self { first: None, is_renewed: false };
}

impl Link {
    /// The cell of the box.
    pub const fn cell(&self) -> usize {
        self.cell as usize
    }
}
