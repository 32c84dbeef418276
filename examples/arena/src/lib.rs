//! An arena for eight: each runs, jumps and shoots; a bullet knows its shooter, ledges are open from below, a lift goes up and
//! down, and coins come back. All of it happens in a tick of [`Arena`]; `main.rs` is the match.

use std::error::Error;

use bitstep::{
    World,
    geom::{Normal, Plane, Vec3, vec2},
    num::{Rng, Scalar, lit},
    query::{QueryFilter, QueryView, SupportQuery},
    session::{Game, Session, Tick},
    shape::Shape,
    state::{
        BodyId, BodyType, Collider, Command, Done, Face, Limits, Material, MaterialId, OnHit, Rule,
        SceneryBuilder, ShapeId, Spawn, Static,
    },
    tick::EventKind,
};
use serde::{Deserialize, Serialize};

/// Number of players.
pub const PLAYERS: usize = 8;

/// The layers of the world.
const FIGHTER: u8 = 0;
const BULLET: u8 = 1;
const STAGE: u8 = 2;
const COIN: u8 = 3;

/// The shapes of what comes and goes, in the order of the scenery.
const BULLET_SHAPE: ShapeId = ShapeId(1);
const COIN_SHAPE: ShapeId = ShapeId(2);

/// Speeds, in units per tick at 60 ticks per second.
const RUN: Scalar = lit("0.1");
const JUMP: Scalar = lit("0.25");
const SHOT: Scalar = lit("0.5");
/// What rises faster than the lift does not stand.
const RISE: Scalar = lit("0.05");

/// Ticks between two shots, until a coin comes back, and of half a ride of the lift.
const RELOAD: u8 = 20;
const COIN_AWAY: u16 = 240;
const RIDE: u64 = 180;

/// The lowest place of the lift.
const LIFT: Vec3 = Vec3::lit("0", "-0.8", "0");

/// What a fighter can take.
const HEALTH: u8 = 3;

/// The keys of a player in a tick, a bit for each: [`LEFT`], [`RIGHT`], [`JUMP_KEY`], [`FIRE`].
pub type Keys = u8;

/// Runs toward smaller x.
pub const LEFT: Keys = 1;
/// Runs toward larger x.
pub const RIGHT: Keys = 2;
/// Jumps, if anything supports the fighter.
pub const JUMP_KEY: Keys = 4;
/// Shoots in the direction in which the fighter looks.
pub const FIRE: Keys = 8;

/// A player's fighter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fighter {
    body: BodyId,
    looks_left: bool,
    reload: u8,
    health: u8,
    /// Points: one for a coin, three for the last hit on another fighter.
    pub points: u32,
}

/// A coin: its body, or how many ticks until it is back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Coin {
    There(BodyId),
    Away(u16),
}

/// The game's own state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arena {
    /// The fighters, by player.
    pub fighters: Vec<Fighter>,
    coins: Vec<Coin>,
    lift: BodyId,
    /// Memory of a query.
    #[serde(skip)]
    view: Option<QueryView>,
}

impl Arena {
    /// What each player does to the own fighter.
    fn act(&mut self, tick: &mut Tick<'_>, keys: &[Keys]) {
        let mut view = self.view.take().unwrap_or_else(|| tick.world().query_view());
        view.rebuild(tick.world().state(), tick.world().scenery());
        let (mut below, ground) =
            (Vec::new(), QueryFilter { layers: 1 << STAGE | 1 << FIGHTER, ..QueryFilter::ALL });
        for (player, (fighter, &keys)) in (1..).zip(self.fighters.iter_mut().zip(keys)) {
            let Some(body) = tick.world().body(fighter.body).copied() else { continue };
            let run = i64::from(keys & RIGHT != 0) - i64::from(keys & LEFT != 0);
            let _ = view.supports(fighter.body, &SupportQuery::USUAL, &ground, &mut below);
            // What flies up past a ledge is not supported by it.
            let jumps = keys & JUMP_KEY != 0 && !below.is_empty() && body.velocity().y < RISE;
            let up = if jumps { JUMP } else { body.velocity().y };
            let velocity = vec2(RUN * Scalar::from_num(run), up);
            let _ = tick.apply(Command::SetVelocity { body: fighter.body, velocity });
            fighter.looks_left = if run == 0 { fighter.looks_left } else { run < 0 };
            fighter.reload = fighter.reload.saturating_sub(1);
            if keys & FIRE != 0 && fighter.reload == 0 {
                fighter.reload = RELOAD;
                let ahead =
                    |length: Scalar| vec2(if fighter.looks_left { -length } else { length }, Scalar::ZERO);
                // Of its shooter's group, so it does not meet its shooter; a hit removes it and tells its user data.
                let bullet = Spawn {
                    layer: BULLET,
                    group: player,
                    velocity: ahead(SHOT),
                    on_hit: OnHit::Remove,
                    user: u64::from(player) - 1,
                    ..Spawn::new(BULLET_SHAPE, body.position + ahead(lit("0.5")))
                };
                let _ = tick.apply(Command::Spawn(bullet)); // not where a wall or another fighter is
            }
        }
        self.view = Some(view);
    }

    /// Moves the lift, and brings coins back.
    fn run_stage(&mut self, tick: &mut Tick<'_>) {
        let phase = tick.world().tick_count() % (2 * RIDE);
        let height = phase.min(2 * RIDE - phase) as i64 * 4; // from 0 to 4 units, in RIDE ticks
        let position = LIFT + vec2(lit("0"), Scalar::from_bits((height << 32) / RIDE as i64));
        let _ = tick.apply(Command::MoveKinematic { body: self.lift, position });
        for (place, coin) in (0..).zip(&mut self.coins) {
            match coin {
                Coin::There(_) => {}
                Coin::Away(0) => {
                    if let Ok(Done::Spawned(body)) = tick.apply(Command::Spawn(coin_at(place))) {
                        *coin = Coin::There(body);
                    }
                }
                Coin::Away(left) => *left -= 1,
            }
        }
    }

    /// What came of the step: coins that were taken, bullets that hit.
    fn score(&mut self, tick: &mut Tick<'_>) {
        let report = tick.report();
        let entered = report.events.iter().filter(|event| event.kind == EventKind::Enter);
        let mut taken: Vec<(usize, usize)> = entered
            .filter_map(|event| {
                let sides = [Some(event.a), body_of(event.b)];
                let coin = self
                    .coins
                    .iter()
                    .position(|coin| sides.iter().flatten().any(|&id| *coin == Coin::There(id)))?;
                Some((coin, self.fighter_of(sides.into_iter().flatten())?))
            })
            .collect();
        taken.dedup_by_key(|taken| taken.0); // by the one that came first in the tick
        let hits: Vec<(usize, usize)> = report
            .removed
            .iter()
            .filter_map(|removed| {
                Some((removed.user as usize, self.fighter_of(body_of(removed.by).into_iter())?))
            })
            .collect();
        for (coin, player) in taken {
            if let Coin::There(body) = std::mem::replace(&mut self.coins[coin], Coin::Away(COIN_AWAY)) {
                self.fighters[player].points += 1;
                let _ = tick.apply(Command::Remove { body });
            }
        }
        for (shooter, struck) in hits {
            let health = self.fighters[struck].health.saturating_sub(1);
            self.fighters[struck].health = health;
            if health == 0 {
                self.fighters[shooter].points += 3;
                self.fighters[struck].health = HEALTH;
                let (body, position) = (self.fighters[struck].body, start_of(struck, tick));
                let _ =
                    tick.apply(Command::Teleport { body, position, orientation: None, allow_overlap: true });
            }
        }
    }

    fn fighter_of(&self, mut bodies: impl Iterator<Item = BodyId>) -> Option<usize> {
        bodies.find_map(|body| self.fighters.iter().position(|fighter| fighter.body == body))
    }
}

impl Game for Arena {
    type Input = Keys;
    const NAME: &'static str = "arena";
    const EVENTS: bool = true;

    fn tick(&mut self, tick: &mut Tick<'_>, keys: &[Keys]) {
        self.act(tick, keys);
        tick.mark("act", self);
        self.run_stage(tick);
        tick.mark("stage", self);
        tick.step();
        self.score(tick);
    }

    fn outcome(&self) -> String {
        self.fighters.iter().map(|fighter| fighter.points.to_string()).collect::<Vec<_>>().join(" ")
    }
}

/// A fighter that is out comes back above the arena, somewhere along it.
fn start_of(player: usize, tick: &mut Tick<'_>) -> Vec3 {
    let x = tick.draws(1, player as u64).between(-9 << 32, 9 << 32);
    vec2(Scalar::from_bits(x), lit("9"))
}

fn body_of(collider: Collider) -> Option<BodyId> {
    if let Collider::Body(body) = collider { Some(body) } else { None }
}

fn coin_at(place: i64) -> Spawn {
    let position = vec2(Scalar::from_num(6 * place - 6), lit("3.5"));
    Spawn { body_type: BodyType::Kinematic, layer: COIN, ..Spawn::new(COIN_SHAPE, position) }
}

/// A match at its beginning.
///
/// # Errors
///
/// None, as the tests see; what the library might refuse is passed on.
pub fn initial_state(seed: u64) -> Result<Session<Arena>, Box<dyn Error>> {
    let mut scenery = SceneryBuilder::default();
    scenery.material(Material::INELASTIC);
    let fighter = scenery.shape(Shape::rect(lit("0.3"), lit("0.5")));
    scenery.shape(Shape::sphere(lit("0.1")));
    scenery.shape(Shape::sphere(lit("0.3")));
    let ledge = scenery.shape(Shape::rect(lit("2"), lit("0.1")));
    let lift_shape = scenery.shape(Shape::rect(lit("0.6"), lit("0.1")));
    scenery.one_way(ledge, Face::PlusY);
    let mut add = |shape, x, y| {
        scenery.add(Static { shape, material: MaterialId(0), position: vec2(lit(x), lit(y)), layer: STAGE })
    };
    let _ = [add(ledge, "-6", "2"), add(ledge, "6", "2"), add(ledge, "-3", "4"), add(ledge, "3", "4")];
    for (normal, place) in [
        (Normal::Y, vec2(lit("0"), lit("-1"))),
        (Normal::X, vec2(lit("-10"), lit("0"))),
        (-Normal::X, vec2(lit("10"), lit("0"))),
    ] {
        let plane = Plane::from_point_normal(Vec3::ZERO, normal)?;
        let shape = scenery.shape(Shape::Plane(plane));
        scenery.add(Static { shape, material: MaterialId(0), position: place, layer: STAGE });
    }
    let limits = Limits::new(60).with_flat(true).with_extent(lit("64")).with_bodies_max(128);
    let mut world = World::new(limits, scenery.build()?)?;
    let ids = world.next_ids(PLAYERS as u32 + 4);
    let rule = |a, b, rule| Command::SetLayers { a, b, rule, allow_overlap: false };
    let mut commands = vec![
        Command::SetGravity { gravity: limits.gravity_nearest_even(vec2(lit("0"), lit("-30"))) },
        rule(COIN, FIGHTER, Rule::Sensor),
        rule(COIN, BULLET, Rule::Ignore),
        rule(BULLET, BULLET, Rule::Ignore),
    ];
    for player in 0..PLAYERS {
        let position = vec2(Scalar::from_num(2 * player as i64 - 7), lit("0"));
        let group = player as u16 + 1;
        commands.push(Command::Spawn(Spawn {
            mass: 80,
            layer: FIGHTER,
            group,
            ..Spawn::new(fighter, position)
        }));
    }
    let lift = Spawn { body_type: BodyType::Kinematic, layer: STAGE, ..Spawn::new(lift_shape, LIFT) };
    commands.push(Command::Spawn(lift));
    commands.extend((0..3).map(|place| Command::Spawn(coin_at(place))));
    world.apply(&commands).accepted()?;
    let fighter = |&body: &BodyId| Fighter { body, looks_left: false, reload: 0, health: HEALTH, points: 0 };
    let coins = ids[PLAYERS + 1..].iter().map(|&body| Coin::There(body)).collect();
    let fighters = ids[..PLAYERS].iter().map(fighter).collect();
    Ok(Session::new(world, Arena { fighters, coins, lift: ids[PLAYERS], view: None }, seed)?)
}

/// The keys of a player who plays by itself: others for every quarter of a second.
#[must_use]
pub fn script(seed: u64, player: usize, tick: u64) -> Keys {
    (Rng::new(seed).at(7, player as u64, tick / 15).bits() & 15) as Keys
}
