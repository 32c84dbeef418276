//! A model in the making: what its reader has found so far, in the grid of a mesh.

use bitstep::{geom::Vec3, shape::Mesh};

use super::{
    affine::{Affine, Rounded},
    number::Number,
};

/// The largest number of materials of a mesh.
const MATERIALS_MAX: usize = 256;
/// The bits of a raw in a step of the grid.
const STEP_BITS: u32 = 16;

/// Points, triangles and materials, as [`Mesh::with_materials`] takes them.
#[derive(Default)]
pub struct Model {
    pub points: Vec<[i32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    /// The material of each triangle, by its place among the names.
    pub materials: Vec<u8>,
    /// The names in the order of their first use; an empty one is no name.
    pub names: Vec<String>,
    /// Coordinates that were rounded, and the largest distance that one was moved, in units of 2^-32, rounded up.
    pub rounded: (u64, u32),
    /// Parts that are no triangles and were left out: points, lines.
    pub left_out: u64,
}

impl Model {
    /// Adds a point, and returns its place; the reason why it cannot be in a mesh.
    pub fn point(&mut self, transform: &Affine, point: &[Number; 3]) -> Result<u32, String> {
        let limit = Mesh::EXTENT_MAX;
        let image = transform.image(point).map_err(|beyond| {
            format!("{} is {}, must be at most {limit} in magnitude", beyond.axis, beyond.value)
        })?;
        if self.points.len() == Mesh::COUNT_MAX {
            return Err(format!("more than {} points", Mesh::COUNT_MAX));
        }
        for Rounded { moved, .. } in &image {
            self.rounded.0 += u64::from(*moved > 0);
            self.rounded.1 = self.rounded.1.max(*moved);
        }
        self.points.push(image.map(|part| part.steps));
        Ok(self.points.len() as u32 - 1)
    }

    /// Adds a triangle; the reason why there are too many.
    pub fn triangle(&mut self, corners: [u32; 3], material: u8) -> Result<(), String> {
        if self.triangles.len() == Mesh::COUNT_MAX {
            return Err(format!("more than {} triangles", Mesh::COUNT_MAX));
        }
        self.triangles.push(corners);
        self.materials.push(material);
        Ok(())
    }

    /// The number of a material by its name; the reason why there are too many.
    pub fn material(&mut self, name: &str) -> Result<u8, String> {
        let found = self.names.iter().position(|other| other == name);
        let number = found.unwrap_or(self.names.len());
        if number == MATERIALS_MAX {
            return Err(format!("material {name:?} is one more than {MATERIALS_MAX}, the most of a mesh"));
        }
        if found.is_none() {
            self.names.push(name.to_owned());
        }
        Ok(number as u8)
    }

    /// True if the triangles of a fan face one way: else they overlap, and the polygon is concave or folded.
    pub fn is_fan(&self, corners: &[u32]) -> bool {
        let mut first = None;
        corners[1..].windows(2).all(|pair| {
            let [a, b, c] = [corners[0], pair[0], pair[1]].map(|corner| self.points[corner as usize]);
            let Some(normal) = normal(a, b, c) else { return true };
            let facing = first.get_or_insert(normal);
            (0..3).map(|axis| facing[axis] * normal[axis]).sum::<i128>() >= 0
        })
    }

    /// The mesh.
    pub fn bake(&self) -> Result<Mesh, String> {
        let raw = |step: i32| i64::from(step) << STEP_BITS;
        let points: Vec<Vec3> = self.points.iter().map(|point| Vec3::from_raw(point.map(raw))).collect();
        Mesh::with_materials(&points, &self.triangles, &self.materials).map_err(|error| error.to_string())
    }
}

/// The normal of a triangle; nothing if it has no area, or is larger than a mesh may be.
fn normal(a: [i32; 3], b: [i32; 3], c: [i32; 3]) -> Option<[i128; 3]> {
    let edge = |end: [i32; 3]| [0, 1, 2].map(|axis: usize| i128::from(end[axis]) - i128::from(a[axis]));
    let ([ux, uy, uz], [vx, vy, vz]) = (edge(b), edge(c));
    let is_small = [ux, uy, uz, vx, vy, vz].iter().all(|part| part.unsigned_abs() <= 1 << 30);
    let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    (is_small && normal != [0; 3]).then_some(normal) // at most 2^61
}
