//! The game: integers only, and all of it happens in a tick of [`Rts`].
//!
//! A tick has four parts, each with a mark: orders, shooting, steering, and, behind the step of the world,
//! hits. A tick does not panic, whatever state it gets from elsewhere. Start with
//! [`Rts::tick`](struct.Rts.html).

mod battle;
mod field;
mod formation;
mod lockstep;
mod orders;
mod rounding;
mod steer;

use std::fmt;

use bitstep::{
    World,
    geom::Vec3,
    query::{Batch, PointHit, PointQuery, QueryView},
    session::{Game, Session, Tick},
    state::BodyId,
};
use serde::{Deserialize, Serialize};

pub use battle::{DAMAGE, HEALTH, RANGE};
pub use field::{
    FIELD, PLAYERS_MAX, SPACING, TICK_RATE, UNIT_RADIUS, UNITS_MAX, initial_state, initial_state_at, limits,
    middle, on_field,
};
pub use lockstep::Army;
pub use orders::{Issued, Order, Place, UNIT_NUMBERS, Units};
pub use steer::SPEED;

/// The game's own state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rts {
    /// All units that ever were, by number.
    units: Vec<Unit>,
    /// Flying shots, in the order in which they were fired.
    shots: Vec<Shot>,
    /// Number of orders that named a unit that the player does not command, or an invalid target.
    refused: u32,
    #[serde(skip)]
    scratch: Scratch,
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its body, until it falls.
    pub body: Option<BodyId>,
    /// Its player.
    pub player: u8,
    /// Number of further hits it takes.
    pub health: u8,
    /// Number of ticks until it can shoot again.
    pub reload: u8,
    /// Number of consecutive looks without progress.
    pub stuck: u8,
    /// Its distance to its target when it was looked at last, in 2^-16 units.
    pub lacking: u32,
    /// Its order.
    pub goal: Goal,
}

/// The order of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Goal {
    /// Nothing: it stands.
    Stand,
    /// To be at a place.
    Reach(Place),
    /// Nothing, at a place of its own: if it is pushed away it comes back.
    Hold(Place),
    /// To be within a distance of a point, in 2^-16 units.
    PointHit(Place, u32),
    /// To have a unit in range; a unit with any foe in range stands and shoots.
    Attack(u16),
}

/// A shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Shot {
    body: BodyId,
    /// Number of ticks that it still flies.
    left: u8,
}

/// Memory that a tick uses and nothing depends on.
#[derive(Default)]
struct Scratch {
    view: Option<QueryView>,
    balls: Vec<PointQuery>,
    askers: Vec<u16>,
    near: Batch<PointHit>,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}

impl Game for Rts {
    type Input = Issued;
    const NAME: &'static str = "rts";

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[Issued]) {
        for Issued { player, order } in inputs {
            self.obey(tick.world(), *player, order);
        }
        tick.mark("orders", self);
        let point_blank = self.shoot(tick);
        tick.mark("shots", self);
        self.steer(tick);
        tick.mark("steering", self);
        tick.step();
        self.hit(tick, point_blank);
        tick.mark("hits", self);
    }

    fn outcome(&self) -> String {
        let players = self.units.iter().map(|unit| usize::from(unit.player) + 1).max().unwrap_or(0);
        let alive = self.alive();
        let alive: Vec<String> = alive.iter().take(players).map(usize::to_string).collect();
        format!("{} units left, {} shots in the air", alive.join(" + "), self.shots.len())
    }

    fn body_name(&self, body: BodyId) -> Option<String> {
        let (number, unit) = (0..).zip(&self.units).find(|(_, unit)| unit.body == Some(body))?;
        Some(unit_name(number, unit))
    }
}

impl Goal {
    /// True if there is nothing to do.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::Stand | Self::Hold(_))
    }
}

impl Unit {
    /// A unit that stands.
    #[must_use]
    pub const fn new(body: BodyId, player: u8) -> Self {
        Self { body: Some(body), player, health: HEALTH, reload: 0, stuck: 0, lacking: 0, goal: Goal::Stand }
    }
}

impl Rts {
    /// A match of these units, each at the number that its body has for user data.
    #[must_use]
    pub fn new(units: Vec<Unit>) -> Self {
        Self { units, shots: Vec::new(), refused: 0, scratch: Scratch::default() }
    }

    /// All units that ever were, by number.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Number of flying shots.
    #[must_use]
    pub fn shots(&self) -> usize {
        self.shots.len()
    }

    /// Number of orders that named a unit that the player does not command, or an invalid target.
    #[must_use]
    pub const fn refused(&self) -> u32 {
        self.refused
    }

    /// Number of remaining units of each player.
    #[must_use]
    pub fn alive(&self) -> [usize; PLAYERS_MAX as usize] {
        let mut alive = [0; PLAYERS_MAX as usize];
        for unit in self.units.iter().filter(|unit| unit.body.is_some()) {
            if let Some(count) = alive.get_mut(usize::from(unit.player)) {
                *count += 1;
            }
        }
        alive
    }

    /// The numbers of a player's units that are left, in order.
    pub fn numbers_of(&self, player: u8) -> impl Iterator<Item = u16> + '_ {
        let numbered = (0..=u16::MAX).zip(&self.units);
        numbered
            .filter(move |(_, unit)| unit.player == player && unit.body.is_some())
            .map(|(number, _)| number)
    }

    /// The position of a unit, if it is left.
    fn place(&self, world: &World, number: u16) -> Option<Vec3> {
        let body = self.units.get(usize::from(number))?.body?;
        world.body(body).map(|body| body.position)
    }

    /// Gives units their goals. Units that are not the player's, or have fallen since the order was given,
    /// are left out.
    fn obey(&mut self, world: &World, player: u8, order: &Order) {
        let mut numbers = Vec::new();
        for number in order.units().numbers() {
            match self.units.get(usize::from(number)) {
                Some(unit) if unit.player == player => {
                    if unit.body.is_some() {
                        numbers.push(number);
                    }
                }
                _ => self.refused = self.refused.saturating_add(1),
            }
        }
        let goals: Vec<Goal> = match order {
            Order::March { to, .. } => {
                let points: Vec<Vec3> =
                    numbers.iter().filter_map(|&number| self.place(world, number)).collect();
                let places = formation::places(&points, to.point());
                places.into_iter().map(|place| Goal::Reach(Place::nearest(place))).collect()
            }
            Order::Gather { to, .. } => self.gather(world, &numbers, *to),
            Order::Attack { target, .. } => {
                let is_foe = self.units.get(usize::from(*target)).is_some_and(|unit| unit.player != player);
                self.refused = self.refused.saturating_add(u32::from(!is_foe));
                vec![if is_foe { Goal::Attack(*target) } else { Goal::Stand }; numbers.len()]
            }
            Order::Stop { .. } => vec![Goal::Stand; numbers.len()],
        };
        for (number, goal) in numbers.into_iter().zip(goals) {
            let unit = &mut self.units[usize::from(number)];
            (unit.goal, unit.stuck, unit.lacking) = (goal, 0, u32::MAX);
        }
    }
}

impl Rts {
    /// The distance from a point to which each of some units goes: a nearer unit goes nearer.
    fn gather(&self, world: &World, numbers: &[u16], to: Place) -> Vec<Goal> {
        let point = to.point();
        let way = |number| self.place(world, number).map_or(0, |place| (point - place).length_squared_wide());
        let mut order: Vec<(u128, usize)> =
            numbers.iter().enumerate().map(|(index, &number)| (way(number), index)).collect();
        order.sort_unstable();
        let mut goals = vec![Goal::Stand; numbers.len()];
        for (nearer, (_, index)) in order.into_iter().enumerate() {
            goals[index] = Goal::PointHit(to, steer::reach(nearer));
        }
        goals
    }
}

/// A body in words: its unit, and that unit's player.
#[must_use]
pub fn unit_of_slot(session: &Session<Rts>, slot: u32) -> Option<String> {
    let mut numbered = (0..).zip(session.game().units());
    let (number, unit) = numbered.find(|(_, unit)| unit.body.is_some_and(|body| body.slot() == slot))?;
    Some(unit_name(number, unit))
}

fn unit_name(number: usize, unit: &Unit) -> String {
    format!("unit {number} of player {}", unit.player + 1)
}
