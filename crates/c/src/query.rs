//! Queries: rays, shape casts, overlaps and what is near. They change nothing.

use bitstep::{
    geom::Vec3,
    num::Scalar,
    query::{PointHit, PointQuery, QueryError, QueryFilter, QueryHit, QueryView, Ray, ShapeCast},
    shape::Shape,
    state::Collider,
};

use crate::{
    code::{BitstepCode, Failure, Outcome, guard},
    memory::{self, Sized32},
    scenery::{BitstepShape, narrow, range},
    types::{BitstepCollider, BitstepScalar, BitstepVec3, flag},
    world::{BitstepWorld, WORLDS},
};

/// The hit of a cast.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepHit {
    /// `sizeof(BitstepHit)`.
    pub struct_size: u32,
    /// 1 if there is a hit; else all else is zero.
    pub is_hit: u32,
    /// The part of the displacement until the hit, times 2^32: 0 to 2^32.
    pub toi: u64,
    /// The first collider hit.
    pub collider: BitstepCollider,
    /// The normal from the caster into the collider, of length one: its negative points out of the surface.
    pub normal: BitstepVec3,
    /// The place of the ray's end, or of the shape's center, at the hit.
    pub point: BitstepVec3,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepHit {}

/// A collider and its distance.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitstepNear {
    /// The distance from the point, in units, rounded up; 0 inside.
    pub distance: BitstepScalar,
    /// The collider.
    pub collider: BitstepCollider,
}

/// A query.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepQuery {
    /// `sizeof(BitstepQuery)`.
    pub struct_size: u32,
    /// The layers that it sees: a bit for each, `0xffff` for all.
    pub layers: u32,
    /// The beginning of a ray, the center of a shape, or a point, in units.
    pub origin: BitstepVec3,
    /// The way of a cast, in units.
    pub displacement: BitstepVec3,
    /// The radius of a search for what is near, in units.
    pub radius: BitstepScalar,
    /// The shape of a cast or an overlap; not read of a ray.
    pub shape: BitstepShape,
    /// 1 if the query does not see `exclude`.
    pub excludes: u32,
    /// Zero.
    pub reserved: u32,
    /// A collider that it does not see.
    pub exclude: BitstepCollider,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepQuery {}

impl BitstepQuery {
    /// Asks a world, with the filter of the query.
    fn ask<R>(
        &self,
        world: BitstepWorld,
        ask: impl FnOnce(&QueryView, &QueryFilter<'_>) -> Result<R, QueryError>,
    ) -> Result<R, Failure> {
        let excludes = flag(self.excludes, "excludes")?;
        let exclude = if excludes { vec![Collider::try_from(self.exclude)?] } else { Vec::new() };
        let filter = QueryFilter { layers: narrow(self.layers, "layers")?, exclude: &exclude };
        WORLDS.with(world.handle, |held| ask(held.view(), &filter).map_err(range))
    }

    /// The shape, whose size must be set as well.
    fn shape(&self) -> Result<Shape, Failure> {
        // SAFETY: a reference is valid.
        unsafe { memory::read(&self.shape, "shape")? }.try_into()
    }
}

/// Writes the hit of a cast.
///
/// # Safety
///
/// `pointer` must be valid for the struct, or null.
unsafe fn put_hit(found: Option<(QueryHit, Vec3)>, pointer: *mut BitstepHit) -> Outcome {
    let struct_size = size_of::<BitstepHit>() as u32;
    let hit = found.map_or(BitstepHit { struct_size, ..BitstepHit::default() }, |(hit, point)| BitstepHit {
        struct_size,
        is_hit: 1,
        toi: hit.toi.raw(),
        collider: hit.collider.into(),
        normal: hit.normal.unit().unwrap_or_default().into(),
        point: point.into(),
    });
    // SAFETY: as this function's caller promises.
    unsafe { memory::write(pointer, "hit", hit) }
}

/// The first collider on a ray: `origin` and `displacement` of the query count.
///
/// # Safety
///
/// `query` must be valid for the struct, `hit` for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_cast_ray(
    world: BitstepWorld,
    query: *const BitstepQuery,
    hit: *mut BitstepHit,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let query = unsafe { memory::read(query, "query")? };
        let ray = Ray { origin: query.origin.into(), displacement: query.displacement.into() };
        let found = query.ask(world, |view, filter| view.ray(&ray, filter))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_hit(found.map(|found| (found, ray.at(found.toi))), hit) }
    })
}

/// The first collider that a shape meets on its way: `shape`, `origin` and `displacement` of the query count.
///
/// # Safety
///
/// `query` must be valid for the struct, `hit` for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_cast_shape(
    world: BitstepWorld,
    query: *const BitstepQuery,
    hit: *mut BitstepHit,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let query = unsafe { memory::read(query, "query")? };
        let (origin, displacement) = (query.origin.into(), query.displacement.into());
        let cast = ShapeCast { shape: query.shape()?, origin, displacement };
        let found = query.ask(world, |view, filter| view.sweep(&cast, filter))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_hit(found.map(|found| (found, cast.at(found.toi))), hit) }
    })
}

/// All colliders that a shape overlaps, by id: `shape` and `origin` of the query count.
///
/// # Safety
///
/// `query` must be valid for the struct, `colliders` for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_overlap(
    world: BitstepWorld,
    query: *const BitstepQuery,
    colliders: *mut BitstepCollider,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let query = unsafe { memory::read(query, "query")? };
        let (shape, mut found) = (query.shape()?, Vec::new());
        query.ask(world, |view, filter| view.overlap(&shape, query.origin.into(), filter, &mut found))?;
        let all: Vec<BitstepCollider> = found.into_iter().map(Into::into).collect();
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&all, colliders, capacity, count) }
    })
}

/// The nearest colliders to a point, `capacity` of them at most, by distance and id: `origin` and `radius` of the query count. `count`
/// gets the number of those that were written.
///
/// # Safety
///
/// `query` must be valid for the struct, `found` for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_nearest(
    world: BitstepWorld,
    query: *const BitstepQuery,
    found: *mut BitstepNear,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let query = unsafe { memory::read(query, "query")? };
        let ball = PointQuery { center: query.origin.into(), radius: Scalar::from_bits(query.radius) };
        let (mut nearest, most) = (Vec::new(), u32::try_from(capacity).unwrap_or(u32::MAX));
        query.ask(world, |view, filter| view.nearest(&ball, most, filter, &mut nearest))?;
        let near_of =
            |hit: &PointHit| BitstepNear { distance: hit.distance.to_bits(), collider: hit.collider.into() };
        let all: Vec<BitstepNear> = nearest.iter().map(near_of).collect();
        // SAFETY: as this function's caller promises.
        unsafe { memory::put_array(&all, found, capacity, count) }
    })
}
