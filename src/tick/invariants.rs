//! What holds between the stages of a tick. Checked by debug assertions only: on in tests, gone in a release.

use super::{
    Cause, TickReport,
    bodies::{
        Bodies,
        body::{BodyIndex, Partner, SimBody},
    },
    ledger::wide,
    pairs::{PathBoxes, subdivision::SweptPath},
    slots::FreeSlots,
};
use crate::{
    broad::{Regions, Slots},
    geom::{IVec3, Vec3},
    num::Toi,
    state::{BodyType, State},
};

/// The sums over all dynamic bodies that the ledgers of a tick account for.
pub(super) struct Sums {
    momentum: IVec3<i128>,
    /// Twice the angular momentum about the origin, modulo 2^128.
    angular: IVec3<i128>,
}

impl Sums {
    pub fn of(state: &State) -> Self {
        let mut sums = Self { momentum: IVec3::default(), angular: IVec3::default() };
        for (_, body) in state.bodies().filter(|(_, body)| body.body_type == BodyType::Dynamic) {
            sums.momentum = sums.momentum + wide(body.momentum);
            let twice = body.angular_momentum_wide().map(|part| part.wrapping_mul(2));
            sums.angular = sums.angular.zip(twice, i128::wrapping_add);
        }
        sums
    }

    /// True if the ledgers of a report account for the change to another state: to the last bit for momentum;
    /// for angular momentum, if a body of the tick rotates, within the slack of its ledger.
    pub fn are_accounted(&self, state: &State, report: &TickReport, rotates: bool) -> bool {
        let now = Self::of(state);
        let in_tick = IVec3(report.ledger.total()) - IVec3(report.ledger[Cause::Commands]);
        let turned = now.angular.zip(self.angular, i128::wrapping_sub);
        let off = turned.zip(IVec3(report.angular.total()), i128::wrapping_sub);
        let is_near = |part: i128| part.unsigned_abs() <= report.angular.slack().unsigned_abs();
        now.momentum - self.momentum == in_tick && (!rotates || off.0.into_iter().all(is_near))
    }
}

/// True if the bodies are in the order of their slots, each that rotates has a rotation of its own, and a static
/// one is held.
pub(super) fn bodies_are_in_order(bodies: Bodies) -> bool {
    let rotates =
        |body: &SimBody| bodies.state.slots[body.slot.place()].body.is_some_and(|b| b.spin.is_some());
    bodies.sim.are_in_order()
        && bodies.sim.all().iter().all(|body| {
            body.rotates() == rotates(body) && (body.held || body.filter.body_type != BodyType::Static)
        })
}

/// True if the box of each path holds it.
pub(super) fn boxes_hold_paths(bodies: Bodies, boxes: &PathBoxes) -> bool {
    let is_held = |(body, bounds): (&SimBody, &crate::geom::Aabb)| {
        bounds.holds(&SweptPath::of(body, bodies.scenery).bounds())
    };
    boxes.swept.len() == bodies.sim.all().len() && bodies.sim.all().iter().zip(&boxes.swept).all(is_held)
}

/// True if every body has arrived inside of the world, a reverted one where it began.
pub(super) fn all_have_arrived(bodies: Bodies) -> bool {
    bodies.sim.all().iter().all(|body| {
        let place = body.path.position;
        body.path.start == Toi::END
            && place.within(bodies.state.limits.extent)
            && (!body.reverted || place == bodies.entry(body))
    })
}

/// True if each pair is one of two bodies of the tick, in either order.
pub(super) fn pairs_are_in_range(bodies: Bodies, pairs: &[[BodyIndex; 2]]) -> bool {
    pairs.iter().all(|&[a, b]| a != b && a.max(b).place() < bodies.sim.all().len())
}

/// True if no solid pair overlaps at given positions, by the exact predicates, but those that overlapped at the start
/// of the tick or of which a body was removed. Every body is tested, whatever the sweeps have proved.
///
/// `regions` holds the boxes of paths on which the positions are; `near` is a buffer.
pub(super) fn solids_are_apart(
    bodies: Bodies,
    regions: &Regions,
    near: &mut Vec<u32>,
    position: impl Fn(&SimBody) -> Vec3,
) -> bool {
    let overlap = |a: BodyIndex, b: Partner, offset: Vec3| {
        !bodies.is_over(a, b)
            && bodies.pairs_of_children(a, b).any(|children| {
                bodies.is_solid_pair(a, b, children)
                    && !bodies.overlapped(a, b, children)
                    && bodies.overlap_children(a, b, children, offset)
            })
    };
    let mut apart = true;
    for (index, body) in bodies.sim.indexed() {
        let here = position(body);
        let Some(region) = bodies.bounds_here(index, here) else { continue };
        near.clear();
        regions.query(region, Slots::ALL, near);
        let others = near.iter().map(|&number| BodyIndex(number)).filter(|&other| other > index);
        for other in others {
            apart &= !overlap(index, Partner::Body(other), position(bodies.body(other)) - here);
        }
        bodies.scenery.query(&region, |id| {
            apart &= !overlap(index, Partner::Static(id), bodies.scenery.fixed(id).position - here);
        });
    }
    apart
}

/// True if the list of free slots is what the state says.
pub(super) fn free_slots_are_known(state: &State, free: &FreeSlots) -> bool {
    let mut fresh = FreeSlots::default();
    fresh.rebuild(state);
    free.is_same(&fresh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        num::{Scalar, lit},
        shape::Shape,
        state::{Body, Command, Limits, Material, SceneryBuilder, ShapeId, Spawn},
        tick::{World, bodies::body::WHOLE, phases::Step},
    };

    /// Two balls that fly, and one that rotates.
    fn three() -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        let velocity = Vec3::new(lit("0.1"), lit("0"), lit("0"));
        for (x, rotates) in [("0", false), ("4", true), ("8", false)] {
            let position = Vec3::new(x.parse().unwrap(), lit("0"), lit("0"));
            let spawn = Spawn { velocity, rotates, ..Spawn::new(ShapeId(0), position) };
            world.apply(&[Command::Spawn(spawn)]).accepted().unwrap();
        }
        world
    }

    /// Runs a tick up to the first search for impacts, changes its bodies, and looks at them.
    fn is_noticed(change: impl Fn(&mut Step), holds: impl Fn(&Step) -> bool) -> bool {
        let look = |changes: bool| {
            let (mut world, mut report) = (three(), TickReport::default());
            let World { state, scenery, scratch, .. } = &mut world;
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            step.find_impacts().unwrap();
            if changes {
                change(&mut step);
            }
            holds(&step)
        };
        look(false) && !look(true)
    }

    #[test]
    fn a_change_of_momentum_that_no_ledger_has_is_noticed() {
        let (mut world, mut report) = (three(), TickReport::default());
        let before = Sums::of(&world.state);
        world.step(&mut report);
        assert!(before.are_accounted(&world.state, &report, true));
        let changed = |change: fn(&mut Body)| {
            let mut state = world.state.clone();
            change(state.slots[1].body.as_mut().unwrap());
            state
        };
        let pushed = changed(|body| body.momentum.y += Scalar::DELTA);
        assert!(!before.are_accounted(&pushed, &report, false), "one raw of momentum");
        let turned = changed(|body| body.spin.as_mut().unwrap().angular_momentum.y += Scalar::DELTA);
        assert!(!before.are_accounted(&turned, &report, true), "one raw of angular momentum");
        assert!(before.are_accounted(&turned, &report, false));
        report.angular.roundings = 2;
        assert!(before.are_accounted(&turned, &report, true), "half a raw for each impulse");
    }

    #[test]
    fn bodies_out_of_order_and_rotations_of_another_body_are_noticed() {
        let holds = |step: &Step| bodies_are_in_order(step.bodies());
        assert!(is_noticed(|step| step.scratch.sim.all_mut().swap(0, 2), holds));
        assert!(is_noticed(|step| step.scratch.sim.mix_up_rotation(1), holds));
        assert!(is_noticed(|step| step.scratch.sim.mix_up_rotation(2), holds));
        assert!(is_noticed(|step| step.scratch.sim.body_mut(0).filter.body_type = BodyType::Static, holds));
    }

    #[test]
    fn a_box_that_a_path_has_left_is_noticed() {
        let holds = |step: &Step| boxes_hold_paths(step.bodies(), &step.scratch.pairs.boxes);
        assert!(is_noticed(|step| step.scratch.sim.body_mut(1).path.displacement.y = lit("0.2"), holds));
        assert!(is_noticed(|step| step.scratch.pairs.boxes.swept.truncate(2), holds));
    }

    #[test]
    fn a_body_outside_of_the_world_or_not_where_it_goes_back_to_is_noticed() {
        let holds = |step: &Step| all_have_arrived(step.bodies());
        let at_end = |change: fn(&mut Step)| {
            let (mut world, mut report) = (three(), TickReport::default());
            let World { state, scenery, scratch, .. } = &mut world;
            let mut step = Step { state, scenery, scratch, report: &mut report };
            step.integrate();
            step.find_impacts().unwrap();
            let (mut check, buffers) = step.overlap_check();
            check.run(buffers);
            assert!(holds(&step));
            change(&mut step);
            holds(&step)
        };
        assert!(!at_end(|step| step.scratch.sim.body_mut(0).path.position.x = step.state.limits.extent * 2));
        assert!(!at_end(|step| step.scratch.sim.body_mut(0).reverted = true));
        assert!(!at_end(|step| step.scratch.sim.body_mut(2).path.start = Toi::START));
    }

    #[test]
    fn a_pair_that_overlaps_is_noticed_unless_it_did_at_the_start() {
        let at_end = |step: &Step| {
            solids_are_apart(step.bodies(), &step.scratch.pairs.regions, &mut Vec::new(), |body| {
                body.path.at(Toi::END)
            })
        };
        // The paths of both stay within the box of the pair, so that they are still found.
        let meet = |step: &mut Step| {
            let other = step.scratch.sim.all()[1].path.position;
            let body = step.scratch.sim.body_mut(0);
            body.path.displacement = other - body.path.position;
        };
        assert!(is_noticed(meet, at_end));
        let overlapped = |step: &mut Step| {
            meet(step);
            step.scratch.sim.overlapping.push((BodyIndex(0), Partner::Body(BodyIndex(1)), WHOLE));
        };
        assert!(!is_noticed(overlapped, at_end));
    }

    #[test]
    fn a_pair_out_of_range_is_noticed() {
        let listed = |step: &mut Step, pair: [u32; 2]| {
            step.scratch.pairs.known.discard();
            step.scratch.pairs.known.push(pair.map(BodyIndex));
        };
        let holds = |step: &Step| pairs_are_in_range(step.bodies(), step.scratch.pairs.known.listed());
        for pair in [[0, 3], [3, 0], [1, 1]] {
            assert!(is_noticed(|step| listed(step, pair), holds), "{pair:?}");
        }
        assert!(!is_noticed(|step| listed(step, [2, 1]), holds));
    }

    #[test]
    fn a_free_slot_that_is_forgotten_is_noticed() {
        let mut world = three();
        let body = world.bodies().next().unwrap().0;
        world.apply(&[Command::Remove { body }]).accepted().unwrap();
        assert!(free_slots_are_known(&world.state, &world.scratch.free));
        assert!(world.scratch.free.take().is_some());
        assert!(!free_slots_are_known(&world.state, &world.scratch.free));
    }
}
