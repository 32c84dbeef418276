//! The static level of a drawn world.

use std::sync::Arc;

use arbitrary::Result;
use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    shape::Shape,
    state::{Material, MaterialId, Scenery, SceneryBuilder, Static},
};

use super::{Draws, SETS, SHAPES};

/// Tiles along each axis of a floor.
const TILES: i64 = 4;

impl Draws<'_, '_> {
    pub(super) fn scenery(&mut self) -> Result<Option<Arc<Scenery>>> {
        let mut builder = SceneryBuilder::default();
        for restitution_q16 in [0, self.bytes.int_in_range(0..=1 << 16)?, 1 << 16] {
            let friction_q16 = if self.turning { self.bytes.int_in_range(0..=1 << 17)? } else { 0 };
            builder.material(Material::from_q16(restitution_q16, friction_q16).unwrap());
        }
        let mut shapes = Vec::new();
        for _ in 0..SHAPES {
            let shape = self.solid()?;
            builder.shape(shape.clone());
            shapes.push(shape);
        }
        for _ in 0..if self.more.sets { SETS } else { 0 } {
            builder.compound(self.children(&shapes)?);
        }
        if self.calm {
            self.tub(&mut builder);
        }
        if self.more.tiles {
            self.tiles(&mut builder)?;
        }
        for _ in 0..self.bytes.int_in_range(0..=5)? {
            let shape = match self.bytes.int_in_range(0..=4)? {
                0 => self.solid()?,
                1 | 2 => self.plane()?,
                _ => self.obb()?,
            };
            let (shape, position) = (builder.shape(shape), self.position()?);
            let layer = if self.bytes.ratio(1, 8)? { 1 } else { 0 };
            let material = self.material()?;
            builder.add(Static { shape, material, position, layer });
        }
        Ok(builder.build().ok())
    }

    /// A floor and walls around the places near the origin.
    fn tub(&self, builder: &mut SceneryBuilder) {
        let sides = [(Normal::Y, 1), (Normal::X, 0), (-Normal::X, 0), (Normal::Z, 2), (-Normal::Z, 2)];
        let flat = if self.limits.flat { 3 } else { sides.len() };
        for (normal, axis) in sides.into_iter().take(flat) {
            let plane = Plane::from_point_normal(Vec3::ZERO, normal).expect("a normal");
            let shape = builder.shape(Shape::Plane(plane));
            let mut position = [0; 3];
            position[axis] = -i64::from(normal.components()[axis].signum()) * self.unit * 4;
            builder.fixed(shape, MaterialId(0), Vec3::from_raw(position));
        }
    }

    /// A floor of flush boxes below the places near the origin, some of which are lower, or thinner than others.
    fn tiles(&mut self, builder: &mut SceneryBuilder) -> Result<()> {
        let rows = if self.limits.flat { 1 } else { TILES };
        for index in 0..TILES * rows {
            let lower = [0, 0, 0, 0, 0, self.unit >> 12, self.unit >> 8, self.unit / 2];
            let lower = *self.bytes.choose(&lower)?;
            let thick = if self.bytes.ratio(1, 4)? { self.unit / 4 + 1 } else { self.unit };
            let half = [self.unit, thick, self.unit].map(Scalar::from_bits);
            let shape = builder.shape(Shape::aabb(Vec3::new(half[0], half[1], half[2])));
            let [x, z] = [index % TILES, index / TILES].map(|cell| (2 * cell + 1 - TILES) * self.unit);
            let y = -3 * self.unit - thick - lower;
            let position = Vec3::from_raw([x, y, if self.limits.flat { 0 } else { z }]);
            let material = self.material()?;
            builder.add(Static { shape, material, position, layer: 0 });
        }
        Ok(())
    }
}
