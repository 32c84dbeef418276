//! Commands on the rules of a body.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    state::{BodyId, Collider, Command, Limits, OnHit, StaticId},
};
use serde::Deserialize;

use super::leaf::{Fault, Leaf, Vector};

/// The effect of a body's first impact in a tick.
#[derive(Deserialize, Clone, Copy, Default)]
#[serde(rename = "on_hit", rename_all = "snake_case")]
pub enum OnHitText {
    #[default]
    Continue,
    Stop,
    Remove,
}

impl From<OnHitText> for OnHit {
    fn from(text: OnHitText) -> Self {
        match text {
            OnHitText::Continue => Self::Continue,
            OnHitText::Stop => Self::Stop,
            OnHitText::Remove => Self::Remove,
        }
    }
}

/// A rule for a body, by any name.
#[derive(Clone, Copy, Debug)]
pub enum RuleOrder {
    Freeze { ticks: u16 },
    SetOnHit { on_hit: OnHit },
    Drive { velocity: Vec3, accel_max: Scalar },
    EndDrive,
    SetDominance { dominance: u8 },
}

/// The other collider of an ignored pair.
#[derive(Clone, Debug)]
pub enum Other {
    Body(String),
    Static(StaticId),
}

impl Other {
    pub fn collider(&self, body: impl Fn(&String) -> BodyId) -> Collider {
        match self {
            Self::Body(name) => Collider::Body(body(name)),
            Self::Static(id) => Collider::Static(*id),
        }
    }
}

impl RuleOrder {
    pub fn freeze(ticks: Leaf<'_>) -> Result<Self, Fault<'_>> {
        Ok(Self::Freeze { ticks: ticks.whole("ticks", 0, u16::MAX.into())? as u16 })
    }

    /// The drive with a velocity in units per second and an acceleration in units per second squared.
    pub fn drive<'a>(limits: &Limits, velocity: &Vector<'a>, accel_max: Leaf<'a>) -> Result<Self, Fault<'a>> {
        let velocity = limits.velocity_nearest(velocity.decimals("velocity")?);
        let accel_max = limits.accel_nearest(accel_max.decimal("accel_max")?);
        Ok(Self::Drive { velocity, accel_max })
    }

    pub fn on_hit(text: OnHitText) -> Self {
        Self::SetOnHit { on_hit: text.into() }
    }

    pub const fn command(self, body: BodyId) -> Command {
        match self {
            Self::Freeze { ticks } => Command::Freeze { body, ticks },
            Self::SetOnHit { on_hit } => Command::SetOnHit { body, on_hit },
            Self::Drive { velocity, accel_max } => Command::Drive { body, velocity, accel_max },
            Self::EndDrive => Command::EndDrive { body },
            Self::SetDominance { dominance } => Command::SetDominance { body, dominance },
        }
    }
}
