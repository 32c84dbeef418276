//! Statics that are meshes: each of their facets is a solid of its own, numbered behind the statics.

use super::fixed::Static;
use crate::{
    geom::Vec3,
    shape::{Facet, Mesh, MeshFacet, Shape},
    state::{MaterialId, StaticId},
};

/// The facets of all statics that are meshes and no grounds, in the order of these and then of the facets.
#[derive(Debug, Default)]
pub(super) struct Facets {
    /// All statics of the lists, and then each facet with its own position and material.
    pub statics: Vec<Static>,
    shapes: Vec<Shape>,
    /// The first facet of each static that is a mesh.
    firsts: Vec<(StaticId, u32)>,
}

/// A facet, where its origin is from that of its mesh, and its number for a material.
type Made = (Shape, Vec3, u8);

fn parts(mesh: &Mesh) -> Vec<Made> {
    let part = |part: &MeshFacet| {
        let (facet, middle) = Facet::new(part);
        (Shape::Facet(facet), middle, part.material)
    };
    mesh.facets().iter().map(part).collect()
}

impl Facets {
    pub(super) fn of(statics: &[Static], shapes: &[Shape]) -> Self {
        let mut all = Self { statics: statics.to_vec(), ..Self::default() };
        // The facets of a mesh are made once, and shared by all statics that have it.
        let mut made: Vec<Option<Vec<Made>>> = shapes.iter().map(|_| None).collect();
        for (id, fixed) in (0..).map(StaticId).zip(statics) {
            let index = usize::from(fixed.shape.0);
            match &shapes[index] {
                Shape::Mesh(mesh) if mesh.ground().is_none() => {
                    all.add(id, fixed, made[index].get_or_insert_with(|| parts(mesh)));
                }
                _ => {}
            }
        }
        all
    }

    /// Number of statics and facets.
    pub(super) fn count(&self) -> u32 {
        self.statics.len() as u32
    }

    /// The static of an id, or the facet as one; `None` for one of a ground.
    pub(super) fn fixed(&self, id: StaticId) -> Option<&Static> {
        self.statics.get(id.0 as usize)
    }

    fn add(&mut self, id: StaticId, fixed: &Static, parts: &[Made]) {
        self.firsts.push((id, self.shapes.len() as u32));
        for (shape, middle, material) in parts {
            let material = MaterialId(fixed.material.0 + u16::from(*material));
            self.statics.push(Static { material, position: fixed.position + *middle, ..*fixed });
            self.shapes.push(shape.clone());
        }
    }

    /// The shape of a static of the lists, or of a facet; `None` of one of a ground.
    #[inline]
    pub(super) fn shape_of<'a>(
        &'a self,
        id: StaticId,
        statics: &[Static],
        shapes: &'a [Shape],
    ) -> Option<&'a Shape> {
        let index = id.0 as usize;
        match statics.get(index) {
            Some(fixed) => Some(&shapes[usize::from(fixed.shape.0)]),
            None => self.shapes.get(index - statics.len()),
        }
    }

    /// The static that a facet is of; `None` for an id that names no facet.
    pub(super) fn owner(&self, id: StaticId) -> Option<StaticId> {
        self.place(id).map(|(owner, _)| owner)
    }

    /// The static that a facet is of, and its triangles as the mesh numbers them.
    pub(super) fn part<'a>(&'a self, id: StaticId, shapes: &'a [Shape]) -> Option<(StaticId, &'a [u32])> {
        let (owner, place) = self.place(id)?;
        match &shapes[usize::from(self.fixed(owner)?.shape.0)] {
            Shape::Mesh(mesh) => Some((owner, &mesh.facets().get(place)?.triangles)),
            _ => None,
        }
    }

    /// The static that a facet is of, which is no ground, and its place among the facets of that mesh.
    fn place(&self, id: StaticId) -> Option<(StaticId, usize)> {
        let number = (id.0 as usize).checked_sub(self.statics.len() - self.shapes.len())?;
        if number >= self.shapes.len() {
            return None;
        }
        let last = self.firsts.partition_point(|&(_, first)| first as usize <= number);
        let (owner, first) = *self.firsts.get(last.checked_sub(1)?)?;
        Some((owner, number - first as usize))
    }
}
