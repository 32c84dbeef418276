//! Shots: a ball without gravity, until it meets the other, another shot or the stage.

use bitstep::{
    geom::{Vec3, vec2},
    num::Scalar,
    session::Tick,
    state::{BodyId, BodyType, Collider, Command, Done, MaterialId, Spawn},
};
use serde::{Deserialize, Serialize};

use crate::{
    moves::{SHOT_FROM, SHOT_SPEED, SHOT_TICKS},
    orders::apply,
    stage::{Layer, SHOT_SHAPE},
};

/// A shot that flies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shot {
    /// Its body.
    pub body: BodyId,
    /// Number of ticks that it still flies.
    pub left: u8,
}

impl Shot {
    /// Fires a shot in front of a fighter; `facing` mirrors a vector to the fighter's direction. `None` if
    /// the world has no room, which does not happen: each fighter has one shot at most.
    pub fn fire(tick: &mut Tick<'_>, from: Vec3, facing: impl Fn(Vec3) -> Vec3) -> Option<Self> {
        let spawn = Spawn {
            body_type: BodyType::Kinematic,
            material: MaterialId(0),
            layer: Layer::Shot as u8,
            velocity: facing(vec2(SHOT_SPEED, Scalar::ZERO)),
            ..Spawn::new(SHOT_SHAPE, from + facing(SHOT_FROM))
        };
        match tick.apply(Command::Spawn(spawn)) {
            Ok(Done::Spawned(body)) => Some(Self { body, left: SHOT_TICKS }),
            _ => None,
        }
    }

    /// Removes it from the world. The only place that does.
    pub fn end(self, tick: &mut Tick<'_>) {
        apply(tick, Command::Remove { body: self.body });
    }

    /// True if it has met the stage in the tick that was stepped.
    #[must_use]
    pub fn meets_the_stage(&self, tick: &Tick<'_>) -> bool {
        let events = &tick.report().events;
        events.iter().any(|event| event.a == self.body && matches!(event.b, Collider::Static(_)))
    }
}
