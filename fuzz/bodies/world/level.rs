//! The static level of a drawn world.

use std::sync::Arc;

use arbitrary::Result;
use bitstep::{
    geom::{Normal, Plane, Vec3},
    num::Scalar,
    shape::{Cell, Heights, Mesh, Shape},
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
        if self.more.ground && !self.limits.flat {
            self.ground(&mut builder)?;
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

    /// Hills below the places near the origin, or loose triangles among these.
    fn ground(&mut self, builder: &mut SceneryBuilder) -> Result<()> {
        let edge = (self.unit & !0xffff).max(1 << 16);
        let (mesh, low) = if self.bytes.ratio(2, 3)? {
            (self.hills(edge)?, [-2 * edge, -3 * self.unit, -2 * edge])
        } else {
            (self.sheets(edge)?, [0; 3])
        };
        // Loose triangles may all be none.
        if let Some(mesh) = mesh {
            let (shape, material) = (builder.shape(Shape::Mesh(mesh)), self.material()?);
            self.ground = Some(builder.fixed(shape, material, Vec3::from_raw(low)));
        }
        Ok(())
    }

    /// Sixteen cells of heights up to a cell's edge, of which some are holes.
    fn hills(&mut self, edge: i64) -> Result<Option<Mesh>> {
        let steps = *self.bytes.choose(&[0, 1, 8])?;
        let mut heights = Vec::new();
        for _ in 0..25 {
            heights.push(self.bytes.int_in_range(-steps..=steps)?);
        }
        let mut cells = Vec::new();
        for _ in 0..16 {
            let kind: u8 = self.bytes.arbitrary()?;
            let cell = Cell::new(if kind >> 4 == 0 { 127 } else { 0 });
            cells.push(if kind & 1 == 0 { cell } else { cell.with_other_diagonal() });
        }
        let unit = Scalar::from_bits((edge >> 3 & !0xffff).max(1 << 16));
        let made = Heights::new(5, Scalar::from_bits(edge), unit, heights);
        Ok(made.and_then(|made| made.with_cells(cells)).and_then(Mesh::of_heights).ok())
    }

    /// Some triangles with corners at few places, so that they share edges, cut and repeat each other.
    fn sheets(&mut self, edge: i64) -> Result<Option<Mesh>> {
        let mut points = Vec::new();
        for _ in 0..3 * self.bytes.int_in_range(1..=8)? {
            let mut part = || Ok(self.bytes.int_in_range(-2..=2)? * edge / 2);
            points.push(Vec3::from_raw([part()?, part()?, part()?]));
        }
        let triangles: Vec<[u32; 3]> =
            (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Ok(Mesh::new(&points, &triangles).ok())
    }
}
