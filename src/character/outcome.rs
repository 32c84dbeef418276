//! The result of a character move.

use crate::{
    geom::{Normal, Vec3},
    num::Scalar,
    state::{BodyId, Collider, Command},
};

/// A collider that a character hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharacterHit {
    /// The collider.
    pub collider: Collider,
    /// The index of the child shape in its compound; 0 of a single shape.
    pub child: u8,
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
