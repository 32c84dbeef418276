//! Commands from random bytes, for fuzz targets and property tests.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{
    BodyId, Collider, Command, CompoundId, HeightPatch, LayerTable, Locks, MaterialId, OnHit, ShapeId, Spawn,
    StaticId,
};
use crate::geom::{Rotation, Vec3};

impl<'a> Arbitrary<'a> for Command {
    /// Mostly commands that a small world accepts; uniform bits would nearly always be refused.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let body = BodyId::from_parts(u.int_in_range(0..=40)?, u.int_in_range(0..=2)?);
        Ok(match u.int_in_range(0..=27)? {
            0..=2 => Self::Spawn(u.arbitrary()?),
            3 => Self::Remove { body },
            4 => Self::Teleport {
                body,
                position: u.arbitrary()?,
                orientation: None,
                allow_overlap: u.ratio(1, 4)?,
            },
            5 => Self::SetVelocity { body, velocity: u.arbitrary()? },
            6 => Self::ApplyImpulse { body, impulse: u.arbitrary()? },
            7 => Self::SetGravity { gravity: u.arbitrary::<Vec3>()?.map_raw(|raw| raw & !1) },
            8 => Self::SetShape { body, shape: shape(u)?, allow_overlap: u.ratio(1, 4)? },
            9 => Self::SetFilter {
                body,
                layer: layer(u)?,
                group: u.int_in_range(0..=2)?,
                allow_overlap: u.ratio(1, 4)?,
            },
            10 => Self::SetLayers {
                a: layer(u)?,
                b: layer(u)?,
                rule: u.arbitrary()?,
                allow_overlap: u.ratio(1, 4)?,
            },
            11 => Self::SetLocks { body, locks: u.arbitrary()? },
            14 => Self::Teleport {
                body,
                position: u.arbitrary()?,
                orientation: Some(u.arbitrary()?),
                allow_overlap: u.ratio(1, 4)?,
            },
            15 => Self::SetAngularVelocity { body, angular_velocity: u.arbitrary()? },
            16 => Self::ApplyImpulseAt { body, impulse: u.arbitrary()?, point: u.arbitrary()? },
            17 => Self::ApplyAngularImpulse { body, angular_impulse: u.arbitrary()? },
            13 => Self::MoveKinematic { body, position: u.arbitrary()? },
            12 => Self::SetDamping { body, damping_q16: damping_q16(u)? },
            18 => Self::SetSleep { body, sleeps: u.arbitrary()? },
            19 => Self::SetCompound {
                body,
                compound: CompoundId(u.int_in_range(0..=2)?),
                mirrored: u.arbitrary()?,
                allow_overlap: u.ratio(1, 4)?,
            },
            20 => Self::Freeze { body, ticks: u.int_in_range(0..=9)? },
            21 => Self::SetOnHit { body, on_hit: u.arbitrary()? },
            22 => {
                let (velocity, accel_max) = (u.arbitrary()?, u.arbitrary::<Vec3>()?.x.saturating_abs());
                Self::Drive { body, velocity, accel_max }
            }
            23 => Self::EndDrive { body },
            24 => Self::SetDominance { body, dominance: u.int_in_range(0..=3)? },
            25 => Self::IgnorePair { a: body, b: collider(u)?, ticks: u.int_in_range(0..=9)? },
            26 => Self::SetUser { body, user: u.arbitrary()? },
            _ => Self::SetHeights {
                ground: StaticId(u.int_in_range(0..=7)?),
                at: [u.int_in_range(0..=4)?, u.int_in_range(0..=4)?],
                heights: u.arbitrary()?,
                lift: u.arbitrary()?,
            },
        })
    }
}

impl<'a> Arbitrary<'a> for Spawn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let rotates = u.ratio(1, 4)?;
        let is_turned = rotates || u.ratio(1, 16)?;
        Ok(Self {
            rotates,
            orientation: if is_turned { u.arbitrary()? } else { Rotation::IDENTITY },
            angular_velocity: if is_turned { u.arbitrary()? } else { Vec3::ZERO },
            shape: shape(u)?,
            material: MaterialId(u.int_in_range(0..=2)?),
            mass: u.int_in_range(0..=20)?,
            position: u.arbitrary()?,
            velocity: u.arbitrary()?,
            body_type: u.arbitrary()?,
            layer: layer(u)?,
            group: u.int_in_range(0..=2)?,
            locks: locks(u, rotates)?,
            damping_q16: damping_q16(u)?,
            user: u.arbitrary()?,
            allow_overlap: u.ratio(1, 4)?,
            on_hit: if u.ratio(1, 8)? { u.arbitrary()? } else { OnHit::Continue },
            dominance: if u.ratio(1, 8)? { u.arbitrary()? } else { 0 },
        })
    }
}

impl<'a> Arbitrary<'a> for HeightPatch {
    /// Up to three by three heights of a few steps.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (columns, rows): (u8, usize) = (u.int_in_range(1..=3)?, u.int_in_range(1..=3)?);
        let (steps, mut heights) = (*u.choose(&[1, 8, 24])?, [0; 9]);
        let heights = &mut heights[..usize::from(columns) * rows];
        for height in heights.iter_mut() {
            *height = u.int_in_range(-steps..=steps)?;
        }
        Ok(Self::new(columns, heights).expect("full rows"))
    }
}

impl<'a> Arbitrary<'a> for Locks {
    /// Mostly no locks.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let all = Self::ALL.and(Self::TURN_ALL);
        let bits = if u.ratio(1, 4)? { u.int_in_range(0..=all.bits())? } else { 0 };
        Ok(Self::try_from(bits).unwrap_or_default())
    }
}

/// Locks of a body. A body that does not rotate nearly always gets locks of translation only.
fn locks(u: &mut Unstructured<'_>, rotates: bool) -> Result<Locks> {
    let locks: Locks = u.arbitrary()?;
    if rotates || u.ratio(1, 16)? {
        return Ok(locks);
    }
    Ok(Locks::try_from(locks.bits() & Locks::ALL.bits()).unwrap_or_default())
}

/// A body as commands name it, or one of the first statics.
fn collider(u: &mut Unstructured<'_>) -> Result<Collider> {
    Ok(if u.ratio(1, 3)? {
        Collider::Static(StaticId(u.int_in_range(0..=7)?))
    } else {
        Collider::Body(BodyId::from_parts(u.int_in_range(0..=40)?, u.int_in_range(0..=2)?))
    })
}

/// One of the first shapes, or one of the first compounds or its mirror image.
fn shape(u: &mut Unstructured<'_>) -> Result<ShapeId> {
    let number = u.int_in_range(0..=7)?;
    Ok(if u.ratio(1, 8)? {
        ShapeId::of_compound(CompoundId(number / 2), number % 2 == 1)
    } else {
        ShapeId(number)
    })
}

/// Mostly one of four layers; sometimes the first that does not exist.
fn layer(u: &mut Unstructured<'_>) -> Result<u8> {
    if u.ratio(1, 16)? { Ok(LayerTable::LAYERS) } else { u.int_in_range(0..=3) }
}

/// A damping; none half of the time.
fn damping_q16(u: &mut Unstructured<'_>) -> Result<u16> {
    if u.arbitrary()? { u.arbitrary() } else { Ok(0) }
}
