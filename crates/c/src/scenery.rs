//! The static level: shapes, materials and statics.

use std::sync::Arc;

use bitstep::{
    geom::Vec3,
    num::Scalar,
    shape::{Hull, Shape, ShapeError},
    state::{ChildShape, Face, Material, MaterialId, Scenery, SceneryBuilder, ShapeId, Static},
};

use crate::{
    code::{BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_RANGE, BitstepCode, Failure, Outcome, guard},
    handle::Table,
    memory::{self, Sized32},
    types::{BitstepRotation, BitstepScalar, BitstepVec3},
};

static SCENERIES: Table<Building> = Table::new(1, "scenery");

/// A scenery so far, with the numbers of its lists that ids count.
#[derive(Default)]
struct Building {
    builder: SceneryBuilder,
    shapes: u16,
    materials: u16,
    compounds: u16,
}

/// The number of compounds that have ids: each has one of its own and one of its mirror image.
const COMPOUNDS_MAX: u16 = 1 << 15;

/// Largest coordinate of a point of a hull: below 2^30 units.
const POINT_MAX: Scalar = Scalar::from_bits((1 << 62) - 1);

/// Counts one more, if there is an id for it.
fn count(number: &mut u16, of: &str) -> Result<(), Failure> {
    *number = number.checked_add(1).ok_or_else(|| range(format!("there are {} {of} already", u16::MAX)))?;
    Ok(())
}

/// A scenery that is built, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepScenery {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// A sphere: `radius`.
pub const BITSTEP_SHAPE_SPHERE: u32 = 0;
/// A box along the axes: `half`, its half extents.
pub const BITSTEP_SHAPE_AABB: u32 = 1;
/// A box in any direction: `half` and `rotation`.
pub const BITSTEP_SHAPE_OBB: u32 = 2;
/// A capsule: `half` is the vector from its middle to the center of one half ball; and `radius`.
pub const BITSTEP_SHAPE_CAPSULE: u32 = 3;
/// A plane, for statics only: `half` is its normal, of any length.
pub const BITSTEP_SHAPE_PLANE: u32 = 4;

/// A shape.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepShape {
    /// `sizeof(BitstepShape)`.
    pub struct_size: u32,
    /// One of `BITSTEP_SHAPE_`; says which of the other fields count.
    pub kind: u32,
    /// A radius, in units.
    pub radius: BitstepScalar,
    /// Half extents, a half axis, or a normal.
    pub half: BitstepVec3,
    /// The rotation of an oriented box.
    pub rotation: BitstepRotation,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepShape {}

/// A hull that was added, and the frame of a body that has it.
///
/// The origin of its shape is its center of mass. For the points to be where they were given, moved to a place and rotated by a rotation
/// there, a body has the position `place + rotation * center` and the orientation `rotation * axes`.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepHull {
    /// `sizeof(BitstepHull)`.
    pub struct_size: u32,
    /// The number of its corners; points that are no corners make no difference.
    pub corners: u32,
    /// The center of mass in the space of the points, in units.
    pub center: BitstepVec3,
    /// The axes of the frame in the space of the points.
    pub axes: BitstepRotation,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepHull {}

/// A static: a shape at a place.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepStatic {
    /// `sizeof(BitstepStatic)`.
    pub struct_size: u32,
    /// The number of its shape.
    pub shape: u32,
    /// The number of its material.
    pub material: u32,
    /// Its layer, 0 to 15.
    pub layer: u32,
    /// The origin of its shape, in units.
    pub position: BitstepVec3,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepStatic {}

/// The name of a failure of the library.
pub(crate) fn range(error: impl ToString) -> Failure {
    Failure::new(BITSTEP_ERROR_RANGE, error)
}

impl TryFrom<BitstepShape> for Shape {
    type Error = Failure;

    fn try_from(shape: BitstepShape) -> Result<Self, Failure> {
        let BitstepShape { kind, radius, half, rotation, .. } = shape;
        let (radius, half) = (Scalar::from_bits(radius), Vec3::from(half));
        Ok(match kind {
            BITSTEP_SHAPE_SPHERE => Self::sphere(radius),
            BITSTEP_SHAPE_AABB => Self::aabb(half),
            BITSTEP_SHAPE_OBB if half.within(bitstep::shape::SIZE_MAX) => {
                Self::obb(half, rotation.try_into()?)
            }
            BITSTEP_SHAPE_OBB => return Err(range("the half extents of a box are too large")),
            BITSTEP_SHAPE_CAPSULE => Self::capsule(half, radius),
            BITSTEP_SHAPE_PLANE => {
                Self::plane(half).ok_or_else(|| range("the normal of a plane is zero, or too long"))?
            }
            kind => return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("no kind of shape is {kind}"))),
        })
    }
}

/// The scenery that was built so far.
pub(crate) fn build(scenery: BitstepScenery) -> Result<Arc<Scenery>, Failure> {
    let builder = SCENERIES.with(scenery.handle, |building| Ok(building.builder.clone()))?;
    builder.build().map_err(range)
}

/// An empty scenery. The caller frees it, also when worlds were made of it.
///
/// # Safety
///
/// `scenery` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_new(scenery: *mut BitstepScenery) -> BitstepCode {
    guard(|| {
        let handle = SCENERIES.add(Building::default());
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(scenery, "scenery", BitstepScenery { handle }) }.inspect_err(|_| {
            let _ = SCENERIES.remove(handle); // it was added here
        })
    })
}

/// Adds a shape; `id` gets its number, which may be null. Sizes are checked when a world is made.
///
/// # Safety
///
/// `shape` must be valid for a shape, `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_shape(
    scenery: BitstepScenery,
    shape: *const BitstepShape,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let shape = Shape::try_from(unsafe { memory::read(shape, "shape")? })?;
        // SAFETY: as this function's caller promises.
        unsafe { put_shape(scenery, shape, id) }
    })
}

/// Adds the convex hull of points in the frame of its principal axes, as a body needs it that rotates. It has 4 to 64 corners, of up to
/// 4096 points. `hull`, which may be null, gets its center and its axes, `id` its number, which may be null.
///
/// # Safety
///
/// `points` must be valid for `count` vectors, or null with a count of 0; `hull` for the struct, or null; `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_hull(
    scenery: BitstepScenery,
    points: *const BitstepVec3,
    count: usize,
    hull: *mut BitstepHull,
    id: *mut u32,
) -> BitstepCode {
    // SAFETY: as this function's caller promises.
    guard(|| unsafe { add_hull(scenery, read_points(points, count)?, Hull::of, (hull, id)) })
}

/// The same with the axes of the points, for statics and for bodies that never rotate: the corners are from the center where the points
/// are.
///
/// # Safety
///
/// As `bitstep_scenery_add_hull`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_hull_upright(
    scenery: BitstepScenery,
    points: *const BitstepVec3,
    count: usize,
    hull: *mut BitstepHull,
    id: *mut u32,
) -> BitstepCode {
    // SAFETY: as this function's caller promises.
    guard(|| unsafe { add_hull(scenery, read_points(points, count)?, Hull::upright, (hull, id)) })
}

/// The caller's points.
///
/// # Safety
///
/// `points` must be valid for `count` vectors, or null with a count of 0.
unsafe fn read_points(points: *const BitstepVec3, count: usize) -> Result<Vec<Vec3>, Failure> {
    // SAFETY: as this function's caller promises.
    let points = unsafe { memory::array(points, count, "points")? };
    points.iter().map(|point| Vec3::from(*point)).map(checked).collect()
}

/// A point that is within the range of hulls: components below 2^30 units.
fn checked(point: Vec3) -> Result<Vec3, Failure> {
    if point.within(POINT_MAX) {
        Ok(point)
    } else {
        Err(range("a point of a hull is 2^30 units or more away"))
    }
}

/// Adds a hull that is made of points.
///
/// # Safety
///
/// The hull must be valid for the struct, or null; the number likewise.
unsafe fn add_hull(
    scenery: BitstepScenery,
    points: Vec<Vec3>,
    make: impl Fn(&[Vec3]) -> Result<Hull, ShapeError>,
    (out, id): (*mut BitstepHull, *mut u32),
) -> Result<(), Failure> {
    let hull = make(&points).map_err(range)?;
    if !out.is_null() {
        let struct_size = size_of::<BitstepHull>() as u32;
        let (corners, center, axes) = (hull.corners().len() as u32, hull.center().into(), hull.axes().into());
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(out, "hull", BitstepHull { struct_size, corners, center, axes })? };
    }
    // SAFETY: as this function's caller promises.
    unsafe { put_shape(scenery, Shape::hull(hull), id) }
}

/// Adds a shape, and writes its number where it is asked for.
///
/// # Safety
///
/// `id` must be valid for a number, or null.
pub(crate) unsafe fn put_shape(scenery: BitstepScenery, shape: Shape, id: *mut u32) -> Outcome {
    memory::check_optional(id, "id")?; // before anything is changed
    let number = SCENERIES.with(scenery.handle, |Building { builder, shapes, .. }| {
        count(shapes, "shapes")?;
        Ok(builder.shape(shape).0)
    })?;
    // SAFETY: as this function's caller promises.
    unsafe { put_id(id, number.into()) }
}

/// Opens a shape on a face.
pub(crate) fn set_open_face(scenery: BitstepScenery, shape: ShapeId, face: Face) -> Outcome {
    SCENERIES.with(scenery.handle, |Building { builder, shapes, .. }| {
        if shape.0 >= *shapes {
            return Err(range(format!("there is no shape {}, there are {shapes}", shape.0)));
        }
        builder.one_way(shape, face);
        Ok(())
    })
}

/// Adds a compound, and writes the number of its shape where it is asked for.
///
/// # Safety
///
/// `id` must be valid for a number, or null.
pub(crate) unsafe fn put_compound(
    scenery: BitstepScenery,
    children: Vec<ChildShape>,
    id: *mut u32,
) -> Outcome {
    memory::check_optional(id, "id")?; // before anything is changed
    let number = SCENERIES.with(scenery.handle, |Building { builder, compounds, .. }| {
        if *compounds == COMPOUNDS_MAX {
            return Err(range(format!("there are {COMPOUNDS_MAX} compounds already")));
        }
        *compounds += 1;
        Ok(ShapeId::of_compound(builder.compound(children), false).0)
    })?;
    // SAFETY: as this function's caller promises.
    unsafe { put_id(id, number.into()) }
}

/// Adds a material from its restitution, 0 to 1, and its coefficient of friction, 0 to 16; `id` gets its number, which may be null.
///
/// # Safety
///
/// `id` must be valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_material(
    scenery: BitstepScenery,
    restitution: BitstepScalar,
    friction: BitstepScalar,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        let material = Material::new(Scalar::from_bits(restitution)).map_err(range)?;
        let material = material.with_friction(Scalar::from_bits(friction)).map_err(range)?;
        let number = SCENERIES.with(scenery.handle, |Building { builder, materials, .. }| {
            count(materials, "materials")?;
            Ok(builder.material(material).0)
        })?;
        // SAFETY: as this function's caller promises.
        unsafe { put_id(id, number.into()) }
    })
}

/// Adds a static; `id` gets its index, which may be null.
///
/// # Safety
///
/// `fixed` must be valid for the struct, `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_static(
    scenery: BitstepScenery,
    fixed: *const BitstepStatic,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let BitstepStatic { shape, material, layer, position, .. } = unsafe { memory::read(fixed, "fixed")? };
        let fixed = Static {
            shape: ShapeId(narrow(shape, "shape")?),
            material: MaterialId(narrow(material, "material")?),
            position: position.into(),
            layer: narrow(layer, "layer")?,
        };
        let number = SCENERIES.with(scenery.handle, |building| Ok(building.builder.add(fixed)))?;
        // SAFETY: as this function's caller promises.
        unsafe { put_id(id, number.0) }
    })
}

/// Frees a scenery. Worlds that were made of it stay.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_scenery_free(scenery: BitstepScenery) -> BitstepCode {
    guard(|| SCENERIES.remove(scenery.handle))
}

/// Writes an id where it is asked for.
///
/// # Safety
///
/// `pointer` must be valid for a number, or null.
unsafe fn put_id(pointer: *mut u32, id: u32) -> Result<(), Failure> {
    if pointer.is_null() {
        return Ok(());
    }
    // SAFETY: as this function's caller promises.
    unsafe { memory::put(pointer, "id", id) }
}

/// A number that must fit into a smaller type.
pub(crate) fn narrow<T: TryFrom<u32>>(number: u32, name: &str) -> Result<T, Failure> {
    T::try_from(number).map_err(|_| range(format!("{name} is {number}, which is too large")))
}
