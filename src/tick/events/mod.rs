//! What a game hears about: who begins and ends to touch, hits, enters and leaves, and exactly when.
//!
//! While a tick runs the legs of every path are written down, if somebody listens. When it has ended
//! `candidates.rs` finds the pairs that may have come near each other, and `course.rs` goes along both
//! ways from leg to leg: the exact predicates say who is inside where a leg begins and ends, the kernels
//! of [`sweep`](crate::sweep) when that changed, and `turns.rs` where one of them turns. So events follow from the state before a tick and from
//! the final paths: nothing of them is saved, they change nothing, and a restored world reports the same.
//! Start with `event.rs`; `touch.rs` says how near is touching, `impulses.rs` what two that touch gave each other.

mod candidates;
mod course;
mod event;
mod impulses;
pub(super) mod notes;
#[cfg(test)]
mod reference;
mod touch;
mod turns;

pub use event::{ContactEvent, EventKind};
pub use touch::touch_gap;

use super::{bodies::parts::Parts, step::Step};
use crate::{
    geom::Turning,
    num::Toi,
    shape::Shape,
    state::{Collider, Kind},
    tick::{
        bodies::{
            SimBodies,
            mover::{Mover, Partner},
            spinner::Spinner,
        },
        events::notes::Notes,
        scratch::Scratch,
    },
};

impl Step<'_> {
    /// Writes down where everybody goes before anybody meets anybody, if somebody listens.
    pub(super) fn note_paths(&mut self) {
        if !self.report.listens {
            self.scratch.notes.latest.clear(); // the ways of an earlier tick are nobody's
            return;
        }
        let Scratch { sim: SimBodies { movers, spinners, .. }, notes, .. } = &mut *self.scratch;
        notes.begin(movers.iter().map(|mover| (mover.path, turning_of(mover, spinners))));
    }

    /// Writes down the new path of a body, if somebody listens.
    #[inline]
    pub(super) fn note_path(&mut self, index: u32) {
        if self.report.listens {
            self.add_leg(index);
        }
    }

    fn add_leg(&mut self, index: u32) {
        let Scratch { sim: SimBodies { movers, spinners, .. }, notes, .. } = &mut *self.scratch;
        let mover = &movers[index as usize];
        notes.add(index, mover.path, turning_of(mover, spinners));
    }

    /// Lists the events of a tick that has ended, if somebody listens.
    pub(super) fn find_events(&mut self) {
        if !self.report.listens {
            return;
        }
        self.list_impulses();
        self.settle_legs();
        self.list_hits();
        self.report.events_cut = !self.find_pairs();
        if !self.report.events_cut {
            self.list_changes();
        }
        self.report.events.sort_unstable();
    }

    /// Sorts the legs. Who was put back has not gone anywhere.
    fn settle_legs(&mut self) {
        let Scratch { sim: SimBodies { movers, .. }, notes, .. } = &mut *self.scratch;
        for (index, mover) in (0..).zip(movers.iter()) {
            if mover.put_back && mover.filter.kind != Kind::Static {
                notes.forget(index);
            }
        }
        notes.sort();
    }

    /// Makes a hit of every impact but those of bodies that were put back: they have not met.
    fn list_hits(&mut self) {
        let Scratch { sim: SimBodies { movers, .. }, notes, .. } = &mut *self.scratch;
        let is_back = |index: u32| movers[index as usize].put_back;
        notes.hits.clear();
        for impact in &self.report.impacts {
            let Ok(a) = movers.binary_search_by_key(&impact.a.slot, |mover| mover.slot) else { continue };
            let b = match impact.b {
                Collider::Static(id) => Partner::Static(id),
                Collider::Body(id) => match movers.binary_search_by_key(&id.slot, |mover| mover.slot) {
                    Ok(index) => Partner::Mover(index as u32),
                    Err(_) => continue,
                },
            };
            if !is_back(a as u32) && !matches!(b, Partner::Mover(b) if is_back(b)) {
                notes.hits.push((a as u32, b, impact.parts, impact.toi));
            }
        }
        notes.hits.sort_unstable();
        let Notes { hits, .. } = &self.scratch.notes;
        let mut repeat = 0;
        for (index, &(a, b, parts, toi)) in hits.iter().enumerate() {
            let is_same = index > 0 && hits[index - 1] == hits[index];
            repeat = if is_same { repeat + 1 } else { 0 };
            let event = ContactEvent { repeat, ..self.event_of((a, b), parts, toi, EventKind::Hit) };
            self.report.events.push(event);
        }
    }

    fn event_of(&self, pair: (u32, Partner), parts: Parts, toi: Toi, kind: EventKind) -> ContactEvent {
        let (a, b) = self.bodies().ids_of(pair);
        ContactEvent { tick: self.report.tick, toi, kind, a, b, parts, repeat: 0 }
    }
}

/// How a mover turns from where its path begins, if its form depends on how it lies.
fn turning_of(mover: &Mover, spinners: &[Spinner]) -> Option<Turning> {
    let spinner = spinners.get(mover.spinner as usize)?;
    (!matches!(spinner.form, Shape::Sphere { .. })).then_some(spinner.turning)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        geom::{Normal, Vec3},
        num::{Scalar, lit},
        shape::Shape,
        state::{BodyId, Command, Limits, Material, Rule, SceneryBuilder, Spawn},
        tick::{Impact, TickReport, World},
    };

    const SENSORS: u8 = 5;

    fn at(x: &str, y: &str) -> Vec3 {
        Vec3::new(x.parse().unwrap(), y.parse().unwrap(), lit("0"))
    }

    /// Two balls and a sensor on the x axis, and a ball and a sensor beside them.
    fn two_rows() -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::DEAD);
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        world.apply(&[Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Report, allow_overlap: false }]);
        let sensor = |x, y| Spawn { kind: Kind::Static, layer: SENSORS, ..Spawn::new(ball, at(x, y)) };
        let solid = |x, y| Spawn::new(ball, at(x, y));
        for spawn in
            [solid("0", "0"), solid("3", "0"), solid("0", "9"), sensor("1.5", "0"), sensor("1.5", "9")]
        {
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        world
    }

    #[test]
    fn who_was_put_back_has_met_nobody() {
        // The first ball ends inside the second one, where no sweep would have led it, and both go back;
        // the third one goes as far and stays there.
        let id = |slot| BodyId { slot, generation: 0 };
        let mut world = two_rows();
        let World { state, scenery, scratch } = &mut world;
        let mut report = TickReport::with_events();
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
        step.report.begin(1);
        step.integrate();
        for index in [0, 2] {
            step.scratch.sim.movers[index].path.motion = at("2.75", "0");
        }
        step.scratch.sim.movers[0].impacts = 1;
        let (a, b, toi) = (id(0), Collider::Body(id(1)), Toi::from_raw(1 << 31).unwrap());
        step.report.impacts.push(Impact {
            toi,
            a,
            b,
            parts: [0; 2],
            normal: Normal::X,
            closing: Scalar::ZERO,
            pressed: false,
        });
        step.note_paths();
        step.find_impacts();
        step.find_again(0, None);
        step.finish();
        step.find_events();
        assert_eq!(report.rolled_back, [id(0), id(1)]);
        let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.a, event.b)).collect();
        let sensor = Collider::Body(id(4));
        assert_eq!(told, [(EventKind::Enter, id(2), sensor), (EventKind::Exit, id(2), sensor)]);
    }
}
