//! The picture of a battle, as integers: the units that are left, and the shots in the air.

use bitstep::{
    num::Scalar,
    session::{Session, Simulation},
};
use rts::{Goal, PLAYERS_MAX, Rts};

/// Writes a picture of a session: head, units, shots. Lengths are in parts of a unit of length, 2^-16, rounded down: a picture is for
/// display, and nothing is read back from it.
pub fn draw(session: &Session<Rts>, put: &mut impl FnMut(i32)) {
    let (game, world) = (session.game(), session.world());
    let numbered = (0..).zip(game.units());
    let units: Vec<[i32; 7]> = numbered
        .filter_map(|(number, unit)| {
            let id = unit.body?;
            let body = world.body(id)?;
            let goal = match unit.goal {
                Goal::Stand | Goal::Hold(_) => 0,
                Goal::Reach(_) | Goal::PointHit(..) => 1,
                Goal::Attack(_) => 2,
            };
            let (player, health) = (unit.player.into(), unit.health.into());
            let slot = id.slot() as i32;
            Some([number, slot, player, part(body.position.x), part(body.position.y), health, goal])
        })
        .collect();
    // All bodies but those of units are shots.
    let shots: Vec<[i32; 4]> = world
        .bodies()
        .filter(|(_, body)| body.layer >= PLAYERS_MAX)
        .map(|(id, body)| {
            let player = i32::from(body.layer - PLAYERS_MAX);
            [id.slot() as i32, player, part(body.position.x), part(body.position.y)]
        })
        .collect();
    [session.tick_count() as i32, units.len() as i32, shots.len() as i32].into_iter().for_each(&mut *put);
    units.into_iter().flatten().chain(shots.into_iter().flatten()).for_each(put);
}

/// In parts of a unit of length, rounded down.
const fn part(value: Scalar) -> i32 {
    (value.to_bits() >> 16) as i32
}
