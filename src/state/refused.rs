//! A refused command, with its place and its kind.

use super::{Command, Refusal};

/// A command that was refused; it changed nothing.
///
/// ```
/// use bitstep::{World, state::{BodyId, Command, Limits, Refusal, SceneryBuilder}};
/// let mut world = World::new(Limits::new(60), SceneryBuilder::default().build()?)?;
/// let body = BodyId::from_parts(7, 0);
/// let refused = world.apply(&[Command::SetUser { body, user: 1 }]).accepted().unwrap_err();
/// assert_eq!((refused.index, refused.command, &refused.reason), (0, "SetUser", &Refusal::NoBody { body }));
/// assert_eq!(refused.to_string(), "command 0, SetUser: no body 7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("command {index}, {command}: {reason}")]
pub struct Refused {
    /// Its place among the commands that were given, as in the list of outcomes.
    pub index: u32,
    /// Its kind: [`Command::name`].
    pub command: &'static str,
    /// The reason.
    pub reason: Refusal,
}

impl Refused {
    pub(crate) const fn new(index: usize, command: &Command, reason: Refusal) -> Self {
        Self { index: index as u32, command: command.name(), reason }
    }
}

impl Command {
    /// The name of its kind, as the variant is spelled.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Spawn(_) => "Spawn",
            Self::Remove { .. } => "Remove",
            Self::Teleport { .. } => "Teleport",
            Self::MoveKinematic { .. } => "MoveKinematic",
            Self::SetVelocity { .. } => "SetVelocity",
            Self::ApplyImpulse { .. } => "ApplyImpulse",
            Self::ApplyImpulseAt { .. } => "ApplyImpulseAt",
            Self::ApplyAngularImpulse { .. } => "ApplyAngularImpulse",
            Self::SetAngularVelocity { .. } => "SetAngularVelocity",
            Self::SetGravity { .. } => "SetGravity",
            Self::SetShape { .. } => "SetShape",
            Self::SetCompound { .. } => "SetCompound",
            Self::SetFilter { .. } => "SetFilter",
            Self::SetLayers { .. } => "SetLayers",
            Self::SetLocks { .. } => "SetLocks",
            Self::SetDamping { .. } => "SetDamping",
            Self::Freeze { .. } => "Freeze",
            Self::Drive { .. } => "Drive",
            Self::EndDrive { .. } => "EndDrive",
            Self::SetOnHit { .. } => "SetOnHit",
            Self::SetDominance { .. } => "SetDominance",
            Self::IgnorePair { .. } => "IgnorePair",
            Self::SetSleep { .. } => "SetSleep",
            Self::SetHeights { .. } => "SetHeights",
            Self::SetUser { .. } => "SetUser",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geom::Vec3,
        state::{BodyId, Spawn},
    };

    #[test]
    fn a_command_is_named_as_it_is_spelled() {
        let body = BodyId::from_parts(0, 0);
        for command in [
            Command::Spawn(Spawn::new(crate::state::ShapeId(0), Vec3::ZERO)),
            Command::SetGravity { gravity: Vec3::ZERO },
            Command::EndDrive { body },
            Command::SetCompound {
                body,
                compound: crate::state::CompoundId(0),
                mirrored: false,
                allow_overlap: false,
            },
        ] {
            assert!(format!("{command:?}").starts_with(command.name()), "{command:?}");
        }
    }
}
