//! Shapes of the static level that are made of others, or open on a side.

use bitstep::state::{ChildShape, Face, ShapeId};

use crate::{
    code::{BITSTEP_ERROR_ARGUMENT, BitstepCode, Failure, guard},
    memory,
    scenery::{BitstepScenery, narrow, put_compound, set_open_face},
    types::BitstepVec3,
};

/// The face of a box in the direction of its first axis; of one along the axes of the world that is x.
pub const BITSTEP_FACE_PLUS_X: u32 = 0;
/// The opposite face.
pub const BITSTEP_FACE_MINUS_X: u32 = 1;
/// The face of a box in the direction of its second axis.
pub const BITSTEP_FACE_PLUS_Y: u32 = 2;
/// The opposite face.
pub const BITSTEP_FACE_MINUS_Y: u32 = 3;
/// The face of a box in the direction of its third axis.
pub const BITSTEP_FACE_PLUS_Z: u32 = 4;
/// The opposite face.
pub const BITSTEP_FACE_MINUS_Z: u32 = 5;
/// The front of a mesh, or of ground of heights: what is above.
pub const BITSTEP_FACE_FRONT: u32 = 6;

/// The layer of a child shape that has that of its body.
pub const BITSTEP_LAYER_OF_BODY: u32 = 0xFFFF_FFFF;

/// A child shape of a compound.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepChildShape {
    /// The number of its shape: no plane and no mesh.
    pub shape: u32,
    /// Its layer, 0 to 15, or `BITSTEP_LAYER_OF_BODY`.
    pub layer: u32,
    /// Its origin from that of the body, in units.
    pub offset: BitstepVec3,
}

/// Opens a shape on a face, in place of any other open face: its statics and bodies collide with what was on that side of them when the tick
/// began, and nothing else. A box has six faces, a mesh and ground have a front. What else there is to it is checked when a world is made.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_scenery_set_open_face(
    scenery: BitstepScenery,
    shape: u32,
    face: u32,
) -> BitstepCode {
    guard(|| {
        let found = u8::try_from(face).ok().and_then(|face| Face::try_from(face).ok());
        let face = found.ok_or_else(|| Failure::new(BITSTEP_ERROR_ARGUMENT, format!("no face is {face}")))?;
        set_open_face(scenery, ShapeId(narrow(shape, "shape")?), face)
    })
}

/// Adds a compound of shapes; `id` gets the number that it has as the shape of a body, which may be null. Its mirror image, with x negated, has
/// that number less 1. `BITSTEP_COMMAND_SET_SHAPE` takes both.
///
/// # Safety
///
/// `children` must be valid for `count` structs, or null with a count of 0; `id` for a number, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_scenery_add_compound(
    scenery: BitstepScenery,
    children: *const BitstepChildShape,
    count: usize,
    id: *mut u32,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let children = unsafe { memory::array(children, count, "children")? };
        let children = children.iter().map(child_of).collect::<Result<Vec<ChildShape>, _>>()?;
        // SAFETY: as this function's caller promises.
        unsafe { put_compound(scenery, children, id) }
    })
}

fn child_of(child: &BitstepChildShape) -> Result<ChildShape, Failure> {
    let BitstepChildShape { shape, layer, offset } = *child;
    Ok(ChildShape {
        offset: offset.into(),
        layer: if layer == BITSTEP_LAYER_OF_BODY { None } else { Some(narrow(layer, "layer")?) },
        ..ChildShape::new(ShapeId(narrow(shape, "shape")?))
    })
}
