//! Poses and debug lines as floats, for drawing: `include/bitstep_draw.h`, which programs without a picture leave out.
//!
//! No float flows back: a picture cannot change a result.

// The only module with floats. It hands them on: what is computed with them is computed in `bitstep-draw`.
#![allow(clippy::disallowed_types)]

use bitstep::{
    geom::Vec3,
    num::Scalar,
    state::{Collider, StaticId},
};
use bitstep_draw::{Frame, Pose, Wireframe};

use crate::{
    code::{BITSTEP_ERROR_RANGE, BitstepCode, Failure, guard},
    handle::Table,
    memory::{self, Sized32},
    types::{BitstepBody, BitstepCollider, BitstepVec3},
    world::{BitstepWorld, WORLDS},
};

static FRAMES: Table<Frames> = Table::new(5, "pair of frames");

/// Largest coordinate of an origin: 2^30 units.
const ORIGIN_MAX: Scalar = Scalar::from_bits(1 << 62);

/// The poses of the last two ticks of a world, by handle.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepFrames {
    /// The handle; 0 is none.
    pub handle: u64,
}

/// The poses of two ticks, exact.
#[derive(Default)]
struct Frames {
    before: Frame,
    now: Frame,
    /// Memory for what is written.
    room: Vec<BitstepPose>,
}

/// An instant between two ticks, and a place to look from.
#[repr(C)]
#[derive(Clone, Copy, Default, Debug)]
pub struct BitstepView {
    /// `sizeof(BitstepView)`.
    pub struct_size: u32,
    /// The part of the way from the earlier frame to the later one, 0 to 1, which are the frames to the bit; outside it is clamped, and NaN is
    /// `BITSTEP_ERROR_RANGE`.
    pub alpha: f32,
    /// The origin of what is written, such as the camera's place, in units: at most 2^30 along an axis, else `BITSTEP_ERROR_RANGE`.
    pub origin: BitstepVec3,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is numbers, of which a float is valid whatever its bytes are.
unsafe impl Sized32 for BitstepView {}

/// The pose of a body in a picture.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BitstepPose {
    /// The body.
    pub body: BitstepBody,
    /// The center as seen from the origin, in units: the difference of the places is exact, and each component of it the nearest float.
    pub position: [f32; 3],
    /// A unit quaternion: x, y, z, and the real component w.
    pub orientation: [f32; 4],
    /// 1 if the earlier frame does not have the body: it is where the later one has it.
    pub is_new: u32,
}

/// A line of a wireframe.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BitstepLine {
    /// The body or the static of which it is.
    pub collider: BitstepCollider,
    /// Its beginning as seen from the origin, in units.
    pub a: [f32; 3],
    /// Its end.
    pub b: [f32; 3],
}

/// The caller's origin.
fn origin(vector: BitstepVec3) -> Result<Vec3, Failure> {
    let origin = Vec3::from(vector);
    let is_in_range = origin.within(ORIGIN_MAX);
    is_in_range
        .then_some(origin)
        .ok_or_else(|| Failure::new(BITSTEP_ERROR_RANGE, "the origin is too far out"))
}

/// Two frames without bodies. The caller frees them.
///
/// # Safety
///
/// `frames` must be valid for a handle, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_frames_new(frames: *mut BitstepFrames) -> BitstepCode {
    guard(|| {
        let handle = FRAMES.add(Frames::default());
        // SAFETY: as this function's caller promises.
        unsafe { memory::put(frames, "frames", BitstepFrames { handle }) }.inspect_err(|_| {
            let _ = FRAMES.remove(handle); // it was added here
        })
    })
}

/// Frees two frames.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_frames_free(frames: BitstepFrames) -> BitstepCode {
    guard(|| FRAMES.remove(frames.handle))
}

/// Takes the poses of all bodies as the later frame; what was the later one is the earlier one then. To be called after each
/// `bitstep_world_tick`, and after a rollback for the last two ticks that were played again.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_frames_push(frames: BitstepFrames, world: BitstepWorld) -> BitstepCode {
    guard(|| {
        FRAMES.with(frames.handle, |Frames { before, now, .. }| {
            WORLDS.with(world.handle, |held| {
                std::mem::swap(before, now);
                now.fill(&held.world);
                Ok(())
            })
        })
    })
}

/// The poses between the two frames, by slot: of the bodies that the later one has. Positions go straight, orientations along the shorter
/// arc. A body that a command put elsewhere slides there: its pose for an `alpha` of 1 does not.
///
/// # Safety
///
/// `view` must be valid for the struct; `poses` for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_frames_between(
    frames: BitstepFrames,
    view: *const BitstepView,
    poses: *mut BitstepPose,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let view = unsafe { memory::read(view, "view")? };
        if view.alpha.is_nan() {
            return Err(Failure::new(BITSTEP_ERROR_RANGE, "alpha is no number"));
        }
        let origin = origin(view.origin)?;
        FRAMES.with(frames.handle, |Frames { before, now, room }| {
            room.clear();
            room.extend(before.between(now, view.alpha, origin).map(|(id, pose)| BitstepPose {
                body: id.into(),
                position: pose.position,
                orientation: pose.orientation,
                is_new: before.pose(id).is_none().into(),
            }));
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(room, poses, capacity, count) }
        })
    })
}

/// The wireframes of all bodies as they are, by slot, and then of all statics, by index: for a picture of what collides. Circles have 24
/// lines; a plane is a square patch around its point, 10 units each way. The origin is as in `BitstepView`.
///
/// # Safety
///
/// `origin` must be valid for a vector; `lines` for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_lines(
    world: BitstepWorld,
    origin: *const BitstepVec3,
    lines: *mut BitstepLine,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        // SAFETY: as this function's caller promises.
        let origin = self::origin(unsafe { memory::array(origin, 1, "origin")? }[0])?;
        WORLDS.with(world.handle, |held| {
            let (mut wires, mut all) = (Wireframe::default(), Vec::new());
            let scenery = held.world.scenery();
            for (id, body) in held.world.bodies() {
                wires.body(body, scenery, &Pose::new(&body.pose(), origin));
                take(&mut wires, Collider::Body(id), &mut all);
            }
            for (index, _) in (0..).zip(scenery.statics()) {
                wires.fixed(StaticId(index), scenery, origin);
                take(&mut wires, Collider::Static(StaticId(index)), &mut all);
            }
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&all, lines, capacity, count) }
        })
    })
}

/// Moves collected lines to those of all colliders.
fn take(wires: &mut Wireframe, collider: Collider, all: &mut Vec<BitstepLine>) {
    let collider = collider.into();
    all.extend(wires.lines().iter().map(|line| BitstepLine { collider, a: line.a, b: line.b }));
    wires.clear();
}
