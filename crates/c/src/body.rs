//! Bodies: the values of a new one, and the state of one that is there.

use bitstep::{
    World,
    geom::{Rotation, Vec3},
    state::{Body, BodyId, BodyType, Locks, MaterialId, OnHit, ShapeId, Sleep, Spawn},
};

use crate::{
    code::{BITSTEP_ERROR_ARGUMENT, BitstepCode, Failure, guard},
    memory::{self, Sized32},
    scenery::{narrow, range},
    types::{BitstepBody, BitstepRotation, BitstepVec3, flag},
};

/// A body that moves by forces.
pub const BITSTEP_BODY_DYNAMIC: u32 = 0;
/// A body that moves as commands say.
pub const BITSTEP_BODY_KINEMATIC: u32 = 1;
/// A body that does not move.
pub const BITSTEP_BODY_STATIC: u32 = 2;

/// Bits of `locks`: no motion along an axis of the world, no rotation about an axis of the body.
pub const BITSTEP_LOCK_X: u32 = 1;
/// The second axis.
pub const BITSTEP_LOCK_Y: u32 = 2;
/// The third axis.
pub const BITSTEP_LOCK_Z: u32 = 4;
/// Rotation about the body's first axis.
pub const BITSTEP_LOCK_TURN_X: u32 = 8;
/// Rotation about its second axis.
pub const BITSTEP_LOCK_TURN_Y: u32 = 16;
/// Rotation about its third axis.
pub const BITSTEP_LOCK_TURN_Z: u32 = 32;

/// The first impact in a tick has no effect but the impact.
pub const BITSTEP_ON_HIT_CONTINUE: u32 = 0;
/// The body stops at it.
pub const BITSTEP_ON_HIT_STOP: u32 = 1;
/// The body is removed at it.
pub const BITSTEP_ON_HIT_REMOVE: u32 = 2;

/// The values of a new body; `bitstep_spawn_init` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BitstepSpawn {
    /// `sizeof(BitstepSpawn)`.
    pub struct_size: u32,
    /// The number of a shape of the scenery, but no plane.
    pub shape: u32,
    /// The number of a material of the scenery.
    pub material: u32,
    /// One of `BITSTEP_BODY_`.
    pub body_type: u32,
    /// The mass: a whole number of mass units, at least 1.
    pub mass: u32,
    /// The layer, 0 to 15.
    pub layer: u32,
    /// The group; 0 for none.
    pub group: u32,
    /// Bits of `BITSTEP_LOCK_`.
    pub locks: u32,
    /// The fraction of its momentum that it loses in each tick, times 2^16.
    pub damping_q16: u32,
    /// One of `BITSTEP_ON_HIT_`.
    pub on_hit: u32,
    /// The dominance in soft overlaps, 0 to 255.
    pub dominance: u32,
    /// 1 if it rotates.
    pub rotates: u32,
    /// 1 to accept an overlap of solids.
    pub allow_overlap: u32,
    /// Zero.
    pub reserved: u32,
    /// User data.
    pub user: u64,
    /// The center, in units.
    pub position: BitstepVec3,
    /// The velocity, in units per tick.
    pub velocity: BitstepVec3,
    /// The angular velocity, in radians per tick; zero for a body that does not rotate.
    pub angular_velocity: BitstepVec3,
    /// The orientation; none for a body that does not rotate.
    pub orientation: BitstepRotation,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepSpawn {}

/// The state of a body.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepBodyState {
    /// `sizeof(BitstepBodyState)`.
    pub struct_size: u32,
    /// The number of its shape.
    pub shape: u32,
    /// The body.
    pub body: BitstepBody,
    /// The center, in units.
    pub position: BitstepVec3,
    /// The velocity, in units per tick, to nearest.
    pub velocity: BitstepVec3,
    /// The momentum, in mass units times units per tick: what the state holds.
    pub momentum: BitstepVec3,
    /// The angular velocity, in radians per tick, to nearest; zero for a body that does not rotate.
    pub angular_velocity: BitstepVec3,
    /// The orientation; none for a body that does not rotate.
    pub orientation: BitstepRotation,
    /// The mass.
    pub mass: u32,
    /// One of `BITSTEP_BODY_`.
    pub body_type: u32,
    /// The layer.
    pub layer: u32,
    /// 1 if it sleeps.
    pub is_asleep: u32,
    /// Number of ticks for which it is frozen still.
    pub frozen: u32,
    /// 1 if it rotates.
    pub rotates: u32,
    /// User data.
    pub user: u64,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepBodyState {}

impl Default for BitstepRotation {
    fn default() -> Self {
        Rotation::IDENTITY.into()
    }
}

/// The locks of a number.
pub(crate) fn locks(bits: u32) -> Result<Locks, Failure> {
    Locks::try_from(narrow::<u8>(bits, "locks")?).map_err(range)
}

/// The effect of a hit of a number.
pub(crate) fn on_hit(number: u32) -> Result<OnHit, Failure> {
    OnHit::try_from(narrow::<u8>(number, "on_hit")?).map_err(range)
}

impl TryFrom<BitstepSpawn> for Spawn {
    type Error = Failure;

    fn try_from(spawn: BitstepSpawn) -> Result<Self, Failure> {
        if spawn.reserved != 0 {
            return Err(Failure::new(BITSTEP_ERROR_ARGUMENT, "reserved is not 0"));
        }
        Ok(Self {
            shape: ShapeId(narrow(spawn.shape, "shape")?),
            material: MaterialId(narrow(spawn.material, "material")?),
            mass: spawn.mass,
            position: spawn.position.into(),
            velocity: spawn.velocity.into(),
            rotates: flag(spawn.rotates, "rotates")?,
            orientation: spawn.orientation.try_into()?,
            angular_velocity: spawn.angular_velocity.into(),
            body_type: BodyType::try_from(narrow::<u8>(spawn.body_type, "body_type")?).map_err(range)?,
            layer: narrow(spawn.layer, "layer")?,
            group: narrow(spawn.group, "group")?,
            locks: locks(spawn.locks)?,
            damping_q16: narrow(spawn.damping_q16, "damping_q16")?,
            user: spawn.user,
            allow_overlap: flag(spawn.allow_overlap, "allow_overlap")?,
            on_hit: on_hit(spawn.on_hit)?,
            dominance: narrow(spawn.dominance, "dominance")?,
        })
    }
}

/// The state of a body in C.
pub(crate) fn state_of(world: &World, id: BodyId, body: &Body) -> BitstepBodyState {
    let orientation = body.spin.map_or(Rotation::IDENTITY, |spin| spin.orientation);
    BitstepBodyState {
        struct_size: size_of::<BitstepBodyState>() as u32,
        shape: body.shape.0.into(),
        body: id.into(),
        position: body.position.into(),
        velocity: body.velocity().into(),
        momentum: body.momentum.into(),
        angular_velocity: world.angular_velocity(id).unwrap_or(Vec3::ZERO).into(),
        orientation: orientation.into(),
        mass: body.mass,
        body_type: u8::from(body.body_type).into(),
        layer: body.layer.into(),
        is_asleep: u32::from(world.sleep(id) == Some(Sleep::Asleep)),
        frozen: body.frozen.into(),
        rotates: u32::from(body.spin.is_some()),
        user: body.user,
    }
}

/// Fills the values of a new body: dynamic, of mass 1, at rest at the origin, in material 0 and layer 0, without rotation; and
/// `struct_size`.
///
/// # Safety
///
/// `spawn` must be valid for writing the struct, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_spawn_init(shape: u32, spawn: *mut BitstepSpawn) -> BitstepCode {
    let value = BitstepSpawn {
        struct_size: size_of::<BitstepSpawn>() as u32,
        shape,
        material: 0,
        body_type: BITSTEP_BODY_DYNAMIC,
        mass: 1,
        layer: 0,
        group: 0,
        locks: 0,
        damping_q16: 0,
        on_hit: BITSTEP_ON_HIT_CONTINUE,
        dominance: 0,
        rotates: 0,
        allow_overlap: 0,
        reserved: 0,
        user: 0,
        position: BitstepVec3::default(),
        velocity: BitstepVec3::default(),
        angular_velocity: BitstepVec3::default(),
        orientation: BitstepRotation::default(),
    };
    // SAFETY: as this function's caller promises.
    guard(|| unsafe { memory::put(spawn, "spawn", value) })
}
