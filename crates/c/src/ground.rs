//! Ground of a world as it is now: its heights, and what facets belong to.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    shape::Heights,
    state::{Scenery, StaticId},
};

use crate::{
    code::{BitstepCode, Failure, guard},
    memory::{self, Sized32},
    scenery::range,
    types::{BitstepScalar, BitstepVec3},
    world::{BitstepWorld, WORLDS},
};

/// The ground at a place as seen from above.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepGround {
    /// `sizeof(BitstepGround)`.
    pub struct_size: u32,
    /// 1 if there is ground; 0 over a hole and beyond the border, then all else is zero.
    pub is_ground: u32,
    /// The y of the ground there, in units, rounded to nearest.
    pub height: BitstepScalar,
    /// The direction in which the ground faces there, of length one.
    pub normal: BitstepVec3,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepGround {}

/// The heights of a static.
fn heights(scenery: &Scenery, ground: u32) -> Result<&Heights, Failure> {
    let heights = scenery.heights(StaticId(ground));
    heights.ok_or_else(|| range(format!("the static {ground} is no ground of heights, or there is none")))
}

/// The ground at a place, as the world has it.
fn ground_at(scenery: &Scenery, ground: u32, [x, z]: [Scalar; 2]) -> Result<BitstepGround, Failure> {
    let heights = heights(scenery, ground)?;
    let position = scenery.statics()[ground as usize].position;
    let struct_size = size_of::<BitstepGround>() as u32;
    let found = || {
        let (x, z) = (x.checked_sub(position.x)?, z.checked_sub(position.z)?);
        let height = heights.height_at(x, z)?.checked_add(position.y)?;
        Some((height, heights.normal_at(x, z)?))
    };
    Ok(found().map_or(BitstepGround { struct_size, ..BitstepGround::default() }, |(height, normal)| {
        let normal: Vec3 = normal.unit().unwrap_or_default();
        BitstepGround { struct_size, is_ground: 1, height: height.to_bits(), normal: normal.into() }
    }))
}

/// The static that a facet is of, or a static itself.
fn owner_of(scenery: &Scenery, facet: u32) -> Result<StaticId, Failure> {
    let id = StaticId(facet);
    let is_static = (facet as usize) < scenery.statics().len();
    let found = if is_static { Some(id) } else { scenery.facet_owner(id) };
    found.ok_or_else(|| range(format!("{facet} is no static and no facet")))
}

/// The ground of heights of the static `ground` at `x` and `z` in the world, as commands have left it. A place on an edge between two cells
/// is in the one of greater coordinates, if there is one.
///
/// # Safety
///
/// `at` must be valid for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_ground(
    world: BitstepWorld,
    ground: u32,
    x: BitstepScalar,
    z: BitstepScalar,
    at: *mut BitstepGround,
) -> BitstepCode {
    guard(|| {
        let place = [x, z].map(Scalar::from_bits);
        let found = WORLDS.with(world.handle, |held| ground_at(held.world.scenery(), ground, place))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(at, "at", found) }
    })
}

/// Heights of the static `ground` as commands have left them, row by row.
///
/// # Safety
///
/// `values` must be valid for `capacity` numbers, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_heights(
    world: BitstepWorld,
    ground: u32,
    values: *mut i16,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let heights = heights(held.world.scenery(), ground)?.heights();
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(heights, values, capacity, count) }
        })
    })
}

/// The static that the index of a collider belongs to. Reports, events and queries name the facets of meshes and of ground, flat parts that
/// have indices behind those of the statics; a static belongs to itself.
///
/// # Safety
///
/// `owner` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_facet_owner(
    world: BitstepWorld,
    facet: u32,
    owner: *mut u32,
) -> BitstepCode {
    guard(|| {
        let id = WORLDS.with(world.handle, |held| owner_of(held.world.scenery(), facet))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(owner, "owner", id.0) }
    })
}

/// Triangles of a facet as its mesh numbers them, without those that were left out; of ground two for each cell that is no hole, row by row.
/// A static itself has none.
///
/// # Safety
///
/// `triangles` must be valid for `capacity` numbers, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_facet_triangles(
    world: BitstepWorld,
    facet: u32,
    triangles: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let scenery = held.world.scenery();
            owner_of(scenery, facet)?;
            let list = scenery.mesh_part(StaticId(facet)).map_or(&[][..], |(_, list)| list);
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(list, triangles, capacity, count) }
        })
    })
}
