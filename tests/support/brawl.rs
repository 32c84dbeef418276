//! A small game for tests: two players push their units about, collect gold from hits, and recruit.

use std::collections::{BTreeMap, VecDeque};

use bitstep::{
    World,
    geom::Vec3,
    num::{Rng, lit},
    session::{Game, Session, Tick},
    shape::Shape,
    state::{BodyId, Collider, Command, Limits, Material, MaterialId, SceneryBuilder, ShapeId, Spawn},
    tick::TickReport,
};
use serde::{Deserialize, Serialize};

/// The purpose of a draw.
const SCATTER: u64 = 1;
const LOOT: u64 = 2;

/// The most units that a player has.
const UNITS: usize = 6;

/// The game's own state: a bit of everything that a state may hold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Brawl {
    pub players: [Player; 2],
    /// Number of hits on each body, by its slot.
    pub bruises: BTreeMap<u32, u16>,
    pub mood: Mood,
    /// The latest hits, the oldest first.
    pub news: VecDeque<(u64, u32)>,
    pub leader: Option<u8>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Player {
    pub name: String,
    pub gold: u32,
    pub units: Vec<Unit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    pub slot: u32,
    pub generation: u32,
    pub health: i16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mood {
    Calm,
    Angry { since: u64 },
}

/// An order of a player in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    Wait,
    Push { unit: u8, x: i8, z: i8 },
    Recruit,
}

impl Game for Brawl {
    type Input = Order;
    const NAME: &'static str = "brawl";

    fn tick(&mut self, tick: &mut Tick<'_>, orders: &[Order]) {
        for (index, order) in orders.iter().enumerate().take(2) {
            self.obey(index, *order, tick);
        }
        tick.mark("orders", self);
        tick.step();
        self.count_hits(tick);
        tick.mark("hits", self);
        self.bury(tick);
        let [a, b] = [self.players[0].gold, self.players[1].gold];
        self.leader = if a == b { None } else { Some(u8::from(b > a)) };
    }

    fn outcome(&self) -> String {
        format!(
            "leader {:?}, {} and {} units",
            self.leader,
            self.players[0].units.len(),
            self.players[1].units.len()
        )
    }
}

impl Brawl {
    fn obey(&mut self, index: usize, order: Order, tick: &mut Tick<'_>) {
        let player = &mut self.players[index];
        match order {
            Order::Wait => {}
            Order::Push { unit, x, z } => {
                let Some(unit) = player.units.get(usize::from(unit)) else { return };
                let impulse = Vec3::from_raw([i64::from(x) << 24, 0, i64::from(z) << 24]);
                let body = BodyId::from_parts(unit.slot, unit.generation);
                let _ = tick.apply(Command::ApplyImpulse { body, impulse });
            }
            Order::Recruit => {
                if player.units.len() < UNITS {
                    player.units.extend(recruit(tick, index));
                }
            }
        }
    }

    fn count_hits(&mut self, tick: &mut Tick<'_>) {
        let hits: Vec<(u32, Option<u32>)> =
            tick.report().impacts.iter().map(|hit| (hit.a.slot(), slot(hit.b))).collect();
        for (a, b) in hits {
            for slot in [Some(a), b].into_iter().flatten() {
                *self.bruises.entry(slot).or_default() += 1;
                self.news.push_back((tick.number(), slot));
                for player in &mut self.players {
                    player.hurt(slot, tick);
                }
            }
            if b.is_some() {
                self.mood = Mood::Angry { since: tick.number() };
            }
        }
        while self.news.len() > 4 {
            self.news.pop_front();
        }
    }

    /// Removes the units without health.
    fn bury(&mut self, tick: &mut Tick<'_>) {
        for player in &mut self.players {
            player.units.retain(|unit| {
                let body = BodyId::from_parts(unit.slot, unit.generation);
                unit.health > 0 || tick.apply(Command::Remove { body }).is_err()
            });
        }
        if matches!(self.mood, Mood::Angry { since } if since + 10 < tick.number()) {
            self.mood = Mood::Calm;
        }
    }
}

impl Player {
    fn hurt(&mut self, slot: u32, tick: &mut Tick<'_>) {
        if let Some(unit) = self.units.iter_mut().find(|unit| unit.slot == slot) {
            unit.health -= 10;
        } else {
            self.gold += tick.draws(LOOT, u64::from(slot)).below(5) as u32;
        }
    }
}

fn slot(collider: Collider) -> Option<u32> {
    match collider {
        Collider::Body(id) => Some(id.slot()),
        Collider::Static(_) => None,
    }
}

fn recruit(tick: &mut Tick<'_>, player: usize) -> Option<Unit> {
    let mut draws = tick.draws(SCATTER, player as u64);
    let [x, z] = [0; 2].map(|_: i32| draws.between(-3 << 32, 3 << 32));
    let position = Vec3::from_raw([x, 1 << 31, z]);
    let spawn = Spawn { material: MaterialId(0), user: player as u64, ..Spawn::new(ShapeId(0), position) };
    match tick.apply(Command::Spawn(spawn)) {
        Ok(bitstep::state::Done::Spawned(id)) => {
            Some(Unit { slot: id.slot(), generation: id.generation(), health: 100 })
        }
        _ => None,
    }
}

/// A ring of walls around a flat yard, without gravity, and without units.
pub fn initial_state(seed: u64) -> Session<Brawl> {
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::new(lit("0.9")).unwrap());
    let _ball = scenery.shape(Shape::sphere(lit("0.5")));
    for (x, z) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let inward = Vec3::from_raw([-x << 32, 0, -z << 32]);
        let wall = scenery.shape(Shape::plane(inward).unwrap());
        scenery.fixed(wall, material, Vec3::from_raw([x << 34, 0, z << 34]));
    }
    let world = World::new(Limits::new(30), scenery.build().unwrap()).unwrap();
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let players = [player("ada"), player("bo")];
    let (bruises, news) = (BTreeMap::new(), VecDeque::new());
    Session::new(world, Brawl { players, bruises, mood: Mood::Calm, news, leader: None }, seed).unwrap()
}

/// The orders of the players in a tick, from 1.
pub fn orders(tick: u64) -> Vec<Order> {
    let order = |player| {
        let mut draws = Rng::new(77).at(0, player, tick);
        match draws.below(4) {
            0 => Order::Wait,
            1 if tick % 3 == 0 => Order::Recruit,
            _ => {
                let [x, z] = [0; 2].map(|_: i32| draws.between(-100, 100) as i8);
                Order::Push { unit: draws.below(UNITS as u64) as u8, x, z }
            }
        }
    };
    vec![order(0), order(1)]
}

/// Plays ticks up to and with a number.
pub fn play_to(session: &mut Session<Brawl>, tick: u64) {
    use bitstep::session::Simulation;
    let mut report = TickReport::default();
    while session.tick_count() < tick {
        let next = session.tick_count() + 1;
        session.tick(&orders(next), &mut report);
    }
}
