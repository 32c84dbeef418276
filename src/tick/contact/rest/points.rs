//! The contacts of pairs of which one turns, or that rub: one for each point where they touch.

use crate::tick::contact::ContactStage;
use crate::tick::contact::NONE;
use std::ops::Range;

use super::{
    press::{Inertia, shares},
    rows::DIRECTION_BITS,
};
use crate::{
    geom::{Normal, Rotation, Vec3},
    num::{
        Scalar, Toi,
        round::{mul_shr_nearest, sum_shr_nearest},
    },
    overlap::{Manifold, ManifoldPoint, manifold_shapes},
    shape::{Shape, length_ceil},
    state::{BodyType, Locks},
    tick::{
        bodies::{
            body::{BodyIndex, ChildPair, Partner},
            levers::{LEVER_BITS, Levers, levers, without_locked},
            rotation::SimRotation,
        },
        contact::rest::memory::{Contact, Rest, Touch},
    },
};

/// No lever at all.
const NO_LEVERS: Levers = [[0; 3]; 3];

/// The fraction bits of [`Touch::shares`].
const SHARE_BITS: u32 = 30;

/// A point is no part of a contact that is farther off than the nearest one by 2^5 times the gap at which the two
/// rest: an eighth of the smaller one's least half extent.
pub(super) const BAND_SHIFT: u32 = 5;

/// Balls, and what does not turn, are brought back only as far as this part of the gap at which they rest: half. What a push
/// back needs would rub, and hold up in the motion what the momenta let fall: balls in a nest would flicker for ever.
const SLACK_SHIFT: u32 = 1;

/// What turns its corners into a contact needs more of the gap and is brought back to all but a sixteenth: with a quarter a run
/// of dominoes takes an eighth longer at 60 Hz than at 480, and with none a slab that two pressed balls pinch climbs for ever.
const CORNER_SLACK_SHIFT: u32 = 4;

/// What is along a normal is longer than that by no more than this part, 2^-20, and what roundings add.
const LONGER_SHIFT: u32 = 20;
const LONGER_RAW: i64 = 16;

/// Two in contact, the lower one first.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub low: Partner,
    pub high: u32,
    /// Which part of each.
    pub parts: ChildPair,
    /// From the lower to the upper one.
    pub normal: Normal,
    /// From the lower to the upper center.
    pub offset: Vec3,
}

impl Sides {
    pub(super) const fn of(contact: &Contact) -> Self {
        let Contact { low, high, parts, normal, offset, .. } = *contact;
        Self { low, high, parts, normal, offset }
    }
}

impl ContactStage<'_> {
    /// Whether a contact of two needs points: one of them turns, or they rub.
    #[inline]
    pub(in crate::tick) fn grips(&self, a: u32, b: Partner) -> bool {
        if !self.scratch.may_grip {
            return false;
        }
        let turns = |index: u32| self.sim.all()[index as usize].rotates();
        turns(a)
            || matches!(b, Partner::Body(BodyIndex(b)) if turns(b))
            || self.bodies().friction_q16(BodyIndex(a), b) != 0
    }

    /// Where two touch.
    fn touch_points(&self, sides: &Sides, toi: Toi, band: i64) -> Manifold {
        let Sides { low, high, parts, normal, offset } = *sides;
        let both = [low, Partner::Body(BodyIndex(high))];
        let way = offset + self.bodies().arms_apart(both, parts, toi);
        let points = |a: &_, b: &_| manifold_shapes(a, b, way, normal, Scalar::from_bits(band));
        let manifold = self.bodies().with_forms(both, parts, toi, points);
        self.bodies().said_of_center(manifold, low, parts[0], toi)
    }

    /// How much farther than the nearest point others may be that count: as much as the two rest apart, and as far as they
    /// may turn in a tick; but no more than a part of the smaller one.
    pub(super) fn band_of(&self, sides: &Sides, rest: i64) -> i64 {
        let both = [sides.low, Partner::Body(BodyIndex(sides.high))];
        let spin = |which: Partner| match self.spin_of(which) {
            [0, 0, 0] => 0,
            spin => length_ceil(Vec3::from_raw(spin)).to_bits(),
        };
        let turns = both.map(spin).into_iter().fold(0, i64::saturating_add);
        let moves = turns.saturating_mul(2).saturating_add(2 * self.sim.gravity);
        (rest.saturating_add(moves)).min(rest << BAND_SHIFT)
    }

    /// Lists the points where two touch, and what turns about them, but not yet what pushes do; returns where they
    /// begin.
    pub(super) fn find_touches(&mut self, sides: &Sides, toi: Toi, band: i64) -> u32 {
        let manifold = self.touch_points(sides, toi, band);
        let first = self.scratch.rest.touches.len() as u32;
        let both = [sides.low, Partner::Body(BodyIndex(sides.high))];
        let (mut keeps, halfway) = (true, self.halfway(both, toi));
        for &ManifoldPoint { place_twice, gap, .. } in manifold.points() {
            let arms = arms_twice(place_twice, sides.offset);
            let turned = |arm| halfway.map_or(arm, |[back, on]| on.turn_nearest(back.turn_nearest(arm)));
            let levers = [0, 1].map(|which: usize| self.levers_of(both[which], turned(arms[which])));
            self.scratch.rest.touches.push(Touch {
                keeps,
                gap: gap.to_bits(),
                band,
                arms_twice: arms,
                levers,
                shares: [0; 2],
                locks: [Locks::NONE; 2],
                end: None,
                turns: [0; 2],
                friction_q16: 0,
                rub: [0; 3],
            });
            keeps = false;
        }
        first
    }

    /// Adds a contact like one of a plane for each point where the two touch; returns whether there is any. Points that
    /// were found before are the last ones of the list, from `found` on.
    pub(super) fn push_points(&mut self, plane: &Contact, toi: Toi, found: Option<u32>) -> bool {
        let sides = Sides::of(plane);
        let first = match found {
            Some(first) => first,
            None => self.find_touches(&sides, toi, self.band_of(&sides, plane.rest_gap - plane.skin)),
        };
        let friction_q16 = self.bodies().friction_q16(BodyIndex(sides.high), sides.low);
        let both = [sides.low, Partner::Body(BodyIndex(sides.high))];
        // Along a locked axis a push moves nothing, but it is as large as if it did.
        let inertias = both.map(|which| self.inertia(which));
        let locks = inertias.map(|inertia| inertia.map_or(Locks::NONE, |(_, locks)| locks));
        let free = inertias.map(|inertia| inertia.map(|(mass, _)| (mass, Locks::NONE)));
        let keep_form = both.iter().all(|which| self.keeps_form(*which));
        let slack = (plane.rest_gap - plane.skin) >> if keep_form { SLACK_SHIFT } else { CORNER_SLACK_SHIFT };
        let Rest { touches, contacts, .. } = &mut self.scratch.rest;
        let Some(shared) = shares(sides.normal, free) else {
            touches.truncate(first as usize);
            return false;
        };
        for (touch, point) in (first..).zip(&mut touches[first as usize..]) {
            (point.shares, point.locks, point.friction_q16) = (shares_q30(free), locks, friction_q16);
            contacts.push(Contact {
                room: point.gap - plane.rest_gap,
                slack,
                direction: shared.direction,
                steps: shared.steps,
                whole: shared.whole,
                masses: shared.masses,
                load_q16: shared.load_q16,
                touch,
                ..*plane
            });
        }
        touches.len() > first as usize
    }

    /// Whether its turning moves no point of its surface: it is a ball, or does not turn.
    pub(super) fn keeps_form(&self, which: Partner) -> bool {
        let Partner::Body(BodyIndex(index)) = which else { return true };
        self.bodies()
            .rotation_of(BodyIndex(index))
            .is_none_or(|spinner| matches!(spinner.form, Shape::Sphere { .. }))
    }

    /// The rotation of a pair with a rotating kinematic body halfway through the rest of the tick: with the arms there, the
    /// velocity of a point times the rest of the tick is its chord, to third order. So a body that rides on the kinematic
    /// one keeps its distance from the axis.
    fn halfway(&self, both: [Partner; 2], toi: Toi) -> Option<[Rotation; 2]> {
        let turning = both.into_iter().find_map(|which| {
            let Partner::Body(index) = which else { return None };
            let is_kinematic = self.bodies().body(index).filter.body_type == BodyType::Kinematic;
            (is_kinematic && self.bodies().rotation_of(index).is_some())
                .then(|| self.bodies().turning_from(index, toi))
        })?;
        let [w, x, y, z] = turning.at(Toi::START).components();
        let back = Rotation::from_components([w, -x, -y, -z]).ok()?;
        Some([back, turning.at(Toi::from_raw(toi.remaining().raw() / 2)?)])
    }

    /// What a push at half of `arm_twice` does to the turning of a body, and its turning to the point there.
    fn levers_of(&self, which: Partner, arm_twice: Vec3) -> Levers {
        let Partner::Body(BodyIndex(index)) = which else { return NO_LEVERS };
        let of = |spinner: &SimRotation| {
            let all = levers(spinner.axes, spinner.gyration.map(|g| 2 * g), arm_twice);
            without_locked(all, spinner.locks)
        };
        self.bodies().rotation_of(BodyIndex(index)).map_or(NO_LEVERS, of)
    }

    /// The velocities of the upper one at some points where two touch, less those of the lower one, by what their
    /// momenta say at an instant; in raw per tick.
    pub(super) fn velocities_at(
        &self,
        sides: &Sides,
        toi: Toi,
        touches: Range<usize>,
    ) -> impl Iterator<Item = [i64; 3]> {
        let both = [sides.low, Partner::Body(BodyIndex(sides.high))];
        let spins = both.map(|which| self.spin_of(which));
        let center = both.map(|which| match which {
            Partner::Body(BodyIndex(index)) => {
                self.bodies().velocity_at(&self.sim.all()[index as usize], toi).raw()
            }
            Partner::Static(_) => [0; 3],
        });
        self.scratch.rest.touches[touches].iter().map(move |touch| {
            let [low, high] = [0, 1].map(|which: usize| {
                let turned = surface(&touch.levers[which], spins[which]);
                [0, 1, 2].map(|i: usize| center[which][i] + turned[i])
            });
            [0, 1, 2].map(|i: usize| high[i] - low[i])
        })
    }

    /// How fast the points of two may close along any normal when the tick begins, wherever they are, in raw per tick; no less than they do.
    pub(super) fn closing_at_most(&self, both: [Partner; 2]) -> i64 {
        let [low, high] = both.map(|which| sum(self.velocity_of(which)));
        longer(low.saturating_add(high)).saturating_add(self.turning_at_most(both))
    }

    /// The same along a normal from the lower to the upper one.
    pub(super) fn closing_along(&self, both: [Partner; 2], normal: Normal) -> i64 {
        let [low, high] = both.map(|which| Vec3::from_raw(self.velocity_of(which)));
        let centers = (normal.dot_wide(low - high) >> Normal::BITS) as i64;
        centers.saturating_add(self.turning_at_most(both))
    }

    /// How much faster points of two may close than their centers, by how both turn.
    fn turning_at_most(&self, both: [Partner; 2]) -> i64 {
        // No entry of a lever is above 2, so no component is above twice the sum, nor the length above four times.
        let [low, high] = both.map(|which| sum(self.spin_of(which)).saturating_mul(4));
        longer(low.saturating_add(high))
    }

    /// The velocity of a center when the tick begins, by what its momentum says.
    fn velocity_of(&self, which: Partner) -> [i64; 3] {
        let Partner::Body(BodyIndex(index)) = which else { return [0; 3] };
        self.bodies().velocity_at(&self.sim.all()[index as usize], Toi::START).raw()
    }

    /// Finds how all turn by what their momenta say, if any contact has a point.
    pub(super) fn gather_spins(&mut self) {
        let mut spins = std::mem::take(&mut self.scratch.rest.spins);
        spins.clear();
        if !self.scratch.rest.touches.is_empty() {
            self.scratch.rest.masses.clear();
            self.scratch.rest.masses.extend(self.sim.all().iter().map(|mover| mover.mass));
            spins.extend(
                (0..self.sim.all().len() as u32).map(|index| self.spin_of(Partner::Body(BodyIndex(index)))),
            );
        }
        self.scratch.rest.spins_before.clone_from(&spins);
        self.scratch.rest.spins = spins;
    }

    /// Lets a body in contact turn as the solve found.
    pub(super) fn set_turn(&mut self, index: usize, is_still: bool) {
        let mover = &self.sim.all()[index];
        let Some(&spin) = self.scratch.rest.spins.get(index) else { return };
        if !mover.rotates() || !mover.is_free() {
            return;
        }
        if is_still {
            self.bodies_mut().stand_still(BodyIndex(index as u32));
        } else if spin != self.scratch.rest.spins_before[index] {
            self.bodies_mut().rotate_by(BodyIndex(index as u32), Vec3::from_raw(spin));
        }
    }

    /// How a body turns by what its momentum says, in the frame of its gyration, in raw per tick.
    pub(super) fn spin_of(&self, which: Partner) -> [i64; 3] {
        let Partner::Body(BodyIndex(index)) = which else { return [0; 3] };
        self.bodies().rotation_of(BodyIndex(index)).map_or([0; 3], |spinner| spinner.spin().raw())
    }
}

/// The sum of the sizes of a vector's components: no less than its length.
fn sum(vector: [i64; 3]) -> i64 {
    vector.into_iter().fold(0, |sum: i64, c| sum.saturating_add(c.saturating_abs()))
}

/// What a length may be along a normal, which may be longer than it is, and by roundings.
const fn longer(most: i64) -> i64 {
    most.saturating_add((most >> LONGER_SHIFT) + LONGER_RAW)
}

/// Twice the arms of both at a point, of which twice the way from the lower center is given: half a raw is
/// rounded nowhere, so it does not matter which of them is the lower one.
fn arms_twice(place_twice: Vec3, offset: Vec3) -> [Vec3; 2] {
    [place_twice, place_twice - offset - offset]
}

/// The part of a push that changes each of two velocities.
fn shares_q30(inertias: [Inertia; 2]) -> [i64; 2] {
    match inertias.map(|inertia| inertia.map(|(mass, _)| i64::from(mass))) {
        [None, None] => [0, 0],
        [Some(_), None] => [1 << SHARE_BITS, 0],
        [None, Some(_)] => [0, 1 << SHARE_BITS],
        [Some(low), Some(high)] => [high, low].map(|other| (other << SHARE_BITS) / (low + high)),
    }
}

/// How fast a point goes in the turn of its body.
pub(in crate::tick) fn surface(levers: &Levers, spin: [i64; 3]) -> [i64; 3] {
    if spin == [0; 3] {
        return spin;
    }
    [0, 1, 2].map(|i: usize| {
        let sum: i128 = (0..3).map(|k| i128::from(levers[k][i]) * i128::from(spin[k])).sum();
        sum_shr_nearest(sum, LEVER_BITS) as i64
    })
}

/// How a push turns a body.
fn turned(levers: &Levers, push: [i64; 3]) -> [i64; 3] {
    levers.map(|row| {
        let sum: i128 = (0..3).map(|i| i128::from(row[i]) * i128::from(push[i])).sum();
        sum_shr_nearest(sum, LEVER_BITS) as i64
    })
}

impl Rest {
    /// What of a contact is about its point, if anything is.
    pub(super) fn touch_of(&self, contact: &Contact) -> Option<&Touch> {
        self.touches.get(contact.touch as usize)
    }

    /// How fast the upper one leaves the lower one at the point of a contact, in raw per tick.
    pub(super) fn point_rate(&self, contact: &Contact, rates: &[[i64; 3]], spins: &[[i64; 3]]) -> [i64; 3] {
        let sides = [contact.low_mover(), Some(contact.high)];
        let [low, high] = [0, 1].map(|which: usize| {
            let Some(index) = sides[which] else { return [0; 3] };
            let (rate, spin) = (rates[index as usize], spins[index as usize]);
            let more = self.touch_of(contact).map_or([0; 3], |touch| surface(&touch.levers[which], spin));
            [0, 1, 2].map(|i: usize| rate[i].saturating_add(more[i]))
        });
        [0, 1, 2].map(|i: usize| high[i].saturating_sub(low[i]))
    }

    /// How fast the two part along the normal of a contact at its point.
    pub(super) fn normal_rate(&self, contact: &Contact, rates: &[[i64; 3]], spins: &[[i64; 3]]) -> i64 {
        match contact.touch {
            NONE => {
                let low = contact.low_mover().map_or([0; 3], |low| rates[low as usize]);
                contact.rate(low, rates[contact.high as usize])
            }
            _ => contact.rate([0; 3], self.point_rate(contact, rates, spins)),
        }
    }

    /// Adds what a push does, along the normal and across it, to both bodies of a contact with a point.
    pub(super) fn add_push(&mut self, contact: &Contact, push: i64, rub: [i64; 3]) {
        let Self { touches, rates, spins, .. } = self;
        let Some(touch) = touches.get(contact.touch as usize) else { return };
        let whole = push_vector(contact, push, rub);
        if whole == [0; 3] {
            return;
        }
        for (which, mover) in [contact.low_mover(), Some(contact.high)].into_iter().enumerate() {
            let share = if which == 0 { -touch.shares[0] } else { touch.shares[1] };
            let Some(mover) = mover.filter(|_| share != 0) else { continue };
            let part = |c: i64| mul_shr_nearest(c, share, SHARE_BITS);
            let along = touch.locks[which].free_part(Vec3::from_raw(whole)).raw();
            super::rows::add(&mut rates[mover as usize], along.map(part));
            if touch.levers[which] != NO_LEVERS {
                super::rows::add(&mut spins[mover as usize], turned(&touch.levers[which], whole).map(part));
            }
        }
    }
}

/// A push along the normal of a contact and one across it, as a vector.
pub(super) fn push_vector(contact: &Contact, push: i64, rub: [i64; 3]) -> [i64; 3] {
    let along = |i: usize| mul_shr_nearest(contact.direction[i].into(), push, DIRECTION_BITS);
    [0, 1, 2].map(|i: usize| along(i).saturating_add(rub[i]))
}

#[cfg(test)]
mod tests;
