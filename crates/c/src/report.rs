//! What happened in the last tick.

use bitstep::tick::{EventKind, TickReport};

use crate::{
    code::{BitstepCode, guard},
    memory::{self, Sized32},
    types::{BitstepBody, BitstepCollider, BitstepVec3, flag},
    world::{BitstepWorld, WORLDS},
};

/// The numbers of a report.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BitstepReport {
    /// `sizeof(BitstepReport)`.
    pub struct_size: u32,
    /// Number of impacts.
    pub impacts: u32,
    /// The number of the tick; 0 before the first.
    pub tick: u64,
    /// Number of bodies that were held for too many impacts.
    pub impact_limited: u32,
    /// Number of bodies whose velocity was clamped to what they moved.
    pub velocity_corrected: u32,
    /// Number of bodies that were held at the end of the world.
    pub out_of_bounds: u32,
    /// Number of kinematic bodies that were stopped.
    pub blocked: u32,
    /// Number of bodies that were reverted to where the tick began.
    pub reverted: u32,
    /// Number of bodies that were removed at a hit.
    pub removed: u32,
    /// Number of bodies that woke.
    pub woke: u32,
    /// Number of bodies that fell asleep.
    pub fell_asleep: u32,
    /// Number of solid pairs that overlapped at the start.
    pub overlapping: u32,
    /// Number of events; 0 unless they are enabled.
    pub events: u32,
    /// Number of pairs with an impulse; 0 unless events are enabled.
    pub impulses: u32,
    /// 1 if all bodies were held for the rest of the tick.
    pub tick_halted: u32,
}

// SAFETY: it is `repr(C)`, begins with a `u32`, and is integers.
unsafe impl Sized32 for BitstepReport {}

/// Two solids come to touch.
pub const BITSTEP_EVENT_BEGIN: u32 = 0;
/// Two that report each other begin to overlap.
pub const BITSTEP_EVENT_ENTER: u32 = 1;
/// Two solids have an impact.
pub const BITSTEP_EVENT_HIT: u32 = 2;
/// Two that report each other cease to overlap.
pub const BITSTEP_EVENT_EXIT: u32 = 3;
/// Two solids touch no more.
pub const BITSTEP_EVENT_END: u32 = 4;

/// An event of a tick.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitstepEvent {
    /// One of `BITSTEP_EVENT_`.
    pub kind: u32,
    /// Number of times that the same has happened to the pair in this tick before.
    pub repeat: u32,
    /// The instant within the tick, times 2^32: 0 to 2^32.
    pub toi: u64,
    /// The body, or the one of two with the smaller id.
    pub a: BitstepBody,
    /// The other side.
    pub b: BitstepCollider,
}

/// The total impulse of a pair in a tick.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitstepImpulse {
    /// The body, or the one of two with the smaller id.
    pub a: BitstepBody,
    /// The other side.
    pub b: BitstepCollider,
    /// The impulse on `b`, in mass units times units per tick.
    pub impulse: BitstepVec3,
}

const fn kind(kind: EventKind) -> u32 {
    match kind {
        EventKind::Begin => BITSTEP_EVENT_BEGIN,
        EventKind::Enter => BITSTEP_EVENT_ENTER,
        EventKind::Hit => BITSTEP_EVENT_HIT,
        EventKind::Exit => BITSTEP_EVENT_EXIT,
        EventKind::End => BITSTEP_EVENT_END,
    }
}

fn numbers(report: &TickReport) -> BitstepReport {
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    BitstepReport {
        struct_size: size_of::<BitstepReport>() as u32,
        impacts: count(report.impacts.len()),
        tick: report.tick,
        impact_limited: count(report.impact_limited.len()),
        velocity_corrected: count(report.velocity_corrected.len()),
        out_of_bounds: count(report.out_of_bounds.len()),
        blocked: count(report.blocked.len()),
        reverted: count(report.reverted.len()),
        removed: count(report.removed.len()),
        woke: count(report.woke.len()),
        fell_asleep: count(report.fell_asleep.len()),
        overlapping: report.overlapping,
        events: count(report.events.len()),
        impulses: count(report.impulses.len()),
        tick_halted: report.tick_halted.is_some().into(),
    }
}

/// Sets whether ticks list events and impulses: 1 or 0. No state depends on it.
#[unsafe(no_mangle)]
pub extern "C" fn bitstep_world_enable_events(world: BitstepWorld, enabled: u32) -> BitstepCode {
    guard(|| {
        let enabled = flag(enabled, "enabled")?;
        WORLDS.with(world.handle, |held| {
            held.world.enable_events(enabled);
            Ok(())
        })
    })
}

/// The numbers of the last tick's report.
///
/// # Safety
///
/// `report` must be valid for the struct, with its size set, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_report(
    world: BitstepWorld,
    report: *mut BitstepReport,
) -> BitstepCode {
    guard(|| {
        let value = WORLDS.with(world.handle, |held| Ok(numbers(&held.report)))?;
        // SAFETY: as this function's caller promises.
        unsafe { memory::write(report, "report", value) }
    })
}

/// The events of the last tick, in order.
///
/// # Safety
///
/// `events` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_events(
    world: BitstepWorld,
    events: *mut BitstepEvent,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let event = |event: &bitstep::tick::ContactEvent| BitstepEvent {
                kind: kind(event.kind),
                repeat: event.repeat,
                toi: event.toi.raw(),
                a: event.a.into(),
                b: event.b.into(),
            };
            let all: Vec<BitstepEvent> = held.report.events.iter().map(event).collect();
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&all, events, capacity, count) }
        })
    })
}

/// The impulses of the last tick, in the order of ids.
///
/// # Safety
///
/// `impulses` must be valid for `capacity` structs, or null with a capacity of 0; `count` for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitstep_world_impulses(
    world: BitstepWorld,
    impulses: *mut BitstepImpulse,
    capacity: usize,
    count: *mut usize,
) -> BitstepCode {
    guard(|| {
        WORLDS.with(world.handle, |held| {
            let impulse = |it: &bitstep::tick::ContactImpulse| BitstepImpulse {
                a: it.a.into(),
                b: it.b.into(),
                impulse: it.impulse.into(),
            };
            let all: Vec<BitstepImpulse> = held.report.impulses.iter().map(impulse).collect();
            // SAFETY: as this function's caller promises.
            unsafe { memory::put_array(&all, impulses, capacity, count) }
        })
    })
}
