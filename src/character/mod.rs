//! Character controller: a kinematic body that moves along walls, up steps, down slopes and on lifts.
//!
//! [`move_character`] is a function of the world and of a requested displacement, with nothing stored between ticks. It
//! returns the position at the end of the next tick, which a `MoveKinematic` then reaches, and the colliders that it
//! hit. The tick does not solve kinematic bodies against statics or against each other, so all of that is
//! decided here, by the kernels of [`sweep`](crate::sweep) with a gap, in integers with symmetric rounding: a
//! mirrored move is the mirror image. The tick does solve dynamic bodies: those up to a mass are pushed,
//! heavier ones are walls.
//!
//! `obstacles.rs` collects the obstacles; `slide.rs` moves by collide and slide; `step.rs` combines the
//! moves of a tick: carried, pushed, along the level, up or down.

mod limits;
mod obstacles;
mod outcome;
mod settings;
mod slide;
mod step;

pub use outcome::{CharacterHit, CharacterMove};
pub use settings::CharacterSettings;

/// The widest number of this room.
#[cfg(test)]
pub(crate) const WIDTHS: [(&str, crate::num::bound::Width); 1] = [("character::slide", slide::WIDTH)];

use obstacles::Character;

use crate::{
    geom::Vec3,
    state::{BodyId, BodyType, Refusal, Scenery, State, StateError},
};

/// Returns the position of a kinematic body at the end of the next tick for a requested displacement, and its
/// hits: see [`CharacterMove::command`].
///
/// `displacement` is in units per tick. Its component along [`CharacterSettings::up`] is a jump or a fall, and belongs to the
/// game: the game stores the speed of a fall, and resets it on ground or at a ceiling. The rest is walking:
/// on walkable slopes with the horizontal speed of level ground, up steps, and down to ground within
/// [`CharacterSettings::snap`]; along walls, and no farther where two of them join. A body that stands on a kinematic
/// body is carried by it, and one in the path of a kinematic body is pushed by it.
///
/// Obstacles are all colliders that the layer table makes solid to it, of any body type: statics, static
/// bodies, kinematic bodies at their pose at the end of the tick, and dynamic bodies at their present pose,
/// if they are too heavy or under its feet. Ignored pairs do not collide, nor do one-way platforms on whose
/// open side it is not ([`SceneryBuilder::one_way`](crate::state::SceneryBuilder::one_way)). Rotating bodies
/// keep their present orientation.
///
/// The character keeps a gap of 2^-8 of its least half extent, at most 2^-10 units, plus a little more than a
/// tick keeps. If it overlaps no obstacle when the tick begins, it overlaps none at the end position, by the
/// exact predicates, unless [`is_crushed`](CharacterMove::is_crushed) is true. If it still has room at its start when
/// a lift pushes it from two sides, it stays there. Several characters that move in one tick see each other
/// where the commands applied so far will take them: apply each `MoveKinematic` before the next call.
///
/// A move has at most 8 slides, so the work is bounded by the obstacles nearby: all bodies are tested once,
/// and statics are searched. The same world and displacement give the same result, mirrored ones the mirror
/// image.
///
/// # Errors
///
/// If there is no such body or it is not kinematic; if the displacement is longer than the limit on speed, or
/// leaves a flat world; if a setting of the character is out of range.
///
/// # Panics
///
/// If the scenery is not that of the state's world, and lacks a shape of its bodies.
pub fn move_character(
    state: &State,
    scenery: &Scenery,
    body: BodyId,
    displacement: Vec3,
    settings: &CharacterSettings,
) -> Result<CharacterMove, Refusal> {
    let found = state.body(body).ok_or(Refusal::NoBody { body })?;
    if found.body_type != BodyType::Kinematic {
        return Err(Refusal::BodyType { body, body_type: found.body_type });
    }
    state.check_velocity(displacement)?;
    state.check_flat("displacement", displacement)?;
    settings.check()?;
    let [.., up] = settings.up.components();
    if state.limits.flat && up != 0 {
        return Err(StateError::impossible("up", "z must be 0 in a flat world").into());
    }
    Ok(step::step(Character { state, scenery, id: body, body: found, settings }, displacement))
}
