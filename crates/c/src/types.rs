//! The numbers, vectors and ids of the interface.

use bitstep::{
    geom::{Rotation, Vec3},
    num::Scalar,
    state::{BodyId, Collider, StaticId},
};

use crate::{
    code::{BITSTEP_ERROR_ARGUMENT, BITSTEP_ERROR_RANGE, BitstepCode, Failure, guard},
    memory,
};

/// Raw fixed point: the number times 2^32.
pub type BitstepScalar = i64;

/// A vector of raw fixed point.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepVec3 {
    /// Along the first axis.
    pub x: BitstepScalar,
    /// Along the second axis.
    pub y: BitstepScalar,
    /// Along the third axis.
    pub z: BitstepScalar,
}

/// A unit quaternion: each component times 2^30. No rotation is `{ 1 << 30, 0, 0, 0 }`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitstepRotation {
    /// The real component.
    pub w: i32,
    /// The first imaginary component.
    pub x: i32,
    /// The second one.
    pub y: i32,
    /// The third one.
    pub z: i32,
}

/// The id of a body: its slot in the low 32 bits, and the number of bodies that were in the slot before in the high ones. Ids of
/// removed bodies go stale.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepBody {
    /// The number.
    pub id: u64,
}

/// A body, or a static of the scenery.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepCollider {
    /// 0 for a body, 1 for a static.
    pub is_static: u32,
    /// The index of the static; 0 for a body.
    pub index: u32,
    /// The body; 0 for a static.
    pub body: BitstepBody,
}

impl From<Vec3> for BitstepVec3 {
    fn from(vector: Vec3) -> Self {
        let [x, y, z] = vector.raw();
        Self { x, y, z }
    }
}

impl From<BitstepVec3> for Vec3 {
    fn from(BitstepVec3 { x, y, z }: BitstepVec3) -> Self {
        Self::from_raw([x, y, z])
    }
}

impl From<Rotation> for BitstepRotation {
    fn from(rotation: Rotation) -> Self {
        let [w, x, y, z] = rotation.components();
        Self { w, x, y, z }
    }
}

impl TryFrom<BitstepRotation> for Rotation {
    type Error = Failure;

    fn try_from(BitstepRotation { w, x, y, z }: BitstepRotation) -> Result<Self, Failure> {
        Self::from_components([w, x, y, z]).map_err(|error| Failure::new(BITSTEP_ERROR_RANGE, error))
    }
}

impl From<BodyId> for BitstepBody {
    fn from(body: BodyId) -> Self {
        Self { id: u64::from(body.generation()) << 32 | u64::from(body.slot()) }
    }
}

impl From<BitstepBody> for BodyId {
    fn from(BitstepBody { id }: BitstepBody) -> Self {
        Self::from_parts(id as u32, (id >> 32) as u32)
    }
}

impl From<Collider> for BitstepCollider {
    fn from(collider: Collider) -> Self {
        match collider {
            Collider::Body(body) => Self { is_static: 0, index: 0, body: body.into() },
            Collider::Static(StaticId(index)) => Self { is_static: 1, index, body: BitstepBody::default() },
        }
    }
}

impl TryFrom<BitstepCollider> for Collider {
    type Error = Failure;

    fn try_from(BitstepCollider { is_static, index, body }: BitstepCollider) -> Result<Self, Failure> {
        Ok(if flag(is_static, "is_static")? {
            Self::Static(StaticId(index))
        } else {
            Self::Body(body.into())
        })
    }
}

/// A number that stands for yes or no.
pub fn flag(number: u32, name: &str) -> Result<bool, Failure> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Failure::new(BITSTEP_ERROR_ARGUMENT, format!("{name} is {other}, must be 0 or 1"))),
    }
}

/// The number that a decimal text names, such as `"0.1"`, exactly rounded to nearest, ties to even.
///
/// # Safety
///
/// `text` must be a text with a zero at the end, or null; `number` valid for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_lit(
    text: *const std::ffi::c_char,
    number: *mut BitstepScalar,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let text = unsafe { memory::text(text, "text")? };
        let value: Scalar = text.parse().map_err(|error| {
            Failure::new(BITSTEP_ERROR_RANGE, format!("`{}`: {error}", text.escape_debug()))
        })?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(number, "number", value.to_bits()) }
    })
}
