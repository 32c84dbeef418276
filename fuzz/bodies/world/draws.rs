//! A small world and what is done with it, out of bytes.
//!
//! Lengths depend on one unit, of any size a shape may have, so that bodies meet; limits and the ends of the
//! ranges are drawn on purpose, since uniform bits would hardly ever be accepted.
//!
//! The first byte gives the unit and, divided by eleven, the additional features. Below eleven no body
//! sleeps, every body is one shape, and all rotate about all axes or, in a flat world, about none.

#[path = "level.rs"]
mod level;
#[path = "more.rs"]
mod more;
#[path = "orders.rs"]
mod orders;

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use bitstep::{
    geom::{ANGULAR_SPEED_MAX, Normal, Plane, Rotation, Vec3},
    num::Scalar,
    shape::{Hull, Obb, SIZE_MAX, Shape, ShapeError},
    state::{
        BodyId, BodyType, ChildShape, Command, CompoundId, Limits, Locks, MaterialId, Scenery, ShapeId,
        Spawn, StaticId,
    },
};

use more::More;

/// How many shapes bodies may have; those of the statics come after them.
const SHAPES: u16 = 4;
/// How many sets of them.
const SETS: u16 = 3;
/// Sizes of a unit, as powers of two of a raw.
const UNITS: [u32; 11] = [32, 31, 33, 28, 24, 36, 40, 43, 12, 6, 2];
const TICKS_MAX: u64 = 40;
/// The largest extent of a world, and its largest speed, in raw.
const EXTENT_MAX: i64 = 1 << 56;
const SPEED_MAX: i64 = 2048 << 32;

/// A world and the commands of each of its ticks.
#[derive(Clone, Debug)]
pub struct Case {
    /// The limits of the world.
    pub limits: Limits,
    /// The static level.
    pub scenery: Arc<Scenery>,
    /// The commands before each tick.
    pub ticks: Vec<Vec<Command>>,
}

/// The source of lengths.
struct Draws<'a, 'b> {
    bytes: &'a mut Unstructured<'b>,
    /// A usual size of a shape, in raw.
    unit: i64,
    /// True if bodies come to rest: in a tub, under a weak gravity, slow.
    calm: bool,
    /// True if some bodies rotate and all have friction.
    turning: bool,
    more: More,
    limits: Limits,
    /// The static that is a mesh.
    ground: Option<StaticId>,
}

impl Case {
    /// A case out of bytes; without enough of them the rest is zero.
    ///
    /// # Errors
    ///
    /// As [`Unstructured`] has them.
    pub fn draw(bytes: &mut Unstructured) -> Result<Option<Self>> {
        let more = More::of(bytes);
        let unit = 1 << *bytes.choose(&UNITS)?;
        let calm = bytes.arbitrary()?;
        let mut draws =
            Draws { bytes, unit, calm, turning: false, more, limits: Limits::new(60), ground: None };
        draws.limits = draws.limits()?;
        draws.turning = (!draws.limits.flat || more.flat_turning) && draws.bytes.ratio(2, 3)?;
        let Some(scenery) = draws.scenery()? else { return Ok(None) };
        let limits = draws.limits;
        let ticks = draws.ticks()?;
        Ok(Some(Self { limits, scenery, ticks }))
    }
}

impl Draws<'_, '_> {
    fn limits(&mut self) -> Result<Limits> {
        let extents = [EXTENT_MAX, self.unit.saturating_mul(64).min(EXTENT_MAX), self.unit.saturating_mul(8)];
        let speeds = [self.unit, self.unit / 8, 128 << 32, SPEED_MAX].map(|raw| raw.clamp(1, SPEED_MAX));
        let speed_max = *self.bytes.choose(&speeds)?;
        let rest_speed = if self.bytes.ratio(1, 4)? { self.bytes.int_in_range(0..=speed_max)? } else { 0 };
        let budget = match self.bytes.int_in_range(0..=2)? {
            0 => Limits::BUDGET_MAX,
            1 => 1,
            _ => self.bytes.int_in_range(1..=Limits::BUDGET_MAX)?,
        };
        Ok(self
            .limits
            .with_extent(Scalar::from_bits(*self.bytes.choose(&extents)?))
            .with_speed_max(Scalar::from_bits(speed_max))
            .with_size_max(SIZE_MAX)
            .with_rest_speed(Scalar::from_bits(rest_speed))
            .with_bodies_max(self.bytes.int_in_range(8..=16)?)
            .with_pairs_max(if self.bytes.ratio(1, 8)? { self.bytes.int_in_range(1..=200)? } else { 1 << 22 })
            .with_budget(budget)
            .with_flat(self.bytes.ratio(1, 4)?)
            .with_sleep_after(if self.more.sleep { self.bytes.int_in_range(2..=9)? } else { 0 })
            .with_substeps(self.more.steps)
            .with_separation_speed(self.separation_speed()?))
    }

    /// Child shapes of a compound: within each other or apart, some on a layer of their own.
    fn children(&mut self, shapes: &[Shape]) -> Result<Vec<ChildShape>> {
        let mut children = Vec::new();
        for _ in 0..self.bytes.int_in_range(1..=5)? {
            let index = self.bytes.int_in_range(0..=SHAPES - 1)?;
            let half = shapes[usize::from(index)].half_extent().unwrap_or_default();
            let [offset, most] = [self.vector(self.unit * 2)?, Vec3::splat(SIZE_MAX) - half];
            let layer = if self.bytes.ratio(1, 3)? { Some(self.bytes.int_in_range(0..=2)?) } else { None };
            children.push(ChildShape {
                offset: offset.max(-most).min(most),
                layer,
                ..ChildShape::new(ShapeId(index))
            });
        }
        Ok(children)
    }

    fn material(&mut self) -> Result<MaterialId> {
        Ok(MaterialId(self.bytes.int_in_range(0..=2)?))
    }

    /// A half extent or radius: a unit, a part of one, much of one, or the ends of the range.
    fn size(&mut self) -> Result<Scalar> {
        let raw = match self.bytes.int_in_range(0..=15)? {
            0..=7 => self.unit,
            8..=10 => self.bytes.int_in_range(self.unit / 4..=self.unit)?,
            11 => self.unit / 16,
            12 => self.unit * 4,
            13 => self.bytes.int_in_range(1..=100)?,
            14 => 1,
            _ => SIZE_MAX.to_bits(),
        };
        Ok(Scalar::from_bits(raw).clamp(Scalar::DELTA, SIZE_MAX))
    }

    fn half(&mut self) -> Result<Vec3> {
        let side = self.size()?;
        if self.bytes.arbitrary()? {
            Ok(Vec3::splat(side))
        } else {
            Ok(Vec3::new(side, self.size()?, self.size()?))
        }
    }

    fn solid(&mut self) -> Result<Shape> {
        if self.turning && self.bytes.arbitrary()? {
            return self.turner();
        }
        match self.bytes.int_in_range(0..=3)? {
            0 => Ok(Shape::sphere(self.size()?)),
            1 => Ok(Shape::aabb(self.half()?)),
            2 => self.capsule(),
            _ => self.hull(Hull::upright),
        }
    }

    /// A hull of points within a box, some of them on a grid so coarse that faces are in one plane, or a cylinder; in a flat world a prism.
    fn hull(&mut self, made: fn(&[Vec3]) -> std::result::Result<Hull, ShapeError>) -> Result<Shape> {
        let half = self.half()?;
        let hull = match self.bytes.int_in_range(0..=2)? {
            0 => Hull::cylinder(half.x, half.z, self.bytes.int_in_range(3..=32)?),
            kind => {
                let mut points = Vec::new();
                for _ in 0..self.bytes.int_in_range(4..=12)? {
                    let mut raw = half.raw();
                    for part in &mut raw {
                        let coarse = self.bytes.int_in_range(-2..=2)? * (*part / 2);
                        *part = if kind == 1 { coarse } else { self.bytes.int_in_range(-*part..=*part)? };
                    }
                    let [x, y, z] = raw;
                    let ends = if self.limits.flat { [half.z.to_bits(), -half.z.to_bits()] } else { [z; 2] };
                    points.extend(ends.map(|z| Vec3::from_raw([x, y, z])));
                }
                made(&points)
            }
        };
        let shape = hull.map_or(Shape::sphere(half.x), Shape::hull);
        Ok(if shape.check(SIZE_MAX).is_ok() { shape } else { Shape::sphere(half.x) })
    }

    /// A shape that may rotate, unless it is too thin or too large.
    fn turner(&mut self) -> Result<Shape> {
        let half = self.half()?;
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 => Shape::sphere(half.x),
            1 => Shape::Obb(Obb::along_axes(half)),
            2 => self.hull(Hull::of)?,
            _ => Shape::capsule(Vec3::new(Scalar::ZERO, half.x, Scalar::ZERO), half.y),
        })
    }

    fn rotation(&mut self) -> Result<Rotation> {
        let mut parts = [Scalar::ZERO; 4];
        for part in &mut parts {
            *part = Scalar::from_bits(self.bytes.int_in_range(-1000..=1000_i64)? << 20);
        }
        let [w, x, y, z] = parts;
        let [x, y] = if self.limits.flat { [Scalar::ZERO; 2] } else { [x, y] };
        Ok(Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY))
    }

    /// Up to the limit, or a raw.
    fn angular_velocity(&mut self) -> Result<Vec3> {
        let most = *self.bytes.choose(&[0, 1 << 26, 1 << 31, 1 << 31, ANGULAR_SPEED_MAX.to_bits(), 1])?;
        let mut raw = [0; 3];
        for part in &mut raw {
            *part = self.bytes.int_in_range(-most..=most)?;
        }
        Ok(self.about(Vec3::from_raw(raw)))
    }

    /// An axis of rotation: in a flat world the third one.
    fn about(&self, vector: Vec3) -> Vec3 {
        if self.limits.flat { Vec3::new(Scalar::ZERO, Scalar::ZERO, vector.z) } else { vector }
    }

    /// The locks of a body; one that does not rotate has locks of displacement only.
    fn locks(&self, locks: Locks, rotates: bool) -> Locks {
        let all = if self.more.turn_locks && rotates { Locks::ALL.and(Locks::TURN_ALL) } else { Locks::ALL };
        Locks::try_from(locks.bits() & all.bits()).expect("axes")
    }

    /// Along any direction; one that is too large for that is a ball.
    fn capsule(&mut self) -> Result<Shape> {
        let (radius, most) = (self.size()?, self.size()?.to_bits());
        let capsule = Shape::capsule(self.vector(most)?, radius);
        Ok(if capsule.check(SIZE_MAX).is_ok() { capsule } else { Shape::sphere(radius) })
    }

    /// Any half-space; along an axis half the time.
    fn plane(&mut self) -> Result<Shape> {
        let axes = if self.limits.flat { 1 } else { 2 };
        let mut parts = [0; 3];
        if self.bytes.arbitrary()? {
            let bits = self.bytes.int_in_range(0..=30)?;
            for part in &mut parts[..=axes] {
                *part = self.bytes.int_in_range(-(1_i32 << bits)..=1 << bits)?;
            }
        } else {
            parts[self.bytes.int_in_range(0..=axes)?] = if self.bytes.arbitrary()? { 1 } else { -1 };
        }
        let normal = if parts == [0; 3] { Normal::Y } else { Normal::new(parts[0], parts[1], parts[2]) };
        let of = |normal| Plane::from_point_normal(Vec3::ZERO, normal).map(Shape::Plane);
        Ok(of(normal).or(of(Normal::Y)).expect("a normal"))
    }

    /// Turned in any way; one that is too short for that is none.
    fn obb(&mut self) -> Result<Shape> {
        let mut parts = [0_i64; 4];
        for (index, part) in parts.iter_mut().enumerate() {
            if !self.limits.flat || index % 3 == 0 {
                *part = self.bytes.int_in_range(-1000..=1000)?;
            }
        }
        let [w, x, y, z] = parts.map(Scalar::from_bits);
        let rotation = Rotation::from_quaternion(w, x, y, z).unwrap_or(Rotation::IDENTITY);
        let obb = Shape::Obb(Obb::new(self.half()?, rotation));
        if obb.check(SIZE_MAX).is_ok() { Ok(obb) } else { self.solid() }
    }

    fn flat(&self, vector: Vec3) -> Vec3 {
        if self.limits.flat { Vec3::new(vector.x, vector.y, Scalar::ZERO) } else { vector }
    }

    fn vector(&mut self, most: i64) -> Result<Vec3> {
        let mut raw = [0; 3];
        for part in &mut raw {
            if self.bytes.ratio(3, 4)? {
                *part = self.bytes.int_in_range(-most..=most)?;
            }
        }
        Ok(self.flat(Vec3::from_raw(raw)))
    }

    /// Near others, exactly touching a row of them, nearly the same, or at the border of the world.
    fn position(&mut self) -> Result<Vec3> {
        let extent = self.limits.extent.to_bits();
        let near = match self.bytes.int_in_range(0..=15)? {
            0..=13 if self.calm => self.vector(3 * self.unit)?,
            0..=7 => self.vector(6)?.map_raw(|part| part * self.unit),
            8..=13 => self.vector(self.unit.saturating_mul(6))?,
            14 => self.vector(3)?,
            _ => {
                let corner = self.vector(1)?.map_raw(|part| part * extent);
                let inward = self.vector(self.unit)?;
                corner - inward
            }
        };
        Ok(near.map_raw(|part| part.clamp(-extent, extent)))
    }

    /// Within the speed limit: a part of a unit, all that is allowed along an axis or across, a raw.
    fn velocity(&mut self) -> Result<Vec3> {
        let most = self.limits.speed_max.to_bits();
        Ok(match self.bytes.int_in_range(0..=7)? {
            0..=5 if self.calm => self.vector((self.unit / 64).clamp(1, most / 2 + 1))?,
            0 => Vec3::ZERO,
            1..=3 => self.vector((self.unit / 8).clamp(1, most / 2 + 1))?,
            4 => self.vector(self.unit.clamp(1, most / 2 + 1))?,
            5 => {
                let mut raw = [0; 3];
                raw[self.bytes.int_in_range(0..=1)?] = if self.bytes.arbitrary()? { most } else { -most };
                Vec3::from_raw(raw)
            }
            6 => self.vector(most / 2 + 1)?,
            _ => self.vector(1)?,
        })
    }

    fn gravity(&mut self) -> Result<Vec3> {
        let most = self.limits.speed_max.to_bits();
        let strength = *self.bytes.choose(&[self.unit >> 9, self.unit >> 6, self.unit >> 2, 16, most])?;
        let gravity =
            if self.bytes.ratio(1, 4)? { Vec3::from_raw([0, -strength, 0]) } else { self.vector(strength)? };
        Ok(gravity.map_raw(|part| part.clamp(-most, most) / 2 * 2))
    }

    fn mass(&mut self) -> Result<u32> {
        Ok(match self.bytes.int_in_range(0..=3)? {
            0 | 1 => 1,
            2 => self.limits.mass_max,
            _ => self.bytes.int_in_range(1..=100)?,
        })
    }

    fn ticks(&mut self) -> Result<Vec<Vec<Command>>> {
        let mut first = Vec::new();
        if self.bytes.ratio(3, 4)? {
            first.push(Command::SetGravity { gravity: self.gravity()? });
        }
        for _ in 0..self.bytes.int_in_range(1..=14)? {
            first.push(self.spawn()?);
        }
        let mut ticks = vec![first];
        let count = self.bytes.int_in_range(1..=TICKS_MAX)?;
        for _ in 1..count {
            let mut commands = Vec::new();
            for _ in 0..self.bytes.int_in_range(0..=6_u32)?.saturating_sub(3) {
                commands.push(self.command()?);
            }
            ticks.push(commands);
        }
        Ok(ticks)
    }

    /// Many of a few properties; most bodies are plain.
    fn spawn(&mut self) -> Result<Command> {
        let position = self.position()?;
        let shape = ShapeId(self.bytes.int_in_range(0..=SHAPES - 1)?);
        let mut spawn = Spawn {
            material: self.material()?,
            mass: self.mass()?,
            allow_overlap: self.bytes.ratio(1, 6)?,
            ..Spawn::new(shape, position)
        };
        if self.bytes.ratio(1, 3)? {
            (spawn.body_type, spawn.locks) = self.bytes.arbitrary()?;
            spawn.layer = self.bytes.int_in_range(0..=2)?;
            spawn.group = self.bytes.int_in_range(0..=4_u16)?.saturating_sub(2);
            spawn.damping_q16 = self.bytes.arbitrary()?;
            spawn.user = self.bytes.arbitrary()?;
        }
        if spawn.body_type != BodyType::Static {
            spawn.velocity = spawn.locks.free_part(self.velocity()?);
        }
        if self.turning && self.bytes.ratio(3, 4)? {
            spawn.rotates = true;
            spawn.orientation = self.rotation()?;
            if spawn.body_type != BodyType::Static {
                spawn.angular_velocity = self.angular_velocity()?;
            }
        }
        spawn.locks = self.locks(spawn.locks, spawn.rotates);
        if self.more.turn_locks && self.bytes.ratio(1, 3)? {
            let locks = self.bytes.int_in_range(0..=63_u8)?.try_into().expect("axes");
            spawn.locks = self.locks(locks, spawn.rotates);
            spawn.velocity = spawn.locks.free_part(spawn.velocity);
        }
        if self.more.sets && self.bytes.ratio(1, 2)? {
            let (set, mirrored) = self.set()?;
            let whole = Spawn { shape: ShapeId::of_compound(set, mirrored), rotates: false, ..spawn };
            let still = Spawn { orientation: Rotation::IDENTITY, angular_velocity: Vec3::ZERO, ..whole };
            spawn = Spawn { locks: self.locks(spawn.locks, false), ..still };
        }
        if self.more.rules && spawn.body_type == BodyType::Dynamic {
            spawn.on_hit = self.bytes.arbitrary()?;
        }
        spawn.dominance = self.dominance(spawn.body_type)?;
        Ok(Command::Spawn(spawn))
    }

    fn set(&mut self) -> Result<(CompoundId, bool)> {
        Ok((CompoundId(self.bytes.int_in_range(0..=SETS - 1)?), self.bytes.arbitrary()?))
    }

    /// Any command; one of sixteen comes from bits that ignore this world.
    fn command(&mut self) -> Result<Command> {
        let body = BodyId::from_parts(self.bytes.int_in_range(0..=12)?, u32::from(self.bytes.ratio(1, 8)?));
        let allow_overlap = self.bytes.ratio(1, 4)?;
        if self.turning && self.bytes.ratio(1, 3)? {
            return self.turning_command(body, allow_overlap);
        }
        if (self.more.rules || self.more.soft) && self.bytes.ratio(1, 3)? {
            return self.rule_command(body);
        }
        if self.more.sleep && self.bytes.ratio(1, 8)? {
            return Ok(Command::SetSleep { body, sleeps: self.bytes.arbitrary()? });
        }
        if self.more.sets && self.bytes.ratio(1, 5)? {
            let (set, mirrored) = self.set()?;
            return Ok(Command::SetCompound { body, compound: set, mirrored, allow_overlap });
        }
        if self.more.turn_locks && self.bytes.ratio(1, 8)? {
            let locks = self.bytes.int_in_range(0..=63_u8)?.try_into().expect("axes");
            return Ok(Command::SetLocks { body, locks });
        }
        if self.ground.is_some() && self.bytes.ratio(1, 4)? {
            return self.heights_command();
        }
        Ok(match self.bytes.int_in_range(0..=15)? {
            0 | 1 => self.spawn()?,
            2 => Command::Remove { body },
            3 => Command::Teleport { body, position: self.position()?, orientation: None, allow_overlap },
            4 | 5 => Command::SetVelocity { body, velocity: self.velocity()? },
            6 => {
                let mass = i64::from(self.mass()?);
                Command::ApplyImpulse { body, impulse: self.velocity()?.map_raw(|part| part * mass) }
            }
            7 => Command::MoveKinematic { body, position: self.position()? },
            8 => Command::SetGravity { gravity: self.gravity()? },
            9 => {
                let shape = ShapeId(self.bytes.int_in_range(0..=SHAPES)?);
                Command::SetShape { body, shape, allow_overlap }
            }
            10 => {
                let (layer, group) = (self.bytes.int_in_range(0..=2)?, self.bytes.int_in_range(0..=2)?);
                Command::SetFilter { body, layer, group, allow_overlap }
            }
            11 => {
                let (a, b) = (self.bytes.int_in_range(0..=2)?, self.bytes.int_in_range(0..=2)?);
                Command::SetLayers { a, b, rule: self.bytes.arbitrary()?, allow_overlap }
            }
            12 => {
                let locks = self.bytes.arbitrary()?;
                Command::SetLocks { body, locks: self.locks(locks, false) }
            }
            13 => Command::SetDamping { body, damping_q16: self.bytes.arbitrary()? },
            14 => Command::SetUser { body, user: self.bytes.arbitrary()? },
            _ => self.bytes.arbitrary()?,
        })
    }
}
