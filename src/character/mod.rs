//! A kinematic body that walks: along walls, up steps, down slopes, on lifts.
//!
//! [`walk`] is a function of the world and of a wish, with nothing kept between ticks: it says where the body gets to in the
//! next tick, which a `MoveTo` then does, and what it met. Nobody solves kinematic bodies against statics or against
//! each other, so all of that is decided here, by the kernels of [`sweep`](crate::sweep) with a gap, in whole numbers that
//! are rounded the same way in a mirror: a mirrored walk is the mirror image. Dynamic bodies are solved by the tick:
//! those up to a mass are pushed, heavier ones are walls.
//!
//! `obstacles.rs` gathers what may be met; `slide.rs` goes along a way and turns where it meets something; `stride.rs` puts that
//! together: carried, pushed, along, up or down.

mod obstacles;
mod slide;
mod stride;

use obstacles::Character;

use crate::{
    geom::{Normal, Vec3},
    num::{Scalar, lit},
    state::{BodyId, Collider, Command, Kind, Refusal, Scenery, State, StateError, check_size},
};

/// How somebody walks.
///
/// ```
/// use bitstep::{character::Walker, num::lit};
/// let tall = Walker { step_height: lit("0.5"), ..Walker::USUAL };
/// assert_eq!(tall.slope_max, lit("1"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walker {
    /// Which way is up.
    pub up: Normal,
    /// The steepest ground that is walked on, as rise over run, from 0 to 16: 1 is 45 degrees.
    ///
    /// **Rounding**: down to 2^-16.
    pub slope_max: Scalar,
    /// The highest step that is climbed without a jump, in units, from 0 to 1024; to within the gap.
    pub step_height: Scalar,
    /// How far below its feet somebody who walks finds ground, in units, from 0 to 1024: down stairs and slopes.
    pub snap: Scalar,
    /// The heaviest dynamic body that is walked into, and so pushed by the tick; what is heavier is a wall.
    pub push_mass_max: u32,
}

impl Walker {
    /// Up is y, ground is up to 45 degrees steep, steps are up to 0.3 units high, ground is found 0.3 units below, and nothing is
    /// pushed.
    pub const USUAL: Self = Self {
        up: Normal::Y,
        slope_max: Scalar::ONE,
        step_height: lit("0.3"),
        snap: lit("0.3"),
        push_mass_max: 0,
    };

    /// The steepest slope that may be asked for.
    const SLOPE_LIMIT: Scalar = lit("16");
    /// The highest step and the longest snap.
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

/// Something that somebody met who walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// What.
    pub collider: Collider,
    /// Which part of it, by its place in its set of shapes; 0 of a single shape.
    pub part: u8,
    /// Out of its surface, where it was met; not of unit length.
    pub normal: Normal,
}

/// Where a walk ends, and what was met on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Where the body's center is at the end of the tick, in world units.
    pub position: Vec3,
    /// What it stands on then; `None` in the air and on what is too steep.
    pub ground: Option<Met>,
    /// What was in its way and too steep to be walked on, in the order in which it was met, each once.
    pub walls: Vec<Met>,
    /// What stopped it on its way up.
    pub ceiling: Option<Met>,
    /// How much higher it is by the steps that it climbed, in units; zero without any.
    pub step: Scalar,
    /// The lift that carried it.
    pub carried_by: Option<BodyId>,
    /// Whether it has no room: what moves by itself has come into it from more than one side. Then the two overlap.
    pub is_crushed: bool,
}

impl Walk {
    /// What makes a body take it.
    #[must_use]
    pub const fn command(&self, body: BodyId) -> Command {
        Command::MoveTo { body, position: self.position }
    }
}

/// Where a kinematic body gets to in the next tick that is to go a way in it, and what it meets: see
/// [`Walk::command`].
///
/// `way` is in units per tick. What of it is along [`Walker::up`] is a jump or a fall, and the game's own: it keeps the speed
/// of a fall, and starts anew where there is ground or a ceiling. The rest is walked: on ground that is not too steep as fast along
/// the level as on a level, up steps, and down to ground that is no farther than [`Walker::snap`]; along walls, and
/// no farther where two of them meet. Who stands on a kinematic body is carried by it, and who is in the way of one
/// is pushed by it.
///
/// In the way is whatever the table of layers makes solid to it, whatever moves that: statics, static bodies, kinematic bodies
/// where they will be at the end of the tick, and dynamic bodies as they are, if they are too heavy or under its
/// feet. It passes whom it is excepted with, and what is open on one side and it was not on that side
/// ([`SceneryBuilder::one_way`](crate::state::SceneryBuilder::one_way)). Who turns is taken as it lies now.
///
/// It keeps a gap of 2^-8 of its least half extent, 2^-10 units at most, and of a little more than a tick keeps. If it
/// overlaps none of these when the tick begins, it overlaps none where it is to go, by the exact predicates, unless
/// [`is_crushed`](Walk::is_crushed) says so; and who has room there is left where it was if a lift comes at it from two sides. Several
/// who walk in one tick see each other where the commands that were applied so far will take them: apply each `MoveTo` before the next
/// one asks.
///
/// At most 8 turns are made on a way, so the work is bounded by what is near: all bodies are looked at once, and
/// statics are searched. The same world and wish give the same answer, mirrored ones the mirror image.
///
/// # Errors
///
/// If there is no such body or it is not kinematic; if the way is longer than the limit on speed, or in a flat world
/// leaves it; if a number of the walker is out of range.
pub fn walk(
    state: &State,
    scenery: &Scenery,
    body: BodyId,
    way: Vec3,
    walker: &Walker,
) -> Result<Walk, Refusal> {
    let found = state.body(body).ok_or(Refusal::NoBody { body })?;
    if found.kind != Kind::Kinematic {
        return Err(Refusal::Kind { body, kind: found.kind });
    }
    state.check_velocity(way)?;
    state.check_flat("way", way)?;
    walker.check()?;
    let [.., up] = walker.up.components();
    if state.limits.flat && up != 0 {
        return Err(StateError::impossible("up", "z must be 0 in a flat world").into());
    }
    Ok(stride::stride(Character { state, scenery, id: body, body: found, walker }, way))
}
