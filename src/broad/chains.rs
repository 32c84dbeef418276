//! Boxes that are added and removed one by one, in chains.

use std::ops::Range;

use super::quantum::Record;

/// Boxes in chains, one chain per cell, and for each body number its boxes.
#[derive(Default, Debug)]
pub(super) struct Chains {
    /// The newest box of each cell, or [`NONE`].
    heads: Vec<u32>,
    links: Vec<Link>,
    bodies: Vec<Body>,
    /// The first of the free links.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Body {
    /// Its newest box, or [`NONE`].
    first: u32,
    /// True if the body was given new boxes: those it had before do not count.
    is_renewed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub record: Record,
    /// The level that the cell belongs to.
    pub level: u32,
    cell: u32,
    /// The one before it in the same cell; of a free link the next free one.
    next: u32,
    /// The one before it of the same body.
    sibling: u32,
}

const NONE: u32 = u32::MAX;

impl Chains {
    /// Empties the chains, for so many cells and bodies.
    pub fn clear(&mut self, cells: usize, bodies: usize) {
        self.links.clear();
        self.free = NONE;
        self.heads.clear();
        self.heads.resize(cells, NONE);
        self.bodies.clear();
        self.bodies.resize(bodies, Body::NEW);
    }

    /// Adds a box to a cell.
    pub fn add(&mut self, cell: usize, level: u32, record: Record) {
        let number = record.number() as usize;
        if number >= self.bodies.len() {
            self.bodies.resize(number + 1, Body::NEW);
        }
        let index = if self.free == NONE { self.links.len() as u32 } else { self.free };
        let next = std::mem::replace(&mut self.heads[cell], index);
        let sibling = std::mem::replace(&mut self.bodies[number].first, index);
        let link = Link { record, level, cell: cell as u32, next, sibling };
        match self.links.get_mut(index as usize) {
            Some(free) => self.free = std::mem::replace(free, link).next,
            None => self.links.push(link),
        }
    }

    /// Removes a body's boxes from the chains, and invalidates those that are elsewhere.
    pub fn renew(&mut self, number: u32) {
        let Some(body) = self.bodies.get_mut(number as usize) else { return };
        let mut index = std::mem::replace(body, Body { first: NONE, is_renewed: true }).first;
        while index != NONE {
            index = self.remove(index);
        }
    }

    /// Frees a link and returns its sibling.
    fn remove(&mut self, index: u32) -> u32 {
        let Link { cell, next, sibling, .. } = self.links[index as usize];
        let mut before = self.heads[cell as usize];
        if before == index {
            self.heads[cell as usize] = next;
        } else {
            while self.links[before as usize].next != index {
                before = self.links[before as usize].next;
            }
            self.links[before as usize].next = next;
        }
        let free = std::mem::replace(&mut self.free, index);
        self.links[index as usize] =
            Link { record: Record::NOTHING, next: free, ..self.links[index as usize] };
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
            while let Some(link) = self.links.get(next as usize) {
                look(link);
                next = link.next;
            }
        }
    }
}

impl Body {
    const NEW: Self = Self { first: NONE, is_renewed: false };
}

impl Link {
    /// The cell of the box.
    pub const fn cell(&self) -> usize {
        self.cell as usize
    }
}
