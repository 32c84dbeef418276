//! Worlds from random bytes, for fuzz targets and property tests.

use std::sync::Arc;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::{
    geom::{Normal, Plane, Rotation, Vec3},
    num::Scalar,
    shape::{Hull, Obb, Shape},
    state::{
        BodyType, Command, Limits, Material, MaterialId, Scenery, SceneryBuilder, ShapeId, Spawn, Static,
    },
    tick::World,
};

/// The tick rates of drawn worlds.
const RATES: [u32; 6] = [10, 20, 30, 60, 120, 240];
/// The number of shapes that bodies have; those of the statics come after them.
const SHAPES: u16 = 4;
const MATERIALS: u16 = 3;
/// Half of the space in which bodies and statics are placed, in units.
const SPACE: i64 = 6;
/// The largest drawn velocity, in units per second.
const SPEED: i64 = 20;
const ONE: i64 = 1 << 32;

impl<'a> Arbitrary<'a> for World {
    /// A small world like those of games: lengths of about a unit, a floor and some statics, up to sixteen
    /// bodies of every type, gravity half of the time. No two solids overlap; a flat world is flat.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let flat = u.ratio(1, 4)?;
        let sleep_after = if u.ratio(1, 4)? { u.int_in_range(2..=30)? } else { 0 };
        let limits = Limits { flat, sleep_after, ..Limits::new(*u.choose(&RATES)?) };
        let mut draws = Draws { u, flat };
        let scenery = draws.scenery()?;
        let mut world = Self::new(limits, scenery).expect("limits of a usual world");
        let mut commands = Vec::new();
        if draws.u.arbitrary()? {
            let gravity = draws.vector(Scalar::from_bits(10 * ONE))?;
            commands.push(Command::SetGravity { gravity: limits.gravity_nearest_even(gravity) });
        }
        for _ in 0..draws.u.int_in_range(1..=16)? {
            commands.push(Command::Spawn(draws.spawn(&limits)?));
        }
        // A spawn that would overlap is refused.
        let _ = world.apply(&commands);
        Ok(world)
    }
}

/// Draws of one world.
struct Draws<'a, 'b> {
    u: &'a mut Unstructured<'b>,
    flat: bool,
}

impl Draws<'_, '_> {
    fn scenery(&mut self) -> Result<Arc<Scenery>> {
        let mut builder = SceneryBuilder::default();
        for _ in 0..MATERIALS {
            let restitution_q16 = self.u.int_in_range(0..=1 << 16)?;
            builder.material(Material { restitution_q16, friction_q16: self.u.int_in_range(0..=1 << 16)? });
        }
        for _ in 0..SHAPES {
            let shape = self.shape()?;
            builder.shape(shape);
        }
        let floor = Plane::from_point_normal(Vec3::ZERO, Normal::Y).expect("a normal");
        let floor = builder.shape(Shape::Plane(floor));
        builder.fixed(floor, MaterialId(0), Vec3::from_raw([0, -SPACE * ONE, 0]));
        for _ in 0..self.u.int_in_range(0..=5)? {
            let shape = self.shape()?;
            let shape = builder.shape(shape);
            let (material, position) = (self.material()?, self.vector(Scalar::from_bits(SPACE * ONE))?);
            builder.add(Static { shape, material, position, layer: 0 });
        }
        Ok(builder.build().expect("shapes of about a unit"))
    }

    fn spawn(&mut self, limits: &Limits) -> Result<Spawn> {
        let shape = ShapeId(self.u.int_in_range(0..=SHAPES - 1)?);
        let kind = *self.u.choose(&[
            BodyType::Dynamic,
            BodyType::Dynamic,
            BodyType::Dynamic,
            BodyType::Kinematic,
            BodyType::Static,
        ])?;
        let position = self.vector(Scalar::from_bits(SPACE * ONE))?;
        let velocity = limits.velocity_nearest(self.vector(Scalar::from_bits(SPEED * ONE))?);
        Ok(Spawn {
            material: self.material()?,
            mass: self.u.int_in_range(1..=60)?,
            velocity: if kind == BodyType::Static { Vec3::ZERO } else { velocity },
            rotates: !self.flat && self.u.arbitrary()?,
            body_type: kind,
            user: self.u.arbitrary()?,
            ..Spawn::new(shape, position)
        })
    }

    /// A sphere, a box, a capsule or a hull that any body can have, whether it rotates or not.
    fn shape(&mut self) -> Result<Shape> {
        let mut size = || Ok(Scalar::from_bits(self.u.int_in_range(ONE / 4..=ONE)?));
        let (radius, half) = (size()?, Vec3::new(size()?, size()?, size()?));
        Ok(match self.u.int_in_range(0..=3)? {
            0 => Shape::sphere(radius),
            1 => Shape::Obb(Obb::new(half, Rotation::IDENTITY)),
            2 => Shape::capsule(Vec3::new(half.x, Scalar::ZERO, Scalar::ZERO), radius),
            _ => Shape::hull(self.hull(half)?),
        })
    }

    /// A prism of a polygon that is wider than a line, wherever its corners are.
    fn hull(&mut self, half: Vec3) -> Result<Hull> {
        let mut aside = || Ok(Scalar::from_bits(self.u.int_in_range(ONE / 8..=ONE)?));
        let polygon = [[half.x, -aside()?], [aside()?, half.y], [-half.x, aside()?], [-aside()?, -half.y]];
        Ok(Hull::prism(&polygon, half.z).expect("its diagonals cross"))
    }

    fn material(&mut self) -> Result<MaterialId> {
        Ok(MaterialId(self.u.int_in_range(0..=MATERIALS - 1)?))
    }

    /// A vector of components up to a limit, in the plane of a flat world.
    fn vector(&mut self, most: Scalar) -> Result<Vec3> {
        let most = most.to_bits();
        let mut raw = [0; 3];
        for part in &mut raw[..if self.flat { 2 } else { 3 }] {
            *part = self.u.int_in_range(-most..=most)?;
        }
        Ok(Vec3::from_raw(raw))
    }
}
