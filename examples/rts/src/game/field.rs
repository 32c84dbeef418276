//! The field: shapes, layers, limits, and the starts of the armies.

use std::error::Error;

use bitstep::{
    World,
    geom::{Vec3, vec2},
    num::{Scalar, lit},
    session::Session,
    shape::Shape,
    state::{BodyType, Command, Limits, Material, Rule, SceneryBuilder, ShapeId, Spawn},
};

use super::{Rts, Unit};

/// Number of ticks in a second. A turn of the match is one tick.
pub const TICK_RATE: u32 = 20;
/// Largest number of players.
pub const PLAYERS_MAX: u8 = 4;
/// Largest number of units in a match.
pub const UNITS_MAX: u16 = 2_000;
/// Largest distance of a target from the middle of the field, along each axis.
pub const FIELD: Scalar = lit("120");
/// The radius of a unit.
pub const UNIT_RADIUS: Scalar = lit("0.4");
/// The radius of a shot.
pub const SHOT_RADIUS: Scalar = lit("0.1");
/// Distance between units of a formation.
pub const SPACING: Scalar = lit("1");
/// Mass of a unit; a shot has mass 1.
pub const UNIT_MASS: u32 = 64;
/// The shape of a shot.
pub const SHOT_SHAPE: ShapeId = ShapeId(1);
/// The shape of a unit.
const UNIT_SHAPE: ShapeId = ShapeId(0);
/// Distance of the middle of an army's start from the middle of the field.
const BEGIN: i64 = 40;

/// The layer of a player's units.
#[must_use]
pub const fn unit_layer(player: u8) -> u8 {
    player
}

/// The layer of the shots of a player's units.
#[must_use]
pub const fn shot_layer(player: u8) -> u8 {
    PLAYERS_MAX + player
}

/// The limits of the world. Pushing takes no unit farther out. Separation is faster than a unit: else units that
/// arrive would stay on top of units that stand.
#[must_use]
pub fn limits() -> Limits {
    Limits::new(TICK_RATE)
        .with_flat(true)
        .with_extent(lit("512"))
        .with_speed_max(lit("4"))
        .with_size_max(lit("1"))
        .with_bodies_max(1 << 13)
        .with_sleep_after(10)
        .with_separation_speed(lit("0.3"))
}

/// The middle of a player's army at the beginning, in units.
#[must_use]
pub const fn middle(player: u8) -> [i64; 2] {
    match player {
        0 => [-BEGIN, -BEGIN],
        1 => [BEGIN, BEGIN],
        2 => [-BEGIN, BEGIN],
        _ => [BEGIN, -BEGIN],
    }
}

/// A match at its beginning: so many armies of so many units, each in a square on its side of the field.
///
/// # Errors
///
/// If there are more than [`PLAYERS_MAX`] players or [`UNITS_MAX`] units.
pub fn initial_state(seed: u64, players: u8, units: u16) -> Result<Session<Rts>, Box<dyn Error>> {
    let side = i64::from(units).unsigned_abs().isqrt().max(1) as i64 + 1;
    let place = |player: u8, number: u16| {
        let [x, y] = middle(player);
        let (column, row) = (i64::from(number) % side, i64::from(number) / side);
        let along = |middle: i64, index: i64| (middle << 32) + (2 * index - side) * (SPACING.to_bits() / 2);
        Vec3::from_raw([along(x, column), along(y, row), 0])
    };
    initial_state_at(seed, players, units, place)
}

/// A match in which every unit, by player and number, begins elsewhere.
///
/// # Errors
///
/// As [`initial_state`]; and if there is no room for a unit where it begins.
pub fn initial_state_at(
    seed: u64,
    players: u8,
    units: u16,
    place: impl Fn(u8, u16) -> Vec3,
) -> Result<Session<Rts>, Box<dyn Error>> {
    if players == 0 || players > PLAYERS_MAX {
        return Err(format!("players is {players}, must be in 1..={PLAYERS_MAX}").into());
    }
    let units_max = UNITS_MAX / u16::from(players);
    if units == 0 || units > units_max {
        return Err(
            format!("units is {units}, must be in 1..={units_max} for each of {players} players").into()
        );
    }
    let mut scenery = SceneryBuilder::default();
    let material = scenery.material(Material::INELASTIC);
    scenery.shape(Shape::sphere(UNIT_RADIUS));
    scenery.shape(Shape::sphere(SHOT_RADIUS));
    let mut world = World::new(limits(), scenery.build()?)?;
    let mut commands = rules();
    let ids = world.next_ids(u32::from(players) * u32::from(units));
    let mut army = Vec::new();
    for player in 0..players {
        for number in 0..units {
            let index = army.len() as u64;
            commands.push(Command::Spawn(Spawn {
                material,
                mass: UNIT_MASS,
                layer: unit_layer(player),
                user: index,
                body_type: BodyType::Dynamic,
                ..Spawn::new(UNIT_SHAPE, place(player, number))
            }));
            army.push(Unit::new(ids[army.len()], player));
        }
    }
    for outcome in world.apply(&commands).outcomes {
        outcome?;
    }
    Ok(Session::new(world, Rts::new(army), seed)?)
}

/// The collision rules: units of one army are soft to each other, those of others are solid; shots hit units
/// of others, and nothing else collides.
fn rules() -> Vec<Command> {
    let mut commands = Vec::new();
    let layers = 2 * PLAYERS_MAX;
    for a in 0..layers {
        for b in a..layers {
            let is_shot = |layer: u8| layer >= PLAYERS_MAX;
            let rule = match (is_shot(a), is_shot(b)) {
                (false, false) if a == b => FRIENDS,
                (false, false) => Rule::Solid,
                (false, true) if b != shot_layer(a) => Rule::Solid,
                _ => Rule::Ignore,
            };
            commands.push(Command::SetLayers { a, b, rule, allow_overlap: false });
        }
    }
    commands
}

/// The rule between units of one army.
const FRIENDS: Rule = Rule::Soft;

/// The middle of a place on the field.
#[must_use]
pub const fn on_field(x: Scalar, y: Scalar) -> Vec3 {
    vec2(x, y)
}
