//! A seeded game of every command, with every kind of body, under all laws at once.

use std::ops::Range;

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    num::{Rng, rng::Draws},
    shape::{Obb, Shape},
    snapshot,
    state::{BodyId, BodyType, Command, Limits, Locks, Rule, ShapeId, Spawn},
    tick::{AngularLedger, Cause, TickReport},
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    shrink::{Cast, Order, Script, explain, quietly},
    support::{closed_box_that_rubs, every, s, step, v},
    tick_laws::{assert_events, assert_report, assert_sound, is_deeper, may_overlap, overlapping},
};

/// The seeds of the games, their tick rates, and a digest of all states and reports, which is the same on
/// every machine and in every build. Another rules version has others.
const GAMES: [(u64, u32, u64); 5] = [
    (1, 10, 11_188_480_910_895_767_732),
    (2, 20, 3_410_359_595_420_092_196),
    (3, 60, 14_878_101_302_035_392_859),
    (4, 120, 8_184_302_697_682_233_456),
    (5, 60, 13_545_048_553_878_283_066),
];

/// The seeds of games in which most bodies rotate and all have friction.
const TURNING: Range<u64> = 10_000..20_000;

/// Number of ticks of a game.
const TICKS: u64 = 400;

/// A list of commands for a world: most are accepted, some are not.
fn commands(world: &World, draws: &mut Draws, count: u64) -> Vec<Command> {
    (0..count).map(|_| command(world, draws)).collect()
}

fn command(world: &World, draws: &mut Draws) -> Command {
    let slots = world.state().slots.len() as u64;
    let body = BodyId::from_parts(draws.below(slots + 2) as u32, draws.below(2) as u32);
    let known = world.bodies().nth(draws.below(slots + 1) as usize).map_or(body, |(id, _)| id);
    let (body, layer) = (if draws.below(8) == 0 { body } else { known }, draws.below(5) as u8);
    let position = Vec3::from_raw([0; 3].map(|_: i32| draws.between(-3 << 32, 3 << 32)));
    let velocity = position.map_raw(|raw| raw / 16);
    match draws.below(16) {
        0 => Command::Remove { body },
        1 => Command::Teleport { body, position, orientation: None, allow_overlap: false },
        2 | 3 => Command::SetVelocity { body, velocity },
        4 | 5 => Command::ApplyImpulse { body, impulse: velocity },
        6 | 7 => {
            let here = world.body(body).map_or(position, |body| body.position);
            Command::MoveKinematic { body, position: here + velocity }
        }
        8 => Command::SetShape { body, shape: ShapeId(draws.below(4) as u16), allow_overlap: false },
        9 => Command::SetFilter { body, layer, group: group(draws), allow_overlap: false },
        10 => {
            let rule = match draws.below(12) {
                0 => Rule::Ignore,
                1 => Rule::Sensor,
                _ => Rule::Solid,
            };
            Command::SetLayers { a: layer, b: draws.below(5) as u8, rule, allow_overlap: false }
        }
        11 => Command::SetLocks { body, locks: locks(draws) },
        12 => Command::SetDamping { body, damping_q16: draws.below(2_000) as u16 },
        13 => Command::SetUser { body, user: draws.bits() },
        14 if draws.below(4) == 0 => {
            // Half to one and a half times as strong, and slightly sideways; even in raw.
            let pull = position.map_raw(|raw| raw / 4) - Vec3::new(s("0"), s("9.81"), s("0"));
            Command::SetGravity { gravity: world.limits().gravity_nearest_even(pull) }
        }
        _ => Command::Spawn(spawn(draws, position, velocity)),
    }
}

fn locks(draws: &mut Draws) -> Locks {
    let bits = if draws.below(4) == 0 { draws.below(8) as u8 } else { 0 };
    Locks::try_from(bits).unwrap()
}

/// Mostly none.
fn group(draws: &mut Draws) -> u16 {
    draws.below(12).saturating_sub(9) as u16
}

fn spawn(draws: &mut Draws, position: Vec3, velocity: Vec3) -> Spawn {
    let kind = match draws.below(10) {
        0 => BodyType::Static,
        1 | 2 => BodyType::Kinematic,
        _ => BodyType::Dynamic,
    };
    let locks = locks(draws);
    let velocity = if kind == BodyType::Static { Vec3::ZERO } else { locks.free_part(velocity) };
    let (layer, group) = (draws.below(5) as u8, group(draws));
    let damping_q16 = if draws.below(2) == 0 { 0 } else { draws.below(500) as u16 };
    let mass = 1 + draws.below(60) as u32;
    let plain = Spawn {
        body_type: kind,
        locks,
        velocity,
        layer,
        group,
        damping_q16,
        mass,
        ..Spawn::new(ShapeId(0), position)
    };
    Spawn { shape: ShapeId(draws.below(3) as u16), user: draws.bits(), ..plain }
}

/// A world that is played, under every law.
struct Game {
    world: World,
    cast: Cast,
    reports: [TickReport; 2],
    seen: Seen,
}

/// Statistics of the games.
#[derive(Default, Debug)]
struct Seen {
    accepted: usize,
    refused: usize,
    impacts: usize,
    blocked: usize,
    overlapping: u32,
    /// Number of ticks in which each line of the ledger was not zero.
    lines: [usize; 8],
    digest: u64,
}

impl Game {
    fn of(script: &Script) -> Self {
        let (mut world, cast) = (script.initial_state(), Cast::default());
        world.enable_events(true);
        Self { world, cast, reports: Default::default(), seen: Seen::default() }
    }

    /// Plays one tick, the commands one by one.
    ///
    /// # Panics
    ///
    /// If a law is broken.
    fn tick(&mut self, orders: &[Order]) {
        let Self { world, reports: [report, again], .. } = self;
        let mut pairs = overlapping(world);
        for order in orders {
            let momentum = world.momentum_wide();
            let (outcome, line) = self.cast.apply(order, world);
            let gained = [0, 1, 2].map(|axis| world.momentum_wide()[axis] - momentum[axis]);
            assert_eq!(gained, line, "the line of the commands");
            self.seen.accepted += usize::from(outcome.is_ok());
            self.seen.refused += usize::from(outcome.is_err());
            let now = overlapping(world);
            assert!(may_overlap(&order.command) || now.is_subset(&pairs), "overlaps by a command");
            pairs = now;
        }
        let mut restored = snapshot::decode(&snapshot::encode(world), world.scenery()).unwrap();
        restored.enable_events(true);
        let before = world.clone();
        let mut copy = world.clone();
        step(world, report);
        for other in [&mut restored, &mut copy] {
            other.step(again);
            assert_eq!(report, again, "the report of a copy");
            assert!(snapshot::encode(world) == snapshot::encode(other), "the state of a copy");
        }
        let now = overlapping(world);
        assert!(now.is_subset(&pairs), "overlaps by a tick");
        assert!(!now.iter().any(|&pair| is_deeper(&before, world, pair)), "deeper by a tick");
        assert_eq!(report.overlapping as usize, pairs.len(), "the count of overlaps");
        assert_report(report, &before, world);
        assert_events(report, &before, world);
        world.bodies().for_each(|(id, body)| assert_sound(body, before.body(id)));
        self.seen.add(report, world);
    }
}

/// Names of fields, and what they were called when the digests were taken.
const RENAMED: [(&str, &str); 7] = [
    ("events_listed", "listens"),
    ("impact_limited", "held"),
    ("tick_halted", "halted"),
    ("velocity_corrected", "braced"),
    ("velocity_corrections", "braces"),
    ("children", "parts"),
    ("reverted", "rolled_back"),
];

/// The causes whose ticks are counted.
const CAUSES: [Cause; 8] = [
    Cause::Gravity,
    Cause::Damping,
    Cause::Statics,
    Cause::Kinematics,
    Cause::Locks,
    Cause::Clamps,
    Cause::Holds,
    Cause::VelocityCorrections,
];

impl Seen {
    fn add(&mut self, report: &TickReport, world: &World) {
        for (count, cause) in self.lines.iter_mut().zip(CAUSES) {
            *count += usize::from(report.ledger[cause] != [0; 3]);
        }
        self.impacts += report.impacts.len();
        self.blocked += report.blocked.len();
        self.overlapping += report.overlapping;
        // Without rotation and sleep, digests are of the older reports; the impulses of pairs are in the momenta, which
        // the snapshot has.
        let mut plain = report.clone();
        plain.impulses.clear();
        let outcomes: Vec<_> =
            plain.outcomes.drain(..).map(|outcome| outcome.map_err(|refused| refused.reason)).collect();
        let mut text = format!("{plain:?}").replacen("outcomes: []", &format!("outcomes: {outcomes:?}"), 1);
        let angular = format!("angular: {:?}, ", AngularLedger::default());
        for none in [&angular[..], "impulses: [], ", "removed: [], ", "woke: [], fell_asleep: [], "] {
            text = text.replace(none, "");
        }
        for (new, old) in RENAMED {
            text = text.replace(&format!("{new}: "), &format!("{old}: "));
        }
        self.digest = xxh3_64_with_seed(text.as_bytes(), self.digest);
        self.digest = xxh3_64_with_seed(&snapshot::encode(world), self.digest);
    }
}

/// Balls and boxes.
fn solids() -> [Shape; 3] {
    [Shape::sphere(s("0.4")), Shape::sphere(s("0.7")), Shape::aabb(Vec3::splat(s("0.45")))]
}

/// Capsules, and a ball or a box among them.
fn with_capsules(seed: u64) -> [Shape; 3] {
    let askew = Shape::capsule(v("0.35", "-0.2", "0.3"), s("0.2"));
    let upright = Shape::capsule(v("0", "0.4", "0"), s("0.3"));
    let other = if seed % 2 == 0 { Shape::sphere(s("0.4")) } else { Shape::aabb(Vec3::splat(s("0.45"))) };
    [askew, upright, other]
}

/// Rotating solids: a brick and a rod, and a ball.
fn that_turn(seed: u64) -> [Shape; 3] {
    let brick = Shape::Obb(Obb::along_axes(v("0.45", "0.2", "0.3")));
    let rod = Shape::capsule(v("0", "0.4", "0"), s("0.2"));
    let other = if seed % 2 == 0 { Shape::sphere(s("0.4")) } else { Shape::aabb(Vec3::splat(s("0.35"))) };
    [brick, rod, other]
}

/// Makes most spawned bodies rotate, and some commands others that rotate.
fn let_turn(command: &mut Command, draws: &mut Draws) {
    let mut vector = |bits: u32| Vec3::from_raw([(); 3].map(|()| draws.between(-1 << bits, 1 << bits)));
    let (angular_velocity, arm, imaginary, real) = (vector(29), vector(31), vector(32), vector(32).x);
    let [x, y, z] = [imaginary.x, imaginary.y, imaginary.z];
    let orientation = Rotation::from_quaternion(real, x, y, z).unwrap_or(Rotation::IDENTITY);
    let which = draws.below(4);
    match *command {
        Command::Spawn(ref mut spawn) if which > 0 => {
            (spawn.rotates, spawn.orientation) = (true, orientation);
            if spawn.body_type != BodyType::Static {
                spawn.angular_velocity = angular_velocity;
            }
        }
        Command::ApplyImpulse { body, impulse } if which == 0 => {
            *command = Command::ApplyAngularImpulse { body, angular_impulse: impulse };
        }
        Command::ApplyImpulse { body, impulse } if which == 1 => {
            *command = Command::ApplyImpulseAt { body, impulse, point: arm };
        }
        Command::Teleport { body, position, orientation: None, allow_overlap } if which > 1 => {
            *command = Command::Teleport { body, position, orientation: Some(orientation), allow_overlap };
        }
        Command::SetVelocity { body, .. } if which > 1 => {
            *command = Command::SetAngularVelocity { body, angular_velocity };
        }
        _ => {}
    }
}

/// An empty script at a tick rate: solids in a closed box, under gravity.
fn initial_state(rate: u32, solids: &[Shape; 3]) -> Script {
    let limits = Limits::new(rate).with_bodies_max(70).with_speed_max(s("0.5")).with_budget(6);
    let turn = solids.iter().any(|solid| matches!(solid, Shape::Obb(_)));
    let friction = if turn { "0.5" } else { "0" };
    Script::new(limits, &closed_box_that_rubs(("0.6", friction), solids, "3.5"))
}

/// Makes one of a few commands allow solids to overlap.
fn allow_overlap(command: &mut Command, draws: &mut Draws) {
    match command {
        Command::Spawn(Spawn { allow_overlap, .. })
        | Command::Teleport { allow_overlap, .. }
        | Command::SetShape { allow_overlap, .. }
        | Command::SetCompound { allow_overlap, .. }
        | Command::SetFilter { allow_overlap, .. }
        | Command::SetLayers { allow_overlap, .. } => *allow_overlap = draws.below(12) == 0,
        _ => {}
    }
}

/// The commands of a game in a tick.
fn draw(seed: u64, tick: u64, world: &World, cast: &mut Cast) -> Vec<Order> {
    let mut draws = Rng::new(71).at(seed, tick, 0);
    let mut list = Vec::new();
    if tick == 0 {
        let gravity = world.limits().gravity_nearest_even(Vec3::new(s("0.5"), s("-9.81"), s("0")));
        list.push(Command::SetGravity { gravity });
    }
    list.extend(commands(world, &mut draws, if tick == 0 { 150 } else { 4 }));
    if seed % 5 == 0 {
        // In every fifth game bodies may begin inside others.
        list.iter_mut().for_each(|command| allow_overlap(command, &mut draws));
    }
    if TURNING.contains(&seed) {
        list.iter_mut().for_each(|command| let_turn(command, &mut draws));
    }
    list.into_iter().map(|command| cast.order(command)).collect()
}

/// Plays some ticks of a game, and records them; a game that breaks a law fails as a scene.
fn play(solids: &[Shape; 3], seed: u64, rate: u32, ticks: u64) -> (Script, Seen) {
    let mut script = initial_state(rate, solids);
    let mut game = Game::of(&script);
    for tick in 0..ticks {
        let orders = draw(seed, tick, &game.world, &mut game.cast);
        script.ticks.push(orders.clone());
        if quietly(|| game.tick(&orders)).is_err() {
            panic!("game {seed}, {}", explain(&format!("game-{seed}"), &script, &keeps_every_law));
        }
    }
    (script, game.seen)
}

/// Plays a script under every law.
///
/// # Panics
///
/// If one is broken.
pub fn keeps_every_law(script: &Script) {
    let mut game = Game::of(script);
    script.ticks.iter().for_each(|orders| game.tick(orders));
}

/// The script of a game, for tests that need one.
pub fn recorded(seed: u64, rate: u32, ticks: u64) -> Script {
    play(&solids(), seed, rate, ticks).0
}

#[test]
fn a_game_of_thousands_of_commands_keeps_every_law() {
    let mut all = Seen::default();
    let games = GAMES.into_iter().step_by(every(2));
    let played = games.clone().map(|(seed, rate, _)| {
        let (_, seen) = play(&solids(), seed, rate, TICKS);
        println!("game {seed}: {seen:?}");
        all.accepted += seen.accepted;
        all.refused += seen.refused;
        all.impacts += seen.impacts;
        all.blocked += seen.blocked;
        all.overlapping += seen.overlapping;
        all.lines.iter_mut().zip(seen.lines).for_each(|(sum, count)| *sum += count);
        (seed, rate, seen.digest)
    });
    assert!(played.eq(games), "debug, release and every machine come to the same");
    assert!(all.accepted > 3_000 / every(2) && all.refused > 1_000 / every(2), "{all:?}");
    // A body that rests on another has no impacts.
    assert!(all.impacts > 1_500 / every(2) && all.blocked > 15 && all.overlapping > 50, "{all:?}");
    assert!(all.lines.iter().all(|&count| count > 10), "how often each line had something: {all:?}");
}

/// `BITSTEP_GAMES=1000` makes it a thousand other games.
#[test]
fn other_games_keep_every_law() {
    let games = std::env::var("BITSTEP_GAMES").map_or(12 / every(6) as u64, |text| text.parse().unwrap());
    let impacts: usize = (100..100 + games)
        .map(|seed| play(&solids(), seed, [10, 20, 60, 120][seed as usize % 4], TICKS / 2).1.impacts)
        .sum();
    assert!(impacts as u64 > 20 * games, "{impacts}");
}

/// `BITSTEP_GAMES=1000` makes it a thousand.
#[test]
fn games_of_capsules_keep_every_law() {
    let games = std::env::var("BITSTEP_GAMES").map_or(12 / every(6) as u64, |text| text.parse().unwrap());
    let mut all = Seen::default();
    for seed in 500..500 + games {
        let (_, seen) = play(&with_capsules(seed), seed, [10, 20, 60, 120][seed as usize % 4], TICKS / 2);
        all.accepted += seen.accepted;
        all.impacts += seen.impacts;
        all.blocked += seen.blocked;
        all.overlapping += seen.overlapping;
    }
    println!("{all:?}");
    let (impacts, blocked, overlapping) =
        (all.impacts as u64, all.blocked as u64, u64::from(all.overlapping));
    assert!(impacts > 20 * games && blocked > games / 2 && overlapping > games, "{all:?}");
}

/// `BITSTEP_GAMES=1000` makes it a thousand.
#[test]
fn games_of_what_turns_keep_every_law() {
    let games = std::env::var("BITSTEP_GAMES").map_or(12 / every(6) as u64, |text| text.parse().unwrap());
    let mut all = Seen::default();
    for seed in TURNING.start..TURNING.start + games {
        let (_, seen) = play(&that_turn(seed), seed, [10, 20, 60, 120][seed as usize % 4], TICKS / 2);
        all.accepted += seen.accepted;
        all.impacts += seen.impacts;
        all.blocked += seen.blocked;
        all.overlapping += seen.overlapping;
    }
    println!("{all:?}");
    let (impacts, blocked, overlapping) =
        (all.impacts as u64, all.blocked as u64, u64::from(all.overlapping));
    assert!(impacts > 20 * games && blocked > games / 2 && overlapping > games, "{all:?}");
}
