//! A balanced tree over a list of boxes.

use super::Aabb;

/// A tree over numbered boxes, built at once and searched without recursion.
///
/// Nodes lie in the order of a walk from the root, each followed by its subtree; `skip` leads past
/// it.
#[derive(Clone, Default, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The boxes' numbers, in the order of the tree's leaves.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    /// The first node behind this one's subtree.
    skip: u32,
    /// The number of the box, or [`INNER`].
    leaf: u32,
}

const INNER: u32 = u32::MAX;

impl Tree {
    /// Rebuilds the tree over boxes numbered from 0, reusing its memory.
    ///
    /// Every subtree is split at the middle of its widest axis, so the depth is at most 32.
    pub fn build(&mut self, boxes: &[Aabb]) {
        self.nodes.clear();
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..boxes.len() as u32);
        if !order.is_empty() {
            self.add(&mut order, boxes);
        }
        self.order = order;
    }

    /// Calls `found` with the number of every box that touches a region, each once.
    pub fn query(&self, region: &Aabb, found: impl FnMut(u32)) {
        self.search(|bounds| bounds.touches(region), found);
    }

    /// Calls `found` with the number of every box that is `wanted`, each once.
    ///
    /// If a box is not wanted, no box inside it may be wanted: the search also asks about boxes that enclose
    /// others. `wanted` may become stricter from call to call.
    pub fn search(&self, mut wanted: impl FnMut(&Aabb) -> bool, mut found: impl FnMut(u32)) {
        let mut index = 0;
        while let Some(node) = self.nodes.get(index) {
            if !wanted(&node.bounds) {
                index = node.skip as usize;
                continue;
            }
            if node.leaf != INNER {
                found(node.leaf);
            }
            index += 1;
        }
    }

    /// Adds the subtree over some boxes and returns its bounds.
    fn add(&mut self, order: &mut [u32], boxes: &[Aabb]) -> Aabb {
        let index = self.nodes.len();
        if let [leaf] = *order {
            let bounds = boxes[leaf as usize];
            self.nodes.push(Node { bounds, skip: index as u32 + 1, leaf });
            return bounds;
        }
        let placeholder = boxes[order[0] as usize];
        self.nodes.push(Node { bounds: placeholder, skip: 0, leaf: INNER });
        let axis = widest_axis(order, boxes);
        let middle = order.len() / 2;
        // The number breaks ties, so that the split does not depend on the order of the boxes.
        order.select_nth_unstable_by_key(middle, |&leaf| (center_twice(&boxes[leaf as usize])[axis], leaf));
        let (left, right) = order.split_at_mut(middle);
        let bounds = self.add(left, boxes).union(self.add(right, boxes));
        let skip = self.nodes.len() as u32;
        self.nodes[index] = Node { bounds, skip, leaf: INNER };
        bounds
    }
}

/// The axis along which the boxes' centers are spread most.
fn widest_axis(order: &[u32], boxes: &[Aabb]) -> usize {
    let (mut least, mut most) = ([i64::MAX; 3], [i64::MIN; 3]);
    for &leaf in order {
        let center = center_twice(&boxes[leaf as usize]);
        for axis in 0..3 {
            least[axis] = least[axis].min(center[axis]);
            most[axis] = most[axis].max(center[axis]);
        }
    }
    let spread = |axis: usize| most[axis] - least[axis];
    (0..3).fold(0, |best, axis| if spread(axis) > spread(best) { axis } else { best })
}

/// Twice the center: exact, and inside 64 bits for boxes in any world.
fn center_twice(bounds: &Aabb) -> [i64; 3] {
    let (min, max) = (bounds.min.raw(), bounds.max.raw());
    [min[0] + max[0], min[1] + max[1], min[2] + max[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geom::Vec3, num::Rng};

    fn random_boxes(count: u64, seed: u64) -> Vec<Aabb> {
        let boxes = (0..count).map(|id| {
            let mut draws = Rng::new(seed).at(0, id, 0);
            let center = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-(1 << 38), 1 << 38)));
            let half = Vec3::from_raw([0; 3].map(|_: i32| draws.between(1, 1 << 36)));
            Aabb::around(center, half)
        });
        boxes.collect()
    }

    fn query(tree: &Tree, region: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        tree.query(region, |leaf| found.push(leaf));
        found.sort_unstable();
        found
    }

    #[test]
    fn finds_what_a_loop_over_all_boxes_finds() {
        let mut tree = Tree::default();
        let mut hits = 0;
        for count in [0, 1, 2, 3, 7, 200] {
            let boxes = random_boxes(count, count);
            tree.build(&boxes);
            for round in 0..3 {
                for region in random_boxes(50, 99 + round) {
                    let expected: Vec<u32> =
                        (0..).zip(&boxes).filter(|(_, b)| b.touches(&region)).map(|(leaf, _)| leaf).collect();
                    hits += expected.len();
                    assert_eq!(query(&tree, &region), expected);
                }
            }
        }
        assert!(hits > 400, "{hits}");
    }

    #[test]
    fn boxes_that_only_touch_are_found() {
        let cells = (0..125_i64).map(|index| [index % 5, index / 5 % 5, index / 25]);
        let boxes: Vec<Aabb> = cells
            .map(|cell| Aabb::around(Vec3::from_raw(cell.map(|c| c * 2)), Vec3::from_raw([1; 3])))
            .collect();
        let mut tree = Tree::default();
        tree.build(&boxes);
        assert_eq!(query(&tree, &boxes[62]).len(), 27, "the one in the middle and all around it");
        assert_eq!(query(&tree, &boxes[0]).len(), 8);
    }

    #[test]
    fn a_search_that_becomes_stricter_skips_what_is_farther() {
        let boxes = random_boxes(200, 9);
        let mut tree = Tree::default();
        tree.build(&boxes);
        let least = boxes.iter().map(|bounds| bounds.min.x).min().unwrap();
        let (best, mut asked) = (std::cell::Cell::new(crate::num::Scalar::MAX), 0);
        let is_nearer = |bounds: &Aabb| bounds.min.x < best.get();
        tree.search(is_nearer, |leaf| {
            asked += 1;
            best.set(boxes[leaf as usize].min.x.min(best.get()));
        });
        assert_eq!(best.get(), least);
        assert!(asked < 100, "{asked}");
    }

    #[test]
    fn equal_boxes_do_not_make_it_deep() {
        let boxes = vec![Aabb::around(Vec3::ZERO, Vec3::ZERO); 5_000];
        let mut tree = Tree::default();
        tree.build(&boxes);
        // The left half of an inner node begins behind it, so the first inner nodes in a row are as many as
        // the tree is deep.
        let depth = tree.nodes.iter().take_while(|node| node.leaf == INNER).count();
        assert!(depth <= 13, "{depth}");
        assert_eq!(query(&tree, &boxes[0]).len(), 5_000);
    }
}
