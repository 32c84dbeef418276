//! Impacts with rotation or friction: contact points, impulses and their effect.
//!
//! `strike/` solves the impulses at the contact points; this module finds the points, and updates momenta,
//! rotation and the remaining paths of the tick.

use super::{respond::Meeting, rest::surface, strike::find_impulses};
use crate::tick::contact::ContactStage;
use crate::{
    geom::Vec3,
    num::{
        Scalar, Toi,
        round::{div_away, shr_nearest},
    },
    overlap::{Manifold, ManifoldPoint, manifold_shapes},
    state::Locks,
    tick::{
        bodies::{
            body::{BodyIndex, Partner},
            gap::rest_gap,
            levers::{Levers, levers, without_locked},
            rotation::SimRotation,
        },
        contact::strike::memory::{Hits, Knock, Party, Spot, Strike},
        contact::ties::Tie,
        contact::together::memory::Together,
        queue::QueuedImpact,
    },
};

/// The fraction bits of the relative amount by which a rotation may become faster.
const FASTER_BITS: u32 = 24;

/// The rotation of a body at an instant.
struct Turner {
    axes: [[i32; 3]; 3],
    gyration: [i64; 3],
    locks: Locks,
    spin: [i64; 3],
}

impl Turner {
    fn new(spinner: &SimRotation, is_held: bool) -> Self {
        let axes = spinner.axes;
        let spin = if is_held { [0; 3] } else { spinner.spin_about(&axes).raw() };
        Self { axes, gyration: spinner.gyration, locks: spinner.locks, spin }
    }

    fn levers(&self, arm_twice: Vec3) -> Levers {
        without_locked(levers(self.axes, self.gyration.map(|g| 2 * g), arm_twice), self.locks)
    }
}

impl ContactStage<'_> {
    /// Finds the contact points of each impact, if any grips.
    pub(super) fn find_knocks(&mut self, events: &[QueuedImpact]) {
        let mut knocks = std::mem::take(&mut self.scratch.hits.knocks);
        knocks.clear();
        if events.iter().any(|event| self.grips(event.a.0, event.b)) {
            knocks.extend(events.iter().map(|event| self.knock(event)));
        }
        self.scratch.hits.knocks = knocks;
    }

    /// An impact with the normal along which its points are.
    pub(super) fn with_normal_of(&self, event: &QueuedImpact, knock: u32) -> QueuedImpact {
        let Some(knock) = self.scratch.hits.knocks.get(knock as usize) else { return *event };
        let normal = if knock.is_reversed { -knock.normal } else { knock.normal };
        QueuedImpact { normal: Some(normal), ..*event }
    }

    /// The relative motion of a pair with rotation or friction: the closing speed is that of the fastest of
    /// its points.
    pub(super) fn meeting_at_points(&self, event: &QueuedImpact, knock: u32) -> Meeting {
        let mut meeting = self.meeting(&self.with_normal_of(event, knock));
        let Some(knock) = self.scratch.hits.knocks.get(knock as usize) else { return meeting };
        let rate = |point: &[Levers; 2]| {
            let [low, high] = [0, 1].map(|side: usize| match knock.spins[side] {
                Some(spin) if spin != [0; 3] => {
                    knock.normal.dot_wide(Vec3::from_raw(surface(&point[side], spin)))
                }
                _ => 0,
            });
            high - low
        };
        let turning = knock.levers[..knock.count].iter().map(rate).min().unwrap_or(0);
        meeting.now += turning;
        meeting.end += turning;
        meeting
    }

    /// The pair of an impact, and its contact points.
    fn knock(&self, event: &QueuedImpact) -> Knock {
        let place = |which: Partner| match which {
            Partner::Body(BodyIndex(index)) => self.sim.all()[index as usize].path.at(event.toi),
            Partner::Static(id) => self.scenery.fixed(id).position,
        };
        let (a, is_reversed) = (Partner::Body(event.a), event.partner_number().is_none());
        let normal = event.known_normal().unit_q30().unwrap_or(event.known_normal());
        let (sides, normal) = if is_reversed { ([event.b, a], -normal) } else { ([a, event.b], normal) };
        let turners = sides.map(|which| self.turner(which, event.toi));
        let mut knock = Knock {
            sides,
            normal,
            is_reversed,
            spins: [0, 1].map(|side: usize| turners[side].as_ref().map(|turner| turner.spin)),
            arms: [[Vec3::ZERO; 2]; Manifold::POINTS_MAX],
            levers: [[[[0; 3]; 3]; 2]; Manifold::POINTS_MAX],
            count: 1,
        };
        if turners.iter().any(Option::is_some) && !event.is_unresolved() {
            self.find_points(&mut knock, &turners, place(sides[1]) - place(sides[0]), event);
        } // without rotation all points move alike
        knock
    }

    /// Finds the contact points of a pair.
    fn find_points(
        &self,
        knock: &mut Knock,
        turners: &[Option<Turner>; 2],
        offset: Vec3,
        event: &QueuedImpact,
    ) {
        let parts = if knock.is_reversed { [event.children[1], event.children[0]] } else { event.children };
        let [own, other] = self.bodies().typed_shapes(event.a, event.b, event.children);
        let band = Scalar::from_bits(rest_gap(own, other));
        let way = offset + self.bodies().arms_apart(knock.sides, parts, event.toi);
        let points = |a: &_, b: &_| manifold_shapes(a, b, way, knock.normal, band);
        let manifold = self.bodies().with_forms(knock.sides, parts, event.toi, points);
        let manifold = self.bodies().said_of_center(manifold, knock.sides[0], parts[0], event.toi);
        knock.count = manifold.points().len();
        debug_assert!(knock.count > 0, "two that meet have a point");
        for (index, &ManifoldPoint { place_twice, .. }) in manifold.points().iter().enumerate() {
            let arms = [place_twice, place_twice - offset - offset];
            let of =
                |side: usize| turners[side].as_ref().map_or([[0; 3]; 3], |turner| turner.levers(arms[side]));
            (knock.arms[index], knock.levers[index]) = (arms, [of(0), of(1)]);
        }
    }

    fn turner(&self, which: Partner, toi: Toi) -> Option<Turner> {
        let Partner::Body(BodyIndex(index)) = which else { return None };
        let spinner = self.bodies().rotation_of(BodyIndex(index))?;
        let mover = &self.sim.all()[index as usize];
        if toi == mover.path.start {
            return Some(Turner::new(spinner, mover.held));
        }
        let mut then = spinner.clone();
        then.advance(toi.since(mover.path.start), self.scenery.hull(mover.shape));
        Some(Turner::new(&then, mover.held))
    }

    /// Solves the impulses at all points of impacts with rotation or friction, and of those that share bodies
    /// with them.
    pub(super) fn find_strikes(&mut self, ties: &mut [Tie]) {
        let mut hits = std::mem::take(&mut self.scratch.hits);
        let mut together = std::mem::take(&mut self.scratch.together);
        hits.gives.clear();
        hits.groups.clear();
        for (index, tie) in (0..).zip(&*ties) {
            let free = |mover: &u32| self.sim.all()[*mover as usize].is_free();
            let mover = Some(tie.event.a.0).filter(free).or(tie.event.partner_number());
            let place = together.place_of(mover);
            hits.groups.push((together.root_of(place), index));
        }
        hits.groups.sort_unstable();
        let groups = std::mem::take(&mut hits.groups);
        for group in groups.chunk_by(|a, b| a.0 == b.0) {
            if group.iter().any(|&(_, index)| ties[index as usize].grips) {
                group.iter().for_each(|&(_, index)| ties[index as usize].at_points = true);
                self.gather_strikes(group, ties, &together, &mut hits);
                find_impulses(&mut hits.strikes, &mut hits.parties);
                let Hits { strikes, spots, gives, .. } = &mut hits;
                gives.extend(spots.iter().zip(&*strikes).map(|(spot, strike)| {
                    let is_reversed = ties[spot.tie as usize].event.partner_number().is_none();
                    let impulse = if is_reversed { -strike.impulse } else { strike.impulse };
                    Spot { impulse, ..*spot }
                }));
            }
        }
        hits.groups = groups;
        (self.scratch.hits, self.scratch.together) = (hits, together);
    }

    /// Lists the points and the bodies of a group.
    fn gather_strikes(&self, group: &[(u32, u32)], ties: &[Tie], together: &Together, hits: &mut Hits) {
        let Hits { strikes, parties, places, spots, knocks, .. } = hits;
        strikes.clear();
        parties.clear();
        places.clear();
        spots.clear();
        for &(_, index) in group {
            let tie = &ties[index as usize];
            let (event, knock) = (&tie.event, &knocks[tie.knock as usize]);
            let sides = [0, 1].map(|side: usize| {
                let free = match knock.sides[side] {
                    Partner::Body(BodyIndex(mover)) if self.sim.all()[mover as usize].is_free() => {
                        Some(mover)
                    }
                    _ => None,
                };
                let place = together.place_of(free);
                if let Some(known) = places.iter().find(|known| free.is_some() && known.0 == place) {
                    return known.1;
                }
                parties.push(self.party(knock.sides[side], knock.spins[side], event.toi));
                let party = parties.len() as u32 - 1;
                if free.is_some() {
                    places.push((place, party));
                }
                party
            });
            let strike = Strike {
                sides,
                normal: knock.normal.components(),
                restitution_q16: self.bodies().restitution_q16(event.a, event.b),
                friction_q16: self.bodies().friction_q16(event.a, event.b),
                is_slow: tie.is_slow,
                pull: if tie.is_slow { self.pull_of(event, knock) } else { 0 },
                ..Strike::default()
            };
            for (arms, &levers) in knock.arms.iter().zip(&knock.levers).take(knock.count) {
                strikes.push(Strike { levers, ..strike });
                let arms = if knock.is_reversed { [arms[1], arms[0]] } else { *arms };
                spots.push(Spot { tie: index, arms, impulse: Vec3::ZERO });
            }
        }
    }

    /// The change of the closing velocity until the end of the tick: at most 0, in raw times the normal's
    /// length.
    fn pull_of(&self, event: &QueuedImpact, knock: &Knock) -> i128 {
        let normal = if knock.is_reversed { -knock.normal } else { knock.normal };
        let meeting = self.meeting(&QueuedImpact { normal: Some(normal), ..*event });
        (meeting.end - meeting.now).min(0)
    }

    /// The solver body of one side of an impact.
    fn party(&self, which: Partner, spin: Option<[i64; 3]>, toi: Toi) -> Party {
        let Partner::Body(BodyIndex(index)) = which else { return Party::default() };
        let mover = &self.sim.all()[index as usize];
        Party {
            mass: if mover.is_free() { mover.mass } else { 0 },
            locks: mover.locks,
            velocity: self.bodies().velocity_at(mover, toi).raw(),
            turning: spin.unwrap_or_default(),
            ..Party::default()
        }
    }

    /// Applies the impulse of each point to both bodies.
    pub(super) fn give_strikes(&mut self, ties: &[Tie]) {
        let gives = std::mem::take(&mut self.scratch.hits.gives);
        for &Spot { tie, arms, impulse } in &gives {
            let event = &ties[tie as usize].event;
            self.give(event, impulse);
            let sides = [Partner::Body(event.a), event.b];
            self.bodies_mut().account_impact(sides, event.toi, arms, impulse);
            self.bodies_mut().apply_moment(sides[0], arms[0], -impulse);
            self.bodies_mut().apply_moment(sides[1], arms[1], impulse);
        }
        self.scratch.hits.gives = gives;
    }

    /// Sets a body's rotation by its angular momentum.
    pub(super) fn turn_on_of(&mut self, index: u32) {
        if self.sim.all()[index as usize].is_free() {
            self.bodies_mut().set_rotation(BodyIndex(index));
        }
    }

    /// The least separating speed at the contact points by rotation in the rest of the tick, in raw times the
    /// normal's length.
    pub(super) fn turning_apart(&self, tie: &Tie) -> i128 {
        let Some(knock) = self.scratch.hits.knocks.get(tie.knock as usize) else { return 0 };
        if knock.spins.iter().all(Option::is_none) {
            return 0;
        }
        let rates = knock.sides.map(|which| self.rate_of_turn(which, tie.event.toi));
        let slowest = |arms: &[Vec3; 2]| {
            let each = [0, 1].map(|side: usize| {
                let way = rates[side].0.cross_wide(arms[side]).map(|c| shr_nearest(c, 33) as i64);
                let along = knock.normal.dot_wide(Vec3::from_raw(way)) * if side == 0 { -1 } else { 1 };
                along - div_away((-along).max(0) * rates[side].1, 1 << FASTER_BITS)
            });
            each[0] + each[1]
        };
        knock.arms[..knock.count].iter().map(slowest).min().unwrap_or(0)
    }

    /// The rotation of a body from an instant on, in radians per tick, and the relative amount by which it
    /// may become faster: a rotation is uniform in its quaternion, not in its angle.
    fn rate_of_turn(&self, which: Partner, toi: Toi) -> (Vec3, i128) {
        let Partner::Body(BodyIndex(index)) = which else { return (Vec3::ZERO, 0) };
        if self.bodies().rotation_of(BodyIndex(index)).is_none() {
            return (Vec3::ZERO, 0);
        }
        let axis = self.bodies().turning_from(BodyIndex(index), toi).axis_q60().0;
        let square: i128 = axis.iter().map(|&c| i128::from(c).pow(2)).sum();
        let rate = Vec3::from_raw(axis.map(|c| shr_nearest(c.into(), 27) as i64));
        // 1 / cos^2 of a quarter of the angle is less than 1 and 3/8 of the squared sine of half of it.
        (rate, (3 * (square >> (120 - FASTER_BITS))) / 8 + 1)
    }
}

#[cfg(test)]
mod tests;
