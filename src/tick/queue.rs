//! The event queue: impacts in the order of time.

use super::limits::{QUEUED_PER_BODY, QUEUED_SPARE};
use std::{cmp::Reverse, collections::BinaryHeap};

use super::bodies::{
    Bodies,
    body::{BodyIndex, Partner},
};
use crate::{geom::Normal, num::Toi};

/// An impact to come. The order of the fields is the order of resolution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct QueuedImpact {
    /// The instant.
    pub toi: Toi,
    /// The body with the smaller id.
    pub a: BodyIndex,
    /// The other body, or a static; statics come after all bodies.
    pub b: Partner,
    /// The index of the child shape of each; 0 of a single shape.
    pub children: [u8; 2],
    /// The stamps of both when the impact was found; a static's is 0.
    pub stamps: [u32; 2],
    /// The normal from A to B; `None` if the search ended here without an impact.
    pub normal: Option<Normal>,
}

impl QueuedImpact {
    /// True if the search for an impact ended here without one: both bodies continue with another search.
    pub const fn is_unresolved(&self) -> bool {
        self.normal.is_none()
    }

    /// The index of the other body, if it is one.
    pub const fn partner(&self) -> Option<BodyIndex> {
        match self.b {
            Partner::Body(index) => Some(index),
            Partner::Static(_) => None,
        }
    }
}

impl Bodies<'_> {
    /// True if both bodies are on the paths for which an impact was found.
    pub fn is_current(&self, impact: &QueuedImpact) -> bool {
        self.stamps(impact) == impact.stamps
    }

    /// The stamps of an impact's bodies as they are.
    pub fn stamps(&self, impact: &QueuedImpact) -> [u32; 2] {
        [self.body(impact.a).stamp, impact.partner().map_or(0, |b| self.body(b).stamp)]
    }
}

/// The impacts to come.
#[derive(Default, Debug)]
pub struct ImpactQueue {
    /// The earliest impact on top.
    heap: BinaryHeap<Reverse<QueuedImpact>>,
    /// The instant of the impacts that were taken last in the tick.
    now: Option<Toi>,
}

impl ImpactQueue {
    /// Empties the queue, at the start of a tick.
    pub fn begin(&mut self) {
        self.clear();
        self.now = None;
    }

    /// Empties the queue.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    #[inline]
    pub fn push(&mut self, impact: QueuedImpact) {
        debug_assert!(impact.toi < Toi::END && Partner::Body(impact.a) < impact.b, "{impact:?}");
        self.heap.push(Reverse(impact));
    }

    /// True if the queue exceeds its limit on memory.
    pub fn is_full(&self, bodies: Bodies) -> bool {
        self.heap.len() > QUEUED_PER_BODY * bodies.sim.all().len() + QUEUED_SPARE
    }

    /// Takes all impacts of the next instant, in the order of ids, each pair of child shapes once. Impacts of
    /// paths that bodies have left are discarded.
    pub fn take_next(&mut self, bodies: Bodies, tied: &mut Vec<QueuedImpact>) {
        tied.clear();
        while let Some(Reverse(next)) = self.heap.peek() {
            if tied.first().is_some_and(|first| first.toi != next.toi) {
                break;
            }
            let next = *next;
            self.heap.pop();
            let is_last =
                |last: &QueuedImpact| (last.a, last.b, last.children) == (next.a, next.b, next.children);
            if bodies.is_current(&next) && !tied.last().is_some_and(is_last) {
                tied.push(next);
            }
        }
        let toi = tied.first().map_or(Toi::END, |impact| impact.toi);
        debug_assert!(self.now <= Some(toi), "the queue goes back from {:?} to {toi}", self.now);
        self.now = Some(toi);
    }

    #[cfg(test)]
    pub fn impacts(&self) -> impl Iterator<Item = &QueuedImpact> {
        self.heap.iter().map(|Reverse(impact)| impact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::lit,
        shape::Shape,
        state::{Command, Limits, Material, SceneryBuilder, ShapeId, Spawn, StaticId},
        tick::{TickReport, World, phases::Step},
    };

    /// The impacts that are taken from a queue with the instants given in halves of the tick, each after the one before was taken.
    fn taken(halves: &[u64]) -> usize {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        world.apply(&[Command::Spawn(Spawn::new(ShapeId(0), crate::geom::Vec3::ZERO))]).accepted().unwrap();
        let (mut report, mut queue, mut tied) = (TickReport::default(), ImpactQueue::default(), Vec::new());
        let World { state, scenery, scratch, .. } = &mut world;
        let mut step = Step { state, scenery, scratch, report: &mut report };
        step.integrate();
        queue.begin();
        let mut count = 0;
        for &half in halves {
            let toi = Toi::from_raw(half << 31).unwrap();
            let b = Partner::Static(StaticId(0));
            let impact =
                QueuedImpact { toi, a: BodyIndex(0), b, children: [0; 2], stamps: [0; 2], normal: None };
            queue.push(impact);
            queue.take_next(step.bodies(), &mut tied);
            count += tied.len();
        }
        count
    }

    #[test]
    fn impacts_are_taken_in_the_order_of_time() {
        assert_eq!(taken(&[0, 1]), 2);
        assert_eq!(taken(&[1, 1]), 2);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "the queue goes back")]
    fn a_queue_that_goes_back_is_noticed() {
        taken(&[1, 0]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "QueuedImpact")]
    fn an_impact_at_the_end_of_the_tick_is_noticed() {
        taken(&[2]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "a: BodyIndex(1)")]
    fn an_impact_against_the_order_of_ids_is_noticed() {
        let mut queue = ImpactQueue::default();
        for ids in [[0, 1], [1, 0]] {
            let [a, b] = ids.map(BodyIndex);
            let (toi, b) = (Toi::START, Partner::Body(b));
            queue.push(QueuedImpact { toi, a, b, children: [0; 2], stamps: [0; 2], normal: None });
        }
    }
}
