//! The game: rounds, and one tick.

use bitstep::{
    geom::{Vec3, vec2},
    num::Scalar,
    session::{Game, Tick},
    state::{BodyId, Command},
};
use serde::{Deserialize, Serialize};

use crate::{
    Fighter, Input,
    fighter::HEALTH,
    hits,
    orders::apply,
    stage::{BEGIN_X, STAND_Y},
};

/// Number of ticks of a round: a minute.
const ROUND_TICKS: u16 = 3_600;
/// Number of ticks between two rounds.
const PAUSE_TICKS: u8 = 90;

/// The game's own state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fight {
    /// The fighters, by slot.
    pub fighters: [Fighter; 2],
    /// The number of the round, from 1.
    pub round: u16,
    /// Number of ticks left in the round.
    pub clock: u16,
    /// Number of ticks until the next round, if this one is over.
    pub pause: u8,
}

impl Fight {
    /// A match at its beginning.
    #[must_use]
    pub const fn new(fighters: [Fighter; 2]) -> Self {
        Self { fighters, round: 1, clock: ROUND_TICKS, pause: 0 }
    }

    /// Both obey their keys. Each sees the other's position at the beginning of the tick.
    fn act(&mut self, tick: &mut Tick<'_>, inputs: &[Input]) {
        let places = [0, 1].map(|slot: usize| place_of(tick, self.fighters[slot].body).x);
        for (slot, fighter) in self.fighters.iter_mut().enumerate() {
            let keys = inputs.get(slot).copied().unwrap_or_default();
            fighter.act(tick, if self.pause > 0 { Input::NONE } else { keys }, places[1 - slot]);
        }
    }

    /// Ends a round that is decided, and begins the next one.
    fn referee(&mut self, tick: &mut Tick<'_>) {
        if self.pause > 0 {
            self.pause -= 1;
            if self.pause == 0 {
                self.begin_round(tick);
            }
            return;
        }
        self.clock = self.clock.saturating_sub(1);
        let health = [0, 1].map(|slot: usize| self.fighters[slot].health);
        if self.clock == 0 || health.contains(&0) {
            self.pause = PAUSE_TICKS;
            for (slot, fighter) in self.fighters.iter_mut().enumerate() {
                fighter.wins = fighter.wins.saturating_add(u16::from(health[slot] > health[1 - slot]));
            }
        }
    }

    /// Puts both at their starts.
    fn begin_round(&mut self, tick: &mut Tick<'_>) {
        self.round = self.round.saturating_add(1);
        self.clock = ROUND_TICKS;
        for (slot, fighter) in self.fighters.iter_mut().enumerate() {
            if let Some(shot) = fighter.shot {
                shot.end(tick);
            }
            let body = fighter.body;
            apply(tick, Command::Freeze { body, ticks: 0 });
            let position = vec2(if slot == 0 { -BEGIN_X } else { BEGIN_X }, STAND_Y);
            // The other may still stand there, and is moved next.
            apply(tick, Command::Teleport { body, position, orientation: None, allow_overlap: true });
            apply(tick, Command::SetVelocity { body, velocity: Vec3::ZERO });
            let wins = fighter.wins;
            *fighter = Fighter::new(body, slot == 1);
            fighter.wins = wins;
        }
    }
}

impl Game for Fight {
    type Input = Input;
    const NAME: &'static str = "fight";
    const EVENTS: bool = true;

    fn tick(&mut self, tick: &mut Tick<'_>, inputs: &[Input]) {
        self.act(tick, inputs);
        tick.mark("orders", self);
        tick.step();
        for fighter in &mut self.fighters {
            fighter.land(tick.report());
        }
        hits::judge(tick, &mut self.fighters);
        tick.mark("hits", self);
        self.referee(tick);
    }

    fn outcome(&self) -> String {
        let [a, b] = &self.fighters;
        format!("round {}, {} to {}, health {} to {}", self.round, a.wins, b.wins, a.health, b.health)
    }

    fn body_name(&self, body: BodyId) -> Option<String> {
        (1..).zip(&self.fighters).find_map(|(number, fighter)| {
            let is_shot = fighter.shot.is_some_and(|shot| shot.body == body);
            let name = if is_shot { "shot of player" } else { "fighter of player" };
            (is_shot || fighter.body == body).then(|| format!("{name} {number}"))
        })
    }
}

impl Fight {
    /// The health of a fighter that has not been hit.
    pub const HEALTH: u8 = HEALTH;
}

fn place_of(tick: &Tick<'_>, body: BodyId) -> Vec3 {
    let none = Vec3::splat(Scalar::ZERO);
    tick.world().body(body).map_or(none, |body| body.position)
}
