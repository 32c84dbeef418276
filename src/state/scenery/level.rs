//! The level that a scenery began with, and what is found of it by itself.

use xxhash_rust::xxh3::xxh3_128;

use super::{
    compounds::Compounds,
    front::{Front, free_of},
    lists::Lists,
    meshes::Facets,
    one_way::OpenSide,
};
use crate::{
    broad::Grid,
    geom::{Aabb, Tree, Vec3},
    shape::Shape,
    state::{SKIN, StateError, StaticId, skin::lean, turning_skin, wire},
};

/// The lists of a scenery, checked, with what is found of them. Nothing of it ever changes.
#[derive(Debug)]
pub(super) struct Level {
    pub lists: Lists,
    pub content_hash: u128,
    /// The statics with bounds, in a tree; a leaf's number is an index into `bounded`.
    pub tree: Tree,
    /// The same statics, for queries of small regions.
    pub grid: Grid,
    pub bounded: Vec<StaticId>,
    pub facets: Facets,
    /// The first static that does not fit a flat world.
    pub leaning: Option<StaticId>,
    /// The boundless statics, each with the region well in front of it.
    pub boundless: Vec<(StaticId, Front)>,
    /// The region well in front of all planes along the axes; the other planes are in `slanting`, too.
    pub free: Aabb,
    pub slanting: Vec<(StaticId, Front)>,
    /// A region without statics, bounded or boundless.
    pub clear: Option<Aabb>,
    /// The reach of a body of each shape, with its skin, from its center on each axis.
    pub reaches: Vec<Vec3>,
    /// The same reach in any orientation.
    pub reaches_turned: Vec<Vec3>,
    /// The compounds and their mirror images.
    pub compounds: Compounds,
    /// The open sides, in the order of their shapes.
    pub open_sides: Vec<OpenSide>,
    /// True if a pair may have restitution 0.
    pub has_inelastic: bool,
    /// True if a body may be a capsule, an oriented box, a hull or a compound: a shape that rotation changes.
    pub has_leaning: bool,
}

impl Level {
    pub fn of(lists: Lists) -> Result<Self, StateError> {
        lists.check()?;
        let content_hash = xxh3_128(&wire::encode(&lists));
        let (mut bounds, mut bounded, mut boundless) = (Vec::new(), Vec::new(), Vec::new());
        let facets = Facets::of(&lists.statics, &lists.shapes);
        for (id, fixed) in (0..).map(StaticId).zip(&facets.statics) {
            let shape = facets.shape_of(id, &lists.statics, &lists.shapes).expect("a static or a facet");
            match shape {
                Shape::Mesh(mesh) => {
                    // Facets that are no ground's follow. Its heights may change, and what is found here does not.
                    bounds.extend(mesh.ground().map(|ground| ground.room_at(fixed.position)));
                    bounded.extend(mesh.ground().map(|_| id));
                }
                Shape::Plane(plane) => boundless.push((id, Front::of(plane.moved(fixed.position)))),
                _ => {
                    bounds.extend(shape.bounds(fixed.position).map(|aabb| aabb.pad(lean(shape))));
                    bounded.push(id);
                }
            }
        }
        let mut tree = Tree::default();
        tree.build(&bounds);
        let grid = Grid::of(bounds);
        let leaning = lists.first_leaning();
        let skin = |shape: &Shape| Vec3::splat(SKIN + lean(shape));
        let reach = |shape: &Shape| shape.half_extent().unwrap_or_default() + skin(shape);
        let reaches = lists.shapes.iter().map(reach).collect();
        let ball = |shape: &Shape| {
            let radius = shape.bounding_radius().unwrap_or_default();
            Vec3::splat(radius + turning_skin(shape)) + skin(shape)
        };
        let reaches_turned = lists.shapes.iter().map(ball).collect();
        let is_slanting = |(_, front): &&(StaticId, Front)| matches!(front, Front::Slanting(_));
        let slanting: Vec<_> = boundless.iter().filter(is_slanting).copied().collect();
        let free = free_of(&boundless);
        let among = if bounded.is_empty() { Some(free) } else { grid.clear() };
        let both = |a: Aabb| Aabb { min: a.min.max(free.min), max: a.max.min(free.max) };
        let clear = among.map(both).filter(|_| slanting.is_empty());
        let has_inelastic = lists.materials.iter().any(|material| material.restitution_q16 == 0);
        let has_leaning = !lists.compounds.is_empty() || lists.shapes.iter().any(Shape::leans);
        Ok(Self {
            compounds: Compounds::of(&lists),
            open_sides: lists.open_sides(),
            lists,
            content_hash,
            tree,
            grid,
            bounded,
            facets,
            leaning,
            boundless,
            free,
            slanting,
            clear,
            reaches,
            reaches_turned,
            has_inelastic,
            has_leaning,
        })
    }
}
