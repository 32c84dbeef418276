//! The lists of a scenery: what is written, checked and hashed of it.

use serde::{Deserialize, Serialize};

use super::{ChildShape, Static, one_way::OneWay};
use crate::{
    geom::Vec3,
    num::{Scalar, lit},
    shape::{SIZE_MAX, Shape, ShapeError},
    state::{LayerTable, Material, StateError, StaticId},
};

/// The encoded lists, from which a scenery is built.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Lists {
    pub shapes: Vec<Shape>,
    pub materials: Vec<Material>,
    pub statics: Vec<Static>,
    pub compounds: Vec<Vec<ChildShape>>,
    /// The one-way platforms, in the order of the shapes, each once.
    pub one_ways: Vec<OneWay>,
}

impl Lists {
    pub const EXTENT_MAX: Scalar = lit("16777216");
    pub const NAMES_MAX: u64 = 1 << 16;
    pub const STATICS_MAX: u64 = 1 << 24;
    pub const FACETS_MAX: u64 = 1 << 22;

    pub fn check(&self) -> Result<(), StateError> {
        self.check_lengths()?;
        for (index, shape) in (0..).zip(&self.shapes) {
            shape.check(SIZE_MAX).map_err(|error| StateError::Shape { index, error })?;
            match shape {
                Shape::Plane(plane) => check_extent("shape", index, plane.point())?,
                Shape::Hull(form) if !form.is_as_made() => {
                    return Err(StateError::Shape { index, error: ShapeError::Rotated });
                }
                _ => {}
            }
        }
        self.check_compounds()?;
        self.check_one_ways()?;
        (0..).zip(&self.statics).try_for_each(|(index, fixed)| self.check_static(index, fixed))?;
        let facets = |fixed: &Static| match &self.shapes[usize::from(fixed.shape.0)] {
            Shape::Mesh(mesh) => match mesh.ground() {
                Some(ground) => ground.triangle_count() as u64,
                None => mesh.facets().len() as u64,
            },
            _ => 0,
        };
        let (count, limit) = (self.statics.iter().map(facets).sum(), Lists::FACETS_MAX);
        if count > limit {
            return Err(StateError::TooMany { list: "facets of meshes", count, limit });
        }
        Ok(())
    }

    pub fn first_leaning(&self) -> Option<StaticId> {
        let is_leaning =
            |fixed: &Static| fixed.position.z != 0 || !self.shapes[usize::from(fixed.shape.0)].is_upright();
        (0..).map(StaticId).zip(&self.statics).find(|(_, fixed)| is_leaning(fixed)).map(|(id, _)| id)
    }

    fn check_lengths(&self) -> Result<(), StateError> {
        let lists = [
            ("shapes", self.shapes.len() as u64, Lists::NAMES_MAX),
            ("compounds", self.names(), Lists::NAMES_MAX),
            ("materials", self.materials.len() as u64, Lists::NAMES_MAX),
            ("statics", self.statics.len() as u64, Lists::STATICS_MAX),
        ];
        match lists.into_iter().find(|&(_, count, limit)| count > limit) {
            Some((list, count, limit)) => Err(StateError::TooMany { list, count, limit }),
            None => Ok(()),
        }
    }

    fn check_static(&self, index: u64, fixed: &Static) -> Result<(), StateError> {
        let Some(shape) = self.shapes.get(usize::from(fixed.shape.0)) else {
            return Err(StateError::Missing { index, list: "shape", value: fixed.shape.0 });
        };
        // A mesh has a run of materials, from the static's own on.
        let last = match shape {
            Shape::Mesh(mesh) => u32::from(fixed.material.0) + u32::from(mesh.material_count()) - 1,
            _ => fixed.material.0.into(),
        };
        if self.materials.len() <= last as usize {
            let value = last.try_into().unwrap_or(u16::MAX);
            return Err(StateError::Missing { index, list: "material", value });
        }
        if fixed.layer >= LayerTable::LAYERS {
            return Err(StateError::Layer { index, value: fixed.layer });
        }
        check_extent("static", index, fixed.position)?;
        match shape {
            Shape::Plane(plane) => check_extent("static", index, fixed.position + plane.point()),
            _ => Ok(()),
        }
    }
}

fn check_extent(list: &'static str, index: u64, position: Vec3) -> Result<(), StateError> {
    let limit = Lists::EXTENT_MAX;
    if position.within(limit) { Ok(()) } else { Err(StateError::TooFar { list, index, limit }) }
}
