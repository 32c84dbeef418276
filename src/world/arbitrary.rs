//! Commands out of random bytes, for fuzz targets and property tests.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{BodyId, Command, LayerTable, Locks, MaterialId, OnHit, SetId, ShapeId, Spawn};
use crate::{
    geom::{Rotation, Vec3},
    num::Scalar,
};

/// How wide a drawn component may be, in bits: raw units, ordinary lengths, the border of any
/// world, and beyond every limit.
const WIDTHS: [u32; 6] = [4, 24, 32, 36, 57, 63];

impl<'a> Arbitrary<'a> for Command {
    /// Mostly commands that a small world accepts; uniform bits would nearly always be refused.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let body = BodyId { slot: u.int_in_range(0..=40)?, generation: u.int_in_range(0..=2)? };
        Ok(match u.int_in_range(0..=25)? {
            0..=2 => Self::Spawn(u.arbitrary()?),
            3 => Self::Remove { body },
            4 => Self::Teleport { body, position: vector(u)?, allow_overlap: u.ratio(1, 4)? },
            5 => Self::SetVelocity { body, velocity: vector(u)? },
            6 => Self::Push { body, impulse: vector(u)? },
            7 => Self::SetGravity { gravity: vector(u)?.map_raw(|raw| raw & !1) },
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
            14 => Self::Place {
                body,
                position: vector(u)?,
                orientation: rotation(u)?,
                allow_overlap: u.ratio(1, 4)?,
            },
            15 => Self::SetAngularVelocity { body, angular_velocity: vector(u)? },
            16 => Self::PushAt { body, impulse: vector(u)?, point: vector(u)? },
            17 => Self::Twist { body, angular_impulse: vector(u)? },
            13 => Self::MoveTo { body, position: vector(u)? },
            12 => Self::SetDamping { body, damping_q16: damping_q16(u)? },
            18 => Self::SetSleep { body, sleeps: u.arbitrary()? },
            19 => Self::SetShapes {
                body,
                set: SetId(u.int_in_range(0..=2)?),
                mirrored: u.arbitrary()?,
                allow_overlap: u.ratio(1, 4)?,
            },
            20 => Self::Freeze { body, ticks: u.int_in_range(0..=9)? },
            21 => Self::SetOnHit { body, on_hit: u.arbitrary()? },
            22 => {
                let (velocity, accel_max) = (vector(u)?, vector(u)?.x.saturating_abs());
                Self::Drive { body, velocity, accel_max }
            }
            23 => Self::EndDrive { body },
            24 => Self::SetPriority { body, priority: u.int_in_range(0..=3)? },
            _ => Self::SetUser { body, user: u.arbitrary()? },
        })
    }
}

impl<'a> Arbitrary<'a> for Spawn {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let turns = u.ratio(1, 4)?;
        let is_turned = turns || u.ratio(1, 16)?;
        Ok(Self {
            turns,
            orientation: if is_turned { rotation(u)? } else { Rotation::IDENTITY },
            angular_velocity: if is_turned { vector(u)? } else { Vec3::ZERO },
            shape: shape(u)?,
            material: MaterialId(u.int_in_range(0..=2)?),
            mass: u.int_in_range(0..=20)?,
            position: vector(u)?,
            velocity: vector(u)?,
            kind: u.arbitrary()?,
            layer: layer(u)?,
            group: u.int_in_range(0..=2)?,
            locks: locks(u, turns)?,
            damping_q16: damping_q16(u)?,
            user: u.arbitrary()?,
            allow_overlap: u.ratio(1, 4)?,
            on_hit: if u.ratio(1, 8)? { u.arbitrary()? } else { OnHit::Continue },
            priority: if u.ratio(1, 8)? { u.arbitrary()? } else { 0 },
        })
    }
}

impl<'a> Arbitrary<'a> for Locks {
    /// Mostly none.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let all = Self::ALL.and(Self::TURN_ALL);
        let bits = if u.ratio(1, 4)? { u.int_in_range(0..=all.bits())? } else { 0 };
        Ok(Self::try_from(bits).unwrap_or_default())
    }
}

/// Those of a body that does not turn are nearly always along which it does not move.
fn locks(u: &mut Unstructured<'_>, turns: bool) -> Result<Locks> {
    let locks: Locks = u.arbitrary()?;
    if turns || u.ratio(1, 16)? {
        return Ok(locks);
    }
    Ok(Locks::try_from(locks.bits() & Locks::ALL.bits()).unwrap_or_default())
}

/// One of the first shapes, or one of the first sets or its mirror image.
fn shape(u: &mut Unstructured<'_>) -> Result<ShapeId> {
    let number = u.int_in_range(0..=7)?;
    Ok(if u.ratio(1, 8)? { ShapeId::of_set(SetId(number / 2), number % 2 == 1) } else { ShapeId(number) })
}

/// Any, of parts that are often equal or zero.
fn rotation(u: &mut Unstructured<'_>) -> Result<Rotation> {
    let part = [u.arbitrary::<i8>()?, u.arbitrary()?, u.arbitrary()?, u.arbitrary()?];
    let [w, x, y, z] = part.map(|part| Scalar::from_bits(part.into()));
    Ok(Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY))
}

/// Mostly one of four layers; sometimes the first that is not there.
fn layer(u: &mut Unstructured<'_>) -> Result<u8> {
    if u.ratio(1, 16)? { Ok(LayerTable::LAYERS) } else { u.int_in_range(0..=3) }
}

/// Half the time none.
fn damping_q16(u: &mut Unstructured<'_>) -> Result<u16> {
    if u.arbitrary()? { u.arbitrary() } else { Ok(0) }
}

/// Three components of one width, some of them zero.
fn vector(u: &mut Unstructured<'_>) -> Result<Vec3> {
    let width = *u.choose(&WIDTHS)?;
    let most = (1_i64 << (width - 1)) - 1 + (1 << (width - 1));
    let mut raw = [0; 3];
    for part in &mut raw {
        if u.ratio(3, 4)? {
            *part = u.int_in_range(-most..=most)?;
        }
    }
    Ok(Vec3::from_raw(raw))
}
