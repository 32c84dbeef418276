//! The picture of a world, as integers: every shape of statics and bodies, and the state of the fighters.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    session::{Session, Simulation},
    shape::Shape,
    state::{Body, BodyId},
};
use fight::{Doing, Fight, Fighter, Pose};

/// Number of parts of a unit.
pub const UNIT: i32 = 1 << 16;

/// The slot of a static.
const NO_SLOT: i32 = -1;

/// Writes a picture of a session: head, two fighters, shapes. Lengths are in parts of [`UNIT`], rounded down:
/// a picture is for display, and nothing is read back from it.
pub fn draw(session: &Session<Fight>, put: &mut impl FnMut(i32)) {
    let (game, world) = (session.game(), session.world());
    let shapes = shapes_of(session);
    let head = [
        session.tick_count() as i32,
        game.round.into(),
        game.clock.into(),
        game.pause.into(),
        shapes.len() as i32,
    ];
    head.into_iter().for_each(&mut *put);
    for fighter in &game.fighters {
        let body = world.body(fighter.body);
        fighter_numbers(fighter, body).into_iter().for_each(&mut *put);
        let shot = fighter.shot.and_then(|shot| world.body(shot.body));
        let place = shot.map_or(Vec3::ZERO, |body| body.position);
        [i32::from(shot.is_some()), part(place.x), part(place.y)].into_iter().for_each(&mut *put);
    }
    shapes.into_iter().flatten().for_each(put);
}

fn fighter_numbers(fighter: &Fighter, body: Option<&Body>) -> [i32; 15] {
    let (place, velocity) = body.map_or((Vec3::ZERO, Vec3::ZERO), |body| (body.position, body.velocity()));
    [
        slot(Some(fighter.body)),
        part(place.x),
        part(place.y),
        part(velocity.x),
        part(velocity.y),
        fighter.faces_left.into(),
        fighter.health.into(),
        fighter.wins.into(),
        number_of(fighter.doing),
        fighter.frame.into(),
        fighter.stun.into(),
        fighter.frozen.into(),
        fighter.grounded.into(),
        fighter.is_active().into(),
        Pose::ALL.iter().position(|&pose| pose == fighter.pose()).map_or(NO_SLOT, |pose| pose as i32),
    ]
}

const fn number_of(doing: Doing) -> i32 {
    match doing {
        Doing::Free => 0,
        Doing::Block => 1,
        Doing::Punch => 2,
        Doing::Kick => 3,
        Doing::Fire => 4,
        Doing::Throw => 5,
        Doing::Hurt => 6,
        Doing::Guard => 7,
    }
}

/// Every shape: slot, layer, kind, place, and its size.
fn shapes_of(session: &Session<Fight>) -> Vec<[i32; 8]> {
    let (world, scenery) = (session.world(), session.world().scenery());
    let statics = scenery.statics().iter().filter_map(|fixed| {
        let shape = scenery.shapes().get(usize::from(fixed.shape.0))?;
        Some(numbers(NO_SLOT, fixed.layer, shape, fixed.position))
    });
    let bodies = world.bodies().flat_map(|(id, body)| {
        body.solids(scenery).map(move |solid| {
            let layer = solid.layer.unwrap_or(body.layer);
            numbers(slot(Some(id)), layer, &solid.shape, body.position + solid.offset)
        })
    });
    statics.chain(bodies).collect()
}

/// Kinds: 0 a ball (its radius last), 1 a box (half its extent), 2 a rod (half its axis, radius last), 3 a
/// plane (its normal, of any length).
fn numbers(slot: i32, layer: u8, shape: &Shape, place: Vec3) -> [i32; 8] {
    let (kind, along, radius) = match shape {
        Shape::Sphere { radius } => (0, [0; 2], part(*radius)),
        Shape::Aabb { half } => (1, [part(half.x), part(half.y)], 0),
        Shape::Capsule(rod) => (2, [part(rod.half_axis.x), part(rod.half_axis.y)], part(rod.radius)),
        Shape::Plane(plane) => (3, [plane.normal().x, plane.normal().y], 0),
        _ => (4, [0; 2], 0), // the fight has no others
    };
    [slot, layer.into(), kind, part(place.x), part(place.y), along[0], along[1], radius]
}

/// In parts of a unit, rounded down.
const fn part(value: Scalar) -> i32 {
    (value.to_bits() >> 16) as i32
}

fn slot(body: Option<BodyId>) -> i32 {
    body.map_or(NO_SLOT, |body| body.slot() as i32)
}
