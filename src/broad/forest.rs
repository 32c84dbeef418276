//! Boxes that are added one by one.

use super::limits::RECENT_MAX;
use crate::geom::{Aabb, Tree};

/// A growing set of boxes, each with a number or another key: a short list of new ones, and trees of doubling size.
///
/// Adding `n` boxes one by one costs about `n log² n` in all, in whatever order they come.
#[derive(Debug)]
pub struct Forest<T> {
    recent: Vec<(Aabb, T)>,
    /// Each tree is at least twice as large as the next.
    groves: Vec<Grove<T>>,
}

#[derive(Debug)]
struct Grove<T> {
    entries: Vec<(Aabb, T)>,
    tree: Tree,
}

impl<T: Copy> Forest<T> {
    /// A set with initial boxes.
    #[must_use]
    pub fn of(entries: Vec<(Aabb, T)>) -> Self {
        let groves = if entries.is_empty() { Vec::new() } else { vec![Grove::of(entries)] };
        Self { recent: Vec::new(), groves }
    }

    /// Number of boxes added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.recent.len() + self.groves.iter().map(|grove| grove.entries.len()).sum::<usize>()
    }

    /// Adds a box under a number; a number may have several boxes.
    pub fn add(&mut self, bounds: Aabb, number: T) {
        self.recent.push((bounds, number));
        if self.recent.len() < RECENT_MAX {
            return;
        }
        let mut entries = std::mem::take(&mut self.recent);
        while self.groves.last().is_some_and(|last| last.entries.len() < 2 * entries.len()) {
            entries.extend(self.groves.pop().into_iter().flat_map(|grove| grove.entries));
        }
        self.groves.push(Grove::of(entries));
    }

    /// Calls `found` with the number of every box that touches a region.
    pub fn query(&self, region: &Aabb, mut found: impl FnMut(T)) {
        for (bounds, number) in &self.recent {
            if bounds.touches(region) {
                found(*number);
            }
        }
        for grove in &self.groves {
            grove.tree.query(region, |leaf| found(grove.entries[leaf as usize].1));
        }
    }
}

impl<T> Grove<T> {
    fn of(entries: Vec<(Aabb, T)>) -> Self {
        let boxes: Vec<Aabb> = entries.iter().map(|(bounds, _)| *bounds).collect();
        let mut tree = Tree::default();
        tree.build(&boxes);
        Self { entries, tree }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Vec3, num::Scalar};

    #[test]
    fn finds_every_box_that_was_added() {
        let place = |n: u32| Aabb::around(Vec3::splat(Scalar::from_num(n * 3)), Vec3::splat(Scalar::ONE));
        let mut forest = Forest::of((0..10).map(|n| (place(n), n)).collect());
        for n in 10..1_000 {
            forest.add(place(n), n);
            for probe in [0, n / 2, n] {
                let mut found = Vec::new();
                forest.query(&place(probe), |number| found.push(number));
                assert_eq!(found, [probe]);
            }
        }
        assert!(forest.groves.len() < 10, "{}", forest.groves.len());
    }
}
