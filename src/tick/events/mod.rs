//! Contact events: begin, hit and end of touching solids, enter and exit of sensors, each with its instant.
//!
//! If events are wanted, the legs of every path are written down while a tick runs. When it has ended, `candidates.rs` finds the
//! pairs that may have come near each other, and `visits.rs` goes along both paths from leg to leg. The exact predicates say
//! whether two are inside where a leg begins and ends, the kernels of [`sweep`](crate::sweep) when that changed, and `rotating.rs`
//! does both where one of them rotates. Events follow from the state before a tick and from the final paths: they are not
//! saved, they change nothing, and a restored world reports the same. Start with `event.rs`.
//! `impulses.rs` is the sum of impulses of a pair.

mod candidates;
mod event;
mod impulses;
mod limits;
pub(super) mod notes;
#[cfg(test)]
mod reference;
mod rotating;
mod visits;

pub use event::{ContactEvent, EventKind};

use crate::{
    geom::{AngularMotion, Vec3},
    num::Toi,
    shape::Shape,
    state::{BodyType, Collider, SlotIndex},
    tick::{
        bodies::{
            Bodies, SimBodies,
            body::{BodyIndex, ChildPair, Partner, SimBody},
        },
        report::TickReport,
    },
};

use candidates::{Candidates, Pairs, add_hit_pairs};
use impulses::Impulses;
use notes::Notes;
use visits::Ended;

/// The stage that finds events: its notes while a tick runs, and its buffers.
#[derive(Default, Debug)]
pub struct Events {
    /// True if events of the tick are listed; else nothing is written down.
    is_on: bool,
    /// The path of each body.
    pub notes: Notes,
    impulses: Impulses,
    /// The pairs that had an impact, with the children and the instant; sorted.
    hits: Vec<(BodyIndex, Partner, ChildPair, Toi)>,
    /// The pairs that may have come near each other.
    pairs: Pairs,
    pub(in crate::tick) candidates: Candidates,
}

impl Events {
    /// Sets whether events of the tick are listed.
    pub const fn enable(&mut self, is_on: bool) {
        self.is_on = is_on;
    }

    /// Begins a tick, or begins it again.
    pub fn begin(&mut self) {
        self.impulses.clear();
    }

    /// Discards the paths of the last tick: bodies have come, gone or moved.
    pub fn forget_paths(&mut self) {
        self.notes.latest.clear();
    }

    /// Writes down the paths of all bodies before any of them has an impact.
    pub fn begin_paths(&mut self, sim: &SimBodies) {
        if self.is_on {
            self.notes.begin(sim.all().iter().map(|body| (body.path, turning_of(sim, body))));
        } else {
            self.forget_paths(); // the paths of an earlier tick are of other bodies
        }
    }

    /// Writes down the new path of a body.
    #[inline]
    pub fn note_path(&mut self, sim: &SimBodies, index: BodyIndex) {
        if self.is_on {
            let body = &sim.all()[index.place()];
            self.notes.add(index, body.path, turning_of(sim, body));
        }
    }

    /// Writes down the impulse on `b`; `a` got the opposite one.
    #[inline]
    pub fn note_impulse(&mut self, a: BodyIndex, b: Partner, impulse: Vec3) {
        if self.is_on {
            self.impulses.add(a, b, impulse);
        }
    }

    /// Lists the events of a tick that has ended.
    pub fn list(&mut self, bodies: Bodies<'_>, report: &mut TickReport) {
        if !self.is_on {
            return;
        }
        self.impulses.list(bodies, &mut report.impulses);
        self.settle_paths(bodies);
        self.find_hits(bodies, report);
        let Self { notes, hits, pairs, candidates, .. } = self;
        let ended = Ended { bodies, notes, hits, tick: report.tick };
        list_hits(&ended, report);
        report.events_cut = !candidates.find(bodies, notes, pairs);
        if !report.events_cut {
            add_hit_pairs(hits, pairs);
            ended.list_changes(pairs, &mut report.events);
        }
        report.events.sort_unstable();
    }

    /// Sorts the legs. A reverted body stayed where it was.
    fn settle_paths(&mut self, bodies: Bodies<'_>) {
        for (index, body) in bodies.sim.indexed() {
            if body.reverted && body.filter.body_type != BodyType::Static {
                self.notes.forget(index);
            }
        }
        self.notes.sort();
    }

    /// Finds the impacts but those of reverted bodies, which have not met.
    fn find_hits(&mut self, bodies: Bodies<'_>, report: &TickReport) {
        let find = |slot: SlotIndex| {
            let place = bodies.sim.all().binary_search_by_key(&slot, |body| body.slot);
            place.ok().map(|place| BodyIndex(place as u32))
        };
        let is_back = |index: BodyIndex| bodies.body(index).reverted;
        self.hits.clear();
        for impact in &report.impacts {
            let Some(a) = find(impact.a.slot) else { continue };
            let b = match impact.b {
                Collider::Static(id) => Partner::Static(id),
                Collider::Body(id) => match find(id.slot) {
                    Some(index) => Partner::Body(index),
                    None => continue,
                },
            };
            if !is_back(a) && !matches!(b, Partner::Body(b) if is_back(b)) {
                self.hits.push((a, b, impact.children, impact.toi));
            }
        }
        self.hits.sort_unstable();
    }
}

/// Makes an event of every impact.
fn list_hits(ended: &Ended<'_>, report: &mut TickReport) {
    let mut repeat = 0;
    for (index, &(a, b, children, toi)) in ended.hits.iter().enumerate() {
        let is_same = index > 0 && ended.hits[index - 1] == ended.hits[index];
        repeat = if is_same { repeat + 1 } else { 0 };
        report.events.push(ContactEvent { repeat, ..ended.event((a, b), children, toi, EventKind::Hit) });
    }
}

/// The rotation of a body from where its path begins, if its shape depends on its orientation.
fn turning_of(sim: &SimBodies, body: &SimBody) -> Option<AngularMotion> {
    let rotation = sim.rotation(body)?;
    (!matches!(rotation.form, Shape::Sphere { .. })).then_some(rotation.turning)
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
        tick::{Impact, TickReport, World, phases::Step},
    };

    const SENSORS: u8 = 5;

    fn at(x: &str, y: &str) -> Vec3 {
        Vec3::new(x.parse().unwrap(), y.parse().unwrap(), lit("0"))
    }

    /// Two balls and a sensor on the x axis, and a ball and a sensor beside them.
    fn two_rows() -> World {
        let mut builder = SceneryBuilder::default();
        builder.material(Material::INELASTIC);
        let ball = builder.shape(Shape::sphere(lit("0.5")));
        let mut world = World::new(Limits::new(60), builder.build().unwrap()).unwrap();
        world
            .apply(&[Command::SetLayers { a: 0, b: SENSORS, rule: Rule::Sensor, allow_overlap: false }])
            .accepted()
            .unwrap();
        let sensor =
            |x, y| Spawn { body_type: BodyType::Static, layer: SENSORS, ..Spawn::new(ball, at(x, y)) };
        let solid = |x, y| Spawn::new(ball, at(x, y));
        for spawn in
            [solid("0", "0"), solid("3", "0"), solid("0", "9"), sensor("1.5", "0"), sensor("1.5", "9")]
        {
            assert!(world.apply(&[Command::Spawn(spawn)]).outcomes[0].is_ok());
        }
        world
    }

    #[test]
    fn a_reverted_body_has_no_impact() {
        // The first ball ends inside the second one, where no sweep would have led it, and both go back;
        // the third one goes as far and stays there.
        let id = |slot| BodyId::from_parts(slot, 0);
        let mut world = two_rows();
        let World { state, scenery, scratch, .. } = &mut world;
        let mut report = TickReport::default();
        let mut step = Step { state, scenery: &Arc::clone(scenery), scratch, report: &mut report };
        step.report.begin(1);
        step.integrate();
        for index in [0, 2] {
            step.scratch.sim.body_mut(index).path.displacement = at("2.75", "0");
        }
        step.scratch.sim.body_mut(0).impacts = 1;
        let (a, b, toi) = (id(0), Collider::Body(id(1)), Toi::from_raw(1 << 31).unwrap());
        step.report.impacts.push(Impact {
            toi,
            a,
            b,
            children: [0; 2],
            normal: Normal::X,
            closing: Scalar::ZERO,
            pressed: false,
        });
        step.scratch.events.enable(true);
        step.scratch.events.begin();
        step.scratch.events.begin_paths(&step.scratch.sim);
        step.find_impacts().unwrap();
        step.toi_loop().find_again(&[BodyIndex(0)]);
        step.finish();
        step.find_events();
        assert_eq!(report.reverted, [id(0), id(1)]);
        let told: Vec<_> = report.events.iter().map(|event| (event.kind, event.a, event.b)).collect();
        let sensor = Collider::Body(id(4));
        assert_eq!(told, [(EventKind::Enter, id(2), sensor), (EventKind::Exit, id(2), sensor)]);
    }
}
