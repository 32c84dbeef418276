//! Commands on rotation, on the rules of bodies, and on ground.

use arbitrary::Result;
use bitstep::{
    geom::Vec3,
    num::Scalar,
    state::{BodyId, BodyType, Collider, Command, Rule, StaticId},
};

use super::Draws;

impl Draws<'_, '_> {
    pub(super) fn turning_command(&mut self, body: BodyId, allow_overlap: bool) -> Result<Command> {
        let mass = i64::from(self.mass()?);
        let impulse = self.velocity()?.map_raw(|part| part * mass);
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => Command::ApplyImpulseAt { body, impulse, point: self.position()? },
            1 => {
                let turned = Vec3::new(impulse.z, impulse.y, impulse.x);
                let angular_impulse = if self.limits.flat { self.about(turned) } else { impulse };
                Command::ApplyAngularImpulse { body, angular_impulse }
            }
            2 => {
                let (position, orientation) = (self.position()?, self.rotation()?);
                Command::Teleport { body, position, orientation: Some(orientation), allow_overlap }
            }
            _ => Command::SetAngularVelocity { body, angular_velocity: self.angular_velocity()? },
        })
    }

    /// The speed at which overlapping bodies are separated.
    pub(super) fn separation_speed(&mut self) -> Result<Scalar> {
        let raw = [self.unit / 8, self.unit / 64, 4 << 32, 1];
        let raw = if self.more.soft { (*self.bytes.choose(&raw)?).clamp(1, 4 << 32) } else { 0 };
        Ok(Scalar::from_bits(raw))
    }

    pub(super) fn dominance(&mut self, kind: BodyType) -> Result<u8> {
        let is_ranked = self.more.soft && kind == BodyType::Dynamic;
        if is_ranked { Ok(*self.bytes.choose(&[0, 0, 1, 255])?) } else { Ok(0) }
    }

    fn soft_command(&mut self, body: BodyId) -> Result<Command> {
        if self.bytes.arbitrary()? {
            return Ok(Command::SetDominance { body, dominance: self.dominance(BodyType::Dynamic)? });
        }
        let [a, b] = [self.bytes.int_in_range(0..=2)?, self.bytes.int_in_range(0..=2)?];
        Ok(Command::SetLayers { a, b, rule: Rule::Soft, allow_overlap: false })
    }

    pub(super) fn rule_command(&mut self, body: BodyId) -> Result<Command> {
        if self.more.soft && (!self.more.rules || self.bytes.arbitrary()?) {
            return self.soft_command(body);
        }
        Ok(match self.bytes.int_in_range(0..=6)? {
            0 | 1 => Command::Freeze { body, ticks: self.bytes.int_in_range(0..=7)? },
            2 => Command::SetOnHit { body, on_hit: self.bytes.arbitrary()? },
            3 | 4 => {
                let raw = self.velocity()?.raw().into_iter().fold(0, |most, raw| raw.abs().max(most));
                let accel_max = Scalar::from_bits(raw >> self.bytes.int_in_range(0..=20)?);
                Command::Drive { body, velocity: self.velocity()?, accel_max }
            }
            5 => {
                let other = BodyId::from_parts(self.bytes.int_in_range(0..=15)?, 0);
                let fixed = Collider::Static(StaticId(self.bytes.int_in_range(0..=4)?));
                let b = if self.bytes.arbitrary()? { Collider::Body(other) } else { fixed };
                Command::IgnorePair { a: body, b, ticks: self.bytes.int_in_range(0..=9)? }
            }
            _ => Command::EndDrive { body },
        })
    }

    /// A few heights of the mesh, which may be no ground of heights, or now and then of another static.
    pub(super) fn heights_command(&mut self) -> Result<Command> {
        let other = StaticId(self.bytes.int_in_range(0..=4)?);
        let ground = self.ground.filter(|_| other.0 > 0).unwrap_or(other);
        let at = [self.bytes.int_in_range(0..=4)?, self.bytes.int_in_range(0..=4)?];
        Ok(Command::SetHeights {
            ground,
            at,
            heights: self.bytes.arbitrary()?,
            lift: self.bytes.arbitrary()?,
        })
    }
}
