//! Several blows at once.
//!
//! Each round looks at every blow of a group with the same velocities and only then changes them; what a
//! blow may change is shared with the other blows of its bodies (a projected Jacobi method with the masses
//! split), and each round begins further along the way that the pushes have gone before (Nesterov 1983, restarted
//! where that leads uphill as in O'Donoghue and Candes 2015). All is sums of integers, so no order matters.
//!
//! A group is what blows connect: whoever is far away changes nothing, to the bit.

pub(super) mod memory;

use super::respond::{Meeting, PARTING_RAW, bounded};
use crate::tick::contact::ContactStage;
use crate::tick::contact::NONE;
use crate::{
    geom::{Normal, Vec3},
    num::{
        bound::{Bound, Width},
        mul_div::mul_div_nearest,
        round::{div_nearest, shr_nearest},
    },
    tick::{
        bodies::body::BodyIndex,
        contact::ties::Tie,
        contact::together::memory::{Blow, Struck, Together},
        queue::QueuedImpact,
    },
};

/// The fraction bits of velocities and pushes.
const FINE_BITS: u32 = 12;

/// The fraction bits of [`Blow::steps`].
const STEP_BITS: u32 = 40;

/// The largest step; where locks leave less than its inverse of the normal, a blow is not solved with others.
const STEP_MAX: i128 = 1 << (STEP_BITS + 12);

/// The fraction bits of [`Blow::mass`], of weights, and of the part of all pushes that acts.
const MASS_BITS: u32 = 30;
const WEIGHT_BITS: u32 = 16;
const PART_BITS: u32 = 40;

/// The largest push: four times what the fastest pair closes.
const PUSH_MAX: i128 = 1 << PUSH_BITS;
const PUSH_BITS: u32 = 61;

/// The largest speed at which two part, for products.
const RATE_MAX: i128 = 1 << RATE_BITS;
const RATE_BITS: u32 = 64;

pub(in crate::tick::contact) const WIDTH: Width = Width {
    number: "`push * rate` of a blow",
    bound: Bound::power(PUSH_BITS).times(Bound::power(RATE_BITS)),
    held_in: 128,
};
const _: () = WIDTH.check();

/// Blows are solved when none is further from it than this: 2^-6 raw.
const SOLVED: i128 = 1 << (FINE_BITS - 6);

/// How many rounds there are at most, and how many blows all rounds together look at unless that is fewer than the
/// least number of rounds. What closes even then is found again by its sweep.
const ROUNDS: [usize; 2] = [64, 512];
const LOOKS: usize = 1 << 14;

/// How much faster than a lone pair those of a group part, in raw per tick: what the rounding of motions may take.
const SLACK_RAW: i64 = 2;

impl ContactStage<'_> {
    /// Finds which blows share bodies, and what each does to its own two.
    pub(super) fn gather_blows(&mut self, ties: &[Tie]) {
        let mut together = std::mem::take(&mut self.scratch.together);
        together.list_bodies(ties);
        together.blows.clear();
        for (index, tie) in (0..).zip(ties) {
            let sides =
                [Some(tie.event.a.0), tie.event.partner_number()].map(|mover| together.place_of(mover));
            let blow = self.long_meeting(tie).blow(index, sides);
            for side in sides.into_iter().filter(|&side| side != 0) {
                together.bodies[side as usize].blows += 1;
            }
            let is_free = |index: u32| self.sim.all()[index as usize].is_free();
            let turns =
                || tie.grips && is_free(tie.event.a.0) && tie.event.partner_number().is_some_and(is_free);
            if blow.steps.iter().all(|step| *step != [0; 3]) || turns() {
                together.join(sides);
            }
            together.blows.push(blow);
        }
        together.weigh_blows();
        self.scratch.together = together;
    }

    /// Finds the impulses of all blows.
    ///
    /// A fast one turns the closing speed round, times the restitution; a slow one takes just enough that the two
    /// close neither now nor at the end of the tick, as in [`Meeting::impulse`].
    pub(super) fn find_impulses(&mut self, ties: &mut [Tie]) {
        let mut together = std::mem::take(&mut self.scratch.together);
        let rest_speed = self.bodies().rest_speed();
        for body in &mut together.bodies[1..] {
            let toi = ties[0].event.toi;
            let velocity = self.bodies().velocity_at(&self.sim.all()[body.mover as usize], toi);
            body.begin(velocity);
        }
        for blow in &mut together.blows {
            let meeting = self.long_meeting(&ties[blow.tie as usize]);
            let pull = if meeting.is_slow(rest_speed) { (meeting.end - meeting.now).min(0) } else { 0 };
            let wanted = if meeting.is_slow(rest_speed) { -pull } else { meeting.bounce() };
            (blow.pull, blow.wanted, blow.is_bound) = (fine(pull), fine(wanted), false);
        }
        together.solve(true);
        for blow in &together.blows {
            let tie = &mut ties[blow.tie as usize];
            if tie.at_points {
                continue; // it has its impulses, and may move no body along its normal
            }
            tie.impulse = match blow.group {
                NONE => self.meeting(&tie.event).impulse(rest_speed),
                _ => self.long_meeting(tie).impulse_of(blow.push),
            };
        }
        self.scratch.together = together;
    }

    /// Sends all on, parting along all normals.
    pub(super) fn part_together(&mut self, ties: &[Tie]) {
        let mut together = std::mem::take(&mut self.scratch.together);
        for body in &mut together.bodies[1..] {
            let mover = &self.sim.all()[body.mover as usize];
            let free = || self.bodies().free_motion(mover, ties[0].event.toi);
            body.begin(if mover.is_free() { free() } else { mover.path.displacement });
        }
        for blow in &mut together.blows {
            let tie = &ties[blow.tie as usize];
            let length = i128::from(self.long_meeting(tie).normal.length_up());
            blow.wanted = fine(i128::from(PARTING_RAW + SLACK_RAW) * length - tie.turning);
            blow.is_bound = tie.is_pressed;
        }
        together.solve(false);
        self.part_lone(ties, &mut together);
        for body in &together.bodies[1..] {
            if self.sim.all()[body.mover as usize].is_free() {
                let component = |i: usize| shr_nearest(body.velocity[i] + body.change[i], FINE_BITS);
                let motion = Vec3::from_raw([0, 1, 2].map(|i| bounded(component(i))));
                self.bodies_mut().set_motion(BodyIndex(body.mover), motion);
            }
        }
        self.scratch.together = together;
    }

    /// A meeting whose normal is some 2^30 long, so that speeds along it keep their bits.
    fn long_meeting(&self, tie: &Tie) -> Meeting {
        self.meeting(&QueuedImpact { normal: Some(tie.event.known_normal().lengthened()), ..tie.event })
    }

    /// Makes pairs part that share no body with others that do.
    fn part_lone(&self, ties: &[Tie], together: &mut Together) {
        let Together { blows, bodies } = together;
        for blow in blows.iter().filter(|blow| blow.group == NONE) {
            let tie = &ties[blow.tie as usize];
            let motion = |side: u32| bodies[side as usize].velocity.map(|c| (c >> FINE_BITS) as i64);
            let [a, b] = blow.sides.map(|side| Vec3::from_raw(motion(side)));
            let [a, b] = self.meeting(&tie.event).corrections(b - a, tie.turning, tie.is_pressed);
            for (side, correction) in [(blow.sides[0], -a), (blow.sides[1], b)] {
                let change = &mut bodies[side as usize].change;
                (0..3).for_each(|i| change[i] += i128::from(correction.raw()[i]) << FINE_BITS);
            }
        }
    }
}

/// A speed along a normal, as a fine one; to nearest.
fn fine(along: i128) -> i128 {
    shr_nearest(along, Normal::BITS - FINE_BITS)
}

impl Meeting {
    /// How fast they part after a fast impact, in raw times the normal's length.
    fn bounce(&self) -> i128 {
        shr_nearest(-self.now * i128::from(self.restitution_q16), 16)
    }

    /// What a push does to both.
    fn blow(&self, tie: u32, sides: [u32; 2]) -> Blow {
        let [mass_a, mass_b] = self.masses();
        let mobility = self.mobility().max(1); // it is 0 where both only turn
        let step = |which: usize, other: i128| {
            let along = |axis: usize| match self.inertias[which] {
                Some(inertia) if !inertia.locks.has(axis) => i128::from(self.normal.components()[axis]),
                _ => 0,
            };
            let unit = 1 << (STEP_BITS + Normal::BITS);
            [0, 1, 2].map(|axis| mul_div_nearest(along(axis) * other, unit, mobility))
        };
        let steps = [step(0, mass_b), step(1, mass_a)];
        let fits = steps.as_flattened().iter().all(|step| step.abs() < STEP_MAX);
        let unit = 1 << (2 * Normal::BITS + MASS_BITS);
        Blow {
            tie,
            group: NONE,
            sides,
            normal: self.normal.components(),
            steps: if fits { steps.map(|step| step.map(|c| c as i64)) } else { [[0; 3]; 2] },
            mass: if fits { mul_div_nearest(mass_a * mass_b, unit, mobility) } else { 0 },
            weight: 0,
            wanted: 0,
            is_bound: false,
            pull: 0,
            push: 0,
            before: 0,
            ahead: 0,
        }
    }

    /// The impulse on B that changes by a push how fast they part.
    ///
    /// **Rounding**: each component to nearest, halves away from zero.
    /// **Range**: steps below 2^52 keep the quotient below 2^110.
    fn impulse_of(&self, push: i128) -> Vec3 {
        let [a, b] = self.masses();
        let component = |n: i32| {
            let along = i128::from(n) << (Normal::BITS - FINE_BITS);
            bounded(mul_div_nearest(push * a * b, along, self.mobility()))
        };
        Vec3::from_raw(self.normal.components().map(component))
    }
}

impl Struck {
    fn begin(&mut self, velocity: Vec3) {
        self.velocity = velocity.raw().map(|c| i128::from(c) << FINE_BITS);
        self.change = [0; 3];
    }
}

impl Together {
    /// How many blows the body has that has most, but at least one.
    pub(super) fn most_of_a_body(&self) -> u32 {
        self.bodies.iter().fold(1, |most, body| most.max(body.blows))
    }

    /// Lists whoever is struck, each alone.
    fn list_bodies(&mut self, ties: &[Tie]) {
        let struck = |mover| Struck { mover, blows: 0, group: 0, velocity: [0; 3], change: [0; 3] };
        let movers = ties.iter().flat_map(|tie| [Some(tie.event.a.0), tie.event.partner_number()]).flatten();
        self.bodies.clear();
        self.bodies.push(struck(NONE));
        self.bodies.extend(movers.map(struck));
        self.bodies[1..].sort_unstable_by_key(|body| body.mover);
        self.bodies.dedup_by_key(|body| body.mover);
        for (place, body) in (0..).zip(&mut self.bodies) {
            body.group = place;
        }
    }

    /// The place of a body; 0 for a static.
    pub(super) fn place_of(&self, mover: Option<u32>) -> u32 {
        let place = |mover: u32| self.bodies[1..].partition_point(|body| body.mover < mover) as u32 + 1;
        mover.map_or(0, place)
    }

    /// The least place in a body's group.
    pub(super) fn root_of(&mut self, mut place: u32) -> u32 {
        while self.bodies[place as usize].group != place {
            let next = self.bodies[place as usize].group;
            self.bodies[place as usize].group = self.bodies[next as usize].group;
            place = next;
        }
        place
    }

    /// Makes the groups of two bodies one.
    fn join(&mut self, sides: [u32; 2]) {
        let [a, b] = sides.map(|side| self.root_of(side));
        self.bodies[a.max(b) as usize].group = a.min(b);
    }

    /// Finds the group of each blow, and how much of what is missing a round may change: if a body's blows all
    /// pointed the same way, each could change its part.
    fn weigh_blows(&mut self) {
        for index in 0..self.blows.len() {
            let mut blow = self.blows[index];
            let mut crowd = 0;
            for (&side, step) in blow.sides.iter().zip(blow.steps).filter(|(_, step)| *step != [0; 3]) {
                blow.group = self.root_of(side);
                let share = (0..3).map(|i| i128::from(blow.normal[i]) * i128::from(step[i])).sum::<i128>();
                let bits = Normal::BITS + STEP_BITS - WEIGHT_BITS;
                crowd += (share >> bits) * i128::from(self.bodies[side as usize].blows);
            }
            blow.weight = ((1 << (2 * WEIGHT_BITS)) / crowd.max(1 << WEIGHT_BITS)) as i64;
            self.blows[index] = blow;
        }
        self.blows.sort_unstable_by_key(|blow| (blow.group, blow.tie));
        for group in self.blows.chunk_by_mut(|a, b| a.group == b.group) {
            if let [blow] = group {
                blow.group = NONE;
            }
        }
    }

    /// Finds the pushes of all groups, and what they do to bodies; energy does not rise if these are impulses.
    fn solve(&mut self, are_impulses: bool) {
        let Self { blows, bodies } = self;
        for blow in &mut *blows {
            (blow.push, blow.before, blow.ahead) = (0, 0, 0);
        }
        for group in blows.chunk_by_mut(|a, b| a.group == b.group) {
            if group[0].group == NONE {
                continue;
            }
            solve_group(group, bodies);
            if are_impulses {
                lower_energy(group, bodies);
            } else {
                apply(group, bodies, |blow| blow.push);
            }
        }
    }
}

/// Goes round until a group is solved.
fn solve_group(blows: &mut [Blow], bodies: &mut [Struck]) {
    let mut run = 0;
    for _ in 0..(LOOKS / blows.len()).clamp(ROUNDS[0], ROUNDS[1]) {
        apply(blows, bodies, |blow| blow.ahead);
        let (mut most, mut uphill) = (0, 0);
        for blow in blows.iter_mut() {
            let excess = blow.rate(bodies) - blow.wanted;
            if blow.ahead > 0 || blow.is_bound || excess < 0 {
                most = most.max(excess.abs());
            }
            let back = shr_nearest(excess * i128::from(blow.weight), WEIGHT_BITS);
            let least = if blow.is_bound { -PUSH_MAX } else { 0 };
            blow.before = blow.push;
            blow.push = (blow.ahead - back).clamp(least, PUSH_MAX);
            uphill += (excess >> FINE_BITS) * ((blow.push - blow.before) >> FINE_BITS);
        }
        if most <= SOLVED {
            break;
        }
        run = if uphill > 0 { 0 } else { run + 1 };
        let ahead = if run == 0 { 0 } else { ((run - 1) << WEIGHT_BITS) / (run + 2) };
        for blow in blows.iter_mut() {
            blow.ahead = blow.push + shr_nearest((blow.push - blow.before) * ahead, WEIGHT_BITS);
        }
    }
}

/// Finds what pushes do to the bodies of a group.
fn apply(blows: &[Blow], bodies: &mut [Struck], push: impl Fn(&Blow) -> i128) {
    for side in blows.iter().flat_map(|blow| blow.sides) {
        bodies[side as usize].change = [0; 3];
    }
    for blow in blows {
        let push = push(blow);
        for (which, sign) in [(0, -1), (1, 1)] {
            let change = &mut bodies[blow.sides[which] as usize].change;
            for (change, step) in change.iter_mut().zip(blow.steps[which]) {
                *change += shr_nearest(sign * push * i128::from(step), STEP_BITS);
            }
        }
    }
}

/// Scales the pushes of a group that would gain energy by them to the part at which it ends as it was.
///
/// A blow works by its impulse times the mean of how fast the two part before and after; over the part of all pushes
/// that acts the energy is a parabola.
fn lower_energy(blows: &mut [Blow], bodies: &mut [Struck]) {
    let bits = |number: i128| i128::BITS - number.unsigned_abs().leading_zeros();
    let rate = |blow: &Blow, bodies: &[Struck]| (blow.rate(bodies) + blow.pull).clamp(-RATE_MAX, RATE_MAX);
    apply(blows, bodies, |_| 0);
    for blow in &mut *blows {
        blow.before = rate(blow, bodies);
    }
    apply(blows, bodies, |blow| blow.push);
    let (mut mass, mut work) = (0, 0);
    for blow in &*blows {
        mass = mass.max(bits(blow.mass));
        work = work.max(bits(blow.push * blow.before)).max(bits(blow.push * rate(blow, bodies)));
    }
    let (mass, work) = (mass.saturating_sub(44), work.saturating_sub(66));
    let (mut gain, mut cost) = (0, 0);
    for blow in &*blows {
        let of = |rate: i128| div_nearest(blow.push * rate, 1 << work) * (blow.mass >> mass);
        gain -= of(blow.before);
        cost += of(rate(blow, bodies)) - of(blow.before);
    }
    if 2 * gain < cost {
        let part = if gain <= 0 { 0 } else { mul_div_nearest(2 * gain, 1 << PART_BITS, cost) };
        for blow in blows {
            blow.push = (blow.push * part) >> PART_BITS;
        }
    }
}

impl Blow {
    /// How fast the two part with the pushes that are applied.
    fn rate(&self, bodies: &[Struck]) -> i128 {
        let [a, b] = self.sides.map(|side| &bodies[side as usize]);
        let velocity = |body: &Struck, i: usize| body.velocity[i] + body.change[i];
        let apart = |i: usize| i128::from(self.normal[i]) * (velocity(b, i) - velocity(a, i));
        shr_nearest(apart(0) + apart(1) + apart(2), Normal::BITS)
    }
}

#[cfg(test)]
mod tests;
