//! The end of a tick, and the final overlap check.

use super::{
    AngularLedger,
    bodies::parts::{Parts, WHOLE},
    step::Step,
};
use crate::{
    broad::Slots,
    geom::Vec3,
    tick::{
        bodies::{SimBodies, mover::Partner},
        scratch::Scratch,
    },
};

impl Step<'_> {
    /// Moves every body to the end of its path, reverts overlapping bodies, and settles contacts.
    pub(super) fn end_paths(&mut self) {
        self.arrive_all();
        self.put_back_overlapping();
        self.contact().settle();
        self.bodies_mut().take_locked();
    }

    #[cfg(test)]
    pub(super) fn finish(&mut self) {
        self.end_paths();
        self.write();
    }

    /// Writes the state at the end of the tick.
    pub(super) fn write(&mut self) {
        self.count_still();
        let goes_on = self.scratch.goes_on;
        self.scratch.sim.write(self.state, goes_on);
        if self.scratch.sim.spinners.is_empty() {
            self.report.angular = AngularLedger::default(); // some lines are written unconditionally
        }
        self.state.tick += u64::from(!goes_on);
        self.report.sort();
    }

    /// Moves every body to the end of its path, and lists the candidates of the final overlap check whose
    /// whole neighborhood must be tested: doubtful bodies, and bodies that were held after an impact.
    fn arrive_all(&mut self) {
        self.bodies_mut().advance_all();
        let Scratch { sim: SimBodies { movers, .. }, unproved, suspects, .. } = &mut *self.scratch;
        suspects.clear();
        for ((index, mover), &is_doubtful) in (0..).zip(movers).zip(&unproved.movers) {
            if is_doubtful || (mover.impacts > 0 && mover.held) {
                suspects.push(index);
            }
        }
    }

    /// Tests the bodies that had an impact or are doubtful by the exact predicates, and reverts overlapping
    /// pairs to their poses at the start of the tick, with all bodies that overlap as a result.
    ///
    /// For all others the sweeps have proved that their end poses are apart. The bodies reverted in one round
    /// depend on the poses of all bodies, not on the order of the tests. The loop ends: a body is reverted
    /// once, and the poses at the start of the tick are apart. Pairs that overlapped then are not tested, and
    /// are reverted together.
    fn put_back_overlapping(&mut self) {
        let mut suspects = std::mem::take(&mut self.scratch.suspects);
        let mut overlapping = std::mem::take(&mut self.scratch.clashing);
        overlapping.clear();
        #[cfg(test)]
        self.scratch.pairs.regions.disorder.shuffle(&mut self.scratch.unproved.pairs);
        self.add_overlapping_near(&mut overlapping);
        loop {
            #[cfg(test)]
            self.scratch.pairs.regions.disorder.shuffle(&mut suspects);
            for &index in &suspects {
                self.add_overlapping(index, &mut overlapping);
            }
            self.bodies().add_overlapped(&mut overlapping);
            overlapping.retain(|&index| !self.scratch.sim.movers[index as usize].put_back);
            #[cfg(test)]
            self.scratch.pairs.regions.disorder.shuffle(&mut overlapping);
            for &index in &overlapping {
                self.bodies_mut().revert(index);
            }
            std::mem::swap(&mut suspects, &mut overlapping);
            overlapping.clear();
            if suspects.is_empty() {
                break;
            }
        }
        (self.scratch.suspects, self.scratch.clashing) = (suspects, overlapping);
    }

    /// Adds the overlapping pairs among those whose paths came near each other after an impact of one of
    /// them.
    fn add_overlapping_near(&self, overlapping: &mut Vec<u32>) {
        let mover = |index: u32| &self.scratch.sim.movers[index as usize];
        for &(a, b) in &self.scratch.unproved.pairs {
            let position = match b {
                Partner::Mover(index) => mover(index).path.pose.position,
                Partner::Static(id) => self.scenery.fixed(id).position,
            };
            if self.clashes(a, b, position - mover(a).path.pose.position) {
                overlapping.push(a);
                if let Partner::Mover(index) = b {
                    overlapping.push(index);
                }
            }
        }
    }

    /// True if a pair at a given offset overlaps and did not overlap at the start of the tick.
    #[inline]
    fn clashes(&self, a: u32, b: Partner, offset: Vec3) -> bool {
        if self.bodies().is_over(a, b) {
            return false;
        }
        if self.scenery.has_sets() {
            self.bodies().pairs_of_parts(a, b).any(|parts| self.parts_clash(a, b, parts, offset))
        } else {
            self.parts_clash(a, b, WHOLE, offset)
        }
    }

    #[inline(always)]
    fn parts_clash(&self, a: u32, b: Partner, parts: Parts, offset: Vec3) -> bool {
        self.bodies().is_solid_pair(a, b, parts)
            && !self.bodies().overlapped(a, b, parts)
            && self.bodies().overlap_parts(a, b, parts, offset)
    }

    /// Adds a body and all bodies that it overlaps and did not overlap at the start of the tick; nothing if
    /// there is no overlap, a static included.
    fn add_overlapping(&mut self, index: u32, overlapping: &mut Vec<u32>) {
        let mut near = std::mem::take(&mut self.scratch.found);
        near.clear();
        let movers = &self.scratch.sim.movers;
        let mover = &movers[index as usize];
        let position = mover.path.pose.position;
        if let Some(region) = self.bodies().bounds_here(index, position) {
            let before = overlapping.len();
            self.scratch.pairs.regions.query(region, Slots::ALL, &mut near);
            overlapping.extend(near.iter().filter(|&&other| {
                let place = movers[other as usize].path.pose.position;
                other != index && self.clashes(index, Partner::Mover(other), place - position)
            }));
            let mut with_static = false;
            self.scenery.query(&region, |id| {
                let place = self.scenery.fixed(id).position;
                with_static |= self.clashes(index, Partner::Static(id), place - position);
            });
            if with_static || overlapping.len() > before {
                overlapping.push(index);
            }
        }
        self.scratch.found = near;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        num::{Scalar, lit},
        shape::Shape,
        state::{Command, Kind, Limits, Material, Part, SceneryBuilder, ShapeId, Spawn},
        tick::{TickReport, World},
    };

    /// Spheres of diameter 1 on the x axis at 0, 3, 6, 9, and a static from 50 on.
    fn four_balls() -> World {
        balls_at(["0", "3", "6", "9"])
    }

    /// Spheres on the x axis that may overlap, and a static from 50 on.
    fn balls_at(places: [&str; 4]) -> World {
        let mut builder = SceneryBuilder::default();
        let material = builder.material(Material::DEAD);
        let shape = builder.shape(Shape::sphere(lit("0.5")));
        let block = builder.shape(Shape::aabb(Vec3::splat(lit("1"))));
        builder.fixed(block, material, Vec3::new(lit("51"), lit("0"), lit("0")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        for x in places {
            let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
            let velocity = Vec3::new(lit("0.25"), lit("0"), lit("0"));
            let spawn = Spawn { allow_overlap: true, material, velocity, ..Spawn::new(shape, position) };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        world
    }

    /// Ends a tick with the spheres at positions on the x axis that no sweep would lead to; those in
    /// `with_impact` are tested.
    fn finish_at(world: &mut World, ends: [&str; 4], with_impact: &[usize], report: &mut TickReport) {
        let World { state, scenery, scratch } = world;
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report };
        step.report.begin(1);
        step.integrate();
        for (index, end) in ends.into_iter().enumerate() {
            let mover = &mut step.scratch.sim.movers[index];
            let end = Vec3::new(end.parse().unwrap(), lit("0"), lit("0"));
            mover.path.motion = end - mover.path.pose.position;
            mover.impacts = u16::from(with_impact.contains(&index));
        }
        step.find_impacts();
        for &index in with_impact {
            step.find_again(index as u32, None);
        }
        step.finish();
    }

    fn places(world: &World) -> Vec<Scalar> {
        world.bodies().map(|(_, body)| body.position.x).collect()
    }

    #[test]
    fn a_kinematic_body_that_goes_back_keeps_its_velocity() {
        let (mut world, mut report) = (four_balls(), TickReport::default());
        world.state.slots[2].body.as_mut().unwrap().kind = Kind::Kinematic;
        finish_at(&mut world, ["0.25", "6.5", "6.25", "9.25"], &[1], &mut report);
        assert_eq!(places(&world), [lit("0.25"), lit("3"), lit("6"), lit("9.25")]);
        let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.x).collect();
        assert_eq!(speeds, [lit("0.25"), lit("0"), lit("0.25"), lit("0.25")]);
        assert_eq!((report.rolled_back.len(), report.ledger.holds), (2, [-1 << 30, 0, 0]));
    }

    #[test]
    fn who_overlapped_one_that_goes_back_goes_back_as_well() {
        // 1 ends inside 2 and both are reverted; 0 began inside 1 and would be beyond it. Far from it 0
        // stays.
        for (first, end, left) in [("2.5", "4", "2.5"), ("1.5", "4", "4")] {
            let mut world = balls_at([first, "3", "6", "9"]);
            let mut report = TickReport::default();
            finish_at(&mut world, [end, "6.5", "6.25", "9.25"], &[1], &mut report);
            assert_eq!(places(&world), [left, "3", "6", "9.25"].map(|x| x.parse::<Scalar>().unwrap()));
            assert_eq!(report.overlapping, u32::from(left == first));
        }
    }

    #[test]
    fn overlapping_bodies_and_whom_they_displace_go_back() {
        // 1 ends inside 2, and 0 has moved to the place where 1 began; 3 is apart from all.
        let ends = ["3.2", "6.5", "6.25", "9.25"];
        for with_impact in [&[0, 1, 2, 3][..], &[1, 2], &[1], &[2]] {
            let mut world = four_balls();
            let mut report = TickReport::default();
            finish_at(&mut world, ends, with_impact, &mut report);
            assert_eq!(places(&world), [lit("0"), lit("3"), lit("6"), lit("9.25")]);
            let speeds: Vec<_> = world.bodies().map(|(_, body)| body.momentum.x).collect();
            assert_eq!(speeds, [lit("0"), lit("0"), lit("0"), lit("0.25")]);
            let slots: Vec<_> = report.rolled_back.iter().map(|id| id.slot).collect();
            assert_eq!(slots, [0, 1, 2]);
            assert_eq!(report.ledger.holds, [-3 << 30, 0, 0]);
            world.step(&mut report);
            assert!(report.rolled_back.is_empty());
        }
    }

    #[test]
    fn both_of_a_pair_go_back_even_if_one_would_be_enough() {
        for with_impact in [[1], [2]] {
            let (mut world, mut report) = (four_balls(), TickReport::default());
            finish_at(&mut world, ["0", "4.5", "4.25", "9"], &with_impact, &mut report);
            assert_eq!(places(&world), [lit("0"), lit("3"), lit("6"), lit("9")]);
        }
    }

    #[test]
    fn a_body_inside_a_static_goes_back() {
        let mut world = four_balls();
        let mut report = TickReport::default();
        finish_at(&mut world, ["0", "3", "6", "49.75"], &[3], &mut report);
        assert_eq!(places(&world)[3], lit("9"));
        assert_eq!(report.rolled_back.len(), 1);
        finish_at(&mut world, ["0", "3", "6", "49.5"], &[3], &mut report);
        assert_eq!((places(&world)[3], report.rolled_back.len()), (lit("49.5"), 0), "touching is apart");
    }

    /// A compound of two child shapes three units apart along x at the origin, and a sphere on the x axis.
    fn a_thing_and_a_ball(part: Shape, x: &str) -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::DEAD);
        let shape = builder.shape(part);
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        let offset = Vec3::new(lit("3"), lit("0"), lit("0"));
        let set = builder.set(vec![Part::new(shape), Part { offset, ..Part::new(shape) }]);
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
        for spawn in [Spawn::new(ShapeId::of_set(set, false), Vec3::ZERO), Spawn::new(ball, position)] {
            let spawn = Spawn { allow_overlap: true, ..spawn };
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        world
    }

    #[test]
    fn who_overlapped_one_part_may_not_come_into_another() {
        let ball = Shape::sphere(lit("0.5"));
        // It began inside the first child shape, or apart from both; it ends there, deeper, or inside the
        // second.
        for (begin, end, goes_back) in [
            ("0.5", "2.75", true),
            ("0.5", "0.25", false),
            ("0.5", "1.5", false),
            ("1.5", "0.75", true),
            ("3.25", "0.5", true),
        ] {
            let (mut world, mut report) = (a_thing_and_a_ball(ball, begin), TickReport::default());
            let World { state, scenery, scratch } = &mut world;
            let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
            step.report.begin(1);
            step.integrate();
            let mover = &mut step.scratch.sim.movers[1];
            let end: Scalar = end.parse().unwrap();
            mover.path.motion.x = end - mover.path.pose.position.x;
            mover.impacts = 1;
            step.find_impacts();
            step.find_again(1, None);
            step.finish();
            let expected = if goes_back { begin.parse().unwrap() } else { end };
            assert_eq!(places(&world), [lit("0"), expected], "from {begin} to {end}");
            assert_eq!(report.rolled_back.len(), if goes_back { 2 } else { 0 });
        }
    }

    #[test]
    fn beside_a_part_that_leans_who_met_nobody_is_looked_at() {
        let rod = Shape::capsule(Vec3::new(lit("0.25"), lit("0.25"), lit("0")), lit("0.25"));
        for (part, is_doubtful) in [(rod, true), (Shape::sphere(lit("0.5")), false)] {
            // At the corner of the box around the second child shape, moving away from it.
            let (mut world, mut report) = (a_thing_and_a_ball(part, "3.75"), TickReport::default());
            let ball = world.state.slots[1].body.as_mut().unwrap();
            (ball.position.y, ball.momentum.y) = (lit("-0.75"), lit("-0.0625"));
            let World { state, scenery, scratch } = &mut world;
            let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
            step.report.begin(1);
            step.integrate();
            step.find_impacts();
            assert!(step.scratch.queue.impacts().next().is_none());
            assert_eq!(step.scratch.unproved.movers.contains(&true), is_doubtful);
        }
    }
}
