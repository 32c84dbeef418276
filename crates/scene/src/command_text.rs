//! The format: the commands of a timeline.

use serde::Deserialize;

use super::{
    leaf::{Leaf, Vector},
    rules::OnHitText,
    text::{BodyText, LayersText, OrientationText},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "command", rename_all = "snake_case")]
pub enum CommandText<'a> {
    #[serde(borrow)]
    Spawn(Box<BodyText<'a>>),
    Remove {
        #[serde(borrow)]
        body: Leaf<'a>,
    },
    Teleport {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        position: Vector<'a>,
        #[serde(borrow, default)]
        orientation: Option<OrientationText<'a>>,
        #[serde(default)]
        allow_overlap: bool,
    },
    ApplyImpulseAt {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        impulse: Vector<'a>,
        #[serde(borrow)]
        point: Vector<'a>,
    },
    ApplyAngularImpulse {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        angular_impulse: Vector<'a>,
    },
    SetAngularVelocity {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        angular_velocity: Vector<'a>,
    },
    MoveKinematic {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        position: Vector<'a>,
    },
    SetVelocity {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        velocity: Vector<'a>,
    },
    ApplyImpulse {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        impulse: Vector<'a>,
    },
    SetGravity {
        #[serde(borrow)]
        gravity: Vector<'a>,
    },
    SetShape {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        shape: Leaf<'a>,
        #[serde(default)]
        allow_overlap: bool,
    },
    SetCompound {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        compound: Leaf<'a>,
        #[serde(default)]
        mirrored: bool,
        #[serde(default)]
        allow_overlap: bool,
    },
    SetFilter {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow, default)]
        layer: Option<Leaf<'a>>,
        #[serde(borrow, default)]
        group: Option<Leaf<'a>>,
        #[serde(default)]
        allow_overlap: bool,
    },
    #[serde(borrow)]
    SetLayers(LayersText<'a>),
    #[serde(borrow)]
    SetHeights(SetHeightsText<'a>),
    SetLocks {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        locks: Leaf<'a>,
    },
    SetDamping {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        damping: Leaf<'a>,
    },
    SetSleep {
        #[serde(borrow)]
        body: Leaf<'a>,
        sleeps: bool,
    },
    Drive {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        velocity: Vector<'a>,
        #[serde(borrow)]
        accel_max: Leaf<'a>,
    },
    EndDrive {
        #[serde(borrow)]
        body: Leaf<'a>,
    },
    SetOnHit {
        #[serde(borrow)]
        body: Leaf<'a>,
        on_hit: OnHitText,
    },
    Freeze {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        ticks: Leaf<'a>,
    },
    IgnorePair {
        #[serde(borrow)]
        a: Leaf<'a>,
        #[serde(borrow)]
        b: Leaf<'a>,
        #[serde(borrow)]
        ticks: Leaf<'a>,
    },
    SetDominance {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        dominance: Leaf<'a>,
    },
    SetUser {
        #[serde(borrow)]
        body: Leaf<'a>,
        #[serde(borrow)]
        user: Leaf<'a>,
    },
}

/// Other heights for a rectangle of a ground.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "set_heights")]
pub struct SetHeightsText<'a> {
    /// The name of a static.
    #[serde(borrow)]
    pub ground: Leaf<'a>,
    /// The column and the row of the first point.
    #[serde(borrow)]
    pub at: [Leaf<'a>; 2],
    /// Rows along x, in the ground's unit.
    #[serde(borrow)]
    pub rows: Vec<Vec<Leaf<'a>>>,
    #[serde(default)]
    pub lift: bool,
}
