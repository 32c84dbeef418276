//! Character controller: a kinematic body that moves along walls, up steps, down slopes and on lifts.
//!
//! [`move_character`] is a function of the world and of a requested displacement, with nothing stored between ticks. It
//! returns the position at the end of the next tick, which a `MoveKinematic` then reaches, and the colliders that it
//! hit. The tick does not solve kinematic bodies against statics or against each other, so all of that is
//! decided here, by the kernels of [`sweep`](crate::sweep) with a gap, in integers with symmetric rounding: a
//! mirrored move is the mirror image. The tick does solve dynamic bodies: those up to a mass are pushed,
//! heavier ones are walls.
//!
//! `obstacles.rs` collects the obstacles; `slide.rs` moves by collide and slide; `stride.rs` combines the
//! moves of a tick: carried, pushed, along the level, up or down.

mod obstacles;
mod slide;
mod stride;

use obstacles::Character;

use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, lit},
    state::{BodyId, BodyType, Collider, Command, Refusal, Scenery, State, StateError, check_size},
};

/// The settings of a character.
///
/// ```
/// use bitstep::{character::CharacterSettings, num::lit};
/// let tall = CharacterSettings { step_height: lit("0.5"), ..CharacterSettings::USUAL };
/// assert_eq!(tall.slope_max, lit("1"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharacterSettings {
    /// The up direction.
    pub up: Normal,
    /// The steepest walkable slope, as rise over run, from 0 to 16: 1 is 45 degrees.
    ///
    /// **Rounding**: down to 2^-16.
    pub slope_max: Scalar,
    /// The highest step that is climbed without a jump, in units, from 0 to 1024; accurate to the gap.
    pub step_height: Scalar,
    /// The distance below its feet within which a walking character snaps to ground, in units, from 0 to
    /// 1024: down stairs and slopes.
    pub snap: Scalar,
    /// The largest mass of a dynamic body that the character moves into, so that the tick pushes it; a
    /// heavier one is a wall.
    pub push_mass_max: u32,
}

impl CharacterSettings {
    /// Up is y, slopes up to 45 degrees are walkable, steps are up to 0.3 units high, ground is found 0.3
    /// units below, and nothing is pushed.
    pub const USUAL: Self = Self {
        up: Normal::Y,
        slope_max: Scalar::ONE,
        step_height: lit("0.3"),
        snap: lit("0.3"),
        push_mass_max: 0,
    };

    /// The steepest accepted slope.
    const SLOPE_LIMIT: Scalar = lit("16");
    /// The highest accepted step and the longest snap.
    const LENGTH_LIMIT: Scalar = lit("1024");

    fn check(&self) -> Result<(), StateError> {
        if !self.up.is_valid() {
            return Err(StateError::impossible("up", "it is zero, or longer than a normal may be"));
        }
        for (field, value, limit) in [
            ("slope_max", self.slope_max, Self::SLOPE_LIMIT),
            ("step_height", self.step_height, Self::LENGTH_LIMIT),
            ("snap", self.snap, Self::LENGTH_LIMIT),
        ] {
            check_size(field, value, limit)?;
            if value < Scalar::ZERO {
                return Err(StateError::impossible(field, "it is not negative"));
            }
        }
        Ok(())
    }
}

/// A collider that a character hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharacterHit {
    /// The collider.
    pub collider: Collider,
    /// The index of the child shape in its compound; 0 of a single shape.
    pub part: u8,
    /// The outward normal of its surface at the hit; not of unit length.
    pub normal: Normal,
}

/// The result of a character move: the end position and the hits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CharacterMove {
    /// The body's center at the end of the tick, in world units.
    pub position: Vec3,
    /// The ground under the character at the end; `None` in the air and on a slope that is too steep.
    pub ground: Option<CharacterHit>,
    /// The hits that are too steep to walk on, in their order, each child shape once.
    pub walls: Vec<CharacterHit>,
    /// The hit that stopped it on its way up.
    pub ceiling: Option<CharacterHit>,
    /// The height of the steps that it climbed, in units; zero without any.
    pub step: Scalar,
    /// The lift that carried it.
    pub carried_by: Option<BodyId>,
    /// True if the character has no room, because kinematic bodies moved into it from more than one side.
    /// Then they overlap.
    pub is_crushed: bool,
}

impl CharacterMove {
    /// The command that moves a body to the end position.
    #[must_use]
    pub const fn command(&self, body: BodyId) -> Command {
        Command::MoveKinematic { body, position: self.position }
    }
}

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
/// if they are too heavy or under its feet. Excepted pairs do not collide, nor do one-way platforms on whose
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
    Ok(stride::stride(Character { state, scenery, id: body, body: found, settings }, displacement))
}
